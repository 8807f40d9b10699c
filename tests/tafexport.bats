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
	equal "$(tafexport --csv a.taf)" "$(printf 'column1,column2\n3,24\n10,31\n17,38')"
	equal "$(tafexport --csv -c a.taf | head -n 2)" "$(printf 'grid,column1,column2\n0.5,3,24')"
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
	grep -q 'tafcrop -x 3=1' err
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
	equal "$(tafexport --csv c.rsf)" column1,column2,column3
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
