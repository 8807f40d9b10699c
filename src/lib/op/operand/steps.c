/* SPDX-License-Identifier: ISC */
#include "op/operand/steps.h"

#include <stdlib.h>

#include "base/endian.h"
#include "io/spool.h"

enum taf_status
taf_steps_open(struct taf_steps *s, const struct taf_arrays *all, struct taf_err *e)
{
	const unsigned n = s->together ? (unsigned)all->nfiles : 1;

	s->lane = calloc(n + 1, sizeof *s->lane);
	s->now = calloc(n + 1, sizeof *s->now);
	s->name = calloc(n + 1, sizeof *s->name);
	if (s->lane == NULL || s->now == NULL || s->name == NULL)
		return taf_fail_mem(e);
	for (; s->n < n; s->n++) {
		struct taf_arrays *own = &s->lane[s->n].all;

		*own = *all;
		if (!s->together)
			continue;
		own->files = &all->files[s->n];
		own->nfiles = 1;
		own->pick = 0;
		/* the comment of the first would come before the others are read */
		own->late = all->late && n == 1;
	}
	return TAF_OK;
}

void
taf_steps_close(struct taf_steps *s)
{
	unsigned k;

	for (k = 0; k < s->n; k++) {
		taf_reader_close(s->lane[k].again);
		taf_reader_close(s->lane[k].spool);
		taf_arrays_close(&s->lane[k].all);
		taf_array_fini(&s->lane[k].first);
	}
	free(s->lane);
	free(s->now);
	free(s->name);
}

/* Some lanes have ended, but not this one: tell how many each has. */
static enum taf_status
differ(struct taf_steps *s, struct taf_lane *longer, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	const struct taf_lane *other;

	while (st == TAF_OK)
		st = taf_arrays_next(&longer->all, e);
	if (st != TAF_END)
		return st;
	for (other = s->lane; other->once || other->all.r != NULL ||
	    other->all.number == 0 || other == longer; other++)
		;
	st = taf_fail(e, TAF_EDATA, "%llu arrays, but %s has %llu",
	    (unsigned long long)longer->all.number, taf_arrays_name(&other->all),
	    (unsigned long long)other->all.number);
	taf_err_name(e, taf_arrays_name(&longer->all));
	return st;
}

/* Go on to the next array of one lane of several; TAF_END where that is its end. */
static enum taf_status
advance(const struct taf_steps *s, struct taf_lane *in, struct taf_err *e)
{
	enum taf_status st;

	if (s->step == 2 && in->all.number == 1) {
		in->once = taf_arrays_more(&in->all) == TAF_NEXT_NO;
		if (in->once)
			return TAF_END;
		taf_array_move(&in->first, &in->all.a);
	}
	st = taf_arrays_next(&in->all, e);
	if (s->step == 2)
		in->once = st == TAF_END && in->all.number == 1;
	if (st == TAF_OK) {
		taf_reader_close(in->spool);
		in->spool = NULL;
	}
	return st;
}

enum taf_status
taf_steps_next(struct taf_steps *s, struct taf_err *e)
{
	struct taf_lane *live = NULL;
	bool ended = false;
	unsigned k;

	s->step++;
	if (s->n == 0)
		return s->step == 1 ? TAF_OK : TAF_END;
	for (k = 0; k < s->n; k++) {
		struct taf_lane *in = &s->lane[k];
		enum taf_status st = in->once ? TAF_END : s->together ?
		    advance(s, in, e) : taf_arrays_next(&in->all, e);

		if (st == TAF_OK)
			live = in;
		else if (st != TAF_END)
			return st;
		else if (!in->once && in->all.number > 0)
			ended = true;
		s->now[k].a = in->once && in->all.r == NULL ? &in->first : &in->all.a;
		s->now[k].as = TAF_FLT64;
		s->name[k] = taf_in_called(in->all.files[in->all.opened - 1]);
	}
	return live == NULL ? TAF_END : ended ? differ(s, live, e) : TAF_OK;
}

enum taf_next
taf_steps_more(const struct taf_steps *s)
{
	enum taf_next next = TAF_NEXT_NO;
	unsigned k;

	for (k = 0; k < s->n; k++) {
		enum taf_next more = s->lane[k].once ? TAF_NEXT_NO :
		    taf_arrays_more(&s->lane[k].all);

		if (more == TAF_NEXT_YES)
			return more;
		if (more == TAF_NEXT_UNKNOWN)
			next = more;
	}
	return next;
}

/* The elements of a pipe, where they can be read again and again. */
static enum taf_status
spool(struct taf_lane *in, struct taf_err *e)
{
	const struct taf_arrays *all = &in->all;
	struct taf_spool file;
	struct taf_in *from;
	enum taf_status st = taf_spool_begin(&file, e);

	if (st == TAF_OK)
		st = taf_reader_copy(all->r, file.out, taf_reader_left(all->r), e);
	st = taf_spool_end(&file, st, taf_arrays_name(all), &from, e);
	if (st == TAF_OK)
		st = taf_reader_raw(&in->spool, from, &all->a, taf_host_is_big(), e);
	return st == TAF_OK ? taf_reader_random(in->spool, e) : st;
}

enum taf_status
taf_steps_keep(struct taf_steps *s, struct taf_err *e)
{
	unsigned k, several = 0;
	enum taf_status st = TAF_OK;

	for (k = 0; k < s->n; k++)
		several += taf_arrays_more(&s->lane[k].all) != TAF_NEXT_NO;
	for (k = 0; k < s->n && st == TAF_OK; k++) {
		struct taf_lane *in = &s->lane[k];
		const enum taf_next more = taf_arrays_more(&in->all);

		if (more == TAF_NEXT_YES || several == (more == TAF_NEXT_UNKNOWN))
			continue;
		if (more == TAF_NEXT_NO && taf_reader_sure(in->all.r))
			st = taf_reader_random(in->all.r, e);
		else
			st = spool(in, e);
		taf_err_name(e, taf_arrays_name(&in->all));
	}
	return st;
}

enum taf_status
taf_steps_begin(struct taf_steps *s, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	unsigned k;

	for (k = 0; k < s->n && st == TAF_OK; k++) {
		struct taf_lane *in = &s->lane[k];
		const struct taf_reader *kept = in->spool != NULL ? in->spool :
		    in->once ? in->all.r : NULL;

		s->now[k].r = in->all.r;
		if (kept == NULL)
			continue;
		st = taf_reader_again(&in->again, kept, s->now[k].a, e);
		s->now[k].r = in->again;
	}
	return st;
}

enum taf_status
taf_steps_end(struct taf_steps *s, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	unsigned k;

	for (k = 0; k < s->n && st == TAF_OK; k++) {
		struct taf_lane *in = &s->lane[k];

		taf_reader_close(in->again);
		in->again = NULL;
		if (in->all.r != NULL)
			st = taf_reader_finish(in->all.r, &in->all.a, e);
		taf_err_name(e, taf_arrays_name(&in->all));
	}
	return st;
}

enum taf_status
taf_steps_finish(struct taf_steps *s, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	unsigned k, last = 0;

	for (k = 0; k < s->n && st == TAF_OK; k++) {
		const struct taf_arrays *all = &s->lane[k].all;

		if (all->r != NULL)
			st = taf_arrays_last(all, e);
		if (!s->lane[k].once)
			last = k;
		taf_err_name(e, taf_arrays_name(all));
	}
	return st != TAF_OK || s->pick == 0 ? st : taf_arrays_few(s->pick, s->step - 1,
	    s->n > 0 ? s->lane[last].all.files[0] : NULL, false, e);
}
