# SPDX-License-Identifier: ISC
load helper

# record: 40 points of 0.25 us from 3 us on
record() {
	tafmath -n 40 -a 1=3:0.25 -t flt64 'floor(100*sin(i1*i1*0.1))' |
	    tafput label@1=Time unit@1=us unit=V -o in.taf
}

# block WANT... - OPTION...: the 11th spectrum of blocks of 8 points
block() {
	local want=()

	while [ "$1" != - ]; do
		want+=("$1")
		shift
	done
	shift
	tafspectrogram --points 8,3 "$@" in.taf | tafcrop -x 2=11 | tafread >got
	printf '%s\n' "${want[@]}" | paste - got | perl -ane '
		abs($F[0] - $F[1]) <= 1e-8 * abs $F[0] or die "line $.: $F[1] is not $F[0]\n";
		$n++; END { $n or die "nothing" }'
}

@test "values of scipy.signal.spectrogram" {
	record
	# x = numpy.floor(100 * sin(i * i * 0.1)), fs = 4, nperseg = 8, noverlap = 5
	block 422.227435 4579.99082 1492.46996 33.3712869 4.24920196 -
	block 422.227435 4579.99082 1492.46996 33.3712869 4.24920196 - --density
	block 361.90923 3925.70641 1279.25996 28.6039602 3.64217311 - --power
	# the roots of its squares, of which those of a half stand for two
	block 19.0239121 88.6081984 50.5818142 7.56359176 1.90844783 - --amplitude
	block 0.42152451 4006.47063 1440.0853 38.9274549 4.24920196 - --remove-mean
	block 8.36546853 5625.85711 3351.19899 404.477428 30.7155097 0.631643861 - \
	    --window hamming --periodic --pad 10
	tafspectrogram --points 8,3 --power in.taf | tafmath '10*log10(a)' -o want.taf
	tafspectrogram --points 8,3 --db in.taf -o got.taf
	tafcompare --relative 1e-12 want.taf got.taf
	tafspectrogram --points 8,3 --complex in.taf |
		tafmath 'abs(a) * (i1 > 1 and i1 < n1 ? 2 : 1)' -o got.taf
	tafspectrogram --points 8,3 --amplitude in.taf -o want.taf
	tafcompare --relative 1e-12 want.taf got.taf
}

# facts FILE: its grid
facts() {
	local k

	for k in n1 o1 d1 label1 unit1 n2 o2 d2 label2 unit2 type unit; do
		tafprobe -k $k "$1"
	done | xargs
}

@test "times are the middles of the blocks, not half a sample late" {
	record
	tafspectrogram --points 8,3 in.taf -o out.taf
	[ "$(facts out.taf)" = "5 0 0.5 Frequency MHz 11 3.875 0.75 Time us flt64 V^2/MHz" ]
	tafspectrogram --points 8 --power in.taf -o out.taf
	[ "$(facts out.taf)" = "5 0 0.5 Frequency MHz 5 3.875 2 Time us flt64 V^2" ]
	# a pulse in the middle of a block of 5
	tafmath -n 20 -a 1=0:1 'x1 == 7' | tafspectrogram --points 5,5 | tafcrop -g 2=7:7 |
	    tafread | awk '$1 > 0' | wc -l | grep -qx 3
}

@test "blocks by duration and by number" {
	record
	tafspectrogram --points 9,4 in.taf -o want.taf
	# round(2/0.25) + 1 points
	tafspectrogram --duration 2,1 in.taf -o got.taf
	cmp want.taf got.taf
	tafspectrogram --points 4 in.taf -o want.taf
	tafspectrogram --blocks 9 in.taf -o got.taf
	cmp want.taf got.taf
	tafspectrogram --points 10,4 in.taf -o want.taf
	tafspectrogram --blocks 9,1.5 in.taf -o got.taf
	cmp want.taf got.taf
}

@test "--crop keeps some frequencies" {
	record
	tafspectrogram --points 8,3 in.taf | tafcrop -x 1=2:4 -o want.taf
	tafspectrogram --points 8,3 --crop 0.3:1.5 in.taf -o got.taf
	cmp want.taf got.taf
	run -3 --separate-stderr tafspectrogram --points 8 --crop 0.6:0.9 in.taf
	[[ "$stderr" = *"no frequency from 0.6 to 0.9 is among 0 to 2" ]]
}

@test "complex elements: frequencies below 0, too" {
	tafmath -n 30 -a 1=0:0.1 -t complex128 'complex(cos(2*pi*2.5*x1), -sin(2*pi*2.5*x1))' -o in.taf
	tafspectrogram --points 8 --window boxcar --power in.taf -o out.taf
	[ "$(tafprobe -k o1 out.taf) $(tafprobe -k n1 out.taf)" = "-5 8" ]
	# -2.5 is the third of -5, -3.75 ...; all of the power is there
	tafcrop -x 2=3 out.taf | tafmath 'round(a*1e9)' | tafread | xargs |
	    grep -qx '0 0 1000000000 0 0 0 0 0'
}

@test "other dimensions, long records, any memory and threads" {
	tafmath -n 3000,3,2 -t int16 'floor(1000*sin(i1*i1*0.01+i2*i3))' -o in.taf
	tafspectrogram --points 64,16 in.taf -o want.taf
	[ "$(tafprobe -k n1 want.taf) $(tafprobe -k n2 want.taf)" = "33 184" ]
	tafcrop -x 2=2 -x 3=1 --squeeze in.taf | tafspectrogram --points 64,16 -o one.taf
	tafcrop -x 3=2 -x 4=1 --squeeze want.taf -o part.taf
	tafcompare one.taf part.taf
	# the last block of a record of which a window is held
	tafmath -n 1000000 -t flt32 'sin(i1*i1*1e-7)' -o long.taf
	tafspectrogram --points 1000,800 long.taf -o want.taf
	for how in "-m 1M -J 1" "-m 4M -J 3"; do
		# shellcheck disable=SC2002,SC2086 # a pipe; options
		cat long.taf | tafspectrogram --points 1000,800 $how -o got.taf
		cmp want.taf got.taf
	done
	tafcrop -x 2=1249 want.taf -o part.taf
	[ "$(tafprobe -k n2 want.taf)" = 1249 ]
	# it begins at 998400 and 600 points are dropped
	tafcrop -x 1=998401:999400 long.taf | tafspectrogram --points 1000 -o last.taf
	tafcompare last.taf part.taf
}

@test "along another dimension: frequencies first, times in its place" {
	local how

	tafmath -n 200,3,2 -a 1=1:0.5 -t int16 'floor(1000*sin(i1*i1*0.01+i2*i3))' -o in.taf
	tafpermute -d 2,1,3 in.taf -o turned.taf
	for how in --power --complex; do
		tafspectrogram --points 16,5 $how in.taf -o want.taf
		tafspectrogram -d 2 --points 16,5 $how turned.taf -o got.taf
		[ "$(tafprobe -k n2 got.taf) $(tafprobe -k n3 got.taf)" = "3 37" ]
		tafpermute -d 1,3,2,4 got.taf | tafcompare want.taf -
	done
	# longer than what is held at once
	tafmath -n 3,150000 -t flt32 'sin(i2*i2*1e-5+i1)' -o long.taf
	tafpermute -d 2,1 long.taf | tafspectrogram --points 401,350 |
	    tafpermute -d 1,3,2 -o want.taf
	for how in "-m 1M -J 1" "-J 3"; do
		# shellcheck disable=SC2002,SC2086 # a pipe; options
		cat long.taf | tafspectrogram -d 2 --points 401,350 $how -o got.taf
		tafcompare want.taf got.taf
	done
	run -3 --separate-stderr tafspectrogram -d 2 --points 4 in.taf
	[[ "$stderr" = *"dimension 2 has 3 points, but a block 4" ]]
	run -3 tafspectrogram -d 4 --points 4 in.taf
}

@test "lengths that are primes, or have large ones" {
	local points block k want got

	tafmath -n 9000 -t int16 'floor(1000*sin(i1*i1*0.001)) + mod(i1*i1, 17)' -o line.taf
	# points, block and frequency from 0, scipy.signal.spectrogram
	while read -r points block k want; do
		got=$(tafspectrogram --points "$points,100" --window boxcar --power line.taf |
		    tafcrop -x 1=$((k + 1)) -x 2=$((block + 1)) | tafread)
		perl -e 'exit !(abs($ARGV[0] / $ARGV[1] - 1) < 2e-6)' "$got" "$want" || {
			echo "$points points, frequency $k: $got, not $want"
			return 1
		}
	done <<-END
		53 7 12 389437.329998
		67 7 16 300682.721245
		101 7 24 258414.152754
		134 7 32 121228.270194
		331 7 103 19364.198458
		401 7 96 13833.3086406
		503 7 185 8497.22205841
		802 7 191 3329.11240882
		1203 7 512 4486.83784966
		1999 7 481 1769.88899003
		2027 7 484 1757.88733718
		8191 7 1951 405.900153786
		8693 3 1282 390.315200467
	END
}

@test "what cannot be done" {
	record
	run -3 --separate-stderr tafspectrogram --points 41 in.taf
	[[ "$stderr" = *"dimension 1 has 40 points, but a block 41" ]]
	run -3 tafspectrogram --blocks 41 in.taf
	run -3 tafspectrogram --duration 1,0.01 in.taf
	run -3 tafspectrogram --points 8 --pad 7 in.taf
	run -2 tafspectrogram in.taf
	run -2 tafspectrogram --points 8 --blocks 3 in.taf
	run -2 tafspectrogram --points 8,0 in.taf
	run -2 tafspectrogram --points 8.5 in.taf
	run -2 tafspectrogram --duration -1 in.taf
	run -2 tafspectrogram --points 8 --crop 2:1 in.taf
	run -2 tafspectrogram --points 8 --db --power in.taf
}
