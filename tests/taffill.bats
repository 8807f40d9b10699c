# SPDX-License-Identifier: ISC
load helper

# values TYPE TEMPLATE SHAPE NUMBER...: an array in in.taf
values() {
	perl -e 'my ($t, @v) = @ARGV; print pack "($t)*", @v' "$2" "${@:4}" >in.raw
	tafcreate -n "$3" -t "$1" in.raw -o in.taf
}

# map FILE INTERCEPT SLOPE: give a TAF file a mapping
map() {
	perl -e 'open F, "+<", $ARGV[0]; seek F, 1032, 0; print F pack "d<2", @ARGV[1, 2]' "$@"
}

# filled ARGUMENT...: the values of in.taf behind it, on a line
filled() {
	taffill "$@" in.taf | tafread | xargs
}

@test "a value into a region, and nothing beside it" {
	mktaf a.taf int16 7,5,3
	tafcrop a.taf -o in.taf
	tafread in.taf >old
	while read -r bounds; do
		# shellcheck disable=SC2086 # bounds
		taffill $bounds --value -77 in.taf >out
		tafcrop out | tafread >got
		B=$bounds perl -ne '
			BEGIN {
				for (split / ?-x /, $ENV{B}) {
					/(\d)=(\d+):(\d+)(?::(\d+))?/ and $in{$1} = [$2, $3, $4 // 1];
				}
			}
			my @i = (0, ($. - 1) % 7 + 1, int(($. - 1) / 7) % 5 + 1, int(($. - 1) / 35) + 1);
			my $here = 1;
			for my $k (keys %in) {
				my ($lo, $hi, $step) = @{$in{$k}};
				$here = 0 if $i[$k] < $lo || $i[$k] > $hi || ($i[$k] - $lo) % $step;
			}
			print $here ? "-77\n" : $_' old >want
		same want got
		for key in type shape o1 d1 o3 d3; do
			equal "$(tafprobe -k $key out)" "$(tafprobe -k $key in.taf)"
		done
	done <<-'END'
		-x 1=1:7
		-x 1=3:3
		-x 1=2:7:2
		-x 2=2:4
		-x 3=3:3
		-x 1=2:6:3 -x 2=1:5:2 -x 3=2:3
		-x 2=5:5 -x 3=1:3:2
	END
	taffill --value 5 in.taf | tafread | uniq >got
	equal "$(<got)" 5
	# the grid of dimension 2 begins at 1.5 and has steps of 0.5
	equal "$(taffill -g 2=2:2.5 --value 9 in.taf | tafcrop -x 1=1 -x 3=1 | tafread | xargs)" \
		"$(tafcrop -x 1=1 -x 3=1 in.taf | tafread | sed '2,3s/.*/9/' | xargs)"
	taffill --value 0 -x 1=2 in.taf -o out.taf
	cat in.taf | taffill --value 0 -x 1=2 -o pipe.taf
	same out.taf pipe.taf
}

@test "a value is physical, and what the type does not hold is refused" {
	mktaf in.taf int16 5
	map in.taf 10 0.5
	equal "$(taffill -x 1=2:3 --value 12.5 in.taf | tafread -r | xargs)" "3 5 5 24 31"
	refuse 3 taffill --value 12.6 in.taf
	refuse 3 taffill --value 1e9 in.taf -o out.taf
	[ ! -e out.taf ]
	mktaf in.taf uint8 5
	for v in 256 -1 0.5 nan inf; do refuse 3 taffill --value $v in.taf; done
	values int64 'q<' 3 1 2 3
	equal "$(filled -x 1=2 --value 9007199254740993)" "1 9007199254740993 3"
	values uint64 'Q<' 3 1 2 3
	equal "$(filled -x 1=2 --value 18446744073709551615)" "1 18446744073709551615 3"
	# the nearest float is it
	values flt32 'f<' 3 1 2 3
	equal "$(filled -x 1=0 --value 0.1)" "1 2 0.1"
	equal "$(filled -x 1=2 --value -0 | cut -d ' ' -f 2)" -0
	equal "$(filled -x 1=3 --value nan)" "1 2 nan"
}

@test "NaN along a line: linear, nearest, previous" {
	values flt64 'd<' 12 nan nan 1 nan nan nan 5 2 nan 8 nan nan
	equal "$(filled --nan linear)" "1 1 1 2 3 4 5 2 5 8 8 8"
	equal "$(filled --nan nearest)" "1 1 1 1 1 5 5 2 2 8 8 8"
	equal "$(filled --nan previous 2>err)" "nan nan 1 1 1 1 5 2 2 8 8 8"
	equal "$(<err)" "taffill: 2 NaN are left: there is no number to take"
	equal "$(filled --nan -7.5)" "-7.5 -7.5 1 -7.5 -7.5 -7.5 5 2 -7.5 8 -7.5 -7.5"
	# those of the region alone, by numbers of the whole line
	equal "$(filled -x 1=2:5 --nan linear)" "nan 1 1 2 3 nan 5 2 nan 8 nan nan"
	equal "$(filled -x 1=4:12:4 --nan nearest)" "nan nan 1 1 nan nan 5 2 nan 8 nan 8"
	equal "$(filled -x 1=1:12:2 --nan previous -q)" "nan nan 1 nan 1 nan 5 2 2 8 8 nan"
	equal "$(filled -x 1=1:12:2 --nan 0)" "0 nan 1 nan 0 nan 5 2 0 8 0 nan"
	values flt32 'f<' 3 nan nan nan
	for how in linear nearest previous; do
		equal "$(filled --nan $how 2>err)" "nan nan nan"
		grep -q '3 NaN are left' err
	done
	equal "$(filled -q --nan linear 2>&1)" "nan nan nan"
}

@test "linear: infinities are numbers, and finite ones never become infinite" {
	values flt64 'd<' 7 1 nan inf nan 1 nan -1
	equal "$(filled --nan linear)" "1 inf inf inf 1 0 -1"
	values flt64 'd<' 5 -1.7e308 nan nan nan 1.7e308
	filled --nan linear >got
	perl -ane '@w = (-1.7e308, -8.5e307, 0, 8.5e307, 1.7e308);
		abs($F[$_] - $w[$_]) <= 1e-15 * 1.7e308 or die "$F[$_]" for 0 .. 4' got
	values flt64 'd<' 3 inf nan -inf
	equal "$(filled -q --nan linear)" "inf nan -inf"
	values flt64 'd<' 3 inf nan inf
	equal "$(filled --nan linear)" "inf inf inf"
}

@test "along each dimension" {
	values flt32 'f<' 3,4 1 2 nan nan nan nan 7 nan 9 10 11 12
	equal "$(filled --nan linear)" "1 2 2 nan nan nan 7 8 9 10 11 12"
	equal "$(filled -d 2 --nan linear)" "1 2 9 4 5 9 7 8 9 10 11 12"
	equal "$(filled -q -d 2 --nan previous)" "1 2 nan 1 2 nan 7 2 9 10 11 12"
	equal "$(filled -d 2 -x 1=2 --nan linear)" "1 2 nan nan 5 nan 7 8 9 10 11 12"
	refuse 3 taffill -d 3 --nan linear in.taf
}

@test "lines side by side are as lines that lie together" {
	local how part
	# of the third dimension the planes are cut
	perl -e 'print pack "f<*", map { $_ * 37 % 11 < 4 ? "nan" : $_ * 7919 % 1009 } 1 .. 130 * 80 * 9' >in.raw
	tafcreate -n 130,80,9 in.raw -o in.taf
	tafpermute -d 3,1,2 in.taf -o turned.taf
	for how in linear nearest previous; do
		for part in '' '-x 1=2:end:3 -x 2=30:61:2'; do
			# shellcheck disable=SC2086 # words
			taffill -q -J 2 -d 3 $part --nan $how in.taf | taf2raw >got
			part=${part/2=/3=}
			# shellcheck disable=SC2086 # words
			taffill -q ${part/1=/2=} --nan $how turned.taf | tafpermute -d 2,3,1 | taf2raw >want
			same want got
		done
	done
}

@test "gaps of lines side by side that reach over many blocks of rows" {
	local how part way
	# a line of nothing but NaN, one that ends in them, gaps of 1 to 500 in others
	perl -e 'for my $e (0 .. 7 * 5 * 3800 * 2 - 1) {
		my ($c, $r) = ($e % 35, int($e / 35) % 3800);
		my $none = $c == 3 || ($c == 4 && $r > 900) || ($r * 7 + $c * 131) % 1000 < $c * 37 % 501;
		push @v, $none ? "nan" : $e * 7919 % 10007;
	}
	print pack "d<*", @v' >in.raw
	tafcreate -n 7,5,3800,2 -t flt64 in.raw -o in.taf
	tafpermute -d 3,1,2,4 in.taf -o turned.taf
	for how in linear nearest previous; do
		for part in '' '-x 1=2:end:3 -x 3=30:3600:2 -x 4=2'; do
			way=${part/3=/0=}
			way=${way/1=/2=}
			# shellcheck disable=SC2086 # words
			taffill -q ${way/0=/1=} --nan $how turned.taf 2>&1 | tafpermute -d 2,3,1,4 | taf2raw >want
			for way in '-m 1M -J 1' '-m 1M -J 3' ''; do
				# shellcheck disable=SC2086 # words
				taffill -q $way -d 3 $part --nan $how in.taf | taf2raw >got
				same want got
			done
		done
	done
	equal "$(taffill -d 3 -m 1M --nan linear in.taf 2>&1 >got)" "$(taffill --nan linear turned.taf 2>&1 >got)"
}

@test "integers have no NaN, and a NaN that is not filled keeps its bits" {
	mktaf in.taf uint8 5,4
	for words in '--nan -1' '--nan linear' '-d 2 --nan previous'; do
		# shellcheck disable=SC2086 # words
		taffill $words in.taf | tafread >got
		same <(tafread in.taf) got
	done
	perl -e 'print pack "Q<*", 0xfff0000000000001, 0x7ff8000000000123, 1 << 63, 0x7ff8000000000456' >in.raw
	tafcreate -n 4 -t flt64 in.raw -o in.taf
	taffill -q --nan previous in.taf | taf2raw >got
	perl -e 'print pack "Q<*", 0xfff0000000000001, 0x7ff8000000000123, 1 << 63, 1 << 63' >want
	same want got
	taffill -x 1=4 --value 1 in.taf | taf2raw >got
	perl -e 'print pack "Q<*", 0xfff0000000000001, 0x7ff8000000000123, 1 << 63, 0x3ff0000000000000' >want
	same want got
	# a mapping stays, and numbers are taken as they are stored
	values flt32 'f<' 5 1 nan 3 4 5
	map in.taf 100 -2
	taffill --nan linear in.taf >out
	equal "$(tafread out | xargs) $(tafread -r out | xargs) $(tafprobe -k slope out)" \
		"98 96 94 92 90 1 2 3 4 5 -2"
	equal "$(taffill --nan 0 in.taf | tafread -r | xargs)" "1 50 3 4 5"
}

@test "a complex element is NaN if a part of it is" {
	printf 'n1=4 data_format="native_complex" in="stdin"\n\n\f\f\004' >in.taf
	perl -e 'print pack "f*", 1, 10, "nan", 3, 4, "nan", 7, 40' >>in.taf
	equal "$(filled --nan linear)" "1 10 3 20 5 30 7 40"
	equal "$(filled --nan nearest)" "1 10 1 10 7 40 7 40"
	equal "$(filled --nan -1)" "1 10 -1 0 -1 0 7 40"
	equal "$(filled -x 1=2 --value 5)" "1 10 5 0 4 nan 7 40"
}

@test "lines larger than the memory, in pieces" {
	# gaps at the ends, within a piece, across one and across three
	perl -e '
		my $n = 600000;
		my @v = map { ($_ * 7919 % 10007) / 16 } 1 .. $n;
		for my $g ([1, 9], [100, 130], [131000, 131200], [140000, 420000], [524288, 524288], [599990, 599999]) {
			$v[$_] = "nan" for $g->[0] .. $g->[1];
		}
		print pack "f<*", @v' >in.raw
	for shape in 600000 300000,2; do
		tafcreate -n $shape in.raw -o in.taf
		for words in '--nan linear' '--nan nearest' '--nan previous' '--nan linear -x 1=200000:end:3'; do
			# shellcheck disable=SC2086 # words
			taffill -q $words in.taf -o want.taf
			for way in '-m 64k' '-m 64k -J 1' '-m 3M -J 2'; do
				# shellcheck disable=SC2086 # words
				taffill -q $way $words in.taf -o got.taf
				same want.taf got.taf
			done
			# shellcheck disable=SC2086 # words
			cat in.taf | taffill -q -m 64k $words -o got.taf
			same want.taf got.taf
		done
	done
	# the middle of the long gap
	tafcreate -n 600000 in.raw -o in.taf
	taffill -m 64k --nan linear in.taf | tafcrop -x 1=280001 | tafread >got
	perl -e '
		my ($i, $a, $b) = (280000, 139999, 420001);
		my ($x, $y) = map { (($_ + 1) * 7919 % 10007) / 16 } $a, $b;
		printf "%.6f\n", ($y - $x) / ($b - $a) * ($i - $a) + $x' >want
	equal "$(printf %.4f "$(<got)")" "$(printf %.4f "$(<want)")"
}

@test "as numpy does, on random arrays" {
	need numpy
	"$PYTHON" - <<'EOP'
import numpy as np, subprocess
rng = np.random.default_rng(5)
def line(l, how):
    good = np.flatnonzero(~np.isnan(l))
    out = l.copy()
    for i in np.flatnonzero(np.isnan(l)) if len(good) else []:
        before, behind = good[good < i], good[good > i]
        if how == 'previous' or not len(behind):
            out[i] = l[before[-1]] if len(before) else np.nan
        elif not len(before):
            out[i] = l[behind[0]]
        elif how == 'linear':
            out[i] = np.interp(i, [before[-1], behind[0]], l[[before[-1], behind[0]]].astype('f8'))
        else:
            out[i] = l[before[-1] if i - before[-1] <= behind[0] - i else behind[0]]
    return out
for n in range(24):
    shape = [(97,), (17, 13), (7, 6, 5)][n % 3]
    a = (rng.standard_normal(shape) * 100).astype(['<f4', '<f8'][n // 3 % 2])
    a[rng.random(shape) < [.05, .5, .9][n // 6 % 3]] = np.nan
    np.save('a.npy', a)
    d, how = n % a.ndim, ['linear', 'nearest', 'previous'][n // 2 % 3]
    subprocess.run('npy2taf -F rsf a.npy | taffill -q -d %d --nan %s | taf2npy -q -o b.npy' % (d + 1, how),
        shell=True, check=True)
    assert np.array_equal(np.load('b.npy'), np.apply_along_axis(line, d, a, how), equal_nan=True), (n, d, how)
EOP
}

@test "a wrong invocation" {
	mktaf a.taf flt32 3
	refuse 2 taffill a.taf
	refuse 2 taffill -x 1=2 a.taf
	refuse 2 taffill --value 1 --nan 2 a.taf
	refuse 2 taffill --value x a.taf
	refuse 2 taffill --nan cubic a.taf
	refuse 2 taffill -d 1 --nan 0 a.taf
	refuse 2 taffill -d 1 --value 0 a.taf
	refuse 2 taffill -d 1,2 --nan linear a.taf
	refuse 2 taffill -i --value 0 a.taf
	refuse 3 taffill -x 2=1 --value 0 a.taf
	refuse 3 taffill -x 1=4 --value 0 a.taf
}
