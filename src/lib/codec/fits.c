/* SPDX-License-Identifier: ISC */
/* Sections are those of the FITS standard 4.0 (IAU FITS Working Group, 2018). */
#include "codec/capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/missing.h"
#include "array/region.h"
#include "base/num.h"
#include "base/str.h"
#include "codec/tag.h"

enum {
	BLOCK = 2880, CARD = 80,	/* section 3.1 */
	AHEAD = 8 * BLOCK,		/* that is read at once of a header */
	CARDS_MOST = 10000		/* of a header */
};

/* A card (section 4.1). */
struct card {
	char key[CARD + 1], value[CARD + 1];	/* as text, without quotes */
	bool valued, quoted;
};

/* A header: its cards up to END, and what the mandatory ones say (section 4.4.1). */
struct header {
	struct taf_buf cards;
	size_t n;		/* how many */
	unsigned type;		/* of types */
	unsigned ndim;
	uint64_t length[TAF_MAX_DIM];
	uint64_t count, bytes;	/* of elements, and of all of the data */
	bool linear[TAF_MAX_DIM];	/* the dimension has a grid of its own */
};

/* By BITPIX; with the last as BZERO, and no BSCALE, integers have the other sign. */
static const struct {
	int bitpix;
	enum taf_type stored, biased;
	double zero;
} types[] = {
	{ 8, TAF_UINT8, TAF_INT8, -128 }, { 16, TAF_INT16, TAF_UINT16, 0x1p15 },
	{ 32, TAF_INT32, TAF_UINT32, 0x1p31 }, { 64, TAF_INT64, TAF_UINT64, 0x1p63 },
	{ -32, TAF_FLT32, TAF_FLT32, 0 }, { -64, TAF_FLT64, TAF_FLT64, 0 },
};
enum { TYPES = sizeof types / sizeof types[0] };

bool
taf_fits_sniff(const unsigned char *p, size_t n)
{
	return n >= 10 && memcmp(p, "SIMPLE  = ", 10) == 0;
}

/* --- cards --- */

/* n characters without the blanks around them. */
static void
trim(char to[CARD + 1], const char *p, size_t n)
{
	for (; n > 0 && *p == ' '; n--)
		p++;
	while (n > 0 && p[n - 1] == ' ')
		n--;
	memcpy(to, p, n);
	to[n] = '\0';
}

/* The value in n characters, which a comment may follow (section 4.2). */
static void
take_value(struct card *c, const char *p, size_t n)
{
	char text[CARD];
	size_t k = 0, len = 0;

	while (k < n && p[k] == ' ')
		k++;
	c->quoted = k < n && p[k] == '\'';
	for (k += c->quoted; k < n; k++) {
		/* a quote in a string is there twice */
		if (c->quoted ? p[k] == '\'' && (++k == n || p[k] != '\'') : p[k] == '/')
			break;
		text[len++] = !c->quoted && p[k] == 'D' ? 'E' : p[k];
	}
	trim(c->value, text, len);
}

/* Card k of the header. */
static void
read_card(const struct header *h, size_t k, struct card *c)
{
	const char *p = h->cards.data + k * CARD, *equals = memchr(p, '=', CARD);
	size_t at = p[8] == '=' && p[9] == ' ' ? 10 : 8;	/* of the value */

	trim(c->key, p, 8);
	if (strcmp(c->key, "HIERARCH") == 0 && equals != NULL) {
		at = (size_t)(equals - p) + 1;
		trim(c->key, p + 8, at - 9);
	}
	c->valued = at > 8;
	c->quoted = false;
	if (c->valued || strcmp(c->key, "CONTINUE") == 0)
		take_value(c, p + at, CARD - at);
	else
		trim(c->value, p + at, CARD - at);
}

/* Is the key this word, with a number behind it or not? */
static bool
is_called(const struct card *c, const char *word)
{
	const size_t n = strlen(word);

	return strncmp(c->key, word, n) == 0 &&
	    c->key[n + strspn(c->key + n, "0123456789")] == '\0';
}

/* The first value of a key, or of the one with a number from 1; "" if there is none. */
static bool
find(const struct header *h, const char *word, unsigned number, struct card *c)
{
	char key[CARD + 1];
	size_t k;

	/* no digits of 0 */
	(void)snprintf(key, sizeof key, "%s%.0u", word, number);
	for (k = 0; k < h->n; k++)
		if (memcmp(h->cards.data + k * CARD, key, strlen(key)) == 0) {
			read_card(h, k, c);
			if (c->valued && strcmp(c->key, key) == 0)
				return true;
		}
	c->value[0] = '\0';
	return false;
}

/* The same as a number; *x stays where it is not there, or none. */
static bool
find_number(const struct header *h, const char *word, unsigned number, double *x)
{
	struct card c;

	return !find(h, word, number, &c) || (!c.quoted &&
	    taf_parse_f64(c.value, strlen(c.value), x) && taf_is_finite(*x));
}

/* Read all cards of the header at *at up to END; *at is then behind its last block. */
static enum taf_status
read_cards(const struct taf_capture *c, uint64_t *at, struct header *h,
    struct taf_err *e)
{
	size_t got, i;

	for (h->n = h->cards.len = 0; h->n < CARDS_MOST; h->n++) {
		if (h->n * CARD == h->cards.len) {
			if (taf_buf_reserve(&h->cards, AHEAD, e) != TAF_OK ||
			    taf_capture_peek(c, *at + h->cards.len,
			    h->cards.data + h->cards.len, AHEAD, &got, e) != TAF_OK)
				return e->code;
			if (got < BLOCK)
				return taf_fail(e, TAF_ETRUNC,
				    "the file ends before END of its header");
			h->cards.len += got - got % BLOCK;
		}
		for (i = h->n * CARD; i < (h->n + 1) * CARD; i++)
			if ((unsigned char)h->cards.data[i] < ' ')
				return taf_fail(e, TAF_EDATA, "card %zu is no text",
				    h->n + 1);
		if (memcmp(h->cards.data + h->n * CARD, "END     ", 8) == 0) {
			*at += (h->n * CARD / BLOCK + 1) * BLOCK;
			return TAF_OK;
		}
	}
	return taf_fail(e, TAF_EDATA, "no END among %d cards", (int)CARDS_MOST);
}

/* A value that has to be there, as an integer. */
static enum taf_status
integer(const struct header *h, const char *word, unsigned number, int64_t least,
    int64_t most, int64_t *v, struct taf_err *e)
{
	struct card c;

	return find(h, word, number, &c) && !c.quoted &&
	    taf_parse_i64(c.value, strlen(c.value), v) && *v >= least && *v <= most ?
	    TAF_OK : taf_fail(e, TAF_EDATA, "%s%s is \"%s\"", word,
	    number > 0 ? "n" : "", c.value);
}

/* The header at *at, and how much data it says there are (section 7.1.1). */
static enum taf_status
read_header(const struct taf_capture *c, uint64_t *at, struct header *h,
    struct taf_err *e)
{
	int64_t bitpix, v, ndim, groups = 1, heap = 0;
	const bool first = *at == 0;
	bool fits = true;

	if (read_cards(c, at, h, e) != TAF_OK ||
	    integer(h, "BITPIX", 0, -64, 64, &bitpix, e) != TAF_OK ||
	    integer(h, "NAXIS", 0, 0, TAF_MAX_DIM, &ndim, e) != TAF_OK)
		return e->code;
	for (h->type = 0; h->type < TYPES && types[h->type].bitpix != bitpix; h->type++)
		;
	if (h->type == TYPES)
		return taf_fail(e, TAF_EDATA, "BITPIX is %lld", (long long)bitpix);
	h->count = ndim > 0;
	for (h->ndim = 0; h->ndim < (unsigned)ndim; h->ndim++) {
		if (integer(h, "NAXIS", h->ndim + 1, 0, INT64_MAX, &v, e) != TAF_OK)
			return e->code;
		h->length[h->ndim] = (uint64_t)v;
		fits = taf_mul(h->count, (uint64_t)v, &h->count) && fits;
	}
	if (!first && (integer(h, "PCOUNT", 0, 0, INT64_MAX, &heap, e) != TAF_OK ||
	    integer(h, "GCOUNT", 0, 1, INT64_MAX, &groups, e) != TAF_OK))
		return e->code;
	return fits && taf_add(h->count, (uint64_t)heap, &h->bytes) &&
	    taf_mul(h->bytes, (uint64_t)groups, &h->bytes) &&
	    taf_mul(h->bytes, taf_type_size(types[h->type].stored), &h->bytes) &&
	    h->bytes <= UINT64_MAX - BLOCK ? TAF_OK :
	    taf_fail(e, TAF_EDATA, "more data than any file has");
}

/* --- units --- */

/* Is it an image?  A compressed one, and a table unless images alone are wanted, fail. */
static enum taf_status
look(bool images, const struct header *h, bool *image, struct taf_err *e)
{
	struct card c, name;
	const bool packed = find(h, "ZIMAGE", 0, &name) && name.value[0] == 'T';

	read_card(h, 0, &c);
	*image = strcmp(c.key, "SIMPLE") == 0 ? c.value[0] == 'T' :
	    strcmp(c.value, "IMAGE") == 0;
	if (*image || (images && !packed))
		return TAF_OK;
	if (packed)
		return taf_fail(e, TAF_EDATA, "a compressed image (funpack unpacks it)");
	(void)find(h, "EXTNAME", 0, &name);
	return taf_fail(e, TAF_EDATA, "%s = %s %s, no image%s", c.key, c.value,
	    name.value, c.quoted ? " (--images leaves it out)" : "");
}

/* The unit at *at; *at is then behind it. */
static enum taf_status
take_unit(struct taf_capture *c, uint64_t *at, struct header *h, struct taf_err *e)
{
	const uint64_t header = *at;
	uint64_t bytes;
	bool image;

	if (read_header(c, at, h, e) != TAF_OK ||
	    look(c->arrays && header > 0, h, &image, e) != TAF_OK)
		return e->code;
	/* a file without the padding was cut, and nothing else tells what is missing */
	bytes = (h->bytes + BLOCK - 1) / BLOCK * BLOCK;
	if (taf_capture_inside(c, *at, bytes, "data and padding", e) != TAF_OK)
		return e->code;
	*at += bytes;
	if (image && h->count > 0) {
		c->nrecords++;
		return taf_buf_put(&c->kept, &header, sizeof header, e);
	}
	c->left[TAF_LEFT_OBJECTS] += header > 0;
	return TAF_OK;
}

/* --- arrays --- */

/* May a value depend on several pixel axes: by a matrix, or an angle (section 8.1)? */
static bool
is_turned(const struct header *h)
{
	struct card c;
	double x;
	size_t k;

	for (k = 0; k < h->n; k++) {
		read_card(h, k, &c);
		if (is_called(&c, "CROTA") ?
		    taf_parse_f64(c.value, strlen(c.value), &x) && x != 0 :
		    strchr(c.key, '_') != NULL &&
		    (memcmp(c.key, "CD", 2) == 0 || memcmp(c.key, "PC", 2) == 0))
			return true;
	}
	return false;
}

/* Dimensions; a grid that is not linear, or not along one axis, is that of indices. */
static enum taf_status
put_grid(struct header *h, struct taf_array *a, struct taf_err *e)
{
	const bool turned = is_turned(h);
	unsigned k;

	for (k = 0; k < h->ndim; k++) {
		double value = 0, pixel = 0, step = 1, start;
		struct card type;

		if (!find_number(h, "CRVAL", k + 1, &value) ||
		    !find_number(h, "CRPIX", k + 1, &pixel) ||
		    !find_number(h, "CDELT", k + 1, &step))
			return taf_fail(e, TAF_EDATA,
			    "CRVAL, CRPIX or CDELT of axis %u is no number", k + 1);
		start = value + (1 - pixel) * step;
		(void)find(h, "CTYPE", k + 1, &type);
		/* 4 letters, a minus, and an algorithm (section 8.2) */
		h->linear[k] = !turned && step != 0 && taf_is_finite(start) &&
		    !(strlen(type.value) > 4 && type.value[4] == '-');
		taf_array_add_dim(a, h->length[k], h->linear[k] ? start : 1,
		    h->linear[k] ? step : 1);
	}
	return TAF_OK;
}

/* Type and mapping of the values, and what marks missing ones (section 4.4.2.5). */
static enum taf_status
put_values(bool raw, const struct header *h, struct taf_record *r, struct taf_err *e)
{
	const bool integers = types[h->type].bitpix > 0;
	struct taf_array *const a = &r->array;
	double scale = 1, zero = 0;
	uint64_t mark;
	char text[24];
	struct card c;
	int64_t blank;

	if (!find_number(h, "BSCALE", 0, &scale) || !find_number(h, "BZERO", 0, &zero))
		return taf_fail(e, TAF_EDATA, "BSCALE or BZERO is no number");
	r->stored = types[h->type].stored;
	r->biased = !raw && integers && scale == 1 && zero == types[h->type].zero;
	a->type = r->biased ? types[h->type].biased : r->stored;
	if (!raw && !r->biased && (zero != 0 || scale != 1)) {
		a->intercept = zero;
		a->slope = scale;
	}
	if (!integers || !find(h, "BLANK", 0, &c) ||
	    !taf_parse_i64(c.value, strlen(c.value), &blank) ||
	    !taf_type_holds(r->stored, blank))
		return TAF_OK;
	mark = (uint64_t)blank;
	if (r->biased)
		mark += zero > 0 ? (uint64_t)zero : (uint64_t)(int64_t)zero;
	(void)snprintf(text, sizeof text, r->biased && zero > 0 ? "%llu" : "%lld",
	    (unsigned long long)mark);
	return taf_missing_set(a, TAF_MISSING_KEY "_FillValue", text, e);
}

/* A card whose value is text: an attribute, unless the array says it by itself. */
static void
put_card(bool raw, const struct header *h, const struct card *c, const char *text,
    struct taf_array *a, struct taf_err *e)
{
	enum { ALWAYS, AXIS, LINEAR, VALUES };
	static const struct {
		const char *stem, *name;	/* of the array, or nothing more */
		int when;
	} words[] = {
		{ "CRVAL", NULL, LINEAR }, { "CRPIX", NULL, LINEAR },
		{ "CDELT", NULL, LINEAR }, { "CUNIT", "unit", LINEAR },
		{ "BSCALE", NULL, VALUES }, { "BZERO", NULL, VALUES },
		{ "BUNIT", "unit", VALUES }, { "CTYPE", "label", AXIS },
		/* of the file */
		{ "SIMPLE", NULL, ALWAYS }, { "XTENSION", NULL, ALWAYS },
		{ "EXTEND", NULL, ALWAYS }, { "BITPIX", NULL, ALWAYS },
		{ "NAXIS", NULL, ALWAYS }, { "PCOUNT", NULL, ALWAYS },
		{ "GCOUNT", NULL, ALWAYS }, { "CHECKSUM", NULL, ALWAYS },
		{ "DATASUM", NULL, ALWAYS },
	};
	const char *digits = c->key + strcspn(c->key, "0123456789");
	unsigned k = 0;
	const bool axis = taf_dim_number(digits, strlen(digits), &k) && k <= h->ndim,
	    is[] = { [ALWAYS] = true, [AXIS] = axis,
		[LINEAR] = axis && h->linear[k - 1], [VALUES] = !raw };
	char key[sizeof "fits/" + CARD];
	size_t i;

	for (i = 0; i < sizeof words / sizeof words[0]; i++)
		if (is_called(c, words[i].stem) && is[words[i].when]) {
			if (words[i].name != NULL)
				(void)taf_tag(a, axis ? k : 0, words[i].name, text, e);
			return;
		}
	(void)snprintf(key, sizeof key, "fits/%s", c->key);
	taf_tag_said(a, 0, key, text, !c->quoted, e);
}

/* All cards, as attributes and lines of the comment. */
static void
put_cards(bool raw, const struct header *h, struct taf_array *a, struct taf_err *e)
{
	struct taf_str text = { .err = e };
	struct card c, next;
	size_t i;

	for (i = 0; i < h->n && e->code == TAF_OK; i++) {
		read_card(h, i, &c);
		text.buf.len = 0;
		taf_str_puts(&text, c.value);
		/* a long string (section 4.2.1.2) */
		while (text.st == TAF_OK && c.quoted && taf_ends(text.buf.data, "&") &&
		    i + 1 < h->n) {
			read_card(h, i + 1, &next);
			if (strcmp(next.key, "CONTINUE") != 0 || !next.quoted)
				break;
			text.buf.len--;
			taf_str_puts(&text, next.value);
			i++;
		}
		if (text.st != TAF_OK || text.buf.len == 0)
			continue;
		if (c.valued)
			put_card(raw, h, &c, text.buf.data, a, e);
		else if (taf_comment_add(a, text.buf.data, text.buf.len, e) != TAF_OK)
			break;
	}
	taf_str_free(&text);
}

static enum taf_status
describe(const struct taf_capture *c, uint64_t k, struct taf_record *r, struct taf_err *e)
{
	struct header h = { .n = 0 };

	/* data are behind their header */
	memcpy(&r->offset, c->kept.data + k * sizeof r->offset, sizeof r->offset);
	r->big = true;
	if (read_header(c, &r->offset, &h, e) == TAF_OK &&
	    put_grid(&h, &r->array, e) == TAF_OK &&
	    put_values(c->raw, &h, r, e) == TAF_OK)
		put_cards(c->raw, &h, &r->array, e);
	taf_buf_free(&h.cards);
	return e->code;
}

enum taf_status
taf_fits_decode(struct taf_capture *c, struct taf_in *in, struct taf_err *e)
{
	struct header h = { .n = 0 };
	unsigned char p[10];
	size_t got = sizeof p;
	uint64_t at = 0, k;

	taf_capture_init(c, in);
	c->describe = describe;
	if (taf_capture_tell(c, taf_fits_sniff, "a FITS file", p, sizeof p, e) != TAF_OK)
		return e->code;
	for (k = 0; e->code == TAF_OK && got == sizeof p &&
	    (k == 0 || memcmp(p, "XTENSION= ", got) == 0); k++)
		if (take_unit(c, &at, &h, e) != TAF_OK ||
		    taf_capture_peek(c, at, p, sizeof p, &got, e) != TAF_OK)
			taf_capture_name("unit", k, e);
	taf_buf_free(&h.cards);
	c->left[TAF_LEFT_BYTES] = c->size - at;
	return e->code != TAF_OK || c->nrecords > 0 ? e->code :
	    taf_fail(e, TAF_EDATA, "no image with elements");
}
