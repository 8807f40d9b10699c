/* SPDX-License-Identifier: ISC */
#include "codec/segy.h"

#include <string.h>

#include "base/endian.h"
#include "base/num.h"
#include "codec/taf_foreign.h"

/* Words of the binary header, by their first byte. */
enum {
	INTERVAL = 17, SAMPLES = 21, FORMAT = 25,
	/* those of revision 2 */
	MANY_SAMPLES = 69, REAL_INTERVAL = 73, ORDER = 97,
	REVISION = 301, MINOR = 302, FIXED = 303, EXTENDED = 305,
	/* those of revision 2 */
	ADDITIONAL = 307, TRACES = 313, FIRST_TRACE = 321, TRAILER = 329
};

enum { GAIN = 4 };	/* the format of fixed point, which is known and not read */

static unsigned
word(const struct taf_segy *s, unsigned at, bool big)
{
	return taf_get16(s->binary + at - 1, big);
}

void
taf_segy_fini(struct taf_segy *s)
{
	taf_buf_free(&s->extended);
}

static bool
is_format(unsigned code)
{
	return code == GAIN || taf_segy_format(code) != NULL;
}

/*
 * A revision that stands as the integer 1 is 1.0.  What no revision has is the newest
 * where a mark of the order is there, which is as new, else 0.  Revision 2 says its
 * order; before there was none but big-endian, which not all kept.
 */
static enum taf_status
find_revision(struct taf_segy *s, const struct taf_segy_how *how, struct taf_err *e)
{
	const uint32_t mark = taf_get32(s->binary + ORDER - 1, true);
	const bool marked = mark == 0x01020304 || mark == 0x04030201;
	const unsigned major = s->binary[REVISION - 1], minor = s->binary[MINOR - 1];

	s->revision = major > 2 ? 2 * marked : major == 0 && minor == 1 ? 1 : major;
	s->big = how->order != TAF_SEGY_LITTLE;
	if (how->order != TAF_SEGY_ANY_ORDER)
		return TAF_OK;
	if (s->revision == 2 && mark == 0x02010403)
		return taf_fail(e, TAF_EDATA,
		    "byte 3297: the bytes of each pair are swapped, which is not read");
	s->swapped = !(s->revision == 2 && marked) && !is_format(word(s, FORMAT, true)) &&
	    is_format(word(s, FORMAT, false));
	s->big = s->revision == 2 && marked ? mark == 0x01020304 : !s->swapped;
	return TAF_OK;
}

/* Does the begin of a text header, without blanks and in capitals, hold this? */
static bool
says(const unsigned char *text, size_t cards, const char *what, struct taf_err *e)
{
	struct taf_str s = { .err = e };
	bool found;

	taf_segy_cards(text, cards, true, &s);
	found = s.st == TAF_OK && s.buf.len > 0 && strstr(s.buf.data, what) != NULL;
	taf_str_free(&s);
	return found;
}

/* Does a text header come, or a trace?  That has bytes which no text has. */
static bool
text_comes(struct taf_in *in, struct taf_err *e)
{
	const unsigned char *p;
	size_t i, got;
	bool is;

	if (taf_in_peek(in, TAF_SEGY_TEXT, &p, &got, e) != TAF_OK || got < TAF_SEGY_TEXT)
		return false;
	is = memcmp(p, "((", 2) == 0 || memcmp(p, "\x4d\x4d", 2) == 0;
	for (i = 0; !is && i < TAF_SEGY_TEXT; i++)
		if (p[i] < 0x20 && (p[i] < '\t' || p[i] > '\r') && p[i] != 0x15)
			return false;
	return true;
}

/*
 * Revision 0 has no word for their number, but there are files that use it.  A layout may
 * say that words lie elsewhere.
 */
static enum taf_status
read_extended(struct taf_segy *s, struct taf_in *in, struct taf_err *e)
{
	const int n = (int16_t)word(s, EXTENDED, s->big);
	struct taf_str all = { .err = e };
	unsigned char text[TAF_SEGY_TEXT];
	bool layout = false, more = n != 0 && (s->revision > 0 || text_comes(in, e));

	while (more) {
		if (taf_in_read(in, text, sizeof text, e) != TAF_OK)
			return e->code;
		layout = layout || says(text, TAF_SEGY_CARDS, TAF_SEGY_LAYOUT, e);
		if (s->nextended < TAF_SEGY_KEPT &&
		    taf_buf_put(&s->extended, text, sizeof text, e) != TAF_OK)
			return e->code;
		s->nextended++;
		more = n > 0 ? s->nextended < (uint64_t)n :
		    !says(text, 1, "((SEG:ENDTEXT))", e);
	}
	if (!layout || e->code != TAF_OK)
		return e->code;
	taf_segy_cards((unsigned char *)s->extended.data,
	    s->extended.len / TAF_SEGY_CARD, true, &all);
	if (all.st == TAF_OK && (s->nextended > TAF_SEGY_KEPT ||
	    !taf_segy_layout_is_standard(all.buf.data)))
		(void)taf_fail(e, TAF_EDATA,
		    "a layout stanza moves words of the trace headers, which is not read");
	taf_str_free(&all);
	return e->code;
}

/*
 * The number of further headers has four bytes in revision 2.0.  Since 2.1 it has the
 * first two, and the kind of survey the others; some files of 2.0 are so, too.
 */
static bool
has_short_count(const struct taf_segy *s)
{
	return s->binary[REVISION - 1] > 2 || s->binary[MINOR - 1] > 0 ||
	    taf_get32(s->binary + ADDITIONAL - 1, s->big) > UINT16_MAX;
}

enum taf_status
taf_segy_reel(struct taf_segy *s, struct taf_err *e)
{
	const bool many = s->revision == 2;
	const double interval = taf_getf64(s->binary + REAL_INTERVAL - 1, s->big);
	const uint32_t samples = taf_get32(s->binary + MANY_SAMPLES - 1, s->big);
	const unsigned more = !many ? 0 : has_short_count(s) ?
	    word(s, ADDITIONAL, s->big) : taf_get32(s->binary + ADDITIONAL - 1, s->big);

	if (more > INT16_MAX)
		return taf_fail(e, TAF_EDATA,
		    "byte 3507: %u headers a trace are too many", more);
	s->header = TAF_SEGY_HEADER * (1 + more);
	s->ns_reel = many && samples != 0 ? samples : word(s, SAMPLES, s->big);
	s->dt_reel = word(s, INTERVAL, s->big);
	if (many && interval > 0 && taf_is_finite(interval))
		s->dt_reel = interval;
	else if (!many && s->dt_reel > INT16_MAX)
		s->dt_reel = 0;		/* an int16 then: nobody samples backwards */
	return TAF_OK;
}

static void
put(struct taf_segy *s, unsigned at, unsigned bytes, uint64_t v)
{
	unsigned i;

	for (i = 0; i < bytes; i++, v >>= 8)
		s->binary[at - 1 + (s->big ? bytes - 1 - i : i)] = (unsigned char)v;
}

void
taf_segy_set_reel(struct taf_segy *s, uint64_t ns, double dt, uint64_t ntraces, bool made)
{
	const size_t texts = s->extended.len / TAF_SEGY_TEXT;
	const unsigned more = s->header / TAF_SEGY_HEADER - 1;
	const bool many = s->revision == 2, word_ns = ns <= UINT16_MAX,
	    word_dt = dt <= UINT16_MAX && dt == (uint16_t)dt;

	if (made) {
		memset(s->binary, 0, sizeof s->binary);
		put(s, REVISION, 1, s->revision);
		put(s, MINOR, 1, many && more > 0);
		put(s, FIXED, 2, 1);
		put(s, ORDER, 4, many ? 0x01020304 : 0);
	}
	put(s, FORMAT, 2, s->format->code);
	if (made || s->ns_reel != ns) {
		put(s, SAMPLES, 2, word_ns ? ns : 0);
		if (many)
			put(s, MANY_SAMPLES, 4, word_ns ? 0 : ns);
	}
	if (made || s->dt_reel != dt) {
		put(s, INTERVAL, 2, word_dt ? (uint64_t)dt : 0);
		if (many)
			put(s, REAL_INTERVAL, 8, word_dt ? 0 : taf_bits64(dt));
	}
	/* -1: the last one says that it is the last */
	if ((s->revision > 0 || texts > 0) &&
	    (word(s, EXTENDED, s->big) != UINT16_MAX || texts == TAF_SEGY_KEPT))
		put(s, EXTENDED, 2, texts);
	if (!many)
		return;
	put(s, ADDITIONAL, has_short_count(s) ? 2 : 4, more);
	put(s, TRAILER, 4, 0);
	if (taf_get64(s->binary + TRACES - 1, s->big) != 0)
		put(s, TRACES, 8, ntraces);
	if (taf_get64(s->binary + FIRST_TRACE - 1, s->big) != 0)
		put(s, FIRST_TRACE, 8, TAF_SEGY_REEL + s->extended.len);
}

/* TAF_EDATA where n first bytes are those of a file of another kind. */
static enum taf_status
refuse_foreign(const unsigned char *p, size_t n, struct taf_err *e)
{
	const struct taf_foreign *f = taf_foreign(p, n, NULL);
	char what[TAF_FOREIGN_TEXT];

	return f != NULL && (f->command == NULL || strcmp(f->command, "segy2taf") != 0) &&
	    taf_foreign_text(p, n, what) ?
	    taf_fail(e, TAF_EDATA, "%s, no SEG-Y file", what) : TAF_OK;
}

/* All headers of the reel.  Revision 2 may say where the first trace is. */
static enum taf_status
read_reel(struct taf_segy *s, struct taf_in *in, const struct taf_segy_how *how,
    struct taf_err *e)
{
	const unsigned char *p;
	uint64_t here, first;
	size_t got = 0;
	unsigned code;

	if (taf_in_peek(in, sizeof s->text, &p, &got, e) != TAF_OK ||
	    (got < sizeof s->text && refuse_foreign(p, got, e) != TAF_OK) ||
	    taf_in_read(in, s->text, sizeof s->text, e) != TAF_OK ||
	    taf_in_read(in, s->binary, sizeof s->binary, e) != TAF_OK ||
	    find_revision(s, how, e) != TAF_OK || read_extended(s, in, e) != TAF_OK)
		return e->code;
	code = word(s, FORMAT, s->big);
	s->format = how->format != NULL ? how->format : taf_segy_format(code);
	if (s->format == NULL && code == GAIN)
		return taf_fail(e, TAF_EDATA,
		    "byte 3225: format 4, fixed point with gain, is not read");
	if (s->format == NULL && refuse_foreign(s->text, sizeof s->text, e) == TAF_OK)
		return taf_fail(e, TAF_EDATA,
		    "byte 3225: format %u is unknown (--type T says what samples are)",
		    code);
	if (e->code != TAF_OK || taf_segy_reel(s, e) != TAF_OK)
		return e->code;
	here = TAF_SEGY_REEL + s->nextended * TAF_SEGY_TEXT;
	first = s->revision < 2 ? 0 : taf_get64(s->binary + FIRST_TRACE - 1, s->big);
	if (first > 0 && first < here)
		return taf_fail(e, TAF_EDATA,
		    "byte 3521: the first trace at %llu, in the headers, which end at %llu",
		    (unsigned long long)first, (unsigned long long)here);
	return taf_in_skip(in, first > 0 ? first - here : 0, e);
}

uint64_t
taf_segy_samples(const struct taf_segy *s, const unsigned char *header)
{
	return (uint64_t)taf_segy_get(header, TAF_SEGY_NS, s->big);
}

double
taf_segy_begin(const struct taf_segy *s, const unsigned char *header)
{
	const double t = taf_segy_get(header, TAF_SEGY_DELRT, s->big);
	const int scale = s->su ? 0 : taf_segy_get(header, TAF_SEGY_TSCALAR, s->big);

	return scale > 0 ? t * scale / 1000 : t / (scale < 0 ? scale * -1000.0 : 1000.0);
}

static uint64_t
stride_of(const struct taf_segy *s, uint64_t ns)
{
	return s->header + ns * s->format->bytes;
}

/* Are the bytes a whole number of traces of ns samples? */
static bool
fits(const struct taf_segy *s, uint64_t ns)
{
	return ns > 0 && s->left > 0 && s->left % stride_of(s, ns) == 0;
}

/* SU does not say its order: the size of the file does. */
static enum taf_status
find_su_order(struct taf_segy *s, const struct taf_segy_how *how, bool sized,
    struct taf_err *e)
{
	const bool big = fits(s, (uint64_t)taf_segy_get(s->first, TAF_SEGY_NS, true));
	const bool little = fits(s, (uint64_t)taf_segy_get(s->first, TAF_SEGY_NS, false));

	s->big = how->order == TAF_SEGY_ANY_ORDER ? big : how->order == TAF_SEGY_BIG;
	return how->order != TAF_SEGY_ANY_ORDER || big != little ? TAF_OK :
	    taf_fail(e, TAF_EDATA,
	    !sized ? "a pipe does not tell the byte order (--order)" :
	    big ? "big- and little-endian traces fit the file (--order)" :
	    "neither big- nor little-endian traces fit the file (--order)");
}

bool
taf_segy_step(const struct taf_segy *s, const struct taf_in *in, uint64_t none_said,
    uint64_t *at, uint64_t *said, struct taf_err *e)
{
	const uint64_t left = s->start + s->left - *at;
	unsigned char header[TAF_SEGY_HEADER];
	uint64_t ns;

	if (left < sizeof header ||
	    taf_in_pread(in, header, sizeof header, *at, e) != TAF_OK)
		return false;
	*said = taf_segy_samples(s, header);
	ns = *said > 0 ? *said : none_said;
	if (left < s->header || (left - s->header) / s->format->bytes < ns)
		return false;
	*at += stride_of(s, ns);
	return true;
}

/* Why the bytes are no traces of one length: one differs, or the last one is cut. */
static enum taf_status
refuse_size(const struct taf_segy *s, struct taf_in *in, struct taf_err *e)
{
	const unsigned long long own = s->ns_trace, reel = s->ns_reel, left = s->left;
	uint64_t at = s->start, said = own, k = 0;
	bool more = true;

	if (own > 0 && reel > 0 && own != reel)
		return taf_fail(e, TAF_EDATA,
		    "traces of %llu samples, by their own, or %llu, by the binary header: %llu bytes are no whole number of either",
		    own, reel, left);
	for (; more && said == own; k++)
		more = taf_segy_step(s, in, s->ns, &at, &said, e);
	if (said != own)
		return taf_fail(e, TAF_EDATA,
		    "trace %llu has %llu samples, the first %llu (--length N makes them alike)",
		    (unsigned long long)k, (unsigned long long)said, own);
	return taf_fail(e, TAF_EDATA,
	    "%llu whole traces and %llu bytes more (--cut takes the traces)",
	    left / s->stride, left % s->stride);
}

/* Do traces as long as their own words say end where the file ends? */
static bool
words_fit(const struct taf_segy *s, struct taf_in *in, struct taf_err *e)
{
	uint64_t at = s->start, said;

	while (taf_segy_step(s, in, 0, &at, &said, e))
		continue;
	return e->code == TAF_OK && at == s->start + s->left;
}

/* How long a trace is: its own word, or the binary header's where that alone fits. */
static enum taf_status
find_length(struct taf_segy *s, struct taf_in *in, const struct taf_segy_how *how,
    struct taf_err *e)
{
	const bool own = s->ns_trace > 0, sized = taf_in_seekable(in);
	uint64_t bytes;

	s->doubted = !own || (sized && !fits(s, s->ns_trace) && fits(s, s->ns_reel) &&
	    !words_fit(s, in, e));
	s->ns = s->ns_file = s->doubted ? s->ns_reel : s->ns_trace;
	if (e->code != TAF_OK)
		return e->code;
	if (sized && !s->doubted && !how->resize && !fits(s, s->ns) &&
	    fits(s, s->ns_reel))
		return taf_fail(e, TAF_EDATA,
		    "traces have other numbers of samples than the first, %llu (--length N makes them alike)",
		    (unsigned long long)s->ns);
	if (how->resize)
		s->ns = how->length;
	if (s->ns == 0)
		return taf_fail(e, TAF_EDATA,
		    "neither the first trace nor the binary header counts samples");
	s->stride = stride_of(s, s->ns);
	s->ntraces = how->traces;
	if (!sized && !taf_mul(s->stride, s->ntraces, &bytes))
		return taf_fail(e, TAF_EDATA, "%llu traces are too many",
		    (unsigned long long)s->ntraces);
	if (!sized || how->resize)
		return TAF_OK;
	s->ntraces = s->left / s->stride;
	s->cut = s->left % s->stride;
	return s->cut == 0 || (how->cut && s->ntraces > 0) ? TAF_OK :
	    refuse_size(s, in, e);
}

/* What follows the traces in revision 2: 3529 counts texts, or 3513 the traces. */
static void
find_trailer(struct taf_segy *s)
{
	const int32_t n = s->revision < 2 ? 0 :
	    (int32_t)taf_get32(s->binary + TRAILER - 1, s->big);
	uint64_t bytes = 0;

	if (n > 0)
		bytes = (uint64_t)n * TAF_SEGY_TEXT;
	else if (n == -1 && taf_mul(taf_get64(s->binary + TRACES - 1, s->big),
	    stride_of(s, s->ns_trace > 0 ? s->ns_trace : s->ns_reel), &bytes) &&
	    bytes > 0 && bytes <= s->left)
		bytes = s->left - bytes;
	if (bytes < s->left) {
		s->trailer = bytes;
		s->left -= bytes;
	}
}

enum taf_status
taf_segy_open(struct taf_segy *s, struct taf_in *in, const struct taf_segy_how *how,
    struct taf_err *e)
{
	const unsigned char *p;
	size_t got;

	if (taf_in_peek(in, TAF_SEGY_REEL, &p, &got, e) != TAF_OK)
		return e->code;
	s->su = how->su || taf_foreign_named(taf_in_name(in), p, got) != NULL;
	if (s->su && how->format != NULL)
		return taf_fail(e, TAF_EDATA, "samples of SU are flt32");
	s->big = true;
	s->header = TAF_SEGY_HEADER;
	s->format = taf_segy_format(5);
	if (!s->su && read_reel(s, in, how, e) != TAF_OK)
		return e->code;
	s->start = taf_in_offset(in);
	s->left = taf_in_left(in);
	if (taf_in_peek(in, sizeof s->first, &p, &got, e) != TAF_OK)
		return e->code;
	if (got < sizeof s->first)
		return taf_fail(e, TAF_ETRUNC, "no trace: the input ends at %llu",
		    (unsigned long long)s->start + got);
	memcpy(s->first, p, sizeof s->first);
	if (s->su && find_su_order(s, how, taf_in_seekable(in), e) != TAF_OK)
		return e->code;
	s->ns_trace = taf_segy_samples(s, s->first);
	s->dt_trace = taf_segy_get(s->first, TAF_SEGY_DT, s->big);
	if (!s->su && s->revision < 2 && s->dt_trace > INT16_MAX)
		s->dt_trace = 0;
	/* a word of a trace has no room for what revision 2 may say of all */
	s->dt = s->dt_trace > 0 && s->dt_reel <= UINT16_MAX &&
	    s->dt_reel == (uint16_t)s->dt_reel ? s->dt_trace : s->dt_reel;
	find_trailer(s);
	return find_length(s, in, how, e);
}
