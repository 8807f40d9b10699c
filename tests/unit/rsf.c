/* SPDX-License-Identifier: ISC */
/* RSF headers: how they are read, how they are written, and that one undoes the other. */
#include "codec/rsf.h"

#include <math.h>
#include <stdlib.h>

#include "base/endian.h"
#include "base/num.h"
#include "descriptor.h"
#include "unit.h"

enum { ROUNDS = 1500, MADAGASCAR_LINE = 4096 };

static struct taf_err e;

/* Parsed anew with each call; fini at the end. */
struct parsed {
	struct taf_array a;
	struct taf_rsf rsf;
};

static void
clear(struct parsed *p)
{
	taf_array_fini(&p->a);
	taf_rsf_fini(&p->rsf);
	memset(&p->rsf, 0, sizeof p->rsf);
	taf_array_init(&p->a);
	taf_err_clear(&e);
}

static enum taf_status
parse(struct parsed *p, const char *text)
{
	clear(p);
	return taf_rsf_parse(text, strlen(text), &p->a, &p->rsf, &e);
}

/* With what every header needs, behind it. */
static enum taf_status
parse_more(struct parsed *p, const char *text)
{
	char all[8192];
	int n = snprintf(all, sizeof all,
	    "%s n1=2 data_format=\"native_float\" in=\"stdin\"\n", text);

	CHECK(n > 0 && (size_t)n < sizeof all);
	return parse(p, all);
}

static bool
refused(const char *text, const char *words)
{
	struct parsed p = { 0 };
	enum taf_status st = parse(&p, text);
	bool yes =
	    st == TAF_EDATA && e.code == TAF_EDATA && strstr(e.text, words) != NULL;

	clear(&p);
	return yes;
}

static const char *
attr(const struct parsed *p, const char *key)
{
	return taf_attr_get(&p->a, key, TAF_OF_ARRAY, 0);
}

/* A header as Madagascar's sfspike writes it into a pipe, without its terminator. */
static void
madagascar(void)
{
	struct parsed p = { 0 };

	CHECK(parse(&p,
	    "4.3-git\tsfspike\tpaper/exp/a:\troot@vm\tFri Nov 20 23:32:09 2026\n\n"
	    "\to1=0\n\tlabel1=\"Time\"\n\tdata_format=\"native_float\"\n\tesize=4\n"
	    "\tin=\"stdout\"\n\tunit1=\"s\"\n\td1=0.004\n\tn1=4\n\tin=\"stdin\"\n\n") ==
	    TAF_OK);
	CHECK(p.a.type == TAF_FLT32 && p.a.ndim == 1 && p.a.dim[0].n == 4);
	CHECK(p.a.dim[0].start == 0 && p.a.dim[0].step == 0.004);
	CHECK_STR(taf_attr_get(&p.a, "label", TAF_OF_DIM, 1), "Time");
	CHECK_STR(taf_attr_get(&p.a, "unit", TAF_OF_DIM, 1), "s");
	CHECK_STR(p.a.history.data,
	    "4.3-git\tsfspike\tpaper/exp/a:\troot@vm\tFri Nov 20 23:32:09 2026\n");
	CHECK(p.rsf.here && !p.rsf.next && p.rsf.form == TAF_RSF_NATIVE);
	CHECK(p.rsf.big == taf_host_is_big());
	CHECK_EQ(p.a.nattrs, 2);
	clear(&p);
}

static void
words_and_quotes(void)
{
	struct parsed p = { 0 };

	CHECK(parse_more(&p,
	    "a=1 b=\"two words\"\tc=x\"y z\"w d= e=\"\" =f g \"h=1\" i\"j\"=2 k='l m'") ==
	    TAF_OK);
	CHECK_STR(attr(&p, "a"), "1");
	CHECK_STR(attr(&p, "b"), "two words");
	CHECK_STR(attr(&p, "c"), "y z");
	CHECK_STR(attr(&p, "d"), "");
	CHECK_STR(attr(&p, "e"), "");
	CHECK_STR(attr(&p, "k"), "'l");
	CHECK_EQ(p.a.nattrs, 6);
	CHECK(parse_more(&p, "a=b=c\n\r\n\v\f\n#x=1 # y=2 z=\"1\"2\"3\"") == TAF_OK);
	CHECK_STR(attr(&p, "a"), "b=c");
	CHECK_STR(attr(&p, "#x"), "1");
	CHECK_STR(attr(&p, "y"), "2");
	CHECK_STR(attr(&p, "z"), "1\"2\"3");
	clear(&p);
	CHECK(refused("n1=1 label1=\"open\nin=\"stdin\" data_format=native_int\n",
	    "unterminated"));
}

static void
last_key_wins(void)
{
	struct parsed p = { 0 };

	CHECK(parse_more(&p,
		  "n1=9 n1=7 x=1 y=2 x=3 data_format=xdr_int in=elsewhere o1=3\no1=4") ==
	    TAF_OK);
	CHECK(p.a.dim[0].n == 2 && p.a.dim[0].start == 4);
	CHECK(p.rsf.here && p.rsf.form == TAF_RSF_NATIVE && p.a.type == TAF_FLT32);
	CHECK_STR(attr(&p, "x"), "3");
	CHECK_EQ(p.a.nattrs, 2);
	CHECK_STR(p.a.attrs[0].key, "x");
	clear(&p);
}

/* What came without quotes goes so: Madagascar reads "5" as 0, and "y" as no. */
static void
bare_values_stay_bare(void)
{
	struct taf_buf out = { 0 };
	struct parsed p = { 0 };

	CHECK(parse_more(&p, "x=1 y=\"q\" x=5 z=\"7\" w=yes v=1e3 l=1,3x5 "
		  "p=5%% q=a%22b r=") == TAF_OK);
	CHECK(taf_rsf_format(&p.a, NULL, TAF_NEXT_NO, NULL, &out, &e) == TAF_OK);
	CHECK(strstr(out.data, "\tx=5\n") != NULL);
	CHECK(strstr(out.data, "\tz=\"7\"\n") != NULL);
	CHECK(strstr(out.data, "\tw=yes\n") != NULL);
	CHECK(strstr(out.data, "\tl=1,3x5\n") != NULL);
	/* but for what needs an escape, or has no other sign that it is there */
	CHECK(strstr(out.data, "\tp=\"5%25%25\"\n") != NULL);
	CHECK(strstr(out.data, "\tq=\"a%22b\"\n") != NULL);
	CHECK(strstr(out.data, "\tr=\"\"\n") != NULL);
	CHECK(strstr(out.data, "\tv=1e3\n") != NULL);
	/* and what had quotes never loses them */
	CHECK(parse_more(&p, "x=5 x@1=\"a b\" x=7") == TAF_OK);
	CHECK(taf_rsf_format(&p.a, NULL, TAF_NEXT_NO, NULL, &out, &e) == TAF_OK);
	CHECK(strstr(out.data, "\tx=7\n\tx@1=\"a b\"\n") != NULL);
	CHECK(parse_more(&p, "n2=1 x@1=\"q\" x@2=\"a b\" x@1=7") == TAF_OK);
	CHECK(taf_rsf_format(&p.a, NULL, TAF_NEXT_NO, NULL, &out, &e) == TAF_OK);
	CHECK(strstr(out.data, "\tx@1=7\n\tx@2=\"a b\"\n") != NULL);
	CHECK(parse_more(&p, "x=5 taf_more=\" a b\"") == TAF_OK);
	CHECK(taf_rsf_format(&p.a, NULL, TAF_NEXT_NO, NULL, &out, &e) == TAF_OK);
	CHECK(strstr(out.data, "\tx=\"5 a b\"\n") != NULL);
	CHECK(parse_more(&p, "x=5 x=\"6\"") == TAF_OK);
	CHECK(taf_rsf_format(&p.a, NULL, TAF_NEXT_NO, NULL, &out, &e) == TAF_OK);
	CHECK(strstr(out.data, "\tx=\"6\"\n") != NULL);
	/* a value that a command sets is text */
	CHECK(parse_more(&p, "x=5") == TAF_OK && p.a.attrs[0].bare);
	CHECK(taf_attr_set(&p.a, "x", TAF_OF_ARRAY, 0, "a b", &e) == TAF_OK);
	CHECK(taf_rsf_format(&p.a, NULL, TAF_NEXT_NO, NULL, &out, &e) == TAF_OK);
	CHECK(strstr(out.data, "\tx=\"a b\"\n") != NULL);
	taf_buf_free(&out);
	clear(&p);
}

static void
history(void)
{
	struct parsed p = { 0 };

	CHECK(parse(&p,
	    "first line\n\nsecond\t\"quoted = blank\" \nkey=1 text beside it\n"
	    "  text behind a blank\n# n1=7\n"
	    "third, with n1=3: and one \" in it\r\nn1=2\r\n"
	    "data_format=\"native_short\"\r\nlabel1=\"a b\"\r\n"
	    "in=\"stdin\"\r\n"
	    "last, no line feed") == TAF_OK);
	/* what Madagascar would read as a key, or not read at all, is escaped */
	CHECK_STR(p.a.history.data, "first line\nsecond\t%22quoted %3D blank%22 \n"
	    "# n1%3D7\nthird, with n1%3D3: and one %22 in it\nlast, no line feed\n");
	CHECK(p.a.type == TAF_INT16 && p.a.dim[0].n == 2 && p.rsf.here);
	CHECK_STR(attr(&p, "key"), "1");
	CHECK_STR(taf_attr_get(&p.a, "label", TAF_OF_DIM, 1), "a b");
	clear(&p);
}

static void
dimensions(void)
{
	struct parsed p = { 0 };
	char all[1000];
	size_t at = 0;

	CHECK(parse(&p, "n3=1 n2=0 n1=5 d2=-.5 o3=1e3 data_format=native_int in=stdin") ==
	    TAF_OK);
	CHECK_EQ(p.a.ndim, 3);
	CHECK(p.a.dim[0].n == 5 && p.a.dim[1].n == 0 && p.a.dim[2].n == 1);
	CHECK(p.a.dim[0].start == 0 && p.a.dim[0].step == 1);
	CHECK(p.a.dim[1].start == 0 && p.a.dim[1].step == -0.5);
	CHECK(p.a.dim[2].start == 1000 && p.a.dim[2].step == 1);
	/*
	 * attributes of dimensions that are not there stay; so does what is none of ours
	 */
	CHECK(parse_more(&p, "o2=1 label2=\"x\" unit7=m note@2=\"y\" note@1=\"z\" "
	    "note@65=\"w\" o99=1 label99=\"v\" n01=3 n1x=4") == TAF_OK);
	CHECK_EQ(p.a.ndim, 1);
	CHECK_STR(taf_attr_get(&p.a, "note", TAF_OF_DIM, 1), "z");
	CHECK_STR(taf_attr_get(&p.a, "note", TAF_OF_DIM, 2), "y");
	CHECK_STR(taf_attr_get(&p.a, "label", TAF_OF_DIM, 2), "x");
	CHECK_STR(taf_attr_get(&p.a, "unit", TAF_OF_DIM, 7), "m");
	CHECK_STR(attr(&p, "note@65"), "w");
	CHECK_STR(attr(&p, "o99"), "1");
	CHECK_STR(attr(&p, "label99"), "v");
	CHECK_STR(attr(&p, "n01"), "3");
	CHECK_STR(attr(&p, "n1x"), "4");
	CHECK_EQ(p.a.nattrs, 9);
	CHECK(parse_more(&p, "o1=-inf d1=NaN") == TAF_OK);
	CHECK(isinf(p.a.dim[0].start) && p.a.dim[0].start < 0 && isnan(p.a.dim[0].step));
	clear(&p);
	/* where nothing is said a grid counts from 0, up to the last dimension */
	for (unsigned k = 1; k <= TAF_MAX_DIM; k++)
		at += (size_t)snprintf(all + at, sizeof all - at, "n%u=%u ", k,
		    1 + k / 60);
	snprintf(all + at, sizeof all - at, "data_format=native_int in=stdin");
	CHECK(parse(&p, all) == TAF_OK);
	CHECK_EQ(p.a.ndim, TAF_MAX_DIM);
	for (unsigned k = 0; k < p.a.ndim; k++)
		CHECK(p.a.dim[k].n == 1 + (k + 1) / 60 && p.a.dim[k].start == 0 &&
		    p.a.dim[k].step == 1);
	clear(&p);
	CHECK(refused("n2=3 data_format=native_int in=stdin", "no n1"));
	CHECK(refused("n1=2 n3=3 data_format=native_int in=stdin", "no n2"));
	CHECK(refused("data_format=native_int in=stdin", "no n1"));
	CHECK(refused("n1=2 n65=3 data_format=native_int in=stdin", "64"));
	CHECK(refused("n1=2 n99999999999999999999999=3 data_format=native_int in=stdin",
	    "64"));
}

static void
numbers_are_strict(void)
{
	static const char *const wrong[] = { "n1=\"4\"", "n1=-1", "n1=1e1", "n1=10.5",
		"n1=abc", "n1=", "n1=+4", "n1=4x", "n1=0x4", "n1=99999999999999999999",
		"o1=\"0\"", "o1=1..2", "d1=1,5", "d1=", "o1=0x1p3", "taf_code=256",
		"taf_code=-1", "taf_code=\"x\"", "taf_intercept=a taf_slope=1",
		"taf_intercept=1 taf_slope=\"2\"", "n1=4611686018427387905",
		"n2=18446744073709551615", "n1=4294967296 n2=4294967296",
		"taf_order=\"middle\"" };

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		char text[200];

		snprintf(text, sizeof text, "n1=2 %s data_format=native_int in=stdin",
		    wrong[i]);
		CHECK(refused(text, "header") || refused(text, "too large"));
	}
}

static void
what_must_be_there(void)
{
	CHECK(refused("n1=2 data_format=native_int\n", "in="));
	CHECK(refused("n1=2 data_format=native_int in=\"\"\n", "in="));
	CHECK(refused("n1=2 in=stdin\n", "data_format"));
	CHECK(refused("", "data_format"));
	CHECK(refused("no header at all\n", "data_format"));
	{
		struct parsed p = { 0 };

		clear(&p);
		CHECK(taf_rsf_parse("n1=2\0in=stdin", 13, &p.a, &p.rsf, &e) == TAF_EDATA);
		/* esize=0 alone is Madagascar's word for text */
		CHECK(parse(&p, "n1=2 esize=0 in=stdin") == TAF_OK);
		CHECK(p.a.type == TAF_FLT32 && p.rsf.form == TAF_RSF_ASCII);
		CHECK(parse(&p, "n1=2 data_format=native_int in=\"a b/c@\"") == TAF_OK);
		CHECK(!p.rsf.here);
		CHECK_STR(p.rsf.in.data, "a b/c@");
		clear(&p);
	}
}

static void
formats(void)
{
	static const struct {
		const char *name;
		enum taf_type type;
	} t[] = {
		{ "char", TAF_INT8 },
		{ "uchar", TAF_UINT8 },
		{ "byte", TAF_UINT8 },
		{ "short", TAF_INT16 },
		{ "ushort", TAF_UINT16 },
		{ "int", TAF_INT32 },
		{ "uint", TAF_UINT32 },
		{ "long", TAF_INT64 },
		{ "ulong", TAF_UINT64 },
		{ "float", TAF_FLT32 },
		{ "double", TAF_FLT64 },
		{ "complex", TAF_COMPLEX },
	};
	static const struct {
		const char *prefix;
		enum taf_rsf_form form;
	} forms[] = { { "native_", TAF_RSF_NATIVE }, { "xdr_", TAF_RSF_XDR },
		{ "ascii_", TAF_RSF_ASCII } };
	static const char *const wrong[] = { "float", "native_", "native", "xdr_",
		"ascii_", "foo_bar", "NATIVE_FLOAT", "float32", "little_float",
		"native_float32", "native_ float", "xdr_flt32", "\"\"",
		"native_native_int" };
	struct parsed p = { 0 };
	char text[200];

	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++)
		for (int f = 0; f < 3; f++) {
			snprintf(text, sizeof text,
			    "n1=2 in=stdin data_format=\"%s%s\" esize=77",
			    forms[f].prefix, t[i].name);
			CHECK(parse(&p, text) == TAF_OK);
			CHECK(p.a.type == t[i].type && p.rsf.form == forms[f].form);
			CHECK(p.rsf.big == (f == 1 ? true : taf_host_is_big()));
		}
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		snprintf(text, sizeof text, "n1=2 in=stdin data_format=%s", wrong[i]);
		CHECK(refused(text, "data_format"));
	}
	CHECK(parse_more(&p, "taf_order=\"big\"") == TAF_OK && p.rsf.big);
	CHECK(parse_more(&p, "taf_order=little") == TAF_OK && !p.rsf.big);
	/* xdr is big-endian whatever else is said */
	CHECK(parse(&p, "n1=1 data_format=xdr_int taf_order=little in=stdin") == TAF_OK &&
	    p.rsf.big);
	CHECK(parse_more(&p, "taf_next=1") == TAF_OK && p.rsf.next);
	CHECK(parse_more(&p, "taf_next=0") == TAF_OK && !p.rsf.next);
	CHECK(parse_more(&p, "taf_code=3") == TAF_OK && p.a.code == 3);
	clear(&p);
}

static bool
half(void)
{
	return strstr(e.text, "half a mapping") != NULL;
}

/*
 * taf_format and what Madagascar leaves of our names: uint16 becomes short, uint32 int,
 * uint64 long; every other pair means that the elements are not ours any more.
 */
static void
taf_format_rules(void)
{
	static const char *const rsf[] = { "char", "uchar", "short", "ushort", "int",
		"uint", "long", "ulong", "float", "double", "complex" };
	static const char *const left[] = { "char", "uchar", "short", "short", "int",
		"int", "long", "long", "float", "double", "complex" };
	struct parsed p = { 0 };
	char text[300];

	for (unsigned i = 0; i < TAF_COMPLEX128; i++)
		for (unsigned j = 0; j < TAF_COMPLEX128; j++) {
			bool fits =
			    strcmp(rsf[j], rsf[i]) == 0 || strcmp(rsf[j], left[i]) == 0;

			snprintf(text, sizeof text,
			    "n1=2 in=stdin taf_format=\"%s\" data_format=\"native_%s\"",
			    taf_type_name((enum taf_type)i), rsf[j]);
			CHECK(parse(&p, text) == TAF_OK);
			CHECK_EQ(p.a.type, fits ? i : j);
			/* a mapping is of the elements that were ours */
			snprintf(text + strlen(text), sizeof text - strlen(text),
			    " taf_intercept=2 taf_slope=0.5");
			if (j == TAF_COMPLEX) {
				CHECK(refused(text, "complex"));
			} else if (fits) {
				CHECK(parse(&p, text) == TAF_OK &&
				    taf_array_mapped(&p.a));
				CHECK(p.a.intercept == 2 && p.a.slope == 0.5);
			} else {
				CHECK(refused(text, "taf2rsf"));
			}
		}
	CHECK(refused("n1=2 in=stdin data_format=native_int taf_format=int24",
	    "taf_format"));
	CHECK(refused("n1=2 in=stdin data_format=native_int "
	    "taf_format=a_name_much_too_long",
	    "taf_format"));
	/* half a mapping is refused */
	CHECK(parse_more(&p, "taf_intercept=2") == TAF_EDATA && half());
	CHECK(parse_more(&p, "taf_slope=2") == TAF_EDATA && half());
	CHECK(parse_more(&p, "taf_slope=2 taf_intercept=inf") == TAF_EDATA && half());
	CHECK(parse_more(&p, "taf_slope=nan taf_intercept=1") == TAF_EDATA && half());
	CHECK(parse_more(&p, "taf_slope=nan taf_intercept=inf") == TAF_OK &&
	    !taf_array_mapped(&p.a));
	CHECK(parse_more(&p, "taf_slope=0 taf_intercept=0") == TAF_OK &&
	    taf_array_mapped(&p.a));
	clear(&p);
}

#define LINE(name) "4.3-git\t" name "\ta/b/c:\tann@host\tSat Nov 21 10:00:00 2026\n\n"
#define OURS(format, rest) \
	LINE("sfspike") "\tdata_format=\"native_" format "\"\n\ttaf_order=\"%s\"\n" rest

/*
 * Who stands between: a line of history behind our keys names it.  What it was that
 * computed, and whether what we said may still be true.
 */
static void
programs_between(void)
{
	static const char *const mover[] = { "sfwindow", "sftransp", "sfput", "sfreverse",
		"sfrotate", "sfcp", "sfmv", "sfspray", "sfheaderwindow", "sfheadersort",
		"sfget", "sfin" };
	static const struct {
		const char *line, *name;	/* NULL: it is to be believed */
	} t[] = { { "", NULL }, { LINE("sfadd"), "sfadd has" },
	    { LINE("sfwindo"), "sfwindo has" },
		{ LINE("sfin") LINE("sfcat") LINE("sfmath"), "sfcat has" },
		{ "sfwindow was here\n", "sfwindow was here has" },
		{ "by\tsfwindow\n", "by\tsfwindow has" },
		{ "\tx=1 by\tsfadd\t1\n", NULL }, { "  by\tsfadd\t1\n", NULL },
		{ "a=1 by\tsfadd\t1\n", NULL } };
	static const char *const key[] = { OURS("float", "\ttaf_format=\"flt32\"\n"),
		OURS("int", "\ttaf_intercept=1\n\ttaf_slope=2\n"),
		OURS("ushort", "\ttaf_format=\"uint16\"\n"),
		OURS("uint", "\ttaf_format=\"uint32\"\n"),
		OURS("ulong", "\ttaf_format=\"uint64\"\n"),
		OURS("uchar", "\ttaf_format=\"uint8\"\n") };
	const char *host = taf_host_is_big() ? "big" : "little";
	const char *other = taf_host_is_big() ? "little" : "big";
	struct parsed p = { 0 };
	char head[500], text[1500];

	for (size_t k = 0; k < sizeof key / sizeof key[0]; k++) {
		snprintf(head, sizeof head, key[k], host);
		for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
			snprintf(text, sizeof text, "%s%s\tn1=2\n\tin=\"stdin\"\n", head,
			    t[i].line);
			if (t[i].name == NULL || k == 0 || k == 5)
				CHECK(parse(&p, text) == TAF_OK);
			else
				CHECK(refused(text, "put taf2rsf before it") &&
				    refused(text, t[i].name));
		}
	}
	for (size_t i = 0; i < sizeof mover / sizeof mover[0]; i++) {
		snprintf(head, sizeof head, key[1], other);
		snprintf(text, sizeof text, "%s4.3\t%s\tx:\n\tn1=2\n\tin=\"stdin\"\n",
		    head, mover[i]);
		CHECK(parse(&p, text) == TAF_OK && p.rsf.foreign && p.a.slope == 2);
	}
	/* native is the order of the host that computed */
	snprintf(head, sizeof head, key[0], other);
	snprintf(text, sizeof text, "%s" LINE("sfadd") "\tn1=2\n\tin=\"stdin\"\n", head);
	CHECK(refused(text, "byte order"));
	snprintf(text, sizeof text, "%s" LINE("sfdd") "\tdata_format=\"xdr_float\" n1=2\n"
	    "\tin=\"stdin\"\n", head);
	CHECK(parse(&p, text) == TAF_OK && p.rsf.big);
	/* a line before our keys is none of a program behind them */
	CHECK(parse_more(&p, LINE("sfadd") "\ttaf_format=\"flt32\"") == TAF_OK &&
	    !p.rsf.foreign);
	clear(&p);
}

/* The type code falls back where a program has changed the shape. */
static void
code_falls_back(void)
{
	static const struct {
		const char *keys;
		int code, left;
	} t[] = { { "n1=4 n2=3", 3, 3 }, { "n1=4 n2=3 n3=3", 3, 3 },
		{ "n1=4 n2=3 n3=3 n4=1 n5=1", 3, 3 }, { "n1=4 n2=3 n3=3 n4=2", 3, 0 },
		{ "n1=4", 1, 1 }, { "n1=4 n2=3 n3=1", 2, 2 }, { "n1=4 n2=3 n3=2", 2, 0 },
		{ "n1=4 n2=1 n3=2", 1, 0 }, { "n1=4 n2=3 n3=3 n4=2", 7, 7 } };
	struct parsed p = { 0 };
	char text[500];

	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		snprintf(text, sizeof text,
		    "taf_code=%d data_format=native_int in=stdin\n" LINE("sfspray") "%s",
		    t[i].code, t[i].keys);
		CHECK(parse(&p, text) == TAF_OK);
		CHECK_EQ(p.a.code, t[i].left);
		snprintf(text, sizeof text,
		    "%s taf_code=%d data_format=native_int in=stdin", t[i].keys,
		    t[i].code);
		CHECK(parse(&p, text) == TAF_OK);
		CHECK_EQ(p.a.code, t[i].code);
	}
	clear(&p);
}

/* Headers that nothing ends, one behind the other, are not taken for one. */
static void
headers_run_together(void)
{
	struct taf_buf out = { 0 };
	struct parsed p = { 0 };

	CHECK(parse_more(&p, "n2=3 data_format=native_int") == TAF_OK);
	CHECK(taf_rsf_format(&p.a, "now", false, "data@", &out, &e) == TAF_OK);
	CHECK(parse(&p, out.data) == TAF_OK);
	/* nothing moves while it is read */
	CHECK(taf_buf_reserve(&out, out.len, &e) == TAF_OK);
	CHECK(taf_buf_put(&out, out.data, out.len, &e) == TAF_OK);
	CHECK(refused(out.data, "another header"));
	taf_buf_free(&out);
	clear(&p);
}

static void
comments(void)
{
	struct parsed p = { 0 };

	CHECK(parse_more(&p,
		  "taf_comment=\"one\"\n\ttaf_more=\" and\"\n\ttaf_more=\" more\"\n"
		  "\ttaf_comment=\"\"\n\ttaf_comment=\"100%25 %22q%22 %41%00%0A\"\n") ==
	    TAF_OK);
	CHECK_EQ(p.a.comment.len, strlen("one and more\n\n100% \"q\" %41") + 2);
	CHECK_MEM(p.a.comment.data, "one and more\n\n100% \"q\" %41\0\n",
	    p.a.comment.len);
	CHECK(parse_more(&p,
	    "x=\"a\"\ntaf_more=\"b\"\ntaf_comment=\"c\" y=1\ntaf_more=\"2\"") == TAF_OK);
	CHECK_STR(attr(&p, "x"), "ab");
	CHECK_STR(attr(&p, "y"), "12");
	CHECK_STR(p.a.comment.data, "c");
	CHECK(parse_more(&p, "taf_comment=\"\"") == TAF_OK);
	CHECK_EQ(p.a.comment.len, 0);
	clear(&p);
	CHECK(refused("n1=1 in=stdin data_format=native_int taf_more=\"x\"", "taf_more"));
	CHECK(refused("taf_more=\"x\" n1=1 in=stdin data_format=native_int", "taf_more"));
}

static void
attributes(void)
{
	struct parsed p = { 0 };

	CHECK(parse_more(&p,
	    "z=\"1\" label1=\"a %41 @ =\" a%20b%3D=\"x%0Ay\" gta/T@c2=\"c\" k@1=\"d\" "
	    "unit1=m odd@=\"o\" @2=\"p\" m@0=\"q\" r@x1=\"s\"") == TAF_OK);
	if (!CHECK_EQ(p.a.nattrs, 10))
		return;
	CHECK_STR(p.a.attrs[0].key, "z");
	CHECK_STR(p.a.attrs[1].value, "a %41 @ =");
	CHECK(p.a.attrs[1].scope == TAF_OF_DIM && p.a.attrs[1].index == 1);
	CHECK_STR(p.a.attrs[2].key, "a b=");
	CHECK_STR(p.a.attrs[2].value, "x\ny");
	CHECK_STR(taf_attr_get(&p.a, "gta/T", TAF_OF_COMPONENT, 2), "c");
	CHECK_STR(taf_attr_get(&p.a, "k", TAF_OF_DIM, 1), "d");
	CHECK_STR(taf_attr_get(&p.a, "unit", TAF_OF_DIM, 1), "m");
	CHECK_STR(attr(&p, "odd@"), "o");
	CHECK_STR(attr(&p, "@2"), "p");
	CHECK_STR(attr(&p, "m@0"), "q");
	CHECK_STR(attr(&p, "r@x1"), "s");
	clear(&p);
	CHECK(refused("a%00b=1 n1=1 in=stdin data_format=native_int", "NUL"));
	CHECK(refused("a=\"x%00\" n1=1 in=stdin data_format=native_int", "NUL"));
}

static void
ends(void)
{
	static const struct {
		const char *text;
		int at;		/* -1: none */
	} t[] = { { "", -1 }, { "\f\f", -1 }, { "\f\f\004", 0 }, { "\f\f\004x", 0 },
		{ "a\n\f\f\004", 2 }, { "a \f\f\004\n", -1 }, { "a\f\f\004", -1 },
		{ "\f\f\f\004", -1 }, { "\n\f\f\f\004", -1 }, { "\f\f\003\n\f\f\004", 4 },
		{ " \f\f\004\nb\n\f\f\004\f\f\004", 7 }, { "\r\f\f\004", -1 },
		{ "\n\n\f\f", -1 }, { "\f\n\f\f\004", 2 } };
	size_t n;

	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		bool found = taf_rsf_end(t[i].text, strlen(t[i].text), 0, &n);

		CHECK(found == (t[i].at >= 0));
		if (found)
			CHECK_EQ(n, t[i].at);
	}
	/* from the start of a line on */
	CHECK(taf_rsf_end("\f\f\004\nab\n\f\f\004", 10, 4, &n) && n == 7);
	CHECK(taf_rsf_end("ab\n\f\f\004", 6, 3, &n) && n == 3);
	CHECK(!taf_rsf_end("ab\n\f\f\004", 6, 6, &n));
}

static void
labels(void)
{
	char text[5000];

	CHECK(taf_rsf_label_ok("") && taf_rsf_label_ok("Time, 5% = @ \xff"));
	CHECK(!taf_rsf_label_ok("a\"b") && !taf_rsf_label_ok("a\nb") &&
	    !taf_rsf_label_ok("\x7f"));
	memset(text, 'x', sizeof text);
	text[sizeof text - 1] = '\0';
	CHECK(!taf_rsf_label_ok(text));
	text[1000] = '\0';
	CHECK(taf_rsf_label_ok(text));
}

#define REST(order) \
	"\tesize=2\n\ttaf_order=\"" order "\"\n\ttaf_format=\"uint16\"\n" \
	"\ttaf_intercept=0.1\n\ttaf_slope=-1e-9\n\ttaf_code=2\n" \
	"\tn1=3\n\to1=0\n\td1=1\n\tn2=1\n\to2=-inf\n\td2=1234567.25\n" \
	"\tlabel2=\"L\"\n\tunit@1=\"%22\"\n\t%6E1=\"77\"\n\t%69n=\"x\"\n" \
	"\ttaf_comment=\"a\"\n\ttaf_comment=\"\"\n\ttaf_next=1\n" \
	"\tin=\"stdin\"\n\n\f\f\004"

static void
written(void)
{
	static const char head[] = "before\nnow\n\tdata_format=\"native_ushort\"\n";
	static const char little[] = REST("little"), big[] = REST("big");
	const char *rest;
	struct taf_buf out = { 0 };
	struct taf_array a;

	taf_array_init(&a);
	taf_err_clear(&e);
	a.type = TAF_UINT16;
	a.intercept = 0.1;
	a.slope = -1e-9;
	a.code = 2;
	taf_array_add_dim(&a, 3, 0, 1);
	taf_array_add_dim(&a, 1, -INFINITY, 1234567.25);
	CHECK(taf_buf_puts(&a.history, "before\n", &e) == TAF_OK);
	CHECK(taf_buf_puts(&a.comment, "a\n", &e) == TAF_OK);
	CHECK(taf_attr_set(&a, "label", TAF_OF_DIM, 2, "L", &e) == TAF_OK);
	CHECK(taf_attr_set(&a, "unit", TAF_OF_DIM, 1, "\"", &e) == TAF_OK);
	CHECK(taf_attr_set(&a, "n1", TAF_OF_ARRAY, 0, "77", &e) == TAF_OK);
	CHECK(taf_attr_set(&a, "in", TAF_OF_ARRAY, 0, "x", &e) == TAF_OK);
	CHECK(taf_rsf_format(&a, "now", TAF_NEXT_YES, NULL, &out, &e) == TAF_OK);
	CHECK_MEM(out.data, head, sizeof head - 1);
	rest = strstr(out.data, "\tesize");
	CHECK_STR(rest, taf_host_is_big() ? big : little);
	CHECK(taf_rsf_format(&a, NULL, TAF_NEXT_NO, "dir/data@", &out, &e) == TAF_OK);
	CHECK(strstr(out.data, "taf_next") == NULL && strstr(out.data, "\004") == NULL);
	CHECK(strstr(out.data, "\tin=\"dir/data@\"\n") != NULL);
	CHECK(strncmp(out.data, "before\n\tdata", 12) == 0);
	CHECK(taf_rsf_format(&a, NULL, TAF_NEXT_NO, "a\"b", &out, &e) == TAF_EDATA);
	taf_buf_free(&out);
	taf_array_fini(&a);
}

/* What follows an array: nothing, another one, or it is not known yet. */
static void
what_follows(void)
{
	static const char *const lines[] = { "", "\ttaf_next=1\n",
	    "\ttaf_next=\"unknown\"\n" };
	struct taf_buf out = { 0 }, known = { 0 };
	struct parsed p = { 0 };
	struct taf_array a;

	CHECK(parse_more(&p, "taf_next=1") == TAF_OK && p.rsf.next == TAF_NEXT_YES);
	CHECK(parse_more(&p, "taf_next=\"1\"") == TAF_OK && p.rsf.next == TAF_NEXT_YES);
	CHECK(parse_more(&p, "taf_next=unknown") == TAF_OK &&
	    p.rsf.next == TAF_NEXT_UNKNOWN);
	CHECK(parse_more(&p, "taf_next=0") == TAF_OK && p.rsf.next == TAF_NEXT_NO);
	CHECK(parse_more(&p, "") == TAF_OK && p.rsf.next == TAF_NEXT_NO && !p.rsf.ends);
	taf_array_init(&a);
	taf_array_add_dim(&a, 1, 0, 1);
	for (int next = TAF_NEXT_NO; next <= TAF_NEXT_UNKNOWN; next++) {
		CHECK(taf_rsf_format(&a, "now", (enum taf_next)next, NULL, &out, &e) ==
		    TAF_OK);
		CHECK(next == TAF_NEXT_NO ? strstr(out.data, "taf_next") == NULL :
		    strstr(out.data, lines[next]) != NULL);
		CHECK(parse(&p, out.data) == TAF_OK && (int)p.rsf.next == next);
	}
	CHECK(taf_rsf_format(&a, "now", TAF_NEXT_YES, NULL, &known, &e) == TAF_OK);
	CHECK(taf_rsf_format(&a, "now", TAF_NEXT_NO, NULL, &out, &e) == TAF_OK &&
	    taf_rsf_announce(&out, &e) == TAF_OK);
	CHECK_STR(out.data, known.data);
	taf_buf_free(&out);
	taf_buf_free(&known);
	taf_array_fini(&a);
	clear(&p);
}

/* The record that ends a stream has no elements, and no array. */
static void
the_end_of_a_stream(void)
{
	struct taf_buf out = { 0 };
	struct parsed p = { 0 };
	size_t n = 0;

	CHECK(taf_rsf_format_end(1234567890123, &out, &e) == TAF_OK);
	CHECK_STR(out.data, "\ttaf_end=1234567890123\n\tin=\"stdin\"\n\n\f\f\004");
	CHECK(taf_rsf_end(out.data, out.len, 0, &n) && n + TAF_RSF_TERMINATOR == out.len);
	clear(&p);
	CHECK(taf_rsf_parse(out.data, n, &p.a, &p.rsf, &e) == TAF_OK);
	CHECK(p.rsf.ends && p.rsf.here && p.rsf.count == 1234567890123);
	CHECK(parse(&p, "by somebody\nkey=1\ntaf_end=2\n") == TAF_OK && p.rsf.ends &&
	    p.rsf.count == 2 && p.a.history.len == 0 && p.a.nattrs == 0);
	CHECK(refused("taf_end=", "taf_end"));
	CHECK(refused("taf_end=-1", "taf_end"));
	CHECK(refused("taf_end=2 n1=1", "with elements"));
	CHECK(refused("taf_end=2 data_format=native_int", "with elements"));
	CHECK(refused("taf_end=2 in=file", "with elements"));
	taf_buf_free(&out);
	clear(&p);
}

/* A program that copies a header adds its line behind the keys, ours write it first. */
static void
foreign_lines(void)
{
	struct parsed p = { 0 };

	CHECK(parse_more(&p, "ours\n\ttaf_code=1\n") == TAF_OK && !p.rsf.foreign);
	CHECK(parse_more(&p, "theirs\n\tn1=1\n\nothers\n") == TAF_OK && !p.rsf.foreign);
	CHECK(parse_more(&p, "ours\n\ttaf_code=1\ntheirs\n") == TAF_OK && p.rsf.foreign);
	CHECK(parse_more(&p, "\tdata_format=native_int\n\ntheirs\n") == TAF_OK &&
	    p.rsf.foreign);
	clear(&p);
}

/* Lines of the header that we write; history is as it came. */
static size_t
longest_line(const struct taf_buf *b)
{
	const char *p = b->data, *end = p + b->len, *lf;
	size_t most = 0;

	while (p < end && (lf = memchr(p, '\n', (size_t)(end - p))) != NULL) {
		if ((size_t)(lf - p) + 1 > most)
			most = (size_t)(lf - p) + 1;
		p = lf + 1;
	}
	return most;
}

static void
long_lines(void)
{
	enum { LENGTH = 20001 };
	struct taf_buf out = { 0 };
	struct parsed p = { 0 };
	struct taf_array a;
	char *text = malloc(LENGTH + 1), key[3000];
	size_t n;

	if (text == NULL)
		abort();
	taf_array_init(&a);
	taf_err_clear(&e);
	taf_array_add_dim(&a, 1, 0, 1);
	/* lengths around the limit, of bytes that are escaped and of others */
	for (size_t length = 3880; length < 4020; length += 1 + length % 3) {
		for (size_t i = 0; i < length; i++)
			text[i] = length % 2 ? '%' : (char)('a' + i % 26);
		text[length] = '\0';
		a.comment.len = 0;
		CHECK(taf_buf_put(&a.comment, text, length, &e) == TAF_OK);
		CHECK(taf_attr_set(&a, "key", TAF_OF_ARRAY, 0, text, &e) == TAF_OK);
		CHECK(taf_attr_set(&a, "label", TAF_OF_DIM, 1, text, &e) == TAF_OK);
		/* what came without quotes gets them where it is that long */
		a.attrs[0].bare = length % 2 == 0;
		CHECK(taf_rsf_format(&a, NULL, TAF_NEXT_NO, NULL, &out, &e) == TAF_OK);
		CHECK(longest_line(&out) <= TAF_RSF_LINE_MAX);
		a.attrs[0].bare = false;
		clear(&p);
		CHECK(taf_rsf_end(out.data, out.len, 0, &n));
		CHECK(taf_rsf_parse(out.data, n, &p.a, &p.rsf, &e) == TAF_OK);
		CHECK_STR(descriptor_differs(&a, &p.a), NULL);
	}
	for (size_t i = 0; i < LENGTH; i++)
		text[i] = (char)(1 + i * 7 % 255);
	text[LENGTH] = '\0';
	memset(key, '=', sizeof key);
	key[600] = '\0';
	CHECK(taf_attr_set(&a, key, TAF_OF_COMPONENT, 1000000, text, &e) == TAF_OK);
	CHECK(taf_rsf_format(&a, NULL, TAF_NEXT_NO, NULL, &out, &e) == TAF_OK);
	CHECK(longest_line(&out) <= TAF_RSF_LINE_MAX);
	clear(&p);
	CHECK(taf_rsf_end(out.data, out.len, 0, &n));
	CHECK(taf_rsf_parse(out.data, n, &p.a, &p.rsf, &e) == TAF_OK);
	CHECK_STR(descriptor_differs(&a, &p.a), NULL);
	key[600] = '=';
	key[1500] = '\0';
	CHECK(taf_attr_set(&a, key, TAF_OF_ARRAY, 0, "x", &e) == TAF_OK);
	CHECK(taf_rsf_format(&a, NULL, TAF_NEXT_NO, NULL, &out, &e) == TAF_EDATA);
	clear(&p);
	taf_buf_free(&out);
	taf_array_fini(&a);
	free(text);
}

/* Many lines cost little more than their text; what no reader takes is not written. */
static void
many_lines(void)
{
	static const struct {
		/* a LF in so many bytes; header bytes a byte */
		size_t length, line, most;
	} t[] = { { 65536, 1, 17 }, { 65537, 1, 4 }, { 200000, 1, 4 }, { 200001, 2, 3 },
		{ 200000, 79, 2 }, { 300000, 3979, 2 }, { 300000, 3981, 2 },
		{ 300007, 9000, 2 }, { 4300000, 1, 4 } };
	struct taf_buf out = { 0 };
	struct parsed p = { 0 };
	struct taf_array a;
	size_t n;

	taf_array_init(&a);
	taf_err_clear(&e);
	taf_array_add_dim(&a, 1, 0, 1);
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		a.comment.len = 0;
		CHECK(taf_buf_reserve(&a.comment, t[i].length, &e) == TAF_OK);
		for (size_t k = 0; k < t[i].length; k++)
			a.comment.data[k] = (k + 1) % t[i].line == 0 ? '\n' :
			    (char)('a' + k % 26);
		a.comment.len = t[i].length;
		CHECK(taf_rsf_format(&a, NULL, TAF_NEXT_NO, NULL, &out, &e) == TAF_OK);
		CHECK(longest_line(&out) <= TAF_RSF_LINE_MAX);
		CHECK(out.len < t[i].most * t[i].length);
		clear(&p);
		CHECK(taf_rsf_end(out.data, out.len, 0, &n));
		CHECK(taf_rsf_parse(out.data, n, &p.a, &p.rsf, &e) == TAF_OK);
		CHECK_STR(descriptor_differs(&a, &p.a), NULL);
	}
	CHECK(taf_buf_reserve(&a.comment, 23000000, &e) == TAF_OK);
	memset(a.comment.data, '\n', 23000000);
	a.comment.len = 23000000;
	CHECK(taf_rsf_format(&a, NULL, TAF_NEXT_NO, NULL, &out, &e) == TAF_EDATA);
	clear(&p);
	taf_buf_free(&out);
	taf_array_fini(&a);
}

static void
some_text(struct taf_buf *b, unsigned pieces, bool nul)
{
	static const char *const piece[] = { "n1", "o2", "in", "taf_more", "label1", "=",
		"@1", "@c3", "%", "%41", "\"", " ", "\t", "\n", "\f\f\004", "\n\f\f\004",
		"text", "\r", "1e3", "-5", "\xfe", "data_format" };

	for (unsigned i = 0; i < pieces; i++) {
		const char *p = piece[draw(sizeof piece / sizeof piece[0])];
		char c = (char)draw(256);

		if (draw(4) == 0 && (nul || c != '\0'))
			CHECK(taf_buf_put(b, &c, 1, &e) == TAF_OK);
		else
			CHECK(taf_buf_puts(b, p, &e) == TAF_OK);
	}
}

static double
some_number(void)
{
	uint64_t bits = (uint64_t)draw(UINT32_MAX) << 32 | draw(UINT32_MAX);
	double x;

	switch (draw(4)) {
	case 0:
		memcpy(&x, &bits, sizeof x);
		return x;
	case 1:
		return (double)draw(100);
	default:
		return (double)draw(100000) / 1000 - 50;
	}
}

static void
some_attrs(struct taf_array *a)
{
	static const char *const names[] = { "label", "unit", "n1", "taf_next",
		"taf_comment", "serial", "label2", "taf_order" };

	for (uint32_t k = draw(6); k > 0; k--) {
		struct taf_buf key = { 0 }, value = { 0 };

		if (draw(2))
			CHECK(taf_buf_puts(&key, names[draw(8)], &e) == TAF_OK);
		else
			some_text(&key, 1 + draw(3), false);
		some_text(&value, draw(4), false);
		CHECK(taf_attr_set(a, key.data, (enum taf_scope)draw(3), 1 +
		    draw(a->ndim), value.data != NULL ? value.data : "", &e) == TAF_OK);
		taf_buf_free(&key);
		taf_buf_free(&value);
	}
}

/* format, then parse: nothing is lost, whatever is in comment and attributes. */
static void
round_trips(void)
{
	for (int i = 0; i < unit_rounds(ROUNDS); i++) {
		struct taf_buf out = { 0 };
		struct parsed p = { 0 };
		struct taf_array a;
		enum taf_next next = (enum taf_next)draw(3);
		size_t n = 0;

		taf_array_init(&a);
		taf_err_clear(&e);
		a.type = (enum taf_type)draw(TAF_COMPLEX128);
		if (draw(2) && a.type != TAF_COMPLEX) {
			a.intercept = some_number();
			a.slope = some_number();
		}
		a.code = (unsigned char)(draw(2) ? draw(256) : 0);
		for (uint32_t k = 1 + (draw(9) ? draw(4) : draw(64)); k > 0; k--)
			taf_array_add_dim(&a, draw(9) ? 1 + draw(2) : 0, some_number(),
			    some_number());
		if (taf_array_check(&a, &e) != TAF_OK)
			continue;
		some_text(&a.comment, draw(5), true);
		for (uint32_t k = draw(3); k > 0; k--)
			CHECK(taf_buf_printf(&a.history, &e,
				  "line %u of some %%22 text\t\n", k) == TAF_OK);
		some_attrs(&a);
		CHECK(taf_rsf_format(&a, NULL, next, NULL, &out, &e) == TAF_OK);
		CHECK(longest_line(&out) <= TAF_RSF_LINE_MAX);
		CHECK(taf_rsf_end(out.data, out.len, 0, &n) &&
		    n + TAF_RSF_TERMINATOR == out.len);
		clear(&p);
		CHECK(taf_rsf_parse(out.data, n, &p.a, &p.rsf, &e) == TAF_OK);
		if (!CHECK_STR(descriptor_differs(&a, &p.a), NULL))
			printf("#   round %d: %s\n", i, out.data);
		CHECK(p.rsf.here && p.rsf.next == next && p.rsf.form == TAF_RSF_NATIVE);
		CHECK(p.rsf.big == taf_host_is_big());
		clear(&p);
		taf_buf_free(&out);
		taf_array_fini(&a);
	}
}

/*
 * What Madagascar reads of our header: lines below its buffer, and no quote that does
 * not close on its line.
 */
static void
madagascar_can_read_it(void)
{
	struct taf_buf out = { 0 };
	struct taf_array a;

	taf_array_init(&a);
	taf_err_clear(&e);
	taf_array_add_dim(&a, 1, 0, 1);
	for (int i = 0; i < unit_rounds(ROUNDS); i++) {
		size_t quotes = 0;

		taf_array_fini(&a);
		some_text(&a.comment, draw(30), true);
		some_attrs(&a);
		CHECK(taf_rsf_format(&a, "history", TAF_NEXT_NO, NULL, &out, &e) ==
		    TAF_OK);
		for (size_t k = 0; k < out.len; k++) {
			quotes += out.data[k] == '"';
			if (out.data[k] == '\n' && quotes % 2 != 0)
				break;
		}
		CHECK_EQ(quotes % 2, 0);
		CHECK(longest_line(&out) < MADAGASCAR_LINE);
		CHECK(memchr(out.data, '\0', out.len) == NULL);
	}
	taf_buf_free(&out);
	taf_array_fini(&a);
}

/* The lines of our header of some array, whose elements are elsewhere, in any order. */
static size_t
shuffled(char *to, size_t size, const struct taf_array *a)
{
	struct taf_buf header = { 0 };
	const char *line[64];
	size_t n = 0, at = 0, i;

	CHECK(taf_rsf_format(a, NULL, draw(2) ? TAF_NEXT_YES : TAF_NEXT_NO, "x@", &header,
	    &e) == TAF_OK);
	for (line[n] = header.data; n < 63 && *line[n] != '\0'; n++)
		line[n + 1] = strchr(line[n], '\n') + 1;
	while (n > 0) {
		const char *end;

		i = draw((uint32_t)n);
		end = strchr(line[i], '\n') + 1;
		CHECK((size_t)(end - line[i]) < size - at);
		memcpy(to + at, line[i], (size_t)(end - line[i]));
		at += (size_t)(end - line[i]);
		line[i] = line[--n];
	}
	to[at] = '\0';
	taf_buf_free(&header);
	return at;
}

/* One header is read however its keys stand; that another follows it is seen as well. */
static void
keys_have_no_order(void)
{
	char text[4096];

	for (int i = 0; i < ROUNDS / 5; i++) {
		struct parsed p = { 0 };
		struct taf_array a;
		size_t n;

		taf_array_init(&a);
		a.type = (enum taf_type)draw(TAF_NTYPES);
		if (taf_type_is_int(a.type) && draw(2)) {
			a.intercept = 1;
			a.slope = 0.5;
		}
		for (unsigned k = 1 + draw(4); k > 0; k--)
			taf_array_add_dim(&a, draw(9), draw(9), 1);
		n = shuffled(text, sizeof text, &a);
		CHECK(parse(&p, text) == TAF_OK);
		CHECK(p.a.type == a.type && taf_array_same_shape(&p.a, &a) &&
		    taf_same_bits(p.a.slope, a.slope) &&
		    strcmp(p.rsf.in.data, "x@") == 0);
		clear(&p);
		(void)shuffled(text + n, sizeof text - n, &a);
		CHECK(refused(text, "another header follows"));
		taf_array_fini(&a);
	}
}

int
main(void)
{
	UNIT(madagascar);
	UNIT(words_and_quotes);
	UNIT(last_key_wins);
	UNIT(bare_values_stay_bare);
	UNIT(history);
	UNIT(dimensions);
	UNIT(numbers_are_strict);
	UNIT(what_must_be_there);
	UNIT(formats);
	UNIT(taf_format_rules);
	UNIT(programs_between);
	UNIT(code_falls_back);
	UNIT(headers_run_together);
	UNIT(keys_have_no_order);
	UNIT(comments);
	UNIT(attributes);
	UNIT(ends);
	UNIT(labels);
	UNIT(written);
	UNIT(what_follows);
	UNIT(the_end_of_a_stream);
	UNIT(foreign_lines);
	UNIT(long_lines);
	UNIT(many_lines);
	UNIT(round_trips);
	UNIT(madagascar_can_read_it);
	return unit_end();
}
