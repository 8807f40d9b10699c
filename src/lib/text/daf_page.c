/* SPDX-License-Identifier: ISC */
#include "text/daf_page.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "codec/daf/daf_scan.h"
#include "text/number.h"

enum { FLUSH = 64 * 1024 };

/* A page that is being printed. */
struct page {
	const struct taf_daf_page *how;
	const struct taf_daf *s;
	struct taf_err *err;	/* of faults and of the output */
	bool json, whole;	/* whole: of the store, not of an item */
	struct taf_str text;
	unsigned depth;		/* groups that are open */
	bool first;		/* JSON: nothing stands in front in this object or list */
	const char *section;	/* for people: begins where something is in it */
};

/* --- pieces, as JSON or for people --- */

/* JSON has no numbers that are not finite. */
static void
put_json(struct page *p, const char *s, size_t n, bool string)
{
	if (string)
		taf_str_json(&p->text, s, n);
	else if (strspn(s, "-in") > strspn(s, "-"))
		taf_str_puts(&p->text, "null");
	else
		taf_str_put(&p->text, s, n);
}

/* Text of others, as it may be printed. */
static void
put_text(struct page *p, const char *s, size_t n)
{
	if (p->json)
		taf_str_json(&p->text, s, n);
	else
		taf_str_safe(&p->text, s, n);
}

static void
begin_page(struct page *p)
{
	taf_str_puts(&p->text, p->json ? "{" : "");
	p->first = true;
}

static void
end_page(struct page *p)
{
	taf_str_puts(&p->text, p->json ? "}\n" : "");
}

static void
put_name(struct page *p, const char *name)
{
	const int minor = p->s->minor == 0 ? 0 : 1;

	taf_str_puts(&p->text, p->json ? "\"name\":" : "name: ");
	put_text(p, name, strlen(name));
	taf_str_printf(&p->text, p->json ? ",\"version\":[1,%d]" :
	    "\ntype: FilesDaf [1,%d]\n", minor);
	p->first = false;
}

/* The name of an item, whose facts follow. */
static void
begin_item(struct page *p, const char *name)
{
	if (p->json) {
		taf_str_puts(&p->text, p->first ? "" : ",");
	} else {
		if (p->section != NULL)
			taf_str_printf(&p->text, "%s:\n", p->section);
		p->section = NULL;
		taf_str_printf(&p->text, "%*s", 2 * (int)p->depth, "");
	}
	put_text(p, name, strlen(name));
	taf_str_puts(&p->text, p->json ? ":{" : ":");
	p->first = true;
}

static void
end_item(struct page *p)
{
	taf_str_puts(&p->text, p->json ? "}" : "");
	p->first = false;
}

static void
begin_group(struct page *p, const char *name)
{
	if (!p->json && p->depth == 0) {
		p->section = name;
	} else {
		begin_item(p, name);
		taf_str_puts(&p->text, p->json ? "" : "\n");
	}
	p->depth++;
	p->first = true;
}

static void
end_group(struct page *p)
{
	p->depth--;
	p->section = NULL;
	end_item(p);
}

/* A scalar: type is NULL of a string. */
static void
put_scalar_value(struct page *p, const char *type, const char *value, size_t n)
{
	if (p->json) {
		taf_str_printf(&p->text, "\"type\":\"%s\",\"value\":",
		    type != NULL ? type : taf_daf_type_name(TAF_DAF_STRING));
		put_json(p, value, n, type == NULL);
	} else if (type != NULL) {
		taf_str_printf(&p->text, " %s (%s)\n", value, type);
	} else {
		taf_str_puts(&p->text, " \"");
		taf_str_safe(&p->text, value, n);
		taf_str_puts(&p->text, "\"\n");
	}
}

static void
put_percent(struct page *p, uint64_t part, uint64_t all)
{
	double share = all > 0 ? 100.0 * (double)part / (double)all : 0;
	unsigned whole = (unsigned)(share + 0.5);

	if (whole == 0 && part > 0)
		taf_str_puts(&p->text, "<1%");
	else if (whole == 100 && part < all)
		taf_str_puts(&p->text, ">99%");
	else
		taf_str_printf(&p->text, "%u%%", whole);
}

/* "3 x 4 x Float32 in Columns (Sparse UInt32 25%, 3 stored)", as Julia describes it. */
static void
describe_text(struct page *p, const struct taf_daf_item *it, uint64_t on)
{
	const struct taf_daf_descriptor *d = &it->d;
	const uint64_t all = it->n[0] * it->n[1];

	taf_str_printf(&p->text, " %llu x ", (unsigned long long)it->n[0]);
	if (it->kind == TAF_DAF_MATRIX)
		taf_str_printf(&p->text, "%llu x ", (unsigned long long)it->n[1]);
	taf_str_puts(&p->text, d->type == TAF_DAF_STRING ? "Str" :
	    taf_daf_type_name(d->type));
	if (it->kind == TAF_DAF_MATRIX)
		taf_str_puts(&p->text, it->transposed ? " in Rows" : " in Columns");
	if (d->sparse) {
		taf_str_printf(&p->text, " (Sparse %s ",
		    taf_daf_type_name(d->index.type));
		put_percent(p, on, all);
		taf_str_printf(&p->text, ", %llu stored", (unsigned long long)on);
	} else {
		taf_str_puts(&p->text, " (Dense");
		if (d->type == TAF_DAF_BOOL && taf_daf_foreign(it) == NULL && all > 0) {
			taf_str_puts(&p->text, "; ");
			put_percent(p, on, all);
			taf_str_puts(&p->text, " true");
		}
	}
	if (taf_daf_packing(it) != NULL)
		taf_str_printf(&p->text, ", packed %s", taf_daf_packing(it));
	taf_str_puts(&p->text, ")\n");
}

static void
describe_json(struct page *p, const struct taf_daf_item *it, uint64_t on)
{
	const struct taf_daf_descriptor *d = &it->d;
	const char *packing = taf_daf_packing(it);

	taf_str_printf(&p->text, "\"format\":\"%s\",\"eltype\":\"%s\",\"shape\":[%llu",
	    d->sparse ? "sparse" : "dense", taf_daf_type_name(d->type),
	    (unsigned long long)it->n[0]);
	if (it->kind == TAF_DAF_MATRIX)
		taf_str_printf(&p->text, ",%llu", (unsigned long long)it->n[1]);
	taf_str_puts(&p->text, "]");
	if (d->sparse)
		taf_str_printf(&p->text, ",\"indtype\":\"%s\",\"stored\":%llu",
		    taf_daf_type_name(d->index.type), (unsigned long long)on);
	else if (d->type == TAF_DAF_BOOL && taf_daf_foreign(it) == NULL)
		taf_str_printf(&p->text, ",\"true\":%llu", (unsigned long long)on);
	if (packing != NULL) {
		taf_str_puts(&p->text, ",\"packed\":");
		taf_str_json(&p->text, packing, strlen(packing));
	}
	taf_str_puts(&p->text, it->transposed ? ",\"turned\":true" : "");
}

/* --- entries --- */

static void
flush(struct page *p, size_t most)
{
	if (p->text.buf.len > most)
		p->text.st = taf_out_str(p->how->out, &p->text);
}

/* Those of a single item are for programs: as they are. */
static void
put_entry(struct page *p, const char *s, size_t n, bool string)
{
	if (p->json) {
		taf_str_puts(&p->text, p->first ? "" : ",");
		put_json(p, s, n, string);
	} else {
		if (p->whole) {
			taf_str_printf(&p->text, "%*s", 2 * (int)(p->depth + 1), "");
			taf_str_safe(&p->text, s, n);
		} else {
			taf_str_put(&p->text, s, n);
		}
		taf_str_puts(&p->text, "\n");
	}
	p->first = false;
	flush(p, FLUSH);
}

static void
put_strings(struct page *p, const struct taf_daf_strings *t)
{
	size_t k;

	for (k = 0; k < t->n; k++)
		put_entry(p, t->bytes.data + t->at[k], t->at[k + 1] - t->at[k], true);
}

/* Some of the elements of an item. */
struct values {
	struct page *p;
	enum taf_type type;
	struct taf_buf lines;
};

static enum taf_status
put_values(void *ctx, const void *block, size_t n, struct taf_err *e)
{
	static const struct taf_number shortest = { .between = ' ', .after = '\n' };
	struct values *v = ctx;
	const char *at, *end;

	v->lines.len = 0;
	if (taf_number_put(&v->lines, &shortest, v->type, block, n, e) != TAF_OK)
		return e->code;
	for (at = v->lines.data; n > 0 && at < v->lines.data + v->lines.len;
	    at = end + 1) {
		end = strchr(at, '\n');
		put_entry(v->p, at, (size_t)(end - at), false);
	}
	return v->p->text.st;
}

/* All entries of a found item. */
static enum taf_status
put_entries(struct page *p, const struct taf_daf_item *it, struct taf_err *e)
{
	const bool scalar = it->kind == TAF_DAF_SCALAR;
	const struct taf_buf *value = &it->scalar.text;
	const unsigned type = scalar ? it->scalar.type : it->d.type;
	struct values v = { .p = p, .type = taf_daf_element(type) };
	struct taf_daf_strings t = { 0 };
	enum taf_status st = TAF_OK;

	if (type != TAF_DAF_STRING)
		st = p->how->elements(p->how->service, p->s, it, put_values, &v, e);
	else if (scalar)
		put_entry(p, value->data != NULL ? value->data : "", value->len, true);
	else
		st = taf_daf_strings_load(p->s, it, &t, e);
	put_strings(p, &t);
	taf_daf_strings_free(&t);
	taf_buf_free(&v.lines);
	return st;
}

static void
begin_entries(struct page *p)
{
	taf_str_puts(&p->text, p->json ? ",\"entries\":[" : "");
	p->first = true;
}

static void
end_entries(struct page *p)
{
	taf_str_puts(&p->text, p->json ? "]" : "");
}

/* --- items --- */

/* What cannot be listed is a fault of the store, or the end. */
static bool
listed(struct page *p, enum taf_status st)
{
	if (st == TAF_ESYS)
		p->text.st = st;
	else if (st != TAF_OK)
		p->how->fault(p->how->ctx, p->err);
	return st == TAF_OK;
}

/* The same of an item, which says so in its place; the run goes on. */
static bool
sound(struct page *p, enum taf_status st)
{
	if (st != TAF_OK && st != TAF_ESYS) {
		taf_str_puts(&p->text, p->json ? "\"fault\":" : " faulty: ");
		put_text(p, p->err->text, strlen(p->err->text));
		taf_str_puts(&p->text, p->json ? "" : "\n");
	}
	return listed(p, st);
}

static void
put_scalar(struct page *p, const struct taf_daf_scalar *v)
{
	static const struct taf_number shortest = { .between = ' ', .after = '\0' };
	const char *type = taf_daf_type_name(v->type), *word;
	struct taf_buf number = { 0 };

	if (v->type == TAF_DAF_STRING) {
		put_scalar_value(p, NULL, v->text.data, v->text.len);
	} else if (v->type == TAF_DAF_BOOL) {
		word = v->value[0] != 0 ? "true" : "false";
		put_scalar_value(p, type, word, strlen(word));
	} else if (listed(p, taf_number_put(&number, &shortest, taf_daf_element(v->type),
	    v->value, 1, p->err))) {
		put_scalar_value(p, type, number.data, strlen(number.data));
	}
	taf_buf_free(&number);
}

/* What only a look at other files than its own shows of a sound item. */
static void
look_around(struct page *p, const struct taf_daf_item *it)
{
	struct taf_err *why = p->err;
	struct taf_buf stale = { 0 };
	enum taf_status st = TAF_OK;
	char name[TAF_DAF_PATH];
	bool differ = false, reserved = it->kind == TAF_DAF_VECTOR &&
	    (it->indices || strcmp(it->name, "name") == 0);

	taf_daf_item_path(it, "", name);
	if (reserved)
		taf_remark(p->how->service,
		    "vectors/%s/%s: never read, as the name stands for the axis itself",
		    it->axis[0], it->name);
	else
		st = taf_daf_stale(p->s, it, &stale, why);
	if (st == TAF_OK && stale.len > 0)
		taf_remark(p->how->service, "%s: its descriptor says nothing of %s", name,
		    stale.data);
	/* once for both layouts */
	if (st == TAF_OK && it->kind == TAF_DAF_MATRIX &&
	    strcmp(it->axis[0], it->axis[1]) < 0)
		st = taf_daf_compare(p->s, it, &differ, why);
	if (st == TAF_OK && differ)
		st = taf_fail(why, TAF_EDATA,
		    "%s: not the transpose of matrices/%s/%s/%s", name, it->axis[1],
		    it->axis[0], it->name);
	(void)listed(p, st);
	taf_buf_free(&stale);
}

static void
put_item(struct page *p, const char *name, struct taf_daf_item *it)
{
	const bool scalar = it->kind == TAF_DAF_SCALAR;
	struct taf_daf_sum sum = { 0 };
	enum taf_status st;
	bool good;

	begin_item(p, name);
	st = taf_daf_find(p->s, it, p->err);
	if (st == TAF_OK)
		st = taf_daf_check(p->s, it, 0, &sum, p->err);
	good = sound(p, st);
	if (good && scalar)
		put_scalar(p, &it->scalar);
	else if (good)
		(p->json ? describe_json : describe_text)(p, it, sum.on);
	if (good && p->how->entries && !scalar && taf_daf_foreign(it) == NULL) {
		begin_entries(p);
		(void)listed(p, put_entries(p, it, p->err));
		end_entries(p);
	}
	end_item(p);
	if (good && p->whole && !scalar)
		look_around(p, it);
}

static void
put_axis(struct page *p, const char *name)
{
	struct taf_daf_strings t = { 0 };

	begin_item(p, name);
	if (sound(p, taf_daf_axis_entries(p->s, name, &t, p->err))) {
		taf_str_printf(&p->text, p->json ? "\"length\":%llu" : " %llu entries\n",
		    (unsigned long long)t.n);
		if (p->how->entries) {
			begin_entries(p);
			put_strings(p, &t);
			end_entries(p);
		}
	}
	taf_daf_strings_free(&t);
	end_item(p);
}

/* --- the whole store --- */

/*
 * A group of all properties of a kind and of axes; where there are none, of scalars
 * alone.
 */
static void
put_items(struct page *p, const char *group, enum taf_daf_kind kind, char *rows,
    char *columns)
{
	struct taf_names names = { 0 };
	bool some = listed(p, taf_daf_properties(p->s, kind, rows, columns, &names,
	    p->err)) && (names.n > 0 || kind == TAF_DAF_SCALAR);
	size_t k;

	if (some)
		begin_group(p, group);
	for (k = 0; k < names.n && some && p->text.st == TAF_OK; k++) {
		struct taf_daf_item it = { .kind = kind, .axis = { rows, columns },
			.name = names.name[k], .n = { 1, 1 } };

		put_item(p, names.name[k], &it);
		taf_buf_free(&it.scalar.text);
		flush(p, FLUSH);
	}
	if (some)
		end_group(p);
	taf_names_free(&names);
}

/* The matrices of a pair of axes. */
static void
put_pair(struct page *p, char *rows, char *columns)
{
	struct taf_str pair = { .err = p->err };

	taf_str_printf(&pair, "%s,%s", rows, columns);
	if (listed(p, pair.st))
		put_items(p, pair.buf.data, TAF_DAF_MATRIX, rows, columns);
	taf_str_free(&pair);
}

/* Vectors, or matrices, of all axes. */
static void
put_properties(struct page *p, const struct taf_names *axes, bool matrices)
{
	struct taf_err ignored = { 0 };
	size_t i, k;

	begin_group(p, matrices ? "matrices" : "vectors");
	for (i = 0; i < axes->n && p->text.st == TAF_OK; i++) {
		struct taf_names there = { 0 };
		char *rows = axes->name[i], *columns;

		if (taf_daf_name_check(rows, &ignored) != TAF_OK)
			continue;
		if (!matrices)
			put_items(p, rows, TAF_DAF_VECTOR, rows, NULL);
		/* most pairs have none: no look at each */
		else if (!listed(p, taf_daf_properties(p->s, TAF_DAF_MATRIX, rows, NULL,
		    &there, p->err)))
			taf_names_free(&there);
		for (k = 0; k < axes->n && there.n > 0 && p->text.st == TAF_OK; k++) {
			columns = axes->name[k];
			if (taf_names_has(&there, columns) &&
			    taf_daf_name_check(columns, &ignored) == TAF_OK)
				put_pair(p, rows, columns);
		}
		taf_names_free(&there);
	}
	end_group(p);
}

static void
put_axes(struct page *p, const struct taf_names *axes)
{
	size_t k;

	begin_group(p, "axes");
	for (k = 0; k < axes->n && p->text.st == TAF_OK; k++) {
		put_axis(p, axes->name[k]);
		flush(p, FLUSH);
	}
	end_group(p);
}

static struct page
new_page(const struct taf_daf_page *how, bool whole, struct taf_err *e)
{
	return (struct page){ .how = how, .s = how->s, .err = e, .json = how->json,
		.whole = whole, .text = { .err = e } };
}

enum taf_status
taf_daf_page(const struct taf_daf_page *how, struct taf_err *e)
{
	struct page p = new_page(how, true, e);
	const char *slash = strrchr(p.s->real, '/');
	struct taf_names axes = { 0 };
	struct stat sb;
	bool there;

	if (listed(&p, taf_daf_look(p.s, TAF_DAF_REORDERING, &there, &sb, e)) && there)
		taf_remark(how->service,
		    "a reordering of axes was interrupted (.reorder.backup)");
	begin_page(&p);
	put_name(&p, slash[1] != '\0' ? slash + 1 : slash);
	put_items(&p, "scalars", TAF_DAF_SCALAR, NULL, NULL);
	if (listed(&p, taf_daf_names(p.s, "axes", ".txt", &axes, e)))
		put_axes(&p, &axes);
	put_properties(&p, &axes, false);
	put_properties(&p, &axes, true);
	taf_names_free(&axes);
	end_page(&p);
	flush(&p, 0);
	taf_str_free(&p.text);
	return p.text.st;
}

/* With a single item there is nobody else to spare: a fault is the end. */
static enum taf_status
check_one(const struct page *p, struct taf_daf_item *it, const char *axis,
    struct taf_daf_strings *t, struct taf_err *e)
{
	struct taf_daf_sum sum;
	enum taf_status st;

	if (axis != NULL)
		return taf_daf_axis_entries(p->s, axis, t, e);
	st = taf_daf_find(p->s, it, e);
	return st == TAF_OK ? taf_daf_check(p->s, it, 0, &sum, e) : st;
}

enum taf_status
taf_daf_page_item(const struct taf_daf_page *how, const char *item, struct taf_err *e)
{
	struct page p = new_page(how, false, e);
	struct taf_daf_item it = { 0 };
	struct taf_daf_strings t = { 0 };
	const char *axis = NULL;
	struct taf_names names = { 0 };
	enum taf_status st;

	st = taf_daf_item_parse(&it, item, e);
	if (st == TAF_OK && it.kind == TAF_DAF_SCALAR)
		st = taf_daf_properties(p.s, TAF_DAF_SCALAR, NULL, NULL, &names, e);
	/* a name that no scalar has may be an axis */
	if (st == TAF_OK && it.kind == TAF_DAF_SCALAR && !taf_names_has(&names, item) &&
	    taf_daf_has_axis(p.s, item))
		axis = item;
	taf_names_free(&names);
	if (st == TAF_OK)
		st = check_one(&p, &it, axis, &t, e);
	if (st == TAF_OK && how->entries && !how->json) {
		put_strings(&p, &t);
		st = axis == NULL ? put_entries(&p, &it, e) : TAF_OK;
	} else if (st == TAF_OK) {
		begin_page(&p);
		if (axis != NULL)
			put_axis(&p, axis);
		else
			put_item(&p, item, &it);
		end_page(&p);
	}
	flush(&p, 0);
	taf_str_free(&p.text);
	taf_daf_strings_free(&t);
	taf_daf_item_free(&it);
	return st != TAF_OK ? st : p.text.st;
}
