/* tafchecksum - the digest of arrays, whatever carries them. */
#include <string.h>

#include "base/str.h"
#include "cli/cmd.h"
#include "op/digest/checksum.h"
#include "text/digests.h"

enum { DATA = 256, HEADER, VALUES };

struct intent {
	struct taf_checksum_want want;
	bool data;
	const char *list;
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
	{ VALUES, "values", NULL, "of physical values, not of stored elements",
	    SET(FLAG, want.values) },
	{ 0 },
};

static const struct cmd self = {
	"tafchecksum", "digests of arrays, whatever file carries them",
	"[--values] [--header] [--data] [-c LIST] [-j] [-J N] [-m SIZE]\n"
	"       [file ...]",
	options, CMD_JSON | CMD_JOBS,
};

static enum taf_status
print(struct cmd_run *run, struct taf_arrays *all, void *ctx, struct taf_err *e)
{
	struct intent *want = ctx;
	const char *const file = all->files[all->opened - 1];
	const char *const name = file != NULL ? file : "-";
	struct taf_str s = { .err = e };
	struct taf_checksum sum;
	char data[TAF_BLAKE3_TEXT], array[TAF_BLAKE3_TEXT];
	enum taf_status st = taf_checksum(&run->service, all->r, &all->a, &want->want,
	    &sum, e);

	if (st != TAF_OK)
		return st;
	want->number = all->opened == want->opened ? want->number + 1 : 1;
	want->opened = all->opened;
	taf_blake3_text(&sum.data, data);
	taf_blake3_text(&sum.array, array);
	if (run->json) {
		taf_str_puts(&s, "{\"file\":");
		taf_str_json(&s, name, strlen(name));
		taf_str_printf(&s, ",\"number\":%llu,\"array\":\"%s\",\"data\":\"%s\"}\n",
		    (unsigned long long)want->number, array, data);
	} else {
		taf_digest_put(&s, want->data ? data : array, name, want->number);
		taf_str_puts(&s, "\n");
	}
	st = taf_out_str(run->out, &s);
	taf_str_free(&s);
	return st;
}

/* The lines of a list, and the array that the last of them was about. */
struct checking {
	struct cmd_run *run;
	const struct intent *want;
	struct taf_digests list;
	struct taf_buf name;		/* of the file that is open */
	const char *file;
	struct taf_arrays all;
};

/* Go to an array of a file; those of a file that follow each other are read once. */
static enum taf_status
go_to(struct checking *c, const char *name, uint64_t number, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	if (c->file == NULL || strcmp(c->name.data, name) != 0 || c->all.r == NULL ||
	    c->all.number >= number) {
		taf_arrays_close(&c->all);
		c->name.len = 0;
		if (taf_buf_put(&c->name, name, strlen(name) + 1, e) != TAF_OK)
			return e->code;
		c->file = c->name.data;
		c->all = cmd_arrays(c->run, &c->file, 1);
		c->all.late = c->run->late;
	}
	while (st == TAF_OK && c->all.number < number)
		st = taf_arrays_next(&c->all, e);
	return st == TAF_END ? taf_arrays_few(number, c->all.number, name, false, e) : st;
}

/* One line: an answer, no where the array differs. */
static enum taf_status
check(struct checking *c, struct taf_err *e)
{
	const struct taf_digests *const line = &c->list;
	struct cmd_run *run = c->run;
	struct taf_checksum sum;
	struct taf_str s = { .err = e };
	char text[TAF_BLAKE3_TEXT];
	bool same;

	if (go_to(c, line->name, line->number, e) != TAF_OK ||
	    taf_checksum(&run->service, c->all.r, &c->all.a, &c->want->want, &sum, e) !=
	    TAF_OK) {
		taf_err_name(e, line->name);
		taf_arrays_close(&c->all);
		c->file = NULL;
		return e->code;
	}
	taf_blake3_text(c->want->data ? &sum.data : &sum.array, text);
	same = strcmp(text, line->digest) == 0;
	if (!same && run->status == 0)
		run->status = 1;
	if (same && run->quiet)
		return TAF_OK;
	taf_digest_put(&s, NULL, line->name, line->number);
	taf_str_puts(&s, same ? ": OK\n" : ": FAILED\n");
	s.st = taf_out_str(run->out, &s);
	taf_str_free(&s);
	return s.st;
}

static int
check_all(struct cmd_run *run, const struct intent *want)
{
	struct checking c = { .run = run, .want = want };
	struct taf_err *const e = &run->err;
	enum taf_status st = cmd_out(run) == NULL ? e->code :
	    taf_in_open(&c.list.in, want->list, e);

	while (st != TAF_END && st != TAF_ESYS) {
		st = taf_digests_next(&c.list, e);
		if (st == TAF_OK)
			st = check(&c, e);
		/* what cannot be read costs its own line alone */
		if (st != TAF_OK && st != TAF_END)
			cmd_report(run, NULL);
	}
	if (c.list.lines == 0 && run->status == 0) {
		(void)taf_fail(e, TAF_EDATA, "empty input");
		cmd_report(run, want->list);
	}
	taf_arrays_close(&c.all);
	taf_buf_free(&c.name);
	taf_in_close(c.list.in);
	taf_digests_free(&c.list);
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
	if (want.list == NULL)
		return cmd_each(run, print, &want);
	if (run->json || run->files[0] != NULL)
		cmd_usage(run, "--check takes neither files nor -j: its list has the names");
	return check_all(run, &want);
}
