#!/bin/sh
# pages.sh [FOLDER] -- what the pages say of themselves, as rows of a table in C, sorted by name:
# name, section, group, what it is, more words by which people look for it
#
# A page of a command has the line '.\" group: GROUP'; any page may have '.\" words: WORD ...'.
set -eu
cd "${1:-.}"
for page in man/*.[1-9]; do
	name=${page#man/}
	awk -v name="${name%.*}" -v section="${name##*.}" '
	sub(/^\.\\" group: /, "") { group = $0 }
	sub(/^\.\\" words: /, "") { words = words (words ? " " : "") $0 }
	sub(/^\.Nd /, "") { brief = $0 }
	END {
		gsub(/\\&/, "", brief)
		gsub(/["\\]/, "\\\\&", brief)
		printf "{ \"%s\", %s, \"%s\", \"%s\", \"%s\" },\n", name, section, group, brief, words
	}' "$page"
done | LC_ALL=C sort
