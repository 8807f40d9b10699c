#!/usr/bin/python3
# SPDX-License-Identifier: ISC
# sha512.py -- print src/lib/kernel/digest/sha512_table.h
from math import isqrt


def cube_root(n):
    """the largest x with x^3 <= n"""
    x = 1 << -(-n.bit_length() // 3)
    while x ** 3 > n:
        x = (2 * x + n // (x * x)) // 3
    return x


def rows(what, name, items):
    print('/* the first 64 bits of the fractions of %s of the first %d primes */' % (what, len(items)))
    print('static const uint64_t %s[%d] = {' % (name, len(items)))
    for i in range(0, len(items), 3):
        print('\t' + ', '.join('0x%016xu' % (x & (2 ** 64 - 1)) for x in items[i:i + 3]) + ',')
    print('};')


primes = [n for n in range(2, 410) if all(n % k for k in range(2, n))][:80]
print('/* Made by tools/coefficients/sha512.py: FIPS 180-4, 4.2.3 and 5.3.5. */')
print('#ifndef TAF_KERNEL_DIGEST_SHA512_TABLE_H')
print('#define TAF_KERNEL_DIGEST_SHA512_TABLE_H\n')
print('#include <stdint.h>\n')
rows('square roots', 'first', [isqrt(p << 128) for p in primes[:8]])
print()
rows('cube roots', 'constants', [cube_root(p << 192) for p in primes])
print('\n#endif')
