/* SPDX-License-Identifier: ISC */
#include "codec/capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "codec/taf_foreign.h"

enum {
	FIELD = 1024		/* the longest text of a field */
};

void
taf_capture_init(struct taf_capture *c, struct taf_in *in)
{
	*c = (struct taf_capture){ .name = c->name, .memory = c->memory,
		.complex = c->complex, .raw = c->raw, .arrays = c->arrays, .in = in,
		.base = taf_in_offset(in), .size = taf_in_left(in) };
}

void *
taf_capture_begin(struct taf_capture *c, struct taf_in *in, size_t n,
    enum taf_status (*describe)(const struct taf_capture *c, uint64_t k,
    struct taf_record *r, struct taf_err *e), struct taf_err *e)
{
	taf_capture_init(c, in);
	c->state = calloc(1, n);
	if (c->state == NULL)
		(void)taf_fail_mem(e);
	c->release = free;
	c->describe = describe;
	return c->state;
}

void
taf_capture_fini(struct taf_capture *c)
{
	if (c->release != NULL)
		c->release(c->state);
	taf_in_close(c->data);
	taf_buf_free(&c->kept);
	memset(c, 0, sizeof *c);
}

enum taf_status
taf_capture_inside(const struct taf_capture *c, uint64_t off, uint64_t n,
    const char *what, struct taf_err *e)
{
	if (off <= c->size && n <= c->size - off)
		return TAF_OK;
	return taf_fail(e, TAF_ETRUNC,
	    "%s: %llu bytes at offset %llu, but the file has %llu", what,
	    (unsigned long long)n, (unsigned long long)off, (unsigned long long)c->size);
}

enum taf_status
taf_capture_read(const struct taf_capture *c, uint64_t off, void *p, size_t n,
    const char *what, struct taf_err *e)
{
	enum taf_status st = taf_capture_inside(c, off, n, what, e);

	return st != TAF_OK ? st : taf_in_pread(c->in, p, n, c->base + off, e);
}

enum taf_status
taf_capture_peek(const struct taf_capture *c, uint64_t off, void *p, size_t n,
    size_t *got, struct taf_err *e)
{
	uint64_t left = off < c->size ? c->size - off : 0;

	*got = left < n ? (size_t)left : n;
	return taf_in_pread(c->in, p, *got, c->base + off, e);
}

enum taf_status
taf_capture_end(struct taf_capture *c, uint64_t end, struct taf_err *e)
{
	unsigned char p[3];
	size_t got, i = 0;

	if (taf_capture_peek(c, end, p, sizeof p, &got, e) != TAF_OK)
		return e->code;
	i += i < got && p[i] == '\r';
	i += i < got && p[i] == '\n';
	c->left[TAF_LEFT_BYTES] = i < got ? c->size - end : 0;
	return TAF_OK;
}

void
taf_capture_count(struct taf_capture *c, uint64_t there, uint64_t counted)
{
	if (there > counted)
		c->left[TAF_LEFT_SAMPLES] += there - counted;
	else
		c->left[TAF_LEFT_MISSING] += counted - there;
}

static enum taf_status
check_record(const struct taf_capture *c, const struct taf_record *r, struct taf_err *e)
{
	const struct taf_array *a = &r->array;
	uint64_t bytes;

	if (taf_array_check(a, e) != TAF_OK)
		return e->code;
	if (taf_array_count(a) == 0 && !r->empty)
		return taf_fail(e, TAF_EDATA, "no samples");
	if (!taf_is_finite(a->dim[0].start))
		return taf_fail(e, TAF_EDATA,
		    "the time of the first sample is not finite");
	if (!taf_is_finite(a->dim[0].step) || !(a->dim[0].step < 0 || a->dim[0].step > 0))
		return taf_fail(e, TAF_EDATA, "the step of the samples is %s",
		    taf_is_finite(a->dim[0].step) ? "0" : "not finite");
	if (r->scaled && !(taf_is_finite(r->scale) && taf_is_finite(r->shift)))
		return taf_fail(e, TAF_EDATA,
		    "scale or offset of the samples is not finite");
	if (r->packed || r->text)
		return TAF_OK;
	if (!taf_mul(taf_array_count(a), taf_type_size(r->stored) * taf_record_parts(r),
	    &bytes))
		return taf_fail(e, TAF_EDATA, "%llu samples are too many",
		    (unsigned long long)taf_array_count(a));
	return taf_capture_inside(c, r->offset, bytes, "samples", e);
}

void
taf_capture_name(const char *what, uint64_t k, struct taf_err *e)
{
	struct taf_err cause = *e;

	taf_err_clear(e);
	(void)taf_fail(e, cause.code, "%s %llu: %.400s", what, (unsigned long long)k + 1,
	    cause.text);
	e->sys = cause.sys;
	taf_err_name(e, cause.name);
}

enum taf_status
taf_capture_record(const struct taf_capture *c, uint64_t k, struct taf_record *r,
    struct taf_err *e)
{
	enum taf_status st;

	memset(r, 0, sizeof *r);
	taf_array_init(&r->array);
	r->err = e;
	st = c->describe(c, k, r, e);
	if (st == TAF_OK)
		st = r->st;
	if (st == TAF_OK)
		st = check_record(c, r, e);
	if (st != TAF_OK && c->nrecords > 1)
		taf_capture_name("record", k, e);
	return st;
}

void
taf_record_shape(struct taf_record *r, enum taf_type type, uint64_t n, unsigned columns,
    double start, double step)
{
	r->array.type = r->stored = type;
	r->array.ndim = 0;
	taf_array_add_dim(&r->array, n, start, step);
	taf_array_add_dim(&r->array, columns, 1, 1);
}

void
taf_record_scale(struct taf_record *r, double scale, double offset, const char *what)
{
	if (taf_type_is_int(r->stored)) {
		r->array.slope = scale;
		r->array.intercept = offset;
		if (!taf_array_mapped(&r->array) && r->st == TAF_OK)
			r->st = taf_fail(r->err, TAF_EDATA, "%s is not finite", what);
		return;
	}
	/* a NaN is found by the check of the record */
	r->scaled = !(scale >= 1 && scale <= 1 && offset >= 0 && offset <= 0);
	r->scale = scale;
	r->shift = offset;
	if (r->scaled)
		r->array.type = TAF_FLT64;
}

/* A field as plain text, NUL-terminated; its length. */
static size_t
clean(const void *field, size_t n, char text[FIELD + 1])
{
	const char *p = field;
	size_t len = 0;

	/* n is 0 where field is NULL */
	while (n > 0 && *p == ' ') {
		p++;
		n--;
	}
	for (; len < n && len < FIELD && p[len] != '\0'; len++) {
		unsigned char ch = (unsigned char)p[len];

		text[len] = ch == '"' ? '\'' : ch < 0x20 || ch == 0x7f ? ' ' : p[len];
	}
	while (len > 0 && text[len - 1] == ' ')
		len--;
	text[len] = '\0';
	return len;
}

static void
set(struct taf_record *r, const char *key, enum taf_scope scope, unsigned k,
    const char *text)
{
	if (r->st == TAF_OK)
		r->st = taf_attr_set(&r->array, key, scope, k, text, r->err);
}

void
taf_record_text(struct taf_record *r, const char *key, const void *field, size_t n)
{
	char text[FIELD + 1];

	if (clean(field, n, text) > 0)
		set(r, key, TAF_OF_ARRAY, 0, text);
}

void
taf_record_number(struct taf_record *r, const char *key, double v)
{
	set(r, key, TAF_OF_ARRAY, 0, taf_f64(v).s);
}

static char
capital(char c)
{
	return (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

bool
taf_field_begins(const void *field, size_t n, const char *word)
{
	const char *p = field;
	size_t i;

	for (i = 0; word[i] != '\0'; i++)
		if (i >= n || capital(p[i]) != word[i])
			return false;
	return true;
}

static bool
same_word(const char *text, const char *word)
{
	return strlen(text) == strlen(word) && taf_field_begins(text, strlen(text), word);
}

void
taf_record_axis(struct taf_record *r, const void *unit, size_t n)
{
	const char *label = NULL, *name;
	char text[FIELD + 1];

	(void)clean(unit, n, text);
	name = text;
	if (text[0] == '\0' || same_word(text, "S") || same_word(text, "SEC") ||
	    same_word(text, "SECONDS")) {
		label = "Time";
		name = "s";
	} else if (same_word(text, "HZ")) {
		label = "Frequency";
		name = "Hz";
	}
	set(r, "label", TAF_OF_DIM, 1, label);
	set(r, "unit", TAF_OF_DIM, 1, name);
}

void
taf_record_date(struct taf_record *r, const struct taf_record_date *d)
{
	char text[64];
	int n;
	unsigned digits = 9, fraction = d->nanosecond;

	if (d->year < 1 || d->year > 9999 || d->month < 1 || d->month > 12 ||
	    d->day < 1 || d->day > 31 || d->hour > 23 || d->minute > 59 ||
	    d->second > 60 || fraction > 999999999)
		return;
	while (digits > 0 && fraction % 10 == 0) {
		fraction /= 10;
		digits--;
	}
	n = snprintf(text, sizeof text, "%04u-%02u-%02uT%02u:%02u:%02u", d->year,
	    d->month, d->day, d->hour, d->minute, d->second);
	if (digits > 0)
		n += snprintf(text + n, sizeof text - (size_t)n, ".%0*u", (int)digits,
		    fraction);
	(void)snprintf(text + n, sizeof text - (size_t)n, "%s", d->utc ? "Z" : "");
	set(r, "date", TAF_OF_ARRAY, 0, text);
}

bool
taf_record_calendar(struct taf_record *r, const char *day, const char *month,
    const char *year, const char *clock)
{
	static const char *const months[] = { "JAN", "FEB", "MAR", "APR", "MAY", "JUN",
	    "JUL", "AUG", "SEP", "OCT", "NOV", "DEC" };
	struct taf_record_date d = { 0 };
	const bool one = day[0] == ' ';
	const struct {
		const char *text;
		size_t n;
		unsigned *to;
	} numbers[] = {
		{ day + one, one ? 1 : 2, &d.day }, { year, 4, &d.year },
		{ clock, 2, &d.hour }, { clock + 3, 2, &d.minute },
		{ clock + 6, 2, &d.second },
	};
	uint64_t v;
	unsigned i;

	for (i = 0; i < 12; i++)
		if (taf_field_begins(month, 3, months[i]))
			d.month = i + 1;
	for (i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
		if (!taf_parse_u64(numbers[i].text, numbers[i].n, &v))
			return false;
		*numbers[i].to = (unsigned)v;
	}
	if (d.month == 0)
		return false;
	taf_record_date(r, &d);
	return true;
}

enum taf_status
taf_foreign_fail(const struct taf_capture *c, const char *wanted, struct taf_err *e)
{
	unsigned char p[TAF_FOREIGN_SEEN + 8];
	char what[TAF_FOREIGN_TEXT];
	size_t got;

	if (taf_capture_peek(c, 0, p, sizeof p, &got, e) != TAF_OK)
		return e->code;
	return taf_fail(e, TAF_EDATA, "%s, not %s",
	    taf_foreign_text(p, got, what) ? what : "of a kind not known here", wanted);
}

enum taf_status
taf_capture_tell(const struct taf_capture *c, taf_capture_sniff *sniff,
    const char *wanted, void *p, size_t n, struct taf_err *e)
{
	size_t got;

	if (taf_capture_peek(c, 0, p, n, &got, e) != TAF_OK)
		return e->code;
	return sniff(p, got) ? TAF_OK : taf_foreign_fail(c, wanted, e);
}
