/* SPDX-License-Identifier: ISC */
#include "codec/pnm.h"

#include <stdio.h>
#include <string.h>

#include "base/endian.h"
#include "base/num.h"
#include "base/str.h"
#include "codec/taf_foreign.h"

enum { END = -1, SKIPPED = 8 * 1024 };

/* Bytes one by one.  A failure sticks, and looks like the end. */
struct scan {
	struct taf_in *in;
	const unsigned char *p;
	size_t n, at;		/* bytes at p, and how many of them are read */
	struct taf_err *e;
};

/* The input is behind what was read. */
static enum taf_status
scan_end(struct scan *s)
{
	const size_t used = s->at;

	s->n = s->at = 0;
	return s->e->code != TAF_OK ? s->e->code : taf_in_skip(s->in, used, s->e);
}

static int
look(struct scan *s)
{
	if (s->at == s->n && (scan_end(s) != TAF_OK ||
	    taf_in_peek(s->in, 1, &s->p, &s->n, s->e) != TAF_OK))
		s->n = 0;
	return s->at < s->n ? s->p[s->at] : END;
}

static int
next_byte(struct scan *s)
{
	const int c = look(s);

	s->at += c != END;
	return c;
}

/* The next byte; a comment is the end of its line. */
static int
next_char(struct scan *s)
{
	int c = next_byte(s);

	if (c == '#')
		do
			c = next_byte(s);
		while (c != '\n' && c != '\r' && c != END);
	return c;
}

static bool
is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool
is_digit(int c)
{
	return c >= '0' && c <= '9';
}

/* What stands at the last byte that was read is not what was expected. */
static enum taf_status
unexpected(struct scan *s, int c, const char *what)
{
	const unsigned long long at = taf_in_offset(s->in) + s->at;

	if (s->e->code != TAF_OK)
		return s->e->code;
	if (c == END)
		return taf_fail(s->e, TAF_ETRUNC,
		    "offset %llu: the input ends, %s expected", at, what);
	return taf_fail(s->e, TAF_EDATA, c > ' ' &&
	    c < 127 ? "offset %llu: %c, %s expected" :
	    "offset %llu: byte 0x%02x, %s expected", at - 1, (unsigned)c, what);
}

/* A number of digits, and the blank behind it, or the end if that may be there. */
static enum taf_status
number(struct scan *s, const char *what, bool last, uint64_t *v)
{
	int c;

	do
		c = next_char(s);
	while (is_blank(c));
	if (!is_digit(c))
		return unexpected(s, c, what);
	for (*v = 0; is_digit(c); c = next_char(s))
		if (!taf_mul(*v, 10, v) || !taf_add(*v, (uint64_t)(c - '0'), v))
			return taf_fail(s->e, TAF_EDATA, "%s: a number above 64 bits",
			    what);
	if (!is_blank(c) && !(last && c == END))
		return unexpected(s, c, "a blank or a digit");
	return s->e->code;
}

static enum taf_status
set_maxval(struct taf_pnm_form *f, uint64_t v, struct taf_err *e)
{
	if (v < 1 || v > TAF_PNM_MAX)
		return taf_fail(e, TAF_EDATA, "header: a maxval of %llu, not of 1 to %d",
		    (unsigned long long)v, (int)TAF_PNM_MAX);
	f->maxval = (unsigned)v;
	return TAF_OK;
}

/* PBM, PGM and PPM: numbers with blanks between them. */
static enum taf_status
read_numbers(struct scan *s, struct taf_pnm *p)
{
	struct taf_pnm_form *f = &p->form;
	const bool bits = p->kind == '1' || p->kind == '4';
	uint64_t maxval = 1;

	f->depth = p->kind == '3' || p->kind == '6' ? 3 : 1;
	if (number(s, "the width", false, &f->width) != TAF_OK ||
	    number(s, "the height", false, &f->height) != TAF_OK ||
	    (!bits && number(s, "the maxval", false, &maxval) != TAF_OK))
		return s->e->code;
	return set_maxval(f, maxval, s->e);
}

/* A line of PAM's header, without its end. */
static enum taf_status
read_line(struct scan *s, char line[TAF_PNM_LINE + 1])
{
	size_t n = 0;
	int c;

	while ((c = next_byte(s)) != '\n') {
		if (c == END || c == '\0')
			return unexpected(s, c, "a line of the header");
		if (n == TAF_PNM_LINE)
			return taf_fail(s->e, TAF_EDATA,
			    "header: a line of more than %d bytes", (int)TAF_PNM_LINE);
		line[n++] = (char)c;
	}
	while (n > 0 && is_blank(line[n - 1]))
		n--;
	line[n] = '\0';
	return TAF_OK;
}

/* Does the line begin with this word?  Where its value begins then. */
static const char *
value_of(const char *line, const char *word)
{
	const size_t n = strlen(word);

	if (strncmp(line, word, n) != 0 || (line[n] != '\0' && !is_blank(line[n])))
		return NULL;
	line += n;
	while (is_blank(*line))
		line++;
	return line;
}

/* Lines of TUPLTYPE add to one another, with a blank between. */
static enum taf_status
add_tuple(struct taf_pnm_form *f, const char *more, struct taf_err *e)
{
	const size_t n = strlen(f->tuple), m = strlen(more);
	const bool joined = n > 0 && m > 0;

	if (n + joined + m > TAF_PNM_LINE)
		return taf_fail(e, TAF_EDATA,
		    "header: a tuple type of more than %d bytes", (int)TAF_PNM_LINE);
	if (joined)
		f->tuple[n] = ' ';
	memcpy(f->tuple + n + joined, more, m + 1);
	return TAF_OK;
}

/* PAM: lines, in any order. */
static enum taf_status
read_lines(struct scan *s, struct taf_pnm *p)
{
	struct taf_pnm_form *f = &p->form;
	uint64_t maxval = 0;
	const struct {
		const char *word;
		uint64_t *to;
	} facts[] = { { "WIDTH", &f->width }, { "HEIGHT", &f->height },
	    { "DEPTH", &f->depth }, { "MAXVAL", &maxval } };
	enum { FACTS = sizeof facts / sizeof facts[0] };
	bool seen[FACTS] = { false };
	char line[TAF_PNM_LINE + 1];
	const char *v;
	size_t i;

	while (read_line(s, line) == TAF_OK && strcmp(line, "ENDHDR") != 0) {
		const char *at = line + strspn(line, " \t");

		if (line[0] == '#' || *at == '\0')
			continue;
		v = value_of(at, "TUPLTYPE");
		if (v != NULL && add_tuple(f, v, s->e) != TAF_OK)
			return s->e->code;
		for (i = 0; i < FACTS && v == NULL; i++) {
			v = value_of(at, facts[i].word);
			if (v == NULL)
				continue;
			if (seen[i] || !taf_parse_u64(v, strlen(v), facts[i].to))
				return taf_fail(s->e, TAF_EDATA, "header: %s %s",
				    facts[i].word,
				    seen[i] ? "twice" : "without a number");
			seen[i] = true;
		}
		if (v == NULL)
			return taf_fail(s->e, TAF_EDATA,
			    "header: %.32s is no line of a PAM header", at);
	}
	for (i = 0; i < FACTS && s->e->code == TAF_OK; i++)
		if (!seen[i])
			(void)taf_fail(s->e, TAF_EDATA, "header: no %s", facts[i].word);
	return s->e->code != TAF_OK ? s->e->code : set_maxval(f, maxval, s->e);
}

/* Bytes of the raster, or the least that a plain one can have. */
static bool
raster_bytes(const struct taf_pnm *p, uint64_t *n)
{
	switch (p->kind) {
	case '1':
		*n = p->count;
		return true;
	case '2':
	case '3':
		return taf_mul(p->count - 1, 2, n) && taf_add(*n, 1, n);
	case '4':
		return taf_mul(p->form.width / 8 + (p->form.width % 8 > 0),
		    p->form.height, n);
	}
	return taf_mul(p->count, p->form.maxval > 255 ? 2 : 1, n);
}

void
taf_pnm_lengths(const struct taf_pnm_form *f, struct taf_array *a)
{
	taf_array_add_dim(a, f->depth, 1, 1);
	taf_array_add_dim(a, f->width, 1, 1);
	taf_array_add_dim(a, f->height, 1, 1);
}

/* Can there be such an image, and can the input hold it? */
static enum taf_status
check(struct taf_pnm *p, struct taf_err *e)
{
	const struct taf_pnm_form *f = &p->form;
	struct taf_array a;
	uint64_t bytes;

	if (f->width == 0 || f->height == 0 || f->depth == 0)
		return taf_fail(e, TAF_EDATA, "header: a size of 0");
	taf_array_init(&a);
	a.type = TAF_UINT16;
	taf_pnm_lengths(f, &a);
	if (taf_array_check(&a, e) != TAF_OK)
		return e->code;
	p->count = p->left = taf_array_count(&a);
	if (taf_in_seekable(p->in) && (!raster_bytes(p, &bytes) ||
	    bytes > taf_in_left(p->in)))
		return taf_fail(e, TAF_ETRUNC,
		    "offset %llu: an image of %llu x %llu pixels, but %llu bytes are there",
		    (unsigned long long)taf_in_offset(p->in),
		    (unsigned long long)f->width, (unsigned long long)f->height,
		    (unsigned long long)taf_in_left(p->in));
	return TAF_OK;
}

/* All that is left of the present image is read and thrown away. */
static enum taf_status
pass(struct taf_pnm *p, struct taf_err *e)
{
	uint16_t block[SKIPPED];
	enum taf_status st = TAF_OK;

	if (p->left > 0 && taf_pnm_plain_bytes(p)) {
		st = taf_in_skip(p->in, p->left, e);
		p->left = 0;
	}
	while (p->left > 0 && st == TAF_OK)
		st = taf_pnm_read(p, block, p->left < SKIPPED ? (size_t)p->left : SKIPPED,
		    e);
	return st;
}

enum taf_status
taf_pnm_next(struct taf_pnm *p, struct taf_err *e)
{
	struct scan s = { .in = p->in, .e = e };
	enum taf_status st = pass(p, e);
	int c;

	if (st != TAF_OK)
		return st;
	memset(&p->form, 0, sizeof p->form);
	p->bits = 0;
	while (is_blank(look(&s)))
		s.at++;
	c = next_byte(&s);
	if (c == END && e->code == TAF_OK && p->images > 0)
		return scan_end(&s) == TAF_OK ? TAF_END : e->code;
	if (c == 'P')
		c = next_byte(&s);
	else if (c != END && p->images == 0)
		return taf_foreign_here(p->in, "image of netpbm (P1 to P7)", e);
	if (c < '1' || c > '7')
		return unexpected(&s, c, "an image of netpbm (P1 to P7)");
	p->kind = (char)c;
	p->form.pam = c == '7';
	c = look(&s);
	if (!is_blank(c) && c != '#' && c != END)
		return unexpected(&s, next_byte(&s), "a blank behind P and a digit");
	if (p->form.pam && next_byte(&s) != '\n')
		return unexpected(&s, c, "a new line behind P7");
	st = p->form.pam ? read_lines(&s, p) : read_numbers(&s, p);
	if (st == TAF_OK)
		st = scan_end(&s);
	if (st == TAF_OK)
		st = check(p, e);
	p->images++;
	return st;
}

enum taf_status
taf_pnm_array(const struct taf_pnm *p, struct taf_array *a, struct taf_err *e)
{
	const struct taf_pnm_form *f = &p->form;
	const unsigned usual = f->maxval > 255 ? TAF_PNM_MAX : 255;
	char digits[16];

	a->type = f->maxval > 255 ? TAF_UINT16 : TAF_UINT8;
	a->code = TAF_CODE_IMAGE;
	if (f->depth > 1)
		taf_array_add_dim(a, f->depth, 1, 1);
	taf_array_add_dim(a, f->width, 1, 1);
	taf_array_add_dim(a, f->height, 1, 1);
	if (f->depth > 1 &&
	    taf_attr_set(a, "label", TAF_OF_DIM, 1, "component", e) != TAF_OK)
		return e->code;
	(void)snprintf(digits, sizeof digits, "%u", f->maxval);
	if (f->maxval != usual &&
	    taf_attr_set(a, TAF_PNM_MAXVAL, TAF_OF_ARRAY, 0, digits, e) != TAF_OK)
		return e->code;
	if (f->tuple[0] != '\0' &&
	    taf_attr_set(a, TAF_PNM_TUPLE, TAF_OF_ARRAY, 0, f->tuple, e) != TAF_OK)
		return e->code;
	return TAF_OK;
}

bool
taf_pnm_plain_bytes(const struct taf_pnm *p)
{
	return p->kind >= '5' && p->form.maxval == 255;
}

/* Number `index` of the image, from 0, is too large. */
static enum taf_status
too_large(const struct taf_pnm *p, uint64_t index, uint64_t v, struct taf_err *e)
{
	const uint64_t pixel = index / p->form.depth;

	return taf_fail(e, TAF_EDATA,
	    "image %llu, column %llu, row %llu: %llu, more than the maxval of %u",
	    (unsigned long long)p->images,
	    (unsigned long long)(pixel % p->form.width + 1),
	    (unsigned long long)(pixel / p->form.width + 1), (unsigned long long)v,
	    p->form.maxval);
}

/* 1 is black there, and 0 in an image of all other kinds. */
static enum taf_status
read_bits(struct scan *s, struct taf_pnm *p, unsigned char *to, size_t n)
{
	size_t i;
	int c;

	for (i = 0; i < n; i++) {
		const uint64_t column = (p->count - p->left + i) % p->form.width;

		if (p->kind == '4' && column % 8 > 0) {
			p->bits <<= 1;
		} else if (p->kind == '4') {
			c = next_byte(s);
			if (c == END)
				return unexpected(s, c, "bits of the image");
			p->bits = (unsigned)c;
		} else {
			do
				c = next_char(s);
			while (is_blank(c));
			if (c != '0' && c != '1')
				return unexpected(s, c, "a 0 or 1 of the image");
			p->bits = c == '1' ? 0x80 : 0;
		}
		to[i] = (p->bits & 0x80) == 0;
	}
	return s->e->code;
}

static void
store(const struct taf_pnm *p, void *to, size_t i, uint64_t v)
{
	if (p->form.maxval > 255)
		((uint16_t *)to)[i] = (uint16_t)v;
	else
		((unsigned char *)to)[i] = (unsigned char)v;
}

static enum taf_status
read_text(struct scan *s, struct taf_pnm *p, void *to, size_t n)
{
	uint64_t v;
	size_t i;

	for (i = 0; i < n; i++) {
		if (number(s, "a number of the image", true, &v) != TAF_OK)
			return s->e->code;
		if (v > p->form.maxval)
			return too_large(p, p->count - p->left + i, v, s->e);
		store(p, to, i, v);
	}
	return TAF_OK;
}

static enum taf_status
read_raw(struct taf_pnm *p, void *to, size_t n, struct taf_err *e)
{
	const bool wide = p->form.maxval > 255;
	const unsigned char *bytes = to;
	const uint16_t *words = to;
	size_t i;

	if (taf_in_read(p->in, to, wide ? 2 * n : n, e) != TAF_OK)
		return e->code;
	for (i = 0; i < n; i++) {
		const unsigned v = wide ? taf_get16(&words[i], true) : bytes[i];

		if (v > p->form.maxval)
			return too_large(p, p->count - p->left + i, v, e);
		store(p, to, i, v);
	}
	return TAF_OK;
}

enum taf_status
taf_pnm_read(struct taf_pnm *p, void *to, size_t n, struct taf_err *e)
{
	struct scan s = { .in = p->in, .e = e };
	enum taf_status st;

	if (p->kind >= '5')
		st = read_raw(p, to, n, e);
	else if (p->kind == '1' || p->kind == '4')
		st = read_bits(&s, p, to, n);
	else
		st = read_text(&s, p, to, n);
	if (st == TAF_OK)
		st = scan_end(&s);
	p->left -= n;
	return st;
}

/* The tuple types that pam(5) names, and numbers of a pixel. */
static const struct {
	const char *name;
	unsigned depth;
} tuples[] = {
	{ "BLACKANDWHITE", 1 }, { "GRAYSCALE", 1 }, { "RGB", 3 },
	{ "BLACKANDWHITE_ALPHA", 2 }, { "GRAYSCALE_ALPHA", 2 }, { "RGB_ALPHA", 4 },
};

const char *
taf_pnm_tuple(const struct taf_array *a, uint64_t depth)
{
	const char *t = taf_attr_get(a, TAF_PNM_TUPLE, TAF_OF_ARRAY, 0);
	size_t i;

	if (t == NULL || strlen(t) + strlen("TUPLTYPE ") > TAF_PNM_LINE ||
	    strpbrk(t, "\n\r") != NULL || is_blank(*t))
		return "";
	for (i = 0; i < sizeof tuples / sizeof tuples[0]; i++)
		if (strcmp(t, tuples[i].name) == 0 && tuples[i].depth != depth)
			return "";
	return t;
}

enum taf_status
taf_pnm_format(const struct taf_pnm_form *f, struct taf_buf *to, struct taf_err *e)
{
	const unsigned long long width = f->width, height = f->height, depth = f->depth;
	const char *tuple = f->tuple;

	if (!f->pam && (depth == 1 || depth == 3))
		return taf_buf_printf(to, e, "P%c\n%llu %llu\n%u\n",
		    depth == 1 ? '5' : '6', width, height, f->maxval);
	if (tuple[0] == '\0')
		tuple = depth == 2 ? "GRAYSCALE_ALPHA" : depth == 4 ? "RGB_ALPHA" : "";
	if (taf_buf_printf(to, e, "P7\nWIDTH %llu\nHEIGHT %llu\nDEPTH %llu\nMAXVAL %u\n",
	    width, height, depth, f->maxval) != TAF_OK ||
	    (tuple[0] != '\0' && taf_buf_printf(to, e, "TUPLTYPE %s\n", tuple) != TAF_OK))
		return e->code;
	return taf_buf_puts(to, "ENDHDR\n", e);
}
