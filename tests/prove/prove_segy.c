/* SPDX-License-Identifier: ISC */
/*
 * SEG-Y and SU: the headers of every file of any length, whatever is asked for.  What the
 * cards of text headers say, and buffers that grow, are not looked at.
 *
 * eva: -eva-slevel 8
 */
#include "input.h"

#include "base/num.c"
#include "codec/segy.c"
#include "codec/segy_words.c"

/* text that grows, up to what it may have here, with a NUL behind it */
static char room[TAF_SEGY_KEPT * TAF_SEGY_TEXT + 1];

void
taf_str_put(struct taf_str *s, const void *p, size_t n)
{
	if (n > 0)
		memcpy(room, p, n);
	Frama_C_make_unknown(room, sizeof room - 1);
	s->buf.data = room;
	s->buf.len = Frama_C_size_t_interval(0, sizeof room - 1);
	s->st = ends(s->err);
}

void
taf_str_puts(struct taf_str *s, const char *text)
{
	taf_str_put(s, text, strlen(text));
}

void
taf_str_free(struct taf_str *s)
{
	s->buf = (struct taf_buf){ 0 };
}

enum taf_status
taf_buf_put(struct taf_buf *b, const void *p, size_t n, struct taf_err *e)
{
	static char kept[TAF_SEGY_KEPT * TAF_SEGY_TEXT];

	b->data = kept;
	memcpy(b->data + b->len, p, n);
	b->len += n;
	return ends(e);
}

void
taf_segy_cards(const unsigned char *text, size_t cards, bool squeeze, struct taf_str *to)
{
	(void)squeeze;
	taf_str_put(to, text, cards * TAF_SEGY_CARD);
}

bool
taf_segy_layout_is_standard(const char *capitals)
{
	(void)capitals;
	return Frama_C_interval(0, 1) != 0;
}

int
main(void)
{
	struct taf_segy s = { 0 };
	struct taf_segy_how how = { 0 };
	struct taf_in in;
	struct taf_err e = { 0 };

	how.su = Frama_C_interval(0, 1) != 0;
	how.cut = Frama_C_interval(0, 1) != 0;
	how.resize = Frama_C_interval(0, 1) != 0;
	how.order = Frama_C_interval(TAF_SEGY_ANY_ORDER, TAF_SEGY_LITTLE);
	how.format = taf_segy_format((unsigned)Frama_C_interval(0, 17));
	/* what the options take */
	how.length = Frama_C_unsigned_long_interval(1, UINT64_MAX);
	how.traces = Frama_C_unsigned_long_interval(0, UINT64_MAX);
	if (taf_segy_open(&s, &in, &how, &e) == TAF_OK)
		(void)taf_segy_begin(&s, s.first);
	return 0;
}
