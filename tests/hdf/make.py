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
with netCDF4.Dataset("classic.nc", "w", format="NETCDF3_CLASSIC") as f:
    f.createDimension("x", 4)
    f.createVariable("x", "i4", ("x",))[:] = 1
