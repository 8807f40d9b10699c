/* SPDX-License-Identifier: ISC */
/* What a failure becomes: a message and a status, or the end of a wrong program. */
#include "unit.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "io/out.h"

/* How a command ends that reports this failure, with a file half written. */
static int
end_of(enum taf_status code)
{
	static const struct rlimit no_core = { 0, 0 };
	const struct cmd self = { .name = "unit" };
	struct cmd_run run = { .self = &self };
	struct taf_out *out = NULL;
	int how = -1, null;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		null = open("/dev/null", O_WRONLY | O_CLOEXEC);
		if (null < 0 || dup2(null, 2) != 2 ||
		    setrlimit(RLIMIT_CORE, &no_core) != 0 ||
		    taf_out_create(&out, "half", &run.err) != TAF_OK)
			_exit(99);
		(void)taf_fail(&run.err, code, "a fact");
		cmd_report(&run, "a");
		taf_out_discard(out);
		_exit(run.status);
	}
	CHECK(pid > 0 && waitpid(pid, &how, 0) == pid);
	return how;
}

static void
statuses(void)
{
	static const struct { enum taf_status code; int status; } want[] = {
		{ TAF_EUSAGE, 2 }, { TAF_EDATA, 3 }, { TAF_ESYS, 4 }, { TAF_ETRUNC, 3 },
	};
	size_t i;

	for (i = 0; i < sizeof want / sizeof want[0]; i++) {
		int how = end_of(want[i].code);

		CHECK(WIFEXITED(how));
		CHECK_INT(WEXITSTATUS(how), want[i].status);
	}
}

/* Nobody can take it for a failure of the system. */
static void
misuse(void)
{
	int how = end_of(TAF_EMISUSE);

	CHECK(WIFSIGNALED(how) && WTERMSIG(how) == SIGABRT);
	CHECK(system("test -z \"$(ls -A)\"") == 0);
}

int
main(void)
{
	UNIT(statuses);
	UNIT(misuse);
	return unit_end();
}
