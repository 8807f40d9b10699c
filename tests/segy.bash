# SPDX-License-Identifier: ISC
# What the tests of the SEG-Y converters share: what they know of SEG-Y they know from here.

load rowmajor

# python: as that of rowmajor, with segy.py, too
segy_python() {
	cat >segy.py <<'END'
import struct
import subprocess
from fractions import Fraction
from formats import *

KEYS = '''tracl4 tracr4 fldr4 tracf4 ep4 cdp4 cdpt4 trid2 nvs2 nhs2 duse2 offset4 gelev4 selev4
sdepth4 gdel4 sdel4 swdep4 gwdep4 scalel2 scalco2 sx4 sy4 gx4 gy4 counit2 wevel2 swevel2 sut2 gut2
sstat2 gstat2 tstat2 laga2 lagb2 delrt2 muts2 mute2 ns2 dt2 gain2 igc2 igi2 corr2 sfs2 sfe2 slen2
styp2 stas2 stae2 tatyp2 afilf2 afils2 nofilf2 nofils2 lcf2 hcf2 lcs2 hcs2 year2 day2 hour2 minute2
sec2 timbas2 trwf2 grnors2 grnofr2 grnlof2 gaps2 otrav2 cdpx4 cdpy4 iline4 xline4 shnum4 shsca2
tval2 tconst44 tconst22 tunits2 device2 tscalar2 stype2 sendir4 unknown2 smeas44 smeas22 smeasu2
unass14 unass24'''.split()
KEYS = [(k[:-1], int(k[-1])) for k in KEYS]
NAMES = [k for k, n in KEYS]
TYPES = {2: 'i4', 3: 'i2', 5: 'f4', 6: 'f8', 8: 'i1', 9: 'i8', 10: 'u4', 11: 'u2', 12: 'u8',
    16: 'u1'}

# the value of an IBM word, exactly
def ibm_value(w):
    v = Fraction(w & 0xffffff, 1 << 24) * Fraction(16) ** ((w >> 24 & 127) - 64)
    return -v if w >> 31 else v

def text(lines, code='cp037'):
    cards = [('C%2d %s' % (i + 1, lines[i] if i < len(lines) else '')).ljust(80)[:80]
        for i in range(40)]
    return ''.join(cards).encode(code)

# a trace header of these words
def header(big, **words):
    out = b''
    for k, n in KEYS:
        kind = {4: 'i', 2: 'H' if k in ('ns', 'dt') else 'h'}[n]
        out += struct.pack('<>'[big] + kind, words.get(k, 0))
    assert len(out) == 240
    return out

def binary(big, **words):
    b = bytearray(400)
    at = dict(jobid='1i', hdt='17H', hns='21H', format='25h', fold='27h', mfeet='55h', ns2='69I',
        dt2='73d', mark='97I', major='301B', minor='302B', fixed='303h', extended='305h',
        more='307i', traces='313Q', first='321Q', trailer='329i')
    for k, v in words.items():
        place, kind = int(at[k][:-1]), at[k][-1]
        struct.pack_into('<>'[big] + kind, b, place - 1, v)
    return bytes(b)

# the bytes of samples that formats without a type of numpy have, as integers
def pack(code, row, big):
    if code in TYPES:
        return np.asarray(row).astype('<>'[big] + TYPES[code]).tobytes()
    size = {1: 4, 7: 3, 15: 3}[code]
    return b''.join((int(v) % 256 ** size).to_bytes(size, 'big' if big else 'little') for v in row)

# a file of the rows; words(k) are the words of trace k beside those that all have
def segy(path, rows, code, big=True, revision=1, extended=(), words=lambda k: {}, dt=4000, more=0,
    encoding='cp037', su=False, **reel):
    ns = len(rows[0])
    b = dict(hdt=dt, hns=ns, format=code, major=revision, extended=len(extended))
    if revision == 2:
        b.update(mark=0x01020304, more=more)
    b.update(reel)
    out = b'' if su else text(['a line', 'of %d' % code], encoding) + binary(big, **b) + b''.join(extended)
    for k, row in enumerate(rows):
        w = dict(tracl=k + 1, tracr=k + 1, trid=1, ns=len(row), dt=dt)
        w.update(words(k))
        out += header(big, **w) + b'\7' * 232 * more + b'SEG00001' * more + pack(code, row, big)
    open(path, 'wb').write(out)
    return out

def run(line, status=0):
    p = subprocess.run(line, shell=True, capture_output=True)
    assert p.returncode == status, (line, p.returncode, p.stderr)
    return p.stdout if status == 0 else p.stderr.decode()

# what a converter makes, as an array and the text behind it
def taken(line):
    said = subprocess.run(line + ' -o got.taf', shell=True, capture_output=True)
    assert said.returncode == 0, (line, said.stderr)
    a, tail = load_taf('got.taf')
    return a, tail, said.stderr.decode()
END
	{ echo 'from segy import *'; cat; } | python "$@"
}
