/* SPDX-License-Identifier: ISC */
/* Pieces come out in their order, and as far as with one thread, whoever is late. */
#include "stream/relay.h"

#include <stdint.h>
#include <time.h>

#include "unit.h"

enum { PIECES = 300 };

struct line {
	unsigned fail_take, fail_work, fail_give;	/* number of a piece, from 1 */
	unsigned next, given;
	unsigned slot[TAF_THREADS_MOST];
	bool order;
	bool busy[TAF_THREADS_MOST], shared[TAF_THREADS_MOST];
};

static enum taf_status
take(void *ctx, unsigned slot, bool *more, struct taf_err *e)
{
	struct line *l = ctx;

	*more = l->next < PIECES;
	if (!*more)
		return TAF_OK;
	l->slot[slot] = ++l->next;
	if (l->next != l->fail_take)
		return TAF_OK;
	/* whatever it has said before it failed */
	*more = l->next % 2 == 0;
	return taf_fail(e, TAF_ETRUNC, "take %u", l->next);
}

static enum taf_status
work(void *ctx, unsigned slot, struct taf_err *e)
{
	struct line *l = ctx;
	const struct timespec nap = { 0, (long)(l->slot[slot] * 7919 % 13) * 10000 };

	l->shared[slot] = l->shared[slot] || l->busy[slot];
	l->busy[slot] = true;
	(void)nanosleep(&nap, NULL);
	l->busy[slot] = false;
	return l->slot[slot] == l->fail_work ?
	    taf_fail(e, TAF_EDATA, "work %u", l->slot[slot]) : TAF_OK;
}

static enum taf_status
give(void *ctx, unsigned slot, struct taf_err *e)
{
	struct line *l = ctx;

	l->order = l->order && l->slot[slot] == l->given + 1 && !l->shared[slot];
	l->given = l->slot[slot];
	return l->given == l->fail_give ?
	    taf_fail(e, TAF_ESYS, "give %u", l->given) : TAF_OK;
}

static void
in_order(void)
{
	for (unsigned threads = 0; threads <= 70; threads += threads < 4 ? 1 : 22) {
		struct line l = { .order = true };
		const struct taf_relay how = { &l, take, work, give };
		struct taf_err e;

		taf_err_clear(&e);
		CHECK(taf_relay(&how, threads, &e) == TAF_OK);
		CHECK(l.order);
		CHECK_EQ(l.given, PIECES);
		/* nothing is left: the same again gives no piece */
		CHECK(taf_relay(&how, threads, &e) == TAF_OK);
		CHECK_EQ(l.given, PIECES);
	}
}

/* All pieces before the one that fails are given, none behind it. */
static void
failures(void)
{
	for (unsigned threads = 1; threads <= 8; threads++)
		for (unsigned n = 1; n <= PIECES; n += 43)
			for (int k = 0; k < 3; k++) {
				struct line l = { .order = true };
				const struct taf_relay how = { &l, take, work, give };
				struct taf_err e;
				char text[32];

				taf_err_clear(&e);
				*(k == 0 ? &l.fail_take : k == 1 ? &l.fail_work :
				    &l.fail_give) = n;
				/* later ones fail too, and are not heard of */
				if (k != 1)
					l.fail_work = n + 1;
				snprintf(text, sizeof text, "%s %u",
				    k == 0 ? "take" : k == 1 ? "work" : "give", n);
				CHECK_EQ(taf_relay(&how, threads, &e),
				    k == 0 ? TAF_ETRUNC : k == 1 ? TAF_EDATA : TAF_ESYS);
				CHECK_STR(e.text, text);
				CHECK(l.order);
				CHECK_EQ(l.given, k == 2 ? n : n - 1);
				CHECK(k != 0 || l.next == n);
			}
}

/* Without give, whatever fails ends it. */
static void
no_order(void)
{
	for (unsigned threads = 1; threads <= 8; threads++) {
		struct line l = { .order = true, .fail_work = 100 };
		const struct taf_relay how = { &l, take, work, NULL };
		struct taf_err e;

		taf_err_clear(&e);
		CHECK(taf_relay(&how, threads, &e) == TAF_EDATA);
		CHECK_STR(e.text, "work 100");
		CHECK(l.next >= 100);
	}
}

int
main(void)
{
	UNIT(in_order);
	UNIT(failures);
	UNIT(no_order);
	return unit_end();
}
