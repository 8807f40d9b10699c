#!/bin/sh
# SPDX-License-Identifier: ISC
# run.sh [NAME ...] -- prove by frama-c (EVA) that decoders read and write nothing outside, use no
# value that nothing has given, and do nothing that C leaves undefined
#
# The first lines of a harness, prove_NAME.c, say for which inputs this holds, and how exact the
# analysis is (eva: OPTIONS). What could not be proven is an alarm. The file known has those that
# are allowed, each behind the reason why it is none; others fail. Status 77: there is no frama-c.
set -u
cd "$(dirname "$0")/../.." || exit
command -v frama-c >/dev/null || { echo 'prove: no frama-c' && exit 77; }
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' 0
bad=0
[ $# != 0 ] || for file in tests/prove/prove_*.c; do
	name=${file##*/prove_}
	set -- "$@" "${name%.c}"
done
for name; do
	file=tests/prove/prove_$name.c
	# shellcheck disable=SC2046 # they are words
	frama-c -c11 -machdep gcc_x86_64 -warn-special-float none \
		-cpp-extra-args="-I$PWD/tests/prove -I$PWD/src/lib -D_GNU_SOURCE" \
		-eva -eva-no-print -eva-msg-key=-initial-state \
		$(sed -n 's/^ \* eva: //p' "$file") "$file" >"$tmp/said" 2>&1 || bad=1
	# FILE: what was not proven
	awk '/^\[eva:alarm\]/ { sub(/:[0-9]*:$/, "", $2); printf "%s%s:", n++ ? "\n" : "", $2; on = 1; next }
		/^  / && on { sub(/^ +/, ""); sub(/_va_[0-9]+/, ""); printf " %s", $0; next }
		{ on = 0 }
		END { if (n) print "" }' "$tmp/said" | sort -u >"$tmp/alarms"
	# lines that are no reason
	sed '/^#/d; /^$/d' tests/prove/known | sort -u | comm -23 "$tmp/alarms" - >"$tmp/new"
	if ! grep -q 'done for function main' "$tmp/said"; then
		echo "prove: $name: not analysed:"
		tail -n 3 "$tmp/said"
		bad=1
	elif [ -s "$tmp/new" ]; then
		echo "prove: $name: not proven:"
		cat "$tmp/new"
		bad=1
	else
		echo "prove: $name: proven, but for $(wc -l <"$tmp/alarms") known"
	fi
done
exit $bad
