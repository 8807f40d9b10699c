# SPDX-License-Identifier: ISC
"""GTA written and read from its specification alone, and RSF streams read: for the tests."""
import bz2
import lzma
import re
import struct
import zlib

import numpy as np

TYPES = {1: 'i1', 2: 'u1', 3: 'i2', 4: 'u2', 5: 'i4', 6: 'u4', 7: 'i8', 8: 'u8',
         11: 'f4', 12: 'f8', 14: 'c8', 15: 'c16'}
SIZES = {9: 16, 10: 16, 13: 16, 16: 32}
RSF = {'char': 'i1', 'uchar': 'u1', 'short': 'i2', 'ushort': 'u2', 'int': 'i4', 'uint': 'u4',
       'long': 'i8', 'ulong': 'u8', 'float': 'f4', 'double': 'f8', 'complex': 'c8',
       'complex128': 'c16'}


def unpack(method, data, size):
    if method == 2:
        data = bz2.BZ2Decompressor().decompress(data)
    elif method == 3:
        data = lzma.LZMADecompressor(lzma.FORMAT_XZ).decompress(data)
    elif method:
        data = zlib.decompressobj().decompress(data)
    assert len(data) == size
    return data


def pack(method, data):
    if method == 2:
        return bz2.compress(data)
    if method == 3:
        return lzma.compress(data, lzma.FORMAT_XZ, lzma.CHECK_CRC64, 0)
    return zlib.compress(data)


class Array:
    """comps: (type, size); tags: global, one list a component, one a dimension."""
    def __init__(self, comps, dims, tags, data, order):
        self.comps, self.dims, self.tags, self.data = comps, dims, tags, data
        self.order = order

    def values(self, k):
        """Component k of all elements, in storage order, native."""
        offset = sum(s for _, s in self.comps[:k])
        size = sum(s for _, s in self.comps)
        t, s = self.comps[k]
        raw = np.frombuffer(self.data, 'u1').reshape(-1, size)[:, offset:offset + s]
        return np.frombuffer(raw.tobytes(), self.order + TYPES[t]).astype(TYPES[t])


def parse(b):
    """All arrays of a file."""
    out, at = [], 0
    while at < len(b):
        assert b[at:at + 4] == b'GTA\x01'
        order = '>' if b[at + 4] & 1 else '<'
        chunked = b[at + 5] != 0
        at += 6

        def chunks(at):
            got = b''
            while True:
                n, = struct.unpack_from(order + 'Q', b, at)
                at += 8
                if n == 0:
                    return got, at
                method, m = b[at], n
                at += 1
                if method:
                    m, = struct.unpack_from(order + 'Q', b, at)
                    at += 8
                got += unpack(method, b[at:at + m], n)
                at += m

        h, at = chunks(at)
        p, comps, dims = 0, [], []
        while h[p] != 255:
            t, p = h[p], p + 1
            if t == 0:
                comps.append((0, struct.unpack_from(order + 'Q', h, p)[0]))
                p += 8
            else:
                comps.append((t, SIZES[t] if t in SIZES else np.dtype(TYPES[t]).itemsize))
        p += 1
        while True:
            n, = struct.unpack_from(order + 'Q', h, p)
            p += 8
            if n == 0:
                break
            dims.append(n)
        lists = []
        for _ in range(1 + len(comps) + len(dims)):
            tags = {}
            while h[p]:
                e = h.index(b'\0', p)
                f = h.index(b'\0', e + 1)
                tags[h[p:e].decode('utf-8', 'surrogatepass')] = h[e + 1:f]
                p = f + 1
            p += 1
            lists.append(tags)
        assert p == len(h)
        count = int(np.prod(dims, dtype=object)) if dims else 0
        size = count * sum(s for _, s in comps)
        if chunked:
            data, at = chunks(at)
        else:
            data, at = b[at:at + size], at + size
        assert len(data) == size
        n = len(comps)
        out.append(Array(comps, dims, (lists[0], lists[1:n + 1], lists[n + 1:]), data, order))
    return out


def build(comps, dims, data=b'', tags=None, big=False, split=None, method=0, hmethod=0,
          flags=0):
    """The bytes of one array; comps are types or (0, size); split is the length of chunks."""
    order = '>' if big else '<'

    def u64(n):
        return struct.pack(order + 'Q', n)

    def chunks(b, method):
        got, step = b'', split or 1 << 24
        for i in range(0, len(b), step):
            part = b[i:i + step]
            z = pack(method, part) if method else part
            if method and len(z) <= len(part):
                got += u64(len(part)) + bytes([method]) + u64(len(z)) + z
            else:
                got += u64(len(part)) + b'\0' + part
        return got + u64(0)

    h = b''
    for c in comps:
        h += bytes([c]) if isinstance(c, int) else bytes([c[0]]) + u64(c[1])
    h += b'\xff' + b''.join(u64(n) for n in dims) + u64(0)
    lists = tags or ({}, [{}] * len(comps), [{}] * len(dims))
    for t in [lists[0]] + list(lists[1]) + list(lists[2]):
        for k, v in t.items():
            h += k.encode() + b'\0' + (v if isinstance(v, bytes) else v.encode()) + b'\0'
        h += b'\0'
    b = b'GTA\x01' + bytes([flags | big, method]) + chunks(h, hmethod)
    return b + (chunks(data, method) if method else data)


class Stream:
    def __init__(self, type, dims, keys, data):
        self.type, self.dims, self.keys, self.data = type, dims, keys, data


def rsf(b):
    """All arrays of a stream."""
    out, at = [], 0
    while at < len(b):
        end = b.index(b'\n\f\f\x04', at)
        keys, last = {}, None
        for line in b[at:end].split(b'\n'):
            m = re.match(rb'\t([^=]+)="?(.*?)"?$', line)
            if not m:
                continue
            k, v = (re.sub(rb'%([0-9A-F]{2})', lambda x: bytes([int(x[1], 16)]), s)
                    for s in m.groups())
            k = k.decode('utf-8', 'surrogatepass')
            if k == 'taf_more':
                keys[last] += v
            else:
                keys[k], last = v, k
        if 'taf_end' in keys:
            assert int(keys['taf_end']) == len(out)
            at = end + 4
            continue
        t = RSF[keys['data_format'].decode()[7:]]
        dims, k = [], 1
        while 'n%d' % k in keys:
            dims.append(int(keys['n%d' % k]))
            k += 1
        # pairs of doubles, which RSF has no name for
        if keys.get('taf_format') == b'complex128':
            assert t == 'f8' and dims.pop(0) == 2 and keys['label1'] == b'real, imaginary'
            keys = {re.sub(r'@(\d+)$', lambda m: '@%d' % (int(m[1]) - 1), k): v
                    for k, v in keys.items()}
            t = 'c16'
        order = {b'little': '<', b'big': '>'}[keys['taf_order']]
        at = end + 4
        n = int(np.prod(dims)) * np.dtype(t).itemsize
        assert len(b) - at >= n
        out.append(Stream(t, dims, keys, np.frombuffer(b[at:at + n], order + t).astype(t)))
        at += n
    return out


def expected(a, component=None):
    """What the present array becomes: (type, dims, values, component of @c1, shift)."""
    if not a.dims or not a.comps:
        return []
    ks = range(len(a.comps)) if component is None else [component]
    same = len(set(a.comps[k] for k in ks)) == 1
    out = []
    for group in ([list(ks)] if same else [[k] for k in ks]):
        if len(group) == len(a.comps):
            t = TYPES[a.comps[0][0]]
            v = np.frombuffer(a.data, a.order + t).astype(t)
        else:
            v = a.values(group[0])
        dims = ([len(group)] if len(group) > 1 else []) + a.dims
        out.append((v.dtype.str[1:], dims, v, group, int(len(group) > 1)))
    return out


def check(arrays, stream, component=None):
    """Does the stream hold what the arrays become?"""
    want = [(a, e) for a in arrays for e in expected(a, component)]
    assert len(want) == len(stream), (len(want), len(stream))
    for (a, (t, dims, v, group, shift)), s in zip(want, stream):
        assert (t, dims) == (s.type, s.dims), (t, dims, s.type, s.dims)
        assert v.tobytes() == s.data.tobytes()
        keys = {'gta/' + k: x for k, x in a.tags[0].items()}
        for i, k in enumerate(group):
            keys.update({'gta/%s@c%d' % (n, i + 1): x for n, x in a.tags[1][k].items()})
        for k, tags in enumerate(a.tags[2]):
            keys.update({'gta/%s@%d' % (n, k + 1 + shift): x for n, x in tags.items()})
        got = {k: x for k, x in s.keys.items() if k.startswith('gta/')}
        assert got == keys, (got, keys)
