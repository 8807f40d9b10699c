# SPDX-License-Identifier: ISC
load helper
load commands

# turns LENGTHS DIM FILE...: what points of these arrays in turn give, a number a line
turns() {
	perl -e '
		my @n = split /,/, shift;
		my $dim = shift;
		my @a = map { open my $f, "tafread $_ |" or die; [map { $_ + 0 } <$f>] } @ARGV;
		my ($inner, $outer) = (1, 1);
		$inner *= $n[$_] for 0 .. $dim - 2;
		$outer *= $n[$_] for $dim - 1 .. $#n;
		for my $row (0 .. $outer - 1) {
			for my $a (@a) { print "$_\n" for @$a[$row * $inner .. $row * $inner + $inner - 1] }
		}
	' "$@"
}

# three LENGTHS: a.taf, b.taf and c.taf, all elements different
three() {
	local f k=0 n
	n=$(perl -e '$n = 1; $n *= $_ for split /,/, shift; print $n' "$1")
	for f in a b c; do
		perl -e 'print pack "s<*", map { $_ * 3 + $ARGV[1] } 1 .. $ARGV[0]' "$n" $k |
			tafcreate -n "$1" -t int16 -e int16le -o $f.taf
		k=$((k + 1))
	done
}

@test "points in turn along each dimension" {
	three 7,5,4
	for d in 1 2 3; do
		equal "$(tafinterleave -d $d a.taf b.taf c.taf | tafread)" "$(turns 7,5,4 $d a.taf b.taf c.taf)"
		tafinterleave -d $d a.taf b.taf c.taf >want
		for m in 1 64k 4G; do
			# shellcheck disable=SC2002 # a pipe is meant
			cat b.taf | tafinterleave -m $m -d $d a.taf - c.taf >got
			same want got
		done
	done
	equal "$(tafinterleave a.taf b.taf | tafread)" "$(turns 7,5,4 1 a.taf b.taf)"
	tafinterleave a.taf >got
	tafcrop a.taf >want
	same want got
	three 301,23
	for d in 1 2; do
		tafread -r <(tafinterleave -d $d -m 20k a.taf b.taf c.taf) >got
		turns 301,23 $d a.taf b.taf c.taf >want
		same want got
	done
}

@test "long arrays by several threads, to a file and to a pipe" {
	three 3,40001,7
	for d in 1 2; do
		tafinterleave -J 3 -d $d a.taf b.taf c.taf -o x.rsf
		k=1
		for f in a b c; do
			tafcrop -x "$d=$k::3" x.rsf | taf2raw >got
			taf2raw $f.taf >want
			same want got
			k=$((k + 1))
		done
		# shellcheck disable=SC2002 # a pipe is meant
		cat b.taf | tafinterleave -J 2 -d $d a.taf - c.taf >got
		same x.rsf got
	done
	tafinterleave -J 2 a.taf b.taf -o x.rsf
	tafcrop -x 1=2::2 x.rsf | taf2raw >got
	taf2raw b.taf >want
	same want got
}

@test "array by array" {
	three 4,3
	tafcat a.taf b.taf >x.rsf
	tafcat b.taf c.taf >y.rsf
	tafinterleave -d 2 x.rsf y.rsf >got
	tafinterleave -d 2 a.taf b.taf >one
	tafinterleave -d 2 b.taf c.taf >two
	tafcat one two >want
	same want got
	# shellcheck disable=SC2002
	cat x.rsf | tafinterleave -d 2 - y.rsf >got
	same want got
	tafinterleave -N 2 -d 2 x.rsf y.rsf >got
	same two got
	tafinterleave -d 2 x.rsf c.taf | tafcat -N 2 >got
	same two got
	tafcat x.rsf a.taf >z.rsf
	refuse 3 tafinterleave x.rsf z.rsf
}

@test "the step is divided where the grids go together" {
	three 4,3
	facts() {
		tafinterleave -d 2 "$@" >got 2>err
		for k in o2 d2 unit2 label2 n2 o1; do tafprobe -k $k got; done | paste -s -d ' ' -
	}
	for f in a b c; do
		tafadjust -i --start 2=3 --step 2=0.75 --unit 2=m --label 2=Place $f.taf
	done
	equal "$(facts a.taf b.taf c.taf)" "3 0.25 m Place 9 $(tafprobe -k o1 a.taf)"
	[ ! -s err ]
	tafadjust -i --start 2=3.25 b.taf
	tafadjust -i --start 2=3.5 c.taf
	equal "$(facts a.taf b.taf c.taf)" "3 0.25 m Place 9 $(tafprobe -k o1 a.taf)"
	[ ! -s err ]
	# two of three, another order, another step
	for set in 'a.taf b.taf' 'a.taf c.taf b.taf'; do
		# shellcheck disable=SC2086
		equal "$(facts $set | cut -d ' ' -f 1-4)" "1 1  Place"
		equal "$(wc -l <err)" 1
	done
	tafadjust -i --start 2=3 --step 2=0.5 b.taf
	equal "$(facts a.taf b.taf | cut -d ' ' -f 1-4)" "1 1  Place"
	# grids of other dimensions are those of the first
	cp a.taf d.taf
	tafadjust -i --start 1=9 d.taf
	equal "$(facts a.taf d.taf)" "3 0.375 m Place 6 $(tafprobe -k o1 a.taf)"
	grep -q 'd.taf: dimension 1' err
}

@test "other types and mappings, where every value is exact" {
	three 4,3
	tafcast -t flt64 b.taf -o f.taf
	tafinterleave a.taf b.taf >want
	tafinterleave a.taf f.taf >got
	same want got
	tafmath 'a+0.5' b.taf -o h.taf
	status 3 tafinterleave a.taf h.taf
	grep -q 'h.taf: ' err
	tafinterleave h.taf a.taf >got
	equal "$(tafprobe -k type got)" "$(tafprobe -k type h.taf)"
	# a mapping that only one has
	cp b.taf m.taf
	perl -e 'open F, "+<", "m.taf"; seek F, 1032, 0; print F pack "d<2", 0, 2'
	equal "$(tafinterleave a.taf m.taf | tafread | head -n 2 | paste -s -d ' ' -)" \
		"$(tafread a.taf | head -n 1) $(tafread m.taf | head -n 1)"
	rsf c.rsf 'data_format="native_complex" esize=8 n1=2' abcdefghABCDEFGH
	rsf d.rsf 'data_format="native_complex" esize=8 n1=2' ijklmnopIJKLMNOP
	equal "$(tafinterleave c.rsf d.rsf | tail -c 32)" abcdefghijklmnopABCDEFGHIJKLMNOP
	tafcat d.rsf -o d.taf
	equal "$(tafinterleave c.rsf d.taf | tail -c 32)" abcdefghijklmnopABCDEFGHIJKLMNOP
}

@test "what does not go together is refused before the first byte" {
	three 4,3
	mktaf n.taf int16 4,2
	refuse 3 tafinterleave a.taf n.taf
	grep -q 'n.taf: dimension 2: length 2.*3' err
	mktaf n.taf int16 1,3
	refuse 3 tafinterleave a.taf n.taf
	refuse 3 tafinterleave n.taf a.taf
	mktaf n.taf int16 4,3,1
	refuse 3 tafinterleave a.taf n.taf
	refuse 3 tafinterleave -d 3 a.taf b.taf
	rsf c.rsf 'data_format="native_complex" esize=8 n1=4 n2=3' "$(perl -e 'print "x" x 96')"
	refuse 3 tafinterleave a.taf c.rsf
	tafadjust --unit 1=s a.taf -o s.taf
	tafadjust --unit 1=ms b.taf -o ms.taf
	refuse 3 tafinterleave s.taf ms.taf
	grep -q 'ms.taf: dimension 1: unit ms.*s' err
	tafput unit=V a.taf -o s.taf
	tafput unit=A b.taf -o ms.taf
	refuse 3 tafinterleave s.taf ms.taf
	grep -q 'the values' err
	refuse 2 tafinterleave -d 0 a.taf
	refuse 2 tafinterleave - -
	mktaf n.taf int16 0,3
	tafinterleave n.taf n.taf >got
	equal "$(tafprobe -k shape got)" 0,3
}

@test "more files than descriptors" {
	local st=0 writer
	three 2,3
	# shellcheck disable=SC2016 # for perl
	perl -e 'symlink $_ % 2 ? "b.taf" : "a.taf", sprintf "f%03d.taf", $_ for 0 .. 299'
	for d in 1 2; do
		limited n 200 tafinterleave -d $d f???.taf -o out.taf
		perl -e '
			local $/;
			my $len = 2 * shift;
			my @in = map { open my $f, "-|", "tafread -r -e int16le $_"; <$f> } "a.taf", "b.taf";
			for my $row (0 .. 12 / $len - 1) {
				print map { substr $in[$_ % 2], $row * $len, $len } 0 .. 299 }' $d >want
		data out.taf | cmp - want
	done
	# one that is another file when its elements are read
	cp c.taf g.taf
	touch -r a.taf g.taf
	mkfifo pipe
	{ mv g.taf f298.taf && cat c.taf; } >pipe &
	writer=$!
	limited n 200 tafinterleave f???.taf pipe -o x.taf 2>err || st=$?
	wait "$writer"
	equal "$st $(cat err)" "3 tafinterleave: f298.taf: changed while it was read"
	[ ! -e x.taf ]
}
