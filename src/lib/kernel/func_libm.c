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

#define TWO(name, f) \
void \
taf_func_##name(double *y, const double *a, const double *b, size_t n) \
{ \
	for (size_t i = 0; i < n; i++) \
		y[i] = f(a[i], b[i]); \
}

ONE(cbrt, cbrt)
ONE(exp2, exp2)
ONE(expm1, expm1)
ONE(log2, log2)
ONE(log10, log10)
ONE(log1p, log1p)
ONE(tan, tan)
ONE(asin, asin)
ONE(acos, acos)
ONE(atan, atan)
ONE(sinh, sinh)
ONE(cosh, cosh)
ONE(tanh, tanh)
ONE(asinh, asinh)
ONE(acosh, acosh)
ONE(atanh, atanh)
ONE(erf, erf)
ONE(erfc, erfc)
ONE(gamma, tgamma)
ONE(lgamma, lgamma)

TWO(pow, pow)
TWO(atan2, atan2)
TWO(hypot, hypot)
