#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""numpy_libtaf.py FILE -- the values of an array, TAF or RSF, in NumPy, by libtaf"""
import ctypes as c
import sys
import numpy

# struct taf_array up to its dimensions, and room for the rest; struct taf_err
Array = type('Array', (c.Structure,), {'_fields_': [
    ('type', c.c_int), ('map', c.c_double * 2), ('ndim', c.c_uint), ('code', c.c_ubyte),
    ('dim', c.c_uint64 * 3 * 64), ('rest', c.c_void_p * 64)]})
Error = type('Error', (c.Structure,), {'_fields_': [
    ('code', c.c_int), ('sys', c.c_int), ('name', c.c_char * 256), ('text', c.c_char * 512)]})
taf = c.CDLL('libtaf.so.0')
taf.taf_type_name.restype = c.c_char_p


def read(file):
    """The physical values, dimension 1 first."""
    r, a, e = c.c_void_p(), Array(), Error()

    def call(function, *arguments):
        if function(*arguments, c.byref(e)) != 0:
            raise ValueError(f'{file}: {e.text.decode()}')

    call(taf.taf_reader_open, c.byref(r), file.encode(), 0)
    call(taf.taf_reader_next, r, c.byref(a))
    name = taf.taf_type_name(a.type).decode().replace('flt', 'float')
    x = numpy.empty([d[0] for d in a.dim[:a.ndim]], {'complex': 'c8'}.get(name, name), 'F')
    call(taf.taf_reader_read, r, c.c_void_p(x.ctypes.data), c.c_size_t(x.size))
    call(taf.taf_reader_last, r)
    taf.taf_array_fini(c.byref(a))
    taf.taf_reader_close(r)
    return a.map[0] + a.map[1] * x if numpy.isfinite(a.map).all() else x


if __name__ == '__main__':
    print(read(sys.argv[1]))
