# SPDX-License-Identifier: ISC
load helper

# values TYPE FILE...: shape, then values row by row
convert() {
	txt2taf "$@" >got.rsf || return
	echo "$(tafprobe -k shape got.rsf): $(tafread got.rsf | xargs)"
}

@test "header, table, blank lines, footer" {
	printf 'Copper (Z=29)\n# 12 bit\n\nTime\tCH1\n 1.5\t-2e1 \r\n\n+3 4;\r\n  \n5;6\nend of it\n7 8\n' >t
	status 0 txt2taf --trailer -F rsf t
	equal "$(grep -c 'line 11' err) $(wc -l <err)" "1 1"
	equal "$(convert --trailer t)" "3,2: 1.5 3 5 -20 4 6"
	equal "$(tafcomment got.rsf)" "$(printf 'Copper (Z=29)\n# 12 bit\n\nTime\tCH1\nend of it\n7 8')"
	equal "$(tafprobe -k type got.rsf)" flt32
	equal "$(tafprobe -k intercept got.rsf) $(tafprobe -k slope got.rsf)" "inf inf"
}

@test "no header, no final newline, one number, a byte order mark" {
	equal "$(printf '7' | convert)" "1,1: 7"
	equal "$(printf '\357\273\2771;2\n3;4' | convert)" "2,2: 1 3 2 4"
	equal "$(printf '1 2 3' | convert)" "1,3: 1 2 3"
}

# refused PLACE TEXT [ARG...]: the text (by printf) is no table, for what stands at a place
refused() {
	local place=$1
	# shellcheck disable=SC2059
	printf "$2" >odd
	shift 2
	refuse 3 txt2taf "$@" odd -o no.taf
	[ ! -e no.taf ]
	equal "$(head -c $((14 + ${#place})) err)" "txt2taf: odd: $place"
}

@test "a line below the first row that is no row is refused at its place" {
	for how in '' --trailer '--missing nan'; do
		refused 'line 3, column 3: 3 columns, not 2 as in line 1' '1 2\n3 4\n5 6 7\n8 9\n' $how
		refused 'line 3, column 2: 1 columns, not 2 as in line 1' '1 2\n3 4\n5\n' $how
		refused 'line 4, column 2: 1 columns, not 2 as in line 1' '1 2\n3 4\n\n5' $how
		refused 'line 3, column 2: 6x is no number' '1 2\n3 4\n5 6x\n' $how
		refused 'line 2, column 1: 4: is no number' '1 2\n4: 5\n' $how
		refused 'line 2, column 1: "4" is no number' '1,2\n"4",5\n' $how
		refused 'line 2, column 2: "5" is no number' '1,2\n4,"5"\n' $how
		refused 'line 2, column 1: -- is no number' '1 2\n-- 3\n' $how
		refused 'line 2, column 1: <4 is no number' '1 2\n<4 3\n' $how
		refused 'line 2, column 1: ' '1 2\n\342\210\2224 3\n' $how
		refused 'line 2, column 2: a is no number' '1 2\nnan a\n' $how
	done
	for how in '' '--missing nan'; do
		refused 'line 4, column 1: end is no number (--trailer' '1 2\n3 4\n\nend 6\n7 8\n' $how
		refused 'line 2, column 1: # is no number (--trailer' '1\n# second block\n\n2\n' $how
	done
	# with numbers, even these are words of a table
	equal "$(printf '1 nan\ninf -Infinity\n' | convert)" "2,2: 1 inf nan -inf"
}

@test "a header of numbers alone is no table of one row" {
	for how in '' --trailer; do
		refused 'line 2, column 2: 3 columns, not 1' '2024\n1 2 3\n4 5 6\n' $how
		refused 'line 3, column 3: 2 columns, not 3' 'x\n1 2 3\n1 2\n3 4\n' $how
	done
	refused 'line 3: numbers below the text that follows a single row, line 1' \
	    '2024\nTime CH1\n1 2\n3 4\n' --trailer
	equal "$(printf '1 2\nend of 2\n' | convert --trailer)" "1,2: 1 2"
}

@test "a row in the header, which misses a number, is refused" {
	refused 'line 2, column 2: no number, in a line as wide' 'a,b\n1,--\n2,3\n'
	refused 'line 2, column 2: no number, in a line as wide' 'a,b\n1,N/A,\n\n2,3\n'
	refused 'line 1, column 2: no number, in a line as wide' '1;?\n2;3\n'
	refused 'line 1, column 2: no number, in a line as wide' '1 NA 3\n2 3 4\n'
	refused 'line 2, column 1: no number, in a line as wide' "x\n1'002.5 3\n999 4\n"
	refused 'line 1, column 1: no number, in a line as wide' '12:00 3\n1 2\n'
	equal "$(printf 'CH1,1\n2,3\n' | convert)" "1,2: 2 3"
	equal "$(printf '12 bit\n2 3\n' | convert)" "1,2: 2 3"
	equal "$(printf '1,x\ny\n2,3\n' | convert)" "1,2: 2 3"
	equal "$(printf '01-02-2024 12:00:05\n2 3\n' | convert)" "1,2: 2 3"
}

@test "--trailer: a line that begins with a word ends the table" {
	for word in 'end 5' '# 6' '#7' '%8' '"total" 3' '(rows) 2' '----' 'nano 5' 'inf: 5' e5 'x,1' $'\303\204 5'; do
		printf '1 2\n3 4\n%s\n5 6 7 8\n' "$word" >t
		status 0 txt2taf --trailer t -o a.taf
		[ ! -s err ]
		equal "$(tafread a.taf | xargs)" "1 3 2 4"
		equal "$(tafcomment a.taf)" "$(tail -n 2 t)"
	done
	ends 3 tafconvert t
	grep -q 't: line 3, column 1: ' err
	tafconvert --trailer t
	equal "$(tafread t.taf | xargs)" "1 3 2 4"
	printf '1 2\n3 4\nx 6\n7 8\n9 10\n' >t
	status 0 txt2taf --trailer t -o a.taf
	equal "$(cat err)" 'txt2taf: t: line 4: what could be a row stands below the end of the table'
	status 0 tafconvert -f --trailer t
	grep -q 't: line 4: what could be a row' err
}

@test "a field without a number is refused, or NaN with --missing nan" {
	printf 'a,b,c\n1,2,3\n4,,6\n7,8,9\n' >t
	refused 'line 3, column 2: no number (txt2taf --missing' "$(cat t)"
	equal "$(convert --missing nan t)" "3,3: 1 4 7 2 nan 8 3 6 9"
	refused 'line 1, column 1: no number' ',2\n3,4\n'
	refused 'line 2, column 1: no number' '1;2\n;4\n'
	refused 'line 2, column 2: no number' '1,2\n4,\n'
	refused 'line 2, column 3: no number' '1,2\n4,5,,\n'
	refused 'line 2, column 1: no number' '1,2\n,\n3,4\n'
	refused 'line 2, column 2: no number' '1,2\n3,,4\n'
	equal "$(printf ',2,\n3, ,5\r\n,,\n6,7,8,\n9,,,' | convert --missing nan)" \
	    "5,3: nan 3 nan 6 9 2 nan nan 7 nan nan 5 nan 8 nan"
	equal "$(printf '1;2;3\n;;4;\n' | convert --missing nan)" "2,3: 1 nan 2 nan 3 4"
	equal "$(printf '1\t2\t3\n4\t\t5\n \t6\t\n' | convert --missing nan)" \
	    "3,3: 1 4 nan 2 nan 6 3 5 nan"
	equal "$(printf '1,2,3\n4,,6\n' | convert --missing nan -t flt64 -c)" "2,2: 2 nan 3 6"
	refused 'line 2, column 1: no uniform grid' '1,2\n,3\n2,4\n' --missing nan -c
	refused 'line 3, column 2: value nan does not fit int16 (-32768 to 32767)' '1,2\n3,4\n5,\n' --missing nan -t int16
	equal "$(printf '1,2\n3,\n' | convert -q --missing nan --clip -t int16)" "2,2: 1 3 2 0"
	refused 'line 2, column 3: 3 columns, not 2' '1,2\n,,4\n' --missing nan
	refused 'line 2, column 2: 1 columns, not 2' '1,2\n5\n' --missing nan
	refused 'line 2, column 2: 2 columns, not 1' '5\n,\n' --missing nan
	refuse 2 txt2taf --missing 0 t
}

@test "--missing nan: every field has its place, whatever separates it" {
	equal "$(printf 't\tx\ty\n0\t\t5\n1\t3\t\n' | convert --missing nan)" "2,3: 0 1 nan 3 5 nan"
	equal "$(printf '\t\t\n1\t2\t3\n' | convert --missing nan)" "2,3: nan 1 nan 2 nan 3"
	equal "$(printf 't\tx\n0,5\t\n\t1,5 \n' | convert --missing nan --decimal ,)" "2,2: 0.5 nan nan 1.5"
	for mark in , ';' '\t'; do
		equal "$(printf 'NA@null@3\n@@\n""@n/a@N/A\nNULL@1@ None \n' | sed "s/@/$mark/g" |
		    convert --missing nan)" "4,3: nan nan nan nan nan nan nan 1 3 nan nan nan"
	done
	equal "$(printf '# by hand\nx y\n1  NA\n 2 3\n' | convert --missing nan)" "2,2: 1 2 nan 3"
	equal "$(printf '5\n""\nNA\n' | convert --missing nan)" "3,1: 5 nan nan"
	# what is but blanks without the words, unless the names say more
	equal "$(printf '1\t\t2\n\t3\t4\n' | convert)" "2,2: 1 3 2 4"
	equal "$(printf 'a\t\tb\r\n1\t\t2\r\n' | convert)" "1,2: 1 2"
	equal "$(printf 'a\tb\n1\t2\t\n' | convert)" "1,2: 1 2"
	refused 'line 2, column 2: no number (txt2taf --missing' 't\tx\ty\n0\t\t5\n1\t3\t\n'
	refused 'line 3, column 3: no number' 'about\nt\tx\ty\r\n0\t5\t\r\n1\t\t3\r\n'
	while IFS='|' read -r place text; do
		refused "$place" "$text" --missing nan
	done <<'EOF'
line 2, column 1: x is no number, nor missing, and names are in one line above|a,b\nx,2\n3,4\n
line 1, column 1: 50x is no number, nor missing, nor a name|50x\n3\n4\n
line 1, column 1: "5" is no number, nor missing, nor a name|"5","6"\n3,4\n
line 1, column 1: ? is no number, nor missing, nor a name|?;?\n3;4\n
line 3: blank, where a number may be missing|1,2\n3,4\n\t\n
line 2, column 3: 2 columns, not 3 as in line 1|t\tx\ty\n1\t2\n
line 2, column 2: 1 columns, not 2 as in line 1|t\tx\n5\n6\n
line 2, column 2: 1 columns, not 2 as in line 1|t,x\n5\n6\n
line 2: not separated by tabs, as line 1 is|t\tx\n5,6\n
line 1, column 2: a comma and another separator|1,5\t\t\n
line 1, column 3: a semicolon and another separator|1;2 3\n
line 2, column 3: a tab and another separator|1\t2\n3\t4 5\n
line 2, column 2: 1 columns, not 3 as in line 1|\t\t3\n5\n
line 2, column 3: 2 columns, not 3 as in line 1|\t\t3\n5\t6\n
line 2: blank, where a number may be missing|5\n\n6\n
line 2: blank, where a number may be missing|5\n\n
line 2: blank, where a number may be missing|x\n \n6\n
EOF
	refused 'line 2, column 3: 2 columns, not 3' '1,2,3\nNA,4\n' --missing nan --trailer
}

@test "--missing nan: random tables, and such as lack a field" {
	perl - "${TAF_TABLES:-120}" <<'EOF'
srand 30;
my @missing = ('', '', '', '""', qw(NA n/a N/A null NULL nan NaN #N/A None));
my @names = ('t', 'Time (s)', 'a b', '"u,v;"', '"q""r"', 'x-1');
sub any { $_[rand @_] }
sub put { open my $f, '>', $_[0] or die; print $f $_[1]; close $f or die }
open my $want, '>', 'want' or die;
open my $shapes, '>', 'shapes' or die;
for my $k (1 .. $ARGV[0]) {
	my ($mark, $end, $gaps) = (any("\t", "\t", ',', ';'), any("\n", "\r\n"), any(0, .3, .9));
	my ($rows, $columns, $pads) = (1 + int rand 6, 2 + int rand 4, any(0, .3));
	my (@lines, @values);
	push @lines, '# a remark' if rand() < .2;
	push @lines, 'no table yet' if (my $title = rand() < .2);
	push @lines, join $mark, 't0', map { any(@names) } 2 .. $columns if !$title && rand() < .5;
	for my $i (0 .. $rows - 1) {
		my @fields;
		for my $j (0 .. $columns - 1) {
			my $v = (int(rand 2000) - 1000) / 8;
			my $f = any($v, $v, sprintf('%+.3f', $v), sprintf('%.6e', $v));
			($v, $f) = ('nan', any(@missing)) if rand() < $gaps;
			$f = any('', ' ', '   ') . $f . any('', ' ') if rand() < $pads;
			$values[$j][$i] = $v;
			push @fields, $f;
		}
		push @lines, join $mark, @fields;
		push @lines, any('', ' ') if rand() < .05;
	}
	print $want map { map { "$_\n" } @$_ } @values;
	print $shapes "$rows,$columns\n";
	put(sprintf('t%04d', $k), join($end, @lines) . any('', $end));
	next if $k % 10 || $rows < 2;
	# one field less, or more, or one that is none
	my @rows = grep { $lines[$_] =~ /$mark/ && $lines[$_] !~ /t0/ } 0 .. $#lines;
	my ($bad, $how) = ($rows[1 + rand(@rows - 1)], any(1, 2, 3));
	$lines[$bad] =~ s/.*?$mark// if $how == 1;
	$lines[$bad] .= $mark . '5' if $how == 2;
	$lines[$bad] =~ s/^/none/ if $how == 3;
	put(sprintf('bad%04d', $k), join $end, @lines, '');
}
EOF
	txt2taf --missing nan -t flt64 t* -F rsf >got.rsf
	tafread got.rsf >got
	diff want got
	equal "$(tafprobe -k shape got.rsf)" "$(cat shapes)"
	for bad in bad*; do
		ends 3 txt2taf --missing nan "$bad" -F rsf >out
	done
}

@test "a mark at the end of a line is no field, until --missing says so" {
	for mark in , ';'; do
		equal "$(printf '1@2@3@\n4@5@6 @\r\n' | tr @ "$mark" | convert)" "2,3: 1 4 2 5 3 6"
		equal "$(printf '1@2@3\n4@5@6@\n' | tr @ "$mark" | convert)" "2,3: 1 4 2 5 3 6"
		equal "$(printf '5\n6@\n' | tr @ "$mark" | convert)" "2,1: 5 6"
		equal "$(printf '5 6@\n7 8\n' | tr @ "$mark" | convert)" "2,2: 5 7 6 8"
		equal "$(printf '1@2@\n4@5@\n' | tr @ "$mark" | convert --missing nan)" \
		    "2,3: 1 4 2 5 nan nan"
	done
	refused 'line 1, column 3: a comma and another' '5,;\n'
	refused 'line 2, column 3: a comma and another' '5\n5,;\n'
}

@test "decimal commas are refused, and read with --decimal ," {
	while IFS='|' read -r place text values; do
		refused "$place: a comma and another separator between numbers (txt2taf --decimal ," "$text"
		# shellcheck disable=SC2059
		equal "$(printf "$text" | convert -t flt64 --decimal ,)" "$values"
	done <<'EOF'
line 1, column 3|0,5;1,2\n-1,5e1;3\n|2,2: 0.5 -15 1.2 3
line 1, column 3|0,5 1,2\n,5\t3,\n|2,2: 0.5 0.5 1.2 3
line 1, column 3|1\t0,25;\n|1,2: 1 0.25
line 2, column 3|1;2\n1,5;3\n|2,2: 1 1.5 2 3
line 2, column 3|1 2\n3 4,25\n|2,2: 1 3 2 4.25
line 1, column 3|0,5;\n0,75;\n|2,1: 0.5 0.75
EOF
	refused 'line 2, column 2: not the separator of line 1 (txt2taf --decimal ,' '1 2\n3,5\n'
	# of thousands nothing can be told
	refused 'line 1, column 3: a comma and another' '1,234.5;2\n'
	refused 'line 1, column 3: a comma and another' '1 234,5\n'
	refused 'line 1, column 3: a comma and another' '1,5 ;\n' --missing nan
	refused 'line 2, column 1: 1.000,5 is no number' '1,5;2\n1.000,5;3\n' --decimal ,
	refused 'line 2, column 2: 0.5 is no number' '1,5;2\n3,5;0.5\n' --decimal ,
	refused 'no line of numbers alone' '0.5;1.2\n' --decimal ,
	refused 'line 2, column 2: value 40,5e3 does not fit int8 (-128 to 127)' '1\t2\n3\t40,5e3\n' --decimal , -t int8
	equal "$(printf 'a.b,c\n0,5;;1\n;2;3,\nend, of 1.5\n' | convert --decimal , --missing nan --trailer)" \
	    "2,3: 0.5 nan nan 2 1 3"
	equal "$(tafcomment got.rsf)" "$(printf 'a.b,c\nend, of 1.5')"
	equal "$(printf '0.5 1\n' | convert --decimal .)" "1,2: 0.5 1"
	refuse 2 txt2taf --decimal ';' t
}

@test "a carriage return is the end of a line, or refused" {
	equal "$(printf '1 2\r\r\n\r\n3 4 \r\n\r5 6\r' | convert)" "3,2: 1 3 5 2 4 6"
	refused 'line 1, column 3: a carriage return between numbers' '1 2\r3 4\r'
	refused 'line 2, column 3: a carriage return between numbers' '1 2 3 4\n1 2\r3 4\r'
}

@test "what is no number makes a header" {
	for line in '1-2' 1e 1x 0x10 '- 1 3' '1 & 2' 1.2.3 --1 e5 . 'infinit'; do
		equal "$(printf '%s\n5 6\n' "$line" | convert)" "1,2: 5 6"
		equal "$(tafcomment got.rsf)" "$line"
	done
}

@test "signs, points, exponents, nan and inf in any case: what python's float says" {
	need numpy
	cat >t <<'EOF'
+1 -2 .5 5. 1e3 1E-3
+1.25e+2 -0 00012 1e-320 1.7976931348623157e308 4.9e-324
NaN nan -INF +Inf infinity -Infinity
0.1 123456789012345678901234567890 2.2250738585072011e-308 9007199254740993 1e-400 3.14159265358979323846
EOF
	txt2taf -t flt64 t -o a.taf
	"$PYTHON" - <<'EOF'
import numpy as np
a = np.fromfile('a.taf', '<f8', 24, offset=1104).reshape(4, 6, order='F')
b = np.array([[float(x) for x in l.split()] for l in open('t')])
assert ((a == b) | (np.isnan(a) & np.isnan(b))).all()
assert np.signbit(a[1, 1]) and not np.signbit(a[0, 0])
EOF
}

@test "random numbers: flt32 and flt64 as numpy reads them, in any memory" {
	need numpy
	"$PYTHON" - <<'EOF'
import numpy as np
rng = np.random.default_rng(5)
a = rng.standard_normal((20011, 7)) * 10.0 ** rng.integers(-30, 30, (20011, 7))
np.savetxt('t', a, '%.9g')
EOF
	for m in 1 64k 1M 256M; do
		txt2taf -m $m t -o f.taf
		txt2taf -m $m -t flt64 -o d.taf <t
		cat t | txt2taf -m $m -t flt64 | taf2raw >d.raw
		"$PYTHON" - <<'EOF'
import numpy as np
text = [l.split() for l in open('t')]
d = np.array([[float(x) for x in l] for l in text])
f = np.array([[np.float32(x) for x in l] for l in text], 'f4')
n = 20011 * 7
assert (np.fromfile('d.taf', '<f8', n, offset=1104) == d.flatten('F')).all()
assert (np.fromfile('d.raw', '<f8') == d.flatten('F')).all()
assert (np.fromfile('f.taf', '<f4', n, offset=1104) == f.flatten('F')).all()
EOF
	done
}

@test "integer types: exact digits, rounding with a remark, what does not fit" {
	printf '9223372036854775807 -9223372036854775808\n-1 9007199254740993\n' >t
	equal "$(convert -t int64 t)" "2,2: 9223372036854775807 -1 -9223372036854775808 9007199254740993"
	equal "$(printf '18446744073709551615\n0\n-0\n' | convert -t uint64)" "3,1: 18446744073709551615 0 0"
	equal "$(printf '127 -128\n1e2 -0.25e2\n' | convert -t int8)" "2,2: 127 100 -128 -25"
	# all digits count, whatever form the number has
	printf '%s\n' 1e18 9223372036854775807.0 0.9007199254740993e16 -.5e1 >t
	equal "$(convert -t int64 t)" "4,1: 1000000000000000000 9223372036854775807 9007199254740993 -5"
	printf '%s\n' 2.4999999999999999999 9007199254740993.5 -9223372036854775808.4 >t
	status 0 txt2taf -t int64 t -o a.taf
	grep -q '3 values were rounded' err
	equal "$(tafread a.taf | xargs)" "2 9007199254740994 -9223372036854775808"
	printf '1.5 -1.5 2.4 -0.2\n' >t
	status 0 txt2taf -t int16 t -o a.taf
	grep -q '4 values were rounded' err
	equal "$(tafread a.taf | xargs)" "2 -2 2 0"
	while read -r type value; do
		printf 'x\n1 2\n\n3 %s\n' "$value" >t
		refuse 3 txt2taf -t "$type" t -F rsf
		grep -q "line 4, column 2: value $value " err
	done <<'EOF'
int8 128
int8 -129
int8 127.5
uint8 256
uint8 -1
uint8 nan
int16 40000
uint16 65536
int32 2147483648
int32 inf
uint32 4294967296
uint32 -1e-0
int64 9223372036854775808
int64 9223372036854775807.5
int64 -9223372036854775808.5
uint64 18446744073709551615.5
int64 1e19
uint64 18446744073709551616
uint64 1e30
flt32 1e39
flt32 -3.5e38
flt64 1e309
EOF
}

@test "--clip stores what is out of range as the limit, NaN as 0, and says how many" {
	printf '%s\n' '-300 127.6 nan' '-0.6 1e30 -inf' '5 99999999999999999999 2.5' >a
	status 0 txt2taf -t int8 --clip a -o a.taf
	equal "$(cat err)" "txt2taf: a: 2 values were rounded to integers
txt2taf: a: 6 values were clipped"
	equal "$(tafread a.taf | xargs)" "-128 -1 5 127 127 127 0 -128 3"
	txt2taf -q -t uint64 --clip a | tafread >got
	equal "$(xargs <got)" "0 0 5 128 18446744073709551615 18446744073709551615 0 0 3"
	printf '1e39 -1e39 inf nan 2\n' | txt2taf -q --clip | taf2npy -q >a.npy
	need numpy
	"$PYTHON" -c '
import numpy as np
m = np.finfo("f4").max
np.testing.assert_array_equal(np.load("a.npy")[0], [m, -m, np.inf, np.nan, 2])'
	# what is read again, for what it misses, counts once
	printf '300,1\n300,\n' | txt2taf --clip --missing nan -t uint8 2>err | tafread >got
	equal "$(xargs <got)" "255 255 1 0"
	grep -q ' 3 values were clipped' err
}

@test "a value that does not fit is no error in a footer" {
	printf '1 2\nend\n70000 is the footer\n' >t
	equal "$(convert --trailer -t int16 t)" "1,2: 1 2"
	refused 'line 2, column 2: x is no number' '1 2\n70000 x\n' -t int16
}

@test "-c: a uniform first column is the grid" {
	need numpy
	"$PYTHON" -c "
for i in range(1001): print('%.6e' % (-5e-8 + i * 1.25e-10), i * i, i % 7)" >t
	txt2taf -c t -o a.taf
	"$PYTHON" - <<'EOF'
import numpy as np
h = np.fromfile('a.taf', np.dtype([('n', '<u8'), ('o', '<f8'), ('d', '<f8')]), 2, offset=1056)
assert list(h['n']) == [1001, 2] and h['o'][0] == -5e-8
assert abs(h['d'][0] - 1.25e-10) < 1e-24
a = np.fromfile('a.taf', '<f4', 2002, offset=1104).reshape(1001, 2, order='F')
i = np.arange(1001)
assert (a == np.array([i * i, i % 7], 'f4').T).all()
EOF
	# down, too; and one row
	printf '3 1\n2.5 2\n2 3\n' | txt2taf -c -t int8 -o a.taf
	equal "$(tafprobe -k o1 a.taf) $(tafprobe -k d1 a.taf) $(tafread a.taf | xargs)" "3 -0.5 1 2 3"
	printf '3 1\n' | txt2taf -c -o a.taf
	equal "$(tafprobe -k o1 a.taf) $(tafprobe -k shape a.taf)" "3 1,1"
}

@test "-c: a first column that is no grid is refused at a line" {
	printf '0 1\n1 1\n2.00001 1\n3 1\n' >t
	refuse 3 txt2taf -c t -F rsf
	grep -q 'line 3, column 1' err
	# 0.9 millionths of a step are still on it, 1.1 are not
	printf '0 1\n1.0000009 1\n2 1\n3 1\n' | txt2taf -c -o a.taf
	printf '0 1\n1.0000011 1\n2 1\n3 1\n' >t
	refuse 3 txt2taf -c t -F rsf
	for t in '1 1\n1 1\n1 1\n' '1 1\n2 1\n1 1\n' '1 1\n2 1\nnan 1\n' 'nan 1\n2 1\n3 1\n' '1 1\n2 1\ninf 1\n'; do
		printf "$t" >t
		refuse 3 txt2taf -c t -F rsf
	done
	printf '1\n2\n' >t
	refuse 3 txt2taf -c t -F rsf
}

@test "--tolerance: a first column that is nearly a grid" {
	need numpy
	# jitter of at most 0.02 steps; what is read is the grid from the first to the last
	"$PYTHON" -c "
import random
r = random.Random(5)
for i in range(500):
    off = r.uniform(-.02, .02) if 0 < i < 499 else 0
    print('%.9g' % (7 + (i + off) * -0.25), i * i % 251)" >t
	refuse 3 txt2taf -c t -o a.taf
	refuse 3 txt2taf -c --tolerance 0.015 t -o a.taf
	grep -q 'no uniform grid from the first value to the last' err
	txt2taf -c --tolerance 0.02 -t uint8 t -o a.taf
	equal "$(tafprobe -k o1,d1,shape a.taf | xargs)" "$(printf '7 -0.25 500,1')"
	equal "$(tafread a.taf | xargs)" "$(seq 0 499 | awk '{ print $1 * $1 % 251 }' | xargs)"
	# off by exactly R, and more than a step
	printf '0 1\n1.25 2\n2 3\n' | txt2taf -c --tolerance 0.25 -o a.taf
	equal "$(tafprobe -k o1,d1 a.taf | xargs)" "0 1"
	printf '0 1\n1.25 2\n2 3\n' >t
	refuse 3 txt2taf -c --tolerance 0.2499 t -o a.taf
	refuse 3 txt2taf -c --tolerance 0 t -o a.taf
	printf '0 1\n2.5 2\n2 3\n3 1\n' | txt2taf -c --tolerance 1.5 -o a.taf
	equal "$(tafprobe -k d1 a.taf)" 1
	printf '0 1\n1 2\n2 3\n' | txt2taf -c --tolerance 0 -o a.taf
	equal "$(tafprobe -k d1 a.taf)" 1
	for t in '1 1\n1 1\n2 1\n' '1 1\n2 1\n0 1\n' '1 1\n2 1\n1 1\n' '1 1\nnan 1\n3 1\n'; do
		printf "$t" >t
		refuse 3 txt2taf -c --tolerance 5 t -F rsf
	done
	for t in -1 nan x; do
		refuse 2 txt2taf -c --tolerance "$t" t -F rsf
	done
	refuse 2 txt2taf --tolerance 1 t -F rsf
	grep -q -- '--tolerance needs -c' err
}

@test "what is no table is refused" {
	printf 'no numbers\nat all\n' >t
	refuse 3 txt2taf t -o a.taf
	: >t
	refuse 3 txt2taf t -o a.taf
	printf '\n\n ; ,\n' >t
	refuse 3 txt2taf t -o a.taf
	printf 'x\0y\n1 2\n' >t
	refuse 3 txt2taf t -o a.taf
	printf '1 2\n\0\n' >t
	refuse 3 txt2taf t -o a.taf
	[ ! -e a.taf ]
	refuse 2 txt2taf -t int12 t
	refuse 4 txt2taf missing -o a.taf
}

@test "more text around the table than is kept is told" {
	{ printf '1 2\nfoot\n'; yes 'a line of text that says nothing' | head -c 3000000; } >t
	status 0 txt2taf --trailer t -o a.taf
	grep -q 'bytes of text' err
	equal "$(tafread a.taf | xargs)" "1 2"
	tafcomment a.taf | head -n 1 | grep -q foot
}

@test "several files are several arrays; TAF where standard output is a file" {
	printf '1 2\n' >a
	printf '3\n4\n' >b
	txt2taf a b | tafread >got
	equal "$(xargs <got)" "1 2 3 4"
	txt2taf a >a.taf
	equal "$(tafprobe -k format a.taf)" taf
	txt2taf a b -o 'x-%d.taf'
	equal "$(tafread x-2.taf | xargs)" "3 4"
	refuse 3 txt2taf a b -o one.taf
}

@test "tables of the corpus" {
	need corpus numpy
	d=$TAF_CORPUS/vendor/column
	seen=0
	for f in "$d"/*; do
		[ -f "$f" ] || continue
		n=${f##*/}
		if [ ! -e "$d/expected/$n.f64" ]; then
			refuse 3 txt2taf "$f" -o no.taf
			continue
		fi
		txt2taf -t flt64 "$f" -o a.taf
		tail -c +1105 a.taf | head -c "$(wc -c <"$d/expected/$n.f64")" | cmp - "$d/expected/$n.f64"
		"$PYTHON" - "$d/expected/$n.json" "$(tafprobe -k shape a.taf)" "$(tafcomment a.taf | wc -l)" <<'EOF'
import json, sys
want = json.load(open(sys.argv[1]))
assert want['records'][0]['taf_shape'] == [int(x) for x in sys.argv[2].split(',')]
assert want['header_lines'] == int(sys.argv[3])
EOF
		rc=0
		txt2taf -c "$f" -o c.taf 2>err || rc=$?
		uniform=$(grep -c '"uniform_first_column": true' "$d/expected/$n.json" || true)
		equal $rc $((uniform ? 0 : 3))
		seen=$((seen + 1))
	done
	[ $seen -ge 4 ]
}

# big LINES: a header of lines, then rows of three, some of them CRLF or after blank lines
big() {
	awk -v n="$1" 'BEGIN {
		for (i = 1; i <= 9000; i++) print "header, line", i
		for (i = 1; i <= n; i++)
			printf "%s%d\t%.7g;%.3f %s\n", i % 1000 == 5 ? "\n \n" : "", i,
				i / 7, -i * 0.37, i % 3 == 0 ? "\r" : ""
	}'
}

@test "any number of threads makes the same array, from file and pipe" {
	need numpy
	big 60000 >t
	printf '60001 1 2' >>t
	for of in '' '-t flt64' '-c -t flt64' '-q -t int32'; do
		txt2taf -J 1 $of t -o want
		for jobs in 2 3 70; do
			txt2taf -J $jobs $of t -o got
			same want got
			cat t | txt2taf -J $jobs $of -o got
			same want got
			txt2taf -m 2M -J $jobs $of t -o got
			same want got
		done
	done
	txt2taf -t flt64 t | taf2raw >raw
	"$PYTHON" - <<'EOF'
import numpy as np
want = [l.replace(';', ' ').split() for l in open('t') if l.strip() and l[0] != 'h']
want = np.array([[float(x) for x in l] for l in want])
assert want.shape == (60001, 3)
assert (np.fromfile('raw').reshape(60001, 3, order='F') == want).all()
EOF
	equal "$(txt2taf t | tafcomment | tail -n 1)" "header, line 9000"
}

@test "the line is named, and the footer is whole, however many threads there are" {
	for jobs in 1 2 3; do
		{ big 40000; printf '70000 1 2\n'; big 20000; printf '1 70000 2\n'; } >t
		# 9000 of header, and two blank ones for each thousand
		status 3 txt2taf -J $jobs -q -t int16 t -o no.taf
		grep -q 'line 41834, column 1: value 32768 ' err
		[ ! -e no.taf ]
		sed 's/^30000\t/x&/' t >u
		status 0 txt2taf -J $jobs -q --trailer -t int16 u -o a.taf
		equal "$(tafprobe -k shape a.taf)" 29999,3
		equal "$(tafread -x 1=end a.taf | xargs)" "29999 4286 -11100"
		# the comment is the header and what follows
		{ head -n 9000 u; sed -n '39060,$p' u; } | tr -d '\r' | head -c 1000000 >want
		tafcomment a.taf | head -c 1000000 >got
		same want got
		{ head -n 40000 t; printf '1 2\n'; } >u
		status 3 txt2taf -J $jobs u -o no.taf
		grep -q 'line 40001, column 3: 2 columns, not 3 as in line 9001' err
		{ big 40000; printf '1 1 2\n'; } >u
		status 3 txt2taf -J $jobs -c u -o no.taf
		grep -q 'line 49081, column 1' err
	done
}

@test "lines longer than what is read at once" {
	need numpy
	"$PYTHON" -c "
for k in range(3): print(' '.join(str(i * 7 % 1009 + k) for i in range(200003)))" >t
	for jobs in 1 3; do
		txt2taf -J $jobs -t int32 t -o a.taf
		equal "$(tafprobe -k shape a.taf)" 3,200003
		taf2raw a.taf >raw
		"$PYTHON" - <<'EOF'
import numpy as np
a = np.fromfile('raw', '<i4').reshape(3, 200003, order='F')
i = np.arange(200003) * 7 % 1009
assert all((a[k] == i + k).all() for k in range(3))
EOF
	done
}

@test "all processors are used where -J is not said" {
	seq 1 100000 >many.txt
	uses_processors many.txt txt2taf
}

# names_of HEADER [MARK]: what is made of it above two rows of three numbers
names_of() {
	local m=${2:-,}
	printf '%s\n1%s2%s3\n2%s4%s5\n' "$1" "$m" "$m" "$m" "$m" | txt2taf -c >t.rsf || return 1
	tafprobe -j t.rsf | sed 's/.*"label1":\([^,]*\),"unit1":\([^,]*\),.*"attributes":/\1 \2 /; s/}$//'
}

@test "-c: names above the columns become label, units and channels" {
	equal "$(names_of 'Time (s),C1 (V),C2 (V)')" '"Time" "s" {"unit":"V"}'
	equal "$(names_of 'Time (s),CH1 (V),CH2 (V)')" '"Time" "s" {"unit":"V","channel":"CH1,CH2"}'
	# the units differ: they stay where they are
	equal "$(names_of 't,CH1 (V),CH2 (A)')" '"t" null {"channel":"CH1 (V),CH2 (A)"}'
	equal "$(names_of 't;x y;"a;""b"" (1)"' ';')" '"t" null {"channel":"x y,a;\"b\" (1)"}'
	equal "$(names_of "# t (s)	x	y" "	")" '"t" "s" {"channel":"x,y"}'
	equal "$(names_of "$(printf 'about a,b,c\n# names: Time (s),A (V),B (V)\nanother, line, here')")" '"Time" "s" {"unit":"V","channel":"A,B"}'
	equal "$(names_of 't (),x,y ( )')" '"t ()" null {"channel":"x,y ( )"}'
	# not as many, with a comma in it, or with nothing between: no names
	equal "$(names_of 'Time (s),C1 (V)')" 'null null {}'
	equal "$(names_of 'a,b,c,d')" 'null null {}'
	equal "$(names_of 'a,"b,x",c')" '"a" null {}'
	equal "$(names_of 'Time Volt Ampere' ' ')" 'null null {}'
	# it is in the comment as before
	names_of 'Time (s),C1 (V),C2 (V)' >got
	equal "$(tafcomment t.rsf)" 'Time (s),C1 (V),C2 (V)'
	# without a grid all columns have names
	printf 't,y\n1,2\n2,5\n' | txt2taf -o t.taf
	equal "$(tafcrop -x 2=y t.taf | tafread | xargs)" '2 5'
	equal "$(tafexport --csv t.taf)" "$(printf 't,y\n1,2\n2,5')"
	printf 'a (V),b (V)\n1,2\n' | txt2taf | tafprobe -j | grep -q '"attributes":{"unit":"V","channel":"a,b"}'
}
