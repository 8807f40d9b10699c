# SPDX-License-Identifier: ISC
load helper

# rsf FILE KEYS DATA: a stream of one array
counts() {
	tafhist -q "$@" | tafread | paste -s -d ' ' -
}

outside() {
	tafhist -q "$@" | head -c 2000 | grep -a -o 'hist/[a-z]*=[0-9]*' | paste -s -d ' ' -
}

@test "values at edges belong to the bin above, and at the last edge to the last" {
	printf '0\n1\n1\n2\n3\n4\n4\n-1\n5\nnan\n' | txt2taf --missing nan -o a.taf
	equal "$(counts --bins 4 --range 0:4 a.taf)" "1 2 1 3"
	equal "$(outside --bins 4 --range 0:4 a.taf)" "hist/below=1 hist/above=1 hist/nan=1"
	tafhist --bins 4 --range 0:4 a.taf 2>err >out
	equal "$(cat err)" "tafhist: in no bin: 1 below, 1 above, 1 NaN"
	equal "$(tafprobe -k type out) $(tafprobe -k shape out) $(tafprobe -k o1 out) $(tafprobe -k d1 out)" "int64 4 0.5 1"
	# all that are finite, with the last
	equal "$(counts --bins 3 a.taf)" "2 3 4"
	equal "$(outside --bins 3 a.taf)" "hist/below=0 hist/above=0 hist/nan=1"
}

# numpy.histogram(numpy.arange(-100, 100) / 10, bins=7, range=(-3.3, 2.7)) and others, which
# numpy 1.24 has computed
@test "edges are those of numpy, also of flt32" {
	perl -e 'print map { $_ / 10, "\n" } -100 .. 99' >x
	txt2taf -t flt64 x -o a.taf
	equal "$(counts --bins 7 --range=-3.3:2.7 a.taf)" "9 9 8 9 8 9 9"
	equal "$(counts --bins 10 --range=-1:1 a.taf)" "2 2 3 2 1 3 2 2 1 3"
	txt2taf -t flt32 x -o b.taf
	equal "$(counts --bins 10 --range=-1:1 b.taf)" "2 2 2 2 2 2 2 2 2 3"
	equal "$(counts --bins 7 --range=-3.3:2.7 b.taf)" "9 9 8 9 8 9 9"
	equal "$(counts --bins 3 a.taf)" "67 66 67"
}

@test "the same as numpy, over types, bins and ranges" {
	need numpy
	for t in int8 uint16 int32 int64 uint64 flt32 flt64; do
		mktaf a.taf $t 211,7
		for options in "--bins 10" "--bins 7 --range 3:50" "--bins 33 --range=-0.1:99.7"; do
			# shellcheck disable=SC2086 # words
			tafhist -q $options a.taf | taf2raw >got
			"$PYTHON" - "$t" "$options" <<'EOP' >want
import sys, numpy as np
t = dict(int8='i1', uint16='u2', int32='i4', int64='i8', uint64='u8', flt32='f4', flt64='f8')
a = np.fromfile('a.taf', '<' + t[sys.argv[1]], 1477, offset=1104)
o = sys.argv[2].replace('=', ' ').split()
r = tuple(map(float, o[3].split(':'))) if len(o) > 2 else None
sys.stdout.buffer.write(np.histogram(a, int(o[1]), r)[0].astype('<i8').tobytes())
EOP
			same want got || { echo "$t $options"; return 1; }
		done
	done
}

@test "large integers are counted exactly" {
	# neighbours that a double does not tell apart
	perl -e 'print pack "q<*", 9007199254740992, 9007199254740993, 9007199254740995, -1' >x
	tafcreate -n 4 -t int64 -e int64le x -o a.taf
	equal "$(counts --bins 2 --range 9007199254740990:9007199254740994 a.taf)" "0 2"
	equal "$(outside --bins 2 --range 9007199254740990:9007199254740994 a.taf)" "hist/below=1 hist/above=1 hist/nan=0"
	perl -e 'print pack "Q<*", 18446744073709551615, 18446744073709551614, 9223372036854775809' >x
	tafcreate -n 3 -t uint64 -e uint64le x -o a.taf
	equal "$(counts --bins 1 a.taf) $(outside --bins 1 a.taf)" "3 hist/below=0 hist/above=0 hist/nan=0"
	equal "$(counts --bins 1 --range 0:18446744073709549568 a.taf)" 1
}

@test "sfhistogram: what is outside the bins is told, infinities too" {
	printf '1\n2\n3\ninf\n-inf\nnan\nnan\n' | txt2taf --missing nan -t flt64 -o a.taf
	equal "$(counts --bins 2 a.taf) $(outside --bins 2 a.taf)" "1 2 hist/below=1 hist/above=1 hist/nan=2"
	tafhist -q --bins 2 a.taf -o b.taf
	grep -a -q '^hist/nan=2$' b.taf
	# TAF from a pipe, whose comment is behind its data
	mktaf c.taf int16 9,4
	tafhist -q --bins 2 --range 30:90 c.taf -o b.taf
	# shellcheck disable=SC2002 # through a pipe
	cat c.taf | tafhist -q --bins 2 --range 30:90 -o d.taf
	same b.taf d.taf
	# nothing is said where nothing is left out
	equal "$(seq 9 | txt2taf | tafhist 2>&1 >/dev/null)" ""
}

@test "a range needs no temporary file for a pipe" {
	mktaf a.taf int16 9,4,5
	tafhist --bins 7 --range 30:90 a.taf >want 2>remark
	tafcrop a.taf | TMPDIR=nowhere tafhist --bins 7 --range 30:90 >got 2>err
	same want got
	same remark err
	# lines need the elements twice
	tafcrop a.taf | TMPDIR=nowhere ends 4 tafhist -q --bins 7 --range 30:90 -d 2 >out
	tafcrop a.taf | TMPDIR=nowhere ends 4 tafhist -q --bins 7 >out
}

@test "a width: multiples of it, or a range of so many" {
	printf -- '-0.3\n0\n0.25\n0.26\n1\n' | txt2taf -t flt64 -o a.taf
	equal "$(counts --width 0.25 a.taf)" "1 0 1 2 0 0 1"
	tafhist --width 0.25 a.taf >out
	equal "$(tafprobe -k o1 out) $(tafprobe -k d1 out)" "-0.375 0.25"
	equal "$(counts --width 0.5 --range=-1:1 a.taf)" "0 1 3 1"
	refuse 2 tafhist --width 0.3 --range 0:1 a.taf
	grep -q 'not a whole number' err
	refuse 2 tafhist --width 0.3 --bins 3 a.taf
	refuse 3 tafhist --width 1e-300 a.taf
	refuse 3 tafhist --width 1e-11 a.taf
	# its edges are finite, and what lies between them is not
	refuse 3 tafhist --width 1e308 a.taf
}

@test "density and cumulative" {
	printf '0\n1\n1\n2\n9\n' | txt2taf -t flt64 -o a.taf
	equal "$(counts --bins 2 --range 0:4 --density a.taf)" "0.375 0.125"
	equal "$(counts --bins 2 --range 0:4 --cumulative a.taf)" "3 4"
	equal "$(counts --bins 2 --range 0:4 --cumulative --density a.taf)" "0.75 1"
	equal "$(tafhist -q --density a.taf | tafprobe -k type)" flt64
}

@test "each line along a dimension by itself, in the bins of all" {
	mktaf x.taf int16 5,4,3
	tafadjust --label 2=Channel --unit 2=m x.taf -o a.taf
	echo unit=V >>a.taf
	tafhist --bins 6 -d 2 a.taf -o b.taf
	equal "$(tafprobe -k shape b.taf) $(tafprobe -k unit2 b.taf) $(tafprobe -k label2 b.taf)" "5,6,3 V "
	tafread a.taf >values
	perl -e '
		my @v = <>;
		my ($low, $high) = (sort { $a <=> $b } @v)[0, -1];
		for my $k (0 .. 2) { for my $b (0 .. 5) { for my $i (0 .. 4) {
			print scalar(grep { my $n = int(($v[$i + 5 * $_ + 20 * $k] - $low) * 6 / ($high - $low));
			    ($n == 6 ? 5 : $n) == $b } 0 .. 3), "\n";
		} } }' values >want
	tafread b.taf >got
	same want got
	# all lines together are the array
	tafhist --bins 6 a.taf | tafread >whole
	perl -e '@v = <>; for $b (0 .. 5) { $n = 0; $n += $v[int($_ / 5) * 30 + $_ % 5 + 5 * $b] for 0 .. 14; print "$n\n" }' got >want
	same want whole
	refuse 3 tafhist -d 4 a.taf
}

@test "many elements, of 16 bits too, the same with any number of threads and any memory" {
	perl -e 'print pack "s<*", map { $_ * 7919 % 65521 - 32768 } 1 .. 200000' >x
	unpack 's<*' x | perl -ne '$n[int(($_ + 32768) / 65536 * 64)]++; END { print "$_\n" for @n[0 .. 63] }' >want
	for t in int16 flt32; do
		tafcreate -n 200000 -t $t -e int16le x -o a.taf
		for options in "-J 1" "-J 3" "-m 64k"; do
			# shellcheck disable=SC2086 # words
			tafhist $options --bins 64 --range=-32768:32768 a.taf | tafread >got
			same want got
		done
	done
}

@test "what cannot be done is refused before any output" {
	printf '1\n1e-300\n' | txt2taf -t flt64 -o a.taf
	for range in 1 1:1 2:1 nan:1 0:inf -1e308:1e308 :; do
		refuse 2 tafhist "--range=$range" a.taf
	done
	for bins in 0 -1 1.5 x 1073741824; do
		refuse 2 tafhist "--bins=$bins" a.taf
	done
	refuse 2 tafhist --width 0 a.taf
	refuse 3 tafhist --bins 1000000 -m 1M a.taf
	grep -q '1000000 bins need more memory than -m allows' err
	refuse 3 tafhist --bins 100 --range 1:1.0000000000000002 a.taf
	printf 'nan\nnan\n' | txt2taf --missing nan -o b.taf
	refuse 3 tafhist b.taf
	grep -q -e --range err
	rsf c.rsf 'data_format="native_complex" n1=1' '\0\0\0\0\0\0\0\0'
	refuse 3 tafhist c.rsf
}

@test "no elements are no counts" {
	rsf a.rsf 'data_format="native_float" n1=0 n2=2' ''
	equal "$(counts --bins 3 --range 0:1 a.rsf)" "0 0 0"
	equal "$(counts --bins 2 --range 0:1 -d 1 a.rsf)" "0 0 0 0"
	equal "$(counts --bins 2 --range 0:1 --density a.rsf)" "nan nan"
	# there is no range where no value is finite
	refuse 3 tafhist a.rsf
	grep -q -e --range err
}

@test "without a range nothing is in no bin, however edges are rounded" {
	printf '3.4\n4.15\n' | txt2taf -t flt64 -o a.taf
	equal "$(counts --width .1 a.taf | xargs)" '1 0 0 0 0 0 0 0 1'
	# arrays of three decimal fractions each, in the bins of many widths
	perl -e 'srand 5; print map { sprintf "%.2f\n", rand(8) - 4 } 1 .. 1500' |
		txt2taf -t flt64 | tafreshape -n 3,500 | tafsplit -d 2 >many.rsf
	for width in .1 .3 .7 1.1 .01 .12; do
		equal "$(tafhist --width $width many.rsf 2>err | tafreduce sum -t int64 | tafread |
			sort | uniq -c | xargs)" "500 3"
		[ ! -s err ]
	done
}

@test "integers have bins of whole numbers, where none are asked for" {
	perl -e 'print pack "C*", map { 10 + $_ * 7 % 200 } 0 .. 199' | tafcreate -t uint8 -n 200 -e uint8 -o a.taf
	equal "$(counts a.taf)" "$(yes 2 | head -n 100 | xargs)"
	equal "$(tafhist a.taf | tafprobe -k o1) $(tafhist a.taf | tafprobe -k d1)" "10.5 2"
	# fewer numbers than bins: each has its own, in the middle
	equal "$(tafcrop -x 1=1:11:5 a.taf | tafhist | tafread -c | grep -v ' 0$' | xargs)" \
		"$(tafcrop -x 1=1:11:5 a.taf | tafread | sort -n | sed 's/$/ 1/' | xargs)"
	equal "$(tafmath -n 4 -t int32 -- -7 | tafhist | tafread -c)" "-7 4"
	# under a mapping they are values as others
	equal "$(tafadjust --slope 0.1 --intercept 0 a.taf | tafhist | tafprobe -k shape)" 100
}
