/* tafreplace - overwrite an array, or a region of it, in place. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/endian.h"
#include "cli/cmd.h"
#include "kernel/strided.h"
#include "stream/edit.h"
#include "stream/select.h"
#include "stream/values.h"

enum { ALL = 256, CLIP, VALUE, WITH };

static const struct cmd_option options[] = {
	{ 'g', "grid", "DIM=LO:HI", "the region, by grid values of a dimension" },
	{ 'x', "index", "DIM=LO:HI[:STEP]", "the region, by indices of a dimension" },
	{ ALL, "all", NULL, "all elements, where no region is said" },
	{ CLIP, "clip", NULL, "store what does not fit as the nearest that does" },
	{ VALUE, "value", "V", "one value for all elements" },
	{ WITH, "with", "NEW", "the array that is put there; - is standard input" },
	{ 0, NULL, NULL, NULL },
};

static const struct cmd self = {
	"tafreplace", "overwrite elements in place",
	"-i [-x DIM=LO:HI[:STEP]] [-g DIM=LO:HI] [--all] [--clip] [-N K] --with NEW|--value V\n"
	"       file",
	options, CMD_IN_PLACE | CMD_PICK | CMD_ONE | CMD_OPERANDS,
};

struct intent {
	struct taf_bounds bounds;
	const char *with;
	bool one, clip, all;
	struct taf_value value;	/* the one */
};

/* Lengths other than 1, in order, must be the same. */
static enum taf_status
check_shape(const struct taf_region *r, const struct taf_array *a, struct taf_err *e)
{
	unsigned i = 0, k = 0;

	for (;;) {
		while (i < r->ndim && r->count[i] == 1)
			i++;
		while (k < a->ndim && a->dim[k].n == 1)
			k++;
		if (i == r->ndim && k == a->ndim)
			return TAF_OK;
		if (i == r->ndim || k == a->ndim || r->count[i] != a->dim[k].n)
			break;
		i++;
		k++;
	}
	return taf_fail(e, TAF_EDATA, "the new array has another shape than the region: "
	    "length %llu, not %llu", k < a->ndim ? (unsigned long long)a->dim[k].n : 1ull,
	    i < r->ndim ? (unsigned long long)r->count[i] : 1ull);
}

/* The new array, with its reader; for --value an array of one element. */
static enum taf_status
open_new(const struct intent *want, const struct taf_region *region,
    struct cmd_arrays *new, struct taf_err *e)
{
	enum taf_status st;
	struct taf_in *in;

	if (want->one) {
		taf_array_init(&new->a);
		new->a.type = want->value.type;
		taf_array_add_dim(&new->a, 1, 1, 1);
		st = taf_in_mem(&in, &want->value.as, sizeof want->value.as, e);
		return st != TAF_OK ? st : taf_reader_raw(&new->r, in, &new->a,
		    taf_host_is_big(), e);
	}
	st = cmd_arrays_next(new, e);
	if (st == TAF_OK)
		st = check_shape(region, &new->a, e);
	taf_err_name(e, want->with);
	return st;
}

/* Every byte that will be overwritten goes to the undo file first. */
static enum taf_status
save(struct taf_edit *ed, const struct taf_region *region, struct taf_err *e)
{
	struct taf_select *s = NULL;
	struct taf_box box;
	enum taf_status st;

	st = taf_select_open(&s, NULL, taf_edit_array(ed), region, e);
	while (st == TAF_OK && taf_select_box(s, &box))
		st = taf_edit_save(ed, box.first, box.span, e);
	taf_select_close(s);
	return st != TAF_OK ? st : taf_edit_seal(ed, e);
}

/* Elements to put there, or the only one again and again. */
struct source {
	struct taf_values *v;
	bool one;
	size_t size;
	unsigned char element[sizeof(double)];
	uint64_t done;
};

static enum taf_status
next(struct source *s, unsigned char *to, size_t n, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	size_t i;

	if (!s->one)
		return taf_values_get(s->v, to, n, e);
	if (s->done == 0)
		st = taf_values_get(s->v, s->element, 1, e);
	for (i = 0; i < n && st == TAF_OK; i++)
		memcpy(to + i * s->size, s->element, s->size);
	s->done += n;
	return st;
}

static enum taf_status
overwrite(struct taf_edit *ed, const struct taf_region *region, struct source *from,
    struct taf_err *e)
{
	const struct taf_array *a = taf_edit_array(ed);
	size_t esize = taf_type_size(a->type), bytes;
	unsigned char *old = NULL, *new = NULL;
	ptrdiff_t step[TAF_MAX_DIM];
	struct taf_select *s = NULL;
	struct taf_box box;
	enum taf_status st;
	unsigned k;

	st = taf_select_open(&s, NULL, a, region, e);
	while (st == TAF_OK && taf_select_box(s, &box)) {
		free(old);
		free(new);
		old = taf_alloc(box.span, esize);
		new = taf_alloc(box.total, esize);
		if (old == NULL || new == NULL) {
			st = taf_fail_mem(e);
			break;
		}
		st = next(from, new, box.total, e);
		if (st == TAF_OK && box.total != box.span)
			st = taf_edit_read(ed, old, box.first, box.span, e);
		for (k = 0, bytes = esize; k < box.nd; k++) {
			step[k] = (ptrdiff_t)bytes;
			bytes *= box.count[k];
		}
		if (st == TAF_OK && box.total != box.span)
			taf_strided_copy(old, new, esize, box.nd, box.count, box.step, step);
		if (st == TAF_OK)
			st = taf_edit_overwrite(ed, box.total != box.span ? old : new,
			    box.first, box.span, e);
	}
	taf_select_close(s);
	free(old);
	free(new);
	return st;
}

/* What was lost, each so many times. */
static void
remark(struct cmd_run *run, const struct taf_convert_count *lost, uint64_t times)
{
	if (lost->clipped > 0)
		cmd_remark(run, "%llu values clipped",
		    (unsigned long long)(lost->clipped * times));
	else if (lost->rounded > 0)
		cmd_remark(run, "%llu values rounded to what %s can hold",
		    (unsigned long long)(lost->rounded * times), run->files[0]);
}

/* The region of a file, and the new values for it. */
static enum taf_status
prepare(const struct intent *want, const struct taf_edit *ed, struct taf_region *region,
    struct source *from, struct cmd_arrays *new, struct taf_err *e)
{
	const struct taf_array *a = taf_edit_array(ed);
	struct taf_recode how;
	enum taf_status st;

	if (taf_bounds_resolve(&want->bounds, a, region, e) != TAF_OK)
		return e->code;
	if (taf_type_is_pair(a->type))
		return taf_fail(e, TAF_EDATA, "complex elements are not replaced in place");
	cmd_say_array(new->run, new->run->files[0], a);
	st = open_new(want, region, new, e);
	if (st != TAF_OK)
		return st;
	if (taf_values_plan_as(&how, &new->a, a, want->clip, e) != TAF_OK)
		return e->code;
	from->size = taf_type_size(how.to);
	return taf_values_open(&from->v, new->r, &new->a, NULL, &how, e);
}

static enum taf_status
change(struct taf_edit *ed, const struct taf_region *region, struct source *from,
    struct cmd_arrays *new, struct taf_err *e)
{
	const bool some = taf_array_count(taf_edit_array(ed)) > 0;
	enum taf_status st;

	if (some && (save(ed, region, e) != TAF_OK || overwrite(ed, region, from, e) != TAF_OK))
		return e->code;
	/* of a pipe it is known only now */
	st = from->one ? TAF_OK : cmd_arrays_last(new, e);
	return st == TAF_OK && some ? taf_edit_done(ed, e) : st;
}

static enum taf_status
replace(struct cmd_run *run, const struct intent *want, struct taf_err *e)
{
	struct cmd_arrays new = { .run = run, .files = &want->with, .nfiles = 1,
		.pick = run->pick };
	struct source from = { .one = want->one };
	struct taf_edit *ed = NULL;
	struct taf_region region;
	enum taf_status st;

	st = taf_edit_open(&ed, run->files[0], e);
	if (st == TAF_OK)
		st = prepare(want, ed, &region, &from, &new, e);
	if (st == TAF_OK)
		st = change(ed, &region, &from, &new, e);
	if (st == TAF_OK)
		remark(run, taf_values_count(from.v), want->one ? from.done : 1);
	taf_err_name(e, run->files[0]);
	taf_values_close(from.v);
	taf_edit_close(ed);
	cmd_arrays_close(&new);
	return st;
}

static bool
same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
	    x.st_ino == y.st_ino;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want;
	const char *arg;
	int c;

	while ((c = cmd_option(run, &arg)) != 0)
		switch (c) {
		case ALL:
			want.all = true;
			break;
		case CLIP:
			want.clip = true;
			break;
		case VALUE:
			want.one = true;
			if (!taf_value_parse(&want.value, arg))
				cmd_usage(run, "--value %s: not a number", arg);
			break;
		case WITH:
			want.with = arg;
			break;
		case 'g':
		case 'x':
			cmd_bound(run, c, arg, &want.bounds);
			break;
		}
	if (!run->in_place)
		cmd_usage(run, "it changes a file in place: say -i and its name");
	if (want.with == NULL ? !want.one || run->pick != 0 : want.one)
		cmd_usage(run, "either --with NEW, of which -N chooses, or --value V");
	if (want.all ? want.bounds.most > 0 : want.one && want.bounds.most == 0)
		cmd_usage(run, want.all ? "either --all or a region" :
		    "--value V without -x or -g overwrites all elements: say --all");
	if (want.with != NULL && same_file(want.with, run->files[0]))
		cmd_usage(run, "%s replaces itself", run->files[0]);
	if (replace(run, &want, &run->err) != TAF_OK)
		cmd_report(run, NULL);
	return cmd_end(run);
}
