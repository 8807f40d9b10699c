/* SPDX-License-Identifier: ISC */
#include "format/shard.h"

#include <fnmatch.h>
#include <string.h>

#include "codec/tar.h"

/* Is the input an archive?  One must be where members are named. */
static enum taf_status
look(const struct taf_shard *s, struct taf_in *in, bool *archive, struct taf_err *e)
{
	const unsigned char *p;
	size_t got;

	if (taf_in_peek(in, TAF_TAR_SEEN, &p, &got, e) != TAF_OK)
		return e->code;
	*archive = taf_tar_sniff(p, got);
	return *archive || s->glob == NULL ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "not a tar archive, which --member is for");
}

static bool
fits(const struct taf_shard *s, const char *name)
{
	const char *slash = strrchr(name, '/');

	return fnmatch(s->glob != NULL ? s->glob : "*.ten", slash != NULL ? slash + 1 :
	    name, 0) == 0;
}

/* The arrays of the present member go to w, or are checked where to is NULL. */
static enum taf_status
one_member(struct taf_shard *s, struct taf_tar *tar, const char *name,
    const struct taf_import *look_at, struct taf_import *to, struct taf_err *e)
{
	struct taf_in *member;
	enum taf_status st;

	if (taf_tar_member(tar, &member, e) != TAF_OK)
		return e->code;
	s->format.part = name;
	st = to != NULL ? taf_row_major_import(&s->format, to, &member, e) :
	    taf_row_major_check(&s->format, look_at, member, e);
	s->format.part = NULL;
	taf_err_name(e, taf_in_name(member));
	taf_in_close(member);
	return st;
}

/* All members, in their order; what they are is told where they go to w. */
static enum taf_status
members(struct taf_shard *s, struct taf_in *in, const struct taf_import *look_at,
    struct taf_import *to, struct taf_err *e)
{
	const uint64_t before = look_at->number;
	uint64_t others = 0, count = 0;
	enum taf_tar_kind kind;
	struct taf_tar *tar = NULL;
	enum taf_status st = taf_tar_open(&tar, in, e);
	const char *name;

	while (st == TAF_OK && (to == NULL || !to->done)) {
		bool file, wanted;

		st = taf_tar_next(tar, &name, &kind, e);
		if (st != TAF_OK)
			break;
		file = kind == TAF_TAR_FILE;
		wanted = kind != TAF_TAR_FOLDER && fits(s, name);
		if (wanted && !file && to != NULL)
			taf_remark(to->service, "%s: %s: no regular file: passed over",
			    taf_in_name(in), name);
		others += !wanted || !file;
		count += wanted && file;
		if (wanted && file)
			st = one_member(s, tar, name, look_at, to, e);
	}
	if (st == TAF_END)
		st = count > 0 ? TAF_OK : taf_fail(e, TAF_EDATA,
		    "no member of the tar archive is called %s, but there are %llu others",
		    s->glob != NULL ? s->glob : "*.ten", (unsigned long long)others);
	if (st == TAF_OK && to != NULL && to->number == before)
		st = taf_fail(e, TAF_EDATA, "the members of the tar archive are empty");
	if (st == TAF_OK && to != NULL && others > 0 && s->passed != NULL)
		s->passed(s->ctx, taf_in_name(in), others);
	taf_tar_close(tar);
	return st;
}

enum taf_status
taf_shard_check(void *ctx, const struct taf_import *im, struct taf_in *in,
    struct taf_err *e)
{
	struct taf_shard *s = ctx;
	bool archive;

	if (look(s, in, &archive, e) != TAF_OK)
		return e->code;
	return !archive ? taf_row_major_check(&s->format, im, in, e) : im->pick != 0 ?
	    TAF_OK : members(s, in, im, NULL, e);
}

enum taf_status
taf_shard_import(void *ctx, struct taf_import *im, struct taf_in **from,
    struct taf_err *e)
{
	struct taf_shard *s = ctx;
	bool archive;

	if (look(s, *from, &archive, e) != TAF_OK)
		return e->code;
	return archive ? members(s, *from, im, im, e) :
	    taf_row_major_import(&s->format, im, from, e);
}
