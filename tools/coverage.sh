#!/bin/sh
# coverage.sh GCOV -- the share of lines that ran, for each source and for all; after the tests
#
# Runs in the folder of a build configured with --enable-coverage.
set -eu
# the notes of the compiler, so that a file of which nothing ran counts too
find obj/src -name '*.gcno' | sort | while read -r data; do
	# shellcheck disable=SC2086 # "llvm-cov gcov" is two words
	$1 -n "$data" 2>/dev/null | awk '
	/^File / { name = $2; gsub(/\x27/, "", name); sub(/^.*src\//, "src/", name) }
	/^Lines executed:/ && name ~ /\.c$/ {
		split($0, part, /[:% ]+/)
		print part[3], $NF, name
		name = ""
	}'
done | awk '
{
	printf "%6.1f%% of %5d  %s\n", $1, $2, $3
	ran += $1 * $2 / 100
	lines += $2
}
END { if (lines) printf "%6.1f%% of %5d  all\n", 100 * ran / lines, lines }'
