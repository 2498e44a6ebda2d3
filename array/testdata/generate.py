"""Writes the files of this folder with NumPy 2.4.6 and ml_dtypes 0.7.0: python3 generate.py

print.json    what str and repr print for many arrays: [{dtype, shape, data (as the raw bytes in hex), str, repr}]
narrow.json   the values of every code of the narrow float types, and the codes of some special values
*.npy *.npz   arrays as NumPy saves them
"""
import json
import os
import numpy as np
import ml_dtypes

here = os.path.dirname(os.path.abspath(__file__))
rng = np.random.default_rng(7)


def write(name, value):
    with open(os.path.join(here, name), "w") as f:
        json.dump(value, f, indent=0)
        f.write("\n")


def printing():
    arrays = []
    add = lambda a, dtype=None: arrays.append(np.array(a, dtype))
    for d in ("float16", "float32", "float64"):
        for v in (0.0, -0.0, 1.0, 0.1, -2.5, 1e-4, 9.99e-5, 1234.5, 65504.0, 1e-7, np.nan, np.inf, -np.inf, 1 / 3, 3e4, 100.0):
            add(v, d)
        if d != "float16":
            for v in (1e15, 1e16, 1.2345e17, 1e8, 1e10, 123456789.0, 16777216.0, 3.4e38):
                add(v, d)
        add([1, 2, 3], d)
        add([0.5, -1.25, 3], d)
        add([1e-5, 1], d)
        add([0.001, 1.0], d)
        add([0.001, 1.001], d)
        add([0.0001, 0.05], d)
        add([999.0, 1000.0], d)
        add([9999.0, 10000.5], d)
        add([np.nan, 1.5, np.inf], d)
        add([np.nan, np.nan], d)
        add([-np.inf, 1e-5, np.nan, 1], d)
        add([-np.inf], d)
        add([0, -0.0], d)
        add([1 / 3, 2 / 3, 100.125], d)
        add(rng.standard_normal(12), d)
        add(rng.standard_normal((3, 4)), d)
        add(rng.standard_normal((2, 3, 4)) * 10, d)
        add(np.exp(rng.standard_normal(20) * 3), d)
        add(rng.standard_normal((40, 30)), d)
        add(np.arange(1001), d)
        add(np.arange(2000).reshape(2, 1000) / 8, d)
        add(rng.standard_normal((7, 8, 9, 3)), d)
        add(np.zeros((3, 0)), d)
        add(np.zeros((2, 1, 3)), d)
        add([[1.5]], d)
    for v in ([1e8, 1.0], [123456.789, 1e5], [999999.0, 1.0], [99999999.0, 123.0], [1e-300, 1e300], [5e-324], [1.7976931348623157e308],
              [1e100, -1e-100, 1], [12345678.123456789], [0.1, 0.12345678912345], [1.2345678e-10, 0.1]):
        add(v, "float64")
    for v in ([1e6, 1.0], [999999.0, 1.0], [1e-45, 3e38], [1.2345678e-10, 0.1], [0.1, 0.2, 16777216.0], [3.4028235e38]):
        add(v, "float32")
    for d in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"):
        add(np.arange(10), d)
        add(100, d)
        add([[1, 20], [100, 3]], d)
        if d[0] == "i":
            add([-100, 5, 0], d)
        add(rng.integers(0, 100, (11, 100)), d)
        add(rng.integers(0, 100, 60), d)
    add([np.iinfo("int64").min, np.iinfo("int64").max], "int64")
    add([np.iinfo("uint64").max, 0], "uint64")
    add(np.array([], "int32"))
    for v in (True, False, [True, False], [[True], [False]], rng.integers(0, 2, 40).astype(bool), rng.integers(0, 2, (2, 3, 2)).astype(bool)):
        add(v)
    for d in ("complex64", "complex128"):
        for v in (0, 1 + 2j, 1.5 - 2.25j, 2j, -2j, complex(-0.0, 1), complex(np.nan, 1), complex(np.inf, -np.inf), 1e20 + 1e-20j, complex(0.1, np.nan)):
            add(v, d)
        add([1 + 2j, -0.5 - 1.25j], d)
        add([1e-5 + 1j, 2 - 3000j], d)
        add([complex(np.nan, 1), complex(1, np.inf), 2.5], d)
        add(rng.standard_normal((3, 3)) + 1j * rng.standard_normal((3, 3)), d)
        add(np.arange(1100) * (1 + 1j), d)
    write("print.json", [dict(dtype=str(a.dtype), shape=a.shape, data=a.tobytes().hex(), str=str(a),
                              repr=np.array2string(a, separator=", ", prefix="Array(") if a.ndim else "") for a in arrays])


def narrow():
    special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e10, -1e10, -1.0, 1.5, 3.0, 1e-300, -1e-300,
                        2.0**-127, 2.0**-128, 2.0**127, 1.5 * 2.0**127, 0.75 * 2.0**-127, 2.0**128, 1e6, 65520.0, 464.0, 465.0, 248.0])
    num = lambda v: v if np.isfinite(v) else str(v)
    out = {}
    for name in ("float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn", "float8_e3m4", "float8_e4m3", "float8_e4m3fn", "float8_e4m3fnuz",
                 "float8_e4m3b11fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu", "bfloat16", "float16"):
        t = np.dtype(getattr(ml_dtypes, name, name))
        if t.itemsize == 2:
            codes = np.array([0, 1, 2, 0x7f, 0x80, 0x3ff, 0x400, 0x3c00, 0x3c01, 0x3f80, 0x7bff, 0x7c00, 0x7e00, 0x7f7f, 0x7f80,
                              0x7fc0, 0x8000, 0x8001, 0xbc00, 0xfc00, 0xff80, 0xffff, 0x1234, 0xabcd, 0x5555], "u2")
        else:
            codes = np.arange(1 << {"4": 4, "6": 6, "8": 8}[name[5]], dtype="u1")
        with np.errstate(all="ignore"):
            out[name] = dict(codes=codes.tolist(), values=[num(float(v)) for v in codes.view(t)],
                             special=[num(float(v)) for v in special], encoded=special.astype(t).view(codes.dtype).tolist())
    write("narrow.json", out)


def files():
    for d in ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64",
              "complex64", "complex128"):
        a = (np.arange(6) - (3 if d[0] in "ifc" else 0)).reshape(2, 3).astype(d)
        if d[0] == "c":
            a = a * (1 + 0.5j)
        np.save(os.path.join(here, d + ".npy"), a.astype(d))
    np.save(os.path.join(here, "bigendian.npy"), np.arange(6, dtype=">f8").reshape(2, 3))
    np.save(os.path.join(here, "bigendian_c64.npy"), (np.arange(6) * (1 - 2j)).astype(">c8").reshape(2, 3))
    np.save(os.path.join(here, "fortran.npy"), np.asfortranarray(np.arange(24, dtype="i4").reshape(2, 3, 4)))
    np.save(os.path.join(here, "scalar.npy"), np.float64(2.5))
    np.save(os.path.join(here, "empty.npy"), np.zeros((0, 3), "f4"))
    np.save(os.path.join(here, "bfloat16.npy"), np.array([1, 2.5, -3], ml_dtypes.bfloat16))
    for v in ((1, 0), (2, 0), (3, 0)):
        with open(os.path.join(here, "version%d.npy" % v[0]), "wb") as f:
            np.lib.format.write_array(f, np.arange(4, dtype="f4"), version=v)
    np.savez(os.path.join(here, "stored.npz"), a=np.arange(3), b=np.float32(1.5), **{"layer/w": np.ones((2, 2))})
    np.savez_compressed(os.path.join(here, "deflated.npz"), x=np.zeros((50, 2), "f4"))


printing()
narrow()
files()
