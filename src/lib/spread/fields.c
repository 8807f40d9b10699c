#include "spread/fields.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/num.h"
#include "io/at.h"

/* The last field, a digest of what is before it: a file without it is not whole. */
static const char last[] = "end 20\n%020llu\n";

enum {
	LAST = 28,		/* bytes of it */
	MOST = 64 * 1024 * 1024,
	HOST = 64,
	TRIES = 30,
	NAP = 100 * 1000	/* microseconds */
};

void
taf_fields_put(struct taf_str *s, const char *name, const void *p, size_t n)
{
	taf_str_printf(s, "%s %zu\n", name, n);
	taf_str_put(s, p, n);
	taf_str_puts(s, "\n");
}

void
taf_fields_text(struct taf_str *s, const char *name, const char *text)
{
	text = text != NULL ? text : "";
	taf_fields_put(s, name, text, strlen(text));
}

void
taf_fields_u64(struct taf_str *s, const char *name, uint64_t v)
{
	char text[24];

	taf_fields_put(s, name, text,
	    (size_t)snprintf(text, sizeof text, "%llu", (unsigned long long)v));
}

/* The field at r->data + at, and where the next one begins; false where there is none. */
static bool
field(const struct taf_buf *r, size_t *at, const char **name, size_t *len, const char **p,
    size_t *n)
{
	const char *line = r->data + *at, *end = r->data + r->len, *stop, *blank;
	uint64_t size;

	stop = memchr(line, '\n', (size_t)(end - line));
	if (stop == NULL)
		return false;
	blank = memchr(line, ' ', (size_t)(stop - line));
	if (blank == NULL ||
	    !taf_parse_u64(blank + 1, (size_t)(stop - blank - 1), &size) ||
	    size >= (uint64_t)(end - stop - 1) || stop[1 + size] != '\n')
		return false;
	*name = line;
	*len = (size_t)(blank - line);
	*p = stop + 1;
	*n = (size_t)size;
	*at = (size_t)(stop + 1 + size + 1 - r->data);
	return true;
}

enum taf_status
taf_fields_get(const struct taf_buf *r, const char *name, const char **p, size_t *n,
    struct taf_err *e)
{
	size_t at = 0, len;
	const char *found;

	while (at < r->len && field(r, &at, &found, &len, p, n))
		if (len == strlen(name) && memcmp(found, name, len) == 0)
			return TAF_OK;
	return taf_fail(e, TAF_EDATA, "no field %s", name);
}

enum taf_status
taf_fields_get_u64(const struct taf_buf *r, const char *name, uint64_t *v,
    struct taf_err *e)
{
	const char *p;
	size_t n;

	if (taf_fields_get(r, name, &p, &n, e) != TAF_OK)
		return e->code;
	return taf_parse_u64(p, n, v) ? TAF_OK :
	    taf_fail(e, TAF_EDATA, "field %s: not a number", name);
}

enum taf_status
taf_fields_get_text(const struct taf_buf *r, const char *name, char **text,
    struct taf_err *e)
{
	const char *p;
	size_t n;

	*text = NULL;
	if (taf_fields_get(r, name, &p, &n, e) != TAF_OK)
		return e->code;
	if (n == 0)
		return TAF_OK;
	*text = strndup(p, n);
	return *text != NULL ? TAF_OK : taf_fail_mem(e);
}

static void
make_last(char text[LAST + 1], const void *p, size_t n)
{
	(void)snprintf(text, LAST + 1, last, (unsigned long long)taf_digest(0, p, n));
}

/* Does it have an end? */
static bool
whole(const struct taf_buf *r)
{
	return r->len >= LAST && r->data[r->len - 1] == '\n' &&
	    memcmp(r->data + r->len - LAST, last, sizeof "end 20") == 0;
}

/* Is that the end of what is before it? */
static bool
sound(const struct taf_buf *r)
{
	char text[LAST + 1];

	make_last(text, r->data, r->len - LAST);
	return memcmp(r->data + r->len - LAST, text, LAST) == 0;
}

bool
taf_fields_patient(void)
{
	static atomic_int naps;

	if (atomic_fetch_add(&naps, 1) >= TRIES)
		return false;
	(void)usleep(NAP);
	return true;
}

/* All that file path has now. */
static enum taf_status
read_now(const char *path, struct taf_buf *r, struct taf_err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	enum taf_status st = TAF_OK;
	ssize_t got = 1;

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return TAF_END;
	if (fd < 0)
		return taf_fail_sys(e, "%s: cannot read", path);
	r->len = 0;
	/* to its end, not to its size: that may be seen late */
	while (st == TAF_OK && got != 0 && r->len < MOST) {
		st = taf_buf_reserve(r, 4096, e);
		if (st != TAF_OK)
			break;
		got = read(fd, r->data + r->len, 4096);
		if (got < 0 && errno != EINTR)
			st = taf_fail_sys(e, "%s: cannot read", path);
		r->len += got > 0 ? (size_t)got : 0;
	}
	(void)close(fd);
	if (st == TAF_OK)
		r->data[r->len] = '\0';
	return st;
}

enum taf_status
taf_fields_read(const char *path, struct taf_buf *r, struct taf_err *e)
{
	enum taf_status st;

	while ((st = read_now(path, r, e)) == TAF_OK && !whole(r))
		if (!taf_fields_patient())
			return TAF_END;
	return st != TAF_OK || sound(r) ? st :
	    taf_fail(e, TAF_EDATA, "%s: is damaged", path);
}

/* Give temp its other name, which must be new; 0, or -1 with errno. */
static int
give_name(const char *temp, const char *path)
{
	struct stat st;

	if (link(temp, path) == 0)
		return 0;
	/* an answer that was lost on its way from a server */
	if (errno == EEXIST && stat(temp, &st) == 0 && st.st_nlink == 2)
		return 0;
	if (errno == EPERM || errno == ENOTSUP || errno == ENOSYS)
		return access(path, F_OK) == 0 ? (errno = EEXIST, -1) :
		    rename(temp, path);
	return -1;
}

enum taf_status
taf_fields_here(struct taf_buf *name, struct taf_err *e)
{
	char host[HOST] = "";
	struct stat space;

	(void)gethostname(host, sizeof host - 1);
	/* containers may have one name, and the same numbers */
	if (stat("/proc/self/ns/pid", &space) != 0)
		space.st_ino = 0;
	return taf_buf_printf(name, e, ".%s.%ld-%llu", host, (long)getpid(),
	    (unsigned long long)space.st_ino);
}

enum taf_status
taf_fields_make(const char *path, struct taf_str *s, struct taf_err *e)
{
	char temp[PATH_MAX], end[LAST + 1];
	struct taf_buf old = { 0 }, here = { 0 };
	enum taf_status st;
	int fd, n;

	make_last(end, s->buf.data, s->buf.len);
	taf_str_puts(s, end);
	if (s->st != TAF_OK || taf_fields_here(&here, e) != TAF_OK)
		return s->st != TAF_OK ? s->st : e->code;
	n = snprintf(temp, sizeof temp, "%s%s", path, here.data);
	taf_buf_free(&here);
	if (n < 0 || (size_t)n >= sizeof temp)
		return taf_fail(e, TAF_ESYS, "%s: the name is too long", path);
	fd = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0600);
	if (fd < 0)
		return taf_fail_sys(e, "%s: cannot write", temp);
	st = taf_write_at(fd, s->buf.data, s->buf.len, 0, e);
	if (close(fd) != 0 && st == TAF_OK)
		st = taf_fail_sys(e, "%s: cannot write", temp);
	if (st == TAF_OK && give_name(temp, path) != 0) {
		if (errno != EEXIST) {
			st = taf_fail_sys(e, "%s: cannot make", path);
		} else {
			st = taf_fields_read(path, &old, e);
			/* what a crash has left of one */
			if (st == TAF_END || st == TAF_EDATA) {
				taf_err_clear(e);
				st = rename(temp, path) == 0 ? TAF_OK :
				    taf_fail_sys(e, "%s: cannot make", path);
			} else if (st == TAF_OK) {
				st = TAF_END;
			}
		}
	}
	(void)unlink(temp);
	taf_buf_free(&old);
	s->buf.len = 0;
	return st;
}
