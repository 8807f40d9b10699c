#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Times of the commands that move data, each beside references in the same run: medians of
# BENCH_RUNS runs in turn, files in memory unless said.  Prints a table in Markdown; no test
# depends on it.
# usage: TAF_BIN=... TAF_BENCH=... run.sh quick|full [SECTION ...]
# BENCH_DIR: a folder in memory (/dev/shm); BENCH_DISK: one on a disk, for the section disk
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PATH=$TAF_BIN:$TAF_BENCH:$PATH
mode=${1:-full}
shift || :
ONLY=$*
case $mode in
full) side=512 n=${BENCH_RUNS:-5} most=29 ;;
quick) side=128 n=${BENCH_RUNS:-3} most=23 ;;
*)
	echo "run.sh: quick or full" >&2
	exit 2
	;;
esac
dir=$(mktemp -d "${BENCH_DIR:-/dev/shm}/taf.XXXXXX")
disk=
trap 'rm -rf "$dir" ${disk:+"$disk"}' EXIT
cd "$dir"
export TAF_HISTORY=off TMPDIR=$dir
cube="$side^3 flt32"
cp='cp --reflink=never'
python=$(PATH=/usr/bin:$PATH command -v python3 || :)
[ -z "$python" ] || "$python" -c 'import numpy' 2>/dev/null || python=
numexpr=$python
[ -z "$python" ] || "$python" -c 'import numexpr' 2>/dev/null || numexpr=

scipy=$python
[ -z "$python" ] || "$python" -c 'import scipy' 2>/dev/null || scipy=

wanted()
{
	[ -z "$ONLY" ] || case " $ONLY " in *" $1 "*) ;; *) return 1 ;; esac
}

section()
{
	wanted "$1" || return 1
	printf '\n%s\n\n' "$2"
	echo '| command | input | s | reference | s | ratio | peak MiB |'
	echo '|:---|:---|---:|:---|---:|---:|---:|'
}

# compare COMMAND INPUT OURS [LABEL REFERENCE] ...: shell commands, run in turn
compare()
{
	local name=$1 input=$2 args=(-- bash -o pipefail -c "$3") label=() out i
	shift 3
	while [ $# -gt 0 ]; do
		label+=("$1")
		args+=(-- bash -o pipefail -c "$2")
		shift 2
	done
	if ! out=$(runs "$n" "${args[@]}" 2>error); then
		echo "| $name | $input | failed: $(head -1 error) | | | | |"
		return 0
	fi
	# shellcheck disable=SC2086
	set -- $out
	for ((i = 0; i < ${#label[@]}; i++)); do
		awk -v name="$name" -v input="$input" -v label="${label[i]}" -v t="$1" \
			-v peak="$3" -v ref="${*:4 + 3 * i:1}" 'BEGIN {
			printf "| %s | %s | %.4f | %s | %.4f | %.2f | %.1f |\n",
				name, input, t, label, ref, t / ref, peak / 1024 }'
	done
}

# rows INPUT HOW [numexpr]: compare commands by lines `OURS; NUMPY; MADAGASCAR` of standard input.
# HOW is where the result goes, and what the reference does with as many bytes: pipe (cat | cat),
# file (cp), or none (cat a.taf).  NUMPY and MADAGASCAR may be left out; NUMPY is for peer.py,
# which knows scipy's packages, too.
rows()
{
	local ours numpy sf to out refs

	while IFS=';' read -r ours numpy sf; do
		case $2 in
		pipe) to=' | cat' out=' | cat' refs=('cat \| cat' 'cat out | cat') ;;
		file) to=' -o p; rm p' out=' --out=stdout >p; rm p' refs=(cp "$cp out c; rm c") ;;
		none) to='' out='' refs=(cat 'cat a.taf >/dev/null') ;;
		esac
		[ "$2" = none ] || sh -c "$ours" </dev/null >out
		numpy=${numpy# }
		case $numpy in
		signal.* | ndimage.* | interpolate.*)
			[ -z "$scipy" ] || refs+=(scipy "$scipy $here/peer.py numpy $side '$numpy'$out")
			;;
		?*)
			[ -z "$python" ] || refs+=(numpy "$python $here/peer.py numpy $side '$numpy'$out")
			[ -z "$numexpr" ] || [ -z "${3:-}" ] ||
				refs+=(numexpr "$python $here/peer.py numexpr $side '$numpy'$out")
			;;
		esac
		sf=${sf# }
		! command -v "${sf%% *}" >/dev/null || refs+=("${sf%% *}" "$sf$out")
		compare "${ours//|/\\|}" "$1" "$ours$to" "${refs[@]}" </dev/null
	done
	rm -f out
}

# an array of lengths $2 and type $3 that varies: mktaf FILE LENGTHS TYPE
mktaf()
{
	local bytes=1 k
	for k in ${2//,/ }; do bytes=$((bytes * k)); done
	case $3 in *16) bytes=$((bytes * 2)) ;; *32) bytes=$((bytes * 4)) ;; *64) bytes=$((bytes * 8)) ;; esac
	while [ "$(wc -c <noise)" -lt "$bytes" ]; do cat noise noise >noise2 && mv noise2 noise; done
	head -c "$bytes" noise | tafcreate -n "$2" -t "$3" -o "$1"
}

# bytes of floats, none of them NaN
head -c 262144 /dev/urandom | tafcreate -n 65536,4 -e uint8 -t flt32 | taf2raw >noise

memory=$(awk '/^MemTotal/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo 2>/dev/null || :)
model=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -1)
load=$(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo '?')
echo "$(date -u +%F), $(uname -sr), $(nproc) processors ${model:+($model)}, ${memory:-?}; $mode, median of $n."
echo "Load of the machine at the start: $load."
absent=
for peer in ncks ncpdq h5repack gta sfmath sftransp octave; do
	command -v $peer >/dev/null || absent="$absent $peer"
done
[ -n "$python" ] || absent="$absent numpy"
[ -n "$numexpr" ] || absent="$absent numexpr"
echo "Not installed:${absent:- none of the peers}. Ratio: our time by the reference's."

mktaf a.taf "$side,$side,$side" flt32
half=$((side / 4 + 1)):$((side * 3 / 4))

if section start 'Start-up: user and system time'; then
	mktaf small.taf 4,4 uint8
	reference=/bin/true
	while read -r command; do
		# shellcheck disable=SC2086
		out=$(runs 300 -- $reference -- $command)
		# shellcheck disable=SC2086
		set -- $out
		awk -v name="${command%% *}" -v ref="${reference%% *}" -v r="$2" -v t="$5" -v m="$6" \
			'BEGIN { printf "| %s | 16 bytes | %.6f | %s | %.6f | %.2f | %.1f |\n",
				name, t, ref, r, t / r, m / 1024 }'
		reference='tafprobe small.taf'
	done <<-'EOF'
		tafprobe small.taf
		tafmath -n 1 1
		tafreduce sum small.taf
		tafcast -t int16 small.taf
		tafhist small.taf
		tafsort small.taf
		taffill --value 1 small.taf
		tafcompare small.taf small.taf
		tafreshape -q --flatten small.taf
		tafrepeat --times 1=2 small.taf
		tafpad --by 1=1:1 small.taf
		tafreverse -d 1 small.taf
		tafroll --by 1=1 small.taf
		tafselect -d 1 --list 1,2 small.taf
		tafput key=1 small.taf
		tafcat small.taf
		tafsplit small.taf
		tafinterleave small.taf small.taf
	EOF
fi
if section header 'What only edits the header'; then
	compare 'tafadjust' "$cube, file to pipe" 'tafadjust --scale 1=2 a.taf | cat' \
		'cat \| cat' 'cat a.taf | cat'
	compare 'tafcomment' "$cube, file to pipe" 'tafcomment -C x a.taf | cat' \
		'cat \| cat' 'cat a.taf | cat'
	compare 'rsf2taf' "$cube, file to pipe" 'taf2rsf a.taf | rsf2taf | cat' \
		'cat \| cat' 'cat a.taf | cat'
	compare 'three stages' "$cube" \
		'tafadjust --scale 1=2 a.taf | tafadjust --shift 1=2 | tafcomment -C x | cat' \
		'one stage' 'tafadjust --scale 1=2 a.taf | cat'
	compare 'taf2gta, gta2taf' "$cube" 'taf2gta a.taf | gta2taf | cat' \
		'cat \| cat' 'cat a.taf | cat'
	compare 'taf2npy, npy2taf' "$cube, Fortran order" 'taf2npy a.taf | npy2taf | cat' \
		'cat \| cat' 'cat a.taf | cat'
fi
if section segy 'SEG-Y, file to file'; then
	for format in 5 1; do
		tafadjust --step 1=0.001 a.taf | taf2segy -q --format "$format" -o s.sgy
		compare "segy2taf, format $format" "$cube" 'segy2taf s.sgy -o p.taf; rm p.taf' \
			cp "$cp s.sgy c; rm c"
	done
	compare 'segy2taf --headers' "$((side * side)) traces" \
		'segy2taf --headers s.sgy -o p.taf; rm p.taf' 'cat' 'cat s.sgy >/dev/null'
	compare 'segy2taf --by' "$((side * side)) traces" \
		'segy2taf --by iline,xline s.sgy -o p.taf; rm p.taf' cp "$cp s.sgy c; rm c"
	segy2taf s.sgy -o s.taf
	compare 'taf2segy, format 1' "$cube" 'taf2segy s.taf -o p.sgy; rm p.sgy' \
		cp "$cp s.sgy c; rm c"
	rm s.sgy s.taf
fi
if section crop 'Parts'; then
	tafcrop -x "3=$half" a.taf -o h.taf
	compare 'tafcrop -x 3' "$cube, half of it, file to file" \
		"tafcrop -x 3=$half a.taf -o p.taf; rm p.taf" \
		'cp of as many' "$cp h.taf c.taf; rm c.taf"
	rm h.taf
	compare 'tafcrop -x 1=1::2' "$cube, file to pipe" 'tafcrop -x 1=1::2 a.taf | cat' \
		'cat \| cat' 'cat a.taf | cat'
	for k in 2 3; do
		compare "tafcrop -x $k=1::2" "$cube, file to pipe" \
			"tafcrop -x $k=1::2 a.taf | cat" 'cat \| cat' 'cat a.taf | cat'
	done
	compare 'tafappend' "$cube, twice, file to file" \
		'tafappend a.taf a.taf -o p.taf; rm p.taf' \
		'cat a a' 'cat a.taf a.taf >c.taf; rm c.taf'
	compare 'tafappend -d 1' "$cube, twice, file to file" \
		'tafappend -d 1 a.taf a.taf -o p.taf; rm p.taf' \
		'cat a a' 'cat a.taf a.taf >c.taf; rm c.taf'
	cp a.taf r.taf
	compare 'tafreplace -i' "$cube, half of it" \
		"tafcrop -x 3=$half a.taf | tafreplace -i -x 3=$half --with - r.taf" \
		'cp' "$cp a.taf c.taf; rm c.taf"
	rm r.taf
fi
if section permute 'Orders of dimensions, file to file'; then
	for order in 2,1,3 1,3,2 3,2,1 2,3,1 3,1,2; do
		for jobs in '' '-J 1 '; do
			compare "tafpermute $jobs-d $order" "$cube" \
				"tafpermute $jobs-d $order a.taf -o p.taf; rm p.taf" \
				cp "$cp a.taf c.taf; rm c.taf"
		done
	done
	for type in uint8 int16 flt64; do
		case $type in uint8) len=$((side * 4)) ;; int16) len=$((side * 2)) ;; flt64) len=$((side / 2)) ;; esac
		mktaf t.taf "$side,$side,$len" $type
		for order in 2,1,3 3,2,1 2,3,1; do
			compare "tafpermute -d $order" "$side,$side,$len $type" \
				"tafpermute -d $order t.taf -o p.taf; rm p.taf" \
				cp "$cp t.taf c.taf; rm c.taf"
		done
	done
	rm t.taf
	compare 'taf2npy --c-order' "$cube" 'taf2npy --c-order a.taf -o p.npy; rm p.npy' \
		cp "$cp a.taf c.taf; rm c.taf"
	taf2npy --c-order a.taf -o a.npy
	compare 'npy2taf, C order' "$cube" 'npy2taf a.npy -o p.taf; rm p.taf' \
		cp "$cp a.taf c.taf; rm c.taf"
	if [ -n "$python" ]; then
		compare 'tafpermute -d 3,2,1' "$cube" \
			'tafpermute -d 3,2,1 a.taf -o p.taf; rm p.taf' numpy \
			"$python -c 'import numpy as n; a = n.load(\"a.npy\", mmap_mode=\"r\")
n.ascontiguousarray(a.T).tofile(\"c\")'; rm c"
	fi
	rm a.npy
	if command -v octave >/dev/null; then
		taf2raw a.taf >a.raw
		cat >permute.m <<EOF
f = fopen("a.raw"); a = reshape(fread(f, Inf, "float32=>float32"), $side, $side, $side);
g = fopen("c", "w"); fwrite(g, permute(a, [3 2 1]), "float32"); fclose(g);
EOF
		compare 'tafpermute -d 3,2,1' "$cube" \
			'tafpermute -d 3,2,1 a.taf -o p.taf; rm p.taf' octave 'octave -qf permute.m; rm c'
		rm a.raw
	fi
	taf2ten a.taf -o a.ten
	compare 'ten2taf' "$cube" 'ten2taf a.ten -o p.taf; rm p.taf' \
		cp "$cp a.taf c.taf; rm c.taf"
	rm a.ten
	if command -v ncpdq >/dev/null && [ -n "$python" ]; then
		taf2raw a.taf | "$python" "$here/netcdf.py" "$side" >a.nc
		compare 'tafpermute -d 3,2,1' "$cube" \
			'tafpermute -d 3,2,1 a.taf -o p.taf; rm p.taf' \
			ncpdq 'ncpdq -O -a x,y,z a.nc c.nc; rm c.nc'
		compare 'tafcrop -x 1=1::2' "$cube, file to file" \
			'tafcrop -x 1=1::2 a.taf -o p.taf; rm p.taf' \
			ncks 'ncks -O -d x,0,,2 a.nc c.nc; rm c.nc'
		if command -v h5repack >/dev/null && ncks -4 -O a.nc a.h5; then
			compare 'tafadjust' "$cube, file to file" \
				'tafadjust --scale 1=2 a.taf -o p.taf; rm p.taf' \
				h5repack 'h5repack -l v:CONTI a.h5 c.h5; rm c.h5'
			rm a.h5
		fi
		rm a.nc
	fi
fi
if section convert 'Element types'; then
	taf2raw a.taf | tafcreate -q -n "$side,$side,$side" -e flt32 -t uint8 -o m.taf
	bytes=$((side * side * side * 4))
	compare 'taf2rsf, mapped uint8' "$side^3, to file" 'taf2rsf m.taf -o p.rsf; rm p.rsf' \
		'C, zeros' "ref zeros $bytes >c; rm c"
	compare 'taf2rsf, mapped uint8' "$side^3, to pipe" 'taf2rsf m.taf | cat' \
		'C, zeros' "ref zeros $bytes | cat"
	compare 'taf2raw -t flt64' "$cube, to file" 'taf2raw -t flt64 a.taf -o p; rm p' \
		'C, zeros' "ref zeros $((bytes * 2)) >c; rm c"
	compare 'taf2rsf -t int16 --clip' "$cube, to file" \
		'taf2rsf -q -t int16 --clip a.taf -o p; rm p' \
		'C, zeros' "ref zeros $((bytes / 2)) >c; rm c"
	compare 'tafcreate -t int16' "$side^3 flt32, scaled, to file" \
		"taf2raw a.taf | tafcreate -q -e flt32 -t int16 -n $side,$side,$side -o p; rm p" \
		'cp' "$cp a.taf c.taf; rm c.taf"
	for k in widen copy; do
		printf '| %s | %s, memory to memory | %s GB/s | | | | |\n' \
			"$([ $k = widen ] && echo 'taf_convert, mapped uint8 to flt32' || echo 'memcpy')" \
			"256 MiB of output" "$(ref $k 268435456 | cut -d' ' -f1)"
	done
	rm m.taf
fi
if section compute 'Elements by an expression, sorts and histograms'; then
	mkdir half
	tafcrop -x "3=1:$((side / 2))" a.taf | tafmath 'a / 32 - 3' -o half/a.taf
	tafmath '(a * 224 + 672) % 256 / 32 - 3' half/a.taf -o half/b.taf
	cd half
	for k in a b; do taf2rsf --out="$PWD/$k.raw" $k.taf >$k.rsf; done
	rows "$side,$side,$((side / 2)) flt32, file to pipe" pipe numexpr <<-'EOF'
		tafmath 'a*2 + 1' a.taf; a*2 + 1; sfmath a=a.rsf output='a*2 + 1'
		tafmath 'a + b' a.taf b.taf; a + b; sfmath a=a.rsf b=b.rsf output='a + b'
		tafmath 'sqrt(a*a + b*b)' a.taf b.taf; sqrt(a*a + b*b); sfmath a=a.rsf b=b.rsf output='sqrt(a*a + b*b)'
		tafmath 'a > 3' a.taf; a > 3
		tafmath 'where(a < 0, 0, a)' a.taf; where(a < 0, 0, a)
		tafmath 'exp(a)' a.taf; exp(a); sfmath a=a.rsf output='exp(a)'
		tafmath 'log(abs(a))' a.taf; log(abs(a)); sfmath a=a.rsf output='log(abs(a))'
		tafmath 'sin(a)' a.taf; sin(a); sfmath a=a.rsf output='sin(a)'
		tafmath 'sin(a*1e8)' a.taf; sin(a*1e8); sfmath a=a.rsf output='sin(a*1e8)'
		tafmath 'atan2(a, b)' a.taf b.taf; arctan2(a, b)
		tafmath 'a^3' a.taf; a*a*a
	EOF
	rows "$side,$side,$((side / 2)) flt32, file to pipe" pipe <<-'EOF'
		tafcast -t int16 --scale a.taf
		tafcast -t flt64 a.taf; a.astype("f8")
		taffill --nan 0 a.taf; nan_to_num(a)
	EOF
	rows "$side,$side,$((side / 2)) flt32" none <<-'EOF'
		tafcompare a.taf a.taf; array_equal(a, a)
		tafhist --range=-3:5 a.taf; histogram(a, 100, (-3, 5))[0]; sfhistogram <a.rsf n1=100 o1=-3 d1=0.08
		tafhist a.taf; histogram(a, 100)[0]
		tafreshape -q --flatten a.taf | tafsort; sort(a, None, "stable")
		tafreshape -q --flatten a.taf | tafsort -m 64M
	EOF
	cd ..
	rm -r half
fi
if section reduce 'Statistics along dimensions'; then
	taf2rsf --out="$PWD/a.raw" a.taf >a.rsf
	rows "$cube" none <<-'EOF'
		tafreduce mean a.taf; mean(a, dtype="f8")
		tafreduce mean -d 1 a.taf; mean(a, 2); sfstack axis=1 norm=y <a.rsf
		tafreduce mean -d 2 a.taf; mean(a, 1); sfstack axis=2 norm=y <a.rsf
		tafreduce mean -d 3 a.taf; mean(a, 0); sfstack axis=3 norm=y <a.rsf
		tafreduce std a.taf; std(a, dtype="f8")
		tafreduce std -d 1 a.taf; std(a, 2)
		tafreduce std -d 2 a.taf; std(a, 1)
		tafreduce std -d 3 a.taf; std(a, 0)
		tafreduce min,max,mean a.taf
		tafreduce median -d 1 a.taf; median(a, 2)
	EOF
	rm a.raw a.rsf
fi
if section signals 'Signals along a dimension'; then
	mkdir part
	tafcrop -x "3=1:$((side / 8 + 1))" a.taf | tafadjust --start 1=0 --start 2=0 --step 1=1 --step 2=1 -o part/a.taf
	cd part
	tafreshape --flatten -q a.taf | tafadjust --start 1=0 --step 1=1 -o l.taf
	taf2rsf --out="$PWD/a.raw" a.taf >a.rsf
	rows "$side,$side,$((side / 8 + 1)) flt32, file to pipe" pipe <<-EOF
		taffft a.taf; fft.rfft(a); sffft1 opt=n <a.rsf
		taffft -d 2 a.taf; fft.rfft(a, axis=1)
		tafsmooth --mean 11 a.taf; ndimage.uniform_filter1d(a, 11); sfboxsmooth rect1=11 <a.rsf
		tafsmooth -d 2 --mean 11 a.taf; ndimage.uniform_filter1d(a, 11, 1); sfboxsmooth rect2=11 <a.rsf
		tafsmooth --triangle 11 a.taf; ; sfsmooth rect1=11 <a.rsf
		tafsmooth --median 31 a.taf; ndimage.median_filter(a, (1, 1, 31))
		tafdifferentiate a.taf; gradient(a, axis=2)
		tafdifferentiate -d 2 a.taf; gradient(a, axis=1)
		tafintegrate --rule sum a.taf; cumsum(a, 2)
		tafintegrate --rule sum -d 2 a.taf; cumsum(a, 1)
		taffilter --high 0.1 a.taf; signal.sosfiltfilt(signal.butter(4, 0.2, output="sos"), a).astype("f4")
		taffilter --high 0.1 -d 2 a.taf; signal.sosfiltfilt(signal.butter(4, 0.2, output="sos"), a, 1).astype("f4")
		tafregrid -a 1=0:0.7 --method cubic a.taf; interpolate.CubicSpline(arange($side), a, 2)(arange(0, $side - 1, 0.7)).astype("f4"); sfspline n1=$((10 * (side - 1) / 7 + 1)) o1=0 d1=0.7 <a.rsf
		tafregrid -a 1=0:0.7 a.taf; ; sfremap1 order=2 n1=$((10 * (side - 1) / 7 + 1)) o1=0 d1=0.7 <a.rsf
	EOF
	fft "$([ "$mode" = full ] && echo 22 || echo 16)"
	rows 'as many flt32 in a line, file to pipe' pipe <<-'EOF'
		tafsmooth --mean 11 l.taf; ndimage.uniform_filter1d(a.ravel(), 11)
		tafdifferentiate l.taf; gradient(a.ravel())
		tafintegrate --rule sum l.taf; cumsum(a.ravel())
		taffilter --high 0.1 l.taf; signal.sosfiltfilt(signal.butter(4, 0.2, output="sos"), a.ravel()).astype("f4")
		tafregrid -a 1=0.3:1 l.taf; interp(arange(a.size - 1) + 0.3, arange(a.size), a.ravel()).astype("f4")
		tafregrid -a 1=0.3:1 --method cubic l.taf; interpolate.CubicSpline(arange(a.size), a.ravel())(arange(a.size - 1) + 0.3).astype("f4")
	EOF
	cd ..
	rm -r part
fi
if section move 'Elements in other places'; then
	taf2rsf --out="$PWD/a.raw" a.taf >a.rsf
	list=$(seq "$side" | shuf --random-source=noise | paste -s -d , -)
	export list
	tafcrop -x "3=1:$((side / 2))" a.taf -o left.taf
	tafcrop -x "3=$((side / 2 + 1)):" a.taf -o right.taf
	rows "$cube, file to file" file <<-'EOF'
		tafreverse -d 1 a.taf; ; sfreverse which=1 <a.rsf
		tafreverse -d 2 a.taf; ; sfreverse which=2 <a.rsf
		tafreverse -d 3 a.taf; ; sfreverse which=4 <a.rsf
		tafreverse -d 1,2,3 a.taf; ; sfreverse which=7 <a.rsf
		tafroll --by 1=100 a.taf; ; sfrotate rot1=100 <a.rsf
		tafroll --by 2=100 a.taf; ; sfrotate rot2=100 <a.rsf
		tafroll --by 3=100 a.taf; ; sfrotate rot3=100 <a.rsf
		tafpad --by 1=8:8 a.taf; ; sfpad beg1=8 end1=8 <a.rsf
		tafpad --by 3=8:8 a.taf; ; sfpad beg3=8 end3=8 <a.rsf
		tafrepeat --times 3=2 left.taf
		tafrepeat --times 1=2 --each left.taf
		tafselect -q -d 1 --list $list a.taf
		tafselect -q -d 2 --list $list a.taf
		tafselect -q -d 3 --list $list a.taf
		tafcat a.taf
		tafsplit -d 1 a.taf
		tafsplit -d 2 a.taf
		tafsplit -d 3 a.taf
		tafsplit -d 1 --every 100 a.taf
		tafinterleave -q -d 1 left.taf right.taf
		tafinterleave -q -d 2 left.taf right.taf
		tafinterleave -q -d 3 left.taf right.taf
		tafappend -q -d 1 left.taf right.taf
	EOF
	rm left.taf right.taf
	rows "$cube, file to pipe" pipe <<-'EOF'
		tafreshape -q --flatten a.taf
		tafput key=1 a.taf
	EOF
	rm a.raw a.rsf
fi
# a capture of $1 samples of 16 bits in byte order $2 of perl's pack, as LeCroy writes it
lecroy()
{
	perl -e 'my ($n, $e) = @ARGV; my $d = "\0" x 346;
		sub at { my ($at, $t, @v) = @_; my $s = pack "($t)$e", @v; substr($d, $at, length $s) = $s }
		at(0, "a16a16", "WAVEDESC", "LECROY_2_3");
		at(32, "SSl", 1, $e eq "<" ? 1 : 0, 346);
		at(60, "l", 2 * $n);
		at(116, "l", $n);
		at(144, "l", 1);
		at(156, "ff", 0.5, 3);
		at(176, "fd", 1e-9, 0);
		at(196, "a48a48", "V", "S");
		print $d' "$1" "$2"
	taf2raw a.taf | head -c $(($1 * 2))
}

# of s.raw, in memory
spectrogram_by_scipy="import numpy, sys; from scipy.signal import spectrogram
spectrogram(numpy.fromfile('s.raw', 'i2'), window=numpy.hanning(1024), nperseg=1024, noverlap=512, detrend=False)"

if section signals 'Spectra and what is made of them'; then
	samples=$((side * side * side / 2))
	refs=()
	[ -z "$python" ] || ! "$python" -c 'import scipy.signal' 2>/dev/null ||
		refs=(scipy "$python -c \"$spectrogram_by_scipy\"")
	taf2raw a.taf | head -c $((2 * samples)) >s.raw
	tafcreate -n $samples -t int16 -o s.taf s.raw
	compare 'tafspectrogram --points 1024,512' "$samples int16" \
		'tafspectrogram --points 1024,512 s.taf | cat >/dev/null' \
		'cat \| cat' 'cat s.taf | cat >/dev/null' "${refs[@]}"
	for skip in 401,100 503,100 1203,300; do
		compare "tafspectrogram --points $skip --crop 0:0.25" "$samples int16" \
			"tafspectrogram --points $skip --crop 0:0.25 s.taf >/dev/null" \
			'cat \| cat' 'cat s.taf | cat >/dev/null'
	done
	# as many bytes as s.taf has, for the transform of its columns
	mktaf q.taf "$((side * 16)),$((side * side / 64))" flt32
	taffft -d 2 q.taf -o p.taf
	compare 'taffft -d 2' "$((side * 16)),$((side * side / 64)) flt32, file to pipe" \
		'taffft -d 2 q.taf | cat >/dev/null' \
		'cat \| cat' 'cat p.taf | cat >/dev/null'
	rm p.taf q.taf
	lecroy $samples '<' >s.trc
	compare 'from a capture to the strongest frequency' "$samples samples of 16 bits" \
		'lecroy2taf s.trc | tafspectrogram --points 401,100 | tafcrop -x 1=3:101 |
		tafpeaks -d 1 --centroid | tafcrop -x 1=1 --squeeze | tafmath "775e-9*a" >/dev/null' \
		'cat \| cat' 'cat s.trc | cat >/dev/null'
	rm s.taf s.raw s.trc
fi
if section instruments 'Captures of instruments, file to file'; then
	for order in '<' '>'; do
		lecroy $((side * side * side)) "$order" >a.trc
		compare 'lecroy2taf' "$((side * side * side)) samples of 16 bits, pack $order" \
			'lecroy2taf a.trc -o p.taf; rm p.taf' cp "$cp a.trc c.trc; rm c.trc"
	done
	rm a.trc
fi
if section copies 'Other files, many arrays and chunks, and slabs'; then
	taf2hdf -q a.h5 v a.taf
	compare 'hdf2taf' "$cube, file to file" 'hdf2taf a.h5 v -o p.taf; rm p.taf' \
		cp "$cp a.taf c.taf; rm c.taf"
	compare 'taf2hdf' "$cube, file to file" 'taf2hdf -q p.h5 v a.taf; rm p.h5' \
		cp "$cp a.taf c.taf; rm c.taf"
	rm a.h5
	# turned: many small runs
	for type in uint8 int16 flt32 flt64; do
		case $type in uint8) len=8 ;; int16) len=4 ;; flt32) len=2 ;; flt64) len=1 ;; esac
		mktaf t.taf "2048,$((side * 4 * len))" $type
		for command in taf2ten 'taf2npy --c-order' 'tafpermute -d 2,1'; do
			compare "$command" "2048,$((side * 4 * len)) $type, file to pipe" \
				"$command t.taf | cat >/dev/null" 'cat \| cat' 'cat t.taf | cat >/dev/null'
		done
	done
	rm t.taf
	many=$((side * side * 25 / 64))
	tafcrop -x 1=1:10 -x 2=1 -x 3=1 -q a.taf | tafreshape -q -n 10 >one.rsf
	yes one.rsf | head -n $many | xargs cat >many.rsf
	for command in 'tafcrop -x 1=2:9' tafread tafsummarize 'tafreduce mean' 'tafmath a+1'; do
		compare "$command" "$many arrays of 10 values" "$command <many.rsf >/dev/null" \
			tafadjust 'tafadjust --scale 1=2 <many.rsf >/dev/null'
	done
	rm one.rsf many.rsf
	if [ -n "$python" ] && "$python" -c 'import h5py' 2>/dev/null; then
		"$python" -c "import h5py, numpy as n
n = n.arange($((side * side * 5 / 8)) * 100, dtype='f4').reshape(-1, 100)
h5py.File('a.h5', 'w').create_dataset('v', data=n, chunks=(10, 10))"
		compare 'hdf2taf -m 16M' "$((side * side * 5 / 8)) chunks of 10 x 10" \
			'hdf2taf -m 16M a.h5 v -o p.taf; rm p.taf' \
			h5py "$python -c 'import h5py; h5py.File(\"a.h5\")[\"v\"][()].tofile(\"c\")'; rm c"
		rm a.h5
	fi
	compare 'tafspread -J 2 -- cat' "$cube" \
		'tafspread -q -J 2 -o p.taf a.taf -- cat; rm p.taf' cp "$cp a.taf c.taf; rm c.taf"
	tafmath -n 64,200 'rand(1)' -o t.taf
	compare 'tafspread, 200 slabs' '64 values each, one command' \
		'tafspread -q -J 2 --slabs 200 -o p.taf t.taf -- tafmath a+1; rm p.taf' \
		'sh, by 2' "seq 200 | xargs -P 2 -I % sh -c 'tafcrop -q -x 2=% t.taf | tafmath a+1 >p%'; rm p*"
	rm t.taf
fi
if section summarize 'Statistics'; then
	compare 'tafsummarize' "$cube" 'tafsummarize a.taf' 'C, sum' 'ref sum a.taf' \
		'cat' 'cat a.taf >/dev/null'
	compare 'tafsummarize -J 1' "$cube" 'tafsummarize -J 1 a.taf' 'C, sum' 'ref sum a.taf'
	for k in 1 2 3; do
		compare "tafsummarize -d $k" "$cube" "tafsummarize -d $k a.taf" 'C, sum' 'ref sum a.taf'
	done
	compare 'tafcheck' "$cube" 'tafcheck a.taf' 'C, sum' 'ref sum a.taf'
fi
if section text 'Text; values a second and bytes a second'; then
	count=$((side * side * side / 16))
	"${python:-/bin/true}" -c "import numpy as n
n.random.default_rng(1).standard_normal($count).astype('<f4').tofile('t.raw')" ||
		taf2raw a.taf | head -c $((count * 4)) >t.raw
	[ -s t.raw ] || { taf2raw a.taf | head -c $((count * 4)) >t.raw; }
	tafcreate -n "4,$((count / 4))" -t flt32 t.raw -o t.taf
	tafread t.taf >t.txt
	tafexport t.taf >m.txt
	compare 'tafread' "$count normal flt32" 'tafread t.taf' 'cat of the text' 'cat t.txt >/dev/null'
	compare 'tafexport' "$((count / 4)) lines of 4" 'tafexport t.taf' 'cat of the text' 'cat m.txt >/dev/null'
	compare 'txt2taf' "$(wc -c <t.txt) bytes" 'txt2taf t.txt' 'cat of the text' 'cat t.txt >/dev/null'
	rm t.raw t.taf t.txt m.txt
fi

# The same command over sizes and shapes: a cliff is a ratio far from its neighbours'.
# each COMMAND INPUT OURS: beside cp of the input
each()
{
	compare "$1" "$2" "$3" cp "$cp s.taf c.taf; rm c.taf"
}

sweep()
{
	each "tafpermute -d 3,2,1" "$1" 'tafpermute -d 3,2,1 s.taf -o p.taf; rm p.taf'
	each 'tafcrop -x 1=1::2' "$1" 'tafcrop -x 1=1::2 s.taf -o p.taf; rm p.taf'
	compare 'tafappend -d 1' "$1, twice" 'tafappend -d 1 s.taf s.taf -o p.taf; rm p.taf' \
		'cat s s' 'cat s.taf s.taf >c.taf; rm c.taf'
	each 'taf2rsf -t flt64' "$1" 'taf2rsf -t flt64 s.taf -o p.rsf; rm p.rsf'
	each 'tafsummarize' "$1" 'tafsummarize s.taf'
	each 'tafsummarize -d 1' "$1" 'tafsummarize -d 1 s.taf'
	each 'tafsummarize -d 2' "$1" 'tafsummarize -d 2 s.taf'
	each 'tafadjust' "$1" 'tafadjust --scale 1=2 s.taf -o p.taf; rm p.taf'
}

if section sizes 'Sizes'; then
	for ((k = 10; k <= most; k += most == 29 && k >= 22 ? 7 : 4)); do
		mktaf s.taf "16,8,$((1 << (k - 9)))" flt32
		sweep "$((1 << (k - 10))) KiB"
	done
fi
if section shapes 'Shapes: as many bytes in other lengths and types'; then
	[ "$mode" = full ] && unit=$((1 << 22)) || unit=$((1 << 18))
	for lens in $((unit / 4096)),64,64 64,$((unit / 4096)),64 64,64,$((unit / 4096)) \
		1,$((unit / 4)),4 4,1,$((unit / 4)) $((unit / 4)),4,1 2,$((unit / 4)),2 \
		3,$((unit / 9)),3 7,$((unit / 7 / 31)),31 31,$((unit / 31 / 37)),37 \
		257,$((unit / 257 / 263)),263 255,$((unit / 255 / 257)),257 \
		1021,$((unit / 1021 / 17)),17 17,$((unit / 17 / 1021)),1021 \
		1,1,$unit $unit,1,1 1,$unit,1; do
		mktaf s.taf "$lens" flt32
		sweep "$lens flt32"
	done
	for type in uint8 int16 flt64; do
		mktaf s.taf "251,$((unit / 251 / 241)),241" $type
		sweep "251,$((unit / 251 / 241)),241 $type"
	done
fi
# beside NAME INPUT BEST FIELDS: a row of what runs has told, beside a time of the same command
beside()
{
	# shellcheck disable=SC2086
	set -- "$1" "$2" "$3" "$4" $5
	awk -v name="$1" -v input="$2" -v label="$3" -v best="$4" -v t="$5" -v peak="$7" 'BEGIN {
		printf "| %s | %s | %.4f | %s | %.4f | %.2f | %.1f |\n",
			name, input, t, label, best, t / best, peak / 1024 }'
}

# Commands that work along a dimension: lines `COMMAND` of standard input, over all shapes in all
# dimensions, from a file and from a pipe, beside the fastest of them.
along()
{
	local command shape dim from out best lengths
	while read -r command; do
		: >all
		for shape in "${shapes[@]}"; do
			IFS=, read -ra lengths <<<"$shape"
			for ((dim = 1; dim <= ${#lengths[@]}; dim++)); do
				# a filter wants some points
				[ "${lengths[dim - 1]}" -ge 16 ] || continue
				for from in file pipe; do
					out=${command//DIM/$dim}
					[ $from = file ] && out="$out s$shape.taf -o p.taf" ||
						out="cat s$shape.taf | $out -o p.taf"
					out=$(runs 3 -- bash -o pipefail -c "$out" 2>error) || out=
					echo "$shape along $dim, $from|$out" >>all
				done
			done
		done
		best=$(sed -n 's/.*|\([0-9.]*\) .*/\1/p' all | sort -g | head -n 1)
		while IFS='|' read -r shape out; do
			[ -n "$out" ] && beside "$command" "$shape" 'best shape' "$best" "$out" ||
				echo "| $command | $shape | failed | | | | |"
		done <all
	done
}

if section lines 'Lines along each dimension of shapes of as many elements, beside the best of them'; then
	[ "$mode" = full ] && unit=$((1 << 22)) || unit=$((1 << 16))
	shapes=("$unit" "2,$((unit / 2))" "3,$((unit / 3))" "16,$((unit / 16))" "2048,$((unit / 2048))"
		"$((unit / 16)),16" "$((unit / 2)),2" "2,2,$((unit / 4))" "$((unit / 4)),2,2"
		"3,$((unit / 9)),3")
	for shape in "${shapes[@]}"; do
		tafmath -n "$shape" -t flt32 'rand(1)' -o "s$shape.taf"
	done
	along <<'END'
tafsort -d DIM
tafsmooth -d DIM --mean 3
tafsmooth -d DIM --median 3
taffilter -d DIM --low .1 --causal
taffilter -d DIM --low .1 --order 2
tafintegrate -d DIM
tafdifferentiate -d DIM --edge zero
tafregrid --factor DIM=1
taffft -d DIM
tafhilbert -d DIM
tafpeaks -d DIM --count 1
tafreduce -d DIM median
taffill -d DIM --nan previous
tafreverse -d DIM
END
	rm s*.taf p.taf all
fi
if section memory 'Memory is a bound: the same command with more of it, beside the best with less'; then
	[ "$mode" = full ] && unit=$((1 << 24)) || unit=$((1 << 18))
	tafmath -n "$unit" -t flt32 'rand(1)' -o l.taf
	tafmath -n "64,$((unit / 64))" -t flt32 'rand(1)' -o c.taf
	tafmath -n "4096,$((unit / 4096))" -t flt32 'rand(1)' -o q.taf
	while read -r command; do
		best=
		for m in 4M 16M 64M 256M 1G; do
			out=$(runs 3 -- bash -c "$command -m $m -o p.taf" 2>error) || { echo "| $command | -m $m | failed | | | | |"; continue; }
			t=${out%% *}
			[ -n "$best" ] || best=$t
			beside "$command" "-m $m" 'best with less' "$best" "$out"
			best=$(printf '%s\n' "$t" "$best" | sort -g | head -n 1)
		done
	done <<'END'
tafpermute -d 2,1 q.taf
taffft l.taf
taffft -d 2 c.taf
tafhilbert l.taf
taffilter --low .1 l.taf
taffilter --low .1 -d 2 c.taf
tafsmooth --median 5 -d 2 c.taf
tafsort l.taf
tafsort -d 2 c.taf
tafreduce -d 1 median q.taf
tafpeaks --count 9 -d 2 c.taf
tafregrid --factor 2=2 c.taf
END
	rm l.taf c.taf q.taf p.taf
fi
if section spread 'What tafspread does beside the pipelines: processor time'; then
	spread 10000
	[ "$mode" = quick ] || spread 100000
fi

if wanted chains && [ -n "$scipy" ]; then
	printf '\nChains of commands, file to file, beside one program that does the same in memory\n\n'
	"$scipy" "$here/chains.py" "$mode"
fi

if wanted tones && [ -n "$python" ]; then
	printf '\nWhat taftone says of its errors, beside the errors\n'
	"$python" "$here/tone.py" "$mode"
fi

if wanted disk && [ -n "${BENCH_DISK:-}" ] && section disk 'Arrays of 16 times the memory allowed, disk to disk'; then
	n=1
	disk=$(mktemp -d "$BENCH_DISK/taf.XXXXXX")
	[ "$mode" = full ] && z=256 || z=64
	mktaf chunk.taf "1024,1024,16" flt32
	taf2raw chunk.taf >chunk
	rm chunk.taf
	for ((k = 0; k < z; k += 16)); do cat chunk; done | tafcreate -n "1024,1024,$z" -o "$disk/b.taf"
	rm chunk
	export disk TMPDIR="$disk"
	size=$((z / 4))M
	ulimit -d $(((z / 4 + 32) * 1024))
	cold='sync; echo 1 >/proc/sys/vm/drop_caches 2>/dev/null;'
	while read -r command; do
		for state in cold warm; do
			[ $state = cold ] && drop=$cold || drop=
			case $command in
			taf2zarr*) ours="$command -m $size \$disk/p v \$disk/b.taf; sync \$disk" ;;
			*) ours="$command -m $size \$disk/b.taf -o \$disk/p" ;;
			esac
			compare "$command -m $size" "1024,1024,$z flt32, $state" \
				"$drop $ours; rm -r \$disk/p" \
				'cp, sync' "$drop $cp \$disk/b.taf \$disk/c; sync \$disk/c; rm \$disk/c"
		done </dev/null
	done <<-'END'
		tafadjust --scale 1=2 -F taf
		tafpermute -d 2,1,3 -F taf
		tafpermute -d 2,3,1 -F taf
		tafpermute -d 3,2,1 -F taf
		taf2zarr --chunks 64,64,64
		taffft -d 1
		taffft -d 2
		taffft -d 3
		tafsort -d 1 -F taf
		tafsort -d 3 -F taf
		tafreduce median -d 3
	END
fi
