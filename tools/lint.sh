#!/bin/sh
# SPDX-License-Identifier: ISC
# lint.sh [FOLDER [RESULTS]] -- what shellcheck, mandoc and cppcheck say of the sources; silence is good
#
# A tool that is not installed is named and passed over.
set -u
results=${2-}
cd "${1:-.}" || exit
bad=0

# lint TOOL ARGUMENT ...
lint()
{
	if ! command -v "$1" >/dev/null; then
		echo "lint: no $1, passed over" >&2
	else
		echo "lint: $1"
		"$@" || bad=1
	fi
}

existing()
{
	for f; do
		[ ! -f "$f" ] || echo "$f"
	done
}

# Of the tests only errors count: bats has its own ways with variables and pipes.
# shellcheck disable=SC2046 # no file name of ours has a blank
{
	lint shellcheck $(existing configure .ci/run tests/*.sh tests/*/*.sh tests/*.bash tools/*.sh tools/*/*.sh examples/*.sh examples/*/*.sh)
	[ -z "$(existing tests/*.bats)" ] || lint shellcheck --severity=error $(existing tests/*.bats)
	[ -z "$(existing man/*.[1-9])" ] || lint mandoc -T lint -W warning $(existing man/*.[1-9])
	lint cppcheck -j 2 --quiet --std=c11 --enable=warning,performance,portability --error-exitcode=1 \
		--inline-suppr --suppress=missingIncludeSystem -D_GNU_SOURCE -I src/lib \
		$(existing src/lib/*/*.c src/lib/*/*/*.c src/cmd/*.c src/fetch/*.c tests/unit/*.c tests/fuzz/*.c tests/bench/*.c)
}
# set -e passes over what fails before the last &&
# shellcheck disable=SC2046
if grep -nE '^	\[ [^|]*\] && [^|]*[^|\]$' $(existing tests/*.bats) /dev/null | grep -v ';;$'; then
	echo 'lint: a test that goes on where its first part fails: give each a line of its own' >&2
	bad=1
fi
# shellcheck disable=SC2046
if awk '{
	for (n = i = 0; i++ < length($0); )
		n = substr($0, i, 1) == "\t" ? n - n % 8 + 8 : n + 1
	# a literal alone stands in one piece, so that it can be searched
	if (n > ($0 ~ /^[\t ]*".*"[^"]*$/ ? 160 : 90))
		print FILENAME ":" FNR ": " n " columns"
}' $(existing src/*/*.[ch] src/lib/*/*.[ch] src/lib/*/*/*.[ch] tests/unit/*.[ch]) | grep .; then
	echo 'lint: lines of more than 90 columns' >&2
	bad=1
fi
# shellcheck disable=SC2046
if grep -L 'SPDX-License-Identifier: ISC' $(existing configure Makefile .ci/run src/*/*.[ch] src/lib/*/*.[ch] \
	src/lib/*/*/*.[ch] src/lang/* tests/*.bats tests/*.bash tests/*.sh tests/*.p[ly] tests/*/*.[ch] \
	tests/*/*.sh tests/*/*.p[ly] tools/*.sh tools/*/*.sh tools/*/*.py) | grep .; then
	echo 'lint: sources that do not name their licence' >&2
	bad=1
fi
anew=$(mktemp -d) || exit
sh tools/coefficients/make.sh . "$anew" || bad=1
rm -r "$anew"
sh tools/mutants.sh . || bad=1
sh tools/status.sh --check . "$results" || bad=1
exit $bad
