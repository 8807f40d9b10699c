/* SPDX-License-Identifier: ISC */
/* tafmap - where the elements are, and code that maps them. */
/* link: zlib */
#include <string.h>
#include <unistd.h>

#include "array/region.h"
#include "cli/cmd.h"
#include "io/url.h"
#include "io/where.h"
#include "text/kerchunk.h"
#include "text/mapcode.h"
#include "text/maps.h"

enum { LANG = 256, CHUNK, PREFIX, REVERSE };

struct intent {
	struct taf_bounds bounds;
	struct taf_raw raw;
	const char *lang, *prefix;
	uint64_t chunk;
	bool kerchunk, reverse;
};

static const struct cmd_option options[] = {
	{ 'e', "from", "TYPE", "with -n: type of elements, with be or le behind it",
	    OWN },
	{ 'g', "grid", "DIM=LO:HI", "these grid values of a dimension",
	    SET(BOUNDS, bounds) },
	{ 'n', "size", "L1,L2,...", "lengths of a file that has no header",
	    SET(PARSED, raw.size), .parse = taf_size_parse },
	{ 'x', "index", "DIM=LO:HI[:STEP]", "these indices of a dimension",
	    SET(BOUNDS, bounds) },
	{ CHUNK, "chunk", "BYTES", "kerchunk: the most of a chunk, default 4M",
	    SET(BYTES, chunk) },
	{ LANG, "lang", "LANG",
	    "code: c numpy xarray matlab octave julia r shell json kerchunk", OWN },
	{ PREFIX, "prefix", "URL", "kerchunk: what stands before the names of files",
	    SET(TEXT, prefix) },
	{ REVERSE, "reverse", NULL, "show the dimensions in reverse order",
	    SET(FLAG, reverse) },
	{ 0 },
};

static const struct cmd self = {
	"tafmap", "tell how to map the data of a file",
	"[-x DIM=LO:HI[:STEP]] [-g DIM=LO:HI] [--lang LANG]\n"
	"       [-n L1,L2[,...] -e TYPE] [--reverse] [-N K] [-o FILE] [file]\n"
	"       | --lang kerchunk [--prefix URL] [--chunk BYTES] [-o FILE] [file ...]",
	options, CMD_FILE | CMD_PICK | CMD_AS_IS,
};

static void
read_options(struct cmd_run *run, struct intent *want)
{
	const char *arg;
	int c, i;

	while ((c = cmd_option(run, want, &arg)) != 0)
		if (c == LANG)
			want->lang = arg;
		else if (!taf_type_parse_order(arg, &want->raw.type, &want->raw.big))
			cmd_value(run,
			    "%s: unknown element type: as -t, with le or be behind it",
			    arg);
	want->kerchunk = want->lang != NULL && strcmp(want->lang, "kerchunk") == 0;
	if (want->lang != NULL && !want->kerchunk && !taf_mapcode_language(want->lang))
		cmd_usage(run,
		    "--lang %s: not c, numpy, xarray, matlab, octave, julia, r, shell, json or kerchunk",
		    want->lang);
	if (want->kerchunk && want->bounds.most > 0)
		cmd_usage(run, "--lang kerchunk maps all of an array: no -x and no -g");
	if (!want->kerchunk && (cmd_has(run, CHUNK) || want->prefix != NULL))
		cmd_usage(run, "--prefix and --chunk are for --lang kerchunk");
	if (!want->kerchunk && run->nfiles > 1)
		cmd_usage(run, "%s: one file at most, but for --lang kerchunk",
		    run->files[1]);
	if (cmd_has(run, 'n') != cmd_has(run, 'e'))
		cmd_missing(run, cmd_has(run, 'n') ? 'e' : 'n');
	for (i = 0; i < run->nfiles; i++) {
		if (run->files[i] != NULL && strcmp(run->files[i], "-") == 0)
			run->files[i] = NULL;
		/* by its name the code opens it again */
		if (run->files[i] == NULL && (!taf_file_twice(NULL) ||
		    lseek(STDIN_FILENO, 0, SEEK_CUR) != 0))
			cmd_usage(run,
			    "standard input is no file: a pipe cannot be mapped");
		if (taf_is_url(run->files[i]))
			cmd_usage(run, "a URL is no file: it cannot be mapped");
	}
}

/* The code for one array. */
static enum taf_status
put_code(struct cmd_run *run, const struct intent *want, struct taf_maps *all,
    struct taf_str *to)
{
	struct taf_mapcode m = { .map = all->map };
	struct taf_array *a = &m.map->a;

	if (all->n > 1)
		return taf_fail(to->err, TAF_EDATA, "%zu arrays: -N says which one",
		    all->n);
	if (taf_words_settle(&run->words, a, to->err) != TAF_OK ||
	    taf_bounds_resolve(&want->bounds, a, &m.region, to->err) != TAF_OK)
		return to->err->code;
	return taf_mapcode_put(&m, want->lang, to);
}

static enum taf_status
map(struct cmd_run *run, const struct intent *want, struct taf_maps *all,
    struct taf_err *e)
{
	struct taf_maps part;
	struct taf_str text = { .err = e };
	enum taf_status st = TAF_OK;
	int i;

	for (i = 0; i < run->nfiles && st == TAF_OK; i++)
		st = taf_maps_add(all, run->files[i], cmd_has(run, 'n') ? &want->raw :
		    NULL, want->reverse, e);
	part = *all;
	if (st == TAF_OK && run->pick > all->n)
		st = taf_arrays_few(run->pick, all->n, run->files[run->nfiles - 1],
		    run->nfiles > 1, e);
	else if (run->pick > 0)
		part = (struct taf_maps){ all->map + run->pick - 1, 1 };
	for (i = 0; st == TAF_OK && i < (int)part.n; i++)
		cmd_say_array(run, part.map[i].file, &part.map[i].a);
	if (st == TAF_OK && want->kerchunk)
		st = taf_kerchunk_put(&(struct taf_kerchunk){ &part, want->prefix,
		    want->chunk }, &text);
	else if (st == TAF_OK)
		st = put_code(run, want, &part, &text);
	taf_err_name(e, taf_in_called(run->files[0]));
	if (st == TAF_OK && cmd_out(run) != NULL)
		st = taf_out_str(run->out, &text);
	taf_str_free(&text);
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct taf_maps all = { NULL, 0 };
	static struct intent want;

	read_options(run, &want);
	cmd_input(run);
	if (map(run, &want, &all, &run->err) != TAF_OK)
		cmd_report(run, NULL);
	taf_maps_free(&all);
	return cmd_end(run);
}
