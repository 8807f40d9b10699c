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
	block 19.0239121 44.3040992 25.2909071 3.78179588 1.90844783 - --amplitude
	block 0.42152451 4006.47063 1440.0853 38.9274549 4.24920196 - --remove-mean
	block 8.36546853 5625.85711 3351.19899 404.477428 30.7155097 0.631643861 - \
	    --window hamming --periodic --pad 10
	tafspectrogram --points 8,3 --power in.taf | tafmath '10*log10(a)' -o want.taf
	tafspectrogram --points 8,3 --db in.taf -o got.taf
	tafcompare --relative 1e-12 want.taf got.taf
	tafspectrogram --points 8,3 --complex in.taf | tafmath 'abs(a)' -o got.taf
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
