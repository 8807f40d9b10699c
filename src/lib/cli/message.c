/* Words on standard error, and the line of history. */
#include "cli/cmd.h"

#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/num.h"
#include "base/str.h"
#include "cli/private.h"

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

/* Append s with control bytes as escapes, as far as there is room. */
static size_t
put_safe(char *line, size_t at, size_t room, const char *s)
{
	static const char hex[] = "0123456789abcdef";

	for (; *s != '\0' && at + 4 < room; s++) {
		unsigned char c = (unsigned char)*s;

		if (c >= 0x20 && c != 0x7f) {
			line[at++] = *s;
			continue;
		}
		line[at++] = '\\';
		line[at++] = 'x';
		line[at++] = hex[c >> 4];
		line[at++] = hex[c & 15];
	}
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

	if (!run->quiet)
		cmd_private_message(run, NULL, text);
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
cmd_say_array(struct cmd_run *run, const char *file, const struct taf_array *a)
{
	char shape[TAF_MAX_DIM * 21 + 1] = "";
	size_t n = 0;
	unsigned k;

	for (k = 0; k < a->ndim && run->verbose; k++)
		n += (size_t)snprintf(shape + n, sizeof shape - n, "%s%llu", k > 0 ? "," : "",
		    (unsigned long long)a->dim[k].n);
	cmd_say(run, "%s: %s of %s", cmd_name(file), taf_type_name(a->type), shape);
}

/*
 * Madagascar reads history as it reads keys: no '=' and no '"' may get into it, and
 * a blank would look like the end of a word.
 */
static void
put_word(struct taf_str *line, const char *s)
{
	for (; *s != '\0'; s++) {
		unsigned char c = (unsigned char)*s;

		if (c <= 0x20 || c == 0x7f || c == '"' || c == '=' || c == '%')
			taf_str_printf(line, "%%%02X", c);
		else
			taf_str_put(line, s, 1);
	}
}

/* The last three components of the working folder, as Madagascar names it. */
static const char *
folder_tail(const char *dir)
{
	const char *p = dir + strlen(dir);
	int n = 0;

	while (p > dir && !(p[-1] == '/' && ++n == 3))
		p--;
	return p;
}

static const char *
user_name(char *room, size_t size)
{
	const char *name = getenv("LOGNAME");

	if (name == NULL || name[0] == '\0')
		name = getenv("USER");
	if (name != NULL && name[0] != '\0')
		return name;
	/* asking the user database would cost more than all the rest */
	(void)snprintf(room, size, "uid%lu", (unsigned long)getuid());
	return room;
}

void
cmd_put_time(struct taf_str *s)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	time_t now = time(NULL);
	char text[32];
	struct tm tm;
	uint64_t v;

	/* to the end of the year 9999 */
	if (epoch != NULL && taf_parse_u64(epoch, strlen(epoch), &v) &&
	    v <= UINT64_C(253402300799))
		now = (time_t)v;
	if (gmtime_r(&now, &tm) == NULL ||
	    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		return;
	taf_str_puts(s, text);
}

enum taf_status
cmd_private_history(char **line, const char *name, int argc, char **argv,
    struct taf_err *e)
{
	const char *off = getenv("TAF_HISTORY");
	struct taf_str t = { .err = e };
	struct utsname host;
	char dir[4096], room[32];
	int i;

	if (off != NULL && strcmp(off, "off") == 0)
		return TAF_OK;
	if (getcwd(dir, sizeof dir) == NULL)
		dir[0] = '\0';
	if (uname(&host) != 0)
		host.nodename[0] = '\0';
	taf_str_printf(&t, "taftools-%s\t%s\t", TAF_VERSION, name);
	put_word(&t, folder_tail(dir));
	taf_str_puts(&t, ":\t");
	put_word(&t, user_name(room, sizeof room));
	taf_str_puts(&t, "@");
	put_word(&t, host.nodename);
	taf_str_puts(&t, "\t");
	cmd_put_time(&t);
	for (i = 1; i < argc; i++) {
		taf_str_puts(&t, i == 1 ? "\t" : " ");
		put_word(&t, argv[i]);
	}
	/* a header line has its limit */
	if (t.st == TAF_OK && t.buf.len > 3900)
		(void)strcpy(t.buf.data + 3900, " ...");
	if (t.st == TAF_OK)
		*line = t.buf.data;
	else
		taf_str_free(&t);
	return t.st;
}
