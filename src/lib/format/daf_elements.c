/* SPDX-License-Identifier: ISC */
#include "format/daf_elements.h"

#include <stdlib.h>
#include <string.h>

#include "base/endian.h"
#include "io/spool.h"
#include "kernel/number/convert_private.h"
#include "stream/reorder_private.h"

enum { BLOCK = 1024 * 1024, SOME = 64 * 1024 };

/* Where elements come from. */
struct source {
	const struct taf_daf_item *it;
	enum taf_type type;
	uint64_t done;
	struct taf_daf_flow *flow;	/* dense: of the file, */
	struct taf_in *in;		/* or of its transpose, little-endian */
	struct taf_daf_sparse m;
};

enum taf_status
taf_daf_elements_sparse(const struct taf_daf *s, const struct taf_daf_item *it,
    struct taf_daf_sparse *m, struct taf_err *e)
{
	struct taf_daf_sparse stored;
	enum taf_status st;

	if (!it->transposed)
		return taf_daf_sparse_load(s, it, m, e);
	st = taf_daf_sparse_load(s, it, &stored, e);
	if (st != TAF_OK)
		return st;
	st = taf_daf_sparse_transpose(&stored, m, e);
	taf_daf_sparse_free(&stored);
	return st;
}

enum taf_status
taf_daf_elements_stored(const struct taf_daf *s, const struct taf_daf_item *it,
    struct taf_in **in, struct taf_err *e)
{
	size_t size = taf_daf_size(it->d.type), n;
	enum taf_status st;
	struct taf_daf_flow *f = NULL;
	struct taf_spool spool = { 0 };
	uint64_t left = it->d.value.n;
	unsigned char *block;

	if (!it->d.value.packed && it->d.type <= TAF_FLT64)
		return taf_daf_payload(s, it, &it->d.value, in, e);
	block = malloc(BLOCK);
	if (block == NULL)
		return taf_fail_mem(e);
	st = taf_daf_flow_open(s, it, &it->d.value, &f, e);
	if (st == TAF_OK)
		st = taf_spool_begin(&spool, e);
	for (; left > 0 && st == TAF_OK; left -= n) {
		n = left < BLOCK / size ? (size_t)left : BLOCK / size;
		st = taf_daf_flow_read(f, block, n, e);
		if (st == TAF_OK && taf_host_is_big())
			taf_swap_bytes(block, size, n);
		if (st == TAF_OK)
			st = taf_out_write(spool.out, block, n * size, e);
	}
	st = taf_spool_end(&spool, st, it->name, in, e);
	taf_daf_flow_close(f);
	free(block);
	return st;
}

/* A dense item that is stored as its transpose: transposed in a temporary file. */
static enum taf_status
transpose(struct source *v, const struct taf_service *service,
    const struct taf_daf *s, struct taf_err *e)
{
	static const unsigned order[2] = { 1, 0 };
	struct taf_reorder how = { .order = order, .recode = TAF_CHANGE_NONE,
		.memory = service->memory, .jobs = taf_threads(service) };
	struct taf_spool spool = { 0 };
	struct taf_in *in = NULL;
	struct taf_array a;
	enum taf_status st;

	taf_array_init(&a);
	a.type = v->type;
	taf_array_add_dim(&a, v->it->n[1], 1, 1);
	taf_array_add_dim(&a, v->it->n[0], 1, 1);
	st = taf_daf_elements_stored(s, v->it, &in, e);
	if (st == TAF_OK)
		st = taf_spool_begin(&spool, e);
	how.out = spool.out;
	if (st == TAF_OK)
		st = taf_reorder_in(&how, in, &a, false, e);
	st = taf_spool_end(&spool, st, v->it->name, &v->in, e);
	taf_in_close(in);
	return st;
}

static enum taf_status
open_source(struct source *v, const struct taf_service *service, const struct taf_daf *s,
    struct taf_err *e)
{
	const struct taf_daf_item *it = v->it;

	if (it->d.sparse)
		return taf_daf_elements_sparse(s, it, &v->m, e);
	if (it->transposed)
		return transpose(v, service, s, e);
	return it->kind == TAF_DAF_SCALAR || it->indices ? TAF_OK :
	    taf_daf_flow_open(s, it, &it->d.value, &v->flow, e);
}

/* The next n elements. */
static enum taf_status
read_source(struct source *v, unsigned char *to, size_t n, struct taf_err *e)
{
	size_t size = taf_type_size(v->type), i;
	enum taf_status st = TAF_OK;
	int64_t number;

	if (v->it->kind == TAF_DAF_SCALAR) {
		memcpy(to, v->it->scalar.value, size);
	} else if (v->it->indices) {
		for (i = 0; i < n; i++) {
			number = (int64_t)(v->done + i + 1);
			memcpy(to + i * sizeof number, &number, sizeof number);
		}
	} else if (v->it->d.sparse) {
		taf_daf_sparse_fill(&v->m, v->done, n, to);
	} else if (v->flow != NULL) {
		st = taf_daf_flow_read(v->flow, to, n, e);
	} else {
		st = taf_in_read(v->in, to, n * size, e);
		if (st == TAF_OK && taf_host_is_big())
			taf_swap_bytes(to, size, n);
	}
	v->done += n;
	return st;
}

enum taf_status
taf_daf_elements(const struct taf_service *service, const struct taf_daf *s,
    const struct taf_daf_item *it, taf_daf_some *put, void *ctx, struct taf_err *e)
{
	const bool scalar = it->kind == TAF_DAF_SCALAR;
	const unsigned type = scalar ? it->scalar.type : it->d.type;
	const uint64_t all = scalar ? 1 : it->n[0] * it->n[1];
	struct source v = { .it = it, .type = taf_daf_element(type) };
	unsigned char *block;
	enum taf_status st;
	size_t n;

	if (type == TAF_DAF_STRING)
		return taf_fail(e, TAF_EDATA,
		    "%s: strings are no numbers (dafls --entries prints them)", it->name);
	block = taf_alloc(SOME, taf_type_size(v.type));
	st = block != NULL ? open_source(&v, service, s, e) : taf_fail_mem(e);
	while (v.done < all && st == TAF_OK) {
		n = all - v.done < SOME ? (size_t)(all - v.done) : SOME;
		st = read_source(&v, block, n, e);
		if (st == TAF_OK)
			st = put(ctx, block, n, e);
	}
	taf_daf_flow_close(v.flow);
	taf_in_close(v.in);
	taf_daf_sparse_free(&v.m);
	free(block);
	return st;
}
