/* taf2npy - an array as numpy.save writes it. */
#include "cli/cmd.h"
#include "codec/npy.h"
#include "format/export.h"
#include "kernel/number/half.h"

enum { C_ORDER = 256, REVERSE };

struct intent {
	bool raw, c_order, reverse;
	bool done;		/* an array is written */
};

static const struct cmd_option options[] = {
	{ 'r', "raw", NULL, "stored elements, no mapping", SET(FLAG, raw) },
	{ C_ORDER, "c-order", NULL, "elements in the order of C, not of Fortran",
	    SET(FLAG, c_order) },
	{ REVERSE, "reverse", NULL, "keep the order of bytes, reverse the dimensions",
	    SET(FLAG, reverse) },
	{ 0 },
};

static const struct cmd self = {
	"taf2npy", "convert TAF to NumPy .npy",
	"[-r] [--c-order] [--reverse] [-J N] [-m SIZE] [-N K] [-o FILE] [file]",
	options, CMD_FILE | CMD_BINARY | CMD_ONE | CMD_PICK | CMD_JOBS,
};

static bool
is_bool(const void *p, size_t n)
{
	const unsigned char *x = p;
	unsigned seen = 0;
	size_t i;

	for (i = 0; i < n; i++)
		seen |= x[i];
	return seen <= 1;
}

/* What the values were in NumPy they become again, if they still are; else *not is it. */
static enum taf_status
as_before(struct taf_reader *r, struct taf_array *a, struct taf_ndarray *nd,
    const char **not, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	if (nd->type == TAF_FLT32 && taf_export_use(a, "npy/type", "float16")) {
		st = taf_export_fits(r, a, taf_half_holds, &nd->half, e);
		*not = nd->half ? NULL :
		    "not all values are float16: they become float32";
	} else if (nd->type == TAF_UINT8 && taf_export_use(a, "npy/type", "bool")) {
		st = taf_export_fits(r, a, is_bool, &nd->logical, e);
		*not = nd->logical ? NULL : "not all values are bool: they become uint8";
	}
	return st;
}

/* How a is described; *not as above. */
static enum taf_status
describe(const struct intent *want, struct taf_reader *r, struct taf_array *a,
    struct taf_ndarray *nd, const char **not, struct taf_err *e)
{
	*not = NULL;
	if (a->ndim == 1 && a->dim[0].n == 1 && taf_export_use(a, "npy/ndim", "0"))
		nd->ndim = 0;
	return want->raw ? TAF_OK : as_before(r, a, nd, not, e);
}

static enum taf_status
convert(struct cmd_run *run, struct taf_arrays *all, void *ctx, struct taf_err *e)
{
	struct taf_dropped dropped = { 0 };
	struct taf_buf header = { 0 };
	unsigned order[TAF_MAX_DIM];
	struct taf_export to = { .out = run->out, .order = order };
	struct intent *want = ctx;
	struct taf_array *a = &all->a;
	struct taf_ndarray nd;
	enum taf_status st;
	const char *not;

	if (taf_arrays_more(all) == TAF_NEXT_YES || want->done)
		return taf_fail(e, TAF_EDATA,
		    "several arrays: a .npy file holds one (use -N K)");
	want->done = true;
	taf_ndarray_export(a, taf_export_type(a, want->raw), want->c_order, want->reverse,
	    &nd, order);
	st = describe(want, all->r, a, &nd, &not, e);
	if (st == TAF_OK)
		st = taf_npy_format(&nd, &header, e);
	if (st == TAF_OK)
		st = taf_out_write(run->out, header.data, header.len, e);
	to.recode = nd.half ? TAF_CHANGE_NARROW : taf_export_recode(a, want->raw);
	if (st == TAF_OK)
		st = taf_export_elements(&run->service, &to, all->r, a, e);
	taf_buf_free(&header);
	if (st != TAF_OK)
		return st;
	taf_dropped_note(&dropped, a);
	taf_dropped_remark(&run->service, &dropped, ".npy", not);
	return TAF_OK;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { 0 };

	cmd_options(run, &want);
	return cmd_export(run, NULL, convert, NULL, &want);
}
