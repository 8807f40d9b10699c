/* SPDX-License-Identifier: ISC */
#include "stream/reader_source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/str.h"
#include "io/url.h"

enum { SHORT_HEADER = 64 * 1024 };	/* it is taken as it comes */

/* Is no file of elements there?  Anything else may have the name. */
static bool
not_there(const char *path)
{
	struct stat sb;

	return stat(path, &sb) != 0 ? errno == ENOENT || errno == ENOTDIR :
	    !S_ISREG(sb.st_mode);
}

/* What in= names beside the header at a URL; never a file here. */
static enum taf_status
open_beside_url(struct taf_reader *r, const struct taf_buf *name, struct taf_err *e)
{
	struct taf_str url = { .err = e };

	taf_url_beside(&url, r->path, name->data);
	if (url.st == TAF_OK)
		url.st = taf_in_open(&r->from.in, url.buf.data, e);
	taf_str_free(&url);
	return url.st;
}

/* The file that in= names, as Madagascar looks it up, or beside the header. */
static enum taf_status
open_data(struct taf_reader *r, const struct taf_buf *name, struct taf_err *e)
{
	const char *slash = r->path != NULL ? strrchr(r->path, '/') : NULL;
	const char *path = name->data;
	struct taf_str beside = { .err = e };
	struct taf_in *in;
	enum taf_status st;
	struct stat sb;
	int fd;

	if (taf_is_url(r->path))
		return open_beside_url(r, name, e);
	if (slash != NULL && name->data[0] != '/' && not_there(name->data)) {
		taf_str_put(&beside, r->path, (size_t)(slash - r->path) + 1);
		taf_str_puts(&beside, name->data);
	}
	if (beside.st != TAF_OK)
		return beside.st;
	if (beside.buf.len > 0 && access(beside.buf.data, F_OK) == 0)
		path = beside.buf.data;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		st = taf_fail_sys(e, "in=%s: cannot open", name->data);
	else if (fstat(fd, &sb) != 0)
		st = taf_fail_sys(e, "in=%s: cannot read", name->data);
	else if (!S_ISREG(sb.st_mode))
		st = taf_fail(e, TAF_EDATA, "in=%s: no regular file", name->data);
	else
		st = taf_in_fd(&in, fd, path, e);
	taf_str_free(&beside);
	if (st == TAF_OK)
		r->from.in = in;
	else if (fd >= 0)
		(void)close(fd);
	return st;
}

/* Read a header from the stream to its terminator, or to its end. */
static enum taf_status
read_header(struct taf_in *in, const unsigned char **p, size_t *n, bool *terminated,
    struct taf_err *e)
{
	/* what is there, or one read more: who writes a pipe may wait behind the data */
	size_t want = 1, from = 0, got = 0;
	enum taf_status st;

	for (;;) {
		const char *text;
		size_t had = got;

		st = taf_in_peek(in, want, p, &got, e);
		if (st != TAF_OK)
			return st;
		text = (const char *)*p;
		*terminated = taf_rsf_end(text, got, from, n);
		if (*terminated && *n <= TAF_RSF_HEADER_MAX)
			return TAF_OK;
		if (memchr(text + had, '\0', got - had) != NULL)
			return taf_rsf_fail_foreign(taf_in_name(in), text, got, e);
		if (got >= TAF_RSF_HEADER_MAX + TAF_RSF_TERMINATOR)
			return taf_fail(e, TAF_EDATA, "a header of more than %d bytes",
			    (int)TAF_RSF_HEADER_MAX);
		if (got < want) {
			*n = got;
			return TAF_OK;
		}
		/* go on from the start of the last line */
		for (from = got; from > 0 && text[from - 1] != '\n'; from--)
			;
		want = got < SHORT_HEADER ? got + 1 : got <= TAF_RSF_HEADER_MAX / 2 ?
		    got * 2 : TAF_RSF_HEADER_MAX + TAF_RSF_TERMINATOR;
	}
}

/* Can the file that holds the elements of a be long enough? */
static enum taf_status
check_length(const struct taf_elements *s, const struct taf_array *a,
    const struct taf_rsf *rsf, struct taf_err *e)
{
	const uint64_t left = taf_in_left(s->in), bytes = taf_array_bytes(a);
	const uint64_t count = taf_array_count(a);
	const char *where = rsf->here ? "header" : "in=",
	    *name = rsf->here ? "" : rsf->in.data;

	if (s->ops->sized && bytes > left)
		return taf_fail(e, TAF_EDATA,
		    "%s%s: data of %llu bytes, but %llu are there", where, name,
		    (unsigned long long)bytes, (unsigned long long)left);
	/* a number takes a byte and the blank behind it */
	if (!s->ops->sized && count > left / 2 + 1)
		return taf_fail(e, TAF_EDATA, "%s%s: text of %llu numbers in %llu bytes",
		    where, name, (unsigned long long)count, (unsigned long long)left);
	return TAF_OK;
}

/* Not all elements of a file need be there yet. */
static enum taf_status
let_grow(struct taf_reader *r, struct taf_err *e)
{
	if (!r->from.ops->sized)
		return taf_fail(e, TAF_EDATA,
		    "elements in text are not read while they come");
	/* a header alone is all of its file */
	if (r->over)
		taf_in_grows(r->in, false);
	taf_in_grows(r->from.in, true);
	return TAF_OK;
}

enum taf_status
taf_reader_rsf(struct taf_reader *r, struct taf_array *a, struct taf_rsf *rsf,
    struct taf_err *e)
{
	const bool grows = (r->flags & TAF_READ_GROWING) != 0;
	struct taf_elements *s = &r->from;
	const unsigned char *p;
	enum taf_status st;
	bool terminated;
	size_t n;

	if (read_header(r->in, &p, &n, &terminated, e) != TAF_OK)
		return e->code;
	st = taf_rsf_parse((const char *)p, n, a, rsf, e);
	/* what is wrong with a header that still grows may be that it is not whole */
	if (st != TAF_OK)
		return st == TAF_EDATA && !terminated && grows ? TAF_ETRUNC : st;
	if (!terminated && (rsf->here || (grows && p[n - 1] != '\n')))
		return taf_fail(e, TAF_ETRUNC,
		    "offset %llu: the input ends inside the header",
		    (unsigned long long)(taf_in_offset(r->in) + n));
	if (taf_in_skip(r->in, n + (terminated ? TAF_RSF_TERMINATOR : 0), e) != TAF_OK ||
	    (!rsf->here && open_data(r, &rsf->in, e) != TAF_OK) || rsf->ends)
		return e->code;
	r->over = !terminated;
	s->ops = rsf->form == TAF_RSF_ASCII ? &taf_elements_text :
	    taf_elements_binary(a->type, rsf->big);
	if (!taf_in_seekable(s->in))
		return TAF_OK;
	if (grows)
		return let_grow(r, e);
	st = check_length(s, a, rsf, e);
	if (st == TAF_OK && s->ops->sized && !rsf->here)
		taf_reader_remark_more(r, taf_in_left(s->in) - taf_array_bytes(a));
	return st;
}
