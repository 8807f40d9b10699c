/* SPDX-License-Identifier: ISC */
/*
 * Coefficients and constants of the files func*.c, made by tools/coefficients; "make
 * coefficients" compares.  Errors of polynomials are absolute, those of their rounded
 * coefficients; the lowest coefficient comes first.
 */
#ifndef TAF_KERNEL_FUNC_FUNC_TABLES_H
#define TAF_KERNEL_FUNC_FUNC_TABLES_H

#include "kernel/number/two.h"

/*
 * (e^x - 1 - x - x^2 / 2) / x^3,
 * of degree 9, from -0.34661 to 0.34661; the error is below 2^-55
 */
static const double taf_func_exp_c[10] = {
	0x1.5555555555556p-3, 0x1.5555555555556p-5, 0x1.111111111070ap-7,
	0x1.6c16c16c15f3ep-10, 0x1.a01a01a9031f9p-13, 0x1.a01a01a8a0ab9p-16,
	0x1.71de0a391da77p-19, 0x1.27e4d64a53366p-22, 0x1.af3f0f70f32a2p-26,
	0x1.1f7ca2e74bef6p-29,
};

/*
 * (cosh r - 1) / x for x = r^2,
 * of degree 5, from 0 to 0.1203; the error is below 2^-65
 */
static const double taf_func_cosh_c[6] = {
	0x1p-1, 0x1.5555555555556p-5, 0x1.6c16c16c15ff2p-10,
	0x1.a01a01a81e4a3p-16, 0x1.27e4d80478246p-22, 0x1.1f790b6b6c56bp-29,
};

/*
 * (sinh r / r - 1) / x for x = r^2,
 * of degree 5, from 0 to 0.1203; the error is below 2^-56
 */
static const double taf_func_sinh_c[6] = {
	0x1.5555555555555p-3, 0x1.1111111111488p-7, 0x1.a01a019d9498bp-13,
	0x1.71de46518e653p-19, 0x1.ae327249b5a5ap-26, 0x1.ace7bf9d342ddp-33,
};

/*
 * (2 atanh s / s - 2) / x for x = s^2,
 * of degree 6, from 0 to 0.02945; the error is below 2^-51
 */
static const double taf_func_log_c[7] = {
	0x1.5555555555558p-1, 0x1.99999999952b9p-2, 0x1.2492492dfb9b8p-2,
	0x1.c71c62d649d8cp-3, 0x1.7462b925fa03ep-3, 0x1.39fdcbbceb4c6p-3,
	0x1.2b5f5b2f9f871p-3,
};

/*
 * (2 atanh s / s - 2 - 2/3 x) / x^2 for x = s^2,
 * of degree 7, from 0 to 0.02945; the error is below 2^-55
 */
static const double taf_func_log_more_c[8] = {
	0x1.999999999999ap-2, 0x1.24924924922fep-2, 0x1.c71c71c74c77ap-3,
	0x1.745d173ce41bap-3, 0x1.3b13a9cbb9294p-3, 0x1.111551154f755p-3,
	0x1.e01971bc08f3ap-4, 0x1.daa559ed8cce9p-4,
};

/*
 * (sin r / r - 1) / x for x = r^2,
 * of degree 6, from 0 to 0.617; the error is below 2^-56
 */
static const double taf_func_sin_c[7] = {
	-0x1.5555555555555p-3, 0x1.111111111101ep-7, -0x1.a01a019fe885fp-13,
	0x1.71de3a1036a14p-19, -0x1.ae63f7fe3e11fp-26, 0x1.60e5cb144f38dp-33,
	-0x1.8d5121e46429ap-41,
};

/*
 * (cos r - 1 + x / 2) / x^2 for x = r^2,
 * of degree 5, from 0 to 0.617; the error is below 2^-58
 */
static const double taf_func_cos_c[6] = {
	0x1.5555555555555p-5, -0x1.6c16c16c168ccp-10, 0x1.a01a019f38afap-16,
	-0x1.27e4fa036d38fp-22, 0x1.1eeb58509df39p-29, -0x1.9073d444493acp-37,
};

/*
 * (atan r / r - 1) / x for x = r^2,
 * of degree 11, from 0 to 0.17158; the error is below 2^-55
 */
static const double taf_func_atan_c[12] = {
	-0x1.5555555555555p-2, 0x1.9999999999815p-3, -0x1.2492492481cbep-3,
	0x1.c71c71bca8eaep-4, -0x1.745d15680755cp-4, 0x1.3b137c240395fp-4,
	-0x1.110d2f18fa6c7p-4, 0x1.e17f3cbf8f645p-5, -0x1.abcc3d95a51a9p-5,
	0x1.72169dbe34a0fp-5, -0x1.14bd80cae63e1p-5, 0x1.fb81f769758aep-7,
};

/*
 * (asin r / r - 1) / x for x = r^2,
 * of degree 13, from 0 to 0.25; the error is below 2^-56
 */
static const double taf_func_asin_c[14] = {
	0x1.5555555555555p-3, 0x1.33333333334b8p-4, 0x1.6db6db6d9654cp-5,
	0x1.f1c71c85ed4a1p-6, 0x1.6e8b9f6713decp-6, 0x1.1c4f265ba4bcdp-6,
	0x1.c98b913036391p-7, 0x1.7b398f2a661dcp-7, 0x1.39adf837f793ep-7,
	0x1.39bb9ce6010c3p-7, 0x1.1927dfeda6ac9p-9, 0x1.622dd15012138p-6,
	-0x1.689b26f12d5aep-6, 0x1.0018f0228d4bdp-5,
};

/*
 * the cube root of x,
 * of degree 6, from 1 to 2; the error is below 2^-22
 */
static const double taf_func_cbrt_c[7] = {
	0x1.ca4fa4c2c51cap-2, 0x1.e5848f0f7f4ddp-1, -0x1.5372c0e0a6b0cp-1,
	0x1.87980e1409b59p-2, -0x1.24c74e9c18b14p-3, 0x1.f3a12f3fc1111p-6,
	-0x1.70d7054e1bf93p-9,
};

/*
 * erf a / a - 1 for x = a^2,
 * of degree 12, from 0 to 1; the error is below 2^-56
 */
static const double taf_func_erf_c[13] = {
	0x1.06eba8214db69p-3, -0x1.812746b0379fdp-2, 0x1.ce2f21a04362dp-4,
	-0x1.b82ce312abf08p-6, 0x1.565bcd12991cp-8, -0x1.c02db49b09506p-11,
	0x1.f9a335388d2f5p-14, -0x1.f4d333884b5cap-17, 0x1.b9ee95850f6f5p-20,
	-0x1.5f9828c55da45p-23, 0x1.fc78cbccf6129p-27, -0x1.46794feb16f44p-30,
	0x1.2978304266ff7p-34,
};

/* the first coefficients of the next polynomial */
static const struct taf_two taf_func_erfc_first[1] = {
	{ 0x1.3ba5916e9fd7fp+0, -0x1.b60506bb41374p-55 },
};

/*
 * (1 + 2 a) e^(a^2) erfc a for x = (a - 4) / (a + 4),
 * of degree 20, from -0.72973 to 0.75; the error is below 2^-55
 */
static const double taf_func_erfc_c[20] = {
	-0x1.1df1ad154a27ep-3, 0x1.f7f5df66fd8ddp-7, 0x1.16ecefcfa4241p-4,
	-0x1.9ddb23c3e99cbp-4, 0x1.7fee004e3daafp-4, -0x1.0fb06dfe3c625p-4,
	0x1.3079edf04bf9cp-5, -0x1.0962388735966p-6, 0x1.49c6747c62e5bp-8,
	-0x1.8d4a989368e9cp-11, -0x1.a1e0a3b22205bp-13, 0x1.3be036ae0ee22p-13,
	-0x1.992b7abef381ap-16, -0x1.78882438a9cbfp-17, 0x1.7d6a488c29776p-18,
	0x1.3be941ae4e541p-22, -0x1.a5f1379ad3139p-21, 0x1.34ecb8f6fc332p-24,
	0x1.4566ca00d840cp-24, -0x1.e5790666f4c5bp-27,
};

/*
 * b times what Stirling's series adds to log gamma b, for x = b^-2,
 * of degree 6, from 0 to 0.01; the error is below 2^-57
 */
static const double taf_func_stirling_c[7] = {
	0x1.5555555555555p-4, -0x1.6c16c16c1697cp-9, 0x1.a01a019c051b8p-11,
	-0x1.381377985aa73p-11, 0x1.b94707ad20b87p-11, -0x1.f37f74af6468cp-10,
	0x1.6813cd200ae32p-8,
};

/* the first coefficients of the next polynomial */
static const struct taf_two taf_func_lgamma_first[2] = {
	{ 0x1.eeb95b094c191p-2, 0x1.346863f58b074p-56 },
	{ -0x1.2aed059bd608ap-3, 0x1.66871a89fb3ap-60 },
};

/*
 * log gamma a / (a - 1) / (a - 2) for x = a - 3/2,
 * of degree 28, from -0.69 to 0.69; the error is below 2^-57
 */
static const double taf_func_lgamma_c[27] = {
	0x1.01af62a2929e8p-4, -0x1.007aa83cee233p-5, 0x1.133423527901bp-6,
	-0x1.34dbda14880e6p-7, 0x1.64f066523d10cp-8, -0x1.a503523edc618p-9,
	0x1.f814b7c3e2adcp-10, -0x1.313e878678dbep-10, 0x1.750ae5926d4dbp-11,
	-0x1.cb459a6054719p-12, 0x1.1c7482b656313p-12, -0x1.622ef3b5c59p-13,
	0x1.bafffc2ef316ap-14, -0x1.1651c92ea302fp-14, 0x1.5eaf25e8982bfp-15,
	-0x1.b7914262dbd99p-16, 0x1.167c4f845eca9p-16, -0x1.7a7b467686c0cp-17,
	0x1.e266185784eaep-18, -0x1.7a83340ae3597p-19, 0x1.e0665c08e5f8ap-20,
	-0x1.11967825b2625p-18, 0x1.60d8a4693e382p-19, 0x1.9607c324601f1p-20,
	-0x1.07c6d7ec4fep-20, -0x1.815efbcfcc19dp-20, 0x1.f2721f089652ap-21,
};

/* ln 2: the first has 42 bits, its products with exponents are exact */
#define TAF_FUNC_LN2_FIRST 0x1.62e42fefa38p-1
#define TAF_FUNC_LN2_REST 0x1.ef35793c7673p-45
/* the same, the first with 26 bits */
#define TAF_FUNC_LN2_HEAD 0x1.62e42f8p-1
#define TAF_FUNC_LN2_TAIL 0x1.be8e7bcd5e4f2p-27
/* the nearest double */
#define TAF_FUNC_LN2 0x1.62e42fefa39efp-1
/* 1 / ln 2 */
#define TAF_FUNC_LOG2E 0x1.71547652b82fep+0
#define TAF_FUNC_LOG2E_HEAD 0x1.715476p+0
#define TAF_FUNC_LOG2E_TAIL 0x1.4ae0bf85ddf44p-26
/* 1 / ln 10 */
#define TAF_FUNC_LOG10E 0x1.bcb7b1526e50ep-2
#define TAF_FUNC_LOG10E_HEAD 0x1.bcb7b1p-2
#define TAF_FUNC_LOG10E_TAIL 0x1.49b9438ca9aaep-28
/* 2/3 */
#define TAF_FUNC_TWO_THIRDS_HEAD 0x1.555555p-1
#define TAF_FUNC_TWO_THIRDS_TAIL 0x1.5555555555555p-27
/* 1/3 */
#define TAF_FUNC_THIRD 0x1.5555555555555p-2
/* the cube roots of 2 and 4 */
#define TAF_FUNC_CBRT2 0x1.428a2f98d728bp+0
#define TAF_FUNC_CBRT4 0x1.965fea53d6e3dp+0
/* pi / 4: the first has 50 bits, its products with 0 to 4 are exact */
#define TAF_FUNC_QUARTER_HI 0x1.921fb54442d18p-1
#define TAF_FUNC_QUARTER_LO 0x1.1a62633145c07p-55
/* tan (pi / 8) */
#define TAF_FUNC_TAN_EIGHTH 0x1.a827999fcef32p-2
/* 2 / pi */
#define TAF_FUNC_TWO_BY_PI 0x1.45f306dc9c883p-1
/* pi / 2 */
#define TAF_FUNC_HALF_PI_HI 0x1.921fb54442d18p+0
#define TAF_FUNC_HALF_PI_LO 0x1.1a62633145c07p-54
/* pi / 2: products of the first three, of 22 bits, with k to 2^31 are exact */
#define TAF_FUNC_HALF_PI_1 0x1.921fbp+0
#define TAF_FUNC_HALF_PI_2 0x1.5110bp-22
#define TAF_FUNC_HALF_PI_3 0x1.184698p-44
#define TAF_FUNC_HALF_PI_4 0x1.3198a2e037073p-69
/* pi */
#define TAF_FUNC_PI_HI 0x1.921fb54442d18p+1
#define TAF_FUNC_PI_LO 0x1.1a62633145c07p-53
/* ln pi */
#define TAF_FUNC_LOG_PI_HI 0x1.250d048e7a1bdp+0
#define TAF_FUNC_LOG_PI_LO 0x1.7abf2ad8d5088p-57
/* ln (2 pi) / 2 */
#define TAF_FUNC_LOG_ROOT_HI 0x1.d67f1c864beb5p-1
#define TAF_FUNC_LOG_ROOT_LO -0x1.65b5a1b7ff5dfp-55
/* the bits of the root of 1/2, a double */
#define TAF_FUNC_ROOT_BITS 0x3fe6a09e667f3bcdu

/*
 * 2 / pi is the sum of digits[i] 2^(26 (2 - i)); but for the first they are at most
 * 2^25, so that three products of them with parts of 26 bits have an exact sum
 */
static const double taf_func_two_by_pi[50] = {
	0, 0, 0, 42722830, -18553791, 21659402, -11021835,
	13858563, 28715354, -28372764, 4324945, 26128251, -4434405, 29957007,
	-29209133, -8382171, -17915747, 6588224, -31593699, -20666723, -1144797,
	24988591, -12286742, -26099557, -12191772, 5137526, -29785261, 15192690,
	4585660, -8500721, -14681960, -34794, 25231091, -3906857, -32871137,
	28629499, 15891633, -26356782, -29399394, 25143478, -11371604, 33225084,
	24853767, 15195689, 19476135, -16853012, 18845021, 2185229, -16486456,
	-19207428,
};

/*
 * Absolute values of flt32 arguments, results of which lie within 1 ULP of the middle of
 * two flt32: farther from 0 than that or not.
 */
static const struct taf_func_hard {
	const char *name;
	double x;
	int farther;
} taf_func_hard[] = {
	{ "exp2", 0x1.853a6ep-9, 1 }, { "exp2", 0x1.5a3f34p-21, 0 },
	{ "exp2", 0x1.a7a04cp-14, 0 }, { "exp2", 0x1.d8568p-10, 1 },
	{ "exp2", 0x1.e7526ep-6, 1 }, { "expm1", 0x1.84a5bap-4, 0 },
	{ "log", 0x1.917748p-100, 1 }, { "log", 0x1.22d57p-65, 1 },
	{ "log", 0x1.b97c7p-14, 1 }, { "log", 0x1.f0ddep-8, 1 },
	{ "log", 0x1.827a74p-7, 0 }, { "log", 0x1.2f1fd6p+3, 0 },
	{ "log", 0x1.cb534cp+13, 0 }, { "log", 0x1.bacb4ap+25, 1 },
	{ "log", 0x1.c09d7cp+27, 1 }, { "log", 0x1.d1309cp+62, 0 },
	{ "log", 0x1.b121a6p+76, 1 }, { "log", 0x1.5190cp+78, 1 },
	{ "log", 0x1.6351d8p+95, 1 }, { "log", 0x1.cfd86ep+116, 0 },
	{ "log10", 0x1.9a99dp-107, 1 }, { "log10", 0x1.fddcf4p-98, 1 },
	{ "log10", 0x1.1727b8p-91, 0 }, { "log10", 0x1.5cf1a6p-88, 0 },
	{ "log10", 0x1.292424p-33, 1 }, { "log10", 0x1.7bdb9p+12, 1 },
	{ "log10", 0x1.9be058p+65, 0 }, { "log10", 0x1.0acfc8p+67, 0 },
	{ "log10", 0x1.4d83bap+70, 0 }, { "log10", 0x1.b25878p+95, 1 },
	{ "log1p", 0x1.800006p-21, 1 }, { "log1p", 0x1.200036p-17, 1 },
	{ "log1p", 0x1.e00096p-17, 1 }, { "log1p", 0x1.7d2286p-2, 0 },
	{ "log1p", 0x1.fb035ap-2, 0 }, { "log1p", 0x1.0f1fd6p+3, 0 },
	{ "log1p", 0x1.cb4b4cp+13, 0 }, { "log1p", 0x1.30bf04p+43, 0 },
	{ "log1p", 0x1.d1309cp+62, 0 }, { "log1p", 0x1.b121a6p+76, 1 },
	{ "log1p", 0x1.5190cp+78, 1 }, { "log1p", 0x1.6351d8p+95, 1 },
	{ "log1p", 0x1.cfd86ep+116, 0 }, { "log1p", 0x1.7ffffap-21, 0 },
	{ "log1p", 0x1.1fffcap-17, 0 }, { "log1p", 0x1.dfff6ap-17, 0 },
	{ "log1p", 0x1.1d9188p-9, 1 }, { "sin", 0x1.33333p+13, 0 },
	{ "sin", 0x1.95f654p+44, 1 }, { "sin", 0x1.524856p+80, 1 },
	{ "sin", 0x1.487e0cp+103, 1 }, { "cos", 0x1.20ffccp-7, 1 },
	{ "cos", 0x1.4555p+51, 1 }, { "cos", 0x1.887814p+51, 0 },
	{ "cos", 0x1.3170fp+63, 0 }, { "cos", 0x1.2b9622p+67, 1 },
	{ "cos", 0x1.e072ecp+67, 1 }, { "cos", 0x1.119ae6p+115, 0 },
	{ "cos", 0x1.96344ep+117, 0 }, { "tan", 0x1.fa6748p+64, 1 },
	{ "asin", 0x1.107434p-1, 0 }, { "acos", 0x1.110b46p-26, 1 },
	{ "acos", 0x1.04c444p-12, 1 }, { "acos", 0x1.80d99ap-7, 0 },
	{ "atan", 0x1.1ad646p-4, 1 }, { "sinh", 0x1.250bfep-11, 0 },
	{ "cosh", 0x1.deeeap-11, 1 }, { "cosh", 0x1.c12a5p-5, 1 },
	{ "asinh", 0x1.bacb4ap+24, 1 }, { "asinh", 0x1.c09d7cp+26, 1 },
	{ "asinh", 0x1.d1309cp+61, 0 }, { "asinh", 0x1.b121a6p+75, 1 },
	{ "asinh", 0x1.5190cp+77, 1 }, { "asinh", 0x1.6351d8p+94, 1 },
	{ "asinh", 0x1.cfd86ep+115, 0 }, { "acosh", 0x1.bacb4ap+24, 0 },
	{ "acosh", 0x1.c09d7cp+26, 1 }, { "acosh", 0x1.d1309cp+61, 0 },
	{ "acosh", 0x1.b121a6p+75, 1 }, { "acosh", 0x1.5190cp+77, 1 },
	{ "acosh", 0x1.6351d8p+94, 1 }, { "acosh", 0x1.cfd86ep+115, 0 },
	{ "erf", 0x1.81d5acp-13, 1 }, { "erfc", 0x1.d93ec4p-17, 0 },
	{ "gamma", 0x1.a87a86p-48, 1 }, { "gamma", 0x1.b847bap-48, 1 },
	{ "gamma", 0x1.bd0d52p-48, 0 }, { "gamma", 0x1.c0a8eap-48, 0 },
	{ "gamma", 0x1.c26d16p-48, 0 }, { "gamma", 0x1.c4a8e6p-48, 0 },
	{ "gamma", 0x1.f76aep-7, 0 }, { "gamma", 0x1.4d1dc4p-11, 1 },
	{ "lgamma", 0x1.917748p-100, 1 }, { "lgamma", 0x1.22d57p-65, 1 },
	{ "lgamma", 0x1.f8a754p-9, 0 }, { "lgamma", 0x1.f9413ep+76, 1 },
	{ "lgamma", 0x1.58ace8p+112, 1 }, { "lgamma", 0x1.ade594p-30, 1 },
};

#endif
