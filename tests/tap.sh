#!/bin/sh
# SPDX-License-Identifier: ISC
# tap.sh run FILE NAME COMMAND ...   run one suite of tests, its TAP into FILE
# tap.sh sum FILE ...                count the results in such files
#
# "run" gives the command an empty folder as TMPDIR and as working directory, a
# fixed locale and no variable that steers a command under test. What failed is
# shown, with TAP_VERBOSE=1 all. It adds a failure where the command died, did not
# hold its plan, tested nothing or left a file behind, and itself ends in success:
# "sum" shows again what failed and why, then the reasons of what was skipped, then one line,
# "N passed, N failed, N skipped", and fails if anything did.
set -eu

# lines as "passed failed skipped"
count()
{
	awk '
	/^not ok/ { failed++; next }
	/^ok.*# *[Ss][Kk][Ii][Pp]/ { skipped++; next }
	/^ok/ { passed++ }
	END { printf "%d %d %d\n", passed, failed, skipped }' "$@"
}

# the failures in FILE $1, with what was said of them: at most $2 lines each
failures()
{
	# the comments of a test come after its line (bats) or before it (C)
	awk -v most="$2" '
	/^not ok/ { printf "%s%s\n", held, $0; held = ""; after = 1; n = 0; next }
	/^ok/ || /^1\.\./ { held = ""; after = 0; next }
	/^# did / { next }
	after { if (n++ < most) print; else if (n == most + 1) print "# ..."; next }
	{ held = held $0 "\n" }
	END { if (!after) printf "%s", held }' "$1"
}

run()
{
	out=$1
	name=$2
	start=$(date +%s)
	shift 2
	mkdir -p "$(dirname "$out")"
	folder=$(mktemp -d "${TMPDIR:-/tmp}/taf-test.XXXXXX")
	trap 'chmod -R u+w "$folder"; rm -rf "$folder"' 0
	trap 'exit 1' 1 2 15
	limit=
	! command -v timeout >/dev/null || ! timeout --foreground 1 true 2>/dev/null ||
		limit="timeout --foreground -k 10 ${TAP_SECONDS:-2400}"
	status=0
	# shellcheck disable=SC2086
	(
		unset CDPATH DATAPATH LANG LANGUAGE POSIXLY_CORRECT SOURCE_DATE_EPOCH TAF_HISTORY \
			TMPDATAPATH MAKEFLAGS MFLAGS MAKELEVEL
		TMPDIR=$folder LC_ALL=C
		export TMPDIR LC_ALL
		cd "$folder"
		exec $limit "$@" </dev/null 2>&1
	) >"$out" || status=$?

	awk -v status="$status" '
	/^not ok/ { failed++ }
	/^(not )?ok/ { n++ }
	/^1\.\.[0-9]+/ { plan = substr($1, 4) + 0 }
	END {
		if (!failed && status != 0)
			print "not ok - ended with status " status
		else if (n != plan || n == 0)
			print "not ok - " n + 0 " results where " plan + 0 " were planned"
	}' "$out" >"$out.more"
	left=$(find "$folder" ! -path "$folder" ! -name 'bats-run-*' ! -path '*/bats-run-*/*' | head -n 3)
	[ -z "$left" ] || printf 'not ok - left behind: %s\n' "$(echo "$left" | tr '\n' ' ')" >>"$out.more"
	cat "$out.more" >>"$out"
	rm -f "$out.more"

	# shellcheck disable=SC2046
	set -- $(count "$out")
	if [ "${TAP_VERBOSE:-}" = 1 ]; then
		echo "# $name"
		cat "$out"
	elif [ "$2" != 0 ]; then
		failures "$out" 1000000
	fi
	printf '%-28s %4d passed' "$name" "$1"
	[ "$2" = 0 ] || printf ', %d failed' "$2"
	[ "$3" = 0 ] || printf ', %d skipped' "$3"
	# those that take long, so that it is known what makes all of it take long
	took=$(($(date +%s) - start))
	[ "$took" -lt 10 ] || printf ', %d s' "$took"
	echo
}

sum()
{
	[ $# != 0 ] || { echo '0 passed, 0 failed, 0 skipped' && return; }
	for file; do
		! grep -q '^not ok' "$file" || { echo "failed: $file" && failures "$file" 20; }
	done
	awk '
	/^ok.*# *[Ss][Kk][Ii][Pp]/ { sub(/^.*# *[Ss][Kk][Ii][Pp] */, ""); reasons[$0]++ }
	END { for (r in reasons) printf "skipped %d: %s\n", reasons[r], r ? r : "no reason given" }' "$@"
	# shellcheck disable=SC2046
	set -- $(count "$@")
	echo "$1 passed, $2 failed, $3 skipped"
	[ "$2" = 0 ] && [ "$1" != 0 ]
}

case ${1-} in
run | sum)
	"$@"
	;;
*)
	echo 'usage: tap.sh run FILE NAME COMMAND ... | tap.sh sum FILE ...' >&2
	exit 2
	;;
esac
