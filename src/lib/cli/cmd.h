/* SPDX-License-Identifier: ISC */
/*
 * What every command shares: options, help, messages, exit status, and the loop over
 * the arrays of its operands.  The only layer that prints or exits.
 */
#ifndef TAF_CLI_CMD_H
#define TAF_CLI_CMD_H

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "array/region.h"
#include "array/words.h"
#include "base/attr.h"
#include "base/err.h"
#include "format/import.h"
#include "io/in.h"
#include "io/out.h"
#include "spread/jobs.h"
#include "op/operand/arrays.h"
#include "op/operand/move.h"
#include "op/operand/steps.h"
#include "stream/reader.h"
#include "stream/service.h"
#include "stream/writer.h"

/* What an option sets, and the type of the member that it is bound to. */
enum cmd_set {
	CMD_SET_NOTHING,	/* cmd_option gives it to the command */
	CMD_SET_COMMON,		/* what the common option of this letter sets */
	CMD_SET_FLAG,		/* bool: true */
	CMD_SET_VALUE,		/* unsigned, or an enum: value */
	CMD_SET_CHOICE,		/* the same: which of the words of arg, from value on */
	CMD_SET_TEXT,		/* const char *: as it was typed */
	CMD_SET_TYPE,		/* enum taf_type: a type of numbers */
	CMD_SET_ANY_TYPE,	/* the same: they may be complex */
	CMD_SET_NUMBER,		/* unsigned, or uint64_t */
	CMD_SET_BYTES,		/* uint64_t: a size of memory, above 0 */
	CMD_SET_REAL,		/* double */
	CMD_SET_AMOUNT,		/* struct taf_amount */
	CMD_SET_DIM,		/* unsigned: a dimension, by cmd_along */
	CMD_SET_BOUNDS,		/* struct taf_bounds: by indices, or by a grid ('g') */
	CMD_SET_PARSED,		/* what parse makes of it */
	CMD_SET_ALONG		/* the same, by cmd_along */
};

/* One option: a letter, or a number above 255 for one that has only a long name. */
struct cmd_option {
	int id;
	const char *name;	/* long name */
	/* name of its value, NULL if it has none, "[=X]" if it may */
	const char *arg;
	const char *help;
	enum cmd_set kind;
	size_t at, size;	/* the member; both 0: the intent as a whole */
	double least, most;	/* bounds of a number; both 0: none */
	const char *wrong;	/* what is said of another number, as "not a size" */
	/* of options with this text only one is taken, and once unless it has a value */
	const char *one;
	taf_word_parse *parse;
	unsigned value;
	char mark;		/* of struct taf_word */
	bool units;		/* likewise */
};

/* For rows of a table of options: such a member of struct intent is set. */
#define SET(what, member) .kind = CMD_SET_##what, .at = offsetof(struct intent, member), \
    .size = sizeof ((struct intent *)NULL)->member
/* Such a word sets what its function finds in it, for each array. */
#define ALONG(function, between) .kind = CMD_SET_ALONG, .parse = function, .mark = between
/* The command does something of its own. */
#define OWN .kind = CMD_SET_NOTHING
/* Bounds of numbers, finite ones alone. */
#define ABOVE_0 .least = DBL_TRUE_MIN, .most = DBL_MAX
#define FROM_0 .least = 0, .most = DBL_MAX
#define FROM_1 .least = 1, .most = DBL_MAX

/* Sets of common options. */
enum {
	CMD_STREAM = 1,		/* writes arrays: -o -F -f; --out is not passed over */
	CMD_IN_PLACE = 2,	/* -i */
	CMD_BASE = 2048,	/* and of its operands only the first is changed */
	CMD_PICK = 4,		/* -N */
	CMD_TO_TAF = 16,	/* TAF where standard output is a regular file */
	CMD_FILE = 32,		/* writes something else: -o */
	CMD_BINARY = 1024,	/* and that is not for terminals: -f */
	CMD_ONE = 64,		/* one operand at most */
	CMD_JOBS = 128,		/* -J */
	CMD_JSON = 256,		/* -j */
	/* operands are required: no standard input in their place */
	CMD_OPERANDS = 512,
	CMD_TWO = CMD_OPERANDS | 8,	/* two of them */
	/* the first operand, and all behind it, are another's line */
	CMD_LEAD = 4096,
	/* it uses values: what marked missing ones, and does no more, is remarked */
	CMD_VALUES = 8192,
	/* and its results are others, so that nothing marks missing ones among them */
	CMD_COMPUTES = CMD_VALUES | 16384,
	/* what taf has to know: files of other formats are read by itself, or refused */
	CMD_AS_IS = 32768,
	CMD_TAF_FILES = 65536,	/* since TAF files are needed by name */
	CMD_WORD = 131072,	/* its first operand is no file */
	CMD_SETTINGS = 262144,	/* nor are those with '=' in them before "--" */
	CMD_PLACE = 524288,	/* nor is the second one */
	CMD_NO_RECIPE = 1048576,	/* no digest tells what it reads */
	CMD_ARRAYS = 2097152,	/* of CMD_TO_TAF: it reads our own formats */
	CMD_UNPLANNED = 4194304,	/* no header tells what it would do */
	CMD_BESIDE = 16777216,	/* it reads what lies beside its operands, */
	CMD_MENDS = 33554432,	/* or puts back what a crash has left of them */
	CMD_INTO = 67108864	/* the first operand is changed, others are arrays */
};

/* The text of a command's help stands nowhere else. */
struct cmd {
	const char *name;
	const char *brief;	/* what it does, no final stop */
	const char *synopsis;	/* options and operands, without the name */
	const struct cmd_option *options;	/* its own, sorted; up to one with id 0 */
	unsigned flags;
};

/* A run of the command: what the common options have said. */
struct cmd_run {
	const struct cmd *self;
	/* operands; one NULL (standard input) where there are none */
	const char **files;
	int nfiles;
	int behind;		/* the first of them behind "--", nfiles where none is */
	const char *output;	/* -o, NULL for standard output */
	const char *data;	/* --out=PATH */
	int format;		/* -F: an enum taf_format, -1 if not said */
	uint64_t pick;		/* -N, 0 for all arrays */
	/* of a filter: these in this order, NULL for all */
	const struct taf_picks *list;
	struct taf_service service;	/* -m, -J; remarks and progress, by -q and -p */
	struct taf_caller caller;	/* the same, for work that starts processes */
	bool in_place, force, progress, quiet, verbose, json, recipe, plan;
	/*
	 * Set by a command of cmd_each or cmd_export that needs neither comment nor
	 * attributes before the elements: of TAF from a pipe they come by
	 * taf_reader_finish, and nothing is spooled.
	 */
	bool late;
	/*
	 * An option names a dimension by its label, or a number by a unit: attributes are
	 * needed before the elements, whatever late says.  Set by cmd_along, and by a
	 * command that looks at labels itself.
	 */
	bool named;
	int status;		/* worst so far */
	struct taf_err err;
	char *history;
	struct taf_out *out;	/* of cmd_out */
	struct taf_buf heard;	/* what readers have remarked, a line each */
	size_t told;		/* so many bytes of it are told, or of no interest */
	struct taf_buf remarks;	/* others that wait to be told */
	uint64_t dropped;	/* as many more of them */
	/* what -h says below the options, or NULL */
	void (*more)(struct taf_str *s);
	struct taf_words words;	/* of cmd_along: the drivers settle them for each array */
	struct cmd_private *priv;
};

/* Begin: standard descriptors, signals, the common fields.  Always succeeds or exits. */
struct cmd_run *cmd_begin(const struct cmd *self, int argc, char **argv);

/*
 * Read options, up to the next one that is bound to nothing: its id, and its value in
 * *arg.  The others set members of *intent.  0 when all are read; operands are then in
 * run->files.  -h and -V end the program here.
 */
int cmd_option(struct cmd_run *run, void *intent, const char **arg);

/* Read all options of a command that binds each. */
void cmd_options(struct cmd_run *run, void *intent);

/* Was this option of the command given? */
bool cmd_has(const struct cmd_run *run, int id);

/* A wrong invocation: a message, status 2.  Never returns. */
void cmd_usage(struct cmd_run *run, const char *fmt, ...) TAF_PRINTF(2, 3) TAF_NORETURN;

/* The same about the value of the present option: fmt follows the option's name. */
void cmd_value(struct cmd_run *run, const char *fmt, ...) TAF_PRINTF(2, 3) TAF_NORETURN;

/* Without this option of the command nothing can be done: a wrong invocation. */
void cmd_missing(struct cmd_run *run, int id) TAF_NORETURN;

/*
 * The first operand, which is no file but what the command is asked for; what names it
 * where it is missing.
 */
const char *cmd_word(struct cmd_run *run, const char *what);

/*
 * The operands will be read.  A wrong invocation where there is none and standard input
 * is a terminal: nobody waits for what nobody knows to type.
 */
void cmd_input(struct cmd_run *run);

/* "-" twice among the operands and n other files is a wrong invocation. */
void cmd_one_input(struct cmd_run *run, const char *const *more, int n);

/* "-" among the operands is a wrong invocation, where files are needed by name. */
void cmd_named(struct cmd_run *run);

/*
 * A wrong invocation, with what run->err says, if st is TAF_EUSAGE: while options are
 * read, of the present one's value.  Another failure ends the program with its own
 * status.
 */
void cmd_check(struct cmd_run *run, enum taf_status st);

/* Report run->err about a file (NULL: as it says itself) and remember the status. */
void cmd_report(struct cmd_run *run, const char *file);

/*
 * The command has used the values of a: a remark, once, where an attribute calls some of
 * them missing.
 */
void cmd_remark_missing(struct cmd_run *run, const struct taf_array *a);

/* A remark on what was dropped, clipped or rounded, unless -q. */
void cmd_remark(struct cmd_run *run, const char *fmt, ...) TAF_PRINTF(2, 3);

/* The type of numbers that -t names; an unknown one is a wrong invocation. */
enum taf_type cmd_type(struct cmd_run *run, const char *arg);

/*
 * The value of the present option names dimensions, as 2=1:5 and Time=1us:2us do.  What
 * a label or a unit is depends on the array, so the word goes to run->words, and the
 * drivers parse it into *to anew for each array.  That is done once now, with numbers in
 * the place of labels, so that a wrong form is a wrong invocation.  size is that of *to
 * if a word adds to what others have put there, as in struct taf_word_of.
 */
void cmd_along(struct cmd_run *run, const struct taf_word *word, taf_word_parse *parse,
    void *to, size_t size);

/*
 * Which of the words of the present option's value arg is, from 0, as its help has them:
 * "boxcar|hann".  A word in capitals stands for a number, and its index is given if arg
 * is none of the others; without such a one that is a wrong invocation.
 */
unsigned cmd_choice(struct cmd_run *run, const char *arg);

/* It is no number either: a wrong invocation, which says what would be right. */
void cmd_no_choice(struct cmd_run *run, const char *arg) TAF_NORETURN;

/* Words for -v, and the ones for an array that comes from file or goes there. */
void cmd_say(struct cmd_run *run, const char *fmt, ...) TAF_PRINTF(2, 3);
void cmd_say_array(struct cmd_run *run, const char *file, const struct taf_array *a);

/* Is this the long name of a common option that says nothing of results? */
bool cmd_is_aside(const char *name);

/* Which operands of a command with these flags are no files: TAF_TEXT_... */
unsigned cmd_texts(unsigned flags);

/* End: check standard output, free, return the exit status. */
int cmd_end(struct cmd_run *run);

/* Where text or bytes of another kind go: -o, or standard output.  NULL on failure. */
struct taf_out *cmd_out(struct cmd_run *run);

/*
 * The sink that -o, -F, --out and the kind of standard output say; refuses (2) what
 * design and terminals forbid.
 */
void cmd_sink(struct cmd_run *run, struct taf_sink *sink);

/*
 * The name of the file that standard output is: "" where it cannot be seen, NULL where
 * that is no regular file.  Lent until the next call.
 */
const char *cmd_stdout_name(void);

/* What -m allows, as a size of memory. */
size_t cmd_memory(const struct cmd_run *run);

/*
 * What the user calls an operand, or an input that has this name in a message.  taf gives
 * a pipe instead of a file.  The file's name is then in an environment variable:
 * CMD_OPERAND and the number of the descriptor.
 */
#define CMD_OPERAND "TAF_OPERAND_"
enum { CMD_OPERAND_SIZE = sizeof CMD_OPERAND + 16 };
const char *cmd_given(const char *file);

/* The arrays of some files, or the one that -N picks.  The drivers below begin so. */
struct taf_arrays cmd_arrays(struct cmd_run *run, const char *const *files, int nfiles);

/* Those of the operands. */
struct taf_arrays cmd_arrays_of(struct cmd_run *run);

/* What is asked of an array before output begins, and what is done with it. */
typedef enum taf_status cmd_array_check(const void *ctx, const struct taf_array *a,
    struct taf_err *e);
typedef enum taf_status cmd_array_each(struct cmd_run *run, struct taf_arrays *all,
    void *ctx, struct taf_err *e);

/*
 * Call each for every array of the operands, up to the first failure.  check may be NULL.
 * Before each gets the first array, check sees all arrays of operands that are regular
 * files, unless there is only one.  It sees each array again when it has come.
 */
TAF_MUST enum taf_status cmd_arrays_each(struct cmd_run *run, cmd_array_check *check,
    cmd_array_each *each, void *ctx, struct taf_err *e);

/* How a command that makes an array of each array, or of several, does it. */
struct cmd_filter {
	/*
	 * Pure: from intent and the array that comes, the array that goes out, which
	 * is a copy of in when it is called, and all of *plan.  Everything is refused
	 * here.  NULL where the array goes out as it is.
	 */
	enum taf_status (*resolve)(const void *intent, const struct taf_array *in,
	    struct taf_array *out, void *plan, struct taf_err *e);
	/*
	 * Or the same of an array of each operand; the operands advance together.
	 * Readers of s may be NULL.  out is the first array, which has the shape of all
	 * unless first is set.
	 */
	enum taf_status (*join)(const void *intent, const struct taf_steps *s,
	    struct taf_array *out, void *plan, struct taf_err *e);
	bool first;		/* out is as the first array: lengths need not agree */
	/* what stands for the first array if there is no operand */
	const struct taf_array *alone;
	/* Moves the elements; NULL where they stay as they are. */
	enum taf_status (*move)(const struct taf_move *m, struct taf_err *e);
	void *plan;	/* memory for what resolve finds and move needs, or NULL */
	/*
	 * NULL, or called before the array that goes out begins (m->w is NULL): what
	 * resolve has said of it is completed by a look at the elements, which stay
	 * unread.  m->r is NULL if a header alone is changed in place.
	 */
	enum taf_status (*look)(const struct taf_move *m, struct taf_array *out,
	    struct taf_err *e);
};

/*
 * Run a filter over all arrays of all operands, or in place, and end.  In a join an
 * operand that has one array alone gives it to every step.  Other counts that differ are
 * TAF_EDATA.
 */
int cmd_filter(struct cmd_run *run, const struct cmd_filter *f, const void *intent);

/*
 * Call each for every array of every operand (or the one that -N picks), and end.
 * For commands that print, which they do to run->out.  What fails costs the rest of its
 * operand alone.
 */
int cmd_each(struct cmd_run *run, cmd_array_each *each, void *ctx);

/*
 * The same for commands that write another format: check is as above, and at the end done
 * (which may be NULL too) is called.  The first failure ends it.
 */
int cmd_export(struct cmd_run *run, cmd_array_check *check, cmd_array_each *each,
    void (*done)(struct cmd_run *run, void *ctx), void *ctx);

/*
 * For commands that read another format: format/import.h says what check (which may be
 * NULL) and each do.
 */
int cmd_import(struct cmd_run *run, taf_import_check *check, taf_import_each *each,
    void *ctx);

/* Print a line for each array that a file of several has, of all operands, and end. */
int cmd_list(struct cmd_run *run, taf_import_lister *lister);

#endif
