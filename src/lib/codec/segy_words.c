/* SPDX-License-Identifier: ISC */
#include "codec/segy.h"

#include <string.h>

#include "base/endian.h"
#include "base/num.h"

/* SEG-Y rev 2.0, tables 2 (3225) and E-1; code 4, fixed point with gain, is not read. */
static const struct taf_segy_format formats[] = {
	{ 1, "ibm", TAF_FLT32, 4, TAF_SEGY_IBM },
	{ 2, "int32", TAF_INT32, 4, TAF_SEGY_PLAIN },
	{ 3, "int16", TAF_INT16, 2, TAF_SEGY_PLAIN },
	{ 5, "flt32", TAF_FLT32, 4, TAF_SEGY_PLAIN },
	{ 6, "flt64", TAF_FLT64, 8, TAF_SEGY_PLAIN },
	{ 7, "int24", TAF_INT32, 3, TAF_SEGY_INT24 },
	{ 8, "int8", TAF_INT8, 1, TAF_SEGY_PLAIN },
	{ 9, "int64", TAF_INT64, 8, TAF_SEGY_PLAIN },
	{ 10, "uint32", TAF_UINT32, 4, TAF_SEGY_PLAIN },
	{ 11, "uint16", TAF_UINT16, 2, TAF_SEGY_PLAIN },
	{ 12, "uint64", TAF_UINT64, 8, TAF_SEGY_PLAIN },
	{ 15, "uint24", TAF_UINT32, 3, TAF_SEGY_INT24 },
	{ 16, "uint8", TAF_UINT8, 1, TAF_SEGY_PLAIN },
};
enum { NFORMATS = sizeof formats / sizeof formats[0] };

const struct taf_segy_format *
taf_segy_format(unsigned code)
{
	size_t i;

	for (i = 0; i < NFORMATS; i++)
		if (formats[i].code == code)
			return &formats[i];
	return NULL;
}

const struct taf_segy_format *
taf_segy_format_named(const char *name)
{
	enum taf_type type;
	uint64_t code;
	size_t i;

	if (taf_parse_u64(name, strlen(name), &code))
		return code < 256 ? taf_segy_format((unsigned)code) : NULL;
	for (i = 0; i < NFORMATS; i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return taf_type_parse(name, &type) ? taf_segy_format_of(type) : NULL;
}

const struct taf_segy_format *
taf_segy_format_of(enum taf_type type)
{
	size_t i;

	for (i = 0; i < NFORMATS; i++)
		if (formats[i].kind == TAF_SEGY_PLAIN && formats[i].type == type)
			return &formats[i];
	return NULL;
}

struct word {
	char name[9];
	unsigned char at, bytes;
};

static const struct word keys[] = {
	{ "tracl", 1, 4 }, { "tracr", 5, 4 }, { "fldr", 9, 4 }, { "tracf", 13, 4 },
	{ "ep", 17, 4 }, { "cdp", 21, 4 }, { "cdpt", 25, 4 }, { "trid", 29, 2 },
	{ "nvs", 31, 2 }, { "nhs", 33, 2 }, { "duse", 35, 2 }, { "offset", 37, 4 },
	{ "gelev", 41, 4 }, { "selev", 45, 4 }, { "sdepth", 49, 4 }, { "gdel", 53, 4 },
	{ "sdel", 57, 4 }, { "swdep", 61, 4 }, { "gwdep", 65, 4 }, { "scalel", 69, 2 },
	{ "scalco", 71, 2 }, { "sx", 73, 4 }, { "sy", 77, 4 }, { "gx", 81, 4 },
	{ "gy", 85, 4 }, { "counit", 89, 2 }, { "wevel", 91, 2 }, { "swevel", 93, 2 },
	{ "sut", 95, 2 }, { "gut", 97, 2 }, { "sstat", 99, 2 }, { "gstat", 101, 2 },
	{ "tstat", 103, 2 }, { "laga", 105, 2 }, { "lagb", 107, 2 }, { "delrt", 109, 2 },
	{ "muts", 111, 2 }, { "mute", 113, 2 }, { "ns", 115, 2 }, { "dt", 117, 2 },
	{ "gain", 119, 2 }, { "igc", 121, 2 }, { "igi", 123, 2 }, { "corr", 125, 2 },
	{ "sfs", 127, 2 }, { "sfe", 129, 2 }, { "slen", 131, 2 }, { "styp", 133, 2 },
	{ "stas", 135, 2 }, { "stae", 137, 2 }, { "tatyp", 139, 2 }, { "afilf", 141, 2 },
	{ "afils", 143, 2 }, { "nofilf", 145, 2 }, { "nofils", 147, 2 },
	{ "lcf", 149, 2 }, { "hcf", 151, 2 }, { "lcs", 153, 2 }, { "hcs", 155, 2 },
	{ "year", 157, 2 }, { "day", 159, 2 }, { "hour", 161, 2 }, { "minute", 163, 2 },
	{ "sec", 165, 2 }, { "timbas", 167, 2 }, { "trwf", 169, 2 }, { "grnors", 171, 2 },
	{ "grnofr", 173, 2 }, { "grnlof", 175, 2 }, { "gaps", 177, 2 },
	{ "otrav", 179, 2 }, { "cdpx", 181, 4 }, { "cdpy", 185, 4 }, { "iline", 189, 4 },
	{ "xline", 193, 4 }, { "shnum", 197, 4 }, { "shsca", 201, 2 }, { "tval", 203, 2 },
	{ "tconst4", 205, 4 }, { "tconst2", 209, 2 }, { "tunits", 211, 2 },
	{ "device", 213, 2 }, { "tscalar", 215, 2 }, { "stype", 217, 2 },
	{ "sendir", 219, 4 }, { "unknown", 223, 2 }, { "smeas4", 225, 4 },
	{ "smeas2", 229, 2 }, { "smeasu", 231, 2 }, { "unass1", 233, 4 },
	{ "unass2", 237, 4 },
};
_Static_assert(sizeof keys / sizeof keys[0] == TAF_SEGY_KEYS, "all of them");

const char *
taf_segy_key_name(unsigned key)
{
	return keys[key].name;
}

unsigned
taf_segy_key(const char *name, size_t n)
{
	unsigned k;

	for (k = 0; k < TAF_SEGY_KEYS; k++)
		if (strlen(keys[k].name) == n && memcmp(keys[k].name, name, n) == 0)
			break;
	return k;
}

enum taf_status
taf_segy_keys(void *choice, const char *list, struct taf_err *e)
{
	struct taf_segy_choice *to = choice;
	size_t len;

	for (to->n = 0;; list += len + 1) {
		len = strcspn(list, ",");
		if (to->n == TAF_SEGY_KEYS)
			return taf_fail(e, TAF_EUSAGE, "more than %d keys",
			    (int)TAF_SEGY_KEYS);
		to->key[to->n] = taf_segy_key(list, len);
		if (to->key[to->n++] == TAF_SEGY_KEYS)
			return taf_fail(e, TAF_EUSAGE,
			    "'%.*s' is no key of a trace header", (int)(len < 80 ?
			    len : 80), list);
		if (list[len] == '\0')
			return TAF_OK;
	}
}

/* Numbers of samples and intervals have no sign, all others have one. */
static bool
is_unsigned(unsigned key)
{
	return key == TAF_SEGY_NS || key == TAF_SEGY_DT;
}

int32_t
taf_segy_get(const unsigned char *header, unsigned key, bool big)
{
	const unsigned char *p = header + keys[key].at - 1;

	if (keys[key].bytes == 4)
		return (int32_t)taf_get32(p, big);
	return is_unsigned(key) ? taf_get16(p, big) : (int16_t)taf_get16(p, big);
}

bool
taf_segy_put(unsigned char *header, unsigned key, int64_t v, bool big)
{
	unsigned char *p = header + keys[key].at - 1;

	if (keys[key].bytes == 4) {
		if (v < INT32_MIN || v > INT32_MAX)
			return false;
		taf_put32(p, (uint32_t)v, big);
		return true;
	}
	if (is_unsigned(key) ? v < 0 || v > UINT16_MAX : v < INT16_MIN || v > INT16_MAX)
		return false;
	taf_put16(p, (uint16_t)v, big);
	return true;
}

void
taf_segy_words(const struct taf_segy *s, struct taf_str *to)
{
	/* the names that SU has for them; what revisions 1 and 2 add, by its meaning */
	static const struct {
		const char *name;
		unsigned short at;
		unsigned char bytes, revision;
	} words[] = {
		{ "jobid", 1, 4, 0 }, { "lino", 5, 4, 0 }, { "reno", 9, 4, 0 },
		{ "ntrpr", 13, 2, 0 }, { "nart", 15, 2, 0 }, { "hdt", 17, 2, 0 },
		{ "dto", 19, 2, 0 }, { "hns", 21, 2, 0 }, { "nso", 23, 2, 0 },
		{ "format", 25, 2, 0 }, { "fold", 27, 2, 0 }, { "tsort", 29, 2, 0 },
		{ "vscode", 31, 2, 0 }, { "hsfs", 33, 2, 0 }, { "hsfe", 35, 2, 0 },
		{ "hslen", 37, 2, 0 }, { "hstyp", 39, 2, 0 }, { "schn", 41, 2, 0 },
		{ "hstas", 43, 2, 0 }, { "hstae", 45, 2, 0 }, { "htatyp", 47, 2, 0 },
		{ "hcorr", 49, 2, 0 }, { "bgrcv", 51, 2, 0 }, { "rcvm", 53, 2, 0 },
		{ "mfeet", 55, 2, 0 }, { "polyt", 57, 2, 0 }, { "vpol", 59, 2, 0 },
		{ "samples", 69, 4, 2 }, { "interval", 73, 8, 2 },
		{ "major", 301, 1, 0 }, { "minor", 302, 1, 0 }, { "fixed", 303, 2, 1 },
		{ "extended", 305, 2, 1 }, { "additional", 307, 4, 2 },
	};
	size_t i;

	for (i = 0; i < sizeof words / sizeof words[0]; i++) {
		const unsigned char *p = s->binary + words[i].at - 1;

		if (words[i].revision > s->revision)
			continue;
		taf_str_printf(to, "%s ", words[i].name);
		if (words[i].bytes == 8)
			taf_str_f64(to, taf_getf64(p, s->big));
		else if (words[i].bytes == 4)
			taf_str_i64(to, (int32_t)taf_get32(p, s->big));
		else if (words[i].bytes == 1)
			taf_str_u64(to, *p);
		else if (words[i].at == 17 || words[i].at == 21)
			taf_str_u64(to, taf_get16(p, s->big));
		else
			taf_str_i64(to, (int16_t)taf_get16(p, s->big));
		taf_str_puts(to, "\n");
	}
}
