/* Element types: names, sizes, ranges. */
#ifndef TAF_ARRAY_TYPE_H
#define TAF_ARRAY_TYPE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The ten element types of TAF (spec: report section 2.2), and the pair of
 * flt32, real then imaginary part, that RSF and GTA streams carry.
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
	TAF_COMPLEX = 10
};

enum { TAF_NTYPES = 11 };

/* Size of one element in bytes. */
size_t taf_type_size(enum taf_type t);

/* Size in bytes of the unit that byte order applies to: half an element for complex. */
size_t taf_type_word(enum taf_type t);

/* Name as TAF spells it ("uint16", "flt32"); "complex" for the pair. */
const char *taf_type_name(enum taf_type t);

/* Is it an integer; has it a sign, as floats have? */
bool taf_type_is_int(enum taf_type t);
bool taf_type_is_signed(enum taf_type t);

/*
 * Parse a type name: the ten of TAF, and float32, float64, single, double.
 * False if the name is none of these; *t is then untouched.
 */
bool taf_type_parse(const char *name, enum taf_type *t);

#ifdef __cplusplus
}
#endif

#endif
