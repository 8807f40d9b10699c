# SPDX-License-Identifier: ISC
load helper

# numpy's answer to a JSON line: check LINES FILE TYPE SHAPE [DIM [INTERCEPT SLOPE]]
check() {
	"$PYTHON" - "$@" <<'EOF2'
import json, sys
import numpy as np
lines, file, kind, shape = sys.argv[1:5]
dim = int(sys.argv[5]) if len(sys.argv) > 5 else 0
mapping = [float(x) for x in sys.argv[6:8]]
shape = [int(n) for n in shape.split(',')]
code = {'flt32': 'f4', 'flt64': 'f8'}.get(kind) or \
    kind.replace('uint', 'u').replace('int', 'i')
if code[0] in 'ui':
    code = code[0] + str(int(code[1:]) // 8)
a = np.fromfile(file, '<' + code, int(np.prod(shape)), offset=1056 + 24 * len(shape))
a = a.reshape(shape, order='F')
if mapping:
    a = mapping[0] + mapping[1] * a.astype(np.float64)
near = lambda x, y: x == y or abs(x - y) <= 1e-12 * abs(y)
lines = open(lines).read().splitlines()
assert len(lines) == (shape[dim - 1] if dim else 1)
for i, line in enumerate(lines):
    got = json.loads(line)
    assert list(got) == ['count', 'min', 'max', 'mean', 'std', 'rms', 'nan', 'inf',
        'min_index', 'max_index', 'file', 'array', 'unit', 'min_coordinates',
        'max_coordinates', 'quantiles']
    assert got['file'] == file and got['array'] == 1 and got['unit'] is None
    part = a.take([i], axis=dim - 1) if dim else a
    v = part.ravel(order='F')
    wide = v.astype(np.longdouble)
    good = np.isfinite(wide)
    z = wide[good]
    assert got['count'] == v.size
    assert got['nan'] == np.isnan(wide).sum() and got['inf'] == np.isinf(wide).sum()
    if z.size == 0:
        assert all(got[k] is None for k in got if k not in ('count', 'nan', 'inf', 'file', 'array'))
        continue
    exact = int if v.dtype.kind in 'ui' else float
    assert exact(got['min']) == exact(v[good].min())
    assert exact(got['max']) == exact(v[good].max())
    mean = z.mean()
    assert near(got['mean'], float(mean)), (got, mean)
    assert near(got['std'], float(np.sqrt(((z - mean) ** 2).mean()))), got
    assert near(got['rms'], float(np.sqrt((z * z).mean()))), got
    for k in 'min', 'max':
        first = np.flatnonzero(good & (v == v[good].min() if k == 'min' else v == v[good].max()))
        where = [int(x) + 1 for x in np.unravel_index(first[0], part.shape, order='F')]
        if dim:
            where[dim - 1] = i + 1
        assert got[k + '_index'] == where, (got, where)
EOF2
}

# nameless: JSON lines without the names of files
nameless() {
	sed 's/"file":"[^"]*"/"file":""/'
}

@test "every type, whole and by each dimension, against numpy" {
	need numpy
	for type in int8 uint8 int16 uint16 int32 uint32 int64 uint64 flt32 flt64; do
		mktaf a.taf $type 130,7,5
		tafsummarize -j a.taf >whole
		check whole a.taf $type 130,7,5
		for d in 1 2 3; do
			tafsummarize -j -d $d a.taf >each
			check each a.taf $type 130,7,5 $d
		done
	done
}

@test "the mapping is applied" {
	need numpy
	mktaf a.taf int16 3000,2
	# intercept and slope
	printf '\0\0\0\0\0\0\x0c\xc0\0\0\0\0\0\0\xb0\x3f' |
		dd of=a.taf bs=1 seek=1032 conv=notrunc 2>/dev/null
	equal "$(tafprobe -k intercept a.taf) $(tafprobe -k slope a.taf)" "-3.5 0.0625"
	tafsummarize -j a.taf >whole
	check whole a.taf int16 3000,2 0 -3.5 0.0625
	tafsummarize -j -d 2 a.taf >each
	check each a.taf int16 3000,2 2 -3.5 0.0625
}

@test "a large mean with small deviations, over many blocks" {
	need numpy
	"$PYTHON" -c '
import numpy as np
r = np.random.default_rng(5)
(1e9 + r.standard_normal(300000) * 1e-3).tofile("raw")'
	tafcreate -t flt64 -n 300000,1 raw -o a.taf
	tafsummarize -j a.taf >out
	check out a.taf flt64 300000,1
}

@test "NaN and infinite values are counted, and nothing else" {
	need numpy
	"$PYTHON" -c '
import numpy as np
a = np.arange(12.0).reshape(4, 3)
a[0] = np.nan, np.inf, -np.inf
a[2] = np.nan
a[3, 1] = np.nan
a.T.tofile("raw", "")
a.ravel(order="F").tofile("raw")'
	tafcreate -t flt64 -n 4,3 raw -o a.taf
	tafsummarize -j a.taf >whole
	check whole a.taf flt64 4,3
	tafsummarize -j -d 1 a.taf >rows
	check rows a.taf flt64 4,3 1
	equal "$(sed -n 3p rows)" '{"count":3,"min":null,"max":null,"mean":null,"std":null,"rms":null,"nan":3,"inf":0,"min_index":null,"max_index":null,"file":"a.taf","array":1,"unit":null,"min_coordinates":null,"max_coordinates":null,"quantiles":null}'
	tafsummarize -d 1 a.taf | grep -c none >count || true
	equal "$(cat count)" 2
}

@test "64-bit integers are printed exactly, and told apart" {
	perl -e 'print pack "Q<4", 9007199254740993, 9007199254740992, 18446744073709551615, 18446744073709551614' >raw
	tafcreate -t uint64 -n 4,1 raw -o u.taf
	tafsummarize -j u.taf >out
	grep -q '"min":9007199254740992,"max":18446744073709551615,' out
	grep -q '"min_index":\[2,1\],"max_index":\[3,1\]' out
	perl -e 'print pack "q<3", -9223372036854775807, -9223372036854775808, 9223372036854775807' >raw
	tafcreate -t int64 -n 3,1 raw -o i.taf
	tafsummarize i.taf >out
	grep -q '^min  *-9223372036854775808 at index 2,1,' out
	grep -q '^max  *9223372036854775807 at index 3,1,' out
}

@test "the deviation of integers near 1.8e18, whatever reads them" {
	# of 1 to n it is the root of (n n - 1) / 12: of 995, and of 22
	for n in 995 22; do
		perl -e 'for my $k (1 .. 40) { print pack "q<*", map { 1800000000000000000 + $_ } 1 .. $ARGV[0] }' $n >raw
		std=$(perl -e 'print sqrt(($ARGV[0] ** 2 - 1) / 12)' $n)
		tafcreate -t int64 -n $n,8,5 raw -o i.taf
		tafcreate -t uint64 -n $n,8,5 raw -o u.taf
		for f in i.taf u.taf; do
			tafsummarize -j $f | nameless >want
			equal "$(perl -ne '/"std":([^,]*)/ and printf "%.14g", $1' want)" "$(perl -e 'printf "%.14g", $ARGV[0]' $std)"
			tafsummarize -j -m 1k $f | nameless >got
			same want got
			tafsummarize -j -J 3 $f | nameless >got
			same want got
			tafcrop $f | tafsummarize -j | nameless >got
			same want got
			tafsummarize -j -d 2 $f | cut -d, -f5 | sort -u >got
			equal "$(<got)" "$(cut -d, -f5 want)"
		done
	done
}

@test "every statistic has the bits that tafreduce finds, however the work is cut" {
	for seed in {1..12}; do
		# near and far values, zeros of both signs, and, of floats, some that are not finite
		read -r type shape dim map < <(perl -e 'srand $ARGV[0]; my $seed = $ARGV[0];
			my ($type, $as) = @{(["flt64", "d<"], ["flt32", "f<"], ["int16", "s<"], ["uint8", "C"],
				["int32", "l<"], ["int64", "q<"])[$seed % 6]};
			my @n = map { 1 + int rand($seed % 4 ? 40 : 9) } 1 .. 3;
			$n[int rand 3] *= 1 + int rand 60;
			my $spread = rand 40;
			open my $f, ">", "raw";
			for (1 .. $n[0] * $n[1] * $n[2]) {
				my $x = (rand(2) - 1) * 2 ** ($as =~ /[df]/ ? rand $spread : 7);
				$x = int abs $x if $as !~ /[df]/;
				$x = rand(2) < 1 ? 0 : -0.0 if rand(20) < 1;
				$x = ("inf", "-inf", "nan")[rand 3] if $as =~ /[df]/ && $seed % 3 == 0 && rand(300) < 1;
				print $f pack $as, $x;
			}
			print "$type ", join(",", @n), " ", int rand 4, " ", int(rand 3) == 0 ? "yes\n" : "no\n"' $seed)
		tafcreate -t $type -e $type -n $shape raw -o a.taf
		if [ $map = yes ] && [[ $type != flt* ]]; then
			perl -e 'open my $f, "+<", "a.taf"; seek $f, 1032, 0; print $f pack "d<2", -3.7, 0.123'
		fi
		others=$(seq -s , 1 3)
		if [ $dim != 0 ]; then
			others=$(seq 1 3 | grep -v $dim | paste -sd,)
		fi
		each=$([ $dim = 0 ] || echo "-d $dim")
		for op in min max mean std rms; do
			tafreduce $op -q --finite -d $others -t flt64 a.taf | tafread >$op
		done
		for op in count nan; do
			tafreduce $op -d $others a.taf | tafread >$op
		done
		paste -d, count min max mean std rms nan >want
		for how in '' '-m 1k' '-m 200k -J 2' '-J 3'; do
			# shellcheck disable=SC2086
			tafsummarize -j $each $how a.taf | cut -d, -f1-7 | sed 's/[^,]*://g; s/null/nan/g' >got
			same want got
			# shellcheck disable=SC2086
			tafcrop a.taf | tafsummarize -j $each $how | cut -d, -f1-7 | sed 's/[^,]*://g; s/null/nan/g' >got
			same want got
		done
	done
}

@test "numbers known by heart, with places on the grid and units" {
	perl -e 'print pack "s<6", 2, 4, 4, 5, 7, 14' >raw
	tafcreate -t int16 -n 3,2 -a 1=10:0.5 -a 2=-1:2 raw -o a.taf
	tafadjust -i --unit 1=s a.taf
	# mean 6, squares 16+4+4+1+1+64 = 90 by 6 is 15; 306 by 6 is 51
	tafsummarize a.taf >out
	cat >want <<'EOF2'
file           a.taf
count          6
min            2 at index 1,1, grid 10 s, -1
max            14 at index 3,2, grid 11 s, 1
mean           6
std            3.872983
rms            7.141428
nan            0
inf            0
EOF2
	same want out
	tafsummarize -d 2 a.taf >out
	equal "$(awk 'NR > 2 { print $1, $2, $3, $4, $5, $11, $12, $13, $14 }' out)" \
		"1 -1 3 2 4 1,1 2,1 10,-1 10.5,-1
2 1 3 5 14 1,2 3,2 10,1 11,1"
}

@test "the same from a file, a pipe and byte by byte, and with little memory" {
	mktaf a.taf flt32 37,500,6 0.3
	for d in 0 1 2 3; do
		opt=()
		[ $d = 0 ] || opt=(-d $d)
		tafsummarize -j "${opt[@]}" a.taf >want
		cat a.taf | tafsummarize -j "${opt[@]}" >b
		tafcrop a.taf | dd bs=1 2>/dev/null | tafsummarize -j "${opt[@]}" >c
		tafsummarize -j -m 1k "${opt[@]}" a.taf >d
		tafcrop a.taf | tafsummarize -j -m 1k "${opt[@]}" >e
		for f in b c d e; do same <(nameless <want) <(nameless <$f); done
	done
}

@test "a line for each array of a stream, or for the one that is wanted" {
	mktaf a.taf int16 5,2
	mktaf b.taf uint8 3,3,2
	tafcrop a.taf b.taf a.taf >s.rsf
	equal "$(tafsummarize -j s.rsf | cut -d, -f1 | tr '\n' ' ')" '{"count":10 {"count":18 {"count":10 '
	equal "$(tafsummarize -j -N 2 s.rsf | cut -d, -f1)" '{"count":18'
	equal "$(tafsummarize a.taf b.taf | grep ^file | tr -s ' ' | tr '\n' ' ')" "file a.taf file b.taf "
}

@test "values whose squares are no doubles" {
	perl -e 'print pack "d<4", 3e200, -3e200, 3e200, -3e200' >raw
	tafcreate -t flt64 -n 4,1 raw -o a.taf
	tafsummarize -j a.taf >out
	grep -q '"mean":0,"std":3e200,"rms":3e200' out
	perl -e 'print pack "d<4", 3e-200, -3e-200, 3e-200, -3e-200' >raw
	tafcreate -t flt64 -n 4,1 raw -o a.taf
	tafsummarize -j a.taf >out
	grep -q '"std":3e-200,"rms":3e-200' out
}

@test "no elements" {
	mktaf a.taf flt32 0,3
	equal "$(tafsummarize -j a.taf)" '{"count":0,"min":null,"max":null,"mean":null,"std":null,"rms":null,"nan":0,"inf":0,"min_index":null,"max_index":null,"file":"a.taf","array":1,"unit":null,"min_coordinates":null,"max_coordinates":null,"quantiles":null}'
	equal "$(tafsummarize -j -d 2 a.taf | wc -l)" 3
	equal "$(tafsummarize -j -d 1 a.taf | wc -l)" 0
	# no input stands for so many lines
	printf 'n1=1000001 n2=0 data_format="native_float" esize=4 in="stdin"\n\n\f\f\004' >long.rsf
	refuse 3 tafsummarize -d 1 long.rsf
	tafsummarize long.rsf >out
	sed s/1000001/1000000/ long.rsf | tafsummarize -j -d 1 | tail -n 1 >out
	grep -q '"count":0' out
}

@test "what cannot be is refused" {
	mktaf a.taf int16 7,5
	refuse 2 tafsummarize -d 0 a.taf
	refuse 3 tafsummarize -d x a.taf
	refuse 3 tafsummarize -d 3 a.taf
	equal "$(cat err)" 'tafsummarize: a.taf: dimension 3: the array has 2'
	refuse 3 tafsummarize /dev/null
	head -c 1100 a.taf >short.taf
	refuse 3 tafsummarize short.taf
	cat >c.rsf <<'EOF2'
n1=2
data_format="native_complex"
esize=8
in="stdin"
EOF2
	printf '\f\f\004%016d' 0 >>c.rsf
	refuse 3 tafsummarize c.rsf
	grep -q 'complex elements have no smallest and no largest' err
	# as it advises
	tafmath 'abs(a)' c.rsf | tafsummarize -j >out
	grep -q '"count":2' out
	tafreduce mean,std,rms,count,nan c.rsf >out
}

@test "an operand that fails does not hide the others" {
	mktaf a.taf int16 7,5
	status 4 tafsummarize -j missing.taf a.taf
	equal "$(wc -l <out)" 1
}

@test "units that come behind the data of a pipe are printed" {
	fixtures
	tafsummarize <signal.taf >want
	grep -q ' s$\| s,' want
	cat signal.taf | tafsummarize >got
	same want got
}

@test "any number of threads gives the same bytes" {
	# values whose sums depend on the order, enough of them for many pieces
	perl -e 'print pack "d<*", map { sin($_) * 10 ** ($_ % 13) } 1 .. 224749' >part
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do cat part; done |
		tafcreate -n 7,331,1164 -t flt64 -o a.taf
	for dim in '' '-d 1' '-d 2' '-d 3'; do
		tafsummarize -J 1 $dim a.taf >want
		for jobs in 2 3 8; do
			tafsummarize -J $jobs $dim a.taf >got
			same want got
		done
	done
}

@test "-x and -g: a part, with its places in the whole" {
	local of from dim
	mktaf a.taf flt32 31,7,4 0.3
	mktaf b.taf int16 31,7,4
	tafcrop a.taf b.taf >two.rsf
	for of in '-x 1=4:20:3 -x 2=2:5' '-g 1=1:3 -x 3=3' '-x 3=2:3' '-x 3=1:4:2' '-x 2=2'; do
		for dim in '' '-d 1' '-d 3'; do
			tafcrop $of two.rsf | tafsummarize -j $dim | sed 's/,"min_index.*//' >want
			tafsummarize -j $dim $of two.rsf >all
			sed 's/,"min_index.*//' all >got
			same want got
			cat two.rsf | tafsummarize -j $dim $of >got
			same <(nameless <all) <(nameless <got)
			cat two.rsf | tafsummarize -j -J 2 -m 1k $dim $of >got
			same <(nameless <all) <(nameless <got)
			# each index is that of the value in the whole
			sed -n '$s/.*"max":\([^,]*\),.*"max_index":\[\([0-9]*\),\([0-9]*\),\([0-9]*\)\].*/\1 \2 \3 \4/p' all >max
			read -r max i j k <max
			equal "$(tafread -x 1=$i -x 2=$j -x 3=$k b.taf)" "$max"
		done
	done
	tafsummarize -d 3 -x 3=2:4:2 -x 1=1:3 a.taf | awk 'NR > 2 { print $1, $2 }' >got
	# grid 3 begins at 2.5, its step is 0.75
	equal "$(xargs <got)" "2 3.25 4 4.75"
	tafsummarize -x 1=2 -x 2=3 -x 3=4 b.taf >out
	grep -q '^max  *[0-9]* at index 2,3,4, grid 0.75, 2.5, 4.75' out
	refuse 3 tafsummarize -x 2=8 a.taf
	equal "$(cat err)" 'tafsummarize: a.taf: dimension 2: index 8: there are 7 points'
	refuse 2 tafsummarize -g 1=x a.taf
}

# quantiles: values of one key a line, by numpy's linear rule: quantiles P,P,... <NUMBERS
quantiles() {
	perl -e 'my @v = sort { $a <=> $b } map { split } <STDIN>;
		for my $p (split /,/, shift) {
			my $at = $p * (@v - 1);
			my $i = int $at;
			printf "%.12g\n", $v[$i] + ($at - $i) * (($v[$i + 1] // $v[$i]) - $v[$i]);
		}' "$1"
}

@test "--quantiles: numpy's rule, over what is finite, however little memory there is" {
	local of from
	mktaf a.taf int16 31,7,4
	perl -e 'print pack "f<*", map { $_ % 13 == 5 ? "nan" : $_ % 17 == 3 ? "inf" : ($_ * 7 % 101) ** 2 / 8 } 0 .. 867' |
		tafcreate -t flt32 -n 31,7,4 -o f.taf
	for from in a.taf f.taf; do
		tafread $from | grep -v '[nf]' | quantiles 0.5,0,1,0.123 >want
		tafsummarize -j --quantiles 0.5,0,1,0.123 $from >out
		sed 's/.*"quantiles"://; s/[^0-9.,:]//g' out | tr , '\n' | cut -d: -f2 |
			perl -ne 'printf "%.12g\n", $_' >got
		same want got
		grep -q '"quantiles":{"0.5":[0-9.]*,"0":[0-9.]*,"1":[0-9.]*,"0.123":[0-9.]*}}$' out
		for of in '' '-d 1' '-d 2' '-d 3' '-d 3 -x 1=3:20:2 -x 2=2:6' '-d 1 -g 3=2:4'; do
			tafsummarize -j $of --quantiles 0.25,0.9 $from | nameless >want
			cat $from | tafsummarize -j $of --quantiles 0.25,0.9 | nameless >got
			same want got
			tafsummarize -j -m 1k -J 2 $of --quantiles 0.25,0.9 $from | nameless >got
			same want got
			# the others are what they are without
			tafsummarize -j $of $from | nameless | sed 's/null}$//' >got
			same <(sed 's/{[^{]*$//' want) got
		done
	done
	for of in 1:2,3 2:1,3 3:1,2; do
		tafreduce quantile=0.3 -t flt64 -d ${of#*:} --finite -q f.taf | tafread >want
		tafsummarize -j -d ${of%:*} --quantiles 0.3 f.taf | sed 's/.*"0.3":\(.*\)}}/\1/' >got
		same want got
	done
	# an index is a single element
	tafcrop -x 2=1 -x 3=1 --squeeze a.taf | tafsummarize -j -d 1 --quantiles 0.3 |
		sed 's/.*"min":\([^,]*\),.*"0.3":\(.*\)}}/\1 \2/' >got
	equal "$(awk '$1 != $2' got; wc -l <got)" 31
}

@test "--quantiles of lines that the memory does not hold" {
	perl -e 'print pack "f<*", map { ($_ * 7919 % 1000003) / 8 } 1 .. 300000' |
		tafcreate -t flt32 -n 150000,2 -o a.taf
	tafread -x 2=2 a.taf | quantiles 0.3,0.75 >want
	tafsummarize -j -m 64k -d 2 --quantiles 0.3,0.75 a.taf |
		sed -n '$s/.*"0.3":\(.*\),"0.75":\(.*\)}}/\1 \2/p' | tr ' ' '\n' >got
	same want got
}

@test "--quantiles in words, without a number, and what is none" {
	perl -e 'print pack "s<6", 2, 4, 4, 5, 7, 14' | tafcreate -t int16 -e int16 -n 3,2 -o a.taf
	tafput -i unit=mV a.taf
	tafsummarize --quantiles 0.5,0.125 a.taf | tail -n 2 >out
	same out <(printf 'quantile 0.5   4.5 mV\nquantile 0.125 3.25 mV\n')
	tafsummarize -d 2 --quantiles 0.5,1 a.taf | awk 'NR > 1 { print $(NF - 1), $NF }' >out
	same out <(printf 'quantile=0.5 quantile=1\n4 4\n7 14\n')
	grep -q '"unit":"mV",' <(tafsummarize -j a.taf)
	printf 'nan nan\n' | txt2taf | tafsummarize -j --quantiles 0.5 >out
	grep -q '"quantiles":{"0.5":null}}$' out
	printf 'nan nan\n' | txt2taf | tafsummarize --quantiles 0.5 | grep -q '^quantile 0.5 *none$'
	mktaf e.taf flt32 0,3
	tafsummarize -j -d 2 --quantiles 0.5 e.taf >out
	equal "$(grep -c '"quantiles":{"0.5":null}}$' out)" 3
	refuse 2 tafsummarize --quantiles 50 a.taf
	equal "$(cat err)" 'tafsummarize: --quantiles 50: not a number from 0 to 1 (0.5 is the median)'
	refuse 2 tafsummarize --quantiles 0.5, a.taf
	refuse 2 tafsummarize --quantiles '' a.taf
	refuse 2 tafsummarize --quantiles nan a.taf
	refuse 2 tafsummarize --quantiles 0.5,.50 a.taf
	refuse 2 tafsummarize --quantiles "$(seq -s , 0.01 0.01 0.33)" a.taf
}

@test "JSON names file and array, and has the coordinates of the extremes" {
	perl -e 'print pack "d<6", 2, 4, 4.5, 5, 7, -1' |
		tafcreate -t flt64 -e flt64 -n 3,2 -a 1=10:0.1 -a 2=-1:2 -o 'a "b".taf'
	tafcat 'a "b".taf' 'a "b".taf' >s.rsf
	tafsummarize -j 'a "b".taf' >out
	grep -q '"file":"a \\"b\\".taf","array":1,"unit":null,"min_coordinates":\[10.2,1\],"max_coordinates":\[10.1,1\],"quantiles":null}$' out
	tafsummarize -j s.rsf | sed 's/.*"file":"\([^"]*\)","array":\([0-9]*\).*/\1 \2/' >out
	same out <(printf 's.rsf 1\ns.rsf 2\n')
	tafsummarize -j -N 2 s.rsf | grep -q '"array":2,'
	tafsummarize -j <s.rsf | grep -q '"file":"standard input","array":2,'
	# numbers for people have no noise, and two that differ are seen to
	perl -e 'print pack "d<3", 1e9 + 0.001, 1e9, 0.1 + 0.2' | tafcreate -t flt64 -e flt64 -n 3,1 -a 1=1e7:0.001 -o n.taf
	tafsummarize n.taf >out
	grep -q '^min  *0.3 at index 3,1, grid 10000000.002, 1$' out
	grep -q '^max  *1000000000 at index 1,1, grid 10000000, 1$' out
	tafsummarize -x 1=1:2 n.taf | grep -q '^max  *1000000000.001 at'
}
