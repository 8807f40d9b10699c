/* SPDX-License-Identifier: ISC */
/* Words on standard error. */
#include "cli/cmd.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/missing.h"
#include "base/str.h"
#include "cli/private.h"

enum { HEARD = 16 * 1024 };	/* bytes of remarks that wait */

static const char *program = "taf";

const char *
cmd_private_name(void)
{
	return program;
}

void
cmd_private_set_name(const char *name)
{
	program = name;
}

/* Append s with control bytes as escapes, as far as the size allows. */
static size_t
put_safe(char *line, size_t at, size_t size, const char *s)
{
	for (; *s != '\0' && at + 4 < size; s++)
		at += taf_byte_safe(line + at, *s);
	return at;
}

/* One write for the whole line, so that lines of parallel commands do not mix. */
void
cmd_private_message(struct cmd_run *run, const char *file, const char *text)
{
	char line[TAF_ERR_NAME + 2 * TAF_ERR_TEXT];
	size_t at, most = sizeof line - 2;

	cmd_private_end();
	at = put_safe(line, 0, most, run->self->name);
	at = put_safe(line, at, most, ": ");
	if (file != NULL) {
		at = put_safe(line, at, most, file);
		at = put_safe(line, at, most, ": ");
	}
	at = put_safe(line, at, most, text);
	line[at++] = '\n';
	(void)fwrite(line, 1, at, stderr);
}

void
cmd_private_remark(void *ctx, const char *text)
{
	struct cmd_run *run = ctx;
	struct taf_err none = { 0 };

	if (run->quiet)
		return;
	/* of what goes on and on the beginning is enough, and how much there is more */
	if (run->remarks.len >= HEARD)
		run->dropped++;
	else if (taf_buf_put(&run->remarks, text, strlen(text) + 1, &none) != TAF_OK)
		cmd_private_message(run, NULL, text);
}

void
cmd_private_heard(void *ctx, const char *name, const char *text)
{
	struct cmd_run *run = ctx;
	struct taf_buf *heard = &run->heard;
	struct taf_err none = { 0 };
	const char *line;
	size_t at = heard->len, n;

	if (taf_buf_printf(heard, &none, "%s: %s", cmd_given(name), text) !=
	    TAF_OK || taf_buf_put(heard, "", 1, &none) != TAF_OK)
		return;
	n = heard->len - at;
	/* once, whatever else it holds for: a store may have many objects */
	for (line = heard->data; line < heard->data + at; line += strlen(line) + 1)
		if (taf_ends(line, text))
			break;
	/* of what goes on and on the beginning is enough */
	if (line < heard->data + at || n > HEARD - at)
		heard->len = at;
}

static void
tell(struct cmd_run *run, const struct taf_buf *from, size_t at)
{
	if (run->quiet)
		return;
	for (; at < from->len; at += strlen(from->data + at) + 1)
		cmd_private_message(run, NULL, from->data + at);
}

void
cmd_private_tell(void *ctx, bool done)
{
	struct cmd_run *run = ctx;
	struct taf_err none = { 0 };

	if (run->dropped > 0 && taf_buf_printf(&run->remarks, &none,
	    "%llu more remarks%c", (unsigned long long)run->dropped, '\0') != TAF_OK)
		cmd_private_message(run, NULL, "more remarks");
	if (done) {
		tell(run, &run->heard, run->told);
		tell(run, &run->remarks, 0);
	}
	run->dropped = 0;
	run->told = run->heard.len;
	run->remarks.len = 0;
}

void
cmd_remark(struct cmd_run *run, const char *fmt, ...)
{
	char text[TAF_ERR_TEXT];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	cmd_private_remark(run, text);
}

void
cmd_remark_missing(struct cmd_run *run, const struct taf_array *a)
{
	static bool said;
	char text[TAF_ERR_TEXT];

	if (said || !taf_missing_tell(a, text, sizeof text))
		return;
	said = true;
	cmd_private_remark(run, text);
}

void
cmd_say(struct cmd_run *run, const char *fmt, ...)
{
	char text[TAF_ERR_TEXT];
	va_list ap;

	if (!run->verbose)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	cmd_private_message(run, NULL, text);
}

void
cmd_private_say(void *ctx, const char *text)
{
	cmd_say(ctx, "%s", text);
}

const char *
cmd_given(const char *file)
{
	const char *name = taf_in_called(file), *given = NULL;
	const bool input = strcmp(name, "standard input") == 0;
	char variable[CMD_OPERAND_SIZE];

	/* taf gives a pipe instead of a file */
	if (input || strncmp(name, "/dev/fd/", 8) == 0) {
		(void)snprintf(variable, sizeof variable, CMD_OPERAND "%s",
		    input ? "0" : name + 8);
		given = getenv(variable);
	}
	return given != NULL ? given : name;
}

void
cmd_say_array(struct cmd_run *run, const char *file, const struct taf_array *a)
{
	struct taf_err none = { 0 };
	struct taf_str lengths = { .err = &none };

	if (!run->verbose)
		return;
	taf_array_lengths(a, &lengths);
	cmd_say(run, "%s: %s of %.*s", taf_in_called(file), taf_type_name(a->type),
	    (int)lengths.buf.len, lengths.buf.len > 0 ? lengths.buf.data : "");
	taf_str_free(&lengths);
}

void
cmd_private_seen(void *ctx, const char *name, const struct taf_array *a)
{
	cmd_say_array(ctx, name, a);
}
