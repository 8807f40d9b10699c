# SPDX-License-Identifier: ISC
# What is run while each call of it fails in turn (faults.bats).
# in turn: - -q run.zarr v -o out.rsf
# in turn: - -q -x 1=2:3 run.zarr v -o out.taf
# in turn: - --list run.zarr

load helper

# python: what it reads, with zarrs.py
python() {
	{ echo 'from zarrs import *'; cat; } | PYTHONPATH=$BATS_TEST_DIRNAME "$PYTHON" -
}

@test "version 2: every type, order of bytes, order, packing and chunking, chunks that are missing" {
	need numpy jansson zlib zstd blosc bzip2 lzma
	python <<'EOF'
types = '?1 i1 u1 <i2 >i2 <u2 >u2 <i4 >i4 <u4 >u4 <i8 >i8 <u8 >u8 <f2 >f2 <f4 >f4 <f8 >f8 <c8 >c8 <c16 >c16'.split()
shapes = (5, 7, 4), (12, 3), (9,), (2, 3, 4, 5), (1, 6)
cuts = (2, 7, 3), (5, 2), (4,), (3, 2, 4, 4), (1, 1)
packs = None, 'zlib', 'gzip', 'zstd', 'unsized', 'blosc', 'lz4', 'bz2', 'lzma'
for n, kind in enumerate(types):
    for m in range(3):
        k = n + 2 * m
        a = noise('?' if kind == '?1' else kind, shapes[k % 5])
        chunks, order, pack = cuts[k % 5], 'CF'[k % 2], packs[(n + 3 * m) % 9]
        fill = {'b': True, 'i': -7, 'u': 9, 'f': 0.1, 'c': [1.5, -2]}[a.dtype.kind]
        gone = [(0,) * a.ndim] if m else []
        path = 's%d.%d' % (n, m)
        filters = [a.dtype.itemsize] if m == 1 and a.dtype.itemsize > 1 else \
            [{'id': 'delta', 'dtype': a.dtype.str}] if m == 2 and a.dtype.kind in 'iu' else []
        v2(path, a, chunks, pack, order, '/.'[m % 2], filters, fill, gone)
        want = without_chunks(a, chunks, gone, complex(*fill) if a.dtype.kind == 'c' else fill)
        want = becomes(want.T if m == 2 else want)
        how = ['--reverse'] * (m == 2) + ['-m', ('100k', '300k', '256M')[k % 3], '-J', '132'[k % 3]]
        same(read(*how, path), want, (kind, pack, order))
EOF
}

@test "parts by index with steps, of chunks and shards, whatever the memory and the threads" {
	need numpy jansson zlib
	python <<'EOF'
a = noise('<i4', (13, 9, 11))
v2('two', a, (4, 9, 3), 'zlib')
v3('three', a, (2, 3, 4), 'gzip', shard=(6, 3, 8))
bounds = '2:11:3 1:9 5', '13 3:8:2 1:11', '1:13:5 9 2:10:4', '7:8 1:9:8 11'
for n, words in enumerate(bounds):
    x, part = [], []
    for k, w in enumerate(words.split()):
        b = [int(v) for v in w.split(':')]
        x += ['-x', '%d=%s' % (k + 1, w)]
        part.append(slice(b[0] - 1, b[1] if len(b) > 1 else b[0], b[2] if len(b) > 2 else 1))
    for path in 'two', 'three':
        for m in '100k', '256M':
            same(read(*x, '-m', m, '-J', str(1 + n % 3), path), a[tuple(part)], (words, path))
same(read('-m', '100k', '--reverse', 'three'), a.T)
# boxes that do not follow one another, to a file and to a pipe; some are not packed
v2('plain', a, (2, 3, 2))
same(read('-m', '1k', 'plain'), a)
same(read('-m', '1k', '--reverse', 'plain'), a.T)
for m in '1k', '256M':
    assert run('zarr2taf', '-m', m, 'plain', '-o', m + '.rsf').returncode == 0
assert open('1k.rsf', 'rb').read() == open('256M.rsf', 'rb').read()
# chunks that boxes cut, as their runs in the output would be short
a = noise('<f4', (61, 50, 47))
v2('slabs', a, (2, 50, 47), without=[(3, 0, 0)])
b = without_chunks(a, (2, 50, 47), [(3, 0, 0)], 0)
for m in '60k', '100k', '1M':
    assert run('zarr2taf', '-m', m, '-J', '3', 'slabs', '-o', 'slabs.rsf').returncode == 0
    assert open('slabs.rsf', 'rb').read()[-b.nbytes:] == b.tobytes('F'), m
    same(read('-m', m, '-x', '1=4:60:3', '-x', '3=2:40:2', 'slabs'), b[3:60:3, :, 1:40:2], m)
EOF
}

@test "a chunk that changes between two reads of its parts: 3" {
	need numpy jansson
	python <<'EOF'
import os, threading, time
v2('s', noise('<f4', (128, 64, 64)), (2, 64, 64))
done = threading.Event()
def touch():
    while not done.wait(.003):
        os.utime('s/17.0.0')
t = threading.Thread(target=touch)
t.start()
p = run('zarr2taf', '-m', '100k', '-o', 'o.taf', 's')
done.set()
t.join()
assert p.returncode == 3 and b'changed while it was read' in p.stderr, p
assert not os.path.exists('o.taf')
EOF
}

@test "an array that another one of the same shape replaces while it is read: 3" {
	need numpy jansson
	python <<'EOF'
import os, subprocess
for s in 's', 'new':
    v2(s, noise('<f8', (128, 64, 64)), (2, 64, 64))
p = subprocess.Popen(['zarr2taf', '-m', '100k', 's'], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
p.stdout.read(1)
os.rename('s', 'old')
os.rename('new', 's')
p.stdout.read()
assert p.wait() == 3 and b'changed while it was read' in p.stderr.read()
EOF
}

@test "version 3: types, codecs, transpose, shards with holes, places of the index, keys" {
	need numpy jansson zlib zstd blosc
	python <<'EOF'
types = '? i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8 c8 c16'.split()
packs = None, 'gzip', 'zstd', 'blosc', 'unsized'
orders = None, [2, 0, 1], [1, 2, 0], [2, 1, 0]
encodings = (None, {'name': 'v2'}, {'name': 'default', 'configuration': {'separator': '.'}},
    {'name': 'v2', 'configuration': {'separator': '/'}})
shape, chunks, shard = (7, 5, 6), (2, 3, 2), (4, 6, 4)
for n, kind in enumerate(types):
    a = noise(kind, shape)
    fill = {'b': True, 'i': -3, 'u': 200, 'f': 'NaN', 'c': ['Infinity', 0.5]}[a.dtype.kind]
    number = {'f': np.nan, 'c': complex(np.inf, 0.5)}.get(a.dtype.kind, fill)
    for m in range(4):
        path = 'v%d.%d' % (n, m)
        gone = [(1, 1, 0), (3, 0, 2)]
        v3(path, a, chunks, packs[(n + m) % 5], n % 2 == 1, orders[(n + m) % 4], m % 2 == 1,
            shard if m > 1 else None, m == 3, fill, gone, encodings[(n + m) % 4],
            named=['t', None, 'x'])
        want = becomes(without_chunks(a, chunks, gone, number))
        got = read(path)
        assert np.array_equal(got, want, equal_nan=a.dtype.kind in 'fc'), (kind, m)
# bits of floats, and no dimension
for kind, bits, value in (('f4', '0x7f7fffff', 3.4028234663852886e38), ('f8', '0xbff0000000000000', -1.0),
        ('f2', '0x3555', 0.333251953125), ('f2', '0x0001', 2.0 ** -24), ('f2', 0.1, 0.0999755859375)):
    v3('bits', np.zeros(3, kind), (2,), fill=bits, without=[(0,), (1,)])
    assert read('bits').tolist() == [value] * 3, bits
# codecs of numcodecs, one behind the other
a = noise('i2', (6, 5))
v3('numcodecs', a, (6, 5))
meta = json.load(open('numcodecs/zarr.json'))
meta['codecs'] += [{'name': 'numcodecs.shuffle', 'configuration': {'elementsize': 2}},
    {'name': 'numcodecs.zlib', 'configuration': {'level': 3}}]
json.dump(meta, open('numcodecs/zarr.json', 'w'))
plain = a.astype('<i2').tobytes()
open('numcodecs/c/0/0', 'wb').write(zlib.compress(plain[::2] + plain[1::2]))
assert np.array_equal(read('numcodecs'), becomes(a))
for encoding, key in ((None, 'c'), ({'name': 'v2'}, '0')):
    v3('none' + key, np.array(17, 'i2'), (), encoding=encoding)
    assert os.path.exists('none' + key + '/' + key) and read('none' + key).tolist() == [17]
v2('none', np.array(-5, '<i2'), ())
assert read('none').tolist() == [-5]
EOF
	zarr2taf none | LC_ALL=C grep -aq '^	ndim=0$'
}

@test "attributes, labels and mappings, of both versions" {
	need numpy jansson zlib
	python <<'EOF'
a = noise('<i2', (3, 4))
attrs = {'_ARRAY_DIMENSIONS': ['time', 'x'], 'units': 'V', 'long_name': 'volts', 'scale_factor': 0.5,
    'add_offset': 2, '_FillValue': -9, 'n': 18446744073709551615, 'list': [1, 'a', None, {'k': True}],
    '_NCZARR_ATTR': {'types': {'units': '<U1'}}, 'who': 'me', 'nan': float('nan'), 'missing_value': [1, 2]}
v2('two', a, (3, 4), attrs=attrs, _NCZARR_ARRAY={'dimrefs': ['/time', '/x'], 'storage': 'chunked'})
names = attrs.pop('_ARRAY_DIMENSIONS')
v3('three', a, (3, 4), attributes=attrs, named=names)
v2('scaled', a, (3, 4), 'zlib', filters=[{'id': 'fixedscaleoffset', 'scale': 8, 'offset': 100,
    'dtype': '<f8', 'astype': '<i2'}], fill=103, without=[(0, 0)], dtype='<f8')
EOF
	zarr2taf two | LC_ALL=C sed -n 's/^	//p; /^\f/q' | grep -v '^in=' >two.head
	zarr2taf three | LC_ALL=C sed -n 's/^	//p; /^\f/q' | grep -v '^in=' >three.head
	same two.head three.head
	equal "$(grep -c NCZARR two.head)" 0
	for line in 'label1="time"' 'label2="x"' 'unit="V"' 'label="volts"' taf_slope=0.5 taf_intercept=2 \
		zarr/_FillValue=-9 zarr/missing_value=1,2 zarr/n=18446744073709551615 \
		'zarr/list="[1,%22a%22,null,{%22k%22:true}]"' 'zarr/who="me"' zarr/nan=NaN; do
		grep -qxF "$line" two.head || { echo "$line"; cat two.head; return 1; }
	done
	zarr2taf --reverse two | LC_ALL=C grep -aq '^	label1="x"$'
	equal "$(zarr2taf scaled | tafread | sort -u)" 103
	equal "$(zarr2taf scaled | tafread -r | sort -u)" 24
}

@test "coordinates beside an array become its grids, with units and names" {
	need numpy jansson zlib
	python <<'EOF'
a = noise('<f4', (5, 7, 4))
def head(*words):
    p = run('zarr2taf', *words)
    assert p.returncode == 0, (words, p.stderr)
    lines = p.stdout.split(b'\n\n\x0c\x0c\x04')[0].decode().replace('\t', '').split('\n')
    return dict(l.split('=', 1) for l in lines if '=' in l), p.stderr.decode()
def grids(keys):
    return [(float(keys['o%d' % k]), float(keys['d%d' % k])) for k in (1, 2, 3)]
time, x, y = 1e9 + 0.1 * np.arange(5), (np.arange(7) - 3) * 25, np.arange(4, dtype='f4') * np.float32(0.3) - 7
def axis(make, path, values, dim, **attrs):
    if make is v2:
        v2(path, values, (3,), 'zlib', attrs={'_ARRAY_DIMENSIONS': [dim], **attrs})
    else:
        v3(path, values, (3,), 'gzip', attributes=attrs, named=[dim])
for n, make in enumerate((v2, v3)):
    g = 'g%d/' % n
    dims = ['time', 'x', 'y']
    if make is v2:
        v2(g + 'sub/v', a, (2, 3, 4), attrs={'_ARRAY_DIMENSIONS': dims})
    else:
        v3(g + 'sub/v', a, (2, 3, 4), named=dims)
    axis(make, g + 'sub/time', time, 'time', units='s', long_name='Time of day', calendar='none')
    axis(make, g + 'sub/x', x.astype('<i2'), 'x', scale_factor=0.5, add_offset=100, units='mm', _FillValue=-99)
    axis(make, g + 'sub/y', y, 'y', units='deg', n=[1, 2])
    axis(make, g + 'y', np.arange(4.), 'y', units='another group')
    keys, words = head(g, 'sub/v')
    assert words == '' and grids(keys) == [(1e9, 0.1), (100 - 37.5, 12.5), (-7, 0.3)], (words, keys)
    want = {'unit1': 's', 'label1': 'Time of day', 'zarr/NAME@1': 'time', 'zarr/calendar@1': 'none', 'unit2': 'mm',
        'label2': 'x', 'unit3': 'deg', 'label3': 'y', 'zarr/n@3': '[1,2]'}
    assert {k: keys[k].strip('"') for k in want} == want, keys
    assert not any('_FillValue' in k or 'scale' in k or 'zarr/NAME@2' in k for k in keys), keys
    keys, words = head('-x', '1=3:5:2', '-x', '3=2', g, '/sub/v')
    assert grids(keys)[0] == (1e9 + 0.2, 0.2) and abs(grids(keys)[2][0] + 6.7) < 1e-6, keys
    keys, words = head('--reverse', '-m', '100k', g, 'sub/v')
    assert grids(keys)[0] == (-7, 0.3) and keys['unit3'] == '"s"', keys
    # no grid: not uniform, another length, two dimensions, NaN, equal, missing, no mapping, beyond doubles
    for values, attrs in ((np.array([1., 2, 4, 5]), {}), (np.arange(5.), {}), (np.zeros((4, 1)), {}),
            (np.array([0, np.nan, 2, 3]), {}), (np.zeros(4), {}),
            (np.arange(4), {'missing_value': 2}), (np.arange(4), {'scale_factor': 'odd'}), (2 ** 60 + np.arange(4), {})):
        os.system('rm -r %ssub/y' % g)
        if values.ndim == 1:
            axis(make, g + 'sub/y', values, 'y', units='deg', **attrs)
        else:
            make(g + 'sub/y', values, (2, 1))
        keys, words = head(g, 'sub/v')
        assert grids(keys)[1:] == [(62.5, 12.5), (1, 1)] and 'unit3' not in keys, (values, keys)
        assert words == ('zarr2taf: %s: dimension 3: coordinates that are not uniform: '
            'this dimension counts from 1\n' % g), words
    same(read('-q', g, 'sub/v'), a)
    # a chunk of them that is broken is not passed over
    put(g + 'sub/x/' + ('c/1' if n else '1'), b'?')
    p = run('zarr2taf', g, 'sub/v')
    assert p.returncode == 3 and p.stdout == b'' and b'1: ' in p.stderr, p
    # one that is its own coordinate; one point; long, cut small; the very step
    keys, words = head(g, 'sub/time')
    assert words == '' and keys['o1'] == '1' and keys['label1'] == '"time"', keys
    axis(make, g + 't', np.arange(20000) * 1e-6 + 3, 't', long_name='')
    axis(make, g + 'one', np.array([4.5]), 'one')
    axis(make, g + 'exact', np.arange(9) * 0.1, 'exact', taf_grid=[0, 0.1 * (1 + 2 ** -52)])
    for name, count, want in (('t', 20000, (3, 1e-6)), ('one', 1, (4.5, 1)), ('exact', 9, (0, 0.1 * (1 + 2 ** -52)))):
        if make is v2:
            v2(g + 'of_' + name, np.arange(count), (count,), attrs={'_ARRAY_DIMENSIONS': [name]})
        else:
            v3(g + 'of_' + name, np.arange(count), (count,), named=[name])
        keys, words = head('-m', '300k', g, 'of_' + name)
        assert (float(keys['o1']), float(keys['d1'])) == want and ('label1' in keys) == (name != 't'), (name, keys)
        assert 'zarr/taf_grid@1' not in keys
EOF
}

@test "--nan: what attributes and version 2 call missing" {
	need numpy jansson zlib
	python <<'EOF'
import base64
def check(path, a, missing, scale=1, offset=0):
    """a with NaN, as floats that hold the values"""
    kind = 'f8' if scale != 1 else 'f%d' % a.dtype.itemsize if a.dtype.kind == 'f' else 'f4' if a.dtype.itemsize < 3 else 'f8'
    want = (a.astype('f8') * scale + offset).astype(kind)
    want[missing] = np.nan
    for how in (['-J', '1'], ['-J', '3', '-m', '60k']):
        got = read('--nan', *how, path)
        assert got.dtype == want.dtype and np.array_equal(got, want, equal_nan=True), (path, got, want)
for n, kind in enumerate('<i1 >i2 <u2 <i4 >u4 <i8 <f4 >f8'.split()):
    a = (np.arange(3000) % 101).reshape(60, 50).astype(kind)
    gone = np.zeros(a.shape, bool)
    gone[20:40, 30:] = True
    for m, pack in enumerate((None, 'zlib')):
        # the fill value of version 2, and chunks that are not there
        path = 's%d.%d' % (n, m)
        v2(path, a, (20, 30), pack, 'CF'[m], fill=7, without=[(1, 1)])
        check(path, a, (a == 7) | gone)
        v2(path, a, (20, 30), pack, fill=None, attrs={'_FillValue': 3, 'missing_value': [4, 5.0, 99999], 'valid_max': 90})
        check(path, a, (a >= 3) & (a <= 5) | (a > 90))
        v3(path + '3', a.astype(a.dtype.newbyteorder('<')), (20, 30), fill=9, attributes={'valid_range': [10, 80],
            'scale_factor': -0.5, 'add_offset': 4, '_FillValue': 20})
        check(path + '3', a, (a < 10) | (a > 80) | (a == 20), -0.5, 4)
a = noise('<f4', (9, 4))
a[2, 3] = a[5, 0] = 0.1
code = base64.b64encode(struct.pack('<d', np.float32(0.1))).decode()
v3('coded', a, (4, 4), attributes={'_FillValue': code})
check('coded', a, a == np.float32(0.1))
h = np.arange(12, dtype='<f2').reshape(3, 4)
v2('half', h, (2, 2), fill=5)
same(read('--nan', 'half'), np.where(h == 5, np.nan, h).astype('f4'))
v2('scaled', np.arange(12, dtype='<i2'), (5,), filters=[{'id': 'fixedscaleoffset', 'scale': 2, 'offset': 1,
    'dtype': '<f8', 'astype': '<i2'}], fill=4, dtype='<f8')
check('scaled', np.arange(12), np.arange(12) == 6, 0.5, 1)
a = np.array([2 ** 53 + 1, 5, 6, 7])
v2('large', a, (2,), fill=2 ** 60 + 1, without=[(1,)])
v3('large3', a, (2,), fill=2 ** 60 + 1, without=[(1,)])
for path, words in (('large', b'1 of 4'), ('large3', b'3 of 4')):
    p = run('zarr2taf', '--nan', path)
    assert p.returncode == 0 and words in p.stderr, p
v2('pairs', noise('<c8', (3,)), (3,))
p = run('zarr2taf', '--nan', 'pairs')
assert p.returncode == 3 and p.stdout == b'', p
# without it they are kept, and stay true where the elements are recoded
v2('kept', np.arange(4, dtype='<i2'), (4,), attrs={'valid_min': 1, 'scale_factor': -2})
EOF
	equal "$(zarr2taf kept | tafread -q | tr '\n' ' ')" "0 -2 -4 -6 "
	zarr2taf kept | tafcast -t flt64 | LC_ALL=C grep -aqx '	zarr/valid_max=-2'
}

@test "--list: groups, both versions, consolidated metadata, what cannot be read" {
	need numpy jansson zlib
	python <<'EOF'
a = noise('<f4', (6, 4))
put('s/.zgroup', {'zarr_format': 2})
put('s/b/.zgroup', {'zarr_format': 2})
put('s/b/zarr.txt', b'no node')
v2('s/b/one', a, (3, 4), 'zlib', filters=[4])
v2('s/a', a, (6, 4))
put('s/b/text/.zarray', dict(zarr_format=2, shape=[3], chunks=[2], dtype='<U5', order='C', compressor=None,
    fill_value='', filters=None))
put('t/zarr.json', {'zarr_format': 3, 'node_type': 'group'})
v3('t/x', a, (2, 2), 'gzip', shard=(4, 4))
put('t/g/zarr.json', {'zarr_format': 3, 'node_type': 'group'})
v3('t/g/y', a, (6, 4))
meta = {k: json.load(open('s/' + k)) for k in ('.zgroup', 'a/.zarray', 'b/.zgroup', 'b/one/.zarray')}
put('c/.zmetadata', {'zarr_consolidated_format': 1, 'metadata': meta})
put('d/zarr.json', {'zarr_format': 3, 'node_type': 'group', 'consolidated_metadata': {'kind': 'inline',
    'metadata': {'x': json.load(open('t/x/zarr.json')), 'g': {'zarr_format': 3, 'node_type': 'group'}}}})
EOF
	zarr2taf --list s >got
	printf '/a\t<f4\t6,4\t6,4\tnone\n/b/one\t<f4\t6,4\t3,4\tshuffle,zlib\n/b/text\t<U5\t3\t2\tnone\n' >want
	same got want
	zarr2taf --list c >got
	head -n 2 want >two
	same got two
	zarr2taf --list t >got
	printf '/g/y\tfloat32\t6,4\t6,4\tbytes\n/x\tfloat32\t6,4\t2,2\tsharding_indexed,bytes,gzip\n' >want
	same got want
	zarr2taf --list d >got
	tail -n 1 want >one
	same got one
	refuse 3 zarr2taf s b/text
	grep -q '<U5' err
	zarr2taf s /b/one >x
	zarr2taf s/b/one >y
	same x y
}

@test "what is broken or not known: 3, one line, and no file" {
	need numpy jansson zlib
	python <<'EOF'
a = noise('<i2', (4, 6))
def refused(path, words):
    p = run('zarr2taf', path, '-o', 'out.taf')
    assert p.returncode == 3 and p.stdout == b'' and not os.path.exists('out.taf'), (path, p)
    assert p.stderr.count(b'\n') == 1 and words in p.stderr, (path, words, p.stderr)
n = 0
def broken(words, version=2, **keys):
    global n
    n += 1
    path = 'b%d' % n
    (v2 if version == 2 else v3)(path, a, (4, 3))
    name = path + ('/.zarray' if version == 2 else '/zarr.json')
    doc = {**json.load(open(name)), **keys}
    put(name, {k: v for k, v in doc.items() if v != 'none'})
    refused(path, words)
for key, values in {'shape': [3, 'x', [4, -6], [4, 6.5], [2 ** 70, 1], [2 ** 40, 2 ** 40]],
        'chunks': [[4], [4, 0], [4, 3, 1], ['4', 3], [2 ** 62, 2 ** 62]], 'order': ['D', 1, 'none'],
        'dtype': ['<M8[s]', '|S3', '|O', [['a', '<i2']], '<i3', 'none'], 'zarr_format': [3, 'none', '2'],
        'compressor': [{'id': 'snappy'}, {}, 3], 'filters': [[{'id': 'vlen-utf8'}], 'x', [{}],
        [{'id': 'shuffle', 'elementsize': 0}]], 'fill_value': [40000, 'x', 0.5, [0]],
        'dimension_separator': [':', 1]}.items():
    for v in values:
        broken(b'', **{key: v})
grid = {'name': 'rectilinear', 'configuration': {}}
for key, v, words in (('extra', 1, b'extra'), ('extra', {'must_understand': True}, b'extra'),
        ('chunk_grid', grid, b'rectilinear'), ('data_type', 'string', b'string'), ('data_type', 'r16', b'r16'),
        ('codecs', [{'name': 'bytes', 'configuration': {'endian': 'little'}}, {'name': 'zlib'}], b'zlib'),
        ('codecs', [{'name': 'bytes'}], b'endian'), ('codecs', [], b'codecs'), ('fill_value', None, b'fill_value'),
        ('storage_transformers', [{'name': 'odd'}], b'odd'), ('node_type', 'tree', b'node_type'),
        ('node_type', 'group', b'a group'), ('chunk_key_encoding', {'name': 'odd'}, b'odd'),
        ('codecs', [{'name': 'transpose', 'configuration': {'order': [0, 0]}}, {'name': 'bytes',
        'configuration': {'endian': 'little'}}], b'order')):
    broken(words, 3, **{key: v})
v3('fine', a, (4, 3), extra={'must_understand': False})
same(read('fine'), a)
# chunks
def hurt(path, change, words, **how):
    v2(path, a, (4, 3), **how)
    data = open(path + '/0.1', 'rb').read()
    put(path + '/0.1', change(data))
    refused(path, words)
hurt('short', lambda d: d[:-1], b'23 bytes, expected 24')
hurt('long', lambda d: d + b'x', b'25 bytes, expected 24')
hurt('zshort', lambda d: zlib.compress(zlib.decompress(d)[:-1]), b'too few', pack='zlib')
hurt('zlong', lambda d: zlib.compress(zlib.decompress(d) + b'x'), b'too many', pack='zlib')
hurt('zbehind', lambda d: d + b'x', b'behind its end', pack='zlib')
hurt('zcut', lambda d: d[:-1], b'ends early', pack='zlib')
hurt('zbroken', lambda d: d[:4] + bytes([d[4] ^ 255]) + d[5:], b'0.1: ', pack='zlib')
hurt('empty', lambda d: b'', b'is empty', pack='zlib')
hurt('lz4', lambda d: d[:-1], b'broken', pack='lz4')
hurt('huge', lambda d: d + bytes(200000), b'longer than any such chunk', pack='zlib')
v2('fifo', a, (4, 3))
os.remove('fifo/0.0')
os.mkfifo('fifo/0.0')
refused('fifo', b'not a regular file')
# nothing outside of the store
v2('outside', a, (4, 3))
os.rename('outside/0.1', 'elsewhere')
os.symlink('../elsewhere', 'outside/0.1')
refused('outside', b'leaves the store')
os.remove('outside/0.1')
os.rename('elsewhere', 'outside/apart')
os.symlink('apart', 'outside/0.1')
same(read('outside'), a)
# JSON
for text in b'{', b'[]', b'', b'{"zarr_format":2,"zarr_format":2}', b'[' * 70, b'{"a":' * 70 + b'1' + b'}' * 70, b'{"a":01}':
    put('json/.zarray', text)
    refused('json', b'.zarray')
put('json/.zarray', b' ' * (16 * 1024 * 1024 + 1))
refused('json', b'bytes of JSON')
# shards
def shards(words, hurt=None, **how):
    v3('shard', a, (2, 3), 'gzip', shard=(4, 3), hurt=hurt, **how)
    refused('shard', words)
def index(k, f):
    def change(d):
        q = list(struct.unpack('<4Q', d[-36:-4]))
        q[k] = f(q)
        i = struct.pack('<4Q', *q)
        return d[:-36] + i + struct.pack('<I', crc32c(i))
    return change
shards(b'checksum', lambda d: d[:-1] + bytes([d[-1] ^ 1]))
shards(b'too short', lambda d: d[-20:])
shards(b'offset', index(0, lambda q: 1 << 40))
shards(b'offset', index(3, lambda q: q[3] + 1))
shards(b'overlap', index(2, lambda q: q[0]))
shards(b'offset', index(1, lambda q: 2 ** 64 - 2))
v3('sum', a, (4, 3), crc=True)
put('sum/c/0/1', open('sum/c/0/0', 'rb').read()[:-1] + b'\0')
refused('sum', b'checksum')
EOF
	refuse 4 zarr2taf nowhere
	mkdir folder
	refuse 3 zarr2taf folder
	refuse 3 zarr2taf --list folder
	refuse 2 zarr2taf
	refuse 2 zarr2taf a b c
	refuse 2 zarr2taf --list a b
	for path in .. a/../b a//b . a/; do
		refuse 2 zarr2taf fine "$path"
	done
	refuse 3 zarr2taf fine other
	refuse 3 zarr2taf -x 3=1 fine
}

@test "zip archives: stored and deflated members, zip64, shards; what is broken in them" {
	need numpy jansson zlib
	python <<'EOF'
import shutil, zipfile
a = noise('<i4', (30, 20))
put('s/.zgroup', {'zarr_format': 2})
put('s/a-b/zarr.json', {'zarr_format': 3, 'node_type': 'group'})
put('s/a/.zgroup', {'zarr_format': 2})
v2('s/v', a, (7, 6), attrs={'_ARRAY_DIMENSIONS': ['x', 'y']}, without=[(1, 1)], fill=5)
v2('s/x', np.arange(30) * 0.5, (30,), attrs={'_ARRAY_DIMENSIONS': ['x']})
v2('s/a/packed', a, (7, 6), 'zlib', separator='/')
v3('s/a-b/shards', a, (5, 5), 'gzip', shard=(10, 20))
files = sorted(os.path.join(d, f)[2:] for d, _, names in os.walk('s') for f in names)
def archive(path, how=zipfile.ZIP_STORED, large=False, change=lambda n, d: d):
    with zipfile.ZipFile(path, 'w', how) as z:
        for n in files:
            with z.open(n, 'w', force_zip64=large) as f:
                f.write(change(n, open('s/' + n, 'rb').read()))
archive('stored.zip')
archive('deflated.zip', zipfile.ZIP_DEFLATED)
archive('large.zip', large=True)
want = run('zarr2taf', '--list', 's').stdout
assert want.count(b'\n') == 4 and b'/a-b/shards' in want
for z in 'stored.zip', 'deflated.zip', 'large.zip':
    assert run('zarr2taf', '--list', z).stdout == want, z
    for name in 'v', 'a/packed', 'a-b/shards':
        for how in ([], ['-m', '200k', '-J', '1', '--reverse'], ['-x', '1=3:17:5', '-x', '2=20']):
            same(read(*how, z, name), read(*how, 's', name), (z, name, how))
head = run('zarr2taf', 'stored.zip', 'v').stdout
assert b'd1=0.5\n' in head and read('stored.zip', 'v')[7, 6] == 5
# the last member of a name counts
shutil.copy('stored.zip', 'twice.zip')
with zipfile.ZipFile('twice.zip', 'a') as z:
    import warnings
    warnings.simplefilter('ignore')
    z.writestr('v/0.0', bytes(168))
    z.writestr('../v/0.1', b'out')
    z.writestr('/v/0.1', b'out')
got = read('twice.zip', 'v')
assert not got[:7, :6].any()
same(got[:, 6:], read('s', 'v')[:, 6:])
def refused(words, data, name='v', path='bad.zip', status=3):
    put(path, data)
    p = run('zarr2taf', path, name, '-o', 'out.taf')
    assert p.returncode == status and not os.path.exists('out.taf') and p.stdout == b'', p
    assert p.stderr.count(b'\n') == 1 and words in p.stderr, (words, p.stderr)
for z, name, words in (('stored.zip', 'v/0.0', b'CRC-32'), ('deflated.zip', 'a/packed/0/0', b'member a/packed/0/0'),
        ('deflated.zip', 'a-b/shards/c/0/0', b'member a-b/shards/c/0/0')):
    data = bytearray(open(z, 'rb').read())
    m = zipfile.ZipFile(z).getinfo(name)
    data[m.header_offset + 30 + len(name) + m.compress_size // 2] ^= 4
    refused(words, bytes(data), name.split('/')[0] if name[0] == 'v' else '/'.join(name.split('/')[:2]))
data = open('stored.zip', 'rb').read()
refused(b'', data[:-1])
refused(b'', data[:len(data) // 2])
refused(b'neither a folder nor a zip archive\n', b'text')
refused(b'nor a zip archive: it is an HDF5 file', b'\x89HDF\r\n\x1a\n' + bytes(90))
refused(b'', data[:22])
refused(b'no such array', data, 'w')
for n, words in ((b'.zarray', b'.zarray'), (b'0.0', b'0.0')):
    at = data.index(b'PK\1\2', data.index(b'PK\1\2'))
    while data[at + 46:].find(b'v/' + n) != 0:
        at = data.index(b'PK\1\2', at + 4)
    refused(b'encrypted', data[:at + 8] + b'\1' + data[at + 9:])
    refused(b'another', data[:at + 10] + b'\14' + data[at + 11:])
    local = int.from_bytes(data[at + 42:at + 46], 'little')
    packed = data[:local + 8] + b'\14' + data[local + 9:]
    refused(b'method 12', packed[:at + 10] + b'\14' + packed[at + 11:])
    # a name that is damaged is not that of a chunk that is not there
    refused(b'another name', data[:at + 48] + b'9' + data[at + 49:])
archive('longer.zip', change=lambda n, d: d + b'x' if n == 'v/0.0' else d)
refused(b'169 bytes', open('longer.zip', 'rb').read())
archive('bomb.zip', zipfile.ZIP_DEFLATED, change=lambda n, d: bytes(3000000) if n == 'v/0.0' else d)
refused(b'3000000 bytes', open('bomb.zip', 'rb').read())
archive('json.zip', zipfile.ZIP_DEFLATED, change=lambda n, d: b' ' * (16 * 1024 * 1024 + 1) if n == 'v/.zarray' else d)
refused(b'.zarray', open('json.zip', 'rb').read())
EOF
}

@test "other commands know a store, as a folder and as an archive; taf reads an array" {
	need numpy jansson zlib
	python <<-'EOF'
		import zipfile
		v2('s/v', np.arange(12, dtype='<i2').reshape(3, 4), (3, 4), 'zlib')
		put('s/.zgroup', {'zarr_format': 2})
		v3('t', np.arange(6, dtype='<f4'), (6,))
		with zipfile.ZipFile('v.zip', 'w') as z:
		    for n in '.zarray', '0.0':
		        z.write('s/v/' + n, n)
	EOF
	for name in s v.zip t s/v; do
		for command in tafprobe tafsummarize tafconvert; do
			refuse 3 $command $name
			grep -q 'Zarr.*zarr2taf' err
		done
	done
	for name in v.zip s/v t; do
		equal "$(taf read $name | tail -n 1)" "$(zarr2taf $name | tafread | tail -n 1)"
	done
	status 3 taf read s
	grep -q 'a group' err
}

@test "2^60 chunks that are not there cost nothing; an array without elements" {
	need numpy jansson
	python <<'EOF'
n = 2 ** 30
v2('many', np.zeros((4, 4), '<u2'), (1, 1))
doc = json.load(open('many/.zarray'))
put('many/.zarray', {**doc, 'shape': [n, n], 'chunks': [1, 1], 'fill_value': 5})
got = read('-x', '1=%d:%d' % (n - 3, n), '-x', '2=7:9', 'many')
same(got, np.full((4, 3), 5, 'u2'))
put('many/%d.7' % (n - 2), struct.pack('<H', 77))
got = read('-x', '1=%d:%d' % (n - 3, n), '-x', '2=7:9', 'many')
assert got[2, 1] == 77 and (got == 5).sum() == 11
v2('empty', np.zeros((0, 3), '<f4'), (1, 3))
assert read('empty').shape == (0, 3)
v2('null', noise('<i4', (4,)), (2,), fill=None, without=[(1,)])
p = run('zarr2taf', 'null')
assert p.returncode == 0 and p.stdout[-8:] == bytes(8) and b'no fill_value' in p.stderr
v2('large', np.zeros((1, 1), '<f8'), (1, 1))
put('large/.zarray', {**json.load(open('large/.zarray')), 'chunks': [2 ** 14, 2 ** 14]})
p = run('zarr2taf', '-m', '1M', 'large')
assert p.returncode == 3 and p.stdout == b'' and b'2147483648 bytes does not fit' in p.stderr, p
EOF
}

@test "zarr-python's stores" {
	need numpy jansson zlib zstd blosc
	"$PYTHON" -c 'import zarr, numcodecs' 2>/dev/null || skip "zarr is missing"
	python <<'EOF'
import numcodecs, zarr
a = noise('<f8', (7, 9))
packs = numcodecs.Blosc('lz4', 5, 1), numcodecs.Blosc('zstd', 1, 2), numcodecs.Zstd(3), numcodecs.LZ4()
for n, pack in enumerate(packs):
    z = zarr.open_array('z%d' % n, 'w', shape=a.shape, chunks=(4, 5), dtype=a.dtype, compressor=pack,
        order='CF'[n % 2], filters=[numcodecs.Shuffle(8)] if n > 1 else None)
    z[...] = a
    same(read('z%d' % n), a)
EOF
}
