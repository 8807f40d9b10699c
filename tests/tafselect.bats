# SPDX-License-Identifier: ISC
load helper
load rearrange

@test "a list: any order, ranges, from the right, more than once" {
	for type in uint8 int16 flt32 flt64; do
		mktaf a.taf $type 7,3
		equal "$(tafselect -q -d 1 --list 3,1,6 a.taf | tafread)" "$(points 7 - '2 0 5' '0 1 2')"
		equal "$(tafselect -q -d 1 --list 2:4,0,-2,end,7:9,2,2 a.taf | tafread)" "$(points 7 - '1 2 3 6 4 6 6 1 1' '0 1 2')"
		equal "$(tafselect -q -d 1 --list 1::3 a.taf | tafread)" "$(points 7 - '0 3 6' '0 1 2')"
		equal "$(tafselect -q -d 2 --list 3,1 a.taf | tafread)" "$(points 7 - '0 1 2 3 4 5 6' '2 0')"
		equal "$(tafselect -q -d 1 --list 3,1,6 --invert a.taf | tafread)" "$(points 7 - '1 3 4 6' '0 1 2')"
		everywhere tafselect -d 1 --list 3,1,6,6,2,7,3,1,5,2 a.taf
		everywhere tafselect -d 2 --list 3,1,3 a.taf
	done
	mktaf b.taf int16 301,203
	list=$(perl -e 'print join ",", map { $_ * 7919 % 301 + 1 } 1 .. 400')
	everywhere tafselect -d 1 --list "$list" b.taf
	# shellcheck disable=SC2046
	equal "$(tafselect -q -d 1 --list "$list" b.taf | tafread)" "$(points 301 - "$(perl -e 'print join " ", map { $_ * 7919 % 301 } 1 .. 400')" "$(echo $(seq 0 202))")"
}

@test "a mask: not 0, NaN too" {
	mktaf a.taf int16 5,3
	printf '%s\n' 0 2 0 nan -1 | txt2taf -o m.taf
	equal "$(tafselect -q -d 1 --mask m.taf a.taf | tafread)" "$(points 5 - '1 3 4' '0 1 2')"
	equal "$(tafselect -q -d 1 --mask m.taf --invert a.taf | tafread)" "$(points 5 - '0 2' '0 1 2')"
	# physical values: 0 under 2 + x is none
	perl -e 'open F, "+<", "a.taf"; seek F, 1032, 0; print F pack "d<2", 2, 1'
	printf '%s\n' 0 -2 0 | txt2taf -t int16 -o n.taf
	perl -e 'open F, "+<", "n.taf"; seek F, 1032, 0; print F pack "d<2", 2, 1'
	equal "$(tafselect -q -d 2 --mask n.taf a.taf | tafread -r)" "$(points 5 - '0 1 2 3 4' '0 2')"
	refuse 3 tafselect -d 2 --mask m.taf a.taf
	printf '%s\n' 0 0 0 | txt2taf -o z.taf
	refuse 3 tafselect -d 2 --mask z.taf a.taf
	refuse 4 tafselect -d 2 --mask none a.taf
	mktaf two.taf int16 5
	tafcrop two.taf two.taf >two.rsf
	refuse 3 tafselect -d 1 --mask two.rsf a.taf
}

@test "an array of indices" {
	mktaf a.taf int16 5,3
	printf '%s\n' 5 5 1 | txt2taf -t uint8 -o i.taf
	equal "$(tafselect -q -d 1 --indices i.taf a.taf | tafread)" "$(points 5 - '4 4 0' '0 1 2')"
	refuse 3 tafselect -d 2 --indices i.taf a.taf
	grep -q '5.*3' err
	for bad in 0 -1 1.5 nan 1e30; do
		echo "$bad" | txt2taf -t flt64 -o i.taf
		refuse 3 tafselect -d 1 --indices i.taf a.taf
	done
}

@test "a grid of equal distances stays true, any other counts from 1" {
	mktaf a.taf int16 7,3
	tafadjust -i --unit 1=s --label 1=Time a.taf
	tafselect -d 1 --list 2,4,6 a.taf >b.rsf 2>err
	[ ! -s err ]
	equal "$(for k in o1 d1 unit1; do tafprobe -k $k b.rsf; done | paste -s -d ' ' -)" "0.75 0.5 s"
	tafselect -d 1 --list 6,4,2 a.taf >b.rsf
	equal "$(for k in o1 d1; do tafprobe -k $k b.rsf; done | paste -s -d ' ' -)" "1.75 -0.5"
	tafselect -d 1 --list 3 a.taf >b.rsf
	equal "$(for k in o1 d1; do tafprobe -k $k b.rsf; done | paste -s -d ' ' -)" "1 0.25"
	for list in 1,2,4 2,2; do
		tafselect -d 1 --list $list a.taf >b.rsf 2>err
		equal "$(wc -l <err)" 1
		equal "$(for k in o1 d1 unit1 label1; do tafprobe -k $k b.rsf; done | paste -s -d ' ' -)" "1 1  Time"
	done
	tafselect -q -d 1 --list 1,2,4 a.taf 2>err >b.rsf
	[ ! -s err ]
}

@test "what cannot be done" {
	mktaf a.taf int16 5,3
	refuse 3 tafselect -d 3 --list 1 a.taf
	refuse 3 tafselect -d 1 --list 6 a.taf
	refuse 3 tafselect -d 1 --list 1:5 --invert a.taf
	for list in '' , 1, ,1 1,,2 x 1:2:3:4 1:2:0 1.5 "$(seq -s '' 100)"; do
		refuse 2 tafselect -d 1 --list "$list" a.taf
	done
	# it says what the user has written
	refuse 2 tafselect -d 1 --list 1,2-3 a.taf
	grep -q 'tafselect: --list 2-3: not an index' err
	refuse 2 tafselect -d 1 --list 1 --list 2 a.taf
	refuse 2 tafselect -d 1 --list 1 --mask a.taf a.taf
	refuse 2 tafselect -d 1 a.taf
	refuse 2 tafselect --list 1 a.taf
	mktaf a.taf int16 0,3
	refuse 3 tafselect -d 1 --list 1 a.taf
}
