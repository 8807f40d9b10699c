# SPDX-License-Identifier: ISC
# How a stream ends: a producer that dies between two arrays is told from one that is done.

load helper

setup() {
	begin
	mktaf raw.taf int16 11,6
	tafcrop raw.taf -o small.taf
	perl -e 'print pack "s<*", map { $_ * 7 % 30011 } 1 .. 70000' |
		tafcreate -e int16 -t int16 -n 1000, - -o big.taf
	tafcrop small.taf -o small.rsf
	tafcrop big.taf -o big.rsf
}

# piped FILE...: through a pipe
piped() {
	cat "$@"
}

# keys FILE: what its headers say of the stream
keys() {
	grep -ao 'taf_\(next\|end\)=.*' "$1" || :
}

@test "a producer that dies behind its first array: 3 for all behind it, and no file" {
	local st
	{ cat big.rsf; head -c 60 big.rsf; } | tafcrop 2>err1 |
		tafadjust --shift 1=0 -o out.taf 2>err2 && return 1
	st=("${PIPESTATUS[@]}")
	equal "${st[*]}" "0 3 3"
	grep -q 'behind array 1, and no taf_end' err2
	one_line err1
	one_line err2
	[ ! -e out.taf ]
	taf2gta big.taf -o m.gta
	taf2npy -q big.taf -o m.npy
	taf2ten -q big.taf -o m.ten
	for f in gta npy ten; do
		{ cat "m.$f"; head -c 3000 "m.$f"; } | "${f}2taf" 2>err1 | tafcrop -o out.taf 2>err2 &&
			return 1
		st=("${PIPESTATUS[@]}")
		# the second array may be refused while it is written
		[[ "${st[*]}" == "0 "@(3|141)" 3" && ! -e out.taf ]]
	done
}

@test "killed between two arrays: 3" {
	local pid n
	mkfifo feed
	exec 9<>feed
	cat big.rsf >&9 &
	tafcrop <feed >got.rsf 9>&- &
	pid=$!
	n=$(wc -c <big.rsf)
	# all of the array has gone on, and what follows is awaited
	while [ "$(wc -c <got.rsf)" -lt "$n" ]; do
		kill -0 "$pid"
		sleep 0.05
	done
	kill -9 "$pid"
	wait "$pid" || :
	exec 9>&-
	equal "$(keys got.rsf)" 'taf_next="unknown"'
	refuse 3 tafadjust --shift 1=0 got.rsf -o out.taf
	piped got.rsf | ends 3 tafadjust --shift 1=0 -o out.taf
	[ ! -e out.taf ]
}

@test "what is known needs no record: files, small arrays, -N" {
	tafcrop big.taf big.rsf >two.rsf
	equal "$(keys two.rsf)" "taf_next=1"
	piped small.rsf | tafcrop >got
	same small.rsf got
	tafcrop small.rsf small.rsf small.rsf >three.rsf
	piped small.rsf small.rsf small.rsf | tafcrop >got
	same three.rsf got
	piped three.rsf | tafcrop >got
	same three.rsf got
	piped big.rsf | tafcrop -N 1 >got
	same big.rsf got
	piped big.taf | tafcrop >got
	same big.rsf got
	taf2npy -q big.taf | npy2taf -N 1 >got
	equal "$(keys got)" ""
	piped big.rsf | tafcrop -o out.taf
	same big.taf out.taf
	piped big.rsf | tafcrop -o out-%d.rsf
	same big.rsf out-1.rsf
	piped big.rsf | tafcrop --out=data -o head.rsf
	equal "$(keys head.rsf)" ""
}

@test "large arrays from a pipe: unknown, and the record behind the last" {
	piped big.rsf | tafcrop >one
	equal "$(keys one)" 'taf_next="unknown"
taf_end=1'
	piped big.rsf small.rsf big.rsf | tafcrop >three
	equal "$(keys three)" 'taf_next="unknown"
taf_next=1
taf_next="unknown"
taf_end=3'
	piped big.rsf small.rsf | tafcrop >two
	equal "$(keys two)" 'taf_next="unknown"'
	for f in one two three; do
		tafread -q -r -N 1 "$f" | cmp - <(tafread -q -r big.taf)
		piped "$f" | tafcrop | tafcrop -o "$f-%d.taf"
		same big.taf "$f-1.taf"
		# from a file it is known
		tafcrop "$f" >known
		equal "$(keys known | sort -u)" "$([ "$f" = one ] || echo taf_next=1)"
	done
	[ ! -e one-2.taf ]
	[ ! -e two-3.taf ]
	[ ! -e three-4.taf ]
	same small.taf two-2.taf
	same big.taf three-3.taf
}

@test "streams one behind the other are a stream" {
	{ tafcrop small.taf; tafcrop big.taf; tafcrop small.taf; } | tafcrop >got
	equal "$(tafprobe -k n1 got | tr '\n' ' ')" "11 1000 11 "
	piped big.rsf | tafcrop >one
	piped big.rsf big.rsf | tafcrop >two
	piped one two small.rsf one | tafcrop >got
	equal "$(tafprobe -k n1 got | tr '\n' ' ')" "1000 1000 1000 11 1000 "
	equal "$(piped one two small.rsf one | tafprobe -k n1 | tr '\n' ' ')" \
		"1000 1000 1000 11 1000 "
	tafcrop one two small.rsf one >got
	equal "$(tafprobe -k n1 got | tr '\n' ' ')" "1000 1000 1000 11 1000 "
}

@test "a count that disagrees, an empty stream: 3" {
	piped big.rsf big.rsf | tafcrop >two
	perl -0pe 's/taf_end=2/taf_end=3/' two >three
	refuse 3 tafcrop three
	grep -q 'ends with 3 arrays (taf_end), but 2 have come' err
	piped three | ends 3 tafcrop -o out.taf
	printf '\ttaf_end=0\n\tin="stdin"\n\n\f\f\004' >none
	refuse 3 tafcrop none
	piped small.rsf none | ends 3 tafprobe >/dev/null
	printf '\ttaf_end=1\n\tin="stdin"\n\n\f\f\004' >one
	piped small.rsf one | ends 3 tafprobe >/dev/null
}

@test "a foreign program's line behind our keys: one array, and no record" {
	piped big.rsf | tafcrop | perl -0pe '
		s/\ttaf_end=.*//s;
		s/(\tin="stdin"\n)/4.3\tsfput\there:\tme\@host\tnow\n\n\to1=5\n$1/' >foreign
	tafcrop foreign -o out.taf
	equal "$(tafprobe -k o1 out.taf)" 5
	piped foreign | tafcrop | tafcrop -o out.taf
	equal "$(tafprobe -k o1 out.taf)" 5
}

@test "who takes one array and goes is no failure of who wrote it" {
	mkfifo gate
	n=$(($(wc -c <big.rsf) + 19))
	for action in DEFAULT IGNORE; do
		{ cat big.rsf; cat gate; } |
			perl -e '$SIG{PIPE} = shift; exec @ARGV' "$action" tafcrop |
			{ head -c "$n" >got; exec <&-; : >gate; }
		equal "${PIPESTATUS[*]}" "0 0 0"
		equal "$(keys got)" 'taf_next="unknown"'
	done
}

@test "a small array goes out as soon as the next one begins" {
	mkfifo feed
	exec 9<>feed
	cat small.rsf small.rsf >&9
	n=$(tafcrop small.rsf small.rsf | head -c -"$(wc -c <small.rsf)" | wc -c)
	exec 8< <(exec tafcrop <feed 9>&-)
	# while the feed is still open
	timeout 60 head -c "$n" <&8 >got
	[ "$(wc -c <got)" -eq "$n" ]
	exec 9>&-
	cat <&8 >>got
	tafcrop small.rsf small.rsf >want
	same want got
}

@test "commands that take one array see that the stream is whole" {
	piped big.rsf | tafcrop | perl -0pe 's/\ttaf_end=.*//s' >part
	cp big.taf base.taf
	for from in part <(cat part); do
		refuse 3 tafreplace -i --with "$from" base.taf
		same big.taf base.taf
	done
	refuse 3 tafappend -i base.taf part
	same big.taf base.taf
}

@test "an array behind a comment is not lost, whatever reads it; four letters are a comment" {
	local feed
	mktaf a.taf int16 3,2
	mktaf b.taf flt32 4
	cp a.taf note.taf
	tafcomment -i -C note note.taf
	tafcrop b.taf >b.rsf
	tafcrop --out=b.bin b.taf >split.rsf
	cat note.taf b.taf >1.taf
	cat a.taf b.rsf >2.taf
	cat note.taf split.rsf >3.taf
	for k in 1 2 3; do
		for feed in cat piped; do
			$feed $k.taf | ends 3 tafcrop -o out.taf
			$feed $k.taf | ends 3 tafprobe
			$feed $k.taf | ends 3 tafcomment
			ends 3 tafmap $k.taf
		done
		cp $k.taf x.taf
		refuse 3 tafcomment -i -C more x.taf
		grep -q 'behind the data.*tafcat$' err
		refuse 3 tafadjust -i --shift 1=1 x.taf
		same $k.taf x.taf
		refuse 3 tafmath a+b b.taf $k.taf -o out.taf
		refuse 3 tafappend b.taf $k.taf -o out.taf
		ends 1 tafcheck $k.taf >out
		grep -q 'behind the data' out
	done
	# a comment may speak of the format
	tafcomment -i --set 'TAF record of shot 3' note.taf
	equal "$(tafcomment note.taf; piped note.taf | tafcomment)" "TAF record of shot 3
TAF record of shot 3"
	tafcheck note.taf
	# what is no text is kept, and remarked once, by all
	taf2npy -q b.taf -o b.npy
	cat a.taf b.npy >x.taf
	for command in tafcrop tafprobe tafread 'tafmath a' tafappend 'tafcomment -i -C y'; do
		$command x.taf 2>&1 >out | tail -n 1 >err
		equal "$(cat err)" "${command%% *}: x.taf: offset 1116: byte 147 of the comment is not text"
	done
	piped x.taf | tafcrop -o out.taf 2>err
	equal "$(cat err)" "tafcrop: standard input: offset 1116: byte 147 of the comment is not text"
	[ ! -e x.taf.undo ]
}
