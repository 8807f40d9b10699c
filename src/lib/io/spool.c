/* SPDX-License-Identifier: ISC */
#include "io/spool.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf_private.h"
#include "base/need.h"
#include "io/temp.h"

enum taf_status
taf_spool_begin(struct taf_spool *s, struct taf_err *e)
{
	enum taf_status st;
	int copy;

	s->out = NULL;
	s->fd = -1;
	st = taf_temp_spool(&s->fd, e);
	if (st != TAF_OK)
		return st;
	copy = fcntl(s->fd, F_DUPFD_CLOEXEC, 3);
	if (copy < 0) {
		st = taf_fail_sys(e, "cannot spool");
	} else {
		st = taf_out_fd(&s->out, copy, "temporary file", e);
		if (st != TAF_OK)
			(void)close(copy);
	}
	if (st != TAF_OK)
		taf_spool_discard(s);
	return st;
}

enum taf_status
taf_spool_region(struct taf_spool *s, uint64_t bytes, uint64_t *base, struct taf_err *e)
{
	const enum taf_status st = taf_spool_begin(s, e);

	taf_need_say("a temporary file of %llu bytes", (unsigned long long)bytes);
	return st == TAF_OK ? taf_out_region(s->out, bytes, base, e) : st;
}

enum taf_status
taf_spool_fill(struct taf_spool *s, uint64_t bytes, struct taf_err *e)
{
	uint64_t base;
	enum taf_status st = taf_out_flush(s->out, e);

	if (st == TAF_OK && lseek(s->fd, 0, SEEK_SET) != 0)
		st = taf_fail_sys(e, "cannot spool");
	return st == TAF_OK ? taf_out_region(s->out, bytes, &base, e) : st;
}

/* A plan seeks to the end of what a run would write: the file has a hole. */
static enum taf_status
say_size(const struct taf_spool *s, enum taf_status st, struct taf_err *e)
{
	const off_t size = taf_need_asked() != NULL && s->out != NULL ?
	    lseek(s->fd, 0, SEEK_CUR) : 0;

	if (size <= 0)
		return st;
	taf_need_file((uint64_t)size);
	return st != TAF_OK || ftruncate(s->fd, size) == 0 ? st :
	    taf_fail_sys(e, "cannot spool");
}

enum taf_status
taf_spool_end(struct taf_spool *s, enum taf_status st, const char *name,
    struct taf_in **in, struct taf_err *e)
{
	if (st == TAF_OK)
		st = taf_out_flush(s->out, e);
	st = say_size(s, st, e);
	if (st == TAF_OK && lseek(s->fd, 0, SEEK_SET) != 0)
		st = taf_fail_sys(e, "cannot spool");
	if (st == TAF_OK)
		st = taf_in_fd(in, s->fd, name, e);
	if (st == TAF_OK)
		s->fd = -1;
	taf_spool_discard(s);
	return st;
}

void
taf_spool_discard(struct taf_spool *s)
{
	taf_out_discard(s->out);
	s->out = NULL;
	if (s->fd > 2)
		(void)close(s->fd);
	s->fd = -1;
}

static enum taf_status
spool_all(struct taf_in **in, struct taf_err *e)
{
	struct taf_spool spool;
	struct taf_in *file;
	enum taf_status st = taf_spool_begin(&spool, e);

	while (st == TAF_OK) {
		const unsigned char *p;
		size_t got;

		st = taf_in_peek(*in, 1, &p, &got, e);
		if (st != TAF_OK || got == 0)
			break;
		/* a whole block, so that the kernel moves it; its end is no failure */
		st = taf_out_copy(spool.out, *in, UINT64_C(1) << 40, e);
		if (st == TAF_ETRUNC) {
			taf_err_clear(e);
			st = TAF_OK;
		}
	}
	st = taf_spool_end(&spool, st, taf_in_name(*in), &file, e);
	if (st != TAF_OK)
		return st;
	taf_in_close(*in);
	*in = file;
	return TAF_OK;
}

enum taf_status
taf_spool_rest(struct taf_in **in, struct taf_err *e)
{
	return taf_in_seekable(*in) ? TAF_OK : spool_all(in, e);
}

enum taf_status
taf_spool_far(struct taf_in **in, struct taf_err *e)
{
	if (!taf_in_far(*in))
		return TAF_OK;
	taf_note_say(taf_in_name(*in), "it is read whole, into a temporary file");
	taf_in_expect(*in, taf_in_left(*in));
	return spool_all(in, e);
}

/* n bytes of in into p, from malloc, which they then have or which is freed. */
static enum taf_status
hold(struct taf_in *in, void *p, size_t n, struct taf_in **part, struct taf_err *e)
{
	enum taf_status st = taf_in_read(in, p, n, e);

	if (st == TAF_OK)
		st = taf_in_held(part, p, n, taf_in_name(in), e);
	if (st != TAF_OK)
		free(p);
	return st;
}

enum taf_status
taf_spool_part(struct taf_in *in, uint64_t n, uint64_t memory, struct taf_in **part,
    struct taf_err *e)
{
	void *p;

	struct taf_spool spool;
	struct taf_in *again;
	enum taf_status st;

	if (taf_in_seekable(in)) {
		st = taf_in_again(&again, in, taf_in_offset(in), e);
		if (st != TAF_OK)
			return st;
		/* where there are fewer, in stays where it is */
		st = taf_in_skip(n > taf_in_left(in) ? again : in, n, e);
		if (st == TAF_OK)
			*part = again;
		else
			taf_in_close(again);
		return st;
	}
	if (n > 0 && n <= taf_memory_share(memory, TAF_MANY) &&
	    (p = malloc((size_t)n)) != NULL)
		return hold(in, p, (size_t)n, part, e);
	st = taf_spool_begin(&spool, e);
	if (st == TAF_OK)
		st = taf_out_copy(spool.out, in, n, e);
	return taf_spool_end(&spool, st, taf_in_name(in), part, e);
}
