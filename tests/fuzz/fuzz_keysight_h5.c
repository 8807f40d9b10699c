/* link: hdf5 */
/* Keysight's captures, those in HDF5 too: our side of it. */
#include "capture.h"
#include "codec/keysight_any.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
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

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_capture(taf_keysight_any_sniff, taf_keysight_any_decode, data, size);
	return 0;
}
