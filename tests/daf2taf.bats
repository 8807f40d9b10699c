# SPDX-License-Identifier: ISC
# What is run while each call of it fails in turn (faults.bats).
# in turn: - -q store cell/sv cell/gene/dm n -o out.rsf
# in turn: - -q --sparse store gene/cell/sm -o out.taf

load helper
load daf

setup() {
	begin
	need jansson
	mkdaf s
}

# got COMMAND ...: its elements as they are stored, on a line
got() {
	"$@" | tafread -r | xargs
}

@test "a dense vector is n x 1, a matrix rows x columns, a scalar 1 x 1" {
	daf2taf s cell/age -o a.taf
	equal "$(tafread a.taf | xargs)" "1.5 2.5 4.5"
	equal "$(for k in type n1 n2 label1 o1 d1 daf/name; do tafprobe -k "$k" a.taf; done | xargs)" \
		"flt32 3 1 cell 1 1 age"
	daf2taf s cell/gene/dm -o m.taf
	equal "$(tafread m.taf | xargs)" "1 2 3 4 5 6"
	equal "$(for k in type n1 n2 label1 label2; do tafprobe -k "$k" m.taf; done | xargs)" \
		"int16 3 2 cell gene"
	daf2taf s n >n.taf
	equal "$(tafread n.taf) $(tafprobe -k n1 n.taf) $(tafprobe -k type n.taf)" "-70000 1 int32"
}

@test "the elements of a plain item are the bytes of its file" {
	perl -e 'print pack "f<*", map { $_ * 0.37 } 1 .. 3 * 2' >s/matrices/cell/gene/f.data
	echo '{"format":"dense","eltype":"Float32"}' >s/matrices/cell/gene/f.json
	daf2taf s cell/gene/f | taf2raw >got
	same s/matrices/cell/gene/f.data got
}

@test "sparse items come out in full" {
	equal "$(got daf2taf s cell/sv)" "0 -7 8"
	equal "$(got daf2taf s cell/flag)" "0 1 0"
	equal "$(got daf2taf s cell/gene/sm)" "0.5 0 2 0 -3 0"
	equal "$(daf2taf s cell/flag | tafprobe -k daf/type) $(daf2taf s cell/sv | tafprobe -k daf/index)" \
		"Bool Int32"
}

@test "--sparse: row, column, value of the stored entries, zeros among them" {
	equal "$(got daf2taf --sparse s cell/gene/sm)" "1 3 2 1 1 2 0.5 2 -3"
	equal "$(daf2taf --sparse s cell/gene/sm | tafprobe -k type) $(daf2taf --sparse s cell/gene/sm |
		tafprobe -k daf/shape)" "flt64 3 2"
	equal "$(got daf2taf --sparse s cell/sv)" "2 3 1 1 -7 8"
	le 'q<' 0 -9223372036854775807 >s/vectors/cell/sv.nzval
	equal "$(got daf2taf --sparse s cell/sv)" "2 3 1 1 0 -9223372036854775807"
	equal "$(got daf2taf --sparse s cell/age)" "1.5 2.5 4.5"
}

@test "the other layout serves if only that is stored" {
	rm s/matrices/cell/gene/dm.*
	equal "$(got daf2taf s cell/gene/dm)" "1 2 3 4 5 6"
	equal "$(got daf2taf s gene/cell/dm)" "1 4 2 5 3 6"
	equal "$(got daf2taf s gene/cell/sm)" "0.5 0 0 -3 2 0"
	equal "$(got daf2taf --sparse s gene/cell/sm)" "1 2 1 1 2 3 0.5 -3 2"
	echo '{"format":"dense","eltype":"Bool"}' >s/matrices/gene/cell/b.json
	le C 1 0 0 1 1 0 >s/matrices/gene/cell/b.data
	equal "$(got daf2taf s cell/gene/b)" "1 0 1 0 1 0"
}

@test "the other layout serves if one is packed in a way that is not known here" {
	local p='"packed_format":"indexed+zipped","chunk_shape":[3,1],"compression":"zstd_bitshuffle","compression_level":5,"index_location":"start"'
	local x
	for x in cell/gene gene/cell; do
		mv s/matrices/$x/dm.data keep
		cp s/matrices/$x/dm.json keep.json
		echo "{\"format\":\"dense\",\"eltype\":\"Int16\",$p}" >s/matrices/$x/dm.json
		echo packed >s/matrices/$x/dm.zip
		equal "$(got daf2taf s cell/gene/dm)" "1 2 3 4 5 6"
		equal "$(got daf2taf s gene/cell/dm)" "1 4 2 5 3 6"
		rm s/matrices/$x/dm.zip
		mv keep s/matrices/$x/dm.data
		mv keep.json s/matrices/$x/dm.json
	done
	# in both
	for x in cell/gene gene/cell; do
		echo "{\"format\":\"dense\",\"eltype\":\"Int16\",$p}" >s/matrices/$x/dm.json
		echo packed >s/matrices/$x/dm.zip
	done
	refuse 3 daf2taf s cell/gene/dm
	grep -q 'zstd_bitshuffle' err
	# what is there of the other one must be sound
	echo '{"format":"dense","eltype":"Int16"}' >s/matrices/gene/cell/dm.json
	echo more >>s/matrices/gene/cell/dm.data
	refuse 3 daf2taf s cell/gene/dm
	grep -q 'gene/cell/dm.data: 17 bytes' err
}

@test "every element type and both spellings" {
	local t
	while read -r name code v; do
		t=$(echo "$name" | tr '[:upper:]' '[:lower:]')
		# shellcheck disable=SC2086
		le "$code" $v >s/vectors/cell/v.data
		echo "{\"format\":\"dense\",\"eltype\":\"$name\"}" >s/vectors/cell/v.json
		equal "$(got daf2taf s cell/v)" "$v" || return 1
		echo "{\"format\":\"dense\",\"eltype\":\"$t\"}" >s/vectors/cell/v.json
		equal "$(got daf2taf s cell/v)" "$v" || return 1
		echo "{\"format\":\"dense\",\"eltype\":\"$(echo "$name" | tr '[:lower:]' '[:upper:]')\"}" \
			>s/vectors/cell/v.json
		refuse 3 daf2taf s cell/v || return 1
	done <<'END'
Bool C 1 0 1
Int8 c -128 5 127
UInt8 C 255 6 0
Int16 s< -32768 7 32767
UInt16 S< 65535 8 0
Int32 l< -2147483648 9 2147483647
UInt32 L< 4294967295 10 0
Int64 q< -9223372036854775808 11 9223372036854775807
UInt64 Q< 18446744073709551615 12 0
Float32 f< 1.5 -0 0.25
Float64 d< 0.1 -0 1e-300
END
}

@test "every index type" {
	local t
	while read -r name code; do
		le "$code" 1 3 >s/vectors/cell/sv.nzind
		echo "{\"format\":\"sparse\",\"eltype\":\"Int64\",\"indtype\":\"$name\"}" \
			>s/vectors/cell/sv.json
		equal "$(got daf2taf s cell/sv)" "-7 0 8" || return 1
		t="\"format\":\"dense\",\"n_elements\":2"
		echo "{\"format\":\"sparse\",\"nzind\":{$t,\"eltype\":\"$name\"},\"nzval\":{$t,\"eltype\":\"Int64\"}}" \
			>s/vectors/cell/sv.json
		equal "$(got daf2taf s cell/sv)" "-7 0 8" || return 1
	done <<'END'
Int8 c
UInt8 C
Int16 s<
UInt16 S<
Int32 l<
UInt32 L<
Int64 q<
UInt64 Q<
END
	echo '{"format":"sparse","eltype":"Int64","indtype":"Float32"}' >s/vectors/cell/sv.json
	refuse 3 daf2taf s cell/sv
}

@test "a Bool without values is true where it is stored, in both versions" {
	echo '{"format":"sparse","nzind":{"format":"dense","eltype":"UInt32","n_elements":1}}' \
		>s/vectors/cell/flag.json
	equal "$(got daf2taf s cell/flag)" "0 1 0"
	echo '{"format":"sparse","nzind":{"format":"dense","eltype":"UInt32","n_elements":2}}' \
		>s/vectors/cell/flag.json
	refuse 3 daf2taf s cell/flag
	echo '{"format":"sparse","eltype":"Bool","indtype":"UInt32"}' >s/vectors/cell/flag.json
	le C 0 >s/vectors/cell/flag.nzval
	equal "$(got daf2taf s cell/flag)" "0 0 0"
	le C 1 1 >s/vectors/cell/flag.nzval
	refuse 3 daf2taf s cell/flag
}

@test "several items are several arrays; one that is faulty holds back all" {
	equal "$(daf2taf s cell/age n cell/gene/dm | tafread | xargs)" "1.5 2.5 4.5 -70000 1 2 3 4 5 6"
	daf2taf s cell/age cell/sv -o 'x-%d.taf'
	equal "$(tafread x-2.taf | xargs)" "0 -7 8"
	refuse 3 daf2taf s cell/age cell/no
	refuse 3 daf2taf s cell/age cell/ss
	grep -q 'strings' err
	refuse 3 daf2taf s who
	le 's<' 1 2 3 4 5 >s/matrices/cell/gene/dm.data
	refuse 3 daf2taf s cell/age cell/gene/dm
	refuse 3 daf2taf s cell/age -o y.taf cell/gene/dm
	[ ! -e y.taf ]
	refuse 2 daf2taf s
}

@test "axis without entries, matrix without columns" {
	: >s/axes/none.txt
	mkdir -p s/vectors/none s/matrices/cell/none
	: >s/vectors/none/v.data
	echo '{"format":"dense","eltype":"Int16"}' | tee s/vectors/none/v.json \
		>s/matrices/cell/none/m.json
	: >s/matrices/cell/none/m.data
	equal "$(daf2taf s none/v | tafprobe -k n1) $(daf2taf s cell/none/m | tafprobe -k n2)" "0 0"
	echo '{"format":"sparse","eltype":"Int16","indtype":"UInt32"}' >s/matrices/cell/none/m.json
	le 'L<' 1 >s/matrices/cell/none/m.colptr
	: >s/matrices/cell/none/m.rowval
	: >s/matrices/cell/none/m.nzval
	equal "$(daf2taf s cell/none/m | tafprobe -k n1)" 3
}

# pack1 FILE CHUNK VALUE...: Float64 in gzip chunks as DataAxesFormats.jl packs them
pack1() {
	python3 - "$@" <<'END'
import gzip, struct, sys
file, chunk, values = sys.argv[1], int(sys.argv[2]), list(map(float, sys.argv[3:]))
table = []
for i in range(256):
    for _ in range(8):
        i = i >> 1 ^ (0x82f63b78 if i & 1 else 0)
    table.append(i)
def crc32c(b):
    c = 0xffffffff
    for x in b:
        c = c >> 8 ^ table[(c ^ x) & 255]
    return c ^ 0xffffffff
parts = [values[i:i + chunk] for i in range(0, len(values), chunk)]
at = 16 * len(parts) + 4
index = data = b''
for p in parts:
    b = gzip.compress(struct.pack('<%dd' % chunk, *p + [0.0] * (chunk - len(p))))
    index += struct.pack('<QQ', at + len(data), len(b))
    data += b
open(file, 'wb').write(index + struct.pack('<I', crc32c(index)) + data)
END
}

@test "packed: gzip chunks, the last one padded; a broken one is refused" {
	need python3 zlib
	local p='"packed_format":"indexed+zipped","chunk_shape":[2],"compression":"gzip","index_location":"start"'
	echo "{\"format\":\"dense\",\"eltype\":\"Float64\",$p}" >s/vectors/cell/v.json
	pack1 s/vectors/cell/v.zip 2 0.5 -3 1e300
	equal "$(got daf2taf s cell/v)" "0.5 -3 1e300"
	equal "$(dafls s cell/v)" "cell/v: 3 x Float64 (Dense, packed gzip)"
	# each byte of it in turn
	perl -e 'local $/; open F, "<:raw", "s/vectors/cell/v.zip"; print length <F>' >n
	for ((i = 0; i < $(cat n); i += 3)); do
		pack1 s/vectors/cell/v.zip 2 0.5 -3 1e300
		perl -e 'open F, "+<:raw", $ARGV[0]; seek F, $ARGV[1], 0; read F, $c, 1;
			seek F, $ARGV[1], 0; print F chr(255 ^ ord $c)' s/vectors/cell/v.zip "$i"
		# the time and the system in a gzip header are no data
		if daf2taf s cell/v 2>err | tafread >out 2>&1 && [ "$(xargs <out)" != "0.5 -3 1e300" ]; then
			echo "byte $i"
			return 1
		fi
	done
	echo "{\"format\":\"dense\",\"eltype\":\"Float64\",${p/gzip/gzip_shuffle}}" >s/vectors/cell/v.json
	refuse 3 daf2taf s cell/v
	grep -q 'gzip_shuffle' err
	dafls s cell/v >got
	echo "{\"format\":\"dense\",\"eltype\":\"Float64\",${p/gzip/rar}}" >s/vectors/cell/v.json
	refuse 3 dafls s cell/v
}

@test "a chunk that promises more than it is takes no memory" {
	need python3 zlib
	local p='"packed_format":"indexed+zipped","chunk_shape":[1152921504606846976],"compression":"gzip","index_location":"start"'
	echo "{\"format\":\"dense\",\"eltype\":\"Float64\",$p}" >s/vectors/cell/v.json
	pack1 s/vectors/cell/v.zip 3 0.5 -3 1e300
	refuse 3 bounded 65536 daf2taf s cell/v
}

# The columns 1, -300, 517 and 4096, -5, 32767 of Int16, then zeros up to 512 elements, as zstd
# and blosc of other people pack them (python's zstandard and numcodecs).
zstd1=28b52ffd600003750000380100d4fe0502000100f62b6004
zstd2=28b52ffd600003750000380010fbffff7f000100f62b6004
unsized=28b52ffd0058750000380100d4fe0502000100f62b6004
blosc1=0201940200040000000400003e000000140000002600000028b52ffd600003e500003005000600020606003d435081437a7d6869f00686ba1ba478a7000b
blosc2=02019402000400000004000041000000140000002900000028b52ffd600003fd00004806000600040607060207a010b80fc0b3079428e129ffd57c909ee424dd02
lz41=0201240200040000000400004d000000140000001b0000002f050001006b1f067f006b2f00028000ac0fc00028500000000000160000001f0001002c1f0640002c1f024000ff68500000000000
lz42=02012402000400000004000057000000140000001d0000002f060001002b0f40002d1f047f002b0f80002e0f4000e85000000000001e0000002f060001002b0f4000ad1f07ff002b0f00016e1f02c00027500000000000
short=0201940200020000000200003c000000140000002400000028b52ffd600001d500003005000600020606009da1282048d731a4e0214c7740c2930016

# packed CODEC CHUNK CHUNK: the matrix cell/gene/p of them; EDIT changes @p, where they are
packed() {
	echo "{\"format\":\"dense\",\"eltype\":\"Int16\",\"packed_format\":\"indexed+zipped\"," \
		"\"chunk_shape\":[512,1],\"compression\":\"$1\",\"compression_level\":5," \
		"\"index_location\":\"start\"}" >s/matrices/cell/gene/p.json
	shift
	perl -e '
		my ($at, @p, $data) = 16 * @ARGV + 4;
		for (map { pack "H*", $_ } @ARGV) { push @p, $at, length; $at += length; $data .= $_ }
		eval $ENV{EDIT} // "";
		my ($index, $crc) = (pack("Q<*", @p), 0xffffffff);
		for (unpack "C*", $index) {
			$crc ^= $_;
			$crc = $crc >> 1 ^ ($crc & 1 ? 0x82f63b78 : 0) for 1 .. 8;
		}
		print $index, pack("L<", $crc ^ ($ENV{SUM} // 0xffffffff)), $data' "$@" \
		>s/matrices/cell/gene/p.zip
}

# damaged TEXT CODEC CHUNK CHUNK: they are refused, in little memory, and that says why
damaged() {
	local want=$1
	shift
	packed "$@"
	refuse 3 bounded 65536 daf2taf s cell/gene/p
	grep -qF -- "$want" err || { cat err; return 1; }
	status 3 dafls s
	grep -q '^    p: faulty' out
}

@test "packed by zstd, blosc with zstd, blosc with lz4" {
	need zstd blosc
	packed zstd $zstd1 $unsized
	equal "$(got daf2taf s cell/gene/p)" "1 -300 517 1 -300 517"
	packed zstd $zstd1 $zstd2
	equal "$(got daf2taf s cell/gene/p)" "1 -300 517 4096 -5 32767"
	equal "$(got daf2taf s gene/cell/p)" "1 4096 -300 -5 517 32767"
	packed blosc_zstd_bitshuffle $blosc1 $blosc2
	equal "$(got daf2taf s cell/gene/p)" "1 -300 517 4096 -5 32767"
	equal "$(dafls s cell/gene/p)" \
		"cell/gene/p: 3 x 2 x Int16 in Columns (Dense, packed blosc_zstd_bitshuffle)"
	packed blosc_lz4_bitshuffle $lz41 $lz42
	equal "$(got daf2taf s cell/gene/p)" "1 -300 517 4096 -5 32767"
	# a chunk that is not stored
	EDIT='@p[0, 1] = (~0, ~0)' packed blosc_lz4_bitshuffle $lz41 $lz42
	equal "$(got daf2taf s cell/gene/p)" "0 0 0 4096 -5 32767"
}

# shellcheck disable=SC2016 # EDIT is for perl
@test "packed: the index lies about where chunks are" {
	need zstd
	SUM=0 damaged 'p.zip: the checksum of its index is wrong' zstd $zstd1 $zstd2
	EDIT='$p[2] = 1 << 40' damaged 'chunk 2 of 2: not in the file' zstd $zstd1 $zstd2
	EDIT='$p[3]++' damaged 'chunk 2 of 2: not in the file' zstd $zstd1 $zstd2
	EDIT='$p[3] = ~0' damaged 'chunk 2 of 2: not in the file' zstd $zstd1 $zstd2
	EDIT='$p[2] = $p[0]' damaged 'chunk 2 of 2: overlaps what is before it' zstd $zstd1 $zstd2
	EDIT='$p[1]++' damaged 'chunk 2 of 2: overlaps what is before it' zstd $zstd1 $zstd2
	EDIT='$p[0] = 20' damaged 'chunk 1 of 2: overlaps the index' zstd $zstd1 $zstd2
}

@test "packed: a damaged chunk is named, and no other layout serves for it" {
	need zstd blosc
	local b=blosc_zstd_bitshuffle
	echo '{"format":"dense","eltype":"Int16"}' >s/matrices/gene/cell/p.json
	le 's<' 1 4096 -300 -5 517 32767 >s/matrices/gene/cell/p.data
	damaged 'chunk 2 of 2: broken' zstd $zstd1 "${zstd2/fd60/fd68}"
	damaged 'chunk 2 of 2: broken' zstd $zstd1 "$blosc2"
	damaged 'chunk 2 of 2: ends early' zstd $zstd1 "${zstd2%6004}"
	damaged 'chunk 1 of 2: has bytes behind its end' zstd "${zstd1}00" $zstd2
	# a frame of zstd that is empty
	damaged 'chunk 1 of 2: decodes to too few bytes' zstd 28b52ffd2000010000 $zstd2
	# and one of 1280 zeros
	damaged 'chunk 1 of 2: decodes to too many bytes' zstd 28b52ffd60000403280000 $zstd2
	damaged 'chunk 2 of 2: no chunk of blosc' $b $blosc1 $zstd2
	damaged 'chunk 1 of 2: no chunk of blosc' $b "${blosc1%0b}" $blosc2
	damaged 'chunk 2 of 2: ends early' $b $blosc1 020194
	damaged 'chunk 2 of 2: another compression' $b $blosc1 $lz42
	damaged 'chunk 2 of 2: another compression' blosc_lz4_bitshuffle $lz41 $blosc2
	damaged 'chunk 1 of 2: decodes to another size' $b $short $blosc2
	damaged 'chunk 1 of 2: decodes to another size' $b "${blosc1/0200040000/02ffffff7f}" $blosc2
	damaged 'chunk 1 of 2: broken' $b "${blosc1/28b52ffd/28b52ffe}" $blosc2
}

@test "all stores of the corpus give the expected values" {
	need corpus numpy zlib zstd blosc
	mkdir c
	tar -C c -xJf "$TAF_CORPUS/daf/good.tar.xz"
	cd c
	"$PYTHON" - <<'END'
import glob, json, math, subprocess
import numpy as np

KINDS = {'Bool': 'u1', 'Int8': 'i1', 'UInt8': 'u1', 'Int16': 'i2', 'UInt16': 'u2', 'Int32': 'i4',
    'UInt32': 'u4', 'Int64': 'i8', 'UInt64': 'u8', 'Float32': 'f4', 'Float64': 'f8', 'Int': 'i8'}
KINDS = {k.lower(): v for k, v in KINDS.items()}
count = 0

def entries(store, item, want):
    p = subprocess.run(['dafls', '--entries', store, item], stdout=subprocess.PIPE, check=True)
    assert p.stdout == ''.join(x + '\n' for x in want).encode(), (store, item)

def array(store, item, kind, shape):
    p = subprocess.run(['daf2taf', store, item], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert p.returncode == 0, (store, item, p.stderr)
    raw = subprocess.run(['taf2raw', '-r'], input=p.stdout, stdout=subprocess.PIPE, check=True)
    return np.frombuffer(raw.stdout, '<' + KINDS[kind.lower()]).reshape(shape, order='F')

def number(x, a):
    if isinstance(x, str):
        x = float(x.replace('Infinity', 'inf'))
    return a.dtype.type(x).item() if a.dtype.kind == 'f' else int(x)

def check(store, item, d, shape, want):
    global count
    count += 1
    if d['eltype'].lower() == 'string':
        if want is not None:
            entries(store, item, np.array(want, object).flatten(order='F'))
        return
    a = array(store, item, d['eltype'], shape)
    if want is None:
        assert a.sum(dtype='f8') == d['sum'] and (a != 0).sum() == d['nonzero'], (store, item)
    else:
        want = np.array(want, object).reshape(shape)
        for x, y in zip(want.flat, a.flat):
            x = number(x, a)
            assert x == y or (x != x and y != y), (store, item, x, y)

for file in sorted(glob.glob('*.expected.json')):
    store = file[:-len('.expected.json')]
    d = json.load(open(file))
    n = {k: len(v) for k, v in d['axes'].items()}
    for k, v in d['scalars'].items():
        check(store, k, {'eltype': v['type']}, (1, 1), [[v['value']]])
    for k, v in d['axes'].items():
        entries(store, k, v)
    for axis, vectors in d['vectors'].items():
        for k, v in vectors.items():
            check(store, axis + '/' + k, v, (n[axis], 1), [[x] for x in v['values']])
    for pair, matrices in d['matrices'].items():
        r, c = pair.split(',')
        for k, v in matrices.items():
            check(store, '/'.join((r, c, k)), v, (n[r], n[c]), v.get('rows'))
# one store, packed in four ways; two have no values of their own
gz = 'real-julia-packed-gz-v11'
d = json.load(open(gz + '.expected.json'))
n = {k: len(v) for k, v in d['axes'].items()}
for store in ('real-julia-packed-bl-v11', 'real-julia-packed-bz-v11'):
    for k, v in d['vectors']['cell'].items():
        check(store, 'cell/' + k, v, (n['cell'], 1), [[x] for x in v['values']])
    for pair, matrices in d['matrices'].items():
        r, c = pair.split(',')
        for k, v in matrices.items():
            check(store, '/'.join((r, c, k)), v, (n[r], n[c]), v.get('rows'))
print(count, 'items')
assert count > 200
END
}

@test "an item that another one replaces while it is read: 3" {
	local how
	mkdaf st
	seq 400000 >st/axes/c.txt
	mkdir -p st/vectors/c
	for how in '' --sparse; do
		tafmath -n 400000 'where(x1 % 2 > 0, x1, 0)' | taf2daf -f $how st c/v
		mkfifo pipe
		daf2taf st c/v >pipe 2>err &
		{
			head -c 1 >/dev/null
			tafmath -n 400000 'where(x1 % 2 > 0, -x1, 0)' | taf2daf -f $how st c/v
			cat >/dev/null
		} <pipe
		status=0
		wait $! || status=$?
		rm pipe
		equal "$status $(<err)" '3 daf2taf: st: vectors/c/v: changed while it was read'
	done
	# whoever writes it back waits for the reader's end
	daf2taf st c/v | tafmath -- -a | taf2daf -f st c/v
	daf2taf st c/v | tafcompare -q - <(tafmath -n 400000 'where(x1 % 2 > 0, x1, 0)')
}
