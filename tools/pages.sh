#!/bin/sh
# SPDX-License-Identifier: ISC
# pages.sh [FOLDER] -- what the pages say of themselves, as rows of a table in C, sorted by name:
# name, section, group, what it is, more words by which people look for it, the flags that its
# source has in struct cmd, and all words of its text, each once, in strings that C allows
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
	/^\.\\"/ { next }
	{
		gsub(/\\[fm]./, " ")
		n = split(tolower($0), word, /[^a-z0-9]+/)
		for (i = 1; i <= n; i++)
			if (length(word[i]) > 2 && !(word[i] in seen)) {
				seen[word[i]] = 1
				if (size + length(word[i]) > 3900) {
					text = text "\", \""
					size = 0
				}
				text = text word[i] " "
				size += length(word[i]) + 1
			}
	}
	END {
		gsub(/\\&/, "", brief)
		gsub(/["\\]/, "\\\\&", brief)
		printf "{ \"%s\", %s, \"%s\", \"%s\", \"%s\", %s, ", name, section, group, brief, words, flags
		printf "(const char *const[]){ \"%s\", NULL } },\n", text
	}' "$page"
done | LC_ALL=C sort
