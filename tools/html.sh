#!/bin/sh
# SPDX-License-Identifier: ISC
# html.sh SOURCES FOLDER -- the manual in HTML: pages, answers to questions, pictures, and
# a tutorial; all commands are run
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
mkdir "$new" "$tmp/made"

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
	printf '\n## %s\n\n| page | what it is |\n|:---|:---|\n' "$1"
	shift
	for page; do
		name=$(basename "$page")
		printf '| %s | %s |\n' "${name%.*}(${name##*.})" \
			"$(sed -n '/^\.Nd /{s///;s/\\&//g;p;q;}' "$page")"
	done
}

# make the chapter $1, with $2 above and below it, in the present folder
make_chapter()
{
	: >"$tmp/linked"
	awk -v html="$new" -v tmp="$tmp" -v nav="$2" -f "$src/tools/tutorial.awk" "$1" \
		>"$tmp/chapter"
	mv "$tmp/chapter" "$new/$(file_of "$1")"
	while IFS= read -r file; do
		cp "$file" "$new"
	done <"$tmp/linked"
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
: >"$new/search.js"
# a page or chapter links to files that are there
for page in "$src"/man/*.[1-9]; do
	: >"$new/$(basename "$page").html"
done
for chapter in "$src"/doc/*.md "$src"/doc/tutorial/*.md; do
	: >"$new/$(file_of "$chapter")"
done
# mandoc takes the first form for pages that are in the present folder
cd "$src/man"
links='%N.%S.html;https://manpages.debian.org/%N.%S'
for page in *.[1-9]; do
	mandoc -T html -O "style=style.css,man=$links" "$page" |
		sed "s|^<body>|&$(nav)|" | keep_options >"$new/$page.html"
done

cd "$tmp/made"
ln -s "$src/examples" examples
set -- "$src"/doc/tutorial/*.md
for chapter; do
	shift
	make_chapter "$chapter" "$(nav ${1+"$1"})"
done

# the other pages, each in a folder of its own
for chapter in "$src"/doc/*.md; do
	name=$(basename "$chapter" .md)
	mkdir "$tmp/made/$name"
	cd "$tmp/made/$name"
	ln -s "$src/examples" examples
	cp "$chapter" "$tmp/$name.md"
	nav=$(nav)
	case $name in
	fast)
		cp "$src/tests/bench/RESULTS.md" .
		sed 1d RESULTS.md >>"$tmp/fast.md"
		;;
	index)
		nav=
		(
			for page in "$src"/doc/tutorial/*.md; do
				echo "- [$(title_of "$page")]($(file_of "$page"))"
			done
			list_pages 'Overview and formats' "$src/man/taf.1" "$src"/man/*.[57]
			list_pages Library "$src"/man/*.3
			list_pages Commands "$src"/man/*.1
		) >>"$tmp/index.md"
		;;
	esac
	make_chapter "$tmp/$name.md" "$nav"
done

# for each page of the manual its source, too
for page in "$new"/*.html; do
	[ ! -f "$src/man/$(basename "$page" .html)" ] ||
		printf '%s\0' "$src/man/$(basename "$page" .html)"
	printf '%s\0' "$page"
done >"$tmp/list"
{
	echo 'const pages = ['
	xargs -0 awk -f "$src/tools/search.awk" <"$tmp/list"
	echo '];'
	cat "$src/doc/search.js"
} >"$new/search.js"
chmod -R u=rwX,go=rX "$new"
rm -rf "$out"
mv "$new" "$out"
