# SPDX-License-Identifier: ISC
load helper
load rowmajor

# nrrd: a script on standard input, with what it takes to write NRRD by hand, and to run commands
nrrd() {
	need numpy
	{
		cat <<'END'
import gzip
def head(x, kind, encoding, order, *lines, version=4):
    return ('NRRD000%d\n' % version + '\n'.join(['type: ' + kind, 'dimension: %d' % x.ndim,
        'sizes: ' + ' '.join(map(str, x.shape)), 'encoding: ' + encoding,
        'endian: ' + order, *lines]) + '\n').encode()
def raw(x, order='little'):
    return x.astype(x.dtype.newbyteorder('<>'[order == 'big'])).tobytes(order='F')
def run(*words, status=0, pipe=None):
    p = subprocess.run(words, capture_output=True, input=pipe)
    assert p.returncode == status, (words, p.returncode, p.stderr)
    return p
def convert(b, *words, err=b''):
    open('a.nrrd', 'wb').write(b)
    p = run('nrrd2taf', *words, 'a.nrrd', '-o', 'a.taf')
    assert p.stderr == err, p.stderr
    return load_taf('a.taf')
def grid(k):
    return struct.unpack_from('<dd', open('a.taf', 'rb').read(), 1056 + 24 * k - 16)
END
		cat
	} | python
}

@test "every type, name, encoding, order and rank; regions; data in a file of their own" {
	nrrd <<'EOF'
names = {'i1': ('signed char', 'int8', 'int8_t'),
    'u1': ('uchar', 'unsigned char', 'uint8', 'uint8_t'),
    'i2': ('short', 'short int', 'signed short', 'signed short int', 'int16', 'int16_t'),
    'u2': ('ushort', 'unsigned short', 'unsigned short int', 'uint16', 'uint16_t'),
    'i4': ('int', 'signed int', 'int32', 'int32_t'),
    'u4': ('uint', 'unsigned int', 'uint32', 'uint32_t'),
    'i8': ('longlong', 'long long', 'long long int', 'signed long long', 'int64', 'int64_t'),
    'u8': ('ulonglong', 'unsigned long long', 'unsigned long long int', 'uint64', 'uint64_t'),
    'f4': ('float',), 'f8': ('double',)}
shapes = [(7,), (5, 4), (4, 3, 5), (2, 3, 1, 4)]
os.makedirs('d/e', exist_ok=True)
for n, (kind, words) in enumerate(names.items()):
    x = noise('<' + kind, shapes[n % 4])
    order = ('little', 'big')[n % 2]
    other = ('big', 'little')[n % 2]
    for word in words:
        assert convert(head(x, word, 'raw', order) + b'\n' + raw(x, order))[0].dtype == x.dtype
    same(load_taf('a.taf')[0], x)
    same(convert(head(x, words[0], 'raw', other) + b'\n' + raw(x, other))[0], x)
    def cut(a):
        return np.asfortranarray(a[1::2][..., 1:2] if a.ndim > 1 else a[1::2])
    part = ['-x', '1=2:end:2'] + (['-x', '%d=2' % x.ndim] if x.ndim > 1 else [])
    packed = gzip.compress(b'abc' + raw(x, other)[:5]) + gzip.compress(raw(x, other)[5:])
    text = np.nan_to_num(x.astype('f4'), posinf=7) if kind[0] == 'f' else x
    text = text.astype(x.dtype)
    numbers = '\n'.join(repr(v.item()) for v in text.flatten(order='F')).encode()
    for file, want in ((head(x, words[0], 'raw', order, 'byte skip: -1') +
            b'\njunk' + raw(x, order), x),
            (head(x, words[0], 'GZ', other, 'byteskip: 3', 'line skip: 2') +
            b'\n1\n2\n' + packed, x),
            (head(x, words[0], 'ascii', order) + b'\r\n ' + numbers + b'\n', text)):
        same(convert(file)[0], want)
        same(convert(file, *part)[0], cut(want))
        piped = run('nrrd2taf', *part, pipe=file).stdout
        assert piped == run('nrrd2taf', *part, 'a.nrrd').stdout
    open('d/e/x', 'wb').write(b'line\nab' + raw(x, order))
    open('d/a.nhdr', 'wb').write(head(x, words[0], 'raw', order, 'line skip: 1',
        'byte skip: 2', 'data file: ./e/x'))
    for name in 'd/a.nhdr', './d/../d/a.nhdr', os.path.abspath('d/a.nhdr'):
        run('nrrd2taf', *part, name, '-o', 'a.taf')
        same(load_taf('a.taf')[0], cut(x))
    got = subprocess.run('cd d && nrrd2taf <a.nhdr', shell=True, capture_output=True).stdout
    assert got.endswith(x.tobytes(order='F'))
# what may be left out: the order of bytes, and that of text; the end of the last line
b = noise('u1', (3, 2))
for version in range(1, 6):
    plain = head(b, 'uchar', 'raw', '', version=version).replace(b'endian: \n', b'')
    same(convert(plain + b'\n' + raw(b))[0], b)
same(convert(plain.replace(b'raw', b'text') + b'\n1 2 3 4 5 6')[0],
    np.arange(1, 7, dtype='u1').reshape(3, 2, order='F'))
open('c.raw', 'wb').write(raw(b))
same(convert(plain + b'data file: c.raw')[0], b)
# what packs best
b = np.zeros(1 << 20, 'u1')
same(convert(head(b, 'uchar', 'gzip', 'little') + b'\n' + gzip.compress(raw(b)))[0], b)
EOF
}

@test "grids, labels, units, keys, remarks" {
	nrrd <<'EOF'
x = noise('<f4', (4, 3, 5))
def volume(*lines):
    return convert(head(x, 'float', 'raw', 'little', *lines) + b'\n' + raw(x))
got, tail = volume('# first', 'spacings: 0.5 nan -2', 'axis mins: 5 3 nan',
    'centers: cell none node', 'labels: "FREQ" "" "a \\"b\\" c"', 'units: "Hz" "" "m s"',
    'kinds: domain list ???', 'thicknesses: nan 2 nan', 'sample units: V',
    'content: some text: so', 'Key of mine:=a\\nb\\\\c: d', '#second')
assert grid(1) == (5.25, .5) and grid(2) == (1, 1) and grid(3) == (0, -2), (grid(1), grid(3))
assert tail.startswith('first\nsecond\n\n--- attributes ---\n'), tail
want = ['label@1=FREQ', 'unit@1=Hz', 'label@3=a %22b%22 c', 'unit@3=m s',
    'nrrd/kind@1=domain', 'nrrd/kind@2=list', 'nrrd/thickness@2=2', 'nrrd/min@1=5',
    'nrrd/min@2=3', 'unit=V', 'nrrd/content=some text: so',
    'nrrd/Key%20of%20mine=a%0Ab\\c: d']
assert sorted(tail.split('--- attributes ---\n')[1].splitlines()) == sorted(want), tail
space = ['space: RAS', 'space origin: (7, 8)', 'space units: "mm" "cm"']
got, tail = volume(*space, 'space directions: none (.5,0) (0,-2)')
assert grid(1) == (1, 1) and grid(2) == (7, .5) and grid(3) == (8, -2)
assert tail.split('---\n')[1] == 'unit@2=mm\nunit@3=cm\nnrrd/space=RAS\n', tail
# not diagonal, or no origin: as text
for first, vectors in ((space, '(.5,0) none (1,-2)'), (space, '(0,1) (1,0) none'),
        ([], '(1,0,0) (0,2,0) (0,0,3)'), (space, '(1,0,0) (0,2,0) (0,0,3)')):
    got, tail = volume(*first, 'space directions: ' + vectors)
    assert grid(1) == grid(2) == grid(3) == (1, 1)
    assert 'nrrd/space%20directions=' + vectors + '\n' in tail, tail
got, tail = volume('space origin: (5,6)', 'space directions: (2) (0) none')
assert grid(1) == grid(2) == (1, 1)
got, tail = volume('spacings: 1 0 2', 'centerings: cell cell cell', 'axis maxs: nan 7 nan',
    'labels: "1" none "???"', 'empty:=')
assert grid(1) == (.5, 1) and grid(2) == (1, 1) and grid(3) == (1, 2)
assert tail.split('---\n')[1] == 'label@1="1"\nnrrd/max@2=7\n', tail
EOF
}

@test "what is hostile: 3 with the fact, before any output" {
	nrrd <<'EOF'
x = noise('<i2', (4, 3))
good = head(x, 'short', 'raw', 'little')
convert(good + b'\n' + raw(x) + b'rest',
    err=b'nrrd2taf: a.nrrd: 4 bytes behind the last record are left out\n')
# late: what is found when elements pass
def bad(fact, b, status=3, late=False):
    open('a.nrrd', 'wb').write(b)
    p = run('nrrd2taf', 'a.nrrd', '-o', 'new.taf', status=status)
    assert p.stderr.startswith(b'nrrd2taf: '), p
    assert fact in p.stderr.decode() and not os.path.exists('new.taf'), (fact, p.stderr)
    assert late or run('nrrd2taf', 'a.nrrd', status=status).stdout == b''
def changed(a, b, data=raw(x)):
    assert a in good
    return good.replace(a, b) + b'\n' + data
for line in good.splitlines(keepends=True)[1:]:
    bad('no field "' + line.split(b':')[0].decode(), changed(line, b''))
for sizes in b'4 0', b'4', b'4 3 1', b'-4 3', b'4000000000 9000000000', b'4 3x', b'99999999999999999999 1':
    bad('field "sizes": ' + sizes.decode(), changed(b'4 3', sizes))
bad('data: 8000000000000000000 bytes', changed(b'4 3', b'4000000000 1000000000'))
bad('field "dimension": 65', changed(b'dimension: 2', b'dimension: 65'))
bad('field "dimension": 0', changed(b'dimension: 2', b'dimension: 0'))
for kind in b'block', b'half', b'unsigned', b'long', b'int128':
    bad('field "type": ' + kind.decode(), changed(b'short', kind))
for encoding in b'hex', b'bzip2', b'zstd':
    bad('field "encoding": ' + encoding.decode(), changed(b'raw', encoding))
bad('field "endian": middle', changed(b'little', b'middle'))
bad('data: 24 bytes at offset', changed(b'4 3', b'4 3', raw(x)[:-1]))
bad('data: 24 bytes at offset', good)
bad('field "byte skip": -1', changed(b'raw', b'gzip\nbyte skip: -1'))
bad('byte skip: 9999 bytes at', changed(b'raw', b'raw\nbyte skip: 9999'))
bad('ends within the lines', changed(b'raw', b'raw\nline skip: 9999'))
bad('no field, key or remark: nonsense', changed(b'type', b'nonsense\ntype'))
bad('a NUL in the header', changed(b'raw', b'r\0w'))
bad('a header of more than 1 MiB', b'NRRD0001\n' + b'# remark\n' * 120000)
bad('not an NRRD file', b'NRRD0009\n')
# packed data: cut, broken, too many, and sizes that no packing has
z = gzip.compress(raw(x))
bad('the packed data end', changed(b'raw', b'gzip', z[:-9]), late=True)
bad('packed data are broken', changed(b'raw', b'gzip', z[:-6] + b'abcdef'), late=True)
bad('packed data are broken', changed(b'raw', b'gzip', z + b'more'), late=True)
bad('packed data have more', changed(b'raw', b'gzip', gzip.compress(bytes(1 << 24))), late=True)
bad('packed data end', changed(b'raw', b'gzip', gzip.compress(raw(x)[1:])), late=True)
bad('4000000000000 elements, but', changed(b'4 3', b'4000000 1000000', z).replace(b'raw', b'gzip'))
# text
for text, fact in ((b'1 2 3', 'elements, but'), (b'1 ' * 11 + b' ' * 9, '1 values missing'),
        (b'1 ' * 13, 'more than the values'), (b'1 ' * 11 + b'x', 'no int16: x'),
        (b'1 ' * 11 + b'70000', 'no int16: 70000'), (b'1.5 ' * 12, 'no int16: 1.5')):
    bad(fact, changed(b'raw', b'text', text), late=True)
# other files
os.mkdir('d')
open('secret', 'wb').write(raw(x))
os.symlink('../secret', 'd/link')
for name in '../secret', os.path.abspath('secret'), 'x/../../secret', '..', '/':
    bad('data file: %s: not below' % name, good + b'data file: %s\n' % name.encode())
for name in 'LIST', 'x%03d 1 9 1':
    bad('data file: %s: several' % name, good + b'datafile: %s\n' % name.encode())
bad('data file: none: is not there', good + b'data file: none\n', status=4)
open('d/a.nhdr', 'wb').write(good + b'data file: link\n')
assert b'a symbolic link leaves' in run('nrrd2taf', 'd/a.nhdr', status=3).stderr
open('short', 'wb').write(raw(x)[:7])
p = run('nrrd2taf', pipe=good + b'data file: short\n', status=3)
assert b'short: data: 24 bytes at offset 0, but the file has 7' in p.stderr, p.stderr
EOF
	refuse 3 tafread "$BATS_TEST_DIRNAME/fuzz/corpus/nrrd/raw"
	grep -q 'an NRRD file (use nrrd2taf)' err
	equal "$(taf read "$BATS_TEST_DIRNAME/fuzz/corpus/nrrd/text" | tail -n 1)" 111
}

@test "a long list of directions takes no minutes" {
	nrrd <<'EOF'
x = noise('<i2', (4, 3))
long = 'space directions: (1)' + ' -' * 400000
file = head(x, 'short', 'raw', 'little', 'space origin: (1)', long) + b'\n' + raw(x)
p = subprocess.run('nrrd2taf', input=file, capture_output=True, timeout=20)
assert p.returncode == 0 and p.stdout.endswith(raw(x)), p.stderr
EOF
}
