#include "codec/taf_foreign.h"

#include <stdio.h>
#include <string.h>

static const struct {
	size_t at, n;
	const char *bytes;
	struct taf_foreign what;
} openings[] = {
	{ 0, 3, "TAF", { "a TAF file", NULL } },
	{ 0, 3, "GTA", { "a GTA file", "gta2taf" } },
	{ 0, 6, "\223NUMPY", { "a NumPy file", "npy2taf" } },
	{ 0, 8, "~TenBin~", { "a TenBin file", "ten2taf" } },
	{ 257, 5, "ustar", { "a tar archive", "ten2taf" } },
	{ 0, 4, "\211HDF", { "an HDF5 file", "hdf2taf" } },
	{ 0, 4, "\211PNG", { "a PNG image", NULL } },
	{ 0, 2, "BM", { "a BMP image", NULL } },
	{ 0, 2, "\037\213", { "a gzip file", NULL } },
	{ 0, 4, "PK\3\4", { "a ZIP archive", NULL } },
	{ 0, 5, "MAGIC", { "a file of a Tektronix waveform generator", NULL } },
	{ 0, 2, "AG", { "a Keysight capture", "keysight2taf" } },
	{ 0, 2, "RG", { "a Rigol capture", NULL } },
	{ 0, 2, "\245\245", { "a Rigol capture", NULL } },
	{ 0, 2, "\2\244", { "a Rigol capture", NULL } },
	{ 0, 3, "\1\377\377", { "a Rigol capture", NULL } },
	{ 2, 5, ":WFM#", { "a Tektronix waveform", "tek2taf" } },
	{ 0, 6, "LLWFM ", { "a Tektronix waveform", "tek2taf" } },
	{ 0, 7, ":LLWFM#", { "a Tektronix waveform", "tek2taf" } },
	{ 0, 5, ":WFMP", { "a Tektronix waveform", "tek2taf" } },
	{ 0, 7, ":WFMOUT", { "a Tektronix waveform", "tek2taf" } },
};
static const struct taf_foreign lecroy = { "a LeCroy trace", "lecroy2taf" },
    netpbm = { "an image of netpbm", "pgm2taf" };

const struct taf_foreign *
taf_foreign(const unsigned char *p, size_t n)
{
	size_t i;

	for (i = 0; i < sizeof openings / sizeof openings[0]; i++)
		if (n >= openings[i].at + openings[i].n &&
		    memcmp(p + openings[i].at, openings[i].bytes, openings[i].n) == 0)
			return &openings[i].what;
	if (n > 2 && p[0] == 'P' && p[1] >= '1' && p[1] <= '7' &&
	    strchr("\n\r\t #", p[2]))
		return &netpbm;
	for (i = 0; i + 8 <= n && i < TAF_FOREIGN_SEEN; i++)
		if (memcmp(p + i, "WAVEDESC", 8) == 0)
			return &lecroy;
	return NULL;
}

bool
taf_foreign_text(const unsigned char *p, size_t n, char text[TAF_FOREIGN_TEXT])
{
	const struct taf_foreign *f = taf_foreign(p, n);

	if (f == NULL)
		return false;
	(void)snprintf(text, TAF_FOREIGN_TEXT, f->command != NULL ? "%s (use %s)" : "%s",
	    f->name, f->command);
	return true;
}

enum taf_status
taf_foreign_here(struct taf_in *in, const char *wanted, struct taf_err *e)
{
	const unsigned long long at = taf_in_offset(in);
	const unsigned char *p;
	char what[TAF_FOREIGN_TEXT];
	size_t got;
	enum taf_status st = taf_in_peek(in, TAF_FOREIGN_SEEN, &p, &got, e);

	if (st != TAF_OK)
		return st;
	if (at > 0 || !taf_foreign_text(p, got, what))
		return taf_fail(e, TAF_EDATA, "offset %llu: no %s begins "
		    "here", at, wanted);
	return taf_fail(e, TAF_EDATA, "%s, no %s", what, wanted);
}
