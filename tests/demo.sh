#!/bin/sh
# demo.sh FOLDER -- the main job on data made in that folder, which stay there: a digitizer's
# capture is converted, cropped, streamed and probed, and the result is checked against what was
# put in.
set -eu
[ -z "${TAF_BIN:-}" ] || PATH=$TAF_BIN:$PATH
mkdir -p "$1"
cd "$1"
export LC_ALL=C

say()
{
	printf '\n\033[1m%s\033[0m\n' "$*"
}

run()
{
	printf '$ %s\n' "$*"
	sh -c "$*"
}

# put OFFSET TYPE VALUE ...: little-endian numbers into the header of the capture
put()
{
	awk -v type="$2" 'function bytes(v, n,  i) {
		if (v < 0) v += 256 ^ n
		for (i = 0; i < n; i++) { printf "\\%03o", v % 256; v = int(v / 256) }
	}
	function float(v, mant, expo, bias, n,  e, s, f, i, out) {
		s = v < 0; if (s) v = -v
		if (v == 0) { bytes(0, n); return }
		e = 0
		while (v >= 2) { v /= 2; e++ }
		while (v < 1) { v *= 2; e-- }
		f = int((v - 1) * 2 ^ mant + 0.5)
		# low bytes first, in two halves that a double holds exactly
		e += bias
		if (n == 4) { bytes(f + e * 2 ^ 23 + s * 2 ^ 31, 4); return }
		bytes(f % 2 ^ 32, 4)
		bytes(int(f / 2 ^ 32) + e * 2 ^ 20 + s * 2 ^ 31, 4)
	}
	BEGIN {
		for (i = 1; i < ARGC; i++) {
			if (type == "f32") float(ARGV[i] + 0, 23, 8, 127, 4)
			else if (type == "f64") float(ARGV[i] + 0, 52, 11, 1023, 8)
			else bytes(ARGV[i] + 0, type == "i16" ? 2 : 4)
		}
	}' "$3" >code
	# shellcheck disable=SC2059
	printf "$(cat code)" | dd of=shot.trc bs=1 seek="$1" conv=notrunc 2>/dev/null
}

text()
{
	printf '%s' "$2" | dd of=shot.trc bs=1 seek="$1" conv=notrunc 2>/dev/null
}

say 'A capture as a LeCroy digitizer writes it: 2000 samples of 16 bits, 1 ns apart'
head -c 346 /dev/zero >shot.trc
text 0 WAVEDESC
text 16 LECROY_2_3
put 32 i16 1			# 16 bits
put 34 i16 1			# low byte first
put 36 i32 346
put 60 i32 4000			# bytes of samples
text 76 DEMOSCOPE
put 92 i32 4711
text 96 'pulse'
put 116 i32 2000
put 144 i32 1
put 156 f32 0.0001220703125	# volts a step
put 160 f32 -0.25		# offset
put 176 f32 1e-9
put 180 f64 -1e-6
text 196 V
text 244 S
# a ringing pulse at sample 1000, and the integers that were put in, as text
awk 'BEGIN { for (i = 0; i < 2000; i++) {
	t = (i - 1000) / 40
	print i < 1000 ? i % 7 - 3 : int(20000 * exp(-t / 4) * sin(2 * t)) } }' >samples
awk '{ v = $1 < 0 ? $1 + 65536 : $1
	printf "\\%03o\\%03o", v % 256, int(v / 256) }' samples >code
# shellcheck disable=SC2059
printf "$(cat code)" >>shot.trc
ls -l shot.trc

say 'Convert, crop by grid, change the unit to nanoseconds: one pipe'
run 'lecroy2taf shot.trc | tafcrop -g 1=-10.5e-9:200.5e-9 | tafadjust --scale 1=1e9 --unit 1=ns -o pulse-ns.taf'

say 'What is in it'
run 'tafprobe pulse-ns.taf'

say 'Through a stream and back: the same file, byte for byte'
run 'taf2rsf -r pulse-ns.taf | rsf2taf -o back.taf'
run 'cmp pulse-ns.taf back.taf && echo identical'

say 'Values in volts, the stored integers staying as they are'
run 'taf2rsf pulse-ns.taf | tafread -c | head -n 3'
if command -v tafplot >/dev/null; then
	say 'The pulse, drawn in the terminal'
	run 'tafplot --term text pulse-ns.taf'
fi

say 'The check: each stored sample against the one that was put in'
tafread -r pulse-ns.taf >out
sed -n 991,1201p samples >want
if cmp out want; then
	echo "211 samples, all as they were put in"
else
	echo "the samples differ" >&2
	exit 1
fi
rm -f code out samples want
printf '\nThe files are in the folder %s.\n' "$1"
