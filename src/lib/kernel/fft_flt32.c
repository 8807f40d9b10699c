/* Transforms of flt32. */
#include "config.h"

#include "kernel/fft_private.h"

#define REAL float
#define FFT taf_fft_flt32

#include "kernel/fft_typed.h"
