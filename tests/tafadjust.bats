# SPDX-License-Identifier: ISC
load helper

# grid FILE DIM: start and step as they are in the file
grid() {
	D=$2 perl -e 'open F, "<:raw", $ARGV[0] or die; read F, my $h, 4096;
		printf "%.17g %.17g", unpack "x" . (1056 + 24 * ($ENV{D} - 1) + 8) . "d<2", $h' "$1"
}

# is FILE DIM FORMULA FORMULA: start and step, to the last bit
is() {
	equal "$(grid "$1" "$2")" "$(perl -e 'printf "%.17g %.17g", eval $ARGV[0], eval $ARGV[1]' -- "$3" "$4")"
}

@test "each change, to the last bit" {
	mktaf a.taf int16 7,5
	# dimension 1 starts at 0.5 by 0.25, dimension 2 at 1.5 by 0.5
	tafadjust --shift 1=0.1 a.taf -o b.taf
	is b.taf 1 '0.5 + 0.1' 0.25
	tafadjust --scale 1=0.1 a.taf -o b.taf
	is b.taf 1 '0.5 * 0.1' '0.25 * 0.1'
	tafadjust --scale 2=-3 a.taf -o b.taf
	is b.taf 2 -4.5 -1.5
	tafadjust --start 2=-1e300 a.taf -o b.taf
	is b.taf 2 -1e300 0.5
	tafadjust --step 1=-0.125 a.taf -o b.taf
	is b.taf 1 0.5 -0.125
	tafadjust --span 1=0.1:0.7 a.taf -o b.taf
	is b.taf 1 0.1 '(0.7 - 0.1) / 6'
	tafadjust --span 2=3:-1 a.taf -o b.taf
	is b.taf 2 3 -1
	tafadjust --start 1=-0 a.taf -o b.taf
	equal "$(tafprobe -k o1 b.taf)" -0
}

@test "in the order in which they stand, all at once" {
	mktaf a.taf int16 7,5
	tafadjust --shift 1=1 --scale 1=2 --shift 2=5 a.taf -o b.taf
	is b.taf 1 3 0.5
	is b.taf 2 6.5 0.5
	tafadjust --scale 1=2 --shift 1=1 a.taf -o b.taf
	is b.taf 1 2 0.5
	tafadjust --span 1=0:6 --scale 1=0.5 --start 1=7 a.taf -o b.taf
	is b.taf 1 7 0.5
}

@test "nothing but the grid changes" {
	mktaf a.taf uint16 7,5
	printf 'a comment\n' >>a.taf
	tafcrop a.taf -o b.taf
	tafadjust --start 1=0.5 b.taf -o c.taf
	same b.taf c.taf
	tafadjust --start 2=9 b.taf -o c.taf
	# 8 bytes at 1056 + 24 + 8
	equal "$(cmp -l b.taf c.taf | awk '$1 < 1089 || $1 > 1096' | wc -l)" 0
	cp b.taf d.taf
	tafadjust -i --start 2=9 d.taf
	same c.taf d.taf
	tafadjust --start 2=9 <b.taf | tafcrop -F taf >e
	same c.taf e
}

@test "labels and units: set, change, remove, on their way" {
	mktaf a.taf int16 7,5
	for label in Time '50%25' 'a=b c' 'back\slash' "it's" 'µ' '%' '@1' ' '; do
		tafadjust --label "1=$label" --unit "2=$label" a.taf -o b.taf
		equal "$(tafprobe -k label1 b.taf)|$(tafprobe -k unit2 b.taf)" "$label|$label"
		tafcrop b.taf | tafcrop | tafcrop -F taf >c
		same b.taf c
		cp b.taf d.taf
		tafadjust -i --label 1=x --label "1=$label" d.taf
		same b.taf d.taf
	done
	tafadjust --label 1= --unit 2= b.taf -o c.taf
	tafcrop a.taf -o d.taf
	same c.taf d.taf
	tafadjust --label '1=a b' a.taf | grep -a -q '^	label1="a b"$'
	for bad in '1=a"b' "1=a$(printf '\n')
b" "$(printf '1=a\001')" "1=$(printf '%04000d' 0)"; do
		refuse 2 tafadjust --label "$bad" a.taf
	done
}

@test "what is no grid is refused, as an invocation or for this array" {
	mktaf a.taf int16 7,1
	for v in 1 1= 1=x 0=1 65=1 =1 1=inf 1=nan '1= 1' 1=0x10 1=1,5; do
		refuse 2 tafadjust --shift "$v" a.taf
	done
	refuse 2 tafadjust --step 1=0 a.taf
	refuse 2 tafadjust --scale 1=-0 a.taf
	for v in 1=1 1=1:1 1=: 1=1: 1=1:x 1=nan:1; do refuse 2 tafadjust --span "$v" a.taf; done
	refuse 3 tafadjust --shift 3=1 a.taf
	refuse 3 tafadjust --shift 1=1x a.taf
	refuse 3 tafadjust --label 3=x a.taf
	refuse 3 tafadjust --span 2=0:1 a.taf
	refuse 3 tafadjust --span 1=-1.7e308:1.7e308 a.taf
	refuse 3 tafadjust --scale 1=1e308 --scale 1=1e308 a.taf
	refuse 3 tafadjust --step 1=1e-300 --scale 1=1e-300 a.taf
	cp a.taf b.taf
	refuse 3 tafadjust -i --shift 3=1 b.taf
	same a.taf b.taf
}

@test "a grid that is broken can be mended" {
	mktaf a.taf int16 7,5
	perl -e 'open F, "+<", "a.taf"; seek F, 1064, 0; print F pack "d<2", "nan", 0'
	tafadjust --start 1=1 --step 1=2 a.taf -o b.taf
	is b.taf 1 1 2
	tafadjust --step 1=2 --start 1=1 a.taf -o b.taf
	is b.taf 1 1 2
	refuse 3 tafadjust --shift 1=1 a.taf
	refuse 3 tafadjust --scale 1=2 a.taf
}

@test "all arrays of a stream; -N for one" {
	mktaf a.taf int16 7,5
	tafcrop a.taf a.taf >two.rsf
	equal "$(tafadjust --start 1=9 two.rsf | tafprobe -k o1 | paste -s -d ' ' -)" "9 9"
	equal "$(tafadjust -N 2 --start 1=9 two.rsf | tafprobe -k o1)" 9
	refuse 3 tafadjust -N 3 --start 1=9 two.rsf
}

@test "values are scaled and shifted by the mapping, and no element is touched" {
	local args want
	mktaf a.taf int16 5,3
	tafadjust --intercept 3 --slope 0.5 a.taf -o mapped.taf
	# intercept and slope, by perl from those before: 0 and 1, or 3 and 0.5
	while IFS='|' read -r args want; do
		[ -n "$args" ] || continue
		for f in a mapped; do
			# shellcheck disable=SC2086
			tafadjust $args $f.taf -o b.taf
			echo "$(tafprobe -k intercept b.taf) $(tafprobe -k slope b.taf)"
			cmp <(tafcast --unmap b.taf | taf2raw -r) <(taf2raw -r a.taf)
		done >got
		[ "$(paste -sd, got)" = "$want" ] || { echo "$args"; cat got; return 1; }
	done <<-'END'
		--value-scale 4|0 4,12 2
		--value-shift -1.25|-1.25 1,1.75 0.5
		--slope 8|0 8,3 8
		--intercept -7|-7 1,-7 0.5
		--value-scale 4 --value-shift 1|1 4,13 2
		--value-shift 1 --value-scale 4|4 4,16 2
		--slope 2 --intercept 0.5 --value-scale -2|-1 -4,-1 -4
		--slope 0|0 0,3 0
	END
	# what is read is what tafmath computes
	tafadjust --value-scale 0.25 --value-shift -3 mapped.taf | tafread >got
	tafmath -t flt64 '0.25*a-3' mapped.taf | tafread | same - got
	mktaf f.taf flt32 4,3 0.5
	tafadjust --value-scale 2 f.taf | tafread >got
	tafmath '2*a' f.taf | tafread | same - got
}

@test "the mapping and the unit of values in place: the header alone" {
	mktaf a.taf uint16 7,4
	tail -c +1105 a.taf >elements
	tafadjust -i --value-scale 2 --value-shift 1 --value-unit mV a.taf
	equal "$(tafprobe -k intercept a.taf)$(tafprobe -k slope a.taf)" 12
	equal "$(tafprobe -k unit a.taf)" mV
	tail -c +1105 a.taf | head -c 56 | same - elements
	equal "$(tafadjust --value-unit '' a.taf | tafprobe | grep -c unit || :)" 0
	# a unit alone does not make a mapping
	mktaf b.taf uint16 7,4
	equal "$(tafadjust --value-unit V b.taf | tafprobe -k slope)" "$(tafprobe -k slope b.taf)"
}

@test "a mapping that cannot be is refused" {
	mktaf a.taf int16 4,2
	for v in '' x inf nan 1mV 1:2; do
		for o in slope intercept value-scale value-shift; do
			refuse 2 tafadjust "--$o" "$v" a.taf
		done
	done
	refuse 2 tafadjust --value-scale 0 a.taf
	refuse 3 tafadjust --slope 1e300 --value-scale 1e300 a.taf
	refuse 3 tafadjust --slope 1e-300 --value-scale 1e-300 a.taf
	refuse 3 tafadjust --intercept 1e308 --value-shift 1e308 a.taf
	tafmath -n 4 'complex(i1,2)' >c.rsf
	refuse 3 tafadjust --value-scale 2 c.rsf
	[[ $(<err) == *tafmath* ]]
	equal "$(tafadjust --value-unit V c.rsf | tafprobe -k unit)" V
}
