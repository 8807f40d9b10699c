# SPDX-License-Identifier: ISC
# Whatever call of a command fails: status 4, one line of message and all files as they were; or
# the result is right.

load helper
load commands
load daf

# Invocations, besides what the table of all commands gives: the command, its standard input (-
# for nothing, FILE, pipe:FILE), and its words.  A target called out* is there already.  Those of
# a command of kind "tool" stand in its own suite, on lines "# in turn: STDIN WORDS".
rows() {
	cat <<'END'
tafappend	-	-q -d 1 -m 64k large.taf large.taf -o out.rsf
tafappend	-	-q -i small.taf more.taf
tafappend	-	-q -i small.taf small.taf
tafcomment	-	-q -C more small.taf -o out.taf
tafcomment	-	-q -i -C more small.taf
tafcreate	-	-q -n 6, -e flt32le -t int16 numbers -o out.taf
tafcreate	pipe:numbers	-q -n 6, -e flt32le -t int16
tafcrop		-	-q -i -x 1=2:9:3 small.taf
tafcrop		-	-q -x 1=2:9:3 old.taf -o out.taf
tafcrop		-	-q small.taf complex.taf -o out-%d.taf
tafcrop		pipe:ascii.rsf	-q
tafcrop		pipe:complex.taf	-q
tafcrop		-	-q apart.rsf -o out.rsf
tafcrop		-	-q crashed.taf -o out.rsf
tafpermute	-	-q -m 64k -d 2,1 large.taf -o out.taf
tafpermute	pipe:large.taf	-q -m 64k -d 2,1
tafplot		-	-q -x 2=1 small.taf -o out.svg
tafplot		-	-q small.taf -o out.txt
tafprobe	-	-q crashed.taf
tafread		-	-q -c small.taf
taftone		in.taf	-q --points 50 --count 2 -d 2 - -o out.rsf
taftone		pipe:in.taf	-q --points 64,40 --noise density.taf --region region.taf
taftype		-	-q -i --set 3 small.taf
END
	rows_of_tools
	rows_of_table
}

rows_of_tools() {
	local cmd kind rest
	while read -r cmd kind rest; do
		[ "$kind" = tool ] || continue
		case $cmd in
		*daf* | *zarr*) grep -q 'HAVE_JANSSON 1' "$TAF_BUILD/config.h" || continue ;;
		*hdf*) grep -q 'HAVE_HDF5 1' "$TAF_BUILD/config.h" || continue ;;
		esac
		sed -n "s/^# in turn: /$cmd /p" "$BATS_TEST_DIRNAME/$cmd.bats"
	done < <(table)
}

# From a pipe to a pipe, from a file to a file, and in place.
rows_of_table() {
	local cmd kind flags words in to
	while read -r cmd kind flags words; do
		[ -x "$TAF_BIN/$cmd" ] && [ "$kind" != tool ] || continue
		case $kind in
		stream | print) in=in.taf ;;
		seed) in=in.$cmd ;;
		*) in=in.$kind ;;
		esac
		to=
		! to_file || to="-o out.rsf"
		case $flags in *named*) ;; *) echo "$cmd pipe:$in -q $words" ;; esac
		echo "$cmd - -q $words $in $to"
		case $kind,$flags in
		stream,*one*) ;;
		stream,*) ! takes -i || echo "$cmd - -q $words -i small.taf" ;;
		esac
	done < <(table)
}

# Memory of a library that fails: the library, the command and its words.  jansson asks us for its
# own (-).
rows_of_libraries() {
	cat <<'END'
libz	gta2taf		-q zlib.gta -o out.taf
libbz2	gta2taf		-q bzip2.gta -o out.taf
liblzma	gta2taf		-q xz.gta -o out.taf
libz	daf2taf		-q gzip.daf c/v -o out.taf
libzstd	daf2taf		-q zstd.daf c/v -o out.taf
libzstd	daf2taf		-q blosc.daf c/v -o out.taf
libblosc	daf2taf		-q blosc.daf c/v -o out.taf
libz	taf2daf		-q --pack gzip gzip.daf c/w long.taf
libzstd	taf2daf		-q --pack zstd zstd.daf c/w long.taf
libzstd	taf2daf		-q --pack blosc blosc.daf c/w long.taf
libblosc	taf2daf		-q --pack blosc blosc.daf c/w long.taf
-	dafls		-q zstd.daf
libz	ten2taf		-q g.tar.gz -o out.rsf
libbz2	ten2taf		-q b.tar.bz2 -o out.rsf
liblzma	ten2taf		-q x.tar.xz -o out.rsf
libarchive	ten2taf		-q x.tar.xz -o out.rsf
libarchive	taf2ten		-q --tar small.taf -o out.tar
libhdf5	hdf2taf		-q run.nc v -o out.rsf
libz	hdf2taf		-q run.nc v -o out.rsf
libhdf5	hdf2taf		--list run.nc
libhdf5	keysight2taf	-q scope.h5 -o out.rsf
libhdf5	taf2hdf		-q new.h5 v small.taf
libhdf5	taf2hdf		-q -f run.nc v small.taf
END
}

# files that need the libraries
make_packed() {
	local k corpus=$BATS_TEST_DIRNAME/fuzz/corpus
	for k in zlib bzip2 xz; do
		cp "$corpus/gta/$k" "files/$k.gta"
	done
	cp "$corpus"/tar/{g.tar.gz,b.tar.bz2,x.tar.xz} files
	cp "$corpus/keysight_h5/int16,float" files/scope.h5
	perl -e 'print pack "s<*", map { $_ % 3000 } 1 .. 40000' | tafcreate -n 40000 -t int16 -o files/long.taf
	for k in gzip zstd blosc; do
		mkdir -p files/$k.daf/{axes,scalars,vectors/c,matrices/c/c}
		echo '{"version":[1,1]}' >files/$k.daf/daf.json
		seq 1 40000 >files/$k.daf/axes/c.txt
		taf2daf -q --pack $k files/$k.daf c/v files/long.taf
	done
}

# poke FILE OFFSET BYTES
poke() {
	printf '%b' "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# the files that the rows name, in the folder files
make_files() {
	local cmd kind rest
	mkdir files files/folder
	cd files
	mktaf in.taf int16 220,160
	mktaf small.taf int16 11,6
	mktaf more.taf int16 11,6 3
	mktaf large.taf int16 301,157
	printf 'first line\nsecond line\n' | tee -a in.taf >>small.taf
	while read -r cmd kind rest; do
		case $kind in
		stream | print | tool) ;;
		seed) [ ! -x "$TAF_BIN/$cmd" ] || fixture_seed "in.$cmd" ;;
		*) [ -e "in.$kind" ] || "fixture_$kind" "in.$kind" ;;
		esac
	done < <(table)
	mkdaf store
	mktaf column.taf int16 3,1
	mktaf matrix.taf int16 3,2
	mktaf one.taf int16 1,1
	cp in.text table.txt
	txt2taf -q -t flt64 table.txt -o region.taf
	tafadjust --start 1=0 --step 1=1 column.taf -o density.taf
	gzip -dc "$BATS_TEST_DIRNAME/hdf/cf.nc.gz" >run.nc
	zarr_store
	radio
	cp in.dig2taf shot.dig
	# of the old kind
	cp small.taf old.taf
	poke old.taf 3 '(\001\000)'
	poke old.taf 1024 '\020\0\0\0\0\0\0\0'
	perl -e 'print pack "f<*", map { $_ / 4 } 1 .. 6' >numbers
	rsf complex.rsf 'data_format="xdr_complex" n1=3 n2=4' \
		"$(perl -e 'print map { sprintf "\\%03o", $_ % 101 } 1 .. 96')"
	tafcrop -q complex.rsf -o complex.taf
	rsf ascii.rsf 'data_format="ascii_float" n1=3 n2=2' '1.5 -2 3e4 4 5 6\n'
	printf 'n1=4 n2=3 data_format="native_float" in="apart.rsf.data"\n' >apart.rsf
	head -c 48 in.raw >apart.rsf.data
	cp small.taf crashed.taf
	planted 'ftruncate 1 -9' tafappend -i crashed.taf more.taf || true
	[ -e crashed.taf.undo ]
	mkdir bin
	printf '#!/bin/sh\ncat >/dev/null\necho picture\n' >bin/gnuplot
	chmod +x bin/gnuplot
	PATH=$PWD/bin:$PATH
	cd ..
}

# planted FAULT COMMAND...: with this fault
planted() {
	FAULT=$1 FAULT_COUNT=$T/count LD_PRELOAD=$LIBRARY "${@:2}"
}

setup() {
	begin
	LIBRARY=$TAF_BUILD/obj/tests/fault/fault.so
	[ -e "$LIBRARY" ] || skip "no library that plants faults: a static or sanitized build"
	export TAF_HISTORY=on LOGNAME=nobody
}

# in_turn ROW...: each call of it fails in turn
in_turn() {
	local stdin=${2%@*} of word folder
	of=${2#"$stdin"}
	folder=$(mktemp -d "$T/row.XXXXXX")
	set -- "$1" "${@:3}"
	for word; do
		[ ! -e "files/$word" ] || cp -r "files/$word" "files/$word".* "files/${word%-meta}-data" \
			"$folder" 2>/dev/null || true
		case $word in out*) echo before >"$folder/$word" ;; esac
	done
	case $stdin in
	-) stdin=/dev/null ;;
	pipe:*) stdin=pipe:$PWD/files/${stdin#*:} ;;
	*) stdin=$PWD/files/$stdin ;;
	esac
	perl "$BATS_TEST_DIRNAME/fault/each.pl" "$LIBRARY" "$folder" "$stdin$of" "$@" || echo "$*" >>failed
	rm -rf "$folder"*
}

@test "every command has a row" {
	rows | awk '{ print $1 }' >known
	for c in "$TAF_BIN"/*; do
		grep -qx "${c##*/}" known || { echo "no row: ${c##*/}"; bad=1; }
	done
	[ -z "${bad:-}" ]
}

# all_rows COMMAND...: in_turn for the rows of these commands, two at a time
all_rows() {
	local row n=0 passed=()
	make_files
	while read -ra row; do
		# shellcheck disable=SC2053
		[[ ${row[0]} == $1 && -x $TAF_BIN/${row[0]} ]] || continue
		in_turn "${row[@]}" &
		n=$((n + 1))
		[ $((n % 2)) -ne 0 ] || wait
	done < <(rows)
	wait
	: >>failed
	while read -r row; do
		# shellcheck disable=SC2053
		[[ $row != $1 || ! -x $TAF_BIN/$row ]] || grep -q "^$row " failed || passed+=("$row")
	done < <(rows | awk '{ print $1 }' | sort -u)
	did in_turn "${passed[@]}"
	[ "$n" -gt 0 ]
	[ ! -s failed ]
}

@test "each call fails in turn: a to m" {
	all_rows '*[a-m]'
}

@test "each call fails in turn: n to z" {
	all_rows '*[n-z]'
}

@test "memory of each library fails in turn: 4, and no sound file is called damaged" {
	local row n=0
	need zlib bzip2 lzma hdf5 jansson archive zstd blosc
	make_files
	make_packed
	while read -ra row; do
		in_turn "${row[1]}" "-@${row[0]#-}" "${row[@]:2}" &
		n=$((n + 1))
		[ $((n % 2)) -ne 0 ] || wait
	done < <(rows_of_libraries)
	wait
	[ ! -e failed ]
}

@test "where a file cannot be mapped its elements are read, the same" {
	local command
	perl -e 'print pack "s<*", map { $_ * 7919 % 65521 - 32768 } 1 .. 3001 * 173' |
		tafcreate -n 3001,173 -t int16 -o a.taf
	perl -e 'open F, "+<", "a.taf"; seek F, 1032, 0; print F pack "d<2", 3, 0.25'
	for command in 'tafpermute -d 2,1' 'taf2npy --c-order' 'tafexport -m 64k'; do
		# shellcheck disable=SC2086 # its words
		{
			$command a.taf | md5sum >want
			planted 'mmap 1+ 12' $command a.taf | md5sum >got
		}
		same want got
		perl -e 'read STDIN, my $x, 32; exit !((unpack "a28 L", $x)[1] > 0)' <count ||
			{ echo "not mapped: $command"; return 1; }
	done
}

@test "an error of reading inside a copy of the kernel is not one of writing" {
	local n
	tafmath -n 100,400 i1 -o big.taf
	for n in 1 2 3 4 5; do
		planted "pread,copy_file_range $n+ 5" tafcat -q -o out.taf big.taf 2>err ||
			grep -q 'big.taf: .*cannot read' err
	done
	# the plain way may still do it
	planted 'copy_file_range 1+ 5' tafcat -q -o out.taf big.taf
	same big.taf out.taf
}

@test "a converting process that dies is told, and its file is not there" {
	seq 1 24 >table.txt
	ends 4 planted 'open 1 -9' tafconvert -q table.txt
	equal "$(cat err)" 'tafconvert: table.txt: its process died of signal 9'
	ends 3 planted 'open 1 -11' tafconvert -q table.txt
	equal "$(cat err)" 'tafconvert: table.txt: its process died of signal 11'
	equal "$(ls -A | xargs)" 'count err table.txt'
}

# one_empty WORD...: whichever of its reads moves nothing, the result is whole, or 3
one_empty() {
	local n st
	"$@" -q | cat >want
	for ((n = 1; n <= 30; n++)); do
		planted "read,pread,splice,copy_file_range $n 0" "$@" -q 2>err | cat >got
		st=${PIPESTATUS[0]}
		perl -e 'read STDIN, my $x, 32; exit !((unpack "a28 L", $x)[1] > 0)' <count ||
			return 0
		if [ "$st" -eq 3 ]; then
			one_line err || { cat err; return 1; }
		elif [ "$st" -ne 0 ] || ! cmp -s got want; then
			echo "status $st, and not whole: read $n of $*"
			cat err
			return 1
		fi
	done
}

no_empty_read() {
	if [ "$kind" = tool ]; then
		applies=no
		return 0
	fi
	one_empty "$cmd" "${args[@]}" "$in"
}

@test "a file that ends before its size: 3, or nothing is missing" {
	each all no_empty_read
}

@test "a file that shrinks while it is read: 3" {
	seq 1 200000 | awk '{ print $1, $1 * 2 }' >table.txt
	one_empty txt2taf table.txt
	mktaf long.taf int16 40,30
	head -c 200000 /dev/zero | tr '\0' y >>long.taf
	one_empty tafcomment long.taf
	one_empty tafcrop long.taf
	captures
	one_empty lecroy2taf --matrix burst.trc
	one_empty tek2taf --matrix burst.wfm
	one_empty keysight2taf --matrix scope_1.bin
}
