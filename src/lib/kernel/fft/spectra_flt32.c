/* SPDX-License-Identifier: ISC */
/* Spectra of flt32. */
#include "config.h"

#define REAL float
#define SPECTRA taf_spectra_flt32

#include "kernel/fft/spectra_typed.h"
