#!/bin/sh
# SPDX-License-Identifier: ISC
# completions.sh [--zsh|--fish] COMMAND -- completion for a command, made from what its -h says
#
# An option line there is "  -x, --long ARG  text" or "      --long=ARG  text", whose text may
# stand on the next line. ARG may be in brackets with its "=", a list of words ("taf|rsf",
# "N|fast|pow2", of which those in capitals stand for something else), or TYPE, FILE, DIR.
set -eu
shell=bash
case $1 in --zsh | --fish) shell=${1#--} && shift ;; esac
name=$(basename "$1")
if ! help=$("$1" -h </dev/null); then
	echo "completions.sh: $1 -h failed" >&2
	exit 1
fi
# of the umbrella, what it runs: a line each, "name text"
list=
[ "$name" != taf ] || list=$("$1" list | sed -n 's/^  \(taf\([a-z]\)\)\{0,1\}/\2/p' | LC_ALL=C sort)

# rows of options: letter, name, "optional" or "needed" or nothing, what may follow, text. What
# may follow is FILE, DIR, words, or nothing.
rows()
{
	printf '%s\n' "$help" | awk '
	# the words of a list; one that goes on with a value of its own ends in "="
	function words_of(list,    word, found)
	{
		if (list == "TYPE")
			return "int8 uint8 int16 uint16 int32 uint32 int64 uint64 flt32 flt64"
		if (list ~ /FILE|PATH|DIR/)
			return list ~ /DIR/ ? "DIR" : "FILE"
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
	function put()
	{
		if (long != "")
			print letter "\t" long "\t" need "\t" words_of(arg) "\t" text
		long = ""
	}
	# options stand behind the synopsis, and what the command does
	/^$/ { table = 1; put() }
	table && /^ *-/ {
		put()
		left = text = $0
		sub(/^ */, "", left)
		sub(/  .*/, "", left)
		sub(/^ *[^ ].*[^ ]  +/, "", text)
		if (text == $0)
			text = ""
		letter = left ~ /^-[^-]/ ? substr(left, 2, 1) : ""
		sub(/^-.,? */, "", left)
		long = arg = left
		sub(/^-*/, "", long)
		sub(/[^-A-Za-z0-9].*/, "", long)
		need = left ~ /\[=/ ? "optional" : "needed"
		sub(/^-*[-A-Za-z0-9]*/, "", arg)
		if (arg == "")
			need = ""
		sub(/^\[?[= ]/, "", arg)
		gsub(/[][]/, "", arg)
		next
	}
	table && long != "" && /^          / { sub(/^ */, ""); text = $0 }
	END { put() }'
}

bash()
{
	rows | awk -F '\t' -v name="$name" -v list="$(echo "$list" | awk '{ print $1 }' | xargs)" '
	function add(option)
	{
		options = options (options ? " " : "") option
		if ($3 != "needed")
			return
		words = $4 == "" || $4 == "FILE" || $4 == "DIR" ? "-" : $4
		pattern[words] = pattern[words] (pattern[words] ? " | " : "") option
	}
	{
		if ($1 != "")
			add("-" $1)
		add("--" $2)
	}
	END {
		print "# bash completion for " name
		print "_" name "()"
		print "{"
		print "\tlocal word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} choices="
		print "\tCOMPREPLY=()"
		if (list != "") {
			print "\tlocal at=1 command"
			print "\twhile [[ ${COMP_WORDS[at]} == -* ]]; do at=$((at + 1)); done"
			print "\tif ((COMP_CWORD > at)); then"
			print "\t\tcommand=${COMP_WORDS[at]}"
			print "\t\tcase $command in taf* | *2taf | dafls) ;; *) command=taf$command ;; esac"
			print "\t\tdeclare -F \"_$command\" >/dev/null || . \"${BASH_SOURCE[0]%/*}/$command\" 2>/dev/null || return"
			print "\t\tCOMP_WORDS=(\"$command\" \"${COMP_WORDS[@]:at + 1}\")"
			print "\t\tCOMP_CWORD=$((COMP_CWORD - at))"
			print "\t\t\"_$command\""
			print "\t\treturn"
			print "\tfi"
		}
		print "\tcase $previous in"
		for (words in pattern)
			if (words != "-")
				print "\t" pattern[words] ") choices=\"" words "\" ;;"
		if ("-" in pattern)
			print "\t" pattern["-"] ") return ;;"
		print "\t*) [[ $word != -* ]] || choices=\"" options "\" ;;"
		print "\tesac"
		if (list != "")
			print "\t[[ $word == -* ]] || choices=\"help list plan verify " list "\""
		print "\tmapfile -t COMPREPLY < <(compgen -W \"$choices\" -- \"$word\")"
		print "}"
		print "complete -o default -F _" name " " name
	}'
}

zsh()
{
	echo "#compdef $name"
	if [ -n "$list" ]; then
		echo 'local -a names'
		echo "names=('help:show or search pages' 'list:list the commands' 'plan:say what a pipeline would make' 'verify:run a recipe again'"
		echo "$list" | sed "s/:/\\\\:/g; s/'/'\\\\''/g; s/  */:/; s/.*/'&'/"
		cat <<-'END'
			)
			if (( CURRENT > 2 )) && [[ $words[2] != -* ]]; then
				local name=$words[2]
				case $name in taf*|*2taf|dafls) ;; *) name=taf$name ;; esac
				words=("$name" "${(@)words[3,-1]}")
				(( CURRENT -= 1 ))
				_normal
				return
			fi
			if [[ $PREFIX != -* ]]; then
				_describe -t commands command names
				return
			fi
		END
	fi
	printf '_arguments -s -S \\\n'
	rows | awk -F '\t' '
	{
		what = $4 == "FILE" ? "_files" : $4 == "DIR" ? "_files -/" : $4 != "" ? "(" $4 ")" : " "
		text = $5
		gsub(/\[|\]|:/, "\\\\&", text)
		gsub(/\047/, "\047\\\047\047", text)
		tail = "[" text "]" ($3 == "" ? "" : ($3 == "optional" ? "::" : ":") "value:" what)
		long = "--" $2 ($3 == "optional" ? "=-" : $3 != "" ? "=" : "")
		if ($1 != "")
			print "\t\047*\047{-" $1 ($3 != "" ? "+" : "") "," long "}\047" tail "\047 \\"
		else
			print "\t\047*" long tail "\047 \\"
	}'
	printf '\t%s\n' "'*:file:_files'"
}

fish()
{
	rows | awk -F '\t' -v name="$name" '
	{
		text = $5
		gsub(/[\\\047]/, "\\\\&", text)
		line = "complete -c " name (name == "taf" ? " -n __fish_use_subcommand" : "")
		if ($1 != "")
			line = line " -s " $1
		line = line " -l " $2
		if ($3 == "needed")
			line = line ($4 == "FILE" || $4 == "DIR" ? " -r -F" : " -x")
		if ($4 != "" && $4 != "FILE" && $4 != "DIR")
			line = line " -a \047" $4 "\047"
		print line " -d \047" text "\047"
	}'
	[ -n "$list" ] || return 0
	cat <<-'END'
		complete -c taf -n __fish_use_subcommand -f -a help -d 'show or search pages'
		complete -c taf -n __fish_use_subcommand -f -a list -d 'list the commands'
		complete -c taf -n __fish_use_subcommand -f -a plan -d 'say what a pipeline would make'
	END
	echo "$list" | sed "s/['\\\\]/\\\\&/g" | while read -r command text; do
		echo "complete -c taf -n __fish_use_subcommand -f -a $command -d '$text'"
	done
	cat <<-'END'
		function __taf_rest
			set -l words (commandline -opc)
			set -l name $words[2]
			string match -qr '^taf|2taf$|^dafls$' -- $name; or set name taf$name
			complete -C (string join ' ' -- $name (string escape -- $words[3..-1]) (commandline -ct))
		end
		complete -c taf -n 'not __fish_use_subcommand' -a '(__taf_rest)'
	END
}

$shell
