/* Named temporary files: a process that makes many of them does not grow.  And syncs. */
#include "unit.h"

#include "config.h"

#include <errno.h>
#include <stdlib.h>
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

/* A file that is replaced keeps its list of who may read it, and what its user has noted. */
static void
attributes(void)
{
#ifdef HAVE_XATTR
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
#endif
}

int
main(void)
{
	UNIT(many);
	UNIT(syncs);
	UNIT(attributes);
	return unit_end();
}
