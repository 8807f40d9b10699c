load helper

# values NUMBER...: a line of flt64 in in.taf, from 10 in steps of 0.5
values() {
	perl -e 'print pack "d<*", @ARGV' -- "$@" >in.raw
	tafcreate -n $# -t flt64 -a 1=10:0.5 in.raw -o in.taf
}

moved() {
	tafregrid "$@" in.taf | tafread | xargs
}

# rounded: numbers of a line with nine digits
rounded() {
	perl -ne 'printf "%.9g ", $_'
}

@test "nearest, linear and cubic" {
	values 0 8 4 6 1
	equal "$(moved -a 1=10:0.25)" "0 4 8 6 4 5 6 3.5 1"
	equal "$(moved -a 1=10:0.125 --method nearest --size 1=9)" "0 0 0 8 8 8 8 4 4"
	equal "$(moved -a 1=10.125:0.5)" "2 7 4.5 4.75"
	# a cubic comes out as it is, at the ends too
	# shellcheck disable=SC2046 # numbers
	values $(perl -e 'print $_ ** 3 - 5 * $_ ** 2, " " for map { $_ / 2 } 0 .. 9')
	equal "$(tafregrid -a 1=10:0.3 --method cubic in.taf | tafread | rounded)" \
		"$(perl -e 'printf "%.9g ", $_ ** 3 - 5 * $_ ** 2 for map { $_ * 0.3 } 0 .. 15')"
	values 1 3
	equal "$(moved -a 1=10:0.125 --method cubic)" "1 1.5 2 2.5 3"
	values 7
	for by in nearest linear cubic sinc; do equal "$(moved -a 1=10:1 --size 1=2 --method $by)" "7 nan"; done
}

@test "sinc: a sine between its points" {
	perl -e 'print pack "d<*", map { sin($_ / 3) } 0 .. 199' >in.raw
	tafcreate -n 200 -t flt64 -a 1=0:1 in.raw | tafregrid -a 1=40.37:0.71 --size 1=150 --method sinc | tafread |
		perl -ne '$e = $_ - sin((40.37 + 0.71 * ($. - 1)) / 3); abs($e) < 2e-4 or die "$.: $e"; $n++;
			END { $n == 150 or die }'
	# a constant stays one
	perl -e 'print pack "d<*", (3) x 50' >in.raw
	tafcreate -n 50 -t flt64 -a 1=0:1 in.raw | tafregrid --factor 1=3 --method sinc | tafread | rounded >got
	equal "$(xargs -n 1 <got | uniq -c | xargs)" "148 3"
}

@test "outside: NaN, the end, a value, refused" {
	values 1 2 3
	equal "$(moved -a 1=9.5:0.5 --size 1=5)" "nan 1 2 3 nan"
	equal "$(moved -a 1=9.5:0.5 --size 1=5 --outside edge)" "1 1 2 3 3"
	equal "$(moved -a 1=9.5:0.5 --size 1=5 --outside -7)" "-7 1 2 3 -7"
	for by in nearest cubic sinc; do equal "$(moved -a 1=9.75:0.5 --size 1=4 --outside edge --method $by | cut -d ' ' -f 1,4)" "1 3"; done
	equal "$(moved -a 1=10:0.5 --size 1=3 --outside error)" "1 2 3"
	refuse 3 tafregrid -a 1=10:0.5 --size 1=4 --outside error in.taf
	refuse 3 tafregrid -a 1=9.5:0.5 --outside error in.taf
	refuse 3 tafregrid -a 1=11.5:0.5 in.taf
}

@test "grids: factors, another array's, turned ones, what rounding does" {
	values 0 2 4 6 8
	tafregrid --factor 1=2 in.taf >out
	equal "$(tafread out | xargs) $(tafprobe -k o1 out) $(tafprobe -k d1 out)" "0 1 2 3 4 5 6 7 8 10 0.25"
	equal "$(moved --factor 1=0.5)" "0 4 8"
	equal "$(moved --factor 1=2 --size 1=3)" "0 1 2"
	equal "$(moved -a 1=12:-0.5)" "8 6 4 2 0"
	equal "$(moved -a 1=11.75:-1)" "7 3"
	tafadjust --step 1=-0.5 in.taf | tafregrid -a 1=8.25:0.5 >out
	equal "$(tafread out | xargs)" "7 5 3 1"
	mktaf like.taf uint8 4,3
	tafregrid --like like.taf -d 2 like.taf >out
	equal "$(tafread out | xargs)" "$(tafread like.taf | xargs)"
	tafadjust --start 1=10.25 --step 1=0.25 like.taf -o grid.taf
	equal "$(moved --like grid.taf)" "1 2 3 4"
	# 0.1 has no exact double: points of both grids are the points
	perl -e 'print pack "d<*", map { $_ * $_ % 97 } 1 .. 1000' >in.raw
	tafcreate -n 1000 -t flt64 -a 1=0.3:0.1 in.raw -o in.taf
	tafregrid -a 1=10.3:0.3 in.taf >out
	equal "$(tafprobe -k n1 out)" 300
	tafread out >got
	tafcrop -x 1=101::3 in.taf | tafread >want
	same want got
	tafregrid -a 1=0.3:0.1 --method sinc in.taf | tafread >got
	tafread in.taf >want
	same want got
}

@test "NaN, types, mapping, dimensions" {
	values 1 nan 3 5 6
	equal "$(moved -a 1=10:0.25)" "1 nan nan nan 3 4 5 5.5 6"
	values 1 inf 3
	equal "$(moved -a 1=10:0.25)" "1 inf inf inf 3"
	mktaf in.taf int16 5,4,3
	equal "$(tafregrid --factor 1=2 in.taf | tafprobe -k type -)" flt32
	perl -e 'open F, "+<", "in.taf"; seek F, 1032, 0; print F pack "d<2", 100, -2'
	equal "$(tafregrid --factor 1=2 in.taf | tafcrop -x 2=1 -x 3=1 | tafread | xargs)" "94 87 80 73 66 59 52 45 38"
	tafput unit@2=s label@2=Time in.taf | tafregrid -a 2=1.75:0.25 >out
	equal "$(tafprobe -k n2 out) $(tafprobe -k unit2 out)" "6 s"
	for d in 2 3; do
		order=$(perl -e '@d = grep { $_ != $ARGV[0] } 1 .. 3; print join ",", $ARGV[0], @d' $d)
		back=$([ $d = 2 ] && echo 2,1,3 || echo 2,3,1)
		tafregrid --factor $d=1.7 in.taf | tafread >got
		tafpermute -d "$order" in.taf | tafregrid --factor 1=1.7 | tafpermute -d "$back" | tafread >want
		same want got
	done
}

@test "lines longer than the memory, in any windows" {
	perl -e 'print pack "f<*", map { $_ * 7919 % 10007 / 16 } 1 .. 300000' >in.raw
	for shape in 300000 2,150000; do
		tafcreate -n $shape in.raw -o in.taf
		d=1
		[ $shape = 300000 ] || d=2
		for by in nearest linear cubic sinc; do
			for factor in 1.37 0.3; do
				tafregrid --factor $d=$factor --method $by in.taf -o want.taf
				tafregrid --factor $d=$factor --method $by -m 256k -J 3 -o got.taf <in.taf
				same want.taf got.taf
			done
		done
	done
	perl -e 'local $/; print pack "L<*", reverse unpack "L<*", <>' in.raw >want
	tafcreate -n 300000 -a 1=1:1 in.raw | tafregrid -a 1=300000:-1 | taf2raw >got
	same want got
}

@test "a wrong invocation" {
	mktaf a.taf flt32 9,2
	refuse 2 tafregrid a.taf
	refuse 2 tafregrid -a 1=0:1 --factor 1=2 a.taf
	refuse 2 tafregrid -a 1=0:1 -a 2=0:1 a.taf
	refuse 2 tafregrid -a 1=0 a.taf
	refuse 2 tafregrid --factor 2 a.taf
	refuse 2 tafregrid --factor 1=0 a.taf
	refuse 2 tafregrid --factor 1=2 --size 2=4 a.taf
	refuse 2 tafregrid --factor 1=2 -d 1 a.taf
	refuse 2 tafregrid --like a.taf --size 1=4 a.taf
	refuse 2 tafregrid --factor 1=2 --method spline a.taf
	refuse 2 tafregrid --factor 1=2 --outside x a.taf
	refuse 3 tafregrid --factor 3=2 a.taf
	refuse 4 tafregrid --like missing a.taf
	refuse 3 tafregrid --factor 1=1e300 a.taf
	printf 'n1=4 d1=0 data_format="native_float" in="stdin"\n\n\f\f\0041234123412341234' >still.rsf
	refuse 3 tafregrid --factor 1=2 still.rsf
}
