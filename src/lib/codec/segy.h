/* SPDX-License-Identifier: ISC */
/*
 * SEG-Y, revisions 0 (1975), 1 (2002), 2.0 (2017) and 2.1 of the SEG, and SU, which is
 * its traces alone.  Offsets of bytes count from 1, as in these documents.
 */
#ifndef TAF_CODEC_SEGY_H
#define TAF_CODEC_SEGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/type.h"
#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "io/in.h"

enum {
	TAF_SEGY_CARD = 80,	/* bytes of a line of a text header */
	TAF_SEGY_CARDS = 40,
	TAF_SEGY_TEXT = TAF_SEGY_CARDS * TAF_SEGY_CARD,
	TAF_SEGY_BINARY = 400,
	TAF_SEGY_REEL = TAF_SEGY_TEXT + TAF_SEGY_BINARY,
	TAF_SEGY_HEADER = 240,	/* of a trace; further ones are as long */
	TAF_SEGY_KEPT = 64	/* extended text headers that are kept */
};

/* How samples are stored: as elements of a type, or as no type is. */
struct taf_segy_format {
	unsigned code;
	const char *name;
	enum taf_type type;	/* that they become */
	unsigned bytes;
	enum taf_segy_kind { TAF_SEGY_PLAIN, TAF_SEGY_IBM, TAF_SEGY_INT24 } kind;
};

/* NULL where none has this code, or this name, which may be a code or a type, too. */
const struct taf_segy_format *taf_segy_format(unsigned code);
const struct taf_segy_format *taf_segy_format_named(const char *name);

/* Words of the trace header by their places: Madagascar's 91 keys, in its order. */
enum {
	TAF_SEGY_TRACL = 0, TAF_SEGY_TRACR = 1, TAF_SEGY_FLDR = 2, TAF_SEGY_TRACF = 3,
	TAF_SEGY_CDP = 5, TAF_SEGY_TRID = 7, TAF_SEGY_DELRT = 35, TAF_SEGY_NS = 38,
	TAF_SEGY_DT = 39, TAF_SEGY_ILINE = 73, TAF_SEGY_XLINE = 74,
	TAF_SEGY_TSCALAR = 82, TAF_SEGY_KEYS = 91
};

/* The name of a key; the key that n bytes name, TAF_SEGY_KEYS if none is called so. */
const char *taf_segy_key_name(unsigned key);
unsigned taf_segy_key(const char *name, size_t n);

/* Keys with commas between them; TAF_EUSAGE where one is none of them. */
struct taf_segy_choice {
	unsigned n, key[TAF_SEGY_KEYS];
};
TAF_MUST enum taf_status taf_segy_keys(void *choice, const char *list, struct taf_err *e);

/* A word of a trace header, and its value anew; false where it has no room for v. */
int32_t taf_segy_get(const unsigned char *header, unsigned key, bool big);
TAF_MUST bool taf_segy_put(unsigned char *header, unsigned key, int64_t v, bool big);

#define TAF_SEGY_LAYOUT "((SEG:LAYOUT"

/*
 * Does that stanza of revision 2.1, in the extended texts without blanks and in capitals,
 * leave the words of the trace header where they are?  False of what is not understood.
 */
bool taf_segy_layout_is_standard(const char *text);

/* How a file is to be understood. */
struct taf_segy_how {
	bool su;
	enum { TAF_SEGY_ANY_ORDER, TAF_SEGY_BIG, TAF_SEGY_LITTLE } order;
	const struct taf_segy_format *format;	/* instead of the file's, or NULL */
	bool cut;		/* what is behind the last whole trace is left out */
	bool resize;		/* traces may differ: each becomes length samples */
	uint64_t length;
	uint64_t traces;	/* so many are in a pipe; 0: not known */
};

struct taf_segy {
	bool su, big;
	bool swapped;		/* little-endian, which its revision does not have */
	unsigned revision;	/* 0 to 2 */
	const struct taf_segy_format *format;
	unsigned char text[TAF_SEGY_TEXT], binary[TAF_SEGY_BINARY];
	struct taf_buf extended;	/* text headers, TAF_SEGY_KEPT at most */
	uint64_t nextended;
	unsigned char first[TAF_SEGY_HEADER];	/* the first trace's header */
	unsigned header;	/* bytes of the headers of a trace */
	/* in the input: the first trace; bytes of all and of what follows, 0 of a pipe */
	uint64_t start, left, trailer;
	uint64_t ns, stride, ntraces;
	bool doubted;		/* numbers of samples that traces say are not believed */
	uint64_t ns_file;	/* with resize: of a trace that does not say */
	uint64_t cut;		/* bytes that are left out at the end */
	/* in microseconds, 0 where nothing says it: what holds, and what headers say */
	double dt, dt_reel, dt_trace;
	uint64_t ns_reel, ns_trace;
};

/*
 * Read up to the first trace, where in is then, and see how the file is laid out.  A pipe
 * needs how->traces.  Zero-initialise s; taf_segy_fini frees it.  Nothing is allocated
 * for what the input does not hold.
 */
TAF_MUST enum taf_status taf_segy_open(struct taf_segy *s, struct taf_in *in,
    const struct taf_segy_how *how, struct taf_err *e);
void taf_segy_fini(struct taf_segy *s);

/*
 * The trace at *at: *said are the samples that it counts; where that is 0 it has
 * none_said.  *at becomes where the next one is; false if none is whole there, or e says
 * why.
 */
TAF_MUST bool taf_segy_step(const struct taf_segy *s, const struct taf_in *in,
    uint64_t none_said, uint64_t *at, uint64_t *said, struct taf_err *e);

/* What s->binary says of all traces, by its order and revision. */
TAF_MUST enum taf_status taf_segy_reel(struct taf_segy *s, struct taf_err *e);

/*
 * Make s->binary say so many traces of ns samples, dt us apart (0: not known), in s's
 * format, with s's headers: one that is made anew, or the words that say something else.
 */
void taf_segy_set_reel(struct taf_segy *s, uint64_t ns, double dt, uint64_t ntraces,
    bool made);

/* The time of the first sample by a trace's header, in seconds. */
double taf_segy_begin(const struct taf_segy *s, const unsigned char *header);

/* The samples that a trace's header counts; 0 where it does not. */
uint64_t taf_segy_samples(const struct taf_segy *s, const unsigned char *header);

/* Is a text header in EBCDIC, code page 037?  Else it is taken for ASCII. */
bool taf_segy_ebcdic(const unsigned char *text);

/*
 * Append the first cards of text headers, which are whole, as lines of ASCII without
 * trailing blanks; with squeeze in capitals, and without any blank or end of line.
 */
void taf_segy_cards(const unsigned char *text, size_t cards, bool squeeze,
    struct taf_str *to);

/*
 * The reverse: n bytes of lines become 40 cards.  False where something has no room, or
 * is no ASCII.
 */
bool taf_segy_text(const char *lines, size_t n, bool ebcdic, unsigned char *text);

/* Append the words of the binary header by their names, one a line. */
void taf_segy_words(const struct taf_segy *s, struct taf_str *to);

#endif
