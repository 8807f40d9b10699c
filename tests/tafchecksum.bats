load helper

# The digests were computed by b3sum, of texts and bytes that Python made.
INT16=76cea08584ef4487ef03cd91659e51141d38952e6a7439b26d746434ca95f8fd
DATA=4f0154c6bc6694ffbd75ececc28a6b74822c7aff950ca37b5d5d939c7b0cc084
MAPPED=5c33ca4f90befdbf35da25b07efa1226fe120ca9036d85180c17af9ddee5f106
VALUES=69bce02dd07bacaa268abb0389f61b2117d93a2ca2873812f0a4a472b66b1f6a
HEADER=6394509055f1f8e980fd9ae542acf54e4708d0c3117d3f4780c8a375b0ceb742

# FILE: 11 x 6 int16, with grids
array() {
	perl -e 'print pack "s*", map { $_ * 7 % 101 - 50 } 1 .. 66' |
		tafcreate -n 11,6 -t int16 -a 1=0.5:0.25 -a 2=-3:2 - -o "$1"
}

# digest WANTED WORDS...: of what comes on standard input
digest() {
	equal "$(tafchecksum "${@:2}")" "$1  -"
}

@test "the digest is that of elements, type, lengths and grids" {
	array a.taf
	equal "$(tafchecksum a.taf)" "$INT16  a.taf"
	equal "$(tafchecksum --data a.taf)" "$DATA  a.taf"
	equal "$(tafchecksum -j a.taf)" \
		"{\"file\":\"a.taf\",\"number\":1,\"array\":\"$INT16\",\"data\":\"$DATA\"}"
	tafadjust --value-scale 0.5 --value-shift 1 a.taf -o m.taf
	digest "$MAPPED" <m.taf
	digest "$VALUES" --values <m.taf
	tafcast -t flt64 m.taf | digest "$VALUES" --values
	tafmath 'complex(a, 0)' a.taf | tafchecksum >complex
	tafmath -t int16 -n 66 '7*i1%101 - 50' |
		digest 168bd5b739f503dcbe7b4c4cfad883f1b1fd036712ec90e7f1e94b7350e48e30
	tafmath -t int16 -n 66,1,1 '7*i1%101 - 50' |
		digest 168bd5b739f503dcbe7b4c4cfad883f1b1fd036712ec90e7f1e94b7350e48e30
	tafmath -t complex -n 11,3 'n = 2*(i1 + 11*(i2 - 1)); complex(7*(n - 1)%101 - 50, 7*n%101 - 50)' |
		digest 11a5a63b9dd173d3365cc8cbded78313ea7e820e8aeaa24ca439fee7a7f9d72a
	# any NaN, and -0
	perl -e 'print pack "L6", reverse 0x3ff00000, 0, 0x80000000, 0, 0xfff80000, 1' |
		tafcreate -n 3 -t flt64 - |
		digest 60fa5f666da32e8accbc4bafdd097fbdf632418391fb1fac76857a99c9ddcda0 --values
	tafmath -n 0 -t int16 i1 |
		digest ddbb2d16bf638e056cc1a7e73985b30cb53da695228fc34341ceb2477113d8cf
}

@test "labels, units, attributes and comment count with --header alone" {
	array a.taf
	tafput label@1=Time unit@1=s unit@2=m key=value unit=V 'a"b=x%' a.taf |
		tafcomment -C "$(printf 'first line\nsecond line')" -o h.taf
	equal "$(tafchecksum h.taf)" "$INT16  h.taf"
	equal "$(tafchecksum --header h.taf)" "$HEADER  h.taf"
	digest "$HEADER" --header <h.taf
	tafcrop h.taf | digest "$HEADER" --header
	equal "$(tafchecksum --header a.taf)" "$(tafcrop a.taf | tafchecksum --header | sed 's/-$/a.taf/')"
}

@test "whatever carries the array, and however it is read, the digest is the same" {
	local how
	array a.taf
	tafcrop a.taf | digest "$INT16"
	tafcrop a.taf --out=half -o split.rsf
	digest "$INT16" <split.rsf
	taf2npy -q a.taf -o a.npy
	npy2taf a.npy | digest "$DATA" --data
	taf2npy -q --c-order a.taf -o c.npy
	npy2taf c.npy | digest "$DATA" --data
	taf2gta -q a.taf -o a.gta
	gta2taf a.gta | digest "$DATA" --data
	equal "$(taf checksum --data a.gta)" "$DATA  a.gta"
	perl -e 'print pack "s>*", map { $_ * 7 % 101 - 50 } 1 .. 66' >xdr.bin
	printf 'n1=11 n2=6 o1=0.5 d1=0.25 o2=-3 d2=2 esize=2 data_format=xdr_short in=xdr.bin\n' >xdr.rsf
	equal "$(tafchecksum xdr.rsf)" "$INT16  xdr.rsf"
	perl -e '$k = 0; print map { chr(($_ * $_ * 7 + $_) % 251) } 0 .. 2097156' >big.bin
	tafcreate -n 2097157 -t uint8 big.bin -o big.taf
	for how in '-J 1' '-J 3' '-m 64k' '-m 3M -J 2'; do
		# shellcheck disable=SC2086
		equal "$(tafchecksum $how big.taf)" \
			"32f8fc4534a4f57ba99acc852140e2d0d7b9ac52908a8d2a6cde19e034c2a93d  big.taf"
		# shellcheck disable=SC2086
		tafcrop big.taf | digest \
			9b2f344768b51ebd81f09304fa53442971219518fa91249d25ed6a36b2d52dd3 --data $how
	done
	# it is cut as digests want it, not as arrays are
	tafreshape -n 1,2097157 big.taf | digest \
		9b2f344768b51ebd81f09304fa53442971219518fa91249d25ed6a36b2d52dd3 --data
}

@test "lines of a run are checked by another one, arrays of a stream by their number" {
	array a.taf
	cp a.taf 'b\c'
	tafcrop -x 1=2 a.taf >one.rsf
	tafcrop a.taf >two.rsf
	cat one.rsf two.rsf one.rsf >several.rsf
	tafchecksum a.taf several.rsf 'b\c' >sums
	equal "$(sed -n 's/^.*  //p' sums | xargs -d '\n')" \
		'a.taf several.rsf several.rsf#2 several.rsf#3 b\\c'
	status 0 tafchecksum -c sums
	equal "$(cat out)" "$(printf '%s: OK\n' a.taf several.rsf several.rsf#2 several.rsf#3 'b\\c')"
	equal "$(tafchecksum -q --check - <sums)" ''
	# one bit
	perl -e 'open F, "+<", "a.taf"; seek F, 1100, 0; read F, $b, 1; seek F, 1100, 0;
		print F chr(ord($b) ^ 16)'
	status 1 tafchecksum -q -c sums
	equal "$(cat out)" 'a.taf: FAILED'
	status 1 tafchecksum --data -c sums
	equal "$(grep -c FAILED out)" 5
	# backwards, too
	tac sums | grep several >back
	status 0 tafchecksum -c back
}

@test "what cannot be read costs its own line alone" {
	array a.taf
	head -c 1100 a.taf >cut.taf
	status 3 tafchecksum cut.taf a.taf
	equal "$(cat out)" "$INT16  a.taf"
	{
		echo "$INT16  cut.taf"
		echo rubbish
		echo "${INT16%?}  a.taf"
		echo "$INT16  a.taf#2"
		echo "$INT16 *a.taf"
	} >sums
	status 3 tafchecksum -c sums
	equal "$(cat out)" 'a.taf: OK'
	equal "$(wc -l <err)" 4
	grep -q 'sums: line 2 is no digest' err
	grep -q 'array 2 is wanted, but there are 1' err
	echo "$INT16  nowhere.taf" >sums
	status 4 tafchecksum -c sums
	status 3 tafchecksum -c /dev/null
	status 4 tafchecksum -c nowhere
	status 2 tafchecksum -c sums a.taf
	status 2 tafchecksum -j -c sums
}

@test "a tree beside a file tells where its data are damaged" {
	tafmath -t flt32 -n 512,1000,3 'i1 + 1000*i2 + i3/8' -o a.taf
	tafchecksum --tree a.taf.b3 a.taf >sums
	equal "$(cat sums)" "$(tafchecksum a.taf)"
	equal "$(head -n 1 a.taf.b3)" "taf-tree 1 6144000 $(tafchecksum --data a.taf | cut -c 1-64)"
	equal "$(wc -c <a.taf.b3)" $(($(head -n 1 a.taf.b3 | wc -c) + 32 * 6 + 32))
	status 0 tafchecksum -c sums
	# element 1 048 576 of all, from 0: [1,49,3]
	perl -e 'open F, "+<", "a.taf"; seek F, -6144000 + 4*1048576, 2; print F "\x00\x00\x00\x00"'
	status 1 tafchecksum -c sums
	equal "$(cat out)" 'a.taf: FAILED, first in [1,49,3] to [512,560,3]'
	tafmath -t flt32 -n 512,1000,3 'i1 + 1000*i2 + i3/8' | tafadjust --shift 1=1 -f -o a.taf
	status 1 tafchecksum -c sums
	equal "$(cat out)" 'a.taf: FAILED, but the data agree'
	tafmath -t flt32 -n 512,1000 'i1 + 1000*i2' -f -o a.taf
	status 1 tafchecksum -c sums
	equal "$(cat out)" 'a.taf: FAILED, of another length'
	# a tree that is damaged says nothing
	perl -e 'open F, "+<", "a.taf.b3"; seek F, 100, 0; print F "xx"'
	status 3 tafchecksum -c sums
	grep -q 'no tree of digests, or one that is damaged' err
	tafcrop a.taf >two.rsf
	tafcrop a.taf >>two.rsf
	status 3 tafchecksum --tree t.b3 two.rsf
	status 2 tafchecksum --tree t.b3 two.rsf a.taf
	status 2 tafchecksum --tree t.b3 -c sums
	status 4 tafchecksum -c .
}
