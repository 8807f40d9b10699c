#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Files behind URLs, from a server of our own that does what it should, and what it should not.

load helper
load commands
load serve

big_input() {
	mktaf www/in.taf int16 230,60
	printf 'first line\nsecond line\n' >>www/in.taf
}

# what it gives of a URL is what it gives of the file, whatever the server does, or a failure
as_of_the_file() {
	local name=${in##*/} mode
	# it maps
	[ "$cmd" != tafmap ] || return 0
	[[ ",$flags," != *,word,* ]] || args=("${args[@]}")
	[ "$in" = "$T/www/$name" ] || cp -n "$in" www
	call "www/$name" >want 2>/dev/null || return 1
	for mode in ok replace noranges; do
		# nobody knows whether another array will come of what is read once
		case $kind in gta | pgm) call < <(cat "$in") >want ;; esac
		# what prints names prints this one
		if call "$U/$mode/$name" 2>err | sed "s,$U/$mode,www,g" >got; then
			same want got && continue
		else
			[ "$mode" = replace ] && [ -s err ] && continue
		fi
		echo "$cmd of $mode"
		cat err
		return 1
	done
}

@test "each command reads a URL as the file, or fails" {
	serve
	set -o pipefail
	big_input
	ln -s www/in.taf in.taf
	each 'stream|print|from' as_of_the_file
}

@test "several arrays of a format behind a URL" {
	serve
	mktaf a.taf int16 7,3
	mktaf b.taf int16 5,4
	taf2gta -q a.taf b.taf -o www/two.gta
	taf2pgm -q a.taf b.taf -o www/two.pgm
	taf2ten -q a.taf b.taf -o www/two.ten
	for f in gta pgm ten; do
		"${f}2taf" -q -F rsf "www/two.$f" >want
		for mode in ok noranges; do
			"${f}2taf" -q -F rsf "$U/$mode/two.$f" >got
			same want got
		done
	done
}

@test "a Zarr store behind a URL: what is not there is the fill value, any other failure is one" {
	serve
	grep -q 'HAVE_JANSSON 1' "$TAF_BUILD/config.h" || skip 'built without jansson'
	grep -q 'HAVE_ZLIB 1' "$TAF_BUILD/config.h" || skip 'built without zlib'
	python3 - <<-'END'
		import array, json, os, shutil, zlib
		def put(path, data):
		    os.makedirs(os.path.dirname(path), exist_ok=True)
		    open(path, "wb").write(data if isinstance(data, bytes) else json.dumps(data).encode())
		def node(path, shape, chunks, dims):
		    put(path + "/.zarray", dict(zarr_format=2, shape=shape, chunks=chunks, dtype="<i4", order="C",
		        compressor={"id": "zlib"}, filters=None, fill_value=77, dimension_separator="/"))
		    put(path + "/.zattrs", {"_ARRAY_DIMENSIONS": dims})
		node("www/s/a b", [40, 100], [20, 30], ["t", "x"])
		for i in range(2):
		    for j in range(4):
		        part = array.array("i", [1000 * (20 * i + k // 30) + (30 * j + k % 30) for k in range(600)])
		        if (i, j) != (1, 2):
		            put("www/s/a b/%d/%d" % (i, j), zlib.compress(part.tobytes()))
		node("www/s/x", [100], [100], ["x"])
		put("www/s/x/0", zlib.compress(array.array("i", range(10, 310, 3)).tobytes()))
		put("www/s/.zgroup", {"zarr_format": 2})
		meta = {k: json.load(open("www/s/" + k)) for k in ("a b/.zarray", "x/.zarray")}
		shutil.copytree("www/s", "www/c")
		put("www/c/.zmetadata", {"zarr_consolidated_format": 1, "metadata": meta})
		shutil.make_archive("www/s", "zip", "www/s")
	END
	zarr2taf 'www/s' 'a b' -o want.taf
	equal "$(tafcrop -x 1=21 -x 2=61 want.taf | tafread)" 77
	equal "$(tafcrop -x 1=25 -x 2=92 want.taf | tafread)" 24091
	equal "$(tafcrop want.taf | LC_ALL=C grep -a '^	o2=')" '	o2=10'
	while read -r want mode text; do
		rm -f got.taf
		status "$want" zarr2taf -J 3 "$U/$mode/s?word=secret" '/a b' -o got.taf
		if [ "$want" = 0 ]; then
			same want.taf got.taf
		else
			[ ! -e got.taf ]
			one_line err
		fi
		[ -z "$text" ] || grep -q "$text" err || { echo "$mode: $(<err)"; return 1; }
		! grep -q secret err
	done <<-END
		0 ok
		0 noranges
		0 plain neither a strong ETag nor Last-Modified
		0 busy:2
		0 moved
		4 status:403 HTTP status 403
		4 busy:9 HTTP status 503
		3 status:404 no such array
		3 gzip encoding
		3 replace changed while it was read
		4 cut:100 after 5 further tries
		4 cutgone:100 HTTP status 404
	END
	one_line <(zarr2taf "$U/plain/s" 'a b' 2>&1 >/dev/null)
	for mode in ok noranges; do
		status 0 zarr2taf "$U/$mode/s.zip?a.b" 'a b' -o got.taf
		same want.taf got.taf
		status 0 zarr2taf --list "$U/$mode/c" -o list
		printf '/a b\t<i4\t40,100\t20,30\tzlib\n/x\t<i4\t100\t100\tzlib\n' >lines
		same lines list
	done
	refuse 3 zarr2taf --list "$U/ok/s"
	# a chunk alone, and a few requests
	: >log
	zarr2taf -x 1=3 -x 2=31:60 "$U/ok/s" 'a b' | tafread >got
	equal "$(awk '{ s += $1 } END { print s, NR }' got)" "$((30 * 2000 + (30 + 59) * 15)) 30"
	[ "$(asked | cut -d' ' -f1)" -le 10 ]
	# one program reads all objects of a server, those too that are not there
	printf '#!/bin/sh\necho >>starts\nexec "%s"\n' "$TAF_BIN/../libexec/taftools/taf-fetch" >count
	chmod 755 count
	TAF_FETCH=./count zarr2taf -J 1 "$U/ok/s" 'a b' -o got.taf
	same want.taf got.taf
	[ "$(grep -c '' starts)" -le 3 ]
	# without the program that fetches, nothing is taken for a chunk that is not there
	TAF_FETCH=/nowhere status 4 zarr2taf "$U/ok/s" 'a b' -o none.taf
	[ ! -e none.taf ]
}

@test "a region costs the header and its bytes" {
	serve
	mktaf www/cube.taf int16 1000,30,40
	# header and first bytes, then points 1 to 1000 of 30 lines
	while read -r requests bytes words; do
		# shellcheck disable=SC2086
		tafcrop $words www/cube.taf -o want.taf
		: >log
		# shellcheck disable=SC2086
		tafcrop $words "$U/ok/cube.taf" -o got.taf
		same want.taf got.taf
		equal "$(asked)" "$requests $bytes"
	done <<-END
		2 64096 -x 3=17
		2 124096 -x 3=17:18
		3 124096 -x 3=10:30:20
		1 4096 -x 1=1:10 -x 2=1 -x 3=1
		2 2401128 -x 1=501:1000
	END
}

@test "tafprobe asks once" {
	serve
	mktaf www/in.taf int16 230,60
	: >log
	tafprobe "$U/ok/in.taf" >/dev/null
	equal "$(asked)" '1 4096'
}

@test "whatever a server does, the bytes are those of the file, or there are none" {
	serve
	big_input
	tafcrop www/in.taf -o want.taf
	while read -r want mode text; do
		rm -f got.taf
		status "$want" tafcrop "$U/$mode/in.taf" -o got.taf
		if [ "$want" = 0 ]; then
			same want.taf got.taf
		else
			[ ! -e got.taf ]
			one_line err
		fi
		[ -z "$text" ] || grep -q "$text" err || { echo "$mode: $(<err)"; return 1; }
	done <<-END
		0 ok
		0 noranges
		0 weak neither a strong ETag nor Last-Modified
		0 dated
		0 plain neither a strong ETag nor Last-Modified
		0 busy:3
		4 busy:9 HTTP status 503, after 5 further tries
		0 later
		0 moved
		4 loop redirects
		0 cutonce:100
		0 cutonce:9000
		0 pieces:3000
		4 cut:100 after 5 further tries
		4 cut:9000 after 5 further tries
		4 streamcut:9000 after 5 further tries
		4 plaincut:9000 at byte 9000, and the server gives no parts
		3 changing changed while it was read
		3 whole changed while it was read
		3 none changed while it was read
		3 total changed while it was read
		3 grow changed while it was read
		3 shrink changed while it was read
		3 replace changed while it was read
		3 careless changed while it was read
		3 redated changed while it was read
		3 streamcareless:9000 changed while it was read
		3 unnamed changed while it was read
		3 cutempty:100 changed while it was read
		4 cutgone:100 HTTP status 404
		3 shifted does not give the bytes that were asked for
		3 short does not give the bytes that were asked for
		3 long more bytes than were asked for
		3 gzip in an encoding
		3 endless does not say where the bytes end
		0 chunked
		3 twolengths:12 another number of bytes than it says
		4 stall:1 no byte came for 1 s
		4 status:401 not allowed
		4 status:403 not allowed
		4 status:404 not there
		4 status:410 not there
		4 status:500 after 5 further tries
	END
}

@test "a connection that is cut at any byte, and a byte at a time" {
	serve
	mktaf in.taf int16 700,3
	tafcrop in.taf -o www/in.taf
	size=$(wc -c <www/in.taf)
	for ((k = 0; k < size; k += 197)); do
		tafcrop "$U/cutonce:$k/in.taf" -o got.taf
		same www/in.taf got.taf
		rm got.taf
		ends 4 tafcrop "$U/cut:$k/in.taf" -o got.taf
		[ ! -e got.taf ]
	done
	tafcrop "$U/drip/in.taf" -o got.taf
	same www/in.taf got.taf
}

@test "large files come whole, in order, by any thread" {
	serve
	tafmath -n 3000,700 -t flt64 'x1 + 3000*x2' -o www/in.taf
	for words in '-m 1M' '-m 64k -J 1' ''; do
		# shellcheck disable=SC2086
		tafpermute $words -d 2,1 "$U/ok/in.taf" -o got.taf
		tafpermute -d 2,1 www/in.taf -o want.taf
		same want.taf got.taf
		# shellcheck disable=SC2086
		tafreduce $words std -d 1 "$U/ok/in.taf" -o got.taf
		tafreduce std -d 1 www/in.taf -o want.taf
		same want.taf got.taf
	done
	tafmath 'a - b' "$U/ok/in.taf" "$U/noranges/in.taf" | tafsummarize | grep -qx 'max *0 .*'
}

@test "elements of a header lie beside it, and never here" {
	serve
	mkdir www/d
	mktaf in.taf int16 23,60
	tafcrop in.taf -F rsf --out=data.rsf@ -o head.rsf
	mv head.rsf data.rsf@ www/d
	tafcrop www/d/head.rsf -o want.taf
	tafcrop "$U/ok/d/head.rsf?x=1" -o got.taf
	same want.taf got.taf
	tafcrop "$U/noranges/d/head.rsf" -o got.taf
	same want.taf got.taf
	# a file of this machine
	sed "s,in=\"[^\"]*\",in=\"$T/www/d/data.rsf@\"," www/d/head.rsf >www/d/bad.rsf
	refuse 4 tafcrop "$U/ok/d/bad.rsf"
	grep -q 'HTTP status 404' err
}

@test "other formats come from URLs, and taf knows them" {
	serve
	captures
	mv C1.trc burst.wfm scope_1.bin www
	for name in C1.trc burst.wfm scope_1.bin; do
		taf -q crop "www/$name" >want
		taf -q crop "$U/ok/$name" >got
		same want got
	done
	# some traces are asked for, not the file
	perl -e 'print pack("A3200", "C"), pack("x16nx2nx2nx274nx98", 4000, 30000, 5, 256);
		print pack("N2x106n2x122N*", $_, $_, 30000, 4000, 1 .. 30000) for 1 .. 40' >www/x.sgy
	for bounds in 2=3:4 2=3:39:4; do
		segy2taf -x $bounds www/x.sgy >want
		: >log
		segy2taf -x $bounds "$U/ok/x.sgy" >got
		same want got
		read -r n bytes < <(asked)
		echo "$bounds: $n requests, $bytes bytes"
		[ "$n" -le 16 ]
		[ "$bytes" -lt 2000000 ]
	done
	# what stands behind the name is no part of it
	tafconvert -q -D want.d www/C1.trc
	tafconvert -q -D got.d "$U/ok/C1.trc?key=a/b.c"
	diff -r want.d got.d
	refuse 2 tafconvert "$U/ok/C1.trc?key=hidden"
	grep -q 'ok/C1.trc: nothing is written beside a URL: use -D$' err
	need hdf5
	gzip -dc "$BATS_TEST_DIRNAME/hdf/cf.nc.gz" >www/run.nc
	hdf2taf -q www/run.nc v >want
	hdf2taf "$U/ok/run.nc" v >got 2>err
	same want got
	grep -q 'read whole, into a temporary file' err
}

@test "tafspread reads its slabs from a URL" {
	serve
	mktaf www/in.taf int16 500,30,8
	tafspread -q --slabs 4 -d 3 -o want.taf www/in.taf 'tafadjust --shift 1=1'
	: >log
	tafspread -q --slabs 4 -d 3 -o got.taf "$U/ok/in.taf" 'tafadjust --shift 1=1'
	same want.taf got.taf
}

@test "over TLS, by an authority that is known; never back to http" {
	need openssl
	mktaf in.taf int16 230,60
	openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out ca.pem -days 2 \
		-subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 2>/dev/null
	cat key.pem ca.pem >cert.pem
	serve cert.pem
	tafcast -t flt64 in.taf -o www/in.taf
	refuse 4 tafcrop "$U/ok/in.taf"
	TAF_HTTP_CA=ca.pem tafcrop "$U/ok/in.taf" -o got.taf
	same www/in.taf got.taf
	TAF_HTTP_CA=ca.pem refuse 4 tafcrop "$U/elsewhere:1/in.taf"
	TAF_HTTP_CA=none.pem refuse 4 tafcrop "$U/ok/in.taf"
	grep -q 'TAF_HTTP_CA' err
}

@test "credentials are used, and told to nobody" {
	serve
	mktaf in.taf int16 230,60
	tafcrop in.taf -o www/in.taf
	echo word >token
	refuse 4 tafcrop "$U/secret/in.taf"
	TAF_HTTP_BEARER_FILE=token tafcrop "$U/secret/in.taf" -o got.taf
	same www/in.taf got.taf
	# what stands in a URL
	name=${U/:\/\//:\/\/me:hidden@}
	TAF_HISTORY=on tafcrop "$name/ok/in.taf?key=hidden#hidden" >got
	tafmath --let "b=$name/ok/in.taf?key=hidden" 'b - b' -n 1 >/dev/null 2>err || :
	grep -q taf_ got
	run ! grep -q hidden got err
	status 4 tafcrop "$name/status:404/in.taf?key=hidden"
	run ! grep -q hidden err
	status 0 tafprobe "$name/ok/in.taf?key=hidden"
	run ! grep -q hidden out err
}

@test "names of S3" {
	serve
	mkdir www/bucket
	mktaf in.taf int16 230,60
	tafcrop in.taf -o www/bucket/in.taf
	export AWS_ENDPOINT_URL=$U/ok AWS_REGION=nowhere
	tafcrop s3://bucket/in.taf -o got.taf
	same www/bucket/in.taf got.taf
	AWS_ENDPOINT_URL=$U/signed refuse 4 tafcrop s3://bucket/in.taf
	export AWS_ACCESS_KEY_ID=user AWS_SECRET_ACCESS_KEY=hidden
	AWS_ENDPOINT_URL=$U/signed tafcrop s3://bucket/in.taf -o got.taf
	same www/bucket/in.taf got.taf
	# tokens are long
	rm got.taf
	AWS_SESSION_TOKEN=$(printf %2000s '' | tr ' ' x)
	export AWS_SESSION_TOKEN
	AWS_ENDPOINT_URL=$U/token:2000 tafcrop s3://bucket/in.taf -o got.taf
	same www/bucket/in.taf got.taf
	# and go to no other host
	AWS_ENDPOINT_URL=$U/elsewhere:${U##*:} refuse 4 tafcrop s3://bucket/in.taf
	unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN
	AWS_ACCESS_KEY_ID=user refuse 4 tafcrop s3://bucket/in.taf
	refuse 4 tafcrop s3://bucket
}

@test "a URL is not written, mapped, watched" {
	refuse 2 tafmath -n 3 x1 -o http://127.0.0.1:9/x.taf
	refuse 2 tafadjust -i --shift 1=1 http://127.0.0.1:9/x.taf
	refuse 2 tafput -i a=1 http://127.0.0.1:9/x.taf
	mktaf in.taf int16 7,3
	refuse 2 tafappend -o s3://a/b in.taf in.taf
	refuse 2 tafmap http://127.0.0.1:9/x.taf
	refuse 2 tafwatch http://127.0.0.1:9/x.taf
	refuse 2 tafsplit -d 2 -o http://127.0.0.1:9/%d.taf in.taf
}

kept_bytes() {
	find kept -type f -printf '%b\n' | perl -ne '$n += $_; END { print 512 * $n }'
}

@test "what TAF_CACHE keeps is not fetched again, and is never wrong" {
	local n file
	serve
	mktaf www/in.taf int16 7000,90
	tafcrop -x 2=7:70 -x 1=100:6500 www/in.taf -o want.taf
	export TAF_CACHE=$T/kept
	for n in 1 2; do
		: >log
		tafcrop -x 2=7:70 -x 1=100:6500 "$U/ok/in.taf?secret" -o got.taf
		same want.taf got.taf
	done
	equal "$(asked)" '1 4096'
	file=$(echo kept/*)
	[ -z "$(grep secret "$file")" ]
	# another part: what both have is there
	: >log
	tafcrop -x 2=60:90 "$U/ok/in.taf?secret" | tafcompare - <(tafcrop -x 2=60:90 www/in.taf)
	[ "$(asked | cut -d ' ' -f 2)" -lt $((4096 + 14000 * 24)) ]
	# bytes that are damaged, and lengths, anywhere
	for n in 100 150000 500000 $((1310720 + 9)) $((1310720 + 16 * 9)); do
		printf '\245' | dd of="$file" bs=1 seek="$n" conv=notrunc status=none
	done
	truncate -s $((1310720 + 16 * 15 + 3)) "$file"
	tafcrop -x 2=7:70 -x 1=100:6500 "$U/ok/in.taf?secret" -o got.taf
	same want.taf got.taf
	# another version, of the same size
	tafmath -t int16 '1 - a' www/in.taf -o www/in.taf -f
	tafcrop -x 2=7:70 "$U/ok/in.taf?secret" | tafcompare - <(tafcrop -x 2=7:70 www/in.taf)
	equal "$(find kept -type f | wc -l)" 2
	# the oldest goes
	touch -d 2001-01-01 "$file"
	TAF_CACHE_SIZE=0.0021G tafcrop "$U/ok/in.taf?more" | tafcompare - www/in.taf
	[ ! -e "$file" ]
	[ "$(kept_bytes)" -le 2254857 ]
	TAF_CACHE_SIZE=0.0001G tafcrop "$U/ok/in.taf?yet" | tafcompare - www/in.taf
	[ "$(kept_bytes)" -le 107374 ]
	TAF_CACHE=$T/no/such refuse 4 tafcrop "$U/ok/in.taf"
	TAF_CACHE_SIZE=10 refuse 4 tafcrop "$U/ok/in.taf"
}

@test "without taf-fetch, and where it ends, nothing is given" {
	TAF_FETCH=./none refuse 4 tafcrop http://127.0.0.1:9/x.taf
	grep -q ./none err
	TAF_FETCH=$(command -v true) refuse 4 tafcrop http://127.0.0.1:9/x.taf
	printf '#!/bin/sh\ncat <&0 >&0\n' >echo
	chmod 755 echo
	TAF_FETCH=./echo refuse 4 tafcrop http://127.0.0.1:9/x.taf
	serve
	refuse 4 tafcrop http://127.0.0.1:9/x.taf
	mktaf www/in.taf int16 7000,3
	TAF_HTTP_TIMEOUT=20 tafcrop "$U/stall:1/in.taf" -o got.taf 2>err 3>&- &
	until child=$(grep -l "^PPid:.*[^0-9]$!\$" /proc/[0-9]*/status 2>/dev/null); do
		sleep 0.02
	done
	sleep 0.2
	child=${child#/proc/}
	kill -9 "${child%/status}"
	got=0
	wait $! || got=$?
	equal "$got" 4
	[ ! -e got.taf ]
}

@test "what is fetched is compared with the tree beside it" {
	serve
	tafmath -n 1000,1700 -t int16 'x1 - x2' -o www/in.taf
	tafchecksum --tree www/in.taf.b3 www/in.taf >/dev/null
	export TAF_VERIFY=1
	: >log
	tafcrop -x 2=900 "$U/ok/in.taf?a=b" -o got.taf
	tafcrop -x 2=900 www/in.taf -o want.taf
	same want.taf got.taf
	# the header, one piece, and the tree of 4
	equal "$(asked)" "3 $((4096 + 1048576 + $(wc -c <www/in.taf.b3)))"
	perl -e 'open F, "+<", "www/in.taf"; seek F, 1104 + 2 * 899599, 0; print F "x"'
	rm got.taf
	refuse 3 tafcrop -x 2=900 "$U/ok/in.taf" -o got.taf
	grep -q in.taf.b3 err
	rm www/in.taf.b3
	tafcrop -x 2=900 "$U/ok/in.taf" -o got.taf
}
