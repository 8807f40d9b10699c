/* SPDX-License-Identifier: ISC */
#include "stream/reader_source.h"

#include "kernel/number/convert_private.h"

static enum taf_status
read_native(struct taf_elements *s, void *to, size_t n, struct taf_err *e)
{
	return taf_in_read(s->in, to, n * s->esize, e);
}

static enum taf_status
read_swapped(struct taf_elements *s, void *to, size_t n, struct taf_err *e)
{
	enum taf_status st = read_native(s, to, n, e);

	if (st == TAF_OK)
		taf_swap_elements(to, s->type, n);
	return st;
}

static enum taf_status
skip(struct taf_elements *s, uint64_t n, struct taf_err *e)
{
	return taf_in_skip(s->in, n * s->esize, e);
}

static enum taf_status
copy(struct taf_elements *s, struct taf_out *out, uint64_t n, struct taf_err *e)
{
	return taf_out_copy(out, s->in, n * s->esize, e);
}

static enum taf_status
native_at(const struct taf_elements *s, void *to, size_t n, uint64_t off,
    struct taf_err *e)
{
	return taf_in_pread(s->in, to, n * s->esize, off, e);
}

static enum taf_status
swapped_at(const struct taf_elements *s, void *to, size_t n, uint64_t off,
    struct taf_err *e)
{
	enum taf_status st = native_at(s, to, n, off, e);

	if (st == TAF_OK)
		taf_swap_elements(to, s->type, n);
	return st;
}

static const struct taf_elements_ops native = {
	true, read_native, skip, copy, native_at, NULL
}, swapped = {
	true, read_swapped, skip, NULL, swapped_at, NULL
};

const struct taf_elements_ops *
taf_elements_binary(enum taf_type type, bool big)
{
	return taf_swap_needed(type, big) ? &swapped : &native;
}
