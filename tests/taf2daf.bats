# SPDX-License-Identifier: ISC
# What is run while each call of it fails in turn (faults.bats).
# in turn: - -q store cell/new column.taf
# in turn: - -q --sparse store cell/gene/new matrix.taf
# in turn: - -q -f store n one.taf

load helper
load daf

setup() {
	begin
	need jansson
	printf 'c1\nc2\nc3\n' >cells
	printf 'g1\ng2\n' >genes
	mktaf m.taf int16 3,2
	mktaf v.taf flt64 3,1 0.5
}

make_store() {
	taf2daf --create --axis cell=cells --axis gene=genes s
}

# mapped FILE INTERCEPT SLOPE TO: a copy with the mapping on
mapped() {
	cp "$1" "$4"
	perl -e 'open F, "+<:raw", $ARGV[0]; seek F, 1032, 0; print F pack("d<2", @ARGV[1, 2])' \
		"$4" "$2" "$3"
}

# tree FOLDER: every file with its contents
tree() {
	(cd "$1" && find . -type f | sort | while read -r f; do echo "$f" && od -A n -t x1 "$f"; done)
}

@test "a store is made with its folders, for every pair of axes" {
	make_store
	equal "$(cat s/daf.json)" '{"version":[1,1]}'
	equal "$(cd s && find . -type d | sort | xargs)" ". ./axes ./matrices ./matrices/cell \
./matrices/cell/cell ./matrices/cell/gene ./matrices/gene ./matrices/gene/cell \
./matrices/gene/gene ./scalars ./vectors ./vectors/cell ./vectors/gene"
	same cells s/axes/cell.txt
	same genes s/axes/gene.txt
	tree s >before
	make_store
	tree s >after
	same before after
}

@test "dense: vector, matrix in both layouts, scalar" {
	make_store
	taf2daf s cell/age v.taf
	equal "$(cat s/vectors/cell/age.json)" '{"format":"dense","eltype":"Float64"}'
	le 'd<' 1.5 5 8.5 >want
	same want s/vectors/cell/age.data
	taf2daf s cell/gene/dm m.taf
	equal "$(cat s/matrices/*/*/dm.json | sort -u)" '{"format":"dense","eltype":"Int16"}'
	le 's<' 3 10 17 24 31 38 >want
	same want s/matrices/cell/gene/dm.data
	le 's<' 3 24 10 31 17 38 >want
	same want s/matrices/gene/cell/dm.data
	echo 2.5 | txt2taf -t flt64 | taf2daf s rate
	equal "$(cat s/scalars/rate.json)" '{"type":"Float64","value":2.5}'
	echo 3 | txt2taf | taf2daf s three
	equal "$(cat s/scalars/three.json)" '{"type":"Float32","value":3.0}'
	echo 1 | txt2taf -t uint8 | taf2daf -t Bool s yes
	equal "$(cat s/scalars/yes.json)" '{"type":"Bool","value":true}'
	dafls s >got
}

@test "of a stream of several arrays -N chooses one" {
	make_store
	mktaf w.taf flt64 3,1 70.5
	{ tafcrop v.taf; tafcrop w.taf; } >two.rsf
	cat two.rsf | refuse 3 taf2daf s cell/age
	refuse 3 taf2daf -N 3 s cell/age two.rsf
	grep -q '^taf2daf: two.rsf: array 3 is wanted, but there are 2' err
	[ ! -e s/vectors/cell/age.data ]
	cat two.rsf | taf2daf -N 1 s cell/age
	taf2daf -N 2 s cell/age2 two.rsf
	le 'd<' 1.5 5 8.5 >want
	same want s/vectors/cell/age.data
	tafread w.taf >want
	daf2taf s cell/age2 | tafread >got
	same want got
}

@test "sparse: compressed columns of both layouts, indices from 1" {
	make_store
	perl -e 'print pack "f<*", 0.5, 0, 2, 0, -3, 0' | tafcreate -n 3,2 -t flt32 -o z.taf
	taf2daf --sparse s cell/gene/sm z.taf
	equal "$(cat s/matrices/cell/gene/sm.json)" '{"format":"sparse","colptr":{"format":"dense","eltype":"UInt32","n_elements":3},"rowval":{"format":"dense","eltype":"UInt32","n_elements":3},"nzval":{"format":"dense","eltype":"Float32","n_elements":3}}'
	equal "$(cd s/matrices/cell/gene && cat sm.colptr sm.rowval | unpack 'L<*' | xargs)" "1 3 4 1 3 2"
	equal "$(cd s/matrices/cell/gene && unpack 'f<*' sm.nzval | xargs)" "0.5 2 -3"
	equal "$(cd s/matrices/gene/cell && cat sm.colptr sm.rowval | unpack 'L<*' | xargs)" "1 2 3 4 1 2 1"
	equal "$(cd s/matrices/gene/cell && unpack 'f<*' sm.nzval | xargs)" "0.5 -3 2"
	printf '0\n1\n1\n' | txt2taf -t uint8 | taf2daf -t Bool --sparse s cell/flag
	equal "$(cat s/vectors/cell/flag.json)" \
		'{"format":"sparse","nzind":{"format":"dense","eltype":"UInt32","n_elements":2}}'
	equal "$(unpack 'L<*' s/vectors/cell/flag.nzind | xargs)" "2 3"
	[ ! -e s/vectors/cell/flag.nzval ]
	dafls s >got
}

@test "a store of version [1,0] gets the descriptors of that, and no stored false" {
	mkdaf s
	daf2taf --sparse s cell/gene/sm | taf2daf -f s cell/gene/sm
	equal "$(cat s/matrices/cell/gene/sm.json)" \
		'{"format":"sparse","eltype":"Float32","indtype":"UInt32"}'
	le C 0 >s/vectors/cell/flag.nzval
	daf2taf --sparse s cell/flag | taf2daf -f s cell/flag
	[ ! -e s/vectors/cell/flag.nzval ]
	[ ! -s s/vectors/cell/flag.nzind ]
	equal "$(daf2taf s cell/flag | tafread | xargs)" "0 0 0"
}

@test "a remark says what a store has no place for" {
	make_store
	taf2daf s cell/age v.taf 2>err
	equal "$(cat err)" "taf2daf: FilesDaf has no place for: grid"
	taf2daf -q -f s cell/age v.taf 2>err
	[ ! -s err ]
	daf2taf s cell/age | taf2daf s cell/copy 2>err
	[ ! -s err ]
	daf2taf s cell/age | tafadjust --label 1=other | taf2daf s cell/copy2 2>err
	equal "$(cat err)" "taf2daf: FilesDaf has no place for: attributes"
}

@test "every item through a pipe to another store is the same" {
	mkdaf a
	rm -r a/scalars/who.json a/vectors/cell/ss.* a/vectors/gene/str.* a/matrices/*/*/strm.*
	taf2daf --create --axis cell=cells --axis gene=genes b
	cp a/daf.json b/daf.json
	for x in n cell/age cell/flag cell/sv cell/gene/dm cell/gene/sm; do
		daf2taf --sparse a $x | taf2daf b $x || return 1
	done
	# the layout that a lacks
	taf2daf -f a cell/gene/sm < <(daf2taf --sparse a cell/gene/sm)
	tree a >want
	tree b >got
	same want got
}

@test "a stored zero stays, a zero with its sign set is stored" {
	make_store
	le 'd<' 0 -0.0 3 >x
	perl -e 'print pack "d<*", 0, -0.0, 3' | tafcreate -n 3,1 -t flt64 | taf2daf --sparse s cell/z
	equal "$(unpack 'L<*' s/vectors/cell/z.nzind | xargs)" "2 3"
	perl -e 'print pack "d<*", 0, 3' >s/vectors/cell/z.nzval
	daf2taf --sparse s cell/z | taf2daf -f s cell/z
	equal "$(unpack 'd<*' s/vectors/cell/z.nzval | xargs)" "0 3"
}

@test "-t converts; what does not fit is refused, and nothing is written" {
	make_store
	tree s >before
	taf2daf -t Int64 s cell/i v.taf 2>err
	grep -q 'rounded' err
	equal "$(unpack 'q<*' s/vectors/cell/i.data | xargs)" "2 5 9"
	rm s/vectors/cell/i.*
	mapped m.taf 0 100 big.taf
	refuse 3 taf2daf -t int8 s cell/gene/m big.taf
	refuse 3 taf2daf -t Bool s cell/gene/m m.taf
	refuse 2 taf2daf -t String s cell/gene/m m.taf
	refuse 2 taf2daf -t complex s cell/gene/m m.taf
	tree s >after
	same before after
	taf2daf s cell/gene/m big.taf
	equal "$(daf2taf s cell/gene/m | tafread | xargs)" "300 1000 1700 2400 3100 3800"
}

@test "--clip stores what does not fit as the nearest that does" {
	make_store
	printf '300\n-300\nnan\n' | txt2taf -t flt64 >v
	taf2daf -t int8 --clip s cell/x <v 2>err
	grep -q '3 of 3 values clipped to int8' err
	equal "$(dafls --entries s cell/x | xargs)" "127 -128 0"
	printf '0\n1000\n0\n' | txt2taf -t flt64 | taf2daf --sparse s cell/y
	daf2taf --sparse s cell/y | ends 3 taf2daf -t uint8 s cell/z
	daf2taf --sparse s cell/y | taf2daf -t uint8 --clip s cell/z 2>err
	grep -q '1 of 1 values clipped to uint8' err
	equal "$(dafls --entries s cell/z | xargs)" "0 255 0"
	refuse 3 taf2daf -t Bool --clip s cell/b v
}

@test "stored entries are rounded with a remark" {
	make_store
	printf '2.5\n0\n7\n' | txt2taf -t flt64 | taf2daf --sparse s cell/x
	daf2taf --sparse s cell/x | taf2daf -t int16 s cell/y 2>err
	equal "$(cat err)" 'taf2daf: 1 of 2 values rounded to int16'
	equal "$(dafls --entries s cell/y | xargs)" "3 0 7"
	daf2taf --sparse s cell/y | taf2daf -t flt32 s cell/z 2>err
	[ ! -s err ]
}

@test "an item that is there stays without -f, and goes with all its files with it" {
	make_store
	printf '0\n4\n0\n' | txt2taf | taf2daf --sparse s cell/v
	tree s >before
	refuse 3 taf2daf s cell/v v.taf
	grep -q 'there already' err
	tree s >after
	same before after
	echo '{}' >s/metadata.json
	echo '["cell"]' >s/axes/metadata.json
	: >s/vectors/cell/v.nztxt
	taf2daf -f s cell/v v.taf
	equal "$(cd s/vectors/cell && echo v.*) $(ls s | xargs) $(ls s/axes | xargs)" \
		"v.data v.json axes daf.json matrices scalars vectors cell.txt gene.txt"
	taf2daf s cell/gene/m m.taf
	rm s/matrices/cell/gene/m.*
	refuse 3 taf2daf s cell/gene/m m.taf
}

@test "the shape must be that of the axes; a transpose is told by its labels" {
	make_store
	refuse 3 taf2daf s cell/gene/m v.taf
	refuse 3 taf2daf s gene/cell/m m.taf
	refuse 3 taf2daf s cell/v m.taf
	refuse 3 taf2daf s n v.taf
	refuse 3 taf2daf s cell/none/m m.taf
	taf2daf s cell/row <(taftranspose v.taf)
	equal "$(daf2taf s cell/row | tafread | xargs)" "1.5 5 8.5"
	taf2daf --axis other=cells s
	mktaf q.taf int16 3,3
	tafadjust --label 1=other --label 2=cell q.taf -o q2.taf
	refuse 3 taf2daf s cell/other/q q2.taf
	grep -q 'taftranspose' err
	taf2daf s other/cell/q q2.taf
}

@test "names that readers cannot take are refused before anything is touched" {
	make_store
	tree s >before
	for x in cell/name cell/index 'cell/a:b' 'a,b' ' x' 'x ' 'cell/a\b' .. "$(printf 'a\tb')" \
		"$(printf '\377')" cell/.. ../x; do
		refuse 2 taf2daf s "$x" v.taf || return 1
	done
	refuse 2 taf2daf --axis a/b=cells s
	refuse 2 taf2daf --axis =cells s
	refuse 2 taf2daf --axis cells s
	refuse 2 taf2daf s
	refuse 2 taf2daf -t nonsense s n v.taf
	tree s >after
	same before after
}

@test "axes: no change of entries, no bad ones, nothing made before all is known" {
	printf 'x\ny\n' >two
	refuse 3 taf2daf s cell/v v.taf || refuse 4 taf2daf s cell/v v.taf
	[ ! -e s ]
	refuse 3 taf2daf --create --axis cell=two s cell/v v.taf
	[ ! -e s ]
	refuse 3 taf2daf --create --axis cell=cells s cell/v /dev/null
	[ ! -e s ]
	make_store
	refuse 3 taf2daf --axis cell=two s
	for bad in 'a\na\n' 'a\n\nb\n' 'a' 'a\377\n'; do
		# shellcheck disable=SC2059
		printf "$bad" >bad
		refuse 3 taf2daf --axis new=bad s || return 1
	done
	[ ! -e s/axes/new.txt ]
	mkdir other && echo x >other/file
	refuse 3 taf2daf --create other
}

@test "nothing is written through symbolic links, or while a reordering is unfinished" {
	make_store
	mkdir away
	rmdir s/vectors/cell
	ln -s ../../away s/vectors/cell
	refuse 3 taf2daf s cell/v v.taf
	equal "$(ls away)" ""
	rm s/vectors/cell
	mkdir s/vectors/cell
	echo keep >away/file
	ln -s ../../../away/file s/vectors/cell/v.data
	refuse 3 taf2daf -f s cell/v v.taf
	equal "$(cat away/file)" keep
	rm s/vectors/cell/v.data
	mkdir s/.reorder.backup
	refuse 3 taf2daf s cell/v v.taf
	equal "$(ls s/vectors/cell)" ""
}

@test "an axis is added through no symbolic link that leaves the store" {
	make_store
	echo keep >away
	ln -s ../../away s/axes/a.txt
	ln -s ../../new s/axes/b.txt
	refuse 3 taf2daf --axis a=cells s
	refuse 3 taf2daf --axis b=cells s
	equal "$(cat away) $(ls)" "keep $(printf '%s\n' away cells err genes m.taf out s v.taf)"
	rm s/axes/[ab].txt
	mkdir outside
	for x in vectors matrices; do
		mv s/$x was
		ln -s ../outside s/$x
		refuse 3 taf2daf --axis a=cells s || return 1
		equal "$(ls outside)" '' || return 1
		rm s/$x
		mv was s/$x
	done
	mkdir outside/cell
	rmdir s/vectors/cell
	ln -s ../../outside s/matrices/a
	refuse 3 taf2daf --axis a=cells s
	equal "$(ls outside)" cell
}

@test "folders that git did not keep are made" {
	make_store
	find s -type d -empty -delete
	equal "$(cd s && find . -type d | xargs)" ". ./axes"
	taf2daf s cell/gene/m m.taf
	taf2daf -q s cell/v v.taf
	echo 5 | txt2taf | taf2daf s n
	taf2daf --axis new=genes s
	equal "$(daf2taf s cell/gene/m | tafread | xargs)" "3 10 17 24 31 38"
	equal "$(cd s && ls matrices/new vectors/new scalars | xargs)" \
		"matrices/new: cell gene new scalars: n.json vectors/new:"
}

@test "the old item comes back into a folder that git did not keep" {
	make_store
	taf2daf s cell/gene/m m.taf
	tree s >before
	mkdir s/.taf2daf.undo
	printf cell/gene/m >s/.taf2daf.undo/item
	mv s/matrices/cell/gene/m.data s/.taf2daf.undo/0.data
	mv s/matrices/cell/gene/m.json s/.taf2daf.undo/0.json
	mv s/matrices/gene/cell/m.data s/.taf2daf.undo/1.data
	mv s/matrices/gene/cell/m.json s/.taf2daf.undo/1.json
	find s -type d -empty -delete
	status 0 dafls s
	tree s >now
	cmp before now
}

@test "no axis is added where the item is refused" {
	make_store
	taf2daf s cell/gene/m m.taf
	echo 1 | txt2taf | taf2daf s n
	mkdir s/vectors/gene/z.zip
	ln -s gone s/vectors/gene/l.data
	refuse 3 taf2daf --axis new=genes s cell/gene/m m.taf
	grep -q 'there already (-f' err
	rm s/matrices/cell/gene/m.*
	refuse 3 taf2daf --axis new=genes s cell/gene/m m.taf
	refuse 3 taf2daf --axis new=genes s n v.taf
	for x in nan inf -inf; do
		echo $x | txt2taf >x.taf
		refuse 3 taf2daf -f --axis new=genes s n x.taf || return 1
		refuse 3 taf2daf --create s2 n x.taf || return 1
		[ ! -e s2 ]
	done
	printf '1\n2\n' | txt2taf >two.taf
	refuse 3 taf2daf -f --axis new=genes s gene/z two.taf
	refuse 3 taf2daf -f --axis new=genes s gene/l two.taf
	ln -s none s/axes/other.txt
	refuse 3 taf2daf -f --axis new=genes --axis other=cells s gene/v two.taf
	rm s/axes/other.txt
	refuse 2 taf2daf --axis new=genes --axis new=cells s gene/v two.taf
	mv s/vectors/gene s/vectors/elsewhere
	ln -s elsewhere s/vectors/gene
	refuse 3 taf2daf --axis new=genes s gene/v two.taf
	rm s/vectors/gene
	mv s/vectors/elsewhere s/vectors/gene
	[ ! -e s/axes/new.txt ]
	[ ! -e s/vectors/new ]
	[ ! -e s/matrices/new ]
	rm s/vectors/gene/l.data
	rmdir s/vectors/gene/z.zip
	taf2daf --axis new=genes s gene/v two.taf
}

@test "stopped at any system call that changes a name, the item is the old one or the new one" {
	need strace
	make_store
	taf2daf s cell/gene/m m.taf
	mapped m.taf 0 2 new.taf
	cp -a s keep
	local call n x v whole=0
	for call in rename unlink fsync write mkdir rmdir; do
		for n in {1..40}; do
			rm -rf s && cp -a keep s
			strace -f -o trace -e trace=$call -e inject=$call:signal=KILL:when=$n \
				taf2daf -f s cell/gene/m new.taf >out 2>err && break
			status 0 dafls s || { echo "$call $n"; cat out err; return 1; }
			v=
			for x in cell/gene/m gene/cell/m; do
				status 0 daf2taf s $x || { echo "$call $n: no $x"; return 1; }
				v+=" $(tafread <out | xargs)"
			done
			case $v in
			' 3 10 17 24 31 38 3 24 10 31 17 38' | ' 6 20 34 48 62 76 6 48 20 62 34 76') ;;
			*) echo "$call $n:$v"; return 1 ;;
			esac
			whole=$((whole + 1))
			[ ! -e s/.taf2daf.undo/item ]
		done
	done
	[ $whole -gt 40 ]
}

@test "where a rename fails the old item comes back" {
	need strace
	make_store
	taf2daf s cell/gene/m m.taf
	mapped m.taf 0 2 new.taf
	cp -a s keep
	local how n
	# the new files have the old ones' names, or others beside them
	for how in '' --sparse; do
		for n in {1..60}; do
			strace -f -o trace -e trace=rename -e inject=rename:error=EIO:when=$n \
				taf2daf -f $how s cell/gene/m new.taf >out 2>err && break
			diff -r keep s || { echo "rename $n $how"; return 1; }
		done
		[ "$n" -gt 6 ] && [ "$n" -lt 60 ]
		rm -rf s && cp -a keep s
	done
}

@test "where what lies aside cannot go, the item is the new one, or status is 4" {
	need strace
	make_store
	taf2daf s cell/gene/m m.taf
	mapped m.taf 0 2 new.taf
	# left behind by an earlier change, perhaps of another item
	mkdir s/.taf2daf.undo
	: >s/.taf2daf.undo/moved
	for x in 0.data 0.json 1.data; do echo other >s/.taf2daf.undo/$x; done
	cp -a s keep
	local n got
	for n in {1..90}; do
		rm -rf s && cp -a keep s
		got=0
		strace -f -o trace -e trace=unlink -e inject=unlink:error=EIO:when=$n \
			taf2daf -f s cell/gene/m new.taf >out 2>err || got=$?
		grep -q INJECTED trace || break
		status 0 daf2taf s cell/gene/m || { echo "unlink $n"; return 1; }
		case "$got $(tafread <out | xargs)" in
		'4 3 10 17 24 31 38' | '0 6 20 34 48 62 76') ;;
		*) echo "unlink $n: status $got:"; tafread <out; return 1 ;;
		esac
	done
	[ "$n" -gt 20 ]
	[ "$n" -lt 90 ]
}

@test "where what says of what lies aside is no file, nothing waits for it" {
	make_store
	mkdir s/.taf2daf.undo
	mkfifo s/.taf2daf.undo/item
	refuse 3 timeout 60 dafls s
	refuse 3 timeout 60 taf2daf s cell/gene/m m.taf
	[[ $(cat err) == *'not a regular file' ]]
	rm s/.taf2daf.undo/item
	printf cell/gene/m >item
	ln -s ../../item s/.taf2daf.undo/item
	refuse 3 dafls s
	[[ $(cat err) == *'leaves the store' ]]
}

@test "dafr and numpy: the bytes are those that other readers map" {
	need numpy
	make_store
	"$PYTHON" - <<'END' || return 1
import numpy as np
a = np.arange(6, dtype='<f8').reshape(3, 2) ** 3 - 7.5
np.save('a.npy', a)
np.save('b.npy', np.where(np.arange(6).reshape(3, 2) % 2, a, 0))
END
	npy2taf a.npy | taf2daf s cell/gene/a
	npy2taf b.npy | taf2daf --sparse s cell/gene/b
	"$PYTHON" - <<'END'
import numpy as np
a = np.load('a.npy'); b = np.load('b.npy')
p = 's/matrices/cell/gene/'
assert (np.fromfile(p + 'a.data', '<f8').reshape(3, 2, order='F') == a).all()
assert (np.fromfile('s/matrices/gene/cell/a.data', '<f8').reshape(2, 3, order='F') == a.T).all()
for p, want in ((p, b), ('s/matrices/gene/cell/', b.T)):
    ptr, row = (np.fromfile(p + x, '<u4') for x in ('b.colptr', 'b.rowval'))
    val = np.fromfile(p + 'b.nzval', '<f8')
    got = np.zeros(want.shape)
    for j in range(want.shape[1]):
        for k in range(ptr[j] - 1, ptr[j + 1] - 1):
            got[row[k] - 1, j] = val[k]
    assert (got == want).all()
END
}

# columns N: a store with N cells and 3 genes, and big.taf for it, of flt64
columns() {
	seq -f c%g "$1" >cells
	printf 'g1\ng2\ng3\n' >genes
	mktaf big.taf flt64 "$1",3 0.25
	make_store
}

# chunk FILE K: chunk K, from 0, of a packed payload, as its index says
chunk() {
	perl -e '
		local $/;
		open my $f, "<:raw", $ARGV[0]; my $all = <$f>;
		my ($at, $n) = unpack "Q<2", substr $all, 16 * $ARGV[1], 16;
		print substr $all, $at, $n;' "$1" "$2"
}

@test "--pack: what was packed is read again, long columns alone are packed" {
	columns 2100
	need zlib
	for way in gzip zstd blosc; do
		[ $way != zstd ] || grep -q 'HAVE_ZSTD 1' "$TAF_BUILD/config.h" || continue
		[ $way != blosc ] || grep -q 'HAVE_BLOSC 1' "$TAF_BUILD/config.h" || continue
		taf2daf --pack $way s cell/gene/$way big.taf
		[ ! -e s/matrices/cell/gene/$way.data ]
		[ ! -e s/matrices/gene/cell/$way.zip ]
		daf2taf s cell/gene/$way | tafread >got
		tafread big.taf >want
		same want got
		daf2taf s gene/cell/$way | taftranspose | tafread >got
		same want got
		taf2daf --pack $way --sparse s cell/gene/sparse-$way big.taf
		[ -e s/matrices/gene/cell/sparse-$way.colptr.zip ]
		[ -e s/matrices/cell/gene/sparse-$way.colptr ]
		[ -e s/matrices/cell/gene/sparse-$way.rowval.zip ]
		daf2taf s cell/gene/sparse-$way | tafread >got
		same want got
		daf2taf s gene/cell/sparse-$way | taftranspose | tafread >got
		same want got
		tafcrop -x 2=2 big.taf | taf2daf --pack $way s cell/$way
		daf2taf s cell/$way | tafread >got
		tafread -x 2=2 big.taf >part
		same part got
		tafcrop -x 2=2 big.taf | taf2daf -t Int16 --clip --pack $way s cell/short-$way
		[ -e s/vectors/cell/short-$way.data ]
	done
	taf2daf -f s cell/gene/gzip big.taf
	[ ! -e s/matrices/cell/gene/gzip.zip ]
	daf2taf s cell/gene/gzip | tafread >got
	same want got
	refuse 2 taf2daf --pack lzma s cell/gene/other big.taf
	refuse 2 taf2daf --pack s cell/gene/other
}

@test "--pack gzip: each chunk is a stream that gzip unpacks, filled up with zeros" {
	columns 1500
	need zlib
	taf2daf --pack gzip s cell/gene/x big.taf
	equal "$(cat s/matrices/cell/gene/x.json)" '{"format":"dense","eltype":"Float64",'\
'"packed_format":"indexed+zipped","chunk_shape":[1024,1],"compression":"gzip",'\
'"compression_level":5,"index_location":"start"}'
	for k in 0 1 2 3 4 5; do
		chunk s/matrices/cell/gene/x.zip $k | gzip -dc
	done >got
	tafread -b big.taf | perl -e '
		local $/;
		my $all = <STDIN>;
		for my $column (0 .. 2) {
			my $bytes = substr $all, $column * 12000, 12000;
			print $bytes, "\0" x (2 * 8192 - 12000);
		}' >want
	same want got
	# the number of a chunk is where a time would stand
	equal "$(chunk s/matrices/cell/gene/x.zip 5 | head -c 10 | od -An -tx1 | tr -d ' \n')" 1f8b080141414146'02ff'
	perl -e '
		local $/;
		open my $f, "<:raw", $ARGV[0]; my $all = <$f>;
		my $end = substr $all, -98;
		my ($n, $size, $at) = (unpack "a24 Q< Q< Q< Q<", $end)[1, 3, 4];
		die "end" unless substr($end, 0, 4) eq "PK\6\6" && $n == 6 && $at + $size + 98 == length $all;
		for my $k (0 .. 5) {
			my $entry = substr $all, $at + $k * 84, 84;
			my ($off) = unpack "Q<", substr $entry, 76, 8;
			my ($index) = unpack "Q<", substr $all, 16 * $k, 8;
			die "entry $k" unless substr($entry, 0, 4) eq "PK\1\2" && $off + 30 == $index &&
			    substr($all, $off, 4) eq "PK\3\4" && substr($all, $off + 14, 4) eq substr($entry, 16, 4);
		}' s/matrices/cell/gene/x.zip
}

@test "--pack: a store of version [1,0] has no packed items" {
	columns 1500
	need zlib
	printf '{"version":[1,0]}\n' >s/daf.json
	tree s >before
	refuse 3 taf2daf --pack gzip s cell/gene/x big.taf
	grep -q 'a store of version \[1,0\] has no packed items' err
	tree s >after
	same before after
}

@test "--strings: lines become a vector of strings, one for each entry" {
	make_store
	printf 'first\n\nd\303\251j\303\240 vu\n' >lines
	taf2daf --strings s cell/note lines
	equal "$(cat s/vectors/cell/note.json)" '{"format":"dense","eltype":"String"}'
	same lines s/vectors/cell/note.txt
	dafls --entries s cell/note >got
	same lines got
	taf2daf --strings s gene/kind < <(printf 'a\nb\n')
	equal "$(dafls --entries s gene/kind | xargs)" 'a b'
	dafls --check s
	tree s >before
	refuse 3 taf2daf --strings s cell/note lines
	printf 'a\nb\n' >two
	refuse 3 taf2daf -f --strings s cell/note two
	equal "$(cat err)" 'taf2daf: two: 2 lines, but axis cell has 3 entries'
	printf 'a\nb\nc' >bad
	refuse 3 taf2daf -f --strings s cell/note bad
	printf 'a\n\303\n\251\n' >bad
	refuse 3 taf2daf -f --strings s cell/note bad
	printf 'a\nb\0\nc\n' >bad
	refuse 3 taf2daf -f --strings s cell/note bad
	refuse 4 taf2daf -f --strings s cell/note missing
	refuse 2 taf2daf --strings s cell/gene/x lines
	refuse 2 taf2daf --strings s x lines
	refuse 2 taf2daf --strings s
	for wrong in --sparse '-t Int8' --clip '-N 1'; do
		# shellcheck disable=SC2086 # words
		refuse 2 taf2daf --strings $wrong s cell/other lines
	done
	tree s >after
	same before after
	# a vector of numbers goes with all its files
	taf2daf s cell/was v.taf
	taf2daf -f --strings s cell/was lines
	[ ! -e s/vectors/cell/was.data ]
	taf2daf -f s cell/was v.taf
	[ ! -e s/vectors/cell/was.txt ]
}

# other_layout ITEM: written from either layout alone, each is what it was
other_layout() {
	local rows columns name x
	IFS=/ read -r rows columns name <<<"$1"
	cp -a s keep
	for x in $rows/$columns $columns/$rows; do
		rm s/matrices/"$x/$name".*
		echo '{}' >s/metadata.json
		taf2daf --relayout s "$1" || return 1
		diff -r keep s || return 1
		rm s/matrices/"$x/$name".*
		taf2daf --relayout s "$columns/$rows/$name" || return 1
		diff -r keep s || return 1
	done
	daf2taf s "$columns/$rows/$name" | tafread >got
	daf2taf s "$1" | taftranspose | tafread >want
	same want got
	rm -r keep
}

@test "--relayout writes the layout that is missing, dense and sparse, from either" {
	make_store
	taf2daf s cell/gene/m m.taf
	other_layout cell/gene/m
	mktaf f.taf flt64 3,2 0.5
	taf2daf -q s cell/gene/f f.taf
	other_layout cell/gene/f
	perl -e 'print pack "f<*", 0.5, 0, 2, 0, -3, 0' | tafcreate -n 3,2 -t flt32 -o z.taf
	taf2daf --sparse s cell/gene/z z.taf
	other_layout cell/gene/z
	perl -e 'print pack "C*", 1, 0, 1, 0, 1, 0' | tafcreate -n 3,2 -t uint8 -o b.taf
	taf2daf -t Bool s cell/gene/bd b.taf
	other_layout cell/gene/bd
	taf2daf -t Bool --sparse s cell/gene/b b.taf
	[ ! -e s/matrices/gene/cell/b.nzval ]
	other_layout cell/gene/b
	equal "$(find s -name '.*' ! -name .)" ''
}

@test "--relayout of strings, dense and sparse, from either" {
	make_store
	local d=s/matrices/cell/gene
	echo '{"format":"dense","eltype":"String"}' >$d/t.json
	printf 'a\n\nd\303\251j\303\240\nb\nlong one\nf\n' >$d/t.txt
	echo '{"format":"sparse","colptr":{"format":"dense","eltype":"UInt8","n_elements":3},"rowval":{"format":"dense","eltype":"UInt8","n_elements":4},"nzval":{"format":"dense","eltype":"String","n_elements":4}}' >$d/p.json
	le C 1 3 5 >$d/p.colptr
	le C 1 3 1 2 >$d/p.rowval
	printf 'a\nce\nb\nd\n' >$d/p.nztxt
	for x in t p; do
		dafls --entries s cell/gene/$x >want.$x
		taf2daf --relayout s cell/gene/$x
		mkdir -p keep
		mv $d/$x.* keep
		taf2daf --relayout s gene/cell/$x
		for f in keep/$x.*; do
			same "$f" "$d/${f##*/}" || return 1
		done
		dafls --entries s cell/gene/$x >got
		same want.$x got
	done
	dafls --check s
	equal "$(cat s/matrices/gene/cell/t.txt)" $'a\nb\n\nlong one\nd\303\251j\303\240\nf'
	equal "$(unpack C* s/matrices/gene/cell/p.colptr | xargs)" '1 3 4 5'
	equal "$(unpack C* s/matrices/gene/cell/p.rowval | xargs)" '1 2 2 1'
	equal "$(xargs <s/matrices/gene/cell/p.nztxt)" 'a b d ce'
	# not UTF-8: nothing is written
	rm s/matrices/gene/cell/*
	printf 'a\n\303\nc\nb\nd\nf\n' >$d/t.txt
	refuse 3 taf2daf --relayout s cell/gene/t
	equal "$(ls s/matrices/gene/cell)" ''
}

@test "--pack of strings: the bytes that DataAxesFormats.jl writes" {
	columns 1200
	need zlib
	seq -f v%g 1200 >lines
	taf2daf --strings --pack gzip s cell/note lines
	equal "$(cat s/vectors/cell/note.json)" '{"format":"dense","eltype":"String",'\
'"packed_format":"indexed+zipped","chunk_shape":[512],"compression":"gzip",'\
'"compression_level":5,"index_location":"start"}'
	# the last chunk is filled up with empty strings, which its count has, too
	chunk s/vectors/cell/note.zip 2 | gzip -dc | perl -e 'local $/; my $b = <STDIN>;
		my ($n, @s) = unpack "V(V/a)*", $b; print "$n $#s $s[0] $s[175] [$s[176]]\n"' >got
	equal "$(cat got)" '512 511 v1025 v1200 []'
	for way in blosc zstd gzip; do
		[ $way != zstd ] || grep -q 'HAVE_ZSTD 1' "$TAF_BUILD/config.h" || continue
		[ $way != blosc ] || grep -q 'HAVE_BLOSC 1' "$TAF_BUILD/config.h" || continue
		taf2daf -f --strings --pack $way s cell/note lines
		dafls --entries s cell/note >got
		same lines got
		# the layout with long columns is packed, and the other one not
		perl -e 'print map "$_\n", map { ("x$_", "y$_", "") } 1 .. 1200' >s/matrices/gene/cell/t.txt
		echo '{"format":"dense","eltype":"String"}' >s/matrices/gene/cell/t.json
		taf2daf -f --relayout --pack $way s gene/cell/t
		[ -e s/matrices/cell/gene/t.zip ]
		mv s/matrices/gene/cell/t.txt want
		rm s/matrices/gene/cell/t.*
		taf2daf --relayout --pack $way s cell/gene/t
		same want s/matrices/gene/cell/t.txt
		dafls --check s
	done
	# as long as a reader of ours takes, with what fills up the last chunk, and one more
	perl -e 'print "\n" x 1199, "x" x ((8 << 20) - 4 * 513), "\n"' >long
	taf2daf -f --strings --pack gzip s cell/note long
	dafls --entries s cell/note >got
	same long got
	taf2daf -f --strings s cell/note lines
	perl -e 'print "\n" x 1199, "x" x ((8 << 20) - 4 * 513 + 1), "\n"' >long
	refuse 3 taf2daf -f --strings --pack gzip s cell/note long
	grep -q 'vectors/cell/note: 512 strings of more than 8 MiB' err
	dafls --entries s cell/note >got
	same lines got
}

@test "--relayout keeps the type of indices where that suffices, or widens it" {
	make_store
	seq -f r%g 300 >rows
	printf 'x\n' >one
	taf2daf --axis row=rows --axis one=one s
	local d=s/matrices/one/row
	echo '{"format":"sparse","colptr":{"format":"dense","eltype":"UInt8","n_elements":301},"rowval":{"format":"dense","eltype":"UInt8","n_elements":2},"nzval":{"format":"dense","eltype":"Int16","n_elements":2}}' >$d/w.json
	perl -e 'print pack "C*", (1) x 5, (2) x 294, 3, 3' >$d/w.colptr
	le C 1 1 >$d/w.rowval
	le 's<' 7 -9 >$d/w.nzval
	taf2daf --relayout s one/row/w
	equal "$(grep -o 'UInt[0-9]*' s/matrices/row/one/w.json | sort -u)" UInt32
	equal "$(unpack 'L<*' s/matrices/row/one/w.rowval | xargs)" "5 299"
	rm $d/w.*
	mkdaf t
	taf2daf --relayout t cell/gene/sm
	equal "$(cat t/matrices/gene/cell/sm.json)" \
		'{"format":"sparse","eltype":"Float32","indtype":"UInt32"}'
	equal "$(unpack 'f<*' t/matrices/gene/cell/sm.nzval | xargs)" "0.5 -3 2"
}

@test "--relayout refuses both layouts without -f, what is damaged, one axis" {
	make_store
	taf2daf s cell/gene/m m.taf
	le 's<' 1 2 3 4 5 6 >s/matrices/gene/cell/m.data
	: >s/matrices/gene/cell/m.nzval
	tree s >before
	refuse 3 taf2daf --relayout s cell/gene/m
	grep -q 'both layouts are there' err
	tree s >after
	same before after
	taf2daf -f --relayout s cell/gene/m
	equal "$(unpack 's<*' s/matrices/gene/cell/m.data | xargs)" "3 24 10 31 17 38"
	[ ! -e s/matrices/gene/cell/m.nzval ]
	equal "$(unpack 's<*' s/matrices/cell/gene/m.data | xargs)" "3 10 17 24 31 38"
	rm s/matrices/cell/gene/m.*
	le 's<' 1 >s/matrices/gene/cell/m.data
	echo '{"format":"dense","eltype":"Bool"}' >s/matrices/gene/cell/b.json
	le C 0 1 0 1 0 2 >s/matrices/gene/cell/b.data
	echo '{"format":"sparse","colptr":{"format":"dense","eltype":"UInt8","n_elements":4},"rowval":{"format":"dense","eltype":"UInt8","n_elements":1}}' >s/matrices/gene/cell/p.json
	le C 1 2 2 2 >s/matrices/gene/cell/p.colptr
	le C 3 >s/matrices/gene/cell/p.rowval
	tree s >before
	for x in cell/gene/{m,b,p,none} gene/cell/{m,b,p} cell/cell/m; do
		refuse 3 taf2daf --relayout s $x || return 1
	done
	refuse 2 taf2daf --relayout s cell/m
	refuse 2 taf2daf --relayout --sparse s cell/gene/m
	refuse 2 taf2daf --relayout s cell/gene/m m.taf
	tree s >after
	same before after
}

@test "--relayout stopped at any system call leaves the item as it was" {
	need strace
	make_store
	taf2daf s cell/gene/m m.taf
	cp -a s both
	rm s/matrices/gene/cell/m.*
	cp -a s keep
	local call n whole=0 from x
	for from in keep both; do
		for call in rename unlink; do
			for n in {1..20}; do
				rm -rf s && cp -a $from s
				strace -f -o trace -e trace=$call -e inject=$call:signal=KILL:when=$n \
					taf2daf -f --relayout s cell/gene/m >out 2>err && break
				for x in cell/gene gene/cell; do
					status 0 daf2taf s $x/m || { echo "$call $n"; return 1; }
					tafread <out | xargs >"got.${x##*/}"
				done
				equal "$(cat got.gene got.cell)" "3 10 17 24 31 38
3 24 10 31 17 38" || return 1
				taf2daf -f --relayout s cell/gene/m
				whole=$((whole + 1))
			done
		done
	done
	[ $whole -gt 6 ]
}
