# SPDX-License-Identifier: ISC
# in turn: - list
# in turn: - crop -q -x 1=2:9:3 small.taf -o out.taf
# in turn: - cat -q in.lecroy2taf -o out.rsf

load helper
load commands

# others NAME...: a folder with taf and all commands, but of these names stand-ins that say how
# they were called
others() {
	local name
	mkdir -p here
	ln -sf "$TAF_BIN"/* here
	for name; do
		rm here/"$name"
		printf '#!/bin/sh\necho "%s $*"\n' "$name" >here/"$name"
		chmod +x here/"$name"
	done
}

@test "a command is run as it is, with its words and its status" {
	mktaf a.taf int16 11,6
	tafcrop -x 1=2:4 a.taf >want
	taf crop -x 1=2:4 a.taf >got
	same want got
	taf tafcrop -x 1=2:4 - <a.taf >got
	same want got
	taf taf2raw a.taf >got
	taf2raw a.taf | cmp - got
	status 1 taf compare a.taf want
	status 3 taf crop -x 1=50 a.taf
	equal "$(cut -d : -f 1 <err)" tafcrop
	status 2 taf crop --no-such-option a.taf
	equal "$(taf crop -V)" "$(tafcrop -V)"
	[[ $(taf -V) == 'taf (taftools) '* ]]
}

@test "a foreign file is read through its converter" {
	local file converter
	captures
	fixture_gta x.gta
	fixture_npy x.npy
	fixture_pgm x.pgm
	fixture_ten x.ten
	fixture_text x.txt
	fixture_segy x.sgy
	printf 'time,volt\n1,2.5\n2,3.5\n' >x.csv
	while read -r file converter; do
		"$converter" -q -- "$file" | tafprobe -k shape >want
		taf -q probe -k shape "$file" >got || { echo "$file"; return 1; }
		same want got
		"$converter" -q "$file" | taf2raw >want
		taf -q taf2raw "$file" | cmp - want
	done <<-'END'
		C1.trc lecroy2taf
		burst.trc lecroy2taf
		shot17.dig dig2taf
		tek0001.isf tek2taf
		burst.wfm tek2taf
		scope_1.bin keysight2taf
		x.gta gta2taf
		x.npy npy2taf
		x.pgm pgm2taf
		x.sgy segy2taf
		x.ten ten2taf
		x.txt txt2taf
		x.csv txt2taf
	END
}

@test "an HDF5 file is looked into: a capture, or the only dataset, is read" {
	need hdf5
	captures
	keysight2taf -q segments.h5 | tafprobe -k shape >want
	taf -q probe -k shape segments.h5 >got
	same want got
	mktaf a.taf int16 11,6
	taf2hdf one.h5 /some/data a.taf
	hdf2taf one.h5 /some/data | tafcrop -x 1=2:4 >want
	taf -v crop -x 1=2:4 one.h5 2>said >got
	same want got
	grep -qx 'taf: hdf2taf one.h5 | tafcrop' said
	refuse 3 taf map one.h5
	grep -q 'one.h5: neither TAF nor RSF, but .*(use hdf2taf)$' err
	# what is not clear is told
	gzip -dc "$BATS_TEST_DIRNAME/hdf/cf.nc.gz" >a.nc
	status 3 taf -q probe a.nc
	grep -qE '^hdf2taf: a.nc: [0-9]+ datasets: name one of those that --list shows$' err
	cp "$BATS_TEST_DIRNAME/fuzz/corpus/keysight_h5/bad-nothing" empty.h5
	status 3 taf probe empty.h5
	head -c 100 one.h5 >cut.h5
	status 3 taf probe cut.h5
	# a command that reads it itself gets it as it is
	taf hdf2taf --list one.h5 | grep -q ^/some/data
	refuse 3 taf convert a.nc
	grep -q 'not a Keysight capture (hdf2taf reads its datasets)' err
}

@test "several foreign files, beside others, in their order" {
	captures
	lecroy2taf C1.trc -o a.rsf
	tek2taf tek0001.isf -o b.rsf
	mktaf c.taf int16 11,6
	tafcat a.rsf c.taf b.rsf a.rsf >want
	taf cat C1.trc c.taf tek0001.isf C1.trc >got
	same want got
	taf compare --header a.rsf C1.trc
	tafcat c.taf a.rsf >want
	taf cat - C1.trc <c.taf >got
	same want got
	# names that look like options
	cp C1.trc ./-x
	taf cat -- -x | cmp - <(tafcat a.rsf)
}

@test "what is printed has the names of the files" {
	captures
	equal "$(taf -q summarize C1.trc | head -n 1 | xargs)" 'file C1.trc'
	equal "$(taf summarize shots/C1.trc C1.trc | grep file | xargs)" 'file shots/C1.trc file C1.trc'
	equal "$(taf summarize - <C1.trc 2>&1 | cut -d : -f 2 | xargs)" 'standard input'
	taf plot --script shots/C1.trc C1.trc tek0001.isf >script
	grep -q "title 'tek0001.isf'" script
	taf plot --script shots/C1.trc >script
	grep -qx "set title 'C1.trc'" script
}

@test "only operands are converted: no value of an option, no word, no format of ours" {
	captures
	mktaf a.taf int16 11,6
	printf 'WAVEDESC :WFMPRE:NR_PT 5;:CURVE #0' | tafcomment -C "$(cat)" a.taf -o b.taf
	taf crop b.taf | cmp - <(tafcrop b.taf)
	tafcomment b.taf | grep -q WAVEDESC
	tafcrop b.taf >b.rsf
	taf crop b.rsf | cmp - b.rsf
	tafcrop -F rsf a.taf -o plain.rsf --out=plain.bin >plain.rsf
	taf crop plain.rsf | cmp - <(tafcrop a.taf)
	# an output that is there, in each way to name it
	for o in '-o C1.trc' '-oC1.trc' '--output C1.trc' '--output=C1.trc' '-qo C1.trc'; do
		cp burst.trc C1.trc
		# shellcheck disable=SC2086
		taf crop burst.wfm $o
		tek2taf burst.wfm | tafcrop | cmp - C1.trc
	done
	cp burst.trc mean
	taf reduce mean a.taf | cmp - <(tafreduce mean a.taf)
	# what a converter or a check is given
	cp burst.trc x.trc
	taf lecroy2taf x.trc | cmp - <(lecroy2taf x.trc)
	status 1 taf check x.trc
}

@test "a foreign file that would be changed, or is needed by name, is refused" {
	captures
	refuse 3 taf crop -i -x 1=1 C1.trc
	grep -q ': C1.trc: a TAF file is needed here: make one with lecroy2taf C1.trc -o ' err
	refuse 3 taf adjust --in-place --scale 1=2 C1.trc
	refuse 3 taf map C1.trc
	refuse 3 taf spread -o x.taf C1.trc -- cat
	[ ! -e x.taf ]
	cmp C1.trc "$BATS_TEST_DIRNAME/fuzz/corpus/lecroy/word.trc"
}

@test "a converter that fails makes taf fail, however the command ends" {
	local st
	others lecroy2taf
	captures
	lecroy2taf C1.trc >whole
	for st in 3 4; do
		printf '#!/bin/sh\ncat whole\nexit %d\n' $st >here/lecroy2taf
		ends $st here/taf crop C1.trc >got
		printf '#!/bin/sh\nhead -c 600 whole\nexit %d\n' $st >here/lecroy2taf
		ends $st here/taf crop C1.trc -o got.taf
		[ ! -e got.taf ]
		ends $st here/taf cat C1.trc C1.trc -o got.taf
		[ ! -e got.taf ]
	done
	# it is cut short, and says nothing
	printf '#!/bin/sh\nhead -c 600 whole\n' >here/lecroy2taf
	ends 3 here/taf crop C1.trc >got
	printf '#!/bin/sh\ncat whole\nkill -9 $$\n' >here/lecroy2taf
	ends 137 sh -c 'here/taf crop C1.trc; exit $?' >got
	# a file cut short
	head -c $(($(wc -c <C1.trc) - 2)) C1.trc >cut.trc
	ends 3 taf crop cut.trc -o got.taf
	[ ! -e got.taf ]
	grep -q '^lecroy2taf: cut.trc: ' err
}

@test "a command that wants no more of its input is content" {
	captures
	perl -e 'for (1 .. 20000) { print join(" ", map { $_ * 3 % 1001 } 1 .. 20), "\n" }' >long.txt
	others tafprobe
	printf '#!/bin/sh\n[ "$1" = -h ] && exec tafprobe -h\nhead -c 10\n' >here/tafprobe
	here/taf probe long.txt >got
	# where that signal is ignored, too
	(trap '' PIPE && here/taf probe long.txt >got)
	equal "$(wc -c <got)" 10
	printf '#!/bin/sh\n[ "$1" = -h ] && exec tafprobe -h\nexit 2\n' >here/tafprobe
	ends 2 here/taf probe long.txt
}

@test "taf dies of the signal that its command dies of, and passes on those it gets" {
	local pid
	others tafprobe
	# longer than a pipe holds: its converter is there, too, when the signal comes
	perl -e 'for (1 .. 20000) { print join(" ", map { $_ * 3 % 1001 } 1 .. 20), "\n" }' >long.txt
	captures
	printf '#!/bin/sh\n[ "$1" = -h ] && exec tafprobe -h\nkill -KILL $$\n' >here/tafprobe
	ends 137 sh -c 'here/taf probe C1.trc; exit $?'
	cat >here/tafprobe <<-'END'
		#!/bin/sh
		[ "$1" = -h ] && exec tafprobe -h
		trap 'kill $!; echo term >got; exit 9' TERM
		sleep 600 3>&- &
		: >ready
		wait
	END
	here/taf probe long.txt 3>&- &
	pid=$!
	until [ -e ready ]; do sleep 0.05; done
	kill -TERM $pid
	ends 9 wait $pid
	equal "$(cat got)" term
}

@test "the programs beside taf come before those of PATH" {
	others tafprobe
	captures
	mktaf a.taf int16 3
	equal "$(here/taf probe a.taf)" 'tafprobe a.taf'
	# a link to taf elsewhere
	mkdir links
	ln -s "$PWD/here/taf" links/taf
	ln -s "$TAF_BIN/taf" links/real
	equal "$(PATH=$PWD/links:$PATH taf probe -k count a.taf)" 3
	equal "$(PATH=/usr/bin:/bin links/real probe -k count a.taf)" 3
	mkdir alone
	cp "$TAF_BIN/taf" alone/
	[ -n "${EMULATOR-}" ] || PATH=/usr/bin:/bin refuse 4 alone/taf probe a.taf
}

@test "an option before the command that would be passed over is refused" {
	mktaf a.taf int8 3
	for option in '-m 1k' -p '--memory=1G'; do
		# shellcheck disable=SC2086 # words
		refuse 2 taf $option sort a.taf
		equal "$(<err)" 'taf: -m and -p stand behind the command: taf sort -m 1G'
	done
	taf sort -m 1M a.taf >want
	taf -q -- sort a.taf >got
	tafcompare want got
	taf -h >out
	taf list | sed -n 's/^  \([a-z0-9]*\) .*/\1/p' >names
	[ "$(wc -l <names)" -gt 60 ]
	while read -r name; do grep -qw -- "$name" out || exit; done <names
	grep -qx 'Signals:' out
}

@test "a foreign file that is bad has one message, that of its converter" {
	printf 'GTA\1%0100d' 0 >bad.gta
	printf '\x93NUMPY\1\0' >bad.npy
	for file in bad.gta bad.npy; do
		status 3 taf crop $file
		equal "$(wc -l <err)" 1
		grep -q "^${file#bad.}2taf: $file: " err
	done
	status 3 taf append bad.gta bad.npy
	equal "$(cut -d : -f 1,2 err | sort | xargs)" 'gta2taf: bad.gta npy2taf: bad.npy'
}

@test "no command, or none of that name" {
	refuse 2 taf
	refuse 2 taf ''
	refuse 2 taf taf
	refuse 2 taf crpo
	grep -q 'did you mean crop?' err
	refuse 2 taf tafcorp
	grep -q 'did you mean tafcrop?' err
	refuse 2 taf lecroytaf a.trc
	grep -q 'did you mean lecroy2taf?' err
	refuse 2 taf zzzzzz
	grep -q 'taf list' err
	refuse 2 taf list x
	refuse 2 taf peers
}

@test "help searches the pages for all of the words" {
	taf help average >got
	grep -q '^tafreduce(1) - ' got
	status 1 grep -q '^tafcrop(1)' got
	equal "$(taf help Fourier transforms)" "taffft(1) - $(sed -n 's/^\.Nd //p' \
		"$BATS_TEST_DIRNAME/../man/taffft.1")"
	taf help webdataset >got
	grep -q '^ten2taf(1) - ' got
	status 1 taf help fft wibble
	[ ! -s out ]
	equal "$(<err)" 'taf: no page has all of these words: taf list names all commands'
	status 1 taf help wibble
	equal "$(<err)" 'taf: no page has wibble: taf list names all commands'
	# in one word, too
	equal "$(taf help 'Fourier transforms')" "$(taf help Fourier transforms)"
	# in the text of pages alone, where none is about it
	equal "$(taf help Simpson)" "tafintegrate(1) - $(sed -n 's/^\.Nd //p' \
		"$BATS_TEST_DIRNAME/../man/tafintegrate.1")"
}

@test "help finds what people call things" {
	local word page
	while read -r word page; do
		taf help "$word" >got || { echo "$word: nothing"; return 1; }
		grep -q "^$page([1-9]) - " got || { echo "$word: no $page"; return 1; }
	done <<'END'
png tafplot
legend tafplot
zoom tafcrop
gaussian tafsmooth
clip tafcast
round tafmath
cumsum tafintegrate
argmax tafreduce
threads tafspread
rise tafpeaks
fwhm tafpeaks
threshold tafpeaks
blur tafsmooth
baseline tafmath
mute taffill
spike tafmath
grey tafplot
noise taffilter
unique tafhist
histogram tafhist
csv txt2taf
numpy taf2npy
h5 hdf2taf
netcdf hdf2taf
mean tafreduce
percentile tafreduce
median tafsmooth
resample tafregrid
decimate tafregrid
interpolate taffill
missing taffill
noise tafmath
random tafmath
zeros tafcreate
shape tafprobe
dimensions tafreshape
squeeze tafreshape
concatenate tafappend
merge tafinterleave
derivative tafdifferentiate
integral tafintegrate
spectrum taffft
psd tafspectrogram
lowpass taffilter
envelope tafhilbert
convolve tafcorrelate
delay tafcorrelate
diff tafcompare
md5 tafchecksum
hash tafchecksum
offset tafadjust
units tafadjust
metadata tafput
head tafread
slice tafcrop
cluster tafspread
rotate tafroll
rotate taftranspose
concat tafappend
average tafreduce
averages tafreduce
downsample tafregrid
phase tafhilbert
power taffft
power tafspectrogram
integration tafintegrate
mask tafselect
mask tafmath
nan taffill
excel tafexport
excel txt2taf
matlab mat2taf
matlab hdf2taf
hdf5 hdf2taf
numpy npy2taf
json tafsummarize
compress taf2zarr
stack tafappend
peak tafpeaks
pulse tafpeaks
jitter tafpeaks
s3 taf-remote
url taf-remote
resume tafspread
slurm tafspread
undo tafcheck
undo tafbackup
calibrate tafadjust
scale tafadjust
endian taf2raw
endian tafcreate
sqrt tafmath
std tafreduce
correlation tafcorrelate
stft tafspectrogram
detrend tafsmooth
flip tafreverse
delete tafselect
image tafplot
heatmap tafplot
uncertainty taftone
sha256 tafchecksum
provenance taf-recipe
corrupt tafcheck
live tafwatch
download taf-remote
pandas taf-python
volts tafadjust
rename tafput
memory taf
stdin rsfstream
exit taf
END
}

@test "help shows the page of a command" {
	mkdir stub
	printf '#!/bin/sh\necho "$*"\n' >stub/man
	chmod +x stub/man
	PATH=$PWD/stub:$PATH
	others
	equal "$(here/taf help crop)" "1 tafcrop"
	equal "$(here/taf help tafcrop)" "1 tafcrop"
	equal "$(here/taf help)" "1 taf"
	equal "$(here/taf help peers)" "7 taf-peers"
	equal "$(here/taf help velocity)" "7 taf-velocity"
	equal "$(here/taf help rsfstream)" "5 rsfstream"
	mkdir man
	: >man/tafcrop.1
	equal "$(here/taf help crop)" "-l here/../man/tafcrop.1"
	mkdir -p share/man/man7
	: >share/man/man7/taf-peers.7
	equal "$(here/taf help peers)" "-l here/../share/man/man7/taf-peers.7"
	# found by PATH, it knows where it lies
	cp "$TAF_BIN/taf" here/real
	mv here/real here/taf
	[ -n "${EMULATOR-}" ] || equal "$(PATH=$PWD/here:$PWD/stub:$PATH taf help crop)" "-l $PWD/here/../man/tafcrop.1"
	# without man, its -h says what the options are
	rm stub/man
	equal "$(PATH=$PWD/none here/taf help crop | head -n 1)" "$(tafcrop -h | head -n 1)"
	[ -n "${EMULATOR-}" ] || PATH=$PWD/none refuse 4 here/taf help peers
}

@test "list has a line for each command" {
	taf list >got
	for c in "$TAF_BIN"/*; do
		c=${c##*/}
		[ "$c" = taf ] || grep -q "^  $c  *$(sed -n 's/^\.Nd //p' \
			"$BATS_TEST_DIRNAME/../man/$c.1" | head -c 20)" got || { echo "$c"; bad=1; }
	done
	[ -z "${bad:-}" ]
	equal "$(grep -c '^  ' got)" $(($(ls "$TAF_BIN" | wc -l) - 1))
	ends 4 taf list >/dev/full
}
