# SPDX-License-Identifier: ISC
"""Commands that compute along a dimension, and what numpy makes of the same arrays: see ops.py."""
import math

import numpy as np

from model import LOST, NAMES, NAN, OLD, Array, draw, exact, grid, listed, near, reduced, some, unless, \
    without, write_rsf

try:
    import scipy.signal as dsp
except ImportError:     # then nothing is filtered
    dsp = None
try:
    from scipy.interpolate import CubicSpline as spline
except ImportError:     # then there are no cubic ones
    spline = None

WINDOWS = 'gauss boxcar hann hamming blackman'.split()


def weights(name, n):
    x = np.linspace(-1, 1, n)
    cosines = {'hann': (0.5, 0.5), 'hamming': (0.54, 0.46), 'blackman': (0.42, 0.5, 0.08)}.get(name, (1,))
    return np.exp(-4.5 * x * x) if name == 'gauss' else sum(
        c * np.cos(k * np.pi * x) for k, c in enumerate(cosines))


def lines(r, A, d, n):
    """What is computed along a dimension, of finite numbers; some within a bound."""
    unless(n < 5 or not all(not a.map and np.isfinite(a.v).all() and
        1e-3 < np.abs(exact(a)).max(initial=0) < 1e6 and sum(a.dims[d][:2]) < 1e9 for a in A))
    pairs = any(a.kind() == 'c' for a in A)
    what = r.choice(('mean', 'smooth --mean 5', 'differentiate --raw', 'differentiate', 'integrate --rule sum',
        'integrate', 'fft', 'back', 'regrid') + (('parts',) if pairs else ('any', 'all', 'argmax --index',
        'smooth --median 3', *MORE)))
    unless(pairs and any(a.kind() != 'c' for a in A))
    o, s, of = *A[0].dims[d][:2], f' -d {d + 1}'
    if what == 'parts':
        return parts(r)
    if callable(what):
        return what(r, A, d, n, abs(s))
    words = f'tafreduce {what}' if what[:3] in ('mea', 'any', 'all', 'arg') else f'taf{what}'
    if what == 'back':
        words = f'taffft{of} | taffft --inverse'
    elif what == 'regrid':
        unless(len(A) > 1)
        words, of = f'tafregrid -a {d + 1}={o + s / 2!r}:{s!r} --size {d + 1}={n - 1}', ''
    def f(a):
        # in longer numbers; how many roundings of the largest value a result may be off
        v, dims, off = exact(a), list(a.dims), math.log2(2 * a.v.shape[d])
        o, s = dims[d][:2]
        if words[:9] == 'tafreduce':
            v = getattr(np, what[:6].strip())(v, axis=d, keepdims=True)
            v = v.astype('u1') if what in ('any', 'all') else v + 1 if what[0] == 'a' else v
            dims = reduced(a, [d])
        elif 'smooth' in what:
            m = int(what[-1])
            v = np.pad(v, [(m // 2 * (k == d),) * 2 for k in range(v.ndim)], 'symmetric')
            v = getattr(np, what[9:-2])(np.lib.stride_tricks.sliding_window_view(v, m, d), -1)
            off *= what[9:-2] == 'mean'
        elif what[-3:] == 'raw':
            v, dims, off = np.diff(v, axis=d), grid(a, d, o + s / 2), 0
        elif what[0] == 'd':
            off *= max(1, np.abs(v).max() / abs(s))
            v = np.gradient(v, s, axis=d, edge_order=2)
            off /= max(np.abs(v).max(), 1e-30)
        elif what[0] == 'i':
            if what[-3:] != 'sum':
                v = (v + np.roll(v, 1, d)) / 2
                v[(slice(None),) * d + (0,)] = 0
            off *= max(1, np.abs(a.v.astype(v.dtype)).sum(d).max() * abs(s))
            v, dims = np.cumsum(v, d) * s, grid(a, d, NAN)
            off /= max(np.abs(v).max(), 1e-30)
        elif what == 'fft':
            v = np.fft.fftshift(np.fft.fft(v, axis=d), d) if pairs else np.fft.rfft(v, axis=d)
            dims = grid(a, d, *LOST)
        elif what == 'regrid':
            v, dims = (v.take(range(n - 1), d) + v.take(range(1, n), d)) / 2, grid(a, d, o + s / 2)
            off *= 1 + n + abs(o / s)       # coordinates are rounded, too
        t = a.real() if v.dtype.kind == 'f' else v.dtype
        t = t if v.dtype.kind != 'c' else 'c8' if a.real() == 'f4' else 'c16'
        off *= np.finfo(t).eps * float(np.abs(v).max()) if v.dtype.kind in 'fc' else 0
        return a.but(v.astype(t), dims=dims, tol=off)
    return words + of, f


def parts(r):
    """What is made of complex elements one by one, and of all."""
    what = r.choice(('real(a)', 'imag(a)', 'conj(a)', 'abs(a)', 'a*2', 'a*a', 'std', 'rms', 'sum', 'cast'))
    if what == 'cast':
        t = r.choice(('complex', 'complex128'))
        return f'tafcast -t {t}', lambda a: near(a, exact(a), *a.dims, t=NAMES[t])
    def f(a):
        v = exact(a)
        if what[:3] in ('std', 'rms', 'sum'):
            v = np.sum(v, keepdims=True) if what == 'sum' else np.sqrt(np.mean(
                np.abs(v - v.mean() * (what == 'std')) ** 2, keepdims=True))
            return near(a, v, *reduced(a, None), off=max(1, np.abs(a.v).sum() / max(np.abs(v).max(), 1e-30)))
        v = {'real(a)': v.real, 'imag(a)': v.imag, 'conj(a)': v.conj(), 'abs(a)': np.abs(v)}.get(
            what, v * (2 if what == 'a*2' else v))
        return near(a, v, *a.dims)
    return f'tafreduce {what}' if what in ('std', 'rms', 'sum') else f"tafmath '{what}'", f


def statistics(r, A, d, n, s):
    ops = r.sample(('median', 'quantile=0.3', 'std', 'var', 'rms', 'range', 'absmax', 'mean'), r.choice((1, 1, 2)))
    m, how, D = r.randint(2, n), r.choice(('', 'every', 'squeeze', 'merge')), some(r, A, d)
    D = [d] if how in ('every', 'squeeze') else D
    unless(how == 'squeeze' and any(a.v.ndim == 1 for a in A))
    unless(how == 'merge' and (len(A) > 1 or any(x[0] in 'mq' and x != 'mean' for x in ops)))
    of = {'median': lambda v, k: np.quantile(v, 0.5, **k), 'quantile=0.3': lambda v, k: np.quantile(v, 0.3, **k),
        'rms': lambda v, k: np.sqrt(np.mean(v * v, **k)), 'range': lambda v, k: np.max(v, **k) - np.min(v, **k),
        'absmax': lambda v, k: np.max(np.abs(v), **k)}
    def f(a):
        v, dims, k = exact(a), reduced(a, D), {'axis': tuple(D), 'keepdims': True}
        if how == 'every':
            v = np.moveaxis(v, d, -1)[..., :a.v.shape[d] // m * m]
            v = np.moveaxis(v.reshape(*v.shape[:-1], -1, m), -2, d)
            k, (o, s, *_) = {'axis': -1}, a.dims[d]
            dims = grid(a, d, o + (m - 1) * s / 2, m * s)
        elif how == 'squeeze':
            k, dims = {'axis': d}, without(a, d)
        v = [of.get(x, lambda v, k: getattr(np, x)(v, **k))(v, k) for x in ops]
        v, dims = (v[0], dims) if len(v) == 1 else (np.stack(v, -1), [*dims, LOST])
        high = np.abs(a.v.astype('f8')).max()
        return near(a, v, *dims, off=max(1, high ** (1 + ('var' in ops)) / max(np.abs(v).max(), 1e-30)))
    words = f'tafreduce {",".join(ops)} -d {listed(D)}'
    return {'every': f'{words} --every {m}', 'squeeze': f'{words} --squeeze', '': words,
        'merge': f'{words} --partial | {words} --merge'}[how], f


def spectra(r, A, d, n, s):
    """Along several dimensions: of the first one there is a half."""
    D = some(r, A, d)
    def f(a):
        v = np.fft.rfft(a.v.astype('f8'), axis=D[0])
        for k in D[1:]:
            v = np.fft.fftshift(np.fft.fft(v, axis=k), k)
        return near(a, v, *(LOST if k in D else x for k, x in enumerate(a.dims)))
    return f'taffft -d {listed(D)}', f


def places(r, A, d, n, s):
    unless(len(A) > 1)
    o, s = A[0].dims[d][:2]
    unless(abs(o) > 1e6)
    x = np.array([r.randint(-2, 8 * n) / 8 for _ in range(r.randint(1, 2 * n))])
    how = r.choice(('nan', 'edge', '7'))
    write_rsf(r.other, [Array(o + x * s)])
    def f(a):
        i = np.clip(np.floor(x).astype(int), 0, n - 2)
        part = (np.clip(x, 0, n - 1) - i).reshape([-1 if k == d else 1 for k in range(a.v.ndim)])
        v = exact(a)
        v = v.take(i, d) * (1 - part) + v.take(i + 1, d) * part
        if how != 'edge':
            v[(slice(None),) * d + ((x < 0) | (x > n - 1),)] = float(how)
        return near(a, v, *grid(a, d, 1.0, 1.0, None, None))
    return f'tafregrid -d {d + 1} --at {r.other} --outside {how}', f


def smoothed(r, A, d, n, s):
    """Sums of windows, once or twice, with what stands beyond the ends."""
    m, how, D = r.choice((3, 5)), r.choice(('mean', 'triangle', 'gauss', 'polynomial', 'kernel')), some(r, A, d)
    edge = r.choice(('reflect', 'zero', 'nan', 'shrink')[:3 if how[0] in 'pk' else 4])
    unless(min(a.v.shape[k] for a in A for k in D) < 5)
    w, word = np.ones(m) / m, m
    if how == 'gauss':
        word = r.choice((0.5, 0.75, 1.0))
        w = np.exp(-0.5 * (np.arange(-int(4 * word), int(4 * word) + 1) / word) ** 2)
        w /= w.sum()
    elif how == 'polynomial':
        order, at = r.randrange(m), np.arange(m) - m // 2
        w, word = np.linalg.pinv(np.vander(at, order + 1, True).astype('f8'))[0], f'{order},{m}'
    elif how == 'kernel':
        w, word = np.array([r.randint(-8, 8) / 8 for _ in range(m)]), r.other
        write_rsf(r.other, [Array(w)])
    h = w.size // 2
    def line(x):
        if edge == 'shrink':
            return np.convolve(x, w)[h:h + x.size] / np.convolve(np.ones(x.size), w)[h:h + x.size]
        k = {'reflect': {'mode': 'symmetric'}, 'zero': {}, 'nan': {'constant_values': NAN}}[edge]
        return np.convolve(np.pad(x, h, **k), w, 'valid')
    def f(a):
        v = exact(a)
        for k in D if how != 'triangle' else [k for k in D for _ in '12']:
            v = np.apply_along_axis(line, k, v)
        return near(a, v, *a.dims, off=np.abs(w).sum() ** len(D) * max(1, np.abs(a.v.astype('f8')).max() / max(
            np.nanmax(np.abs(v), initial=0), 1e-30)))
    return f'tafsmooth --{how} {word} --edge {edge} -d {listed(D)}', f


def spectrum(r, A, d, n, s):
    """What is made of one, of weighted points with zeros behind."""
    unless(any(a.v.shape[d] != n for a in A))
    what, name, wide = r.choice(('amplitude', 'power', 'density', 'phase-origin grid')), r.choice((*WINDOWS, '')), \
        r.random() < 0.3
    more = n + r.randrange(n)
    pad, m = r.choice(((f' --pad {more}', more), (' --pad pow2', 1 << (n - 1).bit_length()), ('', n)))
    w, turned = weights(name, n), what[:5] == 'phase'
    def f(a):
        o, s = a.dims[d][:2]
        unless(turned and o != o)
        v, off = np.fft.rfft(np.moveaxis(a.v.astype('f8'), d, -1) * w, m), 8
        if turned:
            v = v * np.exp(-2j * np.pi * np.arange(m // 2 + 1) / m * (o / s % m))
            off += n * np.abs(a.v.astype('f8')).max() / max(np.abs(v).max(), 1e-30)
        else:
            v = np.abs(v) if what == 'amplitude' else np.abs(v) ** 2
            v[..., 1:(m + 1) // 2] *= 2
            v *= {'amplitude': 1 / w.sum(), 'power': 1 / w.sum() ** 2, 'density': abs(s) / (w @ w)}[what]
        t = None if not wide else 'c16' if turned else 'f8'
        return near(a, np.moveaxis(v, -1, d), *grid(a, d, *LOST), t=t, off=off)
    return f'taffft -d {d + 1}{pad}{name and " --window " + name} --{what}' + ' -t flt64' * wide, f


def regridded(r, A, d, n, s):
    """Onto the grid of another array, a finer one, or from uneven places."""
    unless(len(A) > 1)
    o, s, _, unit = A[0].dims[d]
    unless(abs(o) > 1e6 or unit is None)
    how, x, m = r.choice(('like', 'factor', 'from')), np.arange(n, dtype='f8'), r.randint(2, 2 * n)
    if how == 'from':
        x = np.cumsum([r.randint(1, 16) / 8 for _ in range(n)])
    to = np.arange(m) / 2 + 1 if how != 'factor' else np.arange(2 * n) / 2
    words = f'-a {d + 1}={o + s!r}:{s / 2!r} --size {d + 1}={m} --from {r.other}'
    if how == 'from':
        write_rsf(r.other, [Array(o + x * s)])
    elif how == 'like':
        words = f'--like {r.other} -d {d + 1}'
        write_rsf(r.other, [Array(np.zeros([m if k == d else 1 for k in range(d + 1)]), [OLD] * d + [
            (o + s, s / 2, '', unit)])])
    else:
        words = f'--factor {d + 1}=2'
    method = r.choice(('linear', 'cubic', 'sinc', 'nearest'))
    unless(method == 'cubic' and not spline or method == 'sinc' and how == 'from')
    def line(y):
        if method == 'cubic':
            v = spline(x, y)(to)
        elif method == 'linear':
            v = np.interp(to, x, y)
        elif method == 'nearest':
            v = y[np.array([np.argmin(np.abs(x - p)) for p in to])]
        else:
            k = np.floor(to).astype(int)[:, None] + np.arange(-15, 17)
            part = to[:, None] - k
            w = np.sinc(part) * (0.5 + 0.5 * np.cos(np.pi * part / 16))
            v = (w * np.pad(y, 32, 'symmetric')[np.clip(k, -32, n + 31) + 32]).sum(1) / w.sum(1)
        return np.where((to < x[0]) | (to > x[-1]), NAN, v)
    def f(a):
        v = np.apply_along_axis(line, d, a.v.astype('f8'))
        return near(a, v, *grid(a, d, o + to[0] * s, s / 2), off=(8 + n + abs(o / s)) * max(1, np.abs(
            a.v.astype('f8')).max() / max(np.nanmax(np.abs(v), initial=0), 1e-30)))
    return f'tafregrid {words} --method {method}', f


def analytic(r, A, d, n, s):
    how, part = r.choice((('', lambda v: v), (' --quadrature', np.imag), (' --envelope', np.abs)))
    def f(a):
        k = a.v.shape[d]
        half = np.where(np.arange(k) % (k / 2) == 0, 1, 2) * (np.arange(k) <= k / 2)
        v = np.fft.fft(a.v.astype('f8'), axis=d) * half.reshape([-1 if i == d else 1 for i in range(a.v.ndim)])
        return near(a, part(np.fft.ifft(v, axis=d)), off=max(1, np.abs(a.v.astype('f8')).max()))
    return f'tafhilbert -d {d + 1}{how}', f


def filtered(r, A, d, n, s):
    unless(not dsp or any(abs(a.dims[d][1]) != s for a in A))
    causal, kind = r.random() < 0.5 or n < 40, r.choice(('low', 'high'))
    order, at = r.randint(1, 4), 0.25 / s
    sos = dsp.butter(order, at, {'low': 'high', 'high': 'low'}[kind], fs=1 / s, output='sos')
    do = (lambda v: dsp.sosfilt(sos, v, axis=d)) if causal else lambda v: dsp.sosfiltfilt(sos, v, axis=d)
    return f'taffilter -d {d + 1} --{kind} {at!r} --order {order}' + ' --causal' * causal, \
        lambda a: near(a, do(a.v.astype('f8')), *a.dims, off=8 * max(1, np.abs(a.v.astype('f8')).max()))


def correlated(r, A, d, n, s):
    unless(len(A) > 1)
    a = A[0]
    b = draw(r, a.v.dtype, a.v.shape)
    unless(not np.isfinite(b.v).all() or np.abs(b.v.astype('f8')).max() > 1e6)
    b.map, b.dims = None, [(*x[:2], '', x[3] or '') for x in a.dims]
    unless(any(x != x or u is None for _, x, _, u in a.dims))
    write_rsf(r.other, [b])
    pairs = zip(*(np.moveaxis(x.v.astype('f8'), d, -1).reshape(-1, n) for x in (a, b)))
    v = np.array([np.convolve(x, y[::-1]) for x, y in pairs])
    v = np.moveaxis(v.reshape(*np.delete(a.v.shape, d), -1), -1, d)
    if r.random() < 0.3:
        v /= np.sqrt(np.prod([(x.v.astype('g') ** 2).sum(d, keepdims=True) for x in (a, b)], 0))
        return f'tafcorrelate --normalize -d {d + 1} {{}} {r.other}', [near(a, v, *grid(a, d, -(n - 1) *
            a.dims[d][1], a.dims[d][1], None), off=max(1, 1 / max(np.nanmax(np.abs(v), initial=0), 1e-9)))]
    norm = n * np.abs(a.v.astype('f8')).max() * np.abs(b.v.astype('f8')).max()
    return f'tafcorrelate -d {d + 1} {{}} {r.other}', [near(a, v, *grid(a, d, -(n - 1) * a.dims[d][1],
        a.dims[d][1], None), off=max(1, norm / max(np.abs(v).max(), 1e-9)))]


def spectrogram(r, A, d, n, s):
    m, skip = r.randint(4, n) if n > 4 else 4, r.randint(1, 4)
    def f(a):
        w = np.hanning(m)
        v = np.moveaxis(np.lib.stride_tricks.sliding_window_view(a.v.astype('f8'), m, d), d, -2)[..., ::skip, :]
        v = np.abs(np.fft.rfft(v * w)) ** 2 * abs(a.dims[d][1]) / (w @ w)
        v[..., 1:(m + 1) // 2] *= 2
        return near(a, np.moveaxis(np.moveaxis(v, -2, d), -1, 0), off=8)
    return f'tafspectrogram -d {d + 1} --points {m},{skip}', f


def peaks(r, A, d, n, s):
    many, least, apart, top = r.randint(0, 4), r.choice((None, 0, 2.5)), r.choice((None, 2, 3.5)), r.random() < 0.3
    unless(many == 0 and len(A) > 1)
    def line(x, o, s):
        ends = [0, *(np.flatnonzero(np.diff(x)) + 1), x.size]
        all = sorted((-float(x[i]), (i + j - 1) / 2) for i, j in zip(ends, ends[1:]) if i > 0 and j < x.size and
            x[i] > x[i - 1] and x[i] > x[j] and (least is None or x[i] >= least))
        found = []
        for h, k in all:
            if apart is None or all_apart(k, found):
                found.append((k, -h))
        unless(top and any(k % 1 or x[int(k) - 1] == x[int(k)] for k, _ in found))
        return [(o + k * s, h) for k, h in sorted(parabola(x, int(k)) if top else (k, h)
            for k, h in found[:many or None])]
    def all_apart(k, found):
        return all(abs(k - j) >= apart for j, _ in found)
    def parabola(x, i):
        rise, bend = x[i + 1] - x[i - 1], 2 * x[i] - x[i - 1] - x[i + 1]
        return i + rise / (2 * bend), x[i] + rise ** 2 / (8 * bend)
    def f(a):
        v = np.moveaxis(a.v.astype('f8'), d, -1)
        unless(apart is not None and abs(a.dims[d][1]) != s)
        return table(a, v, d, [line(x, *a.dims[d][:2]) for x in v.reshape(-1, v.shape[-1])], many)
    words = f'tafpeaks -d {d + 1} --count {many}'
    words += f' --minimum={least}' * (least is not None) + ' --parabola' * top
    return words + f' --distance={apart and apart * s!r}' * (apart is not None) + ' | tafcrop -x 1=1:2', f


def table(a, v, d, rows, many):
    """Of lines: the first ones of their places and heights, or all; NaN where there are fewer."""
    many = many or max(map(len, rows), default=0)
    v = np.array([[*x[:many], *[(NAN, NAN)] * (many - len(x))] for x in rows]).reshape(*v.shape[:-1], many, 2)
    return near(a, np.moveaxis(np.moveaxis(v, -1, 0), -1, d + 1), t='f8')


def passages(r, A, d, n, s):
    """Where lines go through a level."""
    many, way, level = r.randint(1, 4), r.choice(('', 'rising', 'falling')), r.choice((None, 0.0, 1.5))
    def line(x, o, s):
        at = (x.min() + x.max()) / 2 if level is None else level
        side = np.flatnonzero(x != at)
        found = []
        for i, j in zip(side, side[1:]):
            if (x[i] < at) != (x[j] < at) and way in ('', 'rising' if x[j] > at else 'falling'):
                found.append((o + s * (i + (at - x[i]) / (x[j] - x[i]) if j == i + 1 else (i + j) / 2), at))
        return found
    def f(a):
        v = np.moveaxis(a.v.astype('f8'), d, -1)
        return table(a, v, d, [line(x, *a.dims[d][:2]) for x in v.reshape(-1, v.shape[-1])], many)
    unless(way == '' and level is None)
    words = ','.join(x for x in (way, '' if level is None else f'level={level}') if x)
    return f'tafpeaks -d {d + 1} --edges={words} --count {many} | tafcrop -x 1=1:2', f


def tone(r, A, d, n, s):
    """One or two of them in a file of its own; what comes is not read."""
    unless(len(A) > 1)
    pairs, many, m, skip = r.random() < 0.3, r.choice((1, 1, 2)), r.randint(64, 300), r.randint(20, 90)
    blocks, name = r.randint(1, 3), r.choice(WINDOWS[1:])
    u = np.arange(m + skip * (blocks - 1)) - (m - 1) / 2
    true, x = [], 0
    for k in range(many):
        f, high, p = r.uniform(0.1, 0.2) + 0.2 * k, r.uniform(1, 4), r.uniform(-3, 3)
        x = x + high * np.exp(1j * (p + 2 * math.pi * f * u))
        true.append([[f, high, (p + 2 * math.pi * f * skip * b + math.pi) % (2 * math.pi) - math.pi]
            for b in range(blocks)])
    unless(any(abs(p) > 3.1 for k in true for _, _, p in k))
    write_rsf(r.other, [Array(x if pairs else x.real)])
    v = np.transpose(true, (2, 0, 1))
    return f'tafcat -o {r.other}.rsf ; taftone --points {m},{skip} --count {many} --window {name} {r.other} | ' \
        'tafcrop -x 1=1:6:1 | tafselect -d 1 --list 1,3,6', [A[0].but(v, map=None, dims=[LOST] * 3, comment=None,
        attrs={}, tol=1e-6)]


MORE = (smoothed, regridded, statistics, spectra, spectrum, places, analytic, filtered, correlated,
    spectrogram, peaks, passages, tone)
