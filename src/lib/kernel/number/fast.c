/* SPDX-License-Identifier: ISC */
#include "config.h"

#include "kernel/number/fast.h"

#ifdef HAVE_TARGET_AVX2

#include <cpuid.h>
#include <stdatomic.h>
#include <stddef.h>

enum { UNKNOWN, NEITHER, AVX2, AVX512 };

/* what AVX-512 has in every processor but the first, which was none of desks or racks */
static const unsigned all512 = bit_AVX512F | bit_AVX512DQ | bit_AVX512BW | bit_AVX512VL;

static int
look(void)
{
	unsigned a, b, c, d, low, high;

	if (__get_cpuid_max(0, NULL) < 7)
		return NEITHER;
	__cpuid(1, a, b, c, d);
	if ((c & bit_OSXSAVE) == 0 || (c & bit_AVX) == 0)
		return NEITHER;
	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	__cpuid_count(7, 0, a, b, c, d);
	/* the registers of SSE and of AVX; then those of AVX-512 */
	if ((low & 0x06) != 0x06 || (b & bit_AVX2) == 0)
		return NEITHER;
	return (low & 0xe6) == 0xe6 && (b & all512) == all512 ? AVX512 : AVX2;
}

static int
level(void)
{
	static atomic_int known = UNKNOWN;
	int k = atomic_load_explicit(&known, memory_order_relaxed);

	if (k == UNKNOWN) {
		k = look();
		atomic_store_explicit(&known, k, memory_order_relaxed);
	}
	return k;
}

bool
taf_has_avx2(void)
{
	return level() >= AVX2;
}

bool
taf_has_avx512(void)
{
	return level() == AVX512;
}

#else

/* ISO C wants something in every file. */
typedef int taf_fast_unused;

#endif
