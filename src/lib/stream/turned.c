#include "stream/turned.h"

#include <string.h>

#include "base/endian.h"
#include "stream/reorder.h"
#include "stream/spool.h"

/* Lines lie together: all dimensions before theirs have length 1. */
static enum taf_status
as_they_lie(const struct taf_turned *t, const unsigned *order, struct taf_err *e)
{
	struct taf_array in = *t->in;
	unsigned k;

	for (k = 0; k < in.ndim; k++)
		in.dim[k] = t->in->dim[order[k]];
	return t->lines(t->ctx, t->r, &in, t->to, e);
}

enum taf_status
taf_turned(const struct taf_turned *t, struct taf_err *e)
{
	unsigned order[TAF_MAX_DIM], back[TAF_MAX_DIM + 1], k;
	const unsigned before = t->record > 0 ? 1 : 0;
	struct taf_reorder how = { .order = order, .memory = t->service->memory,
	    .jobs = taf_threads(t->service) };
	struct taf_spool spool = { .fd = -1 };
	struct taf_reader *lines = NULL, *results = NULL;
	struct taf_array in, out;
	struct taf_in *file;
	enum taf_status st;

	for (k = 0; k < t->in->ndim; k++) {
		order[k] = k == 0 ? t->dim - 1 : k < t->dim ? k - 1 : k;
		back[before + order[k]] = before + k;
	}
	back[0] = before > 0 ? 0 : back[0];
	if (taf_array_cut(t->in, t->dim).inner == 1)
		return as_they_lie(t, order, e);
	st = taf_reorder_file(&how, t->r, t->in, &in, &lines, e);
	if (st == TAF_OK)
		st = taf_spool_begin(&spool, e);
	out = in;
	out.type = t->out->type;
	taf_array_unmap(&out);
	out.dim[0].n = t->out->dim[t->dim - 1].n;
	if (before > 0) {
		memmove(out.dim + 1, out.dim, (TAF_MAX_DIM - 1) * sizeof *out.dim);
		out.dim[0] = (struct taf_dim){ t->record, 1, 1 };
		out.ndim++;
	}
	if (st == TAF_OK)
		st = t->lines(t->ctx, lines, &in, spool.out, e);
	taf_reader_close(lines);
	st = taf_spool_end(&spool, st, "temporary file", &file, e);
	if (st == TAF_OK)
		st = taf_reader_raw(&results, file, &out, taf_host_is_big(), e);
	taf_watch(t->service, t->to == NULL ? t->w : NULL, t->to, taf_array_bytes(&out));
	how.order = back;
	how.writer = t->to == NULL ? t->w : NULL;
	how.out = t->to;
	if (st == TAF_OK)
		st = taf_reorder(&how, results, &out, e);
	taf_reader_close(results);
	return st;
}
