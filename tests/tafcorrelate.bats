# SPDX-License-Identifier: ISC
# What is run while each call of it fails in turn (faults.bats).
# in turn: - -q in.taf in.taf -o out.taf
# in turn: in.taf -q --normalize --max-lag 2 - in.taf -o out.rsf

load helper

# line NAME START:STEP TYPE NUMBER...: an array of these numbers
line() {
	local name=$1 axis=$2 type=$3
	shift 3
	perl -e 'print pack "d<*", @ARGV' -- "$@" |
	    tafcreate -n $# -a "1=$axis" -e flt64 -t flt64 | tafcast -t "$type" -o "$name"
}

# holds WANT... - ARGUMENTS...: what tafcorrelate makes of them
holds() {
	local want=()

	while [ "$1" != - ]; do
		want+=("$1")
		shift
	done
	shift
	tafcorrelate "$@" | tafread >got
	printf '%s\n' "${want[@]}" | paste - got | perl -ane '
		abs($F[0] - $F[1]) <= 1e-11 or die "line $.: $F[1] is not $F[0]\n";
		$n++; END { $n or die "nothing" }'
}

# grid FILE: its first line
grid() {
	tafprobe "$1" | sed -n 's/^dimension 1 *//p'
}

@test "values of scipy.signal.correlate" {
	line a.taf 0:1 flt64 1 2 4 7 3
	line b.taf 0:1 flt64 2 -1 0.5
	holds 0.5 0 2 3.5 2.5 11 6 - a.taf b.taf
	holds 6 11 2.5 3.5 2 0 0.5 - b.taf a.taf
	holds 0.024551430807 0 0.098205723228 0.171860015649 0.122757154035 0.540131477754 \
	    0.294617169684 - --normalize a.taf b.taf
	# complex: the second is conjugated
	line r.taf 0:1 flt64 1 -3 0 2
	line i.taf 0:1 flt64 2 0 0.5 -1
	tafmath 'complex(a, b)' r.taf i.taf -o c.taf
	line r.taf 0:1 flt64 2 0 3
	line i.taf 0:1 flt64 -1 1 0
	tafmath 'complex(a, b)' r.taf i.taf -o d.taf
	# parts A B WANT...
	parts() {
		tafcorrelate "$1" "$2" -o z.taf
		[ "$(tafprobe -k type z.taf)" = complex128 ]
		tafmath 'real(a)' z.taf | tafread >got
		tafmath 'imag(a)' z.taf | tafread >>got
		shift 2
		printf '%s\n' "$@" | paste - got | perl -ane '
			abs($F[0] - $F[1]) <= 1e-14 or die "line $.: $F[1] is not $F[0]\n"'
	}
	parts c.taf d.taf 3 -7 0 0.5 -1.5 5 6 -1 9.5 -6 -1 0
	parts c.taf b.taf 0.5 -2.5 5 -5 -2 4 1 -2 4.25 -1 2 -2
	parts a.taf d.taf 3 6 14 25 17 14 6 0 -1 -1 -2 -3 4 3
}

@test "complex lines are the sums of their parts: few lags and many, short and long" {
	local a b how k
	for k in "7 5" "3000 900" "3000 900 --max-lag 3" "70000 66000 --max-lag 11" "100000 17" "17 100000"; do
		read -r a b how <<<"$k"
		for k in 1 2; do tafmath -n "$a" -t int16 "round(1000*randn($k))" -o a$k.taf; done
		for k in 1 2; do tafmath -n "$b" -t int16 "round(1000*randn($k+2))" -o b$k.taf; done
		for k in a b; do tafmath 'complex(a, b)' ${k}1.taf ${k}2.taf -t complex128 -o $k.taf; done
		for k in a1 a2 b1 b2; do tafcast -t flt64 $k.taf -o $k.taf; done
		for k in a1.b1 a1.b2 a2.b1 a2.b2; do
			# shellcheck disable=SC2086 # words
			tafcorrelate $how "${k%.*}.taf" "${k#*.}.taf" -o "$k.taf"
		done
		# shellcheck disable=SC2086 # words
		tafcorrelate $how a.taf b.taf -o got.taf
		tafmath 'complex(a + d, c - b)' a1.b1.taf a1.b2.taf a2.b1.taf a2.b2.taf | tafcompare got.taf -
		# shellcheck disable=SC2086 # words
		tafcorrelate $how a.taf b1.taf -o got.taf
		tafmath 'complex(a, b)' a1.b1.taf a2.b1.taf | tafcompare got.taf -
		# shellcheck disable=SC2086 # words
		tafcorrelate $how a1.taf b.taf -o got.taf
		tafmath 'complex(a, -b)' a1.b1.taf a1.b2.taf | tafcompare got.taf -
	done
	# the norm of a line is that of both parts
	tafcrop -x 1=1:900 a.taf -o a.taf -q
	tafcrop -x 1=1:900 b.taf -o b.taf -q
	tafcorrelate a.taf b.taf -o z.taf
	tafreduce sum <(tafmath 'real(a)^2 + imag(a)^2' a.taf) -o aa.taf
	tafreduce sum <(tafmath 'real(a)^2 + imag(a)^2' b.taf) -o bb.taf
	tafmath -q 'a/sqrt(b*c)' z.taf aa.taf bb.taf -o want.taf
	tafcorrelate --normalize a.taf b.taf | tafcompare --absolute 1e-14 want.taf -
	tafmath 'real(a) > 0 ? complex(nan, 0) : a' a.taf | tafcorrelate --normalize - b.taf | tafmath 'isnan(a)' |
	    tafreduce all | tafread | grep -qx 1
}

@test "sums of whole numbers, as perl adds them" {
	perl -e 'srand 5; print pack "s<*", map { int(rand 60000) - 30000 } 1 .. 300' >a.raw
	perl -e 'srand 6; print pack "c*", map { int(rand 250) - 125 } 1 .. 170' >b.raw
	tafcreate -n 300 -t int16 a.raw -o a.taf
	tafcreate -n 170 -t int8 b.raw -o b.taf
	perl -e '
		sub get { open my $f, "<:raw", $_[0] or die; local $/; unpack $_[1], <$f> }
		my @a = get("a.raw", "s<*");
		my @b = get("b.raw", "c*");
		for my $lag (-$#b .. $#a) {
			my $z = 0;
			for my $i (0 .. $#b) {
				my $k = $i + $lag;
				$z += $a[$k] * $b[$i] if $k >= 0 && $k <= $#a;
			}
			print "$z\n";
		}' >want
	for t in int32 flt64; do
		tafcast -t $t a.taf | tafcorrelate - b.taf | tafread >got
		cmp want got
	done
	tafcorrelate a.taf b.taf -o c.taf
	[ "$(tafprobe -k type c.taf)" = flt32 ]
	tafcast -t flt64 a.taf | tafcorrelate - b.taf | tafcast -q -t flt32 |
	    tafcompare - c.taf
	# few lags of long lines are the same sums; so are those of pieces
	tafmath -n 200000 -t int16 '(i1*7919)%2003-1000' -o a.taf
	tafmath -n 150000 -t int16 '(i1*104729)%3001-1500' -o b.taf
	tafcorrelate a.taf b.taf -o all.taf
	tafcorrelate --max-lag 900 a.taf b.taf -o few.taf
	[ "$(grid few.taf)" = "1801 from -900 step 1" ]
	tafcrop -g 1=-900:900 all.taf | tafcompare - few.taf
	tafcrop -x 1=1:300 b.taf -o short.taf
	tafcorrelate a.taf short.taf -o blocks.taf
	for lag in -299 -5 0 31000 199999; do
		perl -e '
			my $z = 0;
			for my $i (1 .. 300) {
				my $k = $i + $ARGV[0];
				next if $k < 1 || $k > 200000;
				$z += (($k * 7919) % 2003 - 1000) * (($i * 104729) % 3001 - 1500);
			}
			print unpack("f", pack("f", $z)), "\n"' -- $lag >want
		tafread -g "1=$lag:$lag" blocks.taf | cmp want -
	done
}

@test "lags are a grid: 0 is on it, and the late one has positive lags" {
	tafmath -n 400 -a 1=5:0.1 -t flt64 'exp(-((x1-20)/0.7)^2)' |
	    tafput unit@1=us label@1=Time unit=V -o b.taf
	tafmath -n 300 -a 1=9.3:0.1 -t flt64 'exp(-((x1-23.5)/0.7)^2)' |
	    tafput unit@1=us unit=mA -o a.taf
	tafcorrelate a.taf b.taf -o c.taf
	[ "$(tafprobe -k n1 c.taf) $(tafprobe -k d1 c.taf)" = "699 0.1" ]
	[ "$(tafprobe -k unit1 c.taf) $(tafprobe -k unit c.taf)" = "us mA V" ]
	tafcorrelate b.taf a.taf | tafprobe -k label1 - | grep -qx lag
	tafpeaks c.taf | tafcrop -x 1=1 | tafmath 'abs(a-3.5)<1e-9' | tafread | grep -qx 1
	tafread -c c.taf | cut -d' ' -f1 | grep -qx 0
	tafcorrelate --normalize a.taf b.taf >n.rsf
	run grep -a '^.unit="' n.rsf
	[ -z "$output" ]
	tafmath -n 9 -a 1=1464.4:0.7 x1 -o c.taf
	tafmath -n 9 -a 1=1460.2:0.7 x1 | tafcorrelate c.taf - -o z.taf
	tafread -c z.taf | cut -d' ' -f1 | grep -qx 0
	# starts that are no whole steps apart
	tafadjust --start 1=9.325 a.taf | tafcorrelate - b.taf -o c.taf
	tafread -c c.taf | perl -ane '$n++ if abs($F[0] - 0.025) < 1e-9; END { exit !($n == 1) }'
	# a negative step: time runs the other way
	tafreverse -d 1 a.taf -o ra.taf
	tafreverse -d 1 b.taf | tafcorrelate ra.taf - | tafpeaks | tafcrop -x 1=1 |
	    tafmath 'abs(a-3.5)<1e-9' | tafread | grep -qx 1
}

@test "--max-lag cuts the lags" {
	line a.taf 10:0.5 flt64 1 2 4 7 3 9 4 1
	line b.taf 11:0.5 flt64 2 -1 0.5 3
	tafcorrelate a.taf b.taf -o all.taf
	[ "$(grid all.taf)" = "11 from -2.5 step 0.5" ]
	for t in 0 0.4 0.5 1.2 2.5 7; do
		tafcorrelate --max-lag $t a.taf b.taf -o some.taf
		tafcrop -g 1=-$t:$t all.taf | tafcompare --absolute 1e-13 --header - some.taf
	done
	# those at either end, of which others are left out
	tafmath -n 100 -t flt64 'randn(1)' -o long.taf
	tafmath -n 30 -t flt64 'randn(2)' -o short.taf
	for by in -90 25; do
		tafadjust --shift 1=$by long.taf -o late.taf
		tafcorrelate late.taf short.taf | tafcrop -g 1=-9:9 -o some.taf
		tafcorrelate --max-lag 9 late.taf short.taf | tafcompare --absolute 1e-13 some.taf -
	done
	tafadjust --start 1=20 a.taf -o a.taf -q
	run -3 --separate-stderr tafcorrelate --max-lag 3 a.taf b.taf
	[[ "$stderr" = *"dimension 1: no lag within 3: they go from 7.5 to 12.5" ]]
	for t in -1 nan x ''; do
		run -2 tafcorrelate --max-lag "$t" a.taf b.taf
	done
}

@test "a signal with itself: the largest is at 0, and symmetric" {
	tafmath -n 997 -t flt64 'randn(3)' -o a.taf
	tafcorrelate --normalize a.taf a.taf -o c.taf
	tafreduce argmax,max c.taf | tafread >got
	perl -ne 'push @v, $_; END { exit !($v[0] == 0 && abs($v[1] - 1) < 1e-14) }' got
	tafreverse --keep-grid -d 1 c.taf | tafcompare --absolute 1e-14 c.taf -
	# of whole numbers it is 1 exactly
	tafmath -n 997 -t int16 'i1*i1%1000-500' -o i.taf
	[ "$(tafcorrelate --normalize i.taf i.taf | tafread -g 1=0:0)" = 1 ]
	# of any size
	for by in 1e170 1e-170; do
		tafmath "a*$by" a.taf -o b.taf
		tafcorrelate --normalize b.taf b.taf | tafcompare --absolute 1e-13 - c.taf
	done
}

@test "lines with lines, or with one; dimensions, memory, threads, pipes" {
	tafmath -n 40,30,3 -t flt64 'randn(1)' -o a.taf
	for d in 1 2 3; do
		tafmath -n 40,30,3 -t int8 'round(9*randn(2))' | tafcrop -x $d=1:2 -o b.taf
		tafcorrelate -d $d a.taf b.taf -o want.taf
		for how in "-m 200k -J 1" "-m 1M -J 3"; do
			# shellcheck disable=SC2002,SC2086 # a pipe; options
			cat b.taf | tafcorrelate -d $d $how a.taf - -o got.taf
			cmp want.taf got.taf
			# shellcheck disable=SC2002,SC2086 # a pipe; options
			cat a.taf | tafcorrelate -d $d $how - b.taf -o got.taf
			cmp want.taf got.taf
		done
		# one line of each, alone
		local one=(-x "1=7" -x "2=5" -x "3=2")
		unset "one[2 * d - 1]" "one[2 * d - 2]"
		tafcrop "${one[@]}" b.taf -o one.taf
		tafcrop "${one[@]}" a.taf | tafcorrelate -d $d - one.taf -o alone.taf
		tafcrop "${one[@]}" want.taf | tafcompare - alone.taf
		tafcorrelate -d $d a.taf one.taf | tafcrop "${one[@]}" | tafcompare - alone.taf
		# whichever dimension it lies along
		tafreshape --flatten one.taf | tafadjust --start 1=1 --step 1=1 -o flat.taf
		tafcorrelate -d $d a.taf flat.taf | tafcrop "${one[@]}" | tafcompare - alone.taf
	done
}

@test "long lines: the bytes do not depend on memory, threads and input" {
	tafmath -n 135000,3 -t flt64 'randn(1)' -o a.taf
	tafmath -n 900 -t flt64 'randn(2)' -o b.taf
	tafmath -n 132000,3 -t flt32 'randn(3)' -o c.taf
	for b in "b.taf" "c.taf --max-lag 40"; do
		# shellcheck disable=SC2086 # operand and options
		tafcorrelate --normalize a.taf $b -o want.taf
		for how in "-m 3M -J 1" "-m 24M -J 3"; do
			# shellcheck disable=SC2002,SC2086 # a pipe; options
			cat a.taf | tafcorrelate --normalize $how - $b -o got.taf
			cmp want.taf got.taf
		done
	done
	tafcorrelate a.taf b.taf -o z.taf
	for x in a b; do tafmath 'a*a' $x.taf | tafreduce sum -d 1 -o $x$x.taf; done
	tafcorrelate --normalize a.taf b.taf -o want.taf
	tafmath -q 'a/sqrt(b*c)' z.taf aa.taf bb.taf | tafcompare --absolute 1e-12 want.taf -
	# along another dimension
	taftranspose a.taf -o ta.taf
	tafcorrelate a.taf b.taf | taftranspose -o want.taf
	tafcorrelate -d 2 ta.taf b.taf | tafcompare want.taf -
	tafcorrelate --normalize a.taf b.taf | taftranspose -o want.taf
	tafcorrelate --normalize -d 2 ta.taf b.taf | tafcompare want.taf -
	# a norm is that of all points, also where few are read with a window
	tafmath -n 64,20000 -t int16 '(i1*7919+i2*i2*31)%2003-1000' -o w.taf
	tafmath -n 3 -t int16 i1 | tafcorrelate -d 2 --max-lag 5 --normalize w.taf - -o want.taf
	tafmath -n 3 -t int16 i1 |
	    tafcorrelate -d 2 --max-lag 5 --normalize -m 1M -J 1 w.taf - -o got.taf
	cmp want.taf got.taf
	# a short one with a long one is the same the other way round
	tafcrop -x 2=1 a.taf -o one.taf
	tafcorrelate b.taf one.taf | tafreverse --keep-grid -d 1 -o back.taf
	tafcorrelate one.taf b.taf | tafcompare --absolute 1e-9 - back.taf
	run -3 --separate-stderr tafcorrelate -m 1M a.taf c.taf
	[[ "$stderr" = *"lines of 135000 and 132000 points, with 266999 lags, need more memory"* ]]
}

@test "a number that is not finite is in those results alone that it takes part in" {
	for long in 10 100000; do
		tafmath -n $long -t flt64 'where(i1 == 5, nan, i1 % 17)' -o a.taf
		tafmath -n 3 -t flt64 '1' -o b.taf
		tafcorrelate a.taf b.taf | tafread -c | awk '$2 == "nan" { printf "%s ", $1 }' >got
		[ "$(cat got)" = "2 3 4 " ]
		tafmath -n 3 -t flt64 'where(i1 == 3, inf, i1)' -o b.taf
		tafmath -n $long -t flt64 'i1 % 17' -o a.taf
		[ "$(tafcorrelate a.taf b.taf | tafreduce nan | tafread)" = $long ]
		tafcorrelate a.taf b.taf | tafread -c | awk '$2 != "nan" { print $1 }' >got
		seq $((long - 2)) $((long - 1)) | cmp - got
		[ "$(tafcorrelate --normalize a.taf b.taf | tafreduce nan | tafread)" = $((long + 2)) ]
	done
	tafmath -n 100000 -t flt64 'where(i1 == 50, nan, 1)' -o a.taf
	tafmath -n 90000 -t flt64 '1' -o b.taf
	# lag + i is 49, from 0, for i from 0 to 89999
	tafcorrelate --max-lag 60 a.taf b.taf | tafread -c | awk '$2 == "nan" { print $1 }' >got
	seq -60 49 | cmp - got
	[ "$(tafmath -n 4 0 | tafcorrelate --normalize - b.taf --max-lag 0 | tafread)" = nan ]
}

@test "types, mappings, arrays of streams" {
	line i.taf 0:1 int16 1 -2 3
	for t in int8 uint16 int32 uint64 flt32 flt64; do
		line b.taf 0:1 $t 1 2
		holds 2 -3 4 3 - i.taf b.taf
		case $t in
		int32 | uint64 | flt64) type=flt64 ;;
		*) type=flt32 ;;
		esac
		[ "$(tafcorrelate i.taf b.taf | tafprobe -k type)" = $type ]
		[ "$(tafcorrelate b.taf i.taf | tafprobe -k type)" = $type ]
	done
	tafmath 'a/3' i.taf | tafcast -q --scale -t int16 -o m.taf
	[ "$(tafcorrelate m.taf i.taf | tafprobe -k type)" = flt32 ]
	tafcorrelate m.taf i.taf -o got.taf
	tafcast -q -t flt64 m.taf | tafcorrelate - i.taf | tafcast -q -t flt32 |
	    tafcompare - got.taf
	tafcat i.taf b.taf i.taf >many.rsf
	tafcorrelate many.rsf b.taf >three.rsf
	[ "$(tafread -N 2 three.rsf | tr '\n' ' ')" = "2 5 2 " ]
	[ "$(tafcorrelate -N 3 many.rsf many.rsf | tafread | tr '\n' ' ')" = "3 -8 14 -8 3 " ]
	tafcat i.taf b.taf >two.rsf
	run -3 --separate-stderr tafcorrelate many.rsf two.rsf
	[[ "$stderr" = *"3 arrays, but two.rsf has 2" ]]
	run -3 tafcorrelate <(tafmath -n 2 -t flt32 1e30) <(tafmath -n 2 -t flt32 1e30)
}

@test "what cannot be done" {
	line a.taf 0:1 flt64 1 2 3 4
	line b.taf 0:0.5 flt64 1 2
	run -3 --separate-stderr tafcorrelate a.taf b.taf
	[[ "$stderr" = *"dimension 1: steps of 1 and 0.5" ]]
	# over 4 points the ends come apart
	tafadjust --step 1=1.00000001 a.taf | tafcorrelate a.taf - >/dev/null
	tafadjust --step 1=1.000001 a.taf -o c.taf
	run -3 tafcorrelate a.taf c.taf
	tafcrop -x 1=1 b.taf | tafcorrelate a.taf - | tafprobe -k d1 | grep -qx 1
	tafput unit@1=s a.taf -o s.taf
	tafput unit@1=ms a.taf -o ms.taf
	run -3 --separate-stderr tafcorrelate s.taf ms.taf
	[[ "$stderr" = *"dimension 1: units s and ms" ]]
	tafmath -n 4,3 -t flt64 i1 -o g.taf
	run -3 --separate-stderr tafcorrelate g.taf <(tafcrop -x 2=1:2 g.taf)
	[[ "$stderr" = *"dimension 2: lengths 3 and 2, and the second has more than one line" ]]
	run -3 tafcorrelate -d 2 a.taf a.taf
	tafcorrelate a.taf a.taf >/dev/null
	tafcat a.taf | sed 's/^.d1=.*/d1=0/' >z.rsf
	run -3 --separate-stderr tafcorrelate z.rsf z.rsf
	[[ "$stderr" = *"give lags no grid" ]]
	run -2 --separate-stderr tafcorrelate a.taf
	[[ "${stderr_lines[0]}" = "tafcorrelate: 1 operand, not two" ]]
	run -2 tafcorrelate a.taf a.taf a.taf
	run -2 tafcorrelate - - <a.taf
	run -2 tafcorrelate -d 0 a.taf a.taf
	# grids of the other dimensions
	run -0 --separate-stderr tafcorrelate g.taf <(tafadjust --shift 2=1 g.taf) -o out.taf
	[[ "$stderr" = *"dimension 2: its grid is not that of the result" ]]
	tafcorrelate -q g.taf <(tafadjust --shift 2=1 g.taf) -o out.taf
}
