# SPDX-License-Identifier: ISC
load helper

# levels MAXVAL LO HI GAMMA: what numbers on standard input become, by perl
levels() {
	perl -ne '
		BEGIN { ($max, $lo, $hi, $gamma) = splice @ARGV, 0, 4 }
		my $v = ($_ - $lo) / ($hi - $lo);
		$v = $v < 0 ? 0 : $v > 1 ? 1 : $v;
		print int($v ** (1 / $gamma) * $max + 0.5), "\n"' "$@"
}

# numbers FILE: those of the last raw image in it, after a header of three lines
numbers() {
	local how='C*'
	[ "$(sed -n 3p "$1")" -lt 256 ] || how='n*'
	perl -0777 -ne '
		BEGIN { $how = shift } /^P[56]\n\d+ \d+\n\d+\n(.*)/s or die;
		print "$_\n" for unpack $how, $1' "$how" "$1"
}

@test "integers over the range of their type, stored numbers as they are" {
	while read -r type lo hi max; do
		perl -e '
			my ($type, $lo, $hi) = @ARGV;
			my %code = (int8 => "c", uint8 => "C", int16 => "s<", uint16 => "S<", int32 => "l<",
			    uint64 => "Q<");
			my @v = ($lo, $hi, map { $lo + int(($hi - $lo) / 29 * $_) } 1 .. 28);
			$v[1] = ~0 if $type eq "uint64";
			print pack "$code{$type}*", @v;' "$type" "$lo" "$hi" >raw
		tafcreate -n 6,5 -e "${type}le" -t "$type" raw -o a.taf
		taf2pgm a.taf >a.pgm
		equal "$type $(head -n 3 a.pgm | xargs)" "$type P5 6 5 $max"
		numbers a.pgm >got
		tafread a.taf | levels "$max" "$lo" "$hi" 1 >want
		same want got
	done <<-'END'
		uint8 0 255 255
		int8 -128 127 255
		uint16 0 65535 65535
		int16 -32768 32767 65535
		int32 -2147483648 2147483647 65535
		uint64 0 18446744073709551615 65535
	END
	mktaf a.taf uint8 6,5
	taf2pgm -q a.taf | tail -c 30 | cmp - <(taf2raw a.taf)
	taf2pgm -q -t uint16 a.taf >a.pgm
	numbers a.pgm >got
	tafread a.taf | awk '{ print $1 * 257 }' | cmp - got
}

@test "floats from the smallest to the largest of their own array, NaN black" {
	seq 1 30 | awk '{ print ($1 * 17 % 30) / 8 - 1 }' | txt2taf -t flt32 | tafreshape -n 6,5 -o a.taf
	taf2pgm a.taf >a.pgm
	numbers a.pgm >got
	tafread a.taf | levels 255 -1 2.625 1 >want
	same want got
	tafmath '100 * a' a.taf >b.rsf
	taf2pgm a.taf b.rsf >two.pgm
	cat a.pgm a.pgm | cmp - two.pgm
	tafmath 'i1 == 2 and i2 == 1 ? nan : i1 == 3 and i2 == 1 ? inf : a' a.taf -o n.taf
	taf2pgm n.taf 2>err >n.pgm
	equal "$(cat err)" "taf2pgm: 1 NaN become black
taf2pgm: 1 values outside of -1:2.625 clipped"
	numbers n.pgm | sed -n 2,3p | xargs >got
	equal "$(<got)" "0 255"
	tafmath 'nan * a' a.taf -o n.taf
	refuse 3 taf2pgm n.taf
	# all are the same: black
	tafmath -n 4,2 7 | taf2pgm | tail -c 8 | cmp - <(head -c 8 /dev/zero)
	# a range that no double holds
	tafmath -t flt64 -n 3 '1.5e308 * (i1 - 2)' | taf2pgm | tail -c 3 | unpack 'C*' | xargs >got
	equal "$(<got)" "0 128 255"
}

@test "--range, backwards too, and --gamma" {
	mktaf a.taf int16 9,7 -2
	for range in -150:-10 -10:-150.5; do
		for how in '255 1' '65535 2.2' '255 0.45'; do
			type=uint8
			[ "${how% *}" = 255 ] || type=uint16
			taf2pgm -q --range $range --gamma "${how#* }" -t $type a.taf >a.pgm
			numbers a.pgm >got
			tafread a.taf | levels "${how% *}" ${range%:*} ${range#*:} "${how#* }" >want
			same want got
		done
	done
	taf2pgm --range -100:-50 a.taf 2>err >a.pgm
	equal "$(sed -n 1p err)" \
		"taf2pgm: $(tafread a.taf | awk '$1 < -100 || $1 > -50 { n++ } END { print n }') values outside of -100:-50 clipped"
	# physical values
	perl -e 'print pack "f<*", map { $_ / 8 - 3 } 0 .. 41' | tafcreate -n 6,7 -t int16 -e flt32le -o b.taf
	taf2pgm -q --range -2:1 b.taf >b.pgm
	numbers b.pgm >got
	tafread b.taf | levels 255 -2 1 1 >want
	same want got
}

@test "--percentile is numpy's, of finite values" {
	need numpy
	"$PYTHON" - <<'EOF'
import numpy as np, subprocess
rng = np.random.default_rng(3)
for kind, n in ('f4', 7), ('f8', 40000), ('i2', 1001):
    a = (rng.standard_normal(n) * 1000).astype(kind)
    if kind != 'i2' and n > 7:
        a[::97] = np.nan
        a[5::97] = np.inf
    a.tofile('raw')
    t = {'f4': 'flt32', 'f8': 'flt64', 'i2': 'int16'}[kind]
    x = a.astype('f8')
    for p, q in (5, 95), (0, 100), (99.5, 1):
        lo, hi = np.percentile(x[np.isfinite(x)], [p, q])
        with np.errstate(invalid='ignore'):
            v = np.clip((x - lo) / (hi - lo), 0, 1)
        want = np.floor(np.nan_to_num(v) * 255 + 0.5).astype('u1')
        for how in 'tafcreate -n %d -e %s -t %s raw -o a.taf && taf2pgm -q -t uint8 --percentile %g,%g a.taf', \
            'tafcreate -n %d -e %s -t %s raw | taf2pgm -q -t uint8 -m 64k --percentile %g,%g':
            out = subprocess.run(how % (n, t, t, p, q), shell=True, check=True, capture_output=True).stdout
            got = np.frombuffer(out[-n:], 'u1')
            assert (got == want).all(), (kind, n, p, q)
EOF
}

@test "an image comes back as it was: every kind and maxval" {
	for kind in 5:255 5:65535 5:7 6:255 6:1000 7:255:2 7:4095:4 7:9:5 7:65535:1; do
		IFS=: read -r kind max depth <<<"$kind"
		[ "$kind" -ne 6 ] || depth=3
		perl -e '
			my ($kind, $max, $depth) = @ARGV;
			my %tuple = (1 => "GRAYSCALE", 2 => "GRAYSCALE_ALPHA", 4 => "RGB_ALPHA", 5 => "own kind");
			print $kind < 7 ? "P$kind\n7 4\n$max\n" :
			    "P7\nWIDTH 7\nHEIGHT 4\nDEPTH $depth\nMAXVAL $max\nTUPLTYPE $tuple{$depth}\nENDHDR\n";
			print pack $max > 255 ? "n*" : "C*", map { $_ * 5 % ($max + 1) } 0 .. 28 * $depth - 1;
			' "$kind" "$max" "${depth:-1}" >a.pnm
		pgm2taf a.pnm -o a.taf
		taf2pgm a.taf 2>err >b.pnm
		same a.pnm b.pnm
		[ ! -s err ]
		pgm2taf a.pnm | taf2pgm | cmp - a.pnm
		pgm2taf --transpose a.pnm | taf2pgm --transpose -m 64k | cmp - a.pnm
	done
	cat a.pnm a.pnm | pgm2taf | taf2pgm >b.pnm
	cat a.pnm a.pnm | cmp - b.pnm
	# bits become an image of maxval 1
	printf 'P4 3 2 \240\100' | pgm2taf | taf2pgm >a.pgm
	printf 'P5\n3 2\n1\n\0\1\0\1\0\1' | cmp - a.pgm
}

@test "a maxval that the numbers exceed is not kept, and that is said" {
	printf 'P2 3 1 100 0 50 100' | pgm2taf | tafmath 'a + 1' -o a.taf
	taf2pgm a.taf >a.pgm 2>err
	equal "$(numbers a.pgm | xargs)" "1 51 101"
	grep -q 'numbers up to 101, above the maxval 100' err
	printf 'P2 3 1 100 0 50 100' | pgm2taf | taf2pgm -q -t uint8 >a.pgm
	equal "$(numbers a.pgm | xargs)" "0 50 100"
	equal "$(sed -n 3p a.pgm)" 255
}

@test "components are 3 or 4, or are called that" {
	mktaf a.taf uint8 3,5,4
	taf2pgm -q a.taf >a.ppm
	equal "$(head -n 3 a.ppm | xargs)" "P6 5 4 255"
	tail -c 60 a.ppm | cmp - <(taf2raw a.taf)
	mktaf a.taf uint16 4,5,3
	taf2pgm -q a.taf >a.pam
	equal "$(head -n 7 a.pam | xargs)" \
		"P7 WIDTH 5 HEIGHT 3 DEPTH 4 MAXVAL 65535 TUPLTYPE RGB_ALPHA ENDHDR"
	mktaf a.taf uint8 2,5,3
	refuse 3 taf2pgm a.taf
	tafadjust --label 1=component --start 1=1 --step 1=1 a.taf | taf2pgm -q >a.pam
	equal "$(sed -n 4p a.pam)" "DEPTH 2"
	mktaf a.taf uint8 6,5,1,1
	taf2pgm -q a.taf >a.pgm
	equal "$(head -n 2 a.pgm | xargs)" "P5 6 5"
	mktaf a.taf uint8 6,5,2
	refuse 3 taf2pgm a.taf
	grep -q '3 dimensions: an image has 2' err
	seq 5 | txt2taf -t uint8 | taf2pgm >a.pgm
	equal "$(head -n 2 a.pgm | xargs)" "P5 5 1"
	# components stay in front
	mktaf a.taf uint8 3,5,4
	taf2pgm -q --transpose a.taf | tail -c 60 | cmp - <(tafpermute -d 1,3,2 a.taf | taf2raw)
}

@test "what cannot be an image is refused before the first byte" {
	mktaf a.taf uint8 6,5
	printf 'n1=3 n2=2 data_format="native_complex" in="stdin"\n\n\f\f\004' >c.rsf
	head -c 48 /dev/zero >>c.rsf
	printf 'n1=0 n2=2 data_format="native_float" in="stdin"\n\n\f\f\004' >e.rsf
	refuse 3 taf2pgm a.taf e.rsf
	refuse 3 taf2pgm a.taf c.rsf
	grep -q complex err
	refuse 3 taf2pgm c.rsf -o x.pgm
	[ ! -e x.pgm ]
	for words in '--range 3' '--range 3:3' '--range a:b' '--range 1:inf' '--range 1:2 --percentile 1,99' \
		'--percentile 1' '--percentile -1,50' '--percentile 1,101' '--percentile 5,5' '--gamma 0' \
		'--gamma -1' '--gamma x' '-t int16' '-t flt32' '--range 1:2 --range 1:2'; do
		# shellcheck disable=SC2086
		refuse 2 taf2pgm $words a.taf
	done
}

@test "what an image has no place for is remarked once" {
	mktaf a.taf uint8 6,5
	tafcomment -C 'a comment' a.taf -o b.taf
	taf2pgm b.taf b.taf 2>err >b.pgm
	equal "$(cat err)" "taf2pgm: an image of netpbm has no place for: grid, comment"
}

@test "memory does not grow with the array" {
	limit=24576
	(ulimit -v $limit && taf2pgm -V) >/dev/null 2>&1 || skip "the program cannot start in $limit KiB"
	tafmath -J 1 -n 4000,2000 'x1 - 7' -o a.taf
	for words in '' '--range 0:4000' '--percentile 1,99' '--transpose -m 1M'; do
		# shellcheck disable=SC2086
		(ulimit -v $limit && taf2pgm -J 1 -q $words a.taf) | tail -c +18 | wc -c >size
		equal "$(<size)" 8000000
	done
}

@test "netpbm's programs read what comes out" {
	need pamtopnm pamdepth pamflip pnmtopng pngtopnm
	mktaf a.taf uint16 13,6 600
	taf2pgm -q a.taf >a.pgm
	pamtopnm -plain a.pgm | tail -n +4 | xargs -n 1 | cmp - <(tafread a.taf)
	taf2pgm -q -t uint8 a.taf | cmp - <(pamdepth 255 a.pgm)
	taf2pgm -q --transpose a.taf | cmp - <(pamflip -transpose a.pgm)
	tafreverse -d 2 a.taf | taf2pgm -q | cmp - <(pamflip -topbottom a.pgm)
	mktaf a.taf uint8 3,13,6
	taf2pgm -q a.taf >a.ppm
	pnmtopng a.ppm 2>/dev/null | pngtopnm | cmp - a.ppm
	mktaf a.taf uint8 4,13,6
	taf2pgm -q a.taf >a.pam
	for k in 1 2 3 4; do
		pamchannel -infile a.pam $((k - 1)) 2>/dev/null | pgm2taf | tafread >want
		tafcrop -x 1=$k a.taf | tafread | cmp - want
	done
}
