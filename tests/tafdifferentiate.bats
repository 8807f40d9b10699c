# SPDX-License-Identifier: ISC
load helper

# values NUMBER...: a line of flt64 in in.taf, from 5 in steps of 0.5
values() {
	perl -e 'print pack "d<*", @ARGV' -- "$@" >in.raw
	tafcreate -n $# -t flt64 -a 1=5:0.5 in.raw -o in.taf
}

slopes() {
	tafdifferentiate "$@" in.taf | tafread | xargs
}

@test "central differences, and at the ends the slope of a parabola" {
	values 1 4 2 8 5
	equal "$(slopes)" "11 1 4 3 -15"
	equal "$(slopes --edge nan)" "nan 1 4 3 nan"
	equal "$(slopes --edge zero)" "0 1 4 3 0"
	values 1 4
	equal "$(slopes)" "6 6"
	equal "$(slopes --edge nan)" "nan nan"
	values 7
	refuse 3 tafdifferentiate in.taf
	equal "$(slopes --edge zero)" 0
	# a parabola has its slope everywhere
	# shellcheck disable=SC2046 # numbers
	values $(perl -e 'print 3 * $_ * $_ - $_, " " for map { $_ / 2 } 10 .. 21')
	equal "$(slopes)" "$(perl -e 'print join " ", map { 6 * $_ / 2 - 1 } 10 .. 21')"
	equal "$(slopes | cut -d ' ' -f 1,12)" "29 62"
}

@test "the slopes of polynomials: also at the ends" {
	# shellcheck disable=SC2046 # numbers
	values $(perl -e 'print $_ ** 3 - 2 * $_, " " for map { $_ / 2 } 10 .. 30')
	want=$(perl -e 'printf "%.9f ", 3 * $_ * $_ - 2 for map { $_ / 2 } 10 .. 30')
	for how in 3,5 3,7 4,9 3,21 3,2@; do
		equal "$(tafdifferentiate --polynomial $how in.taf | tafread | perl -ne 'printf "%.9f ", $_')" "$want"
	done
	# the straight line next to three points
	values 1 4 2 8 5
	equal "$(slopes --polynomial 1,3)" "1 1 4 3 3"
	equal "$(slopes --polynomial 1,3 --edge nan)" "nan 1 4 3 nan"
	equal "$(slopes --polynomial 1,5 --edge zero)" "0 0 2.4 0 0"
	values 1 4 2
	refuse 3 tafdifferentiate --polynomial 1,5 in.taf
	equal "$(slopes --polynomial 1,5 --edge zero)" "0 0 0"
}

@test "differences: one less, in the unit of the values, between the points" {
	values 1 4 2 8 5
	tafput unit=V unit@1=s in.taf | tafdifferentiate --raw >out
	equal "$(tafread out | xargs)" "3 -2 6 -3"
	equal "$(tafprobe -k n1 out) $(tafprobe -k o1 out) $(tafprobe -k d1 out)" "4 5.25 0.5"
	equal "$(tafprobe -k unit out)" V
	values 7
	refuse 3 tafdifferentiate --raw in.taf
}

@test "units, types, mapping, a negative step" {
	mktaf in.taf int16 7,4
	perl -e 'open F, "+<", "in.taf"; seek F, 1032, 0; print F pack "d<2", 100, -2'
	tafput unit=V unit@1=s in.taf | tafadjust --step 1=-2 >s.rsf
	tafdifferentiate s.rsf >out
	# 3 10 17 24 31 38 45 are stored, -2 for each, in steps of -2
	equal "$(tafcrop -x 2=1 out | tafread | xargs)" "7 7 7 7 7 7 7"
	equal "$(tafprobe -k type out) $(tafprobe -k unit out) $(tafprobe -k d1 out)" "flt32 V/s -2"
	tafdifferentiate s.rsf | tafdifferentiate >out
	equal "$(tafprobe -k unit out)" "V/s^2"
	tafput --unset unit@1 s.rsf | tafdifferentiate >out
	refuse 1 tafprobe -k unit out || [ -z "$(tafprobe -k unit out 2>/dev/null)" ]
	printf 'n1=4 d1=0 data_format="native_float" in="stdin"\n\n\f\f\0041234123412341234' >still.rsf
	refuse 3 tafdifferentiate still.rsf
}

@test "along each dimension, NaN, long lines in any windows" {
	mktaf in.taf flt32 7,5,3
	for d in 2 3; do
		order=$(perl -e '@d = grep { $_ != $ARGV[0] } 1 .. 3; print join ",", $ARGV[0], @d' $d)
		back=$([ $d = 2 ] && echo 2,1,3 || echo 2,3,1)
		tafdifferentiate -d $d in.taf | tafread >got
		tafpermute -d "$order" in.taf | tafdifferentiate | tafpermute -d "$back" | tafread >want
		same want got
	done
	values 1 2 nan 4 5 6 7
	equal "$(slopes)" "nan nan 2 nan 2 2 2"
	perl -e 'print pack "f<*", map { $_ * 7919 % 10007 / 16 } 1 .. 300000' >in.raw
	for shape in 300000 2,150000; do
		tafcreate -n $shape in.raw -o in.taf
		d=1
		[ $shape = 300000 ] || d=2
		for way in '' --raw '--polynomial 2,9' '--edge nan'; do
			# shellcheck disable=SC2086 # way
			tafdifferentiate -d $d $way in.taf -o want.taf
			# shellcheck disable=SC2086
			cat in.taf | tafdifferentiate -d $d -m 256k -J 3 $way -o got.taf
			same want.taf got.taf
		done
	done
	perl -e '
		local $/;
		my @x = unpack "f<*", <>;
		print pack "f<*", (-3 * $x[0] + 4 * $x[1] - $x[2]) / 2, (map { ($x[$_ + 1] - $x[$_ - 1]) / 2 } 1 .. $#x - 1),
			(3 * $x[-1] - 4 * $x[-2] + $x[-3]) / 2' in.raw >want
	tafcreate -n 300000 in.raw | tafdifferentiate | taf2raw >got
	same want got
}

@test "a wrong invocation" {
	mktaf a.taf flt32 9,2
	refuse 2 tafdifferentiate --edge reflect a.taf
	refuse 2 tafdifferentiate --raw --edge nan a.taf
	refuse 2 tafdifferentiate --raw --polynomial 1,3 a.taf
	refuse 2 tafdifferentiate --polynomial 0,3 a.taf
	refuse 2 tafdifferentiate --polynomial 1,4 a.taf
	refuse 2 tafdifferentiate --polynomial 1 a.taf
	refuse 3 tafdifferentiate -d 3 a.taf
}

@test "a result that does not fit is told with its place, value and range" {
	local limit='flt32 (at most 3.402823e38)'
	# (-3 x[1] + 4 x[2] - x[3]) / (2 step), of column 2 and of row 2
	tafmath -n 4,3 -a 1=0:1e-9 -a 2=0:1e-9 -t flt32 'i2 == 2 and i1 > 1 ? i1 * 2^123 : 0' -o a.taf
	refuse 3 tafdifferentiate a.taf
	[[ $(<err) == "tafdifferentiate: a.taf: element [1,2]: value 2.658"*"e46 does not fit $limit" ]]
	refuse 3 tafdifferentiate -d 2 a.taf
	[[ $(<err) == "tafdifferentiate: a.taf: element [2,1]: value 4.253"*"e46 does not fit $limit" ]]
	# lines, lines side by side, and sums: 3e38 + 3.1e38
	tafmath -n 40,3 -t flt32 'i2 == 3 ? 3.3e38*(1 - 2*(i1//4 % 2)) : 0' -o c.taf
	refuse 3 taffilter --high 0.2 c.taf
	[[ $(<err) == "taffilter: c.taf: element [5,3]: value -3.829"*"e38 does not fit $limit" ]]
	taftranspose c.taf -o d.taf
	refuse 3 taffilter --high 0.2 -d 2 d.taf
	[[ $(<err) == "taffilter: d.taf: element [3,5]: value -3.829"*"e38 does not fit $limit" ]]
	tafmath -n 4,3 -t flt32 'i2 == 3 and i1 > 2 ? 2.7e38 + 1e37*i1 : i1' -o b.taf
	refuse 3 tafreduce max,sum -d 1 b.taf
	[[ $(<err) == "tafreduce: b.taf: element [1,3,2]: value 6.0"*"e38 does not fit $limit" ]]
}

@test "complex elements: each part by itself" {
	parts_apart tafdifferentiate -d D
	parts_apart tafdifferentiate -d D --polynomial 2,5 --edge zero
	parts_apart tafdifferentiate -d D --raw
	tafmath -n 4,3 -a 1=0:1e-9 -t complex 'i2 == 2 and i1 > 1 ? I * i1 * 2^123 : 0' -o c.taf
	refuse 3 tafdifferentiate c.taf
	[[ $(<err) == "tafdifferentiate: c.taf: element [1,2]: value 2.658"*"e46 does not fit flt32 (at most 3.402823e38)" ]]
}
