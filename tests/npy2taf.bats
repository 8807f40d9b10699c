# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016 # what stands between single quotes is for another shell
load helper
load rowmajor

# npy HEADER: version 1.0 with the dictionary as it is given, then 24 bytes
npy() {
	perl -e 'print "\x93NUMPY\x01\x00", pack("v", length $ARGV[0]), $ARGV[0], pack "l<*", 1 .. 6' "$1"
}

@test "[i,j,k] stays [i,j,k], from C's order and from Fortran's" {
	need numpy
	python <<'EOF'
i, j, k = np.indices((2, 3, 4))
a = (100 * i + 10 * j + k).astype('<i2')
for order in 'CF':
    np.save('a.npy', np.asarray(a, order=order))
    subprocess.run('npy2taf a.npy -o a.taf; tafread -x 1=2 -x 2=1:3 -x 3=4 a.taf >v', shell=True, check=True)
    assert open('v').read().split() == ['103', '113', '123']
    same(load_taf('a.taf')[0], a)
    # reversed, whatever the order in memory was
    subprocess.run('npy2taf --reverse a.npy -o a.taf', shell=True, check=True)
    same(load_taf('a.taf')[0], a.T)
EOF
}

@test "every element type, order, byte order and version" {
	need numpy
	python <<'EOF'
def expected(a):
    if a.dtype == bool:
        return a.astype('u1')
    if a.dtype.kind == 'f' and a.dtype.itemsize == 2:
        return a.astype('<f4')
    # a TAF file has the two parts in a last dimension, of a column in the second
    if a.dtype.kind == 'c':
        a = a[:, 0] if a.shape[1:] == (1,) else a
        return np.stack([a.real, a.imag], -1)
    return a
def write(a, version):
    with open('a.npy', 'wb') as f:
        np.lib.format.write_array(f, a, version)
types = '? i1 u1 <i2 >i2 <u2 >u2 <i4 >i4 <u4 >u4 <i8 >i8 <u8 >u8 <f4 >f4 <f8 >f8 <c8 >c8 <c16 >c16'.split()
shapes = (3, 5), (2, 3, 4), (7,), (1, 6), (6, 1), (0, 3), (4, 1, 3, 2)
for n, kind in enumerate(types):
    for m, shape in enumerate((shapes[n % 7], shapes[(n + 3) % 7], (2, 3, 4))):
        a = noise(kind, shape) if kind != '?' else noise('u1', shape) > 99
        for order in 'CF':
            write(np.asarray(a, order=order), ((1, 0), (2, 0), (3, 0))[(n + m) % 3])
            for option in [], ['--reverse']:
                subprocess.run(['npy2taf', *option, 'a.npy', '-o', 'a.taf'], check=True)
                same(load_taf('a.taf')[0], expected(a.T if option else a))
EOF
}

@test "complex elements stay complex on a stream" {
	need numpy
	python <<'EOF'
keys = {8: [b'data_format="native_complex"', b'n1=3', b'n2=4'],
    16: [b'data_format="native_double"', b'taf_format="complex128"', b'n1=2', b'n2=3', b'n3=4']}
for kind in '<c8', '>c8', '<c16', '>c16':
    a = noise(kind, (3, 4))
    for order in 'CF':
        np.save('a.npy', np.asarray(a, order=order))
        p = subprocess.run('npy2taf a.npy | cat', shell=True, check=True, capture_output=True)
        head, data = p.stdout.split(b'\f\f\4', 1)
        assert all(b'\t' + key + b'\n' in head for key in keys[a.itemsize]), head
        assert data == a.astype(ORDER + kind[1:]).tobytes('F')
        p = subprocess.run('npy2taf a.npy | taf2npy', shell=True, check=True, capture_output=True)
        same(np.load(io.BytesIO(p.stdout)), a)
EOF
}

@test "all 16-bit floats, in both byte orders, from a file and a pipe" {
	need numpy
	python <<'EOF'
for kind in '<u2', '>u2':
    a = np.arange(65536, dtype=kind).reshape(64, 1024)
    h = a.astype('u4')
    nan = ((h & 0x7c00) == 0x7c00) & ((h & 0x3ff) != 0)
    with np.errstate(all='ignore'):
        want = a.astype('<u2').view('<f2').astype('<f4').view('<u4')
    want[nan] = ((h & 0x8000) << 16 | 0x7f800000 | (h & 0x3ff) << 13)[nan]
    for order in 'CF':
        np.save('a.npy', np.asarray(a.view(kind[0] + 'f2'), order=order))
        for command in 'npy2taf a.npy >a.taf', 'cat a.npy | npy2taf >a.taf':
            subprocess.run(command, shell=True, check=True)
            same(load_taf('a.taf')[0].view('<u4'), want)
EOF
}

@test "the same from a file, a pipe and byte by byte" {
	need numpy
	python <<'EOF'
np.save('c.npy', noise('<i4', (13, 7, 5)))
np.save('f.npy', np.asfortranarray(noise('<i4', (13, 7, 5))))
EOF
	for a in c f; do
		npy2taf $a.npy | cat >want
		npy2taf <$a.npy | cat >b
		cat $a.npy | npy2taf | cat >c
		dd if=$a.npy bs=1 2>/dev/null | npy2taf | cat >d
		same want b
		same want c
		same want d
		npy2taf $a.npy -o $a.taf
		npy2taf <$a.npy >e.taf
		same $a.taf e.taf
	done
	same c.taf f.taf
}

@test "an array without dimensions is one element, one without elements is empty" {
	need numpy
	python <<'EOF'
np.save('a.npy', np.array(2.5))
np.save('b.npy', np.empty((0, 1 << 40, 2), 'i2'))
np.save('c.npy', np.array(3 + 4j))
EOF
	for f in a b c; do
		npy2taf $f.npy -o $f.taf
		tafprobe -k shape $f.taf
	done >shapes
	equal "$(tr '\n' ' ' <shapes)" "1 0,1099511627776,2 1 "
	equal "$(tafread a.taf) $(tafread c.taf | tr '\n' ' ')" "2.5 3 4 "
}

@test "repeated saves to one file are several arrays" {
	need numpy
	python <<'EOF'
with open('a.npy', 'wb') as f:
    np.save(f, noise('<i2', (2, 3)))
    np.save(f, np.asfortranarray(noise('<f8', (3, 4))))
    np.save(f, noise('u1', (5,)))
EOF
	npy2taf a.npy | tafprobe -k shape >shapes
	equal "$(tr '\n' ' ' <shapes)" "2,3 3,4 5 "
	cat a.npy | npy2taf | tafprobe -k shape >shapes
	equal "$(tr '\n' ' ' <shapes)" "2,3 3,4 5 "
	refuse 3 npy2taf a.npy -o a.taf
	[ ! -e a.taf ]
	equal "$(npy2taf a.npy a.npy | grep -ac taf_next=1)" 5
	# one of them, whatever their orders, also of two operands
	npy2taf -N 2 a.npy -o two.taf
	equal "$(tafprobe -k type two.taf) $(tafprobe -k shape two.taf)" "flt64 3,4"
	equal "$(cat a.npy | npy2taf -N 3 | tafprobe -k shape) $(npy2taf -N 4 a.npy a.npy |
		tafprobe -k shape)" "5 2,3"
	refuse 3 npy2taf -N 4 a.npy -o four.taf
	[ ! -e four.taf ]
	# what is behind the elements must be an array
	{ cat a.npy; printf x; } >b.npy
	refuse 3 npy2taf b.npy
	refuse 3 npy2taf a.npy b.npy
}

@test "the header in every form that Python reads as the same" {
	need numpy
	npy "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }
" >a.npy
	npy2taf a.npy -o want.taf
	equal "$(tafprobe -k shape want.taf) $(tafread want.taf | tr '\n' ' ')" "2,3 1 4 2 5 3 6 "
	n=0
	while read -r header; do
		npy "$header" >b.npy
		"$PYTHON" -c 'import numpy; numpy.load("b.npy")'
		npy2taf b.npy -o b.taf
		same want.taf b.taf
		n=$((n + 1))
	done <<'EOF'
{'descr':'<i4','fortran_order':False,'shape':(2,3)}
{"shape": (2, 3,), "descr": "<i4", "fortran_order": False}
{ 'fortran_order' : False , 'shape' : ( 2 , 3 , ) , 'descr' : '<i4' , }
{'shape': (2L, 3L), 'fortran_order': False, 'descr': '<i4'}
  {'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }
EOF
	equal "$n" 5
	npy "
{'descr':
'<i4',	'fortran_order':False,
'shape':(2,
3)}
" >c.npy
	npy2taf c.npy -o c.taf
	same want.taf c.taf
}

@test "a hostile header is refused, never evaluated" {
	n=0
	while read -r header; do
		npy "$header" >b.npy
		refuse 3 bash -c 'ulimit -v $LIMIT; exec timeout 60 npy2taf b.npy' || { echo "$header"; return 1; }
		refuse 3 bash -c 'ulimit -v $LIMIT; cat b.npy | timeout 60 npy2taf; exit ${PIPESTATUS[1]}' ||
			{ echo "$header"; return 1; }
		n=$((n + 1))
	done <<'EOF'
__import__('os').system('touch pwned')
{'descr': '<i4', 'fortran_order': False, 'shape': (2, __import__('os').system('touch pwned'))}
{'descr': '<i4', 'fortran_order': False, 'shape': (2, 1+2)}
{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3)
{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3}
{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3)}}
{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3)} x
{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3),,}
{'descr': '<i4', 'fortran_order': False 'shape': (2, 3)}
{'descr' '<i4', 'fortran_order': False, 'shape': (2, 3)}
{,}
{}
x
('<i4', False, (2, 3))
{'descr': '<i4', 'fortran_order': False}
{'descr': '<i4', 'shape': (2, 3)}
{'fortran_order': False, 'shape': (2, 3)}
{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), 'more': 1}
{'descr': '<i4', 'descr': '<i4', 'fortran_order': False, 'shape': (2, 3)}
{'descr': '<i4', 'fortran_order': 0, 'shape': (2, 3)}
{'descr': '<i4', 'fortran_order': false, 'shape': (2, 3)}
{'descr': '<i4', 'fortran_order': Falsehood, 'shape': (2, 3)}
{'descr': '<i4', 'fortran_order': 'False', 'shape': (2, 3)}
{'descr': '<i4', 'fortran_order': False, 'shape': [2, 3]}
{'descr': '<i4', 'fortran_order': False, 'shape': 6}
{'descr': '<i4', 'fortran_order': False, 'shape': (6)}
{'descr': '<i4', 'fortran_order': False, 'shape': (2 3)}
{'descr': '<i4', 'fortran_order': False, 'shape': (,)}
{'descr': '<i4', 'fortran_order': False, 'shape': (-2, -3)}
{'descr': '<i4', 'fortran_order': False, 'shape': (2.0, 3)}
{'descr': '<i4', 'fortran_order': False, 'shape': (02, 3)}
{'descr': '<i4', 'fortran_order': False, 'shape': (0x2, 3)}
{'descr': '<i4', 'fortran_order': False, 'shape': (True, 6)}
{'descr': '<i4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}
{'descr': '<i4', 'fortran_order': False, 'shape': (18446744073709551616,)}
{'descr': '<i4', 'fortran_order': False, 'shape': (18446744073709551615,)}
{'descr': '<i4', 'fortran_order': False, 'shape': (99999999999999999999999999999999999999999,)}
{'descr': '<i4', 'fortran_order': False, 'shape': (2, 4)}
{'descr': '<i4\'', 'fortran_order': False, 'shape': (2, 3)}
{'descr': '\x3ci4', 'fortran_order': False, 'shape': (2, 3)}
{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3)}	# comment
EOF
	equal "$n" 41
	[ ! -e pwned ]
	# a terabyte that is not there
	npy "{'descr': '<i4', 'fortran_order': False, 'shape': (274877906944,)}" >b.npy
	refuse 3 npy2taf b.npy
	status 3 bash -o pipefail -c 'ulimit -v $LIMIT; cat b.npy | timeout 60 npy2taf -o b.taf'
	[ ! -e b.taf ]
	# 65 dimensions
	npy "{'descr': '<i4', 'fortran_order': False, 'shape': (6$(printf ', 1%.0s' $(seq 64)))}" >b.npy
	refuse 3 npy2taf b.npy
	# behind a NUL
	perl -pe 's/\(2, 3\)/(2,\0 3)/' >b.npy <<<"$(npy "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3)}" | tr -d '\0')"
	refuse 3 npy2taf b.npy
}

@test "elements that are no numbers are refused by name" {
	for d in '|O' '|S4' '<U1' '|V4' '<M8[ns]' '<m8[s]' '<f16' '<c32' '<i3' '>f3' 'int32' '' 'i' '<<i4'; do
		npy "{'descr': '$d', 'fortran_order': False, 'shape': (2, 3), }" >a.npy
		refuse 3 npy2taf a.npy
		grep -Fq "element type $d is" err
	done
	npy "{'descr': [('x', '<i4'), ('y', '<f8')], 'fortran_order': False, 'shape': (2,), }" >a.npy
	refuse 3 npy2taf a.npy
	grep -q structured err
}

@test "cut anywhere: status 3, and nothing comes out" {
	npy "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }" >a.npy
	size=$(stat -c %s a.npy)
	for ((n = 0; n < size; n++)); do
		head -c "$n" a.npy >cut.npy
		refuse 3 npy2taf cut.npy
		got=0
		npy2taf <cut.npy >out 2>err || got=$?
		equal "$got" 3
		[ ! -s out ]
	done
	# of a pipe: C's order is held back until it is there
	for n in 1 5 6 7 8 9 10 40 $((size - 25)) $((size - 24)) $((size - 1)); do
		got=0
		head -c "$n" a.npy | npy2taf >out 2>err || got=$?
		equal "$got" 3
		[ ! -s out ]
		got=0
		head -c "$n" a.npy | npy2taf --reverse -o x.taf 2>err || got=$?
		equal "$got" 3
		[ ! -e x.taf ]
	done
}

@test "complex elements of 63 dimensions, and of none that TAF has no room for" {
	# ones DESCR N BYTES: an array of N dimensions of length 1
	ones() {
		perl -e 'my ($type, $n, $bytes) = @ARGV;
			my $h = "{\x27descr\x27: \x27$type\x27, \x27fortran_order\x27: False, \x27shape\x27: (" .
			    "1, " x $n . "), }";
			$h .= " " x (63 - (10 + length $h) % 64) . "\n";
			print "\x93NUMPY\x01\x00", pack("S<", length $h), $h, substr pack("d<2", 3, 4), 0, $bytes' "$@"
	}
	ones '<f8' 64 8 | npy2taf >out
	equal "$(tafprobe -k ndim out) $(tafread out)" "64 3"
	ones '<c16' 63 16 | npy2taf >out
	equal "$(tafprobe -k ndim out) $(tafprobe -k type out) $(tafread out)" "63 complex128 3 4"
	ones '<c16' 64 16 >a.npy
	refuse 3 npy2taf a.npy
	refuse 3 npy2taf -F taf a.npy
	ones '<f8' 65 8 >a.npy
	refuse 3 npy2taf a.npy
}

@test "versions that there are not, headers that are too long" {
	for v in '\x00\x00' '\x01\x01' '\x04\x00' '\xff\xff'; do
		{ printf %b '\x93NUMPY' "$v" '\x10\x00'; head -c 100 /dev/zero; } >a.npy
		refuse 3 npy2taf a.npy
	done
	for n in '\xff\xff\xff\xff' '\x00\x00\x01\x00' '\xff\xff\xff\x7f'; do
		{ printf %b '\x93NUMPY\x02\x00' "$n"; head -c 70000 /dev/zero | tr '\0' ' '; } >a.npy
		refuse 3 bash -c 'ulimit -v $LIMIT; exec timeout 60 npy2taf a.npy'
	done
	printf 'x' >a.npy
	refuse 3 npy2taf a.npy
	: >a.npy
	refuse 3 npy2taf a.npy
	refuse 4 npy2taf nowhere.npy
}

@test "an array larger than the memory it may take" {
	need numpy
	python <<'EOF'
for kind in '<i4', '>i4', '<f2':
    a = noise(kind, (301, 7, 503))
    np.save('a.npy', a)
    want = a.astype('<f4') if kind == '<f2' else a
    for m in '40', '100k', '1M':
        for command in 'npy2taf -m %s a.npy >a.taf', 'cat a.npy | npy2taf -m %s -J 3 | tafcrop -o a.taf':
            subprocess.run(command % m, shell=True, check=True)
            got = load_taf('a.taf')[0]
            nan = np.isnan(want) if kind == '<f2' else np.zeros(a.shape, bool)
            assert (np.isnan(got) == nan).all() if kind == '<f2' else True
            same(np.where(nan, 0, got).astype(got.dtype), np.where(nan, 0, want).astype(want.dtype))
EOF
}

@test "the arrays of .npz files, stored or deflated, by name or all of them" {
	need numpy
	python <<'EOF'
import zipfile
def run(*words, **how):
    return subprocess.run(words, capture_output=True, check=True, **how).stdout
a = {'b': noise('<i2', (2, 3, 4)), 'a x': noise('>f8', (5, 3)), 'one': noise('<f4', (7,)), 'c/d': noise('<c8', (3, 2)),
    'void': noise('<u4', (0, 3)), 'long': noise('u1', (90000,)), 'f': np.asfortranarray(noise('<i8', (4, 5)))}
b = {'flag': np.array([[True, False, True]]), 'half': np.arange(6, dtype='f2').reshape(2, 3), 'scalar': np.float64(2.5)}
np.savez('s.npz', **a)
np.savez_compressed('d.npz', **a)
np.savez('b.npz', **b)
# written to a pipe: sizes behind the bytes
class Pipe(io.RawIOBase):
    def __init__(self): self.all = b''
    def writable(self): return True
    def write(self, p): self.all += bytes(p); return len(p)
pipe = Pipe()
with zipfile.ZipFile(pipe, 'w', zipfile.ZIP_DEFLATED) as z:
    for name, x in a.items():
        with z.open(name + '.npy', 'w', force_zip64=True) as f:
            np.save(f, x)
open('p.npz', 'wb').write(pipe.all)
for file in 's.npz', 'd.npz', 'p.npz':
    for name, x in a.items() if file == 'd.npz' else [('a x', a['a x'])]:
        run('npy2taf', '--name', name, file, '-o', 'a.taf')
        same(load_taf('a.taf')[0], np.stack([x.real, x.imag], -1) if x.dtype.kind == 'c' else x.astype(x.dtype.newbyteorder('<')))
        assert ('npy/name=%s\n' % name) in load_taf('a.taf')[1]
    every = run('npy2taf', file)
    assert run('sh', '-c', 'cat %s | npy2taf' % file)[-5000:] == every[-5000:]
    assert len(run('npy2taf', '-m', '64k', '-J', '1', file)) > 90000
    assert run('tafread', '-N', '1', input=every).split() == [b'%d' % v for v in a['b'].ravel(order='F')]
    assert run('tafread', '-N', '7', input=every).split() == [b'%d' % v for v in a['f'].ravel(order='F')]
    assert run('npy2taf', '-N', '2', '--reverse', file, '-o', 'a.taf') == b''
    same(load_taf('a.taf')[0], a['a x'].T)
    assert run('npy2taf', '--list', file).decode() == ('b\tint16\t2,3,4\na x\tflt64\t5,3\none\tflt32\t7\n'
        'c/d\tcomplex\t3,2\nvoid\tuint32\t0,3\nlong\tuint8\t90000\nf\tint64\t4,5\n')
# and back again, whatever is in them
for file, all in ('d.npz', a), ('b.npz', b):
    run('sh', '-c', 'npy2taf %s | taf2npy --npz -o again.npz' % file)
    again = np.load('again.npz')
    assert again.files == list(all)
    for name, x in all.items():
        same(again[name], x)
    with zipfile.ZipFile('again.npz') as z:
        assert z.testzip() is None
        raw = open('again.npz', 'rb').read()
        for m in z.infolist():
            n, x = struct.unpack_from('<HH', raw, m.header_offset + 26)
            assert (m.header_offset + 30 + n + x) % 64 == 0
EOF
}

@test "a broken .npz is refused before a byte goes out" {
	need numpy
	python <<'EOF'
import zipfile
def make(how=zipfile.ZIP_STORED, members=(('a.npy', np.arange(1000, dtype='<i4')), ('b.npy', np.ones(3))), old=b'', new=b''):
    b = io.BytesIO()
    with zipfile.ZipFile(b, 'w', how) as z:
        for name, x in members:
            f = io.BytesIO()
            np.save(f, x)
            z.writestr(name, f.getvalue().replace(old, new))
    return bytearray(b.getvalue())
def at(raw, key, off, value, size='<I'):
    raw = bytearray(raw)
    struct.pack_into(size, raw, raw.find(key) + off, value)
    return raw
def flip(raw, k):
    raw = bytearray(raw)
    raw[k] ^= 1
    return raw
stored, deflated = make(), make(zipfile.ZIP_DEFLATED)
first, entry, last = b'PK\3\4', b'PK\1\2', b'PK\5\6'
dir, = struct.unpack_from('<I', stored, stored.find(last) + 16)
size, = struct.unpack_from('<I', deflated, deflated.find(entry) + 24)
before = {
    'no directory ends': stored[:-1],
    'does not end at': at(stored, last, 16, 7),
    'bytes for 9 members': at(stored, last, 10, 9, '<H'),
    'several parts': at(stored, last, 4, 1, '<H'),
    'no entry 1': stored[:dir] + stored[dir:].replace(entry, b'PK\1\3'),
    'it is encrypted': at(stored, entry, 8, 1, '<H'),
    'packed by method 12': at(at(stored, entry, 10, 12, '<H'), first, 8, 12, '<H'),
    'its bytes are not in the archive': at(stored, entry, 42, 10 ** 6),
    'no header where': at(stored, entry, 42, 9),
    "its header is another's": at(stored, first, 26, 4, '<H'),
    'stored in another number': at(stored, entry, 24, 5),
    'so few packed bytes': at(deflated, entry, 24, 0x7fffffff),
    'is there twice': make(members=(('a.npy', np.ones(2)), ('b.npy', np.ones(2)))).replace(b'b.npy', b'a.npy'),
    'not called .npy': make(members=(('a.npy', np.ones(2)), ('note', np.ones(3)))),
    'bytes of elements, but its header says': make(old=b'(1000,)', new=b'(1001,)'),
    'member b.npy: ': make(old=b"'descr': '<f8'", new=b"'descr': '|O8'"),
    'without arrays': bytearray(b'PK\5\6' + bytes(18)),
}
# what is wrong in the bytes themselves breaks the stream
behind = {'its CRC-32': flip(stored, 1000), 'fewer bytes than': at(deflated, entry, 24, size + 4),
    'member a.npy: its': flip(deflated, 700)}
for facts in before, behind:
    for fact, raw in facts.items():
        open('x.npz', 'wb').write(raw)
        for words in ['npy2taf', 'x.npz'], ['npy2taf', '-N', '1', 'x.npz', '-o', 'x.taf']:
            p = subprocess.run(words, capture_output=True)
            assert p.returncode == 3 and not os.path.exists('x.taf'), (fact, p)
            assert p.stderr.startswith(b'npy2taf: x.npz: ') and fact in p.stderr.decode(), (fact, p.stderr)
            assert p.stdout == b'' or facts is behind, fact
EOF
	# names are for archives
	npy "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }" >a.npy
	refuse 3 npy2taf --name a a.npy
	grep -q 'not an .npz archive' err
	refuse 3 npy2taf --list a.npy
}
