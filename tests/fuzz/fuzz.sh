#!/bin/sh
# SPDX-License-Identifier: ISC
# fuzz.sh SECONDS FUZZER ... -- run each fuzzer for so long
#
# What it found worth keeping goes to obj/corpus/NAME and is a seed of the next run; so are the
# kept corpus and, of the folder TAF_CORPUS, the files of the format. An input that fails is kept
# as findings/NAME-*, and the other targets run on; obj/corpus/NAME.log is what the fuzzer said.
set -u
seconds=$1
shift
here=$(dirname "$0")
bad=0

# the endings of files that target $1 decodes
endings()
{
	case $1 in
	keysight) echo bin ;;
	keysight_h5 | hdf) echo h5 ;;
	lecroy) echo trc 000 ;;
	text) echo txt dat ;;
	*) echo "$1" ;;
	esac
}

# the files in TAF_CORPUS for target $1, with commas between
others()
{
	[ -n "${TAF_CORPUS:-}" ] || return 0
	for ending in $(endings "$1"); do
		find "$TAF_CORPUS"/*/ -type f -name "*.$ending" -size -400
	done | paste -s -d , -
}

# Is it a fault of libhdf5, by the first frame of the stack that $fuzzer shows for input $1?
# It has some, in what attributes say of themselves, that no caller can look at before.
of_hdf5()
{
	"./$fuzzer" -rss_limit_mb=2048 -timeout=20 "$1" 2>&1 | grep '^ *#[0-9]* ' | grep -m 1 'libhdf5\|/src/\|/tests/' |
		grep -q libhdf5
}

mkdir -p findings
for fuzzer; do
	name=${fuzzer#fuzz_}
	found=obj/corpus/$name
	mkdir -p "$found"
	seeds=$(others "$name")
	dictionary=$here/$name.dict
	[ -f "$dictionary" ] || dictionary=
	kept=$here/corpus/$name
	[ -d "$kept" ] || kept=
	on=
	case $name in keysight_h5 | hdf | hdf_put) on='-fork=1 -ignore_crashes=1' ;; esac
	said='no finding'
	# shellcheck disable=SC2086
	"./$fuzzer" $on -max_total_time="$seconds" -max_len=16384 -rss_limit_mb=2048 -timeout=20 \
		-print_final_stats=1 -artifact_prefix="findings/$name-" \
		${dictionary:+-dict="$dictionary"} ${seeds:+-seed_inputs="$seeds"} \
		"$found" ${kept:+"$kept"} >"$found.log" 2>&1 || said="ended with status $?"
	inputs=$(sed -n 's/^stat::number_of_executed_units: *//p; s/^#\([0-9]*\): cov.*/\1/p' \
		"$found.log" | tail -n 1)
	for input in "findings/$name"-*; do
		[ -f "$input" ] || continue
		if [ -n "$on" ] && of_hdf5 "$input"; then
			mv "$input" "obj/corpus/of_hdf5-${input#*-}"
			said='no finding but in libhdf5'
		else
			said="FINDING: $input, see $found.log"
		fi
	done
	case $said in no*) ;; *) bad=1 ;; esac
	echo "$name: $seconds s, ${inputs:-no count of} inputs, $said"
done
rmdir findings 2>/dev/null
exit $bad
