/* SPDX-License-Identifier: ISC */
/* Generic Tagged Arrays: see the header. */
/* link: zlib bzip2 lzma */
#include "codec/gta.h"

#include "config.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_BZIP2
#include <bzlib.h>
#endif
#ifdef HAVE_LZMA
#include <lzma.h>
#endif
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#include "base/decimal.h"
#include "base/endian.h"
#include "base/num.h"
#include "base/str.h"
#include "codec/taf_foreign.h"

enum {
	PREFIX = 6,		/* bytes before the first chunk */
	CHUNK_MAX = 1 << 24,	/* section 1.3 */
	HEADER_MAX = 64 * 1024 * 1024,
	COMPONENTS_MAX = 1000000,	/* the highest number that an attribute has */
	XZ_MEMORY = 80 * 1024 * 1024,	/* what its largest preset needs */
	BLOCK = 64 * 1024
};

/* Table 2. */
enum { NONE = 0, ZLIB = 1, BZIP2 = 2, XZ = 3, ZLIB9 = 12 };

/* Table 1, by number. */
enum { BLOB = 0, TYPES = 17, NO_TYPE = 255 };
static const struct {
	const char *name;
	unsigned char size;
	int type;	/* -1 for none of ours */
} types[TYPES] = {
	{ "blob", 0, -1 }, { "int8", 1, TAF_INT8 }, { "uint8", 1, TAF_UINT8 },
	{ "int16", 2, TAF_INT16 }, { "uint16", 2, TAF_UINT16 },
	{ "int32", 4, TAF_INT32 }, { "uint32", 4, TAF_UINT32 },
	{ "int64", 8, TAF_INT64 }, { "uint64", 8, TAF_UINT64 },
	{ "int128", 16, -1 }, { "uint128", 16, -1 },
	{ "float32", 4, TAF_FLT32 }, { "float64", 8, TAF_FLT64 }, { "float128", 16, -1 },
	{ "cfloat32", 8, TAF_COMPLEX }, { "cfloat64", 16, TAF_COMPLEX128 },
	{ "cfloat128", 32, -1 },
};

/* Label of a dimension that GTA has no dimension for. */
static const char components_label[] = "component";

static const char prefix[] = "gta/";	/* of an attribute that is a tag */

/* What a decoder says after a step. */
enum step { MORE, DONE, DAMAGED, NO_MEMORY };

/* A chunk list that is being read. */
struct taf_gta_chunks {
	struct taf_in *in;
	bool big;
	uint64_t at;		/* offset of the present chunk */
	uint64_t left;		/* its bytes that are still to come */
	uint64_t packed;	/* compressed bytes of it that are still in the input */
	int method;
	bool open, done;	/* a decoder is at work, has come to its end */
	union {
#ifdef HAVE_ZLIB
		z_stream zlib;
#endif
#ifdef HAVE_BZIP2
		bz_stream bzip2;
#endif
#ifdef HAVE_LZMA
		lzma_stream xz;
#endif
		int none;
	} u;
};

/*
 * A library that decodes: begin is false where there is no memory, and zeroed before.  A
 * step goes from in to out; the lengths become what is left of them.  Both are small, so
 * that casts keep them.
 */
struct decoder {
	const char *library;
	bool (*begin)(struct taf_gta_chunks *c);
	enum step (*step)(struct taf_gta_chunks *c, const unsigned char *in, size_t *nin,
	    unsigned char *out, size_t *nout);
	void (*end)(struct taf_gta_chunks *c);
};

#ifdef HAVE_ZLIB
static bool
zlib_begin(struct taf_gta_chunks *c)
{
	return inflateInit(&c->u.zlib) == Z_OK;
}

static enum step
zlib_step(struct taf_gta_chunks *c, const unsigned char *in, size_t *nin,
    unsigned char *out, size_t *nout)
{
	z_stream *z = &c->u.zlib;
	int r;

	/* zlib does not write to what its older versions do not call const */
	z->next_in = (unsigned char *)(uintptr_t)in;
	z->avail_in = (unsigned)*nin;
	z->next_out = out;
	z->avail_out = (unsigned)*nout;
	r = inflate(z, Z_NO_FLUSH);
	*nin = z->avail_in;
	*nout = z->avail_out;
	return r == Z_OK || r == Z_BUF_ERROR ? MORE : r == Z_STREAM_END ? DONE :
	    r == Z_MEM_ERROR ? NO_MEMORY : DAMAGED;
}

static void
zlib_end(struct taf_gta_chunks *c)
{
	(void)inflateEnd(&c->u.zlib);
}
#endif

#ifdef HAVE_BZIP2
static bool
bzip2_begin(struct taf_gta_chunks *c)
{
	return BZ2_bzDecompressInit(&c->u.bzip2, 0, 0) == BZ_OK;
}

static enum step
bzip2_step(struct taf_gta_chunks *c, const unsigned char *in, size_t *nin,
    unsigned char *out, size_t *nout)
{
	bz_stream *b = &c->u.bzip2;
	int r;

	b->next_in = (char *)(uintptr_t)in;
	b->avail_in = (unsigned)*nin;
	b->next_out = (char *)out;
	b->avail_out = (unsigned)*nout;
	r = BZ2_bzDecompress(b);
	*nin = b->avail_in;
	*nout = b->avail_out;
	return r == BZ_OK ? MORE : r == BZ_STREAM_END ? DONE :
	    r == BZ_MEM_ERROR ? NO_MEMORY : DAMAGED;
}

static void
bzip2_end(struct taf_gta_chunks *c)
{
	(void)BZ2_bzDecompressEnd(&c->u.bzip2);
}
#endif

#ifdef HAVE_LZMA
static bool
xz_begin(struct taf_gta_chunks *c)
{
	static const lzma_stream fresh = LZMA_STREAM_INIT;

	c->u.xz = fresh;
	return lzma_stream_decoder(&c->u.xz, XZ_MEMORY, 0) == LZMA_OK;
}

static enum step
xz_step(struct taf_gta_chunks *c, const unsigned char *in, size_t *nin,
    unsigned char *out, size_t *nout)
{
	lzma_stream *x = &c->u.xz;
	lzma_ret r;

	x->next_in = in;
	x->avail_in = *nin;
	x->next_out = out;
	x->avail_out = *nout;
	r = lzma_code(x, LZMA_RUN);
	*nin = x->avail_in;
	*nout = x->avail_out;
	return r == LZMA_OK || r == LZMA_BUF_ERROR ? MORE : r == LZMA_STREAM_END ? DONE :
	    r == LZMA_MEM_ERROR ? NO_MEMORY : DAMAGED;
}

static void
xz_end(struct taf_gta_chunks *c)
{
	lzma_end(&c->u.xz);
}
#endif

/* By method; of those that are not here only the library's name is known. */
static const struct decoder decoders[] = {
	[ZLIB] = { .library = "zlib",
#ifdef HAVE_ZLIB
		.begin = zlib_begin, .step = zlib_step, .end = zlib_end
#endif
	},
	[BZIP2] = { .library = "bzip2",
#ifdef HAVE_BZIP2
		.begin = bzip2_begin, .step = bzip2_step, .end = bzip2_end
#endif
	},
	[XZ] = { .library = "liblzma",
#ifdef HAVE_LZMA
		.begin = xz_begin, .step = xz_step, .end = xz_end
#endif
	},
};

static void
unpack_end(struct taf_gta_chunks *c)
{
	if (c->open)
		decoders[c->method].end(c);
	c->open = false;
}

static enum taf_status
bad_chunk(const struct taf_gta_chunks *c, struct taf_err *e, const char *fact)
{
	return taf_fail(e, TAF_EDATA, "offset %llu: %s", (unsigned long long)c->at, fact);
}

/* The next chunk's header; of the empty chunk that ends the list c->left is 0. */
static enum taf_status
chunk_next(struct taf_gta_chunks *c, struct taf_err *e)
{
	unsigned char word[8], method;

	unpack_end(c);
	c->at = taf_in_offset(c->in);
	c->method = NONE;
	if (taf_in_read(c->in, word, sizeof word, e) != TAF_OK)
		return e->code;
	c->left = taf_get64(word, c->big);
	if (c->left > CHUNK_MAX)
		return taf_fail(e, TAF_EDATA,
		    "offset %llu: a chunk of %llu bytes, more than %d",
		    (unsigned long long)c->at, (unsigned long long)c->left,
		    (int)CHUNK_MAX);
	if (c->left == 0)
		return TAF_OK;
	if (taf_in_read(c->in, &method, 1, e) != TAF_OK)
		return e->code;
	if (method > ZLIB9)
		return taf_fail(e, TAF_EDATA,
		    "offset %llu: unknown compression method %d",
		    (unsigned long long)c->at + 8, method);
	c->method = method > XZ ? ZLIB : method;
	c->packed = c->left;
	if (c->method != NONE) {
		if (decoders[c->method].begin == NULL)
			return taf_fail(e, TAF_EDATA,
			    "offset %llu: a compressed chunk, but this program was built without %s",
			    (unsigned long long)c->at, decoders[c->method].library);
		if (taf_in_read(c->in, word, sizeof word, e) != TAF_OK)
			return e->code;
		c->packed = taf_get64(word, c->big);
		if (c->packed == 0 || c->packed > c->left)
			return taf_fail(e, TAF_EDATA,
			    "offset %llu: %llu compressed bytes for a chunk of %llu",
			    (unsigned long long)c->at, (unsigned long long)c->packed,
			    (unsigned long long)c->left);
	}
	if (taf_in_seekable(c->in) && c->packed > taf_in_left(c->in))
		return taf_fail(e, TAF_ETRUNC,
		    "offset %llu: a chunk of %llu bytes, but %llu follow",
		    (unsigned long long)c->at, (unsigned long long)c->packed,
		    (unsigned long long)taf_in_left(c->in));
	return TAF_OK;
}

/* Decode up to n bytes; fewer, of *got, only where the compressed data end. */
static enum taf_status
decode(struct taf_gta_chunks *c, unsigned char *buf, size_t n, size_t *got,
    struct taf_err *e)
{
	const struct decoder *d = &decoders[c->method];

	if (!c->open) {
		memset(&c->u, 0, sizeof c->u);
		c->done = false;
		c->open = d->begin(c);
	}
	if (!c->open)
		return taf_fail_mem(e);
	*got = 0;
	while (*got < n && !c->done) {
		size_t some, nin, most = n - *got < CHUNK_MAX ? n - *got : CHUNK_MAX;
		size_t nout = most;
		const unsigned char *p;
		enum step step;

		if (taf_in_peek(c->in, c->packed > 0 ? 1 : 0, &p, &some, e) != TAF_OK)
			return e->code;
		if (some > c->packed)
			some = (size_t)c->packed;
		nin = some;
		step = d->step(c, p, &nin, buf + *got, &nout);
		if (step == NO_MEMORY)
			return taf_fail_mem(e);
		if (step == DAMAGED)
			return bad_chunk(c, e, "the compressed data are damaged");
		/* skipping what a pipe should have says that it has ended */
		if (step == MORE && nin == some && nout == most)
			return c->packed == 0 || some > 0 ?
			    bad_chunk(c, e, "the compressed data end too early") :
			    taf_in_skip(c->in, c->packed, e);
		if (taf_in_skip(c->in, some - nin, e) != TAF_OK)
			return e->code;
		c->packed -= some - nin;
		*got += most - nout;
		c->done = step == DONE;
	}
	return TAF_OK;
}

/* All bytes of a compressed chunk are there: so must its end be, and its check sum. */
static enum taf_status
decode_end(struct taf_gta_chunks *c, struct taf_err *e)
{
	unsigned char one;
	enum taf_status st;
	size_t got;

	st = decode(c, &one, 1, &got, e);
	unpack_end(c);
	if (st != TAF_OK)
		return st;
	if (got > 0)
		return bad_chunk(c, e, "the compressed data hold more than the chunk");
	/* libgta, too, takes bytes behind the compressed data */
	return taf_in_skip(c->in, c->packed, e);
}

/* Read n bytes of the present chunk, which has them. */
static enum taf_status
chunk_read(struct taf_gta_chunks *c, unsigned char *buf, size_t n, struct taf_err *e)
{
	size_t got;

	c->left -= n;
	if (c->method == NONE)
		return taf_in_read(c->in, buf, n, e);
	if (decode(c, buf, n, &got, e) != TAF_OK)
		return e->code;
	if (got < n)
		return bad_chunk(c, e, "the compressed data hold less than the chunk");
	return c->left == 0 ? decode_end(c, e) : TAF_OK;
}

/* Bytes of a tag list and the like, in memory. */
struct scan {
	const unsigned char *p;
	size_t n, at;
	bool big;
	struct taf_err *e;
};

static enum taf_status
too_short(const struct scan *s, const char *what)
{
	return taf_fail(s->e, TAF_EDATA,
	    "header: its chunks end after %zu bytes, in the %s", s->n, what);
}

static enum taf_status
scan_u64(struct scan *s, const char *what, uint64_t *v)
{
	if (s->n - s->at < 8)
		return too_short(s, what);
	*v = taf_get64(s->p + s->at, s->big);
	s->at += 8;
	return TAF_OK;
}

static enum taf_status
scan_component(struct scan *s, struct taf_gta_component *c)
{
	static const char what[] = "list of components";

	c->tags = 0;
	c->size = 0;
	if (s->at == s->n)
		return too_short(s, what);
	c->type = s->p[s->at++];
	if (c->type == NO_TYPE)
		return TAF_OK;
	if (c->type >= TYPES)
		return taf_fail(s->e, TAF_EDATA, "header: unknown component type %d",
		    c->type);
	c->size = types[c->type].size;
	if (c->type != BLOB)
		return TAF_OK;
	if (scan_u64(s, what, &c->size) != TAF_OK)
		return s->e->code;
	return c->size > 0 ? TAF_OK :
	    taf_fail(s->e, TAF_EDATA, "header: a blob of 0 bytes");
}

/* Section 2.1, the list of components. */
static enum taf_status
scan_components(struct scan *s, struct taf_gta *g)
{
	size_t cap = 0;

	g->element = 0;
	for (;;) {
		struct taf_gta_component c;
		enum taf_status st = scan_component(s, &c);

		if (st != TAF_OK || c.type == NO_TYPE)
			return st;
		if (!taf_add(g->element, c.size, &g->element))
			return taf_fail(s->e, TAF_EDATA,
			    "header: component %zu: %llu bytes make the element too large",
			    g->ncomponents + 1, (unsigned long long)c.size);
		if (g->ncomponents == cap) {
			struct taf_gta_component *grown;

			if (cap == COMPONENTS_MAX)
				return taf_fail(s->e, TAF_EDATA,
				    "header: more than %d components",
				    (int)COMPONENTS_MAX);
			cap = cap < 8 ? 8 : cap < COMPONENTS_MAX / 2 ? cap * 2 :
			    COMPONENTS_MAX;
			grown = realloc(g->components, cap * sizeof *grown);
			if (grown == NULL)
				return taf_fail_mem(s->e);
			g->components = grown;
		}
		g->components[g->ncomponents++] = c;
	}
}

/* The list of dimensions, and what it makes of the sizes. */
static enum taf_status
scan_dims(struct scan *s, struct taf_gta *g)
{
	uint64_t n = 0, bytes = g->element;

	for (g->ndim = 0;; g->ndim++) {
		enum taf_status st = scan_u64(s, "list of dimensions", &n);

		if (st != TAF_OK)
			return st;
		if (n == 0)
			break;
		if (!taf_mul(bytes, n, &bytes))
			return taf_fail(s->e, TAF_EDATA,
			    "header: dimension %llu: length %llu makes the array too large",
			    (unsigned long long)g->ndim + 1, (unsigned long long)n);
		if (g->ndim < TAF_MAX_DIM)
			g->dim[g->ndim] = n;
	}
	/* libgta: no dimensions are no elements, and without components no bytes */
	g->left = g->ndim > 0 ? bytes : 0;
	g->count = g->element > 0 ? g->left / g->element : 0;
	return TAF_OK;
}

/*
 * Is this text of n bytes a tag's (section 1.2)?  Surrogates pass, as they do in libgta.
 */
static bool
tag_text(const unsigned char *p, size_t n, bool name)
{
	size_t i = 0;

	if (name && n == 0)
		return false;
	while (i < n) {
		unsigned c = p[i++], more = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;

		if (c < 0x20 || c == 0x7f || (name && c == '='))
			return false;
		if (c < 0x80)
			continue;
		if (c < 0xc2 || c > 0xf4 || n - i < more)
			return false;
		/* overlong forms, and what is above the last character */
		if ((c == 0xe0 && p[i] < 0xa0) || (c == 0xf0 && p[i] < 0x90) ||
		    (c == 0xf4 && p[i] > 0x8f))
			return false;
		for (; more > 0; more--)
			if ((p[i++] & 0xc0) != 0x80)
				return false;
	}
	return true;
}

/* One string of a tag list. */
static enum taf_status
scan_text(struct scan *s, bool name, const char **text)
{
	const unsigned char *p = s->p + s->at;
	const unsigned char *nul = s->at < s->n ? memchr(p, '\0', s->n - s->at) : NULL;

	if (nul == NULL)
		return too_short(s, "tag lists");
	*text = (const char *)p;
	s->at += (size_t)(nul - p) + 1;
	if (name && nul == p)
		return TAF_OK;
	if (!tag_text(p, (size_t)(nul - p), name))
		return taf_fail(s->e, TAF_EDATA,
		    "header: byte %zu: not a %s: control characters%s or no UTF-8",
		    (size_t)(p - s->p), name ? "tag name" : "tag value",
		    name ? ", =" : "");
	return TAF_OK;
}

/* The next tag of a list; *name is empty at its end. */
static enum taf_status
scan_tag(struct scan *s, const char **name, const char **value)
{
	if (scan_text(s, true, name) != TAF_OK)
		return s->e->code;
	return (*name)[0] != '\0' ? scan_text(s, false, value) : TAF_OK;
}

/* Check a tag list; *at is where it begins. */
static enum taf_status
scan_tags(struct scan *s, uint32_t *at)
{
	const char *name, *value;

	*at = (uint32_t)s->at;
	do
		if (scan_tag(s, &name, &value) != TAF_OK)
			return s->e->code;
	while (name[0] != '\0');
	return TAF_OK;
}

static struct scan
scan_from(const struct taf_gta *g, size_t at, struct taf_err *e)
{
	const unsigned char *p = (const unsigned char *)g->header.data;
	struct scan s = { p, g->header.len, at, g->big, e };

	return s;
}

static enum taf_status
scan_header(struct taf_gta *g, struct taf_err *e)
{
	struct scan s = scan_from(g, 0, e);
	uint32_t unused;
	uint64_t i;

	if (scan_components(&s, g) != TAF_OK || scan_dims(&s, g) != TAF_OK ||
	    scan_tags(&s, &g->tags) != TAF_OK)
		return e->code;
	for (i = 0; i < g->ncomponents; i++)
		if (scan_tags(&s, &g->components[i].tags) != TAF_OK)
			return e->code;
	for (i = 0; i < g->ndim; i++)
		if (scan_tags(&s, i < TAF_MAX_DIM ? &g->dim_tags[i] : &unused) != TAF_OK)
			return e->code;
	return s.at == s.n ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "header: %zu bytes behind the last tag list", s.n - s.at);
}

/* Put the chunks of the header together. */
static enum taf_status
read_header(struct taf_gta *g, struct taf_err *e)
{
	struct taf_gta_chunks *c = g->chunks;
	struct taf_buf *h = &g->header;
	size_t n;

	for (h->len = 0;;) {
		if (chunk_next(c, e) != TAF_OK)
			return e->code;
		if (c->left == 0)
			break;
		if (c->left > HEADER_MAX - h->len)
			return taf_fail(e, TAF_EDATA, "a header of more than %d bytes",
			    (int)HEADER_MAX);
		/* the buffer grows with what really comes */
		for (; c->left > 0; h->len += n) {
			n = c->left < BLOCK ? (size_t)c->left : BLOCK;
			if (taf_buf_reserve(h, n, e) != TAF_OK ||
			    chunk_read(c, (unsigned char *)h->data + h->len, n, e) !=
			    TAF_OK)
				return e->code;
		}
	}
	return h->len > 0 ? TAF_OK : bad_chunk(c, e, "a header without a chunk");
}

/* All bytes of chunked data are there: so must the empty chunk be that ends the list. */
static enum taf_status
end_of_data(struct taf_gta *g, struct taf_err *e)
{
	if (!g->chunked || g->left > 0)
		return TAF_OK;
	g->chunked = false;
	if (chunk_next(g->chunks, e) != TAF_OK)
		return e->code;
	return g->chunks->left == 0 ? TAF_OK :
	    bad_chunk(g->chunks, e, "a chunk beyond the data");
}

/* Section 2.1, figure 1. */
static enum taf_status
read_prefix(struct taf_gta *g, struct taf_err *e)
{
	uint64_t at = taf_in_offset(g->in);
	const unsigned char *p;
	size_t got;

	if (taf_in_peek(g->in, PREFIX, &p, &got, e) != TAF_OK)
		return e->code;
	if (got == 0)
		return TAF_END;
	if (memcmp(p, "GTA", got < 3 ? got : 3) != 0)
		return taf_foreign_here(g->in, "GTA file", e);
	if (got < PREFIX)
		return taf_fail(e, TAF_ETRUNC,
		    "offset %llu: the input ends after %zu bytes of a GTA header",
		    (unsigned long long)at, got);
	if (p[3] != 1)
		return taf_fail(e, TAF_EDATA, "offset %llu: GTA version %d, not 1",
		    (unsigned long long)at + 3, p[3]);
	if ((p[4] & 0xfc) != 0)
		return taf_fail(e, TAF_EDATA, "offset %llu: unknown flags 0x%02x",
		    (unsigned long long)at + 4, p[4]);
	if (p[5] > ZLIB9)
		return taf_fail(e, TAF_EDATA,
		    "offset %llu: unknown compression method %d",
		    (unsigned long long)at + 5, p[5]);
	g->big = (p[4] & 1) != 0;
	g->chunked = p[5] != NONE;
	return taf_in_skip(g->in, PREFIX, e);
}

void
taf_gta_init(struct taf_gta *g, struct taf_in *in)
{
	memset(g, 0, sizeof *g);
	g->in = in;
}

void
taf_gta_fini(struct taf_gta *g)
{
	if (g->chunks != NULL)
		unpack_end(g->chunks);
	free(g->chunks);
	free(g->components);
	taf_buf_free(&g->header);
	taf_gta_init(g, NULL);
}

/* Plain data that are too short are told before the caller makes anything of them. */
static enum taf_status
check_plain(const struct taf_gta *g, struct taf_err *e)
{
	uint64_t want = g->left, have = taf_in_left(g->in);
	const unsigned char *p;
	size_t got;

	if (!taf_in_seekable(g->in)) {
		/* of a pipe as much as the buffer holds */
		want = want < BLOCK ? want : BLOCK;
		if (taf_in_peek(g->in, (size_t)want, &p, &got, e) != TAF_OK)
			return e->code;
		have = got;
	}
	return want <= have ? TAF_OK : taf_fail(e, TAF_ETRUNC,
	    "data of %llu bytes, but %llu follow the header",
	    (unsigned long long)g->left, (unsigned long long)have);
}

static enum taf_status
next(struct taf_gta *g, struct taf_err *e)
{
	enum taf_status st;

	if (taf_gta_read(g, NULL, g->left, e) != TAF_OK)
		return e->code;
	st = read_prefix(g, e);
	if (st != TAF_OK)
		return st;
	if (g->chunks == NULL && (g->chunks = calloc(1, sizeof *g->chunks)) == NULL)
		return taf_fail_mem(e);
	g->chunks->in = g->in;
	g->chunks->big = g->big;
	g->ncomponents = 0;
	free(g->components);
	g->components = NULL;
	if (read_header(g, e) != TAF_OK || scan_header(g, e) != TAF_OK)
		return e->code;
	return g->chunked ? end_of_data(g, e) : check_plain(g, e);
}

enum taf_status
taf_gta_next(struct taf_gta *g, struct taf_err *e)
{
	enum taf_status st = next(g, e);

	if (st != TAF_OK) {
		g->left = g->count = 0;
		g->chunked = false;
	}
	return st;
}

/* Pass over n bytes of the present chunk; over all of one that is untouched unseen. */
static enum taf_status
chunk_pass(struct taf_gta_chunks *c, uint64_t n, struct taf_err *e)
{
	unsigned char block[4096];
	size_t part;

	if (c->method == NONE || (n == c->left && !c->open)) {
		c->left -= n;
		return taf_in_skip(c->in, c->method == NONE ? n : c->packed, e);
	}
	for (; n > 0; n -= part) {
		part = n < sizeof block ? (size_t)n : sizeof block;
		if (chunk_read(c, block, part, e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

enum taf_status
taf_gta_read(struct taf_gta *g, void *buf, uint64_t n, struct taf_err *e)
{
	struct taf_gta_chunks *c = g->chunks;
	unsigned char *to = buf;
	uint64_t part;

	if (n > g->left)
		return taf_fail(e, TAF_EMISUSE, "internal: read beyond the array");
	if (!g->chunked) {
		g->left -= n;
		return to == NULL ? taf_in_skip(g->in, n, e) :
		    taf_in_read(g->in, to, (size_t)n, e);
	}
	for (; n > 0; n -= part) {
		if (c->left == 0 && chunk_next(c, e) != TAF_OK)
			return e->code;
		if (c->left == 0 || c->left > g->left)
			return taf_fail(e, TAF_EDATA,
			    "offset %llu: a chunk of %llu bytes, but the data have %llu left",
			    (unsigned long long)c->at, (unsigned long long)c->left,
			    (unsigned long long)g->left);
		part = c->left < n ? c->left : n;
		if ((to == NULL ? chunk_pass(c, part, e) :
		    chunk_read(c, to, (size_t)part, e)) != TAF_OK)
			return e->code;
		to = to == NULL ? NULL : to + part;
		g->left -= part;
	}
	return end_of_data(g, e);
}

size_t
taf_gta_word(const struct taf_gta_component *c)
{
	int type = types[c->type].type;

	return type < 0 ? 1 : taf_type_word((enum taf_type)type);
}

bool
taf_gta_uniform(const struct taf_gta *g)
{
	size_t i;

	for (i = 1; i < g->ncomponents; i++)
		if (g->components[i].type != g->components[0].type)
			return false;
	return true;
}

/* The tags of a list, which was checked, become attributes. */
static enum taf_status
put_tags(const struct taf_gta *g, uint32_t at, struct taf_array *a, enum taf_scope scope,
    size_t index, struct taf_err *e)
{
	struct scan s = scan_from(g, at, e);
	struct taf_buf key = { 0 };
	const char *name, *value;
	enum taf_status st;

	for (;;) {
		st = scan_tag(&s, &name, &value);
		if (st != TAF_OK || name[0] == '\0')
			break;
		key.len = 0;
		st = taf_buf_printf(&key, e, "%s%s", prefix, name);
		if (st == TAF_OK)
			st = taf_attr_set(a, key.data, scope, (unsigned)index, value, e);
		if (st != TAF_OK)
			break;
	}
	taf_buf_free(&key);
	return st;
}

/* SAMPLE-DISTANCE: a step, and where text follows it, a unit; step 1 if it is none. */
static void
parse_distance(const char *text, double *step, const char **unit)
{
	const char *end = text != NULL ? text + strlen(text) : NULL;
	size_t n = text != NULL ? taf_scan_f64(text, end, step) : 0;
	bool letter = n > 0 && ((text[n] >= 'A' && text[n] <= 'Z') ||
	    (text[n] >= 'a' && text[n] <= 'z') || (unsigned char)text[n] >= 0x80);

	*unit = NULL;
	if (n == 0 || !taf_is_finite(*step) || *step == 0 ||
	    (text[n] != '\0' && text[n] != ' ' && !letter)) {
		*step = 1;
		return;
	}
	while (text[n] == ' ')
		n++;
	if (text[n] != '\0')
		*unit = text + n;
}

static void
parse_start(const char *text, double *start)
{
	if (text == NULL || !taf_parse_f64(text, strlen(text), start) ||
	    !taf_is_finite(*start))
		*start = 0;
}

/* Names of the attributes of a dimension that are more than tags. */
static const char distance_key[] = "gta/SAMPLE-DISTANCE";
static const char start_key[] = "gta/X-START", label_key[] = "gta/X-LABEL";

/* Dimension k of a has its tags: they give it grid, label and unit. */
static enum taf_status
use_tags(struct taf_array *a, unsigned k, struct taf_err *e)
{
	const char *label = taf_attr_get(a, label_key, TAF_OF_DIM, k), *unit;
	struct taf_dim *d = &a->dim[k - 1];

	parse_start(taf_attr_get(a, start_key, TAF_OF_DIM, k), &d->start);
	parse_distance(taf_attr_get(a, distance_key, TAF_OF_DIM, k), &d->step, &unit);
	if (unit != NULL && taf_attr_set(a, "unit", TAF_OF_DIM, k, unit, e) != TAF_OK)
		return e->code;
	return label != NULL && label[0] != '\0' ?
	    taf_attr_set(a, "label", TAF_OF_DIM, k, label, e) : TAF_OK;
}

/* A dimension that GTA has none for counts from 1. */
static enum taf_status
add_special(struct taf_array *a, uint64_t n, const char *label, struct taf_err *e)
{
	taf_array_add_dim(a, n, 1, 1);
	return taf_attr_set(a, "label", TAF_OF_DIM, a->ndim, label, e);
}

static enum taf_status
check_array(const struct taf_gta *g, size_t k, struct taf_err *e)
{
	size_t first = k > 0 ? k - 1 : 0, several = k == 0 && g->ncomponents > 1;
	const struct taf_gta_component *c;

	if (k > g->ncomponents)
		return taf_fail(e, TAF_EDATA,
		    "component %zu is wanted, but there are %zu", k, g->ncomponents);
	if (g->count == 0)
		return taf_fail(e, TAF_EDATA,
		    "%llu dimensions, %zu components: no elements",
		    (unsigned long long)g->ndim, g->ncomponents);
	c = &g->components[first];
	if (types[c->type].type < 0 && c->type == BLOB)
		return taf_fail(e, TAF_EDATA,
		    "component %zu: a blob of %llu bytes is no number",
		    first + 1, (unsigned long long)c->size);
	if (types[c->type].type < 0)
		return taf_fail(e, TAF_EDATA, "component %zu: no element type holds %s",
		    first + 1, types[c->type].name);
	if (g->ndim + several > TAF_MAX_DIM)
		return taf_fail(e, TAF_EDATA, "%llu dimensions, more than %d",
		    (unsigned long long)g->ndim + several, (int)TAF_MAX_DIM);
	return TAF_OK;
}

enum taf_status
taf_gta_array(const struct taf_gta *g, size_t k, struct taf_array *a, struct taf_err *e)
{
	size_t first = k > 0 ? k - 1 : 0, n = k > 0 ? 1 : g->ncomponents, i;
	unsigned shift = n > 1;

	if (check_array(g, k, e) != TAF_OK)
		return e->code;
	taf_array_init(a);
	a->type = (enum taf_type)types[g->components[first].type].type;
	if (put_tags(g, g->tags, a, TAF_OF_ARRAY, 0, e) != TAF_OK ||
	    (n > 1 && add_special(a, n, components_label, e) != TAF_OK))
		return e->code;
	for (i = 0; i < n; i++)
		if (put_tags(g, g->components[first + i].tags, a, TAF_OF_COMPONENT, i + 1,
		    e) != TAF_OK)
			return e->code;
	for (i = 0; i < g->ndim; i++) {
		taf_array_add_dim(a, g->dim[i], 0, 1);
		if (put_tags(g, g->dim_tags[i], a, TAF_OF_DIM, i + 1 + shift, e) !=
		    TAF_OK || use_tags(a, (unsigned)i + 1 + shift, e) != TAF_OK)
			return e->code;
	}
	return taf_array_check(a, e);
}

enum taf_status
taf_gta_part(const struct taf_gta *g, size_t k, struct taf_array *a, struct taf_err *e)
{
	const struct taf_gta_component *c;
	size_t i;

	if (check_array(g, k, e) != TAF_OK)
		return e->code;
	for (i = a->nattrs; i > 0; i--) {
		const struct taf_attr *t = &a->attrs[i - 1];

		if ((t->scope == TAF_OF_COMPONENT ||
		    (t->scope == TAF_OF_DIM && t->index > g->ndim)) &&
		    taf_attr_set(a, t->key, t->scope, t->index, NULL, e) != TAF_OK)
			return e->code;
	}
	c = &g->components[k - 1];
	a->ndim = (unsigned)g->ndim;
	a->type = (enum taf_type)types[c->type].type;
	if (put_tags(g, c->tags, a, TAF_OF_COMPONENT, 1, e) != TAF_OK)
		return e->code;
	return taf_array_check(a, e);
}

static bool
same_text(const char *a, const char *b)
{
	return (a == NULL || b == NULL) ? a == b : strcmp(a, b) == 0;
}

static enum taf_status
set_number(struct taf_array *a, const char *key, unsigned k, double v, const char *unit,
    struct taf_err *e)
{
	struct taf_str text = { .err = e };

	taf_str_printf(&text, unit != NULL ? "%s %s" : "%s", taf_f64(v).s, unit);
	if (text.st == TAF_OK)
		text.st = taf_attr_set(a, key, TAF_OF_DIM, k, text.buf.data, e);
	taf_str_free(&text);
	return text.st;
}

static bool
can_be_value(const char *text)
{
	return text != NULL && text[0] != '\0' &&
	    tag_text((const unsigned char *)text, strlen(text), false);
}

/* The reverse of use_tags; tags that say what they should stay as they are. */
static enum taf_status
make_tags(struct taf_array *a, unsigned k, struct taf_gta_lost *lost, struct taf_err *e)
{
	const char *unit = taf_attr_get(a, "unit", TAF_OF_DIM, k), *old_unit;
	const char *label = taf_attr_get(a, "label", TAF_OF_DIM, k);
	const char *old_label = taf_attr_get(a, label_key, TAF_OF_DIM, k);
	const struct taf_dim *d = &a->dim[k - 1];
	enum taf_status st = TAF_OK;
	double start, step;

	parse_start(taf_attr_get(a, start_key, TAF_OF_DIM, k), &start);
	parse_distance(taf_attr_get(a, distance_key, TAF_OF_DIM, k), &step, &old_unit);
	/* blanks before it would be taken for those behind the number */
	if (unit != NULL && (unit[0] == ' ' || !can_be_value(unit))) {
		lost->attributes++;
		unit = NULL;
	}
	if (label != NULL && !can_be_value(label)) {
		lost->attributes++;
		label = NULL;
	}
	if (!taf_is_finite(d->start) || !taf_is_finite(d->step) || d->step == 0)
		lost->grids++;
	else if (!taf_same_bits(step, d->step) || !same_text(unit, old_unit))
		st = d->step == 1 && unit == NULL ?
		    taf_attr_set(a, distance_key, TAF_OF_DIM, k, NULL, e) :
		    set_number(a, distance_key, k, d->step, unit, e);
	if (st == TAF_OK && taf_is_finite(d->start) && !taf_same_bits(start, d->start))
		st = set_number(a, start_key, k, d->start, NULL, e);
	if (st == TAF_OK && !same_text(label, old_label) &&
	    (label != NULL || old_label[0] != '\0'))
		st = taf_attr_set(a, label_key, TAF_OF_DIM, k, label, e);
	return st;
}

/* A tag that is to be written: sorted, lists follow each other, their order kept. */
struct tag {
	const struct taf_attr *attr;
	size_t order;
	bool used;
};

static int
compare_place(const struct tag *t, enum taf_scope scope, unsigned index)
{
	if (t->attr->scope != scope)
		return t->attr->scope < scope ? -1 : 1;
	return t->attr->index < index ? -1 : t->attr->index > index;
}

static int
compare_tags(const void *a, const void *b)
{
	const struct tag *x = a, *y = b;
	int r = compare_place(x, y->attr->scope, y->attr->index);

	return r != 0 ? r : x->order < y->order ? -1 : x->order > y->order;
}

/* What a header is made of. */
struct maker {
	struct taf_array a;	/* with all its tags */
	struct tag *tags;
	size_t ntags;
	bool components;	/* dimension 1 is components */
	struct taf_err *e;
};

static enum taf_status
collect(struct maker *m, size_t *others)
{
	size_t i;

	m->tags = taf_alloc(m->a.nattrs, sizeof *m->tags);
	if (m->tags == NULL)
		return taf_fail_mem(m->e);
	for (i = 0; i < m->a.nattrs; i++) {
		const struct taf_attr *t = &m->a.attrs[i];
		const char *name = t->key + sizeof prefix - 1;

		if (strncmp(t->key, prefix, sizeof prefix - 1) != 0) {
			/* labels and units of dimensions are in the tags by now */
			if (t->scope != TAF_OF_DIM || t->index > m->a.ndim ||
			    (strcmp(t->key, "label") != 0 && strcmp(t->key, "unit") != 0))
				(*others)++;
			continue;
		}
		if (!tag_text((const unsigned char *)name, strlen(name), true) ||
		    !tag_text((const unsigned char *)t->value, strlen(t->value), false))
			return taf_fail(m->e, TAF_EDATA,
			    "attribute %.40s: not a tag: control characters, no UTF-8, or a name with =",
			    t->key);
		m->tags[m->ntags].attr = t;
		m->tags[m->ntags].order = i;
		m->tags[m->ntags].used = false;
		m->ntags++;
	}
	qsort(m->tags, m->ntags, sizeof *m->tags, compare_tags);
	return TAF_OK;
}

static void
put_list(struct maker *m, struct taf_str *to, enum taf_scope scope, unsigned index)
{
	size_t lo = 0, hi = m->ntags;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (compare_place(&m->tags[mid], scope, index) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < m->ntags && compare_place(&m->tags[lo], scope, index) == 0; lo++) {
		const struct taf_attr *t = m->tags[lo].attr;
		const char *name = t->key + sizeof prefix - 1;

		taf_str_put(to, name, strlen(name) + 1);
		taf_str_put(to, t->value, strlen(t->value) + 1);
		m->tags[lo].used = true;
	}
	taf_str_put(to, "", 1);
}

/* Component i of those that are left is the one of this number; 0 for none. */
static unsigned
component_number(const struct maker *m, uint64_t i)
{
	double v = (double)i + 1;

	if (m->components)
		v = m->a.dim[0].start + (double)i * m->a.dim[0].step;
	if (!(v >= 1 && v <= COMPONENTS_MAX))
		return 0;
	return (double)(unsigned)v == v ? (unsigned)v : 0;
}

static void
put_u64(struct taf_str *to, uint64_t v)
{
	unsigned char word[8];

	taf_put64(word, v, false);
	taf_str_put(to, word, sizeof word);
}

/* The lists in the order of section 2.1; dimensions first to last are GTA's. */
static void
put_lists(struct maker *m, struct taf_str *to, unsigned char type, unsigned first,
    unsigned last)
{
	uint64_t n = m->components ? m->a.dim[0].n : 1, i;
	unsigned k;

	for (i = 0; i < n; i++)
		taf_str_put(to, &type, 1);
	type = NO_TYPE;
	taf_str_put(to, &type, 1);
	for (k = first; k <= last; k++)
		put_u64(to, m->a.dim[k - 1].n);
	put_u64(to, 0);
	put_list(m, to, TAF_OF_ARRAY, 0);
	for (i = 0; i < n; i++)
		put_list(m, to, TAF_OF_COMPONENT, component_number(m, i));
	for (k = first; k <= last; k++)
		put_list(m, to, TAF_OF_DIM, k);
}

/* The header as libgta writes it: chunks as large as may be, none compressed. */
static void
put_chunks(struct taf_str *to, const struct taf_buf *lists)
{
	static const unsigned char start[PREFIX] = { 'G', 'T', 'A', 1, 0, NONE };
	static const unsigned char method = NONE;
	size_t at, n;

	taf_str_put(to, start, PREFIX);
	for (at = 0; at < lists->len; at += n) {
		n = lists->len - at < CHUNK_MAX ? lists->len - at : CHUNK_MAX;
		put_u64(to, n);
		taf_str_put(to, &method, 1);
		taf_str_put(to, lists->data + at, n);
	}
	put_u64(to, 0);
}

static enum taf_status
make(struct maker *m, struct taf_buf *to, struct taf_gta_lost *lost)
{
	struct taf_str lists = { .err = m->e }, header = { .buf = *to, .err = m->e };
	const unsigned last = m->a.ndim;
	unsigned first = 1, k;
	enum taf_status st = TAF_OK;
	unsigned char type = 0;
	size_t i;

	while (type == BLOB || types[type].type != (int)m->a.type)
		type++;
	if (last > 1 && m->a.dim[0].n <= COMPONENTS_MAX &&
	    taf_dim_stands_for(&m->a, 1, components_label)) {
		lost->attributes += taf_attr_get(&m->a, "unit", TAF_OF_DIM, 1) != NULL;
		m->components = true;
		first = 2;
	}
	for (k = first; k <= last && st == TAF_OK; k++)
		st = make_tags(&m->a, k, lost, m->e);
	if (st == TAF_OK)
		st = collect(m, &lost->attributes);
	if (st != TAF_OK)
		return st;
	put_lists(m, &lists, type, first, last);
	for (i = 0; i < m->ntags; i++)
		lost->attributes += !m->tags[i].used;
	header.st = lists.st;
	header.buf.len = 0;
	put_chunks(&header, &lists.buf);
	taf_str_free(&lists);
	*to = header.buf;
	return header.st;
}

enum taf_status
taf_gta_format(const struct taf_array *a, struct taf_buf *to,
    struct taf_gta_lost *lost, struct taf_err *e)
{
	struct maker m = { .e = e };
	enum taf_status st;
	unsigned k;

	*lost = (struct taf_gta_lost){ 0, 0 };
	for (k = 0; k < a->ndim; k++)
		if (a->dim[k].n == 0)
			return taf_fail(e, TAF_EDATA,
			    "dimension %u: GTA has no length of 0", k + 1);
	st = taf_array_copy(&m.a, a, e);
	if (st == TAF_OK)
		st = make(&m, to, lost);
	taf_array_fini(&m.a);
	free(m.tags);
	return st;
}
