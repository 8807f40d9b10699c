#!/bin/sh
# SPDX-License-Identifier: ISC
# demo.sh FOLDER -- the main job on data made in that folder, which stay there: a digitizer's
# capture is converted, cropped, streamed and probed, and the result is checked against what was
# put in.
set -eu
[ -z "${TAF_BIN:-}" ] || PATH=$TAF_BIN:$PATH
examples=$(cd "$(dirname "$0")/../examples" && pwd)
# shellcheck source=examples/trc.sh
. "$examples/trc.sh"
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

say 'A capture as a LeCroy digitizer writes it: 2000 samples of 16 bits, 1 ns apart'
# a ringing pulse at sample 1000, and the integers that were put in, as text
awk 'BEGIN { for (i = 0; i < 2000; i++) {
	t = (i - 1000) / 40
	print i < 1000 ? i % 7 - 3 : int(20000 * exp(-t / 4) * sin(2 * t)) } }' >samples
awk '{ v = $1 < 0 ? $1 + 65536 : $1
	printf "\\%03o\\%03o", v % 256, int(v / 256) }' samples >code
# shellcheck disable=SC2059
{
	trc_header 16 2000 0.0001220703125 -0.25 1e-9 -1e-6 pulse
	printf "$(cat code)"
} >shot.trc
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

if command -v gnuplot >/dev/null; then
	say 'The same for a page'
	run 'lecroy2taf shot.trc | tafcrop -g 1=-50ns:500ns | tafplot -o pulse.svg'
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

say 'A velocity from the light that a moving surface sends back, out of as much noise'
sh "$examples/pdv/pdv.sh" 500000
ls -l velocity.*
printf '\nThe files are in the folder %s.\n' "$1"
