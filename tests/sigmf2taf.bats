# SPDX-License-Identifier: ISC
# What is run while each call of it fails in turn (faults.bats).
# in turn: - -q --check radio.sigmf-meta -o out.rsf

load helper
load rowmajor

@test "every type and order, channels, captures, bytes that are no samples" {
	need numpy
	radio
	sigmf2taf radio.sigmf-meta >/dev/null || skip "no jansson"
	python <<'END'
import hashlib
def told(b):
    head, _, rest = b.partition(b'\f\f\4')
    return dict(l[1:].split('=', 1) for l in head.decode().split('\n') if l.startswith('\t') and '=' in l), rest
n = 41
for k, base in enumerate('i8 u8 i16 u16 i32 u32 f32 f64'.split()):
    for kind in 'rc':
        ch, o = (1, '<') if k % 2 else (3, '>')
        bits = int(base[1:])
        x = noise(o + base[0] + str(bits // 8), (n * ch * (1 + (kind == 'c')),))
        per = len(x) // n
        data = x[:5 * per].tobytes() + b'header!' + x[5 * per:].tobytes() + b'end'
        world = {'core:datatype': kind + base + ('' if bits == 8 else '_le' if o == '<' else '_be'), 'core:sample_rate': 48000,
            'core:trailing_bytes': 3, 'core:sha512': hashlib.sha512(data).hexdigest(), 'core:author': 'a "b"', 'x:y': [1, {'z': None}]}
        if ch > 1:
            world['core:num_channels'] = ch
        notes = [{'core:sample_start': s, 'core:label': 'at %d' % s} for s in (2, 5, 40)]
        json.dump({'global': world, 'captures': [{'core:sample_start': 0, 'core:frequency': 9.15e8, 'core:datetime': '2026-11-27T01:02:03Z'},
            {'core:sample_start': 5, 'core:header_bytes': 7, 'core:frequency': 1}], 'annotations': notes}, open('a.sigmf-meta', 'w'))
        open('a.sigmf-data', 'wb').write(data)
        for words in [], ['-t', 'complex']:
            for pick, lo, hi in (1, 0, 5), (2, 5, n):
                p = subprocess.run(['sigmf2taf', '--check', '-N', str(pick), *words, 'a.sigmf-meta'], capture_output=True, check=True)
                assert p.stderr == b''
                head, got = told(p.stdout)
                want = x[lo * per:hi * per]
                if kind == 'c' and words and base[0] != 'f':
                    want = want.astype('f4' if bits <= 16 else 'f8')
                assert got == want.astype(want.dtype.newbyteorder(ORDER)).tobytes(), (base, kind, words)
                assert ('label1' in head and head['label1'] == '"component"') == (kind == 'c' and base[0] != 'f' and not words)
                time = max(d for d in range(1, 9) if 'n%d' % d in head)
                assert float(head['d%d' % time]) == 1 / 48000 and float(head['o%d' % time]) == lo / 48000
                assert head['sigmf/core:frequency'] == ('915000000.0', '1')[pick - 1]
                assert head['sigmf/global/core:author'] == '"a %22b%22"' and ('date' in head) == (pick == 1)
                assert head['sigmf/global/x:y'] == '"[1,{%22z%22:null}]"'
                mine = [dict(a, **{'core:sample_start': a['core:sample_start'] - lo}) for a in notes if lo <= a['core:sample_start'] < hi]
                assert json.loads(head['sigmf/annotations'].strip('"').replace('%22', '"')) == mine
# pieces of a large one are whole pairs
for base in 'i16', 'u8', 'i32':
    x = noise(base[0] + str(int(base[1:]) // 8), (3000002,))
    x.tofile('b.sigmf-data')
    json.dump({'global': {'core:datatype': 'c' + base + ('' if base == 'u8' else '_le' if sys.byteorder == 'little' else '_be')}}, open('b.sigmf-meta', 'w'))
    got = subprocess.run('sigmf2taf -t complex b.sigmf-meta', shell=True, check=True, capture_output=True).stdout
    assert told(got)[1] == x.astype(ORDER + ('f8' if base == 'i32' else 'f4')).tobytes()
END
}

@test "a description that does not fit its samples is refused" {
	need numpy
	radio
	sigmf2taf radio.sigmf-meta >/dev/null || skip "no jansson"
	python <<'END'
def write(world, captures=[], data=bytes(24), **more):
    json.dump(dict({'global': world, 'captures': captures}, **more), open('a.sigmf-meta', 'w'))
    open('a.sigmf-data', 'wb').write(data)
def refuse(fact, *words, status=3):
    p = subprocess.run(['sigmf2taf', *words, 'a.sigmf-meta'], capture_output=True, text=True)
    assert p.returncode == status and p.stdout == '' and p.stderr.startswith('sigmf2taf: ') and fact in p.stderr, (fact, p)
t = lambda name, **more: dict({'core:datatype': name}, **{'core:' + k: v for k, v in more.items()})
s = lambda at, header=0: {'core:sample_start': at, 'core:header_bytes': header}
for fact, args in {
    'no core:datatype': ({}, ), 'core:datatype is ri24_le': (t('ri24_le'), ), 'core:datatype is cf32': (t('cf32'), ),
    'core:datatype is ri8_le': (t('ri8_le'), ), 'core:datatype is f32_le': (t('f32_le'), ),
    'core:sample_rate is not a number above 0': (t('ri8', sample_rate=0), ), 'core:sample_rate is not a': (t('ri8', sample_rate='1'), ),
    'core:num_channels is 0': (t('ri8', num_channels=0), ), 'core:num_channels is not a number from 0': (t('ri8', num_channels=-1), ),
    'core:num_channels is too large': (t('ci16_le', num_channels=2 ** 63), ), 'core:trailing_bytes or': (t('ri8', trailing_bytes=25), ),
    'the samples end with 24 of the 9223372036854775808 bytes': (t('ri8', num_channels=2 ** 63), ),
    'the samples end with 8 of the 16 bytes of one': (t('cf32_le', num_channels=2), ),
    'core:dataset: the samples are elsewhere': (t('ri8', dataset='../secret'), ),
    'core:metadata_only': (t('ri8', metadata_only=True), ),
    'capture 1 begins with sample 25 behind 0 bytes': (t('ri8'), [s(25)]), 'capture 2 begins with sample 3': (t('ri8'), [s(4), s(3)]),
    'capture 2 begins with sample 20 behind 5': (t('ri8'), [s(0), s(20, 5)]),
    'behind 18446744073709551615 bytes': (t('ri8'), [s(0, 2 ** 64 - 1)]), 'core:sample_start is not': (t('ri8'), [s(1.5)]),
    'core:header_bytes is not': (t('ri8'), [s(0, 2 ** 64)]),
}.items():
    write(*args)
    refuse(fact)
write(t('ri8'), annotations=[{'core:sample_start': 'x'}])
refuse('core:sample_start is not')
write(t('ri8', sha512='0' * 128))
refuse('core:sha512 says 0000000000000000...', '--check')
write(t('ri8'))
refuse('no core:sha512 to be checked', '--check')
refuse('-t flt32: complex is', '-t', 'flt32', status=2)
for text, fact in ('{' * 99, 'JSON of more than 64 levels'), ('{"a":1,"a":2}', 'not JSON'), ('[]', 'JSON, but no object'), ('{"global"', 'not JSON'), (' ' * (1 << 25), 'JSON of 33554432 bytes'):
    open('a.sigmf-meta', 'w').write(text)
    refuse(fact)
os.remove('a.sigmf-data')
refuse('a.sigmf-data', status=4)
os.mkfifo('a.sigmf-data')
os.rename('a.sigmf-meta', 'a.json')
p = subprocess.run(['sigmf2taf', 'a.json'], capture_output=True)
assert p.returncode == 3 and b'is called NAME.sigmf-meta' in p.stderr
END
}

@test "the description is told by its first bytes" {
	radio
	sigmf2taf radio.sigmf-meta >want || skip "no jansson"
	refuse 3 tafread radio.sigmf-meta
	grep -q 'a description of SigMF (use sigmf2taf)' err
	equal "$(taf tafread radio.sigmf-meta | cksum)" "$(tafread want | cksum)"
	equal "$(tafprobe -k n3 want)" 150
	refuse 2 sigmf2taf -
}
