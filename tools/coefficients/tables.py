#!/usr/bin/python3
# SPDX-License-Identifier: ISC
# tables.py POLYNOMIALS -- print src/lib/kernel/func/func_tables.h
#
# POLYNOMIALS is what polynomials.sollya prints.  The polynomials of log gamma, which
# Sollya does not have, and the constants are computed here.
import sys
from mpmath import mp, mpf
from reference import flt32, unit32

mp.prec = 1300


def nearest(x, bits=53):
    """x with so many bits"""
    scale = mp.ldexp(1, bits - mp.frexp(x)[1])
    return mp.nint(x * scale) / scale


def parts(x, *bits):
    """x as a sum of numbers of so many bits; what is no full double is cut"""
    r = []
    for b in bits:
        scale = mp.ldexp(1, b - mp.frexp(x)[1])
        r.append(nearest(x) if b == 53 else mp.floor(x * scale) / scale)
        x -= r[-1]
    return r


def text(x):
    """x, a double, as C has it"""
    mantissa, power = float(x).hex().split('p')
    if '.' in mantissa:
        mantissa = mantissa.rstrip('0').rstrip('.')
    return mantissa + 'p' + power


def rows(kind, name, what, items, width):
    if len(what) > 1:
        what = [''] + [' * ' + w for w in what] + [' ']
        print('/*%s*/' % '\n'.join(what))
    else:
        print('/* %s */' % what[0])
    print('static const %s %s[%d] = {' % (kind, name, len(items)))
    for i in range(0, len(items), width):
        print('\t' + ', '.join(items[i:i + width]) + ',')
    print('};\n')


def polynomial(name, what, low, high, worst, c):
    """c, the lowest first; the first ones may be sums of two doubles"""
    degree = len(c) - 1
    where = 'of degree %d, from %s to %s; the error is below 2^%d' % (
        degree, low, high, worst)
    twos = []
    while any(nearest(x) != x for x in c[len(twos):]):
        twos.append(c[len(twos)])
    if twos:
        rows('struct taf_two', 'taf_func_%s_first' % name, [
            'the first coefficients of the next polynomial'],
            ['{ %s, %s }' % tuple(map(text, parts(x, 53, 53))) for x in twos], 1)
    rows('double', 'taf_func_%s_c' % name, [what + ',', where],
         [text(x) for x in c[len(twos):]], 3)


def fit(f, low, high, degree, twos):
    """Interpolation at the points of Chebyshev; twos coefficients are sums of two."""
    with mp.workprec(400):
        n = degree + 1
        x = [(low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * n))
             for i in range(n)]
        a = mp.matrix(n, n)
        for i in range(n):
            for j in range(n):
                a[i, j] = x[i] ** j
        c = list(mp.lu_solve(a, mp.matrix([f(v) for v in x])))
        c = [nearest(v, 106 if j < twos else 53) for j, v in enumerate(c)]
        points = [low + (high - low) * i / 499 for i in range(500)]
        worst = max(abs(mp.polyval(c[::-1], v) - f(v)) for v in points)
        return c, int(mp.ceil(mp.log(worst, 2)))


WHAT = {
    'exp': '(e^x - 1 - x - x^2 / 2) / x^3',
    'cosh': '(cosh r - 1) / x for x = r^2',
    'sinh': '(sinh r / r - 1) / x for x = r^2',
    'log': '(2 atanh s / s - 2) / x for x = s^2',
    'log_more': '(2 atanh s / s - 2 - 2/3 x) / x^2 for x = s^2',
    'sin': '(sin r / r - 1) / x for x = r^2',
    'cos': '(cos r - 1 + x / 2) / x^2 for x = r^2',
    'atan': '(atan r / r - 1) / x for x = r^2',
    'asin': '(asin r / r - 1) / x for x = r^2',
    'cbrt': 'the cube root of x',
    'erf': 'erf a / a - 1 for x = a^2',
    'erfc': '(1 + 2 a) e^(a^2) erfc a for x = (a - 4) / (a + 4)',
    'stirling': 'b times what Stirling\'s series adds to log gamma b, for x = b^-2',
    'lgamma': 'log gamma a / (a - 1) / (a - 2) for x = a - 3/2',
}


def polynomials(file):
    for line in file:
        name, degree, low, high, worst, *c = line.split()
        low, high = ('%.5g' % float(v) for v in (low, high))
        c = [exact(v) for v in c]
        assert len(c) == int(degree) + 1
        polynomial(name, WHAT[name], '0' if low == '1e-10' else low, high, int(worst), c)

    def rest(x):
        b = 1 / mp.sqrt(x)
        return b * (mp.loggamma(b) - (b - 0.5) * mp.log(b) + b - mp.log(2 * mp.pi) / 2)

    def between(x):
        a = x + 1.5
        return mp.loggamma(a) / ((a - 1) * (a - 2))

    high = mpf(1) / 100
    c, worst = fit(rest, high / 1e6, high, 6, 0)
    polynomial('stirling', WHAT['stirling'], '0', '0.01', worst, c)
    c, worst = fit(between, mpf(-69) / 100, mpf(69) / 100, 28, 2)
    polynomial('lgamma', WHAT['lgamma'], '-0.69', '0.69', worst, c)


def exact(word):
    """A hexadecimal number of any length"""
    mantissa, power = word.split('p')
    whole, _, fraction = mantissa.lower().replace('0x', '').partition('.')
    sign = -1 if whole.startswith('-') else 1
    digits = int(whole.lstrip('-') + fraction, 16)
    return sign * mp.ldexp(mpf(digits), int(power) - 4 * len(fraction))


def constants():
    ln2, ln10, pi = mp.log(2), mp.log(10), +mp.pi
    for what, items in (
            ('ln 2: the first has 42 bits, its products with exponents are exact',
             zip(('LN2_FIRST', 'LN2_REST'), parts(ln2, 42, 53))),
            ('the same, the first with 26 bits', zip(('LN2_HEAD', 'LN2_TAIL'),
                                                     parts(ln2, 26, 53))),
            ('the nearest double', [('LN2', nearest(ln2))]),
            ('1 / ln 2', [('LOG2E', nearest(1 / ln2))] + list(
                zip(('LOG2E_HEAD', 'LOG2E_TAIL'), parts(1 / ln2, 26, 53)))),
            ('1 / ln 10', [('LOG10E', nearest(1 / ln10))] + list(
                zip(('LOG10E_HEAD', 'LOG10E_TAIL'), parts(1 / ln10, 26, 53)))),
            ('2/3', zip(('TWO_THIRDS_HEAD', 'TWO_THIRDS_TAIL'), parts(mpf(2) / 3, 26, 53))),
            ('1/3', [('THIRD', nearest(mpf(1) / 3))]),
            ('the cube roots of 2 and 4', [('CBRT2', nearest(mp.cbrt(2))),
                                           ('CBRT4', nearest(mp.cbrt(4)))]),
            ('pi / 4: the first has 50 bits, its products with 0 to 4 are exact',
             zip(('QUARTER_HI', 'QUARTER_LO'), parts(pi / 4, 50, 53))),
            ('tan (pi / 8)', [('TAN_EIGHTH', nearest(mp.tan(pi / 8)))]),
            ('2 / pi', [('TWO_BY_PI', nearest(2 / pi))]),
            ('pi / 2', zip(('HALF_PI_HI', 'HALF_PI_LO'), parts(pi / 2, 53, 53))),
            ('pi / 2: products of the first three, of 22 bits, with k to 2^31 are exact',
             zip(('HALF_PI_1', 'HALF_PI_2', 'HALF_PI_3', 'HALF_PI_4'),
                 parts(pi / 2, 22, 22, 22, 53))),
            ('pi', zip(('PI_HI', 'PI_LO'), parts(pi, 53, 53))),
            ('ln pi', zip(('LOG_PI_HI', 'LOG_PI_LO'), parts(mp.log(pi), 53, 53))),
            ('ln (2 pi) / 2', zip(('LOG_ROOT_HI', 'LOG_ROOT_LO'),
                                  parts(mp.log(2 * pi) / 2, 53, 53)))):
        print('/* %s */' % what)
        for name, x in items:
            print('#define TAF_FUNC_%s %s' % (name, text(x)))
    root = mp.sqrt(mpf(1) / 2)
    print('/* the bits of the root of 1/2, a double */')
    print('#define TAF_FUNC_ROOT_BITS 0x%xu' % ((1022 - 1 << 52) + int(
        mp.nint(mp.ldexp(root, 53)))))
    print()


def digits():
    """2 / pi in digits of 26 bits, the nearest ones"""
    x, d = 2 / mp.pi, ['0', '0', '0']
    while len(d) < 50:
        x = mp.ldexp(x, 26)
        d.append('%d' % mp.nint(x))
        x -= mp.nint(x)
    rows('double', 'taf_func_two_by_pi', [
        '2 / pi is the sum of digits[i] 2^(26 (2 - i)); but for the first they are at most',
        '2^25, so that three products of them with parts of 26 bits have an exact sum'],
        d, 7)


def hard():
    """On which side of the middle of two flt32 results lie that are within 1 ULP of it"""
    print('''/*
 * Absolute values of flt32 arguments, results of which lie within 1 ULP of the middle of
 * two flt32: farther from 0 than that or not.
 */
static const struct taf_func_hard {
	const char *name;
	double x;
	int farther;
} taf_func_hard[] = {''')
    found = {}
    for name, _, x, y in flt32():
        x, y = abs(x), abs(y)
        from_middle = y - (mp.floor(y / unit32(y)) + 0.5) * unit32(y)
        if 0 < abs(from_middle) < mp.ldexp(1, mp.frexp(y)[1] - 53):
            # what is true of -x is true of x
            row = '{ "%s", %s, %d },' % (name, text(x), from_middle > 0)
            assert y >= 2.0 ** -126 and found.setdefault((name, x), row) == row
    items = list(found.values())
    for i in range(0, len(items), 2):
        print('\t' + ' '.join(items[i:i + 2]))
    print('};\n')


print('''/*
 * Coefficients and constants of the files func*.c, made by tools/coefficients; "make
 * coefficients" compares.  Errors of polynomials are absolute, those of their rounded
 * coefficients; the lowest coefficient comes first.
 */
#ifndef TAF_KERNEL_FUNC_FUNC_TABLES_H
#define TAF_KERNEL_FUNC_FUNC_TABLES_H

#include "kernel/number/two.h"
''')
with open(sys.argv[1]) as source:
    polynomials(source)
constants()
digits()
hard()
print('#endif')
