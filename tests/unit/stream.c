/* SPDX-License-Identifier: ISC */
/* Readers, writers, regions and values, against bytes and loops made here. */
#include <math.h>

#include "descriptor.h"
#include "feed.h"
#include "op/number/cast.h"
#include "stream/select_private.h"
#include "io/numbered.h"
#include "io/spool.h"
#include "stream/values.h"
#include "stream/writer_private.h"

#define END "\f\f\004"

static void
puts_to(struct taf_buf *b, const char *s)
{
	must(taf_buf_puts(b, s, &e) == TAF_OK);
}

static enum taf_status
next(struct taf_reader *r, struct taf_array *a)
{
	taf_err_clear(&e);
	return taf_reader_next(r, a, &e);
}

/* --- streams of several arrays --- */

static void
put32(struct taf_buf *b, uint32_t x, bool big)
{
	unsigned char p[4];

	taf_put32(p, x, big);
	must(taf_buf_put(b, p, 4, &e) == TAF_OK);
}

/* Five arrays, each coded in another way. */
static struct taf_buf
five(void)
{
	struct taf_buf b = { 0 };

	puts_to(&b,
	    "history\nn1=2 n2=1 data_format=native_int taf_order=little in=stdin\n"
	    "taf_next=1\n" END);
	put32(&b, 0x01020304, false);
	put32(&b, 0xfffefdfc, false);
	puts_to(&b, "n1=2 data_format=xdr_float in=stdin taf_next=1\n" END);
	put32(&b, 0x3fc00000, true);	/* 1.5 */
	put32(&b, 0xc0000000, true);	/* -2 */
	puts_to(&b, "n1=3 data_format=ascii_short in=stdin\n" END
	    " 1\n-32768 \t32767\n\n ");
	puts_to(&b, "n1=2 data_format=ascii_complex in=stdin\n" END
	    "1 -2i 3e-1\n+4i\r\n");
	puts_to(&b, "n1=1 data_format=native_uint taf_order=big in=stdin\n" END);
	put32(&b, 0xdeadbeef, true);
	return b;
}

static void
check_five(enum feed how)
{
	static const float reals[] = { 1.5, -2 }, pairs[] = { 1, -2, 0.3F, 4 };
	static const int16_t shorts[] = { 1, -32768, 32767 };
	struct taf_buf b = five();
	struct taf_reader *r = reader(how, b.data, b.len, 0);
	struct taf_array a = { 0 };
	unsigned char x[64];

	CHECK(next(r, &a) == TAF_OK && a.type == TAF_INT32 && a.ndim == 2 &&
	    a.dim[1].n == 1);
	CHECK_STR(a.history.data, "history\n");
	CHECK(taf_reader_more(r) == TAF_NEXT_YES);
	CHECK(taf_reader_source(r) == NULL && !taf_reader_late(r));
	CHECK_EQ(taf_reader_left(r), 2);
	CHECK(taf_reader_read(r, x, 1, &e) == TAF_OK &&
	    taf_get32(x, taf_host_is_big()) == 0x01020304);
	CHECK(taf_reader_read(r, x, 1, &e) == TAF_OK &&
	    taf_get32(x, taf_host_is_big()) == 0xfffefdfc);
	CHECK(taf_reader_read(r, x, 1, &e) == TAF_EMISUSE);
	CHECK(next(r, &a) == TAF_OK && a.type == TAF_FLT32 && a.ndim == 1);
	CHECK_EQ(a.history.len, 0);
	CHECK(taf_reader_read(r, x, 2, &e) == TAF_OK);
	CHECK_MEM(x, reals, sizeof reals);
	CHECK(next(r, &a) == TAF_OK && a.type == TAF_INT16);
	CHECK(taf_reader_read(r, x, 3, &e) == TAF_OK);
	CHECK_MEM(x, shorts, sizeof shorts);
	CHECK(next(r, &a) == TAF_OK && a.type == TAF_COMPLEX);
	CHECK(taf_reader_read(r, x, 1, &e) == TAF_OK);
	CHECK_MEM(x, pairs, 8);
	CHECK(taf_reader_skip(r, 1, &e) == TAF_OK);
	CHECK(next(r, &a) == TAF_OK && a.type == TAF_UINT32);
	CHECK(taf_reader_skip(r, 2, &e) == TAF_EMISUSE);
	taf_err_clear(&e);
	CHECK(taf_reader_read(r, x, 1, &e) == TAF_OK &&
	    taf_get32(x, taf_host_is_big()) == 0xdeadbeef);
	CHECK(taf_reader_more(r) == (how <= BY_FILE ? TAF_NEXT_NO : TAF_NEXT_UNKNOWN));
	CHECK(next(r, &a) == TAF_END && e.code == TAF_OK);
	CHECK(next(r, &a) == TAF_END);
	taf_reader_close(r);
	/* elements that nobody reads are passed over */
	r = reader(how, b.data, b.len, 0);
	for (int i = 0; i < 5; i++)
		CHECK(next(r, &a) == TAF_OK && taf_array_count(&a) == taf_reader_left(r));
	CHECK(next(r, &a) == TAF_END);
	taf_reader_close(r);
	taf_array_fini(&a);
	taf_buf_free(&b);
}

static void
several_arrays(void)
{
	for (int how = 0; how < FEEDS; how++)
		check_five((enum feed)how);
	reap();
}

/* RSF has no complex of doubles: a header of ours calls them two numbers each. */
static void
doubles_of_pairs_in_text(void)
{
	static const double want[] = { 1.25, -3, 2.25, -3 };
	struct taf_buf b = { 0 };
	struct taf_array a = { 0 };
	struct taf_reader *r;
	double x[4];

	puts_to(&b, "n1=2 n2=600 data_format=ascii_double taf_format=complex128 in=stdin "
	    "taf_next=1\n" END);
	for (int i = 1; i <= 600; i++)
		must(taf_buf_printf(&b, &e, "%d.25 -3\n", i) == TAF_OK);
	puts_to(&b, "n1=1 data_format=native_char in=stdin\n" END "z");
	r = reader(BY_FILE, b.data, b.len, 0);
	CHECK(next(r, &a) == TAF_OK && a.type == TAF_COMPLEX128 && a.dim[0].n == 600);
	CHECK(taf_reader_read(r, x, 2, &e) == TAF_OK);
	CHECK_MEM(x, want, sizeof want);
	CHECK(next(r, &a) == TAF_OK && a.type == TAF_INT8);
	taf_reader_close(r);
	taf_array_fini(&a);
	taf_buf_free(&b);
}

#define PAIR "n1=2 data_format=ascii_double taf_format=complex128 in=stdin\n"
#define FIRST "n1=1 data_format=native_char in=stdin "

/* Each input is refused with this status, at the next array or while it is read. */
static const struct {
	const char *text;
	enum taf_status by_file, by_pipe;
} broken[] = {
	{ "", TAF_EDATA, TAF_EDATA },
	{ "n", TAF_EDATA, TAF_EDATA },
	{ "n1=2 data_format=native_char in=stdin\n", TAF_ETRUNC, TAF_ETRUNC },
	{ "n1=2 data_format=native_char in=stdin\n\f\f", TAF_ETRUNC, TAF_ETRUNC },
	{ "n1=2 data_format=native_char in=stdin\n" END "a", TAF_EDATA, TAF_ETRUNC },
	{ "n1=2 data_format=native_char in=stdin\n" END, TAF_EDATA, TAF_ETRUNC },
	{ "n1=2 data_format=native_char in=stdin taf_next=1\n" END "ab", TAF_ETRUNC,
	    TAF_ETRUNC },
	{ "n1=2 data_format=native_char in=stdin\n" END "abc", TAF_EDATA, TAF_EDATA },
	{ "n1=2 data_format=native_char in=stdin\n" END "abTAF (", TAF_EDATA, TAF_EDATA },
	{ "n1=2 data_format=ascii_int in=stdin\n" END "1", TAF_EDATA, TAF_ETRUNC },
	{ "n1=2 data_format=ascii_int in=stdin\n" END "1 ", TAF_ETRUNC, TAF_ETRUNC },
	{ "n1=2 data_format=ascii_int in=stdin\n" END "1,2", TAF_EDATA, TAF_EDATA },
	{ "n1=2 data_format=ascii_int in=stdin\n" END "1 2.0", TAF_EDATA, TAF_EDATA },
	{ "n1=1 data_format=ascii_uchar in=stdin\n" END "256", TAF_EDATA, TAF_EDATA },
	{ "n1=1 data_format=ascii_uchar in=stdin\n" END "-1", TAF_EDATA, TAF_EDATA },
	{ "n1=1 data_format=ascii_char in=stdin\n" END "128", TAF_EDATA, TAF_EDATA },
	{ "n1=1 data_format=ascii_long in=stdin\n" END "9223372036854775808", TAF_EDATA,
	    TAF_EDATA },
	{ "n1=1 data_format=ascii_float in=stdin\n" END "1.5x", TAF_EDATA, TAF_EDATA },
	{ "n1=1 data_format=ascii_double in=stdin\n" END "abc", TAF_EDATA, TAF_EDATA },
	{ "n1=1 data_format=ascii_complex in=stdin\n" END "1 2", TAF_EDATA, TAF_EDATA },
	{ "n1=1 data_format=ascii_complex in=stdin\n" END "i", TAF_EDATA, TAF_EDATA },
	{ "n1=1 data_format=ascii_complex in=stdin\n" END "1.02.0i", TAF_EDATA,
	    TAF_EDATA },
	{ PAIR END "1 2i", TAF_EDATA, TAF_EDATA },
	{ PAIR END "1x 2", TAF_EDATA, TAF_EDATA },
	{ PAIR END "1 2x", TAF_EDATA, TAF_EDATA },
	{ PAIR END "1", TAF_EDATA, TAF_EDATA },
	{ FIRST "taf_next=unknown\n" END "a", TAF_ETRUNC, TAF_ETRUNC },
	{ FIRST "taf_next=unknown\n" END "a\ttaf_end=1", TAF_ETRUNC, TAF_ETRUNC },
	{ FIRST "taf_next=unknown\n" END "a\ttaf_end=2\n" END, TAF_EDATA, TAF_EDATA },
	{ FIRST "taf_next=1\n" END "a\ttaf_end=1\n" END, TAF_ETRUNC, TAF_ETRUNC },
	{ FIRST "\n" END "a\ttaf_end=1\n" END, TAF_EDATA, TAF_EDATA },
	{ FIRST "taf_next=unknown\n" END "a" FIRST "taf_next=unknown\n" END "b",
	    TAF_ETRUNC, TAF_ETRUNC },
	{ FIRST "taf_next=unknown\n" END "a" FIRST "taf_next=unknown\n" END
	    "b\ttaf_end=1\n" END, TAF_EDATA, TAF_EDATA },
	{ FIRST "taf_next=unknown\n" END "a\ttaf_end=1\n" END "\ttaf_end=1\n" END,
	    TAF_EDATA, TAF_EDATA },
	{ FIRST "taf_next=unknown\n" END "a\ttaf_end=1\n" END FIRST
	    "taf_next=unknown\n" END "b\ttaf_end=2\n" END, TAF_EDATA, TAF_EDATA },
	{ "\ttaf_end=0\n" END, TAF_EDATA, TAF_EDATA },
	{ "\ttaf_end=1\n" END, TAF_EDATA, TAF_EDATA },
	{ "n1=1 data_format=native_int in=no/such/file\n", TAF_ESYS, TAF_ESYS },
	{ "n1=1 data_format=native_int in=.\n", TAF_EDATA, TAF_EDATA },
	{ "n1=1 data_format=native_int in=/dev/null\n", TAF_EDATA, TAF_EDATA },
};

/* All arrays to the end, or to the first failure; closes r. */
static enum taf_status
read_all(struct taf_reader *r)
{
	struct taf_array a = { 0 };
	enum taf_status st;
	unsigned char x[16];

	while ((st = next(r, &a)) == TAF_OK) {
		while (taf_reader_left(r) > 0 && st == TAF_OK)
			st = taf_reader_read(r, x, 1, &e);
		if (st != TAF_OK)
			break;
	}
	taf_reader_close(r);
	taf_array_fini(&a);
	return st;
}

static void
broken_streams(void)
{
	for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++)
		for (int how = 0; how < FEEDS; how++) {
			size_t n = strlen(broken[i].text);
			struct taf_reader *r =
			    reader((enum feed)how, broken[i].text, n, 0);
			enum taf_status want =
			    how <= BY_FILE ? broken[i].by_file : broken[i].by_pipe;
			enum taf_status st = read_all(r);

			if (!CHECK(st == want))
				printf("#   status %d by feed %d: %s (%s)\n", st, how,
				    broken[i].text, e.text);
			CHECK(e.code == want && e.text[0] != '\0' && e.name[0] != '\0');
		}
	reap();
	CHECK(read_all(reader(BY_MEMORY, NULL, 0, 0)) == TAF_EDATA);
}

/* Whole streams; the names of their arrays are their elements. */
static void
ended_streams(void)
{
	static const char unknown[] = FIRST "taf_next=unknown\n" END "a";
	static const struct {
		const char *text, *names;
		/* does another one follow the first?  Of a pipe that is not known. */
		enum taf_next more;
	} t[] = {
		{ "\ttaf_end=1\n" END, "a", TAF_NEXT_NO },
		{ FIRST "\n" END "b", "ab", TAF_NEXT_YES },
		{ FIRST "taf_next=1\n" END "b" FIRST "\n" END "c", "abc", TAF_NEXT_YES },
		{ FIRST "taf_next=unknown\n" END "b\ttaf_end=2\n" END, "ab",
		    TAF_NEXT_YES },
		/* streams one behind the other */
		{ "\ttaf_end=1\n" END FIRST "\n" END "b", "ab", TAF_NEXT_YES },
		{ "\ttaf_end=1\n" END FIRST "\n" END "b" FIRST "taf_next=unknown\n" END
		    "c\ttaf_end=1\n" END, "abc", TAF_NEXT_YES },
	};

	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++)
		for (int how = 0; how < FEEDS; how++) {
			struct taf_array a = { 0 };
			struct taf_buf b = { 0 };
			struct taf_reader *r;
			char name;

			puts_to(&b, unknown);
			puts_to(&b, t[i].text);
			r = reader((enum feed)how, b.data, b.len, 0);
			for (const char *p = t[i].names; *p != '\0'; p++) {
				CHECK(next(r, &a) == TAF_OK && a.ndim == 1);
				if (p == t[i].names)
					CHECK_EQ(taf_reader_more(r), how <= BY_FILE ?
					    t[i].more : TAF_NEXT_UNKNOWN);
				CHECK(taf_reader_read(r, &name, 1, &e) == TAF_OK);
				CHECK_EQ(name, *p);
			}
			CHECK(next(r, &a) == TAF_END && e.code == TAF_OK);
			taf_reader_close(r);
			taf_array_fini(&a);
			taf_buf_free(&b);
		}
	/* a program that passes on one array knows nothing of the record */
	for (int how = 0; how < FEEDS; how++) {
		static const char foreign[] =
		    FIRST "taf_next=unknown\nsfput\n\to1=1\n" END "a";
		static const char both[] = FIRST "taf_next=unknown\nsfput\n\to1=1\n" END
		    "a" FIRST "taf_next=unknown\n" END "b\ttaf_end=1\n" END;

		CHECK(read_all(reader((enum feed)how, foreign, sizeof foreign - 1, 0)) ==
		    TAF_END);
		CHECK(read_all(reader((enum feed)how, both, sizeof both - 1, 0)) ==
		    TAF_END);
	}
	reap();
}

static void
long_numbers(void)
{
	struct taf_reader *r;
	struct taf_array a = { 0 };
	struct taf_buf b = { 0 };
	double x = 0;

	puts_to(&b, "n1=1 data_format=ascii_double in=stdin\n" END);
	for (int i = 0; i < 510; i++)
		puts_to(&b, "0");
	puts_to(&b, "25");
	r = reader(BY_DRIBBLE, b.data, b.len, 0);
	CHECK(next(r, &a) == TAF_OK && taf_reader_read(r, &x, 1, &e) == TAF_OK && x ==
	    25);
	taf_reader_close(r);
	/* beyond that it is no number any more, but the memory has an end */
	for (int i = 0; i < 2000; i++)
		puts_to(&b, "0");
	r = reader(BY_MEMORY, b.data, b.len, 0);
	CHECK(next(r, &a) == TAF_OK && taf_reader_read(r, &x, 1, &e) == TAF_EDATA);
	taf_reader_close(r);
	reap();
	taf_array_fini(&a);
	taf_buf_free(&b);
}

static void
endless_header(void)
{
	static const char head[] = "n1=0 data_format=native_int in=stdin\n";
	size_t n = (size_t)TAF_RSF_HEADER_MAX + 100;
	char *p = malloc(n);

	must(p != NULL);
	memset(p, ' ', n);
	p[n - 101] = '\n';
	CHECK(read_all(reader(BY_MEMORY, p, n, 0)) == TAF_EDATA);
	CHECK(strstr(e.text, "header of more than") != NULL);
	/* of 64 MiB it may be, and not of a byte more */
	memcpy(p, head, sizeof head - 1);
	memcpy(p + TAF_RSF_HEADER_MAX, END, 3);
	CHECK(read_all(reader(BY_MEMORY, p, (size_t)TAF_RSF_HEADER_MAX + 3, 0)) ==
	    TAF_END);
	memcpy(p + TAF_RSF_HEADER_MAX, "\n" END, 4);
	CHECK(read_all(reader(BY_MEMORY, p, (size_t)TAF_RSF_HEADER_MAX + 4, 0)) ==
	    TAF_EDATA);
	/* bytes that are no text end it at once */
	p[70000] = '\0';
	CHECK(read_all(reader(BY_MEMORY, p, n, 0)) == TAF_EDATA &&
	    strstr(e.text, "NUL") != NULL);
	free(p);
}

/* --- headers with their elements in a file --- */

static void
split_header(void)
{
	static const char header[] = "n1=3 data_format=native_uchar in=\"data of it@\"\n";
	struct taf_reader *r = NULL;
	struct taf_array a = { 0 };
	unsigned char x[3];

	put_file("data of it@", "\1\2\3and more", 11);
	/* with and without a terminator; what follows it is another header */
	for (int i = 0; i < 3; i++) {
		struct taf_buf b = { 0 };

		puts_to(&b, header);
		puts_to(&b, i > 0 ? END : "");
		puts_to(&b, i > 1 ? "junk, no header" : "");
		r = reader(i > 0 ? BY_PIPE : BY_MEMORY, b.data, b.len, 0);
		CHECK(next(r, &a) == TAF_OK);
		CHECK(taf_reader_more(r) == (i > 0 ? TAF_NEXT_UNKNOWN : TAF_NEXT_NO));
		CHECK_EQ(taf_reader_offset(r), 0);
		CHECK(taf_reader_read(r, x, 1, &e) == TAF_OK && x[0] == 1);
		CHECK_EQ(taf_reader_offset(r), 1);
		CHECK(taf_reader_random(r, &e) == TAF_OK);
		CHECK(taf_reader_at(r, x, 0, 2, &e) == TAF_OK && x[0] == 2 && x[1] == 3);
		CHECK(taf_reader_at(r, x, 1, 2, &e) == TAF_EMISUSE);
		CHECK(next(r, &a) == (i > 1 ? TAF_EDATA : TAF_END));
		taf_reader_close(r);
		taf_buf_free(&b);
	}
	/* looked up beside the header, too */
	must(mkdir("folder", 0777) == 0);
	must(rename("data of it@", "folder/data of it@") == 0);
	put_file("folder/h.rsf", header, sizeof header - 1);
	taf_err_clear(&e);
	CHECK(taf_reader_open(&r, "folder/h.rsf", 0, &e) == TAF_OK &&
	    next(r, &a) == TAF_OK);
	CHECK(taf_reader_read(r, x, 3, &e) == TAF_OK && x[2] == 3);
	taf_reader_close(r);
	put_file("folder/data of it@", "\1\2", 2);
	CHECK(taf_reader_open(&r, "folder/h.rsf", 0, &e) == TAF_OK &&
	    next(r, &a) == TAF_EDATA);
	CHECK(strstr(e.text, "3") != NULL && strstr(e.text, "2") != NULL);
	taf_reader_close(r);
	must(unlink("folder/data of it@") == 0);
	CHECK(taf_reader_open(&r, "folder/h.rsf", 0, &e) == TAF_EDATA ||
	    next(r, &a) == TAF_ESYS);
	taf_reader_close(r);
	must(unlink("folder/h.rsf") == 0 && rmdir("folder") == 0);
	reap();
	taf_err_clear(&e);
	CHECK(taf_reader_open(&r, "no such file", 0, &e) == TAF_ESYS && e.sys == ENOENT);
	CHECK_STR(e.name, "no such file");
	taf_array_fini(&a);
}

/* --- TAF --- */

/* A TAF file of 4 x 3 int32, with a comment and an attribute. */
static struct taf_buf
some_taf(struct taf_array *a)
{
	static const uint64_t n[] = { 4, 3 };
	struct taf_buf b = { 0 };

	*a = shaped(TAF_INT32, 2, n);
	put_taf(&b, a);
	for (uint32_t i = 0; i < 12; i++)
		put32(&b, i * 0x01010101, false);
	puts_to(&b, "a comment\n\n--- attributes ---\nserial=7\n");
	return b;
}

static void
taf_files(void)
{
	for (int how = 0; how < FEEDS; how++)
		for (unsigned flags = 0; flags <= TAF_LATE_COMMENT; flags++) {
			bool late = flags != 0 && how >= BY_PIPE;
			struct taf_array a = { 0 }, want;
			struct taf_buf b = some_taf(&want);
			struct taf_reader *r =
			    reader((enum feed)how, b.data, b.len, flags);
			const struct taf_source *s;
			uint32_t x[12];

			CHECK(next(r, &a) == TAF_OK && a.type == TAF_INT32 && a.ndim ==
			    2);
			CHECK_MEM(a.dim, want.dim, sizeof a.dim);
			s = taf_reader_source(r);
			CHECK(s != NULL && s->data == 1104 && s->comment == 1152);
			CHECK(s->size == (late ? 0 : b.len) && s->form.synopsis);
			CHECK(taf_reader_late(r) == late &&
			    taf_reader_more(r) == TAF_NEXT_NO);
			CHECK_EQ(a.nattrs, late ? 0 : 1);
			CHECK_EQ(a.comment.len, late ? 0 : 10);
			CHECK_EQ(taf_reader_offset(r), 1104);
			CHECK(taf_reader_read(r, x, 5, &e) == TAF_OK && x[4] ==
			    0x04040404);
			CHECK(taf_reader_skip(r, 2, &e) == TAF_OK);
			CHECK(taf_reader_random(r, &e) == TAF_OK);
			CHECK(taf_reader_at(r, x, 4, 1, &e) == TAF_OK &&
			    x[0] == 0x0b0b0b0b);
			CHECK(taf_reader_read(r, x, 1, &e) == TAF_OK && x[0] ==
			    0x07070707);
			CHECK(taf_reader_finish(r, &a, &e) == TAF_OK &&
			    !taf_reader_late(r));
			CHECK_STR(taf_attr_get(&a, "serial", TAF_OF_ARRAY, 0), "7");
			CHECK_STR(a.comment.data, "a comment\n");
			CHECK(next(r, &a) == TAF_END);
			taf_reader_close(r);
			taf_array_fini(&a);
			taf_array_fini(&want);
			taf_buf_free(&b);
		}
	reap();
}

static void
broken_taf_files(void)
{
	struct taf_array a;
	struct taf_buf b = some_taf(&a), two = { 0 };

	for (int how = 0; how < FEEDS; how++) {
		/* data cut; header cut; another file behind; something in front */
		CHECK(read_all(reader((enum feed)how, b.data, 1151, 0)) == TAF_EDATA);
		CHECK(read_all(reader((enum feed)how, b.data, 1103, 0)) == TAF_ETRUNC);
		CHECK(read_all(reader((enum feed)how, b.data, 3, 0)) >= TAF_EDATA);
	}
	CHECK(read_all(reader(BY_PIPE, b.data, 1151, TAF_LATE_COMMENT)) == TAF_ETRUNC);
	must(taf_buf_put(&two, b.data, 1152, &e) == TAF_OK);
	must(taf_buf_put(&two, b.data, b.len, &e) == TAF_OK);
	for (int how = 0; how < FEEDS; how++)
		CHECK(read_all(reader((enum feed)how, two.data, two.len, 0)) ==
		    TAF_EDATA && strstr(e.text, "another TAF") != NULL);
	{
		struct taf_reader *r =
		    reader(BY_PIPE, two.data, two.len, TAF_LATE_COMMENT);
		struct taf_array x = { 0 };

		CHECK(next(r, &x) == TAF_OK && taf_reader_finish(r, &x, &e) == TAF_EDATA);
		taf_reader_close(r);
		taf_array_fini(&x);
	}
	reap();
	taf_buf_free(&two);
	taf_buf_free(&b);
	taf_array_fini(&a);
}

/* Long comments come whole, from a file as from a pipe; beyond 64 MiB none does. */
static void
long_comments(void)
{
	static const uint64_t n[] = { 1, 3 };
	struct taf_array a = shaped(TAF_UINT8, 2, n), x = { 0 };
	struct taf_buf b = { 0 };
	struct taf_reader *r;
	size_t data;

	put_taf(&b, &a);
	puts_to(&b, "abc");
	data = b.len;
	fill(&b, 300000);
	for (int how = 0; how < FEEDS - 1; how++) {
		r = reader((enum feed)how, b.data, b.len, TAF_LATE_COMMENT);
		CHECK(next(r, &x) == TAF_OK && taf_reader_finish(r, &x, &e) == TAF_OK);
		CHECK_EQ(x.comment.len, 300000);
		CHECK_MEM(x.comment.data, b.data + data, 300000);
		taf_reader_close(r);
	}
	must(taf_buf_reserve(&b, TAF_COMMENT_MAX, &e) == TAF_OK);
	memset(b.data + b.len, 'x', TAF_COMMENT_MAX);
	b.len += TAF_COMMENT_MAX;
	r = reader(BY_MEMORY, b.data, b.len, 0);
	CHECK(next(r, &x) == TAF_EDATA);
	taf_reader_close(r);
	reap();
	taf_array_fini(&x);
	taf_buf_free(&b);
}

/* Real and imaginary parts lie apart in the file and together on the stream. */
static void
complex_elements(void)
{
	enum { COUNT = 70001 };
	static const uint64_t n[] = { COUNT };
	struct taf_array a = shaped(TAF_COMPLEX, 1, n), x = { 0 };
	struct taf_writer *w = writer("c.taf", TAF_FORMAT_TAF);
	struct taf_buf data = { 0 }, file;
	struct taf_reader *r;
	float *back = malloc(8 * COUNT);
	bool same = true;
	size_t at = 0;

	must(back != NULL);
	fill(&data, 8 * COUNT);
	CHECK(taf_writer_begin(w, &a, false, &e) == TAF_OK);
	for (size_t part = 1; at < COUNT;
	     part = part * 3 < COUNT - at ? part * 3 : COUNT - at) {
		CHECK(taf_writer_put(w, data.data + 8 * at, part, &e) == TAF_OK);
		at += part;
	}
	CHECK(taf_writer_end(w, &a, &e) == TAF_OK && taf_writer_close(w, &e) == TAF_OK);
	file = get_file("c.taf");
	little(data.data, TAF_COMPLEX, 8 * COUNT);
	CHECK_EQ(file.len,
	    1104 + 8 * COUNT + strlen("--- attributes ---\nndim=1\ncomplex=1\n"));
	for (size_t i = 0; i < COUNT && file.len > 1104 + 8 * COUNT; i++)
		same = same &&
		    memcmp(file.data + 1104 + 4 * i, data.data + 8 * i, 4) == 0 &&
		    memcmp(file.data + 1104 + 4 * (COUNT + i), data.data + 8 * i + 4,
			4) == 0;
	CHECK(same);
	little(data.data, TAF_COMPLEX, 8 * COUNT);
	for (int how = 0; how < FEEDS - 1; how++) {
		r = reader((enum feed)how, file.data, file.len, TAF_LATE_COMMENT);
		CHECK(next(r, &x) == TAF_OK && x.type == TAF_COMPLEX && x.ndim == 1);
		CHECK(taf_reader_read(r, back, 5000, &e) == TAF_OK);
		CHECK_MEM(back, data.data, 8 * 5000);
		CHECK(taf_reader_skip(r, 1, &e) == TAF_OK);
		if (how == BY_FILE) {
			CHECK(taf_reader_random(r, &e) == TAF_OK);
			CHECK(taf_reader_at(r, back, 10, 3, &e) == TAF_OK);
			CHECK_MEM(back, data.data + 8 * 5011, 8 * 3);
		}
		CHECK(taf_reader_read(r, back, COUNT - 5001, &e) == TAF_OK);
		CHECK_MEM(back, data.data + 8 * 5001, 8 * (COUNT - 5001));
		CHECK(taf_reader_finish(r, &x, &e) == TAF_OK && next(r, &x) == TAF_END);
		taf_reader_close(r);
	}
	/* from TAF to TAF the writer splits again, from whatever reader */
	r = reader(BY_MEMORY, file.data, file.len, 0);
	w = writer("d.taf", TAF_FORMAT_TAF);
	CHECK(next(r, &x) == TAF_OK && taf_writer_begin(w, &x, false, &e) == TAF_OK);
	CHECK(taf_writer_copy(w, r, COUNT, &e) == TAF_OK);
	CHECK(taf_writer_end(w, &x, &e) == TAF_OK && taf_writer_close(w, &e) == TAF_OK);
	taf_reader_close(r);
	taf_buf_free(&data);
	data = get_file("d.taf");
	CHECK(same_buf(&data, &file));
	must(unlink("c.taf") == 0 && unlink("d.taf") == 0);
	reap();
	free(back);
	taf_array_fini(&x);
	taf_buf_free(&data);
	taf_buf_free(&file);
}

/* Text and planes are spooled, swapped bytes not mapped; what follows is still found. */
static void
random_access(void)
{
	for (int how = 0; how < FEEDS; how++) {
		struct taf_buf b = five();
		struct taf_reader *r = reader((enum feed)how, b.data, b.len, 0);
		struct taf_array a = { 0 };
		const unsigned char *map;
		unsigned char x[32] = { 0 }, y[32] = { 0 };

		for (int i = 0; i < 5; i++) {
			size_t esize, n;

			CHECK(next(r, &a) == TAF_OK);
			esize = taf_type_size(a.type);
			n = (size_t)taf_array_count(&a);
			CHECK(taf_reader_random(r, &e) == TAF_OK);
			if (how <= BY_FILE && i != 2 && i != 3)
				CHECK((taf_reader_more(r) == TAF_NEXT_YES) == (i < 4));
			map = taf_reader_map(r);
			CHECK((map == NULL) == (how <= BY_FILE && i != 2 && i != 3 &&
			    taf_host_is_big() == (i == 0)));
			for (size_t k = n; k-- > 0;)
				CHECK(taf_reader_at(r, x + k * esize, k, 1, &e) ==
				    TAF_OK);
			CHECK(taf_reader_left(r) == n &&
			    taf_reader_read(r, y, n, &e) == TAF_OK);
			CHECK_MEM(x, y, n * esize);
			if (map != NULL)
				CHECK_MEM(map, y, n * esize);
			/* once more, of nothing that is left */
			CHECK(taf_reader_random(r, &e) == TAF_OK);
			CHECK(taf_reader_at(r, x, 0, 0, &e) == TAF_OK);
		}
		CHECK(next(r, &a) == TAF_END);
		taf_reader_close(r);
		taf_array_fini(&a);
		taf_buf_free(&b);
	}
	reap();
}

/* Is there more?  The stream tells, wherever the elements are meanwhile. */
static void
random_access_and_the_end(void)
{
	static const char *const tails[] = { "1 2 3", "1 2 3\n", " 1 2\t3 \r\n\n " };
	struct taf_array a = { 0 };
	struct taf_buf b = { 0 };
	struct taf_reader *r;

	puts_to(&b, "n1=100 data_format=xdr_int in=stdin\n" END);
	fill(&b, 400);
	puts_to(&b, "n1=1 data_format=native_char in=stdin\n" END "x");
	r = reader(BY_MEMORY, b.data, b.len, 0);
	CHECK(next(r, &a) == TAF_OK && taf_reader_more(r) == TAF_NEXT_YES);
	CHECK(taf_reader_random(r, &e) == TAF_OK && taf_reader_more(r) == TAF_NEXT_YES);
	CHECK(next(r, &a) == TAF_OK && taf_reader_more(r) == TAF_NEXT_NO);
	CHECK(taf_reader_random(r, &e) == TAF_OK && taf_reader_more(r) == TAF_NEXT_NO);
	CHECK(next(r, &a) == TAF_END);
	taf_reader_close(r);
	for (size_t i = 0; i < 3; i++)
		for (int how = 0; how < FEEDS; how++) {
			b.len = 0;
			puts_to(&b, "n1=3 data_format=ascii_int in=stdin\n" END);
			puts_to(&b, tails[i]);
			r = reader((enum feed)how, b.data, b.len, 0);
			CHECK(next(r, &a) == TAF_OK);
			CHECK(taf_reader_random(r, &e) == TAF_OK);
			CHECK(next(r, &a) == TAF_END);
			taf_reader_close(r);
		}
	reap();
	taf_array_fini(&a);
	taf_buf_free(&b);
}

static void
raw_elements(void)
{
	static const unsigned char bytes[] = { 9, 1, 2, 3, 4, 5, 6, 7, 8 };
	static const uint64_t n[] = { 2, 2 };
	struct taf_array a = shaped(TAF_UINT16, 2, n), x = { 0 };
	struct taf_reader *r;

	for (int how = 0; how < FEEDS; how++)
		for (int big = 0; big < 2; big++) {
			struct taf_in *in = input((enum feed)how, bytes, sizeof bytes);
			uint16_t v[4];

			taf_err_clear(&e);
			CHECK(taf_in_skip(in, 1, &e) == TAF_OK);
			CHECK(taf_reader_raw(&r, in, &a, big, &e) == TAF_OK);
			CHECK_EQ(taf_reader_left(r), 4);
			CHECK(taf_reader_read(r, v, 4, &e) == TAF_OK);
			CHECK_EQ(v[0], big ? 0x0102 : 0x0201);
			CHECK_EQ(v[3], big ? 0x0708 : 0x0807);
			CHECK(next(r, &x) == TAF_END);
			taf_reader_close(r);
		}
	taf_err_clear(&e);
	CHECK(taf_reader_raw(&r, input(BY_FILE, bytes, 7), &a, false, &e) == TAF_EDATA);
	reap();
}

/* --- regions --- */

/* Points first, first + step ... of each dimension, by brute force. */
static size_t
naive_select(
    const struct taf_array *a, const struct taf_region *g, const char *from, char *to)
{
	size_t esize = taf_type_size(a->type), n = 0;
	uint64_t at[TAF_MAX_DIM] = { 0 };
	unsigned k;

	for (k = 0; k < g->ndim; k++)
		if (g->count[k] == 0)
			return 0;
	do {
		uint64_t off = 0, stride = 1;

		for (k = 0; k < g->ndim; k++) {
			off += (g->first[k] + at[k] * g->step[k]) * stride;
			stride *= a->dim[k].n;
		}
		memcpy(to + n++ * esize, from + off * esize, esize);
		for (k = 0; k < g->ndim; k++) {
			if (++at[k] < g->count[k])
				break;
			at[k] = 0;
		}
	} while (k < g->ndim);
	return n;
}

static struct taf_region
some_region(const struct taf_array *a)
{
	struct taf_region g;

	g.ndim = a->ndim;
	for (unsigned k = 0; k < a->ndim; k++) {
		uint32_t n = (uint32_t)a->dim[k].n;

		g.first[k] = 0;
		g.step[k] = 1;
		g.count[k] = n;
		if (n == 0 || draw(3) == 0)
			continue;
		g.first[k] = draw(n);
		g.step[k] = 1 + draw(draw(3) ? 3 : n);
		g.count[k] = 1 + draw((uint32_t)((n - 1 - g.first[k]) / g.step[k]) + 1);
		if (g.count[k] == 1)
			g.step[k] = 1;
	}
	return g;
}

static void
check_select(enum feed how, const struct taf_array *a, const struct taf_region *g)
{
	struct taf_buf b = { 0 };
	struct taf_select *s = NULL;
	struct taf_array x = { 0 };
	struct taf_reader *r;
	size_t esize = taf_type_size(a->type), header, want, got = 0, n = 1;
	struct taf_box box;
	char *room;

	put_rsf(&b, a, false);
	header = b.len;
	fill(&b, (size_t)taf_array_bytes(a));
	room = malloc((size_t)taf_array_bytes(a) + 1);
	must(room != NULL);
	want = naive_select(a, g, b.data + header, room);
	r = reader(how, b.data, b.len, 0);
	CHECK(next(r, &x) == TAF_OK && taf_select_open(&s, r, &x, g, &e) == TAF_OK);
	while (n > 0) {
		const void *p;

		if (!CHECK(taf_select_read(s, &p, &n, &e) == TAF_OK) ||
		    !CHECK(n <= want - got &&
			(n == 0 || memcmp(p, room + got * esize, n * esize) == 0)))
			break;
		got += n;
		CHECK(n * esize <= 2 << 20);
	}
	if (!CHECK_EQ(got, want))
		for (unsigned k = 0; k < a->ndim; k++)
			printf("#   %" PRIu64 ": %" PRIu64 " x %" PRIu64 " step %" PRIu64
			       "\n",
			    a->dim[k].n, g->first[k], g->count[k], g->step[k]);
	taf_select_close(s);
	CHECK(next(r, &x) == TAF_END);
	taf_reader_close(r);
	/* what is read at once has bounds */
	must(taf_select_open(&s, NULL, a, g, &e) == TAF_OK);
	while (taf_select_box(s, &box))
		CHECK(box.span * esize <= 256 << 10);
	taf_select_close(s);
	/* the same to a file, after a first piece of it or at once */
	for (int later = 0; later < 2; later++) {
		struct taf_writer *w = writer("out", TAF_FORMAT_RSF);
		struct taf_array cut = *a;
		struct taf_buf file;
		const void *p;

		r = reader(how, b.data, b.len, 0);
		must(next(r, &x) == TAF_OK &&
		    taf_select_open(&s, r, &x, g, &e) == TAF_OK);
		taf_region_apply(g, &cut);
		CHECK(taf_writer_begin(w, &cut, false, &e) == TAF_OK);
		if (later) {
			CHECK(taf_select_read(s, &p, &n, &e) == TAF_OK);
			CHECK(n == 0 || taf_writer_put(w, p, n, &e) == TAF_OK);
		}
		CHECK(taf_select_copy(s, w, &e) == TAF_OK);
		CHECK(taf_writer_end(w, &cut, &e) == TAF_OK &&
		    taf_writer_close(w, &e) == TAF_OK);
		file = get_file("out");
		CHECK(file.len >= want * esize &&
		    memcmp(file.data + file.len - want * esize, room, want * esize) == 0);
		must(unlink("out") == 0);
		taf_buf_free(&file);
		taf_select_close(s);
		taf_reader_close(r);
	}
	free(room);
	taf_array_fini(&x);
	taf_buf_free(&b);
}

static void
small_regions(void)
{
	static const enum taf_type types[] = { TAF_UINT8, TAF_INT16, TAF_FLT32, TAF_FLT64,
		TAF_COMPLEX };

	for (int i = 0; i < 200; i++) {
		uint64_t n[5];
		struct taf_array a;
		struct taf_region g;
		unsigned ndim = 1 + draw(5);

		for (unsigned k = 0; k < ndim; k++)
			n[k] = draw(20) ? 1 + draw(9) : draw(2);
		a = shaped(types[draw(5)], ndim, n);
		g = some_region(&a);
		check_select(i % 16 == 0 ? BY_PIPE : BY_MEMORY, &a, &g);
	}
	reap();
}

/* Runs and gaps longer and shorter than what is read at once. */
static void
large_regions(void)
{
	static const struct {
		uint64_t n[3], first[3], count[3], step[3];
	} t[] = {
		{ { 700001, 3, 1 }, { 5, 0, 0 }, { 690000, 3, 1 }, { 1, 1, 1 } },
		{ { 700001, 3, 1 }, { 5, 1, 0 }, { 2, 2, 1 }, { 600000, 1, 1 } },
		{ { 300000, 5, 1 }, { 0, 1, 0 }, { 300000, 2, 1 }, { 1, 3, 1 } },
		{ { 4096, 400, 1 }, { 0, 0, 0 }, { 1, 400, 1 }, { 1, 1, 1 } },
		{ { 4097, 400, 1 }, { 4096, 7, 0 }, { 1, 190, 1 }, { 1, 2, 1 } },
		{ { 5000, 300, 1 }, { 100, 0, 0 }, { 3, 300, 1 }, { 40, 1, 1 } },
		{ { 100, 100, 150 }, { 3, 5, 7 }, { 90, 33, 140 }, { 1, 2, 1 } },
		{ { 100, 100, 150 }, { 0, 0, 7 }, { 100, 100, 70 }, { 1, 1, 2 } },
		{ { 2, 600000, 1 }, { 1, 1, 0 }, { 1, 299999, 1 }, { 1, 2, 1 } },
		{ { 1000000, 1, 1 }, { 1, 0, 0 }, { 333333, 1, 1 }, { 3, 1, 1 } },
		{ { 1000000, 1, 1 }, { 0, 0, 0 }, { 50, 1, 1 }, { 20000, 1, 1 } },
		{ { 262144, 4, 1 }, { 0, 0, 0 }, { 262144, 4, 1 }, { 1, 1, 1 } },
		{ { 262145, 4, 1 }, { 0, 0, 0 }, { 262144, 4, 1 }, { 1, 1, 1 } },
		{ { 1000, 66, 1 }, { 0, 0, 0 }, { 500, 66, 1 }, { 2, 1, 1 } },
		{ { 1000, 132, 1 }, { 1, 0, 0 }, { 500, 132, 1 }, { 2, 1, 1 } },
		{ { 1000, 66, 1 }, { 1, 0, 0 }, { 500, 66, 1 }, { 2, 1, 1 } },
	};

	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		struct taf_array a = shaped(i % 2 ? TAF_FLT32 : TAF_INT16, 3, t[i].n);
		struct taf_region g = { .ndim = 3 };

		memcpy(g.first, t[i].first, sizeof t[i].first);
		memcpy(g.count, t[i].count, sizeof t[i].count);
		memcpy(g.step, t[i].step, sizeof t[i].step);
		check_select(i % 3 == 0 ? BY_PIPE : BY_MEMORY, &a, &g);
	}
	reap();
}

/* --- values --- */

static enum taf_status
open_values(struct taf_values **v, struct taf_reader *r, const struct taf_array *a,
    const struct taf_region *region, enum taf_type type, bool raw, bool clip)
{
	struct taf_recode how;
	enum taf_status st = taf_values_plan(&how, a, type, raw, clip, &e);

	return st != TAF_OK ? st : taf_values_open(v, r, a, region, &how, &e);
}

static void
mapped_values(void)
{
	enum { COUNT = 300000 };
	static const uint64_t n[] = { 100, COUNT / 100 };
	struct taf_array a = shaped(TAF_INT16, 2, n), x = { 0 };
	struct taf_region g = { 2, { 1, 3 }, { 49, 1000 }, { 2, 2 } };
	struct taf_values *v = NULL;
	struct taf_buf b = { 0 };
	struct taf_reader *r;
	size_t header, at = 0, many = 1;
	const void *p;

	a.intercept = 0.1;
	a.slope = -0.003;
	put_rsf(&b, &a, false);
	header = b.len;
	fill(&b, 2 * COUNT);
	CHECK_EQ(taf_values_type(&a, false), TAF_FLT64);
	CHECK_EQ(taf_values_type(&a, true), TAF_INT16);
	for (int raw = 0; raw < 2; raw++)
		for (int cut = 0; cut < 2; cut++) {
			bool same = true;

			r = reader(BY_MEMORY, b.data, b.len, 0);
			CHECK(next(r, &x) == TAF_OK);
			CHECK(open_values(&v, r, &x, cut ? &g : NULL, TAF_FLT64, raw,
				  false) == TAF_OK);
			for (at = 0, many = 1; many > 0; at += many) {
				if (!CHECK(taf_values_read(v, &p, &many, &e) == TAF_OK))
					break;
				for (size_t i = 0; i < many; i++) {
					size_t k = cut ? 1 + 2 * ((at + i) % 49) +
						100 * (3 + 2 * ((at + i) / 49))
						       : at + i;
					int16_t s;
					double want, got;

					memcpy(&s, b.data + header + 2 * k, 2);
					memcpy(&got, (const char *)p + 8 * i, 8);
					want = raw ? s : 0.1 + -0.003 * s;
					same = same && want == got;
				}
			}
			CHECK(same);
			CHECK_EQ(at, cut ? 49000 : COUNT);
			CHECK(taf_values_count(v)->rounded == 0 &&
			    taf_values_count(v)->clipped == 0);
			taf_values_close(v);
			taf_reader_close(r);
		}
	taf_array_fini(&x);
	taf_buf_free(&b);
}

/* Runs of one and of two blocks in turn: a later piece may be the larger one. */
static void
uneven_pieces(void)
{
	enum { RUN = 131072 + 5000, COLUMN = 140000, COLUMNS = 8 };
	static const uint64_t n[] = { COLUMN, COLUMNS };
	struct taf_array a = shaped(TAF_INT16, 2, n), x = { 0 };
	struct taf_region g = { 2, { 7, 0 }, { RUN, COLUMNS }, { 1, 1 } };
	size_t header, at, many = 1, first = 0, most = 0;
	struct taf_values *v = NULL;
	struct taf_buf b = { 0 };
	struct taf_reader *r;
	bool same = true;
	const void *p;

	a.intercept = 3;
	a.slope = 0.25;
	put_rsf(&b, &a, false);
	header = b.len;
	fill(&b, 2 * COLUMN * COLUMNS);
	r = reader(BY_MEMORY, b.data, b.len, 0);
	CHECK(next(r, &x) == TAF_OK);
	CHECK(open_values(&v, r, &x, &g, TAF_FLT64, false, false) == TAF_OK);
	for (at = 0; many > 0; at += many) {
		if (!CHECK(taf_values_read(v, &p, &many, &e) == TAF_OK))
			break;
		first = first > 0 ? first : many;
		most = many > most ? many : most;
		for (size_t i = 0; i < many; i++) {
			size_t k = 7 + (at + i) % RUN + (at + i) / RUN * COLUMN;
			double got;
			int16_t s;

			memcpy(&s, b.data + header + 2 * k, 2);
			memcpy(&got, (const char *)p + 8 * i, 8);
			same = same && got == 3 + 0.25 * s;
		}
	}
	CHECK(same && most > first);
	CHECK_EQ(at, (size_t)RUN * COLUMNS);
	taf_values_close(v);
	taf_reader_close(r);
	taf_array_fini(&x);
	taf_buf_free(&b);
}

/* The value is told by its number in the array, not in what is read at once. */
static void
a_late_value_that_does_not_fit(void)
{
	enum { COUNT = 500000, BAD = 499990 };
	static const uint64_t n[] = { COUNT };
	struct taf_array a = shaped(TAF_INT16, 1, n), x = { 0 };
	struct taf_values *v = NULL;
	enum taf_status st = TAF_OK;
	struct taf_buf b = { 0 };
	struct taf_reader *r;
	size_t many = 1;
	const void *p;

	put_rsf(&b, &a, false);
	for (int i = 0; i < COUNT; i++) {
		int16_t s = (int16_t)(i == BAD ? 300 : i % 127);

		must(taf_buf_put(&b, &s, 2, &e) == TAF_OK);
	}
	r = reader(BY_MEMORY, b.data, b.len, 0);
	CHECK(next(r, &x) == TAF_OK);
	CHECK(open_values(&v, r, &x, NULL, TAF_INT8, false, false) == TAF_OK);
	while (many > 0 && st == TAF_OK)
		st = taf_values_read(v, &p, &many, &e);
	CHECK(st == TAF_EDATA && strstr(e.text, "[499991]: value 300 ") != NULL);
	taf_err_clear(&e);
	taf_values_close(v);
	taf_reader_close(r);
	taf_array_fini(&x);
	taf_buf_free(&b);
}

static void
values_that_do_not_fit(void)
{
	static const float in[] = { 1, -2.5F, 127.4F, 128, NAN, -INFINITY, 3.25F };
	static const int8_t clipped[] = { 1, -3, 127, 127, 0, -128, 3 };
	static const uint64_t n[] = { 7 };
	struct taf_array a = shaped(TAF_FLT32, 1, n), x = { 0 };
	struct taf_buf b = { 0 }, file;
	struct taf_values *v = NULL;
	struct taf_writer *w;
	struct taf_reader *r;
	const void *p;
	size_t many;

	put_rsf(&b, &a, false);
	must(taf_buf_put(&b, in, sizeof in, &e) == TAF_OK);
	r = reader(BY_MEMORY, b.data, b.len, 0);
	CHECK(next(r, &x) == TAF_OK);
	CHECK(open_values(&v, r, &x, NULL, TAF_INT8, false, false) == TAF_OK);
	CHECK(taf_values_read(v, &p, &many, &e) == TAF_EDATA);
	CHECK(strstr(e.text, "[4]: value 128 ") != NULL);
	taf_values_close(v);
	taf_reader_close(r);
	r = reader(BY_MEMORY, b.data, b.len, 0);
	CHECK(next(r, &x) == TAF_OK);
	CHECK(open_values(&v, r, &x, NULL, TAF_INT8, false, true) == TAF_OK);
	w = writer("out", TAF_FORMAT_RSF);
	CHECK(taf_values_shape(&x, TAF_INT8, false, &e) == TAF_OK && x.type == TAF_INT8);
	CHECK(taf_writer_begin(w, &x, false, &e) == TAF_OK &&
	    taf_values_copy(v, w, 3, &e) == TAF_OK);
	CHECK(taf_writer_end(w, &x, &e) == TAF_OK && taf_writer_close(w, &e) == TAF_OK);
	file = get_file("out");
	CHECK(file.len > 7);
	CHECK_MEM(file.data + file.len - 7, clipped, 7);
	CHECK_EQ(taf_values_count(v)->clipped, 3);
	CHECK_EQ(taf_values_count(v)->rounded, 3);
	taf_values_close(v);
	taf_reader_close(r);
	must(unlink("out") == 0);
	/* complex is no real number, and the other way round */
	r = reader(BY_MEMORY, b.data, b.len, 0);
	CHECK(next(r, &x) == TAF_OK);
	CHECK(open_values(&v, r, &x, NULL, TAF_COMPLEX, false, false) ==
	    TAF_EDATA);
	taf_err_clear(&e);
	CHECK(taf_values_shape(&x, TAF_COMPLEX, false, &e) == TAF_EDATA);
	taf_reader_close(r);
	/* raw and the stored type: the mapping stays */
	taf_err_clear(&e);
	a.intercept = a.slope = 2;
	CHECK(taf_values_shape(&a, TAF_FLT32, true, &e) == TAF_OK &&
	    taf_array_mapped(&a));
	CHECK(taf_values_shape(&a, TAF_FLT64, true, &e) == TAF_OK &&
	    !taf_array_mapped(&a));
	taf_array_fini(&x);
	taf_buf_free(&file);
	taf_buf_free(&b);
}

/* Nothing to convert: plainly moved, from a region of another byte order too. */
static void
values_as_they_are(void)
{
	static const uint64_t n[] = { 3, 2 };
	struct taf_region g = { 2, { 1, 0 }, { 2, 2 }, { 1, 1 } };
	struct taf_values *v = NULL;
	struct taf_array x = { 0 }, cut = shaped(TAF_UINT32, 2, n);
	struct taf_buf b = { 0 }, file;
	struct taf_writer *w;
	struct taf_reader *r;
	uint32_t got[4] = { 0 };

	puts_to(&b, "n1=3 n2=2 data_format=native_uint taf_order=big in=stdin\n" END);
	for (uint32_t i = 0; i < 6; i++)
		put32(&b, i + 0x10203040, true);
	r = reader(BY_PIPE, b.data, b.len, 0);
	CHECK(next(r, &x) == TAF_OK);
	CHECK(open_values(&v, r, &x, &g, TAF_UINT32, false, false) == TAF_OK);
	w = writer("out", TAF_FORMAT_TAF);
	taf_region_apply(&g, &cut);
	CHECK(taf_writer_begin(w, &cut, false, &e) == TAF_OK &&
	    taf_values_copy(v, w, 3, &e) == TAF_OK);
	CHECK(taf_writer_end(w, &cut, &e) == TAF_OK && taf_writer_close(w, &e) == TAF_OK);
	file = get_file("out");
	CHECK_EQ(file.len, 1104 + 16);
	for (int i = 0; i < 4 && file.len == 1120; i++)
		got[i] = taf_get32(file.data + 1104 + 4 * i, false) - 0x10203040;
	CHECK(got[0] == 1 && got[1] == 2 && got[2] == 4 && got[3] == 5);
	taf_values_close(v);
	taf_reader_close(r);
	must(unlink("out") == 0);
	reap();
	taf_array_fini(&x);
	taf_buf_free(&file);
	taf_buf_free(&b);
}

static void
scaled(void)
{
	/* one more than is looked at at a time, and that the largest */
	enum { COUNT = 65537 };
	static const uint64_t n[] = { COUNT };
	struct taf_array a = shaped(TAF_FLT64, 1, n), x = { 0 };
	struct taf_buf b = { 0 }, file;
	double lo = 1e9, hi = -1e9, worst = 0;
	struct taf_reader *r;
	struct taf_writer *w;
	struct taf_values *values = NULL;
	struct taf_recode how;
	size_t header;

	put_rsf(&b, &a, false);
	header = b.len;
	for (int i = 0; i < COUNT; i++) {
		double v = i == 777 ? NAN : i == 778 ? INFINITY : sin(i) * 50 + i * 1e-3;

		if (i == COUNT - 1)
			v = 123;

		if (isfinite(v)) {
			lo = v < lo ? v : lo;
			hi = v > hi ? v : hi;
		}
		must(taf_buf_put(&b, &v, 8, &e) == TAF_OK);
	}
	r = reader(BY_PIPE, b.data, b.len, 0);
	CHECK(next(r, &x) == TAF_OK);
	x.type = TAF_UINT16;
	CHECK(taf_scale_plan(r, &a, &x, 3, &e) == TAF_OK);
	CHECK(fabs(x.intercept - lo) < 1e-12 * fabs(lo) &&
	    fabs(x.slope * 65535 - (hi - lo)) < 1e-9 * (hi - lo));
	w = writer("out", TAF_FORMAT_RSF);
	CHECK(taf_writer_begin(w, &x, false, &e) == TAF_OK);
	CHECK(taf_values_plan_as(&how, &a, &x, true, &e) == TAF_OK);
	CHECK(taf_values_open(&values, r, &a, NULL, &how, &e) == TAF_OK);
	CHECK(taf_values_copy(values, w, 3, &e) == TAF_OK);
	CHECK_EQ(taf_values_count(values)->clipped, 2);
	taf_values_close(values);
	CHECK(taf_writer_end(w, &x, &e) == TAF_OK && taf_writer_close(w, &e) == TAF_OK);
	taf_reader_close(r);
	file = get_file("out");
	for (int i = 0; i < COUNT && file.len > 2 * COUNT; i++) {
		uint16_t s;
		double v;

		memcpy(&s, file.data + file.len - 2 * COUNT + 2 * i, 2);
		memcpy(&v, b.data + header + 8 * i, 8);
		if (isfinite(v) && fabs(x.intercept + x.slope * s - v) > worst)
			worst = fabs(x.intercept + x.slope * s - v);
	}
	CHECK(worst > 0 && worst <= x.slope * 0.50001);
	must(unlink("out") == 0);
	/* of nothing finite no range can be had */
	a.dim[0].n = 2;
	b.len = 0;
	put_rsf(&b, &a, false);
	for (int i = 0; i < 2; i++) {
		double v = i ? NAN : -INFINITY;

		must(taf_buf_put(&b, &v, 8, &e) == TAF_OK);
	}
	r = reader(BY_MEMORY, b.data, b.len, 0);
	CHECK(next(r, &x) == TAF_OK);
	x.type = TAF_UINT16;
	CHECK(taf_scale_plan(r, &a, &x, 3, &e) == TAF_EDATA);
	taf_reader_close(r);
	reap();
	taf_array_fini(&x);
	taf_buf_free(&file);
	taf_buf_free(&b);
}

/* --- writers --- */

/* Two arrays of two elements, the same through any sink; the status of the last call. */
static enum taf_status
write_two(const struct taf_sink *sink)
{
	static const uint64_t n[] = { 2 };
	struct taf_array a = shaped(TAF_UINT8, 1, n);
	struct taf_writer *w = NULL;
	enum taf_status st;

	taf_err_clear(&e);
	must(taf_writer_open(&w, sink, &e) == TAF_OK);
	st = taf_writer_begin(w, &a, true, &e);
	if (st == TAF_OK)
		st = taf_writer_put(w, "ab", 2, &e);
	if (st == TAF_OK)
		st = taf_writer_end(w, &a, &e);
	if (st == TAF_OK)
		st = taf_writer_begin(w, &a, false, &e);
	if (st == TAF_OK)
		st = taf_writer_put(w, "cd", 2, &e);
	if (st == TAF_OK)
		st = taf_writer_end(w, &a, &e);
	if (st == TAF_OK)
		return taf_writer_close(w, &e);
	taf_writer_discard(w);
	return st;
}

static void
sinks(void)
{
	struct taf_sink rsf = { .path = "s.rsf", .history = "history" };
	struct taf_sink taf = { .path = "s.taf", .format = TAF_FORMAT_TAF };
	struct taf_sink numbered = { .path = "s%02d.taf", .format = TAF_FORMAT_TAF };
	struct taf_sink data = { .path = "s.rsf", .data = "s.data" };
	struct taf_sink many = { .path = "s%d.rsf" };
	struct taf_reader *r = NULL;
	struct taf_array a = { 0 };
	unsigned char x[2];
	struct taf_buf b;

	CHECK(taf_numbered("%d") && taf_numbered("a%03d") &&
	    !taf_numbered("a%s%%") && !taf_numbered("plain") &&
	    !taf_numbered("%3d") && !taf_numbered("%0d"));
	CHECK(write_two(&rsf) == TAF_OK);
	CHECK(taf_reader_open(&r, "s.rsf", 0, &e) == TAF_OK);
	CHECK(next(r, &a) == TAF_OK && taf_reader_more(r) == TAF_NEXT_YES &&
	    taf_reader_read(r, x, 2, &e) == TAF_OK);
	CHECK(x[0] == 'a' && x[1] == 'b');
	CHECK_STR(a.history.data, "history\n");
	CHECK(next(r, &a) == TAF_OK && taf_reader_more(r) == TAF_NEXT_NO &&
	    taf_reader_read(r, x, 2, &e) == TAF_OK);
	CHECK(x[0] == 'c' && x[1] == 'd' && next(r, &a) == TAF_END);
	taf_reader_close(r);
	/* cut between the two arrays: the writer has died */
	b = get_file("s.rsf");
	CHECK(read_all(reader(BY_MEMORY, b.data, b.len / 2, 0)) == TAF_ETRUNC);
	taf_buf_free(&b);
	must(unlink("s.rsf") == 0);
	CHECK(write_two(&taf) == TAF_EDATA && access("s.taf", F_OK) != 0);
	CHECK(write_two(&data) == TAF_EDATA && access("s.rsf", F_OK) != 0 &&
	    access("s.data", F_OK) != 0);
	CHECK(write_two(&numbered) == TAF_OK);
	b = get_file("s02.taf");
	CHECK(b.len > 1106 && memcmp(b.data + 1104, "cd", 2) == 0);
	taf_buf_free(&b);
	must(unlink("s01.taf") == 0 && unlink("s02.taf") == 0);
	CHECK(write_two(&many) == TAF_OK);
	b = get_file("s1.rsf");
	CHECK(b.len > 2 && memcmp(b.data + b.len - 2, "ab", 2) == 0 &&
	    strstr(b.data, "taf_next") == NULL);
	taf_buf_free(&b);
	must(unlink("s1.rsf") == 0 && unlink("s2.rsf") == 0);
	taf_array_fini(&a);
}

/* Arrays of these lengths, of which it is not known whether another follows. */
static struct taf_buf
write_unknown(const size_t lengths[], size_t count)
{
	static const unsigned char zero[100000];
	struct taf_writer *w = writer("u.rsf", TAF_FORMAT_RSF);
	struct taf_buf b;

	for (size_t i = 0; i < count; i++) {
		uint64_t n[] = { lengths[i] };
		struct taf_array a = shaped(TAF_UINT8, 1, n);
		struct taf_in *in = input(BY_PIPE, zero, lengths[i]);
		struct taf_out *out = NULL;
		uint64_t base;

		CHECK(taf_writer_begin(w, &a, TAF_NEXT_UNKNOWN, &e) == TAF_OK);
		if (i == 0)
			CHECK(taf_writer_put(w, zero, lengths[i], &e) == TAF_OK);
		else
			CHECK(taf_writer_move(w, in, lengths[i], &e) == TAF_OK);
		CHECK(taf_writer_region(w, &out, &base, &e) == TAF_OK);
		CHECK((out == NULL) == (lengths[i] <= 60000));
		CHECK(taf_writer_end(w, &a, &e) == TAF_OK);
		taf_in_close(in);
	}
	CHECK(taf_writer_close(w, &e) == TAF_OK);
	reap();
	b = get_file("u.rsf");
	must(unlink("u.rsf") == 0);
	return b;
}

/* The same, where it is known. */
static struct taf_buf
write_known(const size_t lengths[], size_t count)
{
	struct taf_buf b = { 0 };

	for (size_t i = 0; i < count; i++) {
		struct taf_array a = shaped(TAF_UINT8, 1, (uint64_t[]){ lengths[i] });

		put_rsf(&b, &a, i + 1 < count ? TAF_NEXT_YES : TAF_NEXT_NO);
		must(taf_buf_reserve(&b, lengths[i], &e) == TAF_OK);
		memset(b.data + b.len, 0, lengths[i] + 1);
		b.len += lengths[i];
	}
	return b;
}

static void
what_follows_is_unknown(void)
{
	static const size_t small[] = { 10, 0, 60000, 5 }, mixed[] = { 3, 100000, 66000 };
	static const char record[] = "\ttaf_end=3\n\tin=\"stdin\"\n\n" END;
	struct taf_writer *w;
	struct taf_array a = shaped(TAF_UINT8, 1, (uint64_t[]){ 1 });

	for (size_t n = 1; n <= 4; n++) {
		struct taf_buf b = write_unknown(small, n), want = write_known(small, n);

		CHECK(same_buf(&b, &want));
		taf_buf_free(&b);
		taf_buf_free(&want);
	}
	for (size_t n = 1; n <= 3; n++) {
		struct taf_buf b = write_unknown(mixed, n);
		size_t first = b.len < 300 ? b.len : 300;

		CHECK((memmem(b.data, first, "taf_next=1\n", 11) != NULL) == (n > 1));
		CHECK((memmem(b.data, b.len, "taf_next=\"unknown\"\n", 19) != NULL) ==
		    (n > 1));
		CHECK((memmem(b.data, b.len, "taf_end", 7) != NULL) == (n > 1));
		if (n == 3)
			CHECK_MEM(b.data + b.len - (sizeof record - 1), record,
			    sizeof record - 1);
		CHECK(read_all(reader(BY_MEMORY, b.data, b.len, 0)) == TAF_END);
		taf_buf_free(&b);
	}
	/* thrown away, the one that waits too */
	w = writer("u.rsf", TAF_FORMAT_RSF);
	CHECK(taf_writer_begin(w, &a, TAF_NEXT_UNKNOWN, &e) == TAF_OK &&
	    taf_writer_put(w, "x", 1, &e) == TAF_OK &&
	    taf_writer_end(w, &a, &e) == TAF_OK);
	taf_writer_discard(w);
	/* what was said to be the last */
	w = writer("u.rsf", TAF_FORMAT_RSF);
	CHECK(taf_writer_begin(w, &a, TAF_NEXT_NO, &e) == TAF_OK &&
	    taf_writer_put(w, "x", 1, &e) == TAF_OK &&
	    taf_writer_end(w, &a, &e) == TAF_OK);
	CHECK(taf_writer_begin(w, &a, TAF_NEXT_NO, &e) == TAF_EDATA);
	taf_err_clear(&e);
	taf_writer_discard(w);
	CHECK(access("u.rsf", F_OK) != 0);
}

/* One of several files cannot be renamed: it is said which are new. */
static void
half_renamed(void)
{
	struct taf_sink sink = { .path = "p%d.taf", .format = TAF_FORMAT_TAF };
	static const uint64_t n[] = { 2 };
	struct taf_array a = shaped(TAF_UINT8, 1, n);
	struct taf_writer *w = NULL;
	int i;

	taf_err_clear(&e);
	CHECK(taf_writer_open(&w, &sink, &e) == TAF_OK);
	for (i = 0; i < 4; i++)
		CHECK(taf_writer_begin(w, &a, i < 3 ? TAF_NEXT_YES : TAF_NEXT_NO,
		    &e) == TAF_OK &&
		    taf_writer_put(w, "ab", 2, &e) == TAF_OK &&
		    taf_writer_end(w, &a, &e) == TAF_OK);
	must(mkdir("p2.taf", 0777) == 0);
	CHECK(taf_writer_close(w, &e) == TAF_ESYS);
	CHECK_STR(e.name, "p2.taf");
	CHECK(strncmp(e.text, "cannot rename: ", 15) == 0);
	CHECK_STR(strstr(e.text, ";"), "; new: p1.taf; as before: p2.taf to p4.taf");
	CHECK(access("p3.taf", F_OK) != 0);
	must(unlink("p1.taf") == 0 && rmdir("p2.taf") == 0);
}

static void
elements_apart(void)
{
	struct taf_sink sink = { .path = "h.rsf", .data = "h.data" };
	static const uint64_t n[] = { 3 };
	struct taf_array a = shaped(TAF_UINT8, 1, n);
	struct taf_writer *w = NULL;
	struct taf_buf b;

	taf_err_clear(&e);
	CHECK(taf_writer_open(&w, &sink, &e) == TAF_OK);
	CHECK(taf_writer_begin(w, &a, false, &e) == TAF_OK);
	CHECK(taf_writer_put(w, "xyz", 3, &e) == TAF_OK);
	CHECK(access("h.rsf", F_OK) != 0 && access("h.data", F_OK) != 0);
	CHECK(taf_writer_end(w, &a, &e) == TAF_OK && taf_writer_close(w, &e) == TAF_OK);
	b = get_file("h.data");
	CHECK(b.len == 3 && memcmp(b.data, "xyz", 3) == 0);
	taf_buf_free(&b);
	b = get_file("h.rsf");
	CHECK(strstr(b.data, "in=\"h.data\"\n") != NULL && strchr(b.data, '\f') == NULL);
	taf_buf_free(&b);
	must(unlink("h.rsf") == 0 && unlink("h.data") == 0);
}

/* Calls out of order are told, and nothing appears. */
static void
misused_writers(void)
{
	static const uint64_t n[] = { 3 };
	struct taf_array a = shaped(TAF_UINT8, 1, n);
	struct taf_writer *w = writer("m.taf", TAF_FORMAT_TAF);

	CHECK(taf_writer_begin(w, &a, false, &e) == TAF_OK);
	CHECK(taf_writer_put(w, "abcd", 4, &e) == TAF_EMISUSE);
	taf_err_clear(&e);
	CHECK(taf_writer_begin(w, &a, false, &e) == TAF_EMISUSE);
	taf_err_clear(&e);
	CHECK(taf_writer_put(w, "ab", 2, &e) == TAF_OK);
	CHECK(taf_writer_end(w, &a, &e) == TAF_EMISUSE);
	taf_err_clear(&e);
	CHECK(taf_writer_close(w, &e) == TAF_EMISUSE);
	CHECK(access("m.taf", F_OK) != 0);
	/* a comment that no reader would take */
	w = writer("m.taf", TAF_FORMAT_TAF);
	CHECK(taf_buf_puts(&a.comment, "\tn1=7 data_format=x in=y", &e) == TAF_OK);
	a.dim[1].n = 1;
	CHECK(taf_writer_begin(w, &a, false, &e) == TAF_OK);
	CHECK(taf_writer_put(w, "abc", 3, &e) == TAF_OK);
	CHECK(taf_writer_end(w, &a, &e) == TAF_EDATA);
	taf_writer_discard(w);
	CHECK(access("m.taf", F_OK) != 0);
	taf_writer_discard(NULL);
	taf_array_fini(&a);
}

static void
any_order(void)
{
	static const uint64_t n[] = { 3 };
	struct taf_array a = shaped(TAF_INT16, 1, n);
	struct taf_writer *w = writer("r.rsf", TAF_FORMAT_RSF);
	struct taf_out *out = NULL;
	uint64_t base = 0;
	struct taf_buf b;

	for (int i = 0; i < 2; i++) {
		CHECK(taf_writer_begin(w, &a, i == 0, &e) == TAF_OK);
		CHECK(taf_writer_region(w, &out, &base, &e) == TAF_OK && out != NULL);
		CHECK(taf_out_pwrite(out, i ? "4455" : "1122", 4, base + 2, &e) ==
		    TAF_OK);
		CHECK(taf_out_pwrite(out, i ? "33" : "00", 2, base, &e) == TAF_OK);
		CHECK(taf_writer_end(w, &a, &e) == TAF_OK);
	}
	CHECK(taf_writer_close(w, &e) == TAF_OK);
	b = get_file("r.rsf");
	CHECK(b.len > 12 && memcmp(b.data + b.len - 6, "334455", 6) == 0);
	CHECK(strstr(b.data, END "001122\tdata_format") != NULL);
	taf_buf_free(&b);
	must(unlink("r.rsf") == 0);
}

/* Elements that lie in a file as in memory; those of complex are split for TAF. */
static void
moved(void)
{
	static const uint64_t n[] = { 3 };
	static const char pairs[] = "aaaaAAAAbbbbBBBBccccCCCC";

	for (int as_taf = 0; as_taf < 2; as_taf++) {
		struct taf_array a = shaped(TAF_COMPLEX, 1, n);
		struct taf_writer *w =
		    writer("m", as_taf ? TAF_FORMAT_TAF : TAF_FORMAT_RSF);
		struct taf_in *in = input(BY_FILE, pairs, 24);
		struct taf_buf b;

		CHECK(taf_writer_begin(w, &a, false, &e) == TAF_OK);
		CHECK(taf_writer_move(w, in, 3, &e) == TAF_OK);
		CHECK(taf_writer_end(w, &a, &e) == TAF_OK &&
		    taf_writer_close(w, &e) == TAF_OK);
		taf_in_close(in);
		b = get_file("m");
		CHECK(b.len > 24);
		if (as_taf)
			CHECK_MEM(b.data + 1104, "aaaabbbbccccAAAABBBBCCCC", 24);
		else
			CHECK_MEM(b.data + b.len - 24, pairs, 24);
		taf_buf_free(&b);
		must(unlink("m") == 0);
	}
}

/* A TAF through a pipe into a TAF: byte for byte, comment included. */
static void
late_comments(void)
{
	struct taf_array want, a = { 0 };
	struct taf_buf b = some_taf(&want), file;

	for (int how = BY_PIPE; how <= BY_DRIBBLE; how++) {
		struct taf_reader *r =
		    reader((enum feed)how, b.data, b.len, TAF_LATE_COMMENT);
		struct taf_writer *w = writer("l.taf", TAF_FORMAT_TAF);

		CHECK(next(r, &a) == TAF_OK && taf_reader_late(r));
		CHECK(taf_writer_begin(w, &a, false, &e) == TAF_OK);
		CHECK(taf_writer_copy(w, r, 12, &e) == TAF_OK);
		CHECK(taf_reader_finish(r, &a, &e) == TAF_OK);
		CHECK(taf_writer_end(w, &a, &e) == TAF_OK &&
		    taf_writer_close(w, &e) == TAF_OK);
		taf_reader_close(r);
		file = get_file("l.taf");
		CHECK(same_buf(&file, &b));
		taf_buf_free(&file);
		must(unlink("l.taf") == 0);
	}
	reap();
	taf_array_fini(&a);
	taf_array_fini(&want);
	taf_buf_free(&b);
}

/* --- inputs and outputs below them --- */

static void
spools(void)
{
	struct taf_buf b = { 0 };
	struct taf_in *in;
	struct taf_spool s;
	char x[10];

	fill(&b, 300000);
	taf_err_clear(&e);
	in = input(BY_PIPE, b.data, b.len);
	CHECK(taf_in_read(in, x, 3, &e) == TAF_OK && !taf_in_seekable(in));
	CHECK(taf_spool_rest(&in, &e) == TAF_OK && taf_in_seekable(in));
	CHECK_EQ(taf_in_left(in), b.len - 3);
	CHECK(taf_in_pread(in, x, 10, b.len - 13, &e) == TAF_OK);
	CHECK_MEM(x, b.data + b.len - 10, 10);
	CHECK(taf_spool_rest(&in, &e) == TAF_OK);
	CHECK_EQ(taf_in_left(in), b.len - 3);
	taf_in_close(in);
	CHECK(taf_spool_begin(&s, &e) == TAF_OK);
	taf_spool_discard(&s);
	taf_spool_discard(&s);
	must(setenv("TMPDIR", "no such folder", 1) == 0);
	CHECK(taf_spool_begin(&s, &e) == TAF_ESYS && e.sys == ENOENT);
	must(setenv("TMPDIR", ".", 1) == 0);
	reap();
	taf_buf_free(&b);
}

/* One that fails gives nothing, and a file is read on from where it was. */
static void
spools_of_too_few_bytes(void)
{
	struct taf_in *none = NULL, *part;

	for (int i = 0; i < 2 * FEEDS; i++) {
		struct taf_in *in = input((enum feed)(i / 2), "abcdef", 6);
		const uint64_t memory = i % 2 == 0 ? 0 : 80;
		char x[2] = "";

		taf_err_clear(&e);
		part = none;
		CHECK(taf_in_read(in, x, 2, &e) == TAF_OK);
		CHECK(taf_spool_part(in, 5, memory, &part, &e) == TAF_ETRUNC);
		CHECK(part == none);
		taf_err_clear(&e);
		if (taf_in_seekable(in)) {
			CHECK_EQ(taf_in_offset(in), 2);
			CHECK(taf_spool_part(in, 3, memory, &part, &e) == TAF_OK);
			CHECK(taf_in_read(part, x, 2, &e) == TAF_OK);
			CHECK_MEM(x, "cd", 2);
			CHECK(taf_in_read(in, x, 1, &e) == TAF_OK && x[0] == 'f');
			taf_in_close(part);
		}
		taf_in_close(in);
	}
	reap();
}

static void
inputs(void)
{
	struct taf_buf b = { 0 };

	fill(&b, 200000);
	for (int how = 0; how < FEEDS; how++) {
		size_t n = how == BY_DRIBBLE ? 3000 : b.len, got = 0, at = 0;
		struct taf_in *in = input((enum feed)how, b.data, n), *again;
		const unsigned char *p;
		static char room[200000];

		taf_err_clear(&e);
		while (at < n) {
			size_t want = 1 + draw(draw(4) ? 50 : 70000), more;

			CHECK_EQ(taf_in_offset(in), at);
			CHECK(taf_in_seekable(in) == (how <= BY_FILE));
			CHECK_EQ(taf_in_left(in), how <= BY_FILE ? n - at : 0);
			more = want < n - at ? want : n - at;
			switch (draw(3)) {
			case 0:
				CHECK(taf_in_peek(in, want, &p, &got, &e) == TAF_OK &&
				    got >= more);
				CHECK(got <= n - at && memcmp(p, b.data + at, got) == 0);
				break;
			case 1:
				CHECK(taf_in_read_part(in, room, want, &got, &e) ==
				    TAF_OK);
				CHECK(got == more && memcmp(room, b.data + at, got) == 0);
				at += got;
				break;
			default:
				CHECK(taf_in_skip(in, more, &e) == TAF_OK);
				at += more;
				break;
			}
		}
		CHECK(taf_in_read(in, room, 1, &e) == TAF_ETRUNC);
		taf_err_clear(&e);
		CHECK(taf_in_skip(in, 1, &e) == TAF_ETRUNC);
		taf_err_clear(&e);
		CHECK(taf_in_read_part(in, room, 5, &got, &e) == TAF_OK && got == 0);
		if (how <= BY_FILE) {
			CHECK(taf_in_map(in, 5, n - 4) == NULL &&
			    taf_in_map(in, n + 1, 1) == NULL);
			p = taf_in_map(in, 5000, 1000);
			CHECK(p != NULL && memcmp(p, b.data + 5000, 1000) == 0);
			CHECK(taf_in_pread(in, room, 2, n - 1, &e) == TAF_ETRUNC);
			taf_err_clear(&e);
			CHECK(taf_in_again(&again, in, 7, &e) == TAF_OK);
			CHECK(taf_in_read(again, room, 9, &e) == TAF_OK);
			CHECK_MEM(room, b.data + 7, 9);
			taf_in_close(again);
		} else {
			CHECK(taf_in_map(in, 0, 1) == NULL);
		}
		taf_in_close(in);
	}
	taf_err_clear(&e);
	{
		struct taf_in *in;

		CHECK(taf_in_open(&in, ".", &e) == TAF_ESYS && e.sys == EISDIR);
		taf_in_close(NULL);
	}
	reap();
	taf_buf_free(&b);
}

/* What failed once goes on to fail. */
static void
sticky_failure(void)
{
	static char block[200000];
	struct taf_out *out = NULL;
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	if (fd < 0) {
		CHECK(errno != 0);
		return;
	}
	taf_err_clear(&e);
	CHECK(taf_out_fd(&out, fd, "full", &e) == TAF_OK);
	CHECK(taf_out_write(out, "small", 5, &e) == TAF_OK);
	CHECK(taf_out_write(out, block, sizeof block, &e) == TAF_ESYS && e.sys == ENOSPC);
	taf_err_clear(&e);
	CHECK(taf_out_write(out, "x", 1, &e) == TAF_ESYS);
	taf_err_clear(&e);
	CHECK(taf_out_finish(out, &e) == TAF_ESYS);
	taf_out_discard(out);
	/* and is not forgotten where the buffer was empty */
	fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	taf_err_clear(&e);
	CHECK(taf_out_fd(&out, fd, "full", &e) == TAF_OK);
	CHECK(taf_out_write(out, block, sizeof block, &e) == TAF_ESYS);
	taf_err_clear(&e);
	CHECK(taf_out_write(out, "x", 1, &e) == TAF_ESYS);
	taf_err_clear(&e);
	CHECK(taf_out_commit(out, &e) == TAF_ESYS);
}

/* A named file appears whole, through a link, with the mode of the one it replaces. */
static void
outputs(void)
{
	struct taf_out *out = NULL;
	struct taf_buf b;
	struct stat st;

	put_file("old", "old", 3);
	must(chmod("old", 0640) == 0 && symlink("old", "link") == 0);
	taf_err_clear(&e);
	CHECK(taf_out_create(&out, "link", &e) == TAF_OK);
	CHECK(taf_out_write(out, "new", 3, &e) == TAF_OK &&
	    taf_out_zero(out, 5000, &e) == TAF_OK);
	CHECK(taf_out_flush(out, &e) == TAF_OK);
	b = get_file("old");
	CHECK_STR(b.data, "old");
	taf_buf_free(&b);
	CHECK(taf_out_commit(out, &e) == TAF_OK);
	b = get_file("old");
	CHECK(b.len == 5003 && memcmp(b.data, "new\0", 4) == 0 && b.data[5002] == '\0');
	taf_buf_free(&b);
	CHECK(lstat("link", &st) == 0 && S_ISLNK(st.st_mode));
	CHECK(stat("old", &st) == 0 && (st.st_mode & 0777) == 0640);
	CHECK(taf_out_create(&out, "old", &e) == TAF_OK &&
	    taf_out_write(out, "x", 1, &e) == TAF_OK);
	taf_out_discard(out);
	CHECK(stat("old", &st) == 0 && st.st_size == 5003);
	CHECK(taf_out_create(&out, "no folder/x", &e) == TAF_ESYS && e.sys == ENOENT);
	must(unlink("old") == 0 && unlink("link") == 0);
}

int
main(void)
{
	UNIT(several_arrays);
	UNIT(doubles_of_pairs_in_text);
	UNIT(broken_streams);
	UNIT(ended_streams);
	UNIT(long_numbers);
	UNIT(endless_header);
	UNIT(split_header);
	UNIT(taf_files);
	UNIT(broken_taf_files);
	UNIT(long_comments);
	UNIT(complex_elements);
	UNIT(random_access);
	UNIT(random_access_and_the_end);
	UNIT(raw_elements);
	UNIT(small_regions);
	UNIT(large_regions);
	UNIT(mapped_values);
	UNIT(uneven_pieces);
	UNIT(a_late_value_that_does_not_fit);
	UNIT(values_that_do_not_fit);
	UNIT(values_as_they_are);
	UNIT(scaled);
	UNIT(sinks);
	UNIT(what_follows_is_unknown);
	UNIT(half_renamed);
	UNIT(elements_apart);
	UNIT(misused_writers);
	UNIT(any_order);
	UNIT(moved);
	UNIT(late_comments);
	UNIT(spools);
	UNIT(spools_of_too_few_bytes);
	UNIT(inputs);
	UNIT(sticky_failure);
	UNIT(outputs);
	return unit_end();
}
