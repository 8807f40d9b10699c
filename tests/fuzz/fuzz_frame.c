/* SPDX-License-Identifier: ISC */
/* Frames of taf-fetch: those that are taken mean the same when they are written again. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "io/frame.h"
#include "target.h"

static void
check(const struct taf_frame *f, const uint8_t *p, size_t n)
{
	unsigned char again[TAF_FRAME_SHORT];
	size_t head = 0, put;

	if (TAF_FRAME_HEADER + n > sizeof again)
		return;
	put = taf_frame_put(f, again);
	head = f->kind == TAF_FRAME_DATA ? n - TAF_FRAME_DATA_HEADER : 0;
	must(put == TAF_FRAME_HEADER + n - head);
	/* any number but 0 is true */
	if (f->kind != TAF_FRAME_OPENED && f->kind != TAF_FRAME_PLACED)
		must(memcmp(again + TAF_FRAME_HEADER, p, n - head) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum taf_frame_kind kind;
	struct taf_frame f;
	size_t n;

	while (size >= TAF_FRAME_HEADER && taf_frame_begin(data, &kind, &n) &&
	    n <= size - TAF_FRAME_HEADER) {
		data += TAF_FRAME_HEADER;
		size -= TAF_FRAME_HEADER;
		if (taf_frame_get(&f, kind, data, n))
			check(&f, data, n);
		data += n;
		size -= n;
	}
	return 0;
}
