# SPDX-License-Identifier: ISC
load helper

# floats FILE TYPE N1[,N2] NUMBER...: a TAF file of these values
floats() {
	local file=$1 type=$2 n=$3
	shift 3
	perl -e '
		my %code = (int8 => "c", uint8 => "C", int16 => "s<", int32 => "l<", int64 => "q<",
		    uint64 => "Q<", flt32 => "f<", flt64 => "d<");
		my $t = shift;
		print pack "$code{$t}*", map { /^([-+]?)inf$/ ? "$1" . 9**9**9 : $_ eq "nan" ?
		    -sin(9**9**9) : $_ } @ARGV' "$type" "$@" |
		tafcreate -n "$n" -t "$type" -e "${type}le" -a 1=1:0.5 ${grid:-} -o "$file"
}

# gives TEXT ARGUMENT...: the values that tafmath prints, blanks between them
gives() {
	local want=$1
	shift
	equal "$(tafmath "$@" | tafread | tr '\n' ' ')" "$want "
}

# The lines of expressions.txt: the names of the inputs, an expression over them, the type of
# the result, and its elements as numpy and Python's integers have them, or - for a refusal.
@test "hundreds of expressions give the bits that Python and numpy give" {
	grid='-a 2=2:1'
	floats p.taf int16 3,2 0 -1 7 300 -32768 32767
	floats q.taf flt32 3,2 0.5 -0.0 inf nan -7.25 1e30
	floats r.taf uint8 3,2 0 1 2 100 200 255
	floats s.taf int64 3,2 9007199254740993 -9223372036854775808 9223372036854775807 3 -5 0
	perl -e 'print pack "d<*", 1/3, -2.5, 1e300, 2**-1074, -1e16, 4' |
		tafcreate -n 3,2 -t flt64 -e flt64le -a 1=1:0.5 -a 2=2:1 -o t.taf
	while IFS=$'\t' read -r names text type want; do
		words=()
		for ((k = 0; k < ${#names}; k++)); do
			words+=(--let "${names:k:1}=${names:k:1}.taf")
		done
		if [ "$want" = - ]; then
			refuse 3 tafmath -q "${words[@]}" -- "$text" || echo "$text" >>wrong
			continue
		fi
		tafmath -q "${words[@]}" -- "$text" >one || { echo "$text" >>wrong; continue; }
		taf2raw one >raw
		echo "$want $(od -An -v -t x1 raw | tr -d ' \n')" >pair
		read -r want got <pair
		[ "$want" = "$got" ] || echo "$text: $want, not $got" >>wrong
	done <"$BATS_TEST_DIRNAME/expressions.txt"
	[ ! -e wrong ] || { cat wrong; false; }
}

@test "2*-x1 is no error of syntax" {
	gives '-2 -2.5' -n 2 -a 1=1:0.25 '2*-x1'
	gives '0.5 0.25' -n 2 '2^-i1'
	gives '512 512' -n 2 '2^3^2'
	gives '-4 -4' -n 2 -- '-2^2'
}

@test "n1*2 is a number" {
	gives '6 6 6' -n 3 'n1*2'
	gives '11 12 21 22' -n 2,2 'i1 + n1*5*i2'
}

@test "x1 and i1 count on behind 2^24" {
	tafmath -n 16777300 -t flt64 'i1 - x1' | tafsummarize -j | grep -q '"min":0,"max":0,'
	tafmath -n 16777300 -t int32 -a 1=1:1 'x1' | tafcrop -x 1=16777216:16777219 | tafread >got
	printf '%s\n' 16777216 16777217 16777218 16777219 | diff - got
	# flt32 has not all of them, and that is said
	tafmath -n 16777300 'i1' 2>err >out
	equal "$(<err)" "tafmath: 42 of 16777300 values rounded to flt32"
	# each by itself: no sum of steps
	tafmath -n 3000001 -a 1=0:0.1 -t flt64 'x1' | tafcrop -x 1=end | tafread >got
	equal "$(<got)" 300000
}

@test "NaN and 1e20 do not become integers" {
	floats a.taf flt64 3 1 1e20 nan
	refuse 3 tafmath -t int32 a a.taf
	equal "$(<err)" "tafmath: a.taf: element [2]: value 1e20 does not fit int32 (-2147483648 to 2147483647): --clip stores the nearest that does"
	tafmath -t int32 --clip a a.taf 2>err | tafread >got
	printf '%s\n' 1 2147483647 0 | diff - got
	equal "$(<err)" "tafmath: 2 of 3 values clipped to int32"
}

@test "an infinity does not make others zero" {
	floats a.taf flt32 4 1 inf -2 4
	gives '0.5 inf -1 2' a/2 a.taf
}

@test "a division by zero is not passed over" {
	floats a.taf flt32 3 1 -2 0
	floats b.taf flt32 3 0 0 0
	gives 'inf -inf nan' a/b a.taf b.taf
	floats a.taf int32 3 1 -2 0
	refuse 3 tafmath 'a//(a+2)' a.taf
	equal "$(<err)" "tafmath: a.taf: element [2]: -2 // 0"
	refuse 3 tafmath 'a%(a-1)' a.taf
	equal "$(<err)" "tafmath: a.taf: element [1]: 1 % 0"
}

@test "200 + 100 in uint8 is not 44" {
	floats a.taf uint8 2 1 200
	refuse 3 tafmath a+100 a.taf
	equal "$(<err)" "tafmath: a.taf: element [2]: value 300 does not fit uint8 (0 to 255): --clip stores the nearest that does"
	gives '101 300' -t uint16 a+100 a.taf
	tafmath --clip a+100 a.taf 2>err | tafread >got
	printf '%s\n' 101 255 | diff - got
	equal "$(<err)" "tafmath: 1 of 2 values clipped to uint8"
}

@test "a word that nobody knows is refused" {
	mktaf a.taf flt32 4,3
	refuse 2 tafmath 'cut(a, lower=1)' a.taf
	[[ $(<err) == *'column 1: unknown function "cut" (known: abs sign '*'randn)' ]]
	refuse 2 tafmath 'a + upper' a.taf
	[[ $(<err) == *'column 5: unknown name "upper" (known: a x1 '* ]]
	refuse 2 tafmath --lower=3 a a.taf
	refuse 2 tafmath 'mean(a)' a.taf
	[[ $(<err) == *'tafreduce computes it'* ]]
}

@test "an integer of 64 bits keeps all digits" {
	floats a.taf int64 3 9007199254740993 -9223372036854775807 9223372036854775806
	gives '9007199254740993 -9223372036854775807 9223372036854775806' a a.taf
	gives '9007199254740992 -9223372036854775808 9223372036854775805' a-1 a.taf
	gives '1 0 1' 'a > 9007199254740992' a.taf
	gives '9007199254740993 0 9223372036854775806' 'max(a, 0)' a.taf
	refuse 3 tafmath 'a*2' a.taf
	[[ $(<err) == *'element [2]: -9223372036854775807 * 2 does not fit int64 ('* ]]
	# as real numbers they are rounded, and that is said
	tafmath 'a/1' a.taf 2>err >out
	equal "$(<err)" "tafmath: 3 integers rounded to flt64 while they were computed"
	tafmath -q 'a/1' a.taf 2>err >out
	[ ! -s err ]
}

@test "what a condition leaves out does not fail" {
	floats a.taf int32 4 6 7 8 9
	floats b.taf int32 4 0 2 0 -2
	gives '0 3 0 -5' 'b != 0 ? a//b : 0' a.taf b.taf
	gives '0 1 0 0' 'b != 0 and a//b > 0' a.taf b.taf
	gives '1 1 1 0' 'b == 0 or a//b > 0' a.taf b.taf
	refuse 3 tafmath 'b == 0 ? a//b : 0' a.taf b.taf
	equal "$(<err)" "tafmath: element [1]: 6 // 0"
}

@test "types of results" {
	mktaf i.taf int16 4,3
	mktaf u.taf uint16 4,3
	mktaf f.taf flt32 4,3
	mktaf d.taf flt64 4,3
	tafread -b i.taf | tafcreate -q -n 4,3 -t int16 -e flt64 -o m.taf
	while read -r type text files; do
		# shellcheck disable=SC2086 # names
		equal "$(tafmath "$text" $files | tafprobe -k type) $text $files" "$type $text $files"
	done <<'END'
int16 a+1 i.taf
int64 a+b i.taf u.taf
flt32 a/2 i.taf
flt32 a+0 m.taf
flt32 a+b f.taf m.taf
flt64 a+b f.taf d.taf
uint8 a>b f.taf d.taf
uint8 not(a) f.taf
int64 a>3?1:0 f.taf
uint16 a>3?1:0 u.taf
flt32 a^2 i.taf
complex a*I f.taf
complex128 a*I d.taf
flt32 abs(a*I) f.taf
END
	# the mapping is applied, and gone
	[ "$(tafprobe -k slope m.taf)" != "$(tafprobe -k slope i.taf)" ]
	equal "$(tafmath a m.taf | tafprobe -k slope)" "$(tafprobe -k slope i.taf)"
	diff <(tafmath -t flt64 a m.taf | tafread) <(tafread m.taf)
}

@test "an array of length 1 is extended, and so is one of fewer dimensions" {
	mktaf a.taf flt32 4,3,2
	mktaf col.taf flt32 4
	mktaf row.taf flt32 1,3
	mktaf one.taf flt32 1
	tafmath 'a + 1000*b + 1e5*c + 1e7*d' a.taf col.taf row.taf one.taf -t flt64 | tafread >got
	perl -e '
		sub v { ($_[0] * 7 + 3) % 101 }
		for my $k (0 .. 1) { for my $j (0 .. 2) { for my $i (0 .. 3) {
			print v($i + 4 * $j + 12 * $k) + 1000 * v($i) + 1e5 * v($j) + 1e7 * v(0), "\n"
		} } }' | diff - got
	tafmath 'a + b' col.taf row.taf | tafprobe -k shape >got
	equal "$(<got)" 4,3
	mktaf b.taf flt32 4,2
	refuse 3 tafmath a+b a.taf b.taf
	[[ $(<err) == *'dimension 2: length 2, but the arrays before have 3' ]]
}

@test "the grid is the first that there is, and another one is remarked" {
	mktaf a.taf flt32 4,3
	mktaf row.taf flt32 1,3
	tafadjust --start 2=7 a.taf -o b.taf
	tafmath a+b row.taf b.taf -o c.taf 2>err
	equal "$(tafprobe -k o2 c.taf) $(tafprobe -k o1 c.taf)" "1.5 0.5"
	equal "$(<err)" "tafmath: b.taf: dimension 2: its grid is not that of the result"
	tafmath -q a+b row.taf b.taf 2>err >out
	[ ! -s err ]
	tafadjust --start 2=1.50000001 a.taf -o b.taf
	tafmath a+b a.taf b.taf 2>err >out
	[ ! -s err ]
}

@test "comment and attributes are those of the first" {
	mktaf a.taf flt32 4,3
	tafcomment -C one a.taf -o b.taf
	tafadjust --label 1=Time --unit 1=s b.taf -o a.taf
	tafcomment -C two a.taf -o b.taf
	tafmath a+b a.taf b.taf -o c.taf
	equal "$(tafcomment c.taf)" one
	equal "$(tafprobe -k label1 c.taf) $(tafprobe -k unit1 c.taf)" "Time s"
	# of a pipe the comment comes behind the elements
	cat a.taf | tafmath -F taf 'a+a' >d.taf
	equal "$(tafcomment d.taf)" one
}

@test "the unit of the values stays where the expression keeps it" {
	mktaf x.taf flt32 4,3
	tafput unit=V note=1 x.taf -o a.taf
	tafmath '2*a' a.taf -o b.taf
	equal "$(tafprobe b.taf | grep '^attr' | xargs)" 'attribute unit = V attribute note = 1'
	# of a pipe the attributes come behind the elements
	cat a.taf | tafmath -F taf '20*log10(abs(a) + 1)' >b.taf
	equal "$(tafprobe b.taf | grep '^attr' | xargs)" 'attribute note = 1'
}

@test "a constant in the shape of another array" {
	floats a.taf flt32 3 nan 2 inf
	refuse 2 tafmath 1 a.taf
	gives '1.5 1.5 1.5' '1.5 + 0*isnan(a)' a.taf
	gives 'nan 1.5 nan' '0*a + 1.5' a.taf
}

@test "streams advance together, and one array serves all" {
	mktaf a.taf flt32 4,3
	mktaf b.taf flt32 5
	mktaf one.taf flt32 1
	cat <(tafcrop a.taf) <(tafcrop b.taf) >two.rsf
	tafmath 'a - b' two.rsf two.rsf >zero
	tafprobe -k shape zero >got
	printf '%s\n' 4,3 5 | diff - got
	tafmath 'a * b' two.rsf one.taf | tafread -N 2 >got
	perl -e 'print 3 * (($_ * 7 + 3) % 101), "\n" for 0 .. 4' | diff - got
	cat two.rsf <(tafcrop b.taf) >three.rsf
	refuse 3 tafmath a+b two.rsf three.rsf
	grep -q '3 arrays, but .*two.rsf has 2' err
	# each has the type that its arrays give
	cat <(tafcrop a.taf) <(tafmath -t int16 a b.taf) | tafmath a+1 | tafprobe -k type >got
	printf '%s\n' flt32 int16 | diff - got
	equal "$(tafmath -N 2 a two.rsf | tafprobe -k shape)" 5
}

@test "inputs by name, and standard input" {
	mktaf a.taf flt32 4,3
	tafmath 'a + vel/2' --let vel=a.taf a.taf | tafread >got
	perl -e 'print 1.5 * (($_ * 7 + 3) % 101), "\n" for 0 .. 11' | diff - got
	tafmath 'vel*1.5' --let vel=a.taf </dev/null | tafread | diff - got
	tafmath 'a*1.5' <a.taf | tafread | diff - got
	tafmath 'input*1.5' - <a.taf | tafread | diff - got
	tafmath 'a*0.5 + v' --let v=a.taf <a.taf | tafread | diff - got
	for let in v a=a.taf sin=a.taf x1=a.taf e=a.taf =a.taf v= 1v=a.taf; do
		refuse 2 tafmath 'a + v' --let "$let" a.taf
	done
	refuse 2 tafmath 'a + v' --let v=a.taf --let v=a.taf a.taf
	# the fifth file is e
	floats n.taf flt64 1 5
	gives 15 'a+b*c/d+e-b+b' n.taf n.taf n.taf n.taf n.taf
	gives 2.7182817 -n 1 e
}

@test "an input that is not used is a wrong invocation" {
	mktaf a.taf flt32 4,3
	refuse 2 tafmath 'a*2' a.taf a.taf
	[[ $(<err) == *'input b is not used'* ]]
	refuse 2 tafmath '1' a.taf
	refuse 2 tafmath 'a' a.taf --let v=a.taf
	refuse 2 tafmath 'v' a.taf --let v=a.taf
}

@test "-n makes an array of nothing" {
	tafmath -n 3,2 -a 1=0:0.5 -a 2=10:1 'x1 + x2' >a
	equal "$(tafread a | tr '\n' ' ')" "10 10.5 11 11 11.5 12 "
	equal "$(tafprobe -k type a) $(tafprobe -k d1 a) $(tafprobe -k o2 a)" "flt32 0.5 10"
	equal "$(tafmath -n 3 -t int8 i1 | tafprobe -k type)" int8
	mktaf a.taf flt32 4,3
	refuse 2 tafmath -n 3 1 a.taf
	refuse 2 tafmath -n 3, 1
	refuse 2 tafmath -a 1=0:1 a a.taf
	refuse 2 tafmath -n 3 -a 2=0:1 1
	refuse 2 tafmath -n 3 -N 2 1
	refuse 2 tafmath -n 3 a
	refuse 2 tafmath
	refuse 3 tafmath -n 3 x2
	[[ $(<err) == *'column 1: x2, but the result has 1 dimension' ]]
}

@test "a complex array: its arithmetic, its parts, and no order" {
	mktaf a.taf flt32 3
	tafmath '(1+2*I)*(3-4*I)/(1+I)' -n 1 | tafread >got
	equal "$(<got)" "6.5 -4.5"
	tafmath 'z = polar(a, a/50); abs(z) - a' a.taf -t flt64 | tafread |
		perl -ne 'exit 1 if abs > 1e-13'
	tafmath 'a*exp(I*pi/2)' a.taf >z
	equal "$(tafprobe -k type z)" complex
	refuse 2 tafmath 'a < 1' z
	[[ $(<err) == *'column 3: "<" of complex values: compare abs, real or imag' ]]
	refuse 2 tafmath 'floor(a)' z
	refuse 3 tafmath -t flt32 'a*1' z
	equal "$(tafmath -t complex128 a a.taf | tafprobe -k type)" complex128
}

@test "complex functions are those of Python" {
	need numpy
	tafmath -n 40,40 -a 1=-3.9:0.2 -a 2=-3.95:0.2 -t complex128 'x1+x2*I' -o z.taf
	for f in exp log sqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh; do
		tafmath "$f(a)" z.taf | taf2raw >$f.raw
	done
	tafmath 'a^a' z.taf | taf2raw >pow.raw
	tafmath '(a+1)/(a*a-2*I)' z.taf | taf2raw >div.raw
	"$PYTHON" - <<'END'
import numpy as np
x = -3.9 + np.arange(40) * 0.2
y = -3.95 + np.arange(40) * 0.2
z = (x[None, :] + 1j * y[:, None]).ravel()
names = {'asin': 'arcsin', 'acos': 'arccos', 'atan': 'arctan', 'asinh': 'arcsinh',
         'acosh': 'arccosh', 'atanh': 'arctanh'}
for f in 'exp log sqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh'.split():
    got = np.fromfile(f + '.raw', '<c16')
    want = getattr(np, names.get(f, f))(z)
    assert (abs(got - want) <= 1e-14 * abs(want)).all(), f
got = np.fromfile('pow.raw', '<c16')
assert (abs(got - z ** z) <= 1e-13 * abs(z ** z)).all()
got = np.fromfile('div.raw', '<c16')
want = (z + 1) / (z * z - 2j)
assert (abs(got - want) <= 1e-14 * abs(want)).all()
END
}

@test "the same bytes for every number of threads and every bound of memory" {
	mktaf a.taf flt32 1000,700 0.37
	mktaf col.taf int16 1000
	mktaf row.taf flt64 1,700 1e-3
	words=('sqrt(a)*b + where(c > 0.05, x1*x2, rand(3)) + a//0.3 - i2%7' a.taf col.taf row.taf)
	tafmath -J 1 "${words[@]}" >want
	for opt in '-J 2' '-J 7' '-m 300k' '-m 64k -J 3' '-m 4G'; do
		# shellcheck disable=SC2086 # several words
		tafmath $opt "${words[@]}" >got
		same want got
	done
	taf2raw want >elements
	cat a.taf | tafmath "${words[0]}" - col.taf row.taf | taf2raw | cmp - elements
	tafcrop a.taf | dd bs=977 2>/dev/null | tafmath "${words[0]}" - col.taf row.taf |
		taf2raw | cmp - elements
	expr=a
	for k in {1..150}; do
		expr="sin(b + $k) - ($expr)"
	done
	refuse 3 tafmath -m 64k "$expr" a.taf col.taf
	grep -q 'bytes of memory, more than the 65536 of -m' err
}

@test "the first failure is that of one thread" {
	tafmath -n 1000,900 -t int32 'i1 + 1000*(i2-1)' -o a.taf
	for jobs in 1 2 5; do
		status 3 tafmath -J $jobs '1//(a - 654321) + 1//(a-300000)' a.taf
		equal "$(<err)" "tafmath: a.taf: element [1000,300]: 1 // 0"
	done
}

@test "random numbers are those that the page tells" {
	tafmath -n 3,2 -t flt64 'rand(12345)' | tafread >got
	tafmath -n 3,2 -t flt64 'randn(12345)' | tafread >normal
	perl -e '
		sub mul { use integer; my ($x, $y) = @_; my $z = $x * $y; no integer; unpack "Q", pack "q", $z }
		sub add { use integer; my ($x, $y) = @_; my $z = $x + $y; no integer; unpack "Q", pack "q", $z }
		sub mix {
			my $z = shift;
			$z = mul($z ^ $z >> 30, 0xbf58476d1ce4e5b9);
			$z = mul($z ^ $z >> 27, 0x94d049bb133111eb);
			$z ^ $z >> 31
		}
		my $G = 0x9e3779b97f4a7c15;
		sub u { my ($s, $j, $k) = @_;
			(mix(add(mix(add(mix(add($s, $G)), $j)), mul($k, $G))) >> 12) / 2**52 }
		open my $f, "<", "got" or die;
		open my $g, "<", "normal" or die;
		for my $k (1 .. 6) {
			my $x = <$f>;
			die "rand $k: $x" if $x != u(12345, 0, $k);
			my $want = sqrt(-2 * log(1 - u(12345, 0, $k))) *
			    cos(2 * 3.14159265358979323846 * u(12345, 1, $k));
			$x = <$g>;
			die "randn $k: $x" if abs($x - $want) > 1e-14;
		}'
	refuse 2 tafmath -n 3 'rand(i1)'
	refuse 2 tafmath -n 3 'rand(1.5)'
}

@test "places of errors are columns of characters" {
	mktaf a.taf flt32 4,3
	refuse 2 tafmath 'a + é' a.taf
	[[ $(<err) == 'tafmath: expression: column 5: '* ]]
	refuse 2 tafmath ' (a + 1 ' a.taf
	[[ $(<err) == 'tafmath: expression: column 2: "(" has no ")"' ]]
	refuse 2 tafmath 'a && 1' a.taf
	[[ $(<err) == *'column 3: "&&" is not known: it is "and"' ]]
	refuse 2 tafmath "$(printf '%*s' 65537 a)" a.taf
	[[ $(<err) == *'65537 bytes, at most 65536 can be' ]]
	refuse 2 tafmath "$(printf '(%.0s' $(seq 257))a$(printf ')%.0s' $(seq 257))" a.taf
	[[ $(<err) == *'more than 256 levels'* ]]
	tafmath "$(printf '(%.0s' $(seq 256))a$(printf ')%.0s' $(seq 256))" a.taf | cmp - <(tafmath a a.taf)
}

@test "an array of no elements stays one" {
	tafmath -n 0,3 'x1+1' >a
	equal "$(tafprobe -k shape a)" 0,3
	tafmath 'a*2' a | tafprobe -k shape >got
	equal "$(<got)" 0,3
}
