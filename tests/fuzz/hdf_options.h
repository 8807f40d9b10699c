/* SPDX-License-Identifier: ISC */
/* How programs run that hand damaged files to HDF5's library. */
#ifndef FUZZ_HDF_OPTIONS_H
#define FUZZ_HDF_OPTIONS_H

const char *__asan_default_options(void);
const char *__asan_default_suppressions(void);

/*
 * As in a program that has little memory and ends soon: damaged files make the library
 * ask for any amount, and lose some.
 */
const char *
__asan_default_options(void)
{
	return "allocator_may_return_null=1:max_allocation_size_mb=1024:detect_leaks=0";
}

/* It also copies from behind its own buffers (1.10.8 does, in attributes). */
const char *
__asan_default_suppressions(void)
{
	return "interceptor_via_lib:libhdf5";
}

#endif
