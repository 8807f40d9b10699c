# SPDX-License-Identifier: ISC
"""A stand-in for Madagascar's rsf.proj: command lines as its Flow() makes them, for tests.

    python3 proj.py

reads lines of FOLDER, DATAPATH, TARGET, "SOURCE,...", FLOW, stdin=0, stdout=-1, the last two
where they are not 1, with tabs between, and prints the command line of each.  Programs of
$RSFROOT/bin count as registered.
"""
import os
import re
import shlex
import sys

ROOT = os.environ['RSFROOT']


def datapath():
    """A folder for the project below $DATAPATH, named after the last three of its own."""
    path = os.environ.get('DATAPATH', './')
    if not path.startswith('./'):
        path = os.path.join(os.path.dirname(path), *os.getcwd().split('/')[-3:]) + '/'
        os.makedirs(path, exist_ok=True)
    return path


def named(files):
    return [f if '.' in f else f + '.rsf' for f in files]


def command(targets, sources, flow, stdin=1, stdout=1):
    """Split as text, whatever the quotes say; only registered programs get a path."""
    lines = []
    for line in flow.split('&&'):
        pieces = []
        for piece in line.split('|'):
            words = piece.split()
            program = words[0] if words[0].startswith('sf') else 'sf' + words[0]
            program = os.path.join(ROOT, 'bin', program)
            if os.path.exists(program):
                words[0] = program
            pieces.append(' '.join(words))
        lines.append(' | '.join(pieces))
    text = ' && '.join(lines)
    text += {1: ' > $TARGET', 0: ' >/dev/null', -1: ''}[stdout]
    if stdout == 1 and '/' in targets[0] and '--out=' not in lines[-1]:
        out = datapath() + targets[0] + '@'
        os.makedirs(os.path.dirname(out), exist_ok=True)
        text += ' --out=' + out
    return '< $SOURCE ' + text if stdin and sources else text


def environment():
    """What the programs see, and the stand-ins' ORDER: the user's PATH is not in it."""
    env = {k: os.environ[k] for k in ('HOME', 'LD_LIBRARY_PATH', 'ORDER') if k in os.environ}
    env.update(RSFROOT=ROOT, DATAPATH=datapath(), TMPDATAPATH=datapath(),
               PATH='/usr/local/bin:/opt/bin:/bin:/usr/bin:/snap/bin')
    return env


def line(target, source, flow, *options):
    """The command line as the shell gets it."""
    targets, sources = named(target.split(',')), named(source.split(','))
    options = {k: int(v) for k, v in (a.split('=') for a in options)}
    text = command(targets, sources if source else [], flow, **options)
    for name, files in ('TARGET', targets), ('SOURCE', sources):
        files = [shlex.quote(f) for f in files]
        text = re.sub(r'\$\{%sS\[(\d+)\]\}' % name, lambda m: files[int(m[1])], text)
        text = text.replace('$' + name, files[0])
    return text


if __name__ == '__main__':
    for request in iter(sys.stdin.readline, ''):
        folder, os.environ['DATAPATH'], *words = request.rstrip('\n').split('\t')
        os.chdir(folder)
        print(line(*words), flush=True)
else:
    from SCons.Script import *

    project = Environment(ENV=environment())

    def Flow(target, source, flow, stdin=1, stdout=1):
        targets = named(target if isinstance(target, list) else target.split())
        sources = source if isinstance(source, list) else (source or '').split()
        sources = named(sources)
        made = project.Command(targets, sources,
                               command(targets, sources, flow, stdin, stdout))
        project.Clean(made, [datapath() + t + '@' for t in targets])
        return made

    def End():
        pass
