/* SPDX-License-Identifier: ISC */
#include "op/number/evaluate.h"

#include <stdlib.h>

#include "base/buf.h"
#include "stream/relay.h"

/* A block of a computation is one of a program. */
typedef char taf_blocks_fit[(int)TAF_COMPUTE_BLOCK <= (int)TAF_EXPR_BLOCK ? 1 : -1];

struct job {
	const struct taf_program *program;
	void *workspace[TAF_THREADS_MOST];	/* of each thread */
	struct taf_program_count count[TAF_THREADS_MOST];
};

static enum taf_status
block(void *ctx, const struct taf_block *b, struct taf_err *e)
{
	struct job *j = ctx;
	const struct taf_program_block of = { b->in, b->out, b->first, b->n };

	return taf_program_run(j->program, j->workspace[b->thread], &of,
	    &j->count[b->thread], e);
}

/* As many threads as there is room for workspaces. */
static enum taf_status
make_workspaces(struct job *j, unsigned *threads, uint64_t memory, struct taf_err *e)
{
	const size_t size = taf_program_workspace(j->program);
	unsigned k;

	if (size > memory)
		return taf_fail(e, TAF_EDATA,
		    "the expression takes %zu bytes of memory, more than the %llu of -m",
		    size, (unsigned long long)memory);
	*threads = taf_threads_some(taf_memory_share(memory, TAF_HELD), *threads, 0,
	    size);
	for (k = 0; k < *threads; k++) {
		j->workspace[k] = taf_alloc(size + 1, 1);
		if (j->workspace[k] == NULL)
			return taf_fail_mem(e);
	}
	return TAF_OK;
}

static void
remark(const struct taf_evaluate *how, const struct taf_service *service,
    const struct taf_program_count *underway, struct taf_convert_count *stored)
{
	const enum taf_type gives = taf_program_gives(how->program);
	const uint64_t n = taf_array_count(how->out);

	/* that a float is the nearest one is what floats are */
	if (!taf_type_is_int(gives) && !taf_type_is_int(how->out->type))
		stored->rounded = 0;
	if (underway->clipped > 0)
		taf_remark(service, "%llu integers clipped while they were computed",
		    (unsigned long long)underway->clipped);
	if (underway->rounded > 0)
		taf_remark(service,
		    "%llu integers rounded to flt64 while they were computed",
		    (unsigned long long)underway->rounded);
	taf_remark_lost(service, stored, n, how->out->type);
}

enum taf_status
taf_evaluate(const struct taf_evaluate *how, const struct taf_service *service,
    struct taf_err *e)
{
	const enum taf_type gives = taf_program_gives(how->program);
	const size_t workspace = taf_program_workspace(how->program);
	const uint64_t memory = taf_memory_for(service->memory, 2 * (uint64_t)workspace);
	struct taf_operand in[TAF_COMPUTE_MOST];
	struct job *j = calloc(1, sizeof *j);
	struct taf_program_count underway = { 0, 0 };
	struct taf_convert_count stored = { 0, 0 };
	struct taf_compute c = { .in = in, .nin = how->nin, .out = how->out, .w = how->w,
	    .as = gives, .clip = how->clip, .block = block, .ctx = j,
	    .threads = taf_threads(service) };
	enum taf_status st;
	unsigned k;

	if (j == NULL)
		return taf_fail_mem(e);
	j->program = how->program;
	for (k = 0; k < how->nin; k++) {
		in[k] = how->in[k];
		in[k].as = taf_program_takes(how->program, k);
	}
	/* counting takes time, and of floats there is nothing to tell */
	if (how->clip || taf_type_is_int(gives) || taf_type_is_int(how->out->type))
		c.count = &stored;
	st = make_workspaces(j, &c.threads, memory, e);
	c.memory = memory - c.threads * (uint64_t)workspace;
	if (st == TAF_OK)
		st = taf_compute(&c, e);
	for (k = 0; k < TAF_THREADS_MOST; k++) {
		underway.clipped += j->count[k].clipped;
		underway.rounded += j->count[k].rounded;
		free(j->workspace[k]);
	}
	if (st == TAF_OK)
		remark(how, service, &underway, &stored);
	free(j);
	return st;
}
