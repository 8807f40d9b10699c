/* SPDX-License-Identifier: ISC */
/*
 * GTA: every prefix, chunk and header, but of what its chunks hold N bytes at most, from the
 * place on that is looked at.  Functions are proven one by one, as those of npy.  There are no
 * libraries that decompress.
 *
 * codec/gta.c: s/^\(tag_text\|scan_u64\|scan_text\|scan_component\|scan_components\|scan_header\)(/real_\1(/
 * codec/gta.c: /^\(real_scan_u64\|real_scan_component\|real_scan_text\)(/,/^{/s|^{|{ //@ split s->at;|
 * codec/gta.c: /^real_scan_components(/,/^{/s|^{|{ //@ dynamic_split s->at;|
 * codec/gta.c: s|^	while (i < n) {|//@ dynamic_split i;\n&|
 * codec/gta.c: s|^		for (; more > 0|//@ split more;\n&|
 *
 * eva: -main texts -eva-slevel-function texts:100 -eva-min-loop-unroll 20
 * eva: -main pieces -eva-slevel 2000 -eva-split-return full
 * eva: -main lists -eva-alloc-builtin fresh -eva-slevel 300 -eva-min-loop-unroll 20 -eva-split-return auto
 * eva: -main header -eva-slevel 100 -eva-split-return auto
 * eva: -main file -eva-slevel 100 -eva-split-return full
 *
 * fault: codec/gta.c: s/n - i < more/n - i + 1 < more/
 * fault: codec/gta.c: s/s->n - s->at < 8/s->n - s->at < 7/
 * fault: codec/gta.c: s/cap < 8 ? 8/cap < 8 ? 7/
 * fault: codec/gta.c: s/g->ndim < TAF_MAX_DIM)/g->ndim <= TAF_MAX_DIM)/
 * fault: codec/gta.c: s/c->left < BLOCK ? (size_t)c->left : BLOCK/(size_t)c->left/
 */
#include "input.h"

#include "codec/gta.h"

struct scan;
static bool tag_text(const unsigned char *, size_t, bool);
static enum taf_status scan_text(struct scan *, bool, const char **);
static enum taf_status scan_u64(struct scan *, const char *, uint64_t *);
static enum taf_status scan_component(struct scan *, struct taf_gta_component *);
static enum taf_status scan_components(struct scan *, struct taf_gta *);
static enum taf_status scan_header(struct taf_gta *, struct taf_err *);

#include "base/num.c"
#include "codec/gta.c"

enum { N = 16, ROOM = 65 * 1024 * 1024 };

static unsigned char memory[N];
static struct taf_err err;
static struct taf_gta gta;
static bool long_header;	/* of more numbers than N bytes have */

/* Any place of a header. */
static struct scan
any(void)
{
	struct scan s = { memory, N, 0, false, &err };

	Frama_C_make_unknown((char *)memory, sizeof memory);
	s.at = Frama_C_size_t_interval(0, N);
	s.big = Frama_C_interval(0, 1) != 0;
	return s;
}

static bool
tag_text(const unsigned char *p, size_t n, bool name)
{
	(void)name;
	/*@ assert \valid_read(p + (0 .. n - 1)); */
	return Frama_C_interval(0, 1) != 0;
}

static enum taf_status
scan_text(struct scan *s, bool name, const char **text)
{
	(void)name;
	s->at = Frama_C_size_t_interval(1, N);
	*text = (const char *)memory + Frama_C_size_t_interval(0, s->at - 1);
	return ends(s->e);
}

static enum taf_status
scan_u64(struct scan *s, const char *what, uint64_t *v)
{
	const size_t least = long_header ? 8 : s->at + 8;

	if (Frama_C_interval(0, 1) || least > N)
		return too_short(s, what);
	s->at = Frama_C_size_t_interval(least, N);
	*v = Frama_C_unsigned_long_interval(0, UINT64_MAX);
	return TAF_OK;
}

static enum taf_status
scan_component(struct scan *s, struct taf_gta_component *c)
{
	if (s->at == s->n)
		return too_short(s, "list");
	s->at = Frama_C_size_t_interval(s->at + 1, N);
	c->type = (unsigned char)Frama_C_interval(0, NO_TYPE);
	c->size = Frama_C_unsigned_long_interval(0, UINT64_MAX);
	c->tags = 0;
	return ends(s->e);
}

static struct taf_gta_component several[N];

static enum taf_status
scan_components(struct scan *s, struct taf_gta *g)
{
	s->at = Frama_C_size_t_interval(1, N);
	g->components = several;
	g->ncomponents = Frama_C_size_t_interval(0, N);
	g->element = Frama_C_unsigned_long_interval(0, UINT64_MAX);
	return ends(s->e);
}

static enum taf_status
scan_header(struct taf_gta *g, struct taf_err *e)
{
	g->left = Frama_C_unsigned_long_interval(0, UINT64_MAX);
	return ends(e);
}

/* what a buffer has is more than a header may have */
enum taf_status
taf_buf_reserve(struct taf_buf *b, size_t n, struct taf_err *e)
{
	static char room[ROOM];

	/*@ assert n <= BLOCK; */
	b->data = room;
	b->len = Frama_C_size_t_interval(0, ROOM - BLOCK);
	return ends(e);
}

void
texts(void)
{
	size_t n = Frama_C_size_t_interval(0, N);

	(void)any();
	//@ split n;
	(void)real_tag_text(memory + (N - n), n, Frama_C_interval(0, 1) != 0);
}

void
pieces(void)
{
	struct scan s = any();
	struct taf_gta_component c;
	enum taf_status st;
	const char *text;
	size_t from;
	uint64_t v;

	//@ split s.at;
	from = s.at;
	switch (Frama_C_interval(0, 2)) {
	case 0:
		st = real_scan_u64(&s, "list", &v);
		break;
	case 1:
		st = real_scan_component(&s, &c);
		break;
	default:
		st = real_scan_text(&s, Frama_C_interval(0, 1) != 0, &text);
	}
	/*@ assert st != TAF_OK || from < s.at; */
	/*@ assert s.at <= N; */
}

void
lists(void)
{
	struct scan s = any();

	s.at = 0;
	(void)real_scan_components(&s, &gta);
}

void
header(void)
{
	(void)any();
	gta.header.data = (char *)memory;
	gta.header.len = N;
	long_header = true;
	(void)real_scan_header(&gta, &err);
}

void
file(void)
{
	static struct taf_gta_chunks chunks;
	struct taf_in in;

	taf_gta_init(&gta, &in);
	gta.left = Frama_C_unsigned_long_interval(0, UINT64_MAX);
	gta.chunked = Frama_C_interval(0, 1) != 0;
	gta.chunks = &chunks;
	chunks.in = &in;
	chunks.left = Frama_C_unsigned_long_interval(0, CHUNK_MAX);
	(void)taf_gta_next(&gta, &err);
}
