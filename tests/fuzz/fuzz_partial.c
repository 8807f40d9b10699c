/* SPDX-License-Identifier: ISC */
/*
 * Accumulators of --partial, merged: a line of operations, a blank and a list of
 * dimensions, maybe empty; then a stream of arrays.  The result goes nowhere.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "array/region.h"
#include "drain.h"
#include "op/stat/reduction.h"
#include "target.h"

enum { REQUEST = 200 };	/* bytes of the line */

static bool
parse(struct taf_reduction_intent *want, const uint8_t *p, size_t n)
{
	struct taf_err e = { 0 };
	char line[REQUEST], *dims;
	unsigned k;

	if (n >= sizeof line || memchr(p, '\0', n) != NULL)
		return false;
	memcpy(line, p, n);
	line[n] = '\0';
	dims = strchr(line, ' ');
	if (dims == NULL)
		return false;
	*dims++ = '\0';
	if (taf_reduction_parse(line, want->op, &want->nops, &e) != TAF_OK ||
	    (*dims != '\0' &&
	    taf_dims_parse(dims, want->dim, &want->ndims, &e) != TAF_OK))
		return false;
	/* the command refuses these */
	for (k = 0; k < want->nops; k++)
		if (taf_op_is_order(want->op[k].op))
			return false;
	return true;
}

static enum taf_status
add_all(struct taf_merge *m, struct taf_reader *r, bool *some, struct taf_err *e)
{
	struct taf_array a;
	enum taf_status st;

	taf_array_init(&a);
	while ((st = taf_reader_next(r, &a, e)) == TAF_OK) {
		st = taf_merge_add(m, r, &a, e);
		if (st == TAF_OK)
			st = taf_reader_finish(r, &a, e);
		if (st != TAF_OK)
			break;
		*some = true;
	}
	taf_array_fini(&a);
	return st;
}

static enum taf_status
write_out(struct taf_merge *m, struct taf_err *e)
{
	const struct taf_sink sink = { .path = "/dev/null", .format = TAF_FORMAT_RSF };
	struct taf_array out = { 0 };
	struct taf_writer *w = NULL;
	enum taf_status st = taf_merge_shape(m, &out, e);

	if (st == TAF_OK)
		st = taf_writer_open(&w, &sink, e);
	if (st == TAF_OK)
		st = taf_writer_begin(w, &out, TAF_NEXT_NO, e);
	if (st == TAF_OK)
		st = taf_merge_write(m, w, &out, e);
	if (st == TAF_OK)
		st = taf_writer_end(w, &out, e);
	if (st == TAF_OK)
		st = taf_writer_close(w, e);
	else
		taf_writer_discard(w);
	taf_array_fini(&out);
	return st;
}

static void
merge(const struct taf_reduction_intent *want, const void *p, size_t n)
{
	const struct taf_service service = { .memory = 1 << 20, .jobs = 1 };
	struct taf_err e = { 0 };
	struct taf_merge *m = NULL;
	struct taf_reader *r;
	struct taf_in *in;
	enum taf_status st;
	bool some = false;

	if (taf_in_mem(&in, p, n, &e) != TAF_OK ||
	    taf_reader_new(&r, in, NULL, TAF_NO_RECOVER, &e) != TAF_OK ||
	    taf_merge_open(&m, want, &service, &e) != TAF_OK)
		abort();
	st = add_all(m, r, &some, &e);
	must_agree(st, &e);
	if (st == TAF_END && some) {
		st = write_out(m, &e);
		must_agree(st, &e);
	}
	taf_reader_close(r);
	taf_merge_close(m);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *lf = size > 0 ? memchr(data, '\n', size) : NULL;
	struct taf_reduction_intent want = { .nops = 0 };
	char *copy;
	size_t n, i;

	if (lf == NULL || !parse(&want, data, (size_t)(lf - data)))
		return 0;
	n = size - (size_t)(lf + 1 - data);
	/* in= may name a file of this folder, and of no other */
	copy = malloc(n + 1);
	if (copy == NULL)
		return 0;
	for (i = 0; i < n; i++)
		copy[i] = lf[1 + i] == '/' &&
		    (i < 6 || memcmp(copy + i - 6, "reduce", 6) != 0) ? '_' :
		    (char)lf[1 + i];
	merge(&want, copy, n);
	free(copy);
	return 0;
}
