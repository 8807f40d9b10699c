#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""soak.py AMOUNT [SEED [CASE]] -- random pipelines, and what numpy says they give.

AMOUNT is a number of seconds, or of pipelines as 300x. With CASE this one alone is run, shown, and
its folder left. Where the last command ends with status 0, whatever has happened before it, its
output is that of the model. Any other status has its message, and leaves no output. Formats that
end anywhere, and stores, are right where all commands have ended with 0.
"""
import collections
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import numpy as np  # noqa: E402
import model  # noqa: E402
import ops  # noqa: E402
import signals  # noqa: E402
import sources  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ENV = dict(os.environ, TAF_HISTORY='off', LC_ALL='C', SOURCE_DATE_EPOCH='1000000000')
TROUBLES = ('kill', 'cut', 'short', 'full', 'limit', 'reader', 'spool')
OURS = re.compile(r'\b(taf[a-z0-9]+|[a-z]+2taf|dafls)\b')
KNOWN = re.compile(r'(in(-\d+)?|mid\d+|out)\.\w+$|err\d+$|other\ds?(\.[\w@-]+)?$|full$|script$')
help_of, count, place = {}, collections.Counter(), {}


def takes(command, option):
    if command not in help_of:
        help_of[command] = subprocess.run([command, '-h'], capture_output=True, text=True).stdout
    return f'\n  {option},' in help_of[command]


class Stage:
    """A command; alone: of one array, which goes in. Behind a store it reads no array."""
    def __init__(self, r, words, alone, behind):
        self.name, self.alone, self.reads = words.split()[0], alone, behind != ';'
        self.arrays = self.name[:4] != 'taf2' and self.name not in ('tafread', 'tafexport', 'dafls') or self.name == 'taf2rsf'
        more = ''
        if 'zarr' not in self.name and takes(self.name, '-m'):
            more = r.choice(('', '', ' -m 64k', ' -m 1', ' -m 300'))
        if takes(self.name, '-J'):
            more += r.choice(('', ' -J 1', ' -J 3'))
        self.words = words.replace(self.name, self.name + more, 1)


class Case:
    def __init__(self, seed, number):
        self.r = r = random.Random(f'{seed} {number}')
        self.trouble = r.choice(TROUBLES) if r.random() < 0.3 else None
        self.exact, self.refusal, self.stages, self.whole = True, None, [], None
        self.named = self.small = False
        first = model.draw(r, large=r.random() < 0.06)
        same = (first.v.dtype, first.v.shape) if r.random() < 0.3 else ()
        self.arrays = [first] + [model.draw(r, *same) for _ in range(r.choice((0, 0, 0, 1, 2, 3)))]
        self.input = 'in.' + self.source(r, first, r.randrange(8) if len(self.arrays) == 1 else 9)
        for k in range(r.randint(1, 5)):
            if self.refusal is None:
                self.step(f'other{k}')

    def source(self, r, a, how):
        if how < 3:
            self.whole = model.write_taf('in.taf', a)
            return 'taf'
        found = how < 6 and sources.draw_source(r, a)
        if not found:
            model.write_rsf('in.rsf', self.arrays, r.choice(('little', 'big')))
            return 'rsf'
        form, words, self.arrays = found
        self.put(words, True)
        self.exact = form != 'isf'      # cut between two curves it is whole
        return form

    def put(self, words, alone):
        behind = ''
        for w in re.split(r' ([|;]) ', words):
            if w in '|;':
                behind = w
            else:
                self.stages.append(Stage(self.r, w, alone, behind))

    def draw(self):
        """One of the operations: now and then of one of the arrays alone."""
        r, A = self.r, self.arrays
        if len(A) == 1 or r.random() < 0.9:
            return ops.draw_op(r, A)
        k = r.randrange(len(A))
        words, out = ops.draw_op(r, A[k:k + 1])
        name = words.split()[0]
        model.unless(name == 'tafcat' or '{}' in words or not takes(name, '-N'))
        return words.replace(name, f'{name} -N {k + 1}', 1), out

    def step(self, name):
        for _ in range(50):
            self.r.other, alone = name, len(self.arrays) == 1
            try:
                with np.errstate(all='ignore'):
                    words, self.arrays = self.draw()
            except model.Refused as e:
                words, self.refusal = str(e), len(self.stages)
            except model.No:
                continue
            self.put(words, alone)
            return

    def script(self):
        """Lines of commands: pipes between files, stores and changes in place."""
        r, line, lines, at = self.r, None, [], self.input
        bad = r.randrange(len(self.stages))
        for k, s in enumerate(self.stages):
            words, before, then = s.words, '', (self.stages[k + 1:] + [None])[0]
            inplace = then and line is None and s.reads and re.match(r'mid.*taf$', at) and \
                takes(s.name, '-i') and '{}' not in words
            if self.trouble == 'kill' and k == bad:
                before = f'timeout -s KILL {r.randint(1, 9) / 1000} '
            if self.trouble == 'spool':
                before = 'TMPDIR=/dev/null/none '
            if line is not None:
                cut = f' | head -c {r.choice((r.randint(0, 3000), r.randint(-60, -1)))}' * (self.trouble == 'cut' and k == max(bad, 1))
                line += cut + r.choice(('', '', f' | dd bs={r.choice((7, 333, 5000))} status=none')) + ' | '
                words = words.replace('{}', '-')
            elif inplace:
                line, words = '', f'{words} -i {at}'
            else:
                line, words = self.begin(words, at) if s.reads else ('', words)
            if s.name in ('taf2gta', 'taf2ten', 'tafread', 'tafexport', 'dafls') or inplace or then and not then.reads:
                self.exact = False
            ends = then is None or inplace or not then.reads or not r.randrange(4)
            if then is None:
                words = self.end(words)
            elif ends and then.reads and not inplace:
                at = f'mid{k}.' + r.choice(('taf', 'rsf') if then.alone and s.arrays else ('rsf',))
                words += f' -o {at}' if at[-3:] == 'taf' else r.choice(
                    (f' >{at}', f' -o {at}' if takes(s.name, '-o') else f' >{at}'))
            words, bar, tail = words.partition(' | ')
            line += f'{before}{words} 2>err{k}{bar}{tail}'
            if ends:
                lines.append(line)
                line = None
        return lines

    def begin(self, words, at):
        """What stands before a command that reads a file, and the command."""
        r, how = self.r, self.r.randrange(6)
        if words[:10] == 'tafconvert':
            return '', words.replace('{}', at)
        if how > 2:
            words = words.replace('{}', '-')
            return (f'cat {at} | ', f'dd bs=777 if={at} status=none | ', f'<{at} ')[how - 3], words
        if how == 0 and place['port']:
            at = f'http://127.0.0.1:{place["port"]}/{r.choice(("ok", "noranges", "weak"))}/{at}'
        return '', words.replace('{}', at) if '{}' in words else f'{words} {at}'

    def end(self, words):
        r, taf = self.r, len(self.arrays) == 1 and self.refusal is None and self.r.random() < 0.4
        self.out, how = 'out.taf' if taf else 'out.rsf', r.randrange(4)
        if self.trouble == 'reader':
            return f'{words} | head -c {r.randint(0, 2000)} >/dev/null'
        self.small = self.trouble == 'full' and place['full']
        self.named = how > 1 or self.trouble in ('full', 'limit')
        if self.named:
            return f'{words} -o {"full/" * self.small}{self.out}'
        return words + ' -F taf' * taf + (f' | cat >{self.out}' if how else f' >{self.out}')

    def run(self):
        r, lines, small = self.r, self.script(), self.small
        if self.trouble == 'limit':
            lines[-1] = f"trap '' XFSZ; ulimit -f {r.randint(1, 4)}; " + lines[-1]
        if self.trouble == 'short':
            size = self.whole or os.path.getsize(self.input)
            os.truncate(self.input, r.choice((r.randrange(size), max(size - r.randint(1, 60), 0))))
        text = ''.join(f'{x}; echo "${{PIPESTATUS[@]}}"\n' for x in lines)
        if small:
            text = f'mkdir full; mount -t tmpfs -o size=16k none full; head -c {r.randint(2, 4) * 4}k ' \
                f'/dev/zero >full/ballast 2>/dev/null\n{text}cp full/out* . 2>/dev/null\n' \
                'ls -A full | grep -qv "^ballast$\\|^out" && echo >more\n'
        with open('script', 'w') as f:
            f.write(text)
        try:
            p = subprocess.run(['unshare', '-rm'] * small + ['bash', 'script'], env=ENV, text=True,
                stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
        except subprocess.TimeoutExpired:
            return 'it does not end', text
        status = [[int(x) for x in s.split()] for s in p.stdout.splitlines()]
        codes = [s for ss, line in zip(status, lines) for s, c in zip(ss, line.split(' | '))
            if OURS.search(c)]
        self.said = [open(f'err{k}', errors='replace').read() if os.path.exists(f'err{k}') else ''
            for k in range(len(self.stages))]
        return self.judge(codes, any(map(any, status))), f'{text}{status}\n{"".join(self.said)[:600]}'

    def judge(self, codes, failed):
        """codes: the statuses of our commands; failed: a command did, ours or not."""
        rc, trouble, refusal = codes[-1], self.trouble, self.refusal
        if len(codes) != len(self.stages):
            return 'a line without statuses'
        count[f'{trouble or "no trouble"}, ' + ('refused' if rc else 'right')] += 1
        if trouble == 'reader':
            return None if rc in (0, 141) or refusal is not None else 'a reader that is gone'
        # these have what they were to pick
        if any(s.name == 'tafcat' or ' -N ' in s.words for s in self.stages):
            codes = [0 if c == 141 else c for c in codes]
        if trouble is None and (any(codes) if refusal is None else codes[refusal] != 3):
            return 'refused, or not refused'
        for code, said in zip(codes, map(str.splitlines, self.said)):
            # 1: the shell had no file to open
            if code not in (0, 3, 4, 141) and not (code == 137 and trouble == 'kill') and \
                    not (code == 1 and failed and not said):
                return f'status {code}'
            if code in (3, 4) and not said or any(OURS.match(s) is None for s in said):
                return f'the message is {said}'
        left = [n for n in os.listdir('.') if KNOWN.match(n) is None]
        if left and trouble != 'kill':
            return f'left behind: {left}'
        there = os.path.exists(self.out)
        if rc not in (0, 137) and self.named and there:
            return f'{self.out} is there'
        if rc != 0 and not (self.named and there) or not self.exact and (failed or trouble in ('cut', 'short')):
            return None
        if refusal is not None:
            return 'status 0'
        try:
            with open(self.out, 'rb') as f:
                return model.differ(model.read_stream(f.read()), self.arrays) or self.printed()
        except (AssertionError, OSError, ValueError, KeyError) as e:
            return f'{type(e).__name__}: {e}'

    def printed(self):
        """What is said of an output that is right: compared with the model's, and summed up."""
        a = self.arrays[0]
        if len(self.arrays) > 1 or a.tol or a.kind() == 'c' or self.r.random() < 0.6:
            return None
        model.write_taf('want.taf', model.Array(a.v, map=a.map))
        v = a.physical()
        finite = v[np.isfinite(v)]
        want = [v.size, *((finite.min(), finite.max()) if finite.size else (None, None)),
            np.isnan(v).sum(), np.isinf(v).sum()]
        p = [subprocess.run(w, env=ENV, capture_output=True, text=True) for w in
            (['tafcompare', self.out, 'want.taf'], ['tafsummarize', '-j', self.out],
            ['tafcheck', '-q', self.out if self.out[-3:] == 'taf' else 'want.taf'])]
        count.update(('tafcompare', 'tafsummarize', 'tafcheck'))
        said = json.loads(p[1].stdout)
        if p[0].returncode or p[2].returncode or [said[k] for k in ('count', 'min', 'max', 'nan', 'inf')] != want:
            return f'{p[0].stdout}{p[2].stdout}{said}, not {want}'
        return self.told(v, a.tol is None)

    def told(self, v, bits):
        """What other commands make of it: text that has its values, copies, pictures that are there."""
        out, before, names = self.out, set(os.listdir('.')), {}

        def has(x, order='F'):
            return np.array_equal(x, v.ravel(order), v.dtype.kind == 'f')

        def said():
            with open('told') as f:
                return f.read()

        def mapped():
            exec(said(), names)
            return has(names['load']()[1].ravel('F'))

        def words(order='F'):
            return has(np.array(said().split()).astype(v.dtype), order)
        drawn = v.ndim < 3 and np.abs(v[np.isfinite(v)].astype('g')).max(initial=-1) < 1e300 and np.isfinite(v).any()
        term = self.r.choice(place['terms'])
        command, right = self.r.choice([x[1:] for x in (
            (True, f'tafread {out} >told', words),
            (True, f'taf tafread {out} >told', words),
            (v.itemsize < 8 or v.dtype == 'f8', f'tafread -b {out} >told', lambda: np.array_equal(np.fromfile('told', '<f8'),
                v.astype('f8').ravel('F'), True)),
            (v.ndim == 2, f'tafexport --no-header {out} >told', lambda: words('C')),
            (v.size, 'tafmap --lang numpy want.taf >told', mapped),
            (bits, f"tafchecksum --data {out} want.taf | cut -d ' ' -f 1 | uniq >told", lambda: said().count('\n') == 1),
            (True, f'tafprobe -k shape {out} >told', lambda: said().strip() == ','.join(map(str, v.shape))),
            (True, f'tafbackup {out} >told && cmp $(cat told)/{out} {out} && rm -r $(cat told)', lambda: True),
            (True, 'tafwatch want.taf | tafcompare - want.taf >told', lambda: said() == ''),
            (drawn, f'tafplot -q --term {term} -o told {"--image" * (v.ndim == 2)} {out}', lambda: os.path.getsize('told')),
        ) if x[0]])
        p = subprocess.run(['bash', '-c', f'set -o pipefail; {command}'], env=ENV, capture_output=True, text=True)
        count[command.split()[0]] += 1
        left = set(os.listdir('.')) - before - {'told'}
        if p.returncode or p.stderr or left or not right():
            return f'{command}: {p.returncode}, {p.stdout}{p.stderr}{left or ""}'
        return None


def soak(many, end, seed, only):
    number, findings = int(only or 0), 0
    while (number if many else time.time()) < end:
        for name in os.listdir('.'):
            shutil.rmtree(name) if os.path.isdir(name) else os.remove(name)
        case = Case(seed, number)
        if case.stages:
            wrong, text = case.run()
            count.update(['pipelines'] + [s.name for s in case.stages])
            findings += wrong is not None
            if wrong or only:
                print(f'seed {seed}, case {number}, {case.trouble}: {wrong}\n{text}', flush=True)
        if only:
            break
        number += 1
    print(', '.join(f'{v} {k}' for k, v in sorted(count.items())))
    if signals.dsp is None or sources.scipy is None:
        print('no scipy: taffilter and mat2taf were left out')
    if sources.h5py is None:
        print('no h5py: captures in HDF5 were left out')
    print(f'{count["pipelines"]} pipelines, {findings} findings')
    return findings > 0


def main(amount, seed=1, only=None):
    many, base = amount[-1] == 'x', tempfile.mkdtemp(prefix='soak.')
    place['terms'] = ['text', 'html'] + ['svg', 'png', 'pdf'] * bool(shutil.which('gnuplot'))
    place['full'] = subprocess.run(['unshare', '-rm', 'mount', '-t', 'tmpfs', 'none', base],
        capture_output=True).returncode == 0
    server = subprocess.Popen([sys.executable, HERE + '/../remote/server.py', base, '/dev/null'],
        stdout=subprocess.PIPE, text=True)
    place['port'] = port = int(server.stdout.readline())
    os.chdir(base)
    try:
        model.write_taf('in.taf', model.draw(random.Random(1)))
        if subprocess.run(['tafprobe', f'http://127.0.0.1:{port}/ok/in.taf'], capture_output=True).returncode:
            place['port'] = None    # built without libcurl
        return soak(many, int(amount[:-1]) if many else time.time() + float(amount), seed, only)
    finally:
        server.kill()
        print(base) if only else shutil.rmtree(base)


sys.exit(main(*sys.argv[1:]))
