/* SPDX-License-Identifier: ISC */
/*
 * Tektronix programmer manuals (TDS3000 071-0381, MSO/DPO4000 077-0510), WFMOutpre and
 * CURVe.  Keys come in long and short forms.
 */
#include "codec/capture.h"

#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/num.h"

enum {
	TOKEN = 64,		/* the longest number of a text curve */
	BLOCK = 8 * 1024		/* bytes of samples made at a time */
};

enum key {
	BYT_NR, ENCDG, BN_FMT, BYT_OR, NR_PT, PT_FMT, PT_OFF, XINCR, XZERO, XUNIT, YMULT,
	YOFF, YZERO, YUNIT, WFID, NKEYS
};

/* What begins with the short form is the key. */
static const struct {
	const char *begin, *name;
} keys[NKEYS] = {
	[BYT_NR] = { "BYT_N", "BYT_NR" }, [ENCDG] = { "ENC", "ENCDG" },
	[BN_FMT] = { "BN_F", "BN_FMT" }, [BYT_OR] = { "BYT_O", "BYT_OR" },
	[NR_PT] = { "NR_P", "NR_PT" }, [PT_FMT] = { "PT_F", "PT_FMT" },
	[PT_OFF] = { "PT_O", "PT_OFF" }, [XINCR] = { "XIN", "XINCR" },
	[XZERO] = { "XZE", "XZERO" }, [XUNIT] = { "XUN", "XUNIT" },
	[YMULT] = { "YMU", "YMULT" }, [YOFF] = { "YOF", "YOFF" },
	[YZERO] = { "YZE", "YZERO" }, [YUNIT] = { "YUN", "YUNIT" },
	[WFID] = { "WFI", "WFID" },
};

/* A run of the preamble. */
struct span {
	const char *p;
	size_t n;
};

struct isf {
	struct span value[NKEYS];
	uint64_t curve;		/* offset of what follows the word CURVE */
	/* the preamble, which the spans are of, and space for another */
	char *text;
	uint64_t number;	/* of this curve, from 0 */
	uint64_t end;		/* offset of what follows it */
	uint64_t behind;	/* bytes there, where they are no other curve */

	enum taf_type type;
	bool big, envelope, ascii;
	uint64_t points;	/* NR_PT */
	uint64_t data;		/* offset of the samples */
	double values[NKEYS];
};

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool
begins(struct span s, const char *word)
{
	return taf_field_begins(s.p, s.n, word);
}

static struct span
trim(struct span s)
{
	while (s.n > 0 && is_blank(s.p[0])) {
		s.p++;
		s.n--;
	}
	while (s.n > 0 && is_blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

/* The item at *at: up to a semicolon or the end of a line, neither within quotes. */
static struct span
next_item(const char *text, size_t n, size_t *at)
{
	struct span s = { text + *at, 0 };
	bool quoted = false;

	for (; *at < n; ++*at, s.n++) {
		char c = text[*at];

		if (c == '"')
			quoted = !quoted;
		if (!quoted && (c == ';' || c == '\n'))
			break;
	}
	return s;
}

/* Split an item into its key, from its last colon on, and its value. */
static void
split_item(struct span item, struct span *key, struct span *value)
{
	size_t i;

	item = trim(item);
	*key = item;
	for (i = 0; i < item.n && !is_blank(item.p[i]) && item.p[i] != '"' &&
	    item.p[i] != '#'; i++)
		if (item.p[i] == ':') {
			key->p = item.p + i + 1;
			key->n = item.n - i - 1;
		}
	key->n = (size_t)(item.p + i - key->p);
	value->p = item.p + i;
	value->n = item.n - i;
	*value = trim(*value);
}

static bool
is_curve(struct span key)
{
	return (key.n == 4 && begins(key, "CURV")) ||
	    (key.n == 5 && begins(key, "CURVE"));
}

/*
 * Find the items of a preamble (PT_ORDER is another key than PT_OFF) and the curve
 * behind it; false where there is none.
 */
static bool
scan_preamble(const char *text, size_t n, struct isf *f)
{
	size_t at = 0;
	unsigned i;

	while (at < n) {
		struct span item, key, value;

		item = next_item(text, n, &at);
		at += at < n;
		split_item(item, &key, &value);
		if (is_curve(key)) {
			f->curve = (uint64_t)(key.p + key.n - text);
			return f->value[NR_PT].p != NULL;
		}
		for (i = 0; i < NKEYS; i++)
			if (begins(key, keys[i].begin) && !begins(key, "PT_OR"))
				f->value[i] = value;
	}
	return false;
}

bool
taf_isf_sniff(const unsigned char *p, size_t n)
{
	struct isf f = { 0 };

	return scan_preamble((const char *)p, n, &f);
}

/* The value of a key is missing, or is not what it should be. */
static enum taf_status
bad_value(const struct isf *f, enum key k, const char *wanted, struct taf_err *e)
{
	struct span v = f->value[k];

	if (v.p == NULL)
		return taf_fail(e, TAF_EDATA, "preamble: no %s", keys[k].name);
	return taf_fail(e, TAF_EDATA, "preamble: %s %.*s: not %s", keys[k].name,
	    v.n < 40 ? (int)v.n : 40, v.p, wanted);
}

static enum taf_status
get_numbers(struct isf *f, struct taf_err *e)
{
	static const double zero = 0, two = 2, most = 9007199254740992.0;
	/* with what stands for it where it is missing, if it may be */
	const struct {
		enum key key;
		const double *missing;
	} wanted[] = {
		{ NR_PT, NULL }, { BYT_NR, f->ascii ? &two : NULL }, { XINCR, NULL },
		{ XZERO, NULL }, { PT_OFF, &zero }, { YMULT, NULL }, { YOFF, NULL },
		{ YZERO, &zero },
	};
	double *const n = &f->values[NR_PT];
	size_t i;

	for (i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
		const enum key k = wanted[i].key;
		const struct span v = f->value[k];

		if (v.p == NULL && wanted[i].missing != NULL)
			f->values[k] = *wanted[i].missing;
		else if (v.p == NULL || !taf_parse_f64(v.p, v.n, &f->values[k]) ||
		    !taf_is_finite(f->values[k]))
			return bad_value(f, k, "a number", e);
	}
	if (!(*n >= 1 && *n < most) || (double)(uint64_t)*n < *n)
		return bad_value(f, NR_PT, "a number of points", e);
	f->points = (uint64_t)*n;
	return TAF_OK;
}

static enum taf_status
get_type(struct isf *f, struct taf_err *e)
{
	static const enum taf_type types[][2] = { [1] = { TAF_UINT8, TAF_INT8 },
		[2] = { TAF_UINT16, TAF_INT16 }, [4] = { TAF_UINT32, TAF_INT32 } };
	struct span format = f->value[BN_FMT], order = f->value[BYT_OR];
	const double given = f->values[BYT_NR];
	const unsigned size = given >= 1 && given <= 8 ? (unsigned)given : 0;
	bool sign;

	if (size == 0 || size < given)
		return bad_value(f, BYT_NR, "1, 2 or 4", e);
	if (begins(format, "FP") && (size == 4 || size == 8)) {
		f->type = size == 4 ? TAF_FLT32 : TAF_FLT64;
	} else {
		sign = begins(format, "RI") || (f->ascii && format.p == NULL);
		if (!sign && !begins(format, "RP"))
			return bad_value(f, BN_FMT, "RI, RP, or FP of 4 bytes", e);
		if (size != 1 && size != 2 && size != 4)
			return bad_value(f, BYT_NR, "1, 2 or 4", e);
		f->type = types[size][sign];
	}
	f->big = begins(order, "MSB");
	if (!f->big && !begins(order, "LSB") && !f->ascii && size > 1)
		return bad_value(f, BYT_OR, "MSB or LSB", e);
	return TAF_OK;
}

/* The block "#<digits><count><bytes>" behind the word CURVE. */
static enum taf_status
find_block(const struct taf_capture *c, struct isf *f, struct taf_err *e)
{
	uint64_t off = f->curve, count, bytes;
	unsigned char p[TOKEN];
	size_t got, i = 0, digits;

	if (taf_capture_peek(c, off, p, sizeof p, &got, e) != TAF_OK)
		return e->code;
	while (i < got && is_blank((char)p[i]))
		i++;
	if (got < i + 2 || p[i] != '#' || p[i + 1] < '1' || p[i + 1] > '9')
		return taf_fail(e, got < i + 2 ? TAF_ETRUNC : TAF_EDATA,
		    "curve: no block of bytes");
	digits = (size_t)(p[i + 1] - '0');
	if (got < i + 2 + digits)
		return taf_fail(e, TAF_ETRUNC,
		    "curve: the file ends in its count of bytes");
	if (!taf_parse_u64((const char *)p + i + 2, digits, &count))
		return taf_fail(e, TAF_EDATA, "curve: no count of bytes");
	f->data = off + i + 2 + digits;
	if (!taf_mul(f->points, taf_type_size(f->type), &bytes) || bytes != count)
		return taf_fail(e, TAF_EDATA, "curve: %llu bytes, but %llu points of %zu",
		    (unsigned long long)count, (unsigned long long)f->points,
		    taf_type_size(f->type));
	f->end = f->data + count;
	return taf_capture_inside(c, f->data, count, "curve", e);
}

/* One number of a text curve at p, as the type wants it; its length, 0 if it is none. */
static size_t
scan_number(enum taf_type type, const char *p, const char *end, void *to)
{
	const char *q = p;
	int64_t v;

	if (type == TAF_FLT32)
		return taf_scan_f32(p, end, to);
	if (type == TAF_FLT64)
		return taf_scan_f64(p, end, to);
	while (q < end && (*q == '+' || *q == '-' || (*q >= '0' && *q <= '9')))
		q++;
	if (!taf_parse_i64(p, (size_t)(q - p), &v) || !taf_type_holds(type, v))
		return 0;
	taf_type_store(type, to, (uint64_t)v);
	return (size_t)(q - p);
}

/*
 * A file may end behind a number.  Is that one whole for sure, because no number of the
 * type goes on with another digit?
 */
static bool
cannot_go_on(enum taf_type type, const char *p, size_t n)
{
	int64_t v;

	return taf_type_is_int(type) && taf_parse_i64(p, n, &v) &&
	    (v == 0 || !taf_type_holds(type, 10 * v));
}

/*
 * A number and what separates it from the next; *last where none follows, *cut where it
 * may be the beginning of one.
 */
static size_t
scan_item(const struct isf *f, const char *p, const char *end, void *to, bool *last,
    bool *cut)
{
	const char *q = p;
	size_t n;

	while (q < end && (*q == ' ' || *q == '\t'))
		q++;
	n = scan_number(f->type, q, end, to);
	if (n == 0)
		return 0;
	*cut = q + n == end && !cannot_go_on(f->type, q, n);
	q += n;
	while (q < end && (*q == ' ' || *q == '\t' || *q == '\r'))
		q++;
	*last = q == end || *q != ',';
	if (q < end && *q != ',' && *q != '\n' && *q != ';')
		return 0;
	return (size_t)(q - p) + (*last ? 0 : 1);
}

/* All numbers of a text curve, to out where that is not NULL. */
static enum taf_status
read_text(const struct taf_capture *c, struct isf *f, struct taf_out *out,
    struct taf_err *e)
{
	size_t size = taf_type_size(f->type), have = 0;
	unsigned char block[BLOCK];
	struct taf_in *in = NULL;
	uint64_t done = 0;
	bool last = false, cut = false;
	enum taf_status st = taf_in_again(&in, c->in, c->base + f->curve, e);

	f->end = f->curve;
	while (st == TAF_OK && !last) {
		const unsigned char *p;
		size_t got, used = 0;

		/* what begins TOKEN bytes before the end is whole, or the file ends */
		st = taf_in_peek(in, 2 * TOKEN, &p, &got, e);
		while (st == TAF_OK && !last &&
		    (got < 2 * TOKEN || used + TOKEN <= got)) {
			size_t n = scan_item(f, (const char *)p + used,
			    (const char *)p + got, block + have, &last, &cut);

			if (n == 0 || n >= TOKEN)
				st = taf_fail(e, TAF_EDATA,
				    "curve: point %llu is no number of type %s",
				    (unsigned long long)done + 1, taf_type_name(f->type));
			used += n;
			done++;
			have += size;
			if (st == TAF_OK && have + size > sizeof block) {
				if (out != NULL)
					st = taf_out_write(out, block, have, e);
				have = 0;
			}
			if (done > f->points)
				last = true;
		}
		if (st == TAF_OK)
			st = taf_in_skip(in, used, e);
		f->end += used;
	}
	if (st == TAF_OK && done != f->points)
		st = taf_fail(e, done < f->points ? TAF_ETRUNC : TAF_EDATA,
		    "curve: %s%llu points, not the %llu of the preamble",
		    done > f->points ? "more than " : "",
		    (unsigned long long)(done > f->points ? f->points : done),
		    (unsigned long long)f->points);
	if (st == TAF_OK && cut)
		st = taf_fail(e, TAF_ETRUNC,
		    "curve: the file ends in point %llu, or behind it without the end of the line",
		    (unsigned long long)done);
	if (st == TAF_OK && out != NULL)
		st = taf_out_write(out, block, have, e);
	taf_in_close(in);
	return st;
}

/* A string of the preamble, without its quotes. */
static struct span
unquote(struct span s)
{
	if (s.n >= 2 && s.p[0] == '"' && s.p[s.n - 1] == '"') {
		s.p++;
		s.n -= 2;
	}
	return s;
}

static void
put_attributes(const struct isf *f, struct taf_record *r)
{
	struct span id = unquote(f->value[WFID]), unit = unquote(f->value[YUNIT]);
	const char *comma = id.p != NULL ? memchr(id.p, ',', id.n) : NULL;

	if (comma != NULL)
		taf_record_text(r, "channel", id.p, (size_t)(comma - id.p));
	taf_record_text(r, "label", id.p, id.n);
	taf_record_text(r, "unit", unit.p, unit.n);
	unit = unquote(f->value[XUNIT]);
	taf_record_axis(r, unit.p, unit.n);
}

/* The preamble and the extent of the curve at an offset. */
static enum taf_status
read_curve(const struct taf_capture *c, struct isf *f, uint64_t at, struct taf_err *e)
{
	struct span v;
	enum taf_status st;
	size_t got;

	memset(f->value, 0, sizeof f->value);
	if (taf_capture_peek(c, at, f->text, TAF_ISF_PREAMBLE, &got, e) != TAF_OK)
		return e->code;
	if (!scan_preamble(f->text, got, f))
		return taf_foreign_fail(c,
		    "a Tektronix waveform (no preamble with NR_PT and CURVE)", e);
	f->curve += at;
	v = f->value[ENCDG];
	f->ascii = begins(v, "ASC");
	if (!f->ascii && v.p != NULL && !begins(v, "BIN"))
		return bad_value(f, ENCDG, "BINARY or ASCII", e);
	v = f->value[PT_FMT];
	f->envelope = begins(v, "ENV");
	if (!f->envelope && v.p != NULL && !(v.n == 1 && begins(v, "Y")))
		return bad_value(f, PT_FMT, "Y or ENVELOPE", e);
	st = get_numbers(f, e);
	if (st == TAF_OK)
		st = get_type(f, e);
	if (st == TAF_OK && f->envelope && f->points % 2 != 0)
		st = taf_fail(e, TAF_EDATA, "an envelope of %llu points, not of pairs",
		    (unsigned long long)f->points);
	if (st == TAF_OK)
		st = f->ascii ? read_text(c, f, NULL, e) : find_block(c, f, e);
	return st;
}

/* Go to the curve behind this one; *found is false behind the last. */
static enum taf_status
next_curve(const struct taf_capture *c, struct isf *f, bool *found, struct taf_err *e)
{
	char *text = f->text + TAF_ISF_PREAMBLE;
	struct isf next = { 0 };
	size_t got, i = 0, k;
	bool begun;

	if (taf_capture_peek(c, f->end, text, TAF_ISF_PREAMBLE, &got, e) != TAF_OK)
		return e->code;
	while (i < got && (is_blank(text[i]) || text[i] == ';'))
		i++;
	*found = scan_preamble(text + i, got - i, &next);
	if (*found) {
		f->number++;
		return read_curve(c, f, f->end + i, e);
	}
	/* other bytes at the end are none of ours */
	f->behind = i < got ? c->size - f->end : 0;
	begun = next.curve > 0 || (i < got && text[i] == ':');
	for (k = 0; k < NKEYS; k++)
		begun = begun || next.value[k].p != NULL;
	return !begun ? TAF_OK : taf_fail(e, TAF_ETRUNC,
	    "behind curve %llu: no whole preamble and curve",
	    (unsigned long long)f->number + 1);
}

/* Make curve k the present one. */
static enum taf_status
go_to(const struct taf_capture *c, struct isf *f, uint64_t k, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	bool found = true;

	if (k < f->number) {
		f->number = 0;
		st = read_curve(c, f, 0, e);
	}
	while (st == TAF_OK && found && f->number < k)
		st = next_curve(c, f, &found, e);
	return st == TAF_OK && !found ? taf_fail(e, TAF_EDATA, "no such curve") : st;
}

static enum taf_status
describe(const struct taf_capture *c, uint64_t k, struct taf_record *r, struct taf_err *e)
{
	struct isf *f = c->state;
	const double *v = f->values;
	unsigned columns = f->envelope ? 2 : 1;

	if (go_to(c, f, k, e) != TAF_OK)
		return e->code;
	taf_record_shape(r, f->type, f->points / columns, columns,
	    v[XZERO] - v[PT_OFF] * v[XINCR], v[XINCR] * columns);
	r->interleaved = f->envelope;
	r->big = f->big;
	r->offset = f->data;
	r->packed = f->ascii;
	taf_record_scale(r, v[YMULT], v[YZERO] - v[YMULT] * v[YOFF],
	    "preamble: the offset");
	put_attributes(f, r);
	return TAF_OK;
}

static enum taf_status
unpack(const struct taf_capture *c, uint64_t k, const struct taf_record *r,
    struct taf_out *out, struct taf_err *e)
{
	enum taf_status st = go_to(c, c->state, k, e);

	(void)r;
	return st != TAF_OK ? st : read_text(c, c->state, out, e);
}

static enum taf_status
decode(struct taf_capture *c, struct isf *f, struct taf_err *e)
{
	enum taf_status st;
	bool found = true;

	f->text = malloc(2 * TAF_ISF_PREAMBLE);
	if (f->text == NULL)
		return taf_fail_mem(e);
	st = read_curve(c, f, 0, e);
	while (st == TAF_OK && found)
		st = next_curve(c, f, &found, e);
	c->nrecords = f->number + 1;
	c->left[TAF_LEFT_BYTES] = f->behind;
	return st;
}

static void
release(void *state)
{
	struct isf *f = state;

	free(f->text);
	free(f);
}

enum taf_status
taf_isf_decode(struct taf_capture *c, struct taf_in *in, struct taf_err *e)
{
	struct isf *f = taf_capture_begin(c, in, sizeof *f, describe, e);

	if (f == NULL)
		return TAF_ESYS;
	c->release = release;
	c->unpack = unpack;
	return decode(c, f, e);
}
