# SPDX-License-Identifier: ISC
# Tones and their uncertainty, by formulas and by simulation.

load helper

# tone NAME LENGTH START:STEP F K PHASE A: A cos(PHASE + 2 pi (F t + K t^2 / 2)) and 3
tone() {
	tafmath -n "$2" -a "1=$3" -t flt64 \
	    "3 + $7 * cos($6 + 2*pi*($4*x1 + $5*x1*x1/2))" -o "$1"
}

# rows FILE ROW: that row of the first tones, a line each
rows() {
	tafcrop -x "1=$2" -x 2=1 "$1" | tafread
}

# near TOLERANCE WANT: as FILES, a number a line, no farther apart
near() {
	paste "$2" - | perl -ane 'BEGIN { $t = shift @ARGV }
		abs($F[0] - $F[1]) <= $t or die "line $.: $F[1] is not $F[0]\n";
		$n++; END { $n or die "nothing" }' "$1"
}

@test "a tone without noise: frequency, slope, amplitude and phase in the middle" {
	# f = 12.5 + 3.2 t, a turn is less than 1e-9 off
	tone a.taf 1000 2.5:0.004 12.5 3.2 0.3 1.75
	taftone -q --points 120,75 a.taf -o out.taf
	[ "$(tafprobe -k shape out.taf)" = 9,1,12 ]
	tafcrop -x 1=1:3 --squeeze out.taf | tafread -c >/dev/null
	perl -e 'for (0 .. 11) { print 12.5 + 3.2 * (2.5 + .004 * (75 * $_ + 59.5)), "\n" }' >f
	perl -e 'use constant PI => atan2(0, -1);
		for (0 .. 11) { my $t = 2.5 + .004 * (75 * $_ + 59.5);
		my $p = .3 + 2 * PI * (12.5 * $t + 3.2 * $t * $t / 2);
		print atan2(sin $p, cos $p), "\n" }' >p
	rows out.taf 1 | near 1e-9 f
	rows out.taf 6 | near 1e-8 p
	yes 1.75 | head -n 12 >a
	rows out.taf 3 | near 1e-9 a
	yes 3.2 | head -n 12 >k
	rows out.taf 4 | near 1e-7 k
	# the same backwards: times count from the other end
	tafreverse -d 1 a.taf | taftone -q --points 120,75 -o back.taf
	tafprobe -k d3 back.taf | grep -qx -- -0.3
	perl -e 'for (0 .. 11) { print 12.5 + 3.2 * (6.496 - .004 * (75 * $_ + 59.5)), "\n" }' |
	    cat >fb
	rows back.taf 1 | near 1e-9 fb
	rows back.taf 4 | near 1e-7 k
	perl -e 'use constant PI => atan2(0, -1);
		for (0 .. 11) { my $t = 6.496 - .004 * (75 * $_ + 59.5);
		my $p = .3 + 2 * PI * (12.5 * $t + 3.2 * $t * $t / 2);
		print atan2(sin $p, cos $p), "\n" }' >pb
	rows back.taf 6 | near 1e-8 pb
}

@test "complex tones of either sign" {
	tafmath -n 900 -a 1=0:0.5 -t complex128 \
	    'complex(0.5, -2) + 0.25*exp(I*(1 + 2*pi*(-0.31*x1 + 0.0001*x1*x1/2)))' -o a.taf
	taftone -q --points 101,100 a.taf -o out.taf
	perl -e 'for (0 .. 7) { print -.31 + .0001 * .5 * (100 * $_ + 50), "\n" }' >f
	rows out.taf 1 | near 1e-9 f
	yes .25 | head -n 8 >a
	rows out.taf 3 | near 1e-9 a
	yes .0001 | head -n 8 >k
	rows out.taf 4 | near 1e-11 k
	tafreverse -d 1 a.taf | taftone -q --points 101,100 | rows - 4 | near 1e-11 k
	# a line that is known, of the other sign
	tafmath 'a + exp(2*pi*I*0.33*x1)' a.taf |
	    taftone -q --points 101,100 --known 0.33 -o out.taf
	rows out.taf 1 | near 1e-9 f
	taftone -q --points 101,100 --crop=-0.6:-0.05 a.taf | rows - 1 | near 1e-9 f
	# nothing is in this part
	taftone --points 101,100 --crop=0.1:0.7 --noise 1 a.taf 2>err | rows - 1 | uniq -c |
	    grep -qx ' *8 nan'
	[ "$(<err)" = "taftone: 8 of 8 blocks have no tone above noise" ]
}

@test "turned to the other sign a complex tone has the same sigmas" {
	local n row
	tafmath -n 2000 -t complex128 \
	    'exp(I*(1 + 2*pi*(0.21*i1))) + 0.05*complex(randn(1), randn(2))' -o a.taf
	tafmath 'conj(a)' a.taf -o b.taf
	for n in 64 65 200; do
		taftone --points $n a.taf -o up.taf
		taftone --points $n b.taf -o down.taf
		for row in 2 5; do
			tafcrop -x 1=$row up.taf -o x.taf
			tafcrop -x 1=$row down.taf | tafcompare --relative 1e-3 x.taf -
		done
	done
}

@test "sigma of a known density is that of the windows" {
	local w
	# s = 1e-3, D = 2 s^2 d = 1e-7 V^2/Hz, 160 points of 0.05 s; A = 2
	tone a.taf 160 1:0.05 3.21 0.002 0.4 2
	for w in boxcar hann hamming blackman; do
		taftone -q --points 160 --window $w --noise 1e-7 a.taf -o out.taf
		rows out.taf 2:5:3 >got
		rows out.taf 8 >>got
		perl -e 'use constant PI => atan2(0, -1);
			my ($w, $n, $d, $s, $a) = (shift, 160, .05, 1e-3, 2);
			my %c = (boxcar => [1, 0, 0], hann => [.5, .5, 0], hamming => [.54, .46, 0],
			    blackman => [.42, .5, .08]);
			my ($S, $S2, $U, $U2, $Y, $Y2);
			my @w = map { my $x = 2 * $_ / ($n - 1) - 1; my $c = $c{$w};
			    $c->[0] + $c->[1] * cos(PI * $x) + $c->[2] * cos(2 * PI * $x) } 0 .. $n - 1;
			my @u = map { ($_ - ($n - 1) / 2) * $d } 0 .. $n - 1;
			for (0 .. $n - 1) { $S += $w[$_]; $S2 += $w[$_] ** 2;
			    $U += $w[$_] * $u[$_] ** 2; $U2 += ($w[$_] * $u[$_]) ** 2 }
			for (0 .. $n - 1) { my $y = $u[$_] ** 2 - $U / $S;
			    $Y += $w[$_] * $u[$_] ** 2 * $y; $Y2 += ($w[$_] * $y) ** 2 }
			my $z = $a * $a * $S * $S / (4 * $s * $s * $S2);
			my $more = sqrt(1 + 3 / $z);
			printf "%.10g\n", $_ for $s / $a * sqrt(2 * $U2) / (2 * PI * $U) * $more,
			    $s / $a * sqrt(2 * $Y2) / (PI * $Y) * $more, $z' $w >want
		# weights with ends do not keep the tone from its mirror at -f, 51/T away
		paste want got | perl -ane '
			BEGIN { $most = shift(@ARGV) =~ m(boxcar|hamming) ? 2e-2 : 1e-3 }
			abs($F[1] / $F[0] - 1) < $most or die "$F[1] is not $F[0]\n"; $n++;
			END { $n == 3 or die $n }' $w
		rows out.taf 7 | grep -qx 1e-7
	done
}

# covered LENGTH SNR COUNT OPTION...: tones at random; how many are given, of these the share
# of errors below 1.96 sigma, rms over the median of sigma, and of all those off by 6 sigma
covered() {
	local n=$1 s count=$3
	s=$(perl -e 'print sqrt(.5 / 10 ** ($ARGV[0] / 10))' -- "$2")
	shift 3
	tafmath -n "1,$count" -t flt64 '0.05 + 0.4*rand(1)' -o f.taf
	tafmath -n "1,$count" -t flt64 '2*pi*rand(2)' -o p.taf
	tafmath -n "$n,1" -a 1=0:1 -t flt64 x1 -o t.taf
	tafmath "cos(2*pi*a*c + b) + $s*randn(3)" f.taf p.taf t.taf |
	    taftone -q --points "$n" "$@" | tafcrop -x 1=1:2 -o out.taf
	tafcrop -x 1=1 out.taf | tafread >got
	tafcrop -x 1=2 out.taf | tafread | paste got - <(tafread f.taf) | perl -ane '
		$n++; next if $F[0] eq "nan"; $k++;
		my ($e, $s) = ($F[0] - $F[2], $F[1]);
		$in += abs $e < 1.96 * $s; $off += abs $e > 6 * $s; $sum += $e * $e;
		push @s, $s;
		END { @s = sort { $a <=> $b } @s; $k or die "none";
		printf "%.4f %.4f %.4f %.4f\n", $k / $n, $in / $k, sqrt($sum / $k) / $s[$k / 2],
		    $off / $n }'
}

# Bounds are three deviations of the binomial around 95 %, and shares as in the table of the page
@test "a 95 % interval has the frequency in 95 of 100 blocks" {
	local row got
	while read -r row; do
		read -ra row <<<"$row"
		# shellcheck disable=SC2068 # words are meant
		got=$(covered ${row[@]:2})
		echo "# ${row[*]}: $got" >&2
		perl -e 'my ($least, $most, $share, $in, $rms, $off) = @ARGV;
			exit !($share >= $least && $share <= $most && $in > .94 && $in < .96 &&
			    $rms > .93 && $rms < 1.05 && $off <= .001)' "${row[@]:0:2}" $got
	done <<-'END'
		1 1	128 10 4000
		1 1	512 20 4000
		1 1	256 40 4000 --window boxcar
		1 1	300 10 4000 --window hamming
		1 1	200 10 4000 --window blackman
		.99 1	128 0 4000
	END
	read -ra row <<<"$(covered 128 -5 4000)"
	perl -e 'exit !($ARGV[0] > .30 && $ARGV[0] < .42 && $ARGV[1] > .87 && $ARGV[1] < .93)' \
	    "${row[@]}"
	# noise alone
	tafmath -n 128,8000 -t flt64 'randn(4)' | taftone --points 128 2>err >out.rsf
	perl -ne '/: (\d+) of 8000 blocks have no tone above noise$/ or die;
		exit !($1 >= 7984 && $1 < 8000)' err
}

@test "a tone below 2/T, and one whose frequency changes" {
	local got
	# 1/T and 1.5/T, slope 0.3 bins in a block
	for got in 0.0078125 0.01171875; do
		tafmath -n 1,2000 -t flt64 '2*pi*rand(5)' -o p.taf
		tafmath -n 128,1 -a 1=-63.5:1 -t flt64 x1 -o t.taf
		tafmath "cos(a + 2*pi*($got*b + 0.3/128^2*b*b/2)) + 0.0223607*randn(6)" p.taf t.taf |
		    taftone -q --points 128 --crop 0.002:0.49 -o out.taf
		tafcrop -x 1=1 out.taf | tafmath "abs(a - $got)" >e.rsf
		tafcrop -x 1=2 out.taf | tafmath 'b < 1.96*a' - e.rsf | tafreduce mean |
		    tafread | perl -ne 'exit !($_ > .935 && $_ < .965)'
	done
	# 6 bins in a block of 512
	tafmath -n 1,2000 -t flt64 '2*pi*rand(5)' -o p.taf
	tafmath -n 512,1 -a 1=-255.5:1 -t flt64 x1 -o t.taf
	tafmath "cos(a + 2*pi*(0.13*b + 6/512^2*b*b/2)) + 0.7071068*randn(6)" p.taf t.taf |
	    taftone -q --points 512 -o out.taf
	for got in 1:0.13 4:2.288818359375e-5; do
		tafcrop -x 1=${got%:*} out.taf | tafmath "abs(a - ${got#*:})" >e.rsf
		tafcrop -x 1=$((${got%:*} % 3 + (${got%:*} == 1 ? 1 : 4))) out.taf |
		    tafmath 'b < 1.96*a' - e.rsf | tafreduce mean | tafread |
		    perl -ne 'exit !($_ > .935 && $_ < .965)'
	done
}

@test "two tones 1.5/T apart, and behind them what is absent" {
	# 0.2 and 0.2 + 1.5/400, and a third one that is not there
	tafmath -n 2000 -a 1=0:1 -t flt64 \
	    '0.3*cos(2*pi*0.2*x1) + cos(1 + 2*pi*0.20375*x1) + 0.01*randn(8)' -o a.taf
	taftone -q --points 400 --count 3 a.taf -o out.taf
	[ "$(tafprobe -k shape out.taf)" = 9,3,5 ]
	for k in 1:0.2:0.3 2:0.20375:1; do
		IFS=: read -r tone f a <<<"$k"
		tafcrop -x 2="$tone" out.taf -o one.taf
		rows one.taf 2 >s
		rows one.taf 1 | paste - s | perl -ane 'BEGIN { $f = shift @ARGV }
			abs($F[0] - $f) < 4 * $F[1] or die "$F[0] is not $f\n"' "$f"
		rows one.taf 3 | perl -ne 'BEGIN { $a = shift @ARGV }
			abs($_ - $a) < .02 or die "$_ is not $a\n"' "$a"
	done
	tafcrop -x 2=3 out.taf -o one.taf
	for k in 1 2 3 4 5 6; do
		rows one.taf $k | uniq -c | grep -qx ' *5 nan'
	done
	# ratios of what is none
	rows one.taf 8 | perl -ne '$_ > 0 && $_ < 20 or die $_'
	rows one.taf 7 | perl -ne '$_ > 1e-4 && $_ < 4e-4 or die $_'
}

@test "a second tone that is none does not cost the first" {
	# a block of noise whose second fit goes astray, and the first tone with it
	tafmath -n 942301 -a 1=0:1 -t flt32 'sin(2*pi*0.137*x1 + 0.3) + 0.1*randn(3)' |
		tafcrop -x 1=941901:942301 -o a.taf
	for k in 1 2; do
		taftone -q --points 401 --count $k a.taf -o $k.taf
	done
	rows 1.taf 1 >expect
	[ "$(wc -l <expect)" = 1 ]
	run ! grep nan expect
	tafcrop -x 2=1 2.taf -o first.taf
	rows first.taf 1 | cmp - expect
}

# A second tone of 0.1, 5/T away, is left: of its power a^2 N/4 each of the 17 bins within 8/T has a
# part, and each has s^2 of noise, which is 1e-4
@test "a second tone is a misfit, and makes sigma so many times larger" {
	tafmath -n 200 -a 1=0:1 -t flt64 'cos(2*pi*0.2*x1)' -o one.taf
	tafmath -n 200 -a 1=0:1 -t flt64 'cos(2*pi*0.2*x1) + 0.1*cos(1 + 2*pi*0.225*x1)' -o two.taf
	for k in one two; do
		taftone -q --points 200 --noise 2e-4 $k.taf -o $k.tones
		rows $k.tones 2 >$k.sigma
		rows $k.tones 9 >$k.misfit
	done
	paste one.misfit two.misfit one.sigma two.sigma | perl -ane '
		my $q = sqrt(0.1 ** 2 * 200 / 4 / 17 / 1e-4);
		exit !($F[0] < 0.01 && abs($F[1] / $q - 1) < 0.05 &&
		    abs($F[3] / $F[2] / $F[1] - 1) < 0.01)'
}

@test "a known line, and a region that moves, keep to the weaker tone" {
	# 300 kHz/us from 1 to 1.9 MHz, and a spur of 3 times its amplitude at 1.4 MHz
	tafmath -n 6000 -a 1=10:0.1 -t flt64 \
	    'sin(2*pi*(x1 + 0.0015*(x1 - 10)^2/2)) + 3*sin(1 + 2*pi*1.4*x1) + 0.1*randn(2)' |
	    tafadjust --unit 1=us -o a.taf
	perl -e 'print 1 + .0015 * (.1 * (200 * $_ + 99.5)), "\n" for 0 .. 29' >f
	taftone -q --points 200 a.taf | rows - 1 | sort | awk '$1 > 1.39 && $1 < 1.41' | wc -l |
	    grep -qx 30
	taftone -q --points 200 --known 1.4 a.taf -o out.taf
	# what is 0.1/T from the line cannot be told from it
	paste <(rows out.taf 1) f | awk '$2 < 1.39 || $2 > 1.41' >apart
	[ "$(wc -l <apart)" -eq 29 ]
	perl -ane 'abs($F[0] - $F[1]) < .01 or die' apart
	taftone -q --points 200 --known 1400kHz a.taf | same - <(tafcrop out.taf)
	perl -e 'print join(" ", 10 + 50 * $_, 1 + .075 * $_, .1), "\n" for 0 .. 12' |
	    txt2taf -t flt64 -o r.taf
	# away from the spur it is the region alone
	taftone -q --points 200 --region r.taf a.taf -o out.taf
	paste <(rows out.taf 1) f | awk '($2 < 1.2 || $2 > 1.6)' >far
	[ "$(wc -l <far)" -gt 15 ]
	perl -ane 'abs($F[0] - $F[1]) < .01 or die' far
	# blocks outside of the table
	tafcrop -x 1=3:6 r.taf | taftone --points 200 --region - a.taf 2>err | rows - 8 |
	    uniq -c | awk '{ print $1, $2 == "nan" }' | sed -n '1p;$p' >got
	grep -q 'of 30 blocks have no tone above noise' err
	equal "$(<got)" "5 1
17 1"
}

@test "the grid is that of tafspectrogram, along any dimension" {
	tafmath -n 400,3 -a 1=2:0.5 -t flt32 'cos(0.9*i1 + i2) + 0.1*randn(1)' |
	    tafput label@1=Time unit@1=us label@2=Channel unit=mV -o a.taf
	for how in '--points 90,35' '--duration 40us,10us' '--duration 40' '--blocks 5,0.5'; do
		# shellcheck disable=SC2086
		tafspectrogram $how a.taf -o s.taf
		# shellcheck disable=SC2086
		taftone -q $how a.taf -o t.taf
		equal "$(for k in n o d label unit; do tafprobe -k ${k}3 t.taf; done)" \
		    "$(for k in n o d label unit; do tafprobe -k ${k}2 s.taf; done)"
	done
	[ "$(tafprobe -k unit t.taf)" = "" ]
	equal "$(tafprobe -k tone/rows t.taf)" \
	    frequency,sigma,amplitude,slope,slope-sigma,phase,noise,ratio,misfit
	[ "$(tafprobe -k label4 t.taf)" = Channel ]
	[ "$(tafprobe -k type t.taf)" = flt64 ]
	# lines side by side
	tafpermute -d 2,1 a.taf -o b.taf
	taftone -q --points 90,35 a.taf -o want.taf
	taftone -q -d 2 --points 90,35 b.taf | tafpermute -d 1,2,4,3 -o got.taf
	tafcompare want.taf got.taf
	# each block is by itself
	tafcrop -x 1=106:195 -x 2=3 a.taf | taftone -q --points 90 | tafread >got
	tafcrop -x 3=4 -x 4=3 want.taf | tafread | same - got
}

@test "a NaN costs its own blocks; blocks that are all equal have no tone" {
	tafmath -n 1200 -a 1=0:1 -t flt64 'cos(0.7*i1) + 0.1*randn(3)' -o a.taf
	taftone -q --points 100,50 a.taf -o want.taf
	tafmath 'i1 == 333 ? nan : i1 == 1100 ? inf : i1 > 700 and i1 < 850 ? 4 : a' a.taf |
	    taftone --points 100,50 -o got.taf 2>err
	equal "$(<err)" "taftone: 1 of 23 blocks have no tone above noise
taftone: 4 of 23 blocks have NaN or infinities"
	tafcrop -x 3=1:5 got.taf | tafcompare - <(tafcrop -x 3=1:5 want.taf)
	tafcrop -x 3=6:7 got.taf | tafread | uniq -c | grep -qx ' *18 nan'
	# values 4 from 701 to 848 are all of block 15, of 701 to 800
	equal "$(tafcrop -x 3=15 got.taf | tafread | xargs)" "nan nan nan nan nan nan 0 nan nan"
	taftone --points 100 <(tafmath -n 300 -t flt64 '0') 2>err | tafread | sort | uniq -c |
	    sed 's/  *//' >got
	equal "$(<got)" "3 0
24 nan"
	[ "$(<err)" = "taftone: 3 of 3 blocks have no tone above noise" ]
}

@test "any size of values gives the same" {
	tafmath -n 500 -a 1=0:1 -t flt64 'cos(0.7*i1) + 0.1*randn(3)' -o a.taf
	taftone -q --points 100 a.taf -o want.taf
	for k in 300 -300; do
		tafmath "a*2^$k" a.taf | taftone -q --points 100 -o got.taf
		for row in 1:2 4:6 8:9; do
			tafcrop -x 1=$row got.taf | tafcompare - <(tafcrop -x 1=$row want.taf)
		done
		tafcrop -x 1=3 got.taf | tafmath "a*2^-($k)" | tafcompare - <(tafcrop -x 1=3 want.taf)
	done
	tafmath "a*2^600" a.taf | { taftone --points 100 >/dev/null 2>err || [ $? -eq 3 ]; }
	grep -q 'not fit' err
}

@test "neither threads, memory, input nor cut change a byte" {
	local -x TAF_HISTORY=off SOURCE_DATE_EPOCH=0
	local words kind
	tafmath -n 30000,2 -a 1=0:1 -t flt32 \
	    'cos(0.7*i1 + 1e-6*i1*i1) + 0.3*cos(1.1*i1) + 0.5*randn(3)' -o real.taf
	tafmath -n 9000 -t complex \
	    'complex(cos(0.7*i1) + 0.5*randn(3), sin(0.7*i1) + 0.5*randn(4))' -o complex.taf
	for kind in real complex; do
		for words in '--points 101,40' '--points 128,100 --count 2 --known 0.2' \
		    '--blocks 60,0.2 --window boxcar'; do
			# shellcheck disable=SC2086
			{
				taftone -q -J 1 $words $kind.taf >want
				taftone -q -J 4 $words $kind.taf | same - want
				taftone -q -m 1M $words $kind.taf | same - want
				perl -e '$| = 1; binmode STDIN; print while read STDIN, $_, 7777' \
				    <$kind.taf | taftone -q -m 64k -J 2 $words | same - want
			}
		done
	done
	# a line that comes in parts, and a region that moves with it
	tafmath -n 500000 -t flt32 'cos(0.3*i1 + 1e-6*i1*i1) + 0.5*randn(3)' -o long.taf
	printf '%s\n' '1 0.048 0.02' '500000 0.207 0.02' | txt2taf -t flt64 -o region.taf
	taftone -q -J 1 --points 401,400 --region region.taf long.taf >want
	taftone -q -J 3 -m 64k --points 401,400 --region region.taf long.taf | same - want
	equal "$(rows want 1 | grep -c nan)" 0
	# several arrays, and one that ends too soon
	cat real.taf >/dev/null
	tafcat real.taf real.taf | taftone -q --points 101,40 | tafcrop -N 2 |
	    tafread >got
	taftone -q --points 101,40 real.taf | tafread | same - got
	ends 3 taftone --points 100 < <(tafcrop real.taf | head -c 90000)
	ends 3 taftone --points 100 </dev/null
}

@test "a density from a file, linear between its points" {
	tone a.taf 400 0:1 0.1875 0 0.4 2
	# 1e-6 and 3e-6 at 0.125 and 0.25: 2e-6 at 0.1875
	tafmath -n 5 -a 1=0:0.125 -t flt64 '1e-6*(2*i1 - 3)*(i1 > 1) + 1e-6*(i1 == 1)' -o d.taf
	taftone -q --points 400 --noise d.taf a.taf -o got.taf
	taftone -q --points 400 --noise 2e-6 a.taf -o want.taf
	tafcompare --relative 1e-9 want.taf got.taf
	tafcrop -x 1=1:4 d.taf -o short.taf
	refuse 3 taftone --points 400 --noise short.taf a.taf
	grep -q 'the noise is known from 0 to 0.375, not from 0.0025 to 0.4975' err
	taftone -q --points 400 --crop 0.1:0.3 --noise short.taf a.taf >/dev/null
	# noise 0: nothing is uncertain
	taftone -q --points 400 --noise 0 a.taf | tafread | xargs >got
	grep -qx '[0-9.]* 0 [0-9.]* [-0-9.e]* 0 [-0-9.]* 0 inf 0' got
}

@test "noise is a density" {
	# s = 0.5, d = 0.25: 2 s^2 d = 0.125; complex parts of 0.5 each: 2 s^2 d too
	tafmath -n 80000 -a 1=0:0.25 -t flt64 '0.5*randn(1) + cos(0.8*i1)' |
	    taftone -q --points 800 | rows - 7 | sort -g | sed -n 50p |
	    perl -ne 'exit !($_ > .115 && $_ < .135)'
	tafmath -n 80000 -a 1=0:0.25 -t complex128 \
	    'complex(0.5*randn(1), 0.5*randn(2)) + exp(0.8*I*i1)' |
	    taftone -q --points 800 | rows - 7 | sort -g | sed -n 50p |
	    perl -ne 'exit !($_ > .115 && $_ < .135)'
}

@test "what cannot be is refused with both numbers" {
	local status expected words
	tafmath -n 400 -a 1=0:0.5 -t flt64 'cos(i1)' | tafadjust --unit 1=us -o a.taf
	printf 'n1=400\nd1=0\ndata_format="native_double"\nesize=8\nin="stdin"\n\n\f\f\004' >zero.rsf
	perl -e 'print pack "d*", map cos, 1 .. 400' >>zero.rsf
	tafadjust --step 1=1e-310 a.taf -o tiny.taf
	tafmath -n 400 -a 1=0:0.5 -t complex128 'exp(I*i1)' -o c.taf
	printf '1 0.5 0.1\n2 0.5 0\n' | txt2taf -t flt64 -o half.taf
	printf '2 0.5 0.1\n2 0.5 0.1\n' | txt2taf -t flt64 -o place.taf
	printf '2 0.5 0.1 1\n3 0.5 0.1 1\n' | txt2taf -t flt64 -o wide.taf
	tafmath -n 3 -t flt64 'i1 - 2' -o neg.taf
	while IFS='|' read -r status expected words; do
		[ -n "$status" ] || continue
		# shellcheck disable=SC2086
		refuse "$status" $words
		equal "$(<err)" "taftone: $expected"
	done <<-'END'
		2|no blocks: say --points, --duration or --blocks|taftone a.taf
		2|one of --points, --duration and --blocks|taftone --points 20 --duration 5 a.taf
		2|--points 15: a block has at least 16 points|taftone --points 15 a.taf
		2|--points 20us: not POINTS[,SKIP]|taftone --points 20us a.taf
		2|--count 0: not a number from 1 to 8|taftone --points 50 --count 0 a.taf
		2|--count 9: not a number from 1 to 8|taftone --points 50 --count 9 a.taf
		2|--chance 0: not a number between 0 and 1|taftone --points 50 --chance 0 a.taf
		2|--chance 1: not a number between 0 and 1|taftone --points 50 --chance 1 a.taf
		2|--crop 3:3: not LO:HI|taftone --points 50 --crop 3:3 a.taf
		2|--crop 3:2: not LO:HI|taftone --points 50 --crop 3:2 a.taf
		2|--crop 3: not LO:HI|taftone --points 50 --crop 3 a.taf
		2|--window gauss: not boxcar, hann, hamming or blackman|taftone --points 50 --window gauss a.taf
		2|--known 0.3,: not F[,F...]|taftone --points 50 --known 0.3, a.taf
		2|--noise -1: not a density|taftone --points 50 --noise -1 a.taf
		3|a.taf: dimension 1: a block of 15 points: there have to be 16|taftone --duration 7 a.taf
		3|a.taf: dimension 1 has 400 points, but a block 401|taftone --points 401 a.taf
		3|zero.rsf: dimension 1: a step of 0 has no frequencies|taftone --points 40 zero.rsf
		3|tiny.taf: dimension 1: a step of 1e-310 has no frequencies|taftone --points 40 tiny.taf
		3|a.taf: 23 frequencies that are 1/T apart say too little of the noise: 24 do, or --noise|taftone --points 49 a.taf
		3|a.taf: no frequency from 1.1 to 2 is among 0 to 1, 0.01 apart|taftone --points 100 --crop 1.1:2 a.taf
		3|a.taf: a line at 0 is not between 0 and 1|taftone --points 100 --known 0 a.taf
		3|a.taf: a line at 1MHz is not between 0 and 1|taftone --points 100 --known 1MHz a.taf
		3|c.taf: a line at -1 is not between -1 and 1|taftone --points 100 --known=-1 c.taf
		3|a.taf: lines at 0.5 and 0.515 are nearer than 1/T, 0.02|taftone --points 100 --known 0.5,0.515 a.taf
		3|half.taf: row 2: half width 0 is not above 0|taftone --points 100 --region half.taf a.taf
		3|place.taf: row 2: place 2 is not behind 2|taftone --points 100 --region place.taf a.taf
		3|wide.taf: dimension 2 has length 4, not 3: place, centre, half width|taftone --points 100 --region wide.taf a.taf
		3|neg.taf: row 1: -1 is no density|taftone --points 100 --noise neg.taf a.taf
		4|none.taf: cannot open: No such file or directory|taftone --points 100 --noise none.taf a.taf
	END
}
