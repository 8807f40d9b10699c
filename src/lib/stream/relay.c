/* SPDX-License-Identifier: ISC */
#include "stream/relay.h"

#include <pthread.h>
#include <stdint.h>

struct relay {
	const struct taf_relay *how;
	struct taf_err *err;
	pthread_mutex_t taking;		/* of take() and the next two */
	uint64_t taken;
	bool over;
	pthread_mutex_t lock;		/* of the rest */
	pthread_cond_t turn;
	uint64_t given;
	enum taf_status status;
};

struct runner {
	struct relay *relay;
	unsigned slot;
	pthread_t id;
};

static bool
has_failed(struct relay *y)
{
	bool failed;

	pthread_mutex_lock(&y->lock);
	failed = y->status != TAF_OK;
	pthread_mutex_unlock(&y->lock);
	return failed;
}

/* Piece number *n into a slot; false where there is none. */
static bool
take(struct relay *y, unsigned slot, uint64_t *n, enum taf_status *st, struct taf_err *e)
{
	bool more = true;

	pthread_mutex_lock(&y->taking);
	if (y->over || has_failed(y)) {
		pthread_mutex_unlock(&y->taking);
		return false;
	}
	*st = y->how->take(y->how->ctx, slot, &more, e);
	y->over = *st != TAF_OK || !more;
	*n = y->taken;
	if (*st != TAF_OK || more)
		y->taken++;
	pthread_mutex_unlock(&y->taking);
	return *st != TAF_OK || more;
}

/* Wait until all pieces before number n are given; false if one has failed. */
static bool
await_turn(struct relay *y, uint64_t n)
{
	bool good;

	pthread_mutex_lock(&y->lock);
	while (y->given != n && y->status == TAF_OK)
		pthread_cond_wait(&y->turn, &y->lock);
	good = y->status == TAF_OK;
	pthread_mutex_unlock(&y->lock);
	return good;
}

static void
end_turn(struct relay *y, enum taf_status st, const struct taf_err *e)
{
	pthread_mutex_lock(&y->lock);
	y->given++;
	if (st != TAF_OK && y->status == TAF_OK) {
		y->status = st;
		*y->err = *e;
	}
	pthread_cond_broadcast(&y->turn);
	pthread_mutex_unlock(&y->lock);
}

/* A function of the caller may fail without a word: the failure has one all the same. */
static enum taf_status
told(enum taf_status st, struct taf_err *e)
{
	if (st == TAF_OK || e->code != TAF_OK)
		return st == TAF_OK ? TAF_OK : e->code;
	return taf_fail(e, st == TAF_EUSAGE || st == TAF_EDATA || st == TAF_ESYS ||
	    st == TAF_ETRUNC ? st : TAF_EMISUSE,
	    "a function gives status %d, and does not say why", (int)st);
}

static void *
run(void *arg)
{
	const struct runner *r = arg;
	struct relay *y = r->relay;
	const struct taf_relay *how = y->how;
	enum taf_status st = TAF_OK;
	struct taf_err e;
	uint64_t n = 0;

	taf_err_clear(&e);
	while (st == TAF_OK && take(y, r->slot, &n, &st, &e)) {
		if (st == TAF_OK)
			st = told(how->work(how->ctx, r->slot, &e), &e);
		if (how->give != NULL && !await_turn(y, n))
			break;
		if (st == TAF_OK && how->give != NULL)
			st = told(how->give(how->ctx, r->slot, &e), &e);
		end_turn(y, st, &e);
	}
	return NULL;
}

enum taf_status
taf_relay(const struct taf_relay *how, unsigned threads, struct taf_err *e)
{
	struct relay y = {
		.how = how,
		.err = e,
		.taking = PTHREAD_MUTEX_INITIALIZER,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.turn = PTHREAD_COND_INITIALIZER
	};
	struct runner runner[TAF_THREADS_MOST];
	unsigned k, n = 1;

	runner[0].relay = &y;
	runner[0].slot = 0;
	for (k = 1; k < threads && k < TAF_THREADS_MOST; k++) {
		runner[n].relay = &y;
		runner[n].slot = n;
		/* one that cannot be started leaves its part to the others */
		if (pthread_create(&runner[n].id, NULL, run, &runner[n]) == 0)
			n++;
	}
	(void)run(&runner[0]);
	for (k = 1; k < n; k++)
		pthread_join(runner[k].id, NULL);
	pthread_cond_destroy(&y.turn);
	pthread_mutex_destroy(&y.lock);
	pthread_mutex_destroy(&y.taking);
	return y.status;
}
