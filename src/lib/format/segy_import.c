/* SPDX-License-Identifier: ISC */
#include "format/segy_convert.h"

#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/need.h"
#include "base/num.h"
#include "base/threads.h"
#include "codec/tag.h"
#include "io/remote.h"
#include "io/spool.h"
#include "kernel/number/convert_private.h"
#include "kernel/number/samples.h"
#include "stream/tiles.h"

enum {
	PIECE = 1024 * 1024,	/* bytes that a thread reads, and makes, at a time */
	NEAR = 32 * 1024,	/* a gap in the file that is worth no read of its own */
	SOME = 8192		/* headers that are looked at before all else */
};

/* A trace, and its two keys; or its key, and its number among those that have it. */
struct entry {
	int32_t key[2];
	uint64_t trace;		/* NOWHERE: there is none */
};

static const uint64_t NOWHERE = UINT64_MAX;

/* What a thread has seen: values; traces of another start, interval, and length. */
struct seen {
	struct taf_convert_count count;
	uint64_t late, uneven, other;
};

/* A row of the result is what is wanted of a trace. */
struct job {
	const struct taf_segy_import *want;
	struct taf_segy s;
	struct taf_in *in;
	struct taf_writer *w;
	struct entry *entry;	/* all traces by their keys, or NULL */
	/* the grids of the two keys: lowest value, step, count */
	int64_t low[2];
	uint64_t step[2], count[2];
	uint64_t *offset;	/* of each trace and the end, where lengths differ */
	uint64_t resized;	/* traces that are cut or padded */
	struct taf_segy_choice keys;	/* the row is these words, if there are any */
	enum taf_type type;
	size_t bytes, made;	/* of an element of the row, and of the result */
	struct taf_region region;
	uint64_t rows;
	/* in a trace: its first element, and what is read from the begin on */
	uint64_t at, span;
	bool apart;		/* header and elements are read for themselves */
	bool dense;		/* neighbours are read as they lie */
	bool turn;		/* pieces are read in turn, not by the threads */
	size_t pitch, where;	/* from row to row of what is read; the elements in it */
	size_t piece, scratch;	/* elements of a piece, bytes that are read for it */
	unsigned char fill[8];
	struct seen seen[TAF_THREADS_MOST];
	uint64_t done;		/* elements in pieces so far */
};

static int
by_keys(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	const unsigned k = x->key[0] == y->key[0];

	return (x->key[k] > y->key[k]) - (x->key[k] < y->key[k]);
}

static int
by_keys_and_trace(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	const int c = by_keys(a, b);

	return c != 0 ? c : (x->trace > y->trace) - (x->trace < y->trace);
}

/* The trace that row r is. */
static uint64_t
trace_of(const struct job *j, uint64_t r)
{
	const struct taf_region *g = &j->region;
	const uint64_t i = g->first[1] + r % g->count[1] * g->step[1];
	const uint64_t k = g->first[2] + r / g->count[1] * g->step[2];
	struct entry wanted = { .trace = NOWHERE }, *at;

	if (j->entry == NULL)
		return i;
	wanted.key[0] = (int32_t)(j->low[0] + (int64_t)(k * j->step[0]));
	wanted.key[1] = (int32_t)(j->low[1] + (int64_t)(i * j->step[1]));
	at = bsearch(&wanted, j->entry, (size_t)j->s.ntraces, sizeof wanted, by_keys);
	return at != NULL ? at->trace : NOWHERE;
}

static uint64_t
offset_of(const struct job *j, uint64_t trace)
{
	return j->offset != NULL ? j->offset[trace] : j->s.start + trace * j->s.stride;
}

/* From a file at any place, by several threads; from a pipe one after the other. */
static enum taf_status
read_at(const struct job *j, void *p, uint64_t n, uint64_t off, struct taf_err *e)
{
	if (taf_in_seekable(j->in))
		return taf_in_pread(j->in, p, (size_t)n, off, e);
	if (taf_in_skip(j->in, off - taf_in_offset(j->in), e) != TAF_OK)
		return e->code;
	return taf_in_read(j->in, p, (size_t)n, e);
}

/*
 * cols elements from col on of a trace, with its header, or n bytes of many traces; what
 * a short one lacks is 0.
 */
static enum taf_status
read_row(const struct job *j, unsigned char *p, uint64_t trace, uint64_t col, size_t cols,
    size_t n, struct taf_err *e)
{
	const uint64_t off = offset_of(j, trace), step = j->region.step[0];
	uint64_t at = 0, there;

	if (j->apart) {
		if (col == 0 && read_at(j, p, TAF_SEGY_HEADER, off, e) != TAF_OK)
			return e->code;
		p += TAF_SEGY_HEADER;
		at = j->at + col * step * j->bytes;
		n = (size_t)((cols - 1) * step + 1) * j->bytes;
	}
	if (j->offset == NULL)
		return read_at(j, p, n, off + at, e);
	there = j->offset[trace + 1] - off;
	there = there < at ? 0 : there - at < n ? there - at : n;
	memset(p + there, 0, (size_t)(n - there));
	return read_at(j, p, there, off + at, e);
}

/* Does the header agree with what all headers must say alike?  The rest is counted. */
static enum taf_status
check_header(const struct job *j, const unsigned char *header, uint64_t trace,
    struct seen *seen, struct taf_err *e)
{
	const struct taf_segy *s = &j->s;
	const uint64_t ns = taf_segy_samples(s, header);
	const bool other = j->offset == NULL && ns != 0 && ns != s->ns;

	if (other && !s->doubted && ns != s->ns_trace)
		return taf_fail(e, TAF_EDATA,
		    "trace %llu has %llu samples, the first %llu (--length N makes them alike)",
		    (unsigned long long)trace + 1, (unsigned long long)ns,
		    (unsigned long long)s->ns_trace);
	seen->other += other && s->doubted;
	seen->late += !taf_same_bits(taf_segy_begin(s, header),
	    taf_segy_begin(s, s->first));
	seen->uneven += taf_segy_get(header, TAF_SEGY_DT, s->big) !=
	    taf_segy_get(s->first, TAF_SEGY_DT, s->big);
	return TAF_OK;
}

/*
 * cols elements from col on of a trace whose bytes are at header, where some are moved.
 */
static enum taf_status
decode_row(const struct job *j, unsigned char *header, uint64_t trace, uint64_t col,
    size_t cols, unsigned char *to, struct taf_convert_count *count, struct taf_err *e)
{
	const struct taf_segy *s = &j->s;
	const enum taf_segy_kind kind = j->want->raw ? TAF_SEGY_PLAIN : s->format->kind;
	const uint64_t step = j->region.step[0];
	unsigned char *const from = header + j->where;
	size_t k, n = cols;
	int32_t v;

	for (k = 0; k < j->keys.n; k++, to += sizeof v) {
		v = taf_segy_get(header, j->keys.key[k], s->big);
		memcpy(to, &v, sizeof v);
	}
	if (j->keys.n > 0)
		return TAF_OK;
	for (k = 1; k < cols && step > 1; k++)
		memcpy(from + k * j->bytes, from + k * step * j->bytes, j->bytes);
	if (kind == TAF_SEGY_IBM)
		n = taf_ibm_get((float *)(void *)to, from, cols, s->big, j->want->clip,
		    count);
	else if (kind == TAF_SEGY_INT24)
		taf_int24_get(to, from, cols, s->big, taf_type_is_signed(j->type));
	else
		memcpy(to, from, cols * j->bytes);
	if (kind == TAF_SEGY_PLAIN && taf_swap_needed(j->type, s->big))
		taf_swap_elements(to, j->type, cols);
	return n == cols ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "trace %llu, sample %llu is beyond the range of flt32 (--clip takes the largest)",
	    (unsigned long long)trace + 1,
	    (unsigned long long)(j->region.first[0] + (col + n) * step + 1));
}

static bool
next_piece(void *ctx, struct taf_tile *t)
{
	struct job *j = ctx;

	t->scratch_size = j->scratch;
	return taf_tile_piece(t, 0, &j->done, j->rows * j->region.count[0], j->piece);
}

/* All rows of a piece as they lie: if in turn, while others are worked on. */
static enum taf_status
read_dense(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	const struct job *j = ctx;
	const uint64_t all = j->region.count[0];

	return read_row(j, t->scratch, trace_of(j, t->out.first / all), 0, 0,
	    (size_t)j->span + (t->out.n / (size_t)all - 1) * j->pitch, e);
}

/* Rows, or a part of one. */
static enum taf_status
work(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	struct seen *seen = &j->seen[t->slot];
	const uint64_t all = j->region.count[0], end = t->out.first + t->out.n;
	unsigned char *header = t->scratch, *to = t->stored;
	uint64_t at;
	size_t cols, k;

	for (at = t->out.first; at < end; at += cols, to += cols * j->made) {
		const uint64_t row = at / all, col = at % all, trace = trace_of(j, row);

		cols = (size_t)(end - at < all - col ? end - at : all - col);
		for (k = 0; trace == NOWHERE && k < cols; k++)
			memcpy(to + k * j->made, j->fill, j->made);
		if (trace == NOWHERE)
			continue;
		if (j->dense && at > t->out.first)
			header += j->pitch;
		else if (j->dense ? !j->turn && read_dense(j, t, e) != TAF_OK :
		    read_row(j, header, trace, col, cols, (size_t)j->span, e) != TAF_OK)
			return e->code;
		if ((col == 0 && check_header(j, header, trace, seen, e) != TAF_OK) ||
		    decode_row(j, header, trace, col, cols, to, &seen->count, e) !=
		    TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

/* How rows are read, and how many, or how much of one, are a piece. */
static void
plan(struct job *j)
{
	const struct taf_region *g = &j->region;
	const bool words = j->keys.n > 0;
	const uint64_t all = g->count[0], wide = (words ? 1 : g->step[0]) * j->bytes;
	const uint64_t gap = words ? 0 : g->first[0] * j->bytes;
	const uint64_t most = PIECE / (wide > j->made ? wide : j->made);
	const bool cut = !words && all > most;
	uint64_t n = cut ? most + (most == 0) : all, rows = 1;

	j->turn = !taf_in_seekable(j->in) || taf_in_coarse(j->in);
	j->rows = g->count[1] * (g->ndim > 2 ? g->count[2] : 1);
	j->at = (words || j->want->raw ? 0 : j->s.header) + gap;
	j->span = words ? 0 : j->at + (all - 1) * wide + j->bytes;
	if (j->span < TAF_SEGY_HEADER)
		j->span = TAF_SEGY_HEADER;
	j->apart = cut || gap > (taf_in_far(j->in) ? PIECE : NEAR);
	j->where = j->apart ? TAF_SEGY_HEADER : (size_t)j->at;
	j->dense = !j->apart && j->entry == NULL && j->offset == NULL &&
	    g->step[1] == 1 && j->s.stride - j->span < NEAR;
	j->pitch = (size_t)(j->dense ? j->s.stride : !j->apart ? j->span :
	    TAF_SEGY_HEADER + (n - 1) * wide + j->bytes);
	if (!cut && j->pitch <= PIECE)
		rows = PIECE / j->pitch;
	if (rows > 1 && rows * all * j->made > PIECE)
		rows = PIECE / (all * j->made);
	j->piece = (size_t)(n * rows);
	j->scratch = j->pitch * (j->dense ? (size_t)rows : 1);
}

/* All rows, one piece after the other. */
static enum taf_status
move(struct job *j, const struct taf_service *service, struct taf_err *e)
{
	const uint64_t count = j->rows * j->region.count[0], stride = j->s.stride;
	const unsigned threads = taf_threads_for(taf_threads(service),
	    count / j->piece + 1);
	const struct taf_tiles tiles = { .w = j->w, .osize = j->made, .record = 1,
	    .count = count, .ctx = j, .next = next_piece, .work = work,
	    .pass = j->turn && j->dense ? read_dense : NULL,
	    .in_order = j->turn && !j->dense, .unsure = j->turn,
	    .threads = taf_threads_some(service->memory, threads, 0,
	    j->scratch + j->piece * j->made) };
	struct taf_ranges far = { .first = j->region.first[1] * stride, .run = j->span,
	    .levels = !j->dense, .count = { j->rows },
	    .pitch = { stride * j->region.step[1] } };

	if (j->dense)
		far.run += (j->rows - 1) * stride;
	/* what is behind a URL is told what will be read */
	if (taf_in_far(j->in) && !j->apart) {
		taf_in_seek(j->in, j->s.start);
		taf_in_plan(j->in, &far);
	}
	return taf_tiles(&tiles, e);
}

/* Where each trace is, if they differ in length; their number. */
static enum taf_status
find_traces(struct job *j, struct taf_err *e)
{
	struct taf_segy *const s = &j->s;
	struct taf_buf offsets = { 0 };
	uint64_t at = s->start, said;

	s->ntraces = 0;
	while (taf_buf_put(&offsets, &at, sizeof at, e) == TAF_OK &&
	    taf_segy_step(s, j->in, s->ns_file, &at, &said, e)) {
		j->resized += (said > 0 ? said : s->ns_file) != s->ns;
		s->ntraces++;
	}
	j->offset = (uint64_t *)(void *)offsets.data;
	s->cut = s->start + s->left - at;
	if (s->ntraces == 0 || (s->cut > 0 && !j->want->how.cut))
		(void)taf_fail(e, TAF_EDATA,
		    "%llu whole traces and %llu bytes more (--cut takes the traces)",
		    (unsigned long long)s->ntraces, (unsigned long long)s->cut);
	return e->code;
}

static uint64_t
divisor(uint64_t a, uint64_t b)
{
	return b == 0 ? a : divisor(b, a % b);
}

/* The coarsest grid that has all values of key k; how many points it has. */
static uint64_t
find_grid(struct job *j, unsigned k)
{
	const int64_t first = j->entry[0].key[k];
	int64_t low = first, high = first, v;
	uint64_t step = 0, i;

	for (i = 1; i < j->s.ntraces; i++) {
		v = j->entry[i].key[k];
		low = v < low ? v : low;
		high = v > high ? v : high;
		step = divisor((uint64_t)llabs(v - first), step);
	}
	j->low[k] = low;
	j->step[k] = step > 0 ? step : 1;
	j->count[k] = (uint64_t)(high - low) / j->step[k] + 1;
	return j->count[k];
}

/* Where a key is alone, what has one value is numbered. */
static enum taf_status
sort(struct job *j, const char *name, const char *other, struct taf_err *e)
{
	struct entry *const x = j->entry;
	const uint64_t n = j->s.ntraces;
	const bool alone = j->want->by.n == 1;
	uint64_t i;

	qsort(x, (size_t)n, sizeof *x, by_keys_and_trace);
	for (i = 0; i < n && alone; i++) {
		x[i].key[1] = i > 0 && x[i].key[0] == x[i - 1].key[0] ?
		    x[i - 1].key[1] + 1 : 1;
		if (x[i].key[1] == INT32_MAX)
			return taf_fail(e, TAF_EDATA,
			    "%s: too many traces have one value", name);
	}
	for (i = 1; i < n; i++)
		if (by_keys(&x[i - 1], &x[i]) == 0)
			return taf_fail(e, TAF_EDATA,
			    "traces %llu and %llu have the same keys, %s %ld and %s %ld",
			    (unsigned long long)x[i - 1].trace + 1,
			    (unsigned long long)x[i].trace + 1, name,
			    (long)x[i].key[0], other, (long)x[i].key[1]);
	return TAF_OK;
}

/* The header of a trace, looked at before all are read. */
static enum taf_status
look_at(const struct job *j, uint64_t trace, unsigned char header[TAF_SEGY_HEADER],
    struct taf_err *e)
{
	return taf_in_pread(j->in, header, TAF_SEGY_HEADER, offset_of(j, trace), e) ==
	    TAF_OK ? check_header(j, header, trace, &(struct seen){ 0 }, e) : e->code;
}

/* The traces by their keys, and the grids of these. */
static enum taf_status
find_order(struct job *j, struct taf_err *e)
{
	const struct taf_segy_choice *by = &j->want->by;
	const unsigned key = by->key[0], last = by->key[by->n - 1];
	const char *const name = taf_segy_key_name(key);
	unsigned char header[TAF_SEGY_HEADER];
	unsigned long long n0, n1, k, n = j->s.ntraces;
	uint64_t all;

	j->entry = taf_alloc((size_t)n, sizeof *j->entry);
	if (j->entry == NULL)
		return taf_fail_mem(e);
	for (k = 0; k < n; k++) {
		if (look_at(j, k, header, e) != TAF_OK)
			return e->code;
		j->entry[k] = (struct entry){ { taf_segy_get(header, key, j->s.big),
			taf_segy_get(header, last, j->s.big) }, k };
	}
	if (sort(j, name, taf_segy_key_name(last), e) != TAF_OK)
		return e->code;
	n0 = find_grid(j, 0);
	n1 = find_grid(j, 1);
	if (!taf_mul(n0, n1, &all))
		return taf_fail(e, TAF_EDATA, "%llu by %llu traces are too many", n0, n1);
	if (j->want->filled || all == n)
		return TAF_OK;
	n = all - n;
	return by->n == 1 ? taf_fail(e, TAF_EDATA,
	    "%s has %llu values and up to %llu traces each: %llu of %llu are missing (--fill V stands for them)",
	    name, n0, n1, n, (unsigned long long)all) : taf_fail(e, TAF_EDATA,
	    "%s has %llu values, %s %llu: %llu of %llu pairs are missing (--fill V stands for them)",
	    name, n0, taf_segy_key_name(last), n1, n, (unsigned long long)all);
}

/* Bytes of the reel become an attribute, as base64. */
static void
note_bytes(struct taf_array *a, const char *key, const void *p, size_t n,
    struct taf_err *e)
{
	struct taf_str text = { .err = e };

	taf_base64_put(&text, p, n);
	(void)taf_tag_str(a, 0, key, &text, false, e);
}

/* What the way back needs, and no descriptor has a place for. */
static void
note_reel(const struct taf_segy *s, struct taf_array *a, struct taf_err *e)
{
	const bool ebcdic = taf_segy_ebcdic(s->text);
	struct taf_str cards = { .err = e };
	unsigned char again[TAF_SEGY_TEXT];

	(void)taf_tag_u64(a, "segy/revision", s->revision, e);
	taf_segy_cards(s->text, TAF_SEGY_CARDS, false, &cards);
	if (taf_tag_comment(a, cards.buf.data, cards.buf.len, e) == TAF_OK &&
	    taf_segy_text(cards.buf.data, cards.buf.len, ebcdic, again) &&
	    memcmp(again, s->text, sizeof again) == 0)
		(void)taf_tag(a, 0, "segy/text", ebcdic ? "ebcdic" : "ascii", e);
	else
		note_bytes(a, "segy/text", s->text, sizeof s->text, e);
	note_bytes(a, "segy/binary", s->binary, sizeof s->binary, e);
	if (s->extended.len > 0)
		note_bytes(a, "segy/extended", s->extended.data, s->extended.len, e);
	taf_str_free(&cards);
}

/* Dimension 1, and what is stored. */
static void
describe_row(struct job *j, struct taf_array *a, struct taf_err *e)
{
	const struct taf_segy *s = &j->s;
	const bool headers = j->want->headers, raw = j->want->raw, timed = s->dt > 0;
	const char *const order = s->big ? "big" : "little";

	a->type = raw ? TAF_UINT8 : headers ? TAF_INT32 : s->format->type;
	if (headers)
		taf_array_add_dim(a, raw ? s->header : j->want->keys.n, 1, 1);
	else
		taf_array_add_dim(a, s->ns, taf_segy_begin(s, s->first),
		    timed ? s->dt / 1e6 : 1);
	if (raw)
		(void)taf_tag(a, 0, "segy/order", order, e);
	(void)taf_tag(a, 1, "label", raw ? "Byte" : headers ? "Key" : "Time", e);
	if (headers)
		return;
	if (timed)
		(void)taf_tag(a, 1, "unit", "s", e);
	(void)taf_tag_u64(a, "segy/format", s->format->code, e);
	(void)taf_tag(a, 0, "segy/order", order, e);
	if (!s->su)
		note_reel(s, a, e);
}

/* The array, and of it what the bounds say. */
static enum taf_status
describe(struct job *j, struct taf_array *a, struct taf_err *e)
{
	const struct taf_segy_import *want = j->want;
	struct taf_str names = { .err = e };
	struct taf_region *const g = &j->region;
	unsigned k = j->entry != NULL ? 2 : 0;

	taf_array_init(a);
	describe_row(j, a, e);
	if (k == 0) {
		taf_array_add_dim(a, j->s.ntraces, 1, 1);
		(void)taf_tag(a, 2, "label", "Trace", e);
	}
	while (k-- > 0) {
		taf_array_add_dim(a, j->count[k], (double)j->low[k], (double)j->step[k]);
		(void)taf_tag(a, a->ndim, "label", k < want->by.n ?
		    taf_segy_key_name(want->by.key[k]) : "Trace", e);
	}
	if (e->code != TAF_OK || taf_array_check(a, e) != TAF_OK ||
	    taf_words_settle(want->words, a, e) != TAF_OK ||
	    taf_bounds_resolve(&want->bounds, a, g, e) != TAF_OK)
		return e->code;
	taf_region_apply(g, a);
	j->type = a->type;
	j->made = taf_type_size(a->type);
	j->bytes = want->headers ? j->made : j->s.format->bytes;
	if (want->headers && !want->raw)
		j->keys.n = (unsigned)g->count[0];
	for (k = 0; k < j->keys.n; k++) {
		j->keys.key[k] = want->keys.key[g->first[0] + k * g->step[0]];
		taf_str_printf(&names, "%s%s", k > 0 ? "," : "",
		    taf_segy_key_name(j->keys.key[k]));
	}
	plan(j);
	return j->keys.n == 0 ? TAF_OK :
	    taf_tag_str(a, 0, "segy/keys", &names, false, e);
}

/* The value of --fill as an element. */
static enum taf_status
set_fill(struct job *j, const struct taf_value *v, struct taf_err *e)
{
	struct taf_convert_count lost = { 0, 0 };

	if (taf_convert(j->fill, j->type, &v->as, v->type, 1, NULL, false, &lost) < 1 ||
	    (taf_type_is_int(j->type) && (lost.rounded > 0 || v->fraction)))
		return taf_fail(e, TAF_EDATA, "%s does not fit %s", v->text,
		    taf_type_limits(j->type).s);
	return TAF_OK;
}

/* So many of all, if there are any, are what. */
static void
remark_some(const struct taf_import *im, const struct job *j, uint64_t n, uint64_t all,
    const char *what)
{
	if (n > 0)
		taf_remark(im->service, "%s: %llu of %llu %s", taf_in_name(j->in),
		    (unsigned long long)n, (unsigned long long)all, what);
}

/* What is not as the file says it, or is left out. */
static void
remark(const struct taf_import *im, const struct job *j)
{
	const struct taf_segy *s = &j->s;
	const char *const file = taf_in_name(j->in);
	const unsigned long long n = j->rows;
	struct seen all = { 0 };
	unsigned k;

	for (k = 0; k < TAF_THREADS_MOST; k++) {
		all.count.clipped += j->seen[k].count.clipped;
		all.count.rounded += j->seen[k].count.rounded;
		all.late += j->seen[k].late;
		all.uneven += j->seen[k].uneven;
		all.other += j->seen[k].other;
	}
	if (s->swapped)
		taf_remark(im->service,
		    "%s: little-endian, which revision %u does not have", file,
		    s->revision);
	if (s->nextended > TAF_SEGY_KEPT)
		remark_some(im, j, s->nextended - TAF_SEGY_KEPT, s->nextended,
		    "extended text headers left out");
	if (s->trailer > 0)
		taf_remark(im->service, "%s: a trailer of %llu bytes left out", file,
		    (unsigned long long)s->trailer);
	if (s->cut > 0)
		taf_remark(im->service,
		    "%s: %llu bytes behind the last whole trace left out", file,
		    (unsigned long long)s->cut);
	remark_some(im, j, j->resized, s->ntraces, "traces cut or padded");
	if (!s->su && s->revision == 2 && s->binary[300] > 2)
		taf_remark(im->service, "%s: revision %u.%u is read as 2.1", file,
		    s->binary[300], s->binary[301]);
	if (all.other > 0)
		taf_remark(im->service,
		    "%s: %llu of %llu traces count other than the %llu samples that fit the file",
		    file, (unsigned long long)all.other, n, (unsigned long long)s->ns);
	if (j->want->headers)
		return;
	if (s->dt == 0)
		taf_remark(im->service, "%s: no sample interval: steps of 1", file);
	else if (!s->su && s->dt_trace != s->dt_reel &&
	    (s->revision < 2 || s->dt != s->dt_reel))
		taf_remark(im->service,
		    "%s: a sample interval of %s us by the first trace, %s by the binary header: %s is taken",
		    file, taf_f64(s->dt_trace).s, taf_f64(s->dt_reel).s,
		    taf_f64(s->dt).s);
	remark_some(im, j, all.late, n, "traces begin at another time than the array");
	remark_some(im, j, all.uneven, n, "traces have another sample interval");
	taf_remark_lost(im->service, &all.count, n * j->region.count[0], TAF_FLT32);
}

/* A few of the headers, evenly chosen: what differs is best found before any output. */
static enum taf_status
check_some(const struct job *j, struct taf_err *e)
{
	const uint64_t n = j->rows < SOME ? j->rows : SOME;
	unsigned char header[TAF_SEGY_HEADER];
	uint64_t k, trace;

	for (k = 0; k < n && j->entry == NULL && j->offset == NULL && !j->turn; k++) {
		trace = trace_of(j, k * (j->rows / n) + k * (j->rows % n) / n);
		if (look_at(j, trace, header, e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

/* A pipe of so many traces ends with them. */
static enum taf_status
check_end(const struct job *j, struct taf_err *e)
{
	const unsigned char *p;
	size_t got;

	if (taf_in_skip(j->in, offset_of(j, j->s.ntraces) - taf_in_offset(j->in), e) !=
	    TAF_OK || taf_in_peek(j->in, 1, &p, &got, e) != TAF_OK)
		return e->code;
	return got == 0 ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "more than the %llu traces of --traces", (unsigned long long)j->s.ntraces);
}

enum taf_status
taf_segy_import(void *ctx, struct taf_import *im, struct taf_in **in, struct taf_err *e)
{
	const struct taf_segy_import *want = ctx;
	const bool sorts = want->by.n > 0, resize = want->how.resize;
	const unsigned long long traces = want->how.traces;
	struct job j = { .want = want, .w = im->w };
	struct taf_segy *const s = &j.s;
	struct taf_array a = { 0 };
	bool wanted;

	if (((traces == 0 || sorts || resize) && taf_spool_rest(in, e) != TAF_OK) ||
	    ((sorts || resize) && taf_spool_far(in, e) != TAF_OK) ||
	    taf_segy_open(s, *in, &want->how, e) != TAF_OK)
		goto out;
	/* long ones are not held in memory */
	if (!taf_in_seekable(*in) && s->stride > PIECE) {
		if (taf_spool_rest(in, e) != TAF_OK)
			goto out;
		s->start = taf_in_offset(*in);
		s->ntraces = taf_in_left(*in) / s->stride;
	}
	j.in = *in;
	if (traces > 0 && taf_in_seekable(*in) && traces != s->ntraces && !resize)
		(void)taf_fail(e, TAF_EDATA, "%llu traces, not the %llu of --traces",
		    (unsigned long long)s->ntraces, traces);
	if (e->code != TAF_OK || (resize && find_traces(&j, e) != TAF_OK) ||
	    (sorts && find_order(&j, e) != TAF_OK) ||
	    describe(&j, &a, e) != TAF_OK ||
	    (want->filled && set_fill(&j, &want->fill, e) != TAF_OK) ||
	    check_some(&j, e) != TAF_OK ||
	    taf_import_begin(im, &a, TAF_NEXT_NO, &wanted, e) != TAF_OK)
		goto out;
	/* headers that were looked at before, and the reel's */
	taf_need_again(TAF_SEGY_HEADER * (64 + (j.rows < SOME ? j.rows : SOME) +
	    (resize || sorts ? 2 * j.rows : 0)));
	if (taf_import_end(im, &a, move(&j, im->service, e), e) == TAF_OK)
		remark(im, &j);
	if (e->code == TAF_OK && !taf_in_seekable(*in))
		(void)check_end(&j, e);
out:
	free(j.entry);
	free(j.offset);
	taf_array_fini(&a);
	taf_segy_fini(s);
	return e->code;
}

enum taf_status
taf_segy_list(const struct taf_segy_how *how, struct taf_in *in, struct taf_str *lines,
    struct taf_err *e)
{
	struct taf_segy s = { 0 };

	if (taf_segy_open(&s, in, how, e) == TAF_OK && s.su)
		(void)taf_fail(e, TAF_EDATA, "SU has no headers of a reel");
	if (e->code == TAF_OK) {
		taf_segy_cards(s.text, TAF_SEGY_CARDS, false, lines);
		taf_segy_cards((unsigned char *)s.extended.data,
		    s.extended.len / TAF_SEGY_CARD, false, lines);
		taf_segy_words(&s, lines);
	}
	taf_segy_fini(&s);
	return e->code;
}
