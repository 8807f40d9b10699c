load helper

# the curve data of a script: "CURVE X Y" a line, and "CURVE gap"
curves() {
	awk '/^\$c[0-9]+ << EOD/ { c = substr($1, 3); next } /^EOD/ { c = 0 }
		c && NF == 0 { print c, "gap" } c && NF { print c, $1, $2 }' "$@"
}

# range AXIS FILE: the ends of an axis in a script
range() {
	sed -n "s/^set $1range \[\(.*\):\(.*\)\]\$/\1 \2/p" "$2"
}

# plot FILE ARGUMENTS...: a text of 40 x 12 ASCII characters without title
plot() {
	tafplot --term text --size 40x12 --title '' "${@:2}" "$1"
}

@test "of each column of pixels the smallest and the largest value, against numpy" {
	need numpy
	"$PYTHON" -c '
import numpy as np
r = np.random.default_rng(3)
r.integers(-1000, 1000, (12347, 3), dtype="i2").ravel(order="F").tofile("raw")'
	tafcreate -t int16 -n 12347,3 -a 1=5:0.25 raw -o a.taf
	tafplot --script --size 500x300 a.taf >script
	curves script >data
	tafcrop a.taf | tafplot --script --title a.taf --size 500x300 | cmp - script
	"$PYTHON" - <<'EOF'
import numpy as np
a = np.fromfile('raw', '<i2').reshape(12347, 3, order='F')
data = [l.split() for l in open('data')]
for c in range(3):
    got = [(float(x), float(y)) for k, x, y in data if int(k) == c + 1]
    want = []
    for k in range(500):
        lo, hi = k * 12347 // 500, (k + 1) * 12347 // 500
        v = a[lo:hi, c]
        for i in sorted((v.argmin(), v.argmax())):
            want.append((5 + 0.25 * (lo + i), float(v[i])))
    assert got == want, c
EOF
}

@test "a short line is drawn point by point, a region of it on its grid" {
	mktaf a.taf int16 20,2 3
	tafplot --script a.taf | curves >data
	equal "$(wc -l <data)" 40
	# point i of column 1 is (i * 7 + 3) * 3 while that is below 303
	equal "$(sed -n 1,3p data)" "1 0.5 9
1 0.75 30
1 1 51"
	tafplot --script -x 1=3:9:3 -x 2=1 a.taf | curves >data
	equal "$(cat data)" "1 1 51
1 1.75 114
1 2.5 177"
}

@test "a spike of one sample among millions is there, in little memory" {
	truncate -s 20000000 raw
	printf '\310' | dd of=raw bs=1 seek=12345678 conv=notrunc 2>/dev/null
	tafcreate -t uint8 -n 20000000,1 -a 1=0:1 raw -o a.taf
	tafplot --script a.taf | curves >data
	[ "$(wc -l <data)" -le 1600 ]
	grep -qx '1 12345678 200' data
	grep -vx '1 12345678 200' data | awk '$3 != 0 { exit 1 }'
	# a sanitizer takes more for itself than any limit
	if (ulimit -v 60000 && tafplot -V) >out 2>&1; then
		(ulimit -v 60000; tafplot a.taf >out)
	else
		tafplot a.taf >out
	fi
	# the rows above the bottom one have the spike alone
	equal "$(grep -c '^ *200+' out)" 1
}

@test "the mapping is applied" {
	mktaf a.taf int16 5,1
	printf '\0\0\0\0\0\0\x0c\xc0\0\0\0\0\0\0\xb0\x3f' |
		dd of=a.taf bs=1 seek=1032 conv=notrunc 2>/dev/null
	# -3.5 + x / 16 for 3, 10
	tafplot --script a.taf | curves | sed -n 1,2p >data
	equal "$(cat data)" "1 0.5 -3.3125
1 0.75 -2.875"
}

@test "NaN is a gap, and a point alone is still drawn" {
	perl -e 'print pack "d<7", 1, 2, "nan", 4, "nan", "nan", 5' >raw
	tafcreate -t flt64 -n 7,1 -a 1=0:1 raw -o a.taf
	tafplot --script a.taf >script
	equal "$(curves script)" "1 0 1
1 1 2
1 gap
1 3 4
1 gap
1 6 5"
	awk '/^\$a1/ { on = 1; next } /^EOD/ { on = 0 } on' script >alone
	equal "$(cat alone)" "3 4
6 5"
	# three runs of columns
	plot a.taf | cut -c 4- | awk '{ for (i = 1; i <= length($0); i++)
			if (substr($0, i, 1) == "*") on[i] = 1 }
		END { for (i = 1; i <= 40; i++) n += (i in on) && !((i - 1) in on); print n }' >n
	equal "$(cat n)" 3
}

@test "logarithmic axes leave out what is not positive, with one remark" {
	perl -e 'print pack "d<6", -1, 0, 10, 100, 1000, "inf"' >raw
	tafcreate -t flt64 -n 6,1 -a 1=-1:1 raw -o a.taf
	tafplot --script --log y a.taf >script 2>err
	equal "$(curves script)" "1 1 10
1 2 100
1 3 1000
1 gap"
	grep -q 'logscale y' script
	equal "$(grep -c 'logscale x' script)" 0
	equal "$(cat err)" "tafplot: left out: 1 infinite values, 2 values that are not positive"
	tafplot -q --script --log x a.taf 2>err | curves >data
	[ ! -s err ]
	equal "$(cat data)" "1 1 10
1 2 100
1 3 1000
1 gap"
	refuse 3 tafplot --log y -x 1=1:2 a.taf
	grep -q ': 0 values are NaN, 0 infinite, 2 not positive$' err
	refuse 3 tafplot --log x -x 1=1:2 a.taf
	# grids that fall away from 0, or stay where they are
	for grid in -1:-1 0:-0.5 -3:1e-9 ; do
		tafadjust --start "1=${grid%:*}" --step "1=${grid#*:}" a.taf -o n.taf
		refuse 3 tafplot --log x n.taf || return 1
	done
	for start in 0 -2; do
		printf 'n1=6 o1=%s d1=0 data_format="native_uchar" in="stdin"\n\f\f\004abcdef' "$start" >n.rsf
		refuse 3 tafplot --log x n.rsf || return 1
	done
}

@test "many points on a logarithmic axis: none is lost, pixels are factors" {
	need numpy
	"$PYTHON" -c '
import numpy as np
np.random.default_rng(8).standard_normal(100000).tofile("raw")'
	tafcreate -t flt64 -n 100000,1 -a 1=0.5:0.5 raw -o a.taf
	tafcreate -t flt64 -n 100000,1 -a 1=50000:-0.5 raw -o b.taf
	for f in a b; do
		tafplot --script --log x --size 300x200 $f.taf | curves >data
		"$PYTHON" - $f <<'EOF'
import sys
import numpy as np
v = np.fromfile('raw')
x = 0.5 + 0.5 * np.arange(100000) if sys.argv[1] == 'a' else 50000 - 0.5 * np.arange(100000)
got = np.array([l.split()[1:] for l in open('data')], float)
assert len(got) <= 600
assert (np.diff(got[:, 0]) != 0).all()
# every point that is drawn is a point of the array
assert (v[np.searchsorted(x, got[:, 0])] == got[:, 1]).all() if sys.argv[1] == 'a' else \
    (v[::-1][np.searchsorted(x[::-1], got[:, 0])] == got[:, 1]).all()
# in each pixel that is no edge case the extremes are the array's
pixel = lambda t: np.minimum(np.floor(np.log(t / 0.5) / np.log(100000) * 300 + 1e-9), 299)
px, pg = pixel(x), pixel(got[:, 0])
ends = lambda y: (y.min(), y.max()) if y.size else None
bad = sum(ends(v[px == k]) != ends(got[pg == k, 1]) for k in np.unique(px))
assert bad <= 6, bad
EOF
	done
}

@test "a text: a rising line, its axes and labels" {
	seq 0 30 | txt2taf -o a.taf
	tafadjust -i --start 1=0 --step 1=0.1 --label 1=Time --unit 1=s a.taf
	plot a.taf >out
	head -n 9 out >got
	# what matters: it rises from corner to corner
	equal "$(sed -n 1p got | sed 's/ *$//' | wc -c)" 41
	equal "$(sed -n 9p got | cut -c1-4)" " 0+*"
	awk '{ sub(/^ *[0-9]*[+|]/, ""); n = match($0, /\*/)
		if (NR > 1 && n >= last) exit 1
		last = n }' got
	equal "$(sed -n 10p out | tr -d '+-')" "  "
	equal "$(sed -n 11p out | tr -s ' ')" " 0 1 2 3"
	equal "$(sed -n 12p out | tr -d ' ')" "Time(s)"
	equal "$(wc -l <out)" 12
}

@test "a text of UTF-8 has the same shape in Braille" {
	seq 0 30 | txt2taf -o a.taf
	LC_ALL=en_US.UTF-8 tafplot --term text --size 40x12 --title '' a.taf >out
	equal "$(perl -CSD -ne '$n += () = /[\x{2801}-\x{28ff}]/g; END { print $n > 30 }' out)" 1
	equal "$(grep -c '[*|]' out)" 0
	LC_ALL=C plot a.taf >out
	! LC_ALL=C grep -q '[^ -~]' out
}

@test "constants, one point and a falling grid have axes with room" {
	perl -e 'print pack "d<3", 7, 7, 7' >raw
	tafcreate -t flt64 -n 3,1 -a 1=10:-2 raw -o a.taf
	tafplot --script a.taf >script
	equal "$(grep '^set xrange' script)" "set xrange [6:10]"
	range y script | awk '{ exit !($1 < 7 && $2 > 7) }'
	tafplot --script -x 1=2 a.taf >script
	equal "$(range x script)" "7 9"
	equal "$(curves script)" "1 8 7"
	# the line goes through the middle
	plot a.taf >out
	equal "$(grep -n '\*' out | cut -d: -f1 | sort -u)" 5
}

@test "an image shows of each pixel the value farthest from the mean" {
	need numpy
	"$PYTHON" -c '
import numpy as np
r = np.random.default_rng(9)
a = r.standard_normal((300, 90)).astype("f4")
a[17, 3] = 50
a[200, 80] = -40
a[60:70, 30:40] = np.nan
a.ravel(order="F").tofile("raw")'
	tafcreate -n 300,90 -a 1=0:1 -a 2=0:1 raw -o a.taf
	tafplot --image --script --size 100x60 a.taf >script
	awk '/^\$i << EOD/ { on = 1; next } /^EOD/ { on = 0 } on' script >data
	"$PYTHON" - <<'EOF'
import numpy as np
a = np.fromfile('raw', '<f4').reshape(300, 90, order='F').astype(float)
got = np.array([l.split() for l in open('data')], float)
assert got.shape == (60, 100)
mean = np.nanmean(a)
for j in range(60):
    for i in range(100):
        v = a[i * 3:i * 3 + 3, j * 90 // 60:(j + 1) * 90 // 60].ravel()
        v = v[~np.isnan(v)]
        if v.size == 0:
            assert np.isnan(got[j, i])
        else:
            assert got[j, i] == v[np.abs(v - mean).argmax()], (i, j)
EOF
	plot a.taf --image >out
	equal "$(tr -dc '@' <out | wc -c | tr -d ' ')" 2
}

@test "a single row or column of an image is marked at its grid alone" {
	mktaf a.taf int16 7,5
	tafadjust -i --start 2=2.5 a.taf
	tafplot --image --script -x 2=1 a.taf | grep -qx 'set ytics (2.5)'
	# of a row the columns lie along x, and nothing along y
	tafplot --image --script -x 1=3 -x 2=2:4 a.taf >script
	grep -qx 'set ytics ()' script
	grep -q '^set xtics (' script && return 1
	plot a.taf --image -x 2=1 >out
}

@test "a title or label too long for the picture goes over several lines" {
	mktaf a.taf int16 7,2
	tafplot --script --size 160x100 --title "one two three's äöü four" a.taf >script
	grep -qxF "set title 'one two three''s äöü'.\"\\n\".'four'" script
	tafplot --script --size 160x100 --title 'aaaaaaaaaaaaaaaaaaaabbb' a.taf >script
	grep -qxF "set title 'aaaaaaaaaaaaaaaaaaaa'.\"\\n\".'bbb'" script
	tafplot --script --size 160x100 --title 'aaaaaaaaaaaaaaaaaaaa' a.taf >script
	grep -qxF "set title 'aaaaaaaaaaaaaaaaaaaa'" script
	# labels along their axis, which is less long than the picture is high
	tafadjust -i --label 1='aaaaaaaaaaaaaaa bbbbbb' a.taf
	tafplot --script --size 160x80 --title '' a.taf >script
	grep -qxF "set xlabel 'aaaaaaaaaaaaaaa'.\"\\n\".'bbbbbb'" script
	taftranspose a.taf -o b.taf
	tafplot --script --image --size 300x108 --title '' b.taf >script
	grep -qxF "set ylabel 'aaaaaaaaaa'.\"\\n\".'aaaaa'.\"\\n\".'bbbbbb'" script
	need gnuplot
	tafplot --size 160x200 --title "$(printf '%070d' 7)" a.taf -o a.svg
	equal "$(grep -c '0\{9\}7\{0,1\}<' a.svg)" 4
}

@test "three dimensions are refused with the words of what to crop" {
	mktaf a.taf flt32 6,5,4
	refuse 3 tafplot a.taf
	grep -q -- '-x 3=1' err
	tafplot -x 3=2 a.taf >out
	# a row of points is a line, too
	tafplot --script -x 1=2 -x 3=2 a.taf | curves >data
	equal "$(wc -l <data)" 5
	mktaf b.taf int16 4,1001
	refuse 3 tafplot b.taf
	tafplot --image b.taf >out
}

@test "names and labels are text to gnuplot" {
	mktaf a.taf int16 5,2
	evil="it's'; system('touch evil'); \`touch evil\` @x"
	tafadjust -i --label 1="$evil" --unit 1='$(touch evil)' --label 2="$evil" a.taf
	tafplot --script --title "$evil" a.taf >script
	grep -qF "set title 'it''s''; system(''touch evil''); \`touch evil\` @x'" script
	cp a.taf "b';system('touch evil');'.taf"
	tafplot --script ./b*.taf >script
	grep -qF "set title 'b'';system(''touch evil'');''.taf'" script
	if command -v gnuplot >/dev/null; then
		tafplot -o x.svg ./b*.taf
		tafplot --title "$evil" -o y.svg a.taf
		grep -q "it's'; system('touch evil')" y.svg
	fi
	[ ! -e evil ]
}

@test "control characters do not reach a terminal or a script" {
	mktaf a.taf int16 5,2
	printf '\n--- attributes ---\nlabel@1=a%%1B[31m%%0Ab\302\233\377\n' >>a.taf
	LC_ALL=C.UTF-8 tafplot a.taf >out
	equal "$(LC_ALL=C tr -d '\n' <out | LC_ALL=C grep -c '[[:cntrl:]]')" 0
	tafplot --script a.taf >script
	printf "set xlabel 'a [31m b \303\277'\n" >want
	grep '^set xlabel' script >got
	same want got
}

@test "svg, png and pdf by gnuplot" {
	need gnuplot
	mktaf a.taf int16 300,3
	tafadjust -i --label 1=Time --unit 1=us --label 2=Offset --start 2=0.5 --step 2=1.5 a.taf
	tafplot --title 'Shot 7' --size 640x480 a.taf -o a.svg
	for text in 'Time (us)' 'Shot 7' Offset '>0.5<' '>2<' '>3.5<'; do
		grep -qF "$text" a.svg
	done
	grep -q 'width="640" height="480"' a.svg
	tafplot --term svg --title 'Shot 7' --size 640x480 a.taf >b.svg
	same a.svg b.svg
	tafplot a.taf -o a.png
	equal "$(head -c 4 a.png | od -A n -t x1 | tr -d ' ')" 89504e47
	tafplot a.taf -o a.pdf
	equal "$(head -c 4 a.pdf)" %PDF
	tafplot --image a.taf -o i.svg
	tafplot --script --title 'Shot 7' --size 640x480 a.taf | gnuplot >c.svg
	same a.svg c.svg
}

@test "an image fills its width, up to the numbers and the label of its colours" {
	need gnuplot
	perl -e 'print pack "d<*", map { sin $_ } 1 .. 600' | tafcreate -t flt64 -n 30,20 -e flt64 -o a.taf
	perl -e 'print pack "d<*", map { 1e6 + sin $_ } 1 .. 600' | tafcreate -t flt64 -n 30,20 -e flt64 -o b.taf
	for f in a b; do
		for size in 800x600 400x300 1600x500; do
			tafplot --image --size $size $f.taf -o $f.svg
			# left end of the rightmost numbers, and how many characters the longest has
			perl -0777 -e '
				my ($w, $svg) = (shift, <>);
				my ($x, $n) = (0, 0);
				while ($svg =~ /translate\(([\d.]+),[^)]*\)"[^>]*"start">\s*<text>([^<]*)</g) {
					($x, $n) = ($1, 0) if $1 > $x;
					$n = length $2 if length $2 > $n;
				}
				my $end = $x + 12 * 0.56 * $n;
				die "numbers from $x to $end of $w" unless $n > 0 && $end < $w && $end > $w - 70;
			' "${size%x*}" $f.svg
		done
	done
}

@test "gnuplot missing or failing: status 4, and no file" {
	mktaf a.taf int16 300,3
	mkdir bin
	refuse 4 env PATH="$TAF_BIN:$PWD/bin" tafplot a.taf -o a.svg
	grep -q 'text' err
	printf '#!/bin/sh\necho half\necho "line 1: no luck" >&2\nexit 1\n' >bin/gnuplot
	chmod +x bin/gnuplot
	refuse 4 env PATH="$PWD/bin:$PATH" tafplot a.taf -o a.svg
	grep -q 'no luck' err
	refuse 4 env PATH="$PWD/bin:$PATH" tafplot --term svg a.taf
	printf '#!/bin/sh\nexit 0\n' >bin/gnuplot
	refuse 4 env PATH="$PWD/bin:$PATH" tafplot a.taf -o a.svg
	[ ! -e a.svg ]
	equal "$(echo *)" "a.taf bin err out"
}

@test "what cannot be drawn" {
	perl -e 'print pack "d<2", "nan", "nan"' >raw
	tafcreate -t flt64 -n 2,1 raw -o nan.taf
	refuse 3 tafplot nan.taf
	mktaf a.taf int16 5,2
	tafcrop a.taf a.taf >two.rsf
	refuse 3 tafplot two.rsf
	tafplot -N 2 two.rsf >out
	mktaf e.taf int16 0,2
	refuse 3 tafplot e.taf
	perl -e 'print pack "d<2", 1e305, -1e305' >raw
	tafcreate -t flt64 -n 2,1 raw -o big.taf
	refuse 3 tafplot --script big.taf
	tafplot big.taf >out
	refuse 3 tafplot /dev/null
}

@test "several arrays are refused without -N, announced or not" {
	mktaf a.taf int16 50,2
	tafcrop a.taf >one.rsf
	cat one.rsf one.rsf >two.rsf
	refuse 3 tafplot two.rsf
	refuse 3 bash -c 'cat two.rsf | tafplot'
	refuse 3 bash -c 'tafcrop a.taf a.taf | tafplot --script'
	cat two.rsf | tafplot -N 2 --title t >got
	tafplot --title t one.rsf >want
	same want got
}

@test "wrong invocations" {
	mktaf a.taf int16 5,2
	refuse 2 tafplot --term gif a.taf
	refuse 2 tafplot -o a.gif a.taf
	grep -q '^tafplot: -o a.gif: ' err
	refuse 2 tafplot -o picture a.taf
	refuse 2 tafplot --size 10 a.taf
	refuse 2 tafplot --size 0x5 a.taf
	refuse 2 tafplot --size 10x5 a.taf
	refuse 2 tafplot --size 10x10 --term svg a.taf
	refuse 2 tafplot --log z a.taf
	refuse 2 tafplot --log x --image a.taf
	refuse 2 tafplot --script --term text a.taf
	refuse 2 tafplot a.taf a.taf
}

@test "a text from the corpus: the pulse of a LeCroy capture" {
	need corpus
	lecroy2taf "$TAF_CORPUS/vendor/lecroy/wr64xia_pulse.trc" -o a.taf
	tafplot --title '' --size 60x20 a.taf >out
	grep -q 'Time (s)' out
	tafplot --script a.taf | curves >data
	tafsummarize -j a.taf >facts
	awk 'NR == 1 || $3 > max { max = $3 } END { print max }' data >max
	grep -q "\"max\":$(cut -c1-6 max)" facts
}
