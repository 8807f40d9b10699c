# SPDX-License-Identifier: ISC
load helper
load capture

# mkwfm FILE [KEY=VALUE ...]: a waveform written from the manual's table; sample i of frame k is
# (i * 37 + k) % 100 + 1, with charge points of 111 around the frame
mkwfm() {
	perl -e '
		my $file = shift;
		my %o = (v => 3, order => "<", code => 0, size => 2, kind => 2, n => 30, frames => 1, charge => 4,
		    scale => 0.5, offset => 3, step => 0.25, start => -2, label => "CH1", seconds => 1000000000, zero => 0,
		    tail => "", cut => 0, gap => 0);
		/(.*?)=(.*)/s and $o{$1} = $2 for @ARGV;
		my ($e, $v) = @o{qw(order v)};
		my %at = (1 => [166, 478, 766, 790, 820], 2 => [168, 480, 768, 792, 822], 3 => [168, 488, 784, 808, 838]);
		my ($value, $axis, $update, $curve, $end) = @{$at{$v}};
		my $t = ("s", "l", "L", "Q", "f", "d", "C", "c")[$o{code}];
		my $pack = $t =~ /[Cc]/ ? "$t*" : "($t)$e*";
		my $d = "\0" x $end;
		my $put = sub { my ($off, $t, @v) = @_; my $s = pack("($t)$e", @v); substr($d, $off, length $s) = $s };
		my $charge = pack($pack, (111) x $o{charge});
		my $stride = 2 * length($charge) + $o{n} * $o{size} + $o{gap};
		my $data = "";
		for my $k (0 .. $o{frames} - 1) {
			$data .= $charge . pack($pack, map { ($_ * 37 + $k) % 100 + 1 } 0 .. $o{n} - 1) . $charge . "\0" x $o{gap};
		}
		my $more = $o{frames} - 1;
		substr($d, 0, 10) = ($e eq "<" ? "\x0f\x0f" : "\xf0\xf0") . ":WFM#00$v";
		$put->(15, "C", $o{size});
		$put->(16, "l", $end + 54 * $more);
		$put->(40, "a32", $o{label});
		$put->(72, "L", $more);
		$put->(78, "l", $more ? 1 : 0);
		$put->(122, "l", $o{kind});
		$put->($value, "ddLa20", $o{scale}, $o{offset}, 9, "V");
		$put->($value + 72, "ll", $o{code}, 0);
		$put->($axis, "ddLa20", $o{step}, $o{start}, 7777, "s");
		$put->($update, "Lddl", 0, 0.25, 0.5, $o{seconds});
		$put->($curve, "Lls", 0, 0, 0);
		$put->($curve + 10, "LLLLL", 0, length $charge, length($charge) + $o{n} * $o{size},
		    $stride - $o{gap}, $stride);
		my $tables = join "", map { pack("(Lddl)$e", 0, 0.125, 0, $o{seconds} + $_) } 1 .. $more;
		$tables .= $o{zero} ? "\0" x (30 * $more) : substr($d, $curve, 30) x $more;
		print { open my $f, ">:raw", $file; $f } $d, $tables, $data, "checksum", $o{tail};
	' "$@"
}

# frame K N: the samples that mkwfm puts into frame K
frame() {
	perl -e 'print +($_ * 37 + $ARGV[0]) % 100 + 1, "\n" for 0 .. $ARGV[1] - 1' "$1" "$2"
}

# mkisf FILE PREAMBLE HEX|TEXT: a preamble and its curve
mkisf() {
	{ printf '%s' "$2"; printf '%b' "$3"; } >"$1"
}

@test "wfm of every version, order and type of sample" {
	need numpy
	for v in 1 2 3; do
		for order in '<' '>'; do
			for type in '0 2 int16 s' '1 4 int32 l' '2 4 uint32 L' '3 8 uint64 Q' '6 1 uint8 C' '7 1 int8 c'; do
				read -r code size name t <<<"$type"
				mkwfm a.wfm v=$v order="$order" code="$code" size="$size"
				if [ "$code" -ge 6 ] && [ $v -lt 3 ]; then
					refuse 3 tek2taf a.wfm
					continue
				fi
				tek2taf a.wfm -o a.taf
				equal "$(tafprobe -k type a.taf) $(tafprobe -k shape a.taf)" "$name 30,1"
				equal "$(tafprobe -k intercept a.taf) $(tafprobe -k slope a.taf)" "3 0.5"
				equal "$(tafprobe -k o1 a.taf) $(tafprobe -k d1 a.taf) $(tafprobe -k unit1 a.taf)" "-2 0.25 s"
				tail -c +1105 a.taf | head -c $((30 * size)) >x
				equal "$(unpack "($t)<*" x)" "$(frame 0 30)"
			done
		done
	done
}

@test "floats: as they are with scale 1 and offset 0, computed in double otherwise" {
	for order in '<' '>'; do
		mkwfm a.wfm code=4 size=4 scale=1 offset=0 order="$order"
		tek2taf a.wfm -o a.taf
		equal "$(tafprobe -k type a.taf) $(tafprobe -k slope a.taf)" "flt32 inf"
		tail -c +1105 a.taf | head -c 120 >x
		equal "$(unpack 'f<*' x)" "$(frame 0 30)"
		mkwfm a.wfm code=4 size=4 scale=0.1 offset=3 order="$order"
		tek2taf a.wfm -o a.taf
		equal "$(tafprobe -k type a.taf) $(tafprobe -k slope a.taf)" "flt64 inf"
		tail -c +1105 a.taf | head -c 240 >x
		equal "$(perl -0777 -ne 'printf "%a\n", $_ for unpack "d<*", $_' x)" \
			"$(frame 0 30 | perl -ne 'printf "%a\n", 3 + 0.1 * $_')"
		mkwfm a.wfm code=5 size=8 scale=1 offset=0 order="$order"
		tek2taf a.wfm -o a.taf
		equal "$(tafprobe -k type a.taf)" flt64
	done
}

@test "FastFrame: every frame, from the offsets of the first, each with its own date" {
	need numpy
	for order in '<' '>'; do
		for zero in 0 1; do
			for v in 1 2 3; do
				mkwfm a.wfm v=$v frames=4 order="$order" zero=$zero gap=6
				stream got tek2taf a.wfm
				for k in 0 1 2 3; do
					equal "$(unpack "s$ORDER*" got.$((k + 1)))" "$(frame $k 30)"
				done
				[ ! -e got.5 ]
			done
		done
	done
	"$PYTHON" -c '
import json
a = json.load(open("got.json"))
assert [x["date"] for x in a] == ["2001-09-09T01:46:40.5Z"] + ["2001-09-09T01:46:4%dZ" % k for k in (1, 2, 3)], a
assert a[0]["label"] == "CH1" and a[0]["unit"] == "V"'
	tek2taf --matrix a.wfm -o m.taf
	equal "$(tafprobe -k shape m.taf)" 30,4
	tail -c +1105 m.taf | head -c 240 >x
	unpack 's<*' x >have
	cat got.[1-4] | unpack "s$ORDER*" >want
	same want have
}

@test "digital lines are patterns without a mapping" {
	mkwfm a.wfm kind=6 code=7 size=1 scale=1 offset=0
	tek2taf a.wfm -o a.taf
	equal "$(tafprobe -k type a.taf) $(tafprobe -k slope a.taf)" "uint8 inf"
	mkwfm a.wfm kind=6 code=0 size=2 scale=1 offset=0
	tek2taf a.wfm -o a.taf
	equal "$(tafprobe -k type a.taf)" uint16
}

@test "a wfm cut at any byte of its curve or header is refused; its trailer is not needed" {
	mkwfm a.wfm frames=3 n=5 charge=1
	size=$(stat -c %s a.wfm)
	for ((at = 1; at < size - 8; at += at < 800 ? 97 : 3)); do
		head -c $at a.wfm >cut.wfm
		refuse 3 tek2taf cut.wfm
	done
	head -c $((size - 8)) a.wfm | tek2taf >x -F rsf
	tek2taf -F rsf a.wfm >want
	same want x
}

@test "what a waveform does not tell of is remarked" {
	mkwfm a.wfm frames=3 n=5 charge=1
	# the third one goes uncounted
	printf '\x01' | dd of=a.wfm bs=1 seek=72 conv=notrunc 2>/dev/null
	status 0 tek2taf a.wfm -o a.rsf
	grep -q '^tek2taf: a.wfm: [1-9][0-9]* bytes behind the last record are left out$' err
	mkwfm a.wfm tail=more
	status 0 tek2taf a.wfm -o a.rsf
	grep -q ': 4 bytes behind' err
	mkwfm a.wfm tail='tekmeta!more'
	status 0 tek2taf a.wfm -o a.rsf
	[ ! -s err ]
	mkisf a.isf "$long:CURVE " '#16\x00\x05\xff\xfe\x01\x00\n;\n'
	status 0 tek2taf a.isf -o a.rsf
	[ ! -s err ]
	mkisf a.isf "$long:CURVE " '#16\x00\x05\xff\xfe\x01\x00\x02\x00'
	status 0 tek2taf a.isf -o a.rsf
	grep -q ': 2 bytes behind' err
}

@test "wfm fields that lie are refused" {
	poke() {
		cp a.wfm b.wfm
		printf '%b' "$2" | dd of=b.wfm bs=1 seek="$1" conv=notrunc 2>/dev/null
		refuse 3 tek2taf b.wfm || { echo "byte $1"; return 1; }
	}
	mkwfm a.wfm frames=2
	poke 15 '\x04'
	poke 16 '\xff\xff\xff\x7f'
	poke 16 '\x10\x00\x00\x00'
	poke 72 '\xff\xff\xff\xff'
	poke 72 '\x02\x00\x00\x00'
	poke 122 '\x05\x00\x00\x00'
	poke 240 '\x09\x00\x00\x00'
	poke 240 '\x01\x00\x00\x00'
	for at in 822 826 834; do
		poke $at '\xff\xff\xff\xff'
	done
	poke 826 '\x00\x00\x00\x00'
	poke 834 '\x01\x00\x00\x00'
	poke 826 '\x43\x00\x00\x00'
	poke 9 '4'
	poke 174 '\xf0\x7f'
	poke 488 '\x00\x00\x00\x00\x00\x00\x00\x00'
}

@test "LLWFM" {
	# mkll FILE START: fields in the order that SMASH reads them
	mkll() {
		perl -e '
			my ($file, $start) = @ARGV;
			my @x = map { ($_ * 37) % 1000 - 500 } 0 .. 39;
			my $body = pack("l>l>(d4)>", 1, 2, 0, 0, 1, 1) . pack("s>s>d>s>s>d>s>d>d>d>L>s>", 0, 0, 1e-3, 0, 610,
			    0.125, 609, 2, 0.5, 3.2, 40, 25) . pack("s>7d>s>", (0) x 7, 0, 0) .
			    pack("(s)>*", (7) x 16, @x, (8) x 16, 99);
			print { open my $f, ">:raw", $file; $f } $start, length(length $body), length $body, $body;
		' "$@"
	}
	for start in ':LLWFM#' 'LLWFM #'; do
		mkll a.wfm "$start"
		tek2taf a.wfm -o a.taf
		equal "$(tafprobe -k shape a.taf) $(tafprobe -k type a.taf)" "40,1 int16"
		# gain / 6400, offset - position * gain, -n * 25 % * dt
		equal "$(tafprobe -k slope a.taf) $(tafprobe -k intercept a.taf)" "0.0005 0.3999999999999999"
		equal "$(tafprobe -k o1 a.taf) $(tafprobe -k d1 a.taf)" "-1.25 0.125"
		tail -c +1105 a.taf | head -c 80 >x
		equal "$(unpack 's<*' x)" "$(perl -e 'print +($_ * 37) % 1000 - 500, "\n" for 0 .. 39')"
		for at in 6 8 9 11 50 100 160 200 230; do
			head -c $at a.wfm >cut.wfm
			refuse 3 tek2taf cut.wfm
		done
		# of 40 points 30 are counted, or 60
		n=$((${#start} + 4))
		at=$(grep -abo $'\x28\x00\x19' a.wfm | head -n 1 | cut -d: -f1)
		[ "$at" -gt $n ]
		printf '\x1e' | dd of=a.wfm bs=1 seek="$at" conv=notrunc 2>/dev/null
		status 0 tek2taf a.wfm -o a.taf
		grep -q ': 10 samples behind those that the header counts' err
		printf '\x3c' | dd of=a.wfm bs=1 seek="$at" conv=notrunc 2>/dev/null
		refuse 3 tek2taf a.wfm
	done
}

long=':WFMPRE:BYT_NR 2;BIT_NR 16;ENCDG BIN;BN_FMT RI;BYT_OR MSB;NR_PT 3;WFID "Ch2, a;b: #5 CURVE #1";'\
'PT_FMT Y;XINCR 2.5E-1;PT_OFF 2;XZERO -1.0;XUNIT "s";YMULT 5.0E-1;YZERO 1.5;YOFF -2.0E+0;YUNIT "V";'\
'VOFFSET 9;HSCALE 9;FILTERFREQ 9;PT_ORDER LINEAR;'

@test "isf: long keys, strings with separators in them, both orders, all types" {
	mkisf a.isf "$long:CURVE " '#16\x00\x05\xff\xfe\x01\x00\n'
	tek2taf a.isf -o a.taf
	equal "$(tafprobe -k type a.taf) $(tafprobe -k shape a.taf)" "int16 3,1"
	# a = YZERO - YMULT * YOFF, u = XZERO - PT_OFF * XINCR
	equal "$(tafprobe -k intercept a.taf) $(tafprobe -k slope a.taf)" "2.5 0.5"
	equal "$(tafprobe -k o1 a.taf) $(tafprobe -k d1 a.taf) $(tafprobe -k unit1 a.taf)" "-1.5 0.25 s"
	tail -c +1105 a.taf | head -c 6 >x
	equal "$(unpack 's<*' x | tr '\n' ' ')" "5 -2 256 "
	tek2taf a.isf | grep -aqF 'channel="Ch2"'
	mkisf a.isf "${long/MSB/LSB}:CURV " '#16\x05\x00\xfe\xff\x00\x01'
	tek2taf a.isf | tail -c 6 | unpack "s$ORDER*" >y
	unpack 's<*' x >want
	same want y
	mkisf a.isf "${long/BN_FMT RI/BN_FMT RP}:curve " '#16\x00\x05\xff\xfe\x01\x00'
	equal "$(tek2taf a.isf | tafprobe -k type)" uint16
	mkisf a.isf "$(echo "$long" | sed 's/BYT_NR 2/BYT_NR 1/; s/RI/RP/'):CURVE " '#13\x05\xfe\x00'
	equal "$(tek2taf a.isf | tafprobe -k type)" uint8
	equal "$(tek2taf a.isf | tail -c 3 | od -An -tu1 | tr -s ' ')" " 5 254 0"
	mkisf a.isf "${long/BYT_NR 2/BYT_NR 4}:CURVE " '#212\x00\x00\x00\x05\xff\xff\xff\xfe\x01\x00\x00\x00'
	equal "$(tek2taf a.isf | tail -c 12 | unpack "l$ORDER*" | xargs)" "5 -2 16777216"
}

@test "isf: short keys, each with its own prefix, without ENCDG, PT_OFF and YZERO" {
	mkisf a.isf ':WFMP:BYT_N 1;:WFMP:BN_F RI;:WFMOUTPRE:NR_P 3;XIN 0.5;XZE 1;YMU 2;YOF 1;:CURV ' '#13\x01\xff\x03'
	tek2taf a.isf -o a.taf
	equal "$(tafprobe -k type a.taf) $(tafprobe -k intercept a.taf) $(tafprobe -k slope a.taf)" "int8 -2 2"
	equal "$(tafprobe -k o1 a.taf) $(tafprobe -k d1 a.taf)" "1 0.5"
}

@test "isf: floats, and what their scale makes of them" {
	one='BYT_NR 4;BN_FMT FP;BYT_OR MSB;NR_PT 2;XINCR 1E6;XZERO 0;XUNIT "Hz";YOFF 0;YZERO 0;YUNIT "W";'
	mkisf a.isf "$one:WFMPRE:YMULT 1.0;:CURVE " '#18\x3f\x80\x00\x00\xc0\x20\x00\x00'
	equal "$(tek2taf a.isf | tafprobe -k type) $(tek2taf a.isf | tafprobe -k slope)" "flt32 inf"
	equal "$(tek2taf a.isf | tail -c 8 | unpack "f$ORDER*" | xargs)" "1 -2.5"
	equal "$(tek2taf a.isf | tafprobe -k label1) $(tek2taf a.isf | tafprobe -k unit1)" "Frequency Hz"
	mkisf a.isf "$one:WFMPRE:YMULT 3;:CURVE " '#18\x3f\x80\x00\x00\xc0\x20\x00\x00'
	equal "$(tek2taf a.isf | tail -c 16 | unpack "d$ORDER*" | xargs)" "3 -7.5"
}

@test "isf: an envelope is two columns of half as many rows, at twice the step" {
	mkisf a.isf "$(echo "$long" | sed 's/NR_PT 3/NR_PT 6/; s/PT_FMT Y/PT_FMT ENV/'):CURVE " \
		'#212\x00\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06'
	tek2taf a.isf -o a.taf
	equal "$(tafprobe -k shape a.taf) $(tafprobe -k d1 a.taf) $(tafprobe -k o1 a.taf)" "3,2 0.5 -1.5"
	tail -c +1105 a.taf | head -c 12 >x
	equal "$(unpack 's<*' x | tr '\n' ' ')" "1 3 5 2 4 6 "
	mkisf a.isf "${long/PT_FMT Y/PT_FMT ENVELOPE}:CURVE " '#16\x00\x01\x00\x02\x00\x03'
	refuse 3 tek2taf a.isf
}

@test "isf: numbers as text" {
	text=${long/ENCDG BIN/ENCDG ASCII}
	mkisf a.isf "$text:CURVE " '-5,+7, 300\n'
	equal "$(tek2taf a.isf | tail -c 6 | unpack "s$ORDER*" | xargs)" "-5 7 300"
	for bad in '-5,7\n' '-5,7,8,9\n' '-5,7,40000\n' '-5,7,x\n' '-5,,8\n' '-5,7,' '' '1 2 3\n' '1,2,3.5\n'; do
		mkisf a.isf "$text:CURVE " "$bad"
		refuse 3 tek2taf a.isf
	done
	# many, so that numbers lie across the blocks that are read
	perl -e '$n = 50000; print shift =~ s/NR_PT 3/NR_PT $n/r, ":CURVE ", join(",", map { ($_ * 7919) % 60000 - 30000 } 1 .. $n), "\n"' \
		"$text" >a.isf
	tek2taf a.isf | tail -c 100000 >x
	perl -e 'print pack "s$ENV{ORDER}*", map { ($_ * 7919) % 60000 - 30000 } 1 .. 50000' >y
	same y x
	cat a.isf | tek2taf | tail -c 100000 >x
	same y x
}

@test "isf: text that ends in its last number is refused, unless that is whole for sure" {
	text=${long/ENCDG BIN/ENCDG ASCII}
	# another digit would be too much for int16; and none follows 0
	for last in 3277 -3277 32767 0; do
		mkisf a.isf "$text:CURVE " "-5,+7,$last"
		equal "$(tek2taf a.isf | tail -c 6 | unpack "s$ORDER*" | xargs)" "-5 7 $last"
	done
	for last in 3276 -3276 300 -4 1 -; do
		mkisf a.isf "$text:CURVE " "-5,+7,$last"
		refuse 3 tek2taf a.isf || { echo "$last"; return 1; }
		# a blank says that it ends there, too
		[ "$last" = - ] || for end in '\n' ' ' '\r\n' ';'; do
			mkisf a.isf "$text:CURVE " "-5,+7,$last$end"
			equal "$(tek2taf a.isf | tail -c 2 | unpack "s$ORDER")" "$last"
		done
	done
	# of another type another number; floats may always go on
	mkisf a.isf "$(echo "$text" | sed 's/BYT_NR 2/BYT_NR 1/'):CURVE " '-5,+7,-49'
	equal "$(tek2taf a.isf | tail -c 3 | od -An -td1 | tr -s ' ')" " -5 7 -49"
	mkisf a.isf "$(echo "$text" | sed 's/BYT_NR 2/BYT_NR 4/; s/RI/FP/'):CURVE " '-5,+7,32767'
	refuse 3 tek2taf a.isf
	mkisf a.isf "$(echo "$text" | sed 's/BYT_NR 2/BYT_NR 4/; s/RI/FP/'):CURVE " '-5,+7,32767\n'
	# 2.5 + 0.5 * x
	equal "$(tek2taf a.isf | tail -c 24 | unpack "d$ORDER*" | xargs)" "0 6 16386"
}

@test "isf: cut anywhere, text is refused or all there" {
	mkisf a.isf "${long/ENCDG BIN/ENCDG ASCII}:CURVE " '-5,1234,-12345\n'
	tek2taf a.isf >want
	size=$(stat -c %s a.isf)
	for ((at = size - 40; at < size; at++)); do
		head -c $at a.isf >cut.isf
		tek2taf cut.isf >got 2>err && { same want got || return 1; } || [ -s err ]
	done
}

@test "isf: a curve that is not what the preamble says is refused" {
	for bad in '#15\x00\x05\xff\xfe\x01' '#18\x00\x05\xff\xfe\x01\x00\x00\x00' '#16\x00\x05\xff\xfe\x01' '#1' '#' '' \
	    '#06\x00\x05\xff\xfe\x01\x00' 'x16\x00\x05\xff\xfe\x01\x00'; do
		mkisf a.isf "$long:CURVE " "$bad"
		refuse 3 tek2taf a.isf
	done
	for change in 's/NR_PT 3;//' 's/XINCR 2.5E-1;//' 's/YMULT 5.0E-1;//' 's/BYT_NR 2/BYT_NR 3/' 's/BN_FMT RI/BN_FMT XX/' \
	    's/BYT_OR MSB/BYT_OR ?/' 's/ENCDG BIN/ENCDG ZIP/' 's/PT_FMT Y/PT_FMT Z/' 's/XINCR 2.5E-1/XINCR 0/' \
	    's/YMULT 5.0E-1/YMULT 1e999/' 's/NR_PT 3/NR_PT 3.5/' 's/NR_PT 3/NR_PT -3/' 's/NR_PT 3/NR_PT 1e30/'; do
		mkisf a.isf "$(echo "$long" | sed "$change"):CURVE " '#16\x00\x05\xff\xfe\x01\x00'
		refuse 3 tek2taf a.isf || { echo "$change"; return 1; }
	done
}

@test "isf: cut at any byte it is refused" {
	mkisf a.isf "$long:CURVE " '#16\x00\x05\xff\xfe\x01\x00'
	size=$(stat -c %s a.isf)
	for ((at = 1; at < size; at += at < size - 20 ? 23 : 1)); do
		head -c $at a.isf >cut.isf
		refuse 3 tek2taf cut.isf
	done
}

@test "isf: every curve of a file is an array; what is left of one is refused" {
	need numpy
	other=${long/NR_PT 3/NR_PT 2}
	mkisf a.isf "$long:CURVE " '#16\x00\x05\xff\xfe\x01\x00'
	mkisf b.isf "${other/XZERO -1.0/XZERO 7}:CURVE " '#14\x00\x09\x00\x08\n'
	mkisf c.isf "$(echo "$long" | sed 's/BIN/ASCII/; s/BYT_NR 2/BYT_NR 1/'):CURVE " '1,-2,3'
	for between in '' '\n' ';' '\r\n; '; do
		{ cat a.isf; printf '%b' "$between"; cat c.isf; printf ';'; cat b.isf; } >all.isf
		stream got tek2taf all.isf
		[ -e got.3 ]
		[ ! -e got.4 ]
		equal "$(unpack "s$ORDER*" got.1 | tr '\n' ' ')" "5 -2 256 "
		equal "$(unpack 'c*' got.2 | tr '\n' ' ')" "1 -2 3 "
		equal "$(unpack "s$ORDER*" got.3 | tr '\n' ' ')" "9 8 "
		tek2taf -N 3 all.isf -o b.taf
		equal "$(tafprobe -k o1 b.taf)" "6.5"
		tek2taf -N 1 all.isf -o a.taf
		equal "$(tafprobe -k o1 a.taf)" "-1.5"
	done
	cat a.isf a.isf >all.isf
	equal "$(tek2taf --matrix all.isf | tafprobe -k shape)" 3,2
	cat all.isf | tek2taf -F rsf >got
	tek2taf all.isf >want -F rsf
	same want got
	# a cut between the two leaves one that is whole
	first=$(stat -c %s a.isf) size=$(stat -c %s all.isf)
	for ((at = first + 1; at < size; at += 7)); do
		head -c $at all.isf >cut.isf
		refuse 3 tek2taf cut.isf || { echo $at; return 1; }
	done
	mkisf b.isf ':CURVE ' '#16\x00\x05\xff\xfe\x01\x00'
	cat a.isf b.isf >all.isf
	refuse 3 tek2taf all.isf
	# what is none is none of ours
	{ cat a.isf; printf '\n\x00\x01checksum'; } >all.isf
	equal "$(tek2taf all.isf | tail -c 6 | unpack "s$ORDER*" | xargs)" "5 -2 256"
}

@test "what is of another maker is named" {
	printf '\xa5\xa5\x00\x00' >a
	refuse 3 tek2taf a
	grep -q 'a Rigol capture, not a Tektronix' err
	printf 'MAGIC 1000\n#41000' >a
	refuse 3 tek2taf a
	grep -q generator err
	printf 'AG10\x00\x00\x00\x00' >a
	refuse 3 tek2taf a
	grep -q 'a Keysight capture' err
}

@test "the corpus: samples, grid and values are what independent readers found" {
	need corpus numpy
	capture_corpus tek2taf "$TAF_CORPUS"/vendor/tektronix/*.wfm "$TAF_CORPUS"/vendor/tektronix/*.isf
}
