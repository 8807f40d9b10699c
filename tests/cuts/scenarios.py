# SPDX-License-Identifier: ISC
"""What is cut: files, a command that changes them, and one that looks afterwards."""


class Scenario:
    """looks are commands, and each has to find what it found before, or what it finds when all is
    done. Where promised, that is so as soon as the command has ended. may_refuse: they may end in
    a status that is not 0 instead. redo: a command behind which all has to be new, as it always
    has for looks of which none is old. again: of 1, so many states are cut second times more."""
    def __init__(self, name, setup, command, *looks, promised=True, may_refuse=False, redo=True,
            always_new=False, exchanges=False, again=0.02, second=40, weight=4, needs=()):
        self.name, self.setup, self.command, self.looks = name, setup, command, looks
        self.promised, self.may_refuse, self.always_new = promised, may_refuse, always_new
        self.redo = command if redo is True else redo
        # where two folders cannot change places there is a moment without either: taf2zarr(1)
        self.exchanges = exchanges
        self.again, self.second, self.weight, self.needs = again, second, weight, needs


# elements that all differ, grids, labels and a comment
MAKE = """tafmath -q -t int16 -n 37,29 'i1*31 + i2*1009 - 9000' -o a.taf
tafadjust -i --start 1=3 --step 2=0.5 --label 1=Time --unit 1=s a.taf
tafcomment -i -C "first line" a.taf
tafmath -q -t int16 -n 37,29 'i1*17 - i2*211' -o b.taf
"""
BIG = """tafmath -q -t int32 -n 1001,701 'i1*31 + i2*100009' -o a.taf
tafcomment -i -C "first line" a.taf
tafmath -q -t int32 -n 1001,301 'i1*17 - i2*211' -o b.taf
"""
LOOK = 'tafcrop -q a.taf'


def in_place(name, command, setup=MAKE, **how):
    return Scenario(name, setup, command, LOOK, **how)


# a name that is new need not be on the disk when its command has ended: taf(7)
def output(name, command, setup=MAKE, look='tafcrop -q out.taf', **how):
    return Scenario(name, setup, command, look, promised=False, **how)


OLD = MAKE + 'tafmath -q -n 5,700 i1+i2*6 -o out.taf; cp out.taf x.taf\n'
SPLIT = MAKE + 'tafmath -q -t flt32 -n 37,28 i1+i2*60 -o c.taf\n'
DAF = """mkdir store store/axes store/scalars store/vectors store/vectors/c store/matrices
mkdir store/matrices/c store/matrices/c/g store/matrices/g store/matrices/g/c
echo '{"version":[1,1]}' >store/daf.json
seq 1 3000 >store/axes/c.txt
seq 1 7 >store/axes/g.txt
tafmath -q -t int16 -n 3000 'i1*7 - 3000' -o v.taf
tafmath -q -t flt64 -n 3000 'i1/7' -o w.taf
tafmath -q -t int32 -n 3000,7 'i1*7 + i2*100' -o m.taf
tafmath -q -t flt32 -n 3000,7 'i1/7 + i2*100' -o n.taf
taf2daf -q store c/old w.taf
"""
HAS = {'hdf': ('taf2hdf', 'hdf2taf'), 'daf': ('taf2daf', 'daf2taf', 'dafls'),
    'zarr': ('taf2zarr', 'zarr2taf'), 'sigmf': ('taf2sigmf', 'sigmf2taf')}


def daf(name, setup, command, item, *looks, **how):
    how.setdefault('redo', command.replace('taf2daf', 'taf2daf -f'))
    return Scenario(name, DAF + setup, command, 'daf2taf -q store ' + item,
        'daf2taf -q store c/old', 'dafls store', *looks, needs=HAS['daf'], **how)


def zarr(name, setup, command, array='v', **how):
    other = ('zarr2taf -q s.zarr other',) if setup else ()
    return Scenario(name, MAKE + setup, command, 'zarr2taf -q s.zarr ' + array, *other,
        redo=command.replace('taf2zarr', 'taf2zarr -f'),
        needs=HAS['zarr'], **how)


def spread(name, how, output, **more):
    line = f'tafspread -q -J 2 {how} -- "tafmath -q a*3+1"'
    return Scenario(name, 'tafmath -q -t int32 -n 907,16 "i1*5+i2*70001" -o ../in.taf\n'
        'tafreverse -q -d 1 ../in.taf -o ../in2.taf', line, f'{line} && tafcrop -q {output}',
        redo=None, always_new=True, second=20, **more)


ZARR = """taf2zarr -q --chunks 10,29 s.zarr other b.taf
taf2zarr -q --chunks 37,10 s.zarr v b.taf
"""
SCENARIOS = [   # those that take long come first
    spread('spread', '-d 2 --slabs 4 -o out.taf ../in.taf', 'out.taf'),
    spread('spread-checksum', '-d 2 --slabs 3 --checksum -o out.taf ../in.taf', 'out.taf'),
    spread('spread-each', '--each -D . ../in.taf ../in2.taf', 'in2.taf'),
    Scenario('hdf-new', MAKE + 'taf2hdf -q r.h5 other b.taf', 'taf2hdf -q r.h5 v a.taf',
        'hdf2taf -q r.h5 v', 'hdf2taf -q r.h5 other', redo='taf2hdf -q -f r.h5 v a.taf',
        needs=HAS['hdf']),
    Scenario('hdf-over', BIG + 'taf2hdf -q r.h5 other b.taf; taf2hdf -q r.h5 v b.taf',
        'taf2hdf -q -f --deflate 1 r.h5 v a.taf', 'hdf2taf -q r.h5 v', 'hdf2taf -q r.h5 other',
        needs=HAS['hdf'], weight=2),
    in_place('adjust-header', 'tafadjust -i --start 1=5 --step 1=2 --slope 3 a.taf'),
    in_place('adjust-label', 'tafadjust -i --start 1=5 --label 2=Trace a.taf'),
    in_place('adjust-30-dims',
        'tafadjust -i --start 1=5 --start 25=7 --step 1=0.25 --step 30=4 a.taf',
        'tafmath -q -t int16 -n 5,3,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2 '
        '"i1*31+i2*100+i30*7" -o a.taf'),
    in_place('type', 'taftype -i --set 3 a.taf', 'tafmath -q -n 9,3 i1+i2*10 -o a.taf'),
    in_place('comment', 'tafcomment -q -i --set "another, longer than the first one" a.taf'),
    in_place('comment-long', 'tafcomment -q -i --set @t a.taf', MAKE + 'seq 9000 >t', weight=20),
    in_place('comment-shorter', 'tafcomment -q -i --clear a.taf', MAKE +
        'seq 9000 >t; tafcomment -q -i --set @t a.taf', weight=20),
    in_place('put', 'tafput -q -i note=something number=5 a.taf'),
    in_place('crop', 'tafcrop -q -i -x 1=3:20 a.taf', redo=None),
    in_place('permute', 'tafpermute -q -i -d 2,1 a.taf', redo=None),
    in_place('transpose', 'taftranspose -q -i a.taf', redo=None),
    in_place('reshape', 'tafreshape -q -i -n 29,37 a.taf'),
    in_place('append', 'tafappend -q -i a.taf b.taf', redo=None, weight=12),
    in_place('append-dim-1', 'tafappend -q -i -d 1 a.taf b.taf', redo=None, weight=8),
    in_place('append-big', 'tafappend -q -i a.taf b.taf', BIG, redo=None, weight=4),
    in_place('replace', 'tafreplace -q -i -x 1=2:30:3 -x 2=4:20 --value 77 a.taf', weight=12),
    in_place('replace-all', 'tafreplace -q -i --all --with b.taf a.taf', weight=12),
    in_place('replace-big', 'tafreplace -q -i -x 2=101:401 --with b.taf a.taf', BIG, weight=4),
    output('new-TAF', 'tafcrop -q -x 1=2:30 a.taf -o out.taf'),
    output('over-TAF', 'tafcrop -q -x 1=2:30 a.taf -o out.taf', OLD),
    output('over-RSF', 'tafcrop -q -x 1=2:30 a.taf -o out.rsf', OLD +
        'tafcrop -q out.taf -o out.rsf', 'tafcrop -q out.rsf'),
    output('over-changed', 'tafcrop -q -x 1=2:30 a.taf -o out.taf', OLD +
        'tafcomment -q -i -C more out.taf'),
    output('permuted', 'tafpermute -q -m 64k -d 2,1 a.taf -o out.taf', BIG.replace('01,', '1,'),
        weight=2),
    output('recipe', 'tafcrop -q --recipe -x 1=2:30 a.taf -o out.taf', OLD),
    Scenario('split', MAKE + 'tafsplit -q --every 10 b.taf -o out-%d.taf; rm out-2.taf',
        'tafsplit -q --every 10 a.taf -o out-%d.taf', *(f'tafcrop -q out-{k}.taf'
        for k in (1, 2, 3)), promised=False),
    Scenario('split-RSF', MAKE + 'tafsplit -q --every 10 b.taf -o out-%d.rsf; rm out-2.rsf',
        'tafsplit -q --every 10 a.taf -o out-%d.rsf', *(f'tafcrop -q out-{k}.rsf'
        for k in (1, 2, 3)), promised=False),
    # done again, it makes a second one
    output('backup', 'tafbackup -D d a.taf', MAKE + 'mkdir d',
        'for f in d/*/a.taf; do :; done; tafcrop "$f" 2>/dev/null', may_refuse=True),
    output('elements-apart', 'tafcrop -q a.taf --out=x.data -o out.rsf', SPLIT +
        'tafcrop -q b.taf --out=x.data -o out.rsf', 'tafcrop -q out.rsf',
        may_refuse=True, weight=8),
    output('elements-stdout', 'tafcrop -q a.taf --out=x.data >out.rsf', SPLIT +
        'tafcrop -q c.taf --out=x.data >out.rsf', 'tafcrop -q out.rsf',
        may_refuse=True, weight=8),
    output('datapath', 'taf2rsf -q --datapath=./ a.taf >out.rsf', SPLIT +
        'taf2rsf -q --datapath=./ c.taf >out.rsf', 'tafcrop -q out.rsf', may_refuse=True),
    output('SigMF', 'taf2sigmf -q -o r d.taf',
        'tafmath -q -t int16 -n 300 i1*7 -o c.taf\ntafmath -q -t flt32 -n 150 i1*9+3 -o d.taf\n'
        'taf2sigmf -q -o r c.taf', 'sigmf2taf -q r.sigmf-meta', may_refuse=True,
        needs=HAS['sigmf']),
    daf('daf-vector', 'taf2daf -q store c/v v.taf', 'taf2daf -q -f store c/v w.taf', 'c/v',
        weight=8),
    daf('daf-new', '', 'taf2daf -q store c/v w.taf', 'c/v'),
    daf('daf-sparse', 'taf2daf -q store c/v v.taf', 'taf2daf -q -f --sparse store c/v w.taf',
        'c/v', weight=8),
    daf('daf-packed', 'taf2daf -q store c/v v.taf', 'taf2daf -q -f --pack gzip store c/v w.taf',
        'c/v', weight=8),
    daf('daf-scalar', 'tafmath -q -n 1 7 -o x.taf\ntafmath -q -n 1 8 -o y.taf\n'
        'taf2daf -q store n x.taf', 'taf2daf -q -f store n y.taf', 'n'),
    daf('daf-matrix', 'taf2daf -q store c/g/m m.taf', 'taf2daf -q -f store c/g/m n.taf',
        'c/g/m', 'daf2taf -q store g/c/m', weight=8),
    zarr('zarr-new-store', '', 'taf2zarr -q --chunks 10,29 s.zarr v a.taf'),
    zarr('zarr-grid', ZARR + 'taf2zarr -q s.zarr v a.taf -f; tafadjust -i --start 1=9 '
        '--step 1=2 --unit 1=m a.taf', 'taf2zarr -q -f s.zarr v a.taf', exchanges=True),
    zarr('zarr-new-array', ZARR, 'taf2zarr -q --chunks 10,29 s.zarr w a.taf', 'w'),
    zarr('zarr-over', ZARR, 'taf2zarr -q -f --chunks 37,7 s.zarr v a.taf', weight=8,
        exchanges=True),
    zarr('zarr-shards', ZARR.replace('taf2zarr', 'taf2zarr --v3'), 'taf2zarr --v3 -q -f '
        '--chunks 37,7 --shard 37,14 s.zarr v a.taf', weight=8, exchanges=True),
]
