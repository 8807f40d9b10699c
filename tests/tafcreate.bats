# SPDX-License-Identifier: ISC
load helper

# raw FILE TEMPLATE NUMBER...: numbers as perl packs them
raw() {
	perl -e 'my ($f, $t, @v) = @ARGV; open F, ">:raw", $f; print F pack "($t)*", @v' "$@"
}

# elements FILE BYTES TEMPLATE: the last so many bytes of a file, as numbers
elements() {
	tail -c "$2" "$1" | unpack "($3)*" | xargs
}

@test "bytes become elements as they are, of every type" {
	while read -r type template; do
		raw in.raw "$template" 1 2 3 4 5 6 7 8 9 10 11 120
		tafcreate -n 4,3 -t "$type" in.raw -o a.taf
		equal "$(tafprobe -k type a.taf) $(tafprobe -k shape a.taf)" "$type 4,3"
		tail -c +1105 a.taf >data
		same in.raw data
	done <<-'END'
		int8 c
		uint8 C
		int16 s<
		uint16 S<
		int32 l<
		uint32 L<
		int64 q<
		uint64 Q<
		flt32 f<
		flt64 d<
	END
	raw in.raw 'f<' 1 2 3
	equal "$(tafcreate -n 3 in.raw | tafprobe -k type)" flt32
	equal "$(tafcreate -n 3 -t single in.raw | tafprobe -k type)" flt32
}

@test "big-endian bytes" {
	while read -r type little big; do
		raw le.raw "$little" 1 2 100 -3
		raw be.raw "$big" 1 2 100 -3
		tafcreate -n 4 -t "$type" -e "${type}le" le.raw >le
		tafcreate -n 4 -t "$type" -e "${type}be" be.raw >be
		same le be
	done <<-'END'
		int16 s< s>
		int32 l< l>
		int64 q< q>
		flt32 f< f>
		flt64 d< d>
	END
}

@test "NaN with its payload, -0 and infinities are kept" {
	perl -e 'print pack("Q<*", 0x7ff8000000000123, 0xfff0000000000001, 1 << 63), pack "d<*", 9**9**9, -9**9**9' >in.raw
	tafcreate -n 5 -t flt64 in.raw -o a.taf
	tail -c +1105 a.taf | head -c 40 >data
	same in.raw data
	tafcreate -n 5 -t flt64 in.raw | tail -c 40 | unpack "Q$ORDER*" >got
	unpack 'Q<*' in.raw >want
	same want got
}

@test "grids, comments, an open last length" {
	raw in.raw 's<' $(seq 1 24)
	printf 'of a file\n' >text
	tafcreate -n 2,3, -t int16 -a 1=-5:0.5 -a 3=1e9:-2 -C one -C @text in.raw -o a.taf
	equal "$(tafprobe -k shape a.taf) $(tafprobe -k o1 a.taf) $(tafprobe -k d1 a.taf)" "2,3,4 -5 0.5"
	equal "$(tafprobe -k o2 a.taf) $(tafprobe -k o3 a.taf) $(tafprobe -k d3 a.taf)" "1 1000000000 -2"
	equal "$(tafcomment a.taf)" "$(printf 'one\nof a file')"
	equal "$(tafcreate -n 4, -t int16 <in.raw | tafprobe -k shape)" 4,6
	equal "$(cat in.raw | tafcreate -n 4, -t int16 | tafprobe -k shape)" 4,6
	# from where standard input stands
	equal "$({ dd bs=4 count=1 of=/dev/null 2>/dev/null; tafcreate -n 2, -t int16; } <in.raw | tafprobe -k shape)" 2,11
	equal "$(tafcreate -n 24 -t int16 in.raw | tafprobe -k ndim)" 1
	ones=$(printf '1,%.0s' {1..63})
	equal "$(tafcreate -n "${ones}24" -t int16 in.raw | tafprobe -k n64)" 24
	equal "$(tafcreate -n "$ones" -t int16 in.raw | tafprobe -k n64)" 24
}

@test "another number of bytes is refused, and no file appears" {
	raw in.raw 's<' $(seq 1 24)
	for n in 23 25 0 5, 48; do
		refuse 3 tafcreate -n $n -t int16 in.raw -o a.taf
		cat in.raw | ends 3 tafcreate -n $n -t int16 -o a.taf
	done
	[ ! -e a.taf ]
	refuse 3 tafcreate -n 0, -t int16 in.raw
	refuse 3 tafcreate -n 4294967296,4294967296 -t int16 in.raw
	refuse 2 tafcreate -n 24 -t int16 -a 2=0:1 in.raw
}

@test "floats to integers are scaled as the report says" {
	raw in.raw 'd<' -1 0 0.25 3
	tafcreate -n 4 -e flt64 -t uint8 in.raw -o a.taf
	# slope (3 - -1) / 255, intercept -1
	equal "$(perl -e 'open F, "a.taf"; read F, $h, 1060; printf "%.17g %.17g", unpack "x1032 d<2", $h')" \
		"$(perl -e 'printf "%.17g %.17g", -1, 4 / 255')"
	equal "$(perl -e 'open F, "a.taf"; seek F, 1104, 0; read F, $d, 4; print join " ", unpack "C4", $d')" "0 64 80 255"
	for type in int8 uint8 int16 uint16 int32 uint32 int64 uint64; do
		tafcreate -n 4 -e flt64 -t $type in.raw -o a.taf
		cat in.raw | tafcreate -n 4 -e flt64 -t $type -o b.taf
		same a.taf b.taf
		T=$type perl -e '
			my %t = (int8 => "c", uint8 => "C", int16 => "s<", uint16 => "S<", int32 => "l<", uint32 => "L<",
			    int64 => "q<", uint64 => "Q<");
			open F, "a.taf"; read F, my $h, 4096;
			my ($a, $b) = unpack "x1032 d<2", $h;
			my @x = unpack "x1104 ($t{$ENV{T}})4", $h;
			my @v = (-1, 0, 0.25, 3);
			abs($a + $b * $x[$_] - $v[$_]) <= $b / 2 + 1e-15 or die "$ENV{T}: $x[$_]" for 0 .. 3;'
	done
}

@test "a pipe is scaled as a file is" {
	perl -e 'print pack "f>*", map { $_ * $_ % 65521 / 7 - 900 } 1 .. 300007' >in.raw
	for jobs in 1 2 3; do
		tafcreate -q -J $jobs -n 300007 -e flt32be -t int16 in.raw -o file.taf
		tafcreate -q -J $jobs -n 300007 -e flt32be -t int16 -o pipe.taf < <(cat in.raw)
		same file.taf pipe.taf
		run ! tafcreate -q -J $jobs -n 300007 -e flt32be -t int16 -o cut.taf \
			< <(head -c 1200027 in.raw)
		equal "$status" 3
		[ ! -e cut.taf ]
	done
	TAF_INTERCEPT=$(tafprobe -k intercept pipe.taf) TAF_SLOPE=$(tafprobe -k slope pipe.taf) \
		perl -e 'print pack "s<*", map { my $x = unpack "f", pack "f", $_ * $_ % 65521 / 7 - 900;
		$x = ($x - $ENV{TAF_INTERCEPT}) / $ENV{TAF_SLOPE}; int($x + ($x < 0 ? -.5 : .5)) }
		1 .. 300007' >want
	tail -c +1105 pipe.taf | head -c 600014 >data
	same want data
}

@test "what is not finite is clipped, counted and told" {
	raw in.raw 'd<' 1 nan inf -inf 5
	tafcreate -n 5 -e flt64 -t int8 in.raw -o a.taf 2>err
	grep -q '3 values' err
	equal "$(perl -e 'open F, "a.taf"; seek F, 1104, 0; read F, $d, 5; print join " ", unpack "c5", $d')" "-128 0 127 -128 127"
	tafcreate -q -n 5 -e flt64 -t int8 in.raw -o a.taf 2>err
	[ ! -s err ]
	raw in.raw 'd<' nan inf
	refuse 3 tafcreate -n 2 -e flt64 -t int8 in.raw
	# all equal: exact
	raw in.raw 'd<' 0.1 0.1
	tafcreate -n 2 -e flt64 -t int8 in.raw -o a.taf
	equal "$(tafprobe -k intercept a.taf) $(tafprobe -k slope a.taf)" "0.1 1"
}

@test "other conversions keep the value or refuse" {
	raw in.raw 's<' 1 -1 300
	refuse 3 tafcreate -n 3 -e int16 -t uint8 in.raw -o a.taf
	[ ! -e a.taf ]
	tafcreate -n 3 -e int16 -t uint8 --clip in.raw >a 2>err
	equal "$(elements a 3 C)" "1 0 255"
	grep -q '2 of 3 values clipped' err
	tafcreate -n 3 -e int16 in.raw >a 2>err
	equal "$(elements a 12 "f$ORDER")" "1 -1 300"
	[ ! -s err ]
	raw in.raw 'q<' 9007199254740993
	tafcreate -n 1 -e int64 -t flt64 in.raw >a 2>err
	grep -q '1 of 1 values rounded' err
}

@test "the report's examples" {
	need numpy
	tafcreate -q --example 2 -t flt64 -o two.taf
	tafcreate -q --example 3 -t flt64 -o three.taf
	"$PYTHON" - <<'EOP'
import numpy as np
t = np.arange(101) * 0.01
two = np.fromfile('two.taf', '<f8', 303, offset=1104).reshape(101, 3, order='F')
assert np.allclose(two, np.stack([t, t**2, t**3], 1), rtol=0, atol=1e-15)
three = np.fromfile('three.taf', '<f8', 606, offset=1128).reshape(101, 3, 2, order='F')
assert (three[:, :, 0] == two).all()
assert np.allclose(three[:, 0, 1], np.sin(2 * np.pi * t), rtol=0, atol=1e-12)
assert (np.abs(three[:, :, 1]) <= 1).all() and three[:, :, 1].std(axis=0).min() > 0.5
EOP
	equal "$(tafprobe -k shape two.taf) $(tafprobe -k d1 two.taf) $(tafprobe -k shape three.taf)" "101,3 0.01 101,3,2"
	equal "$(tafcreate -q --example 3 -t int16 | tafprobe -k type)" int16
	equal "$(tafcreate -q --example 2 -a 2=5:3 | tafprobe -k d2)" 3
	refuse 3 tafcreate -q --example 2 -a 3=5:3
}

@test "malformed options are a wrong invocation" {
	raw in.raw 's<' 1 2
	for n in '' , 2,,1 -2 x 1.5 99999999999999999999 ' 2' +2 "$(printf '1,%.0s' {1..64})1" "$(printf '1,%.0s' {1..64})"; do
		refuse 2 tafcreate -n "$n" -t int16 in.raw
	done
	refuse 2 tafcreate -t int16 in.raw
	for t in int int128 INT16 complex int16be ''; do refuse 2 tafcreate -n 2 -t "$t" in.raw; done
	for e in be int16bee int16bele; do refuse 2 tafcreate -n 2 -e "$e" in.raw; done
	for a in 1 1=2 1=2:0 1=nan:1 1=0:inf 0=0:1 65=0:1 1=a:b 1=1:2:3; do refuse 2 tafcreate -n 2 -t int16 -a "$a" in.raw; done
	refuse 2 tafcreate -n 2 -t int16 in.raw in.raw
	refuse 2 tafcreate --example 1
	refuse 2 tafcreate --example 2 in.raw
	refuse 2 tafcreate --example 2 -n 3
}
