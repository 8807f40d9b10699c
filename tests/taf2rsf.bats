# SPDX-License-Identifier: ISC
load helper

# rsf_value FILE KEY: the last value of a key in the text of a header
rsf_value() {
	LC_ALL=C awk -v key="$2" '/^\f/ { exit } { for (i = 1; i <= NF; i++)
		if (index($i, key "=") == 1) v = substr($i, length(key) + 2) } END { print v }' "$1"
}

# data_of FILE: what follows the terminator
data_of() {
	perl -0777 -ne '/\n\f\f\004/ and print $'"'" "$1"
}

# native FILE: the flt32 elements of a TAF file as a stream has them
native() {
	tail -c +1105 "$1" | perl -0777 -ne 'print pack "L$ENV{ORDER}*", unpack "L<*", $_'
}

# map FILE INTERCEPT SLOPE: give a TAF file a mapping
map() {
	perl -e 'open F, "+<", $ARGV[0]; seek F, 1032, 0; print F pack "d<2", @ARGV[1, 2]' "$@"
}

@test "types that Madagascar computes on stay, others become float" {
	while read -r type format template; do
		mktaf a.taf "$type" 7,5
		taf2rsf a.taf >a.rsf 2>err
		[ ! -s err ]
		equal "$(rsf_value a.rsf data_format)" "\"native_$format\""
		data_of a.rsf >got
		T=$template perl -e 'print pack "($ENV{T})$ENV{ORDER}*", map { ($_ * 7 + 3) % 101 } 0 .. 34' >want
		same want got
	done <<-'END'
		flt32 float f
		int32 int l
		uint8 uchar C
		int8 float f
		int16 float f
		uint16 float f
		uint32 float f
		int64 float f
		uint64 float f
		flt64 float f
	END
	# a mapping makes values of every type
	for type in flt32 int32 uint8; do
		mktaf a.taf $type 7,5
		map a.taf 1 0.5
		taf2rsf a.taf >a.rsf
		equal "$(rsf_value a.rsf data_format)" '"native_float"'
		data_of a.rsf >got
		perl -e 'print pack "f$ENV{ORDER}*", map { 1 + 0.5 * (($_ * 7 + 3) % 101) } 0 .. 34' >want
		same want got
		equal "$(tafprobe -k slope a.rsf)" inf
	done
}

@test "values, with a remark where they are rounded and a refusal where they do not fit" {
	mktaf a.taf int16 4,2
	map a.taf 0.1 0.3
	taf2rsf a.taf >a.rsf 2>err
	grep -q '7 of 8 values rounded to flt32' err
	taf2rsf -q a.taf >a.rsf 2>err
	[ ! -s err ]
	taf2rsf -t flt64 a.taf >a.rsf 2>err
	[ ! -s err ]
	data_of a.rsf >got
	perl -e 'print pack "d$ENV{ORDER}*", map { 0.1 + 0.3 * (($_ * 7 + 3) % 101) } 0 .. 7' >want
	same want got
	perl -e 'print pack "d<*", 1e300, 1' | tafcreate -n 2 -t flt64 -o b.taf
	refuse 3 taf2rsf b.taf -o b.rsf
	[ ! -e b.rsf ]
	taf2rsf --clip b.taf -o b.rsf 2>err
	grep -q clipped err
	taf2rsf -t int8 --clip b.taf 2>/dev/null | tail -c 2 | od -An -t d1 | grep -q '127 *1'
	perl -e 'print pack "d<*", "nan"' | tafcreate -n 1 -t flt64 -o n.taf
	refuse 3 taf2rsf -t int32 n.taf
}

@test "-r keeps what is stored, and the stream brings it back" {
	mktaf a.taf uint16 7,5
	map a.taf 0.1 0.3
	tafcrop a.taf -o b.taf
	taf2rsf -r b.taf >a.rsf
	equal "$(rsf_value a.rsf taf_format) $(rsf_value a.rsf taf_slope)" '"uint16" 0.3'
	rsf2taf a.rsf -o c.taf
	same b.taf c.taf
	refuse 2 taf2rsf -r -t int8 a.taf
}

@test "a header as Madagascar reads it" {
	mktaf a.taf flt32 7,5,1
	tafadjust --label 1=Time --unit 1=s --start 1=1234567.25 a.taf -o b.taf
	taf2rsf b.taf >a.rsf
	equal "$(rsf_value a.rsf n1) $(rsf_value a.rsf n2) $(rsf_value a.rsf n3) $(rsf_value a.rsf o1)" "7 5 1 1234567.25"
	equal "$(rsf_value a.rsf label1) $(rsf_value a.rsf esize) $(rsf_value a.rsf in)" '"Time" 4 "stdin"'
	# at the start of a line, and an even number of quotes in each
	equal "$(LC_ALL=C awk '/^\f\f/ { exit } gsub(/"/, "") % 2' a.rsf)" ""
	# a history line holds neither = nor "
	mkdir 'od"d n1=2'
	(cd 'od"d n1=2' && TAF_HISTORY=on taf2rsf ../b.taf >../h.rsf)
	head -n 1 h.rsf | grep -q '^taftools-.*taf2rsf'
	equal "$(head -n 1 h.rsf | tr -dc '="' | wc -c)" 0
	equal "$(rsf_value h.rsf n1)" 7
	equal "$(TAF_HISTORY=on taf2rsf b.taf | tafcrop | grep -a -c '^taftools-')" 1
	equal "$(TAF_HISTORY=on taf2rsf b.taf | TAF_HISTORY=on tafcrop | grep -a -c '^taftools-')" 2
}

@test "numbers of foreign keys come without quotes, between which Madagascar reads 0, text with them" {
	mktaf a.taf flt32 7,5
	tafcrop a.taf | perl -pe 's/^\tin=/\tnshot=48\n\tdt=-2.5e-3,2x7\n\tname="s 48"\n\tsaid="3"\n\tk\@1=7\n\tin=/ if !$n++ .. /^\tin=/' >a.rsf
	keys() {
		grep -a -E '^.(nshot|dt|name|said|k@1)=' | tr -d '\t' | xargs -d '\n'
	}
	# as they came, whatever command, and through a file
	rsf2taf a.rsf -o b.taf
	tafprobe -j b.taf | grep -q '"nshot":"48"'
	for from in a.rsf b.taf; do
		for way in tafcrop taf2rsf 'taf2rsf -r' 'tafadjust --start 1=3' 'tafpermute -d 1,2' tafappend; do
			equal "$way: $($way $from | keys)" "$way: nshot=48 dt=-2.5e-3,2x7 name=\"s 48\" said=\"3\" k@1=7"
		done
	done
	tafcrop b.taf | rsf2taf -o c.taf
	same b.taf c.taf
}

@test "what Madagascar will lose is remarked" {
	mktaf a.taf flt32 2,1,1,1,1,1,1,1,1,3
	taf2rsf a.taf 2>err >a.rsf
	equal "$(cat err)" "taf2rsf: 10 dimensions: Madagascar's programs read 9"
	mktaf b.taf flt32 2,3,1,1,1,1,1,1,1,1
	taf2rsf b.taf 2>err >b.rsf
	[ ! -s err ]
	for way in 'taf2rsf b.taf b.taf b.taf' 'taf2rsf <two.rsf' 'cat two.rsf | taf2rsf'; do
		tafcrop b.taf b.taf b.taf >two.rsf
		eval "$way" 2>err >out
		equal "$way: $(cat err)" "$way: taf2rsf: several arrays: Madagascar's programs read the first alone"
	done
	taf2rsf b.taf b.taf -o c%d.rsf 2>err
	[ ! -s err ]
	taf2rsf -q b.taf a.taf 2>err >out
	[ ! -s err ]
}

@test "--out: elements in a file of their own" {
	mktaf a.taf flt32 7,5
	native a.taf >want
	taf2rsf a.taf --out=E >a.rsf
	same want E
	equal "$(rsf_value a.rsf in)" '"E"'
	rsf2taf a.rsf -F taf | tail -c +1025 >b
	tail -c +1025 a.taf >c
	same b c
	taf2rsf a.taf --out=stdout >p.rsf
	data_of p.rsf >got
	same want got
	taf2rsf a.taf --out=D -o d.rsf
	same want D
	# what would be lost, mixed up, or not found again
	refuse 2 taf2rsf a.taf --out=x.rsf -o x.rsf
	refuse 2 taf2rsf a.taf --out=
	refuse 2 taf2rsf a.taf --out=stdin -o x.rsf
	refuse 3 taf2rsf a.taf --out='X"Y' -o x.rsf
	refuse 4 taf2rsf a.taf --out=no/such/X -o x.rsf
	taf2rsf a.taf | ends 3 taf2rsf --out=X -o x.rsf - a.taf
	refuse 3 taf2rsf a.taf a.taf --out=X -o x.rsf
	refuse 3 taf2rsf a.taf a.taf --out=X -o x%d.rsf
	: >same
	ends 2 taf2rsf a.taf --out=same >same
	taf2rsf a.taf --out=X 2>err | cat >piped || true
	[ ! -s piped ]
	grep -q pipe err
	[ "$(find . -name 'x*' -o -name 'X*' -o -name '.X*' | wc -l)" -eq 0 ]
	# a header that cannot be written leaves no elements
	ends 4 taf2rsf a.taf --out=X >/dev/full
	[ ! -e X ]
}

@test "--datapath: the prefix as Madagascar finds it, the name as it makes it" {
	mktaf a.taf flt32 7,5
	native a.taf >want
	mkdir d home
	export HOME=$T/home
	taf2rsf --datapath a.taf >x.rsf
	same want x.rsf@
	equal "$(rsf_value x.rsf in)" '"./x.rsf@"'
	echo "datapath=$T/d/home_" >home/.datapath
	taf2rsf --datapath a.taf >y.rsf
	same want d/home_y.rsf@
	DATAPATH=d/env_ taf2rsf --datapath a.taf >y.rsf
	same want d/env_y.rsf@
	printf 'datapath=d/dot_\notherhost datapath=/no/such/\n' >.datapath
	DATAPATH=d/env_ taf2rsf --datapath a.taf -o z.rsf
	same want d/dot_z.rsf@
	printf 'datapath=/no/such/\n%s datapath=d/host_\n' "$(uname -n)" >.datapath
	taf2rsf --datapath a.taf -o z.rsf
	same want d/host_z.rsf@
	# of another host, whose name only begins like ours; behind the path may stand more
	printf 'datapath=d/more_ # of all\n%sx datapath=/no/such/\n' "$(uname -n)" >.datapath
	taf2rsf --datapath a.taf -o z.rsf
	same want d/more_z.rsf@
	rm .datapath
	DATAPATH='' HOME=$T taf2rsf --datapath a.taf -o z.rsf
	equal "$(rsf_value z.rsf in)" '"./z.rsf@"'
	taf2rsf --datapath=d/arg_ a.taf -o z.rsf
	same want d/arg_z.rsf@
	# elsewhere the name is made up
	mkdir sub
	taf2rsf --datapath=d/ a.taf >sub/w.rsf
	name=$(rsf_value sub/w.rsf in | tr -d '"')
	case $name in d/taf2rsf??????) same want "$name" ;; *) echo "$name"; false ;; esac
	# into a pipe it is packed, and nothing else looks at the environment
	taf2rsf --datapath=d/pipe_ a.taf | data_of - >got
	same want got
	(export DATAPATH=d/unseen_; tafcrop a.taf >u.rsf; rsf2taf u.rsf >u.taf)
	[ ! -e d/pipe_ ]
	[ -z "$(find . -name 'unseen*')" ]
	refuse 4 taf2rsf --datapath=/no/such/ a.taf -o v.rsf
	[ ! -e v.rsf ]
	refuse 3 taf2rsf --datapath=d/ a.taf a.taf -o v.rsf
	[ ! -e v.rsf ]
	[ ! -e d/v.rsf@ ]
	# what is no name is refused, not cut
	long=$(printf '%5000s' '' | tr ' ' x)
	for how in "DATAPATH=$long" "HOME=$long"; do
		refuse 3 env "$how" taf2rsf --datapath a.taf -o v.rsf
		grep -q 'a name of more than' err
	done
	echo "datapath=$long" >.datapath
	refuse 3 taf2rsf --datapath a.taf -o v.rsf
	grep -q 'a name of more than' err
	[ ! -e v.rsf ]
}

@test "complex stays, and does not become anything else" {
	printf 'n1=3 data_format="native_complex" in="stdin"\n\f\f\004abcdefghijklmnopqrstuvwx' >c.rsf
	taf2rsf c.rsf >d.rsf
	equal "$(rsf_value d.rsf data_format) $(data_of d.rsf)" '"native_complex" abcdefghijklmnopqrstuvwx'
	refuse 3 taf2rsf -t flt32 c.rsf
	# Madagascar has no complex of doubles: parts that round are told of, 1 + 2^-30 and 0.1
	{
		printf 'n1=2 n2=3 data_format="native_double" taf_format="complex128" in="stdin"\n\f\f\004'
		perl -e 'print pack "d$ENV{ORDER}*", 1.5, -2, 1 + 2 ** -30, 0.25, 0.1, 3e38'
	} >w.rsf
	taf2rsf w.rsf >d.rsf 2>err
	equal "$(rsf_value d.rsf data_format) $(tafprobe -k shape d.rsf)" '"native_complex" 3'
	data_of d.rsf >got
	perl -e 'print pack "f$ENV{ORDER}*", 1.5, -2, 1, 0.25, 0.1, 3e38' >want
	same want got
	equal "$(<err)" 'taf2rsf: 3 of 6 values rounded to complex'
	taf2rsf -r w.rsf | tafread >got
	equal "$(xargs <got)" '1.5 -2 1.0000000009313226 0.25 0.1 3e38'
	# values under a mapping are real numbers
	mktaf a.taf flt32 3,2
	map a.taf 1 2
	printf -- '--- attributes ---\ncomplex=1\n' >>a.taf
	equal "$(tafprobe -k type a.taf) $(tafprobe -k shape a.taf)" "flt32 3,2"
	taf2rsf a.taf | data_of - >got
	perl -e 'print pack "f$ENV{ORDER}*", map { 1 + 2 * (($_ * 7 + 3) % 101) } 0 .. 5' >want
	same want got
	printf 'n1=3 taf_intercept=1 taf_slope=2 data_format="native_complex" in="stdin"\n\f\f\004abcdefghijklmnopqrstuvwx' >m.rsf
	refuse 3 taf2rsf m.rsf
}

@test "Madagascar's own programs read it" {
	need sfattr sfwindow
	mktaf a.taf int16 7,5
	taf2rsf a.taf >a.rsf
	sfwindow n1=3 f1=2 <a.rsf | rsf2taf -F taf | tail -c 60 >got
	perl -e 'for my $j (0 .. 4) { print pack "f<*", map { (($_ + 7 * $j) * 7 + 3) % 101 } 2 .. 4 }' >want
	same want got
}

@test "any number of threads gives the same bytes, to a file and to a pipe" {
	# enough of them for pieces of 131072
	perl -e 'print pack "f<*", map { ($_ * 7919 % 65521) / 8 } 1 .. 412126' |
		tafcreate -q -e flt32 -t int16 -n 131,143,22 -o a.taf
	tafread -b a.taf >want
	for jobs in 1 2 5; do
		taf2rsf -q -J $jobs -t flt64 a.taf | data_of - >pipe
		same want pipe
		taf2rsf -q -J $jobs -t flt64 a.taf -o file.rsf
		data_of file.rsf >file
		same want file
	done
}

@test "the first value that does not fit is named, however many threads there are" {
	perl -e 'print pack "l<*", map { $_ == 270001 || $_ == 270500 || $_ == 399000 ? 300 : $_ % 101 } 1 .. 400000' |
		tafcreate -n 4000,100 -t int32 -o a.taf
	for jobs in 1 2 7; do
		refuse 3 taf2rsf -J $jobs -t uint8 a.taf -o b.rsf
		grep -q 'element .2001,68.: value 300 does not fit uint8 (0 to 255)' err
		[ ! -e b.rsf ]
		taf2rsf -J $jobs -t uint8 --clip a.taf -o b.rsf 2>err
		grep -q '3 of 400000 values clipped' err
		rm b.rsf
	done
}
