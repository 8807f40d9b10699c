#include "format/detect.h"

#include <string.h>

#include "codec/dig.h"
#include "codec/isf.h"
#include "codec/keysight_any.h"
#include "codec/lecroy.h"
#include "codec/taf_foreign.h"
#include "codec/tek.h"
#include "codec/wfm.h"

/* In the order in which the content is looked at; a table is what nothing else is. */
static const struct taf_detected kinds[] = {
	{ "keysight", taf_keysight_any_sniff, taf_keysight_any_decode },
	{ "tektronix", taf_wfm_sniff, taf_tek_decode },
	{ "dig", taf_dig_sniff, taf_dig_decode },
	{ "lecroy", taf_lecroy_sniff, taf_lecroy_decode },
	{ "tektronix", taf_isf_sniff, taf_tek_decode },
	{ "column", NULL, NULL },
};
enum { NKINDS = sizeof kinds / sizeof kinds[0], SNIFF = TAF_ISF_PREAMBLE };

const struct taf_detected *
taf_detect_named(const char *name)
{
	size_t i;

	for (i = 0; i < NKINDS; i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	return NULL;
}

enum taf_status
taf_detect(struct taf_in *in, const struct taf_detected **kind, struct taf_err *e)
{
	const unsigned char *p;
	enum taf_status st;
	char other[TAF_FOREIGN_TEXT] = "binary data of no kind known here";
	size_t got, i;

	st = taf_in_peek(in, SNIFF, &p, &got, e);
	if (st != TAF_OK)
		return st;
	for (i = 0; kinds[i].sniff != NULL && !kinds[i].sniff(p, got); i++)
		continue;
	*kind = &kinds[i];
	if (kinds[i].sniff != NULL)
		return TAF_OK;
	if (!taf_foreign_text(p, got, other) && memchr(p, '\0', got) == NULL)
		return TAF_OK;
	return taf_fail(e, TAF_EDATA,
	    "%s, not a file of dig, lecroy, keysight or tektronix, nor a table", other);
}
