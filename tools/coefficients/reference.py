#!/usr/bin/python3
# SPDX-License-Identifier: ISC
# reference.py -- print tests/unit/func_ref.h
#
# Of many arguments those are kept whose results lie nearest to a double: there an error
# of 1 ULP shows.  Others follow that are known to be hard, or of any magnitude.
# Arguments of flt32 whose results lie beside the middle of two flt32 are in the file
# flt32.txt; it is what "obj/tests/unit/flt32 -l all" lists.
import os
import random
import struct
from mpmath import mp, mpf

mp.prec = 200
MANY, HARD, OTHERS = 4000, 36, 16


def bits(x):
    return struct.unpack('<Q', struct.pack('<d', x))[0]


def below(y):
    """The bits of y rounded down to a double, and how near it is to one, in ULP"""
    if y == 0:
        return None
    unit = mp.ldexp(1, max(mp.frexp(y)[1] - 53, -1074))
    n = mp.floor(y / unit)
    if abs(n * unit) >= mp.ldexp(1, 1024) or abs(y) < mp.ldexp(1, -1074):
        return None
    part = y / unit - n
    return bits(float(n * unit)), min(part, 1 - part)


def lin(low, high):
    return lambda r: low + (high - low) * r.random()


def exponents(low, high, sign=True):
    """1 to 2, times a power of two"""
    def draw(r):
        x = (1 + r.random()) * 2.0 ** r.randrange(low, high)
        return -x if sign and r.random() < 0.5 else x
    return draw


def near(centre, low, high=0):
    def draw(r):
        return centre + exponents(low, high)(r)
    return draw


def log_gamma(x):
    return mp.loggamma(x) if x > 0 else mp.log(abs(mp.gamma(x)))


def far_from_zero(x, y):
    """Beside the zeros of log gamma below -2 the error is not relative to them"""
    return x > -2 or abs(y) > 0.01 * mp.loggamma(10 - x)


# the argument that comes nearest to a multiple of pi/2
WORST = 6381956970095103.0 * 2.0 ** 797
TURNS = [WORST, 11.0, 22.0, 355.0, 573204.0 * 1.5707963267948966, 2.0 ** 1023]
ONE = {
    'sqrt': (mp.sqrt, [near(1, -52, -35), exponents(-1022, 1023, False)], []),
    'cbrt': (lambda x: mp.sign(x) * mp.cbrt(abs(x)),
             [exponents(-1022, 1023), lin(1, 8)], [5e-324, 3e-310]),
    'exp': (mp.exp, [lin(-745, 709.7), lin(-1, 1), exponents(-30, 0)], [-745.1, 709.78]),
    'exp2': (lambda x: mpf(2) ** x, [lin(-1074, 1024), lin(-1, 1)], [-1073.5]),
    'expm1': (mp.expm1, [lin(-40, 709.7), lin(-1, 1), exponents(-60, 0)], [5e-324]),
    'log': (mp.log, [exponents(-1074, 1023, False), lin(0.5, 2), near(1, -50, -1)], []),
    'log2': (lambda x: mp.log(x) / mp.log(2), [
        exponents(-1074, 1023, False), lin(0.5, 2), near(1, -50, -1)], []),
    'log10': (mp.log10, [
        exponents(-1074, 1023, False), lin(0.5, 2), near(1, -50, -1)], []),
    'log1p': (mp.log1p, [exponents(-60, 1023, False), lin(-1, 2), exponents(-60, 0)], []),
    'sin': (mp.sin, [lin(-10, 10), exponents(-30, 1023), lin(-1e6, 1e6)], TURNS),
    'cos': (mp.cos, [lin(-10, 10), exponents(-30, 1023), lin(-1e6, 1e6)], TURNS),
    'tan': (mp.tan, [lin(-10, 10), exponents(-30, 1023), lin(-1e6, 1e6)], TURNS),
    'asin': (mp.asin, [lin(-1, 1), exponents(-30, 0), lin(0.45, 0.55)], []),
    'acos': (mp.acos, [lin(-1, 1), exponents(-30, 0), lin(0.45, 0.55)], []),
    'atan': (mp.atan, [lin(-3, 3), exponents(-30, 60)], []),
    'sinh': (mp.sinh, [lin(-710.4, 710.4), lin(-2, 2), exponents(-30, 9)], []),
    'cosh': (mp.cosh, [lin(-710.4, 710.4), lin(-2, 2), exponents(-25, 9)], []),
    'tanh': (mp.tanh, [lin(-19, 19), lin(-2, 2), exponents(-25, 4)], []),
    'asinh': (mp.asinh, [lin(-2, 2), exponents(-26, 40), exponents(-1022, 1023)], []),
    'acosh': (mp.acosh, [lin(1, 3), lambda r: 1 + exponents(-52, 0, False)(r),
                         exponents(0, 1023, False)], []),
    'atanh': (mp.atanh, [lin(-1, 1), lin(-0.1, 0.1), exponents(-26, 0)], []),
    'erf': (mp.erf, [lin(-1, 1), lin(0.6, 1.2), lin(-6, 6), exponents(-1022, 0)], []),
    'erfc': (mp.erfc, [lin(-1, 1), lin(0.4, 0.8), lin(-6, 27.2)], [26.6, 27.2]),
    'gamma': (mp.gamma, [lin(-170, 171.6), lin(-5, 5), near(-3, -40, -1)],
              [171.62, 5e-308]),
    'lgamma': (log_gamma, [lin(0.7, 2.3), lin(0, 12), lin(-100, 0), near(1, -40, -3),
                           near(2, -40, -3), exponents(-1022, 1000, False)], []),
}
TWO = {
    'pow': (mp.power, [(exponents(-1022, 1023, False), lin(-1, 1)),
                       (lin(0.5, 2), lin(-1000, 1000)),
                       (near(1, -40, -1), exponents(0, 40)),
                       (lin(0, 100), lin(-10, 10))]),
    'atan2': (mp.atan2, [(lin(-1, 1), lin(-1, 1)),
                         (exponents(-1022, 1023), exponents(-1022, 1023)),
                         (lin(0.9, 1), lin(0.9, 1)), (exponents(-4, 4), exponents(-4, 4))]),
    'hypot': (mp.hypot, [(lin(-1, 1), lin(-1, 1)), (exponents(-20, 20), exponents(-20, 20)),
                         (exponents(600, 620), exponents(600, 620)),
                         (exponents(-1022, -1000), exponents(-1022, -1000))]),
}


def table(name, f, draws, special, width):
    r = random.Random(name)
    hard = []

    def tried(x):
        try:
            y = f(*x)
        except (ZeroDivisionError, ValueError):
            return None
        if not isinstance(y, mpf) or name == 'lgamma' and not far_from_zero(x[0], y):
            return None
        found = below(y)
        return found and (found[1], x, found[0])

    for i in range(MANY):
        found = tried(draws[i % len(draws)](r))
        if found:
            hard.append(found)
    others = [tried(x) for x in special] + hard[:OTHERS]
    rows = sorted(hard[OTHERS:])[:HARD] + [row for row in others if row]
    print('static const struct %s of_%s[] = {' % ('one' if width == 1 else 'two', name))
    for _, x, y in rows:
        print('\t{ %s },' % ', '.join('0x%016x' % v for v in [bits(v) for v in x] + [y]))
    print('};\n')


def flt32():
    """Name, bits and value of the arguments in flt32.txt, and the results"""
    with open(os.path.join(os.path.dirname(__file__), 'flt32.txt')) as lines:
        for line in lines:
            name, word = line.split()
            x = struct.unpack('<f', struct.pack('<I', int(word, 16)))[0]
            yield name, int(word, 16), x, ONE[name][0](mpf(x))


def unit32(y):
    """What the last bit of the flt32 beside y stands for"""
    return mp.ldexp(1, max(mp.frexp(y)[1] - 24, -149))


def rounded():
    rows = []
    for name, x, _, y in flt32():
        y = float(mp.nint(y / unit32(y)) * unit32(y))
        y = struct.unpack('<I', struct.pack('<f', y))[0]
        rows.append('{ "%s", 0x%08x, 0x%08x },' % (name, x, y))
    print('static const struct rounded rounded[] = {')
    for i in range(0, len(rows), 2):
        print('\t' + ' '.join(rows[i:i + 2]))
    print('};\n')


HEAD = '''/*
 * Arguments, those of which the rounding is hardest and others of all magnitudes, and the
 * results, rounded down to a double.  Made by tools/coefficients/reference.py.
 */
#ifndef FUNC_REF_H
#define FUNC_REF_H

#include <stdint.h>

struct one {
	uint64_t x, below;
};

struct two {
	uint64_t a, b, below;
};

/* Bits of two flt32: an argument, and its result, which was rounded once */
struct rounded {
	const char *name;
	uint32_t x, y;
};
'''

if __name__ == '__main__':
    print(HEAD)
    for name, (f, draws, special) in ONE.items():
        table(name, lambda x, f=f: f(mpf(x)), [lambda r, d=d: (d(r),) for d in draws],
              [(x,) for x in special], 1)
    for name, (f, draws) in TWO.items():
        table(name, lambda a, b, f=f: f(mpf(a), mpf(b)),
              [lambda r, d=d: (d[0](r), d[1](r)) for d in draws], [], 2)
    rounded()
    print('#endif')
