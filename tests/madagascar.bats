# SPDX-License-Identifier: ISC
# What has been through a program of Madagascar is read with the right values, or refused.
# Right is what that program makes of taf2rsf's output.  Where Madagascar is installed its
# own programs run, else what stands in for them in madagascar/.

load helper

# the arrays of the tests; m-: under a mapping
plain='int8 uint8 int16 int32 int64 flt32 flt64'
unsigned='uint16 uint32 uint64'
mapped='m-int16 m-uint16 m-int32 m-flt32 m-flt64'

movers() {
	cat <<-'END'
		sfwindow f1=1 n1=2
		sftransp plane=12
		sfput title=new d1=2
		sfreverse which=1
		sfrotate rot1=1
		sfcp
		sfmv
		sfspray axis=3 n=2
		sfheaderwindow mask=mask.rsf
		sfheadersort head=head.rsf
	END
}

others() {
	cat <<-'END'
		sfscale dscale=2
		sfadd scale=2
		sfmath output=input+1
		sfdd type=float
		sfdd type=int
		sfcat axis=2 @
		sfstack axis=2 norm=n
		sffft1
		sfpad n1=6
		sfclip clip=20
		sfinterleave axis=2 @
		sfsmooth rect1=2
	END
}

# one IN OUT HOW PROGRAM ARGUMENT...: by Madagascar's own
one() {
	local in=$1 out=$2 how=$3
	shift 3
	case $how:$1 in
	*:sfcp | *:sfmv)
		cp "$in" copy.rsf
		"$1" copy.rsf "$out"
		;;
	split:*) "$@" <"$in" >"$out" ;;
	*) "$@" <"$in" | cat >"$out" ;;
	esac || true
}

# run_all <LINES: as above
run_all() {
	local in out how words
	if [ "$real" = no ]; then
		"$BATS_TEST_DIRNAME/madagascar/bin/sf" 2>>programs.err
		return
	fi
	while read -r in out how words; do
		# shellcheck disable=SC2086 # words are several
		one "$in" "$out" "$how" $words 2>>programs.err
	done
}

# reader FILE: by one command after the other, its values, as float64, to got
reader() {
	local st=0
	case $((turn++ % 6)) in
	0 | 1) tafread -b "$1" >got || st=$? ;;
	2) tafcrop -q "$1" -o crop.taf && tafread -b crop.taf >got || st=$? ;;
	3) rsf2taf "$1" -o from.taf && tafread -b from.taf >got || st=$? ;;
	4) cat "$1" | tafread -b >got || st=$? ;;
	5) { [[ $1 = complex* ]] || tafsummarize "$1" >/dev/null; } && tafprobe "$1" >/dev/null &&
		taf2npy -q "$1" >/dev/null && tafread -b "$1" >got || st=$? ;;
	esac
	return $st
}

# arrays NAME...: NAME.in as tafcrop sends it, NAME.values as taf2rsf does
arrays() {
	local name type scale
	for name; do
		type=${name#m-}
		case $type in
		uint16) scale=650 ;;
		uint32) scale=33554432 ;;
		uint64) scale=144115188075855872 ;;
		*) scale=1 ;;
		esac
		mktaf a.taf "$type" 4,3 "$scale"
		[ "$name" = "$type" ] ||
			perl -e 'open F, "+<", "a.taf"; seek F, 1032, 0; print F pack "d<2", 10, 0.5'
		tafcrop a.taf >"$name.in"
		taf2rsf -q a.taf >"$name.values"
	done
}

setup_streams() {
	if command -v sfspike >/dev/null; then real=yes; else real=no; fi
	turn=0
	rsf_line() { printf '%b in="stdin"\n\n\f\f\004' "$1"; }
	{ rsf_line 'n1=3 data_format="native_int" esize=4'; perl -e 'print pack "l$ENV{ORDER}*", 1, 0, 1'; } >mask.rsf
	{ rsf_line 'n1=1 n2=3 data_format="native_float" esize=4'; perl -e 'print pack "f$ENV{ORDER}*", 2, 3, 1'; } >head.rsf
	# shellcheck disable=SC2086 # lists
	arrays $plain $unsigned $mapped
	{ rsf_line 'n1=4 n2=3 data_format="native_complex" esize=8'; perl -e 'print pack "f$ENV{ORDER}*", 1 .. 24'; } >c.rsf
	tafcrop c.rsf >complex.in
	taf2rsf c.rsf >complex.values
}

# streams: each array through each of the programs on standard input, to TYPE.K.HOW, and what
# comes of its values to TYPE.K.want
streams() {
	local k=0 words name
	while read -r words; do
		k=$((k + 1))
		for name in $plain $unsigned $mapped complex; do
			for how in packed split; do
				echo "$name.in $name.$k.$how $how ${words//@/$name.in}"
			done
			echo "$name.values $name.$k.value packed ${words//@/$name.values}"
		done
	done >lines
	run_all <lines
	awk '{ print $2, $4 }' lines >names
}

# right FILE EXPECTED: it is read as EXPECTED says, 0 or 3.  A program that has refused its input
# leaves a stream that is none, and Madagascar's own refuse more than what stands in for them.
right() {
	local st=0 want=${1%.*}.value
	[ "$real" = no ] || [ -e "$1" ] || return 0
	reader "$1" 2>err || st=$?
	if [ "$st" = 3 ] && { [ ! -s "$1" ] || [ "$real" = yes ]; }; then
		return 0
	fi
	[ "$st" = "$2" ] || { echo "$1: status $st, not $2: $(cat err)"; return 1; }
	[ "$st" = 0 ] || return 0
	tafread -b "$want" >want && cmp -s want got ||
		{ echo "$1: $(unpack 'd*' got | xargs), not $(unpack 'd*' want | xargs)"; return 1; }
	checked=$((checked + 1))
}

@test "programs that move elements: everything is believed" {
	setup_streams
	movers | streams
	checked=0
	while read -r file program; do
		case $file in *.value) continue ;; esac
		right "$file" 0 || { echo "of $program"; head -c 900 "$file" | LC_ALL=C sed '/^\f/,$d'; false; }
	done <names
	[ "$checked" -ge "$([ "$real" = yes ] && echo 100 || echo 300)" ]
}

@test "other programs: refused where there is a mapping or what they take for signed" {
	setup_streams
	others | streams
	checked=0
	while read -r file program; do
		case $file in
		*.value) continue ;;
		m-* | uint16* | uint32* | uint64*)
			right "$file" 3
			[ ! -s "$file" ] || grep -q "$program has taken .*put taf2rsf before it" err ||
				{ [ "$real" = yes ] && [ "$(wc -l <err)" -eq 1 ]; }
			;;
		*) right "$file" 0 ;;
		esac || { echo "of $program"; cat err; false; }
	done <names
	[ "$checked" -ge "$([ "$real" = yes ] && echo 20 || echo 100)" ]
}

@test "several arrays: of those behind the first none is lost in silence" {
	setup_streams
	mktaf a.taf flt32 4,3
	taf2rsf -q a.taf a.taf >two.in
	for how in packed split; do
		echo "two.in two.$how $how sfscale dscale=2"
		echo "two.in moved.$how $how sfwindow f1=1 n1=2"
	done >lines
	run_all <lines
	for f in two.packed two.split moved.packed moved.split; do
		refuse 3 tafprobe "$f" || [ "$(wc -l <err)" -eq 1 ]
		grep -q 'array 2 was announced' err
		refuse 3 tafcrop "$f" -o x.taf
	done
}

@test "a type code goes with its shape" {
	setup_streams
	mktaf a.taf uint8 4,3,3
	taftype --set 3 a.taf -o b.taf
	tafcrop b.taf >code.in
	printf '%s\n' 'code.in kept packed sfput title=x' 'code.in more packed sfspray axis=4 n=2' |
		run_all
	equal "$(tafprobe -k code kept) $(tafprobe -k code more)" "3 0"
	rsf2taf more -o c.taf
	tafcheck c.taf
}
