/* SPDX-License-Identifier: ISC */
/* link: jansson zlib zstd blosc bzip2 lzma */
/*
 * FilesDaf stores as folders: the input is a script that makes one in a private folder,
 * changes it as taf2daf does, and reads it; at its end all of the store is read as dafls
 * and daf2taf do.  A step is a line "%%", KIND, NAME, and the bytes up to the LF before
 * the next one, or that at the end:
 *
 *	f file	d folder  p FIFO  l symbolic link to a name, or out of the store ("!")
 *	z packed file, of pieces between lines "--" (an empty one: an absent chunk)
 *	c make the store  a add an axis of these lines
 *	w write an item: element type, index type, how (sparse 1, zeros too 2, in place of
 *	  another 4, packed 8 to 24), and its bytes, again and again
 *	r read an item  y write its other layout, "f" also where it is there
 *
 * No step leads out of the folder, where beside the store lies what must never be read
 * or changed.
 */
#include "config.h"
#include "target.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#include "base/endian.h"
#include "codec/daf/daf_scan.h"
#include "codec/daf/daf_write.h"
#include "format/daf_change.h"
#include "format/daf_check.h"

enum {
	MOST = 1 << 15,		/* bytes of a script */
	STEPS = 100,
	FINDINGS = 1000,
	ELEMENTS = 1 << 16,	/* that are looked at one by one */
	WRITTEN = 1 << 10,	/* elements that a step writes */
	PATH = 1024
};

static const char secret[] = "{\"type\":\"String\",\"value\":\"secret\"}\n";
static char folder[PATH], store[PATH], beside[PATH];

/* --- the private folder --- */

/*
 * In place of libc's: nothing here has to outlive the machine, and a disk takes its time.
 */
int
fsync(int fd)
{
	(void)fd;
	return 0;
}

static int
remove_one(const char *path, const struct stat *sb, int kind, struct FTW *walk)
{
	(void)sb, (void)kind, (void)walk;
	return remove(path);
}

static void
put_file(int fd, const void *p, size_t n)
{
	must(fd >= 0 && write(fd, p, n) == (ssize_t)n && close(fd) == 0);
}

static void
begin(void)
{
	const char *where = getenv("TMPDIR");

	if (where == NULL || where[0] == '\0')
		where = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	must(snprintf(folder, sizeof folder - 16, "%s/fuzz-XXXXXX", where) < PATH - 32);
	must(mkdtemp(folder) != NULL);
	snprintf(store, sizeof store, "%.*s/store", PATH - 16, folder);
	snprintf(beside, sizeof beside, "%.*s/s.json", PATH - 16, folder);
	must(mkdir(store, 0777) == 0);
	put_file(open(beside, O_WRONLY | O_CREAT | O_EXCL, 0666), secret, sizeof secret);
}

/* What lay beside the store is there as it was, and nothing else. */
static void
end(void)
{
	char text[sizeof secret + 1];
	int fd = open(beside, O_RDONLY | O_NOFOLLOW);

	must(fd >= 0 && read(fd, text, sizeof text) == (ssize_t)sizeof secret);
	must(memcmp(text, secret, sizeof secret) == 0 && close(fd) == 0);
	must(unlink(beside) == 0);
	must(nftw(store, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0);
	must(rmdir(folder) == 0);
}

/* --- files --- */

static bool
is_name(const char *s)
{
	return s[0] != '\0' && strcmp(s, ".") != 0 && strcmp(s, "..") != 0 &&
	    strchr(s, '/') == NULL;
}

/*
 * The folder in the store that path is in, made with all above it; *path is its last
 * part.
 */
static int
folder_of(char **path)
{
	int at = open(store, O_RDONLY | O_DIRECTORY), next;
	char *slash;

	while (at >= 0 && (slash = strchr(*path, '/')) != NULL) {
		*slash = '\0';
		next = -1;
		if (is_name(*path)) {
			(void)mkdirat(at, *path, 0777);
			next = openat(at, *path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
		}
		(void)close(at);
		at = next;
		*path = slash + 1;
	}
	if (at >= 0 && !is_name(*path)) {
		(void)close(at);
		at = -1;
	}
	return at;
}

/* To a name in the same folder, to that above it, or out of the store. */
static int
make_link(int at, const char *name, const char *p, size_t n)
{
	char to[64];

	snprintf(to, sizeof to, "%.*s", (int)n, p);
	if (to[0] == '!')
		return symlinkat(beside, at, name);
	return to[0] == '\0' || strchr(to, '/') != NULL ? 0 : symlinkat(to, at, name);
}

#ifdef HAVE_ZLIB

static uint32_t
crc32c(const unsigned char *p, size_t n)
{
	uint32_t crc = UINT32_MAX;
	int bit;

	for (; n > 0; n--, p++)
		for (crc ^= *p, bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ ((crc & 1) != 0 ? UINT32_C(0x82f63b78) : 0);
	return ~crc;
}

/* A piece as gzip; what it takes. */
static size_t
compress_piece(unsigned char *to, size_t room, const char *p, size_t n)
{
	z_stream z = { .next_in = (Bytef *)(uintptr_t)p, .avail_in = (uInt)n,
	    .next_out = to,
		.avail_out = (uInt)room };

	must(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
	must(deflate(&z, Z_FINISH) == Z_STREAM_END);
	must(deflateEnd(&z) == Z_OK);
	return (size_t)z.total_out;
}

static void
make_packed(int fd, const char *p, size_t n)
{
	static unsigned char place[16 * 64 + 4], data[2 * MOST];
	const char *stop, *last = p + n;
	size_t k, count = 1, len, done = 0;

	for (stop = p; (stop = memmem(stop, (size_t)(last - stop), "\n--\n", 4)) != NULL;
	    stop += 4)
		count++;
	count = count < 64 ? count : 64;
	for (k = 0; k < count; k++, p = stop + 4) {
		stop = memmem(p, (size_t)(last - p), "\n--\n", 4);
		stop = stop != NULL ? stop : last;
		len = stop > p ? compress_piece(data + done, sizeof data - done, p,
		    (size_t)(stop - p)) : 0;
		taf_put64(place + 16 * k, stop > p ? 16 * count + 4 + done : UINT64_MAX,
		    false);
		taf_put64(place + 16 * k + 8, stop > p ? len : UINT64_MAX, false);
		done += len;
	}
	taf_put32(place + 16 * count, crc32c(place, 16 * count), false);
	must(write(fd, place, 16 * count + 4) == (ssize_t)(16 * count + 4));
	put_file(fd, data, done);
}

#else

static void
make_packed(int fd, const char *p, size_t n)
{
	put_file(fd, p, n);
}

#endif

static void
make(char kind, char *path, const char *p, size_t n)
{
	int at = folder_of(&path), fd, r = 0;

	if (at < 0)
		return;
	if (kind == 'd')
		r = mkdirat(at, path, 0777);
	else if (kind == 'p')
		r = mkfifoat(at, path, 0666);
	else if (kind == 'l')
		r = make_link(at, path, p, n);
	else if ((fd = openat(at, path, O_WRONLY | O_CREAT | O_EXCL, 0666)) >= 0 &&
	    kind == 'z')
		make_packed(fd, p, n);
	else if (fd >= 0)
		put_file(fd, p, n);
	/* what is there already stays */
	(void)r;
	(void)close(at);
}

/* --- reading --- */

static uint64_t
count(const struct taf_daf_item *it)
{
	return it->n[0] * it->n[1];
}

/* All elements of a dense item as they are stored, in pieces that grow. */
static unsigned char *
dense(const struct taf_daf *s, const struct taf_daf_item *it)
{
	size_t size = taf_daf_size(it->d.type), left = (size_t)count(it), n, done = 0;
	unsigned char *all = malloc(left * size + 1), *plain;
	struct taf_daf_flow *f;
	struct taf_err e = { 0 };
	struct taf_in *in;

	must(all != NULL && taf_daf_flow_open(s, it, &it->d.value, &f, &e) == TAF_OK);
	for (; left > 0; left -= n, done += n) {
		n = done + 1 < left ? done + 1 : left;
		must(taf_daf_flow_read(f, all + done * size, n, &e) == TAF_OK);
	}
	taf_daf_flow_close(f);
	if (it->d.value.packed || it->d.type == TAF_DAF_BOOL)
		return all;
	must(taf_daf_payload(s, it, &it->d.value, &in, &e) == TAF_OK);
	plain = malloc(done * size + 1);
	must(plain != NULL && taf_in_left(in) == done * size);
	must(taf_in_read(in, plain, done * size, &e) == TAF_OK);
	must(taf_host_is_big() || memcmp(plain, all, done * size) == 0);
	taf_in_close(in);
	free(plain);
	return all;
}

/* The same of a sparse one, zeros included. */
static unsigned char *
sparse(const struct taf_daf *s, const struct taf_daf_item *it)
{
	size_t size = taf_daf_size(it->d.type), all = (size_t)count(it), k, on = 0;
	unsigned char *p = malloc(all * size + 1);
	struct taf_daf_sparse m, transposed, back;
	struct taf_err e = { 0 };

	must(p != NULL && taf_daf_sparse_load(s, it, &m, &e) == TAF_OK);
	must(taf_daf_sparse_transpose(&m, &transposed, &e) == TAF_OK);
	must(taf_daf_sparse_check(&transposed, &e) == TAF_OK);
	must(taf_daf_sparse_transpose(&transposed, &back, &e) == TAF_OK);
	must(memcmp(back.row, m.row, (size_t)m.n * sizeof m.row[0]) == 0);
	must(memcmp(back.value, m.value, (size_t)m.n * size) == 0);
	must(memcmp(back.ptr, m.ptr, ((size_t)m.columns + 1) * sizeof m.ptr[0]) == 0);
	taf_daf_sparse_fill(&m, 0, all / 3, p);
	taf_daf_sparse_fill(&m, all / 3, all - all / 3, p + all / 3 * size);
	for (k = 0; k < all * size; k += size)
		on += p[k] != 0 || memcmp(p + k, p + k + 1, size - 1) != 0;
	must(on <= m.n);
	taf_daf_sparse_free(&m);
	taf_daf_sparse_free(&transposed);
	taf_daf_sparse_free(&back);
	return p;
}

/* Strings, and those of the other layout: the same, transposed. */
static void
strings(const struct taf_daf *s, const struct taf_daf_item *it)
{
	struct taf_daf_strings t, u;
	struct taf_daf_item other = *it;
	struct taf_err e = { 0 };
	size_t i, j, a, b, n = (size_t)it->n[0];

	must(taf_daf_strings_load(s, it, &t, &e) == TAF_OK && t.n == count(it));
	for (i = 0; i < t.n; i++)
		must(t.at[i] <= t.at[i + 1] && t.at[i + 1] <= t.bytes.len);
	if (it->kind == TAF_DAF_MATRIX) {
		other.axis[0] = it->axis[1], other.axis[1] = it->axis[0];
		other.n[0] = it->n[1], other.n[1] = it->n[0];
		other.transposed = !it->transposed;
		must(taf_daf_strings_load(s, &other, &u, &e) == TAF_OK && u.n == t.n);
		for (i = 0; i < n; i++)
			for (j = 0; j < it->n[1]; j++) {
				a = j * n + i;
				b = i * (size_t)it->n[1] + j;
				must(t.at[a + 1] - t.at[a] == u.at[b + 1] - u.at[b]);
				must(t.at[a + 1] == t.at[a] ||
				    memcmp(t.bytes.data + t.at[a], u.bytes.data + u.at[b],
				    t.at[a + 1] - t.at[a]) == 0);
			}
		taf_daf_strings_free(&u);
	}
	taf_daf_strings_free(&t);
}

/* What lies around a sound item; true where its two layouts hold the same. */
static bool
compare(const struct taf_daf *s, const struct taf_daf_item *it)
{
	struct taf_buf stale = { 0 };
	struct taf_err e = { 0 };
	bool differ = false;

	must(taf_daf_stale(s, it, &stale, &e) == TAF_OK);
	taf_buf_free(&stale);
	if (it->kind == TAF_DAF_MATRIX && !it->transposed &&
	    strcmp(it->axis[0], it->axis[1]) != 0)
		must(taf_daf_compare(s, it, &differ, &e) == TAF_OK);
	return !differ;
}

/* All of an item: its elements where there are some, as they are stored; else NULL. */
static unsigned char *
look(const struct taf_daf *s, struct taf_daf_item *it, bool *good)
{
	struct taf_err e = { 0 };
	struct taf_daf_sum sum = { 0 };
	enum taf_status st = taf_daf_find(s, it, &e);

	if (st == TAF_OK)
		st = taf_daf_check(s, it, 0, &sum, &e);
	must(st == e.code && (st == TAF_OK || (st == TAF_EDATA && e.text[0] != '\0') ||
	    st == TAF_ETRUNC));
	*good = st == TAF_OK;
	if (st != TAF_OK)
		return NULL;
	if (it->kind == TAF_DAF_SCALAR) {
		must(it->scalar.text.len != 6 ||
		    memcmp(it->scalar.text.data, "secret", 6) != 0);
		return NULL;
	}
	must(sum.on <= count(it));
	(void)compare(s, it);
	if (it->kind == TAF_DAF_MATRIX) {
		const bool transposed = it->transposed;

		must(taf_daf_packing(it) == NULL || taf_daf_packing(it)[0] != '\0');
		taf_daf_item_transpose(it);
		must(it->transposed != transposed);
		taf_daf_item_transpose(it);
		if (taf_daf_avoid_foreign(s, it, &e) != TAF_OK)
			return NULL;
	}
	if (it->indices || taf_daf_foreign(it) != NULL || count(it) > ELEMENTS)
		return NULL;
	if (it->d.type != TAF_DAF_STRING)
		return it->d.sparse ? sparse(s, it) : dense(s, it);
	strings(s, it);
	return NULL;
}

static void
read_named(const struct taf_daf *s, const char *name)
{
	struct taf_daf_item it;
	struct taf_err e = { 0 };
	bool good;

	if (taf_daf_item_parse(&it, name, &e) == TAF_OK) {
		free(look(s, &it, &good));
		if (!good)
			(void)taf_daf_about(&it, &e);
	}
	taf_daf_item_free(&it);
}

static void
read_items(const struct taf_daf *s, enum taf_daf_kind kind, char *rows, char *columns,
    const struct taf_names *names)
{
	bool good;
	size_t k;

	for (k = 0; k < names->n; k++) {
		struct taf_daf_item it = { .kind = kind, .axis = { rows, columns },
			.name = names->name[k], .n = { 1, 1 } };

		free(look(s, &it, &good));
		taf_buf_free(&it.scalar.text);
	}
}

/* Entries are what the length says, and differ. */
static bool
read_axis(const struct taf_daf *s, const char *axis)
{
	struct taf_daf_strings t = { 0 };
	struct taf_err e = { 0 };
	uint64_t n;
	bool good = taf_daf_axis_entries(s, axis, &t, &e) == TAF_OK;

	must(good || e.code == TAF_EDATA);
	if (good)
		must(taf_daf_axis_length(s, axis, &n, &e) == TAF_OK && n == t.n);
	taf_daf_strings_free(&t);
	return good;
}

static enum taf_status
heard(void *ctx, const char *finding, struct taf_err *e)
{
	size_t *n = ctx;

	must(finding[0] != '\0');
	return ++*n < FINDINGS ? TAF_OK : taf_fail(e, TAF_EDATA, "enough");
}

/* What is wrong is found without a fault of ours. */
static void
find_faults(const struct taf_daf *s)
{
	struct taf_service service = { .memory = 1 << 20 };
	size_t n = 0;
	const struct taf_daf_findings to = { s, &service, heard, &n };
	struct taf_err e = { 0 };
	const enum taf_status st = taf_daf_find_faults(&to, &e);

	must(st == e.code && (st == TAF_OK || e.text[0] != '\0'));
}

static void
read_all(const struct taf_daf *s)
{
	struct taf_names axes = { 0 }, names = { 0 };
	struct taf_err e = { 0 };
	size_t i, k;

	find_faults(s);

	if (taf_daf_properties(s, TAF_DAF_SCALAR, NULL, NULL, &names, &e) == TAF_OK)
		read_items(s, TAF_DAF_SCALAR, NULL, NULL, &names);
	taf_names_free(&names);
	if (taf_daf_names(s, "axes", ".txt", &axes, &e) != TAF_OK)
		axes.n = 0;
	for (i = 0; i < axes.n; i++) {
		(void)read_axis(s, axes.name[i]);
		if (taf_daf_name_check(axes.name[i], &e) != TAF_OK)
			continue;
		if (taf_daf_properties(s, TAF_DAF_VECTOR, axes.name[i], NULL, &names,
		    &e) == TAF_OK)
			read_items(s, TAF_DAF_VECTOR, axes.name[i], NULL, &names);
		taf_names_free(&names);
		for (k = 0; k < axes.n && k < 8; k++) {
			if (taf_daf_name_check(axes.name[k], &e) == TAF_OK &&
			    taf_daf_properties(s, TAF_DAF_MATRIX, axes.name[i],
			    axes.name[k], &names, &e) == TAF_OK)
				read_items(s, TAF_DAF_MATRIX, axes.name[i], axes.name[k],
				    &names);
			taf_names_free(&names);
		}
	}
	taf_names_free(&axes);
}

/* --- writing --- */

/* What a step writes, and how. */
struct wish {
	unsigned type, index;
	bool sparse, zeros, force;
	enum taf_daf_packing packing;
	size_t size, n;
	unsigned char *p;	/* n elements in the host's order, column after column */
};

/* Byte k of the elements, which are the bytes p again and again. */
static void
fill(struct wish *w, const unsigned char *p, size_t n)
{
	size_t i, k;

	for (i = 0; i < w->n; i++)
		for (k = 0; k < w->size; k++)
			w->p[i * w->size + (taf_host_is_big() ? w->size - 1 - k : k)] =
			    n == 0 ? 0 : w->type == TAF_DAF_BOOL ? p[i % n] & 1 :
			    p[(i * w->size + k) % n];
}

/* The elements of the other layout. */
static void
turn(struct wish *w, uint64_t rows, uint64_t columns)
{
	unsigned char *to = malloc(w->n * w->size + 1);
	size_t i, j;

	must(to != NULL);
	for (i = 0; i < rows; i++)
		for (j = 0; j < columns; j++)
			memcpy(to + (i * columns + j) * w->size,
			    w->p + (j * rows + i) * w->size, w->size);
	free(w->p);
	w->p = to;
}

static enum taf_status
give_dense(struct taf_daf_put *put, const struct taf_daf_item *it, struct wish *w,
    struct taf_err *e)
{
	const struct taf_daf_payload payload = { it->n[0], it->n[1], w->size,
		it->kind == TAF_DAF_MATRIX, false };
	int transposed, layouts = it->kind == TAF_DAF_MATRIX &&
	    strcmp(it->axis[0], it->axis[1]) != 0 ? 2 : 1;
	enum taf_status st = TAF_OK;
	unsigned char cell[8];
	size_t i, k;

	for (transposed = 0; transposed < layouts && st == TAF_OK; transposed++) {
		const struct taf_daf_payload other = { it->n[1], it->n[0], w->size,
			true, false };
		struct taf_daf_descriptor d = { .type = w->type };
		struct taf_daf_body *body = NULL;

		st = taf_daf_body_new(&body, put, transposed != 0, ".data",
		    transposed != 0 ? &other : &payload, &d.value, e);
		must(st != TAF_OK || (taf_daf_body_out(body) == NULL) == d.value.packed);
		for (i = 0; i < w->n && st == TAF_OK; i++) {
			for (k = 0; k < w->size; k++)
				cell[k] = w->p[i * w->size +
				    (taf_host_is_big() ? w->size - 1 - k : k)];
			st = taf_daf_body_write(body, cell, w->size, e);
		}
		if (body != NULL)
			st = taf_daf_body_end(body, st, e);
		if (st == TAF_OK)
			st = taf_daf_put_descriptor(put, transposed != 0, &d, e);
		if (layouts == 2)
			turn(w, it->n[transposed], it->n[!transposed]);
	}
	if (st != TAF_OK && transposed == 1 && layouts == 2)
		turn(w, it->n[1], it->n[0]);
	return st;
}

static enum taf_status
give_sparse(struct taf_daf_put *put, const struct taf_daf_item *it, const struct wish *w,
    struct taf_err *e)
{
	struct taf_daf_sparse m = { .rows = it->n[0], .columns = it->n[1],
	    .type = w->type };
	static const unsigned char zero[8];
	enum taf_status st;
	size_t i, j, k;

	m.ptr = calloc((size_t)m.columns + 1, sizeof m.ptr[0]);
	m.row = malloc((w->n + 1) * sizeof m.row[0]);
	m.value = malloc(w->n * w->size + 1);
	must(m.ptr != NULL && m.row != NULL && m.value != NULL);
	for (j = 0; j < m.columns; j++) {
		for (i = 0; i < m.rows; i++) {
			k = j * (size_t)m.rows + i;
			if ((w->zeros && k % 3 == 0) ||
			    memcmp(w->p + k * w->size, zero, w->size) != 0) {
				memcpy(m.value + m.n * w->size, w->p + k * w->size,
				    w->size);
				m.row[m.n++] = i;
			}
		}
		m.ptr[j + 1] = m.n;
	}
	st = taf_daf_put_sparse(put, &m, w->index, e);
	taf_daf_sparse_free(&m);
	return st;
}

/* It is there as it was written, in both layouts. */
static void
verify(const struct taf_daf *s, struct taf_daf_item *it, struct wish *w)
{
	struct taf_daf_item other = *it;
	unsigned char *got;
	bool good;

	got = look(s, it, &good);
	must(good);
	if (it->kind == TAF_DAF_SCALAR) {
		must(it->scalar.type == w->type);
		must(memcmp(it->scalar.value, w->p, w->size) == 0);
		return;
	}
	must(!it->transposed && it->d.type == w->type && it->d.sparse == w->sparse);
	must(got != NULL && memcmp(got, w->p, w->n * w->size) == 0);
	free(got);
	if (it->kind != TAF_DAF_MATRIX)
		return;
	must(compare(s, it));
	other.axis[0] = it->axis[1], other.axis[1] = it->axis[0];
	turn(w, it->n[0], it->n[1]);
	got = look(s, &other, &good);
	must(good && !other.transposed && got != NULL);
	must(memcmp(got, w->p, w->n * w->size) == 0 ||
	    strcmp(it->axis[0], it->axis[1]) == 0);
	free(got);
}

static bool
give(const struct taf_daf *s, struct taf_daf_item *it, struct wish *w)
{
	const struct taf_daf_put_how how = { .force = w->force, .packing = w->packing };
	struct taf_daf_scalar scalar = { .type = w->type };
	struct taf_daf_put *put = NULL;
	struct taf_err e = { 0 };
	enum taf_status st;

	st = taf_daf_put_begin(NULL, s, it, &how, &e);
	if (st == TAF_OK)
		st = taf_daf_put_begin(&put, s, it, &how, &e);
	if (st == TAF_OK && it->kind == TAF_DAF_SCALAR) {
		memcpy(scalar.value, w->p, w->size);
		st = taf_daf_put_scalar(put, &scalar, &e);
	} else if (st == TAF_OK) {
		st = w->sparse ? give_sparse(put, it, w, &e) : give_dense(put, it, w, &e);
	}
	if (st == TAF_OK)
		st = taf_daf_put_commit(put, &e);
	else
		taf_daf_put_discard(put);
	must(st == e.code && (st == TAF_OK || e.text[0] != '\0'));
	return st == TAF_OK;
}

/* Strings in its place, made of the bytes p: they are there as they were written. */
static bool
give_strings(const struct taf_daf *s, struct taf_daf_item *it, const struct wish *w,
    const unsigned char *p, size_t n)
{
	const struct taf_daf_put_how how = { .force = true, .packing = w->packing };
	struct taf_daf_strings t = { .n = w->n };
	struct taf_daf_put *put = NULL;
	struct taf_err e = { 0 };
	/* one more, or less, than there is room for is never kept */
	const bool more = n > 0 && p[0] == '+', less = n > 0 && p[0] == '-' && t.n > 0;
	enum taf_status st;
	size_t i, k;

	t.n += more;
	t.n -= less;
	t.at = calloc((size_t)t.n + 1, sizeof *t.at);
	must(t.at != NULL);
	for (i = 0; i < t.n; i++) {
		const size_t len = n == 0 ? 0 : p[i % n] % 7;

		for (k = 0; k < len; k++) {
			const char c = (char)('a' + p[(i + k) % n] % 26);

			must(taf_buf_put(&t.bytes, &c, 1, &e) == TAF_OK);
		}
		t.at[i + 1] = t.bytes.len;
	}
	st = taf_daf_put_begin(NULL, s, it, &how, &e);
	if (st == TAF_OK)
		st = taf_daf_put_begin(&put, s, it, &how, &e);
	if (st == TAF_OK)
		st = taf_daf_put_strings(put, &t, &e);
	if (st == TAF_OK && !more && !less)
		st = taf_daf_put_commit(put, &e);
	else
		taf_daf_put_discard(put);
	must(st == e.code && (st == TAF_OK || e.text[0] != '\0'));
	taf_daf_strings_free(&t);
	return st == TAF_OK && !more && !less;
}

static void
write_item(const struct taf_daf *s, const char *name, const unsigned char *p, size_t n)
{
	struct taf_daf_item it = { 0 };
	struct wish w = { 0 };
	struct taf_err e = { 0 };
	static const char *const words[] = { "", "gzip", "zstd", "blosc" };
	uint64_t longest;
	bool good;
	int k;

	if (n < 3 || taf_daf_item_parse(&it, name, &e) != TAF_OK ||
	    taf_daf_new_name(it.name, it.kind == TAF_DAF_VECTOR, &e) != TAF_OK)
		goto out;
	for (k = 0; k < 2 && it.axis[k] != NULL; k++)
		if (taf_daf_axis_length(s, it.axis[k], &it.n[k], &e) != TAF_OK)
			goto out;
	if (count(&it) > WRITTEN)
		goto out;
	w.type = p[0] % 11 == 10 ? TAF_DAF_BOOL : p[0] % 11;
	w.sparse = it.kind != TAF_DAF_SCALAR && (p[2] & 1) != 0;
	w.zeros = (p[2] & 2) != 0;
	w.force = (p[2] & 4) != 0;
	if (taf_daf_packing_parse(&w.packing, words[p[2] >> 3 & 3], &e) != TAF_OK)
		w.packing = TAF_DAF_PLAIN;
	taf_err_clear(&e);
	/* one that holds what it must */
	longest = count(&it) + 1 > it.n[0] + it.n[1] ? count(&it) + 1 : it.n[0] + it.n[1];
	w.index = longest < 128 || (longest < 32768 && p[1] % 8 >= TAF_INT16) ? p[1] % 8 :
	    TAF_UINT32;
	w.size = taf_daf_size(w.type);
	w.n = (size_t)count(&it);
	w.p = malloc(w.n * w.size + 8);
	must(w.p != NULL);
	fill(&w, p + 3, n - 3);
	if (give(s, &it, &w)) {
		verify(s, &it, &w);
		if (it.kind != TAF_DAF_SCALAR && !w.sparse && w.force &&
		    give_strings(s, &it, &w, p + 3, n - 3)) {
			free(look(s, &it, &good));
			must(good);
		}
	}
	free(w.p);
out:
	taf_daf_item_free(&it);
}

static void
add_axis(const struct taf_daf *s, const char *name, const char *p, size_t n)
{
	struct taf_daf_strings t = { 0 };
	struct taf_err e = { 0 };
	enum taf_status st;
	struct taf_in *in;
	uint64_t length;

	must(taf_in_mem(&in, p, n, &e) == TAF_OK);
	st = taf_daf_entries_read(in, &t, &e);
	taf_in_close(in);
	if (st == TAF_OK)
		st = taf_daf_new_name(name, false, &e);
	if (st == TAF_OK && !taf_daf_has_axis(s, name) &&
	    taf_daf_prepare_axis(s, TAF_DAF_LOOK, name, &e) == TAF_OK &&
	    taf_daf_add_axis(s, name, &t, &e) == TAF_OK) {
		must(read_axis(s, name));
		must(taf_daf_axis_length(s, name, &length, &e) == TAF_OK &&
		    length == t.n);
	}
	taf_daf_strings_free(&t);
}

/* --- the script --- */

/* Then both layouts are there, and hold the same. */
static void
transpose_item(const char *name, bool force)
{
	struct taf_service service = { .memory = 1 << 20 };
	struct taf_daf_given given = { .packing = TAF_DAF_PLAIN };
	struct taf_daf_item it = { 0 };
	struct taf_err e = { 0 };
	struct taf_daf s = { 0 };
	enum taf_status st;
	bool good;

	if (taf_daf_item_parse(&given.item, name, &e) != TAF_OK ||
	    given.item.kind != TAF_DAF_MATRIX) {
		taf_daf_item_free(&given.item);
		return;
	}
	st = taf_daf_relayout(store, &given, force, &service, &e);
	must(st == e.code && (st == TAF_OK || e.text[0] != '\0'));
	taf_daf_given_free(&given);
	if (st != TAF_OK)
		return;
	must(taf_daf_item_parse(&it, name, &e) == TAF_OK);
	must(taf_daf_open(&s, store, &e) == TAF_OK);
	free(look(&s, &it, &good));
	must(good && compare(&s, &it));
	taf_daf_item_free(&it);
	taf_daf_close(&s);
}

static void
step(char kind, char *name, const char *p, size_t n)
{
	struct taf_daf s = { 0 };
	struct taf_err e = { 0 };
	int lock = -1;

	if (strchr("fdplz", kind) != NULL) {
		make(kind, name, p, n);
		return;
	}
	if (kind == 'y') {
		transpose_item(name, n > 0 && p[0] == 'f');
		return;
	}
	if (kind == 'c' && taf_daf_create(store, &e) == TAF_OK)
		must(access(store, F_OK) == 0);
	taf_err_clear(&e);
	if (taf_daf_open(&s, store, &e) != TAF_OK)
		must(e.code == TAF_EDATA || e.code == TAF_ETRUNC);
	else if (taf_daf_recover(&s, &e) != TAF_OK)
		/* the system refuses to put a file where a folder is */
		must(e.code == TAF_EDATA || e.code == TAF_ETRUNC || e.code == TAF_ESYS);
	else if (kind == 'r')
		read_named(&s, name);
	else if (kind == '*')
		read_all(&s);
	else if (taf_daf_lock(&s, &lock, &e) == TAF_OK) {
		if (kind == 'a')
			add_axis(&s, name, p, n);
		else if (kind == 'w')
			write_item(&s, name, (const unsigned char *)p, n);
		(void)close(lock);
	}
	taf_daf_close(&s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = size > 0 ? (const char *)data : "", *last = p + size;
	const char *line, *next;
	char name[PATH], all[] = "";
	int steps = 0;

	/* cut anywhere else, a script says nothing new, and folders take time */
	if (size < 4 || size > MOST || memcmp(p, "%%", 2) != 0 || last[-1] != '\n')
		return 0;
	last--;
	begin();
	for (; p != NULL && last - p > 2 && steps < STEPS; p = next, steps++) {
		next = memmem(p, (size_t)(last - p), "\n%%", 3);
		line = memchr(p, '\n', (size_t)(last - p));
		if (line == NULL)
			break;
		if (line - p >= 3 && line - p < PATH &&
		    memchr(p, '\0', (size_t)(line - p)) == NULL) {
			memcpy(name, p + 3, (size_t)(line - p) - 3);
			name[line - p - 3] = '\0';
			step(p[2], name, line + 1,
			    next == NULL ? (size_t)(last - line) - 1 : next > line ?
			    (size_t)(next - line) - 1 : 0);
		}
		if (next != NULL)
			next++;
	}
	step('*', all, NULL, 0);
	end();
	return 0;
}
