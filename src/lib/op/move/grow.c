/* SPDX-License-Identifier: ISC */
#include "op/move/grow.h"

#include <errno.h>
#include <sys/stat.h>
#include <time.h>

#include "stream/reader_source.h"

enum { LAST = 64 };	/* bytes before the present place that are compared */

static const double shortest = 0.01, longest = 0.25;	/* pauses, in seconds */

/* Pause; TAF_END where nothing has grown for too long. */
static enum taf_status
nap(struct taf_grow *g, bool grown, struct taf_err *e)
{
	struct timespec t = { 0, 0 }, rest = { 0, 0 };

	if (grown || g->nap <= 0) {
		g->waited = 0;
		g->nap = shortest;
	}
	if (g->idle > 0 && g->waited >= g->idle)
		return TAF_END;
	if (g->idle > 0 && g->nap > g->idle - g->waited)
		g->nap = g->idle - g->waited;
	if (g->pause(g->ctx, e) != TAF_OK)
		return e->code;
	t.tv_nsec = (long)(g->nap * 1e9) + 1;
	/* a signal may cut it short */
	if (nanosleep(&t, &rest) == 0)
		rest.tv_nsec = 0;
	g->waited += g->nap - (double)rest.tv_nsec * 1e-9;
	g->nap = g->nap * 2 < longest ? g->nap * 2 : longest;
	return TAF_OK;
}

/* Is all that was read still there?  Then taf_in_left tells what has come since. */
static enum taf_status
check(struct taf_grow *g, struct taf_err *e)
{
	const struct taf_reader *r = g->r;

	if (taf_in_grown(r->from.in, e) != TAF_OK ||
	    (r->from.in != r->in && taf_in_unchanged(r->in, e) != TAF_OK) ||
	    taf_kept_same(&g->head, r->in, e) != TAF_OK ||
	    taf_kept_same(&g->last, r->from.in, e) != TAF_OK)
		return e->code;
	return TAF_OK;
}

/* The first array of the file, if it is there; *size tells what has come. */
static enum taf_status
open_first(struct taf_grow *g, struct taf_array *a, uint64_t *size, struct taf_err *e)
{
	enum taf_status st;
	struct taf_in *in;
	struct stat sb;

	taf_reader_close(g->r);
	g->r = NULL;
	if (stat(g->path, &sb) == 0 && !S_ISREG(sb.st_mode) && !S_ISDIR(sb.st_mode))
		return taf_fail(e, TAF_EUSAGE,
		    "no regular file: all commands read a pipe as its bytes come");
	st = taf_in_open(&in, g->path, e);
	if (st != TAF_OK)
		return st;
	*size = taf_in_left(in);
	st = taf_reader_new(&g->r, in, g->path, TAF_READ_GROWING, e);
	if (st == TAF_OK)
		st = taf_reader_next(g->r, a, e);
	return st == TAF_EDATA && *size == 0 ? TAF_ETRUNC : st;
}

enum taf_status
taf_grow_next(struct taf_grow *g, struct taf_array *a, struct taf_err *e)
{
	const bool first = g->r == NULL;
	struct taf_reader_spot spot = { 0 };
	uint64_t size = 0, before = 0;
	struct taf_err own = { 0 };
	enum taf_status st;

	if (!first) {
		spot.offset = taf_in_offset(g->r->in);
		spot.order = g->r->order;
	}
	g->last = (struct taf_kept){ 0 };
	for (g->nap = 0;; before = size) {
		st = first ? open_first(g, a, &size, e) : taf_reader_next(g->r, a, e);
		if (st != TAF_ETRUNC && (st != TAF_ESYS || e->sys != ENOENT))
			break;
		if (!first) {
			taf_reader_go(g->r, &spot);
			(void)check(g, &own);
			size = taf_in_left(g->r->in);
		}
		if (own.code == TAF_OK && nap(g, size != before, &own) == TAF_END)
			break;
		taf_err_clear(e);
		if (own.code != TAF_OK) {
			*e = own;
			return own.code;
		}
	}
	return st != TAF_OK ? st : taf_keep(&g->head, g->r->in, g->r->spot.offset,
	    taf_in_offset(g->r->in) - g->r->spot.offset, e);
}

/* What stands behind the elements of an array that is the last. */
static void
remark_behind(const struct taf_reader *r)
{
	const uint64_t more = taf_in_left(r->from.in);

	if (r->is_taf && more > 0)
		taf_reader_remark(r,
		    "%llu bytes of comment and attributes came too late to be passed on",
		    (unsigned long long)more);
	else if (r->over)
		taf_reader_remark_more(r, more);
}

enum taf_status
taf_grow_there(struct taf_grow *g, uint64_t *n, struct taf_err *e)
{
	const struct taf_elements *s = &g->r->from;
	const uint64_t at = taf_in_offset(s->in);
	const uint64_t data = s->in == g->r->in ? g->head.at + g->head.n : 0;
	const uint64_t last = at - data < LAST ? at - data : LAST;
	enum taf_status st;
	uint64_t before;

	*n = s->left;
	/* a TAF file that was whole, and whose comment was read */
	if (g->r->is_taf && g->r->source.size > 0)
		return TAF_OK;
	st = taf_keep(&g->last, s->in, at - last, last, e);
	for (g->nap = 0; st == TAF_OK; st = nap(g, taf_in_left(s->in) > before, e)) {
		before = taf_in_left(s->in);
		st = check(g, e);
		*n = taf_in_left(s->in) / s->esize;
		if (st != TAF_OK || *n > 0 || s->left == 0)
			break;
	}
	if (*n > s->left)
		*n = s->left;
	if (st == TAF_OK && s->left == 0)
		remark_behind(g->r);
	if (st == TAF_END)
		st = taf_fail(e, TAF_ETRUNC,
		    "nothing has come for %g s: %llu elements of array %lu are missing",
		    g->idle, (unsigned long long)s->left, g->r->order.arrays);
	taf_err_name(e, taf_in_name(s->in));
	return st;
}
