#include "cli/daf_page.h"

#include <stdlib.h>
#include <string.h>

#include "cli/daf.h"
#include "cli/number.h"
#include "cli/text.h"
#include "codec/daf_compare.h"

enum { BLOCK = 8192, FLUSH = 64 * 1024 };

/* A page that is being printed. */
struct page {
	struct cmd_run *run;
	const struct taf_daf *s;
	bool entries;
	bool whole;		/* of the store, not of an item */
	struct taf_buf text;
	struct taf_err *e;	/* of the output */
	enum taf_status st;	/* the first failure of the output */
	bool first;		/* JSON: nothing stands in front in this object */
};

static void
put(struct page *p, const char *s)
{
	if (p->st == TAF_OK)
		p->st = taf_buf_puts(&p->text, s, p->e);
}

static void
put_number(struct page *p, uint64_t v)
{
	if (p->st == TAF_OK)
		p->st = taf_buf_printf(&p->text, p->e, "%llu", (unsigned long long)v);
}

/* A name or a text for people, with no byte that a terminal would obey. */
static void
put_name(struct page *p, const char *s)
{
	if (p->st == TAF_OK)
		p->st = cmd_put_quoted(&p->text, s, strlen(s), p->e);
}

static void
put_string(struct page *p, const char *s, size_t n)
{
	if (p->st == TAF_OK)
		p->st = cmd_json_string(&p->text, s, n, p->e);
}

/* JSON: the next key of an object. */
static void
put_key(struct page *p, const char *key)
{
	put(p, p->first ? "" : ",");
	put_string(p, key, strlen(key));
	put(p, ":");
	p->first = false;
}

static void
put_pair(struct page *p, const char *key, const char *value)
{
	put_key(p, key);
	put_string(p, value, strlen(value));
}

static void
put_count(struct page *p, const char *key, uint64_t v)
{
	put_key(p, key);
	put_number(p, v);
}

static void
flush(struct page *p, size_t most)
{
	if (p->st != TAF_OK || p->text.len <= most)
		return;
	p->st = taf_out_write(p->run->out, p->text.data, p->text.len, p->e);
	p->text.len = 0;
}

/* --- entries --- */

/* An entry on a line of its own, or in a list of JSON. */
static void
put_entry(struct page *p, const char *indent, const char *s, size_t n, bool string)
{
	put(p, p->run->json ? p->first ? "" : "," : indent);
	p->first = false;
	if (p->run->json && string)
		put_string(p, s, n);
	else if (p->st == TAF_OK)
		p->st = indent[0] != '\0' && string ?
		    cmd_put_quoted(&p->text, s, n, p->e) : taf_buf_put(&p->text, s, n, p->e);
	put(p, p->run->json ? "" : "\n");
	flush(p, FLUSH);
}

static void
put_strings(struct page *p, const char *indent, const struct taf_daf_strings *t)
{
	size_t k;

	for (k = 0; k < t->n; k++)
		put_entry(p, indent, t->bytes.data + t->at[k], t->at[k + 1] - t->at[k], true);
}

/* Numbers: JSON has none that are not finite. */
static enum taf_status
put_values(struct page *p, const char *indent, const struct taf_daf_item *it,
    struct taf_err *e)
{
	static const struct cmd_number shortest = { .between = ' ', .after = '\n' };
	unsigned type = it->kind == TAF_DAF_SCALAR ? it->scalar.type : it->d.type;
	enum taf_type element = taf_daf_element(type);
	uint64_t left = it->kind == TAF_DAF_SCALAR ? 1 : it->n[0] * it->n[1];
	unsigned char block[BLOCK];
	struct cmd_daf_values *v = NULL;
	struct taf_buf lines = { 0 };
	enum taf_status st = cmd_daf_open(&v, p->run, p->s, it, e);
	const char *at, *end;
	size_t n;

	for (; left > 0 && st == TAF_OK && p->st == TAF_OK; left -= n) {
		n = left < BLOCK / 8 ? (size_t)left : BLOCK / 8;
		lines.len = 0;
		st = cmd_daf_read(v, block, n, e);
		if (st == TAF_OK)
			st = cmd_number_put(&lines, &shortest, element, block, n, e);
		for (at = lines.data; st == TAF_OK && at < lines.data + lines.len;
		    at = end + 1) {
			end = strchr(at, '\n');
			if (p->run->json && strspn(at, "-in") > strspn(at, "-"))
				put_entry(p, indent, "null", 4, false);
			else
				put_entry(p, indent, at, (size_t)(end - at), false);
		}
	}
	taf_buf_free(&lines);
	cmd_daf_close(v);
	return st;
}

/* All entries of a found item, or of an axis where that is not NULL. */
static enum taf_status
put_entries(struct page *p, const char *indent, const char *axis,
    const struct taf_daf_item *it, struct taf_err *e)
{
	unsigned type = it->kind == TAF_DAF_SCALAR ? it->scalar.type : it->d.type;
	struct taf_daf_strings t = { 0 };
	enum taf_status st = TAF_OK;

	if (p->run->json)
		put_key(p, "entries");
	put(p, p->run->json ? "[" : "");
	p->first = true;
	if (axis != NULL)
		st = taf_daf_axis_entries(p->s, axis, &t, e);
	else if (type == TAF_DAF_STRING && it->kind != TAF_DAF_SCALAR)
		st = taf_daf_strings_load(p->s, it, &t, e);
	else if (type == TAF_DAF_STRING)
		put_entry(p, indent, it->scalar.text.data != NULL ? it->scalar.text.data : "",
		    it->scalar.text.len, true);
	else
		st = put_values(p, indent, it, e);
	put_strings(p, indent, &t);
	put(p, p->run->json ? "]" : "");
	p->first = false;
	taf_daf_strings_free(&t);
	return st;
}

/* --- items --- */

static void
put_percent(struct page *p, uint64_t part, uint64_t all)
{
	double share = all > 0 ? 100.0 * (double)part / (double)all : 0;
	uint64_t whole = (uint64_t)(share + 0.5);

	if (whole == 0 && part > 0)
		put(p, "<1");
	else if (whole == 100 && part < all)
		put(p, ">99");
	else
		put_number(p, whole);
	put(p, "%");
}

/* The value of a scalar. */
static enum taf_status
put_scalar(struct page *p, const struct taf_daf_scalar *v, struct taf_err *e)
{
	static const struct cmd_number shortest = { .between = ' ', .after = '\0' };
	struct taf_buf text = { 0 };
	enum taf_status st = TAF_OK;

	if (v->type == TAF_DAF_STRING && p->run->json) {
		put_string(p, v->text.data != NULL ? v->text.data : "", v->text.len);
	} else if (v->type == TAF_DAF_STRING) {
		put(p, "\"");
		if (p->st == TAF_OK && v->text.len > 0)
			p->st = cmd_put_quoted(&p->text, v->text.data, v->text.len, p->e);
		put(p, "\"");
	} else if (v->type == TAF_DAF_BOOL) {
		put(p, v->value[0] != 0 ? "true" : "false");
	} else {
		st = cmd_number_put(&text, &shortest, taf_daf_element(v->type), v->value, 1, e);
		if (st == TAF_OK)
			put(p, p->run->json && strspn(text.data, "-in") >
			    strspn(text.data, "-") ? "null" : text.data);
		taf_buf_free(&text);
	}
	return st;
}

/* "3 x 4 x Float32 in Columns (Sparse UInt32 25%, 3 stored)", as Julia describes it. */
static void
put_kind(struct page *p, const struct taf_daf_item *it, uint64_t on)
{
	const struct taf_daf_descriptor *d = &it->d;
	const char *codec = taf_daf_foreign(it);

	put_number(p, it->n[0]);
	if (it->kind == TAF_DAF_MATRIX) {
		put(p, " x ");
		put_number(p, it->n[1]);
	}
	put(p, " x ");
	put(p, d->type == TAF_DAF_STRING ? "Str" : taf_daf_type_name(d->type));
	if (it->kind == TAF_DAF_MATRIX)
		put(p, it->turned ? " in Rows" : " in Columns");
	if (d->sparse) {
		put(p, " (Sparse ");
		put(p, taf_daf_type_name(d->index.type));
		put(p, " ");
		put_percent(p, on, it->n[0] * it->n[1]);
		put(p, ", ");
		put_number(p, on);
		put(p, " stored");
	} else {
		put(p, " (Dense");
		if (d->type == TAF_DAF_BOOL && codec == NULL && it->n[0] * it->n[1] > 0) {
			put(p, "; ");
			put_percent(p, on, it->n[0] * it->n[1]);
			put(p, " true");
		}
	}
	if (d->value.packed || d->index.packed || d->colptr.packed) {
		put(p, ", packed ");
		put(p, codec != NULL ? codec : "gzip");
	}
	put(p, ")");
}

static void
put_facts(struct page *p, const struct taf_daf_item *it, uint64_t on)
{
	const struct taf_daf_descriptor *d = &it->d;
	const char *codec = taf_daf_foreign(it);

	put_pair(p, "format", d->sparse ? "sparse" : "dense");
	put_pair(p, "eltype", taf_daf_type_name(d->type));
	put_key(p, "shape");
	put(p, "[");
	put_number(p, it->n[0]);
	if (it->kind == TAF_DAF_MATRIX) {
		put(p, ",");
		put_number(p, it->n[1]);
	}
	put(p, "]");
	if (d->sparse) {
		put_pair(p, "indtype", taf_daf_type_name(d->index.type));
		put_count(p, "stored", on);
	} else if (d->type == TAF_DAF_BOOL && codec == NULL) {
		put_count(p, "true", on);
	}
	if (d->value.packed || d->index.packed || d->colptr.packed)
		put_pair(p, "packed", codec != NULL ? codec : "gzip");
	if (it->turned) {
		put_key(p, "turned");
		put(p, "true");
	}
}

/* A fault of one item, in its place; the run goes on, and ends with its status. */
static void
put_fault(struct page *p, size_t from)
{
	struct taf_err *why = &p->run->err;

	/* the system's faults are none of the store */
	if (why->code == TAF_ESYS) {
		p->st = TAF_ESYS;
		return;
	}
	/* a line that was begun is given up */
	if (p->text.len > from)
		p->text.len = from;
	if (p->run->json) {
		p->first = true;
		put(p, "{");
		put_pair(p, "fault", why->text);
	} else {
		put(p, " faulty: ");
		put_name(p, why->text);
	}
	cmd_report(p->run, p->s->path);
}

/* What cannot be listed is a fault of the store, or the end. */
static bool
listed(struct page *p, enum taf_status st)
{
	if (st == TAF_ESYS)
		p->st = st;
	else if (st != TAF_OK)
		cmd_report(p->run, p->s->path);
	return st == TAF_OK;
}

/* What only a look at other files than its own shows of a sound item. */
static void
look_around(struct page *p, const struct taf_daf_item *it)
{
	struct taf_err *why = &p->run->err;
	struct taf_buf name = { 0 }, stale = { 0 };
	enum taf_status st = taf_daf_item_path(it, "", &name, why);
	bool differ = false, reserved = it->kind == TAF_DAF_VECTOR &&
	    (it->indices || strcmp(it->name, "name") == 0);

	if (reserved)
		cmd_remark(p->run, "vectors/%s/%s: never read, as the name stands for the "
		    "axis itself", it->axis[0], it->name);
	else if (st == TAF_OK)
		st = taf_daf_stale(p->s, it, &stale, why);
	if (st == TAF_OK && stale.len > 0)
		cmd_remark(p->run, "%s: its descriptor says nothing of %s", name.data,
		    stale.data);
	/* once for both layouts */
	if (st == TAF_OK && it->kind == TAF_DAF_MATRIX &&
	    strcmp(it->axis[0], it->axis[1]) < 0)
		st = taf_daf_compare(p->s, it, &differ, why);
	if (st == TAF_OK && differ)
		st = taf_fail(why, TAF_EDATA, "%s: not the transpose of matrices/%s/%s/%s",
		    name.data, it->axis[1], it->axis[0], it->name);
	(void)listed(p, st);
	taf_buf_free(&name);
	taf_buf_free(&stale);
}

/* What there is to say of an item behind its name, up to the end of its line. */
static void
put_item(struct page *p, const char *indent, struct taf_daf_item *it)
{
	struct taf_err *why = &p->run->err;
	size_t from = p->text.len;
	uint64_t on = 0;
	enum taf_status st = taf_daf_find(p->s, it, why);

	if (st == TAF_OK)
		st = taf_daf_check(p->s, it, &on, why);
	p->first = true;
	put(p, p->run->json ? "{" : " ");
	if (st == TAF_OK && it->kind == TAF_DAF_SCALAR) {
		if (p->run->json) {
			put_pair(p, "type", taf_daf_type_name(it->scalar.type));
			put_key(p, "value");
		}
		st = put_scalar(p, &it->scalar, why);
		if (!p->run->json && it->scalar.type != TAF_DAF_STRING) {
			put(p, " (");
			put(p, taf_daf_type_name(it->scalar.type));
			put(p, ")");
		}
	} else if (st == TAF_OK && p->run->json) {
		put_facts(p, it, on);
	} else if (st == TAF_OK) {
		put_kind(p, it, on);
	}
	if (st != TAF_OK)
		put_fault(p, from);
	put(p, p->run->json ? "" : "\n");
	if (st == TAF_OK && p->entries && taf_daf_foreign(it) == NULL &&
	    it->kind != TAF_DAF_SCALAR)
		(void)listed(p, put_entries(p, indent, NULL, it, why));
	put(p, p->run->json ? "}" : "");
	p->first = false;
	if (st == TAF_OK && p->whole && it->kind != TAF_DAF_SCALAR)
		look_around(p, it);
}

static void
put_axis(struct page *p, const char *indent, const char *axis)
{
	struct taf_err *why = &p->run->err;
	struct taf_daf_strings t = { 0 };
	struct taf_daf_item none = { 0 };
	size_t from = p->text.len;
	enum taf_status st = taf_daf_axis_entries(p->s, axis, &t, why);

	p->first = true;
	put(p, p->run->json ? "{" : " ");
	if (st == TAF_OK && p->run->json) {
		put_count(p, "length", t.n);
	} else if (st == TAF_OK) {
		put_number(p, t.n);
		put(p, " entries");
	} else {
		put_fault(p, from);
	}
	put(p, p->run->json ? "" : "\n");
	taf_daf_strings_free(&t);
	if (st == TAF_OK && p->entries)
		(void)listed(p, put_entries(p, indent, axis, &none, why));
	put(p, p->run->json ? "}" : "");
	p->first = false;
}

/* --- the whole store --- */

/* A name and what follows it: behind the indent, or as a key. */
static void
put_head(struct page *p, const char *indent, const char *name)
{
	if (p->run->json) {
		put_key(p, name);
		return;
	}
	put(p, indent);
	put_name(p, name);
	put(p, ":");
}

/* All properties of a list. */
static void
put_items(struct page *p, const char *indent, enum taf_daf_kind kind, char *rows,
    char *columns, const struct taf_names *names)
{
	char deeper[16];
	size_t k;

	memset(deeper, ' ', sizeof deeper);
	deeper[strlen(indent) + 2] = '\0';
	for (k = 0; k < names->n && p->st == TAF_OK; k++) {
		struct taf_daf_item it = { .kind = kind, .axis = { rows, columns },
			.name = names->name[k], .n = { 1, 1 } };

		put_head(p, indent, names->name[k]);
		put_item(p, deeper, &it);
		taf_buf_free(&it.scalar.text);
		flush(p, FLUSH);
	}
}

static void
open_section(struct page *p, const char *name)
{
	if (p->run->json)
		put_key(p, name);
	else
		put(p, name);
	put(p, p->run->json ? "{" : ":\n");
	p->first = true;
}

static void
close_section(struct page *p)
{
	put(p, p->run->json ? "}" : "");
	p->first = false;
}

static void
put_vectors(struct page *p, const struct taf_names *axes)
{
	struct taf_err *why = &p->run->err, ignored = { 0 };
	bool any = p->run->json;
	size_t k;

	if (any)
		open_section(p, "vectors");
	for (k = 0; k < axes->n && p->st == TAF_OK; k++) {
		struct taf_names names = { 0 };

		if (taf_daf_name_check(axes->name[k], &ignored) == TAF_OK &&
		    listed(p, taf_daf_vectors(p->s, axes->name[k], &names, why)) &&
		    names.n > 0) {
			if (!any)
				open_section(p, "vectors");
			any = true;
			put_head(p, "  ", axes->name[k]);
			put(p, p->run->json ? "{" : "\n");
			p->first = true;
			put_items(p, "    ", TAF_DAF_VECTOR, axes->name[k], NULL, &names);
			close_section(p);
		}
		taf_names_free(&names);
	}
	if (p->run->json)
		close_section(p);
}

/* The matrices of a pair of axes; *any is whether something was put of any pair. */
static void
put_pair_of(struct page *p, char *rows, char *columns, bool *any)
{
	struct taf_names names = { 0 };
	struct taf_buf pair = { 0 };

	if (listed(p, taf_daf_matrices(p->s, rows, columns, &names, &p->run->err)) &&
	    names.n > 0) {
		if (!*any)
			open_section(p, "matrices");
		*any = true;
		p->st = taf_buf_printf(&pair, p->e, "%s,%s", rows, columns);
		if (p->st == TAF_OK)
			put_head(p, "  ", pair.data);
		put(p, p->run->json ? "{" : "\n");
		p->first = true;
		put_items(p, "    ", TAF_DAF_MATRIX, rows, columns, &names);
		close_section(p);
	}
	taf_names_free(&names);
	taf_buf_free(&pair);
}

static void
put_matrices(struct page *p, const struct taf_names *axes)
{
	struct taf_err *why = &p->run->err, ignored = { 0 };
	bool any = p->run->json;
	size_t i, k;

	if (any)
		open_section(p, "matrices");
	for (i = 0; i < axes->n && p->st == TAF_OK; i++) {
		struct taf_names there = { 0 };
		char *rows = axes->name[i], *columns;
		/* most pairs have none: no look at each */
		bool some = taf_daf_name_check(rows, &ignored) == TAF_OK &&
		    listed(p, taf_daf_columns(p->s, rows, &there, why)) && there.n > 0;

		for (k = 0; k < axes->n && some && p->st == TAF_OK; k++) {
			columns = axes->name[k];
			if (taf_names_has(&there, columns) &&
			    taf_daf_name_check(columns, &ignored) == TAF_OK)
				put_pair_of(p, rows, columns, &any);
		}
		taf_names_free(&there);
	}
	if (p->run->json)
		close_section(p);
}

static void
put_store(struct page *p)
{
	const char *slash = strrchr(p->s->real, '/');
	struct taf_err *why = &p->run->err;
	struct taf_names names = { 0 };
	bool unfinished;
	size_t k;

	if (listed(p, taf_daf_reordering(p->s, &unfinished, why)) && unfinished)
		cmd_remark(p->run, "a reordering of axes was interrupted (.reorder.backup)");
	if (p->run->json) {
		put(p, "{");
		p->first = true;
		put_pair(p, "name", slash[1] != '\0' ? slash + 1 : slash);
		put_key(p, "version");
		put(p, p->s->minor == 0 ? "[1,0]" : "[1,1]");
	} else {
		put(p, "name: ");
		put_name(p, slash[1] != '\0' ? slash + 1 : slash);
		put(p, p->s->minor == 0 ? "\ntype: FilesDaf [1,0]\n" :
		    "\ntype: FilesDaf [1,1]\n");
	}
	if (listed(p, taf_daf_scalars(p->s, &names, why)) &&
	    (names.n > 0 || p->run->json)) {
		open_section(p, "scalars");
		put_items(p, "  ", TAF_DAF_SCALAR, NULL, NULL, &names);
		close_section(p);
	}
	taf_names_free(&names);
	if (listed(p, taf_daf_axes(p->s, &names, why)) && (names.n > 0 || p->run->json)) {
		open_section(p, "axes");
		for (k = 0; k < names.n && p->st == TAF_OK; k++) {
			put_head(p, "  ", names.name[k]);
			put_axis(p, "    ", names.name[k]);
			flush(p, FLUSH);
		}
		close_section(p);
	}
	put_vectors(p, &names);
	put_matrices(p, &names);
	taf_names_free(&names);
	put(p, p->run->json ? "}\n" : "");
}

enum taf_status
cmd_daf_page(struct cmd_run *run, const struct taf_daf *s, bool entries, struct taf_err *e)
{
	struct page p = { .run = run, .s = s, .entries = entries, .whole = true, .e = e };

	if (cmd_out(run) == NULL)
		return TAF_OK;
	put_store(&p);
	flush(&p, 0);
	taf_buf_free(&p.text);
	return p.st;
}

/* With a single item there is nobody else to spare: a fault is the end. */
static enum taf_status
check_one(const struct page *p, struct taf_daf_item *it, const char *axis,
    struct taf_err *e)
{
	struct taf_daf_strings t = { 0 };
	enum taf_status st;
	uint64_t on;

	if (axis != NULL) {
		st = taf_daf_axis_entries(p->s, axis, &t, e);
		taf_daf_strings_free(&t);
		return st;
	}
	st = taf_daf_find(p->s, it, e);
	return st == TAF_OK ? taf_daf_check(p->s, it, &on, e) : st;
}

static enum taf_status
put_one(struct page *p, const char *item, struct taf_daf_item *it, const char *axis,
    struct taf_err *e)
{
	if (p->entries && !p->run->json)
		return put_entries(p, "", axis, it, e);
	if (p->run->json) {
		put(p, "{");
		p->first = true;
		put_key(p, item);
	} else {
		put_name(p, item);
		put(p, ":");
	}
	if (axis != NULL)
		put_axis(p, "", axis);
	else
		put_item(p, "", it);
	put(p, p->run->json ? "}\n" : "");
	return TAF_OK;
}

enum taf_status
cmd_daf_page_item(struct cmd_run *run, const struct taf_daf *s, const char *item,
    bool entries, struct taf_err *e)
{
	struct page p = { .run = run, .s = s, .entries = entries, .e = e };
	struct taf_daf_item it = { 0 };
	const char *axis = NULL;
	struct taf_names names = { 0 };
	enum taf_status st;

	if (cmd_out(run) == NULL)
		return TAF_OK;
	st = taf_daf_item_parse(&it, item, e);
	if (st == TAF_OK && it.kind == TAF_DAF_SCALAR)
		st = taf_daf_scalars(s, &names, e);
	/* a name that no scalar has may be an axis */
	if (st == TAF_OK && it.kind == TAF_DAF_SCALAR && !taf_names_has(&names, item) &&
	    taf_daf_has_axis(s, item))
		axis = item;
	taf_names_free(&names);
	if (st == TAF_OK)
		st = check_one(&p, &it, axis, e);
	if (st == TAF_OK)
		st = put_one(&p, item, &it, axis, e);
	flush(&p, 0);
	taf_buf_free(&p.text);
	taf_daf_item_free(&it);
	return st != TAF_OK ? st : p.st;
}
