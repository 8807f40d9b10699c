/* SPDX-License-Identifier: ISC */
#include "io/fetcher.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "config.h"
#include "io/frame.h"
#include "io/os.h"
#include "io/url.h"

/* taf-fetch: as the environment says, beside this program, or as it was installed. */
static enum taf_status
find_fetch(struct taf_str *s)
{
	const char *const said = getenv("TAF_FETCH");
	char self[4096];

	if (said != NULL && said[0] != '\0') {
		taf_str_puts(s, said);
		return s->st;
	}
	if (taf_os_program(self, sizeof self) == 0) {
		taf_str_printf(s, "%s/../libexec/taftools/taf-fetch", self);
		if (s->st != TAF_OK || access(s->buf.data, X_OK) == 0)
			return s->st;
		taf_str_free(s);
	}
	taf_str_puts(s, TAF_LIBEXECDIR "/taftools/taf-fetch");
	return s->st;
}

/* Memory to share with taf-fetch, as a file; pages of it are there once they are used. */
static enum taf_status
share(struct taf_fetcher *f, uint64_t slot, int *fd, struct taf_err *e)
{
	void *p = MAP_FAILED;

	f->slot = slot;
	if (taf_os_memory("taf-fetch", fd, e) != TAF_OK)
		return e->code;
	if (ftruncate(*fd, (off_t)(TAF_FETCHER_SLOTS * f->slot)) == 0)
		p = mmap(NULL, (size_t)(TAF_FETCHER_SLOTS * f->slot), PROT_READ,
		    MAP_SHARED, *fd, 0);
	if (p == MAP_FAILED) {
		(void)taf_fail_sys(e, "no memory to share");
		(void)close(*fd);
		return e->code;
	}
	taf_os_seal(*fd);
	f->shared = p;
	return TAF_OK;
}

/* Frames that each one is told first; without any it fetches what it is asked for. */
static struct taf_str bounds;

/* The connection to the one that starts others, or -1. */
static int origin = -1;

static enum taf_status
gone(struct taf_err *e)
{
	return taf_fail(e, TAF_ESYS, "taf-fetch, which reads it, has ended");
}

static enum taf_status
tell_bounds(int fd, struct taf_err *e)
{
	size_t done = 0;

	while (done < bounds.buf.len) {
		const ssize_t sent = send(fd, bounds.buf.data + done,
		    bounds.buf.len - done, MSG_NOSIGNAL);

		if (sent < 0 && errno != EINTR)
			return gone(e);
		done += sent > 0 ? (size_t)sent : 0;
	}
	return TAF_OK;
}

/* Start it with a connection as its standard input, and memory unless that is -1. */
static enum taf_status
run(int connection, int shared, pid_t *pid, struct taf_err *e)
{
	struct taf_str path = { .err = e };
	char *argv[] = { (char[]){ "taf-fetch" }, NULL };
	posix_spawn_file_actions_t files;
	int error;

	if (find_fetch(&path) != TAF_OK)
		return path.st;
	error = posix_spawn_file_actions_init(&files);
	if (error == 0) {
		error = posix_spawn_file_actions_adddup2(&files, connection, 0);
		if (error == 0 && shared >= 0)
			error = posix_spawn_file_actions_adddup2(&files, shared,
			    TAF_FRAME_MEMORY);
		if (error == 0)
			error = posix_spawn_file_actions_addopen(&files, 1, "/dev/null",
			    O_RDWR, 0);
		if (error == 0)
			error = posix_spawn(pid, path.buf.data, &files, NULL, argv,
			    taf_os_environment());
		(void)posix_spawn_file_actions_destroy(&files);
	}
	if (error != 0) {
		errno = error;
		(void)taf_fail_sys(e, "URLs are read by a program that is not there: %s",
		    path.buf.data);
		*pid = 0;
	}
	taf_str_free(&path);
	return e->code;
}

/* Have the origin start it. */
static enum taf_status
ask_origin(int connection, int shared, struct taf_err *e)
{
	const struct taf_frame f = { .kind = TAF_FRAME_ANOTHER };
	unsigned char bytes[TAF_FRAME_SHORT];
	const size_t n = taf_frame_put(&f, bytes);
	ssize_t sent;

	do
		sent = taf_os_send_with(origin, bytes, n, (int[]){ connection, shared });
	while (sent < 0 && errno == EINTR);
	/* so few bytes go together */
	return sent == (ssize_t)n ? TAF_OK : gone(e);
}

static enum taf_status
get_ends(int ends[2], struct taf_err *e)
{
	return taf_os_sockets(ends) == 0 ? TAF_OK :
	    taf_fail_sys(e, "cannot speak to taf-fetch");
}

static enum taf_status
start(struct taf_fetcher *f, uint64_t slot, struct taf_err *e)
{
	int ends[2], shared;
	enum taf_status st;

	if (share(f, slot, &shared, e) != TAF_OK)
		return e->code;
	st = get_ends(ends, e);
	if (st == TAF_OK) {
		f->fd = ends[0];
		st = origin >= 0 ? ask_origin(ends[1], shared, e) :
		    run(ends[1], shared, &f->pid, e);
		(void)close(ends[1]);
	}
	(void)close(shared);
	return st == TAF_OK && origin < 0 ? tell_bounds(f->fd, e) : st;
}

enum taf_status
taf_fetcher_serve(const char *url, const char *const *more, int n, bool *far,
    struct taf_err *e)
{
	int ends[2], k;
	pid_t pid;

	for (k = 0; k < n && url == NULL; k++)
		url = taf_is_url(more[k]) ? more[k] : NULL;
	*far = url != NULL;
	if (url == NULL || bounds.buf.len == 0 || origin >= 0)
		return TAF_OK;
	if (get_ends(ends, e) == TAF_OK) {
		if (run(ends[1], -1, &pid, e) == TAF_OK &&
		    tell_bounds(ends[0], e) == TAF_OK)
			origin = ends[0];
		else
			(void)close(ends[0]);
		(void)close(ends[1]);
	}
	taf_err_name(e, taf_url_shown(url));
	return e->code;
}

void
taf_fetcher_end(struct taf_fetcher *f)
{
	if (f->fd >= 0)
		(void)close(f->fd);
	if (f->pid > 0)
		while (waitpid(f->pid, NULL, 0) < 0 && errno == EINTR)
			continue;
	if (f->shared != NULL)
		(void)munmap((void *)(uintptr_t)f->shared,
		    (size_t)(TAF_FETCHER_SLOTS * f->slot));
	*f = (struct taf_fetcher){ .fd = -1 };
}

/* --- those that have nothing to do --- */

/* A process that comes from this one by fork has the same connections: it leaves them. */
struct idle {
	struct taf_fetcher f;
	char *server;
	pid_t owner;
};

static struct idle idle[TAF_FETCHER_SLOTS];	/* the one that waits longest first */
static unsigned idles;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* How much of the URL names the server: rights to it are not those to others. */
static size_t
server_of(const char *url)
{
	const char *host = strstr(url, "://");

	return host != NULL ? (size_t)(host - url) + 3 + strcspn(host + 3, "/?#") : 0;
}

static void
take_out(unsigned k)
{
	free(idle[k].server);
	memmove(idle + k, idle + k + 1, (--idles - k) * sizeof *idle);
}

/* It says nothing, not even that it has ended. */
static bool
is_there(const struct taf_fetcher *f)
{
	struct pollfd p = { .fd = f->fd, .events = POLLIN };

	return poll(&p, 1, 0) == 0;
}

/* The one that waited least for an object of this server; false if none has. */
static bool
take_idle(struct taf_fetcher *f, const char *url, uint64_t slot)
{
	const size_t n = server_of(url);
	bool found = false;
	unsigned k;

	(void)pthread_mutex_lock(&lock);
	for (k = idles; k-- > 0 && !found;) {
		const struct idle *const i = &idle[k];

		if (i->owner != getpid() || i->f.slot != slot ||
		    strlen(i->server) != n || memcmp(i->server, url, n) != 0)
			continue;
		*f = i->f;
		take_out(k);
		found = is_there(f);
		if (!found)
			taf_fetcher_end(f);
	}
	(void)pthread_mutex_unlock(&lock);
	return found;
}

void
taf_fetcher_keep(struct taf_fetcher *f, const char *url)
{
	const struct idle i = { *f, strndup(url, server_of(url)), getpid() };

	if (i.server == NULL) {
		taf_fetcher_end(f);
		return;
	}
	(void)pthread_mutex_lock(&lock);
	if (idles == TAF_FETCHER_SLOTS) {
		if (idle[0].owner == i.owner)
			taf_fetcher_end(&idle[0].f);
		take_out(0);
	}
	idle[idles++] = i;
	(void)pthread_mutex_unlock(&lock);
	*f = (struct taf_fetcher){ .fd = -1 };
}

enum taf_status
taf_fetcher_take(struct taf_fetcher *f, const char *url, uint64_t slot, struct taf_err *e)
{
	return take_idle(f, url, slot) ? TAF_OK : start(f, slot, e);
}

/* --- what they may fetch --- */

static void
put_bound(const char *url, size_t n)
{
	const struct taf_frame f = { .kind = TAF_FRAME_BELOW, .data = url, .n = n };
	unsigned char bytes[TAF_FRAME_SHORT];

	taf_str_put(&bounds, bytes, taf_frame_put(&f, bytes));
}

/* How much of the URL leads to what may be fetched. */
static size_t
reach_of(const char *url, enum taf_reach reach)
{
	const size_t server = server_of(url);
	size_t n = reach == TAF_REACH_SERVER ? server : strcspn(url, "?#");

	while (reach == TAF_REACH_BESIDE && n > server && url[n - 1] != '/')
		n--;
	while (n > server && url[n - 1] == '/')
		n--;
	return n;
}

enum taf_status
taf_fetcher_bound(const char *const *names, int n, enum taf_reach reach,
    struct taf_err *e)
{
	int k;

	if (bounds.buf.len > 0)
		return TAF_OK;
	bounds.err = e;
	for (k = 0; k < n; k++)
		if (taf_is_url(names[k]))
			put_bound(names[k], reach_of(names[k], reach));
	if (bounds.buf.len > 0)
		put_bound("", 0);
	/* those that know of no bound */
	while (idles > 0) {
		if (idle[0].owner == getpid())
			taf_fetcher_end(&idle[0].f);
		take_out(0);
	}
	return bounds.st;
}
