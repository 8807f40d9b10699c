/* SPDX-License-Identifier: ISC */
/* link: jansson */
#include "codec/zarr/zarr.h"

#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#ifdef HAVE_JANSSON
#include <jansson.h>
#endif

#include "base/half.h"
#include "base/num.h"
#include "codec/json.h"

#ifdef HAVE_JANSSON

/* --- what is not known here --- */

static void
refuse(struct taf_zarr_array *z, const char *what, const char *name)
{
	struct taf_err e = { 0 };
	struct taf_str s = { .err = &e };

	taf_str_safe(&s, name, strlen(name));
	if (z->refused[0] == '\0')
		(void)snprintf(z->refused, sizeof z->refused, "%s %.100s", what,
		    s.st == TAF_OK && s.buf.len > 0 ? s.buf.data : "?");
	taf_str_free(&s);
}

static enum taf_status
wrong(const char *key, struct taf_err *e)
{
	return taf_fail(e, TAF_EDATA, "no \"%s\" that says what it must", key);
}

/* The string that key has; NULL where there is none. */
static const char *
text(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	return taf_json_number(v) == NULL ? json_string_value(v) : NULL;
}

static bool
number(const json_t *v, uint64_t *n)
{
	const char *p = taf_json_number(v);

	return p != NULL && taf_parse_u64(p, strlen(p), n);
}

static enum taf_status
numbers(const json_t *o, const char *key, uint64_t n[TAF_MAX_DIM], unsigned *count,
    struct taf_err *e)
{
	const json_t *list = json_object_get(o, key);
	size_t k;

	if (!json_is_array(list))
		return wrong(key, e);
	if (json_array_size(list) > TAF_MAX_DIM)
		return taf_fail(e, TAF_EDATA, "%zu dimensions, more than %d",
		    json_array_size(list), (int)TAF_MAX_DIM);
	for (k = 0; k < json_array_size(list); k++)
		if (!number(json_array_get(list, k), &n[k]))
			return wrong(key, e);
	*count = (unsigned)json_array_size(list);
	return TAF_OK;
}

/* Lengths of chunks or shards: as many as the array has, none 0. */
static enum taf_status
lengths(const struct taf_zarr_array *z, const json_t *o, const char *key,
    uint64_t n[TAF_MAX_DIM], struct taf_err *e)
{
	unsigned count, k;

	if (numbers(o, key, n, &count, e) != TAF_OK)
		return e->code;
	for (k = 0; k < count && n[k] > 0; k++)
		continue;
	return k == count && count == z->nd.ndim ? TAF_OK : wrong(key, e);
}

/* --- codecs --- */

/* The name of a codec is a word of its own. */
static void
add_name(struct taf_zarr_array *z, const char *name)
{
	const size_t n = strlen(z->packing);

	(void)snprintf(z->packing + n, sizeof z->packing - n, "%s%s", n > 0 ? "," : "",
	    name);
}

static struct taf_chunk_step *
add_step(struct taf_zarr_array *z, struct taf_chunk_way *way, enum taf_chunk_codec codec)
{
	static struct taf_chunk_step none;

	if (way->n == TAF_CHUNK_STEPS) {
		refuse(z, "more codecs than", "8");
		return &none;
	}
	way->step[way->n].codec = codec;
	return &way->step[way->n++];
}

/* The codec of numcodecs that a name of version 3 means, or NULL. */
static const char *
numcodec(const char *name)
{
	static const char from[] = "numcodecs.";

	return strncmp(name, from, sizeof from - 1) == 0 ? name + sizeof from - 1 : NULL;
}

/* A codec that packs bytes. */
static void
add_packing(struct taf_zarr_array *z, struct taf_chunk_way *way, const char *name)
{
	static const struct {
		const char *name;
		enum taf_packing packing;
		unsigned versions;	/* in which they are: 2, or 5 for both */
	} known[] = {
		{ "zlib", TAF_PACKING_ZLIB, 2 }, { "gzip", TAF_PACKING_GZIP, 5 },
		{ "zstd", TAF_PACKING_ZSTD, 5 }, { "blosc", TAF_PACKING_BLOSC, 5 },
		{ "lz4", TAF_PACKING_LZ4, 2 }, { "bz2", TAF_PACKING_BZIP2, 2 },
		{ "lzma", TAF_PACKING_LZMA, 2 },
	};
	const char *as = numcodec(name) != NULL ? numcodec(name) : name;
	size_t k;

	for (k = 0; k < sizeof known / sizeof known[0]; k++)
		if (strcmp(as, known[k].name) == 0 && (known[k].versions == 5 ||
		    known[k].versions == z->version || as != name)) {
			const char *missing = taf_packing_missing(known[k].packing);

			if (missing != NULL)
				refuse(z, "this program was built without", missing);
			add_step(z, way, TAF_CHUNK_PACKED)->packing = known[k].packing;
			return;
		}
	refuse(z, "a codec that is not known:", name);
}

/* What a type of NumPy with its order of bytes says, such as "<f4". */
static bool
numpy(const char *name, struct taf_ndarray *nd)
{
	if (name == NULL || strchr("<>|=", name[0]) == NULL || name[0] == '\0' ||
	    !taf_ndarray_named(nd, name + 1, strlen(name + 1)))
		return false;
	nd->big = name[0] == '>';
	return true;
}

/* A scale and an offset are a mapping of what is stored. */
static enum taf_status
scale(struct taf_zarr_array *z, const json_t *o, struct taf_err *e)
{
	struct taf_ndarray nd = z->nd;
	const char *as = text(o, "astype");
	double scale, offset;

	if (!taf_json_real(json_object_get(o, "scale"), &scale) || scale == 0 ||
	    !taf_json_real(json_object_get(o, "offset"), &offset) || as == NULL)
		return wrong("filters", e);
	if (!numpy(as, &nd) || taf_type_is_pair(nd.type) || taf_type_is_pair(z->nd.type))
		refuse(z, "a filter to the type", as);
	z->slope = 1 / scale;
	z->intercept = offset;
	z->nd.type = nd.type;
	z->nd.half = nd.half;
	z->nd.logical = nd.logical;
	z->nd.big = nd.big;
	return TAF_OK;
}

static enum taf_status
delta(struct taf_zarr_array *z, struct taf_chunk_step *s, const json_t *o,
    struct taf_err *e)
{
	struct taf_ndarray nd = { .type = TAF_INT8 }, as;
	const char *dtype = text(o, "dtype"), *astype = text(o, "astype");

	if (dtype == NULL)
		return wrong("filters", e);
	if (!numpy(dtype, &nd) || nd.half || nd.logical || taf_type_is_pair(nd.type))
		refuse(z, "delta of", dtype);
	as = nd;
	if (astype != NULL && (!numpy(astype, &as) || as.type != nd.type ||
	    as.big != nd.big || as.half || as.logical))
		refuse(z, "delta as", astype);
	s->type = nd.type;
	s->big = nd.big;
	return TAF_OK;
}

static enum taf_status
shuffle(struct taf_zarr_array *z, struct taf_chunk_way *way, const json_t *o,
    struct taf_err *e)
{
	uint64_t size;

	if (!number(json_object_get(o, "elementsize"), &size) || size == 0 || size > 4096)
		return wrong("elementsize", e);
	add_step(z, way, TAF_CHUNK_SHUFFLE)->size = (size_t)size;
	return TAF_OK;
}

static enum taf_status
filter(struct taf_zarr_array *z, const json_t *o, bool first, struct taf_err *e)
{
	const char *id = text(o, "id");

	if (id == NULL)
		return wrong("filters", e);
	add_name(z, id);
	if (strcmp(id, "bitround") == 0 || strcmp(id, "quantize") == 0)
		return TAF_OK;
	if (strcmp(id, "fixedscaleoffset") == 0 && first)
		return scale(z, o, e);
	if (strcmp(id, "delta") == 0)
		return delta(z, add_step(z, &z->way, TAF_CHUNK_DELTA), o, e);
	if (strcmp(id, "shuffle") == 0)
		return shuffle(z, &z->way, o, e);
	refuse(z, "a filter that is not known:", id);
	return TAF_OK;
}

/* Steps of an array are undone from its last one on. */
static void
turn(struct taf_chunk_way *way, unsigned from)
{
	struct taf_chunk_step s;
	unsigned k, n = way->n - from;

	for (k = 0; k < n / 2; k++) {
		s = way->step[from + k];
		way->step[from + k] = way->step[way->n - 1 - k];
		way->step[way->n - 1 - k] = s;
	}
}

/* --- fill values --- */

static bool
hexadecimal(const char *p, size_t bytes, uint64_t *v)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	size_t k;

	*v = 0;
	if (strncmp(p, "0x", 2) != 0 || strlen(p) != 2 + 2 * bytes)
		return false;
	for (k = 2; k < 2 + 2 * bytes; k++) {
		const char *at = memchr(digits, p[k], 32);

		if (at == NULL)
			return false;
		*v = *v << 4 | (uint64_t)((at - digits) % 16);
	}
	return true;
}

/* The nearest whole number, ties to even, of what is below 2^51. */
static double
nearest(double d)
{
	/* 1.5 * 2^52: no fraction beside it */
	const double magic = 6755399441055744.0;

	return d + magic - magic;
}

/* The nearest float of 16 bits, ties to even. */
static float
as_half(float f)
{
	const double unit = 16777216;	/* 2^24: the smallest of them is 1 / unit */
	uint32_t bits;

	if (!isfinite(f))
		return f;
	if (f > -0x1p-14f && f < 0x1p-14f)
		return (float)(nearest((double)f * unit) / unit);
	memcpy(&bits, &f, sizeof bits);
	bits += 0xfff + (bits >> 13 & 1);
	bits &= ~UINT32_C(0x1fff);
	memcpy(&f, &bits, sizeof f);
	return f >= 65536 ? (float)INFINITY : f <= -65536 ? (float)-INFINITY : f;
}

/* Bits of the type's width, which stand for themselves. */
static bool
by_bits(const char *p, bool half, enum taf_type type, unsigned char *value)
{
	uint64_t v;

	if (!hexadecimal(p, half ? 2 : taf_type_size(type), &v))
		return false;
	if (half)
		taf_half_to_flt32(value, &(uint16_t){ (uint16_t)v }, 1);
	else if (taf_type_size(type) == 4)
		memcpy(value, &(uint32_t){ (uint32_t)v }, 4);
	else
		memcpy(value, &v, 8);
	return true;
}

/* A number of a type of reals. */
static bool
part(const json_t *v, const struct taf_zarr_array *z, enum taf_type type,
    unsigned char *value)
{
	const char *p = taf_json_number(v);
	float f;

	if (json_is_boolean(v) && taf_type_is_int(type)) {
		taf_type_store(type, value, json_is_true(v));
		return true;
	}
	if (p != NULL) {
		if (!taf_json_element(p, strlen(p), type, value) &&
		    !taf_json_not_finite(p, type, value))
			return false;
		if (z->nd.half && type == TAF_FLT32) {
			memcpy(&f, value, sizeof f);
			memcpy(value, &(float){ as_half(f) }, sizeof f);
		}
		return true;
	}
	p = json_string_value(v);
	if (p == NULL || taf_type_is_int(type))
		return false;
	return taf_json_not_finite(p, type, value) || (z->version == 3 &&
	    by_bits(p, z->nd.half, type, value));
}

/* What a filter that scales makes of it: stored values are whole, or floats. */
static bool
scaled(const struct taf_zarr_array *z, const json_t *v, unsigned char *value)
{
	char digits[40];
	double d;

	if (!part(v, z, TAF_FLT64, value))
		return false;
	memcpy(&d, value, sizeof d);
	d = (d - z->intercept) * (1 / z->slope);
	if (!isfinite(d))
		return false;
	if (taf_type_is_int(z->nd.type) && d > -0x1p51 && d < 0x1p51)
		d = nearest(d);
	(void)snprintf(digits, sizeof digits, "%s", taf_f64(d).s);
	return taf_json_element(digits, strlen(digits), z->nd.type, value);
}

static enum taf_status
fill_value(struct taf_zarr_array *z, const json_t *v, struct taf_err *e)
{
	const struct taf_type_facts *facts = taf_type_facts(z->nd.type);
	const size_t half = facts->bytes / 2;
	bool good;

	z->no_fill = v == NULL || json_is_null(v);
	if (z->no_fill || z->refused[0] != '\0')
		return TAF_OK;
	if (isfinite(z->slope))
		good = scaled(z, v, z->fill);
	else if (facts->kind != TAF_PAIR)
		good = part(v, z, z->nd.type, z->fill);
	else
		good = json_array_size(v) == 2 && part(json_array_get(v, 0), z,
		    facts->component, z->fill) && part(json_array_get(v, 1), z,
		    facts->component, z->fill + half);
	if (z->nd.logical && z->fill[0] > 1)
		good = false;
	return good ? TAF_OK : taf_fail(e, TAF_EDATA, "the fill_value is no %s",
	    taf_type_name(z->nd.type));
}

/* --- version 2 --- */

static enum taf_status
parse_v2(struct taf_zarr_array *z, struct taf_err *e)
{
	const json_t *filters = json_object_get(z->doc, "filters");
	const json_t *packed = json_object_get(z->doc, "compressor");
	const char *order = text(z->doc, "order");
	const char *separator = text(z->doc, "dimension_separator");
	unsigned k, first;

	if (lengths(z, z->doc, "chunks", z->chunk, e) != TAF_OK)
		return e->code;
	if (order == NULL || (strcmp(order, "C") != 0 && strcmp(order, "F") != 0))
		return wrong("order", e);
	for (k = 0; k < z->nd.ndim; k++)
		z->order[k] = order[0] == 'C' ? k : z->nd.ndim - 1 - k;
	z->separator = separator != NULL ? separator[0] : '.';
	if ((separator == NULL && json_object_get(z->doc, "dimension_separator") !=
	    NULL) || (separator != NULL && strcmp(separator, ".") != 0 &&
	    strcmp(separator, "/") != 0))
		return wrong("dimension_separator", e);
	if (text(z->doc, "dtype") == NULL)
		(void)snprintf(z->type, sizeof z->type, "structure");
	else
		(void)snprintf(z->type, sizeof z->type, "%s", text(z->doc, "dtype"));
	if (!numpy(text(z->doc, "dtype"), &z->nd))
		refuse(z, "elements of type", z->type);
	if (packed != NULL && !json_is_null(packed)) {
		if (text(packed, "id") == NULL)
			return wrong("compressor", e);
		add_packing(z, &z->way, text(packed, "id"));
	}
	first = z->way.n;
	if (filters != NULL && !json_is_null(filters) && !json_is_array(filters))
		return wrong("filters", e);
	for (k = 0; k < json_array_size(filters); k++)
		if (filter(z, json_array_get(filters, k), k == 0, e) != TAF_OK)
			return e->code;
	turn(&z->way, first);
	if (first > 0)
		add_name(z, text(packed, "id"));
	return fill_value(z, json_object_get(z->doc, "fill_value"), e);
}

/* --- version 3 --- */

/* The name of an extension, which may be all of it. */
static const char *
named(const json_t *v)
{
	return json_is_string(v) && taf_json_number(v) == NULL ? json_string_value(v) :
	    text(v, "name");
}

static const json_t *
configuration(const json_t *v)
{
	return json_object_get(v, "configuration");
}

static enum taf_status
transpose(struct taf_zarr_array *z, const json_t *o, struct taf_err *e)
{
	unsigned was[TAF_MAX_DIM], count, k;
	uint64_t order[TAF_MAX_DIM], seen = 0;

	if (numbers(o, "order", order, &count, e) != TAF_OK)
		return e->code;
	memcpy(was, z->order, sizeof was);
	for (k = 0; k < count && k < z->nd.ndim && order[k] < z->nd.ndim; k++) {
		seen |= UINT64_C(1) << order[k];
		z->order[k] = was[order[k]];
	}
	return k == count && count == z->nd.ndim && (count == 0 ||
	    seen == UINT64_MAX >> (64 - count)) ? TAF_OK : wrong("order", e);
}

static enum taf_status
byte_order(const json_t *o, size_t word, bool *big, struct taf_err *e)
{
	const char *endian = text(o, "endian");

	*big = endian != NULL && strcmp(endian, "big") == 0;
	return *big || (endian != NULL ? strcmp(endian, "little") == 0 : word == 1) ?
	    TAF_OK : wrong("endian", e);
}

static enum taf_status chain(struct taf_zarr_array *z, const json_t *list,
    struct taf_chunk_way *way, bool index, struct taf_err *e);

static enum taf_status
sharding(struct taf_zarr_array *z, const json_t *o, struct taf_err *e)
{
	const char *where = text(o, "index_location");
	unsigned k;

	memcpy(z->shard, z->chunk, sizeof z->shard);
	z->sharded = true;
	z->index_first = where != NULL && strcmp(where, "start") == 0;
	if ((where == NULL && json_object_get(o, "index_location") != NULL) ||
	    (where != NULL && !z->index_first && strcmp(where, "end") != 0))
		return wrong("index_location", e);
	if (lengths(z, o, "chunk_shape", z->chunk, e) != TAF_OK)
		return e->code;
	for (k = 0; k < z->nd.ndim; k++)
		if (z->shard[k] % z->chunk[k] != 0)
			return taf_fail(e, TAF_EDATA,
			    "a shard of %llu points and chunks of %llu",
			    (unsigned long long)z->shard[k],
			    (unsigned long long)z->chunk[k]);
	if (chain(z, json_object_get(o, "index_codecs"), &z->index, true, e) != TAF_OK)
		return e->code;
	/* its length must be known */
	for (k = 0; k < z->index.n; k++)
		if (z->index.step[k].codec == TAF_CHUNK_PACKED)
			refuse(z, "an index of shards that is", "packed");
	return chain(z, json_object_get(o, "codecs"), &z->way, false, e);
}

/* Codecs from first to last: arrays to arrays, one to bytes, bytes to bytes. */
static enum taf_status
chain(struct taf_zarr_array *z, const json_t *list, struct taf_chunk_way *way, bool index,
    struct taf_err *e)
{
	const size_t n = json_array_size(list);
	bool bytes = false, shards = false, big = false;
	enum taf_status st = TAF_OK;
	const char *name;
	size_t k;

	for (k = 0; k < n && st == TAF_OK; k++) {
		const json_t *v = json_array_get(list, k), *o = configuration(v);

		name = named(v);
		if (name == NULL)
			return wrong("codecs", e);
		if (!index)
			add_name(z, name);
		if (strcmp(name, "transpose") == 0 && !bytes && !index) {
			st = transpose(z, o, e);
		} else if (strcmp(name, "bytes") == 0 && !bytes) {
			bytes = true;
			st = byte_order(o, index ? 8 : taf_type_word(z->nd.type) /
			    (z->nd.half ? 2 : 1), &big, e);
		} else if (strcmp(name, "sharding_indexed") == 0 && !bytes && !index) {
			bytes = shards = true;
			if (k > 0 || z->sharded)
				refuse(z, "shards in or behind", k > 0 ? "another codec" :
				    "shards");
			else
				st = sharding(z, o, e);
		} else if (bytes && shards) {
			refuse(z, "around shards the codec", name);
		} else if (bytes && strcmp(name, "crc32c") == 0) {
			(void)add_step(z, way, TAF_CHUNK_CRC32C);
		} else if (bytes && strcmp(name, "numcodecs.shuffle") == 0) {
			st = shuffle(z, way, o, e);
		} else if (bytes) {
			add_packing(z, way, name);
		} else {
			refuse(z, "a codec that is not known here:", name);
		}
	}
	if (st != TAF_OK || shards)
		return st;
	if (!bytes && z->refused[0] == '\0')
		return wrong("codecs", e);
	turn(way, 0);
	*(index ? &z->index_big : &z->nd.big) = big;
	return TAF_OK;
}

static enum taf_status
data_type(struct taf_zarr_array *z, struct taf_err *e)
{
	static const char *const names[][2] = {
		{ "bool", "b1" }, { "int8", "i1" }, { "int16", "i2" }, { "int32", "i4" },
		{ "int64", "i8" }, { "uint8", "u1" }, { "uint16", "u2" },
		{ "uint32", "u4" }, { "uint64", "u8" }, { "float16", "f2" },
		{ "float32", "f4" }, { "float64", "f8" }, { "complex64", "c8" },
		{ "complex128", "c16" }, { "r8", "u1" },
	};
	const char *name = named(json_object_get(z->doc, "data_type"));
	size_t k;

	if (name == NULL)
		return wrong("data_type", e);
	(void)snprintf(z->type, sizeof z->type, "%s", name);
	for (k = 0; k < sizeof names / sizeof names[0]; k++)
		if (strcmp(name, names[k][0]) == 0 && taf_ndarray_named(&z->nd,
		    names[k][1], strlen(names[k][1])))
			return TAF_OK;
	refuse(z, "elements of type", z->type);
	return TAF_OK;
}

static enum taf_status
keys(struct taf_zarr_array *z, struct taf_err *e)
{
	const json_t *v = json_object_get(z->doc, "chunk_key_encoding");
	const char *name = named(v), *separator = text(configuration(v), "separator");

	if (name == NULL)
		return wrong("chunk_key_encoding", e);
	z->prefixed = strcmp(name, "default") == 0;
	if (!z->prefixed && strcmp(name, "v2") != 0)
		refuse(z, "keys of chunks by", name);
	z->separator = separator != NULL ? separator[0] : z->prefixed ? '/' : '.';
	if ((separator == NULL && json_object_get(configuration(v), "separator") !=
	    NULL) || (separator != NULL && strcmp(separator, ".") != 0 &&
	    strcmp(separator, "/") != 0))
		return wrong("separator", e);
	return TAF_OK;
}

/* A key that is not known must say that it may be passed over. */
static void
look_for_more(struct taf_zarr_array *z)
{
	static const char *const known[] = { "zarr_format", "node_type", "shape",
		"data_type", "chunk_grid", "chunk_key_encoding", "fill_value", "codecs",
		"attributes", "dimension_names", "storage_transformers" };
	const char *key;
	json_t *v;
	size_t k;

	json_object_foreach(z->doc, key, v) {
		for (k = 0; k < sizeof known / sizeof known[0] &&
		    strcmp(key, known[k]) != 0; k++)
			continue;
		if (k == sizeof known / sizeof known[0] &&
		    !json_is_false(json_object_get(v, "must_understand")))
			refuse(z, "a key that is not known:", key);
	}
	v = json_object_get(z->doc, "storage_transformers");
	if (v != NULL && json_array_size(v) > 0)
		refuse(z, "a storage transformer:", named(json_array_get(v, 0)) != NULL ?
		    named(json_array_get(v, 0)) : "?");
}

static enum taf_status
parse_v3(struct taf_zarr_array *z, struct taf_err *e)
{
	const json_t *grid = json_object_get(z->doc, "chunk_grid");
	const json_t *names = json_object_get(z->doc, "dimension_names");
	const json_t *codecs = json_object_get(z->doc, "codecs");
	unsigned k;

	if (named(grid) == NULL)
		return wrong("chunk_grid", e);
	if (strcmp(named(grid), "regular") != 0) {
		refuse(z, "a chunk_grid that is", named(grid));
		for (k = 0; k < z->nd.ndim; k++)
			z->chunk[k] = 1;
	} else if (lengths(z, configuration(grid), "chunk_shape", z->chunk, e) !=
	    TAF_OK) {
		return e->code;
	}
	for (k = 0; k < z->nd.ndim; k++)
		z->order[k] = k;
	if (!json_is_array(codecs) || json_array_size(codecs) == 0)
		return wrong("codecs", e);
	if (names != NULL && !json_is_null(names) &&
	    json_array_size(names) != z->nd.ndim)
		return wrong("dimension_names", e);
	z->names = json_object_get(z->doc, "dimension_names");
	z->attrs = json_object_get(z->doc, "attributes");
	if (data_type(z, e) != TAF_OK || keys(z, e) != TAF_OK ||
	    chain(z, codecs, &z->way, false, e) != TAF_OK)
		return e->code;
	look_for_more(z);
	if (json_object_get(z->doc, "fill_value") == NULL ||
	    json_is_null(json_object_get(z->doc, "fill_value")))
		return wrong("fill_value", e);
	return fill_value(z, json_object_get(z->doc, "fill_value"), e);
}

/* Sizes that follow: of a chunk, and all of the array is one that can be. */
static enum taf_status
measure(struct taf_zarr_array *z, struct taf_err *e)
{
	uint64_t bytes;
	unsigned k;

	if (!z->sharded)
		memcpy(z->shard, z->chunk, sizeof z->shard);
	if (z->refused[0] != '\0')
		return TAF_OK;
	z->size = z->nd.half ? 2 : taf_type_size(z->nd.type);
	z->bytes = z->size;
	for (k = 0; k < z->nd.ndim; k++)
		if (!taf_mul(z->bytes, z->chunk[k], &z->bytes) ||
		    z->bytes > INT64_MAX / 16)
			return taf_fail(e, TAF_EDATA, "chunks of more than 2^59 bytes");
	return taf_ndarray_bytes(&z->nd, &bytes, e);
}

static enum taf_status
parse(struct taf_zarr_array *z, const struct taf_zarr_text *attrs, struct taf_err *e)
{
	const char *kind = text(z->doc, "node_type");
	json_t *more;
	uint64_t version;

	if (!number(json_object_get(z->doc, "zarr_format"), &version))
		return wrong("zarr_format", e);
	if (version != z->version)
		return taf_fail(e, TAF_EDATA, "zarr_format %llu, expected %u",
		    (unsigned long long)version, z->version);
	if (z->version == 3 && kind != NULL && strcmp(kind, "group") == 0)
		return TAF_END;
	if (z->version == 3 && (kind == NULL || strcmp(kind, "array") != 0))
		return wrong("node_type", e);
	if (numbers(z->doc, "shape", z->nd.n, &z->nd.ndim, e) != TAF_OK)
		return e->code;
	if (attrs != NULL) {
		more = taf_json_load_numbers(attrs->p, attrs->n, e);
		if (more == NULL)
			return e->code;
		if (json_object_set_new(z->doc, "attributes", more) != 0)
			return taf_fail_mem(e);
		z->attrs = json_object_get(z->doc, "attributes");
	}
	return z->version == 2 ? parse_v2(z, e) : parse_v3(z, e);
}

enum taf_status
taf_zarr_parse(struct taf_zarr_array *z, unsigned version,
    const struct taf_zarr_text *meta, const struct taf_zarr_text *attrs,
    struct taf_err *e)
{
	memset(z, 0, sizeof *z);
	z->version = version;
	z->slope = z->intercept = NAN;
	z->doc = taf_json_load_numbers(meta->p, meta->n, e);
	if (z->doc == NULL)
		return e->code;
	if (parse(z, attrs, e) != TAF_OK || measure(z, e) != TAF_OK)
		return e->code != TAF_OK ? e->code : TAF_END;
	return TAF_OK;
}

void
taf_zarr_array_free(struct taf_zarr_array *z)
{
	json_decref(z->doc);
	z->doc = z->attrs = z->names = NULL;
}

#else

enum taf_status
taf_zarr_parse(struct taf_zarr_array *z, unsigned version,
    const struct taf_zarr_text *meta, const struct taf_zarr_text *attrs,
    struct taf_err *e)
{
	(void)version, (void)meta, (void)attrs;
	memset(z, 0, sizeof *z);
	return taf_fail(e, TAF_EDATA,
	    "a Zarr store, which this program was built without jansson for");
}

void
taf_zarr_array_free(struct taf_zarr_array *z)
{
	z->doc = NULL;
}

#endif
