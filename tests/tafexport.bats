# SPDX-License-Identifier: ISC
load helper

@test "header, a line for each row, comment" {
	mktaf a.taf int16 3,2
	tafadjust --label 1=Time --unit 1=s a.taf -o b.taf
	tafcomment -C 'first line' -C '1 2' b.taf -o c.taf
	# stored column by column: 3 10 17, 24 31 38
	tafexport c.taf >got
	cat >want <<'EOF'
# name: c.taf
# time: 2001-09-09T01:46:40Z
# rows: 3
# columns: 2
# grid 1: start 0.5, step 0.25 s, Time
# grid 2: start 1.5, step 0.5
# names: C1,C2
3 24
10 31
17 38
# first line
# 1 2
EOF
	same want got
}

@test "the numbers are those that numpy has, for every type, file and pipe, and little memory" {
	need numpy
	for type in int8 uint16 int64 flt32 flt64; do
		scale=1
		case $type in flt*) scale=0.1 ;; esac
		mktaf a.taf $type 57,23 $scale
		tafexport --no-header a.taf >got
		"$PYTHON" - $type <<'EOF'
import sys, numpy as np
t = sys.argv[1].replace('flt', 'float')
a = np.fromfile('a.taf', np.dtype(t).newbyteorder('<'), 57 * 23, offset=1104)
b = np.loadtxt('got', t)
assert b.shape == (57, 23) and (a.reshape(57, 23, order='F') == b).all()
EOF
		cat a.taf | tafexport --no-header -m 1 >piped
		same got piped
	done
	tafexport a.taf >commented
	"$PYTHON" -c "import numpy as np; assert (np.loadtxt('commented') == np.loadtxt('got')).all()"
}

@test "tables that exceed memory, wide and long, from file and pipe" {
	need numpy
	"$PYTHON" -c "import numpy as np; (np.arange(600007 * 5, dtype='<i8') * 7 % 1000003).astype('<i4').tofile('i')"
	for shape in 600007,5 5,600007 1731,1733 1,3000035; do
		"$PYTHON" - $shape <<'EOF'
import sys, numpy as np
r, c = map(int, sys.argv[1].split(','))
a = np.fromfile('i', '<i4', r * c).reshape(r, c, order='F')
with open('want', 'w') as f:
    for row in a:
        f.write(' '.join(map(str, row.tolist())) + '\n')
EOF
		n=$((${shape%,*} * ${shape#*,} * 4))
		head -c $n i | tafcreate -t int32 -n $shape -o a.taf
		tafexport --no-header a.taf >got
		same want got
		tafexport --no-header -m 64k a.taf >got
		same want got
		cat a.taf | tafexport --no-header -m 1M >got
		same want got
	done
}

@test "the mapping is applied, and -r leaves it out" {
	mktaf a.taf int16 3,2
	perl -e 'open F, "+<:raw", "a.taf"; seek F, 1032, 0; print F pack("d<2", 0.5, 0.25)'
	equal "$(tafexport --no-header a.taf)" "$(printf '1.25 6.5\n3 8.25\n4.75 10')"
	equal "$(tafexport --no-header -r a.taf)" "$(printf '3 24\n10 31\n17 38')"
	equal "$(tafexport --no-header --printf %.1e a.taf | head -n 1)" "1.2e+00 6.5e+00"
	refuse 3 tafexport --printf %d a.taf
	refuse 2 tafexport --printf %n a.taf
}

@test "-c puts the grid first; --csv has one line of names" {
	mktaf a.taf int16 3,2
	equal "$(tafexport --no-header -c a.taf)" "$(printf '0.5 3 24\n0.75 10 31\n1 17 38')"
	equal "$(tafexport --csv a.taf)" "$(printf 'C1,C2\n3,24\n10,31\n17,38')"
	equal "$(tafexport --csv -c a.taf | head -n 2)" "$(printf 'grid,C1,C2\n0.5,3,24')"
	equal "$(tafexport --csv --no-header a.taf | head -n 1)" "3,24"
	tafcomment -C 'lost' a.taf -o c.taf
	status 0 tafexport --csv c.taf
	grep -q comment err
	status 0 tafexport --csv --no-header c.taf
	[ ! -s err ]
}

@test "one dimension is a column; complex values are two" {
	need numpy
	"$PYTHON" -c "import numpy as np; (np.arange(12) / 8).astype('${ORDER}f4').tofile('c')"
	printf 'n1=12 data_format="native_float" esize=4 in="c"\n' >f.rsf
	equal "$(tafexport --no-header f.rsf | head -n 3 | xargs)" "0 0.125 0.25"
	printf 'n1=3 n2=2 data_format="native_complex" esize=8 in="c"\n' >c.rsf
	equal "$(tafexport --csv c.rsf)" "$(printf 'real1,imag1,real2,imag2\n0,0.125,0.75,0.875\n0.25,0.375,1,1.125\n0.5,0.625,1.25,1.375')"
}

@test "more than two dimensions are refused, with the way out" {
	mktaf a.taf int16 3,2,4
	refuse 3 tafexport a.taf
	grep -q 'as -x 3=1 does' err
	tafcrop -x 3=2 a.taf | tafexport --no-header >got
	# elements 6 to 11
	equal "$(xargs <got)" "45 66 52 73 59 80"
}

@test "what txt2taf makes of it is the same array" {
	mktaf a.taf flt64 31,7 0.1
	tafcomment -C '1 2 3 4 5 6 7' -C 'end' a.taf -o c.taf
	tafexport c.taf | txt2taf --trailer -t flt64 -o back.taf 2>err
	[ ! -s err ]
	taf2raw a.taf >want
	taf2raw back.taf >got
	same want got
	tafexport -c c.taf | txt2taf --trailer -c -t flt64 -o back.taf
	equal "$(tafprobe -k o1 back.taf) $(tafprobe -k d1 back.taf) $(tafprobe -k shape back.taf)" "0.5 0.25 31,7"
	taf2raw back.taf >got
	same want got
	tafexport --csv c.taf 2>/dev/null | txt2taf -t flt64 -o back.taf
	taf2raw back.taf >got
	same want got
}

@test "columns without a row have no endless line of names" {
	printf 'n1=0 n2=1099511627776 data_format="native_float" esize=4 in="c"\n' >c.rsf
	: >c
	refuse 3 timeout 60 tafexport --csv c.rsf
	grep -q 'no rows, and 1099511627776 columns' err
	equal "$(tafexport --csv --no-header c.rsf)" ""
	printf 'n1=0 n2=3 data_format="native_float" esize=4 in="c"\n' >c.rsf
	equal "$(tafexport --csv c.rsf)" C1,C2,C3
	# nor has a header one of so many that no pipe can hold them
	printf 'n1=2 n2=1073741824 data_format="native_short" in="stdin"\n\n\f\f\004abc' >c.rsf
	cat c.rsf | ends 3 timeout 60 tafexport >got
	[ "$(wc -l <got)" -le 6 ]
}

@test "all arrays of a stream, an empty line between; no rows" {
	mktaf a.taf int16 3,2
	mktaf b.taf flt32 2,2 0.5
	tafcrop a.taf b.taf | tafexport --no-header >got
	same got <(printf '3 24\n10 31\n17 38\n\n1.5 8.5\n5 12\n')
	mktaf e.taf int16 0,2
	equal "$(tafexport --no-header e.taf)" ""
	mktaf e.taf int16 2,0
	equal "$(tafexport --no-header e.taf)" ""
}

@test "any number of threads prints the same table" {
	need numpy
	"$PYTHON" - <<'EOF'
import numpy as np
np.random.default_rng(12).standard_normal(210000).astype('<f4').tofile('f')
EOF
	for shape in 210000,1 1,210000 70000,3 30000,7 7,30000 16384,12 431,487; do
		n=$((${shape%,*} * ${shape#*,} * 4))
		head -c $n f | tafcreate -t flt32 -n $shape -C 'end' -o a.taf
		tafexport -J 1 --no-header a.taf >want
		"$PYTHON" - $shape <<'EOF'
import sys, numpy as np
r, c = map(int, sys.argv[1].split(','))
a = np.fromfile('f', '<f4', r * c).reshape(r, c, order='F')
assert (np.loadtxt('want', 'f4', ndmin=2) == a).all()
EOF
		for jobs in 2 3; do
			tafexport -J $jobs --no-header a.taf >got
			same want got
			cat a.taf | tafexport -J $jobs -m 64k --no-header >got
			same want got
		done
		for of in '' --csv '-c --printf %.3g' '--csv -c'; do
			tafexport -q -J 1 $of a.taf >want
			tafexport -q -J 3 $of a.taf >got
			same want got
		done
	done
}

@test "all processors are used where -J is not said" {
	seq 1 100000 | txt2taf -o many.taf
	uses_processors many.taf tafexport
}

@test "-x and -g are what tafcrop does before it" {
	local from of
	mktaf a.taf flt64 31,7 0.1
	mktaf b.taf int16 31,7,2
	tafcomment -i -C 'after the rows' a.taf
	tafcrop -x 3=2 --squeeze b.taf | tafcrop - a.taf >two.rsf
	printf 'n1=4 n2=3 data_format="ascii_float" in="text"\n' >text.rsf
	seq 1.5 13 >text
	perl -e 'print pack "f<*", map { $_ / 8 } 1 .. 30' >raw
	printf 'n1=5 n2=3 data_format="native_complex" taf_order="little" esize=8 in="raw"\n' |
		tafcrop -o c.taf
	for of in '-x 1=4:20:3 -x 2=2:5' '-g 1=1:3 -x 2=3' '-x 2=2:5' '-x 2=1:7:3' '-x 1=2:end' '-x 1=1'; do
		for from in a.taf two.rsf text.rsf c.taf; do
			[ "${of/2=*:/}" = "$of" ] || [ $from = a.taf ] || [ $from = two.rsf ] || continue
			tafcrop $of $from >part.rsf
			tafexport -c part.rsf | grep -v '^# n' >want
			tafexport -c $of $from | grep -v '^# n' >got
			same want got
			cat $from | tafexport -c $of | grep -v '^# n' >got
			same want got
			cat $from | tafexport -m 64k -J 2 -c $of | grep -v '^# n' >got
			same want got
		done
	done
	tafexport -N 2 -x 2=3 --no-header two.rsf >got
	same got <(tafread -x 2=3 a.taf)
	equal "$(tafexport --no-header -x 3=2 -x 1=1:2 -x 2=1 b.taf)" "$(tafread -x 3=2 -x 1=1:2 -x 2=1 b.taf)"
	refuse 3 tafexport -x 2=8 a.taf
	refuse 3 tafexport -x 2=1 b.taf
	refuse 2 tafexport -x 2=1 -x 2=1 a.taf
}

# vast FILE: 1e6 by 1e6 elements of uint8, a hole but for [3,2] and [5,999999]
vast() {
	perl -e 'print "TAF \x01\x00\x00\n", " " x 1016, pack("a8Q<2Q<", "uint8", (0x7ff0000000000000) x 2, 2), pack("Q<d<d<", 1e6, 1, 1) x 2' >"$1"
	truncate -s $((1056 + 48 + 10 ** 12)) "$1"
	printf '\x07' | dd of="$1" bs=1 seek=$((1056 + 48 + 10 ** 6 + 2)) conv=notrunc 2>/dev/null
	printf '\x09' | dd of="$1" bs=1 seek=$((1056 + 48 + 999998 * 10 ** 6 + 4)) conv=notrunc 2>/dev/null
}

@test "a part of a terabyte takes no longer than a file of that size" {
	vast v.taf
	equal "$(timeout 60 tafexport --no-header -x 1=3:5 -x 2=2:999999:999997 v.taf | xargs)" "7 0 0 0 0 9"
	equal "$(timeout 60 tafexport --no-header -g 1=3:5 -x 2=-1 v.taf | xargs)" "0 0 9"
	timeout 60 tafsummarize -j -x 1=3:5 -x 2=2:999999:999997 v.taf >out
	grep -q '"count":6,"min":0,"max":9,' out
	grep -q '"min_index":\[4,2\],"max_index":\[5,999999\]' out
}

@test "columns are named with their units, and txt2taf -c takes the names back" {
	local channel k of
	perl -e 'print pack "d<*", map { sin } 1 .. 15' |
		tafcreate -t flt64 -e flt64 -n 5,3 -a 1=-1e-8:2e-9 -o a.taf
	tafadjust -i --label 1=Time --unit 1=s a.taf
	tafput -i unit=V a.taf
	equal "$(tafexport --csv -c a.taf | head -n 1)" 'Time (s),C1 (V),C2 (V),C3 (V)'
	equal "$(tafexport -c a.taf | grep names)" '# names: Time (s),C1 (V),C2 (V),C3 (V)'
	equal "$(tafexport -c -x 2=1:3:2 a.taf | grep names)" '# names: Time (s),C1 (V),C3 (V)'
	for channel in CH1,CH2,CH3 'a "b",5,µ' 'A (x),B;,C ' 'C1,C2,D'; do
		tafput channel="$channel" a.taf -o b.taf
		for of in '' --csv; do
			tafexport -c $of b.taf | txt2taf -c --trailer -t flt64 -o back.taf
			for k in label1 unit1 unit channel o1 d1 shape; do
				equal "$(tafprobe -k $k back.taf)" "$(tafprobe -k $k b.taf)"
			done
			same <(tafread b.taf) <(tafread back.taf)
			same <(tafexport -c --csv b.taf) <(tafexport -q -c --csv back.taf)
		done
		tafexport -c --csv -x 2=2:3 b.taf >got
		tafcrop -x 2=2:3 b.taf | tafput channel="${channel#*,}" | tafexport -c --csv >want
		same want got
	done
	# a name for all columns is one of none
	tafput channel=CH1 a.taf | tafexport --csv | head -n 1 >got
	equal "$(cat got)" 'C1 (V),C2 (V),C3 (V)'
	tafcrop -x 2=2 a.taf | tafput channel=CH2 | tafexport --csv -c | txt2taf -c -o one.taf
	equal "$(tafprobe -k channel one.taf) $(tafprobe -k unit one.taf)" 'CH2 V'
	# no label, no unit
	tafput --clear a.taf | tafexport --csv -c >got
	equal "$(head -n 1 got)" 'grid,C1,C2,C3'
	txt2taf -c <got | tafprobe -j >out
	grep -q '"label1":null,"unit1":null,.*"attributes":{}' out
}
