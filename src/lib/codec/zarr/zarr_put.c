/* SPDX-License-Identifier: ISC */
/* link: jansson */
#include "codec/zarr/zarr.h"

#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/endian.h"
#include "codec/jansson.h"
#include "codec/json.h"
#include "io/below.h"
#include "io/temp.h"
#include "io/url.h"

/* What a folder is called in which an array is made. */
#define STAGE ".taf2zarr"

/* --- paths --- */

/* The place of a node, by its path, in the store. */
static char *
placed(const struct taf_zarr_put *p, const char *node, struct taf_err *e)
{
	struct taf_buf to = { 0 };

	return taf_buf_printf(&to, e, "%s%s%s", p->s.real != NULL ? p->s.real :
	    p->s.path, node[0] != '\0' ? "/" : "", node) == TAF_OK ? to.data : NULL;
}

/* The same where it is made, and of a file in it, where that is not "". */
static char *
staged(const struct taf_zarr_put *p, const char *node, const char *file,
    struct taf_err *e)
{
	const char *rest = node + p->skip + (node[p->skip] == '/');
	struct taf_buf to = { 0 };

	return taf_buf_printf(&to, e, "%s%s%s%s%s", p->stage, rest[0] != '\0' ? "/" : "",
	    rest, file[0] != '\0' ? "/" : "", file) == TAF_OK ? to.data : NULL;
}

/* The store, and each node on the way to the array. */
static enum taf_status
name_nodes(struct taf_zarr_put *p, struct taf_err *e)
{
	enum taf_status st = taf_names_add(&p->nodes, "", e);
	size_t n = 0;

	while (p->path[n] != '\0' && st == TAF_OK) {
		n += n > 0;
		n += strcspn(p->path + n, "/");
		st = taf_names_add_part(&p->nodes, p->path, n, e);
	}
	return st;
}

/* Is there the group that the array is to be in? */
static bool
is_grouped(const struct taf_zarr_put *p)
{
	return p->first + 1 == p->nodes.n;
}

/* --- what is there --- */

/* A folder without metadata is nothing, as long as nothing is in it. */
static enum taf_status
look_inside(const struct taf_zarr_put *p, const char *path, struct taf_err *e)
{
	struct taf_names names = { 0 };
	char *real = NULL;
	enum taf_status st = taf_below_path(p->s.real, path[0] != '\0' ? path : ".",
	    &real, e);

	if (st != TAF_OK)
		return st;
	st = taf_names_read(&names, real, "", e);
	if (st == TAF_END || names.n > 0)
		st = taf_fail(e, TAF_EDATA, "/%s: is there, and no part of a Zarr store",
		    path);
	free(real);
	taf_names_free(&names);
	return st == TAF_OK ? TAF_END : st;
}

/* TAF_END where there is nothing, TAF_OK of a group, and of an array in its place. */
static enum taf_status
look_at(struct taf_zarr_put *p, const char *path, struct taf_err *e)
{
	const bool last = strcmp(path, p->path) == 0;
	struct taf_buf text = { 0 };
	struct taf_zarr_array z;
	enum taf_status st = taf_zarr_look(&p->s, path, &z, e);

	taf_zarr_array_free(&z);
	/* a group may be one of both versions */
	if (z.version == 3 && p->version == 2 && taf_objects_text(&p->s, path, ".zgroup",
	    &text, NULL, e) == TAF_OK) {
		z.version = 2;
		z.group = true;
	}
	taf_buf_free(&text);
	if (z.version == 0)
		return st == TAF_END ? look_inside(p, path, e) : st;
	/* what .zarray says is of no account */
	if (z.version != p->version || z.version == 2)
		taf_err_clear(e);
	if (z.version != p->version)
		return taf_fail(e, TAF_EDATA, p->version == 3 ?
		    "/%s is of version 2: leave out --v3" :
		    "/%s is of version 3: say --v3", path);
	p->replaces = e->code == TAF_OK && last && !z.group;
	return e->code == TAF_OK && last == z.group ? taf_fail(e, TAF_EDATA,
	    "/%s: is %s", path, last ? "a group, not an array" :
	    "an array, not a group") : e->code;
}

/* Along the path to the first that is missing. */
static enum taf_status
look_along(struct taf_zarr_put *p, bool force, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	for (p->first = 0; st == TAF_OK; p->first += st == TAF_OK) {
		st = look_at(p, p->nodes.name[p->first], e);
		if (p->replaces)
			break;
	}
	return p->replaces && !force ? taf_fail(e, TAF_EDATA,
	    "/%s: is there already (-f replaces it)", p->path) :
	    st == TAF_END ? TAF_OK : st;
}

/* Where it is made: beside its place, under a name that says what it will be. */
static enum taf_status
name_stage(struct taf_zarr_put *p, struct taf_err *e)
{
	const char *first = p->nodes.name[p->first];
	char *place = placed(p, first, e);
	const char *slash = place != NULL ? strrchr(place, '/') : NULL;
	const size_t n = slash != NULL ? (size_t)(slash - place) + 1 : 0;
	struct taf_buf to = { 0 };

	p->skip = is_grouped(p) ? (size_t)(p->name - p->path) : strlen(first);
	/* a long name is cut, or the other one would be too long for the folder */
	if (place != NULL && taf_buf_printf(&to, e, "%.*s.%.200s" STAGE, (int)n, place,
	    place + n) == TAF_OK)
		p->stage = to.data;
	free(place);
	return e->code;
}

enum taf_status
taf_zarr_put_look(struct taf_zarr_put *p, const char *store, const char *path,
    unsigned version, bool force, struct taf_err *e)
{
	const char *slash = strrchr(path, '/');
	size_t n = strlen(store);
	enum taf_status st;
	struct stat sb;

	*p = (struct taf_zarr_put){ .lock = -1, .version = version, .path = path,
		.name = slash != NULL ? slash + 1 : path };
#ifndef HAVE_JANSSON
	return taf_fail(e, TAF_EDATA, "this program was built without jansson");
#endif
	if (taf_is_url(store) || taf_ends(store, ".zip"))
		return taf_fail(e, TAF_EUSAGE, "URLs and archives are read, not written");
	while (n > 1 && store[n - 1] == '/')
		n--;
	p->s.path = strndup(store, n);
	if (p->s.path == NULL)
		return taf_fail_mem(e);
	st = name_nodes(p, e);
	if (st == TAF_OK && stat(store, &sb) != 0)
		st = errno == ENOENT ? TAF_OK : taf_fail_sys(e, "cannot look at it");
	else if (st == TAF_OK && !S_ISDIR(sb.st_mode))
		st = taf_fail(e, TAF_EDATA, "is no folder");
	else if (st == TAF_OK)
		st = taf_below_root(store, &p->s.real, e);
	if (st == TAF_OK && p->s.real != NULL)
		st = look_along(p, force, e);
	return st == TAF_OK ? name_stage(p, e) : st;
}

/* --- what is made --- */

static enum taf_status
make_file(const struct taf_zarr_put *p, const char *node, const char *name,
    struct taf_out **out, struct taf_err *e)
{
	char *path = staged(p, node, name, e);
	const enum taf_status st = path != NULL ? taf_stage_file(path, out, e) : e->code;

	free(path);
	return st;
}

/*
 * A file of a node: it is made, or, if same is not NULL, compared with that which is
 * there, as long as *same.  text goes.
 */
static enum taf_status
put_file(const struct taf_zarr_put *p, const char *node, const char *name,
    struct taf_str *text, bool *same, struct taf_err *e)
{
	struct taf_buf theirs = { 0 };
	struct taf_out *out;
	enum taf_status st = text->st;

	if (st == TAF_OK && same == NULL) {
		st = make_file(p, node, name, &out, e);
		if (st == TAF_OK)
			st = taf_stage_settle(out, taf_out_str(out, text), e);
	} else if (st == TAF_OK && *same) {
		st = taf_objects_text(&p->s, node, name, &theirs, NULL, e);
		*same = st == TAF_OK && text->buf.len == theirs.len &&
		    memcmp(text->buf.data, theirs.data, theirs.len) == 0;
		st = st == TAF_END ? TAF_OK : st;
		taf_buf_free(&theirs);
	}
	taf_str_free(text);
	return st;
}

/* The folder of a node; the first of all is that in which the others are made. */
static enum taf_status
make_node(struct taf_zarr_put *p, const char *node, struct taf_err *e)
{
	char *folder = staged(p, node, "", e);
	enum taf_status st = folder == NULL ? e->code : taf_names_add(&p->made, node, e);

	if (st == TAF_OK && strcmp(folder, p->stage) != 0 && taf_temp_mkdir(folder) != 0)
		st = taf_fail_sys(e, "%s: cannot make the folder", folder);
	free(folder);
	return st;
}

enum taf_status
taf_zarr_put_begin(struct taf_zarr_put *p, struct taf_err *e)
{
	enum taf_status st = taf_stage_take(p->stage, &p->lock, e);
	size_t k;

	if (st == TAF_END)
		st = taf_fail(e, TAF_ESYS, "/%s: another program writes it", p->path);
	for (k = p->first; k < p->nodes.n && st == TAF_OK; k++) {
		struct taf_str text = { .err = e };

		st = make_node(p, p->nodes.name[k], e);
		if (st != TAF_OK || k + 1 == p->nodes.n)
			break;
		taf_str_puts(&text, p->version == 2 ? "{\"zarr_format\":2}" :
		    "{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{}}");
		st = put_file(p, p->nodes.name[k], p->version == 2 ? ".zgroup" :
		    "zarr.json", &text, NULL, e);
	}
	taf_err_name(e, p->s.path);
	return st;
}

enum taf_status
taf_zarr_put_object(const struct taf_zarr_put *p, const char *node,
    const struct taf_zarr_array *z, const uint64_t number[], struct taf_out **out,
    struct taf_err *e)
{
	struct taf_str key = { .err = e };

	taf_zarr_key(z, number, &key);
	if (key.st == TAF_OK)
		key.st = make_file(p, node, key.buf.data, out, e);
	taf_str_free(&key);
	if (key.st != TAF_OK)
		taf_err_name(e, p->s.path);
	return key.st;
}

/* The metadata of a node; names and attrs go. */
static enum taf_status
put_meta(const struct taf_zarr_put *p, const char *node, const struct taf_zarr_array *z,
    const struct taf_pack *pack, struct taf_str *names, struct taf_str *attrs, bool *same,
    struct taf_err *e)
{
	struct taf_str meta = { .err = e }, more = { .err = e };
	enum taf_status st = e->code;

	taf_str_put(attrs, "", 0);
	if (names->st != TAF_OK || attrs->st != TAF_OK)
		st = e->code;
	if (st == TAF_OK) {
		taf_zarr_format(z, pack, names->buf.data, attrs->buf.data, &meta);
		st = put_file(p, node, p->version == 2 ? ".zarray" : "zarr.json", &meta,
		    same, e);
	}
	if (st == TAF_OK && p->version == 2) {
		taf_str_printf(&more, "{\"_ARRAY_DIMENSIONS\":%s%s%s}", names->buf.data,
		    attrs->buf.len > 0 ? "," : "", attrs->buf.data);
		st = put_file(p, node, ".zattrs", &more, same, e);
	}
	taf_str_free(names);
	taf_str_free(attrs);
	return st;
}

/* --- coordinates --- */

/* Has dimension k no name, but one that is made up? */
static bool
is_unnamed(const struct taf_array *a, unsigned k)
{
	return taf_attr_get(a, "label", TAF_OF_DIM, k) == NULL &&
	    taf_attr_get(a, TAF_ZARR_NAME, TAF_OF_DIM, k) == NULL;
}

/*
 * Those of dimension k of a, from 1, as a node: one chunk, not packed.  If same is not
 * NULL, are those that are there the same?
 */
static enum taf_status
put_coordinates(struct taf_zarr_put *p, const struct taf_array *a, unsigned k,
    const char *node, bool *same, struct taf_err *e)
{
	const char *name = node + (p->name - p->path);
	const struct taf_dim *d = &a->dim[k - 1];
	const uint64_t length = d->n > 0 ? d->n : 1;
	const struct taf_zarr_array z = { .version = p->version, .separator = '.',
		.prefixed = p->version == 3, .nd = { .type = TAF_FLT64, .ndim = 1,
		.n = { d->n } }, .chunk = { length }, .shard = { length } };
	struct taf_str names = { .err = e }, attrs = { .err = e }, values = { .err = e };
	enum taf_status st = same == NULL ? make_node(p, node, e) : TAF_OK;
	unsigned char one[8];
	uint64_t i;

	for (i = 0; i < d->n && st == TAF_OK; i++) {
		taf_putf64(one, d->start + (double)i * d->step, false);
		taf_str_put(&values, one, sizeof one);
	}
	taf_str_item(&names, name);
	taf_str_puts(&names, "]");
	if (names.st == TAF_OK && is_unnamed(a, k))
		taf_str_printf(&attrs, "\"" TAF_ZARR_UNNAMED "\":%s", names.buf.data);
	taf_zarr_format_attrs(a, k, name, false, &attrs);
	/* another array may have anything in the place of values */
	st = put_meta(p, node, &z, NULL, &names, &attrs, same, e);
	if (st == TAF_OK && d->n > 0)
		st = put_file(p, node, p->version == 2 ? "0" : "c.0", &values, same, e);
	taf_str_free(&values);
	return st;
}

/* What those say of a name that are in the group already. */
struct taken {
	bool node;		/* one is called so */
	bool used;		/* it is the name of a dimension, */
	bool other;		/* of another length */
};

static void
ask(const struct taf_zarr_array *z, const char *name, uint64_t n, struct taken *t)
{
	unsigned k;

	for (k = 0; k < z->nd.ndim && json_array_size(z->names) == z->nd.ndim; k++) {
		const char *is = json_string_value(json_array_get(z->names, k));

		if (is != NULL && strcmp(is, name) == 0) {
			t->used = true;
			t->other = t->other || z->nd.n[k] != n;
		}
	}
}

static enum taf_status
ask_all(const struct taf_zarr_put *p, const char *name, uint64_t n, struct taken *t,
    struct taf_err *e)
{
	const char *group = p->nodes.name[p->nodes.n - 2];
	struct taf_names names = { 0 };
	enum taf_status st = taf_objects_names(&p->s, group, &names, e);
	size_t k;

	for (k = 0; k < names.n && st == TAF_OK; k++) {
		const char *other = names.name[k];
		struct taf_zarr_array z = { 0 };
		struct taf_str path = { .err = e };
		struct taf_err why = { 0 };

		t->node = t->node || strcmp(other, name) == 0;
		if (other[0] == '.' || strcmp(other, p->name) == 0 ||
		    strcmp(other, name) == 0)
			continue;
		taf_str_printf(&path, "%s%s%s", group, group[0] != '\0' ? "/" : "",
		    other);
		st = path.st;
		/* what is damaged is nobody's dimension */
		if (st == TAF_OK && taf_zarr_look(&p->s, path.buf.data, &z, &why) ==
		    TAF_ESYS) {
			*e = why;
			st = TAF_ESYS;
		}
		if (st == TAF_OK)
			ask(&z, name, n, t);
		taf_zarr_array_free(&z);
		taf_str_free(&path);
	}
	taf_names_free(&names);
	return st;
}

/* May dimension k be called as a node?  Its coordinates are made then, or shared. */
static enum taf_status
try_name(struct taf_zarr_put *p, const struct taf_array *a, unsigned k, const char *node,
    bool *fits, struct taf_err *e)
{
	const char *name = node + (p->name - p->path);
	const char *label = taf_attr_get(a, "label", TAF_OF_DIM, k);
	/* they tell the label, too, where that is something else */
	const bool whole = !taf_zarr_too_long(a, k) && (taf_dim_told(a, k,
	    TAF_ZARR_NAME) || (label != NULL ? strcmp(label, name) != 0 :
	    !is_unnamed(a, k)));
	struct taken t = { false, false, false };
	enum taf_status st = TAF_OK;

	if (is_grouped(p))
		st = ask_all(p, name, a->dim[k - 1].n, &t, e);
	*fits = !t.other && (t.node ? whole : !whole || !t.used);
	if (st != TAF_OK || !*fits || !whole)
		return st;
	return put_coordinates(p, a, k, node, t.node ? fits : NULL, e);
}

/* The node that dimension k is to be called as, for the number-th time it is tried. */
static void
propose(const struct taf_zarr_put *p, const struct taf_array *a, unsigned k,
    unsigned index, unsigned number, struct taf_str *to)
{
	const char *label = taf_attr_get(a, TAF_ZARR_NAME, TAF_OF_DIM, k);
	size_t i;

	taf_str_put(to, p->path, (size_t)(p->name - p->path));
	if (label == NULL)
		label = taf_attr_get(a, "label", TAF_OF_DIM, k);
	if (label == NULL || label[0] == '\0')
		taf_str_printf(to, "dim_%u", index + 1);
	for (i = 0; label != NULL && label[i] != '\0'; i++)
		taf_str_put(to, label[i] == '/' || (i == 0 && label[i] == '.') ? "_" :
		    label + i, 1);
	if (number > 1)
		taf_str_printf(to, "_%u", number);
}

/* Dimension k gets a name that none of names is, and becomes one of them. */
static enum taf_status
name_dim(struct taf_zarr_put *p, const struct taf_array *a, unsigned k,
    struct taf_names *names, struct taf_err *e)
{
	const unsigned index = (unsigned)names->n;
	enum taf_status st = TAF_OK;
	bool fits = false;
	unsigned number;

	for (number = 1; !fits && st == TAF_OK; number++) {
		struct taf_str node = { .err = e };
		const char *name;

		propose(p, a, k, index, number, &node);
		st = node.st;
		name = st == TAF_OK ? node.buf.data + (p->name - p->path) : p->name;
		if (strcmp(name, p->name) != 0 && !taf_names_among(names, name))
			st = try_name(p, a, k, node.buf.data, &fits, e);
		if (st == TAF_OK && fits)
			st = taf_names_add(names, name, e);
		taf_str_free(&node);
	}
	return st;
}

/*
 * A JSON list of the names of dimensions, by index, none twice; attrs, which is empty,
 * says which of them are made up.
 */
static enum taf_status
name_dims(struct taf_zarr_put *p, const struct taf_array *a, unsigned rank, bool reverse,
    struct taf_str *list, struct taf_str *attrs, struct taf_err *e)
{
	struct taf_str unnamed = { .err = e };
	struct taf_names names = { 0 };
	enum taf_status st = TAF_OK;
	unsigned i, k;

	for (i = 0; i < rank && st == TAF_OK; i++) {
		k = reverse ? rank - i : i + 1;
		st = name_dim(p, a, k, &names, e);
		if (st == TAF_OK)
			taf_str_item(list, names.name[i]);
		if (st == TAF_OK && is_unnamed(a, k))
			taf_str_item(&unnamed, names.name[i]);
	}
	taf_str_puts(list, rank > 0 ? "]" : "[]");
	if (unnamed.buf.len > 0)
		taf_str_printf(attrs, "\"" TAF_ZARR_UNNAMED "\":%s]", unnamed.buf.data);
	st = st == TAF_OK ? unnamed.st : st;
	taf_str_free(&unnamed);
	taf_names_free(&names);
	return st == TAF_OK ? list->st : st;
}

enum taf_status
taf_zarr_put_describe(struct taf_zarr_put *p, const struct taf_zarr_array *z,
    const struct taf_pack *pack, bool reverse, const struct taf_array *a,
    struct taf_err *e)
{
	struct taf_str names = { .err = e }, attrs = { .err = e };

	if (taf_json_fits(a, e) == TAF_OK &&
	    name_dims(p, a, z->nd.ndim, reverse, &names, &attrs, e) == TAF_OK)
		taf_zarr_format_attrs(a, 0, p->name, reverse, &attrs);
	return put_meta(p, p->path, z, pack, &names, &attrs, NULL, e);
}

/* --- the end --- */

/* What was made goes to its place: one folder, if its group is new. */
static enum taf_status
plan_moves(struct taf_zarr_put *p, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	size_t k;

	p->moves.exchange = p->replaces;
	for (k = 0; k < (is_grouped(p) ? p->made.n : 1) && st == TAF_OK; k++) {
		char *from = staged(p, p->made.name[k], "", e);
		char *to = placed(p, p->made.name[k], e);

		st = from != NULL && to != NULL ? taf_moves_add(&p->moves, from, to, e) :
		    e->code;
		free(from);
		free(to);
	}
	return st;
}

/* What is there of a node goes into an object, and nothing else of it stays there. */
static enum taf_status
enter(const struct taf_zarr_put *p, const char *node, const char *key, bool there,
    json_t *all, struct taf_err *e)
{
	static const char *const names[] = { "zarr.json", ".zarray", ".zattrs",
		".zgroup" };
	enum taf_status st = TAF_OK;
	unsigned k;

	for (k = p->version == 2; k < (p->version == 2 ? 4 : 1) && st == TAF_OK; k++) {
		struct taf_buf text = { 0 }, of = { 0 };
		json_t *v;

		if (taf_buf_printf(&of, e, k > 0 ? "%s/%s" : "%s", key, names[k]) !=
		    TAF_OK)
			return e->code;
		(void)json_object_del(all, of.data);
		st = there ? taf_objects_text(&p->s, node, names[k], &text, NULL, e) :
		    TAF_END;
		if (st == TAF_OK) {
			v = taf_json_load_numbers(text.data, text.len, e);
			if (v == NULL || json_object_set_new(all, of.data, v) != 0)
				st = e->code != TAF_OK ? e->code : taf_fail_mem(e);
		}
		st = st == TAF_END ? TAF_OK : st;
		taf_buf_free(&text);
		taf_buf_free(&of);
	}
	return st;
}

/* The consolidated metadata of a group. */
static enum taf_status
consolidate_one(const struct taf_zarr_put *p, const char *group, bool there,
    struct taf_err *e)
{
	const char *name = p->version == 2 ? ".zmetadata" : "zarr.json";
	const size_t n = strlen(group);
	struct taf_buf text = { 0 };
	struct taf_str file = { .err = e }, to = { .err = e };
	json_t *root = NULL, *all;
	struct taf_out *out;
	enum taf_status st = taf_objects_text(&p->s, group, name, &text, NULL, e);
	size_t i;

	if (st == TAF_OK) {
		root = taf_json_load_numbers(text.data, text.len, e);
		st = e->code;
	}
	all = json_object_get(p->version == 2 ? root : json_object_get(root,
	    "consolidated_metadata"), "metadata");
	for (i = 0; all != NULL && i < p->made.n && st == TAF_OK; i++)
		st = enter(p, p->made.name[i], p->made.name[i] + n + (n > 0), there, all,
		    e);
	if (st == TAF_OK && all != NULL) {
		taf_json_print(&to, root);
		taf_str_puts(&to, "\n");
		taf_str_printf(&file, "%s/%s/%s", p->s.real, n > 0 ? group : ".", name);
		st = file.st != TAF_OK ? file.st : to.st;
		if (st == TAF_OK)
			st = taf_out_create(&out, file.buf.data, e);
		if (st == TAF_OK)
			st = taf_stage_settle(out, taf_out_str(out, &to), e);
	}
	json_decref(root);
	taf_buf_free(&text);
	taf_str_free(&file);
	taf_str_free(&to);
	return st == TAF_END ? TAF_OK : st;
}

/* The same of every group that was there, from the root on. */
static enum taf_status
consolidate(const struct taf_zarr_put *p, bool there, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	size_t k;

	for (k = 0; k < p->first && st == TAF_OK; k++)
		st = consolidate_one(p, p->nodes.name[k], there, e);
	return st;
}

static enum taf_status
appear(struct taf_zarr_put *p, struct taf_err *e)
{
	struct taf_err ignored = { 0 };
	enum taf_status st = TAF_OK;

	/* what consolidated metadata say of the old one is never said of the new one */
	if (p->replaces)
		st = consolidate(p, false, e);
	if (st == TAF_OK)
		st = taf_moves_do(&p->moves, e);
	if (st == TAF_OK)
		st = consolidate(p, true, e);
	if (st != TAF_OK) {
		taf_moves_undo(&p->moves);
		(void)consolidate(p, true, &ignored);
	}
	return st;
}

enum taf_status
taf_zarr_put_commit(struct taf_zarr_put *p, struct taf_err *e)
{
	enum taf_status st = taf_stage_sync(p->stage, e);
	int store = -1;

	if (st == TAF_OK)
		st = plan_moves(p, e);
	if (st == TAF_OK && p->s.real != NULL)
		st = taf_folder_open(p->s.real, &store, e);
	/* one at a time; a file system without locks does without */
	while (store >= 0 && flock(store, LOCK_EX) != 0 && errno == EINTR)
		continue;
	taf_signals_hold();
	if (st == TAF_OK)
		st = appear(p, e);
	taf_signals_let();
	if (store >= 0)
		(void)close(store);
	return st;
}

void
taf_zarr_put_discard(struct taf_zarr_put *p)
{
	if (p->lock >= 0)
		taf_stage_drop(p->stage, p->lock);
	taf_names_free(&p->nodes);
	taf_names_free(&p->made);
	taf_moves_free(&p->moves);
	taf_objects_close(&p->s);
	free(p->stage);
	*p = (struct taf_zarr_put){ .lock = -1 };
}
