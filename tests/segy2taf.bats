# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016 # what stands between single quotes is for another shell
load helper
load segy

@test "samples of all formats, in both orders, of all revisions" {
	need numpy
	segy_python <<'END'
n = 0
for code in (1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 15, 16):
    for big in True, False:
        revision = n % 3 if big else 2
        n += 1
        if code in TYPES:
            rows = noise(TYPES[code], (5, 13 + n))
        elif code == 1:
            rows = [[0x42640000, 0xC276A000, 0x40800000, 0, 0x41100000, 0x80000000] + [
                (k * 7919 + j * 104729) % 2 ** 24 + ((56 + (j + k) % 16) << 24) for j in range(9)] for k in range(5)]
        else:
            rows = [[(k * 7919 + j * 104729) % 2 ** 24 for j in range(11)] for k in range(5)]
        extended = [text(['more %d' % i]) for i in range(n % 3)] if revision else []
        segy('a.sgy', rows, code, big, revision, extended, more=revision == 2 and n % 2)
        a, tail, said = taken('segy2taf a.sgy')
        if code in TYPES:
            same(a, rows.T)
        elif code == 1:
            want = [[float(ibm_value(w)) for w in row] for row in rows]
            same(a, np.where(np.array(rows).T == 1 << 31, np.float32(-0.0), np.array(want, 'f4').T))
            assert list(a[:5, 0]) == [100, -118.625, .5, 0, 1]
        elif code == 7:
            same(a, np.array([[v - (v >> 23 << 24) for v in row] for row in rows], 'i4').T)
        else:
            same(a, np.array(rows, 'u4').T)
        assert said == '', said
        # and through a pipe, with the number of traces and without, on one thread
        for words in '', '--traces 5', '-J 1', '-m 1k':
            assert run('cat a.sgy | segy2taf %s -F taf' % words) == open('got.taf', 'rb').read()
        # extended text
        assert tail.count('C 1') == 1 and ('segy/extended' in tail) == bool(extended)
END
}

@test "IBM's floats of any exponent round to the nearest" {
	need numpy
	segy_python <<'END'
def nearest(v):
    # half to even, by exact fractions
    m, s = abs(v), -1 if v < 0 else 1
    if m == 0:
        return 0.0
    e = max(-149, int(np.floor(np.log2(float(m)))) - 23) if m > Fraction(1, 2 ** 1000) else -149
    q = m / Fraction(2) ** e
    f = q.numerator // q.denominator
    r = q - f
    f += r > Fraction(1, 2) or (r == Fraction(1, 2) and f % 2)
    return s * float(f * Fraction(2) ** e)
words = [s << 31 | e << 24 | f for s in (0, 1) for e in range(0, 96)
    for f in (1, 3, 0x800000, 0xffffff, 0x123456, 0x0f0001, 0x100000, 5 << 17)]
words = [w for w in words if abs(ibm_value(w)) < 2 ** 128]
# denormals, halves: 1.5, 2.5 and 0.5 units of 2^-149
words += [s << 31 | e << 24 | f for s in (0, 1) for e in range(26, 36) for f in range(1, 200, 3)]
segy('a.sgy', [words], 1)
a, tail, said = taken('segy2taf a.sgy')
want = np.array([nearest(ibm_value(w)) for w in words])
assert (a[:, 0] == want).all(), [hex(w) for w, x, y in zip(words, a[:, 0], want) if x != y][:9]
lost = sum(Fraction(float(x)) != ibm_value(w) for x, w in zip(a[:, 0], words))
assert str(lost) in said, (lost, said)
for w in 0x7fffffff, 0xffffffff, 0x61100000:
    segy('b.sgy', [[0x41100000] * 9, [0x41200000] * 7 + [w, 0]], 1)
    assert 'trace 2, sample 8 is beyond' in run('segy2taf b.sgy -o b.taf', 3)
    a, tail, said = taken('segy2taf --clip b.sgy')
    assert abs(a[7, 1]) == np.finfo('f4').max and (a[7, 1] < 0) == (w >> 31), a
    assert '1 of 18' in said or '1 ' in said, said
END
}

@test "the grid: interval, delay, and what differs" {
	need numpy
	segy_python <<'END'
def grid(**how):
    w = how.pop('words', lambda k: {})
    segy('a.sgy', np.arange(33, dtype='i2').reshape(3, 11), 3, words=w, **how)
    said = subprocess.run('segy2taf a.sgy -o a.taf', shell=True, capture_output=True)
    assert said.returncode == 0, said
    return run('for k in o1 d1 unit1 label1 o2 d2 label2; do tafprobe -k $k a.taf; done').decode().split('\n')[:-1], said.stderr.decode()
every = lambda **w: lambda k: w
assert grid() == (['0', '0.004', 's', 'Time', '1', '1', 'Trace'], ''), grid()
assert grid(words=every(delrt=-20))[0][0] == '-0.02'
assert grid(words=every(delrt=10000, tscalar=-10))[0][0] == '1'
assert grid(words=every(delrt=3, tscalar=10))[0][0] == '0.03'
# the trace's interval, where there is one; else that of the reel
got, said = grid(words=every(dt=2000))
assert got[1] == '0.002' and '2000' in said and '4000' in said, said
got, said = grid(words=every(dt=0))
assert got[1] == '0.004' and said, said
got, said = grid(words=every(dt=0), hdt=0)
assert got[1:3] == ['1', ''] and 'no sample interval' in said, got
# an int16 once, a uint16 in revision 2
got, said = grid(words=every(dt=40000))
assert got[1] == '0.004' and said
assert grid(dt=40000, revision=2)[0][1] == '0.04'
got, said = grid(revision=2, dt2=0.125, words=every(dt=0))
assert got[1] == '1.25e-7' and said == '', (got, said)
got, said = grid(words=lambda k: dict(delrt=k // 2, dt=4000 + k % 2))
assert '1 of 3 traces begin' in said and '1 of 3 traces have' in said, said
# 0x0001 is revision 1: it has extended text headers
segy('a.sgy', [[1, 2, 3]], 3, revision=0, minor=1, extended=[text(['x'])])
assert 'revision=1' in taken('segy2taf a.sgy')[1]
# what revision 0 has there says nothing
segy('a.sgy', [[1, 2, 3]], 3, revision=0, words=lambda k: {}, extended=[])
b = bytearray(open('a.sgy', 'rb').read()); b[3504:3506] = b'\0\5'; open('a.sgy', 'wb').write(b)
assert taken('segy2taf a.sgy')[0].shape == (3, 1)
END
}

@test "a layout stanza is taken where no word of the standard is moved" {
	need numpy
	segy_python <<'END'
# the names of revision 2.1, of our words in their order; scale6 is two of them
names = '''linetrc reeltrc ffid chan espnum cdp cdptrc trctype vstack fold rectype offset relev selev sdepth
rdatum sdatum wdepthso wdepthrc ed_scal co_scal sht_x sht_y rec_x rec_y coorunit wvel subwvel shuphole rcuphole
shstat rcstat stapply lagtimea lagtimeb delay mutestrt muteend nsamps dt gaintype ingconst initgain corrflag
sweepsrt sweepend sweeplng sweeptyp sweepstp sweepetp tapertyp aliasfil aliaslop notchfil notchslp lowcut highcut
lowcslop hicslop year day hour minute second timebase trweight rstaswp1 rstatrc1 rstatrcn gapsize overtrvl cdp_x
cdp_y iline xline sp sp_scal samp_unit trans_const - trans_unit dev_id tm_scal src_type src_dir1 - smeasure -
sm_unit'''.split()
where, at = [], 1
for name, (key, n) in zip(names, KEYS):
    if name != '-':
        where.append([name, at, 'scale6' if name in ('trans_const', 'smeasure') else 'int2' if name == 'src_dir1' else
            {4: 'int4', 2: 'uint2' if key in ('ns', 'dt') else 'int2'}[n]])
    at += n
where += [['src_dir2', 221, 'int2'], ['src_dir3', 223, 'int2'], ['own', 237, 'ieee32']]
assert where[1] == ['reeltrc', 5, 'int4'] and ['cdp_x', 181, 'int4'] in where and ['sm_unit', 231, 'int2'] in where
def stanza(where, code, extra=''):
    text = '((SEG:Layout:text/xml))<?xml version="1.0"?><!-- a <comment> --><segy-layout>\r\n<desc>all</desc>'
    text += '\n'.join("<entry type='%s' byte=\"%d\"  name=\"%s\" />" % (t, b, n) for n, b, t in where)
    text += extra + '</segy-layout>'
    n = -(-len(text) // 3200)
    text = text.ljust(3200 * n).encode(code)
    return [text[i:i + 3200] for i in range(0, len(text), 3200)]
rows = noise('f4', (3, 11))
def layout(where, code='cp037', extra='', more=()):
    segy('a.sgy', rows, 5, revision=2, minor=1, extended=stanza(where, code, extra) + list(more))
for code in 'cp037', 'ascii':
    layout(where, code, '<extension name="SEG00001"><entry name="cdp" byte="33" type="int8"/></extension>', [text(['((x))'])])
    same(taken('segy2taf a.sgy')[0], rows.T)
    run('segy2taf -q a.sgy | taf2segy -o b.sgy')
    assert open('a.sgy', 'rb').read(12000) == open('b.sgy', 'rb').read(12000)
layout(where[::-7])
same(taken('segy2taf a.sgy')[0], rows.T)
for k in range(len(where) - 1):
    for change in (0, 1, None), (0, -1, None), (0, 0, 'ieee32'), (0, 0, {'2': 'int4', '4': 'uint2', '6': 'int4'}[where[k][2][-1]]):
        if (k + change[1] + len(change[2] or '')) % 5:
            continue
        moved = [list(w) for w in where]
        moved[k][1] += change[1]
        moved[k][2] = change[2] or moved[k][2]
        layout(moved)
        assert 'layout stanza moves' in run('segy2taf a.sgy', 3)
for extra in ('<x:entry name="cdp" byte="3" type="int4"/>', '<entry name="&#99;dp" byte="3" type="int4"/>', '<entry name="cdp"/>',
    '<![CDATA[<entry]]>', '<extension/><entry name="cdp" byte="3" type="int4"/>', '<entry', '<!-- '):
    layout(where, extra=extra)
    assert 'layout stanza moves' in run('segy2taf a.sgy', 3), extra
layout(where, more=stanza(where, 'ascii'))
run('segy2taf a.sgy', 3)
END
}

@test "the size of the file says which number of samples is right" {
	need numpy
	segy_python <<'END'
rows = noise('i2', (4, 10))
for bad in dict(hns=0), dict(hns=7), dict(words=lambda k: dict(ns=0)), dict(words=lambda k: dict(ns=9)):
    segy('a.sgy', rows, 3, **bad)
    same(taken('segy2taf a.sgy')[0], rows.T)
# both fit: the traces' own, 4 of 10 or 2 of 140
segy('a.sgy', rows, 3, hns=140)
same(taken('segy2taf a.sgy')[0], rows.T)
segy('a.sgy', rows, 3, hns=77, words=lambda k: dict(ns=33))
said = run('segy2taf a.sgy', 3)
assert '33' in said and '77' in said and str(4 * 260) in said, said
# others than the first
segy('a.sgy', rows, 3, words=lambda k: dict(ns=10 + (k == 2)))
assert 'trace 3 has 11 samples' in run('segy2taf a.sgy', 3)
# before any output
whole = segy('a.sgy', [[1, 2, 3]], 3)
def bad(n, k):
    b = bytearray(whole[:3600] + whole[3600:] * n)
    b[3600 + 246 * k + 115] = 4
    open('a.sgy', 'wb').write(b)
bad(8000, 7987)
p = subprocess.run(['segy2taf', 'a.sgy'], capture_output=True)
assert p.returncode == 3 and p.stdout == b'' and b'trace 7988 has 4' in p.stderr, p.stderr
# one that is not among those which are looked at; of other traces nothing is said
bad(9000, min(set(range(9000)) - {k + k * 808 // 8192 for k in range(8192)}))
for more in '', ' --headers', ' -x 2=12 -x 1=2', ' -J 1':
    assert 'trace 12 has 4' in run('segy2taf%s a.sgy' % more, 3)
run('segy2taf -x 2=13:5018 a.sgy -o a.taf')
odd = [list(range(n)) for n in (8, 8, 5, 12, 8)]
segy('a.sgy', odd, 3)
assert 'trace 3 has 5 samples' in run('segy2taf a.sgy', 3)
a, tail, said = taken('segy2taf --length 9 a.sgy')
same(a, np.array([(r + [0] * 9)[:9] for r in odd], 'i2').T)
assert '5 of 5 traces cut or padded' in said, said
a, tail, said = taken('segy2taf --length 8 -x 1=3:8:2 -x 2=2:4 a.sgy')
same(a, np.array([(r + [0] * 9)[2:8:2] for r in odd[1:4]], 'i2').T)
# cut at every byte: refused, or what --cut promises
whole = segy('a.sgy', rows[:2], 3)
for n in (*range(0, 3600, 397), *range(3600, len(whole), 11), len(whole) - 1):
    p = subprocess.run(['segy2taf', '-'], input=whole[:n], capture_output=True)
    assert p.returncode == 3 and p.stdout == b'' and p.stderr.count(b'\n') == 1 or n == 3600 + 260, n
    if n > 3600 + 200 and n % 5 == 0:
        p = subprocess.run('segy2taf --cut - -o got.taf', shell=True, input=whole[:n], capture_output=True)
        assert p.returncode == (0 if n >= 3600 + 260 else 3), (n, p.stderr)
        if p.returncode == 0:
            same(load_taf('got.taf')[0], rows[:1].T)
assert '2 whole traces and 7 bytes' in subprocess.run('(cat a.sgy; printf 1234567) | segy2taf', shell=True, capture_output=True).stderr.decode()
for n in (1, 3):
    run('cat a.sgy | segy2taf --traces %d -o x.taf' % n, 3)
    run('segy2taf --traces %d a.sgy' % n, 3)
# the trailer of revision 2
segy('a.sgy', rows, 3, revision=2, trailer=2)
open('a.sgy', 'ab').write(b'@' * 6400)
a, tail, said = taken('segy2taf a.sgy')
same(a, rows.T)
assert '6400' in said
segy('a.sgy', rows, 3, revision=2, trailer=-1, traces=4)
open('a.sgy', 'ab').write(b'@' * 6400)
same(taken('segy2taf a.sgy')[0], rows.T)
END
}

@test "what is said wrong is refused, or read as it is meant" {
	need numpy
	segy_python <<'END'
rows = noise('f4', (3, 10))
# little-endian by mistake
segy('a.sgy', rows, 5, big=False)
a, tail, said = taken('segy2taf a.sgy')
same(a, rows.T)
assert 'little-endian' in said
segy('a.sgy', rows, 5, big=False, revision=2, format=0x0505)
same(taken('segy2taf --order little --type flt32 a.sgy')[0], rows.T)
for code, words in (4, 'gain'), (0, '--type'), (77, '--type'):
    segy('a.sgy', rows, 5, format=code)
    assert words in run('segy2taf a.sgy', 3)
for t in '5', 'flt32', 'float32':
    same(taken('segy2taf --type %s a.sgy' % t)[0], rows.T)
run('tafmath -n 1000,3 x1+x2 -o other.taf')
assert 'no SEG-Y file' in run('segy2taf other.taf', 3)
run('tafmath -n 9 x1 -o short.taf')
assert 'short.taf: a TAF file (commands read it as it is), no SEG-Y file' in run('segy2taf short.taf', 3)
segy('a.sgy', rows, 5, revision=2, mark=0x02010403)
assert 'swapped' in run('segy2taf a.sgy', 3)
segy('a.sgy', rows, 5, extended=[text(['((SEG:Layout x))'.lower()])])
assert 'layout' in run('segy2taf a.sgy', 3)
for end in '((SEG: EndText))', '((SEG:EndText))':
    last = end.ljust(3200).encode('cp037')
    segy('a.sgy', rows, 5, extended=[text(['x']), text(['y']), last])
    b = bytearray(open('a.sgy', 'rb').read()); b[3504:3506] = b'\xff\xff'; open('a.sgy', 'wb').write(b)
    same(taken('segy2taf a.sgy')[0], rows.T)
b[3504:3506] = b'\x7f\xff'; open('b.sgy', 'wb').write(b)
run('segy2taf b.sgy', 3)
# where the first trace is
whole = segy('a.sgy', rows, 5, revision=2, first=3700)
open('a.sgy', 'wb').write(whole[:3600] + b'x' * 100 + whole[3600:])
same(taken('segy2taf a.sgy')[0], rows.T)
segy('a.sgy', rows, 5, revision=2, first=100)
run('segy2taf a.sgy', 3)
# counts that lie take no memory
for lie in dict(ns2=2 ** 32 - 1), dict(more=65000), dict(trailer=2 ** 31 - 1), dict(traces=2 ** 63, trailer=-1):
    segy('a.sgy', rows, 5, revision=2, words=lambda k: dict(ns=0), **lie)
    for line in 'segy2taf a.sgy', 'cat a.sgy | segy2taf --traces 1000000000000':
        p = subprocess.run(['bash', '-c', 'ulimit -v %s; set -o pipefail; %s >x' % ('unlimited' if os.environ['LIMIT'] == 'unlimited' else 400000, line)], capture_output=True)
        assert p.returncode in (0, 3), (lie, p)
END
}

@test "words that writers use otherwise than the standard says" {
	need numpy
	segy_python <<'END'
rows = noise('f4', (3, 10))
def changed(at, new, **how):
    b = bytearray(segy('a.sgy', rows, 5, **how))
    b[at - 1:at - 1 + len(new)] = new
    open('a.sgy', 'wb').write(b)
    return taken('segy2taf a.sgy')
# texts behind the headers of revision 0: cards, and stanzas with any bytes in them
for code, more in ('cp037', []), ('ascii', [b'((X:DATA))'.ljust(3200, b'\0')]), ('cp037', ['((X))'.encode('cp037').ljust(3200, b'\1')]):
    same(changed(1, b'', revision=0, extended=more + [text(['x'], code)])[0], rows.T)
    same(taken('cat a.sgy | segy2taf --traces 3')[0], rows.T)
    run('segy2taf a.sgy | taf2segy -o b.sgy')
    n = 6800 + 3200 * len(more)
    assert open('b.sgy', 'rb').read(n) == open('a.sgy', 'rb').read(n)
end = '((SEG:EndText))'.encode('cp037').ljust(3200)
same(changed(3505, b'\xff\xff', revision=0, extended=[text(['x']), end])[0], rows.T)
# the number of further headers in two bytes, and the kind of survey behind it
for big, minor in (True, 0), (False, 0), (True, 1):
    same(changed(3507, struct.pack('<>'[big] + 'hh', 1, 7), big=big, mark=0x01020304, revision=2, minor=minor, more=1)[0], rows.T)
    run('segy2taf --headers --raw a.sgy >h.rsf; segy2taf a.sgy | taf2segy --headers h.rsf -o b.sgy')
    assert open('a.sgy', 'rb').read() == open('b.sgy', 'rb').read()
same(changed(3509, b'\0\7', revision=2, minor=1)[0], rows.T)
# no revision, but the mark of the order, which is as new as the second
a, tail, said = changed(3501, b'\x24\x25', revision=2, ns2=10, hns=7)
same(a, rows.T)
assert 'revision 36.37 is read as 2.1' in said
# numbers of samples that the size of the file does not confirm
for counts in (38, 76, 9), (0, 76, 9):
    segy('a.sgy', rows, 5, words=lambda k: dict(ns=counts[k]))
    a, tail, said = taken('segy2taf a.sgy')
    same(a, rows.T)
    assert '%d of 3 traces count other than the 10 samples' % sum(n > 0 for n in counts) in said
# and such as it does: 50, 40 and 30 samples are as many as three times 40
segy('a.sgy', [noise('f4', (n,)) for n in (50, 40, 30)], 5, hns=40)
assert 'than the first, 50' in run('segy2taf a.sgy', 3)
assert taken('segy2taf --length 9 a.sgy')[0].shape == (9, 3)
segy('a.sgy', rows, 5, big=False, format=4)
assert 'gain' in run('segy2taf a.sgy', 3)
END
}

@test "the text header is the comment, and --text prints it" {
	need numpy
	segy_python <<'END'
want = ''.join(('C%2d %s' % (i + 1, {0: 'a line', 1: 'of 3'}.get(i, ''))).rstrip() + '\n' for i in range(40))
for encoding in 'cp037', 'ascii':
    segy('a.sgy', [[1, 2, 3]], 3, encoding=encoding, jobid=7, fold=-3, mfeet=2)
    taken('segy2taf a.sgy')
    assert run('tafcomment got.taf').decode() == want, run('tafcomment got.taf')
    got = run('segy2taf --text a.sgy').decode()
    assert got.startswith(want)
    words = dict(x.split() for x in got[len(want):].splitlines())
    assert words == {**{k: '0' for k in words}, 'jobid': '7', 'fold': '-3', 'mfeet': '2', 'hdt': '4000', 'hns': '3', 'format': '3', 'major': '1'}, words
    assert run('cat a.sgy | segy2taf --text').decode() == got
# all characters of code page 037 that ASCII has
chars = bytes(range(0x20, 0x7f)).decode()
cards = (chars[:76].ljust(76), chars[76:])
segy('a.sgy', [[1, 2, 3]], 3)
b = open('a.sgy', 'rb').read()
open('a.sgy', 'wb').write(text(cards) + b[3200:])
got = run('segy2taf --text a.sgy').decode().split('\n')
assert got[0] == ('C 1 ' + cards[0]).rstrip() and got[1] == 'C 2 ' + cards[1], got[:2]
END
}

@test "regions read what they need, from files and pipes" {
	need numpy
	segy_python <<'END'
for ns in 37, 20000:
    rows = noise('i2', (9, ns))
    segy('a.sgy', rows, 3)
    for bounds, sel in (('-x 1=3:9:2', np.s_[2:9:2]), ('-x 2=4', np.s_[:, 3:4]), ('-x 2=2:8:3 -x 1=0', np.s_[-1:, 1:8:3]),
        ('-g 1=0.02:0.05', np.s_[5:13]), ('-x Trace=3:5', np.s_[:, 2:5]), ('-x 1=19990:20000 -x 2=3:', np.s_[19989:, 2:])):
        if ns == 37 and '19990' in bounds:
            continue
        want = rows.T[sel]
        same(taken('segy2taf %s a.sgy' % bounds)[0], want)
        same(taken('cat a.sgy | segy2taf --traces 9 %s' % bounds)[0], want)
        same(taken('cat a.sgy | segy2taf %s' % bounds)[0], want)
    assert run('segy2taf -x 1=3:9:2 a.sgy | tafprobe -k o1 -').decode() == '0.008\n'
for words, status in ('-x 2=10', 3), ('-x 3=1', 3), ('-x 1=a', 2), ('-x Nothing=1', 3), ('--keys sx', 2), ('--headers --keys nokey', 2), ('--fill 3', 2), ('--type x', 2), ('--by a', 2), ('--length 0', 2):
    run('segy2taf %s a.sgy' % words, status)
# traces of more than a MiB go in parts
rows = noise('i2', (3, 700001))
segy('a.sgy', rows, 3, revision=2, hns=0, ns2=700001, words=lambda k: dict(ns=0))
same(taken('segy2taf -x 2=1:0:2 a.sgy')[0], rows.T[:, ::2])
same(taken('cat a.sgy | segy2taf --traces 3 -x 1=1:0:3')[0], rows.T[::3])
END
}

@test "headers are arrays, and traces are ordered by them" {
	need numpy
	segy_python <<'END'
def words(k):
    return {n: (k * 7919 + i * 104729) % (60000 if n in ('ns', 'dt') else 2 ** 15) - (0 if n in ('ns', 'dt') else 9999) for i, n in enumerate(NAMES) if n not in ('ns', 'dt', 'tscalar')}
rows = noise('f4', (7, 11))
for big in True, False:
    segy('a.sgy', rows, 5, big, words=words, revision=2)
    want = np.array([[{**words(k), 'ns': 11, 'dt': 4000}.get(n, 0) for n in NAMES] for k in range(7)], 'i4').T
    a, tail, said = taken('segy2taf --headers a.sgy')
    same(a, want)
    assert 'segy/keys=' + ','.join(NAMES) in tail and said == ''
    same(taken('segy2taf --headers --keys offset,sx,tracl a.sgy')[0], want[[11, 21, 0]])
    same(taken('segy2taf --headers --keys sx,offset,tracl -x 1=2: -x 2=3:5 a.sgy')[0], want[[11, 0]][:, 2:5])
    raw = np.array([list(header(big, **{**words(k), 'ns': 11, 'dt': 4000})) for k in range(7)], 'u1').T
    same(taken('segy2taf --headers --raw a.sgy')[0], raw)
    same(taken('cat a.sgy | segy2taf --headers --raw --traces 7')[0], raw)
segy('a.sgy', rows, 5, more=1, revision=2)
assert taken('segy2taf --headers --raw a.sgy')[0].shape == (480, 7)
# a cube of 4 inlines by 3 crosslines, in any order
order = [(i, x) for i in (10, 12, 14, 16) for x in (-5, 0, 5)]
mixed = sorted(order, key=lambda p: hash((p[0] * 31 + p[1] * 17) % 13))
cube = noise('f4', (4, 3, 6))
def write(pairs, **more):
    segy('a.sgy', [cube[order.index(p) // 3, order.index(p) % 3] for p in pairs], 5, words=lambda k: dict(iline=pairs[k][0], xline=pairs[k][1]), **more)
write(mixed)
same(taken('segy2taf --by iline,xline a.sgy')[0], cube.transpose(2, 1, 0))
assert run('for k in label2 o2 d2 label3 o3 d3; do tafprobe -k $k got.taf; done').split() == b'xline -5 5 iline 10 2'.split()
same(taken('cat a.sgy | segy2taf --by iline,xline')[0], cube.transpose(2, 1, 0))
same(taken('segy2taf --by xline,iline -x iline=2:4:2 -x 1=2:3 a.sgy')[0], cube.transpose(2, 0, 1)[1:3, 1:4:2])
same(taken('segy2taf --headers --keys iline,xline --by iline,xline a.sgy')[0][0], np.array([[10, 12, 14, 16]] * 3, 'i4'))
write(mixed[:-2])
assert '2 of 12 pairs are missing' in run('segy2taf --by iline,xline a.sgy', 3)
a = taken('segy2taf --by iline,xline --fill -2.5 a.sgy')[0]
want = cube.transpose(2, 1, 0).copy()
for p in mixed[-2:]:
    want[:, (p[1] + 5) // 5, (p[0] - 10) // 2] = -2.5
same(a, want)
write(mixed + mixed[3:4])
assert 'traces 4 and 13 have the same keys' in run('segy2taf --by iline,xline a.sgy', 3)
# gathers: the order in the file within each
write(mixed)
a = taken('segy2taf --by iline a.sgy')[0]
for i in range(4):
    want = [order.index(p) for p in mixed if p[0] == 10 + 2 * i]
    same(a[:, :, i], cube.reshape(12, 6)[want].T)
same(taken('MALLOC_PERTURB_=77 segy2taf --by iline a.sgy')[0], a)
write(mixed[1:])
assert '1 of 12 are missing' in run('segy2taf --by iline a.sgy', 3)
assert taken('segy2taf --by iline --fill 0 a.sgy')[0].shape == (6, 3, 4)
segy('a.sgy', [[1, 2]], 3, words=lambda k: dict(iline=5, xline=7))
same(taken('segy2taf --by iline,xline a.sgy')[0], np.array([1, 2], 'i2').reshape(2, 1, 1))
segy('a.sgy', [[1, 2]] * 3, 3, words=lambda k: dict(iline=(-1) ** k * (2 ** 31 - 1), xline=k * 2 ** 30 - 1))
run('segy2taf --by iline,xline --fill 0 a.sgy -o x.taf', 0)
run('segy2taf --by iline,xline --fill 0.5 a.sgy', 3)
END
}

@test "SU in the order that the size of the file shows" {
	need numpy
	segy_python <<'END'
rows = noise('f4', (5, 12))
for big in True, False:
    segy('a.su', rows, 5, big, su=True, words=lambda k: dict(delrt=8))
    a, tail, said = taken('segy2taf --su a.su')
    same(a, rows.T)
    assert said == '' and 'segy/order=%s' % ('big' if big else 'little') in tail
    same(taken('cat a.su | segy2taf --su')[0], rows.T)
    # by its name, where there is no other sign
    same(taken('segy2taf a.su')[0], rows.T)
    same(taken('taf adjust a.su')[0], rows.T)
    assert 'traces of SU (use segy2taf)' in run('tafprobe a.su', 3)
    assert '--su' in run('segy2taf a.su | taf2segy --like a.su -o x.sgy', 3)
    for option in '--text', '--type int16':
        run('segy2taf %s a.su' % option, 3)
    run('segy2taf --su a.su -o x.taf && cp x.taf x.su && cp x.su y.taf && taf compare x.su y.taf', 0)
    same(taken('cat a.su | segy2taf --su --traces 5 --order %s' % ('big' if big else 'little'))[0], rows.T)
    run('segy2taf --su --order %s a.su' % ('little' if big else 'big'), 3)
run('cat a.su | segy2taf --su --traces 5', 3)
# 257 = 0x0101 is the same in both
segy('a.su', noise('f4', (2, 257)), 5, su=True)
assert '--order' in run('segy2taf --su a.su', 3)
same(taken('segy2taf --su --order big a.su')[0], noise('f4', (2, 257)).T)
segy('b.su', [[1, 2]] * 3, 3)
assert 'segy/format=3' in taken('segy2taf b.su')[1]
END
}
