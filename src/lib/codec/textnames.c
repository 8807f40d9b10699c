/* SPDX-License-Identifier: ISC */
#include "codec/textnames.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

/*
 * The next name at *s is appended to to, a NUL behind it, unless to is NULL; *s is behind
 * its mark.  Is there one?
 */
static bool
take_name(struct taf_str *to, const char **s, const char *end, char mark)
{
	const char *p = *s;
	const size_t from = to != NULL ? to->buf.len : 0;
	bool quoted, marked;

	while (p < end && (*p == ' ' || (*p == '\t' && mark != '\t')))
		p++;
	quoted = p < end && *p == '"';
	for (p += quoted; p < end; p++) {
		if (quoted && *p == '"' && (p + 1 == end || p[1] != '"'))
			break;
		if (!quoted && *p == mark)
			break;
		p += quoted && *p == '"';
		if (to != NULL)
			taf_str_put(to, p, 1);
	}
	while (p < end && *p != mark)
		p++;
	marked = p < end;
	*s = marked ? p + 1 : end;
	if (to == NULL)
		return marked;
	while (!quoted && to->buf.len > from && (to->buf.data[to->buf.len - 1] == ' ' ||
	    to->buf.data[to->buf.len - 1] == '\r'))
		to->buf.len--;
	taf_str_put(to, "", 1);
	return marked;
}

size_t
taf_textnames_count(const char *line, size_t n, char mark)
{
	const char *s = line;
	size_t k = 1;

	while (take_name(NULL, &s, line + n, mark))
		k++;
	return k;
}

/* The unit in "name (unit)", of *n bytes; NULL for none.  *len is the name before it. */
static const char *
unit_of(const char *name, size_t *len, size_t *n)
{
	const size_t all = strlen(name);
	size_t at = all;

	*len = all;
	if (all < 3 || name[all - 1] != ')')
		return NULL;
	while (at > 0 && name[at - 1] != '(')
		at--;
	if (at < 2 || name[at - 2] != ' ' || at == all - 1)
		return NULL;
	*len = at - 2;
	*n = all - 1 - at;
	return name + at;
}

static enum taf_status
name_grid(struct taf_array *a, const char *name, struct taf_err *e)
{
	const struct taf_attr_name label = { "label", TAF_OF_DIM, 1 },
	    of_unit = { "unit", TAF_OF_DIM, 1 };
	enum taf_status st = TAF_OK;
	size_t len, n = 0;
	const char *unit = unit_of(name, &len, &n);

	if (len > 0 && (len != 4 || memcmp(name, "grid", len) != 0))
		st = taf_attr_setn(a, &label, name, len, e);
	if (st == TAF_OK && unit != NULL)
		st = taf_attr_setn(a, &of_unit, unit, n, e);
	return st;
}

/* Is it what a column is called by its number? */
static bool
is_number(const char *name, size_t len, size_t k)
{
	char text[32];

	(void)snprintf(text, sizeof text, "C%zu", k);
	return strlen(text) == len && memcmp(text, name, len) == 0;
}

/* count names, each with its NUL, are those of columns. */
static enum taf_status
name_columns(struct taf_array *a, const char *names, size_t count, struct taf_err *e)
{
	const struct taf_attr_name of_unit = { "unit", TAF_OF_ARRAY, 0 };
	struct taf_str channel = { .err = e };
	const char *first, *unit, *name = names;
	size_t k, len, n = 0, first_n = 0;
	bool same, numbers = count > 1, good = true;
	enum taf_status st = TAF_OK;

	first = unit_of(name, &len, &first_n);
	same = first != NULL;
	for (k = 1; k <= count; k++, name += strlen(name) + 1) {
		unit = unit_of(name, &len, &n);
		same = same && unit != NULL && n == first_n &&
		    memcmp(unit, first, n) == 0;
	}
	for (k = 1, name = names; k <= count; k++, name += strlen(name) + 1) {
		(void)unit_of(name, &len, &n);
		len = same ? len : strlen(name);
		numbers = numbers && is_number(name, len, k);
		good = good && len > 0 && memchr(name, ',', len) == NULL;
		taf_str_puts(&channel, k > 1 ? "," : "");
		taf_str_put(&channel, name, len);
	}
	if (same)
		st = taf_attr_setn(a, &of_unit, first, first_n, e);
	if (st == TAF_OK)
		st = channel.st;
	if (st == TAF_OK && good && !numbers)
		st = taf_attr_set(a, "channel", TAF_OF_ARRAY, 0, channel.buf.data, e);
	taf_str_free(&channel);
	return st;
}

enum taf_status
taf_textnames_apply(const struct taf_textnames *t, struct taf_array *a, struct taf_err *e)
{
	const char *s = t->line, *end = s + t->n;
	struct taf_str names = { .err = e };
	enum taf_status st;
	size_t k;

	for (k = 0; k < t->columns && s < end; k++)
		(void)take_name(&names, &s, end, t->mark);
	st = names.st;
	if (st == TAF_OK && k == t->columns && s == end) {
		const char *columns = names.buf.data;

		if (t->grid) {
			st = name_grid(a, columns, e);
			columns += strlen(columns) + 1;
		}
		if (st == TAF_OK)
			st = name_columns(a, columns, k - t->grid, e);
	}
	taf_str_free(&names);
	return st;
}
