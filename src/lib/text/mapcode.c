/* SPDX-License-Identifier: ISC */
#include "text/mapcode.h"

#include <string.h>

#include "base/num.h"
#include "base/utf8.h"

/*
 * How a language quotes the name of a file.  A character of escape is written as escaped
 * says, a control byte as byte says, and as it is where that is NULL.  So are the bytes
 * beyond ASCII of a name that is not UTF-8, unless such a name cannot be said.  Names
 * that need byte are between other quotes where those are not NULL.
 */
struct quoting {
	const char *open, *close, *escape, *escaped, *byte, *odd_open, *odd_close;
	bool unicode;		/* names are UTF-8 */
	bool control;		/* control bytes alone need the other quotes */
};

/*
 * A language: its quotes, what it calls the element types, and its program.  The program
 * ends in one way for stored values and in another for values under a mapping.  In these
 * texts '~' and a letter stand for what put_field makes of it.
 */
struct language {
	const char *name;
	struct quoting quoting;
	const char *types[TAF_NTYPES];	/* in the order of enum taf_type */
	const char *program, *stored, *mapped;
	bool any;		/* it has all types */
	bool little, fortran;	/* it has no other order of bytes, of elements */
};

#define MATLAB_TYPES { "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", \
	"uint64", "single", "double" }
/* MATLAB and Octave print alike */
#define MATLAB_ENDS "fprintf('~P\\n', value(x(1)));\nfprintf('~P\\n', value(x(end)));\n"
#define MATLAB_STORED "value = @(x) x;\n" MATLAB_ENDS
#define MATLAB_MAPPED "value = @(x) ~a + ~b * double(x);\n" MATLAB_ENDS

#define NUMPY_ENDS "\n\nif __name__ == '__main__':\n    grids, values = load()\n" \
	"    print(values[(0,) * values.ndim].item())\n" \
	"    print(values[(-1,) * values.ndim].item())\n"

#define PYTHON_MAP "    x = np.memmap(path, dtype='~V', mode='r', offset=~O,\n" \
	"                  shape=(~N), order='~W')\n    x = x[~r]\n"
#define XARRAY_ENDS "    return xr.DataArray(x, coords, [~d], ~n, ~t)\n" \
	"\n\nif __name__ == '__main__':\n    values = load().values\n" \
	"    print(values[(0,) * values.ndim].item())\n" \
	"    print(values[(-1,) * values.ndim].item())\n"

#define R_ENDS "  attr(x, \"taf\") <- list(start = c(~s), step = c(~i),\n" \
	"    label = c(~v), unit = c(~u))\n  x\n}\nif (sys.nframe() == 0) {\n" \
	"  x <- taf_load()\n  cat(format(x[1], digits = 17), \"\\n\", sep = \"\")\n" \
	"  cat(format(x[length(x)], digits = 17), \"\\n\", sep = \"\")\n}\n"

/* What is printed where no language is asked for. */
static const struct language words = {
	"", { .open = "", .close = "", .escape = "", .byte = "\\%03o" }, { NULL },
	"file     ~F\noffset   ~o\ntype     ~U, ~B bytes, ~E-endian\nshape    ~C\n"
	"strides  ~S\n",
	"mapping  none\n",
	"mapping  y = ~a + ~b * x\n", true, false, false,
};

/* R has integers of 32 bits, the smallest of which is none, and floats. */
#define R_WORDS(n) "  x <- as.double(get(\"integer\", " n ", 4))\n" \
	"  x[is.na(x)] <- -2^31\n"
#define R_LONG(high) R_WORDS("2 * n") \
	"  x <- matrix(x, 2)[~y, , drop = FALSE]\n" \
	"  x <- " high " * 2^32 + x[1, ] + 2^32 * (x[1, ] < 0)\n" \
	"  if (any(abs(x) >= 2^53)) stop(\"integers from 2^53 on are not exact here\")\n"
#define R_PAIR(bytes) "  x <- matrix(get(\"double\", 2 * n, " bytes "), 2)\n" \
	"  x <- complex(real = x[1, ], imaginary = x[2, ])\n"

static const struct language languages[] = {
	{ "c", { "\"", "\"", "\\\"?", "\\%03o", "\\%03o", NULL, NULL, false, false },
	{ "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t",
	"uint64_t", "float", "double" },
	"/* little-endian hosts */\n#include <fcntl.h>\n#include <stdint.h>\n"
	"#include <stdio.h>\n#include <sys/mman.h>\n\nint\nmain(void)\n{\n"
	"\tconst size_t offset = ~O, size = ~Z;\n\tint fd = open(~F, O_RDONLY);\n"
	"\tconst char *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);\n"
	"\tconst ~T *x = (const void *)(map + offset);\n\n"
	"\tif (fd < 0 || map == MAP_FAILED)\n\t\treturn 1;\n"
	"\t/* element i[0], i[1], ... from 0: x[~f~I] */\n",
	"\tprintf(\"~Q\\n\", (~X)x[~f]);\n"
	"\tprintf(\"~Q\\n\", (~X)x[~l]);\n\treturn 0;\n}\n",
	"\tconst double intercept = ~a, slope = ~b;\n"
	"\tprintf(\"%.17g\\n\", intercept + slope * x[~f]);\n"
	"\tprintf(\"%.17g\\n\", intercept + slope * x[~l]);\n\treturn 0;\n}\n",
	false, true, false },
	{ "json", { .unicode = true }, { NULL },
	"{\"file\":~J,\"offset\":~o,\"type\":\"~U\",\"itemsize\":~B,\"order\":\"~E\","
	"\"shape\":[~C],\"strides\":[~S],",
	"\"intercept\":null,\"slope\":null}\n",
	"\"intercept\":~a,\"slope\":~b}\n", true, false, false },
	{ "julia", { "\"", "\"", "\\\"$", "\\%c", "\\x%02x", NULL, NULL, false, false },
	{ "Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64",
	    "Float32",
	"Float64" },
	"using Mmap\n\nx = open(~F) do f\n"
	"    Mmap.mmap(f, Array{~T,~K}, (~N,), ~O)\nend\n"
	"x = @view x[~R]\n",
	"println(first(x))\nprintln(last(x))\n",
	"value(x) = ~a + ~b * Float64(x)\n"
	"println(value(first(x)))\nprintln(value(last(x)))\n", false, true, true },
	{ "matlab", { "'", "'", "'", "'%c", "' char(%u) '", "['", "']", true, true },
	MATLAB_TYPES,
	"m = memmapfile(~F, 'Offset', ~O, 'Repeat', 1, ...\n"
	"    'Format', {'~T', [~M], 'x'});\n"
	"x = m.Data.x(~R);\n",
	MATLAB_STORED, MATLAB_MAPPED, false, true, true },
	{ "numpy", { "'", "'", "\\'", "\\x%02x", "\\x%02x", "b'", "'", false, false },
	{ NULL },
	"import numpy as np\n\n\ndef load(path=~F):\n"
	"    \"\"\"Return the grids, one a dimension, and the physical values.\"\"\"\n"
	PYTHON_MAP
	"    grids = [\n        ~G,\n    ]\n",
	"    return grids, x\n" NUMPY_ENDS,
	"    return grids, ~A + ~D * x.astype('f8')\n" NUMPY_ENDS, true, false, false },
	/* it has no memmapfile: it reads */
	{ "octave", { "'", "'", "'", "'%c", "' char(%u) '", "['", "']", false, true },
	MATLAB_TYPES,
	"f = fopen(~F, 'r', 'ieee-~h');\nfseek(f, ~O, 'bof');\nn = [~M];\n"
	"x = reshape(fread(f, prod(n), '~T=>~T'), n);\nfclose(f);\nx = x(~R);\n",
	MATLAB_STORED, MATLAB_MAPPED, false, false, true },
	{ "r", { "\"", "\"", "\\\"", "\\%c", "\\%03o", NULL, NULL, false, false }, {
	"  x <- get(\"integer\", n, 1)\n", "  x <- get(\"integer\", n, 1, FALSE)\n",
	"  x <- get(\"integer\", n, 2)\n", "  x <- get(\"integer\", n, 2, FALSE)\n",
	R_WORDS("n"), R_WORDS("n") "  x <- x + 2^32 * (x < 0)\n", R_LONG("x[2, ]"),
	R_LONG("(x[2, ] + 2^32 * (x[2, ] < 0))"), "  x <- get(\"double\", n, 4)\n",
	"  x <- get(\"double\", n, 8)\n", R_PAIR("4"), R_PAIR("8") },
	"taf_load <- function(path = ~F) {\n  f <- file(path, \"rb\")\n"
	"  on.exit(close(f))\n  invisible(seek(f, ~O))\n  n <- prod(~N)\n"
	"  get <- function(what, count, size, signed = TRUE) {\n"
	"    v <- readBin(f, what, count, size, signed, \"~E\")\n"
	"    if (length(v) < count) stop(path, \": it ends before the array\")\n"
	"    v\n  }\n~T"
	"  x <- array(x, c(~N))[~q, drop = FALSE]\n",
	R_ENDS, "  x <- ~a + ~b * x\n" R_ENDS, false, false, true },
	{ "shell", { "'", "'", "'", "'\\%c'", NULL, NULL, NULL, false, false },
	{ "d1", "u1", "d2", "u2", "d4", "u4", "d8", "u8", "f4", "f8" },
	"file=~F\nelement() { # BYTE: the value there\n"
	"\tod -A n -v --endian=~E -t ~T -j \"$1\" -N ~B -- \"$file\" |",
	" awk '{ print $1 }'\n}\nelement ~o\nelement ~p\n",
	" awk '{ printf \"%.17g\\n\", ~a + ~b * $1 }'\n}\nelement ~o\nelement ~p\n",
	false, false, false },
	{ "xarray", { "'", "'", "\\'", "\\x%02x", "\\x%02x", "b'", "'", false, false },
	{ NULL },
	"import numpy as np\nimport xarray as xr\n\n\ndef load(path=~F):\n"
	"    \"\"\"Return the array with its grids; values are physical.\"\"\"\n"
	PYTHON_MAP "    coords = {\n        ~c,\n    }\n",
	XARRAY_ENDS, "    x = ~A + ~D * x.astype('f8')\n" XARRAY_ENDS,
	true, false, false },
};

/* A page that is being written. */
struct page {
	const struct taf_mapcode *m;
	const struct taf_map *at;
	const struct language *lang;
	struct taf_str *to;
	struct taf_array part;		/* the region as an array: its grids */
	uint64_t stride[TAF_MAX_DIM];	/* of the file, in elements */
	uint64_t first, last;		/* elements of the region, from 0 */
};

static bool
is_control(unsigned char c)
{
	return c < 0x20 || c == 0x7f;
}

static void
put_name(struct page *p)
{
	const struct quoting *q = &p->lang->quoting;
	const unsigned char *s = (const unsigned char *)p->at->file;
	const bool utf8 = taf_utf8_text(p->at->file, strlen(p->at->file));
	bool odd = !utf8;
	size_t i;

	for (i = 0; s[i] != '\0'; i++)
		odd = odd || (q->control && is_control(s[i]));
	odd = odd && q->odd_open != NULL;
	taf_str_puts(p->to, odd ? q->odd_open : q->open);
	for (; *s != '\0'; s++)
		if (strchr(q->escape, *s) != NULL)
			taf_str_printf(p->to, q->escaped, *s);
		else if (q->byte != NULL && (is_control(*s) || (!utf8 && *s >= 0x80)))
			taf_str_printf(p->to, q->byte, *s);
		else
			taf_str_put(p->to, s, 1);
	taf_str_puts(p->to, odd ? q->odd_close : q->close);
}

/* A float of Python, where a whole number would be an int, whose 0 has no sign. */
static void
put_python(struct page *p, double v)
{
	const struct taf_f64_text text = taf_f64(v);

	if (!taf_is_finite(v))
		taf_str_printf(p->to, "float('%s')", text.s);
	else
		taf_str_printf(p->to, "%s%s", text.s,
		    strpbrk(text.s, ".e") == NULL ? ".0" : "");
}

static void
put_r(struct page *p, double v)
{
	taf_str_puts(p->to, taf_is_finite(v) ? taf_f64(v).s : v > 0 ? "Inf" :
	    v < 0 ? "-Inf" : "NaN");
}

/* The coordinates of the region in a dimension. */
static void
put_grid(struct page *p, const struct taf_dim *d)
{
	put_python(p, d->start);
	taf_str_puts(p->to, " + ");
	put_python(p, d->step);
	taf_str_printf(p->to, " * np.arange(%llu)", (unsigned long long)d->n);
}

/* A label or a unit of the array, or of dimension k, from 1. */
static void
put_attr(struct page *p, const char *key, unsigned k)
{
	const char *text = taf_attr_get(&p->at->a, key, k > 0 ? TAF_OF_DIM :
	    TAF_OF_ARRAY, k);

	taf_str_json(p->to, text != NULL ? text : "", text != NULL ? strlen(text) : 0);
}

/* What xarray calls attributes: those that are there. */
static void
put_attrs(struct page *p, unsigned k)
{
	const enum taf_scope scope = k > 0 ? TAF_OF_DIM : TAF_OF_ARRAY;
	const bool unit = taf_attr_get(&p->at->a, "unit", scope, k) != NULL;

	taf_str_puts(p->to, unit ? "{'units': " : "{");
	if (unit)
		put_attr(p, "unit", k);
	if (taf_attr_get(&p->at->a, "label", scope, k) != NULL) {
		taf_str_puts(p->to, unit ? ", 'long_name': " : "'long_name': ");
		put_attr(p, "label", k);
	}
	taf_str_puts(p->to, "}");
}

/* The grid of dimension k as a coordinate of xarray. */
static void
put_coordinate(struct page *p, unsigned k)
{
	const char *name = p->at->dim[k];

	taf_str_json(p->to, name, strlen(name));
	taf_str_puts(p->to, ": (");
	taf_str_json(p->to, name, strlen(name));
	taf_str_puts(p->to, ", ");
	put_grid(p, &p->part.dim[k]);
	taf_str_puts(p->to, ", ");
	put_attrs(p, k + 1);
	taf_str_puts(p->to, ")");
}

/* Of dimension k: its length, or what else the letter says. */
static void
put_of_dim(struct page *p, char letter, unsigned k)
{
	const struct taf_region *r = &p->m->region;
	const uint64_t first = r->first[k], step = r->step[k];
	const uint64_t last = first + (r->count[k] - 1) * step,
	    stride = p->stride[k] * step;

	if (letter == 'C')
		taf_str_u64(p->to, r->count[k]);
	else if (letter == 'G')
		put_grid(p, &p->part.dim[k]);
	else if (letter == 'c')
		put_coordinate(p, k);
	else if (letter == 'd')
		taf_str_json(p->to, p->at->dim[k], strlen(p->at->dim[k]));
	else if (letter == 's' || letter == 'i')
		put_r(p, letter == 's' ? p->part.dim[k].start : p->part.dim[k].step);
	else if (letter == 'u' || letter == 'v')
		put_attr(p, letter == 'u' ? "unit" : "label", k + 1);
	else if (letter == 'q')
		taf_str_printf(p->to, "seq(%llu, %llu, %llu)",
		    (unsigned long long)first + 1, (unsigned long long)last + 1,
		    (unsigned long long)step);
	else if (letter == 'S')
		taf_str_u64(p->to, stride * taf_type_size(p->at->a.type));
	else if (letter == 'I')
		taf_str_printf(p->to, " + i[%u] * %llu", k, (unsigned long long)stride);
	else if (letter == 'R')
		taf_str_printf(p->to, "%llu:%llu:%llu", (unsigned long long)first + 1,
		    (unsigned long long)step, (unsigned long long)last + 1);
	else if (letter == 'r')
		taf_str_printf(p->to, "%llu:%llu:%llu", (unsigned long long)first,
		    (unsigned long long)last + 1, (unsigned long long)step);
	else
		taf_str_u64(p->to, p->at->a.dim[k].n);
}

/* One text for each dimension; MATLAB has two at least. */
static void
put_dims(struct page *p, char letter, const char *separator)
{
	unsigned k;

	for (k = 0; k < p->at->a.ndim; k++) {
		taf_str_puts(p->to, k > 0 ? separator : "");
		put_of_dim(p, letter, k);
	}
	if (letter == 'M' && k == 1)
		taf_str_puts(p->to, " 1");
}

static uint64_t
bytes_at(const struct page *p, uint64_t element)
{
	return p->at->offset + element * taf_type_size(p->at->a.type);
}

static void put_text(struct page *p, const char *text);

static void
put_field(struct page *p, char letter)
{
	const struct taf_array *a = &p->at->a;
	const bool real = taf_array_mapped(a) || !taf_type_is_int(a->type);
	const bool sign = taf_type_is_signed(a->type);
	const struct taf_f64_text intercept = taf_f64(a->intercept),
	    slope = taf_f64(a->slope);
	const struct {
		char letter;
		uint64_t value;
	} numbers[] = {
		{ 'B', taf_type_size(a->type) }, { 'K', a->ndim }, { 'O', p->at->offset },
		{ 'Z', bytes_at(p, taf_array_count(a)) }, { 'f', p->first },
		{ 'l', p->last }, { 'o', bytes_at(p, p->first) },
		{ 'p', bytes_at(p, p->last) },
	};
	const struct {
		char letter;
		const char *text;
	} texts[] = {
		/* Octave prints the upper half of uint64 as a float by %d */
		{ 'P', real ? "%.17g" : sign ? "%d" : "%u" },
		{ 'Q', real ? "%.17g" : sign ? "%lld" : "%llu" },
		{ 'E', p->at->nd.big ? "big" : "little" },
		{ 'U', p->at->nd.half ? "flt16" : taf_type_name(a->type) },
		{ 'W', p->at->c_order ? "C" : "F" },
		{ 'X', real ? "double" : sign ? "long long" : "unsigned long long" },
		{ 'a', intercept.s }, { 'b', slope.s },
		{ 'h', p->at->nd.big ? "be" : "le" },
		{ 'y', p->at->nd.big ? "2:1" : "1:2" },
	}, lists[] = {
		{ 'C', "," }, { 'G', ",\n        " }, { 'I', "" }, { 'M', " " },
		{ 'N', ", " }, { 'R', ", " }, { 'S', "," }, { 'c', ",\n        " },
		{ 'd', ", " }, { 'i', ", " }, { 'q', ", " }, { 'r', ", " },
		{ 's', ", " }, { 'u', ", " }, { 'v', ", " },
	};
	size_t i;

	for (i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		if (numbers[i].letter == letter)
			taf_str_u64(p->to, numbers[i].value);
	for (i = 0; i < sizeof texts / sizeof texts[0]; i++)
		if (texts[i].letter == letter)
			taf_str_puts(p->to, texts[i].text);
	for (i = 0; i < sizeof lists / sizeof lists[0]; i++)
		if (lists[i].letter == letter)
			put_dims(p, letter, lists[i].text);
	if (letter == 'A' || letter == 'D')
		put_python(p, letter == 'A' ? a->intercept : a->slope);
	else if (letter == 'F')
		put_name(p);
	else if (letter == 'J')
		taf_str_json(p->to, p->at->file, strlen(p->at->file));
	else if (letter == 'T')
		put_text(p, p->lang->types[a->type]);
	else if (letter == 'V')
		taf_map_dtype(p->at, p->to);
	else if (letter == 'n')
		taf_str_json(p->to, p->at->name, strlen(p->at->name));
	else if (letter == 't')
		put_attrs(p, 0);
}

static void
put_text(struct page *p, const char *text)
{
	const char *field;

	for (; (field = strchr(text, '~')) != NULL; text = field + 2) {
		taf_str_put(p->to, text, (size_t)(field - text));
		put_field(p, field[1]);
	}
	taf_str_puts(p->to, text);
}

static const struct language *
find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof languages / sizeof languages[0]; i++)
		if (strcmp(name, languages[i].name) == 0)
			return &languages[i];
	return NULL;
}

bool
taf_mapcode_language(const char *lang)
{
	return find(lang) != NULL;
}

/* Has the language such elements? */
static enum taf_status
check(const struct page *p, const char *lang, struct taf_err *e)
{
	const struct taf_map *at = p->at;

	if (!p->lang->any && (p->lang->types[at->a.type] == NULL || at->nd.half))
		return taf_fail(e, TAF_EDATA,
		    "--lang %s: it has no elements of %s; numpy and xarray have them", lang,
		    at->nd.half ? "flt16" : taf_type_name(at->a.type));
	if (p->lang->little && at->nd.big && taf_type_size(at->a.type) > 1)
		return taf_fail(e, TAF_EDATA,
		    "--lang %s: it maps little-endian elements alone; numpy, xarray, octave and r take others",
		    lang);
	if (p->lang->fortran && at->c_order)
		return taf_fail(e, TAF_EDATA,
		    "--lang %s: it has the first dimension fastest, this array the last: --reverse turns it",
		    lang);
	if (p->lang->quoting.unicode && !taf_utf8_text(at->file, strlen(at->file)))
		return taf_fail(e, TAF_EDATA,
		    "--lang %s: a name that is not UTF-8 cannot be said there", lang);
	return TAF_OK;
}

enum taf_status
taf_mapcode_put(const struct taf_mapcode *m, const char *lang, struct taf_str *to)
{
	struct page p = { .m = m, .to = to, .lang = lang != NULL ? find(lang) : &words,
		.at = m->map };
	struct taf_maps one = { m->map, 1 };
	const struct taf_region *r = &m->region;
	uint64_t stride = 1;
	unsigned j, k;

	to->st = check(&p, lang, to->err);
	if (to->st == TAF_OK)
		to->st = taf_maps_name(&one, to->err);
	if (to->st != TAF_OK)
		return to->st;
	p.part = p.at->a;
	taf_region_apply(r, &p.part);
	for (j = 0; j < p.at->a.ndim; j++) {
		k = p.at->c_order ? p.at->a.ndim - 1 - j : j;
		p.stride[k] = stride;
		p.first += r->first[k] * stride;
		p.last += (r->first[k] + (r->count[k] - 1) * r->step[k]) * stride;
		stride *= p.at->a.dim[k].n;
	}
	put_text(&p, p.lang->program);
	put_text(&p, taf_array_mapped(&p.at->a) ? p.lang->mapped : p.lang->stored);
	return to->st;
}
