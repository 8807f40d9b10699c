# SPDX-License-Identifier: ISC
"""Files of formats that are read alone, written here: the bytes, and the array that comes of them."""
import io
import struct

import numpy as np

from model import LOST, Array

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


def samples(v, start, step, map=None):
    """What a capture becomes: a column."""
    return Array(v.reshape(-1, 1), [(start, step, None, None), LOST], map, None)


def dig(r, v):
    head = '\r\n'.join(map(str, ('Tue Nov 03 23:01:02 2026', v.size, 8 * v.itemsize, 0.5, -3.0, 0.25, 8.0)))
    return bytes(512) + head.encode().ljust(512) + v.tobytes(), samples(v, -3.0, 0.5, (8.0, 0.25))


def fields(n, *all):
    head = bytearray(n)
    for at, form, *x in all:
        struct.pack_into('<' + form, head, at, *x)
    return bytes(head)


def trc(r, v):
    return fields(346, (0, '16s16s', b'WAVEDESC', b'LECROY_2_3'), (32, 'HHL', v.itemsize - 1, 1, 346),
        (60, 'L', v.nbytes), (116, 'LL', v.size, v.size - 1), (144, 'L', 1), (156, 'ff', 0.5, 3.0),
        (176, 'fd', 0.25, -2.0), (196, '48s48s', b'V', b'S')) + v.tobytes(), \
        samples(v, -2.0, 0.25, (-3.0, 0.5))


def wfm(r, v):
    n, code = v.nbytes, ('i2', 'i4', 'u4', 'u8', 'f4', 'f8', 'u1', 'i1').index(v.dtype.str[1:])
    return fields(838, (0, '10s', b'\x0f\x0f:WFM#003'), (15, 'B', v.itemsize), (16, 'L', 838), (40, '32s', b'CH1'),
        (122, 'L', 2), (168, 'ddL20s', 0.5, 3, 9, b'V'), (240, 'L', code), (488, 'ddL20s', 0.25, -2, 9, b's'),
        (822, 'LLLL', 0, n, n, n)) + v.tobytes() + b'checksum', samples(v, -2.0, 0.25, (3.0, 0.5))


def bin(r, v):
    head = struct.pack('<5lfd2d2l', 140, 1, 1, v.size, 1, 9, 777, 0.25, -2, 2, 1) + struct.pack(
        '<16s16s24s16sdL', b'05 JUN 2019', b'12:34:56', b'DSO-X 1:MY123', b'1', 0, 0)
    body = head + struct.pack('<lhhl', 12, 1, 4, v.nbytes) + v.tobytes()
    return b'AG10' + struct.pack('<Ll', 12 + len(body), 1) + body, samples(v, -2.0, 0.25)


def isf(r, v):
    n = str(v.nbytes)
    return f':WFMPRE:BYT_NR {v.itemsize};BIT_NR {8 * v.itemsize};ENCDG BIN;BN_FMT RI;BYT_OR MSB;NR_PT {v.size};' \
        'PT_FMT Y;XINCR 2.5E-1;PT_OFF 0;XZERO -1.0;XUNIT "s";YMULT 5.0E-1;YZERO 1.5;YOFF -2.0;YUNIT "V";' \
        f':CURVE #{len(n)}{n}'.encode() + big(v), samples(v, -1.0, 0.25, (2.5, 0.5))


# what reads a file of this ending, types, least and most dimensions, and what writes one
ALL = 'i1 u1 i2 u2 i4 u4 i8 u8 f4 f8'
SOURCES = {
    'npy': ('npy2taf', ALL + ' c8 c16', 1, 9, npy), 'nrrd': ('nrrd2taf', ALL, 1, 9, nrrd),
    'fits': ('fits2taf', 'u1 i2 i4 i8 f4 f8', 1, 9, fits),
    'mat': ('mat2taf', ALL + ' c8 c16' if scipy else '', 2, 9, mat),
    'dig': ('dig2taf', 'u1 u2 u4 u8', 1, 1, dig), 'trc': ('lecroy2taf', 'i1 i2', 1, 1, trc),
    'bin': ('keysight2taf', 'f4', 1, 1, bin), 'isf': ('tek2taf', 'i1 i2', 1, 1, isf),
    'wfm': ('tek2taf', 'i1 u1 i2 i4', 1, 1, wfm),
}
CAPTURES = 'dig', 'trc', 'bin', 'isf', 'wfm'


def draw_source(r, a):
    """Write a file that an array without a mapping can come from: its ending, command, array; or None."""
    v = a.v.reshape(-1) if r.random() < 0.4 else a.v
    fit = [(k, s) for k, s in SOURCES.items() if a.map is None and v.dtype.str[1:] in s[1].split() and
        s[2] <= v.ndim <= s[3]]
    some = [x for x in fit if x[0] in CAPTURES and r.random() < 0.7] or fit
    if not some:
        return None
    ending, (command, _, _, _, write) = r.choice(some)
    with open('in.' + ending, 'wb') as f:
        b, a = write(r, v)
        f.write(b)
    if ending in CAPTURES and r.random() < 0.3:
        return ending, 'tafconvert -f {} ; tafcat in.taf', a
    return ending, command, a
