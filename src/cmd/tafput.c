/* SPDX-License-Identifier: ISC */
/* tafput - set, change and remove attributes. */
#include <stdlib.h>
#include <string.h>

#include "array/region.h"
#include "base/num.h"
#include "cli/cmd.h"
#include "codec/escape.h"
#include "codec/rsf.h"

enum { CLEAR = 256, UNSET };

struct intent {
	struct setting *settings;
	size_t n;
	bool clear;
};

static const struct cmd_option options[] = {
	{ CLEAR, "clear", NULL, "remove all attributes, labels and units too",
	    SET(FLAG, clear) },
	{ UNSET, "unset", "KEY", "remove an attribute, KEY@DIM of a dimension", OWN },
	{ 0 },
};

static const struct cmd self = {
	"tafput", "set and remove attributes: metadata of arrays",
	"[KEY=VALUE ...] [--unset KEY] [--clear] [-N K] [-i] [-o FILE] [--] [file ...]",
	options, CMD_STREAM | CMD_IN_PLACE | CMD_PICK | CMD_SETTINGS,
};

/* An attribute that is set, or removed where value is NULL. */
struct setting {
	const char *key, *value;
	char *name;		/* the key without its suffix */
	char *base;		/* that without "@LABEL", NULL where it has none */
	enum taf_scope scope;
	unsigned index;
};

static enum taf_status
apply(const struct setting *s, struct taf_array *a, struct taf_err *e)
{
	const char *key = s->name;
	enum taf_scope scope = s->scope;
	unsigned index = s->index;
	enum taf_status st = TAF_OK;
	double number;

	/* a key of the array itself may have an @ in it */
	if (s->base != NULL && taf_attr_get(a, key, scope, index) == NULL &&
	    taf_label_any(a)) {
		const char *label = s->name + strlen(s->base) + 1;

		key = s->base;
		scope = TAF_OF_DIM;
		st = taf_label_find(a, label, strlen(label), &index, e);
	}
	if (st == TAF_OK && scope == TAF_OF_DIM)
		st = taf_dim_there(a, index, e);
	if (st == TAF_OK)
		st = taf_attr_set(a, key, scope, index, s->value, e);
	if (st == TAF_OK && s->value != NULL && s->value[0] != '\0' &&
	    taf_parse_f64(s->value, strlen(s->value), &number))
		taf_attr_bare(a, key, scope, index);
	return st;
}

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;
	enum taf_status st = TAF_OK;
	size_t i;

	(void)in, (void)plan;
	if (want->clear)
		taf_attrs_clear(out);
	for (i = 0; i < want->n && st == TAF_OK; i++)
		st = apply(&want->settings[i], out, e);
	return st;
}

/* Does a key end as if it were one of a dimension, but of none that there can be? */
static bool
ends_in_number(const char *key)
{
	const char *at = strrchr(key, '@');

	return at != NULL && at[1] != '\0' &&
	    at[1 + strspn(at + 1, "0123456789")] == '\0';
}

/* KEY@LABEL is of the dimension that an array has labelled so. */
static void
take_label(struct cmd_run *run, struct setting *s)
{
	const char *at = strrchr(s->name, '@');

	if (s->scope != TAF_OF_ARRAY || at == NULL || at == s->name ||
	    !taf_label_may_be(at + 1, strlen(at + 1)))
		return;
	s->base = strndup(s->name, (size_t)(at - s->name));
	if (s->base == NULL)
		cmd_check(run, taf_fail_mem(&run->err));
	run->named = true;
}

/* A key, which ends at len, and its value, NULL to remove it. */
static void
add(struct cmd_run *run, struct intent *want, const char *key, size_t len,
    const char *value)
{
	struct setting *s = &want->settings[want->n++];
	const char *name;
	size_t n = len;

	s->key = key;
	s->value = value;
	s->name = strndup(key, len);
	if (s->name == NULL)
		cmd_check(run, taf_fail_mem(&run->err));
	taf_scope_parse(s->name, &n, &s->scope, &s->index);
	s->name[n] = '\0';
	take_label(run, s);
	if (n == 0 || s->name[0] == '@')
		cmd_usage(run, "%s: it has no key", key);
	if (value != NULL && s->scope == TAF_OF_ARRAY && ends_in_number(s->name))
		cmd_usage(run, "%s: a dimension behind @ is 1 to %d", key,
		    (int)TAF_MAX_DIM);
	if (s->scope == TAF_OF_ARRAY && (taf_rsf_key_is_framing(s->name) ||
	    strcmp(s->name, "complex") == 0 || strcmp(s->name, "ndim") == 0))
		cmd_usage(run,
		    "%s: this key says how the elements lie: see tafadjust, tafreshape",
		    s->name);
	name = s->base != NULL ? s->base : s->name;
	if (value != NULL && (s->scope == TAF_OF_DIM || s->base != NULL) &&
	    (strcmp(name, "label") == 0 || strcmp(name, "unit") == 0) &&
	    !taf_rsf_label_ok(value))
		cmd_usage(run, "%s: a label holds no quote and no control character",
		    key);
}

/*
 * Operands with '=' are settings, but not those behind "--", of which there are so many.
 */
static void
take_settings(struct cmd_run *run, struct intent *want, int behind)
{
	int i, files = 0;

	for (i = 0; i < run->nfiles; i++) {
		const char *eq = run->files[i] != NULL ? strchr(run->files[i], '=') :
		    NULL;

		if (eq == NULL || i >= run->nfiles - behind)
			run->files[files++] = run->files[i];
		else
			add(run, want, run->files[i], (size_t)(eq - run->files[i]),
			    eq + 1);
	}
	if (files == 0 && run->in_place)
		cmd_usage(run, "-i needs the names of files");
	if (files == 0)
		run->files[files++] = NULL;
	run->nfiles = files;
}

int
main(int argc, char **argv)
{
	static const struct cmd_filter put = { .resolve = resolve };
	int behind = 0, status, c;
	struct intent want = { 0 };
	struct cmd_run *run;
	const char *arg;
	size_t i;

	/* options come first in argv after cmd_begin has looked at it, and "--" goes */
	for (c = 1; c < argc && strcmp(argv[c], "--") != 0; c++)
		;
	if (c < argc)
		behind = argc - c - 1;
	run = cmd_begin(&self, argc, argv);
	/* no more settings than words */
	want.settings = calloc((size_t)argc + 1, sizeof *want.settings);
	if (want.settings == NULL)
		cmd_check(run, taf_fail_mem(&run->err));
	while (cmd_option(run, &want, &arg) != 0)
		add(run, &want, arg, strlen(arg), NULL);
	take_settings(run, &want, behind);
	if (want.n == 0 && !want.clear)
		cmd_usage(run, "nothing to set: say KEY=VALUE, --unset or --clear");
	status = cmd_filter(run, &put, &want);
	for (i = 0; i < want.n; i++) {
		free(want.settings[i].name);
		free(want.settings[i].base);
	}
	free(want.settings);
	return status;
}
