/* SPDX-License-Identifier: ISC */
#include "io/url.h"
#include "io/os.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const schemes[] = { "https://", "http://", "s3://" };

bool
taf_is_url(const char *name)
{
	size_t k;

	/* asked of the same names again for each array */
	if (name == NULL || ((name[0] | 0x20) != 'h' && (name[0] | 0x20) != 's'))
		return false;
	for (k = 0; k < sizeof schemes / sizeof schemes[0]; k++)
		if (strncasecmp(name, schemes[k], strlen(schemes[k])) == 0)
			return true;
	return false;
}

/* Names that were made, the last one first. */
struct shown {
	struct shown *next;
	char text[];
};

/* The same name is the same memory, because messages keep no copy. */
static const char *
keep(const char *scheme, size_t nscheme, const char *rest, size_t nrest)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static struct shown *all;
	const size_t n = nscheme + nrest;
	struct shown *s;

	(void)pthread_mutex_lock(&lock);
	for (s = all; s != NULL; s = s->next)
		if (strlen(s->text) == n && memcmp(s->text, scheme, nscheme) == 0 &&
		    memcmp(s->text + nscheme, rest, nrest) == 0)
			break;
	if (s == NULL && (s = malloc(sizeof *s + n + 1)) != NULL) {
		memcpy(s->text, scheme, nscheme);
		memcpy(s->text + nscheme, rest, nrest);
		s->text[n] = '\0';
		s->next = all;
		all = s;
	}
	(void)pthread_mutex_unlock(&lock);
	return s != NULL ? s->text : "a URL";
}

/* The parts of a URL of n bytes that are shown: its scheme, and what follows the user. */
static void
shown_parts(const char *url, size_t n, size_t *scheme, const char **rest, size_t *nrest)
{
	const char *const host = strstr(url, "://") + 3;
	const char *const end = url + n;
	const char *path = host, *tail, *user;

	while (path < end && strchr("/?#", *path) == NULL)
		path++;
	for (tail = path; tail < end && *tail != '?' && *tail != '#'; tail++)
		continue;
	user = taf_os_last(host, '@', (size_t)(path - host));
	*scheme = (size_t)(host - url);
	*rest = user != NULL ? user + 1 : host;
	*nrest = (size_t)(tail - *rest);
}

const char *
taf_url_shown(const char *name)
{
	size_t n, scheme, nrest;
	const char *rest;

	if (!taf_is_url(name))
		return name;
	n = strlen(name);
	shown_parts(name, n, &scheme, &rest, &nrest);
	return scheme + nrest == n ? name : keep(name, scheme, rest, nrest);
}

void
taf_url_hide(struct taf_str *s, const char *text)
{
	const char *at;

	for (at = text; *at != '\0'; at++) {
		size_t n, scheme, nrest;
		const char *rest;

		if (!taf_is_url(at))
			continue;
		n = strcspn(at, " \t\r\n'\"|;<>()`");
		shown_parts(at, n, &scheme, &rest, &nrest);
		taf_str_put(s, text, (size_t)(at - text) + scheme);
		taf_str_put(s, rest, nrest);
		text = at + n;
		at = text - 1;
	}
	taf_str_puts(s, text);
}

void
taf_url_path(struct taf_str *s, const char *path, const char *plain)
{
	for (; *path != '\0'; path++)
		if (strchr(plain, *path) != NULL || (*path >= '0' && *path <= '9') ||
		    ((*path | 32) >= 'a' && (*path | 32) <= 'z'))
			taf_str_put(s, path, 1);
		else
			taf_str_printf(s, "%%%02X", (unsigned char)*path);
}

void
taf_url_beside(struct taf_str *s, const char *base, const char *name)
{
	const char *const host = strstr(base, "://") + 3;
	const char *path = host + strcspn(host, "/?#");
	const char *const end = path + strcspn(path, "?#");
	const char *const slash = taf_os_last(path, '/', (size_t)(end - path));

	if (name[0] != '/' && slash != NULL)
		path = slash;
	taf_str_put(s, base, (size_t)(path - base));
	if (name[0] != '/')
		taf_str_puts(s, "/");
	taf_str_puts(s, name);
}
