# SPDX-License-Identifier: ISC
load helper
load segy

@test "a file that is converted and back is the same file" {
	need numpy
	segy_python <<'END'
n = 0
for code in (1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 15, 16):
    for big in True, False:
        for revision in (0, 1, 2) if big and code in (1, 2, 3, 5, 8) else (2,):
            n += 1
            size = {1: 4, 7: 3, 15: 3}.get(code)
            if code == 1:
                rows = [[0xC276A000, 0x40800000, 0, 0x41100000] + [(k * 7919 + j * 104729) % 2 ** 20 * 8 + 2 ** 23 + ((64 + (j + k) % 9) << 24) for j in range(7)] for k in range(6)]
            else:
                rows = noise(TYPES[code], (6, 11)) if size is None else [[(k * 7919 + j * 104729) % 2 ** 24 for j in range(11)] for k in range(6)]
            words = lambda k: dict(sx=k * 7 - 9, offset=-k, iline=3 + k // 3, xline=k % 3, delrt=-4, scalco=-100, cdp=77, muts=k)
            more = revision == 2 and n % 2
            segy('a.sgy', rows, code, big, revision, [text(['x', 'y'])] * (n % 3 if revision else 0), words=words, more=more,
                encoding=('cp037', 'ascii')[n % 2], jobid=99, fold=7, fixed=revision > 0, dt=(4000, 250)[n % 2])
            run('segy2taf a.sgy -o a.taf && segy2taf --headers a.sgy -o h.taf && segy2taf --headers --raw a.sgy -o r.taf')
            whole = open('a.sgy', 'rb').read()
            assert run('taf2segy --headers r.taf a.taf') == whole, (code, big, revision)
            if not more:
                assert run('taf2segy --headers h.taf a.taf') == whole, (code, big, revision)
            assert run('segy2taf a.sgy | taf2segy --like a.sgy') == whole, (code, big, revision)
# text that has no place in a comment
b = bytearray(whole)
b[100:105] = b'\0\1\2\xff\4'
open('a.sgy', 'wb').write(b)
run('segy2taf a.sgy -o a.taf')
assert run('taf2segy --headers r.taf a.taf') == bytes(b)
# SU
for big in True, False:
    whole = segy('a.su', noise('f4', (5, 12)), 5, big, su=True, words=lambda k: dict(sx=k - 2, tscalar=5))
    run('segy2taf --su a.su -o a.taf && segy2taf --su --headers a.su -o h.taf')
    assert run('taf2segy --su --headers h.taf a.taf') == whole
    assert run('taf2segy --su --like a.su a.taf') == whole
END
}

@test "what is made anew: grids, headers and text" {
	need numpy
	segy_python <<'END'
def made(line):
    open('got.sgy', 'wb').write(run(line))
    b = open('got.sgy', 'rb').read()
    h, tail, said = taken('segy2taf --headers got.sgy')
    return b, dict(zip(NAMES, h)), said
a = noise('i2', (4, 5, 3)).copy()
save_taf('a.taf', a)
run('tafadjust --start 1=8 --step 1=2 --unit 1=ms --start 2=100 --step 2=5 --start 3=-7 -i a.taf')
b, h, said = made('taf2segy a.taf')
assert len(b) == 3600 + 15 * 248 and b[:3] == text([])[:3]
assert struct.unpack('>H', b[3216:3218]) == (2000,) and struct.unpack('>3h', b[3500:3506]) == (256, 1, 0)
assert list(h['tracl']) == list(range(1, 16)) and set(h['trid']) == {1} and set(h['delrt']) == {8} and set(h['ns']) == {4}
assert list(h['xline'][:6]) == [100, 105, 110, 115, 120, 100] and list(h['iline'][4:6]) == [-7, -6]
same(taken('segy2taf --by iline,xline got.sgy')[0], a)
# labels that are keys
run('tafadjust --label 2=cdp --label 3=fldr -i a.taf')
b, h, said = made('taf2segy a.taf')
assert list(h['cdp'][:2]) == [100, 105] and h['fldr'][14] == -5 and set(h['iline']) == {0}
# delays by scale, intervals by revision
for start, step, unit, status, want in (('0.5', '1', 'ms', 0, (5, -10)), ('0.0001', '0.001', 's', 0, (1, -10)), ('0', '0.25', 'us', 3, None),
        ('0', '0.1', 's', 3, None), ('1e-9', '0.001', 's', 3, None), ('40', '0.004', 's', 3, None), ('0', '1', 'm', 3, None)):
    run('tafadjust --start 1=%s --step 1=%s --unit 1=%s a.taf -o b.taf' % (start, step, unit))
    run('taf2segy b.taf -o x.sgy', status)
    if want:
        h = made('taf2segy b.taf')[1]
        assert (h['delrt'][0], h['tscalar'][0]) == want, h
        same(np.float64(run('tafprobe -k o1 x.sgy 2>/dev/null || segy2taf x.sgy | tafprobe -k o1 -')), np.float64(start) / (1000 if unit == 'ms' else 1))
run('tafadjust --start 1=0 --step 1=0.25 --unit 1=us a.taf -o b.taf')
assert run('taf2segy --revision 2 b.taf | segy2taf | tafprobe -k d1 -') == b'2.5e-7\n'
# lengths
save_taf('l.taf', noise('i1', (65536, 2)))
run('tafadjust --step 1=0.001 -i l.taf')
assert '65536' in run('taf2segy l.taf', 3) and '65536' in run('taf2segy --su l.taf', 3)
same(taken('taf2segy --revision 2 l.taf | segy2taf')[0], noise('i1', (65536, 2)))
# text: the comment, one of a file, what is too long
run('tafcomment --set "$(printf "first\nsecond")" a.taf -o c.taf')
assert run('taf2segy c.taf | segy2taf --text').startswith(b'C 1 first\nC 2 second\n\n')
assert run('taf2segy a.taf | segy2taf --text').startswith(b'C 1 made by taf2segy\n\n')
open('t', 'w').write('C any\n' + 'x' * 90 + '\n')
p = subprocess.run('taf2segy --text t a.taf | segy2taf --text', shell=True, capture_output=True)
assert p.stdout.startswith(b'C any\n' + b'x' * 80 + b'\n\n') and b'40 lines' in p.stderr, p
# headers of a few words; words that do not fit
run('tafmath -n 1,15 "i2 * 1000" -t int64 | tafput segy/keys=sx - -o k.taf')
b, h, said = made('taf2segy --headers k.taf a.taf')
assert list(h['sx']) == [1000 * k for k in range(1, 16)] and h['tracr'][14] == 15 and h['fldr'][14] == -5
run('tafmath -n 1,15 "i2 * 10000" -t int64 | tafput segy/keys=trwf - -o k2.taf')
assert 'trace 4: 40000 does not fit the word trwf' in run('taf2segy --headers k2.taf a.taf -o x.sgy', 3)
assert 'headers of 15 traces, but there are 2' in run('taf2segy --headers k.taf --revision 2 l.taf', 3)
assert 'segy/keys' in run('taf2segy --headers a.taf a.taf', 3)
run('taf2segy a.taf -o a.sgy')
assert '15' in run('taf2segy --like a.sgy l.taf', 3)
for words in '--format 4', '--su --revision 1', '--like a.sgy --order big', '--order x':
    run('taf2segy %s a.taf' % words, 2)
run('cat a.taf c.taf | taf2segy', 3)
for f in glob.glob('x.sgy'):
    os.unlink(f)
run('(segy2taf a.sgy; segy2taf a.sgy) | taf2segy -o x.sgy', 3)
assert not os.path.exists('x.sgy')
END
}

@test "values become samples: IBM to the nearest, integers that fit, mappings applied" {
	need numpy
	segy_python <<'END'
def samples(line, kind, n):
    b = run(line + ' | tail -c +3601')
    return [struct.unpack(kind, b[k + 240:k + 240 + struct.calcsize(kind)]) for k in range(0, len(b), 240 + struct.calcsize(kind))]
def nearest_ibm(v):
    v = Fraction(v); s = v < 0; v = abs(v)
    if v == 0:
        return 0
    e = -64
    while v >= Fraction(16) ** e:
        e += 1
    q = v * Fraction(16) ** -e * 2 ** 24
    f = q.numerator // q.denominator
    r = q - f
    f += r > Fraction(1, 2) or (r == Fraction(1, 2) and f % 2)
    if f == 2 ** 24:
        f, e = 2 ** 20, e + 1
    return s << 31 | (e + 64) << 24 | f
v = np.array([1, -118.625, .5, 100, 0, 3.14159274, 1e-30, -1e38, 2 ** -149, 16777215, 16777217., 1 / 3, 15.9999999, -0.1,
    1 + 2 ** -21, 1 + 2 ** -20, 1 + 3 * 2 ** -21, 1 + 2 ** -21 + 2 ** -40, 5e-79, 1e-80, 1e-90, 7.2e75, 16 - 2 ** -22, 2. ** 251], 'f8')
save_taf('v.taf', v.reshape(-1, 1))
run('tafadjust --step 1=0.001 -i v.taf')
got = samples('taf2segy -q --format 1 v.taf', '>%dI' % len(v), len(v))[0]
assert list(got) == [nearest_ibm(x) for x in v], [(x, hex(g), hex(nearest_ibm(x))) for x, g in zip(v, got) if g != nearest_ibm(x)]
for bad in np.nan, np.inf, 7.3e75, -1e300:
    w = v.copy(); w[7] = bad
    save_taf('w.taf', w.reshape(-1, 1)); run('tafadjust --step 1=0.001 -i w.taf')
    assert 'trace 1, sample 8' in run('taf2segy --format 1 w.taf', 3)
# the default is flt32, rounded with a remark; integers stay
run('taf2segy -o x.sgy v.taf', 3)
save_taf('w.taf', v[:10].reshape(-1, 1)); run('tafadjust --step 1=0.001 -i w.taf')
p = subprocess.run('taf2segy -o x.sgy w.taf', shell=True, capture_output=True)
assert p.returncode == 0 and b'rounded' in p.stderr, p
same(taken('segy2taf x.sgy')[0], v[:10].astype('f4').reshape(-1, 1))
save_taf('i.taf', np.array([[5, -7], [2 ** 23 - 1, -2 ** 23]], 'i4'), (0.5, 0.25))
run('tafadjust --step 1=0.001 -i i.taf')
assert samples('taf2segy i.taf', '>2f', 2)[1] == (0.5 - 1.75, 0.5 + 0.25 * -2 ** 23)
assert samples('taf2segy -r i.taf', '>2i', 2)[0] == (5, 2 ** 23 - 1)
assert [list(x) for x in samples('taf2segy -r --format int24 i.taf', '>6B', 2)] == [[0, 0, 5, 127, 255, 255], [255, 255, 249, 128, 0, 0]]
run('taf2segy -r --format uint24 i.taf -o x.sgy', 3)
assert samples('taf2segy -r --format 7 --order little i.taf', '6B', 2)[0] == (5, 0, 0, 255, 255, 127)
run('taf2segy -r --format int16 i.taf', 3)
assert 'revision 1 has no' in run('taf2segy --revision 1 --format 6 i.taf', 3)
END
}
