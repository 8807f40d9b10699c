"""
What numpy or numexpr make of a cube: peer.py numpy|numexpr SIDE FORMULA

a and b in the formula are the flt32 of the files a.raw and b.raw, of SIDE rows and columns,
in C order: axis 2 is dimension 1.  The result goes to standard output.
"""
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
    result = eval(formula, dict(vars(numpy)), arrays)
sys.stdout.buffer.write(numpy.asarray(result).tobytes())
