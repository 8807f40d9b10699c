# SPDX-License-Identifier: ISC
load helper
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$BATS_TEST_DIRNAME

# le8 N: N as 8 bytes, little-endian
le8() {
	perl -e 'print pack("Q<", $_) for @ARGV' "$@"
}

# small: 2 x 3 of int16 and not a tag, as the specification has it, made by hand
small() {
	printf 'GTA\001\000\000'
	le8 30
	printf '\000\003\377'
	le8 2 3 0
	printf '\000\000\000\000'
	le8 0
	printf '\001\000\377\377\003\000\004\000\005\000\000\200'
}

@test "an array made by hand from the specification" {
	small >a.gta
	gta2taf a.gta | tail -c 12 | unpack "s$ORDER*" >values
	equal "$(xargs <values)" "1 -1 3 4 5 -32768"
	equal "$(gta2taf a.gta | tafprobe -k shape)" 2,3
	equal "$(gta2taf a.gta | tafprobe -k type)" int16
	equal "$(gta2taf a.gta | tafprobe -k o1) $(gta2taf a.gta | tafprobe -k d2)" "0 1"
	# to a regular file it is TAF
	gta2taf <a.gta >a.taf
	equal "$(head -c 4 a.taf)" "TAF "
	tail -c +1105 a.taf | head -c 12 | unpack 's<*' >values
	equal "$(xargs <values)" "1 -1 3 4 5 -32768"
}

@test "every type in both byte orders, from a file and a pipe" {
	need numpy
	"$PYTHON" - <<'EOP'
from gta import *
import subprocess
rng = np.random.default_rng(1)
for big in (False, True):
    for t, d in TYPES.items():
        raw = rng.integers(0, 256, 7 * 5 * 3 * np.dtype(d).itemsize, 'u1').tobytes()
        b = build([t], [7, 5, 3], raw, big=big)
        open('a.gta', 'wb').write(b)
        for stdin in (None, b):
            r = subprocess.run(['gta2taf'] + ([] if stdin else ['a.gta']), input=stdin,
                stdout=subprocess.PIPE, check=True)
            check(parse(b), rsf(r.stdout))
EOP
}

@test "the same from a file, a pipe and byte by byte" {
	need numpy
	"$PYTHON" -c 'from gta import *
open("a.gta", "wb").write(build([3], [7, 5], bytes(range(70)), ({"A": "B"}, [{}], [{"C": "D"}, {}]), True, 10, 1, 1)
    + build([11], [9], bytes(range(36))) + build([1, 6], [4], bytes(range(20))))'
	gta2taf a.gta | cat >a
	cat a.gta | gta2taf | cat >b
	perl -e 'undef $/; $| = 1; print for split //, <>' a.gta | gta2taf | cat >c
	same a b
	same b c
}

@test "components of one type, of mixed types, and one of them" {
	need numpy
	"$PYTHON" - <<'EOP'
from gta import *
import subprocess
rng = np.random.default_rng(2)
def run(b, *args):
    open('a.gta', 'wb').write(b)
    a = subprocess.run(['gta2taf', *args, 'a.gta'], stdout=subprocess.PIPE, check=True).stdout
    p = subprocess.run(['gta2taf', *args], input=b, stdout=subprocess.PIPE, check=True).stdout
    # of a pipe it is not known whether another array follows a large one
    p = p.replace(b'\ttaf_next="unknown"\n', b'')
    assert re.sub(rb'\ttaf_end=\d+\n\tin="stdin"\n\n\f\f\x04', b'', p) == a
    return rsf(a)
for comps in ([2, 2, 2], [11, 11], [15], [15, 15, 15], [14, 14], [1, 4, 12, 15, 14, 3],
              [3] * 300, [1, 2] * 50):
    for dims in ([6], [5, 4], [700, 3, 2, 2]):
        for big in (False, True):
            size = sum(np.dtype(TYPES[c]).itemsize for c in comps)
            raw = rng.integers(0, 256, size * int(np.prod(dims)), 'u1').tobytes()
            tags = ({'A': 'x'}, [{'N': 'c%d' % i} for i in range(len(comps))],
                    [{'SAMPLE-DISTANCE': '%d s' % (k + 2)} for k in range(len(dims))])
            b = build(comps, dims, raw, tags, big)
            check(parse(b), run(b))
            for k in (0, len(comps) - 1):
                check(parse(b), run(b, '--component', str(k + 1)), k)
EOP
}

@test "of mixed types, each array is that of its component" {
	need numpy
	"$PYTHON" -c 'from gta import *
t = {"A": "x", "B": "y"}, [{"UNIT": "u%d" % i, "N%d" % (i % 2): "v"} for i in range(6)], \
    [{"X-START": "%d" % i, "D": "d"} for i in (4, 7)]
open("a.gta", "wb").write(build([15, 3, 14, 15, 15, 2], [3, 2], bytes(range(177)) * 2, t))'
	gta2taf a.gta | cat >all.rsf
	for k in 1 2 3 4 5 6; do
		gta2taf --component $k a.gta | cat >one.rsf
		tafcrop -N $k all.rsf | cat >part.rsf
		tafprobe one.rsf | grep -v '^file\|^data' | sort >want
		tafprobe part.rsf | grep -v '^file\|^data' | sort >got
		same want got
		equal "$(tafprobe -k gta/UNIT@c1 part.rsf)" "u$((k - 1))"
		taf2raw one.rsf >want
		taf2raw part.rsf >got
		same want got
	done
}

@test "more elements than a block has room for, of mixed types and of large blobs" {
	need numpy
	"$PYTHON" - <<'EOP'
from gta import *
import subprocess
rng = np.random.default_rng(3)
def run(b, *args):
    return rsf(subprocess.run(['gta2taf', *args], input=b, stdout=subprocess.PIPE, check=True).stdout)
raw = rng.integers(0, 256, 7 * 300001, 'u1').tobytes()
b = build([3, 1, 11], [300001], raw)
check(parse(b), run(b))
check(parse(b), run(b, '--component', '3'), 2)
raw = rng.integers(0, 256, 16 * 200001, 'u1').tobytes()
b = build([15], [200001], raw, big=True)
check(parse(b), run(b))
# an element larger than any block, plain and in chunks
raw = rng.integers(0, 256, 3 * 1500011, 'u1').tobytes()
for method in (0, 1):
    b = build([(0, 1500003), 12], [3], raw, method=method, split=1 << 20)
    check(parse(b), run(b, '--component', '2'), 1)
EOP
}

@test "grid, unit and label come from tags" {
	need numpy
	"$PYTHON" - <<'EOP'
from gta import *
tags = ({}, [{}], [{'SAMPLE-DISTANCE': '0.25 µm', 'X-START': '-1.5', 'X-LABEL': 'Größe'},
    {'SAMPLE-DISTANCE': '2'}, {'SAMPLE-DISTANCE': 'wide'}, {'SAMPLE-DISTANCE': '0'},
    {'SAMPLE-DISTANCE': 'nan m'}, {'SAMPLE-DISTANCE': '1,5 m', 'X-START': '1 m'},
    {'SAMPLE-DISTANCE': '3s'}])
open('a.gta', 'wb').write(build([2], [1] * 7, b'x', tags))
EOP
	gta2taf a.gta | cat >a
	equal "$(tafprobe -k d1 a) $(tafprobe -k unit1 a) $(tafprobe -k o1 a) $(tafprobe -k label1 a)" \
	    "0.25 µm -1.5 Größe"
	equal "$(tafprobe -k d2 a)$(tafprobe -k unit2 a)" 2
	for k in 3 4 5 6; do
		equal "$(tafprobe -k d$k a) $(tafprobe -k o$k a)$(tafprobe -k unit$k a)" "1 0"
	done
	equal "$(tafprobe -k d7 a) $(tafprobe -k unit7 a)" "3 s"
}

@test "tags of all kinds become attributes" {
	need numpy
	"$PYTHON" - <<'EOP'
from gta import *
tags = ({' lead ': ' v ', 'a/b@2': '100%', 'ÜñÍ': 'κόσμε 🗻', 'E': '', 'Q"': 'a=b"c', 'L': 'y' * 9000},
    [{'UNIT': 'kg·m²/s'}, {'UNIT': 'm', 'X': '%41'}], [{'INTERPRETATION': 'X'}, {}])
open('a.gta', 'wb').write(build([3, 3], [2, 2], bytes(range(16)), tags))
EOP
	gta2taf a.gta | cat >a
	"$PYTHON" -c 'from gta import *
check(parse(open("a.gta", "rb").read()), rsf(open("a", "rb").read()))'
	gta2taf a.gta -o a.taf
	tafcrop a.taf >b
	"$PYTHON" -c 'from gta import *
check(parse(open("a.gta", "rb").read()), rsf(open("b", "rb").read()))'
}

@test "a duplicate tag: the last value in the first place" {
	{
		printf 'GTA\001\000\000'
		le8 44
		printf '\000\002\377'
		le8 1 0
		printf 'A\0001\000B\0002\000A\0003\000\000\000'
		printf 'C\0004\000C\0005\000\000'
		le8 0
		printf x
	} >a.gta
	# the length of the header is checked against what stands there
	perl -0777 -pi -e 'substr($_, 6, 8) = pack "Q<", length($_) - 15 - 9' a.gta
	gta2taf a.gta | tr -d '\t' | grep -a '^gta/' >got
	printf '%s\n' 'gta/A="3"' 'gta/B="2"' 'gta/C@1="5"' >want
	same want got
}

@test "headers in many chunks, and data in legacy chunks of each method" {
	need numpy zlib bzip2 lzma
	"$PYTHON" - <<'EOP'
from gta import *
import subprocess
tags = ({'DESCRIPTION': 'd' * 300}, [{'UNIT': 'm'}, {}], [{'A': 'B'}, {}])
raw = bytes(i * i & 255 for i in range(20 * 10 * 6))
for big in (False, True):
    for split in (1, 7, 13, 100, None):
        for method, hmethod in ((0, 0), (0, 1), (1, 0), (2, 1), (3, 2), (4, 3), (12, 3)):
            b = build([3, 5], [20, 10], raw, tags, big, split, method, hmethod)
            b += build([2], [3], b'abc')
            for stdin in (b, None):
                open('a.gta', 'wb').write(b)
                r = subprocess.run(['gta2taf'] + ([] if stdin else ['a.gta']), input=stdin,
                    stdout=subprocess.PIPE)
                assert r.returncode == 0, (big, split, method, hmethod)
                check(parse(b), rsf(r.stdout))
EOP
}

@test "the obsolete flag is ignored, others are refused" {
	small >a.gta
	gta2taf a.gta | cat >want
	for bit in 1 2 3 4 5 6 7; do
		perl -0777 -pe 'substr($_, 4, 1) = chr(1 << '$bit')' a.gta >b.gta
		if [ $bit = 1 ]; then
			gta2taf b.gta | cat >b
			same want b
		else
			refuse 3 gta2taf b.gta
		fi
	done
}

@test "several arrays: all, the K-th, those without elements left out" {
	need numpy
	"$PYTHON" - <<'EOP'
from gta import *
parts = [build([5], [3], bytes(12)), build([], [4, 3]), build([3, 11], [2], bytes(range(12)), big=True),
    build([5], []), build([2], [4], b'wxyz')]
open('a.gta', 'wb').write(b''.join(parts))
open('none.gta', 'wb').write(parts[1] + parts[3])
EOP
	gta2taf a.gta 2>err | cat >a
	equal "$(tafprobe -k shape a | xargs)" "3 2 2 4"
	equal "$(wc -l <err)" 1
	grep -q '2 arrays' err
	gta2taf -q a.gta 2>err | cat >b
	same a b
	[ ! -s err ]
	# arrays of the format are counted, whatever each becomes
	equal "$(gta2taf -N 3 a.gta | tafprobe -k type | xargs)" "int16 flt32"
	equal "$(gta2taf -N 5 <a.gta | tafread | xargs)" "119 120 121 122"
	equal "$(gta2taf -N 3 --component 2 a.gta | tafprobe -k type)" flt32
	refuse 3 gta2taf -N 6 a.gta
	refuse 3 gta2taf -N 2 a.gta
	refuse 3 gta2taf none.gta
	refuse 3 gta2taf --component 2 a.gta
	refuse 2 gta2taf --component 0 a.gta
	refuse 2 gta2taf --component x a.gta
	# several operands, an empty one at the end: what is announced comes
	gta2taf -q a.gta none.gta | tafprobe -k shape >got
	equal "$(xargs <got)" "3 2 2 4"
	gta2taf -q a.gta -o p-%d.taf
	equal "$(cat p-?.taf | wc -c)" "$(cat p-1.taf p-2.taf p-3.taf p-4.taf | wc -c)"
}

@test "128-bit types and blobs are refused by name, their neighbours are not" {
	need numpy
	"$PYTHON" - <<'EOP'
from gta import *
for t, n, name in ((9, 16, 'int128'), (10, 16, 'uint128'), (13, 16, 'float128'), (16, 32, 'cfloat128')):
    open(name + '.gta', 'wb').write(build([4, t], [2], bytes(2 * n + 4)))
open('blob.gta', 'wb').write(build([4, (0, 5)], [2], bytes(14)))
EOP
	for name in int128 uint128 float128 cfloat128 blob; do
		refuse 3 gta2taf $name.gta
		grep -q "component 2: .*$name" err
		equal "$(gta2taf --component 1 $name.gta | tafprobe -k type)" uint16
		refuse 3 gta2taf --component 2 $name.gta
	done
}

@test "truncated at every byte: 3, from a file and from a pipe, and nothing written" {
	need numpy
	small >a.gta
	"$PYTHON" -c 'from gta import *
raw = bytes(range(48))
open("z.gta", "wb").write(build([3], [6, 4], raw * 1, ({"A": "B" * 40}, [{}], [{"C": "D"}, {}]), True, None, 1, 1))'
	for f in a.gta z.gta; do
		size=$(wc -c <$f)
		for ((n = 0; n < size; n++)); do
			head -c $n $f >cut
			refuse 3 gta2taf cut
			got=0
			cat cut | gta2taf >out 2>err || got=$?
			[ $got -eq 3 ] || { echo "$f $n: $got"; return 1; }
			[ ! -s out ] || [ $n -gt 61 ]
		done
	done
}

@test "every byte of a header changed: never a crash, never silence about data" {
	small >a.gta
	for ((n = 0; n < 54; n++)); do
		for v in 0 9 255; do
			perl -0777 -pe 'substr($_, '$n', 1) = chr '$v a.gta >b.gta
			got=0
			gta2taf b.gta >out 2>err || got=$?
			[ $got -eq 0 ] || [ $got -eq 3 ] || { echo "$n $v: $got"; return 1; }
		done
	done
}

@test "damaged compressed data end in 3" {
	need numpy
	"$PYTHON" - <<'EOP'
from gta import *
import subprocess
raw = (np.arange(2000, dtype='<u2') % 77).tobytes()
bad = 0
for method in (1, 2, 3):
    b = build([4], [2000], raw, method=method)
    at = b.index(struct.pack('<Q', 4000), 30) + 17
    for i in range(at, len(b) - 8, 5):
        c = bytearray(b)
        c[i] ^= 0x10
        r = subprocess.run(['gta2taf'], input=bytes(c), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # a few bits of these formats mean nothing
        assert r.returncode == 3 and not r.stdout or rsf(r.stdout)[0].data.tobytes() == raw, (method, i)
        bad += r.returncode == 3
    for u in (3999, 4001):
        c = b.replace(struct.pack('<Q', 4000), struct.pack('<Q', u))
        open('a.gta', 'wb').write(c)
        r = subprocess.run(['gta2taf', 'a.gta'], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert r.returncode == 3 and not r.stdout
assert bad > 30
EOP
}

@test "hostile lengths cost nothing" {
	need numpy
	"$PYTHON" - <<'EOP'
from gta import *
big = 1 << 62
files = {
    'many': build([5], [1 << 40]), 'product': build([5], [1 << 32, 1 << 32]),
    'exact': build([2], [1 << 32, 1 << 32]), 'half': build([2], [1 << 63]),
    'blobs': build([(0, 2**64 - 1)] * 2, [1], b'x'), 'blob0': build([(0, 0)], [1], b'x'),
    'dims': build([2], [1] * 65, b'x'), 'shifted': build([2, 2], [1] * 64, b'xy'),
    'type': build([17], [1], b'x'), 'chunk': b'GTA\x01\0\0' + struct.pack('<QB', (1 << 24) + 1, 0) + bytes(64),
    'lie': b'GTA\x01\0\0' + struct.pack('<QB', 1 << 24, 0) + bytes(64),
    'bomb': b'GTA\x01\0\0' + struct.pack('<QBQ', 1 << 24, 1, len(pack(1, b'\2' * (1 << 24)))) +
        pack(1, b'\2' * (1 << 24)) + bytes(8),
    'mixed': build([1, 2] * 5001, [1], bytes(10002)),
}
for k, v in files.items():
    open(k + '.gta', 'wb').write(v)
EOP
	for f in *.gta; do
		refuse 3 bounded 97000 gta2taf "$f"
		got=0
		cat "$f" | bounded 97000 gta2taf >out 2>err || got=$?
		[ $got -eq 3 ] || { echo "$f: $got"; cat err; return 1; }
	done
}

@test "100000 components are a dimension" {
	need numpy
	"$PYTHON" -c 'from gta import *
open("a.gta", "wb").write(build([2] * 100000, [2], bytes(range(250)) * 800))'
	equal "$(gta2taf a.gta | tafprobe -k shape)" 100000,2
	gta2taf a.gta | tail -c 200000 | cmp - <(tail -c 200000 a.gta)
}

@test "corpus: every good file gives what its data are, or is refused by name" {
	need corpus numpy zlib bzip2 lzma
	export C=$TAF_CORPUS/gta
	"$PYTHON" - <<'EOP'
import glob, hashlib, os, subprocess
from gta import *
c, n, refused = os.environ['C'], 0, []
for f in sorted(glob.glob(c + '/good/*.gta')):
    name = os.path.basename(f)[:-4]
    b = open(f, 'rb').read()
    arrays = parse(b)
    want = c + '/expect/' + name + '.raw.sha256'
    if os.path.exists(want):
        order, size, digest = open(want).read().split()
        raw = b''.join(a.data for a in arrays)
        # of a file with both orders the sum is of values moved to one
        if all((a.order == '>') == (order == 'big') for a in arrays):
            assert (len(raw), hashlib.sha256(raw).hexdigest()) == (int(size), digest), name
    for stdin in (None, b):
        r = subprocess.run(['gta2taf', '-q'] + ([] if stdin else [f]), input=stdin,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        usable = [a for a in arrays if a.dims and a.comps]
        if not usable or any(t not in TYPES for a in usable for t, _ in a.comps):
            assert r.returncode == 3 and not r.stdout and r.stderr.count(b'\n') == 1, name
            refused.append(name)
        else:
            assert r.returncode == 0, (name, r.stderr)
            check(arrays, rsf(r.stdout))
        n += 1
assert n > 0
EOP
}

@test "corpus: every bad file is refused at once, in one line, and nothing is written" {
	need corpus
	for f in "$TAF_CORPUS"/gta/bad/*.gta; do
		refuse 3 bounded 97000 gta2taf "$f"
		refuse 3 bounded 97000 gta2taf "$f" -o a.taf
		[ ! -e a.taf ]
		got=0
		cat "$f" | bounded 97000 gta2taf >out 2>err || got=$?
		[ $got -eq 3 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] || { echo "$f: $got"; return 1; }
	done
}

@test "corpus: odd files that are legal are read" {
	need corpus numpy zlib bzip2 lzma
	for f in "$TAF_CORPUS"/gta/odd/*.gta; do
		case ${f##*/} in
		# impossible sizes, more dimensions than there may be, no elements, nothing
		blob-size-* | dim-2pow63-* | dim-max-* | dims-65536-* | trunc-at-0*)
			refuse 3 gta2taf "$f" ;;
		bomb-*) ;;
		*)
			gta2taf "$f" 2>err | cat >a
			"$PYTHON" -c 'from gta import *; import sys
check(parse(open(sys.argv[1], "rb").read()), rsf(open("a", "rb").read()))' "$f" ;;
		esac
	done
}
