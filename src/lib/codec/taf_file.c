/* SPDX-License-Identifier: ISC */
#include "codec/taf_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/endian.h"
#include "base/num.h"
#include "base/utf8.h"
#include "codec/escape.h"
#include "codec/rsf.h"

/* each attribute is looked for among the ones before it */
enum { MOST_SET = 12000 };

static const char marker[] = "--- attributes ---\n";

/* What a stranger needs to read the file; taf(5) says the same at more length. */
static const char synopsis[] =
    "Thrifty Array Format: one numeric array, all numbers little-endian.\n"
    "Offsets are in bytes from the start of the file.\n"
    "1024: element type, 8 characters, NUL-padded: int or uint with 8, 16, 32\n"
    "      or 64 bits (int8 ... uint64), flt32, flt64 (IEEE 754)\n"
    "1032: intercept a, float64\n"
    "1040: slope b, float64; where both are finite, the value of a stored\n"
    "      number x is a + b*x, otherwise x itself\n"
    "1048: number of dimensions N, uint64\n"
    "1056: for each dimension k from 1 to N, 24 bytes: length L (uint64),\n"
    "      grid start u (float64), grid step d (float64); point i, counted\n"
    "      from 1, is at u + (i-1)*d\n"
    "1056 + 24*N: the elements, dimension 1 varying fastest (column-major)\n"
    "behind the elements, to the end of the file: text comments\n";

bool
taf_sniff(const unsigned char *p, size_t n)
{
	return n >= 4 && memcmp(p, "TAF", 3) == 0 && (p[3] == ' ' || p[3] == '(');
}

size_t
taf_header_size(unsigned ndim)
{
	return TAF_AT_DIMS + TAF_DIM_SIZE * (size_t)ndim;
}

/* Legacy files were seen to have digits as well as small numbers. */
static unsigned char
legacy_version(unsigned char c)
{
	return c >= '0' && c <= '9' ? (unsigned char)(c - '0') : c;
}

void
taf_field_opening(const unsigned char *p, struct taf_form *form, unsigned char *code)
{
	bool legacy = p[3] == '(';
	size_t i;

	form->legacy_opening = legacy;
	form->major = legacy ? legacy_version(p[TAF_AT_VERSION]) : p[TAF_AT_VERSION];
	form->minor = legacy ? legacy_version(p[TAF_AT_VERSION + 1]) :
	    p[TAF_AT_VERSION + 1];
	*code = legacy ? TAF_CODE_GENERIC : p[TAF_AT_CODE];
	form->synopsis = false;
	for (i = TAF_AT_SYNOPSIS; i < TAF_AT_TYPE && !form->synopsis; i++)
		form->synopsis = p[i] > 0x20 && p[i] < 0x7f;
}

bool
taf_field_type(const unsigned char *p, enum taf_type *type, bool *legacy, char name[9])
{
	uint64_t bits = taf_get64(p + TAF_AT_TYPE, false);
	char *end;

	*legacy = bits == 8 || bits == 16 || bits == 32 || bits == 64;
	if (*legacy) {
		*type = bits == 8 ? TAF_UINT8 : bits == 16 ? TAF_UINT16 : bits == 32 ?
		    TAF_FLT32 : TAF_FLT64;
		return true;
	}
	memcpy(name, p + TAF_AT_TYPE, 8);
	name[8] = '\0';
	end = name + strlen(name);
	while (end > name && end[-1] == ' ')
		*--end = '\0';
	/* what the command line calls single and double is no name of the format */
	return taf_type_parse(name, type) && name[0] != 's' && name[0] != 'd';
}

void
taf_field_dims(const unsigned char *p, unsigned ndim, struct taf_array *a)
{
	const unsigned char *d = p + TAF_AT_DIMS;

	a->intercept = taf_getf64(p + TAF_AT_INTERCEPT, false);
	a->slope = taf_getf64(p + TAF_AT_SLOPE, false);
	a->ndim = 0;
	for (; ndim > 0; ndim--, d += TAF_DIM_SIZE)
		taf_array_add_dim(a, taf_get64(d, false), taf_getf64(d + 8, false),
		    taf_getf64(d + 16, false));
}

static enum taf_status
check_opening(const unsigned char *p, const struct taf_form *form, struct taf_err *e)
{
	if (form->legacy_opening && p[TAF_AT_CODE] != ')')
		return taf_fail(e, TAF_EDATA, "offset 6: not a TAF opening");
	if (form->major != 1)
		return taf_fail(e, TAF_EDATA, "offset 4: TAF version %d.%d, not 1.x",
		    form->major, form->minor);
	if (p[7] != '\n')
		return taf_fail(e, TAF_EDATA, "offset 7: byte %d in place of a line feed",
		    p[7]);
	return TAF_OK;
}

enum taf_status
taf_header_parse(const unsigned char *p, size_t n, struct taf_array *a,
    struct taf_form *form, struct taf_err *e)
{
	enum taf_status st;
	uint64_t ndim;
	char name[9];

	if (n >= 4 && !taf_sniff(p, n))
		return taf_fail(e, TAF_EDATA, "offset 0: not a TAF file");
	if (n < TAF_AT_DIMS)
		return taf_fail(e, TAF_ETRUNC,
		    "the input ends after %zu bytes, inside the TAF header", n);
	taf_field_opening(p, form, &a->code);
	st = check_opening(p, form, e);
	if (st == TAF_OK && !taf_field_type(p, &a->type, &form->legacy_type, name))
		st = taf_fail(e, TAF_EDATA, "offset %d: unknown element type \"%s\"",
		    (int)TAF_AT_TYPE, name);
	if (st != TAF_OK)
		return st;
	ndim = taf_get64(p + TAF_AT_NDIM, false);
	if (ndim < 1 || ndim > TAF_MAX_DIM)
		return taf_fail(e, TAF_EDATA, "offset %d: %llu dimensions, not 2 to %d",
		    (int)TAF_AT_NDIM, (unsigned long long)ndim, (int)TAF_MAX_DIM);
	form->header = taf_header_size((unsigned)ndim);
	if (n < form->header)
		return taf_fail(e, TAF_ETRUNC,
		    "the input ends after %zu bytes, inside the TAF header of %zu", n,
		    form->header);
	taf_field_dims(p, (unsigned)ndim, a);
	return taf_array_check(a, e);
}

size_t
taf_header_format(const struct taf_array *a, unsigned char p[TAF_HEADER_MAX])
{
	struct taf_array mapping = { .intercept = a->intercept, .slope = a->slope };
	const bool fits = taf_code_fits(a->code, taf_code_rank(a));
	const unsigned char code = fits ? a->code : TAF_CODE_GENERIC;
	unsigned k;

	if (!taf_array_mapped(a))
		taf_array_unmap(&mapping);
	memset(p, 0, TAF_HEADER_MAX);
	memcpy(p, "TAF ", 4);
	p[TAF_AT_VERSION] = 1;
	p[TAF_AT_VERSION + 1] = code != TAF_CODE_GENERIC ? 1 : 0;
	p[TAF_AT_CODE] = code;
	p[TAF_AT_CODE + 1] = '\n';
	memset(p + TAF_AT_SYNOPSIS, ' ', TAF_AT_TYPE - TAF_AT_SYNOPSIS);
	memcpy(p + TAF_AT_SYNOPSIS, synopsis, sizeof synopsis - 1);
	memcpy(p + TAF_AT_TYPE, taf_type_name(a->type), strlen(taf_type_name(a->type)));
	taf_putf64(p + TAF_AT_INTERCEPT, mapping.intercept, false);
	taf_putf64(p + TAF_AT_SLOPE, mapping.slope, false);
	taf_put64(p + TAF_AT_NDIM, a->ndim, false);
	for (k = 0; k < a->ndim; k++) {
		unsigned char *d = p + TAF_AT_DIMS + TAF_DIM_SIZE * k;

		taf_put64(d, a->dim[k].n, false);
		taf_putf64(d + 8, a->dim[k].start, false);
		taf_putf64(d + 16, a->dim[k].step, false);
	}
	return taf_header_size(a->ndim);
}

unsigned
taf_code_rank(const struct taf_array *file)
{
	unsigned n = file->ndim;

	while (n > 2 && file->dim[n - 1].n == 1)
		n--;
	return n;
}

bool
taf_code_fits(unsigned code, unsigned ndim)
{
	if (code == TAF_CODE_COLUMN || code == TAF_CODE_ROW)
		return ndim == 2;
	return code != TAF_CODE_IMAGE || ndim == 2 || ndim == 3;
}

size_t
taf_tail_text(const char *p, size_t n)
{
	size_t i, len;

	for (i = 0; i < n; i += len) {
		const unsigned char c = (unsigned char)p[i];

		len = taf_utf8_length((const unsigned char *)p + i, n - i);
		if (len == 0 || c == 0x7f || (c < 0x20 && (c < '\t' || c > '\r')))
			break;
	}
	return i;
}

/* Does a header stand here, or half of a synopsis, and then the input ends? */
static bool
is_header(const unsigned char *p, size_t n)
{
	enum taf_type type;
	uint64_t ndim;
	bool legacy;
	char name[9];

	if (n < TAF_AT_SYNOPSIS || !taf_sniff(p, n) || p[7] != '\n' ||
	    (p[3] == '(' && p[TAF_AT_CODE] != ')'))
		return false;
	if (n < TAF_AT_DIMS) {
		const size_t end = n < TAF_AT_TYPE ? n : TAF_AT_TYPE;

		return n >= TAF_AT_TYPE / 2 && p[TAF_AT_VERSION] == 1 &&
		    taf_tail_text((const char *)p + TAF_AT_SYNOPSIS,
		    end - TAF_AT_SYNOPSIS) == end - TAF_AT_SYNOPSIS;
	}
	ndim = taf_get64(p + TAF_AT_NDIM, false);
	return ndim >= 1 && ndim <= TAF_MAX_DIM &&
	    taf_field_type(p, &type, &legacy, name);
}

/* The first header in n bytes, or NULL. */
static const char *
find_header(const char *p, size_t n)
{
	const char *const end = p + n;

	for (; n > 0 && (p = memchr(p, 'T', n)) != NULL; n = (size_t)(end - ++p))
		if (is_header((const unsigned char *)p, (size_t)(end - p)))
			return p;
	return NULL;
}

/* Are these bytes lines of key=value and nothing else? */
static bool
all_pairs(const char *p, const char *end)
{
	while (p < end) {
		const char *lf = memchr(p, '\n', (size_t)(end - p));
		const char *stop = lf != NULL ? lf : end;
		const char *eq = memchr(p, '=', (size_t)(stop - p)), *c;

		if (eq == NULL || eq == p || memchr(p, '\0', (size_t)(stop - p)) != NULL)
			return false;
		for (c = p; c < eq; c++)
			if ((unsigned char)*c <= 0x20 || *c == 0x7f || *c == '"')
				return false;
		p = lf != NULL ? lf + 1 : end;
	}
	return true;
}

/* The line behind the last marker, if a block follows it; NULL if there is none. */
static const char *
find_block(const char *p, size_t n)
{
	size_t len = sizeof marker - 1, at;

	if (n < len)
		return NULL;
	for (at = n - len + 1; at-- > 0;)
		if ((at == 0 || p[at - 1] == '\n') && memcmp(p + at, marker, len) == 0)
			return all_pairs(p + at + len, p + n) ? p + at + len : NULL;
	return NULL;
}

/* The user's text of what stands behind the data: the block is not of it, nor its LF. */
static size_t
text_length(const char *p, const char *block)
{
	const size_t n = (size_t)(block - p) - (sizeof marker - 1);

	return n > 0 ? n - 1 : 0;
}

enum taf_status
taf_tail_check(const char *p, size_t n, uint64_t offset, struct taf_err *e)
{
	const char *header = find_header(p, n), *block;
	const char *what = "another TAF file";
	size_t at = 0, text;

	if (n == 0)
		return TAF_OK;
	if (header == NULL) {
		what = "a header of RSF";
		block = find_block(p, n);
		text = block != NULL ? text_length(p, block) : n;
		if (taf_rsf_within(p, text, false, &at))
			header = p + at;
		else if (block != NULL &&
		    taf_rsf_within(block, (size_t)(p + n - block), true, &at))
			header = block + at;
	}
	if (header == NULL)
		return TAF_OK;
	return taf_fail(e, TAF_EDATA,
	    "offset %llu: %s behind the data, where a comment may be: name the files one by one, or join them with tafcat",
	    (unsigned long long)(offset + (size_t)(header - p)), what);
}

static enum taf_status
parse_pair(const char *p, const char *stop, struct taf_array *a, struct taf_err *e)
{
	const char *eq = memchr(p, '=', (size_t)(stop - p)), *from = eq + 1;
	struct taf_buf key = { 0 }, value = { 0 };
	struct taf_attr_name name;
	const size_t len = (size_t)(stop - from);
	const bool text = taf_number_quoted(from, len);
	enum taf_status st;
	size_t n;

	n = (size_t)(eq - p);
	taf_scope_parse(p, &n, &name.scope, &name.index);
	st = taf_unescape(&key, p, n, true, e);
	if (st == TAF_OK)
		st = taf_unescape(&value, from + text, len - 2 * text, false, e);
	name.key = key.data;
	if (st == TAF_OK && strlen(key.data) != key.len)
		st = taf_fail(e, TAF_EDATA, "comment: an attribute's name holds a NUL");
	if (st == TAF_OK)
		st = taf_attr_setn(a, &name, value.data, value.len, e);
	/* Madagascar reads a number between quotes as 0 */
	if (st == TAF_OK && !text && taf_is_number(value.data, value.len))
		taf_attr_bare(a, key.data, name.scope, name.index);
	taf_buf_free(&key);
	taf_buf_free(&value);
	return st;
}

/* A word about the shape that does not fit it is an attribute as any other. */
static enum taf_status
keep_word(struct taf_array *a, const char *line, struct taf_err *e)
{
	return parse_pair(line, line + strlen(line), a, e);
}

static bool
line_is(const char *p, const char *stop, const char *text)
{
	return (size_t)(stop - p) == strlen(text) && memcmp(p, text, strlen(text)) == 0;
}

/* Give a the rank and the type that TAF cannot say. */
static bool
join_complex(struct taf_array *a, bool one)
{
	if (taf_type_is_int(a->type) || a->ndim < 2 || a->dim[a->ndim - 1].n != 2 ||
	    taf_array_mapped(a))
		return false;
	a->type = a->type == TAF_FLT32 ? TAF_COMPLEX : TAF_COMPLEX128;
	if (a->ndim > 2 || one) {
		a->ndim--;
	} else {
		a->dim[1].n = 1;
	}
	return true;
}

enum taf_status
taf_tail_parse(const char *p, size_t n, struct taf_array *a, struct taf_err *e)
{
	const char *block = n > 0 ? find_block(p, n) : NULL, *end = p + n;
	bool one = false, complex = false;
	enum taf_status st;
	unsigned set = 0;
	size_t text = n;

	if (block != NULL)
		text = text_length(p, block);
	a->comment.len = 0;
	st = taf_buf_put(&a->comment, p, text, e);
	for (p = block; p != NULL && p < end && st == TAF_OK;) {
		const char *lf = memchr(p, '\n', (size_t)(end - p));
		const char *stop = lf != NULL ? lf : end;

		if (line_is(p, stop, "ndim=1") && a->ndim == 2)
			one = true;
		else if (line_is(p, stop, "complex=1"))
			complex = true;
		else if (++set > MOST_SET)
			st = taf_fail(e, TAF_EDATA, "comment: more than %d attributes",
			    (int)MOST_SET);
		else
			st = parse_pair(p, stop, a, e);
		p = lf != NULL ? lf + 1 : end;
	}
	if (complex && st == TAF_OK && !join_complex(a, one))
		st = keep_word(a, "complex=1", e);
	else if (complex)
		one = false;
	if (one && st == TAF_OK) {
		if (a->dim[1].n == 1)
			a->ndim = 1;
		else
			st = keep_word(a, "ndim=1", e);
	}
	return st;
}

static void
format_pair(const struct taf_attr *t, struct taf_str *tail)
{
	const size_t n = strlen(t->value);
	const bool taken = t->scope == TAF_OF_ARRAY && (strcmp(t->key, "in") == 0 ||
	    (strcmp(t->value, "1") == 0 &&
	    (strcmp(t->key, "ndim") == 0 || strcmp(t->key, "complex") == 0)));
	const char *quote = !t->bare && taf_is_number(t->value, n) ? "\"" : "";

	/*
	 * an attribute of that name is no word about the shape, nor do some make a header
	 * of RSF
	 */
	if (taken)
		taf_str_printf(tail, "%%%02X%s", (unsigned)(unsigned char)t->key[0],
		    t->key + 1);
	else
		taf_key_format(tail, t);
	taf_str_printf(tail, "=%s", quote);
	taf_escape(tail, t->value, n, false);
	taf_str_printf(tail, "%s\n", quote);
}

/* What a reader would refuse. */
static enum taf_status
check_tail(const struct taf_buf *tail, struct taf_err *e)
{
	struct taf_err why = { 0 };

	if (taf_tail_check(tail->data, tail->len, 0, &why) != TAF_OK)
		return taf_fail(e, TAF_EDATA,
		    "the comment holds what makes another array (a TAF file, or a header of RSF): no reader takes that for text");
	if (tail->len > TAF_COMMENT_MAX)
		return taf_fail(e, TAF_EDATA, "a comment of %zu bytes, more than %d",
		    tail->len, (int)TAF_COMMENT_MAX);
	return TAF_OK;
}

enum taf_status
taf_tail_format(const struct taf_array *a, struct taf_buf *tail, struct taf_err *e)
{
	bool complex = taf_type_is_pair(a->type);
	bool some = a->ndim == 1 || complex || a->nattrs > 0;
	struct taf_str s = { *tail, e, TAF_OK };
	size_t i;

	s.buf.len = 0;
	taf_str_put(&s, a->comment.data, a->comment.len);
	/* text that looks like a block is kept from being read as one by an empty one */
	if (some || (a->comment.len > 0 &&
	    find_block(a->comment.data, a->comment.len) != NULL)) {
		if (a->comment.len > 0)
			taf_str_puts(&s, "\n");
		taf_str_puts(&s, marker);
		if (a->ndim == 1)
			taf_str_puts(&s, "ndim=1\n");
		if (complex)
			taf_str_puts(&s, "complex=1\n");
		for (i = 0; i < a->nattrs; i++)
			format_pair(&a->attrs[i], &s);
	}
	*tail = s.buf;
	return s.st != TAF_OK ? s.st : check_tail(tail, e);
}

enum taf_status
taf_file_shape(const struct taf_array *a, struct taf_array *file, struct taf_err *e)
{
	taf_array_init(file);
	if (taf_array_sound(a, e) != TAF_OK)
		return e->code;
	file->type = a->type;
	file->intercept = a->intercept;
	file->slope = a->slope;
	file->code = a->code;
	file->ndim = a->ndim;
	memcpy(file->dim, a->dim, sizeof file->dim);
	if (file->ndim == 1)
		taf_array_add_dim(file, 1, 1, 1);
	if (taf_type_is_pair(a->type)) {
		file->type = taf_type_facts(a->type)->component;
		taf_array_unmap(file);
		if (file->ndim == 2 && file->dim[1].n == 1)
			file->dim[1].n = 2;
		else if (file->ndim < TAF_MAX_DIM)
			taf_array_add_dim(file, 2, 1, 1);
		else
			return taf_fail(e, TAF_EDATA,
			    "complex elements of %d dimensions need one more than TAF has",
			    (int)TAF_MAX_DIM);
	}
	return TAF_OK;
}
