/* The functions that have no loop of their own. */
#include <math.h>

#include "kernel/func.h"

#define ONE(name, f) \
void \
taf_func_##name(double *y, const double *x, size_t n) \
{ \
	for (size_t i = 0; i < n; i++) \
		y[i] = f(x[i]); \
}

ONE(gamma, tgamma)
ONE(lgamma, lgamma)
