/* SPDX-License-Identifier: ISC */
/* link: archive */
#include "codec/tar.h"

#include "config.h"

#include <string.h>

#ifdef HAVE_ARCHIVE
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>

#include "base/buf.h"
#endif

/* The checksum of a header: octal digits; its own eight bytes count as blanks. */
static bool
is_header(const unsigned char *p)
{
	unsigned sum = 0, told = 0;
	size_t i;

	for (i = 0; i < TAF_TAR_SEEN; i++)
		sum += i < 148 || i >= 156 ? p[i] : ' ';
	for (i = 148; i < 156 && p[i] == ' '; i++)
		;
	for (; i < 156 && p[i] >= '0' && p[i] <= '7'; i++)
		told = told * 8 + p[i] - '0';
	return p[0] != '\0' && sum == told;
}

bool
taf_tar_sniff(const unsigned char *p, size_t n)
{
	return (n >= TAF_TAR_SEEN && is_header(p)) ||
	    (n >= 2 && memcmp(p, "\037\213", 2) == 0) ||
	    (n >= 3 && memcmp(p, "BZh", 3) == 0) ||
	    (n >= 6 && memcmp(p, "\3757zXZ\0", 6) == 0);
}

#ifndef HAVE_ARCHIVE

static enum taf_status
missing(struct taf_err *e)
{
	return taf_fail(e, TAF_EDATA,
	    "a tar archive, which this program was built without libarchive for");
}

enum taf_status
taf_tar_open(struct taf_tar **tar, struct taf_in *in, struct taf_err *e)
{
	(void)tar, (void)in;
	return missing(e);
}

enum taf_status
taf_tar_next(struct taf_tar *tar, const char **name, enum taf_tar_kind *kind,
    struct taf_err *e)
{
	(void)tar, (void)name, (void)kind;
	return missing(e);
}

enum taf_status
taf_tar_member(struct taf_tar *tar, struct taf_in **member, struct taf_err *e)
{
	(void)tar, (void)member;
	return missing(e);
}

void
taf_tar_close(struct taf_tar *tar)
{
	(void)tar;
}

enum taf_status
taf_tar_begin(struct taf_tar_out **tar, struct taf_out *out, struct taf_err *e)
{
	(void)tar, (void)out;
	return missing(e);
}

enum taf_status
taf_tar_put(struct taf_tar_out *tar, const char *name, struct taf_in *in, uint64_t n,
    struct taf_err *e)
{
	(void)tar, (void)name, (void)in, (void)n;
	return missing(e);
}

enum taf_status
taf_tar_end(struct taf_tar_out *tar, enum taf_status st, struct taf_err *e)
{
	(void)tar;
	return st != TAF_OK ? st : missing(e);
}

#else

enum { BLOCK = 64 * 1024 };

struct taf_tar {
	struct archive *archive;
	struct taf_in *in;
	struct taf_buf name;	/* of the present member */
	bool member;		/* there is one */
	struct taf_err e;	/* what reading the archive itself has met */
	unsigned char block[BLOCK];
};

static la_ssize_t
read_archive(struct archive *a, void *ctx, const void **p)
{
	struct taf_tar *tar = ctx;
	size_t got;

	(void)a;
	*p = tar->block;
	if (taf_in_read_part(tar->in, tar->block, BLOCK, &got, &tar->e) == TAF_OK)
		return (la_ssize_t)got;
	return -1;
}

static la_int64_t
skip_archive(struct archive *a, void *ctx, la_int64_t n)
{
	struct taf_tar *tar = ctx;

	(void)a;
	/* the library reads what is not skipped, and so finds where it is cut */
	if (!taf_in_seekable(tar->in) || n < 0 || (uint64_t)n > taf_in_left(tar->in))
		return 0;
	if (taf_in_skip(tar->in, (uint64_t)n, &tar->e) == TAF_OK)
		return n;
	return ARCHIVE_FATAL;
}

/*
 * Before a call of the library, so that errno says afterwards whether there was too
 * little memory.  The library does not always tell, and crashes at the next call.
 */
static struct archive *
fresh(struct archive *a)
{
	errno = 0;
	return a;
}

/*
 * Was there too little memory?  It is so, too, where the library fails without a word: of
 * what it reads it always says what is wrong.
 */
static bool
out_of_memory(struct archive *a, bool failed)
{
	return errno == ENOMEM || (failed && (archive_errno(a) == ENOMEM ||
	    archive_error_string(a) == NULL));
}

/* A call failed because the other side did, as *of says, or for want of memory. */
static bool
system_failed(struct archive *a, const struct taf_err *of, struct taf_err *e)
{
	if (of->code != TAF_OK)
		*e = *of;
	else if (out_of_memory(a, true))
		(void)taf_fail_mem(e);
	return e->code != TAF_OK;
}

/*
 * What the library says of a call that failed, behind the member it was at, or NULL;
 * where the input failed, that.
 */
static enum taf_status
broken(struct taf_tar *tar, const char *at, struct taf_err *e)
{
	const char *text = archive_error_string(tar->archive);

	if (system_failed(tar->archive, &tar->e, e))
		return e->code;
	return taf_fail(e, TAF_EDATA, "%s%star archive: %s",
	    at != NULL ? at : "", at != NULL ? ": " : "", text);
}

enum taf_status
taf_tar_open(struct taf_tar **result, struct taf_in *in, struct taf_err *e)
{
	struct taf_tar *tar = calloc(1, sizeof *tar);
	struct archive *a;

	errno = 0;
	if (tar == NULL || (tar->archive = archive_read_new()) == NULL) {
		free(tar);
		return taf_fail_mem(e);
	}
	tar->in = in;
	a = tar->archive;
	/* not what it would start another program for: then it warns */
	if (archive_read_support_format_tar(a) != ARCHIVE_OK ||
	    archive_read_support_filter_gzip(a) != ARCHIVE_OK ||
	    archive_read_support_filter_bzip2(a) != ARCHIVE_OK ||
	    archive_read_support_filter_xz(a) != ARCHIVE_OK ||
	    archive_read_set_options(a, "read_concatenated_archives") != ARCHIVE_OK ||
	    archive_read_set_read_callback(a, read_archive) != ARCHIVE_OK ||
	    archive_read_set_skip_callback(a, skip_archive) != ARCHIVE_OK ||
	    archive_read_set_callback_data(a, tar) != ARCHIVE_OK ||
	    archive_read_open1(a) != ARCHIVE_OK || errno == ENOMEM) {
		(void)broken(tar, NULL, e);
		taf_tar_close(tar);
		return e->code;
	}
	*result = tar;
	return TAF_OK;
}

enum taf_status
taf_tar_next(struct taf_tar *tar, const char **name, enum taf_tar_kind *kind,
    struct taf_err *e)
{
	struct archive_entry *entry;
	const char *path;
	int r = archive_read_next_header(fresh(tar->archive), &entry);

	if (r == ARCHIVE_EOF && errno != ENOMEM)
		return TAF_END;
	/* a warning is about names and times, whose bytes are here all the same */
	if ((r != ARCHIVE_OK && r != ARCHIVE_WARN) || errno == ENOMEM)
		return broken(tar, tar->member ? tar->name.data : NULL, e);
	tar->member = false;
	tar->name.len = 0;
	path = archive_entry_pathname(entry);
	if (path == NULL)
		path = archive_entry_pathname_utf8(entry);
	if (path == NULL)
		return system_failed(tar->archive, &tar->e, e) ? e->code :
		    taf_fail(e, TAF_EDATA, "tar archive: a member without a name");
	if (taf_buf_puts(&tar->name, path, e) != TAF_OK)
		return e->code;
	tar->member = true;
	*name = tar->name.data;
	*kind = archive_entry_hardlink(entry) != NULL ||
	    archive_entry_filetype(entry) == AE_IFLNK ? TAF_TAR_LINK :
	    archive_entry_filetype(entry) == AE_IFREG ? TAF_TAR_FILE :
	    archive_entry_filetype(entry) == AE_IFDIR ? TAF_TAR_FOLDER : TAF_TAR_OTHER;
	return TAF_OK;
}

static enum taf_status
read_member(void *ctx, void *buf, size_t n, size_t *got, struct taf_err *e)
{
	struct taf_tar *tar = ctx;
	la_ssize_t r = archive_read_data(fresh(tar->archive), buf, n);

	if (r < 0 || errno == ENOMEM)
		return broken(tar, NULL, e);	/* the input has the name */
	*got = (size_t)r;
	return TAF_OK;
}

enum taf_status
taf_tar_member(struct taf_tar *tar, struct taf_in **member, struct taf_err *e)
{
	struct taf_buf name = { 0 };
	enum taf_status st = taf_buf_printf(&name, e, "%s: %s", taf_in_name(tar->in),
	    tar->name.data);

	if (st == TAF_OK)
		st = taf_in_call(member, read_member, tar, name.data, e);
	taf_buf_free(&name);
	return st;
}

void
taf_tar_close(struct taf_tar *tar)
{
	if (tar == NULL)
		return;
	(void)archive_read_free(tar->archive);
	taf_buf_free(&tar->name);
	free(tar);
}

struct taf_tar_out {
	struct archive *archive;
	struct taf_out *out;
	struct taf_err e;	/* of out */
};

static la_ssize_t
write_archive(struct archive *a, void *ctx, const void *p, size_t n)
{
	struct taf_tar_out *tar = ctx;

	(void)a;
	return taf_out_write(tar->out, p, n, &tar->e) == TAF_OK ? (la_ssize_t)n : -1;
}

static enum taf_status
unwritten(struct taf_tar_out *tar, const char *name, struct taf_err *e)
{
	if (system_failed(tar->archive, &tar->e, e))
		return e->code;
	return taf_fail(e, TAF_EDATA, "%s: tar archive: %s", name,
	    archive_error_string(tar->archive));
}

enum taf_status
taf_tar_begin(struct taf_tar_out **result, struct taf_out *out, struct taf_err *e)
{
	struct taf_tar_out *tar = calloc(1, sizeof *tar);
	struct archive *a;

	errno = 0;
	if (tar == NULL || (tar->archive = archive_write_new()) == NULL) {
		free(tar);
		return taf_fail_mem(e);
	}
	tar->out = out;
	a = tar->archive;
	if (archive_write_set_format_pax_restricted(a) != ARCHIVE_OK ||
	    archive_write_open(a, tar, NULL, write_archive, NULL) != ARCHIVE_OK ||
	    errno == ENOMEM) {
		(void)unwritten(tar, "", e);
		(void)archive_write_free(a);
		free(tar);
		return e->code;
	}
	*result = tar;
	return TAF_OK;
}

static enum taf_status
put_header(struct taf_tar_out *tar, const char *name, uint64_t n, struct taf_err *e)
{
	struct archive_entry *entry = archive_entry_new2(fresh(tar->archive));
	enum taf_status st = TAF_OK;

	if (entry == NULL)
		return taf_fail_mem(e);
	archive_entry_set_pathname(entry, name);
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_perm(entry, 0444);
	archive_entry_set_size(entry, (la_int64_t)n);
	archive_entry_set_mtime(entry, 0, 0);
	/* a warning is about the name, whose bytes are written */
	if (archive_write_header(tar->archive, entry) < ARCHIVE_WARN || errno == ENOMEM)
		st = unwritten(tar, name, e);
	archive_entry_free(entry);
	return st;
}

enum taf_status
taf_tar_put(struct taf_tar_out *tar, const char *name, struct taf_in *in, uint64_t n,
    struct taf_err *e)
{
	enum taf_status st = put_header(tar, name, n, e);

	while (n > 0 && st == TAF_OK) {
		const unsigned char *p;
		size_t got;

		st = taf_in_peek(in, n < BLOCK ? (size_t)n : BLOCK, &p, &got, e);
		if (got > n)
			got = (size_t)n;
		if (st == TAF_OK && archive_write_data(fresh(tar->archive), p, got) !=
		    (la_ssize_t)got)
			st = unwritten(tar, name, e);
		if (st == TAF_OK)
			st = taf_in_skip(in, got > 0 ? got : n, e);
		n -= got;
	}
	return st;
}

enum taf_status
taf_tar_end(struct taf_tar_out *tar, enum taf_status st, struct taf_err *e)
{
	if (tar == NULL)
		return st;
	if (st != TAF_OK)
		(void)archive_write_fail(tar->archive);
	else if (archive_write_close(fresh(tar->archive)) != ARCHIVE_OK)
		st = unwritten(tar, "the end", e);
	(void)archive_write_free(tar->archive);
	free(tar);
	return st;
}

#endif
