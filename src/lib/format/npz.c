/* SPDX-License-Identifier: ISC */
#include "format/npz.h"

#include <string.h>

#include "codec/npy.h"
#include "codec/npz_member.h"
#include "io/spool.h"

static enum taf_status
next(struct taf_in *in, struct taf_row_major_array *a, struct taf_err *e)
{
	const unsigned char *p;
	enum taf_status st;
	size_t got;

	st = taf_in_peek(in, 1, &p, &got, e);
	if (st == TAF_OK && got == 0)
		return TAF_END;
	if (st == TAF_OK)
		st = taf_npy_read(in, &a->nd, &a->bytes, e);
	a->type = a->nd.half ? "float16" : a->nd.logical ? "bool" : NULL;
	return st;
}

/* numpy.save may be called again for the same file: its arrays follow each other. */
static enum taf_status
end(struct taf_in *in, const struct taf_row_major_array *a, struct taf_err *e)
{
	(void)in, (void)a, (void)e;
	return TAF_OK;
}

void
taf_npz_format(struct taf_npz *z)
{
	z->format.next = next;
	z->format.end = end;
	z->format.type_key = "npy/type";
	z->format.ndim_key = "npy/ndim";
	z->format.part_key = TAF_NPZ_NAME_KEY;
}

/* Is the input an archive?  One must be where an array is named. */
static enum taf_status
look(struct taf_in *in, bool needed, bool *archive, struct taf_err *e)
{
	const unsigned char *p;
	size_t got;

	if (taf_in_peek(in, 4, &p, &got, e) != TAF_OK)
		return e->code;
	*archive = taf_zip_sniff(p, got);
	return *archive || !needed ? TAF_OK :
	    taf_fail(e, TAF_EDATA, "not an .npz archive: arrays have names there alone");
}

/* All members are arrays, with names of their own, and the wanted one is there. */
static enum taf_status
check_members(const struct taf_zip *z, const char *name, struct taf_err *e)
{
	const char *twice = taf_zip_twice(z);
	bool found = name == NULL;
	size_t k;

	if (twice != NULL)
		return taf_fail(e, TAF_EDATA, "member %.200s: is there twice", twice);
	if (z->n == 0)
		return taf_fail(e, TAF_EDATA, "an .npz archive without arrays");
	for (k = 0; k < z->n; k++) {
		const struct taf_zip_member *m = &z->member[k];
		const size_t n = taf_npz_name_length(m);

		if (n == 0 && name == NULL)
			return taf_fail(e, TAF_EDATA,
			    "member %.200s: not called .npy (--name reads one array)",
			    m->name);
		found = found || (n > 0 && strlen(name) == n &&
		    strncmp(m->name, name, n) == 0);
	}
	return found ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "no array is called %.200s (--list shows their names)", name);
}

static bool
wanted(const struct taf_npz *f, const struct taf_zip_member *m)
{
	const size_t n = taf_npz_name_length(m);

	return f->name == NULL ||
	    (strlen(f->name) == n && strncmp(m->name, f->name, n) == 0);
}

/* Look at all that is wanted, so that nothing goes out before what is refused. */
static enum taf_status
check_arrays(const struct taf_npz *f, const struct taf_zip *z, struct taf_err *e)
{
	struct taf_ndarray nd = { 0 };
	struct taf_layout l;
	size_t k;

	if (check_members(z, f->name, e) != TAF_OK)
		return e->code;
	for (k = 0; k < z->n; k++)
		if (wanted(f, &z->member[k]) &&
		    (taf_npz_describe(z, &z->member[k], &nd, NULL, e) != TAF_OK ||
		    taf_ndarray_import(&nd, f->format.reverse, &l, e) != TAF_OK))
			return taf_npz_in_member(&z->member[k], e);
	return TAF_OK;
}

enum taf_status
taf_npz_check(void *ctx, const struct taf_import *im, struct taf_in *in,
    struct taf_err *e)
{
	struct taf_npz *f = ctx;
	struct taf_zip z = { 0 };
	enum taf_status st;
	bool archive;

	if (look(in, f->name != NULL, &archive, e) != TAF_OK)
		return e->code;
	if (!archive)
		return taf_row_major_check(&f->format, im, in, e);
	st = taf_zip_open(&z, in, e);
	if (st == TAF_OK)
		st = check_arrays(f, &z, e);
	taf_zip_close(&z);
	return st;
}

/* One member to the writer; last: no other one follows. */
static enum taf_status
import_member(struct taf_npz *f, struct taf_import *im, const struct taf_zip *z,
    const struct taf_zip_member *m, bool last, struct taf_err *e)
{
	const bool ends = im->last;
	struct taf_str name = { .err = e };
	struct taf_zip_part *part = NULL;
	enum taf_status st;
	struct taf_in *in;

	taf_str_put(&name, m->name, taf_npz_name_length(m));
	st = name.st == TAF_OK ? taf_zip_begin(&part, z, m, e) : name.st;
	if (st == TAF_OK) {
		in = taf_zip_in(part);
		im->last = ends && last;
		f->format.part = name.buf.data;
		f->format.single = true;
		st = taf_row_major_import(&f->format, im, &in, e);
		im->last = ends;
		f->format.part = NULL;
		f->format.single = false;
	}
	taf_zip_end(part);
	taf_str_free(&name);
	return st == TAF_OK ? st : taf_npz_in_member(m, e);
}

enum taf_status
taf_npz_import(void *ctx, struct taf_import *im, struct taf_in **from, struct taf_err *e)
{
	struct taf_npz *f = ctx;
	struct taf_zip z = { 0 };
	enum taf_status st;
	bool archive;
	size_t k;

	if (look(*from, f->name != NULL, &archive, e) != TAF_OK)
		return e->code;
	if (!archive)
		return taf_row_major_import(&f->format, im, from, e);
	if (taf_spool_rest(from, e) != TAF_OK)
		return e->code;
	st = taf_zip_open(&z, *from, e);
	if (st == TAF_OK)
		st = check_arrays(f, &z, e);
	for (k = 0; k < z.n && st == TAF_OK && !im->done; k++)
		if (wanted(f, &z.member[k]))
			st = import_member(f, im, &z, &z.member[k], f->name != NULL ||
			    k + 1 == z.n, e);
	taf_zip_close(&z);
	return st;
}

enum taf_status
taf_npz_list(struct taf_in *in, struct taf_str *lines, struct taf_err *e)
{
	struct taf_ndarray nd = { 0 };
	struct taf_zip z = { 0 };
	enum taf_status st;
	bool archive;
	size_t k;

	if (look(in, true, &archive, e) != TAF_OK)
		return e->code;
	st = taf_zip_open(&z, in, e);
	if (st == TAF_OK)
		st = check_members(&z, NULL, e);
	for (k = 0; k < z.n && st == TAF_OK; k++) {
		st = taf_npz_describe(&z, &z.member[k], &nd, NULL, e);
		if (st != TAF_OK)
			break;
		taf_str_safe(lines, z.member[k].name, taf_npz_name_length(&z.member[k]));
		taf_str_printf(lines, "\t%s\t", nd.half ? "flt16" :
		    taf_type_facts(nd.type)->name);
		taf_str_list(lines, nd.n, nd.ndim);
		taf_str_puts(lines, "\n");
		st = lines->st;
	}
	taf_zip_close(&z);
	return st;
}
