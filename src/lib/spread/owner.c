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
#include "io/names.h"
#include "io/temp.h"
#include "spread/fields.h"

enum {
	HOST = 64,
	MACHINE = 160,
	TRIES = 10,
	STALE = 60	/* seconds without a sign of life, and nobody lives */
};

/* Where process numbers mean something: a machine since its start, and a part of it. */
struct place {
	char host[HOST], machine[MACHINE];
	bool own;	/* /proc is of the same part */
	uint64_t ticks;	/* when this process began there */
};

/* The record of this process, and the thread that gives signs of its life. */
struct beat {
	atomic_bool over;
	bool read;	/* by that thread */
	char path[];
};
static struct beat *beat;

/* What a file of /proc has, cut at size, as a string; false where there is nothing. */
static bool
read_file(const char *path, char *text, size_t size)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n = 1;

	while (fd >= 0 && n != 0 && len < size - 1) {
		n = read(fd, text + len, size - 1 - len);
		if (n < 0 && errno != EINTR)
			break;
		len += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0)
		(void)close(fd);
	text[len] = '\0';
	return len > 0;
}

static struct place
look_around(void)
{
	struct place p = { .own = false };
	char boot[64], space[64] = "", self[32] = "", number[32];

	(void)gethostname(p.host, sizeof p.host - 1);
	(void)read_file("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
	boot[strcspn(boot, "\n")] = '\0';
	/* containers on one machine may have its name, but not its numbers */
	if (readlink("/proc/self/ns/pid", space, sizeof space - 1) > 0 &&
	    readlink("/proc/self", self, sizeof self - 1) > 0) {
		(void)snprintf(number, sizeof number, "%ld", (long)getpid());
		p.own = strcmp(self, number) == 0;
	}
	(void)snprintf(p.machine, sizeof p.machine, "%s %s", boot, space);
	return p;
}

/* When a process of this place began, in the machine's ticks; 0: that is not known. */
static uint64_t
began(const struct place *p, long pid)
{
	char path[64], text[1024], *field;
	uint64_t ticks = 0;
	int i;

	(void)snprintf(path, sizeof path, "/proc/%ld/stat", pid);
	if (!p->own || !read_file(path, text, sizeof text))
		return 0;
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

/* The same each time, so that this process knows its own record again. */
static const struct place *
here(void)
{
	static struct place p;
	static pid_t of;

	if (of != getpid()) {
		p = look_around();
		p.ticks = began(&p, (long)getpid());
		of = getpid();
	}
	return &p;
}

/*
 * The record with number n: 0 is "owner".  One that nobody lives for stays, and the next
 * one gets the number behind it: of several that find it, one alone can make that.
 */
static enum taf_status
owner_file(const struct taf_plan *p, uint64_t n, struct taf_buf *path, struct taf_err *e)
{
	path->len = 0;
	return n == 0 ? taf_buf_printf(path, e, "%s/owner", p->state) :
	    taf_buf_printf(path, e, "%s/owner.%llu", p->state, (unsigned long long)n);
}

/* Is it the name of a record? */
static bool
is_record(const char *name, uint64_t *n)
{
	*n = 0;
	if (strncmp(name, "owner", 5) != 0)
		return false;
	return name[5] == '\0' || (name[5] == '.' && *n < UINT64_MAX &&
	    taf_parse_u64(name + 6, strlen(name + 6), n) && *n > 0);
}

/* Who has made a record. */
struct owner {
	char *host, *machine;
	uint64_t pid, ticks;
};

static void
owner_fini(struct owner *o)
{
	free(o->host);
	free(o->machine);
}

static enum taf_status
who(const char *path, struct owner *o, struct taf_err *e)
{
	struct taf_buf r = { 0 };
	enum taf_status st = taf_fields_read(path, &r, e);

	*o = (struct owner){ 0 };
	if (st == TAF_OK)
		st = taf_fields_get_text(&r, "host", &o->host, e);
	if (st == TAF_OK)
		st = taf_fields_get_text(&r, "machine", &o->machine, e);
	if (st == TAF_OK)
		st = taf_fields_get_u64(&r, "process", &o->pid, e);
	if (st == TAF_OK)
		st = taf_fields_get_u64(&r, "began", &o->ticks, e);
	taf_buf_free(&r);
	return st;
}

/* Is it of this place, so that the number of its process can be asked for? */
static bool
is_here(const struct owner *o, const struct place *p)
{
	return o->host != NULL && o->machine != NULL && strcmp(o->host, p->host) == 0 &&
	    strcmp(o->machine, p->machine) == 0;
}

/* TAF_ESYS where the one who has made the record at path lives. */
static enum taf_status
look(const char *path, const struct place *p, struct taf_err *e)
{
	struct owner o;
	struct stat sb;
	enum taf_status st = who(path, &o, e);
	const bool beats = stat(path, &sb) == 0 && time(NULL) - sb.st_mtime < STALE;
	bool alive = beats;

	/* one that is seen in part may be a new one; what is damaged is nobody's */
	if (st == TAF_EDATA || st == TAF_END) {
		taf_err_clear(e);
		alive = alive && st == TAF_END;
		st = TAF_OK;
	}
	if (st == TAF_OK && o.ticks != 0 && is_here(&o, p) && p->own)
		alive = (kill((pid_t)o.pid, 0) == 0 || errno == EPERM) &&
		    began(p, (long)o.pid) == o.ticks;
	if (st == TAF_OK && alive && o.host == NULL)
		st = taf_fail(e, TAF_ESYS, "somebody else begins at the same time");
	else if (st == TAF_OK && alive)
		st = taf_fail(e, TAF_ESYS, "process %llu on %s is at work on this",
		    (unsigned long long)o.pid, o.host);
	owner_fini(&o);
	return st;
}

/* Look at all records but number mine: *next is the number behind the last of them. */
static enum taf_status
look_at_all(const struct taf_plan *p, const struct place *place, uint64_t mine,
    uint64_t *next, struct taf_err *e)
{
	struct taf_names names = { 0 };
	struct taf_buf path = { 0 };
	enum taf_status st = taf_names_read(&names, p->state, "", e);
	uint64_t n;
	size_t i;

	*next = 0;
	for (i = 0; st == TAF_OK && i < names.n; i++) {
		if (!is_record(names.name[i], &n) || n == mine)
			continue;
		if (n >= *next)
			*next = n + 1;
		st = owner_file(p, n, &path, e);
		if (st == TAF_OK)
			st = look(path.data, place, e);
	}
	taf_names_free(&names);
	taf_buf_free(&path);
	return st == TAF_END ? TAF_OK : st;
}

/* Make record n; TAF_END where another one has. */
static enum taf_status
make(const struct taf_plan *p, const struct place *place, uint64_t n, struct taf_err *e)
{
	struct taf_str s = { .err = e };
	struct taf_buf path = { 0 };
	enum taf_status st = owner_file(p, n, &path, e);

	taf_fields_text(&s, "host", place->host);
	taf_fields_text(&s, "machine", place->machine);
	taf_fields_u64(&s, "process", (uint64_t)getpid());
	taf_fields_u64(&s, "began", place->ticks);
	if (st == TAF_OK)
		st = taf_fields_make(path.data, &s, e);
	taf_str_free(&s);
	taf_buf_free(&path);
	return st;
}

static void
drop(const struct taf_plan *p, uint64_t n)
{
	struct taf_err none = { 0 };
	struct taf_buf path = { 0 };

	if (owner_file(p, n, &path, &none) == TAF_OK)
		(void)unlink(path.data);
	taf_buf_free(&path);
}

/* Record n is that of this process. */
static enum taf_status
remember(const struct taf_plan *p, uint64_t n, struct taf_err *e)
{
	struct taf_buf path = { 0 };

	if (owner_file(p, n, &path, e) != TAF_OK)
		return e->code;
	/* an earlier one is for its thread to read, as long as that lives */
	beat = calloc(1, sizeof *beat + path.len + 1);
	if (beat != NULL)
		memcpy(beat->path, path.data, path.len + 1);
	taf_buf_free(&path);
	return beat != NULL ? TAF_OK : taf_fail_mem(e);
}

enum taf_status
taf_owner_take(const struct taf_plan *p, struct taf_err *e)
{
	const struct place *const place = here();
	enum taf_status st = TAF_END;
	uint64_t n = 0, next;
	int i;

	if (beat != NULL && beat->read)
		atomic_store(&beat->over, true);
	else
		free(beat);
	beat = NULL;
	for (i = 0; st == TAF_END && i < TRIES; i++) {
		st = look_at_all(p, place, UINT64_MAX, &n, e);
		if (st == TAF_OK)
			st = make(p, place, n, e);
	}
	if (st == TAF_END) {
		st = taf_fail(e, TAF_ESYS, "%s: somebody else begins at the same time",
		    p->state);
	} else if (st == TAF_OK) {
		/* one who is gone may have left a lower number to another one */
		st = look_at_all(p, place, n, &next, e);
		if (st == TAF_OK)
			st = remember(p, n, e);
		if (st != TAF_OK)
			drop(p, n);
	}
	taf_err_name(e, p->output);
	return st;
}

/* Is the last record that of this process? */
static bool
last_is_mine(const struct taf_plan *p, uint64_t *n, struct taf_buf *path,
    struct taf_err *e)
{
	const struct place *const place = here();
	struct taf_names names = { 0 };
	struct owner o = { 0 };
	bool is = false;
	uint64_t k;
	size_t i;

	*n = 0;
	if (taf_names_read(&names, p->state, "", e) == TAF_OK)
		for (i = 0; i < names.n; i++)
			if (is_record(names.name[i], &k) && k > *n)
				*n = k;
	taf_names_free(&names);
	if (owner_file(p, *n, path, e) == TAF_OK && who(path->data, &o, e) == TAF_OK)
		is = is_here(&o, place) && o.pid == (uint64_t)getpid() &&
		    o.ticks == place->ticks;
	owner_fini(&o);
	return is;
}

/* Nothing that another thread might hold while it forks: no memory, no stream. */
static void *
live(void *arg)
{
	const struct timespec nap = { 1, 0 };
	struct beat *b = arg;

	while (!atomic_load(&b->over)) {
		/* where this fails, the next sign may come through */
		(void)utimensat(AT_FDCWD, b->path, NULL, 0);
		(void)nanosleep(&nap, NULL);
	}
	return NULL;
}

enum taf_status
taf_owner_live(struct taf_err *e)
{
	pthread_t id;
	int error;

	beat->read = true;
	/* signals are for the one who waits */
	taf_signals_hold();
	error = pthread_create(&id, NULL, live, beat);
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
	struct taf_buf path = { 0 };
	uint64_t n;
	const bool is = last_is_mine(p, &n, &path, &none);

	taf_buf_free(&path);
	return is;
}

void
taf_owner_leave(const struct taf_plan *p)
{
	struct taf_err none = { 0 };
	struct taf_buf path = { 0 };
	uint64_t n;

	if (beat != NULL)
		atomic_store(&beat->over, true);
	if (last_is_mine(p, &n, &path, &none))
		drop(p, n);
	taf_buf_free(&path);
}
