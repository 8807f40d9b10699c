/* SPDX-License-Identifier: ISC */
#include "spread/slab.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/endian.h"
#include "codec/rsf.h"
#include "codec/taf_file.h"
#include "io/at.h"
#include "op/move/join.h"
#include "spread/pipeline.h"
#include "spread/subtree.h"
#include "stream/reader.h"
#include "stream/writer_private.h"

/* A slab at work. */
struct work {
	const struct taf_plan *plan;
	uint64_t k;
	struct taf_slab s;
	struct taf_subtree sum;	/* of one that is placed, if it is asked for */
	struct taf_writer *out;	/* of a file of its own, till the pipeline's end */
	struct taf_path path;	/* of that */
};

static const struct taf_field fields[] = {
	{ "array", TAF_FIELD_BYTES, offsetof(struct taf_slab, header) },
	{ "placed", TAF_FIELD_U64, offsetof(struct taf_slab, placed) },
	{ "digest", TAF_FIELD_U64, offsetof(struct taf_slab, digest) },
	{ "head", TAF_FIELD_BYTES, offsetof(struct taf_slab, head) },
	{ "tail", TAF_FIELD_BYTES, offsetof(struct taf_slab, tail) },
	TAF_IDENTITY_FIELDS(struct taf_slab, input),
	{ "nodes", TAF_FIELD_BYTES, offsetof(struct taf_slab, nodes) },
};
enum { LAYOUT = 1, FIELDS = sizeof fields / sizeof fields[0], NODES = FIELDS - 1 };

void
taf_slab_fini(struct taf_slab *s)
{
	taf_array_fini(&s->a);
	taf_buf_free(&s->header);
	taf_buf_free(&s->head);
	taf_buf_free(&s->tail);
	taf_buf_free(&s->nodes);
	*s = (struct taf_slab){ 0 };
}

void
taf_slab_pages(uint64_t at, uint64_t bytes, uint64_t *first, uint64_t *n)
{
	const uint64_t end = (at + bytes) / TAF_SLAB_PAGE * TAF_SLAB_PAGE;

	*first = (at + TAF_SLAB_PAGE - 1) / TAF_SLAB_PAGE * TAF_SLAB_PAGE;
	*n = end > *first ? end - *first : 0;
	/* no page of its own: all of it is a head */
	if (*n == 0)
		*first = at + bytes;
}

/* --- the record of one that is done, and that of the first result --- */

static enum taf_status
look(const struct taf_plan *p, struct taf_path path, size_t n, struct taf_slab *s,
    struct taf_err *e)
{
	struct taf_rsf rsf = { 0 };
	enum taf_status st;

	*s = (struct taf_slab){ 0 };
	taf_array_init(&s->a);
	st = taf_record_read(path.s, &p->digest, fields, n, s, e);
	if (st == TAF_OK)
		st = taf_rsf_parse(s->header.data, s->header.len, &s->a, &rsf, e);
	taf_rsf_fini(&rsf);
	/* who looks again has nothing of it */
	if (st != TAF_OK)
		taf_slab_fini(s);
	return st;
}

/* TAF_END where there is one. */
static enum taf_status
keep(const struct taf_plan *p, struct taf_path path, size_t n, struct taf_slab *s,
    struct taf_err *e)
{
	enum taf_status st;

	s->header.len = 0;
	st = taf_rsf_format(&s->a, NULL, TAF_NEXT_NO, "data", &s->header, e);
	return st != TAF_OK ? st :
	    taf_record_make(path.s, &p->digest, fields, n, s, e);
}

/*
 * Where the bytes of slab k are in the file of the result, if they may be in one piece
 * there: its descriptor says that.
 */
static enum taf_status
place(const struct taf_plan *p, uint64_t k, bool may, struct taf_slab *s,
    struct taf_err *e)
{
	struct taf_array whole = { 0 }, file = { 0 };
	uint64_t lo = 0, hi = 0;
	unsigned i;

	s->placed = 0;
	if (p->directory != NULL)
		return TAF_OK;
	if (taf_dim_there(&s->a, p->dim, e) != TAF_OK)
		return e->code;
	taf_plan_slab(p, k, &lo, &hi);
	s->bytes = taf_array_bytes(&s->a);
	s->placed = may && !taf_type_is_pair(s->a.type) && !taf_host_is_big() &&
	    s->a.dim[p->dim - 1].n == hi - lo;
	for (i = p->dim; i < s->a.ndim; i++)
		s->placed = s->placed && s->a.dim[i].n == 1;
	if (!s->placed)
		return TAF_OK;
	if (taf_array_copy(&whole, &s->a, e) == TAF_OK) {
		whole.dim[p->dim - 1].n = p->points;
		if (taf_array_check(&whole, e) == TAF_OK &&
		    taf_file_shape(&whole, &file, e) == TAF_OK) {
			s->first = lo * (s->bytes / (hi - lo));
			s->at = taf_header_size(file.ndim) + s->first;
		}
	}
	taf_array_fini(&whole);
	taf_array_fini(&file);
	return e->code;
}

enum taf_status
taf_slab_look(const struct taf_plan *p, uint64_t k, struct taf_slab *s, struct taf_err *e)
{
	const struct taf_path path = taf_plan_path(p, "done", k);
	enum taf_status st = look(p, path, NODES, s, e);

	if (st == TAF_OK)
		st = place(p, k, s->placed != 0, s, e);
	/* an older version has kept none: then the bytes are read */
	if (st == TAF_OK && p->checksum != 0 && taf_record_read(path.s, &p->digest,
	    &fields[NODES], 1, s, e) != TAF_OK)
		taf_err_clear(e);
	if (st != TAF_OK)
		taf_slab_fini(s);
	return st;
}

enum taf_status
taf_slab_keep(const struct taf_plan *p, uint64_t k, struct taf_slab *s, struct taf_err *e)
{
	struct taf_slab other;
	enum taf_status st = keep(p, taf_plan_path(p, "done", k), FIELDS, s, e);

	if (st != TAF_END)
		return st;
	/* somebody else was faster, who must have had the same */
	st = taf_slab_look(p, k, &other, e);
	if (st == TAF_END)
		st = taf_fail(e, TAF_ESYS, "%s: comes and goes",
		    taf_plan_path(p, "done", k).s);
	if (st == TAF_OK && other.digest != s->digest)
		st = taf_fail(e, TAF_EDATA, "the pipeline has given two results");
	taf_slab_fini(&other);
	return st;
}

enum taf_status
taf_slab_forget(const struct taf_plan *p, uint64_t k, struct taf_err *e)
{
	const struct taf_path path = taf_plan_path(p, "done", k);

	return unlink(path.s) == 0 || errno == ENOENT ? TAF_OK :
	    taf_fail_sys(e, "%s: cannot remove", path.s);
}

struct taf_path
taf_slab_part(const struct taf_plan *p, uint64_t k)
{
	return p->directory == NULL ? taf_path("%s.taf", taf_plan_path(p, "part", k).s) :
	    taf_path("%s/%s.taf", p->directory, taf_plan_becomes(p, k).s);
}

struct taf_path
taf_slab_messages(const struct taf_plan *p, uint64_t k)
{
	return taf_plan_path(p, "message", k);
}

/* --- the shape of the result --- */

enum taf_status
taf_slab_layout(const struct taf_plan *p, struct taf_slab *s, struct taf_err *e)
{
	return look(p, taf_plan_file(p, "layout"), LAYOUT, s, e);
}

enum taf_status
taf_slab_be_first(const struct taf_plan *p, struct taf_slab *s, struct taf_err *e)
{
	const enum taf_status st = keep(p, taf_plan_file(p, "layout"), LAYOUT, s, e);

	return st == TAF_END ? TAF_OK : st;
}

/*
 * Does the result go with the first one that has come?  Another shape never does.  One of
 * another type or mapping has no place beside it: it is converted when all are there.
 */
static enum taf_status
agree(struct work *w, bool *alike, struct taf_err *e)
{
	struct taf_slab first;
	enum taf_status st = taf_slab_layout(w->plan, &first, e);

	/* what is damaged, or left of another run, goes */
	if (st == TAF_EDATA) {
		taf_err_clear(e);
		(void)unlink(taf_plan_file(w->plan, "layout").s);
		st = TAF_END;
	}
	if (st == TAF_END) {
		st = taf_slab_be_first(w->plan, &w->s, e);
		if (st == TAF_OK)
			st = taf_slab_layout(w->plan, &first, e);
		if (st == TAF_END)
			st = taf_fail(e, TAF_ESYS, "layout: comes and goes");
	}
	if (st == TAF_OK) {
		*alike = taf_join_alike(&first.a, &w->s.a);
		st = taf_fit_shape(w->plan->dim - 1, &first.a, &w->s.a, e);
		taf_slab_fini(&first);
	}
	return st;
}

/* --- the elements --- */

/* The next n bytes of the result. */
static enum taf_status
take(struct work *w, struct taf_reader *r, void *to, size_t n, struct taf_err *e)
{
	const size_t size = taf_type_size(w->s.a.type);
	const enum taf_status st = taf_reader_read(r, to, n / size, e);

	if (st == TAF_OK) {
		w->s.digest = taf_digest(w->s.digest, to, n);
		taf_subtree_add(&w->sum, to, n);
	}
	return st;
}

static enum taf_status
take_edge(struct work *w, struct taf_reader *r, struct taf_buf *to, uint64_t n,
    struct taf_err *e)
{
	if (taf_buf_reserve(to, (size_t)n, e) != TAF_OK ||
	    take(w, r, to->data + to->len, (size_t)n, e) != TAF_OK)
		return e->code;
	to->len += (size_t)n;
	return TAF_OK;
}

static enum taf_status
write_placed(struct work *w, struct taf_reader *r, struct taf_err *e)
{
	const struct taf_path data = taf_plan_file(w->plan, "data");
	int fd = open(data.s, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	unsigned char *block = taf_alloc(1, TAF_SLAB_BLOCK);
	struct taf_slab *s = &w->s;
	uint64_t at, left;
	enum taf_status st;
	size_t n;

	if (fd < 0)
		st = taf_fail_sys(e, "%s: cannot write", data.s);
	else
		st = block != NULL ? TAF_OK : taf_fail_mem(e);
	/* now that the file is open: a later run would have made one after its plan */
	if (st == TAF_OK)
		st = taf_plan_current(w->plan, e);
	taf_slab_pages(s->at, s->bytes, &at, &left);
	if (st == TAF_OK && w->plan->checksum != 0)
		st = taf_subtree_begin(&w->sum, s->first, e);
	if (st == TAF_OK)
		st = take_edge(w, r, &s->head, at - s->at, e);
	for (; st == TAF_OK && left > 0; at += n, left -= n) {
		n = left < TAF_SLAB_BLOCK ? (size_t)left : TAF_SLAB_BLOCK;
		st = take(w, r, block, n, e);
		if (st == TAF_OK)
			st = taf_write_at(fd, block, n, at, e);
	}
	if (st == TAF_OK)
		st = take_edge(w, r, &s->tail, s->at + s->bytes - at, e);
	if (st == TAF_OK)
		st = taf_subtree_put(&w->sum, &s->nodes, e);
	/* servers tell of a full disk here at the latest */
	if (fd >= 0 && close(fd) != 0 && st == TAF_OK)
		st = taf_fail_sys(e, "%s: cannot write", data.s);
	if (st == TAF_ESYS)
		taf_err_name(e, data.s);
	free(block);
	return st;
}

static enum taf_status
write_part(struct work *w, struct taf_reader *r, struct taf_err *e)
{
	const size_t size = taf_type_size(w->s.a.type);
	const struct taf_sink sink = { .path = w->path.s, .format = TAF_FORMAT_TAF,
		.literal = true };
	unsigned char *block = taf_alloc(1, TAF_SLAB_BLOCK);
	uint64_t left = taf_reader_left(r);
	enum taf_status st;
	size_t n;

	w->path = taf_slab_part(w->plan, w->k);
	st = block != NULL ? TAF_OK : taf_fail_mem(e);
	if (st == TAF_OK)
		st = taf_writer_open(&w->out, &sink, e);
	if (st == TAF_OK)
		st = taf_writer_begin(w->out, &w->s.a, TAF_NEXT_NO, e);
	for (; st == TAF_OK && left > 0; left -= n) {
		n = left < TAF_SLAB_BLOCK / size ? (size_t)left : TAF_SLAB_BLOCK / size;
		st = take(w, r, block, n * size, e);
		if (st == TAF_OK)
			st = taf_writer_put(w->out, block, n, e);
	}
	if (st == TAF_OK)
		st = taf_reader_finish(r, &w->s.a, e);
	if (st == TAF_OK)
		st = taf_writer_end(w->out, &w->s.a, e);
	free(block);
	return st;
}

static enum taf_status
receive(void *ctx, struct taf_reader *r, struct taf_array *a, struct taf_err *e)
{
	struct work *w = ctx;
	const struct taf_plan *p = w->plan;
	bool alike = false;
	enum taf_status st = TAF_OK;

	taf_array_move(&w->s.a, a);
	while (w->s.a.ndim < p->dim)
		taf_array_add_dim(&w->s.a, 1, 1, 1);
	if (p->directory == NULL && p->join == NULL)
		st = agree(w, &alike, e);
	if (st == TAF_OK)
		st = place(p, w->k, alike, &w->s, e);
	if (st == TAF_OK)
		st = w->s.placed ? write_placed(w, r, e) : write_part(w, r, e);
	return st;
}

/* --- all of it --- */

/* What is read for slab k. */
static const char *
input_of(const struct taf_plan *p, uint64_t k)
{
	return p->directory != NULL ? p->file.name[k] : p->input;
}

enum taf_status
taf_slab_done(const struct taf_plan *p, uint64_t k, bool *is, struct taf_err *e)
{
	struct taf_identity now = { 0 };
	struct taf_slab s;
	enum taf_status st = taf_slab_look(p, k, &s, e);

	*is = st == TAF_OK;
	if (st != TAF_OK)
		return st == TAF_END ? TAF_OK : st;
	/* of a file both may have changed since */
	if (p->directory != NULL) {
		*is = taf_identity_of(input_of(p, k), &now, e) == TAF_OK &&
		    taf_identity_same(&now, &s.input) &&
		    access(taf_slab_part(p, k).s, F_OK) == 0;
		taf_err_clear(e);
		if (!*is)
			st = taf_slab_forget(p, k, e);
	}
	taf_slab_fini(&s);
	return st;
}

/* Run the pipeline, whose messages go to said, and make the record of what it makes. */
static enum taf_status
run(struct work *w, int said, struct taf_err *e)
{
	const struct taf_plan *p = w->plan;
	const bool each = p->directory != NULL;
	const struct taf_path number = taf_path("%llu", (unsigned long long)w->k);
	const struct taf_pipeline pipeline = { .text = p->pipeline, .name = "the result",
		.input = each ? input_of(p, w->k) : "/dev/null", .feed = !each,
		.number = number.s, .said = said, .failed = "", .take = receive,
		.ctx = w };
	struct taf_identity after;
	enum taf_status st = taf_pipeline_run(p, &pipeline, e);

	if (w->out != NULL)
		st = taf_writer_settle(w->out, st, e);
	if (st == TAF_OK)
		st = taf_identity_of(input_of(p, w->k), &after, e);
	if (st == TAF_OK && !taf_identity_same(&w->s.input, &after))
		st = taf_fail(e, TAF_EDATA, "the input has changed while it was read");
	return st == TAF_OK ? taf_slab_keep(p, w->k, &w->s, e) : st;
}

/* The same with a file for the messages, which is kept if it has any. */
static enum taf_status
run_heard(struct work *w, struct taf_err *e)
{
	const struct taf_path said = taf_path("%s%s",
	    taf_plan_path(w->plan, "running", w->k).s, taf_fields_here().s);
	const int fd = open(said.s, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY,
	    0600);
	struct stat sb;
	enum taf_status st;

	if (fd < 0)
		return taf_fail_sys(e, "%s: cannot write", said.s);
	st = run(w, fd, e);
	if (fstat(fd, &sb) != 0 || sb.st_size == 0 ||
	    rename(said.s, taf_slab_messages(w->plan, w->k).s) != 0)
		(void)unlink(said.s);
	(void)close(fd);
	return st;
}

enum taf_status
taf_slab_do(const struct taf_plan *p, uint64_t k, struct taf_err *e)
{
	struct work w = { .plan = p, .k = k };
	bool is;
	enum taf_status st = taf_slab_done(p, k, &is, e);

	if (st == TAF_OK && is)
		return TAF_OK;
	/* a record that is not sound */
	if (st == TAF_EDATA) {
		taf_err_clear(e);
		st = taf_slab_forget(p, k, e);
	}
	if (st == TAF_OK)
		st = taf_identity_of(input_of(p, k), &w.s.input, e);
	if (st == TAF_OK && p->directory == NULL &&
	    !taf_identity_same(&w.s.input, &p->identity))
		st = taf_plan_changed(p, e);
	if (st == TAF_OK)
		st = run_heard(&w, e);
	taf_subtree_fini(&w.sum);
	taf_slab_fini(&w.s);
	return st;
}
