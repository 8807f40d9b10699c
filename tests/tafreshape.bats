# SPDX-License-Identifier: ISC
load helper

# grids FILE: its dimensions, each as n:start:step
grids() {
	local k
	for ((k = 1; k <= $(tafprobe -k ndim "$1"); k++)); do
		echo "$(tafprobe -k "n$k" "$1"):$(tafprobe -k "o$k" "$1"):$(tafprobe -k "d$k" "$1")"
	done | paste -s -d ' ' -
}

# reshaped WANT OPTION ...: the grids of a.taf then; its elements stay
reshaped() {
	local want=$1
	shift
	tafreshape "$@" a.taf >b.rsf || return 1
	equal "$(grids b.rsf)" "$want" || return 1
	tafread a.taf >before
	tafread b.rsf | cmp - before
}

@test "-n: leading dimensions of the same length stay as they are" {
	mktaf a.taf int16 6,4,5
	tafadjust -i --label 1=x --label 2=y --unit 3=s a.taf
	reshaped "6:0.5:0.25 20:1:1" -n 6,20
	equal "$(tafprobe -k label1 b.rsf) $(tafprobe -k label2 b.rsf)" "x "
	reshaped "6:0.5:0.25 4:1.5:0.5 5:2.5:0.75 1:1:1" -n 6,4,5,1
	equal "$(tafprobe -k unit3 b.rsf)" s
	reshaped "24:1:1 5:1:1" -n 24,
	reshaped "6:0.5:0.25 10:1:1 2:1:1" -n 6,,2
	for n in 6,4 121 7, 0, 6,4,5,0 4611686018427387904,4611686018427387904; do
		refuse 3 tafreshape -n $n a.taf
	done
	refuse 3 tafreshape -n 6,4 a.taf
	grep -q '120 elements, but -n asks for 24$' err
	refuse 3 tafreshape -n 7, a.taf
	grep -q '120 elements, no multiple of the 7 that -n names$' err
	mktaf a.taf int16 6,0
	equal "$(tafreshape -n 3,0,7 a.taf | tafprobe -k shape)" 3,0,7
	refuse 3 tafreshape -n 0, a.taf
}

@test "--insert and --drop" {
	mktaf a.taf int16 6,4
	tafadjust -i --label 2=y a.taf
	reshaped "6:0.5:0.25 1:1:1 4:1.5:0.5" --insert 2
	equal "$(tafprobe -k label3 b.rsf)" y
	reshaped "1:5:-2 6:0.5:0.25 4:1.5:0.5" --insert 1=5:-2
	reshaped "6:0.5:0.25 4:1.5:0.5 1:1:1" --insert 3
	reshaped "6:0.5:0.25 4:1.5:0.5" --insert 2 --drop 2
	equal "$(tafprobe -k label2 b.rsf)" y
	refuse 3 tafreshape --insert 4 a.taf
	grep -q 'no new dimension 4: the array has 2' err
	refuse 3 tafreshape --drop 1 a.taf
	refuse 3 tafreshape --drop 3 a.taf
	mktaf b.taf int16 1
	refuse 3 tafreshape --drop 1 b.taf
}

@test "--divide, and --merge that undoes it" {
	mktaf a.taf int16 12,4
	tafadjust -i --unit 1=s --label 2=y a.taf
	reshaped "4:0.5:0.25 3:0.5:1 4:1.5:0.5" --divide 1=4
	equal "$(tafprobe -k unit1 b.rsf)$(tafprobe -k unit2 b.rsf) $(tafprobe -k label3 b.rsf)" "s y"
	reshaped "12:0.5:0.25 4:1.5:0.5" --divide 1=4 --merge 1:2
	equal "$(tafprobe -k unit1 b.rsf)" s
	reshaped "12:0.5:0.25 4:1.5:0.5" --divide 1=4 --divide 2=3 --merge 1:3
	reshaped "12:0.5:0.25 2:1.5:0.5 2:1.5:1" --divide 2=2
	refuse 3 tafreshape --divide 1=5 a.taf
	refuse 3 tafreshape --divide 3=1 a.taf
	# a coordinate of every element, before and behind
	tafread -c -x 2=1 a.taf | awk '{ print $1 }' >want
	tafreshape --divide 1=4 -o d.taf a.taf
	tafread -c -x 3=1 d.taf | awk '{ print $2 + $1 - 0.5 }' | diff want -
}

@test "grids that do not continue count from 1, with one remark" {
	mktaf a.taf int16 12,4
	tafadjust -i --unit 1=s --label 1=Time a.taf
	tafreshape --merge 1:2 a.taf >b.rsf 2>err
	equal "$(wc -l <err)" 1
	equal "$(grids b.rsf) $(tafprobe -k label1 b.rsf)$(tafprobe -k unit1 b.rsf)" "48:1:1 Time"
	tafreshape -q --flatten a.taf 2>err >c.rsf
	same b.rsf c.rsf
	[ ! -s err ]
	cp a.taf c.taf
	tafreshape -i --merge 1:2 --insert 2 c.taf 2>err
	equal "$(wc -l <err)" 1
	equal "$(grids c.taf)" "48:1:1 1:1:1"
}

@test "in place: one small write where the number of dimensions stays" {
	need strace
	strace -o /dev/null true 2>/dev/null || skip "strace cannot trace here"
	mktaf a.taf int16 600,400
	tafreshape -n 400,600 a.taf -o want.taf
	tafcrop a.taf -o b.taf
	ls -i b.taf >before
	strace -f -o trace -e trace=write,pwrite64,pwritev,sendfile,copy_file_range \
		tafreshape -i -n 400,600 b.taf
	# the header is less than 2 KiB
	awk -F= '/^[0-9]* *(p?write|send|copy)/ && $NF > 2048 { print; bad = 1 } END { exit bad }' trace
	ls -i b.taf | diff before -
	same want.taf b.taf
	tafreshape -i -n 240000,1,1 b.taf
	equal "$(tafprobe -k shape b.taf)" 240000,1,1
	tafread a.taf >x
	tafread b.taf | cmp - x
}

@test "mapping and complex elements stay; wrong words are refused" {
	mktaf a.taf uint16 6,4
	perl -e 'open F, "+<", "a.taf"; seek F, 1032, 0; print F pack "d<2", 1, 2'
	equal "$(tafreshape -n 8,3 a.taf | tafprobe -k slope)" 2
	perl -e 'print "n1=4 data_format=\"native_complex\" in=\"stdin\"\n\f\f\004", pack "f$ENV{ORDER}*", 1 .. 8' >c.rsf
	equal "$(tafreshape -n 2,2 c.rsf | tafprobe -k shape)" 2,2
	cp c.rsf d.rsf
	tafreshape -n 2,2 c.rsf | tail -c 32 >got
	tail -c 32 c.rsf | cmp - got
	refuse 2 tafreshape a.taf
	for n in '' , ,, 4,,,2 x 4,-1 4,1.5; do
		refuse 2 tafreshape -n "$n" a.taf
	done
	for words in --divide=1 --divide=1=0 --divide=0=2 --drop=0 --insert=x --insert=0 --insert=1=2 \
		--insert=1=1:0 --merge=1 --merge=2:1 --merge=1:1 --merge=1:65 --merge=:2; do
		refuse 2 tafreshape $words a.taf
	done
}
