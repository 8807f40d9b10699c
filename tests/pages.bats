# The manual: its examples run as printed, and it has every option of every command.

load helper

MAN=$BATS_TEST_DIRNAME/../man

# examples PAGE: the literal blocks of its EXAMPLES, and of COMPUTING, as one script
examples() {
	awk '
	/^\.Sh/ { inside = $2 == "EXAMPLES" || $2 == "COMPUTING"; next }
	!inside { next }
	/^\.\\" not run/ { pass = 1; next }
	/^\.Bd -literal/ { block = !pass; pass = 0; next }
	/^\.Ed/ { block = 0; next }
	block { gsub(/\\e/, "\\"); gsub(/\\&/, ""); gsub(/\\-/, "-"); print }
	' "$1"
}

# options_of_help COMMAND, options_of_page PAGE: a line each, "x name" or "- name"
options_of_help() {
	"$1" -h | sed -n \
		-e 's/^  -\(.\), --\([a-z-]*\).*/\1 \2/p' \
		-e 's/^      --\([a-z-]*\).*/- \1/p' | LC_ALL=C sort
}

options_of_page() {
	sed -n \
		-e 's/^\.It Fl \([A-Za-z]\) , -\([a-z-]*\).*/\1 \2/p' \
		-e 's/^\.It Fl -\([a-z-]*\).*/- \1/p' "$1" | LC_ALL=C sort
}

@test "every command has a page, and every page its parts" {
	for c in "$TAF_BIN"/*; do
		c=${c##*/}
		[ -f "$MAN/$c.1" ] || { echo "no page: $c"; bad=1; continue; }
		for part in NAME SYNOPSIS DESCRIPTION 'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
			grep -q "^\.Sh $part$" "$MAN/$c.1" || { echo "$c.1: no $part"; bad=1; }
		done
	done
	[ -z "${bad:-}" ]
}

@test "every option of -h is in the page, and no other" {
	for page in "$MAN"/*.1; do
		c=${page##*/}
		c=${c%.1}
		[ -x "$TAF_BIN/$c" ] || continue
		options_of_help "$c" >help
		options_of_page "$page" >page
		[ -s help ]
		diff help page || { echo "$c: -h and its page differ"; bad=1; }
	done
	[ -z "${bad:-}" ]
}

@test "what -h says a command is, its page says" {
	for page in "$MAN"/*.1; do
		c=${page##*/}
		c=${c%.1}
		[ -x "$TAF_BIN/$c" ] || continue
		equal "$c: $("$c" -h | awk 'seen && NF { print; exit } /^$/ { exit }
			!/^usage:|^ / { print; exit }')" "$c: $(sed -n 's/^\.Nd //p' "$page")" || bad=1
	done
	[ -z "${bad:-}" ]
}

# "In place" would be the macro In, a file to be included
@test "a heading is printed as it is written" {
	need mandoc
	for page in "$MAN"/*.[1-9]; do
		mandoc -T ascii "$page" | sed 's/.\x08//g' >shown
		sed -n -e 's/\\&//g' -e 's/^\.Ss //p' -e 's/^\.Sh //p' "$page" >written
		[ -s written ]
		while read -r heading; do
			grep -q "^ *$heading\$" shown || { echo "${page##*/}: $heading"; bad=1; }
		done <written
	done
	[ -z "${bad:-}" ]
}

@test "mandoc finds nothing to say of any page" {
	need mandoc
	for page in "$MAN"/*.[1-9]; do
		mandoc -T lint -W warning "$page" || bad=1
	done
	[ -z "${bad:-}" ]
}

@test "taf(7) lists the commands that there are" {
	sed -n '/^\.Ss Tools/,/^\.S[sh] /s/^\.It Xr \([a-z0-9]*\) 1$/\1/p' "$MAN/taf.7" >listed
	[ -s listed ]
	LC_ALL=C sort -c listed
	for page in "$MAN"/*.1; do
		page=${page##*/}
		echo "${page%.1}"
	done | LC_ALL=C sort >there
	diff there listed
}

@test "a page that is referred to exists" {
	for page in "$MAN"/*.[1-9]; do
		# those of commands to come may be named before they are there
		sed -n 's/^\.Xr \([a-z0-9-]*\) \([357]\).*/\1.\2/p' "$page" |
			grep -E '^(taf|libtaf|rsfstream)' || true
	done | sort -u >named
	[ -s named ]
	while read -r page; do
		[ -f "$MAN/$page" ] || { echo "no $page"; bad=1; }
	done <named
	[ -z "${bad:-}" ]
}

@test "the examples of every page run" {
	n=0
	# another machine that has the same files
	mkdir stub
	printf '#!/bin/sh\nshift\nexec sh -c "$*"\n' >stub/ssh
	chmod +x stub/ssh
	PATH=$PWD/stub:$PATH
	for page in "$MAN"/*.1 "$MAN/taf.7" "$MAN/taf-spread.7"; do
		c=${page##*/}
		c=${c%.[17]}
		# with the files of the command
		c=${c/-/}
		[ "$c" = taf ] || [ -x "$TAF_BIN/$c" ] || continue
		examples "$page" >script
		if [ ! -s script ]; then
			echo "$c: no example"
			bad=1
			continue
		fi
		grep -q "$c" script || { echo "$c: its examples do not use it"; bad=1; }
		rm -rf "run-$c"
		mkdir "run-$c"
		(cd "run-$c" && fixtures) || return 1
		if ! (cd "run-$c" && bash -eu -o pipefail ../script >../log 2>&1 </dev/null); then
			# a format whose library is not there
			! grep -q 'this program was built without' log || continue
			echo "$c: an example failed:"
			cat script log
			bad=1
		fi
		n=$((n + 1))
		[ -n "${bad:-}" ] || passed="${passed:-} $c"
	done
	# shellcheck disable=SC2086
	did examples ${passed:-}
	[ "$n" -gt 0 ]
	[ -z "${bad:-}" ]
}

# lines_of_peers: of taf-peers(7), each command of another program, a tab, and ours
lines_of_peers() {
	sed -e 's/\\&//g' -e "s/\\\\(aq/'/g" -e 's/\\(ha/^/g' "$MAN/taf-peers.7" | awk '
	/^\.It / { theirs = substr($0, 5) }
	/^\.Ic / && theirs != "" { print theirs "\t" substr($0, 5); theirs = "" }'
}

# peers.txt is what the other programs gave, see peers.py
@test "the lines of taf-peers(7) run, and give what the other programs gave" {
	perl "$BATS_TEST_DIRNAME/peers.pl"
	lines_of_peers >lines
	[ "$(wc -l <lines)" -gt 100 ]
	while IFS=$'\t' read -r theirs ours; do
		case $ours in cp* | mv* | rm*) continue ;; esac
		bash -eu -o pipefail -c "$ours" >out 2>err </dev/null ||
			{ echo "$theirs: $ours"; cat err; bad=1; continue; }
		if grep -aq data_format out; then
			for ((k = 1; k <= $(tafprobe -k ndim out | wc -l); k++)); do
				tafread -N $k out
			done >values
			printf '%s\t%s\t%s\n' "$theirs" "$(tafprobe -k shape out | paste -s -d ';')" \
				"$(xargs <values)"
		else
			printf '%s\t-\t%s\n' "$theirs" "$(xargs <out)"
		fi
	done <lines >got
	[ -z "${bad:-}" ]
	# lengths of 1 apart; most have computed with floats
	perl -e '
		sub lengths { join ";", map { join ",", grep { $_ != 1 } split /,/ } split /;/, shift }
		my ($expected, $got) = @ARGV;
		my (%of, $bad);
		open my $f, "<", $got or die;
		while (<$f>) { chomp; my ($k, @r) = split /\t/; $of{$k} = \@r }
		open $f, "<", $expected or die;
		while (<$f>) {
			chomp;
			my ($k, $r) = split /\t/;
			my ($n, @want) = split / /, $r;
			my $ours = $of{$k} or do { print "not in the page: $k\n"; $bad = 1; next };
			my @v = split / /, $ours->[1];
			my $same = @v == @want && ($ours->[0] eq "-" || lengths($ours->[0]) eq lengths($n));
			for (0 .. $#want) { $same &&= abs($v[$_] - $want[$_]) <= 2e-6 * (1 + abs $want[$_]) }
			next if $same;
			print "$k\nis $n @want\nours $ours->[0] @v\n";
			$bad = 1;
		}
		die "no result is known\n" if $. < 100;
		exit($bad // 0)' "$BATS_TEST_DIRNAME/peers.txt" got
}

# in a folder with what the build and the demo leave; tests/bare.sh runs all of it
@test "the lines of the README run, in their order" {
	sed -n 's/^    //p' "$MAN/../README.md" >script
	equal "$(head -n 1 script | cut -d '#' -f 1 | xargs)" './configure --deps && make demo'
	equal "$(grep -c '^\./configure --deps && make [a-z]* *\(#.*\)\{0,1\}$' script)" 2
	sed -i '/^\.\/configure/d' script
	mkdir fresh
	ln -s "$TAF_BIN" fresh/bin
	cd fresh
	sh "$BATS_TEST_DIRNAME/demo.sh" demo >../log
	sh -eu ../script >>../log
	tail -n 4 ../log
	cd demo
	equal "$(tafread -c pulse.taf | awk 'END { printf "%.3f %d", $1, NR }')" '200.000 250'
	equal "$(tafread -c ten.taf | tail -n 1)" '4.5 1 10'
	equal "$(tafcomment ten.taf)" 'my first file'
	equal "$(tafread -x 1=2 -x 2=1 -x 3=3 frames.taf)" \
		"$(od -A n -t u1 -j 1048578 -N 2 camera.raw | awk '{ print $1 * 256 + $2 }')"
}

@test "the example of libtaf(3) compiles and reads one element" {
	[ -d "${TAF_BUILD:-/nowhere}" ] || skip "TAF_BUILD names no folder"
	awk '/^\.Sh/ { inside = $2 == "EXAMPLES" } inside && /^\.Bd -literal/ { block = 1; next }
		/^\.Ed/ { block = 0 } inside && block' "$MAN/libtaf.3" |
		sed -e 's/\\e/\\/g' -e 's/\\&//g' >example.c
	grep -q '#include <taf.h>' example.c
	# as the library was compiled
	configured() { sed -n "s/^$1 *:*= *//p" "$TAF_BUILD/config.mk"; }
	flags=$(configured SANITIZE)
	# shellcheck disable=SC2046,SC2086
	$(configured CC) -std=c11 -Wall -Wextra -Wpedantic -Werror ${flags:+-fsanitize=$flags} \
		$(configured CFLAGS) -I"$BATS_TEST_DIRNAME/../src/lib" $(configured LDFLAGS) \
		-o example example.c "$TAF_BUILD/lib/libtaf.a" -lm -lpthread
	read -ra run <<<"${EMULATOR:-} ./example"
	# element i is (7 i + 3) mod 101; 1-based 5,2 of 11 x 6 is i = 4 + 11
	mktaf a.taf int16 11,6
	equal "$("${run[@]}" a.taf 5 2)" "$(perl -e 'print +(15 * 7 + 3) % 101')"
	status 3 "${run[@]}" helper.bash 1 1 || status 4 "${run[@]}" helper.bash 1 1
	# 2 TiB, of which one page is there
	perl -e '
		open my $f, ">:raw", "huge.taf" or die;
		print $f "TAF \x01\x00\x00\n", " " x 1016, pack("a8", "flt64");
		print $f pack("Q<2", 0x7ff0000000000000, 0x7ff0000000000000), pack("Q<", 2);
		print $f pack("Q<d<d<", 1 << 19, 0, 1) x 2;
		seek $f, 1104 + 8 * ((300000 - 1) + (400000 - 1) * (1 << 19)), 0;
		print $f pack("d<", 2.5);
		truncate $f, 1104 + (8 << 38) or exit 9;' || skip "no sparse files of 2 TiB here"
	equal "$("${run[@]}" huge.taf 300000 400000)" 2.5
	equal "$("${run[@]}" huge.taf 300001 400000)" 0
}

# offered COMMAND OPTION: the words that bash completes behind an option
offered() {
	source <(sh "$TAF_SRC/tools/completions.sh" "$(command -v "$1")")
	COMP_WORDS=("$1" "$2" '') COMP_CWORD=2
	"_$1"
	echo "${COMPREPLY[*]}"
}

@test "completions: the words of an option, without what stands for a number" {
	equal "$(offered tafsmooth --edge)" "reflect shrink zero nan"
	equal "$(offered taffft --window)" "boxcar hann hamming blackman gauss"
	equal "$(offered taffft --pad)" "fast pow2"
	equal "$(offered taffft --phase-origin)" grid
	equal "$(offered tafregrid --outside)" "nan edge error"
	equal "$(offered tafpeaks --edges)" "rising falling level="
	equal "$(offered tafcast -t | wc -w)" 10
	# the synopsis has this one, too, in front of a list
	equal "$(offered tafsmooth --polynomial)" ""
}

@test "a word that is not in the list of an option" {
	for line in "tafsmooth --edge|reflect, shrink, zero or nan" \
	    "taffft --phase-origin|grid" "tafcrop -F|taf or rsf" \
	    "tafpad --with|a number, edge, reflect or wrap" \
	    "tafregrid --outside|a number, nan, edge or error"; do
		words=${line%|*}
		run -2 --separate-stderr $words nowhere </dev/null
		equal "${stderr_lines[0]}" "${words% *}: ${words#* } nowhere: not ${line#*|}"
	done
	# the beginning of a word is none
	tafmath -n 9 i1 -o nine.taf
	refuse 2 tafsmooth --mean 3 --edge ref nine.taf
}
