# SPDX-License-Identifier: ISC
# The commands, for the tests that all of them take: what each reads and writes.
# shellcheck disable=SC2034 # each leaves flags and args to the function it calls

# One line a command: name, kind, flags, arguments.  The kind says what it reads and writes:
#
#	stream	arrays (TAF or RSF) to arrays: a file, or standard input
#	print	arrays to anything else
#	FORMAT	that format to arrays; fixture_FORMAT FILE makes a file of it
#	tool	none of these; it takes files by name and has tests of its own
#
# The input of the first two is in.taf, of 23 x 6 int16 with a comment; arguments come before
# its name.  Flags, "-" for none:
#
#	one	makes one array of several, or takes one alone
#	named	reads files by name only: no standard input
#	first	the name of its input stands before the arguments
#	word	the first argument is an operand that is no file
#	counts	what comes out is no sum of what goes in
#	rounds	what comes out is rounded to its type
#	lax	a part of its input may be a whole input, or none (text, bytes)
table() {
	cat <<'END'
daf2taf		tool	first	x
dafls		tool	-
dig2taf		seed	-
fits2taf	seed	-
gta2taf		gta	-
hdf2taf		tool	first	x
keysight2taf	seed	-
lecroy2taf	seed	-
mat2taf		seed	one,lax
npy2taf		npy	-
nrrd2taf	seed	-
pgm2taf		pgm	-
rsf2taf		stream	-
segy2taf	segy	one
sigmf2taf	tool	named	x
taf		tool	-	probe
taf2daf		tool	first	x
taf2gta		print	-
taf2hdf		tool	-	new.h5 x
taf2npy		print	one
taf2pgm		print	-
taf2raw		print	-
taf2rsf		stream	-
taf2segy	print	one	--revision 2
taf2sigmf	tool	-	-o x
taf2ten		print	-
taf2wav		tool	-
taf2zarr	tool	-	new.zarr x
tafadjust	stream	-	--shift 1=2
tafappend	stream	one
tafbackup	tool	-
tafcast		stream	-	-t flt64
tafcat		stream	-
tafcheck	tool	-
tafchecksum	print	-
tafcomment	print	-
tafcompare	tool	-	in.taf
tafconvert	tool	-
tafcorrelate	tool	-	in.taf
tafcreate	raw	lax	-n 66, -t int16
tafcrop		stream	-	-x 1=2:4
tafdifferentiate	stream	counts	--raw
tafexport	print	one
taffft		stream	counts,rounds
taffill		stream	-	-x 1=2:4 --nan linear
taffilter	stream	counts,rounds	--high 0.9 --causal
tafhilbert	stream	counts,rounds
tafhist		stream	counts	--width 10
tafintegrate	stream	counts	--rule sum
tafinterleave	stream	-
tafmap		print	one,named
tafmath		stream	word	a-0
tafpad		stream	-	--by 1=1:2
tafpeaks	stream	counts	--count 2
tafpermute	stream	-	-d 2,1
tafplot		print	one	--script
tafprobe	print	-
tafput		stream	-	key=value
tafread		print	one
tafreduce	stream	word	max -d 2
tafregrid	stream	counts	--factor 1=1
tafrepeat	stream	-	--times 1=2
tafreplace	tool	-	-i --all --value 1
tafreshape	stream	-	--insert 2
tafreverse	stream	-	-d 1
tafroll		stream	-	--by 1=3
tafselect	stream	-	-d 1 --list 2:5
tafsmooth	stream	-	--median 3
tafsort		stream	-
tafspectrogram	stream	counts,rounds	--points 3
tafsplit	stream	-	-d 1 --every 1000000
tafspread	tool	first	-o out.taf cat
tafsummarize	print	-
taftone		stream	counts	--points 20 --noise 1
taftranspose	stream	-
taftype		print	-
tafwatch	tool	named	--idle 50ms
tek2taf		seed	-
ten2taf		ten	-
txt2taf		text	lax
wav2taf		seed	-
zarr2taf	tool	first	x
END
}

fixture_taf() {
	mktaf "$1" int16 23,6
	printf 'first line\nsecond line\n' >>"$1"
}

fixture_raw() {
	perl -e 'print pack "s<*", map { $_ * 7 % 101 } 1 .. 66 * 4' >"$1"
}

fixture_text() {
	seq 1 24 | awk '{ print $1, $1 * $1, $1 / 8 }' >"$1"
}

fixture_npy() {
	perl -e '
		my $h = "{\x27descr\x27: \x27<i4\x27, \x27fortran_order\x27: True, \x27shape\x27: (11, 6), }";
		$h .= " " x (117 - length $h) . "\n";
		print "\x93NUMPY\x01\x00", pack("S<", length $h), $h, pack "l<*", 1 .. 66' >"$1"
}

fixture_segy() {
	perl -e '
		print pack("A3200", "C 1 made by hand"), pack("x16nx2nx2nx274nx98", 4000, 11, 2, 256);
		print pack("N2x106n2x122l>*", $_, $_, 11, 4000, map { $_ * 7 % 101 - 50 } 1 .. 11) for 1 .. 6' >"$1"
}

fixture_pgm() {
	perl -e 'print "P5 11 6 65535\n", pack "n*", map { $_ * 7 % 101 * 600 } 1 .. 66' >"$1"
}

# by the command that goes the other way, which has its own tests against other software
fixture_gta() {
	fixture_taf "$1.taf"
	taf2gta -q "$1.taf" -o "$1"
}

fixture_ten() {
	fixture_taf "$1.taf"
	taf2ten -q "$1.taf" -o "$1"
}

# the first of the fuzzer's seeds that is sound; those that it found have a digest for a name
fixture_seed() {
	local f name
	for f in "$BATS_TEST_DIRNAME/fuzz/corpus/"{"${cmd%2taf}"*,*}/*; do
		name=${f##*/}
		[ ${#name} -lt 40 ] || continue
		if "$cmd" "$f" >/dev/null 2>&1 </dev/null; then
			cp "$f" "$1"
			return 0
		fi
	done
	return 1
}

# find_input: its name in $in; it is made if it is not there
find_input() {
	case $kind in
	stream | print | tool)
		in=$T/in.taf
		[ -e "$in" ] || fixture_taf "$in"
		;;
	*)
		in=$T/in.$cmd
		[ -e "$in" ] || "fixture_$kind" "$in"
		;;
	esac
}

# each KINDS FUNCTION: call it for every command there is of these kinds (a pattern, as
# "stream|print"), with $cmd, $kind, $flags, the array $args, and the name of an input in $in.
# It sets applies=no where there is nothing to test. With TAF_THIRD in the environment a test has
# every third command, and the next test others: for builds that are slow to start
each() {
	local function=$2 words passed=() turn=$(((BATS_TEST_NUMBER + ${TAF_TURN-0}) % 3))
	bad=
	done=0
	while read -r cmd kind flags words; do
		[ -x "$TAF_BIN/$cmd" ] || continue
		case "|$1|" in
		*"|$kind|"*) ;;
		*"|from|"*) case $kind in stream | print | tool) continue ;; esac ;;
		*"|all|"*) ;;
		*) continue ;;
		esac
		turn=$(((turn + 1) % 3))
		[ -z "${TAF_THIRD-}" ] || [ "$turn" = 0 ] || continue
		read -ra args <<<"$words"
		find_input || continue
		applies=yes
		"$function" || { applies=no; echo "$cmd: $function"; bad=1; }
		[ "$applies" = no ] || passed+=("$cmd")
		done=$((done + 1))
	done < <(table)
	[ "$done" -gt 0 ] || skip "no such command yet"
	did "$function" "${passed[@]}"
	[ -z "$bad" ]
}

# share ITEM...: those that this command tries, in $share: a third, the next command has others.
# They meet the same code of the library in each; tafprobe tries all
share() {
	local i=$(((done + ${TAF_TURN-0}) % 3))
	share=("$@")
	[ "$cmd" != tafprobe ] || return 0
	share=()
	for ((i++; i <= $#; i += 3)); do share+=("${!i}"); done
}

# takes OPTION: does the command have it?  It is asked once in a test
takes() {
	local of=help_$cmd
	[ -n "${!of-}" ] || printf -v "$of" '%s' "$("$cmd" -h)"
	[[ ${!of} == *$'\n'"  $1,"* ]]
}

# to_file: does the command have -o?
to_file() {
	takes -o
}

# call ARGUMENT...: with an output that is a pipe, and its end taken
call() {
	(set -o pipefail && "$cmd" -q "${args[@]}" "$@" | cat)
}
