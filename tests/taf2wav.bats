# SPDX-License-Identifier: ISC
# What is run while each call of it fails in turn (faults.bats).
# in turn: - -q -o x.wav small.taf

load helper
load rowmajor

@test "what wav2taf has read comes out byte for byte" {
	need numpy
	python <<'EOF'
def fmt(code, ch, rate, bits):
    a = ch * bits // 8
    return struct.pack('<HHIIHH', code, ch, rate, (rate * a) & 0xffffffff, a, bits)
def riff(f, b):
    all = b'WAVEfmt ' + struct.pack('<I', len(f)) + f + b'data' + struct.pack('<I', len(b)) + b + b'\0' * (len(b) % 2)
    return b'RIFF' + struct.pack('<I', len(all)) + all
for code, bits in (1, 8), (1, 16), (1, 24), (1, 32), (3, 32), (3, 64):
    for ch, rate in (1, 44100), (3, 192000):
        file = riff(fmt(code, ch, rate, bits), noise('u1', (ch * bits // 8 * 35,)).tobytes())
        open('a.wav', 'wb').write(file)
        for words in 'wav2taf a.wav | taf2wav', 'wav2taf --split a.wav | taf2wav -J 1 -m 64k', \
                'wav2taf a.wav -o a.taf; taf2wav a.taf -o b.wav; cat b.wav':
            got = subprocess.run(words, shell=True, check=True, capture_output=True)
            assert got.stdout == file, (code, bits, ch, words)
            assert got.stderr == b''
# an array of other numbers: its values; lines of any dimensions are channels
a = noise('<i2', (50, 2, 3))
save_taf('a.taf', a, (1.0, 0.5))
subprocess.run('tafadjust --step 1=0.125 a.taf | taf2wav -o b.wav', shell=True, check=True)
assert open('b.wav', 'rb').read() == riff(fmt(3, 6, 8, 64), (a.reshape(50, 6, order='F') * .5 + 1).tobytes())
save_taf('a.taf', a)
subprocess.run('tafadjust --step 1=0.125 a.taf | taf2wav -o b.wav', shell=True, check=True)
assert open('b.wav', 'rb').read() == riff(fmt(1, 6, 8, 16), a.reshape(50, 6, order='F').tobytes())
x = np.array([-2 ** 23, 2 ** 23 - 1, -1, 5], '<i4')
save_taf('x.taf', x)
subprocess.run(['taf2wav', '--bits', '24', 'x.taf', '-o', 'b.wav'], check=True)
assert open('b.wav', 'rb').read() == riff(fmt(1, 1, 1, 24), bytes.fromhex('000080ffff7fffffff050000'))
for k in 2 ** 23, -2 ** 23 - 1:
    x[3] = k
    save_taf('x.taf', x)
    p = subprocess.run(['taf2wav', '--bits', '24', 'x.taf'], capture_output=True)
    assert p.returncode == 3 and p.stdout == b'' and b'does not fit 24 bits' in p.stderr, p
EOF
}

@test "what a WAVE file has no form for is refused before a byte goes out" {
	mktaf a.taf int16 8,2
	while IFS='#' read -r change fact; do
		eval "$change" >b.rsf
		refuse 3 taf2wav b.rsf
		grep -qF "$fact" err
	done <<-'END'
		tafadjust --step 1=0.3 a.taf#a step of 0.3 s is no whole number of Hz
		tafadjust --step 1=-1 a.taf#a step of -1 s is no whole number of Hz
		tafadjust --unit 1=mm a.taf#dimension 1: its unit is mm, not s
		tafcast -t uint16 a.taf#elements of type uint16
		tafmath 'complex(a,a)' a.taf#elements of type complex
		tafcrop -x 2=1 a.taf | tafrepeat --times 2=70000#70000 channels, a WAVE file has 1 to 65535
		tafcat a.taf a.taf#several arrays: a WAVE file holds one (use -N K)
	END
	tafadjust --slope 0.5 --intercept 0 a.taf | tafcast -t int32 >b.rsf
	refuse 3 taf2wav --bits 24 a.taf
	grep -q 'type int16: --bits 24 is for int32' err
	refuse 2 taf2wav --bits 16 a.taf
	tafcomment --set text a.taf | tafadjust --start 1=5 | taf2wav -o b.wav 2>err
	equal "$(cat err)" "taf2wav: a WAVE file has no place for: grid, comment"
}

@test "sox and Python's wave module read it" {
	command -v sox >/dev/null || skip "no sox"
	need numpy
	python <<'EOF'
import wave
x = noise('<i2', (500, 2))
save_taf('x.taf', x)
subprocess.run('tafadjust --step 1=0.000125 x.taf | taf2wav -o x.wav', shell=True, check=True)
with wave.open('x.wav') as w:
    assert (w.getnchannels(), w.getsampwidth(), w.getframerate(), w.getnframes()) == (2, 2, 8000, 500)
    assert w.readframes(500) == x.tobytes()
got = subprocess.run('sox x.wav -t raw -b 16 -e signed -L -', shell=True, check=True, capture_output=True).stdout
assert got == x.tobytes()
EOF
}
