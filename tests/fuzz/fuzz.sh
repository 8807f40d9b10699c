#!/bin/sh
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
	keysight_h5) echo h5 ;;
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
	said='no finding'
	"./$fuzzer" -max_total_time="$seconds" -max_len=16384 -rss_limit_mb=2048 -timeout=20 \
		-print_final_stats=1 -artifact_prefix="findings/$name-" \
		${dictionary:+-dict="$dictionary"} ${seeds:+-seed_inputs="$seeds"} \
		"$found" ${kept:+"$kept"} >"$found.log" 2>&1 || { bad=1 && said="FINDING, see $found.log"; }
	inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$found.log")
	echo "$name: $seconds s, ${inputs:-no count of} inputs, $said"
done
rmdir findings 2>/dev/null
exit $bad
