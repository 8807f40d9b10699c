#include "spread/owner.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/num.h"
#include "io/temp.h"
#include "spread/fields.h"

enum {
	HOST = 64,
	STALE = 60	/* seconds without a sign of life, and nobody lives */
};

/* Nobody is to be told of the life of this one any more. */
static atomic_bool over;

/* When a process began, in the machine's ticks; 0 where that cannot be known. */
static uint64_t
began(long pid)
{
	char path[64], text[1024], *field;
	uint64_t ticks = 0;
	size_t len = 0;
	ssize_t n = 1;
	int fd, i;

	(void)snprintf(path, sizeof path, "/proc/%ld/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && n != 0 && len < sizeof text - 1) {
		n = read(fd, text + len, sizeof text - 1 - len);
		if (n < 0 && errno != EINTR)
			break;
		len += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0)
		(void)close(fd);
	text[len] = '\0';
	/* behind the name, which may hold anything: state is field 3, this is 22 */
	field = strrchr(text, ')');
	for (i = 2; field != NULL && i < 22; i++) {
		field = strchr(field, ' ');
		field = field != NULL ? field + 1 : NULL;
	}
	if (field == NULL || !taf_parse_u64(field, strcspn(field, " "), &ticks))
		return 0;
	return ticks;
}

static enum taf_status
owner_file(const struct taf_plan *p, struct taf_buf *path, struct taf_err *e)
{
	return taf_buf_printf(path, e, "%s/owner", p->state);
}

/* Who has made a record; the caller frees *host, also where this fails. */
static enum taf_status
who(const struct taf_buf *r, char **host, uint64_t *pid, uint64_t *ticks,
    struct taf_err *e)
{
	*host = NULL;
	if (taf_fields_get_text(r, "host", host, e) != TAF_OK ||
	    taf_fields_get_u64(r, "process", pid, e) != TAF_OK ||
	    taf_fields_get_u64(r, "began", ticks, e) != TAF_OK)
		return e->code;
	return TAF_OK;
}

/* Does the one who has made record r at path live? */
static enum taf_status
lives(const struct taf_buf *r, const char *path, bool *alive, struct taf_err *e)
{
	char here[HOST] = "", *host;
	uint64_t pid, ticks;
	struct stat st;

	if (who(r, &host, &pid, &ticks, e) != TAF_OK) {
		free(host);
		return e->code;
	}
	(void)gethostname(here, sizeof here - 1);
	if (host != NULL && strcmp(host, here) == 0)
		*alive = (kill((pid_t)pid, 0) == 0 || errno == EPERM) &&
		    began((long)pid) == ticks;
	else
		*alive = stat(path, &st) == 0 && time(NULL) - st.st_mtime < STALE;
	if (*alive)
		(void)taf_fail(e, TAF_ESYS, "process %llu on %s is at work on this",
		    (unsigned long long)pid, host != NULL ? host : "another machine");
	free(host);
	return *alive ? TAF_ESYS : TAF_OK;
}

enum taf_status
taf_owner_take(const struct taf_plan *p, struct taf_err *e)
{
	struct taf_buf path = { 0 }, r = { 0 };
	struct taf_str s = { .err = e };
	enum taf_status st = owner_file(p, &path, e);
	char host[HOST] = "";
	bool alive = false;
	int i;

	(void)gethostname(host, sizeof host - 1);
	for (i = 0; st == TAF_OK && i < 3; i++) {
		taf_fields_text(&s, "host", host);
		taf_fields_u64(&s, "process", (uint64_t)getpid());
		taf_fields_u64(&s, "began", began((long)getpid()));
		st = taf_fields_make(path.data, &s, e);
		if (st != TAF_END)
			break;
		st = taf_fields_read(path.data, &r, e);
		if (st == TAF_END) {
			st = TAF_OK;
			continue;
		}
		if (st == TAF_OK)
			st = lives(&r, path.data, &alive, e);
		if (st == TAF_OK)
			(void)unlink(path.data);
	}
	if (st == TAF_OK && i == 3)
		st = taf_fail(e, TAF_ESYS, "%s: somebody else begins at the same time",
		    p->state);
	taf_err_name(e, p->output);
	taf_str_free(&s);
	taf_buf_free(&r);
	taf_buf_free(&path);
	return st;
}

/* Nothing that another thread might hold while it forks: no memory, no stream. */
static void *
live(void *arg)
{
	const struct timespec nap = { 1, 0 };
	const char *path = arg;

	while (!atomic_load(&over)) {
		/* where this fails, the next sign may come through */
		(void)utimensat(AT_FDCWD, path, NULL, 0);
		(void)nanosleep(&nap, NULL);
	}
	return NULL;
}

enum taf_status
taf_owner_live(const struct taf_plan *p, struct taf_err *e)
{
	static struct taf_buf path;
	pthread_t id;
	int error;

	if (path.len > 0)
		return TAF_OK;
	if (owner_file(p, &path, e) != TAF_OK)
		return e->code;
	/* signals are for the one who waits */
	taf_signals_hold();
	error = pthread_create(&id, NULL, live, path.data);
	taf_signals_let();
	if (error == 0)
		error = pthread_detach(id);
	errno = error;
	return error == 0 ? TAF_OK : taf_fail_sys(e, "cannot start a thread");
}

bool
taf_owner_is(const struct taf_plan *p)
{
	struct taf_err none = { 0 };
	struct taf_buf path = { 0 }, r = { 0 };
	char here[HOST] = "", *host = NULL;
	uint64_t pid, ticks;
	bool is;

	(void)gethostname(here, sizeof here - 1);
	is = owner_file(p, &path, &none) == TAF_OK &&
	    taf_fields_read(path.data, &r, &none) == TAF_OK &&
	    who(&r, &host, &pid, &ticks, &none) == TAF_OK && host != NULL &&
	    strcmp(host, here) == 0 && pid == (uint64_t)getpid() &&
	    ticks == began((long)getpid());
	free(host);
	taf_buf_free(&r);
	taf_buf_free(&path);
	return is;
}

void
taf_owner_leave(const struct taf_plan *p)
{
	struct taf_err none = { 0 };
	struct taf_buf path = { 0 };

	atomic_store(&over, true);
	if (owner_file(p, &path, &none) == TAF_OK)
		(void)unlink(path.data);
	taf_buf_free(&path);
}
