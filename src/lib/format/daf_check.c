/* SPDX-License-Identifier: ISC */
#include "format/daf_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/daf/daf_scan.h"

/* A look at a store; a failure in *err is the end of it. */
struct check {
	const struct taf_daf_findings *to;
	const struct taf_daf *s;
	struct taf_err *err;
	struct taf_names axes;
	struct taf_daf_notes *notes;	/* of metadata.json, or NULL */
};

/* --- findings --- */

static bool
going(const struct check *c)
{
	return c->err->code == TAF_OK;
}

static void say(struct check *c, const char *fmt, ...) TAF_PRINTF(2, 3);

static void
say(struct check *c, const char *fmt, ...)
{
	struct taf_buf line = { 0 };
	va_list ap;

	va_start(ap, fmt);
	if (going(c) && taf_buf_vprintf(&line, c->err, fmt, ap) == TAF_OK)
		(void)c->to->say(c->to->ctx, line.data, c->err);
	va_end(ap);
	taf_buf_free(&line);
}

/* Is st good?  What the store itself is to blame for is a finding about place. */
static bool
is_sound(struct check *c, enum taf_status st, const char *place)
{
	char text[TAF_ERR_TEXT];

	if (st != TAF_EDATA && st != TAF_EUSAGE)
		return st == TAF_OK;
	memcpy(text, c->err->text, sizeof text);
	taf_err_clear(c->err);
	if (strncmp(text, place, strlen(place)) == 0)
		say(c, "%s", text);
	else
		say(c, "%s: %s", place, text);
	return false;
}

/* The names of a folder; that it is something else is a finding. */
static void
names_of(struct check *c, const char *folder, struct taf_names *names)
{
	struct stat sb;
	bool there;

	if (!going(c) || taf_daf_look(c->s, folder, &there, &sb, c->err) != TAF_OK ||
	    !there)
		return;
	if (!S_ISDIR(sb.st_mode))
		say(c, "%s: not a folder", folder);
	else
		(void)is_sound(c, taf_daf_names(c->s, folder, "", names, c->err), folder);
}

/* Does a file have this suffix?  Then name is what it is called without it. */
static bool
cut(const char *file, const char *suffix, char name[TAF_DAF_PATH])
{
	const size_t n = strlen(file), tail = strlen(suffix);

	if (n < tail || strcmp(file + n - tail, suffix) != 0)
		return false;
	(void)snprintf(name, TAF_DAF_PATH, "%.*s", (int)(n - tail), file);
	return true;
}

/* --- metadata.json --- */

static void
read_notes(struct check *c)
{
	struct taf_buf text = { 0 };
	enum taf_status st = taf_daf_text_read(c->s, "metadata.json", &text, c->err);

	if (st == TAF_OK)
		st = taf_daf_notes_parse(&c->notes, text.data, text.len, c->err);
	(void)is_sound(c, st, "metadata.json");
	taf_buf_free(&text);
}

/* Hold what is noted of a path, without its suffix, against the truth. */
static void
compare_note(struct check *c, const char *path, const char *text, size_t n)
{
	bool same = true;
	enum taf_status st;

	if (c->notes == NULL || !going(c))
		return;
	st = taf_daf_notes_take(c->notes, path, text, n, &same, c->err);
	if (st == TAF_END || (st == TAF_OK && !same))
		say(c, "metadata.json: stale: it says %s of %s",
		    st == TAF_END ? "nothing" : "something else", path);
}

/* The same of an item that was found. */
static void
compare_noted_item(struct check *c, const struct taf_daf_item *it)
{
	struct taf_buf text = { 0 };
	char path[TAF_DAF_PATH];

	if (c->notes == NULL)
		return;
	taf_daf_item_path(it, ".json", path);
	if (taf_daf_text_read(c->s, path, &text, c->err) == TAF_OK) {
		taf_daf_item_path(it, "", path);
		compare_note(c, path, text.data, text.len);
	}
	taf_buf_free(&text);
}

static void
find_stray_notes(struct check *c)
{
	const char *left;
	bool same;

	while (going(c) && c->notes != NULL &&
	    (left = taf_daf_notes_left(c->notes)) != NULL) {
		say(c, "metadata.json: stale: there is no sound %s", left);
		if (going(c) && taf_daf_notes_take(c->notes, left, "{}", 2, &same,
		    c->err) != TAF_OK)
			break;
	}
}

/* --- items --- */

/* Its elements, summed as how says. */
static bool
scan(struct check *c, const struct taf_daf_item *it, const char *path, unsigned how,
    struct taf_daf_sum *sum)
{
	const char *codec = taf_daf_foreign(it);

	if (codec == NULL)
		return is_sound(c, taf_daf_check(c->s, it, TAF_DAF_TEXT | how, sum,
		    c->err), path);
	taf_remark(c->to->service, "%s: packed by %s: its elements were not looked at",
	    path, codec);
	return false;
}

static void
find_stale(struct check *c, const struct taf_daf_item *it, const char *path)
{
	struct taf_buf stale = { 0 };

	if (taf_daf_stale(c->s, it, &stale, c->err) == TAF_OK && stale.len > 0)
		say(c, "%s: its descriptor says nothing of %s", path, stale.data);
	taf_buf_free(&stale);
}

/* Is an item sound in its own layout?  Then *sum is set as how says. */
static bool
check_item(struct check *c, struct taf_daf_item *it, unsigned how,
    struct taf_daf_sum *sum)
{
	char path[TAF_DAF_PATH];
	bool sound = true;

	if (!going(c))
		return false;
	if (it->kind == TAF_DAF_VECTOR &&
	    (strcmp(it->name, "name") == 0 || strcmp(it->name, "index") == 0)) {
		say(c, "vectors/%s/%s: never read: the name stands for the axis itself",
		    it->axis[0], it->name);
		return false;
	}
	taf_daf_item_path(it, "", path);
	if (!is_sound(c, taf_daf_find(c->s, it, c->err), path))
		return false;
	if (it->kind != TAF_DAF_SCALAR) {
		find_stale(c, it, path);
		sound = going(c) && scan(c, it, path, how, sum);
	}
	if (going(c))
		compare_noted_item(c, it);
	return sound && going(c);
}

/* --- folders --- */

/* Is a descriptor of what the file is called after among the names? */
static bool
is_described(const struct taf_names *names, const char *file)
{
	char name[TAF_DAF_PATH];
	size_t k;

	for (k = 0; k < TAF_DAF_SUFFIXES; k++)
		if (cut(file, taf_daf_suffixes[k], name)) {
			(void)strcat(name, ".json");
			if (taf_names_has(names, name))
				return true;
		}
	return false;
}

/* The names of a folder, of which those that belong to no property are findings. */
static void
described_names(struct check *c, const char *folder, struct taf_names *names)
{
	size_t k;

	names_of(c, folder, names);
	for (k = 0; k < names->n && going(c); k++)
		if (!is_described(names, names->name[k]))
			say(c, "%s/%s: no descriptor says what it is", folder,
			    names->name[k]);
}

/* All of a folder of scalars or vectors. */
static void
check_folder(struct check *c, const char *folder, enum taf_daf_kind kind, char *axis)
{
	struct taf_names names = { 0 };
	struct taf_daf_sum ignored;
	char name[TAF_DAF_PATH];
	size_t k;

	described_names(c, folder, &names);
	for (k = 0; k < names.n && going(c); k++) {
		struct taf_daf_item it = { .kind = kind, .axis = { axis }, .name = name,
			.n = { 1, 1 } };

		if (cut(names.name[k], ".json", name))
			(void)check_item(c, &it, 0, &ignored);
		taf_buf_free(&it.scalar.text);
	}
	taf_names_free(&names);
}

/* Both layouts of a matrix, of which at least one is there. */
static void
check_matrix(struct check *c, char *const axis[2], char *name, const bool there[2])
{
	struct taf_daf_item it[2] = {
		{ .kind = TAF_DAF_MATRIX, .axis = { axis[0], axis[1] }, .name = name },
		{ .kind = TAF_DAF_MATRIX, .axis = { axis[1], axis[0] }, .name = name },
	};
	bool sound[2] = { false, false };
	struct taf_daf_sum sum[2];
	char path[2][TAF_DAF_PATH];
	int k;

	for (k = 0; k < 2; k++) {
		taf_daf_item_path(&it[k], "", path[k]);
		sound[k] = there[k] && check_item(c, &it[k],
		    there[0] && there[1] ? TAF_DAF_SUM : 0, &sum[k]);
	}
	if (!sound[0] || !sound[1])
		return;
	if (it[0].d.type != it[1].d.type)
		say(c, "%s: of type %s, but %s is of type %s", path[0],
		    taf_daf_type_name(it[0].d.type), path[1],
		    taf_daf_type_name(it[1].d.type));
	else if (sum[0].n != sum[1].n || sum[0].digest != sum[1].digest)
		say(c, "%s: not the transpose of %s", path[0], path[1]);
}

/* The matrices of two axes; one is the same as the other once. */
static void
check_pair(struct check *c, char *rows, char *columns)
{
	char *const axis[2] = { rows, columns };
	struct taf_names names[2] = { { 0 }, { 0 } };
	const int folders = strcmp(rows, columns) == 0 ? 1 : 2;
	char path[TAF_DAF_PATH], name[TAF_DAF_PATH];
	size_t i;
	int k;

	for (k = 0; k < folders; k++) {
		(void)snprintf(path, sizeof path, "matrices/%s/%s", axis[k], axis[!k]);
		described_names(c, path, &names[k]);
	}
	for (k = 0; k < folders; k++)
		for (i = 0; i < names[k].n && going(c); i++) {
			const char *file = names[k].name[i];
			const bool there[2] = { taf_names_has(&names[0], file),
				taf_names_has(&names[1], file) };

			if (cut(file, ".json", name) && (k == 0 || !there[0]))
				check_matrix(c, axis, name, there);
		}
	taf_names_free(&names[0]);
	taf_names_free(&names[1]);
}

/* Say what in a folder is named after no axis. */
static void
find_strangers(struct check *c, const char *folder)
{
	struct taf_names names = { 0 };
	size_t k;

	names_of(c, folder, &names);
	for (k = 0; k < names.n && going(c); k++)
		if (!taf_names_has(&c->axes, names.name[k]))
			say(c, "%s/%s: there is no such axis", folder, names.name[k]);
	taf_names_free(&names);
}

/* --- axes --- */

static void
check_axis(struct check *c, const char *axis)
{
	struct taf_daf_strings entries = { 0 };
	char path[TAF_DAF_PATH + 8], text[80];
	int n;

	(void)snprintf(path, sizeof path, "axes/%s", axis);
	if (is_sound(c, taf_daf_axis_entries(c->s, axis, &entries, c->err), path)) {
		n = snprintf(text, sizeof text,
		    "{\"format\":\"axis\",\"n_entries\":%llu}",
		    (unsigned long long)entries.n);
		compare_note(c, path, text, (size_t)n);
	}
	taf_daf_strings_free(&entries);
}

/* The axes; those of names that no path may have are left out of c->axes. */
static void
check_axes(struct check *c)
{
	struct taf_names names = { 0 };
	char name[TAF_DAF_PATH];
	size_t k;

	names_of(c, "axes", &names);
	for (k = 0; k < names.n && going(c); k++) {
		struct taf_err ignored = { 0 };

		if (strcmp(names.name[k], "metadata.json") == 0)
			continue;
		if (!cut(names.name[k], ".txt", name)) {
			say(c, "axes/%s: not an axis, whose file ends in .txt",
			    names.name[k]);
			continue;
		}
		check_axis(c, name);
		if (going(c) && taf_daf_name_check(name, &ignored) == TAF_OK &&
		    taf_names_add(&c->axes, name, c->err) != TAF_OK)
			break;
	}
	taf_names_free(&names);
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* --- the store --- */

static void
check_left_behind(struct check *c)
{
	static const char *const left[][2] = {
		{ TAF_DAF_REORDERING, "a reordering of axes was interrupted" },
		{ ".taf2daf.undo", "a change was interrupted: the old files lie there" },
		{ "metadata.json.new", "left behind" },
		{ "metadata.zip.new", "left behind" },
	};
	struct stat sb;
	bool there;
	size_t k;

	for (k = 0; k < sizeof left / sizeof left[0] && going(c); k++)
		if (taf_daf_look(c->s, left[k][0], &there, &sb, c->err) == TAF_OK &&
		    there)
			say(c, "%s: %s", left[k][0], left[k][1]);
}

static void
check_properties(struct check *c)
{
	char path[TAF_DAF_PATH];
	size_t i, k;

	check_folder(c, "scalars", TAF_DAF_SCALAR, NULL);
	find_strangers(c, "vectors");
	for (i = 0; i < c->axes.n && going(c); i++) {
		(void)snprintf(path, sizeof path, "vectors/%s", c->axes.name[i]);
		check_folder(c, path, TAF_DAF_VECTOR, c->axes.name[i]);
	}
	find_strangers(c, "matrices");
	for (i = 0; i < c->axes.n && going(c); i++) {
		(void)snprintf(path, sizeof path, "matrices/%s", c->axes.name[i]);
		find_strangers(c, path);
		for (k = i; k < c->axes.n && going(c); k++)
			check_pair(c, c->axes.name[i], c->axes.name[k]);
	}
}

enum taf_status
taf_daf_find_faults(const struct taf_daf_findings *to, struct taf_err *e)
{
	struct check c = { .to = to, .s = to->s, .err = e };

	check_left_behind(&c);
	if (going(&c))
		read_notes(&c);
	check_axes(&c);
	/* without their suffix the order may be another one */
	if (c.axes.n > 1)
		qsort(c.axes.name, c.axes.n, sizeof c.axes.name[0], compare_names);
	check_properties(&c);
	find_stray_notes(&c);
	taf_daf_notes_free(c.notes);
	taf_names_free(&c.axes);
	return e->code;
}
