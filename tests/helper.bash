# SPDX-License-Identifier: ISC
# What the tests share.  Each test runs in a folder of its own, $T, which is removed.

bats_require_minimum_version 1.5.0

if [ -n "${TAF_BIN:-}" ]; then
	PATH=$TAF_BIN:$PATH
fi
# the installed python has no numpy where another one stands before it.  It is looked for once in
# a suite, whose tests inherit it
if [ "${PYTHON_FOR-}" != "$BATS_RUN_TMPDIR" ]; then
	for PYTHON in /usr/bin/python3 python3 false; do
		if "$PYTHON" -c 'import importlib.util as i; exit(not i.find_spec("numpy"))' 2>/dev/null
		then break; fi
	done
	export PYTHON_FOR=$BATS_RUN_TMPDIR
fi
# the byte order of the machine that the programs are made for, as perl and numpy write it: of
# native elements in streams
ORDER='<'
IFS= read -r -n 6 -d '' magic 2>/dev/null <"${TAF_BUILD:-.}/bin/tafcrop" || :
[[ ${magic-} != $'\x7fELF'?$'\x02' ]] || ORDER='>'
export PYTHON ORDER
# what a command has not freed goes when it ends: leaks are looked for by unit tests and fuzzers,
# for it takes as long as all else and does not work under strace
export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
export LC_ALL=C TAF_HISTORY=off SOURCE_DATE_EPOCH=1000000000

# begin: go to the folder of the test.  bats notes the place of each command that it runs, for the
# message of a failure, and that takes longer than the command: here only in the test itself, and
# with V=1 in the functions that it calls, too.
begin() {
	local words
	T=$BATS_TEST_TMPDIR
	cd "$T" || return 1
	[ "${TAP_VERBOSE-}" != 1 ] || return 0
	# trap -- WHAT DEBUG
	eval "words=($(trap -p DEBUG))"
	# shellcheck disable=SC2064
	trap "case \${FUNCNAME-} in \"\$BATS_TEST_NAME\" | setup | teardown) ${words[2]-:} ;; esac" DEBUG
}

setup() {
	begin
}

# same A B: equal bytes, else the difference in hex
same() {
	cmp -s "$1" "$2" && return 0
	echo "$1 and $2 differ:"
	cmp "$1" "$2" || true
	od -A d -t x1 "$1" | head -n 12
	echo --
	od -A d -t x1 "$2" | head -n 12
	return 1
}

# status N COMMAND...: it ends with status N; output in out and err
status() {
	local want=$1 got=0
	shift
	"$@" >out 2>err </dev/null || got=$?
	[ "$got" -eq "$want" ] && return 0
	echo "status $got, not $want: $*"
	cat err
	return 1
}

# ends N COMMAND...: the same, with standard input and output left alone
ends() {
	local want=$1 got=0
	shift
	"$@" 2>err || got=$?
	[ "$got" -eq "$want" ] && return 0
	{ echo "status $got, not $want: $*"; cat err; } >&2
	return 1
}

# one_line FILE: that is all it has
one_line() {
	local lines
	mapfile lines <"$1"
	[ ${#lines[@]} -eq 1 ] && [[ ${lines[0]} == *$'\n' ]]
}

# refuse N COMMAND...: status N, nothing on standard output, one line of message by COMMAND
refuse() {
	local line
	status "$@" || return 1
	[ ! -s out ] || { echo "something on standard output: ${*:2}"; return 1; }
	if ! one_line err; then
		echo "not one line of message: ${*:2}"
		cat err
		return 1
	fi
	IFS= read -r line <err
	# of taf it may be that of the command which taf runs
	[ ! -x "$TAF_BIN/$2" ] || [[ $line == "$2: "?* || ($2 == taf && $line == taf*": "?*) ]] ||
		{ echo "not its message: ${*:2}"; cat err; return 1; }
}

# rsf FILE KEYS DATA: a stream of one array
rsf() {
	printf '%s in="stdin"\n\n\f\f\004%b' "$2" "$3" >"$1"
}

# limited LETTER N COMMAND...: under this ulimit
limited() {
	(ulimit -S -"$1" "$2" && exec "${@:3}")
}

# bounded KIB COMMAND...: in so much address space, where the program can start in it (with
# a sanitizer it cannot)
bounded() {
	local kib=$1
	shift
	if (ulimit -v "$kib" && "$1" -V) >/dev/null 2>&1; then
		(ulimit -v "$kib" && exec "$@")
	else
		"$@"
	fi
}

# did TEST COMMAND...: these have passed it.  tools/status.sh finds that among the results
did() {
	echo "# did $*" >&3
}

# make_small SIZE: a file system of that size, as $small; skip where none can be made.  It lives
# as long as the process whose number is in the file keeper.
make_small() {
	local as
	mkdir small
	small=
	for as in -rm -m; do
		: >keeper
		# shellcheck disable=SC2016 # the inner shell expands these
		unshare $as sh -c 'mount -t tmpfs -o size="$1" none small && echo $$ >keeper &&
			exec sleep 600' sh "$1" >/dev/null 2>&1 3>&- &
		until [ -s keeper ] || ! kill -0 $! 2>/dev/null; do sleep 0.05; done
		[ -s keeper ] || continue
		small=/proc/$(<keeper)/root$T/small
		[ -w "$small/" ] && return 0
		kill "$(<keeper)"
	done
	skip "no small file system can be mounted"
}

# equal A B: the same text
equal() {
	[ "$1" = "$2" ] && return 0
	printf 'not equal:\n%s\n--\n%s\n' "$1" "$2"
	return 1
}

# need numpy|corpus|LIBRARY|TOOL...: skip where it is missing, and say so
need() {
	local x
	for x in "$@"; do
		case $x in
		numpy) [ "$PYTHON" != false ] || skip "numpy is missing" ;;
		zlib | bzip2 | lzma | hdf5 | jansson | archive | zstd | blosc | curl)
			grep -q "HAVE_$(echo "$x" | tr "[:lower:]" "[:upper:]") 1" "$TAF_BUILD/config.h" ||
				skip "built without $x"
			;;
		corpus) [ -d "${TAF_CORPUS:-/nowhere}" ] || skip "TAF_CORPUS names no folder" ;;
		*) command -v "$x" >/dev/null || skip "$x is missing" ;;
		esac
	done
}

# unpack TEMPLATE [FILE]: the numbers that perl finds in it, or in standard input, one a line
unpack() {
	perl -0777 -ne 'BEGIN { $t = shift } print "$_\n" for unpack $t, $_' "$@"
}

# mktaf FILE TYPE L1,L2,... [SCALE]: a TAF file made without our own programs; element i
# (from 0) is (i * 7 + 3) % 101, times SCALE; needs perl
mktaf() {
	perl -e '
		my ($file, $type, $shape, $scale) = @ARGV;
		my %code = (int8 => "c", uint8 => "C", int16 => "s<", uint16 => "S<", int32 => "l<",
		    uint32 => "L<", int64 => "q<", uint64 => "Q<", flt32 => "f<", flt64 => "d<");
		my @n = split /,/, $shape;
		my $count = 1;
		$count *= $_ for @n;
		open my $f, ">:raw", $file or die;
		print $f "TAF \x01\x00\x00\n", " " x 1016, pack("a8", $type);
		print $f pack("Q<2", 0x7ff0000000000000, 0x7ff0000000000000), pack("Q<", scalar @n);
		print $f pack("Q<d<d<", $n[$_], $_ + 0.5, 0.25 * ($_ + 1)) for 0 .. $#n;
		print $f pack($code{$type}, (($_ * 7 + 3) % 101) * ($scale // 1)) for 0 .. $count - 1;
		close $f or die;
	' "$@"
}

# parts_apart COMMAND...: complex elements become what their real and their imaginary parts become,
# along each dimension, which stands where a word begins with D; in both types, from a file and
# from a pipe, of planes and in pairs, with little memory; some real parts are NaN
parts_apart() {
	local shape where dims d t words
	while read -r shape dims where; do
		for t in complex,flt32 complex128,flt64; do
			tafmath -t "${t%,*}" -n "$shape" \
				"$where ? complex(nan, 3) : 5 + randn(1) + I*(i1 + 9*randn(2))" -o c.taf
			tafmath -t "${t#*,}" 'real(a)' c.taf -o re.taf
			tafmath -t "${t#*,}" 'imag(a)' c.taf -o im.taf
			for d in ${dims//,/ }; do
				words=("${@/#D/$d}")
				if "${words[@]}" re.taf -o re.out && "${words[@]}" im.taf -o im.out &&
					tafmath -t "${t%,*}" 'complex(a, b)' re.out im.out -o want.taf &&
					"${words[@]}" -m 64k -J 3 c.taf -o got.taf &&
					same want.taf got.taf && tafcrop c.taf |
					"${words[@]}" -m 64k -J 1 | tafcrop -o got.taf &&
					same want.taf got.taf
				then continue; fi
				echo "$t of $shape, -d $d"
				return 1
			done
		done
	done <<-END
		17,23,19 1,2,3 i1*i2*i3==385
		40001 1 0
		2,30001 2 0
	END
}

# captures: small files of instruments, and an image of several components
captures() {
	local seeds=$BATS_TEST_DIRNAME/fuzz/corpus
	cp "$seeds/lecroy/word.trc" C1.trc
	cp "$seeds/lecroy/sequence_be.trc" burst.trc
	cp "$seeds/dig/lanl.dig" shot17.dig
	cp "$seeds/wav/a16" shot.wav
	cp "$seeds/mat/a_plain_le" shots.mat
	cp "$seeds/fits/images" sky.fits
	cp "$seeds/nrrd/raw" head.nrrd
	cp "$seeds/isf/binary.isf" tek0001.isf
	cp "$seeds/wfm/v3_frames.wfm" burst.wfm
	cp "$seeds/keysight/segments_ag01.bin" scope_1.bin
	cp "$seeds/keysight_h5/segments" segments.h5
	cp "$seeds/gta/mixed" image.gta
	mkdir shots
	cp C1.trc burst.wfm scope_1.bin shots
}

# radio: a recording of SigMF, radio.sigmf-meta, of 2 channels of 150 complex integers
radio() {
	perl -e 'print pack "s<*", map { $_ * 7919 % 4001 - 2000 } 1 .. 600' >radio.sigmf-data
	printf '{"global": {"core:datatype": "ci16_le", "core:sample_rate": 1000000,
		"core:num_channels": 2, "core:version": "1.0.0", "core:sha512": "%s"},
		"captures": [{"core:sample_start": 0, "core:frequency": 915000000}],
		"annotations": [{"core:sample_start": 20, "core:label": "burst"}]}\n' \
		"$(sha512sum radio.sigmf-data | cut -d ' ' -f 1)" >radio.sigmf-meta
}

# zarr_store: run.zarr, with an array v
zarr_store() {
	mkdir -p run.zarr/v
	echo '{"zarr_format":2}' >run.zarr/.zgroup
	echo '{"zarr_format":2,"shape":[5,3],"chunks":[5,3],"dtype":"<i2","compressor":null,
		"fill_value":0,"order":"C","filters":null}' >run.zarr/v/.zarray
	seq 1 15 | perl -ne 'print pack "s<", $_ * $_' >run.zarr/v/0.0
}

# fixtures: the files that the examples of the man pages use
fixtures() {
	mktaf signal.raw.taf int16 1000,1
	tafadjust --start 1=-5e-7 --step 1=1e-9 --label 1=Time --unit 1=s signal.raw.taf -o signal.taf
	mktaf cube.raw.taf flt32 20,30,4 0.5
	mktaf matrix.raw.taf flt64 12,3 0.125
	# with a synopsis
	tafcrop cube.raw.taf -o cube.taf
	tafcrop matrix.raw.taf -o matrix.taf
	tafcrop signal.taf cube.taf matrix.taf >shots.rsf
	rm ./*.raw.taf
	seq 1 12 | awk '{ print $1, $1 * $1, $1 / 8 }' >table.txt
	taf2ten -q matrix.taf -o 000042.ten
	tar -cf shard-000000.tar 000042.ten
	gzip -dc "$BATS_TEST_DIRNAME/hdf/cf.nc.gz" >run.nc
	seismic 24 1 >shot.sgy
	seismic 4 6 >survey.sgy
	zarr_store
	radio
	captures
}

# seismic LINES CROSSLINES: traces of SEG-Y with a wave in them, of 100 samples
seismic() {
	perl -e '
		print pack("A80" x 40, map { sprintf "C%2d", $_ } 1 .. 40);
		print pack("x16nx2nx2nx274nx98", 2000, 100, 5, 256);
		for my $i (1 .. $ARGV[0]) {
			for my $x (1 .. $ARGV[1]) {
				print pack("N2x12Nx12l>x74n2x70N2x44f>*", (++$k) x 2, 1 + $i * 7 % 5,
				    25 * $i - 310, 100, 2000,
				    $i, $x, map { cos(0.3 * ($_ - 10 - 2 * abs($i - 12) - $x)) / (1 + $_) } 0 .. 99);
			}
		}' "$@"
}

# uses_processors FILE COMMAND ...: without -J there are more threads than with -J 1
uses_processors() {
	local file=$1
	shift
	need strace getconf
	strace -o /dev/null true 2>/dev/null || skip "strace cannot trace here"
	[ "$(getconf _NPROCESSORS_ONLN)" -gt 1 ] || skip "one processor"
	strace -f -e trace=clone,clone3 -o one "$@" -J 1 "$file" >/dev/null
	strace -f -e trace=clone,clone3 -o all "$@" "$file" >/dev/null
	[ "$(grep -c 'clone.*(' all)" -gt "$(grep -c 'clone.*(' one || :)" ]
}
