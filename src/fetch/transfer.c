/* SPDX-License-Identifier: ISC */
/* link: curl */
/* A request: what is asked, what is an answer to it, and what is tried again. */
#include "fetch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "config.h"

enum { FIRST = 4096, MOST_TRIES = 5, REDIRECTS = 5, BUFFER = 512 * 1024 };

static void
fail(struct transfer *t, unsigned status, const char *text)
{
	if (t->status != 0)
		return;
	t->status = status;
	(void)snprintf(t->text, sizeof t->text, "%s", text);
}

/* The value of a header line of this name, without blanks around; NULL of another one. */
static const char *
value_of(const char *line, size_t n, const char *name, size_t *length)
{
	const size_t head = strlen(name);

	if (n <= head || strncasecmp(line, name, head) != 0 || line[head] != ':')
		return NULL;
	line += head + 1;
	n -= head + 1;
	while (n > 0 && (*line == ' ' || *line == '\t'))
		line++, n--;
	while (n > 0 && strchr(" \t\r\n", line[n - 1]) != NULL)
		n--;
	*length = n;
	return line;
}

/* False where it does not fit: what is cut could be equal to something else. */
static bool
copy_value(char *to, size_t size, const char *value, size_t n)
{
	to[0] = '\0';
	if (n >= size)
		return false;
	memcpy(to, value, n);
	to[n] = '\0';
	return true;
}

static void
read_range(struct answer *a, const char *value, size_t n)
{
	char text[96];
	int end = 0;

	a->range = copy_value(text, sizeof text, value, n) &&
	    ((sscanf(text, "bytes %" SCNu64 "-%" SCNu64 "/%" SCNu64 "%n", &a->first,
	    &a->last, &a->total, &end) == 3 && text[end] == '\0') ||
	    (sscanf(text, "bytes */%" SCNu64 "%n", &a->total, &end) == 1 &&
	    text[end] == '\0'));
}

static size_t
on_header(char *line, size_t size, size_t n, void *ctx)
{
	struct transfer *t = ctx;
	struct answer *a = &t->answer;
	const char *v;
	size_t length;

	n *= size;
	t->heard = taf_clock();
	if (n > 5 && memcmp(line, "HTTP/", 5) == 0) {
		/* of several answers, as with a redirection, the last one counts */
		*a = (struct answer){ .length = TAF_FRAME_UNKNOWN };
	} else if ((v = value_of(line, n, "ETag", &length)) != NULL) {
		a->weak = length > 1 && memcmp(v, "W/", 2) == 0;
		if (!a->weak)
			(void)copy_value(a->etag, sizeof a->etag, v, length);
	} else if ((v = value_of(line, n, "Last-Modified", &length)) != NULL) {
		(void)copy_value(a->modified, sizeof a->modified, v, length);
	} else if ((v = value_of(line, n, "Content-Encoding", &length)) != NULL) {
		if (!copy_value(a->encoding, sizeof a->encoding, v, length))
			(void)snprintf(a->encoding, sizeof a->encoding, "unknown");
	} else if ((v = value_of(line, n, "Content-Range", &length)) != NULL) {
		read_range(a, v, length);
	} else if ((v = value_of(line, n, "Transfer-Encoding", &length)) != NULL) {
		a->chunked = true;
	} else if ((v = value_of(line, n, "Content-Length", &length)) != NULL) {
		a->length = strtoull(v, NULL, 10);
	}
	return n;
}

/* What the first answer says of the object. */
static void
learn(struct transfer *t, bool ranges)
{
	struct object *o = t->object;
	const struct answer *a = &t->answer;
	curl_off_t asked = 0, answered = 0;

	(void)curl_easy_getinfo(t->easy, CURLINFO_PRETRANSFER_TIME_T, &asked);
	(void)curl_easy_getinfo(t->easy, CURLINFO_STARTTRANSFER_TIME_T, &answered);
	o->ranges = ranges;
	o->size = ranges ? a->total : a->length;
	memcpy(o->etag, a->etag, sizeof o->etag);
	memcpy(o->modified, a->modified, sizeof o->modified);
	o->known = true;
	say(&(struct taf_frame){ .kind = TAF_FRAME_OPENED, .size = o->size,
	    .delay = answered > asked ? (uint64_t)(answered - asked) : 0,
	    .ranges = ranges, .data = o->etag[0] != '\0' ? o->etag : o->modified,
	    .n = strlen(o->etag[0] != '\0' ? o->etag : o->modified) });
	if (o->etag[0] == '\0' && o->modified[0] == '\0')
		say_text(TAF_FRAME_NOTE, 0, 0,
		    "the server gives neither a strong ETag nor Last-Modified: that it does not change while it is read cannot be seen");
	if (!ranges) {
		t->n = TAF_FRAME_UNKNOWN;
		t->held = true;
	}
}

/* Is the answer about the object that was there at first? */
static bool
is_same(const struct object *o, const struct answer *a)
{
	if (o->etag[0] != '\0' && (a->etag[0] != '\0' || a->weak))
		return strcmp(o->etag, a->etag) == 0;
	return o->modified[0] == '\0' || a->modified[0] == '\0' ||
	    strcmp(o->modified, a->modified) == 0;
}

/* Can the end of an answer be told from a connection that is lost? */
static bool
has_end(const struct transfer *t)
{
	const struct answer *a = &t->answer;
	long version = CURL_HTTP_VERSION_NONE;

	(void)curl_easy_getinfo(t->easy, CURLINFO_HTTP_VERSION, &version);
	return a->length != TAF_FRAME_UNKNOWN || a->chunked ||
	    version >= CURL_HTTP_VERSION_2_0;
}

static void
check_first(struct transfer *t)
{
	const struct answer *a = &t->answer;

	if (a->code == 206 && a->range && a->first == 0 && a->last < FIRST &&
	    a->last < a->total && (a->last + 1 == a->total || a->last + 1 == FIRST)) {
		t->n = a->last + 1;
		learn(t, true);
	} else if (a->code == 200 && !has_end(t)) {
		fail(t, 3, "the server does not say where the bytes end");
	} else if (a->code == 200) {
		learn(t, false);
	} else {
		fail(t, 3, "the server does not give the bytes that were asked for");
	}
}

/* The same, of a request for all of a stream. */
static void
check_stream(struct transfer *t)
{
	const struct answer *a = &t->answer;

	if (a->code != 200)
		fail(t, 3, "the server does not give the bytes that were asked for");
	else if (!is_same(t->object, a) || a->length != t->object->size)
		fail(t, 3, "changed while it was read");
}

static void
check_part(struct transfer *t)
{
	const struct answer *a = &t->answer;
	const uint64_t first = t->off + t->got, last = t->off + t->n - 1;

	if (a->code == 200 || !is_same(t->object, a) ||
	    (a->range && a->total != t->object->size))
		fail(t, 3, "changed while it was read");
	else if (!a->range || a->first != first || a->last != last)
		fail(t, 3, "the server does not give the bytes that were asked for");
}

/* Look at an answer of status 200 or 206, once, before the first byte of it is used. */
static void
check(struct transfer *t)
{
	const struct answer *a = &t->answer;

	t->checked = true;
	if (a->encoding[0] != '\0' && strcasecmp(a->encoding, "identity") != 0)
		fail(t, 3, "the server gives the bytes in an encoding");
	else if (t->first && !t->object->known)
		check_first(t);
	else if (t->n == TAF_FRAME_UNKNOWN)
		check_stream(t);
	else
		check_part(t);
}

void
transfer_flush(struct transfer *t)
{
	if (t->waiting == 0)
		return;
	say(&(struct taf_frame){ .id = t->id,
	    .kind = t->place != NULL ? TAF_FRAME_PLACED : TAF_FRAME_DATA,
	    .offset = t->off + t->got - t->waiting, .size = t->waiting,
	    .cached = t->cached,
	    .data = t->bytes, .n = t->waiting });
	t->waiting = 0;
	t->cached = false;
	/* whom we serve may have let us wait */
	t->heard = taf_clock();
}

static size_t
on_data(char *p, size_t size, size_t n, void *ctx)
{
	struct transfer *t = ctx;
	size_t left = n *= size;

	(void)curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &t->answer.code);
	/* the text of an error */
	if (t->answer.code != 200 && t->answer.code != 206)
		return n;
	if (!t->checked)
		check(t);
	if (t->status != 0)
		return 0;
	if (t->held)
		return CURL_WRITEFUNC_PAUSE;
	if (t->n != TAF_FRAME_UNKNOWN && left > t->n - t->got) {
		fail(t, 3, "the server gives more bytes than were asked for");
		return 0;
	}
	if (t->skip > 0) {
		const size_t over = left < t->skip ? left : (size_t)t->skip;

		t->skip -= over;
		p += over;
		left -= over;
	}
	if (left > 0)
		t->tries = 0;
	while (left > 0) {
		const size_t room = TAF_FRAME_BYTES - t->waiting;
		const size_t some = left < room ? left : room;

		memcpy(t->place != NULL ? t->place + t->got : t->bytes + t->waiting, p,
		    some);
		t->waiting += some;
		t->got += some;
		p += some;
		left -= some;
		if (t->waiting == TAF_FRAME_BYTES)
			transfer_flush(t);
	}
	t->heard = taf_clock();
	return n;
}

static bool
add_header(struct transfer *t, const char *name, const char *value)
{
	char *line = joined(name, ": ", value);
	struct curl_slist *more = line == NULL ? NULL :
	    curl_slist_append(t->headers, line);

	free(line);
	if (more != NULL)
		t->headers = more;
	return more != NULL;
}

/* Headers that ask for the object that was there, and for no other. */
static bool
add_conditions(struct transfer *t)
{
	const struct object *o = t->object;
	const bool part = t->n != TAF_FRAME_UNKNOWN;
	bool good = add_header(t, "Accept-Encoding", "identity");

	if (good && t->wishes->s3_token != NULL && t->wishes->s3_sign != NULL)
		good = add_header(t, "x-amz-security-token", t->wishes->s3_token);
	if (!good || !o->known)
		return good;
	if (o->etag[0] != '\0')
		return add_header(t, "If-Match", o->etag) &&
		    (!part || add_header(t, "If-Range", o->etag));
	if (o->modified[0] != '\0')
		return add_header(t, "If-Unmodified-Since", o->modified) &&
		    (!part || add_header(t, "If-Range", o->modified));
	return true;
}

/* How libcurl shall work, whatever is asked for. */
static bool
set_manner(struct transfer *t)
{
	const struct wishes *w = t->wishes;
	const bool tls = strncasecmp(t->object->url, "https:", 6) == 0;
	/* libcurl would carry the token of S3, a header of ours, to any host */
	const long follow = w->s3_token == NULL;
	CURL *c = t->easy;
	bool good = curl_easy_setopt(c, CURLOPT_URL, t->object->url) == CURLE_OK &&
	    curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, follow) == CURLE_OK &&
	    curl_easy_setopt(c, CURLOPT_MAXREDIRS, (long)REDIRECTS) == CURLE_OK &&
#if LIBCURL_VERSION_NUM >= 0x075500
	    curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
	    curl_easy_setopt(c, CURLOPT_REDIR_PROTOCOLS_STR, tls ? "https" :
	    "http,https") == CURLE_OK &&
#else
	    curl_easy_setopt(c, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP |
	    CURLPROTO_HTTPS)) == CURLE_OK &&
	    curl_easy_setopt(c, CURLOPT_REDIR_PROTOCOLS, (long)(CURLPROTO_HTTPS |
	    (tls ? 0 : CURLPROTO_HTTP))) == CURLE_OK &&
#endif
	    curl_easy_setopt(c, CURLOPT_NETRC, (long)CURL_NETRC_OPTIONAL) == CURLE_OK &&
	    curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
	    curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT, w->timeout) == CURLE_OK &&
	    curl_easy_setopt(c, CURLOPT_BUFFERSIZE, (long)BUFFER) == CURLE_OK &&
	    curl_easy_setopt(c, CURLOPT_USERAGENT, "taftools/" TAF_VERSION) == CURLE_OK &&
	    curl_easy_setopt(c, CURLOPT_ERRORBUFFER, t->error) == CURLE_OK;

	if (good && w->ca != NULL)
		good = curl_easy_setopt(c, CURLOPT_CAINFO, w->ca) == CURLE_OK;
	if (good && w->s3_sign != NULL)
		good = curl_easy_setopt(c, CURLOPT_AWS_SIGV4, w->s3_sign) == CURLE_OK &&
		    curl_easy_setopt(c, CURLOPT_USERPWD, w->s3_user) == CURLE_OK;
	else if (good && w->bearer != NULL)
		good = curl_easy_setopt(c, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER) ==
		    CURLE_OK &&
		    curl_easy_setopt(c, CURLOPT_XOAUTH2_BEARER, w->bearer) == CURLE_OK;
	return good;
}

bool
transfer_prepare(struct transfer *t)
{
	char range[64];

	if (t->easy == NULL && (t->easy = curl_easy_init()) == NULL)
		return false;
	curl_easy_reset(t->easy);
	curl_slist_free_all(t->headers);
	t->headers = NULL;
	t->answer = (struct answer){ .length = TAF_FRAME_UNKNOWN };
	t->checked = false;
	t->error[0] = '\0';
	t->until = 0;
	t->heard = taf_clock();
	t->skip = t->n == TAF_FRAME_UNKNOWN ? t->got : 0;
	if (t->n != TAF_FRAME_UNKNOWN) {
		(void)snprintf(range, sizeof range, "%" PRIu64 "-%" PRIu64,
		    t->off + t->got, t->off + t->n - 1);
		if (curl_easy_setopt(t->easy, CURLOPT_RANGE, range) != CURLE_OK)
			return false;
	}
	return set_manner(t) && add_conditions(t) &&
	    curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, t->headers) == CURLE_OK &&
	    curl_easy_setopt(t->easy, CURLOPT_HEADERFUNCTION, on_header) == CURLE_OK &&
	    curl_easy_setopt(t->easy, CURLOPT_HEADERDATA, t) == CURLE_OK &&
	    curl_easy_setopt(t->easy, CURLOPT_WRITEFUNCTION, on_data) == CURLE_OK &&
	    curl_easy_setopt(t->easy, CURLOPT_WRITEDATA, t) == CURLE_OK &&
	    curl_easy_setopt(t->easy, CURLOPT_PRIVATE, t) == CURLE_OK;
}

void
transfer_free(struct transfer *t)
{
	curl_easy_cleanup(t->easy);
	curl_slist_free_all(t->headers);
	free(t);
}

/* An HTTP status that is worth another try. */
static bool
is_passing(long code)
{
	static const long codes[] = { 408, 429, 500, 502, 503, 504 };
	size_t k;

	for (k = 0; k < sizeof codes / sizeof codes[0]; k++)
		if (code == codes[k])
			return true;
	return false;
}

/* Another try, unless there were enough. */
static enum outcome
again(struct transfer *t, const char *why)
{
	const bool known = t->object->known;

	if (t->n == TAF_FRAME_UNKNOWN && t->got > 0 && t->object->etag[0] == '\0') {
		(void)snprintf(t->text, sizeof t->text,
		    "%s at byte %" PRIu64 ", and the server gives no parts", why, t->got);
	} else if (t->tries < MOST_TRIES) {
		t->tries++;
		return AGAIN;
	} else {
		(void)snprintf(t->text, sizeof t->text, "%s%s", why,
		    known || t->answer.code != 0 ? ", after 5 further tries" : "");
	}
	t->status = 4;
	return FAILED;
}

static enum outcome
by_status(struct transfer *t)
{
	const struct wishes *w = t->wishes;
	const long code = t->answer.code;
	char why[64];

	(void)snprintf(why, sizeof why, "HTTP status %ld", code);
	if (is_passing(code))
		return again(t, why);
	if (code == 412 || (code == 416 && t->object->known)) {
		fail(t, 3, "changed while it was read");
	} else if (code == 401 || code == 403) {
		t->status = 4;
		(void)snprintf(t->text, sizeof t->text, "%s: not allowed, %s", why,
		    w->s3_sign != NULL ? "with the keys of AWS_ACCESS_KEY_ID" :
		    w->bearer != NULL ? "with the token of TAF_HTTP_BEARER_FILE" :
		    "with no credentials but those of ~/.netrc");
	} else {
		/* what has begun to come was there */
		const bool absent = (code == 404 || code == 410) && !t->object->known;

		t->status = absent ? TAF_FRAME_ABSENT : 4;
		(void)snprintf(t->text, sizeof t->text, "%s%s", why,
		    absent ? ": not there" : "");
	}
	return FAILED;
}

/* The server was reached, so that another try may do. */
static bool
is_lost(const struct transfer *t, CURLcode code)
{
	switch (code) {
	case CURLE_COULDNT_CONNECT:
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_SSL_CONNECT_ERROR:
		return t->object->known;
	case CURLE_OPERATION_TIMEDOUT:
	case CURLE_RECV_ERROR:
	case CURLE_SEND_ERROR:
	case CURLE_GOT_NOTHING:
	case CURLE_PARTIAL_FILE:
	case CURLE_HTTP2:
	case CURLE_HTTP2_STREAM:
	case CURLE_WEIRD_SERVER_REPLY:
		return true;
	default:
		return false;
	}
}

enum outcome
transfer_outcome(struct transfer *t, CURLcode code)
{
	const char *const why = t->error[0] != '\0' ? t->error : curl_easy_strerror(code);

	(void)curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &t->answer.code);
	if (t->status != 0)
		return FAILED;
	if (code != CURLE_OK) {
		if (is_lost(t, code))
			return again(t, why);
		t->status = 4;
		(void)snprintf(t->text, sizeof t->text, "%s", why);
		return FAILED;
	}
	/* an object without a byte has no part */
	if (t->first && !t->object->known && t->answer.code == 416 && t->answer.range &&
	    t->answer.total == 0) {
		t->n = 0;
		learn(t, true);
		return DONE;
	}
	if (t->answer.code != 200 && t->answer.code != 206)
		return by_status(t);
	if (!t->checked)
		check(t);
	if (t->status != 0)
		return FAILED;
	if (t->skip > 0 || (t->n != TAF_FRAME_UNKNOWN && t->got < t->n))
		return again(t, "the connection was closed early");
	/* of chunks, which need no length, one may have been said */
	if (t->n == TAF_FRAME_UNKNOWN && t->object->size != TAF_FRAME_UNKNOWN &&
	    t->got != t->object->size) {
		fail(t, 3, "the server gives another number of bytes than it says");
		return FAILED;
	}
	return DONE;
}

double
transfer_pause(const struct transfer *t)
{
	curl_off_t said = 0;
	double pause = t->wishes->wait;
	unsigned k;

	for (k = 1; k < t->tries; k++)
		pause *= 2;
	pause = pause < 60 ? pause : 60;
	pause *= 0.75 + 0.5 * (double)(rand() % 1000) / 1000;
	(void)curl_easy_getinfo(t->easy, CURLINFO_RETRY_AFTER, &said);
	said = said < 300 ? said : 300;
	return (double)said > pause ? (double)said : pause;
}
