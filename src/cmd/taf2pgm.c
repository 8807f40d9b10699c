/* SPDX-License-Identifier: ISC */
/* taf2pgm - arrays as images of netpbm: gray, coloured, or with transparency. */
/* link: m */
#include <string.h>

#include "base/num.h"
#include "cli/cmd.h"
#include "format/image.h"

enum { GAMMA = 256, PERCENTILE, RANGE, TRANSPOSE };

static const char one_range[] = "--range and --percentile: one of them, once";

struct intent {
	struct taf_image_drawing how;
	struct taf_dropped dropped;
};

static const struct cmd_option options[] = {
	{ 't', "type", "uint8|uint16", "8 or 16 bits a number", OWN },
	{ GAMMA, "gamma", "G", "values go by the power of 1/G", SET(REAL, how.gamma),
	    ABOVE_0, .wrong = "not a number above 0" },
	{ PERCENTILE, "percentile", "P,Q", "black and white, as percent of all values",
	    OWN, .one = one_range },
	{ RANGE, "range", "LO:HI", "the values of black and white", OWN,
	    .one = one_range },
	{ TRANSPOSE, "transpose", NULL,
	    "dimension 1 is the rows, dimension 2 the columns",
	    SET(FLAG, how.transpose) },
	{ 0 },
};

static const struct cmd self = {
	"taf2pgm", "convert TAF to images of netpbm",
	"[-t uint8|uint16] [--range LO:HI|--percentile P,Q] [--gamma G]\n"
	"       [--transpose] [-J N] [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_FILE | CMD_BINARY | CMD_PICK | CMD_JOBS | CMD_COMPUTES,
};

static enum taf_status
check(const void *ctx, const struct taf_array *a, struct taf_err *e)
{
	const struct intent *want = ctx;
	struct taf_pnm_form form;

	return taf_image_form(&want->how, a, &form, e);
}

static enum taf_status
convert(struct cmd_run *run, struct taf_arrays *all, void *ctx, struct taf_err *e)
{
	struct intent *want = ctx;

	return taf_image_export(&run->service, &want->how, all->r, &all->a,
	    run->out, &want->dropped, e);
}

static void
remark(struct cmd_run *run, void *ctx)
{
	const struct intent *want = ctx;

	taf_dropped_remark(&run->service, &want->dropped, "an image of netpbm", NULL);
}

/* Two finite numbers with this sign between them. */
static bool
parse_pair(const char *arg, char between, double *from, double *to)
{
	const char *at = strchr(arg, between);

	return at != NULL && taf_parse_f64(arg, (size_t)(at - arg), from) &&
	    taf_parse_f64(at + 1, strlen(at + 1), to) && taf_is_finite(*from) &&
	    taf_is_finite(*to) && !taf_same_bits(*from, *to);
}

static void
set_range(struct cmd_run *run, int c, const char *arg, struct taf_image_drawing *how)
{
	how->range = c == RANGE ? TAF_IMAGE_GIVEN : TAF_IMAGE_PERCENTILES;
	if (c == RANGE && !parse_pair(arg, ':', &how->from, &how->to))
		cmd_usage(run, "--range %s: not two different numbers LO:HI", arg);
	if (c == RANGE)
		return;
	if (!parse_pair(arg, ',', &how->from, &how->to) || how->from < 0 ||
	    how->from > 100 || how->to < 0 || how->to > 100)
		cmd_usage(run,
		    "--percentile %s: not two different numbers P,Q of 0 to 100", arg);
	how->from /= 100;
	how->to /= 100;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .how = { .gamma = 1 } };
	enum taf_type type;
	const char *arg;
	int c;

	while ((c = cmd_option(run, &want, &arg)) != 0)
		if (c == 't') {
			type = cmd_type(run, arg);
			if (type != TAF_UINT8 && type != TAF_UINT16)
				cmd_value(run, "%s: not uint8 or uint16", arg);
			want.how.maxval = type == TAF_UINT8 ? 255 : TAF_PNM_MAX;
		} else {
			set_range(run, c, arg, &want.how);
		}
	return cmd_export(run, check, convert, remark, &want);
}
