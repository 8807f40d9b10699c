/* SPDX-License-Identifier: ISC */
/* MAT-files: every variable, and the list of them. */
/* link: zlib zstd blosc */
#include "capture.h"
#include "base/str.h"
#include "target.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct taf_err e = { 0 };
	struct taf_str lines = { .err = &e };
	struct taf_in *in;

	fuzz_capture(taf_mat_sniff, taf_mat_decode, data, size);
	if (taf_in_mem(&in, data, size, &e) != TAF_OK)
		abort();
	must_agree(taf_mat_list(in, &lines, &e), &e);
	taf_in_close(in);
	taf_str_free(&lines);
	return 0;
}
