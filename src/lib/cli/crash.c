/* SPDX-License-Identifier: ISC */
#include "cli/crash.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __has_include
#if __has_include(<stdio_ext.h>)
#include <stdio_ext.h>
#define CAN_PURGE
#endif
#endif

#include "cli/private.h"
#include "io/fetcher.h"
#include "io/rights.h"
#include "io/temp.h"
#include "io/url.h"
#include "io/worker.h"

static const char *name;
static bool working, reading;

static void
end_without_memory(void)
{
	(void)dprintf(2, "%s: memory, which the library for %s cannot do without\n",
	    cmd_private_name(), name);
	_exit(4);
}

static void
on_crash(bool memory)
{
	if (name != NULL && memory)
		end_without_memory();
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

void
cmd_guard(const char *library, bool decodes)
{
	name = library;
	reading = decodes;
	working = library != NULL && atexit(on_exit_of_library) == 0;
	taf_crash_listen(on_crash);
}

enum taf_status
cmd_bound(struct cmd_run *run, struct taf_err *e)
{
	const unsigned flags = run->self->flags;

	/* headers of arrays name files anywhere on their server */
	return taf_fetcher_bound(run->files, run->nfiles, (flags & CMD_INTO) != 0 ?
	    TAF_REACH_SERVER : (flags & CMD_BESIDE) != 0 ? TAF_REACH_BESIDE :
	    TAF_REACH_BELOW, e);
}

static enum taf_status
confine(struct cmd_run *run, const char *file, const char *const *more, int n,
    struct taf_err *e)
{
	const unsigned flags = run->self->flags;
	const struct taf_confine c = { .file = file, .more = more, .n = n,
		.right = (flags & CMD_MENDS) != 0 ? TAF_RIGHT_TREE : TAF_RIGHT_READ,
		.beside = (flags & CMD_BESIDE) != 0 ? TAF_RIGHT_READ : TAF_RIGHT_NONE,
		.store = (flags & CMD_INTO) != 0 ? file : NULL,
		.output = run->output, .data = run->data };
	bool far = c.beside != TAF_RIGHT_NONE && taf_is_url(file);

	if (cmd_bound(run, e) != TAF_OK ||
	    taf_fetcher_serve(far ? file : NULL, more, n, &far, e) != TAF_OK)
		return e->code;
	/* the system is asked for it once, which reads a file */
	(void)taf_threads(&run->service);
	cmd_say(run, "%s: rights: %s%s", cmd_given(file), taf_confine(&c),
	    far ? ", and by taf-fetch what belongs to URLs that were given" : "");
	return TAF_OK;
}

enum taf_status
cmd_decode(void *ctx, const char *file, const char *const *more, int n,
    struct taf_err *e)
{
	static bool confined;
	struct cmd_run *run = ctx;
	const struct taf_will *ended = NULL;

	if (!confined && confine(run, file, more, n, e) != TAF_OK)
		return e->code;
	confined = true;
	if (reading && taf_worker(&ended, e) != TAF_OK)
		return e->code;
	reading = false;
	if (ended != NULL && ended->status >= 0)
		_exit(ended->status);
	if (ended != NULL && ended->memory)
		end_without_memory();
	if (ended != NULL) {
		(void)taf_fail(e, TAF_EDATA,
		    "a broken file, which the library for %s crashed on", name);
		cmd_private_message(run, ended->file, e->text);
		_exit(3);
	}
	taf_worker_at(cmd_given(file));
	return TAF_OK;
}
