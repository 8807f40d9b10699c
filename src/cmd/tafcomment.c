/* SPDX-License-Identifier: ISC */
/* tafcomment - print, add to, set or clear the comment of an array. */
#include "cli/cmd.h"
#include "text/comment.h"

enum { SET = 256, CLEAR };

static const struct cmd_option options[] = {
	{ 'C', "comment", "TEXT", "add a line; @FILE: the text of a file", OWN },
	{ SET, "set", "TEXT", "make TEXT the comment; @FILE: the text of a file", OWN },
	{ CLEAR, "clear", NULL, "no comment", OWN },
	{ 0 },
};

static const struct cmd self = {
	"tafcomment", "print or change comments",
	"[-C TEXT] [--set TEXT] [--clear] [-i] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_IN_PLACE | CMD_PICK,
};

struct intent {
	bool change, clear;
	struct taf_array add;	/* its comment holds the lines to add */
};

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;

	(void)in, (void)plan;
	if (want->clear)
		out->comment.len = 0;
	if (want->add.comment.len == 0)
		return TAF_OK;
	/* without its last LF, which every line that is added gets */
	return taf_comment_add(out, want->add.comment.data, want->add.comment.len - 1, e);
}

static enum taf_status
print(struct cmd_run *run, struct taf_arrays *all, void *ctx, struct taf_err *e)
{
	const struct taf_buf *comment = &all->a.comment;
	enum taf_status st = taf_reader_finish(all->r, &all->a, e);

	(void)ctx;
	if (st == TAF_OK && comment->len > 0)
		st = taf_out_write(run->out, comment->data, comment->len, e);
	return st;
}

int
main(int argc, char **argv)
{
	static const struct cmd_filter edit = { .resolve = resolve };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { 0 };
	const char *arg;
	int c, status;

	while ((c = cmd_option(run, NULL, &arg)) != 0) {
		want.change = true;
		if (c == SET || c == CLEAR) {
			want.clear = true;
			want.add.comment.len = 0;
		}
		if (c == 'C' || (c == SET && arg[0] != '\0'))
			cmd_check(run, taf_comment_arg(&want.add, arg, &run->err));
	}
	if (run->in_place && !want.change)
		cmd_usage(run, "-i, but nothing to change");
	run->late = true;
	status = want.change ? cmd_filter(run, &edit, &want) : cmd_each(run, print, NULL);
	taf_array_fini(&want.add);
	return status;
}
