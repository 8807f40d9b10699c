/* SPDX-License-Identifier: ISC */
#include "plot/label.h"

#include <string.h>

/* Of columns with the grid that nobody has set the index says it, and no unit. */
static bool
has_title(const struct taf_plot *p)
{
	return p->y.name.data != NULL || p->y.unit.data != NULL;
}

void
taf_plot_names_title(struct taf_str *to, const struct taf_plot *p)
{
	if (p->names == NULL && p->parts == 1 && p->curves > 1 && p->part->names.len == 0)
		taf_str_puts(to, has_title(p) ? p->y.label.data : "column");
}

/* Name k, from 0, of those with commas between. */
static void
put_listed(struct taf_str *to, const char *names, size_t k)
{
	struct taf_str one = { .err = to->err };

	for (; k > 0; k--)
		names += strcspn(names, ",") + 1;
	taf_str_put(&one, names, strcspn(names, ","));
	if (one.st == TAF_OK)
		taf_plot_text(to, one.buf.data != NULL ? one.buf.data : "");
	else
		to->st = one.st;
	taf_str_free(&one);
}

/* What tells a curve from the others of its array: a name, or a place on the grid. */
static void
put_place(struct taf_str *to, const struct taf_plot_axis *as,
    const struct taf_plot_part *part, size_t curve)
{
	const double c = (double)curve;

	if (part->names.data != NULL)
		put_listed(to, part->names.data,
		    (size_t)(part->first_name + c * part->name_step));
	else
		taf_plot_number(to, as, part->y.start + c * part->y.step);
}

void
taf_plot_name(struct taf_str *to, const struct taf_plot *p, size_t curve)
{
	const size_t of_all = curve;
	const struct taf_plot_part *part = taf_plot_part_of(p, &curve);

	if (p->names != NULL) {
		put_listed(to, p->names, of_all);
		return;
	}
	if (p->parts == 1 && part->curves > 1) {
		put_place(to, p->wiggle ? &p->x : &p->y, part, curve);
		return;
	}
	taf_str_puts(to, part->name.data != NULL ? part->name.data : "");
	if (part->curves == 1)
		return;
	taf_str_puts(to, part->name.len > 0 ? ", " : "");
	put_place(to, &part->y, part, curve);
	if (part->y.unit.data != NULL) {
		taf_str_puts(to, " ");
		taf_plot_text(to, part->y.unit.data);
	}
}

enum taf_status
taf_plot_label(struct taf_plot_axis *x, const char *given, struct taf_err *e)
{
	const char *name = given != NULL ? given : x->name.data;
	const bool has = name != NULL && name[0] != '\0';
	struct taf_str s = { .err = e };

	/* no unit where no label is wanted, and so no prefix */
	if (given != NULL && !has) {
		x->scale = (struct taf_scale){ .shift = 0 };
		return TAF_OK;
	}
	taf_plot_text(&s, has ? name : "");
	if (x->unit.data != NULL) {
		taf_str_puts(&s, has ? " (" : "");
		taf_scale_unit(&s, &x->scale, x->unit.data);
		taf_str_puts(&s, has ? ")" : "");
	}
	x->label = s.buf;
	return s.st;
}

static bool
same(const struct taf_buf *a, const struct taf_buf *b)
{
	return a->len == b->len && (a->len == 0 || memcmp(a->data, b->data, a->len) == 0);
}

/* Does each of the parts call itself something that no other does? */
static bool
words_differ(const struct taf_plot *p)
{
	size_t i, k;

	for (i = 0; i < p->parts; i++)
		for (k = 0; k <= i; k++)
			if (p->part[i].word.len == 0 ||
			    (k < i && same(&p->part[i].word, &p->part[k].word)))
				return false;
	return p->parts > 1;
}

/*
 * Where what arrays say of themselves does not tell them apart, the file does if there
 * are several; or else the number tells those of one file apart.
 */
static void
put_part_name(struct taf_str *s, const struct taf_plot *p,
    const struct taf_plot_part *part, bool word_alone)
{
	const struct taf_plot_part *o;
	size_t files = 0, mates = 0, twins = 0, number = 1;

	for (o = p->part; o < p->part + p->parts; o++) {
		if (!same(&o->file, &part->file)) {
			files++;
			continue;
		}
		mates++;
		number += o < part;
		twins += same(&o->word, &part->word);
	}
	if (word_alone && part->word.len > 0) {
		taf_plot_text(s, part->word.data);
		return;
	}
	if (files > 0 || part->word.len == 0)
		taf_plot_text(s, part->file.data != NULL ? part->file.data : "");
	if (mates == 1 && files > 0)
		return;
	taf_str_puts(s, s->buf.len > 0 && (part->word.len > 0 || mates > 1) ? ", " : "");
	if (part->word.len > 0 && (twins == 1 || mates == 1))
		taf_plot_text(s, part->word.data);
	else if (mates > 1)
		taf_str_printf(s, "array %zu", number);
}

enum taf_status
taf_plot_labels(struct taf_plot *p, const struct taf_plot_how *how, struct taf_err *e)
{
	struct taf_plot_part *part;
	const bool words = how->key != NULL || words_differ(p);
	const bool up = taf_plot_up(p) == &p->y;
	enum taf_status st = TAF_OK;

	if (taf_plot_label(&p->x, how->x_label, e) != TAF_OK ||
	    taf_plot_label(&p->y, up ? how->y_label : NULL, e) != TAF_OK ||
	    taf_plot_label(&p->value, up ? NULL : how->y_label, e) != TAF_OK)
		return e->code;
	for (part = p->part; part < p->part + p->parts && st == TAF_OK; part++) {
		struct taf_str s = { .err = e };

		put_part_name(&s, p, part, words);
		part->name = s.buf;
		st = s.st;
	}
	return st;
}
