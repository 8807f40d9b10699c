# SPDX-License-Identifier: ISC
load helper
load capture

# mkdig FILE STYLE N BITS [FREE]: an NTS file; sample i is i * 37 % 101.  STYLE lanl (lines at 512,
# CRLF, blanks) or smash (256 bytes of the user, LF, NUL); FREE is the text in front
mkdig() {
	perl -e '
		my ($file, $style, $n, $bits, $free) = @ARGV;
		my $big = ($free // "") =~ /MSB/i ? ">" : "<";
		my $t = { 8 => "C", 16 => "S$big", 32 => "L$big", 64 => "Q$big" }->{$bits} // "C";
		my @numbers = $style eq "lanl" ? ($n, $bits, "2e-11", "-4e-09", "0.5", "-0.25") :
		    ($n, $bits, "+2.000000e-11", "-4.000000e-09", "+5.000000e-01", "-2.500000e-01");
		my $head = $style eq "lanl" ?
		    join("", map { "$_\r\n" } "Tue Nov 03 23:01:02 2026", @numbers) :
		    "#" x 256 . join("", map { "$_\n" } "SYSTEM 1.0", "Tue Nov  3 23:01:02 2026", @numbers);
		my $pad = $style eq "lanl" ? " " : "\0";
		print { open my $f, ">:raw", $file; $f } substr(($free // "") . "\0" x 512, 0, 512),
		    substr($head . $pad x 512, 0, 512), pack("$t*", map { $_ * 37 % 101 } 0 .. $n - 1);
	' "$@"
}

@test "both styles of header, all word sizes, both byte orders" {
	want=$(perl -e 'print $_ * 37 % 101, "\n" for 0 .. 49')
	for style in lanl smash; do
		for bits in 8 16 32 64; do
			for free in 'BYT_OR = LSB' 'text; BYT_ORD: MSB;' 'byt_or msb' ''; do
				mkdig a.dig $style 50 $bits "$free"
				dig2taf a.dig -o a.taf
				equal "$(tafprobe -k type a.taf) $(tafprobe -k shape a.taf)" "uint$bits 50,1"
				equal "$(tafprobe -k intercept a.taf) $(tafprobe -k slope a.taf)" "-0.25 0.5"
				equal "$(tafprobe -k o1 a.taf) $(tafprobe -k d1 a.taf)" "-4e-9 2e-11"
				tail -c +1105 a.taf | head -c $((50 * bits / 8)) >x
				case $bits in 8) t='C*' ;; 16) t='S<*' ;; 32) t='L<*' ;; 64) t='Q<*' ;; esac
				equal "$(unpack "$t" x)" "$want"
			done
		done
	done
}

@test "what the header says besides" {
	mkdig a.dig smash 5 8 'scope of room 3'
	dig2taf a.dig | cat >s
	grep -aqF 'instrument="SYSTEM 1.0"' s
	grep -aqF 'date="2026-11-03T23:01:02"' s
	equal "$(dig2taf a.dig | tafcomment)" 'scope of room 3'
	mkdig b.dig lanl 5 8
	dig2taf b.dig | grep -aqF 'date="2026-11-03T23:01:02"'
	equal "$(dig2taf b.dig | tafcomment)" ''
}

@test "bytes behind the data are remarked; a pipe gives the same" {
	mkdig a.dig lanl 50 16
	dig2taf -F rsf a.dig >want
	echo more >>a.dig
	dig2taf -F rsf a.dig >x 2>err
	same want x
	equal "$(cat err)" "dig2taf: a.dig: 5 bytes behind the last record are left out"
	cat a.dig | dig2taf -F rsf >x
	same want x
	dd if=a.dig bs=1 2>/dev/null | dig2taf -F rsf >x
	same want x
}

@test "truncated files and headers that make no sense are refused" {
	mkdig a.dig smash 50 16
	for at in 1 511 512 800 1023 1024 1025 1100 1123; do
		head -c $at a.dig >b.dig
		refuse 3 dig2taf b.dig
	done
	for bad in 7 24 x -8 16.5 ''; do
		mkdig a.dig lanl 50 16
		perl -0777 -pi -e "s/\r\n16\r\n/\r\n$bad\r\n/" a.dig
		head -c 1500 a.dig >b.dig
		refuse 3 dig2taf b.dig
	done
	for bad in 0 -1 1.5 1e30 nan x; do
		mkdig a.dig lanl 50 16
		perl -0777 -pi -e "s/\r\n50\r\n(.*?) /\r\n$bad\r\n\$1 /s" a.dig
		refuse 3 dig2taf a.dig
	done
	mkdig a.dig lanl 50 16
	sed -i 's/2e-11/0e-11/' a.dig
	refuse 3 dig2taf a.dig
	mkdig a.dig lanl 50 16
	sed -i 's/-0.25/infin/' a.dig
	refuse 3 dig2taf a.dig
	head -c 2048 /dev/zero >a.dig
	refuse 3 dig2taf a.dig
	printf 'RG01%2000s' '' >a.dig
	refuse 3 dig2taf a.dig
	grep -q 'a Rigol capture, not an NTS' err
}

@test "the corpus: samples, grid and values are what independent readers found" {
	need corpus numpy
	capture_corpus dig2taf "$TAF_CORPUS"/vendor/dig/*.dig
}
