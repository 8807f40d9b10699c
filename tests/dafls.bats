# SPDX-License-Identifier: ISC
# What is run while each call of it fails in turn (faults.bats).
# in turn: - -q store

load helper
load daf

setup() {
	begin
	need jansson
	mkdaf s
}

@test "a page as Julia describes a store" {
	cat >want <<'END'
name: s
type: FilesDaf [1,0]
scalars:
  n: -70000 (Int32)
  who: "mouse "x""
axes:
  cell: 3 entries
  gene: 2 entries
vectors:
  cell:
    age: 3 x Float32 (Dense)
    flag: 3 x Bool (Sparse UInt32 33%, 1 stored)
    ss: 3 x Str (Sparse UInt16 33%, 1 stored)
    sv: 3 x Int64 (Sparse Int32 67%, 2 stored)
  gene:
    str: 2 x Str (Dense)
matrices:
  cell,gene:
    dm: 3 x 2 x Int16 in Columns (Dense)
    sm: 3 x 2 x Float32 in Columns (Sparse UInt32 50%, 3 stored)
    strm: 3 x 2 x Str in Columns (Dense)
  gene,cell:
    dm: 2 x 3 x Int16 in Columns (Dense)
END
	dafls s >got
	same want got
}

@test "-j is JSON that another program reads" {
	need python3
	dafls -j s >got
	python3 - <<'END' || return 1
import json
d = json.load(open('got'))
assert d['version'] == [1, 0] and d['name'] == 's'
assert d['scalars'] == {'n': {'type': 'Int32', 'value': -70000},
                        'who': {'type': 'String', 'value': 'mouse "x"'}}
assert d['axes'] == {'cell': {'length': 3}, 'gene': {'length': 2}}
assert d['vectors']['cell']['sv'] == {'format': 'sparse', 'eltype': 'Int64', 'shape': [3],
                                      'indtype': 'Int32', 'stored': 2}
assert d['matrices']['gene,cell'] == {'dm': {'format': 'dense', 'eltype': 'Int16',
                                             'shape': [2, 3]}}
END
	dafls -j --entries s cell/ss cell cell/gene/sm >got
	python3 - <<'END'
import json
a, b, c = map(json.loads, open('got'))
assert a['cell/ss']['entries'] == ['', '', 'third']
assert b == {'cell': {'length': 3, 'entries': ['c1', 'c2', 'c3']}}
assert c['cell/gene/sm']['entries'] == [0.5, 0, 2, 0, -3, 0]
END
}

@test "--entries of items: one a line, column after column, strings too" {
	equal "$(dafls --entries s cell/gene/dm | xargs)" "1 2 3 4 5 6"
	equal "$(dafls --entries s gene/cell/dm | xargs)" "1 4 2 5 3 6"
	equal "$(dafls --entries s cell/gene/strm | xargs)" "a c e b d f"
	equal "$(dafls --entries s gene/cell/strm | xargs)" "a b c d e f"
	equal "$(dafls --entries s gene/cell/sm | xargs)" "0.5 0 0 -3 2 0"
	equal "$(dafls --entries s cell gene/name cell/index | xargs)" "c1 c2 c3 g1 g2 1 2 3"
	equal "$(dafls --entries s n who)" "$(printf '%s\n' -70000 'mouse "x"')"
	equal "$(dafls s gene/cell/sm)" \
		"gene/cell/sm: 2 x 3 x Float32 in Rows (Sparse UInt32 50%, 3 stored)"
}

@test "a faulty item does not hide the others" {
	le C 0 1 2 >s/vectors/cell/bool.data
	echo '{"format":"dense","eltype":"Bool"}' >s/vectors/cell/bool.json
	le 'L<' 1 3 5 >s/matrices/cell/gene/sm.colptr
	status 3 dafls s
	equal "$(grep -c . out) $(grep -c faulty out) $(wc -l <err)" "24 2 2"
	grep -q '    strm: 3 x 2 x Str' out
	grep -q '^    bool: faulty: vectors/cell/bool.data: element 3, a Bool, is 2' out
	grep -q '^dafls: s: matrices/cell/gene/sm: column pointer' err
	status 3 dafls -j s
	if command -v python3 >/dev/null; then python3 -m json.tool <out >/dev/null; fi
}

@test "indices are checked: order, range, twice, negative, zero" {
	local v
	for v in "3 2" "2 4" "2 2" "0 3" "-1 3"; do
		# shellcheck disable=SC2086
		le 'l<' $v >s/vectors/cell/sv.nzind
		refuse 3 dafls --entries s cell/sv || return 1
	done
}

@test "names that lead elsewhere are refused, from the command line and in the store" {
	local x
	mkdir out.d
	echo '{"type":"Int8","value":5}' >out.d/x.json
	for x in '' . .. a/../b/c/d /etc/passwd cell/ /x "$(printf 'x%.0s' {1..300})" ../../out.d/x; do
		refuse 2 dafls s "$x" || return 1
	done
	ln -s ../../out.d/x.json s/scalars/x.json
	refuse 3 dafls --entries s x
	grep -q 'a symbolic link leaves the store' err
	ln -sf n.json s/scalars/x.json
	equal "$(dafls --entries s x)" -70000
	printf 'q\n' >s/axes/...txt
	status 3 dafls s
	grep -q '"\.\." is no name in a store' err
}

@test "a FIFO, a folder, a device in place of a file do not hold it up" {
	rm s/vectors/cell/age.data
	mkfifo s/vectors/cell/age.data
	refuse 3 timeout 60 dafls --entries s cell/age
	rm s/vectors/cell/age.data
	mkdir s/vectors/cell/age.data
	refuse 3 timeout 60 dafls --entries s cell/age
	rmdir s/vectors/cell/age.data
	ln -s /dev/zero s/vectors/cell/age.data
	refuse 3 timeout 60 dafls --entries s cell/age
}

@test "versions: [1,0] and [1,1] alone, as two integers" {
	local v
	for v in '[1,2]' '[2,0]' '[0,9]' '[1,-1]' '[1]' '[1,0,0]' '"1.0"' '[1.5,0]' null; do
		echo "{\"version\":$v}" >s/daf.json
		refuse 3 dafls s || return 1
	done
	echo '{"version":[1,0],"version":[1,0]}' >s/daf.json
	refuse 3 dafls s
	echo '{"version":[1,1],"name":"x"}' >s/daf.json
	dafls s >got
	rm s/daf.json
	refuse 3 dafls s
	refuse 4 dafls nowhere
}

@test "scalars: exact, in range, and every spelling of what is not finite" {
	local v
	while read -r type v want; do
		echo "{\"type\":\"$type\",\"value\":$v}" >s/scalars/v.json
		if [ -n "$want" ]; then
			equal "$(dafls --entries s v)" "$want" || return 1
		else
			refuse 3 dafls --entries s v || return 1
		fi
	done <<'END'
UInt64 18446744073709551615 18446744073709551615
UInt64 18446744073709551616
Int64 -9223372036854775808 -9223372036854775808
Int64 -9223372036854775809
Int64 9007199254740993 9007199254740993
int 12 12
Int8 128
UInt8 -1
Int32 5.0 5
Int32 2.5
Int32 "7"
Bool true 1
bool 0 0
Bool 2
Float64 0.1 0.1
Float32 16777217 16777216
Float64 null nan
float32 "-Infinity" -inf
Float64 "Inf" inf
Float64 NaN
Float64 1e999
FLOAT64 1
String 7
Float16 1
END
	echo '{"type":"Int8","val\u0075e":5,"x":[{"value":7}]}' >s/scalars/v.json
	refuse 3 dafls s v
	echo '{"x":{"value":9},"y":"value","type":"Int8","value":5}' >s/scalars/v.json
	equal "$(dafls --entries s v)" 5
}

@test "JSON is strict, and of 64 levels at most" {
	local deep
	deep=$(printf '[%.0s' {1..63})$(printf ']%.0s' {1..63})
	echo "{\"version\":[1,0],\"x\":$deep}" >s/daf.json
	dafls s >got
	echo "{\"version\":[1,0],\"x\":[[$deep]]}" >s/daf.json
	refuse 3 dafls s
	perl -e 'print "[" x 200000' >s/daf.json
	refuse 3 dafls s
}

@test "axis entries differ, are UTF-8, and none is empty" {
	local bad
	for bad in 'c1\nc2\nc1\n' 'c1\n\nc3\n' 'c1\nc2\nc3' 'a\n\377\nc\n' 'a\nb\000c\nd\n'; do
		# shellcheck disable=SC2059
		printf "$bad" >s/axes/cell.txt
		status 3 dafls s || return 1
		grep -q '^  cell: faulty' out || return 1
	done
	printf 'c1\r\nc2\r\nc3\r\n' >s/axes/cell.txt
	dafls --entries s cell >got
	same s/axes/cell.txt got
}

@test "packed strings, their last chunk with and without padding" {
	need python3 zlib
	local p='"packed_format":"indexed+zipped","chunk_shape":[2],"compression":"gzip","index_location":"start"'
	echo "{\"format\":\"dense\",\"eltype\":\"String\",$p}" >s/vectors/cell/ps.json
	for count in 2 1 0 3; do
		python3 - $count <<'END' || return 1
import gzip, struct, sys
def strings(n, *s):
    return gzip.compress(struct.pack('<I', n) + b''.join(struct.pack('<I', len(x)) + x for x in s))
n = int(sys.argv[1])
a = strings(2, b'one', b'')
b = strings(n, *(b'three',) + (b'',) * (n - 1)) if n else strings(0)
index = struct.pack('<4Q', 36, len(a), 36 + len(a), len(b))
c = 0xffffffff
for x in index:
    c ^= x
    for _ in range(8):
        c = c >> 1 ^ (0x82f63b78 if c & 1 else 0)
open('s/vectors/cell/ps.zip', 'wb').write(index + struct.pack('<I', c ^ 0xffffffff) + a + b)
END
		case $count in
		0 | 3) refuse 3 dafls --entries s cell/ps || return 1 ;;
		*) equal "$(dafls --entries s cell/ps)" "$(printf 'one\n\nthree')" || return 1 ;;
		esac
	done
}

# layouts ITEM WANT: dafls of the store says that the two layouts of cell/gene/ITEM differ, or not
layouts() {
	status "$2" dafls s || return 1
	if [ "$2" = 0 ]; then
		[ ! -s err ] || { cat err; return 1; }
	else
		equal "$(cat err)" "dafls: s: matrices/cell/gene/$1: not the transpose of matrices/gene/cell/$1"
		status 0 dafls s "cell/gene/$1"
	fi
}

@test "two layouts of a matrix that are not the same: listed, and status 3" {
	le 's<' 1 4 2 5 6 3 >s/matrices/gene/cell/dm.data
	layouts dm 3
	le 's<' 1 4 2 5 3 6 >s/matrices/gene/cell/dm.data
	layouts dm 0
	# of another type
	echo '{"format":"dense","eltype":"UInt16"}' >s/matrices/gene/cell/dm.json
	layouts dm 3
	rm s/matrices/gene/cell/dm.*
	# sparse and dense, a zero of which is stored
	local t=s/matrices/gene/cell/sm
	echo '{"format":"dense","eltype":"Float32"}' >$t.json
	le 'f<' 0.5 0 0 -3 2 0 >$t.data
	layouts sm 0
	le 'f<' 0.5 0 0 -3 2 1 >$t.data
	layouts sm 3
	rm $t.data
	echo '{"format":"sparse","eltype":"Float32","indtype":"Int16"}' >$t.json
	le 's<' 1 2 3 5 >$t.colptr
	le 's<' 1 2 1 2 >$t.rowval
	le 'f<' 0.5 -3 2 0 >$t.nzval
	layouts sm 0
	le 'f<' 0.5 -3 2 1 >$t.nzval
	layouts sm 3
	le 'f<' 0.5 3 2 0 >$t.nzval
	layouts sm 3
	le 'f<' 0.5 -3 2 0 >$t.nzval
	le 's<' 1 1 1 2 >$t.rowval
	le 's<' 1 2 3 5 >$t.colptr
	layouts sm 3
	rm $t.*
	# strings
	t=s/matrices/gene/cell/strm
	echo '{"format":"dense","eltype":"String"}' >$t.json
	printf '%s\n' a b c d e f >$t.txt
	layouts strm 0
	printf '%s\n' a b c d ef '' >$t.txt
	layouts strm 3
}

@test "two layouts of strings over an axis without entries" {
	: >s/axes/none.txt
	mkdir -p s/matrices/{none/gene,gene/none}
	for pair in none/gene gene/none; do
		echo '{"format":"dense","eltype":"String"}' >s/matrices/$pair/m.json
		: >s/matrices/$pair/m.txt
	done
	status 0 dafls s
	grep -qx '    m: 0 x 2 x Str in Columns (Dense)' out
	equal "$(dafls --entries s none/gene/m)" ""
}

@test "layouts of more than one tile, true and false" {
	need numpy
	"$PYTHON" - <<'END'
import numpy as np
open('s/axes/a.txt', 'w').write(''.join('%d\n' % i for i in range(97)))
open('s/axes/b.txt', 'w').write(''.join('%d\n' % i for i in range(70)))
END
	mkdir -p s/matrices/{a/b,b/a}
	echo '{"format":"dense","eltype":"Bool"}' | tee s/matrices/a/b/m.json >s/matrices/b/a/m.json
	for at in 0,0 96,0 0,69 33,64 96,69; do
		"$PYTHON" - $at <<'END'
import sys
import numpy as np
a = np.random.default_rng(5).integers(0, 2, (97, 70)).astype('u1')
a.T.tofile('s/matrices/a/b/m.data')
a[tuple(map(int, sys.argv[1].split(',')))] ^= 1
a.tofile('s/matrices/b/a/m.data')
END
		status 3 dafls s || return 1
		grep -q 'matrices/a/b/m: not the transpose' err || return 1
	done
}

@test "remarks: files left behind, a reserved name, an unfinished reordering" {
	touch s/vectors/cell/age.nzind s/vectors/cell/age.nzval s/matrices/cell/gene/sm.data.zip \
		s/matrices/cell/gene/sm.zip s/vectors/cell/sv.txt
	status 0 dafls s
	equal "$(cat err)" "$(printf 'dafls: %s: its descriptor says nothing of %s\n' \
		vectors/cell/age '.nzind, .nzval' vectors/cell/sv .txt matrices/cell/gene/sm .zip)"
	status 0 dafls -q s
	equal "$(cat err)" ""
	# whatever they are
	ln -sf /dev/zero s/vectors/cell/sv.txt
	status 0 dafls s
	grep -q 'cell/sv: its descriptor says nothing of .txt' err
	rm s/vectors/cell/age.nz* s/matrices/cell/gene/sm.*zip s/vectors/cell/sv.txt
	cp s/vectors/cell/age.json s/vectors/cell/name.json
	mkdir s/.reorder.backup
	status 0 dafls s
	equal "$(cat err)" "$(printf 'dafls: %s\n' \
		'a reordering of axes was interrupted (.reorder.backup)' \
		"vectors/cell/name: never read, as the name stands for the axis itself")"
}

@test "pairs of axes without matrices cost nothing" {
	need strace
	strace -o /dev/null true 2>/dev/null || skip "strace cannot trace here"
	local k
	for k in {1..100}; do
		echo e >"s/axes/a$k.txt"
	done
	dafls s >got
	equal "$(grep -c entries got) $(grep -c ' in Columns' got)" "102 4"
	strace -f -o trace dafls s >again
	same got again
	[ "$(wc -l <trace)" -lt 4000 ] || { wc -l trace; return 1; }
}

@test "every store of the corpus as its manifest says" {
	need corpus
	mkdir c
	tar -C c -xJf "$TAF_CORPUS/daf/good.tar.xz"
	for s in c/*/; do
		[ -f "$s/daf.json" ] || continue
		status 0 dafls "$s" || return 1
		status 0 dafls -j "$s" || return 1
	done
	rm -rf c && mkdir c
	tar -C c -xJf "$TAF_CORPUS/daf/bad.tar.xz"
	for s in c/*/; do
		case $(basename "$s") in
		# what the manifest says to read
		axis-crlf | axis-utf8-bom | metadata-json-torn | missing-*-dir | name-newline | \
			name-not-utf8 | no-subdirs | reserved-name-vector | \
			scalar-null | stale-dense-and-sparse | symlink-loop-dir | \
			traversal-metadata-json)
			status 0 bounded 65536 dafls "$s" || return 1
			;;
		*)
			status 3 bounded 65536 dafls "$s" || return 1
			[ -s err ] || return 1
			;;
		esac
	done
}

@test "-v says on standard error what is done, when a store is written too" {
	dafls s >want
	status 0 dafls -v s
	same want out
	equal "$(grep -v rights: err)" 'dafls: s: a store of version [1,0]'
	daf2taf s cell/age -o v.taf
	status 0 taf2daf -v s cell/more v.taf
	grep -qx 'taf2daf: v.taf: flt32 of 3,1' err
}

@test "--check: a sound store has no finding, and nothing is changed" {
	find s -type f | sort | xargs od -c >before
	dafls --check s >out 2>err
	[ ! -s out ]
	[ ! -s err ]
	rmdir s/matrices/cell/cell
	dafls --check s
	find s -type f | sort | xargs od -c >after
	same before after
	refuse 2 dafls --check s cell
	refuse 2 dafls --check -j s
	refuse 2 dafls --check --entries s
	refuse 3 dafls --check s/axes
}

@test "--check: every fault has a line, and hides no other" {
	local v=s/vectors/cell m=s/matrices/cell/gene
	printf '\1\2\3\n' >$v/orphan.txt
	le C 0 1 2 >$v/b.data
	echo '{"format":"dense","eltype":"Bool"}' >$v/b.json
	le 'f<' 1.5 2.5 >$v/age.data
	le 'l<' 3 2 >$v/sv.nzind
	le 'L<' 9 >$v/flag.nzval
	echo '{"format":"dense","eltype":"Int8"}' | tee $v/gone.json >$v/index.json
	printf 'a\n\377\n' >s/vectors/gene/str.txt
	le 'L<' 1 4 3 >$m/sm.colptr
	printf 'a\nc\ne\nb\nd\n' >$m/strm.txt
	le 's<' 1 4 2 5 3 7 >s/matrices/gene/cell/dm.data
	printf 'x\nx\n' >s/axes/twice.txt
	echo hello >s/axes/notes.md
	mkdir -p s/vectors/nothing s/matrices/gene/nothing s/.reorder.backup s/.taf2daf.undo
	echo '{"type":"Int8","value":300}' >s/scalars/n.json
	echo x >s/scalars/stray
	cat >want <<'END'
.reorder.backup: a reordering of axes was interrupted
.taf2daf.undo: a change was interrupted: the old files lie there
axes/notes.md: not an axis, whose file ends in .txt
axes/twice.txt: the entry "x" is there twice
scalars/stray: no descriptor says what it is
scalars/n.json: the value is no Int8
vectors/nothing: there is no such axis
vectors/cell/orphan.txt: no descriptor says what it is
vectors/cell/age.data: 8 bytes, but 3 elements of Float32
vectors/cell/b.data: element 3, a Bool, is 2
vectors/cell/flag.nzval: 4 bytes, but 1 elements of Bool
vectors/cell/gone.data: not there
vectors/cell/index: never read: the name stands for the axis itself
vectors/cell/sv: stored entry 2: index 2 after 3
vectors/gene/str: the string of row 2, column 1 is not UTF-8 without NUL
matrices/cell/gene/dm: not the transpose of matrices/gene/cell/dm
matrices/cell/gene/sm: stored entry 3: index 2 after 3
matrices/cell/gene/strm.txt: 5 lines, but 6 strings
matrices/gene/nothing: there is no such axis
END
	status 1 dafls --check s
	same want out
}

@test "--check: indices and column pointers, each fault alone" {
	local m=s/matrices/cell/gene values want
	while IFS=: read -r values want; do
		# shellcheck disable=SC2086
		le 'l<' $values >s/vectors/cell/sv.nzind
		status 1 dafls --check s
		equal "$(cat out)" "vectors/cell/sv: stored entry 2: $want" || return 1
	done <<'END'
2 2:index 2 after 2
2 4:index 4, but there are 1 to 3
1 0:index 0, but there are 1 to 3
1 -5:index -5, but there are 1 to 3
END
	le 'l<' 2 3 >s/vectors/cell/sv.nzind
	while IFS=: read -r values want; do
		# shellcheck disable=SC2086
		le 'L<' $values >$m/sm.colptr
		status 1 dafls --check s
		equal "$(cat out)" "matrices/cell/gene/sm: $want" || return 1
	done <<'END'
0 3 4:the first column pointer is 0, not 1
2 3 4:the first column pointer is 2, not 1
1 3 3:the last column pointer is 3, but 3 entries are stored
1 5 4:column pointer 2 is 5, after 1, with 3 stored entries
1 3 2:column pointer 3 is 2, after 3, with 3 stored entries
END
}

@test "--check: layouts are compared whatever their form" {
	local m=s/matrices/gene/cell
	echo '{"format":"dense","eltype":"Float32"}' >$m/sm.json
	le 'f<' 0.5 0 0 -3 2 0 >$m/sm.data
	echo '{"format":"sparse","eltype":"String","indtype":"UInt8"}' >$m/strm.json
	le C 1 3 5 7 >$m/strm.colptr
	le C 1 2 1 2 1 2 >$m/strm.rowval
	printf '%s\n' a b c d e f >$m/strm.nztxt
	dafls --check s >out
	le 'f<' 0.5 0 2 -3 0 0 >$m/sm.data
	printf '%s\n' a c b d e f >$m/strm.nztxt
	echo '{"format":"dense","eltype":"UInt16"}' >$m/dm.json
	cat >want <<'END'
matrices/cell/gene/dm: of type Int16, but matrices/gene/cell/dm is of type UInt16
matrices/cell/gene/sm: not the transpose of matrices/gene/cell/sm
matrices/cell/gene/strm: not the transpose of matrices/gene/cell/strm
END
	status 1 dafls --check s
	same want out
}

@test "--check: metadata.json says what the store holds, or is stale" {
	local f key
	{
		printf '{"axes/gene":{"n_entries":2,"format":"axis"},"axes/cell":{"format":"axis","n_entries":3}'
		(cd s && find scalars vectors matrices -name '*.json') | while read -r f; do
			printf ',"%s":' "${f%.json}"
			tr -d '\n' <"s/$f"
		done
		printf '}'
	} >notes
	cp notes s/metadata.json
	dafls --check s >out
	sed 's/"n_entries":3/"n_entries":4/; s/"scalars.n"/"scalars\/m"/; s/"Int16"/"Int32"/' \
		notes >s/metadata.json
	status 1 dafls --check s
	equal "$(grep -c . out) $(grep -c '^metadata.json: stale: ' out)" "4 4"
	for key in 'something else of axes/cell' 'nothing of scalars/n' 'no sound scalars/m'; do
		grep -q "$key\$" out || return 1
	done
	head -c 50 notes >s/metadata.json
	status 1 dafls --check s
	grep -q '^metadata.json: not JSON' out
}
