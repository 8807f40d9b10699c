/* SPDX-License-Identifier: ISC */
/* Recordings of SigMF: the description up to a NUL, then samples. */
/* link: jansson */
#include <stdio.h>
#include <string.h>

#include "capture.h"
#include "codec/sigmf.h"
#include "target.h"

static void
try(const uint8_t *data, size_t size, bool complex)
{
	const uint8_t *end = memchr(data, '\0', size);
	const size_t n = end != NULL ? (size_t)(end - data) : size;
	struct taf_capture c = { .complex = complex };
	struct taf_in *in, *samples;
	struct taf_err e = { 0 };
	struct taf_record r;
	enum taf_status st;
	uint64_t k;

	if (taf_in_mem(&in, data, n, &e) != TAF_OK ||
	    taf_in_mem(&samples, data + n, size - n, &e) != TAF_OK)
		abort();
	st = taf_sigmf_open(&c, in, samples, &e);
	must_agree(st, &e);
	for (k = 0; st == TAF_OK && k < c.nrecords && k < 1000; k++) {
		st = taf_capture_record(&c, k, &r, &e);
		must_agree(st, &e);
		if (st == TAF_OK)
			must(r.offset <= size - n && taf_array_count(&r.array) *
			    taf_type_size(r.stored) * taf_record_parts(&r) <=
			    size - n - r.offset);
		taf_array_fini(&r.array);
	}
	if (c.state != NULL && st == TAF_OK)
		(void)taf_sigmf_digest(&c);
	taf_capture_fini(&c);
	taf_in_close(in);
}

/* A description by whose name no samples are found; and names of types come back. */
static void
unnamed(const uint8_t *data, size_t size)
{
	struct taf_capture c = { 0 };
	struct taf_sigmf_type t;
	struct taf_err e = { 0 };
	struct taf_in *in;
	const char *name;
	char text[32];
	int type;

	if (taf_in_mem(&in, data, size, &e) != TAF_OK)
		abort();
	must(taf_sigmf_decode(&c, in, &e) == TAF_EDATA);
	taf_capture_fini(&c);
	taf_in_close(in);
	for (type = TAF_UINT8; type <= TAF_FLT64; type++) {
		name = taf_sigmf_type_name((enum taf_type)type);
		if (name == NULL)
			continue;
		(void)snprintf(text, sizeof text, "r%s", name);
		must(!taf_sigmf_type_parse(text, &t) || t.type == (enum taf_type)type);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	try(data, size, false);
	try(data, size, true);
	unnamed(data, size);
	return 0;
}
