/* SPDX-License-Identifier: ISC */
/*
 * Preloaded into a command, is a library that a hostile file has taken over: the first
 * call that decodes something does what TAKEN says:
 *
 *	TAKEN=FILE	to open /etc/passwd, to make FILE, to change its rights, to speak
 *			to others, to run a program, and to type into the terminal are
 *			tried; the error of each, 0 where there was none, is a line on
 *			standard error
 *			and where TAKEN_URL is one, taf-fetch is asked for it over each
 *			socket that is there: itself (TAKEN_ASK=same), or a process that
 *			it starts (another), after it was told that it may (more); a line
 *			for each has the kind of its answer
 *	TAKEN=crash	it crashes
 *	TAKEN=memory	it crashes where it has no memory
 *	TAKEN=wait	it waits for a signal
 *
 * TAKEN_IN=FUNCTION says that only this one was taken over.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/frame.h"

static int
error_of(int result)
{
	return result >= 0 ? 0 : errno;
}

static int
run(void)
{
	char *const argv[] = { (char[]){ "true" }, NULL };
	const pid_t pid = fork();
	int how = 0;

	if (pid == 0) {
		(void)execve("/bin/true", argv, &argv[1]);
		_exit(errno);
	}
	return pid < 0 || waitpid(pid, &how, 0) < 0 ? errno : WEXITSTATUS(how);
}

static bool
tell(int fd, enum taf_frame_kind kind, const char *url)
{
	const size_t n = strlen(url);
	const unsigned char head[5] = { (unsigned char)n, 0, 0, 0, (unsigned char)kind };

	return send(fd, head, sizeof head, MSG_NOSIGNAL) == sizeof head &&
	    send(fd, url, n, MSG_NOSIGNAL) == (ssize_t)n;
}

/* What taf-fetch answers if it is asked for a URL; 0 if it has ended. */
static int
answer(int fd, const char *url)
{
	unsigned char head[5];

	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){ .tv_sec = 9 },
	    sizeof(struct timeval));
	return tell(fd, TAF_FRAME_OPEN, url) &&
	    recv(fd, head, sizeof head, MSG_WAITALL) == sizeof head ? head[4] : 0;
}

static void
fetch(const char *url)
{
	const unsigned char another[5] = { 0, 0, 0, 0, TAF_FRAME_ANOTHER };
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(2 * sizeof(int))];
	} passed = { .head = { .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
	    .cmsg_len = CMSG_LEN(2 * sizeof(int)) } };
	struct iovec part = { (void *)(uintptr_t)another, sizeof another };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &passed,
		.msg_controllen = sizeof passed };
	const char *const how = getenv("TAKEN_ASK");
	const bool same = strcmp(how, "same") == 0;
	int fd, type, ends[2];

	for (fd = 3; fd < 64; fd++) {
		if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type,
		    &(socklen_t){ sizeof type }) != 0 ||
		    socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
			continue;
		memcpy(CMSG_DATA(&passed.head), (int[]){ ends[1], ends[1] },
		    2 * sizeof(int));
		if (strcmp(how, "more") == 0)
			(void)(tell(fd, TAF_FRAME_BELOW, url) &&
			    tell(fd, TAF_FRAME_BELOW, ""));
		if (!same)
			(void)sendmsg(fd, &m, MSG_NOSIGNAL);
		(void)close(ends[1]);
		(void)dprintf(2, "answers %d\n", answer(same ? fd : ends[0], url));
		(void)close(ends[0]);
	}
}

static void
take_over(const char *function)
{
	static atomic_flag done = ATOMIC_FLAG_INIT;
	const char *const what = getenv("TAKEN"), *const in = getenv("TAKEN_IN");
	const int saved = errno;

	if (what == NULL || (in != NULL && strcmp(in, function) != 0) ||
	    atomic_flag_test_and_set(&done))
		return;
	if (strcmp(what, "crash") == 0 || strcmp(what, "memory") == 0) {
		errno = what[0] == 'm' ? ENOMEM : 0;
		*(volatile char *)(uintptr_t)getenv("NOTHING") = 1;
	}
	if (strcmp(what, "wait") == 0)
		(void)pause();
	(void)dprintf(2,
	    "open %d make %d rights %d socket %d local %d ring %d run %d type %d\n",
	    error_of(open("/etc/passwd", O_RDONLY)),
	    error_of(open(what, O_WRONLY | O_CREAT, 0600)), error_of(chmod(what, 0777)),
	    error_of(socket(AF_INET, SOCK_STREAM, 0)),
	    error_of(socket(AF_UNIX, SOCK_STREAM, 0)),
	    error_of((int)syscall(425, 1, NULL)), run(),
	    error_of(ioctl(0, TIOCSTI, "x")));
	if (getenv("TAKEN_URL") != NULL)
		fetch(getenv("TAKEN_URL"));
	errno = saved;
}

/* More arguments than any has: those that are none are passed on for nothing. */
#define TAKE(function) \
uintptr_t function(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, \
    uintptr_t, uintptr_t, uintptr_t, uintptr_t); \
uintptr_t \
function(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f, \
    uintptr_t g, uintptr_t h, uintptr_t i, uintptr_t j) \
{ \
	uintptr_t (*real)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, \
	    uintptr_t, uintptr_t, uintptr_t, uintptr_t); \
	void *const found = dlsym(RTLD_NEXT, #function); \
\
	memcpy(&real, &found, sizeof real); \
	take_over(#function); \
	return real(a, b, c, d, e, f, g, h, i, j); \
}

TAKE(H5Dread)
TAKE(H5Fopen)
TAKE(archive_read_next_header)
TAKE(blosc_decompress_ctx)
TAKE(BZ2_bzDecompress)
TAKE(curl_multi_add_handle)
TAKE(inflate)
TAKE(json_loadb)
TAKE(lzma_code)
TAKE(ZSTD_decompress)
TAKE(ZSTD_decompressStream)
TAKE(ZSTD_decompressDCtx)
