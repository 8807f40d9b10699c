/* SPDX-License-Identifier: ISC */
#include "format/image.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/endian.h"
#include "base/need.h"
#include "base/num.h"
#include "base/str.h"
#include "io/spool.h"
#include "kernel/func/func.h"
#include "kernel/number/convert_private.h"
#include "op/number/cast.h"
#include "op/stat/reduction.h"
#include "stream/reorder_private.h"
#include "stream/values.h"

enum { BLOCK = 16 * 1024, POWERS = 256 };	/* numbers */

/* --- images to arrays --- */

/* Columns and rows change places, behind the components. */
static void
swapped(const struct taf_array *a, unsigned order[3])
{
	const unsigned last = a->ndim - 1;

	order[0] = 0;
	order[last - 1] = last;
	order[last] = last - 1;
}

static enum taf_status
describe(const struct taf_image_reading *how, const struct taf_pnm *p,
    struct taf_array *a, struct taf_err *e)
{
	unsigned order[3];
	enum taf_status st;

	taf_array_init(a);
	st = taf_pnm_array(p, a, e);
	if (st == TAF_OK && how->transpose) {
		swapped(a, order);
		taf_array_permute(a, order);
	}
	return st;
}

enum taf_status
taf_image_check(void *ctx, const struct taf_import *im, struct taf_in *in,
    struct taf_err *e)
{
	struct taf_image_reading *how = ctx;
	struct taf_pnm p = { .in = in };
	enum taf_status st = TAF_OK;

	while (st == TAF_OK && (im->pick == 0 || how->looked < im->pick)) {
		st = taf_pnm_next(&p, e);
		how->looked += st == TAF_OK;
		how->ahead += st == TAF_OK;
	}
	return st == TAF_END ? TAF_OK : st;
}

/* All numbers of the image, to one of these two. */
static enum taf_status
decode(struct taf_pnm *p, struct taf_writer *w, struct taf_out *out, struct taf_err *e)
{
	const size_t size = p->form.maxval > 255 ? 2 : 1;
	uint16_t *block = taf_alloc(BLOCK, sizeof *block);
	enum taf_status st = block != NULL ? TAF_OK : taf_fail_mem(e);

	while (p->left > 0 && st == TAF_OK) {
		const size_t n = p->left < BLOCK ? (size_t)p->left : BLOCK;

		st = taf_pnm_read(p, block, n, e);
		if (st == TAF_OK)
			st = out != NULL ? taf_out_write(out, block, n * size, e) :
			    taf_writer_put(w, block, n, e);
	}
	free(block);
	return st;
}

static enum taf_status
move_transposed(struct taf_pnm *p, const struct taf_import *im, struct taf_err *e)
{
	unsigned order[3];
	const struct taf_reorder how = { .order = order, .writer = im->w,
	    .memory = im->service->memory, .jobs = taf_threads(im->service) };
	struct taf_array stored;
	struct taf_spool spool;
	struct taf_in *in;
	enum taf_status st;

	taf_array_init(&stored);
	/* without attributes: they are those of the array that goes out */
	taf_pnm_lengths(&p->form, &stored);
	stored.type = p->form.maxval > 255 ? TAF_UINT16 : TAF_UINT8;
	swapped(&stored, order);
	st = taf_spool_begin(&spool, e);
	if (st == TAF_OK)
		st = decode(p, NULL, spool.out, e);
	st = taf_spool_end(&spool, st, "temporary file", &in, e);
	if (st == TAF_OK) {
		st = taf_reorder_in(&how, in, &stored, taf_host_is_big(), e);
		taf_in_close(in);
	}
	return st;
}

static enum taf_status
move(struct taf_pnm *p, const struct taf_image_reading *how, const struct taf_import *im,
    struct taf_err *e)
{
	const uint64_t bytes = p->left;

	if (how->transpose)
		return move_transposed(p, im, e);
	if (!taf_pnm_plain_bytes(p))
		return decode(p, im->w, NULL, e);
	p->left = 0;
	return taf_writer_move(im->w, p->in, bytes, e);
}

enum taf_status
taf_image_import(void *ctx, struct taf_import *im, struct taf_in **from,
    struct taf_err *e)
{
	struct taf_image_reading *how = ctx;
	struct taf_in *const in = *from;
	struct taf_pnm p = { .in = in };
	enum taf_status st = TAF_OK;
	struct taf_array a;
	bool wanted;

	while (st == TAF_OK && !im->done) {
		st = taf_pnm_next(&p, e);
		if (st != TAF_OK)
			break;
		if (im->looked && how->ahead > 0)
			how->ahead--;
		st = describe(how, &p, &a, e);
		if (st == TAF_OK)
			st = taf_import_begin(im, &a,
			    !im->looked ? TAF_NEXT_UNKNOWN : how->ahead > 0 ?
			    TAF_NEXT_YES : TAF_NEXT_NO, &wanted, e);
		/* whether all numbers are there was looked at before */
		taf_need_again(taf_array_bytes(&a));
		if (st == TAF_OK && wanted)
			st = taf_import_end(im, &a, move(&p, how, im, e), e);
		taf_array_fini(&a);
	}
	return st == TAF_END ? TAF_OK : st;
}

/* --- arrays to images --- */

/* The values of black and white, and what becomes of those between. */
struct scale {
	double black, white, exponent;
	unsigned maxval;
	uint64_t outside, nan;	/* values that are not between */
};

/* Columns, rows and components before these; false where there is more than that. */
static bool
find_sizes(const struct taf_array *a, struct taf_pnm_form *f)
{
	const char *label = taf_attr_get(a, "label", TAF_OF_DIM, 1);
	unsigned n = a->ndim, k = 0;

	while (n > 1 && a->dim[n - 1].n == 1)
		n--;
	f->depth = 1;
	if ((n == 3 && (a->dim[0].n == 1 || a->dim[0].n == 3 || a->dim[0].n == 4)) ||
	    (label != NULL && strcmp(label, "component") == 0))
		f->depth = a->dim[k++].n;
	f->width = k < a->ndim ? a->dim[k].n : 1;
	f->height = k + 1 < a->ndim ? a->dim[k + 1].n : 1;
	return n <= k + 2;
}

enum taf_status
taf_image_form(const struct taf_image_drawing *how, const struct taf_array *a,
    struct taf_pnm_form *f, struct taf_err *e)
{
	const char *tuple;

	memset(f, 0, sizeof *f);
	if (taf_type_is_pair(a->type))
		return taf_fail(e, TAF_EDATA,
		    "complex elements are no image: take their magnitude before, as with tafmath 'abs(a)'");
	if (!find_sizes(a, f))
		return taf_fail(e, TAF_EDATA,
		    "%u dimensions: an image has 2, or 3 with 3 or 4 components as the first (tafsplit makes several arrays of one)",
		    a->ndim);
	if (f->width == 0 || f->height == 0 || f->depth == 0)
		return taf_fail(e, TAF_EDATA, "no image has a size of 0");
	if (how->transpose) {
		const uint64_t n = f->width;

		f->width = f->height;
		f->height = n;
	}
	f->maxval = how->maxval != 0 ? how->maxval : taf_values_type(a, false) ==
	    a->type && taf_type_is_int(a->type) &&
	    taf_type_size(a->type) > 1 ? TAF_PNM_MAX : 255;
	tuple = taf_pnm_tuple(a, f->depth);
	f->pam = tuple[0] != '\0';
	(void)strcpy(f->tuple, tuple);
	return TAF_OK;
}

/* r's elements with columns and rows exchanged, in a temporary file. */
static enum taf_status
transpose(const struct taf_service *service, struct taf_reader *r, struct taf_array *a,
    struct taf_reader **again, struct taf_err *e)
{
	unsigned order[3];
	struct taf_reorder how = { .order = order, .memory = service->memory,
	    .jobs = taf_threads(service) };
	struct taf_pnm_form f;
	struct taf_array lying;
	struct taf_spool spool;
	struct taf_in *in;
	enum taf_status st;

	taf_array_init(&lying);
	lying.type = a->type;
	(void)find_sizes(a, &f);
	taf_pnm_lengths(&f, &lying);
	swapped(&lying, order);
	st = taf_spool_begin(&spool, e);
	how.out = spool.out;
	if (st == TAF_OK)
		st = taf_reorder(&how, r, &lying, e);
	if (taf_spool_end(&spool, st, "temporary file", &in, e) != TAF_OK)
		return e->code;
	/* as taf_reorder writes */
	return taf_reader_raw(again, in, a, false, e);
}

static enum taf_status
take_quantiles(void *ctx, const struct taf_reduction_found *found, struct taf_err *e)
{
	double *at = ctx;

	(void)e;
	at[0] = found->order[0];
	at[1] = found->order[found->apart];
	return TAF_OK;
}

/* Two quantiles of the finite values, in place of their parts of all values. */
static enum taf_status
percentiles(const struct taf_service *service, struct taf_reader *r,
    const struct taf_array *a, double at[2], struct taf_err *e)
{
	const struct taf_reduction_intent want = {
		.nops = 2, .finite = true, .again = true,
		.op = { { TAF_OP_QUANTILE, at[0] }, { TAF_OP_QUANTILE, at[1] } } };

	return taf_reader_random(r, e) != TAF_OK ? e->code :
	    taf_reduction_each(&want, r, a, take_quantiles, at, service, e);
}

/* The maxval of the image that integers come from, if they all still fit it; else 0. */
static enum taf_status
find_maxval(const struct taf_image_drawing *how, const struct taf_service *service,
    struct taf_reader *r, const struct taf_array *a, unsigned *maxval, struct taf_err *e)
{
	const char *text = taf_attr_get(a, TAF_PNM_MAXVAL, TAF_OF_ARRAY, 0);
	struct taf_range all;
	enum taf_status st;
	uint64_t v;

	*maxval = 0;
	if (text == NULL || how->range != TAF_IMAGE_OF_TYPE || how->maxval != 0 ||
	    taf_array_mapped(a) || (a->type != TAF_UINT8 && a->type != TAF_UINT16) ||
	    !taf_parse_u64(text, strlen(text), &v) || v < 1 ||
	    v > taf_type_facts(a->type)->max)
		return TAF_OK;
	st = taf_range_of(r, a, taf_threads(service), &all, e);
	if (st == TAF_OK && all.max <= (double)v)
		*maxval = (unsigned)v;
	else if (st == TAF_OK)
		taf_remark(service,
		    "numbers up to %s, above the maxval %llu of the image they come from: it is not kept",
		    taf_f64(all.max).s, (unsigned long long)v);
	return st;
}

/* The values of black and white; maxval is that of find_maxval. */
static enum taf_status
find_range(const struct taf_image_drawing *how, const struct taf_service *service,
    struct taf_reader *r, const struct taf_array *a, unsigned maxval, double at[2],
    struct taf_err *e)
{
	const struct taf_type_facts *facts = taf_type_facts(a->type);
	struct taf_range all;
	enum taf_status st = TAF_OK;

	at[0] = how->from;
	at[1] = how->to;
	if (how->range == TAF_IMAGE_GIVEN)
		return TAF_OK;
	if (how->range == TAF_IMAGE_OF_TYPE && taf_type_is_int(a->type) &&
	    !taf_array_mapped(a)) {
		at[0] = (double)facts->min;
		at[1] = maxval > 0 ? maxval : (double)facts->max;
		return TAF_OK;
	}
	st = taf_range_of(r, a, taf_threads(service), &all, e);
	if (st == TAF_OK && all.finite == 0)
		st = taf_fail(e, TAF_EDATA, "no value is finite");
	if (st == TAF_OK && how->range == TAF_IMAGE_PERCENTILES)
		return percentiles(service, r, a, at, e);
	at[0] = all.min;
	at[1] = all.max;
	return st;
}

/* Values become parts of white, between 0 and 1; what was not between is counted. */
static void
level(struct scale *s, double *v, size_t n)
{
	/* a difference may be beyond the largest double */
	const double half = taf_is_finite(s->white - s->black) ? 1 : 0.5;
	const double black = s->black * half, width = s->white * half - black;
	double exponents[POWERS];
	size_t i, m;

	for (i = 0; i < n; i++) {
		double x = (v[i] * half - black) / width;

		/* where black and white are the same, 0 / 0 is black */
		if (width == 0 && v[i] == s->black)
			x = 0;
		s->nan += v[i] != v[i];
		s->outside += x < 0 || x > 1;
		v[i] = x > 0 ? x < 1 ? x : 1 : 0;
	}
	if (s->exponent == 1)
		return;
	for (i = 0; i < POWERS; i++)
		exponents[i] = s->exponent;
	for (i = 0; i < n; i += m) {
		m = n - i < POWERS ? n - i : POWERS;
		taf_func_pow(v + i, v + i, exponents, m);
	}
}

static void
quantize(const struct scale *s, unsigned char *to, const double *v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const unsigned x = (unsigned)(v[i] * s->maxval + 0.5);

		if (s->maxval <= 255) {
			to[i] = (unsigned char)x;
		} else {
			to[2 * i] = (unsigned char)(x >> 8);
			to[2 * i + 1] = (unsigned char)x;
		}
	}
}

static enum taf_status
draw(struct scale *s, struct taf_reader *r, const struct taf_array *a,
    struct taf_out *out, struct taf_err *e)
{
	double *v = taf_alloc(BLOCK, sizeof *v);
	unsigned char *to = taf_alloc(BLOCK, 2);
	uint64_t left = taf_array_count(a);
	struct taf_values *values = NULL;
	struct taf_recode recode;
	enum taf_status st = TAF_OK;

	if (v == NULL || to == NULL)
		st = taf_fail_mem(e);
	else if (taf_values_plan(&recode, a, TAF_FLT64, false, false, e) != TAF_OK ||
	    taf_values_open(&values, r, a, NULL, &recode, e) != TAF_OK)
		st = e->code;
	while (left > 0 && st == TAF_OK) {
		const size_t n = left < BLOCK ? (size_t)left : BLOCK;

		st = taf_values_get(values, v, n, e);
		if (st != TAF_OK)
			break;
		level(s, v, n);
		quantize(s, to, v, n);
		st = taf_out_write(out, to, s->maxval > 255 ? 2 * n : n, e);
		left -= n;
	}
	taf_values_close(values);
	free(to);
	free(v);
	return st;
}

static void
remark(const struct taf_service *service, const struct taf_image_drawing *how,
    const struct scale *s)
{
	const unsigned long long nan = s->nan, outside = s->outside;

	if (nan > 0)
		taf_remark(service, "%llu NaN become black", nan);
	if (outside > 0 && how->range != TAF_IMAGE_PERCENTILES)
		taf_remark(service, "%llu values outside of %s:%s clipped", outside,
		    taf_f64(s->black).s, taf_f64(s->white).s);
}

/* The image says it. */
static enum taf_status
drop(struct taf_array *a, const char *key, enum taf_scope scope, struct taf_err *e)
{
	return taf_attr_set(a, key, scope, scope == TAF_OF_DIM, NULL, e);
}

enum taf_status
taf_image_export(const struct taf_service *service, const struct taf_image_drawing *how,
    struct taf_reader *r, struct taf_array *a, struct taf_out *out,
    struct taf_dropped *dropped, struct taf_err *e)
{
	struct scale s = { .exponent = 1 / how->gamma };
	struct taf_reader *again = NULL;
	struct taf_buf header = { 0 };
	struct taf_pnm_form form;
	enum taf_status st;
	unsigned maxval = 0;
	double at[2] = { 0 };

	if (taf_image_form(how, a, &form, e) != TAF_OK ||
	    find_maxval(how, service, r, a, &maxval, e) != TAF_OK ||
	    find_range(how, service, r, a, maxval, at, e) != TAF_OK ||
	    (how->transpose && transpose(service, r, a, &again, e) != TAF_OK))
		return e->code;
	form.maxval = maxval > 0 ? maxval : form.maxval;
	s.black = at[0];
	s.white = at[1];
	s.maxval = form.maxval;
	st = taf_pnm_format(&form, &header, e);
	if (st == TAF_OK)
		st = taf_out_write(out, header.data, header.len, e);
	taf_buf_free(&header);
	if (st == TAF_OK) {
		taf_need_output(taf_array_count(a) * (form.maxval > 255 ? 2 : 1));
		taf_watch(service, NULL, out,
		    taf_array_count(a) * (form.maxval > 255 ? 2 : 1));
		st = draw(&s, again != NULL ? again : r, a, out, e);
		taf_watch_end(service);
	}
	taf_reader_close(again);
	if (st != TAF_OK)
		return st;
	remark(service, how, &s);
	if ((maxval > 0 && drop(a, TAF_PNM_MAXVAL, TAF_OF_ARRAY, e) != TAF_OK) ||
	    (form.pam && drop(a, TAF_PNM_TUPLE, TAF_OF_ARRAY, e) != TAF_OK) ||
	    (form.depth > 1 && taf_dim_stands_for(a, 1, "component") &&
	    drop(a, "label", TAF_OF_DIM, e) != TAF_OK))
		return e->code;
	taf_dropped_note(dropped, a);
	return TAF_OK;
}
