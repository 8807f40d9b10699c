#!/bin/sh
# pages.sh [FOLDER] -- what the pages say of themselves, as rows of a table in C, sorted by name:
# name, section, group, what it is, more words by which people look for it, and the flags that
# its source has in struct cmd
#
# A page of a command has the line '.\" group: GROUP'; any page may have '.\" words: WORD ...'.
set -eu
cd "${1:-.}"
for page in man/*.[1-9]; do
	name=${page#man/}
	flags=$(awk '/^static const struct cmd self/, /^};/' "src/cmd/${name%.*}.c" 2>/dev/null |
		grep -o 'CMD_[A-Z_]*' | paste -s -d '|') || flags=0
	awk -v flags="${flags:-0}" -v name="${name%.*}" -v section="${name##*.}" '
	sub(/^\.\\" group: /, "") { group = $0 }
	sub(/^\.\\" words: /, "") { words = words (words ? " " : "") $0 }
	sub(/^\.Nd /, "") { brief = $0 }
	END {
		gsub(/\\&/, "", brief)
		gsub(/["\\]/, "\\\\&", brief)
		printf "{ \"%s\", %s, \"%s\", \"%s\", \"%s\", %s },\n", name, section, group, brief, words, flags
	}' "$page"
done | LC_ALL=C sort
