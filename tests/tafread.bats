# SPDX-License-Identifier: ISC
load helper

@test "values one a line in storage order, as numpy reads them" {
	need numpy
	for type in int8 uint8 int16 uint16 int32 uint32 int64 uint64 flt32 flt64; do
		scale=1
		case $type in flt*) scale=0.1 ;; esac
		mktaf a.taf $type 7,5,3 $scale
		tafread a.taf >got
		"$PYTHON" - $type <<'EOF'
import sys, numpy as np
t = sys.argv[1].replace('flt', 'float')
a = np.fromfile('a.taf', np.dtype(t).newbyteorder('<'), 105, offset=1128)
b = [np.dtype(t).type(x) for x in open('got').read().split('\n')[:-1]]
assert len(b) == 105 and (a == np.array(b)).all()
EOF
	done
}

@test "the fewest digits that read back: those of numpy" {
	need numpy
	"$PYTHON" - <<'EOF'
import numpy as np
rng = np.random.default_rng(3)
for t in ('f4', 'f8'):
    a = rng.integers(0, 2 ** (8 * int(t[1])), 4000, dtype='u' + t[1]).view(t)
    a[:6] = [0, -0.0, np.inf, -np.inf, 0.1, 16777217]
    a.astype('<' + t).tofile(t)
EOF
	tafcreate -n 4000 -t flt32 f4 | tafread >f4.text
	tafcreate -n 4000 -t flt64 f8 | tafread >f8.text
	"$PYTHON" - <<'EOF'
import numpy as np
def digits(s):
    return s.split('e')[0].replace('.', '').replace('-', '').strip('0')
for t in ('f4', 'f8'):
    a = np.fromfile(t, '<' + t)
    text = open(t + '.text').read().split('\n')[:-1]
    assert len(a) == len(text)
    for x, s in zip(a, text):
        if np.isnan(x):
            assert s == 'nan'
            continue
        y = np.dtype(t).type(s)
        assert x == y and np.signbit(x) == np.signbit(y), s
        assert np.isinf(x) or digits(s) == digits(np.format_float_scientific(x)), s
EOF
}

@test "integers keep every digit" {
	printf '\377\377\377\377\377\377\377\177\001\000\000\000\000\000\040\000' >i
	equal "$(tafcreate -t int64 -n 2 i | tafread | xargs)" "9223372036854775807 9007199254740993"
	printf '\377\377\377\377\377\377\377\377' >u
	equal "$(tafcreate -t uint64 -n 1 u | tafread)" 18446744073709551615
	equal "$(tafcreate -t int64 -n 1 u | tafread)" -1
}

@test "the mapping is applied, and -r leaves it out" {
	mktaf a.taf int16 3,2
	# intercept 0.5, slope 0.25; stored are 3 10 17 24 31 38
	perl -e 'open F, "+<:raw", "a.taf"; seek F, 1032, 0; print F pack("d<2", 0.5, 0.25)'
	equal "$(tafread a.taf | xargs)" "1.25 3 4.75 6.5 8.25 10"
	equal "$(tafread -r a.taf | xargs)" "3 10 17 24 31 38"
	refuse 3 tafread --printf %d a.taf
	equal "$(tafread -r --printf %d -x 1=1 -x 2=1 a.taf)" 3
}

@test "-c: a column for each dimension, then the value" {
	need numpy
	mktaf a.taf int32 5,4,3
	tafread -c a.taf >all
	tafread -c -x 1=2:5:3 -g 2=2:2.5 -x 3=-1:end a.taf >some
	"$PYTHON" - <<'EOF'
import numpy as np
a = np.fromfile('a.taf', '<i4', 60, offset=1128).reshape(5, 4, 3, order='F')
def points(I, J, K):
    return [[0.5 + i * 0.25, 1.5 + j * 0.5, 2.5 + k * 0.75, a[i, j, k]]
        for k in K for j in J for i in I]
assert np.loadtxt('all').tolist() == points(range(5), range(4), range(3))
assert np.loadtxt('some').tolist() == points((1, 4), (1, 2), (1, 2))
EOF
}

@test "-b: doubles, and no integer that would change" {
	need numpy
	mktaf a.taf flt32 9,4 0.1
	tafread -b a.taf >got
	mktaf i.taf uint16 9,4
	tafread -b -x 1=2:3 i.taf >some
	"$PYTHON" - <<'EOF'
import os
import numpy as np
NATIVE = os.environ['ORDER'] + 'f8'
assert (np.fromfile('got', NATIVE) == np.fromfile('a.taf', '<f4', 36, offset=1104)).all()
i = np.fromfile('i.taf', '<u2', 36, offset=1104).reshape(9, 4, order='F')
assert (np.fromfile('some', NATIVE) == i[1:3].flatten('F')).all()
EOF
	printf '\000\000\000\000\000\000\040\000\001\000\000\000\000\000\040\000' >i
	tafcreate -t int64 -n 2 i -o i.taf
	tafread -b -x 1=1 i.taf >one
	equal "$(unpack "q$ORDER" one)" "$((0x4340000000000000))"
	status 3 tafread -b i.taf
	grep -q 'value 2' err
	status 3 tafread -b i.taf -o no
	[ ! -e no ]
	refuse 2 tafread -b -c i.taf
	refuse 2 tafread -b --printf %g i.taf
}

@test "--printf is what printf prints" {
	mktaf a.taf flt64 4,3 -0.37
	for f in %g %.3f %e %+012.4E '% g' '%-12g|' %a %A %G %F 'x%%%5.1fy%%' '%#g' '%.0f' %030.20e; do
		tafread --printf "$f" a.taf >got
		perl -e 'open F, "<:raw", "a.taf"; seek F, 1104, 0; local $/;
		    printf "$ARGV[0]\n", $_ for unpack "d<*", <F>' "$f" >want
		same want got
	done
	mktaf i.taf int32 4,3 -3
	for f in %d %i %6d '%-6d,' %+d %06d %.4d %X %x %o '%#x' %g; do
		tafread --printf "$f" i.taf >got
		perl -e 'my $f = shift; open F, "<:raw", "i.taf"; seek F, 1104, 0; local $/;
		    printf "$f\n", $f =~ /[xXo]/ ? $_ & 0xffffffff : $_ for unpack "l<*", <F>' "$f" >want
		same want got
	done
	printf '\377\377\377\377\377\377\377\377' >u
	equal "$(tafcreate -t uint64 -n 1 u | tafread --printf %22d,)" "  18446744073709551615,"
	equal "$(tafcreate -t uint64 -n 1 u | tafread --printf %x)" ffffffffffffffff
	equal "$(tafcreate -t int8 -n 8 u | tafread --printf %x -x 1=8)" ff
	equal "$(tafcreate -t int8 -n 8 u | tafread --printf %u -x 1=8)" -1
}

@test "--printf takes nothing but one conversion of a number" {
	mktaf a.taf int32 4,3
	for f in '' x %% % %n %s %c %p %ld %hhd '%*d' '%.*f' '%1$d' "%'d" %d%d %5.3 %1234d %.1234f '%#d' %-; do
		refuse 2 tafread --printf "$f" a.taf
	done
	refuse 2 tafread --printf "$(head -c 300 /dev/zero | tr '\0' x)%d" a.taf
	tafread --printf %999.999f -x 1=1 -x 2=1 a.taf >long
	equal "$(wc -c <long)" 1002
	mktaf f.taf flt32 4,3
	refuse 3 tafread --printf %d f.taf
	# an integer that is no double is not rounded
	printf '\001\000\000\000\000\000\040\000' | tafcreate -t int64 -n 1 -o i.taf
	refuse 3 tafread --printf %.0f i.taf
	equal "$(tafread --printf %d i.taf)" 9007199254740993
}

@test "complex values are two columns" {
	need numpy
	"$PYTHON" -c "import numpy as np; (np.arange(6) / 8).astype('${ORDER}f4').tofile('c')"
	printf 'n1=3 data_format="native_complex" esize=8 in="c"\n' >c.rsf
	equal "$(tafread c.rsf)" "$(printf '0 0.125\n0.25 0.375\n0.5 0.625')"
	equal "$(tafread -c -x 1=2 c.rsf)" "1 0.25 0.375"
	equal "$(tafread --printf %.3f -x 1=3 c.rsf)" "0.500 0.625"
	tafread -b c.rsf >b
	equal "$("$PYTHON" -c "import numpy as np; print(*np.fromfile('b', '${ORDER}f8'))")" "0.0 0.125 0.25 0.375 0.5 0.625"
}

@test "all arrays of a stream, or the one of -N; the same from file and pipe" {
	mktaf a.taf int16 7,2
	mktaf b.taf flt64 3,3 0.5
	tafcrop a.taf b.taf >s
	{ tafread a.taf; tafread b.taf; } >want
	tafread s >got
	same want got
	tafread <s >got
	same want got
	cat s | tafread >got
	same want got
	tafread -N 2 s >got
	tafread b.taf >want
	same want got
	refuse 2 tafread a.taf b.taf
}

@test "more values than a block has" {
	need numpy
	"$PYTHON" -c "import numpy as np; (np.arange(300007) * 7 % 1000003).astype('<i4').tofile('i')"
	tafcreate -t int32 -n 300007 i -o i.taf
	tafread i.taf >got
	"$PYTHON" -c "print('\n'.join(str(i * 7 % 1000003) for i in range(300007)))" >want
	same want got
	tafread -x 1=1:end:3 i.taf >got
	awk 'NR % 3 == 1' want >third
	same third got
}

@test "any number of threads prints the same bytes, those that numpy has" {
	need numpy
	"$PYTHON" - <<'EOF'
import numpy as np
rng = np.random.default_rng(11)
rng.integers(0, 2 ** 32, 70001, dtype='u4').tofile('bits')
(rng.standard_normal(70001) * 1000).astype('<f4').tofile('f')
EOF
	for n in 16383 16384 16385 32768 49153 70001; do
		head -c $((n * 4)) f | tafcreate -t flt32 -n $n -o f.taf
		tafread -J 1 f.taf >want
		"$PYTHON" - $n <<'EOF'
import sys, numpy as np
n = int(sys.argv[1])
assert (np.loadtxt('want', 'f4') == np.fromfile('f', '<f4', n)).all()
EOF
		for jobs in 2 3 70; do
			tafread -J $jobs f.taf >got
			same want got
			cat f.taf | tafread -J $jobs >got
			same want got
		done
	done
	tafcreate -t flt32 -n 70001 bits -o b.taf
	head -c 139780 bits | tafcreate -t int16 -n 241,290 -o i.taf
	printf 'n1=35000 data_format="native_complex" esize=8 in="f"\n' >c.rsf
	tafcrop b.taf i.taf b.taf >s
	for of in 'b.taf' '-c i.taf' '-c -x 1=3:200:7 i.taf' '-b b.taf' '--printf %9.3e b.taf' \
		'--printf %300d i.taf' 'c.rsf' '-c c.rsf' 's' '-N 2 s'; do
		tafread -J 1 $of >want
		for jobs in 2 3; do
			tafread -J $jobs $of >got
			same want got
		done
	done
	refuse 2 tafread -J 0 b.taf
}

@test "with threads, too, the first value that fails ends it, after all before it" {
	need numpy
	"$PYTHON" - <<'EOF'
import numpy as np
i = np.arange(200003) * 3
i[100002] = i[150000] = 2 ** 53 + 1
i.astype('<i8').tofile('i')
EOF
	tafcreate -t int64 -n 200003 i -o i.taf
	for jobs in 1 2 3; do
		status 3 tafread -J $jobs -b i.taf -o no
		grep -q 'value 100003:' err
		[ ! -e no ]
		status 3 tafread -J $jobs --printf %.0f i.taf
		grep -q 9007199254740993 err
		mv out out.$jobs
		same out.1 out.$jobs
	done
	seq 0 3 300003 | head -n 98304 >want
	head -n 98304 out.1 >got
	same want got
	head -c 400000 i.taf >short.taf
	for jobs in 1 2 3; do
		refuse 3 tafread -J $jobs short.taf
	done
}

@test "what is refused says so and has no output" {
	mktaf a.taf int16 7,2
	refuse 3 tafread -x 1=8 a.taf
	refuse 3 tafread -x 3=1 a.taf
	refuse 2 tafread -x 1 a.taf
	head -c 1110 a.taf >short.taf
	refuse 3 tafread short.taf
	refuse 4 tafread a.taf -o /nowhere/x
	if [ -e /dev/full ]; then
		rc=0
		tafread a.taf >/dev/full 2>err || rc=$?
		equal $rc 4
	fi
}

@test "all processors are used where -J is not said" {
	seq 1 100000 | txt2taf -o many.taf
	uses_processors many.taf tafread
}
