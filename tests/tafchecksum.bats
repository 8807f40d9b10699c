# SPDX-License-Identifier: ISC
load helper
load commands

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
	# of 2^53 to 2^53 + 5 those that a double does not hold
	tafmath -n 6 -t int64 '9007199254740991 + i1' | tafchecksum --values 2>err | grep -q .
	equal "$(<err)" 'tafchecksum: 3 of 6 values rounded to flt64'
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
	# what a terminal obeys is not for it
	cp a.taf $'e\e[1m\ng'
	equal "$(tafchecksum $'e\e[1m\ng' | tafchecksum -c -)" 'e\x1b[1m\ng: OK'
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

# flip FILE OFFSET: one bit of it
flip() {
	perl -e 'open F, "+<", $ARGV[0] or die; seek F, $ARGV[1], 0; read F, $b, 1;
		seek F, $ARGV[1], 0; print F chr(ord($b) ^ 4)' "$1" "$2"
}

@test "TAF_VERIFY: pieces that are damaged are not used, and others are" {
	export TAF_VERIFY=1
	# three pieces of 524288 elements, and a rest
	tafmath -n 1000,1700 -t int16 'x1 - x2' -o sound.taf
	tafchecksum --tree sound.taf.b3 sound.taf >/dev/null
	cp sound.taf a.taf
	cp sound.taf.b3 a.taf.b3
	tafcrop a.taf -o b.taf
	same sound.taf b.taf
	# element 600,900: number 899600, in the second piece
	flip a.taf $((1104 + 2 * 899599))
	refuse 3 tafcrop a.taf -o b.taf
	grep -q 'elements 524289 to 1048576, .* a.taf.b3' err
	for words in '-x 2=1:500' '-x 2=1100:1700:3' '-x 1=3 -x 2=1300'; do
		# shellcheck disable=SC2086
		tafcrop $words a.taf -o b.taf
		# shellcheck disable=SC2086
		tafcrop $words sound.taf -o c.taf
		same b.taf c.taf
	done
	for words in '-x 2=900' '-x 1=600' '-x 2=600:1700:300'; do
		# shellcheck disable=SC2086
		refuse 3 tafcrop $words -m 64k a.taf -o b.taf
	done
	for where in 1104 3401103; do
		cp sound.taf a.taf
		flip a.taf $where
		refuse 3 tafpermute -d 2,1 -J 3 a.taf -o b.taf
		refuse 3 tafmath a a.taf -o b.taf
	done
	# the tree itself, and that of something else
	cp sound.taf a.taf
	flip a.taf.b3 100
	refuse 3 tafcrop a.taf -o b.taf
	tafcrop -x 2=2:1700 sound.taf -o b.taf
	tafchecksum --tree a.taf.b3 b.taf >/dev/null
	refuse 3 tafcrop a.taf
	grep -q '3400000 bytes of elements, and a.taf.b3 is of 3398000' err
	rm a.taf.b3
	tafcrop a.taf -o b.taf
	same a.taf b.taf
}

@test "TAF_VERIFY: any byte order, planes, text, a file of in=" {
	tafmath -n 500,600 -t complex 'complex(x1, x2)' -o planes.taf
	for f in xdr ascii; do
		printf 'n1=500 n2=600 data_format="%s_float" in="stdin"\n\n\f\f\004' $f
		perl -e 'if ($ARGV[0] eq "xdr") { print pack "f>*", map { $_ / 8 } 1 .. 300000 }
			else { printf "%d\n", 1000 + $_ % 7919 for 1 .. 300000 }' $f
	done >both
	split_at=$(grep -abo 'n1=' both | sed -n '2s/:.*//p')
	head -c "$split_at" both >xdr.rsf
	tail -c +"$((split_at + 1))" both >text.rsf
	tafmath -n 500,600 -t int32 'x1*x2' -F rsf --out=split.rsf@ -o split.rsf
	for f in planes.taf xdr.rsf text.rsf split.rsf; do
		tafchecksum --tree $f.b3 $f >/dev/null
		tafcrop -x 1=1:500:7 $f -o want.taf
		TAF_VERIFY=1 tafcrop -x 1=1:500:7 $f -o got.taf
		same want.taf got.taf
		data=$f
		[ $f != split.rsf ] || data=split.rsf@
		# a digit of text stays one
		flip $data $(($(wc -c <$data) - 1100002))
		TAF_VERIFY=1 refuse 3 tafcrop $f -o got.taf
	done
}

@test "TAF_VERIFY: two arrays of one size, the first looks for the next" {
	tafmath -n 300,700 -t int16 'x1 - x2' -o a.taf
	tafchecksum --tree two.rsf.b3 a.taf >/dev/null
	{ taf2gta -q a.taf; taf2gta -q a.taf; } | gta2taf -q >two.rsf
	equal "$(grep -ac taf_next=.unknown two.rsf)" 2
	tafcrop two.rsf -o want.rsf
	# glibc fills what was freed: who reads it finds nothing of use
	export TAF_VERIFY=1 MALLOC_PERTURB_=165
	tafcrop two.rsf -o got.rsf
	same want.rsf got.rsf
	rm got.rsf
	flip two.rsf $(($(wc -c <two.rsf) - 1000))
	refuse 3 tafcrop two.rsf -o got.rsf
	[ ! -e got.rsf ]
}

# a file with a wrong element is refused, or its elements do not matter
verified() {
	call "$in" >want 2>/dev/null || return 1
	TAF_VERIFY=1 call "$in" >got || return 1
	same want got || return 1
	flip "$in" $((1104 + 2 * 9000))
	if TAF_VERIFY=1 call "$in" >got 2>err; then
		same want got || bad=1
	else
		grep -q 'in.taf.b3' err || bad=1
	fi
	flip "$in" $((1104 + 2 * 9000))
	[ -z "$bad" ]
}

@test "TAF_VERIFY: each command" {
	mktaf in.taf int16 230,60
	tafchecksum --tree in.taf.b3 in.taf >/dev/null
	each 'stream|print' verified
}
