/* SPDX-License-Identifier: ISC */
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
#include "io/at.h"
#include "io/in.h"
#include "io/temp.h"
#include "io/url.h"
#include "spread/state.h"

enum { DIGESTED = 4096 };

/*
 * The first ones are what a run with the same folder must not have otherwise; of --each
 * only what is text, since another run of it may have other files.
 */
static const struct taf_field fields[] = {
	{ "input", TAF_FIELD_TEXT, offsetof(struct taf_plan, input) },
	{ "output", TAF_FIELD_TEXT, offsetof(struct taf_plan, output) },
	{ "pipeline", TAF_FIELD_TEXT, offsetof(struct taf_plan, pipeline) },
	{ "join", TAF_FIELD_TEXT, offsetof(struct taf_plan, join) },
	{ "directory", TAF_FIELD_TEXT, offsetof(struct taf_plan, directory) },
	{ "dim", TAF_FIELD_UNSIGNED, offsetof(struct taf_plan, dim) },
	{ "slabs", TAF_FIELD_U64, offsetof(struct taf_plan, slabs) },
	TAF_IDENTITY_FIELDS(struct taf_plan, identity),
	{ "shell", TAF_FIELD_TEXT, offsetof(struct taf_plan, shell) },
	{ "bin", TAF_FIELD_TEXT, offsetof(struct taf_plan, bin) },
	{ "points", TAF_FIELD_U64, offsetof(struct taf_plan, points) },
	{ "made", TAF_FIELD_U64, offsetof(struct taf_plan, made) },
	{ "checksum", TAF_FIELD_U64, offsetof(struct taf_plan, checksum) },
};

enum {
	FIELDS = sizeof fields / sizeof fields[0],
	MADE = FIELDS - 2,
	CHECKSUM = FIELDS - 1,
	TEXTS = 5,
	SAME = TEXTS + 2 + TAF_IDENTITY
};

void
taf_plan_fini(struct taf_plan *p)
{
	free(p->input);
	free(p->output);
	free(p->state);
	free(p->directory);
	free(p->pipeline);
	free(p->join);
	free(p->shell);
	free(p->bin);
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

struct taf_path
taf_plan_becomes(const struct taf_plan *p, uint64_t k)
{
	const char *path = p->file.name[k], *slash = strrchr(path, '/'), *dot;
	const char *base = slash != NULL ? slash + 1 : path;

	dot = strrchr(base, '.');
	return taf_path("%.*s", dot != NULL && dot > base ? (int)(dot - base) :
	    (int)strlen(base), base);
}

struct taf_path
taf_plan_name(const struct taf_plan *p, uint64_t k)
{
	uint64_t lo, hi;

	if (p->directory != NULL)
		return taf_path("%s", p->file.name[k]);
	taf_plan_slab(p, k, &lo, &hi);
	return taf_path("slab %llu (%u=%llu:%llu)", (unsigned long long)k + 1, p->dim,
	    (unsigned long long)lo + 1, (unsigned long long)hi);
}

struct taf_path
taf_plan_file(const struct taf_plan *p, const char *name)
{
	return taf_path("%s/%s", p->state, name);
}

struct taf_path
taf_plan_path(const struct taf_plan *p, const char *folder, uint64_t k)
{
	return p->directory != NULL ?
	    taf_path("%s/%s/%s", p->state, folder, taf_plan_becomes(p, k).s) :
	    taf_path("%s/%s/%llu", p->state, folder, (unsigned long long)k);
}

/* The same of what is behind a URL. */
static enum taf_status
identity_of_url(const char *url, struct taf_identity *id, struct taf_err *e)
{
	struct taf_in *in = NULL;
	enum taf_status st = taf_in_open(&in, url, e);

	if (st == TAF_OK)
		*id = (struct taf_identity){ .size = taf_in_left(in),
			.digest = taf_in_mark(in) };
	taf_in_close(in);
	return st;
}

enum taf_status
taf_identity_of(const char *path, struct taf_identity *id, struct taf_err *e)
{
	unsigned char first[DIGESTED];
	enum taf_status how = TAF_OK;
	struct stat st;
	size_t n = sizeof first;
	int fd;

	if (taf_is_url(path))
		return identity_of_url(path, id, e);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
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
	*id = (struct taf_identity){ (uint64_t)st.st_size, (uint64_t)st.st_mtim.tv_sec,
		(uint64_t)st.st_mtim.tv_nsec, (uint64_t)st.st_ino,
		taf_digest(0, first, n) };
	return TAF_OK;
}

bool
taf_identity_same(const struct taf_identity *a, const struct taf_identity *b)
{
	return memcmp(a, b, sizeof *a) == 0;
}

enum taf_status
taf_plan_changed(const struct taf_plan *p, struct taf_err *e)
{
	return taf_fail(e, TAF_EDATA, "%s: has changed since the work began",
	    taf_in_called(p->input));
}

/* --- the files of --each, of which another run may have others --- */

static const struct taf_field list = { "files", TAF_FIELD_BYTES, 0 };

static enum taf_status
keep_files(const struct taf_plan *p, struct taf_err *e)
{
	const struct taf_path path = taf_plan_file(p, "files");
	struct taf_buf text = { 0 };
	enum taf_status st = TAF_OK;
	size_t i;

	for (i = 0; st == TAF_OK && i < p->file.n; i++)
		st = taf_buf_put(&text, p->file.name[i], strlen(p->file.name[i]) + 1, e);
	if (st == TAF_OK && unlink(path.s) != 0 && errno != ENOENT)
		st = taf_fail_sys(e, "%s: cannot remove", path.s);
	if (st == TAF_OK)
		st = taf_record_make(path.s, NULL, &list, 1, &text, e);
	taf_buf_free(&text);
	return st == TAF_END ? taf_fail(e, TAF_ESYS, "%s: somebody else is at work",
	    p->state) : st;
}

static enum taf_status
load_files(struct taf_plan *p, struct taf_err *e)
{
	const struct taf_path path = taf_plan_file(p, "files");
	struct taf_buf text = { 0 };
	enum taf_status st = taf_record_read(path.s, NULL, &list, 1, &text, e);
	size_t at;

	if (st == TAF_END)
		st = taf_fail(e, TAF_EDATA, "%s: no list of files", path.s);
	for (at = 0; st == TAF_OK && at < text.len; at += strlen(text.data + at) + 1)
		st = taf_names_add(&p->file, text.data + at, e);
	p->slabs = p->points = p->file.n;
	taf_buf_free(&text);
	return st;
}

/* --- all of it --- */

static enum taf_status
make_digest(struct taf_plan *p, struct taf_err *e)
{
	struct taf_str s = { .err = e };

	taf_fields_put(&s, fields, p->directory != NULL ? TEXTS : SAME, p);
	p->digest = taf_digest(0, s.buf.data, s.buf.len);
	taf_str_free(&s);
	return s.st;
}

/* Does it say what it must? */
static bool
is_plan(const struct taf_plan *p)
{
	if (p->pipeline == NULL || p->shell == NULL || p->bin == NULL)
		return false;
	return p->directory != NULL || (p->input != NULL && p->output != NULL &&
	    p->dim > 0 && p->dim <= TAF_MAX_DIM && p->slabs > 0 && p->slabs <= p->points);
}

/* All but the files, of which a run may have made no list before it was ended. */
static enum taf_status
load(struct taf_plan *p, const char *state, struct taf_err *e)
{
	struct taf_path path;
	enum taf_status st;

	*p = (struct taf_plan){ .state = strdup(state) };
	if (p->state == NULL)
		return taf_fail_mem(e);
	path = taf_plan_file(p, "plan");
	st = taf_record_read(path.s, NULL, fields, MADE, p, e);
	/* older versions have not kept the last ones: what they make, they remove */
	if (st == TAF_OK &&
	    taf_record_read(path.s, NULL, &fields[MADE], 1, p, e) != TAF_OK) {
		taf_err_clear(e);
		p->made = 1;
	}
	if (st == TAF_OK && taf_record_read(path.s, NULL, &fields[CHECKSUM], 1, p, e) !=
	    TAF_OK)
		taf_err_clear(e);
	if (st == TAF_END)
		st = taf_fail(e, TAF_EDATA, "%s: cannot find the plan of a run", state);
	if (st == TAF_OK && !is_plan(p))
		st = taf_fail(e, TAF_EDATA, "%s: not a plan", path.s);
	return st == TAF_OK ? make_digest(p, e) : st;
}

enum taf_status
taf_plan_load(struct taf_plan *p, const char *state, struct taf_err *e)
{
	enum taf_status st = load(p, state, e);

	if (st == TAF_OK && p->directory != NULL)
		st = load_files(p, e);
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

/* Field i as text. */
static const char *
text_of(const struct taf_plan *p, size_t i)
{
	const char *text = *(char *const *)(const void *)((const char *)p + fields[i].at);

	return text != NULL ? text : "";
}

static enum taf_status
compare(const struct taf_plan *old, const struct taf_plan *new, struct taf_err *e)
{
	size_t i;

	if ((old->directory == NULL) != (new->directory == NULL))
		return taf_fail(e, TAF_EUSAGE, "%s: is of a run %s --each", old->state,
		    old->directory != NULL ? "with" : "without");
	for (i = 0; i < TEXTS; i++)
		if (strcmp(text_of(old, i), text_of(new, i)) != 0)
			return taf_fail(e, TAF_EUSAGE,
			    "%s: is of a run with another %s%s", old->state,
			    strcmp(fields[i].name, "join") == 0 ? "--" : "",
			    fields[i].name);
	if (new->directory != NULL)
		return TAF_OK;
	if (old->dim != new->dim)
		return taf_fail(e, TAF_EUSAGE,
		    "%s: is of a run along dimension %u, not %u",
		    old->state, old->dim, new->dim);
	if (!taf_identity_same(&old->identity, &new->identity))
		return taf_fail(e, TAF_EUSAGE, "%s: %s has changed since that run began",
		    old->state, taf_in_called(old->input));
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
	struct taf_err other = { 0 };
	struct taf_buf r = { 0 };
	enum taf_status st = taf_state_unused(state, e);

	if (st == TAF_EUSAGE && taf_fields_read(path, &r, &other) == TAF_OK) {
		taf_err_clear(e);
		st = TAF_OK;
	}
	taf_buf_free(&r);
	return st;
}

/* The plan is on the disk before anything that only a plan explains. */
static enum taf_status
settle(const struct taf_plan *p, const char *path, struct taf_err *e)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	enum taf_status st = fd < 0 ? taf_fail_sys(e, "%s: cannot read", path) :
	    taf_sync_file(fd, e);

	if (fd >= 0)
		(void)close(fd);
	return st == TAF_OK ? taf_sync_folder(p->state, e) : st;
}

enum taf_status
taf_plan_keep(struct taf_plan *p, bool *again, struct taf_err *e)
{
	const struct taf_path path = taf_plan_file(p, "plan");
	struct taf_plan old = { 0 };
	bool made = false;
	enum taf_status st = taf_state_make(p->state, &made, e);

	*again = false;
	if (st == TAF_OK && !made)
		st = there(p->state, path.s, e);
	p->made = p->made != 0 || made ? 1 : 0;
	if (st == TAF_OK)
		st = make_digest(p, e);
	if (st == TAF_OK)
		st = taf_record_make(path.s, NULL, fields, FIELDS, p, e);
	if (st == TAF_OK)
		st = settle(p, path.s, e);
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
	return st;
}
