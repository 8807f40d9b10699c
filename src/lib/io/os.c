/* SPDX-License-Identifier: ISC */
#include "io/os.h"

#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#ifdef HAVE_FALLOCATE
#include <sys/vfs.h>
#endif
#ifdef HAVE_PRCTL
#include <sys/prctl.h>
#endif
#ifdef HAVE_RENAMEAT2
#include <sys/syscall.h>
#endif
#ifdef __APPLE__
#include <crt_externs.h>
#else
extern char **environ;
#endif

#include "io/temp.h"

static const char *called;

#if !defined(HAVE_COPY_FILE_RANGE) || !defined(HAVE_SPLICE) || !defined(HAVE_RENAMEAT2)
static int
missing(void)
{
	errno = ENOSYS;
	return -1;
}
#endif

ssize_t
taf_os_copy(int from, off_t *off, int to, size_t n)
{
#ifdef HAVE_COPY_FILE_RANGE
	return copy_file_range(from, off, to, NULL, n, 0);
#else
	(void)from, (void)off, (void)to, (void)n;
	return missing();
#endif
}

ssize_t
taf_os_splice(int from, off_t *off, int to, size_t n)
{
#ifdef HAVE_SPLICE
	return splice(from, off, to, NULL, n, SPLICE_F_MOVE | SPLICE_F_MORE);
#else
	(void)from, (void)off, (void)to, (void)n;
	return missing();
#endif
}

void
taf_os_grow_pipe(int fd)
{
#ifdef F_SETPIPE_SZ
	enum { GRANTED = 1024 * 1024 };	/* by Linux, without privilege */

	if (fcntl(fd, F_GETPIPE_SZ) < GRANTED)
		(void)fcntl(fd, F_SETPIPE_SZ, GRANTED);
#else
	(void)fd;
#endif
}

int
taf_os_reserve(int fd, off_t base, off_t n)
{
#ifdef HAVE_FALLOCATE
	enum { MEMORY = 0x01021994 };	/* TMPFS_MAGIC of <linux/magic.h> */
	struct statfs f;

	/* pages in memory would cost one thread as much as all threads their writing */
	if (fstatfs(fd, &f) == 0 && f.f_type == MEMORY)
		return 0;
	/* not posix_fallocate, which would write every block if the disk cannot do it */
	return fallocate(fd, FALLOC_FL_KEEP_SIZE, base, n);
#else
	(void)fd, (void)base, (void)n;
	return 0;
#endif
}

int
taf_os_allocate(int fd, off_t n)
{
#ifdef HAVE_POSIX_FALLOCATE
	return posix_fallocate(fd, 0, n);
#else
	static const char zero[64 * 1024];
	off_t at = 0;
	ssize_t r;

	while (at < n) {
		r = pwrite(fd, zero, n - at < (off_t)sizeof zero ? (size_t)(n - at) :
		    sizeof zero, at);
		if (r < 0 && errno != EINTR)
			return errno;
		at += r > 0 ? r : 0;
	}
	return 0;
#endif
}

int
taf_os_sync(int fd)
{
#ifdef F_FULLFSYNC
	/* fsync of macOS leaves it in the drive; a server may know nothing else */
	if (fcntl(fd, F_FULLFSYNC) == 0)
		return 0;
#endif
	return fsync(fd);
}

int
taf_os_exchange(const char *a, const char *b)
{
	const size_t n = strlen(a) + 6;
	char *aside;
	bool done;

#ifdef HAVE_RENAMEAT2
	enum { EXCHANGE = 2 };

	if (syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, EXCHANGE) == 0)
		return 0;
#endif
	aside = malloc(n);
	if (aside == NULL)
		return -1;
	(void)snprintf(aside, n, "%s..old", a);
	done = rename(b, aside) == 0 && (rename(a, b) == 0 || rename(aside, b) != 0) &&
	    rename(aside, a) == 0;
	free(aside);
	return done ? 0 : -1;
}

enum taf_status
taf_os_memory(const char *name, int *fd, struct taf_err *e)
{
#ifdef HAVE_MEMFD
	*fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (*fd >= 0)
		return TAF_OK;
#else
	(void)name;
#endif
	return taf_temp_spool(fd, e);
}

void
taf_os_seal(int fd)
{
#ifdef HAVE_MEMFD
	(void)fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
#else
	(void)fd;
#endif
}

void *
taf_os_share(size_t n, struct taf_err *e)
{
#ifdef MAP_ANONYMOUS
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
	    0);

	if (p == MAP_FAILED)
		(void)taf_fail_mem(e);
	return p != MAP_FAILED ? p : NULL;
#else
	return taf_temp_map(n, e);
#endif
}

void
taf_os_unshare(void *p, size_t n)
{
	if (p != NULL)
		(void)munmap(p, n);
}

int
taf_os_sockets(int ends[2])
{
#ifdef HAVE_SOCK_CLOEXEC
	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
#else
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
		return -1;
	(void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	return 0;
#endif
}

/* Room for two descriptors, as a message has them. */
union passed {
	struct cmsghdr head;
	char room[CMSG_SPACE(2 * sizeof(int))];
};

ssize_t
taf_os_send_with(int fd, const void *p, size_t n, const int with[2])
{
	/* it is only read */
	struct iovec part = { (void *)(uintptr_t)p, n };
	union passed passed = { .room = { 0 } };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &passed,
		.msg_controllen = sizeof passed };

	passed.head.cmsg_level = SOL_SOCKET;
	passed.head.cmsg_type = SCM_RIGHTS;
	passed.head.cmsg_len = CMSG_LEN(2 * sizeof *with);
	memcpy(CMSG_DATA(&passed.head), with, 2 * sizeof *with);
	return sendmsg(fd, &m, MSG_NOSIGNAL);
}

ssize_t
taf_os_receive_with(int fd, void *p, size_t n, int with[2])
{
	struct iovec part = { p, n };
	union passed passed = { .room = { 0 } };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &passed,
		.msg_controllen = sizeof passed };
	const ssize_t got = recvmsg(fd, &m, 0);
	const struct cmsghdr *const head = got >= 0 ? CMSG_FIRSTHDR(&m) : NULL;

	if (head == NULL || head->cmsg_level != SOL_SOCKET ||
	    head->cmsg_type != SCM_RIGHTS)
		return got;
	with[0] = with[1] = -1;
	memcpy(with, CMSG_DATA(&passed.head), head->cmsg_len - CMSG_LEN(0));
	return got;
}

void
taf_os_end_with_parent(int sig)
{
#ifdef HAVE_PRCTL
	(void)prctl(PR_SET_PDEATHSIG, sig);
#else
	(void)sig;
#endif
}

bool
taf_os_renounce(void)
{
#ifdef HAVE_PRCTL
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
#else
	return false;
#endif
}

/* A name of it in the folder that we are in, where > puts most files; or "". */
static void
name_here(int fd, char *name, size_t size)
{
	DIR *here = opendir(".");
	const struct dirent *d = NULL;
	struct stat file, sb;
	size_t n;

	name[0] = '\0';
	if (here != NULL && fstat(fd, &file) == 0 && getcwd(name, size) != NULL)
		while ((d = readdir(here)) != NULL)
			if (d->d_ino == file.st_ino && lstat(d->d_name, &sb) == 0 &&
			    sb.st_ino == file.st_ino && sb.st_dev == file.st_dev)
				break;
	n = strlen(name);
	if (d == NULL || strlen(d->d_name) + 2 > size - n)
		name[0] = '\0';
	else
		(void)snprintf(name + n, size - n, "/%s", d->d_name);
	if (here != NULL)
		(void)closedir(here);
}

void
taf_os_file_name(int fd, char *name, size_t size)
{
	char link[sizeof TAF_PROC + 30];
	ssize_t n;

	(void)snprintf(link, sizeof link, TAF_PROC "/self/fd/%d", fd);
	n = readlink(link, name, size - 1);
	if (n > 0)
		name[n] = '\0';
	else
		name_here(fd, name, size);
}

void
taf_os_called(const char *name)
{
	called = name;
}

/* name is a program in this folder, of n bytes: then the folder that has its file. */
static int
folder_of(const char *in, size_t n, const char *name, char *folder, size_t size)
{
	char path[PATH_MAX], file[PATH_MAX];
	int len = snprintf(path, sizeof path, "%.*s%s%s", (int)n, in, n > 0 ? "/" : "",
	    name);

	if (len < 0 || (size_t)len >= sizeof path || access(path, X_OK) != 0 ||
	    realpath(path, file) == NULL)
		return -1;
	*strrchr(file, '/') = '\0';
	if (strlen(file) >= size)
		return -1;
	(void)strcpy(folder, file);
	return 0;
}

int
taf_os_program(char *folder, size_t size)
{
	ssize_t n = readlink(TAF_PROC "/self/exe", folder, size - 1);
	const char *path = getenv("PATH");

	if (n > 0) {
		folder[n] = '\0';
		*strrchr(folder, '/') = '\0';
		return 0;
	}
	if (called == NULL || called[0] == '\0')
		return -1;
	if (strchr(called, '/') != NULL)
		return folder_of("", 0, called, folder, size);
	while (path != NULL) {
		const size_t k = strcspn(path, ":");

		/* an empty word is the folder we are in */
		if (folder_of(k > 0 ? path : ".", k > 0 ? k : 1, called, folder,
		    size) == 0)
			return 0;
		path = path[k] == ':' ? path + k + 1 : NULL;
	}
	return -1;
}

const char *
taf_os_last(const char *p, char c, size_t n)
{
	while (n > 0)
		if (p[--n] == c)
			return p + n;
	return NULL;
}

char **
taf_os_environment(void)
{
#ifdef __APPLE__
	/* a library there does not see the variable */
	return *_NSGetEnviron();
#else
	return environ;
#endif
}
