# SPDX-License-Identifier: ISC
load helper

# block FILE: its attributes, as TAF has them
block() {
	tafcomment --clear "$1" 2>/dev/null | tafcrop -F taf | sed -n '/^--- attributes ---$/,$p' | tail -n +2
}

@test "attributes are set, changed and removed; numbers need no quotes" {
	mktaf a.taf int16 4,3
	tafput date=today 'note=two words' gain=2.5 empty= a.taf >b.rsf
	grep -q '^date="today"' b.rsf || grep -q '[[:space:]]date="today"' b.rsf
	grep -q 'note="two words"' b.rsf
	grep -qw 'gain=2.5' b.rsf
	grep -q 'empty=""' b.rsf
	tail -c 24 b.rsf | cmp - <(tail -c 24 a.taf)
	tafput gain=3 --unset date b.rsf >c.rsf
	equal "$(tafprobe -k gain c.rsf)" 3
	refuse 2 tafprobe -k date c.rsf || equal "$(tafprobe -k date c.rsf)" ""
	tafput --unset nothere a.taf >d.rsf
	tafcrop a.taf | cmp - d.rsf
	# a value may have "=" in it; the last one of a key counts
	equal "$(tafput a=1 a=b=c a.taf | tafprobe -k a)" b=c
}

@test "of dimensions, by KEY@K" {
	mktaf a.taf int16 4,3
	tafput label@1=Time unit@1=s q@2=x unit=V a.taf >b.rsf
	equal "$(for k in label1 unit1 unit; do tafprobe -k $k b.rsf; done | paste -s -d ' ' -)" "Time s V"
	grep -q 'label1="Time"' b.rsf
	grep -q 'q@2="x"' b.rsf
	tafput --unset q@2 --unset unit@1 b.rsf >c.rsf
	run ! grep -q 'q@2\|unit1' c.rsf
	refuse 3 tafput q@3=x a.taf
	refuse 2 tafput 'label@1=a"b' a.taf
}

@test "--clear removes all, labels and units too" {
	mktaf a.taf int16 4,3
	tafput label@1=Time a=1 b=2 a.taf -o b.taf
	tafput --clear c=3 b.taf >d.rsf
	tafput c=3 a.taf | cmp - d.rsf
	tafput --clear b.taf | cmp - <(tafcrop a.taf)
}

@test "through a TAF file and back, bytes and all" {
	mktaf a.taf int16 4,3
	printf 'user text\n' >>a.taf
	tafput 'k=per%cent "quoted"' 'with space=1' n=007 a.taf -o b.taf
	tafprobe -k 'k' b.taf >got
	equal "$(<got)" 'per%cent "quoted"'
	equal "$(tafprobe -k 'with space' b.taf)" 1
	equal "$(tafcomment b.taf)" "user text"
	tafput -i k=2 b.taf
	equal "$(tafprobe -k k b.taf)" 2
	equal "$(tafcomment b.taf)" "user text"
	tafput --clear -i b.taf
	tafcrop a.taf -o c.taf
	same c.taf b.taf
}

@test "operands behind -- are files, whatever they are called" {
	mktaf a=b.taf int16 4,3
	refuse 2 tafput -i x=1 a=b.taf
	tafput -i x=1 -- a=b.taf
	equal "$(tafprobe -k x a=b.taf)" 1
	tafput x=2 -- a=b.taf | tafprobe -k x >got
	equal "$(<got)" 2
	tafput x=3 <a=b.taf | tafprobe -k x >got
	equal "$(<got)" 3
}

@test "keys that say how elements lie are refused" {
	mktaf a.taf int16 4,3
	for key in n1 o2 d1 label1 unit3 in esize data_format taf_format taf_code taf_anything complex ndim; do
		refuse 2 tafput $key=1 a.taf
		refuse 2 tafput --unset $key a.taf
	done
	refuse 2 tafput a.taf
	refuse 2 tafput =1 a.taf
	refuse 2 tafput @1=1 a.taf
	refuse 2 tafput unit@0=V a.taf
	refuse 2 tafput unit@65=V a.taf
	grep -q 'a dimension behind @ is 1 to 64' err
	equal "$(tafput me@home=1 a.taf | tafprobe -k me@home)" 1
	refuse 2 tafput --unset '' a.taf
}
