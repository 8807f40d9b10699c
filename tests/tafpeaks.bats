# SPDX-License-Identifier: ISC
load helper

# values NUMBER...: a line of flt64 in in.taf, from 10 in steps of 0.5
values() {
	perl -e 'print pack "d<*", @ARGV' -- "$@" >in.raw
	tafcreate -n $# -t flt64 -a 1=10:0.5 in.raw -o in.taf
}

# place height width of each row, on a line
peaks() {
	tafpeaks "$@" in.taf | tafread | xargs
}

@test "place, height and width, by place" {
	values 0 0 4 2 0 0 3 3 1 0 8 0
	# half of 4 is reached at 1.5 and 3, half of 3 (two points) at 5.5 and 7.75
	equal "$(peaks --count 0)" "11 4 0.75 13.25 3 1.125 15 8 0.5"
	equal "$(peaks)" "15 8 0.5"
	equal "$(peaks --count 2 | cut -d ' ' -f 1,2,4,5)" "11 4 15 8"
	equal "$(peaks --count 5 | cut -d ' ' -f 10-)" "nan nan nan nan nan nan"
	tafpeaks --count 5 in.taf >out
	equal "$(tafprobe -k n1 out) $(tafprobe -k n2 out)" "3 5"
	# neither ends, nor what a line rises to without falling
	values 9 1 2 3 3
	equal "$(peaks)" "nan nan nan"
	values 7
	equal "$(peaks)" "nan nan nan"
	# a width ends with the line
	values 6 6.5 7 6.5 6
	equal "$(peaks)" "11 7 2"
	values -9 -2 -8
	equal "$(peaks)" "10.5 -2 nan"
	# equal ones: the first
	values 0 3 0 3 0
	equal "$(peaks | cut -d ' ' -f 1)" 10.5
}

@test "the least height, and the least distance" {
	values 0 5 0 7 0 6 0 0 2 0
	equal "$(peaks --count 0 --minimum 6 | cut -d ' ' -f 1,4)" "11.5 12.5"
	equal "$(peaks --count 0 --minimum 8)" ""
	equal "$(peaks --minimum 8)" "nan nan nan"
	equal "$(peaks --count 0 --distance 1.5 | cut -d ' ' -f 1,4)" "11.5 14"
	equal "$(peaks --count 0 --distance 1 | cut -d ' ' -f 1,4,7,10)" "10.5 11.5 12.5 14"
	# the lower one of those that are near goes, not the next one
	values 0 5 0 6 0 7 0
	equal "$(peaks --count 2 --distance 1.5 | cut -d ' ' -f 1,4)" "10.5 12.5"
}

@test "parabolas and centroids" {
	# 9 - (x - 2.2)^2
	values 4.16 7.56 8.96 8.36 5.76
	tafpeaks --parabola in.taf | tafread | perl -ne 'printf "%.9g ", $_' >got
	equal "$(cut -d ' ' -f 1,2 got)" "11.1 9"
	values 0 1 2 6 4 3 2 0
	# above 3: 6 at 3, 4 at 4
	equal "$(tafpeaks --centroid in.taf | tafread | perl -ne 'printf "%.9g ", $_' | cut -d ' ' -f 1,2)" \
		"$(perl -e 'printf "%.9g", 10 + (18 + 16) / 10 / 2') 6"
	values 0 4 4 0
	equal "$(peaks --parabola | cut -d ' ' -f 1,2) $(peaks --centroid | cut -d ' ' -f 1,2)" "10.75 4 10.75 4"
}

@test "passages of a level" {
	values 0 4 4 0 0 8 2 2 9
	equal "$(peaks --edges rising,level=2 --count 0)" "10.25 2 1 12.125 2 nan"
	equal "$(tafpeaks --edges falling,level=3 --count 0 in.taf | tafread | perl -ne 'printf "%.9g ", $_')" \
		"$(perl -e 'printf "%.9g ", $_ for 11.125, 3, 1.0625, 10 + (5 + 5 / 6) / 2, 3, (7 + 1 / 7 - 5 - 5 / 6) / 2')"
	# the middle of 0 and 9
	equal "$(peaks --edges rising | cut -d ' ' -f 1,2)" "12.28125 4.5"
	equal "$(peaks --edges level=2 --count 2 | cut -d ' ' -f 1,4)" "10.25 11.25"
	equal "$(peaks --edges level=50 --count 0)" ""
	# parts of the way from 0 to 9
	equal "$(peaks --edges rising,level=50% | cut -d ' ' -f 1,2)" "12.28125 4.5"
	equal "$(peaks --edges rising,level=10% | cut -d ' ' -f 1,2)" "10.1125 0.9"
	equal "$(peaks --edges falling,level=100% --count 0)" ""
	refuse 3 tafpeaks --edges level=101% in.taf
	tafput unit=% in.taf -o percent.taf
	equal "$(tafpeaks --edges rising,level=2% percent.taf | tafread | xargs)" "10.25 2 1"
	values 2 2 6 10 10
	equal "$(peaks --edges rising,level=75% | cut -d ' ' -f 1,2)" "11.25 8"
	values 0 2 4 2 0
	equal "$(peaks --edges rising,level=2)" "10.5 2 1"
}

@test "a width ends where the line is at half the height, a level is no side of itself" {
	# scipy.signal.peak_widths(x, [1], 1, (h/2..)) gives 1.5 points; the step is 0.5
	values 0 2 1 1 1 1
	equal "$(peaks)" "10.5 2 0.75"
	# the same from behind, and of the negative
	values 1 1 1 1 2 0
	equal "$(peaks)" "12 2 0.75"
	values 0 2 2 2 4 4
	equal "$(peaks --edges rising,level=2)" "11 2 nan"
	values 4 4 2 2 2 0
	equal "$(peaks --edges falling,level=2)" "11.5 2 nan"
	values 0 2 0 4 2 4
	equal "$(peaks --edges level=2 --count 0)" "11.25 2 nan"
	# across a NaN the next passage may go the same way: the way back is not known
	values 0 4 nan 0 4 0
	equal "$(peaks --edges rising,level=2 --count 0)" "10.25 2 nan 11.75 2 0.5"
	# long lines are found in pieces
	tafmath -n 30000 -t flt64 'round(8*rand(3)) - 4' -o long.taf
	for how in "--minimum 1" "--edges level=1" "--edges rising,level=0" "--centroid"; do
		# shellcheck disable=SC2086 # words
		tafpeaks $how --count 400 long.taf -o a.taf
		# shellcheck disable=SC2086 # words
		tafpeaks $how --count 400 -m 64k long.taf -o b.taf
		same a.taf b.taf
	done
}

@test "NaN are no peaks, and neither is what stands beside them" {
	values 0 5 nan 9 1 3 2
	equal "$(peaks --count 0)" "12.5 3 0.875"
	# above half its height a peak ends with the last number before the NaN
	values 0 5 4 nan 9 8
	equal "$(peaks --count 0)" "10.5 5 0.75"
	values 8 9 nan 4 5 0
	equal "$(peaks --count 0)" "12 5 0.75"
	values nan nan nan
	equal "$(peaks)" "nan nan nan"
}

@test "each line along each dimension, a negative step, a mapping" {
	mktaf in.taf int16 7,5,3
	for d in 1 2 3; do
		order=$(perl -e '@d = grep { $_ != $ARGV[0] } 1 .. 3; print join ",", $ARGV[0], @d' $d)
		# rows lie where the lines were, behind the three numbers of each
		back=$(perl -e 'my $d = shift; 
			my %at; @at{$d + 1, grep { $_ != $d + 1 } 2 .. 4} = 2 .. 4;
			print join ",", 1, map { $at{$_} } 2 .. 4' $d)
		tafpeaks --count 2 -d $d in.taf | tafread >got
		tafpermute -d "$order" in.taf | tafpeaks --count 2 | tafpermute -d "$back" | tafread >want
		same want got
		tafpeaks --count 0 -d $d in.taf -o a.taf
		for how in '-J 1' '-m 1M' '-m 1k'; do
			# shellcheck disable=SC2086 # words
			cat in.taf | tafpeaks $how --count 0 -d $d -o b.taf
			same a.taf b.taf
		done
	done
	equal "$(for k in 1 2 3 4; do tafpeaks --count 2 -d 2 in.taf | tafprobe -k n$k -; done | xargs)" "3 7 2 3"
	values 0 0 4 2 0
	tafadjust --step 1=-0.5 in.taf -o back.taf
	equal "$(tafpeaks back.taf | tafread | xargs)" "9 4 0.75"
	mktaf in.taf int16 5
	tafput unit=V unit@1=s in.taf | tafpeaks >out
	equal "$(tafprobe -k type out)" flt64
	tafpeaks --count 2 back.taf back.taf >two
	equal "$(tafcrop -N 2 two | tafread | cksum)" "$(tafpeaks --count 2 back.taf | tafread | cksum)"
}

@test "the highest peak alone is the first of the highest of all" {
	# flat tops, equal heights, NaN, and lines whose greatest point is at an end
	tafmath -n 17,300 'floor(12*rand(3)) - 3 + where(rand(4) > 0.97, log(-1), 0)' -o in.taf
	for how in --quiet --centroid "--minimum 7"; do
		# shellcheck disable=SC2086 # options
		tafpeaks $how in.taf | tafread | xargs -n 3 >one
		# shellcheck disable=SC2086 # options
		tafpeaks --count 8 $how in.taf | tafread | xargs -n 24 | perl -ane '
			@best = ("nan") x 3;
			for ($i = 0; $i < 24 && $F[$i + 1] !~ /nan/i; $i += 3) {
				@best = @F[$i .. $i + 2]
				    if $best[0] eq "nan" || $F[$i + 1] > $best[1];
			}
			print "@best\n"' >want
		[ "$(wc -l <one)" = 300 ]
		diff -i want one
	done
}

@test "a wrong invocation" {
	mktaf a.taf flt32 9,2
	refuse 2 tafpeaks --count -1 a.taf
	refuse 2 tafpeaks --count x a.taf
	refuse 2 tafpeaks --minimum nan a.taf
	refuse 2 tafpeaks --distance -1 a.taf
	refuse 2 tafpeaks --centroid --parabola a.taf
	refuse 2 tafpeaks --edges up a.taf
	refuse 2 tafpeaks --edges rising,level=nan a.taf
	refuse 2 tafpeaks --edges rising --centroid a.taf
	refuse 3 tafpeaks -d 3 a.taf
	printf 'n1=4 d1=0 data_format="native_float" in="stdin"\n\n\f\f\0041234123412341234' >still.rsf
	refuse 3 tafpeaks still.rsf
}

@test "a line larger than the memory has the same peaks" {
	local how
	# noise with flat tops and NaN, below and above 0; waves on a ground that is higher than half
	tafmath -n 60000,2 'floor(12*rand(3)) - 9 + 5*i2 + where(rand(4) > 0.97, log(-1), 0)' -o noise.taf
	tafmath -n 60000,2 'sin(i1*0.02)*(2 + sin(i1*0.0007)) + 9*i2' -o waves.taf
	# hills, on whose sides many peaks wait for the line to fall below their halves
	tafmath -n 60000,2 '(1.5 + sin(i1*0.0004))*(1 + 0.2*sin(i1*0.3 + i2) + 0.1*rand(5))' -o hills.taf
	while read -r how; do
		for file in noise waves hills; do
			# shellcheck disable=SC2086 # options
			tafpeaks $how "$file.taf" -o want.taf
			# shellcheck disable=SC2086 # options
			tafpeaks -m 256k $how -o got.taf <"$file.taf"
			same want.taf got.taf
		done
	done <<-'EOF'
		--count 1
		--count 5
		--count 300 --minimum 3
		--count 2500 --minimum -1
		--count 40 --centroid
		--count 40 --parabola
		--edges rising --count 7
		--edges rising,level=10% --count 7
		--edges rising,falling,level=4 --count 500
	EOF
	for how in '--count 0' '--count 20 --distance 1000' '--count 0 --centroid --minimum 3' '--edges falling,level=1 --count 0'; do
		# shellcheck disable=SC2086 # options
		tafpeaks $how waves.taf -o want.taf
		# shellcheck disable=SC2086 # options
		tafpeaks -m 256k $how waves.taf -o got.taf
		same want.taf got.taf
	done
	tafpermute -d 2,1 waves.taf | tafpeaks -m 256k -d 2 --count 9 | tafpermute -d 1,3,2 -o got.taf
	tafpeaks --count 9 waves.taf -o want.taf
	same want.taf got.taf
}

@test "peaks that do not fit the memory are found" {
	local how limit='limited d 3000'
	tafmath -n 600000 'floor(12*rand(3)) - 5' -o noise.taf
	# with a sanitizer no program starts
	$limit tafpeaks -V >/dev/null 2>&1 || limit=
	for how in '--count 0' '--count 0 --centroid --distance 3' '--count 0 --edges rising,falling'; do
		# shellcheck disable=SC2086 # options
		tafpeaks $how noise.taf -o want.taf
		# shellcheck disable=SC2086 # options
		$limit tafpeaks -J 1 -m 300k $how noise.taf -o got.taf
		same want.taf got.taf
	done
}

# off PAD WAY: errors of the tones in x.taf, as root mean square over the bound of Cramer and Rao
off() {
	tafspectrogram --points 512 --pad "$1" x.taf | tafpeaks "--$2" | tafcrop -x 1=1 |
		tafreshape -n 1,2000 | tafmath "pi*sqrt(512^3/6)*sqrt(200)*(a - b)" - f.taf |
		tafreduce rms | tafread
}

# a simulation in numpy, of other tones and noise, gave what stands here beside the bounds
@test "tones at 20 dB are as far off as the page says" {
	tafmath -n 1,2000 -t flt64 '0.05 + 0.4*rand(1)' -o f.taf
	tafmath -n 1,2000 -t flt64 '2*pi*rand(2)' -o p.taf
	tafmath -n 512,1 -a 1=0:1 -t flt64 x1 -o t.taf
	tafmath 'cos(2*pi*a*c + b) + sqrt(1/200)*randn(3)' f.taf p.taf t.taf -o x.taf
	{
		echo "$(off 1024 parabola) 4.1 4.8"	# 4.4
		echo "$(off 2048 parabola) 1.55 1.75"	# 1.68
		echo "$(off 4096 parabola) 1.47 1.65"	# 1.57
		echo "$(off 2048 centroid) 11.3 13"	# 12
		echo "$(off 4096 centroid) 4.6 5.2"	# 4.9
	} | awk '{ print } !($1 > $2 && $1 < $3) { bad = 1 } END { exit bad || NR != 5 }'
}
