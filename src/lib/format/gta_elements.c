/* SPDX-License-Identifier: ISC */
#include "format/gta_elements.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/endian.h"
#include "io/spool.h"
#include "kernel/move/strided.h"
#include "kernel/number/convert_private.h"

enum { BLOCK = 1024 * 1024 };

/* Elements that come in blocks; of each, size bytes behind lead are wanted. */
struct source {
	struct taf_gta *g;
	uint64_t lead, size, element;
	uint64_t count;			/* elements still to come */
	size_t most;			/* of them in a block */
	unsigned char *raw, *wanted;
};

static void
source_fini(struct source *s)
{
	if (s->wanted != s->raw)
		free(s->wanted);
	free(s->raw);
}

static enum taf_status
source_init(struct source *s, struct taf_gta *g, size_t k, struct taf_err *e)
{
	size_t i;

	s->g = g;
	s->lead = 0;
	s->size = s->element = g->element;
	s->count = g->count;
	for (i = 0; i + 1 < k; i++)
		s->lead += g->components[i].size;
	if (k > 0)
		s->size = g->components[k - 1].size;
	if (k == 0 && taf_gta_uniform(g)) {
		/* as many elements of one component */
		s->size = s->element = g->components[0].size;
		s->count *= g->ncomponents;
	}
	/* of large elements, with blobs, the rest is passed over */
	s->most = s->element <= BLOCK ? BLOCK / (size_t)s->element :
	    s->size <= BLOCK ? BLOCK / (size_t)s->size : 0;
	s->raw = s->wanted = s->most > 0 ? taf_alloc(1, BLOCK) : NULL;
	if (s->raw != NULL && s->size < s->element)
		s->wanted = taf_alloc(1, BLOCK);
	if (s->wanted != NULL)
		return TAF_OK;
	source_fini(s);
	return taf_fail_mem(e);
}

/* The next elements: what is wanted of n of them, at s->wanted. */
static enum taf_status
next_block(struct source *s, size_t *n, struct taf_err *e)
{
	const size_t size = (size_t)s->size;
	enum taf_status st = TAF_OK;
	size_t i;

	*n = s->count < s->most ? (size_t)s->count : s->most;
	s->count -= *n;
	if (s->element <= BLOCK) {
		const ptrdiff_t to = (ptrdiff_t)size, from = (ptrdiff_t)s->element;

		st = taf_gta_read(s->g, s->raw, *n * (size_t)s->element, e);
		if (st == TAF_OK && s->wanted != s->raw)
			taf_strided_copy(s->wanted, s->raw + s->lead,
			    &(struct taf_strided){ size, 1, n, &to, &from });
		return st;
	}
	for (i = 0; i < *n && st == TAF_OK; i++) {
		if (taf_gta_read(s->g, NULL, s->lead, e) != TAF_OK ||
		    taf_gta_read(s->g, s->wanted + i * size, size, e) != TAF_OK)
			return e->code;
		st = taf_gta_read(s->g, NULL, s->element - s->lead - s->size, e);
	}
	return st;
}

static void
to_host(const struct taf_gta *g, unsigned char *p, size_t word, size_t bytes)
{
	if (g->big != taf_host_is_big() && word > 1)
		taf_swap_bytes(p, word, bytes / word);
}

enum taf_status
taf_gta_move(struct taf_gta *g, size_t k, const struct taf_array *a, struct taf_writer *w,
    struct taf_err *e)
{
	const size_t word = taf_type_word(a->type), size = taf_type_size(a->type);
	const bool ours = word == 1 || g->big == taf_host_is_big();
	struct source s;
	enum taf_status st = TAF_OK;

	if (source_init(&s, g, k, e) != TAF_OK)
		return e->code;
	if (ours && !g->chunked && s.size == s.element) {
		g->left = s.count = 0;
		st = taf_writer_move(w, g->in, taf_array_count(a), e);
	}
	while (s.count > 0 && st == TAF_OK) {
		size_t n;

		st = next_block(&s, &n, e);
		if (st != TAF_OK)
			break;
		to_host(g, s.wanted, word, n * (size_t)s.size);
		st = taf_writer_put(w, s.wanted, n * (size_t)s.size / size, e);
	}
	source_fini(&s);
	return st;
}

/* A part of each element, which lie side by side in the temporary file. */
struct plane {
	size_t offset, size, word;
	uint64_t at;		/* where the next of them belongs */
};

bool
taf_gta_is_cut(const struct taf_gta *g, size_t k)
{
	return k == 0 && !taf_gta_uniform(g);
}

/* A plane for each component, and the size of all. */
static void
lay_out(const struct source *s, struct plane *planes, uint64_t *bytes)
{
	size_t offset = 0, i;

	*bytes = 0;
	for (i = 0; i < s->g->ncomponents; i++) {
		const struct taf_gta_component *c = &s->g->components[i];
		struct plane *p = &planes[i];

		p->word = taf_gta_word(c);
		p->size = (size_t)c->size;
		p->offset = offset;
		p->at = *bytes;
		offset += p->size;
		/* all of them together are no more than the array's bytes */
		*bytes += s->count * p->size;
	}
}

static enum taf_status
cut(struct source *s, struct plane *planes, unsigned char *part, struct taf_out *out,
    uint64_t base, struct taf_err *e)
{
	const ptrdiff_t from = (ptrdiff_t)s->size;
	enum taf_status st = TAF_OK;

	while (s->count > 0 && st == TAF_OK) {
		size_t n, i;

		st = next_block(s, &n, e);
		for (i = 0; i < s->g->ncomponents && st == TAF_OK; i++) {
			struct plane *p = &planes[i];
			const ptrdiff_t to = (ptrdiff_t)p->size;

			taf_strided_copy(part, s->wanted + p->offset,
			    &(struct taf_strided){ p->size, 1, &n, &to, &from });
			to_host(s->g, part, p->word, n * p->size);
			st = taf_out_pwrite(out, part, n * p->size, base + p->at, e);
			p->at += n * p->size;
		}
	}
	return st;
}

enum taf_status
taf_gta_cut(struct taf_gta *g, struct taf_in **in, struct taf_err *e)
{
	struct plane *planes = taf_alloc(g->ncomponents, sizeof *planes);
	unsigned char *part = taf_alloc(1, BLOCK);
	struct taf_spool spool = { NULL, -1 };
	uint64_t bytes, base;
	enum taf_status st;
	struct source s;

	if (planes == NULL || part == NULL) {
		free(planes);
		free(part);
		return taf_fail_mem(e);
	}
	st = source_init(&s, g, 0, e);
	if (st == TAF_OK) {
		lay_out(&s, planes, &bytes);
		if (taf_spool_region(&spool, bytes, &base, e) != TAF_OK)
			st = e->code;
		else
			st = cut(&s, planes, part, spool.out, base, e);
		source_fini(&s);
	}
	free(planes);
	free(part);
	return taf_spool_end(&spool, st, "temporary file", in, e);
}
