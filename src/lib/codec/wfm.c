/* SPDX-License-Identifier: ISC */
/*
 * Tektronix 077-0220-11, Reference Waveform File Format; its table is numbered for
 * version 3, and its "824" for the start of the data is a misprint of 822.  LLWFM has no
 * document; its fields are as SMASH reads them.
 */
#include "codec/capture.h"

#include <string.h>
#include <time.h>

#include "base/endian.h"
#include "base/num.h"

enum {
	/* the part that all versions have in common */
	POINT_BYTES = 15,
	CURVE = 16,
	LABEL = 40,
	MORE_FRAMES = 72,
	DATA_TYPE = 122,
	HEADER_MAX = 838,

	/* of a dimension */
	SCALE = 0,
	OFFSET = 8,
	UNITS = 20,
	FORMAT = 72,		/* explicit ones */

	UPDATE_SIZE = 24,	/* of a frame: when it was taken */
	CURVE_SIZE = 30,	/* of a frame: where its samples are */

	VECTOR = 2,
	DIGITAL = 6,

	/* LLWFM, from the end of its count */
	LL_STEP = 56,
	LL_UNIT = 64,
	LL_OFFSET = 66,
	LL_POSITION = 74,
	LL_GAIN = 82,
	LL_POINTS = 90,
	LL_TRIGGER = 94,
	LL_HEADER = 120,
	LL_PREAMBLE = 32,	/* 16 points in front of the data, and behind */
	LL_SECONDS = 610,
	LL_VOLTS = 609,

	CHECKSUM = 8		/* behind the curve buffer */
};

/* Where the blocks of a version lie. */
struct layout {
	unsigned explicit1, implicit1, update, curve, end;
};

static const struct layout layouts[] = {
	{ 166, 478, 766, 790, 820 },
	{ 168, 480, 768, 792, 822 },
	{ 168, 488, 784, 808, 838 },
};

struct wfm {
	unsigned char head[HEADER_MAX];
	const struct layout *at;
	bool big, digital;
	enum taf_type type;
	uint64_t frames, points, first, stride;	/* first: offset of the first sample */
};

bool
taf_wfm_sniff(const unsigned char *p, size_t n)
{
	if (n >= 10 && memcmp(p + 2, ":WFM#00", 7) == 0 && p[9] >= '1' && p[9] <= '3')
		return (p[0] == 0x0f && p[1] == 0x0f) || (p[0] == 0xf0 && p[1] == 0xf0);
	return (n >= 6 && memcmp(p, "LLWFM ", 6) == 0) ||
	    (n >= 7 && memcmp(p, ":LLWFM#", 7) == 0);
}

/* The type of samples, from the code of the version and the size, which must agree. */
static enum taf_status
sample_type(const struct wfm *w, unsigned version, enum taf_type *t, struct taf_err *e)
{
	static const enum taf_type formats[] = { TAF_INT16, TAF_INT32, TAF_UINT32,
	    TAF_UINT64, TAF_FLT32, TAF_FLT64, TAF_UINT8, TAF_INT8 };
	static const enum taf_type patterns[] = { TAF_UINT8, TAF_UINT8, TAF_UINT16,
	    TAF_UINT32, TAF_UINT32, TAF_UINT64, TAF_UINT64, TAF_UINT64, TAF_UINT64 };
	uint32_t code = taf_get32(w->head + w->at->explicit1 + FORMAT, w->big);
	unsigned size = w->head[POINT_BYTES];

	if (code >= (version == 3 ? 8u : 6u))
		return taf_fail(e, TAF_EDATA, "sample format %lu is none of version %u",
		    (unsigned long)code, version);
	if (taf_type_size(formats[code]) != size)
		return taf_fail(e, TAF_EDATA, "%u bytes a sample, but its format %s",
		    size, taf_type_name(formats[code]));
	*t = formats[code];
	/* lines are bits, whatever the format calls them */
	if (w->digital && taf_type_is_int(*t))
		*t = patterns[size];
	return TAF_OK;
}

/* Where the samples of the frames are, and that all are there. */
static enum taf_status
find_frames(struct taf_capture *c, struct wfm *w, struct taf_err *e)
{
	const unsigned char *info = w->head + w->at->curve;
	uint64_t curve = taf_get32(w->head + CURVE, w->big);
	uint64_t start = taf_get32(info + 14, w->big),
	    stop = taf_get32(info + 18, w->big);
	uint64_t end = taf_get32(info + 26, w->big), all, size = taf_type_size(w->type);
	uint64_t tables = (w->frames - 1) * (UPDATE_SIZE + CURVE_SIZE);
	unsigned char more[8];
	enum taf_status st;
	size_t got;

	if (taf_capture_inside(c, w->at->end, tables, "frame headers", e) != TAF_OK)
		return e->code;
	if (curve < w->at->end + tables)
		return taf_fail(e, TAF_EDATA,
		    "curve buffer at offset %llu, but the header ends at %llu",
		    (unsigned long long)curve, (unsigned long long)(w->at->end + tables));
	if (start >= stop || (stop - start) % size != 0)
		return taf_fail(e, TAF_EDATA,
		    "bytes %llu to %llu of the curve hold no whole samples of %llu bytes",
		    (unsigned long long)start, (unsigned long long)stop,
		    (unsigned long long)size);
	if (end < stop && (w->frames > 1 || end != 0))
		return taf_fail(e, TAF_EDATA,
		    "the data end at byte %llu of the curve, behind its end at %llu",
		    (unsigned long long)stop, (unsigned long long)end);
	w->points = (stop - start) / size;
	w->stride = end < stop ? stop : end;
	w->first = curve + start;
	/* at most 2^32 each */
	all = w->frames * w->stride;
	c->nrecords = w->frames;
	st = taf_capture_inside(c, curve, all, "curve buffer", e);
	if (st != TAF_OK || c->size - curve - all <= CHECKSUM)
		return st;
	st = taf_capture_peek(c, curve + all + CHECKSUM, more, sizeof more, &got, e);
	/* what newer instruments say of pictures and settings is none of the data */
	if (st != TAF_OK || (got == sizeof more && memcmp(more, "tekmeta!", got) == 0))
		return st;
	return taf_capture_end(c, curve + all + CHECKSUM, e);
}

static enum taf_status
put_date(const struct taf_capture *c, const struct wfm *w, uint64_t frame,
    struct taf_record *r, struct taf_err *e)
{
	unsigned char update[UPDATE_SIZE];
	struct taf_record_date d = { 0 };
	double fraction, late;
	time_t seconds;
	struct tm tm;

	if (taf_capture_read(c, frame == 0 ? w->at->update : w->at->end + (frame - 1) *
	    UPDATE_SIZE, update, sizeof update, "frame", e) != TAF_OK)
		return e->code;
	late = taf_getf64(update + 4, w->big);
	/* the vendor's own software begins this fraction of a step later */
	if (late > 0 && late <= 1)
		taf_record_number(r, "tt_offset", late);
	fraction = taf_getf64(update + 12, w->big);
	seconds = (time_t)taf_get32(update + 20, w->big);
	if (seconds == 0 || gmtime_r(&seconds, &tm) == NULL)
		return TAF_OK;
	d.year = (unsigned)tm.tm_year + 1900;
	d.month = (unsigned)tm.tm_mon + 1;
	d.day = (unsigned)tm.tm_mday;
	d.hour = (unsigned)tm.tm_hour;
	d.minute = (unsigned)tm.tm_min;
	d.second = (unsigned)tm.tm_sec;
	d.utc = true;
	if (fraction > 0 && fraction < 1)
		d.nanosecond = (unsigned)(fraction * 1e9);
	taf_record_date(r, &d);
	return TAF_OK;
}

static enum taf_status
describe(const struct taf_capture *c, uint64_t k, struct taf_record *r, struct taf_err *e)
{
	const struct wfm *w = c->state;
	const unsigned char *value = w->head + w->at->explicit1;
	const unsigned char *axis = w->head + w->at->implicit1;
	enum taf_status st;

	taf_record_shape(r, w->type, w->points, 1, taf_getf64(axis + OFFSET, w->big),
	    taf_getf64(axis + SCALE, w->big));
	r->big = w->big;
	r->offset = w->first + k * w->stride;
	if (!taf_type_is_int(w->type) || !w->digital)
		taf_record_scale(r, taf_getf64(value + SCALE, w->big),
		    taf_getf64(value + OFFSET, w->big), "scale or offset");
	st = put_date(c, w, k, r, e);
	taf_record_text(r, "label", w->head + LABEL, 32);
	if (!w->digital)
		taf_record_text(r, "unit", value + UNITS, 20);
	taf_record_axis(r, axis + UNITS, 20);
	return st;
}

static enum taf_status
decode_wfm(struct taf_capture *c, struct wfm *w, struct taf_err *e)
{
	unsigned version;
	uint32_t type;

	version = (unsigned)(w->head[9] - '0');
	w->at = &layouts[version - 1];
	w->big = w->head[0] == 0xf0;
	if (taf_capture_inside(c, 0, w->at->end, "header", e) != TAF_OK)
		return e->code;
	type = taf_get32(w->head + DATA_TYPE, w->big);
	if (type != VECTOR && type != DIGITAL)
		return taf_fail(e, TAF_EDATA,
		    "a waveform of type %lu, not 2 (samples over time) or 6 (digital)",
		    (unsigned long)type);
	w->digital = type == DIGITAL;
	if (sample_type(w, version, &w->type, e) != TAF_OK)
		return e->code;
	w->frames = (uint64_t)taf_get32(w->head + MORE_FRAMES, w->big) + 1;
	return find_frames(c, w, e);
}

/* LLWFM: everything is big-endian, fields count from the end of the count of bytes. */
static enum taf_status
describe_ll(const struct taf_capture *c, uint64_t k, struct taf_record *r,
    struct taf_err *e)
{
	const struct wfm *w = c->state;
	const unsigned char *p = w->head;
	double step = taf_getf64(p + LL_STEP, true), gain = taf_getf64(p + LL_GAIN, true);
	double trigger = (double)(int16_t)taf_get16(p + LL_TRIGGER, true) / 100;
	double n = (double)w->points;

	(void)k, (void)e;
	taf_record_shape(r, TAF_INT16, w->points, 1, (0 - n * trigger) * step, step);
	r->big = true;
	r->offset = w->first;
	/* gain is volts a division, of 25 levels and 256 steps each */
	taf_record_scale(r, gain / 6400, taf_getf64(p + LL_OFFSET, true) -
	    taf_getf64(p + LL_POSITION, true) * gain, "gain, offset or position");
	if (taf_get16(p + LL_UNIT, true) == LL_VOLTS)
		taf_record_text(r, "unit", "V", 1);
	taf_record_axis(r, "s", 1);
	return TAF_OK;
}

static enum taf_status
decode_ll(struct taf_capture *c, struct wfm *w, size_t got, struct taf_err *e)
{
	const unsigned char *hash = memchr(w->head, '#', got < 32 ? got : 32);
	uint64_t base, count, bytes;
	size_t digits;

	c->describe = describe_ll;
	c->nrecords = 1;
	base = hash != NULL ? (uint64_t)(hash - w->head) + 2 : 0;
	if (hash == NULL || base > got || hash[1] < '1' || hash[1] > '9')
		return taf_fail(e, TAF_EDATA, "LLWFM: no count of bytes");
	digits = (size_t)(hash[1] - '0');
	if (base + digits > got || !taf_parse_u64((const char *)hash + 2, digits, &count))
		return taf_fail(e, TAF_EDATA, "LLWFM: no count of bytes");
	base += digits;
	if (taf_capture_read(c, base, w->head, LL_HEADER, "header", e) != TAF_OK)
		return e->code;
	w->points = taf_get32(w->head + LL_POINTS, true);
	w->first = base + LL_HEADER + LL_PREAMBLE;
	/* a sum of two bytes may follow the points */
	bytes = count > LL_HEADER + LL_PREAMBLE ? count - LL_HEADER - LL_PREAMBLE : 0;
	if (bytes / 2 < w->points)
		return taf_fail(e, TAF_EDATA, "LLWFM: %llu bytes, but %llu points",
		    (unsigned long long)count, (unsigned long long)w->points);
	if (bytes / 2 - w->points > LL_PREAMBLE / 2 + 1)
		taf_capture_count(c, bytes / 2 - LL_PREAMBLE / 2 - 1, w->points);
	return taf_capture_end(c, base + count, e);
}

enum taf_status
taf_wfm_decode(struct taf_capture *c, struct taf_in *in, struct taf_err *e)
{
	struct wfm *w = taf_capture_begin(c, in, sizeof *w, describe, e);
	size_t got;

	if (w == NULL)
		return TAF_ESYS;
	if (taf_capture_peek(c, 0, w->head, sizeof w->head, &got, e) != TAF_OK)
		return e->code;
	if (!taf_wfm_sniff(w->head, got)) {
		taf_capture_fini(c);
		return taf_isf_decode(c, in, e);
	}
	return w->head[2] == ':' ? decode_wfm(c, w, e) : decode_ll(c, w, got, e);
}
