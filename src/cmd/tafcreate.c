/* SPDX-License-Identifier: ISC */
/* tafcreate - an array from raw bytes; floats can be stored as scaled integers. */
#include <string.h>

#include "array/size.h"
#include "base/endian.h"
#include "base/need.h"
#include "cli/cmd.h"
#include "format/example.h"
#include "io/spool.h"
#include "op/number/cast.h"
#include "stream/writer_private.h"
#include "text/comment.h"

enum { CLIP = 256, EXAMPLE };

struct intent {
	struct taf_array a;		/* as it shall be; from is its type before */
	enum taf_type from;
	bool from_given, big, clip;
	struct taf_size size;
	int example;		/* of so many dimensions, which a has */
};

static const struct cmd_option options[] = {
	{ 'C', "comment", "TEXT", "add a comment line; @FILE: the text of a file",
	    SET(PARSED, a), .parse = taf_comment_arg },
	{ 'a', "axis", "DIM=START:STEP", "grid of a dimension", SET(PARSED, size),
	    .parse = taf_size_axis },
	{ 'e', "from", "TYPE", "type of the bytes that come in, with be or le behind it",
	    OWN },
	{ 'n', "size", "L1,L2,...", "lengths; an empty last one follows from the input",
	    SET(PARSED, size), .parse = taf_size_parse },
	{ 't', "type", "TYPE", "element type of the result, default flt32",
	    SET(TYPE, a.type) },
	{ CLIP, "clip", NULL, "store what does not fit as the nearest that does",
	    SET(FLAG, clip) },
	{ EXAMPLE, "example", "2|3", "the example of that many dimensions", OWN },
	{ 0 },
};

static const struct cmd self = {
	"tafcreate", "make an array from raw bytes",
	"-n L1,L2[,...] [-t TYPE] [-e TYPE] [-a DIM=START:STEP] [-C TEXT]\n"
	"       [--clip] [-J N] [-o FILE] [file]",
	options, CMD_STREAM | CMD_ONE | CMD_JOBS | CMD_AS_IS,
};

/* Write all elements of r, which in describes. */
static enum taf_status
write_array(struct cmd_run *run, const struct intent *want, const struct taf_array *in,
    struct taf_reader *r, struct taf_writer *w, struct taf_err *e)
{
	const bool scaled = taf_scale_applies(in, want->a.type);
	struct taf_array out = want->a;
	const struct taf_cast cast = { &run->service, r, in, &out, w, want->clip,
	    scaled };

	if (scaled && taf_scale_plan(r, in, &out, taf_threads(&run->service), e) !=
	    TAF_OK)
		return e->code;
	if ((taf_writer_begin(w, &out, TAF_NEXT_NO, e) != TAF_OK &&
	    !taf_need_goes_on(e->code, e)) || taf_cast(&cast, e) != TAF_OK)
		return e->code;
	return taf_writer_end(w, &out, e);
}

/* What is made of the input: want->a gets its lengths and its grid. */
static enum taf_status
settle(struct intent *want, struct taf_in **in, struct taf_err *e)
{
	const unsigned char *p;
	size_t got;

	if (taf_in_peek(*in, 1, &p, &got, e) != TAF_OK)
		return e->code;
	if (got == 0)
		return taf_fail(e, TAF_EDATA, "empty input");
	if ((want->size.open && taf_spool_rest(in, e) != TAF_OK) || (want->example == 0 &&
	    taf_size_settle(&want->size, want->from, taf_in_left(*in),
	    taf_in_seekable(*in), &want->a, e) != TAF_OK))
		return e->code;
	return taf_size_grid(&want->size, &want->a, e);
}

/* Takes in. */
static enum taf_status
create(struct cmd_run *run, struct intent *want, struct taf_in *in, struct taf_writer *w,
    struct taf_err *e)
{
	const unsigned char *p;
	struct taf_reader *r = NULL;
	struct taf_array bytes;
	enum taf_status st = settle(want, &in, e);
	size_t got = 0;

	taf_err_name(e, taf_in_name(in));
	if (st != TAF_OK) {
		taf_in_close(in);
		return st;
	}
	bytes = want->a;
	bytes.type = want->from;
	if (taf_reader_raw(&r, in, &bytes, want->big, e) != TAF_OK ||
	    write_array(run, want, &bytes, r, w, e) != TAF_OK ||
	    taf_reader_unchanged(r, e) != TAF_OK ||
	    (!taf_in_seekable(in) && taf_in_peek(in, 1, &p, &got, e) != TAF_OK))
		st = e->code;
	else if (got > 0)
		st = taf_fail(e, TAF_EDATA, "more than the %llu bytes that -n asks for",
		    (unsigned long long)taf_array_bytes(&bytes));
	if (r != NULL)
		taf_err_name(e, taf_in_name(in));
	taf_reader_close(r);
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want;
	struct taf_writer *w = NULL;
	struct taf_in *in = NULL;
	struct taf_sink sink;
	enum taf_status st;
	const char *arg;
	int c;

	taf_array_init(&want.a);
	while ((c = cmd_option(run, &want, &arg)) != 0)
		if (c == EXAMPLE) {
			if (strcmp(arg, "2") != 0 && strcmp(arg, "3") != 0)
				cmd_usage(run, "--example %s: not 2 or 3", arg);
			want.example = arg[0] - '0';
		} else {
			if (!taf_type_parse_order(arg, &want.from, &want.big))
				cmd_value(run,
				    "%s: unknown element type: as -t, with le or be behind it",
				    arg);
			want.from_given = true;
		}
	if (want.example != 0 && (want.size.ndim > 0 || want.from_given ||
	    run->files[0] != NULL))
		cmd_usage(run, "--example: no -n, no -e and no file");
	if (want.example == 0 && want.size.ndim == 0)
		cmd_missing(run, 'n');
	if (want.example == 0)
		cmd_check(run, taf_size_check(&want.size, &run->err));
	if (!want.from_given)
		want.from = want.a.type;
	cmd_sink(run, &sink);
	if (want.example != 0) {
		/* that its values are rounded is nobody's loss */
		run->quiet = true;
		want.from = TAF_FLT64;
		want.big = taf_host_is_big();
		st = taf_example(want.example, &want.a, &in, &run->err);
	} else {
		cmd_input(run);
		st = taf_in_open(&in, run->files[0], &run->err);
	}
	if (st == TAF_OK)
		st = taf_writer_open(&w, &sink, &run->err);
	else
		taf_err_name(&run->err, run->files[0]);
	if (st == TAF_OK)
		st = create(run, &want, in, w, &run->err);
	if (taf_writer_settle(w, st, &run->err) != TAF_OK)
		cmd_report(run, NULL);
	taf_array_fini(&want.a);
	return cmd_end(run);
}
