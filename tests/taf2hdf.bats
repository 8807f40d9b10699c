# SPDX-License-Identifier: ISC
# What is run while each call of it fails in turn (faults.bats).
# in turn: - -q x.h5 a small.taf
# in turn: - -q --deflate 1 x.h5 g/a small.taf

load helper

setup() {
	begin
	need hdf5
}

# places FILE HEX...: where these bytes begin in it, each of them once
places() {
	perl -e '
		my $file = shift;
		open my $f, "<:raw", $file or die;
		my $all = do { local $/; <$f> };
		for (@ARGV) {
			my $want = pack "H*", $_;
			my $at = index $all, $want;
			die "$file: no $_\n" if $at < 0;
			die "$file: $_ twice\n" if index($all, $want, $at + 1) >= 0;
			print "$at\n";
		}' "$@"
}

# turned TYPE: the elements of a 2 x 3 array of mktaf, last index fastest, in hex
turned() {
	perl -e 'my %code = (int8 => "c", uint8 => "C", int16 => "s<", uint16 => "S<",
		int32 => "l<", uint32 => "L<", int64 => "q<", uint64 => "Q<", flt32 => "f<",
		flt64 => "d<");
		print unpack "H*", pack "$code{$ARGV[0]}*", 3, 17, 31, 10, 24, 38' "$1"
}

@test "every type: the elements in one piece, the last index fastest" {
	local t
	for t in int8 uint8 int16 uint16 int32 uint32 int64 uint64 flt32 flt64; do
		mktaf a.taf $t 2,3
		taf2hdf "$t.h5" a a.taf
		places "$t.h5" "$(turned "$t")"
	done
	mktaf a.taf int16 2,3
	taf2hdf --reverse r.h5 a <a.taf
	places r.h5 03000a00110018001f002600
}

# goes_round FILE OPTION...: hdf2taf makes the same stream of what taf2hdf has written; lines of
# attributes may come in another order
goes_round() {
	local how
	rm -f round.h5
	taf2hdf "${@:2}" round.h5 g/x "$1" || return 1
	case " $* " in *--reverse*) how=--reverse ;; *) how=-q ;; esac
	tafcat "$1" | sort >want
	hdf2taf $how -F rsf round.h5 g/x | sort >got
	same want got
}

@test "a new dataset beside those that are there, also behind a user block" {
	mktaf a.taf int16 2,3
	mktaf b.taf flt64 2,3
	taf2hdf x.h5 a a.taf
	taf2hdf x.h5 g/h/b b.taf
	places x.h5 "$(turned int16)" "$(turned flt64)"
	# the same file behind 512 bytes of text
	{ printf %512s ''; cat x.h5; } >y.h5
	mktaf c.taf uint64 2,3
	taf2hdf y.h5 c c.taf
	places y.h5 "$(turned int16)" "$(turned flt64)" "$(turned uint64)"
}

@test "every array comes back: types, mapping, grids, labels, attributes, no elements" {
	local t how
	need zlib
	for t in int8 uint16 int64 flt32 flt64; do
		mktaf a.taf $t 3,2,4
		for how in -q --reverse '--deflate 1' '--deflate 9 --shuffle'; do
			# shellcheck disable=SC2086
			goes_round a.taf $how
		done
	done
	tafmath 'complex(a,a+1)' a.taf >c.rsf
	goes_round c.rsf
	mktaf empty.taf int16 0,3
	goes_round empty.taf
	goes_round empty.taf --deflate 1
	tafput label@1=time unit@1=s label@2='a/b' label@3=x unit=V label=volts foo=1.5 bar='two words' \
		hdf/n=7 hdf/t=text a.taf | tafadjust --slope 0.5 --intercept -3 |
		tafcomment -C 'a comment' >all.rsf
	goes_round all.rsf
	# a grid of 1:1 has labels alone
	tafadjust --start 1=1 --start 2=1 --start 3=1 --step 1=1 --step 2=1 --step 3=1 all.rsf |
		tafput --unset unit@1 >plain.rsf
	goes_round plain.rsf
}

@test "attributes of all kinds, at random, come back through a stream and a file" {
	mktaf a.taf int16 3
	# 40 in each array: text that looks like numbers, numbers, and how they were stored
	local round
	for ((round = 0; round < ${TAF_ATTRIBUTES:-4}; round++)); do
		tafcat a.taf | perl -e '
			srand(1 + shift);
			sub one { $_[rand @_] }
			my @types = ([int8 => 128], [uint8 => 256], [int16 => 32768], [uint16 => 65536],
				[int64 => 1e15], [uint64 => 1e15], [flt32 => 4096], [flt64 => 1e9]);
			my @text = ("007", "2.10", "1,2", "nan", "-0", "3x5", "%227%22", "a", "b c", "%25", "", "x%0Ay",
				"\xc2\xb5m", "1e5 ", "+1", ".5", "0x10", "inf");
			sub numbers { my ($most, $n) = @_;
				join ",", map { ($most > 256 && $most < 5000 || $most == 1e9) && rand() < .2 ?
					one("nan", "inf", "-inf") : int(rand $most) } 1 .. $n }
			my @lines;
			for my $k (1 .. 40) {
				my $kind = int rand 6;
				if ($kind < 2) { push @lines, "hdf/a$k=\"" . one(@text) . "\"" }
				elsif ($kind == 2) { push @lines, "own$k=\"" . one(@text) . "\"", "mine$k=" . int(rand 99) }
				elsif ($kind == 3) {
					my ($name, $most) = @{one(@types)};
					my @n = map { 1 + int rand 4 } 1 .. 2 + rand 2;
					my $n = 1; $n *= $_ for @n;
					push @lines, "hdf/a$k=" . numbers($most, $n), "hdftype/a$k=\"$name\[" . join(",", @n) . "]\"";
				} elsif ($kind == 4) {
					my @n = (1 + int rand 3, 2); my $n = 2 * $n[0];
					push @lines, "hdf/a$k=\"" . join("%0A", map { one("007", "", "a b", "7,7") } 1 .. $n) . "\"",
						"hdftype/a$k=\"" . one("string", "text") . "[" . join(",", @n) . "]\"";
				} else {
					push @lines, "hdf/a$k=\"\"", "hdftype/a$k=\"" . one("text[]", "string[]", "int8[0]",
						"flt64[]", "string[0]", "uint16[3,0]") . "\"" }
			}
			local $/; my $all = <STDIN>;
			my $at = index $all, "\tin=";
			print substr($all, 0, $at), map({ "\t$_\n" } @lines), substr $all, $at;' "$round" >r.rsf
		goes_round r.rsf
		tafcat r.rsf -o r.taf
		goes_round r.taf
		tafcat r.rsf | sort >want2
		same want2 want
	done
}

@test "a scale that is there serves if name, coordinates and unit are the same" {
	tafmath -n 3 -a 1=0.1:0.1 'i1' | tafput label@1=x unit@1=m hdf/axis@1=X | taf2hdf x.h5 a
	# other attributes do not decide, nor how often it is written
	tafmath -n 3 -a 1=0.1:0.1 '2*i1' | tafput label@1=x unit@1=m hdf/other@1=Y >b.rsf
	taf2hdf x.h5 b b.rsf
	hdf2taf x.h5 a | taf2hdf x.h5 c
	# coordinates do, and the unit; one beside it serves again
	tafadjust --start 1=7 b.rsf >d.rsf
	taf2hdf x.h5 d d.rsf
	taf2hdf x.h5 e d.rsf
	hdf2taf x.h5 d | taf2hdf x.h5 f
	tafput unit@1=s b.rsf | taf2hdf x.h5 g
	equal "$(hdf2taf --list x.h5 | cut -f 1 | sort | tr '\n' ' ')" "/a /b /c /d /e /f /g /x /x_2 /x_3 "
	equal "$(hdf2taf x.h5 f | tafprobe -k o1) $(hdf2taf x.h5 g | tafprobe -k unit1)" "7 s"
	# 32-bit coordinates and a long_name
	gzip -dc "$BATS_TEST_DIRNAME/hdf/attrs.h5.gz" >y.h5
	hdf2taf -q y.h5 v | tafmath '2*a' | taf2hdf y.h5 w
	tafmath -n 3 -a 1=0:0.1 i1 | tafput label@1=x unit@1=m | taf2hdf y.h5 u
	equal "$(hdf2taf --list y.h5 | cut -f 1 | sort | tr '\n' ' ')" "/scalar /u /v /w /x "
	for d in u w; do
		equal "$(hdf2taf -q y.h5 $d | tafprobe -k label1) $(hdf2taf -q y.h5 $d | tafprobe -k unit1)" "Distance m"
	done
}

@test "a scalar has no dimension, both ways" {
	need zlib
	gzip -dc "$BATS_TEST_DIRNAME/hdf/attrs.h5.gz" >y.h5
	hdf2taf y.h5 scalar | tafcrop -o s.taf
	taf2hdf z.h5 s s.taf
	taf2hdf --deflate 1 z.h5 t s.taf
	# one that has got a label has a dimension
	tafput label@1=k s.taf | taf2hdf z.h5 u
	tafappend s.taf s.taf | taf2hdf z.h5 v
	equal "$(hdf2taf --list z.h5 | sort | tr '\t\n' ': ')" "/k:flt32:1 /s:int16: /t:int16: /u:int16:1 /v:int16:2 "
	equal "$(hdf2taf z.h5 t | tafread) $(hdf2taf z.h5 s | tafprobe -k unit)" "-3 m"
	run grep -aF ndim= <(hdf2taf z.h5 v)
	[ "$status" = 1 ]
}

@test "--deflate: the same bytes with any number of threads, with and without --shuffle" {
	need zlib
	local how j
	# chunks of whole rows, the last one of fewer; and rows of two chunks
	tafmath -n 797,501,2 -t flt32 'round(9*sin(i1/50))+i2%7' -o rows.taf
	tafmath -n 700001,3 -t int16 'i1%1000+100*i2' -o long.taf
	for how in '--deflate 1' '--deflate 6 --shuffle' '--deflate 0'; do
		for a in rows long; do
			for j in 1 2 5; do
				# shellcheck disable=SC2086
				taf2hdf $how -J $j $j.h5 v $a.taf
			done
			same 1.h5 2.h5
			same 1.h5 5.h5
			# shellcheck disable=SC2086
			taf2hdf $how -J 5 -m 64k m.h5 v $a.taf
			same 1.h5 m.h5
			hdf2taf m.h5 v -o back.taf
			tafcompare $a.taf back.taf
			rm ./*.h5
		done
	done
}

@test "32 dimensions, plain and in chunks" {
	need zlib
	mktaf a.taf int8 "$(perl -e 'print join ",", (1) x 30, 2, 3')"
	goes_round a.taf
	goes_round a.taf --deflate 1
}

@test "what is there is not replaced but by -f, a group never, and nothing changes" {
	mktaf a.taf int16 2,3
	mktaf b.taf flt64 2,3
	taf2hdf x.h5 g/a a.taf
	cp x.h5 before
	refuse 3 taf2hdf x.h5 g/a b.taf
	equal "$(<err)" "taf2hdf: x.h5: g/a: is there already (-f replaces it)"
	refuse 3 taf2hdf -f x.h5 g b.taf
	equal "$(<err)" "taf2hdf: x.h5: g: is a group"
	refuse 3 taf2hdf -f x.h5 g/a/b b.taf
	equal "$(<err)" "taf2hdf: x.h5: g/a: is no group"
	refuse 3 taf2hdf -f x.h5 g/a_dim1 b.taf
	equal "$(<err)" "taf2hdf: x.h5: g/a_dim1: is a dimension scale that other datasets use"
	same before x.h5
	taf2hdf -f x.h5 g/a b.taf
	places x.h5 "$(turned flt64)"
}

@test "what is no HDF5 file, and what no dataset can be, is refused" {
	mktaf a.taf int16 2,3
	refuse 3 taf2hdf a.taf a a.taf
	equal "$(<err)" 'taf2hdf: a.taf: a TAF file (commands read it as it is), no HDF5 file; the array stands behind FILE and DATASET'
	refuse 3 taf2hdf . a a.taf
	refuse 4 taf2hdf no/x.h5 a a.taf
	: >empty.h5
	refuse 3 taf2hdf empty.h5 a a.taf
	taf2hdf x.h5 a a.taf
	head -c 1000 x.h5 >cut.h5
	cp cut.h5 before
	refuse 3 taf2hdf cut.h5 b a.taf
	same before cut.h5
	mktaf b.taf int8 "$(perl -e 'print join ",", (1) x 33')"
	refuse 3 taf2hdf y.h5 a b.taf
	equal "$(<err)" "taf2hdf: b.taf: 33 dimensions, HDF5 has at most 32"
	tafcat a.taf a.taf >two.rsf
	refuse 3 taf2hdf y.h5 a two.rsf
	[ ! -e y.h5 ]
	taf2hdf -N 2 y.h5 a two.rsf
	places y.h5 "$(turned int16)"
}

@test "wrong invocations" {
	mktaf a.taf int16 2,3
	local words
	for words in 'x.h5' 'x.h5 a b c' 'x.h5 /' 'x.h5 a//b' 'x.h5 ./a' 'x.h5 a/' '--deflate 10 x.h5 a' \
		'--deflate x x.h5 a' '--shuffle x.h5 a'; do
		# shellcheck disable=SC2086
		refuse 2 taf2hdf $words
	done
	[ ! -e x.h5 ]
}

@test "a file that another program has open is left alone" {
	need flock
	mktaf a.taf int16 2,3
	taf2hdf x.h5 a a.taf
	cp x.h5 before
	refuse 4 flock x.h5 taf2hdf x.h5 b a.taf || [ -s err ]
	equal "$(<err)" "taf2hdf: x.h5: another program has it open"
	same before x.h5
}

@test "many writers of one file at once lose nothing" {
	local i
	mktaf a.taf int16 2,3
	for i in 1 2 3 4 5 6; do
		{ taf2hdf x.h5 "name$i" a.taf 2>"err$i" && echo "$i" >"done$i"; } &
	done
	wait
	for i in 1 2 3 4 5 6; do
		if [ -e "done$i" ]; then
			grep -aq "name$i" x.h5
		else
			grep -q "another program has" "err$i"
		fi
	done
	ls done?
}

@test "kill -9 at any moment leaves the old file or the new one" {
	need strace
	strace -o /dev/null true 2>/dev/null || skip "strace cannot trace here"
	local call when
	mktaf a.taf int16 2,3
	mktaf b.taf flt64 2,3
	taf2hdf old.h5 a a.taf
	cp old.h5 new.h5
	taf2hdf new.h5 b b.taf
	for call in write pwrite64 copy_file_range ftruncate,?ftruncate64 fsync rename; do
		for when in 1 3; do
			cp old.h5 x.h5
			strace -f -o /dev/null -e inject="$call:signal=KILL:when=$when" \
				taf2hdf x.h5 b b.taf >/dev/null 2>&1 || true
			cmp -s x.h5 old.h5 || cmp -s x.h5 new.h5 || { echo "$call $when: neither"; return 1; }
		done
	done
	cp old.h5 x.h5
	ends 4 strace -f -o /dev/null -e inject=pwrite64:error=ENOSPC:when=2 taf2hdf x.h5 b b.taf
	grep -q 'No space left' err
	same old.h5 x.h5
}

@test "the largest file that is allowed: status 4, the file as before" {
	need zlib
	mktaf a.taf int16 2,3
	mktaf b.taf flt64 200,30
	taf2hdf x.h5 a a.taf
	cp x.h5 before
	refuse 4 limited f 16 taf2hdf x.h5 b b.taf
	refuse 4 limited f 16 taf2hdf --deflate 1 x.h5 b b.taf
	refuse 4 limited f 1 taf2hdf y.h5 b b.taf
	same before x.h5
	shopt -s dotglob
	equal "$(echo *)" "a.taf b.taf before err out x.h5"
}

@test "a file of MATLAB 7.3: its dimensions, its classes, complex numbers, values" {
	local t class
	while read -r t class; do
		mktaf a.taf "$t" 2,3,4
		taf2hdf --matlab m.mat "v_$t" a.taf
		grep -aq "$class" m.mat
		hdf2taf m.mat "v_$t" | tafcompare a.taf -
		hdf2taf --reverse m.mat "v_$t" | tafpermute -d 3,2,1 | tafcompare a.taf -
	done <<-'END'
		int8 int8
		uint8 uint8
		int16 int16
		uint16 uint16
		int32 int32
		uint32 uint32
		int64 int64
		uint64 uint64
		flt32 single
		flt64 double
	END
	# text, version, and order of bytes; the superblock behind them; elements as TAF has them
	equal "$(head -c 19 m.mat)" "MATLAB 7.3 MAT-file"
	equal "$(perl -e 'open my $f, "<:raw", "m.mat"; read $f, my $p, 520; print unpack "H*", substr $p, 124, 4;
		print " ", unpack "H*", substr $p, 512')" "0002494d 894844460d0a1a0a"
	mktaf a.taf int16 2,3
	rm m.mat
	taf2hdf --matlab m.mat a a.taf
	places m.mat 03000a00110018001f002600
	equal "$(hdf2taf m.mat a | tafprobe -k n1)" 2
	# a vector is a column, in chunks too
	mktaf v.taf flt64 5
	taf2hdf --matlab --deflate 1 m.mat v v.taf
	equal "$(hdf2taf --list m.mat | tr '\n' ' ')" $'/a\tint16\t2,3 /v\tflt64\t5,1 '
	# pairs are called real and imag; h5py's r and i are not there
	tafmath 'complex(a,-a)' v.taf -o z.rsf
	taf2hdf --matlab m.mat z z.rsf
	grep -aq real m.mat
	hdf2taf m.mat z | tafreshape -n 5 | tafcompare z.rsf -
	# physical values, and the class that was
	tafadjust --slope 0.5 --intercept 1 a.taf -o scaled.taf
	taf2hdf --matlab m.mat scaled scaled.taf
	tafread scaled.taf >want
	hdf2taf m.mat scaled | tafread -r >got
	same want got
	refuse 3 taf2hdf --matlab --deflate 1 m.mat packed scaled.taf
	grep -q 'a mapping is not packed' err
	tafcast -t uint8 a.taf | tafput matlab/class=logical >yes.rsf
	taf2hdf --matlab m.mat yes yes.rsf
	equal "$(hdf2taf m.mat yes | tafprobe -k matlab/class)" logical
	# a file of another kind, names that are none
	taf2hdf plain.h5 a a.taf
	refuse 3 taf2hdf --matlab plain.h5 b a.taf
	grep -q 'plain.h5: no file of MATLAB 7.3' err
	for name in '' 1a a-b g/a "$(printf %064d 0 | tr 0 a)"; do
		refuse 2 taf2hdf --matlab m.mat "$name" a.taf
	done
	refuse 2 taf2hdf --matlab --sda m.mat a a.taf
	refuse 3 taf2hdf --matlab m.mat a a.taf
	grep -q 'is there already' err
}

@test "a Sandia data archive: records with descriptions, not where it is closed" {
	local SOURCE_DATE_EPOCH=1000000000
	export SOURCE_DATE_EPOCH
	mktaf a.taf int16 2,3
	tafcomment --set 'what it is' a.taf -o told.taf
	taf2hdf --sda x.sda 'a b' told.taf
	places x.sda 03000a00110018001f002600
	grep -aq '09-Sep-2001 01:46:40' x.sda
	mktaf b.taf flt64 7
	taf2hdf --sda --deflate 2 x.sda b b.taf
	equal "$(hdf2taf --list x.sda | tr '\n' ' ')" $'/a b\tint16\t2,3\twhat it is\\x0a /b\tflt64\t7,1\t '
	hdf2taf x.sda 'a b' | tafcompare told.taf -
	hdf2taf x.sda b | tafreshape -n 7 | tafcompare b.taf -
	refuse 3 taf2hdf --sda x.sda b a.taf
	grep -q 'b/b: is there already (-f replaces it)' err
	taf2hdf -f --sda x.sda b a.taf
	hdf2taf x.sda b | tafcompare a.taf -
	for name in '' a/b .; do
		refuse 2 taf2hdf --sda x.sda "$name" a.taf
	done
	tafmath 'complex(a,-a)' b.taf -o z.rsf
	refuse 3 taf2hdf --sda x.sda z z.rsf
	grep -q 'complex elements are not written to an archive' err
	mktaf none.taf int16 0,3
	refuse 3 taf2hdf --sda x.sda none none.taf
	gzip -dc "$BATS_TEST_DIRNAME/hdf/archive.sda.gz" >ref.sda
	taf2hdf --sda ref.sda new a.taf
	hdf2taf ref.sda new | tafcompare a.taf -
	for name in text cell signal; do
		refuse 3 taf2hdf -f --sda ref.sda $name a.taf
		grep -q "ref.sda: $name: is no numeric record" err
	done
	# its attribute Writable, which has 3 bytes
	gzip -dc "$BATS_TEST_DIRNAME/hdf/archive.sda.gz" | perl -0777 -pe 'my $k = index $_, "yes", index $_, "Writable";
		substr($_, $k, 3) = "no\0"' >closed.sda
	cp closed.sda before
	refuse 3 taf2hdf --sda closed.sda new2 a.taf
	grep -q 'closed.sda: an archive that is not writable' err
	cmp closed.sda before
	taf2hdf plain.h5 a a.taf
	refuse 3 taf2hdf --sda plain.h5 b a.taf
	grep -q 'plain.h5: no Sandia data archive' err
}
