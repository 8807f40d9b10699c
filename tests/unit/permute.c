/* SPDX-License-Identifier: ISC */
/* taf_permute() from memory to memory, against a loop over the elements. */
#include "stream/permute.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/move/permute_plan.h"
#include "unit.h"

enum { NDIM = 6, SMALL = 1 << 17, ROOM = 1 << 22, ROUNDS = 900 };

struct shape {
	size_t esize;
	unsigned ndim;
	uint64_t n[NDIM];
	unsigned order[NDIM];
	size_t bytes;
};

/* A file in memory that knows how often each byte was written. */
struct file {
	const unsigned char *in;
	unsigned char *out, *times;
	size_t bytes;
	bool sequential;
	bool foul;		/* a call broke a promise */
	uint64_t next;		/* where a sequential write must begin */
	uint64_t fail_read, fail_write;		/* calls until one fails; 0: none */
	pthread_mutex_t lock;
};

static unsigned char src[ROOM], want[ROOM], got[ROOM], times[ROOM];

/* Does the call that was counted down to fail? */
static bool
fails(uint64_t *left)
{
	return *left > 0 && --*left == 0;
}

static enum taf_status
read_in(void *ctx, void *buf, uint64_t off, size_t n, struct taf_err *e)
{
	struct file *f = ctx;
	bool fail;

	pthread_mutex_lock(&f->lock);
	fail = fails(&f->fail_read);
	if (off > f->bytes || n > f->bytes - off || n == 0)
		f->foul = true;
	else
		memcpy(buf, f->in + off, n);
	pthread_mutex_unlock(&f->lock);
	return fail ? taf_fail(e, TAF_EDATA, "short input") : TAF_OK;
}

static enum taf_status
write_out(void *ctx, const void *buf, uint64_t off, size_t n, struct taf_err *e)
{
	struct file *f = ctx;
	size_t i;
	bool fail;

	pthread_mutex_lock(&f->lock);
	fail = fails(&f->fail_write);
	if (off > f->bytes || n > f->bytes - off || n == 0) {
		f->foul = true;
	} else {
		memcpy(f->out + off, buf, n);
		for (i = 0; i < n; i++)
			f->times[off + i]++;
	}
	if (f->sequential && off != f->next)
		f->foul = true;
	f->next = off + n;
	pthread_mutex_unlock(&f->lock);
	return fail ? taf_fail(e, TAF_ESYS, "no space") : TAF_OK;
}

/* The offset of every output element, one dimension after the other. */
static void
naive(const struct shape *s)
{
	uint64_t at[NDIM] = { 0 };	/* of the output */
	uint64_t step[NDIM], off;
	size_t done;
	unsigned k;

	for (k = 0; k < s->ndim; k++)
		step[k] = k == 0 ? s->esize : step[k - 1] * s->n[k - 1];
	for (done = 0; done < s->bytes; done += s->esize) {
		for (off = 0, k = 0; k < s->ndim; k++)
			off += at[k] * step[s->order[k]];
		memcpy(want + done, src + off, s->esize);
		for (k = 0; k < s->ndim && ++at[k] == s->n[s->order[k]]; k++)
			at[k] = 0;
	}
}

static void
random_order(unsigned order[], unsigned ndim)
{
	unsigned i, k, t;

	for (k = 0; k < ndim; k++)
		order[k] = k;
	for (k = ndim; k > 1; k--) {
		i = draw(k);
		t = order[k - 1];
		order[k - 1] = order[i];
		order[i] = t;
	}
}

static void
random_shape(struct shape *s)
{
	static const size_t sizes[] = { 1, 2, 4, 8, 16, 3, 12 };
	static const uint32_t longest[NDIM + 1] = { 1, 9000, 250, 50, 16, 10, 7 };
	unsigned k;

	s->esize = sizes[draw(sizeof sizes / sizeof *sizes)];
	s->ndim = 1 + draw(NDIM);
	s->bytes = s->esize;
	for (k = 0; k < s->ndim; k++) {
		s->n[k] = 1 + draw(draw(3) ? longest[s->ndim] : 4);
		if (draw(8) == 0)
			s->n[k] = 1;
		if (s->bytes * s->n[k] > SMALL)
			s->n[k] = 1;
		s->bytes *= (size_t)s->n[k];
	}
	if (draw(40) == 0) {
		s->n[draw(s->ndim)] = 0;
		s->bytes = 0;
	}
	random_order(s->order, s->ndim);
}

static struct taf_permute_io
open_file(struct file *f, const struct shape *s, bool sequential)
{
	memset(f, 0, sizeof *f);
	memset(got, 0xee, s->bytes);
	memset(times, 0, s->bytes);
	f->in = src;
	f->out = got;
	f->times = times;
	f->bytes = s->bytes;
	f->sequential = sequential;
	pthread_mutex_init(&f->lock, NULL);
	return (struct taf_permute_io){ f, read_in, write_out, sequential, NULL };
}

static bool
once_each(size_t bytes)
{
	size_t i;

	for (i = 0; i < bytes && times[i] == 1; i++)
		;
	return i == bytes;
}

static void
check_mapped(const struct shape *s, bool sequential, const unsigned char *map,
    size_t memory, unsigned threads)
{
	struct file f;
	struct taf_permute_io io = open_file(&f, s, sequential);
	struct taf_err e;

	io.map = map;
	taf_err_clear(&e);
	CHECK_EQ(taf_permute(&io, &(struct taf_permute_shape){ s->esize, s->ndim, s->n,
	    s->order }, memory, threads, &e), TAF_OK);
	CHECK_MEM(got, want, s->bytes);
	CHECK(once_each(s->bytes));
	CHECK(!f.foul);
	if (sequential)
		CHECK_EQ(f.next, s->bytes);
	pthread_mutex_destroy(&f.lock);
}

static void
check_shape(const struct shape *s, bool sequential, size_t memory, unsigned threads)
{
	check_mapped(s, sequential, NULL, memory, threads);
	check_mapped(s, sequential, src, memory, threads);
}

static void
test_random(void)
{
	static const size_t memory[] = { 40, 1000, 4096, 16384, 100000, 1 << 20 };
	struct shape s;
	unsigned r;

	for (r = 0; r < ROUNDS; r++) {
		random_shape(&s);
		naive(&s);
		check_shape(&s, r & 1, memory[draw(6)], 1);
	}
}

/* Large enough for three threads, with memory for many blocks. */
static const struct shape large = { 2, 3, { 1024, 7, 250 }, { 2, 1, 0 }, 3584000 };

static void
test_threads(void)
{
	static const size_t memory[] = { 12288, 100000, 1 << 20 };
	struct shape s = large;
	struct taf_permutation p;
	struct taf_permute_plan q;
	unsigned r;

	CHECK(taf_permute_reduce(&p, s.esize, s.ndim, s.n, s.order));
	taf_permute_plan(&q, &p, memory[0], 3, false);
	CHECK_EQ(q.threads, 3);
	for (r = 0; r < 4; r++) {
		naive(&s);
		check_shape(&s, r & 1, memory[r % 3], 3);
		random_order(s.order, s.ndim);
	}
}

static void
test_failures(void)
{
	const struct shape s = large;
	struct taf_permute_io io;
	struct taf_err e;
	struct file f;
	unsigned k;

	for (k = 0; k < 8; k++) {
		io = open_file(&f, &s, k & 1);
		f.fail_read = k & 2 ? 5 : 0;
		f.fail_write = k & 2 ? 0 : 5;
		taf_err_clear(&e);
		CHECK_EQ(taf_permute(&io, &(struct taf_permute_shape){ s.esize, s.ndim,
		    s.n, s.order }, 12288, k & 4 ? 3 : 1, &e),
		    k & 2 ? TAF_EDATA : TAF_ESYS);
		CHECK_STR(e.text, k & 2 ? "short input" : "no space");
		pthread_mutex_destroy(&f.lock);
	}
}

static void
test_refusals(void)
{
	static const unsigned twice[] = { 0, 0 }, beyond[] = { 0, 2 }, good[] = { 1, 0 };
	static const unsigned apart[] = { 0, 1, 0 };
	static const uint64_t small[] = { 2, 3, 4 };
	static const uint64_t huge[] = { UINT64_C(1) << 32, UINT64_C(1) << 31 };
	struct taf_permutation p;

	CHECK(!taf_permute_reduce(&p, 1, 2, small, twice));
	CHECK(!taf_permute_reduce(&p, 1, 2, small, beyond));
	CHECK(!taf_permute_reduce(&p, 1, 3, small, apart));
	CHECK(!taf_permute_reduce(&p, 2, 2, huge, good));
	CHECK(taf_permute_reduce(&p, 1, 2, huge, good));
}

/* Dimensions of length 1 go, neighbours that stay neighbours become one. */
static void
test_reduce(void)
{
	static const uint64_t n[] = { 2, 1, 3, 5, 1, 7 };
	static const unsigned order[] = { 3, 4, 5, 1, 0, 2 };
	static const unsigned same[] = { 0, 1, 2, 3, 4, 5 };
	struct taf_permutation p;

	CHECK(taf_permute_reduce(&p, 4, 6, n, order));
	CHECK_EQ(p.bytes, 4 * 210);
	CHECK_EQ(p.nd, 2);
	CHECK(p.n[0] == 6 && p.n[1] == 35);
	CHECK(p.out[0] == 1 && p.out[1] == 0);
	CHECK(taf_permute_reduce(&p, 4, 6, n, same));
	CHECK_EQ(p.nd, 1);
	CHECK_EQ(p.n[0], 210);
}

/* Bytes up to the end of a box that is laid out. */
static uint64_t
extent(const struct taf_permutation *p, const uint64_t ext[], const unsigned seq[])
{
	struct taf_permute_layout l;
	uint64_t end = p->esize;
	unsigned k;

	taf_permute_lay_out(&l, p, ext, seq);
	for (k = 0; k < p->nd; k++)
		end += (ext[k] - 1) * (uint64_t)l.step[k];
	return end;
}

/* Within its memory, whatever the shape; also far beyond what fits a test. */
static void
test_memory(void)
{
	static const size_t memory[] = { 4096, 1 << 20, 256 << 20 };
	struct taf_permutation p;
	struct taf_permute_plan q;
	struct shape s;
	unsigned k, r;
	uint64_t most;

	for (r = 0; r < 600; r++) {
		random_shape(&s);
		for (k = 0; k < s.ndim && k < 3; k++)
			s.n[k] *= 1 + draw(5000);
		if (!CHECK(taf_permute_reduce(&p, s.esize, s.ndim, s.n, s.order)))
			return;
		if (p.bytes == 0)
			continue;
		taf_permute_plan(&q, &p, memory[r % 3], 1 + r % 4, r & 1);
		if (r & 2 && !taf_permute_plan_mapped(&q, &p, memory[r % 3], 1 + r % 4,
		    r & 1))
			continue;
		most = q.threads * ((uint64_t)q.block_bytes + q.tile_bytes);
		CHECK(most <= memory[r % 3]);
		CHECK(r & 2 ? q.block_bytes == 0 :
		    extent(&p, q.block, p.in) <= q.block_bytes);
		CHECK(extent(&p, q.tile, p.out) <= q.tile_bytes);
		CHECK(q.threads >= 1 && q.threads <= 1 + r % 4);
	}
}

static void
test_advice(void)
{
	static const uint64_t plane[] = { 1 << 20, 1 << 20 };
	static const unsigned turned[] = { 1, 0 }, same[] = { 0, 1 };
	const size_t memory = 256 << 20;

	CHECK(taf_permute_wants_random_output(&(struct taf_permute_shape){ 4, 2,
	    plane, turned }, true, memory, 1));
	CHECK(!taf_permute_wants_random_output(&(struct taf_permute_shape){ 4, 2,
	    plane, same }, false, memory, 1));
}

int
main(void)
{
	size_t i;

	for (i = 0; i < ROOM; i++)
		src[i] = (unsigned char)draw(256);
	UNIT(test_random);
	UNIT(test_threads);
	UNIT(test_failures);
	UNIT(test_refusals);
	UNIT(test_reduce);
	UNIT(test_memory);
	UNIT(test_advice);
	return unit_end();
}
