# SPDX-License-Identifier: ISC
load helper

# line NUMBER...: flt64 in in.taf, steps of 0.5 us
line() {
	perl -e 'print pack "d<*", @ARGV' -- "$@" >in.raw
	tafcreate -n $# -a 1=3:0.5 -t flt64 in.raw | tafput unit@1=us unit=V -o in.taf
}

# holds WANT... - OPTION...: what tafhilbert makes of in.taf
holds() {
	local want=()

	while [ "$1" != - ]; do
		want+=("$1")
		shift
	done
	shift
	tafhilbert "$@" in.taf | tafread >got
	printf '%s\n' "${want[@]}" | paste - got | perl -ane '
		abs($F[0] - $F[1]) <= 1e-9 or die "line $.: $F[1] is not $F[0]\n";
		$n++; END { $n or die "nothing" }'
}

@test "values of scipy.signal.hilbert" {
	line 1 2 4 7 3 -2 -5
	holds -4.68505678722 -1.94782358075 -3.52930901615 1.42553568833 5.19305216803 4.95268044325 -1.40907891549 - --quadrature
	holds -1.36050733401 -0.772182430598 -0.722964910449 0.200900735994 1.04693908098 1.95459295348 3.41628433676 - --phase --unwrap
	line 1 2 4 7 3 -2
	holds -2.30940107676 -1.73205080757 -2.88675134595 0.57735026919 5.19615242271 1.15470053838 - --quadrature
	tafhilbert in.taf -o out.taf
	[ "$(tafprobe -k type out.taf) $(tafprobe -k unit out.taf)" = "complex128 V" ]
	tafmath 'real(a)' out.taf -o real.taf
	tafcompare in.taf real.taf
	tafmath 'imag(a)' out.taf -o imag.taf
	tafhilbert --quadrature in.taf | tafcompare imag.taf -
	tafmath 'hypot(real(a), imag(a))' out.taf -o abs.taf
	tafhilbert --envelope in.taf | tafcompare abs.taf -
	tafmath 'atan2(imag(a), real(a))' out.taf -o arg.taf
	tafhilbert --phase in.taf | tafcompare --relative 1e-15 arg.taf -
}

@test "a wave has its amplitude, phase and frequency" {
	for n in 64 63; do
		tafmath -n $n -a 1=0:0.25 -t flt64 "3*cos(2*pi*5*x1/($n*0.25)+1)" |
		    tafput unit@1=ns -o in.taf
		tafhilbert --envelope in.taf | tafmath 'abs(a-3)<1e-12' | tafreduce all | tafread | grep -qx 1
		tafhilbert --frequency in.taf -o f.taf
		tafmath "abs(a-5/($n*0.25))<1e-12" f.taf | tafreduce all | tafread | grep -qx 1
		[ "$(tafprobe -k unit f.taf)" = GHz ]
		tafhilbert --phase --unwrap in.taf | tafmath "abs(a-1-2*pi*5*x1/($n*0.25))<1e-12" |
		    tafreduce all | tafread | grep -qx 1
		tafhilbert --phase in.taf | tafprobe -k unit | grep -qx rad
	done
}

@test "lengths with a large prime factor" {
	for n in 67 134 201; do
		tafmath -n $n -t flt64 '10 + rand(1)' -o in.taf
		# frequency by frequency, as the definition has it
		tafread in.taf | perl -e 'chomp(my @x = <>); my ($n, $w) = (scalar @x, 8 * atan2(1, 1) / @x);
			for my $k (1 .. ($n - 1) / 2) { my ($c, $s) = (0, 0);
				for (0 .. $n - 1) { $c += $x[$_] * cos($w * $k * $_); $s += $x[$_] * sin($w * $k * $_) }
				$y[$_] += 2 / $n * ($c * sin($w * $k * $_) - $s * cos($w * $k * $_)) for 0 .. $n - 1 }
			print "$_\n" for @y' >want
		tafhilbert --quadrature in.taf | tafread | paste want - |
			awk '{ d = $1 - $2; if (d * d > 1e-24) exit 1 } END { exit NR != '$n' }'
	done
	# the same bits where what they are convolved with lies in a file
	tafmath -n 20011,2 -t flt64 'rand(1)' -o in.taf
	tafhilbert in.taf -o want.taf
	tafhilbert -m 64k -J 3 in.taf | tafcompare want.taf -
}

@test "any dimension, memory and threads, types" {
	tafmath -n 30,40,3 -t int16 'floor(1000*sin(i1*i2+i3))' -o in.taf
	for d in 1 2 3; do
		tafhilbert -d $d --envelope in.taf -o want.taf
		for how in "-m 64k -J 1" "-m 1M -J 3"; do
			# shellcheck disable=SC2002,SC2086 # a pipe; options
			cat in.taf | tafhilbert -d $d --envelope $how -o got.taf
			cmp want.taf got.taf
		done
	done
	tafcrop -x 1=7 -x 3=2 --squeeze in.taf | tafreshape -n 40 | tafhilbert --envelope -o one.taf
	tafhilbert -d 2 --envelope in.taf | tafcrop -x 1=7 -x 3=2 --squeeze | tafreshape -n 40 -o part.taf
	tafcompare one.taf part.taf
	[ "$(tafprobe -k type want.taf) $(tafhilbert in.taf | tafprobe -k type)" = "flt32 complex" ]
}

@test "a line larger than the memory" {
	for n in 30000 20011; do
		tafmath -n $n -a 1=0:0.25 -t flt64 '1000*cos(i1*(0.4+i1/300000))+100*sin(i1*0.01)' -o in.taf
		# phases without jumps go to 15000
		for how in "" --quadrature --envelope --phase "--phase --unwrap" --frequency; do
			# shellcheck disable=SC2086 # words
			tafhilbert $how in.taf -o want.taf
			# shellcheck disable=SC2086 # words
			tafhilbert -m 64k $how in.taf -o got.taf
			tafcompare --header --absolute 1e-10 want.taf got.taf
		done
	done
	tafmath -n 30000,2 -t int16 'floor(1000*sin(i1*i1*0.001*i2))' -o in.taf
	tafhilbert in.taf -o want.taf
	# shellcheck disable=SC2002 # a pipe
	cat in.taf | tafhilbert -m 64k | cat >got.rsf
	tafcompare --absolute 1e-3 want.taf got.rsf
}

@test "lines larger than the memory along other dimensions" {
	tafmath -n 2,20011,3 -a 2=0:0.25 -t int16 'floor(1000*sin(i2*i2*0.001*i1+i3))' -o in.taf
	for how in "" "--phase --unwrap" --frequency; do
		# shellcheck disable=SC2086 # words
		tafhilbert -d 2 $how in.taf -o want.taf
		# shellcheck disable=SC2086,SC2002 # words, a pipe
		cat in.taf | tafhilbert -m 64k -d 2 $how -o got.taf
		tafcompare --header --relative 1e-6 --absolute 1e-3 want.taf got.taf
	done
}

@test "complex elements are analytic: what is made of them is that of the real line" {
	for n in 2 3 8193 30000; do
		tafmath -n $n -a 1=0:0.25 -t flt64 '1000*cos(i1*(0.4+i1/300000))+100*sin(i1*0.01)' |
		    tafput unit@1=us -o in.taf
		tafhilbert in.taf -o c.taf
		for how in --envelope --phase "--phase --unwrap" --frequency; do
			# shellcheck disable=SC2086 # words
			tafhilbert $how in.taf -o want.taf
			# shellcheck disable=SC2086 # words
			tafhilbert $how c.taf -o got.taf
			cmp want.taf got.taf
		done
	done
	# numpy: unwrap(angle(a)), and gradient(..., edge_order=2) of it, by 2 pi
	tafmath -n 6 -a 1=0:0.5 -t complex128 'i1*exp(I*i1*i1)' -o c.taf
	tafhilbert --envelope c.taf | tafmath 'abs(a-i1) < 1e-14' | tafreduce all | tafread | grep -qx 1
	# 1 4 9 16 25 36, of which neighbours differ by at most pi
	perl -e 'my $p = atan2(0, -1); my ($last, @v) = (0, map { $_ ** 2 } 1 .. 6);
		for (0 .. $#v) { my $by = $v[$_] - $last; $by -= 2 * $p * sprintf("%.0f", $by / 2 / $p);
			$last = $v[$_]; $sum += $by; print "$sum\n" }' >want
	tafhilbert --phase --unwrap c.taf | tafread | paste - want | awk '{ d = $1 - $2; if (d * d > 1e-26) exit 1 }'
	perl -e 'my $p = atan2(0, -1); my @v = map { 0 + $_ } <STDIN>; my $n = $#v;
		print(($_ == 0 ? -3 * $v[0] + 4 * $v[1] - $v[2] :
		    $_ == $n ? 3 * $v[$n] - 4 * $v[$n - 1] + $v[$n - 2] : $v[$_ + 1] - $v[$_ - 1]) / 2 / $p, "\n")
		for 0 .. $n' <want >slope
	tafhilbert --frequency c.taf | tafread | paste - slope | awk '{ d = $1 - $2; if (d * d > 1e-26) exit 1 }'
	# a frequency depends on its neighbours, a phase without jumps on all before it
	tafmath 'i1 == 3 ? nan : a' c.taf -o n.taf
	[ "$(tafhilbert --frequency n.taf | tafmath 'isnan(a)' | tafread | xargs)" = "1 1 1 1 0 0" ]
	[ "$(tafhilbert --phase --unwrap n.taf | tafmath 'isnan(a)' | tafread | xargs)" = "0 0 1 1 1 1" ]
	tafmath -n 2 -t complex128 'complex(i1 == 1 ? inf : 1, i1 == 1 ? 1 : -inf)' -o n.taf
	[ "$(tafhilbert --phase n.taf | tafread | xargs) $(tafhilbert --envelope n.taf | tafread | xargs)" = \
	    "nan nan inf inf" ]
	for t in complex complex128; do
		by=$([ $t = complex ] && echo 3e38 || echo 1.5e308)
		tafmath -n 2 -t $t "complex($by, $by)" | run -3 tafhilbert --envelope -o out.taf
		[ ! -e out.taf ]
	done
}

@test "analytic lines, any dimension, memory and threads, types" {
	tafmath -n 3,20011,2 -a 2=0:0.25 -t complex 'i1*exp(I*i2*i2*0.0001*(i3+i1))' -o in.taf
	for d in 1 2 3; do
		for how in --envelope "--phase --unwrap" --frequency; do
			# shellcheck disable=SC2086 # words
			tafhilbert -d $d $how in.taf -o want.taf
			[ "$(tafprobe -k type want.taf)" = flt32 ]
			for by in "-m 64k -J 1" "-m 1M -J 3"; do
				# shellcheck disable=SC2002,SC2086 # a pipe; options
				cat in.taf | tafhilbert -d $d $how $by -o got.taf
				cmp want.taf got.taf
			done
		done
	done
	tafcrop -x 1=2 -x 3=2 --squeeze in.taf | tafhilbert --frequency -o one.taf
	tafhilbert -d 2 --frequency in.taf | tafcrop -x 1=2 -x 3=2 --squeeze | tafcompare one.taf -
	# a line alone that no memory would hold
	tafmath -n 300000 -t complex128 'exp(I*i1*i1*1e-6)' -o in.taf
	tafhilbert --phase --unwrap in.taf -o want.taf
	tafhilbert --phase --unwrap -m 64k -J 3 in.taf | tafcompare want.taf -
	tafmath 'abs(a-i1*i1*1e-6) < 1e-9' want.taf | tafreduce all | tafread | grep -qx 1
}

@test "values near the end of flt64 have the same results with any memory" {
	tafmath -n 20001 -t flt64 '1e306*(2+cos(i1))' -o a.taf
	for how in --quadrature --envelope --phase --frequency; do
		tafhilbert "$how" a.taf >want
		tafhilbert "$how" -m 64k a.taf | cmp - want
	done
}

@test "what cannot be done" {
	line 1
	[ "$(tafhilbert --envelope in.taf | tafread)" = 1 ]
	run -3 --separate-stderr tafhilbert --frequency in.taf
	[[ "$stderr" = *"one point has no frequency" ]]
	for step in inf -inf nan 0; do
		tafmath -n 9 i1 | sed "1,/^\\tin=/s/^\\td1=.*/\\td1=$step/" >step.rsf
		run -3 --separate-stderr tafhilbert --frequency step.rsf
		[[ "$stderr" = *"has no frequencies" ]]
	done
	run -3 tafhilbert -d 2 in.taf
	tafhilbert in.taf -o c.taf
	for how in "" --quadrature; do
		# shellcheck disable=SC2086 # words
		run -3 --separate-stderr tafhilbert $how c.taf
		[[ "$stderr" = *"elements are complex128, so they are analytic: take --envelope, --phase or --frequency" ]]
	done
	run -2 tafhilbert --unwrap in.taf
	run -2 tafhilbert --phase --envelope in.taf
	line 1 2
	holds 0 0 - --frequency
}
