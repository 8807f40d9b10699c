#include "text/daf_page.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "codec/daf/daf_scan.h"
#include "text/number.h"

enum { BLOCK = 8192, FLUSH = 64 * 1024 };

/* A page that is being printed. */
struct page {
	const struct taf_daf_page *how;
	const struct taf_daf *s;
	struct taf_err *err;	/* of faults and of the output */
	const struct style *style;
	bool whole;		/* of the store, not of an item */
	struct taf_str text;
	unsigned depth;		/* groups that are open */
	bool first;		/* JSON: nothing stands in front in this object or list */
	const char *section;	/* for people: begins where something is in it */
};

/* What becomes of what is found, in the order in which it is found. */
struct style {
	void (*store)(struct page *p, const char *name);
	void (*group)(struct page *p, const char *name);
	void (*item)(struct page *p, const char *name);	/* its facts follow */
	void (*scalar)(struct page *p, const char *type, const char *value, size_t n);
	void (*axis)(struct page *p, uint64_t length);
	void (*property)(struct page *p, const struct taf_daf_item *it, uint64_t on);
	void (*fault)(struct page *p, const char *why);
	void (*entry)(struct page *p, const char *s, size_t n, bool string);
	const char *begin, *entries, *entries_end, *close, *end;
};

/* --- for people --- */

static void
text_store(struct page *p, const char *name)
{
	taf_str_puts(&p->text, "name: ");
	taf_str_safe(&p->text, name, strlen(name));
	taf_str_printf(&p->text, "\ntype: FilesDaf [1,%d]\n", p->s->minor == 0 ? 0 : 1);
}

static void
text_item(struct page *p, const char *name)
{
	if (p->section != NULL)
		taf_str_printf(&p->text, "%s:\n", p->section);
	p->section = NULL;
	taf_str_printf(&p->text, "%*s", 2 * (int)p->depth, "");
	taf_str_safe(&p->text, name, strlen(name));
	taf_str_puts(&p->text, ":");
}

static void
text_group(struct page *p, const char *name)
{
	if (p->depth == 0) {
		p->section = name;
		return;
	}
	text_item(p, name);
	taf_str_puts(&p->text, "\n");
}

static void
text_scalar(struct page *p, const char *type, const char *value, size_t n)
{
	if (type != NULL) {
		taf_str_printf(&p->text, " %s (%s)\n", value, type);
		return;
	}
	taf_str_puts(&p->text, " \"");
	taf_str_safe(&p->text, value, n);
	taf_str_puts(&p->text, "\"\n");
}

static void
text_axis(struct page *p, uint64_t length)
{
	taf_str_printf(&p->text, " %llu entries\n", (unsigned long long)length);
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
text_property(struct page *p, const struct taf_daf_item *it, uint64_t on)
{
	const struct taf_daf_descriptor *d = &it->d;
	const char *codec = taf_daf_foreign(it), *packing = taf_daf_packing(it);

	taf_str_printf(&p->text, " %llu x ", (unsigned long long)it->n[0]);
	if (it->kind == TAF_DAF_MATRIX)
		taf_str_printf(&p->text, "%llu x ", (unsigned long long)it->n[1]);
	taf_str_puts(&p->text, d->type == TAF_DAF_STRING ? "Str" :
	    taf_daf_type_name(d->type));
	if (it->kind == TAF_DAF_MATRIX)
		taf_str_puts(&p->text, it->turned ? " in Rows" : " in Columns");
	if (d->sparse) {
		taf_str_printf(&p->text, " (Sparse %s ",
		    taf_daf_type_name(d->index.type));
		put_percent(p, on, it->n[0] * it->n[1]);
		taf_str_printf(&p->text, ", %llu stored", (unsigned long long)on);
	} else {
		taf_str_puts(&p->text, " (Dense");
		if (d->type == TAF_DAF_BOOL && codec == NULL && it->n[0] * it->n[1] > 0) {
			taf_str_puts(&p->text, "; ");
			put_percent(p, on, it->n[0] * it->n[1]);
			taf_str_puts(&p->text, " true");
		}
	}
	if (packing != NULL)
		taf_str_printf(&p->text, ", packed %s", packing);
	taf_str_puts(&p->text, ")\n");
}

static void
text_fault(struct page *p, const char *why)
{
	taf_str_puts(&p->text, " faulty: ");
	taf_str_safe(&p->text, why, strlen(why));
	taf_str_puts(&p->text, "\n");
}

/* Those of a single item are for programs: as they are. */
static void
text_entry(struct page *p, const char *s, size_t n, bool string)
{
	(void)string;
	if (p->whole) {
		taf_str_printf(&p->text, "%*s", 2 * (int)(p->depth + 1), "");
		taf_str_safe(&p->text, s, n);
	} else {
		taf_str_put(&p->text, s, n);
	}
	taf_str_puts(&p->text, "\n");
}

static const struct style text = {
	text_store, text_group, text_item, text_scalar, text_axis, text_property,
	    text_fault,
	text_entry, "", "", "", "", "",
};

/* --- JSON --- */

static void
json_store(struct page *p, const char *name)
{
	taf_str_puts(&p->text, "\"name\":");
	taf_str_json(&p->text, name, strlen(name));
	taf_str_printf(&p->text, ",\"version\":[1,%d]", p->s->minor == 0 ? 0 : 1);
	p->first = false;
}

static void
json_object(struct page *p, const char *name)
{
	taf_str_puts(&p->text, p->first ? "" : ",");
	taf_str_json(&p->text, name, strlen(name));
	taf_str_puts(&p->text, ":{");
	p->first = true;
}

/* JSON has no numbers that are not finite. */
static void
json_value(struct page *p, const char *s, size_t n, bool string)
{
	if (string)
		taf_str_json(&p->text, s, n);
	else if (strspn(s, "-in") > strspn(s, "-"))
		taf_str_puts(&p->text, "null");
	else
		taf_str_put(&p->text, s, n);
}

static void
json_scalar(struct page *p, const char *type, const char *value, size_t n)
{
	taf_str_printf(&p->text, "\"type\":\"%s\",\"value\":",
	    type != NULL ? type : taf_daf_type_name(TAF_DAF_STRING));
	json_value(p, value, n, type == NULL);
}

static void
json_axis(struct page *p, uint64_t length)
{
	taf_str_printf(&p->text, "\"length\":%llu", (unsigned long long)length);
}

static void
json_property(struct page *p, const struct taf_daf_item *it, uint64_t on)
{
	const struct taf_daf_descriptor *d = &it->d;
	const char *codec = taf_daf_foreign(it), *packing = taf_daf_packing(it);

	taf_str_printf(&p->text, "\"format\":\"%s\",\"eltype\":\"%s\",\"shape\":[%llu",
	    d->sparse ? "sparse" : "dense", taf_daf_type_name(d->type),
	    (unsigned long long)it->n[0]);
	if (it->kind == TAF_DAF_MATRIX)
		taf_str_printf(&p->text, ",%llu", (unsigned long long)it->n[1]);
	taf_str_puts(&p->text, "]");
	if (d->sparse)
		taf_str_printf(&p->text, ",\"indtype\":\"%s\",\"stored\":%llu",
		    taf_daf_type_name(d->index.type), (unsigned long long)on);
	else if (d->type == TAF_DAF_BOOL && codec == NULL)
		taf_str_printf(&p->text, ",\"true\":%llu", (unsigned long long)on);
	if (packing != NULL) {
		taf_str_puts(&p->text, ",\"packed\":");
		taf_str_json(&p->text, packing, strlen(packing));
	}
	taf_str_puts(&p->text, it->turned ? ",\"turned\":true" : "");
}

static void
json_fault(struct page *p, const char *why)
{
	taf_str_puts(&p->text, "\"fault\":");
	taf_str_json(&p->text, why, strlen(why));
}

static void
json_entry(struct page *p, const char *s, size_t n, bool string)
{
	taf_str_puts(&p->text, p->first ? "" : ",");
	json_value(p, s, n, string);
	p->first = false;
}

static const struct style json = {
	json_store, json_object, json_object, json_scalar, json_axis, json_property,
	json_fault, json_entry, "{", ",\"entries\":[", "]", "}", "}\n",
};

/* --- entries --- */

static void
flush(struct page *p, size_t most)
{
	if (p->text.buf.len > most)
		p->text.st = taf_out_str(p->how->out, &p->text);
}

static void
put_entry(struct page *p, const char *s, size_t n, bool string)
{
	p->style->entry(p, s, n, string);
	flush(p, FLUSH);
}

static void
put_strings(struct page *p, const struct taf_daf_strings *t)
{
	size_t k;

	for (k = 0; k < t->n; k++)
		put_entry(p, t->bytes.data + t->at[k], t->at[k + 1] - t->at[k], true);
}

static enum taf_status
put_values(struct page *p, const struct taf_daf_item *it, struct taf_err *e)
{
	static const struct taf_number shortest = { .between = ' ', .after = '\n' };
	unsigned type = it->kind == TAF_DAF_SCALAR ? it->scalar.type : it->d.type;
	enum taf_type element = taf_daf_element(type);
	uint64_t left = it->kind == TAF_DAF_SCALAR ? 1 : it->n[0] * it->n[1];
	unsigned char block[BLOCK];
	struct taf_daf_elements *v = NULL;
	struct taf_buf lines = { 0 };
	enum taf_status st = p->how->elements.open(&v, p->how->service, p->s, it, e);
	const char *at, *end;
	size_t n;

	for (; left > 0 && st == TAF_OK && p->text.st == TAF_OK; left -= n) {
		n = left < BLOCK / 8 ? (size_t)left : BLOCK / 8;
		lines.len = 0;
		st = p->how->elements.read(v, block, n, e);
		if (st == TAF_OK)
			st = taf_number_put(&lines, &shortest, element, block, n, e);
		for (at = lines.data; st == TAF_OK && at < lines.data + lines.len;
		    at = end + 1) {
			end = strchr(at, '\n');
			put_entry(p, at, (size_t)(end - at), false);
		}
	}
	taf_buf_free(&lines);
	p->how->elements.close(v);
	return st;
}

/* All entries of a found item. */
static enum taf_status
put_entries(struct page *p, const struct taf_daf_item *it, struct taf_err *e)
{
	const bool scalar = it->kind == TAF_DAF_SCALAR;
	const struct taf_buf *value = &it->scalar.text;
	struct taf_daf_strings t = { 0 };
	enum taf_status st = TAF_OK;

	if ((scalar ? it->scalar.type : it->d.type) != TAF_DAF_STRING)
		return put_values(p, it, e);
	if (scalar)
		put_entry(p, value->data != NULL ? value->data : "", value->len, true);
	else
		st = taf_daf_strings_load(p->s, it, &t, e);
	put_strings(p, &t);
	taf_daf_strings_free(&t);
	return st;
}

static void
open_entries(struct page *p)
{
	taf_str_puts(&p->text, p->style->entries);
	p->first = true;
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
	if (st != TAF_OK && st != TAF_ESYS)
		p->style->fault(p, p->err->text);
	return listed(p, st);
}

static void
close_group(struct page *p)
{
	taf_str_puts(&p->text, p->style->close);
	p->first = false;
}

static void
put_scalar(struct page *p, const struct taf_daf_scalar *v)
{
	static const struct taf_number shortest = { .between = ' ', .after = '\0' };
	const char *type = taf_daf_type_name(v->type);
	struct taf_buf number = { 0 };

	if (v->type == TAF_DAF_STRING)
		p->style->scalar(p, NULL, v->text.data, v->text.len);
	else if (v->type == TAF_DAF_BOOL)
		p->style->scalar(p, type, v->value[0] != 0 ? "true" : "false",
		    v->value[0] != 0 ? 4 : 5);
	else if (listed(p, taf_number_put(&number, &shortest, taf_daf_element(v->type),
	    v->value, 1, p->err)))
		p->style->scalar(p, type, number.data, strlen(number.data));
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
		    "vectors/%s/%s: never read, as the name stands for the "
		    "axis itself", it->axis[0], it->name);
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
	struct taf_err *why = p->err;
	struct taf_daf_sum sum = { 0 };
	enum taf_status st;

	p->style->item(p, name);
	st = taf_daf_find(p->s, it, why);
	if (st == TAF_OK)
		st = taf_daf_check(p->s, it, 0, &sum, why);
	if (!sound(p, st)) {
		close_group(p);
		return;
	}
	if (scalar)
		put_scalar(p, &it->scalar);
	else
		p->style->property(p, it, sum.on);
	if (p->how->entries && !scalar && taf_daf_foreign(it) == NULL) {
		open_entries(p);
		(void)listed(p, put_entries(p, it, why));
		taf_str_puts(&p->text, p->style->entries_end);
	}
	close_group(p);
	if (p->whole && !scalar)
		look_around(p, it);
}

static void
put_axis(struct page *p, const char *name)
{
	struct taf_daf_strings t = { 0 };

	p->style->item(p, name);
	if (sound(p, taf_daf_axis_entries(p->s, name, &t, p->err))) {
		p->style->axis(p, t.n);
		if (p->how->entries) {
			open_entries(p);
			put_strings(p, &t);
			taf_str_puts(&p->text, p->style->entries_end);
		}
	}
	taf_daf_strings_free(&t);
	close_group(p);
}

/* --- the whole store --- */

static void
open_group(struct page *p, const char *name)
{
	p->style->group(p, name);
	p->depth++;
	p->first = true;
}

static void
end_group(struct page *p)
{
	p->depth--;
	p->section = NULL;
	close_group(p);
}

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
		open_group(p, group);
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

static void
put_vectors(struct page *p, const struct taf_names *axes)
{
	struct taf_err ignored = { 0 };
	size_t k;

	open_group(p, "vectors");
	for (k = 0; k < axes->n && p->text.st == TAF_OK; k++)
		if (taf_daf_name_check(axes->name[k], &ignored) == TAF_OK)
			put_items(p, axes->name[k], TAF_DAF_VECTOR, axes->name[k], NULL);
	end_group(p);
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

static void
put_matrices(struct page *p, const struct taf_names *axes)
{
	struct taf_err ignored = { 0 };
	size_t i, k;

	open_group(p, "matrices");
	for (i = 0; i < axes->n && p->text.st == TAF_OK; i++) {
		struct taf_names there = { 0 };
		char *rows = axes->name[i], *columns;
		/* most pairs have none: no look at each */
		bool some = taf_daf_name_check(rows, &ignored) == TAF_OK &&
		    listed(p, taf_daf_properties(p->s, TAF_DAF_MATRIX, rows, NULL, &there,
		    p->err)) && there.n > 0;

		for (k = 0; k < axes->n && some && p->text.st == TAF_OK; k++) {
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
put_store(struct page *p)
{
	const char *slash = strrchr(p->s->real, '/');
	struct taf_err *why = p->err;
	struct taf_names names = { 0 };
	struct stat sb;
	bool unfinished;
	size_t k;

	if (listed(p, taf_daf_look(p->s, TAF_DAF_REORDERING, &unfinished, &sb, why)) &&
	    unfinished)
		taf_remark(p->how->service,
		    "a reordering of axes was interrupted (.reorder.backup)");
	taf_str_puts(&p->text, p->style->begin);
	p->style->store(p, slash[1] != '\0' ? slash + 1 : slash);
	put_items(p, "scalars", TAF_DAF_SCALAR, NULL, NULL);
	if (listed(p, taf_daf_axes(p->s, &names, why))) {
		open_group(p, "axes");
		for (k = 0; k < names.n && p->text.st == TAF_OK; k++) {
			put_axis(p, names.name[k]);
			flush(p, FLUSH);
		}
		end_group(p);
	}
	put_vectors(p, &names);
	put_matrices(p, &names);
	taf_names_free(&names);
	taf_str_puts(&p->text, p->style->end);
}

enum taf_status
taf_daf_page(const struct taf_daf_page *how, struct taf_err *e)
{
	struct page p = { .how = how, .s = how->s, .err = e, .whole = true,
		.style = how->json ? &json : &text, .text = { .err = e } };

	put_store(&p);
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
	struct page p = { .how = how, .s = how->s, .err = e, .first = true,
		.style = how->json ? &json : &text, .text = { .err = e } };
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
		taf_str_puts(&p.text, p.style->begin);
		if (axis != NULL)
			put_axis(&p, axis);
		else
			put_item(&p, item, &it);
		taf_str_puts(&p.text, p.style->end);
	}
	flush(&p, 0);
	taf_str_free(&p.text);
	taf_daf_strings_free(&t);
	taf_daf_item_free(&it);
	return st != TAF_OK ? st : p.text.st;
}
