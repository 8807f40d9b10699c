# SPDX-License-Identifier: ISC
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

# places FILE NUMBER...: flt64 along one dimension
places() {
	perl -e 'print pack "d<*", @ARGV' -- "${@:2}" >"$1.raw"
	tafcreate -n $(($# - 1)) -t flt64 "$1.raw" -o "$1"
}

@test "--at: places in any order, NaN, infinities" {
	values 0 2 8 2 4
	places at.taf 11 nan 10.25 12 inf 10 10 9.5 -inf
	equal "$(moved --at at.taf)" "8 nan 1 4 nan 0 0 nan nan"
	equal "$(moved --at at.taf --outside edge)" "8 nan 1 4 4 0 0 0 0"
	equal "$(moved --at at.taf --outside -1 --method nearest)" "8 nan 0 4 -1 0 0 -1 -1"
	refuse 3 tafregrid --at at.taf --outside error in.taf
	places at.taf nan nan 10.5 nan 12
	equal "$(moved --at at.taf --outside error)" "nan nan 2 nan 4"
	places at.taf nan nan
	equal "$(moved --at at.taf)" "nan nan"
	places at.taf 11.75
	tafput label@1=Time unit@1=s in.taf | tafregrid --at at.taf >out
	equal "$(tafread out) $(tafprobe -k shape,o1,d1 out | xargs)" "3 1 1 1"
	refuse 3 tafprobe -k label1 out
	refuse 3 tafprobe -k unit1 out
	# of each array of a stream, along any dimension
	mktaf a.taf int16 3,4,2
	tafadjust --start 2=0 --step 2=1 a.taf -o b.taf
	places at.taf 3 0.5 1
	tafcat b.taf b.taf -F rsf | tafregrid --at at.taf -d 2 | tafread | xargs >got
	tafread -x 3=1 b.taf | xargs -n 3 >rows
	perl -e '@v = map { [split] } <>; for $o (0, 4, 0, 4) { for $at (3, 0.5, 1) { for $i (0 .. 2) {
		$k = int $at; $p = $at - $k; $next = $k + ($p > 0);
		push @r, $v[$o + $k][$i] * (1 - $p) + $v[$o + $next][$i] * $p } } } print "@r\n"' \
		<(tafread b.taf | xargs -n 3) >want
	same want got
}

@test "--at: with the coordinates of a grid, the same bits" {
	tafmath -n 3,100,2 -t flt64 'sin(i1*i2*i2 + i3)' -o a.taf
	for old in 0:1 0.3:0.1 1e6:-0.1; do
		tafadjust --start 2="${old%:*}" --step 2="${old#*:}" a.taf -o in.taf
		for new in 0.3:0.037 1.1:0.2 999999.7:-0.3; do
			tafmath -n 90 -a 1=$new -t flt64 x1 -o at.taf
			for by in nearest linear cubic sinc; do
				tafregrid -a 2=$new --size 2=90 --method $by --outside edge in.taf | taf2raw >want
				tafregrid --at at.taf -d 2 --method $by --outside edge in.taf | taf2raw >got
				same want got
			done
		done
	done
}

@test "--from: points at uneven places, that ascend or descend" {
	values 1 4 9 16 25
	places up.taf 1 2 4 8 12
	places down.taf -1 -2 -4 -8 -12
	places at.taf 1.5 2.5 3 3.5 6 7 10
	tafmath -o minus.taf -- -a at.taf
	equal "$(moved --from up.taf -a 1=1:2)" "1 6.5 10.75 14.25 18.25 22.75"
	equal "$(moved --from up.taf -a 1=0:3)" "nan 6.5 12.5 18.25 25"
	equal "$(moved --from up.taf -a 1=12:-4)" "25 16 9"
	equal "$(moved --from down.taf -a 1=0:-3)" "nan 6.5 12.5 18.25 25"
	equal "$(moved --from up.taf --at at.taf)" "2.5 5.25 6.5 7.75 12.5 14.25 20.5"
	# half way it is the earlier point
	equal "$(moved --from up.taf --at at.taf --method nearest)" "1 4 4 9 9 16 16"
	equal "$(moved --from down.taf --at minus.taf --method nearest)" "1 4 4 9 9 16 16"
	for by in nearest linear cubic; do
		tafregrid --from up.taf --at at.taf --method $by in.taf >want
		tafregrid --from down.taf --at minus.taf --method $by in.taf >got
		equal "$(tafread got)" "$(tafread want)"
		equal "$(moved --from up.taf --at up.taf --method $by)" "1 4 9 16 25"
	done
	tafadjust --start 1=3 --step 1=0.5 in.taf -o grid.taf
	equal "$(moved --from up.taf --like grid.taf)" "6.5 7.75 9 9.875 10.75"
	# the array's own grid is of no matter
	tafcreate -n 5 -t flt64 -a 1=0:1 in.raw | tafregrid --from up.taf --at at.taf | tafread >got
	tafregrid --from up.taf --at at.taf in.taf | tafread >want
	same want got
	values 7
	places one.taf 3
	for by in nearest linear cubic; do
		equal "$(moved --from one.taf --at at.taf --method $by)" "nan nan 7 nan nan nan nan"
		equal "$(moved --from one.taf -a 1=2:0.5 --method $by --outside edge)" "7 7 7"
	done
	# whole numbers lose their digits where they are no doubles
	perl -e 'print pack "q<*", 9007199254740993, 9007199254740998' >from.raw
	tafcreate -n 2 -t int64 from.raw -o from.taf
	values 1 2
	tafregrid --from from.taf --at from.taf in.taf >/dev/null 2>err
	grep -q ': 1 of 2 places were rounded' err
}

@test "--from: a spline as scipy's CubicSpline, lines as numpy.interp" {
	while read -r n want; do
		perl -e '
			my $t = -20;
			for my $i (0 .. $ARGV[0] - 1) {
				push @x, $i * $i * 7919 % 1009 / 16;
				push @t, $t += (1 + $i * $i * 31 % 9) / 4;
			}
			@v = map { $t[0] + ($t[-1] - $t[0]) * ($_ + 0.3) / 6 } 0 .. 5;
			for (["x", @x], ["t", @t], ["v", @v]) {
				open F, ">:raw", shift @$_;
				print F pack "d<*", @$_;
			}' "$n"
		tafcreate -n "$n" -t flt64 x -o x.taf
		tafcreate -n "$n" -t flt64 t -o t.taf
		tafcreate -n 6 -t flt64 v -o v.taf
		for by in cubic linear; do
			tafregrid --from t.taf --at v.taf --method $by x.taf | tafread
		done | perl -ne 'BEGIN { @want = grep { $_ ne "|" } split " ", shift } push @y, $_; END {
			@y == @want or die scalar @y;
			abs($y[$_] - $want[$_]) < 1e-7 or die "$_: $y[$_]" for 0 .. $#y }' "$want"
	done <<-'EOF'
		2 2.675 11.5916667 20.5083333 29.425 38.3416667 47.2583333 | 2.675 11.5916667 20.5083333 29.425 38.3416667 47.2583333
		3 10.0621914 36.8963754 53.4129379 59.6118789 55.4931984 41.0568963 | 6.955 30.1383333 53.3216667 45.7902344 38.0207031 30.2511719
		4 19.2384597 52.5676046 51.8364003 34.4224256 17.7032595 19.0564809 | 7.49 32.4566667 52.1851563 43.8179687 35.4507813 27.0835937
		5 22.4819709 55.5806956 46.0766415 22.363197 12.8337505 41.9261685 | 8.56 37.0933333 49.4359375 39.8734375 30.3109375 39.8041667
		9 39.2503028 38.2762489 16.2730557 12.1060866 69.8525868 23.7389925 | 17.12 46.5671875 27.4421875 17.7875 35.0161458 31.5516667
		64 11.8758549 14.7059412 17.405573 32.0933323 70.7241174 8.10702485 | 30.0121094 20.4453125 29.4632813 38.620625 53.64625 20.5195312
		130 71.5313559 10.2330628 62.0651951 32.0317128 32.776444 5.90691136 | 35.2125 11.1533333 57.7 44.01 31.5604167 33.8104167
		193 64.4923014 75.0839732 70.8660441 -16.8733889 98.2677263 71.0637009 | 48.775 34.4104167 54.383724 14.2050781 54.1105469 35.5439583
		500 11.6685067 2.8598166 56.6533302 50.5718639 47.1032263 59.2602946 | 19.2914063 21.4225 37.2734375 44.109375 43.2731771 52.1377083
	EOF
}

@test "--from: a last distance many times the one before it, cubic" {
	# a cubic comes out as it is
	for far in 2**40 2**60; do
		# shellcheck disable=SC2046 # numbers
		places from.taf $(perl -e "printf '%.17g ', \$_ for 0, 1, 2, 4, $far")
		# shellcheck disable=SC2046 # numbers
		values $(perl -e "printf '%.17g ', \$_ ** 3 for 0, 1, 2, 4, $far")
		places at.taf "$(perl -e "printf '%.17g', $far / 2")"
		equal "$(moved --from from.taf --at at.taf --method cubic | perl -ne 'printf "%.14e", $_')" \
			"$(perl -e "printf '%.14e', ($far / 2) ** 3")"
	done
}

@test "--from: distances that change too much for a spline in pieces" {
	# 1.5 times as long each: as scipy has it; twice: what is 64 points away tells
	perl -e 'print pack "d<*", map { 1.5 ** $_ } 0 .. 299' | tafcreate -n 300 -t flt64 -o from.taf
	perl -e 'print pack "d<*", map { 2 ** $_ } 0 .. 299' | tafcreate -n 300 -t flt64 -o fast.taf
	tafmath -o down.taf -- -a fast.taf
	tafreverse -d 1 fast.taf -o back.taf
	tafmath -n 300 -t flt64 'i1 % 7' -o in.taf
	tafregrid --from from.taf --at from.taf --method cubic in.taf | taf2raw >got
	taf2raw in.taf >want
	same want got
	for file in fast down; do
		refuse 3 tafregrid --from $file.taf --at from.taf --method cubic in.taf
		grep -q "$file.taf: row 129: distances change too much" err
	done
	refuse 3 tafregrid --from back.taf --at from.taf --method cubic in.taf
	grep -q "back.taf: row 128: distances change too much" err
	tafregrid --from fast.taf --at from.taf in.taf >/dev/null
	# a slope at an end has no number
	values 1 2 4 3 5
	places from.taf -1e300 0 1e-20 1 2
	refuse 3 tafregrid --from from.taf -a 1=0:1 --method cubic in.taf
	places from.taf -2 -1 -1e-20 0 1e300
	refuse 3 tafregrid --from from.taf -a 1=0:1 --method cubic in.taf
	equal "$(moved --from from.taf -a 1=-2:1 --size 1=3)" "1 2 3"
}

@test "--from: with the coordinates of the grid" {
	tafmath -n 4,300 -t flt64 'sin(i1*i2*i2)' | tafadjust --start 2=-7 --step 2=1 -o in.taf
	tafmath -n 300 -a 1=-7:1 -t flt64 x1 -o from.taf
	for by in nearest linear; do
		tafregrid -a 2=-7:0.375 --method $by in.taf | taf2raw >want
		tafregrid --from from.taf -a 2=-7:0.375 --method $by in.taf | taf2raw >got
		same want got
	done
	tafregrid -a 2=-7:0.375 --method cubic in.taf -o want.taf
	tafregrid --from from.taf -a 2=-7:0.375 --method cubic in.taf | tafcompare --absolute 1e-15 - want.taf
	# three times 0.1 is behind 0.3
	places from.taf 0 0.1 0.2 0.3
	values 1 2 3 7
	equal "$(moved --from from.taf -a 1=0:0.1)" "1 2 3 7"
}

@test "--at and --from: lines longer than the memory, in any windows" {
	perl -e 'print pack "f<*", map { $_ * 7919 % 10007 / 16 } 1 .. 300000' >in.raw
	# dense in the middle, with a gap
	tafmath -n 150000 -t flt64 'x = (i1 - 75000)/75000; x^3 + 1e-6*x + (i1 > 100000 ? 5 : 0)' -o from.taf
	tafmath -n 200000 -t flt64 '(i1 % 9 ? 1 : nan)*(i1 - 50000)/20000' -o even.taf
	tafmath -n 200000 -t flt64 'i1 < 150000 ? 1e-9*i1 : 0.01*(i1 - 149900)' -o dense.taf
	for shape in 150000 2,150000; do
		tafcreate -n $shape <(head -c $((${shape//,/*} * 4)) in.raw) -o in.taf
		d=1
		[ $shape = 150000 ] || d=2
		for by in nearest linear cubic; do
			for at in even dense; do
				how=(tafregrid --from from.taf --at $at.taf -d $d --method $by)
				"${how[@]}" in.taf -o want.taf
				"${how[@]}" -m 256k -J 3 -o got.taf <in.taf
				same want.taf got.taf
			done
		done
		tafregrid --at dense.taf -d $d --method sinc in.taf -o want.taf
		tafregrid --at dense.taf -d $d --method sinc -m 256k -J 3 -o got.taf <in.taf
		same want.taf got.taf
	done
	tafmath -o down.taf -- -a from.taf
	tafmath -o minus.taf -- -a dense.taf
	tafregrid --from from.taf --at dense.taf -d 2 --method cubic in.taf -o want.taf
	tafregrid --from down.taf --at minus.taf -d 2 --method cubic -m 256k -o got.taf in.taf
	same want.taf got.taf
	tafmath 'i1 == 7 ? 1 : a' dense.taf -o other.taf
	refuse 3 tafregrid --from from.taf --at other.taf -d 2 -m 256k in.taf
	tafregrid --from from.taf --at other.taf -d 2 in.taf | tafcrop -x 2=8: | taf2raw >got
	tafregrid --from from.taf --at dense.taf -d 2 in.taf | tafcrop -x 2=8: | taf2raw >want
	same want got
}

@test "--at: many NaN, and places in no order, take no longer" {
	# a whole line for each NaN would be minutes
	tafmath -n 300000 -t flt64 'i1 % 50 == 0 ? nan : i1' -o in.taf
	tafmath -n 300000 -t flt64 '(i1*7919) % 300000 + 1' -o at.taf
	timeout 60 tafregrid --at at.taf in.taf -o got.taf
	tafmath 'a % 50 == 0 ? nan : a' at.taf | tafcompare - got.taf
	timeout 60 tafregrid -a 1=300000:-1 in.taf | tafcompare - <(tafreverse -d 1 in.taf)
}

@test "--at and --from: files that are no places" {
	values 1 4 9 16 25
	places from.taf 1 2 4 7 11
	from() {
		places x.taf "${@:2}"
		refuse 3 tafregrid --from x.taf -a 1=1:1 in.taf
		equal "$(<err)" "tafregrid: $1"
	}
	from "in.taf: x.taf has 4 places, and dimension 1 5 points" 1 2 3 4
	from "in.taf: x.taf has 1 places, and dimension 1 5 points" 1
	from "x.taf: row 3: place nan is not finite" 1 2 nan 4 5
	from "x.taf: row 1: place -inf is not finite" -inf 2 3 4 5
	from "x.taf: row 4: place 3 behind 3: all must ascend, or descend" 1 2 3 3 5
	from "x.taf: row 3: place 4 behind 4: all must ascend, or descend" 5 4 4 2 1
	from "x.taf: row 3: place 1.5 behind 2: all must ascend, or descend" 1 2 1.5 4 5
	from "x.taf: row 5: place -4 behind -5: all must ascend, or descend" 1 0 -1 -5 -4
	from "x.taf: row 5: place 1e308 is too far from -1e308" -1e308 0 1 2 1e308
	printf 'n1=0 data_format="native_double" in="stdin"\n\n\f\f\004' >none.rsf
	tafmath -n 5 -t complex 'complex(i1, 1)' -o pairs.taf
	mktaf plane.taf flt32 5,2
	tafcat from.taf from.taf -F rsf >two.rsf
	for option in --at '-a 1=1:1 --from'; do
		# shellcheck disable=SC2086 # several words
		for file in none.rsf pairs.taf plane.taf two.rsf; do refuse 3 tafregrid $option $file in.taf; done
		# shellcheck disable=SC2086
		refuse 4 tafregrid $option missing in.taf
	done
	tafreshape -n 1,5,1 from.taf | tafregrid --from - -a 1=1:2 in.taf >got
	equal "$(tafread got | rounded)" "1 6.5 11.3333333 16 20.5 25 "
	refuse 3 tafregrid --from from.taf -a 1=12:1 in.taf
	refuse 3 tafregrid --from from.taf -a 1=1:2 --size 1=7 --outside error in.taf
	refuse 3 tafregrid --at from.taf -d 2 in.taf
	refuse 2 tafregrid --from from.taf in.taf
	refuse 2 tafregrid --from from.taf --factor 1=2 in.taf
	refuse 2 tafregrid --from from.taf -a 1=1:1 --method sinc in.taf
	refuse 2 tafregrid --at from.taf -a 1=1:1 in.taf
	refuse 2 tafregrid --at from.taf --like in.taf in.taf
	refuse 2 tafregrid --at from.taf --factor 1=2 in.taf
	refuse 2 tafregrid --at from.taf --size 1=2 in.taf
	refuse 2 tafregrid --at from.taf --at from.taf in.taf
	refuse 2 tafregrid --at - --from - in.taf
	refuse 2 tafregrid --at -
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
	places at.taf 1.25 nan 3 3.5 4 25000
	parts_apart tafregrid --at at.taf -d D --method cubic
	tafmath -n 3 'complex(i1, -i1)' -o c.taf
	tafregrid -a 1=0:1 --size 1=4 --outside 7 c.taf -o out
	equal "$(tafmath 'real(a)' out | tafread | xargs) $(tafmath 'imag(a)' out | tafread | xargs)" "7 1 2 3 0 -1 -2 -3"
	tafregrid -a 1=0:1 --size 1=2 c.taf -o out
	equal "$(tafmath 'real(a)' out | tafread | xargs) $(tafmath 'imag(a)' out | tafread | xargs)" "nan 1 nan -1"
}
