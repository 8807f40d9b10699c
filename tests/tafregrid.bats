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

@test "cubic: a spline whose ends are no knots, as scipy's CubicSpline" {
	# lengths, and the first and the last seven results at most
	while read -r n want; do
		perl -e 'print pack "d<*", map { $_ ** 2 * 7919 % 1009 / 16 } 0 .. $ARGV[0] - 1' "$n" >in.raw
		tafcreate -n "$n" -t flt64 -a 1=0:1 in.raw | tafregrid -a 1=0.1:0.37 --method cubic | tafread |
			perl -ne 'BEGIN { @want = split " ", shift } push @y, $_; END {
				splice @y, 7, -7 if @y > 14;
				@y == @want or die scalar @y;
				abs($y[$_] - $want[$_]) < 2e-7 or die "$_: $y[$_]" for 0 .. $#y }' "$want"
	done <<-'EOF'
		2 5.35 25.145 44.94
		3 9.0484375 35.3814531 50.463 54.2930781 46.8716875 28.1988281
		4 12.643 43.3929762 53.740232 50.0733771 38.781021 26.2517734 18.874244 23.0370423
		5 13.9909609 46.3972973 54.969194 48.4909892 35.7470211 25.5216279 25.049324 32.2264704 41.4689458 47.1867168 43.78975
		6 14.2006438 46.8646362 55.1603659 48.2448399 35.2750655 25.4080497 26.009892 33.655937 40.9059953 42.6274436 39.4342333 32.8170399 24.2665391 15.2734062
		7 14.1835268 46.8264861 55.14476 48.2649337 35.3135925 25.4173214 25.9314783 42.9996292 39.7897857 32.2793393 22.6667479 14.5305741 11.521452 17.2900156
		9 14.1614722 46.7773311 55.1246524 48.2908239 35.363233 25.4292676 25.8304452 25.190236 34.5207202 38.8048088 38.2493925 34.2018124 28.0094101 21.0195268
		33 14.1622671 46.7791027 55.1253771 48.2898908 35.361444 25.4288371 25.8340865 35.9819624 32.3047579 25.6346517 19.3967836 17.2797932 22.9723196 40.1630025
		64 14.1622671 46.7791027 55.1253771 48.2898908 35.361444 25.4288371 25.8340865 44.219967 47.1012135 33.6479911 13.1524864 -4.32027854 -8.70528139 10.0625
		65 14.1622671 46.7791027 55.1253771 48.2898908 35.361444 25.4288371 25.8340865 31.1596875 11.7689399 0.737469498 1.04400559 10.0625 25.0960382 43.4477055
		66 14.1622671 46.7791027 55.1253771 48.2898908 35.361444 25.4288371 25.8340865 0.0858492219 10.0625 27.7384854 46.7251958 59.6448349 59.1196064 37.7717138
		67 14.1622671 46.7791027 55.1253771 48.2898908 35.361444 25.4288371 25.8340865 50.0000248 56.9682636 46.9914724 28.8670232 12.6722231 8.48437893 26.3807978
		130 14.1622671 46.7791027 55.1253771 48.2898908 35.361444 25.4288371 25.8340865 22.3984324 17.2934657 21.2742511 31.0045015 41.4906028 47.7389412 44.7559026
	EOF
	# far steps, and a grid that is turned
	perl -e 'print pack "d<*", map { $_ ** 2 * 7919 % 1009 / 16 } 0 .. 4999' >in.raw
	tafcreate -n 5000 -t flt64 -a 1=0:1 in.raw -o in.taf
	tafregrid -a 1=0.25:0.5 --method cubic in.taf | tafcrop -x 1=::80 | tafread | rounded >want
	tafregrid -a 1=0.25:40 --method cubic in.taf | tafread | rounded >far
	tafregrid -a 1=4960.25:-40 --method cubic in.taf | tafread | tac | rounded >turned
	same want far
	same want turned
}

@test "cubic: a NaN reaches 32 points" {
	perl -e 'print pack "d<*", map { $_ == 100 ? "nan" : $_ ** 2 % 97 } 0 .. 199' >in.raw
	tafcreate -n 200 -t flt64 -a 1=0:1 in.raw | tafregrid -a 1=0.5:1 --method cubic | tafread | grep -n nan | cut -d : -f 1 >got
	equal "$(sed -n '1p;$p' got | xargs) $(wc -l <got)" "68 133 66"
	tafcreate -n 200 -t flt64 -a 1=0:1 in.raw | tafregrid -a 1=0:1 --method cubic | tafread >got
	tafcreate -n 200 -t flt64 in.raw | tafread >want
	same want got
}

@test "sinc: a sine between its points" {
	perl -e 'print pack "d<*", map { sin($_ / 3) } 0 .. 199' >in.raw
	tafcreate -n 200 -t flt64 -a 1=0:1 in.raw | tafregrid -a 1=40.37:0.71 --size 1=150 --method sinc | tafread |
		perl -ne '$e = $_ - sin((40.37 + 0.71 * ($. - 1)) / 3); abs($e) < 2e-4 or die "$.: $e"; $n++;
			END { $n == 150 or die }'
	# a constant stays one
	perl -e 'print pack "d<*", (3) x 50' >in.raw
	tafcreate -n 50 -t flt64 -a 1=0:1 in.raw | tafregrid --factor 1=3 --method sinc | tafread | rounded >got
	equal "$(xargs -n 1 <got | uniq -c | xargs)" "148 3 2 NaN"
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
	equal "$(tafread out | xargs) $(tafprobe -k o1 out) $(tafprobe -k d1 out)" "0 1 2 3 4 5 6 7 8 nan 10 0.25"
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
	equal "$(tafregrid --factor 1=2 in.taf | tafcrop -x 2=1 -x 3=1 | tafread | xargs)" "94 87 80 73 66 59 52 45 38 nan"
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

@test "complex elements: each part by itself, real numbers outside" {
	parts_apart tafregrid -a D=1.5:1.25
	parts_apart tafregrid --factor D=1.7 --method cubic
	parts_apart tafregrid --factor D=0.9 --method sinc --outside edge
	parts_apart tafregrid --factor D=2 --method nearest
	tafmath -n 3 'complex(i1, -i1)' -o c.taf
	tafregrid -a 1=0:1 --size 1=4 --outside 7 c.taf -o out
	equal "$(tafmath 'real(a)' out | tafread | xargs) $(tafmath 'imag(a)' out | tafread | xargs)" "7 1 2 3 0 -1 -2 -3"
	tafregrid -a 1=0:1 --size 1=2 c.taf -o out
	equal "$(tafmath 'real(a)' out | tafread | xargs) $(tafmath 'imag(a)' out | tafread | xargs)" "nan 1 nan -1"
}
