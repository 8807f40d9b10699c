# SPDX-License-Identifier: ISC
load helper
load commands
load rearrange

# indices N: those of a whole dimension
indices() {
	seq -s ' ' 0 $(($1 - 1))
}

@test "single points along each dimension" {
	local k
	for type in uint8 int16 flt64; do
		mktaf a.taf $type 7,5,4
		for k in 2 4; do
			equal "$(tafsplit a.taf | tafread -N $k)" \
				"$(points 7 - "$(indices 7)" "$(indices 5)" $((k - 1)) 5)"
			equal "$(tafsplit -d 2 a.taf | tafread -N $k)" \
				"$(points 7 - "$(indices 7)" $((k - 1)) "$(indices 4)" 5)"
			equal "$(tafsplit -d 1 a.taf | tafread -N $k)" \
				"$(points 7 - $((k - 1)) "$(indices 5)" "$(indices 4)" 5)"
		done
		equal "$(tafsplit a.taf | tafprobe -k shape | sort | uniq -c | xargs)" "4 7,5"
		equal "$(tafsplit -d 2 a.taf | tafprobe -k shape | sort | uniq -c | xargs)" "5 7,4"
		equal "$(tafsplit -d 1 a.taf | tafprobe -k shape | sort | uniq -c | xargs)" "7 5,4"
	done
	everywhere tafsplit -d 1 a.taf
}

@test "pieces of several points, and the last has what is left" {
	mktaf a.taf int16 7,5,4
	equal "$(tafsplit -d 2 --every 2 a.taf | tafprobe -k shape | paste -s -d ' ' -)" "7,2,4 7,2,4 7,1,4"
	equal "$(tafsplit -d 1 --every 3 a.taf | tafprobe -k shape | paste -s -d ' ' -)" "3,5,4 3,5,4 1,5,4"
	equal "$(tafsplit --every 9 a.taf | tafprobe -k shape)" 7,5,4
	equal "$(tafsplit --every 1 a.taf | tafprobe -k shape | paste -s -d ' ' -)" "7,5,1 7,5,1 7,5,1 7,5,1"
	equal "$(tafsplit -d 2 --every 2 a.taf | tafread -N 2)" \
		"$(points 7 - "$(indices 7)" '2 3' "$(indices 4)" 5)"
	equal "$(tafsplit -d 1 --every 3 a.taf | tafread -N 2)" \
		"$(points 7 - '3 4 5' "$(indices 5)" "$(indices 4)" 5)"
	equal "$(tafsplit -d 1 --every 3 a.taf | tafread -N 3)" \
		"$(points 7 - 6 "$(indices 5)" "$(indices 4)" 5)"
	for k in 1 2 3; do
		everywhere tafsplit -d $k --every 3 a.taf
	done
}

@test "split and appended again it is the same array" {
	mktaf a.taf int16 301,9,23
	tafcrop a.taf >want
	for how in '-d 1 --every 100' '-d 1 --every 7' '-d 2 --every 3' '-d 2 --every 8' '-d 3 --every 10'; do
		# shellcheck disable=SC2086 # words are meant
		set -- $how
		tafsplit -m 1 "$@" a.taf | tafappend -q -d "$2" >got
		same want got
		# shellcheck disable=SC2002 # a pipe is meant
		cat a.taf | tafsplit -m 30k "$@" | tafappend -q -d "$2" >got
		same want got
	done
	tafpermute -d 2,3,1 a.taf | tafreshape -n 9,23,301 | tafread -r >want
	tafsplit -d 1 a.taf | tafappend -q -d 3 | tafread -r >got
	same want got
	tafcat a.taf a.taf | tafsplit -d 2 -m 64k >got
	tafcat a.taf | tafsplit -d 2 >want
	tafcat want want >twice
	same twice got
}

@test "a few large pieces, made of blocks of their lines" {
	mktaf a.taf int16 1501,401,3
	tafcrop a.taf >want
	for how in '-d 1 --every 700 -m 1M -J 3' '-d 1 --every 1000 -J 2' '-d 2 --every 250 -m 100k'; do
		# shellcheck disable=SC2086 # words are meant
		set -- $how
		tafsplit "$@" a.taf -o x.rsf
		tafappend -q -d "$2" x.rsf >got
		same want got
		# shellcheck disable=SC2002 # a pipe is meant
		cat a.taf | tafsplit "$@" >got
		same x.rsf got
	done
}

@test "grid, attributes, mapping and type go to each piece" {
	mktaf m.taf int16 4,3,2
	perl -e 'open F, "+<", "m.taf"; seek F, 1032, 0; print F pack "d<2", 2, 0.5'
	printf 'first\nsecond' >>m.taf
	tafput channel=C1 m.taf -o p.taf
	tafadjust --start 2=-1 --step 2=0.25 --label 1=Time --unit 1=s --label 2=Place --label 3=Shot p.taf -o a.taf
	facts() {
		local k
		for k in "$@"; do tafprobe -k "$k" <s; done | paste -s -d ' ' -
	}
	tafsplit -d 2 a.taf >t
	tafcat -N 3 t >s
	equal "$(facts split/coordinate label1 unit1 label2 o2 channel type)" "-0.5 Time s Shot 2.5 C1 int16"
	equal "$(tafcomment s)" $'first\nsecond'
	grep -qx '	split/coordinate=-0.5' s
	equal "$(facts intercept slope)" "2 0.5"
	tafsplit -d 2 --every 2 a.taf | tafcat --pick 2 >s
	equal "$(facts n2 o2 d2 label2)" "1 -0.5 0.25 Place"
	tafprobe -k split/coordinate <s >key || :
	[ ! -s key ]
	# of one dimension one point is left
	mktaf b.taf flt32 3
	tafadjust -i --start 1=7 b.taf
	tafsplit b.taf >t
	equal "$(for k in shape o1 split/coordinate; do tafprobe -k $k t; done | paste -s -d ' ' -)" "1 1 1 7 7.25 7.5 7 7.25 7.5"
	rsf c.rsf 'data_format="native_complex" esize=8 n1=2 n2=2' "$(perl -e 'print "abcdefghABCDEFGH" x 2')"
	equal "$(tafsplit -d 1 c.rsf | tafcat -N 1 | tail -c 16)" abcdefghabcdefgh
}

@test "a file for each piece" {
	mktaf a.taf uint8 5,12
	tafsplit a.taf -o p-%03d.taf
	equal "$(echo p-*)" "$(for k in $(seq 1 12); do printf 'p-%03d.taf ' "$k"; done | sed 's/ $//')"
	equal "$(tafread p-007.taf)" "$(points 5 - '0 1 2 3 4' 6)"
	refuse 3 tafsplit a.taf -o one.taf
	[ ! -e one.taf ]
	mktaf b.taf uint8 2,1000
	mkdir many
	timeout 60 tafsplit b.taf -o many/%d.taf
	equal "$(find many -name '*.taf' | wc -l)" 1000
	equal "$(tafread many/999.taf)" "$(points 2 - '0 1' 998)"
}

@test "what cannot be split" {
	mktaf a.taf int16 5,0,3
	refuse 3 tafsplit -d 2 a.taf
	grep -q 'dimension 2' err
	refuse 3 tafsplit -d 4 a.taf
	# pieces without elements are arrays, too
	equal "$(tafsplit -d 3 a.taf | tafprobe -k shape | paste -s -d ' ' -)" "5,0 5,0 5,0"
	equal "$(tafsplit -d 1 --every 2 a.taf | tafprobe -k shape | paste -s -d ' ' -)" "2,0,3 2,0,3 1,0,3"
	mktaf b.taf int16 2,2,3
	refuse 3 tafsplit -d 2 b.taf a.taf
	for n in 0 -1 1.5 x ''; do
		refuse 2 tafsplit --every "$n" b.taf
	done
	refuse 2 tafsplit -d 0 b.taf
	refuse 2 tafsplit -d 1,2 b.taf
	head -c 1080 b.taf | ends 3 tafsplit -d 1 >/dev/null
}
