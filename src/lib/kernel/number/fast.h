/* SPDX-License-Identifier: ISC */
/*
 * Versions of a function whose loops are worth one for each processor; the first call
 * looks which.  An ifunc, as of attribute target_clones, would look at every start of
 * every program, which under some hypervisors takes longer than all of its work.
 *
 *	#include "config.h"
 *
 *	TAF_FAST(int, sum, (const int *v, size_t n), (v, n))
 *	{
 *		...
 *	}
 *
 * defines the static function sum; TAF_FAST_VOID one that returns nothing, TAF_WIDE_VOID
 * one that computes so much that a version for the widest registers is worth its size.
 * What these call is TAF_INLINE, or would stay a function for any processor.
 */
#ifndef TAF_KERNEL_NUMBER_FAST_H
#define TAF_KERNEL_NUMBER_FAST_H

#include <stdbool.h>

#ifdef HAVE_TARGET_AVX2

/* Has this processor AVX2, and does the system save its registers? */
bool taf_has_avx2(void);
/* The same of AVX-512: F, DQ, BW and VL. */
bool taf_has_avx512(void);

#endif

/* Where nobody waits for the loops, as under a sanitizer, configure wants ONE_VERSION. */
#if defined HAVE_TARGET_AVX2 && !defined ONE_VERSION

#define TAF_VERSIONS(type, give, name, params, args) \
static inline __attribute__((always_inline)) type name##_any params; \
static __attribute__((target("avx2"))) type \
name##_avx2 params \
{ \
	give name##_any args; \
} \
static type \
name params \
{ \
	if (taf_has_avx2()) \
		give name##_avx2 args; \
	else \
		give name##_any args; \
} \
static inline __attribute__((always_inline)) type \
name##_any params

#else

#define TAF_VERSIONS(type, give, name, params, args) \
static type \
name params

#endif

#if defined HAVE_TARGET_AVX512 && !defined ONE_VERSION

#define TAF_WIDE_VOID(name, params, args) \
static inline __attribute__((always_inline)) void name##_any params; \
static __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl"))) void \
name##_avx512 params \
{ \
	name##_any args; \
} \
static __attribute__((target("avx2"))) void \
name##_avx2 params \
{ \
	name##_any args; \
} \
static void \
name params \
{ \
	if (taf_has_avx512()) \
		name##_avx512 args; \
	else if (taf_has_avx2()) \
		name##_avx2 args; \
	else \
		name##_any args; \
} \
static inline __attribute__((always_inline)) void \
name##_any params

#else

#define TAF_WIDE_VOID(name, params, args) TAF_FAST_VOID(name, params, args)

#endif

#define TAF_FAST(type, name, params, args) TAF_VERSIONS(type, return, name, params, args)
#define TAF_FAST_VOID(name, params, args) TAF_VERSIONS(void, , name, params, args)

#endif
