/* SPDX-License-Identifier: ISC */
/* taf - the commands of taftools under one name; finds them, and their pages. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "cli/vendor.h"
#include "io/os.h"
#include "text/pages.h"
#include "umbrella/stages.h"
#include "umbrella/umbrella.h"
#include "umbrella/verify.h"

static const struct taf_page table[] = {
#include "obj/pages.h"
};
static const struct taf_pages pages = { table, sizeof table / sizeof table[0] };

static void
names(struct taf_str *s)
{
	taf_pages_names(&pages, s);
	taf_str_puts(s,
	    "\ntaf list says what each does, taf help WORD finds those about WORD.\n");
}

static const struct cmd self = {
	"taf", "run the commands of taftools, and find their pages",
	"COMMAND [ARGUMENT ...] | list | help [WORD ...] |\n"
	"       plan [-j] PIPELINE | verify FILE [--inputs DIR]",
	NULL, CMD_LEAD,
};

static enum taf_status
put(struct cmd_run *run, struct taf_str *s)
{
	struct taf_out *out = s->st == TAF_OK ? cmd_out(run) : NULL;

	/* what fails in cmd_out was reported */
	if (out != NULL && s->buf.len > 0)
		s->st = taf_out_write(out, s->buf.data, s->buf.len, &run->err);
	taf_str_free(s);
	return s->st;
}

/* Show a page by man: the file beside the programs' folder, or the one that man finds. */
static enum taf_status
show(struct cmd_run *run, const char *me, const struct taf_page *page)
{
	static const char *const folders[] = { "../man/", "../share/man/man" };
	const char *const slash = strrchr(me, '/');
	char path[4096], section[] = "1", found[2048] = "";
	int n = slash != NULL ? (int)(slash - me) : 0;
	const char *file[] = { "man", "-l", path, NULL };
	const char *name[] = { "man", section, page->name, NULL };
	const char *help[] = { page->name, "-h", NULL };
	int i, len;

	section[0] = (char)('0' + page->section);
	if (slash == NULL && taf_os_program(found, sizeof found) == 0)
		n = (int)strlen(found);
	for (i = 0; i < 2 && n > 0; i++) {
		len = snprintf(path, sizeof path, "%.*s/%s%s%s%s.%s", n,
		    slash != NULL ? me : found, folders[i],
		    i > 0 ? section : "", i > 0 ? "/" : "", page->name, section);
		if (len < (int)sizeof path && access(path, R_OK) == 0)
			(void)cmd_become("", file, &run->err);
	}
	(void)cmd_become("", name, &run->err);
	return page->group[0] != '\0' ? cmd_become(me, help, &run->err) : TAF_ESYS;
}

/* The page of a word, or those that have all words. */
static enum taf_status
help(struct cmd_run *run, const char *me)
{
	const char *const word = run->nfiles == 1 ? "taf" : run->files[1];
	const struct taf_page *page = taf_pages_find(&pages, word);
	struct taf_str s = { .err = &run->err };

	if (run->nfiles <= 2 && page != NULL)
		return show(run, me, page);
	if (!taf_pages_search(&pages, run->files + 1, run->nfiles - 1, &s)) {
		cmd_remark(run,
		    "no page has %s: taf list names all commands", run->nfiles > 2 ?
		    "all of these words" : word);
		run->status = 1;
	}
	return put(run, &s);
}

/* vain: there are options before its name that have no effect there. */
static enum taf_status
start(struct cmd_run *run, const char *me, bool vain)
{
	const char *const word = run->files[0], *nearest;
	const struct taf_page *page = taf_pages_find(&pages, word);
	struct taf_str s = { .err = &run->err };

	if (page != NULL && page->group[0] != '\0') {
		if (vain)
			cmd_usage(run, "-m and -p stand behind the command: taf %s -m 1G",
			    word);
		run->files[0] = page->name;
		return cmd_umbrella(run, me, run->files, run->nfiles - 1,
		    page->flags, &run->err);
	}
	nearest = taf_pages_nearest(&pages, word);
	if (nearest != NULL)
		cmd_usage(run, "%s: no such command; did you mean %s?", word, nearest);
	/* Madagascar's begin with sf */
	taf_pages_about(&pages, strncmp(word, "sf", 2) == 0 ? word + 2 : word, &s);
	cmd_check(run, s.st);
	cmd_usage(run, s.buf.len > 0 ? "%s: no such command; see %s" :
	    "%s: no such command: taf list names them, taf help WORD searches", word,
	    s.buf.data);
}

/* Behind the word: FILE and --inputs DIR, in any order. */
static enum taf_status
verify(struct cmd_run *run, const char *me)
{
	static const char option[] = "--inputs";
	const size_t n = sizeof option - 1;
	struct cmd_verify v = { .run = run, .self = me, .pages = &pages };
	struct taf_str s = { .err = &run->err };
	const char *word;
	bool same;
	int k;

	for (k = 1; k < run->nfiles; k++) {
		word = run->files[k];
		if (strcmp(word, option) == 0 && k + 1 < run->nfiles)
			v.inputs = run->files[++k];
		else if (strncmp(word, option, n) == 0 && word[n] == '=')
			v.inputs = word + n + 1;
		else if (word[0] == '-')
			cmd_usage(run, "verify: %s: only FILE and --inputs DIR", word);
		else if (v.file != NULL)
			cmd_usage(run, "verify: %s: one FILE at a time", word);
		else
			v.file = word;
	}
	if (v.file == NULL)
		cmd_usage(run, "verify: FILE is missing");
	if (cmd_verify(&v, &same, &s, &run->err) != TAF_OK) {
		taf_str_free(&s);
		return run->err.code;
	}
	run->status = same ? 0 : 1;
	return put(run, &s);
}

/* Behind the word: -j and PIPELINE, which is one word. */
static enum taf_status
plan(struct cmd_run *run, const char *me)
{
	struct taf_str s = { .err = &run->err };
	const char *pipeline = NULL;
	bool json = false;
	int k;

	for (k = 1; k < run->nfiles; k++) {
		if (strcmp(run->files[k], "-j") == 0 ||
		    strcmp(run->files[k], "--json") == 0)
			json = true;
		else if (run->files[k][0] == '-' || pipeline != NULL)
			cmd_usage(run,
			    "plan: %s: only -j and PIPELINE, which stands between quotes",
			    run->files[k]);
		else
			pipeline = run->files[k];
	}
	if (pipeline == NULL)
		cmd_usage(run, "plan: PIPELINE is missing");
	if (cmd_stages(pipeline, me, &pages, json, &s, &run->err) != TAF_OK) {
		taf_str_free(&s);
		return run->err.code;
	}
	return put(run, &s);
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	const uint64_t memory = run->service.memory;
	const bool progress = run->progress;
	struct taf_str s = { .err = &run->err };
	enum taf_status st;
	const char *arg;

	run->more = names;
	while (cmd_option(run, NULL, &arg) != 0)
		continue;
	if (run->files[0] == NULL)
		cmd_usage(run,
		    "no command: taf -h names them, taf list says what they do, taf help WORD searches");
	if (strcmp(run->files[0], "help") == 0) {
		st = help(run, argv[0]);
	} else if (strcmp(run->files[0], "list") == 0) {
		if (run->nfiles > 1)
			cmd_usage(run, "list: %s: nothing stands behind it",
			    run->files[1]);
		taf_pages_list(&pages, &s);
		st = put(run, &s);
	} else if (strcmp(run->files[0], "plan") == 0) {
		st = plan(run, argv[0]);
	} else if (strcmp(run->files[0], "verify") == 0) {
		st = verify(run, argv[0]);
	} else {
		st = start(run, argv[0], run->service.memory != memory ||
		    run->progress != progress);
	}
	if (st != TAF_OK)
		cmd_report(run, NULL);
	return cmd_end(run);
}
