# SPDX-License-Identifier: ISC
"""Files of formats that are read alone, written here: the bytes, and the array that comes of them."""
import io
import struct

import numpy as np

from model import LOST, NATIVE, TYPES, Array

try:
    import h5py
except ImportError:     # then there are no captures in HDF5
    h5py = None
try:
    import scipy.io
except ImportError:     # then there are no MAT-files
    scipy = None


def npy(r, v):
    b = io.BytesIO()
    np.save(b, v.astype(v.dtype.newbyteorder(r.choice('<>')), order=r.choice('CF')))
    return b.getvalue(), Array(v, [LOST] * v.ndim)


def big(v):
    return v.astype(v.dtype.newbyteorder('>')).tobytes('F')


def fits(r, v):
    cards = [('SIMPLE', 'T'), ('BITPIX', v.itemsize * (-8 if v.dtype.kind == 'f' else 8)),
        ('NAXIS', v.ndim)] + [(f'NAXIS{k + 1}', n) for k, n in enumerate(v.shape)]
    head = ''.join(f'{k:8}= {x:>20}'.ljust(80) for k, x in cards) + 'END'
    return head.ljust(2880).encode() + big(v) + bytes(-v.nbytes % 2880), Array(v, [LOST] * v.ndim)


def nrrd(r, v):
    name = {'float32': 'float', 'float64': 'double'}.get(str(v.dtype), v.dtype)
    return f'NRRD0004\ntype: {name}\ndimension: {v.ndim}\nendian: big\nencoding: raw\n' \
        f'sizes: {" ".join(map(str, v.shape))}\n\n'.encode() + big(v), Array(v, [LOST] * v.ndim)


def mat(r, v):
    b = io.BytesIO()
    scipy.io.savemat(b, {'v': v}, do_compression=r.random() < 0.5)
    return b.getvalue(), Array(v, [LOST] * v.ndim)


def ascii_rsf(r, v):
    t, x = NATIVE[TYPES[v.dtype]], v.ravel('F')
    order, form = r.choice(('xdr', 'ascii')), '%.17g' if v.dtype.kind == 'f' else '%d'
    head = ''.join(f'n{k + 1}={n}\n' for k, n in enumerate(v.shape))
    head += f'data_format="{order}_{t}"\nin="stdin"\n\n\f\f\4'
    body = big(v) if order == 'xdr' else ''.join(form % k + r.choice(' \n') for k in x).encode()
    return head.encode() + body, Array(v, [(0.0, 1.0, None, None)] * v.ndim, tol=None if order == 'xdr' else 0)


def samples(v, start, step, map=None, **attrs):
    """What a capture becomes: a column."""
    return Array(v.reshape(-1, 1), [(start, step, None, None), LOST], map, None, attrs)


def tagged(k, all, **attrs):
    """What the k-th of several segments says of itself."""
    return dict(attrs, time_tag=f'{k / 2:g}') if len(all) > 1 else {}


def parts(r, v):
    """Equal records of these samples, and their starts."""
    k = min(r.choice((1, 1, 2, 3, 12)), v.size)
    return v[:v.size // k * k].reshape(k, -1), [-2 + r.randrange(8) / 8 for _ in range(k)]


def dig(r, v):
    head = '\r\n'.join(map(str, ('Tue Nov 03 23:01:02 2026', v.size, 8 * v.itemsize, 0.5, -3.0, 0.25, 8.0)))
    return bytes(512) + head.encode().ljust(512) + v.tobytes(), samples(v, -3.0, 0.5, (8.0, 0.25))


def fields(n, order, *all):
    head = bytearray(n)
    for at, form, *x in all:
        struct.pack_into(order + form, head, at, *x)
    return bytes(head)


def trc(r, v):
    v, starts = parts(r, v)
    n, order = len(v), r.choice('<>')
    times = b''.join(struct.pack(order + '2d', k / 2, x) for k, x in enumerate(starts)) * (n > 1)
    head = fields(346, order, (0, '16s16s', b'WAVEDESC', b'LECROY_2_3'), (32, 'HHL', v.itemsize - 1,
        order == '<', 346), (48, 'L', len(times)), (60, 'L', v.nbytes), (116, 'LL', v.size, v.size - 1),
        (144, 'L', n), (156, 'ff', 0.5, 3.0), (176, 'fd', 0.25, starts[0]), (196, '48s48s', b'V', b'S'))
    return head + times + v.astype(v.dtype.newbyteorder(order)).tobytes(), \
        [samples(x, o, 0.25, (-3.0, 0.5), **tagged(k, v)) for k, (x, o) in enumerate(zip(v, starts))]


def llwfm(r, v):
    n, trigger = v.size, r.choice((0, 50, 100))
    rest = struct.pack('>ll4d2hdhhdhdddLh7hdh', 256, 2 * n + 66, 0, 0, 1, 1, 0, 0, n / 4, 0, 610, 0.25, 609, 3203.0, 1.0,
        3200.0, n, trigger, *range(7), 0.0, 0) + b'ab' * 16 + v.astype('>i2').tobytes() + b'cd' * 16 + b'ef'
    size = str(len(rest))
    return f':LLWFM#{len(size)}{size}'.encode() + rest, [samples(v, -n * trigger / 400, 0.25, (3.0, 0.5))]


def wfm(r, v):
    if v.dtype == 'i2' and r.random() < 0.3:
        return llwfm(r, v)
    v, order, version = parts(r, v)[0], r.choice('<>'), r.choice((1, 2, 3))
    code = ('i2', 'i4', 'u4', 'u8', 'f4', 'f8', 'u1', 'i1').index(v.dtype.str[1:])
    version = 3 if code > 5 else version
    one, time, curve, end = ((166, 478, 790, 820), (168, 480, 792, 822), (168, 488, 808, 838))[version - 1]
    n, before = v[0].nbytes, 16 * v.itemsize * r.randrange(2)
    where = before, before + n, 2 * before + n, 2 * before + n
    more, map = len(v) - 1, (3.0, 0.5)
    head = fields(end + 54 * more, order, (0, '10s', bytes([15 if order == '<' else 240] * 2) + b':WFM#00%d' % version),
        (15, 'B', v.itemsize), (16, 'L', end + 54 * more), (40, '32s', b'CH1'), (72, 'L', more),
        (78, 'L', more > 0), (122, 'L', 2), (one, 'ddL20s', 0.5, 3, 9, b'V'), (one + 72, 'L', code),
        (time, 'ddL20s', 0.25, -2, 9, b's'), (curve + 14, 'LLLL', *where))
    data = v.astype(v.dtype.newbyteorder(order))
    return head + b''.join(b'a' * before + x.tobytes() + b'b' * before for x in data) + b'checksum', \
        [samples(x, -2.0, 0.25, map) for x in v]


def bin(r, v):
    v, starts = parts(r, v)
    wide = r.random() < 0.3
    version, length = (b'AG03', '<Ql') if wide else (r.choice((b'AG01', b'AG10')), '<Ll')
    kind = (1, 1) if v.dtype.kind == 'f' else (6, 6)
    body = b''
    for k, (x, o) in enumerate(zip(v, starts)):
        body += struct.pack('<5lfd2d2l', 140, kind[0], 1, x.size, 1, 9, 777, 0.25, o, 2, 1)
        body += struct.pack('<16s16s24s16sdL', b'05 JUN 2019', b'12:34:56', b'DSO-X 1:MY123', b'1', k / 2,
            k + 1 if len(v) > 1 else 0)
        body += struct.pack('<lhhq' if wide else '<lhhl', 16 if wide else 12, kind[1], x.itemsize, x.nbytes)
        body += x.tobytes()
    return version + struct.pack(length, 8 + struct.calcsize(length) - 4 + len(body), len(v)) + body, \
        [samples(x, o, 0.25, **tagged(k, v, segment=str(k + 1))) for k, (x, o) in enumerate(zip(v, starts))]


def h5(r, v):
    b, map = io.BytesIO(), None if v.dtype.kind == 'f' else (3.0, 0.5)
    v, starts = parts(r, v)
    segments = r.random() < 0.5
    names = ['Channel 1'] if segments else [f'Channel {k + 1}' for k in range(len(v))]
    with h5py.File(b, 'w') as f:
        f.create_dataset('FileType/KeysightH5FileType', data=np.bytes_('Keysight Waveform'))
        waves = f.create_group('Waveforms')
        waves.attrs['NumWaveforms'] = np.int32(len(v))
        for k in r.sample(range(len(v)), len(v)):
            g = waves.require_group(names[0 if segments else k])
            g.attrs.update(NumPoints=np.int32(v.shape[1]), NumSegments=np.int32(segments * len(v)), XInc=0.25,
                XOrg=starts[0 if segments else k], YInc=0.5, YOrg=3.0, XUnits=np.bytes_('Second'), YUnits=np.bytes_('Volt'))
            name = g.name[11:] + (f' Seg{k + 1}Data' if segments else 'Data')
            how = r.choice(({}, {'compression': 6, 'maxshape': (None,)}, {'chunks': (r.randint(1, v.shape[1]),)}))
            d = g.create_dataset(name, data=v[k].astype(v.dtype.newbyteorder(r.choice('<>'))), **how)
            if segments:
                d.attrs.update(SegmentedXOrg=starts[k], SegmentedTimeTag=k / 2)
    return b.getvalue(), [samples(x, o, 0.25, map, **tagged(k, v, segment=str(k + 1)) if segments else {})
        for k, (x, o) in enumerate(zip(v, starts))]


def isf(r, v):
    def curve(v):
        n, order = str(v.nbytes), r.choice(('MSB', 'LSB'))
        kind = 'RI' if v.dtype.kind == 'i' else 'RP'
        text = ','.join(map(str, v)) + '\n'
        binary = r.random() < 0.7
        head = f':WFMPRE:BYT_NR {v.itemsize};BIT_NR {8 * v.itemsize};ENCDG {"BIN" if binary else "ASC"};BN_FMT {kind};' \
            f'BYT_OR {order};NR_PT {v.size};PT_FMT Y;XINCR 2.5E-1;PT_OFF 0;XZERO -1.0;XUNIT "s";YMULT 5.0E-1;' \
            'YZERO 1.5;YOFF -2.0;YUNIT "V";:CURVE '
        data = v.astype(v.dtype.newbyteorder('>' if order == 'MSB' else '<')).tobytes()
        return head.encode() + (f'#{len(n)}{n}'.encode() + data + b'\n' if binary else text.encode())
    v = parts(r, v)[0]
    return b''.join(map(curve, v)), [samples(x, -1.0, 0.25, (2.5, 0.5)) for x in v]


# what reads a file of this ending, types, least and most dimensions, and what writes one
ALL = 'i1 u1 i2 u2 i4 u4 i8 u8 f4 f8'
SOURCES = {
    'npy': ('npy2taf', ALL + ' c8 c16', 1, 9, npy), 'nrrd': ('nrrd2taf', ALL, 1, 9, nrrd),
    'fits': ('fits2taf', 'u1 i2 i4 i8 f4 f8', 1, 9, fits),
    'mat': ('mat2taf', ALL + ' c8 c16' if scipy else '', 2, 9, mat),
    'foreign': ('rsf2taf', ALL, 1, 9, ascii_rsf),
    'dig': ('dig2taf', 'u1 u2 u4 u8', 1, 1, dig), 'trc': ('lecroy2taf', 'i1 i2', 1, 1, trc),
    'bin': ('keysight2taf', 'f4 u1', 1, 1, bin), 'isf': ('tek2taf', 'i1 i2 u1 u2', 1, 1, isf),
    'h5': ('keysight2taf', 'f4 i1 i2' if h5py else '', 1, 1, h5),
    'wfm': ('tek2taf', 'i1 u1 i2 i4', 1, 1, wfm),
}
CAPTURES = 'dig', 'trc', 'bin', 'isf', 'h5', 'wfm'


def draw_source(r, a):
    """Write a file that an array without a mapping can come from: its ending, command, arrays; or None."""
    v = a.v.reshape(-1) if r.random() < 0.4 else a.v
    fit = [(k, s) for k, s in SOURCES.items() if a.map is None and v.dtype.str[1:] in s[1].split() and
        s[2] <= v.ndim <= s[3] and v.size]
    some = [x for x in fit if x[0] in CAPTURES and r.random() < 0.7] or fit
    if not some:
        return None
    ending, (command, _, _, _, write) = r.choice(some)
    with open('in.' + ending, 'wb') as f:
        b, A = write(r, v)
        f.write(b)
    A = A if isinstance(A, list) else [A]
    n, how = len(A), r.randrange(5)
    if ending in CAPTURES and how == 0:
        names = (f'in-{k + 1:0{len(str(n))}}.taf' for k in range(n)) if n > 1 else ['in.taf']
        return ending, 'tafconvert -f {} ; tafcat ' + ' '.join(names), A
    if n > 1 and how == 1:
        v = np.concatenate([x.v for x in A], 1)
        return ending, command + ' --matrix', [A[0].but(v, attrs={})]
    if n > 1 and how == 2:
        k = r.randrange(n)
        return ending, f'{command} -N {k + 1}', [A[k]]
    return ending, command, A
