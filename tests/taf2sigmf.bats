# SPDX-License-Identifier: ISC
# What is run while each call of it fails in turn (faults.bats).
# in turn: - -q -o x small.taf

load helper
load rowmajor

@test "samples and description of every type, and back again" {
	need numpy
	python <<'END'
import hashlib
def told(name):
    meta = json.load(open(name + '.sigmf-meta'))
    data = open(name + '.sigmf-data', 'rb').read()
    assert meta['global']['core:sha512'] == hashlib.sha512(data).hexdigest()
    return meta['global'], meta['captures'], meta['annotations'], data
end = {'<': '_le', '>': '_be'}[ORDER]
for k, kind in enumerate('i1 u1 <i2 <u2 <i4 <u4 <f4 <f8'.split()):
    a = noise(kind, (31 + k, 2, 3))
    save_taf('a.taf', a)
    subprocess.run('tafadjust --step 1=0.000125 --unit 1=s a.taf | taf2sigmf -m 64k -J %d -o a%s' % (1 + k % 3, ('', '.sigmf-meta')[k % 2]), shell=True, check=True)
    world, captures, notes, data = told('a')
    assert world['core:datatype'] == 'r' + a.dtype.kind + str(8 * a.itemsize) + (end if a.itemsize > 1 else '')
    assert world['core:sample_rate'] == 8000 and world['core:num_channels'] == 6 and captures == [{'core:sample_start': 0}] and notes == []
    assert data == a.reshape(len(a), 6, order='F').astype(a.dtype.newbyteorder(ORDER)).tobytes()
    b = np.ascontiguousarray(a[:, :, 0].T)
    save_taf('b.taf', b)
    subprocess.run('tafadjust --step 2=1e-6 --unit 2=s --label 2=Time b.taf | taf2sigmf -o b && sigmf2taf --check b.sigmf-meta -o c.taf', shell=True, check=True)
    assert told('b')[0]['core:num_channels'] == 2 and told('b')[3] == b.astype(b.dtype.newbyteorder(ORDER)).tobytes(order='F')
    same(load_taf('c.taf')[0], b)
# values of what has a mapping; complex numbers
a = noise('<i2', (50, 2))
save_taf('a.taf', a, (1.0, 0.5))
subprocess.run('taf2sigmf a.taf -o a && tafmath "complex(a,a*2)" a.taf | taf2sigmf -o z', shell=True, check=True)
assert told('a')[0]['core:datatype'] == 'rf64' + end and told('a')[3] == (a * .5 + 1).astype(ORDER + 'f8').tobytes()
assert told('z')[0]['core:datatype'] == 'cf32' + end and 'core:sample_rate' not in told('z')[0]
assert told('z')[3] == ((a * .5 + 1) * (1 + 2j)).astype(ORDER + 'c8').tobytes()
# a whole recording comes back, but for its order of bytes
x = noise(ORDER + 'i2', (60, 2, 2))
world = {'core:datatype': 'ci16' + end, 'core:version': '1.0.0', 'core:sample_rate': 2.4e6 / 7, 'core:num_channels': 2, 'core:author': 'a "b"',
    'core:description': 'two\nlines', 'x:list': [1, {'y': 2.50}, None], 'x:true': True, 'x:text': 'é\t\\', 'x:number': 12345678901234567890}
captures = [{'core:sample_start': 0, 'core:frequency': 1e9, 'core:datetime': '2026-11-27T01:02:03Z', 'core:geolocation': {'type': 'Point'}}]
notes = [{'core:sample_start': 3, 'core:comment': 'x, "y"'}]
json.dump({'global': world, 'captures': captures, 'annotations': notes}, open('w.sigmf-meta', 'w'))
open('w.sigmf-data', 'wb').write(x.tobytes())
for words in 'sigmf2taf w.sigmf-meta | taf2sigmf -o v', 'sigmf2taf w.sigmf-meta -o w.taf && taf2sigmf w.taf -o v':
    p = subprocess.run(words, shell=True, check=True, capture_output=True)
    assert p.stderr == b''
    got = told('v')
    got[0].pop('core:sha512')
    assert got == (world, captures, notes, x.tobytes()), got[:3]
END
}

@test "what a recording has no form for is refused, and no file appears" {
	mktaf a.taf int16 8,2
	while IFS='#' read -r change fact; do
		eval "$change" >b.rsf
		refuse 3 taf2sigmf -o x b.rsf
		grep -qF "$fact" err
		[ ! -e x.sigmf-meta ]
		[ ! -e x.sigmf-data ]
	done <<-'END'
		tafadjust --unit 1=mm a.taf#dimension 1: its unit is mm, not s
		tafadjust --step 1=-1 --unit 1=s a.taf#dimension 1: a step of -1 s is no rate
		tafcast -t int64 a.taf#elements of type int64
		tafcat a.taf a.taf#several arrays: a recording holds one (use -N K)
	END
	head -c 130 b.rsf >cut.rsf
	status 3 eval 'cat a.taf a.taf | tafcat | taf2sigmf -o x'
	refuse 3 taf2sigmf -o x cut.rsf
	[ ! -e x.sigmf-meta ]
	[ ! -e x.sigmf-data ]
	refuse 2 taf2sigmf a.taf
	# both are replaced, or none
	taf2sigmf -o x a.taf
	cp x.sigmf-data old
	mkdir y.sigmf-meta
	cp old y.sigmf-data
	status 4 taf2sigmf -o y <(tafcast -t flt32 a.taf)
	same y.sigmf-data old
	# no key is there twice
	tafput sigmf/global/core:datatype=x sigmf/core:datetime=1 date=2020 sigmf/core:sample_start=9 'sigmf/global/a=[1' \
		sigmf/global/core:description=5 a.taf | taf2sigmf -q -o x
	equal "$(sigmf2taf -q x.sigmf-meta | tafprobe -k date) $(grep -c core: x.sigmf-meta) $(grep -c '"a": "\[1"' x.sigmf-meta)" "2020 6 1"
	tafadjust --start 1=5 a.taf | tafput a=b | taf2sigmf -o x 2>err
	equal "$(cat err)" "taf2sigmf: a recording has no place for: grid, attributes"
}
