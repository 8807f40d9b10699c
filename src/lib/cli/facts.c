#include "cli/facts.h"

#include <string.h>

#include "base/num.h"
#include "cli/text.h"

static enum taf_status
put_u64(const struct cmd_facts *f, uint64_t v)
{
	return taf_buf_printf(f->to, f->e, "%llu", (unsigned long long)v);
}

static enum taf_status
put_f64(const struct cmd_facts *f, double v)
{
	return f->json ? cmd_json_f64(f->to, v, f->e) : cmd_put_f64(f->to, v, f->e);
}

static enum taf_status
put_text(const struct cmd_facts *f, const char *s, size_t n)
{
	return f->json ? cmd_json_string(f->to, s, n, f->e) : taf_buf_put(f->to, s, n, f->e);
}

static enum taf_status
put_string(const struct cmd_facts *f, const char *s)
{
	if (s == NULL)
		return f->json ? taf_buf_puts(f->to, "null", f->e) : TAF_OK;
	return put_text(f, s, strlen(s));
}

static enum taf_status
put_version(const struct cmd_facts *f)
{
	if (f->taf == NULL)
		return put_string(f, NULL);
	return taf_buf_printf(f->to, f->e, f->json ? "\"%d.%d\"" : "%d.%d",
	    f->taf->form.major, f->taf->form.minor);
}

static enum taf_status
put_shape(const struct cmd_facts *f)
{
	enum taf_status st = f->json ? taf_buf_puts(f->to, "[", f->e) : TAF_OK;
	unsigned k;

	for (k = 0; k < f->a->ndim && st == TAF_OK; k++) {
		if (k > 0)
			st = taf_buf_puts(f->to, ",", f->e);
		if (st == TAF_OK)
			st = put_u64(f, f->a->dim[k].n);
	}
	if (st == TAF_OK && f->json)
		st = taf_buf_puts(f->to, "]", f->e);
	return st;
}

static enum taf_status
put_comment(const struct cmd_facts *f)
{
	return put_text(f, f->a->comment.len > 0 ? f->a->comment.data : "",
	    f->a->comment.len);
}

/* n1, o1, d1, label1, unit1, n2, ... */
static enum taf_status
put_dim(const struct cmd_facts *f, const char *stem, unsigned k)
{
	const struct taf_dim *d = &f->a->dim[k - 1];

	if (strcmp(stem, "n") == 0)
		return put_u64(f, d->n);
	if (strcmp(stem, "o") == 0)
		return put_f64(f, d->start);
	if (strcmp(stem, "d") == 0)
		return put_f64(f, d->step);
	return put_string(f, taf_attr_get(f->a, stem, TAF_OF_DIM, k));
}

/* The value of one of the fixed keys; TAF_END if key is none of them. */
static enum taf_status
put_fixed(const struct cmd_facts *f, const char *key)
{
	const struct taf_array *a = f->a;

	if (strcmp(key, "file") == 0)
		return put_string(f, f->file);
	if (strcmp(key, "format") == 0)
		return put_string(f, f->taf != NULL ? "taf" : "rsf");
	if (strcmp(key, "version") == 0)
		return put_version(f);
	if (strcmp(key, "type") == 0)
		return put_string(f, taf_type_name(a->type));
	if (strcmp(key, "code") == 0)
		return put_u64(f, a->code);
	if (strcmp(key, "intercept") == 0)
		return put_f64(f, a->intercept);
	if (strcmp(key, "slope") == 0)
		return put_f64(f, a->slope);
	if (strcmp(key, "ndim") == 0)
		return put_u64(f, a->ndim);
	if (strcmp(key, "shape") == 0)
		return put_shape(f);
	if (strcmp(key, "count") == 0)
		return put_u64(f, taf_array_count(a));
	if (strcmp(key, "bytes") == 0)
		return put_u64(f, taf_array_bytes(a));
	if (strcmp(key, "offset") == 0)
		return put_u64(f, f->offset);
	if (strcmp(key, "comment_offset") == 0)
		return f->taf != NULL ? put_u64(f, f->taf->comment) : put_string(f, NULL);
	if (strcmp(key, "size") == 0)
		return f->taf != NULL ? put_u64(f, f->taf->size) : put_string(f, NULL);
	if (strcmp(key, "comment") == 0)
		return put_comment(f);
	return TAF_END;
}

static const char *const fixed[] = {
	"file", "format", "version", "type", "code", "intercept", "slope", "ndim", "shape",
	"count", "bytes", "offset", "comment_offset", "size", "comment",
};

static const char *const stems[] = { "n", "o", "d", "label", "unit" };

/* The value of key, key@2 of dimension 2, or key@c1 of component 1; NULL for none. */
static const char *
attribute(const struct taf_array *a, const char *key)
{
	const char *at = strrchr(key, '@');
	enum taf_scope scope;
	uint64_t index;
	size_t i;

	if (at == NULL || taf_attr_get(a, key, TAF_OF_ARRAY, 0) != NULL)
		return taf_attr_get(a, key, TAF_OF_ARRAY, 0);
	scope = at[1] == 'c' ? TAF_OF_COMPONENT : TAF_OF_DIM;
	i = scope == TAF_OF_DIM ? 1 : 2;
	if (!taf_parse_u64(at + i, strlen(at + i), &index))
		return NULL;
	for (i = 0; i < a->nattrs; i++)
		if (a->attrs[i].scope == scope && a->attrs[i].index == index &&
		    strlen(a->attrs[i].key) == (size_t)(at - key) &&
		    memcmp(a->attrs[i].key, key, (size_t)(at - key)) == 0)
			return a->attrs[i].value;
	return NULL;
}

/* One value alone: a fixed key, one of a dimension, or an attribute. */
enum taf_status
cmd_facts_value(const struct cmd_facts *f, const char *key)
{
	enum taf_status st = put_fixed(f, key);
	const char *value;
	size_t i, n;
	uint64_t k;

	for (i = 0; i < sizeof stems / sizeof stems[0] && st == TAF_END; i++) {
		n = strlen(stems[i]);
		if (strncmp(key, stems[i], n) != 0 ||
		    !taf_parse_u64(key + n, strlen(key + n), &k) || key[n] == '0')
			continue;
		if (k > f->a->ndim)
			return taf_fail(f->e, TAF_EDATA, "%s: the array has %u dimensions",
			    key, f->a->ndim);
		st = put_dim(f, stems[i], (unsigned)k);
	}
	if (st == TAF_END) {
		value = attribute(f->a, key);
		st = value != NULL ? put_string(f, value) :
		    taf_fail(f->e, TAF_EDATA, "no value called %s", key);
	}
	if (st == TAF_OK && (f->to->len == 0 || f->to->data[f->to->len - 1] != '\n' ||
	    strcmp(key, "comment") != 0))
		st = taf_buf_puts(f->to, "\n", f->e);
	return st;
}

static enum taf_status
json_attributes(const struct cmd_facts *f)
{
	enum taf_status st = taf_buf_puts(f->to, ",\"attributes\":{", f->e);
	const struct taf_array *a = f->a;
	struct taf_buf key = { 0 };
	bool first = true;
	size_t i;

	for (i = 0; i < a->nattrs && st == TAF_OK; i++) {
		const struct taf_attr *t = &a->attrs[i];

		if (t->scope == TAF_OF_DIM &&
		    (strcmp(t->key, "label") == 0 || strcmp(t->key, "unit") == 0))
			continue;
		key.len = 0;
		st = taf_buf_puts(&key, t->key, f->e);
		if (st == TAF_OK && t->scope != TAF_OF_ARRAY)
			st = taf_buf_printf(&key, f->e,
			    t->scope == TAF_OF_DIM ? "@%u" : "@c%u", t->index);
		if (st == TAF_OK && !first)
			st = taf_buf_puts(f->to, ",", f->e);
		if (st == TAF_OK)
			st = put_text(f, key.data, key.len);
		if (st == TAF_OK)
			st = taf_buf_puts(f->to, ":", f->e);
		if (st == TAF_OK)
			st = put_string(f, t->value);
		first = false;
	}
	taf_buf_free(&key);
	return st != TAF_OK ? st : taf_buf_puts(f->to, "}", f->e);
}

enum taf_status
cmd_facts_json(const struct cmd_facts *f)
{
	enum taf_status st = TAF_OK;
	size_t i;
	unsigned k;

	for (i = 0; i < sizeof fixed / sizeof fixed[0] && st == TAF_OK; i++) {
		st = taf_buf_printf(f->to, f->e, "%s\"%s\":", i == 0 ? "{" : ",", fixed[i]);
		if (st == TAF_OK)
			st = put_fixed(f, fixed[i]);
	}
	for (k = 1; k <= f->a->ndim; k++)
		for (i = 0; i < sizeof stems / sizeof stems[0] && st == TAF_OK; i++) {
			st = taf_buf_printf(f->to, f->e, ",\"%s%u\":", stems[i], k);
			if (st == TAF_OK)
				st = put_dim(f, stems[i], k);
		}
	if (st == TAF_OK)
		st = json_attributes(f);
	return st != TAF_OK ? st : taf_buf_puts(f->to, "}\n", f->e);
}

static enum taf_status
page_dims(const struct cmd_facts *f)
{
	enum taf_status st = TAF_OK;
	unsigned k;

	for (k = 1; k <= f->a->ndim && st == TAF_OK; k++) {
		const struct taf_dim *d = &f->a->dim[k - 1];
		const char *label = taf_attr_get(f->a, "label", TAF_OF_DIM, k);
		const char *unit = taf_attr_get(f->a, "unit", TAF_OF_DIM, k);

		st = taf_buf_printf(f->to, f->e, "dimension %u    %llu from ", k,
		    (unsigned long long)d->n);
		if (st == TAF_OK)
			st = put_f64(f, d->start);
		if (st == TAF_OK)
			st = taf_buf_puts(f->to, " step ", f->e);
		if (st == TAF_OK)
			st = put_f64(f, d->step);
		if (st == TAF_OK && unit != NULL)
			st = taf_buf_puts(f->to, " ", f->e);
		if (st == TAF_OK && unit != NULL)
			st = cmd_put_quoted(f->to, unit, strlen(unit), f->e);
		if (st == TAF_OK && label != NULL)
			st = taf_buf_puts(f->to, "  (", f->e);
		if (st == TAF_OK && label != NULL)
			st = cmd_put_quoted(f->to, label, strlen(label), f->e);
		if (st == TAF_OK)
			st = taf_buf_puts(f->to, label != NULL ? ")\n" : "\n", f->e);
	}
	return st;
}

/* Lines and tabs stay; what could steer a terminal does not. */
static enum taf_status
page_comment(const struct cmd_facts *f)
{
	const char *s = f->a->comment.data;
	size_t n = f->a->comment.len, at, end;
	enum taf_status st = TAF_OK;

	for (at = 0; at < n && st == TAF_OK; at = end + 1) {
		for (end = at; end < n && s[end] != '\n' && s[end] != '\t'; end++)
			;
		st = cmd_put_quoted(f->to, s + at, end - at, f->e);
		if (st == TAF_OK)
			st = taf_buf_put(f->to, end < n ? s + end : "\n", 1, f->e);
	}
	if (st == TAF_OK && n > 0 && s[n - 1] == '\t')
		st = taf_buf_puts(f->to, "\n", f->e);
	return st;
}

static enum taf_status
page_rest(const struct cmd_facts *f)
{
	const struct taf_array *a = f->a;
	enum taf_status st;
	size_t i;

	st = taf_buf_printf(f->to, f->e, "data           %llu bytes at %llu\n",
	    (unsigned long long)taf_array_bytes(a), (unsigned long long)f->offset);
	if (st == TAF_OK && f->taf != NULL)
		st = taf_buf_printf(f->to, f->e, "comment        %zu bytes at %llu\n",
		    a->comment.len, (unsigned long long)f->taf->comment);
	else if (st == TAF_OK)
		st = taf_buf_printf(f->to, f->e, "comment        %zu bytes\n", a->comment.len);
	for (i = 0; i < a->nattrs && st == TAF_OK; i++) {
		const struct taf_attr *t = &a->attrs[i];

		if (t->scope == TAF_OF_DIM &&
		    (strcmp(t->key, "label") == 0 || strcmp(t->key, "unit") == 0))
			continue;
		st = taf_buf_puts(f->to, "attribute      ", f->e);
		if (st == TAF_OK)
			st = cmd_put_quoted(f->to, t->key, strlen(t->key), f->e);
		if (st == TAF_OK && t->scope != TAF_OF_ARRAY)
			st = taf_buf_printf(f->to, f->e,
			    t->scope == TAF_OF_DIM ? "@%u" : "@c%u", t->index);
		if (st == TAF_OK)
			st = taf_buf_puts(f->to, " = ", f->e);
		if (st == TAF_OK)
			st = cmd_put_quoted(f->to, t->value, strlen(t->value), f->e);
		if (st == TAF_OK)
			st = taf_buf_puts(f->to, "\n", f->e);
	}
	return st != TAF_OK ? st : page_comment(f);
}

enum taf_status
cmd_facts_page(const struct cmd_facts *f)
{
	const struct taf_array *a = f->a;
	enum taf_status st;

	st = taf_buf_puts(f->to, "file           ", f->e);
	if (st == TAF_OK)
		st = cmd_put_quoted(f->to, f->file, strlen(f->file), f->e);
	if (st == TAF_OK)
		st = taf_buf_puts(f->to, "\nformat         ", f->e);
	if (st == TAF_OK && f->taf != NULL)
		st = taf_buf_printf(f->to, f->e, "TAF %d.%d%s\n", f->taf->form.major,
		    f->taf->form.minor, f->taf->form.legacy_opening ||
		    f->taf->form.legacy_type ? ", legacy header" : "");
	else if (st == TAF_OK)
		st = taf_buf_puts(f->to, "RSF\n", f->e);
	if (st == TAF_OK)
		st = taf_buf_printf(f->to, f->e, "type           %s\n",
		    taf_type_name(a->type));
	if (st == TAF_OK && a->code != 0)
		st = taf_buf_printf(f->to, f->e, "type code      %d\n", a->code);
	if (st == TAF_OK && taf_array_mapped(a)) {
		st = taf_buf_puts(f->to, "mapping        ", f->e);
		if (st == TAF_OK)
			st = put_f64(f, a->intercept);
		if (st == TAF_OK)
			st = taf_buf_puts(f->to, " + ", f->e);
		if (st == TAF_OK)
			st = put_f64(f, a->slope);
		if (st == TAF_OK)
			st = taf_buf_puts(f->to, " * x\n", f->e);
	}
	if (st == TAF_OK)
		st = page_dims(f);
	return st != TAF_OK ? st : page_rest(f);
}
