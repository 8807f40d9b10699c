/* SPDX-License-Identifier: ISC */
#include "text/comment.h"

#include <string.h>

#include "codec/taf_file.h"
#include "io/in.h"

enum taf_status
taf_comment_arg(void *to, const char *arg, struct taf_err *e)
{
	struct taf_array *const a = to;
	const unsigned char *p;
	enum taf_status st;
	struct taf_in *in;
	size_t got;

	if (arg[0] != '@')
		return taf_comment_add(a, arg, strlen(arg), e);
	if (taf_in_open(&in, arg + 1, e) != TAF_OK)
		return e->code;
	/* untouched pages of the buffer cost nothing */
	st = taf_in_peek(in, TAF_COMMENT_MAX + 1, &p, &got, e);
	if (st == TAF_OK && got > TAF_COMMENT_MAX)
		st = taf_fail(e, TAF_EDATA, "%s: a comment of more than %d bytes", arg,
		    (int)TAF_COMMENT_MAX);
	if (st == TAF_OK && got > 0)
		st = taf_comment_add(a, (const char *)p,
		    p[got - 1] == '\n' ? got - 1 : got, e);
	if (st == TAF_OK)
		st = taf_in_unchanged(in, e);
	taf_in_close(in);
	return st;
}
