/* SPDX-License-Identifier: ISC */
#include "cli/crash.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __has_include
#if __has_include(<stdio_ext.h>)
#include <stdio_ext.h>
#define CAN_PURGE
#endif
#endif

#include "cli/private.h"
#include "io/temp.h"

enum { STACK = 64 * 1024 };

static const int crashes[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };
static const char *name;
static bool working, reading;

static void
say(const char *text)
{
	/* nothing is left to be done about a failure */
	if (write(2, text, strlen(text)) < 0)
		return;
}

static void
end_without_memory(void)
{
	say(cmd_private_name());
	say(": memory, which the library for ");
	say(name);
	say(" cannot do without\n");
	_exit(4);
}

static void
on_crash(int sig)
{
	taf_temp_unlink_all();
	if (name == NULL || (!reading && errno != ENOMEM)) {
		/* delivered when this returns, and not handled again */
		(void)raise(sig);
		return;
	}
	if (errno == ENOMEM)
		end_without_memory();
	say(cmd_private_name());
	say(": a broken file, which the library for ");
	say(name);
	say(" crashed on\n");
	_exit(3);
}

/* HDF5 and libarchive end the process where they have no memory for a name. */
static void
on_exit_of_library(void)
{
	if (!working)
		return;
	taf_temp_unlink_all();
	end_without_memory();
}

void
cmd_guard_end(void)
{
#ifdef CAN_PURGE
	/* blosc complains to standard output, where elements go */
	if (working)
		__fpurge(stdout);
#endif
	working = false;
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
cmd_guard(const char *library, bool decodes)
{
	/* where a recursion without end has used up the other one */
	static char stack[STACK];
	stack_t alternative = { .ss_sp = stack, .ss_size = sizeof stack };
	struct sigaction act;
	size_t i;

	name = library;
	reading = decodes;
	working = library != NULL && atexit(on_exit_of_library) == 0;
	memset(&act, 0, sizeof act);
	act.sa_handler = on_crash;
	act.sa_flags = (int)(SA_ONSTACK | SA_RESETHAND);
	(void)sigfillset(&act.sa_mask);
	if (sigaltstack(&alternative, NULL) == 0)
		for (i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
			(void)sigaction(crashes[i], &act, NULL);
}
