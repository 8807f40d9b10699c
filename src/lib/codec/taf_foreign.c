/* SPDX-License-Identifier: ISC */
#include "codec/taf_foreign.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "io/in.h"

/* Where the bytes of a row are: at an offset, or as one of these says. */
enum {
	ANYWHERE = -1,		/* in the first SEARCH bytes */
	NETPBM = -2,		/* a digit from 1 to 7 and a blank follow them */
	LOOK = -3,		/* there are none: a look tells the format */
	SEGY = -4,		/* a format code of SEG-Y is where that has one */
	ZIPPED = -5,		/* anywhere in the first bytes of a zip archive */
	SEARCH = 512
};

#define TEK "a Tektronix waveform", "tek2taf", "tektronix", NULL
#define KEYSIGHT "a Keysight capture", "keysight2taf", "keysight", NULL
#define WAVE "a WAVE file", "wav2taf", NULL, NULL
#define MATFILE "a MAT-file of level 5", "mat2taf", NULL, NULL
#define ZARR "a Zarr store", "zarr2taf", NULL, NULL
#define RIGOL "a Rigol capture", NULL, NULL, NULL

/* The first row that fits is the format: those that are told for sure come first. */
static const struct {
	int at;
	size_t n;		/* bytes, or the look */
	const char *bytes;
	struct taf_foreign what;
} rows[] = {
	{ LOOK, TAF_LOOK_HEADER, "", { "an RSF header", NULL, NULL, NULL } },
	{ 0, 3, "TAF",
	    { "a TAF file (commands read it as it is)", NULL, NULL, NULL } },
	{ 2, 5, ":WFM#", { TEK } },
	{ 0, 6, "LLWFM ", { TEK } },
	{ 0, 7, ":LLWFM#", { TEK } },
	{ 0, 8, "\211HDF\r\n\032\n",
	    { "an HDF5 file", "hdf2taf", "keysight", "keysight2taf" } },
	{ 0, 18, "MATLAB 7.3 MAT-fil",
	    { "a MATLAB 7.3 file", "hdf2taf", NULL, NULL } },
	{ 124, 4, "\0\1IM", { MATFILE } },
	{ 124, 4, "\1\0MI", { MATFILE } },
	{ 512, 8, "\211HDF\r\n\032\n",
	    { "an HDF5 file with a user block", "hdf2taf", NULL, NULL } },
	{ 0, 6, "\223NUMPY", { "a NumPy file", "npy2taf", NULL, NULL } },
	{ 0, 8, "~TenBin~", { "a TenBin file", "ten2taf", NULL, NULL } },
	{ 0, 4, "\211PNG",
	    { "a PNG image (pngtopnm makes netpbm of it)", NULL, NULL, NULL } },
	{ LOOK, TAF_LOOK_DIG, "", { "an NTS digitizer file", "dig2taf", "dig", NULL } },
	{ 257, 5, "ustar", { "a tar archive", "ten2taf", NULL, NULL } },
	{ SEGY, 1, "\303", { "a SEG-Y file", "segy2taf", NULL, NULL } },
	{ SEGY, 1, "C", { "a SEG-Y file", "segy2taf", NULL, NULL } },
	{ 8, 8, "WAVEfmt ", { WAVE } },
	{ 8, 8, "WAVEJUNK", { WAVE } },
	{ 8, 8, "WAVEbext", { WAVE } },
	{ 0, 4, "RF64", { WAVE } },
	{ 0, 4, "BW64", { WAVE } },
	{ 0, 8, "riff\x2e\x91\xcf\x11", { WAVE } },
	{ 0, 10, "SIMPLE  = ", { "a FITS file", "fits2taf", NULL, NULL } },
	{ 0, 7, "NRRD000", { "an NRRD file", "nrrd2taf", NULL, NULL } },
	{ ZIPPED, 7, ".zarray", { ZARR } },
	{ ZIPPED, 7, ".zgroup", { ZARR } },
	{ ZIPPED, 9, "zarr.json", { ZARR } },
	{ 0, 4, "PK\3\4", { "a ZIP archive", "npy2taf", NULL, NULL } },
	{ 0, 3, "GTA", { "a GTA file", "gta2taf", NULL, NULL } },
	{ 0, 4, "AG01", { KEYSIGHT } },
	{ 0, 4, "AG03", { KEYSIGHT } },
	{ 0, 4, "AG10", { KEYSIGHT } },
	{ ANYWHERE, 8, "WAVEDESC", { "a LeCroy trace", "lecroy2taf", "lecroy", NULL } },
	{ ANYWHERE, 6, "\"core:",
	    { "a description of SigMF", "sigmf2taf", NULL, NULL } },
	{ LOOK, TAF_LOOK_ISF, "", { TEK } },
	{ 0, 5, ":WFMP", { TEK } },
	{ 0, 7, ":WFMOUT", { TEK } },
	{ NETPBM, 1, "P", { "an image of netpbm", "pgm2taf", NULL, NULL } },
	{ 0, 2, "\037\213", { "a gzip file (zcat unpacks it)", NULL, NULL, NULL } },
	{ 0, 3, "BZh", { "a bzip2 file (bzcat unpacks it)", NULL, NULL, NULL } },
	{ 0, 6, "\3757zXZ\0", { "an xz file (xzcat unpacks it)", NULL, NULL, NULL } },
	{ 0, 4, "\050\265\057\375",
	    { "a Zstandard file (zstdcat unpacks it)", NULL, NULL, NULL } },
	{ 0, 4, "CDF\1", { "a netCDF-3 file (nccopy -k nc4)", NULL, NULL, NULL } },
	{ 0, 4, "CDF\2", { "a netCDF-3 file (nccopy -k nc4)", NULL, NULL, NULL } },
	{ 0, 3, "\377\330\377",
	    { "a JPEG image (djpeg makes netpbm of it)", NULL, NULL, NULL } },
	{ 0, 2, "\245\245", { RIGOL } },
	{ 0, 2, "\2\244", { RIGOL } },
	{ 0, 3, "\1\377\377", { RIGOL } },
	{ LOOK, TAF_LOOK_TABLE, "", { "a table in text", "txt2taf", "column", NULL } },
	/* words may begin so, too */
	{ 0, 2, "AG", { KEYSIGHT } },
	{ 0, 2, "RG", { RIGOL } },
	{ 0, 2, "BM", { "a BMP image", NULL, NULL, NULL } },
	{ 0, 5, "MAGIC",
	    { "a file of a Tektronix waveform generator", NULL, NULL, NULL } },
};

static bool
holds(const unsigned char *p, size_t n, const char *bytes, size_t len)
{
	size_t i;

	for (i = 0; i + len <= n; i++)
		if (memcmp(p + i, bytes, len) == 0)
			return true;
	return false;
}

/* Bytes 3225 and 3226 are one of the codes that SEG-Y has, in either order. */
static bool
has_code(const unsigned char *p, size_t n)
{
	enum { CODE = 3224 };
	const unsigned code = n > CODE + 1 && (p[CODE] == 0 || p[CODE + 1] == 0) ?
	    p[CODE] | p[CODE + 1] : 0;

	return (code > 0 && code < 13) || code == 15 || code == 16;
}

const struct taf_foreign *
taf_foreign(const unsigned char *p, size_t n, taf_foreign_look *const *looks)
{
	size_t i, at;

	for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const size_t len = rows[i].n;
		bool is = false;

		if (rows[i].at == LOOK) {
			is = looks != NULL && looks[len](p, n);
		} else if (rows[i].at == ANYWHERE || rows[i].at == ZIPPED) {
			at = rows[i].at == ANYWHERE && n > SEARCH ? SEARCH : n;
			is = (rows[i].at == ANYWHERE || (n >= 4 &&
			    memcmp(p, "PK\3\4", 4) == 0)) &&
			    holds(p, at, rows[i].bytes, len);
		} else {
			at = rows[i].at > 0 ? (size_t)rows[i].at : 0;
			is = n >= at + len && memcmp(p + at, rows[i].bytes, len) == 0;
		}
		if (is && rows[i].at == NETPBM)
			is = n > 2 && p[1] >= '1' && p[1] <= '7' &&
			    memchr("\n\r\t #", p[2], 5) != NULL;
		if (is && rows[i].at == SEGY)
			is = has_code(p, n);
		if (is)
			return &rows[i].what;
	}
	return NULL;
}

const struct taf_foreign *
taf_foreign_named(const char *name, const unsigned char *p, size_t n)
{
	static const struct taf_foreign su = { "traces of SU", "segy2taf", NULL, NULL };
	const size_t len = strlen(name), header = 240;

	return len > 3 && strcmp(name + len - 3, ".su") == 0 && n >= header &&
	    memcmp(p, "TAF ", 4) != 0 && memchr(p, '\0', header) != NULL &&
	    taf_foreign(p, n, NULL) == NULL ? &su : NULL;
}

const struct taf_foreign *
taf_foreign_folder(const char *path)
{
	static const struct taf_foreign zarr = { ZARR };
	const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const bool is = folder >= 0 && taf_in_zarr(folder) != NULL;

	if (folder >= 0)
		(void)close(folder);
	return is ? &zarr : NULL;
}

bool
taf_foreign_text(const unsigned char *p, size_t n, char text[TAF_FOREIGN_TEXT])
{
	const struct taf_foreign *f = taf_foreign(p, n, NULL);

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

	if (taf_in_peek(in, TAF_FOREIGN_SEEN, &p, &got, e) != TAF_OK)
		return e->code;
	if (at > 0 || !taf_foreign_text(p, got, what))
		return taf_fail(e, TAF_EDATA, "offset %llu: no %s begins here", at,
		    wanted);
	return taf_fail(e, TAF_EDATA, "%s, no %s", what, wanted);
}

/* Files of other kinds, by the ends of their names, and the command that writes them. */
static const struct {
	const char *end, *command;
} writers[] = {
	{ ".npy", "taf2npy" }, { ".npz", "taf2npy" },
	{ ".csv", "tafexport --csv" }, { ".txt", "tafexport" },
	{ ".dat", "tafexport" }, { ".tsv", "tafexport" }, { ".png", "tafplot" },
	{ ".svg", "tafplot" }, { ".pdf", "tafplot" }, { ".html", "tafplot" },
	{ ".h5", "taf2hdf" }, { ".hdf5", "taf2hdf" }, { ".nc", "taf2hdf" },
	{ ".gta", "taf2gta" }, { ".pgm", "taf2pgm" }, { ".ppm", "taf2pgm" },
	{ ".raw", "taf2raw" }, { ".bin", "taf2raw" }, { ".ten", "taf2ten" },
	{ ".tar", "taf2ten" }, { ".sigmf-meta", "taf2sigmf" },
	{ ".sigmf-data", "taf2sigmf" }, { ".zarr", "taf2zarr" },
};

const char *
taf_foreign_writer(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof writers / sizeof writers[0]; i++)
		if (taf_ends(name, writers[i].end))
			return writers[i].command;
	return NULL;
}
