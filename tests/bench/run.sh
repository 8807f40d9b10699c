#!/usr/bin/env bash
# Times of the commands that move data, each beside a reference in the same run: medians of
# BENCH_RUNS runs (default 5) in turn, files in memory.  Prints a table; no test depends on it.
# usage: TAF_BIN=... TAF_BENCH=... run.sh [NAME ...]
set -eu
PATH=$TAF_BIN:$PATH
runs=$TAF_BENCH/runs
n=${BENCH_RUNS:-5}
dir=$(mktemp -d "${BENCH_DIR:-/dev/shm}/taf.XXXXXX")
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export TAF_HISTORY=off TMPDIR=$dir
side=${BENCH_SIDE:-512}

row()
{
	printf '%-34s %-22s %9s %9s %7s %9s\n' "$@"
}

# compare NAME REFERENCE OURS [LABEL]: two shell commands; wall time
compare()
{
	local out
	out=$("$runs" "$n" -- sh -c "$2" -- sh -c "$3") || { row "$1" "$2" - - failed -; return 0; }
	# shellcheck disable=SC2086
	set -- "$1" "${4:-$2}" $out
	row "$1" "$2" "$(awk "BEGIN { printf \"%.4f\", $6 }")" "$(awk "BEGIN { printf \"%.4f\", $3 }")" \
		"$(awk "BEGIN { printf \"%.2f\", $6 / $3 }")" "$8"
}

wanted()
{
	[ -z "${ONLY:-}" ] || case " $ONLY " in *" $1 "*) ;; *) return 1 ;; esac
}

ONLY=$*
echo "$(date -u +%F), $(nproc) processors, $(uname -m), ${side}^3 flt32, median of $n"
row command reference ours ref ratio peak_KiB
head -c $((side * side * side * 4)) /dev/urandom >raw
# small integers as floats: random bits would be NaN now and then
tafcreate -n "$side,$side,$((side * 4))" -t uint8 raw |
	tafcrop -x 3=1:"$side" | taf2rsf -t flt32 | rsf2taf -o a.taf
rm raw

if wanted start; then
	printf x | tafcreate -n 1,1 -t uint8 -o small.taf
	out=$("$runs" 1000 -- /bin/true -- tafprobe small.taf)
	# shellcheck disable=SC2086
	set -- $out
	row 'tafprobe, small file, user+sys' /bin/true "$5" "$2" \
		"$(awk "BEGIN { printf \"%.2f\", $5 / $2 }")" "$6"
fi
if wanted adjust; then
	compare 'tafadjust to a pipe' 'cat a.taf | cat' 'tafadjust --scale 1=2 a.taf | cat' 'cat | cat'
	compare 'three stages to a pipe' 'tafadjust --scale 1=2 a.taf | cat' \
		'tafadjust --scale 1=2 a.taf | tafadjust --shift 1=2 | tafcomment -C x | cat' 'one stage'
fi
if wanted crop; then
	half=$((side / 4 + 1)):$((side * 3 / 4))
	compare "tafcrop -x 3=$half to a pipe" "head -c $((side * side * side * 2)) a.taf | cat" \
		"tafcrop -x 3=$half a.taf | cat" 'cat as many bytes'
	compare 'tafcrop -x 1=1::2 to a pipe' 'cat a.taf | cat' 'tafcrop -x 1=1::2 a.taf | cat' 'cat | cat'
fi
if wanted permute; then
	for order in 2,1,3 1,3,2 3,2,1 2,3,1 3,1,2; do
		compare "tafpermute -d $order" 'cp --reflink=never a.taf c.taf && rm c.taf' \
			"tafpermute -d $order a.taf -o p.taf && rm p.taf" 'cp'
	done
	compare 'tafpermute -J 1 -d 3,2,1' 'cp --reflink=never a.taf c.taf && rm c.taf' \
		'tafpermute -J 1 -d 3,2,1 a.taf -o p.taf && rm p.taf' 'cp'
fi
if wanted text; then
	tafcrop -x 3=1:$((side / 16)) a.taf -o t.taf
	tafread t.taf >t.txt
	compare 'tafread flt32 as text' 'cat t.txt >/dev/null' 'tafread t.taf' 'cat of the text'
	compare 'txt2taf' 'cat t.txt >/dev/null' 'txt2taf t.txt' 'cat of the text'
fi
if wanted summarize && command -v tafsummarize >/dev/null; then
	compare 'tafsummarize' 'cat a.taf >/dev/null' 'tafsummarize a.taf' 'cat'
fi
if wanted convert; then
	compare 'npy, Fortran order, there and back' 'cat a.taf | cat' \
		'taf2npy a.taf | npy2taf | cat' 'cat | cat'
	compare 'gta, there and back' 'cat a.taf | cat' 'taf2gta a.taf | gta2taf | cat' 'cat | cat'
fi
