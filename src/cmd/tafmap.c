/* tafmap - where the elements are, and code that maps them. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array/region.h"
#include "cli/cmd.h"
#include "codec/taf_file.h"
#include "io/url.h"
#include "text/kerchunk.h"
#include "text/mapcode.h"

enum { LANG = 256 };

struct intent {
	struct taf_bounds bounds;
	const char *lang;
};

static const struct cmd_option options[] = {
	{ 'g', "grid", "DIM=LO:HI", "these grid values of a dimension",
	    SET(BOUNDS, bounds) },
	{ 'x', "index", "DIM=LO:HI[:STEP]", "these indices of a dimension",
	    SET(BOUNDS, bounds) },
	{ LANG, "lang", "LANG", "code: c numpy matlab octave julia shell json kerchunk",
	    OWN },
	{ 0 },
};

static const struct cmd self = {
	"tafmap", "tell how to map the data of a TAF file",
	"[-x DIM=LO:HI[:STEP]] [-g DIM=LO:HI] [--lang LANG] [-o FILE] [file]",
	options, CMD_FILE | CMD_ONE | CMD_TAF_FILES,
};

static bool
is_kerchunk(const char *lang)
{
	return lang != NULL && strcmp(lang, "kerchunk") == 0;
}

/* A pipe cannot be mapped; a file is, by a name that the code can open again. */
static bool
input_is_file(void)
{
	struct stat s;

	return fstat(STDIN_FILENO, &s) == 0 && S_ISREG(s.st_mode) &&
	    lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
}

static enum taf_status
map(struct cmd_run *run, struct taf_arrays *all, void *ctx, struct taf_err *e)
{
	const struct taf_source *source = taf_reader_source(all->r);
	const struct intent *want = ctx;
	struct taf_mapcode m = { 0 };
	struct taf_str text = { .err = e };
	enum taf_status st;

	if (source == NULL)
		return taf_fail(e, TAF_EDATA, "not a TAF file: only those are mapped");
	m.file = all->files[0] != NULL && strcmp(all->files[0], "-") != 0 ?
	    all->files[0] : "/dev/stdin";
	m.offset = source->data;
	/* as in the file: complex elements have their parts in a last dimension */
	if (taf_file_shape(&all->a, &m.array, e) != TAF_OK ||
	    taf_bounds_resolve(&want->bounds, &m.array, &m.region, e) != TAF_OK)
		return e->code;
	if (is_kerchunk(want->lang))
		taf_kerchunk_put(&m, &all->a, &text);
	else
		taf_mapcode_put(&m, want->lang, &text);
	st = taf_out_str(run->out, &text);
	taf_str_free(&text);
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want;
	const char *arg;
	int i;

	while (cmd_option(run, &want, &arg) != 0) {
		if (!taf_mapcode_language(arg) && !is_kerchunk(arg))
			cmd_usage(run,
			    "--lang %s: not c, numpy, matlab, octave, julia, shell, json or kerchunk",
			    arg);
		want.lang = arg;
	}
	if (is_kerchunk(want.lang) && want.bounds.most > 0)
		cmd_usage(run, "--lang kerchunk maps all of an array: no -x and no -g");
	if ((run->files[0] == NULL || strcmp(run->files[0], "-") == 0) &&
	    !input_is_file())
		cmd_usage(run, "standard input is no file: a pipe cannot be mapped");
	for (i = 0; i < run->nfiles; i++)
		if (taf_is_url(run->files[i]))
			cmd_usage(run, "a URL is no file: it cannot be mapped");
	return cmd_each(run, map, &want);
}
