/* SPDX-License-Identifier: ISC */
#include "stream/reorder_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/half.h"
#include "io/spool.h"
#include "kernel/move/permute_plan.h"
#include "kernel/number/convert_private.h"
#include "kernel/number/recode.h"
#include "stream/permute.h"

enum {
	BLOCK = 256 * 1024,
	SCRATCH = 4096		/* of a read that is recoded, on its thread's stack */
};

struct job {
	const struct taf_reorder *how;
	struct taf_reader *r;		/* where elements come from: this, */
	struct taf_in *in;		/* or this, in order, */
	bool swap_in;			/* in the other byte order */
	const unsigned char *map;	/* all of r's elements, or NULL */
	enum taf_type from, to;
	size_t isize, osize;
	uint64_t count;
	struct taf_recode values;	/* for TAF_CHANGE_MAP */
	bool plain;			/* bytes stay as they are */
	bool swap_out;
	struct taf_out *random;		/* where the result is written at offsets, */
	uint64_t base;			/* from this one on; or NULL */
	unsigned ndim;
	uint64_t n[TAF_MAX_DIM];
	size_t memory;
};

static enum taf_type
result(enum taf_change recode, enum taf_type type)
{
	switch (recode) {
	case TAF_CHANGE_HALF:
		return TAF_FLT32;
	case TAF_CHANGE_MAP:
		return TAF_FLT64;
	case TAF_CHANGE_NARROW:
		return TAF_UINT16;
	case TAF_CHANGE_NONE:
		break;
	}
	return type;
}

static void
describe(struct job *j, const struct taf_reorder *how, const struct taf_array *a)
{
	unsigned k;

	memset(j, 0, sizeof *j);
	j->how = how;
	j->from = a->type;
	j->to = result(how->recode, a->type);
	j->isize = taf_type_size(j->from);
	j->osize = taf_type_size(j->to);
	j->count = taf_array_count(a);
	j->values = (struct taf_recode){ .from = j->from, .to = j->to,
	    .from_mapped = true, .from_map = { a->intercept, a->slope } };
	j->swap_out = how->out != NULL && taf_swap_needed(j->to, false);
	j->plain = how->recode == TAF_CHANGE_NONE && !j->swap_out;
	j->ndim = a->ndim;
	for (k = 0; k < a->ndim; k++)
		j->n[k] = a->dim[k].n;
	j->memory = how->memory < SIZE_MAX ? (size_t)how->memory : SIZE_MAX;
}

static void
recode(const struct job *j, void *dst, const void *src, size_t n)
{
	switch (j->how->recode) {
	case TAF_CHANGE_NONE:
		memcpy(dst, src, n * j->isize);
		break;
	case TAF_CHANGE_HALF:
		taf_half_to_flt32(dst, src, n);
		break;
	case TAF_CHANGE_MAP:
		/* every value fits flt64 */
		(void)taf_recode(&j->values, dst, src, n, NULL);
		break;
	case TAF_CHANGE_NARROW:
		taf_half_from_flt32(dst, src, n);
		break;
	}
	if (j->swap_out)
		taf_swap_elements(dst, j->to, n);
}

static enum taf_status
put(const struct job *j, const void *p, size_t n, struct taf_err *e)
{
	if (j->how->out != NULL)
		return taf_out_write(j->how->out, p, n * j->osize, e);
	return taf_writer_put(j->how->writer, p, n, e);
}

static enum taf_status
get(const struct job *j, void *p, size_t n, struct taf_err *e)
{
	enum taf_status st;

	if (j->r != NULL)
		return taf_reader_read(j->r, p, n, e);
	st = taf_in_read(j->in, p, n * j->isize, e);
	if (st == TAF_OK && j->swap_in)
		taf_swap_elements(p, j->from, n);
	return st;
}

/* All elements of an input in the order and with the bytes they have. */
static enum taf_status
forward(const struct taf_reorder *how, struct taf_in *in, uint64_t n, size_t size,
    struct taf_err *e)
{
	return how->out != NULL ? taf_out_copy(how->out, in, n * size, e) :
	    taf_writer_move(how->writer, in, n, e);
}

/* No element changes its place. */
static enum taf_status
in_order(const struct job *j, struct taf_err *e)
{
	const size_t most = BLOCK / (j->osize > j->isize ? j->osize : j->isize);
	const struct taf_reorder *how = j->how;
	enum taf_status st = TAF_OK;
	uint64_t left = j->count;
	unsigned char *from, *to;

	if (j->plain && j->in != NULL && !j->swap_in)
		return forward(how, j->in, left, j->isize, e);
	if (j->plain && j->r != NULL)
		return how->out != NULL ? taf_reader_copy(j->r, how->out, left, e) :
		    taf_writer_copy(how->writer, j->r, left, e);
	from = taf_alloc(1, BLOCK);
	to = j->plain ? from : taf_alloc(1, BLOCK);
	if (from == NULL || to == NULL)
		st = taf_fail_mem(e);
	while (left > 0 && st == TAF_OK) {
		size_t n = left < most ? (size_t)left : most;

		st = get(j, from, n, e);
		if (st == TAF_OK && !j->plain)
			recode(j, to, from, n);
		if (st == TAF_OK)
			st = put(j, to, n, e);
		left -= n;
	}
	if (to != from)
		free(to);
	free(from);
	return st;
}

static enum taf_status
read_at(void *ctx, void *buf, uint64_t off, size_t bytes, struct taf_err *e)
{
	const struct job *j = ctx;
	uint64_t first = off / j->osize;
	size_t n = bytes / j->osize;
	unsigned char scratch[SCRATCH], *to = buf;
	enum taf_status st = TAF_OK;

	if (j->map != NULL && j->plain)
		memcpy(buf, j->map + first * j->isize, bytes);
	else if (j->map != NULL)
		recode(j, buf, j->map + first * j->isize, n);
	else if (j->plain)
		st = taf_reader_at(j->r, buf, first, n, e);
	else
		while (n > 0 && st == TAF_OK) {
			size_t part = n < SCRATCH / j->isize ? n : SCRATCH / j->isize;

			st = taf_reader_at(j->r, scratch, first, part, e);
			if (st == TAF_OK)
				recode(j, to, scratch, part);
			first += part;
			to += part * j->osize;
			n -= part;
		}
	return st;
}

static enum taf_status
write_at(void *ctx, const void *buf, uint64_t off, size_t n, struct taf_err *e)
{
	const struct job *j = ctx;

	if (j->random != NULL)
		return taf_out_pwrite(j->random, buf, n, j->base + off, e);
	return put(j, buf, n / j->osize, e);
}

static enum taf_status
permute(struct job *j, struct taf_err *e)
{
	const struct taf_permute_io io = { .ctx = j, .read = read_at, .write = write_at,
	    .sequential = j->random == NULL, .map = j->plain ? j->map : NULL };
	const uint64_t bytes = j->count * j->osize;
	enum taf_status st = TAF_OK;

	/* a large one is likely to be on a disk, and is written in small pieces */
	if (j->random != NULL && bytes > j->memory)
		st = taf_out_reserve(j->random, j->base, bytes, e);
	if (st != TAF_OK)
		return st;
	return taf_permute(&io, &(struct taf_permute_shape){ j->osize, j->ndim, j->n,
	    j->how->order }, j->memory, j->how->jobs, e);
}

/* Through a temporary file that can be written at any offset. */
static enum taf_status
permute_spooled(struct job *j, struct taf_err *e)
{
	struct taf_spool spool;
	struct taf_in *in;
	enum taf_status st;

	st = taf_spool_region(&spool, j->count * j->osize, &j->base, e);
	j->random = spool.out;
	if (st == TAF_OK)
		st = permute(j, e);
	st = taf_spool_end(&spool, st, "temporary file", &in, e);
	if (st != TAF_OK)
		return st;
	st = forward(j->how, in, j->count, j->osize, e);
	taf_in_close(in);
	return st;
}

size_t
taf_reorder_size(const struct taf_reorder *how, const struct taf_array *a)
{
	return taf_type_size(result(how->recode, a->type));
}

bool
taf_reorder_moves(const struct taf_array *a, const unsigned order[])
{
	struct taf_permutation p;
	uint64_t n[TAF_MAX_DIM];
	unsigned k;

	if (order == NULL)
		return false;
	for (k = 0; k < a->ndim; k++)
		n[k] = a->dim[k].n;
	/* what is no permutation is left to taf_permute, which refuses it */
	return !taf_permute_reduce(&p, taf_type_size(a->type), a->ndim, n, order) ||
	    (p.bytes > 0 && p.nd > 1);
}

/* Is it a request that can be understood? */
static enum taf_status
check(const struct taf_reorder *how, const struct taf_array *a, struct taf_err *e)
{
	bool suits = how->recode == TAF_CHANGE_NONE;

	if (taf_array_sound(a, e) != TAF_OK)
		return e->code;
	if (how->recode == TAF_CHANGE_HALF)
		suits = a->type == TAF_UINT16;
	else if (how->recode == TAF_CHANGE_MAP)
		suits = taf_array_mapped(a) && !taf_type_is_pair(a->type);
	else if (how->recode == TAF_CHANGE_NARROW)
		suits = a->type == TAF_FLT32;
	if (!suits)
		return taf_fail(e, TAF_EMISUSE,
		    "internal: a change that does not suit %s", taf_type_name(a->type));
	if (how->order != NULL && !taf_permute_is(a->ndim, how->order))
		return taf_fail(e, TAF_EMISUSE, "internal: no order");
	return how->writer != NULL || how->out != NULL ? TAF_OK :
	    taf_fail(e, TAF_EMISUSE, "internal: no output");
}

enum taf_status
taf_reorder(const struct taf_reorder *how, struct taf_reader *r,
    const struct taf_array *a, struct taf_err *e)
{
	enum taf_status st;
	struct job j;

	if (check(how, a, e) != TAF_OK || taf_reader_before(r, a, e) != TAF_OK)
		return e->code;
	describe(&j, how, a);
	j.r = r;
	if (!taf_reorder_moves(a, how->order))
		return in_order(&j, e);
	st = taf_reader_random(r, e);
	if (st != TAF_OK)
		return st;
	j.map = taf_reader_map(r);
	if (how->out == NULL) {
		st = taf_writer_region(how->writer, &j.random, &j.base, e);
	} else if (taf_out_seekable(how->out)) {
		j.random = how->out;
		st = taf_out_region(how->out, j.count * j.osize, &j.base, e);
	}
	if (st != TAF_OK)
		return st;
	if (j.random == NULL &&
	    taf_permute_wants_random_output(&(struct taf_permute_shape){
	    j.osize, j.ndim, j.n, how->order }, j.plain && j.map != NULL, j.memory,
	    how->jobs))
		return permute_spooled(&j, e);
	return permute(&j, e);
}

enum taf_status
taf_reorder_in(const struct taf_reorder *how, struct taf_in *in,
    const struct taf_array *a, bool big, struct taf_err *e)
{
	enum taf_status st;
	struct taf_reader *r;
	struct taf_in *part;
	struct job j;

	if (check(how, a, e) != TAF_OK)
		return e->code;
	if (!taf_reorder_moves(a, how->order)) {
		describe(&j, how, a);
		j.in = in;
		j.swap_in = taf_swap_needed(a->type, big);
		return in_order(&j, e);
	}
	st = taf_spool_part(in, taf_array_bytes(a), how->memory, &part, e);
	if (st == TAF_OK)
		st = taf_reader_raw(&r, part, a, big, e);
	if (st != TAF_OK)
		return st;
	st = taf_reorder(how, r, a, e);
	taf_reader_close(r);
	return st;
}

enum taf_status
taf_reorder_file(const struct taf_reorder *how, struct taf_reader *r,
    const struct taf_array *a, struct taf_array *ordered, struct taf_reader **to,
    struct taf_err *e)
{
	struct taf_spool spool = { .fd = -1 };
	struct taf_reorder moved = *how;
	struct taf_in *in;
	enum taf_status st = taf_spool_begin(&spool, e);
	unsigned k;

	*ordered = *a;
	for (k = 0; k < a->ndim; k++)
		ordered->dim[k] = a->dim[how->order[k]];
	moved.out = spool.out;
	if (st == TAF_OK)
		st = taf_reorder(&moved, r, a, e);
	st = taf_spool_end(&spool, st, "temporary file", &in, e);
	return st == TAF_OK ? taf_reader_raw(to, in, ordered, false, e) : st;
}
