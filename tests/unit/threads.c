/* SPDX-License-Identifier: ISC */
/*
 * Two threads that do to files of their own what libtaf(3) promises may be done at once.
 * A build with --enable-sanitize=thread finds what they share.
 */
#include "feed.h"

#include "config.h"

#ifdef HAVE_PTHREAD

#include <pthread.h>
#include <sched.h>

#include "base/need.h"
#include "io/temp.h"
#include "stream/edit.h"
#include "io/spool.h"

enum { ROUNDS = 200, N = 24 };

/* A thread counts for itself: what unit.h counts is shared. */
struct thread {
	pthread_t id;
	char taf[8], rsf[8];
	unsigned first;		/* value of its first element */
	unsigned done;		/* rounds that went well */
	struct taf_err err;
};

static enum taf_status
write_file(struct thread *t, const char *path, enum taf_format format)
{
	const struct taf_sink sink = { .path = path, .format = format };
	struct taf_writer *w = NULL;
	enum taf_status st;
	struct taf_array a;
	uint16_t x[N];

	for (unsigned i = 0; i < N; i++)
		x[i] = (uint16_t)(t->first + i);
	taf_array_init(&a);
	a.type = TAF_UINT16;
	taf_array_add_dim(&a, 4, 0, 1);
	taf_array_add_dim(&a, 6, 0, 1);
	st = taf_attr_set(&a, "label", TAF_OF_DIM, 1, path, &t->err);
	if (st == TAF_OK)
		st = taf_writer_open(&w, &sink, &t->err);
	if (st == TAF_OK)
		st = taf_writer_begin(w, &a, TAF_NEXT_NO, &t->err);
	if (st == TAF_OK)
		st = taf_writer_put(w, x, N, &t->err);
	if (st == TAF_OK)
		st = taf_writer_end(w, &a, &t->err);
	if (st == TAF_OK)
		st = taf_writer_close(w, &t->err);
	else
		taf_writer_discard(w);
	taf_array_fini(&a);
	return st;
}

/* The elements are first, first + 1, ...; those behind were appended. */
static enum taf_status
read_file(struct thread *t, const char *path, uint64_t n)
{
	struct taf_reader *r = NULL;
	struct taf_array a = { 0 };
	enum taf_status st = taf_reader_open(&r, path, 0, &t->err);
	uint16_t x = 0;

	if (st == TAF_OK)
		st = taf_reader_next(r, &a, &t->err);
	if (st == TAF_OK && taf_array_count(&a) != n)
		st = taf_fail(&t->err, TAF_EDATA, "not as many elements");
	for (uint64_t i = 0; i < n && st == TAF_OK; i++) {
		st = taf_reader_read(r, &x, 1, &t->err);
		if (st == TAF_OK && x != t->first + i)
			st = taf_fail(&t->err, TAF_EDATA, "another element");
	}
	taf_array_fini(&a);
	taf_reader_close(r);
	return st;
}

/* A row more. */
static enum taf_status
append(struct thread *t)
{
	struct taf_edit *ed = NULL;
	struct taf_array a = { 0 };
	enum taf_status st = taf_edit_open(&ed, t->taf, &t->err);
	uint16_t x[4];

	for (unsigned i = 0; i < 4; i++)
		x[i] = (uint16_t)(t->first + N + i);
	if (st == TAF_OK)
		st = taf_array_copy(&a, taf_edit_array(ed), &t->err);
	if (st == TAF_OK) {
		a.dim[1].n++;
		st = taf_edit_grow(ed, &a, &t->err);
	}
	if (st == TAF_OK)
		st = taf_edit_put(ed, x, 4, &t->err);
	if (st == TAF_OK)
		st = taf_edit_grown(ed, &t->err);
	taf_edit_close(ed);
	taf_array_fini(&a);
	return st;
}

/* Another start of dimension 1: the header alone. */
static enum taf_status
move(struct thread *t, double start)
{
	struct taf_edit *ed = NULL;
	struct taf_array a = { 0 };
	enum taf_status st = taf_edit_open(&ed, t->taf, &t->err);

	if (st == TAF_OK)
		st = taf_array_copy(&a, taf_edit_array(ed), &t->err);
	if (st == TAF_OK) {
		a.dim[0].start = start;
		st = taf_edit_header(ed, &a, &t->err);
	}
	taf_edit_close(ed);
	taf_array_fini(&a);
	return st;
}

static enum taf_status
spool(struct thread *t)
{
	struct taf_in *in = NULL;
	struct taf_spool s;
	enum taf_status st = taf_spool_begin(&s, &t->err);
	char x[2];

	if (st == TAF_OK)
		st = taf_out_write(s.out, t->taf, 2, &t->err);
	st = taf_spool_end(&s, st, "spool", &in, &t->err);
	if (st == TAF_OK)
		st = taf_in_read(in, x, 2, &t->err);
	if (st == TAF_OK && memcmp(x, t->taf, 2) != 0)
		st = taf_fail(&t->err, TAF_EDATA, "another file");
	taf_in_close(in);
	return st;
}

/* What goes wrong is told, as everything is that is told with the text of errno. */
static enum taf_status
fail(struct thread *t)
{
	struct taf_reader *r = NULL;

	if (taf_reader_open(&r, "no/such/file", 0, &t->err) != TAF_ESYS || r != NULL)
		return taf_fail(&t->err, TAF_EDATA, "it is there");
	taf_err_clear(&t->err);
	return TAF_OK;
}

static void *
run(void *arg)
{
	struct thread *t = arg;
	enum taf_status st = TAF_OK;

	for (unsigned i = 0; i < ROUNDS && st == TAF_OK; i++) {
		/* a new file now, another time in place of the old one */
		if (i % 2 == 0)
			(void)unlink(t->rsf);
		st = write_file(t, t->rsf, TAF_FORMAT_RSF);
		if (st == TAF_OK)
			st = write_file(t, t->taf, TAF_FORMAT_TAF);
		if (st == TAF_OK)
			st = read_file(t, t->rsf, N);
		if (st == TAF_OK)
			st = move(t, i);
		if (st == TAF_OK && i % 8 == 0)
			st = append(t);
		if (st == TAF_OK)
			st = read_file(t, t->taf, N + (i % 8 == 0 ? 4 : 0));
		if (st == TAF_OK)
			st = spool(t);
		if (st == TAF_OK)
			st = fail(t);
		t->done += st == TAF_OK;
	}
	return NULL;
}

/* Each file is as its thread left it, and has the mode that the umask says. */
static void
at_once(void)
{
	struct thread t[2] = {
		{ .taf = "a.taf", .rsf = "a.rsf", .first = 100 },
		{ .taf = "b.taf", .rsf = "b.rsf", .first = 200 },
	};

	(void)umask(027);
	for (int k = 0; k < 2; k++)
		must(pthread_create(&t[k].id, NULL, run, &t[k]) == 0);
	for (int k = 0; k < 2; k++) {
		struct stat st;

		must(pthread_join(t[k].id, NULL) == 0);
		CHECK_STR(t[k].err.text, "");
		CHECK_EQ(t[k].done, ROUNDS);
		CHECK(stat(t[k].taf, &st) == 0 && (st.st_mode & 0777) == 0640);
		CHECK(stat(t[k].rsf, &st) == 0 && (st.st_mode & 0777) == 0640);
		CHECK(unlink(t[k].taf) == 0 && unlink(t[k].rsf) == 0);
	}
	CHECK(access("a.taf.undo", F_OK) != 0 && access("b.taf.undo", F_OK) != 0);
}

/*
 * Files of two threads that are temporary at once: a signal removes all, and no others.
 */
struct made {
	pthread_t id;
	const char *target;
	struct taf_out *out[20];
	unsigned n;
};

static void *
make(void *arg)
{
	struct made *m = arg;
	struct taf_err err = { 0 };

	for (unsigned round = 0; round < 50; round++) {
		for (m->n = 0; m->n < 20; m->n++)
			if (taf_out_create(&m->out[m->n], m->target, &err) != TAF_OK)
				return NULL;
		if (round < 49)
			for (unsigned i = 0; i < 20; i++)
				taf_out_discard(m->out[i]);
	}
	return NULL;
}

static void
temporary(void)
{
	struct made m[2] = { { .target = "a" }, { .target = "b" } };

	for (int k = 0; k < 2; k++)
		must(pthread_create(&m[k].id, NULL, make, &m[k]) == 0);
	for (int k = 0; k < 2; k++)
		must(pthread_join(m[k].id, NULL) == 0);
	CHECK(m[0].n == 20 && m[1].n == 20);
	CHECK(system("test $(ls -A | wc -l) = 40") == 0);
	taf_temp_unlink_all();
	CHECK(system("test -z \"$(ls -A)\"") == 0);
	for (int k = 0; k < 2; k++)
		for (unsigned i = 0; i < m[k].n; i++)
			taf_out_discard(m[k].out[i]);
}

/* Notes of four threads come one at a time: each is told before the next. */
static void
hear(void *ctx, const char *name, const char *text)
{
	volatile unsigned *heard = ctx;
	const unsigned before = heard[0];

	(void)name, (void)text;
	sched_yield();
	heard[0] = before + 1;
}

static void *
tell(void *arg)
{
	for (unsigned i = 0; i < ROUNDS; i++)
		taf_note_say("a", arg);
	return NULL;
}

static void
heard_in_turn(void)
{
	static char text[] = "text";
	unsigned heard[1] = { 0 };
	pthread_t id[4];

	taf_note_listen(hear, heard);
	for (int k = 0; k < 4; k++)
		must(pthread_create(&id[k], NULL, tell, text) == 0);
	for (int k = 0; k < 4; k++)
		must(pthread_join(id[k], NULL) == 0);
	taf_note_listen(NULL, NULL);
	CHECK_EQ(heard[0], 4 * ROUNDS);
}

int
main(void)
{
	UNIT(at_once);
	UNIT(temporary);
	UNIT(heard_in_turn);
	return unit_end();
}

#else

int
main(void)
{
	printf("1..1\nok 1 - at_once # SKIP no threads\n");
	return 0;
}

#endif
