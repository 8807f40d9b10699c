# SPDX-License-Identifier: ISC
# tutorial.awk -- a chapter of the tutorial as HTML; its commands run where it runs
#
# Of Markdown it knows headings, paragraphs, lists, tables, `code`, [links](to),
# ![pictures](file).  What begins with < is HTML.  A heading of level 3 begins a section.
# Lines that four blanks indent are commands; a \ at the end continues one.  What they
# print is shown behind them.  One that fails ends all, with status 1.
# "<!-- needs NAME -->" in front of a block: without that program it is shown and not run;
# so it is with "<!-- needs library NAME -->" where the build in TAF_BIN/.. is without that.
# NAME(1) becomes a link where NAME.1.html is in the folder html.  Links and pictures name
# files that are there; those of the present folder are added to the list tmp/linked.
#
# Variables: html and tmp are folders, nav is HTML for the top and the end.

function die(what)
{
	printf "%s:%d: %s\n", FILENAME, FNR, what >"/dev/stderr"
	failed = 1
	exit 1
}

function exists(file,   line, known)
{
	known = (getline line <file) >= 0
	close(file)
	return known
}

function escape(s)
{
	gsub(/&/, "\\&amp;", s)
	gsub(/</, "\\&lt;", s)
	gsub(/>/, "\\&gt;", s)
	gsub(/"/, "\\&quot;", s)
	return s
}

# HTML of [WORDS](TARGET), ![WORDS](TARGET) or NAME(SECTION)
function link(s,   cut, words, target)
{
	if (s !~ /\[/) {
		target = substr(s, 1, length(s) - 1) ".html"
		sub(/\(/, ".", target)
		return exists(html "/" target) ? "<a href=\"" target "\">" s "</a>" : s
	}
	cut = index(s, "](")
	words = substr(s, index(s, "[") + 1, cut - index(s, "[") - 1)
	target = substr(s, cut + 2, length(s) - cut - 2)
	if (target !~ /^https?:/ && !exists(html "/" target)) {
		if (!exists(target))
			die("no file " target)
		print target >>(tmp "/linked")
	}
	return s ~ /^!/ ? "<img src=\"" target "\" alt=\"" words "\">" : \
		"<a href=\"" target "\">" words "</a>"
}

function markup(s,   n, i, part, word, out)
{
	n = split(escape(s), part, "`")
	for (i = 1; i <= n; i++) {
		s = part[i]
		if (i % 2 == 0) {
			out = out "<code>" s "</code>"
			continue
		}
		while (match(s, /!?\[[^]]*\]\([^)]*\)|[a-z][a-z0-9-]*\([1-8]\)/)) {
			word = substr(s, RSTART, RLENGTH)
			out = out substr(s, 1, RSTART - 1) link(word)
			s = substr(s, index(s, word) + length(word))
		}
		out = out s
	}
	return out
}

# end what is open; a block of KIND begins, or goes on
function begin(kind)
{
	if (text != "")
		print "<" open ">" markup(text) "</" open ">"
	text = ""
	if (open == kind)
		return
	if (open in outer)
		print "</" outer[open] ">"
	if (open == "pre")
		needs = ""
	if (kind in outer)
		printf "<%s>", outer[kind]
	open = kind
}

function run(command,   said, status, line, text)
{
	# a line may break between options, and within none
	text = escape(command)
	gsub(/-[^ \n]+/, "<i>&</i>", text)
	print "<b>$ " text "</b>"
	if (needs != "" && system(needs) != 0)
		return
	print command >(tmp "/command")
	close(tmp "/command")
	said = tmp "/said"
	status = system("bash -eu -o pipefail " tmp "/command >" said " 2>&1 </dev/null")
	while ((getline line <said) > 0) {
		print escape(line)
		if (status)
			print line >"/dev/stderr"
	}
	close(said)
	# 141: the next in the pipe has seen enough
	if (status && status != 141)
		die("status " status ": " command)
}

BEGIN {
	outer["pre"] = "pre"
	outer["li"] = "ul"
	outer["tr"] = "table"
}

/^    / && open != "li" {
	begin("pre")
	command = command (command == "" ? "" : "\n") substr($0, 5)
	if (command !~ /\\$/) {
		run(command)
		command = ""
	}
	next
}

/^<!-- needs / || /^$/ {
	begin("")
	needs = $3 == "" ? "" : "command -v " $3 " >/dev/null"
	if ($3 == "library")
		needs = "grep -q '^#define HAVE_" toupper($4) " 1' \"${TAF_BIN-}/../config.h\" 2>/dev/null"
	next
}

/^</ {
	begin("")
	print
	next
}

# the line below the head of a table
/^\|:?-/ { next }

/^\|/ {
	cell = open == "tr" ? "td" : "th"
	begin("tr")
	gsub(/\\\|/, "\001")
	n = split($0, column, / *\| */)
	row = "<tr>"
	for (i = 2; i < n; i++)
		row = row "<" cell ">" markup(column[i]) "</" cell ">"
	gsub("\001", "|", row)
	print row "</tr>"
	next
}

/^#/ {
	begin("")
	level = "h" (index($0, " ") - 1)
	printf "%s%s", section, level == "h3" ? "<section id=\"s" ++sections "\">" : ""
	section = level == "h3" ? "</section>\n" : ""
	title = markup(substr($0, index($0, " ") + 1))
	if (level == "h1")
		print "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n" \
			"<meta charset=\"utf-8\">\n" \
			"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" \
			"<title>" title "</title>\n" \
			"<link rel=\"stylesheet\" href=\"style.css\">\n" \
			"</head>\n<body>\n" nav
	print "<" level ">" title "</" level ">"
	next
}

/^- / {
	begin("li")
	text = substr($0, 3)
	next
}

{
	if (open != "li" && open != "p")
		begin("p")
	sub(/^ +/, "")
	text = text (text == "" ? "" : " ") $0
}

END {
	if (failed)
		exit 1
	begin("")
	print section nav "\n</body>\n</html>"
}
