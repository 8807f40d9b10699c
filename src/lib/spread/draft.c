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
#include "spread/shell.h"
#include "stream/reader.h"

/* The absolute path of what is there already. */
static enum taf_status
absolute(const char *path, char **to, struct taf_err *e)
{
	*to = realpath(path, NULL);
	return *to != NULL ? TAF_OK : taf_fail_sys(e, "%s: cannot find", path);
}

/* The same of a file that may not be there yet, in a folder that is. */
static enum taf_status
absolute_new(const char *path, const char *suffix, char **to, struct taf_err *e)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash != NULL ? slash + 1 : path;
	struct taf_buf text = { 0 };
	char *folder = NULL;
	enum taf_status st = TAF_OK;

	*to = NULL;
	if (base[0] == '\0')
		return taf_fail(e, TAF_EUSAGE, "%s: not a file", path);
	if (slash == NULL || slash == path)
		folder = strdup(slash == NULL ? "." : "/");
	else
		folder = strndup(path, (size_t)(slash - path));
	if (folder == NULL)
		return taf_fail_mem(e);
	st = absolute(folder, to, e);
	if (st == TAF_OK)
		st = taf_buf_printf(&text, e, "%s/%s%s", strcmp(*to, "/") == 0 ? "" : *to,
		    base, suffix);
	free(folder);
	free(*to);
	*to = st == TAF_OK ? text.data : NULL;
	return st;
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

/* One word is text of a shell; of several each is a word there, too. */
static enum taf_status
pipeline(const struct taf_draft *d, char **to, struct taf_err *e)
{
	struct taf_str s = { .err = e };
	const char *c;
	int i;

	if (d->nwords == 1)
		taf_str_puts(&s, d->words[0]);
	for (i = 0; d->nwords > 1 && i < d->nwords; i++) {
		taf_str_puts(&s, i > 0 ? " '" : "'");
		for (c = d->words[i]; *c != '\0'; c++)
			taf_str_put(&s, *c == '\'' ? "'\\''" : c, *c == '\'' ? 4 : 1);
		taf_str_puts(&s, "'");
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
	const char *state = d->state != NULL ? d->state : d->output;
	enum taf_status st;

	st = absolute(d->input, &p->input, e);
	if (st == TAF_OK)
		st = taf_identity_of(p->input, &p->identity, e);
	if (st == TAF_OK)
		st = look(p, e);
	if (st == TAF_OK)
		st = absolute_new(d->output, "", &p->output, e);
	if (st == TAF_OK)
		st = absolute_new(state, d->state != NULL ? "" : ".spread", &p->state, e);
	if (st == TAF_OK)
		st = absolute_new(d->output, ".part", &p->data, e);
	if (st == TAF_OK)
		st = common(p, d, e);
	if (p->slabs == 0)
		p->slabs = d->slabs;
	if (p->slabs > p->points)
		p->slabs = p->points;
	return st;
}

/* A name, and whose it is. */
struct name {
	char *text;
	size_t k;
};

static int
by_text(const void *a, const void *b)
{
	const struct name *x = a, *y = b;

	return strcmp(x->text, y->text);
}

/* Two files must not become one. */
static enum taf_status
distinct(const struct taf_plan *p, struct taf_err *e)
{
	struct name *name = taf_alloc(p->file.n, sizeof *name);
	struct taf_buf text = { 0 };
	enum taf_status st = TAF_OK;
	size_t i, n = 0;

	if (name == NULL)
		return taf_fail_mem(e);
	for (; st == TAF_OK && n < p->file.n; n++) {
		text = (struct taf_buf){ 0 };
		st = taf_plan_becomes(p, n, &text, e);
		name[n] = (struct name){ text.data, n };
	}
	if (st == TAF_OK)
		qsort(name, n, sizeof *name, by_text);
	for (i = 1; st == TAF_OK && i < n; i++)
		if (strcmp(name[i - 1].text, name[i].text) == 0)
			st = taf_fail(e, TAF_EUSAGE,
			    "%s and %s are both to become %s.taf",
			    p->file.name[name[i - 1].k], p->file.name[name[i].k],
			    name[i].text);
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
		st = distinct(p, e);
	if (st == TAF_OK && mkdir(d->directory, 0777) != 0 && errno != EEXIST)
		st = taf_fail_sys(e, "%s: cannot make this folder", d->directory);
	if (st == TAF_OK)
		st = absolute(d->directory, &p->directory, e);
	if (st == TAF_OK && d->state != NULL)
		st = absolute_new(d->state, "", &p->state, e);
	else if (st == TAF_OK)
		st = absolute_new(p->directory, "/.tafspread", &p->state, e);
	p->slabs = p->points = p->file.n;
	return st;
}
