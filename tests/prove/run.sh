#!/bin/sh
# SPDX-License-Identifier: ISC
# run.sh [-f] [NAME ...] -- prove by frama-c (EVA, WP) that decoders read and write nothing outside,
# use no value that nothing has given, and do nothing that C leaves undefined; -f: that it sees
# faults
#
# The first lines of a harness, prove_NAME.c, say for which inputs this holds, and:
#     SOURCE: SED     how a source is prepared: where states are told apart, what stands for itself
#     eva: OPTIONS    how exact an analysis is, and where it begins; there may be several.  It does
#                     not see that a loop does not end where all is again as it was a turn before
#     wp: OPTIONS     the same of WP, which proves what annotations say; so it does of loop variants
#     fault: SOURCE: SED    a fault that must not be proven
#     by hand: REASON       it is proven only where it is named
# What could not be proven is an alarm. The file known has those that are allowed, each behind the
# reason why it is none; others fail. Status 77: a prover is missing.
set -u
cd "$(dirname "$0")/../.." || exit
for tool in frama-c why3 z3; do
	command -v $tool >/dev/null || { echo "prove: no $tool" && exit 77; }
done
faults=
[ "${1-}" != -f ] || { faults=-f && shift; }
[ $# != 0 ] || for file in tests/prove/prove_*.c; do
	! grep -q '^ \* by hand: ' "$file" || continue
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
		/^\[wp\] .* Goal / && !/ : Valid/ { printf "%sgoal %s", n++ ? "\n" : "", $5 }
		/^\[wp\] Proved goals:/ && $4 != $6 { printf "%sgoals: %s of %s", n++ ? "\n" : "", $4, $6 }
		END { if (n) print "" }' "$tmp/said" | sort -u >"$tmp/alarms"
	# lines that are no reason
	sed '/^#/d; /^$/d' tests/prove/known | sort -u | comm -23 "$tmp/alarms" - >"$tmp/new"
}

# false: it was not even analysed; of a fault the first run that sees it is enough
prove() {
	: >"$tmp/said"
	sed -n '/^ \*\//q; s/^ \* \(eva\|wp\): /\1 /p' "$file" >"$tmp/runs"
	while read -r way options; do
		if [ "$way" = eva ]; then
			options="-warn-special-float none -eva -eva-no-print
				-eva-msg-key=-initial-state $options"
		else
			export WHY3CONFIG="$tmp/why3.conf"
			[ -e "$WHY3CONFIG" ] || why3 config detect >/dev/null 2>&1 || return
			options="-wp -wp-rte -wp-prover z3 -wp-timeout 60 $options"
		fi
		# shellcheck disable=SC2086 # they are words
		frama-c -c11 -machdep gcc_x86_64 \
			-cpp-extra-args="-I$tmp/src -I$PWD/tests/prove -I$PWD/src/lib -D_GNU_SOURCE" \
			$options "$file" </dev/null >"$tmp/run" 2>&1
		cat "$tmp/run" >>"$tmp/said"
		grep -q 'done for function\|^\[wp\] Proved goals' "$tmp/run" || return
		alarms
		[ -z "$faults" ] || [ ! -s "$tmp/new" ] || return 0
	done <"$tmp/runs"
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
