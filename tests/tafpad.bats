# SPDX-License-Identifier: ISC
load helper
load rearrange

@test "margins before and behind: 0, a value, the edge, a mirror, the other end" {
	mktaf a.taf int16 4,3
	equal "$(tafpad --by 1=2:1 a.taf | tafread)" "$(points 4 0 '- - 0 1 2 3 -' '0 1 2')"
	equal "$(tafpad --by 2=0:1 --by 1=1:0 --with -7 a.taf | tafread)" "$(points 4 -7 '- 0 1 2 3' '0 1 2 -')"
	equal "$(tafpad --by 1=2:1 --with edge a.taf | tafread)" "$(points 4 - '0 0 0 1 2 3 3' '0 1 2')"
	equal "$(tafpad --by 1=2:3 --with reflect a.taf | tafread)" "$(points 4 - '2 1 0 1 2 3 2 1 0' '0 1 2')"
	equal "$(tafpad --by 1=2:3 --with wrap a.taf | tafread)" "$(points 4 - '2 3 0 1 2 3 0 1 2' '0 1 2')"
	everywhere tafpad --by 1=2:1 --by 2=1:1 --with 5 a.taf
	mktaf b.taf flt64 301,17
	everywhere tafpad --by 1=2:1000 --by 2=1:1 a.taf
	everywhere tafpad --by 1=2:1000 --by 2=1:1 --with edge a.taf
}

@test "margins wider than the array go on" {
	mktaf a.taf int16 3,2
	equal "$(tafpad --by 1=7:6 --with wrap a.taf | tafread)" "$(points 3 - '2 0 1 2 0 1 2 0 1 2 0 1 2 0 1 2' '0 1')"
	equal "$(tafpad --by 1=5:6 --with reflect a.taf | tafread)" "$(points 3 - '1 0 1 2 1 0 1 2 1 0 1 2 1 0' '0 1')"
	mktaf a.taf int16 1,2
	equal "$(tafpad --by 1=2:1 --with reflect a.taf | tafread)" "$(points 1 - '0 0 0 0' '0 1')"
}

@test "negative margins cut; --to and --centre" {
	mktaf a.taf int16 6,3
	equal "$(tafpad --by 1=-2:1 a.taf | tafread)" "$(points 6 0 '2 3 4 5 -' '0 1 2')"
	equal "$(tafpad --by 1=1:-4 a.taf | tafread)" "$(points 6 0 '- 0 1' '0 1 2')"
	equal "$(tafpad --by 1=-7:3 a.taf | tafread)" "$(points 6 0 '- -' '0 1 2')"
	equal "$(tafpad --by 1=-7:3 --with edge a.taf | tafread)" "$(points 6 - '5 5' '0 1 2')"
	equal "$(tafpad --by 1=9:-8 --with 4 a.taf | tafread)" "$(points 6 4 '- - - - - - -' '0 1 2')"
	equal "$(tafpad --to 1=8 a.taf | tafread)" "$(points 6 0 '0 1 2 3 4 5 - -' '0 1 2')"
	equal "$(tafpad --to 1=9 --centre a.taf | tafread)" "$(points 6 0 '- 0 1 2 3 4 5 - -' '0 1 2')"
	equal "$(tafpad --to 1=2 a.taf | tafread)" "$(points 6 0 '0 1' '0 1 2')"
	equal "$(tafpad --to 1=3 --centre a.taf | tafread)" "$(points 6 0 '1 2 3' '0 1 2')"
	tafcrop a.taf >want
	tafpad --to 1=6 --by 2=0:0 a.taf >got
	same want got
}

@test "coordinates stay with their elements" {
	mktaf a.taf int16 5,3
	equal "$(tafpad --by 1=2:0 --by 2=-1:0 a.taf | tafprobe -k o1) $(tafpad --by 1=2:0 --by 2=-1:0 a.taf | tafprobe -k o2)" "0 2"
	equal "$(tafpad --by 1=2:1 a.taf | tafread -c | sed -n 3p)" "$(tafread -c a.taf | sed -n 1p)"
	tafcrop a.taf >want
	tafpad --by 1=2:3 --by 2=1:1 --with edge a.taf | tafpad --by 1=-2:-3 --by 2=-1:-1 >got
	same want got
}

@test "a value is physical, and the type must hold it" {
	mktaf a.taf uint8 5,3
	for v in 256 -1 0.5 nan; do
		refuse 3 tafpad --by 1=1:0 --with $v a.taf
	done
	perl -e 'open F, "+<", "a.taf"; seek F, 1032, 0; print F pack "d<2", 1, 2'
	equal "$(tafpad --by 1=1:0 --with 101 a.taf | tafread -r -x 1=1 -x 2=1)" 50
	# 0 is not 1 + 2 * x
	refuse 3 tafpad --by 1=1:0 a.taf
	tafpad --by 1=1:0 --with edge a.taf | tafread -r >got
	equal "$(<got)" "$(points 5 - '0 0 1 2 3 4' '0 1 2')"
	perl -e 'print "n1=2 data_format=\"native_complex\" in=\"stdin\"\n\f\f\004", pack "f$ENV{ORDER}*", 1 .. 4' >c.rsf
	tafpad --by 1=1:0 c.rsf | tail -c 24 >got
	perl -e 'print pack "f$ENV{ORDER}*", 0, 0, 1 .. 4' >want
	same want got
}

@test "lengths of 0; what cannot be done" {
	mktaf a.taf int16 4,0
	equal "$(tafpad --by 2=1:2 --with 3 a.taf | tafread | sort -u)" 3
	equal "$(tafpad --by 2=1:2 --with 3 a.taf | tafprobe -k shape)" 4,3
	refuse 3 tafpad --by 2=1:2 --with edge a.taf
	refuse 3 tafpad --by 2=0:0 a.taf
	mktaf a.taf int16 4,3
	refuse 3 tafpad --by 1=-2:-2 a.taf
	refuse 3 tafpad --by 1=-9:2 a.taf
	refuse 3 tafpad --by 3=1:1 a.taf
	refuse 3 tafpad --by 1=1:2305843009213693952 a.taf
	for by in 1 1= 1=1 1=x:1 1=1:y 0=1:1 1=9223372036854775807:1 1=1:2:3; do
		refuse 2 tafpad --by "$by" a.taf
	done
	for to in 1 1= 1=0 1=-1 1=x 0=1; do
		refuse 2 tafpad --to "$to" a.taf
	done
	refuse 2 tafpad --by 1=1:1 --to 1=9 a.taf
	refuse 2 tafpad --by 1=1:1 --with mirror a.taf
	refuse 2 tafpad a.taf
}

@test "a margin is made of what is cut away at the other end, too" {
	tafmath -n 5 -t int32 i1 -o a.taf
	tafpad --by 1=-3:4 --with reflect a.taf | tafread | tr '\n' ' ' >got
	equal "$(cat got)" '4 5 4 3 2 1 '
	tafcrop -x 1=4: a.taf | tafpad --by 1=0:4 --with reflect | tafread | tr '\n' ' ' >got
	equal "$(cat got)" '4 5 4 5 4 5 '
	tafpad --by 1=2:-4 --with wrap a.taf | tafread | tr '\n' ' ' >got
	equal "$(cat got)" '4 5 1 '
}
