#include "codec/tek.h"

#include "codec/isf.h"
#include "codec/wfm.h"

enum taf_status
taf_tek_decode(struct taf_capture *c, struct taf_in *in, struct taf_err *e)
{
	unsigned char p[16];
	enum taf_status st;
	size_t got;

	taf_capture_init(c, in);
	st = taf_capture_peek(c, 0, p, sizeof p, &got, e);
	if (st != TAF_OK)
		return st;
	return taf_wfm_sniff(p, got) ? taf_wfm_decode(c, in, e) : taf_isf_decode(c, in,
	    e);
}
