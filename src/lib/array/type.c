/* SPDX-License-Identifier: ISC */
#include "array/type.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/endian.h"

#define INTEGERS(N, signed_rsf, unsigned_rsf) \
	[TAF_INT##N] = { "int" #N, { NULL, NULL }, signed_rsf, TAF_SIGNED, N / 8, N, \
	    TAF_INT##N, 1, INT##N##_MIN, INT##N##_MAX }, \
	[TAF_UINT##N] = { "uint" #N, { NULL, NULL }, unsigned_rsf, TAF_UNSIGNED, N / 8, \
	    N, TAF_UINT##N, 1, 0, UINT##N##_MAX }

static const struct taf_type_facts facts[TAF_NTYPES + 1] = {
	INTEGERS(8, "char", "uchar"),
	INTEGERS(16, "short", "ushort"),
	INTEGERS(32, "int", "uint"),
	INTEGERS(64, "long", "ulong"),
	[TAF_FLT32] = { "flt32", { "float32", "single" }, "float", TAF_FLOAT, 4, 32,
	    TAF_FLT32, 1, 0, 0 },
	[TAF_FLT64] = { "flt64", { "float64", "double" }, "double", TAF_FLOAT, 8, 64,
	    TAF_FLT64, 1, 0, 0 },
	[TAF_COMPLEX] = { "complex", { NULL, NULL }, "complex", TAF_PAIR, 8, 32,
	    TAF_FLT32, 2, 0, 0 },
	[TAF_COMPLEX128] = { "complex128", { NULL, NULL }, NULL, TAF_PAIR, 16, 64,
	    TAF_FLT64, 2, 0, 0 },
	/* of what is no type: taf_array_check refuses it */
	[TAF_NTYPES] = { "no type", { NULL, NULL }, NULL, TAF_UNSIGNED, 1, 8, TAF_UINT8,
	    1, 0, UINT8_MAX },
};

bool
taf_type_known(enum taf_type t)
{
	return (unsigned)t < TAF_NTYPES;
}

const struct taf_type_facts *
taf_type_facts(enum taf_type t)
{
	return &facts[taf_type_known(t) ? (unsigned)t : TAF_NTYPES];
}

size_t
taf_type_size(enum taf_type t)
{
	return taf_type_facts(t)->bytes;
}

struct taf_type_text
taf_type_limits(enum taf_type t)
{
	const struct taf_type_facts *f = taf_type_facts(t);
	struct taf_type_text to;

	if (taf_type_is_int(t))
		(void)snprintf(to.s, sizeof to.s, "%s (%" PRId64 " to %" PRIu64 ")",
		    f->name, f->min, f->max);
	else
		(void)snprintf(to.s, sizeof to.s, "%s (at most %s%s)", f->name,
		    f->bits == 32 ? "3.402823e38" : "1.797693e308",
		    f->kind == TAF_PAIR ? " in each part" : "");
	return to;
}

size_t
taf_type_word(enum taf_type t)
{
	return taf_type_facts(t)->bits / 8;
}

const char *
taf_type_name(enum taf_type t)
{
	return taf_type_facts(t)->name;
}

bool
taf_type_is_int(enum taf_type t)
{
	const enum taf_class kind = taf_type_facts(t)->kind;

	return kind == TAF_SIGNED || kind == TAF_UNSIGNED;
}

bool
taf_type_is_pair(enum taf_type t)
{
	return taf_type_facts(t)->kind == TAF_PAIR;
}

bool
taf_type_is_signed(enum taf_type t)
{
	return taf_type_facts(t)->kind != TAF_UNSIGNED;
}

enum taf_type
taf_type_computed(enum taf_type t)
{
	const struct taf_type_facts *f = taf_type_facts(t);
	const unsigned most = f->kind == TAF_FLOAT || f->kind == TAF_PAIR ? 32 : 16;

	return f->bits <= most ? TAF_FLT32 : TAF_FLT64;
}

enum taf_type
taf_type_computed_pair(enum taf_type t)
{
	return taf_type_computed(t) == TAF_FLT32 ? TAF_COMPLEX : TAF_COMPLEX128;
}

bool
taf_type_parse_any(const char *name, enum taf_type *t)
{
	size_t i, k;

	for (i = 0; i < TAF_NTYPES; i++) {
		bool same = strcmp(name, facts[i].name) == 0;

		for (k = 0; k < 2 && facts[i].also[k] != NULL; k++)
			same = same || strcmp(name, facts[i].also[k]) == 0;
		if (same) {
			*t = (enum taf_type)i;
			return true;
		}
	}
	return false;
}

bool
taf_type_parse(const char *name, enum taf_type *t)
{
	enum taf_type found;

	if (!taf_type_parse_any(name, &found) || taf_type_is_pair(found))
		return false;
	*t = found;
	return true;
}

bool
taf_type_parse_order(const char *name, enum taf_type *t, bool *big)
{
	size_t n = strlen(name);
	char bare[16];

	*big = n > 2 && strcmp(name + n - 2, "be") == 0;
	if (*big || (n > 2 && strcmp(name + n - 2, "le") == 0))
		n -= 2;
	if (n >= sizeof bare)
		return false;
	memcpy(bare, name, n);
	bare[n] = '\0';
	return taf_type_parse(bare, t);
}

bool
taf_type_holds(enum taf_type t, int64_t v)
{
	const struct taf_type_facts *f = taf_type_facts(t);

	return v < 0 ? v >= f->min : (uint64_t)v <= f->max;
}

void
taf_type_store(enum taf_type t, void *element, uint64_t v)
{
	const size_t size = taf_type_facts(t)->bytes;
	unsigned char wide[8];

	taf_put64(wide, v, taf_host_is_big());
	memcpy(element, wide + (taf_host_is_big() ? 8 - size : 0), size);
}

uint64_t
taf_type_load(enum taf_type t, const void *element)
{
	const size_t size = taf_type_facts(t)->bytes;
	const uint64_t sign = taf_type_is_signed(t) ? UINT64_C(1) << (8 * size - 1) : 0;
	unsigned char wide[8] = { 0 };

	memcpy(wide + (taf_host_is_big() ? 8 - size : 0), element, size);
	return (taf_get64(wide, taf_host_is_big()) ^ sign) - sign;
}
