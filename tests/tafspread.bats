# SPDX-License-Identifier: ISC
# What is run while each call of it fails in turn (faults.bats).
# in turn: - -q -J 1 --slabs 2 -o out.taf in.taf cat
# in turn: - -q -J 1 --slabs 1 --retries 0 --join cat -o out.taf in.taf cat
# in turn: - -q -J 1 --retries 0 --each -D to in.taf cat

load helper

# mk LENGTHS TYPE FILE: an array whose elements vary everywhere
mk() {
	perl -e '$n = 1; $n *= $_ for split /,/, shift; print pack "l*", map { $_ * $_ * 7 % 113 } 1 .. $n' "$1" |
		tafcreate -n "$1" -e int32 -t "$2" -C 'a comment' -o "$3"
	tafput -i unit=V 'note=two words' "$3"
}

# spread OPTIONS... PIPELINE: out.taf is what the pipeline makes of in.taf as a whole
spread() {
	rm -rf out.taf whole.taf
	bash -o pipefail -c "${*: -1}" <in.taf | tafcat -F taf >whole.taf
	tafspread "${@:1:$#-1}" -o out.taf in.taf -- "${@: -1}" || return 1
	same whole.taf out.taf && equal "$(echo out.taf*)" out.taf
}

# passed: a minute passes; where no /proc tells who lives, the last sign of life counts so long
passed() {
	find . -path './out.taf.spread/owner*' -exec touch -d '2 minutes ago' {} +
}

@test "the same bytes as the pipeline over the whole array" {
	local type dim
	for type in uint8 int16 flt64; do
		mk 5,700,4 $type in.taf
		for dim in 1 2 3; do
			spread -d $dim --slabs 3 cat
		done
	done
	mk 9 int16 in.taf
	spread cat
	mk 3,5,1,1 int32 in.taf
	spread -d 2 --slabs 5 cat
	did '-d' tafspread
	did '--slabs' tafspread
}

@test "mapping, comment, attributes and complex elements come along" {
	mk 40,300,3 flt32 x.taf
	tafcast --scale -t int16 x.taf | tafadjust --shift 3=5 -o in.taf
	spread --slabs 3 'tafreverse -d 1'
	spread --slabs 2 'taffft -d 1'
	spread -d 2 --slabs 4 'taffft -d 1'
}

@test "a result may be shorter than its slab, and a slab than another" {
	mk 6,5,16 int16 in.taf
	spread --slabs 4 'tafreduce mean -d 3 --every 4'
	spread -d 2 --slabs 5 'tafreduce max -d 1'
	tafspread --slabs 5 -o out.taf in.taf -- 'tafcrop -q -x 3=1'
	tafcrop -x 3=1:2 in.taf >x
	equal "$(tafprobe -k shape out.taf)" 6,5,5
}

# heads SEED: streams p0, p1, ... whose heads differ now and then; prints DIM SLABS POINTS
heads() {
	perl -e '
	srand shift;
	sub one { $_[rand @_] }
	my $odd = one(.02, .1, .2);
	sub odd { rand() < $odd }
	my %type = (int16 => "s short", uint8 => "C uchar", int32 => "l int", flt32 => "f float",
		flt64 => "d double", complex => "f complex");
	my @types = sort keys %type;
	my ($ndim, $slabs, $m) = (1 + int rand 3, 2 + int rand 3, 1 + int rand 3);
	my $dim = 1 + int rand($ndim + odd);
	my %base = (taf_format => one(@types), unit => one("", "V"), foo => "x");
	$base{"n$_"} = 1 + int rand 3, $base{"o$_"} = 5, $base{"d$_"} = .5 for 1 .. $ndim;
	$base{"n$_"} = $_ == $dim ? $m : one(1, 2) for $dim .. $ndim;
	my $at = 5;
	for my $k (0 .. $slabs - 1) {
		my %p = (%base, $dim > $ndim ? () : ("o$dim" => $at));
		odd and $p{taf_format} = one(@types);
		odd and $p{one("unit", "unit1", "label", "label$ndim")} = one("V", "mV", "t");
		odd and $p{foo} = $p{taf_comment} = "y";
		odd and $p{one("o", "d") . one(1 .. $ndim)} += one(1, 1e-9, 1e-4);
		odd and $p{n1} = 1 + int rand 3;
		odd and $p{"n$dim"} = 1 + int rand 3 if $dim <= $ndim;
		my ($c, $format) = split / /, $type{$p{taf_format}};
		my ($complex, $n) = ($format eq "complex", 1);
		odd and @p{"taf_intercept", "taf_slope"} = (1, one(.5, 2)) if !$complex;
		$n *= $p{"n$_"} for 1 .. $ndim;
		$at += ($p{"n$dim"} // 0) * .5;
		open my $f, ">", "p$k" or die;
		print $f "t\n", map({ $p{$_} eq "" ? "" : "\t$_=" .
			($p{$_} =~ /^[\d.]/ ? $p{$_} : "\"$p{$_}\"") . "\n" } sort keys %p),
			"\tdata_format=\"native_$format\"\n\tesize=",
			(1 + $complex) * length pack($c, 0), "\n\tin=\"stdin\"\n\n\f\f\004",
			pack "$c*", map { 2 * int(rand 20) + (odd) / 2 } 1 .. $n * (1 + $complex);
		close $f;
	}
	print "$dim $slabs ", $slabs * $m, "\n"' "$1"
}

@test "slabs whose heads differ are joined as tafappend joins them" {
	local i dim slabs points want got n="${SPREAD_HEADS:-12}" from="${SPREAD_FROM:-1}"
	[ "$ORDER" = '<' ] || skip "the streams are little-endian"
	for ((i = from; i < from + n; i++)); do
		read -r dim slabs points < <(heads "$i")
		tafmath -n "$(printf '1,1,1,1,' | head -c $((2 * dim - 2)))$points" 0 -o in.taf
		rm -rf out.taf* want.taf
		want=0 got=0
		# shellcheck disable=SC2046 # words
		tafappend -d "$dim" -o want.taf $(seq -f p%g 0 $((slabs - 1))) 2>want.err || want=$?
		tafspread --slabs "$slabs" -d "$dim" -o out.taf in.taf -- 'cat >/dev/null; cat p$3' \
			2>got.err || got=$?
		equal "$i: $want $(wc -l <want.err)" "$i: $got $(wc -l <got.err)"
		[ "$want" != 0 ] || same want.taf out.taf || fail "case $i"
	done
}

@test "slabs on another grid, and in another unit, are not taken for the same" {
	mk 3,2,8 int16 in.taf
	tafspread --slabs 4 -o out.taf in.taf -- 'tafcrop -x 3=2' 2>err
	grep -q 'slab 2 (3=3:4): dimension 3: start 4, but 3 follows .* (3 arrays differ)' err
	refuse 3 tafspread --slabs 2 -J 1 -o b.taf in.taf -- \
		'tafput unit=$(mkdir first 2>/dev/null && echo V || echo mV)'
	grep -q 'slab 2 (3=5:8): the values: unit mV, but V in slab 1' err
	# the second one comes first, and says what is in place
	tafspread -q --slabs 2 -o c.taf in.taf -- 'if [ "$3" = 0 ]; then sleep .1; cat
		else tafcast -t flt64; fi'
	same in.taf c.taf
}

@test "a pipeline that joins has the bits of one run" {
	mk 6,5,17 flt32 in.taf
	tafreduce mean,std -d 3 in.taf -o want.taf
	tafspread --slabs 4 -o out.taf --join 'tafreduce --merge mean,std -d 3' in.taf -- \
		'tafreduce --partial mean,std -d 3'
	same want.taf out.taf
	did '--join' tafspread
}

# sums OPTIONS... PIPELINE: the digest of a run is that of the file that it has made
sums() {
	tafspread --checksum "${@:1:$#-1}" -o out.taf in.taf -- "${@: -1}" >sum || return 1
	tafchecksum out.taf | diff - sum
}

@test "the digest of a run is that of its output, however that is cut and made" {
	local n slabs
	# pieces of 1 MiB that slabs share, and have for themselves; one, and none; the end of one
	for n in 3001,1311 524288,2 262144,2 3,5 0,6 2097152 7,1,1; do
		tafmath -n $n -t int16 'rand(3)*20000' -o in.taf
		for slabs in 1 2 7; do
			sums --slabs $slabs 'tafput note=x'
		done
	done
	mk 40,7,30 flt32 in.taf
	sums --slabs 30 'tafcast --scale -t int16 -m 1M | tafadjust --shift 3=2'
	tafmath -n 3001,1000 -t flt64 'rand(3)' -o in.taf
	sums --slabs 1000 cat
	# what has no place is read again
	sums --slabs 3 -d 1 cat 2>err
	equal "$(<err)" "tafspread: $T/out.taf is read once more for its checksum: results had no places in it"
	sums -q --slabs 2 taffft
	sums -q --slabs 2 --join 'tafreduce --merge mean -d 2' 'tafreduce --partial mean -d 2'
	# as it was typed
	ln -s out.taf 'a  b'
	tafspread --checksum -o './a  b' in.taf -- cat | tafchecksum --check -
	mkfifo fifo
	refuse 2 tafspread --checksum -o fifo in.taf -- cat
	! tafspread --checksum -o same.taf in.taf -- cat >same.taf 2>err || false
	grep -q 'standard output is the output' err
	# the line comes after the output
	rm out.taf
	ends 4 tafspread --checksum -o out.taf in.taf -- cat >/dev/full
	same in.taf out.taf
	did '--checksum' tafspread
}

@test "what tasks have digested is not read again, and what they have not is" {
	local once='[ $3 = 0 ] || [ -e go ] || exit 3; cat' how
	tafmath -n 1000,3000 'rand(3)' -o in.taf
	tafchecksum in.taf | sed 's/in.taf/out.taf/' >want
	# a byte that is not the last one of the first slab, which has been written
	tafspread --checksum -J 1 --slabs 2 -o out.taf in.taf -- \
		'[ $3 = 0 ] || printf "\377\376" | dd of=out.taf.spread/data bs=1 seek=1500000 conv=notrunc 2>dd.err; cat' >sum
	diff want sum
	status 1 tafchecksum --check want
	stub_parallel :
	for how in '--checksum local' ' local' '--checksum parallel' ' parallel'; do
		rm -rf out.taf* go
		# shellcheck disable=SC2086 # words
		status 3 tafspread ${how% *} -J 1 --via ${how#* } --slabs 2 -o out.taf in.taf -- "$once"
		touch go
		tafspread --checksum -J 1 --via ${how#* } --slabs 2 -o out.taf in.taf -- "$once" >sum
		diff want sum
	done
}

@test "a slab that fails with 3 ends the run, and is named" {
	mk 5,7,6 int16 in.taf
	refuse 3 tafspread --slabs 3 -J 1 -o out.taf in.taf -- 'tafcrop -x 9=1'
	equal "$(<err)" 'tafspread: slab 1 (3=1:2): status 3: tafcrop: standard input: dimension 9: the array has 3'
	[ ! -e out.taf ]
	equal "$(tafspread --status out.taf.spread | tail -1)" \
		'failure  slab 1 (3=1:2): status 3: tafcrop: standard input: dimension 9: the array has 3'
	did '--status' tafspread
}

@test "what is not the last program of a pipeline may fail, too" {
	mk 5,7,6 int16 in.taf
	refuse 3 tafspread --slabs 3 -o out.taf in.taf -- 'tafcrop -x 9=1 | cat'
	[ ! -e out.taf ]
}

@test "a slab that fails twice with 4 is done at the third time" {
	mk 5,7,6 int16 in.taf
	cat >try <<-'END'
		n=$(ls tried.* 2>/dev/null | wc -l)
		[ "$n" -ge 2 ] || { touch "tried.$n"; exit 4; }
		cat
	END
	tafspread -J 1 --slabs 2 --retries 2 -o out.taf in.taf -- '. ./try'
	same in.taf out.taf
	rm out.taf tried.*
	refuse 4 tafspread -J 1 --slabs 2 --retries 1 -o out.taf in.taf -- '. ./try'
	did '--retries' tafspread
}

@test "the same command goes on where it was ended" {
	local n
	mk 5,7,6 int16 in.taf
	cat >once <<-'END'
		[ "$(ls began.* 2>/dev/null | wc -l)" -lt 2 ] || [ -e go ] || exit 3
		touch began.$$
		cat
	END
	status 3 tafspread -J 1 --slabs 3 -o out.taf in.taf -- '. ./once'
	tafspread --status out.taf.spread -j >x
	n=$(wc -c <in.taf)
	grep -q '"slabs":3,"done":2,"running":0,"failed":1,"bytes":'$((n))',"bytes_done":'$((n * 2 / 3))',"failure":"slab 3 ' x
	touch go
	tafspread -J 1 --slabs 3 -o out.taf in.taf -- '. ./once'
	same in.taf out.taf
	equal "$(ls began.* | wc -l | tr -d ' ')" 3
}

@test "another command, or a changed input, is refused by the folder of state" {
	mk 5,7,6 int16 in.taf
	status 3 tafspread --slabs 3 -o out.taf in.taf -- false
	refuse 2 tafspread --slabs 3 -o out.taf in.taf -- cat
	grep -q 'another pipeline' err
	refuse 2 tafspread --slabs 2 -o out.taf in.taf -- false
	grep -q 'with 3 slabs, not 2' err
	refuse 2 tafspread -d 2 --slabs 3 -o out.taf in.taf -- false
	grep -q 'along dimension 3, not 2' err
	tafreplace -i -x 1=1 --value 9 in.taf
	refuse 2 tafspread --slabs 3 -o out.taf in.taf -- false
	grep -q 'has changed' err
}

@test "a second one on the same output is refused while the first lives" {
	mk 5,7,6 int16 in.taf
	mkfifo gate
	tafspread -J 1 --slabs 2 -o out.taf in.taf -- 'cat gate; cat' 2>first &
	until [ -e out.taf.spread/owner ]; do sleep 0.05; done
	refuse 4 tafspread -J 1 --slabs 2 -o out.taf in.taf -- 'cat gate; cat'
	grep -q "process $! on " err
	kill -9 $!
	wait $! || :
	passed
	# nobody waits for the pipe any more, or the task that does is not ours
	exec 9<>gate
	echo >gate & 
	rm gate
	: >gate
	exec 9>&-
	tafspread -J 1 --slabs 2 -o out.taf in.taf -- 'cat gate; cat'
	same in.taf out.taf
}

@test "kill -9 at any moment costs nothing but time" {
	local k p
	mk 50,30,8 flt32 in.taf
	for k in 1 2 3 4 5 6; do
		tafspread -J 2 --slabs 8 -o out.taf in.taf -- 'tafreverse -d 1' 2>err &
		p=$!
		until [ "$(ls out.taf.spread/done 2>/dev/null | wc -l)" -ge "$k" ] ||
			! kill -0 $p 2>/dev/null; do :; done
		kill -9 $p 2>/dev/null || :
		wait $p || :
		passed
		rm -f out.taf
		tafspread -J 2 --slabs 8 -o out.taf in.taf -- 'tafreverse -d 1'
		tafreverse -d 1 in.taf -o want.taf
		same want.taf out.taf
		equal "$(echo out.taf*)" out.taf
		rm out.taf
	done
}

@test "a task that is killed is done again" {
	mk 5,7,6 int16 in.taf
	tafspread -J 2 --slabs 3 -o out.taf in.taf -- 'mkdir once 2>mkdir.err && kill -9 $PPID; cat'
	same in.taf out.taf
	refuse 4 tafspread --slabs 3 -J 1 --retries 1 -o o2.taf in.taf -- 'kill -9 $PPID; cat'
	equal "$(<err)" 'tafspread: slab 1 (3=1:2): its process died of signal 9'
	# of many files each is named
	mkdir from
	for k in 1 2 3; do mk 4,$k int16 from/$k.taf; done
	status 4 tafspread --each -D to --retries 0 from/* -- 'kill -9 $PPID; cat'
	equal "$(grep -c 'from/[123].taf: its process died of signal 9$' err)" 3
}

@test "what was changed behind its back is found, and done again" {
	mk 50,300,8 flt32 in.taf
	status 3 tafspread -J 1 --slabs 2 -o out.taf in.taf -- \
		'[ ! -e one ] || [ -e go ] || exit 3; touch one; cat'
	printf 'x' | dd of=out.taf.spread/data bs=1 seek=50000 conv=notrunc 2>/dev/null
	touch go
	status 0 tafspread -J 1 --slabs 2 -o out.taf in.taf -- \
		'[ ! -e one ] || [ -e go ] || exit 3; touch one; cat'
	grep -q 'slab 1 is not as it was written' err
	same in.taf out.taf
	# once, not for ever
	rm out.taf
	echo '[ "$3" = 0 ] || exit 3; cat' >it
	status 3 tafspread -J 1 --slabs 2 -o out.taf in.taf -- '. ./it'
	cat >it <<-'END'
		for at in 50000 300000; do
			printf x | dd of=out.taf.spread/data bs=1 seek=$at conv=notrunc 2>dd.err
		done
		cat
	END
	refuse 4 tafspread -q -J 1 --slabs 2 -o out.taf in.taf -- '. ./it'
}

# stub_parallel COMMANDS: a program of that name that does them, then the tasks
stub_parallel() {
	mkdir stub
	cat >stub/parallel <<-END
		#!/bin/sh
		for task; do :; done
		$1
		while read -r k; do sh -c "\$(echo "\$task" | sed "s/{}/\$k/")"; done
	END
	chmod +x stub/parallel
	PATH=$T/stub:$PATH
}

@test "what tasks of others wrote is read again, and what a run's own ones wrote is there" {
	# $3 is the number of the slab
	local change cut
	after() { echo "until [ -e out.taf.spread/done/$1 ]; do sleep 0.02; done"; }
	mk 50,300,8 flt32 in.taf
	stub_parallel :
	change="[ \$3 = 0 ] || { $(after 0); printf x | dd of=out.taf.spread/data bs=1 seek=50000 conv=notrunc 2>dd.err; }; cat"
	cut="[ \$3 = 1 ] || { $(after 1); truncate -s 9000 out.taf.spread/data; }; cat"
	status 0 tafspread --via parallel --slabs 2 -o out.taf in.taf -- "$change"
	grep -q 'slab 1 is not as it was written' err
	same in.taf out.taf
	rm out.taf
	status 0 tafspread -J 2 --slabs 2 -o out.taf in.taf -- "$cut"
	grep -q 'slab 2 is not as it was written' err
	same in.taf out.taf
	# records may be of a file of data that is lost
	rm out.taf
	status 3 tafspread -J 1 --slabs 2 -o out.taf in.taf -- '[ ! -e one ] || [ -e go ] || exit 3; touch one; cat'
	rm out.taf.spread/data
	touch go
	tafspread -q -J 1 --slabs 2 -o out.taf in.taf -- '[ ! -e one ] || [ -e go ] || exit 3; touch one; cat'
	same in.taf out.taf
}

@test "a task of a run that was thrown away does not write into the next one" {
	mk 50,300,4 flt32 in.taf
	tafreverse -d 1 in.taf -o want.taf
	mkfifo gate
	status 3 tafspread -J 1 --slabs 2 -o out.taf in.taf -- '[ -e go ] || exit 3; touch came; cat gate; cat'
	rm out.taf.spread/failed
	touch go
	{
		tafspread --retries 0 --task out.taf.spread 0 1 2>late.err || :
		touch gone
	} &
	until [ -e came ]; do sleep 0.02; done
	rm -r out.taf.*
	tafspread -J 1 --slabs 2 -o out.taf in.taf -- \
		'[ "$3" = 0 ] || { echo >gate; until [ -e gone ]; do sleep 0.02; done; }; tafreverse -d 1'
	same want.taf out.taf
}

@test "parts and records that are lost, cut or changed are done again" {
	local how
	mk 5,7,6 int16 in.taf
	tafreverse -d 2 in.taf -o want.taf
	cat >stop <<-'END'
		n=$(ls began.* 2>/dev/null | wc -l)
		[ -e go ] || [ "$n" -lt 4 ] || exit 3
		touch began.$$
		tafreverse -d 2
	END
	for how in 'rm $part; : >$record' 'truncate -s 1030 $part; truncate -s 50 $record' \
		'cp in.taf $part' 'sed -i s/n1=5/n1=4/ $record' 'rm out.taf.spread/part/2.taf $record' \
		'tafadjust -q -i --shift 3=1 out.taf.spread/part/0.taf'; do
		rm -rf out.taf* go began.*
		status 3 tafspread -d 1 -J 1 --slabs 5 -o out.taf in.taf -- '. ./stop'
		part=out.taf.spread/part/1.taf record=out.taf.spread/done/0
		[ -e $part ] && [ -e $record ]
		eval "$how"
		touch go
		tafspread -q -d 1 -J 1 --slabs 5 -o out.taf in.taf -- '. ./stop'
		same want.taf out.taf
	done
}

@test "records that are damaged, or of a plan that is lost, are not believed" {
	local how
	mk 5,7,6 int16 in.taf
	status 3 tafspread -J 1 --slabs 2 -o out.taf in.taf -- '[ ! -e one ] || [ -e go ] || exit 3; touch one; cat'
	sed -i s/words/wards/ out.taf.spread/done/0
	touch go
	tafspread -q -J 1 --slabs 2 -o out.taf in.taf -- '[ ! -e one ] || [ -e go ] || exit 3; touch one; cat'
	same in.taf out.taf
	for how in 'rm out.taf.spread/plan' 'sed -i s/reverse/roll/ out.taf.spread/plan'; do
		rm -rf out.taf* one
		status 3 tafspread -J 1 --slabs 2 -o out.taf in.taf -- \
			'[ ! -e one ] || exit 3; touch one; tafreverse -d 1 | tafadjust --shift 1=2'
		eval "$how"
		refuse 2 tafspread -J 1 --slabs 2 -o out.taf in.taf -- cat
		grep -q 'has files, and the plan of no run' err
		[ -e out.taf.spread/done/0 ]
		rm -r out.taf.spread
		tafspread -J 1 --slabs 2 -o out.taf in.taf -- cat
		same in.taf out.taf
	done
	# of a file that was new when the power was cut, a disk may have the size alone
	mkdir -m 700 out.taf.spread
	truncate -s 362 out.taf.spread/plan out.taf.spread/plan.elsewhere.1-2
	tafspread -J 1 --slabs 2 -o out.taf in.taf -- cat
	same in.taf out.taf
}

@test "a run says what is done, running and failed" {
	local p
	mk 5,7,6 int16 in.taf
	mkfifo gate
	echo '[ -e one ] || { touch one; cat; exit; }; [ -e two ] || { touch two; cat gate; }; cat' >wait
	tafspread -J 1 --slabs 3 -o out.taf in.taf -- '. ./wait' &
	p=$!
	until [ -e out.taf.spread/done/0 ] && [ -n "$(ls out.taf.spread/running)" ]; do sleep 0.05; done
	until tafspread --status out.taf.spread >x && [ "$(sed -n 4p x)" = 'running  1' ] &&
		ls out.taf.spread/running | grep -q '^1\.'; do sleep 0.05; done
	equal "$(tail -n +2 x | tr -s ' \n' ' ')" 'slabs 3 done 1 running 1 failed 0 '
	echo >gate
	wait $p
	same in.taf out.taf
}

@test "of two that find the record of a dead one, one goes on" {
	grep -q HAVE_PRCTL "$TAF_BUILD/config.h" || skip "a dead owner is seen late here"
	local p call k
	mk 5,7,6 int16 in.taf
	need strace
	strace -o /dev/null true 2>/dev/null || skip "strace cannot trace here"
	for call in '?unlink,?unlinkat' '?link,?linkat'; do
		tafspread --slabs 1 -o out.taf in.taf -- 'echo x >>ran; sleep .4; cat' &
		p=$!
		until [ -e ran ]; do sleep .02; done
		kill -9 $p
		wait $p || :
		rm ran
		for k in 1 2; do
			strace -f -o /dev/null -e trace="$call" -e inject="$call:delay_enter=100000" \
				tafspread --slabs 1 -o out.taf in.taf -- \
				'echo x >>ran; sleep .4; cat' 2>err.$k &
			sleep .05
		done
		wait
		equal "$(cat ran)" x
		same in.taf out.taf
		rm out.taf ran
	done
}

@test "a process in a container is not taken for dead" {
	local how wait
	mk 5,7,6 int16 in.taf
	unshare -rpf --mount-proc true 2>/dev/null || skip "no namespace of processes"
	wait='until [ -e go ]; do sleep .05; done; cat'
	tafspread -J 1 --slabs 2 -o out.taf in.taf -- "$wait" &
	until [ -e out.taf.spread/owner ]; do sleep 0.05; done
	for how in '-rpf --mount-proc' -rpf; do
		# shellcheck disable=SC2086 # words
		refuse 4 unshare $how tafspread -J 1 --slabs 2 -o out.taf in.taf -- "$wait"
		grep -q "process $! on .* is at work on this" err
	done
	touch go
	wait $!
	same in.taf out.taf
}

@test "a run shows that it lives while no slab ends" {
	local via p
	mk 5,7,6 int16 in.taf
	stub_parallel :
	for via in local parallel; do
		rm -f go
		tafspread --via $via -J 1 --slabs 2 -o out.taf in.taf -- 'until [ -e go ]; do sleep 0.05; done; cat' &
		p=$!
		until [ -e out.taf.spread/owner ]; do sleep 0.02; done
		touch -t 200101010000 out.taf.spread/owner
		until [ -n "$(find out.taf.spread/owner -newer in.taf)" ]; do sleep 0.1; done
		touch go
		wait $p
		same in.taf out.taf
		rm out.taf
	done
}

@test "a task that comes late makes nothing beside the output" {
	local p
	mk 50,300,4 flt32 in.taf
	mkfifo gate
	echo '[ -e go ] || exit 3; [ -z "$LATE" ] || { touch came; cat gate; }; cat' >late
	status 3 tafspread -J 1 --slabs 2 -o out.taf in.taf -- '. ./late'
	rm out.taf.spread/failed
	touch go
	LATE=1 tafspread --retries 0 --task out.taf.spread 0 1 2>/dev/null &
	p=$!
	until [ -e came ]; do sleep 0.05; done
	tafspread -J 1 --slabs 2 -o out.taf in.taf -- '. ./late'
	echo >gate
	wait $p || :
	same in.taf out.taf
	equal "$(echo out.taf*)" out.taf
}

@test "an input that changes while a pipeline reads it ends the run" {
	mk 50,300,8 flt32 in.taf
	refuse 3 tafspread -J 1 --slabs 2 -o out.taf in.taf -- \
		'tafreplace -i -x 1=1 --value 9 in.taf; cat'
	grep -q 'changed while it was read' err
	[ ! -e out.taf ]
}

@test "a file system where locks are none and sizes are seen late" {
	local late=$TAF_BUILD/obj/tests/fault/fault.so via=local dim
	[ -e "$late" ] || skip "no library that plants faults: a static or sanitized build"
	mk 5,700,6 int16 in.taf
	touch -t 200101010000 in.taf
	tafreverse -d 2 in.taf -o want.taf
	mkdir bin
	ln -s "$TAF_BIN"/* bin
	rm bin/tafspread
	printf '#!/bin/sh\nFAULT=late FAULT_COUNT=$0.$$ LD_PRELOAD=%s exec %s "$@"\n' \
		"$late" "$TAF_BIN/tafspread" >bin/tafspread
	chmod +x bin/tafspread
	! command -v parallel >/dev/null || via=parallel
	for dim in 1 3; do
		HOME=$T bin/tafspread --bin "$T/bin" --via $via -J 3 --slabs 5 -d $dim -o out.taf \
			in.taf -- 'tafreverse -d 2'
		same want.taf out.taf
	done
	# some of it was seen late: the first number in these files counts that
	perl -ne '$n += (unpack "(Z28 L)*")[1] }{ exit !$n' -0777 bin/tafspread.*
}

@test "without memory for its words --join is not passed over" {
	local lib=$TAF_BUILD/obj/tests/fault/fault.so
	[ -e "$lib" ] || skip "no library that plants faults: a static or sanitized build"
	mk 5,7,6 int16 in.taf
	status 4 env FAULT='strdup 1 12' FAULT_COUNT="$T/count" LD_PRELOAD="$lib" tafspread \
		--slabs 2 --join 'tafappend -d 3 | tafmath a*2' -o out.taf in.taf -- cat
	grep -q 'Cannot allocate memory' err
	[ ! -e out.taf ]
}

@test "each of many files, those that are done passed over" {
	mkdir from
	for k in 1 2 3; do mk 4,$k int16 from/$k.taf; done
	echo junk >from/4.txt
	status 3 tafspread --each -D to from/* -- 'echo x >>ran; tafreverse -d 1'
	grep -q '^tafspread: .*/from/4.txt: status 3: tafreverse: ' err
	equal "$(cd to && echo *)" '1.taf 2.taf 3.taf'
	tafspread --status to >x
	tafspread --status to/.tafspread | diff - x
	equal "$(sed -n 3p x)" 'done     3'
	for k in 1 2 3; do tafreverse -d 1 from/$k.taf -o x.taf; same x.taf to/$k.taf; done
	equal "$(wc -l <ran | tr -d ' ')" 4
	mk 4,9 int16 from/2.taf
	rm to/3.taf
	status 3 tafspread --each -D to from/* -- 'echo x >>ran; tafreverse -d 1'
	equal "$(wc -l <ran | tr -d ' ')" 7
	tafreverse -d 1 from/2.taf -o x.taf
	same x.taf to/2.taf
	did '--each' tafspread
	did '-D' tafspread
}

@test "slabs and --each do not go on with a folder of one another" {
	mk 5,7,6 int16 in.taf
	status 3 tafspread --slabs 2 -o out.taf in.taf -- false
	refuse 2 tafspread --each -D to --state out.taf.spread in.taf -- false
	grep -q ': is of a run without --each$' err
	tafspread --each -D to in.taf -- cat
	refuse 2 tafspread --slabs 2 --state to/.tafspread -o o2.taf in.taf -- cat
	grep -q ': is of a run with --each$' err
	refuse 2 tafspread --feed to/.tafspread 0
	equal "$(<err)" 'tafspread: --feed to/.tafspread: is of --each, where files have no slabs'
	refuse 2 tafspread --feed to/.tafspread
	refuse 2 tafspread --feed out.taf.spread 2
	refuse 2 tafspread --task to/.tafspread 0
	did '--feed' tafspread
	did '--task' tafspread
}

@test "a file that is not there, from the start or later, is named once" {
	mk 4,3 int16 a.taf
	refuse 4 tafspread --each -D to a.taf b.taf -- cat
	equal "$(<err)" 'tafspread: b.taf: cannot find: No such file or directory'
	[ ! -e to ]
	refuse 2 tafspread --each -D to a.taf a.taf -- cat
	[ ! -e to ]
	stub_parallel :
	for via in local parallel; do
		cp a.taf b.taf
		rm -rf to
		status 4 tafspread --via $via -J 1 --retries 0 --each -D to a.taf b.taf -- 'rm -f b.taf; cat'
		equal "$(<err)" "tafspread: $T/b.taf: cannot read: No such file or directory"
		same a.taf to/a.taf
	done
}

@test "two files that would become one are refused" {
	mkdir a b
	mk 4,3 int16 a/x.taf
	: >b/x.dat
	refuse 2 tafspread --each -D to a/x.taf b/x.dat -- cat
	grep -q 'both to become x.taf' err
}

@test "a command and its arguments may be several words, with --each too" {
	local to
	mk 5,4 int16 in.taf
	mk 6,3 flt32 b.taf
	tafcrop -x 1=1:3 in.taf -o want.taf
	tafspread --each -D to in.taf b.taf -- tafcrop -x 1=1:3
	tafspread --each -D word in.taf b.taf 'tafcrop -x 1=1:3'
	tafspread --each -D last -- in.taf b.taf 'tafcrop -x 1=1:3'
	tafspread -o to/one.taf in.taf -- tafcrop -x 1=1:3
	for to in to/in to/one word/in last/in; do
		same want.taf $to.taf
	done
	same to/b.taf word/b.taf
	refuse 2 tafspread -o out.taf in.taf b.taf -- cat
}

@test "wrong invocations" {
	mk 4,3 int16 in.taf
	refuse 2 tafspread in.taf -- cat
	refuse 2 tafspread -o out.taf in.taf
	refuse 2 tafspread -o out.taf --via lsf in.taf -- cat
	refuse 2 tafspread -o out.taf --host 2/a in.taf -- cat
	refuse 2 tafspread -o out.taf --slabs 0 in.taf -- cat
	refuse 2 tafspread --each -o out.taf in.taf -- cat
	refuse 2 tafspread -D x -o out.taf in.taf -- cat
	refuse 3 tafspread -d 5 -o out.taf in.taf -- cat
	taf2rsf in.taf >in.rsf
	refuse 3 tafspread -o out.taf in.rsf -- cat
	refuse 4 tafspread -o out.taf not-there -- cat
}

@test "GNU parallel does the same" {
	need parallel
	mk 5,700,4 flt32 in.taf
	HOME=$T spread --via parallel --slabs 4 'tafreverse -d 1'
	rm -f out.taf
	HOME=$T refuse 3 tafspread --via parallel --slabs 4 -o out.taf in.taf -- 'tafcrop -x 9=1'
	grep -q 'slab [1-4] (3=[1-4]:[1-4]): status 3' err
	did '--via' tafspread
}

@test "an engine is stopped by SIGINT, unless that was ignored from the start" {
	mk 5,7,4 int16 in.taf
	# shellcheck disable=SC2016 # the stub expands it
	stub_parallel '[ -e interrupted ] || { touch interrupted; kill -INT $PPID; }'
	(trap '' INT; exec tafspread --via parallel --slabs 2 -o out.taf in.taf -- cat)
	same in.taf out.taf
	rm out.taf interrupted
	status 130 perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' \
		tafspread --via parallel --slabs 2 -o out.taf in.taf -- cat
	[ ! -e out.taf ]
	tafspread --via parallel --slabs 2 -o out.taf in.taf -- cat
	same in.taf out.taf
}

@test "a signal before sbatch has answered leaves no job behind" {
	mk 5,7,4 int16 in.taf
	mkdir stub
	printf '#!/bin/sh\nkill -TERM $PPID\nsleep .1\necho 77\nexec sleep 100\n' >stub/sbatch
	printf '#!/bin/sh\necho "$@" >cancelled\n' >stub/scancel
	printf '#!/bin/sh\n' >stub/scontrol
	chmod +x stub/*
	PATH=$T/stub:$PATH status 143 tafspread --via slurm --slabs 2 -o out.taf in.taf -- cat
	equal "$(cat cancelled)" 77
}

@test "a command that is not there is final, and not tried again" {
	mk 5,7,4 int16 in.taf
	refuse 3 tafspread --slabs 2 -J 1 -o out.taf in.taf -- 'echo x >>tried; tafcorp -x 1=1:2'
	grep -q 'slab 1 (3=1:2): status 127: .*tafcorp' err
	equal "$(cat tried)" x
	refuse 3 tafspread --slabs 2 -o o2.taf in.taf -- ./in.taf
	grep -q 'status 126' err
	status 3 tafspread --slabs 2 -o o3.taf --join tafcorp in.taf -- cat
	grep -q -e '--join: the pipeline has failed: status 127' err
}

@test "a make in a pipeline does not wait for the FIFO of a make that was killed" {
	mk 5,7,4 int16 in.taf
	mkfifo fifo
	printf 'all: ; @cat\n' >mk
	MAKEFLAGS="s -j3 --jobserver-auth=fifo:$T/fifo -- A=--jobserver-auth=b\ \ -j" \
		timeout 60 tafspread --slabs 2 -o out.taf in.taf -- 'printf %s "$MAKEFLAGS" >flags; make -f mk'
	same in.taf out.taf
	equal "$(cat flags)" 's -- A=--jobserver-auth=b\ \ -j'
	MAKEFLAGS=' -j3 --jobserver-fds=3,4' tafspread --slabs 2 -o out.taf in.taf -- \
		'printf %s "$MAKEFLAGS" >flags; cat'
	equal "$(cat flags)" ''
	# its own -j, and no jobserver
	MAKEFLAGS='k -j3' tafspread --slabs 2 -o out.taf in.taf -- 'printf %s "$MAKEFLAGS" >flags; cat'
	equal "$(cat flags)" 'k -j3'
}

@test "a full disk is told as such" {
	mk 500,4 flt32 in.taf
	# a file system of its own
	unshare -rm true 2>/dev/null || skip "no namespace of mounts"
	mkdir small
	cat >filled <<-'END'
		mount -t tmpfs -o size=48k tmpfs small || exit 9
		dd if=/dev/zero of=small/fill bs=1k count=8 2>/dev/null
		tafspread -q -J 2 --slabs 4 -o small/out.taf in.taf -- 'tafrepeat --times 1=20'
	END
	status 4 unshare -rm bash filled
	grep -q 'slab [1-4] .*: cannot write: No space left on device' err
}

@test "of a result cut short all missing bytes are counted" {
	local cut
	mk 100,800 int16 in.taf
	for cut in 1000 5000 70000; do
		refuse 3 tafspread --slabs 1 -o "$cut.taf" in.taf -- \
			"cat >/dev/null; tafcat in.taf | head -c $cut"
		grep -q "the result: offset $cut: the input ends, $(($(tafcat in.taf |
			wc -c) - cut)) bytes missing" err
	done
	tafcat in.taf >whole
	for cut in 'tafmath a+1' 'tafreverse -d 1' taffft tafhist tafsummarize; do
		# shellcheck disable=SC2086 # words
		head -c 70000 whole | ends 3 $cut >out
		grep -q ": the input ends, $(($(wc -c <whole) - 70000)) bytes missing" err
	done
}

@test "an array job has no more tasks than Slurm takes" {
	local want
	mk 5,7,7 int16 in.taf
	mkdir stub
	PATH=$T/stub:$PATH
	cat >stub/sbatch <<-'END'
		#!/bin/sh
		echo 1
		for job; do case $job in --array=*) array=${job#*=} ;; esac; done
		echo "$array" >>arrays
		for k in $(seq "${array%-*}" "${array#*-}"); do SLURM_ARRAY_TASK_ID=$k sh "$job"; done
	END
	cat >stub/scontrol <<-'END'
		#!/bin/sh
		echo 'say nothing' >&2
		echo 'Configuration data'
		cat limits
	END
	chmod +x stub/*
	for want in 0-6: 0-6:1001 0-2:3 0-1:'3\nSchedulerParameters     = a=1,max_array_tasks=2' \
		0-6:4000000000000000000000 0-6:0; do
		printf 'MaxArraySize            = %b\n' "${want#*:}" >limits
		tafspread --via slurm --slabs 7 -o out.taf in.taf -- cat
		same in.taf out.taf
		echo "${want%%:*}" >>wanted
	done
	echo 'exit 1' >stub/scontrol
	tafspread --via slurm --slabs 7 -o out.taf in.taf -- cat
	echo 0-6 >>wanted
	diff wanted arrays
}

@test "an engine that is not there is 4, with its package" {
	mk 5,7,4 flt32 in.taf
	mkdir none
	ln -s "$(command -v bash)" "$TAF_BIN/tafspread" none/
	PATH=$T/none refuse 4 tafspread --bin "$TAF_BIN" --via slurm -o out.taf in.taf -- cat
	PATH=$T/none refuse 4 tafspread --bin "$TAF_BIN" --via parallel -o o2.taf in.taf -- cat
	did '--bin' tafspread
}

# Of these the user must get back what is his, whatever happens to a run.

@test "a folder of state with files of the user is refused, and they stay" {
	mk 5,7,6 int16 in.taf
	mkdir work empty
	echo mine >work/thesis
	refuse 2 tafspread -q --state work -o out.taf in.taf -- cat
	refuse 2 tafspread -q --state . -o out.taf in.taf -- cat
	refuse 2 tafspread -q --each -D to --state work in.taf -- cat
	equal "$(cat work/thesis)" mine
	tafspread --state empty -o out.taf in.taf -- cat
	same in.taf out.taf
	equal "$(ls -A empty)" ''
	tafspread --state new -o out.taf in.taf -- 'echo mine >new/done/note; echo mine >new/mine; cat' 2>err
	equal "$(<err)" "tafspread: $T/new: stays, since it has files that are not of this run"
	equal "$(find new -type f | sort | xargs)" 'new/done/note new/mine'
	same in.taf out.taf
}

@test "a state whose run was killed while it made its plan is none" {
	mk 5,7,6 int16 in.taf
	mkdir out.taf.spread
	printf 'input 9\n/somewhe' >out.taf.spread/plan.host.17
	printf 'host 2\nvm\n' >out.taf.spread/owner.vm.17
	tafspread --slabs 2 -o out.taf in.taf -- cat
	same in.taf out.taf
	equal "$(echo out.taf*)" out.taf
}

@test "what a task that has outlived its run makes does not keep the next one from its folder" {
	mk 5,7,6 int16 in.taf
	# as its failure, and its descriptor, look
	status 3 tafspread --slabs 2 -J 1 -o out.taf in.taf -- 'mkdir one && cat || exit 3'
	cp out.taf.spread/failed out.taf.spread/layout .
	rm -r out.taf.spread
	for k in trouble failed trouble.vm.17-4; do
		mkdir out.taf.spread
		cp layout out.taf.spread
		cp failed out.taf.spread/$k
		tafspread --slabs 2 -o out.taf in.taf -- cat
		same in.taf out.taf
		equal "$(echo out.taf*)" out.taf
		mkdir out.taf.spread
		echo mine >out.taf.spread/$k
		refuse 2 tafspread --slabs 2 -o out.taf in.taf -- cat
		rm -r out.taf.spread
	done
}

@test "a file, or a link, that lies where a run might write is not touched" {
	mk 5,7,6 int16 in.taf
	echo mine >victim
	for k in part tmp new; do ln -s victim out.taf.$k; done
	tafspread --slabs 2 -o out.taf in.taf -- cat
	tafspread --slabs 2 -d 1 -o out.taf in.taf -- cat
	same in.taf out.taf
	[ ! -L out.taf ]
	[ -L out.taf.part ]
	equal "$(cat victim)" mine
	# within the folder of state, too
	status 3 tafspread -J 1 --slabs 2 -o out.taf in.taf -- '[ -e go ] || exit 3; cat'
	rm out.taf.spread/data
	ln -s ../victim out.taf.spread/data
	touch go
	refuse 4 tafspread -J 1 --slabs 2 -o out.taf in.taf -- '[ -e go ] || exit 3; cat'
	equal "$(cat victim)" mine
}

@test "a folder of state that others may change is refused" {
	mk 5,7,6 int16 in.taf
	status 3 tafspread --slabs 2 -o out.taf in.taf -- 'touch ran; exit 3'
	rm ran out.taf.spread/failed
	for mode in 777 770 702; do
		chmod $mode out.taf.spread
		refuse 2 tafspread --slabs 2 -o out.taf in.taf -- 'touch ran; exit 3'
		grep -q 'others may write there' err
		refuse 2 tafspread --task out.taf.spread 0 1
		refuse 2 tafspread --feed out.taf.spread 0
	done
	[ ! -e ran ]
	# what is made is for nobody else
	rm -r out.taf.spread
	(umask 0; status 3 tafspread --slabs 2 -o out.taf in.taf -- false)
	equal "$(stat -c %a out.taf.spread)" 700
}

@test "the plan of another user is not done" {
	[ "$(id -u)" -eq 0 ] || skip "files cannot be given to another user"
	mk 5,7,6 int16 in.taf
	mkdir shared
	chmod 1777 shared
	cd shared
	# his plan for the same command has another shell
	status 3 tafspread --slabs 2 -o out.taf ../in.taf -- false
	rm out.taf.spread/failed
	chown -R 65534 out.taf.spread
	refuse 2 tafspread --slabs 2 -o out.taf ../in.taf -- false
	grep -q 'belongs to another user' err
	refuse 2 tafspread --task out.taf.spread 0 1
	refuse 2 tafspread --each -D . --state out.taf.spread ../in.taf -- cat
	[ ! -e out.taf.spread/failed ]
}

@test "a task does not do another plan than that which it was started for" {
	mk 5,7,6 int16 in.taf
	stub_parallel 'tafspread --status out.taf.spread >/dev/null; echo "$task" >task'
	tafspread --via parallel --slabs 2 -o out.taf in.taf -- cat
	digest=$(sed 's/.* //' task)
	status 3 tafspread --slabs 2 -o out.taf in.taf -- '[ -e go ] || exit 3; touch ran; cat'
	rm -f out.taf.spread/failed ran
	touch go
	refuse 2 tafspread --task out.taf.spread 0 1 "$digest"
	refuse 2 tafspread --feed out.taf.spread 0 "$digest"
	[ ! -e ran ]
	tafspread --task out.taf.spread 0 1
	[ -e ran ]
}

@test "an input that is an output of --each by any name is refused" {
	mkdir d to
	for k in a b; do mk 4,3,2 int16 d/$k.taf; done
	cp -r d before
	cd d
	refuse 2 tafspread --each -D . a.taf b.taf -- 'tafreverse -d 1'
	refuse 2 tafspread --each -D ../d/. "$T/d/a.taf" -- 'tafreverse -d 1'
	ln -s a.taf c.trc
	refuse 2 tafspread --each -D . c.trc a.taf -- cat
	rm c.trc
	ln a.taf ../to/b.taf
	refuse 2 tafspread --each -D ../to a.taf b.taf -- 'tafreverse -d 1'
	grep -q 'b.taf is to become ../to/b.taf, which is an input' err
	ln -sf "$T/d/b.taf" ../to/b.taf
	refuse 2 tafspread --each -D ../to b.taf -- 'tafreverse -d 1'
	# two that are one
	ln -sf "$T/x.taf" ../to/b.taf
	ln -sf "$T/x.taf" ../to/a.taf
	refuse 2 tafspread --each -D ../to a.taf b.taf -- 'tafreverse -d 1'
	[ ! -e ../x.taf ]
	rm out err
	cd ..
	diff -r before d
	# %d is a name like any
	mv d/a.taf 'd/shot%d.taf'
	rm to/*
	tafspread --each -D to d/* -- cat
	same 'd/shot%d.taf' 'to/shot%d.taf'
	refuse 2 tafspread -o 'x%d.taf' d/b.taf -- cat
}

@test "a pipeline that joins and fails after its output changes nothing" {
	local how
	mk 5,7,6 int16 in.taf
	echo before >out.taf
	for how in 'tafcrop -N 1; exit 1' 'cat; cat in.taf' 'head -c 700' 'tafcrop -N 1; kill -9 $$'; do
		! tafspread --retries 0 --slabs 2 -o out.taf --join "$how" in.taf -- cat 2>err || false
		equal "$(cat out.taf)" before
		rm -r out.taf.spread
	done
	tafspread --slabs 2 -o out.taf --join 'tafcrop -N 1' in.taf -- cat
	equal "$(tafprobe -k shape out.taf)" 5,7,3
}

@test "what a killed run has left behind gives nothing its name" {
	local p
	mk 5,7,6 int16 in.taf
	echo before >out.taf
	tafspread --slabs 2 -o out.taf --join 'touch came; until [ -e go ]; do sleep 0.02; done; tafcrop -N 1; touch gone' \
		in.taf -- cat 2>err 3>&- &
	p=$!
	until [ -e came ]; do sleep 0.02; done
	kill -9 $p
	wait $p || :
	touch go
	until [ -e gone ]; do sleep 0.02; done
	equal "$(cat out.taf)" before
}

@test "a run shows that it lives while it joins" {
	mk 5,7,6 int16 in.taf
	cat >slow <<-'END'
		touch -t 200101010000 out.taf.spread/owner
		for k in $(seq 100); do
			[ -z "$(find out.taf.spread/owner -newer in.taf)" ] || exec tafcrop -N 1
			sleep 0.1
		done
		exit 1
	END
	tafspread --slabs 2 -o out.taf --join '. ./slow' in.taf -- cat
	[ -e out.taf ]
}

@test "a run has one thread when it forks, and leaves no process" {
	[ -d /proc/self/task ] || skip 'no /proc'
	mk 5,7,6 int16 in.taf
	# of the process that did fork for this pipeline, and all that it has forked
	cat >count <<-'END'
		up=$(sed -n 's/^PPid:\t*//p' /proc/$PPID/status)
		ls /proc/$up/task | wc -l >>threads
		grep -ls "^PPid:.*[^0-9]$up$" /proc/[0-9]*/status >>forked || :
		cat
	END
	tafspread --slabs 3 -J 2 -o out.taf in.taf -- '. ./count'
	equal "$(sort -u threads)" 1
	equal "$(wc -l <threads)" 3
	[ -s forked ]
	# shellcheck disable=SC2013
	for status in $(sort -u forked); do
		# one that was told to end may take its time
		for _ in 1 2 3 4 5 6 7 8 9 10; do
			[ -e "$status" ] || break
			sleep 0.2
		done
		[ ! -e "$status" ]
	done
}

@test "a run that was taken over gives its output no name" {
	mk 5,7,6 int16 in.taf
	echo before >out.taf
	cat >take <<-'END'
		cp out.taf.spread/owner own
		rm out.taf.spread/owner
		cat
	END
	for how in '-d 3' '-d 1' '--join cat'; do
		# shellcheck disable=SC2086
		refuse 4 tafspread --slabs 1 $how -o out.taf in.taf -- '. ./take'
		grep -q 'another process has taken this run over' err
		equal "$(cat out.taf)" before
		rm -r out.taf.spread
	done
}

@test "the output keeps the rules of -o: links, mode, attributes, devices" {
	local how
	mk 5,7,6 int16 in.taf
	for how in '-d 3' '-d 1' '--join cat --slabs 1'; do
		rm -rf out.taf there
		mkdir there
		echo before >there/x.taf
		chmod 604 there/x.taf
		! setfattr -n user.kept -v yes there/x.taf 2>/dev/null || attributes=yes
		ln -s there/x.taf out.taf
		# shellcheck disable=SC2086
		tafspread $how -o out.taf in.taf -- cat
		[ -L out.taf ]
		same in.taf there/x.taf
		equal "$(stat -c %a there/x.taf)" 604
		[ -z "${attributes-}" ] || getfattr there/x.taf | grep -q user.kept
		equal "$(ls -A there)" x.taf
		rm -f out.taf
		mkfifo out.taf
		cat out.taf >got 3>&- &
		# shellcheck disable=SC2086
		tafspread $how -o out.taf in.taf -- cat
		wait
		same in.taf got
		[ -p out.taf ]
	done
	refuse 4 tafspread -o there in.taf -- cat
	rm out.taf
	# a new file has what its folder gives it, wherever the state lies
	if [ "$(id -u)" -eq 0 ]; then
		chgrp 65534 there
		chmod g+s there
		(umask 027; tafspread --state s -o there/new.taf in.taf -- cat)
		equal "$(stat -c '%a %g' there/new.taf)" '640 65534'
	fi
	ln -s /dev/full out.taf
	refuse 4 tafspread --state s -o out.taf in.taf -- cat
	[ -c out.taf ]
	mknod null c 1 3 2>/dev/null || skip "no device can be made"
	tafspread -o null in.taf -- cat
	[ -c null ]
}

@test "an undo file beside the output does not outlive it" {
	mk 5,7,6 int16 in.taf
	cp in.taf out.taf
	FAULT='ftruncate,pwrite 1 -9' FAULT_COUNT=$T/count LD_PRELOAD=$TAF_BUILD/obj/tests/fault/fault.so \
		tafappend -i out.taf in.taf 2>err || :
	[ -e out.taf.undo ] || skip "no append was cut short"
	tafspread --slabs 2 -o out.taf in.taf -- cat
	[ ! -e out.taf.undo ]
	same in.taf out.taf
}

@test "two runs on one output with folders of their own do not mix" {
	mk 50,300,4 flt32 in.taf
	tafreverse -d 2 in.taf -o want.taf
	echo 'touch "came.$1"; until [ -e came.a ] && [ -e came.b ]; do sleep 0.02; done' >meet
	for how in '-d 3' '-d 1'; do
		rm -f came.*
		# shellcheck disable=SC2086
		tafspread $how --state a -J 1 --slabs 2 -o out.taf in.taf -- 'set a; . ./meet; cat' 3>&- &
		# shellcheck disable=SC2086
		tafspread $how --state b -J 1 --slabs 2 -o out.taf in.taf -- 'set b; . ./meet; tafreverse -d 2'
		wait $!
		cmp -s out.taf in.taf || same out.taf want.taf
		[ ! -e a ]
		[ ! -e b ]
	done
}

# in_small SIZE: do standard input, text for bash, where the folder small is a file system of that
# size
in_small() {
	local as
	cat >script
	mkdir small
	for as in -m -rm; do
		# shellcheck disable=SC2086
		! unshare $as mount -t tmpfs none small 2>/dev/null || break
		[ $as != -rm ] || skip "no small file system can be mounted"
	done
	# shellcheck disable=SC2016 # the inner shell expands these
	unshare $as sh -c 'mount -t tmpfs -o size="$1" none small && exec bash -e script' sh "$1"
}

@test "a state on another file system is as good, and a full disk keeps the old file" {
	mk 100,1000,4 flt32 in.taf
	in_small 2200k <<-'END'
		tafspread --state small/s --slabs 2 -o out.taf in.taf -- cat
		cmp in.taf out.taf
		tafspread --state s --slabs 2 -o small/out.taf in.taf -- cat
		cmp in.taf small/out.taf
		[ "$(ls -A small)" = out.taf ]
		[ ! -e s ]
		echo before >small/out.taf
		for dim in 3 1; do
			head -c 1200000 /dev/zero >small/fill
			got=0
			tafspread --retries 0 -d $dim -J 1 --slabs 4 -o small/out.taf in.taf -- cat 2>err || got=$?
			[ $got = 4 ]
			[ "$(cat small/out.taf)" = before ]
			rm small/fill
			[ $dim = 3 ] || break
			tafspread -d 3 -J 1 --slabs 4 -o small/out.taf in.taf -- cat
			cmp in.taf small/out.taf
			echo before >small/out.taf
		done
	END
}

# Kills at system calls drawn at random: TAF_CASES of them, 8 unless set.
@test "kill -9 at any call leaves the old file or the new one, and the run goes on" {
	local lib=$TAF_BUILD/obj/tests/fault/fault.so calls how what n sum
	[ -e "$lib" ] || skip "no library that plants faults: a static or sanitized build"
	mk 5,70,6 int16 in.taf
	tafreverse -d 1 in.taf -o want.taf
	sum=$(tafchecksum want.taf)
	echo before >old
	calls=(open close rename unlink mkdir rmdir stat fsync pwrite fchmod)
	RANDOM=${TAF_SEED-1}
	for ((n = 0; n < ${TAF_CASES-8}; n++)); do
		case $((RANDOM % 3)) in
		0) how='-d 2' ;;
		1) how='-d 3 --slabs 2' ;;
		2) how='--slabs 1 --join cat' ;;
		esac
		what="${calls[RANDOM % ${#calls[@]}]} $((RANDOM % 20 + 1)) -9"
		cp old out.taf
		# shellcheck disable=SC2086
		FAULT=$what FAULT_COUNT=$T/count LD_PRELOAD=$lib tafspread --checksum -J 1 $how -o out.taf in.taf -- \
			'tafreverse -d 1' >sum 2>err || :
		passed
		cmp -s out.taf old || same out.taf want.taf
		# shellcheck disable=SC2086
		tafspread --checksum -q -J 1 $how -o out.taf in.taf -- 'tafreverse -d 1' >sum || { echo "$what: $how"; false; }
		same out.taf want.taf
		equal "$(<sum)" "${sum%want.taf}out.taf"
		equal "$(echo out.taf*)" out.taf
	done
}

@test "under a umask that forbids all, its owner can enter what a run leaves" {
	mktaf a.taf int16 7,5
	(umask 777 && ends 3 tafspread -q --retries 0 --state st -o o.taf a.taf -- false)
	equal "$(stat -c %a st)" 700
	(umask 777 && tafspread --state st2 -o o.taf a.taf -- tafcat)
	equal "$(stat -c %a o.taf)" 600
}
