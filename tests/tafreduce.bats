# SPDX-License-Identifier: ISC
load helper

# rsf FILE KEYS DATA: a stream of one array
# numbers FILE VALUE...: a stream of flt32 (of TYPE, with TYPE=T) as long as there are values
numbers() {
	local file=$1
	shift
	printf '%s\n' "$@" | txt2taf -t "${TYPE:-flt32}" | tafcrop --squeeze -o "$file"
}

# gives WORDS VALUE: tafreduce WORDS prints it
gives() {
	equal "$(eval "tafreduce -q $1" | tafread)" "$2" || { echo "tafreduce $1"; return 1; }
}

# exact values, as fractions of big integers, by perl: exact OP <NUMBERS
exact() {
	perl -we '
		use strict;
		my ($op, @v) = ($ARGV[0], map { 0 + $_ } <STDIN>);
		my ($n, $s, $q) = (scalar @v, 0, 0);
		# integers below 2^26 of which 2^11 may be squared and added without loss
		for (@v) { $s += $_; $q += $_ * $_ }
		my $m = $s / $n;
		my $d = 0;
		$d += ($_ * $n - $s) ** 2 for @v;
		my %r = (sum => $s, mean => $m, var => $d / $n ** 3, var1 => $d / $n ** 2 / ($n - 1),
			std => sqrt($d / $n ** 3), std1 => sqrt($d / $n ** 2 / ($n - 1)),
			rms => sqrt($q / $n));
		printf "%.17g\n", $r{$op};
	' "$1"
}

@test "every operation on a few numbers" {
	numbers a.taf 3 -1 4 1 -5 9 2 6
	gives 'sum a.taf' 19
	gives 'mean a.taf' 2.375
	gives 'var -t flt64 a.taf' 15.984375
	gives 'var1 -t flt64 a.taf' 18.267857142857142
	gives 'std -t flt64 a.taf' 3.998046397929869
	gives 'std1 -t flt64 a.taf' 4.274091382136927
	gives 'rms -t flt64 a.taf' 4.650268809434569
	gives 'min a.taf' -5
	gives 'max a.taf' 9
	gives 'range a.taf' 14
	gives 'absmax a.taf' 9
	gives 'prod a.taf' 6480
	gives 'median a.taf' 2.5
	gives 'quantile=0.25 a.taf' 0.5
	gives 'quantile=0 a.taf' -5
	gives 'quantile=1 a.taf' 9
	gives 'mad a.taf' 2.5
	gives 'count a.taf' 8
	gives 'nan a.taf' 0
	gives 'argmin --index a.taf' 5
	gives 'argmax --index a.taf' 6
	gives 'first a.taf' 3
	gives 'last a.taf' 6
	gives 'any a.taf' 1
	gives 'all a.taf' 1
}

@test "every type along every set of dimensions, against sums by perl" {
	for type in int8 uint8 int16 uint16 int32 uint32 int64 uint64 flt32 flt64; do
		mktaf a.taf $type 7,5,3
		tafread a.taf >values
		for d in 1 2 1,3; do
			perl -we '
				my ($d, @n) = ($ARGV[0], 7, 5, 3);
				my @v = map { 0 + $_ } <STDIN>;
				my %in = map { $_ => 1 } split /,/, $d;
				my (%s, @keys);
				for my $k (0 .. 2) { for my $j (0 .. 4) { for my $i (0 .. 6) {
					my $key = join " ", $in{1} ? 0 : $i, $in{2} ? 0 : $j, $in{3} ? 0 : $k;
					push @keys, $key if !exists $s{$key};
					push @{$s{$key}}, $v[$i + 7 * ($j + 5 * $k)];
				} } }
				for my $op (qw(sum min max first last count)) { for (@keys) {
					my @x = @{$s{$_}};
					my @y = sort { $a <=> $b } @x;
					my $sum = 0;
					$sum += $_ for @x;
					my %r = (sum => $sum, min => $y[0], max => $y[-1], first => $x[0],
						last => $x[-1], count => scalar @x);
					print "$r{$op}\n";
				} }' $d <values >want
			tafreduce sum,min,max,first,last,count -d $d a.taf | tafread >got
			same want got || { echo "$type -d $d"; return 1; }
		done
	done
}

@test "moments of integers and floats, as fractions have them" {
	perl -e 'srand 3; print int(rand(60000)) - 30000, "\n" for 1 .. 1777' >v
	for type in int16 int32 int64 flt32 flt64; do
		txt2taf -t $type v -o a.taf
		for op in sum mean var var1 std std1 rms; do
			want=$(exact $op <v)
			got=$(tafreduce -t flt64 $op a.taf | tafread)
			perl -e 'exit !(abs($ARGV[0] - $ARGV[1]) <= 3e-16 * abs $ARGV[1])' -- "$got" "$want" ||
				{ echo "$type $op: $got, not $want"; return 1; }
		done
	done
}

@test "neither threads, memory, pipes nor cuts change a bit" {
	perl -e 'srand 5; print pack "f<*", map { (rand() - 0.5) * 2 ** int(rand 60) } 1 .. 31 * 23 * 19' >raw
	tafcreate -n 31,23,19 raw -o a.taf
	local ops=sum,mean,std,var1,rms,min,max,range,absmax,median,quantile=0.3,mad,count,first,last,any
	for d in 1 2 3 1,3; do
		tafreduce $ops -d $d -F taf a.taf >want
		for how in '-J 1 -m 64k' '-J 3' '-m 1'; do
			# shellcheck disable=SC2086 # words
			tafreduce $ops -d $d $how -F taf a.taf >got
			same want got
			# shellcheck disable=SC2086 # words
			tafcrop a.taf | tafreduce $ops -d $d $how -F taf >got
			same want got
		done
	done
	tafmath '1.3 * a / abs(a)' a.taf -o b.taf
	tafreduce prod -d 1,2 -t flt64 b.taf >want
	tafreduce prod -d 1,2 -t flt64 -m 3k -J 3 b.taf >got
	same want got
}

@test "more results than the memory holds accumulators for" {
	mktaf a.taf int16 3001,2,3
	tafreduce mean,std -d 3 -F taf a.taf >want
	for m in 1 4k 40k 100k; do
		tafcrop a.taf | tafreduce mean,std -d 3 -m $m -F taf >got
		same want got
		tafreduce mean,std -d 3 -m $m -F taf a.taf >got
		same want got
	done
}

@test "a line that the memory does not hold has a median" {
	perl -e 'srand 7; print pack "f<*", map { (rand() - 0.5) * 2 ** int(rand 30) } 1 .. 100000' >raw
	for shape in 100000 2,50000 50000,2; do
		tafcreate -n $shape raw -o a.taf
		d=1
		[ $shape != 2,50000 ] || d=2
		for op in median quantile=0.37 mad; do
			tafreduce -t flt64 $op -d $d a.taf | tafread >want
			tafreduce -t flt64 $op -d $d -m 30k -J 2 a.taf | tafread >got
			same want got
		done
	done
	perl -e '@v = sort { $a <=> $b } unpack "f<*", join "", <>; printf "%.17g\n", ($v[49999] + $v[50000]) / 2' <raw >want
	tafcreate -n 100000 raw -o a.taf
	equal "$(tafreduce -t flt64 median -m 30k a.taf | tafread --printf %.17g)" "$(<want)"
}

@test "the grid of what was reduced" {
	mktaf a.taf int16 12,6
	tafadjust --start 1=5 --step 1=0.5 --label 1=Time --unit 1=s a.taf -o b.taf
	tafreduce mean -d 1 b.taf -o c.taf
	equal "$(for k in n1 o1 d1 label1 unit1 n2 o2 d2; do tafprobe -k $k c.taf; done | xargs)" \
		"1 7.75 6 Time s 6 1.5 0.5"
	tafreduce mean -d 1 --squeeze b.taf -o c.taf
	equal "$(for k in ndim n1 label1; do tafprobe -k $k c.taf; done | xargs)" "1 6"
	tafreduce mean -d 1 --every 4 b.taf -o c.taf
	equal "$(for k in n1 o1 d1; do tafprobe -k $k c.taf; done | xargs)" "3 5.75 2"
	tafreduce mean --squeeze b.taf -o c.taf
	equal "$(tafprobe -k shape c.taf)" 1
	tafreduce mean,max --squeeze -d 2 b.taf -o c.taf
	equal "$(tafprobe -k n1 c.taf) $(tafprobe -k n2 c.taf) $(tafprobe -k ndim c.taf)" '12 2 2'
	tafreduce mean,max -d 2 b.taf | grep -aq 'reduce/ops="mean,max"'
}

@test "the unit of the values stays where a statistic keeps it" {
	mktaf a.taf int16 12,6
	tafadjust --unit 1=s a.taf | tafput unit=V -o b.taf
	while read -r ops unit; do
		tafreduce -d 1 "$ops" b.taf -o c.taf
		equal "$ops $(tafprobe c.taf | awk '$1 == "attribute" && $2 == "unit" { print $4 }')" \
			"$ops $unit"
	done <<-'EOF'
		mean V
		mean,median,std,max V
		var V^2
		var,var1 V^2
		std,var
		prod
		count
		any,all
		argmax s
		argmax,argmin s
		argmax,max
	EOF
	tafreduce -d 1 --index argmax b.taf -o c.taf
	equal "$(tafprobe c.taf | grep -c '^attribute *unit ')" 0
	tafreduce --partial -d 2 var b.taf | tafreduce --merge -d 2 var -o c.taf
	tafprobe c.taf | grep -q 'unit = V^2'
}

@test "SMASH's bin is half a step off for even counts" {
	# the mean of coordinates is the coordinate of the mean
	tafmath -n 12,2 -a 1=3:0.5 -t flt64 x1 -o in.taf
	for n in 2 3 4 6; do
		tafreduce mean -d 1 --every $n in.taf -o out.taf
		tafmath 'x1 + 0*a' out.taf -o want.taf
		tafcompare want.taf out.taf
	done
	equal "$(tafreduce mean -d 1 --every 4 in.taf | tafread -x 2=1 | xargs)" "3.75 5.75 7.75"
}

@test "--every drops a tail, and says so" {
	numbers a.taf 1 2 3 4 5 6 7 8 9 10 11
	equal "$(tafreduce mean -d 1 --every 3 a.taf 2>err | tafread | xargs)" "2 5 8"
	grep -q 'dimension 1: the last 2 of 11 are dropped' err
	equal "$(tafreduce mean -d 1 --every 11 a.taf 2>err | tafread)" 6
	[ ! -s err ]
	gives 'argmax --index -d 1 --every 4 a.taf' $'4\n8'
	refuse 2 tafreduce mean --every 3 a.taf
	refuse 2 tafreduce mean -d 1 --every 0 a.taf
}

@test "NaN and infinities, left in and left out" {
	numbers a.taf 1 nan 5 inf 3
	numbers b.taf 1 7 inf
	numbers c.taf inf -inf 1
	numbers n.taf nan nan
	for op in sum mean std rms min max range median mad prod; do
		gives "$op a.taf" nan
	done
	gives 'argmin --index a.taf' 0
	gives 'argmin a.taf' nan
	gives 'count a.taf' 5
	gives 'nan a.taf' 1
	gives 'sum b.taf' inf
	gives 'std b.taf' nan
	gives 'max b.taf' inf
	gives 'sum c.taf' nan
	equal "$(tafreduce --finite sum,mean,min,max,count,median,argmax --index a.taf 2>err | tafread | xargs)" \
		"9 3 1 5 3 3 3"
	gives 'nan -q --finite a.taf' 0
	grep -q ': 2 values that are not finite are left out' err
	equal "$(wc -l <err)" 1
	equal "$(tafreduce -q --finite sum,count,mean,max,median,any,all n.taf | tafread | xargs)" \
		"0 0 nan nan nan 0 1"
	TYPE=int16 numbers i.taf 1 2
	tafreduce --finite mean i.taf 2>err >/dev/null
	[ ! -s err ]
}

@test "zeros are values: a mean has them in it" {
	numbers a.taf 0 0 0 4
	gives 'mean a.taf' 1
	gives 'std -t flt64 a.taf' 1.7320508075688772
}

@test "an infinity does not make its neighbours zero" {
	numbers a.taf 1 2 inf 4
	gives 'max -d 1 --every 2 a.taf' $'2\ninf'
	gives 'absmax --finite a.taf' 4
}

@test "a variance far from zero does not cancel" {
	for type in flt32 flt64 int32 int64; do
		TYPE=$type numbers a.taf 16000001 16000002 16000003 16000000
		gives 'var -t flt64 a.taf' 1.25
	done
	TYPE=flt64 numbers a.taf 1e15 1000000000000001 1000000000000002
	gives 'var a.taf' 0.6666666666666666
	TYPE=flt64 numbers a.taf 1e200 3e200
	gives 'std a.taf' 1e200
}

@test "flt32 along the slow axis is summed as exactly as along the fast one" {
	perl -e 'print pack "f<*", (0.1) x 2000000' >raw
	tafcreate -n 2,1000000 raw -o a.taf
	gives 'sum -t flt64 -d 2 a.taf' $'100000.00149011612\n100000.00149011612'
	tafcreate -n 1000000,2 raw -o a.taf
	gives 'sum -t flt64 -d 1 a.taf' $'100000.00149011612\n100000.00149011612'
}

@test "what cancels comes out exactly" {
	TYPE=flt64 numbers a.taf 1e300 1 -1e300 1e-300 -1
	gives 'sum a.taf' 1e-300
	TYPE=flt64 numbers a.taf 1e308 1e308 -1e308
	gives 'sum a.taf' 1e308
	TYPE=flt64 numbers a.taf 1e308 1e308
	gives 'mean a.taf' 1e308
	refuse 3 tafreduce sum a.taf
	equal "$(cat err)" 'tafreduce: a.taf: sum: a result does not fit flt64 (at most 1.797693e308)'
	TYPE=flt64 numbers a.taf 1.2e308 -1.2e308
	for op in var range prod; do refuse 3 tafreduce $op a.taf; done
	gives 'std a.taf' 1.2e308
	TYPE=flt64 numbers a.taf 1e308 inf
	gives 'sum a.taf' inf
	gives 'sum --finite a.taf' 1e308
}

@test "the mean of integers keeps its fraction" {
	for type in int8 uint8 int16 uint16 int32 uint32 int64 uint64; do
		TYPE=$type numbers a.taf 1 2
		gives 'mean a.taf' 1.5
	done
}

@test "sums of integers are exact, or refused" {
	TYPE=uint8 numbers a.taf 200 100
	gives 'sum a.taf' 300
	equal "$(tafreduce sum a.taf | tafprobe -k type)" uint64
	TYPE=int64 numbers a.taf 9223372036854775807 -1 -9223372036854775808 1
	gives 'sum a.taf' -1
	TYPE=int64 numbers a.taf 9223372036854775807 1
	refuse 3 tafreduce sum a.taf
	grep -q 'does not fit int64' err
	TYPE=uint64 numbers a.taf 18446744073709551615 0
	gives 'sum a.taf' 18446744073709551615
	gives 'max a.taf' 18446744073709551615
	TYPE=uint64 numbers a.taf 18446744073709551615 1
	refuse 3 tafreduce sum a.taf
	refuse 3 tafreduce sum -d 1 -t uint8 -o out.taf a.taf
	[ ! -e out.taf ]
}

@test "what keeps type and mapping" {
	mktaf a.taf int16 7,5
	tafcrop a.taf | perl -0777 -pe 's/(taf_format)/taf_intercept=3 taf_slope=-0.5 $1/' >b.taf
	for op in min max first last; do
		tafreduce $op b.taf -o c.taf
		equal "$(for k in type intercept slope; do tafprobe -k $k c.taf; done | xargs)" "int16 3 -0.5"
	done
	equal "$(tafreduce min b.taf | tafread)" "$(tafread b.taf | sort -g | head -n 1)"
	equal "$(tafreduce mean b.taf | tafprobe -k type)" flt32
	equal "$(tafreduce min,mean b.taf | tafprobe -k type)" flt32
	equal "$(tafreduce min,max b.taf | tafprobe -k type)" int16
	equal "$(tafreduce count,min b.taf | tafprobe -k type)" flt64
	mktaf d.taf int32 7,5
	equal "$(tafreduce mean d.taf | tafprobe -k type)" flt64
	equal "$(tafreduce any d.taf | tafprobe -k type)" uint8
}

@test "a result that does not fit is refused" {
	numbers a.taf 3e38 3e38
	refuse 3 tafreduce sum a.taf
	grep -q 'value 6.0000000109955115e38 does not fit flt32 (at most 3.402823e38)' err
	gives 'sum -t flt64 a.taf' 6.0000000109955115e38
	gives 'mean a.taf' 3e38
}

@test "a misspelt operation or option is no operation" {
	mktaf a.taf int16 7,5
	refuse 2 tafreduce
	refuse 2 tafreduce meen a.taf
	grep -q 'meen: not an operation (known: sum mean .* any all)$' err
	refuse 2 tafreduce mean, a.taf
	refuse 2 tafreduce quantile a.taf
	refuse 2 tafreduce quantile=1.5 a.taf
	refuse 2 tafreduce quantile=nan a.taf
	refuse 2 tafreduce mean=3 a.taf
	refuse 2 tafreduce mean --finit a.taf
	refuse 2 tafreduce mean -d 1,1 a.taf
	refuse 2 tafreduce mean -d 0 a.taf
	refuse 3 tafreduce mean -d 3 a.taf
	refuse 3 tafreduce argmax a.taf
	refuse 3 tafreduce argmax -d 1,2 a.taf
	status 0 tafreduce argmax -d 1 a.taf
}

@test "arrays without an element" {
	rsf a.rsf 'n1=0 n2=3 data_format="native_float" esize=4' ''
	gives 'sum -d 1 a.rsf' $'0\n0\n0'
	gives 'mean -d 1 a.rsf' $'nan\nnan\nnan'
	gives 'count,median -d 1 a.rsf' $'0\n0\n0\nnan\nnan\nnan'
	tafreduce sum -d 2 a.rsf >got
	equal "$(tafprobe -k n1 got)" 0
	rsf b.rsf 'n1=0 data_format="native_short" esize=2' ''
	refuse 3 tafreduce min b.rsf
	gives 'sum b.rsf' 0
}

@test "several arrays, one after the other" {
	mktaf a.taf int16 7,5
	mktaf b.taf flt64 3,2
	tafreduce max a.taf b.taf | tafread -N 2 >got
	tafreduce max b.taf | tafread >want
	same want got
	tafcrop a.taf b.taf | tafreduce -N 1 max | tafread >got
	tafreduce max a.taf | tafread >want
	same want got
}

# row WORDS VALUES: tafreduce WORDS gives them
row() {
	equal "$(eval "tafreduce -q $1" | tafread | xargs)" "$2" || { echo "tafreduce $1"; return 1; }
}

@test "complex elements: values of numpy" {
	local t
	for t in complex complex128; do
		tafmath -n 3,2 -t $t 'complex(i1*i2, i1 - 2*i2)' | tafput unit=V -o a.taf
		gives 'sum a.taf' '18 -6'
		gives 'mean a.taf' '3 -1'
		row 'mean -d 2 a.taf' '1.5 -2 3 -1 4.5 0'
		row 'count,nan a.taf' '6 0'
		row 'first,last a.taf' '1 -1 6 -1'
		# a real one among complex ones has no imaginary part
		row 'mean,var,count -d 1 a.taf' '2 0 4 -2 1.3333333333333333 0 3.3333333333333335 0 3 0 3 0'
		equal "$(tafreduce sum a.taf | tafprobe -k type) $(tafreduce std a.taf | tafprobe -k type)" \
			"$([ $t = complex ] && echo complex flt32 || echo complex128 flt64)"
		equal "$(tafreduce mean,std a.taf | tafprobe -k type) $(tafreduce mean,count a.taf | tafprobe -k type)" \
			"$([ $t = complex ] && echo complex complex128 || echo complex128 complex128)"
		equal "$(tafreduce count,nan a.taf | tafprobe -k type)" int64
		equal "$(tafreduce var a.taf | tafprobe -k unit) $(tafreduce sum a.taf | tafprobe -k unit)" "V^2 V"
	done
	gives 'std a.taf' 2.0816659994661326
	gives 'var a.taf' 4.333333333333333
	gives 'std1 a.taf' 2.280350850198276
	gives 'var1 a.taf' 5.2
	gives 'rms a.taf' 3.7859388972001824
	gives 'std -t flt32 a.taf' 2.081666
	gives 'sum -t complex a.taf' '18 -6'
	tafmath -n 1 -t complex128 'complex(1e200, 1e-200)' | tafreduce mean,sum,last | tafread | uniq >got
	equal "$(<got)" '1e200 1e-200'
}

@test "complex elements that are not finite" {
	tafmath -n 6 -t complex128 'i1 == 1 ? 1+2*I : i1 == 2 ? complex(nan, 3) : i1 == 3 ? 4-I :
	    i1 == 4 ? complex(5, nan) : i1 == 5 ? complex(2, inf) : 6+7*I' -o a.taf
	gives 'nan a.taf' 2
	gives 'nan <(tafmath "i1 == 1 ? complex(nan, nan) : a" a.taf)' 3
	gives 'sum a.taf' 'nan nan'
	row 'std,rms a.taf' 'nan nan'
	tafreduce sum,mean <(tafcrop -x 1=1:3 a.taf) | tafread | xargs >got
	equal "$(<got)" 'nan 4 nan 1.3333333333333333'
	tafreduce sum,rms <(tafcrop -x 1=5:6 a.taf) | tafread | xargs >got
	equal "$(<got)" '8 inf inf 0'
	equal "$(tafreduce std <(tafcrop -x 1=5:6 a.taf) | tafread)" nan
	# those with a part that is not finite are left out as a whole
	tafreduce --finite sum,count,nan,first,last a.taf 2>err | tafread | xargs >got
	equal "$(<got)" '11 8 3 0 0 0 1 2 6 7'
	equal "$(<err)" 'tafreduce: 3 values that are not finite are left out'
	gives '--finite mean a.taf' '3.6666666666666665 2.6666666666666665'
	gives '--finite std a.taf' 3.8873012632302
	tafreduce -q --finite sum,mean,rms,count <(tafcrop -x 1=4:5 a.taf) | tafread | xargs >got
	equal "$(<got)" '0 0 nan nan nan 0 0 0'
	refuse 3 tafreduce sum <(tafmath -n 2 -t complex128 'complex(1, 1.5e308)')
	grep -q 'sum: a result does not fit flt64' err
}

@test "complex elements are their parts: any dimensions, memory, threads, pipes and cuts" {
	local d how
	perl -e 'srand 5; print pack "f<*", map { (rand() - 0.5) * 2 ** int(rand 30) } 1 .. 41 * 23 * 19 * 2' >raw
	tafcreate -n 41,23,19,2 raw -o both.taf
	tafcrop -x 4=1 --squeeze both.taf -o re.taf
	tafcrop -x 4=2 --squeeze both.taf -o im.taf
	tafmath 'complex(a, b)' re.taf im.taf -o a.taf
	for d in 1 2 3 1,3 2,3 1,2,3; do
		tafreduce sum,mean -t complex128 -d $d a.taf -o got.taf
		tafreduce sum,mean -t flt64 -d $d re.taf -o r.taf
		tafreduce sum,mean -t flt64 -d $d im.taf -o i.taf
		tafmath 'complex(a, b)' r.taf i.taf | tafcompare got.taf -
		tafreduce var -t flt64 -d $d re.taf -o r.taf
		tafreduce var -t flt64 -d $d im.taf -o i.taf
		tafreduce var -t flt64 -d $d a.taf -o got.taf
		tafmath a+b r.taf i.taf | tafcompare --relative 4e-16 got.taf -
		tafreduce rms -t flt64 -d $d <(tafmath -t flt64 'hypot(real(a), imag(a))' a.taf) -o want.taf
		tafreduce rms -t flt64 -d $d a.taf | tafcompare --relative 1e-15 want.taf -
	done
	tafmath 'i1 % 7 == i2 % 5 ? complex(i3 % 2 == 0 ? nan : real(a), inf) : a' a.taf -o n.taf
	local ops=sum,mean,std,var,std1,var1,rms,count,nan,first,last words
	for words in a.taf n.taf 'n.taf --finite'; do
		for d in 1 2 3 1,3 1,2,3; do
			# shellcheck disable=SC2086 # words
			tafreduce -q $ops -d $d $words -o want.taf
			for how in '-J 1 -m 64k' '-J 3' '-m 1'; do
				# shellcheck disable=SC2086 # words
				tafcat "${words%% *}" | tafreduce -q $ops -d $d $how ${words#*taf} -o got.taf
				same want.taf got.taf
			done
			# shellcheck disable=SC2046,SC2086 # words
			cut_up ${words%% *} $ops $d $(grep -o -- --finite <<<"$words")
			tafreduce -q --merge $ops -d $d "${parts[@]}" -o got.taf
			same want.taf got.taf
		done
	done
	tafspread -q -d 3 --slabs 5 -o got.taf a.taf -- "tafreduce $ops -d 1"
	tafreduce $ops -d 1 a.taf | tafcompare got.taf -
}

@test "complex spectra are stacked: that of a mean is the mean of spectra" {
	tafmath -n 300,5,3 -t flt64 'sin(0.3*i1 + i2) + randn(1)' -o a.taf
	tafspectrogram --points 64,32 --complex a.taf | tafreduce mean -d 3 -o got.taf
	tafreduce mean -d 2 a.taf | tafspectrogram --points 64,32 --complex | tafcompare --absolute 1e-14 got.taf -
}

@test "what complex elements do not have" {
	local op
	tafmath -n 3 -t complex 'complex(i1, 1)' -o a.taf
	for op in min max range absmax prod median quantile=0.5 mad argmin argmax any all; do
		refuse 3 tafreduce mean,$op a.taf
		equal "$(<err)" "tafreduce: a.taf: $op: complex elements have only sum, mean, std, var, std1, var1, rms, count, nan, first and last: take tafmath 'abs(a)' before"
	done
	refuse 3 tafreduce mean -t flt64 a.taf
	refuse 3 tafreduce mean,std -t flt64 a.taf
	refuse 3 tafreduce std -t complex a.taf
	refuse 3 tafreduce mean -t complex <(tafmath 'real(a)' a.taf)
	grep -q 'results are flt32, which do not become complex$' err
}

@test "it uses the processors" {
	perl -e 'print "\0" x 8000000' >raw
	tafcreate -n 1000,2000 raw -o a.taf
	uses_processors a.taf tafreduce std -d 1
}

# cut_up FILE OPS DIMS [WORD...]: accumulators of its parts along dimension 3, in $parts
cut_up() {
	local part n=0
	parts=()
	for part in 1:4 5:5 6:19; do
		n=$((n + 1))
		tafcrop -x 3=$part "$1" | tafreduce -q --partial "$2" -d "$3" "${@:4}" -o part$n.rsf
		parts+=("part$n.rsf")
	done
}

@test "accumulators of any cut give the bits of the whole" {
	local ops=prod,sum,mean,std,var1,rms,min,max,range,absmax,count,nan,first,last,any,all file d
	perl -e 'srand 9; print pack "f<*", map { (rand() - 0.5) * 2 ** (int(rand 60) - 27) } 1 .. 11 * 7 * 19' >raw
	tafcreate -n 11,7,19 -a 3=5:0.5 raw -o a.taf
	mktaf i.taf int16 11,7,19
	tafcrop i.taf | perl -0777 -pe 's/(taf_format)/taf_intercept=3 taf_slope=-0.5 $1/' >m.rsf
	mktaf w.taf uint64 11,7,19
	for file in a.taf m.rsf w.taf; do
		# products of the other files are too large
		[ "$file" = a.taf ] || ops=${ops#prod,}
		for d in 1 1,3; do
			cut_up $file $ops $d
			tafreduce $ops -d $d $file -F taf >want
			tafreduce --merge $ops -d $d -F taf "${parts[@]}" >got
			same want got
		done
		cat "${parts[@]}" | tafreduce --merge -m 1 $ops -d "$d" -F taf >got
		same want got
		cut_up $file argmin,argmax,min 3
		for d in -q --index --squeeze; do
			tafreduce argmin,argmax,min -d 3 $d $file -F taf >want
			tafreduce --merge argmin,argmax,min -d 3 $d -F taf "${parts[@]}" >got
			same want got
		done
	done
}

@test "accumulators of finite values are merged with what was left out" {
	perl -e 'print pack "f<*", map { $_ % 7 ? $_ : 9**9**9 } 1 .. 2 * 3 * 19' >raw
	tafcreate -n 2,3,19 raw -o a.taf
	cut_up a.taf sum,mean,max 1,3 --finite
	tafreduce --finite sum,mean,max -d 1,3 a.taf -F taf >want 2>err
	tafreduce --merge sum,mean,max -d 1,3 -F taf "${parts[@]}" >got 2>merged
	same want got
	same err merged
	grep -q ': 16 values' err
}

@test "the place of an extreme in a line that threads share" {
	perl -e 'print "\1" x 2000000, "\2", "\1" x 300000, "\0", "\1" x 400000, "\2\0"' >x
	tafcreate -n 2700004 -t uint8 x -o a.taf
	for jobs in 1 2 3; do
		equal "$(tafreduce argmax,argmin --index -d 1 -J $jobs a.taf | tafread |
			tr '\n' ' ')" "2000001 2300002 "
	done
}

@test "accumulators in other units, or on another grid, are not merged as they are" {
	mktaf a.taf flt32 5,4
	tafput unit=V a.taf -o v.taf
	tafput unit=mV a.taf -o mv.taf
	tafadjust --shift 1=2 v.taf -o far.taf
	for f in v mv far; do tafreduce --partial mean -d 2 $f.taf -o $f.rsf; done
	refuse 3 tafreduce --merge mean -d 2 v.rsf mv.rsf
	equal "$(<err)" 'tafreduce: mv.rsf: the values: unit mV, but V in piece 1'
	status 0 tafreduce --merge mean -d 2 v.rsf far.rsf v.rsf -o c.taf
	equal "$(<err)" 'tafreduce: piece 2: dimension 1: start 2.5, but 0.5 in piece 1'
}

@test "accumulators of something else are refused" {
	mktaf a.taf flt32 5,4
	mktaf b.taf int16 5,4
	mktaf c.taf flt32 6,4
	for f in a b c; do tafreduce --partial mean -d 2 $f.taf -o $f.rsf; done
	refuse 3 tafreduce --merge mean -d 1 a.rsf
	refuse 3 tafreduce --merge std -d 2 a.rsf
	refuse 3 tafreduce --merge mean -d 2 a.taf
	refuse 3 tafreduce --merge mean -d 2 a.rsf b.rsf
	refuse 3 tafreduce --merge mean -d 2 a.rsf c.rsf
	grep -q 'length 6, but the first array has 5' err
	refuse 3 tafreduce --merge --finite mean -d 2 a.rsf
	refuse 2 tafreduce --merge --partial mean -d 2 a.rsf
	refuse 2 tafreduce --partial median -d 2 a.taf
	refuse 2 tafreduce --merge quantile=0.5 -d 2 a.rsf
	refuse 2 tafreduce --partial mean -d 2 --every 2 a.taf
	refuse 2 tafreduce --partial mean -d 2 -t flt64 a.taf
	perl -0777 -pe 's/lengths="5,4"/lengths="5,3"/' a.rsf >d.rsf
	refuse 3 tafreduce --merge mean -d 2 d.rsf
	perl -0777 -pe 's/lengths="5,4"/lengths="9,4"/' a.rsf >d.rsf
	refuse 3 tafreduce --merge mean -d 2 d.rsf
	perl -0777 -pe 's/lengths="5,4"/lengths="5,x"/' a.rsf >d.rsf
	refuse 3 tafreduce --merge mean -d 2 d.rsf
	perl -0777 -pe 's/type="flt32"/type="flt99"/' a.rsf >d.rsf
	refuse 3 tafreduce --merge mean -d 2 d.rsf
}

@test "accumulators that no values leave are refused" {
	mktaf a.taf int16 5,4
	tafreduce --partial min,first,any,rms -d 2 a.taf -o a.rsf
	tafreduce --merge min,first,any,rms -d 2 a.rsf >out
	# elements, NaN, the least, its place, that of the first, those that are not 0, squares
	for word in 0 1 4 5 11 14 17; do
		# shellcheck disable=SC2016 # perl's
		WORD=$word perl -0777 -pe 's/\f\f\004\K(.{8}){$ENV{WORD}}\K.{8}/"\xff" x 8/se' \
			a.rsf >b.rsf
		refuse 3 tafreduce --merge min,first,any,rms -d 2 b.rsf
		grep -q 'that no 4 values leave' err
	done
}

# by integers alone: perl's have 64 bits, and these values are below 2^62
@test "medians and distances of large integers are rounded once" {
	perl -e 'print pack "q<*", 9007199254740993, -9007199254740991' | tafcreate -t int64 -e int64le -n 2 -o a.taf
	equal "$(tafreduce median,mad,quantile=0.5 a.taf | tafread | xargs)" "1 9007199254740992 1"
	perl -e '
		use integer;
		srand 7;
		my (@all, @want);
		for my $line (1 .. 200) {
			my $base = (int(rand(1 << 30)) << 31) - (1 << 60);
			my @v = map { $base + int rand 1000 } 1 .. 8;
			my @s = sort { $a <=> $b } @v;
			my $two = $s[3] + $s[4];
			my @d = sort { $a <=> $b } map { my $d = 2 * $_ - $two; $d < 0 ? -$d : $d } @v;
			push @all, @v;
			# halves of what is below 2^53 are exact as decimals
			my $mad = $d[3] + $d[4];
			push @want, join " ", $two, ($mad >> 2) . (".0", ".25", ".5", ".75")[$mad & 3];
		}
		open my $f, ">", "raw"; print $f pack "q<*", @all;
		print map { "$_\n" } @want' >want
	tafcreate -t int64 -e int64le -n 8,200 raw -o a.taf
	# twice the median is whole, and so is what a double leaves of it
	tafreduce median -d 1 a.taf | tafmath '2*a' | tafread >medians
	cut -d ' ' -f 1 want | txt2taf -t flt64 | tafread | cmp - medians
	tafreduce mad -d 1 a.taf | tafread >mads
	cut -d ' ' -f 2 want | txt2taf -t flt64 | tafread | cmp - mads
	# in passes, too
	equal "$(tafreduce median,mad,quantile=0.3 -m 64k a.taf | tafread)" "$(tafreduce median,mad,quantile=0.3 a.taf | tafread)"
}
