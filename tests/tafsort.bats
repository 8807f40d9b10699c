# SPDX-License-Identifier: ISC
load helper

# floats BITS...: an array of flt32 with these bits
floats() {
	perl -e 'print pack "L<*", map { hex } @ARGV' "$@" | tafcreate -n "$#," -e flt32le
}

bits() {
	taf2raw "$1" | unpack 'L<*' | while read -r x; do printf '%08x ' "$x"; done
}

@test "each line in order, along any dimension" {
	for t in int8 uint16 int32 uint64 flt32 flt64; do
		mktaf a.taf $t 13,7,3
		tafread a.taf >values
		for d in 1 2 3; do
			tafsort -d $d a.taf | tafread >got
			D=$d perl -e '
				my @n = (13, 7, 3);
				my $inner = 1;
				$inner *= $n[$_] for 0 .. $ENV{D} - 2;
				my ($len, @v) = ($n[$ENV{D} - 1], <>);
				for my $i (grep { int($_ / $inner) % $len == 0 } 0 .. $#v) {
					my @at = map { $i + $_ * $inner } 0 .. $len - 1;
					@v[@at] = sort { $a <=> $b } @v[@at];
				}
				print @v' values >want
			same want got
		done
		tafsort a.taf >first
		tafsort -d 1 a.taf >got
		same first got
	done
}

@test "the first of equal elements is the one that came first, in both directions" {
	perl -e 'print pack "s<*", map { $_ * 7919 % 13 } 1 .. 3000' >x
	tafcreate -n 3000 -t int16 -e int16le x -o a.taf
	tafread a.taf >values
	tafsort --index a.taf | tafread >got
	perl -e '@v = <>; print map { $_ + 1, "\n" } sort { $v[$a] <=> $v[$b] || $a <=> $b } 0 .. $#v' \
		values >want
	same want got
	tafsort --index --descending a.taf | tafread >got
	perl -e '@v = <>; print map { $_ + 1, "\n" } sort { $v[$b] <=> $v[$a] || $a <=> $b } 0 .. $#v' \
		values >want
	same want got
}

@test "NaN last with its payload, -0 is equal to 0, infinities are values" {
	# 1 NaN -0 -inf 0 -NaN with a payload, inf -1 -0 NaN with another
	floats 3f800000 7fc00000 80000000 ff800000 00000000 ffc12345 7f800000 bf800000 80000000 \
		7f8abcde >a.rsf
	tafsort a.rsf >up
	tafsort --descending a.rsf >down
	equal "$(bits up)" "ff800000 bf800000 80000000 00000000 80000000 3f800000 7f800000 7fc00000 ffc12345 7f8abcde "
	equal "$(bits down)" "7f800000 3f800000 80000000 00000000 80000000 bf800000 ff800000 7fc00000 ffc12345 7f8abcde "
	equal "$(tafsort --index --descending a.rsf | tafread | paste -s -d ' ' -)" "7 1 3 5 9 8 4 2 6 10"
}

@test "user/slim sort: the sign is not lost" {
	equal "$(printf '3\n-5\n0\n-1\n4\n' | txt2taf | tafsort | tafread | paste -s -d ' ' -)" "-5 -1 0 3 4"
}

# mapped FROM TO INTERCEPT SLOPE: the same elements under a mapping
mapped() {
	cp "$1" "$2"
	perl -e 'open F, "+<", shift; seek F, 1032, 0; print F pack "d<2", @ARGV' "${@:2}"
}

@test "the order is that of physical values" {
	mktaf a.taf int16 50
	mapped a.taf falling.taf 3 -0.5
	tafsort falling.taf -o b.taf
	equal "$(tafread b.taf)" "$(tafread falling.taf | sort -g)"
	equal "$(tafread -r b.taf)" "$(tafread -r falling.taf | sort -rn)"
	for k in type slope intercept; do
		equal "$(tafprobe -k $k b.taf)" "$(tafprobe -k $k falling.taf)"
	done
	equal "$(tafsort --descending falling.taf | tafread)" "$(tafread falling.taf | sort -gr)"
	# with a slope of 0, or one that is lost beside the intercept, all values are equal
	for map in '7 0' '1e20 1'; do
		mapped a.taf flat.taf "${map% *}" "${map#* }"
		tafsort flat.taf | tafread -r >got
		tafread -r a.taf >want
		same want got
		equal "$(tafsort --index --descending flat.taf | tafread)" "$(seq 50)"
	done
	# of floats, some are equal only when they are mapped
	printf '3e-17\n1e-17\n1\n2e-17\n' | txt2taf -t flt64 -o b.taf
	mapped b.taf c.taf 1 1
	tafsort c.taf | tafread -r >got
	equal "$(paste -s -d ' ' got)" "3e-17 1e-17 2e-17 1"
}

@test "the sorted dimension is counted from 1, without label and unit" {
	mktaf x.taf int16 9,4
	tafadjust --label 1=Time --unit 1=s --label 2=Channel x.taf | tafcomment -C text -o a.taf
	echo unit=V >>a.taf
	tafsort a.taf -o b.taf
	equal "$(for k in o1 d1 label1 unit1 o2 d2 label2; do tafprobe -k $k b.taf; done | paste -s -d , -)" \
		"1,1,,,$(tafprobe -k o2 a.taf),$(tafprobe -k d2 a.taf),Channel"
	equal "$(tafcomment b.taf)" "$(tafcomment a.taf)"
	tafsort b.taf | grep -a -q 'unit="V"'
	equal "$(tafsort --index a.taf | tafprobe -k type)" int64
	equal "$(tafsort --index a.taf | grep -a -c 'unit=')" 0
}

@test "lines of 1, of none, and one that is in order" {
	mktaf a.taf flt32 1,5
	equal "$(tafsort a.taf | tafread)" "$(tafread a.taf)"
	equal "$(tafsort --index a.taf | tafread | sort -u)" 1
	rsf empty.rsf 'data_format="native_float" n1=0 n2=3' ''
	equal "$(tafsort empty.rsf | tafprobe -k shape)" 0,3
	seq 1000 | txt2taf | tafsort | tafread >got
	seq 1000 >want
	same want got
}

@test "a line larger than the memory, the same with any number of threads" {
	perl -e 'for (1 .. 700) { $x = ($x * 1103515245 + 12345) & 0x7fffffff;
		print pack "l<*", map { ($x + $_ * 40503) % 65521 - 30000 } 1 .. 1000 }' >x
	tafcreate -n 700000 -t int32 -e int32le x -o a.taf
	unpack 'l<*' x | sort -n >want
	for options in "-m 256M" "-m 64k" "-m 64k -J 1" "-m 5M -J 3"; do
		# shellcheck disable=SC2086 # words
		tafsort $options a.taf | taf2raw | unpack "l<*" >got
		same want got
	done
	# each place once, and what was there
	tafsort --index -m 64k a.taf | taf2raw | unpack "q<*" >places
	perl -e 'open $x, "<:raw", "x"; local $/; @v = unpack "l<*", <$x>; open $p, "<", "places"; $/ = "\n";
		while (<$p>) { print $v[$_ - 1], "\n"; die if $v[$_ - 1] == $last && $_ < $at; ($last, $at) = ($v[$_ - 1], $_) }' >got
	same want got
	# no line that lies apart fits
	tafcreate -n 4,175000 -t int32 -e int32le x | tafsort -d 2 -m 64k | tafpermute -d 2,1 >got
	tafcreate -n 4,175000 -t int32 -e int32le x | tafpermute -d 2,1 | tafsort >want
	equal "$(tafread got | cksum)" "$(tafread want | cksum)"
}

@test "a temporary file that cannot be written is 4" {
	mktaf a.taf int32 300000
	TMPDIR=/nowhere refuse 4 tafsort -m 64k a.taf -o b.taf
	[ ! -e b.taf ]
}

@test "complex elements and a dimension that is not there are refused" {
	rsf c.rsf 'data_format="native_complex" n1=1' '\0\0\0\0\0\0\0\0'
	refuse 3 tafsort c.rsf
	grep -q 'complex elements have no order' err
	mktaf a.taf int16 4,3
	refuse 3 tafsort -d 3 a.taf
	grep -q 'dimension 3: the array has 2' err
	refuse 2 tafsort -d 0 a.taf
	refuse 2 tafsort -d 1,2 a.taf
	refuse 2 tafsort --descending=1 a.taf
}

@test "a pipe that announces more than a file can hold is bad data" {
	# some file systems hold all that can be announced, but not behind this place
	far='sysseek STDOUT, 7e18, 0'
	rsf long.rsf 'data_format="native_float" n1=1000000000000 n2=1000000' abcdefgh
	for c in 'tafsort -d 2' 'tafsmooth --mean 3 -d 2'; do
		(perl -e "$far"; cat long.rsf | eval "ends 3 $c" 2>err) >out
		grep -q 'bytes do not go into a file' err
	done
}

@test "without -J as many threads as there are processors" {
	tafcreate -n 1500000, -t uint8 -e uint8 <(head -c 1500000 /dev/zero) -o a.taf
	uses_processors a.taf tafsort
}

@test "the least memory is no call for each line" {
	tafmath -n 200,300,4 'rand(1)' -o in.taf
	tafsort -d 3 in.taf -o want.taf
	limited t 2 tafsort -d 3 -m 1 in.taf -o got.taf
	same want.taf got.taf
}
