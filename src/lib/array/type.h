/* SPDX-License-Identifier: ISC */
/* Element types: one row of facts for each. */
#ifndef TAF_ARRAY_TYPE_H
#define TAF_ARRAY_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The ten element types of TAF (report section 2.2), and the pairs of floats, real then
 * imaginary part, of which RSF and GTA have names too.  The numbers are names: no order
 * of them says anything.
 */
enum taf_type {
	TAF_INT8 = 0,
	TAF_UINT8 = 1,
	TAF_INT16 = 2,
	TAF_UINT16 = 3,
	TAF_INT32 = 4,
	TAF_UINT32 = 5,
	TAF_INT64 = 6,
	TAF_UINT64 = 7,
	TAF_FLT32 = 8,
	TAF_FLT64 = 9,
	TAF_COMPLEX = 10,	/* two of flt32 */
	TAF_COMPLEX128 = 11	/* two of flt64 */
};

enum { TAF_NTYPES = 12 };

enum taf_class { TAF_SIGNED = 0, TAF_UNSIGNED = 1, TAF_FLOAT = 2, TAF_PAIR = 3 };

/* What there is to know of a type. */
struct taf_type_facts {
	const char *name;	/* as TAF spells it ("uint16", "flt32") */
	const char *also[2];	/* what is understood too, NULL for none */
	const char *rsf;	/* behind "native_"; NULL where RSF has no name */
	enum taf_class kind;
	unsigned bytes;		/* of an element */
	unsigned bits;		/* of a component: a part of a pair, else the element */
	enum taf_type component;
	unsigned components;
	int64_t min;		/* of integers */
	uint64_t max;
};

/* Lent for ever. */
const struct taf_type_facts *taf_type_facts(enum taf_type t);

/* Size of one element in bytes. */
size_t taf_type_size(enum taf_type t);

/* Size in bytes of the unit that byte order applies to: half an element for pairs. */
size_t taf_type_word(enum taf_type t);

/* Name as TAF spells it; "complex" and "complex128" for the pairs. */
const char *taf_type_name(enum taf_type t);

/* Is it an integer; a pair; has it a sign, as floats have? */
bool taf_type_is_int(enum taf_type t);
bool taf_type_is_pair(enum taf_type t);
bool taf_type_is_signed(enum taf_type t);

/*
 * Parse the name of a type that numbers can be stored as: the ten of TAF, and float32,
 * float64, single, double.  False if the name is none of these; *t is then untouched.
 */
bool taf_type_parse(const char *name, enum taf_type *t);

/* The same, or the name of a pair. */
bool taf_type_parse_any(const char *name, enum taf_type *t);

/* --- for taftools alone: not installed --- */

/* Is it one of the types?  Anything else is taken for bytes, so that nothing breaks. */
bool taf_type_known(enum taf_type t);

/* As taf_type_parse, with le or be behind the name or neither; *big says whether be. */
bool taf_type_parse_order(const char *name, enum taf_type *t, bool *big);

/*
 * The type of real numbers computed from elements of a type: flt32 of flt32, of its pairs
 * and of integers of at most 16 bits, else flt64.  And that of pairs.
 */
enum taf_type taf_type_computed(enum taf_type t);
enum taf_type taf_type_computed_pair(enum taf_type t);

/* A type and what it holds, as "uint8 (0 to 255)": for messages. */
struct taf_type_text {
	char s[80];
};
struct taf_type_text taf_type_limits(enum taf_type t);

/* Does an integer type hold v?  Its element of that value; the value of its element. */
bool taf_type_holds(enum taf_type t, int64_t v);
void taf_type_store(enum taf_type t, void *element, uint64_t v);
uint64_t taf_type_load(enum taf_type t, const void *element);

#ifdef __cplusplus
}
#endif

#endif
