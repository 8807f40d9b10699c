# SPDX-License-Identifier: ISC
"""The commands that soak.py knows, and what numpy makes of the same arrays.

Each way gets a source of random choices, the arrays of a stream, a dimension that all of them have,
and its least length. It answers with words (two commands with | between, or with ; where the first
one writes a file), and the arrays that come out, or a function that makes them one by one. It raises
No where that cannot be done to these arrays, and Refused where the command has to refuse them.
"""
from fractions import Fraction
import math

import numpy as np

from model import LOST, NAMES, NAN, OLD, Array, Refused, draw, grid, listed, planes, points, reduced, some, \
    unless, without, write_rsf
from signals import lines

MOVES = '''crop grid adjust adjust permute reverse roll repeat pad select split pick reshape append
    interleave put type'''.split()
EMPTY = 'adjust permute reverse roll repeat reshape append put type'.split()
REAL = {'a*2+1': lambda x: x * 2 + 1, 'a>0.5': lambda x: x > 0.5, 'isnan(a)': np.isnan,
    'floor(a)': np.floor, 'where(a>0,a,-a)': lambda x: np.where(x > 0, x, -x),
    'a*a': lambda x: x * x, 'round(a)': np.rint, 'a/4-1': lambda x: x / 4 - 1,
    'abs(a/2)': lambda x: np.abs(x / 2)}
WHOLE = {'a+1': lambda x: x + 1, 'a//3': lambda x: x // 3, 'a%7': lambda x: x % 7,
    'a*3': lambda x: x * 3, 'min(a,10)': lambda x: min(x, 10), 'bitand(a,15)': lambda x: x & 15}


def draw_op(r, A):
    """Words and arrays of one of them."""
    way = r.choice((moves, moves, moves, values, values, lines, lines, lines, lines, trips))
    if way in (values, lines):
        unless(not all(a.kind() in ('iuf' if way == values else 'iufc') and not a.tol and a.v.size < 3000 for a in A))
    d = r.randrange(min(a.v.ndim for a in A))
    words, out = way(r, A, d, min(a.v.shape[d] for a in A))
    out = [out(a) for a in A] if callable(out) else out
    unless(len(out) > 12 or not all(a.v.size < 400000 and 0 < a.v.ndim < 8 for a in out))
    return words, out


def like(a):
    units = [x[3] for x in a.dims]
    unless(None in units)
    return a.v.dtype, a.map, a.v.ndim, units


def other(r, a, shape):
    """A second file, whose name is r.other: its type, mapping and units are those of an array."""
    b = draw(r, a.v.dtype, shape)
    b.map, b.dims = a.map, [(1.0, 1.0, '', x) for x in like(a)[3]]
    write_rsf(r.other, [b])
    return b


def moves(r, A, d, n):
    what, D, first = r.choice(MOVES), d + 1, A[0]
    unless(n == 0 and what not in EMPTY)
    o, s, k, m, flag = *first.dims[d][:2], r.randint(1, max(n, 1)), r.randint(1, 3), r.random() < 0.3
    if what == 'crop':
        k, form = k + (r.random() < 0.05), r.randrange(3)
        squeeze = flag and len(first.v.shape) > 1
        unless(squeeze and any(a.v.shape.count(1) for a in A) or len(A) > 1 and squeeze)
        end = k > n or any(a.v.shape[d] != n for a in A)
        words = f'tafcrop -x {D}=' + (f'{k}:{k + m}:{m}', f'{k if end else k - n}::{m}', f'{k}')[form] + \
            ' --squeeze' * squeeze
        def f(a):
            i = range(a.v.shape[d])[k - 1:(k + m, None, k)[form]:m if form < 2 else 1]
            if not i:
                raise Refused(words)
            b = points(a, d, i, a.dims[d][0] + i[0] * a.dims[d][1],
                a.dims[d][1] * (i.step if len(i) > 1 else 1))
            return b.but(np.take(b.v, 0, d), dims=without(b, d)) if squeeze and len(i) == 1 else b
        return words, f
    if what == 'grid':
        unless(len(A) > 1 or not abs(o) < 1e9 or not abs(s) < 1e6)
        ends = r.sample([o + (k - 1.5) * s, o + (n - 0.5) * s], 2)
        return 'tafcrop -g %d=%r:%r' % (D, *ends), [points(first, d, range(k - 1, n), o + (k - 1) * s)]
    if what == 'adjust':
        how, v = r.choice(('shift', 'scale', 'start', 'step', 'label', 'unit')), r.choice((2.0, 0.5, -1.0))
        v = r.choice(('t', 'a b', '')) if how in ('label', 'unit') else v
        new = {'shift': lambda o, s, *_: (o + v, s), 'scale': lambda o, s, *_: (o * v, s * v),
            'start': lambda o, s, *_: (v, s), 'step': lambda o, s, *_: (o, v),
            'label': lambda o, s, *_: (o, s, v), 'unit': lambda o, s, l, u: (o, s, l, v)}[how]
        return f"tafadjust --{how} '{D}={v}'", lambda a: a.but(a.v, dims=grid(a, d, *new(*a.dims[d])))
    if what == 'permute':
        to = r.sample(range(first.v.ndim), first.v.ndim)
        unless(any(a.v.ndim != len(to) for a in A))
        return 'taftranspose' if to == [1, 0] and flag else 'tafpermute -d ' + ','.join(str(x + 1)
            for x in to), lambda a: a.but(a.v.transpose(to), dims=[a.dims[x] for x in to])
    if what == 'reverse':
        D = some(r, A, d)
        def f(a):
            for d in D:
                o, s = a.dims[d][:2]
                a = points(a, d, range(a.v.shape[d])[::-1],
                    *(() if flag or not a.v.shape[d] else (o + (a.v.shape[d] - 1) * s, -s)))
            return a
        return f'tafreverse -d {listed(D)}' + ' --keep-grid' * flag, f
    if what == 'roll':
        by, how = r.randint(-5, 5), r.choice(('', ' --fill 0', ' --move-grid')[:3 if n else 2])
        unless('fill' in how and any(a.map or a.tol for a in A))
        def f(a):
            i = np.arange(a.v.shape[d]) - by
            i = np.where((i < 0) | (i >= i.size), -1, i) if 'fill' in how else i % i.size
            return points(a, d, i, a.dims[d][0] - by * a.dims[d][1] * (how == ' --move-grid'))
        return f'tafroll --by {D}={by}{how}', f
    if what == 'repeat':
        how = r.choice(('', ' --each', ' --insert'))
        def f(a):
            if how == ' --insert':
                return a.but(np.repeat(np.expand_dims(a.v, d), m, d), dims=a.dims[:d] + [OLD] + a.dims[d:])
            i = np.arange(a.v.shape[d] * m)
            return points(a, d, i // m if how else i % a.v.shape[d], a.dims[d][0],
                a.dims[d][1] / (m if how else 1))
        return f'tafrepeat --times {D}={m}{how}', f
    if what == 'pad':
        how, b, e = r.choice(('0', 'edge', 'wrap', 'reflect')), r.randint(0, 3), r.randint(0, 3)
        unless(how == 'reflect' and n < 2 or how == '0' and any(a.map or a.tol for a in A))
        def f(a):
            x = a.v.shape[d]
            i = np.arange(-b, x + e) % x if how == 'wrap' else np.pad(range(x), (b, e), **(
                {'constant_values': -1} if how == '0' else {'mode': how}))
            return points(a, d, i, a.dims[d][0] - b * a.dims[d][1])
        if flag and len({a.v.shape[d] for a in A}) == 1:
            centre = abs(b - e) < 2 and b <= e
            unless(not centre and b)
            return f'tafpad --to {D}={n + b + e} --with {how}' + ' --centre' * centre, f
        return f'tafpad --by {D}={b}:{e} --with {how}', f
    if what == 'select':
        i = [r.randrange(n) for _ in range(2 * m)]
        unless(flag and len(set(i)) == n)
        words = '--list ' + ','.join(str(x + 1) for x in i)
        form = r.randrange(3)
        if form == 1:
            write_rsf(r.other, [Array(np.array(i, r.choice(('i2', 'i8', 'f8'))) + 1)])
            words = f'--indices {r.other}'
        elif form == 2:
            unless(any(a.v.shape[d] != n for a in A))
            write_rsf(r.other, [Array(np.isin(range(n), i).astype(r.choice(('u1', 'f4', 'i8'))) * 3)])
            words, i = f'--mask {r.other}', sorted(set(i))
        return f'tafselect -d {D} {words}' + ' --invert' * flag, \
            lambda a: points(a, d, [x for x in range(a.v.shape[d]) if x not in i] if flag else i,
                NAN, NAN, a.dims[d][2], None)
    if what == 'split':
        unless(sum(a.v.shape[d] for a in A) > 12 or not flag and any(a.v.ndim == 1 for a in A))
        def f(a, x):
            p = points(a, d, range(a.v.shape[d])[x:x + (m if flag else 1)],
                a.dims[d][0] + x * a.dims[d][1])
            return p if flag else p.but(np.take(p.v, 0, d), dims=p.dims[:d] + p.dims[d + 1:])
        return f'tafsplit -d {D}' + f' --every {m}' * flag, \
            [f(a, x) for a in A for x in range(0, a.v.shape[d], m if flag else 1)]
    if what == 'pick':
        i = [r.randrange(len(A)) for _ in range(r.randint(1, 4))]
        return f'tafcat -N {i[0] + 1}' if flag else 'tafcat --pick ' + ','.join(
            str(x + r.choice((1, 1 - len(A)))) for x in i), [A[x] for x in i[:1 if flag else None]]
    if what == 'reshape':
        how = r.choice((f'insert {D}', f'merge {D}:{D + 1}', f'divide {D}={k}', 'flatten'))
        def f(a):
            x, dims, to, (o, s, *_) = list(a.v.shape), list(a.dims), [*a.v.shape, 0][d + 1], a.dims[d]
            unless(how[0] == 'm' and not to or how[0] == 'd' and x[d] % k)
            if how[0] == 'i':
                x[d:d], dims[d:d] = [1], [OLD]
            elif how[0] == 'm':
                x[d:d + 2], dims[d:d + 2] = [x[d] * to], [LOST]
            elif how[0] == 'd':
                x[d:d + 1], dims[d:d + 1] = [k, x[d] // k], [dims[d], (o, s * k, None, None)]
            else:
                x, dims = [a.v.size], [LOST]
            return a.but(a.v.reshape(x, order='F'), dims=dims)
        return f'tafreshape --{how}', f
    if what == 'append':
        words, shape, B = f'tafappend -d {D}', list(first.v.shape), A
        if len(A) == 1:
            shape[d] = m
            words, B = words + f' {{}} {r.other}', [first, other(r, first, shape)]
        unless(any(like(a) != like(first) or a.v.shape[:d] + a.v.shape[D:] != first.v.shape[:d] +
            first.v.shape[D:] for a in B))
        return words, [first.but(np.concatenate([a.v for a in B], d),
            tol=max((a.tol for a in B if a.tol is not None), default=None))]
    if what == 'interleave':
        unless(len(A) > 1)
        v = np.stack([first.v, other(r, first, first.v.shape).v], D)
        v = v.reshape([x * (1 + (i == d)) for i, x in enumerate(first.v.shape)])
        return f'tafinterleave -d {D} {{}} {r.other}', \
            [first.but(v, dims=grid(first, d, NAN, NAN, first.dims[d][2], None))]
    if what == 'type':
        return 'taftype --set 77', lambda a: a
    if flag:
        return 'tafcomment --clear', lambda a: a.but(a.v, comment='')
    x = r.choice(('9', 'two words', '1e3'))
    return f"tafput 'note={x}'", lambda a: a.but(a.v, attrs={**a.attrs, 'note': x})


def whole(v, t, clip, words):
    """Values as integers of this type; a tie goes away from 0."""
    info = np.iinfo(t)
    def f(x):
        if x != x:
            x = 0 if clip else info.max + 1
        elif abs(x) == math.inf:
            x = info.max + 1 if x > 0 else info.min - 1
        x = math.floor(abs(Fraction(x)) + Fraction(1, 2)) * (1 if x > 0 else -1)
        if not info.min <= x <= info.max and not clip:
            raise Refused(words)
        return min(max(x, info.min), info.max)
    return np.array([f(x) for x in v.ravel('F').tolist()], t).reshape(v.shape, order='F')


def rounded(v, t, clip, words):
    """Values as floats of this type: what is finite has to stay so."""
    new = v.astype(t)
    if (np.isinf(new) & np.isfinite(v)).any():
        unless(clip)
        raise Refused(words)
    return new


def values(r, A, d, n):
    """What is computed of any numbers, NaN and infinities among them."""
    what = r.choice('cast cast real real whole minus fill reduce reduce sort hist'.split())
    unless(what not in ('cast', 'real') and any(a.map for a in A))
    unless(what in ('fill', 'sort', 'hist') and not all(a.v.size for a in A))
    if what == 'cast':
        t, flag = r.choice([t for t in NAMES if t[0] != 'c']), r.random() < 0.5
        words, form = f'tafcast -t {t}' + ' --clip' * flag, whole if 'int' in t else rounded
        return words, lambda a: a.but(form(a.physical(), NAMES[t], flag, words), map=None,
            tol=None if a.kind() != 'f' and not a.map else 0)
    if what == 'real':
        e = r.choice(list(REAL)[-2:] if any(a.kind() != 'f' for a in A) else list(REAL))
        def f(a):
            v = REAL[e](a.physical().astype('f8'))
            return a.but(v.astype('u1') if v.dtype == bool else rounded(v, a.real(), 0, words), map=None,
                tol=0)
        words = f"tafmath '{e}'"
        return words, f
    if what == 'whole':
        unless(any(a.kind() == 'f' for a in A))
        e = r.choice(list(WHOLE))
        words = f"tafmath '{e}'"
        return words, lambda a: a.but(whole(np.array([WHOLE[e](x) for x in a.v.ravel('F').tolist()],
            object).reshape(a.v.shape, order='F'), a.v.dtype, False, words))
    if what == 'minus':
        unless(len(A) > 1 or A[0].kind() != 'f')
        b, words = other(r, A[0], A[0].v.shape), f"tafmath 'a-b' {{}} {r.other}"
        return words, lambda a: a.but(rounded(a.v.astype('f8') - b.v, a.v.dtype, 0, words), tol=0)
    if what == 'fill':
        lo, x, nan = r.randint(1, n), r.randint(0, 100), r.random() < 0.3
        def f(a):
            v = a.v.copy()
            v[np.isnan(v) if nan else (slice(None),) * d + (slice(lo - 1, None, 2),)] = x
            return a.but(v)
        return f'taffill --nan {x}' if nan else f'taffill -x {d + 1}={lo}::2 --value {x}', f
    if what == 'sort':
        down, index = r.random() < 0.5, r.random() < 0.3
        def f(a):       # stable, NaN last
            k = np.argsort(np.flip(a.v, d) if down else a.v, axis=d, kind='stable')
            if down:
                k = np.flip(a.v.shape[d] - 1 - k, d)
                last = np.isnan(np.take_along_axis(a.v, k, d))
                k = np.take_along_axis(k, np.argsort(last, axis=d, kind='stable'), d)
            return a.but(k.astype('i8') + 1 if index else np.take_along_axis(a.v, k, d),
                dims=grid(a, d, 1.0, 1.0, None, None))
        return f'tafsort -d {d + 1}' + ' --descending' * down + ' --index' * index, f
    if what == 'hist':
        each, sums = r.random() < 0.5, r.random() < 0.5
        def count(v):
            v = np.histogram(v[np.isfinite(v)].astype('f8'), 8, (-16, 16))[0].astype('i8')
            return np.cumsum(v) if sums else v
        bins = (-14.0, 4.0, None, None)
        return 'tafhist --bins 8 --range=-16:16' + f' -d {d + 1}' * each + ' --cumulative' * sums, lambda a: \
            a.but(np.apply_along_axis(count, d, a.v), dims=grid(a, d, *bins)) if each else \
            a.but(count(a.v), dims=[bins])
    what, d = r.choice('min max first last count nan sum'.split()), r.choice((None, some(r, A, d)))
    words = f'tafreduce {what}' + (f' -d {listed(d)}' if d else '')
    def f(a):
        v, k = a.v, {'axis': d and tuple(d), 'keepdims': True}
        if what in ('first', 'last'):
            for x in d or range(v.ndim):
                v = v.take([0 if what == 'first' else -1], x)
        elif what == 'sum':
            unless(a.kind() == 'f')
            v = whole(np.sum(v.astype(object), **k), 'i8' if a.kind() == 'i' else 'u8', False, words)
        elif what in ('count', 'nan'):
            v = np.sum(np.isnan(v) if what == 'nan' else np.ones(v.shape), dtype='i8', **k)
        else:
            v = getattr(np, what)(v, **k)
        return a.but(v, dims=reduced(a, d), tol=0)
    unless(what[:3] not in ('cou', 'nan', 'sum') and not all(a.v.size for a in A))
    return words, f


def matrix(a):
    unless(a.v.ndim != 2)
    return a


def column(a):
    return a.but(matrix(a).v.reshape(-1, 1, order='F'), tol=a.tol or 0)


def sound(a):
    unless(a.v.ndim == 2 and 1 in a.v.shape)
    v, unit = a.v.reshape(-1, 1) if a.v.ndim == 1 else a.v.T, 2.0 ** (1 - 8 * a.v.itemsize)
    return Array(v, map=None if a.kind() == 'f' else (-(a.kind() == 'u'), unit), tol=a.tol)


def cube(a):
    unless(a.v.ndim != 3)
    return a


def slabs(a):
    unless(a.v.ndim < 2 or a.v.shape[-1] < 2)
    return a.but(a.v[::-1])


def replaced(a):
    a.v = a.v.copy()
    a.v[0] = 7
    return a


# words; what the format holds besides elements: several arrays (N), grid (G), mapping (M), all else
# (R); types, most dimensions, and what becomes of an array
DAF = 'taf2daf --create --axis x=<(seq {n1}) --axis y=<(seq {n2})'
TIME = 'tafadjust --start 1=0 --step 1=0.25 {units}'
FLAT = 'i1 u1 i2 u2 i4 u4 i8 u8 f4 f8'
TRIPS = (
    ('taf2rsf -r | rsf2taf', 'NGMR'),
    ('taf2gta -r | gta2taf', 'NG'),
    ('taf2ten -r | ten2taf', 'N', 0, 9, lambda a: a.but(planes(a.v)) if a.kind() == 'c' else a),
    ('taf2npy -r | npy2taf', ''),
    ('taf2npy -r --c-order | npy2taf', ''),
    ('taf2npy -r --npz | npy2taf', ''),
    ('taf2hdf trip.h5 v ; hdf2taf trip.h5 v', ''),
    ('taf2hdf --deflate 1 trip.h5 v ; hdf2taf trip.h5 v', ''),
    ('taf2zarr trip.zarr v ; zarr2taf trip.zarr v', ''),
    ('taf2zarr --v3 --pack gzip trip.zarr v ; zarr2taf trip.zarr v', ''),
    (f'{DAF} trip.daf x/y/v ; daf2taf trip.daf x/y/v', '', FLAT, 2, matrix),
    (f'{TIME} | taf2sigmf -o trip ; sigmf2taf trip.sigmf-meta', '', 'i2 f4 c8', 1),
    (f'{TIME} | taf2wav -o trip.wav ; wav2taf trip.wav', '', 'u1 i2 i4 f4 f8', 2, sound),
    ('taf2pgm | pgm2taf', 'N', 'u1 u2', 2, matrix),
    ('taf2raw -r | tafcreate -n {n} -t {t}', '', FLAT),
    ('taf2raw -r --big-endian | tafcreate -n {n} -e {t}be -t {t}', '', FLAT),
    ('taf2rsf -r --datapath=./ -o trip.rsf ; rsf2taf trip.rsf', 'GMR'),
    ('taf2hdf --deflate 3 --shuffle --reverse trip.h5 g/v ; hdf2taf --reverse trip.h5 g/v', ''),
    ('taf2hdf trip.h5 v ; hdf2taf -x 1=1::2 trip.h5 v', '', 0, 9, lambda a: a.but(a.v[::2])),
    ('taf2zarr --reverse --pack blosc:lz4 trip.zarr v ; zarr2taf --reverse trip.zarr v', ''),
    ('taf2zarr --v3 --chunks {c} --shard {s} trip.zarr v ; zarr2taf -x 1=1::2 trip.zarr v', '', 0, 9,
        lambda a: a.but(a.v[::2])),
    ('taf2npy -r --reverse | npy2taf --reverse', ''),
    ('taf2ten -r --tar | ten2taf', 'N', 0, 9, lambda a: a.but(planes(a.v)) if a.kind() == 'c' else a),
    ('taf2pgm --transpose | pgm2taf --transpose', 'N', 'u1 u2', 2, matrix),
    (f'{DAF} --sparse trip.daf x/y/v ; dafls --check trip.daf ; daf2taf trip.daf x/y/v', '', FLAT, 2, matrix),
    (f'{DAF} --pack gzip trip.daf x/y/v ; dafls --entries trip.daf x/y/v | txt2taf -t {{t}}', '', FLAT, 2, column),
    ('tafexport --no-header | txt2taf -t {t}', '', FLAT, 2, lambda a: matrix(a.but(a.v, tol=a.tol or 0))),
    (f'{TIME} | taf2segy --revision 2 --order little -o trip.sgy ; segy2taf trip.sgy', '', 'i1 u1 i2 u2 i4 u4 f4', 2,
        matrix),
    (f'{TIME} | taf2segy --revision 2 --format 5 -o trip.sgy ; segy2taf trip.sgy', '', 'f4', 2, matrix),
    (f'{TIME} --start 2=1 --step 2=1 --start 3=5 --step 3=1 | tafreverse -d 2,3 | taf2segy --revision 2 -o '
        'trip.sgy ; segy2taf --by iline,xline trip.sgy', '', 'i1 u1 i2 u2 i4 u4 f4', 3, cube),
    ("tafcat -o trip.taf ; tafspread -q -J 2 --slabs 3 -o trips.taf trip.taf -- tafreverse -d 1"
        ' ; tafcat trips.taf', 'M', 0, 9, slabs),
    ('tafcat -o trip.taf ; tafreplace -i -x 1=1 --value 7 trip.taf ; tafcat trip.taf', 'GR', FLAT, 9, replaced),
    ("tafread --printf '%.9g' | txt2taf", '', 'f4', 1, lambda a:
        a.but(a.v.reshape(-1, 1), tol=a.tol or 0)),
)


def trips(r, A, d, n):
    words, keeps, types, most, change = (*(x := r.choice(TRIPS)), *(0, 9, lambda a: a)[len(x) - 2:])
    unless('N' not in keeps and len(A) > 1 or any(not a.v.size or a.v.ndim > most or a.map and 'M' not in keeps or
        types and a.v.dtype.str[1:] not in types for a in A))
    def f(a):
        b = change(a.but(a.v))
        if 'R' not in keeps:
            b.comment, b.attrs = None, {}
        return b if 'G' in keeps else b.but(b.v, dims=[LOST] * b.v.ndim)
    m = A[0].v.shape
    c = [r.randint(1, x) for x in m]
    for k, x in (('trip', r.other), ('{n}', ','.join(map(str, m))), ('{n1}', m[0]), ('{n2}', m[-1]),
            ('{t}', str(A[0].v.dtype).replace('float', 'flt')), ('{c}', ','.join(map(str, c))),
            ('{units}', ' '.join(f'--unit {k + 1}=' for k in range(len(m)))),
            ('{s}', ','.join(str(x * r.randint(1, 3)) for x in c))):
        words = words.replace(k, str(x))
    return words, f
