# SPDX-License-Identifier: ISC
# What is run while each call of it fails in turn (faults.bats).
# in turn: - -q --pack none new.zarr g/x small.taf
# in turn: pipe:small.taf -q --pack none --chunks 4,4 run.zarr x
# in turn: - -q -f --pack none run.zarr v small.taf

load helper

# python: what it reads, with zarrs.py
python() {
	{ echo 'from zarrs import *'; cat; } | PYTHONPATH=$BATS_TEST_DIRNAME "$PYTHON" -
}

@test "every type, both versions, orders, chunks and shards: what the metadata say is there" {
	need numpy jansson zlib
	python <<'END'
types = '<i1 <u1 <i2 <u2 <i4 <u4 <i8 <u8 <f4 <f8 <c8 <c16'.split()
shapes = (7, 5, 3), (12, 4), (9,), (2, 3, 4, 5), (1, 6, 1)
cuts = None, (1,) * 5, (3, 2, 2, 2), (20, 2, 9, 1), (4, 7, 1, 3)
packs = 'none', 'gzip', 'zlib'
for n, kind in enumerate(types):
    for m in range(6):
        k = n + m
        a, rank = noise(kind, shapes[k % 5]), len(shapes[k % 5])
        how, cut = ['-J', '132'[k % 3], '-m', ('1M', '256M')[m % 2]], cuts[(n + 2 * m) % 5]
        reverse, v3 = m % 2 == 1, m // 2 % 3 > 0
        pack = packs[k % 2] if v3 else packs[k % 3]
        if cut:
            how += ['--chunks', ','.join(map(str, cut[:rank]))]
        if cut and m // 2 == 2:
            how += ['--shard', ','.join(str(c * f) for c, f in zip(cut[:rank], (2, 1, 3, 2)))]
        how += ['--v3'] * v3 + ['--reverse'] * reverse + ['--pack', pack]
        path = 's%d/g/a%d' % (v3, 10 * n + m)
        write(a, *how, *path.split('/', 1))
        got, meta = decode(path)
        same(got, a.T if reverse else a, how)
        for i, c in enumerate((cut or a.shape)[:rank]):
            shape = meta['chunk_grid']['configuration']['chunk_shape'] if v3 else meta['chunks']
            assert m // 2 == 2 or shape[rank - 1 - i if reverse else i] == c
        same(read(*['--reverse'] * reverse, path), a, how)
# of a file as of a pipe, and of one that is dribbled
a = noise('<i2', (40, 30, 20))
open('a.rsf', 'wb').write(stream(a))
for k, cut in enumerate(('7,30,20', '40,30,3', '9,8,7')):
    for v in ('--v3',), ():
        path = 'f.%d%s' % (k, len(v))
        how = (*v, '--pack', 'gzip', '--chunks', cut, path)
        assert run('taf2zarr', *how, 'x', 'a.rsf').returncode == 0
        p = subprocess.Popen(['taf2zarr', *how, 'y'], stdin=subprocess.PIPE, bufsize=0)
        data = stream(a)
        for i in range(0, len(data), 7001):
            p.stdin.write(data[i:i + 7001])
        p.stdin.close()
        assert p.wait() == 0
        x, y = decode(path + '/x')[0], decode(path + '/y')[0]
        same(x, a)
        same(y, a)
END
}

@test "default chunks are whole in the fast dimensions, of about 4 MiB, and evenly long" {
	need numpy jansson
	python <<'END'
for shape, chunks in ((1000, 3000), (1000, 1500)), ((1 << 22, 2), (1 << 21, 1)), ((5, 2, 300000), (5, 2, 150000)), \
        ((100, 100), (100, 100)), ((0, 4), (1, 4)):
    write(np.zeros(shape, 'i2'), '--pack', 'gzip', '--level', '1', 'x.zarr', '-f', 'v')
    meta = json.load(open('x.zarr/v/.zarray'))
    assert meta['chunks'] == list(chunks) and meta['shape'] == list(shape), meta
END
	# nothing of a pipe is kept, but where chunks want it
	tafmath -n 300,200 -t int16 'i1+i2' -o a.taf
	export TMPDIR=/nowhere
	taf2zarr p.zarr v < <(cat a.taf)
	tafcat a.taf | taf2zarr --chunks 300,7 p.zarr w
	tafcat a.taf | ends 4 taf2zarr --chunks 30,7 p.zarr x
	tafmath -n 2000,1000 -t int16 i1 -o b.taf
	refuse 3 taf2zarr -m 1M --chunks 2000,1000 p.zarr y b.taf
	grep -q 'does not fit the memory' err
	equal "$(ls -A p.zarr | xargs)" ".zgroup v w"
}

@test "all packings, as zarr-python and numcodecs read them" {
	need numpy jansson zlib zstd blosc
	"$PYTHON" -c 'import zarr, numcodecs' 2>/dev/null || skip "zarr is missing"
	python <<'END'
import zarr
packs = ['none', 'gzip', 'zlib', 'zstd', 'blosc', 'blosc:lz4', 'blosc:zlib', 'blosc:blosclz', 'blosc:lz4hc']
for n, pack in enumerate(packs):
    a = noise(('<i2', '<f8', '<u1', '<c16')[n % 4], (30, 20, 7))
    level = ['--level', '1379'[n % 4]] if n else []
    for reverse in [], ['--reverse']:
        write(a, '-f', '--chunks', '13,20,3', '--pack', pack, *level, *reverse, 'z.zarr', 'v')
        z = zarr.open('z.zarr', mode='r')['v']
        same(z[...], a.T if reverse else a, pack)
        assert z.chunks == ((3, 20, 13) if reverse else (13, 20, 3)) and z.fill_value is None
    if pack != 'zlib':
        write(a, '--v3', '--chunks', '13,20,3', '--shard', '26,20,9', '--pack', pack, *level, 't.zarr', str(n))
        same(decode('t.zarr/%d' % n)[0], a, pack)
        same(read('t.zarr', str(n)), a, pack)
c = zarr.open('z.zarr')['v'].compressor
assert (c.cname, c.clevel, c.shuffle) == ('lz4hc', 1, 2), c
END
}

@test "xarray has names, units, coordinates and values" {
	need numpy jansson zstd
	"$PYTHON" -c 'import zarr, xarray' 2>/dev/null || skip "xarray is missing"
	python <<'END'
import warnings, xarray
warnings.simplefilter('ignore')
a = noise('<i2', (6, 4, 5))
keys = dict(label1='time', unit1='s', label3='time', taf_slope=0.5, taf_intercept=2.0, unit='V', label='volts',
    label2='a/b')
grids = (0.5, 0.25), (1, 1), (1, 1)
write(a, 'x.zarr', 'v', grids=grids, **keys)
write(a + 1, 'x.zarr', 'w', grids=grids, **keys)
write(a[:, :3, 0], 'x.zarr', 'other', grids=((0, 0.25), (3, 1)), label1='time', unit1='s', label2='v')
write(a[:3, 0, 0], 'x.zarr', 'plain', label1='time')
write(a[:, 0, 0], 'x.zarr', 'x', label1='x')
write(a[:, 0, 0], 'x.zarr', 'y', unit1='m')
write(a[:3, 0, 0], 'x.zarr', 'q1', label1='q')
write(a[:4, 0, 0], 'x.zarr', 'q2', label1='q')
ds = xarray.open_zarr('x.zarr', consolidated=False)
assert ds.q1.dims == ('q',) and ds.q2.dims == ('q_2',) and 'q' not in ds.coords, ds
assert ds.v.dims == ds.w.dims == ('time', 'a_b', 'time_2'), ds
assert ds.other.dims == ('time_3', 'v_2') and ds.plain.dims == ('time_4',) and ds.x.dims == ('x_2',), ds
for x, b in ((ds.v, a), (ds.w, a + 1)):
    assert np.array_equal(x.values, b * 0.5 + 2) and x.attrs['units'] == 'V' and x.attrs['long_name'] == 'volts'
assert ds.time.values.tolist() == (0.5 + 0.25 * np.arange(6)).tolist() and ds.time.attrs['units'] == 's'
assert ds.time_2.values.tolist() == [1, 2, 3, 4, 5] and ds.time_2.attrs['long_name'] == 'time'
assert ds.a_b.attrs['long_name'] == 'a/b' and ds.time_3.values.tolist() == (0.25 * np.arange(6)).tolist()
assert ds.y.dims == ('dim_1',) and ds.dim_1.attrs['units'] == 'm' and ds.dim_1.attrs['long_name'] == ''
assert np.array_equal(ds.plain.values, a[:3, 0, 0]) and ds.plain.values.dtype == 'i2'
# too long for coordinates
write(np.zeros(2 ** 20 + 1, 'i1'), 'long.zarr', 'v', grids=((3, 0.5),), label1='t', unit1='s')
ds = xarray.open_zarr('long.zarr', consolidated=False)
assert ds.v.dims == ('t',) and not ds.coords and ds.v.attrs['taf_grid@1'] == [2 ** 20 + 1, 3, 0.5], ds.v
END
}

# goes_round OPTION...: zarr2taf makes of what taf2zarr has written of a.rsf the same; attributes may
# come in another order
goes_round() {
	rm -rf r.zarr
	taf2zarr "$@" r.zarr v a.rsf || return 1
	case " $* " in *--reverse*) set -- --reverse ;; *) set -- -q ;; esac
	zarr2taf "$1" r.zarr v >b.rsf || return 1
	LC_ALL=C sed '/^\f/q; s,hdf/_F,zarr/_F,' a.rsf | sort >want
	# what marks missing elements is an attribute of zarr then
	LC_ALL=C sed '/^\f/q; s,hdf/_F,zarr/_F,' b.rsf | sort >got
	same want got
	tafchecksum a.rsf >want
	tafchecksum b.rsf | sed s/b.rsf/a.rsf/ >got
	same want got
}

@test "the same array comes back: comment, mapping, labels and attributes" {
	need numpy jansson zstd
	mktaf a.taf int16 3,2,4
	printf 'a "comment", 50%%\n\ttwo lines' >>a.taf
	tafadjust -i --label 1=t --label 3='x y' --unit 1=s --step 3=1 --start 3=1 --slope 0.1 \
		--intercept -7 --value-unit V a.taf
	tafput -q a.taf zarr/n=18446744073709551615 zarr/text=5a 'zarr/list=[1,"a",null,{"k":true}]' zarr/no=null \
		'zarr/blank=[1, 2]' _FillValue=7 hdf/_FillValue=-9 hdf/valid_range=1,2 zarr/units=3 'gta/A B=x=y' n=7 \
		'quoted="7"' 'empty=' $'utf=\xc3\xa4"\\' 'zarr/taf:x=y' comment=no \
		zarr/axis@1=T more@1=1 'more@2=a b' label=all unit@c1=A label@c1=part -F rsf -o a.rsf
	for how in -q --v3 --reverse '--v3 --reverse'; do
		# shellcheck disable=SC2086
		goes_round $how
	done
	# too long for coordinates
	tafmath -n 1100000,1 -t int8 -a 1=3:0.1 'i1%100' -o b.taf
	tafput unit@1=s 'more@1=a' b.taf -F rsf -o a.rsf
	goes_round -q
	goes_round --reverse
	# labels like the names that are made up
	tafmath -n 4,3,2,5 'i1+10*i2' | tafput label@1=dim_2 label@3=dim_3 -F rsf -o a.rsf
	for how in -q --v3 --reverse; do
		goes_round $how
	done
	# complex, and one element without a dimension
	tafmath -t complex -n 4,3 'complex(i1,i2)' -F rsf -o a.rsf
	goes_round --v3
	tafmath -t complex128 -n 4,3 'complex(i1,i2)' -F rsf -o a.rsf
	goes_round -q
	mkdir q.zarr
	printf '{"zarr_format":2,"shape":[],"chunks":[],"dtype":"<i2","compressor":null,"fill_value":null,
		"order":"C","filters":null}' >q.zarr/.zarray
	printf ab >q.zarr/0
	zarr2taf q.zarr -o a.rsf
	goes_round -q
	goes_round --v3
	equal "$(ls -A r.zarr/v | xargs)" 'c zarr.json'
	# what JSON cannot say
	tafput -q $'k=\xff' a.rsf -o c.rsf
	refuse 3 taf2zarr -f --v3 r.zarr v c.rsf
	grep -q UTF-8 err
	zarr2taf r.zarr v >b.rsf
}

@test "what is there already: -f replaces an array, anything else is refused" {
	need jansson zstd
	mktaf a.taf int16 3,2
	mktaf b.taf flt64 4
	taf2zarr s.zarr/ /g/v a.taf
	taf2zarr s.zarr w a.taf
	ls -AR s.zarr >before
	refuse 3 taf2zarr s.zarr g/v b.taf
	refuse 3 taf2zarr -f s.zarr g b.taf
	refuse 3 taf2zarr -f s.zarr w/x b.taf
	refuse 3 taf2zarr --v3 s.zarr x b.taf
	refuse 3 taf2zarr a.taf x b.taf
	refuse 4 taf2zarr no/where x b.taf
	mkdir -p other/folder s.zarr/h
	refuse 3 taf2zarr other x b.taf
	refuse 2 taf2zarr s.zarr g/../x b.taf
	refuse 2 taf2zarr s.zarr
	refuse 2 taf2zarr s.zip x a.taf
	refuse 2 taf2zarr http://127.0.0.1/s x a.taf
	refuse 2 taf2zarr --shard 3,3 s.zarr x a.taf
	refuse 2 taf2zarr --v3 --shard 3,3 --chunks 2,3 s.zarr x a.taf
	refuse 2 taf2zarr --v3 --pack zlib t.zarr x a.taf
	refuse 2 taf2zarr --pack none --level 3 s.zarr x a.taf
	refuse 2 taf2zarr --pack gzip --level 10 s.zarr x a.taf
	refuse 2 taf2zarr --pack lz4 s.zarr x a.taf
	refuse 2 taf2zarr --chunks 2,0 s.zarr x a.taf
	refuse 3 taf2zarr --chunks 2 s.zarr x a.taf
	cat a.taf b.taf >two.taf
	tafcat a.taf b.taf | ends 3 taf2zarr s.zarr x
	head -c 1090 a.taf >cut.taf
	refuse 3 taf2zarr s.zarr x cut.taf
	tafcat a.taf | head -c -3 | ends 3 taf2zarr t.zarr x
	rmdir s.zarr/h
	ls -AR s.zarr >after
	same before after
	[ ! -e t.zarr ]
	taf2zarr -f s.zarr g/v b.taf
	equal "$(zarr2taf s.zarr g/v | tafread -r)" "$(tafread -r b.taf)"
	# an empty folder becomes a store, or a group
	mkdir e.zarr
	taf2zarr --v3 e.zarr v a.taf
	ln -s ../other s.zarr/out
	refuse 3 taf2zarr s.zarr out/x a.taf
	tafcat -N 2 two.taf >/dev/null 2>&1 || :
	equal "$(ls -A other)" folder
}

@test "consolidated metadata tell of the new array, and of no old one" {
	need numpy jansson zstd
	python <<'END'
a = noise('<i2', (6, 4))
def at(path):
    return json.load(open(path))
write(a, 'two.zarr', 'g/v')
files = '.zgroup', 'g/.zgroup', 'g/v/.zarray', 'g/v/.zattrs'
put('two.zarr/.zmetadata', {'zarr_consolidated_format': 1, 'metadata': {f: at('two.zarr/' + f) for f in files}})
put('two.zarr/g/.zmetadata', {'metadata': {f[2:]: at('two.zarr/' + f) for f in files[1:]}, 'n': 18446744073709551615})
write(a, '-f', '--chunks', '5,4', 'two.zarr', 'g/v')
write(a, 'two.zarr', 'g/h/w', grids=((0, 2), (1, 1)), label1='t')
files += 'g/h/.zgroup', 'g/h/w/.zarray', 'g/h/w/.zattrs', 'g/h/t/.zarray', 'g/h/t/.zattrs'
for path, cut in (('', 0), ('g/', 2)):
    doc = at('two.zarr/' + path + '.zmetadata')
    assert doc['metadata'] == {f[cut:]: at('two.zarr/' + f) for f in files[cut // 2:]}, doc
assert doc['n'] == 18446744073709551615
write(a, '--v3', 'three.zarr', 'g/v')
doc = at('three.zarr/zarr.json')
doc['consolidated_metadata'] = {'kind': 'inline', 'must_understand': False, 'metadata': {
    k: at('three.zarr/' + k + '/zarr.json') for k in ('g', 'g/v')}}
put('three.zarr/zarr.json', doc)
write(a, '--v3', '-f', '--chunks', '5,4', 'three.zarr', 'g/v')
write(a, '--v3', 'three.zarr', 'u')
got = at('three.zarr/zarr.json')['consolidated_metadata']
assert got['metadata'] == {k: at('three.zarr/' + k + '/zarr.json') for k in ('g', 'g/v', 'u')}, got
assert run('zarr2taf', '--list', 'three.zarr').stdout.count(b'\n') == 2
END
}

@test "what is killed, or fails, is not there; the next one takes its place" {
	need jansson zstd
	mktaf a.taf int16 300,200
	taf2zarr s.zarr v a.taf
	# killed while it waits for more
	for sig in KILL TERM; do
		mkfifo pipe
		taf2zarr --chunks 300,1 -f s.zarr v <pipe &
		pid=$!
		exec 5>pipe
		head -c 60000 a.taf >&5
		for _ in $(seq 100); do
			[ -e s.zarr/.v.taf2zarr/v/0.40 ] && break
			sleep 0.02
		done
		# meanwhile nobody else makes it
		[ "$sig" = TERM ] || refuse 4 taf2zarr -f s.zarr v a.taf
		kill -$sig $pid
		wait $pid || :
		exec 5>&-
		rm pipe
		equal "$(zarr2taf s.zarr v | taf2raw | cksum)" "$(taf2raw a.taf | cksum)"
		equal "$(zarr2taf --list s.zarr | cut -f 1 | xargs)" '/dim_1 /dim_2 /v'
		[ "$sig" = TERM ] || [ -e s.zarr/.v.taf2zarr/v/0.40 ]
		[ "$sig" = KILL ] || [ ! -e s.zarr/.v.taf2zarr ]
		[ "$sig" = TERM ] || mv s.zarr/.v.taf2zarr left
		[ "$sig" = KILL ] || mv left s.zarr/.v.taf2zarr
	done
	taf2zarr -f --chunks 300,100 s.zarr v a.taf
	equal "$(ls -A s.zarr s.zarr/v | xargs)" 's.zarr: .zgroup dim_1 dim_2 v s.zarr/v: .zarray .zattrs 0.0 0.1'
	# a full disk
	(
		ulimit -f 20
		trap '' XFSZ
		refuse 4 taf2zarr --pack none n.zarr v a.taf
	)
	[ ! -e n.zarr ]
	[ ! -e .n.zarr.taf2zarr ]
}
