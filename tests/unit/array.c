/* SPDX-License-Identifier: ISC */
/* The descriptor: attributes in order, counts without overflow, copies. */
#include "array/array.h"

#include <math.h>
#include <stdlib.h>

#include "descriptor.h"
#include "unit.h"

static struct taf_err e;

static enum taf_status
set(struct taf_array *a, const char *key, enum taf_scope scope, unsigned index,
    const char *value)
{
	taf_err_clear(&e);
	return taf_attr_set(a, key, scope, index, value, &e);
}

static void
attributes_keep_their_order(void)
{
	static const char *const keys[] = { "one", "two", "three", "four" };
	struct taf_array a;

	taf_array_init(&a);
	for (size_t i = 0; i < 4; i++)
		CHECK(set(&a, keys[i], TAF_OF_ARRAY, 0, "x") == TAF_OK);
	CHECK(set(&a, "two", TAF_OF_ARRAY, 0, "a much longer value than before") ==
	    TAF_OK);
	CHECK(set(&a, "three", TAF_OF_ARRAY, 0, "") == TAF_OK);
	CHECK_EQ(a.nattrs, 4);
	for (size_t i = 0; i < 4; i++)
		CHECK_STR(a.attrs[i].key, keys[i]);
	CHECK_STR(taf_attr_get(&a, "two", TAF_OF_ARRAY, 0),
	    "a much longer value than before");
	CHECK_STR(taf_attr_get(&a, "three", TAF_OF_ARRAY, 0), "");
	CHECK(taf_attr_get(&a, "five", TAF_OF_ARRAY, 0) == NULL);
	CHECK(set(&a, "two", TAF_OF_ARRAY, 0, NULL) == TAF_OK);
	CHECK(set(&a, "absent", TAF_OF_ARRAY, 0, NULL) == TAF_OK);
	CHECK_EQ(a.nattrs, 3);
	CHECK_STR(a.attrs[1].key, "three");
	CHECK_STR(a.attrs[2].key, "four");
	CHECK(set(&a, "two", TAF_OF_ARRAY, 0, "again") == TAF_OK);
	CHECK_STR(a.attrs[3].key, "two");
	taf_array_fini(&a);
	CHECK(a.attrs == NULL && a.nattrs == 0);
	taf_array_fini(&a);
}

static void
scopes_are_apart(void)
{
	struct taf_array a;

	taf_array_init(&a);
	CHECK(set(&a, "k", TAF_OF_ARRAY, 6, "array") == TAF_OK);
	CHECK(set(&a, "k", TAF_OF_DIM, 1, "dim 1") == TAF_OK);
	CHECK(set(&a, "k", TAF_OF_DIM, 2, "dim 2") == TAF_OK);
	CHECK(set(&a, "k", TAF_OF_COMPONENT, 1, "component 1") == TAF_OK);
	CHECK_EQ(a.nattrs, 4);
	CHECK_STR(taf_attr_get(&a, "k", TAF_OF_ARRAY, 0), "array");
	CHECK_STR(taf_attr_get(&a, "k", TAF_OF_DIM, 1), "dim 1");
	CHECK_STR(taf_attr_get(&a, "k", TAF_OF_DIM, 2), "dim 2");
	CHECK_STR(taf_attr_get(&a, "k", TAF_OF_COMPONENT, 1), "component 1");
	CHECK(taf_attr_get(&a, "k", TAF_OF_COMPONENT, 2) == NULL);
	CHECK(set(&a, "k", TAF_OF_DIM, 1, NULL) == TAF_OK);
	CHECK_EQ(a.nattrs, 3);
	/* of the array there is one, whatever index comes with it */
	CHECK(set(&a, "k", TAF_OF_ARRAY, 7, "the array") == TAF_OK);
	CHECK_EQ(a.nattrs, 3);
	CHECK_STR(taf_attr_get(&a, "k", TAF_OF_ARRAY, 8), "the array");
	CHECK_STR(taf_attr_get(&a, "k", TAF_OF_DIM, 2), "dim 2");
	taf_array_fini(&a);
}

static void
values_are_bytes(void)
{
	const struct taf_attr_name k = { "k", TAF_OF_ARRAY, 0 };
	const struct taf_attr_name new = { "new", TAF_OF_ARRAY, 0 };
	struct taf_array a;

	taf_array_init(&a);
	taf_err_clear(&e);
	CHECK(taf_attr_setn(&a, &k, "abcdef", 3, &e) == TAF_OK);
	CHECK_STR(taf_attr_get(&a, "k", TAF_OF_ARRAY, 0), "abc");
	CHECK(taf_attr_setn(&a, &k, "\xff\n\x01=\"%", 6, &e) == TAF_OK);
	CHECK_STR(taf_attr_get(&a, "k", TAF_OF_ARRAY, 0), "\xff\n\x01=\"%");
	CHECK(taf_attr_setn(&a, &k, "a\0b", 3, &e) == TAF_EDATA);
	CHECK_STR(taf_attr_get(&a, "k", TAF_OF_ARRAY, 0), "\xff\n\x01=\"%");
	CHECK(taf_attr_setn(&a, &new, "\0", 1, &e) == TAF_EDATA);
	CHECK_EQ(a.nattrs, 1);
	taf_array_fini(&a);
}

/* A name of no bytes could not be written to any file. */
static void
names_are_not_empty(void)
{
	struct taf_array a;

	taf_array_init(&a);
	CHECK(set(&a, "", TAF_OF_ARRAY, 0, "x") == TAF_EDATA);
	CHECK_EQ(a.nattrs, 0);
	taf_array_fini(&a);
}

static void
many_attributes(void)
{
	enum { MANY = 3000 };
	struct taf_array a;
	char key[20], value[20];

	taf_array_init(&a);
	for (int i = 0; i < MANY; i++) {
		snprintf(key, sizeof key, "k%d", i);
		snprintf(value, sizeof value, "%d", i * 7);
		if (!CHECK(set(&a, key, TAF_OF_ARRAY, 0, value) == TAF_OK))
			break;
	}
	CHECK_EQ(a.nattrs, MANY);
	/* every second one goes, from the front */
	for (int i = 0; i < MANY; i += 2) {
		snprintf(key, sizeof key, "k%d", i);
		CHECK(set(&a, key, TAF_OF_ARRAY, 0, NULL) == TAF_OK);
	}
	CHECK_EQ(a.nattrs, MANY / 2);
	for (int i = 0; i < MANY; i += 2) {
		snprintf(key, sizeof key, "n%d", i);
		CHECK(set(&a, key, TAF_OF_ARRAY, 0, "y") == TAF_OK);
	}
	for (int i = 0; i < MANY / 2; i++) {
		snprintf(key, sizeof key, "k%d", 2 * i + 1);
		snprintf(value, sizeof value, "%d", (2 * i + 1) * 7);
		CHECK_STR(a.attrs[i].key, key);
		CHECK_STR(a.attrs[i].value, value);
	}
	taf_array_fini(&a);
}

/* Headers are hostile: their number has an end. */
static void
too_many_attributes(void)
{
	enum taf_status st = TAF_OK;
	struct taf_array a;
	unsigned i;

	taf_array_init(&a);
	for (i = 1; i <= 20000 && st == TAF_OK; i++)
		st = set(&a, "k", TAF_OF_COMPONENT, i, "");
	CHECK(st == TAF_EDATA);
	CHECK(i > 5000);
	/* what is there can still be changed and removed */
	CHECK(set(&a, "k", TAF_OF_COMPONENT, 1, "new") == TAF_OK);
	CHECK(set(&a, "k", TAF_OF_COMPONENT, 2, NULL) == TAF_OK);
	CHECK(set(&a, "other", TAF_OF_ARRAY, 0, "x") == TAF_OK);
	taf_array_fini(&a);
}

static void
renumbered(void)
{
	unsigned to[TAF_MAX_DIM] = { 3, 1, 0, 2 };
	struct taf_array a;

	taf_array_init(&a);
	CHECK(set(&a, "label", TAF_OF_DIM, 1, "first") == TAF_OK);
	CHECK(set(&a, "note", TAF_OF_ARRAY, 0, "n") == TAF_OK);
	CHECK(set(&a, "label", TAF_OF_DIM, 3, "third") == TAF_OK);
	CHECK(set(&a, "unit", TAF_OF_DIM, 3, "m") == TAF_OK);
	CHECK(set(&a, "label", TAF_OF_DIM, 2, "second") == TAF_OK);
	CHECK(set(&a, "gta/x", TAF_OF_COMPONENT, 3, "c") == TAF_OK);
	CHECK(set(&a, "label", TAF_OF_DIM, 4, "fourth") == TAF_OK);
	CHECK(set(&a, "label", TAF_OF_DIM, 65, "beyond") == TAF_OK);
	taf_attr_renumber(&a, to);
	if (CHECK_EQ(a.nattrs, 5)) {
		CHECK(a.attrs[0].index == 3 && strcmp(a.attrs[0].value, "first") == 0);
		CHECK_STR(a.attrs[1].key, "note");
		CHECK(a.attrs[2].index == 1 && strcmp(a.attrs[2].value, "second") == 0);
		CHECK(a.attrs[3].scope == TAF_OF_COMPONENT && a.attrs[3].index == 3);
		CHECK(a.attrs[4].index == 2 && strcmp(a.attrs[4].value, "fourth") == 0);
	}
	taf_array_fini(&a);
}

static void
permuted(void)
{
	static const unsigned order[] = { 2, 0, 1 };
	struct taf_array a;

	taf_array_init(&a);
	taf_array_add_dim(&a, 4, 0.5, 1);
	taf_array_add_dim(&a, 5, 1.5, -2);
	taf_array_add_dim(&a, 6, 2.5, 3);
	CHECK(set(&a, "label", TAF_OF_DIM, 1, "x") == TAF_OK);
	CHECK(set(&a, "label", TAF_OF_DIM, 3, "z") == TAF_OK);
	taf_array_permute(&a, order);
	CHECK(a.dim[0].n == 6 && a.dim[0].start == 2.5 && a.dim[0].step == 3);
	CHECK(a.dim[1].n == 4 && a.dim[1].start == 0.5 && a.dim[1].step == 1);
	CHECK(a.dim[2].n == 5 && a.dim[2].start == 1.5 && a.dim[2].step == -2);
	CHECK_STR(taf_attr_get(&a, "label", TAF_OF_DIM, 2), "x");
	CHECK_STR(taf_attr_get(&a, "label", TAF_OF_DIM, 1), "z");
	CHECK_EQ(a.nattrs, 2);
	taf_array_fini(&a);
}

/* Lengths that are too large where, and only where, the bytes exceed 2^62. */
static void
counts(void)
{
	static const struct {
		unsigned ndim;
		uint64_t n[4];
		enum taf_type type;
		bool fits;
		uint64_t count;
	} t[] = {
		{ 1, { 5 }, TAF_INT8, true, 5 },
		{ 3, { 5, 1, 7 }, TAF_FLT64, true, 35 },
		{ 3, { 5, 0, 7 }, TAF_FLT64, true, 0 },
		{ 1, { UINT64_C(1) << 62 }, TAF_UINT8, true, UINT64_C(1) << 62 },
		{ 1, { (UINT64_C(1) << 62) + 1 }, TAF_UINT8, false, 0 },
		{ 1, { UINT64_C(1) << 59 }, TAF_FLT64, true, UINT64_C(1) << 59 },
		{ 1, { (UINT64_C(1) << 59) + 1 }, TAF_FLT64, false, 0 },
		{ 2, { UINT64_C(1) << 31, UINT64_C(1) << 31 }, TAF_INT8, true,
		    UINT64_C(1) << 62 },
		{ 2, { UINT64_C(1) << 31, UINT64_C(1) << 31 }, TAF_INT16, false, 0 },
		{ 2, { UINT64_C(1) << 32, UINT64_C(1) << 32 }, TAF_INT8, false, 0 },
		{ 2, { UINT64_C(3) << 62, 6 }, TAF_INT8, false, 0 },
		{ 3, { UINT64_C(1) << 40, 0, UINT64_C(1) << 60 }, TAF_INT64, true, 0 },
		{ 3, { UINT64_C(1) << 40, UINT64_C(1) << 60, 0 }, TAF_INT64, true, 0 },
		{ 2, { 0, UINT64_MAX }, TAF_INT8, false, 0 },
		{ 2, { UINT64_MAX, UINT64_MAX }, TAF_INT8, false, 0 },
		{ 1, { UINT64_C(1) << 59 }, TAF_COMPLEX, true, UINT64_C(1) << 59 },
		{ 0, { 0 }, TAF_INT8, false, 0 },
		{ 65, { 1, 1, 1, 1 }, TAF_INT8, false, 0 },
	};

	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		struct taf_array a;

		taf_array_init(&a);
		for (unsigned k = 0; k < t[i].ndim && k < 4; k++)
			taf_array_add_dim(&a, t[i].n[k], 0, 1);
		a.ndim = t[i].ndim;
		a.type = t[i].type;
		taf_err_clear(&e);
		CHECK(taf_array_check(&a, &e) == (t[i].fits ? TAF_OK : TAF_EDATA));
		if (t[i].fits) {
			CHECK_EQ(taf_array_count(&a), t[i].count);
			CHECK_EQ(taf_array_bytes(&a),
			    t[i].count * taf_type_size(t[i].type));
		}
	}
}

static void
mapping(void)
{
	static const double odd[] = { INFINITY, -INFINITY, NAN };
	struct taf_array a;

	taf_array_init(&a);
	CHECK(!taf_array_mapped(&a));
	a.intercept = 0;
	a.slope = 0;
	CHECK(taf_array_mapped(&a));
	for (int i = 0; i < 3; i++) {
		a.intercept = odd[i];
		a.slope = 1;
		CHECK(!taf_array_mapped(&a));
		a.intercept = -1e308;
		a.slope = odd[i];
		CHECK(!taf_array_mapped(&a));
	}
	taf_array_unmap(&a);
	CHECK(isinf(a.intercept) && a.intercept > 0 && isinf(a.slope) && a.slope > 0);
}

static struct taf_array
full(void)
{
	struct taf_array a;

	taf_array_init(&a);
	a.type = TAF_INT32;
	a.intercept = 2;
	a.slope = -0.5;
	a.code = 3;
	taf_array_add_dim(&a, 4, 0, 1);
	taf_array_add_dim(&a, 3, NAN, INFINITY);
	if (set(&a, "b", TAF_OF_DIM, 2, "value") != TAF_OK ||
	    set(&a, "a", TAF_OF_ARRAY, 0, "1.5") != TAF_OK ||
	    taf_buf_put(&a.comment, "text\0with NUL", 13, &e) != TAF_OK ||
	    taf_buf_puts(&a.history, "first\nsecond\n", &e) != TAF_OK)
		abort();
	a.attrs[1].bare = true;
	return a;
}

static void
copies(void)
{
	struct taf_array a = full(), b = { 0 }, empty;

	taf_err_clear(&e);
	for (int i = 0; i < 9; i++)
		CHECK(taf_buf_puts(&a.history, "tafcrop -x 1=2:3 in\n", &e) == TAF_OK);
	CHECK(taf_array_copy(&b, &a, &e) == TAF_OK);
	CHECK(descriptor_differs(&a, &b) == NULL);
	/* on top of another, and of itself */
	CHECK(set(&b, "c", TAF_OF_ARRAY, 0, "more") == TAF_OK);
	CHECK(descriptor_differs(&a, &b) != NULL);
	CHECK(taf_array_copy(&b, &a, &e) == TAF_OK);
	CHECK(descriptor_differs(&a, &b) == NULL);
	CHECK(taf_array_copy(&b, &b, &e) == TAF_OK);
	CHECK(descriptor_differs(&a, &b) == NULL);
	/* deep: a change of one is none of the other */
	CHECK(set(&b, "b", TAF_OF_DIM, 2, "VALUE") == TAF_OK);
	b.comment.data[0] = 'T';
	CHECK_STR(taf_attr_get(&a, "b", TAF_OF_DIM, 2), "value");
	CHECK(a.comment.data[0] == 't');
	taf_array_move(&b, &a);
	CHECK_STR(taf_attr_get(&b, "b", TAF_OF_DIM, 2), "value");
	taf_array_init(&empty);
	CHECK(descriptor_differs(&a, &empty) == NULL);
	taf_array_fini(&a);
	taf_array_fini(&b);
}

static void
comment_lines(void)
{
	struct taf_array a;

	taf_array_init(&a);
	taf_err_clear(&e);
	CHECK(taf_comment_add(&a, "one", 3, &e) == TAF_OK);
	CHECK_STR(a.comment.data, "one\n");
	CHECK(taf_comment_add(&a, "two", 3, &e) == TAF_OK);
	CHECK_STR(a.comment.data, "one\ntwo\n");
	CHECK(taf_comment_add(&a, "", 0, &e) == TAF_OK);
	CHECK_STR(a.comment.data, "one\ntwo\n\n");
	a.comment.len = 0;
	CHECK(taf_buf_puts(&a.comment, "1", &e) == TAF_OK);
	CHECK(taf_comment_add(&a, "2", 1, &e) == TAF_OK);
	CHECK_STR(a.comment.data, "1\n2\n");
	a.comment.len = 0;
	CHECK(taf_buf_puts(&a.comment, "no end", &e) == TAF_OK);
	CHECK(taf_comment_add(&a, "three", 5, &e) == TAF_OK);
	CHECK_STR(a.comment.data, "no end\nthree\n");
	taf_array_fini(&a);
}

static struct taf_array
of_lengths(unsigned ndim, const uint64_t n[])
{
	struct taf_array a;

	taf_array_init(&a);
	for (unsigned k = 0; k < ndim; k++)
		taf_array_add_dim(&a, n[k], 10 * k, k + 1);
	return a;
}

static void
dimensions_come_and_go(void)
{
	static const uint64_t n[] = { 4, 5, 6 };
	struct taf_array a = of_lengths(3, n);

	CHECK(taf_attr_set(&a, "unit", TAF_OF_DIM, 2, "s", &e) == TAF_OK);
	CHECK(taf_attr_set(&a, "unit", TAF_OF_DIM, 3, "m", &e) == TAF_OK);
	CHECK(taf_array_insert_dim(&a, 3, (struct taf_dim){ 7, -1, 2 }, &e) == TAF_OK);
	CHECK(a.ndim == 4 && a.dim[1].n == 5 && a.dim[2].n == 7 && a.dim[3].n == 6);
	CHECK_STR(taf_attr_get(&a, "unit", TAF_OF_DIM, 2), "s");
	CHECK(taf_attr_get(&a, "unit", TAF_OF_DIM, 3) == NULL);
	CHECK_STR(taf_attr_get(&a, "unit", TAF_OF_DIM, 4), "m");
	CHECK(taf_array_insert_dim(&a, 6, a.dim[0], &e) == TAF_EDATA);
	taf_err_clear(&e);
	CHECK(taf_array_drop_dim(&a, 2, &e) == TAF_OK);
	CHECK(a.ndim == 3 && a.dim[0].n == 4 && a.dim[1].n == 7 && a.dim[2].n == 6);
	CHECK(taf_attr_get(&a, "unit", TAF_OF_DIM, 2) == NULL);
	CHECK_STR(taf_attr_get(&a, "unit", TAF_OF_DIM, 3), "m");
	CHECK(taf_array_drop_dim(&a, 4, &e) == TAF_EDATA);
	taf_err_clear(&e);
	CHECK(taf_array_drop_dim(&a, 1, &e) == TAF_OK &&
	    taf_array_drop_dim(&a, 1, &e) == TAF_OK && a.dim[0].n == 6);
	CHECK(taf_array_drop_dim(&a, 1, &e) == TAF_EDATA);
	taf_array_fini(&a);
}

static void
shapes_and_grids(void)
{
	static const uint64_t n[] = { 4, 5, 1 }, m[] = { 4, 6 };
	struct taf_array a = of_lengths(3, n), b = of_lengths(2, n), c = of_lengths(2, m);
	struct taf_cut cut = taf_array_cut(&a, 2);

	CHECK(taf_array_same_shape(&a, &b) && taf_array_same_shape(&b, &a));
	CHECK(!taf_array_same_shape(&a, &c) && !taf_array_same_shape(&c, &a));
	CHECK(cut.inner == 4 && cut.len == 5 && cut.outer == 1);
	cut = taf_array_cut(&a, 0);
	CHECK(cut.inner == 20 && cut.len == 1 && cut.outer == 1);
	cut = taf_array_cut(&a, 4);
	CHECK(cut.inner == 20 && cut.len == 1 && cut.outer == 1);
	cut = taf_array_cut(&a, 1);
	CHECK(cut.inner == 1 && cut.len == 4 && cut.outer == 5);
	CHECK(taf_array_same_grid(&a, &b, 1, 0) && taf_array_same_grid(&a, &b, 3, 0));
	b.dim[0].start += 1e-7;
	CHECK(taf_array_same_grid(&a, &b, 1, 1e-6) &&
	    !taf_array_same_grid(&a, &b, 1, 1e-8));
	/* small in a step, and more at the end */
	b.dim[0].start = a.dim[0].start;
	b.dim[0].step = a.dim[0].step + 5e-7;
	CHECK(!taf_array_same_grid(&a, &b, 1, 1e-6));
	b.dim[0].step = a.dim[0].step + 3e-7;
	CHECK(taf_array_same_grid(&a, &b, 1, 1e-6));
	b.dim[0].start = NAN;
	CHECK(!taf_array_same_grid(&a, &b, 1, 1e-6));
}

static void
types(void)
{
	static const struct {
		const char *name;
		size_t size, word;
		bool is_int, is_signed;
	} t[TAF_NTYPES] = {
		{ "int8", 1, 1, true, true }, { "uint8", 1, 1, true, false },
		{ "int16", 2, 2, true, true }, { "uint16", 2, 2, true, false },
		{ "int32", 4, 4, true, true }, { "uint32", 4, 4, true, false },
		{ "int64", 8, 8, true, true }, { "uint64", 8, 8, true, false },
		{ "flt32", 4, 4, false, true }, { "flt64", 8, 8, false, true },
		{ "complex", 8, 4, false, true }, { "complex128", 16, 8, false, true },
	};
	static const char *const wrong[] = { "", "complex", "int", "int7", "INT8",
		"int8 ", " int8", "uint128", "float", "flt", "Float32", "flt320" };
	enum taf_type type;

	for (unsigned i = 0; i < TAF_NTYPES; i++) {
		enum taf_type at = (enum taf_type)i;

		CHECK_STR(taf_type_name(at), t[i].name);
		CHECK_EQ(taf_type_size(at), t[i].size);
		CHECK_EQ(taf_type_word(at), t[i].word);
		CHECK(taf_type_is_int(at) == t[i].is_int);
		CHECK(taf_type_is_signed(at) == t[i].is_signed);
		CHECK(taf_type_is_pair(at) == (t[i].size != t[i].word));
		CHECK(taf_type_facts(at)->bytes == t[i].size &&
		    taf_type_facts(at)->components == t[i].size / t[i].word);
		CHECK(taf_type_parse_any(t[i].name, &type) && type == at);
		CHECK(taf_type_parse(t[i].name, &type) == !taf_type_is_pair(at));
	}
	CHECK(taf_type_parse("float32", &type) && type == TAF_FLT32);
	CHECK(taf_type_parse("single", &type) && type == TAF_FLT32);
	CHECK(taf_type_parse("float64", &type) && type == TAF_FLT64);
	CHECK(taf_type_parse("double", &type) && type == TAF_FLT64);
	type = TAF_UINT16;
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		CHECK(!taf_type_parse(wrong[i], &type) && type == TAF_UINT16);
}

static void
elements_of_integers(void)
{
	static const int64_t v[] = { 0, 1, -1, 127, 128, -128, -129, 255, 256, 32767,
	    -32768,
		-32769, 65536, INT32_MAX, INT32_MIN, UINT32_MAX, INT64_MAX, INT64_MIN };
	int8_t small;
	uint16_t middle;
	int64_t large;

	for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
		CHECK(taf_type_holds(TAF_INT8, v[i]) == (v[i] >= -128 && v[i] <= 127));
		CHECK(taf_type_holds(TAF_UINT16, v[i]) == (v[i] >= 0 && v[i] <= 65535));
		CHECK(taf_type_holds(TAF_INT64, v[i]));
		CHECK(taf_type_holds(TAF_UINT64, v[i]) == (v[i] >= 0));
		taf_type_store(TAF_INT64, &large, (uint64_t)v[i]);
		CHECK(large == v[i] && (int64_t)taf_type_load(TAF_INT64, &large) == v[i]);
		if (taf_type_holds(TAF_INT8, v[i])) {
			taf_type_store(TAF_INT8, &small, (uint64_t)v[i]);
			CHECK(small == v[i] &&
			    (int64_t)taf_type_load(TAF_INT8, &small) == v[i]);
		}
		if (taf_type_holds(TAF_UINT16, v[i])) {
			taf_type_store(TAF_UINT16, &middle, (uint64_t)v[i]);
			CHECK(middle == v[i] &&
			    taf_type_load(TAF_UINT16, &middle) == middle);
		}
	}
}

static void
byte_orders(void)
{
	enum taf_type type = TAF_UINT8;
	bool big = true;

	CHECK(taf_type_parse_order("uint32", &type, &big) && type == TAF_UINT32 && !big);
	CHECK(taf_type_parse_order("flt64be", &type, &big) && type == TAF_FLT64 && big);
	CHECK(taf_type_parse_order("int16le", &type, &big) && type == TAF_INT16 && !big);
	CHECK(!taf_type_parse_order("be", &type, &big));
	CHECK(!taf_type_parse_order("int16lebe", &type, &big));
	CHECK(!taf_type_parse_order("a name that no type has", &type, &big));
}

int
main(void)
{
	UNIT(attributes_keep_their_order);
	UNIT(scopes_are_apart);
	UNIT(values_are_bytes);
	UNIT(names_are_not_empty);
	UNIT(many_attributes);
	UNIT(too_many_attributes);
	UNIT(renumbered);
	UNIT(permuted);
	UNIT(counts);
	UNIT(mapping);
	UNIT(copies);
	UNIT(comment_lines);
	UNIT(dimensions_come_and_go);
	UNIT(shapes_and_grids);
	UNIT(types);
	UNIT(elements_of_integers);
	UNIT(byte_orders);
	return unit_end();
}
