# SPDX-License-Identifier: ISC
load helper
load capture

# mktrc FILE [KEY=VALUE ...]: a trace written from the template; sample i is (i * 37) % 1000 - 500
# (of bytes: % 200 - 100)
mktrc() {
	perl -e '
		my $file = shift;
		my %o = (template => "LECROY_2_3", order => "<", word => 1, n => 60, segments => 1, times => 1,
		    text => "", ris => 0, res => 0, prefix => 1, gain => 0.5, offset => 3, interval => 0.25,
		    start => -2, second => 0, extra => 0, tail => "", unit => "V", xunit => "S\0junk");
		/(.*?)=(.*)/s and $o{$1} = $2 for @ARGV;
		my $e = $o{order};
		my $size = $o{word} ? 2 : 1;
		my $at = sub { my ($d, $off, $t, @v) = @_; my $s = pack("($t)$e", @v); substr($$d, $off, length $s) = $s };
		my @x = map { $o{word} ? ($_ * 37) % 1000 - 500 : ($_ * 37) % 200 - 100 } 0 .. $o{n} - 1;
		my $data = pack($o{word} ? "(s)$e*" : "c*", @x);
		my $again = pack($o{word} ? "(s)$e*" : "c*", map { -$_ } @x) if $o{second};
		my $times = "";
		if ($o{segments} > 1 && $o{times}) {
			$times .= pack("(dd)$e", $_ * 1e-3, $o{start} + $_ / 64) for 0 .. $o{segments} - 1;
		}
		my $d;
		if ($o{template} eq "LECROY_1_0") {
			$d = "\0" x (320 + $o{extra});
			$at->(\$d, 32, "SSlllll", $o{word}, $e eq "<" ? 1 : 0, length $d, length $o{text},
			    length $times, length $data, 0);
			$at->(\$d, 56, "a16la16l", "LECROY 7200", 7, "Trace1", $o{n});
			$at->(\$d, 108, "l", $o{segments});
			$at->(\$d, 120, "ff", $o{gain}, $o{offset});
			$at->(\$d, 134, "fd", $o{interval}, $o{start});
			$at->(\$d, 154, "a48a48", $o{unit}, $o{xunit});
			$at->(\$d, 250, "dccccs", 5.25, 4, 3, 2, 1, 2020);
			$at->(\$d, 290, "f", 99);
		} else {
			$d = "\0" x (346 + $o{extra});
			$at->(\$d, 32, "SSllllllll", $o{word}, $e eq "<" ? 1 : 0, length $d, length $o{text}, $o{res},
			    length $times, $o{ris}, $o{res}, length $data, $o{second} ? length $data : 0);
			$at->(\$d, 76, "a16l", "LECROYTEST", 4711);
			$at->(\$d, 116, "lll", $o{n}, $o{n} - 2, 0);
			$at->(\$d, 144, "l", $o{segments});
			$at->(\$d, 156, "ff", $o{gain}, $o{offset});
			$at->(\$d, 176, "fd", $o{interval}, $o{start});
			$at->(\$d, 196, "a48a48", $o{unit}, $o{xunit});
			$at->(\$d, 296, "dccccs", 5.25, 4, 3, 2, 1, 2020);
			$at->(\$d, 340, "fS", 99, 2);
		}
		$at->(\$d, 0, "a16a16", "WAVEDESC", $o{template});
		my $body = $d . $o{text} . "r" x $o{res} . $times . "R" x $o{ris} . "r" x $o{res} . $data . ($again // "");
		print { open my $f, ">:raw", $file; $f } ($o{prefix} ? sprintf("#9%09d", length $body) : ""), $body, $o{tail};
	' "$@"
}

# numbers FROM TO FORMULA: the formula in i for i from FROM to TO - 1, one a line
numbers() {
	perl -e 'my ($a, $b, $f) = @ARGV; for (my $i = $a; $i < $b; $i++) { print eval($f), "\n" }' "$@"
}

# holds FILE FROM TO FORMULA TEMPLATE: the file's elements in perl's template are these
holds() {
	unpack "$5" "$1" >have
	numbers "$2" "$3" "$4" >want
	same want have
}

# shellcheck disable=SC2016 # formulas for perl
word='($i * 37) % 1000 - 500'
# shellcheck disable=SC2016
byte='($i * 37) % 200 - 100'

@test "both byte orders, words and bytes, with and without prefix" {
	for order in '<' '>'; do
		for prefix in 0 1; do
			mktrc a.trc order="$order" prefix=$prefix
			lecroy2taf a.trc -o a.taf
			tail -c +1105 a.taf | head -c 120 >x
			holds x 0 60 "$word" 's<*'
			equal "$(tafprobe -k type a.taf) $(tafprobe -k shape a.taf)" "int16 60,1"
			mktrc b.trc order="$order" prefix=$prefix word=0
			lecroy2taf b.trc -o b.taf
			tail -c +1105 b.taf | head -c 60 >x
			holds x 0 60 "$byte" 'c*'
			equal "$(tafprobe -k type b.taf)" int8
		done
	done
}

@test "gain and offset become the mapping, offset subtracted; the grid is the header's" {
	mktrc a.trc gain=0.1 interval=1e-9
	lecroy2taf a.trc -o a.taf
	# the header holds single precision: widened, not rounded again
	equal "$(tafprobe -k slope a.taf)" 0.10000000149011612
	equal "$(tafprobe -k intercept a.taf)" -3
	equal "$(tafprobe -k o1 a.taf) $(tafprobe -k d1 a.taf)" "-2 9.999999717180685e-10"
	equal "$(tafprobe -k label1 a.taf) $(tafprobe -k unit1 a.taf)" "Time s"
	equal "$(tafprobe -k o2 a.taf) $(tafprobe -k d2 a.taf)" "1 1"
}

@test "what the instrument said becomes attributes, the user's text the comment" {
	mktrc a.trc text=$'copper\n\0\0'
	lecroy2taf a.trc | cat >s
	for line in 'instrument="LECROYTEST"' 'serial="4711"' 'date="2020-01-02T03:04:05.25"' \
	    'channel="C3"' 'unit="V"'; do
		grep -aqF "$line" s || { echo "no $line"; return 1; }
	done
	equal "$(lecroy2taf a.trc | tafcomment)" copper
}

@test "blocks before the data are passed over, trailing bytes ignored, a longer descriptor used" {
	mktrc plain.trc prefix=0
	lecroy2taf plain.trc -o want.taf
	mktrc a.trc ris=24 res=10 extra=54 tail=$'\n'
	lecroy2taf a.trc -o a.taf
	same want.taf a.taf
	mktrc b.trc template=LECROY_2_2
	lecroy2taf b.trc -o b.taf
	same want.taf b.taf
}

@test "the old template, whose offset in divisions is not used" {
	for order in '<' '>'; do
		mktrc a.000 template=LECROY_1_0 prefix=0 order="$order" tail=x
		lecroy2taf a.000 -o a.taf
		tail -c +1105 a.taf | head -c 120 >x
		holds x 0 60 "$word" 's<*'
		equal "$(tafprobe -k intercept a.taf) $(tafprobe -k slope a.taf)" "-3 0.5"
		equal "$(tafprobe -k o1 a.taf) $(tafprobe -k d1 a.taf)" "-2 0.25"
	done
}

@test "every segment of a sequence is an array with its own start" {
	need numpy
	mktrc a.trc segments=4 ris=8
	stream got lecroy2taf a.trc
	for k in 0 1 2 3; do
		holds got.$((k + 1)) $((15 * k)) $((15 * k + 15)) "$word" "s$ORDER*"
	done
	"$PYTHON" -c '
import json
a = json.load(open("got.json"))
assert [x["o1"] for x in a] == ["-2", "-1.984375", "-1.96875", "-1.953125"], a
assert [x["time_tag"] for x in a] == ["0", "0.001", "0.002", "0.003"], a
assert [x["n1"] for x in a] == ["15"] * 4 and len(a) == 4'
	lecroy2taf -N 3 a.trc -o c.taf
	tail -c +1105 c.taf | head -c 30 >x
	holds x 30 45 "$word" 's<*'
	refuse 3 lecroy2taf -N 5 a.trc
	lecroy2taf a.trc -o 'x-%d.taf'
	[ -e x-4.taf ]
	[ ! -e x-5.taf ]
}

@test "--matrix puts segments side by side from the header's start" {
	mktrc a.trc segments=4
	lecroy2taf --matrix a.trc -o m.taf 2>err
	equal "$(tafprobe -k shape m.taf) $(tafprobe -k o1 m.taf)" "15,4 -2"
	grep -q "3 of 4 columns" err
	tail -c +1105 m.taf | head -c 120 >x
	holds x 0 60 "$word" 's<*'
	lecroy2taf -q --matrix a.trc -o m.taf 2>err
	[ ! -s err ]
}

@test "a second data array follows the first" {
	need numpy
	mktrc a.trc second=1 n=20
	stream got lecroy2taf a.trc
	holds got.1 0 20 "$word" "s$ORDER*"
	holds got.2 0 20 "-(($word))" "s$ORDER*"
}

@test "several operands are one stream, from files, pipes and byte by byte" {
	mktrc a.trc order='>'
	mktrc b.trc segments=3
	lecroy2taf a.trc b.trc >want.rsf -F rsf
	cat a.trc | lecroy2taf -F rsf - b.trc >x
	same want.rsf x
	dd if=b.trc bs=1 2>/dev/null | lecroy2taf -F rsf a.trc - >x
	same want.rsf x
	equal "$(tafprobe -k n1 want.rsf | tr '\n' ' ')" "60 20 20 20 "
}

@test "standard input that stands behind something is read from there" {
	mktrc a.trc
	# of another trace, which would do as well
	{ perl -0777 -pe 'substr($_, -4) = "\1\2\3\4"' a.trc; cat a.trc; } >b
	lecroy2taf a.trc -o want.taf
	perl -e 'open F, "<", "b"; sysseek F, -s "a.trc", 0; open STDIN, "<&F"; exec "lecroy2taf", "-o", "x.taf"'
	same want.taf x.taf
}

@test "a trace cut at any byte is refused, and nothing is written" {
	for args in 'n=6' 'n=6 segments=3 prefix=0' 'n=4 template=LECROY_1_0 second=0'; do
		# shellcheck disable=SC2086
		mktrc a.trc $args text=abc
		size=$(stat -c %s a.trc)
		for at in 1 7 8 11 20 40 45 60 100 200 290 $((size - 40)) $((size - 13)) $((size - 2)) $((size - 1)); do
			head -c "$at" a.trc >cut.trc
			refuse 3 lecroy2taf cut.trc
		done
	done
}

@test "lengths that lie are refused" {
	# poke OFFSET HEX: another value in the descriptor
	poke() {
		cp a.trc b.trc
		printf '%b' "$2" | dd of=b.trc bs=1 seek="$1" conv=notrunc 2>/dev/null
	}
	mktrc a.trc prefix=0 segments=3
	for at in 36 40 44 48 52 56 60 64 116; do
		poke $at '\xff\xff\xff\x7f'
		[ $at = 116 ] || refuse 3 lecroy2taf b.trc
		poke $at '\xff\xff\xff\xff'
		refuse 3 lecroy2taf b.trc
	done
	poke 36 '\x10\x00\x00\x00'
	refuse 3 lecroy2taf b.trc
	poke 144 '\x07\x00\x00\x00'
	refuse 3 lecroy2taf b.trc
	poke 32 '\x02\x00'
	refuse 3 lecroy2taf b.trc
	poke 60 '\x00\x00\x00\x00'
	refuse 3 lecroy2taf b.trc
	poke 176 '\x00\x00\x00\x00'
	refuse 3 lecroy2taf b.trc
	poke 156 '\x00\x00\xc0\x7f'
	refuse 3 lecroy2taf b.trc
	mktrc a.trc template=LECROY_3_1
	refuse 3 lecroy2taf a.trc
	grep -q LECROY_3_1 err
}

@test "a broken operand among good ones is found before anything is written" {
	mktrc a.trc
	head -c 400 a.trc >b.trc
	refuse 3 lecroy2taf a.trc b.trc
	grep -q b.trc err
	refuse 3 lecroy2taf a.trc b.trc -o x.rsf
	[ ! -e x.rsf ]
}

@test "what is of another maker is named" {
	printf 'RG01\x00\x00\x00\x00' >a
	refuse 3 lecroy2taf a
	grep -q 'a Rigol capture, not a LeCroy' err
	printf '\x0f\x0f:WFM#003' >a
	refuse 3 lecroy2taf a
	grep -q 'a Tektronix waveform (use tek2taf), not a LeCroy' err
	: >a
	refuse 3 lecroy2taf a
}

@test "samples that the count leaves out, and bytes behind the data, are remarked" {
	mktrc a.trc prefix=0 second=1
	# counted 50
	printf '\x32\x00\x00\x00' | dd of=a.trc bs=1 seek=116 conv=notrunc 2>/dev/null
	status 0 lecroy2taf a.trc -o a.rsf
	equal "$(tafprobe -k n1 a.rsf | xargs)" "50 50"
	equal "$(cat err)" "lecroy2taf: a.trc: 20 samples behind those that the header counts are left out"
	status 0 tafconvert a.trc
	equal "$(cat err)" "tafconvert: a.trc: 20 samples behind those that the header counts are left out"
	status 0 lecroy2taf -q a.trc -o a.rsf
	[ ! -s err ]
	# counted 99
	printf '\x63\x00\x00\x00' | dd of=a.trc bs=1 seek=116 conv=notrunc 2>/dev/null
	status 0 lecroy2taf a.trc -o a.rsf
	equal "$(tafprobe -k n1 a.rsf | xargs)" "60 60"
	grep -q ': 78 samples that the header counts are not in its data$' err
	for tail in '' $'\n' $'\r\n'; do
		mktrc a.trc tail="$tail"
		status 0 lecroy2taf a.trc -o a.rsf
		[ ! -s err ]
	done
	# such as another trace
	mktrc b.trc
	cat b.trc >>a.trc
	status 0 lecroy2taf --matrix a.trc -o a.rsf
	equal "$(cat err)" "lecroy2taf: a.trc: $(($(stat -c %s b.trc) + 2)) bytes behind the last record are left out"
}

@test "the corpus: samples, grid and values are what independent readers found" {
	need corpus numpy
	capture_corpus lecroy2taf "$TAF_CORPUS"/vendor/lecroy/*.trc "$TAF_CORPUS"/vendor/lecroy/*.000
}
