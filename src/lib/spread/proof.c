#include "spread/proof.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/digest.h"
#include "codec/taf_file.h"
#include "spread/fields.h"
#include "stream/reader.h"

enum taf_status
taf_proof_record(const struct taf_plan *p, uint64_t k, struct taf_slab *s,
    struct taf_err *e)
{
	enum taf_status st;

	do
		st = taf_slab_look(p, k, s, e);
	while (st == TAF_END && taf_fields_patient());
	return st == TAF_EDATA ? TAF_END : st;
}

enum taf_status
taf_proof_layout(const struct taf_plan *p, struct taf_array *a, struct taf_err *e)
{
	enum taf_status st;

	do
		st = taf_slab_layout(p, a, e);
	while (st == TAF_END && taf_fields_patient());
	if (st != TAF_END && st != TAF_EDATA)
		return st;
	taf_err_clear(e);
	taf_array_init(a);
	return TAF_OK;
}

/* All of a TAF file but the elements. */
static enum taf_status
put_frame(const struct taf_array *a, struct taf_buf *to, struct taf_err *e)
{
	unsigned char header[TAF_HEADER_MAX];
	struct taf_array file = { 0 };
	struct taf_buf tail = { 0 };
	enum taf_status st = taf_file_shape(a, &file, e);

	if (st == TAF_OK)
		st = taf_tail_format(a, &tail, e);
	if (st == TAF_OK)
		st = taf_buf_put(to, header, taf_header_format(&file, header), e);
	if (st == TAF_OK)
		st = taf_buf_put(to, tail.data, tail.len, e);
	taf_buf_free(&tail);
	taf_array_fini(&file);
	return st;
}

/* Would both be the same file?  TAF_EDATA where they would not. */
static enum taf_status
compare_frames(const struct taf_array *a, const struct taf_array *b, struct taf_err *e)
{
	struct taf_buf x = { 0 }, y = { 0 };
	enum taf_status st = put_frame(a, &x, e);

	if (st == TAF_OK)
		st = put_frame(b, &y, e);
	if (st == TAF_OK && (x.len != y.len || memcmp(x.data, y.data, x.len) != 0))
		st = TAF_EDATA;
	taf_buf_free(&x);
	taf_buf_free(&y);
	return st;
}

/* TAF_END where the file at path is not whole, TAF_EDATA where it is another one. */
static enum taf_status
compare(const char *path, const struct taf_slab *s, unsigned char *block,
    struct taf_err *e)
{
	struct taf_reader *r = NULL;
	struct taf_array a = { 0 };
	enum taf_status st = taf_reader_open(&r, path, TAF_READ_SILENTLY, e);
	uint64_t digest = 0, left = 0;
	size_t n, size = 1;

	if (st == TAF_OK)
		st = taf_reader_next(r, &a, e);
	if (st == TAF_OK) {
		size = taf_type_size(a.type);
		left = taf_reader_left(r);
	}
	for (; st == TAF_OK && left > 0; left -= n) {
		n = left < TAF_SLAB_BLOCK / size ? (size_t)left : TAF_SLAB_BLOCK / size;
		st = taf_reader_read(r, block, n, e);
		if (st == TAF_OK)
			digest = taf_digest(digest, block, n * size);
	}
	if (st == TAF_OK)
		st = taf_reader_finish(r, &a, e);
	if (st == TAF_EDATA || st == TAF_ETRUNC || (st == TAF_ESYS && e->sys == ENOENT))
		st = TAF_END;
	if (st == TAF_OK)
		st = digest != s->digest ? TAF_EDATA : compare_frames(&a, &s->a, e);
	taf_reader_close(r);
	taf_array_fini(&a);
	return st;
}

enum taf_status
taf_proof_part(const struct taf_plan *p, uint64_t k, const struct taf_slab *s,
    unsigned char *block, struct taf_err *e)
{
	struct taf_buf path = { 0 };
	enum taf_status st = taf_slab_part(p, k, &path, e);

	if (st == TAF_OK)
		do {
			taf_err_clear(e);
			st = compare(path.data, s, block, e);
		} while (st == TAF_END && taf_fields_patient());
	taf_buf_free(&path);
	return st == TAF_EDATA ? TAF_END : st;
}
