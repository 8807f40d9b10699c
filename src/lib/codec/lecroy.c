/* SPDX-License-Identifier: ISC */
/*
 * Offsets and meanings are those of the instruments' own TEMPLATE texts (the answer to
 * TMPL?), as in the remote control manuals: WAVEDESC block.
 */
#include "codec/capture.h"

#include <stdlib.h>
#include <string.h>

#include "base/endian.h"

enum {
	SEARCH = 512,		/* the name of the block stands this near to the start */
	COMM_TYPE = 32,
	COMM_ORDER = 34,
	DESC_MAX = 346,		/* bytes of a descriptor that are looked at */
	TRIGTIME = 16		/* of a segment: time since the first trigger, offset */
};

/* Where the fields of a template lie; 0 where it has none. */
struct layout {
	unsigned size;			/* of the descriptor, at least */
	unsigned lengths[7];		/* of the blocks in front of the data */
	unsigned array1, array2;	/* of the data, in bytes */
	unsigned instrument, serial, label, count, segments;
	unsigned gain, offset, interval, start;
	unsigned vertunit, horunit, trigger, source;
};

static const struct layout first = {
	.size = 320, .lengths = { 36, 40, 44 }, .array1 = 48, .array2 = 52,
	.instrument = 56, .serial = 72, .label = 76, .count = 92, .segments = 108,
	.gain = 120, .offset = 124, .interval = 134, .start = 138, .vertunit = 154,
	.horunit = 202, .trigger = 250
}, second = {
	.size = 346, .lengths = { 36, 40, 44, 48, 52, 56 }, .array1 = 60, .array2 = 64,
	.instrument = 76, .serial = 92, .label = 96, .count = 116, .segments = 144,
	.gain = 156, .offset = 160, .interval = 176, .start = 180, .vertunit = 196,
	.horunit = 244, .trigger = 296, .source = 344
};

static const struct {
	const char *name;
	const struct layout *at;
} layouts[] = {
	{ "LECROY_1_0", &first }, { "LECROY_2_2", &second }, { "LECROY_2_3", &second }
};

struct lecroy {
	const struct layout *at;
	unsigned char desc[DESC_MAX];
	bool big;
	enum taf_type type;
	uint64_t segments, points;	/* points of a segment */
	uint64_t trigtime;		/* offset, 0 where there is none */
	uint64_t data[2];		/* offsets of the two arrays */
	uint64_t text;			/* offset of the user's text */
	size_t ntext;
};

/* Position of the block's name, n where it is not there. */
static size_t
find_block(const unsigned char *p, size_t n)
{
	size_t i;

	for (i = 0; i + 8 <= n; i++)
		if (memcmp(p + i, "WAVEDESC", 8) == 0)
			return i;
	return n;
}

bool
taf_lecroy_sniff(const unsigned char *p, size_t n)
{
	if (n > SEARCH)
		n = SEARCH;
	return find_block(p, n) < n;
}

/* The length at a field; TAF_EDATA where it is negative. */
static enum taf_status
get_length(const struct lecroy *l, unsigned field, uint64_t *n, struct taf_err *e)
{
	uint32_t v = taf_get32(l->desc + field, l->big);

	if (v > INT32_MAX)
		return taf_fail(e, TAF_EDATA,
		    "byte %u of the descriptor: a length of %lld", field,
		    (long long)v - (INT64_C(1) << 32));
	*n = v;
	return TAF_OK;
}

/* Sum of the blocks before the data; notes where the text and the trigger times are. */
static enum taf_status
find_data(struct lecroy *l, uint64_t base, uint64_t *data, struct taf_err *e)
{
	const struct layout *at = l->at;
	unsigned trigtime = at->lengths[3] != 0 ? at->lengths[3] : at->lengths[2];
	uint64_t n, off = base;
	unsigned i;

	for (i = 0; i < 7 && at->lengths[i] != 0; i++) {
		enum taf_status st = get_length(l, at->lengths[i], &n, e);

		if (st != TAF_OK)
			return st;
		if (i == 0 && n < at->size)
			return taf_fail(e, TAF_EDATA,
			    "a descriptor of %llu bytes, less than %u",
			    (unsigned long long)n, at->size);
		if (i == 1) {
			l->text = off;
			l->ntext = (size_t)n;
		}
		if (at->lengths[i] == trigtime && n > 0) {
			l->trigtime = off;
			if (l->segments > 1 && n / TRIGTIME < l->segments)
				return taf_fail(e, TAF_EDATA,
				    "%llu bytes of trigger times for %llu segments",
				    (unsigned long long)n,
				    (unsigned long long)l->segments);
		}
		off += n;
	}
	*data = off;
	return TAF_OK;
}

/* How many points there are, and that they are there. */
static enum taf_status
find_points(struct taf_capture *c, struct lecroy *l, uint64_t data, struct taf_err *e)
{
	const struct layout *at = l->at;
	uint64_t bytes[2], count, counted, size = taf_type_size(l->type);

	if (get_length(l, at->array1, &bytes[0], e) != TAF_OK ||
	    get_length(l, at->array2, &bytes[1], e) != TAF_OK ||
	    get_length(l, at->count, &count, e) != TAF_OK)
		return e->code;
	counted = count;
	taf_capture_count(c, bytes[0] / size, counted);
	if (bytes[0] / size < count)
		count = bytes[0] / size;
	if (count % l->segments != 0)
		return taf_fail(e, TAF_EDATA,
		    "%llu points do not divide into %llu segments",
		    (unsigned long long)count, (unsigned long long)l->segments);
	l->points = count / l->segments;
	l->data[0] = data;
	l->data[1] = data + bytes[0];
	c->nrecords = l->segments;
	if (taf_capture_inside(c, l->data[0], bytes[0], "first data array", e) !=
	    TAF_OK || taf_capture_inside(c, l->data[1], bytes[1], "second data array",
	    e) != TAF_OK)
		return e->code;
	/* such as minima beside maxima, imaginary beside real parts */
	if (bytes[1] / size >= count && count > 0) {
		c->nrecords *= 2;
		taf_capture_count(c, bytes[1] / size, counted);
	} else if (bytes[1] > 0) {
		return taf_fail(e, TAF_EDATA,
		    "data arrays of %llu and %llu bytes do not go together",
		    (unsigned long long)bytes[0], (unsigned long long)bytes[1]);
	}
	return taf_capture_end(c, l->data[1] + bytes[1], e);
}

static void
put_date(const struct lecroy *l, struct taf_record *r)
{
	const unsigned char *p = l->desc + l->at->trigger;
	double s = taf_getf64(p, l->big);
	struct taf_record_date d = { 0 };
	uint64_t ns;

	if (!(s >= 0 && s < 60))
		return;
	ns = (uint64_t)(s * 1e9 + 0.5);
	d.second = (unsigned)(ns / 1000000000);
	d.nanosecond = (unsigned)(ns % 1000000000);
	d.minute = p[8];
	d.hour = p[9];
	d.day = p[10];
	d.month = p[11];
	d.year = taf_get16(p + 12, l->big);
	taf_record_date(r, &d);
}

/* The user's text becomes the comment, without what pads it. */
static enum taf_status
put_user_text(const struct taf_capture *c, const struct lecroy *l, struct taf_record *r,
    struct taf_err *e)
{
	enum { MOST = 64 * 1024 };
	size_t n = l->ntext < MOST ? l->ntext : MOST, len;
	enum taf_status st;
	char *text;

	if (n == 0)
		return TAF_OK;
	text = malloc(n);
	if (text == NULL)
		return taf_fail_mem(e);
	st = taf_capture_read(c, l->text, text, n, "user text", e);
	if (st == TAF_OK) {
		for (len = 0; len < n && text[len] != '\0'; len++)
			continue;
		while (len > 0 && text[len - 1] == ' ')
			len--;
		if (len > 0)
			st = taf_comment_add(&r->array, text, len, e);
	}
	free(text);
	return st;
}

static void
put_attributes(const struct lecroy *l, struct taf_record *r)
{
	const struct layout *at = l->at;
	uint32_t serial = taf_get32(l->desc + at->serial, l->big);
	unsigned source = at->source != 0 ? taf_get16(l->desc + at->source, l->big) : 4;
	char channel[2] = { 'C', '1' };

	taf_record_text(r, "instrument", l->desc + at->instrument, 16);
	if (serial != 0)
		taf_record_number(r, "serial", serial);
	put_date(l, r);
	/* 0 to 3; anything else is no channel */
	if (source < 4) {
		channel[1] = (char)('1' + source);
		taf_record_text(r, "channel", channel, 2);
	}
	taf_record_text(r, "label", l->desc + at->label, 16);
	taf_record_text(r, "unit", l->desc + at->vertunit, 48);
	taf_record_axis(r, l->desc + at->horunit, 48);
}

static enum taf_status
describe(const struct taf_capture *c, uint64_t k, struct taf_record *r, struct taf_err *e)
{
	const struct lecroy *l = c->state;
	double start = taf_getf64(l->desc + l->at->start, l->big);
	uint64_t segment = k % l->segments;
	unsigned char t[TRIGTIME];

	if (l->segments > 1 && l->trigtime != 0) {
		if (taf_capture_read(c, l->trigtime + segment * TRIGTIME, t, sizeof t,
		    "trigger time", e) != TAF_OK)
			return e->code;
		taf_record_number(r, "time_tag", taf_getf64(t, l->big));
		start = taf_getf64(t + 8, l->big);
	}
	taf_record_shape(r, l->type, l->points, 1, start,
	    (double)taf_getf32(l->desc + l->at->interval, l->big));
	/* subtracted, not added: y = gain * x - offset */
	taf_record_scale(r, (double)taf_getf32(l->desc + l->at->gain, l->big),
	    0 - (double)taf_getf32(l->desc + l->at->offset, l->big), "gain or offset");
	r->big = l->big;
	r->offset = l->data[k / l->segments] +
	    segment * l->points * taf_type_size(l->type);
	put_attributes(l, r);
	return put_user_text(c, l, r, e);
}

/* A field that is filled up with NUL or blanks. */
static bool
field_is(const unsigned char *p, size_t n, const char *name)
{
	size_t len = strlen(name), i;

	if (memcmp(p, name, len) != 0)
		return false;
	for (i = len; i < n && p[i] != '\0'; i++)
		if (p[i] != ' ')
			return false;
	return true;
}

static enum taf_status
choose_layout(struct lecroy *l, struct taf_err *e)
{
	unsigned type;
	size_t i;

	for (i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
		if (field_is(l->desc + 16, 16, layouts[i].name))
			l->at = layouts[i].at;
	if (l->at == NULL)
		return taf_fail(e, TAF_EDATA,
		    "template %.16s: not one of LECROY_1_0, LECROY_2_2, LECROY_2_3",
		    (const char *)l->desc + 16);
	/* HIFIRST is 0 in either order */
	l->big = l->desc[COMM_ORDER] == 0 && l->desc[COMM_ORDER + 1] == 0;
	type = taf_get16(l->desc + COMM_TYPE, l->big);
	if (type > 1)
		return taf_fail(e, TAF_EDATA,
		    "samples of type %u, not 0 (byte) or 1 (word)", type);
	l->type = type == 0 ? TAF_INT8 : TAF_INT16;
	return TAF_OK;
}

static enum taf_status
decode(struct taf_capture *c, struct lecroy *l, struct taf_err *e)
{
	unsigned char p[SEARCH];
	uint64_t base, data = 0;
	size_t got;

	if (taf_capture_peek(c, 0, p, sizeof p, &got, e) != TAF_OK)
		return e->code;
	base = find_block(p, got);
	if (base == got)
		return taf_foreign_fail(c, "a LeCroy trace (no WAVEDESC near its start)",
		    e);
	if (taf_capture_peek(c, base, l->desc, sizeof l->desc, &got, e) != TAF_OK ||
	    (got < COMM_ORDER + 2 &&
	    taf_capture_inside(c, base, COMM_ORDER + 2, "descriptor", e) != TAF_OK) ||
	    choose_layout(l, e) != TAF_OK ||
	    taf_capture_inside(c, base, l->at->size, "descriptor", e) != TAF_OK ||
	    get_length(l, l->at->segments, &l->segments, e) != TAF_OK)
		return e->code;
	if (l->segments == 0)
		l->segments = 1;
	if (find_data(l, base, &data, e) != TAF_OK ||
	    find_points(c, l, data, e) != TAF_OK)
		return e->code;
	if (l->segments > 1) {
		c->has_start = true;
		c->start = taf_getf64(l->desc + l->at->start, l->big);
	}
	return TAF_OK;
}

enum taf_status
taf_lecroy_decode(struct taf_capture *c, struct taf_in *in, struct taf_err *e)
{
	struct lecroy *l = taf_capture_begin(c, in, sizeof *l, describe, e);

	return l != NULL ? decode(c, l, e) : TAF_ESYS;
}
