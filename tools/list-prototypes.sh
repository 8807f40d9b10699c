#!/bin/sh
# SPDX-License-Identifier: ISC
# list-prototypes.sh [FOLDER] -- the prototypes in SYNOPSIS of man/libtaf.3, made anew from the
# public headers
set -eu
cd "${1:-.}"
tmp=$(mktemp)
trap 'rm -f "$tmp" "$tmp.list"' 0
sed -n 's/^#include "\(.*\)"$/\1/p' src/lib/taf.h | while IFS= read -r header; do
	# as it is installed, without comments, bodies and lines of the preprocessor
	sed '/^\/\* --- for taftools alone/,$d' "src/lib/$header" | awk -v header="${header##*/}" '
	/^#/ || /^extern "C"/ || /^}$/ { next }
	{ text = text " " $0 }
	# type and name in front of the first parenthesis, what stands in it cut at its commas
	function put(declaration,    at, head, name, args, depth, i, c, arg)
	{
		gsub(/TAF_MUST|TAF_PRINTF\([^)]*\)|TAF_NORETURN|TAF_SELDOM|[ \t]+/, " ", declaration)
		sub(/^ +/, "", declaration)
		at = index(declaration, "(")
		if (declaration ~ /^typedef/ || !at)
			return
		head = substr(declaration, 1, at - 1)
		if (!match(head, /taf_[a-z0-9_]*$/))
			return
		name = substr(head, RSTART)
		head = substr(head, 1, RSTART - 1)
		sub(/ *$/, "", head)
		if (!told++)
			print ".Pp\n.In taf/" header
		print ".Ft \"" head "\"\n.Fo " name
		args = substr(declaration, at + 1)
		sub(/\) *$/, "", args)
		args = args ","
		for (i = 1; i <= length(args); i++) {
			c = substr(args, i, 1)
			depth += (c == "(") - (c == ")")
			if (c == "," && depth == 0) {
				sub(/^ /, "", arg)
				print ".Fa \"" arg "\""
				arg = ""
			} else {
				arg = arg c
			}
		}
		print ".Fc"
	}
	END {
		while (match(text, /\/\*([^*]|\*+[^*\/])*\*+\//))
			text = substr(text, 1, RSTART - 1) " " substr(text, RSTART + RLENGTH)
		while (match(text, /\{[^{}]*\}/))
			text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH)
		n = split(text, part, ";")
		for (i = 1; i <= n; i++)
			put(part[i])
	}'
done >"$tmp.list"
# behind the line that names this script, up to the next section
awk -v list="$tmp.list" '
inside && /^\.Sh / { inside = 0 }
!inside { print }
/made by tools\/list-prototypes/ {
	inside = 1
	while ((getline line <list) > 0)
		print line
}' man/libtaf.3 >"$tmp"
cat "$tmp" >man/libtaf.3
