#!/bin/sh
# SPDX-License-Identifier: ISC
# list-commands.sh [FOLDER] -- the list of commands in man/taf.1, by group, made anew from their
# pages
set -eu
cd "${1:-.}"
tmp=$(mktemp)
trap 'rm -f "$tmp" "$tmp.list"' 0
# the groups in the order that taf list has
sed -n '/groups\[\] = {/,/};/p' src/lib/text/pages.c | grep -o '"[^"]*"' | tr -d '"' |
	while IFS= read -r group; do
		printf '.Ss %s\n.Bl -tag -width "tafdifferentiate(1)" -compact\n' "$group"
		for page in man/*.1; do
			name=$(basename "$page" .1)
			grep -qxF ".\\\" group: $group" "$page" || continue
			printf '.It Xr %s 1\n%s\n' "$name" "$(sed -n 's/^\.Nd //p' "$page")"
		done
		echo .El
	done >"$tmp.list"
# behind the line that names this script, up to the next section
awk -v list="$tmp.list" '
inside && /^\.Sh / { inside = 0 }
!inside { print }
/made by tools\/list-commands/ {
	inside = 1
	while ((getline line <list) > 0)
		print line
}' man/taf.1 >"$tmp"
cat "$tmp" >man/taf.1
