# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016 # what stands between single quotes is for another shell
load helper
load rowmajor

@test "numpy reads the same array: every type, every order" {
	need numpy
	python <<'EOF'
shapes = (3, 5), (7, 1), (1, 6), (0, 3), (3, 0), (4, 1, 3, 2)
for n, kind in enumerate('i1 u1 <i2 <u2 <i4 <u4 <i8 <u8 <f4 <f8'.split()):
    for shape in shapes[n % 6], (2, 3, 4):
        a = noise(kind, shape)
        save_taf('a.taf', a)
        for option in [], ['--c-order'], ['--reverse'], ['--reverse', '--c-order']:
            want = a.T if '--reverse' in option else a
            p = subprocess.run(['taf2npy', *option, 'a.taf'], check=True, capture_output=True)
            got = np.load(io.BytesIO(p.stdout))
            same(got, want)
            assert p.stderr == b''
            assert got.flags.c_contiguous if option else got.flags.f_contiguous
            subprocess.run(['taf2npy', *option, 'a.taf', '-o', 'b.npy'], check=True)
            assert open('b.npy', 'rb').read() == p.stdout
EOF
}

@test "[i,j,k] stays [i,j,k]" {
	need numpy
	mktaf a.taf int16 2,3,4
	for option in '' --c-order; do
		# shellcheck disable=SC2086
		taf2npy -q $option a.taf -o a.npy
		# element i + 2 (j + 3 k) is (7 of it + 3) mod 101
		"$PYTHON" -c '
import numpy as np
a = np.load("a.npy")
assert a.shape == (2, 3, 4)
for i in range(2):
    for j in range(3):
        for k in range(4):
            assert a[i, j, k] == ((i + 2 * (j + 3 * k)) * 7 + 3) % 101'
	done
	taf2npy -q --reverse a.taf -o a.npy
	"$PYTHON" -c '
import numpy as np
a = np.load("a.npy")
assert a.shape == (4, 3, 2) and a[3, 1, 0] == ((0 + 2 * (1 + 3 * 3)) * 7 + 3) % 101'
}

@test "the bytes that numpy.save writes, and those of any .npy come back" {
	need numpy
	"$PYTHON" -c 'import numpy.lib.format as f; f.GROWTH_AXIS_MAX_DIGITS' 2>/dev/null ||
		skip "numpy before 1.23"
	python <<'EOF'
shapes = (7,), (1,), (3, 5), (2, 3, 4), (1, 6), (6, 1), (1, 1, 5), (0,), (0, 3), (3, 0), (1, 1), \
    (1000, 1), (2, 1, 3), (1,) * 20 + (2,), (2,) + (1,) * 25 + (3,), (0, 10 ** 12)
for kind in 'i1', '<u2', '<f4', '<f8', '<c8':
    for shape in shapes:
        a = noise(kind, shape)
        for order, option in ('F', []), ('C', ['--c-order']), ('C', ['--reverse']):
            np.save('a.npy', np.asarray(a, order=order))
            want = open('a.npy', 'rb').read()
            p = subprocess.run(['npy2taf', *option[:option == ['--reverse']], 'a.npy', '-F', 'rsf'],
                check=True, capture_output=True)
            p = subprocess.run(['taf2npy', *option], input=p.stdout, check=True, capture_output=True)
            assert p.stdout == want, (kind, shape, option, p.stdout[:200], want[:200])
            assert p.stderr == b''
EOF
}

@test "bool, float16, complex128 and no dimensions come back as they were" {
	need numpy
	"$PYTHON" -c 'import numpy.lib.format as f; f.GROWTH_AXIS_MAX_DIGITS' 2>/dev/null ||
		skip "numpy before 1.23"
	python <<'EOF'
arrays = [noise('u1', (3, 5)) > 99, noise('u1', (2, 3, 4)) > 99, noise('u1', (7,)) > 99,
    np.arange(65536, dtype='<u2').view('<f2').reshape(32, 8, 256), noise('<f2', (9,)), noise('<f2', (0, 3)),
    noise('<c16', (3, 5)), noise('<c16', (2, 3, 4)), noise('<c16', (6,)), noise('<c16', (5, 1)),
    noise('<c16', (2, 2)), noise('<c16', (3, 0)), np.array(True), np.array(1.5, '<f2'), np.array(1 - 2j),
    np.array(-7, '<i2'), np.array(2 + 1j, '<c8')]
ways = ('npy2taf %s a.npy | cat | taf2npy %s', 'npy2taf %s a.npy -o a.taf; taf2npy %s a.taf',
    'npy2taf %s a.npy -o a.taf; cat a.taf | taf2npy %s -m 40 | cat')
for n, a in enumerate(arrays):
    for m, (order, back) in enumerate((('F', ''), ('C', '--c-order'), ('C', '--reverse'))):
        np.save('a.npy', np.asarray(a, order=order))
        way = ways[(n // 3 + m) % 3]
        p = subprocess.run(way % (back if m == 2 else '', back), shell=True, check=True, capture_output=True)
        assert p.stdout == open('a.npy', 'rb').read(), (a.dtype, a.shape, way, back, p.stdout[:200])
        assert p.stderr == b'', p.stderr
EOF
}

@test "a type of NumPy that the values no longer fit is dropped, with a remark" {
	need numpy
	python <<'EOF'
def back(command, dtype, want, remark):
    p = subprocess.run(command, shell=True, check=True, capture_output=True)
    got = np.load(io.BytesIO(p.stdout))
    assert got.dtype == dtype and p.stderr.count(b'\n') == (remark != ''), (command, got.dtype, p.stderr)
    assert remark.encode() in p.stderr, (command, p.stderr)
    same(got, want)
a = noise('u1', (3, 5)) > 99
np.save('a.npy', a)
subprocess.run('npy2taf a.npy -o a.taf', shell=True, check=True)
back('taf2npy -r a.taf', 'u1', a.view('u1'), 'attributes')
back('tafpermute -d 2,1 a.taf | taf2npy', '?', a.T, '')
back('tafappend a.taf a.taf | taf2npy', '?', np.concatenate([a, a], 1), '')
b = a.astype('u1')
for value in 2, 255:
    b[2, 4] = value
    save_taf('b.taf', b)
    subprocess.run('cp a.taf c.taf; tafreplace -i --with b.taf c.taf', shell=True, check=True)
    back('taf2npy c.taf', 'u1', b, 'bool')
    back('cat c.taf | taf2npy --c-order', 'u1', b, 'bool')
# one value of many, in the first, in a later and in the last of the pieces that are looked at
m = noise('u1', (100001,)) > 99
np.save('m.npy', m)
subprocess.run('npy2taf m.npy -o m.taf', shell=True, check=True)
back('taf2npy m.taf', '?', m, '')
for at in 0, 40000, 100000:
    w = m.astype('u1')
    w[at] = 2
    subprocess.run('cp m.taf w.taf; tafreplace -i -x 1=%d --value 2 w.taf' % (at + 1), shell=True, check=True)
    back('taf2npy w.taf', 'u1', w, 'bool')
# what is no float16: beside the smallest, a normal one and the largest, and NaN of more bits
h = np.arange(1, 0x7c00, dtype='<u2').view('<f2').astype('<f4').view('<u4')
np.save('h.npy', noise('<f2', (2, 5)))
subprocess.run('npy2taf h.npy -o h.taf', shell=True, check=True)
for x in [*h[:3] - 1, *h[:3] + 1, *h[1020:1026] + 1, *h[-3:] + 4096, 1, 0x007fffff, 0x80000001, 0x33000000,
        0x7f800001, 0x7fc01fff, 0xff801000, 0x477ff000, 0x47800000, 0x7f7fffff]:
    with open('f.taf', 'wb') as f:
        f.write(open('h.taf', 'rb').read())
        f.seek(1056 + 48 + 4 * 7)
        f.write(struct.pack('<I', x))
    back('taf2npy f.taf', '<f4', load_taf('f.taf')[0], 'float16')
# of another type or shape by now
d = noise('<f8', (1, 3))
save_taf('d.taf', d)
with open('d.taf', 'ab') as f:
    f.write(b'--- attributes ---\nnpy/type=float16\nnpy/ndim=0\n')
back('taf2npy d.taf', '<f8', d, 'attributes')
EOF
}

@test "complex elements stay complex whatever is done to their dimensions" {
	need numpy
	python <<'EOF'
def back(command, want):
    p = subprocess.run(command, shell=True, check=True, capture_output=True)
    assert p.stderr == b'', p.stderr
    same(np.load(io.BytesIO(p.stdout)), want)
for kind in '<c8', '<c16':
    c = noise(kind, (3, 4))
    np.save('c.npy', c)
    subprocess.run('npy2taf c.npy -o c.taf', shell=True, check=True)
    back('taf2npy -r c.taf', c)
    back('tafcrop -x 2=:3 c.taf | taf2npy --c-order', c[:, :3])
    back('tafappend -d 3 c.taf c.taf | taf2npy', np.stack([c, c], 2))
    back('tafpermute -d 2,1 c.taf | taf2npy', c.T)
    back('taf2npy --reverse c.taf', c.T)
EOF
}

@test "physical values, -r the stored ones" {
	need numpy
	python <<'EOF'
a = noise('<u2', (4, 3, 5))
save_taf('a.taf', a, (-0.75, 0.1))
for option in [], ['--reverse'], ['--c-order'], ['--c-order', '-m', '64']:
    for raw in [], ['-r']:
        want = a if raw else -0.75 + 0.1 * a.astype('<f8')
        want = want.T if '--reverse' in option else want
        subprocess.run(['taf2npy', *option, *raw, 'a.taf', '-o', 'b.npy'], check=True)
        same(np.load('b.npy'), want)
        p = subprocess.run(['taf2npy', *option, *raw, '-'], input=open('a.taf', 'rb').read(), check=True,
            capture_output=True)
        same(np.load(io.BytesIO(p.stdout)), want)
for kind in 'i1 u1 <i2 <i4 <u4 <i8 <u8 <f4 <f8'.split():
    a = noise('i1', (5, 2)).astype(kind) if kind != 'u1' else noise('u1', (5, 2))
    save_taf('a.taf', a, (3, 0.25))
    subprocess.run(['taf2npy', 'a.taf', '-o', 'b.npy'], check=True)
    same(np.load('b.npy'), 3 + 0.25 * a.astype('<f8'))
# integers do not pass through a double
big = np.array([[2 ** 63 - 1, -2 ** 63 + 1, 2 ** 53 + 1]], '<i8')
save_taf('b.taf', big)
subprocess.run(['taf2npy', 'b.taf', '-o', 'b.npy'], check=True)
same(np.load('b.npy'), big)
EOF
}

@test "one array: a stream of several is refused, -N picks one" {
	need numpy
	mktaf a.taf int16 3,4
	mktaf b.taf flt64 5,2
	tafcrop a.taf b.taf >s.rsf
	refuse 3 taf2npy s.rsf
	refuse 3 taf2npy s.rsf -o s.npy
	[ ! -e s.npy ]
	refuse 3 bash -c 'cat s.rsf | taf2npy; exit ${PIPESTATUS[1]}'
	refuse 2 taf2npy a.taf b.taf
	refuse 3 taf2npy -N 3 s.rsf
	taf2npy -q -N 2 s.rsf -o s.npy
	taf2npy -q b.taf -o b.npy
	same b.npy s.npy
	taf2npy -q -N 1 <s.rsf >s.npy
	taf2npy -q a.taf >a.npy
	same a.npy s.npy
	equal "$("$PYTHON" -c 'import numpy; print(numpy.load("a.npy").shape)')" "(3, 4)"
}

@test "one dimension stays one dimension" {
	need numpy
	printf '\tn1=3\n\tdata_format="native_short"\n\tesize=2\n\tin="stdin"\n\n\f\f\4abcdef' >a.rsf
	taf2npy a.rsf -o a.npy
	equal "$("$PYTHON" -c 'import numpy; print(numpy.load("a.npy"))')" \
		"[$(printf abcdef | unpack "s$ORDER*" | xargs)]"
	mktaf b.taf int16 3,1
	taf2npy -q b.taf -o b.npy
	equal "$("$PYTHON" -c 'import numpy; print(numpy.load("b.npy").shape)')" "(3, 1)"
}

@test "one remark says what is dropped" {
	mktaf a.taf int16 3,4
	taf2npy a.taf >/dev/null 2>err
	equal "$(wc -l <err)" 1
	grep -q grid err
	tafcrop a.taf | sed 's/^\t\([od]\)\([12]\)=.*/\t\1\2=1/' >plain.rsf
	taf2npy plain.rsf >/dev/null 2>err
	[ ! -s err ]
	for grid in 'o1=2' 'd2=3' 'd1=-1'; do
		sed "s/^\t${grid%=*}=.*/\t$grid/" plain.rsf | taf2npy >/dev/null 2>err
		grep -q grid err
	done
	tafcomment -C hello plain.rsf | taf2npy >/dev/null 2>err
	grep -q comment err
	equal "$(wc -l <err)" 1
	taf2npy -q a.taf >/dev/null 2>err
	[ ! -s err ]
}

@test "an array larger than the memory it may take" {
	need numpy
	python <<'EOF'
a = noise('<u2', (301, 7, 503))
save_taf('a.taf', a)
for m in '40', '5k', '100k', '1M':
    for command in 'taf2npy --c-order -m %s a.taf >a.npy', 'cat a.taf | taf2npy --c-order -m %s -J 3 | cat >a.npy':
        subprocess.run(command % m, shell=True, check=True)
        same(np.load('a.npy'), a)
        assert np.load('a.npy').flags.c_contiguous
EOF
}

@test "a stream that breaks off ends in status 3, and no file appears" {
	mktaf a.taf int16 30,40
	tafcrop a.taf | head -c -7 >cut.rsf
	refuse 3 taf2npy -q cut.rsf
	for option in '' --c-order; do
		got=0
		# shellcheck disable=SC2086
		cat cut.rsf | taf2npy -q $option -o cut.npy 2>err || got=$?
		equal "$got" 3
		[ ! -e cut.npy ]
	done
	refuse 4 taf2npy nowhere.taf
	[ -c /dev/full ] || return 0
	got=0
	taf2npy -q a.taf >/dev/full 2>err || got=$?
	equal "$got" 4
}

@test "several arrays as an archive: names and order" {
	need numpy
	mktaf a.taf int16 2,3
	mktaf b.taf flt64 3,2,2
	tafput npy/name=shot <b.taf >named.rsf
	tafcat a.taf named.rsf a.taf >many.rsf
	for option in '' --c-order --reverse; do
		# shellcheck disable=SC2086
		taf2npy -q --npz $option many.rsf >"m$option.npz"
	done
	tafcat many.rsf named.rsf >twice.rsf
	refuse 3 taf2npy -q --npz twice.rsf -o x.npz
	grep -q 'two arrays would be called shot.npy' err
	refuse 3 taf2npy -q many.rsf
	grep -q 'several arrays: a .npy file holds one (use -N K, or --npz)' err
	"$PYTHON" -c '
import numpy as np
x = lambda n, *s: ((np.arange(n) * 7 + 3) % 101).reshape(s, order="F")
for file, turn in ("m.npz", 0), ("m--c-order.npz", 0), ("m--reverse.npz", 1):
    a = np.load(file)
    assert a.files == ["arr_0", "shot", "arr_2"], a.files
    for name, want in ("arr_0", x(6, 2, 3)), ("shot", x(12, 3, 2, 2)), ("arr_2", x(6, 2, 3)):
        got = a[name]
        assert got.dtype == ("<f8" if name == "shot" else "<i2")
        assert np.array_equal(got, want.T if turn else want), (file, name, got)'
}
