# SPDX-License-Identifier: ISC
load helper

# values NUMBER...: a line of flt64 in in.taf, from 5 in steps of 0.5
values() {
	perl -e 'print pack "d<*", @ARGV' -- "$@" >in.raw
	tafcreate -n $# -t flt64 -a 1=5:0.5 in.raw -o in.taf
}

integral() {
	tafintegrate "$@" in.taf | tafread | xargs
}

@test "trapezoids, sums, parabolas" {
	values 1 4 2 8 5
	equal "$(integral)" "0 1.25 2.75 5.25 8.5"
	equal "$(integral --start 10)" "10 11.25 12.75 15.25 18.5"
	equal "$(integral --rule sum)" "0.5 2.5 3.5 7.5 10"
	equal "$(integral --rule sum --start -1)" "-0.5 1.5 2.5 6.5 9"
	# (5 a + 8 b - c) / 12 and (-a + 8 b + 5 c) / 12, times the step
	perl -e '@d = (0, 35, 41, 69, 87); $s += $_, printf "%.12g\n", 3 + $s / 24 for @d' >want
	tafintegrate --rule simpson --start 3 in.taf | tafread | perl -ne 'printf "%.12g\n", $_' >got
	same want got
	# a last step that is left
	values 1 4 2 8
	perl -e '@d = (0, 35, 41, -4 + 16 + 40); $s += $_, printf "%.12g\n", $s / 24 for @d' >want
	tafintegrate --rule simpson in.taf | tafread | perl -ne 'printf "%.12g\n", $_' >got
	same want got
	values 1 4
	equal "$(integral --rule simpson) $(integral)" "0 1.25 0 1.25"
	values 7
	equal "$(integral --rule simpson) $(integral) $(integral --rule sum)" "0 0 3.5"
}

@test "sfcausint forgets the step" {
	perl -e 'print pack "d<*", map { 3 * ($_ / 100) ** 2 } 0 .. 1000' >in.raw
	tafcreate -n 1001 -t flt64 -a 1=0:0.01 in.raw -o in.taf
	tafintegrate --rule simpson in.taf | tafread |
		perl -ne '$x = ($. - 1) / 100; abs($_ - $x ** 3) < 1e-9 or die "$.: $_"'
	tafadjust --step 1=-0.01 in.taf | tafintegrate | tafcrop -x 1=end | tafread |
		perl -ne 'abs($_ + 1000.0005) < 1e-6 or die $_; $n++; END { $n == 1 or die }'
}

@test "a long sum loses no digits" {
	perl -e 'print pack "d<*", (0.1) x 1000000' >in.raw
	tafcreate -n 1000000 -t flt64 -a 1=0:1 in.raw -o in.taf
	# the sum of the doubles next to 0.1, rounded once
	equal "$(tafintegrate --rule sum in.taf | tafcrop -x 1=end | tafread)" 100000
	values 1e16 1 -1e16 1
	equal "$(tafadjust --step 1=1 in.taf | tafintegrate --rule sum | tafread | xargs)" \
		"10000000000000000 10000000000000000 1 2"
}

@test "NaN and infinities" {
	values 1 nan 2 3
	equal "$(integral)" "0 nan nan nan"
	equal "$(integral --rule sum)" "0.5 nan nan nan"
	values 1 inf 2 3
	equal "$(integral)" "0 inf inf inf"
	equal "$(integral --rule sum)" "0.5 inf inf inf"
	values 1 inf 2 -inf 1
	equal "$(integral --rule sum)" "0.5 inf inf nan nan"
}

@test "complex elements: each part by itself, from a real number on" {
	parts_apart tafintegrate -d D
	parts_apart tafintegrate -d D --rule simpson
	tafmath -n 3 "complex(i1, -i1)" | tafadjust --step 1=2 -o c.taf
	tafintegrate --start 5 c.taf -o out
	equal "$(tafmath "real(a)" out | tafread | xargs) $(tafmath "imag(a)" out | tafread | xargs)" "5 8 13 0 -3 -8"
}

@test "units, types, and the way back" {
	mktaf in.taf int16 7,4
	tafput unit=V/s unit@2=s in.taf >s.rsf
	tafintegrate -d 2 s.rsf >out
	equal "$(tafprobe -k type out) $(tafprobe -k unit out)" "flt32 V"
	equal "$(tafprobe -k o2 out) $(tafprobe -k d2 out)" "$(tafprobe -k o2 in.taf) $(tafprobe -k d2 in.taf)"
	mktaf in.taf int32 7,4
	equal "$(tafintegrate in.taf | tafprobe -k type -)" flt64
	# differences of sums
	tafadjust --step 1=1 in.taf | tafintegrate --rule sum | tafdifferentiate --raw | tafread >got
	tafcrop -x 1=2: in.taf | tafread >want
	same want got
	printf 'n1=4 d1=0 data_format="native_float" in="stdin"\n\n\f\f\0041234123412341234' >still.rsf
	refuse 3 tafintegrate still.rsf
}

@test "lines longer than the memory, in any windows" {
	perl -e 'print pack "f<*", map { $_ * 7919 % 10007 / 16 - 300 } 1 .. 300000' >in.raw
	for shape in 300000 2,150000 150000,2; do
		tafcreate -n $shape in.raw -o in.taf
		d=1
		[ $shape != 2,150000 ] || d=2
		for rule in trapezoid sum simpson; do
			tafintegrate -d $d --rule $rule in.taf -o want.taf
			for how in '-m 200k -J 3' '-m 300k -J 1' '-m 5M -J 2'; do
				# shellcheck disable=SC2086 # words
				cat in.taf | tafintegrate -d $d $how --rule $rule -o got.taf
				same want.taf got.taf
			done
		done
	done
	# by hand
	perl -e 'local $/; @x = unpack "f<*", <>; $s += $_, push @y, $s for @x; print pack "f<*", @y' in.raw >want
	tafcreate -n 300000 in.raw | tafintegrate --rule sum | taf2raw >got
	same want got
}

@test "a wrong invocation" {
	mktaf a.taf flt32 9,2
	refuse 2 tafintegrate --rule romberg a.taf
	refuse 2 tafintegrate --start x a.taf
	refuse 3 tafintegrate -d 3 a.taf
}
