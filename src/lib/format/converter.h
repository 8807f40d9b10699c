/* Which command makes arrays of a foreign file. */
#ifndef TAF_FORMAT_CONVERTER_H
#define TAF_FORMAT_CONVERTER_H

#include <stddef.h>

enum { TAF_CONVERTER_SEEN = 64 * 1024 };

/*
 * By the first n bytes, of which TAF_CONVERTER_SEEN are looked at; NULL where they are
 * TAF or RSF, or of a kind that nothing here reads.
 */
const char *taf_converter(const unsigned char *p, size_t n);

#endif
