# SPDX-License-Identifier: ISC
load helper

# values of a header as perl reads them, for what tafprobe says of it
header() {
	perl -e '
		open my $f, "<:raw", $ARGV[0] or die;
		read $f, my $h, 4096;
		my ($t, $a, $b, $n) = unpack "x1024 A8 d< d< Q<", $h;
		$t =~ s/\0.*//s;
		my @d = unpack "x1056 (Q< d< d<)$n", $h;
		print "$t $n ", join(",", map { $d[3 * $_] } 0 .. $n - 1), " $d[-2] $d[-1] ", 1056 + 24 * $n, "\n";
	' "$1"
}

@test "what a file holds, key by key" {
	mktaf a.taf uint16 7,5,3
	printf 'hello\n' >>a.taf
	probed=$(for k in type ndim shape o3 d3 offset; do tafprobe -k $k a.taf; done | paste -s -d ' ' -)
	equal "$probed" "$(header a.taf)"
	for want in 'file a.taf' 'format taf' 'version 1.0' 'code 0' 'intercept inf' 'slope inf' \
		'count 105' 'bytes 210' 'comment_offset 1338' 'size 1344' 'comment hello' \
		'n1 7' 'n2 5' 'n3 3' 'o1 0.5' 'd2 0.5' 'label1 ' 'unit3 '; do
		equal "${want%% *} $(tafprobe -k "${want%% *}" a.taf)" "$want"
	done
}

@test "labels, units and attributes; a dimension that is not there is 3, a key 2" {
	mktaf a.taf int8 4,2
	tafadjust --label '1=Time of day' --unit 2=mV a.taf -o b.taf
	equal "$(tafprobe -k label1 b.taf)|$(tafprobe -k unit2 b.taf)" "Time of day|mV"
	(cat a.taf; printf -- '--- attributes ---\ninstrument=scope 4\n') >c.taf
	equal "$(tafprobe -k instrument c.taf)" "scope 4"
	refuse 2 tafprobe -k instrument a.taf
	refuse 2 tafprobe -k shap a.taf
	equal "$(cat err)" 'tafprobe: a.taf: no value called shap; did you mean shape?'
	refuse 3 tafprobe -k n3 a.taf
	refuse 2 tafprobe -k n01 a.taf
	refuse 3 tafprobe -k label3 a.taf
}

@test "a long attribute is cut in the listing, between characters, and whole elsewhere" {
	local long
	long=$(printf '%0.sé' $(seq 1 200))x
	mktaf m.taf int16 3,2
	tafput short="${long:0:400}" cut="$long" other="y$long" -o a.taf m.taf
	tafprobe a.taf | grep '^attribute' >out
	printf 'attribute      %s = %s\n' short "${long:0:400}" cut "${long:0:60}... (401 bytes)" \
		other "y${long:0:58}... (402 bytes)" >want
	same want out
	equal "$(tafprobe -k cut a.taf)" "$long"
	tafprobe --json a.taf | grep -qF "\"$long\""
}

@test "a line for each array of a stream, and of each operand" {
	mktaf a.taf int8 4,2
	mktaf b.taf flt64 3,3,3
	tafcrop a.taf b.taf >two.rsf
	equal "$(tafprobe -k shape two.rsf | paste -s -d ' ' -)" "4,2 3,3,3"
	equal "$(tafprobe -N 2 -k type <two.rsf)" flt64
	refuse 3 tafprobe -N 3 two.rsf
	# of an operand that cannot be read a message, of the others their values
	status 4 tafprobe -k shape a.taf no.taf b.taf
	equal "$(paste -s -d ' ' out)" "$(printf 'a.taf\t4,2 b.taf\t3,3,3')"
}

@test "a list of keys: a line with tabs; of several files the name is first" {
	mktaf a.taf int8 4,2
	mktaf b.taf flt64 3,3,3
	printf 'two\tlines\nof text\n' >>a.taf
	equal "$(tafprobe -k type,shape,n1 a.taf)" "$(printf 'int8\t4,2\t4')"
	equal "$(tafprobe -k shape,file a.taf b.taf)" "$(printf '4,2\ta.taf\n3,3,3\tb.taf')"
	equal "$(tafprobe -k type a.taf b.taf)" "$(printf 'a.taf\tint8\nb.taf\tflt64')"
	equal "$(tafprobe -k comment,n2 a.taf)" "$(printf 'two\\x09lines\\x0aof text\t2')"
	refuse 2 tafprobe -k type,shap a.taf
	refuse 2 tafprobe -k type, a.taf
	refuse 3 tafprobe -k n1,n3 a.taf
}

@test "JSON that a parser reads, with every value" {
	need "$PYTHON"
	mktaf a.taf uint16 7,5
	printf 'a "quoted" \\ line\n\001\377\303\251\n--- attributes ---\nlabel@1=q%%22\nk@2=v\nj@c1=3\n' >>a.taf
	tafcrop a.taf a.taf >two.rsf
	tafprobe -j a.taf two.rsf >lines
	"$PYTHON" - <<'EOP'
import json
rows = [json.loads(line) for line in open('lines', encoding='utf-8')]
assert len(rows) == 3
for r in rows:
    assert r['shape'] == [7, 5] and r['n1'] == 7 and r['type'] == 'uint16'
    assert r['intercept'] is None and r['slope'] is None
    assert r['label1'] == 'q"' and r['unit2'] is None
    assert r['comment'] == 'a "quoted" \\ line\n\x01\xff\xe9', repr(r['comment'])
    assert r['attributes'] == {'k@2': 'v', 'j@c1': '3'}, r['attributes']
assert rows[0]['format'] == 'taf' and rows[0]['version'] == '1.0' and rows[0]['offset'] == 1104
assert rows[1]['format'] == 'rsf' and rows[1]['version'] is None
EOP
}

@test "values that are not finite are null in JSON, and words elsewhere" {
	mktaf a.taf int8 4,2
	perl -e 'open F, "+<", "a.taf"; seek F, 1064, 0; print F pack "d<2", "nan", "-inf"'
	equal "$(tafprobe -k o1 a.taf) $(tafprobe -k d1 a.taf)" "nan -inf"
	tafprobe -j a.taf | grep -q '"o1":null,"d1":null'
}

@test "only the header and the comment of a file are read" {
	# 2^40 bytes that are not there
	mktaf a.taf int8 4,2
	perl -e 'open F, "+<", "a.taf"; seek F, 1056, 0; print F pack "Q<", 1 << 39;
		truncate F, 1104 + (1 << 40) or exit 1' || skip "no sparse files of a terabyte here"
	equal "$(timeout 60 tafprobe -k bytes a.taf)" 1099511627776
}

@test "of a pipe nothing is said before all has come" {
	mktaf a.taf int16 40,20
	tafcrop a.taf >a.rsf
	head -c -1 a.rsf | ends 3 tafprobe >out
	[ ! -s out ]
	head -c -1 a.taf | ends 3 tafprobe >out
	[ ! -s out ]
}

@test "control characters of a file do not reach the terminal as such" {
	mktaf a.taf int8 4,2
	printf -- '--- attributes ---\nlabel@1=x%%1B[31my\nunit@1=%%0Az\nk=%%07\n' >>a.taf
	tafprobe a.taf >page
	equal "$(LC_ALL=C tr -d '\001-\010\013-\037' <page | cmp - page)" ""
	grep -q 'x\\x1b\[31my' page
	# nor do those of its name
	tafcrop a.taf -o $'n\033[1m.taf'
	equal "$(tafprobe $'n\033[1m.taf' | sed -n 1p)" 'file           n\x1b[1m.taf'
}

@test "legacy headers, versions and one dimension" {
	mktaf a.taf uint16 4,2
	perl -e 'open F, "+<", "a.taf"; print F "TAF(10)\n"; seek F, 1024, 0; print F pack "Q<", 16'
	equal "$(tafprobe -k type a.taf) $(tafprobe -k version a.taf)" "uint16 1.0"
	tafprobe a.taf | grep -q legacy
	for bits in 8:uint8 32:flt32 64:flt64; do
		size=$((${bits%:*} / 8))
		mktaf b.taf int8 $((4 * size)),2
		B=${bits%:*} perl -e 'open F, "+<", "b.taf"; seek F, 1024, 0; print F pack "Q<", $ENV{B};
			seek F, 1056, 0; print F pack "Q<", 4'
		equal "$(tafprobe -k type b.taf)" "${bits#*:}"
	done
	mktaf c.taf int8 6
	equal "$(tafprobe -k ndim c.taf) $(tafprobe -k shape c.taf)" "1 6"
	mktaf d.taf int8 4,2
	perl -e 'open F, "+<", "d.taf"; seek F, 4, 0; print F "\2"'
	refuse 3 tafprobe d.taf
	grep -q 'version 2.0' err
}

@test "a comment cannot steer the terminal" {
	mktaf a.taf int16 3,2
	printf 'one\ttab\nred \033[31m, over\rwritten\nend \302\265s' >>a.taf
	equal "$(tafprobe a.taf | tail -n 3)" "$(printf 'one\ttab\nred \\x1b[31m, over\\x0dwritten\nend \302\265s')"
	# a script gets every byte
	equal "$(tafprobe -k comment a.taf)" "$(tafcomment a.taf)"
	equal "$(tafprobe -k comment a.taf | tr -dc '\033\r' | wc -c)" 2
}

@test "a file of another format is called one" {
	printf 'a,b\n1,2\n' >a.csv
	printf 'WAVEDESC\0\0\0' >a.trc
	refuse 3 tafprobe a.csv
	equal "$(cat err)" 'tafprobe: a.csv: neither TAF nor RSF, as its text has no data_format: use txt2taf for a table'
	refuse 3 tafprobe a.trc
	equal "$(cat err)" 'tafprobe: a.trc: neither TAF nor RSF, but a LeCroy trace (use lecroy2taf)'
	printf 'noise\0\1\2' >a.bin
	refuse 3 tafprobe a.bin
	equal "$(cat err)" 'tafprobe: a.bin: neither TAF nor RSF, as it holds a NUL: other formats have converters, see taf(7)'
	# each command that is offered, for a file that it reads
	mktaf b.taf int16 3,2
	taf2npy b.taf >b.npy
	taf2ten b.taf >b.ten
	taf2gta b.taf >b.gta
	taf2pgm b.taf >b.pgm
	for k in npy ten gta pgm; do
		refuse 3 tafcrop -x 1=1 b.$k
		[[ $(cat err) == "tafcrop: b.$k: neither TAF nor RSF, but "*"(use ${k}2taf)" ]]
		${k}2taf b.$k | tafcompare b.taf - || [ $k = pgm ]
	done
}

@test "-k reaches the attributes of dimensions and components" {
	mktaf a.taf int16 3,2
	printf -- '--- attributes ---\ngta/A=whole\ngta/A@2=second\ngta/A@c1=component\nlabel@1=Time\nodd%%402=plain\n' >>a.taf
	equal "$(tafprobe -k gta/A a.taf)" whole
	equal "$(tafprobe -k gta/A@2 a.taf)" second
	equal "$(tafprobe -k gta/A@c1 a.taf)" component
	equal "$(tafprobe -k label@1 a.taf)" Time
	equal "$(tafprobe -k odd@2 a.taf)" plain
	for k in gta/A@1 gta/A@c2 gta/A@ gta/A@c gta/A@x gta/B@2 gta/@2 @2; do
		refuse 2 tafprobe -k "$k" a.taf
	done
}

@test "numbers of grids and mappings have 7 digits for people, all for programs" {
	mktaf a.taf int16 3,2
	tafadjust -q --start 1=-1.0000027999112104e-8 --step 1=0.30000000000000004 --slope 0.1234567890123 \
		--intercept 2 a.taf -o b.taf
	grep -qx 'dimension 1    3 from -1.000003e-8 step 0.3' <(tafprobe b.taf)
	grep -qx 'mapping        2 + 0.1234568 \* x' <(tafprobe b.taf)
	equal "$(tafprobe -k o1 b.taf) $(tafprobe -k d1 b.taf) $(tafprobe -k slope b.taf)" \
		'-1.0000027999112104e-8 0.30000000000000004 0.1234567890123'
}
