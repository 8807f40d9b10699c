/* gta2taf - Generic Tagged Arrays to TAF, the components of mixed types as arrays. */
/* link: zlib bzip2 lzma */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/endian.h"
#include "base/num.h"
#include "cli/cmd.h"
#include "codec/gta.h"
#include "kernel/convert.h"
#include "kernel/strided.h"
#include "stream/spool.h"

enum {
	COMPONENT = 256,
	BLOCK = 1024 * 1024,
	MIXED_MAX = 10000	/* arrays that the components of one become */
};

static const struct cmd_option options[] = {
	{ COMPONENT, "component", "K", "the K-th component alone" },
	{ 0, NULL, NULL, NULL },
};

static const struct cmd self = {
	"gta2taf", "convert Generic Tagged Arrays to TAF",
	"[--component K] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_TO_TAF,
};

struct intent {
	uint64_t component;	/* 0 for all */
	uint64_t ahead;		/* arrays of regular files that are still to come */
	uint64_t empty, made;	/* arrays left out for want of elements, and others */
};

/* How many arrays the present one becomes. */
static uint64_t
parts(const struct intent *want, const struct taf_gta *g)
{
	if (g->count == 0)
		return 0;
	return want->component != 0 || taf_gta_uniform(g) ? 1 : g->ncomponents;
}

/* Part i of them, as an array. */
static enum taf_status
part_array(const struct intent *want, const struct taf_gta *g, uint64_t i,
    struct taf_array *a, struct taf_err *e)
{
	size_t k = parts(want, g) > 1 ? (size_t)i + 1 : 0;

	if (want->component > SIZE_MAX || g->ncomponents == 0)
		return taf_fail(e, TAF_EDATA, "component %llu is wanted, but there are %zu",
		    (unsigned long long)want->component, g->ncomponents);
	if (want->component != 0)
		k = (size_t)want->component;
	return taf_gta_array(g, k, a, e);
}

/* Refuse what cannot become arrays, and count those that will come. */
static enum taf_status
check_file(struct intent *want, const struct cmd_run *run, struct taf_in *in,
    uint64_t *number, struct taf_err *e)
{
	struct taf_array a = { 0 };
	enum taf_status st = TAF_OK;
	struct taf_gta g;
	uint64_t i;

	taf_gta_init(&g, in);
	while (st == TAF_OK && (run->pick == 0 || *number < run->pick)) {
		uint64_t n;

		st = taf_gta_next(&g, e);
		if (st != TAF_OK || (++*number != run->pick && run->pick != 0))
			continue;
		n = parts(want, &g);
		if (n > MIXED_MAX)
			st = taf_fail(e, TAF_EDATA, "%llu components of mixed types, more than %d",
			    (unsigned long long)n, (int)MIXED_MAX);
		for (i = 0; i < n && st == TAF_OK; i++) {
			st = part_array(want, &g, i, &a, e);
			taf_array_fini(&a);
		}
		want->ahead += n;
	}
	taf_gta_fini(&g);
	return st == TAF_END ? TAF_OK : st;
}

/* All regular files are looked at before the first byte goes out. */
static enum taf_status
look_ahead(struct cmd_run *run, struct intent *want, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	uint64_t number = 0;
	int i;

	for (i = 0; i < run->nfiles && st == TAF_OK; i++) {
		const char *file = run->files[i];
		bool named = file != NULL && strcmp(file, "-") != 0;
		struct taf_in *in;
		struct stat sb;

		/* a pipe can be read once, and how many arrays it has is not known */
		if ((named ? stat(file, &sb) : fstat(0, &sb)) == 0 && !S_ISREG(sb.st_mode)) {
			if (run->pick != 0)
				break;
			continue;
		}
		st = taf_in_open(&in, file, e);
		if (st != TAF_OK)
			break;
		st = check_file(want, run, in, &number, e);
		taf_err_name(e, taf_in_name(in));
		taf_in_close(in);
	}
	return st;
}

/* The bytes of each element that are wanted: size of them, behind lead. */
struct piece {
	uint64_t lead, size, element;
	uint64_t count;
	unsigned char *block;	/* room for some elements */
};

/* As many pieces as there is room for, side by side in p->block. */
static enum taf_status
next_pieces(struct piece *p, struct taf_gta *g, size_t *n, struct taf_err *e)
{
	uint64_t trail = p->element - p->lead - p->size;
	uint64_t most = BLOCK / (p->element <= BLOCK ? p->element : p->size);
	size_t size = (size_t)p->size, i;
	enum taf_status st = TAF_OK;

	*n = (size_t)(p->count < most ? p->count : most);
	p->count -= *n;
	if (p->element <= BLOCK) {
		st = taf_gta_read(g, p->block, *n * (size_t)p->element, e);
		if (size < p->element)
			for (i = 0; i < *n; i++)
				memmove(p->block + i * size,
				    p->block + i * (size_t)p->element + p->lead, size);
		return st;
	}
	for (i = 0; i < *n && st == TAF_OK; i++) {
		st = taf_gta_pass(g, p->lead, e);
		if (st == TAF_OK)
			st = taf_gta_read(g, p->block + i * size, size, e);
		if (st == TAF_OK)
			st = taf_gta_pass(g, trail, e);
	}
	return st;
}

static void
swap(const struct taf_gta *g, void *p, enum taf_type type, size_t bytes)
{
	if (g->big != taf_host_is_big() && taf_type_word(type) > 1)
		taf_swap_bytes(p, taf_type_word(type), bytes / taf_type_word(type));
}

/* The pieces are an array as they come. */
static enum taf_status
move(struct piece *p, struct taf_gta *g, const struct taf_array *a, struct taf_writer *w,
    struct taf_err *e)
{
	bool plain = g->big == taf_host_is_big() || taf_type_word(a->type) == 1;
	enum taf_status st = TAF_OK;
	size_t n;

	if (plain && !g->chunked && p->size == p->element) {
		g->left = 0;
		return taf_writer_move(w, g->in, taf_array_count(a), e);
	}
	while (p->count > 0 && st == TAF_OK) {
		st = next_pieces(p, g, &n, e);
		if (st != TAF_OK)
			break;
		swap(g, p->block, a->type, n * (size_t)p->size);
		st = taf_writer_put(w, p->block, n * (size_t)p->size /
		    taf_type_size(a->type), e);
	}
	return st;
}
