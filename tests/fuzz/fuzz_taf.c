/* SPDX-License-Identifier: ISC */
/* TAF: header, what follows the data, and a reader over all of it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/descriptor.h"
#include "codec/taf_check.h"
#include "codec/taf_file.h"
#include "drain.h"
#include "target.h"

/* Written anew, a header says the same; cut, it is truncated. */
static void
check_header(const uint8_t *data, const struct taf_array *a, const struct taf_form *form)
{
	unsigned char header[TAF_HEADER_MAX], again[TAF_HEADER_MAX];
	/* a type code that does not fit is not written */
	struct taf_array want = *a, b, c;
	struct taf_form f;
	struct taf_err e = { 0 };
	size_t n;

	if (!taf_code_fits(a->code, taf_code_rank(a)))
		want.code = TAF_CODE_GENERIC;
	taf_array_init(&b);
	taf_array_init(&c);
	n = taf_header_format(a, header);
	must(n == form->header);
	must(taf_header_parse(header, n, &b, &f, &e) == TAF_OK);
	must(f.header == n && f.synopsis && !f.legacy_type && !f.legacy_opening);
	must(f.major == 1 && f.minor == (want.code != 0));
	must(descriptor_differs(&want, &b) == NULL);
	must(taf_header_format(&b, again) == n && memcmp(header, again, n) == 0);
	must(taf_header_parse(data, form->header - 1, &c, &f, &e) == TAF_ETRUNC);
	must(taf_file_shape(a, &c, &e) == TAF_ETRUNC ||
	    c.ndim == (a->ndim == 1 ? 2 : a->ndim));
}

/* Text behind the data: once it is as we write it, it stays the same. */
static void
check_tail(const char *p, size_t n, const struct taf_array *file)
{
	struct taf_array a, b, shape;
	struct taf_buf once = { 0 }, twice = { 0 };
	struct taf_err e = { 0 };

	taf_array_init(&a);
	taf_array_init(&b);
	must(taf_array_copy(&a, file, &e) == TAF_OK);
	must(taf_array_copy(&b, file, &e) == TAF_OK);
	if (taf_tail_parse(p, n, &a, &e) != TAF_OK)
		goto out;
	must(taf_array_count(&a) * taf_type_size(a.type) == taf_array_bytes(file));
	if (taf_tail_format(&a, &once, &e) != TAF_OK)
		goto out;
	/* what the file would have is what it has, but for two shapes not ours */
	must(taf_file_shape(&a, &shape, &e) == TAF_OK);
	must(
	    shape.type == file->type && taf_array_bytes(&shape) == taf_array_bytes(file));
	if (file->ndim == 1 ||
	    (a.type == TAF_COMPLEX && file->ndim == 3 && file->dim[1].n == 1))
		goto out;
	must(shape.ndim == file->ndim);
	for (unsigned k = 0; k < file->ndim; k++)
		must(shape.dim[k].n == file->dim[k].n);
	must(taf_tail_parse(once.data, once.len, &b, &e) == TAF_OK);
	must(descriptor_differs(&a, &b) == NULL);
	must(taf_tail_format(&b, &twice, &e) == TAF_OK);
	must(same_buf(&once, &twice));
out:
	taf_buf_free(&once);
	taf_buf_free(&twice);
	taf_array_fini(&a);
	taf_array_fini(&b);
}

static enum taf_status
note(void *ctx, enum taf_finding kind, const char *text, struct taf_err *e)
{
	(void)e;
	must(text[0] != '\0');
	++*(kind == TAF_REMARK ? (unsigned *)ctx : (unsigned *)ctx + 1);
	return TAF_OK;
}

/* What no reader takes has a finding. */
static void
check_rules(const uint8_t *data, size_t size, enum taf_status header)
{
	unsigned said[2] = { 0, 0 };
	struct taf_err e = { 0 };
	struct taf_in *in;

	must(taf_in_mem(&in, data, size, &e) == TAF_OK);
	must(taf_check_file(in, note, said, &e) == TAF_OK);
	must(header == TAF_OK || said[1] > 0);
	taf_in_close(in);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct taf_err e = { 0 };
	struct taf_form form;
	struct taf_array a;
	enum taf_status st;

	taf_array_init(&a);
	st = taf_header_parse(data, size, &a, &form, &e);
	must_agree(st, &e);
	if (st == TAF_OK) {
		check_header(data, &a, &form);
		/* as if there were no data */
		check_tail((const char *)data + form.header, size - form.header, &a);
	}
	check_rules(data, size, st);
	drain(data, size, size > 0 ? 1 + data[size - 1] : 1);
	return 0;
}
