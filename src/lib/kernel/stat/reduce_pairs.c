/* SPDX-License-Identifier: ISC */
#include "kernel/stat/reduce_private.h"

#include <math.h>
#include <string.h>

#include "kernel/number/nan.h"

enum {
	LINE = 2048,	/* pairs that are taken apart at once */
	FEW = 4		/* columns of pairs that are better gone along one by one */
};

/* The parts of some pairs, each in a row. */
struct parts {
	union {
		float flt32[LINE];
		double flt64[LINE];
	} of[2];
};

/* Part k of n pairs that lie so many pairs apart. */
static void
take(struct parts *p, unsigned k, const void *v, size_t step, size_t n, bool narrow)
{
	const size_t size = narrow ? sizeof(float) : sizeof(double);
	const unsigned char *from = (const unsigned char *)v + k * size;
	size_t i;

	for (i = 0; i < n && narrow; i++, from += 2 * step * sizeof(float))
		memcpy(&p->of[k].flt32[i], from, sizeof(float));
	for (; i < n; i++, from += 2 * step * sizeof(double))
		memcpy(&p->of[k].flt64[i], from, sizeof(double));
}

static double
part(const struct parts *p, unsigned k, size_t i, bool narrow)
{
	return narrow ? (double)p->of[k].flt32[i] : p->of[k].flt64[i];
}

/* Count the pairs with a NaN; both parts of those that are left out become one. */
static void
look(const struct taf_reduce *r, uint64_t *acc, struct parts *p, size_t n, bool narrow)
{
	size_t i;
	unsigned k;

	if (taf_all_finite(&p->of[0], n, 1, narrow) &&
	    taf_all_finite(&p->of[1], n, 1, narrow))
		return;
	for (i = 0; i < n; i++) {
		const double re = part(p, 0, i, narrow), im = part(p, 1, i, narrow);

		acc[r->either] += re != re || im != im;
		if (!r->finite || (isfinite(re) && isfinite(im)))
			continue;
		for (k = 0; k < 2 && narrow; k++)
			p->of[k].flt32[i] = NAN;
		for (; k < 2; k++)
			p->of[k].flt64[i] = (double)NAN;
	}
}

/* Are all numbers of rows finite? */
static bool
finite_rows(const struct taf_patch *rows, bool narrow)
{
	const size_t size = narrow ? sizeof(float) : sizeof(double);
	const unsigned char *v = rows->v;
	size_t i;

	for (i = 0; i < rows->rows; i++)
		if (!taf_all_finite(v + i * rows->along * size, rows->width, 1, narrow))
			return false;
	return true;
}

void
taf_reduce_add_pairs(const struct taf_reduce *r, uint64_t *acc,
    const struct taf_patch *p, struct taf_reduce_scratch *scratch)
{
	const struct taf_reduce one = taf_reduce_part(r);
	const bool narrow = one.type == TAF_FLT32;
	/* columns of parts lie side by side, and so do their accumulators */
	const struct taf_patch rows = { p->v, 2 * p->width, p->rows, 1, 2 * p->along,
		p->first };
	struct taf_patch line = { .width = 1, .across = 1, .along = 1 };
	struct parts parts;
	size_t i, j;
	unsigned k;

	if (p->across == 1 && p->along > 1 && p->width >= FEW &&
	    finite_rows(&rows, narrow)) {
		taf_reduce_add(&one, acc, &rows, scratch);
		return;
	}
	/* the last element of the rows before is noted before that of these */
	if (scratch != NULL)
		taf_reduce_settle(r, scratch);
	for (j = 0; j < p->width; j++, acc += r->words)
		for (i = 0; i < p->rows; i += line.rows) {
			const unsigned char *v = (const unsigned char *)p->v +
			    (j * p->across + i * p->along) * taf_type_size(r->type);

			line.rows = p->rows - i < LINE ? p->rows - i : LINE;
			line.first = p->first + i;
			for (k = 0; k < 2; k++)
				take(&parts, k, v, p->along, line.rows, narrow);
			look(r, acc, &parts, line.rows, narrow);
			for (k = 0; k < 2; k++) {
				line.v = &parts.of[k];
				taf_reduce_add(&one, acc + k * one.words, &line, NULL);
			}
		}
}
