#include "spread/assemble.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/endian.h"
#include "codec/taf_file.h"
#include "io/at.h"
#include "op/concat.h"
#include "op/join.h"
#include "spread/output.h"
#include "spread/proof.h"
#include "spread/shell.h"
#include "spread/slab.h"
#include "spread/state.h"
#include "stream/reader.h"
#include "stream/relay.h"
#include "stream/writer.h"

/* What all slabs say together. */
struct results {
	const struct taf_plan *plan;
	const struct taf_service *service;
	bool ours;		/* what is placed is as it was written */
	struct taf_array a;	/* the first one's descriptor, then that of all */
	struct taf_buf first;	/* its name */
	struct taf_fit fit;
	struct taf_array layout;	/* of all that are placed */
	bool placed;		/* all of them */
	unsigned dim;
	int fd;			/* of the file of data, or -1 */
	/* while results are compared, several at once */
	uint64_t next, given, bad;	/* given in bytes; bad from 1, 0: none */
	struct piece {
		uint64_t k;
		struct taf_slab s;
		bool good;		/* as it was written */
		unsigned char *block;
	} *piece;
};

/* --- placed ones --- */

/* Bytes of the file of data, which another machine may have written a moment ago. */
static enum taf_status
read_late(int fd, unsigned char *to, size_t n, uint64_t at, struct taf_err *e)
{
	enum { TRIES = 50, NAP = 100 * 1000 };
	enum taf_status st = TAF_OK;
	int i;

	for (i = 0; i < TRIES; i++) {
		taf_err_clear(e);
		st = taf_read_at(fd, to, n, at, e);
		if (st != TAF_ETRUNC)
			break;
		(void)usleep(NAP);
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

/* The file of data becomes the output: with a header, and what stands behind the data. */
static enum taf_status
finish_placed(struct results *r, struct taf_err *e)
{
	unsigned char header[TAF_HEADER_MAX];
	struct taf_array file = { 0 };
	struct taf_buf tail = { 0 };
	enum taf_status st;
	uint64_t end = 0;
	size_t n;

	st = taf_file_shape(&r->a, &file, e);
	if (st == TAF_OK)
		st = taf_tail_format(&r->a, &tail, e);
	if (st == TAF_OK) {
		n = taf_header_format(&file, header);
		end = n + taf_array_bytes(&r->a);
		st = taf_write_at(r->fd, header, n, 0, e);
	}
	if (st == TAF_OK)
		st = taf_write_at(r->fd, tail.data, tail.len, end, e);
	if (st == TAF_OK && ftruncate(r->fd, (off_t)(end + tail.len)) != 0)
		st = taf_fail_sys(e, "%s: cannot write", r->plan->data);
	if (st == TAF_OK)
		st = taf_sync_file(r->fd, e);
	if (st == TAF_OK)
		st = taf_output_place(r->plan, e);
	taf_buf_free(&tail);
	taf_array_fini(&file);
	return st;
}

/* --- files of slabs --- */

/* At the elements of a result, and its descriptor. */
static enum taf_status
open_result(const struct results *r, uint64_t k, struct taf_reader **from,
    struct taf_array *a, struct taf_err *e)
{
	struct taf_buf path = { 0 };
	struct taf_in *in = NULL;
	struct taf_slab s;
	enum taf_status st = taf_slab_look(r->plan, k, &s, e);

	if (st == TAF_OK && s.placed) {
		taf_array_move(a, &s.a);
		st = taf_in_open(&in, r->plan->data, e);
		if (st == TAF_OK) {
			taf_in_seek(in, s.at);
			st = taf_reader_raw(from, in, a, taf_host_is_big(), e);
		}
	} else if (st == TAF_OK) {
		st = taf_slab_part(r->plan, k, &path, e);
		if (st == TAF_OK)
			st = taf_reader_open(from, path.data, TAF_READ_SILENTLY, e);
		if (st == TAF_OK)
			st = taf_reader_next(*from, a, e);
	}
	taf_buf_free(&path);
	taf_slab_fini(&s);
	return st;
}

/* One result, elements only, to w. */
static enum taf_status
pass_on(const struct results *r, uint64_t k, struct taf_writer *w, struct taf_err *e)
{
	struct taf_buf name = { 0 };
	struct taf_array a = { 0 };
	struct taf_join_part part = { .a = &a };
	enum taf_status st = taf_plan_name(r->plan, k, &name, e);

	if (st == TAF_OK)
		st = open_result(r, k, &part.r, &a, e);
	if (st == TAF_OK) {
		part.name = name.data;
		part.run = taf_array_count(&a);
		st = taf_join_pass(&part, &r->a, w, e);
	}
	taf_values_close(part.v);
	taf_reader_close(part.r);
	taf_array_fini(&a);
	taf_buf_free(&name);
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
	struct taf_buf path = { 0 };
	struct taf_array a = { 0 };
	enum taf_status st = taf_concat_open(&c, &r->dim,
	    (size_t)r->service->memory, e);
	uint64_t k;

	for (k = 0; st == TAF_OK && k < r->plan->slabs; k++) {
		st = taf_slab_part(r->plan, k, &path, e);
		if (st == TAF_OK)
			st = taf_concat_add(c, path.data, e);
	}
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
	taf_buf_free(&path);
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

/* The one array that comes from a pipe, to w. */
static enum taf_status
take_joined(int fd, struct taf_writer *w, struct taf_err *e)
{
	struct taf_reader *r = NULL;
	struct taf_array a = { 0 };
	struct taf_in *in = NULL;
	enum taf_status st = taf_in_fd(&in, fd, "--join", e);

	if (st != TAF_OK)
		(void)close(fd);
	else
		st = taf_reader_new(&r, in, NULL, 0, e);
	if (st == TAF_OK)
		st = taf_reader_next(r, &a, e);
	if (st == TAF_OK)
		st = taf_writer_begin(w, &a, TAF_NEXT_NO, e);
	if (st == TAF_OK)
		st = taf_writer_copy(w, r, taf_reader_left(r), e);
	if (st == TAF_OK)
		st = taf_reader_finish(r, &a, e);
	if (st == TAF_OK)
		st = taf_writer_end(w, &a, e);
	if (st == TAF_OK)
		st = taf_reader_last(r, e);
	taf_reader_close(r);
	taf_array_fini(&a);
	return st == TAF_ETRUNC || st == TAF_END ? TAF_EDATA : st;
}

/* Has it?  What could write no more, since we have failed, has not failed itself. */
static bool
ended_well(int how, enum taf_status st)
{
	return WIFEXITED(how) && (WEXITSTATUS(how) == 0 ||
	    (st != TAF_OK && WEXITSTATUS(how) == 128 + SIGPIPE));
}

/* Start the pipeline that joins, which writes to *from. */
static enum taf_status
start_joining(const struct taf_plan *p, pid_t *pid, int *from, struct taf_err *e)
{
	static const char frame[] =
	    "set -o pipefail\nPATH=$1${PATH:+:$PATH}\nexport PATH\n"
	    "tafspread --feed \"$2\" all \"$3\" | {\n%s\n}\n";
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC), ends[2] = { -1, -1 };
	struct taf_buf script = { 0 }, digest = { 0 };
	const char *argv[] = { p->shell, "-c", NULL, "tafspread", p->bin, p->state,
		NULL, NULL };
	enum taf_status st = null >= 0 ? TAF_OK : taf_fail_sys(e, "/dev/null");

	if (st == TAF_OK)
		st = taf_buf_printf(&script, e, frame, p->join);
	if (st == TAF_OK)
		st = taf_buf_printf(&digest, e, "%llu", (unsigned long long)p->digest);
	argv[2] = script.data;
	argv[6] = digest.data;
	if (st == TAF_OK)
		st = taf_shell_pipe(ends, e);
	if (st == TAF_OK)
		st = taf_shell_start(pid, argv, (int[3]){ null, ends[1], 2 }, e);
	if (null >= 0)
		(void)close(null);
	if (ends[1] >= 0)
		(void)close(ends[1]);
	if (st != TAF_OK && ends[0] >= 0)
		(void)close(ends[0]);
	*from = ends[0];
	taf_buf_free(&script);
	taf_buf_free(&digest);
	return st;
}

/*
 * What the joining pipeline makes becomes the output, once it has ended well: its
 * programs know no name to give to it.
 */
static enum taf_status
finish_joined(struct results *r, struct taf_err *e)
{
	struct taf_err wait = { 0 }, its = { 0 };
	struct taf_writer *w = NULL;
	enum taf_status st;
	int from = -1, how = 0;
	pid_t pid;

	if (taf_output_open(r->plan, &w, e) != TAF_OK)
		return e->code;
	st = start_joining(r->plan, &pid, &from, e);
	if (st == TAF_OK) {
		st = take_joined(from, w, e);
		if (taf_shell_wait(pid, &how, &wait) != TAF_OK) {
			*e = wait;
			st = wait.code;
		} else if (st != TAF_ESYS && !ended_well(how, st)) {
			taf_err_clear(e);
			st = taf_shell_verdict(how, -1, &its);
			st = taf_fail(e, st, "--join: the pipeline has failed: %s",
			    its.text);
		}
	}
	return taf_output_close(r->plan, w, st, e);
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

	return taf_join_alike(&r->layout, a) &&
	    taf_fit_shape(r->dim - 1, &r->layout, a, &none) == TAF_OK;
}

/* The record of a slab, and its bytes. */
static enum taf_status
compare(void *ctx, unsigned slot, struct taf_err *e)
{
	const struct results *r = ctx;
	struct piece *piece = &r->piece[slot];
	enum taf_status st = taf_proof_record(r->plan, piece->k, &piece->s, e);

	if (st == TAF_OK && piece->s.placed && !at_home(r, &piece->s.a))
		st = TAF_END;
	if (st == TAF_OK)
		st = piece->s.placed ? settle(r, piece, e) :
		    taf_proof_part(r->plan, piece->k, &piece->s, piece->block, e);
	piece->good = st == TAF_OK;
	if (st != TAF_END)
		return st;
	taf_err_clear(e);
	return taf_slab_forget(r->plan, piece->k, e);
}

/* Does a slab go with those before it? */
static enum taf_status
go_with(struct results *r, struct piece *piece, struct taf_err *e)
{
	struct taf_buf name = { 0 };
	enum taf_status st;

	if (r->a.ndim == 0) {
		taf_array_move(&r->a, &piece->s.a);
		st = taf_plan_name(r->plan, piece->k, &r->first, e);
		return st == TAF_OK ? taf_fit_add(&r->fit, &r->a, r->first.data, e) : st;
	}
	st = taf_plan_name(r->plan, piece->k, &name, e);
	if (st == TAF_OK)
		st = taf_fit_add(&r->fit, &piece->s.a, name.data, e);
	taf_buf_free(&name);
	return st;
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
	taf_slab_fini(&piece->s);
	taf_progress(r->service, r->given, 0);
	return st;
}

/* What all results are together, and whether each has its place. */
static enum taf_status
gather(struct results *r, struct taf_err *e)
{
	const struct taf_relay relay = { r, take, compare, add };
	unsigned threads = taf_threads(r->service), i;
	enum taf_status st = TAF_OK;
	unsigned char *blocks;

	if (threads > TAF_RELAY_MOST)
		threads = TAF_RELAY_MOST;
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
		st = taf_proof_layout(r->plan, &r->layout, e);
	if (st == TAF_OK)
		st = taf_relay(&relay, threads, e);
	for (i = 0; r->piece != NULL && i < threads; i++)
		taf_slab_fini(&r->piece[i].s);
	free(r->piece);
	free(blocks);
	if (st == TAF_OK && r->bad != 0)
		st = taf_fail(e, TAF_ESYS, "slab %llu is not as it was written: "
		    "it has to be done again", (unsigned long long)r->bad);
	return st != TAF_OK || r->plan->join != NULL ? st :
	    taf_fit_end(&r->fit, &r->a, r->service, e);
}

enum taf_status
taf_assemble(const struct taf_plan *p, bool ours, const struct taf_service *service,
    struct taf_err *e)
{
	struct results r = { .plan = p, .service = service, .ours = ours, .dim = p->dim,
		.fit.dim = p->dim - 1, .fd = -1 };
	enum taf_status st = TAF_OK;

	r.fd = open(p->data, O_RDWR | O_CLOEXEC | O_NOCTTY);
	if (r.fd < 0 && errno != ENOENT)
		st = taf_fail_sys(e, "%s: cannot write", p->data);
	/* now that it is open: another one may have made the output of it */
	if (st == TAF_OK)
		st = taf_output_ours(p, e);
	if (st == TAF_OK)
		st = gather(&r, e);
	if (st == TAF_OK)
		st = p->join != NULL ? finish_joined(&r, e) :
		    r.placed ? finish_placed(&r, e) : finish_parts(&r, e);
	if (r.fd >= 0 && close(r.fd) != 0 && st == TAF_OK)
		st = taf_fail_sys(e, "%s: cannot write", p->data);
	if (st == TAF_OK)
		st = taf_state_remove(p, e);
	taf_fit_fini(&r.fit);
	taf_buf_free(&r.first);
	taf_array_fini(&r.layout);
	taf_array_fini(&r.a);
	return st;
}
