/* SPDX-License-Identifier: ISC */
/* tafreplace - overwrite an array, or a region of it, in place. */
#include "cli/cmd.h"
#include "io/where.h"
#include "op/move/replace.h"
#include "stream/edit_private.h"
#include "stream/values_private.h"

enum { ALL = 256, CLIP, VALUE, WITH };

struct intent {
	struct taf_bounds bounds;
	const char *with;
	bool one, clip, all;
	struct taf_value value;	/* the one */
};

static const struct cmd_option options[] = {
	{ 'g', "grid", "DIM=LO:HI", "the region, by grid values of a dimension",
	    SET(BOUNDS, bounds) },
	{ 'x', "index", "DIM=LO:HI[:STEP]", "the region, by indices of a dimension",
	    SET(BOUNDS, bounds) },
	{ ALL, "all", NULL, "all elements, where no region is said", SET(FLAG, all) },
	{ CLIP, "clip", NULL, "store what does not fit as the nearest that does",
	    SET(FLAG, clip) },
	{ VALUE, "value", "V", "one value for all elements", OWN },
	{ WITH, "with", "NEW", "the array that is put there; - is standard input",
	    SET(TEXT, with) },
	{ 0 },
};

static const struct cmd self = {
	"tafreplace", "overwrite elements in place",
	"-i [-x DIM=LO:HI[:STEP]] [-g DIM=LO:HI] [--all] [--clip] [-N K] "
	"--with NEW|--value V\n"
	"       file",
	options, CMD_IN_PLACE | CMD_PICK | CMD_ONE | CMD_OPERANDS | CMD_TAF_FILES |
	    CMD_UNPLANNED,
};

struct plan {
	struct taf_region region;
	struct taf_recode how;
};

/* The region of a file, and how the new values become elements of it. */
static enum taf_status
resolve(const struct intent *want, const struct taf_array *new, const struct taf_array *a,
    struct plan *plan, struct taf_err *e)
{
	if (taf_bounds_resolve(&want->bounds, a, &plan->region, e) != TAF_OK)
		return e->code;
	if (taf_type_is_pair(a->type))
		return taf_fail(e, TAF_EDATA,
		    "complex elements are not replaced in place");
	if (!want->one && taf_replace_check(&plan->region, new, e) != TAF_OK) {
		taf_err_name(e, want->with);
		return e->code;
	}
	return taf_values_plan_as(&plan->how, new, a, want->clip, e);
}

/* What new elements have lost, or the one that is put n times. */
static void
remark(struct cmd_run *run, struct taf_convert_count lost, bool one, uint64_t n,
    enum taf_type type)
{
	if (one) {
		lost.clipped *= n;
		lost.rounded *= n;
	}
	taf_remark_lost(&run->service, &lost, n, type);
}

static enum taf_status
move(struct cmd_run *run, const struct intent *want, const struct plan *plan,
    struct taf_arrays *new, struct taf_edit *ed, struct taf_err *e)
{
	struct taf_replacement by = { .one = want->one };
	enum taf_status st;

	st = taf_values_open(&by.values, new->r, &new->a, NULL, &plan->how, e);
	if (st == TAF_OK)
		st = taf_replace(ed, &plan->region, &by, e);
	/* of the file nothing but its header is looked at */
	if (st == TAF_EDATA && !want->one)
		taf_err_name(e, want->with);
	/* of a pipe it is known only now */
	if (st == TAF_OK && !want->one)
		st = taf_arrays_last(new, e);
	if (st == TAF_OK)
		st = taf_edit_done(ed, e);
	if (st == TAF_OK) {
		struct taf_convert_count lost = *taf_values_count(by.values);

		/* as text it was rounded already */
		lost.rounded |= want->one && want->value.fraction && lost.clipped == 0 &&
		    want->value.type != TAF_FLT64;
		remark(run, lost, want->one, taf_region_count(&plan->region),
		    plan->how.to);
	}
	taf_values_close(by.values);
	return st;
}

static enum taf_status
open_new(const struct intent *want, struct taf_arrays *new, struct taf_err *e)
{
	if (want->one)
		return taf_value_open(&want->value, &new->a, &new->r, e);
	if (taf_arrays_next(new, e) == TAF_OK)
		return TAF_OK;
	taf_err_name(e, want->with);
	return e->code;
}

static enum taf_status
replace(struct cmd_run *run, struct intent *want, struct taf_err *e)
{
	struct taf_arrays new = cmd_arrays(run, &want->with, 1);
	struct taf_edit *ed = NULL;
	struct plan plan;
	enum taf_status st;

	st = taf_edit_open_from(&ed, run->files[0], &want->with, want->with != NULL, e);
	if (st == TAF_OK)
		cmd_say_array(run, run->files[0], taf_edit_array(ed));
	if (st == TAF_OK && want->one && taf_type_is_int(taf_edit_array(ed)->type) &&
	    !taf_array_mapped(taf_edit_array(ed)))
		taf_value_round(&want->value);
	if (st == TAF_OK)
		st = open_new(want, &new, e);
	if (st == TAF_OK)
		st = taf_words_settle(&run->words, taf_edit_array(ed), e);
	if (st == TAF_OK)
		st = resolve(want, &new.a, taf_edit_array(ed), &plan, e);
	if (st == TAF_OK)
		st = move(run, want, &plan, &new, ed, e);
	taf_err_name(e, run->files[0]);
	taf_edit_close(ed);
	taf_arrays_close(&new);
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want;
	const char *arg;

	while (cmd_option(run, &want, &arg) != 0) {
		want.one = true;
		if (!taf_value_parse(&want.value, arg))
			cmd_value(run, "%s: not a number", arg);
	}
	if (!run->in_place)
		cmd_usage(run, "it changes a file in place: say -i and its name");
	if (want.with == NULL ? !want.one || run->pick != 0 : want.one)
		cmd_usage(run, "either --with NEW, of which -N chooses, or --value V");
	if (want.all ? want.bounds.most > 0 : want.one && want.bounds.most == 0)
		cmd_usage(run, want.all ? "either --all or a region" :
		    "--value V without -x or -g overwrites all elements: say --all");
	if (want.with != NULL && taf_same_file(want.with, run->files[0]))
		cmd_usage(run, "%s replaces itself", run->files[0]);
	if (replace(run, &want, &run->err) != TAF_OK)
		cmd_report(run, NULL);
	return cmd_end(run);
}
