# SPDX-License-Identifier: ISC
load helper

@test "rows become columns, grids and labels with them" {
	need numpy
	mktaf a.taf flt32 13,5
	tafadjust -i --label 1=down --unit 2=across a.taf
	taftranspose a.taf -o b.taf
	"$PYTHON" - <<'EOP'
import numpy as np
a = np.fromfile('a.taf', '<f4', 65, offset=1104).reshape(13, 5, order='F')
b = np.fromfile('b.taf', '<f4', 65, offset=1104).reshape(5, 13, order='F')
assert (b == a.T).all()
EOP
	equal "$(for k in o1 d1 o2 d2 label2 unit1; do tafprobe -k $k b.taf; done | paste -s -d ' ' -)" "1.5 0.5 0.5 0.25 down across"
	cat a.taf | taftranspose -F taf >c
	same b.taf c
	taftranspose b.taf -o c.taf
	tafcrop a.taf -o d.taf
	same d.taf c.taf
	cp a.taf i.taf
	taftranspose -i i.taf
	same b.taf i.taf
}

@test "it is tafpermute -d 2,1; type codes 1 and 2 change places" {
	mktaf a.taf int16 13,5
	taftranspose a.taf >t
	tafpermute -d 2,1 a.taf >p
	same p t
	for code in 1:2 2:1 0:0 3:3 9:9; do
		C=${code%:*} perl -e 'open F, "+<", "a.taf"; seek F, 4, 0; print F "\1\1", chr $ENV{C}'
		equal "$code $(taftranspose a.taf | tafprobe -k code)" "$code ${code#*:}"
		taftranspose a.taf -o b.taf
		equal "$code $(tafprobe -k code b.taf)" "$code ${code#*:}"
	done
}

@test "all arrays of a stream; none that has not two dimensions" {
	mktaf a.taf int16 3,2
	mktaf b.taf flt64 1,7
	tafcrop a.taf b.taf | taftranspose | tafprobe -k shape >got
	equal "$(paste -s -d ' ' got)" "2,3 7,1"
	# lengths of 1 behind them, as Madagascar leaves them, stay; type codes turn as ever
	mktaf e.taf int16 3,2,1,1
	mktaf f.taf int16 3,2
	perl -e 'open F, "+<", "e.taf"; seek F, 4, 0; print F "\1\1\1"'
	taftranspose e.taf -o g.taf
	tafcheck g.taf
	equal "$(tafprobe -k shape g.taf) $(tafprobe -k code g.taf)" "2,3,1,1 2"
	equal "$(tafread g.taf)" "$(taftranspose f.taf | tafread)"
	mktaf c.taf int16 3,2,2
	mktaf d.taf int16 3
	refuse 3 taftranspose c.taf -o x.taf
	refuse 3 taftranspose d.taf -o x.taf
	grep -q 'tafappend -d 2' err
	equal "$(tafappend -d 2 d.taf | taftranspose | tafprobe -k shape)" "1,3"
	refuse 3 taftranspose a.taf c.taf -o x-%d.taf
	[ -z "$(find . -name '*x*.taf*')" ]
}
