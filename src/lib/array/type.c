#include "array/type.h"

#include <string.h>

static const struct {
	const char *name;
	unsigned char size, word;
} types[TAF_NTYPES] = {
	{ "int8", 1, 1 }, { "uint8", 1, 1 }, { "int16", 2, 2 }, { "uint16", 2, 2 },
	{ "int32", 4, 4 }, { "uint32", 4, 4 }, { "int64", 8, 8 }, { "uint64", 8, 8 },
	{ "flt32", 4, 4 }, { "flt64", 8, 8 }, { "complex", 8, 4 },
};

size_t
taf_type_size(enum taf_type t)
{
	return types[t].size;
}

size_t
taf_type_word(enum taf_type t)
{
	return types[t].word;
}

const char *
taf_type_name(enum taf_type t)
{
	return types[t].name;
}

bool
taf_type_is_int(enum taf_type t)
{
	return t <= TAF_UINT64;
}

bool
taf_type_is_signed(enum taf_type t)
{
	return t == TAF_INT8 || t == TAF_INT16 || t == TAF_INT32 || t == TAF_INT64 ||
	    t >= TAF_FLT32;
}

bool
taf_type_parse(const char *name, enum taf_type *t)
{
	static const struct {
		const char *name;
		enum taf_type type;
	} also[] = {
		{ "float32", TAF_FLT32 }, { "single", TAF_FLT32 },
		{ "float64", TAF_FLT64 }, { "double", TAF_FLT64 },
	};
	size_t i;

	for (i = 0; i < TAF_COMPLEX; i++)
		if (strcmp(name, types[i].name) == 0) {
			*t = (enum taf_type)i;
			return true;
		}
	for (i = 0; i < sizeof also / sizeof also[0]; i++)
		if (strcmp(name, also[i].name) == 0) {
			*t = also[i].type;
			return true;
		}
	return false;
}
