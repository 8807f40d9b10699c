# In place means: whatever happens, the old array or the new one, whole.

load helper

# a sanitizer's search for leaks does not work under strace
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0

teardown() {
	if [ -s "$T/keeper" ]; then kill "$(<"$T/keeper")" 2>/dev/null || true; fi
}

# either FILE OLD NEW: after what the next command does with an undo file, one of the two
either() {
	tafprobe "$1" >probed || { echo "not readable"; return 1; }
	cmp -s "$1" "$2" || cmp -s "$1" "$3" || { echo "neither old nor new"; return 1; }
	[ ! -e "$1.undo" ]
}

# killed COMMAND...: killed at every system call that changes something, in turn; file a.taf
# becomes old.taf before each, and must be old.taf or new.taf after it
killed() {
	local call n kills=0
	for call in pwrite64 write fsync ftruncate,?ftruncate64 unlink rename openat close; do
		for n in 1 2 3 4 5 6 7 8; do
			rm -f a.taf.undo .a.taf.*
			cp old.taf a.taf
			strace -f -o trace -e trace="$call" -e inject="$call:signal=KILL:when=$n" \
				"$@" >out 2>err </dev/null || true
			either a.taf old.taf new.taf || { echo "killed at $call $n: $*"; return 1; }
			# behind the last call of that name the command just succeeds
			grep -q 'killed by SIGKILL' trace || break
			kills=$((kills + 1))
		done
	done
	rm -f .a.taf.*
	[ "$kills" -gt 2 ]
}

@test "kill -9 at any system call of a header edit" {
	need strace
	mktaf old.taf int16 9,4
	printf 'comment\n' >>old.taf
	cp old.taf new.taf
	tafadjust -i --scale 1=3 new.taf
	killed tafadjust -i --scale 1=3 a.taf
}

@test "kill -9 at any system call of a comment edit" {
	need strace
	mktaf old.taf int16 9,4
	printf 'comment\n' >>old.taf
	cp old.taf new.taf
	tafcomment -i -C more new.taf
	killed tafcomment -i -C more a.taf
}

@test "kill -9 at any system call of an append" {
	need strace
	mktaf old.taf int16 9,4
	printf 'comment\n' >>old.taf
	mktaf b.taf int16 9,2 3
	cp old.taf new.taf
	tafappend -i new.taf b.taf
	killed tafappend -i a.taf b.taf
}

@test "kill -9 at any system call of a replace" {
	need strace
	mktaf old.taf int16 9,4
	cp old.taf new.taf
	tafreplace -i -x 1=2:8:2 --value 77 new.taf
	killed tafreplace -i -x 1=2:8:2 --value 77 a.taf
}

@test "kill -9 at any system call of a crop" {
	need strace
	mktaf old.taf int16 9,4
	cp old.taf new.taf
	tafcrop -i -x 1=2:8:2 new.taf
	killed tafcrop -i -x 1=2:8:2 a.taf
}

@test "a failing system call leaves the old array, with status 4" {
	need strace
	mktaf old.taf int16 9,4
	printf 'comment\n' >>old.taf
	mktaf b.taf int16 9,2 3
	for call in pwrite64 fsync ftruncate,?ftruncate64; do
		for n in 1 2; do
			cp old.taf a.taf
			got=0
			strace -o trace -e trace="$call" -e inject="$call:error=EIO:when=$n" \
				tafappend -i a.taf b.taf >out 2>err || got=$?
			grep -q INJECTED trace || continue
			seen=$((${seen:-0} + 1))
			equal "$got" 4
			same a.taf old.taf
			[ ! -e a.taf.undo ]
		done
	done
	[ "$seen" -ge 4 ]
}

# crashed: a.taf with the undo file of an append that was killed
crashed() {
	local call="ftruncate,?ftruncate64"
	mktaf a.taf int16 9,4
	mktaf b.taf int16 9,2 3
	chmod "$1" a.taf
	strace -o trace -e trace="$call" -e inject="$call:signal=KILL" \
		tafappend -i a.taf b.taf >out 2>err || true
	[ -e a.taf.undo ]
}

@test "an undo file is as private as what it saves" {
	need strace
	umask 022
	crashed 600
	equal "$(stat -c %a a.taf.undo)" 600
}

# holds the lock on a.taf until somebody waits for it, then ends the change as an owner does
owner() {
	perl -e '
		use Fcntl ":flock";
		open my $f, "+<", "a.taf" or die;
		flock $f, LOCK_EX or die;
		open my $l, ">", "locked" or die;
		my $inode = (stat $f)[1];
		for (1 .. 200) {
			open my $p, "<", "/proc/locks" or last;
			last if grep { /-> FLOCK.*:$inode / } <$p>;
			select undef, undef, undef, 0.05;
		}
		unlink "a.taf.undo" or die;'
}

@test "who may only read waits for the one who changes the file" {
	need strace perl
	crashed 600
	as=()
	if [ "$(id -u)" -eq 0 ]; then
		need setpriv
		as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	fi
	cp "$(command -v tafprobe)" .
	chmod 755 . tafprobe
	# the owner is dead
	chmod 444 a.taf
	status 3 "${as[@]}" ./tafprobe -k shape a.taf
	grep -q interrupted err
	# the owner is alive
	chmod 644 a.taf
	owner &
	until [ -e locked ]; do sleep 0.1; done
	chmod 444 a.taf
	status 0 "${as[@]}" ./tafprobe -k shape a.taf
	wait
}

@test "a file of somebody else called NAME.undo is not removed" {
	mktaf a.taf int16 9,4
	cp a.taf old.taf
	for bytes in 'a note\n' '\0\1 binary\n' '\0binary, and longer than the head of an undo file\n'; do
		# shellcheck disable=SC2059
		printf "$bytes" >a.taf.undo
		cp a.taf.undo kept
		refuse 3 tafprobe -k shape a.taf
		refuse 3 tafadjust -i --start 1=2 a.taf
		same a.taf.undo kept
		same a.taf old.taf
	done
	# one that a crash has left before its first bytes were there
	for n in 0 7 24 300; do
		head -c "$n" /dev/zero >a.taf.undo
		status 0 tafprobe -k shape a.taf
		[ ! -e a.taf.undo ]
	done
}

@test "append in place costs what is appended, comments or not" {
	tafcreate -n 1000,4000 -t int16 -o a.taf <(head -c 8000000 /dev/urandom)
	tafcomment -i -C comment a.taf
	mktaf b.taf int16 1000,1
	need strace
	strace -o trace -e trace=read,pread64,write,pwrite64,copy_file_range tafappend -i a.taf b.taf
	# what was moved is far less than the 8000000 bytes that are there
	moved=$(awk -F'= ' '{ n += $NF } END { print n }' trace)
	[ "$moved" -lt 800000 ]
	equal "$(tafprobe -k shape a.taf) $(tafcomment a.taf)" "1000,4001 comment"
}

@test "two writers on one file: both changes, or one is refused" {
	mktaf a.taf int16 50,4
	mktaf b.taf int16 50,1
	for _ in 1 2 3 4 5 6; do tafappend -i a.taf b.taf & done
	wait
	equal "$(tafprobe -k shape a.taf)" 50,10
	[ ! -e a.taf.undo ]
	tafcheck a.taf
}

@test "a full file system leaves the original untouched" {
	make_small 200k
	mktaf big.taf int16 1000,60
	tafcrop -x 2=1:45 big.taf -o "$small"/a.taf
	cp "$small"/a.taf old.taf
	ok=1
	status 4 tafappend -i "$small"/a.taf big.taf || ok=0
	cmp -s old.taf "$small"/a.taf || ok=0
	status 4 tafcrop big.taf big.taf big.taf -o "$small"/c.rsf || ok=0
	[ "$(ls -A "$small")" = a.taf ] || { ls -A "$small"; ok=0; }
	[ "$ok" = 1 ]
}

@test "-i takes a name with %d in it as it is" {
	mktaf 'a%d.taf' int16 7,5
	mktaf want.taf int16 7,5
	for command in 'tafadjust --start 1=3' 'tafcomment -C text' 'tafcrop -x 1=2:5' 'tafpermute -d 2,1' \
		'tafreplace --value 4 -x 1=2' 'taftype --set 3'; do
		$command -i 'a%d.taf'
		$command -i want.taf
		same 'a%d.taf' want.taf
	done
	cp want.taf b.taf
	tafappend -i 'a%d.taf' b.taf
	tafappend -i want.taf b.taf
	same 'a%d.taf' want.taf
	equal "$(ls -A | grep -c '^a')" 1
}
