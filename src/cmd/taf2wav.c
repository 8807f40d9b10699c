/* SPDX-License-Identifier: ISC */
/* taf2wav - an array as sound in a WAVE file. */
#include "cli/cmd.h"
#include "format/export.h"
#include "format/wav_export.h"

enum { BITS = 256 };

struct intent {
	unsigned bits;
	bool done;		/* an array is written */
};

static const struct cmd_option options[] = {
	{ BITS, "bits", "24", "write int32 as samples of 24 bits", SET(NUMBER, bits),
	    .least = 24, .most = 24, .wrong = "not 24" },
	{ 0 },
};

static const struct cmd self = {
	"taf2wav", "write an array as sound in a WAVE file",
	"[--bits 24] [-J N] [-m SIZE] [-N K] [-o FILE] [file]",
	options, CMD_FILE | CMD_BINARY | CMD_ONE | CMD_PICK | CMD_JOBS,
};

static enum taf_status
check(const void *ctx, const struct taf_array *a, struct taf_err *e)
{
	const struct intent *want = ctx;
	struct taf_wav_form form;

	return taf_wav_form_of(a, want->bits, &form, e);
}

/* What the file says again is not dropped: the rate, and that it is time. */
static enum taf_status
drop(struct taf_array *a, struct taf_dropped *dropped, struct taf_err *e)
{
	unsigned k;

	for (k = 0; k < a->ndim; k++) {
		if (taf_attr_set(a, "unit", TAF_OF_DIM, k + 1, NULL, e) != TAF_OK ||
		    taf_attr_set(a, "label", TAF_OF_DIM, k + 1, NULL, e) != TAF_OK)
			return e->code;
		a->dim[k].step = 1;
	}
	taf_dropped_note(dropped, a);
	return TAF_OK;
}

static enum taf_status
convert(struct cmd_run *run, struct taf_arrays *all, void *ctx, struct taf_err *e)
{
	struct taf_dropped dropped = { 0 };
	struct intent *want = ctx;

	if (taf_arrays_more(all) == TAF_NEXT_YES || want->done)
		return taf_fail(e, TAF_EDATA,
		    "several arrays: a WAVE file holds one (use -N K)");
	want->done = true;
	if (taf_wav_export(&run->service, all->r, &all->a, want->bits, run->out, e) !=
	    TAF_OK || drop(&all->a, &dropped, e) != TAF_OK)
		return e->code;
	taf_dropped_remark(&run->service, &dropped, "a WAVE file", NULL);
	return TAF_OK;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .bits = 0 };

	cmd_options(run, &want);
	return cmd_export(run, check, convert, NULL, &want);
}
