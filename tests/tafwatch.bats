# SPDX-License-Identifier: ISC
# What is run while each call of it fails in turn (faults.bats).
# in turn: - -q small.taf -o out.rsf
# in turn: - -q --idle 1ms apart.rsf -o out.taf
# in turn: - -q --idle 1ms small.taf

load helper

# Files grow when what there was of them has come out: no test waits for a clock.

# begin_watch WORD...: its output goes to the file got, its process is $watch.  It ends in any case
begin_watch() {
	: >got
	tafwatch --idle 30s "$@" >got 2>err 3>&- &
	watch=$!
}

# comes N: so many bytes of output, and no more
comes() {
	local i now
	for ((i = 0; i < 3000; i++)); do
		[ "$(stat -c %s got)" -lt "$1" ] && kill -0 "$watch" 2>/dev/null || break
		sleep 0.02
	done
	now=$(stat -c %s got)
	[ "$now" -eq "$1" ] || { echo "$now bytes of output, not $1"; cat err; return 1; }
}

# ends_with N: its status
ends_with() {
	local got=0
	wait "$watch" || got=$?
	[ "$got" -eq "$1" ] || { echo "status $got, not $1"; cat err; return 1; }
}

# bytes FILE FROM TO: those from the one offset up to the other
bytes() {
	tail -c +$(($2 + 1)) "$1" | head -c $(($3 - $2))
}

# in_pieces FILE GROWING DATA SIZE PIECE...: the bytes of FILE go to GROWING, from the offset where
# it ends to DATA and then in pieces of these lengths, over and over; elements of SIZE bytes come
# out of it as soon as they are whole.  want is the output
in_pieces() {
	local file=$1 to=$2 data=$3 size=$4 at=$3 end total header piece
	shift 4
	total=$(stat -c %s "$file")
	header=$(($(stat -c %s want) - total + data))
	bytes "$file" "$(stat -c %s "$to")" "$data" >>"$to"
	comes "$header" || return 1
	while :; do
		for piece; do
			end=$((at + piece < total ? at + piece : total))
			bytes "$file" "$at" "$end" >>"$to"
			at=$end
			comes $((header + (at - data) / size * size)) || return 1
			[ "$at" -lt "$total" ] || return 0
		done
	done
}

@test "a TAF file grows in odd pieces: each element comes when it is whole" {
	local type size
	while read -r type size; do
		rm -f g.taf
		mktaf a.taf "$type" 37,11
		perl -e 'open F, "+<", "a.taf"; seek F, 1032, 0; print F pack "d<2", 3, 0.25'
		tafcat a.taf >want
		: >g.taf
		begin_watch g.taf
		in_pieces a.taf g.taf 1104 "$size" 1 2 63 3 1001
		ends_with 0
		[ ! -s err ]
		same want got
	done <<-'END'
		int16 2
		flt64 8
		uint8 1
	END
}

@test "RSF: in one file, apart, of the other byte order" {
	local n
	tafmath -n 23,17 -t flt32 'i1*100+i2/8' -o a.taf
	tafcat a.taf >whole.rsf
	tafcat whole.rsf >want
	n=$(tafprobe -k offset whole.rsf)
	: >g.rsf
	begin_watch g.rsf
	in_pieces whole.rsf g.rsf "$n" 4 3 5 401
	ends_with 0
	same want got
	# the header in one file, the elements in another one, which is not there at first
	tafcat a.taf -o apart.rsf --out=whole.data
	sed 's/whole.data/g.data/' apart.rsf >g.rsf
	begin_watch g.rsf
	: >g.data
	in_pieces whole.data g.data 0 4 7 1 2 400
	ends_with 0
	same want got
	perl -0777 -pe '$_ = pack "V*", unpack "N*", $_' whole.data >swapped.data
	printf 'data_format="xdr_float" n1=23 n2=17 in="g2.data"\n' >g2.rsf
	printf 'data_format="xdr_float" n1=23 n2=17 in="swapped.data"\n' | tafcat >want
	[ "$ORDER" = '>' ] || [ "$(tafread -N 1 want | sed -n 2p)" = "$(tafread a.taf | sed -n 2p)" ]
	: >g2.data
	begin_watch g2.rsf
	in_pieces swapped.data g2.data 0 4 1 2 77
	ends_with 0
	same want got
}

@test "a header that comes byte by byte, of a file that is not there at first" {
	local f
	mktaf a.taf int32 5,3
	tafcat a.taf >a.rsf
	tafcat a.rsf >want
	tafcat a.taf -o apart.rsf --out=a.data
	for f in a.taf a.rsf apart.rsf; do
		rm -f "g.${f#*.}"
		begin_watch "g.${f#*.}"
		perl -e '$| = 1; open F, "<:raw", shift; open G, ">:raw", shift; $/ = \1;
			while (<F>) { print G; G->flush; select undef, undef, undef, 0.0005 }' "$f" "g.${f#*.}"
		ends_with 0
		same want got
	done
}

# several: m.rsf, four arrays of different types; their offsets behind each are in ${end[@]}
several() {
	tafmath -n 7,3 -t int16 'i1*10+i2' -o a.taf
	tafmath -n 5,4,2 -t complex 'complex(i1*10+i3, i2)' -o b.taf
	tafmath -n 101,307 -t flt64 'i1*1000+i2' -o c.taf
	tafmath -n 3 -t complex128 'complex(i1, -1)' -o d.taf
	tafcat a.taf b.taf c.taf d.taf -o m.rsf
}

@test "several arrays in one file, and one of them" {
	local k n
	several
	for k in '' 1 2 3 4; do
		tafcat ${k:+-N $k} m.rsf >want
		: >g.rsf
		begin_watch ${k:+-N $k} g.rsf
		for ((n = 0; n < $(stat -c %s m.rsf); n += 30011)); do
			bytes m.rsf $n $((n + 30011)) >>g.rsf
			sleep 0.01
		done
		ends_with 0
		same want got
	done
	begin_watch --idle 10ms -N 5 g.rsf
	ends_with 3
	equal "$(cat err)" 'tafwatch: g.rsf: array 5 is wanted, but there are 4'
	# that one ends with its array, though more are announced
	head -c 2000 m.rsf >g.rsf
	begin_watch -N 1 g.rsf
	ends_with 0
	tafcat -N 1 m.rsf | cmp - got
}

@test "a stream that does not know its end: the record at its end is waited for" {
	several
	tafcat c.taf | cat m.rsf - | tafcat >u.rsf
	grep -aq 'taf_next="unknown"' u.rsf
	n=$(perl -0777 -ne 'print rindex $_, "\ttaf_end="' u.rsf)
	head -c "$n" u.rsf >g.rsf
	begin_watch g.rsf
	while [ "$(stat -c %s got)" -lt "$n" ] && kill -0 "$watch"; do sleep 0.02; done
	bytes u.rsf "$n" 100000000 >>g.rsf
	ends_with 0
	tafcat u.rsf >want
	tafcat got | cmp - want
	head -c "$n" u.rsf >g.rsf
	begin_watch --idle 20ms g.rsf
	ends_with 3
	grep -q 'no taf_end says' err
}

@test "--idle: what has come is passed on, the rest is missing: 3" {
	mktaf a.taf int16 37,11
	head -c 1305 a.taf >g.taf
	begin_watch --idle 20ms g.taf
	ends_with 3
	equal "$(cat err)" 'tafwatch: g.taf: nothing has come for 0.02 s: 307 elements of array 1 are missing'
	# 100 of them have come, and who reads them is not told that these are all
	tafcat a.taf >want
	cmp -n "$(stat -c %s got)" got want
	equal "$(($(stat -c %s want) - $(stat -c %s got)))" 614
	ends 3 tafread got >out
	[ ! -s out ]
	begin_watch --idle 20ms g.taf -o new.rsf
	ends_with 3
	[ ! -e new.rsf ]
	# a part of an element is growth, too, but no element
	tafcat a.taf -o s.rsf --out=s.data
	head -c 7 s.data >t.data
	sed 's/s.data/t.data/' s.rsf >t.rsf
	begin_watch --idle 0.02 t.rsf
	ends_with 3
	equal "$(cat err)" 'tafwatch: t.data: nothing has come for 0.02 s: 404 elements of array 1 are missing'
	head -c 1000 a.taf >h.taf
	refuse 3 tafwatch --idle 20ms h.taf
	equal "$(cat err)" 'tafwatch: h.taf: the input ends after 1000 bytes, inside the TAF header'
	: >empty
	refuse 3 tafwatch --idle 20ms empty
	refuse 4 tafwatch --idle 20ms no.taf
	rm t.data
	refuse 4 tafwatch --idle 20ms t.rsf
	grep -q 'in=t.data' err
}

# changed HOW WORDS: g.taf is watched, and then that happens to it
changed() {
	tafcat a.taf >want
	rm -f g.taf
	head -c 1304 a.taf >g.taf
	begin_watch g.taf
	comes $(($(stat -c %s want) - 614)) || return 1
	eval "$1"
	ends_with 3 || return 1
	[[ $(cat err) == "tafwatch: g.taf: "*"$2" ]] || { cat err; return 1; }
}

@test "a file that is changed while it is watched is 3" {
	mktaf a.taf int16 37,11
	mktaf b.taf int16 37,11 2
	changed 'truncate -s 1200 g.taf' 'shortened while it was read'
	changed 'cp a.taf x.taf; mv x.taf g.taf' 'removed or replaced while it was read'
	changed 'rm g.taf' 'removed or replaced while it was read'
	# a longer array, another start: in the header
	changed 'printf "\046" | dd of=g.taf bs=1 seek=1056 conv=notrunc status=none
		tail -c 614 a.taf >>g.taf' \
		'offset 0: 1104 bytes have changed since they were read'
	# begun anew so fast that it is no shorter: the same header, other elements
	changed 'cat b.taf 1<>g.taf' 'offset 1240: 64 bytes have changed since they were read'
	# a header of RSF, and what it names
	tafcat a.taf -o s.rsf --out=s.data
	head -c 200 s.data >t.data
	sed 's/s.data/t.data/' s.rsf >t.rsf
	begin_watch t.rsf
	comes $(($(stat -c %s want) - 614))
	echo 'o1=7' >>t.rsf
	ends_with 3
	equal "$(cat err)" 'tafwatch: t.rsf: changed while it was read'
	sed 's/s.data/t.data/' s.rsf >t.rsf
	begin_watch t.rsf
	comes $(($(stat -c %s want) - 614))
	: >t.data
	ends_with 3
	[[ $(cat err) == 'tafwatch: t.data: '*'shortened while it was read' ]]
}

@test "an array that no header has announced is not passed over" {
	mktaf a.taf int16 37,11
	tafcat a.taf >a.rsf
	cat a.rsf a.rsf >two.rsf
	# known when the first begins, it is one of a stream
	tafwatch two.rsf >got
	tafcat two.rsf | cmp - got
	n=$(stat -c %s a.rsf)
	head -c $((n - 2)) a.rsf >g.rsf
	begin_watch g.rsf
	comes $((n - 2))
	bytes two.rsf $((n - 2)) $((2 * n)) >>g.rsf
	ends_with 3
	equal "$(cat err)" 'tafwatch: g.rsf: an array behind the last one: has the input grown?'
}

@test "comment and attributes of a TAF file: if they are there at the beginning" {
	mktaf m.taf flt32 9,5
	tafput unit@1=s other=7 m.taf -o a.taf
	tafcomment -C 'a line' -i a.taf
	for words in '' '-F taf'; do
		# shellcheck disable=SC2086
		tafwatch $words a.taf >got
		# shellcheck disable=SC2086
		tafcat $words a.taf | cmp - got
	done
	n=$((1104 + 180))
	tafcat m.taf >want
	head -c 1200 a.taf >g.taf
	begin_watch g.taf
	comes $(($(stat -c %s want) - n + 1200))
	bytes a.taf 1200 100000 >>g.taf
	ends_with 0
	equal "$(cat err)" "tafwatch: g.taf: $(($(stat -c %s a.taf) - n)) bytes of comment and attributes came too late to be passed on"
	same want got
	# elements alone: nothing to remark
	head -c "$n" a.taf >g.taf
	begin_watch g.taf
	ends_with 0
	[ ! -s err ]
	same want got
	# two planes, which an attribute joins: only if it is there
	tafmath -n 7 -t complex 'complex(i1, -i1)' -o c.taf
	tafwatch c.taf | cmp - <(tafcat c.taf)
	head -c $((1104 + 56)) c.taf >g.taf
	equal "$(tafwatch g.taf | tafread | xargs)" '1 2 3 4 5 6 7 -1 -2 -3 -4 -5 -6 -7'
}

@test "what is not for it" {
	mktaf a.taf int16 4,3
	refuse 2 tafwatch -
	refuse 2 tafwatch
	refuse 2 tafwatch a.taf a.taf
	mkfifo pipe
	refuse 2 tafwatch pipe
	refuse 4 tafwatch .
	for t in 0 -1s 3m 1K s ''; do
		refuse 2 tafwatch --idle "$t" a.taf
	done
	rsf ascii.rsf 'data_format="ascii_float" n1=3 n2=2' '1.5 -2 3e4 4 5 6\n'
	refuse 3 tafwatch ascii.rsf
	equal "$(cat err)" 'tafwatch: ascii.rsf: elements in text are not read while they come'
	head -c 5000 /dev/zero >zeros
	refuse 3 tafwatch zeros
	# a mark says that a change in place goes on
	mktaf b.taf int64 0,3
	tafwatch b.taf | cmp - <(tafcat b.taf)
}

@test "while it waits it ends by a signal, and if nobody reads it" {
	mktaf a.taf int16 37,11
	head -c 1304 a.taf >g.taf
	# bash gives what it starts in the background no SIGINT
	perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' tafwatch g.taf -o new.rsf 2>err 3>&- &
	watch=$!
	for ((i = 0; i < 3000; i++)); do
		[ -z "$(find . -name '*new.rsf*')" ] || break
		sleep 0.02
	done
	kill -INT $watch
	ends_with 130
	equal "$(find . -name '*new*')" ''
	# its reader ends behind the header
	ends 141 tafwatch g.taf > >(head -c 100 >/dev/null)
	[ ! -s err ]
}

@test "in a pipe the result is that of the whole file" {
	mktaf a.taf int16 1000,1
	tafspectrogram --points 100 a.taf | tafreduce mean -d 2 >want
	head -c 1500 a.taf >g.taf
	{ tafwatch g.taf | tafspectrogram --points 100 | tafreduce mean -d 2 >got; } 3>&- &
	watch=$!
	for n in 1500 1999 2000 3001; do
		sleep 0.05
		bytes a.taf $n $((n == 1500 ? 1999 : n == 1999 ? 2000 : n == 2000 ? 3001 : 5000)) >>g.taf
	done
	ends_with 0
	same want got
}
