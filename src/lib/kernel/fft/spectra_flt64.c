/* SPDX-License-Identifier: ISC */
/* Spectra of flt64. */
#include "config.h"

#define REAL double
#define SPECTRA taf_spectra_flt64

#include "kernel/fft/spectra_typed.h"
