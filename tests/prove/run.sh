#!/bin/sh
# SPDX-License-Identifier: ISC
# run.sh [-f] [NAME ...] -- prove by frama-c (EVA) that decoders read and write nothing outside,
# use no value that nothing has given, and do nothing that C leaves undefined; -f: that it sees
# faults
#
# The first lines of a harness, prove_NAME.c, say for which inputs this holds, and:
#     SOURCE: SED     how a source is prepared: where states are told apart, what stands for itself
#     eva: OPTIONS    how exact an analysis is, and where it begins; there may be several.  Loops that
#                     are to be unrolled (-eva-min-loop-unroll) are so proven to end
#     fault: SOURCE: SED    a fault that must not be proven
# What could not be proven is an alarm. The file known has those that are allowed, each behind the
# reason why it is none; others fail. Status 77: there is no frama-c.
set -u
cd "$(dirname "$0")/../.." || exit
command -v frama-c >/dev/null || { echo 'prove: no frama-c' && exit 77; }
faults=
[ "${1-}" != -f ] || { faults=-f && shift; }
[ $# != 0 ] || for file in tests/prove/prove_*.c; do
	name=${file##*/prove_}
	set -- "$@" "${name%.c}"
done
if [ $# != 1 ]; then
	printf '%s\n' "$@" | xargs -n 1 -P "$(getconf _NPROCESSORS_ONLN)" sh "$0" $faults
	exit
fi
name=$1
file=tests/prove/prove_$name.c
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' 0

# lines of the harness that begin so
said() {
	sed -n "/^ \*\//q; s;^ \* $1;\\1;p" "$file"
}

# SOURCE: SED is done to a copy
prepare() {
	while IFS= read -r line; do
		to=$tmp/src/${line%%: *}
		mkdir -p "${to%/*}"
		[ -e "$to" ] || sed "1s|^|#line 1 \"src/lib/${line%%: *}\"\n|" "src/lib/${line%%: *}" >"$to"
		sed "${line#*: }" "$to" >"$to.new" || return
		cmp -s "$to" "$to.new" && echo "prove: $name: changes nothing: $line" && return 1
		mv "$to.new" "$to"
	done
}

# what was not proven, in $tmp/new: FILE: ALARM
alarms() {
	awk '/^\[eva:alarm\]/ { sub(/:[0-9]*:$/, "", $2); printf "%s%s:", n++ ? "\n" : "", $2; on = 1
			if (sub(/^.*Warning: a/, "a")) printf " %s", $0
			next }
		/^  / && on { sub(/^ +/, ""); sub(/_va_[0-9]+/, ""); printf " %s", $0; next }
		{ on = 0 }
		/^\[eva:loop-unroll:partial\]/ { sub(/:[0-9]*:$/, "", $2)
			printf "%s%s: does a loop end?", n++ ? "\n" : "", $2 }
		END { if (n) print "" }' "$tmp/said" | sort -u >"$tmp/alarms"
	# lines that are no reason
	sed '/^#/d; /^$/d' tests/prove/known | sort -u | comm -23 "$tmp/alarms" - >"$tmp/new"
}

# false: it was not even analysed; of a fault the first run that sees it is enough
prove() {
	: >"$tmp/said"
	said 'eva: \(\)' >"$tmp/eva"
	while read -r options; do
		# shellcheck disable=SC2086 # they are words
		frama-c -c11 -machdep gcc_x86_64 -warn-special-float none \
			-cpp-extra-args="-I$tmp/src -I$PWD/tests/prove -I$PWD/src/lib -D_GNU_SOURCE" \
			-eva -eva-no-print -eva-msg-key=-initial-state \
			$options "$file" </dev/null >"$tmp/run" 2>&1
		cat "$tmp/run" >>"$tmp/said"
		grep -q 'done for function' "$tmp/run" || return
		alarms
		[ -z "$faults" ] || [ ! -s "$tmp/new" ] || return 0
	done <"$tmp/eva"
}

sources='\([a-z_]*/[a-z_/]*\.c: \)'
bad=0
if [ -n "$faults" ]; then
	said 'fault: \(\)' >"$tmp/faults"
	while IFS= read -r fault; do
		rm -rf "$tmp/src"
		echo "$fault" | prepare || exit
		said "$sources" | prepare
		prove && [ ! -s "$tmp/new" ] && bad=1 && echo "prove: $name: not seen: $fault"
	done <"$tmp/faults"
	[ $bad != 0 ] || echo "prove: $name: $(wc -l <"$tmp/faults") faults are seen"
	exit $bad
fi
said "$sources" | prepare || exit
if ! prove; then
	echo "prove: $name: not analysed:"
	tail -n 3 "$tmp/said"
	exit 1
elif [ -s "$tmp/new" ]; then
	echo "prove: $name: not proven:"
	cat "$tmp/new"
	exit 1
fi
echo "prove: $name: proven, but for $(wc -l <"$tmp/alarms") known"
