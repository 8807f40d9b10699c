/* SPDX-License-Identifier: ISC */
/* link: curl */
/*
 * taf-fetch -- reads a URL for the program at the other end of its standard input.
 *
 * io/frame.h says what they say to each other.
 */
#include "fetch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "io/os.h"

enum { PEER = 0, MOST = 64, FIRST = 4096, POLL = 1000 };

struct fetch {
	CURLM *multi;
	struct wishes wishes;
	struct object object;
	struct cache cache;
	struct transfer *transfers;
	unsigned n;
	/* shared with the program that we serve; NULL before the first request for it */
	char *memory;
	uint64_t nmemory;
	/* what was read of the next frame, and descriptors that came with it */
	unsigned char frame[TAF_FRAME_SHORT];
	size_t have, rest;
	int with[2];
	struct bounds bounds;
};

void
say(const struct taf_frame *f)
{
	unsigned char head[TAF_FRAME_SHORT];
	struct iovec part[2] = { { head, taf_frame_put(f, head) },
		/* it is only read */
		{ (void *)(uintptr_t)f->data, f->kind == TAF_FRAME_DATA ? f->n : 0 } };
	struct msghdr m = { .msg_iov = part, .msg_iovlen = 2 };

	while (part[0].iov_len + part[1].iov_len > 0) {
		ssize_t sent = sendmsg(PEER, &m, MSG_NOSIGNAL);
		size_t k;

		if (sent < 0 && errno == EINTR)
			continue;
		/* nobody is there any more */
		if (sent < 0)
			exit(0);
		for (k = 0; k < 2; k++) {
			const size_t n = (size_t)sent < part[k].iov_len ? (size_t)sent :
			    part[k].iov_len;

			if (n > 0)
				part[k].iov_base = (char *)part[k].iov_base + n;
			part[k].iov_len -= n;
			sent -= (ssize_t)n;
		}
	}
}

void
say_text(enum taf_frame_kind kind, uint32_t id, unsigned status, const char *text)
{
	say(&(struct taf_frame){ .kind = kind, .id = id, .status = status, .data = text,
	    .n = strlen(text) });
}

/* It makes no sense to go on. */
static _Noreturn void
give_up(unsigned status, const char *text)
{
	say_text(TAF_FRAME_FAIL, 0, status, text);
	exit(0);
}

/* A try begins. */
static void
launch(struct fetch *f, struct transfer *t)
{
	if (!transfer_prepare(t) || curl_multi_add_handle(f->multi, t->easy) != CURLM_OK)
		give_up(4, "memory");
}

/* The memory that is shared is there from now on. */
static void
share(struct fetch *f)
{
	struct stat st;

	if (f->memory != NULL)
		return;
	if (fstat(TAF_FRAME_MEMORY, &st) != 0 || st.st_size <= 0 ||
	    (uint64_t)st.st_size > SIZE_MAX)
		give_up(4, "no memory to share");
	f->nmemory = (uint64_t)st.st_size;
	f->memory = mmap(NULL, (size_t)f->nmemory, PROT_READ | PROT_WRITE, MAP_SHARED,
	    TAF_FRAME_MEMORY, 0);
	if (f->memory == MAP_FAILED)
		give_up(4, "memory");
}

static struct transfer *
add(struct fetch *f, uint32_t id, uint64_t off, uint64_t n)
{
	struct transfer *t = calloc(1, sizeof *t);

	if (t == NULL)
		give_up(4, "memory");
	t->object = &f->object;
	t->wishes = &f->wishes;
	t->id = id;
	t->off = off;
	t->n = n;
	t->next = f->transfers;
	f->transfers = t;
	f->n++;
	return t;
}

static void
take_away(struct fetch *f, struct transfer *t)
{
	struct transfer **at = &f->transfers;

	while (*at != t)
		at = &(*at)->next;
	*at = t->next;
	f->n--;
	if (t->until == 0)
		(void)curl_multi_remove_handle(f->multi, t->easy);
	transfer_free(t);
}

/* A try has come to its end. */
static void
settle(struct fetch *f, struct transfer *t, CURLcode code)
{
	transfer_flush(t);
	switch (transfer_outcome(t, code)) {
	case DONE:
		if (t->place != NULL)
			cache_put(&f->cache, t->place, t->off, t->n);
		if (t->first)
			cache_open(&f->cache, &f->object);
		say(&(struct taf_frame){ .kind = TAF_FRAME_END, .id = t->id });
		break;
	case AGAIN:
		(void)curl_multi_remove_handle(f->multi, t->easy);
		t->until = taf_clock() + transfer_pause(t);
		return;
	case FAILED:
		say_text(TAF_FRAME_FAIL, t->id, t->status, t->text);
		break;
	}
	take_away(f, t);
}

/* Tries that have ended, those that hear nothing, and those whose time has come. */
static void
look(struct fetch *f)
{
	struct transfer *t, *next;
	CURLMsg *m;
	int left;

	while ((m = curl_multi_info_read(f->multi, &left)) != NULL) {
		char *p = NULL;

		(void)curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &p);
		settle(f, (void *)p, m->data.result);
	}
	for (t = f->transfers; t != NULL; t = next) {
		next = t->next;
		transfer_flush(t);
		if (t->until > 0 && taf_clock() >= t->until) {
			launch(f, t);
		} else if (t->until == 0 && !t->held &&
		    taf_clock() - t->heard > (double)f->wishes.timeout) {
			(void)snprintf(t->error, sizeof t->error,
			    "no byte came for %ld s", f->wishes.timeout);
			settle(f, t, CURLE_OPERATION_TIMEDOUT);
		}
	}
}

/* All bytes of a stream: the first answer goes on. */
static void
let_go(struct fetch *f, const struct taf_frame *frame)
{
	struct transfer *t = f->transfers;

	if (t == NULL || !t->held || frame->offset != 0 ||
	    frame->size != TAF_FRAME_UNKNOWN)
		give_up(4, "a stream is read from its start, once");
	t->id = frame->id;
	t->held = false;
	(void)curl_easy_pause(t->easy, CURLPAUSE_CONT);
}

static void
ask(struct fetch *f, const struct taf_frame *frame)
{
	const struct object *o = &f->object;
	struct transfer *t;

	if (!o->ranges) {
		let_go(f, frame);
		return;
	}
	if (frame->id == 0 || frame->size == 0 || frame->offset >= o->size ||
	    frame->size > o->size - frame->offset || f->n >= MOST)
		give_up(4, "a request for bytes that are not there");
	share(f);
	if (frame->size > f->nmemory || frame->place > f->nmemory - frame->size)
		give_up(4, "a request for a place that is not there");
	t = add(f, frame->id, frame->offset, frame->size);
	t->place = f->memory + frame->place;
	t->got = t->waiting = (size_t)cache_get(&f->cache, t->place, t->off, t->n);
	t->cached = t->got > 0;
	transfer_flush(t);
	if (t->got < t->n) {
		launch(f, t);
		return;
	}
	say(&(struct taf_frame){ .kind = TAF_FRAME_END, .id = t->id });
	take_away(f, t);
}

static void
cancel(struct fetch *f, uint32_t id)
{
	struct transfer *t;

	for (t = f->transfers; t != NULL; t = t->next)
		if (t->id == id) {
			take_away(f, t);
			say(&(struct taf_frame){ .kind = TAF_FRAME_END, .id = id });
			return;
		}
}

/* What a process does that reads itself, before its first object. */
static void
prepare(struct fetch *f)
{
	const char *wrong = wishes_read(&f->wishes);

	srand((unsigned)getpid());
	if (wrong == NULL)
		wrong = cache_read(&f->cache);
	if (wrong != NULL)
		give_up(4, wrong);
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK ||
	    (f->multi = curl_multi_init()) == NULL)
		give_up(4, "memory");
}

static void
open_first(struct fetch *f, const struct taf_frame *frame)
{
	const bool again = f->multi != NULL;
	const char *wrong;
	struct transfer *t;

	if (!bounds_allow(&f->bounds, frame->data, frame->n))
		give_up(4, "it lies outside of the URLs that the command was given");
	if (!again)
		prepare(f);
	cache_close(&f->cache);
	free(f->object.url);
	f->object = (struct object){ 0 };
	wrong = object_open(&f->object, &f->wishes, frame->data, frame->n);
	if (wrong != NULL)
		give_up(4, wrong);
	if (!again)
		guard(&f->wishes, f->cache.folder);
	t = add(f, 0, 0, FIRST);
	t->first = true;
	launch(f, t);
}

/* Serve another connection in a process of its own. */
static void
serve(struct fetch *f)
{
	const bool whole = f->with[0] >= 0 && f->with[1] >= 0;
	int kept = -1;
	unsigned k;

	/* nobody waits for it */
	(void)signal(SIGCHLD, SIG_IGN);
	if (whole && fork() == 0) {
		kept = TAF_FRAME_MEMORY;
		if (dup2(f->with[0], PEER) < 0 || dup2(f->with[1], kept) < 0)
			_exit(1);
	}
	for (k = 0; k < 2; k++) {
		if (f->with[k] >= 0 && f->with[k] != kept)
			(void)close(f->with[k]);
		f->with[k] = -1;
	}
}

static void
obey(struct fetch *f, const struct taf_frame *frame)
{
	const bool fresh = f->multi == NULL;

	/* the next object, of the same server, where nothing of the last is on its way */
	if (frame->kind == TAF_FRAME_OPEN && f->transfers == NULL)
		open_first(f, frame);
	else if (frame->kind == TAF_FRAME_RANGE && f->object.known)
		ask(f, frame);
	else if (frame->kind == TAF_FRAME_CANCEL && f->object.known)
		cancel(f, frame->id);
	else if (frame->kind == TAF_FRAME_ANOTHER && fresh && f->bounds.known)
		serve(f);
	else if (frame->kind != TAF_FRAME_BELOW || !fresh || f->bounds.known)
		give_up(4, "a frame out of its turn");
	else if (!bounds_add(&f->bounds, frame->data, frame->n))
		give_up(4, "memory");
}

/*
 * What has come, of one frame at most: descriptors are those of the frame.  Nobody at the
 * other end is our end.
 */
static void
hear(struct fetch *f)
{
	const size_t want = f->have < TAF_FRAME_HEADER ? TAF_FRAME_HEADER :
	    TAF_FRAME_HEADER + f->rest;
	const ssize_t got = taf_os_receive_with(PEER, f->frame + f->have,
	    want - f->have, f->with);
	enum taf_frame_kind kind;
	struct taf_frame frame;

	if (got < 0 && errno == EINTR)
		return;
	if (got <= 0)
		exit(0);
	f->have += (size_t)got;
	if (f->have < TAF_FRAME_HEADER)
		return;
	if (!taf_frame_begin(f->frame, &kind, &f->rest) ||
	    f->rest > sizeof f->frame - TAF_FRAME_HEADER)
		give_up(4, "no frame");
	if (f->have - TAF_FRAME_HEADER < f->rest)
		return;
	if (!taf_frame_get(&frame, kind, f->frame + TAF_FRAME_HEADER, f->rest))
		give_up(4, "no frame");
	f->have = 0;
	obey(f, &frame);
}

/* Milliseconds to the next try. */
static int
patience(const struct fetch *f)
{
	const struct transfer *t;
	double most = POLL;

	for (t = f->transfers; t != NULL; t = t->next)
		if (t->until > 0 && (t->until - taf_clock()) * 1000 < most)
			most = (t->until - taf_clock()) * 1000;
	return most > 0 ? (int)most + 1 : 0;
}

int
main(void)
{
	static struct fetch f = { .with = { -1, -1 } };
	struct curl_waitfd peer = { .fd = PEER, .events = CURL_WAIT_POLLIN };
	int running;

	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN);
	if (isatty(PEER) != 0) {
		(void)fputs("taf-fetch: commands that read a URL start it\n", stderr);
		return 2;
	}
	while (f.multi == NULL)
		hear(&f);
	for (;;) {
		(void)curl_multi_perform(f.multi, &running);
		look(&f);
		peer.revents = 0;
		if (curl_multi_poll(f.multi, &peer, 1, patience(&f), NULL) != CURLM_OK)
			give_up(4, "cannot wait");
		if (peer.revents != 0)
			hear(&f);
	}
}
