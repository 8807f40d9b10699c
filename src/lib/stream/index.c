/* SPDX-License-Identifier: ISC */
#include "stream/index.h"

#include <stdlib.h>
#include <string.h>

#include "io/spool.h"
#include "io/temp.h"

struct source {
	char *path;
	struct taf_in *spool;	/* of what was no regular file */
};

struct entry {
	size_t file;
	struct taf_reader_spot spot;
};

struct taf_index {
	struct source *files;
	size_t nfiles;
	uint64_t memory;		/* bound of bytes for entries */
	struct taf_store entries;
	uint64_t count;
};

enum taf_status
taf_index_open(struct taf_index **x, uint64_t memory, struct taf_err *e)
{
	*x = calloc(1, sizeof **x);
	if (*x == NULL)
		return taf_fail_mem(e);
	(*x)->memory = memory;
	return TAF_OK;
}

static struct entry *
entries(const struct taf_index *x)
{
	return x->entries.p;
}

void
taf_index_close(struct taf_index *x)
{
	size_t i;

	if (x == NULL)
		return;
	for (i = 0; i < x->nfiles; i++) {
		taf_in_close(x->files[i].spool);
		free(x->files[i].path);
	}
	free(x->files);
	taf_store_free(&x->entries);
	free(x);
}

uint64_t
taf_index_count(const struct taf_index *x)
{
	return x->count;
}

size_t
taf_index_files(const struct taf_index *x)
{
	return x->nfiles;
}

const char *
taf_index_name(const struct taf_index *x, size_t file)
{
	return taf_in_called(x->files[file].path);
}

/* Room for one more, where n of them fill what is a power of two. */
static enum taf_status
grow(struct taf_index *x, struct taf_err *e)
{
	const size_t n = x->nfiles;
	struct source *more;

	if ((n & (n - 1)) != 0)
		return TAF_OK;
	more = n > SIZE_MAX / 2 / sizeof *more ? NULL :
	    realloc(x->files, (n != 0 ? n * 2 : 1) * sizeof *more);
	if (more == NULL)
		return taf_fail_mem(e);
	x->files = more;
	return TAF_OK;
}

static enum taf_status
add_source(struct taf_index *x, const char *path, struct taf_err *e)
{
	struct source *s;
	struct taf_in *in;
	enum taf_status st = grow(x, e);

	if (st != TAF_OK)
		return st;
	s = &x->files[x->nfiles];
	s->spool = NULL;
	s->path = strdup(path != NULL ? path : "-");
	if (s->path == NULL)
		return taf_fail_mem(e);
	x->nfiles++;
	st = taf_in_open(&in, s->path, e);
	if (st != TAF_OK)
		return st;
	if (!taf_in_seekable(in)) {
		st = taf_spool_rest(&in, e);
		s->spool = in;
	} else {
		taf_in_close(in);
	}
	return st;
}

/* A reader from the start of a file. */
static enum taf_status
open_source(const struct source *s, struct taf_reader **r, struct taf_err *e)
{
	struct taf_in *in;
	enum taf_status st;

	if (s->spool == NULL)
		return taf_reader_open(r, s->path, 0, e);
	st = taf_in_again(&in, s->spool, 0, e);
	return st != TAF_OK ? st : taf_reader_new(r, in, NULL, 0, e);
}

static enum taf_status
add_entry(struct taf_index *x, const struct taf_reader *r, struct taf_err *e)
{
	enum taf_status st = taf_store_grow(&x->entries, x->count + 1,
	    sizeof(struct entry), x->memory, e);

	if (st == TAF_OK)
		entries(x)[x->count++] = (struct entry){ x->nfiles - 1,
		    taf_reader_where(r) };
	return st;
}

enum taf_status
taf_index_add(struct taf_index *x, const char *path, taf_index_each *each, void *ctx,
    struct taf_err *e)
{
	struct taf_array a = { 0 };
	struct taf_reader *r = NULL;
	enum taf_status st = add_source(x, path, e);

	if (st == TAF_OK)
		st = open_source(&x->files[x->nfiles - 1], &r, e);
	while (st == TAF_OK) {
		st = taf_reader_next(r, &a, e);
		if (st == TAF_OK)
			st = add_entry(x, r, e);
		if (st == TAF_OK && each != NULL)
			st = each(ctx, &a, e);
	}
	taf_reader_close(r);
	taf_array_fini(&a);
	if (x->nfiles > 0)
		taf_err_name(e, taf_index_name(x, x->nfiles - 1));
	return st == TAF_END ? TAF_OK : st;
}

enum taf_status
taf_index_seek(const struct taf_index *x, struct taf_cursor *c, uint64_t k,
    struct taf_array *a, struct taf_err *e)
{
	const struct entry *at = &entries(x)[k];
	enum taf_status st = TAF_OK;

	if (c->r != NULL && c->file != at->file) {
		taf_reader_close(c->r);
		c->r = NULL;
	}
	c->file = at->file;
	if (c->r == NULL)
		st = open_source(&x->files[c->file], &c->r, e);
	if (st == TAF_OK) {
		taf_reader_go(c->r, &at->spot);
		st = taf_reader_next(c->r, a, e);
	}
	if (st == TAF_END)
		st = taf_fail(e, TAF_EDATA,
		    "the file has changed since its header was read");
	taf_err_name(e, taf_index_name(x, c->file));
	return st;
}
