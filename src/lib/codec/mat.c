/* SPDX-License-Identifier: ISC */
/*
 * What a field means is from MathWorks' "MAT-File Format", chapter 1.  A variable of
 * class 17 has no lengths, as scipy knows.
 */
#include "codec/capture.h"

#include <stdlib.h>
#include <string.h>

#include "base/endian.h"
#include "base/num.h"
#include "base/str.h"
#include "codec/chunk/unpack_in.h"
#include "io/spool.h"

enum {
	HEAD = 128, VERSION = 124,	/* bytes in front of the elements, and where */
	MATRIX = 14, COMPRESSED = 15,	/* types of elements */
	SPARSE = 5, OPAQUE = 17, CLASSES = 18,
	LOGICAL = 0x200, COMPLEX = 0x800,
	NUMBERS = 2048			/* at a time */
};

/* The types of numbers as they are stored, and those of classes; -1: none. */
static const signed char types[] = { -1, TAF_INT8, TAF_UINT8, TAF_INT16, TAF_UINT16,
	TAF_INT32, TAF_UINT32, TAF_FLT32, -1, TAF_FLT64, -1, -1, TAF_INT64, TAF_UINT64 };
static const signed char class_types[CLASSES + 1] = { -1, -1, -1, -1, -1, TAF_FLT64,
	TAF_FLT64, TAF_FLT32, TAF_INT8, TAF_UINT8, TAF_INT16, TAF_UINT16, TAF_INT32,
	TAF_UINT32, TAF_INT64, TAF_UINT64, -1, -1, -1 };
static const char *const class_names[CLASSES + 1] = { "unknown", "cell", "struct",
	"object", "char", "sparse", "double", "single", "int8", "uint8", "int16",
	"uint16", "int32", "uint32", "int64", "uint64", "function_handle", "opaque",
	"unknown" };

/* Where the content of a variable is: the places of a capture. */
struct place {
	uint64_t at, n;
	bool packed, big;
};

/* The next numbers of a part of a variable, of so many. */
struct flow {
	struct taf_in *in;
	enum taf_type type;
	uint64_t n, bytes;
	bool big;
};

/* A variable that is read: its next tag is at an offset of in, unless that is the end. */
struct variable {
	struct taf_in *in;
	struct taf_unpack_in *packed;
	uint64_t next, end;
	bool big, logical;
	unsigned class;			/* up to CLASSES */
	unsigned parts;			/* 2 of complex numbers */
	unsigned ndim;
	uint64_t n[TAF_MAX_DIM], count;
	size_t name_n;
	char name[1024];
	struct flow flow[4];
};

bool
taf_mat_sniff(const unsigned char *p, size_t n)
{
	return n >= HEAD && (memcmp(p + VERSION, "\0\1IM", 4) == 0 ||
	    memcmp(p + VERSION, "\1\0MI", 4) == 0);
}

/* --- elements --- */

/*
 * The tag of what is packed is the first thing that comes out.  whole: all of it is to be
 * read at offsets.
 */
static enum taf_status
open_packed(const struct taf_capture *c, uint64_t n, bool whole, struct variable *v,
    struct taf_err *e)
{
	const unsigned char *rest;
	unsigned char tag[8];
	size_t got;

	if (taf_unpack_in_begin(&v->packed, TAF_PACKING_ZLIB, c->in, v->next, n, e) !=
	    TAF_OK)
		return e->code;
	v->in = taf_unpack_in(v->packed);
	if (taf_in_read(v->in, tag, sizeof tag, e) != TAF_OK)
		return e->code;
	v->next = sizeof tag;
	v->end = sizeof tag + (uint64_t)taf_get32(tag + 4, v->big);
	if (taf_get32(tag, v->big) != MATRIX || !taf_unpack_in_can(n, v->end))
		return taf_fail(e, TAF_EDATA,
		    "%llu packed bytes that should be %llu, of type %lu",
		    (unsigned long long)n, (unsigned long long)v->end,
		    (unsigned long)taf_get32(tag, v->big));
	if (!whole)
		return TAF_OK;
	v->end -= v->next;
	v->next = 0;
	if (taf_spool_part(taf_unpack_in(v->packed), v->end, c->memory, &v->in, e) !=
	    TAF_OK || taf_in_peek(taf_unpack_in(v->packed), 1, &rest, &got, e) != TAF_OK)
		return e->code;
	return got == 0 ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "packed bytes that are more than %llu", (unsigned long long)v->end);
}

static void
close_variable(struct variable *v)
{
	unsigned i;

	for (i = 0; i < 4; i++)
		taf_in_close(v->flow[i].in);
	if (v->packed == NULL || v->in != taf_unpack_in(v->packed))
		taf_in_close(v->in);
	taf_unpack_in_end(v->packed);
}

/* The content of the next part, n bytes that are there, is next in in. */
static enum taf_status
read_tag(struct variable *v, unsigned *type, uint64_t *n, struct taf_err *e)
{
	unsigned char p[8];
	size_t tag;

	if (v->end - v->next < sizeof p)
		return taf_fail(e, TAF_EDATA, "a variable that ends too early");
	if (taf_in_skip(v->in, v->next - taf_in_offset(v->in), e) != TAF_OK ||
	    taf_in_read(v->in, p, 4, e) != TAF_OK)
		return e->code;
	*type = taf_get32(p, v->big);
	*n = *type >> 16;
	tag = *n > 0 ? 4 : 8;
	if (tag == 8 && taf_in_read(v->in, p + 4, 4, e) != TAF_OK)
		return e->code;
	if (tag == 8)
		*n = taf_get32(p + 4, v->big);
	*type &= 0xffff;
	if (*n > (tag == 4 ? 4 : v->end - taf_in_offset(v->in)))
		return taf_fail(e, TAF_EDATA, "a variable with a part of %llu bytes",
		    (unsigned long long)*n);
	v->next += tag + *n + -*n % tag;
	/* what pads the last one may be missing */
	v->next = v->next < v->end ? v->next : v->end;
	return TAF_OK;
}

static enum taf_status
read_part(struct variable *v, const char *what, void *to, size_t most, size_t *got,
    struct taf_err *e)
{
	unsigned type;
	uint64_t n;

	if (read_tag(v, &type, &n, e) != TAF_OK)
		return e->code;
	if (n > most)
		return taf_fail(e, TAF_EDATA, "a variable with %s of %llu bytes", what,
		    (unsigned long long)n);
	*got = (size_t)n;
	return taf_in_read(v->in, to, *got, e);
}

static enum taf_status
read_head(struct variable *v, struct taf_err *e)
{
	unsigned char flags[8], p[4 * TAF_MAX_DIM];
	size_t n = 0, k;
	uint32_t word;

	if (read_part(v, "flags", flags, sizeof flags, &k, e) != TAF_OK)
		return e->code;
	word = k == sizeof flags ? taf_get32(flags, v->big) : CLASSES;
	v->class = (word & 0xff) < CLASSES ? word & 0xff : CLASSES;
	v->parts = (word & COMPLEX) != 0 ? 2 : 1;
	v->logical = (word & LOGICAL) != 0;
	if (v->class != OPAQUE && read_part(v, "lengths", p, sizeof p, &n, e) != TAF_OK)
		return e->code;
	if (v->class != OPAQUE && n < 8)
		return taf_fail(e, TAF_EDATA, "a variable with lengths of %zu bytes", n);
	v->ndim = (unsigned)(n / 4);
	for (v->count = 1, k = 0; k < v->ndim; k++) {
		v->n[k] = taf_get32(p + 4 * k, v->big);
		if (v->n[k] > INT32_MAX || !taf_mul(v->count, v->n[k], &v->count))
			return taf_fail(e, TAF_EDATA,
			    "a variable with %llu as length %zu",
			    (unsigned long long)v->n[k], k + 1);
	}
	return read_part(v, "a name", v->name, sizeof v->name, &v->name_n, e);
}

/* Variable k up to its numbers; whole: these can be read at offsets.  To be closed. */
static enum taf_status
look(const struct taf_capture *c, uint64_t k, bool whole, struct variable *v,
    struct taf_err *e)
{
	struct place p;

	memcpy(&p, c->kept.data + k * sizeof p, sizeof p);
	*v = (struct variable){ .next = c->base + p.at, .end = c->base + p.at + p.n,
		.big = p.big };
	if ((p.packed ? open_packed(c, p.n, whole, v, e) :
	    taf_in_again(&v->in, c->in, v->next, e)) != TAF_OK)
		return e->code;
	return read_head(v, e);
}

/* --- numbers --- */

/* The next part is numbers, count of them unless that is UINT64_MAX. */
static enum taf_status
begin_flow(struct variable *v, unsigned i, uint64_t count, struct taf_err *e)
{
	struct flow *const f = &v->flow[i];
	unsigned type;

	if (read_tag(v, &type, &f->bytes, e) != TAF_OK)
		return e->code;
	if (type >= sizeof types || types[type] < 0)
		return taf_fail(e, TAF_EDATA, "numbers of type %u", type);
	f->type = (enum taf_type)types[type];
	f->n = f->bytes / taf_type_size(f->type);
	f->big = v->big;
	if (count != UINT64_MAX && f->n != count)
		return taf_fail(e, TAF_EDATA, "%llu numbers where there should be %llu",
		    (unsigned long long)f->n, (unsigned long long)count);
	return taf_in_again(&f->in, v->in, taf_in_offset(v->in), e);
}

/* A number that is stored as another type; false: that has not the same number. */
static bool
put_number(const struct flow *f, const unsigned char *p, enum taf_type to, void *q)
{
	const struct taf_type_facts *from = taf_type_facts(f->type);
	const uint64_t most = UINT64_C(1) << 53, sign = from->kind == TAF_SIGNED ?
	    UINT64_C(1) << (from->bits - 1) : 0, u = from->bytes == 1 ? *p :
	    from->bytes == 2 ? taf_get16(p, f->big) : from->bytes == 4 ?
	    taf_get32(p, f->big) : taf_get64(p, f->big);
	const int64_t i = (int64_t)((u ^ sign) - sign);
	const bool whole = from->kind != TAF_FLOAT;
	const double d = whole ? (double)i : from->bytes == 4 ?
	    (double)taf_getf32(p, f->big) : taf_getf64(p, f->big);
	const float x = (float)d;

	if (f->type == to || taf_type_is_int(to)) {
		taf_type_store(to, q, (uint64_t)i);
		return f->type == to || (whole && (i >= 0 || sign != 0) &&
		    taf_type_holds(to, i));
	}
	memcpy(q, to == TAF_FLT32 ? (const void *)&x : (const void *)&d,
	    taf_type_size(to));
	return (!whole || ((i >= 0 || sign != 0) && (uint64_t)i + most <= 2 * most)) &&
	    (to == TAF_FLT64 || !((double)x < d || (double)x > d));
}

/* The next n numbers, up to NUMBERS, to every step-th place of to. */
static enum taf_status
take(struct flow *f, size_t n, enum taf_type to, size_t step, void *q, struct taf_err *e)
{
	const size_t size = taf_type_size(f->type), place = step * taf_type_size(to);
	unsigned char p[8 * NUMBERS];
	size_t i;

	if (taf_in_read(f->in, p, n * size, e) != TAF_OK)
		return e->code;
	for (i = 0; i < n; i++)
		if (!put_number(f, p + i * size, to, (unsigned char *)q + i * place))
			return taf_fail(e, TAF_EDATA,
			    "a number stored as %s is no number of %s",
			    taf_type_name(f->type), taf_type_name(to));
	return TAF_OK;
}

/* The next numbers, or pairs where there are two parts. */
static enum taf_status
write_numbers(struct variable *v, uint64_t count, enum taf_type to, struct taf_out *out,
    struct taf_err *e)
{
	const size_t size = taf_type_size(to);
	unsigned char q[2 * 8 * NUMBERS];
	unsigned i;
	size_t n;

	for (; count > 0; count -= n) {
		n = count < NUMBERS ? (size_t)count : NUMBERS;
		for (i = 0; i < v->parts; i++)
			if (take(&v->flow[i], n, to, v->parts, q + i * size, e) != TAF_OK)
				return e->code;
		if (taf_out_write(out, q, n * v->parts * size, e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

/* Full: entries are in the order of their places, and those of columns end somewhere. */
static enum taf_status
write_sparse(struct variable *v, struct taf_out *out, struct taf_err *e)
{
	struct flow *const f = v->flow, *const row = &f[2], *const ends = &f[3];
	const size_t size = v->parts * sizeof(double);
	uint64_t entry = 0, end, j, i, at = 0;

	if (begin_flow(v, 2, UINT64_MAX, e) != TAF_OK ||
	    begin_flow(v, 3, v->n[1] + 1, e) != TAF_OK ||
	    begin_flow(v, 0, UINT64_MAX, e) != TAF_OK ||
	    (v->parts > 1 && begin_flow(v, 1, UINT64_MAX, e) != TAF_OK))
		return e->code;
	/* MATLAB calls the bytes of logical entries doubles */
	if (v->logical && f[0].bytes == row->n) {
		f[0].type = TAF_UINT8;
		f[0].n = row->n;
	}
	for (j = 0; j <= v->n[1]; j++) {
		if (take(ends, 1, TAF_UINT64, 1, &end, e) != TAF_OK)
			return e->code;
		if (end < entry || end > (j > 0 ? row->n : 0) || end > f[0].n ||
		    end > f[v->parts - 1].n)
			return taf_fail(e, TAF_EDATA,
			    "column %llu of a sparse matrix ends with entry %llu of %llu",
			    (unsigned long long)j, (unsigned long long)end,
			    (unsigned long long)row->n);
		for (; entry < end; entry++, at = i + 1) {
			if (take(row, 1, TAF_UINT64, 1, &i, e) != TAF_OK)
				return e->code;
			if (i >= v->n[0] || (i += (j - 1) * v->n[0]) < at)
				return taf_fail(e, TAF_EDATA,
				    "entry %llu of a sparse matrix is not behind the last one",
				    (unsigned long long)entry + 1);
			if (taf_out_zero(out, (i - at) * size, e) != TAF_OK ||
			    write_numbers(v, 1, TAF_FLT64, out, e) != TAF_OK)
				return e->code;
		}
	}
	return taf_out_zero(out, (v->count - at) * size, e);
}

/* --- records --- */

static enum taf_status
unpack(const struct taf_capture *c, uint64_t k, const struct taf_record *r,
    struct taf_out *out, struct taf_err *e)
{
	struct variable v;
	enum taf_status st = look(c, k, true, &v, e);
	unsigned i;

	if (st == TAF_OK && v.class == SPARSE)
		st = write_sparse(&v, out, e);
	else {
		for (i = 0; st == TAF_OK && i < v.parts; i++)
			st = begin_flow(&v, i, v.count, e);
		if (st == TAF_OK)
			st = write_numbers(&v, v.count,
			    taf_type_facts(r->stored)->component, out, e);
	}
	close_variable(&v);
	return st;
}

/*
 * Pairs, or with a first dimension of 2 what has no type.  What lies plainly in the file
 * needs no copy; all of it is looked at.  A sparse matrix has few entries for what it
 * becomes: the bound of memory is one of that.
 */
static enum taf_status
describe_numbers(const struct taf_capture *c, struct variable *v, struct taf_record *r,
    struct taf_err *e)
{
	struct taf_array *const a = &r->array;
	const bool sparse = v->class == SPARSE;
	uint64_t bytes = UINT64_MAX;
	unsigned i;

	if (class_types[v->class] < 0)
		return taf_fail(e, TAF_EDATA,
		    "%.*s is a %s, no array of numbers (--list shows what there is)",
		    (int)v->name_n, v->name, class_names[v->class]);
	a->type = v->logical && !sparse ? TAF_UINT8 :
	    (enum taf_type)class_types[v->class];
	taf_record_text(r, "matlab/name", v->name, v->name_n);
	if (v->logical && !sparse)
		taf_record_text(r, "matlab/class", "logical", 7);
	if (v->parts > 1 && taf_type_is_int(a->type))
		taf_array_add_dim(a, 2, 1, 1);
	else if (v->parts > 1)
		a->type = taf_type_computed_pair(a->type);
	for (i = 0; i < v->ndim && a->ndim < TAF_MAX_DIM; i++)
		taf_array_add_dim(a, v->n[i], 1, 1);
	r->stored = a->type;
	r->empty = true;
	r->big = v->big;
	r->packed = v->packed != NULL || v->parts > 1 || sparse;
	if (sparse && (v->ndim != 2 ||
	    !taf_mul(v->count, taf_type_size(r->stored), &bytes) ||
	    (c->memory > 0 && bytes > c->memory)))
		return taf_fail(e, TAF_EDATA,
		    "a sparse matrix of %llu bytes when full, and -m allows %llu",
		    (unsigned long long)bytes, (unsigned long long)c->memory);
	for (i = 0; !sparse && v->packed == NULL && i < v->parts; i++) {
		if (begin_flow(v, i, v->count, e) != TAF_OK)
			return e->code;
		r->packed = r->packed || v->flow[i].type != r->stored;
		r->offset = taf_in_offset(v->flow[i].in) - c->base;
	}
	return TAF_OK;
}

static enum taf_status
describe(const struct taf_capture *c, uint64_t k, struct taf_record *r, struct taf_err *e)
{
	struct variable v;
	enum taf_status st = look(c, k, false, &v, e);

	if (st == TAF_OK)
		st = describe_numbers(c, &v, r, e);
	close_variable(&v);
	return st;
}

/* The element at *at is a variable if it has a name: the one that is wanted? */
static enum taf_status
take_element(struct taf_capture *c, bool big, uint64_t *at, struct taf_err *e)
{
	struct place p = { .at = *at + 8, .big = big };
	struct variable v;
	unsigned char tag[8];
	enum taf_status st;
	uint32_t type;

	if (taf_capture_read(c, *at, tag, sizeof tag, "element", e) != TAF_OK)
		return e->code;
	type = taf_get32(tag, big);
	p.n = taf_get32(tag + 4, big);
	p.packed = type == COMPRESSED;
	if (type != MATRIX && type != COMPRESSED)
		return taf_fail(e, TAF_EDATA, "offset %llu: an element of type %lu",
		    (unsigned long long)*at, (unsigned long)type);
	if (taf_capture_inside(c, p.at, p.n, "variable", e) != TAF_OK ||
	    taf_buf_put(&c->kept, &p, sizeof p, e) != TAF_OK)
		return e->code;
	*at = p.at + p.n;
	st = look(c, c->nrecords, false, &v, e);
	close_variable(&v);
	if (st == TAF_OK && v.name_n > 0 && (c->name == NULL ||
	    (strlen(c->name) == v.name_n && memcmp(c->name, v.name, v.name_n) == 0)))
		c->nrecords++;
	c->kept.len = (size_t)c->nrecords * sizeof p;
	return st;
}

enum taf_status
taf_mat_decode(struct taf_capture *c, struct taf_in *in, struct taf_err *e)
{
	unsigned char p[HEAD];
	uint64_t at = HEAD;

	taf_capture_init(c, in);
	c->describe = describe;
	c->unpack = unpack;
	if (taf_capture_tell(c, taf_mat_sniff, "a MAT-file of level 5", p, HEAD, e) !=
	    TAF_OK)
		return e->code;
	while (at < c->size)
		if (take_element(c, p[VERSION] == 1, &at, e) != TAF_OK)
			return e->code;
	return c->name == NULL || c->nrecords == 1 ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "%llu variables are called %s (--list shows their names)",
	    (unsigned long long)c->nrecords, c->name);
}

enum taf_status
taf_mat_list(struct taf_in *in, struct taf_str *lines, struct taf_err *e)
{
	struct taf_capture c = { 0 };
	enum taf_status st = taf_mat_decode(&c, in, e);
	struct variable v;
	uint64_t k;
	unsigned i;

	for (k = 0; st == TAF_OK && k < c.nrecords; k++) {
		st = look(&c, k, false, &v, e);
		close_variable(&v);
		if (st != TAF_OK)
			break;
		taf_str_safe(lines, v.name, v.name_n);
		taf_str_printf(lines, "\t%s", v.logical ? "logical" :
		    class_names[v.class]);
		for (i = 0; i < v.ndim; i++)
			taf_str_printf(lines, "%c%llu", i > 0 ? ',' : '\t',
			    (unsigned long long)v.n[i]);
		taf_str_puts(lines, v.parts > 1 ? "\tcomplex\n" : "\n");
		st = lines->st;
	}
	taf_capture_fini(&c);
	return st;
}
