/* SPDX-License-Identifier: ISC */
/* link: curl */
/* What the environment says of URLs, which of them may be opened, and the rights kept. */
#include "fetch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "io/rights.h"

/* The value of a variable that is set, and not empty; or NULL. */
static const char *
said(const char *name)
{
	const char *value = getenv(name);

	return value != NULL && value[0] != '\0' ? value : NULL;
}

/* Seconds of a variable. */
static const char *
seconds(const char *name, double most, double *to, const char *wrong)
{
	const char *text = said(name);
	char *end = NULL;

	if (text == NULL)
		return NULL;
	*to = strtod(text, &end);
	return end == text || *end != '\0' || !(*to > 0) || *to > most ? wrong : NULL;
}

/* The first line of the file that a variable names. */
static const char *
read_token(const char *file, char **to)
{
	char line[8192];
	FILE *f = fopen(file, "re");
	const bool good = f != NULL && fgets(line, sizeof line, f) != NULL;

	if (f != NULL)
		(void)fclose(f);
	if (!good)
		return "the file of TAF_HTTP_BEARER_FILE cannot be read";
	line[strcspn(line, "\r\n")] = '\0';
	*to = strdup(line);
	return *to == NULL ? "memory" : NULL;
}

char *
joined(const char *a, const char *between, const char *b)
{
	const size_t n = strlen(a) + strlen(between) + strlen(b) + 1;
	char *s = malloc(n);

	if (s != NULL)
		(void)snprintf(s, n, "%s%s%s", a, between, b);
	return s;
}

const char *
wishes_read(struct wishes *w)
{
	const char *bearer = said("TAF_HTTP_BEARER_FILE"), *wrong;
	double timeout = 30;

	w->wait = 0.5;
	w->ca = said("TAF_HTTP_CA");
	wrong = seconds("TAF_HTTP_TIMEOUT", 1e6, &timeout,
	    "TAF_HTTP_TIMEOUT is no number of seconds");
	if (wrong == NULL)
		wrong = seconds("TAF_HTTP_WAIT", 60, &w->wait,
		    "TAF_HTTP_WAIT is no number of seconds up to 60");
	w->timeout = timeout < 1 ? 1 : (long)timeout;
	if (wrong == NULL && w->ca != NULL && access(w->ca, R_OK) != 0)
		wrong = "the file of TAF_HTTP_CA cannot be read";
	return wrong != NULL || bearer == NULL ? wrong : read_token(bearer, &w->bearer);
}

/* Keys of S3, where there are some. */
static const char *
read_keys(struct wishes *w, const char *region)
{
	const char *id = said("AWS_ACCESS_KEY_ID");
	const char *secret = said("AWS_SECRET_ACCESS_KEY");
	const char *token = said("AWS_SESSION_TOKEN");

	if (id == NULL && secret == NULL)
		return NULL;
	if (id == NULL || secret == NULL)
		return "of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY one is missing";
#if LIBCURL_VERSION_NUM < 0x074b00
	return "libcurl before 7.75 cannot sign for S3";
#endif
	free(w->s3_user);
	free(w->s3_sign);
	free(w->s3_token);
	w->s3_user = joined(id, ":", secret);
	w->s3_sign = joined("aws:amz:", region, ":s3");
	w->s3_token = token != NULL ? strdup(token) : NULL;
	return w->s3_user == NULL || w->s3_sign == NULL ||
	    (token != NULL && w->s3_token == NULL) ? "memory" : NULL;
}

/* s3://BUCKET/KEY: below the endpoint that the environment names, or at Amazon's. */
static const char *
open_s3(struct object *o, struct wishes *w, const char *name)
{
	const char *endpoint = said("AWS_ENDPOINT_URL"), *region = said("AWS_REGION");
	const char *slash = strchr(name, '/');
	char *host;

	if (slash == NULL || slash == name || slash[1] == '\0')
		return "no s3://BUCKET/KEY";
	if (region == NULL)
		region = "us-east-1";
	if (endpoint != NULL) {
		const size_t n = strlen(endpoint);

		o->url = joined(endpoint,
		    n > 0 && endpoint[n - 1] == '/' ? "" : "/", name);
		return o->url == NULL ? "memory" : read_keys(w, region);
	}
	host = joined("https://s3.", region, ".amazonaws.com/");
	o->url = host != NULL ? joined(host, "", name) : NULL;
	free(host);
	return o->url == NULL ? "memory" : read_keys(w, region);
}

const char *
object_open(struct object *o, struct wishes *w, const char *url, size_t n)
{
	char *name = strndup(url, n);
	const char *wrong = NULL;

	if (name == NULL)
		return "memory";
	if (strlen(name) != n) {
		wrong = "no URL";
	} else if (strncasecmp(name, "s3://", 5) == 0) {
		wrong = open_s3(o, w, name + 5);
	} else if (strncasecmp(name, "http://", 7) == 0 ||
	    strncasecmp(name, "https://", 8) == 0) {
		o->url = strdup(name);
		wrong = o->url == NULL ? "memory" : NULL;
	} else {
		wrong = "neither https:// nor http:// nor s3://";
	}
	free(name);
	return wrong;
}

bool
bounds_add(struct bounds *b, const char *url, size_t n)
{
	char **const more = n > 0 ? realloc(b->url, (b->n + 1) * sizeof *more) : NULL;

	b->known = n == 0;
	if (more == NULL)
		return n == 0;
	b->url = more;
	more[b->n] = strndup(url, n);
	return more[b->n++] != NULL;
}

/* Does a path of n bytes leave its folder, however a server may read it? */
static bool
climbs(const char *path, size_t n)
{
	enum { OTHER = 3 };
	unsigned dots = 0;
	size_t k;

	for (k = 0; k < n && path[k] != '?' && path[k] != '#'; k++) {
		char c = path[k];

		if (n - k > 2 && c == '%' && path[k + 1] == '2' &&
		    strchr("eEfF", path[k + 2]) != NULL) {
			c = (path[k + 2] | 32) == 'e' ? '.' : '/';
			k += 2;
		}
		if (c == '/' && dots == 2)
			return true;
		dots = c == '/' ? 0 : c == '.' && dots < OTHER ? dots + 1 : OTHER;
	}
	return dots == 2;
}

bool
bounds_allow(const struct bounds *b, const char *url, size_t n)
{
	size_t k;

	for (k = 0; k < b->n; k++) {
		const size_t most = strlen(b->url[k]);

		if (n < most || memcmp(url, b->url[k], most) != 0 ||
		    (n > most && strchr("/?#", url[most]) == NULL))
			continue;
		/* of a server with no path there is nothing outside */
		if (strncasecmp(url, "s3:", 3) != 0 &&
		    strchr(strstr(b->url[k], "://") + 3, '/') == NULL)
			return true;
		if (!climbs(url + most, n - most))
			return true;
	}
	return !b->known;
}

/* Of files, those of the system: names of hosts, authorities, libraries. */
void
guard(const struct wishes *w, int cache)
{
	static const char *const system[] = { "/etc", "/usr", "/lib", "/lib64", "/run",
		"/opt", "/proc/self", "/dev/null", "/dev/urandom", "/dev/random" };
	const char *home = said("HOME");
	char *netrc = home != NULL ? joined(home, "/", ".netrc") : NULL;
	const int rights = taf_rights_begin();
	size_t k;

	for (k = 0; k < sizeof system / sizeof system[0]; k++)
		taf_rights_allow(rights, system[k], TAF_RIGHT_READ);
	if (netrc != NULL)
		taf_rights_allow(rights, netrc, TAF_RIGHT_READ);
	if (w->ca != NULL)
		taf_rights_allow(rights, w->ca, TAF_RIGHT_READ);
	taf_rights_allow_at(rights, cache, TAF_RIGHT_CHANGE);
	(void)taf_rights_drop(rights, true);
	free(netrc);
}
