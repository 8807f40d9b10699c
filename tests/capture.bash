# SPDX-License-Identifier: ISC
# What the tests of the converters from vendors' formats share.

# stream NAME COMMAND...: the arrays that the command streams: the keys of their headers as
# a list in NAME.json, the elements of the K-th as NAME.K
stream() {
	local name=$1
	shift
	"$@" | cat >"$name.rsf"
	"$PYTHON" - "$name" <<'EOF'
import json, re, sys
name = sys.argv[1]
data = open(name + '.rsf', 'rb').read()
size = dict(uchar=1, char=1, short=2, ushort=2, int=4, uint=4, long=8, ulong=8, float=4, double=8)
out, at = [], 0
while at < len(data):
    end = data.index(b'\x0c\x0c\x04', at)
    keys = {}
    for m in re.finditer(r'^\t?([^\s=]+)=(?:"([^"]*)"|(\S+))', data[at:end].decode('latin-1'), re.M):
        keys[m.group(1)] = m.group(2) if m.group(2) is not None else m.group(3)
    at, n, k = end + 3, 1, 1
    while 'n%d' % k in keys:
        n, k = n * int(keys['n%d' % k]), k + 1
    n *= size[keys['data_format'].split('_')[1]]
    assert at + n <= len(data), 'the stream is too short'
    out.append(keys)
    open('%s.%d' % (name, len(out)), 'wb').write(data[at:at + n])
    at += n
json.dump(out, open(name + '.json', 'w'))
EOF
}

# capture_corpus COMMAND FILE...: every file of the corpus becomes what its expectation says
capture_corpus() {
	local command=$1 file want
	shift
	for file; do
		want=${file%/*}/expected/${file##*/}.json
		if grep -q '"expected": "REJECT' "$want"; then
			refuse 3 "$command" "$file" || return 1
			cat err
			continue
		fi
		stream got "$command" "$file" || return 1
		"$PYTHON" - "$want" "${want%.json}" <<'EOF' || { echo "$file"; return 1; }
import hashlib, json, os, sys
import numpy as np
want = json.load(open(sys.argv[1]))['records']
got = json.load(open('got.json'))
assert len(got) == len(want), 'records: %d, not %d' % (len(got), len(want))
kind = dict(uchar='u1', char='i1', short='i2', ushort='u2', int='i4', uint='u4', long='i8',
    ulong='u8', float='f4', double='f8')
worst = 0
for k, (g, w) in enumerate(zip(got, want), 1):
    shape = [int(g['n1']), int(g['n2'])]
    assert shape == w['taf_shape'], (shape, w['taf_shape'])
    x = np.fromfile('got.%d' % k, os.environ['ORDER'] + kind[g['data_format'].split('_')[1]])
    x = x.reshape(shape, order='F')
    # of an envelope the samples count in the order of the file
    raw = hashlib.sha256(np.ascontiguousarray(x, x.dtype.newbyteorder('<')).tobytes()).hexdigest()
    assert raw == w['raw_sha256_le'], 'stored samples differ'
    # digital lines are patterns: the same bytes, signed or not
    y = x.view('i1').astype('f8') if w['raw_dtype'] == 'int8' else x.astype('f8')
    if 'taf_slope' in g:
        y = float(g['taf_intercept']) + float(g['taf_slope']) * y
    ref = np.fromfile(sys.argv[2] + '-%d.f64' % k, '<f8').reshape(shape, order='F')
    worst = max(worst, np.abs(y - ref).max() / (np.ptp(ref) or 1))
    assert worst < 4e-7, 'values differ by %g of the span' % worst
    dt = float(g['d1'])
    assert dt == w['dt'], (dt, w['dt'])
    assert abs(float(g['o1']) - w['t0']) <= 1e-9 * dt, (g['o1'], w['t0'])
print('%s: %d records, values within %.2g of the span' % (sys.argv[2].split('/')[-1],
    len(got), worst))
EOF
	done
}
