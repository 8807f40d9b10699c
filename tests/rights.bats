# SPDX-License-Identifier: ISC
# What a decoder may do that a hostile file has taken over, and what becomes of one that crashes.

load helper
load daf
load serve

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

# far_files: www/s has files that are read behind $U/ok/s, and www/secret is none of them
far_files() {
	serve
	mkdir www/s
	cp a.h5 www/s/a.h5
	taf2zarr -q --pack zstd --chunks 60,20 www/s/z v in.taf
	taf2sigmf -q -o www/s/x in.taf
	cp in.taf www/s
	cp in.taf www/secret
	taf2zarr -q here.zarr v in.taf
}

@test "a decoder that was taken over has no rights where more is read from a URL, either" {
	need zstd jansson curl
	confined
	far_files
	powerless zarr2taf -q -J 3 "$U/ok/s/z" v -o got.taf
	cmp <(tail -c 42000 got.taf) <(tail -c 42000 in.taf)
	powerless sigmf2taf -q "$U/ok/s/x.sigmf-meta" "$U/dated/s/x.sigmf-meta" -o got-%d.taf
	sigmf2taf -q www/s/x.sigmf-meta -o want.taf
	same want.taf got-2.taf
	OPEN=0
	powerless taf2zarr -q -f here.zarr w "$U/ok/s/in.taf"
	zarr2taf -v "$U/ok/s/z" v 2>&1 >/dev/null | grep -q 'rights: few .*taf-fetch'
}

# asks HOW URL FUNCTION COMMAND...: it was taken over there, and taf-fetch is asked for the URL
asks() {
	TAKEN_ASK=$1 TAKEN_URL=$2 TAKEN_IN=$3 taken "${@:4}" >out 2>err </dev/null || :
	grep -q '^answers' err || { echo "${*:2}"; cat err; return 1; }
}

@test "taf-fetch gives a decoder that was taken over no other URL than those that were given" {
	need zstd jansson curl
	far_files
	while read -r how url in command; do
		# shellcheck disable=SC2086
		asks "$how" "$url" "$in" $command
		run ! grep '^answers 4' err
		[ -z "$output" ] || { echo "$command has $url"; return 1; }
	done <<-END
		another $U/ok/secret json_loadb zarr2taf $U/ok/s/z v
		more $U/ok/secret json_loadb zarr2taf $U/ok/s/z v
		another $U/ok/s/x.sigmf-data json_loadb zarr2taf $U/ok/s/z v
		another $U/ok/s/z/../../secret json_loadb zarr2taf $U/ok/s/z v
		another $U/ok/s/z/%2e%2E/%2e./secret json_loadb zarr2taf $U/ok/s/z v
		another $U/ok/s/z/..%2f..%2Fsecret json_loadb zarr2taf $U/ok/s/z v
		another http://localhost:${U##*:}/ok/s/z/v/.zarray json_loadb zarr2taf $U/ok/s/z v
		another $U/ok/secret json_loadb sigmf2taf $U/ok/s/x.sigmf-meta
		same $U/ok/secret json_loadb sigmf2taf $U/ok/s/x.sigmf-meta
		same $U/ok/s/x.sigmf-data H5Fopen hdf2taf -q $U/ok/s/a.h5 d
		another http://localhost:${U##*:}/ok/s/in.taf json_loadb taf2zarr -q here.zarr w $U/ok/s/in.taf
	END
	while read -r how url in command; do
		# shellcheck disable=SC2086
		asks "$how" "$url" "$in" $command
		grep -q '^answers 4' err || { echo "$command has no $url"; return 1; }
	done <<-END
		another $U/ok/s/z/v/.zarray?x json_loadb zarr2taf $U/ok/s/z v
		another $U/ok/s/x.sigmf-data json_loadb sigmf2taf $U/ok/s/x.sigmf-meta
		same $U/ok/s/x.sigmf-data json_loadb sigmf2taf $U/ok/s/x.sigmf-meta
		same $U/ok/s/a.h5 H5Fopen hdf2taf -q $U/ok/s/a.h5 d
		another $U/ok/secret json_loadb taf2zarr -q here.zarr w $U/ok/s/in.taf
	END
}

@test "the taf-fetch that starts others ends with its command, and holds no output open" {
	need zstd jansson curl
	far_files
	printf '#!/bin/sh\necho $$ >>pids\nexec "%s"\n' \
		"$TAF_BIN/../libexec/taftools/taf-fetch" >named
	chmod 755 named
	export TAF_FETCH=./named
	# one that stays must not keep bats waiting
	zarr2taf -q -J 3 "$U/noranges/s/z" v 3>&- | cat >got
	zarr2taf -q www/s/z v | cat >want
	same want got
	# killed where it waits for a server that says nothing
	TAF_HTTP_TIMEOUT=60 zarr2taf -q "$U/stall:1/s/z" v >got 3>&- &
	until [ "$(grep -c '' pids)" = 2 ]; do sleep 0.02; done
	kill -9 $!
	wait $! || :
	equal "$(grep -c '' pids)" 2
	while read -r pid; do
		for ((k = 0; k < 100; k++)); do
			# it is gone, or a process that nobody has asked for
			grep -qs '^State:.[^Z]' "/proc/$pid/status" || break
			sleep 0.05
		done
		[ $k -lt 100 ] || { xargs kill <pids; false; }
	done <pids
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
