# SPDX-License-Identifier: ISC
"""Arrays of TAF files and RSF streams in numpy, and pipelines of taftools.  taf-python(7) is the manual."""
import io
import math
import os
import re
import secrets
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import warnings
from fractions import Fraction

import numpy as np

__all__ = ['Array', 'Died', 'Error', 'Remark', 'RunError', 'Truncated', 'arrays', 'open',
           'read', 'run', 'save', 'write', 'writer']


class Error(ValueError):
    """The data are wrong."""


class Truncated(Error, EOFError):
    """The data end early."""


class Died(Truncated):
    """Each array is whole, but what was announced behind the last is missing."""


class Remark(UserWarning):
    """What a command has said on standard error, though it was content."""


class RunError(Error, subprocess.CalledProcessError):
    """A stage of a pipeline has failed; cmd, returncode and stderr are its own."""

    def __init__(self, returncode, cmd, stderr):
        subprocess.CalledProcessError.__init__(self, returncode, cmd, None, stderr)

    def __str__(self):
        how = 'signal %d' % -self.returncode if self.returncode < 0 else \
            'status %d' % self.returncode
        return '%s (%s of %s)' % (self.stderr.strip() or 'no message', how,
                                  ' '.join(map(os.fsdecode, self.cmd)))


# --- element types, numbers and text ---

# name of TAF, dtype, name of RSF, name that Madagascar leaves of that
_TYPES = (('int8', 'i1', 'char'), ('uint8', 'u1', 'uchar'), ('int16', 'i2', 'short'),
          ('uint16', 'u2', 'ushort'), ('int32', 'i4', 'int'), ('uint32', 'u4', 'uint'),
          ('int64', 'i8', 'long'), ('uint64', 'u8', 'ulong'), ('flt32', 'f4', 'float'),
          ('flt64', 'f8', 'double'), ('complex', 'c8', 'complex'),
          ('complex128', 'c16', None))
_NAMED = {t: np.dtype(d) for t, d, _ in _TYPES}
_NAMED.update(float32=np.dtype('f4'), single=np.dtype('f4'), float64=np.dtype('f8'),
              double=np.dtype('f8'))
_RSF = {r.encode(): np.dtype(d) for _, d, r in _TYPES if r}
_RSF[b'byte'] = np.dtype('u1')
_NAME_OF = {np.dtype(d): t for t, d, _ in _TYPES}
_RSF_OF = {np.dtype(d): r or 'double' for _, d, r in _TYPES}

_MOST_DIM = 64
_MOST_SET = 12000               # attributes, set again or for the first time
_MOST_ATTRS = 10000
_NEITHER = 'neither TAF nor RSF: taf.run(["taf", "crop", name]) reads other formats'
_MOST_TEXT = 64 << 20           # bytes of a header, or behind the data of a TAF file
_LINE = 4000
_BLOCK = 1 << 20
_TOKEN = 512                    # no number in text is longer

_FLOAT = rb'[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|(?i:infinity|inf|nan))'
_float = re.compile(_FLOAT)
_number_list = re.compile(rb'(?:\d+[x*])?%s(?:,(?:\d+[x*])?%s)*' % (_FLOAT, _FLOAT))
_python_number = re.compile(rb'-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?')
_not_plain = re.compile(rb'[\x00-\x1f\x7f"%]')
_not_plain_key = re.compile(rb'[\x00-\x20\x7f"%=@]')
_escaped = re.compile(rb'%([0-9a-fA-F]{2})')
_scoped = re.compile(rb'(.+)@(c?)([1-9]\d*)', re.S)
_dim_key = re.compile(rb'(n|o|d|label|unit)([1-9]\d*)')
_history_line = re.compile(rb'[^\s=]+(?:\s|\Z)')
_word = re.compile(rb'(?:[^\s"]+|"[^"]*(?:"|\Z))+')
_before_equals = re.compile(rb'(?:[^"=]+|"[^"]*")*')
_block_lines = re.compile(rb'(?:[^\x00-\x20\x7f"=]+=[^\n\x00]*(?:\n|\Z))*')
_tail_blanks = re.compile(rb'\s*')


def _text(b):
    return b.decode('utf-8', 'surrogateescape')


def _raw(s):
    return s.encode('utf-8', 'surrogateescape')


def _u64(b):
    """The number that all of b is, or None."""
    if not b.isdigit() or len(b) > 4000:
        return None
    v = int(b)
    return v if v < 1 << 64 else None


def _f64(b):
    return float(b) if _float.fullmatch(b) else None


def _shortest(x):
    s = repr(float(x))
    return s[:-2] if s.endswith('.0') else s


def _escape(b, key=False):
    return (_not_plain_key if key else _not_plain).sub(lambda m: b'%%%02X' % m[0][0], b)


def _unescape(b, key=False):
    def byte(m):
        c = bytes((int(m[1], 16),))
        return c if key or _not_plain.match(c) else m[0]
    return _escaped.sub(byte, b) if b'%' in b else b


def _unquoted(b):
    """The text between the first and the last quote, or all of it where there are none."""
    if b is None or b'"' not in b:
        return b
    return b[b.index(b'"') + 1:max(b.rindex(b'"'), b.index(b'"') + 1)]


def _value(b, bare):
    """An attribute as Python has it."""
    m = _python_number.fullmatch(b) if bare and len(b) < 4000 else None
    if m and not (m[2] or m[3]):
        return int(b)
    if m and math.isfinite(float(b)):
        return float(b)
    return _text(b)


def _shown(b):
    return _text(b[:60])


# --- an array ---

_OF_DIM = {'start': 1.0, 'step': 1.0, 'label': '', 'unit': ''}
_FACTS = ('start', 'step', 'label', 'unit', 'mapping', 'comment', 'attrs', 'dim_attrs',
          'code')


def _storable(a):
    """a as a numpy array of a type that a file has."""
    if isinstance(a, np.ma.MaskedArray) and np.ma.is_masked(a):
        raise TypeError('a masked array: use .filled(value)')
    a = a if isinstance(a, np.ndarray) else np.asarray(a)
    if a.dtype == np.bool_:
        a = a.view(np.uint8)
    if a.dtype.newbyteorder('=') not in _NAME_OF:
        raise TypeError('%s elements have no place in a file: use %s' % (a.dtype, {
            'f': 'a.astype("f4") or a.astype("f8")', 'c': 'a.astype("c16")',
            'M': 'a.astype("i8") and an attribute', 'm': 'a.astype("i8") and a unit',
        }.get(a.dtype.kind, 'a.astype(...) to a number')))
    if a.ndim == 0:
        raise ValueError('an array of no dimension: use a.reshape(1)')
    return a


def _tuple_of(name, given, ndim):
    if isinstance(given, (str, bytes)) or not hasattr(given, '__len__'):
        raise ValueError('%s: not one entry for each dimension: %r' % (name, given))
    if len(given) != ndim:
        raise ValueError('%s has %d entries, the array %d dimensions' % (
            name, len(given), ndim))
    return tuple(given)


def _check_attr(key, value):
    if not isinstance(key, str) or not key or '\0' in key or \
            len(_escape(_raw(key), True)) > _LINE // 2 - 20:
        raise ValueError('%.60r: no name of an attribute' % (key,))
    if not isinstance(value, (str, int, float, np.integer, np.floating)):
        raise TypeError('attribute %s: %s is neither str, int nor float' % (
            key, type(value).__name__))
    if isinstance(value, str) and '\0' in value:
        raise ValueError('attribute %s: its value holds a NUL' % key)


class Array:
    """An array of numbers and its facts: grid, labels, units, mapping, comment, attributes."""

    def __init__(self, stored, **facts):
        if isinstance(stored, Array):
            self.__dict__.update(stored.__dict__)
            self.attrs = dict(stored.attrs)
            self.dim_attrs = tuple(map(dict, stored.dim_attrs))
        else:
            self._begin(_storable(stored), None)
        self._update(facts)

    def _begin(self, stored, elements):
        of = stored if elements is None else elements
        self._stored, self._elements = stored, elements
        self.shape, self.dtype = tuple(of.shape), of.dtype
        self.offset = None
        for name, default in _OF_DIM.items():
            setattr(self, name, (default,) * self.ndim)
        self.mapping, self.comment, self.code = None, '', 0
        self.attrs, self.dim_attrs = {}, tuple({} for _ in self.shape)
        return self

    def _update(self, facts):
        for name, v in facts.items():
            if name not in _FACTS:
                raise TypeError('%s: not one of %s' % (name, ' '.join(_FACTS)))
            setattr(self, name, v)
        self._settle(facts)

    def _settle(self, facts=_FACTS):
        """Give the facts of these names their types, or refuse them."""
        for name in set(facts) & {'start', 'step', 'label', 'unit', 'dim_attrs'}:
            v = _tuple_of(name, getattr(self, name), self.ndim)
            if name in ('start', 'step'):
                v = tuple(map(float, v))
            elif name != 'dim_attrs' and not all(isinstance(x, str) and '\0' not in x
                                                 for x in v):
                raise ValueError('%s: not text: %r' % (name, v))
            setattr(self, name, v)
        if 'step' in facts and not all(d != 0 and math.isfinite(d) for d in self.step):
            raise ValueError('a step of 0 or not finite: %r' % (self.step,))
        if 'mapping' in facts and self.mapping is not None:
            a, b = map(float, self.mapping)
            self.mapping = (a, b) if math.isfinite(a) and math.isfinite(b) else None
            if self.mapping and self.dtype.kind == 'c':
                raise ValueError('complex elements with a mapping')
        if 'comment' in facts and not isinstance(self.comment, str):
            raise ValueError('comment: not text: %r' % (self.comment,))
        if 'code' in facts and not 0 <= int(self.code) <= 255:
            raise ValueError('code: not 0 to 255: %r' % (self.code,))
        for d in (self.attrs,) * ('attrs' in facts) + tuple(self.dim_attrs) * (
                'dim_attrs' in facts):
            for key, value in d.items():
                _check_attr(key, value)

    @property
    def stored(self):
        if self._stored is None:
            self._stored = self._elements.all()
        return self._stored

    def _physical(self, x):
        if self.mapping is None:
            return x
        with np.errstate(all='ignore'):
            y = np.multiply(x, self.mapping[1], dtype=np.float64)
            return np.add(y, self.mapping[0], dtype=np.float64)

    @property
    def values(self):
        return self._physical(self.stored)

    def __getitem__(self, key):
        part = getattr(self._elements, 'part', None)
        return self._physical(part(key) if self._stored is None and part else
                              self.stored[key])

    def __array__(self, dtype=None, copy=None):
        v = np.asarray(self.values) if dtype is None else np.asarray(self.values, dtype)
        return np.array(v) if copy else v

    def __len__(self):
        return self.shape[0]

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        return math.prod(self.shape)

    def __repr__(self):
        return '<taf.Array %s %s%s>' % (self.dtype, ' x '.join(map(str, self.shape)),
                                        ' mapped' if self.mapping else '')

    def _axis(self, k):
        if isinstance(k, str):
            if k == '' or k not in self.label:
                raise KeyError(k)
            return self.label.index(k)
        if not -self.ndim <= k < self.ndim:
            raise IndexError('axis %d of an array of %d dimensions' % (k, self.ndim))
        return k % self.ndim

    def coords(self, k):
        k = self._axis(k)
        return self.start[k] + np.arange(self.shape[k]) * self.step[k]

    def slabs(self, n):
        if n < 1:
            raise ValueError('slabs of %d points' % n)
        part = self._elements.slabs(n) if self._stored is None else (
            self._stored[..., i:i + n] for i in range(0, self.shape[-1], n))
        for i, p in enumerate(part):
            a = Array(self)
            a._stored, a._elements, a.shape, a.offset = p, None, p.shape, None
            a.start = self.start[:-1] + (self.start[-1] + i * n * self.step[-1],)
            yield a


# --- bytes that come ---

class _In:
    """The bytes of a binary file object, which may come in parts of any size."""

    def __init__(self, file, name):
        self.file, self.name = file, name
        self.get = getattr(file, 'read1', None) or file.read
        self.buf, self.at, self.ended = b'', 0, False
        self.stat = self.size = None
        try:
            st = os.fstat(file.fileno())
            if stat.S_ISREG(st.st_mode) and file.seekable():
                self.stat, self.pos = st, file.tell()
                self.size = st.st_size
        except (AttributeError, OSError, ValueError):
            pass
        if self.size is None:
            self.pos = 0

    def fail(self, kind, what, *numbers):
        return kind('%s: %s' % (self.name, what % numbers))

    def come(self, n):
        """The next bytes of the file, n at most; none at the end."""
        b = b'' if self.ended else self.get(n)
        if b is None:
            raise BlockingIOError('%s: nothing to read yet' % self.name)
        if not isinstance(b, (bytes, bytearray, memoryview)):
            raise TypeError('%s: not a binary file' % self.name)
        self.ended = not b
        return b

    def more(self, n):
        """Fill an empty buffer; False at the end."""
        self.buf, self.at = bytes(self.come(n)), 0
        return self.buf != b''

    def there(self):
        return len(self.buf) - self.at

    def peek(self, n):
        """At least n bytes, fewer at the end; not taken."""
        if self.there() < n:
            parts, have = [self.buf[self.at:]], self.there()
            while have < n and (b := self.come(max(n - have, 1 << 16))):
                parts.append(b)
                have += len(b)
            self.buf, self.at = b''.join(parts), 0
        return self.buf[self.at:] if self.at else self.buf

    def take(self, n):
        self.at += n
        self.pos += n

    def left(self):
        """What a regular file still holds."""
        return max(self.size - self.pos, 0)

    def into(self, view):
        """Fill it, as far as there is something; how many bytes came."""
        done = min(self.there(), len(view))
        view[:done] = self.buf[self.at:self.at + done]
        self.take(done)
        fill = getattr(self.file, 'readinto', None)
        while done < len(view) and not self.ended:
            if fill and len(view) - done > 1 << 16:
                n = fill(view[done:done + _BLOCK])
                if n is None:
                    raise BlockingIOError('%s: nothing to read yet' % self.name)
                self.ended = n == 0
            else:
                self.more(1 << 16)
                n = min(self.there(), len(view) - done)
                view[done:done + n] = self.buf[:n]
                self.at = n
            self.pos += n
            done += n
        return done

    def skip(self, n):
        """Pass over n bytes; how many there were."""
        if self.size is not None and n > self.there():
            n = min(n, self.left())
            self.seek(self.pos + n)
            return n
        left = n
        while left and (self.there() or self.more(_BLOCK)):
            part = min(left, self.there())
            self.take(part)
            left -= part
        return n - left

    def seek(self, to):
        self.file.seek(to)
        self.buf, self.at, self.pos, self.ended = b'', 0, to, False

    def map(self, dtype, offset, shape):
        a = np.memmap(self.file, dtype, 'r', offset, shape, 'F')
        # numpy has gone to the end of the file
        self.seek(self.pos)
        return a

    def blanks(self):
        while self.peek(1):
            n = _tail_blanks.match(self.buf, self.at).end() - self.at
            self.take(n)
            if self.there():
                return

    def unchanged(self):
        if self.stat is None:
            return
        now = os.fstat(self.file.fileno())
        if (now.st_size, now.st_mtime_ns) != (self.stat.st_size, self.stat.st_mtime_ns):
            raise self.fail(Error, 'changed while it was read')


def _spooled(src):
    """What follows, in a nameless temporary file."""
    f = tempfile.TemporaryFile()
    while src.there() or src.more(_BLOCK):
        f.write(src.buf[src.at:])
        src.take(src.there())
    f.seek(0)
    return _In(f, src.name)


class _Elements:
    """The elements of one array, on their way in: storage order, dtype as in the file."""

    def __init__(self, src, shape, dtype):
        self.src, self.shape, self.stored = src, shape, dtype
        self.dtype = dtype.newbyteorder('=')
        self.left = math.prod(shape)
        self.offset = src.pos if src.size is not None else None
        self.used = self.dead = False

    def check(self, where):
        nbytes = self.left * self.dtype.itemsize
        if self.src.size is not None and nbytes > self.src.left():
            raise self.src.fail(Truncated, '%s: data of %d bytes, but %d are there', where,
                                nbytes, self.src.left())

    def short(self, n, got):
        size = self.dtype.itemsize
        return self.src.fail(Truncated, 'data of %d bytes, but %d are there',
                             math.prod(self.shape) * size,
                             (math.prod(self.shape) - self.left) * size + got)

    def begin(self):
        if self.dead:
            raise self.src.fail(Error, 'the array was passed over: read it before the next one')
        if self.used:
            raise self.src.fail(Error, 'the elements of a stream are read once')
        self.used = True

    def empty(self, shape):
        """Room, or None where there is none: then the data may be short as well."""
        try:
            return np.empty(shape, self.stored, 'F')
        except (MemoryError, ValueError):
            n = math.prod(shape) * self.dtype.itemsize
            got = self.src.skip(n)
            if got < n:
                raise self.short(n, got) from None
            raise

    def take(self, shape):
        """The next elements, as an array of that shape."""
        a = self.empty(shape)
        if a.size:
            got = self.src.into(memoryview(a.reshape(-1, order='F').view('u1')))
            if got < a.nbytes:
                raise self.short(a.nbytes, got)
        self.left -= a.size
        return a if self.stored.isnative else a.astype(self.dtype)

    def all(self):
        self.begin()
        return self.take(self.shape)

    def slabs(self, n):
        self.begin()
        for i in range(0, self.shape[-1], n):
            if self.dead:
                raise self.src.fail(Error, 'the array was passed over')
            yield self.take(self.shape[:-1] + (min(n, self.shape[-1] - i),))

    def lines(self, n):
        """All elements, n at a time."""
        self.begin()
        while self.left:
            yield self.take((min(n, self.left),))

    def drop(self):
        n = self.left * self.dtype.itemsize
        got = self.src.skip(n)
        if got < n:
            raise self.short(n, got)
        self.left, self.dead = 0, True

    def end(self, stream):
        """Is what stands behind the last element right?"""
        self.src.unchanged()

    def mapped(self):
        """All of them, mapped; those of no size or in text are memory."""
        if not math.prod(self.shape):
            a = np.empty(self.shape, self.stored, 'F')
            a.flags.writeable = False
            return a
        return self.src.map(self.stored, self.offset, self.shape)


class _Planes(_Elements):
    """Complex elements of a TAF file: all real parts, then all imaginary ones; a regular file."""

    def __init__(self, src, shape, dtype):
        _Elements.__init__(self, src, shape, dtype)
        n, part = self.left, np.dtype('<f%d' % (dtype.itemsize // 2))
        both = src.map(part, src.pos, (2 * n,)) if n else np.empty(0, part)
        self.parts = both[:n], both[n:]

    def join(self, re_, im):
        a = np.empty(re_.shape, self.dtype, 'F')
        a.real, a.imag = re_, im
        return a

    def part(self, key):
        re_, im = (p.reshape(self.shape, order='F')[key] for p in self.parts)
        return self.join(re_, im) if isinstance(re_, np.ndarray) else \
            self.dtype.type(complex(re_, im))

    def begin(self):
        # a file can be read again
        if self.dead:
            _Elements.begin(self)
        self.left = len(self.parts[0])

    def cut(self, first, shape):
        n = math.prod(shape)
        return self.join(*(p[first:first + n].reshape(shape, order='F')
                           for p in self.parts))

    def take(self, shape):
        a = self.cut(len(self.parts[0]) - self.left, shape)
        self.left -= a.size
        return a

    def slabs(self, n):
        self.begin()
        inner = math.prod(self.shape[:-1])
        for i in range(0, self.shape[-1], n):
            yield self.cut(i * inner, self.shape[:-1] + (min(n, self.shape[-1] - i),))

    def drop(self):
        self.left, self.dead = 0, True

    def mapped(self):
        return None


class _Text(_Elements):
    """Elements as text, with blanks between."""

    def check(self, where):
        if self.src.size is not None and self.left > self.src.left() // 2 + 1:
            raise self.src.fail(Truncated, '%s: text of %d numbers in %d bytes', where,
                                self.left, self.src.left())

    def number(self, b):
        """A float of the type, or None where it is none or too large."""
        if self.dtype.itemsize // (1 + (self.dtype.kind == 'c')) == 8:
            x = float(b)
        else:
            x = _f32(b)
        return None if math.isinf(x) and b.lstrip(b'+-')[:1] in b'.0123456789' else x

    def one(self, b):
        """The element at the begin of b, and its length."""
        if self.dtype.kind == 'c':
            return self.pair(b)
        b = b.split(None, 1)[0]
        if self.dtype.kind == 'f':
            return self.number(b) if _float.fullmatch(b) else None, len(b)
        digits = b[1:] if self.dtype.kind == 'i' and b[:1] in (b'-', b'+') else b
        v = _u64(digits)
        if v is None:
            return None, 0
        v, span = -v if b[:1] == b'-' else v, np.iinfo(self.dtype)
        return v if span.min <= v <= span.max else None, len(b)

    def pair(self, b):
        m = _float.match(b)
        if not m or b[m.end():m.end() + 1] not in (b'', b' ', b'+', b'-', b'\t', b'\n',
                                                   b'\v', b'\f', b'\r'):
            return None, 0
        i = _float.match(b, _tail_blanks.match(b, m.end()).end())
        if not i:
            return None, 0
        behind = b[i.end():i.end() + 1]
        if behind != b'i' if self.dtype.itemsize == 8 else behind and not behind.isspace():
            return None, 0
        x, y = self.number(m[0]), self.number(i[0])
        if x is None or y is None:
            return None, 0
        return complex(x, y), i.end() + (self.dtype.itemsize == 8)

    def values(self, n):
        src = self.src
        for _ in range(n):
            src.blanks()
            src.peek(2 * _TOKEN)
            b = src.buf[src.at:src.at + 2 * _TOKEN]
            if not b:
                raise src.fail(Truncated, 'the text ends after %d values of %d',
                               math.prod(self.shape) - self.left, math.prod(self.shape))
            v, used = self.one(b)
            if v is None or used > _TOKEN:
                raise src.fail(Error, 'offset %d: no %s: %s', src.pos,
                               _NAME_OF[self.dtype], _text(b[:20]))
            src.take(used)
            self.left -= 1
            yield v

    def take(self, shape):
        n = math.prod(shape)
        # it grows: there may be fewer than a header says
        return np.fromiter(self.values(n), self.dtype).reshape(shape, order='F')

    def drop(self):
        for _ in self.values(self.left):
            pass
        self.dead = True

    def end(self, stream):
        self.src.blanks()
        if stream is not self.src:
            self.src.unchanged()
            _remark_longer(self.src)
            stream.blanks()

    def mapped(self):
        return self.all()


def _f32(b):
    """The float of 32 bits that is nearest to a number in text, as a double."""
    d = float(b)
    with np.errstate(all='ignore'):
        f = np.float32(d)
        other = np.nextafter(f, np.float32(math.copysign(math.inf, d - float(f))))
    top = 3.4028235677973366e38         # between the largest one and infinity
    tie = abs(d) == top if math.isinf(f) and not math.isinf(d) else \
        d != float(f) and d - float(f) == float(other) - d
    if not tie:
        return float(f)
    # the double is in the middle of two: what it came from may be on either side
    exact = Fraction(b.decode())
    low, high = sorted((float(f), float(other)))
    if math.isinf(f):
        return math.copysign(3.4028234663852886e38, d) if abs(exact) < abs(d) else float(f)
    return float(f) if exact == d else low if exact < d else high


def _remark_longer(src):
    if src.left():
        warnings.warn('%s: in= names a file with %d bytes more than the header says' % (
            src.name, src.left()), Remark, stacklevel=4)


# --- headers: what they say of an array ---

class _Facts:
    """An array as a header describes it; what Array gets of it, and where the elements are."""

    def __init__(self):
        self.dtype, self.n, self.start, self.step = None, [], [], []
        self.mapping, self.code, self.comment = None, 0, b''
        self.attrs = {}                 # (key, scope, index): (value, bare); scope '', 'd', 'c'

    def set_attr(self, key, scope, value, bare=False):
        if b'\0' in key:
            raise Error('an attribute\'s name holds a NUL')
        if not key:
            raise Error('an attribute without a name')
        if b'\0' in value:
            raise Error('attribute %s: its value holds a NUL' % _shown(key))
        if (key,) + scope not in self.attrs and len(self.attrs) >= _MOST_ATTRS:
            raise Error('more than %d attributes' % _MOST_ATTRS)
        self.attrs[(key,) + scope] = value, bare

    def check(self):
        n, empty = self.dtype.itemsize, 0 in self.n
        if self.dtype.kind == 'c' and self.mapping:
            raise Error('complex elements with a mapping')
        for k, length in enumerate(self.n):
            n *= 1 if empty else length
            if max(n, length) > 1 << 62:
                raise Error('dimension %d: length %d makes the array too large' % (
                    k + 1, length))

    def renumber(self, to):
        """Attributes of dimension k become those of to(k), or of none (0)."""
        old, self.attrs = self.attrs, {}
        for (key, scope, k), v in old.items():
            if scope == 'd':
                k = to(k)
            if scope != 'd' or k:
                self.attrs[key, scope, k] = v

    def array(self, elements):
        if len(self.n) > 32:
            try:
                np.empty((1,) * len(self.n))
            except ValueError:
                raise Error('%d dimensions: more than numpy has' % len(self.n)) from None
        if math.prod(n or 1 for n in self.n) * self.dtype.itemsize > sys.maxsize:
            raise Error('dimensions of %s: larger than numpy has' % self.n)
        a = Array.__new__(Array)._begin(None, elements)
        a.start, a.step = tuple(self.start), tuple(self.step)
        a.mapping, a.code, a.comment = self.mapping, self.code, _text(self.comment)
        dims = {'label': list(a.label), 'unit': list(a.unit)}
        for (key, scope, k), (value, bare) in self.attrs.items():
            name = _text(key)
            if scope == 'd' and k <= a.ndim:
                if name in dims:
                    dims[name][k - 1] = _text(value)
                else:
                    a.dim_attrs[k - 1][name] = _value(value, bare)
            else:
                a.attrs[name + {'': '', 'd': '@%d', 'c': '@c%d'}[scope] % (
                    (k,) if scope else ())] = _value(value, bare)
        a.label, a.unit = tuple(dims['label']), tuple(dims['unit'])
        return a


def _scope(key):
    """The name of an attribute, and of what it is: of the array, a dimension, a component."""
    m = _scoped.fullmatch(key)
    k = _u64(m[3]) if m else None
    if k is None or k > (1000000 if m[2] else _MOST_DIM):
        return key, ('', 0)
    return m[1], ('c' if m[2] else 'd', k)


def _code_fits(code, n, is_complex):
    """Does the type code go with the array as a TAF file has it?"""
    n = _file_shape(n, is_complex)
    while len(n) > 2 and n[-1] == 1:
        n = n[:-1]
    return code not in (1, 2, 3) or len(n) == 2 or (code == 3 and len(n) == 3)


def _file_shape(n, is_complex):
    n = list(n) + [1] * (len(n) == 1)
    if is_complex:
        n[len(n):] = [2]
        if len(n) == 3 and n[1] == 1:
            del n[1]
    return n


# --- headers: RSF ---

_MOVERS = (b'sfcp', b'sfmv', b'sfput', b'sfwindow', b'sftransp', b'sfreverse', b'sfrotate',
           b'sfspray', b'sfheaderwindow', b'sfheadersort', b'sfget', b'sfin')
_KEEP_PAIRS = _MOVERS[:4]
_PAIRS = b'real, imaginary'             # the label of their dimension
_PLAIN = (b'in', b'data_format', b'esize', b'taf_format', b'taf_intercept', b'taf_slope',
          b'taf_order', b'taf_code', b'taf_next', b'taf_end')
_END = b'\f\f\004'
_TAIL = b'\tin="stdin"\n\n\f\f\004'


def _pairs(line):
    """The key=value words of a line that is no history; (None, None) for an open string."""
    for m in _word.finditer(line):
        if m[0].count(b'"') % 2:
            yield None, None
            return
        n = _before_equals.match(m[0]).end()
        if 0 < n < len(m[0]) and b'"' not in m[0][:n]:
            yield m[0][:n], m[0][n + 1:]


class _Header(_Facts):
    """A header of RSF, without its terminator."""

    def __init__(self, text):
        _Facts.__init__(self)
        self.keys, self.lengths, self.grid = {}, {}, {}
        self.foreign = self.ours = self.known = self.again = self.ends = False
        self.between = self.moved = None
        self.comments, self.sets = None, 0
        self.attr = self.last = None    # what taf_more continues: [key, scope, value, bare]
        if b'\0' in text:
            raise Error(_NEITHER)
        for line in text.split(b'\n'):
            if _history_line.match(line):
                self.note_program(line)
                continue
            for key, value in _pairs(line):
                if key is None:
                    raise Error('header: unterminated string: %s' % _shown(line))
                self.put(key, value)
        self.flush()
        self.comment = b'\n'.join(self.comments or ())
        if b'taf_end' in self.keys:
            self.settle_end()
        else:
            self.settle()

    def bad(self, key, what, value):
        return Error('header: %s: %s: %s' % (_shown(key), what, _shown(value)))

    def get(self, key):
        return _unquoted(self.keys.get(key))

    def flush(self):
        if self.attr:
            key, scope, value, bare = self.attr
            self.attr = None
            self.set_attr(key, scope, value, bare)

    def note_program(self, line):
        if not self.ours:
            return
        self.foreign = True
        if not self.known:
            return
        words = line.split(b'\t')
        name = words[1] if len(words) > 2 else line
        mover = len(words) > 2 and name in _MOVERS
        if self.moved is None and not (mover and name in _KEEP_PAIRS):
            self.moved = name
        if self.between is None and not mover:
            self.between = name

    def put(self, key, value):
        self.known = self.known or (len(key) > 4 and key.startswith(b'taf_'))
        self.ours = self.ours or self.known or key == b'data_format'
        if key == b'taf_more':
            return self.put_more(_unquoted(value))
        self.last = None
        self.flush()
        if key == b'taf_comment':
            self.comments = self.comments or []
            self.comments.append(_unescape(_unquoted(value)))
            self.last = self.comments
            return None
        if key in _PLAIN:
            return self.put_plain(key, value)
        m = _dim_key.fullmatch(key)
        k = _u64(m[2]) if m else None
        k = k if k and k <= _MOST_DIM else 0
        if m and m[1] == b'n' and not k:
            raise self.bad(key, 'more than %d dimensions' % _MOST_DIM, value)
        if m and k and m[1] in (b'n', b'o', b'd'):
            return self.put_dim(key, m[1], k, value)
        self.sets += 1
        if self.sets > _MOST_SET:
            raise Error('header: more than %d keys' % _MOST_SET)
        if m and k:
            self.set_attr(m[1], ('d', k), _unquoted(value))
        else:
            name, scope = _scope(key)
            v = _unquoted(value)
            bare = b'"' not in value and v != b'' and not _not_plain.search(v)
            self.attr = [_unescape(name, True), scope, _unescape(v), bare]
        return None

    def put_more(self, value):
        if self.last is not None:
            self.last[-1] += _unescape(value)
        elif self.attr:
            self.attr[2] += _unescape(value)
            self.attr[3] = False
        else:
            raise self.bad(b'taf_more', 'nothing to continue', value)

    def put_plain(self, key, value):
        # a program in between writes data_format behind ours again, but never taf_order
        self.again = self.again or (key == b'data_format' and key in self.keys and
                                    b'in' in self.keys and 1 in self.lengths)
        if key == b'taf_order' and (self.again or (key in self.keys and
                                                   b'in' in self.keys)):
            raise Error('header: another header follows, and nothing ends this one')
        self.keys[key] = value

    def put_dim(self, key, what, k, value):
        v = _u64(value) if what == b'n' else _f64(value)
        if v is None:
            raise self.bad(key, 'not a length' if what == b'n' else 'not a number', value)
        if what == b'n':
            self.lengths[k] = v
        else:
            self.grid[what, k] = v

    def settle_end(self):
        self.ends, self.here = True, True
        self.count = _u64(self.keys[b'taf_end'])
        if self.count is None:
            raise self.bad(b'taf_end', 'not a number of arrays', self.keys[b'taf_end'])
        if self.lengths or b'data_format' in self.keys or \
                self.get(b'in') not in (None, b'stdin'):
            raise self.bad(b'taf_end', 'the end of a stream, with elements',
                           self.keys[b'taf_end'])

    def settle(self):
        self.unfolded = None            # the type of pairs that are two numbers each
        fits = self.settle_type()
        self.settle_mapping(fits)
        self.settle_dims()
        self.settle_rest()

    def took_wrong(self, what):
        return Error('header: %s has taken %s for values: put taf2rsf before it' % (
            _shown(self.between), what))

    def settle_type(self):
        f, t = self.get(b'data_format'), self.get(b'taf_format')
        if f is None and self.keys.get(b'esize') == b'0':
            f = b'ascii_float'
        if f is None:
            raise Error('neither TAF nor RSF, as its text has no data_format')
        self.form, _, name = f.partition(b'_')
        if self.form not in (b'native', b'xdr', b'ascii') or name not in _RSF:
            raise self.bad(b'data_format', 'unknown', f)
        self.dtype = _RSF[name]
        if t is None:
            return True
        is_ = _NAMED.get(_text(t))
        if is_ is None:
            raise self.bad(b'taf_format', 'unknown', t)
        if is_ == np.complex128:
            self.settle_unfolded()
            return True
        left = np.dtype('i%d' % is_.itemsize) if is_.kind == 'u' and is_.itemsize > 1 else is_
        if left != is_ and self.between is not None:
            raise self.took_wrong('the bits of unsigned integers')
        fits = self.dtype in (is_, left)
        if fits:
            self.dtype = is_
        return fits

    def settle_unfolded(self):
        """Pairs in a first dimension of 2: until that is dropped they are their components."""
        self.unfolded = np.dtype('c16')
        if self.moved is not None:
            raise Error('header: %s may have taken complex elements apart: put taf2rsf '
                        'before it' % _shown(self.moved))
        if self.foreign and self.attrs.get((b'label', 'd', 1), (None,))[0] != _PAIRS:
            raise Error('header: the first dimension is not that of the parts of complex128 '
                        'elements any more')
        if self.dtype != np.float64 or self.lengths.get(1) != 2:
            raise Error('header: taf_format complex128 takes data_format native_double and '
                        'n1=2: a program has taken parts of complex elements for values')

    def settle_mapping(self, fits):
        a, b = self.keys.get(b'taf_intercept'), self.keys.get(b'taf_slope')
        if a is None and b is None:
            return
        if a is None or b is None:
            raise Error('header: taf_intercept or taf_slope alone: half a mapping')
        mapping = _f64(a), _f64(b)
        for key, v, text in zip((b'taf_intercept', b'taf_slope'), mapping, (a, b)):
            if v is None:
                raise self.bad(key, 'not a number', text)
        if math.isfinite(mapping[0]) != math.isfinite(mapping[1]):
            raise Error('header: intercept or slope is not finite: half a mapping')
        if not math.isfinite(mapping[0]):
            return
        if self.between is not None:
            raise self.took_wrong('stored numbers under a mapping')
        if self.dtype.kind == 'c' or self.unfolded is not None:
            raise Error('header: complex elements with a mapping')
        if not fits:
            raise Error('header: data_format does not fit taf_format: a program has computed '
                        'on stored integers; put taf2rsf before it')
        self.mapping = mapping

    def settle_dims(self):
        last = max(self.lengths, default=0)
        if not last:
            raise Error('header: no n1')
        for k in range(1, last + 1):
            if k not in self.lengths:
                raise Error('header: n%d but no n%d' % (last, k))
            self.n.append(self.lengths[k])
            self.start.append(self.grid.get((b'o', k), 0.0))
            self.step.append(self.grid.get((b'd', k), 1.0))
        if self.unfolded is not None:
            self.dtype = self.unfolded
            self.n, self.start, self.step = (self.n[1:] or [1], self.start[1:] or [0.0],
                                             self.step[1:] or [1.0])
            self.renumber(lambda k: k - 1 if 1 < k <= last else 0)
        self.check()

    def settle_rest(self):
        order, code, follows = self.get(b'taf_order'), self.keys.get(b'taf_code'), \
            self.get(b'taf_next')
        big = sys.byteorder == 'big'
        if order is not None and self.form == b'native':
            if order not in (b'big', b'little'):
                raise self.bad(b'taf_order', 'unknown', order)
            big = order == b'big'
            word = self.dtype.itemsize // (1 + (self.dtype.kind == 'c'))
            if self.between is not None and word > 1 and big != (sys.byteorder == 'big'):
                raise self.took_wrong('elements of the other byte order')
        elif self.form == b'xdr':
            big = True
            if self.foreign and self.dtype == np.int16:
                raise Error('header: xdr_short: Madagascar\'s programs write such elements '
                            'wrong: let them write native ones')
        self.code = 0 if code is None else _u64(code)
        if self.code is None or self.code > 255:
            raise self.bad(b'taf_code', 'not a type code', code)
        if self.foreign and not _code_fits(self.code, self.n, self.dtype.kind == 'c'):
            self.code = 0
        if follows not in (None, b'1', b'0', b'unknown'):
            raise self.bad(b'taf_next', 'neither 1 nor unknown', follows)
        self.next = {b'1': 'yes', b'unknown': 'unknown'}.get(follows, 'no')
        self.path = self.get(b'in')
        if not self.path:
            raise Error('header: no in=')
        self.here = self.path == b'stdin'
        self.stored = self.dtype.newbyteorder('>' if big else '<')


def _rsf_within(p, first):
    """Where bytes hold the keys of an array's header; None where they do not."""
    if b'n1=' not in p or b'in=' not in p:
        return None
    found, at, here = set(), None, 0
    for line in p.split(b'\n'):
        if line.startswith(_END):
            found.clear()
        if not _history_line.match(line):
            if not found:
                at = here
            for key, value in _pairs(line):
                if key is None:
                    break
                if key.endswith(b'data_format') or key == b'taf_format' or (
                        key == b'esize' and value == b'0'):
                    found.add('type')
                if key.endswith(b'n1'):
                    found.add('length')
                if key == b'in':
                    found.add('in')
                if first:
                    break
        if len(found) == 3:
            return at
        here += len(line) + 1
    return None


# --- headers: TAF ---

_MARKER = b'--- attributes ---\n'
_MARK = b'\nBeing changed: wait, or let tafcheck --repair undo it.  Undo file: '
_LEGACY = {8: 'u1', 16: 'u2', 32: 'f4', 64: 'f8'}
_control = re.compile(rb'[\x00-\x08\x0e-\x1f\x7f]')


def _int(p, at):
    return int.from_bytes(p[at:at + 8], 'little')


def _sniff(p):
    return p[:4] in (b'TAF ', b'TAF(')


def _taf_type(p):
    """The element type of a TAF header, None where it is unknown."""
    if _int(p, 1024) in _LEGACY:
        return np.dtype(_LEGACY[_int(p, 1024)])
    name = p[1024:1032].split(b'\0')[0].rstrip(b' ')
    t = _NAMED.get(_text(name))
    return None if t is None or t.kind == 'c' or name[:1] in b'sd' else t


def _is_text(p):
    try:
        p.decode()
    except UnicodeDecodeError:
        return False
    return not _control.search(p)


def _is_taf(p):
    """Does a header stand here, or half of a synopsis, and then the input ends?"""
    if len(p) < 8 or not _sniff(p) or p[7] != 10 or (p[3:4] == b'(' and p[6:7] != b')'):
        return False
    if len(p) < 1056:
        return len(p) >= 512 and p[4] == 1 and _is_text(p[8:1024])
    return 1 <= _int(p, 1048) <= _MOST_DIM and _taf_type(p) is not None


def _find_block(p):
    """Where the attributes begin behind their marker, None where there are none."""
    at = p.rfind(_MARKER)
    while at > 0 and p[at - 1] != 10:
        at = p.rfind(_MARKER, 0, at + len(_MARKER) - 1)
    if at < 0:
        return None
    at += len(_MARKER)
    return at if _block_lines.fullmatch(p, at) else None


def _text_length(block):
    return max(block - len(_MARKER) - 1, 0)


def _check_tail(p, offset):
    """What stands behind the data of a TAF file must not be another array."""
    at, what = p.find(b'TAF'), 'another TAF file'
    while at >= 0 and not _is_taf(p[at:at + 1056]):
        at = p.find(b'TAF', at + 1)
    if at < 0:
        what, block = 'a header of RSF', _find_block(p)
        at = _rsf_within(p if block is None else p[:_text_length(block)], False)
        if at is None and block is not None:
            at = _rsf_within(p[block:], True)
            at = at if at is None else at + block
    if at is not None:
        raise Error('offset %d: %s behind the data, where a comment may be' % (
            offset + at, what))


class _TafHeader(_Facts):
    """The header of a TAF file, then what stands behind its data."""

    def __init__(self, p):
        _Facts.__init__(self)
        if len(p) >= 1024 and p.find(_MARK, 512, 1024) >= 0:
            raise Error('a change of it goes on, or was interrupted')
        if len(p) < 1056:
            raise Truncated('the input ends after %d bytes, inside the TAF header' % len(p))
        legacy = p[3:4] == b'('
        digit = 48 if legacy and 48 <= p[4] <= 57 else 0
        if legacy and p[6:7] != b')':
            raise Error('offset 6: not a TAF opening')
        if p[4] - digit != 1:
            raise Error('offset 4: TAF version %d, not 1' % (p[4] - digit))
        if p[7] != 10:
            raise Error('offset 7: byte %d in place of a line feed' % p[7])
        self.code = 0 if legacy else p[6]
        self.dtype = _taf_type(p)
        if self.dtype is None:
            raise Error('offset 1024: unknown element type "%s"' % _text(p[1024:1032]))
        ndim = _int(p, 1048)
        if not 1 <= ndim <= _MOST_DIM:
            raise Error('offset 1048: %d dimensions, not 2 to %d' % (ndim, _MOST_DIM))
        self.length = 1056 + 24 * ndim
        if len(p) < self.length:
            raise Truncated('the input ends after %d bytes, inside the TAF header of %d' % (
                len(p), self.length))
        grid = np.frombuffer(p, '<u8,<f8,<f8', ndim, 1056)
        self.n, self.start, self.step = (grid[f].tolist() for f in ('f0', 'f1', 'f2'))
        a, b = np.frombuffer(p, '<f8', 2, 1032).tolist()
        self.mapping = (a, b) if math.isfinite(a) and math.isfinite(b) else None
        self.stored = self.dtype.newbyteorder('<')
        self.check()
        self.nbytes = math.prod(self.n) * self.dtype.itemsize

    def tail(self, p):
        one = is_complex = False
        block = _find_block(p)
        self.comment = p if block is None else p[:_text_length(block)]
        lines = [] if block is None else p[block:].split(b'\n')
        if lines and not lines[-1]:
            lines.pop()
        sets = 0
        for line in lines:
            if line == b'ndim=1' and len(self.n) == 2:
                one = True
            elif line == b'complex=1':
                is_complex = True
            else:
                sets += 1
                if sets > _MOST_SET:
                    raise Error('comment: more than %d attributes' % _MOST_SET)
                self.pair(line)
        if is_complex and not self.join(one):
            self.pair(b'complex=1')
        elif is_complex:
            one = False
        if one and self.n[1] == 1:
            self.n, self.start, self.step = self.n[:1], self.start[:1], self.step[:1]
        elif one:
            self.pair(b'ndim=1')

    def pair(self, line):
        key, _, v = line.partition(b'=')
        quoted = len(v) > 2 and v[:1] == v[-1:] == b'"' and \
            _number_list.fullmatch(v[1:-1]) is not None
        name, scope = _scope(key)
        v = _unescape(v[1:-1] if quoted else v)
        self.set_attr(_unescape(name, True), scope, v, not quoted)

    def join(self, one):
        """Make a last dimension of 2 real and imaginary part."""
        if self.dtype.kind != 'f' or len(self.n) < 2 or self.n[-1] != 2 or self.mapping:
            return False
        self.dtype = np.dtype('c%d' % (2 * self.dtype.itemsize))
        if len(self.n) > 2 or one:
            for facts in self.n, self.start, self.step:
                facts.pop()
        else:
            self.n[1] = 1
        return True


# --- reading ---

def _undo_beside(name):
    undo = os.fsencode(os.path.realpath(name)) + b'.undo'
    if os.path.lexists(undo):
        raise Error('%s: a change of it was interrupted: any command of taftools that reads '
                    'it settles that (%s)' % (os.fsdecode(name), os.fsdecode(undo)))


class _Stream:
    """The arrays of a stream or a file, one after the other."""

    def __init__(self, file):
        self.path = self.own = None
        if file is None:
            file, name = sys.stdin.buffer, 'standard input'
        elif hasattr(file, 'read'):
            name = getattr(file, 'name', 'the stream')
            name = os.fsdecode(name) if isinstance(name, (str, bytes)) else 'the stream'
        else:
            self.path = os.fspath(file)
            name = os.fsdecode(file)
            file = self.own = io.open(file, 'rb')
        self.src = _In(file, name)
        self.arrays = self.streamed = 0
        self.next, self.foreign, self.over = 'no', False, False
        self.now = None                 # the elements of the present array
        self.others = []                # files that in= names, and the spooled one

    def close(self):
        for f in self.others:
            f.close()
        self.others = []
        if self.own:
            self.own.close()

    def may_end(self):
        return self.next == 'no' or (self.next == 'unknown' and self.foreign)

    def missing(self):
        return Died('array %d was announced, but the input ends: the program before has '
                    'failed' % (self.arrays + 1))

    def at_end(self):
        if not self.arrays:
            raise Died('empty input: the program before has failed')
        if self.next == 'yes':
            raise self.missing()
        if not self.may_end():
            raise Died('the input ends behind array %d, and no taf_end says that it was the '
                       'last: the program before has failed' % self.arrays)

    def end_record(self, count):
        if self.next == 'no':
            raise Error('a stream ends (taf_end=%d) before its first array' % count)
        if self.next == 'yes':
            raise self.missing()
        if count != self.streamed:
            raise Error('the stream ends with %d arrays (taf_end), but %d have come' % (
                count, self.streamed))
        self.next = 'no'

    def header(self):
        """The text of a header of RSF; is it ended by a terminator?"""
        src, seen = self.src, 0
        while True:
            p = src.peek(seen + 1)
            n = p.find(_END, max(seen - 2, 0))
            while n > 0 and p[n - 1] != 10:
                n = p.find(_END, n + 1)
            if 0 <= n <= _MOST_TEXT:
                src.take(n + 3)
                return p[:n], True
            if b'\0' in p:
                raise Error(_NEITHER)
            if len(p) > _MOST_TEXT:
                raise Error('a header of more than %d bytes' % _MOST_TEXT)
            if len(p) <= seen:
                src.take(len(p))
                return p, False
            seen = len(p)
            if seen > 1 << 20:          # a long one is looked through a few times only
                src.peek(2 * seen)

    def open_data(self, name):
        """The file that in= names, looked up as Madagascar does, or beside the header."""
        name = os.fsdecode(name)
        path = name
        if self.path is not None and not os.path.isabs(name) and not os.path.isfile(name):
            beside = os.path.join(os.path.dirname(os.fsdecode(self.path)), name)
            if os.path.exists(beside):
                path = beside
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY | os.O_NONBLOCK)
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            os.close(fd)
            raise Error('in=%s: no regular file' % name)
        self.others.append(io.open(fd, 'rb'))
        return _In(self.others[-1], path)

    def rsf(self):
        text, terminated = self.header()
        h = _Header(text)
        if h.here and not terminated:
            raise Truncated('offset %d: the input ends inside the header' % self.src.pos)
        if h.ends:
            self.end_record(h.count)
            return None
        src = self.src if h.here else self.open_data(h.path)
        self.streamed = 1 if self.may_end() else self.streamed + 1
        self.next, self.foreign = h.next, h.foreign
        self.over = not terminated and self.may_end()
        el = (_Text if h.form == b'ascii' else _Elements)(src, tuple(h.n), h.stored)
        el.check('header' if h.here else 'in=')
        if not h.here and h.form != b'ascii' and src.left() > el.left * h.dtype.itemsize:
            src.pos += el.left * h.dtype.itemsize
            _remark_longer(src)
            src.pos -= el.left * h.dtype.itemsize
        self.now = el
        return h.array(el)

    def taf(self):
        if self.path is not None:
            _undo_beside(self.path)
        if self.src.size is None:
            self.src = _spooled(self.src)
            self.others.append(self.src.file)
        src, self.over = self.src, True
        h = _TafHeader(src.peek(1056 + 24 * _MOST_DIM))
        src.take(h.length)
        data = src.pos
        if h.nbytes > src.left():
            raise Truncated('data of %d bytes, but %d follow the header' % (
                h.nbytes, src.left()))
        src.skip(h.nbytes)
        p = src.peek(min(_MOST_TEXT, src.left()) + 1)[:_MOST_TEXT + 1]
        _check_tail(p, src.pos)
        if len(p) > _MOST_TEXT:
            raise Error('a comment of more than %d bytes' % _MOST_TEXT)
        h.tail(p)
        src.seek(data)
        el = (_Planes if h.dtype.kind == 'c' else _Elements)(
            src, tuple(h.n), h.stored if h.dtype.kind != 'c' else h.dtype)
        self.now = el
        return h.array(el)

    def pass_over(self):
        if self.now is None:
            return
        el, self.now = self.now, None
        if not el.dead:
            el.drop()
        el.end(self.src)
        if el.src is not self.src:
            el.src.file.close()
            self.others.remove(el.src.file)

    def step(self):
        """The next array; None at a sound end."""
        self.pass_over()
        self.src.unchanged()
        a = None
        while a is None:
            if self.over:
                return None
            p = self.src.peek(4)
            if not p:
                self.at_end()
                return None
            if not _sniff(p):
                a = self.rsf()
            elif self.arrays:
                raise Error('offset %d: a TAF file inside a stream' % self.src.pos)
            else:
                a = self.taf()
        self.arrays += 1
        return a

    def __next__(self):
        try:
            return self.step()
        except Error as e:
            name = self.src.name + ': '
            if not str(e).startswith(name) and len(e.args) == 1:
                e.args = (name + e.args[0],)
            raise


def _only(s, what):
    """The one array of a stream, after load has made it independent of the stream."""
    a = next(s)
    if a is None:
        raise Error('%s: no array' % s.src.name)
    what(a)
    if next(s) is not None:
        raise Error('%s: several arrays: use arrays' % s.src.name)
    return a


def _load(a):
    el = a._elements
    a._stored, a._elements = a.stored, None
    el.left = 0


def open(name):
    """The one array of a TAF or RSF file, mapped."""
    if not os.path.isfile(name):
        with io.open(name, 'rb'):
            raise Error('%s: no regular file: use read' % os.fsdecode(name))
    s = _Stream(name)

    def map_(a):
        el = a._elements
        a.offset = None if isinstance(el, _Text) else el.offset
        a._stored = el.mapped()
        if a._stored is not None:
            a._elements, a.dtype = None, a._stored.dtype
    try:
        a = _only(s, map_)
        if a._elements is not None:     # complex elements: their parts are mapped
            a._elements.dead = False
        return a
    finally:
        s.close()


def read(file=None):
    """The one array of a stream, when its end was seen."""
    s = _Stream(file)
    try:
        return _only(s, _load)
    finally:
        s.close()


def arrays(file=None):
    """The arrays of a stream or file, one after the other."""
    s = _Stream(file)
    try:
        a = next(s)
        while a is not None:
            yield a
            a = next(s)
    finally:
        if s.now is not None:
            s.now.dead = True
        s.close()


# --- writing ---

_SYNOPSIS = b'''\
Thrifty Array Format: one numeric array, all numbers little-endian.
Offsets are in bytes from the start of the file.
1024: element type, 8 characters, NUL-padded: int or uint with 8, 16, 32
      or 64 bits (int8 ... uint64), flt32, flt64 (IEEE 754)
1032: intercept a, float64
1040: slope b, float64; where both are finite, the value of a stored
      number x is a + b*x, otherwise x itself
1048: number of dimensions N, uint64
1056: for each dimension k from 1 to N, 24 bytes: length L (uint64),
      grid start u (float64), grid step d (float64); point i, counted
      from 1, is at u + (i-1)*d
1056 + 24*N: the elements, dimension 1 varying fastest (column-major)
behind the elements, to the end of the file: text comments
'''


def _array(a, facts):
    """a as an Array, with these facts over its own; all of them are right."""
    a = Array(a, **facts)
    a._settle(set(_FACTS) - {'step'})
    return a


def _number(v):
    """A number of an attribute as it is written, None for text."""
    if isinstance(v, str):
        return None
    return str(int(v)) if isinstance(v, (int, np.integer)) else repr(float(v))


def _attrs(a, shift):
    """Each attribute: key as a header has it, name, scope, value; dimensions count from 1."""
    for key, v in a.attrs.items():
        name, scope = _scope(_raw(key))
        if scope[0] == '' or (scope[0] == 'd' and scope[1] <= a.ndim):
            yield _escape(_raw(key), True), _raw(key), v
        else:
            k = scope[1] + shift * (scope[0] == 'd')
            yield b'%s@%s%d' % (_escape(name, True), b'c' if scope[0] == 'c' else b'', k), \
                None, v
    for k, d in enumerate(a.dim_attrs):
        for key, v in [('label', a.label[k]), ('unit', a.unit[k])] + list(d.items()):
            if v != '' or key not in ('label', 'unit'):
                yield b'%s@%d' % (_escape(_raw(key), True), k + 1 + shift), None, v


def _hidden(key):
    """Escaped so that it is no key of the header's own."""
    return b'%%%02X%s' % (key[0], key[1:])


def _long(key, value):
    """key="value" over as many lines as it takes."""
    most = (_LINE - 24 - len(key)) // 3
    if len(value) <= most:
        return b'\t%s="%s"\n' % (key, _escape(value))
    parts = [value[i:i + most] for i in range(0, len(value), most)]
    return b''.join(b'\t%s="%s"\n' % (k, _escape(p)) for k, p in zip(
        [key] + [b'taf_more'] * len(parts), parts))


def _rsf_header(a, follows=None):
    dtype = a.dtype.newbyteorder('=')
    pairs = dtype == np.complex128
    size = dtype.itemsize // (1 + pairs)
    h = ['\tdata_format="native_%s"\n\tesize=%d\n\ttaf_order="%s"\n\ttaf_format="%s"\n' % (
        _RSF_OF[dtype], size, sys.byteorder, _NAME_OF[dtype])]
    if a.ndim + pairs > _MOST_DIM:
        raise Error('%d dimensions, not 1 to %d' % (a.ndim + pairs, _MOST_DIM))
    if a.mapping:
        h.append('\ttaf_intercept=%s\n\ttaf_slope=%s\n' % tuple(map(_shortest, a.mapping)))
    if a.code:
        h.append('\ttaf_code=%d\n' % a.code)
    if pairs:
        h.append('\tn1=2\n\to1=0\n\td1=1\n\tlabel1="%s"\n' % _PAIRS.decode())
    for k, (n, o, d) in enumerate(zip(a.shape, a.start, a.step), 1 + pairs):
        h.append('\tn%d=%d\n\to%d=%s\n\td%d=%s\n' % (k, n, k, _shortest(o), k, _shortest(d)))
    h = [''.join(h).encode()]
    for key, name, v in _attrs(a, int(pairs)):
        m = re.fullmatch(rb'(label|unit)@(\d+)', key)
        if m and isinstance(v, str) and not re.search(rb'[\x00-\x1f\x7f"]', _raw(v)) and \
                len(_raw(v)) < _LINE - 100:
            h.append(b'\t%s%s="%s"\n' % (m[1], m[2], _raw(v)))
            continue
        if name is not None and (name in _PLAIN + (b'taf_comment', b'taf_more') or
                                 _dim_key.fullmatch(name)):
            key = _hidden(key)
        number = _number(v)
        h.append(_long(key, _raw(v)) if number is None else
                 b'\t%s=%s\n' % (key, number.encode()))
    if a.comment:
        lines = _raw(a.comment)
        # of a large one several lines share one
        h.extend(_long(b'taf_comment', p) for p in (
            lines.split(b'\n') if len(lines) < 1 << 16 else [lines]))
    if follows:
        h.append(b'\ttaf_next="%s"\n' % follows)
    h = b''.join(h + [_TAIL])
    if len(h) > _MOST_TEXT:
        raise Error('with comment and attributes the header has more than %d bytes' %
                    _MOST_TEXT)
    return h


def _taf_head(a):
    dtype = a.dtype.newbyteorder('=')
    is_complex = dtype.kind == 'c'
    n = _file_shape(a.shape, is_complex)
    if len(n) > _MOST_DIM:
        raise Error('%d dimensions, not 1 to %d' % (len(n), _MOST_DIM))
    code = a.code if _code_fits(a.code, a.shape, is_complex) else 0
    part = np.dtype('f%d' % (dtype.itemsize // 2)) if is_complex else dtype
    grid = np.ones(len(n), '<u8,<f8,<f8')
    grid['f0'] = n
    grid['f1'][:a.ndim], grid['f2'][:a.ndim] = a.start, a.step
    return b''.join((
        (b'TAF \1%c%c\n' % (code != 0, code) + _SYNOPSIS).ljust(1024),
        _NAME_OF[part].encode().ljust(8, b'\0'),
        np.array(a.mapping or (np.inf, np.inf), '<f8').tobytes(),
        len(n).to_bytes(8, 'little'), grid.tobytes()))


def _taf_tail(a):
    lines = [b'ndim=1\n'] * (a.ndim == 1) + [b'complex=1\n'] * (a.dtype.kind == 'c')
    for key, name, v in _attrs(a, 0):
        number = _number(v)
        text = _escape(_raw(v)) if number is None else number.encode()
        if name == b'in' or (name in (b'ndim', b'complex') and text == b'1'):
            key = _hidden(key)
        quote = b'"' if number is None and _number_list.fullmatch(_raw(v)) else b''
        lines.append(b'%s=%s%s%s\n' % (key, quote, text, quote))
    p = _raw(a.comment)
    # text that looks like a block is kept from being read as one by an empty one
    if lines or (p and _find_block(p) is not None):
        p += b'\n' * (p != b'') + _MARKER + b''.join(lines)
    try:
        _check_tail(p, 0)
    except Error:
        raise Error('the comment holds what makes another array: no reader takes that for '
                    'text') from None
    if len(p) > _MOST_TEXT:
        raise Error('a comment of %d bytes, more than %d' % (len(p), _MOST_TEXT))
    return p


def _fortran(x):
    """x in Fortran order; a copy is made of few rows at a time, which stay in cache."""
    if x.flags.f_contiguous:
        return x
    y = np.empty(x.shape, x.dtype, 'F')
    for i in range(0, len(x), 16):
        y[i:i + 16] = x[i:i + 16]
    return y


def _lines_of(x):
    """The elements of an array in storage order, in parts of a bearable size."""
    # what lies in another order is brought into this one in larger parts
    most = _BLOCK if x.flags.f_contiguous else 32 * _BLOCK
    if x.ndim == 1 or x.nbytes <= most:
        x = _fortran(x).reshape(-1, order='F')
        n = _BLOCK // x.itemsize
        for i in range(0, len(x), n):
            yield x[i:i + n]
        return
    n = most * x.shape[-1] // x.nbytes
    for i in range(0, x.shape[-1], n or 1):
        yield from _lines_of(x[..., i:i + n] if n else x[..., i])


def _elements_of(a):
    """So of an Array, which may be on its way in."""
    if a._stored is None and type(a._elements) is _Elements:
        return a._elements.lines(_BLOCK // a.dtype.itemsize)
    return _lines_of(a.stored)


def _put(file, data):
    """Write all of it, whatever parts the file takes."""
    view = memoryview(data).cast('B') if len(data) else memoryview(b'')
    while len(view):
        n = file.write(view)
        if n is None:
            raise BlockingIOError('nothing can be written yet')
        view = view[n:]


def _put_elements(file, a, order):
    for part in _elements_of(a):
        _put(file, np.ascontiguousarray(part, part.dtype.newbyteorder(order)))


def _put_array(file, a, format):
    if format == 'rsf':
        _put(file, _rsf_header(a))
        _put_elements(file, a, '=')
        return
    head, tail = _taf_head(a), _taf_tail(a)
    _put(file, head)
    if a.dtype.kind == 'c':
        for part in a.stored.real, a.stored.imag:
            for p in _lines_of(part):
                _put(file, np.ascontiguousarray(p, p.dtype.newbyteorder('<')))
    else:
        _put_elements(file, a, '<')
    _put(file, tail)


def _sync_folder(path):
    fd = os.open(os.path.dirname(path) or '.', os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _temporary_beside(path):
    while True:
        name = '%s.%s.tmp' % (path, secrets.token_hex(6))
        try:
            return name, io.open(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL |
                                         os.O_CLOEXEC, 0o666), 'wb', 0)
        except FileExistsError:
            pass


def save(name, a, *, format=None, **facts):
    """Write a file: TAF where .taf is in the last part of its name, else packed RSF."""
    a = _array(a, facts)
    path = os.path.realpath(os.fsdecode(name))
    if format is None:
        format = 'taf' if '.taf' in os.path.basename(os.fsdecode(name)) else 'rsf'
    if format not in ('taf', 'rsf'):
        raise ValueError('format: neither taf nor rsf: %r' % (format,))
    mode = None
    if os.path.exists(path):
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            with io.open(path, 'wb', 0) as f:
                _put_array(f, a, format)
            return
        _undo_beside(path)
    temporary, f = _temporary_beside(path)
    try:
        with f:
            _put_array(f, a, format)
            if mode is not None:
                os.fchmod(f.fileno(), stat.S_IMODE(mode))
            os.fsync(f.fileno())
        os.rename(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    _sync_folder(path)


def _out(file):
    if file is None:
        sys.stdout.flush()
        file = sys.stdout.buffer
        if file.isatty():
            raise Error('standard output is a terminal: name a file')
    if not hasattr(file, 'write'):
        raise TypeError('%r is no binary file: use save for a name' % (file,))
    return file


def _flush(file):
    if hasattr(file, 'flush'):
        file.flush()


def write(a, file=None, **facts):
    """Write a stream of one array."""
    a = _array(a, facts)
    file = _out(file)
    _put_array(file, a, 'rsf')
    _flush(file)


class writer:
    """with taf.writer() as w: w.write(a), or w.begin(shape, dtype) and w.put(part)."""

    def __init__(self, file=None):
        self._file = file
        self._count = self._left = 0
        self._dtype = None
        self._open = False

    def __enter__(self):
        self._file, self._open = _out(self._file), True
        return self

    def _whole(self):
        if not self._open:
            raise Error('the stream is not open: use "with taf.writer(...) as w"')
        if self._left:
            raise Error('array %d is not full: %d elements are missing' % (
                self._count, self._left))

    def _begin(self, a):
        self._whole()
        h = _rsf_header(a, b'unknown')
        self._open = False              # what fails half done is not gone on with
        _put(self._file, h)
        self._count += 1
        self._open = True

    def write(self, a, **facts):
        a = _array(a, facts)
        self._begin(a)
        self._open = False
        _put_elements(self._file, a, '=')
        _flush(self._file)
        self._open = True

    def begin(self, shape, dtype=None, **facts):
        if isinstance(shape, Array):
            a = Array(shape, **facts)
        else:
            shape = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
            one = np.zeros(1, np.float64 if dtype is None else dtype)
            # no memory, whatever the shape
            a = _array(np.broadcast_to(_storable(one), shape) if shape else one[0], facts)
        self._begin(a)
        self._dtype, self._left = a.dtype.newbyteorder('='), a.size

    def put(self, part):
        if not self._open:
            self._whole()
        part = np.asarray(part)
        part = part.view(np.uint8) if part.dtype == np.bool_ else part
        exact = np.can_cast(part.dtype, self._dtype, 'safe') and not (
            part.dtype.kind in 'iu' and part.dtype.itemsize == 8 and
            self._dtype.kind in 'fc')
        if not exact:
            raise TypeError('%s elements of an array of %s: use a.astype(...)' % (
                part.dtype, self._dtype))
        if part.size > self._left:
            raise Error('%d elements, but %d are missing' % (part.size, self._left))
        self._open = False
        for p in _lines_of(part.reshape(1) if part.ndim == 0 else part):
            _put(self._file, np.ascontiguousarray(p, self._dtype))
        self._left -= part.size
        self._open = True

    def __exit__(self, kind, value, trace):
        if kind is None:
            self._whole()
            if self._count:
                _put(self._file, b'\ttaf_end=%d\n%s' % (self._count, _TAIL))
            _flush(self._file)
        self._open = False


# --- running commands ---

class _Pipeline:
    """Processes joined by pipes; none is left behind."""

    def __init__(self, stages, first):
        self.stages, self.processes, self.words = stages, [], []
        self.out = subprocess.DEVNULL if first is None else subprocess.PIPE
        self.first = first
        self.fed = None                 # what the feeding has failed with
        self.feeder = None

    def start(self):
        for words in self.stages:
            self.words.append(tempfile.TemporaryFile())
            p = subprocess.Popen(words, stdin=self.out, stdout=subprocess.PIPE,
                                 stderr=self.words[-1], start_new_session=True)
            if self.processes:
                self.out.close()
            self.processes.append(p)
            self.out = p.stdout
        if self.first is not None:
            self.feeder = threading.Thread(target=self.feed, daemon=True)
            self.feeder.start()

    def feed(self):
        to = self.processes[0].stdin
        try:
            with to:
                write(self.first, to)
        except BrokenPipeError:
            pass                        # the first stage tells why it has stopped reading
        except BaseException as e:
            self.fed = e

    def wait(self):
        for p in self.processes:
            p.wait()
        if self.feeder:
            self.feeder.join()

    def kill(self):
        for p in self.processes:
            if p.returncode is None:    # its number is its own, ended or not
                try:
                    os.killpg(p.pid, signal.SIGKILL)
                except (ProcessLookupError, PermissionError):
                    p.kill()
            if p.stdin and not self.feeder:
                p.stdin.close()
        self.wait()
        for p in self.processes:
            p.stdout.close()

    def said(self, k):
        self.words[k].seek(0)
        return self.words[k].read().decode('utf-8', 'replace')

    def failed(self, closed):
        """The first stage that has failed by itself, or None."""
        for k, p in enumerate(self.processes):
            pipe = p.returncode == -signal.SIGPIPE
            if p.returncode and not (pipe and (closed or k < len(self.processes) - 1)):
                return RunError(p.returncode, self.stages[k], self.said(k))
        return None

    def close(self):
        self.kill()
        for f in self.words:
            f.close()


def _stages(command, folder):
    if isinstance(command, (str, bytes)) or not hasattr(command, '__iter__'):
        raise TypeError('a command is a list of words, or a list of such lists')
    command = list(command)
    stages = command if command and all(isinstance(w, (list, tuple)) for w in command) \
        else [command]
    result = []
    for words in stages:
        if not words:
            raise ValueError('a command without words')
        result.append([])
        for w in words:
            if isinstance(w, (Array, np.ndarray)):
                name = os.path.join(folder(), '%d-%d.taf' % (len(result), len(result[-1])))
                with io.open(name, 'wb', 0) as f:
                    _put_array(f, _array(w, {}), 'taf')
                w = name
            if not isinstance(w, (str, bytes, os.PathLike)):
                raise TypeError('%r is no word of a command' % (w,))
            result[-1].append(os.fspath(w))
    return result


def _results(out, all_, text):
    if text:
        return out.read().decode('utf-8', 'surrogateescape')
    s = _Stream(out)
    s.src.name = 'the output'
    if not all_:
        try:
            return _only(s, _load)
        finally:
            s.close()
    found = []
    try:
        a = next(s)
        while a is not None:
            _load(a)
            found.append(a)
            a = next(s)
    finally:
        s.close()
    return found


def run(command, a=None, *, all=False, text=False):
    """Run a command, or a list of commands as a pipeline; its output."""
    with tempfile.TemporaryDirectory(prefix='taf-') as folder:
        stages = _stages(command, lambda: folder)
        pipeline = _Pipeline(stages, None if a is None else _array(a, {}))
        result = wrong = None
        try:
            pipeline.start()
            try:
                result = _results(pipeline.out, all, text)
            except Error as e:
                wrong = e
            pipeline.out.close()
            pipeline.wait()
            if pipeline.fed is not None:
                raise pipeline.fed
            error = pipeline.failed(wrong is not None) or wrong
            if error is not None:
                raise error from None
            words = [pipeline.said(k) for k in range(len(stages))]
        finally:
            pipeline.close()
    for w in words:
        if w.strip():
            warnings.warn(w.strip(), Remark, stacklevel=2)
    return result
