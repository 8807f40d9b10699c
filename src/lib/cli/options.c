/* SPDX-License-Identifier: ISC */
/* The options of the command line, and the members that they are bound to. */
#include "config.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf_private.h"
#include "base/choice.h"
#include "base/num.h"
#include "base/str.h"
#include "cli/private.h"
#include "io/remote.h"
#include "io/url.h"
#include "io/where.h"
#include "text/synonyms.h"

enum {
	NOT_STREAM = 1 << 28,	/* a set: commands without CMD_STREAM */
	ANY = 1 << 29,		/* those whose operands are not another's line */
	NO_JSON = 1 << 30,	/* those of them without CMD_JSON */
	OPT_OUT = 1000, OPT_PLAN, OPT_RECIPE,
	LEAST_MEMORY = 64 * 1024
};

/* Options that several commands have, and the set that each belongs to (0: all). */
#define intent cmd_run
static const struct common {
	unsigned set;
	struct cmd_option opt;
} common[] = {
	{ CMD_STREAM, { 'F', "format", "taf|rsf", "framing of the output", OWN } },
	{ CMD_JOBS, { 'J', "jobs", "N", "threads, default all processors",
	    SET(NUMBER, service.jobs), .least = 1, .most = 1024,
	    .wrong = "not a number of 1 to 1024" } },
	{ CMD_PICK, { 'N', "array", "K", "the K-th array alone", SET(NUMBER, pick),
	    FROM_1, .wrong = "not a number of 1 or more" } },
	{ 0, { 'V', "version", NULL, "print the version", OWN } },
	{ CMD_STREAM | CMD_BINARY, { 'f', "force", NULL, "binary even to a terminal",
	    SET(FLAG, force) } },
	{ 0, { 'h', "help", NULL, "print this help", OWN } },
	{ CMD_IN_PLACE, { 'i', "in-place", NULL, "change the named TAF files in place",
	    SET(FLAG, in_place) } },
	{ CMD_JSON, { 'j', "json", NULL, "JSON, one object a line", SET(FLAG, json) } },
	{ 0, { 'm', "memory", "SIZE", "bound of memory, default 256M",
	    SET(BYTES, service.memory), .wrong = "not a size, as 64M or 2G" } },
	{ CMD_STREAM | CMD_FILE, { 'o', "output", "FILE", "output to FILE", OWN } },
	{ 0, { 'p', "progress", NULL, "show progress on standard error",
	    SET(FLAG, progress) } },
	{ 0, { 'q', "quiet", NULL, "no remarks", SET(FLAG, quiet) } },
	{ 0, { 'v', "verbose", NULL, "say what is done on standard error",
	    SET(FLAG, verbose) } },
	{ CMD_STREAM, { OPT_OUT, "out", "PATH",
	    "elements to PATH, the header to the output", OWN } },
	/* in no list of -h: taf(7) has them */
	{ NO_JSON, { 'j', "json", NULL, NULL, SET(FLAG, json) } },
	{ ANY, { OPT_PLAN, "plan", NULL, NULL, SET(FLAG, plan) } },
	{ CMD_STREAM, { OPT_RECIPE, "recipe", NULL,
	    "store how the output was made, for taf verify", SET(FLAG, recipe) } },
	/* Madagascar's Flow() adds it to whatever stands last */
	{ NOT_STREAM, { OPT_OUT, "out", "PATH",
	    "taken for Flow's sake, and passed over", OWN } },
};
#undef intent

enum { COMMON = sizeof common / sizeof common[0] };

/* Sizes of the members that options of each kind are bound to; 0 for any. */
static const size_t sizes[] = {
	[CMD_SET_FLAG] = sizeof(bool), [CMD_SET_VALUE] = sizeof(unsigned),
	[CMD_SET_TEXT] = sizeof(const char *), [CMD_SET_DIM] = sizeof(unsigned),
	[CMD_SET_BOUNDS] = sizeof(struct taf_bounds),
	[CMD_SET_TYPE] = sizeof(enum taf_type),
	[CMD_SET_ANY_TYPE] = sizeof(enum taf_type),
	[CMD_SET_CHOICE] = sizeof(unsigned), [CMD_SET_BYTES] = sizeof(uint64_t),
	[CMD_SET_REAL] = sizeof(double), [CMD_SET_AMOUNT] = sizeof(struct taf_amount),
	[CMD_SET_ALONG] = 0,
};

static void
add_option(struct cmd_run *run, const struct cmd_option *o)
{
	struct cmd_private *p = run->priv;
	struct option *l = &p->longs[p->nopts];
	size_t n = strlen(p->shorts);

	if (sizes[o->kind] != 0 && sizes[o->kind] != o->size)
		cmd_check(run, taf_fail(&run->err, TAF_EMISUSE,
		    "--%s is bound to a member of another type", o->name));
	p->opts[p->nopts++] = o;
	l->name = o->name;
	l->has_arg = o->arg == NULL ? no_argument :
	    o->arg[0] == '[' ? optional_argument : required_argument;
	l->flag = NULL;
	l->val = o->id;
	if (o->id < 256) {
		p->shorts[n++] = (char)o->id;
		if (o->arg != NULL)
			p->shorts[n++] = ':';
		p->shorts[n] = '\0';
	}
}

/* Tell getopt of all options. */
static void
add_options(struct cmd_run *run)
{
	struct cmd_private *p = run->priv;
	const struct cmd_option *o;
	const unsigned flags = run->self->flags, sets = flags |
	    ((flags & CMD_STREAM) != 0 ? 0 : NOT_STREAM) |
	    ((flags & CMD_LEAD) != 0 ? 0 : (flags & CMD_JSON) != 0 ? ANY : ANY | NO_JSON);
	size_t i;

	/* "-": operands come in order, wherever they stand and whatever the libc */
	(void)strcpy(p->shorts, "-:");
	for (o = run->self->options; o != NULL && o->id != 0; o++)
		add_option(run, o);
	p->nown = p->nopts;
	for (i = 0; i < COMMON; i++)
		if ((common[i].set == 0 || (common[i].set & sets) != 0) &&
		    (common[i].opt.id != OPT_RECIPE || (sets & CMD_NO_RECIPE) == 0))
			add_option(run, &common[i].opt);
	opterr = 0;
}

bool
cmd_is_aside(const char *name)
{
	size_t i = 0;

	while (i < COMMON && strcmp(common[i].opt.name, name) != 0)
		i++;
	return i < COMMON && common[i].opt.id != 'N';
}

/* Order of the help: by letter without regard to case, then the long names. */
static int
by_letter(const void *a, const void *b)
{
	const struct cmd_option *x = *(const struct cmd_option *const *)a;
	const struct cmd_option *y = *(const struct cmd_option *const *)b;
	int lx = x->id < 256 ? (x->id | 32) * 2 + (x->id < 'a' ? 0 : 1) : 1000;
	int ly = y->id < 256 ? (y->id | 32) * 2 + (y->id < 'a' ? 0 : 1) : 1000;

	return lx != ly ? lx - ly : lx == 1000 ? strcmp(x->name, y->name) : 0;
}

static void
print_option(const struct cmd_option *o)
{
	char left[64];
	int n;

	n = snprintf(left, sizeof left, o->id < 256 ? "  -%c, --%s%s%s" :
	    "      --%.0d%s%s%s", o->id < 256 ? o->id : 0, o->name,
	    o->arg != NULL && o->arg[0] != '[' ? (o->id < 256 ? " " : "=") : "",
	    o->arg != NULL ? o->arg : "");
	if (n >= 32)
		(void)printf("%s\n%32s%s\n", left, "", o->help);
	else
		(void)printf("%-32s%s\n", left, o->help);
}

static void
help(struct cmd_run *run)
{
	struct cmd_private *p = run->priv;
	struct taf_str more = { .err = &run->err };
	size_t i;

	qsort(p->opts, p->nopts, sizeof p->opts[0], by_letter);
	(void)printf("usage: %s %s\n%s\n\n", run->self->name, run->self->synopsis,
	    run->self->brief);
	for (i = 0; i < p->nopts; i++)
		if (p->opts[i]->help != NULL)
			print_option(p->opts[i]);
	if (run->more != NULL)
		run->more(&more);
	if (more.st == TAF_OK && more.buf.len > 0)
		(void)printf("\n%.*s", (int)more.buf.len, more.buf.data);
	cmd_check(run, more.st);
	taf_str_free(&more);
	(void)printf("\nSee %s(1), and taf(7) for --plan.\n", run->self->name);
}

/* Where among the options is the one with this id? */
static size_t
index_of(const struct cmd_private *p, int id)
{
	size_t i = 0;

	while (p->opts[i]->id != id)
		i++;
	return i;
}

bool
cmd_has(const struct cmd_run *run, int id)
{
	return run->priv->seen[index_of(run->priv, id)];
}

void
cmd_missing(struct cmd_run *run, int id)
{
	const struct cmd_option *o = run->priv->opts[index_of(run->priv, id)];

	if (id < 256)
		cmd_usage(run, "-%c %s is missing: %s", id, o->arg, o->help);
	cmd_usage(run, "--%s %s is missing: %s", o->name, o->arg, o->help);
}

void
cmd_along(struct cmd_run *run, const struct taf_word *word, taf_word_parse *parse,
    void *to, size_t size)
{
	struct taf_word_of of = { .word = *word, .parse = parse, .to = to, .size = size };

	(void)strcpy(of.option, run->priv->name);
	cmd_check(run, taf_words_add(&run->words, &of, &run->err));
	run->named = run->named || run->words.named;
}

unsigned
cmd_choice(struct cmd_run *run, const char *arg)
{
	unsigned which;

	if (!taf_choice(run->priv->at->arg, arg, &which))
		cmd_no_choice(run, arg);
	return which;
}

void
cmd_no_choice(struct cmd_run *run, const char *arg)
{
	struct taf_str known = { .err = &run->err };

	taf_choice_known(run->priv->at->arg, &known);
	cmd_check(run, known.st);
	cmd_value(run, "%s: not %s", arg, known.buf.data);
}

static const char numbers[] =
    "int8 uint8 int16 uint16 int32 uint32 int64 uint64 flt32 flt64";

static enum taf_type
parse_type(struct cmd_run *run, const char *arg, bool any)
{
	enum taf_type t = TAF_FLT32;

	if (!(any ? taf_type_parse_any(arg, &t) : taf_type_parse(arg, &t)))
		cmd_value(run, "%s: unknown element type (known: %s%s)%s", arg, numbers,
		    any ? " complex complex128" : "", taf_type_advice(arg));
	return t;
}

enum taf_type
cmd_type(struct cmd_run *run, const char *arg)
{
	return parse_type(run, arg, false);
}

/* Is x within the bounds of the option, if it has some?  NaN is within none. */
static bool
within(const struct cmd_option *o, double x)
{
	return (o->least >= o->most && o->most <= 0) || (x >= o->least && x <= o->most);
}

/* A number in the member at to; false if arg is none, or not within the bounds. */
static bool
set_number(const struct cmd_option *o, void *to, const char *arg)
{
	const size_t n = strlen(arg);
	uint32_t word;
	uint64_t v;

	if (o->kind == CMD_SET_REAL)
		return taf_parse_f64(arg, n, to) && within(o, *(double *)to);
	if (o->kind == CMD_SET_AMOUNT)
		return taf_amount_read(to, arg, n) &&
		    within(o, ((struct taf_amount *)to)->value);
	if (o->kind == CMD_SET_BYTES)
		return taf_parse_size(arg, to) && *(uint64_t *)to > 0;
	if (!taf_parse_u64(arg, n, &v) || !within(o, (double)v))
		return false;
	if (o->size != sizeof v && v > UINT32_MAX)
		return false;
	word = (uint32_t)v;
	memcpy(to, o->size == sizeof v ? (void *)&v : (void *)&word, o->size);
	return true;
}

static enum taf_status
parse_index(void *to, const char *arg, struct taf_err *e)
{
	return taf_bounds_index(to, arg, e);
}

static enum taf_status
parse_grid(void *to, const char *arg, struct taf_err *e)
{
	return taf_bounds_grid(to, arg, e);
}

static enum taf_status
parse_dim(void *to, const char *arg, struct taf_err *e)
{
	return taf_dim_read(NULL, arg, strlen(arg), to, e);
}

/* Set what the option is bound to; false where the command itself does it. */
static bool
set(struct cmd_run *run, const struct cmd_option *o, void *base, const char *arg)
{
	const bool grid = o->kind == CMD_SET_BOUNDS && o->id == 'g';
	const struct taf_word word = { .text = arg, .mark = o->kind == CMD_SET_BOUNDS ?
	    '=' : o->mark, .units = o->units || grid };
	void *const to = base != NULL ? (char *)base + o->at : NULL;
	unsigned value = o->value;

	switch (o->kind) {
	case CMD_SET_NOTHING:
	case CMD_SET_COMMON:
		return false;
	case CMD_SET_FLAG:
		*(bool *)to = true;
		break;
	case CMD_SET_CHOICE:
		value += cmd_choice(run, arg);
		memcpy(to, &value, sizeof value);
		break;
	case CMD_SET_VALUE:
		memcpy(to, &value, sizeof value);
		break;
	case CMD_SET_TEXT:
		*(const char **)to = arg;
		break;
	case CMD_SET_DIM:
		cmd_along(run, &word, parse_dim, to, 0);
		break;
	case CMD_SET_BOUNDS:
		cmd_along(run, &word, grid ? parse_grid : parse_index, to, o->size);
		break;
	case CMD_SET_TYPE:
	case CMD_SET_ANY_TYPE:
		*(enum taf_type *)to = parse_type(run, arg, o->kind == CMD_SET_ANY_TYPE);
		break;
	case CMD_SET_NUMBER:
	case CMD_SET_REAL:
	case CMD_SET_AMOUNT:
	case CMD_SET_BYTES:
		if (!set_number(o, to, arg))
			cmd_value(run, "%s: %s", arg, o->wrong);
		break;
	case CMD_SET_PARSED:
		cmd_check(run, o->parse(to, arg, &run->err));
		break;
	case CMD_SET_ALONG:
		cmd_along(run, &word, o->parse, to, o->size);
		break;
	}
	return true;
}

/* Text of our own through stdio, its end checked. */
static void
finish_text(struct cmd_run *run)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		cmd_private_leave(0);
	(void)taf_fail_sys(&run->err, "cannot write");
	cmd_report(run, "standard output");
	cmd_private_leave(4);
}

/* The common options that are bound to nothing. */
static void
take_common(struct cmd_run *run, int id, const char *arg)
{
	switch (id) {
	case 'F':
		run->format = cmd_choice(run, arg) == 0 ? TAF_FORMAT_TAF :
		    TAF_FORMAT_RSF;
		break;
	case 'V':
		(void)printf("%s (taftools) %s\n", run->self->name, TAF_VERSION);
		finish_text(run);
		break;
	case 'h':
		help(run);
		finish_text(run);
		break;
	case 'o':
		run->output = strcmp(arg, "-") == 0 ||
		    taf_fd_called(1, arg) ? NULL : arg;
		if (arg[0] == '\0')
			cmd_usage(run, "-o: an empty name");
		if (taf_is_url(arg))
			cmd_usage(run, "-o: a URL is read, not written");
		break;
	case OPT_OUT:
		if ((run->self->flags & CMD_STREAM) == 0)
			break;
		run->data = strcmp(arg, "stdout") == 0 ? NULL : arg;
		if (arg[0] == '\0')
			cmd_usage(run, "--out: an empty name");
		if (strcmp(arg, "stdin") == 0)
			cmd_usage(run,
			    "--out=stdin: in a header that means the stream itself");
		break;
	}
}

/* Some options go without others, and without themselves if they have a value. */
static void
check_alone(struct cmd_run *run, const struct cmd_option *o)
{
	const struct cmd_private *p = run->priv;
	size_t i;

	for (i = 0; i < p->nown && o->one != NULL; i++)
		if (p->seen[i] && p->opts[i]->one == o->one &&
		    (p->opts[i] != o || o->kind != CMD_SET_VALUE))
			cmd_usage(run, "%s", o->one);
}

/* It may bear on the results. */
static void
note(struct cmd_run *run, const struct cmd_option *o, const char *arg)
{
	const struct taf_argument given = { o != NULL ? o->name : NULL,
	    o != NULL ? o->arg : NULL, arg };

	cmd_check(run, taf_buf_put(&run->priv->stamp.given, &given, sizeof given,
	    &run->err));
}

/* An option that getopt has found: true where the command has to do something. */
static bool
take(struct cmd_run *run, int id, void *intent, const char *arg)
{
	struct cmd_private *p = run->priv;
	const size_t i = index_of(p, id);
	const struct cmd_option *const o = p->opts[i];
	const struct common *row = common;

	p->at = o;
	if (id < 256)
		(void)snprintf(p->name, sizeof p->name, "-%c", id);
	else
		(void)snprintf(p->name, sizeof p->name, "--%s", o->name);
	check_alone(run, o);
	p->seen[i] = true;
	if (i < p->nown || id == 'N')
		note(run, o, arg);
	if (run->plan && taf_stamp_option_reads(&p->stamp))
		cmd_private_plan(run);
	if (i < p->nown && o->kind != CMD_SET_COMMON)
		return !set(run, o, intent, arg);
	while (row->opt.id != id)
		row++;
	if (!set(run, &row->opt, run, arg))
		take_common(run, id, arg);
	return false;
}

static void
check_operands(struct cmd_run *run)
{
	int i, written;

	/* with less, elements would come one by one */
	if (run->service.memory < LEAST_MEMORY)
		run->service.memory = LEAST_MEMORY;
	taf_remote_memory(taf_memory_share(run->service.memory, TAF_AHEAD));
	if ((run->self->flags & CMD_ONE) != 0 && run->nfiles > 1)
		cmd_usage(run, taf_word_is_value(run->files[1]) ||
		    strpbrk(run->files[1], "./") == NULL ?
		    "%s: one file at most (values stand behind options, which -h lists)" :
		    (run->self->flags & CMD_FILE) != 0 ?
		    "%s: one file at most (-o names the output)" :
		    "%s: one file at most", run->files[1]);
	if (run->in_place) {
		if (run->output != NULL || run->format >= 0)
			cmd_usage(run, "-i writes to its operands: no -o or -F");
		if (run->pick != 0 && (run->self->flags & CMD_STREAM) != 0)
			cmd_usage(run, "-i and -N: a TAF file holds one array");
		if (run->nfiles == 0)
			cmd_usage(run, "-i needs the names of files");
		if (run->recipe)
			cmd_usage(run,
			    "-i and --recipe: what is changed in place cannot be read again");
		/* of some commands the first alone is written to */
		written = (run->self->flags & CMD_BASE) != 0 ? 1 : run->nfiles;
		for (i = 0; i < written; i++) {
			if (strcmp(run->files[i], "-") == 0)
				cmd_usage(run, "-i: standard input has no place");
			if (taf_is_url(run->files[i]))
				cmd_usage(run, "-i: a URL is read, not written");
		}
	}
	if ((run->self->flags & CMD_OPERANDS) != 0 && run->nfiles == 0)
		cmd_usage(run, "the name of a file is missing");
	if ((run->self->flags & CMD_TWO) == CMD_TWO && run->nfiles != 2)
		cmd_usage(run, "%d operand%s, not two", run->nfiles,
		    run->nfiles == 1 ? "" : "s");
	if (run->nfiles == 0)
		run->files[run->nfiles++] = NULL;
	if (run->plan)
		cmd_private_plan(run);
	else if (run->json && (run->self->flags & CMD_JSON) == 0)
		cmd_usage(run, "-j: only with --plan");
}

/* A word that begins with a dash, and is no option. */
static TAF_NORETURN void
unknown(struct cmd_run *run, const char *word)
{
	const struct cmd_private *p = run->priv;
	const bool whole = strncmp(word, "--", 2) == 0;
	const char letter = (char)optopt, *name = whole ? word + 2 : &letter, *advice;
	const size_t n = whole ? strcspn(name, "=") : 1;
	const struct cmd_option *o = cmd_private_guess(p->opts, p->nopts, name, n);

	if ((run->self->flags & CMD_LEAD) != 0)
		cmd_usage(run,
		    "%s: options of a command stand behind its name, as in taf crop -x 1=2:5",
		    word);
	if (o != NULL && o->id < 256)
		cmd_usage(run, "%s: unknown option; did you mean --%s (-%c)?", word,
		    o->name, o->id);
	if (o != NULL)
		cmd_usage(run, "%s: unknown option; did you mean --%s?", word, o->name);
	advice = taf_option_advice(name, n);
	cmd_usage(run, advice != NULL ? "%s: unknown option: %s" :
	    "%s: unknown option (%s -h lists them)", word, advice != NULL ? advice :
	    run->self->name);
}

/*
 * A long option's name must be whole: getopt_long takes any beginning of it, and an --out
 * that is not in the table would be an --output.
 */
static void
check_long(struct cmd_run *run, const char *word)
{
	const struct option *l = run->priv->longs;
	size_t n = strcspn(word + 2, "=");

	while (l->name != NULL && (strncmp(l->name, word + 2, n) != 0 ||
	    l->name[n] != '\0'))
		l++;
	if (l->name == NULL)
		unknown(run, word);
	if (l->has_arg == no_argument && word[2 + n] == '=')
		cmd_usage(run, "%s: --%s takes no value", word, l->name);
}

static void
take_operand(struct cmd_run *run, const char *word)
{
	run->files[run->nfiles++] = word;
	note(run, NULL, word);
}

int
cmd_option(struct cmd_run *run, void *intent, const char **arg)
{
	struct cmd_private *p = run->priv;
	int c;

	if (p->nopts == 0)
		add_options(run);
	for (;;) {
		int at = optind;

		if (at < p->argc && strncmp(p->argv[at], "--", 2) == 0 &&
		    p->argv[at][2] != '\0')
			check_long(run, p->argv[at]);
		c = getopt_long(p->argc, p->argv, p->shorts, p->longs, NULL);
		/* musl stops at "-", which is an operand as others are */
		if (c == -1 && optind < p->argc && strcmp(p->argv[optind], "-") == 0 &&
		    strcmp(p->argv[optind - 1], "--") != 0) {
			take_operand(run, p->argv[optind++]);
			continue;
		}
		if (c == -1)
			break;
		if (c == 1) {
			take_operand(run, optarg);
			if ((run->self->flags & CMD_LEAD) != 0)
				break;
			continue;
		}
		if (c == '?' || c == ':') {
			const char *word = at > 0 && at < p->argc ? p->argv[at] : "?";

			if (c == ':')
				cmd_usage(run, "%s: its value is missing", word);
			unknown(run, word);
		}
		*arg = optarg;
		if (take(run, c, intent, optarg))
			return c;
	}
	p->at = NULL;
	run->behind = run->nfiles;
	if (strcmp(p->argv[optind - 1], "--") != 0)
		run->behind += p->argc - optind;
	while (optind < p->argc)
		take_operand(run, p->argv[optind++]);
	check_operands(run);
	return 0;
}

void
cmd_options(struct cmd_run *run, void *intent)
{
	const char *arg;

	while (cmd_option(run, intent, &arg) != 0)
		;
}
