/* SPDX-License-Identifier: ISC */
#include "plot/panels.h"

#include <math.h>
#include <stdlib.h>

#include "plot/label.h"

static enum taf_status
make_panel(const struct taf_plot *p, const struct taf_plot_how *how, size_t c,
    struct taf_plot_axis *to, struct taf_err *e)
{
	size_t in_part = c;
	const struct taf_plot_part *part = taf_plot_part_of(p, &in_part);
	double lo = p->range[0], hi = p->range[1];

	to->log = p->value.log;
	/* of nothing but gaps those of all */
	if (!how->limits.given && !taf_plot_ends(p, part, in_part, &lo, &hi)) {
		lo = p->value.lo;
		hi = p->value.hi;
	}
	taf_plot_set_range(to, lo, hi);
	if ((part->value.name.data != NULL &&
	    taf_buf_puts(&to->name, part->value.name.data, e) != TAF_OK) ||
	    (part->value.unit.data != NULL &&
	    taf_buf_puts(&to->unit, part->value.unit.data, e) != TAF_OK))
		return e->code;
	if (!how->stored)
		taf_scale_choose(&to->scale, to->unit.data, to->lo, to->hi, to->log);
	return taf_plot_label(to, how->y_label, e);
}

enum taf_status
taf_panels_make(struct taf_plot *p, const struct taf_plot_how *how, struct taf_err *e)
{
	size_t c;

	p->panel = calloc(p->curves, sizeof *p->panel);
	if (p->panel == NULL)
		return taf_fail_mem(e);
	for (c = 0; c < p->curves; c++)
		if (make_panel(p, how, c, &p->panel[c], e) != TAF_OK)
			return e->code;
	return TAF_OK;
}
