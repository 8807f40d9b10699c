/* SPDX-License-Identifier: ISC */
/* tafchecksum - the digest of arrays, whatever carries them. */
#include <string.h>

#include "base/str.h"
#include "cli/cmd.h"
#include "op/digest/checksum.h"
#include "text/digest_check.h"

enum { DATA = 256, HEADER, TREE, VALUES };

struct intent {
	struct taf_checksum_want want;
	bool data;
	const char *list, *tree;
	/* of the file that is read: which operand it is, and its arrays so far */
	int opened;
	uint64_t number;
};

static const struct cmd_option options[] = {
	{ 'c', "check", "LIST", "compare with the lines of an earlier run",
	    SET(TEXT, list) },
	{ DATA, "data", NULL, "digests of the elements alone", SET(FLAG, data) },
	{ HEADER, "header", NULL, "of labels, units, attributes and comment, too",
	    SET(FLAG, want.header) },
	{ TREE, "tree", "FILE", "write there what tells where data are damaged",
	    SET(TEXT, tree) },
	{ VALUES, "values", NULL, "of physical values, not of stored elements",
	    SET(FLAG, want.values) },
	{ 0 },
};

static const struct cmd self = {
	"tafchecksum", "digests of arrays, whatever file carries them",
	"[--values] [--header] [--data] [--tree FILE] [-c LIST] [-j] [-J N]\n"
	"       [-m SIZE] [file ...]",
	options, CMD_JSON | CMD_JOBS | CMD_UNPLANNED,
};

/* The line of an array. */
static enum taf_status
print(struct cmd_run *run, const char *name, const struct intent *want,
    const struct taf_checksum *sum, struct taf_err *e)
{
	struct taf_str s = { .err = e };
	char data[TAF_BLAKE3_TEXT], array[TAF_BLAKE3_TEXT];

	taf_blake3_text(&sum->data, data);
	taf_blake3_text(&sum->array, array);
	if (run->json) {
		taf_str_puts(&s, "{\"file\":");
		taf_str_json(&s, name, strlen(name));
		taf_str_printf(&s, ",\"number\":%llu,\"array\":\"%s\",\"data\":\"%s\"}\n",
		    (unsigned long long)want->number, array, data);
	} else {
		taf_digest_put(&s, want->data ? data : array, name, want->number);
		taf_str_puts(&s, "\n");
	}
	s.st = taf_out_str(run->out, &s);
	taf_str_free(&s);
	return s.st;
}

static enum taf_status
digest(struct cmd_run *run, struct taf_arrays *all, void *ctx, struct taf_err *e)
{
	struct intent *want = ctx;
	const char *const name = taf_arrays_name(all);
	struct taf_checksum sum;
	enum taf_status st;

	want->number = all->opened == want->opened ? want->number + 1 : 1;
	want->opened = all->opened;
	if (want->tree != NULL && want->number > 1)
		return taf_fail(e, TAF_EDATA,
		    "--tree takes one array, and another follows");
	st = taf_checksum(&run->service, all->r, &all->a, &want->want, &sum, e);
	if (st == TAF_OK)
		st = print(run, strcmp(name, taf_in_called(NULL)) == 0 ? "-" : name, want,
		    &sum, e);
	if (st == TAF_OK && want->tree != NULL)
		st = taf_tree_write(&sum.tree, want->tree, e);
	taf_checksum_free(&sum);
	return st;
}

static int
check_all(struct cmd_run *run, const struct intent *want)
{
	struct taf_digest_check c = { .service = &run->service,
		.like = cmd_arrays(run, NULL, 0), .want = want->want,
		.data = want->data };
	struct taf_err *const e = &run->err;
	enum taf_status st = cmd_out(run) == NULL ? e->code :
	    taf_in_open(&c.list.in, want->list, e);
	struct taf_str s = { .err = e };
	unsigned long long before;
	bool same;

	c.like.late = run->late;
	while (st == TAF_OK && !taf_out_failed(run->out)) {
		s.buf.len = 0;
		before = c.list.lines;
		st = taf_digest_check(&c, &same, &s, e);
		if (st == TAF_OK && !same && run->status == 0)
			run->status = 1;
		if (st == TAF_OK && !(same && run->quiet))
			st = taf_out_str(run->out, &s);
		/* what cannot be read costs its own line alone */
		if (st != TAF_OK && c.list.lines > before) {
			cmd_report(run, NULL);
			st = TAF_OK;
		}
	}
	if (st == TAF_END && c.list.lines == 0)
		(void)taf_fail(e, TAF_EDATA, "empty input");
	if (run->err.code != TAF_OK)
		cmd_report(run, want->list);
	taf_str_free(&s);
	taf_in_close(c.list.in);
	taf_digest_check_free(&c);
	return cmd_end(run);
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .list = NULL };

	cmd_options(run, &want);
	/* comment and attributes count with the header alone */
	run->late = !want.want.header;
	if (want.tree != NULL && run->nfiles > 1)
		cmd_usage(run, "--tree takes one file");
	if (want.list == NULL)
		return cmd_each(run, digest, &want);
	if (run->json || want.tree != NULL || run->files[0] != NULL)
		cmd_usage(run, "--check takes no files, and neither --tree nor -j");
	return check_all(run, &want);
}
