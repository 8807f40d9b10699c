/* SPDX-License-Identifier: ISC */
#include "array/value.h"

#include <string.h>

#include "base/decimal.h"
#include "base/num.h"

/* An integer of text as one of 64 bits, if it has no more. */
static void
take_integer(struct taf_value *v, const struct taf_integer *x)
{
	const uint64_t most = INT64_MAX;

	if (x->magnitude <= most + x->minus) {
		v->type = TAF_INT64;
		v->as.i = !x->minus ? (int64_t)x->magnitude : x->magnitude > most ?
		    INT64_MIN : -(int64_t)x->magnitude;
	} else if (!x->minus) {
		v->type = TAF_UINT64;
		v->as.u = x->magnitude;
	}
}

bool
taf_value_parse(struct taf_value *v, const char *text)
{
	const size_t n = strlen(text);
	struct taf_integer x;

	v->text = text;
	v->type = TAF_FLT64;
	if (!taf_parse_f64(text, n, &v->as.f))
		return false;
	(void)taf_scan_integer(text, text + n, &x);
	v->fraction = x.kind == TAF_INTEGER_ROUNDED;
	/* a double alone knows -0 */
	if (x.kind == TAF_INTEGER_EXACT && (x.magnitude != 0 || !x.minus))
		take_integer(v, &x);
	return true;
}

void
taf_value_round(struct taf_value *v)
{
	struct taf_integer x;

	if (taf_scan_integer(v->text, v->text + strlen(v->text), &x) > 0 &&
	    x.kind <= TAF_INTEGER_ROUNDED)
		take_integer(v, &x);
	/* the nearest double to what is below all of 64 bits may be just within */
	if (v->type == TAF_FLT64 && x.minus && v->as.f >= (double)INT64_MIN)
		v->as.f = -9223372036854777856.0;
}
