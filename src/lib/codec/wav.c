/* SPDX-License-Identifier: ISC */
/*
 * RIFF/WAVE as Microsoft's multimedia documents and its WAVEFORMATEXTENSIBLE have it,
 * RIFX, the same in big-endian as scipy's tests have it, RF64 and BW64 by EBU Tech 3306
 * and ITU-R BS.2088, Sonic Foundry's W64 by what sox writes.
 */
#include "codec/wav.h"

#include <string.h>

#include "base/endian.h"

enum {
	PCM = 1, FLOATS = 3, EXTENSIBLE = 0xfffe,
	FORMAT = 16, FORMAT_EXTENSIBLE = 40,	/* bytes of the chunk */
	DS64 = 28,
	CHUNKS_MOST = 100000,
	BLOCK = 3 * 16384		/* bytes of samples of 24 bits */
};

static const uint64_t piped = 0x7ff00000;	/* sizes from here on are no sizes */

/* What follows four letters in the ids of W64. */
static const unsigned char riff_tail[12] = { 0x2e, 0x91, 0xcf, 0x11, 0xa5, 0xd6, 0x28,
	0xdb, 0x04, 0xc1, 0, 0 };
static const unsigned char chunk_tail[12] = { 0xf3, 0xac, 0xd3, 0x11, 0x8c, 0xd1, 0,
	0xc0, 0x4f, 0x8e, 0xdb, 0x8a };
/* And the code of a format in an extensible one, behind integers of 16 bits, 0 and 16. */
static const unsigned char format_tail[8] = { 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71 };

struct wav {
	bool wide;		/* W64 */
	bool big;		/* RIFX: big-endian */
	bool large;		/* RF64 or BW64: sizes are in ds64 */
	bool split;		/* time is dimension 1 */
	bool has_format;
	unsigned code, channels, bits, valid;
	uint32_t rate, mask;
	uint64_t riff, ds64;	/* sizes that the file says of itself and its data */
	uint64_t data, frames;	/* where samples lie, and how many of each channel */
};

bool
taf_wav_sniff(const unsigned char *p, size_t n)
{
	return (n >= 12 && memcmp(p + 8, "WAVE", 4) == 0 &&
	    (memcmp(p, "RIFF", 4) == 0 || memcmp(p, "RIFX", 4) == 0 ||
	    memcmp(p, "RF64", 4) == 0 || memcmp(p, "BW64", 4) == 0)) ||
	    (n >= 40 && memcmp(p, "riff", 4) == 0 && memcmp(p + 4, riff_tail, 12) == 0 &&
	    memcmp(p + 24, "wave", 4) == 0);
}

static enum taf_status
take_format(struct taf_capture *c, struct wav *w, uint64_t at, uint64_t n,
    struct taf_err *e)
{
	unsigned char p[FORMAT_EXTENSIBLE] = { 0 };
	const size_t some = n < sizeof p ? (size_t)n : sizeof p;

	if (some < FORMAT)
		return taf_fail(e, TAF_EDATA, "a fmt chunk of %llu bytes",
		    (unsigned long long)n);
	if (taf_capture_read(c, at, p, some, "fmt chunk", e) != TAF_OK)
		return e->code;
	w->has_format = true;
	w->code = taf_get16(p, w->big);
	w->channels = taf_get16(p + 2, w->big);
	w->rate = taf_get32(p + 4, w->big);
	w->bits = w->valid = taf_get16(p + 14, w->big);
	if (w->code == EXTENSIBLE && some == FORMAT_EXTENSIBLE &&
	    taf_get16(p + 28, w->big) == 0 && taf_get16(p + 30, w->big) == 16 &&
	    memcmp(p + 32, format_tail, sizeof format_tail) == 0) {
		w->valid = taf_get16(p + 18, w->big);
		w->mask = taf_get32(p + 20, w->big);
		w->code = taf_get32(p + 24, w->big);
	}
	if (!(w->code == PCM && (w->bits == 8 || w->bits == 16 || w->bits == 24 ||
	    w->bits == 32)) && !(w->code == FLOATS && (w->bits == 32 || w->bits == 64)))
		return taf_fail(e, TAF_EDATA,
		    "format %#x of %u bits, not PCM (1) of 8, 16, 24, 32 or floats (3) of 32, 64",
		    w->code, w->bits);
	if (w->channels == 0 || w->rate == 0 ||
	    taf_get16(p + 12, w->big) != w->channels * w->bits / 8)
		return taf_fail(e, TAF_EDATA,
		    "%u channels of %u bits, %lu Hz, in frames of %u bytes", w->channels,
		    w->bits, (unsigned long)w->rate, taf_get16(p + 12, w->big));
	return TAF_OK;
}

/* The data, of n bytes as their chunk says; what a pipe has written goes to the end. */
static enum taf_status
take_data(struct taf_capture *c, struct wav *w, uint64_t at, uint64_t n,
    struct taf_err *e)
{
	const uint64_t frame = w->channels * (uint64_t)(w->bits / 8);
	const bool to_end = !w->wide && !w->large && (n == UINT32_MAX ||
	    (n == 0 && (w->riff == 0 || w->riff == UINT32_MAX)) ||
	    (n >= piped && w->riff >= piped && n > c->size - at));
	uint64_t left;

	if (!w->has_format)
		return taf_fail(e, TAF_EDATA, "a data chunk before any fmt chunk");
	if (w->large && n == UINT32_MAX)
		n = w->ds64;
	if (to_end)
		n = c->size - at;
	if (taf_capture_inside(c, at, n, "data chunk", e) != TAF_OK)
		return e->code;
	w->data = at;
	w->frames = n / frame;
	left = n % frame;
	/* chunks of an odd size have a byte of padding */
	if (to_end && left > 0 && (left > 1 || n % 2 != 0))
		return taf_fail(e, TAF_EDATA,
		    "it ends inside a frame: %llu of %llu bytes",
		    (unsigned long long)left, (unsigned long long)frame);
	c->left[TAF_LEFT_BYTES] = left;
	return TAF_OK;
}

static enum taf_status
take_sizes(struct taf_capture *c, struct wav *w, uint64_t at, uint64_t n,
    struct taf_err *e)
{
	unsigned char p[16];

	if (n < DS64)
		return taf_fail(e, TAF_EDATA, "a ds64 chunk of %llu bytes",
		    (unsigned long long)n);
	if (taf_capture_read(c, at, p, sizeof p, "ds64 chunk", e) != TAF_OK)
		return e->code;
	w->ds64 = taf_get64(p + 8, false);
	return TAF_OK;
}

/* The id of the chunk at an offset as four letters, the place of its content, size. */
static enum taf_status
read_chunk(struct taf_capture *c, const struct wav *w, uint64_t *at, char id[4],
    uint64_t *n, struct taf_err *e)
{
	unsigned char p[24];
	const size_t head = w->wide ? 24 : 8;

	if (taf_capture_read(c, *at, p, head, "chunk", e) != TAF_OK)
		return e->code;
	memcpy(id, p, 4);
	*n = w->wide ? taf_get64(p + 16, false) : taf_get32(p + 4, w->big);
	if (w->wide && memcmp(p + 4, chunk_tail, sizeof chunk_tail) != 0)
		memset(id, '?', 4);
	if (w->wide && *n < head)
		return taf_fail(e, TAF_EDATA, "offset %llu: a chunk of %llu bytes",
		    (unsigned long long)*at, (unsigned long long)*n);
	*n -= w->wide ? head : 0;
	*at += head;
	return TAF_OK;
}

static enum taf_status
take_chunk(struct taf_capture *c, struct wav *w, const char id[4], uint64_t at,
    uint64_t n, struct taf_err *e)
{
	if (memcmp(id, "ds64", 4) == 0 && w->large)
		return take_sizes(c, w, at, n, e);
	if (memcmp(id, "fmt ", 4) == 0)
		return take_format(c, w, at, n, e);
	return memcmp(id, "data", 4) == 0 ? take_data(c, w, at, n, e) : TAF_OK;
}

static enum taf_status
decode(struct taf_capture *c, struct wav *w, struct taf_err *e)
{
	unsigned char p[40];
	uint64_t at, n = 0, chunks;
	char id[4];

	if (taf_capture_tell(c, taf_wav_sniff, "a WAVE file", p, sizeof p, e) != TAF_OK)
		return e->code;
	w->wide = p[0] == 'r';
	w->big = p[3] == 'X';
	w->large = memcmp(p, "RIFF", 4) != 0 && !w->wide && !w->big;
	w->riff = taf_get32(p + 4, w->big);
	at = w->wide ? 40 : 12;
	for (chunks = 0; w->data == 0; chunks++) {
		if (chunks == CHUNKS_MOST || at >= c->size)
			return taf_fail(e, TAF_EDATA, "no data chunk");
		if (read_chunk(c, w, &at, id, &n, e) != TAF_OK)
			return e->code;
		if (take_chunk(c, w, id, at, n, e) != TAF_OK)
			return e->code;
		if (n > c->size - at)
			n = c->size - at;
		at += n;
		at += w->wide ? (8 - at % 8) % 8 : at % 2;
	}
	c->nrecords = 1;
	return TAF_OK;
}

static enum taf_type
stored_type(const struct wav *w)
{
	if (w->code == FLOATS)
		return w->bits == 32 ? TAF_FLT32 : TAF_FLT64;
	return w->bits == 8 ? TAF_UINT8 : w->bits == 16 ? TAF_INT16 : TAF_INT32;
}

/* Full scale is 1 for integers. */
static void
put_scale(const struct wav *w, struct taf_array *a)
{
	if (w->code == FLOATS)
		return;
	a->slope = 1 / (double)(UINT64_C(1) << (w->bits - 1));
	a->intercept = w->bits == 8 ? -1 : 0;
}

static enum taf_status
describe(const struct taf_capture *c, uint64_t k, struct taf_record *r, struct taf_err *e)
{
	const struct wav *w = c->state;
	const unsigned time = w->split || w->channels == 1 ? 1 : 2;
	struct taf_array *const a = &r->array;
	const double step = 1 / (double)w->rate;

	(void)k;
	if (time == 1) {
		taf_record_shape(r, stored_type(w), w->frames, w->channels, 0, step);
	} else {
		taf_record_shape(r, stored_type(w), w->channels, 1, 1, 1);
		a->ndim = 1;
		taf_array_add_dim(a, w->frames, 0, step);
	}
	put_scale(w, a);
	r->interleaved = w->split;
	r->packed = w->bits == 24;
	r->offset = w->data;
	r->big = w->big;
	if (taf_attr_set(a, "label", TAF_OF_DIM, time, "Time", e) != TAF_OK ||
	    taf_attr_set(a, "unit", TAF_OF_DIM, time, "s", e) != TAF_OK)
		return e->code;
	if (w->mask != 0)
		taf_record_number(r, "wav/mask", w->mask);
	if (w->valid != w->bits)
		taf_record_number(r, "wav/bits", w->valid);
	return TAF_OK;
}

/* Samples of 24 bits become those of 32, not shifted. */
static enum taf_status
unpack(const struct taf_capture *c, uint64_t k, const struct taf_record *r,
    struct taf_out *out, struct taf_err *e)
{
	const struct wav *w = c->state;
	uint64_t left = w->frames * w->channels * 3, at = w->data;
	unsigned char from[BLOCK];
	int32_t to[BLOCK / 3];
	size_t i, n;

	(void)k, (void)r;
	for (; left > 0; left -= n, at += n) {
		n = left < BLOCK ? (size_t)left : BLOCK;
		if (taf_capture_read(c, at, from, n, "data chunk", e) != TAF_OK)
			return e->code;
		for (i = 0; i < n / 3; i++) {
			const unsigned char *p = from + 3 * i;
			const unsigned low = p[w->big ? 2 : 0],
			    high = p[w->big ? 0 : 2] ^ 0x80U;

			to[i] = (int32_t)(low | (unsigned)p[1] << 8 | high << 16) -
			    0x800000;
		}
		if (taf_out_write(out, to, n / 3 * sizeof *to, e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

static enum taf_status
begin(struct taf_capture *c, struct taf_in *in, bool split, struct taf_err *e)
{
	struct wav *w = taf_capture_begin(c, in, sizeof *w, describe, e);

	if (w == NULL)
		return TAF_ESYS;
	w->split = split;
	c->unpack = unpack;
	return decode(c, w, e);
}

enum taf_status
taf_wav_decode(struct taf_capture *c, struct taf_in *in, struct taf_err *e)
{
	return begin(c, in, false, e);
}

enum taf_status
taf_wav_split_decode(struct taf_capture *c, struct taf_in *in, struct taf_err *e)
{
	return begin(c, in, true, e);
}

uint64_t
taf_wav_bytes(const struct taf_wav_form *form)
{
	/* frames of elements that are there, of 8 bytes at most each */
	return form->frames * form->channels * (form->bits / 8);
}

size_t
taf_wav_format(const struct taf_wav_form *form, unsigned char head[TAF_WAV_HEAD])
{
	const uint64_t n = taf_wav_bytes(form), small = 4 + 8 + FORMAT + 8 + n + n % 2;
	const bool large = small > UINT32_MAX;
	const unsigned frame = form->channels * (form->bits / 8);
	unsigned char *p = head + 12;

	memset(head, 0, TAF_WAV_HEAD);
	memcpy(head, large ? "RF64\0\0\0\0WAVE" : "RIFF\0\0\0\0WAVE", 12);
	taf_put32(head + 4, large ? UINT32_MAX : (uint32_t)small, false);
	if (large) {
		memcpy(p, "ds64", 4);
		taf_put32(p + 4, DS64, false);
		taf_put64(p + 8, small + 8 + DS64, false);
		taf_put64(p + 16, n, false);
		taf_put64(p + 24, form->frames, false);
		p += 8 + DS64;
	}
	memcpy(p, "fmt ", 4);
	taf_put32(p + 4, FORMAT, false);
	taf_put16(p + 8, form->floats ? FLOATS : PCM, false);
	taf_put16(p + 10, (uint16_t)form->channels, false);
	taf_put32(p + 12, form->rate, false);
	taf_put32(p + 16, (uint32_t)((uint64_t)form->rate * frame), false);
	taf_put16(p + 20, (uint16_t)frame, false);
	taf_put16(p + 22, (uint16_t)form->bits, false);
	p += 8 + FORMAT;
	memcpy(p, "data", 4);
	taf_put32(p + 4, large ? UINT32_MAX : (uint32_t)n, false);
	return (size_t)(p + 8 - head);
}
