#!/bin/sh
# SPDX-License-Identifier: ISC
# coverage.sh GCOV [LEAST PART ...] -- the share of lines that ran, for each source and for all
#
# Runs in the folder of a build configured with --enable-coverage, after the tests. PARTs of the
# library (codec/taf_file, base/num) limit it to those, and it fails where less than LEAST % of one ran;
# one of few lines, which only asks others, is not counted among those.
set -eu
gcov=$1
least=${2-0}
shift
[ $# = 0 ] || shift
[ $# != 0 ] || set -- ''
# the notes of the compiler, so that a file of which nothing ran counts too
for part; do
	find obj/src -name '*.gcno' -path "obj/src/*$part.gcno"
done | sort | while read -r data; do
	# shellcheck disable=SC2086 # "llvm-cov gcov" is two words
	$gcov -n "$data" 2>/dev/null | awk '
	/^File / { name = $2; gsub(/\x27/, "", name); sub(/^.*src\//, "src/", name) }
	/^Lines executed:/ && name ~ /\.c$/ {
		split($0, part, /[:% ]+/)
		print part[3], $NF, name
		name = ""
	}'
done | awk -v least="$least" '
{
	poor = ($1 < least && $2 > 20)
	printf "%6.1f%% of %5d  %s%s\n", $1, $2, $3, poor ? ": less than " least "%" : ""
	ran += $1 * $2 / 100
	lines += $2
	low += poor
}
END {
	if (lines)
		printf "%6.1f%% of %5d  all\n", 100 * ran / lines, lines
	exit low > 0
}'
