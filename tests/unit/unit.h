/* SPDX-License-Identifier: ISC */
/*
 * A few lines for unit tests: CHECK in test functions, UNIT(function) for each
 * of them in main, then "return unit_end();". Output is TAP. A failed check is
 * reported and counted, and the function goes on.
 */
#ifndef UNIT_H
#define UNIT_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned unit_cases, unit_failed_cases, unit_checks, unit_failures;

/* Count a check; false, after a line that says where, if it does not hold. */
static inline bool
unit_check(bool holds, const char *file, int line, const char *what)
{
	unit_checks++;
	if (!holds) {
		unit_failures++;
		printf("# %s:%d: %s\n", file, line, what);
	}
	return holds;
}

static inline bool
unit_check_eq(uint64_t a, uint64_t b, const char *file, int line, const char *what)
{
	bool holds = unit_check(a == b, file, line, what);

	if (!holds)
		printf("#   %" PRIu64 " (0x%" PRIx64 ") is not %" PRIu64 " (0x%" PRIx64
		    ")\n", a, a, b, b);
	return holds;
}

static inline bool
unit_check_int(int64_t a, int64_t b, const char *file, int line, const char *what)
{
	bool holds = unit_check(a == b, file, line, what);

	if (!holds)
		printf("#   %" PRId64 " is not %" PRId64 "\n", a, b);
	return holds;
}

static inline bool
unit_check_str(const char *a, const char *b, const char *file, int line, const char *what)
{
	bool same = a && b ? strcmp(a, b) == 0 : a == b;
	bool holds = unit_check(same, file, line, what);

	if (!holds)
		printf("#   \"%s\" is not \"%s\"\n", a ? a : "(null)", b ? b : "(null)");
	return holds;
}

static inline bool
unit_check_mem(const void *a, const void *b, size_t n, const char *file, int line,
    const char *what)
{
	const unsigned char *p = a;
	const unsigned char *q = b;
	size_t i = 0;
	bool holds;

	while (i < n && p[i] == q[i])
		i++;
	holds = unit_check(i == n, file, line, what);
	if (!holds)
		printf("#   byte %zu of %zu: 0x%02x is not 0x%02x\n", i, n, p[i], q[i]);
	return holds;
}

/* Does an emulator run this, far slower? What sizes show, other builds show then. */
static inline bool
unit_emulated(void)
{
	const char *emulator = getenv("EMULATOR");

	return emulator != NULL && *emulator != '\0';
}

/* So many random cases, or some of them. */
static inline int
unit_rounds(int n)
{
	return unit_emulated() ? n / 8 : n;
}

/* A number below that; in each run the same ones follow each other. */
static inline uint32_t
draw(uint32_t below)
{
	static uint32_t x = 2463534242;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return x % below;
}

/* 64 bits, in the same way. */
static inline uint64_t
draw_bits(void)
{
	static uint64_t x = 88172645463325252;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

/* Each is true where the check holds, so that a test may guard what follows. */
#define CHECK(cond) unit_check((cond), __FILE__, __LINE__, #cond)
#define CHECK_EQ(a, b) \
	unit_check_eq((uint64_t)(a), (uint64_t)(b), __FILE__, __LINE__, #a " == " #b)
#define CHECK_INT(a, b) \
	unit_check_int((int64_t)(a), (int64_t)(b), __FILE__, __LINE__, #a " == " #b)
#define CHECK_STR(a, b) unit_check_str((a), (b), __FILE__, __LINE__, #a " == " #b)
#define CHECK_MEM(a, b, n) \
	unit_check_mem((a), (b), (n), __FILE__, __LINE__, #a " == " #b)

/* Run one test function. One that checks nothing fails: it could not do otherwise. */
static inline void
unit_case(const char *name, void (*test)(void))
{
	unsigned checks = unit_checks;
	unsigned failures = unit_failures;
	bool good;

	test();
	if (unit_checks == checks)
		printf("# %s checks nothing\n", name);
	good = unit_checks != checks && unit_failures == failures;
	unit_cases++;
	if (!good)
		unit_failed_cases++;
	printf("%sok %u - %s\n", good ? "" : "not ", unit_cases, name);
	fflush(stdout);
}

#define UNIT(test) unit_case(#test, test)

/* Print the plan; the value for main to return. */
static inline int
unit_end(void)
{
	printf("1..%u\n", unit_cases);
	return unit_failed_cases || !unit_cases || fflush(stdout) ? 1 : 0;
}

#endif
