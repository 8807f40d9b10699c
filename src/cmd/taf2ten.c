/* SPDX-License-Identifier: ISC */
/* taf2ten - arrays as the tensors of a TenBin file, or of members of a tar archive. */
/* link: archive */
#include <string.h>

#include "base/half.h"
#include "cli/cmd.h"
#include "cli/crash.h"
#include "codec/ten.h"
#include "format/export.h"
#include "format/members.h"
#include "io/numbered.h"

enum { NAME = 256, REVERSE, TAR, MEMBER };

struct intent {
	bool raw, reverse, named, tar;
	struct taf_members members;
	char name[TAF_TEN_NAME];
	struct taf_dropped dropped;
	bool uint32, complex;	/* there was an array of it, */
	bool wider;		/* or one that is no longer f2 */
};

static const struct cmd_option options[] = {
	{ 'r', "raw", NULL, "stored elements, no mapping", SET(FLAG, raw) },
	{ MEMBER, "member", "PATTERN",
	    "with --tar: names of members without one (%06d.ten)", OWN },
	{ NAME, "name", "NAME", "name of the arrays, 8 characters at most", OWN },
	{ REVERSE, "reverse", NULL, "keep the order of bytes, reverse the dimensions",
	    SET(FLAG, reverse) },
	{ TAR, "tar", NULL, "write a tar archive, a member for each array",
	    SET(FLAG, tar) },
	{ 0 },
};

static const struct cmd self = {
	"taf2ten", "convert TAF to TenBin, or a tar archive of it",
	"[--name NAME] [-r] [--reverse] [--tar [--member PATTERN]] [-J N] [-m SIZE]\n"
	"       [-N K] [-o FILE] [file ...]",
	options, CMD_FILE | CMD_BINARY | CMD_PICK | CMD_JOBS,
};

static const char key[] = "ten/name", member_key[] = "ten/member";

/* How a is described, and the order of its elements. */
static enum taf_status
describe(const struct intent *want, const struct taf_array *a, struct taf_ten *t,
    unsigned order[TAF_MAX_DIM], struct taf_err *e)
{
	const char *name = taf_attr_get(a, key, TAF_OF_ARRAY, 0);

	memcpy(t->name, want->name, sizeof t->name);
	if (!want->named && name != NULL && taf_ten_name_parse(name, t->name, e) !=
	    TAF_OK)
		return e->code;
	taf_ndarray_export(a, taf_export_type(a, want->raw), true, want->reverse, &t->nd,
	    order);
	return TAF_OK;
}

static enum taf_status
check(const void *ctx, const struct taf_array *a, struct taf_err *e)
{
	unsigned char p[TAF_TEN_PREFIX_MAX];
	unsigned order[TAF_MAX_DIM];
	struct taf_ten t;
	enum taf_status st = describe(ctx, a, &t, order, e);
	size_t n;

	return st != TAF_OK ? st : taf_ten_format(&t, p, &n, e);
}

/* What came as f2 goes as f2, if its values still are. */
static enum taf_status
as_before(struct intent *want, struct taf_reader *r, struct taf_array *a,
    struct taf_ndarray *nd, struct taf_err *e)
{
	enum taf_status st;

	if (want->raw || nd->type != TAF_FLT32 || !taf_export_use(a, "ten/type", "f2"))
		return TAF_OK;
	st = taf_export_fits(r, a, taf_half_holds, &nd->half, e);
	want->wider = want->wider || !nd->half;
	return st;
}

static void
remark(struct cmd_run *run, const void *ctx)
{
	static const char u4[] = "uint32 is nothing that tenbin.py itself can read";
	static const char f4[] = "not all values are f2 now: they became f4";
	static const char pairs[] = "complex elements became a last dimension of 2";
	const struct intent *want = ctx;

	taf_dropped_remark(&run->service, &want->dropped, "TenBin", want->uint32 ? u4 :
	    want->complex ? pairs : want->wider ? f4 : NULL);
}

/* Where the next array goes: to a member that it shares with those before, or its own. */
static enum taf_status
find_member(struct intent *want, struct taf_array *a, struct taf_out **out,
    struct taf_err *e)
{
	if (!want->tar)
		return TAF_OK;
	if (taf_members_next(&want->members, *out, taf_attr_get(a, member_key,
	    TAF_OF_ARRAY, 0), e) != TAF_OK)
		return e->code;
	*out = want->members.spool.out;
	return taf_attr_set(a, member_key, TAF_OF_ARRAY, 0, NULL, e);
}

static void
done(struct cmd_run *run, void *ctx)
{
	struct intent *want = ctx;

	if (want->tar && taf_members_end(&want->members, run->out, &run->err) != TAF_OK)
		cmd_report(run, NULL);
	else
		remark(run, want);
}

static enum taf_status
convert(struct cmd_run *run, struct taf_arrays *all, void *ctx, struct taf_err *e)
{
	unsigned char p[TAF_TEN_PREFIX_MAX];
	unsigned order[TAF_MAX_DIM];
	struct intent *want = ctx;
	struct taf_out *out = run->out;
	struct taf_export to = { .order = order };
	struct taf_array *a = &all->a;
	struct taf_ten t;
	size_t n;

	if (find_member(want, a, &out, e) != TAF_OK ||
	    describe(want, a, &t, order, e) != TAF_OK ||
	    as_before(want, all->r, a, &t.nd, e) != TAF_OK ||
	    taf_ten_format(&t, p, &n, e) != TAF_OK ||
	    taf_out_write(out, p, n, e) != TAF_OK)
		return e->code;
	to.out = out;
	to.recode = t.nd.half ? TAF_CHANGE_NARROW : taf_export_recode(a, want->raw);
	if (taf_export_elements(&run->service, &to, all->r, a, e) != TAF_OK ||
	    taf_out_zero(out, taf_ten_padding(t.bytes), e) != TAF_OK ||
	    taf_attr_set(a, key, TAF_OF_ARRAY, 0, NULL, e) != TAF_OK)
		return e->code;
	want->uint32 = want->uint32 || t.nd.type == TAF_UINT32;
	want->complex = want->complex || taf_type_is_pair(t.nd.type);
	taf_dropped_note(&want->dropped, a);
	return TAF_OK;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .members = { .pattern = "%06d.ten" } };
	const char *arg;
	int c, status;

	while ((c = cmd_option(run, &want, &arg)) != 0)
		if (c == MEMBER) {
			want.members.pattern = arg;
			if (!taf_numbered(arg))
				cmd_usage(run,
				    "--member: %s has no place for a number, as %%06d.ten has",
				    arg);
		} else if (taf_ten_name_parse(arg, want.name, &run->err) != TAF_OK) {
			cmd_usage(run, "--name: %s", run->err.text);
		}
	want.named = cmd_has(run, NAME);
	if (cmd_has(run, MEMBER) && !want.tar)
		cmd_usage(run, "--member is for --tar");
	if (want.tar)
		cmd_guard("tar archives", false);
	status = cmd_export(run, check, convert, done, &want);
	taf_members_free(&want.members);
	return status;
}
