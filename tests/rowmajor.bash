# SPDX-License-Identifier: ISC
# What the tests of the TenBin and NumPy converters share: what they know of TAF and of
# TenBin they know from here, not from our own programs.

setup() {
	begin
	# 64 MiB, but a sanitizer takes far more
	export LIMIT=65536
	(ulimit -v $LIMIT && ten2taf -V) >/dev/null 2>&1 || LIMIT=unlimited
	cat >formats.py <<'EOF'
import os
import struct
import numpy as np

ORDER = os.environ['ORDER']
NAMES = {'int8': 'i1', 'uint8': 'u1', 'int16': '<i2', 'uint16': '<u2', 'int32': '<i4',
    'uint32': '<u4', 'int64': '<i8', 'uint64': '<u8', 'flt32': '<f4', 'flt64': '<f8'}

# TAF is read and written here in Fortran order
def load_taf(path):
    b = open(path, 'rb').read()
    assert b[:4] == b'TAF ', b[:8]
    kind = np.dtype(NAMES[b[1024:1032].decode().rstrip('\0 ')])
    ndim, = struct.unpack_from('<Q', b, 1048)
    shape = [struct.unpack_from('<Q', b, 1056 + 24 * k)[0] for k in range(ndim)]
    at = 1056 + 24 * ndim
    count = int(np.prod(shape, dtype=object))
    end = at + count * kind.itemsize
    a = np.frombuffer(b[at:end], kind).reshape(shape, order='F')
    tail = b[end:].decode()
    if 'ndim=1\n' in tail and 'complex=1\n' not in tail:
        assert a.shape[1:] == (1,)
        a = a.reshape(-1)
    return a, tail

def save_taf(path, a, mapping=(float('inf'), float('inf'))):
    name = [k for k, v in NAMES.items() if np.dtype(v) == a.dtype][0]
    with open(path, 'wb') as f:
        f.write(b'TAF \1\0\0\n' + b' ' * 1016 + struct.pack('<8s2dQ', name.encode(), *mapping,
            a.ndim))
        for n in a.shape:
            f.write(struct.pack('<Q2d', n, 1, 1))
        f.write(a.tobytes(order='F'))

def bits(a):
    return a.dtype.newbyteorder('<'), a.shape, a.astype(a.dtype.newbyteorder('<')).tobytes()

def same(a, b):
    assert bits(a) == bits(b), (a, b)

# a TenBin file: code, name and dimensions of a header, then elements
def chunk(payload):
    return b'~TenBin~' + struct.pack('<q', len(payload)) + payload + b'\0' * (-len(payload) % 64)

def ten(code, name, dims, payload):
    head = struct.pack('<8s8sq', code, name, len(dims)) + struct.pack('<%dq' % len(dims), *dims)
    return chunk(head) + chunk(payload)

def ten_of(a, name=b''):
    return ten(a.dtype.str[1:].encode(), name, a.shape, a.tobytes())

# elements that differ in every bit pattern they can have, NaN and -0 among them
def noise(kind, shape):
    kind = np.dtype(kind)
    n = int(np.prod(shape, dtype=object)) * kind.itemsize
    x = (np.arange(n, dtype='u8') * 2654435761 + 12345) >> np.uint64(7)
    return np.frombuffer((x & np.uint64(255)).astype('u1').tobytes(), kind).reshape(shape)
EOF
}

# python: a script on standard input, with all of the above
python() {
	{ echo 'from formats import *; import glob, io, json, os, subprocess, sys'; cat; } >script.py
	PYTHONPATH=$T "$PYTHON" script.py "$@"
}
