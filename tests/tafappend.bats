# SPDX-License-Identifier: ISC
load helper

# data FILE: the bytes of the elements
data() {
	perl -0777 -ne 'my ($t, $n) = unpack "x1024 A8 x16 Q<", $_; my @d = unpack "x1056 (Q< x16)$n", $_;
		my %s = (int8 => 1, uint8 => 1, int16 => 2, uint16 => 2, int32 => 4, uint32 => 4, int64 => 8,
		    uint64 => 8, flt32 => 4, flt64 => 8);
		$t =~ s/\0.*//s;
		my $c = $s{$t};
		$c *= $_ for @d;
		print substr $_, 1056 + 24 * $n, $c' "$1"
}

map() {
	perl -e 'open F, "+<", $ARGV[0]; seek F, 1032, 0; print F pack "d<2", @ARGV[1, 2]' "$@"
}

@test "along every dimension, as numpy does" {
	need numpy
	mktaf a0.taf int16 5,4,3
	tafcrop a0.taf -o a.taf
	for d in 1 2 3; do
		case $d in 1) s=2,4,3 ;; 2) s=5,7,3 ;; 3) s=5,4,1 ;; esac
		mktaf b.taf int16 $s
		tafappend -d $d a.taf b.taf a.taf -o c.taf
		D=$d S=$s "$PYTHON" - <<'EOP'
import os, numpy as np
d = int(os.environ['D']) - 1
s = [int(x) for x in os.environ['S'].split(',')]
a = np.fromfile('a.taf', '<i2', 60, offset=1128).reshape(5, 4, 3, order='F')
b = np.fromfile('b.taf', '<i2', s[0] * s[1] * s[2], offset=1128).reshape(s, order='F')
want = np.concatenate([a, b, a], axis=d)
c = np.fromfile('c.taf', '<i2', want.size, offset=1128).reshape(want.shape, order='F')
assert (c == want).all()
h = np.fromfile('c.taf', '<u8', 9, offset=1056)
assert list(h[::3]) == list(want.shape)
EOP
		# in little memory, from a pipe, as a stream
		tafappend -m 64 -d $d a.taf b.taf a.taf -o e.taf
		same c.taf e.taf
		tafcrop a.taf b.taf a.taf | tafappend -d $d -o e.taf
		same c.taf e.taf
		tafappend -d $d a.taf b.taf a.taf | tafcrop -F taf >e
		same c.taf e
		tafcrop b.taf | tafappend -d $d a.taf - a.taf -o e.taf
		same c.taf e.taf
		cp a.taf g.taf
		tafappend -i -d $d g.taf b.taf a.taf
		same c.taf g.taf
	done
	tafappend a.taf b.taf -o e.taf
	tafappend -d 3 a.taf b.taf -o c.taf
	same c.taf e.taf
}

@test "seventy parts, in blocks and in long runs, are the array they were cut from" {
	mktaf whole.taf int16 301,72,5
	tafcrop -x 2=1:3 whole.taf -o 01.taf
	for i in {4..72}; do
		tafcrop -x "2=$i" whole.taf -o "$((i + 100)).taf"
	done
	data whole.taf >want
	for m in 64k 200k 1M; do
		tafappend -m "$m" -d 2 01.taf 1??.taf -o all.taf
		data all.taf >got
		same want got
	done
}

@test "arrays of two types, in many blocks" {
	mktaf whole.taf int16 3,20000
	tafcrop -x 1=1 whole.taf -o 1.taf
	tafcrop -x 1=2:3 whole.taf | tafcast -t flt32 -o 2.taf
	tafappend -m 64k -d 1 1.taf 2.taf -o all.taf
	data all.taf >got
	data whole.taf | cmp - got
}

@test "twenty thousand arrays of a file do not take minutes" {
	perl -e 'for (1 .. 20000) {
		print qq(data_format="native_short" esize=2 taf_order="little" n1=2 n2=1 );
		print "taf_next=1 " if $_ < 20000;
		print qq(in="stdin"\n\n\f\f\004), pack "s<2", $_, -$_;
	}' >many.rsf
	timeout 60 tafappend many.rsf >got
	perl -e 'print map { "$_\n-$_\n" } 1 .. 20000' >want
	tafread got | cmp - want
}

@test "in place, more than is moved at a time" {
	mktaf a.taf int16 7,11
	mktaf b.taf int16 7,20011
	perl -e 'print pack "c*", map { $_ % 119 - 50 } 1 .. 7 * 9973' |
		tafcreate -n 7,9973 -t int8 -o c.taf
	{ data a.taf && data b.taf; } >want
	perl -e 'print pack "s<*", map { $_ % 119 - 50 } 1 .. 7 * 9973' >>want
	tafappend -i a.taf b.taf c.taf
	data a.taf >got
	same want got
	equal "$(tafprobe -k shape a.taf)" 7,29995
}

@test "a type code that does not go with a stack is dropped" {
	mktaf a.taf int16 3,2
	taftype -i --set column a.taf
	tafappend -d 3 a.taf a.taf -o b.taf 2>err
	equal "$(tafprobe -k shape b.taf) $(taftype b.taf)" "3,2,2 0"
	grep -q 'type code 1 ' err
	tafcheck b.taf
	tafappend -i -q -d 3 a.taf a.taf
	equal "$(taftype a.taf)" 0
	tafcheck a.taf
}

@test "-N takes one array of all" {
	mktaf a.taf int16 3,2
	mktaf b.taf flt32 4,2
	tafcrop a.taf b.taf >two.rsf
	tafcrop b.taf -o want.taf
	tafappend -N 3 two.rsf b.taf -o c.taf
	same c.taf want.taf
	tafappend -N 2 - a.taf -o c.taf <two.rsf
	same c.taf want.taf
	refuse 3 tafappend -N 3 two.rsf
}

@test "an integer that a double cannot tell is not appended under a mapping" {
	mktaf a.taf int64 2
	printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\360\77' |
		dd of=a.taf bs=1 seek=1032 conv=notrunc 2>err
	mktaf b.taf int64 1
	tafreplace -i --all --value 9007199254740993 b.taf
	refuse 3 tafappend a.taf b.taf -o c.taf
	tafreplace -i --all --value 9007199254740994 b.taf
	tafappend a.taf b.taf -o c.taf
	equal "$(tafread -r -x 1=end c.taf)" 9007199254740994
}

@test "one dimension more stacks" {
	mktaf a.taf flt32 5,4
	tafappend -d 3 a.taf a.taf a.taf -o c.taf
	equal "$(tafprobe -k shape c.taf)" 5,4,3
	data a.taf >want
	data a.taf >>want
	data a.taf >>want
	data c.taf >got
	same want got
	cp a.taf b.taf
	tafappend -i -d 3 b.taf a.taf a.taf
	same c.taf b.taf
	refuse 3 tafappend -d 4 a.taf a.taf
	mktaf one.taf uint8 3
	tafappend one.taf one.taf -o two.taf
	equal "$(tafprobe -k shape two.taf)" 6
	tafappend -d 2 one.taf one.taf -o two.taf
	equal "$(tafprobe -k shape two.taf)" 3,2
	tafcrop one.taf -o base.taf
	tafappend -i base.taf one.taf
	equal "$(tafprobe -k shape base.taf)" 6
}

@test "comment, attributes, grid and type code are the first one's" {
	mktaf a.taf int16 5,4
	printf 'first\n\n--- attributes ---\nlabel@1=Time\nk=v\n' >>a.taf
	perl -e 'open F, "+<", "a.taf"; seek F, 4, 0; print F "\1\1\3"'
	mktaf b.taf int16 5,2
	printf 'second\n' >>b.taf
	tafadjust -i --start 2=99 b.taf
	tafappend a.taf b.taf -o c.taf
	equal "$(tafcomment c.taf)" first
	equal "$(for k in label1 k code o2 d2; do tafprobe -k $k c.taf; done | paste -s -d ' ' -)" "Time v 3 1.5 0.5"
	tafappend -i a.taf b.taf
	tafcrop a.taf -o d.taf
	same c.taf d.taf
}

@test "seconds are not joined with nanoseconds" {
	mktaf raw.taf int16 5,4
	tafadjust --unit 1=s --unit 2=m raw.taf -o s.taf
	tafadjust --unit 1=ns --unit 2=m raw.taf -o ns.taf
	refuse 3 tafappend s.taf ns.taf -o x.taf
	equal "$(cat err)" "tafappend: ns.taf: dimension 1: unit ns, but s in s.taf"
	# from pipes too, where units stand behind the data, and in place; the joined dimension
	status 3 bash -c 'cat ns.taf | tafappend -d 1 s.taf -'
	grep -q '^tafappend: standard input: dimension 1: unit ns, but s in s.taf$' err
	cp s.taf base.taf
	refuse 3 tafappend -i base.taf s.taf ns.taf
	same s.taf base.taf
	[ ! -e base.taf.undo ]
	[ ! -e x.taf ]
	# unless it is wanted, with a remark, or hidden
	status 0 tafappend --any-unit s.taf s.taf ns.taf ns.taf -o any.taf
	equal "$(cat err)" "tafappend: ns.taf: dimension 1: unit ns, but s in s.taf (2 arrays differ)"
	equal "$(tafprobe -k unit1 any.taf) $(tafprobe -k shape any.taf)" "s 5,16"
	tafappend -i -q --any-unit base.taf s.taf ns.taf ns.taf 2>err
	[ ! -s err ]
	same any.taf base.taf
	tafappend s.taf s.taf -o x.taf 2>err
	[ ! -s err ]
}

@test "volts are not joined with millivolts, and a unit against none is remarked" {
	mktaf raw.taf int16 5,4
	{ cat raw.taf; printf "\n--- attributes ---\nunit=V\n"; } >V.taf
	{ cat raw.taf; printf "\n--- attributes ---\nunit=mV\n"; } >mV.taf
	refuse 3 tafappend V.taf mV.taf
	equal "$(cat err)" "tafappend: mV.taf: the values: unit mV, but V in V.taf"
	tafappend raw.taf V.taf -o c.taf 2>err
	equal "$(cat err)" "tafappend: V.taf: the values: unit V, but none in raw.taf"
	equal "$(tafprobe -k shape c.taf)" 5,8
	tafadjust --unit 2=m raw.taf -o m.taf
	tafappend m.taf raw.taf -o c.taf 2>err
	equal "$(cat err)" "tafappend: raw.taf: dimension 2: unit none, but m in m.taf"
}

@test "grids that differ are remarked, with both values" {
	mktaf raw.taf int16 5,4
	tafcrop raw.taf -o a.taf
	tafadjust --step 1=0.5 a.taf -o b.taf
	tafappend a.taf b.taf b.taf -o c.taf 2>err
	equal "$(cat err)" "tafappend: b.taf: dimension 1: step 0.5, but 0.25 in a.taf (2 arrays differ)"
	equal "$(tafprobe -k d1 c.taf)" 0.25
	cp a.taf base.taf
	tafappend -i base.taf b.taf b.taf 2>err
	equal "$(cat err)" "tafappend: b.taf: dimension 1: step 0.5, but 0.25 in base.taf (2 arrays differ)"
	same base.taf c.taf
	tafadjust --start 1=0.75 a.taf -o b.taf
	tafappend a.taf b.taf -o c.taf 2>err
	equal "$(cat err)" "tafappend: b.taf: dimension 1: start 0.75, but 0.5 in a.taf"
	# along the joined dimension an array may start as the first one, or where the last one ends
	tafappend -d 1 a.taf b.taf -o c.taf 2>err
	equal "$(cat err)" "tafappend: b.taf: dimension 1: start 0.75, but 1.75 follows the arrays before it"
	tafadjust --start 1=3 a.taf -o b3.taf
	tafadjust --start 1=1.75 a.taf -o b2.taf
	tafappend -d 1 a.taf b2.taf b3.taf a.taf -o c.taf 2>err
	[ ! -s err ]
	tafappend -d 1 a.taf b3.taf b2.taf -o c.taf 2>err
	equal "$(cat err)" "tafappend: b3.taf: dimension 1: start 3, but 1.75 follows the arrays before it (2 arrays differ)"
	tafadjust --step 2=1 a.taf -o b.taf
	tafappend a.taf b.taf -o c.taf 2>err
	equal "$(cat err)" "tafappend: b.taf: dimension 2: step 1, but 0.5 in a.taf"
	# unless it is one point
	tafcrop -x 2=3 b.taf | tafappend a.taf - -o c.taf 2>err
	[ ! -s err ]
	tafcrop -x 2=3 b.taf | tafappend - a.taf -o c.taf 2>err
	equal "$(cat err)" "tafappend: a.taf: dimension 2: step 0.5, but 1 in standard input"
}

@test "a millionth of a step is no difference of grids" {
	mktaf a.taf int16 5,4
	tafadjust --start 1=-8 --step 1=-0.25 a.taf -o n.taf
	for by in '0.9e-6 0' '1.1e-6 1'; do
		set -- $by
		for sign in 1 -1; do
			start=$(perl -e "printf '%.17g', -8 + $sign * 0.25 * $1")
			step=$(perl -e "printf '%.17g', -0.25 * (1 + $sign * $1)")
			tafadjust --start 1=$start n.taf -o b.taf
			tafappend n.taf b.taf -o c.taf 2>err
			equal "$(grep -c 'dimension 1: start' err || true)" $2
			tafadjust --step 1=$step n.taf -o b.taf
			tafappend n.taf b.taf -o c.taf 2>err
			equal "$(grep -c 'dimension 1: step' err || true)" $2
		done
	done
}

@test "other types and mappings where every value survives exactly" {
	perl -e 'print pack "d<*", 1, 2.5, -3' | tafcreate -n 1,3 -t flt64 -o d.taf
	perl -e 'print pack "s<*", 7, 8' | tafcreate -n 1,2 -t int16 -o i.taf
	perl -e 'print pack "s<*", 2, 4' | tafcreate -n 1,2 -t int16 -o m.taf
	map m.taf 0.5 0.25
	perl -e 'print pack "q<*", 9007199254740993' | tafcreate -n 1,1 -t int64 -o big.taf
	tafappend d.taf i.taf m.taf -o c.taf
	data c.taf >got
	perl -e 'print pack "d<*", 1, 2.5, -3, 7, 8, 1, 1.5' >want
	same want got
	refuse 3 tafappend d.taf big.taf -o x.taf
	refuse 3 tafappend i.taf d.taf -o x.taf
	refuse 3 tafappend i.taf m.taf -o x.taf
	refuse 3 tafappend i.taf big.taf -o x.taf
	# values of the first one's mapping: 0.5 + 0.25 x
	perl -e 'print pack "d<*", 1, 0.5, -7.25' | tafcreate -n 1,3 -t flt64 -o v.taf
	tafappend m.taf v.taf -o c.taf
	data c.taf >got
	perl -e 'print pack "s<*", 2, 4, 2, 0, -31' >want
	same want got
	perl -e 'print pack "d<*", 0.6' | tafcreate -n 1,1 -t flt64 -o w.taf
	refuse 3 tafappend m.taf w.taf -o x.taf
	perl -e 'print pack "d<*", "nan"' | tafcreate -n 1,1 -t flt64 -o n.taf
	refuse 3 tafappend m.taf n.taf -o x.taf
	refuse 3 tafappend i.taf n.taf -o x.taf
	[ ! -e x.taf ]
	# the same mapping, another type: stored numbers
	perl -e 'print pack "C*", 9' | tafcreate -n 1,1 -t uint8 -o s.taf
	map s.taf 0.5 0.25
	tafappend m.taf s.taf -o c.taf
	data c.taf >got
	perl -e 'print pack "s<*", 2, 4, 9' >want
	same want got
	# the same intercept, another slope: 1 and 2 under 0.5 + 0.25 x
	perl -e 'print pack "s<*", 1, 3' | tafcreate -n 1,2 -t int16 -o s.taf
	map s.taf 0.5 0.5
	tafappend m.taf s.taf -o c.taf
	data c.taf >got
	perl -e 'print pack "s<*", 2, 4, 2, 6' >want
	same want got
	# in place a refusal leaves the file as it was
	cp i.taf j.taf
	refuse 3 tafappend -i j.taf m.taf
	same i.taf j.taf
	refuse 3 tafappend -i j.taf s.taf d.taf
	same i.taf j.taf
	[ ! -e j.taf.undo ]
}

@test "-t makes one type of all, mappings apart" {
	local type
	perl -e 'print pack "s<*", 2, 4, 7' | tafcreate -n 1,3 -t int16 -o m.taf
	map m.taf 0.5 0.25
	perl -e 'print pack "s<*", 7, -8' | tafcreate -n 1,2 -t int16 -o i.taf
	perl -e 'print pack "d<*", 0.1, -3' | tafcreate -n 1,2 -t flt64 -o d.taf
	# what differs says what to do
	refuse 3 tafappend i.taf m.taf -o x.taf
	[[ $(<err) == "tafappend: m.taf: "*"; with -t TYPE, as flt64, the values of all are joined as that" ]]
	for type in flt64 flt32; do
		tafappend -t $type m.taf i.taf d.taf -o c.taf 2>err
		data c.taf >got
		perl -e 'print pack "$ARGV[0]<*", 1, 1.5, 2.25, 7, -8, 0.1, -3' "$([ $type = flt64 ] && echo d || echo f)" >want
		same want got
		equal "$(tafprobe -k type c.taf) $(tafprobe -k slope c.taf)" "$type $(tafprobe -k slope i.taf)"
		equal "$(wc -l <err)" "$([ $type = flt64 ] && echo 0 || echo 1)"
	done
	[[ $(<err) == *"1 of 7"* ]] || { cat err; return 1; }
	# in place, the base too
	cp m.taf base.taf
	tafappend -q -i -t flt32 base.taf i.taf d.taf
	same c.taf base.taf
	tafappend -t int8 m.taf i.taf -o c.taf 2>err
	data c.taf >got
	perl -e 'print pack "c*", 1, 2, 2, 7, -8' >want
	same want got
	refuse 3 tafappend -t uint8 m.taf i.taf -o x.taf
	refuse 2 tafappend -t int7 m.taf i.taf
	tafmath -n 1,2 'complex(i2,1)' >z.rsf
	refuse 3 tafappend -t flt64 z.rsf z.rsf
	[ ! -e x.taf ]
}

@test "what does not fit is refused" {
	mktaf a.taf int16 5,4
	mktaf b.taf int16 6,4
	mktaf c.taf int16 5,4,1
	refuse 3 tafappend a.taf b.taf
	refuse 3 tafappend a.taf c.taf
	tafappend -d 1 a.taf b.taf >/dev/null
	refuse 2 tafappend -d 0 a.taf
	refuse 2 tafappend -d 65 a.taf
	refuse 3 tafappend -d x a.taf
	refuse 4 tafappend a.taf no.taf -o x.taf
	printf 'n1=5 n2=4 data_format="native_complex" in="stdin"\n\f\f\004' >z.rsf
	head -c 160 /dev/zero >>z.rsf
	refuse 3 tafappend a.taf z.rsf -o x.taf
	[ ! -e x.taf ]
}

@test "lengths of 0" {
	mktaf a.taf int16 5,4
	mktaf z.taf int16 5,0
	mktaf n.taf int16 0,4
	tafappend a.taf z.taf -o c.taf
	tafcrop a.taf -o want.taf
	same want.taf c.taf
	tafappend z.taf z.taf -o c.taf
	equal "$(tafprobe -k shape c.taf)" 5,0
	tafappend n.taf n.taf -o c.taf
	equal "$(tafprobe -k shape c.taf)" 0,8
	cp z.taf g.taf
	tafappend -i g.taf a.taf z.taf a.taf
	equal "$(tafprobe -k shape g.taf)" 5,8
}

@test "complex elements keep their halves" {
	perl -e 'print "n1=3 n2=2 data_format=\"native_complex\" in=\"stdin\"\n\f\f\004", pack "f$ENV{ORDER}*", 1 .. 12' >a.rsf
	perl -e 'print pack "f$ENV{ORDER}*", 1 .. 12, 1 .. 12' >want
	tafappend a.rsf a.rsf | tail -c 96 >got
	same want got
	rsf2taf a.rsf -o a.taf
	tafappend -i a.taf a.rsf
	tafcrop a.taf | tail -c 96 >got
	same want got
	equal "$(tafprobe -k shape a.taf)" 3,4
}

@test "in place: the base alone, itself, standard input" {
	mktaf a.taf int16 5,4
	cp a.taf b.taf
	refuse 2 tafappend -i b.taf
	tafcrop a.taf | tafappend -i b.taf -
	equal "$(tafprobe -k shape b.taf)" 5,8
	cp a.taf c.taf
	tafappend -i c.taf c.taf
	data c.taf >got
	data b.taf >want
	same want got
	ln -s a.taf link.taf
	tafappend -i link.taf b.taf
	[ -L link.taf ]
	equal "$(tafprobe -k shape a.taf)" 5,12
	refuse 2 tafappend -i - a.taf
	tafcrop b.taf >b.rsf
	! tafappend -i b.rsf a.taf 2>/dev/null || { echo "a stream grew in place"; return 1; }
}

@test "many appends at once lose nothing" {
	mktaf base.taf int16 5,1
	mktaf a.taf int16 5,1
	for i in 1 2 3 4 5 6; do tafappend -i base.taf a.taf & done
	wait
	equal "$(tafprobe -k shape base.taf)" 5,7
	[ ! -e base.taf.undo ]
}

@test "kill -9 at any moment leaves the old file or the new one" {
	need strace
	strace -o /dev/null true 2>/dev/null || skip "strace cannot trace here"
	mktaf a0.taf int16 5,4
	tafcomment -C 'a comment that moves' a0.taf -o a.taf
	mktaf b.taf int16 5,90
	cp a.taf new.taf
	tafappend -i new.taf b.taf
	for call in write pwrite64 ftruncate,?ftruncate64 fsync unlink; do
		for when in 1 2 3 4; do
			cp a.taf base.taf
			strace -o /dev/null -e inject=$call:signal=KILL:when=$when tafappend -i base.taf b.taf >/dev/null 2>&1 || true
			# whoever opens it next undoes it
			tafcrop base.taf >/dev/null
			cmp -s base.taf a.taf || cmp -s base.taf new.taf || { echo "$call $when: neither"; return 1; }
			[ ! -e base.taf.undo ]
		done
	done
	# a full disk too
	cp a.taf base.taf
	ends 4 strace -o /dev/null -e inject=pwrite64:error=ENOSPC:when=1 tafappend -i base.taf b.taf
	same a.taf base.taf
	[ ! -e base.taf.undo ]
}

@test "what is kept of each of many arrays does not grow beyond the memory" {
	local limit='limited d 1600' d
	# their heads differ in turn, so that none is kept for several
	perl -e 'for (1 .. 40000) {
		print qq(data_format="native_short" esize=2 taf_order="little" n1=2 n2=1 o2=$_ );
		print qq(label2="trace" unit2="m" ), $_ < 40000 ? "taf_next=1 " : "";
		print qq(in="stdin"\n\n\f\f\004), pack "s<2", $_ % 32768, -$_ % 32768 }' >in.rsf
	perl -e 'print pack "s<*", map { ($_ % 32768, -$_ % 32768) } 1 .. 40000' >want
	$limit tafappend -V >/dev/null 2>&1 || limit=
	for d in 1 2; do
		# shellcheck disable=SC2002 # a pipe is meant
		cat in.rsf | $limit tafappend -q -d $d -m 1M -o out.taf
		data out.taf | cmp - want
	done
	equal "$(tafprobe -k shape,label2,o2 out.taf | xargs)" "2,40000 trace 1"
}
