# SPDX-License-Identifier: ISC
# What is run while each call of it fails in turn (faults.bats).
# in turn: - -q -i -x 1=2:9:3 --value 5 small.taf
# in turn: - -q -i --with more.taf small.taf

load helper

# values FILE [OPTION ...]: in one line
values() {
	tafread "$@" | tr '\n' ' '
}

@test "a region gets the new values, all else stays" {
	need numpy
	mktaf a.taf int16 9,5,3
	tafcomment -i -C kept a.taf
	cp a.taf b.taf
	mktaf n.taf int16 3,2,1 11
	tafreplace -i -x 1=2:8:3 -x 2=4:5 -x 3=2 --with n.taf b.taf
	equal "$(tafcomment b.taf)" kept
	[ ! -e b.taf.undo ]
	"$PYTHON" - <<'EOF'
import numpy as np
a = np.fromfile('a.taf', '<i2', 135, offset=1128).reshape(9, 5, 3, order='F').copy()
b = np.fromfile('b.taf', '<i2', 135, offset=1128).reshape(9, 5, 3, order='F')
n = np.fromfile('n.taf', '<i2', 6, offset=1128).reshape(3, 2, order='F')
a[1:8:3, 3:5, 1] = n
assert (a == b).all()
EOF
	cmp -n 1128 a.taf b.taf
}

@test "the whole array, from a pipe, and from another type" {
	mktaf a.taf flt64 4,3
	mktaf n.taf int8 4,3
	tafcrop n.taf | tafreplace -i --with - a.taf
	equal "$(values a.taf)" "$(values n.taf)"
}

@test "values find their place under a mapping" {
	seq 0 11 | awk '{ printf "%c", $1 + 65 }' | tafcreate -n 4,3 -t uint8 -o a.taf
	printf '\0\0\0\0\0\0\360\77\0\0\0\0\0\0\340\77' | dd of=a.taf bs=1 seek=1032 conv=notrunc 2>err
	# y = 1 + 0.5 * x: 2.5 is stored as 3, 2.6 as 3 too, with a remark
	tafreplace -i -x 1=1 -x 2=1 --value 2.5 a.taf 2>err
	[ ! -s err ]
	equal "$(tafread -r -x 1=1 -x 2=1 a.taf) $(tafread -x 1=1 -x 2=1 a.taf)" "3 2.5"
	tafreplace -i -x 1=2 -x 2=1 --value 2.6 a.taf 2>err
	[ -s err ]
	equal "$(tafread -r -x 1=2 -x 2=1 a.taf)" 3
	cp a.taf b.taf
	refuse 3 tafreplace -i --all --value 129 a.taf
	refuse 3 tafreplace -i --all --value nan a.taf
	same a.taf b.taf
	tafreplace -q -i --all --clip --value 1000 a.taf
	equal "$(tafread -r a.taf | sort -u)" 255
}

@test "a value of many digits is stored with all of them" {
	mktaf a.taf int64 3,2
	tafreplace -i -x 1=1 --value 9007199254740993 a.taf
	equal "$(values -x 1=1 a.taf)" "9007199254740993 9007199254740993 "
	mktaf b.taf uint64 3
	tafreplace -i --all --value 18446744073709551615 b.taf
	equal "$(tafread b.taf | sort -u)" 18446744073709551615
	refuse 3 tafreplace -i --all --value 9223372036854775808 a.taf
	mktaf c.taf flt32 2
	tafreplace -i --all --value -0 c.taf
	equal "$(values c.taf)" "-0 -0 "
}

@test "a value of text becomes an integer exactly, or is rounded once with a remark" {
	mktaf a.taf int64 3
	while read -r v want; do
		tafreplace -i --all --value "$v" a.taf 2>err
		equal "$(tafread a.taf | sort -u) $(grep -c '3 of 3 values rounded' err)" "$want"
	done <<'EOF'
1e18 1000000000000000000 0
9007199254740993.0 9007199254740993 0
2.4999999999999999999 2 1
9007199254740993.4 9007199254740993 1
2.00000000000000000001 2 1
EOF
	for v in -9223372036854775809 -9223372036854775808.5 9223372036854775807.5; do
		refuse 3 tafreplace -i --all --value "$v" a.taf
	done
	# where nothing is rounded
	for v in 2.00000000000000000001 2.4999999999999999999 -9223372036854775809; do
		for command in 'tafpad --by 1=0:1 --with' 'tafroll --by 1=1 --fill' 'taffill -x 1=1 --value'; do
			refuse 3 $command "$v" a.taf
		done
	done
	equal "$(tafpad --by 1=0:1 --with 9007199254740993.0 a.taf | tafread | tail -n 1)" 9007199254740993
}

@test "under one mapping stored elements are replaced, with a slope of 0 too" {
	mktaf a.taf int16 5,3
	printf '\0\0\0\0\0\0\360\77\0\0\0\0\0\0\0\0' |
		dd of=a.taf bs=1 seek=1032 conv=notrunc 2>err
	tafcrop -x 2=3 a.taf -o n.taf
	tafreplace -i -x 2=1 --with n.taf a.taf
	equal "$(values -r -x 2=1 a.taf)" "$(values -r n.taf)"
	refuse 3 tafreplace -i --all --value 2 a.taf
}

@test "a value that does not fit under a mapping is told with its place and the range" {
	seq 1 12 | txt2taf -t uint8 -o a.taf
	# y = 1 + 0.5 x: up to 128.5
	perl -e 'print pack "d<2", 1, 0.5' | dd of=a.taf bs=1 seek=1032 conv=notrunc 2>err
	seq 100 10 210 | txt2taf -t int16 -o n.taf
	refuse 3 tafreplace -i --with n.taf a.taf
	equal "$(cat err)" \
	    'tafreplace: n.taf: element [4,1]: value 130 does not fit uint8 under its mapping (1 to 128.5): --clip stores the nearest that does'
}

@test "what is clipped and what is rounded is said, each" {
	seq 1 12 | txt2taf -t uint8 -o a.taf
	printf '%s\n' 1000 2.6 -1 7 | txt2taf -t flt64 -o n.taf
	tafreplace -i -x 1=3:6 --clip --with n.taf a.taf 2>err
	equal "$(cat err)" 'tafreplace: 2 of 4 values clipped, 1 rounded to uint8'
	equal "$(tafread -x 1=2:7 a.taf | xargs)" '2 255 3 0 7 7'
	tafreplace -i -x 1=2:12:3 --value 2.6 a.taf 2>err
	equal "$(cat err)" 'tafreplace: 4 of 4 values rounded to uint8'
}

@test "a value whose stored float would be infinite does not fit" {
	seq 1 12 | txt2taf -t flt64 -o a.taf
	# y = 1e-300 x: up to 1.8e8
	perl -e 'print pack "d<2", 0, 1e-300' | dd of=a.taf bs=1 seek=1032 conv=notrunc 2>err
	cp a.taf b.taf
	refuse 3 tafreplace -i -x 1=4 --value -2e8 a.taf
	equal "$(cat err)" \
	    'tafreplace: a.taf: value -200000000 does not fit flt64 under its mapping (-179769300 to 179769300): --clip stores the nearest that does'
	same b.taf a.taf
	tafreplace -i -x 1=4 --value -2e8 --clip a.taf 2>err
	equal "$(cat err)" 'tafreplace: 1 of 1 values clipped to flt64'
	equal "$(tafread -r -x 1=3:5 a.taf | tr '\n' ' ')" '3 -1.7976931348623157e308 5 '
	tafreplace -i -x 1=5 --value -inf a.taf
	tafreplace -i -x 1=6 --value 1e8 a.taf
	equal "$(tafread -x 1=5:6 a.taf | tr '\n' ' ')" '-inf 100000000 '
}

@test "NaN in floats under a mapping is not called rounded" {
	seq 1 12 | txt2taf -t flt64 -o a.taf
	perl -e 'print pack "d<2", 1, 0.5' | dd of=a.taf bs=1 seek=1032 conv=notrunc 2>err
	tafreplace -i -x 1=3 --value nan a.taf 2>err
	[ ! -s err ]
	equal "$(tafread -x 1=2:4 a.taf | tr '\n' ' ')" '2 nan 3 '
}

@test "one array is what is put there: nothing may follow it, in a pipe neither" {
	mktaf a.taf int16 4,3
	cp a.taf b.taf
	mktaf n.taf int16 4,3 5
	tafcrop n.taf >n.rsf
	cat n.rsf n.rsf >two.rsf
	refuse 3 tafreplace -i --with two.rsf a.taf
	refuse 3 bash -c 'cat two.rsf | tafreplace -i --with - a.taf'
	refuse 3 bash -c 'tafcrop n.taf n.taf | tafreplace -i --with - a.taf'
	refuse 3 bash -c '{ cat n.rsf; echo more; } | tafreplace -i --with - a.taf'
	same a.taf b.taf
	[ ! -e a.taf.undo ]
}

@test "of a stream of several arrays -N chooses the new one" {
	mktaf a.taf int16 5,3
	mktaf b.taf int16 5,3 100
	mktaf c.taf int16 5,3 500
	{ tafcrop b.taf; tafcrop c.taf; } >two.rsf
	cp a.taf old.taf
	refuse 3 tafreplace -i -N 3 --with two.rsf a.taf
	# the file that has too few
	grep -q '^tafreplace: two.rsf: array 3 is wanted, but there are 2' err
	refuse 2 tafreplace -i -N 1 --value 1 a.taf
	same old.taf a.taf
	cat two.rsf | tafreplace -i -N 1 --with - a.taf
	same b.taf a.taf
	tafreplace -i -N 2 --with two.rsf a.taf
	same c.taf a.taf
}

@test "what cannot be done leaves the file alone" {
	mktaf a.taf int16 4,3
	mktaf n.taf int16 3,4
	cp a.taf b.taf
	refuse 3 tafreplace -i --with n.taf a.taf
	refuse 3 tafreplace -i -x 1=9 --value 1 a.taf
	refuse 3 tafreplace -i --all --value 40000 a.taf
	refuse 2 tafreplace --value 1 a.taf
	refuse 2 tafreplace -i a.taf
	refuse 2 tafreplace -i --value 1 --with n.taf a.taf
	refuse 2 tafreplace -i --with a.taf a.taf
	refuse 2 tafreplace -i --value one a.taf
	# a bound that was forgotten does not cost the array
	refuse 2 tafreplace -i --value 1 a.taf
	grep -q -e --all err
	refuse 2 tafreplace -i --all -x 1=1 --value 1 a.taf
	same a.taf b.taf
	tafcrop n.taf | head -c 200 >cut.rsf
	refuse 3 bash -c 'cat cut.rsf | tafreplace -i --with - a.taf'
	same a.taf b.taf
	[ ! -e a.taf.undo ]
}
