#include "text/mapcode.h"

#include <string.h>

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

/* A page that is being written. */
struct page {
	const struct taf_mapcode *m;
	struct taf_str *to;
	uint64_t stride[TAF_MAX_DIM];	/* of the file, in elements */
	uint64_t first, last;		/* elements of the region, from 0 */
};

/* The file's name between quotes, what stands in set escaped as fmt says. */
static void
put_name(struct page *p, const char *open, const char *set, const char *fmt)
{
	const char *s;

	taf_str_puts(p->to, open);
	for (s = p->m->file; *s != '\0'; s++)
		if (strchr(set, *s) != NULL)
			taf_str_printf(p->to, fmt, *s);
		else
			taf_str_put(p->to, s, 1);
	taf_str_puts(p->to, open);
}

/* One text for each dimension, separated. */
static void
put_list(struct page *p, const char *separator, void (*each)(struct page *p, unsigned k))
{
	unsigned k;

	for (k = 0; k < p->m->array.ndim; k++) {
		if (k > 0)
			taf_str_puts(p->to, separator);
		each(p, k);
	}
}

static void
length(struct page *p, unsigned k)
{
	taf_str_u64(p->to, p->m->array.dim[k].n);
}

static void
count(struct page *p, unsigned k)
{
	taf_str_u64(p->to, p->m->region.count[k]);
}

static void
stride_bytes(struct page *p, unsigned k)
{
	taf_str_u64(p->to, p->stride[k] * p->m->region.step[k] *
	    taf_type_size(p->m->array.type));
}

/* first:step:last, from 1, as Julia and MATLAB count. */
static void
range_from_1(struct page *p, unsigned k)
{
	const struct taf_region *r = &p->m->region;

	taf_str_printf(p->to, "%llu:%llu:%llu", (unsigned long long)r->first[k] + 1,
	    (unsigned long long)r->step[k],
	    (unsigned long long)(r->first[k] + (r->count[k] - 1) * r->step[k] + 1));
}

static void
slice_from_0(struct page *p, unsigned k)
{
	const struct taf_region *r = &p->m->region;

	taf_str_printf(p->to, "%llu:%llu:%llu", (unsigned long long)r->first[k],
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
	taf_str_printf(p->to, "%s%s%s%s%s", before, taf_f64(p->m->array.intercept).s, between,
	    taf_f64(p->m->array.slope).s, after);
}

static void
words(struct page *p)
{
	enum taf_type type = p->m->array.type;

	taf_str_puts(p->to, "file     ");
	put_name(p, "", "", "");
	taf_str_printf(p->to, "\noffset   %llu\ntype     %s, %zu bytes, little-endian\nshape    ",
	    (unsigned long long)bytes_at(p, p->first), taf_type_name(type),
	    taf_type_size(type));
	put_list(p, ",", count);
	taf_str_puts(p->to, "\nstrides  ");
	put_list(p, ",", stride_bytes);
	if (mapped(p))
		put_mapping(p, "\nmapping  y = ", " + ", " * x\n");
	else
		taf_str_puts(p->to, "\nmapping  none\n");
}

static void
json(struct page *p)
{
	taf_str_puts(p->to, "{\"file\":");
	taf_str_json(p->to, p->m->file, strlen(p->m->file));
	taf_str_printf(p->to, ",\"offset\":%llu,\"type\":\"%s\",\"itemsize\":%zu,"
	    "\"order\":\"little\",\"shape\":[", (unsigned long long)bytes_at(p, p->first),
	    taf_type_name(p->m->array.type), taf_type_size(p->m->array.type));
	put_list(p, ",", count);
	taf_str_puts(p->to, "],\"strides\":[");
	put_list(p, ",", stride_bytes);
	if (mapped(p))
		put_mapping(p, "],\"intercept\":", ",\"slope\":", "}\n");
	else
		taf_str_puts(p->to, "],\"intercept\":null,\"slope\":null}\n");
}

static void
numpy(struct page *p)
{
	taf_str_puts(p->to, "import numpy as np\n\nx = np.memmap(");
	put_name(p, "'", "\\'\n\t\r", "\\x%02x");
	taf_str_printf(p->to, ", dtype='%s', mode='r', offset=%llu,\n              shape=(",
	    names[p->m->array.type].numpy, (unsigned long long)p->m->offset);
	put_list(p, ", ", length);
	taf_str_puts(p->to, "), order='F')\nx = x[");
	put_list(p, ", ", slice_from_0);
	taf_str_puts(p->to, "]\n");
	if (mapped(p)) {
		put_mapping(p, "intercept, slope = ", ", ", "\n");
		taf_str_puts(p->to, "def value(*index):\n"
		    "    return intercept + slope * float(x[index])\n");
	} else {
		taf_str_puts(p->to, "def value(*index):\n    return x[index].item()\n");
	}
	taf_str_puts(p->to, "print(value(*[0] * x.ndim))\nprint(value(*[-1] * x.ndim))\n");
}

static void
julia(struct page *p)
{
	taf_str_puts(p->to, "using Mmap\n\nx = open(");
	put_name(p, "\"", "\\\"$", "\\%c");
	taf_str_printf(p->to, ") do f\n    Mmap.mmap(f, Array{%s,%u}, (",
	    names[p->m->array.type].julia, p->m->array.ndim);
	put_list(p, ", ", length);
	taf_str_printf(p->to, ",), %llu)\nend\nx = @view x[", (unsigned long long)p->m->offset);
	put_list(p, ", ", range_from_1);
	if (mapped(p)) {
		put_mapping(p, "]\nvalue(x) = ", " + ", " * Float64(x)\n");
		taf_str_puts(p->to, "println(value(first(x)))\nprintln(value(last(x)))\n");
	} else {
		taf_str_puts(p->to, "]\nprintln(first(x))\nprintln(last(x))\n");
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
		taf_str_puts(p->to, "value = @(x) x;\n");
	taf_str_printf(p->to, "fprintf('%s\\n', value(x(1)));\n"
	    "fprintf('%s\\n', value(x(end)));\n", fmt, fmt);
}

static void
matlab(struct page *p)
{
	taf_str_puts(p->to, "m = memmapfile(");
	put_name(p, "'", "'", "'%c");
	taf_str_printf(p->to, ", 'Offset', %llu, 'Repeat', 1, ...\n    'Format', {'%s', [",
	    (unsigned long long)p->m->offset, names[p->m->array.type].matlab);
	put_list(p, " ", length);
	if (p->m->array.ndim == 1)
		taf_str_puts(p->to, " 1");
	taf_str_puts(p->to, "], 'x'});\nx = m.Data.x(");
	put_list(p, ", ", range_from_1);
	taf_str_puts(p->to, ");\n");
	print_ends(p);
}

/* Octave has no memmapfile: it reads. */
static void
octave(struct page *p)
{
	taf_str_puts(p->to, "f = fopen(");
	put_name(p, "'", "'", "'%c");
	taf_str_printf(p->to, ", 'r', 'ieee-le');\nfseek(f, %llu, 'bof');\nn = [",
	    (unsigned long long)p->m->offset);
	put_list(p, " ", length);
	if (p->m->array.ndim == 1)
		taf_str_puts(p->to, " 1");
	taf_str_printf(p->to, "];\nx = reshape(fread(f, prod(n), '%s=>%s'), n);\n"
	    "fclose(f);\nx = x(",
	    names[p->m->array.type].matlab, names[p->m->array.type].matlab);
	put_list(p, ", ", range_from_1);
	taf_str_puts(p->to, ");\n");
	print_ends(p);
}

static void
add_stride(struct page *p, unsigned k)
{
	taf_str_printf(p->to, " + i[%u] * %llu", k, (unsigned long long)(p->stride[k] *
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

	taf_str_printf(p->to, "/* little-endian hosts */\n#include <fcntl.h>\n"
	    "#include <stdint.h>\n#include <stdio.h>\n#include <sys/mman.h>\n\nint\nmain(void)\n{\n"
	    "\tconst size_t offset = %llu, size = %llu;\n\tint fd = open(",
	    (unsigned long long)p->m->offset,
	    (unsigned long long)bytes_at(p, taf_array_count(&p->m->array)));
	put_name(p, "\"", "\\\"\n\t\r?", "\\%03o");
	taf_str_printf(p->to, ", O_RDONLY);\n"
	    "\tconst char *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);\n"
	    "\tconst %s *x = (const void *)(map + offset);\n\n"
	    "\tif (fd < 0 || map == MAP_FAILED)\n\t\treturn 1;\n"
	    "\t/* element i[0], i[1], ... from 0: x[%llu", names[type].c,
	    (unsigned long long)p->first);
	put_list(p, "", add_stride);
	taf_str_puts(p->to, "] */\n");
	if (mapped(p)) {
		put_mapping(p, "\tconst double intercept = ", ", slope = ", ";\n");
		taf_str_printf(p->to, "\tprintf(\"%s\\n\", intercept + slope * x[%llu]);\n"
		    "\tprintf(\"%s\\n\", intercept + slope * x[%llu]);\n", fmt,
		    (unsigned long long)p->first, fmt, (unsigned long long)p->last);
	} else {
		taf_str_printf(p->to, "\tprintf(\"%s\\n\", (%s)x[%llu]);\n"
		    "\tprintf(\"%s\\n\", (%s)x[%llu]);\n",
		    fmt, cast, (unsigned long long)p->first, fmt, cast,
		    (unsigned long long)p->last);
	}
	taf_str_puts(p->to, "\treturn 0;\n}\n");
}

static void
shell(struct page *p)
{
	enum taf_type type = p->m->array.type;

	taf_str_puts(p->to, "file=");
	put_name(p, "'", "'", "'\\%c'");
	taf_str_printf(p->to, "\nelement() { # BYTE: the value there\n"
	    "\tod -A n -v --endian=little -t %s -j \"$1\" -N %zu -- \"$file\" |", names[type].od,
	    taf_type_size(type));
	if (mapped(p))
		put_mapping(p, " awk '{ printf \"%.17g\\n\", ", " + ", " * $1 }'\n}\n");
	else
		taf_str_puts(p->to, " awk '{ print $1 }'\n}\n");
	taf_str_printf(p->to, "element %llu\nelement %llu\n",
	    (unsigned long long)bytes_at(p, p->first),
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
taf_mapcode_language(const char *lang)
{
	size_t i;

	for (i = 0; i < sizeof languages / sizeof languages[0]; i++)
		if (strcmp(lang, languages[i].name) == 0)
			return true;
	return false;
}

void
taf_mapcode_put(const struct taf_mapcode *m, const char *lang, struct taf_str *to)
{
	struct page p = { .m = m, .to = to };
	uint64_t stride = 1;
	unsigned k;
	size_t i;

	if (taf_array_count(&m->array) == 0) {
		to->st = taf_fail(to->err, TAF_EDATA, "no elements to map");
		return;
	}
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
}
