/* SPDX-License-Identifier: ISC */
/* tafcast - arrays of another element type; floats can be stored as scaled integers. */
#include "array/type.h"
#include "cli/cmd.h"
#include "op/number/cast.h"
#include "stream/values.h"

enum { CLIP = 256, SCALE, UNMAP };

struct intent {
	bool typed, clip, scale, unmap;
	enum taf_type type;
};

static const struct cmd_option options[] = {
	{ 't', "type", "TYPE", "element type of the result", SET(ANY_TYPE, type) },
	{ CLIP, "clip", NULL, "store what does not fit as the nearest that does",
	    SET(FLAG, clip) },
	{ SCALE, "scale", NULL,
	    "store floats as integers over their range, with a mapping",
	    SET(FLAG, scale) },
	{ UNMAP, "unmap", NULL, "drop the mapping and keep the stored numbers",
	    SET(FLAG, unmap) },
	{ 0 },
};

static const struct cmd self = {
	"tafcast", "convert arrays to another element type",
	"-t TYPE [--clip] [--scale] [--unmap] [-J N] [-m SIZE] [-N K] [-o FILE]\n"
	"       [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS | CMD_VALUES,
};

struct plan {
	struct taf_array in;	/* what comes, as it is taken; it owns nothing */
	bool scaled;
};

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;
	struct plan *p = plan;

	p->in = *in;
	if (want->unmap) {
		taf_array_unmap(&p->in);
		taf_array_unmap(out);
	}
	p->scaled = want->scale && taf_scale_applies(&p->in, want->type);
	/* the rest of it follows from the elements (look) */
	if (p->scaled) {
		out->type = want->type;
		return TAF_OK;
	}
	if (want->typed && !want->scale)
		out->type = taf_cast_from(in, want->type);
	return taf_values_shape(out, want->typed ? want->type : in->type, false, e);
}

static enum taf_status
look(const struct taf_move *m, struct taf_array *out, struct taf_err *e)
{
	const struct plan *p = m->plan;

	return !p->scaled ? TAF_OK : taf_scale_plan(m->r, &p->in, out,
	    taf_threads(m->service), e);
}

static enum taf_status
move(const struct taf_move *m, struct taf_err *e)
{
	const struct intent *want = m->intent;
	const struct plan *p = m->plan;
	const struct taf_cast cast = { m->service, m->r, &p->in, m->out, m->w,
	    want->clip, p->scaled };

	return taf_cast(&cast, e);
}

int
main(int argc, char **argv)
{
	static struct plan plan;
	static const struct cmd_filter cast =
	    { .resolve = resolve, .look = look, .move = move, .plan = &plan };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { 0 };

	cmd_options(run, &want);
	want.typed = cmd_has(run, 't');
	if (!want.typed && !want.unmap)
		cmd_missing(run, 't');
	if (want.scale && (!want.typed || !taf_type_is_int(want.type)))
		cmd_usage(run, "--scale stores integers: say -t and a type of them");
	return cmd_filter(run, &cast, &want);
}
