# SPDX-License-Identifier: ISC
# Identities: what is done and undone is as it was, and how the bytes come does not matter.

load helper
load commands

TYPES='int8 uint8 int16 uint16 int32 uint32 int64 uint64 flt32 flt64'

# arrays: one file for each type and rank, as our own commands write them
arrays() {
	local type shape t=0 r
	for type in $TYPES; do
		r=0
		t=$((t + 1))
		for shape in 7 5,3 4,3,2 3,2,4,2 2,3,1,2,2 2,1,3,2,1,2; do
			r=$((r + 1))
			# every type with two ranks, every rank with three types or four
			[ $(((t + r) % 3)) -eq 0 ] || continue
			mktaf raw.taf "$type" "$shape"
			tafadjust --label "1=$type" raw.taf -o "a-$type-$shape.taf"
		done
	done
	rm raw.taf
	ls a-*.taf >list
	[ "$(wc -l <list)" -eq 20 ]
}

dims() {
	tafprobe -k ndim "$1"
}

@test "crop into two parts, then append: the array, along each dimension" {
	arrays
	while read -r f; do
		for ((d = 1; d <= $(dims "$f"); d++)); do
			n=$(tafprobe -k "n$d" "$f")
			[ "$n" -gt 1 ] || continue
			tafcrop -x "$d=1:$((n / 2))" "$f" -o head.taf
			tafcrop -x "$d=$((n / 2 + 1)):" "$f" -o rest.taf
			tafappend -d "$d" head.taf rest.taf -o whole.taf
			same "$f" whole.taf
			tafappend -i -d "$d" head.taf rest.taf
			same "$f" head.taf
		done
	done <list
}

@test "a permutation and its inverse: the array" {
	arrays
	while read -r f; do
		n=$(dims "$f")
		# rotate by one, n times; and reverse, twice
		order=$(seq -s , 2 "$n"; )
		order=${order:+$order,}1
		cp "$f" turned.taf
		for ((k = 0; k < n; k++)); do
			tafpermute -d "$order" turned.taf -o next.taf
			mv next.taf turned.taf
		done
		same "$f" turned.taf
		back=$(seq -s , "$n" -1 1)
		tafpermute -d "$back" "$f" | tafpermute -d "$back" | tafcrop -F taf >twice
		same "$f" twice
		if [ "$n" -eq 2 ]; then
			taftranspose "$f" | taftranspose -o twice.taf
			same "$f" twice.taf
		fi
	done <list
}

@test "TAF to RSF to TAF: the file, with everything it holds" {
	arrays
	i=0
	while read -r f; do
		i=$((i + 1))
		tafcomment -C "number $i, 50%25 \"done\"" "$f" -o c.taf
		printf 'k=%%25%%0A\n' >>c.taf
		[ $((i % 2)) -eq 0 ] || perl -e 'open F, "+<", "c.taf"; seek F, 1032, 0; print F pack "d<2", 0.1, -1e-300'
		[ $((i % 3)) -ne 0 ] || perl -e 'open F, "+<", "c.taf"; seek F, 4, 0; print F "\1\1\11"'
		taf2rsf -r c.taf | rsf2taf -F taf >back
		same c.taf back
		taf2rsf -r c.taf --out=elements -o c.rsf
		rsf2taf c.rsf -o back.taf
		same c.taf back.taf
		tafcrop c.taf | tafcrop | tafcrop >three
		tafcrop c.taf >one
		same one three
	done <list
}

@test "from a file, a pipe, and one byte at a time" {
	arrays
	i=0
	while read -r f; do
		i=$((i + 1))
		[ $((i % 3)) -eq 0 ] || continue
		tafcrop "$f" >f.rsf
		n=$(dims "$f")
		back=$(seq -s , "$n" -1 1)
		for in in "$f" f.rsf; do
			for c in "tafcrop -x 1=2:" "tafpermute -d $back" "tafadjust --shift 1=1" "tafcomment -C x" tafappend "taf2rsf -q" "rsf2taf -F taf" tafprobe; do
				$c <"$in" >file
				cat "$in" | $c >pipe
				same file pipe
				perl -pe 'BEGIN { $| = 1; $/ = \1 }' "$in" | $c >bytes
				same file bytes
				dd bs=4093 if="$in" 2>/dev/null | $c | perl -pe 'BEGIN { $| = 1; $/ = \7 }' >slow
				same file slow
			done
		done
	done <list
}

@test "steps: the interleaved parts of an array are all of it" {
	mktaf a.taf int32 10,3
	for k in 1 2 3; do tafcrop -x 1=$k::3 a.taf | tail -c $(((k == 1 ? 4 : 3) * 12)) >p$k; done
	perl -e '
		sub all { local $/; open my $f, "<:raw", $_[0]; <$f> }
		my @p = map { [unpack "l$ENV{ORDER}*", all("p$_")] } 1 .. 3;
		my $got = join " ", map { my $c = $_; map { $p[$_ % 3][int($_ / 3) + $c * ($_ % 3 ? 3 : 4)] } 0 .. 9 } 0 .. 2;
		my $want = join " ", map { ($_ * 7 + 3) % 101 } 0 .. 29;
		$got eq $want or die "$got\n$want\n"'
	# and the grids say where they are
	equal "$(tafcrop -x 1=2::3 a.taf | tafprobe -k o1) $(tafcrop -x 1=2::3 a.taf | tafprobe -k d1)" "0.75 0.75"
	# a crop of a crop is one crop
	tafcrop -x 1=2::2 a.taf | tafcrop -x 1=2:4 >twice
	tafcrop -x 1=4:8:2 a.taf >once
	same once twice
}

@test "64 dimensions" {
	ones=$(printf '1,%.0s' {1..61})
	mktaf raw.taf uint16 "3,${ones}2,4"
	tafcrop raw.taf -o a.taf
	tafcrop a.taf | rsf2taf -F taf >b
	same a.taf b
	tafcrop -x 64=1 a.taf -o p.taf
	tafcrop -x 64=2:4 a.taf -o q.taf
	tafappend p.taf q.taf -o b.taf
	same a.taf b.taf
	tafcrop -x 1=1 a.taf -o p.taf
	tafcrop -x 1=2:3 a.taf -o q.taf
	tafappend -d 1 p.taf q.taf -o b.taf
	same a.taf b.taf
	refuse 3 tafappend -d 65 a.taf 2>/dev/null || refuse 2 tafappend -d 65 a.taf
	equal "$(tafcrop --squeeze a.taf | tafprobe -k shape)" 3,2,4
}

@test "bits survive: NaN payloads, -0, denormals" {
	perl -e 'print pack "Q<*", 0x7ff8000000000123, 0x7ff0000000000001, 1 << 63, 1, 0xfff8dead0000beef, 0x7ff0000000000000' |
		tafcreate -n 3,2 -t flt64 -o a.taf
	perl -e 'print pack "L<*", 0x7fc00123, 0x7f800001, 1 << 31, 1, 0xffc0beef, 0x7f800000' |
		tafcreate -n 3,2 -t flt32 -o b.taf
	for f in a.taf b.taf; do
		tafcrop $f | taftranspose | taftranspose | tafcrop -F taf >c
		same $f c
		taf2rsf -r $f | rsf2taf -F taf >c
		same $f c
		tafcrop -x 2=1 $f -o p.taf
		tafcrop -x 2=2 $f -o q.taf
		tafappend -i p.taf q.taf
		same $f p.taf
	done
}

@test "in place is the same as through a file" {
	arrays
	i=0
	while read -r f; do
		i=$((i + 1))
		[ $((i % 4)) -eq 0 ] || continue
		back=$(seq -s , "$(dims "$f")" -1 1)
		for c in "tafcrop -x 1=2:" "tafpermute -d $back" "tafadjust --scale 1=3" "tafcomment -C x"; do
			$c "$f" -o want.taf
			cp "$f" got.taf
			$c -i got.taf
			same want.taf got.taf
		done
	done <list
}

@test "numbers near the end of flt64 give what smaller ones give, or are refused" {
	tafmath -t flt64 -n 3 'i1 == 2 ? 0.5 : 0.25' -o k.taf
	for ((s = 1; s <= ${TAF_CASES:-3}; s++)); do
		tafmath -t flt64 -n 14,2 "4 * rand($s) - 2" -o small.taf
		tafmath 'a * 2^1022 * 2' small.taf -o large.taf
		while read -r c; do
			$c small.taf | tafread >want
			st=0
			{ $c -q large.taf -o got.taf 2>err && tafread got.taf >got; } || st=$?
			perl -e 'open W, "<", "want"; open G, "<", "got"; $st = $ARGV[0];
				@g = split /[\s,]+/, join "", <G>;
				for (split /[\s,]+/, join "", <W>) { $n++; $g = shift @g;
					$large += $_ ne "nan" && abs($_ * 2**1023) == 9**9**9;
					$bad += $st == 0 && $g ne $_ && $g != $_ * 2**1023; }
				exit !($n > 0 && ($large > 0 ? $st == 3 : $st == 0 && $bad == 0))' "$st" ||
				{ echo "# $c, $s: $st" >&2; false; }
		done <<-'END'
			tafsmooth --mean 3
			tafsmooth --triangle 5 -d 2
			tafsmooth --gauss 1
			tafsmooth --polynomial 2,5
			tafsmooth --kernel k.taf
			tafregrid --factor 1=1.7
			tafregrid --factor 1=1.7 --method cubic
			tafregrid --factor 1=1.7 --method sinc
			tafdifferentiate --raw
			tafdifferentiate
			tafintegrate
			tafintegrate --rule simpson -J 1
			tafintegrate -m 64k --rule sum
			taffilter --low 0.1 --causal
			taffilter --high 0.2 --order 2
			taffft
			taffft -d 2 --amplitude
			tafhilbert
			tafhilbert --envelope
			tafspectrogram --points 4 --amplitude
			tafspectrogram --points 4 --complex
			tafreduce mean -d 1
			tafreduce std
			tafreduce range -d 2
		END
	done
}

# Words of each command that reads arrays, D the dimension, and of the ways that some have to
# compute.  Those of the table of commands are there, so that none is forgotten.
rows_of_memory() {
	local cmd kind flags words
	while read -r cmd kind flags words; do
		[[ $kind,$flags = stream,* || $kind,$flags = print,!(*named*) ]] || continue
		[ -x "$TAF_BIN/$cmd" ] || continue
		case $cmd in
		taffilter) words='--high 0.1 --causal' ;;
		tafpermute) words='-d TURN' ;;
		tafplot) words='--image --script' ;;
		esac
		[[ $words == *-d* || $words == *1=* ]] || ! takes -d || words="-d D $words"
		echo "$cmd ${words//1=/D=}"
	done < <(table)
	cat <<-'END'
		tafappend -d D in.taf
		tafcorrelate -d D --max-lag 9 in.taf
		tafdifferentiate -d D
		tafhist
		tafhist --bins 3000
		taffill -x D=2:40 --value 3
		tafintegrate -d D --rule simpson
		tafinterleave -d D in.taf
		tafpad --by D=90:200 --with reflect
		tafpeaks -d D --count 0
		tafpeaks -d D --count 9 --distance 5
		tafreduce sum,std,quantile=0.3,mad -t flt64 -d D
		tafreduce mean,var,median
		tafregrid --factor D=0.7 --method cubic
		tafregrid --factor D=1.3 --method sinc
		taffft -d D --pad pow2
		tafhilbert -d D --phase
		tafsmooth -d D --gauss 3
		tafsmooth -d D --mean 31 --edge shrink
		tafsmooth -d D --polynomial 3,11
		tafsmooth -d D --triangle 5 --edge shrink
		tafspectrogram -d D --points 64 --power
		tafspectrogram -d D --points 1500,900
		taftone -d D --points 64,40 --count 2
		taftone -d D --points 300,250
		tafsummarize --quantiles 0.3
	END
}

# Each row runs with the least memory, and with one of two other bounds in turn, on a type in
# turn, which comes from a file and through a pipe in turn.
@test "how much memory there is does not matter: lines that are larger" {
	local -x TAF_HISTORY=off SOURCE_DATE_EPOCH=0
	local turn=0 pipe=0 bad=0 m row dim order shape t types=(int16 flt64 flt32)
	rows_of_memory >rows
	for shape in 5000,7 7,5000 3,5000,2; do
		for t in "${types[@]}"; do
			tafmath -n $shape -t "$t" 'round(20000 * rand(1)) - 10000' -o "$t.taf"
		done
		dim=2 order=2,1
		[ $shape != 5000,7 ] || dim=1
		[ $shape != 3,5000,2 ] || order=2,1,3
		while read -r row; do
			row=${row//D/$dim}
			row=${row/TURN/$order}
			[[ $row,$shape != @(tafexport|tafplot|taftranspose)*,*,*,* ]] || continue
			turn=$((turn + 1))
			cp "${types[turn % 3]}.taf" in.taf
			$row -q - <in.taf >want
			for m in 64k $((turn % 2 ? 300 : 4096))k; do
				if [ $((++pipe % 3)) -eq 0 ]; then
					$row -q -m $m - <in.taf >got
				else
					# shellcheck disable=SC2002 # a pipe is meant
					cat in.taf | $row -q -m $m - >got
				fi && cmp want got ||
					{ bad=1; echo "# $shape ${types[turn % 3]}: $row -m $m"; }
			done
		done <rows
	done
	[ $bad -eq 0 ]
}

@test "lines side by side give what they give one behind the other" {
	local row bad=0 m=64k
	rows_of_memory | grep -E '^taf(diff|fft|filt|hilb|integ|regrid|smooth|sort).* -d D' >rows
	[ "$(wc -l <rows)" -gt 12 ]
	for shape in 3,5000,2 2,20000; do
		tafmath -n $shape -t flt32 'rand(1) - 0.5' -o in.taf
		order=2,1,3
		[ $shape = 3,5000,2 ] || order=2,1
		tafpermute -d $order in.taf -o lines.taf
		while read -r row; do
			m=$([ $m = 64k ] && echo 4M || echo 64k)
			${row/D/1} -q lines.taf | tafpermute -d $order -o want.taf
			{ ${row/D/2} -q -m $m in.taf -o got.taf && tafcompare want.taf got.taf; } ||
				{ bad=1; echo "# $shape: $row -m $m"; }
		done <rows
	done
	[ $bad -eq 0 ]
}
