#!/bin/sh
# SPDX-License-Identifier: ISC
# html.sh SOURCES FOLDER -- the manual in HTML: pages, and a tutorial whose commands
# are run
#
# FOLDER is replaced when all is made.  mandoc makes the pages, gnuplot the pictures.
set -eu
src=$(cd "$1" && pwd)
case $2 in /*) out=$2 ;; *) out=$(pwd)/$2 ;; esac
for tool in mandoc gnuplot; do
	command -v $tool >/dev/null || { echo "html.sh: $tool is missing" >&2 && exit 1; }
done
[ -z "${TAF_BIN:-}" ] || PATH=$TAF_BIN:$PATH
export LC_ALL=C TAF_HISTORY=off
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' 0
new=$tmp/html
mkdir "$new" "$tmp/work"
: >"$tmp/linked"

# title and file of the chapter $1; its number is the place in the order
title_of()
{
	sed -n '1s/^# //p' "$1"
}

file_of()
{
	basename "$1" .md | sed 's/^[0-9]*-//; s/$/.html/'
}

# the line above and below a page, with a link to chapter $1 if there is one
nav()
{
	printf '<p class="nav"><a href="index.html">taftools</a>'
	[ $# = 0 ] ||
		printf ' | next: <a href="%s">%s</a>' "$(file_of "$1")" "$(title_of "$1")"
	echo '</p>'
}

# the names of the pages $2... with what they are, below the heading $1
list_pages()
{
	echo "<h2>$1</h2>"
	echo '<table>'
	shift
	for page; do
		name=$(basename "$page")
		printf '<tr><td><a href="%s">%s</a></td><td>%s</td></tr>\n' "$name.html" \
			"${name%.*}(${name##*.})" "$(sed -n '/^\.Nd /{s///p;q;}' "$page")"
	done
	echo '</table>'
}

# a line of a synopsis breaks between its options, not inside one
keep_options()
{
	awk '/<table class="Nm">/ { inside = 1 }
	!inside { print; next }
	{ sub(/^ +/, " "); text = text $0 }
	/<\/table>/ {
		gsub(/<\/code> <var/, "</code>\\&nbsp;<var", text)
		for (i = 1; i <= length(text); i++) {
			c = substr(text, i, 1)
			if (c == "[" && depth++ == 0)
				printf "<span class=\"Op\">"
			printf "%s", c
			if (c == "]" && --depth == 0)
				printf "</span>"
		}
		print ""
		text = ""
		inside = 0
	}'
}

cp "$src/doc/style.css" "$new"
# a page or chapter links to files that are there
for page in "$src"/man/*.[1-9]; do
	: >"$new/$(basename "$page").html"
done
for chapter in "$src"/doc/tutorial/*.md index.md; do
	: >"$new/$(file_of "$chapter")"
done
# mandoc takes the first form for pages that are in the present folder
cd "$src/man"
links='%N.%S.html;https://manpages.debian.org/%N.%S'
for page in *.[1-9]; do
	mandoc -T html -O "style=style.css,man=$links" "$page" |
		sed "s|^<body>|&$(nav)|" | keep_options >"$new/$page.html"
done

cd "$tmp/work"
ln -s "$src/examples" examples
set -- "$src"/doc/tutorial/*.md
for chapter; do
	shift
	awk -v html="$new" -v tmp="$tmp" -v nav="$(nav ${1+"$1"})" \
		-f "$src/tools/tutorial.awk" "$chapter" >"$tmp/chapter"
	mv "$tmp/chapter" "$new/$(file_of "$chapter")"
done
while IFS= read -r file; do
	cp "$file" "$new"
done <"$tmp/linked"

{
	cat <<-'END_OF_HEAD'
		<!DOCTYPE html>
		<html lang="en">
		<head>
		<meta charset="utf-8">
		<meta name="viewport" content="width=device-width, initial-scale=1">
		<title>taftools</title>
		<link rel="stylesheet" href="style.css">
		</head>
		<body>
		<h1>taftools</h1>
		<p>Numeric arrays on the command line: programs, joined by pipes.</p>
		<h2>Tutorial</h2>
		<ol>
	END_OF_HEAD
	for chapter in "$src"/doc/tutorial/*.md; do
		printf '<li><a href="%s">%s</a></li>\n' "$(file_of "$chapter")" \
			"$(title_of "$chapter")"
	done
	echo '</ol>'
	list_pages 'Overview and formats' "$src/man/taf.1" "$src"/man/*.[57]
	list_pages Library "$src"/man/*.3
	list_pages Commands "$src"/man/*.1
	printf '</body>\n</html>\n'
} >"$new/index.html"
chmod -R u=rwX,go=rX "$new"
rm -rf "$out"
mv "$new" "$out"
