/* SPDX-License-Identifier: ISC */
/* tafcompare - do two files or streams hold the same values? */
/* link: m */
#include <string.h>

#include "cli/cmd.h"
#include "op/number/compare_arrays.h"
#include "text/difference.h"

enum { ABSOLUTE = 256, HEADER, RELATIVE, ULP };

struct intent {
	struct taf_tolerance within;
	bool header;
};

static const struct cmd_option options[] = {
	{ ABSOLUTE, "absolute", "T", "values may differ by T", SET(REAL, within.absolute),
	    FROM_0, .wrong = "not a number of 0 or more" },
	{ HEADER, "header", NULL,
	    "types, mappings, grids, comments, attributes must agree, too",
	    SET(FLAG, header) },
	{ RELATIVE, "relative", "T", "values may differ by T times the larger of them",
	    SET(REAL, within.relative), FROM_0, .wrong = "not a number of 0 or more" },
	{ ULP, "ulp", "N", "values may differ by N units in the last place",
	    SET(NUMBER, within.ulp), .wrong = "not a number of 0 or more" },
	{ 0 },
};

static const struct cmd self = {
	"tafcompare", "compare the values of two files or streams",
	"[--absolute T] [--relative T] [--ulp N] [--header] [-j] [-J N] [-m SIZE]\n"
	"       [-N K] A B",
	options, CMD_JSON | CMD_PICK | CMD_JOBS | CMD_TWO | CMD_UNPLANNED,
};

/* Both operands, which advance together. */
struct pair {
	struct cmd_run *run;
	const struct intent *want;
	struct taf_arrays in[2];
	bool ended[2];
	bool several;		/* the first array was not the only one of both */
};

/* The next array of each, or its end. */
static enum taf_status
advance(struct pair *p, struct taf_err *e)
{
	unsigned k;

	for (k = 0; k < 2; k++) {
		enum taf_status st = taf_arrays_next(&p->in[k], e);

		p->ended[k] = st == TAF_END;
		if (st != TAF_OK && st != TAF_END)
			return st;
	}
	return TAF_OK;
}

/* A line about the operands, and the answer no where it tells of a difference. */
static enum taf_status
print(struct pair *p, struct taf_str *text, bool equal, struct taf_err *e)
{
	struct cmd_run *run = p->run;
	struct taf_str line = { .err = e };
	enum taf_status st;
	unsigned k;

	for (k = 0; k < 2 && !run->json; k++) {
		const char *name = taf_in_called(run->files[k]);

		taf_str_safe(&line, name, strlen(name));
		taf_str_puts(&line, k == 0 ? " " : ": ");
	}
	if (text->st != TAF_OK)
		return text->st;
	taf_str_put(&line, text->buf.data, text->buf.len);
	taf_str_puts(&line, "\n");
	st = taf_out_str(run->out, &line);
	taf_str_free(&line);
	if (!equal && run->status == 0)
		run->status = 1;
	return st;
}

static enum taf_status
compare(struct pair *p, struct taf_err *e)
{
	const struct taf_array *a = &p->in[0].a, *b = &p->in[1].a;
	const struct taf_compare_arrays what =
	    { &p->run->service, { p->in[0].r, p->in[1].r }, { a, b }, p->want->within };
	struct taf_difference d = { 0 };
	struct taf_compare how;
	struct taf_compared c = { { a, b }, p->several ? p->in[0].number : 0,
	    p->want->header, !taf_array_same_shape(a, b), taf_compare_refuses(a, b), &how,
	    &d };
	struct taf_str text = { .err = e };
	enum taf_status st = TAF_OK;

	if (!c.shapes && !c.kinds)
		st = taf_compare_arrays(&what, &how, &d, e);
	if (st != TAF_OK || (!p->run->json && taf_compared_equal(&c)))
		return st;
	if (p->run->json)
		taf_compared_json(&c, &text);
	else
		taf_compared_words(&c, &text);
	st = print(p, &text, taf_compared_equal(&c), e);
	taf_str_free(&text);
	return st;
}

/* One has ended before the other: go on to the end of that, to count. */
static enum taf_status
count(struct pair *p, struct taf_err *e)
{
	struct taf_str text = { .err = e };
	enum taf_status st = TAF_OK;

	while (st == TAF_OK)
		st = taf_arrays_next(&p->in[p->ended[0] ? 1 : 0], e);
	if (st != TAF_END)
		return st;
	taf_str_printf(&text, p->run->json ? "{\"equal\":false,\"arrays\":[%llu,%llu]}" :
	    "arrays %llu and %llu", (unsigned long long)p->in[0].number,
	    (unsigned long long)p->in[1].number);
	st = print(p, &text, false, e);
	taf_str_free(&text);
	return st;
}

static enum taf_status
run_all(struct pair *p, struct taf_err *e)
{
	enum taf_status st = advance(p, e);

	if (st == TAF_OK && !p->ended[0] && !p->ended[1])
		p->several = taf_arrays_more(&p->in[0]) != TAF_NEXT_NO ||
		    taf_arrays_more(&p->in[1]) != TAF_NEXT_NO;
	while (st == TAF_OK && !p->ended[0] && !p->ended[1]) {
		st = compare(p, e);
		if (st == TAF_OK)
			st = advance(p, e);
	}
	return st == TAF_OK && p->ended[0] != p->ended[1] ? count(p, e) : st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { 0 };
	struct pair p = { .run = run, .want = &want };
	int k;

	cmd_options(run, &want);
	want.within.by_absolute = cmd_has(run, ABSOLUTE);
	want.within.by_relative = cmd_has(run, RELATIVE);
	want.within.by_ulp = cmd_has(run, ULP);
	cmd_one_input(run, NULL, 0);
	for (k = 0; k < 2; k++) {
		p.in[k] = cmd_arrays_of(run);
		p.in[k].files = &run->files[k];
		p.in[k].nfiles = 1;
		p.in[k].late = !want.header;
	}
	if (cmd_out(run) != NULL && run_all(&p, &run->err) != TAF_OK)
		cmd_report(run, NULL);
	taf_arrays_close(&p.in[0]);
	taf_arrays_close(&p.in[1]);
	return cmd_end(run);
}
