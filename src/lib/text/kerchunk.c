#include "text/kerchunk.h"

#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/endian.h"
#include "base/utf8.h"

enum {
	CHUNK = 4 << 20, SMALL = 256 << 10, LARGE = 16 << 20,	/* bytes of a chunk */
	INLINE = 1 << 17	/* coordinates that stand in the document */
};

/* Names of the array and its dimensions, none twice, none a path. */
struct names {
	struct taf_str array, dim[TAF_MAX_DIM];
};

struct page {
	const struct taf_mapcode *m;
	const struct taf_array *a;	/* what it is called */
	struct names n;
	struct taf_str *to;
};

static bool
taken(const struct page *p, const struct taf_str *name, unsigned before)
{
	unsigned k;

	if (strcmp(p->n.array.buf.data, name->buf.data) == 0)
		return true;
	for (k = 0; k < before; k++)
		if (strcmp(p->n.dim[k].buf.data, name->buf.data) == 0)
			return true;
	return false;
}

static void
put_name(struct taf_str *s, const char *text, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		taf_str_put(s, text[i] == '/' || (i == 0 && text[i] == '.') ? "_" :
		    text + i, 1);
}

static enum taf_status
name_all(struct page *p)
{
	const char *slash = strrchr(p->m->file, '/');
	const char *base = slash != NULL ? slash + 1 : p->m->file;
	unsigned k, i;

	p->n.array.err = p->to->err;
	put_name(&p->n.array, base, strcspn(base, "."));
	if (p->n.array.st == TAF_OK && p->n.array.buf.len == 0)
		taf_str_puts(&p->n.array, "array");
	for (k = 0; k < p->m->array.ndim && p->n.array.st == TAF_OK; k++) {
		const char *label = taf_attr_get(p->a, "label", TAF_OF_DIM, k + 1);

		i = 1;
		do {
			taf_str_free(&p->n.dim[k]);
			p->n.dim[k].err = p->to->err;
			if (label != NULL && label[0] != '\0')
				put_name(&p->n.dim[k], label, strlen(label));
			else
				taf_str_printf(&p->n.dim[k], "dim_%u", k + 1);
			if (i > 1)
				taf_str_printf(&p->n.dim[k], "_%u", i);
			i++;
		} while (p->n.dim[k].st == TAF_OK && taken(p, &p->n.dim[k], k));
		if (p->n.dim[k].st != TAF_OK)
			return p->n.dim[k].st;
	}
	return p->n.array.st;
}

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

static void
put_string(struct taf_str *s, const char *key, const char *value)
{
	if (value == NULL)
		return;
	taf_str_printf(s, "%s\"%s\":", s->buf.len > 1 ? "," : "", key);
	taf_str_json(s, value, strlen(value));
}

/* A divisor of n points of row bytes each: that of the chunks, as the page says. */
static uint64_t
cut(uint64_t n, uint64_t row)
{
	uint64_t d, k, pair[2], small = 1, large = n;

	for (d = 1; d <= n / d; d++) {
		if (n % d != 0)
			continue;
		pair[0] = d;
		pair[1] = n / d;
		for (k = 0; k < 2; k++)
			if (pair[k] <= CHUNK / row)
				small = pair[k] > small ? pair[k] : small;
			else if (pair[k] < large)
				large = pair[k];
	}
	/* the next one is nearer, and no larger than it may be */
	if (small * row < SMALL && large < LARGE / row && large > small &&
	    large * row - CHUNK < CHUNK - small * row)
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

static void
put_array(struct page *p)
{
	static const char *const types[TAF_COMPLEX] = { "|i1", "|u1", "<i2", "<u2", "<i4",
		"<u4", "<i8", "<u8", "<f4", "<f8" };
	const struct taf_array *a = &p->m->array;
	struct taf_str s = { .err = p->to->err };
	uint64_t points, bytes, c;
	unsigned k, slow = a->ndim - 1;

	while (slow > 0 && a->dim[slow].n == 1)
		slow--;
	points = cut(a->dim[slow].n, taf_array_bytes(a) / a->dim[slow].n);
	bytes = taf_array_bytes(a) / a->dim[slow].n * points;
	taf_str_puts(&s, "{\"zarr_format\":2,");
	put_shape(&s, "shape", a, slow, a->dim[slow].n);
	put_shape(&s, "chunks", a, slow, points);
	taf_str_printf(&s, "\"dtype\":\"%s\",\"order\":\"F\",\"compressor\":null,"
	    "\"filters\":null,\"fill_value\":null}", types[a->type]);
	put_object(p, p->n.array.buf.data, ".zarray", &s);
	for (c = 0; c < a->dim[slow].n / points; c++) {
		taf_str_puts(p->to, ",\n\"");
		taf_str_json_part(p->to, p->n.array.buf.data, p->n.array.buf.len);
		for (k = 0; k < a->ndim; k++)
			taf_str_printf(p->to, "%s%llu", k > 0 ? "." : "/",
			    k == slow ? (unsigned long long)c : 0ULL);
		taf_str_puts(p->to, "\":[");
		taf_str_json(p->to, p->m->file, strlen(p->m->file));
		taf_str_printf(p->to, ",%llu,%llu]",
		    (unsigned long long)(p->m->offset + c * bytes),
		    (unsigned long long)bytes);
	}
}

/* Is the grid told by coordinates, or by attributes because there are too many? */
static bool
told(const struct page *p, unsigned k, bool inside)
{
	const struct taf_dim *d = &p->m->array.dim[k];
	const bool plain = d->start >= 1 && d->start <= 1 && d->step >= 1 && d->step <= 1;

	return (d->n <= INLINE) == inside && (!plain ||
	    taf_attr_get(p->a, "label", TAF_OF_DIM, k + 1) != NULL ||
	    taf_attr_get(p->a, "unit", TAF_OF_DIM, k + 1) != NULL);
}

static void
put_attributes(struct page *p)
{
	const struct taf_array *a = &p->m->array;
	struct taf_str s = { .err = p->to->err };
	unsigned k;

	taf_str_puts(&s, "{\"_ARRAY_DIMENSIONS\":[");
	for (k = 0; k < a->ndim; k++) {
		taf_str_puts(&s, k > 0 ? "," : "");
		taf_str_json(&s, p->n.dim[k].buf.data, p->n.dim[k].buf.len);
	}
	taf_str_puts(&s, "]");
	put_string(&s, "units", taf_attr_get(p->a, "unit", TAF_OF_ARRAY, 0));
	put_string(&s, "long_name", taf_attr_get(p->a, "label", TAF_OF_ARRAY, 0));
	if (taf_array_mapped(a))
		taf_str_printf(&s, ",\"scale_factor\":%s,\"add_offset\":%s",
		    taf_f64(a->slope).s, taf_f64(a->intercept).s);
	for (k = 0; k < a->ndim; k++)
		if (told(p, k, false))
			taf_str_printf(&s, ",\"start_%u\":%s,\"step_%u\":%s", k + 1,
			    taf_f64(a->dim[k].start).s, k + 1, taf_f64(a->dim[k].step).s);
	taf_str_puts(&s, "}");
	put_object(p, p->n.array.buf.data, ".zattrs", &s);
}

/* The grid of dimension k, from 0, as an array of its own. */
static void
put_grid(struct page *p, unsigned k)
{
	const struct taf_dim *d = &p->m->array.dim[k];
	const struct taf_str *name = &p->n.dim[k];
	struct taf_str s = { .err = p->to->err };
	const char *unit = taf_attr_get(p->a, "unit", TAF_OF_DIM, k + 1);
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
	put_object(p, name->buf.data, ".zarray", &s);
	taf_str_puts(&s, "{\"_ARRAY_DIMENSIONS\":[");
	taf_str_json(&s, name->buf.data, name->buf.len);
	taf_str_puts(&s, "]");
	put_string(&s, "units", unit);
	taf_str_puts(&s, "}");
	put_object(p, name->buf.data, ".zattrs", &s);
	taf_str_puts(&s, "base64:");
	taf_base64_put(&s, values, 8 * (size_t)d->n);
	put_object(p, name->buf.data, "0", &s);
	free(values);
}

void
taf_kerchunk_put(const struct taf_mapcode *m, const struct taf_array *described,
    struct taf_str *to)
{
	struct page p = { .m = m, .a = described, .to = to };
	unsigned k;

	if (taf_array_count(&m->array) == 0) {
		to->st = taf_fail(to->err, TAF_EDATA, "no elements to map");
	} else if (!taf_utf8_text(m->file, strlen(m->file))) {
		to->st = taf_fail(to->err, TAF_EDATA,
		    "--lang kerchunk: a name that is not UTF-8 cannot be said there");
	} else {
		to->st = name_all(&p);
		taf_str_puts(to, "{\"version\":1,\"refs\":{\n"
		    "\".zgroup\":\"{\\\"zarr_format\\\":2}\"");
		if (to->st == TAF_OK) {
			put_array(&p);
			put_attributes(&p);
		}
		for (k = 0; k < m->array.ndim && to->st == TAF_OK; k++)
			if (told(&p, k, true))
				put_grid(&p, k);
		taf_str_puts(to, "\n}}\n");
	}
	taf_str_free(&p.n.array);
	for (k = 0; k < m->array.ndim; k++)
		taf_str_free(&p.n.dim[k]);
}
