/* SPDX-License-Identifier: ISC */
/* Compiler attributes, and nothing else. */
#ifndef TAF_BASE_ATTR_H
#define TAF_BASE_ATTR_H

#if defined(__GNUC__) || defined(__clang__)
#define TAF_MUST __attribute__((warn_unused_result))
#define TAF_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define TAF_NORETURN __attribute__((noreturn))
#define TAF_SELDOM __attribute__((cold, noinline))
#define TAF_INLINE inline __attribute__((always_inline))
#else
#define TAF_MUST
#define TAF_PRINTF(f, a)
#define TAF_NORETURN
#define TAF_SELDOM
#define TAF_INLINE inline
#endif

/* In front of a loop: no iteration of it writes what another one reads. */
#if defined(__clang__)
#define TAF_APART _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define TAF_APART _Pragma("GCC ivdep")
#else
#define TAF_APART
#endif

#endif
