#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Dimensions by their labels and numbers in units: the same as by number and in the unit of the
# dimension, in every command that takes them.

load helper

# a.taf and streams of it: 6 x 5 x 4, with a grid in seconds, in no unit, and in metres
arrays() {
	mktaf raw.taf flt32 6,5,4 0.5
	tafadjust --span 1=-2e-8:3e-8 --unit 1=s --label 1=Time --label 2=Channel \
		--start 3=2 --step 3=-0.5 --unit 3=m --label 3='Depth below' raw.taf -o a.taf
}

# alike COMMAND LABELLED NUMBERED [WORD...]: the same output for both words, and some of it
alike() {
	"$1" "${@:4}" "$2" a.taf >got
	"$1" "${@:4}" "$3" a.taf >want
	[ -s want ]
	same want got
}

@test "every command takes the label of a dimension where it takes its number" {
	local command labelled numbered words
	arrays
	# a word that ends in = is joined by it, so that a blank of the label stays
	while IFS='|' read -r command labelled numbered words; do
		[ -n "$command" ] || continue
		# shellcheck disable=SC2086
		alike "$command" "$labelled" "$numbered" $words || { echo "$command $labelled"; return 1; }
	done <<-'END'
		tafcrop|-xTime=2:4|-x1=2:4|
		tafcrop|-gDepth below=1:2|-g3=1:2|
		tafread|-xChannel=2|-x2=2|-c
		tafmap|-xTime=2:4|-x1=2:4|
		taffill|-xChannel=2|-x2=2|--value 9
		taffill|-dChannel|-d2|--nan linear
		tafpermute|-dDepth below,Time,Channel|-d3,1,2|
		tafpermute|-dDepth below,1,Channel|-d3,1,2|
		tafreverse|-dChannel,Time|-d2,1|
		tafreduce|-dDepth below,Time|-d3,1|sum
		taffft|-dChannel|-d2|
		tafpad|--by=Channel=1:2|--by=2=1:2|--to 1=8
		tafpad|--to=Time=8|--to=1=8|--by Channel=1:2
		tafroll|--by=Channel=2|--by=2=2|--by Time=1
		tafrepeat|--times=Channel=2|--times=2=2|
		tafreshape|--divide=Time=3|--divide=1=3|
		tafreshape|--merge=Channel:Depth below|--merge=2:3|
		tafreshape|--merge=Time:2|--merge=1:2|
		tafregrid|--factor=Channel=2|--factor=2=2|
		tafregrid|-aDepth below=2:-0.25|-a3=2:-0.25|
		tafregrid|--size=Channel=3|--size=2=3|-a Channel=1:1
		tafregrid|-dTime|-d1|--like a.taf
		tafselect|-dChannel|-d2|--list 3,1
		tafsort|-dChannel|-d2|
		tafhist|-dChannel|-d2|--bins 4
		tafsmooth|-dChannel|-d2|--mean 3
		taffilter|-dTime|-d1|--high 1e7 --causal
		tafhilbert|-dChannel|-d2|
		tafdifferentiate|-dChannel|-d2|
		tafintegrate|-dChannel|-d2|
		tafspectrogram|-dTime|-d1|--duration 2e-8,1e-8
		tafpeaks|-dChannel|-d2|
		tafcorrelate|-dChannel|-d2|a.taf
		tafinterleave|-dChannel|-d2|a.taf
		tafappend|-dChannel|-d2|a.taf
		tafsplit|-dChannel|-d2|
		tafsummarize|-dChannel|-d2|
		tafadjust|--shift=Channel=2|--shift=2=2|
		tafadjust|--label=Channel=C|--label=2=C|
		tafput|note@Channel=C|note@2=C|
		tafput|--unset=unit@Depth below|--unset=unit@3|
	END
}

@test "a label in place: regions, header, and a base that grows" {
	arrays
	for f in b c; do cp a.taf $f.taf; done
	tafreplace -i -x Channel=2 -g Time=0:10ns --value 7 b.taf
	tafreplace -i -x 2=2 -g 1=0:1e-8 --value 7 c.taf
	same c.taf b.taf
	tafadjust -i --step Channel=3 b.taf
	tafadjust -i --step 2=3 c.taf
	same c.taf b.taf
	tafcrop -i -x Time=2:3 b.taf
	tafcrop -i -x 1=2:3 c.taf
	same c.taf b.taf
	tafappend -i -d 'depth below' b.taf b.taf
	tafappend -i -d 3 c.taf c.taf
	same c.taf b.taf
	[ "$(tafprobe -k shape b.taf)" = 2,5,8 ]
}

@test "a label is that of each array: in a stream, in files, from a pipe of TAF" {
	arrays
	tafpermute -d 3,1,2 a.taf -o b.taf
	for f in a b; do tafcrop -x Time=2:3 $f.taf; done >want
	tafcat a.taf b.taf | tafcrop -x Time=2:3 | tafread >got
	tafread want | same - got
	tafcrop -x Time=2:3 a.taf b.taf | tafread | same - got
	# there labels stand behind the data
	tafcrop -F taf -x Time=2:3 <a.taf >got
	tafcrop -F taf -x Time=2:3 a.taf >want
	same want got
	perl -pe '' a.taf | tafcrop -F taf -x Time=2:3 >got
	same want got
	perl -pe '' a.taf | tafsummarize -d Channel | tail -n 5 >got
	tafsummarize -d 2 a.taf | tail -n 5 | same - got
	# the second one has no such label
	tafadjust --label 2=x a.taf -o c.taf
	refuse 3 tafcrop -x Channel=1 a.taf c.taf
	[[ $(<err) == *"c.taf: -x: no dimension is labelled Channel"* ]]
}

@test "a label that is another dimension of a further input is refused" {
	mktaf raw.taf int16 4,4
	tafadjust --label 1=Time --label 2=Channel raw.taf -o a.taf
	tafadjust --label 1=Channel --label 2=Time raw.taf -o b.taf
	refuse 3 tafappend -d Time a.taf b.taf
	[ "$(<err)" = "tafappend: b.taf: -d Time: that is 2 here, but 1 in the first array" ]
	refuse 3 tafinterleave -d Time a.taf b.taf
	refuse 3 tafcorrelate -d Time a.taf b.taf
	refuse 3 tafregrid -d Time --like b.taf a.taf
	# an array without labels goes by the number
	tafappend -d Time a.taf raw.taf >got
	tafappend -d 1 a.taf raw.taf | same - got
	tafinterleave -d Channel a.taf raw.taf >got
	tafinterleave -d 2 a.taf raw.taf | same - got
	tafregrid -d Channel --like raw.taf a.taf | tafprobe -k shape >got
	[ "$(<got)" = 4,4 ]
}

@test "a label that is not there, or twice, or of another case" {
	arrays
	refuse 3 tafcrop -x Tme=1 a.taf
	[ "$(<err)" = "tafcrop: a.taf: -x: no dimension is labelled Tme: dimension 1 is Time, 2 is Channel, 3 is Depth below" ]
	refuse 3 tafsort -d t raw.taf
	[ "$(<err)" = "tafsort: raw.taf: -d: no dimension is labelled t: the array has no labels" ]
	tafadjust --label 1=TIME --label 3=Time a.taf -o b.taf
	refuse 3 tafcrop -x time=1 b.taf
	[ "$(<err)" = "tafcrop: b.taf: -x: dimensions 1 and 3 are both labelled time: say the number" ]
	# the same bytes come first
	[ "$(tafcrop -x Time=1 b.taf | tafprobe -k shape)" = 6,5,1 ]
	[ "$(tafcrop -x TIME=1 b.taf | tafprobe -k shape)" = 1,5,4 ]
	[ "$(tafcrop -x tImE=1 a.taf | tafprobe -k shape)" = 1,5,4 ]
	# a number is a number
	tafadjust --label 1=2 --label 2=1 a.taf | tafcrop -x 1=1 | tafprobe -k shape >got
	[ "$(<got)" = 1,5,4 ]
	# twice by two names, and what has no place
	refuse 3 tafcrop -x Time=1 -x 1=2 a.taf
	[ "$(<err)" = "tafcrop: a.taf: -x 1=2: dimension 1 is bounded twice" ]
	refuse 3 tafroll --by Time=1 --by time=1 a.taf
	refuse 3 tafreverse -d Time,1 a.taf
	refuse 3 tafpermute -d Time,1,2 a.taf
	refuse 3 tafreshape --merge Channel:Time a.taf
	refuse 3 tafregrid -a 1=0:1 --size Channel=3 a.taf
	refuse 2 tafcrop -x Time=x:1 a.taf
	[ "$(<err)" = "tafcrop: -x Time=x:1: not DIM=LO:HI[:STEP] or DIM=INDEX" ]
	refuse 2 tafroll --by Time=1.5 a.taf
	refuse 2 tafreduce sum --merge -d Time a.taf
	refuse 3 tafput unit@Tme=s a.taf
	# of an array without labels it is a key with an @ in it
	[ "$(tafput me@home=1 raw.taf | tafprobe -k me@home)" = 1 ]
}

@test "numbers in units: the nearest double in the unit of the dimension" {
	arrays
	{
		tafadjust --unit 1=s --start 1=50ns a.taf | tafprobe -k o1
		tafadjust --start Time=0.3us a.taf | tafprobe -k o1
		tafadjust --start 1=-1.1e3ps a.taf | tafprobe -k o1
		tafadjust --step 1=7fs a.taf | tafprobe -k d1
		tafadjust --shift 3=12um --start 3=1km --shift 3=-3.5cm a.taf | tafprobe -k o3
		tafadjust --unit 1=GHz --span 1=0:2.5MHz a.taf | tafprobe -k d1
		tafadjust --unit 1=V/s --start 1=3V/s a.taf | tafprobe -k o1
	} >got
	# computed as decimals, by perl
	printf '%s\n' 5e-8 3e-7 -1.1e-9 7e-15 999.965 0.0005 3 >want
	same want got
	tafread -x 1=2:5 -c a.taf >want
	for b in -10ns:20ns 20ns:-10ns -0.01us:0.02us -10000ps:20000ps -1e-8s:2e-8s; do
		tafread -g "Time=$b" -c a.taf | same want -
	done
	[ "$(tafcrop -g 1=0:inf a.taf | tafprobe -k n1)" = 4 ]
	[ "$(tafcrop -g 1=0:10ns a.taf | tafprobe -k n1)" = 2 ]
	[ "$(tafcrop -g 1=:10ns a.taf | tafprobe -k n1)" = 4 ]
	[ "$(tafcrop -g 1=-inf:10ns a.taf | tafprobe -k n1)" = 4 ]
	tafregrid -a 1=0:5ns --size 1=4 a.taf >got
	tafregrid -a 1=0:5e-9 --size 1=4 a.taf | same - got
}

@test "a unit that does not fit is refused with both, and half a unit" {
	arrays
	refuse 3 tafcrop -g 1=1MHz:2MHz a.taf
	[ "$(<err)" = "tafcrop: a.taf: -g: 1MHz: unit MHz does not fit dimension 1, whose unit is s" ]
	refuse 3 tafcrop -g Channel=1s:2s a.taf
	[[ $(<err) == *"1s has a unit, and dimension 2 has none"* ]]
	refuse 3 tafcrop -g 4=1s:2s a.taf
	refuse 3 tafcrop -g 1=1xs:2xs a.taf
	refuse 3 tafadjust --start 1=1m a.taf
	refuse 2 tafcrop -g 1=-50:50ns a.taf
	[ "$(<err)" = "tafcrop: -g 1=-50:50ns: one number has a unit, the other none: write 1=-50ns:50ns" ]
	refuse 2 tafcrop -g Time=-5us:1 a.taf
	[[ $(<err) == *"write Time=-5us:1us" ]]
	refuse 2 tafadjust --span 1=1:2ns a.taf
	refuse 2 tafregrid -a 1=1ns:2 a.taf
	refuse 2 tafcrop -x 1=1ns:2ns a.taf
	# the unit is the one that it has by then
	[ "$(tafadjust --unit 1=ms --start 1=2s a.taf | tafprobe -k o1)" = 2000 ]
	refuse 3 tafadjust --unit 1=V --start 1=2s a.taf
}

@test "lengths and frequencies in units: as in the unit of the dimension" {
	local command with without words
	tafmath -n 400,2 -a 1=0:0.5 'sin(i1/9) + i2*(i1 % 7)' | tafadjust --unit 1=us |
		tafput unit=mV -o a.taf
	while IFS='|' read -r command with without words; do
		[ -n "$command" ] || continue
		# shellcheck disable=SC2086
		alike "$command" "$with" "$without" $words || { echo "$command $with"; return 1; }
	done <<-'END'
		taffilter|--low=50kHz|--low=0.05|
		taffilter|--high=100000Hz|--high=0.1|--low 5kHz
		taffilter|--notch=50kHz:3|--notch=0.05:3|
		tafsmooth|--mean=5us|--mean=5@|
		tafsmooth|--gauss=1500ns|--gauss=1.5@|
		tafdifferentiate|--polynomial=2,0.005ms|--polynomial=2,5@|
		tafspectrogram|--duration=0.02ms|--duration=20|
		tafspectrogram|--duration=0.02ms,0.01ms|--duration=20,10|
		tafspectrogram|--crop=100kHz:500kHz|--crop=0.1:0.5|--points 50
		tafspectrogram|--crop=0:0.5MHz|--crop=0:0.5|--points 50
		taftone|--duration=40us,10us|--duration=40,10|-q
		taftone|--crop=0:800kHz|--crop=0:0.8|-q --points 90
		taftone|--known=300kHz,0.5MHz|--known=0.3,0.5|-q --points 90
		tafpeaks|--distance=0.02ms|--distance=20|--count 0
		tafpeaks|--minimum=0.005V|--minimum=5|--count 0
		tafpeaks|--edges=level=2500uV,rising|--edges=level=2.5,rising|--count 0
		tafhist|--range=500uV:0.01V|--range=0.5:10|-q
		tafhist|--range=0:7mV|--range=0:7|-q --width 0.5
		tafhist|--width=700uV|--width=0.7|
		tafhist|--width=500uV|--width=0.5|-q --range=-1:6 -d 1
		tafcorrelate|--max-lag=0.02ms|--max-lag=20|a.taf
	END
}

@test "a length or a frequency whose unit does not fit is refused with both" {
	local status expected words
	tafmath -n 400 -a 1=0:0.5 'i1 % 7' -o none.taf
	tafadjust --unit 1=us none.taf -o a.taf
	tafput unit=mV a.taf -o mv.taf
	while IFS='|' read -r status expected words; do
		[ -n "$status" ] || continue
		# shellcheck disable=SC2086
		refuse "$status" $words
		equal "$(<err)" "${words%% *}: $expected"
	done <<-'END'
		3|a.taf: 5s: unit s does not fit frequencies along dimension 1, which are in MHz|taffilter --high 5s a.taf
		3|a.taf: dimension 1: frequency 2MHz: those of steps of 0.5 are below 1|taffilter --high 2MHz a.taf
		3|a.taf: dimension 1: frequency 200kHz is not below 0.1|taffilter --low 200kHz --high 0.1 a.taf
		3|none.taf: 5kHz has a unit, and dimension 1 has none: leave it out, or set one (tafadjust --unit)|taffilter --high 5kHz none.taf
		2|--notch 50kHz:3Hz: not F:Q, both above 0|taffilter --notch 50kHz:3Hz a.taf
		3|a.taf: 5Hz: unit Hz does not fit dimension 1, whose unit is us|tafsmooth --mean 5Hz a.taf
		2|--mean 5us@: not a width above 0|tafsmooth --mean 5us@ a.taf
		2|--points 20us: not POINTS[,SKIP]|tafspectrogram --points 20us a.taf
		2|--duration 0.1ms,50: one number has a unit, the other none: write 0.1ms,50ms|tafspectrogram --duration 0.1ms,50 a.taf
		2|--crop 0.1:0.5MHz: one number has a unit, the other none: write 0.1MHz:0.5MHz|tafspectrogram --points 50 --crop 0.1:0.5MHz a.taf
		3|a.taf: 1V: unit V does not fit dimension 1, whose unit is us|tafpeaks --distance 1V a.taf
		3|a.taf: 5mV has a unit, and the values have none: leave it out, or set one (tafput unit=)|tafpeaks --minimum 5mV a.taf
		3|mv.taf: 5s: unit s does not fit the values, whose unit is mV|tafpeaks --minimum 5s mv.taf
		3|mv.taf: 5Hz: unit Hz does not fit the values, whose unit is mV|tafpeaks --edges level=5Hz mv.taf
		3|mv.taf: 5us: unit us does not fit the values, whose unit is mV|tafhist --width 5us mv.taf
		3|mv.taf: 5us: unit us does not fit the values, whose unit is mV|tafhist --range 0:5us mv.taf
		2|--range 1:5V: one number has a unit, the other none: write 1V:5V|tafhist --range 1:5V mv.taf
		2|mv.taf: --range 1V:5mV: not LO:HI, finite and LO below HI|tafhist --range 1V:5mV mv.taf
		2|mv.taf: --width 3mV: 3333.333 bins in the range, not a whole number|tafhist --width 3mV --range 0:10V mv.taf
		2|mv.taf: --width 5e-324uV: not a width above 0|tafhist --width 5e-324uV mv.taf
		3|1kHz: unit kHz does not fit dimension 1, whose unit is us|tafcorrelate --max-lag 1kHz a.taf a.taf
	END
}

@test "slabs along a label" {
	arrays
	tafspread -d 'Depth below' --slabs 3 -o got.taf a.taf -- 'tafmath 2*a' 2>err
	tafmath '2*a' a.taf -o want.taf
	tafcompare --header want.taf got.taf
	refuse 3 tafspread -d Depth --slabs 3 -o x.taf a.taf -- 'tafmath 2*a'
}

@test "names go with their columns, or go" {
	local row want
	printf 'Time (s),x,y,z\n0,1,20,300\n1,4,50,600\n2,7,80,900\n' >a.csv
	txt2taf -q -c a.csv -o a.taf
	while IFS='|' read -r row want; do
		# shellcheck disable=SC2086
		eval "$row" a.taf -q | tafexport -q --csv | head -n 2 | xargs >got
		equal "$row: $(cat got)" "$row: $want"
	done <<-'EOF'
		tafcrop -x 2=y|y 20
		tafcrop -x 2=2:3|y,z 20,300
		tafcrop -x 2=1:3:2|x,z 1,300
		tafcrop -x 2=y --squeeze|y 20
		tafreverse -d 2|z,y,x 300,20,1
		tafreverse -d 1|x,y,z 7,80,900
		tafselect -d 2 --list z,x|z,x 300,1
		tafselect -d 2 --list z,1:2,z|z,x,y,z 300,1,20,300
		tafroll --by 2=1|z,x,y 300,1,20
		tafroll --by 2=1 --fill 0|C1,C2,C3 0,1,20
		tafpad --by 2=1:0|C1,C2,C3,C4 0,1,20,300
		tafpad --by 2=1:0 --with wrap|z,x,y,z 300,1,20,300
		tafpermute -d 2,1|C1,C2,C3 1,4,7
		tafsort -d 2 --descending|C1,C2,C3 300,20,1
		tafreduce mean -d 1|x,y,z 4,50,600
		tafmath a+1|x,y,z 2,21,301
	EOF
	equal "$(tafrepeat --times 2=2 a.taf | tafprobe | grep -c channel || true)" 0
	tafappend -q -d 2 a.taf a.taf | tafexport -q --csv | head -n 1 >got
	equal "$(cat got)" C1,C2,C3,C4,C5,C6
	tafcrop a.taf -o b.taf
	tafappend -q -i -d 2 b.taf a.taf
	equal "$(tafcrop -x 2=4:6 b.taf | tafexport -q --csv | head -n 1)" C1,C2,C3
	equal "$(tafread -x 2=z a.taf | xargs)" '300 600 900'
	equal "$(tafexport -q --csv -x 2=z a.taf | xargs)" 'z 300 600 900'
	refuse 3 tafcrop -x 2=q a.taf
	equal "$(cat err)" 'tafcrop: a.taf: dimension 2: no point is called q: there are x,y,z'
	refuse 2 tafcrop -x 1=x a.taf
	equal "$(cat err)" 'tafcrop: a.taf: dimension 1: no point is called x: they have no names'
	refuse 2 tafcrop -x 2=x:z a.taf
}
