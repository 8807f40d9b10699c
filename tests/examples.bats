# SPDX-License-Identifier: ISC
# The examples: what they make, that they make it once, and what is left when they are
# stopped in the middle.

load helper

EXAMPLES=$BATS_TEST_DIRNAME/../examples

# build [OPTION...]: by make, in the folder of now
build() {
	make -j2 -f "$EXAMPLES/Makefile" "$@" >log 2>&1
}

# wrapper NAME: from now on it gives half of its output, says so in the file "reached", and
# then does what $then says
wrapper() {
	local real
	real=$(command -v "$1")
	mkdir -p "$T/wrapped"
	cat >"$T/wrapped/$1" <<-END
		#!/bin/sh
		"$real" "\$@" >"$T/all.\$\$" || exit
		head -c \$((\$(wc -c <"$T/all.\$\$") / 2)) "$T/all.\$\$"
		touch "$T/reached"
		$then
	END
	chmod +x "$T/wrapped/$1"
}

# stop SIGNAL COMMAND...: run it with what is wrapped until that has reached its half, then
# send the signal to it and all that it has started
stop() {
	local signal=$1 pid
	shift
	rm -f "$T/reached"
	# make leaves a pipe there when it is killed
	mkdir -p "$T/tmp"
	# a shell leaves SIGINT ignored in what it puts into the background
	TMPDIR=$T/tmp PATH=$T/wrapped:$PATH \
		perl -e 'setpgrp; $SIG{INT} = "DEFAULT"; exec @ARGV or die' "$@" >log 2>&1 3>&- &
	pid=$!
	while [ ! -e "$T/reached" ]; do
		kill -0 "$pid" || { cat log; return 1; }
		sleep 0.05
	done
	kill "-$signal" -- "-$pid"
	wait "$pid" && return 1
	# those that it has started may still be ending
	for _ in {1..200}; do
		kill -0 -- "-$pid" 2>/dev/null || break
		sleep 0.05
	done
	[ "$signal" = KILL ] || equal "$(ls -A "$T/tmp")" "" || return 1
	rm -rf "$T/wrapped" "$T/tmp"
}

# whole FOLDER: every file here that is in the folder too is the same there
whole() {
	local f n=0
	for f in "$1"/*; do
		f=${f##*/}
		[ "$f" != log ] && [ -e "$f" ] || continue
		same "$f" "$1/$f" || return 1
		n=$((n + 1))
	done
	[ "$n" -gt 0 ] || [ "${2-}" = none ]
}

reference() {
	mkdir reference
	(cd reference && build) || { cat reference/log; return 1; }
}

@test "make: conversion, crop, summary, picture; a second make does nothing" {
	need make
	build
	equal "$(tafprobe -k shape pulses.taf)" 451,6
	equal "$(tafprobe -k unit1 pulses.taf)" ns
	# a value that awk can tell: shot 5, 100 ns behind the trigger
	want=$(awk 'BEGIN { print 5 * exp(-100 / 160) * sin(100 / 20) }')
	tafread -g 1=100:100 -x 2=5 pulses.taf | awk -v want="$want" \
		'{ n++; d = $1 - want } END { exit !(n == 1 && d * d < 1e-9) }'
	equal "$(grep -c '^[1-6] ' summary.txt)" 6
	grep -q 'six pulses' picture.txt
	equal "$(ls -A ./*.part .*.t* 2>/dev/null)" ""
	ls -l --time-style=full-iso >before
	build
	grep -q 'Nothing to be done' log
	rm before log
	build -q
	touch shot-2.txt
	status 1 make -q -f "$EXAMPLES/Makefile"
	build
	grep -q tafplot log
	equal "$(grep txt2taf log)" 'txt2taf -c -o shot-2.taf shot-2.txt'
}

@test "an interrupted make leaves no half target, and the next one finishes" {
	need make
	reference
	then='exec sleep 1000'
	for signal in INT TERM KILL; do
		for name in awk tafcrop tafsummarize; do
			mkdir -p work
			cd work
			wrapper "$name"
			stop "$signal" make -j2 -f "$EXAMPLES/Makefile"
			case $name in
			awk) [ "$(ls shot-?.txt 2>/dev/null | wc -l)" -lt 6 ] ;;
			tafcrop) [ ! -e pulses.taf ] ;;
			tafsummarize) [ ! -e summary.txt ] ;;
			esac
			whole ../reference "$([ $name != awk ] || echo none)"
			[ "$signal" = KILL ] || equal "$(find . -name '.*' -type f)" ""
			build
			# nobody can take away what he had begun when he was killed
			find . -name '.*' -type f -exec rm {} +
			diff -r -x log -x '*.part' ../reference .
			cd ..
			rm -rf work
		done
	done
}

@test "where the first in a pipe dies there is no target" {
	need make
	reference
	# shellcheck disable=SC2016
	then='kill -9 $$'
	wrapper tafcrop
	mkdir work
	cd work
	if PATH=$T/wrapped:$PATH build -k; then false; fi
	equal "$(ls pulse* 2>/dev/null)" ""
	whole ../reference
	grep -q 'tafadjust:' log
	rm -rf "$T/wrapped"
	build
	diff -r -x log ../reference .
}

@test "SCons makes the same, once, and is stopped without a half target" {
	need make scons
	reference
	mkdir work
	cd work
	scons -Q -j2 -f "$EXAMPLES/SConstruct"
	whole ../reference
	equal "$(ls ../reference | grep -vc log)" "$(ls | wc -l)"
	scons -Q -j2 -f "$EXAMPLES/SConstruct" | grep -q 'up to date'
	scons -Q -c -f "$EXAMPLES/SConstruct" >/dev/null
	equal "$(ls)" ""
	then='exec sleep 1000'
	wrapper tafcrop
	stop INT scons -j2 -f "$EXAMPLES/SConstruct"
	rm log
	[ ! -e pulses.taf ]
	whole ../reference
	scons -Q -j2 -f "$EXAMPLES/SConstruct"
	whole ../reference
}

@test "a flow of Madagascar, by a stand-in" {
	need scons
	# Flow() does not quote the paths of programs
	ln -s "$BATS_TEST_DIRNAME/madagascar" "$BATS_TEST_TMPDIR.rsf"
	export RSFROOT=$BATS_TEST_TMPDIR.rsf PYTHONPATH=$BATS_TEST_DIRNAME/madagascar
	export PYTHONDONTWRITEBYTECODE=1
	flow() {
		scons -Q -f "$EXAMPLES/madagascar/SConstruct" "$@"
	}
	flow
	awk 'NR > 950 && NR <= 1401 { print 6 * $2 }' shot.txt >want
	tafread pulse.rsf >got
	equal "$(tafprobe -k shape pulse.rsf)" 451,1
	paste want got | awk '{ d = $1 - $2; if (d * d > 1e-10) bad = 1 } END { exit NR != 451 || bad }'
	equal "$(tafread half/pulse.rsf | awk '{ print 2 * $1 }' | head -n 99)" "$(head -n 99 got | awk '{ print $1 * 1 }')"
	equal "$(tafread half/pulse.taf)" "$(tafread half/pulse.rsf)"
	equal "$(head -c 4 counts.taf)" 'TAF '
	[ -e half/pulse.rsf@ ]
	flow | grep -q 'up to date'
	flow -c >/dev/null
	equal "$(find . -type f ! -name want ! -name got ! -name '.scons*')" ""
}

# ssh: a shell of this machine, which gets its words as that of another would
local_ssh() {
	mkdir -p "$T/ssh"
	cat >"$T/ssh/ssh" <<-'END'
		#!/bin/sh
		[ "$1" = lab ] || exit 255
		shift
		cd far && exec sh -c "$*"
	END
	chmod +x "$T/ssh/ssh"
	mkdir -p far
	mktaf 'far/a.taf' flt32 5,4,3
	mktaf "far/it's b c.taf" flt32 5,2,7 0.5
	mktaf far/d.taf flt32 5,3,2 0.25
}

@test "ssh: streams of several arrays there and back" {
	local_ssh
	PATH=$T/ssh:$PATH "$EXAMPLES/remote.sh" lab a.taf "it's b c.taf" d.taf >out
	equal "$(tafprobe -k shape far.taf)" 5,9
	for f in a.taf "it's b c.taf" d.taf; do
		tafread -x 3=2 "far/$f"
	done >want
	tafread far.taf >got
	cmp want got
	tafcrop far.taf far.taf | tafsummarize -j >two
	equal "$(wc -l <two)" 2
	same two out
	# several arrays of every type through two connections
	for type in int8 uint16 flt64; do
		mktaf $type.taf $type 7,5
		mktaf far/$type.taf $type 4,3
	done
	# shellcheck disable=SC2029
	tafcrop int8.taf uint16.taf flt64.taf | PATH=$T/ssh:$PATH ssh lab tafcrop - int8.taf flt64.taf |
		PATH=$T/ssh:$PATH ssh lab "tafpermute -d 2,1" | taftranspose -o back-%d.taf
	n=0
	for f in int8.taf uint16.taf flt64.taf far/int8.taf far/flt64.taf; do
		n=$((n + 1))
		tafcrop "$f" -o direct.taf
		same direct.taf back-$n.taf
	done
	[ ! -e back-6.taf ]
}

@test "ssh: a connection that breaks, at any place, leaves no file" {
	local_ssh
	ssh=$T/ssh
	PATH=$ssh:$PATH ssh lab "tafcrop a.taf d.taf" >all
	for n in 0 1 100 $(($(wc -c <all) / 3)) $(($(wc -c <all) / 2)) $(($(wc -c <all) - 1)); do
		printf '#!/bin/sh\nhead -c %d "%s/all"\nexit 255\n' "$n" "$T" >"$ssh/ssh"
		if PATH=$ssh:$PATH "$EXAMPLES/remote.sh" lab a.taf d.taf 2>err; then
			echo "cut at $n: status 0"
			return 1
		fi
		grep -q tafappend err
		equal "$(find . -name 'far.taf*' -o -name '.far*')" ""
	done
}

@test "a velocity out of as much noise as signal" {
	sh "$EXAMPLES/pdv/pdv.sh" 500000 >log
	# 5 % more than what taftone(1) says of white noise, and three deviations around 95 % of 4498
	# blocks, of which every second one is nearly independent
	awk '/rms/ { off = $4 } /sigma/ { inside = $4 } /tone/ { lost = $4; n = $6 }
		END { exit !(off > 1.5 && off < 1.72 && inside > 93.6 && inside < 96.4 &&
			lost == 0 && n == 4498) }' log || { cat log; return 1; }
	equal "$(tafprobe -k shape velocity.taf)" 2,4996
	need gnuplot
	for p in spectrogram velocity; do
		equal "$(head -c 4 $p.png | tail -c 3)" PNG
	done
}

# each element at its place, by the formula of mktaf
@test "Python: libtaf fills an array of NumPy" {
	need numpy
	[ -e "$TAF_BUILD/lib/libtaf.so.0" ] || skip "there is no libtaf.so"
	grep -q '^SANITIZE = *$' "$TAF_BUILD/config.mk" && [ -z "${EMULATOR-}" ] ||
		skip "another kind of build"
	mktaf whole.taf uint16 7,5,3
	tafmath -t complex -n 4,3 'complex(i1, 10*i2)' -o pairs.rsf
	tafcreate -q -n 4,2 -e flt64 -t int16 -o mapped.taf <(
		perl -e 'print pack "d<*", map { ($_ * 7 + 3) % 101 } 0 .. 7')
	export LD_LIBRARY_PATH=$TAF_BUILD/lib PYTHONPATH=$EXAMPLES PYTHONDONTWRITEBYTECODE=yes
	"$PYTHON" -c '
import numpy
from numpy_libtaf import read
def formula(n):
    return (numpy.arange(numpy.prod(n)) * 7 + 3).__mod__(101).reshape(n, order="F")
x = read("whole.taf")
assert x.dtype == "uint16" and (x == formula([7, 5, 3])).all(), x
x = read("pairs.rsf")
i, j = numpy.indices([4, 3]) + 1
assert x.dtype == "complex64" and (x == i + 10j * j).all(), x
x = read("mapped.taf")
assert x.dtype == "float64" and abs(x - formula([4, 2])).max() < 1e-2, x'
	head -c -2 whole.taf >cut.taf
	for wrong in cut.taf nowhere.taf; do
		run -1 "$PYTHON" "$EXAMPLES/numpy_libtaf.py" $wrong
		[[ ${lines[-1]} == "ValueError: $wrong: "?* ]]
	done
}
