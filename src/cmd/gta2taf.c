/* SPDX-License-Identifier: ISC */
/* gta2taf - Generic Tagged Arrays to TAF; components of mixed types become arrays. */
/* link: zlib bzip2 lzma */
#include "cli/cmd.h"
#include "codec/gta.h"
#include "format/gta_elements.h"

enum {
	COMPONENT = 256,
	PARTS_MAX = 10000	/* arrays that one of mixed types becomes */
};

struct intent {
	size_t component;	/* 0 for all */
	uint64_t looked;	/* arrays of the format that were looked at */
	uint64_t ahead;		/* what of these is still to come */
	uint64_t made, empty;	/* arrays written, left out for want of elements */
};

static const struct cmd_option options[] = {
	{ COMPONENT, "component", "K", "the K-th component alone", SET(NUMBER, component),
	    FROM_1, .wrong = "not a number of 1 or more" },
	{ 0 },
};

static const struct cmd self = {
	"gta2taf", "convert Generic Tagged Arrays to TAF",
	"[--component K] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_TO_TAF,
};

/* How many arrays the present one becomes. */
static size_t
parts(const struct intent *want, const struct taf_gta *g)
{
	if (g->count == 0)
		return 0;
	return want->component != 0 || taf_gta_uniform(g) ? 1 : g->ncomponents;
}

/* Part i of n; a is the one before it, if there is one. */
static enum taf_status
part_array(const struct intent *want, const struct taf_gta *g, size_t i, size_t n,
    struct taf_array *a, struct taf_err *e)
{
	if (i > 0)
		return taf_gta_part(g, i + 1, a, e);
	taf_array_fini(a);
	return taf_gta_array(g, n > 1 ? 1 : want->component, a, e);
}

/* Refuse what cannot become arrays. */
static enum taf_status
check_array(const struct intent *want, const struct taf_gta *g, struct taf_err *e)
{
	size_t n = parts(want, g), i;
	struct taf_array a = { 0 };
	enum taf_status st = TAF_OK;

	if (n > PARTS_MAX)
		return taf_fail(e, TAF_EDATA,
		    "%zu components of mixed types, more than %d", n, (int)PARTS_MAX);
	for (i = 0; i < n && st == TAF_OK; i++)
		st = part_array(want, g, i, n, &a, e);
	taf_array_fini(&a);
	return st;
}

/* Look at an operand before the first byte goes out. */
static enum taf_status
check(void *ctx, const struct taf_import *im, struct taf_in *in, struct taf_err *e)
{
	struct intent *want = ctx;
	enum taf_status st = TAF_OK;
	struct taf_gta g;

	taf_gta_init(&g, in);
	while (st == TAF_OK && (im->pick == 0 || want->looked < im->pick)) {
		st = taf_gta_next(&g, e);
		if (st != TAF_OK || (++want->looked != im->pick && im->pick != 0))
			continue;
		st = check_array(want, &g, e);
		want->ahead += parts(want, &g);
	}
	taf_gta_fini(&g);
	return st == TAF_END ? TAF_OK : st;
}

/* Does an array follow the present one?  Others may be left out, for want of elements. */
static enum taf_next
follows(const struct taf_import *im, const struct intent *want)
{
	if (want->ahead > 0)
		return TAF_NEXT_YES;
	return im->done || (im->last && im->looked) ? TAF_NEXT_NO : TAF_NEXT_UNKNOWN;
}

static enum taf_status
convert(struct taf_import *im, struct intent *want, struct taf_gta *g, struct taf_err *e)
{
	size_t n = parts(want, g), i;
	struct taf_array a = { 0 };
	struct taf_in *cut = NULL;
	enum taf_status st = check_array(want, g, e);

	if (n == 0)
		want->empty++;
	if (n > 0 && st == TAF_OK && taf_gta_is_cut(g, want->component))
		st = taf_gta_cut(g, &cut, e);
	for (i = 0; i < n && st == TAF_OK; i++) {
		if (im->looked && want->ahead > 0)
			want->ahead--;
		st = part_array(want, g, i, n, &a, e);
		if (st == TAF_OK)
			st = taf_writer_begin(im->w, &a, i + 1 < n ? TAF_NEXT_YES :
			    follows(im, want), e);
		if (st != TAF_OK)
			break;
		taf_watch(im->service, im->w, NULL, taf_array_bytes(&a));
		st = cut != NULL ? taf_writer_move(im->w, cut, taf_array_count(&a), e) :
		    taf_gta_move(g, want->component, &a, im->w, e);
		st = taf_import_end(im, &a, st, e);
		want->made++;
	}
	taf_in_close(cut);
	taf_array_fini(&a);
	return st;
}

/* What is to be said of all operands. */
static enum taf_status
conclude(const struct taf_import *im, const struct intent *want, struct taf_err *e)
{
	static const char fact[] = "without dimensions or components";

	if (want->made == 0 && want->empty > 0)
		return taf_fail(e, TAF_EDATA, "no elements: %llu arrays %s",
		    (unsigned long long)want->empty, fact);
	if (want->empty > 0)
		taf_remark(im->service, "%llu arrays %s left out",
		    (unsigned long long)want->empty, fact);
	return TAF_OK;
}

/* -N counts arrays of the format, whatever each becomes. */
static enum taf_status
import(void *ctx, struct taf_import *im, struct taf_in **in, struct taf_err *e)
{
	struct intent *want = ctx;
	enum taf_status st = TAF_OK;
	struct taf_gta g;

	taf_gta_init(&g, *in);
	while (st == TAF_OK && !im->done) {
		st = taf_gta_next(&g, e);
		if (st != TAF_OK || (++im->number != im->pick && im->pick != 0))
			continue;
		im->done = im->pick != 0;
		st = convert(im, want, &g, e);
	}
	taf_gta_fini(&g);
	if (st == TAF_END)
		st = TAF_OK;
	if (st == TAF_OK && (im->done || im->last))
		st = conclude(im, want, e);
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { 0 };

	cmd_options(run, &want);
	return cmd_import(run, check, import, &want);
}
