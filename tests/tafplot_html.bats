# SPDX-License-Identifier: ISC
load helper
load page

# list KEY FILE: the numbers of a key's lists in a page, one a line
list() {
	sed -n "s/.*\"$1\":\[\([^]]*\)\].*/\1/p" "$2" | tr ',' '\n'
}

# of numbers that are written one a line, as doubles
doubles() {
	perl -ne 'print pack "d<", $_'
}

# dom FILE [FRAGMENT]: a page's elements, as a browser has made them
dom() {
	timeout 60 "$browser" --headless --no-sandbox --disable-gpu --window-size=900,600 \
		--user-data-dir="$T/profile" --dump-dom "file://$T/$1${2-}" 2>err
}

@test "a page has each sample of a short record, to the last bit" {
	perl -e 'print pack "d<", sin($_) / 3 for 1 .. 3002' >raw
	tafcreate -t flt64 -n 1501,2 -a 1=-0.1:0.3 raw -o a.taf
	tafplot a.taf -o a.html
	list min a.html | doubles >values
	same values raw
	equal "$(grep -c '"max"' a.html)" 0
	grep -qx '{"start":-0.1,"step":0.3,"first":0,"count":1501}\],' a.html
	# from a pipe, too
	tafcrop a.taf | tafplot --term html --title a.taf >b.html
	same a.html b.html
}

@test "a page has the smallest and the largest of each few samples of a long record" {
	tafmath -n 196608 -t int16 'trunc(rand(5) * 30000) - 15000' -o a.taf
	tafplot a.taf -o a.html
	for what in min max; do
		list $what a.html >values
		tafreduce $what -d 1 --every 3 a.taf | tafread >want
		equal "$(wc -l <values)" 65536
		same values want
	done
	equal "$(list width a.html | sort -u)" 3
}

@test "a page of any length has a few megabytes, and every spike" {
	tafmath -n 3000000 -t flt64 'i1 == 2345678 ? 7 : rand(3)' | tafplot --term html >a.html
	[ "$(wc -c <a.html)" -lt 4000000 ]
	equal "$(list max a.html | grep -cx 7)" 1
	equal "$(list width a.html | awk '{ n += $1 } END { print n }')" 3000000
	# many lines share the space
	tafmath -n 20000,1000 -t flt64 'rand(4)' | tafplot --term html >a.html
	[ "$(wc -c <a.html)" -lt 7000000 ]
}

@test "a page has the edges of a band" {
	tafmath -n 2,700,2 -t flt64 'i1 == 1 ? sin(i2) * i3 : i2 == 9 ? 0/0 : i2/7' -o a.taf
	tafplot --band 2.5 a.taf -o a.html
	for what in min max; do
		tafcrop -x 1=1 a.taf | tafmath "a $([ $what = min ] && echo - || echo +) 2.5*b" - <(tafcrop -x 1=2 a.taf) |
			tafread >edge
		sed 's/^nan$/null/' edge >want
		list $what a.html >all
		# for each curve: its values, once, and the two edges
		if [ $what = min ]; then
			(sed -n 701,1400p all && sed -n 2101,2800p all) >got
		else
			cp all got
		fi
		paste got want | awk '$1 == "null" || $2 == "null" { bad += $1 != $2; next }
			{ bad += ($1 - $2) ^ 2 > 1e-24 } END { exit bad > 0 }'
		equal "$(wc -l <got)" 1400
	done
	equal "$(grep -c '"sigmas":2.5,' a.html)" 2
}

@test "NaN are gaps in a page, infinite values are left out with a remark" {
	perl -e 'print pack "d<7", 1, "nan", 3, "inf", 5, "nan", "nan"' >raw
	tafcreate -t flt64 -n 7 raw -o a.taf
	tafplot a.taf -o a.html 2>err
	equal "$(list min a.html | tr '\n' ' ')" "1 null 3 null 5 null null "
	equal "$(cat err)" "tafplot: left out: 1 infinite values"
	# nothing at all
	status 3 tafplot -x 1=6:7 a.taf -o b.html
	[ ! -e b.html ]
}

@test "a logarithmic page has each first decade in full" {
	tafmath -n 300000 -a 1=0:1 -t flt64 'i1' | tafplot --log xy --term html >a.html 2>err
	equal "$(cat err)" "tafplot: left out: 1 grid points that are not positive"
	equal "$(list width a.html | awk '{ n += $1 } END { print n }')" 299999
	# all points up to 5000 are there by themselves
	list max a.html | grep -vx null | head -n 4999 | doubles >values
	perl -e 'print pack "d<", $_ for 2 .. 5000' >want
	same values want
}

@test "a page has each pixel of an image; of a large one those farthest from the mean" {
	mktaf a.taf int16 30,7 3
	tafplot --image a.taf -o a.html
	taf2raw -t flt64 a.taf >want
	list min a.html | doubles >values
	same values want
	tafmath -n 3000,900 -t flt64 'i1 == 2999 and i2 == 2 ? -50 : rand(2)' |
		tafplot --image --term html >b.html
	[ "$(wc -c <b.html)" -lt 4000000 ]
	equal "$(list min b.html | grep -cx -- -50)" 1
	equal "$(sed -n '/^"rows"/p' b.html | tr -d '\n' | list width /dev/stdin |
		awk '{ n += $1 } END { print NR, n }')" "256 900"
}

@test "labels and titles are text in a page, and never elements or scripts" {
	bad='</script><script>alert(1)</script><!-- &'
	mktaf a.taf int16 20,2 3
	tafput "label=$bad" "label@1=$bad" "label@2=$bad" -i a.taf
	tafplot --title "$bad" a.taf -o a.html
	equal "$(grep -o '<script' a.html | wc -l)" 2
	equal "$(grep -o '</script' a.html | wc -l)" 2
	equal "$(grep -c 'alert(1)' a.html)" "$(grep -c 'alert(1)&lt;/script\|u003c/script>.*alert(1)' a.html)"
	equal "$(grep -c '^&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!-- &amp;' a.html)" 2
}

@test "several arrays are on a page with their grids, their names and one unit" {
	mktaf a.taf int16 20 3
	mktaf b.taf int16 30 2
	tafput label@1=Time unit@1=ns unit=V/s -i a.taf
	tafput label@1=Time unit@1=us unit=V/s -i b.taf
	tafplot a.taf b.taf -o a.html
	# 0.5 and 0.25 us, in ns
	equal "$(sed -n '/^"grids"/,/^"curves"/p' a.html)" '"grids":[
{"start":0.5,"step":0.25,"first":0,"count":20},
{"start":500,"step":250,"first":0,"count":30}],
"curves":['
	equal "$(grep -o '^{"grid.*,"name":"[^"]*"' a.html)" '{"grid":0,"name":"a.taf"
{"grid":1,"name":"b.taf"'
	grep -qF '"x":{"name":"Time","unit":"ns","base":"s","power":-9,"most":0,' a.html
	grep -qF '"value":{"name":"","unit":"V/s","log"' a.html
	tafplot --no-prefix --xlabel T --ylabel '' --legend off a.taf -o b.html
	grep -qF '"x":{"name":"T","unit":"ns","log"' b.html
	grep -qF '"value":{"name":"","log"' b.html
	grep -qF '"legend":false' b.html
}

@test "a page asks for nothing from elsewhere" {
	mktaf a.taf int16 20,2 3
	tafplot a.taf -o a.html
	equal "$(grep -cE 'https?:|//[a-z]|url\(|@import|src=|fetch\(|XMLHttp|eval\(' a.html)" 0
	equal "$(grep -o 'href="[^"]*"' a.html)" 'href="data:,"'
	grep -q "default-src 'none'" a.html
}

@test "what a page cannot be is refused" {
	mktaf a.taf int16 20,2 3
	status 2 tafplot --script --term html a.taf
	equal "$(head -n 1 err)" "tafplot: --script: a page is drawn without gnuplot"
	perl -e 'print pack "d<2", -1.5e308, 1.5e308' | tafcreate -t flt64 -n 2 -o b.taf
	status 3 tafplot b.taf -o b.html
	[ ! -e b.html ]
}

@test "the script of a page finds what is in a view" {
	need node
	tafmath -n 200001 -a 1=-5:0.25 -t flt64 \
		'i1 == 77777 ? 9 : i1 > 3000 and i1 < 3200 ? nan : rand(6)' -o a.taf
	tafplot a.taf -o a.html
	functions a.html >a.js <<'EOF'
const c = d.curves[0], g = d.grids[0], lo = c.levels[0].lo, hi = c.levels[0].hi;
const close = (a, b, size) => assert(Math.abs(a - b) <= 1e-12 * size, a + ' is not ' + b);
let seed = 1;
function random(n) {
	seed = seed * 16807 % 2147483647;
	return seed % n;
}

/* smallest and largest of many buckets, by comparing each */
for (let k = 0; k < 300; k++) {
	const a = random(lo.length), b = a + random(k < 100 ? 30 : lo.length - a) + 1;
	const part = f => f.subarray(a, b).filter(v => v === v);
	const want = part(lo).length ? [part(lo).reduce((p, v) => Math.min(p, v)),
		part(hi).reduce((p, v) => Math.max(p, v))] : [NaN, NaN];
	assert.deepStrictEqual(extremes(c.levels, a, Math.min(b, lo.length)), want);
}
assert.strictEqual(g.edge[g.edge.length - 1], 200001);
for (const i of [0, 1, 2, 77776, 200000]) {
	const k = bucketAt(g.edge, i);
	assert(g.edge[k] <= i && i < g.edge[k + 1]);
}

/* the spike, the ends and the gap are in pictures of any width */
const all = whole(d);
assert.deepStrictEqual(all.x, [-5, 49995]);
for (const w of [50, 777, 3000]) {
	const p = [].concat(...runsOf(c, g, d.x, all.x, w));
	const spike = p.filter(q => q.hi === 9);
	assert.strictEqual(spike.length, 1);
	assert(Math.abs(spike[0].x - 77776 / 200000 * w) <= 1);
	assert(p[0].x <= 1 && p[p.length - 1].x >= w - 1);
}
assert.strictEqual(runsOf(c, g, d.x, all.x, 3000).length, 2);

/* about a pointer, within the whole */
let v = zoom(all.x, all.x, 0.01, 0.3);
close(v[1] - v[0], 500, 50000);
close(v[0] + 0.3 * 500, -5 + 0.3 * 50000, 50000);
assert.deepStrictEqual(zoom(v, all.x, 1e9, 0.5), all.x);
assert.deepStrictEqual(pan(v, all.x, -1e9), [-5, -5 + (v[1] - v[0])]);
for (let k = 0; k < 1000; k++)
	v = zoom(v, all.x, 0.8, 0.5);
assert(v[1] > v[0]);
assert.strictEqual(fragmentOf(all, d), '');
assert.strictEqual(fragmentOf(viewOf('#x=10.5:20&y=0.25:0.75', d), d), 'x=10.5:20&y=0.25:0.75');
assert.deepStrictEqual(viewOf('#x=oops&x=3:1&x=1:nan&z=1:2', d), all);

/* numbers for people */
const at = (axis, view) => ticksOf(axis, view, scaleOf(axis, view[1]), 6).map(t => t.text);
assert.deepStrictEqual(at({}, [0, 10]), ['0', '2', '4', '6', '8', '10']);
assert.deepStrictEqual(at({ log: true }, [0, 4]), ['1', '10', '100', '1000', '10000']);
const ns = { name: 'Time', unit: 'ns', base: 's', power: -9, most: 0 };
assert.deepStrictEqual(at(ns, [0, 3000]), ['0', '1', '2', '3']);
assert.strictEqual(labelOf(ns, scaleOf(ns, 3000)), 'Time (\u00b5s)');
assert.strictEqual(quantity(ns, 0.3, 7), '300 ps');
assert(readout(d, 19439, 0).includes(' to 9'), readout(d, 19439, 0));
EOF
	node a.js
}

@test "a page has a curve over an image, with its values under the pointer" {
	tafmath -n 40,20 -a 1=0:1 -a 2=0:0.1 'x1 + x2' | tafput unit@1=us unit@2=GHz -o s.taf
	tafmath -n 81 -a 1=0:500 -t flt64 '1000+x1/100' | tafput label=Ridge unit=MHz unit@1=ns -o v.taf
	tafplot --image --over v.taf s.taf -o a.html
	grep -qF '"over":{"grids":[' a.html
	# in the image's units
	sed -n '/^"over"/,/^"grids"/p' a.html >over
	grep -qx '{"start":0,"step":0.5,"first":0,"count":80}\],' over
	list min over | awk '{ printf "%.9g\n", $1 }' >got
	tafread v.taf | awk '{ printf "%.9g\n", $1 / 1000 }' >want
	head -n 80 want | cmp - got
	need node
	functions a.html >a.js <<'EOF'
assert.strictEqual(d.lines, d.over);
const runs = runsOf(d.over.curves[0], d.over.grids[0], d.x, whole(d).x, 400);
assert.strictEqual(runs.length, 1);
assert(Math.abs(runs[0][0].lo - 1) < 1e-9);
assert(readout(d, 20, 1).endsWith('Ridge: 1.2 GHz'), readout(d, 20, 1));
assert.notStrictEqual(colourOf(d, 0), colourOf(d, 1));
EOF
	node a.js
}

@test "a page has a section of traces, and wiggles with the values under the pointer" {
	seismic 6 1 >shot.sgy
	segy2taf -q -x 1=1:9 shot.sgy | tafput label=Pressure unit=Pa -o a.taf
	tafplot --image -o s.html a.taf
	tafplot --wiggle -o w.html a.taf
	for f in s w; do
		grep -q '^"x":{"name":"Trace",' $f.html || return 1
		grep -q '^"y":{"name":"Time","unit":"s",.*"down":true' $f.html || return 1
	done
	# time is the rows of one, and the grid of the other
	tafpermute -d 2,1 a.taf | taf2raw -t flt64 >want
	list min s.html | doubles >got
	same want got
	taf2raw -t flt64 a.taf >want
	list min w.html | doubles >got
	same want got
	need node
	tafread -x 2=4 -x 1=3 a.taf >v
	functions s.html >s.js <<'EOF'
assert.strictEqual(d.upright, d.y);
assert.deepStrictEqual(colour(d, 0), [255, 255, 255]);
assert.deepStrictEqual(colour(d, 1), [0, 0, 0]);
assert.deepStrictEqual([d.x.lo, d.x.hi, d.y.lo, d.y.hi], [0.5, 6.5, -0.001, 0.017]);
EOF
	functions w.html >w.js <<'EOF'
assert.deepStrictEqual([d.x.lo, d.x.hi], [0, 7]);
assert.deepStrictEqual(d.curves.map(c => c.at), [1, 2, 3, 4, 5, 6]);
const at = /^Trace 4, Time 4 ms, Pressure (.*) (m?)Pa$/.exec(readout(d, 4.3, 0.0043));
const v = +require('fs').readFileSync('v', 'utf8');
assert(Math.abs(at[1] * (at[2] ? 1e-3 : 1) - v) < 1e-6, at + ' ' + v);
assert.deepStrictEqual(viewOf('#y=0.004:0.008', d).y, [0.004, 0.008]);
EOF
	node s.js && node w.js
}

@test "a browser draws a page, and zooms it" {
	browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
		skip 'no chromium'
	mktaf a.taf int16 200,2 3
	tafplot --title 'A & <b>' a.taf -o a.html
	dom a.html '#x=1:2.5' >out || skip 'chromium does not run here'
	grep -q 'data-view="x=1:2.5"' out
	grep -q '<p id="note">Every sample is here\.' out
	equal "$(grep -o 'aria-pressed="true"' out | wc -l)" 2
	# what a hand does: wheel in, wheel out, a line off, all of it
	sed 's|^</body>|<script>{\
		const p = document.getElementById("plot"), r = p.getBoundingClientRect();\
		const wheel = y => p.dispatchEvent(new WheelEvent("wheel", { deltaY: y,\
			clientX: r.left + r.width / 2, clientY: r.top + r.height / 2 }));\
		const say = () => { document.title += " [" + location.hash + "]"; };\
		wheel(-1), say(), wheel(1), say(), document.querySelector("button").click();\
		document.dispatchEvent(new KeyboardEvent("keydown", { key: "+" })), say();\
		p.dispatchEvent(new Event("dblclick")), say(); }</script>\
		</body>|' a.html >b.html
	dom b.html >out
	grep -qx 'A &amp; &lt;b&gt;</h1>' out
	grep -qE '\[#x=[0-9.e+:-]*\] \[\] \[#x=[0-9.e+:-]*\] \[\]' out
	equal "$(grep -o 'aria-pressed="false"' out | wc -l)" 1
	# y fits each panel to its values in the view, which go to 1 and 2, of 6 and 12; 0 shows all
	tafmath -n 1000,2 'sin(x1/20)*x2*(1 + 5*(x1 > 500))' | tafplot --panels -o c.html
	sed 's|^</body>|<script>{\
		const seen = new Set(), key = k => { document.title += " ["; seen.clear();\
			document.dispatchEvent(new KeyboardEvent("keydown", { key: k }));\
			window.dispatchEvent(new Event("afterprint"));\
			document.title += [...seen].filter(t => t !== "").filter(t => t < 50).sort((a, b) => a - b) + "]" + location.hash; };\
		document.getElementById("plot").getContext("2d").fillText = t => seen.add(t);\
		key("y"), key("0"); }</script>\
		</body>|' c.html >e.html
	dom e.html '#x=1:400' >out
	grep -F '[-2,-1,-0.5,0,0.5,1,2]#x=1:400&amp;fit [-10,-5,0,5,10]</title>' out
}
