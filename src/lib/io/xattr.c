/* SPDX-License-Identifier: ISC */
#include "io/xattr.h"

#include "config.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef HAVE_XATTR

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>

#include "base/endian.h"

/* The list as the kernel shows it: a version, then entries of tag, bits and user. */
enum { FIRST = 4, ENTRY = 8, GROUP = 4, OTHER = 32, BITS = 7 };
static const char list[] = "system.posix_acl_access";

/* The call has failed because there is nothing of that kind. */
static bool
is_none(void)
{
	return errno == ENODATA || errno == ENOTSUP || errno == ENOSYS;
}

/* Its value, of *n bytes; NULL with errno. */
static unsigned char *
read_one(const char *file, const char *name, ssize_t *n)
{
	unsigned char *value = NULL;

	*n = getxattr(file, name, NULL, 0);
	if (*n >= 0 && (value = malloc((size_t)*n + 1)) == NULL) {
		errno = ENOMEM;
		return NULL;
	}
	if (value != NULL && (*n = getxattr(file, name, value, (size_t)*n + 1)) < 0) {
		free(value);
		value = NULL;
	}
	return value;
}

static enum taf_status
copy_one(const char *to, const char *from, const char *name, struct taf_err *e)
{
	ssize_t n;
	unsigned char *value = read_one(from, name, &n);
	bool done = value != NULL && setxattr(to, name, value, (size_t)n, 0) == 0;

	free(value);
	return done || strncmp(name, "user.", 5) != 0 ? TAF_OK :
	    taf_fail_sys(e, "cannot keep its %s", name);
}

enum taf_status
taf_xattr_copy(const char *to, const char *from, struct taf_err *e)
{
	ssize_t n = listxattr(from, NULL, 0), i;
	enum taf_status st = TAF_OK;
	char *names;

	if (n < 0 && !is_none())
		return taf_fail_sys(e, "cannot read its attributes");
	if (n <= 0)
		return TAF_OK;
	names = malloc((size_t)n);
	if (names == NULL)
		return taf_fail_mem(e);
	n = listxattr(from, names, (size_t)n);
	if (n < 0)
		st = taf_fail_sys(e, "cannot read its attributes");
	for (i = 0; i < n && st == TAF_OK; i += (ssize_t)strlen(names + i) + 1)
		if (strcmp(names + i, list) != 0)
			st = copy_one(to, from, names + i, e);
	free(names);
	return st;
}

/* The group is another one: what both it and all others may, they may. */
static void
cut_list(unsigned char *p, size_t n)
{
	unsigned bits = BITS, tag;
	size_t i;

	for (i = FIRST; i + ENTRY <= n; i += ENTRY) {
		tag = taf_get16(p + i, false);
		if (tag == GROUP || tag == OTHER)
			bits &= taf_get16(p + i + 2, false);
	}
	for (i = FIRST; i + ENTRY <= n; i += ENTRY) {
		tag = taf_get16(p + i, false);
		if (tag == GROUP || tag == OTHER)
			taf_put16(p + i + 2, (uint16_t)bits, false);
	}
}

/* *listed: the file has a list now, which says what its mode is. */
static enum taf_status
copy_list(const char *to, const char *from, bool cut, bool *listed, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	ssize_t n;
	unsigned char *p = read_one(from, list, &n);

	*listed = p != NULL;
	if (p == NULL && !is_none())
		return taf_fail_sys(e, "cannot read its %s", list);
	/* one that the folder gives to new files is not the old file's */
	if (p == NULL) {
		(void)removexattr(to, list);
		return TAF_OK;
	}
	if (cut)
		cut_list(p, (size_t)n);
	if (setxattr(to, list, p, (size_t)n, 0) != 0)
		st = taf_fail_sys(e, "cannot keep its %s", list);
	free(p);
	return st;
}

#else

enum taf_status
taf_xattr_copy(const char *to, const char *from, struct taf_err *e)
{
	(void)to, (void)from, (void)e;
	return TAF_OK;
}

static enum taf_status
copy_list(const char *to, const char *from, bool cut, bool *listed, struct taf_err *e)
{
	(void)to, (void)from, (void)cut, (void)e;
	*listed = false;
	return TAF_OK;
}

#endif

/* Only root can give a file away; but a group of ours it can have. */
static void
give_away(int fd, const struct stat *mine, const struct stat *old)
{
	if (mine->st_uid == old->st_uid && mine->st_gid == old->st_gid)
		return;
	if (fchown(fd, old->st_uid, old->st_gid) != 0 && mine->st_gid != old->st_gid &&
	    fchown(fd, (uid_t)-1, old->st_gid) != 0)
		return;
}

enum taf_status
taf_rights_copy(int fd, const char *to, const char *from, mode_t *special,
    struct taf_err *e)
{
	struct stat old, mine;
	mode_t mode, both;
	bool cut, listed;

	if (stat(from, &old) != 0 || fstat(fd, &mine) != 0)
		return taf_fail_sys(e, "cannot look at it");
	give_away(fd, &mine, &old);
	if (fstat(fd, &mine) != 0)
		return taf_fail_sys(e, "cannot look at it");
	cut = mine.st_gid != old.st_gid;
	mode = old.st_mode & 0777;
	both = mode & mode >> 3 & 07;
	if (cut)
		mode = (mode & 0700) | both << 3 | both;
	/* before the mode, whose bits for the group are the mask of a list */
	if (copy_list(to, from, cut, &listed, e) != TAF_OK)
		return e->code;
	if (!listed && fchmod(fd, mode) != 0)
		return taf_fail_sys(e, "cannot set the mode");
	if (special != NULL)
		*special = old.st_mode & 07000 &
		    ~(mode_t)(mine.st_uid != old.st_uid ? S_ISUID : 0) &
		    ~(mode_t)(cut ? S_ISGID : 0);
	return TAF_OK;
}
