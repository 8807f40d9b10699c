/* SPDX-License-Identifier: ISC */
#include "format/segy_import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/need.h"
#include "base/num.h"
#include "base/threads.h"
#include "codec/tag.h"
#include "format/segy_index.h"
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

/* Rows of the result, or where they are long a part of one. */
struct slot {
	unsigned char *raw, *gather;
	uint64_t *trace;	/* of each row */
	uint64_t row, col;
	size_t rows, cols;
	struct taf_convert_count count;
	/* traces with another start, another interval, another number of samples */
	uint64_t late, uneven, other;
};

/* A row of the result is what is wanted of a trace. */
struct job {
	const struct taf_segy_import *want;
	const struct taf_segy *s;
	struct taf_in *in;
	struct taf_writer *w;
	struct taf_segy_entry *entry;	/* where keys go instead, or NULL */
	struct taf_segy_index order;	/* of the traces by their keys */
	const struct taf_segy_index *index;	/* that, or NULL */
	uint64_t *offset;	/* of each trace and the end, where lengths differ */
	uint64_t resized;	/* traces that are cut or padded */
	unsigned key[TAF_SEGY_KEYS], nkeys;	/* the row is these words */
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
	size_t row_most, col_most;	/* of a piece */
	unsigned char fill[8];
	struct slot slot[TAF_THREADS_MOST];
	uint64_t row, col;	/* of the next piece */
};

/* Of scratch: traces, samples of a row that are brought together, and what is read. */
static size_t
piece_bytes(const struct job *j)
{
	return j->row_most * (sizeof *j->slot->trace + j->pitch) + j->col_most * j->bytes;
}

/* The trace that row r is. */
static uint64_t
trace_of(const struct job *j, uint64_t r)
{
	const struct taf_region *g = &j->region;

	if (j->index == NULL)
		return g->first[1] + r * g->step[1];
	return taf_segy_index_find(j->index, g->first[1] + r % g->count[1] * g->step[1],
	    g->first[2] + r / g->count[1] * g->step[2]);
}

static uint64_t
offset_of(const struct job *j, uint64_t trace)
{
	return j->offset != NULL ? j->offset[trace] :
	    j->s->start + trace * j->s->stride;
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

/* One row, the header and then elements, of which a trace that is short has less. */
static enum taf_status
read_row(const struct job *j, const struct slot *s, unsigned char *p, uint64_t trace,
    struct taf_err *e)
{
	const uint64_t off = offset_of(j, trace);
	uint64_t at = 0, n = j->span, there = UINT64_MAX;

	if (j->apart) {
		if (read_at(j, p, TAF_SEGY_HEADER, off, e) != TAF_OK)
			return e->code;
		p += TAF_SEGY_HEADER;
		at = j->at + s->col * j->region.step[0] * j->bytes;
		n = ((s->cols - 1) * j->region.step[0] + 1) * j->bytes;
	}
	if (j->offset != NULL)
		there = j->offset[trace + 1] - off;
	there = there > at ? there - at : 0;
	if (there < n) {
		memset(p + there, 0, (size_t)(n - there));
		n = there;
	}
	return read_at(j, p, n, off + at, e);
}

/* Read a piece into the scratch of its tile. */
static enum taf_status
read_piece(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	struct slot *s = &j->slot[t->slot];
	enum taf_status st = TAF_OK;
	size_t i, n;

	s->trace = t->scratch;
	s->gather = (unsigned char *)(s->trace + j->row_most);
	s->raw = s->gather + j->col_most * j->bytes;
	for (i = 0; i < s->rows; i++)
		s->trace[i] = trace_of(j, s->row + i);
	for (i = 0; i < s->rows && st == TAF_OK; i += n) {
		unsigned char *p = s->raw + i * j->pitch;

		for (n = 1; j->dense && i + n < s->rows &&
		    s->trace[i + n] == s->trace[i] + n; n++)
			;
		if (s->trace[i] == (uint64_t)TAF_SEGY_NOWHERE)
			n = 1;
		else if (n == 1)
			st = read_row(j, s, p, s->trace[i], e);
		else
			st = read_at(j, p, (n - 1) * j->pitch + j->span,
			    offset_of(j, s->trace[i]), e);
	}
	return st;
}

/* Does the header agree with what all headers must say alike? */
static enum taf_status
check_header(const struct job *j, const unsigned char *header, uint64_t trace,
    struct taf_err *e)
{
	const uint64_t ns = taf_segy_samples(j->s, header);

	if (j->offset != NULL || ns == 0 || ns == j->s->ns || j->s->doubted ||
	    ns == j->s->ns_trace)
		return TAF_OK;
	return taf_fail(e, TAF_EDATA,
	    "trace %llu has %llu samples, the first %llu (--length N makes them alike)",
	    (unsigned long long)trace + 1, (unsigned long long)ns,
	    (unsigned long long)j->s->ns_trace);
}

/* n elements of file bytes at from become elements of the result; how many fit. */
static size_t
decode(const struct job *j, void *to, const unsigned char *from, size_t n,
    struct taf_convert_count *count)
{
	const enum taf_segy_kind kind = j->want->raw ? TAF_SEGY_PLAIN :
	    j->s->format->kind;

	if (kind == TAF_SEGY_IBM)
		return taf_ibm_get(to, from, n, j->s->big, j->want->clip, count);
	if (kind == TAF_SEGY_INT24) {
		taf_int24_get(to, from, n, j->s->big, taf_type_is_signed(j->type));
		return n;
	}
	memcpy(to, from, n * j->bytes);
	if (taf_swap_needed(j->type, j->s->big))
		taf_swap_elements(to, j->type, n);
	return n;
}

static enum taf_status
decode_row(const struct job *j, struct slot *s, size_t i, unsigned char *to,
    struct taf_err *e)
{
	const unsigned char *header = s->raw + i * j->pitch, *from = header + j->where;
	const uint64_t step = j->region.step[0];
	size_t k;

	if (j->nkeys > 0) {
		for (k = 0; k < j->nkeys; k++, to += sizeof(int32_t)) {
			const int32_t v = taf_segy_get(header, j->key[k], j->s->big);

			memcpy(to, &v, sizeof v);
		}
		return TAF_OK;
	}
	if (step > 1) {
		for (k = 0; k < s->cols; k++)
			memcpy(s->gather + k * j->bytes, from + k * step * j->bytes,
			    j->bytes);
		from = s->gather;
	}
	k = decode(j, to, from, s->cols, &s->count);
	return k == s->cols ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "trace %llu, sample %llu is beyond the range of flt32 (--clip takes the largest)",
	    (unsigned long long)s->trace[i] + 1, (unsigned long long)
	    (j->region.first[0] + (s->col + k) * step + 1));
}

static void
fill_row(const struct job *j, unsigned char *to, size_t n)
{
	size_t k;

	for (k = 0; k < n; k++)
		memcpy(to + k * j->made, j->fill, j->made);
}

static bool
next_piece(void *ctx, struct taf_tile *t)
{
	struct job *j = ctx;
	struct slot *s = &j->slot[t->slot];
	const uint64_t rows = j->rows - j->row, all = j->region.count[0],
	    cols = all - j->col;

	if (rows == 0)
		return false;
	s->row = j->row;
	s->col = j->col;
	s->rows = rows < j->row_most ? (size_t)rows : j->row_most;
	s->cols = cols < j->col_most ? (size_t)cols : j->col_most;
	t->out = (struct taf_runs){ .first = s->row * all + s->col, .runs = 1,
	    .n = s->rows * s->cols };
	t->scratch_size = piece_bytes(j);
	j->col += s->cols;
	if (j->col == all) {
		j->col = 0;
		j->row += s->rows;
	}
	return true;
}

/* Rows of the result, or of the entries of an index. */
static enum taf_status
work(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	struct slot *s = &j->slot[t->slot];
	enum taf_status st = j->turn ? TAF_OK : read_piece(j, t, e);
	size_t i;

	for (i = 0; i < s->rows && st == TAF_OK; i++) {
		const unsigned char *header = s->raw + i * j->pitch;
		unsigned char *to;

		if (j->entry != NULL) {
			j->entry[s->row + i].key[1] = 0;
			j->entry[s->row + i].trace = s->trace[i];
			to = (unsigned char *)j->entry[s->row + i].key;
		} else {
			to = t->stored + i * s->cols * j->made;
		}
		if (s->trace[i] == (uint64_t)TAF_SEGY_NOWHERE) {
			fill_row(j, to, s->cols);
			continue;
		}
		st = check_header(j, header, s->trace[i], e);
		if (st == TAF_OK)
			st = decode_row(j, s, i, to, e);
		if (s->col > 0)
			continue;
		s->late += !taf_same_bits(taf_segy_begin(j->s, header),
		    taf_segy_begin(j->s, j->s->first));
		s->uneven += taf_segy_get(header, TAF_SEGY_DT, j->s->big) !=
		    taf_segy_get(j->s->first, TAF_SEGY_DT, j->s->big);
		s->other += j->offset == NULL && j->s->doubted &&
		    taf_segy_samples(j->s, header) != 0 &&
		    taf_segy_samples(j->s, header) != j->s->ns;
	}
	return st;
}

/* How rows are read, and how many are a piece. */
static void
plan(struct job *j)
{
	const struct taf_region *g = &j->region;
	const bool words = j->nkeys > 0;
	const uint64_t gap = words ? 0 : g->first[0] * j->bytes;
	const uint64_t begin = words || j->want->raw ? 0 : j->s->header;
	const uint64_t most = PIECE / (j->bytes > j->made ? j->bytes : j->made);
	const uint64_t step = words ? 1 : g->step[0];
	const uint64_t piece = most / step > 0 ? most / step : 1;
	const bool cut = !words && g->count[0] > piece;

	j->turn = !taf_in_seekable(j->in) || taf_in_coarse(j->in);
	j->rows = g->count[1] * (g->ndim > 2 ? g->count[2] : 1);
	j->at = begin + gap;
	j->span = words ? TAF_SEGY_HEADER :
	    j->at + ((g->count[0] - 1) * step + 1) * j->bytes;
	if (j->span < TAF_SEGY_HEADER)
		j->span = TAF_SEGY_HEADER;
	j->col_most = (size_t)(cut ? piece : g->count[0]);
	j->apart = cut || gap > (taf_in_far(j->in) ? PIECE : NEAR);
	j->where = j->apart ? TAF_SEGY_HEADER : (size_t)j->at;
	j->dense = !j->apart && j->offset == NULL && j->s->stride - j->span < NEAR;
	if (j->dense)
		j->pitch = (size_t)j->s->stride;
	else
		j->pitch = (size_t)(j->apart ? TAF_SEGY_HEADER +
		    ((j->col_most - 1) * step + 1) * j->bytes : j->span);
	j->row_most = cut || j->pitch > PIECE ? 1 : PIECE / j->pitch;
	if (j->row_most * j->col_most * j->made > PIECE)
		j->row_most = PIECE / (j->col_most * j->made);
	if (j->row_most == 0)
		j->row_most = 1;
}

/* What is behind a URL is told which parts of it will be read, where these are even. */
static void
tell(const struct job *j)
{
	struct taf_ranges ranges = { .run = j->span, .levels = 1,
	    .count = { j->rows }, .pitch = { j->s->stride * j->region.step[1] } };

	if (!taf_in_far(j->in) || j->index != NULL || j->offset != NULL || j->apart)
		return;
	taf_in_seek(j->in, j->s->start);
	ranges.first = j->region.first[1] * j->s->stride;
	if (j->dense && j->region.step[1] == 1) {
		ranges.levels = 0;
		ranges.run = (j->rows - 1) * j->s->stride + j->span;
	}
	taf_in_plan(j->in, &ranges);
}

/* All rows, one piece after the other. */
static enum taf_status
move(struct job *j, const struct taf_service *service, struct taf_err *e)
{
	const size_t out = j->row_most * j->col_most * j->made;
	const struct taf_tiles tiles = { .w = j->entry == NULL ? j->w : NULL,
	    .osize = j->made, .record = 1, .count = j->rows * j->region.count[0],
	    .ctx = j, .next = next_piece, .pass = j->turn ? read_piece : NULL,
	    .work = work, .unsure = j->turn,
	    .threads = taf_threads_some(service->memory, taf_threads_for(
	    taf_threads(service), j->rows / j->row_most + 1), 0,
	    piece_bytes(j) + out) };

	tell(j);
	return taf_tiles(&tiles, e);
}

/* Where each trace is, if they differ in length; their number. */
static enum taf_status
find_traces(struct job *j, struct taf_segy *s, struct taf_err *e)
{
	const uint64_t end = s->start + s->left;
	unsigned char header[TAF_SEGY_HEADER];
	uint64_t off = s->start, n = 0, ns;
	struct taf_buf offsets = { 0 };

	while (end - off >= s->header) {
		if (taf_in_pread(j->in, header, sizeof header, off, e) != TAF_OK)
			break;
		ns = taf_segy_samples(s, header);
		ns = ns != 0 ? ns : s->ns_file;
		if ((end - off - s->header) / s->format->bytes < ns)
			break;
		if (taf_buf_put(&offsets, &off, sizeof off, e) != TAF_OK)
			break;
		off += s->header + ns * s->format->bytes;
		j->resized += ns != s->ns;
		n++;
	}
	s->cut = end - off;
	s->ntraces = n;
	if (e->code == TAF_OK && (n == 0 || (s->cut > 0 && !j->want->how.cut)))
		(void)taf_fail(e, TAF_EDATA,
		    "%llu whole traces and %llu bytes more (--cut takes the traces)",
		    (unsigned long long)n, (unsigned long long)s->cut);
	if (e->code == TAF_OK && taf_buf_put(&offsets, &off, sizeof off, e) == TAF_OK)
		j->offset = (uint64_t *)(void *)offsets.data;
	else
		taf_buf_free(&offsets);
	return e->code;
}

/* The keys by which traces are ordered, of all of them. */
static enum taf_status
find_order(const struct job *as, struct taf_segy_index *x,
    const struct taf_service *service, struct taf_err *e)
{
	const struct taf_segy_import *want = as->want;
	const char *const names[2] = { taf_segy_key_name(want->by.key[0]),
	    taf_segy_key_name(want->by.key[want->by.n - 1]) };
	struct job j = *as;
	enum taf_status st;

	x->n = as->s->ntraces;
	x->nkeys = want->by.n;
	x->entry = taf_alloc((size_t)x->n, sizeof *x->entry);
	if (x->entry == NULL)
		return taf_fail_mem(e);
	j.entry = x->entry;
	j.nkeys = want->by.n;
	memcpy(j.key, want->by.key, sizeof j.key);
	j.bytes = j.made = sizeof(int32_t);
	j.region = (struct taf_region){ 2, { 0, 0 }, { want->by.n, x->n }, { 1, 1 } };
	plan(&j);
	st = move(&j, service, e);
	return st == TAF_OK ? taf_segy_index_sort(x, names, want->filled, e) : st;
}

/* What the way back needs, and no descriptor has a place for. */
static void
note_reel(const struct taf_segy *s, struct taf_array *a, struct taf_err *e)
{
	const bool ebcdic = taf_segy_ebcdic(s->text);
	struct taf_str cards = { .err = e };
	unsigned char again[TAF_SEGY_TEXT];

	taf_segy_cards(s->text, &cards);
	if (taf_tag_comment(a, cards.buf.data, cards.buf.len, e) == TAF_OK &&
	    taf_segy_text(cards.buf.data, cards.buf.len, ebcdic, again) &&
	    memcmp(again, s->text, sizeof again) == 0)
		(void)taf_tag(a, 0, "segy/text", ebcdic ? "ebcdic" : "ascii", e);
	else
		(void)taf_tag_bytes(a, "segy/text", s->text, sizeof s->text, e);
	(void)taf_tag_bytes(a, "segy/binary", s->binary, sizeof s->binary, e);
	if (s->extended.len > 0)
		(void)taf_tag_bytes(a, "segy/extended", s->extended.data,
		    s->extended.len, e);
	taf_str_free(&cards);
}

/* The names of the keys, as an attribute. */
static enum taf_status
note_keys(const struct job *j, struct taf_array *a, struct taf_err *e)
{
	struct taf_str v = { .err = e };
	unsigned k;

	for (k = 0; k < j->nkeys; k++)
		taf_str_printf(&v, "%s%s", k > 0 ? "," : "",
		    taf_segy_key_name(j->key[k]));
	return taf_tag_str(a, 0, "segy/keys", &v, false, e);
}

/* Dimension 1, and what is stored. */
static void
describe_row(struct job *j, struct taf_array *a, struct taf_err *e)
{
	const struct taf_segy *s = j->s;
	const char *const order = s->big ? "big" : "little";

	if (j->want->headers) {
		const bool raw = j->want->raw;

		taf_array_add_dim(a, raw ? s->header : j->want->keys.n, 1, 1);
		a->type = raw ? TAF_UINT8 : TAF_INT32;
		if (raw)
			(void)taf_tag(a, 0, "segy/order", order, e);
		(void)taf_tag(a, 1, "label", raw ? "Byte" : "Key", e);
		return;
	}
	a->type = s->format->type;
	taf_array_add_dim(a, s->ns, taf_segy_begin(s, s->first),
	    s->dt > 0 ? s->dt / 1e6 : 1);
	(void)taf_tag(a, 1, "label", "Time", e);
	if (s->dt > 0)
		(void)taf_tag(a, 1, "unit", "s", e);
	(void)taf_tag_u64(a, "segy/format", s->format->code, e);
	(void)taf_tag(a, 0, "segy/order", order, e);
	if (s->su)
		return;
	(void)taf_tag_u64(a, "segy/revision", s->revision, e);
	note_reel(s, a, e);
}

/* The dimensions of traces. */
static void
describe_traces(const struct job *j, struct taf_array *a, struct taf_err *e)
{
	const struct taf_segy_index *x = j->index;
	unsigned i, k;

	if (x == NULL) {
		taf_array_add_dim(a, j->s->ntraces, 1, 1);
		(void)taf_tag(a, 2, "label", "Trace", e);
	}
	for (i = 0; x != NULL && i < 2; i++) {
		k = 1 - i;
		taf_array_add_dim(a, x->count[k], (double)x->low[k], (double)x->step[k]);
		(void)taf_tag(a, a->ndim, "label", k < j->want->by.n ?
		    taf_segy_key_name(j->want->by.key[k]) : "Trace", e);
	}
}

/* The array, and of it what the bounds say. */
static enum taf_status
describe(struct job *j, struct taf_array *a, struct taf_err *e)
{
	const struct taf_segy_import *want = j->want;
	unsigned k;

	taf_array_init(a);
	describe_row(j, a, e);
	describe_traces(j, a, e);
	if (e->code != TAF_OK || taf_array_check(a, e) != TAF_OK ||
	    taf_words_settle(want->words, a, e) != TAF_OK ||
	    taf_bounds_resolve(&want->bounds, a, &j->region, e) != TAF_OK)
		return e->code;
	taf_region_apply(&j->region, a);
	j->type = a->type;
	j->made = taf_type_size(a->type);
	j->bytes = want->raw ? 1 : want->headers ? j->made : j->s->format->bytes;
	if (!want->headers || want->raw)
		return TAF_OK;
	j->nkeys = (unsigned)j->region.count[0];
	for (k = 0; k < j->nkeys; k++)
		j->key[k] = want->keys.key[j->region.first[0] + k * j->region.step[0]];
	return note_keys(j, a, e);
}

static enum taf_status
set_fill(struct job *j, const struct taf_value *v, struct taf_err *e)
{
	struct taf_convert_count lost = { 0, 0 };

	if (taf_convert(j->fill, j->type, &v->as, v->type, 1, NULL, false, &lost) == 1 &&
	    (!taf_type_is_int(j->type) || (lost.rounded == 0 && !v->fraction)))
		return TAF_OK;
	return taf_fail(e, TAF_EDATA, "%s does not fit %s", v->text,
	    taf_type_limits(j->type).s);
}

/* What is not as the file says it, or is left out. */
static void
remark(const struct taf_import *im, const struct job *j, const char *file)
{
	const struct taf_segy *s = j->s;
	const unsigned long long n = j->rows;
	struct taf_convert_count count = { 0, 0 };
	unsigned long long late = 0, uneven = 0, other = 0;
	unsigned k;

	for (k = 0; k < TAF_THREADS_MOST; k++) {
		count.clipped += j->slot[k].count.clipped;
		count.rounded += j->slot[k].count.rounded;
		late += j->slot[k].late;
		uneven += j->slot[k].uneven;
		other += j->slot[k].other;
	}
	if (s->swapped)
		taf_remark(im->service,
		    "%s: little-endian, which revision %u does not have", file,
		    s->revision);
	if (s->nextended > TAF_SEGY_KEPT)
		taf_remark(im->service, "%s: %llu of %llu extended text headers left out",
		    file, (unsigned long long)s->nextended - TAF_SEGY_KEPT,
		    (unsigned long long)s->nextended);
	if (s->trailer > 0)
		taf_remark(im->service, "%s: a trailer of %llu bytes left out", file,
		    (unsigned long long)s->trailer);
	if (s->cut > 0)
		taf_remark(im->service,
		    "%s: %llu bytes behind the last whole trace left out", file,
		    (unsigned long long)s->cut);
	if (j->resized > 0)
		taf_remark(im->service, "%s: %llu of %llu traces cut or padded", file,
		    (unsigned long long)j->resized, (unsigned long long)s->ntraces);
	if (!s->su && s->revision == 2 && s->binary[300] > 2)
		taf_remark(im->service, "%s: revision %u.%u is read as 2.1", file,
		    s->binary[300], s->binary[301]);
	if (other > 0)
		taf_remark(im->service,
		    "%s: %llu of %llu traces count other than the %llu samples that fit the file",
		    file, other, n, (unsigned long long)s->ns);
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
	if (late > 0)
		taf_remark(im->service,
		    "%s: %llu of %llu traces begin at another time than the array", file,
		    late, n);
	if (uneven > 0)
		taf_remark(im->service,
		    "%s: %llu of %llu traces have another sample interval", file,
		    uneven, n);
	taf_remark_lost(im->service, &count, n * j->region.count[0], TAF_FLT32);
}

/* A few of the headers, evenly chosen: what differs is best found before any output. */
static enum taf_status
check_some(const struct job *j, struct taf_err *e)
{
	const uint64_t n = j->rows < SOME ? j->rows : SOME;
	unsigned char header[TAF_SEGY_HEADER];
	uint64_t k, trace;

	if (j->index != NULL || j->offset != NULL || !taf_in_seekable(j->in) ||
	    taf_in_coarse(j->in))
		return TAF_OK;
	for (k = 0; k < n; k++) {
		trace = trace_of(j, k * (j->rows / n) + k * (j->rows % n) / n);
		if (taf_in_pread(j->in, header, sizeof header, offset_of(j, trace), e) !=
		    TAF_OK || check_header(j, header, trace, e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

/* The traces of a file that is open. */
static enum taf_status
import(struct job *j, struct taf_segy *s, struct taf_import *im, struct taf_err *e)
{
	const struct taf_segy_import *want = j->want;
	struct taf_array a = { 0 };
	enum taf_status st = TAF_OK;
	bool wanted;

	if (want->how.resize)
		st = find_traces(j, s, e);
	if (st == TAF_OK && want->by.n > 0) {
		st = find_order(j, &j->order, im->service, e);
		j->index = &j->order;
	}
	if (st == TAF_OK)
		st = describe(j, &a, e);
	if (st == TAF_OK && want->filled)
		st = set_fill(j, &want->fill, e);
	if (st == TAF_OK) {
		plan(j);
		st = check_some(j, e);
	}
	if (st == TAF_OK)
		st = taf_import_begin(im, &a, TAF_NEXT_NO, &wanted, e);
	/* headers that were looked at before, and the reel's */
	taf_need_again(TAF_SEGY_HEADER * (64 + (j->rows < SOME ? j->rows : SOME) +
	    (want->how.resize || want->by.n > 0 ? 2 * j->rows : 0)));
	if (st == TAF_OK) {
		st = taf_import_end(im, &a, move(j, im->service, e), e);
	}
	if (st == TAF_OK)
		remark(im, j, taf_in_name(j->in));
	free(j->order.entry);
	free(j->offset);
	taf_array_fini(&a);
	return st;
}

/* A pipe of so many traces ends with them. */
static enum taf_status
check_end(const struct job *j, struct taf_err *e)
{
	const uint64_t end = j->s->start + j->s->ntraces * j->s->stride;
	const unsigned char *p;
	size_t got;

	if (taf_in_skip(j->in, end - taf_in_offset(j->in), e) != TAF_OK ||
	    taf_in_peek(j->in, 1, &p, &got, e) != TAF_OK)
		return e->code;
	return got == 0 ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "more than the %llu traces of --traces", (unsigned long long)j->s->ntraces);
}

enum taf_status
taf_segy_import(void *ctx, struct taf_import *im, struct taf_in **in, struct taf_err *e)
{
	const struct taf_segy_import *want = ctx;
	struct taf_segy s = { 0 };
	struct job j = { .want = want, .s = &s, .w = im->w };
	enum taf_status st = TAF_OK;

	if (want->how.traces == 0 || want->by.n > 0 || want->how.resize)
		st = taf_spool_rest(in, e);
	if (st == TAF_OK)
		st = taf_segy_open(&s, *in, &want->how, e);
	/* long ones are not held in memory */
	if (st == TAF_OK && !taf_in_seekable(*in) && s.stride > PIECE) {
		st = taf_spool_rest(in, e);
		s.start = taf_in_offset(*in);
		s.ntraces = taf_in_left(*in) / s.stride;
	}
	j.in = *in;
	if (st == TAF_OK && want->how.traces > 0 && taf_in_seekable(*in) &&
	    want->how.traces != s.ntraces && !want->how.resize)
		st = taf_fail(e, TAF_EDATA, "%llu traces, not the %llu of --traces",
		    (unsigned long long)s.ntraces, (unsigned long long)want->how.traces);
	if (st == TAF_OK)
		st = import(&j, &s, im, e);
	if (st == TAF_OK && !taf_in_seekable(*in))
		st = check_end(&j, e);
	taf_segy_fini(&s);
	return st;
}

enum taf_status
taf_segy_print(const struct taf_segy_how *how, struct taf_in *in, struct taf_out *out,
    struct taf_err *e)
{
	struct taf_segy s = { 0 };
	struct taf_str lines = { .err = e };
	enum taf_status st = taf_segy_open(&s, in, how, e);
	size_t at;

	if (st == TAF_OK && s.su)
		st = taf_fail(e, TAF_EDATA, "SU has no headers of a reel");
	if (st == TAF_OK) {
		taf_segy_cards(s.text, &lines);
		for (at = 0; at < s.extended.len; at += TAF_SEGY_TEXT)
			taf_segy_cards((unsigned char *)s.extended.data + at, &lines);
		taf_segy_words(&s, &lines);
		st = taf_out_str(out, &lines);
	}
	taf_str_free(&lines);
	taf_segy_fini(&s);
	return st;
}
