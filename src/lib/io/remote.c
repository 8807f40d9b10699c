/* SPDX-License-Identifier: ISC */
#include "io/remote.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/digest.h"
#include "base/need.h"
#include "base/str.h"
#include "io/fetcher.h"
#include "io/frame.h"
#include "io/url.h"

enum {
	SOME = TAF_FETCHER_SLOTS,	/* requests at a time */
	HEAD = 4096,		/* bytes that come with the first one */
	LARGEST = 8 << 20,	/* bytes of a request, as the next one */
	LEAST = 64 * 1024,
	/*
	 * A gap that is read and thrown away, instead of another request: this until
	 * ENOUGH bytes have come, then what comes in the time of a request.
	 */
	GAP = 256 * 1024,
	GAP_LEAST = 16 * 1024,
	GAP_MOST = 4 << 20,
	ENOUGH = 4 << 20
};

static uint64_t memory = (uint64_t)SOME * LARGEST;

static uint64_t
largest(void)
{
	const uint64_t each = memory / SOME;

	return each < LEAST ? LEAST : each > LARGEST ? LARGEST : each;
}

/* A request on its way. */
struct piece {
	uint32_t id;
	uint64_t off, n, got;
	bool planned;		/* it is of the ranges */
	const unsigned char *bytes;	/* in the memory that is shared */
};

/* Where in the ranges the next request begins. */
struct cursor {
	struct taf_ranges ranges;
	uint64_t at[TAF_RANGES_LEVELS];
	uint64_t inside;	/* bytes of the present run */
	uint64_t last;		/* the end of the last request, for its gap */
	uint64_t gap;		/* the largest that is worth it */
	bool there, under_way;
};

struct taf_remote {
	pthread_mutex_t lock;
	struct taf_fetcher fetcher;
	char *url;
	const char *name;	/* for messages */
	uint64_t size, mark;
	bool ranges, opened, ended;
	bool absent;		/* taf-fetch has said so, and waits for another one */
	unsigned char head[HEAD];
	size_t nhead;
	struct piece piece[SOME];	/* the oldest first */
	unsigned pieces;
	uint32_t id;
	struct cursor cursor;
	/*
	 * A slot of the fetcher's memory is taken by the id of its request from the time
	 * this is asked until taf-fetch says that it has ended, or by 0.
	 */
	uint32_t taken[SOME];
	struct taf_err failed;	/* nothing is read any more */
	/* bytes of the connection that were read, and not used yet */
	unsigned char ahead[HEAD];
	size_t start, end;
	/* of a stream: bytes of the present frame that have not been read */
	size_t pending;
	double delay, begun;	/* seconds of a request; when the first range was asked */
	unsigned long requests;
	uint64_t bytes, cached;	/* of data that have come; that were there before */
};

void
taf_remote_memory(uint64_t bytes)
{
	memory = bytes;
}

/* --- frames --- */

/* The other end does not do what it should. */
static enum taf_status
broken(const struct taf_remote *r, const char *how, struct taf_err *e)
{
	(void)taf_fail(e, TAF_ESYS, "taf-fetch, which reads it, %s", how);
	taf_err_name(e, r->name);
	return e->code;
}

static enum taf_status
gone(const struct taf_remote *r, struct taf_err *e)
{
	return broken(r, "has ended", e);
}

static enum taf_status
wrong(const struct taf_remote *r, struct taf_err *e)
{
	return broken(r, "does not make sense", e);
}

static enum taf_status
send_frame(struct taf_remote *r, const struct taf_frame *f, struct taf_err *e)
{
	unsigned char bytes[TAF_FRAME_SHORT];
	const size_t n = taf_frame_put(f, bytes);
	size_t done = 0;

	while (done < n) {
		const ssize_t sent = send(r->fetcher.fd, bytes + done, n - done,
		    MSG_NOSIGNAL);

		if (sent < 0 && errno != EINTR)
			return gone(r, e);
		done += sent > 0 ? (size_t)sent : 0;
	}
	return TAF_OK;
}

/* Up to n bytes of the connection, one at least. */
static enum taf_status
receive_some(struct taf_remote *r, void *to, size_t n, size_t *got, struct taf_err *e)
{
	ssize_t some;

	do
		some = recv(r->fetcher.fd, to, n, 0);
	while (some < 0 && errno == EINTR);
	*got = some > 0 ? (size_t)some : 0;
	return some > 0 ? TAF_OK : gone(r, e);
}

/* The next n bytes of the connection; NULL throws them away. */
static enum taf_status
receive(struct taf_remote *r, void *to, size_t n, struct taf_err *e)
{
	size_t done = 0, some;

	while (done < n) {
		/* small things come together with what follows them */
		if (r->start == r->end && (to == NULL || n - done < sizeof r->ahead)) {
			r->start = 0;
			if (receive_some(r, r->ahead, sizeof r->ahead, &r->end, e) !=
			    TAF_OK)
				return e->code;
		}
		some = r->end - r->start;
		some = some < n - done ? some : n - done;
		if (some > 0 && to != NULL)
			memcpy((unsigned char *)to + done, r->ahead + r->start, some);
		r->start += some;
		if (some == 0 && receive_some(r, (unsigned char *)to + done, n - done,
		    &some, e) != TAF_OK)
			return e->code;
		done += some;
	}
	return TAF_OK;
}

/* What taf-fetch says in words. */
static enum taf_status
hear(struct taf_remote *r, const struct taf_frame *f, struct taf_err *e)
{
	struct taf_str text = { .err = e };

	taf_str_safe(&text, f->data, f->n);
	if (text.st == TAF_OK && f->kind == TAF_FRAME_NOTE) {
		taf_note_say(r->name, text.buf.data);
	} else if (text.st == TAF_OK) {
		(void)taf_fail(e, f->status == 3 ? TAF_EDATA : TAF_ESYS, "%s",
		    text.buf.len > 0 ? (const char *)text.buf.data : "failed");
		r->absent = f->status == TAF_FRAME_ABSENT;
		if (r->absent)
			e->sys = ENOENT;
		taf_err_name(e, r->name);
	}
	taf_str_free(&text);
	return e->code;
}

static struct piece *
piece_of(struct taf_remote *r, uint32_t id)
{
	unsigned k;

	for (k = 0; k < r->pieces; k++)
		if (r->piece[k].id == id)
			return &r->piece[k];
	return NULL;
}

/* Data of n bytes, whose head is behind us: of a stream, or the first ones. */
static enum taf_status
take_data(struct taf_remote *r, const struct taf_frame *f, size_t n, struct taf_err *e)
{
	r->bytes += n;
	if (!r->ranges) {
		r->pending = n;
		return TAF_OK;
	}
	if (f->id != 0 || f->offset != r->nhead || n > HEAD - r->nhead)
		return wrong(r, e);
	r->nhead += n;
	return receive(r, r->head + r->nhead - n, n, e);
}

/* Bytes of a request have come to their place; nobody may wait for them any more. */
static enum taf_status
take_placed(struct taf_remote *r, const struct taf_frame *f, struct taf_err *e)
{
	struct piece *p = piece_of(r, f->id);

	*(f->cached ? &r->cached : &r->bytes) += f->size;
	if (p == NULL)
		return TAF_OK;
	if (f->offset != p->off + p->got || f->size > p->n - p->got)
		return wrong(r, e);
	p->got += f->size;
	return TAF_OK;
}

/* Nothing is written to the place of a request any more. */
static void
release(struct taf_remote *r, uint32_t id)
{
	unsigned k;

	for (k = 0; k < SOME; k++)
		if (r->taken[k] == id)
			r->taken[k] = 0;
}

/* Is what has ended whole? */
static bool
is_whole(struct taf_remote *r, uint32_t id)
{
	const struct piece *const p = piece_of(r, id);

	if (id == 0)
		return r->nhead == (r->size < HEAD ? r->size : HEAD);
	return p == NULL || p->got == p->n;
}

static enum taf_status
take_short(struct taf_remote *r, const struct taf_frame *f, struct taf_err *e)
{
	switch (f->kind) {
	case TAF_FRAME_OPENED:
		r->ranges = f->ranges;
		r->size = f->size;
		r->delay = (double)f->delay * 1e-6;
		r->mark = f->n > 0 ? taf_digest(0, f->data, f->n) : 0;
		if (r->opened || (r->ranges && r->size == TAF_FRAME_UNKNOWN))
			return wrong(r, e);
		r->opened = true;
		return TAF_OK;
	case TAF_FRAME_PLACED:
		return take_placed(r, f, e);
	case TAF_FRAME_END:
		release(r, f->id);
		r->ended = r->ended || !r->ranges || f->id == 0;
		return !r->ranges || is_whole(r, f->id) ? TAF_OK : wrong(r, e);
	case TAF_FRAME_FAIL:
		release(r, f->id);
		/* what nobody waits for may fail */
		return r->ranges && f->id != 0 && piece_of(r, f->id) == NULL ? TAF_OK :
		    hear(r, f, e);
	case TAF_FRAME_NOTE:
		return hear(r, f, e);
	default:
		return wrong(r, e);
	}
}

/* One frame; of a stream's data the head alone. */
static enum taf_status
take_frame(struct taf_remote *r, struct taf_err *e)
{
	unsigned char bytes[TAF_FRAME_SHORT];
	enum taf_frame_kind kind;
	struct taf_frame f;
	size_t n;

	if (receive(r, bytes, TAF_FRAME_HEADER, e) != TAF_OK)
		return e->code;
	if (!taf_frame_begin(bytes, &kind, &n))
		return wrong(r, e);
	if (kind == TAF_FRAME_DATA) {
		if (!r->opened || n <= TAF_FRAME_DATA_HEADER ||
		    n > TAF_FRAME_DATA_HEADER + TAF_FRAME_BYTES)
			return wrong(r, e);
		if (receive(r, bytes, TAF_FRAME_DATA_HEADER, e) != TAF_OK)
			return e->code;
		if (!taf_frame_get(&f, kind, bytes, TAF_FRAME_DATA_HEADER))
			return wrong(r, e);
		return take_data(r, &f, n - TAF_FRAME_DATA_HEADER, e);
	}
	if (n > sizeof bytes)
		return wrong(r, e);
	if (receive(r, bytes, n, e) != TAF_OK)
		return e->code;
	return taf_frame_get(&f, kind, bytes, n) ? take_short(r, &f, e) : wrong(r, e);
}

/* --- requests --- */

/* The oldest request is done with. */
static void
drop_first(struct taf_remote *r)
{
	memmove(r->piece, r->piece + 1, --r->pieces * sizeof r->piece[0]);
}

/* Leave out the n oldest; what has not come of them need not. */
static enum taf_status
drop(struct taf_remote *r, unsigned n, struct taf_err *e)
{
	while (n-- > 0) {
		const struct taf_frame f = { .kind = TAF_FRAME_CANCEL,
			.id = r->piece[0].id };
		const bool whole = r->piece[0].got == r->piece[0].n;

		drop_first(r);
		if (!whole && send_frame(r, &f, e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

/* Nothing is written to the slot any more, and nothing that is there will be read. */
static bool
is_free(const struct taf_remote *r, unsigned slot)
{
	unsigned k;

	for (k = 0; k < r->pieces; k++)
		if (r->piece[k].bytes == r->fetcher.shared + slot * r->fetcher.slot)
			return false;
	return r->taken[slot] == 0;
}

/* A free slot, after a request has ended where there is none.  There are fewer pieces. */
static enum taf_status
find_slot(struct taf_remote *r, unsigned *slot, struct taf_err *e)
{
	for (;;) {
		for (*slot = 0; *slot < SOME; ++*slot)
			if (is_free(r, *slot))
				return TAF_OK;
		if (take_frame(r, e) != TAF_OK)
			return e->code;
	}
}

static enum taf_status
ask(struct taf_remote *r, uint64_t off, uint64_t n, bool planned, struct taf_err *e)
{
	struct piece p = { .id = ++r->id, .off = off, .n = n, .planned = planned };
	struct taf_frame f = { .kind = TAF_FRAME_RANGE, .id = p.id, .offset = off,
		.size = n };
	unsigned slot;

	if (r->pieces == SOME && drop(r, 1, e) != TAF_OK)
		return e->code;
	if (find_slot(r, &slot, e) != TAF_OK)
		return e->code;
	if (r->begun == 0)
		r->begun = taf_clock();
	r->taken[slot] = p.id;
	f.place = slot * r->fetcher.slot;
	p.bytes = r->fetcher.shared + f.place;
	r->piece[r->pieces++] = p;
	r->requests++;
	return send_frame(r, &f, e);
}

/* Where the present run goes on, and how many bytes of it are left. */
static uint64_t
run_at(const struct cursor *c, uint64_t *left)
{
	uint64_t off = c->ranges.first + c->inside;
	unsigned k;

	for (k = 0; k < c->ranges.levels; k++)
		off += c->at[k] * c->ranges.pitch[k];
	*left = c->ranges.run - c->inside;
	return off;
}

/* Bytes of the present run are done with. */
static void
pass(struct cursor *c, uint64_t n)
{
	unsigned k;

	c->inside += n;
	if (c->inside < c->ranges.run)
		return;
	c->inside = 0;
	for (k = 0; k < c->ranges.levels; k++) {
		if (++c->at[k] < c->ranges.count[k])
			return;
		c->at[k] = 0;
	}
	c->there = false;
}

/* The next request of the ranges: runs whose gaps are small are one. */
static void
next_range(struct cursor *c, uint64_t most, uint64_t *off, uint64_t *n)
{
	uint64_t left, at = run_at(c, &left);

	/* a request that ended in a gap is gone on with there */
	*off = c->under_way && at >= c->last && at - c->last <= c->gap ? c->last : at;
	*n = 0;
	while (c->there) {
		at = run_at(c, &left);
		if (*n > 0 && at - (*off + *n) > c->gap)
			break;
		if (at - *off >= most) {
			*n = most;
			break;
		}
		left = left < most - (at - *off) ? left : most - (at - *off);
		*n = at - *off + left;
		pass(c, left);
	}
	c->last = *off + *n;
	c->under_way = true;
}

/* Bytes that come in the time of a request. */
static uint64_t
worth(const struct taf_remote *r)
{
	const double seconds = taf_clock() - r->begun;
	double n;

	if (r->bytes < ENOUGH || !(seconds > 0))
		return GAP;
	n = r->delay * (double)r->bytes / seconds;
	return n < GAP_LEAST ? GAP_LEAST : n > GAP_MOST ? GAP_MOST : (uint64_t)n;
}

/* As many requests as may be on their way. */
static enum taf_status
fill(struct taf_remote *r, struct taf_err *e)
{
	uint64_t off, n;

	r->cursor.gap = worth(r);
	while (r->cursor.there && r->pieces < SOME) {
		next_range(&r->cursor, r->fetcher.slot, &off, &n);
		/* a header may promise more than there is: who reads it tells */
		if (off >= r->size)
			break;
		n = n < r->size - off ? n : r->size - off;
		if (ask(r, off, n, true, e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

/* The first bytes are there: no request asks for them again. */
static void
pass_head(const struct taf_remote *r, struct cursor *c)
{
	uint64_t left, at;

	while (c->there && (at = run_at(c, &left)) < r->nhead) {
		pass(c, left < r->nhead - at ? left : r->nhead - at);
		c->last = r->nhead;
		c->under_way = true;
	}
}

/* Leave out of the ranges what lies before off; is that inside of them? */
static bool
go_on_at(struct cursor *c, uint64_t off, uint64_t *left)
{
	uint64_t at;

	while (c->there && (at = run_at(c, left)) <= off) {
		if (off - at < *left) {
			*left -= off - at;
			pass(c, off - at);
			return true;
		}
		pass(c, *left);
	}
	return false;
}

/*
 * A read that no request covers.  Where the ranges go on, they are read ahead.  A read
 * further on in them, or elsewhere, is a request of its own: another order may follow.
 */
static enum taf_status
begin(struct taf_remote *r, uint64_t off, uint64_t n, struct taf_err *e)
{
	struct cursor *const c = &r->cursor;
	uint64_t left, at;

	n = n < r->fetcher.slot ? n : r->fetcher.slot;
	if (c->there && !c->under_way)
		pass_head(r, c);
	if (c->there) {
		at = run_at(c, &left);
		if (off == at || (c->under_way && off >= c->last && off < at &&
		    at - c->last <= c->gap))
			return drop(r, r->pieces, e) != TAF_OK ? e->code : fill(r, e);
	}
	if (go_on_at(c, off, &left)) {
		n = n < left ? n : left;
		pass(c, n);
		c->under_way = true;
		c->last = off + n;
	}
	return ask(r, off, n, false, e);
}

/* The request that has the byte at off; NULL if none has. */
static struct piece *
covering(struct taf_remote *r, uint64_t off)
{
	unsigned k;

	for (k = 0; k < r->pieces; k++)
		if (off >= r->piece[k].off && off - r->piece[k].off < r->piece[k].n)
			return &r->piece[k];
	return NULL;
}

static enum taf_status
read_part(struct taf_remote *r, void *buf, size_t n, uint64_t off, size_t *got,
    struct taf_err *e)
{
	struct piece *p = covering(r, off);
	uint64_t there;

	if (p == NULL) {
		if (n > r->size - off)
			n = (size_t)(r->size - off);
		if (begin(r, off, n, e) != TAF_OK)
			return e->code;
	} else if (drop(r, (unsigned)(p - r->piece), e) != TAF_OK ||
	    (r->piece[0].planned && fill(r, e) != TAF_OK)) {
		return e->code;
	}
	p = covering(r, off);
	if (p == NULL)
		return wrong(r, e);
	while (p->got <= off - p->off)
		if (take_frame(r, e) != TAF_OK)
			return e->code;
	there = p->got - (off - p->off);
	*got = there < n ? (size_t)there : n;
	memcpy(buf, p->bytes + (off - p->off), *got);
	if (off + *got == p->off + p->n && p == r->piece)
		drop_first(r);
	return TAF_OK;
}

static enum taf_status
read_stream(struct taf_remote *r, void *buf, size_t n, size_t *got, struct taf_err *e)
{
	while (r->pending == 0 && !r->ended)
		if (take_frame(r, e) != TAF_OK)
			return e->code;
	*got = r->pending < n ? r->pending : n;
	r->pending -= *got;
	return receive(r, buf, *got, e);
}

static enum taf_status
read_any(struct taf_remote *r, void *buf, size_t n, uint64_t off, size_t *got,
    struct taf_err *e)
{
	*got = 0;
	if (n == 0)
		return TAF_OK;
	if (!r->ranges)
		return read_stream(r, buf, n, got, e);
	if (off >= r->size)
		return TAF_OK;
	if (off < r->nhead) {
		*got = r->nhead - off < n ? r->nhead - (size_t)off : n;
		memcpy(buf, r->head + off, *got);
		return TAF_OK;
	}
	return read_part(r, buf, n, off, got, e);
}

enum taf_status
taf_remote_read(struct taf_remote *r, void *buf, size_t n, uint64_t off, size_t *got,
    struct taf_err *e)
{
	enum taf_status st;

	(void)pthread_mutex_lock(&r->lock);
	if (r->failed.code == TAF_OK)
		(void)read_any(r, buf, n, off, got, &r->failed);
	st = r->failed.code;
	if (st != TAF_OK && e->code == TAF_OK)
		*e = r->failed;
	(void)pthread_mutex_unlock(&r->lock);
	return st;
}

void
taf_remote_plan(struct taf_remote *r, const struct taf_ranges *ranges)
{
	bool there = ranges->run > 0;
	unsigned k;

	for (k = 0; k < ranges->levels; k++)
		there = there && ranges->count[k] > 0;
	(void)pthread_mutex_lock(&r->lock);
	r->cursor = (struct cursor){ .ranges = *ranges, .there = there, .gap = GAP };
	(void)pthread_mutex_unlock(&r->lock);
}

/* --- open and close --- */

/* Ask for the object, and wait for what is said of it. */
static enum taf_status
open_object(struct taf_remote *r, struct taf_err *e)
{
	const struct taf_frame open = { .kind = TAF_FRAME_OPEN, .data = r->url,
		.n = strlen(r->url) };
	const struct taf_frame all = { .kind = TAF_FRAME_RANGE, .id = 1,
		.size = TAF_FRAME_UNKNOWN };

	if (TAF_FRAME_HEADER + open.n > TAF_FRAME_SHORT)
		return taf_fail(e, TAF_EDATA, "a URL of %zu bytes is too long", open.n);
	r->requests++;
	if (send_frame(r, &open, e) != TAF_OK)
		return e->code;
	while (!r->opened)
		if (take_frame(r, e) != TAF_OK)
			return e->code;
	if (!r->ranges)
		return send_frame(r, &all, e);
	/* the end of the first bytes */
	while (!r->ended)
		if (take_frame(r, e) != TAF_OK)
			return e->code;
	return TAF_OK;
}

enum taf_status
taf_remote_open(struct taf_remote **result, const char *url, struct taf_err *e)
{
	struct taf_remote *r = calloc(1, sizeof *r);
	enum taf_status st;

	*result = NULL;
	if (r == NULL)
		return taf_fail_mem(e);
	r->fetcher.fd = -1;
	r->url = strdup(url);
	if (r->url == NULL || pthread_mutex_init(&r->lock, NULL) != 0) {
		free(r->url);
		free(r);
		return taf_fail_mem(e);
	}
	r->name = taf_url_shown(r->url);
	st = taf_fetcher_take(&r->fetcher, r->url, largest(), e);
	/* that no such file is there is said of the object alone */
	if (st != TAF_OK)
		e->sys = 0;
	else
		st = open_object(r, e);
	taf_err_name(e, r->name);
	if (st == TAF_OK)
		*result = r;
	else
		taf_remote_close(r);
	return st;
}

/* Is nothing on its way any more?  What was asked for in vain is waited for. */
static bool
is_idle(struct taf_remote *r)
{
	struct taf_err e = { 0 };
	unsigned k;

	if (r->absent && !r->opened)
		return r->start == r->end;
	if (r->failed.code != TAF_OK || !r->ranges || !r->ended ||
	    r->size > r->fetcher.slot || drop(r, r->pieces, &e) != TAF_OK)
		return false;
	for (k = 0; k < SOME; k++)
		while (r->taken[k] != 0)
			if (take_frame(r, &e) != TAF_OK)
				return false;
	return r->start == r->end;
}

void
taf_remote_close(struct taf_remote *r)
{
	const int saved = errno;

	if (r == NULL)
		return;
	if (r->requests > 0)
		taf_need_say("%s: requests: %lu, bytes: %llu, of TAF_CACHE: %llu",
		    r->name, r->requests, (unsigned long long)r->bytes,
		    (unsigned long long)r->cached);
	if (r->fetcher.fd >= 0 && is_idle(r))
		taf_fetcher_keep(&r->fetcher, r->url);
	else
		taf_fetcher_end(&r->fetcher);
	(void)pthread_mutex_destroy(&r->lock);
	free(r->url);
	free(r);
	errno = saved;
}

bool
taf_remote_seekable(const struct taf_remote *r)
{
	return r->ranges;
}

uint64_t
taf_remote_mark(const struct taf_remote *r)
{
	return r->mark;
}

uint64_t
taf_remote_size(const struct taf_remote *r)
{
	return r->ranges ? r->size : 0;
}
