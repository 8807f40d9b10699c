/* SPDX-License-Identifier: ISC */
/*
 * "Binary Data (.bin)" of the InfiniiVision user's guides.  All is little-endian.  The
 * numbers of buffer types are those of the newer guides; older software calls 4 counts
 * and 5 logic.
 */
#include "codec/capture.h"

#include <string.h>

#include "base/endian.h"
#include "base/num.h"

enum {
	WAVEFORM = 140,		/* bytes of a waveform header, as far as they are known */
	WAVEFORM_MIN = 56,	/* up to the units */

	NBUFFERS = 8,
	POINTS = 12,
	X_STEP = 32,
	X_START = 40,
	X_UNITS = 48,
	Y_UNITS = 52,
	DATE = 56,
	TIME = 72,
	FRAME = 88,
	FRAME_SIZE = 24,
	LABEL = 112,
	TIME_TAG = 128,
	SEGMENT = 136,

	/* types of waveforms and of buffers */
	HORIZONTAL_HISTOGRAM = 4,
	VERTICAL_HISTOGRAM = 5,
	MAXIMUM = 2,
	MINIMUM = 3,
	TIMES = 4,
	COUNTS = 5,
	LOGIC = 6
};

/* The walk over the file: headers are found only one from the other. */
struct keysight {
	uint64_t first;		/* offset of the first waveform header */
	unsigned buffer_header;	/* its size at least */
	uint32_t nwaveforms;
	bool wide;		/* sizes of buffers have 64 bits */

	uint64_t next;		/* number of the record that follows */
	uint64_t at;		/* offset of its buffer header, or of its waveform's */
	uint32_t waveform;	/* number of its waveform */
	uint32_t left;		/* buffers of it still to come; 0: a new header */
	unsigned char head[WAVEFORM];

	/* the record before next */
	uint64_t data, bytes;
	unsigned type, size;
};

bool
taf_keysight_sniff(const unsigned char *p, size_t n)
{
	return n >= 4 && memcmp(p, "AG", 2) == 0 && (memcmp(p + 2, "01", 2) == 0 ||
	    memcmp(p + 2, "03", 2) == 0 || memcmp(p + 2, "10", 2) == 0);
}

static void
rewind_walk(struct keysight *s)
{
	s->next = 0;
	s->at = s->first;
	s->waveform = 0;
	s->left = 0;
}

/* Read the next waveform header that has buffers; s->left stays 0 behind the last one. */
static enum taf_status
next_waveform(const struct taf_capture *c, struct keysight *s, struct taf_err *e)
{
	while (s->left == 0 && s->waveform < s->nwaveforms) {
		unsigned char size[4];
		enum taf_status st;
		uint32_t n;

		if (taf_capture_read(c, s->at, size, 4, "waveform header", e) != TAF_OK)
			return e->code;
		n = taf_get32(size, false);
		if (n < WAVEFORM_MIN || n > INT32_MAX)
			return taf_fail(e, TAF_EDATA,
			    "waveform %lu: a header of %lu bytes, less than %d",
			    (unsigned long)s->waveform + 1, (unsigned long)n,
			    (int)WAVEFORM_MIN);
		st = taf_capture_inside(c, s->at, n, "waveform header", e);
		memset(s->head, 0, sizeof s->head);
		if (st == TAF_OK)
			st = taf_capture_read(c, s->at, s->head,
			    n < WAVEFORM ? n : WAVEFORM, "waveform header", e);
		if (st != TAF_OK)
			return st;
		s->left = taf_get32(s->head + NBUFFERS, false);
		if (s->left > INT32_MAX || taf_get32(s->head + POINTS, false) > INT32_MAX)
			return taf_fail(e, TAF_EDATA,
			    "waveform %lu: a negative number of buffers or points",
			    (unsigned long)s->waveform + 1);
		s->at += n;
		s->waveform++;
	}
	return TAF_OK;
}

/* Go to the next buffer; *found is false behind the last one. */
static enum taf_status
next_buffer(const struct taf_capture *c, struct keysight *s, bool *found,
    struct taf_err *e)
{
	unsigned char p[16];
	enum taf_status st = next_waveform(c, s, e);
	uint32_t n;

	*found = st == TAF_OK && s->left > 0;
	if (!*found)
		return st;
	if (taf_capture_read(c, s->at, p, s->buffer_header, "buffer header", e) != TAF_OK)
		return e->code;
	n = taf_get32(p, false);
	if (n < s->buffer_header || n > INT32_MAX)
		return taf_fail(e, TAF_EDATA,
		    "a buffer header of %lu bytes, less than %u", (unsigned long)n,
		    s->buffer_header);
	s->type = taf_get16(p + 4, false);
	s->size = taf_get16(p + 6, false);
	s->bytes = s->wide ? taf_get64(p + 8, false) : taf_get32(p + 8, false);
	s->data = s->at + n;
	if (taf_capture_inside(c, s->data, s->bytes, "buffer", e) != TAF_OK)
		return e->code;
	s->at = s->data + s->bytes;
	s->left--;
	s->next++;
	return TAF_OK;
}

static enum taf_status
sample_type(const struct keysight *s, enum taf_type *t, struct taf_err *e)
{
	unsigned waveform = taf_get32(s->head + 4, false);
	bool histogram = waveform == HORIZONTAL_HISTOGRAM ||
	    waveform == VERTICAL_HISTOGRAM;

	if (s->type == LOGIC ||
	    ((s->type == COUNTS || s->type == TIMES) && s->size == 1)) {
		if (s->size == 1 || s->size == 2 || s->size == 4 || s->size == 8) {
			*t = s->size == 1 ? TAF_UINT8 : s->size == 2 ? TAF_UINT16 :
			    s->size == 4 ? TAF_UINT32 : TAF_UINT64;
			return TAF_OK;
		}
	} else if (s->type >= 1 && s->type <= COUNTS && s->size == 4) {
		*t = s->type >= TIMES && histogram ? TAF_INT32 : TAF_FLT32;
		return TAF_OK;
	}
	return taf_fail(e, TAF_EDATA, "a buffer of type %u with %u bytes a point",
	    s->type, s->size);
}

/* "DD MON YYYY" and "HH:MM:SS", with a fraction perhaps; otherwise none. */
static void
put_date(const struct keysight *s, struct taf_record *r)
{
	const char *date = (const char *)s->head + DATE,
	    *clock = (const char *)s->head + TIME;

	if (date[2] == ' ' && date[6] == ' ' && clock[2] == ':' && clock[5] == ':')
		(void)taf_record_calendar(r, date, date + 3, date + 7, clock);
}

static const char *
unit_name(uint32_t code)
{
	static const char *const names[] = { "", "V", "s", "", "A", "dB", "Hz" };

	return code < sizeof names / sizeof names[0] ? names[code] : "";
}

static void
put_attributes(const struct keysight *s, struct taf_record *r)
{
	const char *frame = (const char *)s->head + FRAME, *unit, *colon;
	uint32_t segment = taf_get32(s->head + SEGMENT, false);
	size_t model;

	colon = memchr(frame, ':', FRAME_SIZE);
	model = colon != NULL ? (size_t)(colon - frame) : FRAME_SIZE;
	taf_record_text(r, "instrument", frame, model);
	if (colon != NULL)
		taf_record_text(r, "serial", colon + 1, FRAME_SIZE - model - 1);
	put_date(s, r);
	taf_record_text(r, "channel", s->head + LABEL, 16);
	if (s->type == MINIMUM || s->type == MAXIMUM)
		taf_record_text(r, "label", s->type == MINIMUM ? "minimum" : "maximum",
		    7);
	if (segment > 0) {
		taf_record_number(r, "segment", segment);
		taf_record_number(r, "time_tag", taf_getf64(s->head + TIME_TAG, false));
	}
	unit = s->type == LOGIC ? "" : unit_name(taf_get32(s->head + Y_UNITS, false));
	taf_record_text(r, "unit", unit, strlen(unit));
	unit = unit_name(taf_get32(s->head + X_UNITS, false));
	taf_record_axis(r, unit, strlen(unit));
}

static enum taf_status
describe(const struct taf_capture *c, uint64_t k, struct taf_record *r, struct taf_err *e)
{
	struct keysight *s = c->state;
	enum taf_type type = TAF_UINT8;
	enum taf_status st = TAF_OK;
	uint64_t n;
	bool found = true;

	if (k < s->next)
		rewind_walk(s);
	while (s->next <= k && st == TAF_OK && found)
		st = next_buffer(c, s, &found, e);
	if (st == TAF_OK && !found)
		return taf_fail(e, TAF_EDATA, "no such buffer");
	if (st != TAF_OK || sample_type(s, &type, e) != TAF_OK)
		return e->code;
	n = s->bytes / taf_type_size(type);
	if (n > taf_get32(s->head + POINTS, false))
		n = taf_get32(s->head + POINTS, false);
	/* not the origin of the display, at byte 24 */
	taf_record_shape(r, type, n, 1, taf_getf64(s->head + X_START, false),
	    taf_getf64(s->head + X_STEP, false));
	r->offset = s->data;
	put_attributes(s, r);
	return TAF_OK;
}

static enum taf_status
decode(struct taf_capture *c, struct keysight *s, struct taf_err *e)
{
	unsigned char p[16];
	enum taf_status st = TAF_OK;
	bool found = true;
	uint64_t size;
	size_t got;

	if (taf_capture_peek(c, 0, p, sizeof p, &got, e) != TAF_OK)
		return e->code;
	if (!taf_keysight_sniff(p, got)) {
		if (got >= 4 && memcmp(p, "AG", 2) == 0)
			return taf_fail(e, TAF_EDATA,
			    "a Keysight capture of version %c%c, not 01, 03 or 10",
			    p[2], p[3]);
		return taf_foreign_fail(c, "a Keysight capture", e);
	}
	s->wide = memcmp(p + 2, "03", 2) == 0;
	s->first = s->wide ? 16 : 12;
	s->buffer_header = s->wide ? 16 : 12;
	if (taf_capture_inside(c, 0, s->first, "header", e) != TAF_OK)
		return e->code;
	s->nwaveforms = taf_get32(p + s->first - 4, false);
	if (s->nwaveforms > INT32_MAX)
		return taf_fail(e, TAF_EDATA, "a negative number of waveforms");
	rewind_walk(s);
	while (st == TAF_OK && found) {
		st = next_buffer(c, s, &found, e);
		if (st == TAF_OK && found && s->size > 0)
			taf_capture_count(c, s->bytes / s->size,
			    taf_get32(s->head + POINTS, false));
	}
	c->nrecords = s->next;
	c->left[TAF_LEFT_BYTES] = c->size > s->at ? c->size - s->at : 0;
	size = s->wide ? taf_get64(p + 4, false) : taf_get32(p + 4, false);
	/* or waveforms are missing; a number of 32 bits may have wrapped */
	if (st == TAF_OK && size > s->at && (s->wide || size <= INT32_MAX))
		st = taf_fail(e, TAF_ETRUNC,
		    "the waveforms end at byte %llu, the header says %llu",
		    (unsigned long long)s->at, (unsigned long long)size);
	return st;
}

enum taf_status
taf_keysight_decode(struct taf_capture *c, struct taf_in *in, struct taf_err *e)
{
	struct keysight *s = taf_capture_begin(c, in, sizeof *s, describe, e);

	return s != NULL ? decode(c, s, e) : TAF_ESYS;
}
