# SPDX-License-Identifier: ISC
# Standard input, little-endian flt32 of SIDE^3, as the variable v(z, y, x) of a classic netCDF file.
import struct
import sys

import numpy

side = int(sys.argv[1])


def name(s):
    return struct.pack(">i", len(s)) + s + b"\0" * (-len(s) % 4)


def header(begin):
    dims = b"".join(name(s) + struct.pack(">i", side) for s in (b"z", b"y", b"x"))
    return (b"CDF\2" + struct.pack(">i", 0) + struct.pack(">ii", 10, 3) + dims
            + struct.pack(">ii", 0, 0) + struct.pack(">ii", 11, 1) + name(b"v")
            + struct.pack(">iiii", 3, 0, 1, 2) + struct.pack(">ii", 0, 0)
            + struct.pack(">iiq", 5, 4 * side ** 3, begin))


out = sys.stdout.buffer
out.write(header(len(header(0))))
while block := sys.stdin.buffer.read(1 << 22):
    out.write(numpy.frombuffer(block, "<f4").astype(">f4").tobytes())
