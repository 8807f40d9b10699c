/* SPDX-License-Identifier: ISC */
/*
 * What a folder of state holds, read back.  It has the plan and the records of a run that
 * lacks its end.  The input says what becomes of a file of it: "p" the plan, "r" a
 * record, "l" the layout, "c" that of the end, "f" a failure, "o" the owner; then
 *
 *	=FIELDS		another file, sound by its digest, of these fields
 *	@FIELDS		the same with the digest of the plan before them
 *	~DAMAGE		the file with some bytes changed: of three bytes two say where,
 *			one what is changed
 *
 * No damage may be believed.  Then the end is made: the output is not there, or has as
 * many bytes as it must, and after damage it is that of sound files.
 */
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/digest.h"
#include "codec/taf_file.h"
#include "drain.h"
#include "io/at.h"
#include "spread/assemble.h"
#include "spread/engine.h"
#include "spread/output.h"
#include "spread/owner.h"
#include "spread/slab.h"
#include "spread/state.h"
#include "target.h"

enum {
	LINE = 4096,		/* a slab has a page of its own, and a head and a tail */
	SLABS = 2,
	MOST = 1 << 14,
	PATH = 1024
};

static char folder[PATH];
static unsigned char elements[SLABS * 2 * LINE];

/* In place of libc's: nothing has to outlive the machine, and nobody writes late. */
int
fsync(int fd)
{
	(void)fd;
	return 0;
}

int
nanosleep(const struct timespec *nap, struct timespec *left)
{
	(void)nap, (void)left;
	return 0;
}

/* --- the folder --- */

static int
remove_one(const char *path, const struct stat *sb, int kind, struct FTW *walk)
{
	(void)sb, (void)kind, (void)walk;
	return remove(path);
}

/* A file of so many bytes; its length where there is room for it. */
static size_t
get(const char *path, void *p, size_t room)
{
	int fd = open(path, O_RDONLY);
	ssize_t n = fd >= 0 ? read(fd, p, room) : 0;

	must(n >= 0);
	if (fd >= 0)
		(void)close(fd);
	return (size_t)n;
}

static void
put(const char *path, const void *p, size_t n, off_t at)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0666);

	must(fd >= 0 && pwrite(fd, p, n, at) == (ssize_t)n && close(fd) == 0);
}

/* The record of slab k, as a task makes it. */
static void
make_record(const struct taf_plan *p, uint64_t k, struct taf_err *e)
{
	const unsigned char *slab = elements + k * 2 * LINE;
	const uint64_t at = taf_header_size(2) + k * 2 * LINE;
	const size_t head = (size_t)(LINE - at % LINE);
	struct taf_slab s = { .placed = 1, .input = p->identity };

	taf_array_init(&s.a);
	s.a.type = TAF_UINT8;
	taf_array_add_dim(&s.a, 2 * LINE, 1, 1);
	taf_array_add_dim(&s.a, 1, 1, 1);
	must(taf_slab_be_first(p, &s, e) == TAF_OK);
	s.digest = taf_digest(0, slab, head);
	s.digest = taf_digest(s.digest, slab + head, LINE);
	s.digest = taf_digest(s.digest, slab + head + LINE, LINE - head);
	must(taf_buf_put(&s.head, slab, head, e) == TAF_OK);
	must(taf_buf_put(&s.tail, slab + head + LINE, LINE - head, e) == TAF_OK);
	must(taf_slab_keep(p, k, &s, e) == TAF_OK);
	put("s/data", slab + head, LINE, (off_t)(at + head));
	taf_slab_fini(&s);
}

/* A run of which all slabs are done. */
static void
make_run(struct taf_plan *p, struct taf_err *e)
{
	size_t i;
	bool again, fresh;

	for (i = 0; i < sizeof elements; i++)
		elements[i] = (unsigned char)(i * i % 251);
	*p = (struct taf_plan){ .dim = 2, .points = SLABS, .slabs = SLABS,
		.identity = { 1, 2, 3, 4, 5 } };
	must((p->input = strdup("in.taf")) != NULL && (p->state = strdup("s")) != NULL);
	must((p->output = strdup("out.taf")) != NULL);
	must((p->pipeline = strdup("cat")) != NULL && (p->shell = strdup("sh")) != NULL);
	must((p->bin = strdup(".")) != NULL);
	must(taf_plan_keep(p, &again, e) == TAF_OK && !again);
	must(taf_state_fill(p, &fresh, e) == TAF_OK && fresh);
	for (i = 0; i < SLABS; i++)
		make_record(p, i, e);
}

/* --- a file of it --- */

static const char *
file_of(char which)
{
	switch (which) {
	case 'p':
		return "s/plan";
	case 'r':
		return "s/done/1";
	case 'l':
		return "s/layout";
	case 'c':
		return "s/checked";
	case 'f':
		return "s/failed";
	case 'o':
		return "s/owner";
	}
	return NULL;
}

/* The fields of p as a sound file. */
static void
seal(const struct taf_plan *plan, const char *path, bool of_plan, const void *p, size_t n)
{
	static const struct taf_field mark = { "plan", TAF_FIELD_U64,
		offsetof(struct taf_plan, digest) };
	struct taf_err e = { 0 };
	struct taf_str s = { .err = &e };

	(void)unlink(path);
	if (of_plan)
		taf_fields_put(&s, &mark, 1, plan);
	taf_str_put(&s, p, n);
	must(taf_fields_make(path, &s, &e) == TAF_OK);
	taf_str_free(&s);
}

/* Change some bytes, or cut it; is it another one now? */
static bool
damage(const char *path, const uint8_t *p, size_t n)
{
	static unsigned char before[MOST], after[MOST];
	const size_t size = get(path, before, sizeof before);
	size_t at, left = size;

	memcpy(after, before, size);
	for (; n >= 3 && size > 0; p += 3, n -= 3) {
		at = (size_t)(p[0] | p[1] << 8) % size;
		if (p[2] == 0)
			left = at;
		else
			after[at] ^= p[2];
	}
	(void)unlink(path);
	put(path, after, left, 0);
	return left != size || memcmp(before, after, size) != 0;
}

/* --- what becomes of it --- */

static void
look_at_plan(bool damaged)
{
	struct taf_plan p;
	struct taf_err e = { 0 };
	uint64_t k, lo, hi, last = 0;
	enum taf_status st = taf_plan_load(&p, "s", &e);

	must_agree(st, &e);
	must(st == TAF_OK || st == TAF_EDATA);
	must(!damaged || st == TAF_EDATA);
	if (st != TAF_OK)
		return;
	must(p.pipeline != NULL && p.shell != NULL && p.bin != NULL);
	must(p.directory != NULL || (p.input != NULL && p.output != NULL));
	for (k = 0; k < p.slabs && k < 10; k++) {
		must(taf_plan_name(&p, k).s[0] != '\0');
		if (p.directory != NULL)
			continue;
		taf_plan_slab(&p, k, &lo, &hi);
		must(lo == last && lo < hi && hi <= p.points);
		last = hi;
	}
	taf_plan_fini(&p);
}

static void
look_at_record(const struct taf_plan *p, bool damaged)
{
	struct taf_slab s;
	struct taf_err e = { 0 };
	enum taf_status st = taf_slab_look(p, 1, &s, &e);

	must_agree(st, &e);
	must(st == TAF_OK || st == TAF_END || st == TAF_EDATA);
	must(!damaged || st != TAF_OK);
	if (st != TAF_OK)
		return;
	must(!s.placed || s.at + s.bytes <= taf_header_size(2) + sizeof elements ||
	    taf_array_bytes(&s.a) != 2 * LINE);
	taf_slab_fini(&s);
}

/* All that a run makes at its end. */
static void
finish(const struct taf_plan *p, bool sound)
{
	static const struct taf_service service = { .memory = 1 << 20, .jobs = 1 };
	static unsigned char got[1 << 16];
	struct taf_blake3_node node;
	struct taf_slabs due = { 0 };
	struct taf_err e = { 0 };
	enum taf_status st;
	bool ended = false;
	size_t n;

	st = taf_output_ended(p, &ended, &e);
	must_agree(st, &e);
	must(!ended);
	/* a run that had its end, but for this */
	if (access(p->state, F_OK) != 0)
		return;
	st = taf_engine_failure(p, 0, &e);
	must_agree(st, &e);
	taf_err_clear(&e);
	must(taf_engine_due(p, &due, &e) == TAF_OK && due.n == 0);
	free(due.k);
	st = taf_assemble(p, false, &service, &node, &e);
	/* where a slab has to be done again, e says which */
	must(st == e.code);
	n = get("out.taf", got, sizeof got);
	must(st == TAF_OK ? n > taf_header_size(2) : n == 0);
	if (sound && st == TAF_OK)
		must(n >= taf_header_size(2) + sizeof elements &&
		    memcmp(got + taf_header_size(2), elements, sizeof elements) == 0);
}

static void
test(const char *path, const uint8_t *data, size_t size)
{
	struct taf_err e = { 0 };
	struct taf_plan p;
	bool damaged = false;

	make_run(&p, &e);
	if (data[1] == '~')
		damaged = damage(path, data + 2, size - 2);
	else
		seal(&p, path, data[1] == '@', data + 2, size - 2);
	look_at_plan(damaged && data[0] == 'p');
	look_at_record(&p, damaged && data[0] == 'r');
	if (taf_owner_take(&p, &e) != TAF_OK)
		must(data[0] == 'o' && (e.code == TAF_ESYS || e.code == TAF_EDATA));
	taf_err_clear(&e);
	finish(&p, data[1] == '~');
	taf_plan_fini(&p);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = size > 2 ? file_of((char)data[0]) : NULL;
	const char *where = getenv("TMPDIR");
	char home[PATH];

	if (path == NULL || size > MOST || memchr("=@~", data[1], 3) == NULL ||
	    getcwd(home, sizeof home) == NULL)
		return 0;
	if (where == NULL || where[0] == '\0')
		where = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	must(snprintf(folder, sizeof folder, "%s/fuzz-XXXXXX", where) < PATH);
	must(mkdtemp(folder) != NULL && chdir(folder) == 0);
	test(path, data, size);
	must(chdir(home) == 0);
	must(nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0);
	return 0;
}
