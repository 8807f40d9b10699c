# SPDX-License-Identifier: ISC
load helper
load rowmajor

# elements of a file made by hand, in either order of bytes
write_parts() {
	cat >parts.py <<'END'
import struct, zlib
from formats import *
def el(o, t, b, small=False):
    if small and len(b) <= 4:
        return struct.pack(o + 'I', len(b) << 16 | t) + b.ljust(4, b'\0')
    return struct.pack(o + 'II', t, len(b)) + b + bytes(-len(b) % 8)
def mx(o, cls, dims, name, *parts, flags=0, small=True):
    return el(o, 14, el(o, 6, struct.pack(o + 'II', cls | flags, 9)) + el(o, 5, struct.pack('%s%di' % (o, len(dims)), *dims)) +
        el(o, 1, name, small) + b''.join(parts))
def mat(o, *elements):
    return b'MATLAB 5.0 MAT-file, by hand'.ljust(124) + (b'\0\1IM' if o == '<' else b'\1\0MI') + b''.join(elements)
def packed(o, e):
    z = zlib.compress(e)
    return struct.pack(o + 'II', 15, len(z)) + z
END
}

@test "what scipy writes, packed and not: every class, complex, sparse, empty" {
	need numpy
	"$PYTHON" -c 'import scipy.io' 2>/dev/null || skip "no scipy"
	python <<'END'
import scipy.io, scipy.sparse
def odd(kind, shape):
    return noise(kind, shape).copy()
all = {'v_' + k: odd('<' + k, (5, 3 + n, 2)) for n, k in enumerate('i1 u1 i2 u2 i4 u4 i8 u8 f4 f8'.split())}
x = np.arange(24.).reshape(4, 6)
s = x * (x % 5 == 2)
all.update(c8=(x - 9j * x[::-1]).astype('<c8'), c16=x + 1j / (x + 1), flag=x % 3 == 1, none=np.zeros((0, 3)), one=np.float64(3.25),
    s=scipy.sparse.csc_matrix(s), cs=scipy.sparse.csc_matrix(s * (1 - 2j)), rank5=odd('<f4', (2, 3, 1, 4, 5)))
for do in False, True:
    scipy.io.savemat('a.mat', all, do_compression=do)
    lines = subprocess.run(['mat2taf', '--list', 'a.mat'], check=True, capture_output=True, text=True).stdout
    assert [l.split('\t')[0] for l in lines.splitlines()] == list(all)
    assert 'c16\tdouble\t4,6\tcomplex\n' in lines and 'flag\tlogical\t4,6\n' in lines and 'cs\tsparse\t4,6\tcomplex\n' in lines
    assert subprocess.run('mat2taf -q a.mat -o v-%d.taf', shell=True, check=True, capture_output=True).stderr == b''
    for n, (name, v) in enumerate(all.items()):
        want = np.atleast_2d(v.toarray() if name in ('s', 'cs') else v)
        got, tail = load_taf('v-%d.taf' % (n + 1))
        assert 'matlab/name=%s\n' % name in tail
        assert ('matlab/class=logical\n' in tail) == (name == 'flag')
        if want.dtype.kind == 'c':
            assert 'complex=1\n' in tail
            want = np.stack([want.real, want.imag], -1)
        same(got, want.astype('u1') if name == 'flag' else want)
    for name in 'v_i2', 'cs', 'c8':
        subprocess.run(['mat2taf', 'a.mat', name, '-o', 'b.taf'], check=True)
        n = list(all).index(name) + 1
        assert open('b.taf', 'rb').read() == open('v-%d.taf' % n, 'rb').read()
        p = subprocess.run('cat a.mat | mat2taf -m 64k - %s | tafcat -o c.taf' % name, shell=True, check=True)
        same(load_taf('c.taf')[0], load_taf('b.taf')[0])
END
}

@test "what Octave writes, in the types that it stores" {
	command -v octave-cli >/dev/null || skip "no octave-cli"
	cat >make.m <<-'END'
		a = reshape(-3:20, 2, 3, 4); b = single([1 2.5; -3 4]); d = complex([1 300], [-70000 4]);
		g = complex(single([1 2]), single([0.5 2])); l = [true false]; s = sparse([1 3], [2 5], [7 8.5], 4, 6);
		u = uint64(18446744073709551615); w = [1 2^40]; f = single(1:3); no = zeros(0, 4);
		save('-v6', 'v6.mat'); save('-v7', 'v7.mat');
	END
	octave-cli -q make.m 2>/dev/null || [ -s v7.mat ]
	for f in v6 v7; do
		equal "$(mat2taf $f.mat a | tafread | xargs)" "$(seq -s ' ' -3 20)"
		equal "$(mat2taf $f.mat b | tafread | xargs)" "1 -3 2.5 4"
		equal "$(mat2taf $f.mat d | tafread | xargs)" "1 -70000 300 4"
		equal "$(mat2taf $f.mat g | tafread | xargs)" "1 0.5 2 2"
		equal "$(mat2taf $f.mat s | tafread | xargs)" "0 0 0 0 7 0 0 0 0 0 0 0 0 0 0 0 0 0 8.5 0 0 0 0 0"
		equal "$(mat2taf $f.mat u | tafread) $(mat2taf $f.mat w | tafread | xargs)" "18446744073709551615 1 1099511627776"
		equal "$(mat2taf $f.mat f | tafprobe -k type) $(mat2taf $f.mat l | tafprobe -k type)" "flt32 uint8"
		equal "$(mat2taf --list $f.mat | grep -c .) $(mat2taf $f.mat no | tafprobe -k n2)" "10 4"
	done
}

@test "either order of bytes, smaller types, complex integers, what has no name" {
	need numpy
	write_parts
	python <<'END'
from parts import *
for o in '<>':
    pairs = [el(o, 1, b'\1\2', True), el(o, 3, struct.pack(o + '2h', -3, 400))]
    plain = [mx(o, 6, (3, 2), b'long_name_here', el(o, 4, struct.pack(o + '6H', 5, 60000, 7, 8, 9, 10))),
        mx(o, 14, (1, 3), b'i8', el(o, 1, b'\xff\2\x80', True)), mx(o, 10, (2, 1), b'zi', *pairs, flags=0x800),
        mx(o, 9, (1, 1), b'', el(o, 2, b'\1', True)), mx(o, 7, (1, 2), b'z', *pairs, flags=0x800),
        mx(o, 6, (2, 2), b'd', el(o, 9, struct.pack(o + '4d', 1e300, -0.0, 2.5, float('nan')))),
        mx(o, 7, (1, 2), b'f', el(o, 9, struct.pack(o + '2d', 0.5, float('inf'))))]
    for k in plain, [packed(o, e) for e in plain]:
        open('a.mat', 'wb').write(mat(o, *k))
        subprocess.run(['mat2taf', 'a.mat', '-o', 'v-%d.taf'], check=True)
        for n, want in enumerate((np.array([[5, 8], [60000, 9], [7, 10]], '<f8'), np.array([[-1, 2, -128]], '<i8'),
                np.array([1, -3, 2, 400], '<i2').reshape(2, 2, 1, order='F'), np.array([1, 2, -3, 400], '<f4').reshape(1, 2, 2, order='F'),
                np.array([[1e300, 2.5], [-0.0, np.nan]]), np.array([[0.5, np.inf]], '<f4'))):
            same(load_taf('v-%d.taf' % (n + 1))[0], want)
END
}

@test "logical entries of a sparse matrix that are bytes called doubles" {
	need numpy
	write_parts
	python <<'END'
from parts import *
want = np.array([[0, 1, 0], [1, 0, 1], [0, 0, 1], [1, 0, 0]], '<f8')
rows, cols = want.T.nonzero()[1], want.T.nonzero()[0]
for o in '<>':
    ends = np.searchsorted(cols, range(4))
    for values in el(o, 9, bytes([1] * 5)), el(o, 9, struct.pack(o + '5d', *[1] * 5)), el(o, 2, bytes([1] * 5)):
        open('s.mat', 'wb').write(mat(o, mx(o, 5, (4, 3), b's', el(o, 5, struct.pack(o + '5i', *rows)),
            el(o, 5, struct.pack(o + '4i', *ends)), values, flags=0x200)))
        subprocess.run('mat2taf s.mat | tafcat -o s.taf', shell=True, check=True)
        same(load_taf('s.taf')[0], want)
END
}

@test "a file that does not obey is refused, and no bomb goes off" {
	need numpy
	write_parts
	python <<'END'
from parts import *
o = '<'
i = lambda *v: el(o, 5, struct.pack('<%di' % len(v), *v))
d = lambda *v: el(o, 9, struct.pack('<%dd' % len(v), *v))
fine = mx(o, 6, (1, 2), b'a', d(1, 2))
def sparse(rows, cols, ir, jc, *v):
    return mx(o, 5, (rows, cols), b's', i(*ir), i(*jc), d(*v))
def bomb(n, claim):
    z = zlib.compress(struct.pack('<II', 14, claim) + mx(o, 6, (n // 8, 1), b'a', d())[8:-8] + struct.pack('<II', 9, n) + bytes(n))
    return struct.pack('<II', 15, len(z)) + z
big = 8 << 20
z = packed(o, mx(o, 6, (400, 3), b'a', d(*(k * k % 1009 / 7 for k in range(1200)))))
bad = {
    'not a MAT-file of level 5': b'MATLAB 5.0 MAT-file'.ljust(124) + b'\0\2IM' + fine,
    'a MATLAB 7.3 file (use hdf2taf), not': b'MATLAB 7.3 MAT-file'.ljust(124) + b'\0\2IM' + fine,
    'an element of type 9': mat(o, d(1)),
    'variable: 64 bytes at offset 136, but': mat(o, fine)[:-1],
    'element: 8 bytes at offset 200': mat(o, fine) + b'1234567',
    'a variable that ends too early': mat(o, el(o, 14, el(o, 6, bytes(8)))),
    'with a part of 4294967295 bytes': mat(o, el(o, 14, struct.pack('<II', 6, 0xffffffff))),
    'with flags of 24 bytes': mat(o, el(o, 14, el(o, 6, bytes(24)) + bytes(64))),
    'with lengths of 4 bytes': mat(o, mx(o, 6, (1,), b'a', d(1))),
    'with lengths of 260 bytes': mat(o, mx(o, 6, (1,) * 65, b'a', d(1))),
    'with 4294967295 as length 2': mat(o, mx(o, 6, (1, -1), b'a', d(1))),
    'with 2147483647 as length 3': mat(o, mx(o, 6, (2147483647,) * 3, b'a', d(1))),
    '1 numbers where there should be 4611686014132420609': mat(o, mx(o, 6, (2147483647,) * 2, b'a', d(1))),
    'with a name of 2000 bytes': mat(o, mx(o, 6, (1, 1), b'a' * 2000, d(1))),
    '2 numbers where there should be 3': mat(o, mx(o, 6, (1, 3), b'a', d(1, 2))),
    '1 numbers where there should be 2': mat(o, mx(o, 6, (1, 2), b'a', d(1, 2), d(1), flags=0x800)),
    'numbers of type 14': mat(o, mx(o, 6, (1, 1), b'a', el(o, 14, bytes(8)))),
    'a is a cell, no array of numbers': mat(o, mx(o, 1, (1, 1), b'a', fine)),
    'a is a char, no': mat(o, mx(o, 4, (1, 1), b'a', el(o, 4, b'a\0', True))),
    'a is a unknown, no': mat(o, mx(o, 99, (1, 1), b'a', d(1))),
    'record 2: b is a struct': mat(o, fine, mx(o, 2, (1, 1), b'b')),
    'a number stored as int16 is no number of uint8': mat(o, mx(o, 9, (1, 1), b'a', el(o, 3, b'\0\1', True))),
    'a number stored as int8 is no number of uint64': mat(o, mx(o, 15, (1, 1), b'a', el(o, 1, b'\xff', True))),
    'a number stored as int64 is no number of flt64': mat(o, mx(o, 6, (1, 1), b'a', el(o, 12, struct.pack('<q', 2 ** 53 + 1)))),
    'a number stored as uint64 is no number of int64': mat(o, mx(o, 14, (1, 1), b'a', el(o, 13, b'\xff' * 8))),
    'a number stored as flt64 is no number of flt32': mat(o, mx(o, 7, (1, 1), b'a', d(0.1))),
    'a number stored as flt64 is no number of int8': mat(o, mx(o, 8, (1, 1), b'a', d(3))),
    'a sparse matrix of 17179869176000000000 bytes when full': mat(o, sparse(2147483647, 1000000000, [0], [0, 1], 1)),
    'column 0 of a sparse matrix ends with entry 1': mat(o, sparse(3, 1, [0, 1], [1, 2], 1, 2)),
    'column 2 of a sparse matrix ends with entry 1': mat(o, sparse(3, 2, [0, 1], [0, 2, 1], 1, 2)),
    'column 1 of a sparse matrix ends with entry 3': mat(o, sparse(3, 1, [0, 1], [0, 3], 1, 2)),
    'ends with entry 2 of 2': mat(o, sparse(3, 1, [0, 1], [0, 2], 1)),
    'entry 2 of a sparse matrix is not behind': mat(o, sparse(3, 1, [1, 1], [0, 2], 1, 2)),
    'entry 1 of a sparse matrix is not behind': mat(o, sparse(3, 2, [3], [0, 1, 1], 1)),
    'packed bytes are damaged': mat(o, z[:50] + bytes([z[50] ^ 0x55]) + z[51:]),
    'damaged': mat(o, z[:-1] + bytes([z[-1] ^ 1])),
    'packed bytes are cut': mat(o, struct.pack('<II', 15, len(z) - 100) + z[8:-92]),
    'packed bytes that should be 16, of type 9': mat(o, packed(o, d(1))),
    'packed bytes that should be 4294967303': mat(o, bomb(big, 0xffffffff)),
    'packed bytes that are more than': mat(o, bomb(big, 4096)),
    'numbers where there should be': mat(o, packed(o, mx(o, 6, (4096, 4096), b'a', d(*range(999))))),
}
for fact, file in bad.items():
    open('a.mat', 'wb').write(file)
    p = subprocess.run('ulimit -f 16000; mat2taf a.mat -o a.taf', shell=True, capture_output=True, text=True)
    assert p.returncode == 3 and p.stderr.startswith('mat2taf: a.mat: ') and fact in p.stderr, (fact, p)
    assert not os.path.exists('a.taf')
    if 'packed' not in fact and 'damaged' not in fact and 'stored' not in fact and 'sparse' not in fact and 'should be' not in fact:
        p = subprocess.run(['mat2taf', 'a.mat'], capture_output=True)
        assert p.returncode == 3 and p.stdout == b'', (fact, p)
open('a.mat', 'wb').write(mat(o, fine, fine, mx(o, 2, (1, 1), b'b')))
for name, fact in ('a', '2 variables are called a'), ('x', '0 variables are called x (--list shows their names)'), ('b', 'b is a struct'):
    p = subprocess.run(['mat2taf', 'a.mat', name], capture_output=True, text=True)
    assert p.returncode == 3 and p.stdout == '' and fact in p.stderr, p
p = subprocess.run(['mat2taf', '--list', 'a.mat'], capture_output=True, text=True)
assert p.stdout == 'a\tdouble\t1,2\na\tdouble\t1,2\nb\tstruct\t1,1\n', p
open('a.mat', 'wb').write(mat(o, sparse(400, 100, [7], [0] * 9 + [1] * 92, 1)))
p = subprocess.run(['mat2taf', '-m', '300k', 'a.mat'], capture_output=True, text=True)
assert p.returncode == 3 and 'a sparse matrix of 320000 bytes when full, and -m allows 307200' in p.stderr, p
END
}

@test "the commands are told by the first bytes" {
	for k in a_plain_le packed_be; do
		cp "$BATS_TEST_DIRNAME/fuzz/corpus/mat/$k" run
		refuse 3 tafread run
		grep -q 'a MAT-file of level 5 (use mat2taf)' err
		equal "$(taf tafreduce -N 1 max run | tafread | xargs)" "$(mat2taf -N 1 run | tafreduce max | tafread | xargs)"
	done
	refuse 2 mat2taf --list run x
	refuse 2 mat2taf run x y
}
