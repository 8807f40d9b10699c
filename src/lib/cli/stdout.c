/* What can be seen of standard output by name. */
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/private.h"

bool
cmd_private_ends(const char *name, const char *suffix)
{
	size_t n = strlen(name), m = strlen(suffix);

	return n >= m && strcmp(name + n - m, suffix) == 0;
}

const char *
cmd_stdout_name(void)
{
	static char name[4096];
	struct stat st;
	ssize_t n;

	if (fstat(1, &st) != 0 || !S_ISREG(st.st_mode))
		return NULL;
	n = readlink("/proc/self/fd/1", name, sizeof name - 1);
	name[n > 0 ? n : 0] = '\0';
	return name;
}

/* Is it the folder of this process's descriptors? */
static bool
is_descriptors(const char *folder)
{
	static const char *const names[] = { "/proc/self/fd", "/dev/fd" };
	struct stat st, fd;
	size_t i;

	if (stat(folder, &st) != 0)
		return false;
	for (i = 0; i < sizeof names / sizeof names[0]; i++)
		if (stat(names[i], &fd) == 0 && fd.st_dev == st.st_dev &&
		    fd.st_ino == st.st_ino)
			return true;
	return false;
}

bool
cmd_private_is_stdout(const char *path)
{
	char at[PATH_MAX], to[PATH_MAX], *base;
	int hops;

	if (strlen(path) >= sizeof at)
		return false;
	(void)strcpy(at, path);
	for (hops = 0; hops < 40; hops++) {
		ssize_t n = readlink(at, to, sizeof to);
		size_t dir;

		base = strrchr(at, '/');
		base = base != NULL ? base + 1 : at;
		dir = (size_t)(base - at);
		if (strcmp(base, "1") == 0 && dir > 0) {
			*base = '\0';
			if (is_descriptors(at))
				return true;
			*base = '1';
		}
		if (n < 0)
			return strcmp(at, "/dev/stdout") == 0;
		if (to[0] == '/')
			dir = 0;
		if (dir + (size_t)n >= sizeof at)
			return false;
		memcpy(at + dir, to, (size_t)n);
		at[dir + (size_t)n] = '\0';
	}
	return false;
}
