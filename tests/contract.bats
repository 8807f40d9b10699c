# SPDX-License-Identifier: ISC
# The promises that every command makes, whatever else it does.

load helper
load commands

nothing_left() {
	[ -z "$(ls -A new)" ] || { echo "left behind:"; ls -A new; return 1; }
}

@test "every command is in the table" {
	table | awk '{ print $1 }' >known
	LC_ALL=C sort -c known
	for c in "$TAF_BIN"/*; do
		grep -qx "${c##*/}" known || { echo "not in the table: ${c##*/}"; bad=1; }
	done
	[ -z "${bad:-}" ]
}

has_input() {
	[ -s "$in" ]
}

@test "every command has an input to be tested with" {
	each all has_input
	while read -r cmd kind rest; do
		[ ! -x "$TAF_BIN/$cmd" ] || find_input || { echo "none: $cmd ($kind)"; bad=1; }
	done < <(table)
	[ -z "$bad" ]
}

helps() {
	local option
	for option in -h -V; do
		status 0 "$cmd" "$option" || return 1
		[ -s out ] && [ ! -s err ] || { echo "$option: not on standard output alone"; return 1; }
		mv out "short$option"
		ends 4 "$cmd" "$option" >/dev/full || return 1
		ends 4 "$cmd" "$option" >&- || return 1
	done
	[[ $(<short-h) == "usage: $cmd "* && $(<short-V) == "$cmd "*[0-9].[0-9]* ]] || return 1
	"$cmd" --help | cmp - short-h || return 1
	"$cmd" --version | cmp - short-V
}

@test "-h and -V: status 0, on standard output, checked" {
	each all helps
}

@test "history: a line of words without quote, =, blank and %, and not too long" {
	mktaf a.taf int16 4,3
	TAF_HISTORY=on tafcomment -C '50% = "half"' a.taf | head -n 1 >line
	grep -q "$(printf '\t-C 50%%25%%20%%3D%%20%%22half%%22 a.taf$')" line
	TAF_HISTORY=on tafcomment -C "$(head -c 5000 /dev/zero | tr '\0' y)" a.taf | head -n 1 >line
	[ "$(wc -c <line)" -lt 4000 ]
	grep -q 'yyy \.\.\.$' line
}

@test "a message shows control bytes as escapes" {
	refuse 4 tafread "$(printf 'a\033[1mb\177c\nd')"
	equal "$(cat err)" 'tafread: a\x1b[1mb\x7fc\x0ad: cannot open: No such file or directory'
}

unknown_option() {
	refuse 2 "$cmd" --no-such-option "${args[@]}" "$in" || return 1
	refuse 2 "$cmd" "${args[@]}" "$in" --no-such-option || return 1
	refuse 2 "$cmd" "-$(printf '\001')" || return 1
	# an option whose value is missing
	! to_file || refuse 2 "$cmd" -o
}

@test "an unknown option is a wrong invocation" {
	each all unknown_option
}

long_names() {
	local name short
	"$cmd" -h | sed -n 's/^  \(   \|-.,\) --\([a-z-]*\).*/\2/p' >names
	[ "$(wc -l <names)" -ge 7 ] || return 1
	# each name once: all commands read them alike
	touch tried
	grep -vxFf tried names >new || true
	cat new >>tried
	while read -r name; do
		short=${name%?}
		# --name and --names are both there
		! grep -qx -- "$short" names || continue
		case $name in [a-m]*) short=$short=x ;; esac
		refuse 2 "$cmd" "$in" "--$short" || return 1
		# what is nearest is offered: of --log and --low either
		[[ $(<err) == "$cmd: --$short: unknown option"* ]] || { cat err; return 1; }
		[ ${#name} -lt 4 ] || [[ $(<err) == *"; did you mean --${name::3}"*'?' ]] ||
			{ cat err; return 1; }
	done <new
	refuse 2 "$cmd" --quiet=no "$in" || return 1
	refuse 2 "$cmd" --=x "$in" || return 1
	refuse 2 "$cmd" --memory || return 1
	# behind "--" all are names
	refuse 4 "$cmd" "${args[@]}" -- --no-such-file
}

@test "a long option is known by its whole name alone" {
	each 'stream|print|from' long_names
	[ -e in.taf ] || fixture_taf in.taf
	cmd=tafcheck
	in=in.taf
	args=()
	long_names
	equal "$(tafcomment --set --raw in.taf | tafcomment)" --raw
	cp in.taf ./--raw
	equal "$(tafcomment --comment=--out=x -- --raw | tafcomment | tail -n 1)" --out=x
}

takes_out() {
	local named
	"$cmd" --out=E --help >out && "$cmd" --help | cmp - out || return 1
	[ "$kind" != tool ] || return 0
	for named in t.rsf t.taf; do
		case $kind,$cmd,$named in
		*2taf,t.taf) ;;
		print,*,t.rsf) ;;
		print,*)
			refuse 2 sh -c 'exec "$@" >t.taf' - "$cmd" "${args[@]}" "$in" || return 1
			grep -q 'use -o or -F taf' err || return 1
			continue
			;;
		*,t.taf)
			ends 2 "$cmd" "${args[@]}" "$in" --out=E >t.taf || return 1
			grep -q 'use -o or -F taf' err || return 1
			continue
			;;
		*)
			"$cmd" -q "${args[@]}" "$in" | tafcrop -N 1 >want || return 1
			call -N 1 "$in" >/dev/null 2>&1 && args+=(-N 1)
			"$cmd" -q "${args[@]}" "$in" --out=E >t.rsf || return 1
			[ "$(wc -c <E)" -eq "$(tafprobe -k bytes want)" ] || return 1
			tafcrop t.rsf | cmp - want || return 1
			rm E
			continue
			;;
		esac
		[ "$kind" != seed ] || args+=(-N 1)
		"$cmd" -q "${args[@]}" "$in" >"$named" && mv "$named" want || return 1
		"$cmd" -q "${args[@]}" "$in" --out=E >"$named" || return 1
		same want "$named" || return 1
	done
	[ ! -e E ] || { echo "elements of what has none apart"; return 1; }
}

wrong_values() {
	local line option text valued='^ +(-.), --[a-z-]+ [^ ]|^ +(--[a-z-]+)='
	while IFS= read -r line; do
		[[ $line =~ $valued ]] || continue
		option=${BASH_REMATCH[1]}${BASH_REMATCH[2]}
		[[ $option != -o && $option != --out ]] || continue
		"$cmd" "$option" =%= </dev/null >out 2>err || read -r text <err
		[[ ${text-} != *=%=* || $text == "$cmd: $option"[\ :]* ||
			$text == "$cmd: =%=: cannot "* ]] || { echo "$text"; return 1; }
	done < <("$cmd" -h)
}

@test "a message about the value of an option names the option" {
	each all wrong_values
}

@test "--out=PATH is taken by every command" {
	each all takes_out
	tafcheck in.taf --out=E
	folder=$(tafbackup in.taf --out=E)
	same in.taf "$folder/in.taf"
	tafreplace -i --all --value 1 "$folder/in.taf" --out=E
	[ ! -e E ]
}

talks() {
	"$cmd" -q "${args[@]}" "$in" 2>err | cat >quiet
	[ ! -s err ] || { echo "-q, and yet:"; cat err; return 1; }
	"$cmd" -v "${args[@]}" "$in" 2>err | cat >got
	[ -s got ] || return 1
	same quiet got || return 1
	[ -s err ] || return 1
	! grep -v "^$cmd: " err
}

@test "-v says on standard error what is done, and changes nothing else" {
	export SOURCE_DATE_EPOCH=1 TAF_HISTORY=off
	each "stream|print|from" talks
}

no_operand() {
	local st=0
	"$cmd" >out 2>err </dev/null || st=$?
	# an input is empty, or an option or a name is missing
	case $st in 2 | 3) ;; *) echo "status $st"; return 1 ;; esac
	[ ! -s out ] && head -n 1 err | grep -q "^$cmd: "
}

@test "no word at all: one of message, never a crash" {
	each all no_operand
}

missing() {
	local words=("${args[@]}" "$T/no/such.file")
	case $flags in *first*) words=("$T/no/such.file" "${args[@]}") ;; esac
	if [ "$kind" = tool ]; then
		# a format whose library is not there
		"$cmd" "${words[@]}" >out 2>err </dev/null || true
		! grep -q 'was built without' err || return 0
	fi
	ends 4 "$cmd" "${words[@]}" >out || return 1
	[ ! -s out ] && grep -q such.file err || { echo "the message names no file:"; cat err; return 1; }
	[ "$kind" != tool ] || return 0
	refuse 4 "$cmd" "${args[@]}" "$T" || return 1
	if [ "$(id -u)" -ne 0 ]; then
		: >locked
		chmod 0 locked
		refuse 4 "$cmd" "${args[@]}" locked || return 1
		rm -f locked
	fi
}

@test "a file that is missing or cannot be read is 4" {
	each all missing
}

full() {
	ends 4 "$cmd" -q "${args[@]}" "$in" >/dev/full || return 1
	one_line err || { cat err; return 1; }
	ends 4 "$cmd" "${args[@]}" "$in" >&- || return 1
	if to_file; then
		ends 4 "$cmd" "${args[@]}" "$in" -o /dev/full || return 1
		ends 4 "$cmd" "${args[@]}" "$in" -o "$T/no/such.folder" || return 1
	fi
	case $flags in *named*) return 0 ;; esac
	ends 4 "$cmd" "${args[@]}" <&- >/dev/null
}

@test "a full device, a closed standard output or input is 4" {
	each 'stream|print|from' full
}

no_reader() {
	# a pipe whose other end is closed, with the signal as it is and ignored
	local script='pipe my $r, my $w or die; close $r; $SIG{PIPE} = shift @ARGV;
		open STDOUT, ">&", $w or die; close $w; exec @ARGV or die'
	ends 141 perl -e "$script"' ' DEFAULT "$cmd" -q "${args[@]}" "$in" || return 1
	[ ! -s err ] || { echo "words after SIGPIPE"; cat err; return 1; }
	ends 4 perl -e "$script" IGNORE "$cmd" "${args[@]}" "$in"
}

@test "a pipe that nobody reads: the signal, or 4 where that is ignored" {
	each 'stream|print|from' no_reader
}

empty() {
	: >empty
	refuse 3 "$cmd" "${args[@]}" empty || return 1
	case $flags in *named*) return 0 ;; esac
	: | ends 3 "$cmd" "${args[@]}" >out
	[ ! -s out ]
}

@test "an empty input is 3" {
	each 'stream|print|from' empty
}

no_such_array() {
	case $flags in *named*) applies=no; return 0 ;; esac
	takes -N || { applies=no; return 0; }
	refuse 3 "$cmd" -q "${args[@]}" -N 9999 "$in" || return 1
	grep -q "^$cmd: $in: .*9999" err || { cat err; return 1; }
	ends 3 "$cmd" -q "${args[@]}" -N 9999 <"$in" >out || return 1
	grep -q "^$cmd: standard input: .*9999" err || { cat err; return 1; }
}

@test "-N of an array that is not there: the message names the file" {
	each 'stream|print|from' no_such_array
}

# refused FILE: from a file and from a pipe, at once, nothing on standard output, no file left
refused() {
	local where
	for where in file pipe; do
		rm -rf new
		mkdir new
		if [ "$where" = file ]; then
			refuse 3 "$cmd" "${args[@]}" "$1" || return 1
			! to_file || refuse 3 "$cmd" "${args[@]}" "$1" -o new/out.rsf || return 1
		else
			case $flags in *named*) continue ;; esac
			ends 3 "$cmd" "${args[@]}" >out < <(cat "$1") || return 1
			! to_file || ends 3 "$cmd" "${args[@]}" -o new/out.rsf < <(cat "$1") ||
				return 1
		fi
		nothing_left || return 1
	done
}

cut_rsf() {
	local n step=57
	# one of them at every byte: the reader is the same
	[ "$cmd" != tafprobe ] || step=1
	for ((n = 1 + done % step; n < last; n += step)); do
		ends 3 "$cmd" "${args[@]}" "part/$n" >out || { echo "cut at $n"; return 1; }
		[ ! -s out ] || { echo "output of a header cut at $n"; return 1; }
	done
}

# pieces FILE N...: its first N bytes as part/N
pieces() {
	mkdir -p part
	perl -e '
		my $file = shift;
		open my $f, "<:raw", $file or die;
		read $f, my $all, 1 << 20;
		for (@ARGV) { open my $t, ">:raw", "part/$_" or die; print $t substr $all, 0, $_ }' "$@"
}

@test "an RSF header cut anywhere is 3" {
	fixture_taf in.taf
	tafcrop in.taf >whole.rsf
	last=$(($(wc -c <whole.rsf) - 276))
	# shellcheck disable=SC2046
	pieces whole.rsf $(seq 1 "$last")
	each 'stream|print' cut_rsf
}

cut_taf() {
	local n share
	# shellcheck disable=SC2086
	share $places
	for n in "${share[@]}"; do
		ends 3 "$cmd" "${args[@]}" "part/$n" >out || { echo "cut at $n"; return 1; }
		[ ! -s out ] || { echo "output of a header cut at $n"; return 1; }
	done
	case $flags in *named*) return 0 ;; esac
	ends 3 "$cmd" "${args[@]}" >out < <(head -c 1103 in.taf)
}

@test "a TAF header cut anywhere is 3" {
	fixture_taf in.taf
	places='1 3 4 5 8 9 1023 1024 1031 1048 1055 1056 1063 1079 1080 1103'
	# shellcheck disable=SC2086
	pieces in.taf $places
	each 'stream|print' cut_taf
}

cut_foreign() {
	local size n i st
	case $flags in *lax*) applies=no; return 0 ;; esac
	size=$(wc -c <"$in")
	"$cmd" -q "${args[@]}" "$in" | cat >want
	for ((i = 0; i < 24; i++)); do
		n=$((i < 8 ? i + 1 : 1 + (size - 2) * (i - 8) / 15))
		[ "$n" -lt "$size" ] || continue
		head -c "$n" "$in" >part
		"$cmd" -q "${args[@]}" part 2>err | cat >out
		st=${PIPESTATUS[0]}
		# what is cut may be padding
		[ "$st" -eq 0 ] && cmp -s out want || [ "$st" -eq 3 ] ||
			{ echo "status $st, cut at $n of $size"; cat err; return 1; }
	done
}

@test "a file of another format cut anywhere is 3, or nothing is missing" {
	each from cut_foreign
}

cut_data() {
	head -c -275 whole.rsf >part
	refused part || { echo "all but a byte of RSF missing"; return 1; }
	head -c $((1104 + 275)) in.taf >part
	refused part || { echo "a byte of TAF missing"; return 1; }
}

@test "data cut anywhere are 3: nothing on standard output, no file" {
	[ -e whole.rsf ] || { fixture_taf in.taf; tafcrop in.taf >whole.rsf; }
	each 'stream|print' cut_data
}

pipe_dies() {
	local st
	cat whole.rsf | head -c -5 | "$cmd" "${args[@]}" 2>err1 | tafcrop 2>err2 | tafprobe >out 2>err3
	st=("${PIPESTATUS[@]}")
	[ "${st[*]}" = "0 0 3 3 3" ] || { echo "statuses ${st[*]}"; cat err1 err2 err3; return 1; }
	[ ! -s out ]
}

@test "a stream cut inside its data is 3 for all in the pipe" {
	fixture_taf in.taf
	tafcrop in.taf >whole.rsf
	each stream pipe_dies
}

several() {
	local n
	case $flags in *named*) return 0 ;; esac
	cat one.rsf two.rsf | call >got 2>err || {
		# a format that holds one array says so
		case $kind$flags in printone*) grep -q . err; return ;; esac
		cat err
		return 1
	}
	case $kind in
	stream)
		n=$(tafprobe -k ndim got | wc -l)
		case $flags in *one*) [ "$n" -eq 1 ] ;; *) [ "$n" -eq 2 ] ;; esac || {
			echo "$n arrays come out"; return 1
		}
		cat one.rsf two.rsf | "$cmd" "${args[@]}" -N 2 -o second.rsf || return 1
		"$cmd" "${args[@]}" -o want.rsf <two.rsf || return 1
		equal "$(tafprobe -k shape second.rsf)" "$(tafprobe -k shape want.rsf)"
		;;
	print)
		[ "$(wc -c <got)" -gt "$("$cmd" -q "${args[@]}" one.rsf | wc -c)" ]
		;;
	esac
}

@test "two arrays in a stream, announced or not" {
	mktaf one.taf int16 23,6
	mktaf two.taf int16 23,9
	for f in one two; do
		tafcomment -C "of $f" "$f.taf" -o "$f.rsf"
	done
	tafcrop one.rsf two.rsf >both.rsf
	each 'stream|print' several
}

picked_at_once() {
	# what makes one array of all has looked at all before
	case $kind,$flags in *named* | stream,one*) applies=no; return 0 ;; esac
	takes -N || { applies=no; return 0; }
	"$cmd" -q "${args[@]}" -N 1 - <two.rsf | cat >want
	rm -f waiting
	mkfifo waiting
	# that holds it open, and writes no more
	exec 9<>waiting
	cat two.rsf >&9
	timeout 60 "$cmd" -q "${args[@]}" -N 1 - <waiting 9>&- | cat >got
	[ "${PIPESTATUS[0]}" -eq 0 ] || return 1
	exec 9>&-
	same want got
}

@test "-N ends with its array, though its producer only waits behind it" {
	mktaf one.taf int16 23,6
	tafcrop one.taf one.taf >two.rsf
	each 'stream|print' picked_at_once
}

announced_but_missing() {
	refused part
}

@test "an array that was announced and does not come is 3" {
	mktaf one.taf int16 23,6
	tafcrop one.taf one.taf >two.rsf
	head -c $(($(wc -c <two.rsf) / 2 + 6)) two.rsf >part
	n=$(tafprobe -N 1 -k offset two.rsf)
	head -c $((n + 276)) two.rsf >part
	grep -q taf_next part
	# what it prints of the first array may stand
	each stream announced_but_missing
}

end_missing() {
	rm -rf new
	mkdir new
	ends 3 "$cmd" "${args[@]}" cut.rsf >out || return 1
	# a filter looks ahead in files; what prints may have done so
	[ "$kind" = print ] || [ ! -s out ] || { echo "output of a file"; return 1; }
	case $flags in *named*) return 0 ;; esac
	ends 3 "$cmd" "${args[@]}" >out < <(cat cut.rsf) || return 1
	if to_file; then
		ends 3 "$cmd" "${args[@]}" -o new/out.rsf < <(cat cut.rsf) || return 1
		[ "$kind" = print ] ||
		    ends 3 "$cmd" "${args[@]}" -o new/out.taf < <(cat cut.rsf) || return 1
	fi
	nothing_left
}

@test "a large array whose producer dies behind it is 3" {
	mktaf large.taf int16 23,6000
	# shellcheck disable=SC2002 # through a pipe
	cat large.taf | tafcrop >whole.rsf
	tafcrop large.taf | cat - whole.rsf | tafcrop >cut.rsf
	perl -0pi -e 's/\ttaf_end=.*//s' cut.rsf
	grep -aq 'taf_next="unknown"' cut.rsf
	each 'stream|print' end_missing
}

three_ways() {
	local f
	for f in "$in" whole.rsf; do
		[ "$f" = "$in" ] || [ "$kind" = stream ] || [ "$kind" = print ] || continue
		case $flags in *named*) applies=no; continue ;; esac
		call <"$f" >file || return 1
		[ -s file ] || { echo "no output"; return 1; }
		cat "$f" | call >pipe || return 1
		same file pipe || return 1
		perl -pe 'BEGIN { $| = 1; $/ = \1 }' <"$f" | call >bytes || return 1
		same file bytes || return 1
	done
}

@test "the same from a file, a pipe and a pipe that dribbles" {
	fixture_taf in.taf
	tafcrop in.taf >whole.rsf
	each 'stream|print|from' three_ways
}

# elements of every type, and what is done to them does not depend on it; complex ones too, or
# they are refused by name
all_types() {
	local t
	for t in flt64 flt32 int8 uint8 int16 uint16 int32 uint32 int64 uint64; do
		call "types/$t.taf" >out || return 1
		[ -s out ] || { echo "$t: no output"; return 1; }
		[ "$kind" = stream ] || continue
		if [[ $flags == *rounds* ]]; then
			mv out "$t.out"
			tafcompare --absolute 1e-4 --relative 1e-6 flt64.out "$t.out" || return 1
			continue
		fi
		tafread out >"$t.values" && same flt64.values "$t.values" || return 1
	done
	for t in complex complex128; do
		call "$t.taf" >out 2>err && [ -s out ] || grep -q complex err || { cat err; return 1; }
	done
}

@test "every element type" {
	mkdir types
	for t in flt64 flt32 int8 uint8 int16 uint16 int32 uint32 int64 uint64; do
		mktaf "types/$t.taf" "$t" 23,6
		echo comment >>"types/$t.taf"
	done
	rsf complex.header 'data_format="xdr_complex" n1=23 n2=6' ''
	perl -e 'print pack "f>*", map { ($_ * 7 + 3) % 101 } 1 .. 276' | cat complex.header - |
		tafcomment -C comment -o complex.taf
	rsf pairs.header 'data_format="xdr_double" taf_format="complex128" n1=2 n2=23 n3=6' ''
	perl -e 'print pack "d>*", map { ($_ * 7 + 3) % 101 } 1 .. 276' | cat pairs.header - |
		tafcomment -C comment -o complex128.taf
	each 'stream|print' all_types
}

in_locale() {
	local name
	call "$in" >here || return 1
	for name in $locales; do
		env ${own:+"LOCPATH=$T/locale"} LC_ALL="$name" "$cmd" -q "${args[@]}" "$in" | cat >there || return 1
		same here there || return 1
	done
}

@test "the same in a locale with a decimal comma, and in Turkish" {
	locales=
	mkdir locale
	for name in de_DE:ISO-8859-1 tr_TR:ISO-8859-9; do
		if locale -a 2>/dev/null | grep -qix "${name%:*}.utf-\?8"; then
			locales="$locales ${name%:*}.UTF-8"
		elif command -v localedef >/dev/null &&
			localedef -i "${name%:*}" -f "${name#*:}" "locale/${name%:*}" 2>/dev/null; then
			locales="$locales ${name%:*}"
		fi
	done
	[ -n "$locales" ] || skip "no locale de_DE or tr_TR"
	case $locales in *.UTF-8*) own= ;; *) own=yes ;; esac
	each 'stream|print|from' in_locale
}

bounded_memory() {
	refuse 2 "$cmd" -m 0 "${args[@]}" "$in" || return 1
	refuse 2 "$cmd" "${args[@]}" "$in" --memory=1.5M || return 1
	case $kind in tool) return 0 ;; esac
	call "$in" >free || return 1
	call -m 64k "$in" >short || return 1
	same free short || return 1
	call --memory 1G "$in" >long || return 1
	same free long
}

@test "-m is taken by every command, and changes no result" {
	each all bounded_memory
}

alone() {
	takes -J || { applies=no; return 0; }
	strace -f -e trace=clone,clone3 -o calls "$cmd" -q -J 8 "${args[@]}" "$in" >out || return 1
	! grep 'clone.*(' calls
}

@test "a line behind dimensions of length 1 is read to its end, however little memory" {
	tafmath -n 1,1,5000,2 -t flt64 'sin(i3 * i4)' -o a.taf
	for c in taffft 'taffft --power --pad 6000' tafhilbert tafpeaks 'tafpeaks --count 9' tafsort; do
		# shellcheck disable=SC2086
		$c -d 3 a.taf >want && $c -d 3 -m 64k a.taf | cmp - want || { echo "$c"; bad=1; }
	done
	[ -z "${bad-}" ]
}

@test "a small array starts no thread" {
	need strace
	strace -o /dev/null true 2>/dev/null || skip "strace cannot trace here"
	each 'stream|print' alone
}

options_last() {
	call "$in" >first || return 1
	"$cmd" -q "${args[@]}" -- "$in" | cat >dashes || return 1
	same first dashes || return 1
	case $flags in
	*word*) args=("${args[0]}" "$in" "${args[@]:1}") ;;
	*) args=("$in" "${args[@]}") ;;
	esac
	POSIXLY_CORRECT=1 call >last || return 1
	same first last || return 1
	to_file || return 0
	# text and bytes are the same there; arrays too, as no history is written
	POSIXLY_CORRECT=1 "$cmd" "${args[@]}" -q -o named.rsf || return 1
	same first named.rsf
}

@test "options after operands, whatever POSIXLY_CORRECT says" {
	each 'stream|print|from' options_last
}

# too_large FILE: 3 at once and in little memory, from a file without output
too_large() {
	(
		ulimit -t 5
		ulimit -v "$limit"
		ends 3 "$cmd" "${args[@]}" "$1" >out &&
		[ ! -s out ] || { echo "something on standard output"; exit 1; }
		case $flags in *named*) exit 0 ;; esac
		ends 3 "$cmd" "${args[@]}" >out < <(cat "$1")
	) || { echo "$1:"; head -c 60 "$1"; return 1; }
}

hostile() {
	local f share n=0
	# address space, where the program can be started in it (not with a sanitizer)
	limit=16384
	(ulimit -v $limit 2>/dev/null && "$cmd" -V >/dev/null 2>&1) || limit=unlimited
	share large/*
	for f in "${share[@]}"; do
		too_large "$f" || return 1
	done
	# these the reader refuses: all of them by one command, some by each
	for f in malformed/*; do
		n=$((n + 1))
		[ "$cmd" = tafprobe ] || [ $((n % 7)) -eq $((done % 7)) ] || continue
		too_large "$f" || return 1
	done
}

# hostile_taf FILE N L1 L2 ...
hostile_taf() {
	perl -e '
		my ($file, $n, @l) = @ARGV;
		open my $f, ">:raw", $file or die;
		print $f "TAF \x01\x00\x00\n", " " x 1016, pack("a8", "int16");
		print $f pack("Q<2", 0x7ff0000000000000, 0x7ff0000000000000), pack("Q<", $n);
		print $f pack("Q<d<d<", $_, 0, 1) for @l;
		print $f "x" x 10;' "$@"
}

@test "hostile lengths are 3 at once, in 16 MiB" {
	mkdir large malformed
	k='data_format="native_short" n2=2'
	rsf large/n60 "$k n1=1152921504606846976" abcd
	rsf large/n58 "data_format=\"native_double\" n1=288230376151711744 n2=2" abcdefgh
	rsf large/text 'data_format="ascii_int" n1=1152921504606846976 n2=1' '1 2 3'
	rsf large/square "$k n1=536870912 n2=1073741824" abcd
	hostile_taf large/t60 2 1152921504606846976 2
	hostile_taf large/tsquare 2 1073741824 1073741824
	hostile_taf large/tshort 2 3 2
	i=0
	for n in 9223372036854775808 9223372036854775807 4611686018427387904 \
		99999999999999999999 123456789012345678901234567890 -1 abc '' 0x10 1e3 1.5 '"4"' +4; do
		i=$((i + 1))
		rsf "malformed/n$i" "$k n1=$n" abcd
	done
	rsf malformed/product "$k n1=4294967296 n3=4294967296" abcd
	rsf malformed/product3 "$k n1=4294967296 n3=2147483648 n4=8" abcd
	rsf malformed/product0 "$k n1=9223372036854775808 n3=0" abcd
	rsf malformed/gap 'data_format="native_short" n1=2 n3=1' abcd
	rsf malformed/none 'data_format="native_short"' abcd
	rsf malformed/n65 "$k n1=1 n65=1" abcd
	rsf malformed/ntop "$k n1=1 n4294967297=1" abcd
	rsf malformed/format 'data_format="native_quad" n1=1 n2=2' abcd
	rsf malformed/form 'data_format="vax_float" n1=1 n2=2' abcd
	rsf malformed/noformat 'n1=1 n2=2' abcd
	rsf malformed/quote "$k n1=1 label1=\"x" abcd
	printf '%s' "$k n1=2" >malformed/noend
	printf '%s in="stdin"\n\n\0\f\f\004abcd' "$k n1=1" >malformed/nul
	printf '%s in="%s"\n' "$k n1=2" "$T" >malformed/folder
	printf '%s in="/dev/zero"\n' "$k n1=2" >malformed/device
	hostile_taf malformed/t63 2 9223372036854775808 2
	hostile_taf malformed/t62 2 4611686018427387904 1
	hostile_taf malformed/tproduct 2 4294967296 4294967296
	hostile_taf malformed/tzero 3 18446744073709551615 0 2
	hostile_taf malformed/tn0 0 1 1
	hostile_taf malformed/tn65 65 1 1
	hostile_taf malformed/tntop 18446744073709551615 1 1
	each 'stream|print' hostile
}

in_place() {
	takes -i || return 0
	# a command that only prints without a change has nothing to do in place
	[ "$kind" != tool ] || return 0
	cp in.taf edit.taf
	[ "$cmd" != tafcomment ] || args=(-C more)
	# what is appended
	case $flags in *one*) more=(in.taf) ;; *) more=() ;; esac
	refuse 2 "$cmd" "${args[@]}" -i || return 1
	refuse 2 "$cmd" "${args[@]}" -i - "${more[@]}" || return 1
	refuse 2 "$cmd" "${args[@]}" -i edit.taf "${more[@]}" -o x.taf || return 1
	same in.taf edit.taf || return 1
	[ "$kind" = stream ] || return 0
	refuse 4 "$cmd" "${args[@]}" -i "$T/no/such.taf" "${more[@]}" || return 1
	"$cmd" "${args[@]}" -i edit.taf "${more[@]}" >out || return 1
	[ ! -s out ] || { echo "-i writes to standard output"; return 1; }
	# a file that was cut is refused and stays as it is
	head -c 1200 in.taf >edit.taf
	cp edit.taf copy.taf
	refuse 3 "$cmd" "${args[@]}" -i edit.taf "${more[@]}" || return 1
	same copy.taf edit.taf || return 1
	# so is a stream
	cp whole.rsf edit.rsf
	! "$cmd" "${args[@]}" -i edit.rsf "${more[@]}" >out 2>err || { echo "-i takes a stream"; return 1; }
	same whole.rsf edit.rsf || return 1
	rm -f edit.taf copy.taf edit.rsf
	[ -z "$(find . -name '*.undo')" ]
}

@test "-i: TAF files by name alone, whole or unchanged" {
	fixture_taf in.taf
	tafcrop in.taf >whole.rsf
	each all in_place
}

redirected() {
	local name
	# a capture may hold several
	[ "$kind" != seed ] || args+=(-N 1)
	"$cmd" "${args[@]}" "$in" -o /dev/stdout | cmp - <("$cmd" "${args[@]}" "$in") || return 1
	"$cmd" "${args[@]}" "$in" >x.rsf || return 1
	[ "$(tafprobe -k format x.rsf)" = rsf ] || { echo "x.rsf is no RSF"; return 1; }
	"$cmd" "${args[@]}" "$in" >x.taf 2>err && {
		# only what is called ...2taf writes TAF there
		case $cmd in *2taf) ;; *) echo "status 0 for a stream in x.taf"; return 1 ;; esac
		[ "$(tafprobe -k format x.taf)" = taf ] || return 1
		for name in /dev/stdout /dev/fd/1 /proc/self/fd/1 link; do
			"$cmd" "${args[@]}" "$in" -o "$name" >y.taf || return 1
			same x.taf y.taf || return 1
		done
		return 0
	}
	for name in /dev/stdout /dev/fd/1 /proc/self/fd/1 link; do
		ends 2 "$cmd" "${args[@]}" "$in" -o "$name" >x.taf || return 1
	done
	grep -q 'use -o or -F taf' err || { cat err; return 1; }
	[ ! -s x.taf ] || return 1
	"$cmd" "${args[@]}" -F taf "$in" >x.taf || return 1
	"$cmd" "${args[@]}" "$in" -o y.taf || return 1
	same x.taf y.taf
}

@test "a redirection to x.taf is TAF or refused, to x.rsf it is RSF" {
	ln -s /dev/stdout link
	each 'stream|raw|from' redirected
}

unspooled() {
	case $flags in *named*) return 0 ;; esac
	case $cmd in
	# these need labels before the data, or read data twice
	taf2gta | taf2npy | taf2pgm | taf2segy | taf2ten | tafplot | tafexport) return 0 ;;
	esac
	call <in.taf >want || return 1
	cat in.taf | TMPDIR=$T/nowhere call >got || return 1
	same want got
}

@test "what prints needs no temporary file for TAF from a pipe" {
	fixture_taf in.taf
	# one that does fails
	cat in.taf | TMPDIR=$T/nowhere ends 4 tafplot >out
	each print unspooled
	args=(--no-header)
	cmd=tafexport flags=- unspooled
}

makes_again() {
	local made=again.taf
	call "$in" --recipe -q -o $made 2>err || { made=again.rsf; call "$in" --recipe -q -o $made; } ||
		return 1
	status 0 taf verify $made && [[ $(<out) == "$made: the same bits" ]]
}

@test "what --recipe stores of a command makes the same bits again" {
	each "stream|from" makes_again
}
