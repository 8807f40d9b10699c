/* SPDX-License-Identifier: ISC */
/* taf2rsf - arrays as Madagascar's programs can compute on them. */
#include "cli/cmd.h"
#include "format/datapath.h"
#include "io/numbered.h"
#include "op/number/cast.h"
#include "stream/values.h"

enum { CLIP = 256, DATAPATH };
enum { MADAGASCAR_DIM = 9 };

struct intent {
	bool raw, clip, typed;
	enum taf_type type;
	const char *prefix;	/* of --datapath */
	bool apart;		/* each array has a file of its own */
};

static const struct cmd_option options[] = {
	{ 'r', "raw", NULL, "stored elements, with the keys that keep their meaning",
	    SET(FLAG, raw) },
	{ 't', "type", "TYPE", "element type of the result", SET(TYPE, type) },
	{ CLIP, "clip", NULL, "store what does not fit as the nearest that does",
	    SET(FLAG, clip) },
	{ DATAPATH, "datapath", "[=PREFIX]",
	    "header and binary as Madagascar writes them", SET(TEXT, prefix) },
	{ 0 },
};

static const struct cmd self = {
	"taf2rsf", "convert TAF to RSF for Madagascar",
	"[-t TYPE] [-r] [--clip] [--out=PATH] [--datapath[=PREFIX]] [-J N] [-N K]\n"
	"       [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS,
};

/* Madagascar computes on these alone; all else becomes float. */
static enum taf_type
result_type(const struct intent *want, const struct taf_array *a)
{
	if (want->typed)
		return want->type;
	if (want->raw)
		return a->type;
	if (taf_type_is_pair(a->type))
		return TAF_COMPLEX;
	if (!taf_array_mapped(a) &&
	    (a->type == TAF_FLT32 || a->type == TAF_INT32 || a->type == TAF_UINT8))
		return a->type;
	return TAF_FLT32;
}

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;

	(void)plan;
	return taf_values_shape(out, result_type(want, in), want->raw, e);
}

static enum taf_status
move(const struct taf_move *m, struct taf_err *e)
{
	const struct intent *want = m->intent;
	const struct taf_cast cast = { m->service, m->r, m->in, m->out, m->w,
	    want->clip, false };
	unsigned k;

	/* once, at the second one */
	if (taf_writer_arrays(m->w) == 2 && !want->apart)
		taf_remark(m->service,
		    "several arrays: Madagascar's programs read the first alone");
	for (k = MADAGASCAR_DIM; k < m->out->ndim; k++)
		if (m->out->dim[k].n != 1) {
			taf_remark(m->service,
			    "%u dimensions: Madagascar's programs read %d",
			    m->out->ndim, (int)MADAGASCAR_DIM);
			break;
		}
	return taf_cast(&cast, e);
}

/* A pipe stays packed. */
static void
name_data(struct cmd_run *run, const char *prefix)
{
	static char data[TAF_DATAPATH_MAX];
	const char *header = run->output != NULL ? run->output : cmd_stdout_name();

	if (header == NULL)
		return;
	cmd_check(run, taf_datapath(data, header, run->self->name, prefix, &run->err));
	run->data = data;
}

int
main(int argc, char **argv)
{
	static const struct cmd_filter convert = { .resolve = resolve, .move = move };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { 0 };

	cmd_options(run, &want);
	want.typed = cmd_has(run, 't');
	want.apart = run->output != NULL && taf_numbered(run->output);
	if (want.raw && want.typed)
		cmd_usage(run, "-r keeps the stored type: no -t");
	if (cmd_has(run, DATAPATH) && run->data == NULL)
		name_data(run, want.prefix);
	return cmd_filter(run, &convert, &want);
}
