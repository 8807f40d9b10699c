# SPDX-License-Identifier: ISC
"""
How far the intervals of taftone hold: tones and shots that numpy makes, as tables in Markdown.

A shot is the beat of light of 1550 nm from a surface whose velocity is known in closed form.
Errors are against that velocity, or against its mean by the bell of the window where blocks are
longer than what happens.  What the tables have beside them is the theory of the page.
"""
import math
import subprocess
import sys

import numpy as np

WAVE = 1550e-9
STEP = 5e-11
WINDOWS = {
    "hann": lambda x: 0.5 - 0.5 * np.cos(x),
    "hamming": lambda x: 0.54 - 0.46 * np.cos(x),
    "blackman": lambda x: 0.42 - 0.5 * np.cos(x) + 0.08 * np.cos(2 * x),
    "boxcar": np.ones_like,
}
erf = np.vectorize(math.erf)


def normal(x):
    return (1 + erf(x / math.sqrt(2))) / 2


def normal_integral(x):
    return x * normal(x) + np.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def weights(name, n):
    return WINDOWS[name](2 * np.pi * np.arange(n) / (n - 1))


def taftone(x, words, step=1.0):
    """Rows of 9 numbers, one for each block."""
    command = (f"tafcreate -t flt64 -n {x.size} -a 1=0:{step!r} - |"
               f" taftone -q {words} | tafread -b")
    run = subprocess.run(["bash", "-o", "pipefail", "-c", command], check=True,
                         input=np.ascontiguousarray(x, "f8").tobytes(), stdout=subprocess.PIPE)
    return np.frombuffer(run.stdout, "f8").reshape(-1, 9)


def middles(n, skip, blocks, step):
    return step * ((n - 1) / 2 + skip * np.arange(blocks))


def deviation(snr):
    """Of noise beside a tone of amplitude 1, SNR in dB."""
    return math.sqrt(0.5 / 10 ** (snr / 10))


def beat(path, t, shift=0.0):
    return np.cos(4 * np.pi / WAVE * path + 2 * np.pi * shift * t + 0.7)


def coverage(most):
    print("\n| window | points | SNR, dB | z, dB | given | within 1.96 sigma, % | rms / theory |"
          " median sigma / theory |\n|:---|---:|---:|---:|---:|---:|---:|---:|")
    rng = np.random.default_rng(11)
    for name in WINDOWS:
        for n in (128, 256, 512, 1024, 2048):
            w = weights(name, n)
            u = np.arange(n) - (n - 1) / 2
            tones = most if n <= 512 else most // 2
            for snr in (-10, -7.5, -5, -2.5, 0, 10, 20, 40):
                s = deviation(snr)
                z = 10 * math.log10(w.sum() ** 2 / (4 * s * s * (w * w).sum()))
                if z < 11:
                    continue
                f = rng.uniform(0.05, 0.45, tones)
                x = np.cos(2 * np.pi * (f[:, None] * np.arange(n) + rng.random((tones, 1))))
                r = taftone(x + s * rng.standard_normal(x.shape), f"--points {n} --window {name}")
                given = ~np.isnan(r[:, 0])
                error = r[given, 0] - f[given]
                sigma = r[given, 1]
                theory = s * math.sqrt(2 * (w * w * u * u).sum()) / (2 * np.pi * (w * u * u).sum())
                print(f"| {name} | {n} | {snr} | {z:.1f} | {given.mean():.3f} |"
                      f" {100 * np.mean(abs(error) < 1.96 * sigma):.1f} |"
                      f" {math.sqrt(np.mean(error ** 2)) / theory:.3f} |"
                      f" {np.median(sigma) / theory:.3f} |", flush=True)


def shot(name, v, true, sigma):
    given = ~np.isnan(v)
    error = (v - true)[given]
    print(f"| {name} | {v.size} | {100 * given.mean():.2f} | {math.sqrt(np.mean(error ** 2)):.4f} |"
          f" {100 * np.mean(abs(error) < 1.96 * sigma[given]):.1f} |", flush=True)


def smooth(n):
    t = np.arange(n) * STEP
    u = np.maximum(t - 2e-6, 0)
    path = 1500 * (u + 3e-6 * (np.exp(-u / 3e-6) - 1)) + \
        100 * (u - 8e-6 / (2 * np.pi) * np.sin(2 * np.pi * u / 8e-6))
    noise = np.random.default_rng(1).standard_normal(n)
    for snr, counts in ((0, 0), (10, 0), (20, 0), (40, 0), (20, 40), (40, 40)):
        x = beat(path, t) + deviation(snr) * noise
        x = np.round(x * counts) if counts else x
        r = taftone(x, "--points 401,100 --crop .1e9:5e9", STEP)
        at = middles(401, 100, len(r), STEP) - 2e-6
        k = at >= 5e-7
        true = 1500 * (1 - np.exp(-at / 3e-6)) + 100 * (1 - np.cos(2 * np.pi * at / 8e-6))
        shot(f"smooth, {snr} dB" + (", int8" if counts else ""), WAVE / 2 * r[k, 0], true[k],
             WAVE / 2 * r[k, 1])


def shock(seeds):
    n, rise = 40000, 1e-9 / 2.5631
    t = np.arange(n) * STEP
    path = 1000 * rise * normal_integral((t - 1e-6) / rise)
    for points, skip in ((101, 2), (201, 4), (401, 8)):
        rows = []
        for seed in range(seeds):
            noise = np.random.default_rng(seed).standard_normal(n)
            rows.append(taftone(beat(path, t, 2e9) + deviation(20) * noise,
                                f"--points {points},{skip} --crop .5e9:9e9 --noise 5e-13", STEP))
        at = middles(points, skip, len(rows[0]), STEP)
        far = abs(at - 1e-6) > points * STEP / 2 + 2e-9
        r = np.concatenate([x[far] for x in rows])
        shot(f"shock, {points} points, 20 dB", WAVE / 2 * (r[:, 0] - 2e9),
             np.tile(1000 * normal((at[far] - 1e-6) / rise), seeds), WAVE / 2 * r[:, 1])


def ringing(n):
    t = np.arange(n) * STEP
    for period, points in ((40e-9, 401), (80e-9, 401), (200e-9, 401), (20e-9, 201), (40e-9, 201)):
        turn = 2 * np.pi / period
        path = 500 * t + 50 / turn * (1 - np.cos(turn * t))
        noise = np.random.default_rng(points).standard_normal(n)
        r = taftone(beat(path, t) + deviation(20) * noise, f"--points {points},40", STEP)
        at = middles(points, 40, len(r), STEP)
        # the bell: what a block says of a velocity that changes
        u = np.arange(points) - (points - 1) / 2
        bell = np.cumsum((weights("hann", points) * u)[::-1])[::-1]
        places = (u - 0.5) * STEP
        true = sum(g * (500 + 50 * np.sin(turn * (at + q)))
                   for g, q in zip(bell / bell.sum(), places))
        shot(f"ringing, {period * 1e9:.0f} ns, {points} points, 20 dB", WAVE / 2 * r[:, 0], true,
             WAVE / 2 * r[:, 1])


def baseline(n, seeds):
    t = np.arange(n) * STEP
    u = np.maximum(t - 2e-6, 0)
    path = 800 * (u + 2e-6 * (np.exp(-u / 2e-6) - 1))
    for snr in (10, 20):
        rows = []
        for seed in range(seeds):
            rng = np.random.default_rng(seed)
            still = np.where(t < 3e-6, 2, 1) * np.cos(2 * np.pi * (1.5e9 * t + rng.random()))
            x = np.where(t < 2e-6, 0, beat(path, t, 1.5e9)) + still
            rows.append(taftone(x + deviation(snr) * rng.standard_normal(n),
                                "--points 401,100 --crop 1e9:4e9 --known 1.5e9", STEP))
        at = middles(401, 100, len(rows[0]), STEP)
        whole = (abs(at - 3e-6) > 401 * STEP / 2) & (at > 2e-6 + 401 * STEP / 2)
        true = 800 * (1 - np.exp(-np.maximum(at - 2e-6, 0) / 2e-6))
        for low, high in ((10, 39), (39, 78), (78, 155), (155, 800)):
            k = whole & (true >= low) & (true < high)
            r = np.concatenate([x[k] for x in rows])
            shot(f"beside a line, {low} to {high} m/s, {snr} dB", WAVE / 2 * (r[:, 0] - 1.5e9),
                 np.tile(true[k], seeds), WAVE / 2 * r[:, 1])


quick = sys.argv[1] == "quick"
coverage(1000 if quick else 10000)
print("\n| shot | blocks | given, % | rms, m/s | within 1.96 sigma, % |\n"
      "|:---|---:|---:|---:|---:|")
smooth(10 ** 5 if quick else 10 ** 6)
shock(2 if quick else 20)
ringing(40000 if quick else 400000)
baseline(500000, 1 if quick else 8)
