#include "io/xattr.h"

#include "config.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef HAVE_XATTR

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>

static const char acl[] = "system.posix_acl_access";

static enum taf_status
copy_one(const char *to, const char *from, const char *name, struct taf_err *e)
{
	bool kept = strncmp(name, "user.", 5) == 0 || strcmp(name, acl) == 0;
	ssize_t n = getxattr(from, name, NULL, 0);
	char *value = n >= 0 ? malloc((size_t)n + 1) : NULL;
	bool done = false;

	if (n >= 0 && value == NULL)
		return taf_fail_mem(e);
	if (n >= 0)
		n = getxattr(from, name, value, (size_t)n + 1);
	if (n >= 0)
		done = setxattr(to, name, value, (size_t)n, 0) == 0;
	free(value);
	return done || !kept ? TAF_OK : taf_fail_sys(e, "cannot keep its %s", name);
}

enum taf_status
taf_xattr_copy(const char *to, const char *from, struct taf_err *e)
{
	ssize_t n = listxattr(from, NULL, 0), i;
	enum taf_status st = TAF_OK;
	char *names;

	/* one that the folder gives to new files is not the old file's */
	(void)removexattr(to, acl);
	if (n <= 0)
		return TAF_OK;
	names = malloc((size_t)n);
	if (names == NULL)
		return taf_fail_mem(e);
	n = listxattr(from, names, (size_t)n);
	if (n < 0)
		st = taf_fail_sys(e, "cannot read its attributes");
	for (i = 0; i < n && st == TAF_OK; i += (ssize_t)strlen(names + i) + 1)
		st = copy_one(to, from, names + i, e);
	free(names);
	return st;
}

#else

enum taf_status
taf_xattr_copy(const char *to, const char *from, struct taf_err *e)
{
	(void)to, (void)from, (void)e;
	return TAF_OK;
}

#endif
