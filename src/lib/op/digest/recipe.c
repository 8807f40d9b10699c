/* SPDX-License-Identifier: ISC */
#include "op/digest/recipe.h"

#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf_private.h"
#include "base/num.h"
#include "io/in.h"
#include "io/url.h"
#include "op/digest/checksum.h"
#include "stream/reader.h"

static const char before_arrays[] = "array:", before_bytes[] = "file:",
    piped[] = "@-";

static enum taf_status
digest_bytes(struct taf_in *in, char digest[TAF_BLAKE3_TEXT], struct taf_err *e)
{
	struct taf_blake3 join = { 0 };
	struct taf_blake3_node node;
	unsigned char *piece = taf_alloc(1, TAF_BLAKE3_PIECE);
	const unsigned char *p;
	enum taf_status st = piece == NULL ? taf_fail_mem(e) : TAF_OK;
	size_t got = 0, more = 1;

	while (st == TAF_OK && more > 0) {
		st = taf_in_read_part(in, piece, TAF_BLAKE3_PIECE, &got, e);
		if (st == TAF_OK)
			st = taf_in_peek(in, 1, &p, &more, e);
		if (st != TAF_OK)
			break;
		node = taf_blake3_piece(piece, got, join.pieces,
		    join.pieces == 0 && more == 0);
		taf_blake3_join(&join, &node);
	}
	free(piece);
	if (st != TAF_OK)
		return st;
	node = taf_blake3_end(&join);
	taf_blake3_text(&node, digest);
	return TAF_OK;
}

/* One digest a line: of an only array the digest itself. */
static enum taf_status
digest_arrays(const struct taf_service *service, struct taf_reader *r,
    char digest[TAF_BLAKE3_TEXT], struct taf_err *e)
{
	static const struct taf_checksum_want want = { false, false };
	struct taf_array a = { 0 };
	struct taf_checksum sum;
	struct taf_blake3_node node;
	struct taf_str all = { .err = e };
	enum taf_status st;
	size_t n = 0;

	while ((st = taf_reader_next(r, &a, e)) == TAF_OK) {
		st = taf_checksum(service, r, &a, &want, &sum, e);
		if (st == TAF_OK) {
			taf_blake3_text(&sum.array, digest);
			taf_str_printf(&all, "%s\n", digest);
		}
		taf_checksum_free(&sum);
		if (st != TAF_OK || all.st != TAF_OK)
			break;
		n++;
	}
	if (st == TAF_END)
		st = all.st;
	if (st == TAF_OK && n > 1) {
		node = taf_blake3(all.buf.data, all.buf.len);
		taf_blake3_text(&node, digest);
	}
	taf_str_free(&all);
	taf_array_fini(&a);
	return st;
}

/* Takes in. */
static enum taf_status
digest_in(const struct taf_service *service, struct taf_in *in, const char *path,
    char digest[TAF_BLAKE3_TEXT], struct taf_err *e)
{
	struct taf_reader *r;
	enum taf_status st = taf_reader_new(&r, in, path, 0, e);

	if (st != TAF_OK)
		return st;
	st = digest_arrays(service, r, digest, e);
	taf_reader_close(r);
	return st;
}

/* A descriptor of our own for standard input: reading it moves no position. */
static enum taf_status
open_again(struct taf_in **in, int fd, const char *name, struct taf_err *e)
{
	const int own = fcntl(fd, F_DUPFD_CLOEXEC, 3);

	return own < 0 ? taf_fail_sys(e, "%s: cannot read again", name) :
	    taf_in_fd(in, own, name, e);
}

enum taf_status
taf_recipe_digest(const struct taf_service *service, const char *path, bool bytes,
    char digest[TAF_BLAKE3_TEXT], struct taf_err *e)
{
	const char *const name = taf_in_called(path);
	struct taf_in *in = NULL;
	struct taf_reader *r = NULL;
	enum taf_status st;

	if (path == NULL)
		st = open_again(&in, 0, name, e);
	else if (bytes)
		st = taf_in_open(&in, path, e);
	else
		st = taf_reader_open(&r, path, 0, e);
	if (st == TAF_OK && bytes)
		st = digest_bytes(in, digest, e);
	else if (st == TAF_OK && path == NULL)
		return digest_in(service, in, NULL, digest, e);
	else if (st == TAF_OK)
		st = digest_arrays(service, r, digest, e);
	taf_err_name(e, name);
	taf_reader_close(r);
	taf_in_close(in);
	return st;
}

enum taf_status
taf_recipe_digest_fd(const struct taf_service *service, int fd, const char *name,
    char digest[TAF_BLAKE3_TEXT], struct taf_err *e)
{
	struct taf_in *in;

	if (lseek(fd, 0, SEEK_SET) < 0)
		return taf_fail_sys(e, "%s: cannot read again", name);
	if (open_again(&in, fd, name, e) != TAF_OK)
		return e->code;
	return digest_in(service, in, NULL, digest, e);
}

enum taf_recipe_value
taf_recipe_value(const char *called, const char *value, size_t *skip)
{
	const char *const file = strstr(called, "FILE");
	const char *const equals = strchr(value, '=');
	double number;

	*skip = file != NULL && file != called && equals != NULL ?
	    (size_t)(equals + 1 - value) : 0;
	if (strstr(called, "PREFIX") != NULL)
		return TAF_RECIPE_ASIDE;
	if (file == NULL || (strchr(called, '|') != NULL &&
	    taf_parse_f64(value, strlen(value), &number)))
		return TAF_RECIPE_TEXT;
	return TAF_RECIPE_FILE;
}

void
taf_recipe_put(struct taf_str *line, const char *text, size_t n)
{
	for (; n > 0; n--, text++) {
		const unsigned char c = (unsigned char)*text;

		if (c <= 0x20 || c == 0x7f || strchr("\\@\"%", c) != NULL)
			taf_str_printf(line, "\\%02x", c);
		else
			taf_str_put(line, text, 1);
	}
}

void
taf_recipe_put_input(struct taf_str *line, const struct taf_service *service,
    const char *file, bool bytes)
{
	const char *const name = taf_in_called(file);
	const bool in = name != file, far = !in && taf_is_url(file);
	char digest[TAF_BLAKE3_TEXT];
	struct stat sb;

	if (line->st != TAF_OK)
		return;
	if (far)
		line->st = taf_fail(line->err, TAF_EDATA,
		    "%s: --recipe: what is behind a URL is read once: fetch it first",
		    name);
	else if ((in ? fstat(0, &sb) : stat(file, &sb)) != 0)
		line->st = taf_fail_sys(line->err, "%s: cannot open", name);
	else if (in && !S_ISREG(sb.st_mode))
		taf_str_puts(line, piped);
	else if (!S_ISREG(sb.st_mode))
		line->st = taf_fail(line->err, TAF_EDATA,
		    "%s: --recipe: no regular file, so nobody could find it again", name);
	else if ((line->st = taf_recipe_digest(service, in ? NULL : file, bytes, digest,
	    line->err)) == TAF_OK)
		taf_str_printf(line, "@%s%s", bytes ? before_bytes : before_arrays,
		    digest);
}

bool
taf_recipe_goes_on(const char *words)
{
	return strstr(words, piped) != NULL;
}

const char *
taf_recipe_get(const struct taf_array *a, unsigned k)
{
	char key[32];

	(void)snprintf(key, sizeof key, "recipe/%u", k);
	return taf_attr_get(a, key, TAF_OF_ARRAY, 0);
}

unsigned
taf_recipe_count(const struct taf_array *a)
{
	unsigned n = 0;

	while (n <= TAF_RECIPE_LINES && taf_recipe_get(a, n + 1) != NULL)
		n++;
	return n;
}

enum taf_status
taf_recipe_add(struct taf_array *a, const char *program, const char *result,
    uint64_t number, const char *words, struct taf_err *e)
{
	const unsigned k = taf_recipe_count(a) + 1;
	struct taf_str s = { .err = e };
	char key[32];

	if (k > TAF_RECIPE_LINES)
		return taf_fail(e, TAF_EDATA, "a recipe has no room for a line behind %d",
		    (int)TAF_RECIPE_LINES);
	if (k == 1 && taf_recipe_goes_on(words))
		return taf_fail(e, TAF_EDATA,
		    "--recipe: what comes through the pipe has no recipe: the program before it needs --recipe, too");
	taf_str_printf(&s, "%s %s %s", TAF_VERSION, program,
	    result != NULL ? result : "-");
	if (number > 0)
		taf_str_printf(&s, "#%llu", (unsigned long long)number);
	taf_str_puts(&s, words);
	taf_str_put(&s, "", 1);
	if (s.st == TAF_OK && s.buf.len > TAF_RECIPE_LINE)
		s.st = taf_fail(e, TAF_EDATA,
		    "%zu bytes of arguments: a line of a recipe has no room for them",
		    s.buf.len);
	(void)snprintf(key, sizeof key, "recipe/%u", k);
	if (s.st == TAF_OK)
		s.st = taf_attr_set(a, key, TAF_OF_ARRAY, 0, s.buf.data, e);
	taf_str_free(&s);
	return s.st;
}

static int
digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c != '\0' ? strchr(digits, c) : NULL;

	return at != NULL ? (int)(at - digits) : -1;
}

/* Decode a text where it stands; false where it was not written by taf_recipe_put. */
static bool
decode(char *text)
{
	const char *from = text;
	int high, low;

	for (; *from != '\0'; from++) {
		if (*from != '\\') {
			*text++ = *from;
			continue;
		}
		high = digit(from[1]);
		low = high >= 0 ? digit(from[2]) : -1;
		if (low < 0 || high + low == 0)
			return false;
		*text++ = (char)(high * 16 + low);
		from += 2;
	}
	*text = '\0';
	return true;
}

/* One argument, which is changed. */
static bool
parse_word(struct taf_recipe_word *w, char *text)
{
	char *at = strchr(text, '@');

	w->text = text;
	if (at != NULL) {
		*at++ = '\0';
		w->input = strcmp(at, piped + 1) == 0 ? TAF_RECIPE_BEFORE :
		    strncmp(at, before_bytes, sizeof before_bytes - 1) == 0 ?
		    TAF_RECIPE_BYTES : TAF_RECIPE_ARRAYS;
		w->digest = at + (w->input == TAF_RECIPE_BYTES ?
		    sizeof before_bytes - 1 : sizeof before_arrays - 1);
		if (w->input == TAF_RECIPE_ARRAYS &&
		    strncmp(at, before_arrays, sizeof before_arrays - 1) != 0)
			return false;
		if (w->input != TAF_RECIPE_BEFORE && !taf_blake3_is_text(w->digest))
			return false;
	}
	return decode(text);
}

static bool
parse_result(struct taf_recipe_line *line, char *text)
{
	char *at = strchr(text, '#');

	if (at != NULL) {
		*at++ = '\0';
		if (!taf_parse_u64(at, strlen(at), &line->number) || line->number == 0)
			return false;
	}
	line->result = strcmp(text, "-") == 0 ? NULL : text;
	return line->result == NULL || taf_blake3_is_text(text);
}

enum taf_status
taf_recipe_parse(struct taf_recipe_line *line, const char *text, struct taf_err *e)
{
	const size_t size = strlen(text);
	bool sound = size < TAF_RECIPE_LINE;
	char *at, *next;
	size_t k = 0;

	*line = (struct taf_recipe_line){ .text = strdup(text),
		.word = calloc(size + 1, sizeof *line->word) };
	if (line->text == NULL || line->word == NULL)
		return taf_fail_mem(e);
	for (at = line->text; at != NULL && sound; at = next, k++) {
		next = strchr(at, ' ');
		if (next != NULL)
			*next++ = '\0';
		if (k == 0)
			line->version = at;
		else if (k == 1)
			line->program = at;
		else if (k == 2)
			sound = parse_result(line, at);
		else
			sound = parse_word(&line->word[line->n++], at);
	}
	if (!sound || k < 3)
		return taf_fail(e, TAF_EDATA, "no line of a recipe");
	return TAF_OK;
}

void
taf_recipe_free(struct taf_recipe_line *line)
{
	free(line->word);
	free(line->text);
	*line = (struct taf_recipe_line){ .text = NULL };
}
