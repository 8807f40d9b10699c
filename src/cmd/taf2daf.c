/* taf2daf - an array as an item of a FilesDaf store. */
/* link: jansson zlib */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "codec/daf_write.h"
#include "format/daf_put.h"

enum { CREATE = 256, AXIS, SPARSE, CLIP };

static const struct cmd_option options[] = {
	{ 'f', "force", NULL, "overwrite the item if it is there" },
	{ 't', "type", "TYPE", "element type, Bool and the names of Julia too" },
	{ AXIS, "axis", "AXIS=FILE", "add an axis, its entries the lines of FILE" },
	{ CLIP, "clip", NULL, "store what does not fit as the nearest that does" },
	{ CREATE, "create", NULL, "make the store if it is not there" },
	{ SPARSE, "sparse", NULL, "store what is not zero, and where" },
	{ 0, NULL, NULL, NULL },
};

static const struct cmd self = {
	"taf2daf", "write an array as an item of a FilesDaf store",
	"[--create] [--axis AXIS=FILE] [--sparse] [-t TYPE] [--clip] [-f]\n"
	"       [-N K] STORE [ITEM [file]]",
	options, CMD_PICK | CMD_OPERANDS,
};

/* An axis that is to be added. */
struct axis {
	char *name;
	const char *file;
	struct taf_daf_strings entries;
	bool known;		/* the store has just these entries already */
};

struct intent {
	struct taf_daf_given put;
	bool create, item;
	struct axis *axes;
	size_t naxes;
};

static void
add_axis(struct cmd_run *run, struct intent *want, const char *arg)
{
	const char *equals = strchr(arg, '=');
	struct axis *grown, *a;
	size_t k;

	if (equals == NULL || equals[1] == '\0')
		cmd_usage(run, "--axis %s: not AXIS=FILE", arg);
	grown = realloc(want->axes, (want->naxes + 1) * sizeof *grown);
	if (grown == NULL)
		cmd_check(run, taf_fail_mem(&run->err));
	want->axes = grown;
	a = &want->axes[want->naxes++];
	memset(a, 0, sizeof *a);
	a->file = equals + 1;
	a->name = strndup(arg, (size_t)(equals - arg));
	if (a->name == NULL)
		cmd_check(run, taf_fail_mem(&run->err));
	cmd_check(run, taf_daf_new_name(a->name, false, &run->err));
	for (k = 0; k + 1 < want->naxes; k++)
		if (strcmp(want->axes[k].name, a->name) == 0)
			cmd_usage(run, "--axis %s: given twice", a->name);
}

static void
set_type(struct cmd_run *run, struct taf_daf_given *p, const char *arg)
{
	enum taf_type t;

	p->typed = true;
	if (taf_daf_type_parse(arg, &p->type) && p->type != TAF_DAF_STRING)
		return;
	if (!taf_type_parse(arg, &t) || taf_type_is_pair(t))
		cmd_usage(run, "-t %s: not an element type of a store", arg);
	p->type = t;
}

/* Read the axes that are to be added; those of the store never change. */
static enum taf_status
read_axes(struct intent *want, const struct taf_daf *s, struct taf_err *e)
{
	struct taf_daf_strings there = { 0 };
	enum taf_status st = TAF_OK;
	struct taf_in *in;
	size_t k;

	for (k = 0; k < want->naxes && st == TAF_OK; k++) {
		struct axis *a = &want->axes[k];

		st = taf_in_open(&in, a->file, e);
		if (st != TAF_OK)
			break;
		st = taf_daf_entries_read(in, &a->entries, e);
		taf_err_name(e, taf_in_name(in));
		taf_in_close(in);
		a->known = st == TAF_OK && s->real != NULL && taf_daf_has_axis(s, a->name);
		if (a->known) {
			st = taf_daf_axis_entries(s, a->name, &there, e);
			if (st == TAF_OK && !taf_daf_strings_same(&there, &a->entries))
				st = taf_fail(e, TAF_EDATA, "axis %s is there with other "
				    "entries", a->name);
			taf_daf_strings_free(&there);
		}
	}
	return st;
}

/* The lengths that the item must have. */
static enum taf_status
find_lengths(struct intent *want, const struct taf_daf *s, struct taf_err *e)
{
	struct taf_daf_item *it = &want->put.item;
	enum taf_status st = TAF_OK;
	size_t i, k;

	for (i = 0; i < 2 && st == TAF_OK && it->axis[i] != NULL; i++) {
		for (k = 0; k < want->naxes; k++)
			if (strcmp(want->axes[k].name, it->axis[i]) == 0)
				break;
		if (k < want->naxes)
			it->n[i] = want->axes[k].entries.n;
		else if (s->real != NULL)
			st = taf_daf_axis_length(s, it->axis[i], &it->n[i], e);
		else
			st = taf_fail(e, TAF_EDATA, "%s: no such axis (--axis adds one)",
			    it->axis[i]);
	}
	return st;
}

/* What is in the way in the store. */
static enum taf_status
look(const struct cmd_run *run, const struct intent *want, const struct taf_daf *s,
    struct taf_err *e)
{
	size_t k;

	for (k = 0; k < want->naxes; k++)
		if (!want->axes[k].known &&
		    taf_daf_look_axis(s, want->axes[k].name, e) != TAF_OK)
			return e->code;
	return want->item ? taf_daf_put_look(s, &want->put.item, run->force, e) : TAF_OK;
}

/* With the lock held. */
static enum taf_status
change(struct cmd_run *run, struct intent *want, const struct taf_daf *s, struct taf_err *e)
{
	size_t k;

	for (k = 0; k < want->naxes; k++)
		if (!want->axes[k].known && taf_daf_add_axis(s, want->axes[k].name,
		    &want->axes[k].entries, e) != TAF_OK)
			return e->code;
	return want->item ? taf_daf_give(&run->service, &want->put, s, run->force, e) : TAF_OK;
}

/* Only now is anything changed. */
static enum taf_status
give(struct cmd_run *run, struct intent *want, struct taf_daf *s, struct taf_err *e)
{
	enum taf_status st;
	int lock;

	if (s->real == NULL && (taf_daf_create(run->files[0], e) != TAF_OK ||
	    taf_daf_open(s, run->files[0], e) != TAF_OK))
		return e->code;
	if (taf_daf_lock(s, &lock, e) != TAF_OK)
		return e->code;
	st = change(run, want, s, e);
	(void)close(lock);
	return st;
}

/* Open the store, if it is there, or must be. */
static enum taf_status
open_store(const char *path, bool may_lack, struct taf_daf *s, struct taf_err *e)
{
	struct taf_buf sentinel = { 0 };
	bool there;

	if (taf_buf_printf(&sentinel, e, "%s/daf.json", path) != TAF_OK)
		return e->code;
	there = !may_lack || access(sentinel.data, F_OK) == 0;
	taf_buf_free(&sentinel);
	if (!there)
		return TAF_OK;
	return taf_daf_open(s, path, e) != TAF_OK ? e->code : taf_daf_recover(s, e);
}

/* The one array of a file. */
static enum taf_status
take(struct cmd_run *run, struct taf_daf_given *p, const char *file, struct taf_err *e)
{
	struct cmd_arrays all = { .run = run, .files = &file, .nfiles = 1,
		.pick = run->pick };
	enum taf_status st = cmd_arrays_next(&all, e);

	if (st == TAF_OK)
		st = taf_daf_take(&run->service, p, all.r, &all.a, e);
	if (st == TAF_OK)
		st = cmd_arrays_last(&all, e);
	if (st == TAF_OK)
		st = taf_daf_taken(&run->service, p, &all.a, e);
	taf_err_name(e, cmd_name(file));
	cmd_arrays_close(&all);
	return st;
}

/* All is read and looked at first. */
static enum taf_status
take_and_give(struct cmd_run *run, struct intent *want, struct taf_daf *s, struct taf_err *e)
{
	if (open_store(run->files[0], want->create, s, e) != TAF_OK ||
	    read_axes(want, s, e) != TAF_OK)
		return e->code;
	if (want->item && find_lengths(want, s, e) != TAF_OK)
		return e->code;
	if (s->real != NULL && look(run, want, s, e) != TAF_OK)
		return e->code;
	if (want->item && take(run, &want->put, run->nfiles > 2 ? run->files[2] : NULL,
	    e) != TAF_OK)
		return e->code;
	return give(run, want, s, e);
}

static enum taf_status
put(struct cmd_run *run, struct intent *want, struct taf_err *e)
{
	struct taf_daf s = { 0 };
	enum taf_status st = take_and_give(run, want, &s, e);

	taf_daf_close(&s);
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { 0 };
	const char *arg;
	size_t k;
	int c;

	while ((c = cmd_option(run, &arg)) != 0)
		switch (c) {
		case 'f':
			run->force = true;
			break;
		case 't':
			set_type(run, &want.put, arg);
			break;
		case AXIS:
			add_axis(run, &want, arg);
			break;
		case CLIP:
			want.put.clip = true;
			break;
		case CREATE:
			want.create = true;
			break;
		case SPARSE:
			want.put.sparse = true;
			break;
		}
	want.item = run->nfiles > 1;
	if (run->nfiles > 3)
		cmd_usage(run, "%s: one file at most", run->files[3]);
	if (!want.item && !want.create && want.naxes == 0)
		cmd_usage(run, "a STORE and an ITEM are needed");
	if (want.item) {
		cmd_check(run, taf_daf_item_parse(&want.put.item, run->files[1], &run->err));
		cmd_check(run, taf_daf_new_name(want.put.item.name,
		    want.put.item.kind == TAF_DAF_VECTOR, &run->err));
	}
	if (put(run, &want, &run->err) != TAF_OK)
		cmd_report(run, run->files[0]);
	for (k = 0; k < want.naxes; k++) {
		taf_daf_strings_free(&want.axes[k].entries);
		free(want.axes[k].name);
	}
	free(want.axes);
	taf_daf_given_free(&want.put);
	return cmd_end(run);
}
