/* SPDX-License-Identifier: ISC */
/* tafappend - several arrays become one, along the last dimension or another. */
#include <string.h>
#include <sys/stat.h>

#include "base/need.h"
#include "cli/cmd.h"
#include "op/move/concat.h"
#include "op/move/join.h"
#include "stream/edit_private.h"
#include "stream/writer_private.h"

enum { ANY_UNIT = 256 };

struct intent {
	bool any_unit;
	enum taf_type type;
	unsigned dim;
};

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "append along this dimension, default the last",
	    SET(DIM, dim) },
	{ 't', "type", "TYPE", "element type of the result, without a mapping",
	    SET(TYPE, type) },
	{ ANY_UNIT, "any-unit", NULL, "join arrays whose units differ, too",
	    SET(FLAG, any_unit) },
	{ 0 },
};

static const struct cmd self = {
	"tafappend", "append arrays to one another: concatenate",
	"[--any-unit] [-d DIM] [-t TYPE] [-m SIZE] [-N K] [-o FILE] [file ...]\n"
	"       tafappend -i [--any-unit] [-d DIM] [-t TYPE] BASE file ...",
	options, CMD_STREAM | CMD_IN_PLACE | CMD_BASE | CMD_PICK,
};

static enum taf_status
add_all(const struct cmd_run *run, struct taf_concat *c, struct taf_err *e)
{
	int i;

	for (i = 0; i < run->nfiles; i++)
		if (taf_concat_add(c, run->files[i], e) != TAF_OK)
			return e->code;
	return TAF_OK;
}

/* The dimension that has a label in the first array, and no other one in the others. */
static enum taf_status
settle(void *ctx, const struct taf_array *first, const struct taf_array *a,
    struct taf_err *e)
{
	struct cmd_run *run = ctx;

	return a == first ? taf_words_settle(&run->words, a, e) :
	    taf_words_agree(&run->words, first, a, e);
}

/* All arrays are added: what they become. */
static enum taf_status
shape(struct cmd_run *run, struct taf_concat *c, struct taf_array *a, struct taf_err *e)
{
	if (taf_concat_shape(c, a, &run->service, e) != TAF_OK)
		return e->code;
	cmd_say_array(run, "the result", a);
	return TAF_OK;
}

/* Into a new file or a stream. */
static enum taf_status
append(struct taf_concat *c, const struct taf_array *a, const struct taf_sink *sink,
    struct taf_err *e)
{
	struct taf_writer *w = NULL;
	enum taf_status st;

	if (taf_writer_open(&w, sink, e) != TAF_OK ||
	    (taf_writer_begin(w, a, TAF_NEXT_NO, e) != TAF_OK &&
	    !taf_need_goes_on(e->code, e)) || taf_concat_write(c, w, e) != TAF_OK)
		st = e->code;
	else
		st = taf_writer_end(w, a, e);
	return taf_writer_settle(w, st, e);
}

/* Is BASE among the files that are appended to it? */
static enum taf_status
appends_itself(const struct cmd_run *run, bool *itself, struct taf_err *e)
{
	struct stat base, st;
	int i;

	*itself = false;
	for (i = 0; i < run->nfiles; i++) {
		const char *file = run->files[i];

		if (strcmp(file, "-") == 0)
			continue;
		if (stat(file, i == 0 ? &base : &st) != 0)
			return taf_fail_sys(e, "%s: cannot read", file);
		if (i > 0 && st.st_dev == base.st_dev && st.st_ino == base.st_ino)
			*itself = true;
	}
	return TAF_OK;
}

/* Does the file grow at its end?  Not where planes of real and imaginary parts do. */
static bool
grows(const struct taf_concat *c, const struct taf_array *a, const struct taf_edit *ed)
{
	return taf_concat_is_last(c) &&
	    !taf_type_is_pair(a->type) && taf_join_alike(a, taf_edit_array(ed)) &&
	    a->ndim == taf_edit_array(ed)->ndim && taf_edit_fits(ed, a);
}

/* What -t has rounded. */
static void
remark_lost(struct cmd_run *run, const struct taf_concat *c, const struct taf_array *a)
{
	const struct taf_convert_count lost = taf_concat_lost(c);

	taf_remark_lost(&run->service, &lost, taf_array_count(a), a->type);
}

static enum taf_status
in_place(struct cmd_run *run, struct taf_concat *c, struct taf_err *e)
{
	struct taf_sink sink = {
		.path = run->files[0], .format = TAF_FORMAT_TAF, .in_place = true
	};
	struct taf_array a = { 0 };
	struct taf_edit *ed = NULL;
	enum taf_status st;
	bool itself;

	/* locked before it is read: another command may be at work on it */
	if (taf_edit_open_from(&ed, run->files[0], run->files + 1,
	    (size_t)run->nfiles - 1, e) != TAF_OK ||
	    add_all(run, c, e) != TAF_OK || shape(run, c, &a, e) != TAF_OK ||
	    appends_itself(run, &itself, e) != TAF_OK)
		st = e->code;
	else if (itself || !grows(c, &a, ed))
		st = append(c, &a, &sink, e);
	else if (taf_edit_grow(ed, &a, e) != TAF_OK ||
	    taf_concat_grow(c, ed, e) != TAF_OK)
		st = e->code;
	else
		st = taf_edit_grown(ed, e);
	taf_edit_close(ed);
	if (st == TAF_OK)
		remark_lost(run, c, &a);
	taf_array_fini(&a);
	return st;
}

static enum taf_status
to_output(struct cmd_run *run, struct taf_concat *c, struct taf_err *e)
{
	struct taf_array a = { 0 };
	enum taf_status st;
	struct taf_sink sink;

	cmd_input(run);
	cmd_sink(run, &sink);
	if (add_all(run, c, e) != TAF_OK || shape(run, c, &a, e) != TAF_OK)
		st = e->code;
	else
		st = append(c, &a, &sink, e);
	if (st == TAF_OK)
		remark_lost(run, c, &a);
	taf_array_fini(&a);
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct taf_concat *c = NULL;
	enum taf_status st;
	struct intent want = { 0 };

	cmd_options(run, &want);
	if (run->in_place && run->nfiles < 2)
		cmd_usage(run, "-i: nothing to append (- is standard input)");
	st = taf_concat_open(&c, &want.dim, cmd_memory(run), &run->err);
	if (st == TAF_OK) {
		taf_concat_pick(c, run->pick);
		taf_concat_watch(c, settle, run);
		if (want.any_unit)
			taf_concat_any_unit(c);
		if (cmd_has(run, 't'))
			taf_concat_type(c, want.type);
		st = run->in_place ? in_place(run, c, &run->err) :
		    to_output(run, c, &run->err);
	}
	if (st != TAF_OK)
		cmd_report(run, NULL);
	taf_concat_close(c);
	return cmd_end(run);
}
