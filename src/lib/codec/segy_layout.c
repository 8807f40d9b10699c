/* SPDX-License-Identifier: ISC */
#include <string.h>

#include "base/num.h"
#include "codec/segy.h"

/*
 * SEG-Y rev 2.1, appendix D-8: the words of the trace header by the names that a layout
 * has for them, in capitals, and their bytes, in the order in which they lie.
 */
static const char words[] =
	"LINETRC4 REELTRC4 FFID4 CHAN4 ESPNUM4 CDP4 CDPTRC4 TRCTYPE2 VSTACK2 FOLD2 RECTYPE2 OFFSET4 RELEV4 SELEV4 SDEPTH4 RDATUM4 SDATUM4 WDEPTHSO4 "
	"WDEPTHRC4 ED_SCAL2 CO_SCAL2 SHT_X4 SHT_Y4 REC_X4 REC_Y4 COORUNIT2 WVEL2 SUBWVEL2 SHUPHOLE2 RCUPHOLE2 SHSTAT2 RCSTAT2 STAPPLY2 LAGTIMEA2 "
	"LAGTIMEB2 DELAY2 MUTESTRT2 MUTEEND2 NSAMPS2 DT2 GAINTYPE2 INGCONST2 INITGAIN2 CORRFLAG2 SWEEPSRT2 SWEEPEND2 SWEEPLNG2 SWEEPTYP2 SWEEPSTP2 "
	"SWEEPETP2 TAPERTYP2 ALIASFIL2 ALIASLOP2 NOTCHFIL2 NOTCHSLP2 LOWCUT2 HIGHCUT2 LOWCSLOP2 HICSLOP2 YEAR2 DAY2 HOUR2 MINUTE2 SECOND2 TIMEBASE2 "
	"TRWEIGHT2 RSTASWP12 RSTATRC12 RSTATRCN2 GAPSIZE2 OVERTRVL2 CDP_X4 CDP_Y4 ILINE4 XLINE4 SP4 SP_SCAL2 SAMP_UNIT2 TRANS_CONST6 TRANS_UNIT2 "
	"DEV_ID2 TM_SCAL2 SRC_TYPE2 SRC_DIR12 SRC_DIR22 SRC_DIR32 SMEASURE6 SM_UNIT2 ";

/* Types of values that integers of the standard may have, and their bytes. */
static const char types[] =
	"INT22 UINT22 TIME22 INT44 UINT44 COOR44 ELEV44 SPNUM44 SCALE66 LINETRC4 REELTRC4 ";

struct part {
	const char *p;
	size_t n;
};

/* The value of an attribute of the tag from p on, which ends before end. */
static struct part
value_of(const char *p, const char *end, const char *key)
{
	const size_t n = strlen(key);
	struct part v = { NULL, 0 };
	const char *to;

	for (; (size_t)(end - p) > n; p++)
		if (memcmp(p, key, n) == 0 && (p[n] == '"' || p[n] == '\'')) {
			to = memchr(p + n + 1, p[n], (size_t)(end - p) - n - 1);
			v.p = to != NULL ? p + n + 1 : NULL;
			v.n = to != NULL ? (size_t)(to - v.p) : 0;
			break;
		}
	return v;
}

/* The digit behind a name in a list, or NULL; *at grows by the bytes of those before. */
static const char *
find(const char *list, struct part name, uint64_t *at)
{
	const char *digit;

	for (; *list != '\0'; list = digit + 2) {
		digit = strchr(list, ' ') - 1;
		if ((size_t)(digit - list) == name.n && memcmp(list, name.p, name.n) == 0)
			return digit;
		*at += (uint64_t)(*digit - '0');
	}
	return NULL;
}

/* Is a word where the standard has it?  Those that it does not have may be anywhere. */
static bool
is_in_place(const char *p, const char *end)
{
	const struct part name = value_of(p, end, "NAME=");
	const struct part byte = value_of(p, end, "BYTE=");
	const struct part type = value_of(p, end, "TYPE=");
	uint64_t at = 1, there, unused = 0;
	const char *word, *as;

	if (name.p == NULL || byte.p == NULL || type.p == NULL ||
	    !taf_parse_u64(byte.p, byte.n, &there))
		return false;
	word = find(words, name, &at);
	as = find(types, type, &unused);
	return word == NULL || (there == at && as != NULL && *as == *word);
}

static bool
begins(const char *p, const char *with)
{
	return strncmp(p, with, strlen(with)) == 0;
}

bool
taf_segy_layout_is_standard(const char *text)
{
	const char *p = strstr(text, TAF_SEGY_LAYOUT), *end, *more;
	bool other = false, found = false;

	p = p != NULL ? strstr(p, "))") : NULL;
	end = p != NULL ? strstr(p, "((") : NULL;
	end = p != NULL && end == NULL ? p + strlen(p) : end;
	if (p == NULL || strstr(end, TAF_SEGY_LAYOUT) != NULL ||
	    memchr(p, '&', (size_t)(end - p)) != NULL)
		return false;
	while ((p = memchr(p, '<', (size_t)(end - p))) != NULL) {
		const bool comment = begins(p, "<!--");

		more = strstr(p, comment ? "-->" : ">");
		if (more == NULL || more >= end)
			return false;
		if (begins(p, "<SEGY-LAYOUT"))
			found = true;
		else if (begins(p, "<EXTENSION"))
			other = more[-1] != '/';
		else if (begins(p, "</EXTENSION"))
			other = false;
		else if (begins(p, "<ENTRY") ? !other && !is_in_place(p, more) :
		    !comment && !begins(p, "<?XML") && !begins(p, "<DESC") &&
		    !begins(p, "</"))
			return false;
		p = more;
	}
	return found;
}
