/* SPDX-License-Identifier: ISC */
/* What --recipe stores of a run of a command: a line in each array that it writes. */
#ifndef TAF_OP_DIGEST_STAMP_H
#define TAF_OP_DIGEST_STAMP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/str.h"
#include "stream/service.h"
#include "stream/writer_private.h"

/* Operands that are no files: the first, the second, those with '=' before "--". */
enum { TAF_TEXT_FIRST = 1, TAF_TEXT_SECOND = 2, TAF_TEXT_SETTINGS = 4 };

/* Is operand n, from 1, one of these? */
bool taf_operand_is_text(unsigned which, const char *word, unsigned n, bool behind);

/* An option, or an operand, whose name is NULL. */
struct taf_argument {
	const char *name;	/* the long one */
	const char *called;	/* as help calls its value; NULL: it has none */
	const char *value;	/* NULL where it was left out */
};

struct taf_stamp_run {
	const struct taf_service *service;
	const char *program, *output;
	struct taf_buf given;		/* what bears on results: struct taf_argument */
	int behind;			/* the first operand behind "--" */
	unsigned texts;			/* TAF_TEXT_FIRST and others */
	bool bytes;			/* operands are other files than arrays */
	const char *const *files;	/* that are read; the first may be NULL, */
	int nfiles;
	bool reads;			/* which is standard input then */
	/* made by it; zeroed before */
	struct taf_str words;
	struct taf_stamp stamp;
};

/*
 * The stamp for a writer.  TAF_EUSAGE where an argument cannot be stored, TAF_EDATA where
 * a file is none that could be found again by a digest.
 */
const struct taf_stamp *taf_stamp_begin(struct taf_stamp_run *run);
/* Is standard input the value of an option? */
bool taf_stamp_option_reads(const struct taf_stamp_run *run);

void taf_stamp_free(struct taf_stamp_run *run);

#endif
