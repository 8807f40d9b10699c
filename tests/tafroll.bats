# SPDX-License-Identifier: ISC
load helper
load rearrange

@test "points go up, those at the end come in at the beginning" {
	mktaf a.taf int16 5,3
	for by in 2 -3 7 -13 12; do
		equal "$(tafroll --by 1=$by a.taf | tafread)" "$(points 5 - '3 4 0 1 2' '0 1 2')"
	done
	equal "$(tafroll --by 2=-1 a.taf | tafread)" "$(points 5 - '0 1 2 3 4' '1 2 0')"
	equal "$(tafroll --by 2=1 --by 1=1 a.taf | tafread)" "$(points 5 - '4 0 1 2 3' '2 0 1')"
	tafcrop a.taf >want
	tafroll --by 1=0 --by 2=3 a.taf >got
	same want got
}

# sfrotate turns the other way when memory is short
@test "the direction does not depend on memory" {
	mktaf a.taf flt32 301,203
	everywhere tafroll --by 1=17 --by 2=-50 a.taf
	everywhere tafroll --by 2=-50 --fill 9 a.taf
	equal "$(tafroll -m 1 --by 1=17 a.taf | tafread -x 1=18 -x 2=1)" 3
}

@test "--fill: new points have a value, which the array must hold" {
	mktaf a.taf uint8 5,3
	equal "$(tafroll --fill 200 --by 1=2 a.taf | tafread)" "$(points 5 200 '- - 0 1 2' '0 1 2')"
	equal "$(tafroll --fill 200 --by 1=-2 a.taf | tafread)" "$(points 5 200 '2 3 4 - -' '0 1 2')"
	equal "$(tafroll --fill 200 --by 1=9 a.taf | tafread | sort -u)" 200
	equal "$(tafroll --fill 1 --by 2=-9 --by 1=-1 a.taf | tafread | sort -u)" 1
	for v in 256 -1 0.5 nan 1e40; do
		refuse 3 tafroll --fill $v --by 1=1 a.taf
		grep -q "value $v does not fit uint8 (0 to 255)" err
	done
	mktaf f.taf flt32 5,3
	equal "$(tafroll --fill 0.1 --by 1=1 f.taf | tafread -x 1=1 -x 2=1)" 0.1
	equal "$(tafroll --fill nan --by 1=1 f.taf | tafread -x 1=1 -x 2=1)" nan
	refuse 3 tafroll --fill 1e40 --by 1=1 f.taf
	# physical: 1 + 2 * 50
	mktaf m.taf uint8 5,3
	perl -e 'open F, "+<", "m.taf"; seek F, 1032, 0; print F pack "d<2", 1, 2'
	equal "$(tafroll --fill 101 --by 1=1 m.taf | tafread -r -x 1=1 -x 2=1)" 50
	refuse 3 tafroll --fill 100 --by 1=1 m.taf
	# 0.3 under 0 + 0.1 * x is as near to 3 as can be
	perl -e 'open F, "+<", "m.taf"; seek F, 1032, 0; print F pack "d<2", 0, 0.1'
	equal "$(tafroll --fill 0.3 --by 1=1 m.taf | tafread -r -x 1=1 -x 2=1)" 3
	perl -e 'print "n1=3 data_format=\"native_complex\" in=\"stdin\"\n\f\f\004", pack "f$ENV{ORDER}*", 1 .. 6' >c.rsf
	tafroll --by 1=1 --fill 7 c.rsf | tail -c 24 >got
	perl -e 'print pack "f$ENV{ORDER}*", 7, 0, 1, 2, 3, 4' >want
	same want got
}

@test "--move-grid: coordinates follow their elements" {
	mktaf a.taf int16 5,3
	equal "$(tafroll --by 1=2 a.taf | tafprobe -k o1)" 0.5
	equal "$(tafroll --move-grid --by 1=2 --by 2=-1 a.taf | tafprobe -k o1)" 0
	equal "$(tafroll --move-grid --by 1=2 --by 2=-1 a.taf | tafprobe -k o2)" 2
	# the element that was first
	equal "$(tafroll --move-grid --by 1=2 a.taf | tafread -c | sed -n 3p)" "$(tafread -c a.taf | sed -n 1p)"
}

@test "what cannot be done" {
	mktaf a.taf int16 4,0
	equal "$(tafroll --by 2=1 --by 1=3 --fill 1 a.taf | tafprobe -k shape)" 4,0
	refuse 3 tafroll --by 3=1 a.taf
	for by in 1 1= 1=x 0=1 1=1.5 1=1:2 65=1 1=-9223372036854775808; do
		refuse 2 tafroll --by "$by" a.taf
	done
	refuse 2 tafroll --by 1=1 --by 1=2 a.taf
	refuse 2 tafroll --by 1=1 --fill x a.taf
	refuse 2 tafroll a.taf
}
