# SPDX-License-Identifier: ISC
load helper
load rowmajor

@test "the bytes that the format's own writer makes, by [i,j,k]" {
	# 2 x 3 x 4 int16, element [i,j,k] = 100 i + 10 j + k, dimension 1 fastest
	perl -e '
		print "TAF \x01\x00\x00\n", " " x 1016, pack("a8 Q<2 Q<", "int16",
		    0x7ff0000000000000, 0x7ff0000000000000, 3);
		print pack "Q<d<d<", $_, 1, 1 for 2, 3, 4;
		for my $k (0 .. 3) { for my $j (0 .. 2) { for my $i (0 .. 1) {
			print pack "s<", 100 * $i + 10 * $j + $k } } }' >a.taf
	perl -e '
		sub chunk { "~TenBin~" . pack("q<", length $_[0]) . $_[0] . "\0" x (-length($_[0]) % 64) }
		my ($c, $r) = ("", "");
		for my $i (0 .. 1) { for my $j (0 .. 2) { for my $k (0 .. 3) {
			$c .= pack "s<", 100 * $i + 10 * $j + $k } } }
		for my $k (0 .. 3) { for my $j (0 .. 2) { for my $i (0 .. 1) {
			$r .= pack "s<", 100 * $i + 10 * $j + $k } } }
		open my $f, ">:raw", "want.ten";
		print $f chunk(pack "a8 a8 q<*", "i2", "cube", 3, 2, 3, 4), chunk($c);
		open $f, ">:raw", "reverse.ten";
		print $f chunk(pack "a8 a8 q<*", "i2", "", 3, 4, 3, 2), chunk($r);'
	taf2ten --name cube a.taf -o b.ten
	same want.ten b.ten
	taf2ten --name cube <a.taf >c.ten
	same want.ten c.ten
	cat a.taf | taf2ten --name cube | cat >d.ten
	same want.ten d.ten
	taf2ten --reverse a.taf -o e.ten
	same reverse.ten e.ten
}

@test "every element type, every bit, and back" {
	need numpy
	python <<'EOF'
shapes = (5, 7), (11,), (1, 6), (6, 1), (2, 1, 3, 2), (0, 3), (3, 0, 2)
for n, code in enumerate('f4 f8 i1 i2 i4 i8 u1 u2 u8'.split()):
    for shape in shapes[n % 7], (2, 3, 4):
        a = noise('<' + code, shape)
        save_taf('a.taf', a if a.ndim > 1 else a.reshape(-1, 1))
        for option in [], ['--reverse']:
            p = subprocess.run(['taf2ten', *option, 'a.taf'], check=True, capture_output=True)
            want = a if a.ndim > 1 else a.reshape(-1, 1)
            assert p.stdout == ten_of(want.T.copy() if option else want), (code, shape, option)
            assert p.stderr == b''
            subprocess.run(['ten2taf', *option, '-o', 'b.taf'], input=p.stdout, check=True)
            same(load_taf('b.taf')[0], want)
EOF
}

@test "several files and streams are several arrays, each with its own name" {
	mktaf a.taf int16 3,4
	mktaf b.taf flt64 5,1
	taf2ten --name a a.taf -o a.ten
	taf2ten --name bbbbbbbb b.taf -o b.ten
	cat a.ten b.ten a.ten >want.ten
	ten2taf a.ten b.ten | taf2ten - a.ten.taf a.taf 2>/dev/null && return 1
	ten2taf a.ten b.ten | cat >s.rsf
	ten2taf a.ten -o n.taf
	taf2ten s.rsf n.taf -o c.ten
	same want.ten c.ten
	taf2ten -N 2 s.rsf -o d.ten
	same b.ten d.ten
	taf2ten --name '' s.rsf | ten2taf -N 2 | tafprobe -k ten/name && return 1
	taf2ten a.taf b.taf -o plain.ten
	ten2taf plain.ten | taf2ten --name x | ten2taf -N 2 | tafprobe -k ten/name >name
	equal "$(cat name)" x
}

@test "every name comes back, and what cannot be one is refused" {
	need numpy
	python <<'EOF'
a = noise('<i2', (2, 3))
names = [b'', b'x', b'exactly8', b'a b', b'"', b'=%41', b'\n\t\x1b', b'a\0b', b'\0x', b'~TenBin~', b' ',
    b'--- attr']
b = b''.join(ten_of(a, n) for n in names)
open('a.ten', 'wb').write(b)
p = subprocess.run('ten2taf a.ten | tafcrop | taf2ten', shell=True, check=True, capture_output=True)
assert p.stdout == b
p = subprocess.run('ten2taf a.ten -o a-%02d.taf && taf2ten a-*.taf', shell=True, check=True,
    capture_output=True)
assert p.stdout == b
EOF
	mktaf a.taf int16 3,4
	refuse 2 taf2ten --name 123456789 a.taf
	refuse 2 taf2ten --name naïve a.taf
	refuse 2 taf2ten --name
	taf2ten --name x a.taf | ten2taf | sed 's/ten\/name="x"/ten\/name="too long a name"/' >long.rsf
	grep -aq 'too long' long.rsf
	refuse 3 taf2ten long.rsf -o x.ten
	[ ! -e x.ten ]
	taf2ten --name short long.rsf -o y.ten
}

@test "physical values, -r the stored ones" {
	need numpy
	python <<'EOF'
a = noise('<i2', (4, 3, 5))
save_taf('a.taf', a, (0.75, 0.1))
save_taf('big.taf', np.array([[2 ** 63 - 1, -2 ** 63 + 1, 5]], '<i8'))
for option in [], ['--reverse']:
    # IEEE: intercept + slope * x, each operation rounded
    want = 0.75 + 0.1 * a.astype('<f8')
    for run in ['taf2ten', *option, 'a.taf', '-o', 'b.ten'], ['taf2ten', *option, '-m', '64', 'a.taf', '-o', 'b.ten']:
        subprocess.run(run, check=True)
        assert open('b.ten', 'rb').read() == ten_of(want.T.copy() if option else want)
    p = subprocess.run(['taf2ten', *option, 'a.taf'], check=True, capture_output=True)
    assert p.stdout == ten_of(want.T.copy() if option else want)
    subprocess.run(['taf2ten', '-r', *option, 'a.taf', '-o', 'c.ten'], check=True)
    assert open('c.ten', 'rb').read() == ten_of(a.T.copy() if option else a)
p = subprocess.run(['taf2ten', 'big.taf'], check=True, capture_output=True)
assert p.stdout == ten_of(np.array([[2 ** 63 - 1, -2 ** 63 + 1, 5]], '<i8'))
EOF
}

@test "complex elements become a last dimension of 2" {
	need numpy
	python <<'EOF'
# as RSF has it: dimension 1 fastest, pairs
for keys, kind in ('n1=3\nn2=4\ndata_format="native_complex"\nesize=8', 'f4'), \
        ('n1=2\nn2=3\nn3=4\ndata_format="native_double"\ntaf_format="complex128"', 'f8'):
    a = noise('<' + kind, (3, 4, 2))
    data = a.transpose(1, 0, 2).astype(ORDER + kind).tobytes()
    open('a.rsf', 'wb').write((keys + '\nin="stdin"\n\n\f\f\4').encode() + data)
    for option, want in ([], a), (['--reverse'], a.transpose(1, 0, 2).copy()):
        p = subprocess.run(['taf2ten', *option, 'a.rsf'], check=True, capture_output=True)
        assert p.stdout == ten_of(want)
        assert p.stderr.count(b'\n') == 1 and b'complex' in p.stderr, p.stderr
EOF
}

@test "16-bit floats come back as such, or where values have changed as flt32" {
	need numpy
	python <<'EOF'
a = np.arange(65536, dtype='<u2').view('<f2').reshape(32, 8, 256)
with open('a.ten', 'wb') as f:
    f.write(ten_of(a, b'h') + ten_of(noise('<f4', (3, 2))) + ten_of(noise('<f2', (0, 3))))
for way in 'ten2taf a.ten | taf2ten', 'ten2taf a.ten -o a-%d.taf; taf2ten a-*.taf', \
        'ten2taf --reverse <a.ten | cat | taf2ten --reverse -m 64':
    p = subprocess.run(way, shell=True, check=True, capture_output=True)
    assert p.stdout == open('a.ten', 'rb').read() and p.stderr == b'', p.stderr
b = np.array([[1, 2, 1.001], [4, 5, 6]], '<f4')
with open('b.rsf', 'wb') as f:
    f.write(b'\tn1=2\n\tn2=3\n\to1=1\n\to2=1\n\tdata_format="native_float"\n\tten/type="f2"\n'
        b'\tin="stdin"\n\n\f\f\4' + b.astype(ORDER + 'f4').tobytes('F'))
p = subprocess.run(['taf2ten', 'b.rsf'], check=True, capture_output=True)
assert p.stdout == ten_of(b) and p.stderr.count(b'\n') == 1 and b'f2' in p.stderr, p.stderr
p = subprocess.run(['taf2ten', '-r', 'a-1.taf'], check=True, capture_output=True)
assert p.stdout == ten_of(load_taf('a-1.taf')[0], b'h') and b'attributes' in p.stderr, p.stderr
EOF
}

@test "uint32 is written with a remark, and comes back" {
	mktaf a.taf uint32 3,4
	taf2ten a.taf -o a.ten 2>err
	equal "$(wc -l <err)" 1
	grep -q uint32 err
	taf2ten -q a.taf -o b.ten 2>err
	[ ! -s err ]
	same a.ten b.ten
	equal "$(dd if=a.ten bs=1 skip=16 count=2 2>/dev/null)" u4
	ten2taf a.ten -o b.taf
	equal "$(tafprobe -k type b.taf) $(tafprobe -k shape b.taf)" "uint32 3,4"
	tail -c 48 a.taf >want
	tail -c 48 b.taf >got
	same want got
}

@test "one remark says what is dropped" {
	mktaf a.taf int16 3,4
	taf2ten a.taf >/dev/null 2>err
	grep -q grid err
	equal "$(wc -l <err)" 1
	tafcrop a.taf | sed 's/^\t\([od]\)\([12]\)=.*/\t\1\2=1/' >plain.rsf
	taf2ten plain.rsf >a.ten 2>err
	[ ! -s err ]
	tafcomment -C hello a.taf -o b.taf
	taf2ten plain.rsf a.taf b.taf >/dev/null 2>err
	equal "$(wc -l <err)" 1
	grep -q 'grid, comment' err
	taf2ten -q b.taf >/dev/null 2>err
	[ ! -s err ]
}

@test "more dimensions than the format has are refused before anything is written" {
	mktaf a.taf int16 1,2,1,2,1,2,1,2,3
	mktaf b.taf int16 1,2,1,2,1,2,1,2,3,1
	taf2ten -q a.taf -o a.ten
	refuse 3 taf2ten -q b.taf
	refuse 3 taf2ten -q a.taf b.taf -o b.ten
	[ ! -e b.ten ]
	ten2taf a.ten | tafprobe -k shape >dims
	equal "$(cat dims)" 1,2,1,2,1,2,1,2,3
}

@test "an array larger than the memory it may take" {
	need numpy
	python <<'EOF'
a = noise('<u2', (301, 7, 503))
save_taf('a.taf', a)
for m in '40', '5k', '100k', '1M':
    for command in 'taf2ten -m %s a.taf >a.ten', 'cat a.taf | taf2ten -m %s -J 3 | cat >a.ten':
        subprocess.run(command % m, shell=True, check=True)
        assert open('a.ten', 'rb').read() == ten_of(a)
EOF
}

@test "a stream that breaks off ends in status 3, and no file appears" {
	mktaf a.taf int16 30,40
	mktaf b.taf int16 3,40
	tafcrop a.taf b.taf | head -c -7 >cut.rsf
	refuse 3 taf2ten -q cut.rsf
	got=0
	cat cut.rsf | taf2ten -q -o cut.ten 2>err || got=$?
	equal "$got" 3
	[ ! -e cut.ten ]
	: >empty
	refuse 3 taf2ten empty
	refuse 4 taf2ten nowhere.taf
}

@test "a disk that is full is status 4" {
	[ -c /dev/full ] || skip "no /dev/full"
	mktaf a.taf int16 3,4
	got=0
	taf2ten -q a.taf >/dev/full 2>err || got=$?
	equal "$got" 4
}

@test "--tar writes an archive whose members are the files that one array gives" {
	need archive
	for k in 1 2 3; do
		perl -e 'print pack "s<*", map { $_ * 7 + 100 * $ARGV[0] } 1 .. 6' $k |
			tafcreate -q -t int16 -n 2,3 -o $k.taf
		taf2ten --name "n$k" $k.taf -o $k.ten
	done
	for k in 1 2 3; do tafput ten/name=n$k $k.taf; done | taf2ten --tar >s.tar
	equal "$(tar -tf s.tar | xargs)" '000000.ten 000001.ten 000002.ten'
	for k in 1 2 3; do
		tar -xOf s.tar 00000$((k - 1)).ten >got
		same $k.ten got
	done
	taf2ten --tar --member 'x/%02d.tb' 1.taf 2.taf -o s.tar
	equal "$(tar -tf s.tar | xargs)" 'x/00.tb x/01.tb'
	# neighbours of one name share a member; made names count for themselves
	{
		tafput ten/member=p.ten ten/name=n1 1.taf
		tafput ten/member=p.ten ten/name=n2 2.taf
		tafput ten/name=n3 3.taf
		tafput ten/member=q.ten ten/name=n1 1.taf
		tafput ten/member=p.ten ten/name=n2 2.taf
	} >five.rsf
	taf2ten --tar five.rsf >s.tar
	equal "$(tar -tf s.tar | xargs)" 'p.ten 000000.ten q.ten p.ten'
	cat 1.ten 2.ten >want
	tar --occurrence=1 -xOf s.tar p.ten >got
	same want got
	taf2ten --tar five.rsf >again.tar
	same s.tar again.tar
	ten2taf s.tar | taf2ten --tar >again.tar
	same s.tar again.tar
	refuse 2 taf2ten --tar --member a.ten 1.taf
	refuse 2 taf2ten --member %d.ten 1.taf
	ends 4 taf2ten --tar 1.taf >/dev/full
	one_line err
}
