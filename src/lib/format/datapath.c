/* SPDX-License-Identifier: ISC */
#include "format/datapath.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Join three parts to a name; one that is cut would be another file's. */
static enum taf_status
join(char *to, size_t size, const char *a, const char *b, const char *c,
    struct taf_err *e)
{
	int n = snprintf(to, size, "%s%s%s", a, b, c);

	return n >= 0 && (size_t)n < size ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "datapath: %.40s...: a name of more than %zu bytes", a, size - 1);
}

/* The path that a line gives to this host, or to all: NULL for none. */
static const char *
path_in(char *line, const char *host)
{
	char *at = strstr(line, "datapath=");
	size_t name = strlen(host);

	line[strcspn(line, "\r\n")] = '\0';
	if (at == NULL || (at != line && !(strncmp(line, host, name) == 0 &&
	    (line[name] == ' ' || line[name] == '\t'))))
		return NULL;
	at += strlen("datapath=");
	at[strcspn(at, " \t")] = '\0';
	return at;
}

/*
 * The prefix that a .datapath file names: its first line is datapath=PATH, later ones
 * HOST datapath=PATH.
 */
static enum taf_status
from_file(const char *file, char prefix[PATH_MAX], bool *found, struct taf_err *e)
{
	char line[PATH_MAX + 300];
	enum taf_status st = TAF_OK;
	struct utsname host;
	const char *path;
	FILE *f = fopen(file, "r");

	*found = false;
	if (f == NULL && (errno == ENOENT || errno == ENOTDIR))
		return TAF_OK;
	if (f == NULL)
		return taf_fail_sys(e, "%s: cannot open", file);
	if (uname(&host) != 0)
		host.nodename[0] = '\0';
	while (st == TAF_OK && fgets(line, sizeof line, f) != NULL)
		if ((path = path_in(line, host.nodename)) != NULL) {
			st = join(prefix, PATH_MAX, path, "", "", e);
			*found = true;
		}
	if (ferror(f))
		st = taf_fail_sys(e, "%s: cannot read", file);
	(void)fclose(f);
	return st;
}

static enum taf_status
find_prefix(char prefix[PATH_MAX], struct taf_err *e)
{
	const char *env = getenv("DATAPATH"), *home = getenv("HOME");
	char path[PATH_MAX];
	bool found;
	enum taf_status st = from_file(".datapath", prefix, &found, e);

	if (st != TAF_OK || found)
		return st;
	if (env != NULL && env[0] != '\0')
		return join(prefix, PATH_MAX, env, "", "", e);
	if (home != NULL) {
		st = join(path, sizeof path, home, "/.datapath", "", e);
		if (st == TAF_OK)
			st = from_file(path, prefix, &found, e);
		if (st != TAF_OK || found)
			return st;
	}
	return join(prefix, PATH_MAX, "./", "", "", e);
}

/* The name of a file in the working folder, NULL for one that is elsewhere. */
static const char *
name_here(const char *file)
{
	const char *base = strrchr(file, '/');
	char dir[PATH_MAX];

	if (base == NULL)
		return file[0] != '\0' ? file : NULL;
	return getcwd(dir, sizeof dir) != NULL && base == file + strlen(dir) &&
	    strncmp(file, dir, strlen(dir)) == 0 ? base + 1 : NULL;
}

enum taf_status
taf_datapath(char data[TAF_DATAPATH_MAX], const char *header, const char *program,
    const char *prefix, struct taf_err *e)
{
	const char *name = name_here(header);
	char found[PATH_MAX];
	int fd;

	if (prefix == NULL) {
		if (find_prefix(found, e) != TAF_OK)
			return e->code;
		prefix = found;
	}
	if (name != NULL)
		return join(data, TAF_DATAPATH_MAX, prefix, name, "@", e);
	if (join(data, TAF_DATAPATH_MAX, prefix, program, "XXXXXX", e) != TAF_OK)
		return e->code;
	fd = mkstemp(data);
	if (fd < 0)
		return taf_fail_sys(e, "%s: cannot create", data);
	/* the name is all that is wanted: a refused run leaves no file */
	(void)close(fd);
	(void)unlink(data);
	return TAF_OK;
}
