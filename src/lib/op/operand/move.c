/* SPDX-License-Identifier: ISC */
#include "op/operand/move.h"

#include "stream/writer_private.h"

struct taf_along
taf_move_along(const struct taf_move *m, unsigned dim)
{
	return (struct taf_along){ m->service, m->r, m->in, dim, m->out, m->w, false };
}

struct taf_along
taf_move_parts(const struct taf_move *m, unsigned dim)
{
	struct taf_along l = taf_move_along(m, dim);

	l.parts = taf_type_is_pair(m->in->type);
	if (l.parts) {
		taf_reader_parts(m->r);
		taf_writer_parts(m->w);
	}
	return l;
}

enum taf_status
taf_move_blind(struct taf_err *e)
{
	return taf_fail(e, TAF_END, "elements are needed, and there are headers alone");
}

void
taf_remark_grids(const struct taf_move *m, unsigned but, uint64_t least)
{
	unsigned i, k;

	for (i = 1; i < m->n; i++) {
		const struct taf_array *a = m->each[i].a;

		for (k = 1; k <= a->ndim; k++)
			if (k != but && a->dim[k - 1].n >= least &&
			    !taf_array_same_grid(m->out, a, k, 1e-6))
				break;
		if (k <= a->ndim)
			taf_remark(m->service,
			    "%s: dimension %u: its grid is not that of the result",
			    m->name[i], k);
	}
}
