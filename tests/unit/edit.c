/* SPDX-License-Identifier: ISC */
/* Changes of TAF files in place, and what a crash in the middle of one leaves. */
#include "stream/edit_private.h"

#include <sys/file.h>
#include <sys/resource.h>

#include <signal.h>

#include "descriptor.h"
#include "feed.h"
#include "io/recover.h"
#include "io/undo.h"

static const char file[] = "f.taf";

enum { BYTES = 1104 + 24 };

/* 4 x 3 uint16 of values 100, 101, ..., and text behind them. */
static struct taf_array
make(const char *text)
{
	static const uint64_t n[] = { 4, 3 };
	struct taf_array a = shaped(TAF_UINT16, 2, n);
	struct taf_buf b = { 0 }, tail = { 0 };

	put_taf(&b, &a);
	for (unsigned i = 0; i < 12; i++) {
		const unsigned char v[2] = { (unsigned char)(100 + i), 0 };

		must(taf_buf_put(&b, v, 2, &e) == TAF_OK);
	}
	must(taf_buf_puts(&a.comment, text, &e) == TAF_OK);
	must(taf_tail_format(&a, &tail, &e) == TAF_OK);
	must(taf_buf_put(&b, tail.data, tail.len, &e) == TAF_OK);
	put_file(file, b.data, b.len);
	taf_buf_free(&tail);
	taf_buf_free(&b);
	return a;
}

static struct taf_edit *
begin(const char *path)
{
	struct taf_edit *ed = NULL;

	taf_err_clear(&e);
	must(taf_edit_open(&ed, path, &e) == TAF_OK);
	return ed;
}

/* The file holds this array and, from element first on, these values. */
static void
check_file(const struct taf_array *want, const uint16_t *values, size_t first, size_t n)
{
	struct taf_reader *r = NULL;
	struct taf_array a = { 0 };
	uint16_t got[64] = { 0 };

	taf_err_clear(&e);
	if (!CHECK(taf_reader_open(&r, file, 0, &e) == TAF_OK))
		return;
	CHECK(taf_reader_next(r, &a, &e) == TAF_OK);
	CHECK_STR(descriptor_differs(want, &a), NULL);
	CHECK(taf_reader_skip(r, first, &e) == TAF_OK &&
	    taf_reader_read(r, got, n, &e) == TAF_OK);
	CHECK_MEM(got, values, n * sizeof *got);
	taf_reader_close(r);
	taf_array_fini(&a);
	CHECK(access("f.taf.undo", F_OK) != 0);
}

static void
check_untouched(const struct taf_array *want)
{
	uint16_t v[12];

	for (int i = 0; i < 12; i++)
		v[i] = (uint16_t)(100 + i);
	check_file(want, v, 0, 12);
}

/* A header changes and nothing else does, not even the file's other bytes. */
static void
header_alone(void)
{
	struct taf_array a = make("text\n"), b = { 0 };
	struct taf_buf before = get_file(file), after;
	struct taf_edit *ed = begin(file);
	struct stat old, new;
	size_t i;

	must(stat(file, &old) == 0);
	CHECK(taf_edit_form(ed)->header == 1104 && taf_edit_form(ed)->synopsis);
	CHECK_STR(descriptor_differs(taf_edit_array(ed), &a), NULL);
	CHECK(taf_array_copy(&b, &a, &e) == TAF_OK);
	b.dim[1].start = -77;
	b.intercept = 5;
	b.slope = 0.5;
	CHECK(taf_edit_fits(ed, &b) && taf_edit_header(ed, &b, &e) == TAF_OK);
	taf_edit_close(ed);
	check_untouched(&b);
	after = get_file(file);
	CHECK_EQ(after.len, before.len);
	for (i = 0; i < after.len; i++)
		if (after.data[i] != before.data[i] &&
		    !(i >= TAF_AT_INTERCEPT && i < TAF_AT_NDIM) &&
		    !(i >= 1088 && i < 1096))
			break;
	CHECK_EQ(i, after.len);
	CHECK(stat(file, &new) == 0 && old.st_ino == new.st_ino);
	taf_buf_free(&before);
	taf_buf_free(&after);
	taf_array_fini(&a);
	taf_array_fini(&b);
}

/* Text that grows, shrinks and goes; attributes; a type code and with it the version. */
static void
text_behind_the_data(void)
{
	static const char *const texts[] = { "longer than it was before\n", "", "x",
		"--- attributes ---\n" };
	struct taf_array a = make("text\n"), b = { 0 };

	must(taf_array_copy(&b, &a, &e) == TAF_OK);
	for (size_t i = 0; i < 4; i++) {
		struct taf_edit *ed = begin(file);

		b.comment.len = 0;
		must(taf_buf_puts(&b.comment, texts[i], &e) == TAF_OK);
		must(taf_attr_set(&b, "serial", TAF_OF_ARRAY, 0, i % 2 ? "A%1" : NULL,
			 &e) == TAF_OK);
		b.code = (unsigned char)i;
		CHECK(taf_edit_header(ed, &b, &e) == TAF_OK);
		taf_edit_close(ed);
		check_untouched(&b);
	}
	taf_array_fini(&a);
	taf_array_fini(&b);
}

/* What no reader would take is refused, and the file stays as it is. */
static void
text_that_cannot_be(void)
{
	struct taf_array a = make("text\n"), b = { 0 };
	struct taf_edit *ed = begin(file);

	must(taf_array_copy(&b, &a, &e) == TAF_OK);
	b.comment.len = 0;
	must(taf_buf_puts(&b.comment, "\tn1=7 data_format=x in=y", &e) == TAF_OK);
	CHECK(taf_edit_header(ed, &b, &e) == TAF_EDATA);
	taf_edit_close(ed);
	check_untouched(&a);
	taf_array_fini(&a);
	taf_array_fini(&b);
}

/* A file of one dimension by its header must be written anew. */
static void
header_that_does_not_fit(void)
{
	static const uint64_t n[] = { 4 };
	struct taf_array a = shaped(TAF_UINT8, 1, n);
	struct taf_buf b = { 0 }, after;
	struct taf_edit *ed;

	put_taf(&b, &a);
	must(taf_buf_puts(&b, "abcd", &e) == TAF_OK);
	put_file(file, b.data, b.len);
	ed = begin(file);
	CHECK(taf_edit_array(ed)->ndim == 1 && !taf_edit_fits(ed, &a));
	CHECK(taf_edit_header(ed, &a, &e) != TAF_OK);
	taf_err_clear(&e);
	a.dim[0].n = 6;
	CHECK(taf_edit_grow(ed, &a, &e) != TAF_OK);
	taf_edit_close(ed);
	after = get_file(file);
	CHECK(same_buf(&b, &after) && access("f.taf.undo", F_OK) != 0);
	taf_buf_free(&b);
	taf_buf_free(&after);
}

/* Old headers keep what of them need not change. */
static void
legacy_header(void)
{
	struct taf_array a = make(""), b = { 0 };
	struct taf_buf f = get_file(file);
	struct taf_edit *ed;

	memcpy(f.data, "TAF \1\5\0\n", 8);
	memset(f.data + TAF_AT_SYNOPSIS, 'S', TAF_AT_TYPE - TAF_AT_SYNOPSIS);
	taf_putf64(f.data + TAF_AT_INTERCEPT, 3, false);
	put_file(file, f.data, f.len);
	taf_buf_free(&f);
	ed = begin(file);
	must(taf_array_copy(&b, taf_edit_array(ed), &e) == TAF_OK);
	b.dim[0].step = 9;
	CHECK(taf_edit_header(ed, &b, &e) == TAF_OK);
	taf_edit_close(ed);
	f = get_file(file);
	CHECK_MEM(f.data, "TAF \1\5\0\nSSSS", 12);
	CHECK(taf_getf64(f.data + TAF_AT_INTERCEPT, false) == 3 &&
	    taf_getf64(f.data + 1072, false) == 9);
	memcpy(f.data, "TAF(10)\n", 8);
	taf_put64(f.data + TAF_AT_TYPE, 16, false);
	put_file(file, f.data, f.len);
	taf_buf_free(&f);
	/* a repair writes the opening and the type of today */
	ed = begin(file);
	CHECK(taf_edit_form(ed)->legacy_opening && taf_edit_form(ed)->legacy_type);
	CHECK(taf_edit_header(ed, &b, &e) == TAF_OK);
	taf_edit_close(ed);
	f = get_file(file);
	CHECK_MEM(f.data, "TAF \1\0\0\nSSSS", 12);
	CHECK_MEM(f.data + TAF_AT_TYPE, "uint16\0\0", 8);
	taf_buf_free(&f);
	taf_array_fini(&a);
	taf_array_fini(&b);
}

static bool
undo_exists(const char *path)
{
	bool there;

	return taf_undo_look(path, &there, &e) == TAF_OK && there;
}

static const uint16_t more[] = { 900, 901, 902, 903, 904, 905, 906, 907 };

/* Elements behind the last ones, the text behind them. */
static void
grows(void)
{
	struct taf_array a = make("text\n"), b = { 0 };
	struct taf_edit *ed = begin(file);

	must(taf_array_copy(&b, &a, &e) == TAF_OK);
	b.dim[1].n = 5;
	CHECK(taf_edit_grow(ed, &b, &e) == TAF_OK && undo_exists(file));
	CHECK(taf_edit_put(ed, more, 3, &e) == TAF_OK);
	CHECK(taf_edit_put(ed, more + 3, 5, &e) == TAF_OK);
	CHECK(taf_edit_put(ed, more, 1, &e) == TAF_EMISUSE);
	taf_err_clear(&e);
	CHECK(taf_edit_grown(ed, &e) == TAF_OK && !undo_exists(file));
	taf_edit_close(ed);
	check_file(&b, more, 12, 8);
	/* too few elements, or a smaller array: as if nothing had been */
	ed = begin(file);
	b.dim[1].n = 7;
	CHECK(taf_edit_grow(ed, &b, &e) == TAF_OK &&
	    taf_edit_put(ed, more, 7, &e) == TAF_OK);
	CHECK(taf_edit_grown(ed, &e) == TAF_EMISUSE);
	taf_edit_close(ed);
	b.dim[1].n = 5;
	check_file(&b, more, 12, 8);
	ed = begin(file);
	b.dim[1].n = 2;
	CHECK(taf_edit_grow(ed, &b, &e) == TAF_EMISUSE && !undo_exists(file));
	taf_edit_close(ed);
	b.dim[1].n = 5;
	check_file(&b, more, 12, 8);
	taf_array_fini(&a);
	taf_array_fini(&b);
}

static void
overwrites(void)
{
	struct taf_array a = make("text\n");
	struct taf_edit *ed = begin(file);
	uint16_t want[12], got[3];

	for (int i = 0; i < 12; i++)
		want[i] = (uint16_t)(100 + i);
	memcpy(want + 2, more, 6);
	memcpy(want + 9, more + 3, 6);
	CHECK(taf_edit_read(ed, got, 2, 3, &e) == TAF_OK);
	CHECK(got[0] == 102 && got[1] == 103 && got[2] == 104);
	CHECK(taf_edit_read(ed, got, 11, 2, &e) == TAF_EMISUSE);
	taf_err_clear(&e);
	CHECK(taf_edit_save(ed, 2, 3, &e) == TAF_OK &&
	    taf_edit_save(ed, 9, 3, &e) == TAF_OK);
	CHECK(taf_edit_seal(ed, &e) == TAF_OK);
	CHECK(taf_edit_overwrite(ed, more, 2, 3, &e) == TAF_OK);
	CHECK(taf_edit_overwrite(ed, more + 3, 9, 3, &e) == TAF_OK);
	CHECK(taf_edit_overwrite(ed, more, 11, 2, &e) == TAF_EMISUSE);
	taf_err_clear(&e);
	CHECK(taf_edit_overwrite(ed, more, 13, 0, &e) == TAF_EMISUSE);
	taf_err_clear(&e);
	CHECK(taf_edit_done(ed, &e) == TAF_OK);
	taf_edit_close(ed);
	check_file(&a, want, 0, 12);
	/* closed before it was done: undone */
	ed = begin(file);
	CHECK(taf_edit_save(ed, 0, 4, &e) == TAF_OK && taf_edit_seal(ed, &e) == TAF_OK);
	CHECK(taf_edit_overwrite(ed, more, 0, 4, &e) == TAF_OK);
	taf_edit_close(ed);
	check_file(&a, want, 0, 12);
	/* of no run at all */
	ed = begin(file);
	CHECK(taf_edit_seal(ed, &e) == TAF_OK && taf_edit_done(ed, &e) == TAF_OK);
	taf_edit_close(ed);
	check_file(&a, want, 0, 12);
	taf_edit_close(NULL);
	taf_array_fini(&a);
}

/* --- crashes --- */

enum { STEPS = 6 };

/* Die after so many steps of growing or overwriting, through any name of the file. */
static void
die_after(int step, bool grow, const char *path)
{
	fflush(stdout);
	if (fork() == 0) {
		struct taf_edit *ed = begin(path);
		struct taf_array b = { 0 };

		must(taf_array_copy(&b, taf_edit_array(ed), &e) == TAF_OK);
		b.dim[1].n = 5;
		for (int i = 0; i < step; i++)
			switch (grow ? i : 10 + i) {
			case 0:
				must(taf_edit_grow(ed, &b, &e) == TAF_OK);
				break;
			case 1:
			case 2:
				must(taf_edit_put(ed, more, 3, &e) == TAF_OK);
				break;
			case 10:
				must(taf_edit_save(ed, 1, 2, &e) == TAF_OK);
				break;
			case 11:
				must(taf_edit_save(ed, 7, 5, &e) == TAF_OK);
				break;
			case 12:
				must(taf_edit_seal(ed, &e) == TAF_OK);
				break;
			case 13:
				must(taf_edit_overwrite(ed, more, 7, 5, &e) == TAF_OK);
				break;
			case 14:
				must(taf_edit_overwrite(ed, more, 1, 2, &e) == TAF_OK);
				break;
			default:
				break;
			}
		_exit(0);
	}
	reap();
}

static void
crashes(void)
{
	for (int grow = 0; grow < 2; grow++)
		for (int step = 0; step < STEPS; step++) {
			struct taf_array a = make("text of the user\n");

			die_after(step, grow, file);
			CHECK(step < (grow ? 1 : 3) || undo_exists(file));
			/* whoever comes next, to read or to change */
			if (step % 2) {
				struct taf_edit *ed = begin(file);

				CHECK_STR(descriptor_differs(taf_edit_array(ed), &a),
				    NULL);
				taf_edit_close(ed);
			}
			check_untouched(&a);
			CHECK(stat(file, &(struct stat){ 0 }) == 0);
			taf_array_fini(&a);
		}
}

/* No room: the write fails in the middle, and all is as it was. */
static void
no_room(void)
{
	struct taf_array a = make("text of the user\n");
	struct taf_buf before = get_file(file), after;
	const struct rlimit limit = { BYTES + 30, BYTES + 30 };
	int status = -1;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		struct taf_edit *ed = begin(file);
		struct taf_array b = { 0 };
		bool failed;

		must(taf_array_copy(&b, taf_edit_array(ed), &e) == TAF_OK);
		b.dim[1].n = 4096;
		must(taf_edit_grow(ed, &b, &e) == TAF_OK);
		must(signal(SIGXFSZ, SIG_IGN) != SIG_ERR &&
		    setrlimit(RLIMIT_FSIZE, &limit) == 0);
		failed = taf_edit_put(ed, more, 8, &e) == TAF_OK &&
		    taf_edit_put(ed, more, 8, &e) == TAF_ESYS && e.sys == EFBIG;
		taf_edit_close(ed);
		_exit(failed ? 0 : 1);
	}
	CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
	CHECK_INT(WEXITSTATUS(status), 0);
	CHECK(!undo_exists(file));
	after = get_file(file);
	CHECK(same_buf(&before, &after));
	taf_buf_free(&before);
	taf_buf_free(&after);
	taf_array_fini(&a);
}

/* A reader that is not to recover refuses what is marked, and leaves the undo file. */
static void
no_recovery(void)
{
	struct taf_array a = make("text\n"), x = { 0 };
	struct taf_reader *r = NULL;

	die_after(2, true, file);
	taf_err_clear(&e);
	CHECK(taf_reader_open(&r, file, TAF_NO_RECOVER, &e) == TAF_OK);
	CHECK(taf_reader_next(r, &x, &e) == TAF_EDATA &&
	    strstr(e.text, "f.taf.undo") != NULL);
	taf_reader_close(r);
	CHECK(undo_exists(file));
	check_untouched(&a);
	taf_array_fini(&a);
	taf_array_fini(&x);
}

/* The undo file lies beside the file itself, whatever link was named. */
static void
through_a_link(void)
{
	struct taf_array a = make("text\n");

	must(mkdir("d", 0777) == 0 && symlink("../f.taf", "d/link") == 0);
	die_after(2, true, "d/link");
	CHECK(access("d/link.undo", F_OK) != 0 && access("f.taf.undo", F_OK) == 0);
	CHECK(undo_exists("d/link"));
	check_untouched(&a);
	die_after(5, false, file);
	taf_err_clear(&e);
	CHECK(taf_undo_recover("d/link", &e) == TAF_OK);
	check_untouched(&a);
	must(unlink("d/link") == 0 && rmdir("d") == 0);
	taf_array_fini(&a);
}

/* More than is copied at a time, and a piece that ends behind the file. */
static void
large_undo_files(void)
{
	enum { SIZE = 200000, ROOM = 300000 };
	struct taf_undo *u = NULL;
	char *was = malloc(ROOM);
	const struct taf_undo_plan plan = { (unsigned char *)was, TAF_UNDO_MARK, SIZE };
	struct taf_buf now;
	int fd;

	must(was != NULL);
	for (int i = 0; i < ROOM; i++)
		was[i] = (char)(i * 7 + (i >> 8));
	put_file(file, was, SIZE);
	taf_err_clear(&e);
	must(taf_lock_open(file, &fd, &e) == TAF_OK);
	CHECK(taf_undo_begin(&u, file, fd, &plan, &e) == TAF_OK);
	CHECK(taf_undo_save(u, 10, 150000, &e) == TAF_OK);
	CHECK(taf_undo_save(u, 170000, 90000, &e) == TAF_OK);
	CHECK(taf_undo_seal(u, &e) == TAF_OK);
	must(pwrite(fd, was + 11, 150000, 10) == 150000);
	must(pwrite(fd, was + 11, 90000, 170000) == 90000);
	now = get_file(file);
	CHECK(now.len == 260000 && memcmp(now.data, was, SIZE) != 0);
	taf_buf_free(&now);
	taf_undo_rollback(u);
	must(close(fd) == 0);
	CHECK(!undo_exists(file));
	now = get_file(file);
	CHECK(now.len == SIZE && memcmp(now.data, was, SIZE) == 0);
	taf_buf_free(&now);
	free(was);
}

/* What the file and its undo file hold, as bytes, and what becomes of that. */
static void
recovers(const struct taf_buf *f, const void *undo, size_t n, enum taf_status want,
    const struct taf_buf *becomes)
{
	struct taf_buf after;

	put_file(file, f->data, f->len);
	put_file("f.taf.undo", undo, n);
	taf_err_clear(&e);
	CHECK_INT(taf_undo_recover(file, &e), want);
	CHECK(undo_exists(file) == (want != TAF_OK));
	after = get_file(file);
	CHECK(same_buf(becomes, &after));
	taf_buf_free(&after);
}

/*
 * An undo file that is not whole was never acted upon, at whatever byte it ends, unless
 * the file is marked; and one byte that is not as it was makes it useless.
 */
static void
incomplete_undo_files(void)
{
	struct taf_array a = make("text\n");
	struct taf_buf undo, old = get_file(file), f;
	size_t n;

	die_after(2, true, file);
	undo = get_file("f.taf.undo");
	f = get_file(file);
	CHECK(undo.len > 1104 && !same_buf(&f, &old));
	for (n = 0; n < undo.len; n = n < 90 || n + 90 > undo.len ? n + 1 : n + 97) {
		recovers(&old, undo.data, n, TAF_OK, &old);
		recovers(&f, undo.data, n, TAF_EDATA, &f);
	}
	for (n = 0; n < undo.len; n = n < 90 || n + 90 > undo.len ? n + 1 : n + 97) {
		undo.data[n] ^= 0x40;
		recovers(&old, undo.data, undo.len, n < 8 ? TAF_EDATA : TAF_OK, &old);
		recovers(&f, undo.data, undo.len, TAF_EDATA, &f);
		undo.data[n] ^= 0x40;
	}
	/* it is used for a file that is marked for it, of a size that can be */
	recovers(&f, undo.data, undo.len, TAF_OK, &old);
	f.data[TAF_UNDO_MARK - 2] ^= 1;
	recovers(&f, undo.data, undo.len, TAF_EDATA, &f);
	f.data[TAF_UNDO_MARK - 2] ^= 1;
	f.len -= 30;
	recovers(&f, undo.data, undo.len, TAF_EDATA, &f);
	f.len += 30;
	/* no undo file at all */
	recovers(&old, "some other file of the user's own", 33, TAF_EDATA, &old);
	recovers(&old, "TAFUNDO1 of the time before digests", 35, TAF_EDATA, &old);
	must(unlink("f.taf.undo") == 0);
	put_file(file, f.data, f.len);
	taf_err_clear(&e);
	CHECK(taf_undo_recover(file, &e) == TAF_EDATA &&
	    strstr(e.text, "f.taf.undo") != NULL);
	must(unlink(file) == 0);
	taf_buf_free(&undo);
	taf_buf_free(&old);
	taf_buf_free(&f);
	taf_array_fini(&a);
}

/*
 * Something was put in the place of a marked file: what is not marked is never changed.
 */
static void
undo_of_another_file(void)
{
	struct taf_array a = make("text\n");
	struct taf_buf old = get_file(file), marked, undo, new, other;
	struct taf_edit *ed = begin(file);
	struct taf_array b = { 0 };

	must(taf_array_copy(&b, &a, &e) == TAF_OK);
	b.dim[1].n = 5;
	must(taf_edit_grow(ed, &b, &e) == TAF_OK &&
	    taf_edit_put(ed, more, 8, &e) == TAF_OK);
	must(taf_edit_grown(ed, &e) == TAF_OK);
	taf_edit_close(ed);
	new = get_file(file);
	put_file(file, old.data, old.len);
	die_after(2, true, file);
	marked = get_file(file);
	undo = get_file("f.taf.undo");
	/* before it was marked, while it was, and when it was not any more */
	recovers(&old, undo.data, undo.len, TAF_OK, &old);
	recovers(&marked, undo.data, undo.len, TAF_OK, &old);
	recovers(&new, undo.data, undo.len, TAF_OK, &new);
	other = get_file(file);
	other.data[1064]++;
	recovers(&other, undo.data, undo.len, TAF_EDATA, &other);
	CHECK(strstr(e.text, "remove it") != NULL);
	CHECK_STR(e.name, file);
	taf_err_clear(&e);
	/* open, it would keep all that follows waiting */
	if (!CHECK(taf_edit_open(&ed, file, &e) == TAF_EDATA))
		taf_edit_close(ed);
	/* the same elements, one byte more of text */
	must(taf_buf_put(&old, "x", 1, &e) == TAF_OK);
	recovers(&old, undo.data, undo.len, TAF_EDATA, &old);
	/* a copy of both under another name */
	put_file("g.taf", marked.data, marked.len);
	must(rename("f.taf.undo", "g.taf.undo") == 0);
	CHECK(taf_undo_recover("g.taf", &e) == TAF_OK && !undo_exists("g.taf"));
	taf_buf_free(&other);
	other = get_file("g.taf");
	old.len--;
	CHECK(same_buf(&old, &other));
	/* without it, nothing reads or changes what is marked */
	put_file("g.taf", marked.data, marked.len);
	CHECK(taf_edit_open(&ed, "g.taf", &e) == TAF_EDATA);
	must(unlink("g.taf") == 0 && unlink(file) == 0);
	taf_buf_free(&old);
	taf_buf_free(&new);
	taf_buf_free(&marked);
	taf_buf_free(&undo);
	taf_buf_free(&other);
	taf_array_fini(&a);
	taf_array_fini(&b);
}

/* Who may not write cannot undo, and must not read what is half done. */
static void
without_the_right_to_write(void)
{
	struct taf_array a = make("text\n");
	int status = -1;
	pid_t child;

	/* in a folder that another user may enter */
	must(mkdir("d", 0755) == 0);
	die_after(2, true, file);
	must(rename(file, "d/f.taf") == 0 && rename("f.taf.undo", "d/f.taf.undo") == 0);
	must(chmod("d/f.taf", 0444) == 0 && chmod("d/f.taf.undo", 0444) == 0 &&
	    chmod("d", 0555) == 0);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		struct taf_reader *r;

		if (chdir("d") != 0 || (geteuid() == 0 && setuid(65534) != 0))
			_exit(9);
		taf_err_clear(&e);
		_exit(taf_reader_open(&r, file, 0, &e) == TAF_EDATA &&
		    undo_exists(file) ? 0 : 1);
	}
	CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
	CHECK_INT(WEXITSTATUS(status), 0);
	must(chmod("d", 0755) == 0 && unlink("d/f.taf") == 0 &&
	    unlink("d/f.taf.undo") == 0);
	must(rmdir("d") == 0);
	taf_array_fini(&a);
}

/* --- others at work --- */

/* Eight processes add one column each: none is lost. */
static void
writers_wait(void)
{
	enum { WRITERS = 8 };
	struct taf_array a = make("text\n"), x = { 0 };
	struct taf_reader *r = NULL;
	uint16_t got[4 * (3 + WRITERS)];
	unsigned seen = 0;
	int status;

	fflush(stdout);
	for (uint16_t i = 0; i < WRITERS; i++)
		if (fork() == 0) {
			struct taf_edit *ed = begin(file);
			struct taf_array b = { 0 };
			uint16_t v[4] = { i, i, i, i };

			must(taf_array_copy(&b, taf_edit_array(ed), &e) == TAF_OK);
			b.dim[1].n++;
			must(taf_edit_grow(ed, &b, &e) == TAF_OK);
			for (int k = 0; k < 4; k++)
				must(taf_edit_put(ed, v + k, 1, &e) == TAF_OK);
			must(taf_edit_grown(ed, &e) == TAF_OK);
			taf_edit_close(ed);
			_exit(0);
		}
	while (wait(&status) > 0)
		CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	taf_err_clear(&e);
	CHECK(taf_reader_open(&r, file, 0, &e) == TAF_OK &&
	    taf_reader_next(r, &x, &e) == TAF_OK);
	CHECK_EQ(x.dim[1].n, 3 + WRITERS);
	CHECK_STR(x.comment.data, "text\n");
	if (CHECK(taf_reader_left(r) == 4 * (3 + WRITERS))) {
		CHECK(taf_reader_read(r, got, 4 * (3 + WRITERS), &e) == TAF_OK);
		for (int i = 12; i < 4 * (3 + WRITERS); i++) {
			CHECK(got[i] < WRITERS && got[i] == got[i - i % 4]);
			seen |= 1U << got[i] % 32;
		}
		CHECK_EQ(seen, (1U << WRITERS) - 1);
	}
	taf_reader_close(r);
	taf_array_fini(&a);
	taf_array_fini(&x);
}

/* The file that was waited for has been replaced meanwhile: the new one counts. */
static void
replaced_while_waiting(void)
{
	struct taf_array a = make("text\n");
	int fd = open(file, O_RDWR | O_CLOEXEC), status = -1;
	struct taf_buf f = get_file(file);
	pid_t child;

	must(fd >= 0 && flock(fd, LOCK_EX) == 0);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		struct stat mine, named;
		int got;

		close(fd);
		taf_err_clear(&e);
		if (taf_lock_open(file, &got, &e) != TAF_OK || fstat(got, &mine) != 0 ||
		    stat(file, &named) != 0)
			_exit(2);
		_exit(mine.st_ino == named.st_ino ? 0 : 1);
	}
	usleep(50000);
	CHECK_INT(waitpid(child, &status, WNOHANG), 0);
	put_file("new", f.data, f.len);
	must(rename("new", file) == 0);
	close(fd);
	CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
	CHECK_INT(WEXITSTATUS(status), 0);
	taf_buf_free(&f);
	taf_array_fini(&a);
}

static void
not_for_change(void)
{
	struct taf_edit *ed = NULL;
	struct taf_array a = make("");
	struct taf_buf b = { 0 };
	int fd;

	put_rsf(&b, &a, false);
	must(taf_buf_put(&b, "012345678901234567890123", 24, &e) == TAF_OK);
	put_file("r", b.data, b.len);
	taf_err_clear(&e);
	CHECK(taf_edit_open(&ed, "r", &e) == TAF_EUSAGE);
	put_file("r", "", 0);
	taf_err_clear(&e);
	CHECK(taf_edit_open(&ed, "r", &e) == TAF_EDATA);
	must(unlink("r") == 0);
	taf_err_clear(&e);
	CHECK(taf_edit_open(&ed, "r", &e) == TAF_ESYS && e.sys == ENOENT);
	taf_err_clear(&e);
	CHECK(taf_lock_open("/dev/null", &fd, &e) == TAF_EDATA);
	taf_err_clear(&e);
	CHECK(taf_lock_open(".", &fd, &e) == TAF_ESYS);
	must(unlink(file) == 0);
	taf_buf_free(&b);
	taf_array_fini(&a);
}

int
main(void)
{
	UNIT(header_alone);
	UNIT(text_behind_the_data);
	UNIT(text_that_cannot_be);
	UNIT(header_that_does_not_fit);
	UNIT(legacy_header);
	UNIT(grows);
	UNIT(overwrites);
	UNIT(crashes);
	UNIT(no_room);
	UNIT(no_recovery);
	UNIT(through_a_link);
	UNIT(large_undo_files);
	UNIT(incomplete_undo_files);
	UNIT(undo_of_another_file);
	UNIT(without_the_right_to_write);
	UNIT(writers_wait);
	UNIT(replaced_while_waiting);
	UNIT(not_for_change);
	return unit_end();
}
