# SPDX-License-Identifier: ISC
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

@test "taf(1) lists the commands that there are, by their groups" {
	sed -n '/^\.Sh COMMANDS/,/^\.Sh EXIT/s/^\.It Xr \([a-z0-9]*\) 1$/\1/p' "$MAN/taf.1" >listed
	[ -s listed ]
	for page in "$MAN"/*.1; do
		page=${page##*/}
		[ "$page" = taf.1 ] || echo "${page%.1}"
	done | LC_ALL=C sort >there
	LC_ALL=C sort listed | diff there -
	# and so does taf list
	taf list | sed -n 's/^  \([a-z0-9]*\) .*/\1/p' | diff listed -
}

# the lines that apropos looks at
@test "the pages are found by the words that people look for" {
	local word page
	while read -r word page; do
		sed -n 's/^\.Nd //p' "$MAN/$page".[1-9] | grep -iqw "$word" ||
			{ echo "$page: no $word"; bad=1; }
	done <<-'END'
		average tafreduce
		average tafsummarize
		average tafsmooth
		statistics tafreduce
		statistics tafsummarize
		median tafreduce
		csv txt2taf
		csv tafexport
		fft taffft
		fourier taffft
		oscilloscopes lecroy2taf
		oscilloscopes tek2taf
		oscilloscopes keysight2taf
		oscilloscopes tafconvert
		digitizers tafconvert
		histogram tafhist
		images taf2pgm
		images pgm2taf
		images tafplot
		plots tafplot
		numpy npy2taf
		numpy taf2npy
		interpolate tafregrid
		resample tafregrid
		spectrograms tafspectrogram
		envelope tafhilbert
		arithmetic tafmath
		metadata tafput
		concatenate tafappend
		parallel tafspread
		velocity taf-velocity
	END
	[ -z "${bad:-}" ]
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
		[ -x "$TAF_BIN/$c" ] || continue
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
	seismic 24 1 >shot.sgy
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

@test "the jobs of taf-peers(7) on SEG-Y give what numpy finds in the file" {
	need numpy
	seismic 24 1 >shot.sgy
	lines_of_peers | grep -F shot | cut -f 2 >lines
	while IFS= read -r line; do
		bash -eu -o pipefail -c "$line" >out 2>err </dev/null || { cat err; return 1; }
		if [ -s out ]; then taf2raw -t flt64 out; fi
	done <lines >got
	"$PYTHON" - <<'EOF'
import numpy as np
b = open('shot.sgy', 'rb').read()[3600:]
t = np.frombuffer(b, np.dtype([('', 'V20'), ('cdp', '>i4'), ('', 'V12'), ('offset', '>i4'), ('', 'V200'), ('a', '>f4', 100)]))
a, cdp, offset = (t[k].astype('f8') for k in ('a', 'cdp', 'offset'))
order = np.lexsort((offset, cdp))
late = .002 * np.arange(100) >= abs(offset[:, None]) / 2500
want = [a[abs(offset) <= 100], a[order], np.array([cdp, offset]).T[order], a * late,
    [a[cdp == k].mean(0) for k in sorted(set(cdp))], a[8:12].mean(0), offset + 5]
want = np.concatenate([np.ravel(w) for w in want])
got = np.fromfile('got')
assert got.shape == want.shape and np.allclose(got, want, 1e-6, 1e-7), (got.shape, want.shape)
assert 5 < (abs(offset) <= 100).sum() < 20 and 0 < late.sum() < late.size
EOF
	# only the words that were asked for are new
	cmp -l shot.sgy moved.sgy | "$PYTHON" -c '
import sys
assert {(int(l.split()[0]) - 3601) % 640 for l in sys.stdin} <= {36, 37, 38, 39}'
	[ -s shot.png ]
	[ -s wiggles.svg ]
}

# recipes: what the blocks of taf-velocity(7) print now, beside them.  "$ " begins a command, four
# blanks go on with it
recipes() {
	sed -e '/^\.Bd -literal/,/^\.Ed/!d' -e '/^\.[BE]d/d' -e 's/\\e/\\/g' -e 's/\\&//g' \
		"$MAN/taf-velocity.7" >written
	awk '
	function quoted(s) { gsub(/\047/, "\047\\\047\047", s); return "\047" s "\047" }
	function run() {
		if (command != "")
			printf "printf \"$ %%s\\n\" %s\n{ %s\n} 2>&1\n", quoted(command), command
		command = ""
	}
	/^\$ / { run(); command = substr($0, 3); next }
	/^    / { command = command "\n" $0; next }
	END { run() }' written >script
	mkdir recipes
	(cd recipes && bash -eu -o pipefail ../script) >now
}

# Beside each number stands another one of it, and how far they may be apart.  numpy gave those of
# the formulas of taftone(1), with three deviations of what is random, and the highest bin of each
# block.  ALPSS has published those of the spall, but for the peak stress
@test "the recipes of taf-velocity(7) print what stands there, and others find the same" {
	recipes
	diff written now
	grep -v '^\$ \|^    ' now | tr -d , | xargs -n 1 >got
	sed 's/ *#.*//' >want <<-'END'
		499.97		2.2	# velocity: the last block
		0.711		0.2
		2e9		8400	# the frequency at rest
		2798		600
		9e-12		1e-13	# noise
		2.6451e9	2.2e7
		7.22e6		1.3e6
		232		5	# region
		0		0
		13.2		1e-9	# two channels
		0.8944		5e-4
		0.711		0.2	# spread of windows
		196.38		2.1
		0.17		0.15
		-99.98		0.6	# three phases
		0.193		0.06
		3.183e-5	3e-8
		5		0.1	# at each point
		0.526		0.05
		1.554		0.2
		1.95e-8		2e-12	# rise
		2e-8		2e-12
		2.05e-8		2e-12
		6.30075e-7	1e-15	# spall
		828.0849443007512	1e-9
		6.4765e-7	1e-15
		-464.46467142515036	1e-9
		1427973173.609772	0.1
		10692214.866814513	0.1
		3251972384.76348	0.1
		23643631.941		0.1
		2278592.4760455955	4
		537339.14		1
		886.954		1e-3	# impedance match
		4.14735e9	1e4
	END
	equal "$(wc -l <got)" "$(wc -l <want)"
	paste want got | perl -ane 'abs($F[2] - $F[0]) <= $F[1] or print "line $.: $_" and $bad = 1;
		END { exit($bad // 0) }'
}

# the commands of the page, with other files
@test "taf-velocity(7) joins channels of which one has no tone" {
	recipes
	tafmath -n 1 -t flt64 nan -o none.taf
	for k in 13 14; do tafmath -n 1 -t flt64 $k -o $k.taf; done
	for k in 1 2; do tafmath -n 1 -t flt64 $k -o $k.taf; done
	sed -n '/^\$ tafmath .p = isnan/,/tafread/p' written | sed 's/^\$ //' >joined
	sed 's/13.taf 1.taf/none.taf none.taf/' joined | bash -eu >got
	sed 's/14.taf 2.taf/none.taf none.taf/' joined | bash -eu >>got
	sed 's/1[34].taf [12].taf/none.taf none.taf/g' joined | bash -eu >>got
	equal "$(echo $(cat got))" '14 2.000 13 1.000 nan inf'
}

# in a folder with what the build and the demo leave; tests/bare.sh runs all lines of it.  Where
# something else is printed now, tests/tour.sh tells how the section should be
@test "the tour of the README runs, and prints what stands there" {
	need gnuplot
	sed -n 's/^    \$ //p' "$MAN/../README.md" >lines
	equal "$(head -n 2 lines)" "$(printf './configure --deps && make %s\n' demo check)"
	sh "$BATS_TEST_DIRNAME/demo.sh" demo >log
	# what the picture was made with
	grep -qxF "    $(sed -n "s/^\t*run '\(.*pulse.svg\)'$/\1/p" "$BATS_TEST_DIRNAME/demo.sh")" \
		"$MAN/../README.md"
	sh "$BATS_TEST_DIRNAME/tour.sh" "$MAN/../README.md" >now
	[ "$(grep -c '^    \$ ' now)" -gt 10 ]
	sed -n '/^## A first tour/,/^## /p' "$MAN/../README.md" | sed '$d' >written
	diff written now
	equal "$(tafcomment demo/ten.taf)" 'my first file'
}

@test "make help lists targets that there are" {
	need make
	make -f "$TAF_SRC/Makefile" help >listed
	[ "$(wc -l <listed)" -gt 10 ]
	while read -r _ target _; do
		grep -qE "^([a-z -]* )?$target( [a-z -]*)?:" "$TAF_SRC/Makefile" || { echo "$target"; bad=1; }
	done <listed
	[ -z "${bad:-}" ]
}

@test "the README names the libraries that commands are linked with" {
	local lib
	for lib in $(sed -n "s/^libs_known='\(.*\)'/\1/p" "$TAF_SRC/configure"); do
		sed -n "s/^| $lib |[^|]*| \(.*\) |$/\1/p" "$MAN/../README.md" | tr -d '`,' | xargs -n 1 | sort >named
		grep -l "^/\* link:.* $lib " "$TAF_SRC"/src/cmd/*.c "$TAF_SRC/src/fetch/main.c" |
			sed 's|.*/fetch/main|taf-fetch|; s|.*/||; s|\.c$||' | sort >linked
		diff named linked
		[ -s named ]
	done
}

@test "libtaf(3) has the prototypes of the public headers" {
	mkdir -p copy/man copy/src
	cp "$MAN/libtaf.3" copy/man
	cp -r "$TAF_SRC/src/lib" copy/src
	sh "$TAF_SRC/tools/list-prototypes.sh" copy
	diff "$MAN/libtaf.3" copy/man/libtaf.3
	grep -qx '.Fo taf_reader_open' copy/man/libtaf.3
	equal "$(sed -n 's/^\.Fo //p' copy/man/libtaf.3 | sort)" "$(grep -o 'Fn taf_[a-z0-9_]*' copy/man/libtaf.3 |
		sed 's/Fn //' | sort -u)"
}

# compiled NAME K: example K of libtaf(3), as the library was compiled
compiled() {
	[ -d "${TAF_BUILD:-/nowhere}" ] || skip "TAF_BUILD names no folder"
	awk -v k="$2" '/^\.Sh/ { inside = $2 == "EXAMPLES" } inside && /^\.Bd -literal/ { n++; block = 1; next }
		/^\.Ed/ { block = 0 } inside && block && n == k' "$MAN/libtaf.3" |
		sed -e 's/\\e/\\/g' -e 's/\\&//g' >"$1.c"
	grep -q '#include <taf.h>' "$1.c"
	configured() { sed -n "s/^$1 *:*= *//p" "$TAF_BUILD/config.mk"; }
	flags=$(configured SANITIZE)
	# shellcheck disable=SC2046,SC2086
	$(configured CC) -std=c11 -Wall -Wextra -Wpedantic -Werror ${flags:+-fsanitize=$flags} \
		$(configured CFLAGS) -I"$BATS_TEST_DIRNAME/../src/lib" $(configured LDFLAGS) \
		-o "$1" "$1.c" "$TAF_BUILD/lib/libtaf.a" -lm -lpthread
}

@test "the writer of libtaf(3) compiles and writes an array" {
	compiled tone 2
	read -ra run <<<"${EMULATOR:-} ./tone"
	"${run[@]}" 1000 tone.taf
	tafcheck tone.taf
	equal "$(tafprobe -k type,shape,unit1 tone.taf | xargs)" "flt64 1000 s"
	tafmath -n 1000 -a 1=0:1e-6 -t flt64 'sin(2000*pi*x1)' -o want.taf
	tafcompare --absolute 1e-12 tone.taf want.taf
	status 4 "${run[@]}" 10 no/such/folder/tone.taf
	[ ! -e no ]
	status 2 "${run[@]}" 0 none.taf
}

@test "the filter of libtaf(3) compiles and limits values" {
	compiled limit 3
	read -ra run <<<"${EMULATOR:-} ./limit"
	mktaf a.taf int16 300,70
	tafadjust --slope 0.5 a.taf -o m.taf
	tafcat a.taf m.taf | "${run[@]}" 20 | tafread >got
	tafcat a.taf m.taf | tafmath -t flt64 'min(a, 20)' | tafread >want
	same want got
	[ "$(wc -l <got)" = 42000 ]
	tafcat a.taf m.taf | head -c 60000 >cut
	status 3 "${run[@]}" 20 <cut >got
}

@test "the example of libtaf(3) compiles and reads one element" {
	compiled element 1
	read -ra run <<<"${EMULATOR:-} ./element"
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

@test "completions: taf has the commands, then what they have" {
	mkdir scripts
	for c in taf tafcrop tafsmooth; do
		sh "$TAF_SRC/tools/completions.sh" "$(command -v $c)" >scripts/$c
	done
	. scripts/taf
	offer() {
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_taf
		echo "${COMPREPLY[*]}"
	}
	equal "$(offer taf cr)" "create crop"
	equal "$(offer taf lecroy)" lecroy2taf
	equal "$(offer taf crop --sq)" --squeeze
	equal "$(offer taf -v tafsmooth --edge '')" "reflect shrink zero nan"
	equal "$(offer taf no-such-command --sq)" ""
}

@test "completions of zsh and fish are scripts of theirs, with the same options" {
	# with a value that may be left out, a list of words, a long line
	for c in taf taf2rsf tafsmooth tafspectrogram; do
		"$c" -h | sed -n 's/^  \(   \|-.,\) --\([a-z-]*\).*/\2/p' | sort >options
		sh "$TAF_SRC/tools/completions.sh" --zsh "$TAF_BIN/$c" >_$c
		equal "$(sed -n "s/^\t'\*'{-.+\{0,1\},\(--[a-z-]*\).*/\1/p; s/^\t'\*\(--[a-z-]*\).*/\1/p" _$c |
			sed 's/^--//' | sort)" "$(<options)" || { echo "zsh: $c"; return 1; }
		sh "$TAF_SRC/tools/completions.sh" --fish "$TAF_BIN/$c" >$c.fish
		equal "$(sed -n 's/^complete.* -l \([a-z-]*\) .*/\1/p' $c.fish | sort)" "$(<options)" ||
			{ echo "fish: $c"; return 1; }
	done
	need zsh fish
	for c in _*; do
		zsh -n "$c"
	done
	# one start for all: it is slow
	cat ./*.fish >all
	fish -n all
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
