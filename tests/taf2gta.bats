# SPDX-License-Identifier: ISC
load helper
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$BATS_TEST_DIRNAME

# le N...: numbers as 8 bytes each, little-endian
le() {
	perl -e 'print pack("Q<", $_) for @ARGV' "$@"
}

# canon BYTES: what stands before, and between, the numbers of chunks
canon() {
	printf 'GTA\001\000\000'
	le "$1"
	printf '\000'
}

@test "every byte of what is written, by hand" {
	printf '\001\000\377\377\003\000\004\000\005\000\000\200' |
		tafcreate -n 2,3 -e int16 -t int16 -a 1=0:1 -a 2=0:1 >a
	taf2gta a >got
	{
		canon 30
		printf '\003\377'
		le 2 3 0
		printf '\000\000\000\000'
		le 0
		printf '\001\000\377\377\003\000\004\000\005\000\000\200'
	} >want
	same want got
}

@test "a grid, a unit and a label become tags, in this order" {
	printf 'abcdef' | tafcreate -n 2,3 -e uint8 -t uint8 -a 1=-0.5:0.25 -a 2=1:1 >a
	tafadjust --unit 1=µm --label 1=Zeit --unit 2=s a | taf2gta >got
	{
		canon 93
		printf '\002\377'
		le 2 3 0
		printf '\000\000'
		printf 'SAMPLE-DISTANCE\0000.25 µm\000X-START\000-0.5\000X-LABEL\000Zeit\000\000'
		printf 'SAMPLE-DISTANCE\0001 s\000X-START\0001\000\000'
		le 0
		printf 'abcdef'
	} >want
	# what the chunk says of its length is what follows
	perl -0777 -pi -e 'substr($_, 6, 8) = pack "Q<", length($_) - 15 - 14' want
	same want got
	gta2taf got | cat >b
	for k in o1 d1 unit1 label1 o2 d2 unit2; do
		equal "$(tafprobe -k $k b)" "$(tafadjust --unit 1=µm --label 1=Zeit --unit 2=s a | tafprobe -k $k)"
	done
}

@test "GTA to TAF to GTA: the same bytes, from files and pipes" {
	need numpy
	"$PYTHON" - <<'EOP'
from gta import *
import subprocess
rng = np.random.default_rng(4)
def run(*args, **k):
    return subprocess.run(args, stdout=subprocess.PIPE, check=True, **k).stdout
tags = lambda c, d: ({' lead ': ' v ', 'a/b@2': '100%', 'E': '', 'Q"': 'a=b"c', 'L': 'y' * 9000},
    [{'UNIT': 'kg·m²/s', 'X': '%%%d' % i} for i in range(c)],
    [{'SAMPLE-DISTANCE': ('0.50 m', '1.0', 'x', '1e400', '-2e0km')[i], 'X-START': ('07', 'z', '0', '-0', '+1')[i],
      'X-LABEL': ('component', '', 'complex', 'a', 'b')[i]} for i in range(d)])
for comps in [[t] for t in TYPES] + [[2] * 3, [14] * 2, [15] * 3, [15], [5] * 40]:
    for dims in ([1], [2], [6, 2], [3, 1, 2], [2, 3, 2, 2, 2]):
        size = sum(np.dtype(TYPES[c]).itemsize for c in comps) * int(np.prod(dims))
        raw = rng.integers(0, 256, size, 'u1').tobytes()
        for t in (None, tags(len(comps), len(dims))):
            b = build(comps, dims, raw, t)
            open('a.gta', 'wb').write(b)
            s = run('gta2taf', 'a.gta')
            assert run('taf2gta', input=s) == b, (comps, dims, t)
            if t:
                run('gta2taf', 'a.gta', '-o', 'a.taf')
                assert run('taf2gta', 'a.taf') == b, (comps, dims)
                # the big-endian twin is the same array
                big = build(comps, dims, b''.join(a.values(0).astype(a.values(0).dtype.newbyteorder('>')).tobytes()
                    for a in parse(b)), t, True) if len(comps) == 1 else None
                if big: assert run('taf2gta', input=run('gta2taf', input=big)) == b, (comps, dims)
parts = [build([5], [3], bytes(12)), build([2, 2], [2], b'wxyz'), build([12], [2, 2], bytes(32))]
b = b''.join(parts)
assert run('taf2gta', input=run('gta2taf', input=b)) == b
EOP
}

@test "a grid that was changed: its tags are written anew in their place" {
	need numpy
	"$PYTHON" -c 'from gta import *
open("a.gta", "wb").write(build([2], [3, 2], b"abcdef", ({}, [{}], [{"A": "1", "SAMPLE-DISTANCE": "0.50 m", "B": "2"}, {"SAMPLE-DISTANCE": "2 m", "X-START": "4"}])))
open("want", "wb").write(build([2], [3, 2], b"abcdef", ({}, [{}], [{"A": "1", "SAMPLE-DISTANCE": "0.25 m", "B": "2"}, {"X-START": "0"}])))'
	gta2taf a.gta | tafadjust --scale 1=0.5 --step 2=1 --start 2=0 --unit 2= | taf2gta >got
	same want got
}

@test "a permuted array takes its tags along" {
	need numpy
	"$PYTHON" - <<'EOP'
from gta import *
a = np.arange(24, dtype='i4').reshape(2, 3, 4)
t = [{'N': 'a'}, {'SAMPLE-DISTANCE': '2 s'}, {'N': 'c'}]
open('a.gta', 'wb').write(build([5], [2, 3, 4], a.tobytes('F'), ({}, [{}], t)))
b = a.transpose(2, 0, 1)
open('want', 'wb').write(build([5], [4, 2, 3], b.tobytes('F'), ({}, [{}], [t[2], t[0], t[1]])))
EOP
	gta2taf a.gta | tafpermute -d 3,1,2 | taf2gta >got
	same want got
}

@test "components: some of them, none of them, one" {
	need numpy
	"$PYTHON" - <<'EOP'
from gta import *
a = np.arange(12, dtype='i2').reshape(3, 4, order='F')
c = [{'C': '1'}, {'C': '2'}, {'C': '3'}]
open('a.gta', 'wb').write(build([3] * 3, [4], a.tobytes('F'), ({}, c, [{}])))
open('two', 'wb').write(build([3] * 2, [4], a[1:].tobytes('F'), ({}, c[1:], [{}])))
open('one', 'wb').write(build([3], [4], a[1].tobytes('F'), ({}, c[1:2], [{}])))
open('odd', 'wb').write(build([3] * 2, [4], a[::2].tobytes('F'), ({}, c[::2], [{}])))
open('moved', 'wb').write(build([3], [4, 3], a.T.tobytes('F'), ({}, c[:1], [{}, {'X-START': '1', 'X-LABEL': 'component'}])))
EOP
	gta2taf a.gta | tafcrop -x 1=2:3 | taf2gta -q >got
	same two got
	gta2taf a.gta | tafcrop -x 1=2 | taf2gta -q >got
	same one got
	gta2taf a.gta | tafcrop -x 1=1:3:2 | taf2gta -q >got
	same odd got
	gta2taf a.gta | taftranspose | taf2gta 2>err >got
	same moved got
	grep -q '2 attributes' err
}

@test "physical values, or with -r what is stored" {
	need numpy
	"$PYTHON" - <<'EOP'
from gta import *
x = np.array([1, -2, 300, 4, 5, 6], '<i2')
h = b'TAF \x01\0\0\n' + b' ' * 1016 + b'int16\0\0\0' + struct.pack('<ddQ', 0.5, 0.25, 2)
h += struct.pack('<QddQdd', 3, 0, 1, 2, 0, 1)
open('a.taf', 'wb').write(h + x.tobytes())
open('values', 'wb').write(build([12], [3, 2], (x * 0.25 + 0.5).tobytes()))
open('stored', 'wb').write(build([3], [3, 2], x.tobytes()))
EOP
	taf2gta a.taf >got 2>err
	same values got
	[ ! -s err ]
	taf2gta -r a.taf >got 2>err
	same stored got
	grep -q mapping err
	taf2gta -q -r <a.taf >got 2>err
	same stored got
	[ ! -s err ]
}

@test "complex128 of NumPy and cfloat64 are each other" {
	need numpy
	"$PYTHON" - <<'EOP'
from gta import *
import io, subprocess
a = (np.arange(24) * 1.5 + 1j * np.arange(24, 48) ** 2).reshape(2, 3, 4)
np.save('a.npy', a)
run = lambda c: subprocess.run(c, shell=True, stdout=subprocess.PIPE, check=True).stdout
g, = parse(run('npy2taf a.npy | taf2gta'))
assert g.comps == [(15, 16)] and g.dims == [2, 3, 4], (g.comps, g.dims)
assert g.data == a.tobytes('F')
open('a.gta', 'wb').write(run('npy2taf a.npy | taf2gta'))
s, = rsf(run('gta2taf a.gta'))
assert s.type == 'c16' and s.dims == [2, 3, 4] and s.data.tobytes() == a.tobytes('F')
b = np.load(io.BytesIO(run('gta2taf a.gta | taf2npy')))
assert b.dtype == a.dtype and b.shape == a.shape and b.tobytes('F') == a.tobytes('F'), b.dtype
EOP
}

@test "what GTA has no place for is told in one line" {
	mktaf a.taf uint8 3,2
	tafcomment -C hello a.taf | taftype --set 3 >b
	taf2gta b >got 2>err
	equal "$(wc -l <err)" 1
	grep -q 'comment.*type code' err
}

@test "what cannot be a GTA is refused, and nothing is written" {
	mktaf a.taf uint8 3,0
	refuse 3 taf2gta a.taf
	refuse 3 taf2gta a.taf -o x.gta
	[ ! -e x.gta ]
	for tag in '	gta/A%3DB="1"' '	gta/="1"' '	gta/A="%0A"' "$(printf '\tgta/A="\300\257"')" \
	    "$(printf '\tgta/\377="x"')"; do
		mktaf b.taf uint8 3,2
		tafcrop b.taf >b
		perl -0777 -pe 'BEGIN { $t = shift } s/\tin=/$t\n\tin=/' "$tag" b >c
		refuse 3 taf2gta c
		grep -q 'not a tag' err
	done
	refuse 3 taf2gta /dev/null
	refuse 4 taf2gta nothere.taf
}

@test "corpus: good files that TAF can hold come back with the same bytes" {
	need corpus numpy zlib bzip2 lzma
	export C=$TAF_CORPUS/gta
	"$PYTHON" - <<'EOP'
import glob, os, subprocess
from gta import *
c, n = os.environ['C'], 0
for f in sorted(glob.glob(c + '/good/*.gta')):
    name = os.path.basename(f)[:-4]
    b = open(f, 'rb').read()
    arrays = parse(b)
    usable = [a for a in arrays if a.dims and a.comps]
    if len(usable) < len(arrays) or any(t not in TYPES or a.comps[0] != (t, s) for a in usable for t, s in a.comps):
        continue
    want = b
    twin = c + '/good/' + name[3:] + '.gta'
    if name.startswith('be-') and os.path.exists(twin):
        want = open(twin, 'rb').read()
    elif any(b[i:i + 4] == b'GTA\x01' and (b[i + 4] or b[i + 5]) for i in range(len(b) - 6)):
        # legacy or big-endian: the same content plainly
        want = b''.join(build([t for t, _ in a.comps], a.dims,
            np.frombuffer(a.data, a.order + TYPES[a.comps[0][0]]).astype('<' + TYPES[a.comps[0][0]]).tobytes(),
            a.tags) for a in arrays)
    s = subprocess.run(['gta2taf', f], stdout=subprocess.PIPE, check=True).stdout
    got = subprocess.run(['taf2gta'], input=s, stdout=subprocess.PIPE, check=True).stdout
    assert got == want, name
    if len(arrays) == 1:
        subprocess.run(['gta2taf', f, '-o', 'a.taf'], check=True)
        got = subprocess.run(['taf2gta', 'a.taf'], stdout=subprocess.PIPE, check=True).stdout
        assert got == want, name
    n += 1
assert n > 0
EOP
}

@test "blanks before a unit, and attributes of no dimension, are remarked" {
	mktaf a.taf flt32 3,2
	tafadjust --unit 1=' s' a.taf | taf2gta 2>err >got
	equal "$(cat err)" "taf2gta: dropped, as GTA has no place for it: 1 attribute"
	tafadjust --unit 1='s ' a.taf | taf2gta 2>err | gta2taf | tafprobe -k unit1 >got
	equal "$(cat got)|$(cat err)" "s |"
	tafcrop a.taf | perl -pe 's/^\tin=/\tlabel3="x"\n\tin=/ if 1 .. /^\tin=/' | taf2gta 2>err >got
	equal "$(cat err)" "taf2gta: dropped, as GTA has no place for it: 1 attribute"
	# a grid that is none is no attribute
	tafcrop a.taf | sed '1,/^\tin=/s/^\td\([12]\)=.*/\td\1=0/' | taf2gta 2>err >got
	equal "$(cat err)" "taf2gta: dropped, as GTA has no place for it: the grid of 2 dimensions"
	tafcrop a.taf | sed '1,/^\tin=/s/^\to1=.*/\to1=nan/' | taf2gta 2>err >got
	equal "$(cat err)" "taf2gta: dropped, as GTA has no place for it: the grid of 1 dimension"
}
