/* SPDX-License-Identifier: ISC */
/* Sections are those of "Definition of NRRD File Format" (teem 1.9 and later). */
/* link: zlib zstd blosc */
#include "codec/capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "array/region.h"
#include "base/num.h"
#include "base/str.h"
#include "codec/chunk/unpack_in.h"
#include "codec/tag.h"
#include "io/below.h"

enum {
	HEADER_MOST = 1 << 20,
	WORD = 1024		/* bytes of a word, with the NUL */
};

enum encoding { RAW, TEXT, GZIP };

/* A capture keeps the lines of the header, a NUL for each LF. */
struct nrrd {
	const struct taf_buf *head;
	enum encoding encoding;
	enum taf_type type;
	bool big;
	unsigned ndim;
	uint64_t n[TAF_MAX_DIM];
	uint64_t count, bytes, at;	/* elements, and where their data are */
	uint64_t skip;			/* bytes of what is unpacked */
};

bool
taf_nrrd_sniff(const unsigned char *p, size_t n)
{
	return n >= 8 && memcmp(p, "NRRD000", 7) == 0 && p[7] >= '1' && p[7] <= '5';
}

/* --- lines --- */

/* Are n characters this name, whatever blanks and capitals they have (section 1.6)? */
static bool
is(const char *p, size_t n, const char *name)
{
	for (; n > 0; n--, p++) {
		if (*p == ' ')
			continue;
		while (*name == ' ')
			name++;
		if (strncasecmp(p, name++, 1) != 0)
			return false;
	}
	return *name == '\0';
}

/* The line behind this one, or the first (NULL); NULL at the end. */
static const char *
next_line(const struct nrrd *d, const char *line)
{
	line = line == NULL ? d->head->data : line + strlen(line) + 1;
	return line < d->head->data + d->head->len ? line : NULL;
}

/* What a line says of a field: "name: description"; NULL if it is no field. */
static const char *
described(const char *line)
{
	const char *colon = strchr(line, ':');

	return line[0] == '#' || colon == NULL || colon[1] == '=' ? NULL :
	    colon + 1 + strspn(colon + 1, " \t");
}

/* The description of a field; NULL where it is not there. */
static const char *
field(const struct nrrd *d, const char *name)
{
	const char *line = NULL, *text;

	while ((line = next_line(d, line)) != NULL) {
		text = described(line);
		if (text != NULL && is(line, strcspn(line, ":"), name))
			return text;
	}
	return NULL;
}

/* The next word at *p, in quotes, a vector in brackets, or up to a blank (section 6). */
static bool
word(const char **p, char to[WORD])
{
	const char *s = *p + strspn(*p, " \t");
	const char end = *s == '"' ? '"' : *s == '(' ? ')' : '\0';
	size_t n = 0;

	if (*s == '\0')
		return false;
	for (s += end == '"'; *s != '\0' && *s != end && n < WORD - 1; s++) {
		if (end == '\0' && (*s == ' ' || *s == '\t'))
			break;
		s += end == '"' && *s == '\\' && s[1] == '"';
		to[n++] = *s;
	}
	to[n] = '\0';
	*p = s + (*s != '\0' && *s == end);
	return true;
}

/* Word k, from 0, of a field of axes or of space; false where there is none. */
static bool
word_of(const struct nrrd *d, const char *name, unsigned k, char to[WORD])
{
	const char *p = field(d, name);

	if (p == NULL)
		return false;
	do {
		if (!word(&p, to))
			return false;
	} while (k-- > 0);
	return true;
}

static bool
number_of(const struct nrrd *d, const char *name, unsigned k, double *x)
{
	char text[WORD];

	return word_of(d, name, k, text) && taf_parse_f64(text, strlen(text), x) &&
	    taf_is_finite(*x);
}

/* --- the header --- */

static enum taf_status
wrong(const struct nrrd *d, const char *name, struct taf_err *e)
{
	const char *text = field(d, name);

	return text == NULL ? taf_fail(e, TAF_EDATA, "no field \"%s\"", name) :
	    taf_fail(e, TAF_EDATA, "field \"%s\": %.80s is not read", name, text);
}

/* Read lines up to an empty one, or to the end; *end is behind them. */
static enum taf_status
read_head(struct taf_capture *c, uint64_t *end, struct taf_err *e)
{
	struct taf_buf *const head = &c->kept;
	size_t got, k, line = 0;
	char *text;

	if (taf_buf_reserve(head, HEADER_MOST + 1, e) != TAF_OK ||
	    taf_capture_tell(c, taf_nrrd_sniff, "an NRRD file", head->data, 8, e) !=
	    TAF_OK ||
	    taf_capture_peek(c, 0, head->data, HEADER_MOST, &got, e) != TAF_OK)
		return e->code;
	text = head->data;
	for (k = 0; k < got; k++) {
		const size_t n = k - line - (k > line && text[k - 1] == '\r');

		if (text[k] == '\0')
			return taf_fail(e, TAF_EDATA, "a NUL in the header");
		if (text[k] != '\n')
			continue;
		if (n == 0)
			break;
		text[line + n] = text[k] = '\0';
		line = k + 1;
	}
	if (k == HEADER_MOST)
		return taf_fail(e, TAF_EDATA, "a header of more than 1 MiB");
	head->len = k < got ? line : k;
	text[head->len] = '\0';
	*end = k < got ? k + 1 : k;
	return TAF_OK;
}

/* The names of C and of stdint.h (section 5). */
static bool
find_type(const char *text, enum taf_type *type)
{
	static const struct {
		const char *name;
		enum taf_type plain, without;
	} types[] = {
		{ "char", TAF_INT8, TAF_UINT8 }, { "int8", TAF_INT8, TAF_UINT8 },
		{ "short", TAF_INT16, TAF_UINT16 },
		{ "short int", TAF_INT16, TAF_UINT16 },
		{ "int16", TAF_INT16, TAF_UINT16 },
		{ "int", TAF_INT32, TAF_UINT32 }, { "int32", TAF_INT32, TAF_UINT32 },
		{ "long long", TAF_INT64, TAF_UINT64 },
		{ "long long int", TAF_INT64, TAF_UINT64 },
		{ "int64", TAF_INT64, TAF_UINT64 },
		{ "float", TAF_FLT32, TAF_FLT32 }, { "double", TAF_FLT64, TAF_FLT64 },
	};
	const bool without = text[0] == 'u';
	size_t n, k;

	text += strncmp(text, "unsigned ", 9) == 0 ? 9 : without ? 1 :
	    strncmp(text, "signed ", 7) == 0 ? 7 : 0;
	n = strlen(text);
	n -= taf_ends(text, "_t") ? 2 : 0;
	for (k = 0; k < sizeof types / sizeof types[0]; k++)
		if (is(text, n, types[k].name)) {
			*type = without ? types[k].without : types[k].plain;
			return true;
		}
	return false;
}

static enum taf_status
read_encoding(struct nrrd *d, struct taf_err *e)
{
	const char *text = field(d, "encoding"), *order = field(d, "endian");
	const size_t n = text != NULL ? strlen(text) : 0;

	d->encoding = is(text, n, "gzip") || is(text, n, "gz") ? GZIP :
	    is(text, n, "txt") || is(text, n, "text") || is(text, n, "ascii") ? TEXT :
	    RAW;
	if (d->encoding == RAW && !is(text, n, "raw"))
		return wrong(d, "encoding", e);
	if (d->encoding == GZIP && taf_packing_missing(TAF_PACKING_GZIP) != NULL)
		return taf_fail(e, TAF_EDATA, "this program was built without %s",
		    taf_packing_missing(TAF_PACKING_GZIP));
	d->big = order != NULL && is(order, strlen(order), "big");
	return d->encoding == TEXT || taf_type_size(d->type) == 1 || d->big ||
	    (order != NULL && is(order, strlen(order), "little")) ? TAF_OK :
	    wrong(d, "endian", e);
}

static enum taf_status
read_form(struct nrrd *d, struct taf_err *e)
{
	const char *text = field(d, "type"), *sizes = field(d, "sizes");
	char size[WORD];
	uint64_t ndim = 0;

	if (text == NULL || !find_type(text, &d->type))
		return wrong(d, "type", e);
	text = field(d, "dimension");
	if (text == NULL || !taf_parse_u64(text, strlen(text), &ndim) || ndim == 0 ||
	    ndim > TAF_MAX_DIM)
		return wrong(d, "dimension", e);
	d->count = 1;
	for (d->ndim = 0; d->ndim < ndim; d->ndim++)
		if (sizes == NULL || !word(&sizes, size) ||
		    !taf_parse_u64(size, strlen(size), &d->n[d->ndim]) ||
		    !taf_mul(d->count, d->n[d->ndim], &d->count))
			return wrong(d, "sizes", e);
	if (word(&sizes, size) || d->count == 0 ||
	    !taf_mul(d->count, taf_type_size(d->type), &d->bytes))
		return wrong(d, "sizes", e);
	return read_encoding(d, e);
}

/* Open the file of its own that the data are in (section 3). */
static enum taf_status
open_data(struct taf_capture *c, const char *name, struct taf_err *e)
{
	const char *path = taf_in_name(c->in), *slash = strrchr(path, '/'), *part;
	const char *why = taf_in_far(c->in) ? "a file beside a URL is not read" : NULL;
	struct taf_str folder = { .err = e };
	enum taf_status st = TAF_OK;
	char *root = NULL;
	size_t n;

	for (part = name; *part != '\0'; part += n + (part[n] == '/')) {
		n = strcspn(part, "/");
		if (n == 0 || (n == 2 && memcmp(part, "..", 2) == 0))
			why = "not below the folder of the header";
	}
	if (strncmp(name, "LIST", 4) == 0 || strchr(name, '%') != NULL)
		why = "several are not read";
	if (why != NULL)
		return taf_fail(e, TAF_EDATA, "data file: %.80s: %s", name, why);
	taf_str_put(&folder, path, slash != NULL ? (size_t)(slash - path) + 1 : 0);
	taf_str_puts(&folder, ".");
	if (folder.st == TAF_OK && taf_below_root(folder.buf.data, &root, e) == TAF_OK)
		st = taf_below_open(root, name, &c->data, e);
	if (st == TAF_END)
		(void)taf_fail(e, TAF_ESYS, "data file: %.80s: is not there", name);
	free(root);
	taf_str_free(&folder);
	if (e->code != TAF_OK)
		return e->code;
	c->in = c->data;
	c->size = taf_in_left(c->in);
	c->base = 0;
	return TAF_OK;
}

/* The offset behind n lines. */
static enum taf_status
skip_lines(const struct taf_capture *c, uint64_t *at, uint64_t n, struct taf_err *e)
{
	unsigned char p[512];
	size_t got = 1, k;

	while (n > 0 && got > 0) {
		if (taf_capture_peek(c, *at, p, sizeof p, &got, e) != TAF_OK)
			return e->code;
		for (k = 0; k < got && n > 0; k++)
			n -= p[k] == '\n';
		*at += k;
	}
	return n == 0 ? TAF_OK : taf_fail(e, TAF_ETRUNC,
	    "the file ends within the lines that are skipped");
}

/* Where the data begin, and whether as many bytes as these can hold them. */
static enum taf_status
find_data(struct taf_capture *c, struct nrrd *d, struct taf_err *e)
{
	const char *lines = field(d, "line skip"), *skip = field(d, "byte skip");
	uint64_t n = 0, left;

	if (lines != NULL && !taf_parse_u64(lines, strlen(lines), &n))
		return wrong(d, "line skip", e);
	if (skip_lines(c, &d->at, n, e) != TAF_OK)
		return e->code;
	if (skip != NULL && strcmp(skip, "-1") == 0 && d->encoding == RAW &&
	    d->bytes <= c->size - d->at)
		d->at = c->size - d->bytes;
	else if (skip != NULL && !taf_parse_u64(skip, strlen(skip), &d->skip))
		return wrong(d, "byte skip", e);
	if (d->encoding != GZIP) {
		if (taf_capture_inside(c, d->at, d->skip, "byte skip", e) != TAF_OK)
			return e->code;
		d->at += d->skip;
	}
	left = c->size - d->at;
	if (d->encoding == RAW)
		return taf_capture_inside(c, d->at, d->bytes, "data", e) != TAF_OK ?
		    e->code : taf_capture_end(c, d->at + d->bytes, e);
	/* a digit and what parts it from the next; or what expands most */
	if (d->encoding == TEXT ? d->count <= left / 2 + 1 :
	    taf_add(d->skip, d->bytes, &n) && taf_unpack_in_can(left, n))
		return TAF_OK;
	return taf_fail(e, TAF_ETRUNC, "%llu elements, but %llu bytes of data",
	    (unsigned long long)d->count, (unsigned long long)left);
}

/* --- the array --- */

/* Part i, from 0, of a vector, "(a,b,c)" (section 4); false where there is none. */
static bool
part_of(const char *text, unsigned i, double *x)
{
	if (*text++ != '(')
		return false;
	for (; i > 0 && *text != '\0'; i--)
		text += strcspn(text, ",") + (strchr(text, ',') != NULL);
	text += strspn(text, " ");
	return taf_parse_f64(text, strcspn(text, ", "), x) && taf_is_finite(*x);
}

/*
 * Start, step and, as n, the axis of space from 1 of all dimensions with a direction, if
 * that is one axis each.
 */
static bool
is_straight(const struct nrrd *d, struct taf_dim space[TAF_MAX_DIM])
{
	char text[WORD], origin[WORD];
	unsigned k, i, axis = 0;
	double x;

	if (!word_of(d, "space origin", 0, origin))
		return false;
	for (k = 0; word_of(d, "space directions", k, text); k++) {
		if (k == TAF_MAX_DIM)
			return false;
		for (i = 0; part_of(text, i, &x); i++) {
			if ((x != 0) != (i == axis))
				return false;
			space[k].step = x != 0 ? x : space[k].step;
		}
		if (text[0] == '(' &&
		    (i <= axis || !part_of(origin, axis++, &space[k].start)))
			return false;
		space[k].n = text[0] == '(' ? axis : 0;
	}
	return axis > 0;
}

/* Start and step of dimension k, from 0 (section 6); 1 where they are not known. */
static struct taf_dim
grid_of(const struct nrrd *d, unsigned k)
{
	struct taf_dim dim = { 0 };
	char center[WORD];

	if (!number_of(d, "spacings", k, &dim.step))
		return (struct taf_dim){ .start = 1, .step = 1 };
	if (!number_of(d, "axis mins", k, &dim.start))
		dim.start = 0;
	if ((word_of(d, "centers", k, center) || word_of(d, "centerings", k, center)) &&
	    strcmp(center, "cell") == 0)
		dim.start += dim.step / 2;
	if (!taf_is_finite(dim.start) || dim.step == 0)
		dim.start = dim.step = 1;
	return dim;
}

static void
put_axes(const struct nrrd *d, const struct taf_dim space[], struct taf_array *a,
    struct taf_err *e)
{
	static const struct {
		const char *field, *key;
	} words[] = { { "labels", "label" }, { "units", "unit" },
	    { "kinds", "nrrd/kind" }, { "thicknesses", "nrrd/thickness" },
	    { "axis mins", "nrrd/min" }, { "axis maxs", "nrrd/max" } };
	enum { NUMBERS = 3 };	/* the first of them that has numbers */
	char text[WORD];
	unsigned k, i;

	for (k = 0; k < d->ndim; k++) {
		const unsigned axis = space != NULL ? (unsigned)space[k].n : 0;
		const struct taf_dim dim = axis > 0 ? space[k] : grid_of(d, k);

		taf_array_add_dim(a, d->n[k], dim.start, dim.step);
		if (axis > 0 && word_of(d, "space units", axis - 1, text) &&
		    text[0] != '\0')
			(void)taf_tag(a, k + 1, "unit", text, e);
		for (i = 0; i < sizeof words / sizeof words[0]; i++)
			if (word_of(d, words[i].field, k, text) && text[0] != '\0' &&
			    strcmp(text, "???") != 0 && strcmp(text, "none") != 0 &&
			    !is(text, strlen(text), "nan"))
				taf_tag_said(a, k + 1, words[i].key, text, i >= NUMBERS,
				    e);
	}
}

/* A key with its value, in which \n and \\ are LF and \ (section 1.2). */
static void
put_key(struct taf_array *a, const char *line, const char *text, struct taf_err *e)
{
	struct taf_str key = { .err = e }, value = { .err = e };

	taf_str_puts(&key, "nrrd/");
	taf_str_put(&key, line, strcspn(line, ":"));
	for (; *text != '\0'; text++) {
		const bool lf = strncmp(text, "\\n", 2) == 0;

		text += lf || strncmp(text, "\\\\", 2) == 0;
		taf_str_put(&value, lf ? "\n" : text, 1);
	}
	if (value.buf.len > 0)
		(void)taf_tag_str(a, 0, key.buf.data, &value, false, e);
	taf_str_free(&key);
	taf_str_free(&value);
}

/* Lines that the array does not say by itself: attributes, and remarks as comment. */
static void
put_lines(const struct nrrd *d, bool straight, struct taf_array *a, struct taf_err *e)
{
	static const char *const known[] = { "dimension", "type", "sizes", "encoding",
	    "endian", "data file", "line skip", "byte skip", "block size", "number",
	    "spacings", "axis mins", "axis maxs", "centers", "centerings", "labels",
	    "units", "kinds", "thicknesses", "space directions", "space origin",
	    "space units" };
	const size_t most = sizeof known / sizeof known[0] - (straight ? 0 : 3);
	const char *line = next_line(d, NULL), *text, *mark;
	size_t k = 0;

	while (e->code == TAF_OK && (line = next_line(d, line)) != NULL) {
		text = described(line);
		mark = strstr(line, ":=");
		if (text != NULL)
			for (k = 0; k < most && !is(line, strcspn(line, ":"), known[k]); )
				k++;
		if (line[0] == '#') {
			text = line + 1 + strspn(line + 1, " ");
			if (taf_comment_add(a, text, strlen(text), e) != TAF_OK)
				return;
		} else if (text == NULL && mark == NULL)
			(void)taf_fail(e, TAF_EDATA, "no field, key or remark: %.80s",
			    line);
		else if (text == NULL)
			put_key(a, line, mark + 2, e);
		else if (k == most && is(line, strcspn(line, ":"), "sample units"))
			(void)taf_tag(a, 0, "unit", *text != '\0' ? text : NULL, e);
		else if (k == most)
			put_key(a, line, text, e);
	}
}

static enum taf_status
describe(const struct taf_capture *c, uint64_t k, struct taf_record *r, struct taf_err *e)
{
	const struct nrrd *d = c->state;
	struct taf_dim space[TAF_MAX_DIM] = { { 0 } };
	const bool straight = is_straight(d, space);

	(void)k;
	r->array.type = r->stored = d->type;
	r->big = d->big;
	r->offset = d->at;
	r->text = d->encoding == TEXT;
	r->packed = r->ordered = d->encoding == GZIP;
	put_axes(d, straight ? space : NULL, &r->array, e);
	put_lines(d, straight, &r->array, e);
	return e->code;
}

/* Data in one gzip stream, or in several, one behind the other. */
static enum taf_status
unpack(const struct taf_capture *c, uint64_t k, const struct taf_record *r,
    struct taf_out *out, struct taf_err *e)
{
	const struct nrrd *d = c->state;
	struct taf_unpack_in *u;
	struct taf_in *in;
	const unsigned char *more;
	uint64_t left;
	size_t n = 0;

	(void)k, (void)r;
	if (taf_unpack_in_begin(&u, TAF_PACKING_GZIP, c->in, c->base + d->at,
	    c->size - d->at, e) != TAF_OK)
		return e->code;
	in = taf_unpack_in(u);
	if (taf_in_skip(in, d->skip, e) != TAF_OK ||
	    taf_out_copy(out, in, d->bytes, e) != TAF_OK ||
	    taf_in_peek(in, 1, &more, &n, e) != TAF_OK)
		n = 0;
	left = d->skip + d->bytes - taf_in_offset(in) - taf_in_buffered(in);
	left = left < d->bytes ? left : d->bytes;
	if (n > 0)
		(void)taf_fail(e, TAF_EDATA,
		    "the packed data have more bytes than the sizes say");
	else if (e->code == TAF_EDATA) {
		taf_err_clear(e);
		(void)taf_fail(e, TAF_EDATA, "offset %llu: the packed data are broken",
		    (unsigned long long)(taf_unpack_in_at(u) - c->base));
	} else if (e->code == TAF_ETRUNC) {
		taf_err_clear(e);
		(void)taf_fail(e, TAF_ETRUNC, "the packed data end, %llu bytes missing",
		    (unsigned long long)left);
	}
	taf_unpack_in_end(u);
	return e->code;
}

enum taf_status
taf_nrrd_decode(struct taf_capture *c, struct taf_in *in, struct taf_err *e)
{
	struct nrrd *d = taf_capture_begin(c, in, sizeof *d, describe, e);
	const char *name;

	if (d == NULL)
		return TAF_ESYS;
	c->unpack = unpack;
	c->nrecords = 1;
	d->head = &c->kept;
	if (read_head(c, &d->at, e) != TAF_OK || read_form(d, e) != TAF_OK)
		return e->code;
	name = field(d, "data file");
	if (name != NULL && open_data(c, name, e) != TAF_OK)
		return e->code;
	d->at = name != NULL ? 0 : d->at;
	if (find_data(c, d, e) != TAF_OK && name != NULL)
		taf_err_name(e, taf_in_name(c->in));
	return e->code;
}
