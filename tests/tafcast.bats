# SPDX-License-Identifier: ISC
load helper

# raw FILE TEMPLATE NUMBER...: numbers as perl packs them
raw() {
	perl -e 'my ($f, $t, @v) = @ARGV; open F, ">:raw", $f; print F pack "($t)*", @v' "$@"
}

# map FILE INTERCEPT SLOPE: give a TAF file a mapping
map() {
	perl -e 'open F, "+<", $ARGV[0]; seek F, 1032, 0; print F pack "d<2", @ARGV[1, 2]' "$@"
}

# values TYPE TEMPLATE NUMBER...: an array of one dimension in in.taf
values() {
	raw in.raw "${@:2}"
	tafcreate -n "$(($# - 2))" -t "$1" in.raw -o in.taf
}

types='int8 uint8 int16 uint16 int32 uint32 int64 uint64 flt32 flt64'

@test "every type becomes every other, and grid, comment and attributes stay" {
	for from in $types; do
		mktaf plain.taf "$from" 3,5
		tafcrop plain.taf -o a.taf
		tafadjust -i --label 1=x --unit 2=m a.taf
		tafcomment -i -C words a.taf
		taftype -i --set 3 a.taf
		tafread a.taf >want
		for to in $types; do
			tafcast -t "$to" a.taf >b 2>err
			tafread b >got
			same want got
			[ ! -s err ]
			equal "$(tafprobe -k type b)" "$to"
		done
		for key in shape o1 d1 o2 d2 label1 unit2 comment code; do
			equal "$(tafprobe -k $key b)" "$(tafprobe -k $key a.taf)"
		done
		tafcast -t "$from" a.taf -o c.taf
		same a.taf c.taf
	done
}

@test "to integers: the nearest, halves away from 0, with a remark" {
	values flt64 'd<' 0.5 1.5 2.5 -0.5 -1.5 -2.5 2.4999 -126.5 127.4 8
	for to in int8 int16 int32 int64; do
		tafcast -t $to in.taf >out 2>err
		equal "$(tafread out | xargs)" "1 2 3 -1 -2 -3 2 -127 127 8"
		equal "$(<err)" "tafcast: 9 of 10 values rounded to $to"
	done
	tafcast -q -t int8 in.taf >out 2>err
	[ ! -s err ]
}

@test "what does not fit is refused, or with --clip the nearest" {
	for v in 127.5 -128.5 1e300 -1e300 nan inf -inf; do
		values flt64 'd<' 1 2 "$v" 4
		refuse 3 tafcast -t int8 in.taf -o out.taf
		equal "$(<err)" \
		    "tafcast: in.taf: element [3]: value $v does not fit int8 (-128 to 127): --clip stores the nearest that does, --scale maps the range"
		[ ! -e out.taf ]
	done
	values flt64 'd<' 127.5 -128.5 1e300 -1e300 nan inf -inf 7
	tafcast --clip -t int8 in.taf >out 2>err
	equal "$(tafread out | xargs)" "127 -128 127 -128 0 127 -128 7"
	equal "$(<err)" "tafcast: 7 of 8 values clipped to int8"
	tafcast --clip -t uint64 in.taf >out 2>err
	equal "$(tafread out | xargs)" "128 0 18446744073709551615 0 0 18446744073709551615 0 7"
	# to flt32 infinities and NaN fit, large finite values do not
	refuse 3 tafcast -t flt32 in.taf
	tafcast --clip -t flt32 in.taf 2>err >out
	equal "$(tafread out | xargs)" "127.5 -128.5 3.4028235e38 -3.4028235e38 nan inf -inf 7"
	equal "$(<err)" "tafcast: 2 of 8 values clipped to flt32"
}

@test "integers never pass through a double" {
	values int64 'q<' 9223372036854775807 9007199254740993 9007199254740995 0
	tafcast -t uint64 in.taf >out
	equal "$(tafread out | xargs)" "9223372036854775807 9007199254740993 9007199254740995 0"
	tafcast -t int64 out | tafread >got
	same got <(tafread out)
	tafcast -t flt64 in.taf 2>err >/dev/null
	equal "$(<err)" "tafcast: 3 of 4 values rounded to flt64"
	values uint64 'Q<' 18446744073709551615 9223372036854775808 7
	refuse 3 tafcast -t int64 in.taf
	tafcast --clip -t int64 in.taf 2>err >out
	equal "$(tafread out | xargs)" "9223372036854775807 9223372036854775807 7"
}

@test "NaN keep their payloads where the type stays, and -0 its sign" {
	perl -e 'print pack("Q<*", 0x7ff8000000000123, 0xfff0000000000001, 1 << 63, 1)' >in.raw
	tafcreate -n 4 -t flt64 in.raw -o in.taf
	tafcast -t flt64 in.taf | taf2raw >got
	same in.raw got
	tafcast -t flt32 in.taf 2>err | taf2raw | od -An -tx4 -v | xargs >got
	equal "$(cut -d ' ' -f 3,4 <got)" "80000000 00000000"
}

@test "values are physical; --unmap keeps the stored numbers" {
	mktaf a.taf int16 7,3
	tafread a.taf >stored
	map a.taf 0.5 0.25
	tafcast -t flt64 a.taf >b
	perl -ne 'printf "%s\n", 0.5 + 0.25 * $_' stored >want
	same want <(tafread b)
	equal "$(tafprobe -k slope b)" inf
	# to the type it has, too
	tafcast -t int16 a.taf >b 2>err
	perl -ne 'printf "%d\n", int 0.5 + 0.5 + 0.25 * $_' stored >want
	same want <(tafread b)
	grep -q rounded err
	for words in '' '-t int16' '-t flt32' '-t int64'; do
		# shellcheck disable=SC2086 # words
		tafcast --unmap $words a.taf >b 2>err
		same stored <(tafread b)
		equal "$(tafprobe -k slope b)" inf
		[ ! -s err ]
	done
	equal "$(tafprobe -k type b)" int64
}

@test "--scale makes what tafcreate makes" {
	perl -e 'print pack "f<*", map { sin($_ * 0.7) * $_ - 40 } 1 .. 300' >in.raw
	tafcreate -n 20,15 -C words in.raw -o in.taf
	for to in int8 uint8 int16 uint16 int32 uint32 int64 uint64; do
		tafcreate -n 20,15 -C words -e flt32 -t $to in.raw -o want.taf
		tafcast --scale -t $to in.taf -o got.taf 2>err
		same want.taf got.taf
		[ ! -s err ]
		# from a pipe, whose comment comes last; as a stream
		cat in.taf | tafcast --scale -t $to -J 2 -o got.taf
		same want.taf got.taf
		cat in.taf | tafcast --scale -t $to | tafcrop -o got.taf
		same want.taf got.taf
	done
	# each value within half a step
	tafcast --scale -t int16 in.taf >out
	paste -d ' ' <(tafread in.taf) <(tafread out) >both
	perl -ane 'BEGIN { $s = shift } abs($F[0] - $F[1]) <= $s * 0.500001 or die "$_"' \
		"$(tafprobe -k slope out)" both
	equal "$(tafread out | sort -g | sed -n '1p;$p' | xargs printf '%.3f ')" \
		"$(tafread in.taf | sort -g | sed -n '1p;$p' | xargs printf '%.3f ')"
}

@test "--scale: each array has its own range, of physical values" {
	values flt64 'd<' -1 0 0.25 3
	tafcrop in.taf >many
	mktaf m.taf uint8 5,2
	tafread m.taf >stored
	map m.taf 7 -2
	tafcrop in.taf m.taf in.taf >many
	tafcast --scale -t uint8 many >out
	equal "$(tafprobe -N 1 -k slope out)" "$(tafprobe -N 3 -k slope out)"
	equal "$(tafcrop -N 1 out | tafread -r | xargs)" "0 64 80 255"
	# 7 - 2 x from 3 to 66: -125 to 1, slope 126 / 255
	equal "$(tafprobe -N 2 -k intercept out)" "$(sort -n stored | tail -n 1 | awk '{ print 7 - 2 * $1 }')"
	tafcrop -N 2 out | tafread >got
	paste -d ' ' stored got | perl -ane 'abs(7 - 2 * $F[0] - $F[1]) <= 0.51 * 126 / 255 or die $_'
	# the stored numbers of it are integers: they are converted, not scaled
	tafcast --unmap --scale -t int16 m.taf >out
	same stored <(tafread out)
	equal "$(tafprobe -k slope out)" inf
	mktaf big.taf int16 5,2 10
	refuse 3 tafcast --scale -t uint8 big.taf
}

@test "--scale: what is not finite is clipped and told, nothing finite is refused" {
	values flt64 'd<' 1 nan inf -inf 5
	tafcast --scale -t int8 in.taf >out 2>err
	equal "$(<err)" "tafcast: 3 values that are not finite clipped"
	equal "$(tafread -r out | xargs)" "-128 0 127 -128 127"
	values flt32 'f<' nan inf
	refuse 3 tafcast --scale -t int8 in.taf
	mktaf none.taf flt32 3,0,2
	tafcast --scale -t int8 none.taf >out
	equal "$(tafprobe -k type out) $(tafprobe -k shape out) $(tafprobe -k slope out)" "int8 3,0,2 inf"
}

@test "pairs become pairs, and real numbers where they are" {
	printf 'n1=3 data_format="native_complex" in="stdin"\n\n\f\f\004' >c.rsf
	perl -e 'print pack "f*", 1, -2, 0.1, 3e38, 5, 6' >>c.rsf
	tafcast -t complex128 c.rsf >w.rsf
	equal "$(tafprobe -k type w.rsf) $(tafread w.rsf | head -n 1)" "complex128 1 -2"
	tafcast -t complex w.rsf | taf2raw >got
	taf2raw c.rsf >want
	same want got
	printf 'n1=2 n2=1 data_format="native_double" taf_format="complex128" in="stdin"\n\n\f\f\004' >d.rsf
	perl -e 'print pack "d*", 0.1, 1e39' >>d.rsf
	refuse 3 tafcast -t complex d.rsf
	tafcast --clip -t complex d.rsf 2>err | tafread >got
	equal "$(<got)" "0.1 3.4028235e38"
	equal "$(<err)" "tafcast: 1 of 2 values clipped, 1 rounded to complex"
	tafcast --unmap d.rsf | tafread >got
	equal "$(<got)" "0.1 1e39"
	refuse 3 tafcast -t flt64 c.rsf
	refuse 3 tafcast -t int8 --scale c.rsf
	mktaf a.taf flt32 3
	refuse 3 tafcast -t complex a.taf
	# without an imaginary part they are the same as numbers
	for t in complex complex128; do
		tafmath -n 7,300 -t flt64 '(i1 - 4)*(i2 - 150)*3/4' -o want.taf
		tafmath -t $t 'complex(a, i1 == 3 ? -0. : 0)' want.taf -o z.taf
		for to in flt32 flt64 int32 int8; do
			tafcast -q --clip -t $to want.taf -o real.taf
			for how in '-J 1 -m 64k' '-J 3'; do
				# shellcheck disable=SC2086 # words
				tafcast -q --clip $how -t $to z.taf -o got.taf
				same real.taf got.taf
				# shellcheck disable=SC2002,SC2086 # a pipe; words
				cat z.taf | tafcast -q --clip $how -t $to -o got.taf
				same real.taf got.taf
			done
		done
		[[ $(tafcast -t int32 z.taf 2>&1 >out) = "tafcast: "*" of 2100 values rounded to int32" ]]
		refuse 3 tafcast -t int8 z.taf
		[[ $(<err) = *"element [1,1]: value 335.25,0 does not fit int8 (-128 to 127): --clip "* ]]
		for x in 1e-40 nan -inf; do
			tafmath -t $t "complex(a, i1 == 5 and i2 == 299 ? $x : 0)" want.taf -o z.taf
			for how in '' --clip; do
				# shellcheck disable=SC2086 # words
				run -3 --separate-stderr tafcast $how -t flt64 z.taf -o none.taf
				[[ "$stderr" = *"element [5,299]: its imaginary part is "*", not 0: tafmath 'real(a)' takes real parts" ]]
				[ ! -e none.taf ]
			done
		done
	done
}

@test "the same whatever the memory and the threads" {
	mktaf a.taf int32 300001 12345
	tafcast -t flt64 a.taf -o want.taf
	tafcast --scale -t int16 want.taf -o small.taf
	for words in '-J 1' '-J 2' '-J 3 -m 64'; do
		# shellcheck disable=SC2086 # words
		tafcast $words -t flt64 a.taf -o got.taf
		same want.taf got.taf
		# shellcheck disable=SC2086 # words
		cat want.taf | tafcast $words --scale -t int16 -o got.taf
		same small.taf got.taf
	done
}

@test "a wrong invocation" {
	mktaf a.taf int16 3
	refuse 2 tafcast a.taf
	refuse 2 tafcast --clip a.taf
	refuse 2 tafcast -t int a.taf
	grep -q 'known: int8 .* flt64 complex complex128)' err
	refuse 2 tafcast --scale a.taf
	refuse 2 tafcast --scale --unmap a.taf
	refuse 2 tafcast --scale -t flt32 a.taf
	refuse 2 tafcast --scale -t complex a.taf
	refuse 2 tafcast -i -t int8 a.taf
}
