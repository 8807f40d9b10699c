#!/bin/sh
# list-commands.sh [FOLDER] -- the list of commands in man/taf.7, made anew from their pages
set -eu
cd "${1:-.}"
tmp=$(mktemp)
trap 'rm -f "$tmp" "$tmp.list"' 0
for page in man/*.1; do
	name=$(basename "$page" .1)
	printf '.It Xr %s 1\n%s\n' "$name" "$(sed -n 's/^\.Nd //p' "$page")"
done >"$tmp.list"
# what stands between the .Bl of the section and its .El
awk -v list="$tmp.list" '
/^\.S[sh] / { inside = $0 == ".Ss Tools" }
inside && /^\.El/ { inside = 0 }
!inside || /^\.(Ss|Bl)/ { print }
inside && /^\.Bl/ { while ((getline line <list) > 0) print line }' man/taf.7 >"$tmp"
cat "$tmp" >man/taf.7
