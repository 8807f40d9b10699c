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

#include "base/buf.h"
#include "base/num.h"
#include "cli/private.h"

static const char *program = "taf";

/* The display that -p draws. */
static struct {
	time_t last;
	bool drawn;
} progress;

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

void
cmd_private_end(struct cmd_run *run)
{
	(void)run;
	if (progress.drawn)
		(void)putc('\n', stderr);
	progress.drawn = false;
}

/* One write for the whole line, so that lines of parallel commands do not mix. */
void
cmd_private_message(struct cmd_run *run, const char *file, const char *text)
{
	char line[TAF_ERR_NAME + 2 * TAF_ERR_TEXT];
	size_t at, most = sizeof line - 2;

	cmd_private_end(run);
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
cmd_remark(struct cmd_run *run, const char *fmt, ...)
{
	char text[TAF_ERR_TEXT];
	va_list ap;

	if (run->quiet)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	cmd_private_message(run, NULL, text);
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
cmd_progress(struct cmd_run *run, uint64_t done, uint64_t total)
{
	bool terminal;
	time_t now;

	if (!run->progress)
		return;
	now = time(NULL);
	terminal = isatty(2) == 1;
	/* redrawn each second where it can be, else a line now and then */
	if (now - progress.last < (terminal ? 1 : 10))
		return;
	progress.last = now;
	(void)fprintf(stderr, "%s%s: %llu MiB", terminal ? "\r" : "", run->self->name,
	    (unsigned long long)(done >> 20));
	if (total > 0)
		(void)fprintf(stderr, " of %llu, %d%%", (unsigned long long)(total >> 20),
		    (int)((double)done / (double)total * 100));
	if (terminal)
		progress.drawn = true;
	else
		(void)putc('\n', stderr);
}

/*
 * Madagascar reads history as it reads keys: no '=' and no '"' may get into it, and
 * a blank would look like the end of a word.
 */
static void
put_word(struct taf_buf *b, const char *s, struct taf_err *e, enum taf_status *st)
{
	for (; *s != '\0' && *st == TAF_OK; s++) {
		unsigned char c = (unsigned char)*s;

		if (c <= 0x20 || c == 0x7f || c == '"' || c == '=' || c == '%')
			*st = taf_buf_printf(b, e, "%%%02X", c);
		else
			*st = taf_buf_put(b, s, 1, e);
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

static void
put_time(struct taf_buf *b, struct taf_err *e, enum taf_status *st)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	time_t now = time(NULL);
	char text[32];
	struct tm tm;
	uint64_t v;

	if (epoch != NULL && taf_parse_u64(epoch, strlen(epoch), &v) &&
	    v <= UINT64_C(253402300799))
		now = (time_t)v;
	if (*st == TAF_OK && gmtime_r(&now, &tm) != NULL &&
	    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm) > 0)
		*st = taf_buf_puts(b, text, e);
}

char *
cmd_private_history(const char *name, int argc, char **argv)
{
	const char *off = getenv("TAF_HISTORY");
	struct taf_err e = { 0 };
	struct taf_buf b = { 0 };
	enum taf_status st;
	struct utsname host;
	char dir[4096], room[32];
	int i;

	if (off != NULL && strcmp(off, "off") == 0)
		return NULL;
	if (getcwd(dir, sizeof dir) == NULL)
		dir[0] = '\0';
	if (uname(&host) != 0)
		host.nodename[0] = '\0';
	st = taf_buf_printf(&b, &e, "taftools-%s\t%s\t", TAF_VERSION, name);
	put_word(&b, folder_tail(dir), &e, &st);
	if (st == TAF_OK)
		st = taf_buf_puts(&b, ":\t", &e);
	put_word(&b, user_name(room, sizeof room), &e, &st);
	if (st == TAF_OK)
		st = taf_buf_puts(&b, "@", &e);
	put_word(&b, host.nodename, &e, &st);
	if (st == TAF_OK)
		st = taf_buf_puts(&b, "\t", &e);
	put_time(&b, &e, &st);
	for (i = 1; i < argc && st == TAF_OK; i++) {
		st = taf_buf_puts(&b, i == 1 ? "\t" : " ", &e);
		put_word(&b, argv[i], &e, &st);
	}
	if (st != TAF_OK) {
		taf_buf_free(&b);
		return NULL;
	}
	/* a header line has its limit */
	if (b.len > 3900)
		(void)strcpy(b.data + 3900, " ...");
	return b.data;
}
