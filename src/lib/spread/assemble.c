/* SPDX-License-Identifier: ISC */
#include "spread/assemble.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/digest.h"
#include "base/endian.h"
#include "codec/taf_file.h"
#include "io/at.h"
#include "op/digest/checksum.h"
#include "op/move/concat.h"
#include "op/move/join.h"
#include "spread/output.h"
#include "spread/pipeline.h"
#include "spread/slab.h"
#include "spread/state.h"
#include "spread/subtree.h"
#include "stream/reader.h"
#include "stream/relay.h"
#include "stream/writer.h"

/* What all slabs say together. */
struct results {
	const struct taf_plan *plan;
	const struct taf_service *service;
	bool ours;		/* what is placed is as it was written */
	struct taf_array a;	/* the first one's descriptor, then that of all */
	struct taf_path first;	/* its name */
	struct taf_fit fit;
	struct taf_slab layout;	/* of all that are placed */
	bool placed;		/* all of them */
	struct taf_subtrees sum;	/* of those that are placed */
	struct taf_blake3_node *checksum;	/* NULL if it is not asked for */
	unsigned dim;
	struct taf_path data;	/* the file of it, and -1 if it is not there */
	int fd;
	/* while results are compared, several at once */
	uint64_t next, given, bad;	/* given in bytes; bad from 1, 0: none */
	struct piece {
		uint64_t k;
		struct taf_slab s;
		bool good;		/* as it was written */
		unsigned char *block;
	} *piece;
};

/* All of a TAF file but the elements, which begin behind *header bytes. */
static enum taf_status
put_frame(const struct taf_array *a, struct taf_buf *to, size_t *header,
    struct taf_err *e)
{
	unsigned char text[TAF_HEADER_MAX];
	struct taf_array file = { 0 };
	struct taf_buf tail = { 0 };
	enum taf_status st = taf_file_shape(a, &file, e);

	if (st == TAF_OK)
		st = taf_tail_format(a, &tail, e);
	if (st == TAF_OK) {
		*header = taf_header_format(&file, text);
		st = taf_buf_put(to, text, *header, e);
	}
	if (st == TAF_OK)
		st = taf_buf_put(to, tail.data, tail.len, e);
	taf_buf_free(&tail);
	taf_array_fini(&file);
	return st;
}

/* --- placed ones --- */

/* Bytes of the file of data, which another machine may have written a moment ago. */
static enum taf_status
read_late(int fd, unsigned char *to, size_t n, uint64_t at, struct taf_err *e)
{
	enum { TRIES = 50 };
	enum taf_status st = TAF_OK;
	int i;

	for (i = 0; i < TRIES; i++) {
		taf_err_clear(e);
		st = taf_read_at(fd, to, n, at, e);
		if (st != TAF_ETRUNC)
			break;
		taf_nap(0.1);
	}
	return st;
}

/* Are the left bytes at offset at those of the slab's digest?  TAF_END where not. */
static enum taf_status
verify(const struct results *r, const struct piece *piece, uint64_t at, uint64_t left,
    struct taf_err *e)
{
	const struct taf_slab *s = &piece->s;
	uint64_t digest = taf_digest(0, s->head.data, s->head.len);
	enum taf_status st = TAF_OK;
	size_t n;

	for (; left > 0 && st == TAF_OK; at += n, left -= n) {
		n = left < TAF_SLAB_BLOCK ? (size_t)left : TAF_SLAB_BLOCK;
		st = read_late(r->fd, piece->block, n, at, e);
		digest = taf_digest(digest, piece->block, n);
	}
	if (st == TAF_OK)
		digest = taf_digest(digest, s->tail.data, s->tail.len);
	return st == TAF_OK && digest != s->digest ? TAF_END : st;
}

/* The ends of a slab to their place, if the bytes between are there: else TAF_END. */
static enum taf_status
settle(const struct results *r, const struct piece *piece, struct taf_err *e)
{
	const struct taf_slab *s = &piece->s;
	uint64_t at, left;
	enum taf_status st = TAF_OK;

	taf_slab_pages(s->at, s->bytes, &at, &left);
	if (s->head.len != at - s->at || s->tail.len != s->at + s->bytes - at - left)
		return TAF_END;
	if (!r->ours)
		st = verify(r, piece, at, left, e);
	else if (left > 0)
		st = read_late(r->fd, piece->block, 1, at + left - 1, e);
	if (st == TAF_ETRUNC)
		return TAF_END;
	if (st == TAF_OK)
		st = taf_write_at(r->fd, s->head.data, s->head.len, s->at, e);
	if (st == TAF_OK)
		st = taf_write_at(r->fd, s->tail.data, s->tail.len,
		    s->at + s->bytes - s->tail.len, e);
	return st;
}

/* What the nodes of all slabs make. */
static enum taf_status
sum_up(struct results *r, struct taf_err *e)
{
	const struct taf_checksum_want want = { .values = false };
	struct taf_blake3_node data;
	const enum taf_status st = taf_subtrees_end(&r->sum, &data, e);

	return st != TAF_OK ? st :
	    taf_checksum_array(&r->a, &want, &data, r->checksum, e);
}

/* The file of data becomes the output: with a header, and what stands behind the data. */
static enum taf_status
finish_placed(struct results *r, struct taf_err *e)
{
	struct taf_buf frame = { 0 };
	enum taf_status st;
	uint64_t end = 0;
	size_t n = 0;

	st = put_frame(&r->a, &frame, &n, e);
	if (st == TAF_OK) {
		end = n + taf_array_bytes(&r->a);
		st = taf_write_at(r->fd, frame.data, n, 0, e);
	}
	if (st == TAF_OK)
		st = taf_write_at(r->fd, frame.data + n, frame.len - n, end, e);
	if (st == TAF_OK && ftruncate(r->fd, (off_t)(end + frame.len - n)) != 0)
		st = taf_fail_sys(e, "%s: cannot write", r->data.s);
	if (st == TAF_OK && r->checksum != NULL)
		st = sum_up(r, e);
	if (st == TAF_OK)
		st = taf_sync_file(r->fd, e);
	if (st == TAF_OK)
		st = taf_output_place(r->plan, e);
	taf_buf_free(&frame);
	return st;
}

/* --- files of slabs --- */

/* Would both be the same file?  TAF_EDATA where they would not. */
static enum taf_status
compare_frames(const struct taf_array *a, const struct taf_array *b, struct taf_err *e)
{
	struct taf_buf x = { 0 }, y = { 0 };
	size_t n;
	enum taf_status st = put_frame(a, &x, &n, e);

	if (st == TAF_OK)
		st = put_frame(b, &y, &n, e);
	if (st == TAF_OK && (x.len != y.len || memcmp(x.data, y.data, x.len) != 0))
		st = TAF_EDATA;
	taf_buf_free(&x);
	taf_buf_free(&y);
	return st;
}

/* TAF_END where the file at path is not whole, TAF_EDATA where it is another one. */
static enum taf_status
compare_file(const char *path, const struct taf_slab *s, unsigned char *block,
    struct taf_err *e)
{
	struct taf_reader *r = NULL;
	struct taf_array a = { 0 };
	enum taf_status st = taf_reader_open(&r, path, TAF_READ_SILENTLY, e);
	uint64_t digest = 0, left = 0;
	size_t n, size = 1;

	if (st == TAF_OK)
		st = taf_reader_next(r, &a, e);
	if (st == TAF_OK) {
		size = taf_type_size(a.type);
		left = taf_reader_left(r);
	}
	for (; st == TAF_OK && left > 0; left -= n) {
		n = left < TAF_SLAB_BLOCK / size ? (size_t)left : TAF_SLAB_BLOCK / size;
		st = taf_reader_read(r, block, n, e);
		if (st == TAF_OK)
			digest = taf_digest(digest, block, n * size);
	}
	if (st == TAF_OK)
		st = taf_reader_finish(r, &a, e);
	if (st == TAF_EDATA || st == TAF_ETRUNC || (st == TAF_ESYS && e->sys == ENOENT))
		st = TAF_END;
	if (st == TAF_OK)
		st = digest != s->digest ? TAF_EDATA : compare_frames(&a, &s->a, e);
	taf_reader_close(r);
	taf_array_fini(&a);
	return st;
}

/* The same, with time for what another machine has written a moment ago. */
static enum taf_status
verify_file(const struct results *r, const struct piece *piece, struct taf_err *e)
{
	const struct taf_path path = taf_slab_part(r->plan, piece->k);
	enum taf_status st;

	do {
		taf_err_clear(e);
		st = compare_file(path.s, &piece->s, piece->block, e);
	} while (st == TAF_END && taf_fields_patient());
	return st == TAF_EDATA ? TAF_END : st;
}

/* At the elements of a result, and its descriptor. */
static enum taf_status
open_result(const struct results *r, uint64_t k, struct taf_reader **from,
    struct taf_array *a, struct taf_err *e)
{
	struct taf_in *in = NULL;
	struct taf_slab s;
	enum taf_status st = taf_slab_look(r->plan, k, &s, e);

	if (st == TAF_OK && s.placed) {
		taf_array_move(a, &s.a);
		st = taf_in_open(&in, r->data.s, e);
		if (st == TAF_OK) {
			taf_in_seek(in, s.at);
			st = taf_reader_raw(from, in, a, taf_host_is_big(), e);
		}
	} else if (st == TAF_OK) {
		st = taf_reader_open(from, taf_slab_part(r->plan, k).s,
		    TAF_READ_SILENTLY, e);
		if (st == TAF_OK)
			st = taf_reader_next(*from, a, e);
	}
	taf_slab_fini(&s);
	return st;
}

/* One result, elements only, to w. */
static enum taf_status
pass_on(const struct results *r, uint64_t k, struct taf_writer *w, struct taf_err *e)
{
	const struct taf_path name = taf_plan_name(r->plan, k);
	struct taf_array a = { 0 };
	struct taf_join_part part = { .a = &a, .name = name.s };
	enum taf_status st = open_result(r, k, &part.r, &a, e);

	if (st == TAF_OK) {
		part.run = taf_array_count(&a);
		st = taf_join_pass(&part, &r->a, w, e);
	}
	taf_values_close(part.v);
	taf_reader_close(part.r);
	taf_array_fini(&a);
	return st;
}

/* Results that follow each other in the file, of any length each. */
static enum taf_status
write_last(struct results *r, struct taf_writer *w, struct taf_err *e)
{
	enum taf_status st = taf_writer_begin(w, &r->a, TAF_NEXT_NO, e);
	uint64_t k;

	for (k = 0; st == TAF_OK && k < r->plan->slabs; k++)
		st = pass_on(r, k, w, e);
	return st == TAF_OK ? taf_writer_end(w, &r->a, e) : st;
}

/* Results along an inner dimension: as tafappend has it. */
static enum taf_status
write_inner(struct results *r, struct taf_writer *w, struct taf_err *e)
{
	const struct taf_service told = { 0 };	/* of what differs: see go_with */
	struct taf_concat *c = NULL;
	struct taf_array a = { 0 };
	enum taf_status st = taf_concat_open(&c, &r->dim,
	    (size_t)r->service->memory, e);
	uint64_t k;

	for (k = 0; st == TAF_OK && k < r->plan->slabs; k++)
		st = taf_concat_add(c, taf_slab_part(r->plan, k).s, e);
	if (st == TAF_OK)
		st = taf_concat_shape(c, &a, &told, e);
	if (st == TAF_OK)
		st = taf_writer_begin(w, &a, TAF_NEXT_NO, e);
	if (st == TAF_OK)
		st = taf_concat_write(c, w, e);
	if (st == TAF_OK)
		st = taf_writer_end(w, &a, e);
	taf_concat_close(c);
	taf_array_fini(&a);
	return st;
}

static enum taf_status
finish_parts(struct results *r, struct taf_err *e)
{
	bool last = !taf_type_is_pair(r->a.type);
	struct taf_writer *w = NULL;
	enum taf_status st;
	unsigned i;

	for (i = r->dim; i < r->a.ndim; i++)
		last = last && r->a.dim[i].n == 1;
	st = taf_output_open(r->plan, &w, e);
	if (st == TAF_OK)
		st = last ? write_last(r, w, e) : write_inner(r, w, e);
	return taf_output_close(r->plan, w, st, e);
}

/* --- a pipeline that joins --- */

/* The one array that comes from it, to the output. */
static enum taf_status
take_joined(void *ctx, struct taf_reader *r, struct taf_array *a, struct taf_err *e)
{
	struct taf_writer *w = ctx;
	enum taf_status st = taf_writer_begin(w, a, TAF_NEXT_NO, e);

	if (st == TAF_OK)
		st = taf_writer_copy(w, r, taf_reader_left(r), e);
	if (st == TAF_OK)
		st = taf_reader_finish(r, a, e);
	return st == TAF_OK ? taf_writer_end(w, a, e) : st;
}

/*
 * What the joining pipeline makes becomes the output, once it has ended well: its
 * programs know no name to give to it.
 */
static enum taf_status
finish_joined(struct results *r, struct taf_err *e)
{
	struct taf_pipeline pipeline = { .text = r->plan->join, .name = "--join",
		.input = "/dev/null", .feed = true, .number = "all", .said = 2,
		.failed = "--join: the pipeline has failed: ", .take = take_joined };
	struct taf_writer *w = NULL;

	if (taf_output_open(r->plan, &w, e) != TAF_OK)
		return e->code;
	pipeline.ctx = w;
	return taf_output_close(r->plan, w, taf_pipeline_run(r->plan, &pipeline, e), e);
}

/* --- all --- */

static enum taf_status
take(void *ctx, unsigned slot, bool *more, struct taf_err *e)
{
	struct results *r = ctx;

	(void)e;
	*more = r->next < r->plan->slabs;
	r->piece[slot].k = r->next++;
	return TAF_OK;
}

/* Is the place of a result that of the others?  Their layout may be a later one. */
static bool
at_home(const struct results *r, const struct taf_array *a)
{
	struct taf_err none = { 0 };

	return taf_join_alike(&r->layout.a, a) &&
	    taf_fit_shape(r->dim - 1, &r->layout.a, a, &none) == TAF_OK;
}

/* The record of a slab, and its bytes. */
static enum taf_status
compare(void *ctx, unsigned slot, struct taf_err *e)
{
	const struct results *r = ctx;
	struct piece *piece = &r->piece[slot];
	enum taf_status st;

	do
		st = taf_slab_look(r->plan, piece->k, &piece->s, e);
	while (st == TAF_END && taf_fields_patient());
	if (st == TAF_EDATA)
		st = TAF_END;
	if (st == TAF_OK && piece->s.placed && !at_home(r, &piece->s.a))
		st = TAF_END;
	if (st == TAF_OK)
		st = piece->s.placed ? settle(r, piece, e) : verify_file(r, piece, e);
	piece->good = st == TAF_OK;
	if (st != TAF_END)
		return st;
	taf_err_clear(e);
	return taf_slab_forget(r->plan, piece->k, e);
}

/* The nodes of a slab that is placed, behind those before it. */
static enum taf_status
add_nodes(struct results *r, const struct piece *piece, struct taf_err *e)
{
	const struct taf_slab *s = &piece->s;
	uint64_t lo = 0, hi = 0;

	taf_plan_slab(r->plan, piece->k, &lo, &hi);
	r->sum.fd = r->fd;
	r->sum.at = s->at - s->first;
	r->sum.bytes = s->bytes / (hi - lo) * r->plan->points;
	return taf_subtrees_add(&r->sum, s->first, s->bytes, &s->nodes, e);
}

/* Does a slab go with those before it? */
static enum taf_status
go_with(struct results *r, struct piece *piece, struct taf_err *e)
{
	if (r->a.ndim > 0)
		return taf_fit_add(&r->fit, &piece->s.a,
		    taf_plan_name(r->plan, piece->k).s, e);
	taf_array_move(&r->a, &piece->s.a);
	r->first = taf_plan_name(r->plan, piece->k);
	return taf_fit_add(&r->fit, &r->a, r->first.s, e);
}

/* What a slab adds to those before it. */
static enum taf_status
add(void *ctx, unsigned slot, struct taf_err *e)
{
	struct results *r = ctx;
	struct piece *piece = &r->piece[slot];
	enum taf_status st = TAF_OK;

	r->given += taf_array_bytes(&piece->s.a);
	if (!piece->good && r->bad == 0)
		r->bad = piece->k + 1;
	r->placed = r->placed && piece->s.placed;
	/* a pipeline that joins has rules of its own */
	if (r->plan->join == NULL && r->bad == 0)
		st = go_with(r, piece, e);
	if (st == TAF_OK && r->checksum != NULL && r->placed && r->bad == 0)
		st = add_nodes(r, piece, e);
	taf_slab_fini(&piece->s);
	taf_progress(r->service, r->given, 0);
	return st;
}

/* That of the first result; of no dimension where it does not come. */
static enum taf_status
find_layout(struct results *r, struct taf_err *e)
{
	enum taf_status st;

	do
		st = taf_slab_layout(r->plan, &r->layout, e);
	while (st == TAF_END && taf_fields_patient());
	if (st != TAF_END && st != TAF_EDATA)
		return st;
	taf_err_clear(e);
	taf_array_init(&r->layout.a);
	return TAF_OK;
}

/* What all results are together, and whether each has its place. */
static enum taf_status
gather(struct results *r, struct taf_err *e)
{
	const struct taf_relay relay = { r, take, compare, add };
	unsigned threads = taf_threads(r->service), i;
	enum taf_status st = TAF_OK;
	unsigned char *blocks;

	if (threads > TAF_THREADS_MOST)
		threads = TAF_THREADS_MOST;
	if (threads > r->plan->slabs)
		threads = (unsigned)r->plan->slabs;
	r->piece = calloc(threads, sizeof *r->piece);
	blocks = taf_alloc(threads, TAF_SLAB_BLOCK);
	if (r->piece == NULL || blocks == NULL)
		st = taf_fail_mem(e);
	for (i = 0; st == TAF_OK && i < threads; i++)
		r->piece[i].block = blocks + (size_t)i * TAF_SLAB_BLOCK;
	r->placed = true;
	if (st == TAF_OK && r->plan->join == NULL)
		st = find_layout(r, e);
	if (st == TAF_OK)
		st = taf_relay(&relay, threads, e);
	for (i = 0; r->piece != NULL && i < threads; i++)
		taf_slab_fini(&r->piece[i].s);
	free(r->piece);
	free(blocks);
	if (st == TAF_OK && r->bad != 0)
		st = taf_fail(e, TAF_END,
		    "slab %llu is not as it was written: it has to be done again",
		    (unsigned long long)r->bad);
	return st != TAF_OK || r->plan->join != NULL ? st :
	    taf_fit_end(&r->fit, &r->a, r->service, e);
}

/* The output, whose results had no places in it, is read for its checksum. */
static enum taf_status
sum_again(const struct results *r, struct taf_err *e)
{
	taf_remark(r->service,
	    "%s is read once more for its checksum: results had no places in it",
	    r->plan->output);
	return taf_output_checksum(r->plan, r->service, r->checksum, e);
}

enum taf_status
taf_assemble(const struct taf_plan *p, bool ours, const struct taf_service *service,
    struct taf_blake3_node *checksum, struct taf_err *e)
{
	struct results r = { .plan = p, .service = service, .ours = ours, .dim = p->dim,
		.fit.dim = p->dim - 1, .data = taf_plan_file(p, "data"), .fd = -1,
		.checksum = p->checksum != 0 ? checksum : NULL };
	enum taf_status st = TAF_OK;

	r.fd = open(r.data.s, O_RDWR | O_CLOEXEC | O_NOCTTY);
	if (r.fd < 0 && errno != ENOENT)
		st = taf_fail_sys(e, "%s: cannot write", r.data.s);
	/* now that it is open: another one may have made the output of it */
	if (st == TAF_OK)
		st = taf_output_ours(p, e);
	if (st == TAF_OK)
		st = gather(&r, e);
	if (st == TAF_OK)
		st = p->join != NULL ? finish_joined(&r, e) :
		    r.placed ? finish_placed(&r, e) : finish_parts(&r, e);
	if (st == TAF_OK && r.checksum != NULL && (p->join != NULL || !r.placed))
		st = sum_again(&r, e);
	if (r.fd >= 0 && close(r.fd) != 0 && st == TAF_OK)
		st = taf_fail_sys(e, "%s: cannot write", r.data.s);
	if (st == TAF_OK)
		st = taf_state_remove(p, e);
	taf_subtrees_fini(&r.sum);
	taf_fit_fini(&r.fit);
	taf_slab_fini(&r.layout);
	taf_array_fini(&r.a);
	return st;
}
