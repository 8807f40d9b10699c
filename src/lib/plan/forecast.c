/* SPDX-License-Identifier: ISC */
#include "plan/forecast.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/num.h"
#include "codec/rsf.h"
#include "codec/taf_file.h"
#include "io/in.h"
#include "io/out.h"
#include "text/describe.h"

enum {
	/* beside what -m allows: buffers of fixed size, and what libraries take */
	FIXED = 16 * 1024 * 1024,
	/* such buffers, those of an input, and what a thread has beside its work */
	FEW = 4 * 1024 * 1024, BLOCKS = 1024 * 1024, THREAD = 512 * 1024,
	/* of a file: what is read of it to find a header */
	PEEK = 64 * 1024,
	/* arrays whose grids people are shown */
	SHOWN = 4,
	/* of another format: what stands before and behind elements */
	HEAD = 48 * 1024,
	/* of each array: what a header may have more when it is written */
	SLACK = 4096
};

uint64_t
taf_forecast_add(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? TAF_FORECAST_UNKNOWN : a + b;
}

static uint64_t
larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* A number of bytes; for people with the largest unit that leaves it whole. */
static void
put_bytes(uint64_t v, bool json, struct taf_str *to)
{
	static const char units[] = "kMGT";
	size_t unit = 0;

	if (v == TAF_FORECAST_UNKNOWN) {
		taf_str_puts(to, json ? "null" : "?");
		return;
	}
	while (!json && v > 0 && v % 1024 == 0 && unit < sizeof units - 1) {
		v /= 1024;
		unit++;
	}
	taf_str_u64(to, v);
	if (unit > 0)
		taf_str_put(to, &units[unit - 1], 1);
}

void
taf_forecast_put(const struct taf_forecast_sums *s, bool json, struct taf_str *to)
{
	const uint64_t v[] = { s->memory, s->temporary, s->reads, s->writes };
	static const char *const name[] = { "memory", "temporary", "reads", "writes" };
	size_t i;

	for (i = 0; i < sizeof v / sizeof v[0]; i++) {
		taf_str_printf(to, json ? ",\"%s\":" : "  %s ", name[i]);
		put_bytes(v[i], json, to);
	}
}

/* Without its folders, which the start of a stage has put there. */
static const char *
program(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static void
put_words(const char *const *words, int n, struct taf_str *to)
{
	int i;

	for (i = 0; i < n; i++) {
		const char *const word = i > 0 ? words[i] : program(words[i]);

		if (strcmp(word, "--plan") == 0)
			continue;
		taf_str_puts(to, i > 0 ? "," : "[");
		taf_str_json(to, word, strlen(word));
	}
	taf_str_puts(to, "]");
}

enum taf_status
taf_forecast_begin(struct taf_forecast *f, struct taf_err *e)
{
	const char *stage = getenv(TAF_FORECAST_STAGE), *fd = NULL;
	const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
	uint64_t v = 1, to = 0;

	taf_reader_only_look();
	f->headers = -1;
	f->piped = stage != NULL;
	if (stage != NULL) {
		f->json = *stage == 'j';
		stage += f->json;
		fd = strchr(stage, ',');
		f->blind = !taf_parse_u64(stage, strcspn(stage, ","), &v);
		f->blind = f->blind || fd == NULL ||
		    !taf_parse_u64(fd + 1, strlen(fd + 1), &to) || to > INT32_MAX;
	}
	f->stage = (unsigned)v;
	/* what goes into a file does not go on */
	if (f->piped && !f->blind && !f->named)
		f->headers = (int)to;
	f->out = fcntl(1, F_DUPFD_CLOEXEC, 3);
	if (nothing < 0 || f->out < 0 || dup2(nothing, 1) < 0)
		return taf_fail_sys(e, "standard output");
	(void)close(nothing);
	return TAF_OK;
}

/* Bytes of a TAF file of a. */
static enum taf_status
taf_bytes(const struct taf_array *a, uint64_t *n, struct taf_err *e)
{
	struct taf_buf tail = { 0 };
	struct taf_array file;
	enum taf_status st = taf_file_shape(a, &file, e);

	if (st == TAF_OK)
		st = taf_tail_format(a, &tail, e);
	if (st == TAF_OK)
		*n = taf_header_size(file.ndim) + taf_array_bytes(a) + tail.len;
	taf_buf_free(&tail);
	return st;
}

/* The header that waits goes out, with room behind it for its elements. */
static enum taf_status
put_header(struct taf_forecast *f, struct taf_err *e)
{
	const uint64_t bytes = f->elements;
	const off_t at = lseek(f->headers, 0, SEEK_CUR);
	const size_t n = f->header.len;

	/* a file is sparse to its last byte, so it is made longer, not written */
	if (at < 0 || bytes > (uint64_t)INT64_MAX - n - (uint64_t)at ||
	    (n > 0 && write(f->headers, f->header.data, n) != (ssize_t)n) ||
	    ftruncate(f->headers, at + (off_t)n + (off_t)bytes) != 0 ||
	    lseek(f->headers, 0, SEEK_END) < 0)
		return taf_fail_sys(e, "cannot keep headers");
	return TAF_OK;
}

/* The headers as a stream; one waits until it is known whether another follows. */
static enum taf_status
pass_on(struct taf_forecast *f, const struct taf_array *a, struct taf_err *e)
{
	uint64_t bytes = 0;
	enum taf_status st = TAF_OK;

	if (f->n > 0 && f->headers >= 0) {
		st = taf_rsf_announce(&f->header, e);
		if (st == TAF_OK)
			st = put_header(f, e);
	}
	if (st == TAF_OK)
		st = taf_rsf_format(a, f->history, TAF_NEXT_NO, NULL, &f->header, e);
	f->elements = taf_array_bytes(a);
	if (f->spools && taf_type_is_pair(a->type) && f->elements / 2 > f->pairs)
		f->pairs = f->elements / 2;
	if (st == TAF_OK && f->taf)
		st = taf_bytes(a, &bytes, e);
	else if (st == TAF_OK)
		bytes = f->header.len + SLACK + f->elements;
	f->writes = taf_forecast_add(f->writes, bytes);
	return st;
}

/* Do elements tell more of the array than its mapping? */
static bool
shapeless(const struct taf_forecast *f)
{
	return f->vague && !f->now.shaped;
}

/* What is known of the array, for people. */
static void
put_page(struct taf_forecast *f, const struct taf_describe *d)
{
	const struct taf_array *a = d->a;
	unsigned k;

	if (f->n >= SHOWN)
		return;
	taf_str_printf(&f->shapes, "%s%s", f->n > 0 ? ", " : "", taf_type_name(a->type));
	for (k = 0; k < a->ndim && !shapeless(f); k++)
		taf_str_printf(&f->shapes, " %s%llu", k > 0 ? "x " : "",
		    (unsigned long long)a->dim[k].n);
	if (shapeless(f)) {
		taf_str_puts(&f->shapes, " ?");
		return;
	}
	if (f->vague)
		taf_str_puts(&f->grids, "  mapping        ?\n");
	else if (taf_array_mapped(a))
		taf_str_printf(&f->grids, "  mapping        %s + %s * x\n",
		    taf_brief(a->intercept).s, taf_brief(a->slope).s);
	taf_describe_dims(d, "  ");
}

static void
put_json(struct taf_forecast *f, const struct taf_describe *d)
{
	taf_str_puts(&f->shapes, f->n > 0 ? "," : "");
	if (shapeless(f))
		taf_str_printf(&f->shapes,
		    "{\"type\":\"%s\",\"ndim\":null,\"shape\":null,\"count\":null,\"bytes\":null,\"intercept\":null,\"slope\":null}",
		    taf_type_name(d->a->type));
	else
		taf_describe_shape(d);
}

/* What was asked for is known now, if told. */
static void
collect(struct taf_forecast *f, bool told)
{
	struct taf_needs *const all = &f->needs, *const now = &f->now;

	if (taf_need_asked() == NULL)
		return;
	taf_need_ask(NULL);
	f->told = (f->told || f->steps == 0) && told;
	f->steps++;
	all->memory = larger(all->memory, now->memory);
	all->temporary = larger(all->temporary, now->temporary);
	all->output = taf_forecast_add(all->output, now->output);
	all->files = taf_forecast_add(all->files, now->files);
	all->again = taf_forecast_add(all->again, now->again);
	all->waits = all->waits || now->waits;
}

/* Elements of a reader may be in a file of their own. */
static void
add_source(struct taf_forecast *f, const struct taf_reader *r)
{
	struct taf_reader_place place = { 0 };
	struct stat s;
	int i = 0;

	(void)taf_reader_place(r, &place);
	while (i < f->nfiles && (place.file == NULL || f->files[i] == NULL ||
	    strcmp(place.file, f->files[i]) != 0))
		i++;
	if (place.file != NULL && i == f->nfiles && stat(place.file, &s) == 0)
		f->sources += (uint64_t)s.st_size;
}

/* A step of arrays has come.  Work before it that has not ended tells nothing. */
static void
see(struct taf_forecast *f, const struct taf_steps *s)
{
	unsigned k;

	collect(f, f->now.memory > 0);
	f->inputs += s->n;
	f->together = s->together;
	for (k = 0; k < s->n; k++)
		add_source(f, s->now[k].r);
}

void
taf_forecast_ask(struct taf_forecast *f, const struct taf_steps *s, bool looks)
{
	if (s != NULL)
		see(f, s);
	/* the look has said it */
	if (s == NULL && f->vague)
		return;
	/* what looks at elements may see no others */
	f->now = (struct taf_needs){ .piped = f->stage > 1,
		.unread = looks ? TAF_NEED_MOST / 2 : 0 };
	taf_need_ask(&f->now);
}

static enum taf_status
hear(void *ctx, const struct taf_array *a, enum taf_next next, struct taf_err *e)
{
	struct taf_forecast *f = ctx;
	const struct taf_describe d = { .a = a, .json = f->json,
		.to = f->json ? &f->shapes : &f->grids };
	enum taf_status st;

	f->shapes.err = f->grids.err = e;
	if (f->json)
		put_json(f, &d);
	else
		put_page(f, &d);
	st = f->shapes.st == TAF_OK ? f->grids.st : f->shapes.st;
	if (st == TAF_OK)
		st = pass_on(f, a, e);
	if (f->vague)
		f->writes = TAF_FORECAST_UNKNOWN;
	if (st == TAF_OK && taf_need_asked() == NULL)
		taf_forecast_ask(f, NULL, true);
	f->n++;
	f->more = next != TAF_NEXT_NO;
	return st == TAF_OK ? taf_fail(e, TAF_END, "this is a plan") : st;
}

const struct taf_stamp *
taf_forecast_stamp(struct taf_forecast *f)
{
	f->stamp.plan = hear;
	f->stamp.ctx = f;
	return &f->stamp;
}

bool
taf_forecast_ended(struct taf_forecast *f, struct taf_err *e)
{
	if (e->code != TAF_END)
		return false;
	f->unknown = f->unknown || f->n == 0;
	collect(f, f->now.memory > 0);
	taf_err_clear(e);
	return true;
}

bool
taf_forecast_vague(struct taf_forecast *f, struct taf_err *e)
{
	if (e->code != TAF_END)
		return false;
	f->vague = true;
	f->now.waits = true;
	taf_err_clear(e);
	return true;
}

void
taf_forecast_each(struct taf_forecast *f, const struct taf_steps *s, bool prints)
{
	f->arrays = f->arrays && !prints;
	if (prints)
		taf_forecast_ask(f, s, true);
	else
		see(f, s);
}

enum taf_status
taf_forecast_step(struct taf_forecast *f, enum taf_status st, struct taf_err *e)
{
	const bool told = st == TAF_OK || st == TAF_END;

	f->more = false;
	if (!told && f->now.unread == 0)
		return st;
	taf_err_clear(e);
	collect(f, told);
	return TAF_OK;
}

enum taf_status
taf_forecast_move(struct taf_forecast *f, taf_mover *move, const struct taf_move *m,
    struct taf_err *e)
{
	if (!taf_need_goes_on(e->code, e))
		return e->code;
	taf_forecast_ask(f, NULL, false);
	return taf_forecast_step(f, move == NULL || f->vague ? TAF_OK : move(m, e), e);
}

/*
 * What is read at most beside each byte once: the header of a file is looked at, and read
 * again with the elements; of several arrays all headers are seen before.
 */
static uint64_t
peeks_of(const struct taf_forecast *f, uint64_t size, int n)
{
	const uint64_t arrays = larger(f->inputs, (uint64_t)n);
	const uint64_t peeks = f->chosen || arrays > size / PEEK ? size : arrays * PEEK;

	const bool once = arrays == 1 || (f->together && f->inputs == (uint64_t)n);

	/* the head of a file that is replaced is looked at, too */
	return (f->chosen || !once || f->inputs == 0 ? 2 * peeks : peeks) +
	    (uint64_t)n * SLACK;
}

/* Bytes of the files that are read, and those of them that come from a pipe. */
static void
add_reads(const struct taf_forecast *f, struct taf_forecast_tail *t)
{
	const char *const *files = f->files;
	const int n = f->nfiles;
	uint64_t sum = f->sources;
	struct stat s;
	int i;

	for (i = 0; i < n; i++) {
		const bool input = taf_in_called(files[i]) != files[i];
		const bool there = input ? fstat(0, &s) == 0 : stat(files[i], &s) == 0;
		const bool inner = input && f->stage > 1;
		uint64_t bytes = TAF_FORECAST_UNKNOWN;

		if (f->told && there && S_ISREG(s.st_mode))
			bytes = (uint64_t)s.st_size + (inner ? SLACK : 0);
		t->sums.reads = taf_forecast_add(t->sums.reads, bytes);
		if (inner)
			t->inner = taf_forecast_add(t->inner, bytes);
		else
			sum = taf_forecast_add(sum, bytes);
		/* an array of a pipe may wait for others, and a comment stands behind */
		if (input && (n > 1 || f->chosen || !there || !S_ISREG(s.st_mode)))
			t->sums.temporary = TAF_FORECAST_UNKNOWN;
	}
	if (sum > 0 && sum != TAF_FORECAST_UNKNOWN)
		t->sums.reads = taf_forecast_add(t->sums.reads,
		    f->sources + peeks_of(f, sum, n));
}

/* At most: -m bounds what grows with the array. */
static uint64_t
memory_of(const struct taf_forecast *f)
{
	const uint64_t bound = taf_forecast_add(f->memory, FIXED);
	const uint64_t fixed = FEW + (uint64_t)f->nfiles * BLOCKS +
	    (uint64_t)f->threads * THREAD;
	const uint64_t all = taf_forecast_add(f->needs.memory, fixed);

	return f->told && all < bound ? all : bound;
}

/* The number of arrays is known, and how many bytes they have. */
static bool
is_whole(const struct taf_forecast *f)
{
	return !f->arrays || (!f->unknown && !f->more && !f->blind);
}

void
taf_forecast_put_stage(const struct taf_forecast *f,
    const struct taf_forecast_sums *sums, struct taf_str *s)
{
	const struct taf_buf *shapes = &f->shapes.buf;
	const bool whole = is_whole(f);

	if (f->json) {
		taf_str_printf(s, "{\"stage\":%u,\"command\":", f->stage);
		put_words(f->words, f->nwords, s);
		taf_str_puts(s, ",\"arrays\":");
		taf_str_printf(s, whole ? "[%.*s]" : "null", (int)shapes->len,
		    shapes->len > 0 ? shapes->data : "");
		taf_forecast_put(sums, true, s);
		taf_str_printf(s, ",\"waits\":%s}",
		    !f->told ? "null" : f->needs.waits ? "true" : "false");
		return;
	}
	taf_str_printf(s, "%u %s  ", f->stage, program(f->words[0]));
	if (whole && shapes->len > 0)
		taf_str_put(s, shapes->data, shapes->len);
	else
		taf_str_puts(s, whole ? "-" : "?");
	if (whole && f->n > SHOWN)
		taf_str_printf(s, " and %llu more", (unsigned long long)(f->n - SHOWN));
	taf_forecast_put(sums, false, s);
	taf_str_puts(s, f->needs.waits ? " waits\n" : "\n");
	if (whole && f->grids.buf.len > 0)
		taf_str_put(s, f->grids.buf.data, f->grids.buf.len);
}

/* What one command says; taf puts those of several together. */
static void
put_all(const struct taf_forecast *f, const struct taf_forecast_tail *t,
    struct taf_str *s)
{
	const struct taf_forecast_sums *sums = &t->sums;

	if (f->json && !f->piped)
		taf_str_puts(s, "{\"stages\":[");
	taf_forecast_put_stage(f, sums, s);
	if (f->json && !f->piped) {
		taf_str_puts(s, "]");
		taf_forecast_put(sums, true, s);
		taf_str_puts(s, "}\n");
	}
	if (f->piped)
		taf_str_put(s, t, sizeof *t);
}

enum taf_status
taf_forecast_end(struct taf_forecast *f, int n, struct taf_err *e)
{
	const bool whole = f->arrays && is_whole(f);
	struct taf_forecast_tail t = { .named = f->named, .known = whole && !f->vague };
	struct taf_str s = { .err = e };
	struct taf_out *out = NULL;
	enum taf_status st;

	f->nfiles = n;
	collect(f, f->now.memory > 0);
	t.sums = (struct taf_forecast_sums){ .memory = memory_of(f),
		.temporary = f->told ? taf_forecast_add(f->pairs, f->needs.temporary) :
		TAF_FORECAST_UNKNOWN, .writes = TAF_FORECAST_UNKNOWN };
	if (whole)
		t.sums.writes = f->writes;
	else if (f->needs.output > 0)
		t.sums.writes = taf_forecast_add(f->needs.output, HEAD);
	add_reads(f, &t);
	t.sums.reads = taf_forecast_add(t.sums.reads,
	    taf_forecast_add(f->needs.again, f->needs.files));
	t.sums.writes = taf_forecast_add(t.sums.writes, f->needs.files);
	/* digests are taken of inputs, and lines are added */
	if (f->recipe)
		t.sums.reads = t.sums.writes = TAF_FORECAST_UNKNOWN;
	put_all(f, &t, &s);
	st = f->headers >= 0 && f->n > 0 ? put_header(f, e) : TAF_OK;
	if (st == TAF_OK)
		st = taf_out_fd(&out, f->out, "standard output", e);
	if (st == TAF_OK)
		st = taf_out_str(out, &s);
	if (st == TAF_OK)
		st = taf_out_commit(out, e);
	taf_str_free(&s);
	taf_str_free(&f->shapes);
	taf_str_free(&f->grids);
	taf_buf_free(&f->header);
	return st;
}
