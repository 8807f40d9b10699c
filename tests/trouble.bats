# SPDX-License-Identifier: ISC
# A disk without room, a process without memory, a hundred at once: status 4 and one line, or
# what is right; never a half file, and never another's.

load helper
load commands
load daf

teardown() {
	if [ -s "$T/keeper" ]; then kill "$(<"$T/keeper")" 2>/dev/null || true; fi
}

# an input that is more than a buffer, for the commands that read arrays
large_input() {
	mktaf in.taf int16 220,160
	printf 'first line\nsecond line\n' >>in.taf
}

# fill KIB: leave so much room in the small file system
fill() {
	room=$1
	rm -f "$small/ballast"
	head -c $((1048576 * 2)) /dev/zero >"$small/ballast" 2>/dev/null || true
	truncate -s -"$(($1 * 1024))" "$small/ballast"
}

# fails_full COMMAND...: status 4 with one line, and the small file system as it was
fails_full() {
	local before after
	before=$(cd "$small" && find . | sort && find . -type f -exec cksum {} +)
	ends 4 "$@" >out || return 1
	after=$(cd "$small" && find . | sort && find . -type f -exec cksum {} +)
	one_line err || { cat err; return 1; }
	equal "$before" "$after"
}

no_room() {
	to_file && [ "$("$cmd" -q "${args[@]}" "$in" | wc -c)" -gt $((room * 1024)) ] || return 0
	fails_full "$cmd" -q "${args[@]}" "$in" -o "$small/out.rsf" || return 1
	fails_full "$cmd" -q "${args[@]}" "$in" -o "$small/new.rsf" || return 1
	[ "$kind" = stream ] || return 0
	fails_full "$cmd" -q "${args[@]}" "$in" -o new.rsf --out "$small/data" || return 1
	[ ! -e new.rsf ] || { echo "a header without its elements"; return 1; }
	fails_full "$cmd" -q "${args[@]}" "$in" -o new.rsf --out "$small/out.rsf"
}

@test "a full disk: status 4, the target as before, nothing left behind" {
	make_small 1m
	large_input
	echo before >"$small/out.rsf"
	fill 0
	each 'stream|print|from' no_room
}

@test "a disk that gets full on the way" {
	make_small 1m
	large_input
	echo before >"$small/out.rsf"
	fill 16
	each stream no_room
}

# in_place_full COMMAND...: on a.taf of a full disk: the change, or 4 and the file as it was
in_place_full() {
	local got=0
	cp old.taf here.taf
	"${@/FILE/here.taf}" || return 1
	rm -f "$small/ballast"
	cp old.taf "$small/a.taf"
	fill 0
	"${@/FILE/$small/a.taf}" 2>err || got=$?
	rm -f "$small/ballast"
	[ "$(ls -A "$small")" = a.taf ] || { echo "left behind"; ls -A "$small"; return 1; }
	case $got in
	0) same here.taf "$small/a.taf" ;;
	4) one_line err && same old.taf "$small/a.taf" ;;
	*) echo "status $got"; return 1 ;;
	esac
	statuses="${statuses:-} $got"
}

@test "a full disk: changes in place" {
	make_small 1m
	large_input
	mv in.taf old.taf
	mktaf more.taf int16 220,9
	in_place_full tafadjust -i --scale 1=3 FILE
	in_place_full tafcomment -i -C more FILE
	in_place_full tafappend -i FILE more.taf
	in_place_full tafreplace -i -x 1=2:9:3 --value 5 FILE
	in_place_full tafcrop -i -x 1=2:9:3 FILE
	in_place_full tafpermute -i -d 2,1 FILE
	in_place_full taftype -i --set 3 FILE
	# the header alone needs no room, all else does
	equal "$statuses" " 0 4 4 4 4 4 0"
}

@test "a full disk: folders, backups, spools and repairs" {
	make_small 1m
	fixture_taf in.taf
	fixture_text table.txt
	cp in.taf "$small/in.taf"
	mkdaf "$small/store"
	seq 3 | txt2taf -q -o column.taf
	mktaf matrix.taf flt32 3,2
	fill 0
	fails_full taf2daf -q "$small/store" cell/new column.taf
	fails_full taf2daf -q --sparse "$small/store" cell/gene/new matrix.taf
	fails_full daf2taf -q "$small/store" cell/sv cell/gene/dm n -o "$small/new.rsf"
	fails_full tafconvert -q -D "$small" table.txt
	fails_full tafbackup -q -D "$small" in.taf
	fails_full tafexport -q in.taf -o "$small/table"
	fails_full tafplot -q in.taf -o "$small/picture.txt"
	TMPDIR=$small fails_full tafcrop -q -o out.rsf < <(cat in.taf)
	[ ! -e out.rsf ]
	if command -v gnuplot >/dev/null; then
		TMPDIR=$small fails_full tafplot -q in.taf -o picture.svg
		fails_full tafplot -q in.taf -o "$small/picture.svg"
		[ ! -e picture.svg ]
	fi
	printf '(\001' | dd of="$small/in.taf" bs=1 seek=3 conv=notrunc status=none
	cd "$small"
	got=0
	tafcheck --repair in.taf >"$T/out" 2>"$T/err" || got=$?
	equal "$got $(wc -l <"$T/err") $(ls -A | tr '\n' ' ')" "4 1 ballast in.taf store "
}

@test "a hundred at once in one folder" {
	mktaf a.taf int16 300,40
	mktaf b.taf int16 301,41 3
	cp a.taf sum.taf
	tafcrop -x 1=2:200 a.taf -o want-a.taf
	tafcrop -x 1=2:200 b.taf -o want-b.taf
	pids=
	for i in $(seq 30); do
		tafcrop -x 1=2:200 a.taf -o "own-$i.taf" & pids="$pids $!"
		tafcrop -x 1=2:200 a.taf -o shared.taf & pids="$pids $!"
		tafcrop -x 1=2:200 b.taf -o shared.taf & pids="$pids $!"
		[ $((i % 3)) -ne 0 ] || { tafadjust -i --shift 2=1 sum.taf & pids="$pids $!"; }
		if [ -e shared.taf ]; then
			cat shared.taf >"seen-$i"
		fi
	done
	for pid in $pids; do wait "$pid"; done
	for i in $(seq 30); do
		same want-a.taf "own-$i.taf"
		[ ! -e "seen-$i" ] || cmp -s "seen-$i" want-a.taf || same "seen-$i" want-b.taf
	done
	cmp -s shared.taf want-a.taf || same shared.taf want-b.taf
	tafadjust -i --shift 2=10 a.taf
	same a.taf sum.taf
	[ -z "$(find . -name '.?*' -o -name '*.undo')" ]
}

# right_or_4 COMMAND...: status 0 and what is in want, or 4 and one line and a part of that
right_or_4() {
	local got
	# a file would be TAF for some
	"$@" 2>err | cat >out
	got=${PIPESTATUS[0]}
	case $got in
	0) same want out ;;
	4)
		fours=$((fours + 1))
		one_line err || { echo "not one line"; cat err; return 1; }
		head -c "$(wc -c <out)" want | cmp - out
		;;
	*) echo "status $got"; cat err; return 1 ;;
	esac
}

little_memory() {
	local kib share
	share 500 700 900 1100 1400 1800 2200 2600 3000 3400 3800 4400 5200 6000 7000
	# enough for any program to be started?
	limited v 7000 "$cmd" -V >/dev/null 2>&1 || { applies=no; return 0; }
	call "$in" >want || return 1
	for kib in "${share[@]}"; do
		# enough for the program to be started?
		limited v $kib "$cmd" -V >/dev/null 2>&1 || continue
		right_or_4 limited v $kib "$cmd" -q "${args[@]}" "$in" || { echo "in $kib KiB"; return 1; }
	done
}

@test "ulimit -v: status 4, or what is right" {
	fours=0
	large_input
	each 'stream|print|from' little_memory
	limited v 7000 tafprobe -V >/dev/null 2>&1 || skip "no program starts in so little memory"
	[ $fours -gt 0 ]
}

few_descriptors() {
	local n from
	for from in "$in" -; do
		case $from$flags in -*named*) continue ;; esac
		call "$from" <"$in" >want || return 1
		for n in 3 4 5 6 8; do
			limited n $n "$cmd" -V >/dev/null 2>&1 || continue
			right_or_4 limited n $n "$cmd" -q "${args[@]}" "$from" < <(cat "$in") ||
				{ echo "with $n descriptors, from $from"; return 1; }
		done
	done
}

@test "ulimit -n: status 4, or what is right" {
	fours=0
	large_input
	each 'stream|print|from' few_descriptors
	# an emulator starts with more than a command can miss
	[ $fours -gt 0 ] || [ -n "${EMULATOR:-}" ]
}

short_files() {
	local to
	[ "$("$cmd" -q "${args[@]}" "$in" | wc -c)" -gt 1024 ] || return 0
	ends 4 limited f 1 "$cmd" -q "${args[@]}" "$in" >out || return 1
	one_line err || { cat err; return 1; }
	for to in target new; do
		! to_file || refuse 4 limited f 1 "$cmd" -q "${args[@]}" "$in" -o $to || return 1
	done
	tried=$((tried + 1))
}

@test "ulimit -f: status 4, the target as before" {
	tried=0
	large_input
	echo before >target
	each 'stream|print|from' short_files
	[ $tried -gt 9 ]
	equal "$(<target) $(ls -A | grep -E 'new|target')" "before target"
}

no_tmpdir() {
	local dir
	case $flags in *named*) return 0 ;; esac
	call <"$in" >want || return 1
	for dir in $dirs; do
		TMPDIR=$dir right_or_4 "$cmd" -q "${args[@]}" < <(cat "$in") || { echo "TMPDIR $dir"; return 1; }
	done
}

@test "TMPDIR missing or a file: status 4, or what is right" {
	fours=0
	dirs="$T/no/such $T/in.taf"
	large_input
	each 'stream|print|from' no_tmpdir
	[ $fours -gt 0 ]
}

@test "TMPDIR full: status 4, or what is right" {
	fours=0
	make_small 1m
	fill 0
	dirs=$small
	large_input
	each 'stream|print|from' no_tmpdir
	[ $fours -gt 0 ]
	equal "$(ls -A "$small")" ballast
}

closed() {
	local how got share
	share '0<&-' '1>&-' '2>&-' '0<&- 1>&-' '1>&- 2>&-' '0<&- 1>&- 2>&-'
	cp "$in" copy
	if to_file; then
		"$cmd" -q "${args[@]}" "$in" -o want || return 1
	fi
	for how in "${share[@]}"; do
		got=0
		rm -f out
		if to_file; then
			eval "\"\$cmd\" -q \"\${args[@]}\" \"\$in\" -o out $how" || got=$?
		else
			eval "\"\$cmd\" -q \"\${args[@]}\" \"\$in\" >out $how" || got=$?
			[ -s out ] || rm -f out
		fi
		# with what it writes to closed, a message must not go into a file either
		case $got in
		0) [ ! -e want ] || same want out || { echo "$how"; return 1; } ;;
		4) [ ! -e out ] || { echo "$how: a file"; return 1; } ;;
		*) echo "$how: status $got"; return 1 ;;
		esac
		case $kind$how in stream*1*)
			got=0
			eval "\"\$cmd\" -q \"\${args[@]}\" \"\$in\" --out data $how" || got=$?
			[ "$got" -eq 4 ] && [ ! -e data ] || { echo "$how: data alone, status $got"; return 1; }
			;;
		esac
		eval "\"\$cmd\" --no-such-option \"\$in\" $how" && return 1
		eval "\"\$cmd\" -q \"\${args[@]}\" no-such-file $how" && return 1
		cmp copy "$in" || { echo "$how: the input is changed"; return 1; }
	done
	rm -f want
} 2>/dev/null

@test "closed standard descriptors: nothing goes into a wrong file" {
	each 'stream|print|from' closed
	[ ! -e no-such-file ]
}

stdin_kinds() {
	case $flags in *named*) return 0 ;; esac
	refuse_from_folder || return 1
	call <"$in" >want || return 1
	perl -e '
		use Socket;
		socketpair my $a, my $b, AF_UNIX, SOCK_STREAM, PF_UNSPEC or die;
		my $file = shift;
		if (!fork) {
			close $b;
			open my $f, "<:raw", $file or die;
			local $/ = \5000;
			syswrite $a, $_ while <$f>;
			exit;
		}
		close $a;
		open STDIN, "<&", $b or die;
		exec @ARGV or die' "$in" "$cmd" -q "${args[@]}" | cat >out
	same want out
}

refuse_from_folder() {
	ends 4 "$cmd" "${args[@]}" <. >out || return 1
	equal "$(wc -c <out) $(wc -l <err)" "0 1"
}

@test "standard input a folder is 4, a socket as good as a pipe" {
	large_input
	each 'stream|print|from' stdin_kinds
}

stdin_terminal() {
	local got=0
	case $flags in *named*) return 0 ;; esac
	script -qec "exec $cmd ${args[*]} >out 2>err" /dev/null </dev/null >/dev/null || got=$?
	[ "$got" -eq 2 ] && [ ! -s out ] || { echo "status $got"; cat err; return 1; }
	got=0
	# where the end of the input is typed at once
	script -qec "exec $cmd ${args[*]} - >out 2>err" /dev/null </dev/null >/dev/null || got=$?
	[ "$got" -eq 3 ] && [ ! -s out ] && one_line err ||
		{ echo "status $got"; cat err; return 1; }
}

@test "standard input a terminal is read where - says so" {
	need script
	each 'stream|print|from' stdin_terminal
}

bare_at_terminal() {
	local got=0
	script -qec "exec $cmd >out 2>err" /dev/null </dev/null >/dev/null || got=$?
	equal "$got $(wc -c <out)" "2 0" || return 1
	[[ $(head -n 1 err) == "usage: $cmd "* ]] || { cat err; return 1; }
	[[ $(tail -n 1 err) == "$cmd: "* ]] || { cat err; return 1; }
}

@test "a bare command at a terminal prints its usage and does not wait" {
	need script
	each all bare_at_terminal
	cmd=taf bare_at_terminal
	grep -qx 'Signals:' err
}

# interrupt SIGNAL FILE COMMAND...: it gets half of the file through a pipe, and the signal when
# it has taken that; prints the number of the signal that it died of
interrupt() {
	perl -e '
		my ($signal, $file) = (shift, shift);
		open my $f, "<:raw", $file or die;
		read $f, my $half, (-s $file) / 2;
		pipe my $r, my $w or die;
		my $pid = fork // die;
		if (!$pid) {
			close $w;
			open STDIN, "<&", $r or die;
			$SIG{$_} = "DEFAULT" for qw(INT TERM HUP PIPE);
			exec @ARGV or die;
		}
		syswrite($w, $half) == length $half or die;
		for (1 .. 2000) {
			ioctl $r, 0x541b, my $left = pack "i", 0;	# FIONREAD
			last if !unpack "i", $left;
			select undef, undef, undef, 0.005;
		}
		kill $signal, $pid;
		waitpid $pid, 0;
		print $? & 127, "\n"' "$@"
}

signals() {
	local pair to=
	case $flags in *named*) return 0 ;; esac
	! to_file || to="-o new/out.rsf"
	for pair in HUP:1 INT:2 PIPE:13 TERM:15; do
		# shellcheck disable=SC2086
		equal "$(TMPDIR=$T/new interrupt "${pair%:*}" "$in" "$cmd" -q "${args[@]}" $to 2>err)" "${pair#*:}" ||
			{ echo "$pair"; cat err; return 1; }
		[ -z "$(ls -A new)" ] && [ ! -s err ] || { echo "$pair: left behind"; ls -A new; cat err; return 1; }
	done
}

@test "a signal while it waits for more input: no file is left, and it dies of that" {
	[ "$(uname)" = Linux ] || skip "FIONREAD has another number"
	mkdir new
	large_input
	each 'stream|print|from' signals
}

@test "standard error closed: no message into a file that is written" {
	fixture_taf a.taf
	tafread a.taf >numbers
	cp a.taf new.taf
	tafreplace -i -x 1=2 --value 2.6 new.taf 2>err
	txt2taf -t int8 -o want.taf <(echo 2.6; cat numbers) 2>>err
	[ "$(wc -l <err)" -eq 2 ]
	for how in '2>&-' '1>&- 2>&-' '0<&- 1>&- 2>&-'; do
		cp a.taf b.taf
		eval "tafreplace -i -x 1=2 --value 2.6 b.taf $how"
		same new.taf b.taf
		eval "txt2taf -t int8 -o out.taf <(echo 2.6; cat numbers) $how"
		same want.taf out.taf
	done
}
