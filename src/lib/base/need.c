/* SPDX-License-Identifier: ISC */
#include "base/need.h"

#include "config.h"

#ifdef HAVE_MALLINFO2
#include <malloc.h>
#endif
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"

enum { ZEROS = 1024 * 1024 };	/* bytes that a plan gives as elements, at most */

/* Threads say what they have met: who listens hears one after the other. */
static pthread_mutex_t hearing = PTHREAD_MUTEX_INITIALIZER;

static struct {
	void (*call)(void *ctx, const char *text);
	void *ctx;
} needs;

void
taf_need_listen(void (*call)(void *ctx, const char *text), void *ctx)
{
	needs.call = call;
	needs.ctx = ctx;
}

void
taf_need_say(const char *fmt, ...)
{
	char text[TAF_ERR_TEXT];
	va_list ap;

	if (needs.call == NULL)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	(void)pthread_mutex_lock(&hearing);
	needs.call(needs.ctx, text);
	(void)pthread_mutex_unlock(&hearing);
}

static struct taf_needs *asked;

void
taf_need_ask(struct taf_needs *n)
{
	asked = n;
}

struct taf_needs *
taf_need_asked(void)
{
	return asked;
}

static void
grow(uint64_t *sum, uint64_t more)
{
	if (!taf_add(*sum, more, sum))
		*sum = TAF_NEED_MOST;
}

void
taf_need_beside(uint64_t bytes)
{
	if (asked != NULL)
		grow(&asked->beside, bytes);
}

void
taf_need_again(uint64_t bytes)
{
	if (asked != NULL)
		grow(&asked->again, bytes);
}

void
taf_need_output(uint64_t bytes)
{
	if (asked != NULL)
		grow(&asked->output, bytes);
}

void
taf_need_map(uint64_t bytes)
{
	if (asked != NULL)
		grow(&asked->temporary, bytes);
}

void
taf_need_file(uint64_t bytes)
{
	taf_need_map(bytes);
	if (asked != NULL)
		grow(&asked->files, bytes);
}

void
taf_need_wait(bool waits)
{
	if (asked != NULL)
		asked->waits = asked->waits || waits;
}

void
taf_need_shaped(void)
{
	if (asked != NULL)
		asked->shaped = true;
}

bool
taf_need_piped(int fd)
{
	return asked != NULL && asked->piped && fd == 0;
}

enum taf_status
taf_need_end(uint64_t bytes, struct taf_err *e)
{
#ifdef HAVE_MALLINFO2
	const struct mallinfo2 m = mallinfo2();

	grow(&bytes, m.uordblks + m.hblkhd);
#else
	bytes = TAF_NEED_MOST;
#endif
	grow(&bytes, asked->beside);
	if (bytes > asked->memory)
		asked->memory = bytes;
	return taf_fail(e, TAF_END, "this is a plan");
}

bool
taf_need_goes_on(enum taf_status st, struct taf_err *e)
{
	if (asked == NULL || st != TAF_END)
		return false;
	taf_err_clear(e);
	return true;
}

enum taf_status
taf_need_read(void *to, size_t n, struct taf_err *e)
{
	if (n > ZEROS || asked->unread + n > ZEROS)
		return taf_need_end(0, e);
	memset(to, 0, n);
	asked->unread += n;
	return TAF_OK;
}

static struct {
	taf_note *call;
	void *ctx;
} notes;

void
taf_note_listen(taf_note *call, void *ctx)
{
	notes.call = call;
	notes.ctx = ctx;
}

void
taf_note_say(const char *name, const char *text)
{
	if (notes.call == NULL)
		return;
	(void)pthread_mutex_lock(&hearing);
	notes.call(notes.ctx, name, text);
	(void)pthread_mutex_unlock(&hearing);
}
