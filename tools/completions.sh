#!/bin/sh
# completions.sh COMMAND -- bash completion for a command, made from what its -h says
#
# An option line there is "  -x, --long ARG  text", one of the two names may be missing. ARG
# may be joined with "=", in brackets, a list of words ("taf|rsf", "N|fast|pow2", of which those
# in capitals stand for something else), or TYPE, FILE, DIR.
set -eu
name=$(basename "$1")
if ! help=$("$1" -h </dev/null); then
	echo "completions.sh: $1 -h failed" >&2
	exit 1
fi
printf '%s\n' "$help" | awk -v name="$name" '
# the words of a list; one that goes on with a value of its own ends in "="
function words_of(list,    word, found)
{
	while (list != "") {
		word = list
		sub(/\|.*/, "", word)
		list = substr(list, length(word) + 2)
		sub(/=.*/, "=", word)
		if (word ~ /^[a-z0-9]/)
			found = found (found ? " " : "") word
	}
	return found
}
function add(option)
{
	options = options (options ? " " : "") option
	if (arg == "")
		return
	words = arg == "TYPE" ? "int8 uint8 int16 uint16 int32 uint32 int64 uint64 flt32 flt64" \
		: words_of(arg)
	if (words == "")
		words = "-"
	pattern[words] = pattern[words] (pattern[words] ? " | " : "") option
}
# options stand behind the synopsis, and what the command does
/^$/ { table = 1 }
table && /^ *-/ {
	line = $0
	sub(/^ */, "", line)
	sub(/(  |\t).*/, "", line)
	arg = line
	gsub(/\[=/, "=[", arg)
	if (!sub(/^.*--?[A-Za-z0-9][-A-Za-z0-9]*[ =]/, "", arg))
		arg = ""
	gsub(/[][]/, "", arg)
	while (match(line, /--?[A-Za-z0-9][-A-Za-z0-9]*/)) {
		add(substr(line, RSTART, RLENGTH))
		line = substr(line, RSTART + RLENGTH)
		if (line !~ /^, *-/)
			break
	}
}
END {
	print "# bash completion for " name
	print "_" name "()"
	print "{"
	print "\tlocal word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} choices="
	print "\tCOMPREPLY=()"
	print "\tcase $previous in"
	for (words in pattern)
		if (words != "-")
			print "\t" pattern[words] ") choices=\"" words "\" ;;"
	if ("-" in pattern)
		print "\t" pattern["-"] ") return ;;"
	print "\t*) [[ $word != -* ]] || choices=\"" options "\" ;;"
	print "\tesac"
	print "\tmapfile -t COMPREPLY < <(compgen -W \"$choices\" -- \"$word\")"
	print "}"
	print "complete -o default -F _" name " " name
}'
