/* SPDX-License-Identifier: ISC */
#include "text/history.h"

#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/num.h"
#include "io/url.h"

/*
 * Madagascar reads history as it reads keys: no '=' and no '"' may get into it, and
 * a blank would look like the end of a word.
 */
static void
put_word(struct taf_str *line, const char *word)
{
	struct taf_str shown = { .err = line->err };
	const char *s;

	taf_url_hide(&shown, word);
	if (shown.st != TAF_OK)
		line->st = shown.st;
	for (s = shown.buf.data; s != NULL && *s != '\0'; s++) {
		unsigned char c = (unsigned char)*s;

		if (c <= 0x20 || c == 0x7f || c == '"' || c == '=' || c == '%')
			taf_str_printf(line, "%%%02X", c);
		else
			taf_str_put(line, s, 1);
	}
	taf_str_free(&shown);
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
user_name(char *buffer, size_t size)
{
	const char *name = getenv("LOGNAME");

	if (name == NULL || name[0] == '\0')
		name = getenv("USER");
	if (name != NULL && name[0] != '\0')
		return name;
	/* asking the user database would cost more than all the rest */
	(void)snprintf(buffer, size, "uid%lu", (unsigned long)getuid());
	return buffer;
}

void
taf_put_time(struct taf_str *s)
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
taf_history(char **line, const char *name, int argc, char **argv, struct taf_err *e)
{
	const char *off = getenv("TAF_HISTORY");
	struct taf_str t = { .err = e };
	struct utsname host;
	char dir[4096], buffer[32];
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
	put_word(&t, user_name(buffer, sizeof buffer));
	taf_str_puts(&t, "@");
	put_word(&t, host.nodename);
	taf_str_puts(&t, "\t");
	taf_put_time(&t);
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
