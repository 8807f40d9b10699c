# SPDX-License-Identifier: ISC
# drawn.nc, drawn.h5 and what netCDF4 and h5py read of them, drawn.txt: python3 drawn.py in an
# empty folder.  A line of drawn.txt is FILE, NAME, "undefined" or else lengths, grids as
# START:STEP, and the elements as hexadecimal digits, little-endian, the first index fastest.
import h5py
import netCDF4
import numpy as np

VARIABLES = 40
rng = np.random.default_rng(30)
dims = {f"d{k}": int(rng.integers(2, 6)) if k < 4 else None for k in range(7)}


def pick(*a):
    return a[rng.integers(len(a))]


def values(t, shape):
    return rng.integers(0, 120, shape).astype(t)


def some(shape):
    ends = [sorted(rng.integers(0, n + 1, 2)) for n in shape]
    return tuple(slice(int(a), int(b)) for a, b in ends), [b - a for a, b in ends]


def write(v, t, shape):
    how = pick("all", "part", "none")
    part, n = some(shape) if how == "part" else (tuple(slice(0, n) for n in shape), shape)
    if how != "none" and all(n):
        v[part if len(n) > 0 else Ellipsis] = values(t, n)


with netCDF4.Dataset("drawn.nc", "w") as f:
    f.set_auto_maskandscale(False)
    for d, n in dims.items():
        f.createDimension(d, n)
    for d, n in list(dims.items())[1:]:
        t = pick("i1", "i2", "u1", "i4", "f4", "f8")
        v = f.createVariable(d, t, (d,), fill_value=pick(None, 7))
        v.set_auto_maskandscale(False)
        if rng.random() < 0.6:
            v.scale_factor = pick(0.5, 10.0, np.float32(0.25), np.int16(3), -2.5)
        if rng.random() < 0.5:
            v.add_offset = pick(-3.0, 100, np.float32(7.5))
        if t[0] == "i" and rng.random() < 0.6:
            v._Unsigned = pick("true", "True", "TRUE")
        n = n or int(rng.integers(2, 6))
        x = 8 + int(rng.integers(-10, 10)) * (t[0] != "u") + pick(1, 2, 5) * np.arange(n)
        x[-1] += rng.random() < 0.1
        v[:n] = x.astype(t)
    for k in range(VARIABLES):
        t = pick("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8")
        own = list(rng.choice(list(dims), rng.integers(0, 4), replace=False))
        how = {"fill_value": pick(None, False, 77), "endian": pick("big", "little")}
        if own and rng.random() < 0.6 or any(dims[d] is None for d in own):
            how |= {"chunksizes": [int(rng.integers(1, (dims[d] or 4) + 1)) for d in own],
                    "zlib": bool(rng.random() < 0.3)}
        elif own:
            how["contiguous"] = True
        v = f.createVariable(f"v{k}", t, own, **how)
        v.set_auto_maskandscale(False)
        if t[0] == "i" and rng.random() < 0.4:
            v._Unsigned = pick("true", "True", "TRUE")
        write(v, t, [dims[d] or int(rng.integers(1, 7)) for d in own])

with h5py.File("drawn.h5", "w", userblock_size=1024) as f:
    p, d = h5py.h5p, h5py.h5d
    for k in range(VARIABLES):
        t = np.dtype(pick("<", ">") + pick("i1", "u2", "i4", "u8", "f4", "f8"))
        shape = [int(n) for n in rng.integers(1, 6, rng.integers(0, 4))]
        layout = pick("contiguous", "compact", "chunks") if shape else "contiguous"
        how = p.create(p.DATASET_CREATE)
        if layout == "compact":
            how.set_layout(d.COMPACT)
        if layout == "chunks":
            how.set_chunk(tuple(int(rng.integers(1, n + 1)) for n in shape))
        how.set_fill_time(pick(d.FILL_TIME_NEVER, d.FILL_TIME_ALLOC, d.FILL_TIME_IFSET))
        if rng.random() < 0.5:
            how.set_fill_value(np.array(3, t))
        room = h5py.h5s.create_simple(tuple(shape)) if shape else h5py.h5s.create(h5py.h5s.SCALAR)
        v = h5py.Dataset(d.create(f.id, f"v{k}".encode(), h5py.h5t.py_create(t), room, how))
        write(v, t, shape)


# Are there elements that nobody wrote, and that have no fill value?
def undefined(v):
    how = v.id.get_create_plist()
    if how.get_fill_time() != h5py.h5d.FILL_TIME_NEVER or 0 in v.shape:
        return False
    if v.chunks is None:
        return v.id.get_space_status() == h5py.h5d.SPACE_STATUS_NOT_ALLOCATED
    return v.id.get_num_chunks() < np.prod([-(-n // c) for n, c in zip(v.shape, v.chunks)])


def is_unsigned(v):
    return str(getattr(v, "_Unsigned", "")).lower() == "true"


def unsigned(a):
    return a.view("u" + a.dtype.str[2:])


def grid(f, d):
    if d not in f.variables:
        return 1, 1
    v = f[d]
    v.set_auto_scale(False)
    x = v[:]
    if np.ma.getmaskarray(x).any():
        return 1, 1
    x = unsigned(np.asarray(x)) if is_unsigned(v) else x
    x = np.asarray(x, "f8") * float(getattr(v, "scale_factor", 1)) + float(getattr(v, "add_offset", 0))
    steps = set(np.diff(x)) or {1.0}
    return (x[0], steps.pop()) if len(steps) == 1 else (1, 1)


def line(name, v, shape, fill, grids, as_unsigned=False):
    if undefined(v):
        return f"{name} undefined"
    a = np.full(shape, fill, v.dtype)
    a[tuple(slice(0, n) for n in v.shape)] = v[...]
    a = np.asarray(a, "<" + v.dtype.str[1:])
    a = unsigned(a) if as_unsigned else a
    return " ".join([name, a.dtype.str[1:], ",".join(map(str, shape)) or "1",
                     ",".join(f"{o:.6g}:{s:.6g}" for o, s in grids) or "1:1",
                     a.tobytes(order="F").hex()])


with open("drawn.txt", "w") as out, h5py.File("drawn.nc") as h, netCDF4.Dataset("drawn.nc") as f:
    for k in range(VARIABLES):
        v, w = h[f"v{k}"], f[f"v{k}"]
        said = v.id.get_create_plist().fill_value_defined() == h5py.h5d.FILL_VALUE_USER_DEFINED
        fill = v.fillvalue if said else netCDF4.default_fillvals[v.dtype.str[1:]]
        print("drawn.nc", line(f"v{k}", v, w.shape, fill, [grid(f, d) for d in w.dimensions],
                                is_unsigned(w)), file=out)
    with h5py.File("drawn.h5") as h:
        for k in range(VARIABLES):
            v = h[f"v{k}"]
            print("drawn.h5", line(f"v{k}", v, v.shape, v.fillvalue, [(1, 1)] * v.ndim), file=out)
