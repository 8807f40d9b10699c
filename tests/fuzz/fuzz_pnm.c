/* SPDX-License-Identifier: ISC */
/* Images of netpbm: every image of an input, its numbers, and the header written anew. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/endian.h"
#include "codec/pnm.h"
#include "target.h"

enum { SMALL = 4096, IMAGES_MAX = 16 };

/* Number i of an array of this image. */
static unsigned
number(const struct taf_pnm *p, const uint16_t *v, size_t i)
{
	return p->form.maxval > 255 ? v[i] : ((const unsigned char *)v)[i];
}

static void
check_array(const struct taf_pnm *p, struct taf_array *a)
{
	struct taf_err e = { 0 };

	taf_array_init(a);
	must(taf_pnm_array(p, a, &e) == TAF_OK);
	must(taf_array_check(a, &e) == TAF_OK && taf_array_count(a) == p->count);
	must(a->ndim == (p->form.depth > 1 ? 3u : 2u));
	must(strcmp(taf_pnm_tuple(a, p->form.depth), p->form.tuple) == 0 ||
	    p->form.tuple[0] != '\0');
}

/* Written raw and read again it is the same image. */
static void
check_written(const struct taf_pnm *p, const struct taf_array *a, const uint16_t *v,
    size_t n)
{
	struct taf_pnm_form form = p->form;
	struct taf_buf file = { 0 };
	struct taf_err e = { 0 };
	struct taf_pnm again = { 0 };
	uint16_t w[SMALL];
	size_t i;

	(void)strcpy(form.tuple, taf_pnm_tuple(a, form.depth));
	must(taf_pnm_format(&form, &file, &e) == TAF_OK);
	for (i = 0; i < n; i++) {
		const unsigned x = number(p, v, i);
		const unsigned char bytes[2] =
		    { (unsigned char)(x >> 8), (unsigned char)x };

		must(taf_buf_put(&file, form.maxval > 255 ? bytes : bytes + 1,
		    form.maxval > 255 ? 2 : 1, &e) == TAF_OK);
	}
	must(taf_in_mem(&again.in, file.data, file.len, &e) == TAF_OK);
	must(taf_pnm_next(&again, &e) == TAF_OK);
	must(again.form.width == form.width && again.form.height == form.height);
	must(again.form.depth == form.depth && again.form.maxval == form.maxval);
	must(form.tuple[0] == '\0' || strcmp(again.form.tuple, form.tuple) == 0);
	must(again.count == n && taf_pnm_read(&again, w, n, &e) == TAF_OK);
	for (i = 0; i < n; i++)
		must(number(&again, w, i) == number(p, v, i));
	must(taf_pnm_next(&again, &e) == TAF_END);
	taf_in_close(again.in);
	taf_buf_free(&file);
}

/*
 * Small images in one piece or in several; of others some numbers, the rest is passed
 * over.
 */
static enum taf_status
use(struct taf_pnm *p, size_t piece, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	struct taf_array a;
	uint16_t v[SMALL] = { 0 };
	size_t i, n, all = 0;

	check_array(p, &a);
	while (p->left > 0 && all < SMALL && st == TAF_OK) {
		n = p->left < piece ? (size_t)p->left : piece;
		n = n < SMALL - all ? n : SMALL - all;
		st = taf_pnm_read(p, p->form.maxval > 255 ? (void *)(v + all) :
		    (unsigned char *)v + all, n, e);
		all += n;
	}
	for (i = 0; i < all && st == TAF_OK; i++)
		must(number(p, v, i) <= p->form.maxval);
	if (st == TAF_OK && p->left == 0)
		check_written(p, &a, v, all);
	taf_array_fini(&a);
	return st;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct taf_pnm p = { 0 };
	struct taf_err e = { 0 };
	enum taf_status st;
	unsigned i = 0;

	must(taf_in_mem(&p.in, data, size, &e) == TAF_OK);
	while ((st = taf_pnm_next(&p, &e)) == TAF_OK && i < IMAGES_MAX) {
		must(p.count > 0 && p.left == p.count);
		must(p.form.maxval >= 1 && p.form.maxval <= TAF_PNM_MAX);
		/* every third one is passed over, unseen */
		if (i++ % 3 < 2)
			st = use(&p, i % 2 > 0 ? SMALL : 7, &e);
		if (st != TAF_OK)
			break;
	}
	must(st == TAF_END ? e.code == TAF_OK : st == e.code);
	taf_in_close(p.in);
	return 0;
}
