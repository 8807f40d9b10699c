load helper

# a mapped, cropped array and an unmapped one; what the code must print
prepare() {
	tafcreate --example 3 -t int16 -o m.taf
	mktaf u.taf uint16 7,5,3 600
	mktaf 'odd $name.taf' flt64 6,4 0.3
	region=(-x 1=3:6:2 -x 2=2:3)
}

# want FILE OPTION ...: first and last value
want() {
	tafread "$@" | sed -n '1p;$p'
}

# close A B: the same numbers, but for the last digits of their text
close() {
	paste "$1" "$2" | awk '{ d = $1 - $2; m = ($2 < 0 ? -$2 : $2) * 1e-7
		if (d > m || -d > m || NF != 2) bad = 1 } END { exit bad || NR != 2 }' && return 0
	paste "$1" "$2"
	return 1
}

@test "the facts: offset, shape and strides of the file and of a region" {
	prepare
	tafmap --lang json u.taf >a
	equal "$(cat a)" '{"file":"u.taf","offset":1128,"type":"uint16","itemsize":2,"order":"little","shape":[7,5,3],"strides":[2,14,70],"intercept":null,"slope":null}'
	tafmap --lang json "${region[@]}" u.taf >b
	equal "$(cat b)" '{"file":"u.taf","offset":1146,"type":"uint16","itemsize":2,"order":"little","shape":[2,2,3],"strides":[4,14,70],"intercept":null,"slope":null}'
	tafmap "${region[@]}" m.taf | grep -q '^mapping  y = '
}

# run_code LANG RUNNER...: the code runs as printed, in the folder of the file
run_code() {
	local lang=$1 f
	shift
	prepare
	for f in m.taf u.taf 'odd $name.taf'; do
		tafmap --lang "$lang" "$f" >"code.$lang"
		"$@" >got
		want "$f" >want
		close got want
		tafmap --lang "$lang" "${region[@]}" "$f" >"code.$lang"
		"$@" >got
		want "${region[@]}" "$f" >want
		close got want
	done
	# names with all signs: of UTF-8, and not
	for f in $'\t\n\e\x7f \'"$x`y`\\n%d?\?/{}~F\303\251\342\200\250' $'a\xffb\303\nc\'"\\1$8'; do
		f=${f//\//}
		cp u.taf "$f"
		tafmap --lang "$lang" "$f" >"code.$lang"
		"$@" >got
		want u.taf >want
		close got want
	done
	# integers to the last digit, where they are more than a double holds
	for f in uint64/18446744073709551615,18446744073709551613 int64/-9223372036854775808,9223372036854775807; do
		perl -e 'print pack shift, map { $_ + 0 } split /,/, shift' "$([ ${f:0:1} = u ] && echo 'Q<*' || echo 'q<*')" \
			"${f#*/}" | tafcreate -n 2, -t "${f%/*}" -e "${f%/*}" -o i.taf
		tafmap --lang "$lang" i.taf >"code.$lang"
		"$@" >got
		equal "$(cat got)" "$(echo "${f#*/}" | tr , '\n')"
	done
}

@test "the C program" {
	need cc
	run_code c sh -c 'cc -x c -o code code.c && ./code'
}

@test "the shell code" {
	run_code shell bash code.shell
	mv u.taf ./-u.taf
	tafmap --lang shell -- -u.taf | bash >got
	want -- -u.taf >want
	close got want
}

@test "the numpy code" {
	need numpy
	run_code numpy "$PYTHON" code.numpy
}

@test "numpy's load returns the grids and values that tafread prints" {
	local type f
	need numpy
	for type in int8 uint8 int16 uint16 int32 uint32 int64 uint64 flt32 flt64; do
		mktaf $type.taf $type 7,5,3
	done
	prepare
	mktaf line.taf flt32 9,1 0.1
	# whole numbers, negative zeros, and what is not finite
	tafadjust --start 1=-3 --step 1=2 --start 2=-0 --step 2=-1 --slope=-2 \
		--intercept=-0 m.taf -o whole.taf
	tafmath -q 'complex(x1 / 3, a)' flt32.taf -o z.taf
	mktaf far.taf int16 7,5,2
	perl -e 'open $f, "+<", "far.taf"; seek $f, 1064, 0;
		$inf = 9**9**9;
		print $f pack "d<2Q<d<2Q<d<2", $inf, 1, 5, 0, -$inf, 2, -sin($inf), 1'
	for f in *.taf; do
		tafmap --lang numpy "$f" >"${f%.taf}_all.py"
		tafmap --lang numpy -x 1=2:7:3 -x 2=1:1 "$f" >"${f%.taf}_part.py"
		tafread -c "$f" >"${f%.taf}_all.txt"
		tafread -c -x 1=2:7:3 -x 2=1:1 "$f" >"${f%.taf}_part.txt"
	done
	"$PYTHON" - <<'EOF'
import glob, runpy, warnings
import numpy as np

def same(got, want, name):
    np.testing.assert_array_equal(got, want, name)
    zero = want == 0
    np.testing.assert_array_equal(np.signbit(got[zero]), np.signbit(want[zero]), name)

warnings.simplefilter('ignore')  # of inf times 0
names = glob.glob('*.py')
assert len(names) == 2 * 17, names
for name in names:
    grids, values = runpy.run_path(name)['load']()
    assert all(g.dtype == 'f8' for g in grids), name
    assert [len(g) for g in grids] == list(values.shape), name
    kind = int if values.dtype.kind in 'iu' else float
    table = [row.split() for row in open(name[:-2] + 'txt')]
    each = 2 if name[0] == 'z' else 1
    want = [kind(v) for i in range(each) for v in (row[i - each] for row in table)]
    same(values.ravel('F'), np.array(want, values.dtype), name)
    grid = np.meshgrid(*grids, indexing='ij')
    for k in range(len(table[0]) - each):
        want = np.array([float(row[k]) for row in table])
        same(grid[k].ravel('F')[:len(table)], want, name)
grids, values = runpy.run_path('u_all.py')['load']('uint16.taf')
assert values[1, 0, 0] == 10
EOF
}

@test "the octave code" {
	need octave-cli
	run_code octave octave-cli code.octave
}

@test "the julia code" {
	need julia
	run_code julia julia code.julia
}

@test "a name that a language cannot say is refused, another escaped" {
	prepare
	cp u.taf $'a\xffb.taf'
	cp u.taf $'a\n\303\251.taf'
	for lang in json matlab; do
		refuse 3 tafmap --lang $lang $'a\xffb.taf'
		grep -q 'a name that is not UTF-8 cannot be said there' err
	done
	equal "$(tafmap --lang matlab $'a\n\303\251.taf' | head -n 1 | cut -d, -f1)" \
	    "m = memmapfile(['a' char(10) '"$'\303\251'".taf']"
	equal "$(tafmap --lang octave $'a\xffb.taf' | head -n 1)" "f = fopen(['a' char(255) 'b.taf'], 'r', 'ieee-le');"
	equal "$(tafmap --lang julia $'a\xffb.taf' | sed -n 3p)" 'x = open("a\xffb.taf") do f'
	equal "$(tafmap $'a\n\303\251.taf' | head -n 1)" 'file     a\012'$'\303\251.taf'
}

@test "a file as standard input is mapped under the name of standard input" {
	prepare
	equal "$(tafmap --lang json <u.taf)" "$(tafmap --lang json u.taf | sed s,u.taf,/dev/stdin,)"
	tafmap --lang shell - <m.taf >code
	bash code <m.taf >got
	want m.taf >want
	close got want
}

@test "the words name a file of any length" {
	local folder
	folder=$(printf '%0200d/%0200d/%0200d' 1 2 3)
	mkdir -p "$folder"
	mktaf "$folder/u.taf" uint16 7,5,3 600
	equal "$(tafmap "$folder/u.taf")" "file     $folder/u.taf
offset   1128
type     uint16, 2 bytes, little-endian
shape    7,5,3
strides  2,14,70
mapping  none"
}

@test "a stream, an empty array and an unknown language are refused" {
	prepare
	tafcrop u.taf >u.rsf
	refuse 3 tafmap u.rsf
	cat u.taf | refuse 2 tafmap
	refuse 2 tafmap - </dev/null
	refuse 2 tafmap --lang cobol u.taf
	mktaf e.taf int16 0,4
	refuse 3 tafmap e.taf
}

@test "--lang kerchunk: chunks that are pieces of the file, names, units, coordinates" {
	need numpy
	tafmath -t int16 -n 6,5 'i1 * 100 + i2' -o int.taf
	tafmath -t flt64 -n 1000,3,1001 'i1 + i2 / 4 + i3 * 1e4' -o big.taf
	tafmath -t flt32 -n 2000000,7 'i1 - i2' -o long.taf
	tafadjust --start 1=-0.5 --step 1=0.25 --label 1=a/b --unit 1=m --label 2=a/b int.taf -o named.x.taf
	tafadjust --label 1=int int.taf -o twice.taf && mv twice.taf int.taf
	"$PYTHON" - <<'EOF'
import base64, itertools, json, subprocess
import numpy as np

def document(path):
    refs = json.loads(subprocess.run(['tafmap', '--lang', 'kerchunk', path], check=True, capture_output=True).stdout)
    assert refs['version'] == 1
    return refs['refs']
def load(refs, name):
    z = json.loads(refs[name + '/.zarray'])
    a = np.empty(z['shape'], z['dtype'])
    for number in itertools.product(*(range(-(-n // c)) for n, c in zip(z['shape'], z['chunks']))):
        v = refs[name + '/' + '.'.join(map(str, number))]
        if isinstance(v, str):
            data = base64.b64decode(v.split(':', 1)[1])
        else:
            with open(v[0], 'rb') as f:
                f.seek(v[1])
                data = f.read(v[2])
        part = np.frombuffer(data, z['dtype']).reshape(z['chunks'], order=z['order'])
        a[tuple(slice(i * n, i * n + n) for i, n in zip(number, z['chunks']))] = part
    return a, z, json.loads(refs[name + '/.zattrs'])
i, j = np.indices((6, 5)) + 1
refs = document('named.x.taf')
a, z, attrs = load(refs, 'named')
assert (a == i * 100 + j).all() and a.dtype == '<i2' and z['chunks'] == [6, 5]
assert attrs['_ARRAY_DIMENSIONS'] == ['a_b', 'a_b_2']
x, _, attrs = load(refs, 'a_b')
assert x.tolist() == [-0.5, -0.25, 0, 0.25, 0.5, 0.75] and attrs['units'] == 'm'
# a dimension is not called as the array is
a, z, attrs = load(document('int.taf'), 'int')
assert attrs['_ARRAY_DIMENSIONS'] == ['int_2', 'dim_2'], attrs
i, j, k = np.indices((1000, 3, 1001)) + 1
a, z, attrs = load(document('big.taf'), 'big')
assert (a == i + j / 4 + k * 1e4).all() and z['chunks'] == [1000, 3, 143], z
# one point of the slowest dimension is more than 4 MiB
a, z, attrs = load(document('long.taf'), 'long')
assert z['chunks'] == [2000000, 1] and (a[:, 3] == np.arange(1, 2000001) - 4).all()
EOF
	refuse 2 tafmap --lang kerchunk -x 1=2 int.taf
	odd=$(printf 'x\377.taf')
	cp int.taf "$odd"
	refuse 3 tafmap --lang kerchunk "$odd"
	"$PYTHON" -c 'import xarray, fsspec, zarr, aiohttp' 2>/dev/null || skip "xarray is missing"
	tafmap --lang kerchunk named.x.taf >named.json
	"$PYTHON" - <<'EOF'
import json, xarray
ds = xarray.open_dataset('reference://', engine='zarr', backend_kwargs={'consolidated': False,
    'storage_options': {'fo': json.load(open('named.json'))}})
assert ds['named'].values[3, 2] == 403 and ds['a_b'].values[1] == -0.25 and ds['named'].shape == (6, 5)
EOF
}
