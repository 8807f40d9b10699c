# SPDX-License-Identifier: ISC
"""Arrays as numpy has them, and what commands make of them.

An operation gets a source of random choices and the arrays of a stream. It answers with the words
of a command that reads standard input, and the arrays that come out, or the status that refuses
these; with None where it cannot be done to them.
"""
import copy
import math
import re
import struct

import numpy as np

NAMES = dict(zip('int8 uint8 int16 uint16 int32 uint32 int64 uint64 flt32 flt64 complex complex128'
    .split(), 'i1 u1 i2 u2 i4 u4 i8 u8 f4 f8 c8 c16'.split()))
TYPES = {np.dtype(v): k for k, v in NAMES.items()}
NATIVE = dict(zip(NAMES, 'char uchar short ushort int uint long ulong float double complex double'
    .split()))
NAN = float('nan')
OLD = (1.0, 1.0, '', '')        # start, step, label, unit of a dimension; NaN and None: not known
LOST = (NAN, NAN, None, None)


class Array:
    """tol: None is bit for bit, else what values may differ by; NaN and -0 then, too."""
    def __init__(self, v, dims=None, map=None, comment='', attrs=(), tol=None):
        self.v, self.map, self.comment, self.attrs, self.tol = v, map, comment, dict(attrs), tol
        self.dims = list(dims or [OLD] * v.ndim)

    def but(self, v, **changes):
        a = copy.copy(self)
        a.v, a.dims, a.attrs = v, list(self.dims), dict(self.attrs)
        for k, x in changes.items():
            setattr(a, k, x)
        return a

    def kind(self):
        return self.v.dtype.kind

    def physical(self):
        return self.v if self.map is None else self.map[0] + self.map[1] * self.v.astype('f8')

    def real(self):
        """The type of computed values."""
        small = self.v.dtype.kind in 'iu' and self.v.itemsize <= 2 or self.v.dtype in ('f4', 'c8')
        return 'f4' if small else 'f8'


def values(r, t, n):
    t, how = np.dtype(t), r.randrange(4)
    if t.kind == 'c':
        return values(r, 'f4' if t == 'c8' else 'f8', 2 * n).view(t)
    if how == 0:
        return np.frombuffer(r.randbytes(n * t.itemsize), t)
    u = np.frombuffer(r.randbytes(n), 'u1')
    if t.kind == 'u':
        return (u % 101).astype(t)
    if t.kind == 'i':
        return (u.astype('i2') % 101 - 50).astype(t)
    v = (u.astype(t) - 100) / 8
    if how == 1:
        special = np.array([NAN, np.inf, -np.inf, -0.0, np.finfo(t).tiny / 4, np.finfo(t).max], t)
        v[::7] = special[u[::7] % 6]
    return v


def draw(r, t=None, n=None, large=False):
    """An array; its grid is such that no arithmetic on it rounds."""
    t = t or r.choice(list(TYPES))
    if n is None:
        nd = r.choice((1, 1, 2, 2, 2, 3, 3, 4, 5))
        n = [r.randint(1, (60, 14, 7, 4, 3)[nd - 1]) for _ in range(nd)]
        if large:
            n[r.randrange(nd)] *= r.randint(60, 900)
        elif r.random() < 0.03:
            n[r.randrange(nd)] = 0
    v = values(r, t, int(np.prod(n))).reshape(n, order='F')
    dims = [(r.randint(-40, 40) / 8, r.choice((0.25, 0.5, 1.0, -1.0, 4.0)), r.choice(('', 'x', 'a b')),
        r.choice(('', '', 's', 'm/s'))) for _ in n]
    a = Array(v, dims, None, r.choice(('', 'shot 7\n', 'two\nlines "%"\n')))
    if v.dtype.kind in 'iu' and r.random() < 0.3:
        a.map = (r.choice((0.0, -2.5, 8.0)), r.choice((0.25, 2.0, -0.5)))
    if r.random() < 0.3:
        a.attrs['key'] = r.choice(('word', '17', 'a=b', '5 "%"'))
    return a


def escape(s):
    return s.replace('%', '%25').replace('"', '%22')


def unescape(s):
    return re.sub('%([0-9A-F]{2})', lambda m: chr(int(m[1], 16)), s)


def planes(v):
    """Real and imaginary part along a dimension more."""
    return np.stack([np.ascontiguousarray(v).view('f%d' % (v.itemsize // 2)).reshape(*v.shape, 2)[..., k]
        for k in (0, 1)], -1)


def rest(a):
    return [(k, x) for i, d in enumerate(a.dims) for k, x in
        ((f'label@{i + 1}', d[2]), (f'unit@{i + 1}', d[3])) if x] + list(a.attrs.items())


def write_taf(name, a):
    v, attrs, dims = a.v, rest(a), list(a.dims)
    if v.ndim == 1:
        v, dims, attrs = v.reshape(-1, 1), dims + [OLD], attrs + [('ndim', '1')]
    if v.dtype.kind == 'c':     # L x 1 becomes L x 2
        column = v.shape[1:] == (1,)
        v, attrs = planes(v[:, 0] if column else v), attrs + [('complex', '1')]
        dims += [OLD] * (not column)
    with open(name, 'wb') as f:
        f.write(b'TAF \1\0\0\n' + b'soak'.ljust(1016))
        f.write(struct.pack('<8s2dQ', TYPES[v.dtype].encode(), *(a.map or (np.inf, np.inf)), v.ndim))
        for n, d in zip(v.shape, dims):
            f.write(struct.pack('<Q2d', n, *d[:2]))
        f.write(v.astype(v.dtype.newbyteorder('<')).tobytes('F'))
        end = f.tell()
        f.write(a.comment.encode())
        if attrs:
            f.write(b'\n--- attributes ---\n'[not a.comment:])
            f.write(''.join(f'{k}={escape(x)}\n' for k, x in attrs).encode())
    return end


def write_rsf(name, arrays, order='little'):
    with open(name, 'wb') as f:
        for a in arrays:
            t, n, dims = TYPES[a.v.dtype], a.v.shape, a.dims
            if t == 'complex128':
                n, dims = (2, *n), [OLD, *dims]
            keys = [f'data_format="native_{NATIVE[t]}"', f'taf_format="{t}"', f'taf_order="{order}"']
            for k, (n, d) in enumerate(zip(n, dims)):
                keys += [f'n{k + 1}={n}', f'o{k + 1}={d[0]}', f'd{k + 1}={d[1]}']
                keys += [f'label{k + 1}="{d[2]}"'] * bool(d[2]) + [f'unit{k + 1}="{d[3]}"'] * bool(d[3])
            if a.map:
                keys += ['taf_intercept=%r' % a.map[0], 'taf_slope=%r' % a.map[1]]
            keys += [f'{k}={x}' if x.isdigit() else f'{k}="{escape(x)}"' for k, x in a.attrs.items()]
            keys += [f'taf_comment="{escape(x)}"' for x in a.comment.split('\n') if a.comment]
            keys += ['taf_next=1'] * (a is not arrays[-1]) + ['in="stdin"']
            f.write('\n'.join('\t' + k for k in keys).encode() + b'\n\n\f\f\4')
            f.write(a.v.astype(a.v.dtype.newbyteorder(order)).tobytes('F'))


def take(b, at, t, n, order='little'):
    t = np.dtype(t).newbyteorder(order)
    end = at + t.itemsize * int(np.prod(n))
    assert end <= len(b), 'elements are missing'
    return np.frombuffer(b[at:end], t).astype(t.newbyteorder('=')).reshape(n, order='F'), end


def join(v):
    return np.ascontiguousarray(np.stack([v[..., 0], v[..., 1]], -1)).view('c%d' % (2 * v.itemsize))[..., 0]


def dress(v, grid, map, comment, attrs):
    """An array whose labels and units stand among its attributes."""
    keys = [('label@%d' % k, 'unit@%d' % k) for k in range(1, len(grid) + 1)]
    dims = [(*g, *(attrs.pop(k, '') for k in ks)) for g, ks in zip(grid, keys)]
    return Array(v, dims, map, comment, attrs)


def read_taf(b):
    t, *map, nd = struct.unpack('<8s2dQ', b[1024:1056])
    dims = [struct.unpack('<Q2d', b[k:k + 24]) for k in range(1056, 1056 + 24 * nd, 24)]
    v, at = take(b, 1056 + 24 * nd, NAMES[t.rstrip(b'\0').decode()], [d[0] for d in dims])
    comment, _, block = ('\n' + b[at:].decode()).partition('\n--- attributes ---\n')
    comment = comment[1:]
    attrs = {k: unescape(x.strip('"')) for k, _, x in (s.partition('=') for s in block.splitlines())}
    if attrs.pop('complex', 0):
        v = join(v)
        v, dims = (v.reshape(-1, 1), dims) if v.ndim == 1 else (v, dims[:-1])
    if attrs.pop('ndim', 0):
        v, dims = v.reshape(dims[0][0]), dims[:1]
    return [dress(v, [d[1:] for d in dims], tuple(map) if np.isfinite(map).all() else None,
        comment, attrs)]


def read_stream(b):
    """The arrays of a file of ours, TAF or RSF framing; the end has to be told."""
    if b[:3] == b'TAF':
        return read_taf(b)
    arrays, at, more = [], 0, True
    while more:
        end = b.index(b'\n\n\f\f\4', at)
        keys, comment, attrs = {}, [], {}
        for k, x in re.findall('\t(.*?)=(.*)', b[at:end].decode()):
            x = unescape(x.strip('"'))
            if k == 'taf_comment':
                comment.append(x)
            elif re.match(r'([nod]\d+|taf_.*|in|esize|data_format)$', k):
                keys[k] = x
            else:
                attrs[re.sub(r'^(label|unit)(\d+)$', r'\1@\2', k)] = x
        at = end + 5
        if 'taf_end' in keys:
            assert int(keys['taf_end']) == len(arrays), 'taf_end'
            break
        nd = sum(k[0] == 'n' for k in keys)
        n = [int(keys[f'n{k}']) for k in range(1, nd + 1)]
        grid = [(float(keys[f'o{k}']), float(keys[f'd{k}'])) for k in range(1, nd + 1)]
        if keys['taf_format'] == 'complex128':
            n, grid = n[1:], grid[1:]
            attrs = {re.sub(r'^(label|unit)@(\d+)$', lambda m: f'{m[1]}@{int(m[2]) - 1}', k): x
                for k, x in attrs.items()}
        v, at = take(b, at, NAMES[keys['taf_format']], n, keys.get('taf_order', 'little'))
        map = 'taf_slope' in keys and (float(keys['taf_intercept']), float(keys['taf_slope'])) or None
        arrays.append(dress(v, grid, map, '\n'.join(comment), attrs))
        more = 'taf_next' in keys
    assert at == len(b), 'more than was announced'
    return arrays


def differ(got, want):
    """What of the arrays is wrong, or None."""
    if len(got) != len(want):
        return f'{len(got)} arrays, not {len(want)}'
    for k, (g, w) in enumerate(zip(got, want)):
        for what, x, y in (('type', g.v.dtype, w.v.dtype), ('shape', g.v.shape, w.v.shape),
                ('mapping', g.map, w.map)):
            if x != y:
                return f'array {k + 1}: {what} {x}, not {y}'
        for x, y in zip(g.dims, w.dims):
            if not all(q in (None, p) or q != q or w.tol and p and abs(p - q) < 1e-6 * (abs(q) + 1)
                    for p, q in zip(x, y)):
                return f'array {k + 1}: grid {g.dims}, not {w.dims}'
        if w.comment not in (None, g.comment):
            return f'array {k + 1}: comment {g.comment!r}, not {w.comment!r}'
        if any(g.attrs.get(key) != x for key, x in w.attrs.items()):
            return f'array {k + 1}: attributes {g.attrs}, not {w.attrs}'
        if g.v.tobytes() != w.v.tobytes() and (w.tol is None or not within(g.v, w.v, w.tol)):
            return f'array {k + 1}: values {g.v.ravel()[:20]}, not {w.v.ravel()[:20]}'
    return None


def within(x, y, tol):
    with np.errstate(all='ignore'):
        return bool(((x == y) | (np.isnan(x) & np.isnan(y)) | (np.abs(x - y) <= tol)).all())


class No(Exception):
    pass


class Refused(Exception):
    pass


def unless(no):
    if no:
        raise No


def grid(a, d, *new):
    """Its dimensions, where this one has a new start, step, label, unit, or the first of them."""
    return [*a.dims[:d], (*new, *a.dims[d][len(new):]), *a.dims[d + 1:]]


def points(a, d, index, *new):
    """Those of a dimension; 0 where an index is -1."""
    b = a.but(np.take(a.v, index, axis=d), dims=grid(a, d, *new))
    b.v[(slice(None),) * d + (np.array(index) < 0,)] = 0
    return b


def without(a, d):
    return a.dims[:d] + a.dims[d + 1:]


def some(r, A, d):
    """This dimension, and others that all arrays have, in any order."""
    n = min(a.v.ndim for a in A)
    D = [d, *r.sample([k for k in range(n) if k != d], r.randrange(n))]
    return r.sample(D, len(D))


def listed(D):
    return ','.join(str(d + 1) for d in D)


def reduced(a, d):
    return [(o + (m - 1) * s / 2, m * s, *rest) if m and (d is None or k in d) else (o, s, *rest)
        for k, (m, (o, s, *rest)) in enumerate(zip(a.v.shape, a.dims))]


def exact(a):
    """Its values in longer numbers."""
    return a.v.astype('G' if a.kind() == 'c' else 'g')


def near(a, v, *dims, t=None, off=1):
    """Results within some roundings of the largest one."""
    t = np.dtype(t or ('c8' if a.real() == 'f4' else 'c16') if v.dtype.kind == 'c' else t or a.real())
    tol = off * 32 * math.log2(2 * a.v.size) * np.finfo(t).eps * float(np.nanmax(np.abs(v), initial=0))
    return a.but(v.astype(t), dims=list(dims) or [LOST] * v.ndim, tol=tol)
