# SPDX-License-Identifier: ISC
# What is run while each call of it fails in turn (faults.bats).
# in turn: - -q table.txt
# in turn: - -q -t int16 -D folder shot.dig

load helper

# mkdig FILE [N]: an NTS file of N bytes 0, 1, 2 ...
mkdig() {
	perl -e '
		my ($file, $n) = (@ARGV, 20);
		print { open my $f, ">:raw", $file; $f } "\0" x 512, substr(join("", map { "$_\n" } "now", $n, 8, 0.5, -1,
		    0.25, 3) . "\0" x 512, 0, 512), pack("C*", map { $_ & 255 } 0 .. $n - 1);
	' "$@"
}

# mkbin FILE WAVEFORMS: a Keysight capture, waveform k of k + 2 points
mkbin() {
	perl -e '
		my ($file, $n) = @ARGV;
		my $body = "";
		for my $k (1 .. $n) {
			$body .= pack("l<5f<d<3l<2", 140, 1, 1, $k + 2, 1, 9, 0, 0.25, -2, 2, 1) . "\0" x 84 .
			    pack("l<s<s<l<", 12, 1, 4, 4 * ($k + 2)) . pack("f<*", map { $_ + $k } 0 .. $k + 1);
		}
		print { open my $f, ">:raw", $file; $f } "AG10", pack("l<l<", 12 + length $body, $n), $body;
	' "$@"
}

# mktrc FILE: a LeCroy trace of 6 words
mktrc() {
	perl -e '
		my $d = "\0" x 346;
		my $put = sub { my ($off, $t, @v) = @_; my $s = pack($t, @v); substr($d, $off, length $s) = $s };
		$put->(0, "a16a16", "WAVEDESC", "LECROY_2_3");
		$put->(32, "S<S<l<8", 1, 1, 346, 0, 0, 0, 0, 0, 12, 0);
		$put->(116, "l<", 6);
		$put->(156, "f<f<", 0.5, 3);
		$put->(176, "f<d<", 0.25, -2);
		print { open my $f, ">:raw", $ARGV[0]; $f } $d, pack("s<*", map { 7 * $_ - 20 } 0 .. 5);
	' "$@"
}

mkisf() {
	{
		printf ':WFMPRE:BYT_NR 1;ENCDG BIN;BN_FMT RI;BYT_OR MSB;NR_PT 3;PT_FMT Y;XINCR 1;XZERO 0;YMULT 2;YOFF 1;:CURVE '
		printf '#13\x01\xff\x05'
	} >"$1"
}

# all: a file of every kind
all() {
	mkdig a.dig
	mkbin b.bin 1
	mktrc c.trc
	mkisf d.isf
	printf 'time volts\n1 2\n3 4.5\n' >e.txt
}

@test "the kind is found from the content, whatever the name; the sources stay" {
	all
	for f in a.dig b.bin c.trc d.isf e.txt; do
		mv $f "${f%.*}.dat"
	done
	cat ./*.dat >before
	tafconvert ./*.dat
	cat ./*.dat | cmp - before
	equal "$(for x in a b c d e; do tafprobe -k type $x.taf; tafprobe -k shape $x.taf; done | tr '\n' ' ')" \
		"uint8 20,1 flt32 3,1 int16 6,1 int8 3,1 flt32 2,2 "
	equal "$(tafread e.taf | tr '\n' ' ')" "1 3 2 4.5 "
	equal "$(tafread d.taf | tr '\n' ' ')" "0 -4 8 "
	lecroy2taf c.dat -o want.taf
	same want.taf c.taf
}

@test "several records become numbered files, one keeps the name" {
	mkbin shot.bin 3
	tafconvert shot.bin
	equal "$(echo shot*.taf)" "shot-1.taf shot-2.taf shot-3.taf"
	equal "$(tafprobe -k n1 shot-1.taf shot-2.taf shot-3.taf | cut -f 2 | tr '\n' ' ')" "3 4 5 "
	equal "$(tafread shot-3.taf | tr '\n' ' ')" "3 4 5 6 7 "
}

@test "nothing that is there is overwritten without -f" {
	mkbin a.bin 2
	echo precious >a-2.taf
	refuse 3 tafconvert a.bin
	grep -q 'a-2.taf is there already' err
	[ ! -e a-1.taf ]
	equal "$(cat a-2.taf)" precious
	tafconvert -f a.bin
	equal "$(tafprobe -k n1 a-2.taf)" 4
	# the source itself never
	printf '1 2\n3 4\n' >t.taf
	refuse 2 tafconvert -f t.taf
	grep -q 't.taf, which it becomes, is a source' err
	ln -s t.taf u.taf
	cp t.taf u
	ln u v.txt
	ln -sf v.txt v.taf
	refuse 2 tafconvert -f v.txt
	equal "$(cat v.txt | tr '\n' ' ')" "1 2 3 4 "
}

@test "-D writes elsewhere" {
	mkdir from to
	mktrc from/c.trc
	tafconvert -D to from/c.trc
	[ -e to/c.taf ]
	[ ! -e from/c.taf ]
	tafconvert -D new from/c.trc
	same new/c.taf to/c.taf
	refuse 4 tafconvert -D nowhere/at/all from/c.trc
	echo nothing >from/d.trc
	refuse 3 tafconvert -D empty from/d.trc
	[ ! -e empty ]
	refuse 4 tafconvert -D from/c.trc from/c.trc
}

@test "names with and without extension, in folders with dots" {
	mkdir x.y
	mktrc x.y/trace
	mktrc x.y/a.b.trc
	mktrc x.y/.hidden
	mktrc 'x.y/r%d.trc'
	tafconvert x.y/trace x.y/a.b.trc x.y/.hidden 'x.y/r%d.trc'
	[ -e x.y/trace.taf ]
	[ -e x.y/a.b.taf ]
	[ -e x.y/.hidden.taf ]
	[ -e 'x.y/r%d.taf' ]
	mkbin 'r%d.bin' 2
	refuse 3 tafconvert 'r%d.bin'
}

@test "the failed ones are named, the others done, one status for the lot" {
	for jobs in 1 3; do
		all
		head -c 300 c.trc >f.trc
		printf 'RG01\0\0\0\0' >g.bin
		: >h.txt
		status 4 tafconvert -J $jobs a.dig f.trc b.bin g.bin missing c.trc h.txt d.isf e.txt
		equal "$(wc -l <err)" 4
		for f in f.trc g.bin missing h.txt; do
			grep -q "^tafconvert: $f: " err
		done
		grep -q 'a Rigol capture' err
		equal "$(echo ./*.taf)" "./a.taf ./b.taf ./c.taf ./d.taf ./e.taf"
		rm ./*.taf
	done
}

@test "many files at a time give the same files" {
	mkdir one three
	for i in $(seq 1 40); do mkdig "s$i.dig" $((i + 10)); done
	tafconvert -J 1 -D one s*.dig
	tafconvert -J 3 -D three s*.dig
	diff -r one three
	set -- three/*
	equal $# 40
	equal "$(tafprobe -k n1 three/s17.taf)" 27
}

@test "two sources of one name: the first is done, the second refused" {
	mktrc c.trc
	mkdig c.dig
	status 3 tafconvert c.trc c.dig
	grep -q 'c.dig: c.taf: another of the files' err
	equal "$(tafprobe -k type c.taf)" int16
	# however its folder is spelled, and never -f over what this run has written
	for jobs in 1 2; do
		status 3 tafconvert -f -J $jobs c.dig ./c.trc
		grep -q './c.trc: ./c.taf: another of the files' err
		equal "$(tafprobe -k type c.taf)" uint8
	done
}

@test "a record's number and the name of another source are not one file" {
	mkbin c.bin 3
	mktrc c-3.trc
	mktrc c-4.trc
	for jobs in 1 2 4; do
		for force in -q -f; do
			status 3 tafconvert $force -J $jobs c.bin c-3.trc c-4.trc
			equal "$(cat err)" \
			    "tafconvert: c-3.trc: c-3.taf: another of the files is written to it"
			equal "$(echo ./*.taf)" "./c-1.taf ./c-2.taf ./c-3.taf ./c-4.taf"
			equal "$(tafprobe -k n1 c-3.taf)" 5
			rm ./*.taf
			status 3 tafconvert $force -J $jobs c-3.trc c-4.trc c.bin
			grep -q '^tafconvert: c.bin: .*another of the files' err
			equal "$(echo ./*.taf)" "./c-3.taf ./c-4.taf"
			equal "$(tafprobe -k type c-3.taf)" int16
			rm ./*.taf
		done
	done
}

@test "ten records and more are numbered in the order of a shell" {
	mkbin c.bin 12
	mktrc c-1.trc
	mktrc c-07.trc
	for jobs in 1 3; do
		status 3 tafconvert -J $jobs c.bin c-1.trc c-07.trc
		equal "$(cat err)" \
		    "tafconvert: c-07.trc: c-07.taf: another of the files is written to it"
		equal "$(echo c-*.taf)" "$(printf 'c-%02d.taf ' 1 2 3 4 5 6 7 8 9)c-1.taf c-10.taf c-11.taf c-12.taf"
		tafprobe -k n1 c-??.taf | cut -f 2 >got
		equal "$(xargs <got)" "3 4 5 6 7 8 9 10 11 12 13 14"
		rm ./*.taf
		status 3 tafconvert -f -J $jobs c-07.trc c.bin
		equal "$(cat err)" \
		    "tafconvert: c.bin: c-01.taf and so on: another of the files is written to one"
		equal "$(echo ./*.taf)" ./c-07.taf
		rm ./*.taf
	done
}

@test "of two sources of one name the second is done where the first is bad" {
	mktrc whole.trc
	head -c 300 whole.trc >c.trc
	mkdig c.dig
	mkbin d.bin 2
	mktrc d.trc
	for jobs in 1 3; do
		status 3 tafconvert -J $jobs c.trc c.dig d.bin d.trc
		equal "$(wc -l <err)" 1
		equal "$(echo ./*.taf)" "./c.taf ./d-1.taf ./d-2.taf ./d.taf"
		equal "$(tafprobe -k type c.taf)" uint8
		rm ./*.taf
	done
}

@test "-f overwrites no source, not even another one's" {
	mkbin c.bin 2
	mktrc c-1.taf
	cp c-1.taf before
	refuse 2 tafconvert -f c.bin c-1.taf
	ln c-1.taf x.trc
	status 3 tafconvert -f c.bin x.trc
	same c-1.taf before
	mkdir to
	mktrc to/c.taf
	mkdig c.dig
	refuse 2 tafconvert -f -D to c.dig to/c.taf
	equal "$(tafprobe -k type to/c.taf 2>&1 | wc -l)" 1
}

@test "--kind says what a file is" {
	all
	tafconvert --kind dig a.dig
	tafconvert --kind keysight b.bin
	tafconvert --kind lecroy c.trc
	tafconvert --kind tektronix d.isf
	tafconvert --kind column e.txt
	rm ./*.taf
	refuse 3 tafconvert --kind lecroy a.dig
	refuse 3 tafconvert --kind dig c.trc
	grep -q 'a LeCroy trace (use lecroy2taf), not an NTS' err
	refuse 2 tafconvert --kind rigol a.dig
	refuse 2 tafconvert
	refuse 2 tafconvert -
	refuse 2 tafconvert -t int7 a.dig
}

@test "-t converts the values, mapping applied" {
	mktrc c.trc
	tafconvert -t flt64 c.trc
	equal "$(tafprobe -k type c.taf) $(tafprobe -k slope c.taf)" "flt64 inf"
	# 0.5 * (7 i - 20) - 3
	equal "$(tafread c.taf | tr '\n' ' ')" "-13 -9.5 -6 -2.5 1 4.5 "
	tafconvert -f -t int8 c.trc 2>err
	equal "$(tafread c.taf | tr '\n' ' ')" "-13 -10 -6 -3 1 5 "
	grep -q 'c.trc: 3 values were rounded to int8' err
	tafconvert -q -f -t int8 c.trc 2>err
	[ ! -s err ]
	refuse 3 tafconvert -f -t uint8 c.trc
	tafconvert -f -t uint8 --clip c.trc 2>err
	equal "$(tafread c.taf | tr '\n' ' ')" "0 0 0 0 1 5 "
	grep -q 'c.trc: 4 values were clipped' err
	printf '1 2.5\n3 4\n' >e.txt
	tafconvert -t flt64 e.txt
	equal "$(tafprobe -k type e.taf)" flt64
	printf '1 2.5\n300 -4\n' >e.txt
	tafconvert -f -t uint8 --clip e.txt 2>err
	equal "$(tafread e.taf | tr '\n' ' ')" "1 255 3 0 "
	grep -q 'e.txt: 2 values were clipped' err
}

@test "binary data of no known kind is no table" {
	head -c 5000 /dev/zero >z
	refuse 3 tafconvert z
	printf 'TAF \001' >t.dat
	refuse 3 tafconvert t.dat
	grep -q 'a TAF file' err
	printf '\x89PNG\r\n\x1a\n' >p.dat
	refuse 3 tafconvert p.dat
	grep -q 'a PNG image' err
}

@test "the corpus: every file as its own converter does it" {
	need corpus
	for x in lecroy/wr64xia_pulse.trc:lecroy2taf tektronix/dpo_int8.wfm:tek2taf tektronix/mdo_ch2.isf:tek2taf \
	    keysight/dsox1102g_1ch.bin:keysight2taf dig/synthetic_smash_u8.dig:dig2taf column/smash_al_gunhug.dat:txt2taf; do
		tafconvert -f -D . "$TAF_CORPUS/vendor/${x%:*}"
		"${x#*:}" "$TAF_CORPUS/vendor/${x%:*}" -o want.taf
		f=${x##*/}
		same want.taf "${f%.*}.taf"
	done
}

@test "SIGCHLD ignored by the parent" {
	mkdig a.dig
	perl -e '$SIG{CHLD} = "IGNORE"; exec @ARGV or die' tafconvert a.dig
	[ -s a.taf ]
}

@test "a crash in a decoder is 3, and leaves no part of a file" {
	need strace
	mkdig a.dig
	for signal in SEGV ABRT; do
		code=0
		strace -f -o trace \
			-e inject=fsync:signal="$signal" tafconvert a.dig 2>err || code=$?
		equal "$code" 3
		grep -q '^tafconvert: a.dig: its process died of signal' err
		equal "$(ls -A | xargs)" "a.dig err trace"
	done
}

@test "names above the columns of a table are kept" {
	printf 'Time (s),CH1 (V),CH2 (V)\n1,2,3\n' >a.csv
	printf 'X (V),Y (V)\n1,2\n' >b.csv
	tafconvert a.csv b.csv
	equal "$(tafprobe -k channel a.taf)" 'Time (s),CH1 (V),CH2 (V)'
	equal "$(tafprobe -k channel b.taf) $(tafprobe -k unit b.taf)" 'X,Y V'
	same <(tafexport -q --csv a.taf) a.csv
}
