/* SPDX-License-Identifier: ISC */
/* link: jansson */
/* Metadata of Zarr arrays, as they are read, and as they are written. */
#include "codec/zarr/zarr.h"

#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/half.h"
#include "base/num.h"
#include "codec/jansson.h"
#include "codec/json.h"

/*
 * The first failure stays in e, and what is not known in z->refused: so a function goes
 * on, and who reads the whole looks at both in the end.
 */

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

static void
wrong(const char *key, struct taf_err *e)
{
	(void)taf_fail(e, TAF_EDATA, "no \"%s\" that says what it must", key);
}

/* The string that key has; NULL where there is none. */
static const char *
text(const json_t *o, const char *key)
{
	return taf_json_text(json_object_get(o, key));
}

/* How many a list has.  Lengths of chunks are as many as the array has, none 0. */
static unsigned
numbers(const json_t *o, const char *key, uint64_t n[TAF_MAX_DIM], struct taf_err *e)
{
	const json_t *list = json_object_get(o, key);
	const size_t count = json_array_size(list);
	size_t k;

	if (count > TAF_MAX_DIM) {
		(void)taf_fail(e, TAF_EDATA, "%zu dimensions, more than %d", count,
		    (int)TAF_MAX_DIM);
		return 0;
	}
	for (k = 0; k < count && taf_json_u64(json_array_get(list, k), &n[k]); k++)
		continue;
	if (!json_is_array(list) || k < count)
		wrong(key, e);
	return (unsigned)k;
}

static void
lengths(const struct taf_zarr_array *z, const json_t *o, const char *key,
    uint64_t n[TAF_MAX_DIM], struct taf_err *e)
{
	const unsigned count = numbers(o, key, n, e);
	unsigned k;

	for (k = 0; k < count && n[k] > 0; k++)
		continue;
	if (k < count || count != z->nd.ndim)
		wrong(key, e);
}

/* Is it the second of two words, not the first?  Unsaid it is other, if that is one. */
static bool
second(const json_t *o, const char *key, const char *one, const char *two,
    const char *other, struct taf_err *e)
{
	const char *said = json_object_get(o, key) != NULL ? text(o, key) : other;

	if (said == NULL || (strcmp(said, one) != 0 && strcmp(said, two) != 0))
		wrong(key, e);
	return said != NULL && strcmp(said, two) == 0;
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

/* A codec that packs bytes: of version 3, or with its own name of numcodecs. */
static void
add_packing(struct taf_zarr_array *z, struct taf_chunk_way *way, const char *name)
{
	const bool prefixed = strncmp(name, "numcodecs.", 10) == 0;
	const char *as = prefixed ? name + 10 : name, *missing;
	enum taf_packing p;

	for (p = 0; p < TAF_PACKINGS; p++)
		if (strcmp(as, taf_packing_name(p)) == 0 && (prefixed ||
		    z->version == 2 || p == TAF_PACKING_GZIP ||
		    p == TAF_PACKING_ZSTD || p == TAF_PACKING_BLOSC)) {
			missing = taf_packing_missing(p);
			if (missing != NULL)
				refuse(z, "this program was built without", missing);
			add_step(z, way, TAF_CHUNK_PACKED)->packing = p;
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
static void
scale(struct taf_zarr_array *z, const json_t *o, struct taf_err *e)
{
	struct taf_ndarray nd = z->nd;
	const char *as = text(o, "astype");
	double scale, offset;

	if (!taf_json_real(json_object_get(o, "scale"), &scale) || scale == 0 ||
	    !taf_json_real(json_object_get(o, "offset"), &offset) || as == NULL) {
		wrong("filters", e);
		return;
	}
	if (!numpy(as, &nd) || taf_type_is_pair(nd.type) || taf_type_is_pair(z->nd.type))
		refuse(z, "a filter to the type", as);
	z->slope = 1 / scale;
	z->intercept = offset;
	z->nd = nd;
}

static void
delta(struct taf_zarr_array *z, struct taf_chunk_step *s, const json_t *o,
    struct taf_err *e)
{
	struct taf_ndarray nd = { .type = TAF_INT8 }, as;
	const char *dtype = text(o, "dtype"), *astype = text(o, "astype");

	if (dtype == NULL)
		wrong("filters", e);
	else if (!numpy(dtype, &nd) || nd.half || nd.logical || taf_type_is_pair(nd.type))
		refuse(z, "delta of", dtype);
	as = nd;
	if (astype != NULL && (!numpy(astype, &as) || as.type != nd.type ||
	    as.big != nd.big || as.half || as.logical))
		refuse(z, "delta as", astype);
	s->type = nd.type;
	s->big = nd.big;
}

static void
shuffle(struct taf_zarr_array *z, struct taf_chunk_way *way, const json_t *o,
    struct taf_err *e)
{
	uint64_t size;

	if (!taf_json_u64(json_object_get(o, "elementsize"), &size) || size == 0 ||
	    size > 4096)
		wrong("elementsize", e);
	else
		add_step(z, way, TAF_CHUNK_SHUFFLE)->size = (size_t)size;
}

static void
filter(struct taf_zarr_array *z, const json_t *o, bool first, struct taf_err *e)
{
	const char *id = text(o, "id");

	if (id == NULL) {
		wrong("filters", e);
		return;
	}
	add_name(z, id);
	if (strcmp(id, "fixedscaleoffset") == 0 && first)
		scale(z, o, e);
	else if (strcmp(id, "delta") == 0)
		delta(z, add_step(z, &z->way, TAF_CHUNK_DELTA), o, e);
	else if (strcmp(id, "shuffle") == 0)
		shuffle(z, &z->way, o, e);
	/* what those have rounded stays so */
	else if (strcmp(id, "bitround") != 0 && strcmp(id, "quantize") != 0)
		refuse(z, "a filter that is not known:", id);
}

/* --- fill values --- */

/* Bits of the type's width, which stand for themselves, as hexadecimal digits. */
static bool
by_bits(const char *p, bool half, enum taf_type type, unsigned char *value)
{
	const size_t n = half ? 4 : 2 * taf_type_size(type);
	uint64_t v;

	if (strncmp(p, "0x", 2) != 0 || strlen(p) != 2 + n ||
	    !taf_parse_hex(p + 2, n, &v))
		return false;
	if (half)
		taf_half_to_flt32(value, &(uint16_t){ (uint16_t)v }, 1);
	else
		taf_type_store(n == 8 ? TAF_UINT32 : TAF_UINT64, value, v);
	return true;
}

/* A number of a type of reals. */
static bool
part(const json_t *v, const struct taf_zarr_array *z, enum taf_type type,
    unsigned char *value)
{
	const char *text = taf_json_text(v);
	float f;

	if (!taf_json_value(v, type, value))
		return z->version == 3 && text != NULL && !taf_type_is_int(type) &&
		    by_bits(text, z->nd.half, type, value);
	if (z->nd.half && type == TAF_FLT32) {
		memcpy(&f, value, sizeof f);
		f = taf_half_nearest(f);
		memcpy(value, &f, sizeof f);
	}
	return true;
}

/* What a filter that scales makes of it: stored values are whole, or floats. */
static bool
scaled(const struct taf_zarr_array *z, const json_t *v, unsigned char *value)
{
	const double most = 2251799813685248;	/* 2^51 */
	struct taf_f64_text digits;
	double d;

	if (!part(v, z, TAF_FLT64, value))
		return false;
	memcpy(&d, value, sizeof d);
	d = (d - z->intercept) * (1 / z->slope);
	if (!isfinite(d))
		return false;
	if (taf_type_is_int(z->nd.type) && d > -most && d < most)
		d = taf_round_even(d);
	digits = taf_f64(d);
	return taf_json_element(digits.s, strlen(digits.s), z->nd.type, value);
}

static void
fill_value(struct taf_zarr_array *z, struct taf_err *e)
{
	const json_t *v = json_object_get(z->doc, "fill_value");
	const struct taf_type_facts *facts = taf_type_facts(z->nd.type);
	bool good;

	z->no_fill = v == NULL || json_is_null(v);
	if (z->no_fill && z->version == 3)
		wrong("fill_value", e);
	if (z->no_fill || z->refused[0] != '\0')
		return;
	if (isfinite(z->slope))
		good = scaled(z, v, z->fill);
	else if (facts->kind != TAF_PAIR)
		good = part(v, z, z->nd.type, z->fill);
	else
		good = json_array_size(v) == 2 && part(json_array_get(v, 0), z,
		    facts->component, z->fill) && part(json_array_get(v, 1), z,
		    facts->component, z->fill + facts->bytes / 2);
	if (!good || (z->nd.logical && z->fill[0] > 1))
		(void)taf_fail(e, TAF_EDATA, "the fill_value is no %s",
		    taf_type_name(z->nd.type));
}

/* --- version 2 --- */

/* As it is called, and whether that is known. */
static void
take_type(struct taf_zarr_array *z, const char *name, bool known)
{
	(void)snprintf(z->type, sizeof z->type, "%s", name);
	if (!known)
		refuse(z, "elements of type", z->type);
}

static void
parse_v2(struct taf_zarr_array *z, struct taf_err *e)
{
	const json_t *filters = json_object_get(z->doc, "filters");
	const json_t *packed = json_object_get(z->doc, "compressor");
	const char *type = text(z->doc, "dtype"), *id = text(packed, "id");
	const bool plain = packed == NULL || json_is_null(packed);
	bool fortran;
	unsigned k;

	lengths(z, z->doc, "chunks", z->chunk, e);
	fortran = second(z->doc, "order", "C", "F", NULL, e);
	for (k = 0; k < z->nd.ndim; k++)
		z->order[k] = fortran ? z->nd.ndim - 1 - k : k;
	z->separator = second(z->doc, "dimension_separator", "/", ".", ".", e) ? '.' :
	    '/';
	take_type(z, type != NULL ? type : "structure", numpy(type, &z->nd));
	if (filters != NULL && !json_is_null(filters) && !json_is_array(filters))
		wrong("filters", e);
	for (k = 0; k < json_array_size(filters); k++)
		filter(z, json_array_get(filters, k), k == 0, e);
	if (!plain && id == NULL)
		wrong("compressor", e);
	if (!plain && id != NULL) {
		add_packing(z, &z->way, id);
		add_name(z, id);
	}
	taf_chunk_turn(&z->way);
	z->names = json_object_get(z->attrs, "_ARRAY_DIMENSIONS");
}

/* --- version 3 --- */

/* The name of an extension, which may be all of it. */
static const char *
named(const json_t *v)
{
	return taf_json_text(v) != NULL ? taf_json_text(v) : text(v, "name");
}

static void
transpose(struct taf_zarr_array *z, const json_t *o, struct taf_err *e)
{
	uint64_t order[TAF_MAX_DIM], seen = 0;
	const unsigned count = numbers(o, "order", order, e);
	unsigned was[TAF_MAX_DIM], k;

	memcpy(was, z->order, sizeof was);
	for (k = 0; k < count && k < z->nd.ndim && order[k] < z->nd.ndim; k++) {
		seen |= UINT64_C(1) << order[k];
		z->order[k] = was[order[k]];
	}
	if (k < count || count != z->nd.ndim || (count > 0 &&
	    seen != UINT64_MAX >> (64 - count)))
		wrong("order", e);
}

static void chain(struct taf_zarr_array *z, const json_t *list, struct taf_chunk_way *way,
    bool index, struct taf_err *e);

static void
sharding(struct taf_zarr_array *z, const json_t *o, struct taf_err *e)
{
	unsigned k;

	memcpy(z->shard, z->chunk, sizeof z->shard);
	z->sharded = true;
	z->index_first = second(o, "index_location", "end", "start", "end", e);
	lengths(z, o, "chunk_shape", z->chunk, e);
	for (k = 0; k < z->nd.ndim && e->code == TAF_OK; k++)
		if (z->shard[k] % z->chunk[k] != 0)
			(void)taf_fail(e, TAF_EDATA,
			    "a shard of %llu points and chunks of %llu",
			    (unsigned long long)z->shard[k],
			    (unsigned long long)z->chunk[k]);
	chain(z, json_object_get(o, "index_codecs"), &z->index, true, e);
	/* its length must be known */
	for (k = 0; k < z->index.n; k++)
		if (z->index.step[k].codec == TAF_CHUNK_PACKED)
			refuse(z, "an index of shards that is", "packed");
	chain(z, json_object_get(o, "codecs"), &z->way, false, e);
}

/* Codecs from first to last: arrays to arrays, one to bytes, bytes to bytes. */
static void
chain(struct taf_zarr_array *z, const json_t *list, struct taf_chunk_way *way, bool index,
    struct taf_err *e)
{
	const size_t word = index ? 8 : taf_type_word(z->nd.type) / (z->nd.half ? 2 : 1);
	bool bytes = false, shards = false, big = false;
	size_t k;

	for (k = 0; k < json_array_size(list) && e->code == TAF_OK; k++) {
		const json_t *v = json_array_get(list, k);
		const json_t *o = json_object_get(v, "configuration");
		const char *name = named(v);

		if (name == NULL) {
			wrong("codecs", e);
			return;
		}
		if (!index)
			add_name(z, name);
		if (strcmp(name, "transpose") == 0 && !bytes && !index) {
			transpose(z, o, e);
		} else if (strcmp(name, "bytes") == 0 && !bytes) {
			bytes = true;
			if (word > 1 || text(o, "endian") != NULL)
				big = second(o, "endian", "little", "big", NULL, e);
		} else if (strcmp(name, "sharding_indexed") == 0 && !bytes && !index) {
			bytes = shards = true;
			if (k > 0 || z->sharded)
				refuse(z, "shards in or behind", k > 0 ? "another codec" :
				    "shards");
			else
				sharding(z, o, e);
		} else if (bytes && shards) {
			refuse(z, "around shards the codec", name);
		} else if (bytes && strcmp(name, "crc32c") == 0) {
			(void)add_step(z, way, TAF_CHUNK_CRC32C);
		} else if (bytes && strcmp(name, "numcodecs.shuffle") == 0) {
			shuffle(z, way, o, e);
		} else if (bytes) {
			add_packing(z, way, name);
		} else {
			refuse(z, "a codec that is not known here:", name);
		}
	}
	if (shards)
		return;
	if (!bytes && z->refused[0] == '\0')
		wrong("codecs", e);
	taf_chunk_turn(way);
	*(index ? &z->index_big : &z->nd.big) = big;
}

/* Types of version 3, and what NumPy calls them. */
static const char *const types[][2] = {
	{ "int8", "i1" }, { "int16", "i2" }, { "int32", "i4" }, { "int64", "i8" },
	{ "uint8", "u1" }, { "uint16", "u2" }, { "uint32", "u4" }, { "uint64", "u8" },
	{ "float16", "f2" }, { "float32", "f4" }, { "float64", "f8" },
	{ "complex64", "c8" }, { "complex128", "c16" }, { "bool", "b1" }, { "r8", "u1" },
};

static void
data_type(struct taf_zarr_array *z, struct taf_err *e)
{
	const char *name = named(json_object_get(z->doc, "data_type"));
	bool known = false;
	size_t k;

	for (k = 0; k < sizeof types / sizeof types[0] && name != NULL && !known; k++)
		known = strcmp(name, types[k][0]) == 0 &&
		    taf_ndarray_named(&z->nd, types[k][1], strlen(types[k][1]));
	if (name == NULL)
		wrong("data_type", e);
	else
		take_type(z, name, known);
}

static void
keys(struct taf_zarr_array *z, struct taf_err *e)
{
	const json_t *v = json_object_get(z->doc, "chunk_key_encoding");
	const char *name = named(v);

	z->prefixed = name != NULL && strcmp(name, "default") == 0;
	if (name == NULL)
		wrong("chunk_key_encoding", e);
	else if (!z->prefixed && strcmp(name, "v2") != 0)
		refuse(z, "keys of chunks by", name);
	z->separator = second(json_object_get(v, "configuration"), "separator", "/", ".",
	    z->prefixed ? "/" : ".", e) ? '.' : '/';
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

static void
parse_v3(struct taf_zarr_array *z, struct taf_err *e)
{
	const json_t *grid = json_object_get(z->doc, "chunk_grid");
	const json_t *codecs = json_object_get(z->doc, "codecs");
	unsigned k;

	for (k = 0; k < z->nd.ndim; k++) {
		z->chunk[k] = 1;
		z->order[k] = k;
	}
	if (named(grid) == NULL)
		wrong("chunk_grid", e);
	else if (strcmp(named(grid), "regular") != 0)
		refuse(z, "a chunk_grid that is", named(grid));
	else
		lengths(z, json_object_get(grid, "configuration"), "chunk_shape",
		    z->chunk, e);
	if (!json_is_array(codecs) || json_array_size(codecs) == 0)
		wrong("codecs", e);
	z->names = json_object_get(z->doc, "dimension_names");
	if (z->names != NULL && !json_is_null(z->names) &&
	    json_array_size(z->names) != z->nd.ndim)
		wrong("dimension_names", e);
	if (z->names == NULL)
		z->names = json_object_get(z->attrs, "_ARRAY_DIMENSIONS");
	data_type(z, e);
	keys(z, e);
	chain(z, codecs, &z->way, false, e);
	look_for_more(z);
}

/* Sizes that follow: of a chunk, and all of the array is one that can be. */
static enum taf_status
measure(struct taf_zarr_array *z, struct taf_err *e)
{
	uint64_t bytes;
	unsigned k;

	if (!z->sharded)
		memcpy(z->shard, z->chunk, sizeof z->shard);
	if (z->refused[0] != '\0' || e->code != TAF_OK)
		return e->code;
	z->size = z->nd.half ? 2 : taf_type_size(z->nd.type);
	z->bytes = z->size;
	for (k = 0; k < z->nd.ndim; k++)
		if (!taf_mul(z->bytes, z->chunk[k], &z->bytes) ||
		    z->bytes > INT64_MAX / 16)
			return taf_fail(e, TAF_EDATA, "chunks of more than 2^59 bytes");
	return taf_ndarray_bytes(&z->nd, &bytes, e);
}

/* Is it the metadata of an array? */
static bool
parse(struct taf_zarr_array *z, struct taf_err *e)
{
	const char *kind = text(z->doc, "node_type");
	uint64_t version;

	if (!taf_json_u64(json_object_get(z->doc, "zarr_format"), &version))
		wrong("zarr_format", e);
	else if (version != z->version)
		(void)taf_fail(e, TAF_EDATA, "zarr_format %llu, expected %u",
		    (unsigned long long)version, z->version);
	else if (z->version == 3 && kind != NULL && strcmp(kind, "group") == 0)
		return false;
	if (z->version == 3 && (kind == NULL || strcmp(kind, "array") != 0))
		wrong("node_type", e);
	z->nd.ndim = numbers(z->doc, "shape", z->nd.n, e);
	if (z->version == 2)
		parse_v2(z, e);
	else
		parse_v3(z, e);
	fill_value(z, e);
	return true;
}

enum taf_status
taf_zarr_take(struct taf_zarr_array *z, unsigned version, json_t *doc, json_t *attrs,
    struct taf_err *e)
{
	memset(z, 0, sizeof *z);
	z->version = version;
	z->slope = z->intercept = NAN;
	z->doc = doc;
	if (attrs != NULL && json_object_set_new(doc, "attributes", attrs) != 0)
		(void)taf_fail_mem(e);
	if (attrs != NULL || version == 3)
		z->attrs = json_object_get(doc, "attributes");
	return doc == NULL || parse(z, e) ? measure(z, e) : TAF_END;
}

enum taf_status
taf_zarr_parse(struct taf_zarr_array *z, unsigned version,
    const struct taf_zarr_text *meta, const struct taf_zarr_text *attrs,
    struct taf_err *e)
{
	json_t *doc = taf_json_load_numbers(meta->p, meta->n, e);
	json_t *more = doc != NULL && attrs != NULL ?
	    taf_json_load_numbers(attrs->p, attrs->n, e) : NULL;

	return taf_zarr_take(z, version, doc, more, e);
}

void
taf_zarr_array_free(struct taf_zarr_array *z)
{
	json_decref(z->doc);
	z->doc = z->attrs = z->names = NULL;
}

/* --- writing --- */

/* A list of numbers, and what stands before it. */
static void
put_list(struct taf_str *to, const char *before, const uint64_t n[], unsigned count)
{
	taf_str_printf(to, "%s[", before);
	taf_str_list(to, n, count);
	taf_str_puts(to, "]");
}

/* What packs bytes: its name, and its numbers as either version has them. */
static void
put_packing(struct taf_str *to, const struct taf_pack *pack, bool three)
{
	taf_str_printf(to, three ? "{\"name\":\"%s\",\"configuration\":{" :
	    "{\"id\":\"%s\",", taf_packing_name(pack->packing));
	if (pack->packing == TAF_PACKING_BLOSC)
		taf_str_printf(to, "\"cname\":\"%s\",\"clevel\":%d,\"blocksize\":0,"
		    "\"shuffle\":%s", pack->codec, pack->level,
		    three ? "\"bitshuffle\",\"typesize\":" : "2");
	else
		taf_str_printf(to, "\"level\":%d%s", pack->level, three &&
		    pack->packing == TAF_PACKING_ZSTD ? ",\"checksum\":false" : "");
	if (pack->packing == TAF_PACKING_BLOSC && three)
		taf_str_u64(to, pack->size);
	taf_str_puts(to, three ? "}}" : "}");
}

static void
format_v2(const struct taf_zarr_array *z, const struct taf_pack *pack, struct taf_str *to)
{
	put_list(to, "{\"zarr_format\":2,\"shape\":", z->nd.n, z->nd.ndim);
	put_list(to, ",\"chunks\":", z->chunk, z->nd.ndim);
	taf_str_printf(to, ",\"dtype\":\"%c%s\",\"order\":\"%c\",\"compressor\":%s",
	    taf_type_word(z->nd.type) > 1 ? '<' : '|', taf_ndarray_name(&z->nd),
	    z->nd.ndim > 1 && z->order[0] != 0 ? 'F' : 'C', pack != NULL ? "" : "null");
	if (pack != NULL)
		put_packing(to, pack, false);
	/* xarray would take each 0 for missing, were it the fill value */
	taf_str_puts(to, ",\"filters\":null,\"fill_value\":null}");
}

/* From an array to the bytes of a chunk. */
static void
put_codecs(struct taf_str *to, const struct taf_zarr_array *z,
    const struct taf_pack *pack)
{
	uint64_t order[TAF_MAX_DIM];
	unsigned k;

	for (k = 0; k < z->nd.ndim; k++)
		order[k] = z->order[k];
	taf_str_puts(to, "[");
	if (z->nd.ndim > 1 && order[0] != 0) {
		put_list(to, "{\"name\":\"transpose\",\"configuration\":{\"order\":",
		    order, z->nd.ndim);
		taf_str_puts(to, "}},");
	}
	taf_str_printf(to, "{\"name\":\"bytes\"%s}%s", taf_type_word(z->nd.type) > 1 ?
	    ",\"configuration\":{\"endian\":\"little\"}" : "", pack != NULL ? "," : "");
	if (pack != NULL)
		put_packing(to, pack, true);
	taf_str_puts(to, "]");
}

static void
format_v3(const struct taf_zarr_array *z, const struct taf_pack *pack, const char *names,
    const char *attrs, struct taf_str *to)
{
	const char *name = taf_ndarray_name(&z->nd);
	size_t k = 0;

	while (strcmp(types[k][1], name) != 0)
		k++;
	put_list(to, "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":", z->nd.n,
	    z->nd.ndim);
	taf_str_printf(to, ",\"data_type\":\"%s\",\"chunk_grid\":{\"name\":\"regular\","
	    "\"configuration\":{\"chunk_shape\":", types[k][0]);
	put_list(to, "", z->shard, z->nd.ndim);
	taf_str_printf(to, "}},\"chunk_key_encoding\":{\"name\":\"default\","
	    "\"configuration\":{\"separator\":\"%c\"}},\"fill_value\":%s,\"codecs\":",
	    z->separator, taf_type_is_pair(z->nd.type) ? "[0,0]" : "0");
	if (z->sharded) {
		put_list(to, "[{\"name\":\"sharding_indexed\",\"configuration\":"
		    "{\"chunk_shape\":", z->chunk, z->nd.ndim);
		taf_str_puts(to, ",\"codecs\":");
	}
	put_codecs(to, z, pack);
	if (z->sharded)
		taf_str_puts(to, ",\"index_codecs\":[{\"name\":\"bytes\","
		    "\"configuration\":{\"endian\":\"little\"}},{\"name\":\"crc32c\"}],"
		    "\"index_location\":\"end\"}}]");
	taf_str_printf(to, ",\"attributes\":{%s},\"dimension_names\":%s}", attrs, names);
}

void
taf_zarr_format(const struct taf_zarr_array *z, const struct taf_pack *pack,
    const char *names, const char *attrs, struct taf_str *to)
{
	if (z->version == 2)
		format_v2(z, pack, to);
	else
		format_v3(z, pack, names, attrs, to);
}
