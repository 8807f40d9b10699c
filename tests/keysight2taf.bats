# SPDX-License-Identifier: ISC
load helper
load capture

# mkag FILE VERSION SPEC ...: a capture; SPEC is KEY=VALUE,... of a waveform: type, points, buffers as
# TYPE/BYTES/COUNT joined by +, label, segment, header (its size); sample i of buffer b is
# (i * 37 + b) % 100 + 1
mkag() {
	perl -e '
		my ($file, $version, @waves) = @ARGV;
		my $wide = $version eq "03";
		my ($b, $body) = (0, "");
		for (@waves) {
			my %o = (type => 1, points => 20, buffers => "1/4/20", label => "1", segment => 0, header => 140,
			    extra => 0, date => "05 JUN 2019", time => "12:34:56", xunit => 2, yunit => 1);
			/(.*?)=(.*)/ and $o{$1} = $2 for split /,/;
			my @buffers = split /\+/, $o{buffers};
			my $h = pack("l<5f<d<3l<2", $o{header}, $o{type}, scalar @buffers, $o{points}, 1, 9, 777, 0.25, -2,
			    $o{xunit}, $o{yunit}) . pack("a16a16a24a16d<L<", $o{date}, $o{time}, "DSO-X 1:MY123  ", $o{label},
			    $o{segment} * 0.5, $o{segment});
			$body .= substr($h . "\0" x 100, 0, $o{header});
			for (@buffers) {
				my ($type, $size, $n) = split "/";
				my $t = $type <= 5 && $size == 4 ? ($o{type} == 4 ? "l<" : "f<") :
				    { 1 => "C", 2 => "S<", 4 => "L<", 8 => "Q<" }->{$size};
				my $data = pack("$t*", map { ($_ * 37 + $b) % 100 + 1 } 0 .. $n - 1);
				$body .= pack("l<s<s<", ($wide ? 16 : 12) + $o{extra}, $type, $size) .
				    pack($wide ? "q<" : "l<", length $data) . "x" x $o{extra} . $data;
				$b++;
			}
		}
		my $head = "AG$version";
		$head .= pack($wide ? "Q<" : "L<", ($wide ? 16 : 12) + length $body) . pack("l<", scalar @waves);
		print { open my $f, ">:raw", $file; $f } $head, $body;
	' "$@"
}

# buffer B N: the samples that mkag puts into buffer B
buffer() {
	perl -e 'print +($_ * 37 + $ARGV[0]) % 100 + 1, "\n" for 0 .. $ARGV[1] - 1' "$1" "$2"
}

@test "every version: each buffer of each waveform is an array, in the order of the file" {
	need numpy
	for version in 01 03 10; do
		mkag a.bin $version label=1 label=EXT,points=7,buffers=1/4/7 type=2,label=2,buffers=3/4/20+2/4/20,extra=4
		stream got keysight2taf a.bin
		equal "$(unpack "f$ORDER*" got.1)" "$(buffer 0 20)"
		equal "$(unpack "f$ORDER*" got.2)" "$(buffer 1 7)"
		equal "$(unpack "f$ORDER*" got.3)" "$(buffer 2 20)"
		equal "$(unpack "f$ORDER*" got.4)" "$(buffer 3 20)"
		[ ! -e got.5 ]
		"$PYTHON" -c '
import json
a = json.load(open("got.json"))
assert [x["channel"] for x in a] == ["1", "EXT", "2", "2"], a
assert [x.get("label") for x in a] == [None, None, "minimum", "maximum"], a
for x in a:
    assert x["data_format"] == "native_float" and "taf_slope" not in x
    assert (x["o1"], x["d1"], x["unit1"], x["label1"]) == ("-2", "0.25", "s", "Time"), x
    assert (x["instrument"], x["serial"], x["date"], x["unit"]) == ("DSO-X 1", "MY123", "2019-06-05T12:34:56", "V"), x'
	done
}

@test "digital and counted buffers" {
	mkag a.bin 10 type=6,buffers=6/1/20
	equal "$(keysight2taf a.bin | tafprobe -k type) $(keysight2taf a.bin | tafprobe -k slope)" "uint8 inf"
	keysight2taf a.bin | tail -c 20 >x
	equal "$(unpack 'C*' x)" "$(buffer 0 20)"
	mkag a.bin 10 type=6,buffers=5/1/20
	equal "$(keysight2taf a.bin | tafprobe -k type)" uint8
	mkag a.bin 10 type=6,buffers=6/2/20
	equal "$(keysight2taf a.bin | tafprobe -k type)" uint16
	keysight2taf a.bin | tail -c 40 >x
	equal "$(unpack "S$ORDER*" x)" "$(buffer 0 20)"
	mkag a.bin 10 type=4,buffers=4/4/20
	equal "$(keysight2taf a.bin | tafprobe -k type)" int32
	mkag a.bin 10 buffers=5/4/20
	equal "$(keysight2taf a.bin | tafprobe -k type)" flt32
	mkag a.bin 10 xunit=6,yunit=5
	equal "$(keysight2taf a.bin | tafprobe -k label1)" Frequency
}

@test "points and bytes: the smaller number counts; longer headers are stepped over" {
	mkag a.bin 10 points=15,header=160 points=99,extra=8
	equal "$(keysight2taf a.bin 2>err | tafprobe -k n1 | tr '\n' ' ')" "15 20 "
	equal "$(cat err)" "keysight2taf: a.bin: 5 samples behind those that the header counts are left out
keysight2taf: a.bin: 79 samples that the header counts are not in its data"
	keysight2taf a.bin -N 2 | tail -c 80 >x
	equal "$(unpack "f$ORDER*" x)" "$(buffer 1 20)"
	mkag a.bin 10 header=112
	equal "$(keysight2taf a.bin | tafprobe -k n1)" 20
}

@test "segments have their numbers and times; --matrix puts them side by side" {
	mkag a.bin 10 segment=1 segment=2 segment=3
	keysight2taf a.bin | tafprobe | grep -c 'segment = ' >n
	equal "$(cat n)" 3
	keysight2taf a.bin | grep -aq 'time_tag="1.5"'
	keysight2taf --matrix a.bin -o m.taf
	equal "$(tafprobe -k shape m.taf)" 20,3
	tail -c +1105 m.taf | head -c 240 >x
	equal "$(unpack 'f<*' x)" "$(buffer 0 20; buffer 1 20; buffer 2 20)"
	mkag a.bin 10 points=20 points=19
	refuse 3 keysight2taf --matrix a.bin
	grep -q 'record 2 differs from the first in length' err
	mkag a.bin 10 type=1 type=6,buffers=6/1/20
	refuse 3 keysight2taf --matrix a.bin
	grep -q 'in type' err
}

@test "cut at any byte it is refused" {
	for version in 10 03; do
		mkag a.bin $version buffers=1/4/3,points=3 type=6,buffers=6/1/5,points=5
		size=$(stat -c %s a.bin)
		for ((at = 1; at < size; at += 5)); do
			head -c $at a.bin >cut.bin
			refuse 3 keysight2taf cut.bin
		done
		head -c $((size - 1)) a.bin >cut.bin
		refuse 3 keysight2taf cut.bin
		head -c $((size - 1)) a.bin | refuse 3 keysight2taf -
	done
}

@test "numbers that lie are refused" {
	poke() {
		cp a.bin b.bin
		printf '%b' "$2" | dd of=b.bin bs=1 seek="$1" conv=notrunc 2>/dev/null
		refuse 3 keysight2taf b.bin || { echo "byte $1"; return 1; }
	}
	mkag a.bin 10 label=1
	for at in 8 12 20 152 160; do
		poke $at '\xff\xff\xff\x7f'
		poke $at '\xff\xff\xff\xff'
	done
	poke 24 '\xff\xff\xff\xff'
	poke 12 '\x08\x00\x00\x00'
	poke 152 '\x04\x00\x00\x00'
	poke 156 '\x09'
	poke 156 '\x00'
	poke 158 '\x00'
	poke 158 '\x08'
	poke 24 '\x00\x00\x00\x00'
	poke 8 '\x00\x00\x00\x00'
	poke 44 '\x00\x00\x00\x00\x00\x00\x00\x00'
	poke 2 '99'
	grep -q 'version 99' err
	mkag a.bin 03 label=1
	poke 164 '\xff\xff\xff\xff\xff\xff\xff\xff'
	poke 164 '\x00\x00\x00\x00\x00\x00\x00\x7f'
}

@test "waveforms that the header leaves out are missed by the size of the file" {
	for version in 10 01 03; do
		at=8
		[ $version != 03 ] || at=12
		mkag a.bin $version label=1 label=2 label=3
		printf '\x02' | dd of=a.bin bs=1 seek=$at conv=notrunc 2>/dev/null
		refuse 3 keysight2taf a.bin
		grep -q 'the waveforms end at byte' err
		# one of two buffers
		mkag a.bin $version type=2,buffers=3/4/20+2/4/20
		printf '\x01' | dd of=a.bin bs=1 seek=$((at + 12)) conv=notrunc 2>/dev/null
		refuse 3 keysight2taf a.bin
		# bytes behind them are remarked, and 0 says nothing
		mkag a.bin $version label=1
		keysight2taf -F rsf a.bin >want
		echo more >>a.bin
		keysight2taf -F rsf a.bin >got 2>err
		same want got
		equal "$(cat err)" "keysight2taf: a.bin: 5 bytes behind the last record are left out"
		printf '\0\0\0\0' | dd of=a.bin bs=1 seek=4 conv=notrunc 2>/dev/null
		keysight2taf -F rsf a.bin >got
		same want got
	done
}

@test "what is of another maker is named" {
	printf 'RG01\x00\x00\x00\x00\x00\x00\x00\x00' >a
	refuse 3 keysight2taf a
	grep -q 'a Rigol capture, not a Keysight' err
	printf '\x89HDF\r\n\x1a\n' >a
	refuse 3 keysight2taf a
	grep -q HDF5 err
}

@test "the corpus: samples, grid and values are what independent readers found" {
	need corpus numpy
	capture_corpus keysight2taf "$TAF_CORPUS"/vendor/keysight/*.bin
}

@test "the corpus of HDF5" {
	need corpus numpy
	for file in "$TAF_CORPUS"/vendor/keysight/*.h5; do
		if keysight2taf "$file" 2>&1 >/dev/null | grep -q 'without the library'; then
			skip 'built without hdf5'
		fi
		capture_corpus keysight2taf "$file"
		cp "$file" a.h5
		for part in 2 3 10 100; do
			head -c $(($(stat -c %s a.h5) / part)) a.h5 >cut.h5
			refuse 3 keysight2taf cut.h5
		done
		head -c -1 a.h5 >cut.h5
		refuse 3 keysight2taf cut.h5
		# through a pipe too
		keysight2taf "$file" >want -F rsf
		cat "$file" | keysight2taf -F rsf >x
		same want x
	done
}

@test "fewer samples in HDF5 than NumPoints are refused" {
	need corpus
	file=$TAF_CORPUS/vendor/keysight/synthetic_float_4ch.h5
	if keysight2taf "$file" 2>&1 >/dev/null | grep -q 'without the library'; then
		skip 'built without hdf5'
	fi
	perl -0777 -pe 's/(NumPoints.*?)\xe8\x03\0\0/$1\xe9\x03\0\0/s or die' "$file" >a.h5
	refuse 3 keysight2taf a.h5
	grep -q '1000 samples, but NumPoints is 1001' err
}
