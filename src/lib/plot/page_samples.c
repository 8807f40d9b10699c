/* SPDX-License-Identifier: ISC */
#include "plot/page_samples.h"

#include <stdlib.h>

#include "base/base64.h"
#include "base/endian.h"
#include "kernel/number/convert.h"

enum { BLOCK = 2048 };

enum taf_status
taf_samples_begin(struct taf_samples *s, const struct taf_array *a, struct taf_err *e)
{
	s->there = true;
	/* a script has these types, and no integers of 64 bits */
	s->type = taf_array_mapped(a) || taf_type_size(a->type) > 4 ? TAF_FLT64 : a->type;
	return taf_spool_begin(&s->spool, e);
}

enum taf_status
taf_samples_add(struct taf_samples *s, const struct taf_array *a, const void *values,
    size_t n, struct taf_err *e)
{
	const double mapping[] = { a->intercept, a->slope };
	const size_t size = taf_type_size(a->type);
	const unsigned char *at = values;
	enum taf_status st = TAF_OK;
	double v[BLOCK];
	size_t some;

	if (s->type == a->type && !taf_array_mapped(a))
		return taf_out_write(s->spool.out, values, n * size, e);
	for (; n > 0 && st == TAF_OK; n -= some, at += some * size) {
		some = n < BLOCK ? n : BLOCK;
		(void)taf_convert(v, TAF_FLT64, at, a->type, some,
		    taf_array_mapped(a) ? mapping : NULL, true, NULL);
		st = taf_out_write(s->spool.out, v, some * sizeof *v, e);
	}
	return st;
}

/* Reverse the bytes of each element where the host's order is not the page's. */
static void
turn(unsigned char *p, size_t n, size_t size)
{
	size_t i, k;

	for (i = 0; i < n && taf_host_is_big(); i++, p += size)
		for (k = 0; k < size / 2; k++) {
			const unsigned char b = p[k];

			p[k] = p[size - 1 - k];
			p[size - 1 - k] = b;
		}
}

static enum taf_status
put_pieces(struct taf_in *in, size_t size, size_t curves, uint64_t n, struct taf_out *out,
    struct taf_err *e)
{
	unsigned char *piece = taf_alloc(TAF_SAMPLES_PIECE, size);
	struct taf_str s = { .err = e };
	uint64_t left;
	size_t c, some;

	if (piece == NULL)
		return taf_fail_mem(e);
	for (c = 0; c < curves; c++)
		for (left = n; left > 0 && s.st == TAF_OK; left -= some) {
			some = left < TAF_SAMPLES_PIECE ? (size_t)left :
			    TAF_SAMPLES_PIECE;
			s.st = taf_in_read(in, piece, some * size, e);
			if (s.st != TAF_OK)
				break;
			turn(piece, some, size);
			taf_str_puts(&s, "<script type=\"text/plain\" class=\"piece\">");
			taf_base64_put(&s, piece, some * size);
			taf_str_puts(&s, "</script>\n");
			s.st = taf_out_str(out, &s);
		}
	free(piece);
	taf_str_free(&s);
	return s.st;
}

enum taf_status
taf_samples_put(struct taf_samples *s, size_t curves, uint64_t n, struct taf_out *out,
    struct taf_err *e)
{
	struct taf_in *in = NULL;
	enum taf_status st = taf_spool_end(&s->spool, TAF_OK, "samples", &in, e);

	s->there = false;
	if (st == TAF_OK)
		st = put_pieces(in, taf_type_size(s->type), curves, n, out, e);
	taf_in_close(in);
	return st;
}

void
taf_samples_free(struct taf_samples *s)
{
	if (s->there)
		taf_spool_discard(&s->spool);
	s->there = false;
}
