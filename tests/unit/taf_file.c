/* SPDX-License-Identifier: ISC */
/* TAF headers, and the text behind the data. */
#include "codec/taf_file.h"

#include <math.h>
#include <stdlib.h>

#include "base/endian.h"
#include "codec/escape.h"
#include "descriptor.h"
#include "unit.h"

enum { ROUNDS = 3000 };

static struct taf_err e;

/* A header by hand, as the report's table 2-1 has it: offsets are its own. */
struct bytes {
	unsigned char p[1056 + 24 * 65];
	size_t n;
};

static void
put_dim(struct bytes *b, uint64_t n, double start, double step)
{
	taf_put64(b->p + b->n, n, false);
	taf_putf64(b->p + b->n + 8, start, false);
	taf_putf64(b->p + b->n + 16, step, false);
	b->n += 24;
	taf_put64(b->p + 1048, (b->n - 1056) / 24, false);
}

static void
set_type(struct bytes *b, const char *name)
{
	memset(b->p + 1024, 0, 8);
	memcpy(b->p + 1024, name, strlen(name));
}

static struct bytes
header(const char *type, uint64_t n1, uint64_t n2)
{
	struct bytes b = { { 0 }, 1056 };

	memcpy(b.p, "TAF \1\0\0\n", 8);
	memset(b.p + 8, ' ', 1016);
	b.p[500] = 'x';
	set_type(&b, type);
	taf_putf64(b.p + 1032, INFINITY, false);
	taf_putf64(b.p + 1040, INFINITY, false);
	put_dim(&b, n1, 0.5, -0.25);
	put_dim(&b, n2, 3, 4);
	return b;
}

static enum taf_status
parse(const struct bytes *b, struct taf_array *a, struct taf_form *form)
{
	taf_err_clear(&e);
	taf_array_fini(a);
	taf_array_init(a);
	return taf_header_parse(b->p, b->n, a, form, &e);
}

/* It is refused, with a message that holds the words. */
static bool
refused(const struct bytes *b, const char *words)
{
	struct taf_array a = { 0 };
	struct taf_form form;

	return parse(b, &a, &form) == TAF_EDATA && e.code == TAF_EDATA &&
	    strstr(e.text, words) != NULL;
}

static void
sniffed(void)
{
	const unsigned char *p = (const unsigned char *)"TAF (TAF(TAF";

	CHECK(taf_sniff(p, 12));
	CHECK(taf_sniff(p + 5, 4));
	CHECK(!taf_sniff(p, 3));
	CHECK(!taf_sniff(p + 9, 3));
	CHECK(!taf_sniff(p + 1, 11));
	CHECK(!taf_sniff((const unsigned char *)"TAFX", 4));
	CHECK(!taf_sniff(NULL, 0));
}

static void
spellings_of_types(void)
{
	static const struct {
		const char *name;
		enum taf_type type;
	} t[] = { { "int8", TAF_INT8 }, { "uint8", TAF_UINT8 }, { "int16", TAF_INT16 },
		{ "uint16", TAF_UINT16 }, { "int32", TAF_INT32 },
		{ "uint32", TAF_UINT32 }, { "int64", TAF_INT64 },
		{ "uint64", TAF_UINT64 }, { "flt32", TAF_FLT32 }, { "flt64", TAF_FLT64 },
		{ "float32", TAF_FLT32 }, { "float64", TAF_FLT64 },
		{ "int8    ", TAF_INT8 }, { "flt64 ", TAF_FLT64 } };
	static const char *const wrong[] = { "", " int8", "INT8", "int", "int24",
		"float16", "complex", "char", "uint8 x", "float641" };

	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		struct bytes b = header(t[i].name, 3, 2);
		struct taf_array a = { 0 };
		struct taf_form form;

		CHECK(parse(&b, &a, &form) == TAF_OK);
		CHECK_EQ(a.type, t[i].type);
		CHECK(!form.legacy_type && !form.legacy_opening && form.synopsis);
	}
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct bytes b = header(wrong[i], 3, 2);

		CHECK(refused(&b, "offset 1024"));
	}
}

static void
legacy_types(void)
{
	static const struct {
		uint64_t bits;
		enum taf_type type;
	} t[] = { { 8, TAF_UINT8 }, { 16, TAF_UINT16 }, { 32, TAF_FLT32 },
		{ 64, TAF_FLT64 } };
	struct bytes b = header("int8", 3, 2);
	struct taf_array a = { 0 };
	struct taf_form form;

	for (size_t i = 0; i < 4; i++) {
		taf_put64(b.p + 1024, t[i].bits, false);
		CHECK(parse(&b, &a, &form) == TAF_OK);
		CHECK_EQ(a.type, t[i].type);
		CHECK(form.legacy_type);
	}
	for (uint64_t bits = 0; bits < 300; bits++) {
		taf_put64(b.p + 1024, bits, false);
		CHECK(bits == 8 || bits == 16 || bits == 32 || bits == 64 ||
		    refused(&b, "element type"));
	}
	/* big-endian 8 is none of them */
	taf_put64(b.p + 1024, 8, true);
	CHECK(refused(&b, "element type"));
}

static void
openings(void)
{
	static const struct {
		const char *bytes;
		int code;	/* -1: refused */
		bool legacy;
		int minor;
	} t[] = {
		{ "TAF \1\0\0\n", 0, false, 0 },
		{ "TAF \1\1\2\n", 2, false, 1 },
		{ "TAF \1\377\377\n", 255, false, 255 },
		{ "TAF(\1\0)\n", 0, true, 0 },
		{ "TAF(11)\n", 0, true, 1 },
		{ "TAF \2\0\0\n", -1, false, 0 },
		{ "TAF \0\0\0\n", -1, false, 0 },
		{ "TAF 1\0\0\n", -1, false, 0 },
		{ "TAF \1\0\0\r", -1, false, 0 },
		{ "TAF \1\0\0\0", -1, false, 0 },
		{ "TAF(10)\0", -1, false, 0 },
		{ "TAF(10 \n", -1, false, 0 },
		{ "TAF(20)\n", -1, false, 0 },
		{ "taf \1\0\0\n", -1, false, 0 },
		{ "TAF\t\1\0\0\n", -1, false, 0 },
		{ "GTA \1\0\0\n", -1, false, 0 },
	};
	struct bytes b = header("uint16", 3, 2);
	struct taf_array a = { 0 };
	struct taf_form form;

	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		memcpy(b.p, t[i].bytes, 8);
		if (t[i].code < 0) {
			CHECK(refused(&b, "offset "));
			continue;
		}
		CHECK(parse(&b, &a, &form) == TAF_OK);
		CHECK_EQ(a.code, t[i].code);
		CHECK(form.legacy_opening == t[i].legacy && form.major == 1);
		CHECK_EQ(form.minor, t[i].minor);
	}
}

static void
all_ranks(void)
{
	struct bytes b = header("int32", 3, 2);
	struct taf_array a = { 0 };
	struct taf_form form;

	b.n = 1056;
	taf_put64(b.p + 1048, 0, false);
	CHECK(refused(&b, "offset 1048"));
	for (unsigned n = 1; n <= 65; n++) {
		put_dim(&b, n % 3 == 0 ? 2 : 1, n, -(double)n / 8);
		if (n > 64) {
			CHECK(refused(&b, "offset 1048"));
			continue;
		}
		CHECK(parse(&b, &a, &form) == TAF_OK);
		CHECK_EQ(a.ndim, n);
		CHECK_EQ(form.header, 1056 + 24 * n);
		for (unsigned k = 0; k < n; k++)
			CHECK(a.dim[k].n == (k % 3 == 2 ? 2 : 1) &&
			    a.dim[k].start == k + 1 &&
			    a.dim[k].step == -(double)(k + 1) / 8);
	}
	taf_put64(b.p + 1048, UINT64_C(1) << 40 | 2, false);
	CHECK(refused(&b, "offset 1048"));
	taf_put64(b.p + 1048, UINT64_MAX, false);
	CHECK(refused(&b, "offset 1048"));
}

static void
every_prefix(void)
{
	struct bytes b = header("flt64", 3, 2);
	struct taf_array a;
	struct taf_form form;

	put_dim(&b, 7, 1, 1);
	for (size_t n = 0; n < b.n; n++) {
		/* memory of this very size: a sanitizer sees a byte too far */
		unsigned char *p = malloc(n > 0 ? n : 1);

		if (p == NULL)
			abort();
		memcpy(p, b.p, n);
		taf_array_init(&a);
		taf_err_clear(&e);
		CHECK(taf_header_parse(p, n, &a, &form, &e) == TAF_ETRUNC);
		CHECK(e.code == TAF_ETRUNC && e.text[0] != '\0');
		free(p);
	}
	taf_array_init(&a);
	taf_err_clear(&e);
	CHECK(taf_header_parse(b.p, b.n, &a, &form, &e) == TAF_OK);
}

static void
hostile_lengths(void)
{
	static const uint64_t n[][2] = { { UINT64_MAX, 1 }, { UINT64_MAX, UINT64_MAX },
		{ UINT64_C(1) << 32, UINT64_C(1) << 32 }, { UINT64_C(1) << 61, 2 },
		{ UINT64_C(1) << 63, 0 }, { 0, UINT64_MAX },
		{ (UINT64_C(1) << 59) + 1, 1 } };

	for (size_t i = 0; i < sizeof n / sizeof n[0]; i++) {
		struct bytes b = header("flt64", n[i][0], n[i][1]);

		CHECK(refused(&b, "too large"));
	}
}

static void
numbers_are_kept(void)
{
	static const double odd[] = { 0, -0.0, INFINITY, -INFINITY, NAN,
		1.7976931348623157e308, 5e-324 };
	struct bytes b = header("uint8", 0, 5);
	struct taf_array a = { 0 };
	struct taf_form form;

	for (size_t i = 0; i < 7; i++)
		for (size_t j = 0; j < 7; j++) {
			taf_putf64(b.p + 1032, odd[i], false);
			taf_putf64(b.p + 1040, odd[j], false);
			taf_putf64(b.p + 1064, odd[i], false);
			taf_putf64(b.p + 1072, odd[j], false);
			CHECK(parse(&b, &a, &form) == TAF_OK);
			CHECK_MEM(&a.intercept, &odd[i], 8);
			CHECK_MEM(&a.slope, &odd[j], 8);
			CHECK_MEM(&a.dim[0].start, &odd[i], 8);
			CHECK_MEM(&a.dim[0].step, &odd[j], 8);
			CHECK(taf_array_mapped(&a) ==
			    (isfinite(odd[i]) && isfinite(odd[j])));
		}
	CHECK(a.dim[0].n == 0 && taf_array_count(&a) == 0);
}

static void
synopsis(void)
{
	struct bytes b = header("uint8", 1, 5);
	struct taf_array a = { 0 };
	struct taf_form form;

	memset(b.p + 8, ' ', 1016);
	CHECK(parse(&b, &a, &form) == TAF_OK && !form.synopsis);
	memset(b.p + 8, 0, 1016);
	CHECK(parse(&b, &a, &form) == TAF_OK && !form.synopsis);
	b.p[1023] = 'z';
	CHECK(parse(&b, &a, &form) == TAF_OK && form.synopsis);
}

/* What we write, against the table, byte by byte where it says which. */
static void
written(void)
{
	static const unsigned char inf[8] = { 0, 0, 0, 0, 0, 0, 0xf0, 0x7f };
	static const unsigned char dim2[24] = { 2, 1, 0, 0, 0, 0, 0, 0,		/* 258 */
	    0, 0, 0, 0, 0, 0, 0xf8, 0x3f,					/* 1.5 */
	    0, 0, 0, 0, 0, 0, 0, 0xc0 };					/* -2 */
	unsigned char p[TAF_HEADER_MAX];
	struct taf_array a;
	size_t i;

	taf_array_init(&a);
	a.type = TAF_UINT16;
	taf_array_add_dim(&a, 9, 0, 1);
	taf_array_add_dim(&a, 258, 1.5, -2);
	CHECK_EQ(taf_header_format(&a, p), 1104);
	CHECK_MEM(p, "TAF \1\0\0\n", 8);
	for (i = 8; i < 1024; i++)
		if (!(p[i] == '\n' || (p[i] >= ' ' && p[i] < 0x7f)))
			break;
	CHECK_EQ(i, 1024);
	CHECK(p[1023] == ' ' && strstr((char *)p + 8, "1056") != NULL);
	CHECK_MEM(p + 1024, "uint16\0\0", 8);
	CHECK_MEM(p + 1032, inf, 8);
	CHECK_MEM(p + 1040, inf, 8);
	CHECK_MEM(p + 1048, "\2\0\0\0\0\0\0\0", 8);
	CHECK_MEM(p + 1080, dim2, 24);
	/* half a mapping is none, and both are written so */
	a.intercept = 1;
	a.slope = NAN;
	CHECK_EQ(taf_header_format(&a, p), 1104);
	CHECK_MEM(p + 1032, inf, 8);
	CHECK_MEM(p + 1040, inf, 8);
	a.slope = -2;
	a.code = 3;
	CHECK_EQ(taf_header_format(&a, p), 1104);
	CHECK_MEM(p, "TAF \1\1\3\n", 8);
	CHECK_MEM(p + 1032, "\0\0\0\0\0\0\xf0\x3f", 8);
	CHECK_MEM(p + 1040, "\0\0\0\0\0\0\0\xc0", 8);
}

static void
header_round_trips(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		unsigned char p[TAF_HEADER_MAX], q[TAF_HEADER_MAX];
		unsigned ndim = draw(4) ? 1 + draw(4) : 1 + draw(64);
		struct taf_array a, b;
		struct taf_form form;
		size_t n;

		taf_array_init(&a);
		taf_array_init(&b);
		taf_err_clear(&e);
		a.type = (enum taf_type)draw(10);
		a.code = draw(2) ? 0 : (unsigned char)draw(256);
		if (!taf_code_fits(a.code, ndim))
			a.code = 0;
		if (draw(2)) {
			a.intercept = draw(1000) / 7.0 - 50;
			a.slope = draw(1000) / 11.0 - 50;
		}
		for (unsigned k = 0; k < ndim; k++)
			taf_array_add_dim(&a, draw(9) ? 1 + draw(2) : 0,
			    draw(99) / 3.0 - 9, draw(9) ? draw(99) / 3.0 : NAN);
		n = taf_header_format(&a, p);
		if (taf_array_check(&a, &e) != TAF_OK)
			continue;
		CHECK(taf_header_parse(p, n, &b, &form, &e) == TAF_OK);
		CHECK(form.header == n && form.synopsis && form.major == 1 &&
		    form.minor == (a.code != 0));
		CHECK_STR(descriptor_differs(&a, &b), NULL);
		CHECK_EQ(taf_header_format(&b, q), n);
		CHECK_MEM(p, q, n);
	}
}

/* An array of two dimensions, and a tail parsed into it. */
static enum taf_status
tail(struct taf_array *a, uint64_t n2, const char *text, size_t n)
{
	taf_err_clear(&e);
	taf_array_fini(a);
	taf_array_init(a);
	taf_array_add_dim(a, 5, 0, 1);
	taf_array_add_dim(a, n2, 0, 1);
	return taf_tail_parse(text, n, a, &e);
}

#define M "--- attributes ---\n"

static void
known_tails(void)
{
	static const struct {
		const char *tail, *comment;
		size_t nattrs;
		const char *value;	/* of the last attribute */
	} t[] = {
		{ "", "", 0, NULL },
		{ "\n", "\n", 0, NULL },
		{ "text", "text", 0, NULL },
		{ "text\n", "text\n", 0, NULL },
		{ M, "", 0, NULL },
		{ "\n" M, "", 0, NULL },
		{ "\n\n" M, "\n", 0, NULL },
		{ "text\n" M, "text", 0, NULL },
		{ "text\n\n" M, "text\n", 0, NULL },
		{ "text" M, "text" M, 0, NULL },
		{ M "k=v\n", "", 1, "v" },
		{ M "k=v", "", 1, "v" },
		{ M "k=\n", "", 1, "" },
		{ M "k=a=b\n", "", 1, "a=b" },
		{ M "k=  blanks stay \n", "", 1, "  blanks stay " },
		{ M "k=%0A%25%22%zz%4\n", "", 1, "\n%\"%zz%4" },
		{ M "k=%41\n", "", 1, "%41" }, /* never written so: it is text */
		{ M "k=1\nk=2\n", "", 1, "2" },
		{ "t\n" M "k=v\n" M "l=w\n", "t\n" M "k=v", 1, "w" },
		{ "t\n" M "k=v\n" M, "t\n" M "k=v", 0, NULL },
		{ M "no pair\n", M "no pair\n", 0, NULL },
		{ M "k=v\n\n", M "k=v\n\n", 0, NULL },
		{ M "k=v\nmore text", M "k=v\nmore text", 0, NULL },
		{ M "=v\n", M "=v\n", 0, NULL },
		{ M "two words=v\n", M "two words=v\n", 0, NULL },
		{ M "q\"=v\n", M "q\"=v\n", 0, NULL },
		{ M "k=v\n" M "text\n", M "k=v\n" M "text\n", 0, NULL },
		{ "--- attributes ---", "--- attributes ---", 0, NULL },
		{ "--- attributes ---\r\nk=v\n", "--- attributes ---\r\nk=v\n", 0, NULL },
		{ " " M "k=v\n", " " M "k=v\n", 0, NULL },
		{ M "ndim=2\n", "", 1, "2" },
		{ M "ndim=1\n", "", 1, "1" }, /* 5 x 2: it is no word about the shape */
		{ M "%6Edim=1\n", "", 1, "1" },
	};
	struct taf_array a = { 0 };

	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		CHECK(tail(&a, 2, t[i].tail, strlen(t[i].tail)) == TAF_OK);
		CHECK_EQ(a.comment.len, strlen(t[i].comment));
		CHECK_STR(a.comment.data, t[i].comment);
		CHECK_EQ(a.nattrs, t[i].nattrs);
		CHECK_EQ(a.ndim, 2);
		if (a.nattrs > 0)
			CHECK_STR(a.attrs[a.nattrs - 1].value, t[i].value);
	}
	/* NUL is text, and makes text of what it stands in */
	CHECK(tail(&a, 2, "a\0b\n" M "k=v\n", sizeof "a\0b\n" M "k=v\n" - 1) == TAF_OK);
	CHECK(a.comment.len == 3 && a.nattrs == 1);
	CHECK(tail(&a, 2, M "k=v\0\n", sizeof M "k=v\0\n" - 1) == TAF_OK);
	CHECK(a.nattrs == 0 && a.comment.len == sizeof M "k=v\0\n" - 1);
	taf_array_fini(&a);
}

static void
scopes(void)
{
	static const struct {
		const char *line, *key;
		enum taf_scope scope;
		unsigned index;
	} t[] = {
		{ "k@2=v", "k", TAF_OF_DIM, 2 },
		{ "k@64=v", "k", TAF_OF_DIM, 64 },
		{ "k@c7=v", "k", TAF_OF_COMPONENT, 7 },
		{ "k=v", "k", TAF_OF_ARRAY, 0 },
		{ "a@b@3=v", "a@b", TAF_OF_DIM, 3 },
		{ "k@0=v", "k@0", TAF_OF_ARRAY, 0 },
		{ "k@02=v", "k@02", TAF_OF_ARRAY, 0 },
		{ "k@c=v", "k@c", TAF_OF_ARRAY, 0 },
		{ "k@=v", "k@", TAF_OF_ARRAY, 0 },
		{ "@1=v", "@1", TAF_OF_ARRAY, 0 },
		{ "k@1x=v", "k@1x", TAF_OF_ARRAY, 0 },
		{ "k%401=v", "k@1", TAF_OF_ARRAY, 0 },
		{ "k%20%3D=v", "k =", TAF_OF_ARRAY, 0 },
		{ "k@99999999999999999999=v", "k@99999999999999999999", TAF_OF_ARRAY, 0 },
	};
	struct taf_array a = { 0 };
	char text[200];

	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		snprintf(text, sizeof text, M "%s\n", t[i].line);
		CHECK(tail(&a, 2, text, strlen(text)) == TAF_OK);
		if (!CHECK_EQ(a.nattrs, 1))
			continue;
		CHECK_STR(a.attrs[0].key, t[i].key);
		CHECK_EQ(a.attrs[0].scope, t[i].scope);
		CHECK_EQ(a.attrs[0].index, t[i].index);
		CHECK_STR(a.attrs[0].value, "v");
	}
	/* a name or a value cannot hold a NUL */
	CHECK(tail(&a, 2, M "a%00b=v\n", sizeof M "a%00b=v\n" - 1) == TAF_EDATA);
	CHECK(tail(&a, 2, M "k=a%00b\n", sizeof M "k=a%00b\n" - 1) == TAF_EDATA);
	taf_array_fini(&a);
}

/* Rank and complexity, which TAF cannot say: what the block makes of a file's shape. */
static void
shapes(void)
{
	static const struct {
		uint64_t n[3];		/* of the file; 0 ends them */
		enum taf_type type;
		const char *tail;
		unsigned ndim;
		uint64_t last;
		enum taf_type becomes;
		size_t nattrs;
	} t[] = {
		{ { 5, 1 }, TAF_INT16, "ndim=1\n", 1, 5, TAF_INT16, 0 },
		{ { 5, 1 }, TAF_INT16, "", 2, 1, TAF_INT16, 0 },
		{ { 5, 3 }, TAF_INT16, "ndim=1\n", 2, 3, TAF_INT16, 1 },
		{ { 5, 1, 1 }, TAF_INT16, "ndim=1\n", 3, 1, TAF_INT16, 1 },
		{ { 5, 2 }, TAF_FLT32, "complex=1\n", 2, 1, TAF_COMPLEX, 0 },
		{ { 5, 2 }, TAF_FLT32, "ndim=1\ncomplex=1\n", 1, 5, TAF_COMPLEX, 0 },
		{ { 5, 2 }, TAF_FLT32, "complex=1\nndim=1\n", 1, 5, TAF_COMPLEX, 0 },
		{ { 5, 3, 2 }, TAF_FLT32, "complex=1\n", 2, 3, TAF_COMPLEX, 0 },
		{ { 5, 1, 2 }, TAF_FLT32, "complex=1\n", 2, 1, TAF_COMPLEX, 0 },
		{ { 5, 3 }, TAF_FLT32, "complex=1\n", 2, 3, TAF_FLT32, 1 },
		{ { 5, 2 }, TAF_FLT64, "complex=1\n", 2, 1, TAF_COMPLEX128, 0 },
		{ { 5, 2 }, TAF_INT64, "complex=1\n", 2, 2, TAF_INT64, 1 },
		{ { 5, 2 }, TAF_FLT32, "complex=2\n", 2, 2, TAF_FLT32, 1 },
		{ { 5, 1 }, TAF_FLT32, "ndim=1\ncomplex=1\n", 1, 5, TAF_FLT32, 1 },
	};

	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		struct taf_buf out = { 0 };
		struct taf_array a, file;
		char text[100];

		taf_array_init(&a);
		taf_err_clear(&e);
		a.type = t[i].type;
		for (unsigned k = 0; k < 3 && t[i].n[k] != 0; k++)
			taf_array_add_dim(&a, t[i].n[k], k, 1);
		file = a;
		snprintf(text, sizeof text, M "%s", t[i].tail);
		CHECK(taf_tail_parse(text, strlen(text), &a, &e) == TAF_OK);
		CHECK_EQ(a.ndim, t[i].ndim);
		CHECK_EQ(a.dim[a.ndim - 1].n, t[i].last);
		CHECK_EQ(a.type, t[i].becomes);
		CHECK_EQ(a.nattrs, t[i].nattrs);
		CHECK(a.nattrs == 0 || a.attrs[0].bare);
		/* and back: the file's shape, and a tail that means the same */
		{
			struct taf_array shape, again;

			CHECK(taf_file_shape(&a, &shape, &e) == TAF_OK);
			CHECK_EQ(taf_array_bytes(&shape), taf_array_bytes(&file));
			CHECK(shape.type == file.type);
			/* M x 1 x 2 is not how we write complex M x 1 */
			CHECK(shape.ndim == file.ndim ||
			    (file.ndim == 3 && file.dim[1].n == 1));
			for (unsigned k = 0; k < file.ndim && shape.ndim == file.ndim;
			     k++)
				CHECK_EQ(shape.dim[k].n, file.dim[k].n);
			CHECK(taf_tail_format(&a, &out, &e) == TAF_OK);
			again = file;
			CHECK(taf_tail_parse(out.data, out.len, &again, &e) == TAF_OK);
			CHECK(again.ndim == a.ndim && again.type == a.type);
			CHECK_EQ(again.nattrs, a.nattrs);
			taf_array_fini(&again);
		}
		taf_buf_free(&out);
		taf_array_fini(&a);
	}
}

/* A mapping is of real numbers: what has one stays real, whatever its comment says. */
static void
complex_has_no_mapping(void)
{
	static const char text[] = M "complex=1\n";
	struct taf_array a;

	taf_array_init(&a);
	taf_err_clear(&e);
	a.type = TAF_FLT32;
	a.intercept = 1;
	a.slope = 0.5;
	taf_array_add_dim(&a, 5, 0, 1);
	taf_array_add_dim(&a, 2, 0, 1);
	CHECK(taf_tail_parse(text, sizeof text - 1, &a, &e) == TAF_OK);
	CHECK(a.type == TAF_FLT32 && a.ndim == 2 && a.dim[1].n == 2);
	CHECK(taf_array_mapped(&a));
	CHECK_STR(taf_attr_get(&a, "complex", TAF_OF_ARRAY, 0), "1");
	taf_array_fini(&a);
}

static void
complex_needs_a_dimension(void)
{
	struct taf_array a, file;

	taf_array_init(&a);
	taf_err_clear(&e);
	a.type = TAF_COMPLEX;
	for (unsigned k = 0; k < 64; k++)
		taf_array_add_dim(&a, 1, 0, 1);
	CHECK(taf_file_shape(&a, &file, &e) == TAF_EDATA);
	a.ndim = 63;
	taf_err_clear(&e);
	CHECK(taf_file_shape(&a, &file, &e) == TAF_OK && file.ndim == 64);
	CHECK(file.dim[63].n == 2 && file.type == TAF_FLT32);
	a.ndim = 1;
	CHECK(taf_file_shape(&a, &file, &e) == TAF_OK && file.ndim == 2 &&
	    file.dim[1].n == 2);
	a.type = TAF_INT8;
	CHECK(taf_file_shape(&a, &file, &e) == TAF_OK && file.ndim == 2 &&
	    file.dim[1].n == 1);
}

static void
written_tails(void)
{
	struct taf_buf out = { 0 };
	struct taf_array a;

	taf_array_init(&a);
	taf_err_clear(&e);
	taf_array_add_dim(&a, 3, 0, 1);
	taf_array_add_dim(&a, 2, 0, 1);
	CHECK(taf_tail_format(&a, &out, &e) == TAF_OK);
	CHECK_EQ(out.len, 0);
	CHECK(taf_attr_set(&a, "label", TAF_OF_DIM, 2, "100% \"x\"", &e) == TAF_OK);
	CHECK(taf_attr_set(&a, "a b=@", TAF_OF_COMPONENT, 3, "", &e) == TAF_OK);
	CHECK(taf_attr_set(&a, "ndim", TAF_OF_ARRAY, 0, "1", &e) == TAF_OK);
	CHECK(taf_tail_format(&a, &out, &e) == TAF_OK);
	CHECK_STR(out.data, M "label@2=100%25 %22x%22\na%20b%3D%40@c3=\n%6Edim=\"1\"\n");
	CHECK(taf_buf_puts(&a.comment, "text\n", &e) == TAF_OK);
	a.ndim = 1;
	a.type = TAF_COMPLEX;
	CHECK(taf_tail_format(&a, &out, &e) == TAF_OK);
	CHECK(strncmp(out.data, "text\n\n" M "ndim=1\ncomplex=1\nlabel@2=", 50) == 0);
	taf_buf_free(&out);
	taf_array_fini(&a);
}

/* What a reader would take for another file, or not take at all, is not written. */
static void
comments_that_no_file_can_have(void)
{
	static const char *const headers[] = {
		"n1=3\nin=\"x\"\ndata_format=\"native_int\"\n",
		"4.3\tsfspike\tx:\n\tesize=0 in=x\n\tn1=3",
		/* the first word is behind text without a line feed */
		"noten1=3\n\tin=x\n\tdata_format=y",
		("note\tdata_format=y\n\tesize=4\n\ttaf_format=\"int8\"\n\tn1=2\n"
		"\tin=\"stdin\""),
	};
	static const char *const texts[] = {
		"TAF record of shot 3", "TAF(", "TAF (x)", "TAFT was here",
		"TAF(10)\n", "see TAF(10)\nbelow", "in=x n1=3", "n1=2 data_format=x",
		/* a sentence, no line of keys; keys on both sides of a header's end */
		"with n1=3 data_format=x in=y", "\tn1=3 in=x\n\f\f\004\n\tdata_format=y",
		"\tn11=3 min=x data_format=y", "\tn1=3 \"in=x data_format=y\"",
	};
	struct taf_buf out = { 0 };
	struct taf_array a;

	taf_array_init(&a);
	taf_array_add_dim(&a, 3, 0, 1);
	for (int ndim = 1; ndim <= 2; ndim++) {
		a.ndim = (unsigned)ndim;
		a.dim[1].n = 2;
		for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
			a.comment.len = 0;
			taf_err_clear(&e);
			CHECK(taf_buf_puts(&a.comment, headers[i], &e) == TAF_OK);
			CHECK(taf_tail_format(&a, &out, &e) == TAF_EDATA);
		}
		for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
			a.comment.len = 0;
			taf_err_clear(&e);
			CHECK(taf_buf_puts(&a.comment, texts[i], &e) == TAF_OK);
			CHECK(taf_tail_format(&a, &out, &e) == TAF_OK);
		}
		for (int legacy = 0; legacy < 2; legacy++) {
			struct bytes b = header("int8", 3, 2);

			a.comment.len = 0;
			taf_err_clear(&e);
			if (legacy)
				memcpy(b.p, "TAF(10)\n", 8);
			CHECK(taf_buf_put(&a.comment, "note\nTA", 7, &e) == TAF_OK);
			CHECK(taf_buf_put(&a.comment, b.p, b.n, &e) == TAF_OK);
			CHECK(taf_tail_format(&a, &out, &e) == TAF_EDATA);
			/* without its number of dimensions it is none */
			taf_err_clear(&e);
			a.comment.data[7 + 1048] = 65;
			CHECK(taf_tail_format(&a, &out, &e) == TAF_OK);
			CHECK_EQ(taf_tail_text(out.data, out.len), legacy ? 7 + 1028 :
			    7 + 4);
		}
	}
	a.comment.len = 0;
	CHECK(taf_buf_reserve(&a.comment, TAF_COMMENT_MAX + 1, &e) == TAF_OK);
	memset(a.comment.data, 'x', TAF_COMMENT_MAX + 1);
	a.comment.len = TAF_COMMENT_MAX + 1;
	taf_err_clear(&e);
	CHECK(taf_tail_format(&a, &out, &e) == TAF_EDATA);
	taf_buf_free(&out);
	taf_array_fini(&a);
}

/* Pieces that matter here, or any byte. */
static void
some_text(struct taf_buf *b, unsigned pieces, bool nul)
{
	static const char *const piece[] = { M, "\n", "k=v\n", "--- attributes ---",
		"ndim=1\n", "complex=1\n", "%", "%41", "%0A", "\"", "=", " ", "@1", "@c2",
		"text", "\r\n", "\xff", "TAF" };

	for (unsigned i = 0; i < pieces; i++) {
		char c = (char)draw(256);
		const char *p = piece[draw(sizeof piece / sizeof piece[0])];

		if (draw(4) == 0 && (nul || c != '\0'))
			CHECK(taf_buf_put(b, &c, 1, &e) == TAF_OK);
		else
			CHECK(taf_buf_puts(b, p, &e) == TAF_OK);
	}
}

/* Text that looks like a number stays text, and a number one. */
static void
tail_round_trips(void)
{
	static const char *const number[] = { "007", "2.10", "1,2", "nan", "3x5", "-0",
		"inf", "1e5", "\"7\"", "\"7", "1,", "0x10", "7 ", "2*3,4", "+" };

	for (int i = 0; i < ROUNDS; i++) {
		struct taf_array a, b;
		struct taf_buf out = { 0 };

		taf_array_init(&a);
		taf_array_init(&b);
		taf_err_clear(&e);
		taf_array_add_dim(&a, 4, 0, 1);
		if (draw(3))
			taf_array_add_dim(&a, 1 + draw(2), 0, 1);
		some_text(&a.comment, draw(7), true);
		for (uint32_t k = draw(4); k > 0; k--) {
			struct taf_buf key = { 0 }, value = { 0 };
			struct taf_attr_name name;

			some_text(&key, 1 + draw(3), false);
			some_text(&value, draw(4), false);
			if (draw(8) == 0) {
				key.len = 0;
				CHECK(taf_buf_puts(&key, draw(2) ? "ndim" : "complex",
					  &e) == TAF_OK);
				value.len = 0;
				CHECK(taf_buf_puts(&value, "1", &e) == TAF_OK);
			}
			if (draw(3) == 0) {
				value.len = 0;
				CHECK(taf_buf_puts(&value, number[draw(sizeof number /
				    sizeof number[0])], &e) == TAF_OK);
			}
			name.key = key.data;
			name.scope = (enum taf_scope)draw(3);
			name.index = 1 + draw(3);
			CHECK(taf_attr_setn(&a, &name,
			    value.data != NULL ? value.data : "",
				  value.len, &e) == TAF_OK);
			if (value.len > 0 && taf_is_number(value.data, value.len) &&
			    draw(2) == 0)
				taf_attr_bare(&a, name.key, name.scope, name.index);
			taf_buf_free(&key);
			taf_buf_free(&value);
		}
		CHECK(taf_file_shape(&a, &b, &e) == TAF_OK);
		if (taf_tail_format(&a, &out, &e) == TAF_OK) {
			CHECK(taf_tail_parse(out.data, out.len, &b, &e) == TAF_OK);
			if (!CHECK_STR(descriptor_differs(&a, &b), NULL))
				printf("#   round %d: %s\n", i, out.data);
		} else {
			CHECK(taf_sniff((unsigned char *)a.comment.data, a.comment.len));
		}
		taf_buf_free(&out);
		taf_array_fini(&a);
		taf_array_fini(&b);
	}
}

static void
escapes(void)
{
	struct taf_str out = { .err = &e };
	struct taf_buf back = { 0 };
	char all[256];

	taf_err_clear(&e);
	for (int i = 0; i < 256; i++)
		all[i] = (char)i;
	for (int key = 0; key < 2; key++) {
		out.buf.len = back.len = 0;
		taf_escape(&out, all, 256, key);
		CHECK(out.st == TAF_OK);
		for (size_t i = 0; i < out.buf.len; i++)
			CHECK((unsigned char)out.buf.data[i] >= ' ' &&
			    out.buf.data[i] != 0x7f && out.buf.data[i] != '"' &&
			    (!key || strchr(" =@", out.buf.data[i]) == NULL));
		/* 32 control bytes, DEL, quote, percent; and blank, =, @ in a key */
		CHECK_EQ(out.buf.len, 256 + 2 * (35 + (key ? 3 : 0)));
		CHECK(taf_unescape(&back, out.buf.data, out.buf.len, key, &e) == TAF_OK);
		CHECK_EQ(back.len, 256);
		CHECK_MEM(back.data, all, 256);
		CHECK_EQ(taf_escape_fit(all, 256, key, out.buf.len), 256);
		CHECK_EQ(taf_escape_fit(all, 256, key, out.buf.len - 1), 255);
		CHECK_EQ(taf_escape_fit(all, 256, key, 2), 0);
	}
	back.len = 0;
	CHECK(taf_unescape(&back, "%0a%0A%7f%7E%2", 14, false, &e) == TAF_OK);
	CHECK_STR(back.data, "\n\n\x7f%7E%2");
	taf_str_free(&out);
	taf_buf_free(&back);
}

int
main(void)
{
	UNIT(sniffed);
	UNIT(spellings_of_types);
	UNIT(legacy_types);
	UNIT(openings);
	UNIT(all_ranks);
	UNIT(every_prefix);
	UNIT(hostile_lengths);
	UNIT(numbers_are_kept);
	UNIT(synopsis);
	UNIT(written);
	UNIT(header_round_trips);
	UNIT(known_tails);
	UNIT(scopes);
	UNIT(shapes);
	UNIT(complex_has_no_mapping);
	UNIT(complex_needs_a_dimension);
	UNIT(written_tails);
	UNIT(comments_that_no_file_can_have);
	UNIT(tail_round_trips);
	UNIT(escapes);
	return unit_end();
}
