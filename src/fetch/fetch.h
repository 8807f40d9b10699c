/* SPDX-License-Identifier: ISC */
/* taf-fetch: what its files share. */
#ifndef TAF_FETCH_FETCH_H
#define TAF_FETCH_FETCH_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/clock.h"
#include "io/frame.h"

/* One for all of what is said of an object: its parts must be of the same. */
struct object {
	char *url;		/* as libcurl takes it */
	char etag[512];		/* a strong one, or "" */
	char modified[64];	/* Last-Modified, or "" */
	uint64_t size;		/* TAF_FRAME_UNKNOWN if the server does not say */
	bool known, ranges;
};

/* What the environment asks for. */
struct wishes {
	const char *ca;		/* a file with one more authority, or NULL */
	char *bearer;		/* a token, or NULL */
	char *s3_user, *s3_token, *s3_sign;	/* KEY:SECRET; or NULL */
	long timeout;		/* seconds without a byte */
	double wait;		/* seconds before the first further try */
};

/* What is kept of an object in the folder of TAF_CACHE; file is -1 if nothing is. */
struct cache {
	int folder, file;
	char name[65];		/* of the file: a digest of the URL and of the version */
	uint64_t size;		/* of the object */
	uint64_t most, room;	/* bytes of all files; those that may be written yet */
};

/* What the headers of a response say. */
struct answer {
	long code;
	char etag[512], modified[64], encoding[32];
	bool weak, chunked;
	/* Content-Range */
	bool range;
	uint64_t first, last, total;
	uint64_t length;	/* Content-Length, or TAF_FRAME_UNKNOWN */
};

/* A request of the program that we serve, or the first one. */
struct transfer {
	struct transfer *next;
	struct object *object;
	const struct wishes *wishes;
	uint32_t id;
	uint64_t off, n;	/* n is TAF_FRAME_UNKNOWN for all that there is */
	char *place;		/* of n bytes, in the memory that is shared; or NULL */
	bool cached;		/* those of got that wait were not fetched now */
	uint64_t got;		/* bytes that were handed on */
	uint64_t skip;		/* of a stream that is read anew: those that were */
	bool first;		/* asks what there is */
	bool held;		/* a stream that nobody has asked for yet */
	bool checked;		/* the answer is the one that was wanted */
	unsigned tries;		/* without a byte */
	double until;		/* when the next try begins; 0 while one is under way */
	double heard;		/* when the server gave something last */
	CURL *easy;
	struct curl_slist *headers;
	struct answer answer;
	/*
	 * Bytes for the next frame, the last of got; libcurl gives fewer at a time.  They
	 * are in bytes where they have no place.
	 */
	size_t waiting;
	char bytes[TAF_FRAME_BYTES];
	unsigned status;	/* as in a frame, where it has failed for good */
	char text[256];
	char error[CURL_ERROR_SIZE];
};

/* --- environment.c --- */

/* NULL, or what is wrong with the environment, for people. */
const char *wishes_read(struct wishes *w);

/* The URL for libcurl, s3:// turned into https://; what is wrong, for people, or NULL. */
const char *object_open(struct object *o, struct wishes *w, const char *url, size_t n);

/* Text of two parts and what stands between, from malloc; NULL if memory is out. */
char *joined(const char *a, const char *between, const char *b);

/* URLs that may be opened, they and what lies below them; any before they are known. */
struct bounds {
	char **url;
	size_t n;
	bool known;
};

/* One more, or, with no text, the end of them; false without memory. */
TAF_MUST bool bounds_add(struct bounds *b, const char *url, size_t n);
TAF_MUST bool bounds_allow(const struct bounds *b, const char *url, size_t n);

/*
 * Give up all rights but those to read what libcurl needs, to write below the folder
 * cache unless that is -1, and to speak to servers.
 */
void guard(const struct wishes *w, int cache);

/* --- cache.c --- */

/* NULL, or what is wrong with the environment, for people. */
const char *cache_read(struct cache *c);

/* Look for what is kept of this version. */
void cache_open(struct cache *c, const struct object *o);
void cache_close(struct cache *c);

/* Up to n bytes at off, the first of them; how many are there. */
uint64_t cache_get(struct cache *c, char *to, uint64_t off, uint64_t n);

/* Keep n bytes that were fetched. */
void cache_put(struct cache *c, const char *bytes, uint64_t off, uint64_t n);

/* --- transfer.c --- */

/* Set it up for its next try; false if memory is out. */
TAF_MUST bool transfer_prepare(struct transfer *t);
void transfer_free(struct transfer *t);

/* Hand on what waits for more. */
void transfer_flush(struct transfer *t);

/* What a try has come to. */
enum outcome { DONE, AGAIN, FAILED };
enum outcome transfer_outcome(struct transfer *t, CURLcode code);

/* Seconds to the next try. */
double transfer_pause(const struct transfer *t);

/* --- main.c --- */

/* Say it to the program that we serve; whatever fails ends us. */
void say(const struct taf_frame *f);
void say_text(enum taf_frame_kind kind, uint32_t id, unsigned status, const char *text);

#endif
