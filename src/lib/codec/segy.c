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
marks_order(uint32_t mark)
{
	return mark == 0x01020304 || mark == 0x04030201;
}

/*
 * A revision that stands as the integer 1 is 1.0.  What no revision has is the newest
 * where a mark of the order is there, which is as new, else 0.
 */
static unsigned
revision_of(const unsigned char *binary)
{
	const unsigned major = binary[REVISION - 1], minor = binary[MINOR - 1];

	if (major > 2)
		return marks_order(taf_get32(binary + ORDER - 1, true)) ? 2 : 0;
	return major == 0 && minor == 1 ? 1 : major;
}

static bool
is_format(unsigned code)
{
	return code == GAIN || taf_segy_format(code) != NULL;
}

/* Revision 2 says its order; before there was none but big-endian, which not all kept. */
static enum taf_status
find_order(struct taf_segy *s, const struct taf_segy_how *how, struct taf_err *e)
{
	const uint32_t mark = taf_get32(s->binary + ORDER - 1, true);

	s->big = how->order != TAF_SEGY_LITTLE;
	if (how->order != TAF_SEGY_ANY_ORDER)
		return TAF_OK;
	if (s->revision == 2 && mark == 0x02010403)
		return taf_fail(e, TAF_EDATA,
		    "byte 3297: the bytes of each pair are swapped, which is not read");
	if (s->revision == 2 && marks_order(mark)) {
		s->big = mark == 0x01020304;
		return TAF_OK;
	}
	s->swapped = !is_format(word(s, FORMAT, true)) &&
	    is_format(word(s, FORMAT, false));
	s->big = !s->swapped;
	return TAF_OK;
}

/* Append lines of a text header, without blanks, and in capitals. */
static void
squeeze(struct taf_str *to, const unsigned char *text, size_t lines)
{
	struct taf_str cards = { .err = to->err };
	size_t i;

	taf_segy_cards(text, &cards);
	for (i = 0; i < cards.buf.len && lines > 0; i++) {
		char c = cards.buf.data[i];

		lines -= c == '\n';
		c = (char)(c >= 'a' && c <= 'z' ? c - 32 : c);
		if (c != ' ' && c != '\n')
			taf_str_put(to, &c, 1);
	}
	if (cards.st != TAF_OK)
		to->st = cards.st;
	taf_str_free(&cards);
}

static bool
says(const unsigned char *text, const char *what, size_t lines, struct taf_err *e)
{
	struct taf_str s = { .err = e };
	bool found;

	squeeze(&s, text, lines);
	found = s.st == TAF_OK && s.buf.len > 0 && strstr(s.buf.data, what) != NULL;
	taf_str_free(&s);
	return found;
}

/* A layout may say that words lie elsewhere. */
static enum taf_status
check_layout(const struct taf_segy *s, struct taf_err *e)
{
	struct taf_str all = { .err = e };
	size_t at;
	bool standard;

	for (at = 0; at < s->extended.len; at += TAF_SEGY_TEXT)
		squeeze(&all, (unsigned char *)s->extended.data + at, TAF_SEGY_TEXT);
	standard = all.st == TAF_OK && s->nextended <= TAF_SEGY_KEPT &&
	    taf_segy_layout_is_standard(all.buf.data);
	taf_str_free(&all);
	return standard ? TAF_OK : e->code != TAF_OK ? e->code : taf_fail(e, TAF_EDATA,
	    "a layout stanza moves words of the trace headers, which is not read");
}

/* Does a text header come, or a trace?  That has bytes which no text has. */
static enum taf_status
text_comes(struct taf_in *in, bool *is, struct taf_err *e)
{
	const unsigned char *p;
	size_t i, got;

	if (taf_in_peek(in, TAF_SEGY_TEXT, &p, &got, e) != TAF_OK)
		return e->code;
	*is = got >= TAF_SEGY_TEXT;
	if (*is && (memcmp(p, "((", 2) == 0 || memcmp(p, "\x4d\x4d", 2) == 0))
		return TAF_OK;
	for (i = 0; *is && i < TAF_SEGY_TEXT; i++)
		*is = p[i] >= 0x20 || (p[i] >= '\t' && p[i] <= '\r') || p[i] == 0x15;
	return TAF_OK;
}

/* Revision 0 has no word for their number, but there are files that use it. */
static enum taf_status
read_extended(struct taf_segy *s, struct taf_in *in, struct taf_err *e)
{
	const int n = (int16_t)word(s, EXTENDED, s->big);
	unsigned char text[TAF_SEGY_TEXT];
	bool last = n == 0, layout = false, there = true;

	if (s->revision == 0 && !last) {
		if (text_comes(in, &there, e) != TAF_OK)
			return e->code;
		last = !there;
	}
	while (!last) {
		if (taf_in_read(in, text, sizeof text, e) != TAF_OK)
			return e->code;
		layout = layout || says(text, TAF_SEGY_LAYOUT, TAF_SEGY_TEXT, e);
		if (s->nextended < TAF_SEGY_KEPT &&
		    taf_buf_put(&s->extended, text, sizeof text, e) != TAF_OK)
			return e->code;
		s->nextended++;
		last = n > 0 ? s->nextended == (uint64_t)n :
		    says(text, "((SEG:ENDTEXT))", 1, e);
	}
	return e->code == TAF_OK && layout ? check_layout(s, e) : e->code;
}

/* Revision 2 may say where the first trace is: not before the text headers end. */
static enum taf_status
skip_to_traces(struct taf_segy *s, struct taf_in *in, struct taf_err *e)
{
	const uint64_t first = s->revision < 2 ? 0 :
	    taf_get64(s->binary + FIRST_TRACE - 1, s->big);
	const uint64_t here = TAF_SEGY_REEL + s->nextended * TAF_SEGY_TEXT;

	if (first == 0 || first == here)
		return TAF_OK;
	if (first < here)
		return taf_fail(e, TAF_EDATA,
		    "byte 3521: the first trace at %llu, in the headers, which end at %llu",
		    (unsigned long long)first, (unsigned long long)here);
	return taf_in_skip(in, first - here, e);
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
	const double interval = taf_getf64(s->binary + REAL_INTERVAL - 1, s->big);
	const uint32_t more = s->revision < 2 ? 0 : has_short_count(s) ?
	    word(s, ADDITIONAL, s->big) : taf_get32(s->binary + ADDITIONAL - 1, s->big);

	if (more > INT16_MAX)
		return taf_fail(e, TAF_EDATA,
		    "byte 3507: %u headers a trace are too many",
		    (unsigned)more);
	s->header = TAF_SEGY_HEADER * (1 + more);
	s->ns_reel = word(s, SAMPLES, s->big);
	s->dt_reel = word(s, INTERVAL, s->big);
	if (s->revision < 2) {
		/* an int16 then: nobody samples backwards */
		s->dt_reel = s->dt_reel > INT16_MAX ? 0 : s->dt_reel;
		return TAF_OK;
	}
	if (taf_get32(s->binary + MANY_SAMPLES - 1, s->big) != 0)
		s->ns_reel = taf_get32(s->binary + MANY_SAMPLES - 1, s->big);
	if (interval > 0 && taf_is_finite(interval))
		s->dt_reel = interval;
	return TAF_OK;
}

static void
put_word(struct taf_segy *s, unsigned at, unsigned v)
{
	taf_put16(s->binary + at - 1, (uint16_t)v, s->big);
}

/* What revision 2 has beside. */
static void
set_more(struct taf_segy *s, uint64_t ntraces, bool made)
{
	unsigned char *const p = s->binary;
	const unsigned more = s->header / TAF_SEGY_HEADER - 1;

	if (made && more > 0)
		p[MINOR - 1] = 1;
	if (has_short_count(s))
		put_word(s, ADDITIONAL, more);
	else
		taf_put32(p + ADDITIONAL - 1, more, s->big);
	taf_put32(p + TRAILER - 1, 0, s->big);
	if (taf_get64(p + TRACES - 1, s->big) != 0)
		taf_put64(p + TRACES - 1, ntraces, s->big);
	if (taf_get64(p + FIRST_TRACE - 1, s->big) != 0)
		taf_put64(p + FIRST_TRACE - 1, TAF_SEGY_REEL + s->extended.len, s->big);
}

void
taf_segy_set_reel(struct taf_segy *s, uint64_t ns, double dt, uint64_t ntraces, bool made)
{
	const size_t texts = s->extended.len / TAF_SEGY_TEXT;
	const bool many = s->revision == 2, word_ns = ns <= UINT16_MAX,
	    word_dt = dt <= UINT16_MAX && dt == (uint16_t)dt;

	if (made) {
		memset(s->binary, 0, sizeof s->binary);
		s->binary[REVISION - 1] = (unsigned char)s->revision;
		put_word(s, FIXED, 1);
		if (many)
			taf_put32(s->binary + ORDER - 1, 0x01020304, s->big);
	}
	put_word(s, FORMAT, s->format->code);
	if (made || s->ns_reel != ns) {
		put_word(s, SAMPLES, word_ns ? (unsigned)ns : 0);
		if (many)
			taf_put32(s->binary + MANY_SAMPLES - 1,
			    word_ns ? 0 : (uint32_t)ns, s->big);
	}
	if (made || s->dt_reel != dt) {
		put_word(s, INTERVAL, word_dt ? (unsigned)dt : 0);
		if (many)
			taf_putf64(s->binary + REAL_INTERVAL - 1, word_dt ? 0 : dt,
			    s->big);
	}
	/* -1: the last one says that it is the last */
	if ((s->revision > 0 || texts > 0) &&
	    (word(s, EXTENDED, s->big) != UINT16_MAX || texts == TAF_SEGY_KEPT))
		put_word(s, EXTENDED, (unsigned)texts);
	if (many)
		set_more(s, ntraces, made);
}

/* Do n first bytes say that a file is of another kind? */
static bool
is_foreign(const unsigned char *p, size_t n, char what[TAF_FOREIGN_TEXT])
{
	const struct taf_foreign *f = taf_foreign(p, n, NULL);

	return f != NULL && (f->command == NULL || strcmp(f->command, "segy2taf") != 0) &&
	    taf_foreign_text(p, n, what);
}

static enum taf_status
read_reel(struct taf_segy *s, struct taf_in *in, const struct taf_segy_how *how,
    struct taf_err *e)
{
	char what[TAF_FOREIGN_TEXT];
	const unsigned char *p;
	size_t got = 0;

	if (taf_in_peek(in, sizeof s->text, &p, &got, e) != TAF_OK)
		return e->code;
	if (got < sizeof s->text && is_foreign(p, got, what))
		return taf_fail(e, TAF_EDATA, "%s, no SEG-Y file", what);
	if (taf_in_read(in, s->text, sizeof s->text, e) != TAF_OK ||
	    taf_in_read(in, s->binary, sizeof s->binary, e) != TAF_OK)
		return e->code;
	s->revision = revision_of(s->binary);
	if (find_order(s, how, e) != TAF_OK || read_extended(s, in, e) != TAF_OK)
		return e->code;
	s->format = how->format != NULL ? how->format :
	    taf_segy_format(word(s, FORMAT, s->big));
	if (s->format == NULL && word(s, FORMAT, s->big) == GAIN)
		return taf_fail(e, TAF_EDATA,
		    "byte 3225: format 4, fixed point with gain, is not read");
	if (s->format == NULL && is_foreign(s->text, sizeof s->text, what))
		return taf_fail(e, TAF_EDATA, "%s, no SEG-Y file", what);
	if (s->format == NULL)
		return taf_fail(e, TAF_EDATA,
		    "byte 3225: format %u is unknown (--type T says what samples are)",
		    word(s, FORMAT, s->big));
	if (taf_segy_reel(s, e) != TAF_OK)
		return e->code;
	return skip_to_traces(s, in, e);
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

/* Are n bytes a whole number of traces of ns samples? */
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
	bool big, little;

	s->big = how->order == TAF_SEGY_BIG;
	if (how->order != TAF_SEGY_ANY_ORDER)
		return TAF_OK;
	big = fits(s, (uint64_t)taf_segy_get(s->first, TAF_SEGY_NS, true));
	little = fits(s, (uint64_t)taf_segy_get(s->first, TAF_SEGY_NS, false));
	s->big = big;
	if (big != little)
		return TAF_OK;
	return taf_fail(e, TAF_EDATA,
	    !sized ? "a pipe does not tell the byte order (--order)" :
	    big ? "big- and little-endian traces fit the file (--order)" :
	    "neither big- nor little-endian traces fit the file (--order)");
}

/* Why n bytes are no traces of one length: one differs, or the last one is cut. */
static enum taf_status
refuse_size(const struct taf_segy *s, struct taf_in *in, struct taf_err *e)
{
	const uint64_t stride = stride_of(s, s->ns), n = s->left / stride;
	unsigned char header[TAF_SEGY_HEADER];
	uint64_t k;

	if (s->ns_trace > 0 && s->ns_reel > 0 && s->ns_trace != s->ns_reel)
		return taf_fail(e, TAF_EDATA,
		    "traces of %llu samples, by their own, or %llu, by the binary header: %llu bytes are no whole number of either",
		    (unsigned long long)s->ns_trace, (unsigned long long)s->ns_reel,
		    (unsigned long long)s->left);
	for (k = 1; k <= n && s->left - k * stride >= sizeof header; k++) {
		if (taf_in_pread(in, header, sizeof header, s->start + k * stride, e) !=
		    TAF_OK)
			return e->code;
		if (taf_segy_samples(s, header) != s->ns_trace)
			return taf_fail(e, TAF_EDATA,
			    "trace %llu has %llu samples, the first %llu (--length N makes them alike)",
			    (unsigned long long)k + 1,
			    (unsigned long long)taf_segy_samples(s, header),
			    (unsigned long long)s->ns_trace);
	}
	return taf_fail(e, TAF_EDATA,
	    "%llu whole traces and %llu bytes more (--cut takes the traces)",
	    (unsigned long long)n, (unsigned long long)(s->left % stride));
}

/* Do traces as long as their own words say end where the file ends? */
static bool
words_fit(const struct taf_segy *s, struct taf_in *in, struct taf_err *e)
{
	const uint64_t end = s->start + s->left;
	unsigned char header[TAF_SEGY_HEADER];
	uint64_t at = s->start, ns;

	while (end - at >= s->header) {
		if (taf_in_pread(in, header, sizeof header, at, e) != TAF_OK)
			return false;
		ns = taf_segy_samples(s, header);
		if ((end - at - s->header) / s->format->bytes < ns)
			return false;
		at += stride_of(s, ns);
	}
	return at == end;
}

/* How long a trace is: its own word, or the binary header's where that alone fits. */
static enum taf_status
find_length(struct taf_segy *s, struct taf_in *in, const struct taf_segy_how *how,
    struct taf_err *e)
{
	const bool own = s->ns_trace > 0, sized = taf_in_seekable(in);
	uint64_t bytes;

	s->ns = own ? s->ns_trace : s->ns_reel;
	s->doubted = !own;
	if (sized && own && !fits(s, s->ns_trace) && fits(s, s->ns_reel)) {
		s->doubted = !words_fit(s, in, e);
		s->ns = s->doubted ? s->ns_reel : s->ns;
		if (e->code == TAF_OK && !s->doubted && !how->resize)
			(void)taf_fail(e, TAF_EDATA,
			    "traces have other numbers of samples than the first, %llu (--length N makes them alike)",
			    (unsigned long long)s->ns);
		if (e->code != TAF_OK)
			return e->code;
	}
	s->ns_file = s->ns;
	if (how->resize)
		s->ns = how->length;
	if (s->ns == 0)
		return taf_fail(e, TAF_EDATA,
		    "neither the first trace nor the binary header counts samples");
	s->stride = stride_of(s, s->ns);
	s->ntraces = how->traces;
	if (!sized)
		return taf_mul(s->stride, s->ntraces, &bytes) ? TAF_OK :
		    taf_fail(e, TAF_EDATA, "%llu traces are too many",
		    (unsigned long long)s->ntraces);
	if (how->resize)
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
	if (n != 0 && bytes < s->left) {
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

	if (taf_in_peek(in, sizeof s->text + sizeof s->binary, &p, &got, e) != TAF_OK)
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
	if (taf_in_peek(in, TAF_SEGY_HEADER, &p, &got, e) != TAF_OK)
		return e->code;
	if (got < TAF_SEGY_HEADER)
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
