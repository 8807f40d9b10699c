/* SPDX-License-Identifier: ISC */
/*
 * Calls in any order with any descriptors: what is wrong is TAF_EMISUSE, with a sentence,
 * and nothing breaks; what right calls have written is read back.  Sanitizers see more.
 */
#include "feed.h"
#include "stream/compute.h"
#include "stream/edit.h"
#include "stream/lines.h"
#include "stream/reorder.h"
#include "stream/select.h"
#include "stream/values.h"

enum { MOST = 24 };	/* elements of an array */

static unsigned char zeros[4096];

/* So many cases: TAF_CASES, or a few. */
static int
cases(int n)
{
	const char *s = getenv("TAF_CASES");

	return s != NULL ? atoi(s) : unit_rounds(n);
}

/* The status of a call: its failure is the recorded one, and has a sentence. */
static enum taf_status
status(enum taf_status st)
{
	CHECK(st == TAF_OK || st == TAF_END ? e.code == TAF_OK :
	    st == e.code && e.text[0] != '\0');
	taf_err_clear(&e);
	return st;
}

/* --- descriptors --- */

enum flaw { SOUND, NO_TYPE, NO_DIMS, MANY_DIMS, TOO_LARGE, MAPPED_PAIRS, FLAWS };

static struct taf_array
good(void)
{
	struct taf_array a;
	unsigned k;

	taf_array_init(&a);
	a.type = (enum taf_type)draw(TAF_NTYPES);
	for (k = 1 + draw(3); k > 0; k--)
		taf_array_add_dim(&a, draw(4), 0, 1);
	if (!taf_type_is_pair(a.type) && draw(3) == 0)
		a.intercept = a.slope = 2;
	return a;
}

static struct taf_array
flawed(enum flaw flaw)
{
	struct taf_array a = good();

	switch (flaw) {
	case NO_TYPE:
		a.type = (enum taf_type)(draw(2) ? TAF_NTYPES + draw(3) : 0x7fffffff);
		break;
	case NO_DIMS:
		a.ndim = 0;
		break;
	case MANY_DIMS:
		while (a.ndim <= TAF_MAX_DIM)
			taf_array_add_dim(&a, 1, 0, 1);
		break;
	case TOO_LARGE:
		a.ndim = 2;
		a.dim[0].n = UINT64_MAX;
		a.dim[1].n = 3;
		break;
	case MAPPED_PAIRS:
		a.type = draw(2) ? TAF_COMPLEX : TAF_COMPLEX128;
		a.intercept = a.slope = 2;
		break;
	default:
		break;
	}
	return a;
}

static enum taf_status
refusal(enum flaw flaw)
{
	return flaw == SOUND ? TAF_OK : flaw == NO_TYPE || flaw == NO_DIMS ||
	    flaw == MANY_DIMS ? TAF_EMISUSE : TAF_EDATA;
}

/* --- a writer --- */

struct writing {
	struct taf_writer *w;
	struct taf_array a;
	bool taf, within, broken;
	uint64_t left;
	unsigned long arrays;
	struct taf_buf bytes;
};

static void
begin(struct writing *x)
{
	const enum flaw flaw = draw(3) ? SOUND : (enum flaw)draw(FLAWS);
	struct taf_array a = flawed(flaw);
	enum taf_status want = refusal(flaw), st;

	if (x->within || x->broken)
		want = TAF_EMISUSE;
	else if (want == TAF_OK && x->taf && x->arrays > 0)
		want = TAF_EDATA;
	st = status(taf_writer_begin(x->w, &a, draw(2) && !x->taf ? TAF_NEXT_UNKNOWN :
	    TAF_NEXT_NO, &e));
	/* behind the last one there is none */
	if (want == TAF_OK && x->arrays > 0 && st == TAF_EDATA)
		want = st;
	CHECK_EQ(st, want);
	x->broken = x->broken || (st != TAF_OK && st != TAF_EMISUSE);
	if (st == TAF_OK) {
		x->within = true;
		x->a = a;
		x->left = taf_array_count(&a);
		x->arrays++;
	}
}

static void
put(struct writing *x)
{
	const size_t n = draw(4) ? draw(6) : draw(200);
	unsigned char block[200 * 16];
	const bool right = x->within && !x->broken && n <= x->left;
	size_t i;

	for (i = 0; i < sizeof block; i++)
		block[i] = (unsigned char)draw(256);
	CHECK_EQ(status(taf_writer_put(x->w, block, n, &e)),
	    right ? TAF_OK : TAF_EMISUSE);
	if (!right)
		return;
	must(taf_buf_put(&x->bytes, block, n * taf_type_size(x->a.type), &e) == TAF_OK);
	x->left -= n;
}

static void
end(struct writing *x)
{
	struct taf_array a = x->a;
	bool right = x->within && !x->broken && x->left == 0;

	if (draw(8) == 0) {
		a.type = (enum taf_type)draw(TAF_NTYPES + 2);
		right = right && a.type == x->a.type;
	}
	CHECK_EQ(status(taf_writer_end(x->w, &a, &e)), right ? TAF_OK : TAF_EMISUSE);
	x->within = x->within && !right;
}

/* What was written comes back, array after array. */
static void
read_back(const struct writing *x)
{
	struct taf_array a = { 0 };
	struct taf_reader *r;
	unsigned long arrays = 0;
	size_t at = 0;

	must(taf_reader_open(&r, "misuse.file", 0, &e) == TAF_OK);
	while (status(taf_reader_next(r, &a, &e)) == TAF_OK) {
		unsigned char block[MOST * 8 * 16];
		const size_t n = (size_t)taf_reader_left(r);
		const size_t bytes = n * taf_type_size(a.type);

		must(bytes <= sizeof block && at + bytes <= x->bytes.len);
		CHECK_EQ(status(taf_reader_read(r, block, n, &e)), TAF_OK);
		if (bytes > 0)
			CHECK_MEM(block, x->bytes.data + at, bytes);
		at += bytes;
		arrays++;
	}
	CHECK(arrays == x->arrays && at == x->bytes.len);
	taf_reader_close(r);
	taf_array_fini(&a);
}

static void
writers(void)
{
	for (int n = cases(300); n > 0; n--) {
		struct writing x = { .taf = draw(2) == 0 };
		const struct taf_sink sink = { .path = "misuse.file",
		    .format = x.taf ? TAF_FORMAT_TAF : TAF_FORMAT_RSF };
		struct taf_out *out;
		uint64_t base;
		bool right;

		(void)unlink("misuse.file");
		must(taf_writer_open(&x.w, &sink, &e) == TAF_OK);
		for (unsigned k = draw(30); k > 0; k--)
			switch (draw(5)) {
			case 0:
				begin(&x);
				break;
			case 1:
				end(&x);
				break;
			case 2:
				if (!x.within)
					CHECK_EQ(status(taf_writer_region(x.w, &out,
					    &base, &e)), TAF_EMISUSE);
				break;
			default:
				put(&x);
				break;
			}
		right = !x.within && !x.broken;
		CHECK_EQ(status(taf_writer_close(x.w, &e)), right ? TAF_OK : TAF_EMISUSE);
		if (right && x.arrays > 0)
			read_back(&x);
		else
			CHECK(access("misuse.file", F_OK) != 0);
		taf_buf_free(&x.bytes);
	}
	(void)unlink("misuse.file");
}

/* --- changes in place --- */

struct editing {
	struct taf_edit *ed;
	enum { IDLE, GROWING, SAVING, SEALED, OVER } state;
	unsigned char old[MOST], now[2 * MOST], saved[MOST];
	size_t n, left;		/* elements, and those that growing waits for */
	bool done;
};

static void
change(struct editing *x)
{
	struct taf_array a = { 0 };
	const size_t first = draw(MOST + 2), n = draw(5);
	const bool inside = first <= MOST && n <= MOST - first;
	const unsigned char byte = (unsigned char)draw(256);
	unsigned char block[8];
	bool right;

	memset(block, byte, sizeof block);
	switch (draw(9)) {
	case 0:
	case 1:
		right = (x->state == IDLE || x->state == SAVING) && inside;
		CHECK_EQ(status(taf_edit_save(x->ed, first, n, &e)), right ? TAF_OK :
		    TAF_EMISUSE);
		if (right) {
			x->state = SAVING;
			memset(x->saved + first, 1, n);
		}
		break;
	case 2:
		right = x->state == IDLE || x->state == SAVING;
		CHECK_EQ(status(taf_edit_seal(x->ed, &e)), right ? TAF_OK : TAF_EMISUSE);
		x->state = right ? SEALED : x->state;
		break;
	case 3:
	case 4:
		right = x->state == SEALED && inside &&
		    memchr(x->saved + first, 0, n) == NULL;
		CHECK_EQ(status(taf_edit_overwrite(x->ed, block, first, n, &e)),
		    right ? TAF_OK : TAF_EMISUSE);
		if (right)
			memset(x->now + first, byte, n);
		break;
	case 5:
		right = x->state == IDLE || x->state == SEALED;
		if (x->state == IDLE && draw(4) > 0)
			break;
		CHECK_EQ(status(taf_edit_done(x->ed, &e)), right ? TAF_OK : TAF_EMISUSE);
		x->done = x->done || right;
		x->state = right ? OVER : x->state;
		break;
	case 6:
		must(taf_array_copy(&a, taf_edit_array(x->ed), &e) == TAF_OK);
		a.dim[1].n += 1;
		if (draw(4) == 0) {
			right = draw(6) == 0 && x->state == IDLE;
			a.type = right ? a.type : (enum taf_type)77;
		} else {
			right = draw(4) == 0 && x->state == IDLE;
			if (!right && x->state == IDLE)
				a.ndim = 65;
		}
		CHECK_EQ(status(taf_edit_grow(x->ed, &a, &e)) == TAF_OK, right);
		x->state = right ? GROWING : x->state;
		x->left = right ? 4 : x->left;
		break;
	case 7:
		right = x->state == GROWING && n <= x->left;
		CHECK_EQ(status(taf_edit_put(x->ed, block, n, &e)), right ? TAF_OK :
		    TAF_EMISUSE);
		if (right) {
			memset(x->now + MOST + 4 - x->left, byte, n);
			x->left -= n;
		}
		break;
	default:
		right = x->state == GROWING && x->left == 0;
		CHECK_EQ(status(taf_edit_grown(x->ed, &e)), right ? TAF_OK : TAF_EMISUSE);
		x->state = right ? OVER : x->state;
		x->done = x->done || right;
		x->n = right ? MOST + 4 : x->n;
		break;
	}
	taf_array_fini(&a);
}

static void
edits(void)
{
	static const uint64_t lengths[] = { 4, MOST / 4 };
	struct taf_array a = shaped(TAF_UINT8, 2, lengths);

	for (int n = cases(60); n > 0; n--) {
		struct editing x = { .n = MOST };
		struct taf_buf file = { 0 }, got;
		size_t i;

		for (i = 0; i < MOST; i++)
			x.old[i] = x.now[i] = (unsigned char)draw(256);
		put_taf(&file, &a);
		must(taf_buf_put(&file, x.old, MOST, &e) == TAF_OK);
		put_file("misuse.taf", file.data, file.len);
		must(taf_edit_open(&x.ed, "misuse.taf", &e) == TAF_OK);
		for (i = draw(40); i > 0; i--)
			change(&x);
		taf_edit_close(x.ed);
		got = get_file("misuse.taf");
		CHECK_EQ(got.len, file.len - MOST + (x.done ? x.n : MOST));
		CHECK_MEM(got.data + file.len - MOST, x.done ? x.now : x.old,
		    x.done ? x.n : MOST);
		CHECK(access("misuse.taf.undo", F_OK) != 0);
		taf_buf_free(&got);
		taf_buf_free(&file);
	}
	(void)unlink("misuse.taf");
}

/* --- engines --- */

/* What a function of the caller gives back. */
static enum taf_status given;

static enum taf_status
line(void *ctx, const struct taf_line *l, struct taf_err *err)
{
	(void)ctx;
	memset(l->out, 0, l->lines * l->out_len);
	return given == TAF_EDATA && draw(2) ? taf_fail(err, given, "x") : given;
}

static enum taf_status
block(void *ctx, const struct taf_block *b, struct taf_err *err)
{
	(void)ctx;
	memset(b->out, 0, b->n);
	return given == TAF_EDATA && draw(2) ? taf_fail(err, given, "x") : given;
}

static enum taf_type
any_type(void)
{
	return draw(4) ? (enum taf_type)draw(TAF_NTYPES) : (enum taf_type)draw(99);
}

/* A descriptor that may be another one than the array's. */
static struct taf_array
near(const struct taf_array *a)
{
	struct taf_array b = draw(3) ? *a : flawed((enum flaw)draw(FLAWS));

	if (draw(4) == 0)
		b.type = any_type();
	return b;
}

static enum taf_status
engine(struct taf_reader *r, const struct taf_array *a, struct taf_writer *w)
{
	static const enum taf_status statuses[] = { TAF_OK, TAF_OK, TAF_OK, TAF_EDATA,
		TAF_END, TAF_ETRUNC, (enum taf_status)77 };
	struct taf_array in = near(a), out = near(a);
	struct taf_operand operand = { r, &in, any_type() };
	const unsigned order[3] = { draw(4), draw(4), draw(3) };
	struct taf_region region = { .ndim = draw(70) };
	struct taf_values *v = NULL;
	struct taf_select *s = NULL;
	struct taf_recode how;
	unsigned char to[MOST * 4 * 16];
	enum taf_status st;
	uint64_t n;

	given = statuses[draw(7)];
	switch (draw(5)) {
	case 0:
		return status(taf_lines(&(struct taf_lines){ .r = r, .a = &in,
		    .dim = draw(6) ? draw(4) : draw(99), .as = any_type(), .out = &out,
		    .w = w, .give = any_type(), .clip = draw(2), .line = line,
		    .memory = 1 << 20, .threads = draw(3) }, &e));
	case 1:
		return status(taf_compute(&(struct taf_compute){ .in = &operand, .nin = 1,
		    .out = &out, .w = w, .as = any_type(), .clip = draw(2),
		    .block = block, .memory = 1 << 20, .threads = draw(3) }, &e));
	case 2:
		return status(taf_reorder(&(struct taf_reorder){
		    .order = draw(2) ? order : NULL,
		    .recode = (enum taf_change)draw(6), .writer = w,
		    .memory = 1 << 20, .jobs = 1 }, r, &in, &e));
	case 3:
		for (unsigned k = 0; k < TAF_MAX_DIM; k++) {
			region.first[k] = draw(4) ? 0 : draw(5);
			region.count[k] = draw(4);
			region.step[k] = draw(3);
		}
		region.ndim = draw(3) ? a->ndim : region.ndim;
		st = status(taf_select_open(&s, r, &in, &region, &e));
		if (st == TAF_OK)
			st = status(taf_select_copy(s, w, &e));
		taf_select_close(s);
		return st;
	default:
		st = status(taf_values_plan(&how, &in, any_type(), draw(2), true, &e));
		if (st == TAF_OK)
			st = status(taf_values_open(&v, r, &in, NULL, &how, &e));
		n = st == TAF_OK ? taf_reader_left(r) : 0;
		if (st == TAF_OK)
			st = status(taf_values_get(v, to, (size_t)n, &e));
		taf_values_close(v);
		return st;
	}
}

static void
engines(void)
{
	for (int n = cases(400); n > 0; n--) {
		const struct taf_sink sink = { .path = "misuse.file" };
		struct taf_array a = good(), to = near(&a);
		struct taf_writer *w;
		struct taf_reader *r;
		struct taf_in *in;
		enum taf_status st;

		if (taf_array_bytes(&a) > sizeof zeros)
			continue;
		must(taf_in_mem(&in, zeros, sizeof zeros, &e) == TAF_OK);
		must(taf_reader_raw(&r, in, &a, false, &e) == TAF_OK);
		must(taf_writer_open(&w, &sink, &e) == TAF_OK);
		if (draw(8) == 0 && taf_array_count(&a) > 0)
			must(taf_reader_skip(r, 1, &e) == TAF_OK);
		if (draw(8))
			(void)status(taf_writer_begin(w, &to, TAF_NEXT_NO, &e));
		st = engine(r, &a, w);
		CHECK(st <= TAF_EMISUSE && st != TAF_END);
		taf_writer_discard(w);
		taf_reader_close(r);
	}
}

/* Calls that cannot fail leave what every other one refuses. */
static void
descriptors(void)
{
	static const unsigned order[] = { 1, 1 };

	for (int n = cases(200); n > 0; n--) {
		const enum flaw flaw = (enum flaw)draw(FLAWS);
		struct taf_array a = flawed(flaw), b = good();
		const enum taf_status st = status(taf_array_check(&a, &e));

		/* of too many dimensions data may speak */
		CHECK(st == refusal(flaw) || (st == TAF_EDATA && flaw != SOUND));
		(void)taf_array_bytes(&a);
		(void)taf_array_same_shape(&a, &b);
		(void)status(taf_array_extend(&b, &a, &e));
		(void)status(taf_array_insert_dim(&a, draw(4), a.dim[0], &e));
		(void)status(taf_array_drop_dim(&a, draw(4), &e));
		if (flaw == SOUND && a.ndim >= 2) {
			a.ndim = 2;
			taf_array_permute(&a, order);
			CHECK(status(taf_array_check(&a, &e)) != TAF_OK);
		}
		CHECK_EQ(status(taf_attr_set(&b, "x", (enum taf_scope)9, 1, "y", &e)),
		    TAF_EMISUSE);
		taf_array_fini(&a);
		taf_array_fini(&b);
	}
	CHECK(taf_type_name((enum taf_type)99) != NULL &&
	    taf_type_size((enum taf_type)-1) == 1);
}

int
main(void)
{
	UNIT(writers);
	UNIT(edits);
	UNIT(engines);
	UNIT(descriptors);
	return unit_end();
}
