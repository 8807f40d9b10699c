/* link: hdf5 */
#include "codec/keysight_any.h"

#include "codec/keysight.h"
#include "codec/keysight_h5.h"

bool
taf_keysight_any_sniff(const unsigned char *p, size_t n)
{
	return taf_keysight_sniff(p, n) || taf_hdf5_sniff(p, n);
}

enum taf_status
taf_keysight_any_decode(struct taf_capture *c, struct taf_in *in, struct taf_err *e)
{
	unsigned char p[8];
	enum taf_status st;
	size_t got;

	taf_capture_init(c, in);
	st = taf_capture_peek(c, 0, p, sizeof p, &got, e);
	if (st != TAF_OK)
		return st;
	return taf_hdf5_sniff(p, got) ? taf_keysight_h5_decode(c, in, e) :
	    taf_keysight_decode(c, in, e);
}
