#!/bin/sh
# SPDX-License-Identifier: ISC
# shot.sh [HEIGHT] -- print a capture as a LeCroy digitizer writes it: a pulse that rings, of
# HEIGHT (1) times 2.4 V, and noise; 2000 samples of 16 bits, 1 ns apart
set -eu
# shellcheck source=examples/trc.sh
. "$(dirname "$0")/trc.sh"
code=$(LC_ALL=C awk -v height="${1:-1}" 'BEGIN {
	# a generator that every awk computes alike
	seed = int(height * 10000)
	for (i = 0; i < 2000; i++) {
		seed = (seed * 16807 + 11) % 2147483647
		t = (i - 1000) / 40
		v = (t < 0 ? 0 : height * 20000 * exp(-t / 4) * sin(2 * t)) + seed % 401 - 200
		v = int(v + 65536) % 65536
		printf "\\%03o\\%03o", v % 256, int(v / 256)
	} }')
trc_header 16 2000 0.0001220703125 -0.25 1e-9 -1e-6 pulse
# shellcheck disable=SC2059 # octal numbers
printf "$code"
