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
	if (taf_type_parse(name, &type))
		name = taf_type_name(type);
	for (i = 0; i < NFORMATS; i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

/* Of the trace header: words of four bytes (L) and of two (S), as they follow there. */
#define KEYS(L, S) \
	L(tracl) L(tracr) L(fldr) L(tracf) L(ep) L(cdp) L(cdpt) S(trid) S(nvs) S(nhs) \
	S(duse) L(offset) L(gelev) L(selev) L(sdepth) L(gdel) L(sdel) L(swdep) \
	L(gwdep) S(scalel) S(scalco) L(sx) L(sy) L(gx) L(gy) S(counit) S(wevel) \
	S(swevel) S(sut) S(gut) S(sstat) S(gstat) S(tstat) S(laga) S(lagb) S(delrt) \
	S(muts) S(mute) S(ns) S(dt) S(gain) S(igc) S(igi) S(corr) S(sfs) S(sfe) \
	S(slen) S(styp) S(stas) S(stae) S(tatyp) S(afilf) S(afils) S(nofilf) S(nofils) \
	S(lcf) S(hcf) S(lcs) S(hcs) S(year) S(day) S(hour) S(minute) S(sec) S(timbas) \
	S(trwf) S(grnors) S(grnofr) S(grnlof) S(gaps) S(otrav) L(cdpx) L(cdpy) \
	L(iline) L(xline) L(shnum) S(shsca) S(tval) L(tconst4) S(tconst2) S(tunits) \
	S(device) S(tscalar) S(stype) L(sendir) S(unknown) L(smeas4) S(smeas2) \
	S(smeasu) L(unass1) L(unass2)

/* The same of the binary header, up to its byte 60, by the names that SU has for them. */
#define REEL(L, S) \
	L(jobid) L(lino) L(reno) S(ntrpr) S(nart) S(hdt) S(dto) S(hns) S(nso) \
	S(format) S(fold) S(tsort) S(vscode) S(hsfs) S(hsfe) S(hslen) S(hstyp) S(schn) \
	S(hstas) S(hstae) S(htatyp) S(hcorr) S(bgrcv) S(rcvm) S(mfeet) S(polyt) S(vpol)

/* Where each word begins, from 0, and its last byte. */
#define PLACE_L(name) AT_##name, LAST_##name = AT_##name + 3,
#define PLACE_S(name) AT_##name, LAST_##name = AT_##name + 1,
enum { KEYS(PLACE_L, PLACE_S) BEHIND_KEYS };
enum { REEL(PLACE_L, PLACE_S) BEHIND_REEL };

struct word {
	char name[11];
	unsigned short at;
	unsigned char bytes, revision;	/* which has it first */
};

#define ROW(name) { #name, AT_##name, LAST_##name - AT_##name + 1, 0 },
static const struct word keys[] = { KEYS(ROW, ROW) };
_Static_assert(sizeof keys / sizeof keys[0] == TAF_SEGY_KEYS &&
    (int)BEHIND_KEYS == (int)TAF_SEGY_HEADER && (int)BEHIND_REEL == 60, "all of them");

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
has_sign(unsigned key)
{
	return key != TAF_SEGY_NS && key != TAF_SEGY_DT;
}

int32_t
taf_segy_get(const unsigned char *header, unsigned key, bool big)
{
	const unsigned char *p = header + keys[key].at;

	if (keys[key].bytes == 4)
		return (int32_t)taf_get32(p, big);
	return has_sign(key) ? (int16_t)taf_get16(p, big) : taf_get16(p, big);
}

bool
taf_segy_put(unsigned char *header, unsigned key, int64_t v, bool big)
{
	const bool is_long = keys[key].bytes == 4;
	const int64_t all = is_long ? UINT32_MAX : UINT16_MAX;
	const int64_t low = has_sign(key) ? -all / 2 - 1 : 0;

	if (v < low || v > low + all)
		return false;
	if (is_long)
		taf_put32(header + keys[key].at, (uint32_t)v, big);
	else
		taf_put16(header + keys[key].at, (uint16_t)v, big);
	return true;
}

void
taf_segy_words(const struct taf_segy *s, struct taf_str *to)
{
	/* what revisions 1 and 2 add, by its meaning */
	static const struct word words[] = { REEL(ROW, ROW)
		{ "samples", 68, 4, 2 }, { "interval", 72, 8, 2 },
		{ "major", 300, 1, 0 }, { "minor", 301, 1, 0 }, { "fixed", 302, 2, 1 },
		{ "extended", 304, 2, 1 }, { "additional", 306, 4, 2 },
	};
	size_t i;

	for (i = 0; i < sizeof words / sizeof words[0]; i++) {
		const unsigned char *p = s->binary + words[i].at;

		if (words[i].revision > s->revision)
			continue;
		taf_str_printf(to, "%s ", words[i].name);
		if (words[i].bytes == 8)
			taf_str_f64(to, taf_getf64(p, s->big));
		else if (words[i].bytes == 4)
			taf_str_i64(to, (int32_t)taf_get32(p, s->big));
		else if (words[i].bytes == 1)
			taf_str_u64(to, *p);
		else if (words[i].at == AT_hdt || words[i].at == AT_hns)
			taf_str_u64(to, taf_get16(p, s->big));
		else
			taf_str_i64(to, (int16_t)taf_get16(p, s->big));
		taf_str_puts(to, "\n");
	}
}
