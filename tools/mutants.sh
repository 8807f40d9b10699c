#!/bin/sh
# SPDX-License-Identifier: ISC
# mutants.sh [FOLDER] -- does each line of tests/MUTANTS name a test that is there? silence is good
#
# A line is a fault, two or more blanks, and SUITE or SUITE: a part of a test's name. "sanitized"
# may stand behind it. Suites stand in order, so that who adds a line does it beside its like.
# A line that begins with a tab has the base name of a file, a tab, and a sed expression that
# changes it; tests/plant.sh plants the fault of the line before it so.
set -u
cd "${1:-.}/tests" || exit
bad=0

complain()
{
	echo "MUTANTS: $1" >&2
	bad=1
}

# has SUITE TEST: is such a test there?
has()
{
	if [ -z "$2" ]; then
		[ -e "$1" ] || [ -e "$1.sh" ] || [ -e "$1.bats" ] || [ -e "$1.c" ]
	elif [ -e "$1.bats" ]; then
		grep '^@test ' "$1.bats" | grep -qF -e "$2"
	elif [ -e "$1.c" ]; then
		grep -q "UNIT($2)" "$1.c"
	else
		[ -e "$1" ]
	fi
}

tab=$(printf '\t')
all=$(sed '1,/^$/d' MUTANTS)
lines=$(printf "%s\n" "$all" | grep -v "^$tab")
where=$(printf "%s\n" "$lines" | sed -n 's/^.*[^ ]   *\([^ ].*\)$/\1/p' | sed 's/, sanitized$//')
[ "$(printf "%s\n" "$lines" | wc -l)" -eq "$(echo "$where" | wc -l)" ] ||
	complain "no two blanks: $(printf "%s\n" "$lines" | grep -v '[^ ]  ' | head -n 1)"
echo "$where" | sed 's/:.*//' | LC_ALL=C sort -c || complain 'suites are not in order'
while IFS= read -r test; do
	case $test in
	*": "*) has "${test%%: *}" "${test#*: }" ;;
	*) has "$test" '' ;;
	esac || complain "no such test: $test"
done <<END
$(echo "$where" | LC_ALL=C sort -u)
END
printf "%s\n" "$all" | grep "^$tab" >"${TMPDIR:-/tmp}/mutants.$$"
while IFS="$tab" read -r file expression; do
	found=$(find ../src -name "$file")
	if [ "$(echo "$found" | grep -c .)" != 1 ]; then
		complain "no such file: $file"
	elif sed "$expression" "$found" | cmp -s - "$found"; then
		complain "$file: changes nothing: $expression"
	fi
done <"${TMPDIR:-/tmp}/mutants.$$"
rm -f "${TMPDIR:-/tmp}/mutants.$$"
exit $bad
