# SPDX-License-Identifier: ISC
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

@test "--band draws a value and so many of its uncertainties beside it" {
	# a value, a sigma; a gap where sigma is NaN, or infinite, or alone
	perl -e 'print pack "d<16", 5, 1, 6, .5, 7, "nan", 8, -.25, 9, "inf", 4, 2, "nan", 1, 3, 1' >raw
	tafcreate -t flt64 -n 2,8 -a 2=10:2 raw -o a.taf
	tafplot --script --band 3 a.taf >script
	awk '/^\$b1/ { on = 1; next } /^EOD/ { on = 0 } on' script >band
	equal "$(cat band)" "10 2 8
12 4.5 7.5

15 7.25 8.75
17 7.25 8.75

19 -2 10
21 -2 10

23 0 6
25 0 6"
	equal "$(curves script)" "1 10 5
1 12 6
1 14 7
1 16 8
1 18 9
1 20 4
1 gap
1 24 3"
	grep -q "b1 with filledcurves .* title '3 sigma'" script
	# the axis has all of the band
	grep -qx 'set yrange \[-2.36:10.36\]' script
	# the first of two arrays, and lines of one
	tafmath -n 2,5,3 -t flt64 'i1 == 1 ? 10*i2 + i3 : i3' -o b.taf
	tafplot --script --band 1 b.taf >script
	awk '/^\$b3/ { on = 1; next } /^EOD/ { on = 0 } on' script >band
	equal "$(cat band)" "$(seq 1 5 | awk '{ print $1, 10 * $1, 10 * $1 + 6 }')"
	equal "$(grep -o 'sigma' script | wc -l)" 1
	tafplot --script --legend off --band 1 b.taf >script
	equal "$(grep -c 'sigma' script)" 0
	# from a pipe, in odd pieces, the same
	tafplot --script --band 1 b.taf >want
	tafcrop b.taf | perl -e '$| = 1; while (sysread STDIN, $_, 37) { syswrite STDOUT, $_ }' |
		tafplot --title b.taf --script --band 1 >script
	same want script
	# many points of a column: the lowest and the highest of them
	tafmath -n 2,30000 -t flt64 'i1 == 1 ? 0 : i2 % 10' -o c.taf
	tafplot --script --band 2 c.taf | awk '/^\$b1/ { on = 1; next } /^EOD/ { on = 0 } on' >band
	equal "$(wc -l <band) $(awk '{ print $2, $3 }' band | sort -u)" "960 -18 18"
	# what a logarithmic axis has no place for goes to its end
	tafplot -q --script --log y --band 2 a.taf | awk '/^\$b1/ { on = 1; next } /^EOD/ { on = 0 } on' >band
	equal "$(sed -n '1p;7,8p' band)" "10 3 7
19 1 8
21 1 8"
	refuse 3 tafplot --band 2 -x 1=1 a.taf
	grep -q 'dimension 1 is 1 long' err
	for k in 0 -1 nan x; do
		refuse 2 tafplot --band "$k" a.taf
	done
	refuse 2 tafplot --band 2 --image a.taf
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

@test "the pixels of an image, and many lines, are in -m or in a file" {
	tafmath -q -n 1000,600 'sin(i1 * i2 / 1e4)' -o a.taf
	limited d 6000 tafplot -V >out 2>err || skip "it does not start in 6 MB"
	for how in --image '-q -x 1=1:1000'; do
		tafplot -m 64M $how --script a.taf >want
		limited d 6000 tafplot -m 4M $how --script a.taf >got
		same want got
	done
	ends 4 limited d 6000 tafplot -m 64M --image --script a.taf >got
	TMPDIR=nowhere refuse 4 tafplot -m 4M --image --script a.taf
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
	# letters of 10 pixels are 6 wide: 26 beside each other
	tafplot --script --size 160x100 --title "one two three's äöü fou five" a.taf >script
	grep -qxF "set title \"one two three's äöü fou\".\"\\n\".'five'" script
	title=$(printf '%026d' 1)
	tafplot --script --size 160x100 --title "${title}bbb" a.taf >script
	grep -qxF "set title '$title'.\"\\n\".'bbb'" script
	tafplot --script --size 160x100 --title "$title" a.taf >script
	grep -qxF "set title '$title'" script
	# labels along their axis, which is less long than the picture is high
	tafadjust -i --label 1='aaaaaaaaaaaaaaa bbbbbb' a.taf
	tafplot --script --size 100x80 --title '' a.taf >script
	grep -qxF "set xlabel 'aaaaaaaaaaaaaaa'.\"\\n\".'bbbbbb'" script
	grep -q '^set lmargin' script && return 1
	taftranspose a.taf -o b.taf
	tafplot --script --image --size 300x80 --title '' b.taf >script
	grep -qxF "set ylabel 'aaaaaaaaaa'.\"\\n\".'aaaaa'.\"\\n\".'bbbbbb'" script
	# the label does not lie on the numbers: one line more is two letters more
	margin=$(sed -n 's/^set lmargin //p' script)
	tafplot --script --image --size 300x120 --title '' b.taf >script
	equal "$(sed -n 's/^set lmargin //p' script)" $((margin - 2))
	need gnuplot
	tafplot --size 160x200 --title "$(printf '%070d' 7)" a.taf -o a.svg
	equal "$(grep -c '0\{3\}7\{0,1\}<' a.svg)" 3
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
	grep -qF "set title \"it's'; system('touch evil'); \\140touch evil\\140 @x\"" script
	cp a.taf "b';system('touch evil');'.taf"
	tafplot --script ./b*.taf >script
	grep -qF "set title \"b';system('touch evil');'.taf\"" script
	if command -v gnuplot >/dev/null; then
		tafplot -o x.svg ./b*.taf
		tafplot --title "$evil" -o y.svg a.taf
		grep -q "it's'; system('touch evil')" y.svg
	fi
	[ ! -e evil ]
}

@test "an apostrophe at the beginning of a label, unit, title or file name is text" {
	mktaf a.taf int16 5
	tafput "label@1='"'\`touch evil` @x $(x)' "unit@1='" "label='" "unit='" a.taf -o "'b'.taf"
	tafplot --script --title "'a\"b\\n" "'b'.taf" >script
	grep -qxF 'set title "'"'"'a\"b\\n"' script
	grep -qxF 'set xlabel "'"'"'\\\140touch evil\140 @x $(x) ('"'"')"' script
	need gnuplot
	tafplot --title "'a\"b\\n" "'b'.taf" -o b.svg
	grep -qF "<text>'a\"b\\n</text>" b.svg
	grep -qF "<text>'"'\`touch evil` @x $(x)'" (')</text>" b.svg
	grep -qF "<text>' (')</text>" b.svg
	tafplot --legend on --title '' a.taf "'b'.taf" -o c.svg
	grep -qF "<text>'b'.taf</text>" c.svg
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
				my ($w, $h, $svg) = (shift, shift, <>);
				my $size = 16 * sqrt($w * $h / 960 / 540);
				$size = 10 if $size < 10;
				my ($x, $n) = (0, 0);
				while ($svg =~ /translate\(([\d.]+),[^)]*\)"[^>]*"start">\s*<text>([^<]*)</g) {
					($x, $n) = ($1, 0) if $1 > $x;
					$n = length $2 if length $2 > $n;
				}
				my $end = $x + $size * 0.56 * $n;
				die "numbers from $x to $end of $w" unless $n > 0 && $end < $w && $end > $w - 6 * $size;
			' "${size%x*}" "${size#*x}" $f.svg
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
	mktaf e.taf int16 0,2
	refuse 3 tafplot e.taf
	perl -e 'print pack "d<2", 1e305, -1e305' >raw
	tafcreate -t flt64 -n 2,1 raw -o big.taf
	refuse 3 tafplot --script big.taf
	tafplot big.taf >out
	refuse 3 tafplot /dev/null
}

@test "several arrays lie over each other, announced or not, and -N draws one" {
	mktaf a.taf int16 50,2
	tafcrop -x 2=1 a.taf >one.rsf
	tafcrop -x 2=2 a.taf >>one.rsf
	tafcrop -x 2=1 a.taf -o 1.taf
	tafcrop -x 2=2 a.taf -o 2.taf
	tafplot --script a.taf | curves >want
	tafplot --script one.rsf | curves >got
	same want got
	tafplot --script 1.taf 2.taf | curves >got
	same want got
	tafcrop 1.taf 2.taf | tafplot --script >script
	curves script >got
	same want got
	tafplot --script -N 2 --title t one.rsf | curves >got
	sed -n 's/^2/1/p' want >want1
	same want1 got
	# of an image there is one
	refuse 3 tafplot --image one.rsf
	refuse 3 tafplot --image 1.taf 2.taf
	refuse 3 bash -c 'tafcrop 1.taf 2.taf | tafplot --image --script'
	tafplot --image -N 2 one.rsf >out
}

# titles FILE: the names of the lines in a script
titles() {
	grep '^plot ' "$1" | grep -o " title '[^']*'" | cut -d\' -f2
}

@test "axes have the SI prefix of their range, and the data stay as they are" {
	# UNIT FIRST STEP of 11 points, and what gnuplot gets: UNIT LO HI FACTOR
	seq 1 11 | txt2taf -o u.taf
	while read -r unit first step want lo hi factor; do
		tafadjust --start "1=$first" --step "1=$step" --unit "1=$unit" u.taf |
			tafplot --script >script
		# the second point stands in the data as it is in the array
		awk -v a="$first" -v b="$step" '/^set xlabel/ { unit = $3 }
			/^set xrange/ { range = $3 } /^plot/ { using = $3 == "using" ? $4 : 1 }
			/EOD/ { n = 0 } n++ == 2 { x = $1 / (a + b) }
			END { print unit, range, using, (x > 0.999999 && x < 1.000001) }' script >got
		[ "$factor" = 1 ] || factor="(\$1$factor):2"
		equal "$(cat got)" "'$want' [$lo:$hi] $factor 1" || return 1
	done <<-'END'
		s	0	1e-8	ns	0	100	*1e9
		s	-1e-8	5e-9	ns	-10	40	*1e9
		s	0	2e-7	µs	0	2	*1e6
		s	0	500	s	0	5000	1
		ms	0	500	s	0	5	/1e3
		ms	0	50	ms	0	500	1
		us	0	0.05	ns	0	500	*1e3
		Hz	0	5e7	MHz	0	500	/1e6
		kHz	0	5e7	GHz	0	500	/1e6
		V	0	0.0002	mV	0	2	*1e3
		m	0	5e5	km	0	5000	/1e3
		cm	0	200	m	0	20	/1e2
		kg	0	0.05	g	0	500	*1e3
		Ohm	0	500	kOhm	0	5	/1e3
		V/s	0	5000	V/s	0	50000	1
		dB	0	5000	dB	0	50000	1
		%	0	5000	%	0	50000	1
		deg	0	0.0004	deg	0	0.004	1
		C	0	500	C	0	5000	1
		pts	0	0.0004	pts	0	0.004	1
	END
	seq 1 11 | txt2taf | tafadjust --step 1=1e-8 --start 1=0 --unit 1=s -o a.taf
	tafplot --script --no-prefix a.taf >script
	equal "$(range x script)" "0 1e-7"
	grep -qx "set xlabel 's'" script
	grep -q '^plot .* using' script && return 1
	# and without a label numbers that nobody could tell
	tafplot --script --xlabel '' a.taf >script
	equal "$(range x script)" "0 1e-7"
	tafplot --script --xlabel 'It is' --ylabel Height a.taf >script
	grep -qx "set xlabel 'It is (ns)'" script
	grep -qx "set ylabel 'Height'" script
	# in a text the same
	LC_ALL=C plot a.taf >out
	equal "$(sed -n 11p out | tr -s ' ') $(sed -n 12p out | tr -d ' ')" " 0 50 100 ns"
	seq 1 11 | txt2taf | tafadjust --step 1=2e-7 --start 1=0 --unit 1=s -o a.taf
	plot a.taf >out
	equal "$(sed -n 12p out | tr -d ' ')" us
}

@test "values and the colours of an image have prefixes, too" {
	perl -e 'print pack "d<*", map { $_ * 1e-3 } 1 .. 6' | tafcreate -t flt64 -n 3,2 -e flt64 |
		tafput label=Voltage unit=V label@2=Place unit@2=m | tafadjust --start 2=0 --step 2=1e-6 -o a.taf
	tafplot --script a.taf >script
	grep -qx "set ylabel 'Voltage (mV)'" script
	range y script | awk '{ exit !($1 > 0.8 && $1 < 1 && $2 > 6 && $2 < 6.2) }'
	grep -q 'using 1:($2\*1e3) ' script
	equal "$(titles script | tr '\n' ' ')" "0 1 "
	grep -qx "set key title 'Place (µm)'" script
	tafplot --script --image a.taf >script
	equal "$(range cb script) $(range y script)" "1 6 -0.5 1.5"
	equal "$(sed -n '/EOD$/,/^EOD/p' script | xargs)" '$i << EOD 1 2 3 4 5 6 EOD'
	grep -q '^plot $i matrix axes x2y2 with image' script
	# the second axes count pixels, and turn round where the grid does
	equal "$(range x script) $(range x2 script)" "0.5 3.5 -0.5 2.5"
	tafplot --script --image <(tafadjust --step 1=-1 a.taf) >script
	equal "$(range x script) $(range x2 script)" "-1.5 1.5 2.5 -0.5"
	grep -qx "set cblabel 'Voltage (mV)'" script
	# over many powers of ten each number has its own
	tafadjust --start 1=1e3 --step 1=1e7 --unit 1=kHz --label 1=f a.taf -o b.taf
	tafplot --script --log x b.taf >script
	grep -q "^set xtics ('1M' 1000000, '10M' 10000000, .*'10G' 10000000000, '' 2000000 1, " script
	equal "$(range x script)" "999999.999999 20001000000.02"
	grep -qx "set xlabel 'f (Hz)'" script
	plot b.taf --log x >out
	equal "$(sed -n 10p out | tr -s ' ')" " 1M 1G"
}

@test "files over each other have their units, names and grids in common" {
	seq 1 50 | txt2taf | tafadjust --start 1=0 --step 1=1e-9 --unit 1=s | tafput unit=V channel=C1 -o a.taf
	seq 1 40 | txt2taf | tafadjust --start 1=10 --step 1=1 --unit 1=ns | tafput unit=mV channel=C2 -o b.taf
	tafplot --script a.taf b.taf >script 2>err
	[ ! -s err ]
	# b's nanoseconds and millivolts are a's seconds and volts
	equal "$(curves script | grep '^2' | awk 'NR == 1 || NR == 40 { printf "%.9g %.9g\n", $2, $3 }')" "1e-08 0.001
4.9e-08 0.04"
	equal "$(range x script)" "0 49"
	range y script | awk '{ exit !($1 < 0.001 && $2 > 50) }'
	equal "$(titles script | tr '\n' ' ')" "C1 C2 "
	grep -q '^set title' script && return 1
	tafput channel=C1 b.taf -o c.taf
	tafplot --script a.taf c.taf >script
	equal "$(titles script | tr '\n' ' ')" "a.taf c.taf "
	tafplot --script --name channel a.taf b.taf >script
	equal "$(titles script | tr '\n' ' ')" "C1 C2 "
	tafcrop a.taf b.taf | tafplot --script >script
	equal "$(titles script | tr '\n' ' ')" "C1 C2 "
	tafcrop a.taf a.taf >two.rsf
	tafplot --script two.rsf b.taf >script
	equal "$(titles script | tr '\n' ',')" "two.rsf, array 1,two.rsf, array 2,b.taf,"
	# what has no point in common with the others is seen, and said
	tafadjust --start 1=1e-6 a.taf -o c.taf
	tafplot --script a.taf c.taf >script 2>err
	range x script | awk '{ exit !($1 == 0 && $2 > 1.0489 && $2 < 1.0491) }'
	equal "$(cat err)" "tafplot: c.taf: its grid, 1e-06 to 1.049e-06, overlaps with none before, 0 to 4.9e-08"
	tafput unit=A a.taf -o c.taf
	refuse 3 tafplot --script a.taf c.taf
	equal "$(cat err)" "tafplot: c.taf: its values are in A, those before in V: they have no axis in common"
	tafadjust --unit 1=Hz a.taf -o c.taf
	refuse 3 tafplot a.taf c.taf
	grep -q 'its grid is in Hz, those before in s' err
	tafplot --term text a.taf b.taf >out
	grep -q '^ *1: C1  2: C2$' out
}

@test "labels that differ name the arrays of several files, equal or missing ones do not" {
	mktaf a.taf int16 50
	tafput label=Probe a.taf -o b.taf
	tafput label=Reference a.taf -o c.taf
	tafplot --script b.taf c.taf >script
	equal "$(titles script | tr '\n' ' ')" "Probe Reference "
	tafplot --script b.taf b.taf c.taf >script
	equal "$(titles script | tr '\n' ',')" "b.taf, array 1,b.taf, array 2,c.taf,"
	tafplot --script a.taf b.taf c.taf >script
	equal "$(titles script | tr '\n' ' ')" "a.taf b.taf c.taf "
}

@test "operations of tafreduce name their lines, where they still are the columns" {
	tafmath -n 9,7 'i1*i2 + rand(1)' | tafreduce -d 2 mean,std,max -o a.taf
	tafplot --script a.taf >script
	equal "$(titles script | tr '\n' ' ')" "mean std max "
	grep -q 'key title' script && return 1
	tafplot --script -x 3=2: a.taf >script
	equal "$(titles script | tr '\n' ' ')" "std max "
	tafcrop -x 3=1:3:2 a.taf | tafplot --script >script
	equal "$(titles script | tr '\n' ' ')" "mean max "
	# what has another meaning has other names
	tafadjust --start 3=0.5 a.taf | tafplot --script >script
	equal "$(titles script | tr '\n' ' ')" "0.5 1.5 2.5 "
	tafput label@3=Place a.taf | tafplot --script >script
	equal "$(titles script | tr '\n' ' ')" "1 2 3 "
}

@test "columns of a table are called as in the table" {
	printf 'time,volt,amp,ohm\n0,1,2,4\n1,3,5,3\n2,4,7,9\n' | txt2taf -c -o t.taf
	tafplot --script t.taf >script
	equal "$(titles script | tr '\n' ' ')$(grep -c 'ylabel' script)" "volt amp ohm 0"
	tafplot --script -x 2=1:end:2 t.taf >script
	equal "$(titles script | tr '\n' ' ')" "volt ohm "
	tafcrop -x 2=2:3 t.taf | tafplot --script - t.taf >script
	equal "$(titles script | tr '\n' ',')" \
		"standard input, amp,standard input, ohm,t.taf, volt,t.taf, amp,t.taf, ohm,"
	tafplot --script -x 2=3 t.taf >script
	grep -qx "set ylabel 'ohm'" script
	# as many names as there are columns, or one that is of all
	tafput channel=C1,C2 t.taf | tafplot --script >script
	equal "$(titles script | tr '\n' ' ')" "1 2 3 "
	grep -qx "set ylabel 'C1,C2'" script
}

@test "numbers beside the colours are short where the smallest is nearly 0" {
	need gnuplot
	tafmath -n 4,3 -t flt32 '(i1*i2 == 1) ? 3e-7 : i1*i2/5' -o a.taf
	tafplot --image --size 300x200 a.taf -o a.svg
	grep -q '> *0.5</text>' a.svg
	grep '0\.5000' a.svg && return 1
	:
}

@test "a name that no array has is remarked" {
	mktaf a.taf int16 9
	tafput day=1 a.taf -o b.taf
	tafplot --script --name nosuch a.taf b.taf 2>err | cat >script
	equal "$(cat err)" "tafplot: --name nosuch: 2 of 2 arrays have no such attribute"
	tafplot --script --name day a.taf b.taf 2>err | cat >script
	equal "$(cat err)" "tafplot: --name day: 1 of 2 arrays have no such attribute"
	equal "$(titles script | tr '\n' ' ')" "a.taf 1 "
	tafplot --script --name day b.taf >script 2>err
	[ ! -s err ]
}

@test "a histogram is drawn as bars, with labels and units of counts and values" {
	tafmath -n 1000 '3*rand(1)' | tafput label='Ch1, DC, 100mV' channel=Ch1 unit=V -o a.taf
	tafhist --range 0:4 --bins 4 a.taf -o h.taf
	tafplot --script h.taf >script
	grep -qx "set xlabel 'Ch1 (V)'" script
	grep -qx "set ylabel 'Count'" script
	equal "$(range x script)" "0 4"
	# from 0, along both sides of each bar, down to 0
	tafread h.taf | awk '{ if (NR == 1) print 1, 0, 0
		print 1, NR - 1, $1; print 1, NR, $1 } END { print 1, NR, 0 }' >want
	curves script >got
	same want got
	range y script | awk '{ exit !($1 == 0) }'
	grep -q '^plot \$c1 with filledcurves y=0 fs transparent ' script
	tafplot --size 60x12 h.taf >out
	equal "$(head -n 2 out | tail -n 1)" Count
	tafplot h.taf -o h.html
	grep -q '^{"bars":true,"start":0.5,' h.html
	# of none in a bin a logarithmic axis has no bar
	tafplot -q --log y --script h.taf | curves >got
	equal "$(wc -l <got)" 9
	tafhist --density h.taf 2>err | tafplot --script | grep -qx "set xlabel 'Count'"
	tafhist --density a.taf | tafplot --script | grep -qx "set ylabel 'Density (1/V)'"
	tafhist --cumulative a.taf | tafplot --script | grep -qx "set ylabel 'Cumulative count'"
	tafhist --cumulative --density a.taf | tafplot --script | grep -qx "set ylabel 'Cumulative share'"
}

@test "letters are as large in PNG and PDF as in SVG" {
	mktaf a.taf int16 9
	# gnuplot takes points there, of which 72 are 96 pixels
	tafplot --script --term png a.taf | grep -q "size 960,540 font ',12'"
	tafplot --script --term pdf a.taf | grep -q "font ',12'"
	tafplot --script --term svg a.taf | grep -q "font ',16'"
}

@test "a record that ends a step before a round number has that number at its end" {
	tafmath -n 4000 -a 1=0:0.005 'sin(x1)' -o a.taf
	tafplot --script a.taf >script
	equal "$(range x script)" "0 20"
	tafadjust --start 1=0 --step 1=1e-9 --unit 1=s a.taf | tafplot --script >script
	equal "$(range x script)" "0 4"
	plot a.taf >out
	equal "$(tail -n 1 out | tr -s ' ')" " 0 10 20"
	# of few points a step is much
	tafplot --script -x 1=:40 a.taf >script
	equal "$(range x script)" "0 0.195"
}

@test "logarithmic axes of a few powers of ten have numbers, and small marks between" {
	tafmath -n 1000 -a 1=1:1 'x1*1e-4' | tafput unit@1=Hz unit=V -o a.taf
	tafplot --script --log xy a.taf >script
	grep -qx "set xlabel 'Hz'" script
	grep -qx "set ylabel 'mV'" script
	grep -qE '^set xtics \(1, 2, 5, 10, 20, .*500, 1000, .* 3 1, .* 4 1, .* 900 1\)$' script
	grep -q "^set ytics (0.1, 1, 10, 100, '' 0.2 1, " script
	# of more each number has its prefix, a micro of Greek
	tafplot --script --log y -x 1=1:1000 <(tafmath 'a < 2e-4 ? a/100 : a' a.taf) >script
	grep -q "^set ytics ('1µ' 1e-6, '10µ' 0.00001, '100µ' 0.0001, '1m' " script
	grep '^set ytics' script | tr , '\n' | grep -c "'' .* 1" | grep -qx '4[0-9]'
}

@test "pixels of a small image are not blurred by who shows the SVG" {
	tafmath -n 3,2 'i1+10*i2' | tafput label='<image ' -o a.taf
	tafplot --image --script --term png -x 2=1 a.taf | sed '1,/^.i <</d; /^EOD/,$d' >data
	# gnuplot draws no image of one row or column
	equal "$(xargs <data)" "11 12 13 11 12 13"
	need gnuplot
	tafplot --image a.taf -o a.svg
	equal "$(grep -c "<image style='image-rendering:optimizeSpeed;image-rendering:pixelated' " a.svg)" 1
	equal "$(grep -o image-rendering a.svg | wc -l)" 2
	# the rest is what gnuplot has drawn
	tafplot --image --script --title a.taf a.taf | LC_ALL=C.UTF-8 gnuplot >want
	sed "s/<image style='[^']*' /<image /" a.svg | cmp - want
}

@test "a logarithmic axis has a number at its very beginning" {
	tafmath -n 2000 -a 1=10:10 '1e5/x1^2' | tafplot --log xy --script - >script
	awk '/^set xrange/ { gsub(/[^0-9.]+/, " "); exit !($1 < 10 && $1 > 9.999999) }' script
}

@test "axes and colours of a small picture have few numbers" {
	tafmath -n 300,200 'sin(i1*i2/5000)' -o a.taf
	tafplot --image --script --size 300x200 a.taf | grep -qx 'set cbtics (-1, -0.5, 0, 0.5, 1)'
	tafplot --image --script --size 300x200 a.taf | grep -qx 'set xtics 50'
	# one above the other, too, and fewer with a legend above
	tafmath -n 50,3 'sin(x1/9)*x2' -o b.taf
	tafplot --script --size 300x200 b.taf | grep -qx 'set ytics 1'
	tafplot --script --size 300x200 --legend top b.taf | grep -qx 'set ytics 2'
	tafplot --image --script a.taf | grep -qx 'set cbtics (-1, -0.8, .*, 0.8, 1)'
}

@test "a photograph stands upright, and --down turns any other image" {
	printf 'P2 3 2 9\n1 2 3\n4 5 6\n' | pgm2taf -o a.taf
	tafplot --image --script a.taf >script
	equal "$(range y script) $(range y2 script)" "2.5 0.5 1.5 -0.5"
	taftype --set generic a.taf -o b.taf
	tafplot --image --script b.taf >script
	equal "$(range y script) $(range y2 script)" "0.5 2.5 -0.5 1.5"
	tafplot --image --down --script b.taf >script
	equal "$(range y script) $(range y2 script)" "2.5 0.5 1.5 -0.5"
	tafplot --image --size 40x11 --title '' a.taf >down
	tafplot --image --size 40x11 --title '' --down b.taf >out
	same down out
	tafplot --image --size 40x11 --title '' b.taf >up
	equal "$(sed '1,8!d; s/^.*[|+]//' up | tac)" "$(sed '1,8!d; s/^.*[|+]//' down)"
	tafplot --image a.taf -o a.html
	grep -q '^"y":{"name":"","unit":"","down":true,' a.html
	refuse 2 tafplot --down a.taf
	# components are what an image of three dimensions has too many of
	printf 'P3 2 2 9\n1 2 3 4 5 6 7 8 9 1 2 3\n' | pgm2taf -o c.taf
	refuse 3 tafplot --image c.taf
	equal "$(cat err)" "tafplot: c.taf: dimension 1: 3 long, components of pixels: crop it to one index, as -x 1=1"
	tafplot --image --script -x 1=1 c.taf >script
	equal "$(range y2 script)" "1.5 -0.5"
	tafmath -n 3,5,4 i1 -o d.taf
	refuse 3 tafplot --image d.taf
	grep -q -- 'as -x 1=1$' err
}

@test "traces of SEG-Y are a grey section, time downward; another label makes an image" {
	need numpy
	seismic 6 1 >shot.sgy
	segy2taf -q shot.sgy -o shot.taf
	tafmath -n 90,300 -a 1=0:0.004 'rand(1) < 0.4 ? 0 : randn(2)' -t flt32 | taf2segy -q | segy2taf -q -o a.taf
	for how in '' '-x 2=7' '-x 1=11:80:3'; do
		# shellcheck disable=SC2086 # of several words
		tafplot --image --script --size 200x60 $how a.taf >script
		# shellcheck disable=SC2086 # of several words
		tafcrop $how a.taf | taf2raw -t flt64 >raw
		"$PYTHON" - "$how" <<'EOF'
import sys
import numpy as np
n = {'': 90, '-x 2=7': 90}.get(sys.argv[1], 24)
a = np.fromfile('raw').reshape(-1, n)
lines = open('script').read().split('\n')
k = lines.index('$i << EOD')
got = np.array([l.split() for l in lines[k + 1:lines.index('EOD')]], float)
# of the rows and columns of pixels the value farthest from 0
rows, columns = min(n, 60), min(len(a), 200)
want = np.array([[max(a[i * len(a) // columns:(i + 1) * len(a) // columns,
    j * n // rows:(j + 1) * n // rows].ravel(), key=abs) for i in range(columns)] for j in range(rows)])
# one trace is two pixels wide, as gnuplot wants it
assert (got == np.repeat(want, 2 if columns == 1 else 1, 1)).all()
say = dict(l[4:].split(' ', 1) for l in lines if l.startswith('set ') and l.count(' ') > 1)
c = np.quantile(abs(want[want != 0]), .99)
lo, hi = map(float, say['cbrange'][1:-1].split(':'))
assert abs(hi / c - 1) < 1e-12 and lo == -hi, (lo, hi, c)
bottom, top = map(float, say['yrange'][1:-1].split(':'))
assert top < bottom, say['yrange']
assert "'#ffffff', 1 '#000000'" in say['palette']
EOF
	done
	tafplot --image --size 40x20 --title '' shot.taf >out
	grep -q '^ *Trace$' out
	# neither other labels nor other attributes make sections, nor what is no time
	tafput label@1=Depth -o b.taf shot.taf
	tafput --unset segy/format -o c.taf shot.taf
	for f in b.taf c.taf; do
		tafplot --image --script $f >script
		equal "$(range y script)" "0.5 6.5" || return 1
		grep -q 440154 script || return 1
	done
}

@test "wiggles go down, filled where they are above 0, and end at the next trace" {
	need numpy
	"$PYTHON" -c '
import numpy as np
a = np.random.default_rng(4).standard_normal((7, 40)).astype("f4")
a[2, 11:14] = a[5, 39] = np.nan
a[3, 20] = 0
a[6] *= -20
a.tofile("raw")'
	tafcreate -t flt32 -n 40,7 -a 1=-0.25:0.125 -a 2=10:-2.5 raw -o a.taf
	tafplot --wiggle --script --size 300x900 a.taf >script
	"$PYTHON" - <<'EOF'
import re
import numpy as np
a = np.fromfile('raw', '=f4').reshape(7, 40).astype(float)
text = open('script').read()
c = np.nanquantile(abs(a[a != 0]), .99)
time = -.25 + .125 * np.arange(40)
blocks = {k: [[list(map(float, l.split())) for l in part.split('\n')] for part in
    body.strip('\n').split('\n\n') if part] for k, body in re.findall(r'\$(\w+) << EOD\n(.*?)EOD\n', text, re.S)}
for k in range(7):
    base = 10 - 2.5 * k
    v = a[k]
    side = base + 2.5 * np.clip(v / c, -1, 1)
    runs = blocks['c%d' % (k + 1)]
    cuts = [0, *(np.flatnonzero(np.diff(np.isnan(v))) + 1), 40]
    want = [np.array([side[i:j], time[i:j]]).T for i, j in zip(cuts, cuts[1:]) if v[i] == v[i]]
    assert len(runs) == len(want) and all(np.allclose(x, y, 1e-12, 1e-12) for x, y in zip(runs, want)), k
    # each lobe: closed on the base, to the right of it, and as large as that part of the wiggle
    area = 0
    for x, t in (np.array(p).T for p in blocks['w%d' % (k + 1)][1:]):
        assert x[0] == x[-1] == base and (x[1:-1] > base).all(), (k, x)
        area += np.sum(np.diff(t) * (x[1:] + x[:-1] - 2 * base) / 2)
    fine = 0
    for x, t in (p.T for p in want):
        at = np.linspace(t[0], t[-1], 200001)
        h = np.maximum(np.interp(at, t, x) - base, 0)
        fine += np.sum((h[1:] + h[:-1]) / 2) * (at[1] - at[0])
    assert abs(area - fine) < 1e-4, (k, area, fine)
assert 'set xrange [-7.5:12.5]' in text and re.search(r'set yrange \[4.625:-0.25\]', text)
assert text.count('with filledcurves closed') == 7 and 'set key off' in text
EOF
	# in a text: a square wave, 4 traces
	tafmath -n 20,4 'x1 % 10 < 5 ? 1 : -1' -o b.taf
	tafplot --wiggle --size 42x25 --title '' b.taf >out
	equal "$(sed -n '3{p;n;n;n;n;n;p;}' out)" "  |        *******************************
  |*       *      *       *"
	for f in svg png pdf; do
		tafplot --wiggle a.taf -o "a.$f" && [ -s "a.$f" ] || return 1
	done
	tafplot --wiggle -x 2=3 --script a.taf | grep -qx 'set xtics (5)'
	refuse 2 tafplot --wiggle --image a.taf
	refuse 2 tafplot --wiggle --log y a.taf
	refuse 2 tafplot --wiggle --band 1 a.taf
	refuse 3 tafplot --wiggle a.taf b.taf
	refuse 3 tafplot --wiggle <(tafcat a.taf b.taf)
}

# spectrum: a ridge in s.taf, 40 us by 2 GHz, and it in v.taf as ns and MHz
spectrum() {
	tafmath -n 40,20 -a 1=0:1 -a 2=0:0.1 'exp(-((x2-1-0.5*sin(x1/6))/0.2)^2)' |
		tafput label@1=Time unit@1=us label@2=Frequency unit@2=GHz -o s.taf
	tafmath -n 81 -a 1=0:500 -t flt64 '1000+500*sin(x1/6000)' | tafput label=Ridge unit=MHz unit@1=ns -o v.taf
}

@test "a curve over an image is in the units of its axes" {
	spectrum
	tafplot --image --over v.taf --script s.taf >script 2>err
	[ ! -s err ]
	equal "$(range x script) $(range y script)" "-0.5 39.5 -0.05 1.95"
	tafread -c v.taf | awk '$1 <= 40000 { printf "1 %.9g %.9g\n", $1 / 1e3, $2 / 1e3 }' >want
	curves script | awk '{ printf "1 %.9g %.9g\n", $2, $3 }' | head -n 80 >got
	head -n 80 want | cmp - got
	grep -q '^plot \$i matrix axes x2y2 with image notitle, \$c1 with lines .*, \$c1 with lines ' script
	grep -qx 'set key off' script
	# with another prefix at the axes the data are shown with it
	tafadjust --scale 1=1e-3 --scale 2=1e-3 s.taf | tafplot --image --over v.taf --script >script
	equal "$(range x script)" "-0.5 39.5"
	grep -q '\$c1 using (\$1\*1e3):(\$2\*1e3) with lines' script
	# what reads the units of neither fits both
	tafput unit= unit@1= v.taf -o n.taf
	tafplot -q --image --over n.taf --script s.taf | grep -q '\$c1 with lines'
	# an image that counts from the top has the curve on it, too
	tafplot --image --down --over v.taf --script s.taf >script
	equal "$(range y script) $(range y2 script)" "1.95 -0.05 19.5 -0.5"
	tafplot --image --over - --script s.taf <v.taf | grep -q '\$c1 with lines'
	need gnuplot
	for t in svg png pdf; do
		tafplot --image s.taf -o "s.$t"
		tafplot --image --over v.taf s.taf -o "v.$t"
		tafplot --image --over v.taf --script --term $t --title s.taf s.taf |
			LC_ALL=C.UTF-8 gnuplot >w.$t
		[ $t = pdf ] || sed "s/<image style='[^']*' /<image /" v.$t | cmp - w.$t
		[ "$(wc -c <v.$t)" -gt "$(wc -c <s.$t)" ]
	done
}

@test "several curves over an image have names, and of each what is beside it is remarked" {
	spectrum
	tafput label=Twin v.taf -o w.taf
	tafplot --image --over v.taf --over w.taf --script s.taf >script
	equal "$(titles script | tr '\n' ' ')" "Ridge Twin "
	grep -q '^set key inside right top vertical opaque fillcolor ' script
	# beside the image are its colours, and the lines are too light for white paper
	tafplot --image --over v.taf --over w.taf --legend bottom --script s.taf |
		grep -q '^set key inside center bottom horizontal opaque fillcolor '
	tafplot --image --over v.taf --legend on --script s.taf >script
	equal "$(titles script)" Ridge
	tafcat v.taf w.taf | tafplot --image --over - --script s.taf >script
	equal "$(titles script | tr '\n' ' ')" "Ridge Twin "
	# of several columns each is a curve
	tafmath -n 81,2 -a 1=0:500 -a 2=0.001:0.001 'x1/50+x2' |
		tafput label@2=Depth unit@2=m unit=MHz unit@1=ns -o d.taf
	tafplot --image --over d.taf --script s.taf >script
	equal "$(titles script | tr '\n' ' ')" "1 2 "
	grep -q "^set key title 'Depth (mm)' textcolor rgb '#ffffff'" script
	# an image has no name
	tafplot --image --over v.taf --over w.taf --name nosuch --script s.taf 2>err >script
	equal "$(cat err)" "tafplot: --name nosuch: 2 of 2 arrays have no such attribute"
	tafadjust --start 1=50000 v.taf -o w.taf
	tafplot --image --over w.taf --script s.taf 2>err >script
	equal "$(cat err)" "tafplot: w.taf: its grid, 50 to 90, lies beside the image, -0.5 to 39.5"
	tafmath 'a + 2000' v.taf -o w.taf
	tafplot --image --over w.taf --script s.taf 2>err >script
	grep -qE '^tafplot: w.taf: its values, 2\.5[0-9]* to 3\.[0-9]*, lie beside the image, -0.05 to 1.95$' err
}

@test "a curve over an image that does not fit its axes is refused" {
	spectrum
	tafput unit=V v.taf -o w.taf
	refuse 3 tafplot --image --over w.taf s.taf -o x.svg
	equal "$(cat err)" "tafplot: w.taf: its values are in V, the image's axis in GHz: they have no axis in common"
	tafput unit@1=Hz v.taf -o w.taf
	refuse 3 tafplot --image --over v.taf --over w.taf s.taf -o x.html
	equal "$(cat err)" "tafplot: w.taf: its grid is in Hz, the image's axis in us: they have no axis in common (tafpermute -d 2,1 transposes an image)"
	[ ! -e x.svg ]
	[ ! -e x.html ]
	tafmath -n 3,4,5 i1 -o w.taf
	refuse 3 tafplot --image --over w.taf s.taf
	refuse 4 tafplot --image --over nosuch.taf s.taf
	refuse 2 tafplot --over v.taf s.taf
	refuse 2 tafplot --image --over - <s.taf
	refuse 2 tafplot --image --over - --over - s.taf
	equal "$(cat err)" "tafplot: -: standard input is one input, not two"
	tafmath 'a/0*0' v.taf -o w.taf
	refuse 3 tafplot -q --image --over w.taf s.taf
}

@test "of a long curve over an image all is seen that lies over it" {
	spectrum
	# a point a ns, of which 40 us in 10 ms lie over the image, and a spike there
	tafmath -n 10000000 -a 1=-5e6:1 -t flt32 'x1 == 20000 ? 1.5 : 1' | tafput unit=GHz unit@1=ns -o v.taf
	tafplot --image --over v.taf --script --size 400x300 s.taf | curves >data
	awk '$2 >= -0.5 && $2 <= 39.5' data >seen
	[ "$(wc -l <seen)" -gt 400 ]
	[ "$(wc -l <data)" -le 800 ]
	equal "$(awk '$3 > 1' data | xargs)" "1 20 1.5"
	# of two points beside it the line between them
	tafmath -n 2 -a 1=-20:80 -t flt64 '1' | tafput unit@1=us -o v.taf
	tafplot --image --over v.taf --size 60x20 s.taf | grep -qE '[+|]o{50,}$'
	need gnuplot
	tafplot --image --over v.taf s.taf -o v.svg
	grep -q "path stroke='rgb(255, 255, 255)'  *d='M" v.svg
}

@test "a text has the curve over its image, and its numbers where there are several" {
	spectrum
	tafplot --image --size 60x20 --title '' s.taf >bare
	tafplot --image --size 60x20 --title '' --over v.taf s.taf >out
	# where there is no mark, there is the image
	paste -d '\n' bare out | awk 'NR % 2 { a = $0; next }
		{ for (i = 1; i <= length; i++) if (substr($0, i, 1) != "o" && substr($0, i, 1) != substr(a, i, 1)) exit 1 }'
	# and the marks are on its darkest
	equal "$(paste -d '\n' bare out | awk 'NR % 2 { a = $0; next } NR > 4 && NR < 32 && /[+|]/ {
		for (i = 5; i <= length; i++) if (substr($0, i, 1) == "o") { n++; bad += index(" .:", substr(a, i, 1)) > 0 } }
		END { print (n > 50), bad }')" "1 0"
	tafplot --image --size 60x20 --title '' --down --over v.taf s.taf >down
	for f in down out; do
		sed -n 's/^ *[0-9.]*[+|]//p' $f | grep -vx -e '[-+]*' | sed 's/[^o]/ /g; s/ *$//' >$f.rows
	done
	[ -s out.rows ]
	tac out.rows | cmp - down.rows
	tafput label=Twin v.taf | tafplot --image --size 60x20 --over v.taf --over - s.taf >out
	grep -qx ' *1: Ridge  2: Twin' out
	grep -q 2222 out
}

@test "of many lines some are named, evenly chosen, and an image is suggested" {
	mktaf a.taf int16 5,40
	tafadjust -i --start 2=1 --step 2=1 a.taf
	tafplot --script a.taf >script 2>err
	equal "$(titles script | tr '\n' ' ')" "1 5 8 12 15 19 22 26 29 33 36 40 "
	grep -qx "set key title 'column'" script
	equal "$(cat err)" "tafplot: 40 lines: --image may show them better"
	tafplot --script -x 2=1:30 a.taf >script 2>err
	[ ! -s err ]
	equal "$(titles script | wc -l | tr -d ' ')" 12
	# a small picture has room for few: in a second column they would take half of it
	tafplot -q --script --size 300x200 a.taf >script
	equal "$(titles script | tr '\n' ' ')" "1 9 17 24 32 40 "
	tafplot -q --script --size 160x100 a.taf >script
	equal "$(titles script | tr '\n' ' ')" "1 40 "
	tafplot -q --script --legend off a.taf >script
	grep -qx 'set key off' script
	equal "$(titles script)" ""
}

@test "the legend's place, the font, and lines that grow with the picture" {
	mktaf a.taf int16 300,3
	for place in right:outside top:tmargin bottom:bmargin inside:inside; do
		tafplot --script --legend "${place%:*}" a.taf >script
		grep -q "^set key ${place#*:} " script || return 1
	done
	tafplot --script -x 2=1 a.taf >script
	grep -qx 'set key off' script
	tafplot --script --legend bottom a.taf | grep -qxF 'set key title "\n".'"'column'"
	tafplot --script --legend on -x 2=1 a.taf >script
	equal "$(titles script)" a.taf
	cp a.taf "a very long name of an array that has no room beside.taf"
	tafplot --script a*.taf | grep -q '^set key tmargin '
	# twice as large, with all that is in it
	tafplot --script a.taf >script
	grep -q "size 960,540 font ',16'" script
	grep -q 'with lines lw 1.5 ' script
	tafplot --script --size 1920x1080 a.taf >script
	grep -q "size 1920,1080 font ',32'" script
	grep -q 'with lines lw 3 ' script
	tafplot --script --size 1920x1080 --width 0.5 --font 'DejaVu Serif,20' a.taf >script
	grep -q "font 'DejaVu Serif,20'" script
	grep -q 'with lines lw 0.5 ' script
	tafplot --script --font Arial a.taf | grep -q "font 'Arial,16'"
	tafplot --script --font ,11 a.taf | grep -q "font ',11'"
}

@test "at the axis stands the channel, not all that the instrument says" {
	seq 1 9 | txt2taf | tafput unit=V channel=Ch1 \
		label='Ch1, DC coupling, 100.0mV/div, 4.000us/div, 10000 points, Sample mode' -o a.taf
	tafplot --script a.taf | grep -qx "set ylabel 'Ch1 (V)'"
	tafput label=Voltage a.taf -o b.taf
	tafplot --script b.taf | grep -qx "set ylabel 'Voltage (V)'"
	tafput label= b.taf -o b.taf
	tafplot --script b.taf | grep -qx "set ylabel 'Ch1 (V)'"
	tafput channel=2 b.taf -o b.taf
	tafplot --script b.taf | grep -qx "set ylabel 'channel 2 (V)'"
}

@test "numbers for people have seven digits, or as many as tell them apart" {
	mktaf a.taf int16 30,2
	tafadjust -i --start 2=-10.000027999112104 --step 2=50 a.taf
	tafplot --script a.taf >script
	equal "$(titles script | tr '\n' ' ')" "-10.00003 39.99997 "
	tafadjust -i --start 2=1000.00000001 --step 2=1e-8 a.taf
	tafplot --script a.taf >script
	equal "$(titles script | tr '\n' ' ')" "1000.00000001 1000.00000002 "
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
	refuse 2 tafplot --legend left a.taf
	refuse 2 tafplot --width 0 a.taf
	grep -q '^tafplot: --width 0: ' err
	refuse 2 tafplot --width thick a.taf
	for font in "it's" 'a"b' a,0 a,b a:b 'a,b,3' ; do
		refuse 2 tafplot --font "$font" a.taf || return 1
		grep -qF "tafplot: --font $font: " err || return 1
	done
}

@test "a text from the corpus: the pulse of a LeCroy capture" {
	need corpus
	lecroy2taf "$TAF_CORPUS/vendor/lecroy/wr64xia_pulse.trc" -o a.taf
	tafplot --title '' --size 60x20 a.taf >out
	grep -q 'Time (ns)' out
	tafplot --script a.taf | curves >data
	tafsummarize -j a.taf >facts
	awk 'NR == 1 || $3 > max { max = $3 } END { print max }' data >max
	grep -q "\"max\":$(cut -c1-6 max)" facts
}

@test "numbers along an axis do not touch, whatever the size of the picture" {
	# of 41 points from -1.5 on: so many numbers have room
	seq 1 41 | txt2taf | tafadjust --start 1=-1.5 --step 1=0.075 -o a.taf
	while read -r size step; do
		tafplot --script --size "$size" a.taf >script
		equal "$(sed -n 's/^set xtics //p' script)" "$step" || return 1
	done <<-'END'
		960x540	0.5
		300x300	1
		160x100	1
		3000x300	0.5
	END
	tafadjust --step 1=0.075e-7 --start 1=-1.5e-7 a.taf | tafplot --script --size 240x200 >script
	grep -qx 'set xtics 1e-7' script
	tafadjust --step 1=0.0075e-7 --start 1=-1.5e-7 a.taf | tafplot --script --size 240x200 >script
	grep -qx 'set xtics (-1.4e-7, -1.2e-7)' script
	tafplot --script --log x -x 1=30:40 a.taf >script
	grep -q '^set xtics [^(]' script && return 1
	true
}
