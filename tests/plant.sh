#!/bin/sh
# SPDX-License-Identifier: ISC
# plant.sh [-p K/N] [PART ...] -- plant faults of tests/MUTANTS, one after the other, and run the
# test that has to catch each; in the folder of a build among its sources, which stays as it is
#
# -p K/N takes those whose number, divided by N, leaves K.  A PART chooses the lines that have it.
# A fault that no test catches survives; one whose sed changes nothing, or that no compiler takes,
# is no fault: either is status 1.  A test that is skipped tells nothing.
set -u
tab=$(printf '\t')
k=0 n=1
while getopts p: option; do
	case $option in
	p) k=${OPTARG%/*} n=${OPTARG#*/} ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
# what is like each part, or all
like=$(printf '%s\n' "$@")
top=$PWD
work=$top/obj/mutants.$$
if [ ! -f src/lib/taf.h ] || [ ! -d bin ]; then
	echo 'plant.sh: no build among the sources' >&2
	exit 2
fi
mkdir -p "$work" || exit
trap 'rm -rf "$work"' 0
trap 'exit 1' 1 2 15
tar -cf - --exclude=./.git --exclude='./obj/mutants.*' --exclude=./obj/check --exclude=./html . |
	tar -xf - -C "$work" --one-top-level=whole 2>/dev/null || exit
# who makes errors of warnings means other faults; of the time of config.mk all is made
cd "$work/whole" || exit
sed 's/-Werror[^ ]*//g' config.mk >config.new && touch -r config.mk config.new &&
	mv config.new config.mk && cd "$top" || exit
caught=0 bad=0 skipped=0

# say VERDICT: what became of the present fault
say()
{
	printf '%-9s %s (%s)\n' "$1" "$fault" "$where"
}

# error VERDICT WHY
error()
{
	bad=$((bad + 1))
	say "$1"
	[ -z "$2" ] || printf "%s\n" "$2" | head -n 5 | cut -c 1-200 | sed 's/^/          /'
}

# the suite $1, and of bats the tests whose name has $2; TAP
run()
{
	TAF_BIN=$PWD/bin TAF_BUILD=$PWD TAF_SRC=$PWD PATH=$PWD/bin:$PATH
	TAP_VERBOSE=1 TAP_SECONDS=${TAP_SECONDS:-120}
	export TAF_BIN TAF_BUILD TAF_SRC PATH TAP_VERBOSE TAP_SECONDS
	if [ "${1#unit/}" != "$1" ]; then
		sh tests/tap.sh run said.tap "$1" "$PWD/obj/tests/$1"
	else
		# the name as a regular expression that means itself
		part=$(printf '%s' "$2" | sed 's/[][\\.*^$+?(){}|/]/\\&/g')
		sh tests/tap.sh run said.tap "$1" bats --tap -f "$part" "$PWD/tests/$1.bats"
	fi
}

# the fault at hand: in file $1 by the sed expression $2
plant()
{
	rm -rf "$work/one"
	cp -al "$work/whole" "$work/one" && cd "$work/one" || exit
	file=$(find src -name "$1")
	if [ "$(echo "$file" | grep -c .)" != 1 ]; then
		error 'NO FILE' "$1"
		return
	fi
	sed "$2" "$file" >mutant
	if cmp -s mutant "$file"; then
		error 'NO MATCH' "$2"
		return
	fi
	object=obj/${file%.c}.o
	rm -f "$file" "$object"
	mv mutant "$file"
	suite=${where%%: *} test=
	[ "$suite" = "$where" ] || test=${where#*: }
	suite=${suite%, sanitized} target=all
	# most faults show in the command that the suite is named for, which is made soon
	[ ! -e "bin/$suite" ] || [ "$suite" = taf ] || [ "$suite" = tafspread ] || target=bin/$suite
	[ "${suite#unit/}" = "$suite" ] || target=obj/tests/$suite
	also=all
	[ "$target" != all ] || also=
	for target in $target $also; do
		if ! said=$(${MAKE:-make} "$target" 2>&1); then
			error 'NO BUILD' "$(printf "%s\n" "$said" | grep -i error)"
			return
		fi
		said=$(run "$suite" "$test" 2>&1)
		if printf "%s\n" "$said" | grep '^not ok' | grep -qF -e "$test" -e 'ended with status'; then
			caught=$((caught + 1))
			say caught
			return
		elif ! printf "%s\n" "$said" | grep -E '^(not )?ok' | grep -F -e "$test" | grep -vqi '# *skip'; then
			skipped=$((skipped + 1))
			say skipped
			return
		fi
	done
	error SURVIVES ''
}

# a line that begins with a tab is how the fault of the line before it is planted
number=0
fault='' where=''
while IFS= read -r line; do
	case $line in
	"$tab"*)
		rest=${line#"$tab"}
		[ -z "$like" ] || printf "%s\n" "$fault  $where  $rest" | grep -qF -e "$like" || continue
		number=$((number + 1))
		[ $((number % n)) = $((k % n)) ] || continue
		plant "${rest%%"$tab"*}" "${rest#*"$tab"}" </dev/null
		cd "$top" || exit
		;;
	*'  '*)
		fault=$(printf "%s\n" "$line" | sed 's/   *[^ ].*//')
		where=$(printf "%s\n" "$line" | sed 's/^.*[^ ]   *\([^ ].*\)$/\1/')
		;;
	esac
done <"$work/whole/tests/MUTANTS"
echo "$caught caught, $bad survive or cannot be planted, $skipped skipped"
[ "$bad" = 0 ] && [ $((caught + skipped)) != 0 ]
