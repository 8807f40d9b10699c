# SPDX-License-Identifier: ISC
load helper

@test "prints 0 for a generic array, and what --set has set" {
	mktaf a.taf int16 7,5
	equal "$(taftype a.taf)" 0
	taftype --set row a.taf -o b.taf
	equal "$(taftype b.taf)" 2
	equal "$(od -A n -t u1 -j 4 -N 3 b.taf | tr -s ' ')" " 1 1 2"
	taftype --set 0 b.taf -o c.taf
	equal "$(od -A n -t u1 -j 4 -N 3 c.taf | tr -s ' ')" " 1 0 0"
}

@test "in place only the opening changes, and the code goes through a stream" {
	mktaf a.taf int16 7,5
	cp a.taf b.taf
	taftype -i --set 3 b.taf
	equal "$(cmp -l a.taf b.taf | wc -l)" 2
	equal "$(tafcrop b.taf | tafcrop | taftype)" 3
	equal "$(tafcrop a.taf b.taf | taftype | tr '\n' ' ')" "0 3 "
}

@test "taftranspose swaps column and row" {
	mktaf a.taf int16 7,1
	taftype --set column a.taf | taftranspose >b
	equal "$(taftype b)" 2
	equal "$(taftranspose b | taftype)" 1
}

@test "a code that does not go with the dimensions is refused" {
	mktaf a.taf int16 4,5,3
	mktaf b.taf int16 4,5,3,2
	refuse 3 taftype --set column a.taf
	refuse 3 taftype --set image b.taf
	taftype --set image a.taf >/dev/null
	taftype --set 200 b.taf >/dev/null
	refuse 2 taftype --set 256 a.taf
	refuse 2 taftype --set cube a.taf
	refuse 2 taftype -i a.taf
}

@test "in place and to another file: the same bytes, version 1.0 without a code" {
	mktaf a.taf int16 7,5
	tafcrop a.taf -o b.taf
	for code in 2 0; do
		taftype --set $code b.taf -o c.taf
		taftype -i --set $code b.taf
		same b.taf c.taf
	done
}

@test "a code that does not go with the dimensions is written as generic" {
	printf 'n1=2 n2=2 n3=1 n4=2 data_format="native_uchar" taf_code=1 in="stdin"\n\n\f\f\004abcdefgh' >s.rsf
	tafcrop s.rsf -o a.taf
	equal "$(od -A n -t u1 -j 4 -N 3 a.taf | tr -s ' ')" " 1 0 0"
	status 0 tafcheck a.taf
	mktaf b.taf int16 4,5,3,2
	printf '\001\002' | dd of=b.taf bs=1 seek=5 conv=notrunc 2>/dev/null
	tafadjust -i --start 1=5 b.taf
	status 0 tafcheck b.taf
}
