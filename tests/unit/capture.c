/* SPDX-License-Identifier: ISC */
/*
 * Decoders of captures: a file that is cut anywhere is refused or gives the very same
 * records.  The files are the seeds of the fuzz targets.
 */
#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "codec/capture.h"
#include "unit.h"

enum { MOST = 64 * 1024 };

/* What a file says, as a sum over all records; false where it is refused. */
static bool
decoded(taf_capture_decode *decode, const unsigned char *p, size_t n, uint64_t *sum,
    struct taf_err *e)
{
	struct taf_capture c = { 0 };
	enum taf_status st;
	struct taf_in *in;
	uint64_t k, i;

	*sum = 17;
	CHECK_INT(taf_in_mem(&in, p, n, e), TAF_OK);
	st = decode(&c, in, e);
	for (k = 0; st == TAF_OK && k < c.nrecords; k++) {
		unsigned char samples[4096];
		struct taf_record r;
		size_t bytes = 0;

		st = taf_capture_record(&c, k, &r, e);
		if (st == TAF_OK) {
			CHECK(taf_array_count(&r.array) <= sizeof samples / 8);
			bytes = (size_t)taf_array_count(&r.array) *
			    taf_type_size(r.stored);
			*sum = *sum * 31 + (uint64_t)r.array.type + bytes;
		}
		if (st == TAF_OK && r.packed) {
			struct taf_out *out = NULL;
			FILE *f = tmpfile();

			CHECK(f != NULL);
			CHECK_INT(taf_out_fd(&out, dup(fileno(f)), "temporary", e),
			    TAF_OK);
			st = c.unpack(&c, k, &r, out, e);
			CHECK_INT(taf_out_commit(out, e), st);
			CHECK_EQ(pread(fileno(f), samples, bytes, 0), bytes);
			(void)fclose(f);
		} else if (st == TAF_OK) {
			st = taf_capture_read(&c, r.offset, samples, bytes, "samples", e);
		}
		for (i = 0; st == TAF_OK && i < bytes; i++)
			*sum = *sum * 31 + samples[i];
		taf_array_fini(&r.array);
	}
	taf_capture_fini(&c);
	taf_in_close(in);
	CHECK_INT(st, e->code);
	return st == TAF_OK;
}

/* A seed called bad-... is refused; of another, each part is, or is all there. */
static void
cut_file(taf_capture_decode *decode, const char *path, bool bad)
{
	static unsigned char whole[MOST];
	FILE *f = fopen(path, "rb");
	struct taf_err e = { 0 };
	uint64_t want, got;
	size_t n, at;

	CHECK(f != NULL);
	if (f == NULL)
		return;
	n = fread(whole, 1, sizeof whole, f);
	(void)fclose(f);
	CHECK(n > 0 && n < sizeof whole);
	if (!CHECK(decoded(decode, whole, n, &want, &e) != bad))
		printf("# %s: %s\n", path, e.text);
	if (bad)
		return;
	for (at = 0; at < n; at++) {
		unsigned char *part = malloc(at != 0 ? at : 1);

		if (!CHECK(part != NULL))
			return;
		memcpy(part, whole, at);
		taf_err_clear(&e);
		if (decoded(decode, part, at, &got, &e) && !CHECK_EQ(got, want))
			printf("# %s cut at %zu\n", path, at);
		free(part);
	}
}

static void
cut_all(taf_capture_decode *decode, const char *folder)
{
	const char *source = getenv("TAF_SRC");
	struct dirent *entry;
	char dir[2048], path[4096];
	unsigned files = 0;
	DIR *d;

	(void)snprintf(dir, sizeof dir, "%s/tests/fuzz/corpus/%s",
	    source != NULL ? source : ".", folder);
	d = opendir(dir);
	if (!CHECK(d != NULL))
		return;
	while ((entry = readdir(d)) != NULL)
		if (entry->d_name[0] != '.') {
			(void)snprintf(path, sizeof path, "%s/%s", dir, entry->d_name);
			cut_file(decode, path, strncmp(entry->d_name, "bad-", 4) == 0);
			files++;
		}
	CHECK(files > 0);
	(void)closedir(d);
}

static void
lecroy(void)
{
	cut_all(taf_lecroy_decode, "lecroy");
}

static void
wfm(void)
{
	cut_all(taf_wfm_decode, "wfm");
}

static void
isf(void)
{
	cut_all(taf_isf_decode, "isf");
}

static void
keysight(void)
{
	cut_all(taf_keysight_decode, "keysight");
}

static void
dig(void)
{
	cut_all(taf_dig_decode, "dig");
}

int
main(void)
{
	UNIT(lecroy);
	UNIT(wfm);
	UNIT(isf);
	UNIT(keysight);
	UNIT(dig);
	return unit_end();
}
