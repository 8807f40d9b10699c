/* SPDX-License-Identifier: ISC */
/* Named temporary files: a process that makes many of them does not grow.  And syncs. */
#include "unit.h"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_XATTR
#include <sys/xattr.h>
#endif

#include "io/at.h"
#include "io/out.h"
#include "io/temp.h"

/* Each is whole, and none stays behind; names are of all lengths. */
static void
many(void)
{
	const char *tmp = getenv("TMPDIR");
	char path[4096], dir[3000];
	struct taf_err e = { 0 };
	struct taf_out *out;
	char *before = NULL;
	int i;

	snprintf(dir, sizeof dir, "%s/taf-unit-XXXXXX", tmp != NULL ? tmp : "/tmp");
	if (!CHECK(mkdtemp(dir) != NULL))
		return;
	for (i = 0; i < 6000; i++) {
		if (i == 1000)
			before = sbrk(0);
		snprintf(path, sizeof path, "%s/%0*d", dir, 1 + i % 190, i);
		if (!CHECK(taf_out_create(&out, path, &e) == TAF_OK))
			break;
		taf_out_discard(out);
	}
	/* where malloc takes its memory elsewhere, this says nothing */
	CHECK((char *)sbrk(0) - before < 256 * 1024);
	CHECK(rmdir(dir) == 0);
}

/*
 * A hundred thousand at once do not take minutes, and what is forgotten is not removed.
 */
static void
at_once(void)
{
	enum { MANY = 100000 };
	char path[64], kept[64];
	struct taf_err e = { 0 };
	int i, round, fd;

	for (round = 0; round < 2; round++) {
		const unsigned left = alarm(60);

		for (i = 0; i < MANY; i++) {
			snprintf(path, sizeof path, "/nowhere/%d.%d", round, i);
			if (!CHECK(taf_temp_add(path, &e) == TAF_OK))
				return;
		}
		for (i = 0; i < MANY; i++) {
			snprintf(path, sizeof path, "/nowhere/%d.%d", round, i);
			taf_temp_forget(path);
		}
		alarm(left);
	}
	snprintf(path, sizeof path, "taf-unit-a-%ld", (long)getpid());
	snprintf(kept, sizeof kept, "taf-unit-b-%ld", (long)getpid());
	for (i = 0; i < 2; i++) {
		fd = open(i == 0 ? path : kept, O_WRONLY | O_CREAT, 0666);
		CHECK(fd >= 0 && close(fd) == 0);
		CHECK(taf_temp_add(i == 0 ? path : kept, &e) == TAF_OK);
	}
	taf_temp_forget(kept);
	taf_temp_unlink_all();
	CHECK(access(path, F_OK) != 0 && access(kept, F_OK) == 0);
	taf_temp_forget(path);
	CHECK(unlink(kept) == 0);
}

static int interrupted;

/* In the place of the C library's: signals end it some times. */
int
fsync(int fd)
{
	(void)fd;
	if (interrupted > 0) {
		interrupted--;
		errno = EINTR;
		return -1;
	}
	return 0;
}

/* A signal that is handled does not make a sync fail. */
static void
syncs(void)
{
	struct taf_err e = { 0 };

	interrupted = 3;
	CHECK(taf_sync(2) == 0 && interrupted == 0);
	interrupted = 2;
	CHECK(taf_sync_folder(".", &e) == TAF_OK && interrupted == 0);
}

/* A folder that is not there, or for which no descriptor is left, has not been synced. */
static void
unsynced_folders(void)
{
	struct rlimit old, none;
	struct taf_err e = { 0 };

	CHECK(taf_sync_folder("/nowhere/at all", &e) == TAF_ESYS && e.sys == ENOENT);
	if (!CHECK(getrlimit(RLIMIT_NOFILE, &old) == 0))
		return;
	none = old;
	none.rlim_cur = 0;
	taf_err_clear(&e);
	CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
	CHECK(taf_sync_folder(".", &e) == TAF_ESYS && e.sys == EMFILE);
	CHECK(setrlimit(RLIMIT_NOFILE, &old) == 0);
}

#ifdef HAVE_XATTR
/*
 * A file that is replaced keeps its list of who may read it, and what its user has noted.
 */
static void
attributes(void)
{
	/* owner rw, user 65534 r, group none, mask r, others none: the mode says 0640 */
	static const unsigned char acl[] = { 2, 0, 0, 0, 1, 0, 6, 0, 255, 255, 255, 255,
		2, 0, 4, 0, 254, 255, 0, 0, 4, 0, 0, 0, 255, 255, 255, 255,
		16, 0, 4, 0, 255, 255, 255, 255, 32, 0, 0, 0, 255, 255, 255, 255 };
	static const char name[] = "system.posix_acl_access";
	const char *tmp = getenv("TMPDIR");
	struct taf_err e = { 0 };
	struct taf_out *out;
	char path[4096];
	char got[100] = "";
	struct stat st;
	int fd;

	snprintf(path, sizeof path, "%s/taf-unit-XXXXXX", tmp != NULL ? tmp : "/tmp");
	fd = mkstemp(path);
	if (!CHECK(fd >= 0))
		return;
	if (fsetxattr(fd, name, acl, sizeof acl, 0) == 0) {
		bool note = fsetxattr(fd, "user.note", "shot 17", 7, 0) == 0;

		CHECK(taf_out_create(&out, path, &e) == TAF_OK &&
		    taf_out_commit(out, &e) == TAF_OK);
		CHECK(stat(path, &st) == 0 && (st.st_mode & 07777) == 0640);
		CHECK(getxattr(path, name, got, sizeof got) == sizeof acl &&
		    memcmp(got, acl, sizeof acl) == 0);
		CHECK(!note || (getxattr(path, "user.note", got, sizeof got) == 7 &&
		    memcmp(got, "shot 17", 7) == 0));
	} else {
		printf("# no access control lists in %s\n", path);
	}
	CHECK(close(fd) == 0 && unlink(path) == 0);
}
#endif

int
main(void)
{
	UNIT(many);
	UNIT(at_once);
	UNIT(syncs);
	UNIT(unsynced_folders);
#ifdef HAVE_XATTR
	UNIT(attributes);
#endif
	return unit_end();
}
