/* SPDX-License-Identifier: ISC */
/* taf2raw - the elements alone, little-endian unless told otherwise. */
#include "base/need.h"
#include "cli/cmd.h"
#include "kernel/number/convert_private.h"
#include "stream/values.h"

enum {
	OPT_BIG_ENDIAN = 256,
	OPT_CLIP
};

struct intent {
	enum taf_type type;
	bool typed, raw, big, clip;
};

static const struct cmd_option options[] = {
	{ 'r', "raw", NULL, "elements as they are stored, no mapping", SET(FLAG, raw) },
	{ 't', "type", "TYPE", "element type, default that of the values",
	    SET(TYPE, type) },
	{ OPT_BIG_ENDIAN, "big-endian", NULL, "the most significant byte first",
	    SET(FLAG, big) },
	{ OPT_CLIP, "clip", NULL, "what does not fit becomes the nearest that does",
	    SET(FLAG, clip) },
	{ 0 },
};

static const struct cmd self = {
	"taf2raw", "write the elements of arrays as raw bytes",
	"[-t TYPE] [-r] [--big-endian] [--clip] [-N K] [-o FILE] [file ...]",
	options, CMD_FILE | CMD_BINARY | CMD_PICK,
};

static enum taf_type
wanted(const struct intent *want, const struct taf_array *a)
{
	return want->typed ? want->type : taf_values_type(a, want->raw);
}

static enum taf_status
plan(const struct intent *want, const struct taf_array *a, struct taf_recode *how,
    struct taf_err *e)
{
	return taf_values_plan(how, a, wanted(want, a), want->raw, want->clip, e);
}

static enum taf_status
check(const void *ctx, const struct taf_array *a, struct taf_err *e)
{
	struct taf_recode how;

	return plan(ctx, a, &how, e);
}

/* n values at *p, which are lent, are swapped in b, and *p is where they are then. */
static enum taf_status
swapped(struct taf_buf *b, enum taf_type type, const void **p, size_t n,
    struct taf_err *e)
{
	b->len = 0;
	if (taf_buf_put(b, *p, n * taf_type_size(type), e) != TAF_OK)
		return e->code;
	taf_swap_elements(b->data, type, n);
	*p = b->data;
	return TAF_OK;
}

static enum taf_status
export(struct cmd_run *run, struct taf_arrays *all, void *ctx, struct taf_err *e)
{
	const struct intent *want = ctx;
	const struct taf_array *a = &all->a;
	struct taf_reader *r = all->r;
	const enum taf_type type = wanted(want, a);
	const bool swap = taf_swap_needed(type, want->big);
	const uint64_t total = taf_array_count(a) * taf_type_size(type);
	struct taf_values *v = NULL;
	struct taf_recode how;
	struct taf_buf b = { 0 };
	enum taf_status st = plan(want, a, &how, e);

	taf_need_output(total);
	taf_watch(&run->service, NULL, run->out, total);
	if (st == TAF_OK && !swap && taf_recode_is_copy(&how))
		st = taf_reader_copy(r, run->out, taf_reader_left(r), e);
	else if (st == TAF_OK)
		st = taf_values_open(&v, r, a, NULL, &how, e);
	while (st == TAF_OK && v != NULL) {
		const void *p;
		size_t n;

		st = taf_values_read(v, &p, &n, e);
		if (st != TAF_OK || n == 0)
			break;
		if (swap)
			st = swapped(&b, type, &p, n, e);
		if (st == TAF_OK)
			st = taf_out_write(run->out, p, n * taf_type_size(type), e);
	}
	taf_watch_end(&run->service);
	if (st == TAF_OK && v != NULL)
		taf_remark_lost(&run->service, taf_values_count(v), taf_array_count(a),
		    type);
	if (st == TAF_OK && how.from_mapped)
		cmd_remark_missing(run, a);
	taf_values_close(v);
	taf_buf_free(&b);
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want;

	cmd_options(run, &want);
	want.typed = cmd_has(run, 't');
	run->late = true;
	return cmd_export(run, check, export, NULL, &want);
}
