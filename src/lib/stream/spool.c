#include "stream/spool.h"

#include <fcntl.h>
#include <unistd.h>

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
taf_spool_end(struct taf_spool *s, const char *name, struct taf_in **in, struct taf_err *e)
{
	enum taf_status st = taf_out_flush(s->out, e);

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
