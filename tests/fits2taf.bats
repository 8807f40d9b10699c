# SPDX-License-Identifier: ISC
load helper
load rowmajor

# fits: a script on standard input, with what it takes to write FITS by hand, and to run commands
fits() {
	need numpy
	{
		cat <<'END'
def card(key, value):
    if isinstance(value, bool):
        value = '%20s' % 'FT'[value]
    elif not isinstance(value, str):
        value = '%20s' % value
    elif value[:1] != '=':
        value = "'%-8s'" % value.replace("'", "''")
    return '%-8s= %s' % (key, value.lstrip('='))
def block(b, fill=b'\0'):
    return b + fill * (-len(b) % 2880)
def unit(cards, data=b''):
    return block(''.join('%-80s' % c for c in [*cards, 'END']).encode('latin1'), b' ') + block(data)
def head(bitpix, shape, extension=None, heap=0):
    c = [card('SIMPLE', True) if extension is None else card('XTENSION', extension)]
    c += [card('BITPIX', bitpix), card('NAXIS', len(shape))]
    c += [card('NAXIS%d' % (k + 1), n) for k, n in enumerate(shape)]
    return c + ([card('PCOUNT', heap), card('GCOUNT', 1)] if extension else [])
# elements as they are stored, dimension 1 first
def image(x, *cards, extension=None):
    bitpix = x.dtype.itemsize * (-8 if x.dtype.kind == 'f' else 8)
    return unit(head(bitpix, x.shape, extension) + list(cards),
        x.astype(x.dtype.newbyteorder('>')).tobytes(order='F'))
def run(*words, status=0, pipe=None):
    p = subprocess.run(words, capture_output=True, input=pipe)
    assert p.returncode == status, (words, p.returncode, p.stderr)
    return p
def convert(b, *words, err=b''):
    open('a.fits', 'wb').write(b)
    p = run('fits2taf', *words, 'a.fits', '-o', 'a.taf')
    assert p.stderr == err, p.stderr
    return load_taf('a.taf')
def mapping():
    return struct.unpack_from('<dd', open('a.taf', 'rb').read(), 1032)
def grid(k):
    return struct.unpack_from('<dd', open('a.taf', 'rb').read(), 1056 + 24 * k - 16)
END
		cat
	} | python
}

@test "every type and rank: elements, mapping, integers of the other sign, NaN for BLANK, regions" {
	fits <<'EOF'
shapes = [(7,), (5, 4), (4, 3, 5), (2, 3, 1, 4)]
for n, kind in enumerate(('u1', 'i2', 'i4', 'i8', 'f4', 'f8')):
    bits = 8 * np.dtype(kind).itemsize
    x = noise(np.dtype(kind).newbyteorder('<'), shapes[n % 4])
    got, tail = convert(image(x))
    same(got, x)
    assert not np.isfinite(mapping()).any()
    # a mapping, of floats too, in the spelling of Fortran
    scaled = image(x, card('BSCALE', '= -2.5D-1'), card('BZERO', '= 3. / zero'))
    same(convert(scaled)[0], x)
    assert mapping() == (3, -.25)
    same(convert(scaled, '-r')[0], x)
    assert not np.isfinite(mapping()).any()
    # a part of it, from a file and from a pipe
    def cut(a):
        return np.asfortranarray(a[1::2][..., 1:2] if a.ndim > 1 else a[1::2])
    words = ['-x', '1=2:end:2'] + (['-x', '%d=2' % x.ndim] if x.ndim > 1 else [])
    same(convert(image(x), *words)[0], cut(x))
    piped = run('fits2taf', *words, pipe=image(x)).stdout
    assert piped.endswith(cut(x).tobytes(order='F'))
    assert piped == run('fits2taf', *words, 'a.fits').stdout
    if x.dtype.kind == 'f':
        continue
    # integers of the other sign, exactly
    zero, mark = -128 if kind == 'u1' else 1 << bits - 1, int(x.flat[3])
    y = (x.astype(object) + zero).astype({'u1': 'i1'}.get(kind, '<' + kind.replace('i', 'u')))
    file = image(x, card('BZERO', zero), card('BLANK', mark))
    got, tail = convert(file)
    same(got, y)
    assert 'hdf/_FillValue=%d\n' % (mark + zero) in tail, tail
    got, tail = convert(file, '-r')
    same(got, x)
    assert 'hdf/_FillValue=%d\n' % mark in tail and 'fits/BZERO=%d\n' % zero in tail, tail
    # what is missing
    blank = card('BLANK', mark)
    for b, values in ((file, y), (image(x, blank), x),
            (image(x, blank, card('BSCALE', .5), card('BZERO', 7)), x * .5 + 7)):
        want = values.astype('f8' if bits > 16 or values.dtype.kind == 'f' else 'f4')
        want = np.where(x == mark, np.nan, want).astype(want.dtype)
        open('a.fits', 'wb').write(b)
        for way, w in ([], want), (words, cut(want)):
            run('fits2taf', '-q', '--nan', *way, 'a.fits', '-o', 'a.taf')
            got, tail = load_taf('a.taf')
            assert got.dtype == w.dtype and np.array_equal(got, w, equal_nan=True), (got, w)
            assert 'hdf/_FillValue=nan\n' in tail, tail
EOF
}

@test "BLANK: the remark about missing elements names fits2taf, also after tafcast" {
	fits <<'EOF'
x = noise('<i2', (5, 4))
said = 'tafmath: hdf/_FillValue=%d calls elements missing, which count as numbers here ' \
    '(fits2taf --nan makes them NaN)\n'
for zero, cards in (0, []), (32768, [card('BZERO', 32768)]):
    got, tail = convert(image(x, card('BLANK', 7), *cards))
    assert 'fits/BLANK=7\n' in tail, tail
    p = run('tafmath', '0*a', 'a.taf')
    assert p.stderr.decode() == said % (7 + zero) and b'BLANK' not in p.stdout, p
wide = run('tafcast', '-t', 'int32', 'a.taf').stdout
assert run('tafmath', '2*a', pipe=wide).stderr.decode() == said % 32775
bare = run('fits2taf', '--nan', 'a.fits').stdout
assert b'BLANK' not in bare and run('tafmath', '2*a', pipe=bare).stderr == b''
EOF
}

@test "grids, labels, units, keywords of all kinds, comments" {
	fits <<'EOF'
x = noise('<f4', (4, 3, 5))
linear = [card('CRVAL1', 5.5), card('CRPIX1', 3), card('CDELT1', '= -5E-1'),
    card('CTYPE1', 'FREQ'), card('CUNIT1', 'Hz'),
    card('CDELT3', 4), card('CRPIX3', 1), card('CROTA2', 0.)]
text, tail = convert(image(x, *linear, card('BUNIT', 'Jy/beam'),
    card('OBJECT', "it's  / no comment"), card('EMPTY', ''), card('EXPTIME', '=  2.50 / s'),
    card('FLAG', True), card('LONG', "='one &'"), "CONTINUE  'two&' / so", "CONTINUE  ' three'",
    'HIERARCH ESO DET ID = 7 / of ESO', 'COMMENT  first line', 'HISTORY second = line',
    card('DATE-OBS', '2020-01-02')))
assert grid(1) == (6.5, -.5) and grid(2) == (1, 1) and grid(3) == (0, 4), (grid(1), grid(3))
assert tail.startswith('first line\nsecond = line\n\n--- attributes ---\n'), tail
for line in ('label@1=FREQ', 'unit@1=Hz', 'unit=Jy/beam', "fits/OBJECT=it's  / no comment",
        'fits/EXPTIME=2.50', 'fits/FLAG=T', 'fits/LONG=one twothree', 'fits/CROTA2=0.0',
        'fits/ESO%20DET%20ID=7', 'fits/DATE-OBS=2020-01-02'):
    assert line + '\n' in tail, (line, tail)
for word in 'CRVAL', 'CDELT', 'CRPIX', 'BITPIX', 'EMPTY':
    assert word not in tail, tail
# axes that are not linear, or turned: the grid of indices, and the keywords as they are
for cards in ([card('CTYPE1', 'RA---TAN')], [card('PC1_2', .5)], [card('CD1_1', .5)],
        [card('CROTA2', 30.)]):
    got, tail = convert(image(x, *linear[:3], *cards))
    assert grid(1) == (1, 1), cards
    assert 'fits/CRVAL1=5.5\n' in tail and 'fits/CDELT1=-5E-1\n' in tail, tail
convert(image(x, *linear[:3], card('CDELT2', 0)))
assert grid(1) == (6.5, -.5) and grid(2) == (1, 1)
# keywords of the file, and of axes that are not there; units of what is not mapped
none = [card('CTYPE4', 'none'), card('CHECKSUM', 'x'), card('BUNIT', 'V'), card('CUNIT1', 'm'),
    card('CTYPE1', 'RA---TAN')]
got, tail = convert(image(x, *none), '-r')
assert sorted(tail.split('---\n')[1].splitlines()) == ['fits/BUNIT=V', 'fits/CTYPE4=none',
    'fits/CUNIT1=m', 'label@1=RA---TAN'], tail
# BLANK of floats, and one that no element is; a mapping is no other sign
for kind, blank in ('<f4', 3), ('u1', -7):
    got, tail = convert(image(noise(kind, (3, 2)), card('BLANK', blank)))
    assert tail == '--- attributes ---\nfits/BLANK=%d\n' % blank, tail
z = noise('<i2', (5, 4))
same(convert(image(z, card('BSCALE', 2), card('BZERO', 32768)))[0], z)
assert mapping() == (32768, 2)
# more cards than are read at once
got, tail = convert(image(x, *['COMMENT %d' % k for k in range(700)], *linear))
assert grid(1) == (6.5, -.5) and tail.split()[:700] == [str(k) for k in range(700)]
same(convert(image(x, *linear), '-x', 'FREQ=2:3')[0], np.asfortranarray(x[1:3]))
assert grid(1) == (6, -.5)
EOF
}

@test "several units, tables and what is hostile: 3 with the fact, before any output" {
	fits <<'EOF'
x, y = noise('<i2', (5, 4)), noise('<f8', (3, 2, 4))
empty = unit(head(8, ()))
table = unit(head(8, (6, 3), 'BINTABLE', 4) + [card('EXTNAME', 'EVENTS')], bytes(22))
packed = unit(head(8, (6, 3), 'BINTABLE') + [card('ZIMAGE', True)], bytes(18))
file = empty + image(x, card('BZERO', 32768), extension='IMAGE') + table + \
    image(y, extension='IMAGE')
left = b'fits2taf: a.fits: 1 objects beside the records are left out\n'
open('a.fits', 'wb').write(file)
run('fits2taf', '-q', '--images', 'a.fits', '-o', 'b-%d.taf')
same(load_taf('b-1.taf')[0], (x.astype('i4') + 32768).astype('<u2'))
same(load_taf('b-2.taf')[0], y)
same(convert(file, '--images', '-N', '2', err=left)[0], y)
# a heap, and groups, are behind the rows of a table
groups = unit(head(8, (6, 3), 'BINTABLE'), bytes(3600)).replace(
    b'GCOUNT  =                    1', b'GCOUNT  =                  200')
for more in unit(head(8, (6, 3), 'BINTABLE', 3000), bytes(3018)), groups:
    same(convert(empty + more + image(y, extension='IMAGE'), '--images', err=left)[0], y)
convert(image(x) + b'rest',
    err=b'fits2taf: a.fits: 4 bytes behind the last record are left out\n')
convert(image(x) + image(x[:0], extension='IMAGE'), err=left)
def bad(fact, b, *words):
    open('a.fits', 'wb').write(b)
    p = run('fits2taf', *words, 'a.fits', status=3)
    assert p.stdout == b'' and p.stderr.startswith(b'fits2taf: a.fits: '), p
    assert fact in p.stderr.decode(), (fact, p.stderr)
bad('unit 3: XTENSION = BINTABLE EVENTS, no image (--images leaves it out)', file)
bad('unit 2: a compressed image (funpack', empty + packed)
bad('unit 2: a compressed image (funpack', empty + packed, '--images')
bad('no image with elements', empty)
bad('no image with elements', empty + table, '--images')
bad('SIMPLE = F , no image', image(x).replace(b'         T', b'         F', 1))
bad('SIMPLE = F , no image', image(x).replace(b'         T', b'         F', 1), '--images')
bad('unit 1: BITPIX is 12', unit(head(12, (2,)), bytes(99)))
bad('unit 1: NAXIS is "65"', unit(head(8, (1,) * 65), bytes(1)))
bad('unit 1: NAXISn is "-3"', unit(head(8, (-3, 2)), b'1'))
bad('unit 1: NAXISn is ""', unit(head(8, (3, 2))[:-1], bytes(6)))
bad('unit 1: NAXIS is ""', image(x).replace(b'NAXIS   =', b'NAXIS0  ='))
bad('unit 2: GCOUNT is "0"', empty + image(x, extension='IMAGE').replace(
    b'GCOUNT  =                    1', b'GCOUNT  =                    0'))
for shape in (2 ** 62, 2 ** 62), (2 ** 63 - 1, 3), (2 ** 61,), (9, 2 ** 60):
    bad('unit 1: more data than any file has', unit(head(-64, shape)))
bad('unit 2: more data than any file has', empty +
    unit(head(16, (2,), 'TABLE', 2 ** 63 - 1)))
bad('data and padding: 800640 bytes at offset 2880, but the file has 5760',
    unit(head(16, (400000,)), bytes(8)))
endless = image(x)[:2880].replace(b'END  ', b'NOT  ')
bad('unit 1: the file ends before END', endless)
bad('unit 1: no END among 10000 cards', endless + b' ' * 2880 * 400)
bad('unit 1: card 5 is no text', image(x)[:330] + b'\0' + image(x)[331:])
bad('BSCALE or BZERO is no number', image(x, card('BSCALE', 'one')))
bad('BSCALE or BZERO is no number', image(x, card('BZERO', '= inf')))
bad('CRPIX or CDELT of axis 2 is no number', image(x, card('CDELT2', '= nan')))
bad('not a FITS file', b'SIMPLE = T' + bytes(3000))
bad('dimension 3', image(x), '-x', '3=1')
for n in 2879, 2880, 5000, len(file) - 1:
    bad('', file[:n], '--images')
EOF
	refuse 3 tafread "$BATS_TEST_DIRNAME/fuzz/corpus/fits/image"
	grep -q 'a FITS file (use fits2taf)' err
	equal "$(taf read "$BATS_TEST_DIRNAME/fuzz/corpus/fits/image" | tail -n 1)" 30.75
}

@test "what astropy writes" {
	need numpy
	"$PYTHON" -c 'import astropy.io.fits' 2>/dev/null || skip "no astropy"
	python <<'EOF'
from astropy.io import fits
arrays = [noise(k, s) for k, s in (('u1', (3, 4)), ('i2', (5,)), ('u2', (4, 3, 2)),
    ('i4', (2, 7)), ('u4', (6, 2)), ('i8', (3, 3)), ('u8', (4, 5)), ('f4', (5, 2)),
    ('f8', (2, 3, 4, 2)), ('i1', (9, 2)))]
units = [fits.PrimaryHDU()] + [fits.ImageHDU(x, name='N%d' % k) for k, x in enumerate(arrays)]
units[3].header['NOTE'] = 'a long text ' * 20
fits.HDUList(units).writeto('a.fits', checksum=True)
subprocess.run(['fits2taf', 'a.fits', '-o', 'b-%d.taf'], check=True)
for k, x in enumerate(arrays):
    got, tail = load_taf('b-%d.taf' % (k + 1))
    same(got, x.T)
    assert 'fits/EXTNAME=N%d\n' % k in tail
assert 'fits/NOTE=' + ('a long text ' * 20).strip() + '\n' in load_taf('b-3.taf')[1]
fits.HDUList([fits.PrimaryHDU(), fits.CompImageHDU(arrays[0])]).writeto('c.fits')
p = subprocess.run(['fits2taf', '--images', 'c.fits'], capture_output=True)
assert p.returncode == 3 and b'compressed' in p.stderr
EOF
}
