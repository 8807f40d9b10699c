#include "cli/ndarray.h"

#include <string.h>

#include "stream/spool.h"

/* Every array of an operand, its elements passed over. */
static enum taf_status
check(struct cmd_run *run, void *ctx, struct taf_in *in, struct taf_err *e)
{
	const struct cmd_ndarrays *f = ctx;
	struct cmd_ndarray a = { 0 };
	struct taf_layout l;
	enum taf_status st = TAF_OK;

	/* with -N only what comes before the wanted one is read */
	while (st == TAF_OK && run->pick == 0) {
		st = f->next(in, &a, e);
		if (st == TAF_OK)
			st = taf_ndarray_import(&a.nd, f->reverse, &l, e);
		if (st == TAF_OK)
			st = taf_in_skip(in, a.bytes, e);
		if (st == TAF_OK)
			st = f->end(in, &a, e);
	}
	taf_buf_free(&a.name);
	return st == TAF_END ? TAF_OK : st;
}

/*
 * One array, up to the next.  Where it can be read at any offset in is behind it before
 * it is written, so that it is known whether another follows.
 */
static enum taf_status
import_one(struct cmd_import *im, const struct cmd_ndarrays *f,
    const struct cmd_ndarray *a, struct taf_layout *l, struct taf_in *in,
    struct taf_err *e)
{
	const struct taf_reorder how = { .order = l->order,
	    .recode = a->nd.half ? TAF_CHANGE_HALF : TAF_CHANGE_NONE,
	    .writer = im->w, .memory = im->run->service.memory,
	    .jobs = taf_threads(&im->run->service) };
	bool held = taf_in_seekable(in) || taf_reorder_moves(&l->stored, l->order), wanted;
	struct taf_in *part = in;
	enum taf_status st = TAF_OK;
	const unsigned char *p;
	size_t got = 0;

	if (held)
		st = taf_spool_part(in, a->bytes, &part, e);
	if (st != TAF_OK)
		return st;
	if (held)
		st = f->end(in, a, e);
	if (st == TAF_OK && held)
		st = taf_in_peek(in, 1, &p, &got, e);
	if (st == TAF_OK)
		st = cmd_import_begin(im, &l->a, !held ? TAF_NEXT_UNKNOWN : got > 0 ?
		    TAF_NEXT_YES : TAF_NEXT_NO, &wanted, e);
	if (st == TAF_OK) {
		taf_watch(&im->run->service, im->w, NULL, taf_array_bytes(&l->a));
		st = taf_reorder_in(&how, part, &l->stored, a->nd.big, e);
		taf_watch_end(&im->run->service);
	}
	if (st == TAF_OK)
		st = taf_writer_end(im->w, &l->a, e);
	if (held)
		taf_in_close(part);
	else if (st == TAF_OK)
		st = f->end(in, a, e);
	return st;
}

static enum taf_status
pass_over(struct cmd_import *im, const struct cmd_ndarrays *f,
    const struct cmd_ndarray *a, const struct taf_layout *l, struct taf_in *in,
    struct taf_err *e)
{
	enum taf_status st;
	bool wanted;

	st = cmd_import_begin(im, &l->a, TAF_NEXT_NO, &wanted, e);
	if (st == TAF_OK)
		st = taf_in_skip(in, a->bytes, e);
	if (st == TAF_OK)
		st = f->end(in, a, e);
	return st;
}

/* What the descriptor has no place for becomes attributes. */
static enum taf_status
set_attributes(const struct cmd_ndarrays *f, const struct cmd_ndarray *from,
    struct taf_array *a, struct taf_err *e)
{
	unsigned pair = f->reverse ? 1 : a->ndim;
	enum taf_status st = TAF_OK;

	if (from->name.len > 0 && f->name_key != NULL)
		st = taf_attr_set(a, f->name_key, TAF_OF_ARRAY, 0, from->name.data, e);
	if (st == TAF_OK && from->type != NULL)
		st = taf_attr_set(a, f->type_key, TAF_OF_ARRAY, 0, from->type, e);
	if (st == TAF_OK && from->nd.ndim == 0 && !from->nd.pairs && f->ndim_key != NULL)
		st = taf_attr_set(a, f->ndim_key, TAF_OF_ARRAY, 0, "0", e);
	if (st == TAF_OK && from->nd.pairs)
		st = taf_attr_set(a, "label", TAF_OF_DIM, pair, TAF_LABEL_COMPLEX, e);
	return st;
}

static enum taf_status
import(struct cmd_run *run, void *ctx, struct taf_in **from, struct cmd_import *im,
    struct taf_err *e)
{
	const struct cmd_ndarrays *f = ctx;
	struct cmd_ndarray a = { 0 };
	struct taf_in *in = *from;
	enum taf_status st = TAF_OK;

	while (st == TAF_OK && !im->done) {
		struct taf_layout l;

		st = f->next(in, &a, e);
		if (st == TAF_OK)
			st = taf_ndarray_import(&a.nd, f->reverse, &l, e);
		if (st != TAF_OK)
			break;
		st = set_attributes(f, &a, &l.a, e);
		if (st == TAF_OK && run->pick != 0 && run->pick != im->number + 1)
			st = pass_over(im, f, &a, &l, in, e);
		else if (st == TAF_OK)
			st = import_one(im, f, &a, &l, in, e);
		taf_array_fini(&l.a);
	}
	taf_buf_free(&a.name);
	return st == TAF_END ? TAF_OK : st;
}

int
cmd_import_ndarrays(struct cmd_run *run, const struct cmd_ndarrays *f)
{
	struct cmd_ndarrays copy = *f;

	return cmd_import(run, check, import, &copy);
}

bool
cmd_use_attr(struct taf_array *a, const char *key, const char *value)
{
	const char *is = taf_attr_get(a, key, TAF_OF_ARRAY, 0);
	struct taf_err e;

	/* nothing can fail where nothing is added */
	return is != NULL && strcmp(is, value) == 0 &&
	    taf_attr_set(a, key, TAF_OF_ARRAY, 0, NULL, &e) == TAF_OK;
}

void
cmd_note_dropped(struct cmd_dropped *d, const struct taf_array *a)
{
	unsigned k;

	d->comment = d->comment || a->comment.len > 0;
	/* RSF counts from 0 where nothing is said, TAF from 1 */
	for (k = 0; k < a->ndim; k++)
		if ((a->dim[k].start != 0 && a->dim[k].start != 1) || a->dim[k].step != 1)
			d->grid = true;
	d->attributes = d->attributes || a->nattrs > 0;
}

void
cmd_remark_dropped(struct cmd_run *run, const struct cmd_dropped *d, const char *format,
    const char *also)
{
	const char *const what[] = { d->grid ? "grid" : NULL,
	    d->comment ? "comment" : NULL, d->attributes ? "attributes" : NULL };
	char text[64] = "";
	size_t i;

	for (i = 0; i < sizeof what / sizeof what[0]; i++)
		if (what[i] != NULL) {
			(void)strcat(text, text[0] != '\0' ? ", " : "");
			(void)strcat(text, what[i]);
		}
	if (text[0] != '\0')
		cmd_remark(run, "%s has no place for: %s%s%s", format, text,
		    also != NULL ? "; " : "", also != NULL ? also : "");
	else if (also != NULL)
		cmd_remark(run, "%s", also);
}

enum taf_change
cmd_export_recode(const struct taf_array *a, bool raw)
{
	return !raw && !taf_type_is_pair(a->type) && taf_array_mapped(a) ? TAF_CHANGE_MAP :
	    TAF_CHANGE_NONE;
}

enum taf_type
cmd_export_type(const struct taf_array *a, bool raw)
{
	return cmd_export_recode(a, raw) == TAF_CHANGE_MAP ? TAF_FLT64 : a->type;
}

enum taf_status
cmd_export_fits(struct taf_reader *r, const struct taf_array *a,
    bool (*holds)(const void *p, size_t n), bool *fits, struct taf_err *e)
{
	const uint64_t count = taf_array_count(a);
	enum taf_status st = taf_reader_random(r, e);
	unsigned char block[32768];
	uint64_t first;
	size_t n;

	*fits = true;
	for (first = 0; first < count && st == TAF_OK && *fits; first += n) {
		n = sizeof block / taf_type_size(a->type);
		if (n > count - first)
			n = (size_t)(count - first);
		st = taf_reader_at(r, block, first, n, e);
		if (st == TAF_OK)
			*fits = holds(block, n);
	}
	return st;
}

enum taf_status
cmd_export_elements(struct cmd_run *run, struct taf_reader *r, const struct taf_array *a,
    enum taf_change recode, const unsigned order[], struct taf_err *e)
{
	const struct taf_reorder how = { .order = order, .recode = recode,
	    .out = run->out, .memory = run->service.memory, .jobs = taf_threads(&run->service) };
	enum taf_status st;

	taf_watch(&run->service, NULL, run->out, taf_array_count(a) * taf_reorder_size(&how, a));
	st = taf_reorder(&how, r, a, e);
	taf_watch_end(&run->service);
	return st;
}
