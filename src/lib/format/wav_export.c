/* SPDX-License-Identifier: ISC */
#include "format/wav_export.h"

#include <math.h>
#include <string.h>

#include "base/endian.h"
#include "base/num.h"
#include "format/export.h"
#include "io/spool.h"

enum { BLOCK = 16384 };		/* samples at a time */

/* The dimension of the time, from 0. */
static unsigned
time_of(const struct taf_array *a)
{
	const char *unit = taf_attr_get(a, "unit", TAF_OF_DIM, 2);

	return a->ndim == 2 && unit != NULL && strcmp(unit, "s") == 0;
}

/* Does the mapping say no more than that full scale of so many bits is 1? */
static bool
full_scale(const struct taf_array *a, unsigned bits)
{
	return !taf_array_mapped(a) ||
	    (taf_same_bits(a->slope, 1 / (double)(UINT64_C(1) << (bits - 1))) &&
	    taf_same_bits(a->intercept, bits == 8 ? -1 : 0));
}

/* Whole numbers of Hz, up to what a step that is rounded can tell. */
static enum taf_status
set_rate(const struct taf_array *a, unsigned time, struct taf_wav_form *form,
    struct taf_err *e)
{
	const double step = a->dim[time].step, rate = rint(1 / step);
	const char *unit = taf_attr_get(a, "unit", TAF_OF_DIM, time + 1);

	if (unit != NULL && unit[0] != '\0' && strcmp(unit, "s") != 0)
		return taf_fail(e, TAF_EDATA, "dimension %u: its unit is %s, not s",
		    time + 1, unit);
	if (!(rate >= 1 && rate <= UINT32_MAX) || !(fabs(rate * step - 1) <= 0x1p-50))
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: a step of %g s is no whole number of Hz", time + 1,
		    step);
	form->rate = (uint32_t)rate;
	return TAF_OK;
}

/* Bits and code; what no PCM can be goes as values. */
static enum taf_status
set_type(const struct taf_array *a, unsigned bits, struct taf_wav_form *form,
    struct taf_err *e)
{
	const enum taf_type t = a->type;

	if (t == TAF_INT32 && (bits == 24 || (taf_array_mapped(a) && full_scale(a, 24))))
		form->bits = 24;
	else if (bits != 0)
		return taf_fail(e, TAF_EDATA,
		    "elements of type %s: --bits 24 is for int32",
		    taf_type_facts(t)->name);
	else
		form->bits = t == TAF_UINT8 ? 8 : t == TAF_INT16 ? 16 :
		    t == TAF_INT32 || t == TAF_FLT32 ? 32 : t == TAF_FLT64 ? 64 : 0;
	form->floats = t == TAF_FLT32 || t == TAF_FLT64;
	if (taf_type_is_pair(t) || (form->bits == 0 && !taf_array_mapped(a)))
		return taf_fail(e, TAF_EDATA,
		    "elements of type %s: uint8, int16, int32, flt32 or flt64 are written (tafcast)",
		    taf_type_facts(t)->name);
	form->values = form->bits == 0 || (form->floats ? taf_array_mapped(a) :
	    !full_scale(a, form->bits));
	if (form->values && bits != 0)
		return taf_fail(e, TAF_EDATA,
		    "its mapping is not that of 24 bits (tafmap)");
	if (form->values) {
		form->floats = true;
		form->bits = 64;
	}
	return TAF_OK;
}

enum taf_status
taf_wav_form_of(const struct taf_array *a, unsigned bits, struct taf_wav_form *form,
    struct taf_err *e)
{
	const unsigned time = time_of(a);
	uint64_t channels = 1;
	unsigned k;

	*form = (struct taf_wav_form){ .frames = a->ndim > 0 ? a->dim[time].n : 0 };
	if (a->ndim == 0)
		return taf_fail(e, TAF_EDATA, "an array without dimensions");
	for (k = 0; k < a->ndim; k++)
		if (k != time && !taf_mul(channels, a->dim[k].n, &channels))
			channels = UINT64_MAX;
	if (channels == 0 || channels > UINT16_MAX)
		return taf_fail(e, TAF_EDATA, "%llu channels, a WAVE file has 1 to 65535",
		    (unsigned long long)channels);
	form->channels = (unsigned)channels;
	if (set_type(a, bits, form, e) != TAF_OK || set_rate(a, time, form, e) != TAF_OK)
		return e->code;
	if (form->channels * form->bits / 8 > UINT16_MAX)
		return taf_fail(e, TAF_EDATA, "%u channels of %u bits are too many",
		    form->channels, form->bits);
	return TAF_OK;
}

/* n samples of 32 bits to those of 24, in place; false where one does not fit. */
static bool
narrow(unsigned char *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const uint32_t u = taf_get32(p + 4 * i, false);

		if (u + 0x800000 > 0xffffff)
			return false;
		memmove(p + 3 * i, p + 4 * i, 3);
	}
	return true;
}

/* All samples of 32 bits that in has to out; only a look at them where out is NULL. */
static enum taf_status
put_narrow(struct taf_in *in, struct taf_out *out, struct taf_err *e)
{
	unsigned char block[4 * BLOCK];
	uint64_t left = taf_in_left(in), from = 0;

	while (left > 0) {
		const size_t n = left < sizeof block ? (size_t)left : sizeof block;

		if (taf_in_pread(in, block, n, from, e) != TAF_OK)
			return e->code;
		if (!narrow(block, n / 4))
			return taf_fail(e, TAF_EDATA,
			    "a sample that does not fit 24 bits");
		if (out != NULL && taf_out_write(out, block, n / 4 * 3, e) != TAF_OK)
			return e->code;
		from += n;
		left -= n;
	}
	return TAF_OK;
}

static enum taf_status
put_header(const struct taf_wav_form *form, struct taf_out *out, struct taf_err *e)
{
	unsigned char head[TAF_WAV_HEAD];
	const size_t n = taf_wav_format(form, head);

	return taf_out_write(out, head, n, e);
}

/* Samples of 24 bits are all looked at before the first goes out. */
static enum taf_status
export_narrow(const struct taf_service *service, struct taf_export *to,
    struct taf_reader *r, const struct taf_array *a, const struct taf_wav_form *form,
    struct taf_err *e)
{
	struct taf_out *const out = to->out;
	struct taf_spool spool = { 0 };
	struct taf_in *in = NULL;
	enum taf_status st = taf_spool_begin(&spool, e);

	to->out = spool.out;
	if (st == TAF_OK)
		st = taf_export_elements(service, to, r, a, e);
	st = taf_spool_end(&spool, st, "temporary file", &in, e);
	if (st == TAF_OK)
		st = put_narrow(in, NULL, e);
	if (st == TAF_OK)
		st = put_header(form, out, e);
	if (st == TAF_OK)
		st = put_narrow(in, out, e);
	taf_in_close(in);
	to->out = out;
	return st;
}

enum taf_status
taf_wav_export(const struct taf_service *service, struct taf_reader *r,
    const struct taf_array *a, unsigned bits, struct taf_out *out, struct taf_err *e)
{
	unsigned order[TAF_MAX_DIM], k;
	struct taf_export to = { .out = out, .order = order };
	struct taf_wav_form form;
	enum taf_status st;

	if (taf_wav_form_of(a, bits, &form, e) != TAF_OK)
		return e->code;
	/* the channels of a frame side by side */
	for (k = 0; k < a->ndim; k++)
		order[k] = time_of(a) == 1 ? k : (k + 1) % a->ndim;
	to.recode = form.values ? TAF_CHANGE_MAP : TAF_CHANGE_NONE;
	if (form.bits == 24) {
		st = export_narrow(service, &to, r, a, &form, e);
	} else {
		st = put_header(&form, out, e);
		if (st == TAF_OK)
			st = taf_export_elements(service, &to, r, a, e);
	}
	return st == TAF_OK ? taf_out_zero(out, taf_wav_bytes(&form) % 2, e) : st;
}
