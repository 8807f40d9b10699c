/* Transforms of flt64. */
#include "config.h"

#include "kernel/fft_private.h"

#define REAL double
#define FFT taf_fft_flt64

#include "kernel/fft_typed.h"
