/* SPDX-License-Identifier: ISC */
/* tafread - the values of an array, one a line, or as float64 bytes. */
#include <unistd.h>

#include "array/region.h"
#include "base/str.h"
#include "cli/cmd.h"
#include "kernel/number/convert.h"
#include "stream/values.h"
#include "text/number.h"
#include "text/spell.h"

enum { OPT_PRINTF = 256 };

struct intent {
	struct taf_bounds bounds;
	struct taf_number number;
	bool binary, coordinates, raw;
};

static const struct cmd_option options[] = {
	{ 'b', "binary", NULL, "float64 bytes instead of text", SET(FLAG, binary) },
	{ 'c', "coordinates", NULL, "each value after its grid coordinates",
	    SET(FLAG, coordinates) },
	{ 'f', "force", NULL, "binary even to a terminal", .kind = CMD_SET_COMMON },
	{ 'g', "grid", "DIM=LO:HI", "only these grid values of a dimension",
	    SET(BOUNDS, bounds) },
	{ 'r', "raw", NULL, "values as they are stored", SET(FLAG, raw) },
	{ 'x', "index", "DIM=LO:HI[:STEP]", "only these indices of a dimension",
	    SET(BOUNDS, bounds) },
	{ OPT_PRINTF, "printf", "FMT", "print values by a format of printf",
	    SET(PARSED, number), .parse = taf_number_parse },
	{ 0 },
};

static const struct cmd self = {
	"tafread", "print the values of an array",
	"[-bcr] [-x DIM=LO:HI[:STEP]] [-g DIM=LO:HI] [--printf FMT] [-N K] [-J N] [-o FILE] [file]",
	options, CMD_FILE | CMD_PICK | CMD_JOBS | CMD_ONE,
};

/* An array on its way out. */
struct job {
	const struct intent *want;
	struct cmd_run *run;
	const struct taf_array *a;
	struct taf_region region;
	struct taf_reader *r;
	struct taf_values *v;
	enum taf_type type;
};

/* A walk over the points of its region. */
struct walk {
	const struct job *j;
	uint64_t at[TAF_MAX_DIM];
	struct taf_str rest;		/* the coordinates from dimension 2 on, as text */
};

static enum taf_status
check(const void *ctx, const struct taf_array *a, struct taf_err *e)
{
	const struct intent *want = ctx;
	struct taf_region region;

	if (taf_bounds_resolve(&want->bounds, a, &region, e) != TAF_OK)
		return e->code;
	return taf_number_check(&want->number, taf_values_type(a, want->raw), e);
}

static double
coordinate(const struct walk *w, unsigned k)
{
	const struct taf_dim *d = &w->j->a->dim[k];
	uint64_t i = w->j->region.first[k] + w->at[k] * w->j->region.step[k];

	return d->start + (double)i * d->step;
}

static void
put_rest(struct walk *w)
{
	unsigned k;

	w->rest.buf.len = 0;
	for (k = 1; k < w->j->region.ndim; k++)
		taf_str_printf(&w->rest, " %s", taf_f64(coordinate(w, k)).s);
	taf_str_puts(&w->rest, " ");
}

static enum taf_status
put_points(const struct job *j, struct taf_buf *b, const unsigned char *p, size_t n,
    uint64_t first, struct taf_err *e)
{
	const size_t esize = taf_type_size(j->type);
	const struct taf_region *region = &j->region;
	struct walk w = { .j = j, .rest = { .err = e } };
	struct taf_str s = { .buf = *b, .err = e };
	unsigned k;
	size_t i;

	for (k = 0; k < region->ndim; first /= region->count[k++])
		w.at[k] = first % region->count[k];
	for (i = 0; i < n && s.st == TAF_OK; i++) {
		if (w.at[0] == 0 || w.rest.buf.len == 0)
			put_rest(&w);
		taf_str_f64(&s, coordinate(&w, 0));
		taf_str_put(&s, w.rest.buf.data, w.rest.buf.len);
		if (w.rest.st != TAF_OK)
			s.st = w.rest.st;
		if (s.st == TAF_OK)
			s.st = taf_number_put(&s.buf, &j->want->number, j->type,
			    p + i * esize, 1, e);
		for (k = 0; k < region->ndim && ++w.at[k] == region->count[k]; k++)
			w.at[k] = 0;
	}
	taf_str_free(&w.rest);
	*b = s.buf;
	return s.st;
}

/* As doubles, each exactly. */
static enum taf_status
put_binary(struct taf_buf *b, enum taf_type type, const unsigned char *p, size_t n,
    uint64_t first, struct taf_err *e)
{
	struct taf_convert_count count = { 0 };
	enum taf_status st;
	size_t i, esize;

	n *= taf_type_facts(type)->components;
	type = taf_type_facts(type)->component;
	esize = taf_type_size(type);
	st = taf_buf_reserve(b, n * sizeof(double), e);
	if (st != TAF_OK)
		return st;
	(void)taf_convert(b->data + b->len, TAF_FLT64, p, type, n, NULL, false, &count);
	b->len += n * sizeof(double);
	if (count.rounded == 0)
		return TAF_OK;
	count.rounded = 0;
	for (i = 0; i < n && count.rounded == 0; i++)
		(void)taf_convert(b->data + b->len, TAF_FLT64, p + i * esize, type, 1,
		    NULL, false, &count);
	return taf_fail(e, TAF_EDATA, "value %llu: an integer that no float64 equals",
	    (unsigned long long)(first + i));
}

static enum taf_status
put(const void *ctx, struct taf_buf *b, const void *p, size_t n, uint64_t first,
    struct taf_err *e)
{
	const struct job *j = ctx;

	if (j->want->binary)
		return put_binary(b, j->type, p, n, first, e);
	if (j->want->coordinates)
		return put_points(j, b, p, n, first, e);
	return taf_number_put(b, &j->want->number, j->type, p, n, e);
}

static enum taf_status
read_values(void *ctx, const void **p, size_t *n, struct taf_err *e)
{
	const struct job *j = ctx;
	const uint64_t total = taf_array_bytes(j->a);

	taf_progress(&j->run->service, total - taf_reader_left(j->r) *
	    taf_type_size(j->a->type), total);
	return taf_values_read(j->v, p, n, e);
}

static enum taf_status
print(struct cmd_run *run, struct taf_arrays *all, void *ctx, struct taf_err *e)
{
	const struct intent *want = ctx;
	const struct taf_array *a = &all->a;
	struct job j = { .want = want, .run = run, .a = a, .r = all->r,
	    .type = taf_values_type(a, want->raw) };
	struct taf_spell how = { &j, taf_type_size(j.type), 1, read_values, put };
	struct taf_recode values;
	enum taf_status st;

	if (taf_bounds_resolve(&want->bounds, a, &j.region, e) != TAF_OK ||
	    taf_values_plan(&values, a, j.type, want->raw, false, e) != TAF_OK ||
	    taf_values_open(&j.v, all->r, a, &j.region, &values, e) != TAF_OK)
		return e->code;
	how.count = taf_region_count(&j.region);
	st = taf_spell(&run->service, run->out, &how, e);
	taf_values_close(j.v);
	if (st == TAF_OK && !want->raw && taf_array_mapped(a))
		cmd_remark_missing(run, a);
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want = { .number = { .between = ' ', .after = '\n' } };

	cmd_options(run, &want);
	if (want.binary && (want.coordinates || want.number.conversion != '\0'))
		cmd_usage(run, "-b: neither -c nor --printf goes with it");
	if (want.binary && run->output == NULL && !run->force && isatty(1) == 1)
		cmd_usage(run, "binary data to a terminal: use -o, a pipe, or -f");
	run->late = true;
	return cmd_export(run, check, print, NULL, &want);
}
