/* SPDX-License-Identifier: ISC */
#include "spread/draft.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array/region.h"
#include "base/str.h"
#include "io/in.h"
#include "io/numbered.h"
#include "io/os.h"
#include "io/out.h"
#include "io/url.h"
#include "io/where.h"
#include "spread/shell.h"
#include "stream/reader.h"

/* The absolute path of what is there already. */
static enum taf_status
absolute(const char *path, char **to, struct taf_err *e)
{
	*to = realpath(path, NULL);
	return *to != NULL ? TAF_OK : taf_fail_sys(e, "%s: cannot find", path);
}

/* The same of the input, which may be a URL. */
static enum taf_status
input_of(const char *path, char **to, struct taf_err *e)
{
	if (!taf_is_url(path))
		return absolute(path, to, e);
	*to = strdup(path);
	return *to != NULL ? TAF_OK : taf_fail_mem(e);
}

/* The absolute path of a file that may not be there yet, in a folder that is. */
static enum taf_status
absolute_new(const char *path, char **to, struct taf_err *e)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash != NULL ? slash + 1 : path;
	const int n = slash == path ? 1 : (int)(base - path);
	char *folder;

	if (base[0] == '\0')
		return taf_fail(e, TAF_EUSAGE, "%s: not a file", path);
	if (absolute(n == 0 ? "." : taf_path("%.*s", n, path).s, &folder, e) != TAF_OK)
		return e->code;
	*to = strdup(taf_path("%s/%s", strcmp(folder, "/") == 0 ? "" : folder, base).s);
	free(folder);
	return *to != NULL ? TAF_OK : taf_fail_mem(e);
}

/* The folder of state: a link to one leads to that for all who come later. */
static enum taf_status
state_of(struct taf_path path, char **to, struct taf_err *e)
{
	struct stat st;

	return stat(path.s, &st) == 0 ? absolute(path.s, to, e) :
	    absolute_new(path.s, to, e);
}

/* The folder of the program that runs. */
static enum taf_status
own_folder(char **to, struct taf_err *e)
{
	char path[PATH_MAX];

	if (taf_os_program(path, sizeof path) != 0)
		return taf_fail_sys(e, "cannot tell where the programs are: use --bin");
	*to = strdup(path);
	return *to != NULL ? TAF_OK : taf_fail_mem(e);
}

/*
 * The path of the output, or of what a link to it leads to: so all find the same place,
 * and the state lies beside it.  It must be one that may be written.
 */
static enum taf_status
output_of(const char *path, bool checksum, char **to, struct taf_err *e)
{
	struct taf_out *out = NULL;
	char *target = NULL;
	enum taf_status how = TAF_OK;
	struct stat st;

	if (taf_numbered(path))
		return taf_fail(e, TAF_EUSAGE,
		    "%s: the output is one file, without a number", path);
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		if (checksum)
			return taf_fail(e, TAF_EUSAGE,
			    "%s: --checksum is of a regular file", path);
		errno = EISDIR;
		if (S_ISDIR(st.st_mode) || access(path, W_OK) != 0)
			return taf_fail_sys(e, "%s: cannot write", path);
		return absolute_new(path, to, e);
	}
	target = taf_out_resolve(path);
	if (target == NULL)
		return taf_fail_sys(e, "%s: cannot write", path);
	how = absolute_new(target, to, e);
	if (how == TAF_OK)
		how = taf_out_create(&out, path, e);
	taf_out_discard(out);
	free(target);
	return how;
}

/* One word is text of a shell; of several each is a word there, too. */
static enum taf_status
pipeline(const struct taf_draft *d, char **to, struct taf_err *e)
{
	struct taf_str s = { .err = e };
	int i;

	if (d->nwords == 1)
		taf_str_puts(&s, d->words[0]);
	for (i = 0; d->nwords > 1 && i < d->nwords; i++) {
		taf_str_puts(&s, i > 0 ? " " : "");
		taf_shell_quote(&s, d->words[i]);
	}
	*to = s.buf.data;
	return s.st;
}

/* The dimension that is cut, and its points. */
static enum taf_status
look(struct taf_plan *p, struct taf_words *named, struct taf_err *e)
{
	struct taf_reader *r = NULL;
	struct taf_array a = { 0 };
	enum taf_status st = taf_reader_open(&r, p->input, 0, e);

	if (st == TAF_OK)
		st = taf_reader_next(r, &a, e);
	if (st == TAF_OK && taf_reader_source(r) == NULL)
		st = taf_fail(e, TAF_EDATA, "not a TAF file: tasks read parts of one");
	if (st == TAF_OK)
		st = taf_words_settle(named, &a, e);
	if (st == TAF_OK && p->dim == 0)
		p->dim = a.ndim;
	if (st == TAF_OK)
		st = taf_dim_there(&a, p->dim, e);
	if (st == TAF_OK) {
		p->points = a.dim[p->dim - 1].n;
		if (p->points == 0)
			st = taf_fail(e, TAF_EDATA, "dimension %u has no points", p->dim);
	}
	taf_err_name(e, p->input);
	taf_reader_close(r);
	taf_array_fini(&a);
	return st;
}

/* What both kinds of plan have. */
static enum taf_status
common(struct taf_plan *p, const struct taf_draft *d, struct taf_err *e)
{
	enum taf_status st;

	st = d->bin != NULL ? absolute(d->bin, &p->bin, e) : own_folder(&p->bin, e);
	if (st == TAF_OK)
		st = pipeline(d, &p->pipeline, e);
	if (st == TAF_OK)
		st = taf_shell_find(getenv("SHELL"), &p->shell, e);
	return st;
}

enum taf_status
taf_draft_plan(struct taf_plan *p, const struct taf_draft *d, struct taf_err *e)
{
	enum taf_status st;

	st = input_of(d->input, &p->input, e);
	if (st == TAF_OK)
		st = taf_identity_of(p->input, &p->identity, e);
	if (st == TAF_OK)
		st = look(p, d->named, e);
	if (st == TAF_OK)
		st = output_of(d->output, p->checksum != 0, &p->output, e);
	if (st == TAF_OK)
		st = state_of(d->state != NULL ? taf_path("%s", d->state) :
		    taf_path("%s.spread", p->output), &p->state, e);
	p->made = d->state == NULL ? 1 : 0;
	if (st == TAF_OK)
		st = common(p, d, e);
	if (p->slabs == 0)
		p->slabs = d->slabs;
	if (p->slabs > p->points)
		p->slabs = p->points;
	return st;
}

/* File k, that is read or made. */
struct name {
	struct taf_where at;
	char *target;		/* which it keeps */
	size_t k;
	bool made;
};

static int
by_place(const void *a, const void *b)
{
	const struct name *x = a, *y = b;
	const int c = taf_where_compare(&x->at, &y->at);

	/* what is made comes last */
	return c != 0 ? c : (int)x->made - (int)y->made;
}

/* The files that are read, and those that they become in the folder. */
static enum taf_status
list(const struct taf_plan *p, const char *folder, struct name *name, struct taf_err *e)
{
	struct taf_path path;
	size_t i;

	for (i = 0; i < 2 * p->file.n; i++) {
		name[i].k = i / 2;
		name[i].made = i % 2 != 0;
		path = name[i].made ? taf_path("%s/%s.taf", folder,
		    taf_plan_becomes(p, i / 2).s) : taf_path("%s", p->file.name[i / 2]);
		name[i].target = taf_out_resolve(path.s);
		if (name[i].target == NULL)
			return taf_fail_sys(e, "%s: cannot find", path.s);
		(void)taf_where_of(&name[i].at, name[i].target);
	}
	return TAF_OK;
}

/* Two files must not become one, and none one that is read, by whatever name. */
static enum taf_status
distinct(const struct taf_plan *p, const char *folder, struct taf_err *e)
{
	const size_t n = 2 * p->file.n;
	struct name *name = calloc(n, sizeof *name);
	const char *a, *b;
	struct taf_path becomes;
	enum taf_status st;
	size_t i;

	if (name == NULL)
		return taf_fail_mem(e);
	st = list(p, folder, name, e);
	if (st == TAF_OK)
		qsort(name, n, sizeof *name, by_place);
	for (i = 1; st == TAF_OK && i < n; i++) {
		if (!name[i].made || taf_where_compare(&name[i - 1].at, &name[i].at) != 0)
			continue;
		a = p->file.name[name[i - 1].k];
		b = p->file.name[name[i].k];
		becomes = taf_plan_becomes(p, name[i].k);
		st = name[i - 1].made ? taf_fail(e, TAF_EUSAGE,
		    "%s and %s are both to become %s.taf", a, b, becomes.s) :
		    taf_fail(e, TAF_EUSAGE,
		    "%s is to become %s/%s.taf, which is an input: %s", b, folder,
		    becomes.s, a);
	}
	for (i = 0; i < n; i++)
		free(name[i].target);
	free(name);
	return st;
}

enum taf_status
taf_draft_each(struct taf_plan *p, const struct taf_draft *d, struct taf_err *e)
{
	enum taf_status st;
	char *path = NULL;
	size_t i;

	st = common(p, d, e);
	for (i = 0; st == TAF_OK && i < d->nfiles; i++) {
		st = !taf_is_url(d->file[i]) ? absolute(d->file[i], &path, e) :
		    taf_fail(e, TAF_EUSAGE, "%s: --each takes files, no URLs",
		    taf_in_called(d->file[i]));
		if (st == TAF_OK)
			st = taf_names_add(&p->file, path, e);
		free(path);
	}
	if (st == TAF_OK)
		st = distinct(p, d->directory, e);
	if (st == TAF_OK && mkdir(d->directory, 0777) != 0 && errno != EEXIST)
		st = taf_fail_sys(e, "%s: cannot make this folder", d->directory);
	if (st == TAF_OK)
		st = absolute(d->directory, &p->directory, e);
	if (st == TAF_OK)
		st = state_of(d->state != NULL ? taf_path("%s", d->state) :
		    taf_path("%s/.tafspread", p->directory), &p->state, e);
	p->slabs = p->points = p->file.n;
	return st;
}
