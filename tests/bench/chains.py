# SPDX-License-Identifier: ISC
"""
Chains of commands beside one program of numpy or scipy that does the same in memory, or beside a
chain of netpbm: a table in Markdown.  usage: chains.py quick|full, in a folder in memory

Both read the same elements and write theirs to a file.  Their results are compared, too.
Memory is the sum over the processes of a chain, without the pages of files.
"""
import os
import shutil
import statistics
import subprocess
import sys
import time

import numpy as np

# name, its commands, type of the result, the largest difference, what python makes of the file
# (here as x: dimension 1 is the last axis), or the chain of netpbm
CHAINS = [
    ("cut, transposed, stacked",
     "tafcrop -x 1=::2 c.taf | tafpermute -d 3,1,2 | tafmath 'a * a'"
     " | tafreduce mean -d 1 --squeeze | tafmath -t flt32 'sqrt(a)'", "f4", 1e-5,
     "np.sqrt((x[:, :, ::2] ** 2).mean(0, dtype='f8')).astype('f4')"),
    ("traces, normalized, outliers filled, stacked",
     "tafreduce std -d 1 c.taf | tafmath 'b / a' - c.taf | tafmath 'where(abs(a) > 3, nan, a)'"
     " | taffill --nan 0 | tafreduce mean -d 3 --squeeze | tafmath -t flt32 'a'", "f4", 1e-5,
     "x = x / x.std(2, keepdims=True, dtype='f8').astype('f4')\n"
     "x[abs(x) > 3] = 0\nx.mean(0, dtype='f8').astype('f4')"),
    ("joined, rolled, padded, sorted, thinned",
     "tafappend -q -d 3 c.taf c.taf | tafroll --by 1=37 | tafpad --by 1=8:8"
     " | tafreshape -q --flatten | tafsort | tafcrop -x 1=::1000", "f4", 0,
     "x = np.roll(np.concatenate([x, x]), 37, 2)\n"
     "np.sort(np.pad(x, ((0, 0), (0, 0), (8, 8))), None)[::1000]"),
    ("low frequencies by transforms",
     "taffft c.taf | tafmath 'where(x1 < 0.1, a, 0)' | taffft --inverse --real | tafmath 'abs(a)'"
     " | tafcrop -x 1=::4 | tafreduce max -d 3 --squeeze", "f4", 1e-4,
     "f = fft.rfft(x)\nf[..., fft.rfftfreq(x.shape[2]) >= 0.1] = 0\n"
     "abs(fft.irfft(f, x.shape[2]))[:, :, ::4].max(0)"),
    ("smoothed, thinned, slopes, histogram",
     "tafsmooth --mean 101 l.taf | tafcrop -x 1=::10 | tafadjust --start 1=0 --step 1=1"
     " | tafdifferentiate | tafmath 'abs(a)' | tafhist --range 0:1 --bins 200"
     " | tafmath -t int64 a", "i8", 3,
     "x = ndimage.uniform_filter1d(x.ravel(), 101)[::10]\n"
     "np.histogram(abs(np.gradient(x)), 200, (0, 1))[0]"),
    ("the lines with most above a bound, their mean",
     "tafmath -t int32 'a > 1' r.taf | tafreduce sum -d 1 --squeeze | tafmath '0 - a'"
     " | tafsort --index | tafcrop -x 1=1:100 | tafselect -q -d 2 --indices - r.taf"
     " | tafreduce mean -d 2 --squeeze | tafmath -t flt32 a", "f4", 1e-5,
     "x = x.reshape(-1, x.shape[2])\n"
     "x[np.argsort(-(x > 1).sum(1), kind='stable')[:100]].mean(0, dtype='f8').astype('f4')"),
    ("strongest frequency of blocks",
     "tafspectrogram --points 1024,512 --power s.taf | tafcrop -x 1=3:400"
     " | tafreduce argmax --index -d 1 --squeeze | tafsmooth --median 5 | tafmath -t flt32 'a + 2'",
     "f4", 0,
     "f, t, p = signal.spectrogram(x, window=np.hanning(1024), nperseg=1024, noverlap=512,"
     " detrend=False)\n"
     "(ndimage.median_filter(p[2:400].argmax(0) + 1., 5) + 2).astype('f4')"),
    ("filtered, envelope, thinned, decibels",
     "taffilter --high 0.1 r.taf | tafhilbert --envelope | tafsmooth --mean 9 | tafcrop -x 1=::8"
     " | tafmath '20 * log10(a)' | tafreverse -d 2 | tafpermute -d 2,1", "f4", 1e-3,
     "x = x.reshape(-1, x.shape[2])\n"
     "x = signal.sosfiltfilt(signal.butter(4, 0.2, output='sos'), x).astype('f4')\n"
     "x = ndimage.uniform_filter1d(abs(signal.hilbert(x)).astype('f4'), 9)[:, ::8]\n"
     "(20 * np.log10(x))[::-1].T"),
    ("a table: columns chosen, smoothed, statistics",
     "txt2taf t.txt | tafcrop -x 2=2:3 | tafmath '2 * a' | tafsmooth --mean 9"
     " | tafreduce min,max,mean -d 1 --squeeze | tafmath -t flt32 a", "f4", 1e-5,
     "x = 2 * np.loadtxt('t.txt', 'f4')[:, 1:3]\nx = ndimage.uniform_filter1d(x.T, 9)\n"
     "np.stack([x.min(1), x.max(1), x.mean(1)], 0).astype('f4')"),
    ("an image: cut, mirrored, inverted",
     "pgm2taf i.pgm | tafcrop -x 1=101: -x 2=101: | tafreverse -d 1 --keep-grid | tafmath '255 - a'"
     " | tafcast -t uint8 | taf2pgm -q --range 0:255", "pgm", 0,
     "pamcut -left 100 -top 100 i.pgm | pamflip -leftright | pnminvert"),
]


def reference(name, side):
    """One program, in memory."""
    from scipy import fft, ndimage, signal
    chain = next(c for c in CHAINS if c[0] == name)
    names = {"np": np, "fft": fft, "ndimage": ndimage, "signal": signal}
    if " s.taf" in chain[1]:
        names["x"] = np.fromfile("s.raw", "i2")
    elif " t.txt" not in chain[1]:
        names["x"] = np.fromfile("c.raw", "f4").reshape(-1, side, side)
    *lines, last = chain[4].split("\n")
    exec("\n".join(lines), names)
    result = eval(last, names)
    sys.stdout.buffer.write(np.ascontiguousarray(result, chain[2]).tobytes())


def anonymous(pid):
    """KiB of a process and all that it has started."""
    total = 0
    try:
        with open(f"/proc/{pid}/status") as f:
            total = sum(int(k.split()[1]) for k in f if k.startswith(("RssAnon", "RssShmem")))
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children") as f:
                total += sum(anonymous(k) for k in f.read().split())
    except (OSError, ProcessLookupError):
        pass
    return total


def run(command, output, watched):
    """Seconds, and KiB at most where they are watched, which takes time itself."""
    with open(output, "wb") as out:
        start = time.monotonic()
        p = subprocess.Popen(["bash", "-o", "pipefail", "-c", command], stdout=out)
        peak = 0
        while watched and p.poll() is None:
            peak = max(peak, anonymous(p.pid))
            time.sleep(0.003)
        if p.wait() != 0:
            raise SystemExit(f"chains.py: failed: {command}")
        return time.monotonic() - start, peak


def agree(kind, most):
    a, b = (np.fromfile(k, "u1" if kind == "pgm" else kind) for k in ("ours", "theirs"))
    if a.shape != b.shape:
        return False
    a, b = a.astype("f8"), b.astype("f8")
    return np.all((abs(a - b) <= most * np.maximum(1, abs(b))) | (a == b))


def make(side):
    rng = np.random.default_rng(1)
    x = rng.standard_normal((side, side, side), "f4")
    x.tofile("c.raw")
    n = x.size
    t = np.arange(n) / 200
    (1000 * np.cos(t + np.sin(t / 3000)) + 100 * x.ravel()).astype("i2").tofile("s.raw")
    np.savetxt("t.txt", x.ravel()[: n // 32].reshape(-1, 4), "%.6f")
    width = int(n ** 0.5) // 4 * 4
    with open("i.pgm", "wb") as f:
        f.write(b"P5\n%d %d\n255\n" % (width, width))
        f.write((x.ravel()[: width * width] * 40 + 128).astype("u1").tobytes())
    for name, lengths, kind in (("c", (side, side, side), "flt32"), ("l", (n,), "flt32"),
                                ("r", (side, side * side), "flt32"), ("s", (n,), "int16")):
        raw = "s.raw" if name == "s" else "c.raw"
        subprocess.run(["tafcreate", "-q", "-n", ",".join(map(str, lengths)), "-t", kind,
                        "-a", "1=0:1", raw, "-o", name + ".taf"], check=True)


def main(mode):
    side, times = (400, 5) if mode == "full" else (96, 3)
    make(side)
    print(f"| chain | commands | {side}^3 elements: s | MiB | reference | s | MiB | ratio |")
    print("|:---|---:|---:|---:|:---|---:|---:|---:|")
    for name, ours, kind, most, theirs in CHAINS:
        label = "scipy" if kind != "pgm" else "netpbm"
        if kind == "pgm":
            if shutil.which("pamcut") is None:
                continue
        else:
            ours += " | taf2raw"
            theirs = f"{sys.executable} {os.path.abspath(__file__)} reference '{name}' {side}"
        both = [[run(c, f, False)[0] for c, f in ((ours, "ours"), (theirs, "theirs"))]
                for _ in range(times)]
        if not agree(kind, most):
            raise SystemExit(f"chains.py: other results: {name}")
        peaks = [run(c, "/dev/null", True)[1] / 1024 for c in (ours, theirs)]
        a, b = (statistics.median(k) for k in zip(*both))
        print(f"| {name} | {ours.count('|') + 1} | {a:.3f} | {peaks[0]:.0f} | {label} | {b:.3f} |"
              f" {peaks[1]:.0f} | {a / b:.2f} |", flush=True)


if sys.argv[1] == "reference":
    reference(sys.argv[2], int(sys.argv[3]))
else:
    main(sys.argv[1])
