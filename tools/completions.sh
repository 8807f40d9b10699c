#!/bin/sh
# completions.sh COMMAND -- bash completion for a command, made from what its -h says
#
# An option line there is "  -x, --long ARG  text", one of the two names may be missing. ARG
# may be joined with "=", in brackets, a list of words ("taf|rsf"), or TYPE, FILE, DIR.
set -eu
name=$(basename "$1")
if ! help=$("$1" -h </dev/null); then
	echo "completions.sh: $1 -h failed" >&2
	exit 1
fi
printf '%s\n' "$help" | awk -v name="$name" '
function add(option)
{
	options = options (options ? " " : "") option
	if (arg == "")
		return
	if (arg ~ /^[a-z0-9]+(\|[a-z0-9]+)+$/) {
		words = arg
		gsub(/\|/, " ", words)
	} else if (arg == "TYPE") {
		words = "int8 uint8 int16 uint16 int32 uint32 int64 uint64 flt32 flt64"
	} else {
		words = "-"
	}
	pattern[words] = pattern[words] (pattern[words] ? " | " : "") option
}
/^ *-/ {
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
