/* SPDX-License-Identifier: ISC */
#include "spread/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/in.h"
#include "io/out.h"
#include "io/temp.h"
#include "op/digest/checksum.h"
#include "spread/owner.h"
#include "spread/state.h"
#include "stream/writer_private.h"

/* The record of the output, once it is whole. */
struct whole {
	struct taf_identity id;
};
static const struct taf_field fields[] = { TAF_IDENTITY_FIELDS(struct whole, id) };

/* The file at path is the output, whatever its name. */
static enum taf_status
checked(const struct taf_plan *p, const char *file, struct taf_err *e)
{
	struct whole w;
	enum taf_status st = taf_identity_of(file, &w.id, e);

	if (st == TAF_OK)
		st = taf_record_make(taf_plan_file(p, "checked").s, &p->digest, fields,
		    TAF_IDENTITY, &w, e);
	return st == TAF_END ? TAF_OK : st;
}

/* Is the file that one? */
static bool
is_it(const char *file, const struct taf_identity *it)
{
	struct taf_identity id;
	struct taf_err none = { 0 };

	return taf_identity_of(file, &id, &none) == TAF_OK && taf_identity_same(&id, it);
}

/* This machine may have slept, while another took our place. */
enum taf_status
taf_output_ours(const struct taf_plan *p, struct taf_err *e)
{
	return taf_owner_is(p) ? TAF_OK : taf_fail(e, TAF_ESYS,
	    "%s: another process has taken this run over", p->state);
}

static bool
is_regular(const char *path)
{
	struct stat st;

	return stat(path, &st) != 0 ? errno == ENOENT : S_ISREG(st.st_mode);
}

/* The name of a regular file is safe. */
static enum taf_status
sync_name(const struct taf_plan *p, struct taf_err *e)
{
	const char *const slash = strrchr(p->output, '/');
	const int n = slash != NULL ? (int)(slash - p->output) : 0;

	if (!is_regular(p->output))
		return TAF_OK;
	return taf_sync_folder(slash == NULL ? "." :
	    taf_path("%.*s", n > 0 ? n : 1, p->output).s, e);
}

static enum taf_status
move(const struct taf_plan *p, const char *data, struct taf_err *e)
{
	const int fd = open(data, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW);
	struct taf_out *out = NULL;
	enum taf_status st;

	if (fd < 0)
		return taf_fail_sys(e, "%s: cannot open", data);
	st = taf_out_take(&out, p->output, data, fd, e);
	return st == TAF_OK ? taf_out_commit(out, e) : st;
}

static enum taf_status
copy(const struct taf_plan *p, const char *data, struct taf_err *e)
{
	struct taf_out *out = NULL;
	struct taf_in *in = NULL;
	struct stat sb = { .st_size = 0 };
	enum taf_status st = taf_in_open(&in, data, e);

	if (st == TAF_OK && stat(data, &sb) != 0)
		st = taf_fail_sys(e, "%s: cannot read", data);
	if (st == TAF_OK)
		st = taf_out_create(&out, p->output, e);
	if (st == TAF_OK)
		st = taf_out_copy(out, in, (uint64_t)sb.st_size, e);
	taf_in_close(in);
	if (st == TAF_OK)
		return taf_out_commit(out, e);
	taf_out_discard(out);
	return st;
}

enum taf_status
taf_output_place(const struct taf_plan *p, struct taf_err *e)
{
	const struct taf_path data = taf_plan_file(p, "data");
	const bool regular = is_regular(p->output);
	enum taf_status st = checked(p, data.s, e);

	if (st == TAF_OK)
		st = taf_output_ours(p, e);
	if (st == TAF_OK && regular)
		st = move(p, data.s, e);
	if ((st == TAF_OK && !regular) || (st == TAF_ESYS && e->sys == EXDEV)) {
		taf_err_clear(e);
		st = copy(p, data.s, e);
	}
	return st == TAF_OK ? sync_name(p, e) : st;
}

enum taf_status
taf_output_open(const struct taf_plan *p, struct taf_writer **w, struct taf_err *e)
{
	struct taf_sink sink = { .path = p->output, .format = TAF_FORMAT_TAF,
		.literal = true };

	return taf_writer_open(w, &sink, e);
}

enum taf_status
taf_output_close(const struct taf_plan *p, struct taf_writer *w, enum taf_status st,
    struct taf_err *e)
{
	if (st == TAF_OK)
		st = taf_output_ours(p, e);
	st = taf_writer_settle(w, st, e);
	if (st == TAF_OK && is_regular(p->output))
		st = checked(p, p->output, e);
	return st == TAF_OK ? sync_name(p, e) : st;
}

enum taf_status
taf_output_ended(const struct taf_plan *p, bool *ended, struct taf_err *e)
{
	const struct taf_path path = taf_plan_file(p, "checked");
	struct whole w = { .id = { 0 } };
	enum taf_status st = taf_record_read(path.s, &p->digest, fields, TAF_IDENTITY, &w,
	    e);

	*ended = false;
	/* what is damaged, or left of another run */
	if (st == TAF_EDATA) {
		taf_err_clear(e);
		st = unlink(path.s) == 0 || errno == ENOENT ? TAF_END :
		    taf_fail_sys(e, "%s: cannot remove", path.s);
	}
	if (st != TAF_OK)
		return st == TAF_END ? TAF_OK : st;
	*ended = is_it(p->output, &w.id);
	if (!*ended && is_it(taf_plan_file(p, "data").s, &w.id)) {
		st = taf_output_place(p, e);
		*ended = st == TAF_OK;
	}
	return st == TAF_OK ? taf_state_remove(p, e) : st;
}

enum taf_status
taf_output_checksum(const struct taf_plan *p, const struct taf_service *service,
    struct taf_blake3_node *checksum, struct taf_err *e)
{
	const struct taf_checksum_want want = { .values = false };
	struct taf_checksum sum = { .tree = { .bytes = 0 } };
	struct taf_array a = { 0 };
	struct taf_reader *r = NULL;
	enum taf_status st = taf_reader_open(&r, p->output,
	    TAF_READ_SILENTLY | TAF_READ_UNGUARDED, e);

	if (st == TAF_OK)
		st = taf_reader_next(r, &a, e);
	if (st == TAF_OK)
		st = taf_checksum(service, r, &a, &want, &sum, e);
	if (st == TAF_OK)
		*checksum = sum.array;
	taf_err_name(e, p->output);
	taf_checksum_free(&sum);
	taf_reader_close(r);
	taf_array_fini(&a);
	return st;
}
