/* SPDX-License-Identifier: ISC */
/* RSF: headers, and a reader over the whole stream. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/descriptor.h"
#include "codec/rsf.h"
#include "drain.h"
#include "target.h"

/* Nothing that we write is too long for Madagascar; history is as others wrote it. */
static void
check_lines(const struct taf_array *a, const struct taf_buf *text)
{
	const char *p = text->data + a->history.len, *end = text->data + text->len, *lf;

	for (; p < end && (lf = memchr(p, '\n', (size_t)(end - p))) != NULL; p = lf + 1)
		must(lf - p < TAF_RSF_LINE_MAX);
}

/* Written anew, a header says the same, and written again it is the same. */
static void
check_rewrite(const struct taf_array *a, const struct taf_rsf *rsf)
{
	struct taf_buf once = { 0 }, twice = { 0 };
	struct taf_rsf back = { 0 };
	struct taf_err e = { 0 };
	struct taf_array b;
	size_t n;

	taf_array_init(&b);
	if (taf_rsf_format(a, NULL, rsf->next, rsf->here ? NULL : rsf->in.data, &once,
		&e) != TAF_OK) {
		must(e.code == TAF_EDATA);
		goto out;
	}
	check_lines(a, &once);
	if (rsf->here) {
		must(taf_rsf_end(once.data, once.len, 0, &n));
		must(n + TAF_RSF_TERMINATOR == once.len);
	} else {
		must(!taf_rsf_end(once.data, once.len, 0, &n));
		n = once.len;
	}
	must(taf_rsf_parse(once.data, n, &b, &back, &e) == TAF_OK);
	must(descriptor_differs(a, &b) == NULL);
	must(back.form == TAF_RSF_NATIVE && back.next == rsf->next &&
	    back.here == rsf->here);
	must(taf_rsf_format(&b, NULL, back.next, back.here ? NULL : back.in.data, &twice,
		 &e) == TAF_OK);
	must(same_buf(&once, &twice));
out:
	taf_rsf_fini(&back);
	taf_array_fini(&b);
	taf_buf_free(&once);
	taf_buf_free(&twice);
}

static void
check_end(const struct taf_array *a, const struct taf_rsf *rsf)
{
	struct taf_buf text = { 0 };
	struct taf_rsf back = { 0 };
	struct taf_err e = { 0 };
	struct taf_array b;
	size_t n;

	must(a->ndim == 0 && a->nattrs == 0);
	taf_array_init(&b);
	must(taf_rsf_format_end(rsf->count, &text, &e) == TAF_OK);
	must(taf_rsf_end(text.data, text.len, 0, &n));
	must(taf_rsf_parse(text.data, n, &b, &back, &e) == TAF_OK);
	must(back.ends && back.count == rsf->count);
	taf_rsf_fini(&back);
	taf_array_fini(&b);
	taf_buf_free(&text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct taf_err e = { 0 };
	struct taf_rsf rsf = { 0 };
	struct taf_array a;
	enum taf_status st;
	char *copy;
	size_t n;

	taf_array_init(&a);
	if (size == 0 || !taf_rsf_end((const char *)data, size, 0, &n))
		n = size;
	st = taf_rsf_parse((const char *)data, n, &a, &rsf, &e);
	must_agree(st, &e);
	if (st == TAF_OK && rsf.ends)
		check_end(&a, &rsf);
	else if (st == TAF_OK)
		check_rewrite(&a, &rsf);
	taf_rsf_fini(&rsf);
	taf_array_fini(&a);
	/* in= may name a file of this folder, and of no other */
	copy = malloc(size + 1);
	if (copy == NULL)
		return 0;
	for (n = 0; n < size; n++)
		copy[n] = data[n] == '/' ? '_' : (char)data[n];
	drain(copy, size, size > 0 ? 1 + data[size - 1] : 1);
	free(copy);
	return 0;
}
