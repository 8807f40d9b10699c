# SPDX-License-Identifier: ISC
# What is run while each call of it fails in turn (faults.bats).
# in turn: - -q --header small.taf small.taf
# in turn: pipe:small.taf -q -j - small.taf
# in turn: - -q in.taf in.taf

load helper

# values FILE TYPE TEMPLATE SHAPE NUMBER...
values() {
	perl -e 'my ($t, @v) = @ARGV; print pack "($t)*", @v' "$3" "${@:5}" >raw
	tafcreate -n "$4" -t "$2" raw -o "$1"
}

# map FILE INTERCEPT SLOPE: give a TAF file a mapping
map() {
	perl -e 'open F, "+<", $ARGV[0]; seek F, 1032, 0; print F pack "d<2", @ARGV[1, 2]' "$@"
}

# agree ARGUMENT...: status 0 and not a word; differ: status 1, one line
agree() {
	status 0 tafcompare "$@" || return 1
	[ ! -s out ] || return 1
	[ ! -s err ]
}

differ() {
	status 1 tafcompare "$@" || return 1
	[ "$(wc -l <out)" -eq 1 ] || return 1
	[ ! -s err ]
}

@test "the same values agree whatever their type; the first difference is told" {
	local types='int8 uint8 int16 uint16 int32 uint32 int64 uint64 flt32 flt64'
	for s in $types; do mktaf "$s.taf" "$s" 5,4,3; done
	for s in $types; do
		for t in $types; do agree "$s.taf" "$t.taf"; done
		tafcast -t int16 "$s.taf" | taffill -x 1=3 -x 2=2 -x 3=2 --value 111 | tafcast -t "$s" -o "$s.other"
	done
	for s in $types; do
		differ int32.taf "$s.other"
		equal "$(<out)" "int32.taf $s.other: 1 of 60 values differ, by 20 at most; the first at [3,2,2], grid (1, 2, 3.25): 91 and 111"
	done
	differ flt64.other int8.taf
	equal "$(cut -d ' ' -f 3- out)" "1 of 60 values differ, by 20 at most; the first at [3,2,2], grid (1, 2, 3.25): 111 and 91"
}

@test "NaN equals NaN, -0 equals 0, an infinity itself alone" {
	perl -e 'print pack "Q<*", 0x7ff8000000000000, 0, 0x7ff0000000000000' >a
	perl -e 'print pack "Q<*", 0xfff0000000000123, 1 << 63, 0x7ff0000000000000' >b
	perl -e 'print pack "d<*", 1, 0, 1e308' >c
	perl -e 'print pack "d<*", "nan", 0, -9**9**9' >d
	for f in a b c d; do tafcreate -n 3 -t flt64 $f -o $f.taf; done
	agree a.taf b.taf
	differ a.taf c.taf
	grep -q '2 of 3 values differ, by inf at most; the first at \[1\], grid (1): nan and 1$' out
	differ --absolute 1e9 --relative 1e9 --ulp 99999999999999 a.taf d.taf
	grep -q '1 of 3 values differ, by inf .*: inf and -inf$' out
	tafcrop -x 1=1 a.taf -o a1.taf
	tafcrop -x 1=1 c.taf -o c1.taf
	differ --absolute 1e9 a1.taf c1.taf
	grep -q '1 of 1 values differ, by nan at most' out
}

@test "integers are compared as integers" {
	values a.taf int64 'q<' 3 9007199254740993 -5 9223372036854775807
	values b.taf int64 'q<' 3 9007199254740992 -5 9223372036854775807
	differ a.taf b.taf
	grep -q '1 of 3 values differ, by 1 at most; .*: 9007199254740993 and 9007199254740992$' out
	values c.taf uint64 'Q<' 3 9007199254740993 18446744073709551611 9223372036854775807
	differ a.taf c.taf
	grep -q '1 of 3 .*; the first at \[2\], grid (2): -5 and 18446744073709551611$' out
	# a double that is near, but not it
	values d.taf flt64 'd<' 3 9007199254740992 -5 9223372036854775808
	differ a.taf d.taf
	grep -q '2 of 3 values differ, by 1 at most; .*: 9007199254740993 and 9007199254740992$' out
	differ d.taf a.taf
	agree --absolute 1 a.taf d.taf
	agree --ulp 0 a.taf d.taf
	differ --absolute 0.9 d.taf a.taf
	values e.taf uint64 'Q<' 1 18446744073709551615
	values f.taf int64 'q<' 1 -9223372036854775808
	differ e.taf f.taf
	grep -q 'by 2.7670116110564327e19 at most; .*: 18446744073709551615 and -9223372036854775808$' out
	values g.taf uint64 'Q<' 1 0
	differ e.taf g.taf
	grep -q 'by 18446744073709551615 at most' out
	agree --ulp 1 b.taf a.taf
}

@test "values are physical" {
	mktaf a.taf int16 7,3
	map a.taf 0.5 0.25
	tafcast -t flt64 a.taf -o b.taf
	agree a.taf b.taf
	cp a.taf c.taf
	agree a.taf c.taf
	map c.taf 0.5 0.5
	differ a.taf c.taf
	tafcast --unmap a.taf -o d.taf
	differ a.taf d.taf
	differ --header a.taf b.taf
	grep -q ': type int16 and flt64; mapping' out
	map d.taf 0.5 0.5
	agree --header c.taf d.taf
}

@test "tolerances: any one of them is enough" {
	values a.taf flt64 'd<' 4 1 100 -1000 0
	values b.taf flt64 'd<' 4 1.5 100.5 -1000.5 0
	agree --absolute 0.5 a.taf b.taf
	differ --absolute 0.4999 a.taf b.taf
	# of the larger of both: a third, 0.5 / 100.5, 0.5 / 1000.5
	agree --relative 0.34 a.taf b.taf
	agree --relative 0.34 b.taf a.taf
	differ --relative 0.33 a.taf b.taf
	grep -q '1 of 4 values differ, by 0.5 at most; the first at \[1\]' out
	differ --relative 0.0005 a.taf b.taf
	grep -q '2 of 4' out
	agree --relative 0.005 --absolute 0.5 a.taf b.taf
	values c.taf flt64 'd<' 4 1 100 -1000 1e-300
	differ --relative 0.999 a.taf c.taf
	agree --relative 1 a.taf c.taf
}

@test "units in the last place, of flt32 where one of both is" {
	perl -e 'print pack "Q<*", 0x3ff0000000000000, 1, 0x7fefffffffffffff, 0xbff0000000000000' >a
	perl -e 'print pack "Q<*", 0x3ff0000000000003, 1 << 63 | 2, 0x7feffffffffffffc, 0xbff0000000000003' >b
	for f in a b; do tafcreate -n 4 -t flt64 $f -o $f.taf; done
	agree --ulp 3 a.taf b.taf
	differ --ulp 2 a.taf b.taf
	grep -q '4 of 4' out
	perl -e 'print pack "L<*", 0x3f800000, 0x00000001, 0x7f7fffff' >a
	perl -e 'print pack "L<*", 0x3f800002, 0x80000001, 0x7f7ffffd' >b
	for f in a b; do tafcreate -n 3 -t flt32 $f -o $f.taf; done
	agree --ulp 2 a.taf b.taf
	differ --ulp 1 a.taf b.taf
	tafcast -t flt64 b.taf -o wide.taf
	agree --ulp 2 a.taf wide.taf
	differ --ulp 1 wide.taf a.taf
	values c.taf flt32 'f<' 1 0.1
	values d.taf flt64 'd<' 1 0.1
	differ c.taf d.taf
	agree --ulp 0 c.taf d.taf
	# the largest number is not infinite
	values e.taf flt32 'f<' 1 inf
	tafcrop -x 1=3 a.taf -o f.taf
	differ --ulp 9 e.taf f.taf
}

@test "pairs differ by the absolute value of their difference" {
	pair() { printf 'n1=2 data_format="native_%s" in="stdin"\n\n\f\f\004' "$2" >"$1"; perl -e 'print pack "f*", @ARGV' "${@:3}" >>"$1"; }
	pair a.rsf complex 3 4 1 nan
	pair b.rsf complex 6 8 1 nan
	differ a.rsf b.rsf
	equal "$(cut -d ' ' -f 3- out)" "1 of 2 values differ, by 5 at most; the first at [1], grid (0): 3 4 and 6 8"
	agree --absolute 5 a.rsf b.rsf
	agree --relative 0.5 a.rsf b.rsf
	differ --relative 0.499 a.rsf b.rsf
	tafcast -t complex128 a.rsf >w.rsf
	agree a.rsf w.rsf
	differ --header a.rsf w.rsf
	equal "$(cut -d ' ' -f 3- out)" "type complex and complex128"
	values c.taf flt32 'f<' 2 3 1
	differ a.rsf c.taf
	grep -q 'complex and flt32: real values and complex ones' out
}

@test "other shapes differ, other numbers of arrays too" {
	mktaf a.taf int16 3,4
	mktaf b.taf int16 4,3
	mktaf c.taf int16 3,4,1
	differ a.taf b.taf
	equal "$(<out)" "a.taf b.taf: shape 3,4 and 4,3"
	agree a.taf c.taf
	differ --header a.taf c.taf
	grep -q ': ndim 2 and 3$' out
	tafcrop a.taf a.taf b.taf >many
	tafcrop a.taf a.taf >two
	differ many two
	equal "$(<out)" "many two: arrays 3 and 2"
	differ two many
	equal "$(<out)" "two many: arrays 2 and 3"
	# from pipes, which do not know how many they are
	cat many | ends 1 tafcompare - two >out
	equal "$(<out)" "standard input two: arrays 3 and 2"
	agree -N 2 many two
	refuse 3 tafcompare -N 3 many two
	mktaf none.taf int16 0,4
	agree none.taf none.taf
}

@test "streams in step: a line for each array that differs" {
	mktaf a.taf int32 5,4
	taffill -x 1=2 -x 2=3 --value 1000 a.taf -o b.taf
	tafcrop a.taf a.taf a.taf >x
	tafcrop b.taf a.taf b.taf >y
	status 1 tafcompare x y
	equal "$(cut -d : -f 1,2 out)" "$(printf 'x y: array 1\nx y: array 3')"
	cat x | ends 1 tafcompare - y >got
	equal "$(sed 's/standard input/x/' got)" "$(<out)"
	cat y | ends 1 tafcompare x - >got
	equal "$(sed 's/standard input/y/' got)" "$(<out)"
	differ -N 3 x y
}

@test "--header: types, mapping, grids, comment and attributes" {
	mktaf a.taf int16 3,4
	tafcrop a.taf -o a.taf
	cp a.taf b.taf
	agree --header a.taf b.taf
	while read -r want words; do
		cp a.taf b.taf
		eval "$words b.taf"
		agree a.taf b.taf
		differ --header a.taf b.taf
		equal "$(cut -d ' ' -f 3- out)" "${want//_/ }"
	done <<-'END'
		o1_0.5_and_7 tafadjust -i --start 1=7
		d2_0.5_and_-3 tafadjust -i --step 2=-3
		label@1 tafadjust -i --label 1=x
		unit@2 tafadjust -i --unit 2=m
		comment tafcomment -i -C more
		code_0_and_3 taftype -i --set 3
	END
	# on either side; a comment that comes behind the data of a pipe
	cat b.taf | ends 1 tafcompare --header - a.taf >out
	equal "$(<out)" "standard input a.taf: code 3 and 0"
	tafcomment -C more a.taf -o b.taf
	cat b.taf | ends 1 tafcompare --header a.taf - >out
	equal "$(<out)" "a.taf standard input: comment"
}

@test "-j: an object for each array" {
	values a.taf flt32 'f<' 2,2 1 2 3 inf
	values b.taf flt32 'f<' 2,2 1 2 4 nan
	status 1 tafcompare -j a.taf b.taf
	equal "$(<out)" '{"array":1,"equal":false,"shapes":[[2,2],[2,2]],"types":["flt32","flt32"],"count":4,"different":2,"largest":1,"first":[1,2],"coordinates":[1,2],"values":[3,4]}'
	status 0 tafcompare -j --header a.taf a.taf
	equal "$(<out)" '{"array":1,"equal":true,"shapes":[[2,2],[2,2]],"types":["flt32","flt32"],"count":4,"different":0,"header":[]}'
	tafadjust --start 1=2 --unit 1=s a.taf >c
	status 1 tafcompare -j --header a.taf c
	grep -q '"header":\["o1","unit@1"\]}$' out
	tafcrop a.taf a.taf >two
	status 1 tafcompare -j a.taf two
	equal "$(tail -n 1 out)" '{"equal":false,"arrays":[1,2]}'
	mktaf d.taf int8 3
	status 1 tafcompare -j a.taf d.taf
	equal "$(<out)" '{"array":1,"equal":false,"shapes":[[2,2],[3]],"types":["flt32","int8"],"count":null,"different":null}'
}

@test "large arrays: the same line for any memory, threads and ways in" {
	perl -e 'print pack "f<*", map { $_ * 7919 % 10007 / 16 } 1 .. 700000' >raw
	tafcreate -n 1000,700 raw -o a.taf
	perl -e '$_ = join "", <>; for my $i (5, 262143, 262144, 699999) { substr($_, 4 * $i, 4) = pack "f<", $i } print' raw >raw2
	tafcreate -n 1000,700 raw2 -o b.taf
	differ a.taf b.taf
	mv out want
	grep -q '4 of 700000 .* at \[6,1\]' want
	for words in '-J 1' '-J 2' '-J 3 -m 64k' '-m 1M'; do
		# shellcheck disable=SC2086 # words
		differ $words a.taf b.taf
		same want out
		# shellcheck disable=SC2086 # words
		cat b.taf | ends 1 tafcompare $words a.taf - | sed 's/standard input/b.taf/' >out
		same want out
	done
	agree a.taf a.taf
	# bounded memory, whatever the size
	truncate -s 3G sparse.taf
	dd if=a.taf of=sparse.taf bs=1024 count=1 conv=notrunc status=none
	perl -e 'print pack("a8 d<2 Q<", "flt32", 9**9**9, 9**9**9, 1), pack "Q<d<2", 3 << 27, 1, 1' |
		dd of=sparse.taf bs=1024 seek=1 conv=notrunc status=none
	truncate -s $((1080 + (3 << 29))) sparse.taf
	bounded 300000 tafcompare sparse.taf sparse.taf
}

@test "as numpy does, on random arrays" {
	need numpy
	"$PYTHON" - <<'EOP'
import json, numpy as np, subprocess
rng = np.random.default_rng(8)
kinds = ['<f4', '<f8', '<i2', '<u4', '<i8']
for n in range(40):
    shape = (31, 17)
    a = (rng.standard_normal(shape) * 100).astype(kinds[n % 5])
    b = (a.astype('f8') + (rng.random(shape) < .1) * rng.standard_normal(shape) * 10.0 ** rng.integers(-8, 3)).astype(kinds[n // 5 % 5])
    if a.dtype.kind == 'f':
        a[rng.random(shape) < .02] = np.nan
    np.save('a.npy', a)
    np.save('b.npy', b)
    # numpy 2 has another %r for its own
    absolute, relative = float(10.0 ** rng.integers(-6, 2)), float(10.0 ** rng.integers(-8, 0))
    for words, t, r in ('', 0, 0), ('--absolute %r' % absolute, absolute, 0), \
            ('--relative %r' % relative, 0, relative), ('--absolute %r --relative %r' % (absolute, relative), absolute, relative):
        x, y = a.astype('f8'), b.astype('f8')
        d = np.abs(x - y)
        bad = ~((d <= t) | (d <= r * np.maximum(np.abs(x), np.abs(y))) | (np.isnan(x) & np.isnan(y)))
        p = subprocess.run('npy2taf a.npy -F taf -o a.taf; npy2taf -F rsf b.npy | tafcompare -j %s a.taf -' % words,
            shell=True, capture_output=True)
        got = json.loads(p.stdout)
        assert p.returncode == int(bad.any()) and got['different'] == bad.sum(), (n, words, got, bad.sum())
        if bad.any():
            first = np.argwhere(bad.T)[0][::-1] + 1
            assert got['first'] == list(first), (got, first)
            if not np.isnan(d[bad]).all():
                assert got['largest'] == np.nanmax(d[bad]), (got, np.nanmax(d[bad]))
EOP
}

@test "bad data is no answer" {
	mktaf a.taf int16 300,40
	head -c 20000 a.taf >cut.taf
	refuse 3 tafcompare a.taf cut.taf
	cat cut.taf | { ends 3 tafcompare a.taf -; } >out
	[ ! -s out ]
	grep -q 'standard input' err
	refuse 4 tafcompare a.taf nowhere.taf
	: >empty
	refuse 3 tafcompare empty a.taf
}

@test "a wrong invocation" {
	mktaf a.taf flt32 3
	refuse 2 tafcompare a.taf
	refuse 2 tafcompare a.taf a.taf a.taf
	refuse 2 tafcompare - - <a.taf
	for t in -1 nan inf x ''; do
		refuse 2 tafcompare --absolute "$t" a.taf a.taf
		refuse 2 tafcompare --relative "$t" a.taf a.taf
	done
	for n in -1 0.5 x ''; do refuse 2 tafcompare --ulp "$n" a.taf a.taf; done
}

@test "what agrees does so in any unit, however large or small" {
	perl -e 'srand 4; $n = $ENV{TAF_CASES} || 10;
		for (1 .. $n) { printf "%s %s %s\n", map { $_ / 64 } int(rand 255) - 127,
			int(rand 255) - 127, 1 + int(rand 126) }' >cases
	while read -r x y t; do
		for e in 0 1022 -1064; do
			tafmath -n 1 -t flt64 -o a.taf -- "$x * 2^$e"
			tafmath -n 1 -t flt64 -o b.taf -- "$y * 2^$e"
			st=0
			tafcompare --relative "$t" a.taf b.taf >out || st=$?
			want=$(perl -e '($x, $y, $t) = @ARGV; $m = abs $x > abs $y ? abs $x : abs $y;
				print abs($x - $y) <= $t * $m ? 0 : 1' -- "$x" "$y" "$t")
			[ "$st" -eq "$want" ] || { echo "$x $y $t 2^$e: $st"; return 1; }
		done
	done <cases
	tafmath -n 1 'complex(1e308, 1e308)' -t complex128 -o a.taf
	tafmath -n 1 'complex(-1e308, -1e308)' -t complex128 -o b.taf
	tafcompare --relative 2 a.taf b.taf
	ends 1 tafcompare --relative 1.9 a.taf b.taf
}
