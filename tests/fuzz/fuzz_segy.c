/* SPDX-License-Identifier: ISC */
/* SEG-Y and SU: where traces lie, their headers, and the text of the reel. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "codec/segy.h"
#include "codec/taf_foreign.h"
#include "drain.h"
#include "target.h"

/* Text becomes lines, and lines text; what had a place once has it again. */
static void
check_text(const unsigned char *text)
{
	unsigned char once[TAF_SEGY_TEXT], twice[TAF_SEGY_TEXT];
	const bool ebcdic = taf_segy_ebcdic(text);
	struct taf_err e = { 0 };
	struct taf_str a = { .err = &e }, b = { .err = &e };

	taf_segy_cards(text, TAF_SEGY_CARDS, false, &a);
	must(a.st == TAF_OK && a.buf.len <= TAF_SEGY_TEXT + 40);
	must(taf_segy_text(a.buf.data, a.buf.len, ebcdic, once));
	must(taf_segy_text(a.buf.data, a.buf.len, false, once));
	if (once[0] == 'C') {
		taf_segy_cards(once, TAF_SEGY_CARDS, false, &b);
		must(b.buf.len == a.buf.len &&
		    memcmp(a.buf.data, b.buf.data, a.buf.len) == 0);
		must(taf_segy_text(b.buf.data, b.buf.len, false, twice));
		must(memcmp(once, twice, sizeof once) == 0);
	}
	taf_str_free(&a);
	taf_str_free(&b);
}

/* Every word of a header, written again, gives the same header. */
static void
check_header(const struct taf_segy *s)
{
	unsigned char again[TAF_SEGY_HEADER] = { 0 };
	unsigned k;

	for (k = 0; k < TAF_SEGY_KEYS; k++)
		must(taf_segy_put(again, k, taf_segy_get(s->first, k, s->big), s->big));
	must(memcmp(again, s->first, sizeof again) == 0);
	must(!taf_segy_put(again, TAF_SEGY_NS, 65536, s->big));
	must(!taf_segy_put(again, TAF_SEGY_DELRT, -32769, s->big));
	must(taf_segy_begin(s, s->first) == taf_segy_begin(s, again));
}

/* What the words say of traces that are written is read so again. */
static void
check_reel(struct taf_segy *s)
{
	const uint64_t ns = s->ns % 65536;
	struct taf_err e = { 0 };

	taf_segy_set_reel(s, s->ns, s->dt_reel, s->ntraces, false);
	taf_segy_set_reel(s, ns, 2000, s->ntraces, true);
	must(taf_segy_reel(s, &e) == TAF_OK && s->ns_reel == ns && s->dt_reel == 2000);
}

static void
check(const struct taf_segy_how *how, const uint8_t *data, size_t size)
{
	struct taf_segy s = { 0 };
	struct taf_err e = { 0 };
	struct taf_str words = { .err = &e };
	struct taf_in *in;
	enum taf_status st;

	must(taf_in_mem(&in, data, size, &e) == TAF_OK);
	st = taf_segy_open(&s, in, how, &e);
	must_agree(st, &e);
	if (st == TAF_OK) {
		must(s.start == taf_in_offset(in) && s.start <= size);
		must(s.left + s.trailer == size - s.start);
		must(how->resize || (s.ntraces > 0 && s.ns > 0 &&
		    s.ntraces * s.stride + s.cut == s.left));
		must(how->cut || how->resize || s.cut == 0);
		must(s.dt >= 0);
		check_header(&s);
		if (!s.su) {
			check_text(s.text);
			taf_segy_words(&s, &words);
			must(words.st == TAF_OK);
			taf_str_free(&words);
			check_reel(&s);
		}
	}
	taf_segy_fini(&s);
	taf_in_close(in);
}

/* Names, and lists of them: those that are known, and any text. */
static void
check_names(const uint8_t *data, size_t size)
{
	struct taf_segy_choice all;
	struct taf_err e = { 0 };
	char text[64] = "";
	unsigned k;

	if (size > 0)
		memcpy(text, data, size < sizeof text - 1 ? size : sizeof text - 1);
	if (taf_segy_keys(&all, text, &e) == TAF_OK)
		must(all.n > 0 && all.key[all.n - 1] < TAF_SEGY_KEYS);
	for (k = 0; k < TAF_SEGY_KEYS; k++) {
		must(taf_segy_keys(&all, taf_segy_key_name(k), &e) == TAF_OK);
		must(all.n == 1 && all.key[0] == k);
	}
	(void)taf_segy_format_named(text);
	(void)taf_foreign_writer(text);
	must(strcmp(taf_foreign_writer("x.npy"), "taf2npy") == 0);
	must(taf_segy_format_named("int24")->code == 7);
	must(taf_segy_format_named("5") == taf_segy_format_named("float32"));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct taf_segy_how how = { 0 };

	check_names(data, size);
	check(&how, data, size);
	how.cut = true;
	check(&how, data, size);
	how.resize = true;
	how.length = 5;
	check(&how, data, size);
	how = (struct taf_segy_how){ .su = true };
	check(&how, data, size);
	how.order = TAF_SEGY_LITTLE;
	check(&how, data, size);
	return 0;
}
