#include "cli/crash.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/private.h"
#include "io/temp.h"

enum { STACK = 64 * 1024 };

static const int crashes[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };
static const char *name;

static void
say(const char *text)
{
	/* nothing is left to be done about a failure */
	if (write(2, text, strlen(text)) < 0)
		return;
}

static void
on_crash(int sig)
{
	taf_temp_unlink_all();
	if (name == NULL) {
		/* delivered when this returns, and not handled again */
		(void)raise(sig);
		return;
	}
	say(cmd_private_name());
	say(": a broken file, which the library for ");
	say(name);
	say(" crashed on\n");
	_exit(3);
}

bool
cmd_crashed(int sig)
{
	size_t i;

	for (i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
		if (crashes[i] == sig)
			return true;
	return false;
}

void
cmd_guard(const char *library)
{
	/* where a recursion without end has used up the other one */
	static char stack[STACK];
	stack_t alternative = { .ss_sp = stack, .ss_size = sizeof stack };
	struct sigaction act;
	size_t i;

	name = library;
	memset(&act, 0, sizeof act);
	act.sa_handler = on_crash;
	act.sa_flags = (int)(SA_ONSTACK | SA_RESETHAND);
	(void)sigfillset(&act.sa_mask);
	if (sigaltstack(&alternative, NULL) == 0)
		for (i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
			(void)sigaction(crashes[i], &act, NULL);
}
