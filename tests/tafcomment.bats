# SPDX-License-Identifier: ISC
load helper

# tail_of FILE: what stands behind the data of a 5 x 3 int16 array
tail_of() {
	tail -c +1135 "$1"
}

# bare FILE: an array with our synopsis and no comment
bare() {
	mktaf "$1.0" int16 5,3
	tafcrop "$1.0" -o "$1"
	rm "$1.0"
}

@test "a comment is printed byte for byte" {
	bare a.taf
	printf 'no end' >c
	cat a.taf c >b.taf
	tafcomment b.taf >got
	same c got
	printf '\0\377\n\n\n' >c
	cat a.taf c >b.taf
	tafcomment <b.taf >got
	same c got
	cat b.taf | tafcomment >got
	same c got
	tafcrop b.taf | tafcomment >got
	same c got
	tafcomment a.taf >got
	[ ! -s got ]
}

@test "a line is added with line feeds where they belong" {
	bare a.taf
	(cat a.taf; printf 'old') >b.taf
	equal "$(tafcomment -C new b.taf -o c.taf && tail_of c.taf | od -An -c)" "$(printf 'old\nnew\n' | od -An -c)"
	tafcomment -C one -C 'two
lines' a.taf -o c.taf
	equal "$(tail_of c.taf | od -An -c)" "$(printf 'one\ntwo\nlines\n' | od -An -c)"
	printf 'x\n\n' >text
	tafcomment -C @text b.taf -o c.taf
	equal "$(tail_of c.taf | od -An -c)" "$(printf 'old\nx\n\n' | od -An -c)"
	tafcomment --clear -C a --set b -C c b.taf -o c.taf
	equal "$(tail_of c.taf | od -An -c)" "$(printf 'b\nc\n' | od -An -c)"
	tafcomment --set b --clear b.taf -o c.taf
	same a.taf c.taf
	: >nothing
	tafcomment --set @nothing b.taf -o c.taf
	same a.taf c.taf
	tafcomment --set '' b.taf -o c.taf
	same a.taf c.taf
	equal "$(echo piped | tafcomment --set @- b.taf | tafcomment)" piped
	refuse 4 tafcomment -C @no.such b.taf
}

@test "attributes are no part of it, and survive" {
	bare a.taf
	(cat a.taf; printf 'text\n--- attributes ---\nlabel@1=Time\nk=a%%25b\n') >b.taf
	equal "$(tafcomment b.taf)" text
	tafcomment --set other b.taf -o c.taf
	equal "$(tail_of c.taf)" "$(printf 'other\n\n--- attributes ---\nlabel@1=Time\nk=a%%25b')"
	tafcomment --clear b.taf -o c.taf
	equal "$(tail_of c.taf)" "$(printf -- '--- attributes ---\nlabel@1=Time\nk=a%%25b')"
	tafcomment -i -C more b.taf
	equal "$(tail_of b.taf)" "$(printf 'text\nmore\n\n--- attributes ---\nlabel@1=Time\nk=a%%25b')"
}

@test "any text comes back through files, streams and pipes" {
	bare a.taf
	n=0
	for text in 'a\n' '\n' '\n\n\n' '%s 50%%25 "quoted" \\ = x\n' '\0\001\033\177\377\n' '\r\n' '\f\f\004\n' \
		'x\n--- attributes ---\n' '--- attributes ---\n' 'x\n--- attributes ---\nk=v\n' \
		'--- attributes ---\nndim=1\n' 'x\n--- attributes ---\nnot one\n' '--- attributes ---\nk=1\n--- attributes ---\nl=2\n' \
		'in="stdin"\n' 'taf_next=1\n' '=\n'; do
		printf -- "$text" >c
		tafcomment --set @c a.taf -o b.taf
		tafcomment b.taf >got
		same c got
		[ "$(tafprobe -j b.taf | grep -o '"attributes":.*')" = '"attributes":{}}' ]
		tafcomment --set @c <a.taf | tafcrop | tafcomment >got
		same c got
		cat b.taf | tafcrop -F taf >again
		same b.taf again
		tafcrop b.taf | tafcrop | tafcrop -F taf >again
		same b.taf again
		cp a.taf i.taf
		tafcomment -i --set @c i.taf
		same b.taf i.taf
		n=$((n + 1))
	done
	[ "$n" -eq 16 ]
}

@test "a long line goes over the stream in lines that Madagascar can read" {
	bare a.taf
	perl -e 'print join("", map { chr(32 + $_ % 95) } 1 .. 20000), "\n", "\"" x 9000, "\n"' >c
	tafcomment --set @c a.taf -o b.taf
	(cat a.taf; printf -- '--- attributes ---\na='; perl -e 'print "x%25" x 5000, "\n"') >d.taf
	tafcrop b.taf d.taf >s.rsf
	equal "$(LC_ALL=C awk 'length($0) >= 4000' s.rsf | wc -l)" 0
	tafcomment -N 1 s.rsf >got
	same c got
	equal "$(tafprobe -N 2 -k a s.rsf | wc -c)" 10001
}

@test "what would make a file unreadable is refused" {
	bare a.taf
	(echo x; cat a.taf; echo) >c
	refuse 3 tafcomment --set @c a.taf -o b.taf
	[ ! -e b.taf ]
	cp a.taf b.taf
	refuse 3 tafcomment -i --set @c b.taf
	same a.taf b.taf
	[ ! -e b.taf.undo ]
	# in a stream it is possible
	tafcomment --set @c a.taf | tafcomment >got
	same c got
	truncate -s 67108865 big
	refuse 3 tafcomment --set @big a.taf
}

@test "all arrays of a stream; all files in place, whatever happens to one" {
	bare a.taf
	bare b.taf
	tafcrop a.taf b.taf | tafcomment -C both | tafcomment >got
	equal "$(cat got)" "$(printf 'both\nboth')"
	status 4 tafcomment -i -C x a.taf no.taf b.taf
	equal "$(tafcomment a.taf b.taf | wc -l)" 2
	refuse 2 tafcomment -i a.taf
	refuse 2 tafcomment -i -C x
	refuse 2 tafcomment -i -C x -o y.taf a.taf
}

@test "kill -9 at any moment leaves the old file or the new one" {
	need strace
	strace -o /dev/null true 2>/dev/null || skip "strace cannot trace here"
	bare a.taf
	tafcomment -i --set 'the first comment, a long one' a.taf
	cp a.taf b.taf
	tafcomment -i --set 'the second' b.taf
	ln -s real.taf link.taf
	for call in write pwrite64 ftruncate,?ftruncate64 fsync unlink; do
		for when in 1 2 3 4; do
			for name in real.taf link.taf; do
				cp a.taf real.taf
				strace -o /dev/null -e inject=$call:signal=KILL:when=$when \
					tafcomment -i --set 'the second' $name 2>/dev/null || true
				[ ! -e link.taf.undo ] || { echo "the undo file is beside the link"; return 1; }
				# by its other name
				equal "$(tafprobe -k type real.taf)" int16
				cmp -s real.taf a.taf || cmp -s real.taf b.taf || { echo "$call $when: neither"; return 1; }
				[ ! -e real.taf.undo ] || { echo "$call $when: undo file left"; return 1; }
			done
		done
	done
}

@test "an undo file that is not ours is refused, not used" {
	bare a.taf
	cp a.taf b.taf
	echo 'something else, long enough to look at' >b.taf.undo
	refuse 3 tafcomment b.taf
	refuse 3 tafcomment -i -C x b.taf
	same a.taf b.taf
	# of another version
	perl -e 'print "TAFUNDO1", pack "Q<4", (stat "b.taf")[1], 10, ~0, 0' >b.taf.undo
	refuse 3 tafcrop b.taf
	same a.taf b.taf
	# one that was never finished means that nothing was changed
	perl -e 'print "TAFUNDO2", pack "Q<2", (stat "b.taf")[7], 10' >b.taf.undo
	tafprobe b.taf >/dev/null
	same a.taf b.taf
	[ ! -e b.taf.undo ]
}
