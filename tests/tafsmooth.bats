# SPDX-License-Identifier: ISC
load helper

# values NUMBER...: a line of flt64 in in.taf
values() {
	perl -e 'print pack "d<*", @ARGV' -- "$@" >in.raw
	tafcreate -n $# -t flt64 in.raw -o in.taf
}

smoothed() {
	tafsmooth "$@" in.taf | tafread | xargs
}

# naive FILE WAY HALF EDGE WEIGHT...: what tafsmooth makes of the numbers in FILE
naive() {
	perl -e '
		my ($file, $way, $h, $edge, @w) = @ARGV;
		open F, $file or die;
		my @x = <F>;
		sub pass {
			my ($how, @x) = @_;
			my $n = @x;
			map {
				my $i = $_;
				my (@p, @q);
				for my $k (-$h .. $h) {
					my $j = $i + $k;
					my $v = 0;
					if ($j >= 0 && $j < $n) { $v = $x[$j] }
					elsif ($edge eq "shrink") { next }
					elsif ($edge eq "nan") { $v = "nan" }
					elsif ($edge eq "reflect") {
						$j %= 2 * $n;
						$v = $x[$j < $n ? $j : 2 * $n - 1 - $j];
					}
					push @p, $v;
					push @q, $w[$k + $h] // 1;
				}
				my ($s, $all) = (0, 0);
				if ($how eq "median") {
					@p = sort { $a <=> $b } @p;
					$s = grep(/nan/, @p) ? "nan" : ($p[$#p / 2] + $p[@p / 2]) / 2;
				} else {
					$s += $p[$_] * $q[$_], $all += $q[$_] for 0 .. $#p;
					$s /= $all unless $how eq "kernel";
				}
				$s
			} 0 .. $n - 1;
		}
		@x = pass($way, @x);
		@x = pass("mean", @x) if $way eq "triangle";
		printf "%.12g\n", $_ for @x' "$@"
}

# near A B: the same numbers but for rounding
near() {
	paste "$1" "$2" | perl -ane '
		die "line $.: $F[0] is not $F[1]\n" unless lc $F[0] eq lc $F[1] ||
			abs($F[0] - $F[1]) <= 1e-11 * (1 + abs $F[1]); $n++; END { $n or die "nothing" }'
}

@test "each way and each edge, against a plain loop" {
	perl -e 'print pack "d<*", map { $_ * $_ * 7 % 101 / 8 - 3 } 1 .. 41' >in.raw
	tafcreate -n 41 -t flt64 in.raw -o in.taf
	tafread in.taf >x
	perl -e 'print pack "d<*", 3, -1, 0.5, 2, 7' >k.raw
	tafcreate -n 5 -t flt64 k.raw -o k.taf
	for edge in reflect shrink zero nan; do
		for n in 1 3 9 31 63 101; do
			for way in mean triangle median; do
				naive x $way $((n / 2)) $edge >want
				tafsmooth --$way $n --edge $edge in.taf | tafread >got
				near want got || { echo "$way $n $edge"; false; }
			done
		done
		# a bell of sigma 1.5 ends 6 points away
		# shellcheck disable=SC2046 # weights
		naive x gauss 6 $edge $(perl -e 'print exp(-$_ ** 2 / 4.5), " " for -6 .. 6') >want
		tafsmooth --gauss 1.5 --edge $edge in.taf | tafread >got
		near want got
		[ $edge != shrink ] || continue
		naive x kernel 2 $edge 7 2 0.5 -1 3 >want
		tafsmooth --kernel k.taf --edge $edge in.taf | tafread >got
		near want got
		# the parabola next to five points: -3 12 17 12 -3 of 35
		naive x polynomial 2 $edge -3 12 17 12 -3 >want
		tafsmooth --polynomial 2,5 --edge $edge in.taf | tafread >got
		near want got
	done
}

@test "the median of many points, and of points that are equal" {
	perl -e 'print pack "d<*", map { $_ * 7919 % 61 } 1 .. 700' >in.raw
	tafcreate -n 700 -t flt64 in.raw -o in.taf
	tafread in.taf >x
	for edge in reflect shrink; do
		naive x median 150 $edge >want
		tafsmooth --median 301 --edge $edge in.taf | tafread >got
		near want got
	done
	values 0 -0 -0 0 -0
	equal "$(smoothed --median 3)" "0 0 0 0 0"
	values 5 inf 1 -inf inf inf 2
	equal "$(smoothed --median 3)" "5 5 1 1 inf inf 2"
}

@test "sfsmooth is off by hundreds on 100000 + sin" {
	perl -e 'print pack "d<*", map { 100000 + sin($_ / 50) } 1 .. 1000000' >in.raw
	tafcreate -n 1000000 -t flt64 in.raw -o in.taf
	for n in 31 1001; do
		tafsmooth --mean $n in.taf | taf2raw |
			N=$n perl -0777 -ne '
				my $n = $ENV{N};
				my @y = unpack "d<*", $_;
				my $d = sin($n / 100) / ($n * sin 0.01);
				for my $i (500 .. 999400) {
					my $e = $y[$i] - 100000 - $d * sin(($i + 1) / 50);
					die "$i: $e" if abs $e > 1e-9;
				}'
	done
}

@test "sfboxsmooth comes out late" {
	values 0 0 0 0 6 0 0 0 0
	equal "$(smoothed --mean 3)" "0 0 0 2 2 2 0 0 0"
	equal "$(smoothed --triangle 3 | cut -d ' ' -f 3-7)" "0.6666666666666666 1.3333333333333333 2 1.3333333333333333 0.6666666666666666"
	tafadjust --start 1=5 --step 1=0.5 in.taf | tafsmooth --mean 3 >out
	equal "$(tafprobe -k o1 out) $(tafprobe -k d1 out)" "5 0.5"
}

@test "a NaN makes its windows NaN, and no other result" {
	values 1 2 3 nan 5 6 7 8 9
	equal "$(smoothed --mean 3)" "1.3333333333333333 2 nan nan nan 6 7 8 8.666666666666666"
	equal "$(smoothed --median 3)" "1 2 nan nan nan 6 7 8 9"
	equal "$(smoothed --triangle 3 | cut -d ' ' -f 2-7)" "nan nan nan nan nan 7"
	equal "$(smoothed --polynomial 1,3 | cut -d ' ' -f 2-6)" "2 nan nan nan 6"
	values 1 2 3 inf 5 6 7 8 9
	equal "$(smoothed --mean 3 | cut -d ' ' -f 2-6)" "2 inf inf inf 6"
}

@test "types: flt32 of what it holds, flt64 of the rest, values physical" {
	for t in int8 uint8 int16 uint16 flt32; do
		mktaf in.taf $t 9,3
		equal "$(tafsmooth --mean 3 in.taf | tafprobe -k type -)" flt32
	done
	for t in int32 uint32 int64 uint64 flt64; do
		mktaf in.taf $t 9,3
		equal "$(tafsmooth --mean 3 in.taf | tafprobe -k type -)" flt64
	done
	mktaf in.taf int16 5
	perl -e 'open F, "+<", "in.taf"; seek F, 1032, 0; print F pack "d<2", 100, -2'
	# 3 10 17 24 31 are stored
	equal "$(smoothed --mean 3)" "89.333336 80 66 52 42.666668"
	equal "$(tafsmooth --mean 3 in.taf | tafprobe -k slope -)" inf
}

@test "complex elements: each part by itself, but no median" {
	tafmath -n 5 'complex(3*i1^2, 21 - 3*i1)' -o c.taf
	tafsmooth --mean 3 --edge zero c.taf >out
	equal "$(tafmath 'real(a)' out | tafread | xargs)" "5 14 29 50 41"
	equal "$(tafmath 'imag(a)' out | tafread | xargs)" "11 15 12 9 5"
	parts_apart tafsmooth -d D --triangle 5 --edge shrink
	parts_apart tafsmooth -d D --polynomial 2,7
	refuse 3 tafsmooth --median 3 c.taf
	equal "$(<err)" "tafsmooth: c.taf: complex elements have no order"
}

@test "along each dimension, all arrays, several operands" {
	mktaf in.taf flt32 7,5,3
	for d in 1 2 3; do
		order=$(perl -e '@d = grep { $_ != $ARGV[0] } 1 .. 3; print join ",", $ARGV[0], @d' $d)
		back=$(perl -e '@d = (2, 1, 3); print $ARGV[0] == 1 ? "1,2,3" : $ARGV[0] == 2 ? "2,1,3" : "2,3,1"' $d)
		for way in '--mean 3' '--median 5' '--gauss 1.2'; do
			# shellcheck disable=SC2086 # way
			tafsmooth -d $d $way in.taf | tafread >got
			# shellcheck disable=SC2086
			tafpermute -d "$order" in.taf | tafsmooth $way | tafpermute -d "$back" | tafread >want
			same want got
		done
	done
	tafsmooth --mean 3 in.taf in.taf >two
	equal "$(tafcrop -N 2 two | tafread | cksum)" "$(tafsmooth --mean 3 in.taf | tafread | cksum)"
}

@test "along several dimensions it is as one command for each" {
	local how dims k
	mktaf a.taf int16 13,11,7
	tafmath -n 9,1,8 'complex(randn(3), i1*i3)' -o c.rsf
	while read -r file dims how; do
		cp "$file" want
		for k in ${dims//,/ }; do
			# shellcheck disable=SC2086 # words
			tafsmooth $how -d "$k" want -o next.rsf
			mv next.rsf want
		done
		for m in 64k 256M; do
			# shellcheck disable=SC2086
			tafsmooth $how -d "$dims" -m $m "$file" -o got.rsf
			tafcompare --header want got.rsf
		done
		# shellcheck disable=SC2086
		tafsmooth $how -d "$dims" -J 1 <"$file" | tafcompare --header want -
	done <<-'END'
		a.taf 1,2 --mean 3
		a.taf 3,2,1 --gauss 1.5
		a.taf 2,3 --median 5
		c.rsf 1,3 --polynomial 2,5
		c.rsf 3,2 --triangle 3
	END
	# each value is far from that of one dimension alone
	tafsmooth --mean 3 -d 1 a.taf -o one.rsf
	tafsmooth --mean 3 -d 1,2 a.taf -o both.rsf
	status 1 tafcompare --absolute 0.1 one.rsf both.rsf
	refuse 2 tafsmooth --mean 3 -d 1,1 a.taf
	refuse 3 tafsmooth --mean 3 -d 1,4 a.taf -o out.taf
	refuse 3 tafsmooth --polynomial 4,5ns -d 1,2 a.taf -o out.taf
	[ ! -e out.taf ]
}

@test "a pipe is spooled whose planes of lines are larger than the memory" {
	perl -e 'print pack "f<*", map { $_ * 7919 % 10007 / 16 } 1 .. 300000' >in.raw
	tafcreate -n 100,1500,2 in.raw -o in.rsf
	for how in 'smooth --mean 31' 'smooth --median 5' differentiate 'integrate --rule simpson' 'filter --high 0.1 --causal' \
		'regrid --factor 2=0.7 --method cubic'; do
		along=()
		[[ $how = regrid* ]] || along=(-d 2)
		# shellcheck disable=SC2086 # words
		taf$how "${along[@]}" in.rsf | taf2raw >want
		# shellcheck disable=SC2086 # words
		(TMPDIR=$PWD/missing && export TMPDIR && cat in.rsf | taf$how "${along[@]}" -m 1M -J 2) | taf2raw >got
		same want got
	done
}

@test "lines longer than the memory, in any windows" {
	perl -e 'print pack "f<*", map { $_ * 7919 % 10007 / 16 } 1 .. 300000' >in.raw
	for shape in 300000 2,150000; do
		tafcreate -n $shape in.raw -o in.taf
		d=1
		[ $shape = 300000 ] || d=2
		for way in '--mean 31' '--triangle 7' '--median 5' '--median 201' '--gauss 2 --edge shrink' '--mean 20001'; do
			# shellcheck disable=SC2086 # way
			tafsmooth -d $d $way in.taf -o want.taf
			for how in '-m 5M -J 3' '-m 9M -J 1'; do
				# shellcheck disable=SC2086 # words
				cat in.taf | tafsmooth -d $d $how $way -o got.taf
				same want.taf got.taf
			done
		done
		tafsmooth -d $d --mean 31 in.taf -o want.taf
		tafsmooth -d $d --mean 31 -m 256k in.taf -o got.taf
		same want.taf got.taf
	done
	refuse 3 tafsmooth -d 2 --mean 100001 -m 1M in.taf
}

@test "a width on the grid" {
	perl -e 'print pack "d<*", map { $_ * 7 % 31 } 1 .. 30' >in.raw
	tafcreate -n 30 -t flt64 in.raw | tafadjust --step 1=-2e-9 -o in.taf
	tafread in.taf >x
	for w in 8e-9@:5 9.9e-9@:5 1.01e-8@:7 1e-10@:1; do
		equal "$(smoothed --mean "${w%:*}")" "$(smoothed --mean "${w#*:}")"
	done
	equal "$(smoothed --gauss 4e-9@)" "$(smoothed --gauss 2)"
	equal "$(smoothed --polynomial 2,8e-9@)" "$(smoothed --polynomial 2,5)"
	refuse 3 tafsmooth --polynomial 2,1e-9@ in.taf
	printf 'n1=4 d1=0 data_format="native_float" in="stdin"\n\n\f\f\0041234123412341234' >still.rsf
	refuse 3 tafsmooth --mean 1@ still.rsf
}

@test "a wrong invocation" {
	mktaf a.taf flt32 9,2
	refuse 2 tafsmooth a.taf
	refuse 2 tafsmooth --mean 3 --median 3 a.taf
	for n in 2 0 -1 3.5 x 1e300 '' @ -1@ nan; do refuse 2 tafsmooth --mean "$n" a.taf; done
	refuse 2 tafsmooth --gauss 0 a.taf
	refuse 2 tafsmooth --polynomial 3 a.taf
	refuse 2 tafsmooth --polynomial 3,3 a.taf
	refuse 2 tafsmooth --polynomial 21,31 a.taf
	refuse 2 tafsmooth --polynomial 2,5 --edge shrink a.taf
	refuse 2 tafsmooth --mean 3 --edge mirror a.taf
	refuse 3 tafsmooth --mean 3 -d 3 a.taf
	refuse 4 tafsmooth --kernel missing a.taf
	mktaf k.taf flt32 4
	refuse 2 tafsmooth --kernel k.taf a.taf
	mktaf k.taf flt32 3,3
	refuse 3 tafsmooth --kernel k.taf a.taf
}

@test "a width on the grid is the odd number of points that reach over it most nearly" {
	tafmath -n 15 -a 1=0:0.25 -t flt64 'i1 == 8' -o a.taf
	for pair in 0.4@=3 0.5@=3 0.75@=5 1@=5 1.25@=7 1.5@=7; do
		equal "$pair $(tafsmooth --mean "${pair%=*}" a.taf | tafread | grep -vc '^0$')" "$pair ${pair#*=}"
	done
}

@test "a triangle is two passes of the mean, at the ends, too" {
	mktaf a.taf flt64 9,4
	for edge in reflect shrink zero nan; do
		tafsmooth --triangle 5 --edge $edge a.taf -o got.taf
		tafsmooth --mean 5 --edge $edge a.taf | tafsmooth --mean 5 --edge $edge -o want.taf
		tafcompare --relative 1e-14 got.taf want.taf
	done
}

@test "-v says what is taken: elements at once, threads, memory, a temporary file" {
	mktaf a.taf flt32 40,5000
	tafsmooth -v -J 1 --mean 3 a.taf 2>err | cat >b.rsf
	grep -Eqx 'tafsmooth: tiles of [0-9]+ elements, threads: 1, memory of each: [0-9]+ bytes' err
	[ "$(grep -c 'temporary file' err)" = 0 ]
	tafsmooth -v -J 1 -m 64k -d 2 --mean 3 a.taf 2>err | cat >c.rsf
	# what a thread takes is within the bound
	[ "$(sed -n 's/.*memory of each: \([0-9]*\) bytes/\1/p' err | sort -n | tail -n 1)" -le 65536 ]
	tafsort -v -m 64k -d 2 a.taf 2>err | cat >d.rsf
	grep -qx 'tafsort: a temporary file of 800000 bytes' err
}
