#include "cli/datapath.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cli/private.h"

/* Join three parts to a name; one that is cut would be another file's. */
static void
join(struct cmd_run *run, char *to, size_t size, const char *a, const char *b, const char *c)
{
	int n = snprintf(to, size, "%s%s%s", a, b, c);

	if (n < 0 || (size_t)n >= size)
		cmd_check(run, taf_fail(&run->err, TAF_EDATA,
		    "datapath: %.40s...: a name of more than %zu bytes", a, size - 1));
}

/*
 * The prefix that a .datapath file names: its first line is datapath=PATH, later ones
 * HOST datapath=PATH.
 */
static bool
from_file(struct cmd_run *run, const char *path, char *prefix, size_t size)
{
	char line[PATH_MAX + 300];
	struct utsname host;
	FILE *f = fopen(path, "r");
	bool found = false;

	if (f == NULL && errno != ENOENT && errno != ENOTDIR)
		cmd_check(run, taf_fail_sys(&run->err, "%s: cannot open", path));
	if (f == NULL)
		return false;
	if (uname(&host) != 0)
		host.nodename[0] = '\0';
	while (fgets(line, sizeof line, f) != NULL) {
		char *at = strstr(line, "datapath=");
		size_t name = strlen(host.nodename);

		line[strcspn(line, "\r\n")] = '\0';
		if (at == NULL || (at != line && !(strncmp(line, host.nodename, name) == 0 &&
		    (line[name] == ' ' || line[name] == '\t'))))
			continue;
		at += strlen("datapath=");
		at[strcspn(at, " \t")] = '\0';
		join(run, prefix, size, at, "", "");
		found = true;
	}
	if (ferror(f))
		cmd_check(run, taf_fail_sys(&run->err, "%s: cannot read", path));
	(void)fclose(f);
	return found;
}

static void
find_prefix(struct cmd_run *run, char *prefix, size_t size)
{
	const char *env = getenv("DATAPATH"), *home = getenv("HOME");
	char path[PATH_MAX];

	if (from_file(run, ".datapath", prefix, size))
		return;
	if (env != NULL && env[0] != '\0') {
		join(run, prefix, size, env, "", "");
		return;
	}
	if (home != NULL) {
		join(run, path, sizeof path, home, "/.datapath", "");
		if (from_file(run, path, prefix, size))
			return;
	}
	join(run, prefix, size, "./", "", "");
}

void
cmd_datapath(struct cmd_run *run, const char *prefix)
{
	char found[PATH_MAX], file[PATH_MAX], dir[PATH_MAX], *base;
	static char data[2 * PATH_MAX];
	struct stat st;
	int fd;

	if (prefix == NULL) {
		find_prefix(run, found, sizeof found);
		prefix = found;
	}
	if (run->output != NULL) {
		join(run, file, sizeof file, run->output, "", "");
	} else {
		if (fstat(1, &st) != 0 || !S_ISREG(st.st_mode))
			return;
		(void)cmd_private_stdout(file, sizeof file);
	}
	base = strrchr(file, '/');
	if (base != NULL && getcwd(dir, sizeof dir) != NULL && base == file + strlen(dir) &&
	    strncmp(file, dir, strlen(dir)) == 0)
		memmove(file, base + 1, strlen(base));
	else if (base != NULL || file[0] == '\0')
		file[0] = '\0';
	if (file[0] != '\0') {
		join(run, data, sizeof data, prefix, file, "@");
	} else {
		join(run, data, sizeof data, prefix, run->self->name, "XXXXXX");
		fd = mkstemp(data);
		if (fd < 0)
			cmd_check(run, taf_fail_sys(&run->err, "%s: cannot create", data));
		/* the name is all that is wanted: a refused run leaves no file */
		(void)close(fd);
		(void)unlink(data);
	}
	run->data = data;
}
