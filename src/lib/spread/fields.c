/* SPDX-License-Identifier: ISC */
#include "spread/fields.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/digest.h"
#include "base/num.h"
#include "io/at.h"
#include "io/os.h"

/* The last field, a digest of what is before it: a file without it is not whole. */
static const char last[] = "end 20\n%020llu\n";

enum {
	LAST = 28,		/* bytes of it */
	MOST = 64 * 1024 * 1024,
	HOST = 64,
	TRIES = 30,
	NAP = 100	/* milliseconds */
};

struct taf_path
taf_path(const char *fmt, ...)
{
	struct taf_path path;
	va_list ap;

	va_start(ap, fmt);
	if (vsnprintf(path.s, sizeof path.s, fmt, ap) < 0)
		path.s[0] = '\0';
	va_end(ap);
	return path;
}

static void
put(struct taf_str *s, const char *name, const void *p, size_t n)
{
	taf_str_printf(s, "%s %zu\n", name, n);
	taf_str_put(s, p, n);
	taf_str_puts(s, "\n");
}

static void
put_number(struct taf_str *s, const char *name, uint64_t v)
{
	char text[24];

	put(s, name, text,
	    (size_t)snprintf(text, sizeof text, "%llu", (unsigned long long)v));
}

void
taf_fields_put(struct taf_str *s, const struct taf_field *f, size_t n, const void *from)
{
	for (; n > 0; f++, n--) {
		const void *at = (const char *)from + f->at;
		const char *text = f->kind == TAF_FIELD_TEXT ? *(char *const *)at : NULL;
		const struct taf_buf *bytes = at;

		if (f->kind == TAF_FIELD_TEXT)
			put(s, f->name, text, text != NULL ? strlen(text) : 0);
		else if (f->kind == TAF_FIELD_BYTES)
			put(s, f->name, bytes->data, bytes->len);
		else
			put_number(s, f->name, f->kind == TAF_FIELD_U64 ?
			    *(const uint64_t *)at : *(const unsigned *)at);
	}
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

/* What field f has. */
static enum taf_status
find(const struct taf_buf *r, const struct taf_field *f, const char **p, size_t *n,
    struct taf_err *e)
{
	size_t at = 0, len;
	const char *found;

	while (at < r->len && field(r, &at, &found, &len, p, n))
		if (len == strlen(f->name) && memcmp(found, f->name, len) == 0)
			return TAF_OK;
	return taf_fail(e, TAF_EDATA, "no field %s", f->name);
}

static enum taf_status
get(const struct taf_buf *r, const struct taf_field *f, void *to, struct taf_err *e)
{
	char **text = to;
	uint64_t v;
	const char *p = NULL;
	size_t n = 0;

	if (find(r, f, &p, &n, e) != TAF_OK)
		return e->code;
	if (f->kind == TAF_FIELD_BYTES)
		return taf_buf_put(to, p, n, e);
	if (f->kind == TAF_FIELD_TEXT) {
		*text = n > 0 ? strndup(p, n) : NULL;
		return n == 0 || *text != NULL ? TAF_OK : taf_fail_mem(e);
	}
	if (!taf_parse_u64(p, n, &v) || (f->kind == TAF_FIELD_UNSIGNED && v > UINT_MAX))
		return taf_fail(e, TAF_EDATA, "field %s: not a number", f->name);
	if (f->kind == TAF_FIELD_U64)
		*(uint64_t *)to = v;
	else
		*(unsigned *)to = (unsigned)v;
	return TAF_OK;
}

enum taf_status
taf_fields_get(const struct taf_buf *r, const struct taf_field *f, size_t n, void *to,
    struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	for (; st == TAF_OK && n > 0; f++, n--)
		st = get(r, f, (char *)to + f->at, e);
	return st;
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
	taf_nap(NAP * 1e-3);
	return true;
}

/* All that file path has now, to its end, not to its size: that may be seen late. */
static enum taf_status
read_now(const char *path, struct taf_buf *r, struct taf_err *e)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	enum taf_status st;

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return TAF_END;
	if (fd < 0)
		return taf_fail_sys(e, "%s: cannot read", path);
	r->len = 0;
	st = taf_read_rest(fd, r, MOST, e);
	if (st != TAF_OK)
		taf_err_name(e, path);
	(void)close(fd);
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

struct taf_path
taf_fields_here(void)
{
	char host[HOST] = "";
	struct stat space;

	(void)gethostname(host, sizeof host - 1);
	/* containers may have one name, and the same numbers */
	if (stat(TAF_PROC "/self/ns/pid", &space) != 0)
		space.st_ino = 0;
	return taf_path(".%s.%ld-%llu", host, (long)getpid(),
	    (unsigned long long)space.st_ino);
}

/* Give temp its other name; TAF_END where a whole file has that. */
static enum taf_status
appear(const char *temp, const char *path, struct taf_err *e)
{
	struct taf_buf old = { 0 };
	enum taf_status st;

	if (give_name(temp, path) == 0)
		return TAF_OK;
	if (errno != EEXIST)
		return taf_fail_sys(e, "%s: cannot make", path);
	st = taf_fields_read(path, &old, e);
	taf_buf_free(&old);
	if (st != TAF_END && st != TAF_EDATA)
		return st == TAF_OK ? TAF_END : st;
	/* what a crash has left of one */
	taf_err_clear(e);
	return rename(temp, path) == 0 ? TAF_OK :
	    taf_fail_sys(e, "%s: cannot make", path);
}

enum taf_status
taf_fields_make(const char *path, struct taf_str *s, struct taf_err *e)
{
	const struct taf_path temp = taf_path("%s%s", path, taf_fields_here().s);
	char end[LAST + 1];
	enum taf_status st;
	int fd;

	make_last(end, s->buf.data, s->buf.len);
	taf_str_puts(s, end);
	if (s->st != TAF_OK)
		return s->st;
	fd = open(temp.s, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0600);
	if (fd < 0)
		return taf_fail_sys(e, "%s: cannot write", temp.s);
	st = taf_write_at(fd, s->buf.data, s->buf.len, 0, e);
	if (close(fd) != 0 && st == TAF_OK)
		st = taf_fail_sys(e, "%s: cannot write", temp.s);
	if (st == TAF_OK)
		st = appear(temp.s, path, e);
	(void)unlink(temp.s);
	s->buf.len = 0;
	return st;
}

static const struct taf_field mark = { "plan", TAF_FIELD_U64, 0 };

enum taf_status
taf_record_make(const char *path, const uint64_t *plan, const struct taf_field *f,
    size_t n, const void *from, struct taf_err *e)
{
	struct taf_str s = { .err = e };
	enum taf_status st;

	taf_fields_put(&s, &mark, plan != NULL ? 1 : 0, plan);
	taf_fields_put(&s, f, n, from);
	st = taf_fields_make(path, &s, e);
	taf_str_free(&s);
	return st;
}

enum taf_status
taf_record_read(const char *path, const uint64_t *plan, const struct taf_field *f,
    size_t n, void *to, struct taf_err *e)
{
	struct taf_buf r = { 0 };
	enum taf_status st = taf_fields_read(path, &r, e);
	uint64_t digest = 0;

	if (st == TAF_OK && plan != NULL)
		st = taf_fields_get(&r, &mark, 1, &digest, e);
	if (st == TAF_OK && plan != NULL && digest != *plan)
		st = taf_fail(e, TAF_EDATA, "%s: is of another run", path);
	if (st == TAF_OK)
		st = taf_fields_get(&r, f, n, to, e);
	taf_buf_free(&r);
	return st;
}
