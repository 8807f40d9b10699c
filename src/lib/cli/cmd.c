#include "cli/cmd.h"
#include "cli/crash.h"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/num.h"
#include "cli/private.h"
#include "io/temp.h"
#include "io/undo.h"
#include "text/history.h"

enum {
	NOT_STREAM = 1 << 20,	/* a set: commands without CMD_STREAM */
	OPT_OUT = 1000,
	MAX_OPTIONS = 64,
	DEFAULT_MEMORY = 256 * 1024 * 1024,
	LEAST_MEMORY = 64 * 1024
};

/* Options that several commands have, and the set that each belongs to (0: all). */
static const struct {
	unsigned set;
	struct cmd_option opt;
} common[] = {
	{ CMD_STREAM, { 'F', "format", "taf|rsf", "framing of the output" } },
	{ CMD_JOBS, { 'J', "jobs", "N", "threads, default all processors" } },
	{ CMD_PICK, { 'N', "array", "K", "the K-th array alone" } },
	{ 0, { 'V', "version", NULL, "print the version" } },
	{ CMD_STREAM | CMD_BINARY, { 'f', "force", NULL, "binary even to a terminal" } },
	{ 0, { 'h', "help", NULL, "print this help" } },
	{ CMD_IN_PLACE, { 'i', "in-place", NULL,
	    "change the named TAF files in place" } },
	{ CMD_JSON, { 'j', "json", NULL, "JSON, one object a line" } },
	{ 0, { 'm', "memory", "SIZE", "bound of memory, default 256M" } },
	{ CMD_STREAM | CMD_FILE, { 'o', "output", "FILE", "output to FILE" } },
	{ 0, { 'p', "progress", NULL, "show progress on standard error" } },
	{ 0, { 'q', "quiet", NULL, "no remarks" } },
	{ 0, { 'v', "verbose", NULL, "say what is done on standard error" } },
	{ CMD_STREAM, { OPT_OUT, "out", "PATH",
	    "elements to PATH, the header to the output" } },
	/* Madagascar's Flow() adds it to whatever stands last */
	{ NOT_STREAM, { OPT_OUT, "out", "PATH",
	    "taken for Flow's sake, and passed over" } },
};

struct cmd_private {
	int argc;
	char **argv;
	struct cmd_option opts[MAX_OPTIONS];
	size_t nopts;
	struct option longs[MAX_OPTIONS + 1];
	char shorts[3 * MAX_OPTIONS + 3];
	/* the present option, NULL before and behind them */
	const struct cmd_option *at;
	bool rest;		/* getopt is done: what is left are operands */
};

/*
 * A closed standard descriptor would be given to the next file that is opened; one
 * that refuses the direction it stands for makes its use fail instead.
 */
static void
guard_descriptors(void)
{
	int fd;

	for (fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

static void
on_signal(int sig)
{
	taf_undo_cancel();
	taf_temp_unlink_all();
	(void)signal(sig, SIG_DFL);
	(void)raise(sig);
}

/* A mapped file has become shorter: the only way to learn of it is this signal. */
static void
on_bus(int sig)
{
	static const char text[] = ": a file has shrunk while it was read\n";
	const char *name = cmd_private_name();

	(void)sig;
	taf_undo_cancel();
	taf_temp_unlink_all();
	if (write(2, name, strlen(name)) >= 0 && write(2, text, sizeof text - 1) >= 0)
		_exit(3);
	_exit(3);
}

static void
catch_signals(void)
{
	static const int fatal[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };
	struct sigaction act, old;
	size_t i;

	memset(&act, 0, sizeof act);
	act.sa_handler = on_signal;
	(void)sigfillset(&act.sa_mask);
	act.sa_flags = SA_NODEFER;
	for (i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
		if (sigaction(fatal[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			(void)sigaction(fatal[i], &act, NULL);
	act.sa_handler = on_bus;
	(void)sigaction(SIGBUS, &act, NULL);
	/* ignored by our parent, it would make waiting for a process fail */
	(void)signal(SIGCHLD, SIG_DFL);
	/* a limit on the size of files is then an error of write */
	(void)signal(SIGXFSZ, SIG_IGN);
}

static void
add_option(struct cmd_private *p, const struct cmd_option *o)
{
	struct option *l = &p->longs[p->nopts];
	size_t n = strlen(p->shorts);

	p->opts[p->nopts++] = *o;
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

/* Order of the help: by letter without regard to case, then the long names. */
static int
by_letter(const void *a, const void *b)
{
	const struct cmd_option *x = a, *y = b;
	int lx = x->id < 256 ? (x->id | 32) * 2 + (x->id < 'a' ? 0 : 1) : 1000;
	int ly = y->id < 256 ? (y->id | 32) * 2 + (y->id < 'a' ? 0 : 1) : 1000;

	return lx != ly ? lx - ly : lx == 1000 ? strcmp(x->name, y->name) : 0;
}

static void
collect_options(struct cmd_run *run)
{
	struct cmd_private *p = run->priv;
	const struct cmd_option *o;
	const unsigned sets = (run->self->flags & CMD_STREAM) != 0 ? run->self->flags :
	    run->self->flags | NOT_STREAM;
	size_t i;

	/* "-": operands come in their place, wherever they stand and whatever the libc */
	(void)strcpy(p->shorts, "-:");
	for (o = run->self->options; o != NULL && o->id != 0; o++)
		add_option(p, o);
	for (i = 0; i < sizeof common / sizeof common[0]; i++)
		if (common[i].set == 0 || (common[i].set & sets) != 0)
			add_option(p, &common[i].opt);
}

static void leave(int status) TAF_NORETURN;

static void
leave(int status)
{
	cmd_guard_end();
	exit(status);
}

struct cmd_run *
cmd_begin(const struct cmd *self, int argc, char **argv)
{
	struct cmd_run *run;

	guard_descriptors();
	cmd_private_set_name(self->name);
	catch_signals();
	run = calloc(1, sizeof *run);
	if (run == NULL || (run->priv = calloc(1, sizeof *run->priv)) == NULL ||
	    (run->files = calloc((size_t)argc + 1, sizeof *run->files)) == NULL) {
		(void)fprintf(stderr, "%s: memory\n", self->name);
		leave(4);
	}
	run->self = self;
	run->format = -1;
	run->service = (struct taf_service){ .memory = DEFAULT_MEMORY, .ctx = run,
	    .remark = cmd_private_remark, .progress = cmd_private_progress,
	    .watch = cmd_private_watch };
	taf_reader_listen(cmd_private_heard, run);
	run->priv->argc = argc;
	run->priv->argv = argv;
	if ((self->flags & CMD_STREAM) != 0)
		cmd_check(run, taf_history(&run->history, self->name, argc, argv,
		    &run->err));
	collect_options(run);
	opterr = 0;
	return run;
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
		print_option(&p->opts[i]);
	if (run->more != NULL)
		run->more(&more);
	if (more.st == TAF_OK && more.buf.len > 0)
		(void)printf("\n%.*s", (int)more.buf.len, more.buf.data);
	cmd_check(run, more.st);
	taf_str_free(&more);
	(void)printf("\nSee %s(1) and taf(7).\n", run->self->name);
}

/* Text of our own through stdio, its end checked. */
static void
finish_text(struct cmd_run *run)
{
	if (fflush(stdout) != 0 || ferror(stdout)) {
		(void)fprintf(stderr, "%s: standard output: cannot write: %s\n",
		    run->self->name, strerror(errno));
		leave(4);
	}
	leave(0);
}

static void
show_usage(const struct cmd_run *run)
{
	(void)fprintf(stderr, "usage: %s %s\n", run->self->name, run->self->synopsis);
}

void
cmd_usage(struct cmd_run *run, const char *fmt, ...)
{
	char text[TAF_ERR_TEXT];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	/* its name alone was typed: to see what it takes */
	if (run->priv->argc == 1 && isatty(0) == 1)
		show_usage(run);
	cmd_private_message(run, NULL, text);
	leave(2);
}

void
cmd_value(struct cmd_run *run, const char *fmt, ...)
{
	char text[TAF_ERR_TEXT];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (run->priv->at == NULL)
		cmd_usage(run, "%s", text);
	cmd_usage(run, "%s %s", cmd_private_option(run).s, text);
}

void
cmd_check(struct cmd_run *run, enum taf_status st)
{
	if (st == TAF_OK)
		return;
	if (st == TAF_EUSAGE)
		cmd_value(run, "%s", run->err.text);
	cmd_report(run, NULL);
	leave(run->status);
}

static const char numbers[] =
    " int8 uint8 int16 uint16 int32 uint32 int64 uint64 flt32 flt64";

enum taf_type
cmd_type(struct cmd_run *run, const char *arg)
{
	enum taf_type t = TAF_FLT32;

	if (!taf_type_parse(arg, &t))
		cmd_value(run, "%s: unknown element type (known:%s)", arg, numbers);
	return t;
}

enum taf_type
cmd_type_any(struct cmd_run *run, const char *arg)
{
	enum taf_type t = TAF_FLT32;

	if (!taf_type_parse_any(arg, &t))
		cmd_value(run, "%s: unknown element type (known:%s complex complex128)",
		    arg, numbers);
	return t;
}

static unsigned
parse_jobs(struct cmd_run *run, const char *arg)
{
	uint64_t v;

	if (!taf_parse_u64(arg, strlen(arg), &v) || v < 1 || v > 1024)
		cmd_usage(run, "-J %s: not a number of 1 to 1024", arg);
	return (unsigned)v;
}

/* The option that getopt has found by this id. */
static const struct cmd_option *
option_of(const struct cmd_private *p, int id)
{
	const struct cmd_option *o = p->opts;

	while (o->id != id)
		o++;
	return o;
}

void
cmd_missing(struct cmd_run *run, int id)
{
	const struct cmd_option *o = option_of(run->priv, id);

	if (id < 256)
		cmd_usage(run, "-%c %s is missing: %s", id, o->arg, o->help);
	cmd_usage(run, "--%s %s is missing: %s", o->name, o->arg, o->help);
}

const char *
cmd_private_words(const struct cmd_run *run)
{
	return run->priv->at->arg;
}

struct cmd_option_text
cmd_private_option(const struct cmd_run *run)
{
	const struct cmd_option *o = run->priv->at;
	struct cmd_option_text text;

	if (o->id < 256)
		(void)snprintf(text.s, sizeof text.s, "-%c", o->id);
	else
		(void)snprintf(text.s, sizeof text.s, "--%s", o->name);
	return text;
}

/* A common option; false where it is one of the command's own. */
static bool
take_common(struct cmd_run *run, int c, const char *arg)
{
	const struct cmd_option *o;

	for (o = run->self->options; o != NULL && o->id != 0; o++)
		if (o->id == c)
			return false;
	switch (c) {
	case 'F':
		run->format = cmd_choice(run, arg) == 0 ? TAF_FORMAT_TAF :
		    TAF_FORMAT_RSF;
		break;
	case 'J':
		run->service.jobs = parse_jobs(run, arg);
		break;
	case 'N':
		if (!taf_parse_u64(arg, strlen(arg), &run->pick) || run->pick < 1)
			cmd_usage(run, "-N %s: not a number of 1 or more", arg);
		break;
	case 'V':
		(void)printf("%s (taftools) %s\n", run->self->name, TAF_VERSION);
		finish_text(run);
		break;
	case 'f':
		run->force = true;
		break;
	case 'h':
		help(run);
		finish_text(run);
		break;
	case 'i':
		run->in_place = true;
		break;
	case 'j':
		run->json = true;
		break;
	case 'm':
		if (!taf_parse_size(arg, &run->service.memory) || run->service.memory < 1)
			cmd_usage(run, "-m %s: not a size", arg);
		/* with less, elements would come one by one */
		if (run->service.memory < LEAST_MEMORY)
			run->service.memory = LEAST_MEMORY;
		break;
	case 'o':
		run->output = strcmp(arg, "-") == 0 ||
		    cmd_private_is_stdout(arg) ? NULL : arg;
		if (arg[0] == '\0')
			cmd_usage(run, "-o: an empty name");
		break;
	case 'p':
		run->progress = true;
		break;
	case 'q':
		run->quiet = true;
		break;
	case 'v':
		run->verbose = true;
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
	default:
		return false;
	}
	return true;
}

static void
check_operands(struct cmd_run *run)
{
	int i;

	if ((run->self->flags & CMD_ONE) != 0 && run->nfiles > 1)
		cmd_usage(run, "%s: one file at most", run->files[1]);
	if (run->in_place) {
		if (run->output != NULL || run->format >= 0)
			cmd_usage(run, "-i writes to its operands: no -o or -F");
		if (run->pick != 0 && (run->self->flags & CMD_STREAM) != 0)
			cmd_usage(run, "-i and -N: a TAF file holds one array");
		if (run->nfiles == 0)
			cmd_usage(run, "-i needs the names of files");
		for (i = 0; i < run->nfiles; i++)
			if (strcmp(run->files[i], "-") == 0 &&
			    (i == 0 || (run->self->flags & CMD_BASE) == 0))
				cmd_usage(run, "-i: standard input has no place");
	}
	if ((run->self->flags & CMD_OPERANDS) != 0 && run->nfiles == 0)
		cmd_usage(run, "the name of a file is missing");
	if (run->nfiles == 0)
		run->files[run->nfiles++] = NULL;
}

/* A word that begins with a dash, and is no option. */
static void unknown(struct cmd_run *run, const char *word) TAF_NORETURN;

static void
unknown(struct cmd_run *run, const char *word)
{
	const struct cmd_private *p = run->priv;
	const bool whole = strncmp(word, "--", 2) == 0;
	const char letter = (char)optopt, *name = whole ? word + 2 : &letter;
	const struct cmd_option *o = cmd_private_guess(p->opts, p->nopts, name,
	    whole ? strcspn(name, "=") : 1);

	if (o == NULL)
		cmd_usage(run, "%s: unknown option", word);
	if (o->id >= 256)
		cmd_usage(run, "%s: unknown option; did you mean --%s?", word, o->name);
	cmd_usage(run, "%s: unknown option; did you mean --%s (-%c)?", word, o->name,
	    o->id);
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

int
cmd_option(struct cmd_run *run, const char **arg)
{
	struct cmd_private *p = run->priv;
	int c;

	for (;;) {
		int at = optind;

		if (at < p->argc && strncmp(p->argv[at], "--", 2) == 0 &&
		    p->argv[at][2] != '\0')
			check_long(run, p->argv[at]);
		c = getopt_long(p->argc, p->argv, p->shorts, p->longs, NULL);
		/* musl stops at "-", which is an operand as others are */
		if (c == -1 && optind < p->argc && strcmp(p->argv[optind], "-") == 0 &&
		    strcmp(p->argv[optind - 1], "--") != 0) {
			run->files[run->nfiles++] = p->argv[optind++];
			continue;
		}
		if (c == -1)
			break;
		if (c == 1) {
			run->files[run->nfiles++] = optarg;
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
		p->at = option_of(p, c);
		if (!take_common(run, c, optarg))
			return c;
	}
	p->at = NULL;
	run->behind = run->nfiles;
	if (strcmp(p->argv[optind - 1], "--") != 0)
		run->behind += p->argc - optind;
	while (optind < p->argc)
		run->files[run->nfiles++] = p->argv[optind++];
	check_operands(run);
	return 0;
}

const char *
cmd_word(struct cmd_run *run, const char *what)
{
	const char *word = run->files[0];

	if (word == NULL)
		cmd_usage(run, "%s is missing", what);
	run->nfiles--;
	memmove(run->files, run->files + 1, (size_t)run->nfiles * sizeof *run->files);
	if (run->nfiles == 0)
		run->files[run->nfiles++] = NULL;
	return word;
}

/* The command itself is wrong: no status says that, and nobody may take it for one. */
static void
die_of_misuse(void)
{
	taf_undo_cancel();
	taf_temp_unlink_all();
	(void)signal(SIGABRT, SIG_DFL);
	abort();
}

void
cmd_report(struct cmd_run *run, const char *file)
{
	struct taf_err *e = &run->err;
	int status = e->code == TAF_ETRUNC ? TAF_EDATA : (int)e->code;

	taf_err_name(e, file);
	cmd_private_message(run, e->name[0] != '\0' ? e->name : NULL, e->text);
	if (e->code == TAF_EMISUSE)
		die_of_misuse();
	if (status > run->status)
		run->status = status;
	taf_err_clear(e);
}

void
cmd_input(struct cmd_run *run)
{
	if (run->nfiles == 0 || run->files[0] != NULL || isatty(0) != 1)
		return;
	if (run->priv->argc > 1)
		show_usage(run);
	cmd_usage(run, "standard input is a terminal: "
	    "name a file, or - to type the input");
}

void
cmd_one_input(struct cmd_run *run, const char *const *more, int n)
{
	int i, inputs = 0;

	for (i = 0; i < run->nfiles; i++)
		inputs += cmd_name(run->files[i]) != run->files[i];
	for (i = 0; i < n; i++)
		inputs += cmd_name(more[i]) != more[i];
	if (inputs > 1)
		cmd_usage(run, "-: standard input is one input, not two");
}

void
cmd_named(struct cmd_run *run)
{
	int i;

	for (i = 0; i < run->nfiles; i++)
		if (strcmp(run->files[i], "-") == 0)
			cmd_usage(run,
			    "-: standard input has no name, and a file is needed by "
			    "name");
}

size_t
cmd_memory(const struct cmd_run *run)
{
	const uint64_t memory = run->service.memory;

	return memory < SIZE_MAX ? (size_t)memory : SIZE_MAX;
}

void
cmd_private_check_out(struct cmd_run *run)
{
	char room[4096];
	const char *name = cmd_stdout_name(room, sizeof room);

	if (run->output == NULL && name != NULL && cmd_private_ends(name, ".taf"))
		cmd_usage(run,
		    "standard output is %s, but this is no TAF: use -o or -F taf "
		    "of a command that writes arrays", name);
	if (run->output == NULL && (run->self->flags & CMD_BINARY) != 0 && !run->force &&
	    isatty(1) == 1)
		cmd_usage(run, "binary data to a terminal: use -o, a pipe, or -f");
}

struct taf_out *
cmd_out(struct cmd_run *run)
{
	enum taf_status st;

	if (run->out != NULL)
		return run->out;
	cmd_private_check_out(run);
	if (run->output != NULL)
		st = taf_out_create(&run->out, run->output, &run->err);
	else
		st = taf_out_fd(&run->out, 1, "standard output", &run->err);
	if (st != TAF_OK)
		cmd_report(run, NULL);
	return run->out;
}

int
cmd_end(struct cmd_run *run)
{
	int status;

	/* what was printed for the operands that are sound stays */
	if (run->out != NULL && run->status > 1 &&
	    (run->output != NULL || taf_out_failed(run->out)))
		taf_out_discard(run->out);
	/* and that the system fails is told once */
	else if (run->out != NULL && taf_out_commit(run->out, &run->err) != TAF_OK &&
	    run->status != 4)
		cmd_report(run, NULL);
	status = run->status;
	cmd_guard_end();
	cmd_private_end();
	if (status == 0 && cmd_private_unsettled(run))
		die_of_misuse();
	cmd_private_tell(run, status <= 1);
	taf_reader_listen(NULL, NULL);
	taf_buf_free(&run->heard);
	taf_buf_free(&run->remarks);
	free(run->along);
	free(run->history);
	free(run->files);
	free(run->priv);
	free(run);
	return status;
}
