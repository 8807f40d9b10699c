/* Not a number. */
#ifndef TAF_KERNEL_NAN_H
#define TAF_KERNEL_NAN_H

#include <stddef.h>

/*
 * Each NaN among n results becomes 0x7ff8000000000000: processors and compilers differ in
 * those that they make.
 */
void taf_make_one_nan(double *p, size_t n);

#endif
