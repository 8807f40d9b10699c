/* SPDX-License-Identifier: ISC */
/* tafprobe - what arrays are there, and how they are stored. */
#include <string.h>

#include "cli/cmd.h"
#include "text/describe.h"

struct intent {
	const char *key;
	bool list;		/* they are several, with commas between */
};

static const struct cmd_option options[] = {
	{ 'k', "key", "KEY,...", "print these values alone", SET(TEXT, key) },
	{ 0 },
};

static const struct cmd self = {
	"tafprobe", "show what TAF files and streams hold",
	"[-j] [-k KEY,...] [-N K] [file ...]",
	options, CMD_JSON | CMD_PICK,
};

/* Of several files the name stands first. */
static enum taf_status
name_first(const struct cmd_run *run, struct intent *want, struct taf_str *keys)
{
	const char *file = strstr(want->key, "file");
	const bool named = file != NULL && (file == want->key || file[-1] == ',') &&
	    (file[4] == '\0' || file[4] == ',');

	want->list = strchr(want->key, ',') != NULL;
	if (run->nfiles < 2 || named)
		return TAF_OK;
	taf_str_printf(keys, "file,%s", want->key);
	want->key = keys->buf.data;
	want->list = true;
	return keys->st;
}

static enum taf_status
probe(struct cmd_run *run, struct taf_arrays *all, void *ctx, struct taf_err *e)
{
	const struct intent *want = ctx;
	struct taf_str text = { .err = e };
	const bool json = run->json;
	struct taf_describe f = { taf_arrays_name(all), &all->a,
	    taf_reader_source(all->r), taf_reader_offset(all->r), json, &text };
	/* of a pipe all must have come before anything is said of it */
	enum taf_status st = taf_reader_finish(all->r, &all->a, e);

	if (st != TAF_OK)
		return st;
	if (want->list)
		taf_describe_values(&f, want->key);
	else if (want->key != NULL)
		taf_describe_value(&f, want->key);
	else if (json)
		taf_describe_json(&f);
	else
		taf_describe_page(&f);
	st = taf_out_str(run->out, &text);
	taf_str_free(&text);
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { NULL, false };
	struct taf_str keys = { .err = &run->err };
	int status;

	cmd_options(run, &want);
	run->late = true;
	if (want.key != NULL)
		cmd_check(run, name_first(run, &want, &keys));
	status = cmd_each(run, probe, &want);
	taf_str_free(&keys);
	return status;
}
