# SPDX-License-Identifier: ISC
# What is run while each call of it fails in turn (faults.bats).
# in turn: - -q small.taf
# in turn: - -q --repair old.taf
# in turn: - -q --repair crashed.taf

load helper

# poke FILE OFFSET BYTES: overwrite, bytes as printf has them
poke() {
	# shellcheck disable=SC2059
	printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>dd.err
}

# finds TEXT FILE: status 1, one line, which has the text
finds() {
	status 1 tafcheck "$2" || return 1
	if [ "$(wc -l <out)" -ne 1 ] || ! grep -q -- "$1" out; then
		echo "not the one finding '$1':"
		cat out
		return 1
	fi
}

setup() {
	begin
	mktaf good.taf int16 7,5
	poke good.taf 8 'text'
	cp good.taf a.taf
}

@test "a sound file: no word, status 0" {
	status 0 tafcheck good.taf
	[ ! -s out ]
	[ ! -s err ]
	status 0 tafcheck --strict good.taf
}

@test "each planted fault is found" {
	poke a.taf 0 X; finds 'not a TAF file' a.taf; cp good.taf a.taf
	poke a.taf 4 '\002'; finds 'version 2' a.taf; cp good.taf a.taf
	poke a.taf 7 x; finds 'line feed' a.taf; cp good.taf a.taf
	poke a.taf 1024 'int99\0\0\0'; finds 'unknown element type "int99"' a.taf; cp good.taf a.taf
	poke a.taf 1048 '\0'; finds '0 dimensions' a.taf; cp good.taf a.taf
	poke a.taf 1048 '\101'; finds '65 dimensions' a.taf; cp good.taf a.taf
	poke a.taf 1056 '\377\377'; finds 'data of .* bytes, but 70' a.taf; cp good.taf a.taf
	poke a.taf 1060 '\377\377\377\177'; poke a.taf 1084 '\377\377\377\177'
	finds 'larger than any file' a.taf; cp good.taf a.taf
	poke a.taf 1072 '\0\0\0\0\0\0\0\0'; finds 'dimension 1: its step is 0' a.taf; cp good.taf a.taf
	poke a.taf 1096 '\0\0\0\0\0\0\370\177'; finds 'dimension 2: its step is not finite' a.taf; cp good.taf a.taf
	poke a.taf 1064 '\0\0\0\0\0\0\360\177'; finds 'dimension 1: its start is not finite' a.taf; cp good.taf a.taf
	head -c 1100 good.taf >a.taf; finds 'inside its header' a.taf
	head -c 500 good.taf >a.taf; finds 'inside its header' a.taf
	head -c 1173 good.taf >a.taf; finds 'data of 70 bytes, but 69' a.taf
	cat good.taf good.taf >a.taf; finds 'another TAF file' a.taf; cp good.taf a.taf
	poke a.taf 3 '(\001\000)'; finds 'legacy opening' a.taf; cp good.taf a.taf
	poke a.taf 1024 '\020\0\0\0\0\0\0\0'; finds 'legacy element type 16' a.taf; cp good.taf a.taf
	mktaf c.taf int16 3,4,5; poke c.taf 8 'text'; poke c.taf 5 '\001\002'
	finds 'type code 2 does not go with 3' c.taf
	: >e.taf; finds 'not a TAF file' e.taf
	: >a.taf.undo; finds 'undo file' a.taf
}

@test "a block of attributes that no command reads is found" {
	for line in 'foo=a%00b' 'a%00b=foo' 'label@1=%00'; do
		cp good.taf a.taf
		printf -- '--- attributes ---\nx=1\n%s\n' "$line" >>a.taf
		finds 'a NUL' a.taf
		refuse 3 tafread a.taf
	done
	# these are text, or escapes of no meaning
	for line in 'no pair' 'foo=a%zzb'; do
		cp good.taf a.taf
		printf -- '--- attributes ---\nx=1\n%s\n' "$line" >>a.taf
		status 0 tafcheck --strict a.taf
		status 0 tafread a.taf
	done
}

@test "one dimension is found too" {
	{ head -c 1048 good.taf; printf '\1\0\0\0\0\0\0\0'; tail -c +1057 good.taf; } >one.taf
	status 1 tafcheck one.taf
	grep -q '1 dimensions, not 2' out
	# nor is it mended in its place, and not said to be
	poke one.taf 3 '(\001\000)'
	cp one.taf old.taf
	status 1 tafcheck --repair one.taf
	grep -q 'legacy opening' out
	[ "$(grep -c mended out)" -eq 0 ]
	same old.taf one.taf
	[ -z "$(ls -d backup_* 2>/dev/null)" ]
}

@test "what no command reads is not sound" {
	poke a.taf 1024 'double\0\0'; finds 'unknown element type "double"' a.taf
	refuse 3 tafprobe a.taf
	cp good.taf a.taf
	poke a.taf 1056 '\0\0\0\0\0\0\0\0'; poke a.taf 1080 '\0\0\0\0\0\0\0\200'
	head -c 1104 a.taf >empty.taf
	finds 'dimension 2: length 9223372036854775808' empty.taf
	{ cat good.taf; printf -- '--- attributes ---\nb%%1B=1%%00\n'; } >nul.taf
	finds 'attribute b.x1b: its value holds a NUL' nul.taf
	{ cat good.taf; printf -- '--- attributes ---\n'; seq -f 'k%.0f=1' 10001; } >many.taf
	finds 'more than 10000 attributes' many.taf
}

@test "control bytes of a file's name do not get into the lines" {
	poke a.taf 3 '(\001\000)'
	mv a.taf $'a\033[1m\n.taf'
	finds '^a.x1b.1m.x0a.taf: offset 3: legacy opening$' $'a\033[1m\n.taf'
}

@test "remarks do not make a file unsound, unless --strict" {
	poke a.taf 1032 '\0\0\0\0\0\0\0\0'
	status 0 tafcheck a.taf
	grep -q 'remark: .*only the intercept is finite' out
	status 1 tafcheck --strict a.taf
	mktaf f.taf flt32 4,3; poke f.taf 8 'text'
	poke f.taf 1032 '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
	status 0 tafcheck f.taf
	grep -q 'remark: .*a mapping on floats' out
	printf 'caf\351\n' >>good.taf
	status 0 tafcheck good.taf
	grep -q 'remark: offset 1177: byte 233 of the comment is not text' out
	mktaf s.taf int16 4,3
	status 0 tafcheck s.taf
	grep -q 'remark: .*no synopsis' out
	poke s.taf 8 'text'; poke s.taf 6 '\011'
	status 0 tafcheck s.taf
	grep -q 'remark: .*unknown type code 9' out
}

@test "--repair writes a legacy header anew and touches nothing else" {
	poke a.taf 3 '(\001\000)'
	poke a.taf 1024 '\020\0\0\0\0\0\0\0'
	printf 'a comment\n' >>a.taf
	cp a.taf old.taf
	status 0 tafcheck --repair a.taf
	status 0 tafcheck --strict a.taf
	equal "$(tafprobe -k type a.taf)" uint16
	cmp <(tail -c +1033 a.taf) <(tail -c +1033 old.taf)
	same old.taf backup_*/a.taf
}

@test "standard input is checked, and no file named - mended for it" {
	mktaf ./- int16 3,2
	poke ./- 3 '(\001\000)'
	cp ./- old.taf
	ends 1 tafcheck - <old.taf >out
	grep -q 'legacy opening' out
	ends 2 tafcheck --repair - <old.taf >out
	same old.taf ./-
	: >-.undo
	ends 0 tafcheck - <good.taf >out
}

@test "--repair changes nothing before the backup and its names are on the disk" {
	need strace
	poke a.taf 3 '(\001\000)'
	cd -P .
	strace -y -e trace=rename,fsync,pwrite64 \
		-o trace tafcheck --repair a.taf
	equal "$(sed -n 's,^\([a-z0-9]*\)([0-9]*<\(.*\)>.*,\1 \2,p; s,^\(rename\)(.*,\1,p' trace |
		sed "s,$PWD,HERE,; s,backup_[0-9_]*,B,; s,/\.a\.taf.*,/TEMP," | xargs -n 2 | xargs)" \
		"fsync HERE/B/TEMP rename fsync HERE/B fsync HERE pwrite64 HERE/a.taf fsync HERE/a.taf"
}

@test "--repair rolls an interrupted append back" {
	need strace
	mktaf b.taf int16 7,2
	tafcomment -i -C kept a.taf
	cp a.taf old.taf
	call='ftruncate,?ftruncate64'
	strace -f -o trace -e trace="$call" -e inject="$call:signal=KILL" tafappend -i a.taf b.taf || true
	[ -e a.taf.undo ]
	status 1 tafcheck a.taf
	cmp -s a.taf old.taf && false
	status 0 tafcheck --repair a.taf
	same a.taf old.taf
	[ ! -e a.taf.undo ]
	[ -e "$(echo backup_*/a.taf.undo)" ]
}

# interrupted: a.taf, which was old.taf, in the middle of an append
interrupted() {
	local call='ftruncate,?ftruncate64'
	need strace
	mktaf b.taf int16 7,2
	tafcomment -i -C kept a.taf
	cp a.taf old.taf
	strace -f -o trace -e trace="$call" \
		-e inject="$call:signal=KILL" tafappend -i a.taf b.taf || true
	[ -e a.taf.undo ]
}

@test "a file in the middle of a change is found, by whatever name" {
	interrupted
	ln a.taf link.taf
	cp a.taf copy.taf
	for name in link.taf copy.taf; do
		status 1 tafcheck $name
		grep -q "the synopsis says .*a.taf.undo" out
		status 1 tafcheck --repair $name
		refuse 3 tafread $name
	done
	ends 1 tafcheck - <a.taf >out
	grep -q a.taf.undo out
	# with a copy of the undo file too, the copy is mended
	cp a.taf.undo copy.taf.undo
	status 0 tafcheck --repair copy.taf
	same copy.taf old.taf
}

@test "--repair says why it does not use an undo file, or takes away one that is of no use" {
	interrupted
	cp a.taf half.taf
	# the file was restored in its place, and is another than it was
	cat good.taf >a.taf
	status 1 tafcheck a.taf
	status 0 tafcheck --repair a.taf
	same a.taf good.taf
	[ ! -e a.taf.undo ]
	[ -e "$(echo backup_*/a.taf.undo)" ]
	# a damaged one
	cat half.taf >a.taf
	head -c 1000 backup_*/a.taf.undo >a.taf.undo
	rm -r backup_*
	status 1 tafcheck --repair a.taf
	grep -q "not mended: .*a.taf.undo.* is damaged" out
	same a.taf half.taf
	# one of another version
	cat good.taf >a.taf
	printf TAFUNDO1abcdefgh >a.taf.undo
	rm -r backup_*
	status 1 tafcheck --repair a.taf
	grep -q "not mended: .*of another version" out
	same a.taf good.taf
	[ -e a.taf.undo ]
}

@test "several files, the worst decides; a missing one is 4" {
	poke a.taf 0 X
	status 1 tafcheck good.taf a.taf
	status 4 tafcheck a.taf nothere.taf
	grep -q '^a.taf: ' out
	refuse 2 tafcheck
}
