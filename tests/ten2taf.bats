# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016 # what stands between single quotes is for another shell
load helper
load rowmajor

# int16 tensor of 2 x 3 x 4, element [i,j,k] = 100 i + 10 j + k
mkten() {
	perl -e '
		sub chunk { "~TenBin~" . pack("q<", length $_[0]) . $_[0] . "\0" x (-length($_[0]) % 64) }
		my $data = "";
		for my $i (0 .. 1) { for my $j (0 .. 2) { for my $k (0 .. 3) {
			$data .= pack "s<", 100 * $i + 10 * $j + $k } } }
		print chunk(pack "a8 a8 q<*", "i2", "cube", 3, 2, 3, 4), chunk($data);' >"$1"
}

# values FILE: shape, then the elements of an int16 TAF file in storage order
values() {
	perl -e '
		local $/; open my $f, "<:raw", shift or die; my $b = <$f>;
		my $ndim = unpack "Q<", substr $b, 1048;
		my @n = map { unpack "Q<", substr $b, 1056 + 24 * $_, 8 } 0 .. $ndim - 1;
		my $count = 1; $count *= $_ for @n;
		print "@n:", map({ " $_" } unpack "s<$count", substr $b, 1056 + 24 * $ndim), "\n"' "$1"
}

@test "[i,j,k] stays [i,j,k], the first index now the fastest" {
	mkten a.ten
	ten2taf a.ten -o a.taf
	want="2 3 4:"
	for k in 0 1 2 3; do for j in 0 1 2; do for i in 0 1; do
		want="$want $((100 * i + 10 * j + k))"
	done; done; done
	equal "$(values a.taf)" "$want"
	equal "$(tafprobe -k ten/name a.taf) $(tafprobe -k o2 a.taf) $(tafprobe -k d3 a.taf)" "cube 1 1"
}

@test "--reverse keeps the bytes and reverses the dimensions" {
	mkten a.ten
	ten2taf --reverse a.ten -o a.taf
	want="4 3 2:"
	for i in 0 1; do for j in 0 1 2; do for k in 0 1 2 3; do
		want="$want $((100 * i + 10 * j + k))"
	done; done; done
	equal "$(values a.taf)" "$want"
}

@test "to a regular file it is TAF, to a pipe a stream" {
	mkten a.ten
	ten2taf a.ten -o want.taf
	ten2taf a.ten >b.taf
	ten2taf <a.ten | tafcrop -o c.taf
	same want.taf b.taf
	same want.taf c.taf
}

@test "several arrays: the same from a file, a pipe and byte by byte" {
	need numpy
	python <<'EOF'
arrays = [noise('<i4', (3, 5)), noise('u1', (7,)), noise('<f8', (2, 1, 4)), noise('<u2', (0, 3))]
names = [b'a b', b'', b'exactly8', b'"%=\x1b\n']
open('a.ten', 'wb').write(b''.join(map(ten_of, arrays, names)))
for i, a in enumerate(arrays):
    np.save('%d.npy' % (i + 1), a)
EOF
	ten2taf a.ten | cat >want
	ten2taf <a.ten | cat >b
	cat a.ten | ten2taf | cat >c
	dd if=a.ten bs=1 2>/dev/null | ten2taf | cat >d
	same want b
	same want c
	same want d
	equal "$(grep -ac taf_next=1 want)" 3
	ten2taf a.ten -o 'a-%d.taf'
	python <<'EOF'
for i in range(4):
    a, tail = load_taf('a-%d.taf' % (i + 1))
    same(a, np.load('%d.npy' % (i + 1)))
EOF
	equal "$(tafprobe -k ten/name a-1.taf)|$(tafprobe -k ten/name a-3.taf)" "a b|exactly8"
	equal "$(tafprobe -j a-4.taf | grep -o 'ten/name":".*"}')" 'ten/name":"\"%=\u001b\n"}'
	refuse 2 tafprobe -k ten/name a-2.taf
	refuse 3 ten2taf a.ten -o all.taf
	[ ! -e all.taf ]
}

@test "-N picks one of all operands" {
	need numpy
	python <<'EOF'
for i in range(3):
    open('%d.ten' % i, 'wb').write(ten_of(noise('<i2', (i + 2, 3))) + ten_of(noise('u1', (i + 1,))))
EOF
	for k in 1 2 3 4 5 6; do
		ten2taf -N $k 0.ten 1.ten 2.ten | tafprobe -k shape
	done >shapes
	equal "$(tr '\n' ' ' <shapes)" "2,3 1 3,3 2 4,3 3 "
	refuse 3 ten2taf -N 7 0.ten 1.ten 2.ten
	# the first array of a pipe is all that is read of it
	{ cat 0.ten; echo junk; } | ten2taf -N 1 | tafprobe -k shape | grep -qx 2,3
	# what stands behind it does not matter
	{ cat 0.ten; echo junk; } >j.ten
	equal "$(ten2taf -N 2 j.ten | tafprobe -k shape)" 1
}

@test "every element type, every bit" {
	need numpy
	python <<'EOF'
for code in 'f4 f8 i1 i2 i4 i8 u1 u2 u4 u8'.split():
    for shape in (5, 7), (2, 3, 4), (11,), (1, 6), (6, 1), (2, 1, 3, 2):
        a = noise('<' + code, shape)
        open('a.ten', 'wb').write(ten_of(a))
        for option in [], ['--reverse']:
            subprocess.run(['ten2taf', *option, 'a.ten', '-o', 'a.taf'], check=True)
            same(load_taf('a.taf')[0], a.T if option else a)
EOF
}

@test "all 16-bit floats become the flt32 of the same value, NaN with its payload" {
	need numpy
	python <<'EOF'
a = np.arange(65536, dtype='<u2').view('<f2').reshape(256, 256)
open('a.ten', 'wb').write(ten_of(a))
for option in [], ['--reverse']:
    subprocess.run(['ten2taf', *option, 'a.ten', '-o', 'a.taf'], check=True)
    got, tail = load_taf('a.taf')
    got = got.T if option else got
    finite = ~np.isnan(a)
    assert (got[finite] == a[finite]).all() and (np.signbit(got) == np.signbit(a)).all()
    h, f = a[~finite].view('<u2').astype('u4'), got[~finite].view('<u4')
    assert len(h) == 2046 and (f == (h & 0x8000) << 16 | 0x7f800000 | (h & 0x3ff) << 13).all()
# the same one after the other through a pipe
p = subprocess.run('cat a.ten | ten2taf --reverse | tafcrop -o b.taf', shell=True, check=True)
same(load_taf('b.taf')[0].T, got)
EOF
}

@test "an array without dimensions is one element, one without elements is empty" {
	need numpy
	python <<'EOF'
open('a.ten', 'wb').write(ten(b'f8', b'', (), struct.pack('<d', 2.5)))
open('b.ten', 'wb').write(ten(b'i4', b'', (5, 0, 2), b''))
EOF
	ten2taf a.ten -o a.taf
	ten2taf b.ten -o b.taf
	equal "$(tafprobe -k shape a.taf) $(tafprobe -k shape b.taf)" "1 5,0,2"
	python <<'EOF'
same(load_taf('a.taf')[0], np.array([2.5]))
EOF
}

@test "the last padding may be missing, other padding not; what pads is not looked at" {
	mkten a.ten
	ten2taf a.ten -o want.taf
	for n in 144 145 159; do
		head -c $n a.ten >b.ten
		ten2taf b.ten -o b.taf
		same want.taf b.taf
		cat b.ten a.ten >c.ten
		refuse 3 ten2taf c.ten
	done
	perl -pe 'BEGIN { $/ = undef } substr($_, 64, 16) = "x" x 16; substr($_, 144) = "y" x 16' a.ten >d.ten
	ten2taf d.ten -o d.taf
	same want.taf d.taf
}

@test "cut anywhere before the last padding: status 3, and nothing comes out" {
	mkten a.ten
	size=$(stat -c %s a.ten)
	equal "$size" 160
	for ((n = 0; n < 144; n++)); do
		head -c $n a.ten >cut.ten
		refuse 3 ten2taf cut.ten
		bash -c 'ten2taf <cut.ten >out 2>err' && return 1
		[ ! -s out ]
	done
	# of a pipe as well, the array being held back until it is there
	for n in 1 7 8 15 16 79 80 95 96 143; do
		got=0
		head -c $n a.ten | ten2taf >out 2>err || got=$?
		equal "$got" 3
		[ ! -s out ]
	done
	# the second of two
	for n in 1 8 80 96 143; do
		{ cat a.ten; head -c $n a.ten; } >cut.ten
		refuse 3 ten2taf cut.ten
		refuse 3 ten2taf a.ten cut.ten
	done
}

@test "what a header must not say" {
	need numpy
	python <<'EOF'
def file(name, b):
    open(name + '.ten', 'wb').write(b)
ok = np.arange(6, dtype='<i4').tobytes()
head = lambda code, name, ndim, *dims: chunk(struct.pack('<8s8sq', code, name, ndim) +
    struct.pack('<%dq' % len(dims), *dims))
file('negative-dim', head(b'i4', b'', 2, -2, 3) + chunk(ok))
file('negative-ndim', head(b'i4', b'', -1, 6) + chunk(ok))
file('many-dims', head(b'i4', b'', 33, *([1] * 32 + [6])) + chunk(ok))
file('missing-dims', head(b'i4', b'', 3, 2, 3) + chunk(ok))
file('too-large', head(b'i4', b'', 2, 1 << 32, 1 << 32) + chunk(b''))
file('too-large-6', head(b'i4', b'', 2, (1 << 63) - 1, 6) + chunk(ok))
file('not-ascii', head(b'i4', b'\xe4', 1, 6) + chunk(ok))
file('type', head(b'c8', b'', 1, 3) + chunk(ok))
file('type-order', head(b'<i4', b'', 1, 6) + chunk(ok))
file('type-case', head(b'I4', b'', 1, 6) + chunk(ok))
file('data-longer', head(b'i4', b'', 1, 5) + chunk(ok))
file('data-shorter', head(b'i4', b'', 1, 7) + chunk(ok))
file('no-data', head(b'i4', b'', 1, 6))
file('odd', head(b'i4', b'', 1, 6) + chunk(ok) + head(b'i4', b'', 1, 6))
file('trailing-zeros', head(b'i4', b'', 1, 6) + chunk(ok) + bytes(64))
for n in -1, -256, -(1 << 63), 1 << 40, 1 << 62, (1 << 63) - 1:
    h = head(b'i4', b'', 1, 6)
    file('length%d' % n, h + b'~TenBin~' + struct.pack('<q', n) + ok + bytes(40))
    file('header-length%d' % n, b'~TenBin~' + struct.pack('<q', n) + h[16:] + chunk(ok))
EOF
	n=0
	for f in *.ten; do
		refuse 3 bash -c 'ulimit -v $LIMIT; exec timeout 60 ten2taf "$1"' - "$f"
		refuse 3 bash -c 'ulimit -v $LIMIT; timeout 60 ten2taf --reverse <"$1" | cat; exit "${PIPESTATUS[0]}"' - "$f"
		refuse 3 bash -c 'ulimit -v $LIMIT; cat "$1" | timeout 60 ten2taf; exit "${PIPESTATUS[1]}"' - "$f"
		n=$((n + 1))
	done
	equal "$n" 27
}

@test "more than the dimensions in a header is passed over, 32 dimensions are read" {
	need numpy
	python <<'EOF'
a = noise('<i4', (2, 3))
fields = struct.pack('<8s8sq4q', b'i4', b'', 2, 2, 3, 99, 99)
open('a.ten', 'wb').write(chunk(fields) + chunk(a.tobytes()))
open('b.ten', 'wb').write(ten_of(a.reshape([2] + [1] * 30 + [3])))
for name, shape in ('a', (2, 3)), ('b', [2] + [1] * 30 + [3]):
    subprocess.run(['ten2taf', name + '.ten', '-o', 'x.taf'], check=True)
    same(load_taf('x.taf')[0], a.reshape(shape))
EOF
}

@test "an array larger than the memory it may take" {
	need numpy
	python <<'EOF'
a = noise('<i4', (301, 7, 503))
open('a.ten', 'wb').write(ten_of(a))
for m in '40', '5k', '100k', '1M':
    for command in 'ten2taf -m %s a.ten >a.taf', 'cat a.ten | ten2taf -m %s -J 3 | tafcrop -o a.taf':
        subprocess.run(command % m, shell=True, check=True)
        same(load_taf('a.taf')[0], a)
EOF
}

@test "an empty input is bad data, one that is not there a failure of the system" {
	: >empty.ten
	refuse 3 ten2taf empty.ten
	refuse 3 ten2taf
	refuse 4 ten2taf nowhere.ten
	mkten a.ten
	refuse 3 ten2taf a.ten empty.ten
	refuse 4 ten2taf a.ten nowhere.ten
}

@test "corpus: what the real writer wrote" {
	need corpus numpy
	[ -d "$TAF_CORPUS/ten/good" ] || skip "no ten in the corpus"
	python "$TAF_CORPUS/ten" <<'EOF'
import hashlib
files = glob.glob(sys.argv[1] + '/good/*.json') + glob.glob(sys.argv[1] + '/uint32/*.json')
assert len(files) > 5
for f in files:
    source = f[:-4] + 'ten'
    arrays = json.load(open(f))['arrays']
    for i in glob.glob('x-*.taf'):
        os.remove(i)
    subprocess.run(['ten2taf', source, '-o', 'x-%d.taf'], check=True)
    assert len(glob.glob('x-*.taf')) == len(arrays)
    for i, want in enumerate(arrays):
        a, tail = load_taf('x-%d.taf' % (i + 1))
        assert list(a.shape) == want['shape'], f
        a = a.astype('<f2') if want['dtype'] == 'float16' else a
        assert a.dtype.name == want['dtype'], f
        assert hashlib.sha256(a.tobytes()).hexdigest() == want['sha256_c_order'], f
        assert ('ten/name=' + want['info'] + '\n' in tail) == (want['info'] != ''), tail
    # and back, byte by byte
    subprocess.run(['bash', '-o', 'pipefail', '-c',
        'ten2taf "$1" | taf2ten -q | cmp - "$1"', '-', source], check=True)
EOF
}

@test "corpus: what is broken or odd" {
	need corpus
	[ -d "$TAF_CORPUS/ten/bad" ] || skip "no ten in the corpus"
	n=0
	for f in "$TAF_CORPUS"/ten/bad/*.ten "$TAF_CORPUS"/ten/quirk/*.ten; do
		want=3
		case ${f##*/} in
		# 10 dimensions, which the real reader reads too, and what the manifest accepts
		rank_10.ten | dtype_leading_nul.ten | info_control_chars.ten | nd_0_scalar.ten | \
			nd_0_then_1d.ten | partial_final_padding.ten | rank_smaller_than_dims.ten)
			want=0 ;;
		esac
		for how in 'exec timeout 60 ten2taf -F rsf -o x "$1"' 'cat "$1" | timeout 60 ten2taf -F rsf -o x'; do
			rm -f x
			status $want bash -o pipefail -c "ulimit -v $LIMIT; $how" - "$f"
			[ ! -s out ]
			if [ $want -eq 0 ]; then
				[ ! -s err ]
				tafprobe x >probe
			else
				equal "$(wc -l <err)" 1
				[ ! -e x ]
			fi
		done
		n=$((n + 1))
	done
	[ "$n" -gt 20 ]
}

# three members of a shard, of which the first has two arrays, and what else lies beside them
mkshard() {
	local k
	mkdir -p shard/deep
	for k in 1 2 3 4; do
		perl -e 'print pack "s<*", map { $_ * 7 + 100 * $ARGV[0] } 1 .. 6' $k |
			tafcreate -q -t int16 -n 2,3 -o $k.taf
	done
	taf2ten 1.taf 2.taf -o shard/a.ten
	taf2ten 3.taf -o shard/b.x.ten
	taf2ten 4.taf -o shard/deep/c.ten
	echo 7 >shard/a.cls
	echo words >shard/ten
}

# stored FILE...: the values of all arrays of a stream, after the member that each is from
stored() {
	tafprobe -k ten/member "$@"
	tafcat -q "$@" | tafread -N 1
	tafcat -q "$@" | tafread -N 4
}

@test "the members of a tar archive of any kind are arrays of the stream" {
	need archive
	mkshard
	cat >want <<'END'
a.ten
a.ten
b.x.ten
deep/c.ten
END
	for k in 1 4; do perl -e 'print $_ * 7 + 100 * $ARGV[0], "\n" for 1 .. 6' $k >>want; done
	for kind in v7 ustar gnu pax; do
		tar -C shard --format=$kind -cf $kind.tar a.ten a.cls b.x.ten deep ten
		ten2taf $kind.tar -o got.rsf
		stored got.rsf >got
		same want got
		ten2taf <$kind.tar >got.rsf
		stored got.rsf >got
		same want got
		cat $kind.tar | ten2taf | cat >got.rsf
		stored got.rsf >got
		same want got
	done
	for pack in gzip bzip2 xz; do
		command -v $pack >/dev/null || continue
		$pack <pax.tar >packed
		cat packed | ten2taf -m 100 -o got.rsf
		stored got.rsf >got
		same want got
	done
	# one behind the other, and without the two empty blocks at the end
	head -c 7168 ustar.tar >short.tar
	cat short.tar gnu.tar | ten2taf | tafprobe -k ten/member >got
	equal "$(xargs <got)" 'a.ten a.ten b.x.ten deep/c.ten a.ten a.ten b.x.ten deep/c.ten'
	equal "$(ten2taf short.tar | tafprobe -k ten/member | xargs)" 'a.ten a.ten b.x.ten deep/c.ten'
	ten2taf -N 3 pax.tar -o third.taf
	equal "$(tafread third.taf | xargs)" "$(tafread 3.taf | xargs)"
}

@test "--member chooses the members of an archive; others are passed over" {
	need archive
	mkshard
	tar -C shard -cf s.tar .
	ten2taf -v s.tar 2>err >out.rsf
	grep -qx 'ten2taf: s.tar: 4 other members passed over' err
	equal "$(ten2taf --member 'b*' s.tar | tafprobe -k ten/member)" ./b.x.ten
	equal "$(ten2taf --member 'c.*' s.tar | tafprobe -k ten/member)" ./deep/c.ten
	refuse 3 ten2taf --member '*.tb' s.tar
	equal "$(cat err)" 'ten2taf: s.tar: no member of the tar archive is called *.tb, but there are 7 others'
	refuse 3 ten2taf --member '*' s.tar
	refuse 3 ten2taf --member '*.ten' shard/a.ten
	grep -q 'not a tar archive' err
	ln -s a.ten shard/link.ten
	tar -C shard -cf s.tar a.ten link.ten
	ends 0 ten2taf s.tar -o out.rsf
	equal "$(cat err)" 'ten2taf: s.tar: link.ten: no regular file: passed over'
	: >empty.ten
	tar -cf e.tar empty.ten
	refuse 3 ten2taf e.tar
	tar -C shard -cf e.tar a.cls
	refuse 3 ten2taf e.tar
}

@test "names of members are long, and of any letters" {
	need archive
	mkshard
	long=$(printf '%0120d' 7)
	mkdir "shard/$long"
	cp shard/b.x.ten "shard/$long/$long.ten"
	cp shard/b.x.ten "shard/$(printf '\303\251').ten"
	for kind in gnu pax; do
		(cd shard && tar --format=$kind -cf ../s.tar "$long" "$(printf '\303\251').ten")
		LC_ALL=C ten2taf s.tar | tafprobe -k ten/member >got
		printf '%s\n\303\251.ten\n' "$long/$long.ten" >want
		same want got
		LC_ALL=C ten2taf s.tar | taf2ten --tar | ten2taf | tafprobe -k ten/member >got
		same want got
	done
}

@test "a damaged archive is 3, with the member's name" {
	need archive
	mkshard
	tar -C shard --format=ustar -cf s.tar a.ten b.x.ten deep/c.ten
	for n in 600 800 1100 1500 2000 2600 3200; do
		head -c $n s.tar >cut.tar
		refuse 3 ten2taf cut.tar
		[[ $(<err) != *.ten:*.ten:* ]]
		head -c $n s.tar | ends 3 ten2taf >/dev/null
		one_line err
	done
	head -c 2100 s.tar >cut.tar
	refuse 3 ten2taf cut.tar
	[[ $(<err) == 'ten2taf: cut.tar: b.x.ten: tar archive: '* ]]
	head -c 100 shard/a.ten >cut.ten
	tar -cf s.tar cut.ten
	refuse 3 ten2taf s.tar
	[[ $(<err) == 'ten2taf: s.tar: cut.ten: offset '* ]]
	gzip <s.tar | head -c 90 >s.gz
	refuse 3 ten2taf s.gz
	echo text | gzip >s.gz
	refuse 3 ten2taf s.gz
}
