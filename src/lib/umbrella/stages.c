/* SPDX-License-Identifier: ISC */
#include "umbrella/stages.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "io/at.h"
#include "io/os.h"
#include "io/temp.h"
#include "plan/forecast.h"
#include "spread/shell.h"
#include "umbrella/umbrella.h"

enum {
	STAGES = 64,
	SAID = 256 * 1024 * 1024		/* bytes that a stage may say */
};

/* Commands and their words, as a shell would take them. */
struct pipeline {
	char *room;			/* of the words */
	const char **word;
	int first[STAGES + 1], n;	/* of each stage the first word */
	const char *input;		/* behind "<", or NULL */
};

static enum taf_status
refuse(const char *at, struct taf_err *e)
{
	if (*at == '>')
		return taf_fail(e, TAF_EUSAGE,
		    "plan: > is no part of a plan: -o FILE names an output");
	if (*at == '<')
		return taf_fail(e, TAF_EUSAGE,
		    "plan: < stands in the first stage, once: name files as operands");
	if (*at == '\n')
		return taf_fail(e, TAF_EUSAGE,
		    "plan: one pipeline, which ends with its line");
	return taf_fail(e, TAF_EUSAGE,
	    "plan: %c is for a shell: a plan has words in quotes, | and <", *at);
}

/* One word of a shell at *at is copied to *to, which goes behind its NUL. */
static enum taf_status
take_word(const char **at, char **to, struct taf_err *e)
{
	const char *s = *at;
	char quote = '\0', *t = *to;

	for (; *s != '\0' && (quote != '\0' || strchr(" \t\n|<", *s) == NULL); s++) {
		if (*s == quote) {
			quote = '\0';
		} else if (quote == '\0' && (*s == '\'' || *s == '"')) {
			quote = *s;
		} else if (quote != '\'' && *s == '\\' && s[1] == '\n') {
			s++;
		} else if (quote != '\'' && *s == '\\' && s[1] != '\0' &&
		    (quote == '\0' || strchr("\\\"$`", s[1]) != NULL)) {
			*t++ = *++s;
		} else if (quote != '\'' && (*s == '$' || *s == '`' ||
		    (quote == '\0' && strchr(">;&()", *s) != NULL))) {
			return refuse(s, e);
		} else {
			*t++ = *s;
		}
	}
	if (quote != '\0')
		return taf_fail(e, TAF_EUSAGE, "plan: a quote is not closed");
	*t++ = '\0';
	*at = s;
	*to = t;
	return TAF_OK;
}

/* A stage begins behind the words that are there. */
static enum taf_status
next_stage(struct pipeline *p, int words, struct taf_err *e)
{
	if (p->n == STAGES)
		return taf_fail(e, TAF_EUSAGE, "plan: more than %d stages", (int)STAGES);
	if (words == p->first[p->n])
		return taf_fail(e, TAF_EUSAGE, "plan: stage %d has no command", p->n + 1);
	p->first[++p->n] = words;
	return TAF_OK;
}

static enum taf_status
parse(struct pipeline *p, const char *text, struct taf_err *e)
{
	const char *at = text + strspn(text, " \t\n");
	enum taf_status st = TAF_OK;
	bool input = false;
	int words = 0;
	char *to;

	p->room = to = malloc(strlen(text) + 2);
	p->word = calloc(strlen(text) + 2, sizeof *p->word);
	if (p->room == NULL || p->word == NULL)
		return taf_fail_mem(e);
	/* a line ends a pipeline, but not behind "|" */
	for (; at[strspn(at, " \t\n")] != '\0' && st == TAF_OK;
	    at += strspn(at, words == p->first[p->n] ? " \t\n" : " \t")) {
		if (strchr("\n#~", *at) != NULL) {
			st = refuse(at, e);
		} else if (strncmp(at, "\\\n", 2) == 0) {
			at += 2;
		} else if (*at == '|') {
			st = next_stage(p, words, e);
			at++;
		} else if (*at == '<') {
			if (p->n > 0 || input || p->input != NULL)
				return refuse(at, e);
			input = true;
			at++;
		} else {
			if (input)
				p->input = to;
			else
				p->word[words++] = to;
			input = false;
			st = take_word(&at, &to, e);
		}
	}
	if (st == TAF_OK && input)
		st = taf_fail(e, TAF_EUSAGE, "plan: a file is missing behind <");
	return st == TAF_OK ? next_stage(p, words, e) : st;
}

static enum taf_status
read_file(int fd, struct taf_buf *text, struct taf_err *e)
{
	if (lseek(fd, 0, SEEK_SET) < 0)
		return taf_fail_sys(e, "cannot read what a stage says");
	return taf_read_rest(fd, text, SAID, e);
}

/* A stage at work. */
struct stage {
	const char *self;
	unsigned number;
	const char *const *words;
	int nwords;
	bool json;
	int in, out, said, err;	/* descriptors; out is for headers */
	bool blind;		/* nothing is known of in */
};

/* The command has refused: the first line that it has said. */
static enum taf_status
refused(const struct stage *s, int how, struct taf_err *e)
{
	const int code = WIFEXITED(how) ? WEXITSTATUS(how) : 4;
	struct taf_buf text = { 0 };
	enum taf_status st = read_file(s->err, &text, e);
	const size_t n = text.len > 0 ? strcspn(text.data, "\n") : 0;

	if (st == TAF_OK)
		st = taf_fail(e, code == 2 ? TAF_EUSAGE : code == 3 ? TAF_EDATA :
		    TAF_ESYS, "stage %u: %.*s", s->number, n > 0 ? (int)n : 16,
		    n > 0 ? text.data : "it has no answer");
	taf_buf_free(&text);
	return st;
}

/* Run the command, which says all of it. */
static enum taf_status
run_stage(const struct stage *s, struct taf_err *e)
{
	const int lead = strcmp(s->words[0], "taf") == 0 ? 2 : 1;
	char variable[64], *program = cmd_locate(s->self, s->words[0]);
	const char **argv = calloc((size_t)s->nwords + 2, sizeof *argv);
	enum taf_status st = TAF_OK;
	pid_t pid;
	int how;

	(void)snprintf(variable, sizeof variable, s->blind ? "%s%u" : "%s%u,%d",
	    s->json ? "j" : "", s->number, s->out);
	if (program == NULL || argv == NULL ||
	    setenv(TAF_FORECAST_STAGE, variable, 1) != 0)
		st = taf_fail_mem(e);
	if (st == TAF_OK) {
		argv[0] = program;
		argv[1] = s->words[1];
		argv[lead] = "--plan";
		memcpy(argv + lead + 1, s->words + lead,
		    (size_t)(s->nwords - lead) * sizeof *argv);
		/* for the command alone */
		(void)fcntl(s->out, F_SETFD, 0);
		st = taf_shell_start(&pid, argv, (const int[3]){ s->in, s->said, s->err },
		    false, e);
		(void)fcntl(s->out, F_SETFD, FD_CLOEXEC);
	}
	if (st == TAF_OK)
		st = taf_shell_wait(pid, &how, e);
	if (st == TAF_OK && how != 0)
		st = refused(s, how, e);
	free(argv);
	free(program);
	return st;
}

/* Append what a stage says; *t is what it says for us. */
static enum taf_status
plan_stage(struct stage *s, const struct taf_pages *pages, struct taf_forecast_tail *t,
    struct taf_str *to, struct taf_err *e)
{
	const bool taf = strcmp(s->words[0], "taf") == 0 && s->nwords > 1;
	const struct taf_page *page = taf_pages_find(pages, s->words[taf]);
	const uint64_t none = TAF_FORECAST_UNKNOWN;
	struct taf_buf text = { 0 };
	enum taf_status st;

	*t = (struct taf_forecast_tail){ .sums = { none, none, none, none } };
	/* a short name is a command of ours behind "taf" alone */
	if (page == NULL || page->group[0] == '\0' ||
	    (!taf && strcmp(page->name, s->words[0]) != 0)) {
		taf_forecast_put_stage(&(struct taf_forecast){ .stage = s->number,
		    .words = s->words, .nwords = s->nwords, .json = s->json,
		    .arrays = true, .unknown = true }, &t->sums, to);
		return to->st;
	}
	st = run_stage(s, e);
	if (st == TAF_OK)
		st = read_file(s->said, &text, e);
	if (st == TAF_OK && text.len < sizeof *t)
		st = taf_fail(e, TAF_ESYS, "stage %u: it has no answer", s->number);
	if (st == TAF_OK) {
		memcpy(t, text.data + text.len - sizeof *t, sizeof *t);
		taf_str_put(to, text.data, text.len - sizeof *t);
		st = to->st;
	}
	taf_buf_free(&text);
	return st;
}

static void
add(struct taf_forecast_sums *sums, const struct taf_forecast_tail *t, bool last)
{
	const struct taf_forecast_sums *s = &t->sums;
	const uint64_t files = s->reads == TAF_FORECAST_UNKNOWN ||
	    t->inner == TAF_FORECAST_UNKNOWN ? TAF_FORECAST_UNKNOWN : s->reads - t->inner;

	sums->memory = taf_forecast_add(sums->memory, s->memory);
	sums->temporary = taf_forecast_add(sums->temporary, s->temporary);
	sums->reads = taf_forecast_add(sums->reads, files);
	if (t->named != 0 || last)
		sums->writes = taf_forecast_add(sums->writes, s->writes);
}

/* The stages; in, which is taken, is the standard input of the first. */
static enum taf_status
plan_all(const struct pipeline *p, struct stage *s, const struct taf_pages *pages,
    struct taf_forecast_sums *sums, struct taf_str *to, struct taf_err *e)
{
	struct taf_forecast_tail t = { .known = 1 };
	enum taf_status st = TAF_OK;
	int k;

	for (k = 0; k < p->n && st == TAF_OK; k++) {
		s->number = (unsigned)k + 1;
		s->words = p->word + p->first[k];
		s->nwords = p->first[k + 1] - p->first[k];
		s->blind = t.known == 0;
		s->out = s->said = s->err = -1;
		if (taf_os_memory("taf-plan", &s->out, e) != TAF_OK ||
		    taf_os_memory("taf-plan", &s->said, e) != TAF_OK ||
		    taf_os_memory("taf-plan", &s->err, e) != TAF_OK)
			st = e->code;
		if (st == TAF_OK && s->json && k > 0)
			taf_str_puts(to, ",");
		if (st == TAF_OK)
			st = plan_stage(s, pages, &t, to, e);
		if (st == TAF_OK)
			add(sums, &t, k + 1 == p->n);
		(void)close(s->said);
		(void)close(s->err);
		(void)close(s->in);
		s->in = s->out;
		if (st == TAF_OK && lseek(s->in, 0, SEEK_SET) < 0)
			st = taf_fail_sys(e, "cannot read headers");
	}
	(void)close(s->in);
	return st;
}

enum taf_status
cmd_stages(const char *pipeline, const char *self, const struct taf_pages *pages,
    bool json, struct taf_str *to, struct taf_err *e)
{
	struct pipeline p = { .n = 0 };
	struct stage s = { .self = self, .json = json };
	struct taf_forecast_sums sums = { 0 };
	enum taf_status st = parse(&p, pipeline, e);

	if (st == TAF_OK) {
		s.in = p.input != NULL ? open(p.input, O_RDONLY | O_CLOEXEC) :
		    fcntl(0, F_DUPFD_CLOEXEC, 3);
		if (s.in < 0)
			st = taf_fail_sys(e, "%s: cannot open", p.input != NULL ?
			    p.input : "standard input");
	}
	taf_str_puts(to, json ? "{\"stages\":[" : "");
	if (st == TAF_OK)
		st = plan_all(&p, &s, pages, &sums, to, e);
	taf_str_puts(to, json ? "]" : "sum");
	taf_forecast_put(&sums, json, to);
	taf_str_puts(to, json ? "}\n" : "\n");
	free(p.room);
	free(p.word);
	return st == TAF_OK ? to->st : st;
}
