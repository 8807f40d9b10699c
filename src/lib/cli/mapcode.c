#include "cli/mapcode.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/text.h"

/* How the languages call the element types. */
static const struct {
	const char *numpy, *matlab, *julia, *c, *od;
} names[TAF_NTYPES] = {
	{ "i1", "int8", "Int8", "int8_t", "d1" }, { "u1", "uint8", "UInt8", "uint8_t", "u1" },
	{ "<i2", "int16", "Int16", "int16_t", "d2" },
	{ "<u2", "uint16", "UInt16", "uint16_t", "u2" },
	{ "<i4", "int32", "Int32", "int32_t", "d4" },
	{ "<u4", "uint32", "UInt32", "uint32_t", "u4" },
	{ "<i8", "int64", "Int64", "int64_t", "d8" },
	{ "<u8", "uint64", "UInt64", "uint64_t", "u8" },
	{ "<f4", "single", "Float32", "float", "f4" },
	{ "<f8", "double", "Float64", "double", "f8" },
	{ NULL, NULL, NULL, NULL, NULL },
};

/* A page that is being written; the first failure sticks. */
struct page {
	const struct cmd_map *m;
	struct taf_buf *to;
	struct taf_err *e;
	enum taf_status st;
	uint64_t stride[TAF_MAX_DIM];	/* of the file, in elements */
	uint64_t first, last;		/* elements of the region, from 0 */
};

static void put(struct page *p, const char *fmt, ...) TAF_PRINTF(2, 3);

static void
put(struct page *p, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	if (p->st != TAF_OK)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	p->st = taf_buf_puts(p->to, text, p->e);
}

static void
put_number(struct page *p, double v)
{
	if (p->st == TAF_OK)
		p->st = cmd_put_f64(p->to, v, p->e);
}

/* The file's name between quotes, what stands in set escaped as fmt says. */
static void
put_name(struct page *p, const char *open, const char *set, const char *fmt)
{
	const char *s;

	put(p, "%s", open);
	for (s = p->m->file; *s != '\0' && p->st == TAF_OK; s++) {
		if (strchr(set, *s) != NULL)
			put(p, fmt, *s);
		else
			p->st = taf_buf_put(p->to, s, 1, p->e);
	}
	put(p, "%s", open);
}

/* One text for each dimension, separated. */
static void
put_list(struct page *p, const char *separator, void (*each)(struct page *p, unsigned k))
{
	unsigned k;

	for (k = 0; k < p->m->array.ndim; k++) {
		if (k > 0)
			put(p, "%s", separator);
		each(p, k);
	}
}

static void
length(struct page *p, unsigned k)
{
	put(p, "%llu", (unsigned long long)p->m->array.dim[k].n);
}

static void
count(struct page *p, unsigned k)
{
	put(p, "%llu", (unsigned long long)p->m->region.count[k]);
}

static void
stride_bytes(struct page *p, unsigned k)
{
	put(p, "%llu", (unsigned long long)(p->stride[k] * p->m->region.step[k] *
	    taf_type_size(p->m->array.type)));
}

/* first:step:last, from 1, as Julia and MATLAB count. */
static void
range_from_1(struct page *p, unsigned k)
{
	const struct taf_region *r = &p->m->region;

	put(p, "%llu:%llu:%llu", (unsigned long long)r->first[k] + 1,
	    (unsigned long long)r->step[k],
	    (unsigned long long)(r->first[k] + (r->count[k] - 1) * r->step[k] + 1));
}

static void
slice_from_0(struct page *p, unsigned k)
{
	const struct taf_region *r = &p->m->region;

	put(p, "%llu:%llu:%llu", (unsigned long long)r->first[k],
	    (unsigned long long)(r->first[k] + (r->count[k] - 1) * r->step[k] + 1),
	    (unsigned long long)r->step[k]);
}

static uint64_t
bytes_at(const struct page *p, uint64_t element)
{
	return p->m->offset + element * taf_type_size(p->m->array.type);
}

static bool
mapped(const struct page *p)
{
	return taf_array_mapped(&p->m->array);
}

/* The mapping as definitions of a and b. */
static void
put_mapping(struct page *p, const char *before, const char *between, const char *after)
{
	put(p, "%s", before);
	put_number(p, p->m->array.intercept);
	put(p, "%s", between);
	put_number(p, p->m->array.slope);
	put(p, "%s", after);
}

static void
words(struct page *p)
{
	enum taf_type type = p->m->array.type;

	put(p, "file     ");
	put_name(p, "", "", "");
	put(p, "\noffset   %llu\ntype     %s, %zu bytes, little-endian\nshape    ",
	    (unsigned long long)bytes_at(p, p->first), taf_type_name(type),
	    taf_type_size(type));
	put_list(p, ",", count);
	put(p, "\nstrides  ");
	put_list(p, ",", stride_bytes);
	if (mapped(p))
		put_mapping(p, "\nmapping  y = ", " + ", " * x\n");
	else
		put(p, "\nmapping  none\n");
}

static void
json(struct page *p)
{
	put(p, "{\"file\":");
	if (p->st == TAF_OK)
		p->st = cmd_json_string(p->to, p->m->file, strlen(p->m->file), p->e);
	put(p, ",\"offset\":%llu,\"type\":\"%s\",\"itemsize\":%zu,\"order\":\"little\","
	    "\"shape\":[", (unsigned long long)bytes_at(p, p->first),
	    taf_type_name(p->m->array.type), taf_type_size(p->m->array.type));
	put_list(p, ",", count);
	put(p, "],\"strides\":[");
	put_list(p, ",", stride_bytes);
	if (mapped(p))
		put_mapping(p, "],\"intercept\":", ",\"slope\":", "}\n");
	else
		put(p, "],\"intercept\":null,\"slope\":null}\n");
}

static void
numpy(struct page *p)
{
	put(p, "import numpy as np\n\nx = np.memmap(");
	put_name(p, "'", "\\'\n\t\r", "\\x%02x");
	put(p, ", dtype='%s', mode='r', offset=%llu,\n              shape=(",
	    names[p->m->array.type].numpy, (unsigned long long)p->m->offset);
	put_list(p, ", ", length);
	put(p, "), order='F')\nx = x[");
	put_list(p, ", ", slice_from_0);
	put(p, "]\n");
	if (mapped(p)) {
		put_mapping(p, "intercept, slope = ", ", ", "\n");
		put(p, "def value(*index):\n    return intercept + slope * float(x[index])\n");
	} else {
		put(p, "def value(*index):\n    return x[index].item()\n");
	}
	put(p, "print(value(*[0] * x.ndim))\nprint(value(*[-1] * x.ndim))\n");
}

static void
julia(struct page *p)
{
	put(p, "using Mmap\n\nx = open(");
	put_name(p, "\"", "\\\"$", "\\%c");
	put(p, ") do f\n    Mmap.mmap(f, Array{%s,%u}, (", names[p->m->array.type].julia,
	    p->m->array.ndim);
	put_list(p, ", ", length);
	put(p, ",), %llu)\nend\nx = @view x[", (unsigned long long)p->m->offset);
	put_list(p, ", ", range_from_1);
	if (mapped(p)) {
		put_mapping(p, "]\nvalue(x) = ", " + ", " * Float64(x)\n");
		put(p, "println(value(first(x)))\nprintln(value(last(x)))\n");
	} else {
		put(p, "]\nprintln(first(x))\nprintln(last(x))\n");
	}
}

/* MATLAB and Octave print alike. */
static void
print_ends(struct page *p)
{
	const enum taf_type type = p->m->array.type;
	/* Octave prints the upper half of uint64 as a float by %d */
	const char *fmt = mapped(p) || !taf_type_is_int(type) ? "%.17g" :
	    taf_type_is_signed(type) ? "%d" : "%u";

	if (mapped(p))
		put_mapping(p, "value = @(x) ", " + ", " * double(x);\n");
	else
		put(p, "value = @(x) x;\n");
	put(p, "fprintf('%s\\n', value(x(1)));\nfprintf('%s\\n', value(x(end)));\n", fmt, fmt);
}

static void
matlab(struct page *p)
{
	put(p, "m = memmapfile(");
	put_name(p, "'", "'", "'%c");
	put(p, ", 'Offset', %llu, 'Repeat', 1, ...\n    'Format', {'%s', [",
	    (unsigned long long)p->m->offset, names[p->m->array.type].matlab);
	put_list(p, " ", length);
	if (p->m->array.ndim == 1)
		put(p, " 1");
	put(p, "], 'x'});\nx = m.Data.x(");
	put_list(p, ", ", range_from_1);
	put(p, ");\n");
	print_ends(p);
}

/* Octave has no memmapfile: it reads. */
static void
octave(struct page *p)
{
	put(p, "f = fopen(");
	put_name(p, "'", "'", "'%c");
	put(p, ", 'r', 'ieee-le');\nfseek(f, %llu, 'bof');\nn = [",
	    (unsigned long long)p->m->offset);
	put_list(p, " ", length);
	if (p->m->array.ndim == 1)
		put(p, " 1");
	put(p, "];\nx = reshape(fread(f, prod(n), '%s=>%s'), n);\nfclose(f);\nx = x(",
	    names[p->m->array.type].matlab, names[p->m->array.type].matlab);
	put_list(p, ", ", range_from_1);
	put(p, ");\n");
	print_ends(p);
}

static void
add_stride(struct page *p, unsigned k)
{
	put(p, " + i[%u] * %llu", k, (unsigned long long)(p->stride[k] *
	    p->m->region.step[k]));
}

static void
c_language(struct page *p)
{
	enum taf_type type = p->m->array.type;
	const char *fmt = mapped(p) || !taf_type_is_int(type) ? "%.17g" :
	    taf_type_is_signed(type) ? "%lld" : "%llu";
	const char *cast = mapped(p) || !taf_type_is_int(type) ? "double" :
	    taf_type_is_signed(type) ? "long long" : "unsigned long long";

	put(p, "/* little-endian hosts */\n#include <fcntl.h>\n#include <stdint.h>\n"
	    "#include <stdio.h>\n#include <sys/mman.h>\n\nint\nmain(void)\n{\n"
	    "\tconst size_t offset = %llu, size = %llu;\n\tint fd = open(",
	    (unsigned long long)p->m->offset,
	    (unsigned long long)bytes_at(p, taf_array_count(&p->m->array)));
	put_name(p, "\"", "\\\"\n\t\r?", "\\%03o");
	put(p, ", O_RDONLY);\n"
	    "\tconst char *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);\n"
	    "\tconst %s *x = (const void *)(map + offset);\n\n"
	    "\tif (fd < 0 || map == MAP_FAILED)\n\t\treturn 1;\n"
	    "\t/* element i[0], i[1], ... from 0: x[%llu", names[type].c,
	    (unsigned long long)p->first);
	put_list(p, "", add_stride);
	put(p, "] */\n");
	if (mapped(p)) {
		put_mapping(p, "\tconst double intercept = ", ", slope = ", ";\n");
		put(p, "\tprintf(\"%s\\n\", intercept + slope * x[%llu]);\n"
		    "\tprintf(\"%s\\n\", intercept + slope * x[%llu]);\n", fmt,
		    (unsigned long long)p->first, fmt, (unsigned long long)p->last);
	} else {
		put(p, "\tprintf(\"%s\\n\", (%s)x[%llu]);\n\tprintf(\"%s\\n\", (%s)x[%llu]);\n",
		    fmt, cast, (unsigned long long)p->first, fmt, cast,
		    (unsigned long long)p->last);
	}
	put(p, "\treturn 0;\n}\n");
}

static void
shell(struct page *p)
{
	enum taf_type type = p->m->array.type;

	put(p, "file=");
	put_name(p, "'", "'", "'\\%c'");
	put(p, "\nelement() { # BYTE: the value there\n"
	    "\tod -A n -v --endian=little -t %s -j \"$1\" -N %zu -- \"$file\" |", names[type].od,
	    taf_type_size(type));
	if (mapped(p))
		put_mapping(p, " awk '{ printf \"%.17g\\n\", ", " + ", " * $1 }'\n}\n");
	else
		put(p, " awk '{ print $1 }'\n}\n");
	put(p, "element %llu\nelement %llu\n", (unsigned long long)bytes_at(p, p->first),
	    (unsigned long long)bytes_at(p, p->last));
}

static const struct {
	const char *name;
	void (*print)(struct page *p);
} languages[] = {
	{ "c", c_language }, { "json", json }, { "julia", julia }, { "matlab", matlab },
	{ "numpy", numpy }, { "octave", octave }, { "shell", shell },
};

bool
cmd_map_language(const char *lang)
{
	size_t i;

	for (i = 0; i < sizeof languages / sizeof languages[0]; i++)
		if (strcmp(lang, languages[i].name) == 0)
			return true;
	return false;
}

enum taf_status
cmd_map_print(const struct cmd_map *m, const char *lang, struct taf_buf *to,
    struct taf_err *e)
{
	struct page p = { .m = m, .to = to, .e = e, .st = TAF_OK };
	uint64_t stride = 1;
	unsigned k;
	size_t i;

	if (taf_array_count(&m->array) == 0)
		return taf_fail(e, TAF_EDATA, "no elements to map");
	for (k = 0; k < m->array.ndim; k++) {
		p.stride[k] = stride;
		p.first += m->region.first[k] * stride;
		p.last += (m->region.first[k] + (m->region.count[k] - 1) *
		    m->region.step[k]) * stride;
		stride *= m->array.dim[k].n;
	}
	if (lang == NULL)
		words(&p);
	for (i = 0; lang != NULL && i < sizeof languages / sizeof languages[0]; i++)
		if (strcmp(lang, languages[i].name) == 0)
			languages[i].print(&p);
	return p.st;
}
