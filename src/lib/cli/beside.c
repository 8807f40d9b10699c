#include "cli/beside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *
cmd_beside_stem(const char *file, const char *directory)
{
	const char *slash = strrchr(file, '/'), *base = slash != NULL ? slash + 1 : file;
	const char *dot = strrchr(base, '.');
	size_t lead = directory != NULL ? strlen(directory) + 1 : (size_t)(base - file);
	size_t n = dot != NULL && dot > base ? (size_t)(dot - base) : strlen(base);
	char *stem = malloc(lead + n + 1);

	if (stem == NULL)
		return NULL;
	if (directory != NULL) {
		memcpy(stem, directory, lead - 1);
		stem[lead - 1] = '/';
	} else {
		memcpy(stem, file, lead);
	}
	memcpy(stem + lead, base, n);
	stem[lead + n] = '\0';
	return stem;
}

static enum taf_status
check_free(const struct cmd_run *run, const char *target, const char *source,
    struct taf_err *e)
{
	struct stat there, from;

	if (lstat(target, &there) != 0)
		return errno == ENOENT ? TAF_OK : taf_fail_sys(e, "%s", target);
	if (stat(target, &there) == 0 && stat(source, &from) == 0 &&
	    there.st_dev == from.st_dev && there.st_ino == from.st_ino)
		return taf_fail(e, TAF_EDATA, "%s is the source itself", target);
	return run->force ? TAF_OK :
	    taf_fail(e, TAF_EDATA, "%s is there already (-f overwrites)", target);
}

enum taf_status
cmd_beside_open(const struct cmd_run *run, const char *stem, const char *source,
    uint64_t n, struct taf_buf *path, struct taf_writer **w, struct taf_err *e)
{
	struct taf_sink sink = { NULL, TAF_FORMAT_TAF, NULL, NULL, n == 1 };
	enum taf_status st = TAF_OK;
	uint64_t k;

	if (n > 1 && taf_sink_numbered(stem))
		return taf_fail(e, TAF_EDATA, "%%d in the name, and several records");
	for (k = 0; k < n && st == TAF_OK; k++) {
		path->len = 0;
		st = n == 1 ? taf_buf_printf(path, e, "%s.taf", stem) :
		    taf_buf_printf(path, e, "%s-%llu.taf", stem,
		    (unsigned long long)k + 1);
		if (st == TAF_OK)
			st = check_free(run, path->data, source, e);
	}
	if (st == TAF_OK && n > 1) {
		path->len = 0;
		st = taf_buf_printf(path, e, "%s-%%d.taf", stem);
	}
	sink.path = path->data;
	return st != TAF_OK ? st : taf_writer_open(w, &sink, e);
}
