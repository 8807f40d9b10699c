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
#include "io/out.h"
#include "spread/shell.h"
#include "stream/reader.h"
#include "stream/writer_private.h"

/* The absolute path of what is there already. */
static enum taf_status
absolute(const char *path, char **to, struct taf_err *e)
{
	*to = realpath(path, NULL);
	return *to != NULL ? TAF_OK : taf_fail_sys(e, "%s: cannot find", path);
}

/* The same of a file that may not be there yet, in a folder that is. */
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
	char path[PATH_MAX], *slash;
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

	if (n <= 0)
		return taf_fail_sys(e, "cannot tell where the programs are: use --bin");
	path[n] = '\0';
	slash = strrchr(path, '/');
	*slash = '\0';
	*to = strdup(path);
	return *to != NULL ? TAF_OK : taf_fail_mem(e);
}

/*
 * The path of the output, or of what a link to it leads to: so all find the same place,
 * and the state lies beside it.  It must be one that may be written.
 */
static enum taf_status
output_of(const char *path, char **to, struct taf_err *e)
{
	struct taf_out *out = NULL;
	char *target = NULL;
	enum taf_status how = TAF_OK;
	struct stat st;

	if (taf_sink_numbered(path))
		return taf_fail(e, TAF_EUSAGE, "%s: the output is one file, without a "
		    "number", path);
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
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
look(struct taf_plan *p, struct taf_err *e)
{
	struct taf_reader *r = NULL;
	struct taf_array a = { 0 };
	enum taf_status st = taf_reader_open(&r, p->input, 0, e);

	if (st == TAF_OK)
		st = taf_reader_next(r, &a, e);
	if (st == TAF_OK && taf_reader_source(r) == NULL)
		st = taf_fail(e, TAF_EDATA, "not a TAF file: tasks read parts of one");
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

	st = absolute(d->input, &p->input, e);
	if (st == TAF_OK)
		st = taf_identity_of(p->input, &p->identity, e);
	if (st == TAF_OK)
		st = look(p, e);
	if (st == TAF_OK)
		st = output_of(d->output, &p->output, e);
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

/* A file that is read, or made: the same text for the same file. */
struct name {
	char *text;
	size_t k;
	bool made;
};

static int
by_text(const void *a, const void *b)
{
	const struct name *x = a, *y = b;
	const int c = strcmp(x->text, y->text);

	/* what is made comes last */
	return c != 0 ? c : (int)x->made - (int)y->made;
}

/* A text for the file that path leads to, or will lead to once it is there. */
static enum taf_status
which(const char *path, char **to, struct taf_err *e)
{
	char *target = taf_out_resolve(path), *slash;
	const char *base = "";
	struct stat st = { 0 };

	if (target == NULL)
		return taf_fail_sys(e, "%s: cannot find", path);
	if (stat(target, &st) != 0) {
		slash = strrchr(target, '/');
		base = slash != NULL ? slash + 1 : target;
		if (slash != NULL)
			*slash = '\0';
		if (stat(slash == NULL ? "." : target[0] == '\0' ? "/" : target,
		    &st) != 0)
			st = (struct stat){ 0 };
	}
	*to = strdup(taf_path("%llu:%llu%s%s", (unsigned long long)st.st_dev,
	    (unsigned long long)st.st_ino, base[0] != '\0' ? "/" : "", base).s);
	free(target);
	return *to != NULL ? TAF_OK : taf_fail_mem(e);
}

/* The files that are read, and those that they become in the folder. */
static enum taf_status
list(const struct taf_plan *p, const char *folder, struct name *name, size_t *n,
    struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	size_t i;

	for (i = 0; st == TAF_OK && i < 2 * p->file.n; i++) {
		name[i] = (struct name){ .k = i / 2, .made = i % 2 != 0 };
		st = which(!name[i].made ? p->file.name[i / 2] :
		    taf_path("%s/%s.taf", folder, taf_plan_becomes(p, i / 2).s).s,
		    &name[i].text, e);
	}
	*n = i;
	return st;
}

/* Two files must not become one, and none one that is read, by whatever name. */
static enum taf_status
distinct(const struct taf_plan *p, const char *folder, struct taf_err *e)
{
	struct name *name = calloc(p->file.n, 2 * sizeof *name);
	const char *a, *b;
	struct taf_path becomes;
	enum taf_status st;
	size_t i, n = 0;

	if (name == NULL)
		return taf_fail_mem(e);
	st = list(p, folder, name, &n, e);
	if (st == TAF_OK)
		qsort(name, n, sizeof *name, by_text);
	for (i = 1; st == TAF_OK && i < n; i++) {
		if (!name[i].made || strcmp(name[i - 1].text, name[i].text) != 0)
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
		free(name[i].text);
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
		st = absolute(d->file[i], &path, e);
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
