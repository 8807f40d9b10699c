# SPDX-License-Identifier: ISC
load helper
load rearrange

@test "points come in the opposite order, along one dimension and several" {
	for type in uint8 int16 flt32 flt64; do
		mktaf a.taf $type 5,3
		equal "$(tafreverse -d 1 a.taf | tafread)" "$(points 5 - '4 3 2 1 0' '0 1 2')"
		equal "$(tafreverse -d 2 a.taf | tafread)" "$(points 5 - '0 1 2 3 4' '2 1 0')"
		equal "$(tafreverse -d 2,1 a.taf | tafread)" "$(points 5 - '4 3 2 1 0' '2 1 0')"
		everywhere tafreverse -d 1,2 a.taf
	done
	mktaf b.taf int16 3,4,5
	equal "$(tafreverse -d 1,3 b.taf | tafread)" "$(points 3 - '2 1 0' '0 1 2 3' '4 3 2 1 0' 4)"
	everywhere tafreverse -d 3,1 b.taf
}

@test "the grid goes along, or stays; twice is as before" {
	mktaf a.taf int16 5,3
	tafadjust -i --unit 1=s --label 2=x a.taf
	equal "$(tafreverse -d 1 a.taf | tafprobe -k o1) $(tafreverse -d 1 a.taf | tafprobe -k d1)" "1.5 -0.25"
	equal "$(tafreverse -d 1 a.taf | tafprobe -k o2)" 1.5
	equal "$(tafreverse -d 1,2 --keep-grid a.taf | tafprobe -k o1)" 0.5
	equal "$(tafreverse -d 1 a.taf | tafprobe -k unit1)" s
	tafcrop a.taf >want
	tafreverse -d 1,2 a.taf | tafreverse -d 2 | tafreverse -d 1 >got
	same want got
}

# opt=n of sfreverse leaves the old step behind the new start
@test "every element keeps its coordinates" {
	mktaf a.taf int16 5,3
	tafread -c a.taf | sort >want
	tafreverse -d 1,2 a.taf | tafread -c | sort >got
	same want got
}

@test "a mapping and complex elements stay as they are" {
	mktaf a.taf uint16 4,3
	perl -e 'open F, "+<", "a.taf"; seek F, 1032, 0; print F pack "d<2", 1, 2'
	equal "$(tafreverse -d 1 a.taf | tafprobe -k slope)" 2
	equal "$(tafreverse -d 1 a.taf | tafread -r)" "$(points 4 - '3 2 1 0' '0 1 2')"
	perl -e 'print "n1=3 data_format=\"native_complex\" in=\"stdin\"\n\f\f\004", pack "f$ENV{ORDER}*", 1 .. 6' >c.rsf
	tafreverse -d 1 c.rsf | tail -c 24 >got
	perl -e 'print pack "f$ENV{ORDER}*", 5, 6, 3, 4, 1, 2' >want
	same want got
}

@test "lengths of 0 and 1; what cannot be done" {
	mktaf a.taf int16 4,0,3
	equal "$(tafreverse -d 1,2 a.taf | tafprobe -k shape)" 4,0,3
	mktaf a.taf int16 1,4
	equal "$(tafreverse -d 1 a.taf | tafprobe -k d1)" -0.25
	refuse 3 tafreverse -d 3 a.taf
	refuse 3 tafreverse -d x a.taf
	for d in '' 0 1,1 1, 65 -1; do
		refuse 2 tafreverse -d "$d" a.taf
	done
	refuse 2 tafreverse a.taf
}
