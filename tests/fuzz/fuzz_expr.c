/* SPDX-License-Identifier: ISC */
/*
 * Expressions: a byte of options, then text over four inputs of different types.  What is
 * accepted is computed, whole and in two parts, with the same result.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/expr/expr.h"
#include "target.h"

enum { N1 = 7, N2 = 3, N = N1 * N2, CUT = 8, NIN = 4, WORK_MOST = 1 << 24 };

static struct taf_array
shaped(enum taf_type type)
{
	struct taf_array a;

	taf_array_init(&a);
	taf_array_add_dim(&a, N1, 0.5, 0.25);
	taf_array_add_dim(&a, N2, -1, 2);
	a.type = type;
	return a;
}

/* Values of an input, as the program takes them. */
static void
make_values(void *to, enum taf_type as, unsigned k)
{
	unsigned i;

	for (i = 0; i < N; i++) {
		const int64_t v = (int64_t)(i * (k + 3)) - 9 * (k != 1);

		if (as == TAF_INT64 || as == TAF_UINT64)
			((int64_t *)to)[i] = v;
		else if (as == TAF_FLT64)
			((double *)to)[i] = i == 5 ? 0x1p-1060 : (double)v / 4;
		else
			((double *)to)[2 * i] = (double)v, ((double *)to)[2 * i + 1] = i;
	}
}

static enum taf_status
run(const struct taf_program *p, void *work, double in[NIN][2 * N], uint64_t first,
    size_t n,
    unsigned char *out)
{
	struct taf_program_count count = { 0, 0 };
	struct taf_err e = { 0 };
	const void *from[NIN];
	const struct taf_program_block b = { from, out +
	    first * taf_type_size(taf_program_gives(p)), first, n };
	enum taf_status st;
	unsigned k;

	for (k = 0; k < NIN; k++)
		from[k] = (unsigned char *)in[k] + first *
		    taf_type_size(taf_program_takes(p, k));
	st = taf_program_run(p, work, &b, &count, &e);
	must(st == TAF_OK || (st == TAF_EDATA && e.code == st && e.text[0] != '\0'));
	return st;
}

static void
compute(const struct taf_expr *x, const struct taf_expr_over *over)
{
	static double in[NIN][2 * N], whole[2 * N], parts[2 * N];
	struct taf_program *p = NULL;
	struct taf_buf unit = { 0 };
	struct taf_err e = { 0 };
	enum taf_status st = taf_program_make(&p, x, over, &e);
	void *work;
	unsigned k;

	must(st == TAF_OK || st == TAF_EUSAGE || st == TAF_EDATA);
	must(st == TAF_OK || e.text[0] != '\0');
	if (st != TAF_OK)
		return;
	must(taf_expr_unit(&unit, x, over, &e) == TAF_OK && unit.len == 0);
	work = taf_program_workspace(p) > WORK_MOST ? NULL :
	    malloc(taf_program_workspace(p) + 1);
	for (k = 0; k < NIN; k++)
		make_values(in[k], taf_program_takes(p, k), k);
	if (work != NULL) {
		st = run(p, work, in, 0, N, (unsigned char *)whole);
		must(!over->clip || st == TAF_OK);
		if (st == TAF_OK) {
			must(run(p, work, in, 0, CUT, (unsigned char *)parts) == TAF_OK);
			must(run(p, work, in, CUT, N - CUT, (unsigned char *)parts) ==
			    TAF_OK);
			must(memcmp(whole, parts,
			    N * taf_type_size(taf_program_gives(p))) == 0);
		}
	}
	free(work);
	taf_program_free(p);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[NIN] = { "a", "b", "c", "let" };
	struct taf_array in[NIN] = { shaped(TAF_INT8), shaped(TAF_UINT64),
	    shaped(TAF_FLT32),
		shaped(TAF_COMPLEX128) };
	const struct taf_array *const each[NIN] = { &in[0], &in[1], &in[2], &in[3] };
	struct taf_expr_over over = { .in = each, .nin = NIN, .shape = &in[0] };
	struct taf_expr *x = NULL;
	struct taf_err e = { 0 };
	enum taf_status st;
	char *text;

	if (size < 1 || memchr(data + 1, '\0', size - 1) != NULL)
		return 0;
	over.clip = (data[0] & 1) != 0;
	over.pair = (data[0] & 2) != 0;
	text = malloc(size);
	must(text != NULL);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	st = taf_expr_parse(&x, text, names, NIN, &e);
	must(st == TAF_OK || st == TAF_EUSAGE);
	must(st == TAF_OK || e.text[0] != '\0');
	if (st == TAF_OK)
		compute(x, &over);
	taf_expr_free(x);
	free(text);
	return 0;
}
