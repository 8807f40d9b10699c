# SPDX-License-Identifier: ISC
load helper
load rowmajor

@test "every format: numbers, full scale, channels first, or time with --split" {
	need numpy
	python <<'EOF'
def fmt(code, ch, rate, bits, valid=None, mask=0):
    a = ch * bits // 8
    if valid is None:
        return struct.pack('<HHIIHH', code, ch, rate, rate * a, a, bits)
    return struct.pack('<HHIIHHHHIH', 0xfffe, ch, rate, rate * a, a, bits, 22, valid, mask, code) + \
        bytes.fromhex('000000001000800000aa00389b71')
def chunk(id, b):
    return id + struct.pack('<I', len(b)) + b + b'\0' * (len(b) % 2)
def riff(*chunks, size=None, id=b'RIFF'):
    b = b'WAVE' + b''.join(chunks)
    return id + struct.pack('<I', len(b) if size is None else size) + b
tail = bytes.fromhex('f3acd3118cd100c04f8edb8a')
def wide(id, b):
    return id + tail + struct.pack('<Q', len(b) + 24) + b + b'\0' * (-len(b) % 8)
def w64(*chunks):
    b = b'wave' + tail + b''.join(chunks)
    return b'riff' + bytes.fromhex('2e91cf11a5d628db04c10000') + struct.pack('<Q', len(b) + 24) + b
def samples(kind, shape):
    if kind == 'i3':
        return noise('<i4', shape) >> 8
    return noise({'u1': 'u1', 'i2': '<i2', 'i4': '<i4', 'f4': '<f4', 'f8': '<f8'}[kind], shape)
def raw(x, kind):
    b = x.tobytes()
    return b''.join(b[k:k + 3] for k in range(0, len(b), 4)) if kind == 'i3' else b
def check(file, x, kind, rate):
    open('a.wav', 'wb').write(file)
    n, ch = x.shape
    for option in [], ['--split']:
        subprocess.run(['wav2taf', *option, 'a.wav', '-o', 'a.taf'], check=True)
        got, tail = load_taf('a.taf')
        same(got, x if option or ch == 1 else x.T.copy(order='F'))
        time = 1 if option or ch == 1 else 2
        assert 'unit@%d=s\n' % time in tail
        head = open('a.taf', 'rb').read(1200)
        slope = struct.unpack_from('<dd', head, 1032)
        bits = {'u1': 8, 'i2': 16, 'i3': 24, 'i4': 32}.get(kind)
        if bits:
            assert set(slope) == {2.0 ** (1 - bits), -1.0 if bits == 8 else 0.0}, slope
        step = struct.unpack_from('<dd', head, 1056 + 24 * (time - 1) + 8)
        assert step == (0, 1 / rate), step
    assert open('a.wav', 'rb').read() == file
    return subprocess.run('cat a.wav | wav2taf | tafread | tail -n 1', shell=True, check=True, capture_output=True).stdout
for n, (kind, code, bits) in enumerate((('u1', 1, 8), ('i2', 1, 16), ('i3', 1, 24), ('i4', 1, 32), ('f4', 3, 32), ('f8', 3, 64))):
    for ch in 1, 2 + n:
        x = samples(kind, (101 + n, ch))
        rate = (8000, 44100, 48000, 250000, 7, 96000)[n]
        data = chunk(b'data', raw(x, kind))
        f = fmt(code, ch, rate, bits)
        last = check(riff(chunk(b'fmt ', f), chunk(b'LIST', b'INFOx'), data, chunk(b'cue ', b'123')), x, kind, rate)
        if kind == 'u1':
            assert float(last) == (int(x[-1, -1]) - 128) / 128
        if kind == 'i3':
            assert float(last) == int(x[-1, -1]) / 2 ** 23
        check(riff(chunk(b'JUNK', bytes(28)), chunk(b'fmt ', fmt(code, ch, rate, bits, bits, 3)), data), x, kind, rate)
        # as pipes write it: to the end, whatever the sizes say
        for size, total in () if ch == 1 else ((0xffffffff, 0xffffffff), (0, 0), (0x7ffff000, 0x7ffff024)):
            check(riff(chunk(b'fmt ', f), b'data' + struct.pack('<I', size) + raw(x, kind), size=total), x, kind, rate)
        for id in (b'RF64', b'BW64')[n % 2:]:
            check(riff(chunk(b'ds64', struct.pack('<QQQI', 0, len(raw(x, kind)), len(x), 0)), chunk(b'fmt ', f),
                b'data\xff\xff\xff\xff' + raw(x, kind), b'12345', size=0xffffffff, id=id), x, kind, rate)
        check(w64(wide(b'fmt ', f), wide(b'fact', bytes(4)), wide(b'data', raw(x, kind))), x, kind, rate)
        # RIFX, big-endian, plain and extensible
        order = {'u1': '>u1', 'i2': '>i2', 'i3': '>i4', 'i4': '>i4', 'f4': '>f4', 'f8': '>f8'}[kind]
        big = x.astype(order).tobytes()
        big = b''.join(big[k + 1:k + 4] for k in range(0, len(big), 4)) if kind == 'i3' else big
        a = ch * bits // 8
        for more in b'', struct.pack('>HHIIHH', 22, bits, 3, code, 0, 16) + bytes.fromhex('800000aa00389b71'):
            f = struct.pack('>HHIIHH', 0xfffe if more else code, ch, rate, rate * a, a, bits) + more
            f = b'fmt ' + struct.pack('>I', len(f)) + f + b'data' + struct.pack('>I', len(big)) + big + b'\0' * (len(big) % 2)
            check(b'RIFX' + struct.pack('>I', 4 + len(f)) + b'WAVE' + f, x, kind, rate)
bad = {
    'format 0x6 of 8 bits': riff(chunk(b'fmt ', fmt(6, 1, 8000, 8)), chunk(b'data', b'12')),
    'format 0x1 of 12 bits': riff(chunk(b'fmt ', fmt(1, 2, 8000, 12)), chunk(b'data', b'123')),
    'format 0x3 of 16 bits': riff(chunk(b'fmt ', fmt(3, 2, 8000, 16)), chunk(b'data', b'1234')),
    '0 channels': riff(chunk(b'fmt ', fmt(1, 0, 8000, 16)), chunk(b'data', b'1234')),
    '0 Hz': riff(chunk(b'fmt ', fmt(1, 1, 0, 16)), chunk(b'data', b'1234')),
    'in frames of 5 bytes': riff(chunk(b'fmt ', fmt(1, 2, 8000, 16)[:12] + b'\5\0\20\0'), chunk(b'data', b'1234')),
    'a fmt chunk of 14 bytes': riff(chunk(b'fmt ', fmt(1, 2, 8000, 16)[:14]), chunk(b'data', b'1234')),
    'before any fmt chunk': riff(chunk(b'data', b'1234')),
    'no data chunk': riff(chunk(b'fmt ', fmt(1, 2, 8000, 16))),
    'data chunk: 9999 bytes at': riff(chunk(b'fmt ', fmt(1, 2, 8000, 16)), b'data' + struct.pack('<I', 9999) + b'1234'),
    'it ends inside a frame: 1 of 2 bytes': riff(chunk(b'fmt ', fmt(1, 1, 8000, 16)), b'data\xff\xff\xff\xff12345', size=0xffffffff),
    'it ends inside a frame: 2 of 4 bytes': riff(chunk(b'fmt ', fmt(1, 2, 8000, 16)), b'data\0\0\0\x00123456', size=0),
    'a ds64 chunk of 4 bytes': riff(chunk(b'ds64', b'1234'), id=b'RF64'),
    'a chunk of 5 bytes': w64(b'fmt ' + tail + struct.pack('<Q', 5) + bytes(40)),
    'not a WAVE file': b'RIFF\4\0\0\0AVI ' + bytes(40),
}
for fact, file in bad.items():
    open('a.wav', 'wb').write(file)
    p = subprocess.run(['wav2taf', 'a.wav'], capture_output=True)
    assert p.returncode == 3 and p.stdout == b'', (fact, p)
    assert p.stderr.startswith(b'wav2taf: a.wav: ') and fact in p.stderr.decode(), (fact, p.stderr)
EOF
}

@test "what is left out is told, and the command is told by the first bytes" {
	cp "$BATS_TEST_DIRNAME/fuzz/corpus/wav/f32" a.wav
	perl -e 'open my $f, "+<:raw", "a.wav"; seek $f, 40, 0; print $f pack "V", 58'
	wav2taf a.wav -o a.taf 2>err
	equal "$(cat err)" "wav2taf: a.wav: 2 bytes behind the last record are left out"
	equal "$(tafprobe -k n1 a.taf)" 14
	for k in a16 rf64 w64; do
		cp "$BATS_TEST_DIRNAME/fuzz/corpus/wav/$k" a.wav
		refuse 3 tafread a.wav
		grep -q 'a WAVE file (use wav2taf)' err
	done
	# the attributes of an extensible format
	cp "$BATS_TEST_DIRNAME/fuzz/corpus/wav/c24" a.wav
	equal "$(wav2taf -q a.wav | tafprobe -k wav/bits) $(wav2taf -q a.wav | tafprobe -k wav/mask)" "20 7"
}

@test "what sox and Python's wave module write" {
	command -v sox >/dev/null || skip "no sox"
	need numpy
	python <<'EOF'
import wave
x = noise('<i2', (500, 2))
with wave.open('a.wav', 'wb') as w:
    w.setnchannels(2)
    w.setsampwidth(2)
    w.setframerate(44100)
    w.writeframes(x.tobytes())
for words, shift in (('-b 16 b.wav', 0), ('-b 24 b.wav', 8), ('-b 32 b.wav', 16), ('-b 24 b.w64', 8), ('-e floating-point b.wav', None)):
    subprocess.run('sox -D a.wav ' + words, shell=True, check=True)
    subprocess.run(['wav2taf', '--split', '-q', words.split()[-1], '-o', 'b.taf'], check=True)
    got = load_taf('b.taf')[0]
    want = x.astype('<i4') << shift if shift else x if shift == 0 else (x / 32768).astype('<f4')
    same(got, want)
EOF
}
