/* SPDX-License-Identifier: ISC */
#include "text/kerchunk.h"

#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/endian.h"
#include "base/utf8.h"
#include "io/url.h"

enum {
	CHUNK = 4 << 20,	/* bytes of one */
	FEW = 1 << 16,		/* chunks, however small, that a document may have */
	INLINE = 1 << 17	/* coordinates that stand in it */
};

struct page {
	const struct taf_kerchunk *want;
	const struct taf_map *at;
	struct taf_str *to;
};

/* "NAME/FILE":"TEXT", of a text that is JSON itself. */
static void
put_object(struct page *p, const char *name, const char *file, struct taf_str *text)
{
	taf_str_puts(p->to, ",\n\"");
	taf_str_json_part(p->to, name, strlen(name));
	taf_str_printf(p->to, "/%s\":\"", file);
	if (text->st == TAF_OK && text->buf.len > 0)
		taf_str_json_part(p->to, text->buf.data, text->buf.len);
	taf_str_puts(p->to, "\"");
	if (text->st != TAF_OK)
		p->to->st = text->st;
	taf_str_free(text);
}

/*
 * A divisor of n points of row bytes each: that of the chunks, as the page says.  Where
 * they would be tiny, because n has no better one, more than FEW become large ones.
 */
static uint64_t
cut(uint64_t n, uint64_t row, uint64_t chunk)
{
	uint64_t d, k, pair[2], small = 1, large = n;

	for (d = 1; d <= n / d; d++) {
		if (n % d != 0)
			continue;
		pair[0] = d;
		pair[1] = n / d;
		for (k = 0; k < 2; k++)
			if (pair[k] <= chunk / row)
				small = pair[k] > small ? pair[k] : small;
			else if (pair[k] < large)
				large = pair[k];
	}
	/* the next one is nearer, and no larger than it may be */
	if (small * row < chunk / 16 && (n / small > FEW || (large / 4 < chunk / row &&
	    large > small && large * row - chunk < chunk - small * row)))
		return large;
	return small;
}

static void
put_shape(struct taf_str *s, const char *key, const struct taf_array *a, unsigned slow,
    uint64_t points)
{
	unsigned k;

	taf_str_printf(s, "\"%s\":[", key);
	for (k = 0; k < a->ndim; k++) {
		taf_str_puts(s, k > 0 ? "," : "");
		taf_str_u64(s, k == slow ? points : a->dim[k].n);
	}
	taf_str_puts(s, "],");
}

/* The file of the array; a URL is one in all its parts. */
static void
put_file(struct page *p)
{
	const char *prefix = p->want->prefix, *s = p->at->file;
	struct taf_str name = { .err = p->to->err };

	if (prefix != NULL && s[0] == '/')
		name.st = taf_fail(name.err, TAF_EDATA,
		    "--prefix %s: %s is a name from the root, and cannot stand behind it",
		    prefix, s);
	taf_str_puts(&name, prefix != NULL ? prefix : "");
	if (prefix != NULL && strncmp(prefix, "http", 4) == 0)
		taf_url_path(&name, s, "-._~/");
	else
		taf_str_puts(&name, s);
	if (name.st == TAF_OK && !taf_utf8_text(name.buf.data, name.buf.len))
		name.st = taf_fail(name.err, TAF_EDATA,
		    "--lang kerchunk: a name that is not UTF-8 cannot be said there");
	if (name.st == TAF_OK)
		taf_str_json(p->to, name.buf.data, name.buf.len);
	else
		p->to->st = name.st;
	taf_str_free(&name);
}

/* References to all chunks, of points of the slowest dimension each. */
static void
put_chunks(struct page *p, unsigned slow, uint64_t points)
{
	const struct taf_array *a = &p->at->a;
	const uint64_t n = a->dim[slow].n, bytes = taf_array_bytes(a) / n * points;
	struct taf_str file = { .err = p->to->err };
	struct page of_file = { p->want, p->at, &file };
	uint64_t c;
	unsigned k;

	put_file(&of_file);
	p->to->st = file.st;
	for (c = 0; c < n / points && p->to->st == TAF_OK; c++) {
		taf_str_puts(p->to, ",\n\"");
		taf_str_json_part(p->to, p->at->name, strlen(p->at->name));
		for (k = 0; k < a->ndim; k++)
			taf_str_printf(p->to, "%s%llu", k > 0 ? "." : "/",
			    k == slow ? (unsigned long long)c : 0ULL);
		taf_str_printf(p->to, "\":[%s,%llu,%llu]", file.buf.data,
		    (unsigned long long)(p->at->offset + c * bytes),
		    (unsigned long long)bytes);
	}
	taf_str_free(&file);
}

static void
put_array(struct page *p)
{
	const struct taf_array *a = &p->at->a;
	struct taf_str s = { .err = p->to->err };
	uint64_t points;
	unsigned k, slow = a->ndim - 1;

	for (k = 1; k < a->ndim && a->dim[slow].n == 1; k++)
		slow--;
	if (p->at->c_order)
		for (slow = 0; slow < a->ndim - 1 && a->dim[slow].n == 1; slow++)
			;
	points = cut(a->dim[slow].n, taf_array_bytes(a) / a->dim[slow].n,
	    p->want->chunk > 0 ? p->want->chunk : CHUNK);
	taf_str_puts(&s, "{\"zarr_format\":2,");
	put_shape(&s, "shape", a, slow, a->dim[slow].n);
	put_shape(&s, "chunks", a, slow, points);
	taf_str_puts(&s, "\"dtype\":\"");
	taf_map_dtype(p->at, &s);
	taf_str_printf(&s, "\",\"order\":\"%c\",\"compressor\":null,"
	    "\"filters\":null,\"fill_value\":null}", p->at->c_order ? 'C' : 'F');
	put_object(p, p->at->name, ".zarray", &s);
	put_chunks(p, slow, points);
}

static void
put_attributes(struct page *p)
{
	const struct taf_array *a = &p->at->a;
	struct taf_str s = { .err = p->to->err };
	unsigned k;

	taf_str_puts(&s, "{\"_ARRAY_DIMENSIONS\":[");
	for (k = 0; k < a->ndim; k++) {
		taf_str_puts(&s, k > 0 ? "," : "");
		taf_str_json(&s, p->at->dim[k], strlen(p->at->dim[k]));
	}
	taf_str_puts(&s, "]");
	taf_str_member(&s, "units", taf_attr_get(a, "unit", TAF_OF_ARRAY, 0));
	taf_str_member(&s, "long_name", taf_attr_get(a, "label", TAF_OF_ARRAY, 0));
	if (taf_array_mapped(a))
		taf_str_printf(&s, ",\"scale_factor\":%s,\"add_offset\":%s",
		    taf_f64(a->slope).s, taf_f64(a->intercept).s);
	for (k = 0; k < a->ndim; k++)
		if (a->dim[k].n > INLINE && taf_map_told(p->at, k))
			taf_str_printf(&s, ",\"start_%u\":%s,\"step_%u\":%s", k + 1,
			    taf_f64(a->dim[k].start).s, k + 1, taf_f64(a->dim[k].step).s);
	taf_str_puts(&s, "}");
	put_object(p, p->at->name, ".zattrs", &s);
}

/* The grid of dimension k, from 0, as an array of its own. */
static void
put_grid(struct page *p, unsigned k)
{
	const struct taf_array *a = &p->at->a;
	const struct taf_dim *d = &a->dim[k];
	const char *name = p->at->dim[k];
	struct taf_str s = { .err = p->to->err };
	unsigned char *values = taf_alloc((size_t)d->n, 8);
	uint64_t i, bits;
	double x;

	if (values == NULL) {
		p->to->st = taf_fail_mem(p->to->err);
		return;
	}
	for (i = 0; i < d->n; i++) {
		x = d->start + (double)i * d->step;
		memcpy(&bits, &x, sizeof bits);
		taf_put64(values + 8 * i, bits, false);
	}
	taf_str_printf(&s, "{\"zarr_format\":2,\"shape\":[%llu],\"chunks\":[%llu],"
	    "\"dtype\":\"<f8\",\"order\":\"C\",\"compressor\":null,\"filters\":null,"
	    "\"fill_value\":null}", (unsigned long long)d->n, (unsigned long long)d->n);
	put_object(p, name, ".zarray", &s);
	taf_str_puts(&s, "{\"_ARRAY_DIMENSIONS\":[");
	taf_str_json(&s, name, strlen(name));
	taf_str_puts(&s, "]");
	taf_str_member(&s, "units", taf_attr_get(a, "unit", TAF_OF_DIM, k + 1));
	taf_str_member(&s, "long_name", taf_attr_get(a, "label", TAF_OF_DIM, k + 1));
	taf_str_puts(&s, "}");
	put_object(p, name, ".zattrs", &s);
	taf_str_puts(&s, "base64:");
	taf_base64_put(&s, values, 8 * (size_t)d->n);
	put_object(p, name, "0", &s);
	free(values);
}

enum taf_status
taf_kerchunk_put(const struct taf_kerchunk *want, struct taf_str *to)
{
	struct page p = { .want = want, .to = to };
	unsigned k;
	size_t i;

	to->st = taf_maps_name(want->all, to->err);
	taf_str_puts(to, "{\"version\":1,\"refs\":{\n"
	    "\".zgroup\":\"{\\\"zarr_format\\\":2}\"");
	for (i = 0; i < want->all->n && to->st == TAF_OK; i++) {
		p.at = &want->all->map[i];
		put_array(&p);
		put_attributes(&p);
		for (k = 0; k < p.at->a.ndim && to->st == TAF_OK; k++)
			if (p.at->first[k] && p.at->a.dim[k].n <= INLINE &&
			    taf_map_told(p.at, k))
				put_grid(&p, k);
		taf_err_name(to->err, p.at->file);
	}
	taf_str_puts(to, "\n}}\n");
	return to->st;
}
