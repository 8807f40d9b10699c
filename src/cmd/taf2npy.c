/* SPDX-License-Identifier: ISC */
/* taf2npy - an array as numpy.save writes it, or several as numpy.savez does. */
/* link: zlib */
#include "base/half.h"
#include "cli/cmd.h"
#include "codec/npy.h"
#include "format/export.h"
#include "format/npz.h"
#include "io/spool.h"

enum { C_ORDER = 256, NPZ, REVERSE };

struct intent {
	bool raw, c_order, reverse, npz;
	bool done;		/* an array is written */
	struct taf_zip_out zip;	/* with npz */
	struct taf_dropped dropped;
	const char *lost;	/* what an array could not be again */
};

static const struct cmd_option options[] = {
	{ 'r', "raw", NULL, "stored elements, no mapping", SET(FLAG, raw) },
	{ C_ORDER, "c-order", NULL, "elements in the order of C, not of Fortran",
	    SET(FLAG, c_order) },
	{ NPZ, "npz", NULL, "all arrays, as an archive of numpy.savez", SET(FLAG, npz) },
	{ REVERSE, "reverse", NULL, "keep the order of bytes, reverse the dimensions",
	    SET(FLAG, reverse) },
	{ 0 },
};

static const struct cmd self = {
	"taf2npy", "convert TAF to NumPy .npy or .npz",
	"[-r] [--c-order] [--npz] [--reverse] [-J N] [-m SIZE] [-N K] [-o FILE] [file]",
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

/* What the values were in NumPy they become again, if they still are; or else *lost. */
static enum taf_status
as_before(struct taf_reader *r, struct taf_array *a, struct taf_ndarray *nd,
    const char **lost, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	if (nd->type == TAF_FLT32 && taf_export_use(a, "npy/type", "float16")) {
		st = taf_export_fits(r, a, taf_half_holds, &nd->half, e);
		*lost = nd->half ? NULL :
		    "not all values are float16: they become float32";
	} else if (nd->type == TAF_UINT8 && taf_export_use(a, "npy/type", "bool")) {
		st = taf_export_fits(r, a, is_bool, &nd->logical, e);
		*lost = nd->logical ? NULL : "not all values are bool: they become uint8";
	}
	return st;
}

/* How a is described; *lost as above. */
static enum taf_status
describe(const struct intent *want, struct taf_reader *r, struct taf_array *a,
    struct taf_ndarray *nd, const char **lost, struct taf_err *e)
{
	*lost = NULL;
	if (a->ndim == 1 && a->dim[0].n == 1 && taf_export_use(a, "npy/ndim", "0"))
		nd->ndim = 0;
	return want->raw ? TAF_OK : as_before(r, a, nd, lost, e);
}

/* What is written in front of the elements, and these. */
static enum taf_status
write_array(struct cmd_run *run, const struct intent *want, struct taf_arrays *all,
    struct taf_out *out, const char **lost, struct taf_err *e)
{
	struct taf_buf header = { 0 };
	unsigned order[TAF_MAX_DIM];
	struct taf_export to = { .out = out, .order = order };
	struct taf_array *a = &all->a;
	struct taf_ndarray nd;
	enum taf_status st;

	taf_ndarray_export(a, taf_export_type(a, want->raw), want->c_order, want->reverse,
	    &nd, order);
	st = describe(want, all->r, a, &nd, lost, e);
	if (st == TAF_OK)
		st = taf_npy_format(&nd, &header, e);
	if (st == TAF_OK)
		st = taf_out_write(out, header.data, header.len, e);
	to.recode = nd.half ? TAF_CHANGE_NARROW : taf_export_recode(a, want->raw);
	if (st == TAF_OK)
		st = taf_export_elements(&run->service, &to, all->r, a, e);
	taf_buf_free(&header);
	return st;
}

/* The name of the array's member, to be freed; the array has none any more. */
static enum taf_status
name_member(const struct intent *want, struct taf_array *a, struct taf_str *name,
    struct taf_err *e)
{
	const char *is = taf_attr_get(a, TAF_NPZ_NAME_KEY, TAF_OF_ARRAY, 0);

	if (is != NULL && is[0] != '\0')
		taf_str_printf(name, "%s.npy", is);
	else
		taf_str_printf(name, "arr_%llu.npy", (unsigned long long)want->zip.n);
	return name->st != TAF_OK ? name->st :
	    taf_attr_set(a, TAF_NPZ_NAME_KEY, TAF_OF_ARRAY, 0, NULL, e);
}

/* A member of an archive; its check stands in front of it, so it is made before. */
static enum taf_status
put_member(struct cmd_run *run, struct intent *want, struct taf_arrays *all,
    const char **lost, struct taf_err *e)
{
	struct taf_str name = { .err = e };
	struct taf_spool spool = { 0 };
	struct taf_in *in = NULL;
	enum taf_status st;

	want->zip.out = run->out;
	st = name_member(want, &all->a, &name, e);
	if (st == TAF_OK)
		st = taf_spool_begin(&spool, e);
	if (st == TAF_OK)
		st = write_array(run, want, all, spool.out, lost, e);
	st = taf_spool_end(&spool, st, "temporary file", &in, e);
	if (st == TAF_OK)
		st = taf_zip_put(&want->zip, name.buf.data, in, e);
	taf_in_close(in);
	taf_str_free(&name);
	return st;
}

static enum taf_status
convert(struct cmd_run *run, struct taf_arrays *all, void *ctx, struct taf_err *e)
{
	struct intent *want = ctx;
	enum taf_status st;
	const char *lost = NULL;

	if (!want->npz && (taf_arrays_more(all) == TAF_NEXT_YES || want->done))
		return taf_fail(e, TAF_EDATA,
		    "several arrays: a .npy file holds one (use -N K, or --npz)");
	want->done = true;
	st = want->npz ? put_member(run, want, all, &lost, e) :
	    write_array(run, want, all, run->out, &lost, e);
	if (st != TAF_OK)
		return st;
	taf_dropped_note(&want->dropped, &all->a);
	want->lost = lost != NULL ? lost : want->lost;
	return TAF_OK;
}

static void
finish(struct cmd_run *run, void *ctx)
{
	struct intent *want = ctx;

	if (want->npz && taf_zip_finish(&want->zip, &run->err) != TAF_OK)
		cmd_report(run, NULL);
	else
		taf_dropped_remark(&run->service, &want->dropped, want->npz ? ".npz" :
		    ".npy", want->lost);
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .raw = false };
	int status;

	cmd_options(run, &want);
	status = cmd_export(run, NULL, convert, finish, &want);
	taf_zip_out_free(&want.zip);
	return status;
}
