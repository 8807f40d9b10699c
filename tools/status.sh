#!/bin/sh
# status.sh [--check] [FOLDER] -- the table of commands: pages, tests and fuzz targets, counted
#
# It goes between the lines "<!-- status -->" and "<!-- /status -->" of README.md; where those
# are not, it is printed. --check changes nothing and fails if the table is out of date.
set -eu
check=no
[ "${1-}" != --check ] || { check=yes && shift; }
cd "${1:-.}"

# the fuzz targets of the codecs that $1 includes; every filter reads TAF and RSF
fuzzed()
{
	codecs=$(sed -n 's|^#include "codec/\([a-z0-9_]*\)\.h".*|\1|p' "$1")
	! grep -q '^#include "\(stream\|cli\)/' "$1" || codecs="taf rsf $codecs"
	for codec in $codecs; do
		[ ! -f "tests/fuzz/fuzz_$codec.c" ] || echo "$codec"
	done | sort -u | paste -s -d ' ' -
}

table()
{
	echo '| command | what it does | page | tests | fuzzed |'
	echo '|---|---|---|---|---|'
	for source in src/cmd/*.c; do
		[ -f "$source" ] || continue
		name=$(basename "$source" .c)
		page=no what=
		if [ -f "man/$name.1" ]; then
			page=yes
			what=$(sed -n 's/^\.Nd //p' "man/$name.1" | head -n 1)
		fi
		tests=0
		[ ! -f "tests/$name.bats" ] || tests=$(grep -c '^@test' "tests/$name.bats" || :)
		echo "| \`$name\` | $what | $page | $tests | $(fuzzed "$source") |"
	done
}

tmp=$(mktemp)
trap 'rm -f "$tmp" "$tmp.readme"' 0
table >"$tmp"
if ! grep -qs '^<!-- status -->$' README.md || ! grep -q '^<!-- /status -->$' README.md; then
	[ $check = yes ] || cat "$tmp"
	exit 0
fi
awk -v table="$tmp" '
$0 == "<!-- /status -->" { inside = 0 }
!inside { print }
$0 == "<!-- status -->" {
	inside = 1
	while ((getline line < table) > 0)
		print line
}' README.md >"$tmp.readme"
if cmp -s "$tmp.readme" README.md; then
	exit 0
fi
if [ $check = yes ]; then
	echo 'status.sh: the table in README.md is out of date: make status' >&2
	exit 1
fi
cat "$tmp.readme" >README.md
