# SPDX-License-Identifier: ISC
"""Zarr stores by hand, byte for byte: numpy and the standard library alone."""
import bz2, gzip, itertools, json, lzma, os, struct, subprocess, zlib

import numpy as np


def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    return crc ^ 0xffffffff


def zstd(data, sized=True):
    """a frame of raw blocks, with its size or without"""
    blocks = [data[k:k + 100000] for k in range(0, len(data), 100000)] or [b'']
    out = b'\x28\xb5\x2f\xfd'
    out += b'\xa0' + struct.pack('<I', len(data)) if sized else b'\x00\x58'
    for k, b in enumerate(blocks):
        out += struct.pack('<I', len(b) << 3 | (k == len(blocks) - 1))[:3] + b
    return out


def blosc(data, size):
    """a buffer that is stored as it is"""
    return bytes([2, 1, 2, size]) + struct.pack('<III', len(data), len(data), 16 + len(data)) + data


def lz4(data):
    """literals, one match back by 1 where the last bytes are equal, more literals"""
    out, tail, match = b'', data, 0
    head = data[:20]
    while len(head) == 20 and match < 300 and 20 + match < len(data) - 5 and data[20 + match] == head[-1]:
        match += 1
    def length(n):
        return b'' if n < 15 else b'\xff' * ((n - 15) // 255) + bytes([(n - 15) % 255])
    if match >= 4:
        out = bytes([min(20, 15) << 4 | min(match - 4, 15)]) + length(20) + head + b'\x01\x00' + length(match - 4)
        tail = data[20 + match:]
    out += bytes([min(len(tail), 15) << 4]) + length(len(tail)) + tail
    return struct.pack('<I', len(data)) + out


def shuffle(data, size):
    n = len(data) // size * size
    return np.frombuffer(data[:n], 'u1').reshape(-1, size).T.tobytes() + data[n:]


PACK = {
    'zlib': lambda d, s: zlib.compress(d), 'gzip': lambda d, s: gzip.compress(d),
    'zstd': lambda d, s: zstd(d), 'unsized': lambda d, s: zstd(d, False), 'blosc': blosc,
    'lz4': lambda d, s: lz4(d), 'bz2': lambda d, s: bz2.compress(d),
    'lzma': lambda d, s: lzma.compress(d),
}


def put(path, data):
    os.makedirs(os.path.dirname(path) or '.', exist_ok=True)
    with open(path, 'wb') as f:
        f.write(data if isinstance(data, bytes) else json.dumps(data).encode())


def parts(a, chunks, fill=0):
    """each chunk of a, of full size, by its number"""
    for number in itertools.product(*(range(-(-n // c)) for n, c in zip(a.shape, chunks))):
        c = np.full(chunks, fill, a.dtype)
        part = a[tuple(slice(i * n, i * n + n) for i, n in zip(number, chunks))]
        c[tuple(slice(0, n) for n in part.shape)] = part
        yield number, c


def v2(path, a, chunks, pack=None, order='C', separator='.', filters=(), fill=0, without=(),
        attrs=None, **more):
    """a as an array of version 2, without the chunks of some numbers"""
    dtype = a.dtype.str
    meta = dict(zarr_format=2, shape=a.shape, chunks=chunks, dtype=dtype, order=order,
        compressor=pack and {'id': 'zstd' if pack == 'unsized' else pack},
        fill_value=fill, filters=[{'id': 'shuffle', 'elementsize': f} if isinstance(f, int) else f
        for f in filters] or None)
    if separator != '.':
        meta['dimension_separator'] = separator
    put(path + '/.zarray', {**meta, **more})
    if attrs is not None:
        put(path + '/.zattrs', attrs)
    for number, c in parts(a, chunks, 7):
        if number in without:
            continue
        data = c.tobytes(order)
        for f in filters:
            if isinstance(f, int):
                data = shuffle(data, f)
            elif f['id'] == 'delta':
                flat = np.frombuffer(data, a.dtype)
                with np.errstate(over='ignore'):
                    data = np.concatenate((flat[:1], flat[1:] - flat[:-1])).astype(a.dtype).tobytes()
        put(path + '/' + (separator.join(map(str, number)) or '0'),
            PACK[pack](data, a.dtype.itemsize) if pack else data)


NAMES = {'b': 'bool', 'i': 'int', 'u': 'uint', 'f': 'float', 'c': 'complex'}


def v3(path, a, chunks, pack=None, big=False, order=None, crc=False, shard=None, first=False,
        fill=0, without=(), encoding=None, hurt=None, named=None, **more):
    """a as an array of version 3; chunks in shards where those are given"""
    kind = NAMES[a.dtype.kind] + ('' if a.dtype.kind == 'b' else str(8 * a.dtype.itemsize))
    inner = []
    if order:
        inner.append({'name': 'transpose', 'configuration': {'order': order}})
    inner.append({'name': 'bytes', 'configuration': {'endian': 'big' if big else 'little'}})
    if pack:
        inner.append({'name': 'zstd' if pack == 'unsized' else pack, 'configuration': {}})
    if crc:
        inner.append('crc32c')
    def encode(c):
        data = (c.transpose(order) if order else c).astype(a.dtype.newbyteorder('>' if big else '<')).tobytes()
        data = PACK[pack](data, a.dtype.itemsize) if pack else data
        return data + struct.pack('<I', crc32c(data)) if crc else data
    codecs = inner if not shard else [{'name': 'sharding_indexed', 'configuration': {
        'chunk_shape': chunks, 'codecs': inner, 'index_codecs': [{'name': 'bytes',
        'configuration': {'endian': 'little'}}, {'name': 'crc32c'}],
        'index_location': 'start' if first else 'end'}}]
    encoding = encoding or {'name': 'default'}
    doc = dict(zarr_format=3, node_type='array', shape=a.shape, data_type=kind, chunk_grid={
        'name': 'regular', 'configuration': {'chunk_shape': shard or chunks}},
        chunk_key_encoding=encoding, fill_value=fill, codecs=codecs, **more)
    if named:
        doc['dimension_names'] = named
    put(path + '/zarr.json', doc)
    default = encoding['name'] == 'default'
    separator = encoding.get('configuration', {}).get('separator', '/' if default else '.')
    for number, c in parts(a, shard or chunks, 7):
        key = separator.join((['c'] if default else []) + [*map(str, number)]) or '0'
        if not shard:
            if number not in without:
                put(path + '/' + key, encode(c))
            continue
        body, index = b'', []
        n = [s // k for s, k in zip(shard, chunks)]
        start = 16 * int(np.prod(n)) + 4 if first else 0
        for i, (place, part) in enumerate(parts(c, chunks)):
            if tuple(q * m + p for q, m, p in zip(number, n, place)) in without:
                index += [2 ** 64 - 1] * 2
                continue
            data = encode(part)
            # what lies between chunks belongs to none of them
            body += b'gap'
            index += [start + len(body), len(data)]
            body += data
        index = struct.pack('<%dQ' % len(index), *index)
        index += struct.pack('<I', crc32c(index))
        data = index + body if first else body + index
        put(path + '/' + key, hurt(data) if hurt else data)


def without_chunks(a, chunks, numbers, fill):
    a = a.copy()
    for number in numbers:
        a[tuple(slice(i * n, i * n + n) for i, n in zip(number, chunks))] = fill
    return a


def run(*words):
    return subprocess.run(words, capture_output=True)


def read(*words):
    """shape and elements of what zarr2taf writes, as an array"""
    p = run('zarr2taf', *words)
    assert p.returncode == 0, (words, p.stderr)
    head, data = p.stdout.split(b'\n\n\x0c\x0c\x04', 1)
    keys = dict(line.strip().split(b'=', 1) for line in head.split(b'\n') if b'=' in line)
    kind = keys[b'taf_format'].strip(b'"').decode()
    dtype = {'flt32': 'f4', 'flt64': 'f8', 'complex': 'c8', 'complex128': 'c16'}.get(kind) or np.dtype(kind).str[1:]
    shape, k = [], 1
    while b'n%d' % k in keys:
        shape.append(int(keys[b'n%d' % k]))
        k += 1
    a = np.frombuffer(data, np.dtype(dtype).newbyteorder(os.environ['ORDER'])).astype(dtype)
    return a.reshape(shape[1:] if kind == 'complex128' else shape, order='F')


def becomes(a):
    """the type that elements have then"""
    a = a.astype({'b': 'u1', 'f': 'f4' if a.dtype.itemsize == 2 else a.dtype}.get(a.dtype.kind, a.dtype))
    return a.astype(a.dtype.newbyteorder('=')).reshape(a.shape or (1,))


def same(got, want, note=None):
    assert got.shape == want.shape and got.dtype == want.dtype, (note, got.shape, want.shape, got.dtype, want.dtype)
    assert got.tobytes('F') == want.tobytes('F'), (note, got, want)


def noise(dtype, shape):
    dtype = np.dtype(dtype)
    n = int(np.prod(shape))
    raw = np.arange(n, dtype='u8') * 0x9e3779b97f4a7c15 >> np.uint64(11)
    if dtype.kind == 'b':
        return (raw % 3 == 0).reshape(shape)
    if dtype.kind in 'iu':
        return raw.astype(dtype).reshape(shape)
    x = (raw.astype('f8') / 2 ** 50 - 4)
    return (x - 1j * x[::-1] if dtype.kind == 'c' else x).astype(dtype).reshape(shape)


def stream(a, grids=(), **keys):
    """a as an RSF stream, dimension 1 is its first index; grids: start and step by dimension"""
    pair = a.dtype == 'c16'
    name = {'f4': 'flt32', 'f8': 'flt64', 'c8': 'complex', 'c16': 'complex128'}.get(a.dtype.str[1:], a.dtype.name)
    native = {'i1': 'schar', 'u1': 'uchar', 'i2': 'short', 'u2': 'ushort', 'i4': 'int', 'u4': 'uint', 'i8': 'long',
        'u8': 'ulong', 'f4': 'float', 'f8': 'double', 'c8': 'complex', 'c16': 'double'}[a.dtype.str[1:]]
    native = 'char' if native == 'schar' else native
    shape = ([2] if pair else []) + list(a.shape)
    lines = ['data_format="native_%s"' % native, 'esize=%d' % (8 if pair else a.dtype.itemsize),
        'taf_format="%s"' % name, 'taf_order="%s"' % ('big' if os.environ['ORDER'] == '>' else 'little')]
    lines += ['n%d=%d' % (k + 1, n) for k, n in enumerate(shape)]
    for k, (o, d) in enumerate(grids or [(1, 1)] * a.ndim):
        lines += ['o%d=%r' % (k + 1 + pair, o), 'd%d=%r' % (k + 1 + pair, d)]
    lines += ['o1=0 d1=1'] * pair
    lines += ['%s=%s' % (k, v if isinstance(v, (int, float)) else '"%s"' % v) for k, v in keys.items()]
    head = ''.join('\t' + line + '\n' for line in lines) + '\tin="stdin"\n\n\f\f\x04'
    return head.encode() + a.astype(a.dtype.newbyteorder(os.environ['ORDER'])).tobytes('F')


def write(a, *words, status=0, **keys):
    """taf2zarr, which reads it from a pipe"""
    p = subprocess.run(('taf2zarr', '-q') + words, input=stream(a, **keys), capture_output=True)
    assert p.returncode == status and p.stdout == b'', (words, p.returncode, p.stderr)
    assert p.stderr.count(b'\n') == (status > 0), p.stderr
    return p.stderr.decode()


def unpacked(data, codec):
    kind = codec['id' if 'id' in codec else 'name']
    if kind in ('zlib', 'gzip'):
        return zlib.decompress(data, 15 + 32)
    import numcodecs
    return {'zstd': numcodecs.Zstd, 'blosc': numcodecs.Blosc}[kind]().decode(data)


def decode(path):
    """the array that a store has, by the words of its metadata alone, and these"""
    v3 = os.path.exists(path + '/zarr.json')
    meta = json.load(open(path + ('/zarr.json' if v3 else '/.zarray')))
    shape, seen = meta['shape'], set()
    if v3:
        assert meta['node_type'] == 'array' and meta['fill_value'] in (0, [0, 0])
        chunks = outer = meta['chunk_grid']['configuration']['chunk_shape']
        assert meta['chunk_key_encoding']['name'] == 'default'
        separator, codecs = meta['chunk_key_encoding']['configuration']['separator'], meta['codecs']
        dtype = np.dtype(meta['data_type']).newbyteorder('<')
        if codecs[0]['name'] == 'sharding_indexed':
            inner = codecs[0]['configuration']
            chunks, codecs = inner['chunk_shape'], inner['codecs']
            assert inner['index_location'] == 'end' and len(inner['index_codecs']) == 2
        turned = list(range(len(shape)))
        if codecs[0]['name'] == 'transpose':
            turned = codecs.pop(0)['configuration']['order']
        assert codecs[0]['name'] == 'bytes' and len(codecs) < 3
        assert dtype.itemsize == 1 or codecs[0]['configuration'] == {'endian': 'little'}
        pack = codecs[1] if len(codecs) > 1 else None
    else:
        assert meta['fill_value'] is None and meta['filters'] is None and meta['zarr_format'] == 2
        chunks = outer = meta['chunks']
        dtype, pack, separator = np.dtype(meta['dtype']), meta['compressor'], '.'
        turned = list(range(len(shape)))[::-1 if meta['order'] == 'F' else 1]
    def chunk(data):
        data = unpacked(data, pack) if pack else data
        c = np.frombuffer(data, dtype).reshape([chunks[k] for k in turned])
        return c.transpose(np.argsort(turned)) if turned else c
    a = np.zeros(shape, dtype)
    for number in itertools.product(*(range(-(-n // c)) for n, c in zip(shape, outer))):
        key = separator.join((['c'] if v3 else []) + [*map(str, number)]) or '0'
        seen.add(key)
        data = open(path + '/' + key, 'rb').read()
        full = np.zeros(outer, dtype)
        if outer is chunks:
            full = chunk(data)
        else:
            each = [o // c for o, c in zip(outer, chunks)]
            n = int(np.prod(each))
            index = data[len(data) - 16 * n - 4:]
            assert struct.unpack('<I', index[-4:])[0] == crc32c(index[:-4])
            places = np.frombuffer(index[:-4], '<u8').reshape(each + [2])
            for i in itertools.product(*map(range, each)):
                at, length = map(int, places[i])
                inside = all((m * e + j) * c < s for m, e, j, c, s in zip(number, each, i, chunks, shape))
                assert (at == 2 ** 64 - 1) == (not inside), (number, i)
                if inside:
                    full[tuple(slice(j * c, j * c + c) for j, c in zip(i, chunks))] = chunk(data[at:at + length])
        part = a[tuple(slice(i * n, i * n + n) for i, n in zip(number, outer))]
        part[...] = full[tuple(slice(0, n) for n in part.shape)]
        # beyond the edge there are zeros
        assert np.count_nonzero(full) == np.count_nonzero(part)
    assert set(os.listdir(path)) == seen | ({'zarr.json'} if v3 else {'.zarray', '.zattrs'}), (seen, os.listdir(path))
    return a.astype(a.dtype.newbyteorder('=')), meta
