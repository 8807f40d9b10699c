/* SPDX-License-Identifier: ISC */
#include "umbrella/umbrella.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "format/converter.h"
#include "io/in.h"
#include "io/url.h"
#include "spread/shell.h"
#include "umbrella/pipes.h"

/* The path of a program beside self, for the caller to free; NULL where there is none. */
static char *
beside(const char *self, const char *name)
{
	const char *slash = strrchr(self, '/');
	const size_t n = slash != NULL ? (size_t)(slash + 1 - self) : 0;
	char *path = n > 0 ? malloc(n + strlen(name) + 1) : NULL;

	if (path == NULL)
		return NULL;
	memcpy(path, self, n);
	(void)strcpy(path + n, name);
	if (access(path, X_OK) == 0)
		return path;
	free(path);
	return NULL;
}

/* Beside self, or beside what self is a link to. */
char *
cmd_locate(const char *self, const char *name)
{
	char *path = beside(self, name), *whole = NULL;

	if (path == NULL && strchr(self, '/') != NULL)
		whole = realpath(self, NULL);
	if (whole != NULL)
		path = beside(whole, name);
	free(whole);
	return path != NULL ? path : strdup(name);
}

enum taf_status
cmd_become(const char *self, const char **argv, struct taf_err *e)
{
	char *path = cmd_locate(self, argv[0]);

	if (path != NULL)
		(void)execvp(path, (char *const *)(uintptr_t)argv);
	free(path);
	return taf_fail_sys(e, "%s: cannot start", argv[0]);
}

/* Is it for us to look into?  What cannot be read twice, and most words, are not. */
static enum taf_status
look_at(const char *file, bool *ours, struct taf_err *e)
{
	struct stat s;

	*ours = taf_is_url(file);
	if (*ours)
		return TAF_OK;
	/* of a file that is not for us the command tells */
	if (stat(file, &s) != 0)
		return errno != EIO ? TAF_OK :
		    taf_fail_sys(e, "%s: cannot look at it", file);
	*ours = (S_ISREG(s.st_mode) && (access(file, R_OK) == 0 || errno != EACCES)) ||
	    (S_ISDIR(s.st_mode) && taf_foreign_folder(file) != NULL);
	return TAF_OK;
}

/* The format of a file; NULL where that is ours, or not known. */
static enum taf_status
format_of(const char *file, const struct taf_foreign **format, struct taf_err *e)
{
	const unsigned char *p;
	struct taf_in *in;
	enum taf_status st;
	bool ours;
	size_t n;

	*format = NULL;
	if (look_at(file, &ours, e) != TAF_OK || !ours)
		return e->code;
	if (!taf_is_url(file))
		*format = taf_foreign_folder(file);
	if (*format != NULL)
		return TAF_OK;
	if (taf_in_open(&in, file, e) != TAF_OK)
		return e->code;
	st = taf_in_peek(in, TAF_CONVERTER_SEEN, &p, &n, e);
	if (st == TAF_OK)
		*format = taf_converter(p, n);
	if (st == TAF_OK && *format == NULL)
		*format = taf_foreign_named(file, p, n);
	if (*format != NULL && (*format)->command == NULL)
		*format = NULL;
	taf_in_close(in);
	return st;
}

/* A word of the command, which may be a foreign file. */
struct word {
	const struct taf_foreign *format;	/* NULL where no converter is for it */
	const char *converter;
};

/* What there is among the words of a command. */
struct operands {
	bool in_place, quiet;	/* -i and -q */
	int n;			/* operands */
};

/*
 * Does an option take the next word for its value?  Lines of help are
 * "  -x, --long ARG  " or "      --long=ARG  ", where "[=ARG]" takes none.
 */
static bool
letter_takes(const char *help, char letter)
{
	const char key[] = { '\n', ' ', ' ', '-', letter, ',', ' ', '\0' };
	const char *at = strstr(help, key);

	if (at == NULL)
		return false;
	at += sizeof key - 1;
	at += strcspn(at, " \n");
	return at[0] == ' ' && at[1] != ' ' && at[1] != '\n';
}

static bool
name_takes(const char *help, const char *name)
{
	const size_t n = strlen(name);
	const char *at = help;

	while ((at = strstr(at, name)) != NULL) {
		const bool named = at >= help + 2 && strncmp(at - 2, "  ", 2) == 0;
		const bool lettered = at >= help + 2 && strncmp(at - 2, ", ", 2) == 0;

		at += n;
		if ((named && at[0] == '=') || (lettered && at[0] == ' ' && at[1] != ' '))
			return true;
	}
	return false;
}

/* The letters of one word, up to one that takes a value: is that the next word? */
static bool
letters_take(const char *help, const char *letters, struct operands *found)
{
	for (; *letters != '\0'; letters++) {
		if (letter_takes(help, *letters))
			return letters[1] == '\0';
		found->in_place |= *letters == 'i';
		found->quiet |= *letters == 'q';
	}
	return false;
}

/*
 * Find the operands among n words by what the command's -h prints.  operand[k] says of
 * each word whether it is one.
 */
static struct operands
find_operands(const char *help, const char *const *words, int n, bool *operand)
{
	struct operands found = { false, false, 0 };
	bool ended = false, value = false;
	int k;

	for (k = 0; k < n; k++) {
		const char *w = words[k];

		operand[k] = false;
		if (value) {
			value = false;
		} else if (ended || w[0] != '-' || w[1] == '\0') {
			operand[k] = true;
			found.n++;
		} else if (strcmp(w, "--") == 0) {
			ended = true;
		} else if (w[1] != '-') {
			value = letters_take(help, w + 1, &found);
		} else {
			found.in_place |= strcmp(w, "--in-place") == 0;
			found.quiet |= strcmp(w, "--quiet") == 0;
			value = strchr(w, '=') == NULL && name_takes(help, w);
		}
	}
	return found;
}

/* A command's words, and what reads the foreign files among them. */
struct plan {
	const char **words;
	int n;
	struct word *word;	/* of each */
	bool *operand;		/* of each: is it one? */
	struct operands found;
	struct cmd_source *source;
	char **program;		/* of each source */
	size_t nsources;
};

/* Of an HDF5 file: is there a waveform in the list of its datasets? */
static bool
has_waveform(const char *list)
{
	static const char path[] = "/Waveforms/";

	for (; list != NULL; list = strchr(list, '\n')) {
		list += *list == '\n';
		if (strncmp(list, path, sizeof path - 1) == 0)
			return true;
	}
	return false;
}

/* The converter of a foreign file: of one format it depends on what is inside. */
static enum taf_status
choose(struct word *w, const char *self, const char *file, struct taf_err *e)
{
	char *program = cmd_locate(self, w->format->command);
	const char *const argv[] = { program, "--list", "--", file, NULL };
	struct taf_buf list = { 0 };
	struct taf_err ignored = { 0 };

	if (program == NULL)
		return taf_fail_mem(e);
	w->converter = w->format->command;
	/* what cannot be looked at is left to the converter, which says why */
	if (w->format->capture != NULL &&
	    taf_shell_read(argv, &list, &ignored) == TAF_OK && has_waveform(list.data))
		w->converter = w->format->capture;
	taf_buf_free(&list);
	free(program);
	return TAF_OK;
}

/* Which operands are foreign?  A command that has none is not asked for its options. */
static enum taf_status
look(struct plan *p, const char *self, const char *program, unsigned flags,
    struct taf_err *e)
{
	const char *const help_of[] = { program, "-h", NULL };
	struct taf_buf help = { 0 };
	enum taf_status st = TAF_OK;
	bool any = false, first = (flags & CMD_WORD) != 0;
	int k;

	for (k = 0; k < p->n && st == TAF_OK; k++) {
		st = format_of(p->words[k], &p->word[k].format, e);
		any |= p->word[k].format != NULL;
	}
	if (st != TAF_OK || !any)
		return st;
	st = taf_shell_read(help_of, &help, e);
	if (st == TAF_OK)
		p->found = find_operands(help.data != NULL ? help.data : "", p->words,
		    p->n, p->operand);
	taf_buf_free(&help);
	for (k = 0; k < p->n && st == TAF_OK; k++) {
		struct word *w = &p->word[k];

		if (!p->operand[k] || first)
			w->format = NULL;
		first = first && !p->operand[k];
		if (w->format == NULL)
			continue;
		p->nsources++;
		st = choose(w, self, p->words[k], e);
		if (st == TAF_OK && ((flags & CMD_TAF_FILES) != 0 || p->found.in_place))
			st = taf_fail(e, TAF_EDATA,
			    "%s: a TAF file is needed here: make one with %s %s -o NAME.taf",
			    p->words[k], w->converter, p->words[k]);
	}
	return st;
}

/* Replace a file by a pipe; the command is told the name of the file. */
static enum taf_status
replace(const char **word, const struct cmd_source *s, bool input, struct taf_err *e)
{
	char variable[CMD_OPERAND_SIZE];

	(void)snprintf(variable, sizeof variable, CMD_OPERAND "%d", input ? 0 : s->r);
	if (setenv(variable, *word, 1) != 0)
		return taf_fail_mem(e);
	*word = input ? "-" : s->name;
	return TAF_OK;
}

/* Start the converters, and replace the files by their outputs. */
static enum taf_status
convert(struct plan *p, const char *self, bool input, bool quiet, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	size_t i = 0, a;
	int k;

	for (k = 0; k < p->n && st == TAF_OK; k++) {
		struct cmd_source *s = &p->source[i];

		if (p->word[k].format == NULL)
			continue;
		p->program[i] = cmd_locate(self, p->word[k].converter);
		if (p->program[i] == NULL)
			return taf_fail_mem(e);
		a = 0;
		s->argv[a++] = p->program[i];
		if (quiet)
			s->argv[a++] = "-q";
		s->argv[a++] = "--";
		s->argv[a++] = p->words[k];
		st = cmd_source_start(s, e);
		i++;
	}
	for (k = 0, i = 0; k < p->n && st == TAF_OK; k++)
		if (p->word[k].format != NULL)
			st = replace(&p->words[k], &p->source[i++], input, e);
	return st;
}

/* As the shell would tell it. */
static void
say(struct cmd_run *run, const struct plan *p, const char *command)
{
	int k;

	for (k = 0; k < p->n; k++)
		if (p->word[k].format != NULL)
			cmd_say(run, "%s %s | %s", p->word[k].converter, p->words[k],
			    command);
}

/* End as the program has that ended so. */
static void
end_as(struct cmd_run *run, int how)
{
	if (WIFSIGNALED(how)) {
		(void)signal(WTERMSIG(how), SIG_DFL);
		(void)raise(WTERMSIG(how));
	}
	run->status = WIFEXITED(how) ? WEXITSTATUS(how) : 4;
}

enum taf_status
cmd_umbrella(struct cmd_run *run, const char *self, const char **argv, int n,
    unsigned flags, struct taf_err *e)
{
	const size_t most = (size_t)n + 1;
	struct plan p = { .words = argv + 1, .n = n,
		.word = calloc(most, sizeof *p.word),
		.operand = calloc(most, sizeof *p.operand),
		.source = calloc(most, sizeof *p.source),
		.program = calloc(most, sizeof *p.program) };
	const char *const name = argv[0];
	char *program = cmd_locate(self, name);
	enum taf_status st = TAF_OK;
	size_t i;
	bool input;
	int how;

	if (p.word == NULL || p.operand == NULL || p.source == NULL ||
	    p.program == NULL || program == NULL)
		st = taf_fail_mem(e);
	if (st == TAF_OK && (flags & (CMD_TO_TAF | CMD_AS_IS)) == 0)
		st = look(&p, self, program, flags, e);
	if (st == TAF_OK && p.nsources == 0)
		st = cmd_become(self, argv, e);
	if (st == TAF_OK) {
		say(run, &p, name);
		/* where nothing else is read, as a shell's pipe has it */
		input = p.nsources == 1 && p.found.n == 1;
		st = convert(&p, self, input, p.found.quiet || run->quiet, e);
		argv[0] = program;
		if (st == TAF_OK)
			st = cmd_sources_read(argv, p.source, p.nsources, input, &how, e);
		else
			cmd_sources_leave(p.source, p.nsources);
		if (st == TAF_OK)
			end_as(run, how);
	}
	for (i = 0; p.program != NULL && i < p.nsources; i++)
		free(p.program[i]);
	free(p.word);
	free(p.operand);
	free(p.source);
	free(p.program);
	free(program);
	return st;
}
