/* SPDX-License-Identifier: ISC */
#include "base/threads.h"

unsigned
taf_threads_for(unsigned threads, uint64_t pieces)
{
	const unsigned most = threads < TAF_THREADS_MOST ? threads : TAF_THREADS_MOST;

	return pieces < most ? pieces > 0 ? (unsigned)pieces : 1 : most > 0 ? most : 1;
}

unsigned
taf_threads_within(uint64_t memory, unsigned threads, uint64_t shared, uint64_t each)
{
	const uint64_t left = memory > shared ? memory - shared : 0;

	return shared > memory || left < each ? 0 :
	    taf_threads_for(threads, each > 0 ? left / each : threads);
}

unsigned
taf_threads_some(uint64_t memory, unsigned threads, uint64_t shared, uint64_t each)
{
	const unsigned fit = taf_threads_within(memory, threads, shared, each);

	return fit > 0 ? fit : 1;
}
