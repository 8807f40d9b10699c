/* SPDX-License-Identifier: ISC */
/* What stands behind an array: read, remarked, or refused, however the input comes. */
#include "base/need.h"
#include "codec/taf_check.h"
#include "feed.h"

/* Pieces that are put behind each other. */
enum kind { FILE_TAF, STREAM, SPLIT, LINE, PROSE, KEYS, NPY, NOISE, EIGHT, KINDS };

/* By rule, of all of them. */
struct want {
	bool refused, remarked;
	unsigned arrays;
};

struct pieces {
	struct taf_buf bytes;
	struct taf_buf elements;	/* of all arrays, where they are read */
	size_t comment;			/* of a TAF file: bytes behind its data */
	unsigned n;
	enum kind kind[5];
};

static unsigned long heard;

static void
on_remark(void *ctx, const char *name, const char *text)
{
	(void)ctx;
	must(name != NULL && text != NULL);
	heard++;
}

static void
add(struct taf_buf *b, const void *p, size_t n)
{
	must(taf_buf_put(b, p, n, &e) == TAF_OK);
}

/* An array of a few bytes, which become elements; every second one has attributes. */
static struct taf_array
make(struct taf_buf *elements)
{
	struct taf_array a;
	unsigned char byte;
	uint64_t k;

	taf_array_init(&a);
	a.type = TAF_UINT8;
	taf_array_add_dim(&a, draw(9), 0, 1);
	if (draw(2))
		taf_array_add_dim(&a, 2 + draw(2), 0, 1);
	for (k = 0; k < taf_array_count(&a); k++) {
		byte = (unsigned char)(1 + draw(255));
		add(elements, &byte, 1);
	}
	if (draw(2))
		must(taf_attr_set(&a, draw(2) ? "serial" : "in", TAF_OF_ARRAY, 0,
		    "A1 n1=2", &e) == TAF_OK);
	return a;
}

static void
add_taf(struct taf_buf *to, struct taf_buf *elements)
{
	static const char *const comments[] = { "", "note\n", "no line feed",
		"TAF record of shot 3", "TAF(10)\n", "a\n--- attributes ---\nb" };
	const size_t from = elements->len;
	unsigned char header[TAF_HEADER_MAX];
	struct taf_array a = make(elements), file;
	struct taf_buf tail = { 0 };

	must(taf_buf_puts(&a.comment, comments[draw(6)], &e) == TAF_OK);
	must(taf_file_shape(&a, &file, &e) == TAF_OK);
	add(to, header, taf_header_format(&file, header));
	add(to, elements->data + from, elements->len - from);
	must(taf_tail_format(&a, &tail, &e) == TAF_OK);
	add(to, tail.data, tail.len);
	taf_buf_free(&tail);
	taf_array_fini(&a);
}

/* With its elements behind it, or in the file of that name. */
static void
add_rsf(struct taf_buf *to, struct taf_buf *elements, const char *in)
{
	const size_t from = elements->len;
	struct taf_array a = make(elements);
	struct taf_buf header = { 0 };

	must(taf_rsf_format(&a, draw(2) ? "0.2\ttafcrop\thome:\tme" : NULL, TAF_NEXT_NO,
	    in, &header, &e) == TAF_OK);
	add(to, header.data, header.len);
	if (in == NULL) {
		add(to, elements->data + from, elements->len - from);
	} else {
		FILE *f = fopen(in, "w");

		must(f != NULL && fwrite(elements->data + from, 1, elements->len - from,
		    f) == elements->len - from && fclose(f) == 0);
	}
	taf_buf_free(&header);
	taf_array_fini(&a);
}

static void
add_noise(struct taf_buf *to, size_t n)
{
	const size_t from = to->len;
	unsigned char byte;

	while (to->len < from + n) {
		byte = (unsigned char)draw(256);
		/* no header by chance */
		if (byte != 'T' && byte != '=')
			add(to, &byte, 1);
	}
	to->data[from + draw((uint32_t)n)] = '\0';
}

static void
add_piece(struct pieces *x, enum kind kind)
{
	static const char npy[] = "\x93NUMPY\1\0v\0{'descr': '<f4', "
	    "'fortran_order': False, 'shape': (1,), }\n\0\0\x80\x3f";
	static const char *const prose[] = { "a shot in the dark\n", "it was 5 o'clock\n",
		"see TAF(10)\n", "a TAF record\n\n" };
	static const char *const keys[] = { "n1=5\n", "\tdata_format=y\n",
		"no line feed",
		"with n1=3 data_format=x in=y\n", "\tmin=2 a \"quote\n" };
	struct taf_buf *to = &x->bytes;
	size_t n;

	x->kind[x->n++] = kind;
	switch (kind) {
	case FILE_TAF:
		add_taf(to, &x->elements);
		break;
	case STREAM:
		add_rsf(to, &x->elements, NULL);
		break;
	case SPLIT:
		add_rsf(to, &x->elements, "behind.data");
		break;
	case LINE:
		must(taf_buf_puts(to, "\nn1=0 data_format=\"native_uchar\" "
		    "in=\"behind.none\"\n", &e) == TAF_OK);
		break;
	case PROSE:
		must(taf_buf_puts(to, prose[draw(4)], &e) == TAF_OK);
		break;
	case KEYS:
		must(taf_buf_puts(to, keys[draw(5)], &e) == TAF_OK);
		break;
	case NPY:
		add(to, npy, sizeof npy - 1);
		break;
	case NOISE:
		add_noise(to, 1 + draw(draw(8) ? 40 : 3000));
		break;
	default:
		/* no header stands behind them */
		n = draw(2) ? 1 + draw(400) : 1200 + draw(3000);
		add(to, draw(2) ? "TAF \1\0\0\n" : "TAF(\1\0)\n", 8);
		add_noise(to, n);
		if (n > 1200)
			to->data[to->len - n + TAF_AT_NDIM + 7 - 8] = 'x';
	}
}

/* Behind the elements of a TAF file no array may stand. */
static struct want
rule_of_taf(const struct pieces *x)
{
	struct want w = { false, false, 1 };
	unsigned i;

	for (i = 1; i < x->n; i++) {
		w.refused = w.refused || x->kind[i] <= LINE;
		w.remarked = w.remarked || x->kind[i] >= NPY;
	}
	w.remarked = w.remarked && !w.refused;
	return w;
}

/* Headers, with history before them; one that is split goes on to the end. */
static struct want
rule_of_stream(const struct pieces *x)
{
	struct want w = { false, false, 0 };
	bool text = false, over = false;
	unsigned i;

	for (i = 0; i < x->n && !w.refused; i++) {
		const bool array = x->kind[i] == STREAM || x->kind[i] == SPLIT;

		w.refused = over ? x->kind[i] != PROSE : !array && x->kind[i] != PROSE;
		w.arrays += array;
		over = over || x->kind[i] == SPLIT;
		text = !array && !over;
	}
	w.refused = w.refused || text || w.arrays == 0;
	return w;
}

static enum taf_status
on_finding(void *ctx, enum taf_finding kind, const char *text, struct taf_err *err)
{
	unsigned *n = ctx;

	(void)err;
	if (kind == TAF_REMARK && strstr(text, "not text") != NULL)
		n[0]++;
	else if (kind != TAF_REMARK && strstr(text, "behind the data") != NULL)
		n[1]++;
	return TAF_OK;
}

/* What tafcheck finds. */
static bool
checked(const struct pieces *x, const struct want *w)
{
	unsigned n[2] = { 0, 0 };
	struct taf_in *in;

	must(taf_in_mem(&in, x->bytes.data, x->bytes.len, &e) == TAF_OK);
	must(taf_check_file(in, on_finding, n, &e) == TAF_OK);
	taf_in_close(in);
	return n[0] == w->remarked && n[1] == w->refused;
}

static bool
comes(const struct pieces *x, const struct want *w, enum feed how, unsigned flags)
{
	struct taf_reader *r = reader(how, x->bytes.data, x->bytes.len, flags);
	struct taf_array a = { 0 };
	struct taf_buf got = { 0 };
	unsigned char block[64];
	enum taf_status st;
	unsigned arrays = 0;
	bool same;

	heard = 0;
	taf_err_clear(&e);
	while ((st = taf_reader_next(r, &a, &e)) == TAF_OK) {
		const size_t n = (size_t)taf_reader_left(r);

		if (n > sizeof block || taf_reader_read(r, block, n, &e) != TAF_OK)
			break;
		add(&got, block, n);
		st = taf_reader_finish(r, &a, &e);
		if (st != TAF_OK)
			break;
		arrays++;
	}
	same = w->refused ? st == TAF_EDATA || st == TAF_ETRUNC :
	    st == TAF_END && arrays == w->arrays && heard == w->remarked &&
	    got.len == x->elements.len &&
	    (got.len == 0 || memcmp(got.data, x->elements.data, got.len) == 0);
	taf_reader_close(r);
	taf_array_fini(&a);
	taf_buf_free(&got);
	taf_err_clear(&e);
	return same;
}

static void
one_case(void)
{
	static const enum kind to_stream[] = { STREAM, STREAM, STREAM, STREAM, SPLIT,
		PROSE, PROSE, FILE_TAF, NPY, NOISE, EIGHT };
	struct pieces x = { .n = 0 };
	const unsigned n = 1 + draw(4);
	const bool taf = draw(3) > 0;
	struct want w;
	bool same = true;
	unsigned i;

	must(taf_buf_reserve(&x.elements, 1, &e) == TAF_OK);
	/* of one file of elements two headers would be one too many */
	for (i = 0; i < n; i++)
		add_piece(&x, taf ? i == 0 ? FILE_TAF : draw(3) ? (enum kind)(PROSE +
		    draw(KINDS - PROSE)) : (enum kind)draw(KINDS) :
		    to_stream[draw(i == 0 ? 7 : 11)]);
	w = taf ? rule_of_taf(&x) : rule_of_stream(&x);
	taf_note_listen(on_remark, NULL);
	for (i = 0; i < FEEDS && same; i++)
		if (i != BY_DRIBBLE || x.bytes.len < 200 || draw(8) == 0)
			same = comes(&x, &w, (enum feed)i, 0) &&
			    comes(&x, &w, (enum feed)i, TAF_LATE_COMMENT);
	same = same && (!taf || checked(&x, &w));
	taf_note_listen(NULL, NULL);
	reap();
	if (!CHECK(same)) {
		printf("# feed %u, %s%s, %u arrays:", i - 1,
		    w.refused ? "refused" : "read", w.remarked ? ", remarked" : "",
		    w.arrays);
		for (i = 0; i < x.n; i++)
			printf(" %d", (int)x.kind[i]);
		printf("\n");
	}
	taf_buf_free(&x.bytes);
	taf_buf_free(&x.elements);
}

/* TAF_CASES says how many; a few are enough to notice a change. */
static void
nothing_is_lost_behind_an_array(void)
{
	const char *cases = getenv("TAF_CASES");
	int n = cases != NULL ? atoi(cases) : unit_rounds(120);

	while (n-- > 0)
		one_case();
	(void)unlink("behind.data");
}

int
main(void)
{
	UNIT(nothing_is_lost_behind_an_array);
	return unit_end();
}
