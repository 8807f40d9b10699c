/* SPDX-License-Identifier: ISC */
/*
 * Preloaded into commands, notes in the order in which they happen all calls that change
 * files or order changes on the disk.
 *
 *	CUTS_LOG=FILE		where, appended; without it nothing is noted
 *	CUTS_DROP=file|folder	syncs of these are not noted, as if forgotten
 *	CUTS_SERVE=1		for each byte on descriptor ASK main runs as a child, its
 *				output and messages emptied first; its status goes to TELL
 *
 * A record is a line of words, and behind that of W its bytes:
 *
 *	W INODE OFFSET BYTES		written
 *	T INODE SIZE			a new size
 *	S INODE				fsync, which only seems to wait
 *	C FOLDER NAME INODE MODE	a new file; M: a new folder
 *	R FOLDER NAME FOLDER NAME	rename; L: link; X: both change places; U: removed
 */
#undef _FILE_OFFSET_BITS
#undef _TIME_BITS
#undef _FORTIFY_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FORWARD(type, name, list) (__extension__ (type (*) list)dlsym(RTLD_NEXT, #name))

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int out = -1;
static char drop;

/* A record that is lost would make states that cannot be. */
static void
die(const char *why)
{
	(void)FORWARD(ssize_t, write, (int, const void *, size_t))(2, why, strlen(why));
	_exit(99);
}

__attribute__((constructor)) static void
begin(void)
{
	const char *path = getenv("CUTS_LOG"), *what = getenv("CUTS_DROP");

	if (path == NULL)
		return;
	out = openat(AT_FDCWD, path, O_WRONLY | O_APPEND | O_CLOEXEC);
	/* out of the way of those that a shell chooses */
	out = out >= 0 ? fcntl(out, F_DUPFD_CLOEXEC, 500) : -1;
	if (out < 0)
		die("record: no log\n");
	drop = what != NULL ? what[1] : '\0';
}

/*
 * Nobody else, thread or process, changes anything between this and leave.  The lock is of
 * the process, so a child does not share it.
 */
static void
enter(void)
{
	struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int saved = errno;

	if (out < 0)
		return;
	(void)pthread_mutex_lock(&mutex);
	while (fcntl(out, F_SETLKW, &all) != 0)
		if (errno != EINTR)
			die("record: no lock\n");
	errno = saved;
}

static void
leave(void)
{
	struct flock all = { .l_type = F_UNLCK, .l_whence = SEEK_SET };
	int saved = errno;

	if (out < 0)
		return;
	(void)fcntl(out, F_SETLK, &all);
	(void)pthread_mutex_unlock(&mutex);
	errno = saved;
}

static void
put(const void *p, size_t n)
{
	ssize_t (*next)(int, const void *, size_t) =
	    FORWARD(ssize_t, write, (int, const void *, size_t));

	while (n > 0) {
		ssize_t r = next(out, p, n);

		if (r < 0 && errno != EINTR)
			die("record: cannot write\n");
		p = (const char *)p + (r > 0 ? r : 0);
		n -= (size_t)(r > 0 ? r : 0);
	}
}

__attribute__((format(printf, 1, 2))) static void
note(const char *format, ...)
{
	char line[2 * PATH_MAX];
	int saved = errno, n;
	va_list ap;

	va_start(ap, format);
	n = vsnprintf(line, sizeof line, format, ap);
	va_end(ap);
	put(line, (size_t)n);
	errno = saved;
}

/* A folder and a name in it. */
struct where {
	unsigned long long folder;
	char name[NAME_MAX + 1];
};

static struct where
where_of(const char *path)
{
	struct where w = { 0, "" };
	char a[PATH_MAX], b[PATH_MAX];
	struct stat st;

	(void)snprintf(a, sizeof a, "%s", path);
	(void)snprintf(b, sizeof b, "%s", path);
	(void)snprintf(w.name, sizeof w.name, "%.255s", basename(a));
	if (stat(dirname(b), &st) == 0)
		w.folder = st.st_ino;
	return w;
}

static bool
regular(int fd, unsigned long long *inode)
{
	struct stat st;

	if (out < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_nlink == 0)
		return false;
	*inode = st.st_ino;
	return true;
}

/* n bytes of fd have been written at off: as they stand there. */
static void
wrote(int fd, off_t off, ssize_t n)
{
	unsigned long long inode;
	char self[64], *p;
	int saved = errno, again;

	if (n <= 0 || !regular(fd, &inode))
		return;
	/* it may be open for writing only */
	(void)snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
	again = openat(AT_FDCWD, self, O_RDONLY | O_CLOEXEC);
	p = malloc((size_t)n);
	if (again < 0 || p == NULL || pread(again, p, (size_t)n, off) != n)
		die("record: cannot read what was written\n");
	note("W %llu %lld %zd\n", inode, (long long)off, n);
	put(p, (size_t)n);
	free(p);
	(void)close(again);
	errno = saved;
}

static void
resized(int fd, off_t n, int failed)
{
	unsigned long long inode;

	if (failed == 0 && regular(fd, &inode))
		note("T %llu %lld\n", inode, (long long)n);
}

static void
made(char kind, const char *path, bool done)
{
	struct where w = where_of(path);
	struct stat st;

	if (out >= 0 && done && stat(path, &st) == 0)
		note("%c %llu %s %llu %o\n", kind, w.folder, w.name,
		    (unsigned long long)st.st_ino, st.st_mode & 0777);
}

static void
moved(char kind, const char *a, const char *b, long failed)
{
	struct where x = where_of(a), y = where_of(b);

	if (out >= 0 && failed == 0)
		note("%c %llu %s %llu %s\n", kind, x.folder, x.name, y.folder, y.name);
}

#define WRAP(type, name, list, args, record) \
	type name list; \
	type \
	name list \
	{ \
		type r; \
		enter(); \
		r = FORWARD(type, name, list) args; \
		record; \
		leave(); \
		return r; \
	}
WRAP(ssize_t, pwrite, (int fd, const void *p, size_t n, off64_t at), (fd, p, n, at),
    wrote(fd, at, r))
WRAP(ssize_t, pwrite64, (int fd, const void *p, size_t n, off64_t at), (fd, p, n, at),
    wrote(fd, at, r))
WRAP(ssize_t, copy_file_range, (int a, off64_t *x, int b, off64_t *y, size_t n,
    unsigned how), (a, x, b, y, n, how),
    wrote(b, (y != NULL ? *y : lseek(b, 0, SEEK_CUR)) - r, r))
WRAP(int, ftruncate, (int fd, off64_t n), (fd, n), resized(fd, n, r))
WRAP(int, ftruncate64, (int fd, off64_t n), (fd, n), resized(fd, n, r))
WRAP(int, mkstemp64, (char *path), (path), made('C', path, r >= 0))
WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode), made('M', path, r == 0))
WRAP(int, unlink, (const char *path), (path), moved('U', path, path, r))
WRAP(int, rmdir, (const char *path), (path), moved('U', path, path, r))
WRAP(int, remove, (const char *path), (path), moved('U', path, path, r))
WRAP(int, rename, (const char *a, const char *b), (a, b), moved('R', a, b, r))
WRAP(int, link, (const char *a, const char *b), (a, b), moved('L', a, b, r))

/* What is no file is written without the lock: another process may have to read first. */
ssize_t
write(int fd, const void *p, size_t n)
{
	unsigned long long inode;
	bool is = regular(fd, &inode);
	ssize_t r;

	if (is)
		enter();
	r = FORWARD(ssize_t, write, (int, const void *, size_t))(fd, p, n);
	if (is) {
		wrote(fd, lseek(fd, 0, SEEK_CUR) - r, r);
		leave();
	}
	return r;
}

/* For the same reason not from a pipe into a file: then it is written. */
ssize_t
splice(int a, off64_t *x, int b, off64_t *y, size_t n, unsigned how)
{
	unsigned long long inode;

	if (regular(b, &inode)) {
		errno = EINVAL;
		return -1;
	}
	return FORWARD(ssize_t, splice, (int, off64_t *, int, off64_t *, size_t,
	    unsigned))(a, x, b, y, n, how);
}

void *
mmap64(void *p, size_t n, int prot, int how, int fd, off64_t at)
{
	unsigned long long inode;

	if ((prot & PROT_WRITE) != 0 && (how & MAP_SHARED) != 0 && regular(fd, &inode))
		die("record: a file is mapped for writing\n");
	return FORWARD(void *, mmap64, (void *, size_t, int, int, int, off64_t))(p, n,
	    prot, how, fd, at);
}

int
fsync(int fd)
{
	struct stat st;

	enter();
	if (out >= 0 && fstat(fd, &st) == 0 && drop != (S_ISDIR(st.st_mode) ? 'o' : 'i'))
		note("S %llu\n", (unsigned long long)st.st_ino);
	leave();
	return 0;
}

#define OPEN(name) \
	int name(const char *path, int flags, ...); \
	int \
	name(const char *path, int flags, ...) \
	{ \
		mode_t mode = 0; \
		va_list ap; \
		bool changes = (flags & (O_CREAT | O_TRUNC)) != 0 && out >= 0, was; \
		int fd; \
		va_start(ap, flags); \
		if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) \
			mode = va_arg(ap, mode_t); \
		va_end(ap); \
		if (changes) \
			enter(); \
		was = !changes || access(path, F_OK) == 0; \
		fd = FORWARD(int, name, (const char *, int, ...))(path, flags, mode); \
		if (!was) \
			made('C', path, fd >= 0); \
		else if (changes && (flags & O_TRUNC) != 0) \
			resized(fd, 0, fd < 0); \
		if (changes) \
			leave(); \
		return fd; \
	}
OPEN(open)
OPEN(open64)

/* renameat2, which not every libc has; with the flag EXCHANGE two names change places. */
long
syscall(long number, ...)
{
	long a[6], r;
	va_list ap;
	int i;

	va_start(ap, number);
	for (i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	/* others may wait for long */
	if (number == SYS_renameat2)
		enter();
	r = FORWARD(long, syscall, (long, ...))(number, a[0], a[1], a[2], a[3], a[4],
	    a[5]);
	if (number == SYS_renameat2) {
		moved(a[4] == 2 ? 'X' : 'R', (const char *)a[1], (const char *)a[3], r);
		leave();
	}
	return r;
}

/* Nobody waits long for what another machine may be about to write: there is none. */
int
nanosleep(const struct timespec *t, struct timespec *left)
{
	const struct timespec less = { t->tv_sec / 50,
	    t->tv_nsec / 50 + t->tv_sec % 50 * 20000000 };

	return FORWARD(int, nanosleep, (const struct timespec *, struct timespec *))(
	    &less, left);
}

typedef int main_function(int, char **, char **);
static main_function *command;

/* Programs are loaded once, and not for each state. */
static int
serve(int argc, char **argv, char **envp)
{
	enum { ASK = 498, TELL = 499 };
	int status, fd;
	char c;
	pid_t pid;

	if (getenv("CUTS_SERVE") == NULL)
		return command(argc, argv, envp);
	(void)unsetenv("CUTS_SERVE");
	while (read(ASK, &c, 1) == 1) {
		pid = fork();
		if (pid == 0) {
			(void)close(ASK);
			(void)close(TELL);
			for (fd = 1; fd <= 2; fd++)
				if (ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0)
					die("record: no output\n");
			return command(argc, argv, environ);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid ||
		    write(TELL, &status, sizeof status) != sizeof status)
			die("record: cannot serve\n");
	}
	return 0;
}

int __libc_start_main(main_function *, int, char **, void *, void *, void *, void *);
int
__libc_start_main(main_function *m, int n, char **v, void *a, void *b, void *c, void *d)
{
	command = m;
	return FORWARD(int, __libc_start_main, (main_function *, int, char **, void *,
	    void *, void *, void *))(serve, n, v, a, b, c, d);
}
