# SPDX-License-Identifier: ISC
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
		if [ "$lang" = r ]; then
			! "$@" 2>err
			grep -q 'from 2^53 on are not exact' err
			continue
		fi
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

@test "the xarray code" {
	"$PYTHON" -c 'import xarray' 2>/dev/null || skip "xarray is missing"
	prepare
	cp u.taf $'\t\n\e\x7f \'"$x`y`\\n%d?\?{}~F\303\251\342\200\250'
	cp u.taf $'a\xffb\303\nc\'"\\1$8'
	tafadjust --label 1=t --unit 1=s --start 1=-1 --step 1=0.5 --label 2=t u.taf |
		tafput label=height unit=m -o 'n a.b.taf'
	# its first import takes longer than all else: one process
	"$PYTHON" - "${region[@]}" <<'EOF'
import contextlib, glob, io, runpy, subprocess, sys
import numpy as np
def run(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout
for f in glob.glob('*.taf') + [n for n in glob.glob('*') if not n.endswith('.taf')]:
    if f == 'code.py':
        continue
    for words in [], sys.argv[1:]:
        with open('code.py', 'wb') as code:
            code.write(run('tafmap', '--lang', 'xarray', *words, '--', f))
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            a = runpy.run_path('code.py', run_name='__main__')['load']()
        values = np.array(run('tafread', *words, '--', f).split(), float)
        np.testing.assert_allclose(a.values.ravel('F'), values, 1e-7)
        np.testing.assert_allclose(np.array(said.getvalue().split(), float), values[[0, -1]], 1e-7)
with open('code.py', 'wb') as code:
    code.write(run('tafmap', '--lang', 'xarray', '-x', '1=2:6:2', '-x', '3=2', 'n a.b.taf'))
a = runpy.run_path('code.py')['load']()
assert a.name == 'n a' and a.dims == ('t', 't_2', 'dim_3') and a.shape == (3, 5, 1)
assert a.attrs == {'units': 'm', 'long_name': 'height'} and a.dtype == 'u2'
assert a.t.values.tolist() == [-0.5, 0.5, 1.5] and a.t.attrs == {'units': 's', 'long_name': 't'}
assert a.t_2.attrs == {'long_name': 't'} and len(a.dim_3.values) == 1
EOF
}

@test "the R code" {
	need Rscript
	run_code r Rscript --vanilla code.r
	tafadjust --label 1=t --unit 1=s --start 2=-0.5 m.taf -o n.taf
	tafmap --lang r -x 1=2:6:2 n.taf >n.R
	# a file that became shorter is not read as if it went on
	head -c 1200 n.taf >short.taf
	cat >test.R <<'END'
source("n.R")
x <- taf_load()
a <- attr(x, "taf")
stopifnot(dim(x) == c(3, 3, 2), a$label == c("t", "Curve", "Page"), a$unit == c("s", "", ""))
stopifnot(all.equal(a$start, c(0.01, -0.5, 1)), all.equal(a$step, c(0.02, 1, 1)))
stopifnot(inherits(try(taf_load("short.taf"), silent = TRUE), "try-error"))
END
	Rscript --vanilla test.R
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

@test "what has no place in a file, is several, or no language has, is refused" {
	prepare
	cat u.taf | refuse 2 tafmap
	mkfifo fifo
	cat u.taf >fifo &
	refuse 3 tafmap fifo
	sed 's/native/ascii/; s/in="stdin"/in=a.txt/; /\f/,$d' <(tafcrop u.taf) >a.rsf
	tafread u.taf >a.txt
	refuse 3 tafmap a.rsf
	grep -q 'a.rsf: its elements are text: .*tafcrop -o NAME.taf' err
	tafcrop u.taf m.taf >two.rsf
	refuse 3 tafmap two.rsf
	grep -q '2 arrays: -N says which' err
	equal "$(tafmap -N 2 two.rsf | sed 's/^shape/&/p;d')" "$(tafmap m.taf | sed 's/^shape/&/p;d')"
	refuse 3 tafmap -N 3 two.rsf
	refuse 2 tafmap u.taf m.taf
	refuse 2 tafmap --prefix http://h/ u.taf
	refuse 2 tafmap --chunk 1k u.taf
	refuse 2 tafmap -n 3 u.taf
	refuse 2 tafmap -e int16 u.taf
	printf 123456 >raw
	refuse 3 tafmap -n 2, -e int32 raw
	refuse 3 tafmap -n 4 -e int16 raw
	equal "$(tafmap --lang json -n 1, -e int16be raw)" '{"file":"raw","offset":0,"type":"int16","itemsize":2,"order":"big","shape":[1,3],"strides":[2,2],"intercept":null,"slope":null}'
	for lang in c julia matlab; do refuse 3 tafmap --lang $lang -n 3 -e int16be raw; done
	equal "$(tafmap --lang shell -n 3 -e int16be raw | bash)" $'12594\n13622'
	refuse 3 tafmap --lang kerchunk --prefix https://h/ "$PWD/u.taf"
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
}

@test "--lang kerchunk: every format, type and order, in one document, by xarray" {
	"$PYTHON" -c 'import xarray, fsspec, zarr, aiohttp' 2>/dev/null || skip "xarray is missing"
	cat >all.py <<'EOF'
import json, os, subprocess
import numpy as np, xarray

def tafmap(*words):
    return json.loads(subprocess.run(['tafmap', '--lang', 'kerchunk', *words], check=True, stdout=subprocess.PIPE).stdout)
def opened(doc, **options):
    return xarray.open_dataset('reference://', engine='zarr', backend_kwargs={
        'consolidated': False, 'storage_options': {'fo': doc}}, **options)
rng = np.random.default_rng(3)
TYPES = dict(i1='int8 char', u1='uint8 uchar', i2='int16 short', u2='uint16 ushort', i4='int32 int', u4='uint32 uint',
    i8='int64 long', u8='uint64 ulong', f4='flt32 float', f8='flt64 double', c8='- complex', c16='- -', f2='- -', b1='- -')
want, raw = {}, {}
for t, names in TYPES.items():
    taf, rsf = names.split()
    for order, name in ('<', 'le'), ('>', 'be'):
        a = np.frombuffer(rng.bytes(8 * 30), t if t[0] in 'iu' else 'i1')[:30].reshape(5, 3, 2)
        a = (a & 1 if t == 'b1' else a * (1 + 3j) if t[0] == 'c' else a).astype(t)
        stored = a.astype(np.dtype(t).newbyteorder(order))
        for o in 'CF':
            np.save(f'{t}{name}{o}.npy', np.asarray(stored, order=o))
            want[f'{t}{name}{o}.npy'] = a
        if rsf != '-':
            head = f'n1=5 n2=3 n3=2 o2=0.5 label2={t} data_format=native_{rsf} esize={a.itemsize}\n' \
                'taf_order=' + ('little' if order == '<' else 'big') + '\n'
            with open(f'{t}{name}.rsf', 'w') as f:
                f.write(head + f'in="{t}{name}.bin"\n')
            with open(f'{t}{name}p.rsf', 'wb') as f:
                f.write((head + 'in="stdin"\n\n\f\f\4').encode() + stored.tobytes('F'))
            want[f'{t}{name}.rsf'] = want[f'{t}{name}p.rsf'] = a
        if taf != '-':
            with open(f'{t}{name}.bin', 'wb') as f:
                f.write(stored.tobytes('F'))
            raw[f'{t}{name}.bin'] = taf + name, a
            subprocess.run(['tafcreate', '-n5,3,2', '-t', taf, '-e', taf + name, f'{t}{name}.bin', '-o', f'{t}{name}t.taf'], check=True)
            want[f'{t}{name}t.taf'] = a
        elif rsf != '-':
            stored.tofile(f'{t}{name}.bin')
            with open(f'{t}{name}.bin', 'wb') as f:
                f.write(stored.tobytes('F'))
np.savez('z.npz', p=np.arange(12).reshape(3, 4), q=np.arange(5) * 1j)
for options in [], ['--reverse'], ['--chunk', '20']:
    ds = opened(tafmap(*options, 'z.npz', *want), mask_and_scale=False)
    assert len(ds.data_vars) == len(want) + 2
    for f, a in [*want.items(), ('p', np.arange(12).reshape(3, 4)), ('q', np.arange(5) * 1j)]:
        v = ds[f.split('.')[0]]
        assert v.dtype.newbyteorder('=') == a.dtype, f
        np.testing.assert_array_equal(v.values, a.T if options == ['--reverse'] else a, f)
    assert ds['i2'].values.tolist() == [0.5, 1.5, 2.5] and 'dim_1' not in ds.coords
for f, (t, a) in raw.items():
    v = opened(tafmap('-n5,3,', '-e', t, f), mask_and_scale=False)[f[:-4]]
    np.testing.assert_array_equal(v.values, a)

# names: another length or grid gets another one, a dimension none that an array has
def adjust(to, *words):
    subprocess.run(['tafadjust', *words, 'i2let.taf', '-o', to], check=True)
adjust('x.taf', '--label', '1=t', '--unit', '1=s', '--label', '2=y', '--label', '3=t')
adjust('y.taf', '--label', '1=t', '--unit', '1=s', '--label', '2=t', '--step', '2=0.25')
adjust('z.taf', '--label', '1=t', '--unit', '1=ms', '--scale', '1=2')
os.mkdir('other')
adjust('other/x.taf', '--label', '1=t_2', '--slope', '0.5', '--intercept', '3')
ds = opened(tafmap('x.taf', 'y.taf', 'z.taf', 'other/x.taf'))
assert {k: v.dims for k, v in ds.data_vars.items()} == {'x': ('t', 'y_2', 't_2'), 'y': ('t', 't_3', 'dim_3'),
    'z': ('t_4', 'dim_2', 'dim_3'), 'x_2': ('t_2_2', 'dim_2', 'dim_3')}, ds
assert {k: (v.values.tolist(), v.attrs.get('units'), v.attrs['long_name']) for k, v in ds.coords.items()} == {
    't': ([1, 2, 3, 4, 5], 's', 't'), 'y_2': ([1, 2, 3], None, 'y'), 't_2': ([1, 2], None, 't'),
    't_3': ([1, 1.25, 1.5], None, 't'), 't_4': ([2, 4, 6, 8, 10], 'ms', 't'), 't_2_2': ([1, 2, 3, 4, 5], None, 't_2')}, ds.coords
a = want['i2let.taf']
np.testing.assert_array_equal(ds['x'].values, a)
np.testing.assert_array_equal(ds['x_2'].values, 3 + 0.5 * a)

# a URL is one, and no other name is changed
os.mkdir('a b%')
os.link('x.taf', 'a b%/\xe9#1.taf')
refs = tafmap('--prefix', 'https://host/d/', 'a b%/\xe9#1.taf')['refs']
assert refs['\xe9#1/0.0.0'][0] == 'https://host/d/a%20b%25/%C3%A9%231.taf', refs
assert tafmap('--prefix', 's3://b/', 'a b%/\xe9#1.taf')['refs']['\xe9#1/0.0.0'][0] == 's3://b/a b%/\xe9#1.taf'

# chunks: the divisor that the page says
def cut(n, row, most):
    d = [k for k in range(1, n + 1) if n % k == 0]
    small = max([k for k in d if k * row <= most] or [1])
    large = [k for k in d if k * row > most and k * row < 4 * most]
    if small * row < most / 16 and large and large[0] * row - most < most - small * row:
        return large[0]
    return small
for most in 1000, 4 << 20:
    for n, row in zip(rng.integers(1, 4000, 15), rng.integers(1, 3000, 15)):
        n, row = int(n), int(row)
        with open('sparse', 'wb') as f:
            f.truncate(n * row)
        refs = tafmap('--chunk', str(most), '-n', f'{row},{n}', '-e', 'uint8', 'sparse')['refs']
        z = json.loads(refs['sparse/.zarray'])
        if n > 1:
            assert z['chunks'] == [row, cut(n, row, most)], (z, most)
        places = [v for k, v in refs.items() if k.startswith('sparse/') and isinstance(v, list)]
        assert [sum(p[1:]) for p in places[:-1]] == [p[1] for p in places[1:]] and sum(places[-1][1:]) == n * row
# no divisor but one point and all
with open('sparse', 'wb') as f:
    f.truncate(10000019)
assert json.loads(tafmap('-n', '10000019', '-e', 'uint8', 'sparse')['refs']['sparse/.zarray'])['chunks'] == [10000019]
EOF
	"$PYTHON" all.py
	"$PYTHON" -c 'import numpy; numpy.savez_compressed("packed.npz", a=numpy.arange(9))'
	refuse 3 tafmap --lang kerchunk packed.npz
	grep -q 'member a.npy: it is packed: .*npy2taf' err
}
