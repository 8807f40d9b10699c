/* SPDX-License-Identifier: ISC */
#include "spread/owner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/num.h"
#include "io/at.h"
#include "io/names.h"
#include "io/os.h"
#include "io/temp.h"
#include "spread/shell.h"

enum {
	HOST = 64,
	MACHINE = 160,
	TRIES = 10,
	PROC = 4096,	/* bytes of a file of /proc, at most */
	STALE = 60	/* seconds without a sign of life, and nobody lives */
};

/*
 * A process, as its record says: numbers of processes mean something on one machine since
 * its start, and in a part of it.
 */
struct owner {
	char *host, *machine;
	uint64_t pid, ticks;	/* when it began there; 0: that is not known */
};

static const struct taf_field fields[] = {
	{ "host", TAF_FIELD_TEXT, offsetof(struct owner, host) },
	{ "machine", TAF_FIELD_TEXT, offsetof(struct owner, machine) },
	{ "process", TAF_FIELD_U64, offsetof(struct owner, pid) },
	{ "began", TAF_FIELD_U64, offsetof(struct owner, ticks) },
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

/* The record of this process, and the child that gives signs of its life; 0: none. */
static struct taf_path record;
static pid_t beat;

/* What a file of /proc has, for the caller to free; empty where it is not there. */
static struct taf_buf
read_file(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct taf_err none = { 0 };
	struct taf_buf text = { 0 };

	if (fd < 0 || taf_read_rest(fd, &text, PROC, &none) != TAF_OK)
		text.len = 0;
	if (fd >= 0)
		(void)close(fd);
	return text;
}

/* When a process of this machine began, in its ticks; 0: that is not known. */
static uint64_t
began(uint64_t pid)
{
	struct taf_buf text =
	    read_file(taf_path(TAF_PROC "/%llu/stat", (unsigned long long)pid).s);
	/* behind the name, which may hold anything: state is field 3, this is 22 */
	const char *field = text.len > 0 ? strrchr(text.data, ')') : NULL;
	uint64_t ticks = 0;
	int i;

	for (i = 2; field != NULL && i < 22; i++) {
		field = strchr(field, ' ');
		field = field != NULL ? field + 1 : NULL;
	}
	if (field == NULL || !taf_parse_u64(field, strcspn(field, " "), &ticks))
		ticks = 0;
	taf_buf_free(&text);
	return ticks;
}

/* This process.  The same each time, so that it knows its own record again. */
static const struct owner *
here(void)
{
	static char host[HOST], machine[MACHINE];
	static struct owner o = { .host = host, .machine = machine };
	char space[64] = "", self[32] = "";
	struct taf_buf boot;

	if (o.pid == (uint64_t)getpid())
		return &o;
	o.pid = (uint64_t)getpid();
	o.ticks = 0;
	(void)gethostname(host, sizeof host - 1);
	/* containers on one machine may have its name, but not its numbers */
	if (readlink(TAF_PROC "/self/ns/pid", space, sizeof space - 1) > 0 &&
	    readlink(TAF_PROC "/self", self, sizeof self - 1) > 0 &&
	    strcmp(self, taf_path("%ld", (long)getpid()).s) == 0)
		o.ticks = began(o.pid);
	boot = read_file(TAF_PROC "/sys/kernel/random/boot_id");
	(void)snprintf(machine, sizeof machine, "%.*s %s",
	    boot.len > 0 ? (int)strcspn(boot.data, "\n") : 0,
	    boot.len > 0 ? boot.data : "", space);
	taf_buf_free(&boot);
	return &o;
}

/*
 * The record with number n: 0 is "owner".  One that nobody lives for stays, and the next
 * one gets the number behind it: of several that find it, one alone can make that.
 */
static struct taf_path
owner_file(const struct taf_plan *p, uint64_t n)
{
	return n == 0 ? taf_plan_file(p, "owner") :
	    taf_path("%s/owner.%llu", p->state, (unsigned long long)n);
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

/* Who has made a record; the caller frees it also where this fails. */
static enum taf_status
who(const char *path, struct owner *o, struct taf_err *e)
{
	*o = (struct owner){ 0 };
	return taf_record_read(path, NULL, fields, FIELDS, o, e);
}

static void
owner_fini(struct owner *o)
{
	free(o->host);
	free(o->machine);
}

/* Is it of this machine, so that the number of its process can be asked for? */
static bool
is_here(const struct owner *o)
{
	return o->host != NULL && o->machine != NULL &&
	    strcmp(o->host, here()->host) == 0 &&
	    strcmp(o->machine, here()->machine) == 0;
}

/* TAF_ESYS where the one who has made the record at path lives. */
static enum taf_status
look(const char *path, struct taf_err *e)
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
	if (st == TAF_OK && o.ticks != 0 && is_here(&o) && here()->ticks != 0)
		alive = (kill((pid_t)o.pid, 0) == 0 || errno == EPERM) &&
		    began(o.pid) == o.ticks;
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
look_at_all(const struct taf_plan *p, uint64_t mine, uint64_t *next, struct taf_err *e)
{
	struct taf_names names = { 0 };
	enum taf_status st = taf_names_read(&names, p->state, "", e);
	uint64_t n;
	size_t i;

	*next = 0;
	for (i = 0; st == TAF_OK && i < names.n; i++) {
		if (!is_record(names.name[i], &n) || n == mine)
			continue;
		if (n >= *next)
			*next = n + 1;
		st = look(owner_file(p, n).s, e);
	}
	taf_names_free(&names);
	return st == TAF_END ? TAF_OK : st;
}

/* No more signs of life. */
static void
rest(void)
{
	struct taf_err none = { 0 };
	int how;

	/* killed, and waited for with the pieces, its number may be another's */
	if (beat > 0 && waitpid(beat, &how, WNOHANG) == 0 && kill(beat, SIGKILL) == 0 &&
	    taf_shell_wait(beat, &how, &none) != TAF_OK)
		taf_err_clear(&none);
	beat = 0;
}

enum taf_status
taf_owner_take(const struct taf_plan *p, struct taf_err *e)
{
	enum taf_status st = TAF_END;
	uint64_t n = 0, next;
	int i;

	rest();
	for (i = 0; st == TAF_END && i < TRIES; i++) {
		st = look_at_all(p, UINT64_MAX, &n, e);
		if (st == TAF_OK)
			st = taf_record_make(owner_file(p, n).s, NULL, fields, FIELDS,
			    here(), e);
	}
	if (st == TAF_END) {
		st = taf_fail(e, TAF_ESYS, "%s: somebody else begins at the same time",
		    p->state);
	} else if (st == TAF_OK) {
		record = owner_file(p, n);
		/* one who is gone may have left a lower number to another one */
		st = look_at_all(p, n, &next, e);
		if (st != TAF_OK)
			(void)unlink(record.s);
	}
	taf_err_name(e, p->output);
	return st;
}

/* Is the last record, *path, that of this process? */
static bool
last_is_mine(const struct taf_plan *p, struct taf_path *path)
{
	struct taf_err none = { 0 };
	struct taf_names names = { 0 };
	struct owner o = { 0 };
	uint64_t n = 0, k;
	bool is;
	size_t i;

	if (taf_names_read(&names, p->state, "", &none) == TAF_OK)
		for (i = 0; i < names.n; i++)
			if (is_record(names.name[i], &k) && k > n)
				n = k;
	taf_names_free(&names);
	*path = owner_file(p, n);
	is = who(path->s, &o, &none) == TAF_OK && is_here(&o) && o.pid == here()->pid &&
	    o.ticks == here()->ticks;
	owner_fini(&o);
	return is;
}

/* Signs of life, as long as the parent, which arg points to, lives. */
static enum taf_status
live(void *arg)
{
	const pid_t *const parent = arg;
	int fd;

	/* who reads what the command writes waits for no child */
	for (fd = 0; fd <= 2; fd++)
		(void)close(fd);
	while (getppid() == *parent) {
		/* where this fails, the next sign may come through */
		(void)utimensat(AT_FDCWD, record.s, NULL, 0);
		taf_nap(1);
	}
	return TAF_OK;
}

enum taf_status
taf_owner_live(const struct taf_caller *caller, struct taf_err *e)
{
	pid_t parent = getpid();

	/* signals are for the one who waits */
	taf_signals_hold();
	beat = taf_fork(caller, SIGKILL, live, &parent, e);
	taf_signals_let();
	return beat < 0 ? TAF_ESYS : TAF_OK;
}

bool
taf_owner_is(const struct taf_plan *p)
{
	struct taf_path path;

	return last_is_mine(p, &path);
}

void
taf_owner_leave(const struct taf_plan *p)
{
	struct taf_path path;

	rest();
	if (last_is_mine(p, &path))
		(void)unlink(path.s);
}
