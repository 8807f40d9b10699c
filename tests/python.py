# SPDX-License-Identifier: ISC
"""python.py TEST -- what taf.py does, beside what the commands do and what the formats say"""
import doctest
import glob
import io
import json
import os
import random
import signal
import stat
import struct
import subprocess
import sys
import threading
import time
import warnings

import numpy as np

import taf

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = {'i1': 'int8', 'u1': 'uint8', 'i2': 'int16', 'u2': 'uint16', 'i4': 'int32',
         'u4': 'uint32', 'i8': 'int64', 'u8': 'uint64', 'f4': 'flt32', 'f8': 'flt64'}
ENDS = b'\ttaf_end=%d\n\tin="stdin"\n\n\f\f\4'


def taf_bytes(a, grid=None, mapping=(np.inf, np.inf), behind=b''):
    """A TAF file as its format says."""
    n = a.shape + (1,) * (a.ndim == 1)
    head = b'TAF \1\0\0\n' + b' ' * 1016 + NAMES[a.dtype.str[1:]].encode().ljust(8, b'\0')
    head += struct.pack('<ddQ', *mapping, len(n))
    for k, length in enumerate(n):
        head += struct.pack('<Qdd', length, *(grid[k] if grid else (1, 1)))
    return head + a.astype(a.dtype.newbyteorder('<')).tobytes('F') + behind


def some(t, *shape):
    """An array that varies in every element."""
    n = int(np.prod(shape))
    x = np.arange(n) * 7 % 101 + (0.25 if np.dtype(t).kind in 'fc' else 0)
    if np.dtype(t).kind == 'c':
        x = x - 1j * x ** 2
    return x.astype(t).reshape(shape, order='F')


def put(name, data):
    with open(name, 'wb') as f:
        f.write(data)
    return name


def get(name):
    with open(name, 'rb') as f:
        return f.read()


def stream(a, **facts):
    s = io.BytesIO()
    taf.write(a, s, **facts)
    return s.getvalue()


def command(*words, data=b''):
    return subprocess.run(words, input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def probe(name):
    return json.loads(command('tafprobe', '-j', name).stdout)


def refused(kind, what, *args, says='', **more):
    try:
        what(*args, **more)
    except kind as e:
        assert says in str(e), e
        return e
    raise AssertionError('not refused: %r %r' % (what, args))


def equal(a, b):
    assert a.dtype.newbyteorder('=') == b.dtype.newbyteorder('='), (a.dtype, b.dtype)
    assert a.shape == b.shape, (a.shape, b.shape)
    assert np.ascontiguousarray(a, a.dtype.newbyteorder('<')).tobytes() == \
        np.ascontiguousarray(b, b.dtype.newbyteorder('<')).tobytes()


class Dribble(io.RawIOBase):
    """A pipe that gives a few bytes at a time, and cannot seek."""

    def __init__(self, data, n=3):
        self.data, self.n = io.BytesIO(data), n

    def readable(self):
        return True

    def readinto(self, to):
        b = self.data.read(min(self.n, len(to)))
        to[:len(b)] = b
        return len(b)


# --- the tests ---

def files():
    """mapped as the format says, written as the commands write"""
    for t in NAMES:
        a = some(t, 5, 3, 2)
        grid = [(k + 0.5, 0.25 * (k + 1)) for k in range(3)]
        put('a.taf', taf_bytes(a, grid, (0.5, 0.25)))
        x = taf.open('a.taf')
        equal(x.stored, a)
        assert isinstance(x.stored, np.memmap) and x.stored.flags.f_contiguous
        assert not x.stored.flags.writeable and x.offset == 1128
        assert x.start == (0.5, 1.5, 2.5) and x.step == (0.25, 0.5, 0.75)
        assert x.mapping == (0.5, 0.25) and x.values.dtype == np.float64
        assert (x.values == 0.5 + 0.25 * a.astype('f8')).all()
        assert (x[1:, 2] == x.values[1:, 2]).all() and x[4, 0, 1] == 0.5 + 0.25 * a[4, 0, 1]
        assert (np.asarray(x) == x.values).all() and len(x) == 5 and x.size == 30
        assert (x.coords(1) == 1.5 + np.arange(3) * 0.5).all()
        taf.save('b.taf', x)
        assert command('tafcrop', 'a.taf', '-o', 'c.taf').returncode == 0
        assert get('b.taf') == get('c.taf')
        taf.save('b.rsf', np.array(a, '>' + t))
        equal(taf.open('b.rsf').stored, a)
        assert command('tafread', 'b.rsf').stdout.split() == \
            command('tafread', '-r', 'a.taf').stdout.split()
    for t in 'c8', 'c16':
        for shape in (4,), (4, 1), (3, 1, 2), (2, 5):
            a = some(t, *shape)
            for name in 'z.taf', 'z.rsf':
                taf.save(name, a)
                x = taf.open(name)
                equal(x.stored, a)
                equal(taf.open(name)[-1:], a[-1:])
                assert [p.shape[-1] for p in taf.open(name).slabs(3)] == [
                    min(3, shape[-1] - i) for i in range(0, shape[-1], 3)]
                assert probe(name)['type'] == ('complex' if t == 'c8' else 'complex128')
                got = command('tafread', name).stdout.split()
                assert [float(v) for v in got] == \
                    a.reshape(-1, order='F').view(a.real.dtype).astype('f8').tolist()
    taf.save('one.taf', some('f4', 6))
    assert taf.open('one.taf').shape == (6,) and probe('one.taf')['ndim'] == 1
    taf.save('one.taf', some('f4', 6, 1))
    assert taf.open('one.taf').shape == (6, 1)
    for shape in (0,), (3, 0), (0, 3, 1):
        taf.save('none.taf', np.zeros(shape, 'i2'))
        assert taf.open('none.taf').stored.shape == shape
        assert probe('none.taf')['shape'] == list(shape)
    taf.save('flag', np.array([True, False]), format='taf')
    assert taf.open('flag').stored.dtype == np.uint8
    big = some('i4', 3, 200, 401)[:, ::2].transpose(2, 0, 1)
    taf.save('big.taf', big)
    equal(taf.open('big.taf').stored, big)


def facts():
    """labels, units, attributes and comments, there and back, as tafprobe has them"""
    a = some('i2', 4, 3)
    told = dict(start=(1e-7, -2), step=(0.1, -3), label=('Time', 'x"y\n'), unit=('s', ''),
                comment='\xe9 "%"\nTAF \n--- attributes ---\nx=1\n',
                attrs={'gta/NAME': 'v', 'n1': '4', 'in': 'x', 'complex': 1, 'a b=@3': 'q',
                       's': '007', 't': '12', 'i': -12, 'f': 2.5, 'g': 3.0, 'e': 1e-300,
                       'long': 'x' * 9000 + '"\n', 'gta/R@c2': 'y', 'z@9': 'w'},
                dim_attrs=({'p': '1', 'q q': 1}, {}), code=3, mapping=(1, 0.5))
    taf.save('a.taf', a, **told)
    for name in 'b.taf', 'b.rsf':
        assert command('tafcrop', 'a.taf', '-o', name).returncode == 0
        x = taf.open(name)
        for key, v in told.items():
            assert getattr(x, key) == v or key == 'attrs', (key, getattr(x, key), v)
        assert list(x.attrs.items()) == list(told['attrs'].items())
        assert {k: type(v) for k, v in x.attrs.items()} == {
            k: type(v) for k, v in told['attrs'].items()}
        taf.save('c.taf', x)
        assert get('c.taf') == get('a.taf'), name
    p = probe('a.taf')
    assert p['label2'] == 'x"y\n' and p['unit1'] == 's' and p['unit2'] is None
    assert p['comment'] == told['comment'] and p['code'] == 3
    assert p['attributes']['gta/R@c2'] == 'y' and p['attributes']['p@1'] == '1'
    # a comment of bytes that are no text survives
    put('raw.taf', taf_bytes(a, behind=b'\xff\xfe\n'))
    taf.save('raw2.taf', taf.open('raw.taf'))
    assert get('raw2.taf').endswith(b'\xff\xfe\n')
    large = 'line\n' * 30000
    assert taf.read(io.BytesIO(stream(a, comment=large))).comment == large
    put('big.rsf', stream(a, comment=large))
    assert probe('big.rsf')['comment'] == large
    # what a header has without quotes is a number, if it reads as one
    x = taf.read(io.BytesIO(b'n1=2 data_format=native_uchar k=5 m="5" r=007 u=1.50 v=a w=1e400'
                            b' b@1=6 z=-0.5e3 in="stdin"\n\n\f\f\4ab'))
    assert x.attrs == {'k': 5, 'm': '5', 'r': '007', 'u': 1.5, 'v': 'a', 'w': '1e400',
                       'z': -500.0} and x.dim_attrs == ({'b': 6},)
    # facts of one array, over others
    y = taf.Array(x, label=('t',), attrs={})
    assert y.stored is x.stored and y.label == ('t',) and x.label == ('',) and not y.attrs
    assert (y.coords('t') == y.coords(-1)).all()
    refused(KeyError, y.coords, 'x')
    refused(IndexError, y.coords, 1)


def refusals():
    """what no file can hold is refused, with what to use"""
    a = some('i2', 4, 3)
    for wrong, says in ((a.astype('f2'), 'float16'), (np.array([1], 'g'), 'a.astype("f8")'),
                        (np.array(['x']), '<U1'), (np.array([None]), 'object'),
                        (np.array(['2020-01-01'], 'M8[s]'), 'datetime64'),
                        (np.ma.masked_equal(a, 7), 'filled')):
        refused(TypeError, taf.Array, wrong, says=says)
    refused(ValueError, taf.Array, np.float64(3))
    with open('other.trc', 'wb') as f:
        f.write(b'WAVEDESC\0' * 9)
    refused(taf.Error, taf.open, 'other.trc', says='taf.run')
    for key, v in (('start', (1,)), ('step', (1, 0)), ('step', (1, np.inf)), ('label', 'xy'),
                   ('unit', ('', 3)), ('dim_attrs', ({},)), ('attrs', {'': 1}),
                   ('attrs', {'x' * 5000: 1}), ('attrs', {'k': 'a\0'}), ('code', 256)):
        refused(ValueError, taf.save, 'no.taf', a, **{key: v})
    refused(ValueError, taf.Array, a + 1j, mapping=(0, 2))
    refused(TypeError, taf.Array, a, attrs={'k': [1]})
    refused(TypeError, taf.Array, a, name='x')
    refused(ValueError, taf.save, 'no.taf', a, format='npy')
    assert taf.Array(a, mapping=(0, np.inf)).mapping is None
    refused(taf.Error, taf.save, 'no.taf', a, comment='n1=3\ndata_format="x" in="y"\n')
    refused(TypeError, taf.write, a, 'name')
    refused(TypeError, taf.read, io.StringIO('x'))
    refused(FileNotFoundError, taf.open, 'none.taf')
    assert not os.path.exists('no.taf')
    put('two.rsf', stream(a) * 2)
    refused(taf.Error, taf.open, 'two.rsf', says='arrays')
    refused(taf.Error, taf.read, 'two.rsf', says='arrays')
    # the first ends where a block that was read ends
    for n in 1 << 16, 1 << 17:
        fill = n
        while (more := len(stream(a, comment='x' * fill)) - n) > 0:
            fill -= max(more // 2, 1)
        assert more == 0
        put('two.rsf', stream(a, comment='x' * fill) + stream(a))
        refused(taf.Error, taf.open, 'two.rsf', says='arrays')
    # 60 dimensions are more than this numpy has, or are not
    put('deep.rsf', b''.join(b'n%d=1 ' % k for k in range(1, 61)) +
        b'data_format=native_uchar in="stdin"\n\n\f\f\4a')
    try:
        assert taf.open('deep.rsf').ndim == 60
    except taf.Error as e:
        assert 'numpy' in str(e)


def streams():
    """several arrays, whole or in parts; what was passed over is gone"""
    a, b, c = some('i2', 4, 3), some('f8', 5), some('c16', 2, 2, 7)
    with open('s.rsf', 'wb') as f, taf.writer(f) as w:
        w.write(a, label=('x', 'y'))
        w.begin((4, 3), 'f4', unit=('s', ''))
        for part in (np.float32(1), some('f4', 2, 2), some('f4', 7)):
            w.put(part)
        w.begin(b.shape, b.dtype)
        w.put(b)
        w.write(c)
        w.write(np.zeros((0, 2), 'u1'))
    want = [a, np.concatenate([[1], some('f4', 4), some('f4', 7)]).astype('f4').reshape(
        (4, 3), order='F'), b, c, np.zeros((0, 2), 'u1')]
    data = get('s.rsf')
    assert data.endswith(ENDS % 5)
    assert command('tafcrop', 's.rsf', '-o', 'again.rsf').returncode == 0
    for file in 's.rsf', 'again.rsf', io.BytesIO(data), Dribble(data), Dribble(data, 1000), \
            open('s.rsf', 'rb', 0):
        got = []
        for x in taf.arrays(file):
            got.append(x)
            x.stored
        assert len(got) == 5 and got[0].label == ('x', 'y') and got[1].unit == ('s', '')
        for x, y in zip(got, want):
            equal(x.stored, y)
    for file in 's.rsf', Dribble(data, 50):
        got = list(taf.arrays(file))
        assert [x.shape for x in got] == [x.shape for x in want]
        refused(taf.Error, lambda: got[0].stored, says='before the next')
    it = taf.arrays(Dribble(data, 50))
    next(it), next(it), next(it)
    slabs = next(it).slabs(3)
    first = next(slabs)
    equal(first.stored, c[..., :3])
    assert next(slabs).start == (1.0, 1.0, 4.0)
    equal(next(it).stored, want[4])
    refused(taf.Error, next, slabs)
    assert next(it, None) is None
    # an array that fails, or is not full, leaves no end
    for wrong in range(4):
        s = io.BytesIO()

        def produce():
            with taf.writer(s) as w:
                w.write(a)
                w.begin((4,), 'i2')
                if wrong == 0:
                    w.put(a[:, :2])
                elif wrong == 1:
                    w.put(np.int32(3))
                elif wrong == 2:
                    w.write(b)
        refused(TypeError if wrong == 1 else taf.Error, produce)
        assert b'taf_end' not in s.getvalue()
        refused(taf.Truncated, list, taf.arrays(io.BytesIO(s.getvalue())))
        assert command('tafcrop', data=s.getvalue()).returncode == 3
    s = io.BytesIO()
    refused(KeyError, lambda: [w.write(a) or {}[1] for w in [taf.writer(s).__enter__()]])
    refused(taf.Died, list, taf.arrays(io.BytesIO(s.getvalue())))
    refused(taf.Error, taf.writer(io.BytesIO()).write, a, says='with')
    # written from a stream to another one, without the whole in memory
    s = io.BytesIO()
    for x in taf.arrays(Dribble(stream(some('i4', 300, 999)), 1 << 16)):
        taf.write(x, s)
    equal(taf.read(io.BytesIO(s.getvalue())).stored, some('i4', 300, 999))
    for name in 'a.taf', 'c.taf':
        taf.save(name, a if name == 'a.taf' else c)
        data = get(name)
        for file in lambda: name, lambda: Dribble(data, 99), lambda: io.BytesIO(data):
            equal(taf.read(file()).stored, taf.open(name).stored)
            assert len([p for x in taf.arrays(file()) for p in x.slabs(2)]) == (
                2 if name == 'a.taf' else 4)


def forms():
    """xdr, text, binaries of their own, pairs, the other byte order"""
    a = some('f4', 4, 3)
    head = b'n1=4 n2=3 data_format="%s" in="%s"\n'
    put('x.bin', a.astype('>f4').tobytes('F'))
    put('x.rsf', head % (b'xdr_float', b'x.bin'))
    x = taf.open('x.rsf')
    equal(x.stored, a)
    assert x.stored.dtype == '>f4' and isinstance(x.stored, np.memmap) and x.offset == 0
    assert taf.read('x.rsf').stored.dtype.isnative
    os.mkdir('sub')
    put('sub/y.bin', a.astype('<f4').tobytes('F') + b'more')
    put('sub/y.rsf', b'taf_order=little\n' + head % (b'native_float', b'y.bin'))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter('always')
        equal(taf.open('sub/y.rsf').stored, a)
    assert len(said) == 1 and said[0].category is taf.Remark and '4 bytes more' in str(
        said[0].message)
    put('sub/z.rsf', head % (b'native_float', b'none.bin'))
    refused(FileNotFoundError, taf.open, 'sub/z.rsf')
    put('short.rsf', head % (b'native_double', b'x.bin'))
    refused(taf.Truncated, taf.open, 'short.rsf', says='96 bytes, but 48')
    text = '0x ' not in 'the same as the commands read it'
    assert text
    for t, body in (('float', '1 -2.5 .5 5. 1e3 +7 nan inf -inf 1.00000005960464477539062500001 '
                              '1e-46 3.4028235e38'),
                    ('double', '1 -2.5 .5 5. 1e3 +7 nan inf -Infinity 0.1 1e-400 1e308'),
                    ('int', '1 -2 +3 4 5 6 7 8 9 10 2147483647 -2147483648'),
                    ('complex', ' '.join('%d%+di' % (k, 3 - k) for k in range(12)))):
        put('t.rsf', head % (('ascii_' + t).encode(), b'stdin') + b'\n\f\f\4' + body.encode())
        x = taf.open('t.rsf').stored
        got = command('tafread', 't.rsf').stdout.split()
        v = x.reshape(-1, order='F')
        want = v.view(v.real.dtype)
        assert np.array_equal(want.astype('f8'), np.array(got, x.real.dtype).astype('f8'),
                              equal_nan=True), (t, got, want)
        with open('t.rsf', 'ab') as f:
            f.write(b' 5')
        refused(taf.Error, taf.open, 't.rsf')
        assert command('tafread', 't.rsf').returncode == 3
    for order in 'little', 'big':
        put('o.rsf', b'taf_order=%s\n' % order.encode() + head % (b'native_int', b'stdin') +
            b'\n\f\f\4' + some('i4', 4, 3).astype(order[0].replace('l', '<').replace(
                'b', '>') + 'i4').tobytes('F'))
        equal(taf.open('o.rsf').stored, some('i4', 4, 3))
        equal(taf.read('o.rsf').stored, some('i4', 4, 3))


def truncations():
    """a stream that ends early is never taken for a whole one"""
    s = io.BytesIO()
    with taf.writer(s) as w:
        w.write(some('i2', 3), comment='a\nb')
        w.write(some('f4', 2, 2), label=('x', 'y'))
    data, count = s.getvalue(), 0
    whole = stream(some('u1', 5)) + data
    for n in range(len(data)):
        e = refused(taf.Error, lambda: [x.stored for x in taf.arrays(io.BytesIO(data[:n]))])
        count += isinstance(e, taf.Died)
        if n % 29 == 0:
            assert command('tafcrop', data=data[:n]).returncode == 3
    assert count == 3                   # nothing, behind the first, behind the second
    for n in range(len(whole)):
        if n == len(whole) - len(data):
            assert len(list(taf.arrays(io.BytesIO(whole[:n])))) == 1
        else:
            refused(taf.Error, list, taf.arrays(io.BytesIO(whole[:n])))
    data = taf_bytes(some('i2', 3, 2))
    for n in range(0, len(data), 11):
        put('t.taf', data[:n])
        refused(taf.Truncated if n > 3 else taf.Error, taf.open, 't.taf')
        refused(taf.Error, taf.read, Dribble(data[:n], 700))


def damaged():
    """what tafread refuses is refused, and what it prints is what one gets"""
    rng = random.Random(5)
    cases = [get(f) for d in ('rsf', 'taf') for f in sorted(
        glob.glob(os.path.join(HERE, 'fuzz', 'corpus', d, '*')))]
    seeds = len(cases)
    for _ in range(120):
        b = bytearray(rng.choice(cases[:seeds]))
        at = max(b.find(b'\f\f\4'), 0) or 1130
        for _ in range(rng.choice((1, 1, 2, 4))):
            k, i = rng.random(), rng.randrange(min(at, len(b)) or 1)
            if k < 0.3:
                b[i:i + 1] = bytes([rng.choice((0, 10, 12, 32, 34, 37, 48, 61, 255))])
            elif k < 0.5:
                del b[i:i + rng.choice((1, 3, 20))]
            elif k < 0.7:
                i = b.rfind(b'\n', 0, i) + 1
                b[i:i] = rng.choice((b'n2=2\n', b'4.3\tsfadd\tx:\tu@h\tFri\n', b'\ttaf_next=1\n',
                                     b'\to1=nan d1=0\n', b'k="\n', b'\ttaf_more="x"\n'))
            else:
                b[1032:1056] = rng.choice((struct.pack('<ddQ', 1, 2, 2), b[1032:1048] +
                                           struct.pack('<Q', rng.choice((1, 3, 65)))))
        cases.append(bytes(b))
    accepted = judged(cases)
    assert 30 < accepted < 150, accepted


def judged(cases):
    """each is refused or read as tafread does; how many are read"""
    accepted = 0
    for b in cases:
        want = command('tafread', data=b)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter('ignore')
                got = [x.values.reshape(-1, order='F') for x in (
                    (x.stored, x)[1] for x in taf.arrays(Dribble(b, 1 << 12)))]
            status = 0
        except taf.Error:
            status = 3
        except OSError:
            status = 4
        assert status == want.returncode, (b, status, want)
        if not status:
            accepted += 1
            lines = want.stdout.decode().split()
            for v in got:
                v = v.view(v.real.dtype)
                assert np.array_equal(v, np.array(lines[:v.size], v.dtype),
                                      equal_nan=v.dtype.kind == 'f')
                del lines[:v.size]
            assert not lines
    return accepted


def between():
    """which programs may stand between, and what may stand behind a TAF file"""
    kinds = (('native_short', 'uint16', ''), ('native_short', 'int16', ''),
             ('native_short', 'int16', 'taf_intercept=1 taf_slope=2'),
             ('native_float', 'int16', 'taf_intercept=1 taf_slope=2'),
             ('native_short', 'int16', 'taf_order="big"'), ('xdr_short', 'int16', ''),
             ('native_float', 'int16', ''), ('native_double', 'complex128', ''),
             ('native_double', 'complex128', 'label1="real, imaginary"'))
    cases = []
    for program in 'sfwindow', 'sfcp', 'sftransp', 'sfadd', 'awk':
        line = '4.3\t%s\ta/b:\tu@h\tFri\n' % program if program != 'awk' else 'awk\n'
        for form, kind, more in kinds:
            keys = 'data_format="%s"\n\ttaf_format="%s" %s\n\tn1=2 n2=3 in="stdin"\n' % (
                form, kind, more)
            cases += [('\t%s%s\tn2=3\n\n\f\f\4' % (keys, line)).encode() + bytes(range(64))[
                :6 * (8 if 'double' in form else 4 if 'float' in form else 2)]]
    assert 15 < judged(cases) < 35
    # the type code stays where it fits
    for n in 3, 4:
        x = taf.read(io.BytesIO(
            b'\ttaf_code=3 data_format=native_uchar\n4.3\tsfwindow\ta:\tu@h\tFri\n\t' +
            b' '.join(b'n%d=2' % k for k in range(1, n + 1)) + b' in="stdin"\n\n\f\f\4' +
            bytes(1 << n)))
        assert x.code == (3 if n == 3 else 0)
    a = taf_bytes(some('f4', 3, 2))
    block = b'--- attributes ---\n'
    tails = (b'text', a, b'x' + a, a[:600], b'text\n' + a[:1040], b'n1=2 data_format=x in=y\n',
             b'n1=2\n\f\f\4 data_format=x in=y\n', block + b'n1=2\ndata_format=x\nin=y\n',
             block + b'ndim=1\ncomplex=1\n', block + b'complex=1\n', block + b'no block\n',
             block + b'a=1\n' + block + b'b="2"\n', b'x\n' + block + b'=3\n', b'TAF ', b'TAF(\1\0)\n',
             block + b'a%00=1\n', block + b'a=%00\n', b'\xff\0')
    assert judged([a + t for t in tails]) == 10


def died():
    """a producer that died is told from one that is done"""
    a = stream(some('i2', 3))
    unknown = a.replace(b'\tin=', b'\ttaf_next="unknown"\n\tin=')
    one = a.replace(b'\tin=', b'\ttaf_next=1\n\tin=')
    for data, kind in ((b'', taf.Died), (one, taf.Died), (unknown, taf.Died),
                       (one + ENDS % 1, taf.Died), (unknown + ENDS % 2, taf.Error),
                       (a + ENDS % 1, taf.Error), (ENDS % 0, taf.Error), (a + b'x', taf.Error),
                       (a[:-1], taf.Truncated), (unknown + ENDS[:9], taf.Error),
                       (unknown + ENDS % 1, None), (one + a, None), (a + a, None),
                       (unknown + ENDS % 1 + unknown + ENDS % 1, None)):
        status = command('tafcrop', data=data).returncode
        assert status == (3 if kind else 0), (data, status)
        if kind:
            assert type(refused(taf.Error, list, taf.arrays(io.BytesIO(data)))) is kind, data
        else:
            list(taf.arrays(io.BytesIO(data)))
    e = refused(taf.Truncated, taf.read, io.BytesIO(a[:-1]))
    assert '6 bytes, but 5' in str(e) and isinstance(e, EOFError) and isinstance(e, ValueError)
    hostile = b'n1=1000000000000000 data_format=native_double in="stdin"\n\n\f\f\4' + b'x' * 99
    refused(taf.Truncated, taf.read, Dribble(hostile, 50))
    refused(taf.Truncated, taf.read, io.BytesIO(hostile.replace(b'00 d', b'00 n2=99 d')))


def saving():
    """the old file, or the new one; nothing beside it"""
    os.mkdir('folder')
    os.chdir('folder')
    taf.save('a.taf', some('i2', 4))
    os.chmod('a.taf', 0o640)
    old = get('a.taf')
    # an array that ends early while it is written
    refused(taf.Truncated, lambda: [taf.save('a.taf', x) for x in taf.arrays(
        Dribble(stream(some('i2', 3))[:-1]))])
    assert get('a.taf') == old and sorted(os.listdir('.')) == ['a.taf']
    os.symlink('a.taf', 'link.taf')
    taf.save('link.taf', some('f8', 2, 2))
    assert os.path.islink('link.taf') and taf.open('a.taf').shape == (2, 2)
    assert stat.S_IMODE(os.stat('a.taf').st_mode) == 0o640
    os.umask(0o027)
    taf.save('b.rsf', some('f8', 2))
    assert stat.S_IMODE(os.stat('b.rsf').st_mode) == 0o640
    assert open('b.rsf', 'rb').read(5) == b'\tdata'
    put('a.taf.undo', b'x')
    for what in taf.open, taf.read, lambda name: taf.save(name, some('i2', 3)):
        refused(taf.Error, what, 'link.taf')
    os.unlink('a.taf.undo')
    b = bytearray(get('a.taf'))
    mark = b'\nBeing changed: wait, or let tafcheck --repair undo it.  Undo file: a.taf.undo '
    b[900:900 + len(mark)] = mark
    put('a.taf', bytes(b))
    refused(taf.Error, taf.open, 'a.taf', says='change')
    assert command('tafread', 'a.taf').returncode == 3
    # a file that changes while it is read
    put('c.rsf', stream(some('i2', 3)) * 2)
    it = taf.arrays('c.rsf')
    next(it).stored
    with open('c.rsf', 'ab') as f:
        f.write(b'x')
    refused(taf.Error, list, it, says='changed')


def terminal():
    """no elements to a terminal"""
    import pty
    master, slave = pty.openpty()
    p = subprocess.run([sys.executable, '-c', 'import taf; taf.write([1.5])'], stdout=slave,
                       stderr=subprocess.PIPE)
    assert p.returncode == 1 and b'taf.Error' in p.stderr, p
    p = command(sys.executable, '-c', 'import taf; taf.write(taf.read(), unit=["s"])',
                data=stream(some('i2', 4)))
    x = taf.read(io.BytesIO(p.stdout))
    equal(x.stored, some('i2', 4))
    assert x.unit == ('s',)


def running():
    """pipelines of any size; no process, thread, file or descriptor is left"""
    os.mkdir('tmp')
    os.environ['TMPDIR'] = os.path.abspath('tmp')
    tempfile = sys.modules['tempfile']
    tempfile.tempdir = None
    before = len(os.listdir('/proc/self/fd')) if os.path.isdir('/proc/self/fd') else None

    def nothing_left():
        refused(ChildProcessError, os.waitpid, -1, os.WNOHANG)
        assert threading.active_count() == 1 and not os.listdir('tmp')
        assert before is None or len(os.listdir('/proc/self/fd')) == before

    a = some('f8', 1000, 4000)          # 32 MB: no pipe holds it
    x = taf.run([['tafcrop'], ['cat'], ['tafcrop']], taf.Array(a, label=('t', '')))
    equal(x.stored, a)
    assert x.label == ('t', '')
    nothing_left()
    equal(taf.run(['tafcrop', '-x', '1=2'], a).stored, a[1:2])
    # who needs no more stops reading, and that is no failure
    equal(taf.run([['cat'], ['tafcrop', '-N', '1', '-x', '2=1']], a).stored, a[:, :1])
    assert taf.run(['true'], a, text=True) == ''
    nothing_left()
    b = some('i2', 3, 2)
    assert taf.run(['tafmath', 'a+b', a[:3, :2], b], text=False)[2, 1] == a[2, 1] + b[2, 1]
    assert taf.run(['tafread', b], text=True).split() == [str(v) for v in b.T.ravel()]
    assert len(taf.run(['tafcat', '--help'], text=True)) > 99
    both = taf.run([['tafcrop', b, a[:2, :3]]], all=True)
    equal(both[0].stored, b)
    equal(both[1].stored, a[:2, :3])
    refused(taf.Error, taf.run, ['tafcrop', b, b], says='several')
    refused(taf.Died, taf.run, ['true'])
    refused(taf.Error, taf.run, ['yes'])
    nothing_left()
    # the first stage that has failed by itself tells what has happened
    e = refused(taf.RunError, taf.run, [['cat'], ['tafcrop', '-x', '9=1'], ['tafread']], a,
                text=True, says='dimension 9')
    assert e.returncode == 3 and e.cmd == ['tafcrop', '-x', '9=1'] and 'tafcrop: ' in e.stderr
    assert isinstance(e, subprocess.CalledProcessError) and isinstance(e, taf.Error)
    e = refused(taf.RunError, taf.run, ['tafcrop', '--nothing'], a, says='nothing')
    assert e.returncode == 2
    e = refused(taf.RunError, taf.run, ['sh', '-c', 'kill -9 $$'], a)
    assert e.returncode == -9
    refused(taf.RunError, taf.run, [['sh', '-c', 'tafcrop; exit 5'], ['tafcrop']], b)
    refused(FileNotFoundError, taf.run, [['cat'], ['no-such-program']], a)
    refused(TypeError, taf.run, 'tafcrop a.taf')
    refused(TypeError, taf.run, ['tafcrop', 3])
    refused(ValueError, taf.run, [])
    nothing_left()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter('always')
        equal(taf.run([['sh', '-c', 'cat; echo a word >&2'], ['cat']], b).stored, b)
    assert [(w.category, str(w.message)) for w in said] == [(taf.Remark, 'a word')]
    assert said[0].filename == __file__
    # much on standard error holds nobody up
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        equal(taf.run(['sh', '-c', 'yes | head -c 1000000 >&2; cat'], b).stored, b)
    # what ends the caller ends the pipeline, children of its stages too

    def late(*_):
        raise KeyboardInterrupt
    signal.signal(signal.SIGALRM, late)
    began = time.monotonic()
    for words in ['sleep', '30'], ['sh', '-c', 'sleep 30; true']:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        refused(KeyboardInterrupt, taf.run, words, a)
    assert time.monotonic() - began < 10
    nothing_left()


def shared():
    """files for the tests of other languages"""
    told = dict(start=(0.5, 1.5, 2.5), step=(0.25, 0.5, -0.75), label=('Time', '', 'z'),
                unit=('s', '', ''), comment='one\ntwo', attrs={'k': 5, 'gta/NAME': 'a "b" %'})
    for t, name in NAMES.items():
        less = np.array(50 * (np.dtype(t).kind == 'i'), t)
        taf.save(name + '.taf', some(t, 5, 3, 2) - less, **told)
    taf.save('mapped.taf', some('i2', 5, 3, 2) - np.int16(90), mapping=(0.5, 0.25), **told)
    taf.save('pairs.taf', some('c8', 5, 3, 2), **told)
    taf.save('wide.taf', some('c16', 7))


def corpus():
    """captures, as the commands have converted them"""
    root = os.path.join(os.environ['TAF_CORPUS'], 'vendor')
    files = [f for f in sorted(glob.glob(os.path.join(root, '*', '*.*'))) if
             os.path.getsize(f) < 200000]
    count = 0
    for f in files:
        if command('taf', 'tafcrop', f, '-o', 'x.rsf').returncode:
            continue
        for x in taf.arrays('x.rsf'):
            taf.save('y.taf', x)
            break
        if command('tafcrop', '-N', '1', 'x.rsf', '-o', 'z.taf').returncode:
            continue
        assert get('y.taf') == get('z.taf'), f
        p, x = probe('z.taf'), taf.open('z.taf')
        assert list(x.shape) == p['shape'] and x.comment == p['comment']
        assert list(x.label) == [p['label%d' % k] or '' for k in range(1, x.ndim + 1)]
        got = command('tafread', 'z.taf').stdout.split()
        v = x.values.reshape(-1, order='F')
        assert np.array_equal(v.view(v.real.dtype), np.array(got, v.real.dtype)), f
        count += 1
    assert count > 8, count


def page():
    """the examples of taf-python(7)"""
    text, inside, skip = [], False, False
    for line in open(os.path.join(HERE, '..', 'man', 'taf-python.7')):
        if line.startswith('.\\" not run'):
            skip = True
        elif line.startswith('.Bd -literal'):
            inside = not skip
            skip = False
        elif line.startswith('.Ed'):
            inside = False
            text.append('\n')
        elif inside:
            text.append(line.replace('\\e', '\\').replace('\\&', ''))
    test = doctest.DocTestParser().get_doctest(''.join(text), {}, 'page', 'taf-python.7', 0)
    assert len(test.examples) > 10
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test)
    sys.exit(runner.failures != 0)


def in_xarray():
    """xarray has the array, its coordinates and attributes, and reads what is used"""
    import xarray as xr
    import taf_xarray
    engine = taf_xarray.TafBackend
    a = some('i2', 4, 3, 2)
    taf.save('x.taf', a, label=('x', 'x', ''), unit=('m', '', ''), mapping=(1, 0.5),
             start=(2, 3, 4), step=(0.5, 1, -1), attrs={'unit': 'V', 'k': 3}, comment='c',
             dim_attrs=({'p': 'q'}, {}, {}))
    d = xr.open_dataset('x.taf', engine=engine)
    assert list(d.data_vars) == ['data'] and d.data.dims == ('x', 'dim_2', 'dim_3')
    assert (d.data.values == 1 + 0.5 * a).all() and (d.x.values == [2, 2.5, 3, 3.5]).all()
    assert d.x.attrs == {'units': 'm', 'long_name': 'x', 'p': 'q'}
    assert d.data.attrs == {'units': 'V', 'k': 3, 'comment': 'c'}
    assert d.data.encoding['scale_factor'] == 0.5 and d.data.encoding['add_offset'] == 1
    assert d.data.sel(x=2.5)[2, 1] == 1 + 0.5 * a[1, 2, 1]
    assert (xr.open_dataarray('x.taf', engine=engine)[1:, ::2].values == 1 + 0.5 * a[1:, ::2]).all()
    d = xr.open_dataset('x.taf', engine=engine, mask_and_scale=False, drop_variables='x')
    equal(d.data.values, a)
    assert d.data.attrs['add_offset'] == 1 and 'x' not in d.coords
    for t in 'c16', 'f4':
        taf.save('y.taf', some(t, 3, 2))
        equal(xr.open_dataset('y.taf', engine=engine).data.values, some(t, 3, 2))
    assert engine().guess_can_open('x.taf') and not engine().guess_can_open('x.rsf')


if __name__ == '__main__':
    globals()[sys.argv[1]]()
