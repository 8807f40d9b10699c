#!/bin/sh
# mutants.sh [FOLDER] -- does each line of tests/MUTANTS name a test that is there? silence is good
#
# A line is a fault, two or more blanks, and SUITE or SUITE: a part of a test's name. "sanitized"
# may stand behind it. Suites stand in order, so that who adds a line does it beside its like.
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

lines=$(sed '1,/^$/d' MUTANTS)
where=$(echo "$lines" | sed -n 's/^.*[^ ]   *\([^ ].*\)$/\1/p' | sed 's/, sanitized$//')
[ "$(echo "$lines" | wc -l)" -eq "$(echo "$where" | wc -l)" ] ||
	complain "no two blanks: $(echo "$lines" | grep -v '[^ ]  ' | head -n 1)"
echo "$where" | sed 's/:.*//' | LC_ALL=C sort -c || complain 'suites are not in order'
while IFS= read -r test; do
	case $test in
	*": "*) has "${test%%: *}" "${test#*: }" ;;
	*) has "$test" '' ;;
	esac || complain "no such test: $test"
done <<END
$(echo "$where" | LC_ALL=C sort -u)
END
exit $bad
