/* SPDX-License-Identifier: ISC */
/* link: curl */
/*
 * A folder with bytes that were fetched before, a file for each version of an object.
 *
 * The file has the bytes of the object at their places, with holes, and behind them an
 * entry for each block: which bytes of the block are there, and their digest.  An entry
 * is written behind its bytes.  What was cut short, or damaged, has another digest.
 */
#include "fetch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/endian.h"
#include "kernel/digest/blake3.h"

enum { BLOCK = 64 * 1024, ENTRY = 16 };

/* Bytes from to to of a block are there; none if these are the same. */
struct entry { uint32_t from, to; uint64_t digest; };

const char *
cache_read(struct cache *c)
{
	const char *folder = getenv("TAF_CACHE"), *size = getenv("TAF_CACHE_SIZE");
	double most = 10;
	char *end = NULL;

	c->folder = c->file = -1;
	if (folder == NULL || folder[0] == '\0')
		return NULL;
	if (size != NULL && size[0] != '\0') {
		most = strtod(size, &end);
		if (end == size || strcmp(end, "G") != 0 || !(most > 0) || most > 1e6)
			return "TAF_CACHE_SIZE is no number of gigabytes, as 10G";
	}
	c->most = (uint64_t)(most * (1 << 30));
	if (mkdir(folder, 0700) != 0 && errno != EEXIST)
		return "the folder of TAF_CACHE cannot be made";
	c->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (c->folder < 0 || faccessat(c->folder, ".", R_OK | W_OK | X_OK, 0) != 0)
		return "the folder of TAF_CACHE cannot be used";
	return NULL;
}

/* What is kept is not used any more. */
static void
leave(struct cache *c, const char *why)
{
	char text[128];

	(void)snprintf(text, sizeof text, "TAF_CACHE is not used: %s", why);
	say_text(TAF_FRAME_NOTE, 0, 0, text);
	(void)close(c->file);
	c->file = -1;
}

/* The bytes that all files take, and the one that was used longest ago but for ours. */
static uint64_t
look_around(const struct cache *c, char oldest[TAF_BLAKE3_TEXT])
{
	const int fd = openat(c->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	struct timespec first = { 0 };
	const struct dirent *entry;
	uint64_t total = 0;
	struct stat st;

	oldest[0] = '\0';
	if (d == NULL && fd >= 0)
		(void)close(fd);
	while (d != NULL && (entry = readdir(d)) != NULL) {
		if (!taf_blake3_is_text(entry->d_name) ||
		    fstatat(c->folder, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
			continue;
		total += (uint64_t)st.st_blocks * 512;
		if (strcmp(entry->d_name, c->name) != 0 && (oldest[0] == '\0' ||
		    st.st_mtim.tv_sec < first.tv_sec ||
		    (st.st_mtim.tv_sec == first.tv_sec &&
		    st.st_mtim.tv_nsec < first.tv_nsec))) {
			first = st.st_mtim;
			memcpy(oldest, entry->d_name, TAF_BLAKE3_TEXT);
		}
	}
	if (d != NULL)
		(void)closedir(d);
	return total;
}

/* Make room for n bytes more: false if ours alone is too large. */
static bool
make_room(struct cache *c, uint64_t n)
{
	char oldest[TAF_BLAKE3_TEXT];

	if (n <= c->room) {
		c->room -= n;
		return true;
	}
	for (;;) {
		const uint64_t total = look_around(c, oldest);

		if (total < c->most && c->most - total >= n) {
			/* others may write there, too: look again before it is used up */
			c->room = (c->most - total) / 2;
			c->room -= n < c->room ? n : c->room;
			return true;
		}
		if (oldest[0] == '\0' || unlinkat(c->folder, oldest, 0) != 0)
			return false;
	}
}

void
cache_close(struct cache *c)
{
	if (c->file >= 0)
		(void)close(c->file);
	c->file = -1;
}

void
cache_open(struct cache *c, const struct object *o)
{
	const char *const mark = o->etag[0] != '\0' ? o->etag : o->modified;
	struct taf_blake3_node digest;
	char size[32], *text, *whole;

	if (c->folder < 0 || !o->ranges || mark[0] == '\0' || o->size >> 56 != 0)
		return;
	(void)snprintf(size, sizeof size, "%llu", (unsigned long long)o->size);
	text = joined(o->url, "\n", mark);
	whole = text != NULL ? joined(text, "\n", size) : NULL;
	if (whole != NULL) {
		digest = taf_blake3(whole, strlen(whole));
		taf_blake3_text(&digest, c->name);
		c->size = o->size;
		c->file = openat(c->folder, c->name,
		    O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	}
	free(text);
	free(whole);
	if (c->file < 0)
		leave(c, "its file cannot be opened");
	else
		(void)futimens(c->file, NULL);
}

static off_t
entry_at(const struct cache *c, uint64_t block)
{
	return (off_t)((c->size / BLOCK + 1) * BLOCK + block * ENTRY);
}

/* The bytes that are there of a block go to p, which has room for all of it. */
static struct entry
load(const struct cache *c, uint64_t block, char *p)
{
	unsigned char bytes[ENTRY];
	struct entry e;

	if (pread(c->file, bytes, ENTRY, entry_at(c, block)) != ENTRY)
		return (struct entry){ 0 };
	e = (struct entry){ taf_get32(bytes, false), taf_get32(bytes + 4, false),
		taf_get64(bytes + 8, false) };
	if (e.from >= e.to || e.to > BLOCK ||
	    pread(c->file, p + e.from, e.to - e.from,
	    (off_t)(block * BLOCK + e.from)) != (ssize_t)(e.to - e.from) ||
	    taf_digest(0, p + e.from, e.to - e.from) != e.digest)
		return (struct entry){ 0 };
	return e;
}

uint64_t
cache_get(struct cache *c, char *to, uint64_t off, uint64_t n)
{
	char block[BLOCK];
	uint64_t got = 0;

	while (c->file >= 0 && got < n) {
		const uint64_t k = (off + got) / BLOCK;
		const uint32_t from = (uint32_t)((off + got) % BLOCK);
		const struct entry e = load(c, k, block);
		uint64_t some;

		if (from < e.from || from >= e.to)
			break;
		some = e.to - from < n - got ? e.to - from : n - got;
		memcpy(to + got, block + from, (size_t)some);
		got += some;
	}
	return got;
}

/* Keep bytes of a block, which are at p + from, beside those that are there. */
static bool
keep(struct cache *c, uint64_t k, const char *p, uint32_t from, uint32_t to)
{
	char block[BLOCK];
	unsigned char bytes[ENTRY];
	struct entry e = load(c, k, block);
	const bool apart = to < e.from || e.to < from;

	if (e.to > e.from && e.from <= from && to <= e.to)
		return true;
	/* of two that are no neighbours the longer one stays */
	if (e.to > e.from && apart && to - from <= e.to - e.from)
		return true;
	if (e.to == e.from || apart)
		e = (struct entry){ .from = from, .to = to };
	e.from = from < e.from ? from : e.from;
	e.to = to > e.to ? to : e.to;
	memcpy(block + from, p + from, to - from);
	taf_put32(bytes, e.from, false);
	taf_put32(bytes + 4, e.to, false);
	taf_put64(bytes + 8, taf_digest(0, block + e.from, e.to - e.from), false);
	return pwrite(c->file, block + from, to - from, (off_t)(k * BLOCK + from)) ==
	    (ssize_t)(to - from) &&
	    pwrite(c->file, bytes, ENTRY, entry_at(c, k)) == ENTRY;
}

void
cache_put(struct cache *c, const char *bytes, uint64_t off, uint64_t n)
{
	uint64_t done = 0;

	if (c->file >= 0 && !make_room(c, n + BLOCK)) {
		leave(c, "TAF_CACHE_SIZE is less than what is fetched");
		return;
	}
	while (c->file >= 0 && done < n) {
		const uint64_t k = (off + done) / BLOCK;
		const uint32_t from = (uint32_t)((off + done) % BLOCK);
		const uint64_t left = n - done, most = BLOCK - from;
		const uint64_t some = left < most ? left : most;

		if (!keep(c, k, bytes + done - from, from, from + (uint32_t)some))
			leave(c, "its file cannot be written");
		done += some;
	}
}
