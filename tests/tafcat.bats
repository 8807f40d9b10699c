# SPDX-License-Identifier: ISC
load helper
load commands

# which arrays the stream on standard input has
channels() {
	tafprobe -k channel | paste -s -d ' ' -
}

# five: five.rsf, a stream of arrays 1 to 5, of different types and lengths
five() {
	local k=0 type
	for type in int16 uint8 flt64 uint64 flt32; do
		k=$((k + 1))
		mktaf a.taf $type $k,3
		tafput channel=$k a.taf -o a$k.taf
	done
	tafcrop a[1-5].taf >five.rsf
}

@test "arrays stay as they are: keys, mapping, comment, bytes" {
	rsf a.rsf 'data_format="native_int" esize=4 n1=2 foo="x y" bar=7 baz="8" label1="T%25" taf_comment="one" taf_comment="two"' abcdefgh
	rsf b.rsf 'data_format="native_short" esize=2 taf_order="little" taf_format="uint16" taf_intercept=0.1 taf_slope=-3 n1=1 n2=3 o2=7 d2=-2' '\200\201\202\203\204\205'
	rsf c.rsf 'data_format="native_complex" esize=8 n1=1 n2=1 n3=0' ''
	for f in a b c; do
		tafcat $f.rsf >$f
		tafcat $f >again
		same $f again
	done
	grep -qx '	bar=7' a
	grep -qx '	baz="8"' a
	# what announces the next array is all that differs
	for f in a b c; do
		perl -pe 's/^(?=\tin=)/\ttaf_next=1\n/' $f
	done | perl -0777 -pe 's/\ttaf_next=1\n(?!.*taf_next)//s' >want
	tafcat a b c >got
	same want got
	tafcat got >again
	same want again
	# shellcheck disable=SC2002 # a pipe is meant
	cat got | tafcat -m 1 >again
	same want again
	tafcat a got | tafcat -N 3 >again
	same b again
	mktaf m.taf int16 5,3
	printf 'first\nsecond' >>m.taf
	tafcat m.taf -o a.taf
	tafcat <a.taf -F taf >b.taf
	tafcrop m.taf -o c.taf
	same c.taf a.taf
	same c.taf b.taf
	tafcat got -o part-%02d.rsf
	same b part-02.rsf
}

@test "--pick: any order, from the end, more than once" {
	five
	while read -r list want; do
		equal "$(tafcat --pick "$list" five.rsf | channels)" "$want"
		equal "$(tafcat --pick "$list" <five.rsf | channels)" "$want"
		# shellcheck disable=SC2002
		equal "$(cat five.rsf | tafcat --pick "$list" | channels)" "$want"
		# behind two others, of which each has an array
		equal "$(tafcat --pick "$list" a1.taf a2.taf a3.taf a4.taf a5.taf | channels)" "$want"
		# shellcheck disable=SC2002
		equal "$(cat a3.taf | tafcat --pick "$list" a1.taf a2.taf - a4.taf a5.taf | channels)" "$want"
	done <<-'END'
		1 1
		2,4 2 4
		1-3,5 1 2 3 5
		0 5
		-2,1-2 3 1 2
		0-1 5 4 3 2 1
		-4--2 1 2 3
		3,3,3-3,2 3 3 3 2
		2--1 2 3 4
		1-5 1 2 3 4 5
	END
	tafcat --pick 4,2,4 five.rsf | tafcat -N 3 >got
	tafcat a4.taf >want
	same want got
	# another order of bytes, numbers in text, and elements in a file of their own
	rsf x.rsf 'data_format="xdr_short" esize=2 n1=2 channel="x" taf_next=1' '\001\002\003\004'
	rsf y.rsf 'data_format="ascii_int" esize=0 n1=2 channel="y" taf_next=1' '7 9'
	tafcat a2.taf --out=z.bin >z.rsf
	cat x.rsf y.rsf five.rsf >xyz.rsf
	equal "$(tafcat --pick 2,1,2,3 xyz.rsf | tafread | head -n 6 | paste -s -d ' ' -)" "7 9 258 772 7 9"
	equal "$(tafcat --pick 2-1 z.rsf five.rsf | tafread | paste -s -d ' ' -)" "$(tafcat a1.taf a2.taf | tafread | paste -s -d ' ' -)"
}

@test "a list that goes forward takes what comes, and ends with its last" {
	five
	equal "$(while cat five.rsf; do :; done 2>/dev/null | tafcat --pick 2,7-9,1001 | channels)" "2 2 3 4 1"
	mkfifo p
	# that holds it open, and writes no more
	exec 9<>p
	cat five.rsf >&9
	equal "$(timeout 60 tafcat --pick 1,4 p 9>&- | channels)" "1 4"
	exec 9>&-
}

@test "an array that is not there is refused before the first byte" {
	five
	for list in 6 1,6 -5 0,-5 1-6 3--9 9223372036854775807 -9223372036854775808; do
		refuse 3 tafcat --pick=$list five.rsf
		grep -q '5' err
		refuse 3 tafcat --pick=$list a1.taf a2.taf a3.taf a4.taf a5.taf
	done
	# a pipe tells at its end
	# shellcheck disable=SC2002
	cat five.rsf | ends 3 tafcat --pick 2,6 >/dev/null
	# shellcheck disable=SC2002
	cat five.rsf | ends 3 tafcat --pick 6,2 >got
	[ ! -s got ]
	# a stream that is cut is found before, too
	head -c 900 five.rsf >cut.rsf
	refuse 3 tafcat --pick 0,1 cut.rsf
	refuse 3 tafcat --pick 1 /dev/null
	refuse 4 tafcat --pick 1 none
	for list in '' ',' '1,' ',1' '1,,2' x 1- - 1-2-3 1.5 1:2 99999999999999999999; do
		refuse 2 tafcat "--pick=$list" five.rsf
	done
	refuse 2 tafcat --pick 1 --pick 2 five.rsf
	refuse 2 tafcat --pick 1 -N 1 five.rsf
	refuse 3 tafcat --pick 1,2 five.rsf -o x.taf
	[ ! -e x.taf ]
}

@test "twenty thousand small arrays do not take minutes" {
	rsf a.rsf 'data_format="native_short" esize=2 taf_order="little" n1=2 label1="Time" taf_next=1' 'abcd'
	rsf b.rsf 'data_format="native_short" esize=2 taf_order="little" n1=2 label1="Time"' 'abcd'
	perl -0777 -ne 'print $_ x 19999' a.rsf >many.rsf
	cat b.rsf >>many.rsf
	tafcat many.rsf >got
	equal "$(timeout 60 tafprobe -k n1 got | wc -l)" 20000
	timeout 60 tafcat got >again
	same got again
	# shellcheck disable=SC2002
	cat got | timeout 60 tafcat --pick 0-1 >again
	same got again
	equal "$(timeout 60 tafcat --pick 19000-1,0 got | tafprobe -k n1 | wc -l)" 19001
}
