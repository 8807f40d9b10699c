# SPDX-License-Identifier: ISC
# What a decoder may do that a hostile file has taken over, and what becomes of one that crashes.

load helper
load daf

setup() {
	begin
	LIBRARY=$TAF_BUILD/obj/tests/fault/taken.so
	[ -e "$LIBRARY" ] || skip "no library that is taken over: a static or sanitized build"
	need hdf5
	export TMPDIR=$T/tmp
	mkdir work tmp
	cd work || return
	mktaf in.taf int16 300,70
	taf2hdf -q --deflate 4 a.h5 d in.taf
}

confined() {
	hdf2taf -v a.h5 2>&1 >/dev/null | grep -q 'rights: few files and calls' ||
		skip "this system has no Landlock, or no seccomp"
}

# taken COMMAND...: what its library could do is in err; it goes on as if nothing had been
taken() {
	TAKEN=${WHAT-$T/elsewhere} LD_PRELOAD=$LIBRARY "$@"
}

# powerless COMMAND...: it was taken over, for nothing
powerless() {
	taken "$@" >out 2>err </dev/null || { echo "failed: $*"; cat err; return 1; }
	grep -qx "open ${OPEN-13} make 13 rights 1 socket 1 local 1 ring 1 run 1 type 1" err ||
		{ echo "with rights: $*"; cat err; return 1; }
}

@test "a decoder that was taken over opens, changes, sends and runs nothing" {
	need zlib bzip2 lzma jansson archive zstd blosc
	confined
	local k seeds=$BATS_TEST_DIRNAME/fuzz/corpus
	cp "$seeds/keysight_h5/int16,float" scope.h5
	powerless hdf2taf -q a.h5 -o out.taf
	cmp <(tail -c 42000 out.taf) <(tail -c 42000 in.taf)
	powerless hdf2taf --list a.h5
	powerless keysight2taf -q scope.h5 -o out-%d.taf
	powerless tafconvert -q scope.h5
	powerless ten2taf -q "$seeds/tar/g.tar.gz" -o t-%d.taf
	for k in zlib bzip2 xz; do
		powerless gta2taf -q "$seeds/gta/$k"
	done
	powerless mat2taf -q "$seeds/mat/packed_le" -N 1
	powerless mat2taf --list "$seeds/mat/packed_le"
	mkdaf store
	for k in gzip zstd blosc; do
		taf2zarr -q --pack $k $k.zarr v in.taf
		powerless zarr2taf -q $k.zarr v -o $k.taf
		same $k.taf gzip.taf
	done
	powerless dafls store
	powerless daf2taf -q store cell/age
	# arrays may lie anywhere
	OPEN=0
	powerless taf2hdf -q -f a.h5 e in.taf
	powerless taf2daf -q -f store cell/age <(tafmath -n 3 i1)
	powerless taf2zarr -q -f gzip.zarr v in.taf
	[ ! -e ../elsewhere ]
}

@test "taf-fetch, taken over, makes and runs nothing" {
	need curl
	confined
	export TAF_HTTP_TIMEOUT=1 TAF_HTTP_WAIT=0.01
	! taken tafread http://127.0.0.1:1/a.taf >out 2>err || false
	grep -qx "open 0 make 13 rights 1 socket 0 local 0 ring 1 run 1 type 1" err
}

@test "what is needed late is there: a pipe, a link, other folders, --out" {
	mkdir there here
	ln -s there/link.taf link.taf
	status 3 keysight2taf <(cat a.h5)
	grep -q Waveforms err
	hdf2taf -q a.h5 -o link.taf
	[ -L link.taf ]
	hdf2taf -q a.h5 -o there/b.rsf --out=here/b.data
	tafcompare there/link.taf there/b.rsf
	seq 1 24 >there/table.txt
	(cd here && ln -s ../there/table.txt . && tafconvert -q table.txt && [ -e table.taf ])
	mv here/table.taf there/t.taf
	ln -s ../there/t.taf here/table.taf
	echo 25 >>there/table.txt
	mkdir elsewhere
	(cd here && TMPDIR=$PWD/../elsewhere tafconvert -qf table.txt && [ -L table.taf ])
	equal "$(tafprobe -k n1 there/t.taf)" 25
	tafconvert -q -D new there/table.txt
	same new/table.taf here/table.taf
	# a new Zarr store in a folder that is not this one
	! grep -q 'HAVE_JANSSON 1' "$TAF_BUILD/config.h" || taf2zarr -q there/n.zarr/ v in.taf
}

# crashes STATUS TEXT COMMAND...: one line, and no file of it is left
crashes() {
	local before
	before=$(ls -A .. . ../tmp)
	ends "$1" taken "${@:3}" >/dev/null
	equal "$(cat err)" "$3: $2"
	rm err
	equal "$(ls -A .. . ../tmp)" "$before"
}

@test "where a library crashes its file is told, and none is left" {
	local TAKEN_IN
	need archive
	cp a.h5 b.h5
	cp "$BATS_TEST_DIRNAME/fuzz/corpus/tar/g.tar.gz" .
	cp "$BATS_TEST_DIRNAME/fuzz/corpus/keysight_h5/int16,float" scope.h5
	WHAT=crash
	broken='a broken file, which the library for'
	crashes 3 "a.h5: $broken HDF5 crashed on" hdf2taf a.h5
	export TAKEN_IN=inflate
	crashes 3 "a.h5: $broken HDF5 crashed on" hdf2taf a.h5 -o out.taf
	TAKEN_IN=H5Dread
	crashes 3 "scope.h5: $broken HDF5 crashed on" keysight2taf scope.h5 -o 'o-%d.taf'
	crashes 3 'scope.h5: its process died of signal 11' tafconvert scope.h5
	unset TAKEN_IN
	crashes 3 "a.h5: $broken HDF5 crashed on" taf2hdf a.h5 e in.taf
	crashes 3 "g.tar.gz: $broken tar archives crashed on" ten2taf g.tar.gz
	WHAT=memory
	crashes 4 'memory, which the library for HDF5 cannot do without' hdf2taf a.h5 -o out.taf
	same a.h5 b.h5
}

# waits: hdf2taf is at work, as process $!, and has made a temporary file
waits() {
	local n
	TAKEN=wait TAKEN_IN=inflate LD_PRELOAD=$LIBRARY hdf2taf a.h5 -o out.taf 2>err 3>&- &
	for ((n = 0; n < 500; n++)); do
		[ -z "$(find . -name '.out.taf.*')" ] || return 0
		sleep 0.02
	done
	ls -A
	cat err
	kill -9 $!
	return 1
}

# left: nothing of it, a second after the last process at the latest
left() {
	local k
	for ((k = 0; k < 50; k++)); do
		[ -n "$(find . -name '.out.taf.*')" ] || break
		sleep 0.02
	done
	[ -z "$(find . -name '*out.taf*')" ]
}

@test "a signal for either of its processes ends both" {
	local k code
	for k in TERM:143 HUP:129 KILL:137; do
		# else nobody tells the other one
		[ $k != KILL:137 ] || grep -q 'HAVE_PRCTL 1' "$TAF_BUILD/config.h" || continue
		waits
		kill -"${k%:*}" $!
		code=0
		wait $! || code=$?
		equal "$code" "${k#*:}"
		left
	done
	for k in SEGV:3 TERM:143 KILL:137; do
		waits
		kill -"${k%:*}" "$(cat /proc/$!/task/$!/children)"
		code=0
		wait $! || code=$?
		equal "$code" "${k#*:}"
		left
	done
}
