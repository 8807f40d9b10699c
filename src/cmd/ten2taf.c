/* SPDX-License-Identifier: ISC */
/* ten2taf - the tensors of TenBin files, and of tar archives of them, as TAF or RSF. */
/* link: archive */
#include "cli/cmd.h"
#include "cli/crash.h"
#include "codec/ten.h"
#include "format/shard.h"

enum { REVERSE = 256, MEMBER };

struct intent {
	struct taf_shard shard;
};

static const struct cmd_option options[] = {
	{ MEMBER, "member", "GLOB", "files of a tar archive (*.ten)",
	    SET(TEXT, shard.glob) },
	{ REVERSE, "reverse", NULL, "keep the order of bytes, reverse the dimensions",
	    SET(FLAG, shard.format.reverse) },
	{ 0 },
};

static const struct cmd self = {
	"ten2taf", "convert TenBin, or tar archives of it, to TAF",
	"[--member GLOB] [--reverse] [-J N] [-m SIZE] [-N K] [-o FILE]\n"
	"       [file ...]",
	options, CMD_STREAM | CMD_TO_TAF | CMD_PICK | CMD_JOBS,
};

static enum taf_status
next(struct taf_in *in, struct taf_row_major_array *a, struct taf_err *e)
{
	struct taf_ten t;
	enum taf_status st = taf_ten_read(in, &t, e);

	if (st != TAF_OK)
		return st;
	a->nd = t.nd;
	a->bytes = t.bytes;
	a->type = t.nd.half ? "f2" : NULL;
	a->name.len = 0;
	return taf_ten_name_text(t.name, &a->name, e);
}

static enum taf_status
end(struct taf_in *in, const struct taf_row_major_array *a, struct taf_err *e)
{
	return taf_ten_pad(in, a->bytes, e);
}

static void
passed(void *ctx, const char *archive, uint64_t others)
{
	cmd_say(ctx, "%s: %llu other members passed over", archive,
	    (unsigned long long)others);
}

int
main(int argc, char **argv)
{
	struct intent want = { {
		.format = { .next = next, .end = end, .name_key = "ten/name",
		    .type_key = "ten/type", .part_key = "ten/member" },
		.passed = passed,
	} };
	struct cmd_run *run = cmd_begin(&self, argc, argv);

	cmd_options(run, &want);
	want.shard.ctx = run;
	cmd_guard("tar archives", true);
	return cmd_import(run, taf_shard_check, taf_shard_import, &want.shard);
}
