/* SPDX-License-Identifier: ISC */
#include "format/members.h"

#include <string.h>

#include "base/str.h"
#include "io/numbered.h"

/* The present file goes to the archive. */
static enum taf_status
put(struct taf_members *m, struct taf_err *e)
{
	struct taf_in *in = NULL;
	enum taf_status st;

	if (m->spool.out == NULL)
		return TAF_OK;
	st = taf_spool_end(&m->spool, TAF_OK, "temporary file", &in, e);
	if (st == TAF_OK)
		st = taf_tar_put(m->tar, m->name.data, in, taf_in_left(in), e);
	taf_in_close(in);
	return st;
}

/* The name of the next file. */
static enum taf_status
call(struct taf_members *m, const char *name, struct taf_err *e)
{
	struct taf_str made = { .err = e };

	m->named = name != NULL;
	m->name.len = 0;
	if (m->named)
		return taf_buf_puts(&m->name, name, e);
	taf_numbered_name(m->pattern, m->made++, &made);
	if (made.st == TAF_OK)
		made.st = taf_buf_puts(&m->name, made.buf.data, e);
	taf_buf_free(&made.buf);
	return made.st;
}

static enum taf_status
begin(struct taf_members *m, struct taf_out *out, struct taf_err *e)
{
	return m->tar != NULL ? TAF_OK : taf_tar_begin(&m->tar, out, e);
}

enum taf_status
taf_members_next(struct taf_members *m, struct taf_out *out, const char *name,
    struct taf_err *e)
{
	if (name != NULL && name[0] == '\0')
		name = NULL;
	if (m->spool.out != NULL && m->named && name != NULL &&
	    strcmp(name, m->name.data) == 0)
		return TAF_OK;
	if (begin(m, out, e) != TAF_OK || put(m, e) != TAF_OK ||
	    call(m, name, e) != TAF_OK)
		return e->code;
	return taf_spool_begin(&m->spool, e);
}

enum taf_status
taf_members_end(struct taf_members *m, struct taf_out *out, struct taf_err *e)
{
	enum taf_status st = begin(m, out, e);

	if (st == TAF_OK)
		st = taf_tar_end(m->tar, put(m, e), e);
	m->tar = NULL;
	return st;
}

void
taf_members_free(struct taf_members *m)
{
	struct taf_err e = { 0 };

	if (taf_tar_end(m->tar, TAF_ESYS, &e) != TAF_OK)
		m->tar = NULL;
	taf_spool_discard(&m->spool);
	taf_buf_free(&m->name);
}
