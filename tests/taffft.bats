# SPDX-License-Identifier: ISC
load helper

# reals NUMBER...: a line of flt64 in in.taf
reals() {
	perl -e 'print pack "d<*", @ARGV' "$@" >in.raw
	tafcreate -n $# -t flt64 in.raw -o in.taf
}

# pairs: the numbers of a complex array, a pair a line, with 12 digits
pairs() {
	cat "$1" >pairs.taf
	tafmath 'real(a)' pairs.taf | tafread >re
	tafmath 'imag(a)' pairs.taf | tafread >im
	paste re im
}

# near A B [BOUND]: the same numbers but for rounding
near() {
	paste "$1" "$2" | perl -ane '
		BEGIN { $b = shift }
		my $h = @F / 2;
		for (0 .. $h - 1) {
			die "line $.: $F[$_] is not $F[$_ + $h]\n" unless
				abs($F[$_] - $F[$_ + $h]) <= $b * (1 + abs $F[$_ + $h]);
		}
		$n++; END { $n or die "nothing" }' "${3:-1e-12}"
}

# naive SIGN FILE: the sums of the pairs in a file
naive() {
	perl -e '
		my ($sign, $file) = @ARGV;
		open F, $file or die;
		my @x = map { [split] } <F>;
		my $n = @x;
		for my $k (0 .. $n - 1) {
			my ($re, $im) = (0, 0);
			for my $j (0 .. $n - 1) {
				my $t = $sign * 8 * atan2(1, 1) * ($j * $k % $n) / $n;
				$re += $x[$j][0] * cos $t;
				$re -= ($x[$j][1] // 0) * sin $t;
				$im += $x[$j][0] * sin $t;
				$im += ($x[$j][1] // 0) * cos $t;
			}
			printf "%.15g %.15g\n", $re, $im;
		}' -- "$1" "$2"
}

@test "real and complex lines of many lengths, against sums" {
	for n in 1 2 3 7 16 45 67 128; do
		tafmath -n "$n" -t flt64 'frac(i1*i1*0.37+0.1)-0.4' -o in.taf
		tafread in.taf >x
		naive -1 x >all
		head -n $((n / 2 + 1)) all >want
		taffft in.taf -o out.taf
		pairs out.taf >got
		near got want || { echo "real $n"; false; }
		tafmath 'complex(a, 1/i1)' in.taf -o c.taf
		pairs c.taf >x
		naive -1 x >want
		taffft --no-shift c.taf | pairs - >got
		near got want || { echo "complex $n"; false; }
		# the negative ones first
		taffft c.taf | pairs - >got
		{ tail -n $((n / 2)) want; head -n $((n - n / 2)) want; } >rotated
		near got rotated || { echo "rotated $n"; false; }
	done
}

@test "sfcosft does not invert: there and back, every bit of the grid" {
	for n in 1 2 9 31; do
		for kind in flt64 flt32 complex128; do
			tafmath -n "$n,3" -a 1=-0.1:4e-9 -a 2=1e6:0.3 -t $kind \
			    'sin(i1*i1+i2*7)' | tafput label@1=Time unit@1=s label@2=y -o in.taf
			for how in "-d 1 --pad 100" "-d 2" "-d 1,2 --pad fast" "-d 2,1 --pad pow2"; do
				# shellcheck disable=SC2086 # two options
				taffft $how in.taf | taffft --inverse ${how%--*} -o back.taf
				tafcompare --header --absolute 1e-6 in.taf back.taf
			done
		done
	done
}

@test "sffft1: a million samples forward and back" {
	tafmath -n 1000000 -t flt32 'sin(i1*0.1)' -o in.taf
	taffft in.taf | taffft --inverse -o back.taf
	tafcompare --absolute 2e-6 in.taf back.taf
}

@test "sffft3: nothing is padded unless asked for" {
	tafmath -n 15 -t complex 'complex(i1, 0)' -o in.taf
	[ "$(taffft in.taf | tafprobe -k n1)" = 15 ]
	[ "$(taffft --pad fast in.taf | tafprobe -k n1)" = 15 ]
	[ "$(taffft --pad pow2 in.taf | tafprobe -k n1)" = 16 ]
	[ "$(taffft --pad 33 in.taf | tafprobe -k n1)" = 33 ]
	run -3 --separate-stderr taffft --pad 14 in.taf
	[[ "$stderr" = *"15 points, more than the 14 of --pad" ]]
}

@test "grids, labels and units" {
	tafmath -n 10,4 -a 1=5:0.25 -a 2=0:2 -t flt64 i1 |
	    tafput unit=V label@1=Time unit@1=us label@2=depth unit@2=m -o in.taf
	taffft in.taf -o out.taf
	for pair in n1=6 o1=0 d1=0.4 label1=Frequency unit1=MHz n2=4 unit2=m fft_n@1=10 \
	    fft_start@1=5 fft_step@1=0.25 fft_label@1=Time fft_unit@1=us fft_real@1=1; do
		run -0 tafprobe -k "${pair%=*}" out.taf
		[ "$output" = "${pair##*=}" ] || { echo "$pair $output"; false; }
	done
	run -2 taffft -d 2,1 --density in.taf
	taffft --density in.taf | tafprobe -k unit | grep -qx 'V^2/MHz'
	taffft --power in.taf | tafprobe -k unit | grep -qx 'V^2'
	taffft --phase in.taf | tafprobe -k unit | grep -qx rad
	taffft --db in.taf | tafprobe -k unit | grep -qx dB
	# 4 frequencies begin at the negative middle, and 5 do
	taffft -d 1,2 in.taf -o out.taf
	[ "$(tafprobe -k o2 out.taf) $(tafprobe -k unit2 out.taf) $(tafprobe -k label2 out.taf)" = \
	    "-0.25 1/m Wavenumber" ]
	tafcrop -x 2=1:3 in.taf | taffft -d 1,2 | tafprobe -k o2 | grep -q '^-0.1666'
}

@test "what is made of the results" {
	reals 1 2 -1 3 0.5
	taffft in.taf -o out.taf
	tafmath '(real(a)^2+imag(a)^2)/25 * (i1 > 1 ? 2 : 1)' out.taf | tafread >want
	taffft --power in.taf | tafread >got
	near got want
	tafmath 'abs(a)/5 * (i1 > 1 ? 2 : 1)' out.taf | tafread >want
	taffft --amplitude in.taf | tafread >got
	near got want
	tafmath '10*log10(a)' <(taffft --power in.taf) | tafread >want
	taffft --db in.taf | tafread >got
	near got want
	tafmath 'atan2(imag(a), real(a))' out.taf | tafread >want
	taffft --phase in.taf | tafread >got
	near got want
	# its integral is the mean square
	for n in 40 41; do
		tafmath -n $n -a 1=0:0.5 -t flt64 'sin(i1*i1)' -o in.taf
		tafmath 'a*a' in.taf | tafreduce mean | tafread >want
		taffft --density in.taf | tafreduce sum | tafmath "a/$n/0.5" | tafread >got
		near got want
		tafmath 'complex(a, 0)' in.taf | taffft --density | tafreduce sum |
		    tafmath "a/$n/0.5" | tafread >got
		near got want
	done
}

@test "windows" {
	tafmath -n 9 -t flt64 'i1*0+1' -o in.taf
	# numpy.hanning(9).sum() and so on
	for pair in boxcar=9 hann=4 hamming=4.4 blackman=3.36 gauss=3.3403211492076545; do
		taffft --window "${pair%=*}" in.taf | tafcrop -x 1=1 | pairs - >got
		echo "${pair#*=} 0" >want
		near got want
	done
	tafmath -n 1 -t flt64 2 | taffft --window hann | pairs - | grep -qx '2	0'
	taffft --window hann --pad 20 in.taf | tafcrop -x 1=1 | pairs - >got
	echo 4 0 >want
	near got want
	run -2 taffft --window kaiser in.taf
}

@test "--phase-origin grid: phases at coordinate 0" {
	tafmath -n 64 -a 1=1000.3:0.25 -t flt64 'cos(2*pi*0.5*x1)' -o in.taf
	# frequency 0.5 is the ninth of 1/16
	taffft --phase-origin grid in.taf | tafcrop -x 1=9 | pairs - >got
	echo 32 0 >want
	near got want 1e-9
	taffft --phase-origin grid in.taf | taffft --inverse -o back.taf
	tafcompare --absolute 1e-12 in.taf back.taf
}

@test "keys of sffft1 and sffft3 lead back" {
	tafmath -n 12 -a 1=2:0.5 -t flt32 'sin(i1*i1)' -o in.taf
	taffft --phase-origin grid in.taf | tafput --unset fft_n@1 --unset fft_start@1 \
	    --unset fft_step@1 --unset fft_real@1 --unset fft_origin@1 \
	    fft_n1=12 fft_o1=2 fft_label1=Time unit@1=Hz | taffft --inverse -o back.taf
	tafcompare --absolute 1e-6 in.taf back.taf
	[ "$(for k in n1 o1 d1 label1 unit1; do tafprobe -k $k back.taf; done | xargs)" = \
	    "12 2 0.5 Time s" ]
	tafmath 'complex(a, 1)' in.taf -o c.taf
	taffft c.taf | tafput --unset fft_n@1 --unset fft_start@1 --unset fft_step@1 \
	    fft3_n1=9 fft3_o1=2 | taffft --inverse -o back.taf
	tafcompare --absolute 1e-6 <(tafcrop -x 1=1:9 c.taf) back.taf
	[ "$(tafprobe -k o1 back.taf)" = 2 ]
}

# theirs KEYS NUMBERS: what a program of Madagascar has written, along dimension 1
theirs() {
	printf '%s label1="Frequency" unit1="Hz" data_format="ascii_complex" in="stdin"\n' "$1"
	printf '\f\f\004%s\n' "$2"
}

@test "sffft1 rounds the step: the way back has the one that was meant" {
	# sffft1 of 1 4 9 16 25 on the grid 2:0.5, whose phases need it
	theirs 'n1=4 o1=0 d1=0.333333 fft_n1=5 fft_o1=2 fft_label1="Time"' '55 0i 5.999996
	    -31.176914i -13.999998 10.392308i 15 -5.2453665e-6i' | taffft --inverse -o back.taf
	for pair in n1=5 o1=2 d1=0.5 label1=Time unit1=s; do
		run -0 tafprobe -k "${pair%=*}" back.taf
		[ "$output" = "${pair##*=}" ] || { echo "$pair $output"; false; }
	done
	tafmath -n 5 -t flt32 'i1*i1' -o want.taf
	tafcompare --absolute 1e-5 want.taf back.taf
	# all its digits stay if no short one has them
	[ "$(theirs 'n1=2 o1=0 d1=0.1234567 fft_n1=2' '1 0i 1 0i' | taffft --inverse |
	    tafprobe -k d1)" = 4.0500029565021585 ]
}

@test "sffft1 rounds the length of a million points: it is refused where it may be another" {
	tafmath -n 501 -a 1=0:1 -t complex 'complex(1, 0)' | tafput fft_n1=1e+03 -o thousand.taf
	[ "$(taffft --inverse thousand.taf | tafprobe -k n1)" = 1000 ]
	tafmath -n 500001 -a 1=0:1 -t complex 'complex(1, 0)' | tafput fft_n1=1e+06 -o f.taf
	[ "$(taffft --inverse f.taf | tafprobe -k n1)" = 1000000 ]
	tafmath -n 500003 -a 1=0:1 -t complex 'complex(1, 0)' | tafput fft_n1=1e+06 -o f.taf
	run -3 --separate-stderr taffft --inverse f.taf
	[ "$stderr" = 'taffft: f.taf: dimension 1: fft_n1=1e+06 is rounded: "tafput fft_n1=N" says how many points' ]
	[ "$(tafput fft_n1=1000001 f.taf | taffft --inverse | tafprobe -k n1)" = 1000001 ]
}

@test "sffft3 puts an odd number of frequencies half a step off" {
	# sffft3 pad=1 of (1,6) (4,5) (9,4) (16,3) (25,2) on the grid 2:0.5
	theirs 'n1=5 o1=-1 d1=0.4 fft3_n1=5 fft3_o1=2 fft3_label1="Time"' '15 4i 10.609576
	    17.149939i -28.924368 49.558254i -7.380583 -32.086117i 15.6953745 -8.622076i' >f.rsf
	tafmath -n 5 -a 1=2:0.5 -t complex 'complex(i1*i1, 7-i1)' |
	    tafput label@1=Time unit@1=s -o want.taf
	taffft --inverse f.rsf -o back.taf
	tafcompare --header --absolute 1e-5 want.taf back.taf
	# what it gives for a line whose every second point has the other sign
	tafmath -n 2,4095 -a 2=3:1 -t complex 'complex(sin(i2*i2), i1*cos(i2))' -o want.taf
	tafmath -t complex 'where(i2 % 2 == 1, a, -a)' want.taf | taffft -d 2 --no-shift |
	    tafput --unset fft_n@2 fft3_n2=4095 fft3_o2=3 |
	    tafadjust --start 2=-0.5 -o f.taf
	taffft --inverse -d 2 f.taf -o short.taf
	taffft --inverse -d 2 -m 64k f.taf -o long.taf
	tafcompare --absolute 1e-6 want.taf short.taf
	tafcompare --absolute 1e-6 want.taf long.taf
}

@test "keys of an earlier transform, of Madagascar's or ours, are not believed" {
	tafmath -n 6 -a 1=1:0.5 -t flt32 'i1*i1' | tafput fft_n1=4 fft_o1=7 fft3_o1=7 |
	    taffft -o f.taf
	taffft --inverse f.taf -o back.taf
	[ "$(tafprobe -k n1 back.taf) $(tafprobe -k o1 back.taf)" = "6 1" ]
	# sffft1 of 1 4 9 16 25 behind a transform and its inverse
	theirs 'n1=4 o1=0 d1=0.333333 fft_n@1=6 fft_start@1=0 fft_step@1=0.5 fft_n1=5
	    fft_o1=2' '55 0i 5.999996 -31.176914i -13.999998 10.392308i 15 -5.2453665e-6i' |
	    taffft --inverse -o back.taf
	[ "$(tafprobe -k n1 back.taf) $(tafprobe -k o1 back.taf)" = "5 2" ]
}

@test "an inverse without keys" {
	tafmath -n 7 -a 1=0:0.5 -t complex128 'complex(i1, i1*i1)' -o x.taf
	taffft --inverse --real x.taf -o real.taf
	[ "$(tafprobe -k n1 real.taf) $(tafprobe -k d1 real.taf) $(tafprobe -k type real.taf)" = \
	    "12 0.16666666666666666 flt64" ]
	# what is imaginary at the ends is passed over
	taffft real.taf | tafcrop -x 1=2:6 | pairs - >got
	tafcrop -x 1=2:6 x.taf | pairs - >want
	near got want
	taffft --inverse x.taf | taffft --no-shift | pairs - >got
	pairs x.taf >want
	near got want
	# other frequencies than those of a transform
	taffft real.taf | tafcrop -x 1=2:6 -o part.taf
	run -3 --separate-stderr taffft --inverse part.taf
	[[ "$stderr" = *"not the frequencies of a transform: its length is another one" ]]
	run -3 --separate-stderr taffft --inverse real.taf
	[[ "$stderr" = *"an inverse takes complex ones"* ]]
}

@test "any memory, any threads, any dimension, a pipe" {
	tafmath -n 50,60,7 -t int16 'floor(1000*sin(i1*i2+i3))' -o in.taf
	for d in 1 2 3 1,3; do
		taffft -d $d --window hann in.taf -o want.taf
		for how in "-m 64k -J 1" "-m 200k -J 3" "-m 1M -J 2"; do
			# shellcheck disable=SC2002,SC2086 # a pipe; options
			cat in.taf | taffft -d $d --window hann $how -o got.taf
			cmp want.taf got.taf
		done
	done
}

@test "no bit of a transform depends on the memory" {
	# 5003 and 5001 have large prime factors; 4194319 points are always done in two passes
	tafmath -n 5000,7 -t uint32 'round(1000*rand(1))' -o even.taf
	tafmath -n 3,5003 -t flt32 'rand(1) - 0.3' -o prime.taf
	tafmath -n 5001,2 'rand(1) - 0.3 + rand(2)*I' -o pairs.taf
	for how in "even --amplitude" "even --pad pow2 --phase" "even --window hann --db" \
	    "prime -d 2" "prime -d 2 --phase-origin grid --amplitude" "pairs --power" "pairs -d 1,2"; do
		# shellcheck disable=SC2086 # words
		set -- $how
		input=$1.taf
		shift
		taffft "$@" "$input" -o want.taf
		for memory in 64k 300k; do
			taffft -m $memory "$@" "$input" -o got.taf
			same want.taf got.taf
		done
	done
	taffft even.taf | taffft --inverse -o want.taf
	taffft even.taf | taffft --inverse -m 64k -o got.taf
	same want.taf got.taf
	for how in "" --phase --frequency; do
		# shellcheck disable=SC2086 # words
		tafhilbert $how even.taf -o want.taf
		# shellcheck disable=SC2086 # words
		tafhilbert -m 64k $how even.taf -o got.taf
		same want.taf got.taf
	done
}

# like DIFFERENCE A B: the same values, but for this part of the largest
like() {
	tafmath 'abs(a - b)' "$2" "$3" | tafreduce max | tafread >most
	tafmath 'abs(a)' "$2" | tafreduce max | tafread >largest
	paste most largest | perl -ane 'BEGIN { $b = shift }
		$F[0] <= $b * $F[1] or die "@F\n"; $n++; END { $n or die "nothing" }' "$1" ||
		{ echo "$2 $3"; false; }
}

@test "a line larger than the memory" {
	# even, odd, a prime that is a convolution
	for how in "20000 flt64 --window hann --power" "20000 int16 --pad fast --density" \
	    "20001 flt64 --phase-origin grid" "20011 flt64" "20000 complex128 --pad 20011" \
	    "21000 complex --phase-origin grid" "20000 complex --no-shift --db"; do
		# shellcheck disable=SC2086 # words
		set -- $how
		tafmath -n "$1" -a 1=3.3:0.5 -t "$2" "1000*sin(i1*i1*0.37)+i1/100" -o in.taf
		case $2 in
		*128 | flt64) eps=2e-14 ;;
		*) eps=5e-6 ;;
		esac
		taffft "${@:3}" in.taf -o want.taf
		taffft -m 64k "${@:3}" in.taf -o got.taf
		tafprobe want.taf | sed 1d >a
		tafprobe got.taf | sed 1d >b
		same a b
		like $eps want.taf got.taf
		[[ "$how" != *--[dp][ebo]* ]] || [[ "$how" = *origin* ]] || continue
		taffft --inverse -m 64k got.taf -o back.taf
		like $eps in.taf back.taf
		taffft --inverse want.taf -o want.taf
		tafprobe want.taf | sed 1d >a
		tafprobe back.taf | sed 1d >b
		same a b
	done
	# what the memory is does not change a bit
	taffft -m 100k -J 3 in.taf -o a.taf
	taffft -m 64k -J 1 in.taf -o b.taf
	same a.taf b.taf
}

@test "lines larger than the memory along other dimensions, from a pipe" {
	tafmath -n 2,3,10000 -t flt64 '1000*sin(i1*i1*0.37+i3*i3*0.11+i2)' -o in.taf
	for d in 3 3,1 1,3; do
		taffft -d $d in.taf -o want.taf
		# shellcheck disable=SC2002 # a pipe
		cat in.taf | taffft -m 64k -d $d | cat >got.rsf
		like 2e-14 want.taf got.rsf
		taffft --inverse -m 64k -d $d got.rsf -o back.taf
		like 2e-14 in.taf back.taf
	done
	status 4 env TMPDIR="$PWD/none" taffft -m 64k -d 3 in.taf
}

@test "side by side as one behind the other: types, mapped ones, parts of a plane" {
	local type how

	for type in flt32 flt64 int16 complex; do
		case $type in
		int16) tafmath -n 9000,20,3 'i1 * 7 % 301 - i2 * i3 / 3' |
			tafcast -q -t int16 --scale -o in.taf ;;
		*) tafmath -n 9000,20,3 -t $type 'sin(i1 * 0.7) * i2 + i3' -o in.taf ;;
		esac
		tafpermute -d 2,1,3 in.taf | taffft | tafpermute -d 2,1,3 | taf2raw >one.raw
		# runs with a gap, and a last one that is shorter; whole planes
		for how in "-m 1M -J 2" "-m 250k -J 1" "-m 64M"; do
			taffft $how -d 2 in.taf | taf2raw | cmp - one.raw
		done
	done
}

@test "what cannot be done" {
	tafmath -n 4,1 -t flt64 i1 | sed 's/d1=1/d1=0/' >still.taf
	run -3 --separate-stderr taffft still.taf
	[[ "$stderr" = *"a grid of start 1 and step 0 has no frequencies" ]]
	run -3 taffft -d 3 still.taf
	run -2 taffft --pad 0 still.taf
	run -2 taffft --real still.taf
	run -2 taffft --inverse --db still.taf
	run -2 taffft --power --db still.taf
	run -2 taffft --phase-origin 3 still.taf
	tafmath -n 4 -t flt64 'i1 == 2 ? nan : i1' | taffft --amplitude | tafread | sort -u | grep -qx nan
}

@test "finite values whose transform does not fit flt32 are 3" {
	tafmath -q -n 4,3 'i1 == 2 and i2 == 3 ? 3e38 : i1 == 3 and i2 == 3 ? 3.1e38 : 0' -o a.taf
	refuse 3 taffft a.taf
	equal "$(cat err)" 'taffft: a.taf: element [1,3]: a result does not fit flt32 (at most 3.402823e38): make flt64 of it first (tafcast -t flt64)'
	tafpermute -d 2,1 a.taf -o b.taf
	refuse 3 taffft -d 2 b.taf
	refuse 3 taffft --power a.taf
	tafcast -t flt64 a.taf | taffft | tafread | tail -n 1 >got
	perl -e 'exit !(abs(<> / 1e37 - 1) < 1e-5)' got
	tafmath -q -n 30000 'i1 < 30 ? 3e37 : 0' -o long.taf
	refuse 3 taffft -m 100k long.taf
	# what was infinite may stay so
	tafmath -q -n 4,3 'i1 == 2 and i2 == 3 ? inf : i2' | taffft | tafread -x 2=3 -x 1=1 >got
	equal "$(cut -d ' ' -f 1 got)" inf
}

@test "a power that is 0 only as a square has its decibels" {
	printf '1e-200\n0\n0\n0\n' | txt2taf -t flt64 | tee a.rsf | taffft --db | tafread >got
	# a mean of 2.5e-201, and two tones: of twice that, and of the highest frequency
	perl -e 'for (-4012.0412, -4009.0309, -4012.0412) { abs(<> - $_) < 0.001 or die }' got
	tafspectrogram --points 4 --window boxcar --db a.rsf | tafread | tail -n 1 >got
	perl -e 'exit !(abs(<> + 4012.0412) < 0.001)' got
	tafmath -n 4 -t flt64 0 | taffft --db | tafread | sort -u | grep -qx -- -inf
	tafmath -n 4 -t flt64 1e308 | taffft --db | tafread | head -n 1 >got
	perl -e 'exit !(abs(<> - 6160) < 0.001)' got
}

@test "-t flt64 computes in flt64 throughout" {
	tafmath -n 60,9 -t flt32 'sin(i1*i2)' -o a.taf
	tafcast -t flt64 a.taf -o wide.taf
	for how in --power --amplitude "--window=hann" "--phase-origin=grid" "--dim=2" "--dim=1,2"; do
		taffft "$how" wide.taf >want
		taffft "$how" -t flt64 a.taf | cmp - want
		taffft "$how" -t flt64 -m 1k a.taf | cmp - want
	done
	taffft a.taf -o f.taf
	taffft --inverse -t flt64 f.taf | tafprobe | grep -q 'flt64'
	tafspectrogram --points 9,3 -t flt64 a.taf >got
	tafspectrogram --points 9,3 wide.taf | cmp - got
	run taffft -t flt32 a.taf
	[ "$status" -eq 2 ]
}

@test "values near the end of flt64 have the same results with any memory" {
	tafmath -n 20001 -t flt64 '1e306*(2+cos(i1))' -o a.taf
	for how in --db --amplitude --phase; do
		taffft "$how" a.taf >want
		taffft "$how" -m 64k a.taf | cmp - want
	done
	# sums that have overflowed have no phase of their own: smaller points have it
	tafmath -n 20001 -t flt64 '1e6*(2+cos(i1))' -o small.taf
	tafcompare --absolute 1e-9 <(taffft --phase a.taf) <(taffft --phase small.taf)
	for how in 256M 64k; do
		run taffft -m "$how" --power a.taf
		[ "$status" -eq 3 ]
		[[ $output == *"element [1]: a result does not fit flt64"* ]]
	done
}

@test "a tone of 1 V is 1 V, whoever measures it" {
	# 8 periods, a mean and the highest frequency; and a pair of tones in two dimensions
	tafmath -n 64 -t flt64 '0.25 + cos(2*pi*8/64*(i1-1)) + 0.5*cos(pi*(i1-1))' | tafput unit=V -o a.taf
	tafcrop -x 1=1:63 a.taf -o odd.taf
	for command in "taffft" "tafspectrogram --points 64 --window boxcar"; do
		for how in "--amplitude 0.25 1 0.5" "--power 0.0625 0.5 0.25"; do
			# shellcheck disable=SC2086 # words
			set -- $how
			$command "$1" a.taf | tafread | sed -n '1p;9p;33p' >got
			shift
			printf '%s\n' "$@" >want
			near got want
		done
	done
	equal "$(taffft --amplitude a.taf | tafprobe -k unit) $(taffft --power a.taf | tafprobe -k unit)" "V V^2"
	tafmath -n 64,32 -t flt64 '0.25 + cos(2*pi*(8/64*(i1-1) + 5/32*(i2-1)))' -o b.taf
	for how in "--amplitude 0.25 1" "--power 0.0625 0.5" "--db -12.0411998 -3.01029996"; do
		# shellcheck disable=SC2086 # words
		set -- $how
		taffft -d 1,2 "$1" b.taf | tafcrop -x 1=1:9:8 -x 2=17:22:5 | tafread | sed -n '1p;4p' >got
		shift
		printf '%s\n' "$@" >want
		perl -e 'open my $w, "<", "want"; while (<>) { abs($_ - <$w>) < 1e-7 or die "$_" }' got
	done
	# the same of long lines, whose halves have any length
	for n in 20000 20001; do
		tafmath -n $n -t flt64 '0.25 + cos(2*pi*40/n1*(i1-1))' -o long.taf
		for how in amplitude power density; do
			taffft --$how long.taf -o x.taf
			taffft -m 64k --$how long.taf -o y.taf
			tafcompare --absolute 1e-7 x.taf y.taf
		done
	done
	# complex tones have no half
	tafmath -n 64 'polar(1, 2*pi*8/64*(i1-1))' | taffft --amplitude | tafreduce max | tafread >got
	echo 1 >want
	perl -e 'abs(<> - 1) < 1e-6 or die' got
}

@test "integers under a mapping are flt32 before they are weighed, however little memory" {
	tafmath -n 4,2 -t int16 'i1 * 7 + i2' | tafadjust --intercept 100000 --slope 0.1 -o a.taf
	taffft --pad 6000 --window hamming a.taf >want
	taffft -m 64k --pad 6000 --window hamming a.taf | cmp - want
	# what is too large for it is told alike
	tafadjust --intercept 1e300 a.taf -o b.taf
	refuse 3 taffft --pad 6000 --window hann -d 2 b.taf
	mv err want
	refuse 3 taffft -m 64k --pad 6000 --window hann -d 2 b.taf
	cmp err want
	grep -q 'element \[1,1\]: value 1e300 does not fit flt32' err
}
