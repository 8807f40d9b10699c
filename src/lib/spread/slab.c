#include "spread/slab.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "array/region.h"
#include "base/digest.h"
#include "base/endian.h"
#include "base/num.h"
#include "codec/rsf.h"
#include "codec/taf_file.h"
#include "io/at.h"
#include "io/names.h"
#include "io/out.h"
#include "op/join.h"
#include "spread/fields.h"
#include "spread/shell.h"
#include "stream/reader.h"
#include "stream/writer.h"

/* What is made for each slab, in folders of their own. */
static const char done[] = "done/", part[] = "part/", message[] = "message/",
    running[] = "running/";

/* The pipeline is text of its own lines, so that a comment in it ends with it. */
static const char begin[] = "set -o pipefail\nPATH=$1${PATH:+:$PATH}\nexport PATH\n";
static const char of_slab[] = "tafspread --feed \"$2\" \"$3\" \"$4\" | {\n";

/* A slab at work. */
struct work {
	const struct taf_plan *plan;
	uint64_t k, lo, hi;
	struct taf_identity input;
	struct taf_slab s;
	struct taf_writer *out;	/* of a file of its own, till the pipeline's end */
	struct taf_buf path;	/* of that */
	int said;		/* the file of what the pipeline says */
	char *said_name;
};

void
taf_slab_fini(struct taf_slab *s)
{
	taf_array_fini(&s->a);
	taf_buf_free(&s->head);
	taf_buf_free(&s->tail);
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

/* --- the record of one that is done --- */

static enum taf_status
put_array(struct taf_str *s, const struct taf_array *a, struct taf_err *e)
{
	struct taf_buf header = { 0 };
	enum taf_status st = taf_rsf_format(a, NULL, TAF_NEXT_NO, "data", &header, e);

	if (st == TAF_OK)
		taf_fields_put(s, "array", header.data, header.len);
	taf_buf_free(&header);
	return st;
}

static enum taf_status
get_array(const struct taf_buf *r, struct taf_array *a, struct taf_err *e)
{
	struct taf_rsf rsf = { 0 };
	enum taf_status st;
	const char *p;
	size_t n;

	st = taf_fields_get(r, "array", &p, &n, e);
	taf_array_init(a);
	if (st == TAF_OK)
		st = taf_rsf_parse(p, n, a, &rsf, e);
	taf_rsf_fini(&rsf);
	/* who looks again has nothing of it */
	if (st != TAF_OK)
		taf_array_fini(a);
	return st;
}

static enum taf_status
get_bytes(const struct taf_buf *r, const char *name, struct taf_buf *to,
    struct taf_err *e)
{
	const char *p;
	size_t n;

	if (taf_fields_get(r, name, &p, &n, e) != TAF_OK)
		return e->code;
	return taf_buf_put(to, p, n, e);
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
		    taf_file_shape(&whole, &file, e) == TAF_OK)
			s->at = taf_header_size(file.ndim) + lo * (s->bytes / (hi - lo));
	}
	taf_array_fini(&whole);
	taf_array_fini(&file);
	return e->code;
}

enum taf_status
taf_slab_look(const struct taf_plan *p, uint64_t k, struct taf_slab *s, struct taf_err *e)
{
	struct taf_buf path = { 0 }, r = { 0 };
	enum taf_status st = taf_plan_path(p, done, k, &path, e);
	uint64_t placed = 0;

	*s = (struct taf_slab){ 0 };
	if (st == TAF_OK)
		st = taf_plan_record(p, path.data, &r, e);
	if (st == TAF_OK)
		st = get_array(&r, &s->a, e);
	if (st == TAF_OK)
		st = taf_fields_get_u64(&r, "placed", &placed, e);
	if (st == TAF_OK)
		st = place(p, k, placed != 0, s, e);
	if (st == TAF_OK)
		st = taf_fields_get_u64(&r, "digest", &s->digest, e);
	if (st == TAF_OK)
		st = get_bytes(&r, "head", &s->head, e);
	if (st == TAF_OK)
		st = get_bytes(&r, "tail", &s->tail, e);
	if (st == TAF_OK)
		st = taf_identity_get(&r, &s->input, e);
	if (st != TAF_OK)
		taf_slab_fini(s);
	taf_buf_free(&r);
	taf_buf_free(&path);
	return st;
}

static enum taf_status
mark(struct work *w, struct taf_err *e)
{
	struct taf_str s = { .err = e };
	struct taf_slab other;
	struct taf_buf path = { 0 };
	enum taf_status st = taf_plan_path(w->plan, done, w->k, &path, e);

	taf_plan_mark(w->plan, &s);
	if (st == TAF_OK)
		st = put_array(&s, &w->s.a, e);
	taf_fields_u64(&s, "placed", w->s.placed ? 1 : 0);
	taf_fields_u64(&s, "digest", w->s.digest);
	taf_fields_put(&s, "head", w->s.head.data, w->s.head.len);
	taf_fields_put(&s, "tail", w->s.tail.data, w->s.tail.len);
	taf_identity_put(&s, &w->input);
	if (st == TAF_OK)
		st = taf_fields_make(path.data, &s, e);
	/* somebody else was faster, who must have had the same */
	if (st == TAF_END) {
		st = taf_slab_look(w->plan, w->k, &other, e);
		if (st == TAF_END)
			st = taf_fail(e, TAF_ESYS, "%s: comes and goes", path.data);
		if (st == TAF_OK && other.digest != w->s.digest)
			st = taf_fail(e, TAF_EDATA, "the pipeline has given two results");
		taf_slab_fini(&other);
	}
	taf_str_free(&s);
	taf_buf_free(&path);
	return st;
}

enum taf_status
taf_slab_forget(const struct taf_plan *p, uint64_t k, struct taf_err *e)
{
	struct taf_buf path = { 0 };
	enum taf_status st = taf_plan_path(p, done, k, &path, e);

	if (st == TAF_OK && unlink(path.data) != 0 && errno != ENOENT)
		st = taf_fail_sys(e, "%s: cannot remove", path.data);
	taf_buf_free(&path);
	return st;
}

enum taf_status
taf_slab_part(const struct taf_plan *p, uint64_t k, struct taf_buf *path,
    struct taf_err *e)
{
	struct taf_buf name = { 0 };
	enum taf_status st;

	if (p->directory == NULL) {
		st = taf_plan_path(p, part, k, path, e);
	} else {
		path->len = 0;
		st = taf_plan_becomes(p, k, &name, e);
		if (st == TAF_OK)
			st = taf_buf_printf(path, e, "%s/%s", p->directory, name.data);
		taf_buf_free(&name);
	}
	return st == TAF_OK ? taf_buf_puts(path, ".taf", e) : st;
}

enum taf_status
taf_slab_messages(const struct taf_plan *p, uint64_t k, struct taf_buf *path,
    struct taf_err *e)
{
	return taf_plan_path(p, message, k, path, e);
}

/* --- the shape of the result --- */

enum taf_status
taf_slab_layout(const struct taf_plan *p, struct taf_array *a, struct taf_err *e)
{
	struct taf_buf path = { 0 }, r = { 0 };
	enum taf_status st = taf_buf_printf(&path, e, "%s/layout", p->state);

	if (st == TAF_OK)
		st = taf_plan_record(p, path.data, &r, e);
	if (st == TAF_OK)
		st = get_array(&r, a, e);
	taf_buf_free(&r);
	taf_buf_free(&path);
	return st;
}

/* The result is the first one, if no other has come. */
static enum taf_status
be_first(const struct work *w, struct taf_err *e)
{
	struct taf_str s = { .err = e };
	struct taf_buf path = { 0 };
	enum taf_status st = taf_buf_printf(&path, e, "%s/layout", w->plan->state);

	taf_plan_mark(w->plan, &s);
	if (st == TAF_OK)
		st = put_array(&s, &w->s.a, e);
	if (st == TAF_OK)
		st = taf_fields_make(path.data, &s, e);
	taf_str_free(&s);
	taf_buf_free(&path);
	return st == TAF_END ? TAF_OK : st;
}

/* What is damaged, or left of another run, goes. */
static enum taf_status
drop_layout(const struct taf_plan *p, struct taf_err *e)
{
	struct taf_buf path = { 0 };
	enum taf_status st;

	taf_err_clear(e);
	st = taf_buf_printf(&path, e, "%s/layout", p->state);
	if (st == TAF_OK)
		(void)unlink(path.data);
	taf_buf_free(&path);
	return st == TAF_OK ? TAF_END : st;
}

/*
 * Does the result go with the first one that has come?  Another shape never does.  One of
 * another type or mapping has no place beside it: it is converted when all are there.
 */
static enum taf_status
agree(struct work *w, bool *alike, struct taf_err *e)
{
	struct taf_array first = { 0 };
	enum taf_status st = taf_slab_layout(w->plan, &first, e);

	if (st == TAF_EDATA)
		st = drop_layout(w->plan, e);
	if (st == TAF_END) {
		st = be_first(w, e);
		if (st == TAF_OK)
			st = taf_slab_layout(w->plan, &first, e);
		if (st == TAF_END)
			st = taf_fail(e, TAF_ESYS, "layout: comes and goes");
	}
	if (st == TAF_OK) {
		*alike = taf_join_alike(&first, &w->s.a);
		st = taf_fit_shape(w->plan->dim - 1, &first, &w->s.a, e);
	}
	taf_array_fini(&first);
	return st;
}

/* --- the elements --- */

/* The next n bytes of the result. */
static enum taf_status
take(struct work *w, struct taf_reader *r, void *to, size_t n, struct taf_err *e)
{
	const size_t size = taf_type_size(w->s.a.type);
	const enum taf_status st = taf_reader_read(r, to, n / size, e);

	if (st == TAF_OK)
		w->s.digest = taf_digest(w->s.digest, to, n);
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
	int fd = open(w->plan->data, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	unsigned char *block = taf_alloc(1, TAF_SLAB_BLOCK);
	struct taf_slab *s = &w->s;
	uint64_t at, left;
	enum taf_status st;
	size_t n;

	if (fd < 0)
		st = taf_fail_sys(e, "%s: cannot write", w->plan->data);
	else
		st = block != NULL ? TAF_OK : taf_fail_mem(e);
	/* now that the file is open: a later run would have made one after its plan */
	if (st == TAF_OK)
		st = taf_plan_current(w->plan, e);
	taf_slab_pages(s->at, s->bytes, &at, &left);
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
	/* servers tell of a full disk here at the latest */
	if (fd >= 0 && close(fd) != 0 && st == TAF_OK)
		st = taf_fail_sys(e, "%s: cannot write", w->plan->data);
	if (st == TAF_ESYS)
		taf_err_name(e, w->plan->data);
	free(block);
	return st;
}

static enum taf_status
write_part(struct work *w, struct taf_reader *r, struct taf_err *e)
{
	const size_t size = taf_type_size(w->s.a.type);
	struct taf_sink sink = { .format = TAF_FORMAT_TAF, .literal = true };
	unsigned char *block = taf_alloc(1, TAF_SLAB_BLOCK);
	uint64_t left = taf_reader_left(r);
	enum taf_status st;
	size_t n;

	st = block != NULL ? taf_slab_part(w->plan, w->k, &w->path, e) : taf_fail_mem(e);
	sink.path = w->path.data;
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
receive(struct work *w, int fd, struct taf_err *e)
{
	struct taf_reader *r = NULL;
	struct taf_in *in = NULL;
	bool alike = false;
	enum taf_status st;

	st = taf_in_fd(&in, fd, "the result", e);
	if (st != TAF_OK)
		(void)close(fd);
	else
		st = taf_reader_new(&r, in, NULL, 0, e);
	if (st == TAF_OK)
		st = taf_reader_next(r, &w->s.a, e);
	while (st == TAF_OK && w->s.a.ndim < w->plan->dim)
		taf_array_add_dim(&w->s.a, 1, 1, 1);
	if (st == TAF_OK && w->plan->directory == NULL && w->plan->join == NULL)
		st = agree(w, &alike, e);
	if (st == TAF_OK)
		st = place(w->plan, w->k, alike, &w->s, e);
	if (st == TAF_OK)
		st = w->s.placed ? write_placed(w, r, e) : write_part(w, r, e);
	if (st == TAF_OK)
		st = taf_reader_last(r, e);
	taf_reader_close(r);
	return st == TAF_ETRUNC || st == TAF_END ? TAF_EDATA : st;
}

/* --- the pipeline --- */

static enum taf_status
start(struct work *w, pid_t *pid, int *from, struct taf_err *e)
{
	const struct taf_plan *p = w->plan;
	struct taf_buf script = { 0 }, number = { 0 }, digest = { 0 };
	const char *argv[9] = { p->shell, "-c" };
	const char *input = p->directory != NULL ? p->file.name[w->k] : "/dev/null";
	int in = open(input, O_RDONLY | O_CLOEXEC | O_NOCTTY), ends[2] = { -1, -1 };
	enum taf_status st;

	if (in < 0)
		return taf_fail_sys(e, "%s: cannot read", input);
	st = taf_shell_pipe(ends, e);
	if (st == TAF_OK) {
		taf_pipe_grow(ends[0]);
		st = taf_buf_printf(&script, e, "%s%s%s\n}\n", begin,
		    p->directory != NULL ? "{\n" : of_slab, p->pipeline);
	}
	if (st == TAF_OK)
		st = taf_buf_printf(&number, e, "%llu", (unsigned long long)w->k);
	if (st == TAF_OK)
		st = taf_buf_printf(&digest, e, "%llu", (unsigned long long)p->digest);
	argv[2] = script.data;
	argv[3] = "tafspread";
	argv[4] = p->bin;
	argv[5] = p->state;
	argv[6] = number.data;
	argv[7] = digest.data;
	if (st == TAF_OK)
		st = taf_shell_start(pid, argv, (int[3]){ in, ends[1], w->said }, e);
	(void)close(in);
	if (ends[1] >= 0)
		(void)close(ends[1]);
	*from = ends[0];
	if (st != TAF_OK && ends[0] >= 0)
		(void)close(ends[0]);
	taf_buf_free(&script);
	taf_buf_free(&number);
	taf_buf_free(&digest);
	return st;
}

/* Of two failures the one that is the cause. */
static enum taf_status
cause(struct work *w, int how, enum taf_status st, struct taf_err *mine)
{
	struct taf_err its = { 0 };

	/* we have failed, and so it could not write to us */
	const bool cut = st != TAF_OK && WIFEXITED(how) &&
	    WEXITSTATUS(how) == 128 + SIGPIPE;

	if (st == TAF_ESYS || cut || taf_shell_verdict(how, w->said, &its) == TAF_OK)
		return st;
	*mine = its;
	return its.code;
}

/* Run it, and take what it makes. */
static enum taf_status
run(struct work *w, struct taf_err *e)
{
	enum taf_status st;
	int from = -1, how = 0;
	struct taf_err wait = { 0 };
	pid_t pid;

	if (start(w, &pid, &from, e) != TAF_OK)
		return e->code;
	st = receive(w, from, e);
	if (taf_shell_wait(pid, &how, &wait) == TAF_OK) {
		st = cause(w, how, st, e);
	} else {
		*e = wait;
		st = wait.code;
	}
	if (w->out != NULL)
		st = taf_writer_settle(w->out, st, e);
	w->out = NULL;
	return st;
}

static enum taf_status
open_said(struct work *w, struct taf_err *e)
{
	struct taf_buf path = { 0 };
	enum taf_status st = taf_plan_path(w->plan, running, w->k, &path, e);

	if (st == TAF_OK)
		st = taf_fields_here(&path, e);
	if (st != TAF_OK)
		return st;
	w->said_name = path.data;
	w->said = open(path.data, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY,
	    0600);
	return w->said >= 0 ? TAF_OK : taf_fail_sys(e, "%s: cannot write", path.data);
}

/* Keep what the pipeline has said, if it is anything. */
static void
close_said(struct work *w)
{
	struct taf_err none = { 0 };
	struct taf_buf path = { 0 };
	struct stat st;

	if (w->said < 0)
		return;
	if (fstat(w->said, &st) != 0 || st.st_size == 0 ||
	    taf_slab_messages(w->plan, w->k, &path, &none) != TAF_OK ||
	    rename(w->said_name, path.data) != 0)
		(void)unlink(w->said_name);
	(void)close(w->said);
	taf_buf_free(&path);
}

/* What is read, as it is now. */
static enum taf_status
look_at_input(const struct work *w, struct taf_identity *now, struct taf_err *e)
{
	const struct taf_plan *p = w->plan;

	return taf_identity_of(p->directory != NULL ? p->file.name[w->k] : p->input,
	    now, e);
}

enum taf_status
taf_slab_done(const struct taf_plan *p, uint64_t k, bool *is, struct taf_err *e)
{
	struct taf_identity now = { 0 };
	struct taf_buf path = { 0 };
	struct taf_slab s;
	enum taf_status st = taf_slab_look(p, k, &s, e);

	*is = false;
	if (st != TAF_OK)
		return st == TAF_END ? TAF_OK : st;
	*is = true;
	/* of a file both may have changed since */
	if (p->directory != NULL) {
		*is = taf_identity_of(p->file.name[k], &now, e) == TAF_OK &&
		    taf_identity_same(&now, &s.input) &&
		    taf_slab_part(p, k, &path, e) == TAF_OK &&
		    access(path.data, F_OK) == 0;
		taf_err_clear(e);
		if (!*is)
			st = taf_slab_forget(p, k, e);
	}
	taf_buf_free(&path);
	taf_slab_fini(&s);
	return st;
}

enum taf_status
taf_slab_do(const struct taf_plan *p, uint64_t k, struct taf_err *e)
{
	struct work w = { .plan = p, .k = k, .said = -1 };
	struct taf_identity after;
	bool is;
	enum taf_status st = taf_slab_done(p, k, &is, e);

	if (st == TAF_OK && is)
		return TAF_OK;
	/* a record that is not sound */
	if (st == TAF_EDATA) {
		taf_err_clear(e);
		st = taf_slab_forget(p, k, e);
	}
	if (p->directory == NULL)
		taf_plan_slab(p, k, &w.lo, &w.hi);
	if (st == TAF_OK)
		st = look_at_input(&w, &w.input, e);
	if (st == TAF_OK && p->directory == NULL)
		st = taf_plan_unchanged(p, e);
	if (st == TAF_OK)
		st = open_said(&w, e);
	if (st == TAF_OK)
		st = run(&w, e);
	if (st == TAF_OK)
		st = look_at_input(&w, &after, e);
	if (st == TAF_OK && !taf_identity_same(&w.input, &after))
		st = taf_fail(e, TAF_EDATA, "the input has changed while it was read");
	if (st == TAF_OK)
		st = mark(&w, e);
	close_said(&w);
	free(w.said_name);
	taf_buf_free(&w.path);
	taf_slab_fini(&w.s);
	return st;
}
