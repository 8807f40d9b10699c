# SPDX-License-Identifier: ISC
# Madagascar's flows: command lines as its SCons front end makes them (rsfstream(5)), without
# Madagascar.  What stands in for it is in madagascar/.

load helper
load commands

setup() {
	begin
	# Flow() does not quote the paths of programs
	export RSFROOT=$BATS_TEST_TMPDIR.rsf
	ln -s "$BATS_TEST_DIRNAME/madagascar" "$RSFROOT"
	SCALE=$RSFROOT/bin/sfscale
	need python3
	unset DATAPATH TMPDATAPATH
	# one for all lines: it takes longer to start than they take to run
	coproc PROJ { exec python3 "$RSFROOT/rsf/proj.py" 3>&-; }
	# which a subshell has, too
	exec 6<&"${PROJ[0]}" 7>&"${PROJ[1]}"
}

# flow TARGET "SOURCE,..." FLOW [OPTION...]: run the line that Flow() makes, as SCons does
flow() {
	local line
	printf '%s\t%s' "$PWD" "${DATAPATH-./}" >&7
	printf '\t%s' "$@" >&7
	echo >&7
	IFS= read -r line <&6 || return 1
	sh -c "$line" 6<&- 7>&- || { echo "failed: $line"; return 1; }
}

# values FILE: shape and values of all arrays, whatever framing
values() {
	local k
	tafprobe -k shape "$1" || return 1
	for k in $(seq "$(tafprobe -k shape "$1" | wc -l)"); do
		tafread -N "$k" "$1" || return 1
	done
}

# alike A B: the same arrays
alike() {
	tafcompare "$1" "$2"
}

# elements_in FILE: where the header says they are
elements_in() {
	LC_ALL=C sed -n '/^\f/q; s/^[[:blank:]]*in="\(.*\)"$/\1/p' "$1" | tail -n 1
}

ramp() {
	"$SCALE" type=ramp n1=23 n2=6 >"$1"
}

# what is scaled before a command is as if it were scaled behind it
in_a_pipe() {
	local a="${args[*]}"
	case $flags in *counts*) applies=no; return 0 ;; esac
	"$cmd" -q "${args[@]}" a.rsf -o direct.taf || return 1
	"$SCALE" dscale=6 <a.rsf >six.rsf && "$cmd" -q "${args[@]}" six.rsf -o six.taf || return 1
	flow only a "$cmd $a" && alike only.rsf direct.taf || return 1
	flow first a "$cmd $a | scale dscale=6" && alike first.rsf six.taf || return 1
	flow middle a "scale dscale=2 | $cmd $a | scale dscale=3" && alike middle.rsf six.taf ||
		return 1
	flow last a "scale dscale=2 | scale dscale=3 | $cmd $a" && alike last.rsf six.taf || return 1
	# what Madagascar has written into a file, and what we have written for it
	flow split a 'scale dscale=6' && [ "$(elements_in split.rsf)" = ./split.rsf@ ] || return 1
	flow again split "$cmd $a" && alike again.rsf six.taf || return 1
	flow seventh again "taf2rsf | scale dscale=1" && alike seventh.rsf six.taf
}

@test "filters: first, middle and last in a pipe, from a header whose in= is a path" {
	ramp a.rsf
	equal "$(elements_in a.rsf)" ./a.rsf@
	each stream in_a_pipe
}

last_of_all() {
	case $flags in *named*) return 0 ;; esac
	"$cmd" -q "${args[@]}" <six.rsf >want || return 1
	flow t.txt a "scale dscale=6 | $cmd -q ${args[*]}" || return 1
	same want t.txt
	# there Flow() adds --out=
	flow sub/t.txt a "scale dscale=6 | $cmd -q ${args[*]}" || return 1
	same want sub/t.txt && [ ! -e sub/t.txt@ ]
}

@test "commands that print: last in a pipe, into any folder" {
	ramp a.rsf
	mkdir sub
	"$SCALE" dscale=6 <a.rsf | cat >six.rsf
	each print last_of_all
}

first_of_all() {
	"$cmd" -q "${args[@]}" "$in" | taf2rsf -q --clip -t flt32 | cat >want.rsf
	cp "$in" in.bin
	flow t in.bin "$cmd -q ${args[*]} | taf2rsf -q --clip -t flt32 | scale dscale=1" &&
		values want.rsf >want || return 1
	# Madagascar's programs read one array
	values t.rsf >got && head -n "$(wc -l <got)" want | cmp - got || return 1
	[ -s got ] || return 1
	# alone, and into the framing that the name of the target wants
	flow alone in.bin "$cmd -q ${args[*]} -F rsf" && flow alone.taf in.bin "$cmd -q -F rsf -o - ${args[*]} | rsf2taf -N 1" &&
		tafcheck alone.taf && [ "$(head -c 4 alone.rsf)" != 'TAF ' ]
}

@test "converters: first in a pipe, and alone" {
	each from first_of_all
}

below() {
	local a="${args[*]}" source=a from=a.rsf t
	case $kind in stream) ;; *) cp "$in" in.bin; source=in.bin from=in.bin ;; esac
	"$cmd" -q "${args[@]}" <$from | tafcrop -N 1 >want.rsf || return 1
	# one or the other, in turn
	case $((done % 2)) in 0) t=sub/t ;; *) t=deep/er/t ;; esac
	mkdir -p "${t%/*}"
	flow "$t" "$source" "$cmd -q $a | tafcrop -N 1" || return 1
	[ "$(elements_in "$t.rsf")" = "$data$t.rsf@" ] || { elements_in "$t.rsf"; return 1; }
	alike "$t.rsf" want.rsf || return 1
	# SCons sees the header alone: its elements have its name, for scons -c
	[ "$(wc -c <"$data$t.rsf@")" -eq "$(tafprobe -k bytes want.rsf)" ] || return 1
	[ "$kind" != stream ] || { flow "$t" "$source" "$cmd -q $a" && alike "$t.rsf" want.rsf; } ||
		return 1
	rm -rf in.bin sub deep
}

@test "a target in a subfolder: --out= behind the operands, absolute and relative" {
	ramp a.rsf
	data=./
	each 'stream|from' below
	mkdir data
	export DATAPATH=$T/data/
	ramp a.rsf
	data=$T/data/$(pwd | awk -F/ '{ print $(NF - 2) "/" $(NF - 1) "/" $NF }')/
	each stream below
	[ -z "$(ls ./*/t.rsf@ 2>/dev/null)" ]
}

@test "a TAF file as target in a subfolder has its elements in it" {
	ramp a.rsf
	mkdir sub
	for line in rsf2taf 'tafcrop -F taf' 'tafcrop -o $TARGET' 'tafcrop -F taf -o /dev/stdout'; do
		flow sub/t.taf a "$line"
		tafcheck sub/t.taf
		alike sub/t.taf a.rsf
		[ ! -e sub/t.taf@ ]
		rm sub/t.taf
	done
	status 1 flow sub/t.taf a tafcrop
	grep -q 'use -o or -F taf' err
	# in place, where the target is but a mark
	tafcrop a.rsf -o b.taf
	flow sub/done b.taf 'tafadjust -i --shift 1=2 $SOURCE'
	equal "$(tafprobe -k o1 b.taf) $(tafprobe -k o1 a.rsf)" '1.5 -0.5'
	[ ! -s sub/done.rsf ]
	[ ! -e sub/done.rsf@ ]
}

@test "several sources: as operands, with standard input and without" {
	ramp a.rsf
	"$SCALE" dscale=2 <a.rsf >b.rsf
	# shellcheck disable=SC2016
	flow c a,b 'tafappend - ${SOURCES[1]}'
	# shellcheck disable=SC2016
	flow d a,b 'tafappend ${SOURCES[0]} ${SOURCES[1]} | scale dscale=1' stdin=0
	tafappend a.rsf b.rsf -o want.taf
	equal "$(tafprobe -k shape want.taf)" 23,12
	alike c.rsf want.taf
	alike d.rsf want.taf
	# no source at all
	flow e '' 'tafcreate --example 2 | scale dscale=1'
	tafcreate --example 2 -o want.taf
	alike e.rsf want.taf
}

naked() {
	case $flags in *named*) return 0 ;; esac
	"$cmd" -q "${args[@]}" <"$in" | cat >want
	env -i SOURCE_DATE_EPOCH=1000000000 TAF_HISTORY=off "$TAF_BIN/$cmd" -q "${args[@]}" \
		<"$in" 2>err | cat >got
	[ ! -s err ] && same want got || { cat err; return 1; }
	# with a history, of a user without a name
	env -i "$TAF_BIN/$cmd" -q "${args[@]}" <"$in" 2>err | cat >got
	[ ! -s err ] && [ -s got ] || { cat err; return 1; }
	case $kind in
	print | tool) ;;
	*) tafcrop want | values - >1 && tafcrop got | values - >2 && cmp 1 2 ;;
	esac
}

@test "an environment with nothing in it" {
	each 'stream|print|from' naked
}

# as COMMAND...: as a user whom permissions hold
as() {
	if [ "$(id -u)" -eq 0 ]; then
		TMPDIR=/tmp setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		"$@"
	fi
}

read_only() {
	"$cmd" -q "${args[@]}" <"$in" | cat >want
	cp "$in" "$locked/in.file"
	chmod 555 "$locked"
	(cd "$locked" && as "$TAF_BIN/$cmd" -q "${args[@]}" in.file) 2>err | cat >got
	case $flags in
	*named*) ;;
	*) (cd "$locked" && as "$TAF_BIN/$cmd" -q "${args[@]}" <in.file) 2>>err | cat >piped ;;
	esac
	chmod 755 "$locked"
	[ ! -s err ] && [ -s got ] || { cat err; return 1; }
	case $flags in *named*) return 0 ;; esac
	same want piped
}

@test "a folder that cannot be written, for commands that only read" {
	locked=$(mktemp -d /tmp/flows.XXXXXX)
	chmod 755 "$locked"
	mkdir "$locked/x"
	chmod 555 "$locked"
	[ "$(id -u)" -ne 0 ] || need setpriv
	can=$(cd "$locked" && as "$TAF_BIN/tafprobe" -V 2>&1; as touch "$locked/new" 2>/dev/null && echo writable) || true
	chmod 755 "$locked"
	case $can in
	*writable*) rm -rf "$locked"; skip "permissions hold nobody here" ;;
	tafprobe*) ;;
	*) rm -rf "$locked"; skip "another user cannot run $TAF_BIN" ;;
	esac
	if each 'stream|print|from' read_only; then rm -rf "$locked"; else rm -rf "$locked"; false; fi
}

protected_target() {
	ends 4 as "$TAF_BIN/tafcrop" "$open/a.taf" -o "$open/out.taf" &&
		equal "$(cat "$open/out.taf")" before &&
		equal "$(ls -A "$open" | xargs)" "a.taf out.taf"
}

@test "a file that may not be written is no target, though its folder may be" {
	local open
	[ "$(id -u)" -ne 0 ] || need setpriv
	open=$(mktemp -d /tmp/flows.XXXXXX)
	mktaf "$open/a.taf" int16 7,5
	echo before >"$open/out.taf"
	chmod 777 "$open"
	chmod 444 "$open"/*.taf
	if ! as "$TAF_BIN/tafprobe" -q "$open/a.taf" >/dev/null 2>&1; then
		rm -rf "$open"
		skip "another user cannot run $TAF_BIN"
	elif as test -w "$open/out.taf"; then
		rm -rf "$open"
		skip "permissions hold nobody here"
	fi
	if protected_target; then rm -rf "$open"; else rm -rf "$open"; false; fi
}

odd_place() {
	local a="${args[*]}"
	"$cmd" -q "${args[@]}" a.rsf | cat >want.rsf || return 1
	flow 't t' 'a' "$cmd $a | tafcrop | scale dscale=1" && alike 't t.rsf' want.rsf || return 1
	flow 't"t' 'in put' "$cmd $a | tafcrop -F rsf" && alike 't"t.rsf' want.rsf || return 1
	[ "$(grep -a -c '^taftools-' 't"t.rsf')" -eq 2 ] || return 1
	"$SCALE" dscale=1 <'t"t.rsf' >again.rsf && alike again.rsf want.rsf || return 1
	mkdir -p 'su b'
	"$cmd" "${args[@]}" -F rsf <'in put.rsf' >'su b/t.rsf' --out='su b/t n1=7.rsf@' &&
		alike 'su b/t.rsf' want.rsf && "$SCALE" dscale=1 <'su b/t.rsf' >again.rsf &&
		alike again.rsf want.rsf
}

# in one place or another, in turn
some_odd_place() {
	(cd "${places[done % ${#places[@]}]}" && odd_place)
}

@test "folders with blanks, quotes and = in their names" {
	export TAF_HISTORY=on
	places=('a b/a b' 'n1=2 n2=1/n1=2 n2=1' 'with "one/with "one' "it's in=x/it's in=x")
	for place in "${places[@]}"; do
		mkdir -p "$place"
		cd "$place"
		ramp a.rsf
		"$SCALE" dscale=1 <a.rsf >'in put.rsf'
		[[ $place = with* ]] || equal "$(elements_in 'in put.rsf')" './in put.rsf@'
		cd "$T"
	done
	each stream some_odd_place
}
