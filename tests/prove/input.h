/* SPDX-License-Identifier: ISC */
/*
 * For the prover, an input of any bytes and any length, a file or a pipe, which may fail at
 * each call.  What is lent ends where the bytes end that were wanted.
 */
#ifndef TAF_PROVE_INPUT_H
#define TAF_PROVE_INPUT_H

#include "prove.h"

#include "codec/taf_foreign.h"
#include "io/in.h"

struct taf_in {
	int unused;
};

static enum taf_status
ends(struct taf_err *e)
{
	if (Frama_C_interval(0, 1))
		return TAF_OK;
	return taf_fail(e, Frama_C_interval(0, 1) ? TAF_ETRUNC : TAF_ESYS, "the input ends");
}

uint64_t
taf_in_offset(const struct taf_in *in)
{
	(void)in;
	return Frama_C_unsigned_long_interval(0, INT64_MAX);
}

bool
taf_in_seekable(const struct taf_in *in)
{
	(void)in;
	return Frama_C_interval(0, 1) != 0;
}

uint64_t
taf_in_left(const struct taf_in *in)
{
	(void)in;
	return Frama_C_unsigned_long_interval(0, INT64_MAX);
}

enum { LENT = 65536 };

enum taf_status
taf_in_peek(struct taf_in *in, size_t want, const unsigned char **p, size_t *got,
    struct taf_err *e)
{
	static unsigned char memory[LENT];

	(void)in;
	/*@ assert want <= LENT; */
	Frama_C_make_unknown((char *)memory, sizeof memory);
	*p = memory + sizeof memory - want;
	*got = Frama_C_size_t_interval(0, want);
	return ends(e);
}

enum taf_status
taf_in_read(struct taf_in *in, void *buf, size_t n, struct taf_err *e)
{
	(void)in;
	Frama_C_make_unknown(buf, n);
	return ends(e);
}

enum taf_status
taf_in_pread(const struct taf_in *in, void *buf, size_t n, uint64_t off, struct taf_err *e)
{
	(void)in;
	(void)off;
	Frama_C_make_unknown(buf, n);
	return ends(e);
}

enum taf_status
taf_in_skip(struct taf_in *in, uint64_t n, struct taf_err *e)
{
	(void)in;
	(void)n;
	return ends(e);
}

/* what a refused file is instead is looked up in a table, and is no part of this */
enum taf_status
taf_foreign_here(struct taf_in *in, const char *wanted, struct taf_err *e)
{
	(void)in;
	return taf_fail(e, TAF_EDATA, "no %s", wanted);
}

const struct taf_foreign *
taf_foreign(const unsigned char *p, size_t n, taf_foreign_look *const *looks)
{
	(void)p;
	(void)n;
	(void)looks;
	return NULL;
}

bool
taf_foreign_text(const unsigned char *p, size_t n, char text[TAF_FOREIGN_TEXT])
{
	(void)p;
	(void)n;
	text[0] = '\0';
	return Frama_C_interval(0, 1) != 0;
}

#endif
