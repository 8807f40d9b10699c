# SPDX-License-Identifier: ISC
load helper

# data FILE N: what follows the first N bytes
data() {
	tail -c +$(($2 + 1)) "$1"
}

@test "the bytes that a TAF file has after its header" {
	for type in int8 uint8 int16 uint16 int32 uint32 int64 uint64 flt32 flt64; do
		mktaf a.taf $type 7,5,3
		data a.taf 1128 >want
		taf2raw a.taf >got
		same want got
		cat a.taf | taf2raw -o got
		same want got
	done
}

@test "--big-endian turns each element around" {
	need numpy
	for t in i1 i2 i4 i8 f4 f8; do
		case $t in f*) type=flt$((${t#f} * 8)) ;; *) type=int$((${t#i} * 8)) ;; esac
		mktaf a.taf $type 7,5,3
		taf2raw --big-endian a.taf >got
		"$PYTHON" -c "import numpy as np
np.fromfile('a.taf', '<$t', 105, offset=1128).astype('>$t').tofile('want')"
		same want got
	done
	"$PYTHON" -c "import numpy as np
a = np.arange(6, dtype='<f4') / 8
a.tofile('c')
a.astype('>f4').tofile('want')"
	printf 'n1=3 data_format="native_complex" taf_order="little" esize=8 in="c"\n' >c.rsf
	taf2raw --big-endian c.rsf >got
	same want got
	taf2raw c.rsf >got
	same c got
}

@test "physical values are flt64; -r has what is stored" {
	need numpy
	mktaf a.taf int16 7,5
	perl -e 'open F, "+<:raw", "a.taf"; seek F, 1032, 0; print F pack("d<2", 0.5, 0.1)'
	taf2raw a.taf >got
	taf2raw -t flt32 a.taf >got32 2>err
	"$PYTHON" - <<'EOF'
import numpy as np
x = 0.5 + 0.1 * np.fromfile('a.taf', '<i2', 35, offset=1104)
assert (np.fromfile('got', '<f8') == x).all()
assert (np.fromfile('got32', '<f4') == x.astype('f4')).all()
EOF
	grep -q '35 values rounded to flt32' err
	data a.taf 1104 >want
	taf2raw -r a.taf >got
	same want got
}

@test "-t rounds to the nearest and says so; what does not fit is refused, or clipped" {
	need numpy
	"$PYTHON" -c "import numpy as np
np.array([1, 2.5, -2.5, 3.49, 127, 128, -1e9, np.nan], '<f8').tofile('f')"
	tafcreate -t flt64 -n 8 f -o f.taf
	status 0 taf2raw -t int8 --clip f.taf
	equal "$(od -A n -t d1 out | xargs)" "1 3 -3 3 127 127 -128 0"
	grep -q '3 of 8 values clipped, 3 rounded to int8' err
	status 0 taf2raw -q -t int8 --clip f.taf
	[ ! -s err ]
	status 3 taf2raw -t int8 f.taf -o g
	grep -q 'element \[6\]: value 128 does not fit int8 (-128 to 127)' err
	[ ! -e g ]
	tafcrop -x 1=1 f.taf | taf2raw -t int8 2>err >one
	[ ! -s err ]
	equal "$(od -A n -t d1 one | xargs)" 1
}

@test "all arrays, one after the other, or the one of -N" {
	mktaf a.taf int16 7,2
	mktaf b.taf flt64 3,3 0.5
	data a.taf 1104 >want
	data b.taf 1104 >>want
	taf2raw a.taf b.taf >got
	same want got
	tafcrop a.taf b.taf | taf2raw >got
	same want got
	data b.taf 1104 >want
	taf2raw -N 2 a.taf b.taf >got
	same want got
}

@test "what is refused has no output" {
	mktaf a.taf int16 7,2
	refuse 2 taf2raw -t int12 a.taf
	refuse 2 taf2raw -t complex a.taf
	head -c 1110 a.taf >short.taf
	refuse 3 taf2raw a.taf short.taf
	printf 'n1=1 data_format="native_complex" esize=8 in="a.taf"\n' >c.rsf
	refuse 3 taf2raw -t flt32 c.rsf
}
