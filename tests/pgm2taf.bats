# SPDX-License-Identifier: ISC
load helper

# image KIND WIDTH HEIGHT MAXVAL: number i of it is (7 i + 3) mod (MAXVAL + 1), written by perl
image() {
	perl -e '
		my ($kind, $w, $h, $max) = @ARGV;
		my $of = $kind == 3 || $kind == 6 ? 3 : $kind == 7 ? 4 : 1;
		my @v = map { ($_ * 7 + 3) % ($max + 1) } 0 .. $w * $h * $of - 1;
		my $size = $kind == 1 || $kind == 4 ? "$w $h\n" : "$w $h\n$max\n";
		binmode STDOUT;
		if ($kind == 7) {
			print "P7\nWIDTH $w\nHEIGHT $h\nDEPTH 4\nMAXVAL $max\nTUPLTYPE RGB_ALPHA\nENDHDR\n";
		} else {
			print "P$kind\n$size";
		}
		if ($kind < 4) {
			print join($kind == 1 ? "" : " ", splice @v, 0, 11), "\n" while @v;
		} elsif ($kind == 4) {
			print pack "B*", join "", splice @v, 0, $w while @v;
		} else {
			print pack $max > 255 ? "n*" : "C*", @v;
		}' "$@"
}

# values KIND COUNT MAXVAL: what it becomes
values() {
	perl -e '
		my ($kind, $n, $max) = @ARGV;
		for (0 .. $n - 1) {
			my $v = ($_ * 7 + 3) % ($max + 1);
			print $kind == 1 || $kind == 4 ? 1 - $v : $v, "\n";
		}' "$@"
}

@test "every kind, 8 and 16 bits, from a file, a pipe and byte by byte" {
	while read -r kind max shape type; do
		image "$kind" 13 6 "$max" >a.pnm
		pgm2taf a.pnm | cat >a.rsf
		equal "$kind $(tafprobe -k shape a.rsf) $(tafprobe -k type a.rsf)" "$kind $shape $type"
		tafread a.rsf >got
		values "$kind" "$(tafprobe -k count a.rsf)" "$max" >want
		same want got
		pgm2taf <a.pnm | cmp - a.rsf
		pgm2taf < <(cat a.pnm) | cmp - a.rsf
		perl -pe 'BEGIN { $| = 1; $/ = \1 }' a.pnm | pgm2taf | cmp - a.rsf
	done <<-'END'
		1 1 13,6 uint8
		2 255 13,6 uint8
		2 65535 13,6 uint16
		3 9 3,13,6 uint8
		3 1000 3,13,6 uint16
		4 1 13,6 uint8
		5 255 13,6 uint8
		5 256 13,6 uint16
		5 65535 13,6 uint16
		6 254 3,13,6 uint8
		6 65535 3,13,6 uint16
		7 255 4,13,6 uint8
		7 4095 4,13,6 uint16
	END
}

@test "an image that is read in several pieces, which end within a byte" {
	for kind in 4 1 2; do
		image $kind 131 157 1 | pgm2taf | tafread >got
		values $kind $((131 * 157)) 1 >want
		same want got
	done
}

@test "components, a maxval and a tuple type are told" {
	image 7 3 2 4095 | pgm2taf >a.taf
	equal "$(tafprobe -k label1 a.taf)" component
	equal "$(taftype a.taf)" 3
	tafprobe a.taf | grep -q 'pnm/maxval = 4095'
	tafprobe a.taf | grep -q 'pnm/tupltype = RGB_ALPHA'
	# a line of it without a value
	image 7 3 2 255 | perl -pe 's/^ENDHDR/TUPLTYPE\n$&/' | pgm2taf >a.taf
	tafprobe a.taf | grep -q 'pnm/tupltype = RGB_ALPHA$'
	image 6 3 2 255 | pgm2taf >a.taf
	equal "$(tafprobe a.taf | grep -c pnm/)" 0
	image 5 3 2 65535 | pgm2taf >a.taf
	equal "$(tafprobe a.taf | grep -c pnm/) $(taftype a.taf)" "0 3"
	image 4 3 2 1 | pgm2taf | tafprobe | grep -q 'pnm/maxval = 1$'
}

@test "comments and blanks stand where netpbm's library takes them" {
	image 5 3 2 255 | pgm2taf | tafread >want
	while read -r header; do
		printf '%b' "$header" >a.pgm
		image 5 3 2 255 | tail -c 6 >>a.pgm
		pgm2taf a.pgm | tafread | cmp - want || { echo "$header"; false; }
		! command -v pamtopnm >/dev/null || pamtopnm -plain a.pgm | tail -n +4 | xargs | cmp - <(xargs <want)
	done <<-'END'
		P5 3 2 255\n
		P5\n#\n# one\n3# two\r2 #\n\n255#three\n
		P5\t\r 0003\n2\n255\t
		P5#3\n3 2 255\r
	END
	printf 'P2 3 # x\n1 255 1 # 2 3\n4 #5\n6' | pgm2taf | tafread | xargs >got
	equal "$(<got)" "1 4 6"
	printf 'P1 4 1 1# 0\n 01\n0' | pgm2taf | tafread | xargs >got
	equal "$(<got)" "0 1 0 1"
}

@test "several images of any kinds are several arrays" {
	for kind in 4 1 2 6 7 5; do
		case $kind in 1 | 4) max=1 ;; *) max=200 ;; esac
		image $kind $((kind + 2)) 3 $max
		[ $((kind % 2)) -eq 0 ] || printf '\n \t'
	done >a.pnm
	equal "$(pgm2taf a.pnm | tafprobe -k shape | xargs)" "6,3 3,3 4,3 3,8,3 4,9,3 7,3"
	pgm2taf a.pnm >file.rsf
	pgm2taf < <(cat a.pnm) >pipe.rsf
	tafread -N 6 file.rsf >want
	values 5 21 200 | cmp - want
	tafread -N 6 pipe.rsf | cmp - want
	equal "$(pgm2taf -N 4 a.pnm | tafprobe -k shape)" 3,8,3
	equal "$(pgm2taf a.pnm a.pnm | grep -ac taf_next=1)" 11
	refuse 3 pgm2taf a.pnm -o a.taf
	[ ! -e a.taf ]
	pgm2taf a.pnm -o a-%d.taf
	equal "$(tafprobe -k ndim a-*.taf | wc -l) $(tafread a-6.taf | cksum)" "6 $(cksum <want)"
	{ cat a.pnm; printf junk; } >b.pnm
	refuse 3 pgm2taf b.pnm
	grep -q 'offset [0-9]*: j, an image of netpbm' err
}

@test "--transpose: rows are dimension 1, components stay in front" {
	for kind in 1 2 4 5 6 7; do
		case $kind in 1 | 4) max=1 ;; *) max=200 ;; esac
		image $kind 13 6 $max >a.pnm
		pgm2taf a.pnm -o a.taf
		pgm2taf --transpose a.pnm -o b.taf
		pgm2taf --transpose -m 64k < <(cat a.pnm) >c.taf
		same b.taf c.taf
		n=$(tafprobe -k ndim a.taf)
		tafpermute -d "$([ "$n" = 3 ] && echo 1,3,2 || echo 2,1)" a.taf | tafread >want
		tafread b.taf | cmp - want
		equal "$(tafread -x $((n - 1))=6 -x "$n"=2 b.taf)" "$(tafread -x $((n - 1))=2 -x "$n"=6 a.taf)"
	done
}

@test "what is no image is refused at once, and names what is wrong" {
	while IFS='|' read -r text message; do
		printf '%b' "$text" >a.pnm
		refuse 3 pgm2taf a.pnm || { echo "$text"; return 1; }
		grep -Fq -- "$message" err || { cat err; return 1; }
		ends 3 pgm2taf -o x.taf < <(cat a.pnm)
		[ ! -e x.taf ]
	done <<-'END'
		P8 1 1 255 a|offset 1: 8, an image of netpbm (P1 to P7) expected
		 \n|the input ends, an image of netpbm
		P55 1 255 a|offset 2: 5, a blank
		P5 1 1 0 a|a maxval of 0, not of 1 to 65535
		P5 1 1 65536 ab|a maxval of 65536
		P5 0 1 255 a|a size of 0
		P5 -3 1 255 a|offset 3: -, the width expected
		P5 1x1 255 a|offset 4: x, a blank or a digit expected
		P5 4294967296 4294967296 255 a|too large
		P6 4294967296 2147483647 65535 a|too large
		P5 18446744073709551616 1 255 a|above 64 bits
		P5 1000000 1000000 255 a|image of 1000000 x 1000000 pixels, but 1 bytes are there
		P4 17 2 abcde|image of 17 x 2 pixels, but 5 bytes
		P2 3 3 255 1 2 3 4 5 6|image of 3 x 3 pixels, but 11 bytes
		P5 2 1 100 a\0377|image 1, column 2, row 1: 255, more than the maxval of 100
		P6 1 2 100 abcabz|image 1, column 1, row 2: 122, more than
		P2 1 1 100 101|101, more than the maxval of 100
		P3 1 1 9 1 2 10|10, more than
		P6 1 1 4000 \0017\0240\0017\0241\0000\0001|image 1, column 1, row 1: 4001, more than the maxval of 4000
		P1 2 1 0 2|2, a 0 or 1 of the image expected
		P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nENDHDR\na|no MAXVAL
		P7\nWIDTH 1\nWIDTH 1\nENDHDR\na|WIDTH twice
		P7\nWIDTH 1 2\nENDHDR\na|WIDTH without a number
		P7\nCOLOUR 1\nENDHDR\na|COLOUR 1 is no line of a PAM header
		P7 \nWIDTH 1\n|a new line behind P7
	END
}

@test "what converts captures says that an image is for pgm2taf" {
	image 5 3 2 255 >a.pgm
	image 2 3 2 255 >b.pgm
	for f in a.pgm b.pgm; do
		refuse 3 tafconvert $f
		grep -q 'an image of netpbm (use pgm2taf)' err
		refuse 3 lecroy2taf $f
		grep -q 'an image of netpbm (use pgm2taf)' err
	done
}

@test "cut anywhere: status 3, and nothing is made" {
	for kind in 1 2 3 4 5 6 7; do
		case $kind in 1 | 4) max=1 ;; *) max=200 ;; esac
		image $kind 3 2 $max >a.pnm
		size=$(wc -c <a.pnm)
		# the last byte of a plain image is a line feed
		[ $kind -gt 3 ] || size=$((size - 1))
		for ((n = 0; n < size; n += 1 + n % 5)); do
			# a number of text may lose a digit
			[ $kind -lt 2 ] || [ $kind -gt 3 ] || [ "$n" -lt $((size - 3)) ] || continue
			head -c "$n" a.pnm >cut.pnm
			refuse 3 pgm2taf cut.pnm
			ends 3 pgm2taf -o x.taf < <(cat cut.pnm)
			[ ! -e x.taf ]
		done
	done
}

@test "memory does not grow with the image" {
	limit=16384
	(ulimit -v $limit && pgm2taf -V) >/dev/null 2>&1 || skip "the program cannot start in $limit KiB"
	{ printf 'P6 4000 4000 200 '; head -c 48000000 /dev/zero; } >a.ppm
	(ulimit -v $limit && pgm2taf a.ppm) | tail -c 48000000 | cmp - <(head -c 48000000 /dev/zero)
	equal "$( (ulimit -v $limit && pgm2taf < <(cat a.ppm)) | tafprobe -k shape)" 3,4000,4000
}

@test "netpbm reads the same numbers: plain and raw" {
	need pamtopnm pamdepth pamflip
	for f in '2 255' '2 15' '3 65535' '5 300' '6 255' '6 65535' '5 77'; do
		# shellcheck disable=SC2086
		image ${f% *} 13 6 ${f#* } >a.pnm
		pgm2taf a.pnm -o a.taf
		pamtopnm -plain a.pnm | tail -n +4 | xargs -n 1 >want
		tafread a.taf | cmp - want
		pamflip -transpose a.pnm | pgm2taf | tafread >want
		pgm2taf --transpose a.pnm | tafread | cmp - want
	done
	for kind in 1 4; do
		image $kind 13 6 1 >a.pbm
		# black is 0 there, too
		pamdepth 255 a.pbm 2>/dev/null | pgm2taf | tafmath 'a / 255' | tafread >want
		pgm2taf a.pbm | tafread | cmp - want
	done
}
