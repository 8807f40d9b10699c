#include "format/daf_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/str.h"
#include "codec/daf/daf_compare.h"
#include "codec/daf/daf_scan.h"

struct check {
	const struct taf_daf_findings *to;
	const struct taf_daf *s;
	struct taf_err *err;
	struct taf_names axes;
	struct taf_daf_notes *notes;	/* of metadata.json, or NULL */
};

/* --- findings --- */

static enum taf_status
say(struct check *c, const char *place, const char *fact)
{
	struct taf_str line = { .err = c->err };

	taf_str_printf(&line, "%s: %s", place, fact);
	if (line.st == TAF_OK)
		line.st = c->to->say(c->to->ctx, line.buf.data, c->err);
	taf_str_free(&line);
	return line.st;
}

/*
 * A failure that the store itself is to blame for is a finding about place; *sound says
 * that there was none.
 */
static enum taf_status
judge(struct check *c, enum taf_status st, const char *place, bool *sound)
{
	char text[TAF_ERR_TEXT];

	*sound = st == TAF_OK;
	if (st != TAF_EDATA && st != TAF_EUSAGE)
		return st;
	memcpy(text, c->err->text, sizeof text);
	taf_err_clear(c->err);
	if (strncmp(text, place, strlen(place)) == 0)
		return c->to->say(c->to->ctx, text, c->err);
	return say(c, place, text);
}

/* Is there anything of that name below the store?  *folder says what it is. */
static enum taf_status
is_there(struct check *c, const char *relative, bool *there, bool *folder)
{
	struct taf_buf path = { 0 };
	struct stat sb;

	if (taf_buf_printf(&path, c->err, "%s/%s", c->s->real, relative) != TAF_OK)
		return c->err->code;
	*there = lstat(path.data, &sb) == 0;
	*folder = *there && stat(path.data, &sb) == 0 && S_ISDIR(sb.st_mode);
	taf_buf_free(&path);
	return TAF_OK;
}

/* The names of a folder; that it is something else is a finding. */
static enum taf_status
names_of(struct check *c, const char *relative, struct taf_names *names)
{
	bool there, folder, sound;
	enum taf_status st = is_there(c, relative, &there, &folder);

	if (st != TAF_OK || !there)
		return st;
	if (!folder)
		return say(c, relative, "not a folder");
	return judge(c, taf_daf_folder_names(c->s, relative, names, c->err), relative,
	    &sound);
}

/* --- metadata.json --- */

static enum taf_status
read_file(struct check *c, const char *relative, struct taf_buf *to)
{
	struct taf_in *in;
	enum taf_status st = taf_daf_file_open(c->s, relative, &in, c->err);
	uint64_t n;

	if (st != TAF_OK)
		return st;
	n = taf_in_left(in);
	st = n > TAF_DAF_JSON_MAX ? taf_fail(c->err, TAF_EDATA, "%llu bytes of JSON",
	    (unsigned long long)n) : taf_buf_reserve(to, (size_t)n, c->err);
	if (st == TAF_OK)
		st = taf_in_read(in, to->data, (size_t)n, c->err);
	to->len = st == TAF_OK ? (size_t)n : 0;
	taf_in_close(in);
	return st;
}

static enum taf_status
read_notes(struct check *c)
{
	struct taf_buf text = { 0 };
	enum taf_status st = read_file(c, "metadata.json", &text);
	bool sound;

	if (st == TAF_OK)
		st = taf_daf_notes_parse(&c->notes, text.len > 0 ? text.data : "",
		    text.len, c->err);
	taf_buf_free(&text);
	return st == TAF_END ? TAF_OK : judge(c, st, "metadata.json", &sound);
}

/* Hold what is noted of a path, without its suffix, against the truth. */
static enum taf_status
compare_note(struct check *c, const char *path, const char *text, size_t n)
{
	char fact[TAF_DAF_PATH + 64];
	bool same = true;
	enum taf_status st;

	if (c->notes == NULL)
		return TAF_OK;
	st = taf_daf_notes_take(c->notes, path, text, n, &same, c->err);
	if (st != TAF_END && (st != TAF_OK || same))
		return st;
	(void)snprintf(fact, sizeof fact, "stale: it says %s of %s",
	    st == TAF_END ? "nothing" : "something else", path);
	return say(c, "metadata.json", fact);
}

/* The same of an item that was found. */
static enum taf_status
compare_noted_item(struct check *c, const struct taf_daf_item *it)
{
	struct taf_buf text = { 0 };
	char path[TAF_DAF_PATH];
	enum taf_status st;

	if (c->notes == NULL)
		return TAF_OK;
	taf_daf_item_path(it, ".json", path);
	st = read_file(c, path, &text);
	taf_daf_item_path(it, "", path);
	if (st == TAF_OK)
		st = compare_note(c, path, text.len > 0 ? text.data : "", text.len);
	taf_buf_free(&text);
	return st;
}

static enum taf_status
stray_notes(struct check *c)
{
	struct taf_buf key = { 0 };
	const char *left;
	bool same;
	enum taf_status st = TAF_OK;

	while (st == TAF_OK && c->notes != NULL &&
	    (left = taf_daf_notes_left(c->notes)) != NULL) {
		key.len = 0;
		st = taf_buf_printf(&key, c->err, "stale: there is no sound %s", left);
		if (st == TAF_OK)
			st = say(c, "metadata.json", key.data);
		if (st == TAF_OK)
			st = taf_daf_notes_take(c->notes, left, "{}", 2, &same, c->err);
	}
	taf_buf_free(&key);
	return st;
}

/* --- items --- */

static enum taf_status
scan(struct check *c, const struct taf_daf_item *it, struct taf_daf_sum *sum, bool *sound)
{
	const char *codec = taf_daf_foreign(it);
	char path[TAF_DAF_PATH];

	taf_daf_item_path(it, "", path);
	if (codec == NULL)
		return judge(c, taf_daf_scan(c->s, it, sum, c->err), path, sound);
	*sound = false;
	taf_remark(c->to->service, "%s: packed by %s: its elements were not looked at",
	    path, codec);
	return TAF_OK;
}

static enum taf_status
find_stale(struct check *c, const struct taf_daf_item *it)
{
	struct taf_buf stale = { 0 };
	struct taf_str fact = { .err = c->err };
	char path[TAF_DAF_PATH];

	taf_daf_item_path(it, "", path);
	fact.st = taf_daf_stale(c->s, it, &stale, c->err);
	if (stale.len > 0) {
		taf_str_printf(&fact, "its descriptor says nothing of %s", stale.data);
		if (fact.st == TAF_OK)
			fact.st = say(c, path, fact.buf.data);
	}
	taf_str_free(&fact);
	taf_buf_free(&stale);
	return fact.st;
}

/* An item in its own layout; *sum is set where sum is not NULL and *sound. */
static enum taf_status
check_item(struct check *c, struct taf_daf_item *it, struct taf_daf_sum *sum, bool *sound)
{
	char path[TAF_DAF_PATH];
	enum taf_status st;

	*sound = false;
	if (it->kind == TAF_DAF_VECTOR &&
	    (strcmp(it->name, "name") == 0 || strcmp(it->name, "index") == 0)) {
		(void)snprintf(path, sizeof path, "vectors/%s/%s", it->axis[0], it->name);
		return say(c, path, "never read: the name stands for the axis itself");
	}
	taf_daf_item_path(it, "", path);
	st = judge(c, taf_daf_find(c->s, it, c->err), path, sound);
	if (!*sound)
		return st;
	if (it->kind != TAF_DAF_SCALAR && (find_stale(c, it) != TAF_OK ||
	    scan(c, it, sum, sound) != TAF_OK))
		return c->err->code;
	return compare_noted_item(c, it);
}

/* --- folders --- */

/* Is a descriptor of what the file is called after among the names? */
static bool
is_described(const struct taf_names *names, const char *file)
{
	size_t k, tail, n = strlen(file);
	char descriptor[TAF_DAF_PATH];

	for (k = 0; k < TAF_DAF_SUFFIXES; k++) {
		tail = strlen(taf_daf_suffixes[k]);
		if (n < tail || strcmp(file + n - tail, taf_daf_suffixes[k]) != 0)
			continue;
		(void)snprintf(descriptor, sizeof descriptor, "%.*s.json",
		    (int)(n - tail), file);
		if (taf_names_has(names, descriptor))
			return true;
	}
	return false;
}

/* Say which files of a folder belong to none of its properties. */
static enum taf_status
find_orphans(struct check *c, const char *folder, const struct taf_names *names)
{
	struct taf_str path = { .err = c->err };
	size_t k;

	for (k = 0; k < names->n && path.st == TAF_OK; k++) {
		if (is_described(names, names->name[k]))
			continue;
		path.buf.len = 0;
		taf_str_printf(&path, "%s/%s", folder, names->name[k]);
		if (path.st == TAF_OK)
			path.st = say(c, path.buf.data, "no descriptor says what it is");
	}
	taf_str_free(&path);
	return path.st;
}

static bool
is_property(const char *file, char name[TAF_DAF_PATH])
{
	size_t n = strlen(file);

	if (n < 5 || strcmp(file + n - 5, ".json") != 0)
		return false;
	(void)snprintf(name, TAF_DAF_PATH, "%.*s", (int)(n - 5), file);
	return true;
}

/* All of a folder of scalars or vectors. */
static enum taf_status
check_folder(struct check *c, const char *folder, enum taf_daf_kind kind, char *axis)
{
	struct taf_names names = { 0 };
	enum taf_status st = names_of(c, folder, &names);
	char name[TAF_DAF_PATH];
	bool sound;
	size_t k;

	if (st == TAF_OK)
		st = find_orphans(c, folder, &names);
	for (k = 0; k < names.n && st == TAF_OK; k++) {
		struct taf_daf_item it = { .kind = kind, .axis = { axis }, .name = name,
			.n = { 1, 1 } };

		if (!is_property(names.name[k], name))
			continue;
		st = check_item(c, &it, NULL, &sound);
		taf_buf_free(&it.scalar.text);
	}
	taf_names_free(&names);
	return st;
}

/* Both layouts of a matrix, of which at least one is there. */
static enum taf_status
check_matrix(struct check *c, char *const axis[2], char *name, const bool there[2])
{
	struct taf_daf_item it[2] = {
		{ .kind = TAF_DAF_MATRIX, .axis = { axis[0], axis[1] }, .name = name },
		{ .kind = TAF_DAF_MATRIX, .axis = { axis[1], axis[0] }, .name = name },
	};
	bool both = there[0] && there[1], sound[2] = { false, false };
	struct taf_daf_sum sum[2] = { { 0, 0 }, { 0, 0 } };
	char path[2][TAF_DAF_PATH], fact[TAF_DAF_PATH + 64];
	int k;

	for (k = 0; k < 2; k++) {
		taf_daf_item_path(&it[k], "", path[k]);
		if (there[k] && check_item(c, &it[k], both ? &sum[k] : NULL, &sound[k]) !=
		    TAF_OK)
			return c->err->code;
	}
	if (!sound[0] || !sound[1])
		return TAF_OK;
	if (it[0].d.type != it[1].d.type) {
		(void)snprintf(fact, sizeof fact, "of type %s, but %s is of type %s",
		    taf_daf_type_name(it[0].d.type), path[1],
		    taf_daf_type_name(it[1].d.type));
		return say(c, path[0], fact);
	}
	if (sum[0].n == sum[1].n && sum[0].digest == sum[1].digest)
		return TAF_OK;
	(void)snprintf(fact, sizeof fact, "not the transpose of %s", path[1]);
	return say(c, path[0], fact);
}

/* The matrices in the folders of two axes; one is the same as the other once. */
static enum taf_status
check_matrices(struct check *c, char *const axis[2], const struct taf_names names[2])
{
	char name[TAF_DAF_PATH];
	bool there[2];
	int which;
	size_t k;

	for (which = 0; which < 2; which++)
		for (k = 0; k < names[which].n; k++) {
			if (!is_property(names[which].name[k], name))
				continue;
			there[0] = taf_names_has(&names[0], names[which].name[k]);
			there[1] = taf_names_has(&names[1], names[which].name[k]);
			if (which == 1 && there[0])
				continue;
			if (check_matrix(c, axis, name, there) != TAF_OK)
				return c->err->code;
		}
	return TAF_OK;
}

static enum taf_status
check_pair(struct check *c, char *rows, char *columns)
{
	char *const axis[2] = { rows, columns };
	struct taf_names names[2] = { { 0 }, { 0 } };
	char path[TAF_DAF_PATH];
	enum taf_status st = TAF_OK;
	int k;

	for (k = 0; k < (strcmp(rows, columns) == 0 ? 1 : 2) && st == TAF_OK; k++) {
		(void)snprintf(path, sizeof path, "matrices/%s/%s", axis[k], axis[!k]);
		st = names_of(c, path, &names[k]);
		if (st == TAF_OK)
			st = find_orphans(c, path, &names[k]);
	}
	if (st == TAF_OK)
		st = check_matrices(c, axis, names);
	taf_names_free(&names[0]);
	taf_names_free(&names[1]);
	return st;
}

/* Say what in a folder is named after no axis. */
static enum taf_status
find_strangers(struct check *c, const char *folder)
{
	struct taf_names names = { 0 };
	struct taf_str path = { .err = c->err };
	size_t k;

	path.st = names_of(c, folder, &names);
	for (k = 0; k < names.n && path.st == TAF_OK; k++) {
		if (taf_names_has(&c->axes, names.name[k]))
			continue;
		path.buf.len = 0;
		taf_str_printf(&path, "%s/%s", folder, names.name[k]);
		if (path.st == TAF_OK)
			path.st = say(c, path.buf.data, "there is no such axis");
	}
	taf_str_free(&path);
	taf_names_free(&names);
	return path.st;
}

/* --- axes --- */

static enum taf_status
check_axis(struct check *c, const char *axis)
{
	struct taf_daf_strings entries = { 0 };
	char path[TAF_DAF_PATH], text[80];
	enum taf_status st;
	bool sound;
	int n;

	(void)snprintf(path, sizeof path, "axes/%s", axis);
	st = judge(c, taf_daf_axis_entries(c->s, axis, &entries, c->err), path, &sound);
	n = snprintf(text, sizeof text, "{\"format\":\"axis\",\"n_entries\":%llu}",
	    (unsigned long long)entries.n);
	taf_daf_strings_free(&entries);
	return sound ? compare_note(c, path, text, (size_t)n) : st;
}

/* The axes; those of names that no path may have are left out of c->axes. */
static enum taf_status
check_axes(struct check *c)
{
	struct taf_names names = { 0 };
	struct taf_err ignored = { 0 };
	enum taf_status st = names_of(c, "axes", &names);
	char name[TAF_DAF_PATH];
	size_t k, n;

	for (k = 0; k < names.n && st == TAF_OK; k++) {
		n = strlen(names.name[k]);
		(void)snprintf(name, sizeof name, "axes/%s", names.name[k]);
		if (strcmp(names.name[k], "metadata.json") == 0)
			continue;
		if (n < 4 || strcmp(names.name[k] + n - 4, ".txt") != 0) {
			st = say(c, name, "not an axis, whose file ends in .txt");
			continue;
		}
		name[5 + n - 4] = '\0';
		st = check_axis(c, name + 5);
		if (st == TAF_OK && taf_daf_name_check(name + 5, &ignored) == TAF_OK)
			st = taf_names_add(&c->axes, name + 5, c->err);
		taf_err_clear(&ignored);
	}
	taf_names_free(&names);
	return st;
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* --- the store --- */

static enum taf_status
check_left_behind(struct check *c)
{
	static const char *const left[][2] = {
		{ ".reorder.backup", "a reordering of axes was interrupted" },
		{ ".taf2daf.undo", "a change was interrupted: the old files lie there" },
		{ "metadata.json.new", "left behind" },
		{ "metadata.zip.new", "left behind" },
	};
	bool there, folder;
	size_t k;

	for (k = 0; k < sizeof left / sizeof left[0]; k++)
		if (is_there(c, left[k][0], &there, &folder) != TAF_OK ||
		    (there && say(c, left[k][0], left[k][1]) != TAF_OK))
			return c->err->code;
	return TAF_OK;
}

static enum taf_status
check_properties(struct check *c)
{
	char path[TAF_DAF_PATH];
	enum taf_status st = check_folder(c, "scalars", TAF_DAF_SCALAR, NULL);
	size_t i, k;

	if (st == TAF_OK)
		st = find_strangers(c, "vectors");
	for (i = 0; i < c->axes.n && st == TAF_OK; i++) {
		(void)snprintf(path, sizeof path, "vectors/%s", c->axes.name[i]);
		st = check_folder(c, path, TAF_DAF_VECTOR, c->axes.name[i]);
	}
	if (st == TAF_OK)
		st = find_strangers(c, "matrices");
	for (i = 0; i < c->axes.n && st == TAF_OK; i++) {
		(void)snprintf(path, sizeof path, "matrices/%s", c->axes.name[i]);
		st = find_strangers(c, path);
		for (k = i; k < c->axes.n && st == TAF_OK; k++)
			st = check_pair(c, c->axes.name[i], c->axes.name[k]);
	}
	return st;
}

enum taf_status
taf_daf_find_faults(const struct taf_daf_findings *to, struct taf_err *e)
{
	struct check c = { .to = to, .s = to->s, .err = e };
	enum taf_status st = check_left_behind(&c);

	if (st == TAF_OK)
		st = read_notes(&c);
	if (st == TAF_OK)
		st = check_axes(&c);
	/* without their suffix the order may be another one */
	if (c.axes.n > 1)
		qsort(c.axes.name, c.axes.n, sizeof c.axes.name[0], compare_names);
	if (st == TAF_OK)
		st = check_properties(&c);
	if (st == TAF_OK)
		st = stray_notes(&c);
	taf_daf_notes_free(c.notes);
	taf_names_free(&c.axes);
	return st;
}
