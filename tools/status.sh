#!/bin/sh
# SPDX-License-Identifier: ISC
# status.sh [--check] [FOLDER [RESULTS]] -- the table of commands, and what each has been through
#
# It goes between the lines "<!-- status -->" and "<!-- /status -->" of README.md. --check changes
# nothing and fails if the table is out of date.
#
# What tests ran over, they say in their results, RESULTS, as "# did TEST COMMAND ...". Where a
# test was not run, as in a fresh clone, a command keeps what the table says of it; the rest of
# the table is made from the sources.
set -eu
check=no
[ "${1-}" != --check ] || { check=yes && shift; }
results=${2-}
cd "${1:-.}"

# column of the table, suite, and its tests that count for it
columns='streams contract three_ways
types contract all_types
cut contract cut_taf cut_foreign
full contract full
faults faults in_turn
examples pages examples'

# the sources that $1 needs, by what it and its parts include
parts()
{
	todo=$1 seen=
	# shellcheck disable=SC2046,SC2086,SC2116
	while [ -n "$todo" ]; do
		source=${todo%% *}
		todo=${todo#"$source"}
		todo=${todo# }
		case " $seen " in *" $source "*) continue ;; esac
		seen="$seen $source"
		todo=$(echo $todo $(sed -n \
			's,^#include "\(\(codec\|cli\|format\|op\|stream\|umbrella\)/[a-z0-9_/]*\)\.h".*,src/lib/\1.c,p' \
			"$source" "${source%.c}.h" 2>/dev/null) $(grep -os \
			'taf_[a-z0-9_]*_decode\>' "$source" | sort -u |
			sed 's,taf_\(.*\)_decode,src/lib/codec/\1.c,'))
	done
	echo "$seen"
}

fuzzed()
{
	for source in $(parts "$1"); do
		codec=${source##*/}
		codec=${codec%.c}
		codec=${codec%_file}
		[ ! -f "tests/fuzz/fuzz_$codec.c" ] || echo "$codec"
	done | sort -u | paste -s -d ' ' -
}

# mark COMMAND NUMBER SUITE TEST ...: did it pass one of them, now or when column NUMBER was made?
mark()
{
	command=$1 number=$2 suite=$results/bats/$3.tap
	shift 3
	if [ -n "$results" ] && grep -qs "^# did $1" "$suite"; then
		for test; do
			! grep "^# did $test " "$suite" | grep -q " $command\( \|\$\)" || echo yes
		done | head -n 1
	else
		awk -F ' *[|] *' -v name="\`$command\`" -v n="$number" '$2 == name { print $n }' README.md
	fi
}

table()
{
	names=$(echo "$columns" | cut -d ' ' -f 1)
	# shellcheck disable=SC2086
	printf '| command | what it does | tests |%s fuzzed |\n' "$(printf ' %s |' $names)"
	# shellcheck disable=SC2086
	printf '|---|---|---|%s---|\n' "$(printf -- '---|%.0s' $names)"
	for source in src/cmd/*.c; do
		[ -f "$source" ] || continue
		name=$(basename "$source" .c)
		tests=0
		[ ! -f "tests/$name.bats" ] || tests=$(grep -c '^@test' "tests/$name.bats" || :)
		# shellcheck disable=SC2016
		printf '| `%s` | %s | %s |' "$name" "$(sed -n 's/^\.Nd //p' "man/$name.1")" "$tests"
		# behind the empty field before the first bar and three others
		number=5
		echo "$columns" | while read -r _ rest; do
			# shellcheck disable=SC2086
			printf ' %s |' "$(mark "$name" $number $rest)"
			number=$((number + 1))
		done
		printf ' %s |\n' "$(fuzzed "$source")"
	done
}

tmp=$(mktemp)
trap 'rm -f "$tmp" "$tmp.readme"' 0
table >"$tmp"
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
	echo 'status.sh: the table in README.md is out of date: make check status' >&2
	diff README.md "$tmp.readme" | head -n 6 >&2
	exit 1
fi
cat "$tmp.readme" >README.md
