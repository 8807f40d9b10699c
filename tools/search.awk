# SPDX-License-Identifier: ISC
# search.awk -- rows for doc/search.js: address, name, what it is, words by which people
# look for it, and all words of its text, each once
#
# Files are pages of the manual in mdoc, each before its HTML, and chapters in HTML.  A
# section of a chapter has a row of its own.

function quoted(s)
{
	gsub(/&lt;/, "<", s)
	gsub(/&gt;/, ">", s)
	gsub(/&quot;/, "\"", s)
	gsub(/&amp;/, "\\&", s)
	gsub(/["\\]/, "\\\\&", s)
	return "\"" s "\""
}

function plain(s)
{
	gsub(/<[^>]*>/, "", s)
	return s
}

function row(   word)
{
	if (address != "")
		printf "[%s, %s, %s, %s, \"%s\"],\n", quoted(address), quoted(name),
			quoted(brief), quoted(words), text
	address = text = ""
	for (word in seen)
		delete seen[word]
}

FNR == 1 {
	row()
	html = FILENAME ~ /\.html$/
	file = name = FILENAME
	sub(/.*\//, "", file)
	manual = file ~ /\.[1-9]\.html$/
	if (!manual)
		brief = words = ""
	if (html)
		address = file
}

!html && sub(/^\.Nd /, "") {
	gsub(/\\&/, "")
	brief = $0
}

!html && sub(/^\.\\" words: /, "") { words = words " " $0 }

!html { next }

/<title>/ {
	name = plain($0)
	if (manual)
		name = substr(file, 1, length(file) - 7) "(" substr(file, length(file) - 5, 1) ")"
}

/<h2>/ { part = plain($0) }

# what follows belongs to no section
!manual && /^<\/section>/ {
	row()
	next
}

/<section id="s[0-9]/ {
	row()
	match($0, /s[0-9]+"/)
	address = file "#" substr($0, RSTART, RLENGTH - 1)
	name = part ": " plain($0)
}

{
	n = split(tolower(plain($0)), word, /[^a-z0-9]+/)
	for (i = 1; i <= n; i++)
		if (length(word[i]) > 2 && !(word[i] in seen)) {
			seen[word[i]] = 1
			text = text word[i] " "
		}
}

END { row() }
