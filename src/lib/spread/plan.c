#include "spread/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array/array.h"
#include "base/digest.h"
#include "base/num.h"
#include "base/str.h"
#include "io/at.h"
#include "spread/fields.h"
#include "spread/state.h"

enum { DIGESTED = 4096 };

/* The fields that are text, and those that are numbers. */
static const struct {
	const char *name;
	size_t at;
} texts[] = {
	{ "input", offsetof(struct taf_plan, input) },
	{ "output", offsetof(struct taf_plan, output) },
	{ "directory", offsetof(struct taf_plan, directory) },
	{ "pipeline", offsetof(struct taf_plan, pipeline) },
	{ "join", offsetof(struct taf_plan, join) },
	{ "shell", offsetof(struct taf_plan, shell) },
	{ "bin", offsetof(struct taf_plan, bin) },
}, numbers[] = {
	{ "points", offsetof(struct taf_plan, points) },
	{ "slabs", offsetof(struct taf_plan, slabs) },
};

enum {
	TEXTS = sizeof texts / sizeof texts[0],
	NUMBERS = sizeof numbers / sizeof numbers[0]
};

static char **
text_of(const struct taf_plan *p, size_t i)
{
	return (char **)(void *)((char *)(uintptr_t)p + texts[i].at);
}

static uint64_t *
number_of(const struct taf_plan *p, size_t i)
{
	return (uint64_t *)(void *)((char *)(uintptr_t)p + numbers[i].at);
}

void
taf_plan_fini(struct taf_plan *p)
{
	size_t i;

	for (i = 0; i < TEXTS; i++)
		free(*text_of(p, i));
	free(p->state);
	free(p->data);
	taf_names_free(&p->file);
	*p = (struct taf_plan){ 0 };
}

void
taf_plan_slab(const struct taf_plan *p, uint64_t k, uint64_t *lo, uint64_t *hi)
{
	const uint64_t each = p->points / p->slabs, more = p->points % p->slabs;

	/* the first ones have a point more */
	*lo = each * k + (k < more ? k : more);
	*hi = *lo + each + (k < more ? 1 : 0);
}

enum taf_status
taf_plan_becomes(const struct taf_plan *p, uint64_t k, struct taf_buf *name,
    struct taf_err *e)
{
	const char *path = p->file.name[k], *slash = strrchr(path, '/'), *dot;
	const char *base = slash != NULL ? slash + 1 : path;

	dot = strrchr(base, '.');
	name->len = 0;
	return taf_buf_put(name, base, dot != NULL && dot > base ? (size_t)(dot - base) :
	    strlen(base), e);
}

enum taf_status
taf_plan_name(const struct taf_plan *p, uint64_t k, struct taf_buf *name,
    struct taf_err *e)
{
	uint64_t lo, hi;

	name->len = 0;
	if (p->directory != NULL)
		return taf_buf_puts(name, p->file.name[k], e);
	taf_plan_slab(p, k, &lo, &hi);
	return taf_buf_printf(name, e, "slab %llu (%u=%llu:%llu)",
	    (unsigned long long)k + 1, p->dim, (unsigned long long)lo + 1,
	    (unsigned long long)hi);
}

enum taf_status
taf_plan_path(const struct taf_plan *p, const char *part, uint64_t k,
    struct taf_buf *room, struct taf_err *e)
{
	struct taf_buf name = { 0 };
	enum taf_status st = TAF_OK;

	room->len = 0;
	if (p->directory != NULL)
		st = taf_plan_becomes(p, k, &name, e);
	else
		st = taf_buf_printf(&name, e, "%llu", (unsigned long long)k);
	if (st == TAF_OK)
		st = taf_buf_printf(room, e, "%s/%s%s", p->state, part, name.data);
	taf_buf_free(&name);
	return st;
}

enum taf_status
taf_identity_of(const char *path, struct taf_identity *id, struct taf_err *e)
{
	unsigned char first[DIGESTED];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	enum taf_status how = TAF_OK;
	struct stat st;
	size_t n = sizeof first;

	if (fd < 0 || fstat(fd, &st) != 0) {
		how = taf_fail_sys(e, "%s: cannot read", path);
	} else if (!S_ISREG(st.st_mode)) {
		how = taf_fail(e, TAF_EDATA, "%s: not a regular file", path);
	} else {
		n = st.st_size < DIGESTED ? (size_t)st.st_size : n;
		how = taf_read_at(fd, first, n, 0, e);
		taf_err_name(e, path);
	}
	if (fd >= 0)
		(void)close(fd);
	if (how != TAF_OK)
		return how;
	id->size = (uint64_t)st.st_size;
	id->seconds = (uint64_t)st.st_mtim.tv_sec;
	id->nanoseconds = (uint64_t)st.st_mtim.tv_nsec;
	id->inode = (uint64_t)st.st_ino;
	id->digest = taf_digest(0, first, n);
	return TAF_OK;
}

bool
taf_identity_same(const struct taf_identity *a, const struct taf_identity *b)
{
	return a->size == b->size && a->seconds == b->seconds &&
	    a->nanoseconds == b->nanoseconds && a->inode == b->inode &&
	    a->digest == b->digest;
}

enum taf_status
taf_plan_unchanged(const struct taf_plan *p, struct taf_err *e)
{
	struct taf_identity now;

	if (taf_identity_of(p->input, &now, e) != TAF_OK)
		return e->code;
	return taf_identity_same(&now, &p->identity) ? TAF_OK :
	    taf_fail(e, TAF_EDATA, "%s: has changed since the work began", p->input);
}

/* --- the files of --each --- */

static enum taf_status
list_file(const char *state, struct taf_buf *path, struct taf_err *e)
{
	return taf_buf_printf(path, e, "%s/files", state);
}

/* Another run may have other files, so that this is no part of the plan. */
static enum taf_status
keep_files(const struct taf_plan *p, struct taf_err *e)
{
	struct taf_str s = { .err = e };
	struct taf_buf path = { 0 }, text = { 0 };
	enum taf_status st = list_file(p->state, &path, e);
	size_t i;

	for (i = 0; st == TAF_OK && i < p->file.n; i++)
		st = taf_buf_put(&text, p->file.name[i], strlen(p->file.name[i]) + 1, e);
	taf_fields_put(&s, "files", text.data, text.len);
	if (st == TAF_OK && unlink(path.data) != 0 && errno != ENOENT)
		st = taf_fail_sys(e, "%s: cannot remove", path.data);
	if (st == TAF_OK)
		st = taf_fields_make(path.data, &s, e);
	taf_str_free(&s);
	taf_buf_free(&text);
	taf_buf_free(&path);
	return st == TAF_END ? taf_fail(e, TAF_ESYS, "%s: somebody else is at work",
	    p->state) : st;
}

static enum taf_status
load_files(struct taf_plan *p, const char *state, struct taf_err *e)
{
	struct taf_buf path = { 0 }, r = { 0 };
	const char *text;
	size_t n, at;
	enum taf_status st = list_file(state, &path, e);

	if (st == TAF_OK)
		st = taf_fields_read(path.data, &r, e);
	if (st == TAF_END)
		st = taf_fail(e, TAF_EDATA, "%s: no list of files", path.data);
	if (st == TAF_OK)
		st = taf_fields_get(&r, "files", &text, &n, e);
	for (at = 0; st == TAF_OK && at < n; at += strlen(text + at) + 1)
		st = taf_names_add(&p->file, text + at, e);
	p->slabs = p->points = p->file.n;
	taf_buf_free(&r);
	taf_buf_free(&path);
	return st;
}

void
taf_identity_put(struct taf_str *s, const struct taf_identity *id)
{
	taf_fields_u64(s, "size", id->size);
	taf_fields_u64(s, "seconds", id->seconds);
	taf_fields_u64(s, "nanoseconds", id->nanoseconds);
	taf_fields_u64(s, "inode", id->inode);
	taf_fields_u64(s, "first", id->digest);
}

enum taf_status
taf_identity_get(const struct taf_buf *r, struct taf_identity *id, struct taf_err *e)
{
	if (taf_fields_get_u64(r, "size", &id->size, e) != TAF_OK ||
	    taf_fields_get_u64(r, "seconds", &id->seconds, e) != TAF_OK ||
	    taf_fields_get_u64(r, "nanoseconds", &id->nanoseconds, e) != TAF_OK ||
	    taf_fields_get_u64(r, "inode", &id->inode, e) != TAF_OK ||
	    taf_fields_get_u64(r, "first", &id->digest, e) != TAF_OK)
		return e->code;
	return TAF_OK;
}

enum taf_status
taf_plan_data(struct taf_plan *p, struct taf_err *e)
{
	struct taf_buf path = { 0 };
	const enum taf_status st = taf_buf_printf(&path, e, "%s/data", p->state);

	p->data = path.data;
	return st;
}

static enum taf_status
plan_file(const char *state, struct taf_buf *path, struct taf_err *e)
{
	return taf_buf_printf(path, e, "%s/plan", state);
}

/* Of what a run with the same folder must not have otherwise. */
static enum taf_status
make_digest(struct taf_plan *p, struct taf_err *e)
{
	struct taf_str s = { .err = e };

	taf_fields_text(&s, "input", p->input);
	taf_fields_text(&s, "output", p->output);
	taf_fields_text(&s, "pipeline", p->pipeline);
	taf_fields_text(&s, "join", p->join);
	taf_fields_text(&s, "directory", p->directory);
	/* another run of --each may have other files */
	if (p->directory == NULL) {
		taf_fields_u64(&s, "dim", p->dim);
		taf_fields_u64(&s, "slabs", p->slabs);
		taf_identity_put(&s, &p->identity);
	}
	p->digest = taf_digest(0, s.buf.data, s.buf.len);
	taf_str_free(&s);
	return s.st;
}

void
taf_plan_mark(const struct taf_plan *p, struct taf_str *s)
{
	taf_fields_u64(s, "plan", p->digest);
}

enum taf_status
taf_plan_record(const struct taf_plan *p, const char *path, struct taf_buf *r,
    struct taf_err *e)
{
	enum taf_status st = taf_fields_read(path, r, e);
	uint64_t digest;

	if (st == TAF_OK)
		st = taf_fields_get_u64(r, "plan", &digest, e);
	if (st == TAF_OK && digest != p->digest)
		st = taf_fail(e, TAF_EDATA, "%s: is of another run", path);
	return st;
}

/* All but the files, of which a run may have made no list before it was ended. */
static enum taf_status
load(struct taf_plan *p, const char *state, struct taf_err *e)
{
	struct taf_buf r = { 0 }, path = { 0 };
	enum taf_status st;
	uint64_t dim = 0;
	size_t i;

	*p = (struct taf_plan){ 0 };
	st = plan_file(state, &path, e);
	if (st == TAF_OK)
		st = taf_fields_read(path.data, &r, e);
	if (st == TAF_END)
		st = taf_fail(e, TAF_EDATA, "%s: cannot find the plan of a run", state);
	for (i = 0; i < TEXTS && st == TAF_OK; i++)
		st = taf_fields_get_text(&r, texts[i].name, text_of(p, i), e);
	for (i = 0; i < NUMBERS && st == TAF_OK; i++)
		st = taf_fields_get_u64(&r, numbers[i].name, number_of(p, i), e);
	/* an older version has not kept this: what it makes, it removes */
	if (st == TAF_OK && taf_fields_get_u64(&r, "made", &p->made, e) != TAF_OK) {
		taf_err_clear(e);
		p->made = 1;
	}
	if (st == TAF_OK)
		st = taf_fields_get_u64(&r, "dim", &dim, e);
	if (st == TAF_OK)
		st = taf_identity_get(&r, &p->identity, e);
	p->dim = (unsigned)dim;
	if (st == TAF_OK && (p->state = strdup(state)) == NULL)
		st = taf_fail_mem(e);
	if (st == TAF_OK && p->directory == NULL)
		st = taf_plan_data(p, e);
	if (st == TAF_OK && p->directory == NULL && (p->input == NULL ||
	    p->output == NULL || dim == 0 || dim > TAF_MAX_DIM ||
	    p->slabs == 0 || p->slabs > p->points))
		st = taf_fail(e, TAF_EDATA, "%s: not a plan", path.data);
	if (st == TAF_OK && (p->pipeline == NULL || p->shell == NULL || p->bin == NULL))
		st = taf_fail(e, TAF_EDATA, "%s: not a plan", path.data);
	if (st == TAF_OK)
		st = make_digest(p, e);
	taf_buf_free(&r);
	taf_buf_free(&path);
	return st;
}

enum taf_status
taf_plan_load(struct taf_plan *p, const char *state, struct taf_err *e)
{
	enum taf_status st = load(p, state, e);

	if (st == TAF_OK && p->directory != NULL)
		st = load_files(p, state, e);
	if (st != TAF_OK)
		taf_plan_fini(p);
	return st;
}

enum taf_status
taf_plan_obey(struct taf_plan *p, const char *state, const char *digest,
    struct taf_err *e)
{
	enum taf_status st = taf_state_trust(state, e);
	uint64_t n;

	*p = (struct taf_plan){ 0 };
	if (st == TAF_OK)
		st = taf_plan_load(p, state, e);
	if (st == TAF_OK && digest != NULL &&
	    (!taf_parse_u64(digest, strlen(digest), &n) || n != p->digest))
		st = taf_fail(e, TAF_EUSAGE, "%s: keeps another plan than %s", state,
		    digest);
	if (st != TAF_OK)
		taf_plan_fini(p);
	return st;
}

enum taf_status
taf_plan_current(const struct taf_plan *p, struct taf_err *e)
{
	struct taf_plan now;
	enum taf_status st = load(&now, p->state, e);

	if (st == TAF_EDATA || (st == TAF_OK && now.digest != p->digest)) {
		taf_err_clear(e);
		st = TAF_END;
	}
	taf_plan_fini(&now);
	return st;
}

static bool
same_text(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static enum taf_status
compare(const struct taf_plan *old, const struct taf_plan *new, struct taf_err *e)
{
	const char *what = NULL;

	if ((old->directory == NULL) != (new->directory == NULL))
		return taf_fail(e, TAF_EUSAGE, "%s: is of a run %s --each", old->state,
		    old->directory != NULL ? "with" : "without");
	if (!same_text(old->input, new->input))
		what = "input";
	else if (!same_text(old->output, new->output))
		what = "output";
	else if (!same_text(old->pipeline, new->pipeline))
		what = "pipeline";
	else if (!same_text(old->join, new->join))
		what = "--join";
	else if (!same_text(old->directory, new->directory))
		what = "directory";
	if (what != NULL)
		return taf_fail(e, TAF_EUSAGE, "%s: is of a run with another %s",
		    old->state, what);
	if (new->directory != NULL)
		return TAF_OK;
	if (old->dim != new->dim)
		return taf_fail(e, TAF_EUSAGE,
		    "%s: is of a run along dimension %u, not %u",
		    old->state, old->dim, new->dim);
	if (!taf_identity_same(&old->identity, &new->identity))
		return taf_fail(e, TAF_EUSAGE, "%s: %s has changed since that run began",
		    old->state, old->input);
	if (old->slabs != new->slabs)
		return taf_fail(e, TAF_EUSAGE,
		    "%s: is of a run with %llu slabs, not %llu",
		    old->state, (unsigned long long)old->slabs,
		    (unsigned long long)new->slabs);
	return TAF_OK;
}

/* Is a plan there, or nothing?  Another run may be making one, and more, just now. */
static enum taf_status
there(const char *state, const char *path, struct taf_err *e)
{
	struct taf_buf r = { 0 };
	struct taf_err other = { 0 };
	enum taf_status st = taf_state_unused(state, e);

	if (st == TAF_EUSAGE && taf_fields_read(path, &r, &other) == TAF_OK) {
		taf_err_clear(e);
		st = TAF_OK;
	}
	taf_buf_free(&r);
	return st;
}

enum taf_status
taf_plan_keep(struct taf_plan *p, bool *again, struct taf_err *e)
{
	struct taf_str s = { .err = e };
	struct taf_buf path = { 0 };
	struct taf_plan old = { 0 };
	enum taf_status st;
	bool made = false;
	size_t i;

	*again = false;
	st = taf_state_make(p->state, &made, e);
	if (st == TAF_OK)
		st = plan_file(p->state, &path, e);
	if (st == TAF_OK && !made)
		st = there(p->state, path.data, e);
	p->made = p->made != 0 || made ? 1 : 0;
	if (st == TAF_OK)
		st = make_digest(p, e);
	for (i = 0; i < TEXTS; i++)
		taf_fields_text(&s, texts[i].name, *text_of(p, i));
	for (i = 0; i < NUMBERS; i++)
		taf_fields_u64(&s, numbers[i].name, *number_of(p, i));
	taf_fields_u64(&s, "made", p->made);
	taf_fields_u64(&s, "dim", p->dim);
	taf_identity_put(&s, &p->identity);
	if (st == TAF_OK)
		st = taf_fields_make(path.data, &s, e);
	if (st == TAF_END) {
		*again = true;
		st = load(&old, p->state, e);
		if (st == TAF_OK)
			st = compare(&old, p, e);
		p->made = old.made;
	}
	if (st == TAF_OK && p->directory != NULL)
		st = keep_files(p, e);
	taf_plan_fini(&old);
	taf_str_free(&s);
	taf_buf_free(&path);
	return st;
}
