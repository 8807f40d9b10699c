/* SPDX-License-Identifier: ISC */
#include "format/output_names.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/num.h"
#include "io/numbered.h"
#include "io/os.h"
#include "io/url.h"
#include "io/where.h"

/* What an operand becomes, without number and ".taf". */
struct name {
	char *stem;
	const char *base;	/* of it, behind its folders */
	size_t nroot;		/* of base, without all "-1" at its end */
	dev_t dev;		/* of its folder, however that is spelled */
	ino_t ino;
	size_t earlier;		/* operand with this root, NONE if there is none */
};

#define NONE SIZE_MAX

struct taf_outputs {
	const char *const *files;
	size_t nfiles;
	bool force;
	struct name *name;
	/*
	 * of each operand, 1 more; 0: not known yet.  In memory that all processes share.
	 */
	_Atomic uint32_t *records;
};

/* A file's name without its extension; in directory, if that is not NULL. */
static char *
make_stem(const char *name, const char *directory)
{
	/* the query of a URL is no name, and may be secret */
	const char *file = taf_url_shown(name);
	const char *slash = strrchr(file, '/'), *base = slash != NULL ? slash + 1 : file;
	const char *dot = strrchr(base, '.');
	size_t lead = directory != NULL ? strlen(directory) + 1 : (size_t)(base - file);
	size_t n = dot != NULL && dot > base ? (size_t)(dot - base) : strlen(base);
	char *stem = malloc(lead + n + 1);

	if (stem == NULL)
		return NULL;
	if (directory != NULL) {
		memcpy(stem, directory, lead - 1);
		stem[lead - 1] = '/';
	} else {
		memcpy(stem, file, lead);
	}
	memcpy(stem + lead, base, n);
	stem[lead + n] = '\0';
	return stem;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t
root_length(const char *base)
{
	size_t n = strlen(base), i;

	for (;;) {
		for (i = n; i > 0 && is_digit(base[i - 1]); i--)
			continue;
		if (i == n || i == 0 || base[i - 1] != '-')
			return n;
		n = i - 1;
	}
}

static enum taf_status
make_name(struct name *n, const char *file, const char *directory, struct taf_err *e)
{
	struct stat st;
	char *slash, kept;
	bool there;

	if (directory == NULL && taf_is_url(file))
		return taf_fail(e, TAF_EUSAGE,
		    "%s: nothing is written beside a URL: use -D", taf_url_shown(file));
	n->stem = make_stem(file, directory);
	if (n->stem == NULL)
		return taf_fail_mem(e);
	slash = strrchr(n->stem, '/');
	n->base = slash != NULL ? slash + 1 : n->stem;
	n->nroot = root_length(n->base);
	n->earlier = NONE;
	if (slash == NULL) {
		there = stat(".", &st) == 0;
	} else {
		kept = slash[1];
		slash[1] = '\0';
		there = stat(n->stem, &st) == 0;
		slash[1] = kept;
	}
	/* into a folder that is not there nothing is written */
	n->dev = there ? st.st_dev : 0;
	n->ino = there ? st.st_ino : 0;
	return TAF_OK;
}

static bool
same_folder(const struct name *a, const struct name *b)
{
	return a->dev == b->dev && a->ino == b->ino;
}

static int
compare_roots(const struct name *a, const struct name *b)
{
	size_t n = a->nroot < b->nroot ? a->nroot : b->nroot;
	int d;

	if (a->dev != b->dev)
		return a->dev < b->dev ? -1 : 1;
	if (a->ino != b->ino)
		return a->ino < b->ino ? -1 : 1;
	d = memcmp(a->base, b->base, n);
	return d != 0 ? d : (a->nroot > n) - (b->nroot > n);
}

static int
by_root(const void *a, const void *b)
{
	const struct name *x = *(struct name *const *)a, *y = *(struct name *const *)b;
	int d = compare_roots(x, y);

	return d != 0 ? d : x < y ? -1 : 1;
}

/* Let each name know the one before it that may become the same file. */
static enum taf_status
link_names(struct taf_outputs *b, size_t n, struct taf_err *e)
{
	struct name **sorted = taf_alloc(n, sizeof *sorted);
	size_t i;

	if (sorted == NULL)
		return taf_fail_mem(e);
	for (i = 0; i < n; i++)
		sorted[i] = &b->name[i];
	qsort(sorted, n, sizeof(struct name *), by_root);
	for (i = 1; i < n; i++)
		if (compare_roots(sorted[i - 1], sorted[i]) == 0)
			sorted[i]->earlier = (size_t)(sorted[i - 1] - b->name);
	free(sorted);
	return TAF_OK;
}

enum taf_status
taf_outputs_single(const struct taf_outputs *b, size_t number, struct taf_buf *path,
    struct taf_err *e)
{
	path->len = 0;
	return taf_buf_printf(path, e, "%s.taf", b->name[number].stem);
}

/* What one record becomes is no source, by any name; of several that is seen later. */
static enum taf_status
refuse_sources(const struct taf_outputs *b, struct taf_err *e)
{
	struct taf_files sources;
	struct taf_buf path = { 0 };
	enum taf_status st = taf_files_of(&sources, b->files, b->nfiles, e);
	size_t i;

	for (i = 0; i < b->nfiles && st == TAF_OK; i++) {
		st = taf_outputs_single(b, i, &path, e);
		if (st == TAF_OK && taf_files_has(&sources, path.data))
			st = taf_fail(e, TAF_EUSAGE,
			    "%s: %s, which it becomes, is a source",
			    b->files[i], path.data);
	}
	taf_buf_free(&path);
	taf_files_free(&sources);
	return st;
}

enum taf_status
taf_outputs_plan(struct taf_outputs **result, const char *const *files, size_t n,
    const char *directory, bool force, struct taf_err *e)
{
	struct taf_outputs *b = calloc(1, sizeof *b);
	enum taf_status st = TAF_OK;
	size_t i;

	if (b == NULL)
		return taf_fail_mem(e);
	b->files = files;
	b->nfiles = n;
	b->force = force;
	b->name = calloc(n, sizeof *b->name);
	b->records = taf_os_share(n * sizeof *b->records, e);
	if (b->records == NULL)
		st = e->code;
	else if (b->name == NULL)
		st = taf_fail_mem(e);
	for (i = 0; i < n && st == TAF_OK; i++)
		st = make_name(&b->name[i], files[i], directory, e);
	if (st == TAF_OK)
		st = link_names(b, n, e);
	if (st == TAF_OK)
		st = refuse_sources(b, e);
	if (st != TAF_OK)
		taf_outputs_free(b);
	else
		*result = b;
	return st;
}

void
taf_outputs_free(struct taf_outputs *b)
{
	size_t n, i;

	if (b == NULL)
		return;
	n = b->nfiles;
	for (i = 0; b->name != NULL && i < n; i++)
		free(b->name[i].stem);
	free(b->name);
	taf_os_unshare((void *)b->records, n * sizeof *b->records);
	free(b);
}

void
taf_outputs_over(struct taf_outputs *b, size_t number)
{
	uint32_t unknown = 0;

	(void)atomic_compare_exchange_strong(&b->records[number], &unknown, 1);
}

/* How many records an earlier operand is written to, as soon as that is known. */
static uint64_t
records_of(const struct taf_outputs *b, size_t number)
{
	uint32_t n;

	while ((n = atomic_load(&b->records[number])) == 0)
		taf_nap(1e-3);
	return n - 1u;
}

/* Digits of the number of each of n records, so that a shell lists them in order. */
static int
width_of(uint64_t n)
{
	int width = 1;

	for (; n > 9; n /= 10)
		width++;
	return width;
}

/* May a be b-K, as records are numbered? */
static bool
may_be_part(const struct name *a, const struct name *b)
{
	size_t n = strlen(b->base);

	return same_folder(a, b) && strncmp(a->base, b->base, n) == 0 &&
	    a->base[n] == '-' && is_digit(a->base[n + 1]);
}

/* Is it, of n records? */
static bool
is_part(const struct name *a, const struct name *b, uint64_t n)
{
	const char *digits = a->base + strlen(b->base) + 1;
	const size_t len = strlen(digits);
	uint64_t k;

	return n > 1 && len == (size_t)width_of(n) && taf_parse_u64(digits, len, &k) &&
	    k >= 1 && k <= n;
}

/* Is a file of an operand, which becomes n, also one of an earlier one? */
static bool
taken(const struct taf_outputs *b, size_t number, uint64_t n)
{
	const struct name *own = &b->name[number], *other;
	uint64_t m;
	size_t i;

	for (i = own->earlier; i != NONE; i = other->earlier) {
		other = &b->name[i];
		if (strcmp(own->base, other->base) == 0) {
			m = records_of(b, i);
			if (m > 0 && (m > 1) == (n > 1))
				return true;
		} else if (n == 1 && may_be_part(own, other)) {
			if (is_part(own, other, records_of(b, i)))
				return true;
		} else if (n > 1 && may_be_part(other, own) && is_part(other, own, n) &&
		    records_of(b, i) == 1) {
			return true;
		}
	}
	return false;
}

static enum taf_status
check_free(const struct taf_outputs *b, const char *target, size_t number,
    struct taf_err *e)
{
	struct stat there;
	size_t i;

	if (lstat(target, &there) != 0)
		return errno == ENOENT ? TAF_OK : taf_fail_sys(e, "%s", target);
	for (i = 0; i < b->nfiles; i++)
		if (taf_same_file(b->files[i], target))
			return taf_fail(e, TAF_EDATA, "%s is %s", target,
			    i == number ? "the source itself" :
			    "another source");
	return b->force ? TAF_OK :
	    taf_fail(e, TAF_EDATA, "%s is there already (-f overwrites)", target);
}

enum taf_status
taf_outputs_open(struct taf_outputs *b, size_t number, uint64_t n,
    struct taf_buf *path, struct taf_writer **w, struct taf_err *e)
{
	struct taf_sink sink = { .format = TAF_FORMAT_TAF, .literal = n == 1 };
	const char *stem = b->name[number].stem;
	const int width = width_of(n);
	uint64_t k;

	if (n > 1 && taf_numbered(stem))
		return taf_fail(e, TAF_EDATA, "%%d in the name, and several records");
	if (taken(b, number, n))
		return n > 1 ? taf_fail(e, TAF_EDATA,
		    "%s-%0*d.taf and so on: another of the files is written to one", stem,
		    width, 1) : taf_fail(e, TAF_EDATA,
		    "%s.taf: another of the files is written to it", stem);
	for (k = 0; k < n; k++) {
		path->len = 0;
		if ((n == 1 ? taf_buf_printf(path, e, "%s.taf", stem) :
		    taf_buf_printf(path, e, "%s-%0*llu.taf", stem, width,
		    (unsigned long long)k + 1)) != TAF_OK ||
		    check_free(b, path->data, number, e) != TAF_OK)
			return e->code;
	}
	atomic_store(&b->records[number], n < UINT32_MAX ? (uint32_t)n + 1 : UINT32_MAX);
	if (n > 1) {
		path->len = 0;
		if (taf_buf_printf(path, e, "%s-%%0%dd.taf", stem, width) != TAF_OK)
			return e->code;
	}
	sink.path = path->data;
	return taf_writer_open(w, &sink, e);
}
