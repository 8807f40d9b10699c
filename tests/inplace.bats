# SPDX-License-Identifier: ISC
# In place means: whatever happens, the old array or the new one, whole.

load helper

teardown() {
	if [ -s "$T/keeper" ]; then kill "$(<"$T/keeper")" 2>/dev/null || true; fi
}

# either FILE OLD NEW: after what the next command does with an undo file, one of the two
either() {
	tafprobe "$1" >probed || { echo "not readable"; return 1; }
	cmp -s "$1" "$2" || cmp -s "$1" "$3" || { echo "neither old nor new"; return 1; }
	[ ! -e "$1.undo" ]
}

# moment OLD NEW: what others make of a.taf and its undo file as they are, when they cannot
# undo anything, or copy both, or put another file there: OLD, NEW, or a refusal that says why
moment() {
	local way got
	ln -f a.taf link.taf
	for way in -i -l; do
		got=0
		if [ $way = -l ]; then
			tafcrop link.taf >seen 2>words || got=$?
		else
			tafcrop - <a.taf >seen 2>words || got=$?
		fi
		if [ $got -eq 3 ] && grep -q 'a.taf.undo' words; then continue; fi
		if [ $got -eq 0 ] && { cmp -s seen old.rsf || cmp -s seen new.rsf; }; then continue; fi
		echo "status $got, or a mixture"
		cat words
		return 1
	done
	rm -rf link.taf copy
	mkdir copy
	cp a.taf copy/b.taf
	[ ! -e a.taf.undo ] || cp a.taf.undo copy/b.taf.undo
	either copy/b.taf "$1" "$2" || { echo "of copies"; return 1; }
	for file in "$1" "$2" other.taf; do
		cp a.taf copy/a.taf
		[ ! -e a.taf.undo ] || cp a.taf.undo copy/a.taf.undo
		cp "$file" copy/a.taf
		got=0
		tafprobe copy/a.taf >probed 2>words || got=$?
		[ $got -eq 0 ] || { [ $got -eq 3 ] && grep -q 'remove it' words; } || return 1
		same copy/a.taf "$file" || { echo "a restored file was overwritten"; return 1; }
	done
}

# killed COMMAND...: killed at every system call that changes something, in turn; file a.taf
# becomes old.taf before each, and must be old.taf or new.taf after it
killed() {
	local call n kills=0
	mktaf other.taf int16 5,2
	tafcrop old.taf >old.rsf
	tafcrop new.taf >new.rsf
	for call in pwrite64 write fsync ftruncate,?ftruncate64 unlink rename openat close; do
		for n in 1 2 3 4 5 6 7 8; do
			rm -f a.taf.undo .a.taf.*
			cp old.taf a.taf
			strace -f -o trace -e trace="$call" -e inject="$call:signal=KILL:when=$n" \
				"$@" >out 2>err </dev/null || true
			moment old.taf new.taf || { echo "killed at $call $n: $*"; return 1; }
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
	# so far apart that each column is written by itself
	mktaf old.taf int8 17000,2
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

@test "kill -9 at any system call of the one who undoes it" {
	need strace
	mktaf old.taf int16 9,4
	cp old.taf new.taf
	mktaf other.taf int16 5,2
	tafreplace -i -x 1=2:8:2 --value 77 new.taf
	tafcrop old.taf >old.rsf
	tafcrop new.taf >new.rsf
	cp old.taf a.taf
	strace -o trace -e trace=fsync -e inject=fsync:signal=KILL:when=4 \
		tafreplace -i -x 1=2:8:2 --value 77 a.taf >out 2>err || true
	cp a.taf half.taf
	cp a.taf.undo half.undo
	cmp -s half.taf old.taf && false
	for call in pwrite64 fsync ftruncate,?ftruncate64 unlink; do
		for n in 1 2 3 4 5 6; do
			cp half.taf a.taf
			cp half.undo a.taf.undo
			strace -o trace -e trace="$call" -e inject="$call:signal=KILL:when=$n" \
				tafprobe a.taf >out 2>err || true
			moment old.taf new.taf
			either a.taf old.taf old.taf || { echo "killed at $call $n"; return 1; }
			grep -q "killed by SIGKILL" trace || break
			kills=$((${kills:-0} + 1))
		done
	done
	[ "$kills" -gt 6 ]
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

@test "an undo file is read by those alone whom the list of the file names" {
	need strace setfacl getfacl
	: >a.taf
	setfacl -m u:1002:rw,g::- a.taf 2>/dev/null || skip "no access control lists here"
	# mktaf writes into the file that is there
	crashed 660
	equal "$(getfacl -cn a.taf.undo)" "$(getfacl -cn a.taf)"
	[[ $(getfacl -cn a.taf.undo) == *group::---* ]]
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
		sysseek $f, 512, 0 or die;
		syswrite $f, " " x 512 or die;
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

@test "changes, replacements and readers of one file at once" {
	mktaf a.taf int16 300,40
	tafreplace -i --all --value 3 a.taf
	cp a.taf three.taf
	tafcrop three.taf >three.rsf
	for k in 0 1 2 3 4 5; do
		for n in 1 2 3 4; do
			got=0
			tafreplace -i --all --value "$k" a.taf 2>err.$k.$n.i || got=$?
			tafcrop three.taf -o a.taf 2>err.$k.$n.o || got=$?
			tafcomment -i -C "$k" a.taf 2>err.$k.$n.c || got=$?
			tafread a.taf >out.$k.$n.n 2>err.$k.$n.n || echo $? >>err.$k.$n.n
			tafread - <a.taf >out.$k.$n.r 2>err.$k.$n.r || echo $? >>err.$k.$n.r
			[ $got -eq 0 ] || echo $got >failed.$k
		done &
	done
	wait
	cat err.*.[ioc]
	[ "$(cat err.*.[ioc] | wc -c)" -eq 0 ]
	[ -z "$(ls failed.* 2>/dev/null)" ]
	# who reads may be refused, but then it knows
	for k in out.*; do
		if [ -s "err.${k#out.}" ]; then
			grep -q 'changed while it was read\|a change of it goes on' "err.${k#out.}"
			equal "$(tail -n 1 "err.${k#out.}")" 3
		else
			equal "$(sort -u "$k" | wc -l)" 1
		fi
	done
	[ ! -e a.taf.undo ]
	equal "$(find . -name '.a.taf*')" ''
}

@test "a file that changes while it is read is no array" {
	head -c 4000000 /dev/zero >big.raw
	tafcreate -n 1000,2000 -t int16 -o big.taf big.raw
	tafcrop big.taf >big.rsf
	taf2npy -q big.taf -o big.npy
	# whose header and elements are looked at together
	tafmath -n 10,8000 -t int16 'x1 - 3 * x2' | tafsplit >many.rsf
	mkfifo pipe
	for command in 'tafread big.taf' 'tafcrop -F taf big.taf' 'tafcrop -N 1 big.rsf' \
		'taf2raw big.taf' 'tafcreate -t int8 -n 2000,2000 big.raw' 'npy2taf big.npy' \
		'tafappend big.rsf' \
		'tafread many.rsf' 'tafcrop many.rsf' 'tafmath a+1 many.rsf' 'tafreduce mean many.rsf' \
		'tafsummarize many.rsf' 'tafprobe many.rsf' 'tafpermute -d 2,1 big.rsf'; do
		(got=0; $command >pipe 2>err || got=$?; echo $got >status) &
		exec 5<pipe
		# the pipe is full long before the end
		dd bs=1 count=1 <&5 >first 2>dd.err
		printf x | dd of="${command##* }" bs=1 seek=5000 conv=notrunc 2>dd.err
		cat <&5 >rest
		exec 5<&-
		wait
		equal "$(cat status) $(cat err)" "3 ${command%% *}: ${command##* }: changed while it was read"
	done
}

@test "what stands in a pipe does not change with the file that it came from" {
	seq 100000 >want
	for command in 'taf2raw a.taf' 'taf2raw a.rsf' 'tafcrop -N 1 a.taf'; do
		rm -f status
		txt2taf -t int32 want -o a.taf
		tafcrop a.taf >a.rsf
		{ got=0; $command || got=$?; echo $got >status; } | {
			# it has begun; a pipe that holds less than all keeps it waiting
			dd bs=1 count=1 2>dd.err
			for _ in $(seq 200); do [ -s status ] || sleep 0.01; done
			perl -e 'open F, "+<", $ARGV[0] or die; seek F, -400000, 2;
				print F "\7" x 400000' "${command##* }"
			cat
		} >got
		# where it sees the change, it refuses
		[ "$(cat status)" -eq 0 ] || continue
		tail -c 400000 got | unpack "l$ORDER*" >values
		same values want
	done
}

@test "a new file takes the undo file of the old one away with it" {
	need strace
	crashed 644
	cp a.taf half.taf
	cp a.taf.undo half.undo
	tafcrop b.taf -o want.taf
	# of a change that can be undone, and of one that cannot; where the file was removed
	for was in half.taf b.taf none; do
		cp half.undo a.taf.undo
		if [ $was = none ]; then rm a.taf; else cat $was >a.taf; fi
		status 0 tafcrop b.taf -o a.taf
		[ ! -e a.taf.undo ]
		same a.taf want.taf
		status 0 tafprobe a.taf
	done
	# what is none of ours stays
	echo 'a note' >c.rsf.undo
	: >d.rsf.undo
	tafcrop b.taf -o c.rsf
	tafcrop b.taf -o d.rsf
	[ -e c.rsf.undo ]
	[ -e d.rsf.undo ]
}
