# SPDX-License-Identifier: ISC
load helper

# near: lines "numbers: numbers" agree but for rounding
near() {
	perl -ne 'my ($a, $b) = map { [split] } split /:/;
		for (0 .. $#$b) {
			abs($a->[$_] - $b->[$_]) <= 1e-8 * (1 + abs $b->[$_]) or die "line $.: $a->[$_] is not $b->[$_]\n";
		}
		@$a == @$b or die; $n++; END { $n or die "nothing" }'
}

@test "each type, order and passage, as scipy has them" {
	perl -e 'print pack "d<*", map { ($_ * 7 + 3) % 101 } 0 .. 119' >in.raw
	tafcreate -n 120 -t flt64 -a 1=5:0.25 in.raw -o in.taf
	while IFS='|' read -r words want; do
		# shellcheck disable=SC2086 # words
		echo "$(taffilter ${words} in.taf | tafread | sed -n '1p;8p;65p;120p' | xargs):$want"
	done >got <<-'END'
		--type butter --order 1 --high 0.5|3.0209609848 51.819691771 47.105648265 28.032059303
		--type butter --order 1 --high 0.5 --causal|0.87867965644 43.563491861 38.91095827 21.65260503
		--type butter --order 1 --low 0.3|-0.31598314788 2.1454089063 -0.83555095145 1.3315984361
		--type butter --order 1 --low 0.3 --causal|2.4192011822 14.183959722 10.262678056 3.0809553512
		--type butter --order 1 --low 0.3 --high 0.9|-0.027818345735 -2.2760196217 1.0418228983 0.0036979614797
		--type butter --order 1 --low 0.3 --high 0.9 --causal|1.0126204557 10.559375426 15.033594594 8.9712261105
		--type butter --order 2 --high 0.5|3.0409974694 53.008361161 46.138168936 27.928660677
		--type butter --order 2 --high 0.5 --causal|0.29289321881 40.006119797 31.060902258 12.185250996
		--type butter --order 2 --low 0.3|0.22075151111 -3.5204545821 0.0020099017062 -0.1145656096
		--type butter --order 2 --low 0.3 --causal|2.1472122296 0.98292930804 16.289802408 21.374585702
		--type butter --order 2 --low 0.3 --high 0.9|0.053199166719 -5.3201203051 0.33066594899 0.25725989855
		--type butter --order 2 --low 0.3 --high 0.9 --causal|0.39331931975 -0.67246937136 21.488943758 32.550240695
		--type butter --order 4 --high 0.5|3.0382240262 51.780694935 45.057805854 28.153738936
		--type butter --order 4 --high 0.5 --causal|0.030628442374 29.478770533 13.179589534 27.494074141
		--type butter --order 4 --low 0.3|0.16579257098 -7.0707766699 0.79260119358 -0.51510244514
		--type butter --order 4 --low 0.3 --causal|1.6097655933 -2.3032211884 -10.621653647 21.459915637
		--type butter --order 4 --low 0.3 --high 0.9|0.64455784823 -5.7671832849 -0.21664130647 -0.57803129605
		--type butter --order 4 --low 0.3 --high 0.9 --causal|0.055689031881 -3.3766049558 9.0105902604 26.107132135
		--type butter --order 5 --high 0.5|3.0080311103 51.372014239 44.666644419 27.952675492
		--type butter --order 5 --high 0.5 --causal|0.0098376489191 23.353811915 16.3268916 45.923675312
		--type butter --order 5 --low 0.3|0.61662004886 -7.8036026868 1.036508507 0.3051904185
		--type butter --order 5 --low 0.3 --causal|1.3871488307 -0.42765228166 -25.317764104 1.9008308914
		--type butter --order 5 --low 0.3 --high 0.9|0.1649788273 -5.5124118879 -0.27361364036 0.16421224331
		--type butter --order 5 --low 0.3 --high 0.9 --causal|0.02079958839 -2.7662090557 6.8595924621 3.7916604977
		--type bessel --order 1 --high 0.5|3.0209609848 51.819691771 47.105648265 28.032059303
		--type bessel --order 1 --high 0.5 --causal|0.87867965644 43.563491861 38.91095827 21.65260503
		--type bessel --order 1 --low 0.3 --high 0.9|-0.027818345735 -2.2760196217 1.0418228983 0.0036979614797
		--type bessel --order 1 --low 0.3 --high 0.9 --causal|1.0126204557 10.559375426 15.033594594 8.9712261105
		--type bessel --order 2 --high 0.5|2.9926452232 52.438520468 46.840205418 28.012854714
		--type bessel --order 2 --high 0.5 --causal|0.27248036402 37.280357182 31.731584306 18.24581476
		--type bessel --order 2 --low 0.3 --high 0.9|0.022687432699 -5.8022715773 2.5592755081 0.10252885304
		--type bessel --order 2 --low 0.3 --high 0.9 --causal|0.36358431126 -0.56923158712 20.201530034 27.777100614
		--type bessel --order 4 --high 0.5|2.999275254 52.581460738 46.719415075 28.005145837
		--type bessel --order 4 --high 0.5 --causal|0.026725660433 24.712718444 24.933409259 37.086086693
		--type bessel --order 4 --low 0.3|-0.0041072100953 -2.6538235596 0.94302978846 -0.088821968417
		--type bessel --order 4 --low 0.3 --causal|1.4505492793 -1.3518639195 -7.8631003184 10.67771633
		--type bessel --order 4 --low 0.3 --high 0.9|0.0045692903396 -6.530466288 4.3158457873 -0.11535295541
		--type bessel --order 4 --low 0.3 --high 0.9 --causal|0.04788459106 -2.8348343756 13.004866784 19.682902412
		--type bessel --order 5 --high 0.5|3.000303948 52.457081906 46.834897479 28.005917818
		--type bessel --order 5 --high 0.5 --causal|0.0083925799598 18.687604668 30.840097358 51.939562761
		--type bessel --order 5 --low 0.3|0.034919720779 -2.3443815978 1.0358806658 0.039220513615
		--type bessel --order 5 --low 0.3 --causal|1.2249080866 -0.014791020265 -15.027279394 -2.5205089829
		--type bessel --order 5 --low 0.3 --high 0.9|-0.0042377088821 -6.621414872 4.8981137759 -0.01108584877
		--type bessel --order 5 --low 0.3 --high 0.9 --causal|0.017428012652 -2.229450988 11.629872692 6.4423607109
		--type cheby --order 1 --high 0.5|3.0000005567 51.999991284 47.000009456 27.999998146
		--type cheby --order 1 --high 0.5 --causal|1.6275049907 49.04840683 44.048424312 25.05081931
		--type cheby --order 1 --low 0.3 --high 0.9|0.33452915226 11.477323733 -2.6212931871 1.9442657092
		--type cheby --order 1 --low 0.3 --high 0.9 --causal|1.779821568 24.987325863 6.4777815847 -9.10647838
		--type cheby --order 2 --high 0.5|2.6175912988 44.949239328 42.321187639 24.938123545
		--type cheby --order 2 --high 0.5 --causal|0.39810928682 41.760424434 37.048993916 7.7031265577
		--type cheby --order 2 --low 0.3 --high 0.9|-0.31398621407 -3.1199686785 -4.6953007294 -1.6332696983
		--type cheby --order 2 --low 0.3 --high 0.9 --causal|0.52585952852 0.7812646442 24.324986014 29.668028214
		--type cheby --order 4 --high 0.5|2.866892821 45.084075989 40.49291315 23.968560835
		--type cheby --order 4 --high 0.5 --causal|0.016858257613 25.761158248 8.765182537 38.378253231
		--type cheby --order 4 --low 0.3|2.0945625597 -8.5469349965 -0.70312206412 -1.6158107277
		--type cheby --order 4 --low 0.3 --causal|1.4427600423 -1.2767057638 -26.581609733 9.7894699206
		--type cheby --order 4 --low 0.3 --high 0.9|3.9172437729 -8.4350405351 -2.4328013514 -1.983193704
		--type cheby --order 4 --low 0.3 --high 0.9 --causal|0.032637146116 -3.0023356161 0.48619160463 10.414559584
		--type cheby --order 5 --high 0.5|3.4926628058 45.525396858 44.49459392 26.505767885
		--type cheby --order 5 --high 0.5 --causal|0.0033816219561 16.31942396 34.059453619 58.202884853
		--type cheby --order 5 --low 0.3|4.2550831598 -11.628572805 0.73344091137 0.86026136562
		--type cheby --order 5 --low 0.3 --causal|1.1504620792 1.4029519045 -24.818351895 -24.966691042
		--type cheby --order 5 --low 0.3 --high 0.9|1.8741533216 -6.1014037738 -0.33727598094 1.0888479615
		--type cheby --order 5 --low 0.3 --high 0.9 --causal|0.0079099191512 -1.9743361993 15.80509329 -15.43117951
		--notch 0.6:3|2.7005163306 52.972675731 42.103048023 27.97688827
		--notch 0.6:3 --causal|2.589813792 50.003110009 42.246032061 8.2620120142
		--high 0.9 --notch 0.6:3|2.8347641758 54.657611177 41.231271358 28.092285633
		--high 0.9 --notch 0.6:3 --causal|0.17482487765 38.787189971 21.277235448 19.065536349
	END
	near <got
}

@test "lines that are filtered together are as each alone" {
	# nine lines; a NaN is in the second
	perl -e 'print pack "f<*", map { $_ == 130 ? "nan" : $_ * 7919 % 1009 / 8 } 0 .. 899' >in.raw
	tafcreate -n 100,9 -a 1=0:1 in.raw -o in.taf
	for filter in '--high 0.1' '--low 0.1 --order 3 --notch 0.2:5' '--high 0.2 --order 7 --causal'; do
		# shellcheck disable=SC2086 # words
		taffilter $filter in.taf | tafread >got
		for k in {1..9}; do
			# shellcheck disable=SC2086 # words
			tafcrop -x 2=$k in.taf | taffilter $filter | tafread
		done >want
		same want got
		equal "$(grep -c nan got)" "$([[ $filter = *causal ]] && echo 70 || echo 100)"
	done
}

@test "sfbandpass drops cutoffs in silence" {
	mktaf in.taf flt64 200
	# steps of 0.25: frequencies below 2
	for words in '--high 2' '--low 2.5' '--low 1 --high 2' '--notch 3:10'; do
		# shellcheck disable=SC2086 # words
		refuse 3 taffilter $words in.taf
		grep -q 'below 2$' err
	done
	taffilter --low 1 --high 1.99 in.taf >out
	printf 'n1=400 d1=0 data_format="native_float" in="stdin"\n\n\f\f\004' >still.rsf
	head -c 1600 /dev/zero >>still.rsf
	refuse 3 taffilter --high 1 still.rsf
}

@test "weights: forward, and both ways" {
	perl -e 'print pack "d<*", 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0' >in.raw
	tafcreate -n 16 -t flt64 in.raw -o in.taf
	perl -e 'print pack "d<*", 4, 2, 1' >fir.raw
	tafcreate -n 3 -t flt64 fir.raw -o fir.taf
	equal "$(taffilter --fir fir.taf --causal in.taf | tafread | xargs)" "0 0 0 0 0 0 0 4 2 1 0 0 0 0 0 0"
	equal "$(taffilter --fir fir.taf in.taf | tafread | xargs)" "0 0 0 0 0 4 10 21 10 4 0 0 0 0 0 0"
	# ends are turned about the first and the last point: a straight line stays one, times 7^2
	perl -e 'print pack "d<*", 10 .. 21' >in.raw
	tafcreate -n 12 -t flt64 in.raw -o in.taf
	equal "$(taffilter --fir fir.taf in.taf | tafread | xargs)" "$(perl -e 'print join " ", map { 49 * $_ } 10 .. 21')"
	# from rest
	equal "$(taffilter --fir fir.taf --causal in.taf | tafread | head -n 3 | xargs)" "40 64 80"
	tafcrop -x 1=1:9 in.taf -o short.taf
	refuse 3 taffilter --fir fir.taf short.taf
}

@test "types, dimensions, NaN" {
	mktaf in.taf int16 41,30,3
	equal "$(taffilter --high 0.5 in.taf | tafprobe -k type -)" flt32
	taffilter -d 2 --high 0.2 in.taf | tafread >got
	tafpermute -d 2,1,3 in.taf | taffilter --high 0.2 | tafpermute -d 2,1,3 | tafread >want
	same want got
	perl -e 'print pack "d<*", 1 .. 20, "nan", 1 .. 20' >in.raw
	tafcreate -n 41 -t flt64 in.raw -o in.taf
	equal "$(taffilter --high 0.2 in.taf | tafread | grep -c nan)" 41
	equal "$(taffilter --high 0.2 --causal in.taf | tafread | grep -c nan)" 21
	equal "$(taffilter --high 0.2 --causal in.taf | tafread | head -n 20 | grep -c nan)" 0
	# too short, and just long enough: two sections
	tafcrop -x 1=1:15 in.taf -o short.taf
	refuse 3 taffilter --high 0.2 short.taf
	tafcrop -x 1=1:16 in.taf | taffilter --high 0.2 >out
}

@test "lines longer than the memory, forward, in any windows" {
	perl -e 'print pack "f<*", map { $_ * 7919 % 10007 / 16 } 1 .. 300000' >in.raw
	perl -e 'print pack "d<*", map { 1 / $_ } 1 .. 9' >fir.raw
	tafcreate -n 9 -t flt64 fir.raw -o fir.taf
	for shape in 300000 2,150000; do
		tafcreate -n $shape in.raw -o in.taf
		d=1
		[ $shape = 300000 ] || d=2
		for words in '--causal --high 0.1' '--causal --fir fir.taf' '--fir fir.taf'; do
			# shellcheck disable=SC2086 # words
			taffilter -d $d $words in.taf -o want.taf
			# shellcheck disable=SC2086
			taffilter -d $d $words -m 256k -J 3 -o got.taf <in.taf
			same want.taf got.taf
		done
		taffilter -d $d --high 0.1 -J 1 in.taf -o want.taf
		for m in 40M 1M; do
			taffilter -d $d --high 0.1 -m $m -J 3 -o got.taf <in.taf
			same want.taf got.taf
		done
	done
	# a window goes on with what the one before has left, wherever it begins
	tafcreate -n 300000 in.raw -o in.taf
	taffilter --causal --high 0.1 in.taf | tafcrop -x 1=2001:end -o want.taf
	tafcrop -x 1=1001:end in.taf | taffilter --causal --high 0.1 | tafcrop -x 1=1001:end -o got.taf
	tafcompare --absolute 1e-3 want.taf got.taf
	# both ways through files, two lines of nine pieces and a rest that is less than the margin
	for n in 147460,2 300000; do
		head -c $((${n/,/*} * 4)) in.raw >part.raw
		tafcreate -n $n part.raw -o in.taf
		for words in '--high 0.1' '--low 0.01 --high 0.3 --notch 0.2:5 --order 7'; do
			# shellcheck disable=SC2086 # words
			taffilter $words in.taf -o want.taf
			# shellcheck disable=SC2086
			taffilter $words -m 1M -J 3 -o got.taf <in.taf
			same want.taf got.taf
		done
	done
}

@test "a wrong invocation" {
	mktaf a.taf flt32 90,2
	refuse 2 taffilter a.taf
	refuse 2 taffilter --order 3 a.taf
	refuse 2 taffilter --low 0 a.taf
	refuse 2 taffilter --high x a.taf
	refuse 2 taffilter --low 1 --high 0.5 a.taf
	refuse 2 taffilter --notch 1 a.taf
	refuse 2 taffilter --notch 1:0 a.taf
	refuse 2 taffilter --notch 1:3 --order 2 a.taf
	refuse 2 taffilter --high 1 --order 0 a.taf
	refuse 2 taffilter --high 1 --order 13 a.taf
	refuse 2 taffilter --high 1 --type elliptic a.taf
	perl -e 'print pack "f<*", 1, 2' >fir.raw
	tafcreate -n 2 fir.raw -o fir.taf
	refuse 2 taffilter --fir fir.taf --high 1 a.taf
	refuse 3 taffilter --fir a.taf a.taf
	refuse 3 taffilter --high 1 -d 3 a.taf
	refuse 4 taffilter --fir missing a.taf
	# scipy wants more than 15 points, too
	tafmath -n 15 i1 -o a.taf
	refuse 3 taffilter --high 0.1 a.taf
	tafmath -n 16 i1 | taffilter --high 0.1 -o b.taf
}

@test "a line that overflows in files is refused, not full of NaN" {
	tafmath -t flt64 -n 100000 '1.7e308 * sin(i1 / 3)' -o a.taf
	refuse 3 taffilter -m 256k --low 0.1 a.taf
	grep -q 'a result does not fit flt64' err
	tafmath -t flt64 -n 100000 'i1 == 5 ? nan : i1' | taffilter -m 256k --low 0.1 |
		tafread | sort -u >got
	equal "$(cat got)" nan
}

@test "complex elements: each part by itself" {
	parts_apart taffilter -d D --high 0.2 --order 2
	parts_apart taffilter -d D --low 0.2 --causal
	tafmath -n 3 'i1' -o fir.taf
	parts_apart taffilter -d D --fir fir.taf
	# the element that does not fit is named; lines go through files, too
	tafmath -n 2,100000 -t complex \
		'i1 == 2 and abs(i2 - 70005) < 9 ? I*3.3e38*(1 - 2*(i2//4 % 2)) : 0' -o c.taf
	for m in 64k 256M; do
		refuse 3 taffilter -d 2 -m $m --high 0.2 c.taf
		[[ $(<err) == "taffilter: c.taf: element [2,69998]: value -3.409774980766847e38 "* ]]
	done
}
