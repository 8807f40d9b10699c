# SPDX-License-Identifier: ISC
load helper

@test "a file of the other byte order needs no temporary file" {
	mktaf a.taf int16 7,300
	tafcrop a.taf -o a.rsf
	perl -0777 -pe 's/taf_order="(\w+)"/q(taf_order=") . ($1 eq "big" ? "little" : "big") . q(")/e;
		s/(\n\f\f\004)(.*)/$1 . pack "n*", unpack "v*", $2/se' a.rsf >b.rsf
	cmp -s a.rsf b.rsf && return 1
	for m in 256M 4k; do
		tafpermute -d 2,1 a.taf -o want.taf
		TMPDIR=/nowhere tafpermute -m $m -d 2,1 b.rsf -o got.taf
		same want.taf got.taf
	done
}

@test "every order of three dimensions, as numpy has it" {
	need numpy
	for type in int8 flt64; do
		mktaf a.taf $type 7,5,3
		tafadjust -i --label 1=a --label 2=b --unit 3=c a.taf
		for order in 1,2,3 1,3,2 2,1,3 2,3,1 3,1,2 3,2,1; do
			tafpermute -d $order a.taf -o b.taf
			O=$order Y=$type "$PYTHON" - <<'EOP'
import os, numpy as np
order = [int(k) - 1 for k in os.environ['O'].split(',')]
t = {'int8': 'i1', 'int16': '<i2', 'flt32': '<f4', 'flt64': '<f8'}[os.environ['Y']]
a = np.fromfile('a.taf', t, 105, offset=1128).reshape(7, 5, 3, order='F')
b = np.fromfile('b.taf', t, 105, offset=1128).reshape([a.shape[k] for k in order], order='F')
assert (b == a.transpose(order)).all()
g = np.dtype([('n', '<u8'), ('o', '<f8'), ('d', '<f8')])
ga, gb = np.fromfile('a.taf', g, 3, offset=1056), np.fromfile('b.taf', g, 3, offset=1056)
assert (gb == ga[order]).all()
EOP
			want=$(IFS=,; for k in $order; do tafprobe -k "label$k" a.taf; tafprobe -k "unit$k" a.taf; done)
			equal "$(for k in 1 2 3; do tafprobe -k label$k b.taf; tafprobe -k unit$k b.taf; done)" "$want"
			cat a.taf | tafpermute -d $order -F taf >c
			same b.taf c
			tafcrop a.taf | tafpermute -d $order | tafcrop -F taf >c
			same b.taf c
			tafpermute -m 4k -J 3 -d $order a.taf -o c.taf
			same b.taf c.taf
			cp a.taf i.taf
			tafpermute -i -d $order i.taf
			same b.taf i.taf
		done
	done
}

@test "larger than the memory, in file and pipe" {
	need numpy
	mktaf a.taf int16 311,203,7
	tafpermute -d 3,2,1 a.taf -o b.taf
	"$PYTHON" - <<'EOP'
import numpy as np
a = np.fromfile('a.taf', '<i2', 311 * 203 * 7, offset=1128).reshape(311, 203, 7, order='F')
b = np.fromfile('b.taf', '<i2', 311 * 203 * 7, offset=1128).reshape(7, 203, 311, order='F')
assert (b == a.T).all()
EOP
	for m in 1 64k 1M; do
		tafpermute -m $m -d 3,2,1 a.taf -o c.taf
		same b.taf c.taf
		tafcrop a.taf | tafpermute -m $m -d 3,2,1 | tafcrop -F taf >c
		same b.taf c
	done
}

@test "behind what a file holds, where the shell appends to it" {
	local command
	mktaf a.taf int16 301,157
	for command in 'tafpermute -F rsf -d 2,1' 'tafpermute -m 20000 -F taf -d 2,1' 'tafcrop -F rsf' \
		'taf2npy --c-order'; do
		$command a.taf | cat >want
		{ printf 'what stood there'; cat want want; } >all
		printf 'what stood there' >out
		$command a.taf >>out
		$command a.taf >>out
		same all out
	done
}

@test "attributes and mapping go along; the comment stays" {
	mktaf a.taf uint16 4,3
	printf 'text\n\n--- attributes ---\nq@1=one\nr@2=two\ns=all\n' >>a.taf
	perl -e 'open F, "+<", "a.taf"; seek F, 1032, 0; print F pack "d<2", 1, 2; seek F, 4, 0; print F "\1\1\1"'
	tafpermute -d 2,1 a.taf -o b.taf
	equal "$(tail -c +$((1104 + 24 + 1)) b.taf)" "$(printf 'text\n\n--- attributes ---\nq@2=one\nr@1=two\ns=all')"
	equal "$(tafprobe -k slope b.taf)" 2
}

@test "a column becomes a row, and a row a column" {
	mktaf a.taf int16 4,1
	taftype -i --set column a.taf
	tafpermute -d 2,1 a.taf -o b.taf
	equal "$(taftype b.taf) $(tafprobe -k shape b.taf)" "2 1,4"
	equal "$(tafpermute -d 2,1 b.taf | taftype)" 1
	equal "$(tafpermute -d 1,2 b.taf | taftype)" 2
	mktaf c.taf int16 4,3,2
	taftype -i --set image c.taf
	equal "$(tafpermute -d 2,1,3 c.taf | taftype)" 3
}

@test "one dimension, 64 dimensions, lengths of 0 and 1" {
	mktaf a.taf int16 9
	tafpermute -d 1 a.taf -o b.taf
	tafcrop a.taf -o c.taf
	same c.taf b.taf
	ones=$(printf '1,%.0s' {1..61})
	mktaf a.taf int16 2,3,${ones}5
	back=$(seq -s , 64 -1 1)
	tafpermute -d "$back" a.taf -o b.taf
	equal "$(tafprobe -k shape b.taf)" "5,${ones}3,2"
	tafpermute -d "$back" b.taf -o c.taf
	tafcrop a.taf -o d.taf
	same d.taf c.taf
	mktaf a.taf int16 4,0,3
	equal "$(tafpermute -d 3,1,2 a.taf | tafprobe -k shape)" 3,4,0
}

@test "complex elements move whole" {
	perl -e 'print "n1=2 n2=3 data_format=\"native_complex\" in=\"stdin\"\n\f\f\004", pack "f$ENV{ORDER}*", 1 .. 12' >a.rsf
	tafpermute -d 2,1 a.rsf | tail -c 48 >got
	perl -e 'print pack "f$ENV{ORDER}*", 1, 2, 5, 6, 9, 10, 3, 4, 7, 8, 11, 12' >want
	same want got
	rsf2taf a.rsf -o a.taf
	tafpermute -d 2,1 a.taf -o b.taf
	tafcrop b.taf | tail -c 48 >got
	same want got
}

@test "an order that is none is refused" {
	mktaf a.taf int16 4,3
	for d in '' 1 1,1 0,1 2,3 1,2,2 1,2, ,1,2 1.0,2 -1,2; do
		case $d in 1) refuse 3 tafpermute -d "$d" a.taf ;; *) refuse 2 tafpermute -d "$d" a.taf ;; esac
	done
	refuse 3 tafpermute -d 1,2,3 a.taf
	refuse 3 tafpermute -d 2,3,1 a.taf -o b.taf
	refuse 2 tafpermute a.taf
	refuse 2 tafpermute -d 2,1 -J 0 a.taf
	refuse 2 tafpermute -d 2,1 -m x a.taf
	[ ! -e b.taf ]
	# one of several arrays that has another rank: refused before the first
	mktaf b.taf int16 4,3,2
	refuse 3 tafpermute -d 2,1 a.taf b.taf
	tafpermute -d 2,1 -N 1 a.taf b.taf >/dev/null
}

@test "a large output on a full disk: status 4 before the first element, and no file" {
	need strace
	strace -o /dev/null true 2>/dev/null || skip "strace cannot trace here"
	[ "$(stat -f -c %T .)" != tmpfs ] || skip "no room is set aside in memory"
	mktaf a.taf int32 101,211
	tafpermute -d 2,1 a.taf -o want.taf
	ls -A >before
	ends 4 strace -f -o /dev/null -e inject=fallocate:error=ENOSPC \
		tafpermute -m 16K -d 2,1 a.taf -o b.taf
	# where elements are turned around on their way, they go through a file of its own
	case $ORDER in '<') into=b.taf ;; *) into='temporary file' ;; esac
	grep -q "$into: cannot write" err
	ls -A | grep -v -x err | diff before - || { echo "something is left"; return 1; }
	# a file system that cannot set room aside does without
	strace -f -o /dev/null -e inject=fallocate:error=EOPNOTSUPP \
		tafpermute -m 16K -d 2,1 a.taf -o b.taf
	same want.taf b.taf
}
