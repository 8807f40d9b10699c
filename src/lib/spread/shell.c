/* SPDX-License-Identifier: ISC */
#include "spread/shell.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "io/at.h"
#include "io/os.h"

enum { TEXT = 1024 * 1024 };	/* bytes that a program may print */

enum taf_status
taf_shell_start(pid_t *pid, const char *const argv[], const int fds[3], bool apart,
    struct taf_err *e)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	int i, error;

	error = posix_spawnattr_init(&how);
	if (error == 0 && (error = posix_spawn_file_actions_init(&files)) != 0)
		(void)posix_spawnattr_destroy(&how);
	if (error == 0) {
		if (apart)
			error = posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
		for (i = 0; i < 3 && error == 0; i++)
			error = posix_spawn_file_actions_adddup2(&files, fds[i], i);
		if (error == 0)
			error = posix_spawnp(pid, argv[0], &files, &how,
			    (char *const *)(uintptr_t)argv, taf_os_environment());
		(void)posix_spawn_file_actions_destroy(&files);
		(void)posix_spawnattr_destroy(&how);
	}
	errno = error;
	return error == 0 ? TAF_OK : taf_fail_sys(e, "%s: cannot start", argv[0]);
}

enum taf_status
taf_shell_pipe(int ends[2], struct taf_err *e)
{
	int i, error;

	if (pipe(ends) != 0)
		return taf_fail_sys(e, "cannot make a pipe");
	for (i = 0; i < 2; i++)
		if (fcntl(ends[i], F_SETFD, FD_CLOEXEC) != 0) {
			error = errno;
			(void)close(ends[0]);
			(void)close(ends[1]);
			ends[0] = ends[1] = -1;
			errno = error;
			return taf_fail_sys(e, "cannot make a pipe");
		}
	return TAF_OK;
}

enum taf_status
taf_shell_wait(pid_t pid, int *how, struct taf_err *e)
{
	while (waitpid(pid, how, 0) < 0)
		if (errno != EINTR)
			return taf_fail_sys(e, "cannot wait for a process");
	return TAF_OK;
}

enum taf_status
taf_shell_read(const char *const argv[], struct taf_buf *text, struct taf_err *e)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), ends[2] = { -1, -1 }, how = 0;
	enum taf_status st;
	pid_t pid;

	st = null >= 0 ? taf_shell_pipe(ends, e) : taf_fail_sys(e, "/dev/null");
	if (st == TAF_OK)
		st = taf_shell_start(&pid, argv, (int[3]){ null, ends[1], null }, false,
		    e);
	if (ends[1] >= 0)
		(void)close(ends[1]);
	if (st == TAF_OK) {
		st = taf_read_rest(ends[0], text, TEXT, e);
		(void)close(ends[0]);
		ends[0] = -1;
		if (taf_shell_wait(pid, &how, e) != TAF_OK)
			st = e->code;
		else if (st == TAF_OK && how != 0)
			st = taf_fail(e, TAF_ESYS, "%s: has failed", argv[0]);
	}
	if (ends[0] >= 0)
		(void)close(ends[0]);
	if (null >= 0)
		(void)close(null);
	return st;
}

/* Does this shell know pipefail? */
static bool
can(const char *shell)
{
	const char *argv[] = { shell, "-c", "set -o pipefail", NULL };
	struct taf_err none = { 0 };
	struct taf_buf text = { 0 };
	const bool is = taf_shell_read(argv, &text, &none) == TAF_OK;

	taf_buf_free(&text);
	return is;
}

enum taf_status
taf_shell_find(const char *wanted, char **shell, struct taf_err *e)
{
	const char *const known[] = {
		wanted != NULL && wanted[0] == '/' ? wanted : "bash", "bash", "sh"
	};
	size_t i;

	for (i = 0; i < sizeof known / sizeof known[0]; i++)
		if (can(known[i])) {
			*shell = strdup(known[i]);
			return *shell != NULL ? TAF_OK : taf_fail_mem(e);
		}
	return taf_fail(e, TAF_ESYS, "no shell that knows pipefail: install bash");
}

enum taf_status
taf_shell_leave_make(struct taf_err *e)
{
	const char *word = getenv("MAKEFLAGS");
	struct taf_str flags = { .err = e };
	size_t blanks, n;

	if (word == NULL || strstr(word, "--jobserver") == NULL)
		return TAF_OK;
	for (; *word != '\0'; word += blanks + n) {
		const char *at;

		blanks = strspn(word, " ");
		at = word + blanks;
		n = strcspn(at, " ");
		/* behind it are variables */
		if (n == 2 && memcmp(at, "--", 2) == 0)
			n = strlen(at);
		if (strncmp(at, "--jobserver", 11) != 0 && strncmp(at, "-j", 2) != 0)
			taf_str_put(&flags, word, blanks + n);
	}
	taf_str_put(&flags, "", 1);
	if (flags.st == TAF_OK && setenv("MAKEFLAGS", flags.buf.data, 1) != 0)
		flags.st = taf_fail_mem(e);
	taf_str_free(&flags);
	return flags.st;
}

void
taf_shell_quote(struct taf_str *s, const char *text)
{
	taf_str_puts(s, "'");
	for (; *text != '\0'; text++)
		taf_str_put(s, *text == '\'' ? "'\\''" : text, *text == '\'' ? 4 : 1);
	taf_str_puts(s, "'");
}

/* What a file begins with, as one line: of several programs the first has the cause. */
static void
one_line(int fd, char *text, size_t size)
{
	ssize_t n = pread(fd, text, size - 1, 0), i;

	for (; n > 0 && (text[n - 1] == '\n' || text[n - 1] == ' '); n--)
		continue;
	text[n > 0 ? n : 0] = '\0';
	for (i = 0; i < n; i++)
		if (text[i] == '\n')
			text[i] = ';';
}

enum taf_status
taf_shell_verdict(int how, int err, struct taf_err *e)
{
	const int code = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
	enum taf_status st = TAF_EDATA;
	char text[400];

	if (code == 0)
		return TAF_OK;
	/* of signals, and of ours where the system fails; 126, 127: no such program */
	if (code == 4 || code > 128)
		st = TAF_ESYS;
	one_line(err, text, sizeof text);
	if (code > 128)
		return taf_fail(e, st, "ended by signal %d%s%s", code - 128,
		    text[0] != '\0' ? ": " : "", text);
	return taf_fail(e, st, "status %d%s%s", code, text[0] != '\0' ? ": " : "", text);
}
