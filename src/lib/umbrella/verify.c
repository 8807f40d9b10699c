/* SPDX-License-Identifier: ISC */
#include "umbrella/verify.h"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/names.h"
#include "io/temp.h"
#include "op/digest/recipe.h"
#include "spread/shell.h"
#include "stream/reader.h"
#include "umbrella/allowed.h"
#include "umbrella/umbrella.h"

/* A program that has run, or is to. */
struct step {
	struct taf_recipe_line line;
	bool known;		/* it is ours, and of this version */
	enum { UNTRIED, POSSIBLE, IMPOSSIBLE } state;
	bool done;
	char *made;		/* path of what it makes */
};

/* A file that has the digest of an input. */
struct found {
	const struct taf_recipe_word *word;
	char *path;		/* NULL as long as it was not found */
};

struct work {
	const struct cmd_verify *v;
	struct step step[TAF_RECIPE_LINES];
	unsigned n;
	struct found *found;
	size_t nfound;
	char folder[4096];
	int null, err;		/* for standard descriptors */
	bool differs;		/* what a step has made is not what it had made */
};

/* Read the lines of the file's first array. */
static enum taf_status
read_lines(struct work *x, struct taf_err *e)
{
	struct taf_reader *r;
	struct taf_array a = { 0 };
	enum taf_status st = taf_reader_open(&r, x->v->file, 0, e);
	unsigned k;

	if (st != TAF_OK)
		return st;
	st = taf_reader_next(r, &a, e);
	x->n = st == TAF_OK ? taf_recipe_count(&a) : 0;
	if (st == TAF_OK && x->n == 0)
		st = taf_fail(e, TAF_EDATA, "it has no recipe: nothing to verify");
	if (st == TAF_OK && x->n > TAF_RECIPE_LINES) {
		x->n = 0;
		st = taf_fail(e, TAF_EDATA, "its recipe has more than %d lines",
		    (int)TAF_RECIPE_LINES);
	}
	for (k = 0; k < x->n && st == TAF_OK; k++)
		st = taf_recipe_parse(&x->step[k].line, taf_recipe_get(&a, k + 1), e);
	taf_array_fini(&a);
	taf_reader_close(r);
	return st;
}

/* The page of a program whose output a recipe can tell of. */
static const struct taf_page *
page_of(const struct taf_pages *pages, const char *program)
{
	const struct taf_page *page = taf_pages_find(pages, program);

	return page != NULL && strcmp(page->name, program) == 0 &&
	    page->section == 1 && (page->flags & CMD_STREAM) != 0 &&
	    (page->flags & CMD_NO_RECIPE) == 0 ? page : NULL;
}

/* Is a step such as we would store it?  Of another version that is not known. */
static enum taf_status
check(const struct work *x, struct step *s, struct taf_err *e)
{
	const struct taf_page *page = page_of(x->v->pages, s->line.program);
	struct taf_buf help = { 0 };
	enum taf_status st;
	char *program;

	s->known = strcmp(s->line.version, TAF_VERSION) == 0;
	if (page == NULL)
		return taf_fail(e, TAF_EDATA, "%s: no program that --recipe stores",
		    s->line.program);
	if (!s->known)
		return TAF_OK;
	program = cmd_locate(x->v->self, page->name);
	st = program == NULL ? taf_fail_mem(e) :
	    taf_shell_read((const char *[]){ program, "-h", NULL }, &help, e);
	if (st == TAF_OK)
		st = cmd_recipe_allowed(&s->line, page->flags,
		    help.data != NULL ? help.data : "", e);
	taf_buf_free(&help);
	free(program);
	return st;
}

/* The step before k whose result has this digest, or k itself. */
static unsigned
made_by(const struct work *x, unsigned k, const struct taf_recipe_word *w)
{
	unsigned j = w->input == TAF_RECIPE_BEFORE && k > 0 ? k - 1 : 0;

	if (w->input == TAF_RECIPE_BEFORE)
		return k > 0 ? j : k;
	while (j < k && (x->step[j].line.result == NULL ||
	    w->input != TAF_RECIPE_ARRAYS ||
	    strcmp(x->step[j].line.result, w->digest) != 0))
		j++;
	return j;
}

static struct found *
find(const struct work *x, const struct taf_recipe_word *w)
{
	size_t i = 0;

	while (i < x->nfound && (x->found[i].word->input != w->input ||
	    strcmp(x->found[i].word->digest, w->digest) != 0))
		i++;
	return &x->found[i];
}

/* Note the files that are to be found: those that no step makes, or all. */
static enum taf_status
want(struct work *x, bool all, struct taf_err *e)
{
	size_t most = 0, i;
	struct found *grown;
	unsigned k;

	for (k = 0; k < x->n; k++)
		most += x->step[k].line.n;
	grown = realloc(x->found, (most + 1) * sizeof *grown);
	if (grown == NULL)
		return taf_fail_mem(e);
	x->found = grown;
	for (k = 0; k < x->n; k++)
		for (i = 0; i < x->step[k].line.n; i++) {
			const struct taf_recipe_word *w = &x->step[k].line.word[i];

			if (w->input == TAF_RECIPE_NONE || w->input == TAF_RECIPE_BEFORE)
				continue;
			if ((all || made_by(x, k, w) == k) &&
			    find(x, w) == &x->found[x->nfound])
				x->found[x->nfound++] = (struct found){ w, NULL };
		}
	return TAF_OK;
}

/* Which of the files is this one?  What cannot be read is none. */
static enum taf_status
compare_file(struct work *x, const char *path, struct taf_err *e)
{
	char digest[2][TAF_BLAKE3_TEXT] = { "", "" };
	bool tried[2] = { false, false };
	size_t i;

	for (i = 0; i < x->nfound; i++) {
		struct found *const f = &x->found[i];
		const bool bytes = f->word->input == TAF_RECIPE_BYTES;
		struct taf_err ignored = { 0 };

		if (f->path != NULL)
			continue;
		if (!tried[bytes] && taf_recipe_digest(&x->v->run->service, path, bytes,
		    digest[bytes], &ignored) != TAF_OK)
			digest[bytes][0] = '\0';
		tried[bytes] = true;
		if (strcmp(digest[bytes], f->word->digest) != 0)
			continue;
		cmd_say(x->v->run, "%s has the digest %s", path, f->word->digest);
		f->path = realpath(path, NULL);
		if (f->path == NULL)
			return taf_fail_sys(e, "%s: cannot find", path);
	}
	return TAF_OK;
}

static bool
all_found(const struct work *x)
{
	size_t i = 0;

	while (i < x->nfound && x->found[i].path != NULL)
		i++;
	return i == x->nfound;
}

/* Look for them in the folder. */
static enum taf_status
search(struct work *x, const char *folder, struct taf_err *e)
{
	struct taf_names names = { 0 };
	struct taf_str path = { .err = e };
	enum taf_status st;
	struct stat sb;
	size_t i;

	if (all_found(x))
		return TAF_OK;
	st = taf_names_read(&names, folder, "", e);
	if (st == TAF_END)
		st = taf_fail(e, TAF_EDATA, "--inputs %s: there is no such folder",
		    folder);
	for (i = 0; i < names.n && st == TAF_OK && !all_found(x); i++) {
		path.buf.len = 0;
		taf_str_printf(&path, "%s/%s", folder, names.name[i]);
		st = path.st;
		if (st == TAF_OK && stat(path.buf.data, &sb) == 0 && S_ISREG(sb.st_mode))
			st = compare_file(x, path.buf.data, e);
	}
	taf_str_free(&path);
	taf_names_free(&names);
	return st;
}

/* Is there all that step k needs, by way of the steps before it? */
static bool
possible(struct work *x, unsigned k)
{
	struct step *const s = &x->step[k];
	size_t i;

	if (s->state != UNTRIED)
		return s->state == POSSIBLE;
	s->state = s->known ? POSSIBLE : IMPOSSIBLE;
	for (i = 0; i < s->line.n && s->state == POSSIBLE; i++) {
		const struct taf_recipe_word *const w = &s->line.word[i];
		const unsigned j = w->input != TAF_RECIPE_NONE ? made_by(x, k, w) : k;

		if (w->input == TAF_RECIPE_NONE || (j < k && possible(x, j)))
			continue;
		if (w->input == TAF_RECIPE_BEFORE || find(x, w) == &x->found[x->nfound] ||
		    find(x, w)->path == NULL)
			s->state = IMPOSSIBLE;
	}
	return s->state == POSSIBLE;
}

/* Say what the last step lacks: the first thing that is missing. */
static enum taf_status
say_missing(const struct work *x, const char *folder, struct taf_err *e)
{
	unsigned k;
	size_t i;

	for (k = 0; k < x->n; k++)
		if (!x->step[k].known)
			return taf_fail(e, TAF_EDATA,
			    "recipe/%u: made by version %s of %s, and this is %s", k + 1,
			    x->step[k].line.version, x->step[k].line.program,
			    TAF_VERSION);
	for (i = 0; i < x->nfound; i++)
		if (x->found[i].path == NULL)
			return taf_fail(e, TAF_EDATA,
			    "an input is missing: no file in %s has the %sdigest %s",
			    folder, x->found[i].word->input == TAF_RECIPE_BYTES ? "" :
			    "array ", x->found[i].word->digest);
	return taf_fail(e, TAF_EDATA, "recipe/1: what was before it is missing");
}

/* Find all inputs, and what is made of them. */
static enum taf_status
plan(struct work *x, struct taf_err *e)
{
	const char *const slash = strrchr(x->v->file, '/');
	struct taf_str folder = { .err = e };
	enum taf_status st;
	unsigned k;

	if (x->v->inputs != NULL)
		taf_str_puts(&folder, x->v->inputs);
	else if (slash != NULL)
		taf_str_put(&folder, x->v->file, (size_t)(slash + 1 - x->v->file));
	else
		taf_str_puts(&folder, ".");
	taf_str_put(&folder, "", 1);
	st = folder.st == TAF_OK ? want(x, false, e) : folder.st;
	if (st == TAF_OK)
		st = search(x, folder.buf.data, e);
	/* what a step would make may be there */
	if (st == TAF_OK && !possible(x, x->n - 1)) {
		st = want(x, true, e);
		if (st == TAF_OK)
			st = search(x, folder.buf.data, e);
		for (k = 0; k < x->n; k++)
			x->step[k].state = UNTRIED;
	}
	if (st == TAF_OK && !possible(x, x->n - 1))
		st = say_missing(x, folder.buf.data, e);
	taf_str_free(&folder);
	return st;
}

/* A path in our folder for a file that is about to be made, for free(). */
static enum taf_status
name_file(struct work *x, const char *name, unsigned k, char **path, struct taf_err *e)
{
	struct taf_str s = { .err = e };

	taf_str_printf(&s, "%s/%u%s", x->folder, k, name);
	taf_str_put(&s, "", 1);
	if (s.st == TAF_OK)
		s.st = taf_temp_add(s.buf.data, e);
	if (s.st != TAF_OK)
		taf_str_free(&s);
	*path = s.buf.data;
	return s.st;
}

static enum taf_status
make_folder(struct work *x, struct taf_err *e)
{
	const char *dir = getenv("TMPDIR");
	char *path = NULL;
	enum taf_status st;
	unsigned n = 0;
	bool made;

	/* nobody else may put anything there */
	(void)umask(0077);
	do {
		(void)snprintf(x->folder, sizeof x->folder, "%s/taf-verify-%ld-%u",
		    dir != NULL && dir[0] != '\0' ? dir : "/tmp", (long)getpid(), ++n);
		made = taf_temp_mkdir(x->folder) == 0;
	} while (!made && errno == EEXIST && n < 100);
	if (!made)
		return taf_fail_sys(e, "%s: cannot make the folder", x->folder);
	x->null = open("/dev/null", O_RDWR | O_CLOEXEC);
	st = name_file(x, "err", 0, &path, e);
	if (st == TAF_OK)
		x->err = open(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC,
		    0600);
	if (st == TAF_OK && (x->null < 0 || x->err < 0))
		st = taf_fail_sys(e, "%s: cannot open", path);
	free(path);
	return st;
}

static enum taf_status
start(struct work *x, const char *const *argv, struct taf_err *e)
{
	const int fds[3] = { x->null, x->null, x->err };
	enum taf_status st;
	int how = 0;
	pid_t pid;

	if (ftruncate(x->err, 0) != 0)
		return taf_fail_sys(e, "cannot truncate a temporary file");
	st = taf_shell_start(&pid, argv, fds, false, e);
	if (st == TAF_OK)
		st = taf_shell_wait(pid, &how, e);
	return st == TAF_OK ? taf_shell_verdict(how, x->err, e) : st;
}

/* Of all that a step has made, its array. */
static enum taf_status
take_one(struct work *x, unsigned k, struct taf_err *e)
{
	struct step *const s = &x->step[k];
	char number[24], *one = NULL, *program = cmd_locate(x->v->self, "tafcat");
	enum taf_status st = program == NULL ? taf_fail_mem(e) :
	    name_file(x, "one.rsf", k, &one, e);

	(void)snprintf(number, sizeof number, "%llu", (unsigned long long)s->line.number);
	if (st == TAF_OK)
		st = start(x, (const char *[]){ program, "-q", "-N", number, "-o", one,
		    "--", s->made, NULL }, e);
	free(program);
	if (st != TAF_OK) {
		free(one);
		return st;
	}
	free(s->made);
	s->made = one;
	return TAF_OK;
}

/* The argument that a word is now: with the path of the input, for free(). */
static char *
argument(const struct work *x, unsigned k, const struct taf_recipe_word *w)
{
	const unsigned j = w->input != TAF_RECIPE_NONE ? made_by(x, k, w) : k;
	const char *path = "";
	size_t size;
	char *arg;

	if (j < k && x->step[j].state == POSSIBLE)
		path = x->step[j].made;
	else if (w->input != TAF_RECIPE_NONE)
		path = find(x, w)->path;
	size = strlen(w->text) + strlen(path) + 1;
	arg = malloc(size);
	if (arg != NULL)
		(void)snprintf(arg, size, "%s%s", w->text, path);
	return arg;
}

/* Run step k, whose inputs are there. */
static enum taf_status
run_step(struct work *x, unsigned k, struct taf_err *e)
{
	enum { BEFORE = 4 };
	struct step *const s = &x->step[k];
	char **argv = calloc(s->line.n + BEFORE + 1, sizeof *argv);
	enum taf_status st = argv == NULL ? taf_fail_mem(e) :
	    name_file(x, ".rsf", k, &s->made, e);
	size_t i;

	if (st == TAF_OK) {
		argv[0] = cmd_locate(x->v->self, s->line.program);
		argv[1] = strdup("-q");
		argv[2] = strdup("-o");
		argv[3] = strdup(s->made);
	}
	for (i = 0; i < s->line.n && st == TAF_OK; i++)
		argv[BEFORE + i] = argument(x, k, &s->line.word[i]);
	for (i = 0; i < s->line.n + BEFORE && st == TAF_OK; i++)
		if (argv[i] == NULL)
			st = taf_fail_mem(e);
	cmd_say(x->v->run, "recipe/%u: %s", k + 1, s->line.program);
	if (st == TAF_OK)
		st = start(x, (const char *const *)argv, e);
	if (st == TAF_OK && s->line.number > 0)
		st = take_one(x, k, e);
	for (i = 0; argv != NULL && i < s->line.n + BEFORE; i++)
		free(argv[i]);
	free(argv);
	s->done = st == TAF_OK;
	return st;
}

/* Add to said how what step k has made differs from a digest, if it does. */
static enum taf_status
compare(struct work *x, unsigned k, const char *digest, struct taf_str *said,
    struct taf_err *e)
{
	char got[TAF_BLAKE3_TEXT];
	enum taf_status st = taf_recipe_digest(&x->v->run->service, x->step[k].made,
	    false, got, e);

	if (st != TAF_OK || strcmp(got, digest) == 0)
		return st;
	x->differs = true;
	taf_str_printf(said, "%s: not the same bits: recipe/%u (%s) makes %s, not %s\n",
	    x->v->file, k + 1, x->step[k].line.program, got, digest);
	return said->st;
}

/* Run step k and what it needs, up to the first result that differs. */
static enum taf_status
make(struct work *x, unsigned k, struct taf_str *said, struct taf_err *e)
{
	struct step *const s = &x->step[k];
	enum taf_status st = TAF_OK;
	size_t i;

	for (i = 0; i < s->line.n && st == TAF_OK && !x->differs; i++) {
		const struct taf_recipe_word *const w = &s->line.word[i];
		const unsigned j = w->input != TAF_RECIPE_NONE ? made_by(x, k, w) : k;

		if (j < k && x->step[j].state == POSSIBLE && !x->step[j].done)
			st = make(x, j, said, e);
	}
	if (st != TAF_OK || x->differs)
		return st;
	st = run_step(x, k, e);
	if (st != TAF_OK) {
		char text[sizeof e->text];

		(void)snprintf(text, sizeof text, "recipe/%u: %s: %.*s", k + 1,
		    s->line.program, (int)sizeof text - 64, e->text);
		(void)strcpy(e->text, text);
	}
	return st == TAF_OK && s->line.result != NULL ?
	    compare(x, k, s->line.result, said, e) : st;
}

/* What may have an influence on programs, or on what they print, is left behind. */
static enum taf_status
forget_environment(struct taf_err *e)
{
	static const char *const names[] = {
		"TAF_VERIFY", "TAF_OPERAND_0", "POSIXLY_CORRECT", "DATAPATH",
	};
	size_t i;

	for (i = 0; i < sizeof names / sizeof names[0]; i++)
		if (unsetenv(names[i]) != 0)
			return taf_fail_mem(e);
	return setenv("TAF_HISTORY", "off", 1) == 0 ? TAF_OK : taf_fail_mem(e);
}

static enum taf_status
verify(struct work *x, struct taf_str *said, struct taf_err *e)
{
	const struct cmd_verify *const v = x->v;
	const struct step *last;
	char digest[TAF_BLAKE3_TEXT];
	enum taf_status st = read_lines(x, e);
	unsigned k;

	for (k = 0; k < x->n && st == TAF_OK; k++)
		st = check(x, &x->step[k], e);
	if (st == TAF_OK)
		st = taf_recipe_digest(&v->run->service, v->file, false, digest, e);
	if (st != TAF_OK)
		return st;
	last = &x->step[x->n - 1];
	if (last->line.result != NULL && strcmp(last->line.result, digest) != 0) {
		x->differs = true;
		taf_str_printf(said,
		    "%s: not the same bits: it is %s, and its recipe has made %s\n",
		    v->file, digest, last->line.result);
		return said->st;
	}
	st = plan(x, e);
	if (st == TAF_OK)
		st = forget_environment(e);
	if (st == TAF_OK)
		st = make_folder(x, e);
	if (st == TAF_OK)
		st = make(x, x->n - 1, said, e);
	if (st == TAF_OK && !x->differs && last->line.result == NULL)
		st = compare(x, x->n - 1, digest, said, e);
	if (st == TAF_OK && !x->differs)
		taf_str_printf(said, "%s: the same bits\n", v->file);
	return st == TAF_OK ? said->st : st;
}

enum taf_status
cmd_verify(const struct cmd_verify *v, bool *same, struct taf_str *said,
    struct taf_err *e)
{
	struct work *x = calloc(1, sizeof *x);
	enum taf_status st;
	unsigned k;
	size_t i;

	if (x == NULL)
		return taf_fail_mem(e);
	x->v = v;
	x->null = x->err = -1;
	st = verify(x, said, e);
	taf_err_name(e, v->file);
	*same = !x->differs;
	taf_temp_unlink_all();
	for (k = 0; k < TAF_RECIPE_LINES; k++) {
		taf_recipe_free(&x->step[k].line);
		free(x->step[k].made);
	}
	for (i = 0; i < x->nfound; i++)
		free(x->found[i].path);
	free(x->found);
	if (x->null >= 0)
		(void)close(x->null);
	if (x->err >= 0)
		(void)close(x->err);
	free(x);
	return st;
}
