/* SPDX-License-Identifier: ISC */
/* gnuplot as a program: it gets a script, and what it draws is taken over. */
#include "plot/outputs.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "io/os.h"
#include "io/spool.h"

enum { PART = 64 * 1024 };

/* Run gnuplot on three files, to its end. */
static enum taf_status
run_gnuplot(const int fds[3], int *status, struct taf_err *e)
{
	/* -d: without the user's settings; a script without a name is read by bytes */
	static char name[] = "gnuplot", defaults[] = "-d", script[] = "/dev/stdin";
	char *argv[] = { name, defaults, script, NULL };
	posix_spawn_file_actions_t files;
	pid_t pid;
	int i, error;

	error = posix_spawn_file_actions_init(&files);
	for (i = 0; i < 3 && error == 0; i++)
		error = posix_spawn_file_actions_adddup2(&files, fds[i], i);
	if (error == 0)
		error = posix_spawnp(&pid, name, &files, NULL, argv,
		    taf_os_environment());
	(void)posix_spawn_file_actions_destroy(&files);
	errno = error;
	if (error == ENOENT)
		return taf_fail(e, TAF_ESYS,
		    "gnuplot is not there: install it, or use --term text");
	if (error != 0)
		return taf_fail_sys(e, "gnuplot");
	while (waitpid(pid, status, 0) < 0)
		if (errno != EINTR)
			return taf_fail_sys(e, "gnuplot");
	if (WIFEXITED(*status) && WEXITSTATUS(*status) == 127)
		return taf_fail(e, TAF_ESYS,
		    "gnuplot cannot be run: install it, or use --term text");
	return TAF_OK;
}

/* What gnuplot has said: the last line that is one. */
static enum taf_status
complain(int fd, struct taf_err *e)
{
	char text[1024], *line;
	ssize_t n = pread(fd, text, sizeof text - 1, 0);
	size_t end = n > 0 ? (size_t)n : 0;

	while (end > 0 && (text[end - 1] == '\n' || text[end - 1] == ' '))
		end--;
	text[end] = '\0';
	line = strrchr(text, '\n');
	line = line != NULL ? line + 1 : text;
	return taf_fail(e, TAF_ESYS, "gnuplot has failed: %s", line[0] != '\0' ? line :
	    "it says nothing");
}

/* What gnuplot has drawn; with sharp, pixels of images stay as they are when enlarged. */
static enum taf_status
copy_drawn(int fd, bool sharp, struct taf_out *out, struct taf_err *e)
{
	static const char image[] = "<image ",
	    pixels[] = "style='image-rendering:optimizeSpeed;image-rendering:pixelated' ";
	const size_t len = sizeof image - 1;
	enum taf_status st = TAF_OK;
	unsigned char part[PART];
	size_t n, done;
	off_t at = 0;
	ssize_t got;

	for (; st == TAF_OK; at += (off_t)n) {
		do
			got = pread(fd, part, sizeof part, at);
		while (got < 0 && errno == EINTR);
		if (got < 0)
			return taf_fail_sys(e, "a temporary file");
		if (got == 0)
			break;
		n = (size_t)got;
		for (done = 0; sharp && done + len <= n; done++)
			if (memcmp(part + done, image, len) == 0)
				break;
		if (sharp && done + len <= n) {
			n = done + len;
			st = taf_out_write(out, part, n, e);
			if (st == TAF_OK)
				st = taf_out_write(out, pixels, sizeof pixels - 1, e);
			continue;
		}
		/* the next part may have the rest of one that begins at the end */
		n = sharp && n == sizeof part ? n - (len - 1) : n;
		st = taf_out_write(out, part, n, e);
	}
	return st;
}

enum taf_status
taf_gnuplot_draw(const struct taf_plot *p, const struct taf_picture *pic,
    struct taf_out *out, struct taf_err *e)
{
	struct taf_spool files[3] = { { .fd = -1 }, { .fd = -1 }, { .fd = -1 } };
	enum taf_status st = TAF_OK;
	int fds[3], i, status = 0;
	struct stat drawn;

	/* files, not pipes: neither side waits for the other, and nothing is half done */
	for (i = 0; i < 3 && st == TAF_OK; i++)
		st = taf_spool_begin(&files[i], e);
	if (st == TAF_OK && (taf_gnuplot_script(p, pic, files[0].out, e) != TAF_OK ||
	    taf_out_flush(files[0].out, e) != TAF_OK))
		st = e->code;
	for (i = 0; i < 3; i++)
		fds[i] = files[i].fd;
	if (st == TAF_OK && lseek(fds[0], 0, SEEK_SET) != 0)
		st = taf_fail_sys(e, "a temporary file");
	if (st == TAF_OK)
		st = run_gnuplot(fds, &status, e);
	if (st == TAF_OK && (status != 0 || fstat(fds[1], &drawn) != 0 ||
	    drawn.st_size == 0))
		st = complain(fds[2], e);
	if (st == TAF_OK)
		st = copy_drawn(fds[1], p->image && pic->term == TAF_TERM_SVG, out, e);
	for (i = 0; i < 3; i++)
		taf_spool_discard(&files[i]);
	return st;
}
