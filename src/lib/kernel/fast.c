#include "config.h"

#include "kernel/fast.h"

#ifdef HAVE_TARGET_AVX2

#include <cpuid.h>
#include <stdatomic.h>
#include <stddef.h>

enum { UNKNOWN, NO, YES };

static bool
look(void)
{
	unsigned a, b, c, d, low, high;

	if (__get_cpuid_max(0, NULL) < 7)
		return false;
	__cpuid(1, a, b, c, d);
	if ((c & bit_OSXSAVE) == 0 || (c & bit_AVX) == 0)
		return false;
	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	/* the registers of SSE and of AVX */
	if ((low & 6) != 6)
		return false;
	__cpuid_count(7, 0, a, b, c, d);
	return (b & bit_AVX2) != 0;
}

bool
taf_has_avx2(void)
{
	static atomic_int known = UNKNOWN;
	int k = atomic_load_explicit(&known, memory_order_relaxed);

	if (k == UNKNOWN) {
		k = look() ? YES : NO;
		atomic_store_explicit(&known, k, memory_order_relaxed);
	}
	return k == YES;
}

#else

/* ISO C wants something in every file. */
typedef int taf_fast_unused;

#endif
