# SPDX-License-Identifier: ISC
"""
What numpy or numexpr make of a cube: peer.py numpy|numexpr SIDE FORMULA

a and b in the formula are the flt32 of the files a.raw and b.raw, of SIDE rows and columns,
in C order: axis 2 is dimension 1.  The result goes to standard output.  The formula may call
numpy's functions by their names alone, and those of scipy's packages as ndimage.NAME.
"""
import importlib
import sys

import numpy

kind, side, formula = sys.argv[1:]
names = compile(formula, "formula", "eval").co_names
arrays = {
    k: numpy.fromfile(k + ".raw", "f4").reshape(-1, int(side), int(side))
    for k in ("a", "b") if k in names
}
if kind == "numexpr":
    import numexpr
    result = numexpr.evaluate(formula, arrays)
else:
    for k in ("fft", "interpolate", "ndimage", "signal"):
        if k in names:
            arrays[k] = importlib.import_module("scipy." + k)
    result = eval(formula, dict(vars(numpy)), arrays)
sys.stdout.buffer.write(numpy.asarray(result).tobytes())
