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

extern char **environ;

enum taf_status
taf_shell_start(pid_t *pid, const char *const argv[], const int fds[3], struct taf_err *e)
{
	posix_spawn_file_actions_t files;
	int i, error;

	error = posix_spawn_file_actions_init(&files);
	if (error == 0) {
		for (i = 0; i < 3 && error == 0; i++)
			error = posix_spawn_file_actions_adddup2(&files, fds[i], i);
		if (error == 0)
			error = posix_spawnp(pid, argv[0], &files, NULL,
			    (char *const *)(uintptr_t)argv, environ);
		(void)posix_spawn_file_actions_destroy(&files);
	}
	errno = error;
	return error == 0 ? TAF_OK : taf_fail_sys(e, "%s: cannot start", argv[0]);
}

enum taf_status
taf_shell_wait(pid_t pid, int *how, struct taf_err *e)
{
	while (waitpid(pid, how, 0) < 0)
		if (errno != EINTR)
			return taf_fail_sys(e, "cannot wait for a process");
	return TAF_OK;
}

/* Does this shell know pipefail? */
static bool
can(const char *shell)
{
	const char *argv[] = { shell, "-c", "set -o pipefail", NULL };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), how = -1;
	const int fds[3] = { null, null, null };
	struct taf_err e = { 0 };
	pid_t pid;

	if (null < 0)
		return false;
	if (taf_shell_start(&pid, argv, fds, &e) != TAF_OK ||
	    taf_shell_wait(pid, &how, &e) != TAF_OK)
		how = -1;
	(void)close(null);
	return how == 0;
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
	/* of programs not there, of signals, and of ours where the system fails */
	if (code == 4 || code >= 126)
		st = TAF_ESYS;
	one_line(err, text, sizeof text);
	if (code > 128)
		return taf_fail(e, st, "ended by signal %d%s%s", code - 128,
		    text[0] != '\0' ? ": " : "", text);
	return taf_fail(e, st, "status %d%s%s", code, text[0] != '\0' ? ": " : "", text);
}
