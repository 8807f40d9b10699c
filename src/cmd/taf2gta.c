/* SPDX-License-Identifier: ISC */
/* taf2gta - arrays as Generic Tagged Arrays. */
/* link: zlib bzip2 lzma */
#include "base/str.h"
#include "cli/cmd.h"
#include "codec/gta.h"
#include "format/export.h"

struct intent {
	bool raw;
	/* what GTA has no place for, of all arrays */
	bool comment, code, mapping;
	struct taf_gta_lost lost;
};

static const struct cmd_option options[] = {
	{ 'r', "raw", NULL, "stored elements, no mapping", SET(FLAG, raw) },
	{ 0 },
};

static const struct cmd self = {
	"taf2gta", "convert TAF to Generic Tagged Arrays",
	"[-r] [-J N] [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_FILE | CMD_BINARY | CMD_PICK | CMD_JOBS,
};

/* The header of what a becomes. */
static enum taf_status
format(const struct intent *want, const struct taf_array *a, struct taf_buf *header,
    struct taf_gta_lost *lost, struct taf_err *e)
{
	struct taf_array values = { 0 };
	enum taf_status st = taf_array_copy(&values, a, e);

	values.type = taf_export_type(a, want->raw);
	if (st == TAF_OK)
		st = taf_gta_format(&values, header, lost, e);
	taf_array_fini(&values);
	return st;
}

static enum taf_status
check(const void *ctx, const struct taf_array *a, struct taf_err *e)
{
	struct taf_buf header = { 0 };
	struct taf_gta_lost lost;
	enum taf_status st = format(ctx, a, &header, &lost, e);

	taf_buf_free(&header);
	return st;
}

static void
remark(struct cmd_run *run, void *ctx)
{
	const struct intent *want = ctx;
	struct taf_str text = { .err = &run->err };

	taf_str_puts(&text, want->comment ? ", the comment" : "");
	taf_str_puts(&text, want->mapping ? ", the mapping" : "");
	taf_str_puts(&text, want->code ? ", the type code" : "");
	if (want->lost.grids > 0)
		taf_str_printf(&text, ", the grid of %zu dimension%s", want->lost.grids,
		    want->lost.grids > 1 ? "s" : "");
	if (want->lost.attributes > 0)
		taf_str_printf(&text, ", %zu attribute%s", want->lost.attributes,
		    want->lost.attributes > 1 ? "s" : "");
	if (text.st == TAF_OK && text.buf.len > 0)
		cmd_remark(run, "dropped, as GTA has no place for it: %s",
		    text.buf.data + 2);
	taf_str_free(&text);
}

static enum taf_status
convert(struct cmd_run *run, struct taf_arrays *all, void *ctx, struct taf_err *e)
{
	struct intent *want = ctx;
	const struct taf_array *a = &all->a;
	const struct taf_export to = { .out = run->out,
	    .recode = taf_export_recode(a, want->raw) };
	struct taf_buf header = { 0 };
	enum taf_status st;
	struct taf_gta_lost lost;

	st = format(want, a, &header, &lost, e);
	if (st == TAF_OK)
		st = taf_out_write(run->out, header.data, header.len, e);
	if (st == TAF_OK)
		st = taf_export_elements(&run->service, &to, all->r, a, e);
	taf_buf_free(&header);
	if (st != TAF_OK)
		return st;
	want->comment = want->comment || a->comment.len > 0;
	want->code = want->code || a->code != TAF_CODE_GENERIC;
	want->mapping = want->mapping || (want->raw && taf_array_mapped(a));
	want->lost.attributes += lost.attributes;
	want->lost.grids += lost.grids;
	return TAF_OK;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { 0 };

	cmd_options(run, &want);
	return cmd_export(run, check, convert, remark, &want);
}
