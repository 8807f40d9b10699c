# SPDX-License-Identifier: ISC
# Wrong invocations, of every command: one line that says what is wrong, the right status, and
# nothing on standard output.

load helper

# told: each row STATUS|PATTERN|COMMAND of standard input, where the line is "PROGRAM: PATTERN"
told() {
	local want pattern line got said wrong=0
	while IFS='|' read -r want pattern line; do
		got=0
		eval "$line" >out 2>err </dev/null || got=$?
		mapfile -t said <err
		# shellcheck disable=SC2053 # a pattern
		if [ "$got" != "$want" ] || [ -s out ] || [ ${#said[@]} != 1 ] ||
		    [[ ${said[0]} != ${line%% *}": "$pattern ]]; then
			printf '%s: status %s\n' "$line" "$got"
			cat err
			wrong=1
		fi
	done
	return $wrong
}

files() {
	mktaf c.taf flt32 6,5,2
	mktaf a.taf flt32 4,3
	mktaf s.taf int32 4,3
	tafadjust --start 1=1e308 --step 1=1e308 --start 2=0 --step 2=5e-324 a.taf -o big.taf
	mkdir dir store
	echo '{}' >store/daf.json
	cp a.taf store
	cp a.taf array
	: >empty
	printf 'hello world\n' >text
	printf '1 2\n3 4\n' >table
	printf 'GTA\1%0100d' 0 >x.gta
	printf '\x93NUMPY\1\0' >x.npy
	printf '%011dWAVEDESC%0400d' 0 0 >x.trc
	tar -cf x.tar x.npy
	printf '\1\2\3\4\5\6\7\10%0100d' 0 >bytes
}

@test "what is wrong with options is said" {
	files
	told <<'END'
2|--squeze: unknown option; did you mean --squeeze[?]|tafcrop --squeze a.taf
2|-d: unknown option; did you mean --index (-x)[?]|tafcrop -d 1 a.taf
2|--index: its value is missing|tafcrop --index
2|-x 1:2: not DIM=*|tafcrop -x 1:2 a.taf
2|-x 0=1:2: not DIM=*from 1 to 64*|tafcrop -x 0=1:2 a.taf
2|-x 1=1,2: not DIM=LO:HI\[:STEP\] or DIM=INDEX (*)|tafcrop -x 1=1,2 a.taf
2|-x 1=1.5:3: not DIM=LO:HI\[:STEP\] or DIM=INDEX (*)|tafcrop -x 1=1.5:3 a.taf
2|-x 1=2:3:0: not a step of 1 or more: 0 (*)|tafcrop -x 1=2:3:0 a.taf
2|-F npy: not taf or rsf|tafcrop -F npy a.taf
2|-N 0: not a number of 1 or more|tafcrop -N 0 a.taf
2|-m lots: not a size, *|tafcrop -m lots a.taf
2|-J 0: not a number of 1 to 1024|tafreduce mean -J 0 a.taf
2|-d ORDER is missing: *|tafpermute a.taf
2|-d 21: dimensions are separated by commas, as 2,1|tafpermute -d 21 a.taf
2|-d 1,1: not every dimension from 1 to 2 once|tafpermute -d 1,1 a.taf
2|-d 321: dimensions are separated by commas, as 3,2,1|tafreduce mean -d 321 c.taf
2|-d 0: not a dimension*|tafreverse -d 0 a.taf
2|-d 1,2: not a dimension*|tafsort -d 1,2 a.taf
2|--by 1: not DIM=BEFORE:AFTER, with DIM from 1 to 64|tafpad --by 1 a.taf
2|--step 1=x: not a number|tafadjust --step 1=x a.taf
2|--span 1=3:x: not a number|tafadjust --span 1=3:x a.taf
3|store: a FilesDaf store (dafls lists its items, daf2taf reads one)|tafcrop store
3|store: a FilesDaf store (dafls lists its items, daf2taf reads one)|tafcheck store
3|store: a FilesDaf store (dafls lists its items, daf2taf reads one)|tafappend a.taf store
3|store: a FilesDaf store (dafls lists its items, daf2taf reads one)|gta2taf store
4|store/a.tff: cannot open: *; did you mean a.taf[?]|tafread store/a.tff
4|store/b: cannot open: No such file or directory|tafread store/b
4|A.TAF: cannot open: *; did you mean a.taf[?]|tafread A.TAF
2|--by DIM=N is missing: *|tafroll a.taf
2|--by 3: not DIM=*|tafroll --by 3 a.taf
2|--times DIM=N is missing: *|tafrepeat a.taf
2|--by or --to is missing|tafpad a.taf
2|--size: unknown option; did you mean --to[?]|tafpad --size 1=3 a.taf
2|no change is asked for*|tafreshape a.taf
2|-n 6x10: not a list of lengths*|tafreshape -n 6x10 a.taf
2|-d DIM is missing: *|tafselect a.taf
2|one of --list, --mask and --indices is missing|tafselect -d 1 a.taf
2|--shift 1: not DIM=*|tafadjust --shift 1 a.taf
2|nothing to set: *|tafput a.taf
2|-C: its value is missing|tafcomment -C
2|-n L1,L2,... is missing: *|tafcreate bytes
2|-n -1: not 1 to 64 lengths L1,L2,...|tafcreate -n -1 bytes
2|-n 6,x: not 1 to 64 lengths L1,L2,...|tafcreate -n 6,x bytes
2|-t foo: unknown element type (known: int8 *)|tafcreate -n 3 -t foo bytes
2|--example 9: not 2 or 3|tafcreate --example 9
2|--printf %s: after % stand *|tafread --printf %s a.taf
2|a.taf: one file at most (*)|tafread a.taf a.taf
2|--lang perl: not c, numpy, *|tafmap --lang perl a.taf
2|--precision: unknown option; did you mean --printf[?]|tafexport --precision 3 a.taf
2|--size 10x: not WxH*|tafplot --size 10x a.taf
2|--log z: not x, y or xy|tafplot --log z a.taf
2|it changes a file in place: say -i and its name|tafreplace a.taf
2|--value V without -x or -g overwrites all elements: say --all|tafreplace -i --value 3 a.taf
2|either --with NEW, *or --value V|tafreplace -i -x 1=1 a.taf
2|a.taf replaces itself|tafreplace -i --with a.taf a.taf
2|--fix: unknown option; did you mean --repair[?]|tafcheck --fix a.taf
2|--kind lecory: not column, dig, lecroy, keysight or tektronix|tafconvert --kind lecory x.trc
2|-t foo: unknown element type (known: *)|tafconvert -t foo x.trc
2|-o: unknown option; did you mean --directory (-D)[?]|tafconvert -o x.taf x.trc
2|--decimal x: neither , nor .|txt2taf --decimal x table
2|--missing foo: not nan|txt2taf --missing foo table
2|--gamma x: not a number above 0|taf2pgm --gamma x a.taf
2|-t TYPE is missing: *|tafcast a.taf
2|-t float: unknown element type (known: *); did you mean flt32[?]|tafcast -t float a.taf
2|--bins ten: not a number of bins|tafhist --bins ten a.taf
2|--range 5:1: not LO:HI*|tafhist --range 5:1 a.taf
2|-r: unknown option; did you mean --descending[?]|tafsort -r a.taf
2|nothing to fill with: say --value or --nan|taffill a.taf
2|--nan foo: not a number, linear, nearest or previous|taffill --nan foo a.taf
2|--absolute -1: not a number of 0 or more|tafcompare --absolute -1 a.taf a.taf
END
}

@test "what is wrong with numbers, words and operands of computations is said" {
	files
	told <<'END'
2|the expression is missing|tafmath
2|expression: column 3: it ends where a value is expected|tafmath 'a+' a.taf
2|expression: column 3: unknown name "b": it is file 2, and there is 1|tafmath 'a+b' a.taf
2|expression: column 1: unknown function "ATAN2"; did you mean atan2[?]|tafmath 'ATAN2(a,1)' a.taf
2|expression: column 1: unknown function "sine"; did you mean sin[?]|tafmath 'sine(a)' a.taf
2|expression: column 1: unknown function "bessel" (known: *)|tafmath 'bessel(a)' a.taf
2|s.taf: input b is not used in the expression|tafmath a a.taf s.taf
2|expression: column 3: "&&" is not known: it is "and"|tafmath 'a && 1' a.taf
2|average: not an operation (known: *mean*)|tafreduce average a.taf
2|quantile=P: P is a number from 0 to 1|tafreduce quantile=5 a.taf
2|--every needs -d|tafreduce mean --every 2 a.taf
2|--quantiles 2: not a number from 0 to 1*|tafsummarize --quantiles 2 a.taf
2|--windw: unknown option; did you mean --window[?]|taffft --windw hann a.taf
2|--window foo: not boxcar, hann, *or gauss|taffft --window foo a.taf
2|--pad foo: not a number, fast or pow2|taffft --pad foo a.taf
2|one of --power, --amplitude, *|taffft --power --db a.taf
2|no blocks: say --points, --duration or --blocks|tafspectrogram a.taf
2|--points x: not POINTS\[,SKIP\]|tafspectrogram --points x a.taf
2|--unwrap goes with --phase|tafhilbert --unwrap a.taf
2|no way to smooth: say *|tafsmooth a.taf
2|--mean 4: not an odd number of points|tafsmooth --mean 4 a.taf
2|one way to smooth at a time|tafsmooth --mean 3 --median 3 a.taf
2|no frequency that passes: *|taffilter a.taf
2|--type foo: not butter, bessel or cheby|taffilter --type foo --low .1 a.taf
2|--notch 5: not F:Q, both above 0|taffilter --notch 5 a.taf
2|no grid: say -a, --at, --factor or --like|tafregrid a.taf
2|-a 1=0:0: not DIM=START:STEP*|tafregrid -a 1=0:0 a.taf
2|--method foo: not nearest, linear, cubic or sinc|tafregrid --method foo --factor 1=2 a.taf
2|--order: unknown option; did you mean --polynomial[?]|tafdifferentiate --order 2 a.taf
2|--rule foo: not trapezoid, sum or simpson|tafintegrate --rule foo a.taf
2|--edges foo: not of rising, *|tafpeaks --edges foo a.taf
2|--max-lag x: not a number of 0 or more|tafcorrelate --max-lag x a.taf a.taf
2|1 operand, not two|tafcorrelate a.taf
2|3 operands, not two|tafcompare a.taf a.taf a.taf
2|--via cloud: not local, parallel or slurm|tafspread -o x.taf --via cloud a.taf -- tafcrop
2|a file and a pipeline are needed: *|tafspread -o x.taf a.taf
2|-o is missing|tafspread a.taf -- tafcrop
2|--checksum is of one output: it goes with -o|tafspread --checksum --each -D d a.taf -- tafcrop
2|/dev/null: --checksum is of a regular file|tafspread --checksum -o /dev/null a.taf -- tafcrop
2|crpo: no such command; did you mean crop[?]|taf crpo a.taf
2|window: no such command; see tafcrop, tafsmooth|taf window a.taf
2|sfwindow: no such command; see tafcrop, tafsmooth|taf sfwindow a.taf
2|wibble: no such command: taf list names them, taf help WORD searches|taf wibble a.taf
2|a STORE and an ITEM are needed (*)|daf2taf dir
2|the name of a file is missing|tafbackup
2|-i: nothing to append*|tafappend -i a.taf
END
}

@test "what does not go with an array is said, with the file" {
	files
	told <<'END'
3|a.taf: dimension 1: lower bound 3 is above 2|tafcrop -x 1=3:2 a.taf
3|a.taf: dimension 3: the array has 2|tafcrop -x 3=1 a.taf
3|a.taf: dimension 1: index 90: there are 4 points|tafcrop -x 1=90:99 a.taf
3|a.taf: dimension 1: no grid point lies within 100 to 200: the grid goes from *|tafcrop -g 1=100:200 a.taf
3|a.taf: array 2 is wanted, but there are 1|tafcrop -N 2 a.taf
3|a.taf: -d names 3 dimensions, the array has 2: *|tafpermute -d 3,1,2 a.taf
3|a.taf: dimension 21: the array has 2 (dimensions are separated by commas, as 2,1)|tafreverse -d 21 a.taf
3|a.taf: dimension 12: the array has 2 (dimensions are *as 1,2)|tafreduce mean -d 12 a.taf
3|a.taf: dimension 21: the array has 2 (dimensions are *as 2,1)|taffft -d 21 a.taf
3|a.taf: dimension 34: the array has 2|tafreduce mean -d 34 a.taf
3|c.taf: 3 dimensions, not 2: use tafpermute|taftranspose c.taf
3|a.taf: 12 elements, but -n asks for 7|tafreshape -n 7 a.taf
3|a.taf: 2 dimensions, but the first array has 3|tafappend c.taf a.taf
3|bytes: 108 bytes, but -n asks for 120|tafcreate -n 6,5 bytes
3|a.taf: --printf: %d is for integers, the values are flt32|tafread --printf %d a.taf
3|c.taf: 3 dimensions, a table has 2: *|tafexport c.taf
3|s.taf: value 1e20 does not fit int32 (-2147483648 to 2147483647): --clip stores the nearest that does|tafreplace -i -x 1=1 --value 1e20 s.taf
3|big.taf: dimension 1: its grid would start at inf with step 1e308|tafcrop -x 1=3: big.taf
3|big.taf: dimension 1: its grid would start at 1.5e308 with step inf|tafreduce mean -d 1 --every 2 big.taf
3|big.taf: dimension 1: its grid would start at -inf with step 1e308|tafpad --by 1=3:0 big.taf
3|big.taf: dimension 1: the last piece would start at infinity|tafsplit -d 1 --every 2 big.taf
3|big.taf: dimension 2: its grid would start at 0 with step 0|tafrepeat --times 2=3 --each big.taf
3|a.taf: dimension 1 has 4 points, but a result takes 5|tafreduce mean -d 1 --every 5 a.taf
3|a.taf: dimension 1: * points, and more than 15 *|taffilter --low .1 a.taf
END
}

@test "what a file is, or that there is none, is said" {
	files
	told <<'END'
4|none: cannot open: No such file or directory|tafprobe none
4|none: cannot open for change: No such file or directory|tafcomment -i -C x none
4|dir: cannot read: Is a directory|tafsummarize dir
3|empty: empty input|taf2npy empty
3|text: neither TAF nor RSF*use txt2taf*|tafmap text
3|x.gta: neither TAF nor RSF, but a GTA file (use gta2taf)|tafcrop x.gta
3|x.trc: neither TAF nor RSF, but a LeCroy trace (use lecroy2taf)|taf2raw x.trc
3|x.gta: a GTA file (use gta2taf), no NumPy file|npy2taf x.gta
3|x.npy: a NumPy file (use npy2taf), no GTA file|gta2taf x.npy
3|x.tar: neither TAF nor RSF, but a tar archive (use ten2taf)|tafcrop x.tar
3|x.tar: a tar archive (use ten2taf), no NumPy file|npy2taf x.tar
3|a.taf: a TAF file (*), no TenBin chunk|ten2taf a.taf
3|a.taf: a TAF file (*), no image of netpbm (P1 to P7)|pgm2taf a.taf
3|a.taf: a TAF file (*), no table in text|txt2taf a.taf
3|bytes: offset 0: no NumPy file begins here|npy2taf bytes
3|x.trc: a LeCroy trace (use lecroy2taf), not a Tektronix waveform*|tek2taf x.trc
2|a.taf: a.taf, which it becomes, is a source|tafconvert a.taf
3|array: a TAF file (*), not a file of dig, *|tafconvert array
3|empty: empty input|tafconvert empty
3|text: no line of numbers alone*|txt2taf text
4|nodir/x.taf: there is no folder nodir|tafcrop a.taf -o nodir/x.taf
4|there is no folder nodir|tafbackup -D nodir a.taf
4|dir: cannot write: Is a directory|tafcrop a.taf -o dir
3|dir: not a FilesDaf store: there is no daf.json|dafls dir
END
}

@test "what others write is answered by what to do here" {
	files
	tafcreate -n 3 -t flt32 --value 200 -o big.taf 2>/dev/null ||
	    tafmath -n 3 '200+i1' -o big.taf
	printf '\037\213\10\0' >x.gz
	printf 'BZh9' >x.bz2
	printf '\3757zXZ\0' >x.xz
	printf '\050\265\057\375' >x.zst
	printf '\377\330\377\340' >x.jpg
	printf 'PK\3\4' >x.zip
	printf 'MATLAB 5.0 MAT-file%105s\0\1IM' '' >x.mat
	tafmath -n 12,2 i1 | tafadjust --step 1=0.004 | taf2segy -q -o x.sgy
	printf 'CDF\1' >x.nc
	told <<'END'
3|s.taf: dimension 1: lower bound 4 is above 2: 0 counts from the right, the first is 1|tafcrop -x 1=0:2 s.taf
3|s.taf: dimension 1: lower bound 3 is above 2: -1 counts from the right, the first is 1|tafcrop -x 1=-1:2 s.taf
2|-x 1=1,3,5: not * (tafselect takes a list)|tafcrop -x 1=1,3,5 s.taf
2|-x 1=1.5:2.5: not * (-g takes values of the grid)|tafread -x 1=1.5:2.5 s.taf
2|-x 1=1:4:-1: not a step * (tafreverse turns an order round)|tafcrop -x 1=1:4:-1 s.taf
4|1=1:2: cannot open: * (values stand behind options, which -h lists)|tafcrop 1=1:2
4|10: cannot open: * (values stand behind options, which -h lists)|tafhist a.taf 10
4|3: cannot open: * (values stand behind options, which -h lists)|tafsmooth --mean 3 a.taf 3
4|2,1: cannot open: * (values stand behind options, which -h lists)|tafpermute -d 2,1 a.taf 2,1
4|n.png: cannot open: * (-o names the output)|tafplot a.taf n.png
4|new.taf: cannot open: * (-o names the output)|tafcrop a.taf new.taf
4|new.raw: cannot open: * (-o names the output)|taf2raw a.taf new.raw
4|n1=100: cannot open: * (no KEY=VALUE here: -h lists options, man taf-peers has Madagascar's lines)|tafcrop n1=100
4|title=My plot: cannot open: * (no KEY=VALUE here: -h lists options, man taf-peers *)|tafplot a.taf 'title=My plot'
4|hello: cannot open: * (a value, or the output, stands behind an option: see -h)|tafcomment a.taf hello
4|unit: cannot open: * (a value, or the output, stands behind an option: see -h)|taffft unit a.taf
4|phase: cannot open: * (a value, or the output, stands behind an option: see -h)|tafhilbert a.taf phase
2|2: one file at most (values stand behind options, which -h lists)|tafread a.taf 2
2|0.5:3: one file at most (values stand behind options, which -h lists)|tafread a.taf 0.5:3
2|raw: one file at most (values stand behind options, which -h lists)|tafcreate 6,5 raw
2|new.npy: one file at most (-o names the output)|taf2npy a.taf new.npy
2|new.csv: one file at most (-o names the output)|tafexport a.taf new.csv
2|-o new.taf: what it writes here is no TAF|taf2npy a.taf -o new.taf
2|-o new.taf: what it writes here is no TAF|tafread a.taf -o new.taf
3|x.gz: neither TAF nor RSF, but a gzip file (zcat unpacks it)|tafcrop x.gz
3|x.bz2: neither TAF nor RSF, but a bzip2 file (bzcat unpacks it)|tafread x.bz2
3|x.xz: neither TAF nor RSF, but an xz file (xzcat unpacks it)|tafmath a x.xz
3|x.zst: neither TAF nor RSF, but a Zstandard file (zstdcat unpacks it)|tafprobe x.zst
3|x.zip: neither TAF nor RSF, but a ZIP archive (use npy2taf)|tafprobe x.zip
3|x.jpg: a JPEG image (djpeg makes netpbm of it), no image of netpbm (P1 to P7)|pgm2taf x.jpg
3|x.mat: a MAT-file of level 5 (use mat2taf), no HDF5 file|hdf2taf x.mat
3|x.sgy: a SEG-Y file (use segy2taf), not a FITS file|fits2taf x.sgy
3|x.sgy: a SEG-Y file (use segy2taf), no GTA file|gta2taf x.sgy
3|x.nc: neither TAF nor RSF, but a netCDF-3 file (nccopy -k nc4)|tafprobe x.nc
3|s.taf: a TAF file (commands read it as it is), no NumPy file|npy2taf s.taf
3|s.taf: a TAF file (commands read it as it is), no GTA file|gta2taf s.taf
2|a.taf is a file: the expression stands before it|tafmath a.taf a+1
2|a.taf is a file: the expression stands before it|tafmath a.taf
2|a.taf is a file: OP stands before it|tafreduce a.taf mean
2|a.taf is a file: OP stands before it|tafreduce -d 1 a.taf mean
2|expression: column 1: unknown name "np": functions have no prefix, as in sqrt(a)|tafmath 'np.sqrt(a)' a.taf
2|expression: column 5: unknown name "math": functions have no prefix, *|tafmath 'a + math.pi' a.taf
2|expression: column 2: "\[" is not known: tafcrop -x and tafselect choose elements, before|tafmath 'a[0]' a.taf
2|expression: column 3: "if" is not known: it is where(CONDITION, THEN, ELSE)|tafmath 'a if a>0 else 0' a.taf
2|expression: column 1: unknown function "if": it is where(CONDITION, THEN, ELSE)|tafmath 'if(a>0,a,0)' a.taf
2|expression: column 5: unknown name "b": it is file 2, and there is 1|tafmath 'a + b' a.taf
2|expression: column 9: unknown name "d": it is file 4, and there are 2|tafmath 'a + b + d' a.taf a.taf
2|expression: column 2: "." is not known: decimals follow a digit, *|tafmath 'a.*2' a.taf
2|expression: column 2: "," is not known: decimals follow a point, *|tafmath '1,5*a' a.taf
2|expression: column 2: "(" is not known: functions have names, *|tafmath 'a(1)' a.taf
2|expression: column 2: "a" follows a number: "*" stands between, *|tafmath 2a a.taf
2|expression: column 2: "j" follows a number: * the imaginary unit is I|tafmath '1j*a' a.taf
2|expression: column 1: unknown function "ln": it is log|tafmath 'ln(a)' a.taf
2|expression: column 1: unknown function "arctan2": it is atan2|tafmath 'arctan2(a,1)' a.taf
2|expression: column 1: unknown function "power": it is pow|tafmath 'power(a,2)' a.taf
2|expression: column 1: unknown function "int": it is trunc|tafmath 'int(a)' a.taf
2|expression: column 1: unknown function "mean": tafreduce computes it (tafreduce OP -d 1 FILE *|tafmath 'mean(a)' a.taf
2|expression: column 1: unknown function "cumsum": tafintegrate computes it|tafmath 'cumsum(a)' a.taf
2|expression: column 1: unknown function "diff": tafdifferentiate computes it|tafmath 'diff(a)' a.taf
2|expression: column 1: unknown function "fft": taffft computes it|tafmath 'fft(a)' a.taf
2|expression: column 1: unknown name "x": coordinates along dimension 1 are x1|tafmath 'x+1' a.taf
2|expression: column 1: unknown name "PI": it is pi|tafmath 'PI*a' a.taf
2|expression: column 1: unknown name "A": the first file is a|tafmath 'A+1' a.taf
3|a.taf: -d names 3 dimensions, the array has 2: name each of these once|tafpermute -d 1,2,3 a.taf
4|nowhere: cannot open: No such file or directory|zarr2taf nowhere v
2|-o x.jpg: no kind of picture: .svg .png .pdf .html .txt, or --term|tafplot -o x.jpg a.taf
2|a STORE and an ITEM are needed (dafls STORE lists its items)|daf2taf store
3|big.taf: element *: value 201 does not fit int8 (*): --clip *, --scale maps the range|tafcast -t int8 big.taf
3|big.taf: element *: value 402 does not fit int8 (*): --clip stores the nearest that does|tafmath -t int8 2*a big.taf
2|-m 64MB: not a size, as 64M or 2G|tafcrop -m 64MB a.taf
2|--lowpass: unknown option; did you mean --high[?]|taffilter --lowpass .1 a.taf
2|--gaussian: unknown option; did you mean --gauss[?]|tafsmooth --gaussian 3 a.taf
2|-n: unknown option; did you mean --points[?]|tafspectrogram -n 8 a.taf
2|--rtol: unknown option; did you mean --relative[?]|tafcompare --rtol 1e-3 a.taf a.taf
2|--atol: unknown option; did you mean --absolute[?]|tafcompare --atol 1e-3 a.taf a.taf
2|--threshold: unknown option; did you mean --minimum[?]|tafpeaks --threshold 5 a.taf
2|--rate: unknown option; did you mean --factor[?]|tafregrid --rate 10 a.taf
2|--ifft: unknown option; did you mean --inverse[?]|taffft --ifft a.taf
2|--where: unknown option; did you mean --mask[?]|tafselect --where x a.taf
2|--png: unknown option; did you mean --term[?]|tafplot --png a.taf
2|--wibble: unknown option (tafcrop -h lists them)|tafcrop --wibble a.taf
2|-x 1=1-3: not DIM=LO:HI\[:STEP\] or DIM=INDEX, as 1=2:5|tafcrop -x 1=1-3 s.taf
2|-x 1=1..3: not DIM=LO:HI\[:STEP\] or DIM=INDEX, as 1=2:5|tafcrop -x 1=1..3 s.taf
2|-x 1=\[1:3\]: not * or DIM=INDEX, as 1=2:5|tafcrop -x '1=[1:3]' s.taf
4|2=1:2: cannot open: * (values stand behind options, which -h lists)|tafcrop -x 1=1:3 2=1:2 s.taf
4|7: cannot open: * (values stand behind options, which -h lists)|tafplot --title Shot 7 s.taf
4|1: cannot open: * (values stand behind options, which -h lists)|tafreduce mean 1 s.taf
4|1: cannot open: * (values stand behind options, which -h lists)|txt2taf -c 1 table
2|-g 1=1ns-2ns: not DIM=LO:HI: there is no colon|tafcrop -g 1=1ns-2ns s.taf
2|-g 1=1 ns:2 ns: not DIM=LO:HI: no blank stands before a unit|tafcrop -g '1=1 ns:2 ns' s.taf
2|-n: unknown option; did you mean --index (-x)[?]|tafread -n 5 s.taf
2|-n 3x4: not a list of lengths, as 3,4; the empty one of 3, is found|tafreshape -n 3x4 s.taf
2|-n 2,-1: not a list of lengths, as 3,4; *|tafreshape -n 2,-1 s.taf
2|--start: unknown option; did you mean --index (-x)[?]|tafcrop --start 1 --end 3 s.taf
2|--xrange: unknown option; did you mean --grid (-g)[?]|tafplot --xrange 0:1 s.taf
2|--cmap: unknown option; did you mean --colours[?]|tafplot --image --cmap jet s.taf
2|--psd: unknown option; did you mean --power[?]|taffft --psd s.taf
2|--abs: unknown option; did you mean --amplitude[?]|taffft --abs s.taf
2|--highpass: unknown option; did you mean --low[?]|taffilter --highpass 5 s.taf
2|--level: unknown option; did you mean --edges[?]|tafpeaks --level 50% s.taf
2|--noverlap: unknown option; did you mean --points[?]|tafspectrogram --noverlap 8 s.taf
2|--savgol: unknown option; did you mean --polynomial[?]|tafsmooth --savgol 5,2 s.taf
2|--step: unknown option; did you mean --axis (-a)[?]|tafregrid --step 1=2 s.taf
2|-x: unknown option: tafcrop -x takes a part first|tafreduce mean -x 1=2 s.taf
2|--fwhm: unknown option: the third number of each row of tafpeaks is the width|tafpeaks --fwhm s.taf
2|--baseline: unknown option: tafmath computes, as in 'a - 0.5'|tafsmooth --baseline s.taf
2|--unit: unknown option: tafput sets attributes, *|tafmath --unit V a s.taf
2|--channel: unknown option; did you mean --array (-N)[?]|tafplot --channel 2 s.taf
2|--grey: unknown option; did you mean --image[?]|tafplot --grey s.taf
2|--edges level=10%,90%: not of rising, falling and one level=V|tafpeaks --edges level=10%,90% s.taf
2|-t int: unknown element type (known: *); did you mean int32[?]|tafcast -t int s.taf
3|s.taf: --band: dimension 1 is 4 long: it must be 2, a value and its uncertainty|tafplot --band 1 s.taf
3|c.taf: --band: dimension 1 is 6 long: *uncertainty (tafpermute -d 3,1,2 brings them there)|tafplot --band 1 c.taf
2|-o: unknown option (taf2hdf -h lists them)|taf2hdf s.taf -o x.h5
2|-d: unknown option (txt2taf -h lists them)|txt2taf -d , table
2|expression: column 1: unknown function "sind": angles are in radians, *|tafmath 'sind(a)' s.taf
2|expression: column 1: unknown function "square": it is a^2|tafmath 'square(a)' s.taf
2|expression: column 1: unknown function "linspace": -n and -a make an array|tafmath 'linspace(0,1)' s.taf
2|expression: column 1: unknown function "nanmean": tafreduce computes it|tafmath 'nanmean(a)' s.taf
2|expression: column 5: unknown name "len": the lengths are n1, *|tafmath 'a + len' s.taf
2|-J: options of a command stand behind its name, as in taf crop -x 1=2:5|taf -J 2 crop a.taf
2|-o: options of a command stand behind its name, as in *|taf -o x.taf crop a.taf
END
}

@test "what is written, but surely not as wanted, is remarked" {
	local name
	files
	while IFS='|' read -r name want; do
		tafcrop a.taf -o "x$name" 2>err
		equal "$(<err)" "tafcrop: x$name is written as RSF: $want writes such files"
		tafcrop a.taf | cmp - "x$name"
		tafcrop -q a.taf -o "x$name" 2>err
		[ ! -s err ]
	done <<'END'
.npy|taf2npy
.csv|tafexport --csv
.png|tafplot
.h5|taf2hdf
END
	# what asks for RSF gets it
	tafcrop -F rsf a.taf -o x.csv 2>err
	[ ! -s err ]
	tafmath a>2 a.taf 2>err
	equal "$(<err)" 'tafmath: the output is a file named 2: an expression with > stands between quotes'
	tafcrop a.taf >3 2>err
	[ ! -s err ]
}

@test "a table named as CSV has commas, or a remark" {
	files
	tafexport s.taf -o t.csv 2>err
	equal "$(<err)" "tafexport: t.csv has blanks between its columns: --csv writes commas"
	tafexport -q s.taf -o t.csv 2>err
	tafexport --csv s.taf -o t.csv 2>>err
	tafexport s.taf -o t.txt 2>>err
	[ ! -s err ]
}

@test "what is refused has no remark, and what is done keeps its own" {
	tafmath -n 3 -t flt64 'i1 + .5' -o a.taf
	tafmath -n 3,2 'i1 * 1e30' -o b.taf
	tafcat a.taf b.taf >ab
	tafcat b.taf a.taf >ba
	# the first of two arrays has a remark
	told <<'END'
3|ab: element ?1,1?: value 1*e30 does not fit int8 (-128 to 127): --clip *|tafcast -t int8 ab >some
3|ab: several arrays: a TAF file holds one*|tafhist --bins 2 --range 0:1 ab -o x.taf
3|standard input: several arrays: *|taf2npy < <(cat ab) >some
3|standard input: dimension 2: the array has 1|tafreshape --merge 1:2 < <(cat ba) >some
END
	# of very many the first are told, and how many more there are
	tafcat $(for i in $(seq 600); do echo a.taf; done) >many
	tafcast -t int8 many 2>err >some
	grep -c '^tafcast: 3 of 3 values rounded to int8$' err >told
	equal "$(tail -n 1 err)" "tafcast: $((600 - $(<told))) more remarks"
	# each file that is changed is done by itself
	status 3 tafreshape -i --merge 1:2 b.taf a.taf
	printf 'tafreshape: %s\n' 'the grids do not continue each other: dimension 1 counts from 1' \
	    'a.taf: dimension 2: the array has 1' >want
	same want err
}
