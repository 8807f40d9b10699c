/* SPDX-License-Identifier: ISC */
/* Decode a capture in memory, and look at every record and every byte of it. */
#ifndef FUZZ_CAPTURE_H
#define FUZZ_CAPTURE_H

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "codec/capture.h"
#include "drain.h"

/* Samples of a record: all inside the input, or as many unpacked as it has. */
static inline void
touch_samples(const struct taf_capture *c, uint64_t k, const struct taf_record *r,
    const uint8_t *data, size_t size)
{
	uint64_t bytes = taf_array_count(&r->array) * taf_type_size(r->stored), i;
	volatile uint8_t sum = 0;
	struct taf_err e = { 0 };
	struct taf_out *out;
	enum taf_status st;
	int fd;

	if (r->text)
		return;
	if (!r->packed) {
		if (r->offset > c->size || bytes > c->size - r->offset)
			abort();
		/* it may have a file of its own */
		if (c->size != size)
			return;
		for (i = 0; i < bytes; i++)
			sum = (uint8_t)(sum + data[r->offset + i]);
		return;
	}
	fd = open("/dev/null", O_WRONLY);
	if (fd < 0 || taf_out_fd(&out, fd, "null", &e) != TAF_OK)
		abort();
	st = c->unpack(c, k, r, out, &e);
	must_agree(st, &e);
	if (st == TAF_OK && (taf_out_flush(out, &e) != TAF_OK ||
	    taf_out_moved(out) != bytes))
		abort();
	taf_out_discard(out);
}

static inline void
fuzz_capture_by(bool (*sniff)(const unsigned char *p, size_t n),
    taf_capture_decode *decode, bool raw, const uint8_t *data, size_t size)
{
	struct taf_capture c = { .memory = 1 << 20, .raw = raw, .arrays = raw };
	struct taf_err e = { 0 };
	enum taf_status st;
	struct taf_in *in;
	uint64_t k;

	if (taf_in_mem(&in, data, size, &e) != TAF_OK)
		abort();
	st = decode(&c, in, &e);
	must_agree(st, &e);
	/* what is decoded is recognised, too */
	if (!sniff(data, size < TAF_ISF_PREAMBLE ? size : TAF_ISF_PREAMBLE) &&
	    st == TAF_OK)
		abort();
	for (k = 0; st == TAF_OK && k < c.nrecords && k < 1000; k++) {
		struct taf_record r;

		st = taf_capture_record(&c, k, &r, &e);
		must_agree(st, &e);
		if (st == TAF_OK)
			touch_samples(&c, k, &r, data, size);
		taf_array_fini(&r.array);
	}
	taf_capture_fini(&c);
	taf_in_close(in);
}

static inline void
fuzz_capture(bool (*sniff)(const unsigned char *p, size_t n), taf_capture_decode *decode,
    const uint8_t *data, size_t size)
{
	fuzz_capture_by(sniff, decode, false, data, size);
}

#endif
