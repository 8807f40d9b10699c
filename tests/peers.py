#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""peers.py PAGE FOLDER > peers.txt -- what the other programs of taf-peers(7) make of its files

FOLDER is empty.  A line for each command on the page that could be run: the command as the page
has it, a tab, the lengths of the result, and its numbers, dimension 1 fastest.  Madagascar's
programs, gta, nco, cdo and ncgen are looked up in PATH; numpy is the one of this python.  Where
one is missing, its lines are.  tests/pages.bats compares our commands with what is kept.
"""
import os
import re
import subprocess
import sys

import numpy as np

import gta

TYPES = {'float': 'f4', 'int': 'i4', 'complex': 'c8', 'uchar': 'u1'}


def page_lines(page):
    """Pairs of another program's command and ours, by the section they stand in."""
    section = theirs = None
    for line in open(page):
        line = line.rstrip('\n').replace('\\&', '').replace('\\(aq', "'").replace('\\(ha', '^')
        if line.startswith('.Ss '):
            section = line[4:]
        elif line.startswith('.It '):
            theirs = line[4:]
        elif line.startswith('.Ic ') and theirs:
            yield section, theirs, line[4:]
            theirs = None


def read_rsf(data, folder='.'):
    head, _, rest = data.partition(b'\f\f\4')
    keys = dict(re.findall(rb'(\w+)="?([^"\s]*)"?', head))
    if keys[b'in'] != b'stdin':
        rest = open(keys[b'in'], 'rb').read()
    n = []
    while b'n%d' % (len(n) + 1) in keys:
        n.append(int(keys[b'n%d' % (len(n) + 1)]))
    form, kind = keys[b'data_format'].decode().split('_')
    if form == 'ascii':
        return np.array(rest.split(), 'f8').reshape(n, order='F')
    a = np.frombuffer(rest, TYPES[kind])
    return a[:int(np.prod(n))].reshape(n, order='F')


def show(theirs, *arrays):
    shapes, values = zip(*map(words, arrays))
    print(theirs, ';'.join(shapes) + ' ' + ' '.join(values), sep='\t')


def words(a):
    a = np.asarray(a)
    n = list(a.shape) or [1]
    while len(n) > 1 and n[-1] == 1:
        n.pop()
    v = a.ravel(order='F')
    if v.dtype.kind == 'c':
        v = np.stack([v.real, v.imag]).ravel(order='F')
    return ','.join(map(str, n)), ' '.join('%.9g' % x for x in v)


def shell(command, **more):
    p = subprocess.run(['bash', '-c', command], stdin=subprocess.DEVNULL, capture_output=True, **more)
    if p.returncode:
        sys.stderr.write('%s: status %d: %s\n' % (command, p.returncode, p.stderr.decode()[:200]))
        return None
    return p.stdout


def madagascar(theirs):
    name = theirs.split()[0]
    if name in ('sfget', 'sfdisfil'):
        out = shell(theirs)
        if out is not None:
            words = re.findall(r'(?<!\S)-?[\d.]+(?:e[-+]\d+)?(?!\S)', out.decode())
            show(theirs, np.array(words, 'f8'))
    elif name not in ('sfattr', 'sfin', 'sfcp', 'sfmv', 'sfrm'):
        out = shell(theirs + (' >out.rsf' if 'form=ascii' in theirs else ' --out=stdout'))
        out = open('out.rsf', 'rb').read() if 'form=ascii' in theirs else out
        if out:
            show(theirs, read_rsf(out))


def gtatool(theirs):
    out = shell(theirs)
    if not out or not out.startswith(b'GTA'):
        return
    arrays = []
    for a in gta.parse(out):
        dtype = np.dtype([('', a.order + gta.TYPES[t]) for t, _ in a.comps])
        v = np.frombuffer(a.data, dtype)
        columns = np.stack([v[name] for name in v.dtype.names])
        n = list(a.dims) if len(columns) == 1 else [len(columns)] + list(a.dims)
        arrays.append(columns.reshape(n, order='F'))
    show(theirs, *arrays)


def numeric(theirs, files):
    if 'allclose' in theirs:
        return
    try:
        result = eval(theirs, {'np': np}, dict(files))
        show(theirs, *(result if isinstance(result, list) else [result]))
    except SyntaxError:
        pass


def netcdf(theirs):
    name = theirs.split()[0]
    if name in ('ncatted', 'ncrename', 'ncks') and '-d' not in theirs or theirs.split()[1] in ('diffn', 'infon'):
        return
    if shell('rm -f out.nc; ' + ('cdo -s ' + theirs[4:] if name == 'cdo' else theirs + ' -O') + ' out.nc') is None:
        return
    text = shell('ncdump -v v out.nc').decode()
    names = re.search(r'\bv\(([^)]*)\)', text).group(1).split(', ')
    n = []
    for dim in reversed(names):
        length = re.search(r'\b%s = (?:UNLIMITED ; // \()?(\d+)' % dim, text).group(1)
        n.append(int(length))
    numbers = re.search(r'data:.*\bv =(.*?);', text, re.S).group(1).split(',')
    show(theirs, np.array(numbers, 'f8').reshape(n, order='F'))


def make_netcdf(files):
    for name in 'ab':
        a = files[name]
        with open(name + '.cdl', 'w') as f:
            f.write('netcdf %s { dimensions: lon = 4; lat = 3; time = UNLIMITED;\n' % name)
            f.write('variables: double lon(lon); double lat(lat); double time(time);\n')
            f.write('lon:units = "degrees_east"; lat:units = "degrees_north";\n')
            f.write('time:units = "days since 2000-1-1"; float v(time, lat, lon);\n')
            f.write('data: lon = 0, 0.5, 1, 1.5; lat = 0, 1, 2; time = 0, 1;\nv = ')
            f.write(', '.join('%.9g' % x for x in a.ravel(order='F')) + '; }\n')
        shell('ncgen -3 -o %s.nc %s.cdl' % (name, name))


def main():
    page, folder = map(os.path.abspath, sys.argv[1:])
    here = os.path.dirname(os.path.abspath(__file__))
    os.chdir(folder)
    os.environ['DATAPATH'] = folder + '/'
    shell('perl %s/peers.pl' % here)
    files = {name: read_rsf(open(name + '.rsf', 'rb').read()) for name in ('a', 'b', 'm', 'c', 'k', 'nan')}
    for name in 'abm':
        x = files[name]
        open(name + '.gta', 'wb').write(gta.build([11], list(x.shape), x.tobytes(order='F')))
    rgb = files['a']
    open('rgb.gta', 'wb').write(gta.build([11] * 4, list(rgb.shape[1:]), rgb.tobytes(order='F')))
    part = np.concatenate([files['a'].ravel(order='F')[4 * k:4 * k + 12] for k in range(3)])
    open('s.gta', 'wb').write(b''.join(
        gta.build([11], [4, 3], x.tobytes()) for x in np.split(part.astype('f4'), 3)))
    make_netcdf(files)
    for section, theirs, _ in page_lines(page):
        if section.startswith('Madagascar'):
            madagascar(theirs)
        elif section == 'gtatool':
            gtatool(theirs)
        elif section == 'numpy':
            numeric(theirs, files)
        else:
            netcdf(theirs)


main()
