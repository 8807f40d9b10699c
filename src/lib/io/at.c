/* SPDX-License-Identifier: ISC */
#include "io/at.h"
#include "io/os.h"

#include <errno.h>
#include <poll.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LARGEST = 1 << 30 };	/* of one system call: not all take more than 2 GiB */

enum taf_status
taf_write_at(int fd, const void *p, size_t n, uint64_t off, struct taf_err *e)
{
	const unsigned char *from = p;

	while (n > 0) {
		ssize_t r = pwrite(fd, from, n < LARGEST ? n : LARGEST, (off_t)off);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return taf_fail_sys(e, "cannot write");
		from += r;
		off += (uint64_t)r;
		n -= (size_t)r;
	}
	return TAF_OK;
}

enum taf_status
taf_read_at(int fd, void *buf, size_t n, uint64_t off, struct taf_err *e)
{
	unsigned char *to = buf;

	while (n > 0) {
		ssize_t r = pread(fd, to, n < LARGEST ? n : LARGEST, (off_t)off);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return taf_fail_sys(e, "cannot read");
		if (r == 0)
			return taf_fail(e, TAF_ETRUNC, "the file has shrunk");
		to += r;
		off += (uint64_t)r;
		n -= (size_t)r;
	}
	return TAF_OK;
}

enum taf_status
taf_read_rest(int fd, struct taf_buf *to, size_t most, struct taf_err *e)
{
	enum { PART = 4096 };
	ssize_t got = 1;

	while (got != 0 && to->len < most) {
		if (taf_buf_reserve(to, PART, e) != TAF_OK)
			return e->code;
		got = read(fd, to->data + to->len, PART);
		if (got < 0 && errno != EINTR)
			return taf_fail_sys(e, "cannot read");
		to->len += got > 0 ? (size_t)got : 0;
		to->data[to->len] = '\0';
	}
	return TAF_OK;
}

int
taf_sync(int fd)
{
	int r;

	do
		r = taf_os_sync(fd);
	while (r != 0 && errno == EINTR);
	return r;
}

enum taf_status
taf_sync_file(int fd, struct taf_err *e)
{
	return taf_sync(fd) == 0 ? TAF_OK : taf_fail_sys(e, "cannot sync");
}

void
taf_wait_tick(int fd)
{
	struct timespec now;
	struct stat sb;
	int tries;

	/*
	 * a file system may count seconds, or have another
	 * clock: it is not waited for long
	 */
	for (tries = 0; tries < 20 && fstat(fd, &sb) == 0; tries++) {
#ifdef CLOCK_REALTIME_COARSE
		if (clock_gettime(CLOCK_REALTIME_COARSE, &now) != 0)
			return;
#else
		if (clock_gettime(CLOCK_REALTIME, &now) != 0)
			return;
#endif
		if (now.tv_sec > sb.st_mtim.tv_sec || (now.tv_sec == sb.st_mtim.tv_sec &&
		    now.tv_nsec > sb.st_mtim.tv_nsec))
			return;
		/* a millisecond; nanosleep is not for signal handlers */
		(void)poll(NULL, 0, 1);
	}
}
