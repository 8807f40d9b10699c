# SPDX-License-Identifier: ISC
# The files of this folder, by h5py and netCDF4: python3 make.py in an empty folder.
# Element [i,j] of 3 x 5 is 10 i + j - 7, without a sign 10 i + j + 1; other shapes count on.
import h5py
import netCDF4
import numpy as np

i, j = np.indices((3, 5))
signed = 10 * i + j - 7
natural = 10 * i + j + 1
values = {t: signed for t in ("i1", "i2", "i4", "i8", "f2", "f4", "f8")}
values |= {t: natural for t in ("u1", "u2", "u4", "u8")}
values |= {t: signed + 0.5j * natural for t in ("c8", "c16")}

with h5py.File("types.h5", "w") as f:
    for t, a in values.items():
        for order in "<>" if t not in ("i1", "u1") else "<":
            f[t + ("le" if order == "<" else "be")] = a.astype(order + t)
    how = {"chunks": (2, 3)}
    f.create_dataset("packed/deflate", data=signed.astype("f8"), compression=9, shuffle=True, **how)
    f.create_dataset("packed/sum", data=signed.astype(">i4"), fletcher32=True, **how)
    f.create_dataset("packed/scaleoffset", data=signed.astype("i2"), scaleoffset=0, **how)
    f.create_dataset("packed/c8", data=values["c8"].astype("c8"), compression=1, **how)
    f.create_dataset("packed/f2", data=signed.astype("f2"), compression=1, **how)
    f.create_dataset("packed/lzf", data=signed, compression="lzf", **how)
    f["bool"] = natural % 3 == 0
    f.create_dataset("enum", data=natural.astype(">u2"),
                     dtype=h5py.enum_dtype({"one": 1, "two": 2}, basetype=">u2"))
    bits = h5py.h5t.STD_B16BE.copy()
    d = h5py.h5d.create(f.id, b"bits", bits, h5py.h5s.create_simple((3, 5)))
    d.write(h5py.h5s.ALL, h5py.h5s.ALL, natural.astype("u2"), h5py.h5t.STD_B16LE)
    f["scalar"] = 2.5
    f["none"] = np.zeros((0, 4), "i2")
    f["rank32"] = signed.astype("i2").reshape((1,) * 30 + (3, 5))
    d = f.create_dataset("sparse", (300, 500), "i2", chunks=(10, 20), fillvalue=-3)
    d[20:23, 40:45] = signed
    f["soft"] = h5py.SoftLink("/packed/deflate")
    f["loop"] = h5py.SoftLink("/loop")
    f["elsewhere"] = h5py.ExternalLink("other.h5", "/there")
    f["a b"] = np.arange(3, dtype="i4")
    f["text"] = "three"
    f["pairs"] = np.zeros(2, [("re", "f4"), ("im", "f4")])
    f["opaque"] = np.zeros(2, "V3")
    f.create_dataset("lists", (2,), h5py.vlen_dtype("i4"))
    f["wide"] = np.zeros(2, np.longdouble)
    f.create_dataset("array", (2,), np.dtype(("f4", (2,))))
    f["null"] = h5py.Empty("f4")
    f.create_dataset("outside", (4,), "i4", external=[("raw", 0, 16)])
    v = h5py.VirtualLayout((3,), "i4")
    v[:] = h5py.VirtualSource("other.h5", "there", (3,))
    f.create_virtual_dataset("virtual", v)

with h5py.File("scales.h5", "w", userblock_size=512) as f:
    def scaled(name, *scales):
        f[name] = signed.astype("f4")
        for k, s in enumerate(scales):
            if s:
                f[name].dims[k].attach_scale(f[s])
        return f[name]

    def scale(name, values, title="", **attrs):
        f[name] = values
        f[name].make_scale(title)
        f[name].attrs.update(attrs)

    scale("t", np.array([10, 12.5, 15]), "time", units="ms", axis="T")
    scale("x", (np.arange(5) * 0.1).astype("f4"), long_name="way", units=np.bytes_("m"))
    scale("down", np.array([5, 3, 1], "i2"))
    scale("uneven", np.array([1, 2, 4.0]), units="s")
    scale("words", np.array([b"a", b"b", b"c"]))
    scale("long", np.arange(4.0))
    scale("accumulated", np.add.accumulate(np.full(5, 0.1)))
    scale("nearly", np.array([0, 1, 2, 3, 4.0001]))
    scale("equal", np.array([2, 2, 2]))
    d = scaled("d", "t", "x")
    d.attrs.update({"units": "V", "long_name": "Voltage", "scale_factor": 0.5, "add_offset": np.float32(-3),
                    "serial": "A 12", "comment": "two\nlines", "taf:shot": "7", "runs": np.arange(3), "ok": True,
                    "gain": 0.1, "narrow": np.float32(0.1), "most": np.uint64(2**64 - 1), "five": np.int32(5),
                    "names": ["a", "b"], "who": f["t"].ref})
    scaled("whole", "down", "accumulated")
    scaled("odd", "uneven", "x")
    scaled("two", "words", "nearly")
    scaled("other", "equal", None)
    scaled("short", "long", None)
    d = scaled("labels")
    d.dims[1].label = "column"
with open("scales.h5", "r+b") as f:
    f.write(b"MATLAB 7.3 MAT-file")

with h5py.File("mapping.h5", "w") as f:
    f["complex"] = np.arange(1, 4) + 2j
    f["complex"].attrs["scale_factor"] = 2.0
    f["text"] = np.arange(1.0, 4)
    f["text"].attrs.update({"scale_factor": "two", "add_offset": 1.0})

with netCDF4.Dataset("cf.nc", "w") as f:
    f.createDimension("time", None)
    f.createDimension("x", 4)
    f.createDimension("bare", 3)
    t = f.createVariable("time", "f8", ("time",))
    t.units = "seconds since 2000-01-01"
    t[:] = np.arange(5) * 0.25
    x = f.createVariable("x", "i4", ("x",))
    x[:] = [2, 4, 6, 8]
    v = f.createVariable("v", "i2", ("time", "x", "bare"), zlib=True, shuffle=True, fill_value=-9)
    v.set_auto_maskandscale(False)
    v.scale_factor = 0.5
    v.valid_range = np.array([0, 100], "i2")
    v[:] = np.arange(60).reshape(5, 4, 3)
    s = f.createVariable("short", "i2", ("time", "x"))
    s[:2] = np.arange(8).reshape(2, 4)
    u = f.createVariable("unsigned", "i1", ("x",))
    u._Unsigned = "true"
    u[:] = np.array([-1, 2, -3, 4], "i1")
with h5py.File("stored.h5", "w", userblock_size=512) as f:
    # of the fill value, or of none, where nobody has written
    def stored(name, fill, time, chunks=None):
        how = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        how.set_fill_time(time)
        if fill:
            how.set_fill_value(np.array(fill, "i4"))
        if chunks:
            how.set_chunk((chunks,))
        h5py.h5d.create(f.id, name, h5py.h5t.STD_I32LE, h5py.h5s.create_simple((6,)), how)

    stored(b"late", 7, h5py.h5d.FILL_TIME_IFSET)
    stored(b"zero", None, h5py.h5d.FILL_TIME_ALLOC)
    stored(b"never", None, h5py.h5d.FILL_TIME_NEVER)
    stored(b"chunks", None, h5py.h5d.FILL_TIME_NEVER, 2)
    f["chunks"][2:4] = [1, 2]
    f["written"] = np.arange(6, dtype="i4")

with netCDF4.Dataset("packed.nc", "w") as f:
    def coordinates(name, n, t, values, **attrs):
        f.createDimension(name, n)
        v = f.createVariable(name, t, (name,), fill_value=attrs.pop("_FillValue", None))
        v.set_auto_maskandscale(False)
        v.setncatts(attrs)
        v[:] = np.array(values).astype(t)

    coordinates("lat", 3, "i2", [1, 2, 3], scale_factor=10.0, add_offset=0.0, valid_min=np.int16(0))
    coordinates("lon", 4, "i1", [120, 125, -126, -121], _Unsigned="TRUE")
    coordinates("far", 3, "i1", [-6, -5, -4], _Unsigned="True", scale_factor=np.float32(0.5), add_offset=-100)
    coordinates("gap", 2, "i4", [1, 99], _FillValue=99)
    coordinates("late", 2, "f8", [0, netCDF4.default_fillvals["f8"]])
    coordinates("odd", 2, "i2", [1, 2], scale_factor="two")
    f.createDimension("time", None)
    f.createDimension("bare", None)
    f.createVariable("time", "f8", ("time",), chunksizes=(4,))[:] = 0.5 * np.arange(5)
    for name, own in {"v": ("lat", "lon"), "w": ("far", "gap"), "x": ("late", "odd")}.items():
        f.createVariable(name, "i2", own)[:] = 1
    f.createVariable("short", "i2", ("time", "bare"), fill_value=-5, chunksizes=(2, 2))[:2, :1] = [[1], [2]]
    f.createGroup("g").createVariable("long", "f4", ("bare",), chunksizes=(4,))[:] = [1, 2, 3]
    f.createVariable("nofill", "f4", ("bare",), fill_value=False, chunksizes=(4,))[:1] = 4
    u = f.createVariable("unsigned", "i1", ("lat",))
    u._Unsigned = "True"
    u[:] = np.array([-1, 2, -3], "i1")
with netCDF4.Dataset("classic.nc", "w", format="NETCDF3_CLASSIC") as f:
    f.createDimension("x", 4)
    f.createVariable("x", "i4", ("x",))[:] = 1

with h5py.File("attrs.h5", "w") as f:
    d = f.create_dataset("v", data=np.arange(3, dtype="f4"))
    words = np.array([["a\nb", "c"], ["", "d"]], dtype=object)
    d.attrs.update({
        "seven": "007", "version": "2.10", "list": "1,2", "not": "nan", "quoted": '"7"', "taf:own": '"7"',
        "nul": np.bytes_(b"ab\0cd"), "percent": np.bytes_(b"5%20\0%25"), "blank": "",
        "nothing": h5py.Empty("S1"), "none": h5py.Empty("f4"), "zero": np.zeros(0, "i2"),
        "three": np.array(["a", "", "b c"], dtype=object), "two": np.array([b"x", b"yy"]), "words": words,
        "matrix": np.arange(6, dtype="i2").reshape(2, 3), "long": np.arange(500, dtype="i4"),
        "units": 7, "long_name": np.bytes_(b"a\0b"), "CLASS": "IMAGE", "comment": np.float32(0.5),
        "missing_value": np.array([1, 2.5], "f4"), "nan": np.nan})
    f["scalar"] = np.int16(-3)
    f["scalar"].attrs["units"] = "m"
    f["x"] = (np.arange(3) * np.float32(0.1)).astype("f4")
    f["x"].make_scale("x")
    f["x"].attrs.update({"units": "m", "long_name": "Distance", "axis": "X"})
    d.dims[0].attach_scale(f["x"])

# What MATLAB writes: M[i,j] of 3 x 5 is stored as [j,i].
def matlab(f, name, a, kind, **how):
    d = f.create_dataset(name, data=np.ascontiguousarray(a.T), **how)
    d.attrs["MATLAB_class"] = np.bytes_(kind)
    return d

pair = np.dtype([("real", "f8"), ("imag", "f8")])
half = np.dtype([("real", "f4"), ("imag", "f4")])

def pairs(a, dtype):
    p = np.zeros(a.shape, dtype)
    p["real"], p["imag"] = a.real, a.imag
    return p

with h5py.File("matlab.mat", "w", userblock_size=512) as f:
    matlab(f, "a", signed.astype("f8"), "double")
    matlab(f, "packed", signed.astype("i2"), "int16", chunks=(2, 3), compression=1)
    matlab(f, "cube", np.arange(24, dtype="u4").reshape(2, 3, 4), "uint32")
    matlab(f, "z", pairs(signed + 0.5j * natural, pair), "double")
    matlab(f, "zpacked", pairs(signed + 0.5j * natural, pair), "double", chunks=(2, 3), compression=1)
    matlab(f, "zsingle", pairs(signed + 0.5j * natural, half), "single")
    matlab(f, "yes", (natural % 3 == 0).astype("u1"), "logical").attrs["MATLAB_int_decode"] = np.int32(1)
    matlab(f, "text", np.array([[ord(c) for c in "three"]], "u2"), "char").attrs["MATLAB_int_decode"] = np.int32(2)
    for name, n, kind in ("empty", [0, 3], "single"), ("nochar", [0, 0], "char"), ("full", [2, 3], "single"), \
            ("nocell", [0, 0], "cell"), ("long", [2**62, 0], "int8"):
        f[name] = np.array(n, "u8")
        f[name].attrs.update({"MATLAB_class": np.bytes_(kind), "MATLAB_empty": np.uint8(1)})
    f["#refs#/b"] = np.zeros(3)
    f["#refs#/b"].attrs["MATLAB_class"] = np.bytes_("double")
    f.create_dataset("cell", data=np.array([[f["#refs#/b"].ref]], h5py.ref_dtype))
    f["cell"].attrs["MATLAB_class"] = np.bytes_("cell")
    matlab(f, "struct/field", signed.astype("f4"), "single")
    f["struct"].attrs["MATLAB_class"] = np.bytes_("struct")
    f["sparse/data"] = np.zeros(2)
    f["sparse"].attrs.update({"MATLAB_class": np.bytes_("double"), "MATLAB_sparse": np.uint64(3)})
with open("matlab.mat", "r+b") as f:
    f.write(b"MATLAB 7.3 MAT-file, made by make.py".ljust(124) + b"\0\2IM")

# What the SDA programs write.
with h5py.File("archive.sda", "w") as f:
    f.attrs.update({k: np.bytes_(v) for k, v in {"FileFormat": "SDA", "FormatVersion": "1.1",
                    "Writable": "yes", "Created": "18-Nov-2016 14:08:16"}.items()})
    def record(label, data, kind="numeric", field="", size=None, how={}, **attrs):
        g = f.require_group(label)
        if not field:
            g.attrs.update({"RecordType": np.bytes_(kind), "Description": np.bytes_("what " + label + " is"),
                            "Empty": np.bytes_("no"), "Deflate": 0.0})
        d = g.create_dataset(field or label, data=data, **how)
        d.attrs.update({"RecordType": np.bytes_(kind), "Empty": np.bytes_("no")} |
                       {k: np.bytes_(v) for k, v in attrs.items()})
        if size:
            d.attrs["ArraySize"] = np.array(size, "f8")
    no = {"Complex": "no", "Sparse": "no"}
    yes = {"Complex": "yes", "Sparse": "no"}
    record("a b", signed.astype("f4").T, **no)
    z = (signed + 0.5j * natural).ravel(order="F")
    rows = np.array([z.real, z.imag])
    record("z", rows, size=[3, 5], **yes)
    record("zpacked", rows.astype("f4"), size=[3, 5], how={"chunks": (1, 4), "compression": 1}, **yes)
    record("long", (np.arange(20000) % 97 / 4).reshape(2, -1), size=[100, 50, 2], **yes)
    record("sparse", np.array([[1, 4, 2, 2], [1, 6, 3, 3], [0.5, -1, 2, 3.25]]), Complex="no", Sparse="yes")
    record("nothing", np.array([[np.nan]]), **(no | {"Empty": "yes"}))
    record("yes", (natural % 3 == 0).astype("u1").T, "logical")
    record("text", np.array([[ord(c)] for c in "three"], "u1"), "character")
    for label, grid in ("signal", 0.5 + 0.25 * np.arange(4)), ("odd", np.array([0, 1, 3, 4.])):
        f.create_group(label).attrs.update({"RecordType": np.bytes_("structure"), "FieldNames": np.bytes_("Grid Data "),
                                            "Description": np.bytes_("a record of the scope"), "Empty": np.bytes_("no")})
        record(label, grid.reshape(1, 4), field="Grid", **no)
        record(label, np.arange(8, dtype="f4").reshape(2, 4), field="Data", **no)
    f.create_group("cell").attrs.update({"RecordType": np.bytes_("cell"), "Empty": np.bytes_("no")})
    record("cell", rows, field="element 1", size=[15, 1], **yes)
    record("short", rows, size=[3, 4], **yes)
    record("half", rows.astype("i4"), size=[3, 5], **yes)
    record("nosize", rows, **yes)
    record("three", np.zeros((3, 4)), size=[4, 1], **yes)
    record("zero", np.array([[1, 0.], [1, 1], [1, 1]]), Complex="no", Sparse="yes")
    record("huge", np.array([[2.**40], [2.**40], [1]]), Complex="no", Sparse="yes")
    record("part", np.array([[1.5], [1], [1]]), Complex="no", Sparse="yes")
