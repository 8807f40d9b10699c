/* tafread - the values of an array, one a line, or as float64 bytes. */
#include <unistd.h>

#include "array/region.h"
#include "base/decimal.h"
#include "cli/cmd.h"
#include "cli/number.h"
#include "cli/text.h"
#include "kernel/convert.h"
#include "stream/values.h"

enum {
	OPT_PRINTF = 256,
	PORTION = 16384		/* values between two writes */
};

static const struct cmd_option options[] = {
	{ 'b', "binary", NULL, "float64 bytes instead of text" },
	{ 'c', "coordinates", NULL, "each value after its grid coordinates" },
	{ 'f', "force", NULL, "binary even to a terminal" },
	{ 'g', "grid", "DIM=LO:HI", "only these grid values of a dimension" },
	{ 'r', "raw", NULL, "values as they are stored" },
	{ 'x', "index", "DIM=LO:HI[:STEP]", "only these indices of a dimension" },
	{ OPT_PRINTF, "printf", "FMT", "print values by a format of printf" },
	{ 0, NULL, NULL, NULL },
};

static const struct cmd self = {
	"tafread", "print the values of an array",
	"[-bcr] [-x DIM=LO:HI[:STEP]] [-g DIM=LO:HI] [--printf FMT] [-N K] [-o FILE] "
	"[file]",
	options, CMD_FILE | CMD_PICK | CMD_ONE,
};

struct intent {
	struct taf_bounds bounds;
	struct cmd_number number;
	bool binary, coordinates, raw;
};

/* A walk over the points of a region. */
struct walk {
	const struct taf_array *a;
	struct taf_region region;
	uint64_t at[TAF_MAX_DIM];
	struct taf_buf rest;		/* the coordinates from dimension 2 on, as text */
	uint64_t done;			/* values */
};

static enum taf_status
check(const void *ctx, const struct taf_array *a, struct taf_err *e)
{
	const struct intent *want = ctx;
	struct taf_region region;
	enum taf_status st = taf_bounds_resolve(&want->bounds, a, &region, e);

	if (st == TAF_OK)
		st = cmd_number_check(&want->number, taf_values_type(a, want->raw), e);
	return st;
}

static double
coordinate(const struct walk *w, unsigned k)
{
	const struct taf_dim *d = &w->a->dim[k];
	uint64_t i = w->region.first[k] + w->at[k] * w->region.step[k];

	return d->start + (double)i * d->step;
}

static enum taf_status
put_rest(struct walk *w, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	unsigned k;

	w->rest.len = 0;
	for (k = 1; k < w->region.ndim && st == TAF_OK; k++) {
		st = taf_buf_puts(&w->rest, " ", e);
		if (st == TAF_OK)
			st = cmd_put_f64(&w->rest, coordinate(w, k), e);
	}
	return st != TAF_OK ? st : taf_buf_puts(&w->rest, " ", e);
}

static enum taf_status
put_points(struct taf_buf *b, struct walk *w, const struct cmd_number *f,
    enum taf_type type, const unsigned char *p, size_t n, struct taf_err *e)
{
	const size_t esize = taf_type_size(type);
	enum taf_status st = TAF_OK;
	unsigned k;
	size_t i;

	for (i = 0; i < n && st == TAF_OK; i++) {
		if (w->at[0] == 0 || w->rest.len == 0)
			st = put_rest(w, e);
		if (st == TAF_OK)
			st = taf_buf_reserve(b, TAF_DECIMAL_MAX, e);
		if (st == TAF_OK)
			b->len += taf_print_f64(b->data + b->len, coordinate(w, 0));
		if (st == TAF_OK)
			st = taf_buf_put(b, w->rest.data, w->rest.len, e);
		if (st == TAF_OK)
			st = cmd_number_put(b, f, type, p + i * esize, 1, e);
		for (k = 0; k < w->region.ndim && ++w->at[k] == w->region.count[k]; k++)
			w->at[k] = 0;
	}
	return st;
}

/* As doubles, each exactly. */
static enum taf_status
put_binary(struct taf_buf *b, const struct walk *w, enum taf_type type,
    const unsigned char *p, size_t n, struct taf_err *e)
{
	struct taf_convert_count count = { 0 };
	enum taf_status st;
	size_t i, esize;

	if (type == TAF_COMPLEX) {
		type = TAF_FLT32;
		n *= 2;
	}
	esize = taf_type_size(type);
	st = taf_buf_reserve(b, n * sizeof(double), e);
	if (st != TAF_OK)
		return st;
	(void)taf_convert(b->data, TAF_FLT64, p, type, n, NULL, false, &count);
	b->len = n * sizeof(double);
	if (count.rounded == 0)
		return TAF_OK;
	count.rounded = 0;
	for (i = 0; i < n && count.rounded == 0; i++)
		(void)taf_convert(b->data, TAF_FLT64, p + i * esize, type, 1, NULL, false,
		    &count);
	return taf_fail(e, TAF_EDATA, "value %llu: an integer that no float64 equals",
	    (unsigned long long)(w->done + i));
}

static enum taf_status
put_values(const struct intent *want, struct walk *w, struct taf_buf *b,
    struct taf_out *out, enum taf_type type, const unsigned char *p, size_t n,
    struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	size_t part;

	for (; n > 0 && st == TAF_OK; n -= part, p += part * taf_type_size(type)) {
		part = n < PORTION ? n : PORTION;
		b->len = 0;
		if (want->binary)
			st = put_binary(b, w, type, p, part, e);
		else if (want->coordinates)
			st = put_points(b, w, &want->number, type, p, part, e);
		else
			st = cmd_number_put(b, &want->number, type, p, part, e);
		if (st == TAF_OK)
			st = taf_out_write(out, b->data, b->len, e);
		w->done += part;
	}
	return st;
}

static enum taf_status
print(struct cmd_run *run, void *ctx, struct taf_reader *r, struct taf_array *a,
    bool last, struct taf_err *e)
{
	const struct intent *want = ctx;
	const enum taf_type type = taf_values_type(a, want->raw);
	const uint64_t total = taf_array_bytes(a), esize = taf_type_size(a->type);
	struct walk w = { .a = a };
	struct taf_values *v = NULL;
	struct taf_buf b = { 0 };
	enum taf_status st;

	(void)last;
	st = taf_bounds_resolve(&want->bounds, a, &w.region, e);
	if (st == TAF_OK)
		st = taf_values_open(&v, r, a, &w.region, type, want->raw, false, e);
	while (st == TAF_OK) {
		const void *p;
		size_t n;

		st = taf_values_read(v, &p, &n, e);
		if (st != TAF_OK || n == 0)
			break;
		st = put_values(want, &w, &b, run->out, type, p, n, e);
		cmd_progress(run, total - taf_reader_left(r) * esize, total);
	}
	taf_values_close(v);
	taf_buf_free(&w.rest);
	taf_buf_free(&b);
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want = { .number = { .between = ' ', .after = '\n' } };
	const char *arg;
	int c;

	while ((c = cmd_option(run, &arg)) != 0)
		switch (c) {
		case 'b':
			want.binary = true;
			break;
		case 'c':
			want.coordinates = true;
			break;
		case 'f':
			run->force = true;
			break;
		case 'r':
			want.raw = true;
			break;
		case OPT_PRINTF:
			cmd_check(run, cmd_number_parse(&want.number, arg, &run->err));
			break;
		case 'g':
		case 'x':
			cmd_bound(run, c, arg, &want.bounds);
			break;
		}
	if (want.binary && (want.coordinates || want.number.conversion != '\0'))
		cmd_usage(run, "-b: neither -c nor --printf goes with it");
	if (want.binary && run->output == NULL && !run->force && isatty(1) == 1)
		cmd_usage(run, "binary data to a terminal: use -o, a pipe, or -f");
	run->late = true;
	return cmd_export(run, check, print, &want);
}
