#!/bin/sh
# SPDX-License-Identifier: ISC
# check-layers.sh -- the promises of DESIGN that a compiler does not keep; TAP
#
# Runs in the folder of a finished build. From the environment: TAF_BUILD, TAF_SRC, CC, CXX,
# NM and SANITIZE (empty in a plain build).
set -u
: "${TAF_BUILD:?}" "${TAF_SRC:?}" "${CC:=cc}" "${CXX:=}" "${NM:=nm}" "${SANITIZE:=}"
layers='base io array codec kernel stream op format text plot spread plan cli umbrella'
flags='-std=c11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Wall -Wextra -Wpedantic -Werror'
n=0
tmp=${TMPDIR:-/tmp}/layers.$$
mkdir "$tmp" || exit
trap 'rm -rf "$tmp"' 0
cd "$TAF_SRC/src/lib" || exit

# the test fails if the file "bad" holds anything; that says what is wrong
nothing()
{
	n=$((n + 1))
	if [ -s "$tmp/bad" ]; then
		echo "not ok $n - $1"
		sed 's/^/# /' "$tmp/bad"
	else
		echo "ok $n - $1"
	fi
}

skip()
{
	n=$((n + 1))
	echo "ok $n - $1 # skip $2"
}

# "FILE SYMBOL" for what the objects of source folder $1 and its rooms leave undefined
undefined()
{
	for source in "$TAF_SRC/$1"/*.c "$TAF_SRC/$1"/*/*.c; do
		object=${source#"$TAF_SRC/"}
		[ ! -f "$source" ] || $NM -u "$TAF_BUILD/obj/${object%.c}.o" |
			sed -n "s|^ *U ||; s|@.*||; s|^|$(basename "$source") |p"
	done
}

# a program that includes header $1 alone
include()
{
	echo "#include \"$1\""
	echo 'int main(void) { return 0; }'
}

for layer in $layers; do
	undefined "src/lib/$layer" >"$tmp/$layer.u"
done
undefined src/cmd >"$tmp/cmd.u"

awk '/"internal/ && (last $0) !~ /TAF_EMISUSE/ { print FILENAME ":" FNR ": " $0 } { last = $0 }' \
	./*/*.c ./*/*/*.c ../cmd/*.c >"$tmp/bad"
nothing 'what is internal is no failure of the system'

prints='v?f?printf|putc|putchar|puts|perror|v?err|v?errx|v?warn|v?warnx|syslog|error'
exits='exit|_exit|_Exit|quick_exit|abort'
streams='stdin|stdout|stderr|getchar|gets|scanf'
locale='setlocale|strto(l|ul|ll|ull|imax|umax|f|d|ld)|ato(i|l|ll|f)|v?[fs]?scanf'

for layer in $layers; do
	[ "$layer" != cli ] || continue
	grep -E " (__)?($prints|$exits|$streams)(_chk)?\$" "$tmp/$layer.u" >"$tmp/bad"
	nothing "$layer neither prints nor exits nor uses a standard stream"
done
grep -E " ($exits)\$" "$tmp/cmd.u" >"$tmp/bad"
nothing 'commands end through cli'
cat "$tmp"/*.u | grep -E " (__isoc[0-9]*_)?($locale)\$" >"$tmp/bad"
nothing 'no number goes through the locale'

# "FILE HEADER" for what sources include by name
grep -n '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' ./*/*.[ch] ./*/*/*.[ch] |
	sed 's|^\./||; s|:[0-9]*:[^"]*"| |; s|".*||' >"$tmp/includes"

awk -v layers="$layers" '
BEGIN {
	n = split(layers, name, " ")
	for (i = 1; i <= n; i++)
		rank[name[i]] = i
	side = "^(format|text|plot|spread)$"
}
$2 == "config.h" { next }
{
	own = $1; sub(/\/.*/, "", own)
	other = $2; sub(/\/.*/, "", other)
	if (!(own in rank))
		print $1 ": in no layer"
	else if (!(other in rank) || other == $2)
		print $1 ": \"" $2 "\" is not \"LAYER/NAME.h\" or \"LAYER/ROOM/NAME.h\""
	else if (rank[other] > rank[own] || (own == "kernel" && other == "codec") ||
	    (own != other && own ~ side && other ~ side))
		print $1 ": " own " may not include \"" $2 "\""
}' "$tmp/includes" >"$tmp/bad"
nothing 'a layer includes only itself and those before it'

awk '
$1 ~ /^(op|format|text|plot|spread|plan|cli|umbrella)\// || ($1 ~ /^codec\// && $1 !~ /^codec\/(escape|rsf|taf)/) { next }
$2 ~ /^codec\// && $2 !~ /^codec\/(escape|rsf|taf)/ { print $1 ": \"" $2 "\" is not in libtaf" }
' "$tmp/includes" >"$tmp/bad"
nothing 'libtaf knows the codecs of TAF and RSF alone'

printf '%s\n' */*.[ch] */*/*.[ch] ../cmd/*.c | sed 's|\.[ch]$||' | sort -u | awk '
{ name = $0; sub(/.*\//, "", name) }
seen[name]++ { print $0 ": another module is called " name, "too" }' >"$tmp/bad"
nothing 'no two modules have one name'

find op -maxdepth 1 -name '*.[ch]' >"$tmp/bad"
nothing 'each operation is in a room'

grep 'config\.h$' "$tmp/includes" | grep '\.h ' >"$tmp/bad"
nothing 'no header needs config.h'

for header in taf.h */*.h */*/*.h; do
	[ -f "$header" ] || continue
	include "$header" >"$tmp/one.c"
	# shellcheck disable=SC2086
	$CC $flags -I. -fsyntax-only "$tmp/one.c" 2>&1
done >"$tmp/bad"
nothing 'each header compiles alone'
if [ -n "$CXX" ]; then
	for header in taf.h $(sed -n 's/^#include "\(.*\)"/\1/p' taf.h); do
		include "$header" >"$tmp/one.cc"
		# shellcheck disable=SC2086
		$CXX -std=c++11 -Wall -Wextra -Werror -I. -fsyntax-only "$tmp/one.cc" 2>&1
	done >"$tmp/bad"
	nothing 'each public header is C++ too'
else
	skip 'each public header is C++ too' 'no C++ compiler'
fi

# names that a program linked with libtaf could have too
$NM -g "$TAF_BUILD/lib/libtaf.a" | awk '
$2 !~ /^[TDBRCVWi]$/ { next }
$3 ~ /^taf_/ { good++ }
$3 !~ /^(taf_|__|_ZGV)/ && !seen[$3]++ { print $3 }
END { if (!good) print "there is no taf_ name at all" }' >"$tmp/bad"
nothing 'what libtaf exports begins with taf_'

libraries='what a command loads is libc, and what its source asks for'
if [ -n "$SANITIZE" ]; then
	skip "$libraries" 'another kind of build'
elif ! command -v readelf >/dev/null; then
	skip "$libraries" 'no readelf'
else
	for program in "$TAF_BUILD"/bin/*; do
		asked=$(sed -n '1,12s|^/\* link: \(.*\) \*/ *$|\1|p' \
			"$TAF_SRC/src/cmd/$(basename "$program").c" | tr '\n' ' ')
		needed=$(readelf -d "$program" 2>/dev/null | sed -n 's/.*NEEDED.*\[lib\(.*\)\.so.*/\1/p')
		for lib in $needed; do
			case "$lib: $asked " in
			c:* | gcc_s:* | ld-linux*:* | pthread:* | z:*' zlib '* | bz2:*' bzip2 '*) ;;
			lzma:*' lzma '* | hdf5*:*' hdf5 '* | jansson:*' jansson '*) ;;
			archive:*' archive '* | zstd:*' zstd '* | blosc:*' blosc '* | m:*' m '*) ;;
			*) echo "$(basename "$program"): lib$lib" ;;
			esac
		done
	done >"$tmp/bad"
	nothing "$libraries"
fi
echo "1..$n"
