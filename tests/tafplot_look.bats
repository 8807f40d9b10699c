# SPDX-License-Identifier: ISC
load helper
load page

# range AXIS FILE: the ends of an axis in a script
range() {
	sed -n "s/^set $1range \[\(.*\):\(.*\)\]\$/\1 \2/p" "$2"
}

# python that reads a PNG: pixels(FILE) is a list of rows of (red, green, blue)
PNG='
import struct, zlib
def pixels(name):
    f, at, data = open(name, "rb").read(), 8, b""
    while at < len(f):
        n, = struct.unpack(">I", f[at:at + 4])
        kind, body = f[at + 4:at + 8], f[at + 8:at + 8 + n]
        if kind == b"IHDR":
            w, h, depth, colour = struct.unpack(">IIBB", body[:10])
        if kind == b"PLTE":
            table = body
        if kind == b"IDAT":
            data += body
        at += 12 + n
    assert depth == 8
    size = {2: 3, 3: 1, 6: 4}[colour]
    raw, old, out = zlib.decompress(data), bytearray(w * size), []
    for y in range(h):
        line = bytearray(raw[y * (w * size + 1):(y + 1) * (w * size + 1)])
        kind, line = line[0], line[1:]
        for i in range(len(line)):
            a = line[i - size] if i >= size else 0
            b, c = old[i], old[i - size] if i >= size else 0
            p = a + b - c
            near = min((abs(p - v), k, v) for k, v in enumerate((a, b, c)))[2]
            line[i] = (line[i] + (0, a, b, (a + b) // 2, near)[kind]) & 255
        old = line
        out.append([tuple(table[3 * v:3 * v + 3]) for v in line] if colour == 3 else
            [tuple(line[i:i + 3]) for i in range(0, len(line), size)])
    return out
'

@test "--range ends the axis of the values, in its unit, and the colours of an image" {
	tafmath -n 400 -a 1=0:0.1 '5*sin(x1)' | tafput unit=mV -o a.taf
	tafplot --script --range -1.5:2 a.taf >script
	equal "$(range y script)" "-1.5 2"
	tafplot --script --range -0.001V:3000uV a.taf >script
	equal "$(range y script)" "-1 3"
	tafplot --script --range 1:4 --log y a.taf 2>/dev/null >script
	equal "$(range y script)" "1 4"
	# what lies beyond is not drawn: the rows at the ends have gaps
	tafplot --term text --size 40x12 --range -4:2 --title '' --ylabel '' a.taf >out
	[ "$(head -n 1 out | grep -o '\*\**' | wc -l)" -ge 12 ]
	tafmath -n 20,30 'x1+x2' -o b.taf
	tafplot --image --script --range 10:20 b.taf >script
	equal "$(range cb script)" "10 20"
	tafplot --range -1.5:2 a.taf -o a.html
	grep -q '"tight":true,' a.html
	grep -q '^"value":{.*"lo":-1.5,"hi":2},' a.html
	status 3 tafplot --range 1A:2A a.taf
	status 3 tafplot --range 1V:2mV a.taf
	equal "$(cat err)" 'tafplot: a.taf: --range: 1000 is not below 2'
	for words in '--range 2:1' '--range 1' '--range 1:x' '--range 0:1 --log y' \
		'--range 1:2 --percentile 99' '--range 1:2 --wiggle' '--percentile 50' \
		'--percentile 101' '--percentile 9:1' '--percentile x' '--aspect 2' \
		'--percentile 5:99 --wiggle' '--colours grey' '--colours red --image' \
		'--image --colours grey --term text' '--aspect equal --log x' \
		'--names a --image' '--names a --wiggle'; do
		# shellcheck disable=SC2086
		refuse 2 tafplot $words a.taf || return 1
	done
}

@test "--percentile ends the axis where numpy has that share" {
	need numpy
	"$PYTHON" -c '
import numpy as np
r = np.random.default_rng(8)
(r.standard_normal((40, 30)) ** 3 * 7).tofile("raw")'
	tafcreate -t flt64 -n 30,40 raw -o a.taf
	{
		tafplot -q --script --percentile 95 a.taf | grep '^set yrange'
		tafplot --image --script --percentile 3:80 a.taf | grep '^set cbrange'
		tafplot --image --script --percentile 90 --colours diverging a.taf | grep '^set cbrange'
		tafput segy/format=1 label@1=Time a.taf |
			tafplot --image --script --percentile 75 | grep '^set cbrange'
		tafplot --wiggle --percentile 75 --term html a.taf |
			sed -n 's/^"value".*"lo":\(.*\),"hi":\(.*\)},$/set [\1:\2]/p'
	} >got
	"$PYTHON" - <<'EOF'
import numpy as np
a = np.fromfile('raw')
got = [[float(v) for v in l.split('[')[1].rstrip(']\n').split(':')] for l in open('got')]
m = max(abs(np.percentile(a, [10, 90])))
t = np.percentile(abs(a[a != 0]), 75)
want = [np.percentile(a, [5, 95]), np.percentile(a, [3, 80]), [-m, m], [-t, t], [-t, t]]
assert len(got) == 5
for g, w in zip(got, want):
    assert np.allclose(g, w, rtol=1e-12, atol=0), (g, w)
EOF
}

@test "--colours are those of the picture and of the page" {
	need numpy
	tafmath -n 5,3 'i1' -o a.taf
	for c in grey diverging viridis; do
		tafplot --image --colours $c --range 1:5 --size 300x200 a.taf -o $c.png
		tafplot --image --colours $c --range 1:5 a.taf -o $c.html
	done
	tafplot --image --script --colours diverging a.taf | grep -qxF 'set cbrange [-5:5]'
	"$PYTHON" - <<EOF
$PNG
want = {'grey': ['000000', '404040', '808080', 'bfbfbf', 'ffffff'],
    'diverging': ['2166ac', '67a9cf', 'f7f7f7', 'ef8a62', 'b2182b'],
    'viridis': ['440154', '3b528b', '21918c', '5ec962', 'fde725']}
for name, colours in want.items():
    row = pixels(name + '.png')[100]
    at = 0
    for c in colours:
        rgb = tuple(int(c[i:i + 2], 16) for i in (0, 2, 4))
        # the next run of 20 pixels of this colour, but for the steps of the palette
        while not all(max(abs(x - y) for x, y in zip(p, rgb)) <= 2 for p in row[at:at + 20]):
            at += 1
            assert at < len(row) - 20, (name, c)
        at += 20
EOF
	need node
	for c in grey diverging viridis; do
		functions $c.html >$c.js <<'EOF'
console.log([0, 0.25, 0.5, 0.75, 1].map(t => colour(d, t).map(
	v => v.toString(16).padStart(2, '0')).join('')).join(' '));
EOF
		node $c.js
	done >got
	equal "$(cat got)" "000000 404040 808080 bfbfbf ffffff
2166ac 67a9cf f7f7f7 ef8a62 b2182b
440154 3b528b 21918c 5ec962 fde725"
}

@test "--aspect equal: a unit is as long on both axes" {
	tafmath -n 30,20 -a 1=0:10 -a 2=0:0.02 'x1+x2' | tafput unit@1=mm unit@2=m -o a.taf
	# 300 mm by 0.4 m
	tafplot --image --aspect equal --script a.taf | sed -n 's/^set size ratio //p' >ratio
	awk '{ exit !($1 > 1.333333 && $1 < 1.333334) }' ratio
	tafmath -n 301 -a 1=-1.5:0.01 'x1' -o b.taf
	tafplot --aspect equal --script b.taf >script
	{ range x script; range y script; sed -n 's/^set size ratio //p' script; } | xargs |
		awk '{ r = ($4 - $3) / ($2 - $1) / $5; exit !(r > 1 - 1e-9 && r < 1 + 1e-9) }'
	# characters are twice as high as wide
	tafplot --image --aspect equal --term text --size 70x30 --title '' a.taf >out
	# a line of the label, the rows, and the axis: its first character is the corner
	awk '/^ *[+][-+]*$/ { n = length($1) - 1; exit !(NR - 2 == int(n * 4 / 3 / 2 + 0.5)) }' out
	tafplot --image --aspect equal a.taf -o a.html
	grep -q '"aspect":1.33333' a.html
	tafput unit@2=s -i a.taf
	status 3 tafplot --image --aspect equal a.taf
	equal "$(cat err)" 'tafplot: a.taf: --aspect equal: mm and s have no length in common'
}

@test "fourteen files have lines that differ, and all of them names" {
	local k files=() names=a,b,c,d,e,f,g,h,i,j,k,l,m,n
	for k in {1..14}; do
		tafmath -n 30 "sin(x1/9+$k)" | tafput "channel=C$k" -o "f$k.taf"
		files+=("f$k.taf")
	done
	tafplot --script "${files[@]}" >script
	sed -n 's/^plot //p' script | grep -o "with [^$]*" |
		sed "s/.* lw [0-9.]*\(.*\) pt.* rgb \('[^']*'\) .*/\1\2/" | sort -u >styles
	equal "$(wc -l <styles)" 14
	equal "$(grep -o " title '[^']*'" script | xargs)" "$(printf "title C%d " {1..14} | xargs)"
	tafplot --script --names $names "${files[@]}" |
		sed -n 's/^plot //p' | grep -o "title '[^']*'" | cut -d "'" -f 2 | xargs >got
	equal "$(cat got)" "a b c d e f g h i j k l m n"
	tafplot --term text --size 50x30 "${files[@]}" >out
	for k in {1..14}; do
		grep -qE "(^| )[1-9a-e]: C$k( |\$)" out || return 1
	done
	equal "$(wc -l <out)" 30
	status 3 tafplot --names a,b "${files[@]}"
	equal "$(cat err)" "tafplot: --names: 2 names for 14 lines"
	# those over an image, too
	tafmath -n 30,20 'x1+x2' -o image.taf
	tafplot --image --over f1.taf --names Ridge --script image.taf | grep -q "title 'Ridge'"
	# a name of a single line shows
	tafplot --script --names Pulse f1.taf | grep -q " title 'Pulse'"
	tafplot "${files[@]}" -o a.html
	need node
	functions a.html >a.js <<'EOF'
const styles = d.curves.map((c, i) => colourOf(d, i) + dashOf(d, i)[0]);
assert.strictEqual(new Set(styles).size, 14);
assert.deepStrictEqual(dashOf(d, 7)[1], [8, 4]);
EOF
	node a.js
}

@test "--xy draws y over x, point by point, with gaps and error bars, from a pipe as well" {
	need numpy
	"$PYTHON" -c '
import numpy as np
r = np.random.default_rng(5)
a = r.standard_normal((2, 1500, 3))
a[1, 40, 0], a[0, 70, 1], a[0, 5, 2], a[0, 9, 1] = np.nan, np.nan, np.inf, np.inf
a.tofile("raw")'
	tafcreate -t flt64 -n 3,1500,2 raw | tafput unit=A -o a.taf
	tafplot --xy --band 2 --script --title t a.taf >script 2>err
	equal "$(cat err)" "tafplot: left out: 1 infinite values"
	tafcat a.taf | tafplot -q -m 64k --xy --band 2 --script --title t | cmp - script
	tafplot -q --xy --band 2 a.taf -o a.html
	grep -q '"xy":true,"errors":true,' a.html
	for key in x min max; do
		sed -n "s/.*\"$key\":\[\([^]]*\)\].*/\1/p" a.html >$key
	done
	"$PYTHON" - <<'EOF'
import json, numpy as np
a = np.fromfile('raw').reshape(2, 1500, 3)
def rows(name):
    on, out = False, []
    for l in open('script'):
        if l.startswith('EOD'): on = False
        if on: out.append([float(v) for v in l.split()])
        if l.startswith('$' + name + ' '): on = True
    return out
for c in range(2):
    want, bars = [], []
    for x, y, s in a[c]:
        gone = not np.isfinite(x + y)
        if not gone: want.append([x, y])
        elif want and want[-1]: want.append([])
        if not gone and np.isfinite(s): bars.append([x, y, y - 2 * abs(s), y + 2 * abs(s)])
    assert rows('c%d' % (c + 1)) == want
    got = [r for r in rows('b%d' % (c + 1)) if r]
    assert np.allclose(got, bars, rtol=1e-14, atol=1e-15), c
ok = np.isfinite(a[..., 0]) & np.isfinite(a[..., 1])
lo, hi = a[..., 0][ok].min(), a[..., 0][ok].max()
x = [l for l in open('script') if l.startswith('set xrange')][0]
x = [float(v) for v in x.split('[')[1].rstrip(']\n').split(':')]
assert np.allclose(x, [lo - 0.03 * (hi - lo), hi + 0.03 * (hi - lo)], rtol=1e-12)
page = [np.array(json.loads('[%s]' % l), float) for l in open('x')]
assert np.array_equal(page, np.where(np.isfinite(a[..., 0]), a[..., 0], np.nan), equal_nan=True)
low = [np.array(json.loads('[%s]' % l), float) for l in open('min')]
assert np.array_equal(low[0], np.where(ok[0], a[0, :, 1], np.nan), equal_nan=True)
assert np.allclose(low[3], np.where(ok[1] & np.isfinite(a[1, :, 2]),
    a[1, :, 1] - 2 * abs(a[1, :, 2]), np.nan), rtol=1e-14, equal_nan=True)
EOF
	need node
	functions a.html >a.js <<'EOF'
const at = readout(d, d.curves[1].xs[700] + 1e-7, d.curves[1].levels[0].lo[700]);
assert(at.startsWith('2: x ' + Number(d.curves[1].xs[700].toPrecision(7))), at);
const runs = runsOf(d.curves[0], d.grids[0], d.x, whole(d).x, 500);
assert.deepStrictEqual(runs.map(r => r.length), [9, 60, 1429]);
EOF
	node a.js
}

@test "--points are marks alone; what --xy cannot draw is refused" {
	tafmath -n 2,40 -a 2=0:0.5 'i1 == 1 ? sin(i2) : 0.5' | tafput unit@2=s -o a.taf
	tafplot --points --band 1 --script a.taf >script
	grep -q "^plot \$b1 with yerrorbars .* title '1 sigma', \$c1 with points pt 7 ps 0.9 " script
	awk '/^\$b1/ { on = 1; next } /^EOD/ { on = 0 }
		on && ($4 - $3 < 1 - 1e-12 || $4 - $3 > 1 + 1e-12 || $1 != 0.5 * n++) { exit 1 }
		END { exit n != 40 }' script
	tafcrop -x 1=1 a.taf -o b.taf
	# a text has a mark a point, and nothing between; a histogram has no bars
	tafplot --points --term text --size 90x20 --title '' b.taf | tr -dc '*' | wc -c >n
	[ "$(cat n)" -gt 35 ]
	[ "$(cat n)" -le 40 ]
	tafhist --bins 9 b.taf | tafplot --points --script >script
	equal "$(grep -c filledcurves script)" 0
	tafplot --points --band 1 a.taf -o a.html
	grep -q '"points":true,"errors":true,' a.html
	# x above 0 alone
	printf '1 2\n-1 3\n10 4\n' | txt2taf | tafpermute -d 2,1 -o xy.taf
	tafplot --xy --log x --script xy.taf >script 2>err
	equal "$(cat err)" "tafplot: left out: 1 grid points that are not positive"
	equal "$(sed -n '/^\$c1/,/^EOD/p' script | tail -n +2)" '1 2

10 4
EOD'
	printf '1 2\n-1 3\n10 4\n' | txt2taf -o t.taf
	status 3 tafplot --xy t.taf
	equal "$(cat err)" 'tafplot: t.taf: --xy: dimension 1 is 3 long: it must be 2, x and y (tafpermute -d 2,1 brings them there)'
	tafmath -n 2,1000001 -t uint8 0 -o l.taf
	status 3 tafplot --xy l.taf
	grep -q 'xy: 1000001 points, more than 1000000' err
	for words in '--xy --image' '--xy --wiggle' '--points --image' '--points --wiggle'; do
		# shellcheck disable=SC2086
		refuse 2 tafplot $words a.taf || return 1
	done
}

@test "--panels: each line has the values of its own, in its unit, over one axis" {
	tafmath -n 400 -a 1=0:0.01 '2*sin(x1)' | tafput unit=V label=U unit@1=s -o u.taf
	tafmath -n 300 -a 1=1:0.01 '0.003*cos(x1)+0.001' | tafput unit=A label=I unit@1=s -o i.taf
	tafmath -n 50,2 -a 1=0:50 'x1*10^x2' | tafput label=P unit@1=ms -o p.taf
	tafplot --panels --script u.taf i.taf p.taf >script
	grep '^set [xy]range' script | uniq >got
	for f in 'u.taf 1' 'i.taf 1000' '-x2=1 p.taf 1' '-x2=2 p.taf 1'; do
		# shellcheck disable=SC2086
		tafcrop ${f% *} | tafreduce min,max -d 1 | tafread | xargs | awk -v by="${f##* }" '{
			more = 0.03 * ($2 - $1); print ($1 - more) * by, ($2 + more) * by }'
	done >want
	sed -n 's/^set yrange \[\(.*\):\(.*\)\]/\1 \2/p' script | paste -d ' ' - want |
		awk '{ a = $1 - $3; b = $2 - $4; s = ($4 - $3) * 1e-5; n++
			if (a * a > s * s || b * b > s * s) exit 1 } END { exit n != 4 }'
	equal "$(grep -c '^set xrange \[0:4\]' script)" 2
	equal "$(grep '^set ylabel' script)" "set ylabel 'U (V)'
set ylabel 'I (mA)'
set ylabel 'P'
set ylabel 'P'"
	equal "$(grep -c "^set format x ''" script)" 3
	equal "$(grep -o "^plot \$c[1-4] .* title '[^']*'" script | sed "s/^plot //; s/ .*title//")" "\$c1 'U'
\$c2 'I'
\$c3 'P, 1'
\$c4 'P, 2'"
	equal "$(tafplot --panels --script --range 0:1 --no-prefix u.taf i.taf | grep -c '^set yrange \[0:1\]')" 2
	# panels lie one below the other, and make the picture higher
	awk '/^set tmargin/ { top = $5 } /^set bmargin/ { if (n++ && top >= old) exit 1; old = $5
		if ($5 >= top) exit 1 } END { exit n != 4 }' script
	grep -q 'size 960,650 ' script
	tafplot --panels u.taf i.taf -o a.png
	status 3 tafplot --panels --size 200x60 u.taf i.taf -o b.png
	for words in --wiggle --image --xy '--percentile 9:90'; do
		# shellcheck disable=SC2086
		refuse 2 tafplot --panels $words u.taf i.taf || return 1
	done
}

@test "--panels: texts and pages have them, too" {
	tafmath -n 400 -a 1=0:0.01 '2*sin(x1)' | tafput unit=V label=U unit@1=s -o u.taf
	tafmath -n 50,2 -a 1=0:50 'x1*10^x2' | tafput label=P unit@1=ms -o p.taf
	# the names stand above them, and numbers below are those of all
	LC_ALL=C tafplot --panels --term text --size 60x18 --title '' --names 'U,,last' u.taf p.taf >text
	equal "$(wc -l <text)" 18
	equal "$(grep -v '[|+]' text | grep '[A-Z]')" $'U (V)\nP\nP  last'
	equal "$(tail -n 2 text | head -n 1 | xargs)" '0 1 2 3 4'
	# a curve whose name goes on from that of the axis has it once
	LC_ALL=C tafplot --panels --term text --size 60x18 --title '' u.taf p.taf | grep -v '[|+]' |
		grep '[A-Z]' >heads
	equal "$(cat heads)" $'U (V)\nP, 1\nP, 2'
	# which column has the highest point: of U at pi/2, of P where its record ends
	awk '/^[UP]/ { getline; sub(/^ *[-0-9]*[|+]/, ""); match($0, /\*+/)
		print RSTART, RSTART + RLENGTH - 1 } sub(/^ *[-0-9]*[|+]/, "") {
		if (length > w) w = length } END { print w }' text >got
	{ read -r from to; read -r _ p; read -r _ q; read -r wide; } <got
	awk -v a="$from" -v b="$to" -v w="$wide" 'BEGIN { x = 1.57 / 4 * w; exit !(a < x && x < b && b - a < w / 2) }'
	equal "$p" "$q"
	awk -v p="$p" -v w="$wide" 'BEGIN { x = 2.45 / 4 * (w - 1) + 1; exit !(p > x - 1 && p < x + 1) }'
	# in a page each curve has its axis, and the view is the same part of all
	tafplot --panels -o a.html u.taf p.taf
	sed -n 's/.*"axis":{.*"lo":\(.*\),"hi":\(.*\)},$/\1 \2/p' a.html |
		awk '{ printf "%.6g %.6g\n", $1, $2 }' >got
	for f in u.taf '-x2=1 p.taf' '-x2=2 p.taf'; do
		# shellcheck disable=SC2086
		tafcrop $f | tafreduce min,max -d 1 | tafread | xargs
	done | awk '{ printf "%.6g %.6g\n", $1, $2 }' >want
	same got want
	need node
	functions a.html >a.js <<'END'
assert.deepStrictEqual([d.upright.lo, d.upright.hi], [0, 1]);
assert.deepStrictEqual(viewOf('#y=0.25:0.5', d).y, [0.25, 0.5]);
assert.strictEqual(readout(d, 2, 0), '2 s, U: 1.818595 V, P, 1: 20000, P, 2: 200000');
END
	node a.js
}

@test "--samples: a page zooms to each sample, whatever its type and unit" {
	need node
	tafmath -n 100001,2 -a 1=2:0.5 -t int16 'trunc(rand(3)*60000)-30000' | tafput unit=mV -o a.taf
	tafcreate -t flt64 -n 70000 -o b.taf < <(perl -e 'srand 4; print pack "d<*", map { $_ % 997 ? rand : "inf" } 1 .. 70000')
	tafput unit=V -i b.taf
	tafmath -n 150000 -t uint32 "i1*28000" -o c.taf
	tafplot -q --samples a.taf b.taf c.taf -o a.html
	for f in a b c; do
		taf2raw -t flt64 $f.taf >$f
	done
	functions a.html >a.js <<'EOF'
const fs = require('fs');
const pieces = [...page.matchAll(/class="piece">([^<]*)</g)].map(m => ({ textContent: m[1] }));
const want = f => new Float64Array(new Uint8Array(fs.readFileSync(f)).buffer);
const a = want('a'), all = [a.subarray(0, 100001), a.subarray(100001),
	want('b').map(v => v === Infinity ? NaN : v * 1000), want('c')];
assert.strictEqual(pieces.length, 3 + 3 + 2 + 4);
assert.strictEqual(d.curves.length, 4);
d.curves.forEach((c, k) => {
	const n = all[k].length, got = samplesOf(pieces, d.value, c.samples, 0, n);
	assert.deepStrictEqual(got, all[k]);
	assert.deepStrictEqual(samplesOf(pieces, d.value, c.samples, 49000, 49300),
		all[k].subarray(49000, 49300));
	/* not yet there */
	assert.strictEqual(samplesOf(pieces.slice(0, c.samples.first), d.value, c.samples, 0, 9), null);
	/* a view of few samples has each of them, and one of all has buckets */
	const g = d.grids[c.grid], view = [gridValue(g, 60000), gridValue(g, 60050)];
	refine(pieces, d, c, view);
	const p = [].concat(...runsOf(...drawn(d, c), d.x, view, 1000)).filter(
		p => p.x >= -1e-9 && p.x <= 1000 + 1e-9);
	const seen = all[k].subarray(60000, 60051).filter(v => v === v);
	assert.deepStrictEqual(p.map(q => q.lo), [...seen]);
	assert.deepStrictEqual(p.map(q => q.hi), [...seen]);
	assert(p.every(q => q.to === undefined));
});
assert(readout(d, 2 + 60010 * 0.5, 0).includes(': ' + quantity(d.value, all[0][60010], 7)));
assert(note(d).startsWith('Every sample is here'));
EOF
	node a.js
	# a short record has no buckets to look behind; what is no line is refused
	for words in '--term svg' '--term html --image' '--term html --xy' '--term html --band 1'; do
		# shellcheck disable=SC2086
		refuse 2 tafplot --samples $words a.taf || return 1
	done
}
