/* SPDX-License-Identifier: ISC */
#include "base/need.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/err.h"

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
	needs.call(needs.ctx, text);
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
	if (notes.call != NULL)
		notes.call(notes.ctx, name, text);
}
