# SPDX-License-Identifier: ISC
# shellcheck disable=SC2016 # perl's own variables
# What is run while each call of it fails in turn (faults.bats).
# in turn: - -q run.nc v -o out.rsf
# in turn: - -q -x 1=2:3 run.nc v -o out.taf
# in turn: - -q --nan run.nc v -o out.rsf
# in turn: - --list run.nc

load helper
load rowmajor

# fetch NAME: a file of tests/hdf, whose make.py says what is in it
fetch() {
	need hdf5
	gzip -dc "$BATS_TEST_DIRNAME/hdf/$1.gz" >"$1"
}

# told FILE KEY...: what tafprobe says of each
told() {
	local k
	cat "$1" >told
	for k in "${@:2}"; do
		tafprobe -k "$k" told
	done | xargs
}

# numbers FORM: element [i,j] of 3 x 5 by a form of perl, column by column
numbers() {
	perl -e 'for my $j (0 .. 4) { for my $i (0 .. 2) { print eval $ARGV[0], "\n" } }' "$1"
}

# described FILE DATASET: the header of the array, without the line of who made it
described() {
	hdf2taf -q "$1" "$2" | LC_ALL=C sed -n '/^	[a-z]/p; /^\f/q'
}

@test "every type of number, in either order of bytes" {
	fetch types.h5
	numbers '10 * $i + $j - 7' >signed
	numbers '10 * $i + $j + 1' >natural
	numbers '(10 * $i + $j - 7) . " " . 0.5 * (10 * $i + $j + 1)' >pairs
	while read -r name type want; do
		hdf2taf types.h5 "$name" >got.rsf
		equal "$(tafprobe -k type got.rsf)" "$type"
		tafread got.rsf | tr , ' ' >got
		same "$want" got
	done <<-END
		i1le int8 signed
		i2le int16 signed
		i2be int16 signed
		i4le int32 signed
		i4be int32 signed
		i8le int64 signed
		i8be int64 signed
		u1le uint8 natural
		u2le uint16 natural
		u2be uint16 natural
		u4le uint32 natural
		u4be uint32 natural
		u8le uint64 natural
		u8be uint64 natural
		f2le flt32 signed
		f2be flt32 signed
		f4le flt32 signed
		f4be flt32 signed
		f8le flt64 signed
		f8be flt64 signed
		c8le complex pairs
		c8be complex pairs
		c16le complex128 pairs
		c16be complex128 pairs
		enum uint16 natural
		bits uint16 natural
		packed/deflate flt64 signed
		packed/sum int32 signed
		packed/scaleoffset int16 signed
		packed/c8 complex pairs
		packed/f2 flt32 signed
		soft flt64 signed
		/i2le int16 signed
	END
	hdf2taf types.h5 bool | tafread >got
	numbers '(10 * $i + $j + 1) % 3 == 0 ? 1 : 0' >want
	same want got
}

@test "a scalar, a length of 0, 32 dimensions, and elements that nobody wrote" {
	fetch types.h5
	equal "$(hdf2taf types.h5 scalar | tafread)" 2.5
	equal "$(hdf2taf types.h5 none | tafprobe -k n1) $(hdf2taf types.h5 none | tafprobe -k n2)" '0 4'
	hdf2taf types.h5 rank32 >got.rsf
	equal "$(tafprobe -k n31 got.rsf) $(tafprobe -k n32 got.rsf)" '3 5'
	numbers '10 * $i + $j - 7' >want
	tafread got.rsf >got
	same want got
	hdf2taf --reverse types.h5 rank32 >got.rsf
	equal "$(tafprobe -k n1 got.rsf) $(tafprobe -k n2 got.rsf)" '5 3'
	sort -n got >want
	tafread got.rsf >got
	same want got
	hdf2taf types.h5 sparse -o sparse.taf
	tafread -x 1=21:23 -x 2=41:45 sparse.taf >got
	numbers '10 * $i + $j - 7' >want
	same want got
	equal "$(tafread sparse.taf | sort -n | uniq -c | sort -rn | head -1 | tr -s ' ')" ' 149986 -3'
}

@test "a region is what tafcrop makes of the whole, whatever the order" {
	fetch types.h5
	for d in i2be f2be packed/deflate packed/f2 c16be sparse; do
		for how in '' --reverse; do
			for x in '-x 1=2:3' '-x 1=1:3:2 -x 2=2:5:3' '-x 2=-1:0' '-x 1=2'; do
				# shellcheck disable=SC2086 # words
				hdf2taf $how types.h5 $d | tafcrop $x | tafread -c >want
				# shellcheck disable=SC2086 # words
				hdf2taf $how $x types.h5 $d | tafread -c >got
				same want got
				[ -s got ]
			done
		done
	done
	for memory in 64k 1M; do
		hdf2taf -m $memory types.h5 sparse | tafcrop -x 1=3:299:2 | tafread -c >want
		hdf2taf -m $memory -x 1=3:299:2 types.h5 sparse | tafread -c >got
		same want got
	done
	refuse 3 hdf2taf -x 1=4 types.h5 i2le
	refuse 3 hdf2taf -x 3=1 types.h5 i2le
	refuse 2 hdf2taf -x 1 types.h5 i2le
}

@test "chunks that fit -m side by side are turned without a temporary file" {
	need zlib
	# chunks of 1 x 350001, and two bands of them
	tafmath -n 5,700001 -t int16 'i2%4099*7-i1' -o a.taf
	taf2hdf --deflate 1 x.h5 v a.taf
	TMPDIR=none hdf2taf -m 16M x.h5 v -o b.taf
	same a.taf b.taf
	TMPDIR=none hdf2taf -m 16M x.h5 v | tafcompare a.taf -
	tafcrop -x 1=2:4:2 -x 2=5:end:3 a.taf -o want.taf
	TMPDIR=none hdf2taf -m 4M -x 1=2:4:2 -x 2=5:end:3 x.h5 v -o b.taf
	same want.taf b.taf
	# and else with one
	refuse 4 env TMPDIR=none hdf2taf -m 1M x.h5 v
	hdf2taf -m 1M x.h5 v -o b.taf
	same a.taf b.taf
}

@test "what is no array of numbers is refused by name" {
	fetch types.h5
	fetch classic.nc
	while IFS='|' read -r name said; do
		refuse 3 hdf2taf types.h5 "$name"
		equal "$(cat err)" "hdf2taf: types.h5: $name: $said"
	done <<-'END'
		text|elements are strings
		pairs|elements are a compound other than two floats named r and i or real and imag
		opaque|elements are opaque bytes
		lists|elements are sequences of variable length
		array|elements are arrays within an element
		wide|elements are floats of 16 bytes, 80 bits of them used: no type of an array
		null|an empty dataset (a null dataspace): it has no shape
		outside|its elements are in other files (external storage)
		virtual|a virtual dataset, of parts of others
		elsewhere|an external link, to /there in the file other.h5
		packed/lzf|packed by filter 32000, lzf, which HDF5's library does not have here
		packed|a group, not a dataset (--list shows those)
		/|a group, not a dataset (--list shows those)
		nothing|there is no such dataset
		packed/nothing|there is no such dataset
		i2le/nothing|there is no such dataset
		loop|it cannot be opened: too many links
	END
	refuse 3 hdf2taf classic.nc x
	grep -q 'a netCDF file of the classic format' err
	echo text >text.h5
	refuse 3 hdf2taf text.h5 x
	refuse 3 hdf2taf --list text.h5
	refuse 4 hdf2taf missing.h5 x
	refuse 2 hdf2taf - x <types.h5
	refuse 3 hdf2taf types.h5
	refuse 2 hdf2taf --list types.h5 i2le
}

@test "the name of the only dataset may be left out, beside scales" {
	mktaf a.taf int16 11,6
	taf2hdf one.h5 some/data a.taf
	hdf2taf --list one.h5 >list
	[ "$(wc -l <list)" -gt 1 ]
	hdf2taf one.h5 some/data -o want.rsf
	hdf2taf one.h5 -o got.rsf
	same want.rsf got.rsf
	fetch scales.h5
	refuse 3 hdf2taf scales.h5
	grep -qE ': [0-9]+ datasets: name one of those that --list shows$' err
	cp "$BATS_TEST_DIRNAME/fuzz/corpus/keysight_h5/bad-nothing" none.h5
	refuse 3 hdf2taf none.h5
	grep -q ': no dataset$' err
}

@test "dimension scales are grids where they are uniform" {
	fetch scales.h5
	hdf2taf scales.h5 d 2>err >got.rsf
	for k in o1=10 d1=2.5 label1=time unit1=ms o2=0 d2=0.1 label2=way unit2=m hdf/axis@1=T; do
		equal "${k%%=*}=$(tafprobe -k "${k%%=*}" got.rsf)" "$k"
	done
	hdf2taf scales.h5 whole >got.rsf 2>err
	[ ! -s err ]
	for k in o1=5 d1=-2 label1=down o2=0.1 d2=0.1 label2=accumulated; do
		equal "${k%%=*}=$(tafprobe -k "${k%%=*}" got.rsf)" "$k"
	done
	hdf2taf --reverse scales.h5 whole >got.rsf
	equal "$(tafprobe -k d2 got.rsf) $(tafprobe -k label2 got.rsf)" '-2 down'
	hdf2taf -x 1=2:3 scales.h5 whole >got.rsf
	equal "$(tafprobe -k o1 got.rsf)" 3
	while IFS='|' read -r name said; do
		hdf2taf scales.h5 "$name" >got.rsf 2>err
		equal "$(cat err)" "hdf2taf: scales.h5: $said"
		equal "$(tafprobe -k o1 got.rsf) $(tafprobe -k d1 got.rsf)" '1 1'
	done <<-'END'
		odd|dimension 1: coordinates that are not uniform: this dimension counts from 1
		two|dimensions 1, 2: coordinates that are not uniform: these dimensions count from 1
		other|dimension 1: coordinates that are not uniform: this dimension counts from 1
		short|dimension 1: coordinates that are not uniform: this dimension counts from 1
	END
	hdf2taf scales.h5 odd >got.rsf 2>/dev/null
	equal "$(tafprobe -k hdf/units@1 got.rsf)" s
	equal "$(tafprobe -k unit1 got.rsf)" ''
	equal "$(hdf2taf scales.h5 labels | tafprobe -k label2)" column
}

@test "attributes: unit, label, mapping, comment, and all others by their names" {
	fetch scales.h5
	hdf2taf scales.h5 d 2>err >got.rsf
	equal "$(cat err)" 'hdf2taf: scales.h5: attribute who: neither text nor numbers: left out'
	for k in unit=V label=Voltage slope=0.5 intercept=-3 shot=7 'hdf/serial=A 12' hdf/runs=0,1,2 \
	    hdftype/runs=int64 hdf/ok=1 hdftype/ok=uint8 hdf/gain=0.1 hdf/narrow=0.1 hdftype/narrow=flt32 \
	    hdf/most=18446744073709551615 hdf/five=5; do
		equal "${k%%=*}=$(tafprobe -k "${k%%=*}" got.rsf)" "$k"
	done
	equal "$(tafcomment got.rsf)" "$(printf 'two\nlines')"
	tafprobe got.rsf >page
	for k in CLASS DIMENSION_LIST hdftype/five hdftype/gain; do
		run grep -q "$k" page
		[ "$status" = 1 ]
	done
	tafread -r got.rsf >got
	numbers '10 * $i + $j - 7' >want
	same want got
}

@test "text that looks like a number, NUL, no length, lengths: how an attribute was stored" {
	fetch attrs.h5
	described attrs.h5 v >got
	while read -r line; do
		grep -qxF "	$line" got || { echo "no $line"; return 1; }
	done <<-'END'
		hdf/seven="007"
		hdf/version="2.10"
		hdf/list="1,2"
		hdf/not="nan"
		hdf/nan=nan
		own="7"
		hdf/quoted="%227%22"
		hdf/nul="ab%2500cd"
		hdftype/nul="text escaped"
		hdf/blank=""
		hdftype/nothing="text[]"
		hdftype/none="flt32[]"
		hdftype/zero="int16[0]"
		hdf/three="a%0A%0Ab c"
		hdftype/three="string[3]"
		hdftype/two="text[2]"
		hdf/words="a%250Ab%0Ac%0A%0Ad"
		hdftype/words="string[2,2] escaped"
		hdf/matrix=0,1,2,3,4,5
		hdftype/matrix="int16[2,3]"
		hdftype/long="int32"
		hdf/units=7
		label="a"
		hdf/long_name="a%2500b"
		hdf/CLASS="IMAGE"
		hdf/comment=0.5
		hdf/missing_value=1,2.5
		hdf/NAME@1="x"
		label1="Distance"
	END
	run grep -E 'hdftype/(seven|version|list|not|nan|blank|missing_value)=|^	unit=' got
	[ "$status" = 1 ]
}

# made DATASET NUMBER... -- TYPE SETTING...: a dataset of m.h5 with these elements and attributes
made() {
	local name=$1 numbers=()
	shift
	while [ "$1" != -- ]; do numbers+=("$1"); shift; done
	printf '%s\n' "${numbers[@]}" | txt2taf -t "$2" | tafadjust --intercept "${intercept:-0}" \
		--slope "${slope:-1}" | tafput "${@:3}" | taf2hdf -f m.h5 "$name"
}

@test "missing elements of a packed variable are missing still where its values are taken" {
	need hdf5
	slope=0.5 intercept=-5 made v 1 -99 3 200 7 -- int16 hdf/_FillValue=-99 hdf/valid_range=-10,100
	equal "$(hdf2taf --nan m.h5 v | tafread | xargs)" "-4.5 nan -3.5 nan -1.5"
	for way in 'tafmath a' 'tafcast -t flt32' 'tafcast -t flt64' 'taf2rsf' 'tafappend -t flt64'; do
		hdf2taf m.h5 v | $way >got.rsf 2>err
		equal "$way: $(cat err)" "$way: "
		equal "$way: $(tafprobe -k hdf/_FillValue got.rsf) $(tafprobe -k hdf/valid_range got.rsf)" \
			"$way: -54.5 -10,45"
		taf2hdf -f m.h5 w got.rsf
		equal "$(hdf2taf --nan m.h5 w | tafread | xargs)" "-4.5 nan -3.5 nan -1.5"
	done
	# where larger elements have smaller values
	hdf2taf m.h5 v | tafadjust --slope -0.5 | tafcast -t flt64 >got.rsf
	equal "$(tafprobe -k hdf/_FillValue got.rsf) $(tafprobe -k hdf/valid_range got.rsf)" "44.5 -55,0"
	# unsigned bytes
	made u 1 -1 3 -3 -- int8 hdf/_FillValue=-1 hdf/_Unsigned=true
	equal "$(hdf2taf m.h5 u | tafprobe -k hdf/_FillValue) $(hdf2taf --nan m.h5 u | tafread | xargs)" "255 1 nan 3 253"
	# as scaled integers
	hdf2taf m.h5 v | tafcast -t flt64 | tafcast --scale -t int16 | taf2hdf -f m.h5 w
	equal "$(hdf2taf --nan m.h5 w | tafread | perl -pe 's/\n/ /; s/^(-?\d.*)/sprintf "%.2f ", $1/e')" \
		"-4.50 nan -3.50 nan -1.50 "
}

@test "--nan: what netCDF calls never written is missing, too" {
	fetch cf.nc
	equal "$(hdf2taf --nan cf.nc short 2>/dev/null | tafread | xargs)" "0 4 nan nan nan 1 5 nan nan nan 2 6 nan nan nan 3 7 nan nan nan"
	equal "$(hdf2taf --nan cf.nc unsigned 2>/dev/null | tafread | xargs)" "255 2 253 4"
}

@test "of computed values none is called missing, with one remark" {
	need hdf5
	made v 1 -99 3 4 7 8 2 5 -- int16 hdf/_FillValue=-99 hdf/missing_value=3 hdf/valid_min=-100
	hdf2taf m.h5 v >v.rsf
	local said="hdf/_FillValue=-99 calls elements missing, which count as numbers here (hdf2taf --nan makes them NaN)"
	while read -r name words; do
		eval "$name $words v.rsf" >got.rsf 2>err
		equal "$(cat err)" "$name: $said"
		run grep -aE '(hdf|hdftype)/' got.rsf
		[ "$status" = 1 ]
	done <<-'END'
		tafmath 'a*2'
		tafmath 'a+b' v.rsf
		tafreduce mean
		tafreduce max
		taffft -d 1
		tafhilbert -d 1
		tafsmooth --mean 3
		tafdifferentiate -d 1
		tafintegrate -d 1
		tafhist --bins 4
		tafregrid --factor 1=2
		tafspectrogram --points 4
		tafcorrelate v.rsf
		tafpeaks -d 1
		tafreduce median -d 1
		tafsummarize
	END
	tafcat v.rsf v.rsf | tafmath '2*a' 2>err >got.rsf
	equal "$(cat err)" "tafmath: $said"
	# NaN is what it was
	hdf2taf --nan m.h5 v | tafmath '2*a' 2>err >got.rsf
	[ ! -s err ]
	equal "$(tafprobe -k hdf/_FillValue got.rsf) $(tafread got.rsf | xargs)" "nan 2 nan nan 8 14 16 4 10"
	# so are elements that are joined to others, of which others are called missing
	tafput hdf/_FillValue=-9 v.rsf | tafappend v.rsf - 2>err >got.rsf
	equal "$(cat err)" "tafappend: standard input: the values: missing value -9, but -99 in v.rsf"
}

@test "--nan: what is missing at random, by type, mapping and kind of mark" {
	need hdf5
	perl -e 'srand 1;
		sub one { $_[rand @_] }
		for my $k (1 .. shift) {
			my ($type, $least, $most) = @{one([int8 => -128, 127], [uint8 => 0, 255], [int16 => -32768, 32767],
				[int32 => -2**31, 2**31 - 1], [uint32 => 0, 2**32 - 1], [int64 => -2**50, 2**50],
				[uint64 => 0, 2**50], [flt32 => -999, 999], [flt64 => -1e9, 1e9])};
			sub pick { my ($l, $m) = @_; int($l + rand($m - $l + 1)) }
			my ($slope, $start) = rand() < .5 ? (1, 0) : @{one([0.5, -7], [-2, 100], [0.25, 3])};
			my (@marks, %set);
			if (rand() < .7) { $set{_FillValue} = pick($least, $most); push @marks, $set{_FillValue} }
			if (rand() < .4) { my @m = map { pick($least, $most) } 1 .. one(1, 2); push @marks, @m;
				$set{missing_value} = join ",", @m }
			my @x = map { rand() < .4 && @marks ? one(@marks) : pick($least, $most) } 1 .. 12;
			my @sorted = sort { $a <=> $b } @x;
			my ($low, $high) = ($least, $most);
			if (rand() < .4) { ($low, $high) = @sorted[2, 9]; $set{valid_range} = "$low,$high" }
			elsif (rand() < .2) { $low = $sorted[3]; $set{valid_min} = $low }
			my $mapped = $slope != 1;
			my @want = map { my $x = $_; (grep { $_ == $x } @marks) || $x < $low || $x > $high ? "nan" :
				$mapped ? $start + $slope * $x : $x } @x;
			printf "%s|%s|%s|%s|%s|%s\n", $type, $slope, $start, "@x", join(" ", map { "hdf/$_=$set{$_}" }
				sort keys %set), join " ", map { $_ eq "nan" ? $_ : sprintf "%.15g", $_ } @want;
		}' "${TAF_MISSING:-12}" >cases
	while IFS='|' read -r type slope start numbers set want; do
		# shellcheck disable=SC2086 # words
		slope=$slope intercept=$start made v $numbers -- "$type" x=1 $set
		equal "$type $set: $(hdf2taf -q --nan m.h5 v | tafread | perl -ne \
			'print $. > 1 ? " " : "", /nan/ ? "nan" : sprintf "%.15g", $_')" "$type $set: $want"
	done <cases
}

@test "what makes no mapping stays an attribute, with a remark" {
	fetch mapping.h5
	for f in complex text; do
		hdf2taf mapping.h5 $f >got.rsf 2>err
		equal "$(cat err)" "hdf2taf: mapping.h5: scale_factor and add_offset make no mapping: they stay attributes"
		equal "$(tafprobe -k slope got.rsf)" inf
		tafread got.rsf | head -n 1 >>got
	done
	equal "$(tafprobe -k hdf/scale_factor got.rsf) $(tafprobe -k hdf/add_offset got.rsf)" 'two 1'
	equal "$(tr '\n' ' ' <got)" '1 2 1 '
}

@test "netCDF: its dimensions without coordinates, its packing, unsigned numbers" {
	fetch cf.nc
	hdf2taf cf.nc v >got.rsf 2>err
	[ ! -s err ]
	for k in n1=5 n2=4 n3=3 o1=0 d1=0.25 label1=time 'unit1=seconds since 2000-01-01' o2=2 d2=2 label2=x \
	    o3=1 d3=1 label3=bare slope=0.5 intercept=0 hdf/_FillValue=-9 hdf/valid_range=0,100; do
		equal "${k%%=*}=$(tafprobe -k "${k%%=*}" got.rsf)" "$k"
	done
	tafread -r got.rsf >got
	perl -e 'for $k (0 .. 2) { for $j (0 .. 3) { print 12 * $_ + 3 * $j + $k, "\n" for 0 .. 4 } }' >want
	same want got
	hdf2taf cf.nc short 2>err | tafread | xargs >got
	[ ! -s err ]
	equal "$(cat got)" '0 4 -32767 -32767 -32767 1 5 -32767 -32767 -32767 2 6 -32767 -32767 -32767 3 7 -32767 -32767 -32767'
	equal "$(hdf2taf cf.nc unsigned | tafread | tr '\n' ' ')" '255 2 253 4 '
	equal "$(hdf2taf cf.nc unsigned | tafprobe -k type)" uint8
}

@test "what nobody wrote is the fill value, or refused, and never what lies elsewhere" {
	fetch stored.h5
	equal "$(hdf2taf stored.h5 late | tafread | xargs)" '7 7 7 7 7 7'
	equal "$(hdf2taf -x 1=2:3 stored.h5 late | tafread | xargs)" '7 7'
	equal "$(hdf2taf stored.h5 zero | tafread | xargs)" '0 0 0 0 0 0'
	equal "$(hdf2taf stored.h5 written | tafread | xargs)" '0 1 2 3 4 5'
	for x in 'stored.h5 never' '-x 1=2 stored.h5 never' 'stored.h5 chunks' '-x 1=1:5:2 stored.h5 chunks' \
	    '-x 1=3:6 stored.h5 chunks'; do
		# shellcheck disable=SC2086 # words
		refuse 3 hdf2taf $x
		grep -q 'elements that were never written' err
	done
	equal "$(hdf2taf -x 1=3:4 stored.h5 chunks | tafread | xargs)" '1 2'
}

@test "a packed coordinate is the grid of its values, and -g crops there" {
	fetch packed.nc
	hdf2taf packed.nc v -o v.taf 2>err
	[ ! -s err ]
	for k in o1=10 d1=10 o2=120 d2=5; do
		equal "${k%%=*}=$(tafprobe -k "${k%%=*}" v.taf)" "$k"
	done
	run grep -c 'hdf/' <(tafprobe v.taf)
	equal "$output" 0
	equal "$(tafcrop -g 1=15:35 v.taf | told - o1 n1)" '20 2'
	hdf2taf packed.nc w >w.rsf 2>err
	equal "$(cat err)" 'hdf2taf: packed.nc: dimension 2: coordinates that are not uniform: this dimension counts from 1'
	equal "$(told w.rsf o1 d1 o2 d2 hdf/_FillValue@2)" '25 0.5 1 1 99'
	hdf2taf packed.nc x >x.rsf 2>err
	grep -q 'dimensions 1, 2: coordinates that are not uniform' err
	equal "$(told x.rsf o1 d1 o2 d2)" '1 1 1 1'
	# and again, without being packed twice
	taf2hdf again.nc v <v.taf
	equal "$(hdf2taf again.nc v | told - o1 d1 o2 d2)" '10 10 120 5'
	equal "$(hdf2taf packed.nc unsigned | tafread | xargs)" '255 2 253'
}

@test "a dimension that others have made longer is filled up to its length" {
	fetch packed.nc
	hdf2taf packed.nc short -o short.taf 2>err
	[ ! -s err ]
	equal "$(told short.taf n1 o1 d1 n2)" '5 0 0.5 3'
	equal "$(tafread short.taf | xargs)" '1 2 -5 -5 -5 -5 -5 -5 -5 -5 -5 -5 -5 -5 -5'
	equal "$(hdf2taf -x 1=2:4:2 -x 2=1:2 packed.nc short | tafread | xargs)" '2 -5 -5 -5'
	equal "$(hdf2taf packed.nc nofill | tafread | xargs)" '4 9.96921e36 9.96921e36'
	hdf2taf --list packed.nc >got
	grep -qx '/short	int16	5,3' got
	grep -qx '/unsigned	uint8	3' got
}

@test "drawn variables are what netCDF4 and h5py read" {
	fetch drawn.nc
	fetch drawn.h5
	gzip -dc "$BATS_TEST_DIRNAME/hdf/drawn.txt.gz" >drawn.txt
	perl -e '
		my %types = (int8 => "i1", uint8 => "u1", int16 => "i2", uint16 => "u2", int32 => "i4",
			uint32 => "u4", int64 => "i8", uint64 => "u8", flt32 => "f4", flt64 => "f8");
		open my $want, "<", "drawn.txt" or die;
		while (<$want>) {
			chomp;
			my ($file, $name) = split / /;
			open my $f, "-|", "hdf2taf -q $file $name 2>&1" or die;
			binmode $f;
			my $all = do { local $/; <$f> };
			my $got = "$file $name";
			if ($all =~ /never written/) {
				$got .= " undefined";
			} elsif ($all =~ /^(.*?)\f\f\004(.*)$/s) {
				my ($head, $data) = ($1, $2);
				my %k;
				$k{$1} = $2 while $head =~ /^\s(\w+)="?([^"\n]*)/mg;
				my $size = 1;
				my $type = $types{$k{taf_format}};
				my @n = map { $k{"n$_"} } grep { exists $k{"n$_"} } 1 .. 9;
				my @grid = map { sprintf "%.6g:%.6g", $k{"o$_"}, $k{"d$_"} } 1 .. @n;
				$data = join "", map { scalar reverse } unpack "(a" . substr($type, 1) . ")*", $data
					if $k{taf_order} eq "big";
				$got .= join " ", "", $type, join(",", @n), join(",", @grid), unpack "H*", $data;
			} else {
				$got .= " $all";
			}
			print "want $_\ngot  $got\n" and $bad++ if $got ne $_;
			$n++;
		}
		print "$n variables\n";
		exit($bad != 0 || $n < 80);'
}

@test "of broken attributes one line is told" {
	fetch scales.h5
	perl -pe 's/GCOL/XCOL/g' scales.h5 >broken.h5
	refuse 3 hdf2taf broken.h5 d
}

@test "--list: path, type and lengths of each dataset" {
	fetch types.h5
	fetch cf.nc
	hdf2taf --list cf.nc | sort >got
	printf '%s\t%s\t%s\n' /bare flt32 3 /short int16 5,4 /time flt64 5 /unsigned uint8 4 /v int16 5,4,3 \
		/x int32 4 >want
	same want got
	hdf2taf --list types.h5 >got
	for line in '/a b	int32	3' '/bool	uint8	3,5' '/packed/c8	complex	3,5' '/scalar	flt64	' \
	    '/null	flt32	null' '/text	strings	' '/wide	floats	2' '/soft	flt64	3,5' '/f2be	flt16	3,5'; do
		grep -qxF "$line" got
	done
	run grep -E 'loop|elsewhere' got
	[ "$status" = 1 ]
}

@test "a file that is cut or damaged is 3, in little memory" {
	fetch types.h5
	fetch cf.nc
	for n in 7 100 1000 5000 20000 40000; do
		head -c $n types.h5 >cut.h5
		bounded 65536 refuse 3 hdf2taf cut.h5 sparse
	done
	# a bit of packed bytes changes: the sum, or deflate, finds it
	perl -e '
		local $/;
		open my $f, "<:raw", "cf.nc"; my $all = <$f>;
		my $n = 0;
		for (my $at = index $all, "\x78"; $at >= 0; $at = index $all, "\x78", $at + 1) {
			my $z = substr $all, $at, 2;
			next unless $z eq "\x78\x5e" || $z eq "\x78\x9c" || $z eq "\x78\xda";
			substr($all, $at + 8, 4) = "\xff\xff\xff\xff";
			$n++;
		}
		print STDERR "no stream\n" unless $n;
		open my $g, ">:raw", "damaged.nc"; print $g $all;'
	refuse 3 hdf2taf damaged.nc v
	grep -q 'damaged.nc: elements cannot be read' err
}

@test "taf2hdf makes the dataset again, with all that was said of it" {
	fetch scales.h5
	fetch cf.nc
	fetch attrs.h5
	while read -r file name; do
		rm -f again.h5
		hdf2taf -q "$file" "$name" | taf2hdf again.h5 "run/$name"
		hdf2taf -q "$file" "$name" -o mid.taf
		taf2hdf again.h5 "$name" mid.taf
		described "$file" "$name" >want
		grep -q n1= want
		described again.h5 "run/$name" >got
		same want got
		described again.h5 "$name" >got
		same want got
		hdf2taf -q "$file" "$name" | tafread -r >want
		hdf2taf -q again.h5 "run/$name" | tafread -r >got
		same want got
	done <<-'END'
		scales.h5 d
		scales.h5 whole
		scales.h5 odd
		scales.h5 labels
		cf.nc v
		cf.nc short
		cf.nc time
		attrs.h5 v
		attrs.h5 scalar
	END
}

@test "a small bound of memory refuses no small chunk" {
	mktaf a.taf flt64 120,135
	taf2hdf --deflate 1 b.h5 v a.taf
	hdf2taf -m 64k b.h5 v -o c.taf
	tafcompare a.taf c.taf
}

@test "many small chunks are read within the memory" {
	need numpy hdf5
	"$PYTHON" -c 'import h5py' 2>/dev/null || skip "no h5py"
	grep -q '^SANITIZE = *$' "$TAF_BUILD/config.mk" || skip "a sanitizer takes more for itself"
	python <<'END'
import h5py
a = noise('<f4', (400, 1000)).copy()
for n, chunks in enumerate(((2, 4), (400, 1), (1, 10))):
    with h5py.File('m%d.h5' % n, 'w') as f:
        f.create_dataset('v', data=a, chunks=chunks)
    for m in '4M', '256M':
        subprocess.run('ulimit -d 150000; exec hdf2taf -m %s m%d.h5 -o m.taf' % (m, n), shell=True, check=True)
        same(load_taf('m.taf')[0], a)
END
}

@test "MATLAB 7.3: every class, MATLAB's dimensions, complex numbers, empty arrays" {
	fetch matlab.mat
	numbers '10 * $i + $j - 7' >signed
	numbers '(10 * $i + $j - 7) . " " . 0.5 * (10 * $i + $j + 1)' >pairs
	numbers '(10 * $i + $j + 1) % 3 == 0 ? 1 : 0' >yes
	perl -e 'for my $k (0 .. 3) { for my $j (0 .. 2) { for my $i (0, 1) {
		print 12 * $i + 4 * $j + $k, "\n" } } }' >cube
	perl -e 'print ord, "\n" for split //, "three"' >text
	: >empty
	while read -r name type lengths class want; do
		hdf2taf matlab.mat "$name" >got.rsf
		equal "$(told got.rsf type $(seq -f n%g "$(tr -cd , <<<"$lengths," | wc -c)"))" \
			"$type ${lengths//,/ }"
		[ "$class" = - ] || equal "$(told got.rsf matlab/class)" "$class"
		hdf2taf matlab.mat "$name" | tafread | tr , ' ' >got
		same "$want" got
	done <<-END
		a flt64 3,5 - signed
		packed int16 3,5 - signed
		cube uint32 2,3,4 - cube
		z complex128 3,5 - pairs
		zpacked complex128 3,5 - pairs
		zsingle complex 3,5 - pairs
		yes uint8 3,5 logical yes
		text uint16 1,5 char text
		empty flt32 0,3 - empty
		nochar uint16 0,0 char empty
		struct/field flt32 3,5 - signed
	END
	# HDF5's own indices, and a part by MATLAB's
	hdf2taf --reverse matlab.mat cube | tafpermute -d 3,2,1 | tafread >got
	same cube got
	hdf2taf -x 1=2 -x 3=2:4:2 matlab.mat cube | tafread | xargs >got
	equal "$(cat got)" "13 17 21 15 19 23"
	run -0 hdf2taf --list matlab.mat
	printf "%s\n" "$output" | grep -qxF $'/cube\tuint32\t2,3,4'
	printf "%s\n" "$output" | grep -qxF $'/empty\tflt32\t0,3'
	printf "%s\n" "$output" | grep -qxF $'/zsingle\tcomplex\t3,5'
	while IFS='|' read -r name fact; do
		refuse 3 hdf2taf matlab.mat "$name"
		grep -qF "matlab.mat: $name: $fact" err
	done <<-'END'
		cell|a cell of MATLAB, no array of numbers
		struct|a struct of MATLAB, no array of numbers
		nocell|a cell of MATLAB, no array of numbers
		sparse|a sparse matrix of MATLAB
		full|MATLAB_empty, but its lengths say 6 elements
	END
	refuse 3 hdf2taf matlab.mat long
	taf tafcrop -x 1=1 matlab.mat 2>err || :
	grep -q 'hdf2taf: matlab.mat: .* datasets: name one' err
	refuse 3 tafread matlab.mat
	grep -q 'a MATLAB 7.3 file (use hdf2taf)' err
	{ printf %512s ''; tail -c +513 matlab.mat; } >plain.h5
	refuse 3 tafread plain.h5
	grep -q 'an HDF5 file with a user block (use hdf2taf)' err
}

@test "an archive of Sandia: records by label, complex, sparse, empty ones, signals" {
	fetch archive.sda
	numbers '10 * $i + $j - 7' >signed
	numbers '(10 * $i + $j - 7) . " " . 0.5 * (10 * $i + $j + 1)' >pairs
	numbers '(10 * $i + $j + 1) % 3 == 0 ? 1 : 0' >yes
	perl -e 'my @m; $m[0][0] = 0.5; $m[3][5] = -1; $m[1][2] = 5.25;
		for my $j (0 .. 5) { for my $i (0 .. 3) { print $m[$i][$j] // 0, "\n" } }' >sparse
	perl -e 'print $_ % 97 / 4, " ", ($_ + 10000) % 97 / 4, "\n" for 0 .. 9999' >long
	seq 0 7 >signal
	: >nothing
	while read -r name type lengths want; do
		hdf2taf -m 100k archive.sda "$name" | tafread | tr , ' ' >got
		same "$want" got
		hdf2taf archive.sda "$name/$name" >got.rsf
		equal "$(told got.rsf type $(seq -f n%g "$(tr -cd , <<<"$lengths," | wc -c)"))" \
			"$type ${lengths//,/ }"
		equal "$(tafcomment got.rsf)" "what $name is"
	done <<-END
		z complex128 3,5 pairs
		zpacked complex 3,5 pairs
		long complex128 100,50,2 long
		sparse flt64 4,6 sparse
		nothing flt64 0,0 nothing
		yes uint8 3,5 yes
	END
	hdf2taf archive.sda "a b" | tafread >got
	same signed got
	hdf2taf archive.sda /signal/ >got.rsf
	equal "$(told got.rsf n1 n2 o1 o2 d1 d2)" "4 2 0.5 1 0.25 1"
	equal "$(tafcomment got.rsf)" "a record of the scope"
	tafread got.rsf >got
	same signal got
	equal "$(hdf2taf -q archive.sda odd | told - d1 d2)" "1 1"
	equal "$(hdf2taf --reverse archive.sda z | told - n1 n2)" "5 3"
	hdf2taf --reverse archive.sda long | tafpermute -d 3,2,1 | tafread | tr , ' ' >got
	same long got
	hdf2taf archive.sda 'cell/element 1' | tafread | tr , ' ' >got
	same pairs got
	run -0 hdf2taf --list archive.sda
	printf "%s\n" "$output" | grep -qxF $'/a b\tflt32\t3,5\twhat a b is'
	printf "%s\n" "$output" | grep -qxF $'/sparse\tflt64\t4,6\twhat sparse is'
	printf "%s\n" "$output" | grep -qxF $'/text\tcharacter\t1,5\twhat text is'
	printf "%s\n" "$output" | grep -qxF $'/signal\tstructure\t\ta record of the scope'
	printf "%s\n" "$output" | grep -qxF $'/signal/Data\tflt32\t4,2'
	printf "%s\n" "$output" | grep -qxF $'/cell/element 1\tcomplex128\t15,1'
	while IFS='|' read -r name fact; do
		refuse 3 hdf2taf archive.sda "$name"
		grep -qF "archive.sda: $name: $fact" err
	done <<-'END'
		text|a record of type character, no array of numbers
		cell|a record of type cell: name one of its elements (--list shows them)
		short|15 complex numbers, but ArraySize says 12
		half|Complex, but not two rows of floats
		three|Complex, but not two rows of floats
		nosize|Complex, and without ArraySize
		zero|Sparse, with indices that are none
		part|Sparse, with indices that are none
		huge|more bytes than a file holds
		gone|there is no such dataset
	END
	refuse 3 hdf2taf -x 1=2 archive.sda z
	grep -q 'no part is read' err
	refuse 3 hdf2taf archive.sda
	grep -q 'datasets: name one' err
}
