/* SPDX-License-Identifier: ISC */
#include "io/frame.h"

#include <string.h>

#include "base/endian.h"

/* Numbers before text or data, in this order. */
struct numbers {
	/* bytes of each, or 0 */
	size_t id, offset, size, place, delay, ranges, cached, status;
	bool rest;	/* text or data follow */
};

static const struct numbers layout[] = {
	[TAF_FRAME_OPEN] = { .rest = true },
	[TAF_FRAME_RANGE] = { .id = 4, .offset = 8, .size = 8, .place = 8 },
	[TAF_FRAME_CANCEL] = { .id = 4 },
	[TAF_FRAME_OPENED] = { .size = 8, .delay = 8, .ranges = 1, .rest = true },
	[TAF_FRAME_DATA] = { .id = 4, .offset = 8, .rest = true },
	[TAF_FRAME_END] = { .id = 4 },
	[TAF_FRAME_FAIL] = { .id = 4, .status = 1, .rest = true },
	[TAF_FRAME_NOTE] = { .rest = true },
	[TAF_FRAME_PLACED] = { .id = 4, .offset = 8, .size = 8, .cached = 1 },
	[TAF_FRAME_BELOW] = { .rest = true },
	[TAF_FRAME_ANOTHER] = { 0 },
};

static size_t
bytes_of(const struct numbers *l)
{
	return l->id + l->offset + l->size + l->place + l->delay + l->ranges + l->cached +
	    l->status;
}

size_t
taf_frame_put(const struct taf_frame *f, unsigned char *p)
{
	const struct numbers *const l = &layout[f->kind];
	const size_t head = TAF_FRAME_HEADER + bytes_of(l), room = TAF_FRAME_SHORT - head;
	const bool data = f->kind == TAF_FRAME_DATA;
	const size_t text = !l->rest || data ? 0 : f->n < room ? f->n : room;
	unsigned char *at = p + TAF_FRAME_HEADER;

	taf_put32(p, (uint32_t)(bytes_of(l) + (data ? f->n : text)), false);
	p[4] = (unsigned char)f->kind;
	if (l->id > 0)
		taf_put32(at, f->id, false);
	if (l->offset > 0)
		taf_put64(at + l->id, f->offset, false);
	if (l->size > 0)
		taf_put64(at + l->id + l->offset, f->size, false);
	at += l->id + l->offset + l->size;
	if (l->place > 0)
		taf_put64(at, f->place, false);
	at += l->place;
	if (l->delay > 0)
		taf_put64(at, f->delay, false);
	at += l->delay;
	if (l->ranges > 0)
		*at++ = f->ranges;
	if (l->cached > 0)
		*at++ = f->cached;
	if (l->status > 0)
		*at++ = (unsigned char)f->status;
	if (text > 0)
		memcpy(at, f->data, text);
	return head + text;
}

bool
taf_frame_begin(const unsigned char *p, enum taf_frame_kind *kind, size_t *n)
{
	*n = taf_get32(p, false);
	if (p[4] < TAF_FRAME_OPEN || p[4] > TAF_FRAME_LAST || *n > TAF_FRAME_MOST)
		return false;
	*kind = (enum taf_frame_kind)p[4];
	return true;
}

bool
taf_frame_get(struct taf_frame *f, enum taf_frame_kind kind, const unsigned char *p,
    size_t n)
{
	const struct numbers *const l = &layout[kind];
	const size_t head = bytes_of(l);

	*f = (struct taf_frame){ .kind = kind };
	if (n < head || (n > head && !l->rest))
		return false;
	if (l->id > 0)
		f->id = taf_get32(p, false);
	if (l->offset > 0)
		f->offset = taf_get64(p + l->id, false);
	if (l->size > 0)
		f->size = taf_get64(p + l->id + l->offset, false);
	p += l->id + l->offset + l->size;
	if (l->place > 0)
		f->place = taf_get64(p, false);
	p += l->place;
	if (l->delay > 0)
		f->delay = taf_get64(p, false);
	p += l->delay;
	if (l->ranges > 0)
		f->ranges = *p++ != 0;
	if (l->cached > 0)
		f->cached = *p++ != 0;
	if (l->status > 0)
		f->status = *p++;
	f->data = p;
	f->n = n - head;
	return l->status == 0 || (f->status >= TAF_FRAME_ABSENT && f->status <= 4);
}
