# SPDX-License-Identifier: ISC
load helper
load rearrange

@test "a dimension comes as a whole, point by point, or along a new one" {
	for type in uint8 int16 flt32 flt64; do
		mktaf a.taf $type 4,3
		equal "$(tafrepeat --times 1=2 a.taf | tafread)" "$(points 4 - '0 1 2 3 0 1 2 3' '0 1 2')"
		equal "$(tafrepeat --times 2=3 a.taf | tafread)" "$(points 4 - '0 1 2 3' '0 1 2 0 1 2 0 1 2')"
		equal "$(tafrepeat --each --times 1=3 a.taf | tafread)" "$(points 4 - '0 0 0 1 1 1 2 2 2 3 3 3' '0 1 2')"
		equal "$(tafrepeat --each --times 2=2 a.taf | tafread)" "$(points 4 - '0 1 2 3' '0 0 1 1 2 2')"
		equal "$(tafrepeat --insert --times 2=2 a.taf | tafread)" "$(points 4 - '0 1 2 3' '0 0 1 1 2 2')"
		equal "$(tafrepeat --insert --times 1=2 a.taf | tafread)" "$(points 4 - '0 0 1 1 2 2 3 3' '0 1 2')"
		equal "$(tafrepeat --insert --times 3=2 a.taf | tafread)" "$(points 4 - '0 1 2 3' '0 1 2 0 1 2')"
		everywhere tafrepeat --times 2=3 a.taf
		everywhere tafrepeat --each --times 1=3 a.taf
	done
	mktaf a.taf int16 301,17
	everywhere tafrepeat --insert --times 1=5 a.taf
	everywhere tafrepeat --insert --times 3=5 a.taf
}

# sfspray leaves the grid of the old dimension to the new one
@test "grids and labels: the step is divided, a new dimension has its own" {
	mktaf a.taf int16 4,3
	tafadjust -i --label 2=x --unit 1=s a.taf
	equal "$(tafrepeat --times 1=2 a.taf | tafprobe -k d1) $(tafrepeat --times 1=2 a.taf | tafprobe -k o1)" "0.25 0.5"
	equal "$(tafrepeat --each --times 1=5 a.taf | tafprobe -k d1)" 0.05
	tafrepeat --insert --times 2=6 a.taf >b.rsf
	equal "$(for k in shape o1 o2 d2 o3 d3 label3; do tafprobe -k $k b.rsf; done | paste -s -d ' ' -)" "4,6,3 0.5 1 1 1.5 0.5 x"
	equal "$(tafprobe -k label2 b.rsf)" ""
	equal "$(tafrepeat --insert --times 3=2 -a 3=5:-1 a.taf | tafprobe -k o3)" 5
	equal "$(tafrepeat --times 1=2 -a 1=7:2 a.taf | tafprobe -k d1)" 2
	tafcrop a.taf >want
	tafrepeat --times 1=1 a.taf >got
	same want got
}

@test "complex elements, lengths of 0" {
	perl -e 'print "n1=2 data_format=\"native_complex\" in=\"stdin\"\n\f\f\004", pack "f$ENV{ORDER}*", 1 .. 4' >c.rsf
	tafrepeat --each --times 1=2 c.rsf | tail -c 32 >got
	perl -e 'print pack "f$ENV{ORDER}*", 1, 2, 1, 2, 3, 4, 3, 4' >want
	same want got
	mktaf a.taf int16 4,0
	equal "$(tafrepeat --times 2=3 a.taf | tafprobe -k shape)" 4,0
	equal "$(tafrepeat --insert --times 1=3 a.taf | tafprobe -k shape)" 3,4,0
}

@test "what cannot be done" {
	mktaf a.taf int16 4,3
	refuse 3 tafrepeat --times 3=2 a.taf
	refuse 3 tafrepeat --insert --times 4=2 a.taf
	refuse 3 tafrepeat --times 1=2 -a 3=1:1 a.taf
	refuse 3 tafrepeat --times 1=4611686018427387904 a.taf
	refuse 3 tafrepeat --times 1=9000000000000000000 a.taf
	for times in 1 1= 1=0 1=-1 1=x 0=2 65=2; do
		refuse 2 tafrepeat --times "$times" a.taf
	done
	refuse 2 tafrepeat --times 1=2 --times 2=2 a.taf
	refuse 2 tafrepeat --times 1=2 --each --insert a.taf
	refuse 2 tafrepeat a.taf
	ones=$(printf '1,%.0s' {1..63})1
	mktaf b.taf int16 "$ones"
	refuse 3 tafrepeat --insert --times 1=2 b.taf
	equal "$(tafrepeat --times 64=2 b.taf | tafprobe -k n64)" 2
}
