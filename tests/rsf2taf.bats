# SPDX-License-Identifier: ISC
load helper

# rsf KEYS [DATA]: a packed array, with the escapes of printf
rsf() {
	printf '%b in="stdin"\n\n\f\f\004%b' "$1" "${2-}"
}

# data_of FILE: the elements of a TAF file without a comment
data_of() {
	perl -0777 -ne 'my $n = unpack "x1048 Q<", $_; print substr $_, 1056 + 24 * $n' "$1"
}

# types FILE: element type as the file has it, and the shape
type_of() {
	perl -0777 -ne 'my ($t, $n) = unpack "x1024 A8 x16 Q<", $_; $t =~ s/\0.*//s;
		my @d = unpack "x1056 (Q< x16)$n", $_; print "$t ", join ",", @d' "$1"
}

@test "native elements of every type" {
	while read -r format type template; do
		rsf "n1=3 n2=2 data_format=\"native_$format\"" >a.rsf
		T=$template perl -e 'print pack "($ENV{T})$ENV{ORDER}*", 1, 2, 100, 4, 5, 6' >>a.rsf
		rsf2taf a.rsf -o a.taf
		equal "$(type_of a.taf)" "$type 3,2"
		data_of a.taf >got
		T=$template perl -e 'print pack "($ENV{T})<*", 1, 2, 100, 4, 5, 6' >want
		same want got
		cat a.rsf | rsf2taf >b.taf
		same a.taf b.taf
	done <<-'END'
		char int8 c
		uchar uint8 C
		short int16 s
		ushort uint16 S
		int int32 l
		uint uint32 L
		long int64 q
		ulong uint64 Q
		float flt32 f
		double flt64 d
		byte uint8 C
	END
}

@test "big-endian short ones that Madagascar has made are refused: they are none" {
	local line='4.3-git\tsfdd\ta/b/c:\tuser@host\tSun Nov 22 07:00:00 2026\n\n'
	# what its sfdd makes of 1, 2, 3, 4
	printf '\tdata_format="native_short"\n%b\tdata_format="xdr_short"\n\tn1=4\n\tin="stdin"\n\n\f\f\004%b' \
		"$line" '\0\002\0\001\0\003\0\002' >a.rsf
	refuse 3 rsf2taf a.rsf
	grep -q 'xdr_short' err
	refuse 3 tafread a.rsf
	# what another has made
	rsf 'n1=2 n2=1 data_format="xdr_short"' '\0\001\0377\0376' | rsf2taf -o a.taf
	equal "$(tafread a.taf | xargs)" "1 -2"
	printf '\tdata_format="native_int"\n%b\tdata_format="xdr_int"\n\tn1=1\n\tin="stdin"\n\n\f\f\004%b' \
		"$line" '\0\0\0\005' | tafread >got
	equal "$(cat got)" 5
}

@test "big-endian elements, by xdr_ and by taf_order" {
	rsf 'n1=2 n2=1 data_format="xdr_float"' '\0077\0200\0\0\0300\0\0\0' | rsf2taf -o a.taf
	data_of a.taf >got
	perl -e 'print pack "f<*", 1, -2' >want
	same want got
	rsf 'n1=2 n2=1 data_format="native_short" taf_order="big"' '\0\001\0377\0376' | rsf2taf -o a.taf
	data_of a.taf >got
	perl -e 'print pack "s<*", 1, -2' >want
	same want got
	rsf 'n1=2 n2=1 data_format="native_short" taf_order="little"' '\001\0\0376\0377' | rsf2taf -o b.taf
	same a.taf b.taf
	rsf 'n1=1 n2=1 data_format="xdr_complex"' '\0077\0200\0\0\0300\0\0\0' | rsf2taf -o a.taf
	equal "$(type_of a.taf)" "flt32 1,2"
	rsf 'n1=2 data_format="native_short" taf_order="middle"' abcd >a.rsf
	refuse 3 rsf2taf a.rsf
}

@test "text, and what is none" {
	rsf 'n1=3 n2=2 data_format="ascii_float"' '1 -2.5\n3e2\t-0 nan\r\n  inf' | rsf2taf -o a.taf
	data_of a.taf >got
	perl -e 'print pack("f<*", 1, -2.5, 300, -0.0), pack("L<", 0x7fc00000), pack "f<", 9**9**9' >want
	same want got
	rsf 'n1=2 n2=1 data_format="ascii_complex"' '1 2i -3 4i' | rsf2taf -o a.taf
	data_of a.taf | head -c 16 >got
	perl -e 'print pack "f<*", 1, -3, 2, 4' >want
	same want got
	rsf 'n1=2 n2=1 esize=0' '7 8' | rsf2taf -o a.taf
	equal "$(type_of a.taf)" "flt32 2,1"
	rsf 'n1=1 n2=1 data_format="ascii_ulong"' 18446744073709551615 | rsf2taf -o a.taf
	equal "$(data_of a.taf | unpack 'Q<')" 18446744073709551615
	for bad in '1' '1,2' '1 2x' '1 abc' '1 2.5' '1 2147483648' '1 0x2' '1 2 3' ''; do
		rsf 'n1=2 n2=1 data_format="ascii_int"' "$bad" >a.rsf
		refuse 3 rsf2taf a.rsf -o b.taf
		cat a.rsf | ends 3 rsf2taf -o b.taf
	done
	[ ! -e b.taf ]
	# what does not fit its type, and would become infinite
	for bad in float:1e50 float:-1e39 double:1e999 double:-.1e310 complex:'1 1e50i' complex:'1e50 1i' \
		uchar:256 uchar:-1 char:128 short:-32769 ushort:65536 uint:4294967296 \
		long:9223372036854775808 ulong:18446744073709551616; do
		rsf "n1=1 data_format=\"ascii_${bad%%:*}\"" "${bad#*:}" >a.rsf
		refuse 3 rsf2taf a.rsf -o b.taf
	done
	rsf 'n1=5 data_format="ascii_float"' 'inf -Inf 3.4028235e38 1e-50 -infinity' | tafread | xargs >got
	equal "$(cat got)" 'inf -inf 3.4028235e38 0 -inf'
	# two arrays of text in a row
	{ rsf 'n1=2 data_format="ascii_int"' '1 2\n'; rsf 'n1=1 data_format="ascii_int"' '3'; } |
		rsf2taf -o t-%d.taf
	equal "$(data_of t-2.taf | unpack 'l<')" 3
}

@test "complex: a last dimension of 2, and back" {
	perl -e 'print pack "f$ENV{ORDER}*", 1 .. 12' >pairs
	{ rsf 'n1=3 n2=2 data_format="native_complex"'; cat pairs; } >a.rsf
	rsf2taf a.rsf -o a.taf
	equal "$(type_of a.taf)" "flt32 3,2,2"
	perl -0777 -ne 'print substr $_, 1128, 48' a.taf >got
	perl -e 'print pack "f<*", 1, 3, 5, 7, 9, 11, 2, 4, 6, 8, 10, 12' >want
	same want got
	for way in 'tafcrop a.taf' 'tafcrop <a.taf' 'cat a.taf | tafcrop'; do
		eval "$way" | tail -c 48 >got
		same pairs got
	done
	equal "$(tafprobe -k type a.taf) $(tafprobe -k shape a.taf)" "complex 3,2"
	for n in 'n1=6' 'n1=6 n2=1' 'n1=1 n2=6'; do
		{ rsf "$n data_format=\"native_complex\""; cat pairs; } >b.rsf
		rsf2taf b.rsf -o b.taf
		tafcrop b.taf >c.rsf
		tail -c 48 c.rsf >got
		same pairs got
		equal "$(tafprobe -k shape c.rsf)" "$(tafprobe -k shape b.rsf)"
	done
	# 64 dimensions have no room for another
	n=$(printf 'n%d=1 ' {1..64})
	rsf "$n data_format=\"native_complex\"" 12345678 >d.rsf
	refuse 3 rsf2taf d.rsf -o d.taf
	[ ! -e d.taf ]
}

@test "elements in a file that in= names, from here or beside the header" {
	mkdir h
	printf 'n1=2 n2=1 data_format="native_short" taf_order="little" in="dat@"\n' >h/x.rsf
	printf abcd >h/dat@
	rsf2taf h/x.rsf -o a.taf
	equal "$(data_of a.taf)" abcd
	# more than the header says is remarked, once
	printf ABCDextra >dat@
	rsf2taf h/x.rsf -o a.taf 2>err
	equal "$(data_of a.taf)" ABCD
	equal "$(cat err)" "rsf2taf: h/x.rsf: in= names a file with 5 bytes more than the header says"
	for command in tafread tafprobe tafcrop tafsummarize taf2npy taf2raw; do
		equal "$($command h/x.rsf 2>&1 >/dev/null)" "$command: h/x.rsf: in= names a file with 5 bytes more than the header says"
		$command -q h/x.rsf 2>err >/dev/null
		[ ! -s err ]
	done
	printf ABCD >dat@
	rsf2taf <h/x.rsf >b.taf
	same a.taf b.taf
	(cat h/x.rsf; printf '\n\f\f\004') | rsf2taf >b.taf
	same a.taf b.taf
	(cat h/x.rsf; printf '\n\f\f\004junk') >junk.rsf
	refuse 3 rsf2taf junk.rsf
	rm dat@
	ends 4 rsf2taf <h/x.rsf >out
	printf abc >h/dat@
	refuse 3 rsf2taf h/x.rsf
	rm h/dat@
	refuse 4 rsf2taf h/x.rsf
	mkdir h/dat@
	refuse 3 rsf2taf h/x.rsf
	rmdir h/dat@
	mkfifo h/dat@
	refuse 3 rsf2taf h/x.rsf
	rm h/dat@
	ln -s /dev/zero h/dat@
	refuse 3 rsf2taf h/x.rsf
	# what is no file there may have the name: a folder, or a folder's name a file
	rm h/dat@
	printf abcd >h/dat@
	mkdir dat@
	rsf2taf h/x.rsf -o a.taf
	equal "$(data_of a.taf)" abcd
	rmdir dat@
	mkdir h/dir
	mv h/dat@ h/dir/
	sed 's,dat@,dir/dat@,' h/x.rsf >h/y.rsf
	: >dir
	rsf2taf h/y.rsf -o a.taf
	equal "$(data_of a.taf)" abcd
	rm dir
	for in in '' '""'; do
		printf 'n1=2 data_format="native_short" in=%s\n' "$in" >x.rsf
		refuse 3 rsf2taf x.rsf
	done
}

@test "every command remarks once on elements in a file that is longer" {
	printf '1 2 3 4 5 6\n' >text@
	printf ABCDEFGH >binary@
	for kind in text binary; do
		format=native_char
		[ "$kind" = binary ] || format=ascii_char
		printf 'n1=4 n2=1 data_format="%s" in="%s@"\n' "$format" "$kind" >"$kind.rsf"
		while read -r command; do
			$command >out 2>err
			equal "$(cat err)" "${command%% *}: $kind.rsf: in= names a file with 4 bytes more than the header says"
		done <<-EOF
			tafcrop $kind.rsf -o b.taf
			tafread $kind.rsf
			tafread -N 1 $kind.rsf
			tafprobe $kind.rsf
			tafpermute -d 2,1 $kind.rsf -o b.taf
			tafmath a+1 $kind.rsf -o b.taf
			tafmath a-b $kind.rsf $kind.rsf -o b.taf
			tafappend $kind.rsf -o b.taf
			tafinterleave -d 2 $kind.rsf $kind.rsf -o b.taf
			tafcompare $kind.rsf $kind.rsf
			tafcorrelate $kind.rsf $kind.rsf -o b.taf
			taf2npy $kind.rsf -o b.npy
		EOF
	done
	# what is refused has one message
	refuse 3 tafcrop -x 3=1 text.rsf -o b.taf
	refuse 4 tafmath a+b binary.rsf no.rsf -o b.taf
	printf '1 2 3 4 \n\n' >text@
	tafcrop text.rsf -o b.taf 2>err
	[ ! -s err ]
	printf 'n1=1 data_format="native_char" in="binary@" taf_next="yes"\n' >y.rsf
	refuse 3 tafcrop y.rsf -o b.taf
}

@test "the element type that Madagascar has lost comes back, while it can be believed" {
	while read -r format taf want size; do
		rsf "n1=1 n2=1 data_format=\"native_$format\" taf_format=\"$taf\"" >a.rsf
		head -c "$size" /dev/zero >>a.rsf
		rsf2taf a.rsf -o a.taf
		equal "$format $taf $(type_of a.taf)" "$format $taf $want 1,1"
		# with a mapping what does not fit is refused
		sed 's/ in="stdin"/ taf_intercept=1 taf_slope=2&/' a.rsf >m.rsf
		if [ "$taf" = "$want" ]; then
			rsf2taf m.rsf -o m.taf
			equal "$(tafprobe -k slope m.taf)" 2
		else
			refuse 3 rsf2taf m.rsf
			grep -q 'put taf2rsf before it' err
		fi
	done <<-'END'
		short uint16 uint16 2
		ushort uint16 uint16 2
		int uint32 uint32 4
		long uint64 uint64 8
		uchar uint8 uint8 1
		char int8 int8 1
		float flt32 flt32 4
		float uint16 flt32 4
		int uint16 int32 4
		short int32 int16 2
		double flt32 flt64 8
		uchar int8 uint8 1
	END
	rsf 'n1=1 data_format="native_short" taf_format="half"' ab >a.rsf
	refuse 3 rsf2taf a.rsf
	for m in 'taf_intercept=1' 'taf_slope=2' 'taf_intercept=inf taf_slope=1' 'taf_intercept=1 taf_slope=nan'; do
		rsf "n1=1 n2=1 data_format=\"native_short\" $m" ab >a.rsf
		refuse 3 rsf2taf a.rsf
	done
	rsf 'n1=1 data_format="native_short" taf_intercept="1" taf_slope=1' ab >a.rsf
	refuse 3 rsf2taf a.rsf
}

@test "grammar: last key wins, history is no key, CR is a blank" {
	rsf 'prog\tmain\tlab: ann@host\t x\nn1=7 n1=2\r\nn2=1\n\ttitle="a n1=9 = b" n1\n# n2=3\nn2=1 data_format=native_short' abcd |
		rsf2taf -o a.taf
	equal "$(type_of a.taf) $(tafprobe -k title a.taf)" "int16 2,1 a n1=9 = b"
	rsf 'o1=-1.5 d2=2 n1=1 n2=2 data_format="native_short"' abcd | rsf2taf -o a.taf
	equal "$(for k in o1 d1 o2 d2; do tafprobe -k $k a.taf; done | paste -s -d ' ' -)" "-1.5 1 0 2"
	rsf 'n1=1 n2=1 n3=1 data_format="native_char"' a | rsf2taf -o a.taf
	equal "$(tafprobe -k shape a.taf)" 1,1,1
	# a terminator counts at the start of a line alone, and in the data it is data
	rsf 'n1=8 n2=1 data_format="native_char"' '\n\f\f\004\n\f\f\004' | rsf2taf -o a.taf
	equal "$(data_of a.taf | od -An -c)" "$(printf '\n\f\f\004\n\f\f\004' | od -An -c)"
	printf 'n1=1 data_format="native_char" in="stdin" \f\f\004a' >a.rsf
	refuse 3 rsf2taf a.rsf
	for bad in 'n1=2' 'data_format="native_char"' 'n2=2 data_format="native_char"' 'n1=1 n3=1 data_format="native_char"' \
		'n1="1" data_format="native_char"' 'n1=1 data_format="native_char" label1="x' 'n1=1 data_format="char"' \
		'n1=1 data_format="float32"' 'n1=1 data_format="NATIVE_FLOAT"' 'n1=1 o1=x data_format="native_char"' \
		'n1=1 taf_code=256 data_format="native_char"' 'n1=1 taf_more="x" data_format="native_char"'; do
		rsf "$bad" aaaaaaaa >a.rsf
		refuse 3 rsf2taf a.rsf
	done
}

@test "attributes, comments and labels cross over" {
	rsf 'n1=1 n2=1 data_format="native_char"\n\tlabel1="50%25 of it"\n\tunit2="m/s"\n\tgta/NAME="a%0Ab%22"\n\tk@2="v"\n\ttaf_comment="one"\n\ttaf_more=" more"\n\ttaf_comment=""\n' a |
		rsf2taf -o a.taf
	equal "$(tafprobe -k label1 a.taf)|$(tafprobe -k unit2 a.taf)" "50%25 of it|m/s"
	equal "$(tafcomment a.taf | od -An -c)" "$(printf 'one more\n' | od -An -c)"
	tail -c +1106 a.taf >tail
	printf 'one more\n\n--- attributes ---\nlabel@1=50%%2525 of it\nunit@2=m/s\ngta/NAME=a%%0Ab%%22\nk@2=v\n' >want
	same want tail
	tafcrop a.taf | rsf2taf >b.taf
	same a.taf b.taf
}

@test "standard output: TAF into a file, RSF into a pipe" {
	mktaf a.taf int16 3,2
	tafcrop a.taf >a.rsf
	rsf2taf a.rsf >b.taf
	equal "$(head -c 3 b.taf)" TAF
	rsf2taf a.rsf | cat >c
	same a.rsf c
	rsf2taf -F rsf a.rsf >d
	same a.rsf d
	rsf2taf a.rsf -o e.rsf
	same a.rsf e.rsf
	# already TAF
	rsf2taf a.taf >f.taf
	same b.taf f.taf
}

@test "several arrays: one file each, or a refusal" {
	mktaf a.taf int16 3,2
	mktaf b.taf flt32 4,2
	tafcrop a.taf b.taf >two.rsf
	refuse 3 rsf2taf two.rsf -o one.taf
	ends 3 rsf2taf two.rsf >out
	[ ! -e one.taf ]
	rsf2taf two.rsf -o s-%02d.taf
	equal "$(tafprobe -k type s-01.taf s-02.taf | cut -f 2 | paste -s -d ' ' -)" "int16 flt32"
	rsf2taf -N 2 two.rsf >n.taf
	same s-02.taf n.taf
	# the second is cut: the first does not appear either
	head -c -1 two.rsf >cut.rsf
	refuse 3 rsf2taf cut.rsf -o c-%d.taf
	cat cut.rsf | ends 3 rsf2taf -o c-%d.taf
	[ -z "$(find . -name '*c-*')" ]
}

@test "what Madagascar's programs write" {
	need sfspike sfdd
	sfspike n1=4 k1=2 | rsf2taf -o a.taf
	equal "$(data_of a.taf | head -c 16 | unpack 'f<*' | xargs)" "0 1 0 0"
}

@test "complex128 goes as pairs of doubles in a first dimension of 2, and comes back" {
	perl -e 'print "n1=2 n2=3 n3=4 o2=1 d2=2 o3=5 d3=-1 label2=\"Time\" unit3=\"m\" k\@2=\"v\" ",
		"data_format=\"native_double\" taf_format=\"complex128\" taf_order=\"little\" in=\"stdin\"\n\n\f\f\004",
		pack "d<*", map { $_ * 1.25 - 7 } 1 .. 24' >"$T/c.rsf"
	perl -e 'print pack "d<*", map { $_ * 1.25 - 7 } 1 .. 24' >"$T/elements"
	rsf2taf "$T/c.rsf" -o "$T/c.taf"
	equal "$(tafprobe -k type "$T/c.rsf") $(tafprobe -k shape "$T/c.rsf")" 'complex128 3,4'
	equal "$(tafprobe -k shape "$T/c.taf") $(tafprobe -k o2 "$T/c.taf")" '3,4 5'
	equal "$(tafprobe -k label1 "$T/c.taf") $(tafprobe -k unit2 "$T/c.taf")" 'Time m'
	# in a TAF file real parts, then imaginary ones
	equal "$(dd if="$T/c.taf" bs=1 skip=1024 count=5 2>/dev/null)" flt64
	equal "$(dd if="$T/c.taf" bs=8 skip=141 count=12 2>/dev/null | od -An -td8 -v | tr -d ' \n')" \
		"$(perl -e 'print pack "d<*", map { $_ * 2.5 - 8.25 } 1 .. 12' | od -An -td8 -v | tr -d ' \n')"
	tafcrop "$T/c.taf" | taf2raw >"$T/raw"
	same "$T/raw" "$T/elements"
	tafpermute -d 2,1 "$T/c.taf" | tafpermute -d 2,1 -o "$T/d.taf"
	same "$T/d.taf" "$T/c.taf"
	equal "$(tafread -x 1=2 -x 2=3 "$T/c.taf")" '11.75 13'
	tafcrop "$T/c.taf" >"$T/stream"
	grep -aq '^	n1=2$' "$T/stream"
	grep -aq '^	k@2="v"$' "$T/stream"
}

@test "complex128 that may have been taken apart is refused" {
	local line
	header() {
		printf 'n1=%s n2=3 label1="%s" data_format="native_%s" taf_format="complex128"\n%b\tin="stdin"\n\n\f\f\004' \
			"$1" "$2" "$3" "$4"
		head -c 48 /dev/zero
	}
	whole='real, imaginary'
	for line in 'sfcp' 'sfput' 'sfwindow'; do
		header 2 "$whole" double "4.3\t$line\tx:\tu@h\tdate\n" >"$T/in"
		tafprobe -k type "$T/in" >"$T/out"
		equal "$(cat "$T/out")" complex128
	done
	refused() {
		header "$@" >"$T/in"
		run -3 tafprobe "$T/in"
	}
	refused 3 "$whole" double ''
	refused 2 "$whole" float ''
	refused 2 "$whole" double '4.3\tsftransp\tx:\tu@h\tdate\n'
	refused 2 "$whole" double '4.3\tsfscale\tx:\tu@h\tdate\n'
	# another dimension of 2 has come to its place
	refused 2 Time double '4.3\tsfwindow\tx:\tu@h\tdate\n'
}
