#include "kernel/nan.h"

#include <math.h>

#include "config.h"
#include "base/attr.h"
#include "kernel/fast.h"

TAF_WIDE_VOID(make_one, (double *p, size_t n), (p, n))
{
	size_t i;

	for (i = 0; i < n; i++)
		p[i] = p[i] == p[i] ? p[i] : (double)NAN;
}

void
taf_make_one_nan(double *p, size_t n)
{
	make_one(p, n);
}
