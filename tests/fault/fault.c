/* SPDX-License-Identifier: ISC */
/*
 * Preloaded into a command, makes calls of its own fail.  Calls that libc or another
 * library makes for itself are left alone: only what returns into the program counts.
 *
 *	FAULT='NAME[,NAME...] N ERRNO'	the N-th call of these functions fails
 *	FAULT='NAME[,NAME...] N+ ERRNO'	so do all after it
 *	FAULT='NAME[,NAME...]@LIBRARY N ERRNO'	of calls of this shared library, and of no
 *					others: its file is LIBRARY.so or
 *					LIBRARY_KIND.so
 *	FAULT='NAME[,NAME...] N 0'	that transfer moves nothing, as at an end
 *	FAULT='NAME[,NAME...] N -SIGNAL'	a signal comes in place of it
 *	FAULT='short'			transfers are short, some are interrupted
 *	FAULT='late'			what others have just written is not seen
 *					yet, and a lock is none, as on file systems
 *					that machines share
 *	FAULT='none'			calls are counted alone
 *	FAULT_COUNT=FILE		is given a record for every function: a name of 28
 *					bytes and the number of its calls; the first,
 *					"fired", has the number of those that were made
 *					to fail
 *
 * Both leave the environment, so that programs which a command runs are as always.  fsync
 * only seems to wait.  gettimeofday, which libraries alone ask, tells one time for ever.
 */
#undef _FILE_OFFSET_BITS
#undef _TIME_BITS
#undef _FORTIFY_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SHORT = 2000 };	/* so many transfers are of one byte, then they get longer */

#define FUNCTIONS \
	X(read) X(pread) X(write) X(pwrite) X(splice) X(copy_file_range) X(open) \
	X(close) X(fsync) X(ftruncate) X(lseek) X(stat) X(lstat) X(fstat) \
	X(access) X(readlink) X(realpath) X(rename) X(unlink) X(mkdir) X(rmdir) \
	X(chmod) X(fchmod) X(fchown) X(utimensat) X(fcntl) X(flock) X(mmap) X(malloc) \
	X(calloc) X(realloc) X(aligned_alloc) X(posix_memalign) X(strdup) X(strndup) \
	X(fopen) X(pipe) X(fork) X(waitpid) X(posix_spawnp) X(pthread_create)

#define X(f) F_##f,
enum function { FUNCTIONS COUNT };
#undef X

struct slot {
	char name[28];
	atomic_uint n;
};

/* Shared with processes that the command forks. */
static struct slot own[COUNT + 2], *slots = own;
static bool chosen[COUNT], all_short, all_late, seems_synced;
static unsigned from, upto;
static int code;
static uintptr_t low, high;	/* where the program is */

static bool
ours(const void *caller)
{
	return (uintptr_t)caller >= low && (uintptr_t)caller < high;
}

/* Does this call fail?  Then errno is set. */
static bool
fails(enum function f, const void *caller)
{
	unsigned n;

	if (!ours(caller))
		return false;
	(void)atomic_fetch_add(&slots[f + 1].n, 1);
	if (!chosen[f])
		return false;
	n = atomic_fetch_add(&slots[COUNT + 1].n, 1) + 1;
	if (n < from || n > upto)
		return false;
	(void)atomic_fetch_add(&slots[0].n, 1);
	if (code < 0)
		(void)raise(-code);
	errno = code;
	return true;
}

/* A transfer of n bytes: fewer of them, or -1 for none because of a signal. */
static ssize_t
cut(size_t n, const void *caller)
{
	unsigned k;

	if (!all_short || !ours(caller) || n == 0)
		return (ssize_t)n;
	k = atomic_fetch_add(&slots[COUNT + 1].n, 1);
	(void)atomic_fetch_add(&slots[0].n, 1);
	if (k % 5 == 3) {
		errno = EINTR;
		return -1;
	}
	return k < SHORT ? 1 : (ssize_t)(n / 2 + n % 2);
}

enum { OWN = 64, UNSEEN = 3 /* looks */, NEW = 3600 /* seconds */ };

static struct stat written[OWN];	/* files of our own, which we see as they are */
static atomic_uint nwritten;

static bool
is_own(const struct stat *st)
{
	size_t i;

	for (i = 0; i < OWN; i++)
		if (written[i].st_ino == st->st_ino && written[i].st_dev == st->st_dev)
			return true;
	return false;
}

/* The file of fd is written by this process. */
static void
note(int fd)
{
	struct stat st;

	if (fstat(fd, &st) == 0 && !is_own(&st))
		written[atomic_fetch_add(&nwritten, 1) % OWN] = st;
}

/* The look number, from 1, that this process has at a file; 0 where there is no room. */
static unsigned
look_at(const struct stat *st)
{
	static struct {
		struct stat st;
		unsigned looks;
	} seen[1024];
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	unsigned looks = 0;
	size_t i;

	(void)pthread_mutex_lock(&lock);
	for (i = 0; i < sizeof seen / sizeof seen[0] && looks == 0; i++)
		if (seen[i].looks == 0 || (seen[i].st.st_ino == st->st_ino &&
		    seen[i].st.st_dev == st->st_dev)) {
			seen[i].st = *st;
			looks = ++seen[i].looks;
		}
	(void)pthread_mutex_unlock(&lock);
	return looks;
}

/* HDF5 writes the time into objects: one time, so that two runs write the same bytes. */
int
gettimeofday(struct timeval *restrict now, void *restrict zone)
{
	(void)zone;
	*now = (struct timeval){ 1700000000, 0 };
	return 0;
}

/* Has somebody else written this file, not long ago, so that at first it seems empty? */
static bool
unseen(int fd, const void *caller)
{
	struct stat st;
	unsigned k;

	if (!all_late || !ours(caller) || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) ||
	    is_own(&st))
		return false;
	if (time(NULL) - st.st_mtim.tv_sec > NEW)
		return false;
	k = look_at(&st);
	if (k == 0 || k > UNSEEN)
		return false;
	(void)atomic_fetch_add(&slots[0].n, 1);
	return true;
}

/* A transfer that finds the end of what is not seen yet. */
static bool
comes_late(enum function f, int fd, const void *caller)
{
	if (all_late && (f == F_write || f == F_pwrite))
		note(fd);
	return (f == F_read || f == F_pread) && unseen(fd, caller);
}

#define HERE __builtin_return_address(0)
#define FORWARD(type, name, list) (__extension__ (type (*) list)dlsym(RTLD_NEXT, #name))

#define TRANSFER(f, name, type, list, args, size, fd) \
	ssize_t name list; \
	ssize_t \
	name list \
	{ \
		static ssize_t (*next) list; \
		ssize_t part; \
		if (next == NULL) \
			next = FORWARD(ssize_t, name, list); \
		if (fails(F_##f, HERE)) \
			return code == 0 ? 0 : -1; \
		if (comes_late(F_##f, fd, HERE)) \
			return 0; \
		part = cut(size, HERE); \
		if (part < 0) \
			return -1; \
		size = (size_t)part; \
		return next args; \
	}

#define CALL(f, name, type, list, args, failure) \
	type name list; \
	type \
	name list \
	{ \
		static type (*next) list; \
		if (next == NULL) \
			next = FORWARD(type, name, list); \
		return fails(F_##f, HERE) ? failure : next args; \
	}

#define FSTAT(name, type) \
	int name(int fd, type *st); \
	int \
	name(int fd, type *st) \
	{ \
		static int (*next)(int, type *); \
		int r; \
		if (next == NULL) \
			next = FORWARD(int, name, (int, type *)); \
		r = fails(F_fstat, HERE) ? -1 : next(fd, st); \
		if (r == 0 && unseen(fd, HERE)) \
			st->st_size = 0; \
		return r; \
	}

/* Interrupted as transfers are. */
#define WAIT(f, name, type, list, args) \
	type name list; \
	type \
	name list \
	{ \
		static type (*next) list; \
		if (next == NULL) \
			next = FORWARD(type, name, list); \
		return fails(F_##f, HERE) || cut(1, HERE) < 0 ? -1 : next args; \
	}

TRANSFER(read, read, ssize_t, (int fd, void *p, size_t n), (fd, p, n), n, fd)
TRANSFER(write, write, ssize_t, (int fd, const void *p, size_t n), (fd, p, n), n, fd)
TRANSFER(pread, pread, ssize_t, (int fd, void *p, size_t n, off_t at), (fd, p, n, at),
    n, fd)
TRANSFER(pread, pread64, ssize_t, (int fd, void *p, size_t n, off64_t at), (fd, p, n, at),
    n, fd)
TRANSFER(pwrite, pwrite, ssize_t, (int fd, const void *p, size_t n, off_t at),
    (fd, p, n, at), n, fd)
TRANSFER(pwrite, pwrite64, ssize_t, (int fd, const void *p, size_t n, off64_t at),
    (fd, p, n, at), n, fd)
TRANSFER(splice, splice, ssize_t, (int a, off64_t *x, int b, off64_t *y, size_t n,
    unsigned how), (a, x, b, y, n, how), n, a)
TRANSFER(copy_file_range, copy_file_range, ssize_t, (int a, off64_t *x, int b, off64_t *y,
    size_t n, unsigned how), (a, x, b, y, n, how), n, a)

WAIT(waitpid, waitpid, pid_t, (pid_t pid, int *how, int options), (pid, how, options))

CALL(open, __open_2, int, (const char *name, int flags), (name, flags), -1)
CALL(open, __open64_2, int, (const char *name, int flags), (name, flags), -1)
CALL(ftruncate, ftruncate, int, (int fd, off_t n), (fd, n), -1)
CALL(ftruncate, ftruncate64, int, (int fd, off64_t n), (fd, n), -1)
CALL(lseek, lseek, off_t, (int fd, off_t at, int how), (fd, at, how), -1)
CALL(lseek, lseek64, off64_t, (int fd, off64_t at, int how), (fd, at, how), -1)
CALL(stat, stat, int, (const char *name, struct stat *st), (name, st), -1)
CALL(stat, stat64, int, (const char *name, struct stat64 *st), (name, st), -1)
CALL(lstat, lstat, int, (const char *name, struct stat *st), (name, st), -1)
CALL(lstat, lstat64, int, (const char *name, struct stat64 *st), (name, st), -1)
FSTAT(fstat, struct stat)
FSTAT(fstat64, struct stat64)
CALL(access, access, int, (const char *name, int how), (name, how), -1)
CALL(readlink, readlink, ssize_t, (const char *name, char *to, size_t n), (name, to, n),
    -1)
CALL(readlink, __readlink_chk, ssize_t, (const char *name, char *to, size_t n,
    size_t room), (name, to, n, room), -1)
CALL(realpath, realpath, char *, (const char *name, char *to), (name, to), NULL)
CALL(realpath, __realpath_chk, char *, (const char *name, char *to, size_t room),
    (name, to, room), NULL)
CALL(rename, rename, int, (const char *old, const char *new), (old, new), -1)
CALL(unlink, unlink, int, (const char *name), (name), -1)
CALL(mkdir, mkdir, int, (const char *name, mode_t mode), (name, mode), -1)
CALL(rmdir, rmdir, int, (const char *name), (name), -1)
CALL(chmod, chmod, int, (const char *name, mode_t mode), (name, mode), -1)
CALL(fchmod, fchmod, int, (int fd, mode_t mode), (fd, mode), -1)
CALL(fchown, fchown, int, (int fd, uid_t u, gid_t g), (fd, u, g), -1)
CALL(utimensat, utimensat, int, (int fd, const char *name, const struct timespec t[2],
    int how), (fd, name, t, how), -1)
CALL(mmap, mmap, void *, (void *p, size_t n, int prot, int how, int fd, off_t at),
    (p, n, prot, how, fd, at), MAP_FAILED)
CALL(mmap, mmap64, void *, (void *p, size_t n, int prot, int how, int fd, off64_t at),
    (p, n, prot, how, fd, at), MAP_FAILED)
CALL(strdup, strdup, char *, (const char *s), (s), NULL)
CALL(strndup, strndup, char *, (const char *s, size_t n), (s, n), NULL)
CALL(fopen, fopen, FILE *, (const char *name, const char *how), (name, how), NULL)
CALL(fopen, fopen64, FILE *, (const char *name, const char *how), (name, how), NULL)
CALL(pipe, pipe, int, (int fd[2]), (fd), -1)
CALL(fork, fork, pid_t, (void), (), -1)
CALL(posix_spawnp, posix_spawnp, int, (pid_t *pid, const char *name,
    const posix_spawn_file_actions_t *files, const posix_spawnattr_t *attr,
    char *const argv[], char *const envp[]), (pid, name, files, attr, argv, envp), errno)
CALL(pthread_create, pthread_create, int, (pthread_t *t, const pthread_attr_t *attr,
    void *(*start)(void *), void *p), (t, attr, start, p), errno)

int
flock(int fd, int how)
{
	if (fails(F_flock, HERE) || cut(1, HERE) < 0)
		return -1;
	return all_late && ours(HERE) ? 0 : FORWARD(int, flock, (int, int))(fd, how);
}

/* The descriptor is closed all the same, as Linux does it. */
int
close(int fd)
{
	int r = FORWARD(int, close, (int))(fd), saved = errno;

	if (fails(F_close, HERE))
		return -1;
	errno = saved;
	return r;
}

int
fsync(int fd)
{
	if (fails(F_fsync, HERE))
		return -1;
	return seems_synced ? 0 : FORWARD(int, fsync, (int))(fd);
}

#define OPEN(name) \
	int name(const char *path, int flags, ...); \
	int \
	name(const char *path, int flags, ...) \
	{ \
		mode_t mode = 0; \
		va_list ap; \
		va_start(ap, flags); \
		if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) \
			mode = va_arg(ap, mode_t); \
		va_end(ap); \
		return fails(F_open, HERE) ? -1 : \
		    FORWARD(int, name, (const char *, int, ...))(path, flags, mode); \
	}
OPEN(open)
OPEN(open64)

#define FCNTL(name) \
	int name(int fd, int what, ...); \
	int \
	name(int fd, int what, ...) \
	{ \
		va_list ap; \
		void *arg; \
		va_start(ap, what); \
		arg = va_arg(ap, void *); \
		va_end(ap); \
		return fails(F_fcntl, HERE) ? -1 : \
		    FORWARD(int, name, (int, int, ...))(fd, what, arg); \
	}
FCNTL(fcntl)
FCNTL(fcntl64)

/* dlsym may itself want memory. */
#ifdef __GLIBC__
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);

void *
malloc(size_t n)
{
	return fails(F_malloc, HERE) ? NULL : __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	return fails(F_calloc, HERE) ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	return fails(F_realloc, HERE) ? NULL : __libc_realloc(p, n);
}
#else
CALL(malloc, malloc, void *, (size_t n), (n), NULL)
CALL(calloc, calloc, void *, (size_t n, size_t size), (n, size), NULL)
CALL(realloc, realloc, void *, (void *p, size_t n), (p, n), NULL)
#endif
CALL(aligned_alloc, aligned_alloc, void *, (size_t page, size_t n), (page, n), NULL)
CALL(posix_memalign, posix_memalign, int, (void **p, size_t page, size_t n), (p, page, n),
    errno)

static int
find_program(struct dl_phdr_info *info, size_t size, void *ctx)
{
	const char *library = ctx, *name = strrchr(info->dlpi_name, '/');
	const size_t n = library != NULL ? strlen(library) : 0;
	uintptr_t end;
	int i;

	(void)size;
	if (library != NULL && (name == NULL || strncmp(name + 1, library, n) != 0 ||
	    (name[1 + n] != '.' && name[1 + n] != '_')))
		return 0;
	low = UINTPTR_MAX;
	for (i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD) {
			end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			low = end < low ? end : low;
			end += info->dlpi_phdr[i].p_memsz;
			high = end > high ? end : high;
		}
	/* the program comes first */
	return 1;
}

/* NAME[,NAME...][@LIBRARY] N[+] ERRNO; the library goes to a buffer of its own */
static const char *
parse(const char *spec)
{
	static char library[64];
	const char *p = spec;
	char *end;
	size_t i, n;

	for (; *p != '\0' && *p != ' ' && *p != '@'; p += n + (p[n] == ',')) {
		n = strcspn(p, ",@ ");
		for (i = 0; i < COUNT; i++)
			if (strncmp(slots[i + 1].name, p, n) == 0 &&
			    slots[i + 1].name[n] == '\0')
				chosen[i] = true;
	}
	if (*p == '@') {
		n = strcspn(++p, " ");
		(void)snprintf(library, sizeof library, "%.*s", (int)n, p);
		p += n;
	}
	from = (unsigned)strtoul(p, &end, 10);
	upto = *end == '+' ? UINT32_MAX : from;
	code = (int)strtol(end + (*end == '+'), NULL, 10);
	return library[0] != '\0' ? library : NULL;
}

__attribute__((constructor)) static void
begin(void)
{
#define X(f) #f,
	static const char *const names[] = { FUNCTIONS };
#undef X
	const char *spec = getenv("FAULT"), *file = getenv("FAULT_COUNT");
	const char *library = NULL;
	size_t i;
	void *p;
	int fd;

	if (spec == NULL || file == NULL)
		return;
	fd = open(file, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || ftruncate(fd, sizeof own) != 0)
		_exit(99);
	p = mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	(void)close(fd);
	if (p == MAP_FAILED)
		_exit(99);
	slots = p;
	(void)strcpy(slots[0].name, "fired");
	(void)strcpy(slots[COUNT + 1].name, "seen");
	for (i = 0; i < COUNT; i++)
		(void)strcpy(slots[i + 1].name, names[i]);
	all_short = strcmp(spec, "short") == 0;
	all_late = strcmp(spec, "late") == 0;
	if (!all_short && !all_late && strcmp(spec, "none") != 0)
		library = parse(spec);
	seems_synced = true;
	(void)unsetenv("FAULT");
	(void)unsetenv("FAULT_COUNT");
	(void)unsetenv("LD_PRELOAD");
	(void)dl_iterate_phdr(find_program, (void *)(uintptr_t)library);
}
