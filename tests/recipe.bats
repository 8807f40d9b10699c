# SPDX-License-Identifier: ISC
load helper
load commands

# The digest of what chain makes: of gcc on x86-64, and of all other compilers and machines.
TEN=1020144e99832ba142db30f01907335f4adc67ea88dcd400e830a3b8d5d3ca12

# chain FILE: ten commands over in.taf and w.taf
chain() {
	tafcrop --recipe -x 1=2:end in.taf |
		tafmath --recipe -t flt64 'a*1.5 + sin(x1)' |
		tafput --recipe unit=V label@1=Time |
		tafpad --recipe --by 1=3:2 |
		tafsmooth --recipe --kernel w.taf -d Time |
		tafpermute --recipe -d 2,1 |
		taffft --recipe -d 2 |
		tafmath --recipe -q --let w=w.taf 'abs(a) + exp(w/9)' |
		tafsort --recipe -d 2 -J 2 |
		tafcast --recipe -q -t flt32 -m 64k -o "$1"
}

inputs() {
	mktaf in.taf int16 23,3
	mktaf w.taf flt64 3
}

# line FILE NUMBER TEXT: in.taf with that line, of this version, in the place of a recipe
line() {
	tafput "recipe/$2=$(taf -V | sed 's/.* //') $3" - -o "$1"
}

@test "ten commands are done again, from renamed inputs in another format" {
	local hash
	inputs
	chain ten.taf
	equal "$(tafprobe ten.taf | grep -c recipe/)" 10
	hash=$(tafchecksum ten.taf)
	equal "${hash%% *}" "$TEN"
	[[ $(tafprobe -j ten.taf) == *"tafcast $TEN --type=flt32 @-"* ]]
	mkdir far near
	tafcrop in.taf -o far/first.rsf
	cp w.taf far/second
	cp ten.taf near/x.taf
	rm in.taf w.taf
	TAF_VERIFY=1 TZ=Asia/Tokyo LC_ALL=de_DE.UTF-8 POSIXLY_CORRECT=1 \
		taf verify near/x.taf --inputs far >out
	equal "$(<out)" 'near/x.taf: the same bits'
	status 3 taf verify near/x.taf
	[[ $(<err) == *"an input is missing: no file in near/ has the array digest "* ]]
	ls near >got
	equal "$(<got)" x.taf
	[ -z "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name "taf-verify-*" -user "$(id -u)" -newer far/second -print -quit)" ]
	did recipe taf
}

@test "other bits are status 1, whichever they are" {
	local at
	inputs
	chain ten.taf
	at=$(tafprobe ten.taf | sed -n 's/^data .* at //p')
	cp ten.taf bit.taf
	printf '\x55' | dd of=bit.taf bs=1 seek=$((at + 9)) conv=notrunc status=none
	status 1 taf verify bit.taf
	[[ $(<out) == 'bit.taf: not the same bits: it is '*" $TEN" ]]
	# a digest that fits, of a result that does not
	tafput "recipe/10=$(tafprobe -k recipe/10 ten.taf | sed "s/$TEN/$(tafchecksum bit.taf | cut -c -64)/")" \
		bit.taf -o lie.taf
	status 1 taf verify lie.taf
	[[ $(<out) == "lie.taf: not the same bits: recipe/10 (tafcast) makes $TEN, not "* ]]
	tafput "recipe/2=$(tafprobe -k recipe/2 ten.taf | sed s/1.5/1.25/)" ten.taf -o argument.taf
	status 1 taf verify argument.taf
	[[ $(<out) == *"recipe/10 (tafcast) makes "* ]]
	# a program without --recipe between the others
	tafcrop --recipe -x 1=2:9 in.taf | tafmath a+1 | tafcrop --recipe -o gap.taf
	status 1 taf verify gap.taf
	tafcrop --recipe -x 1=2:9 in.taf -o crop.taf
	tafmath a+1 crop.taf -o later.taf
	status 1 taf verify later.taf
	# what no digest is of may change
	tafput label@1=other ten.taf -o label.taf
	taf verify label.taf
}

@test "a step is done again, or a file with what it has made takes its place" {
	inputs
	tafmath --recipe 'a + 1' in.taf -o one.taf
	tafcrop --recipe -x 1=1:3 one.taf | tafmath --recipe 'a - b' - w.taf -o two.taf
	equal "$(tafprobe two.taf | grep -c recipe/)" 3
	mkdir all some none
	cp in.taf w.taf all
	taf verify two.taf --inputs all
	cp one.taf w.taf some
	taf verify --inputs=some two.taf
	cp one.taf none
	status 3 taf verify two.taf --inputs none
	[[ $(<err) == *"$(tafchecksum in.taf w.taf | grep w.taf | cut -c -64)" || $(<err) == *"$(tafchecksum in.taf | cut -c -64)" ]]
	# of another version
	tafput "recipe/1=0.0.1 $(tafprobe -k recipe/1 two.taf | cut -d ' ' -f 2-)" \
		two.taf -o old.taf
	status 3 taf verify old.taf --inputs all
	[[ $(<err) == *'recipe/1: made by version 0.0.1 of tafmath, and this is '* ]]
	taf verify old.taf --inputs some
}

@test "several arrays, several files, and standard input" {
	inputs
	tafcat in.taf w.taf -o both.rsf
	tafmath --recipe -t flt64 'a*3' both.rsf -o both3.rsf
	taf verify both3.rsf
	tafsplit --recipe -d 2 in.taf -o 'part-%d.taf'
	[[ $(tafprobe -k recipe/1 part-2.taf) == *"$(tafchecksum part-2.taf | cut -c -64)#2 --dim=2 "* ]]
	taf verify part-2.taf
	tafmath --recipe 'a + b' part-3.taf part-1.taf -o sum.taf
	mkdir from
	cp in.taf part-1.taf from
	taf verify sum.taf --inputs from
	tafcrop --recipe -x 1=3 <in.taf -o redirected.taf
	taf verify redirected.taf
	printf '\1\2\3\4\5\6' >bytes
	# its digest is what b3sum prints
	tafcreate --recipe -n 3 -t int16 bytes -o created.taf
	equal "$(tafprobe -k recipe/1 created.taf | sed 's/.*@//')" \
		file:828a8660ae86b86f1ebf951a6f84349520cc1501fb6fcf95b05df01200be9fa2
	taf verify created.taf
	tafmath --recipe -n 5,3 'i1*i2' -o made.taf
	mkdir empty
	taf verify made.taf --inputs empty
	tafput --recipe unit=mV -o put.taf -- in.taf
	taf verify put.taf
	tafcomment --recipe -C 'a line' in.taf | taftype --recipe --set image -o type.taf
	taf verify type.taf
	if taf2hdf -q new.h5 x in.taf 2>err; then
		hdf2taf --recipe new.h5 /x -o hdf.taf
		[[ $(tafprobe -k recipe/1 hdf.taf) == *" hdf2taf "*" @file:"*" /x" ]]
		taf verify hdf.taf
	fi
	# what does not go into a TAF file has no digest of its result
	tafcrop --recipe -x 1=3:7 in.taf >stream.rsf
	[[ $(tafprobe -k recipe/1 stream.rsf) == *' tafcrop - --index=1=3:7 '* ]]
	taf verify stream.rsf
	tafcrop --recipe -x 1=3:7 in.taf -F taf >redirect.taf
	taf verify redirect.taf
}

@test "what cannot be found again is refused" {
	inputs
	cp in.taf same.taf
	refuse 2 tafcrop --recipe -i -x 1=2 same.taf
	cmp in.taf same.taf
	echo text >text
	refuse 2 tafcomment --recipe -C @text in.taf -o x.taf
	refuse 3 tafmath --recipe a+b in.taf /dev/fd/9 -o x.taf 9< <(cat in.taf)
	refuse 4 tafcrop --recipe missing.taf -o x.taf
	tafcrop in.taf | ends 3 tafcrop --recipe -o x.taf
	[[ $(<err) == *'the program before it needs --recipe, too' ]]
	tafcrop in.taf | ends 3 tafcrop --recipe >out
	[ ! -s out ]
	cat in.taf | ends 3 tafcrop --recipe -o x.taf
	tafcrop --recipe in.taf | ends 2 tafmath --recipe a+b in.taf - -o x.taf
	[[ $(<err) == *'a pipe must be the first' ]]
	refuse 2 tafwatch --recipe in.taf
	[ ! -e x.taf ]
	refuse 2 taf verify
	refuse 2 taf verify in.taf same.taf
	refuse 2 taf verify --input in.taf
	refuse 3 taf verify in.taf
	[[ $(<err) == *'it has no recipe'* ]]
	refuse 4 taf verify missing.taf
	refuse 3 taf verify --inputs missing <(:)
}

@test "a hostile recipe is refused before anything runs" {
	local hash text k name
	inputs
	hash=$(tafchecksum in.taf | cut -c -64)
	mkdir here
	ln -sf "$TAF_BIN"/* here
	for name in tafcrop tafmath tafsmooth taf2rsf tafcomment tafspread tafappend; do
		rm "here/$name"
		printf '#!/bin/sh\n[ "$*" = -h ] || echo "$0 $*" >>%s\nexec "%s" "$@"\n' \
			"$T/ran" "$TAF_BIN/$name" >"here/$name"
		chmod +x "here/$name"
	done
	echo secret >secret
	while IFS= read -r text; do
		text=${text//HASH/@array:$hash}
		line bad.taf 1 "$text" <in.taf
		refuse 3 here/taf verify bad.taf || { echo "$text"; return 1; }
		[ ! -e ran ] || { echo "$text"; cat ran; return 1; }
	done <<-END
		sh - -c id
		/bin/sh - HASH
		../here/tafcrop - HASH
		crop - HASH
		taf - crop HASH
		tafspread - HASH -- touch\\20ran
		tafconvert - HASH
		tafbackup - HASH
		tafplot - HASH
		tafwatch - HASH
		tafcrop - -o $T/ran HASH
		tafcrop - -o/etc/x HASH
		tafcrop - --output=$T/ran HASH
		tafcrop - --out=$T/ran HASH
		tafcrop - -i HASH
		tafcrop - --in-place HASH
		tafcrop - --recipe HASH
		tafcrop - --memory=1T HASH
		tafcrop - --no-such=1 HASH
		tafcrop - --inde=1 HASH
		tafcrop - $T/secret
		tafcrop - ../in.taf
		tafcrop - -- -o HASH
		tafcrop - secret
		tafcrop - $T/HASH
		tafcrop - --index=1=2@- HASH
		tafcrop - -
		tafcrop - @-
		tafcrop - @file:../../secret
		tafcrop - @array:${hash:1}
		tafcrop - @array:${hash}0
		tafcrop - @other:$hash
		tafcrop - HASH#2
		tafcrop x HASH
		tafcrop -#0 HASH
		tafcrop $hash#-1 HASH
		tafcrop
		tafcrop - \\00 HASH
		tafcrop - \\x HASH
		tafmath - a+b HASH $T/in.taf
		tafmath - --let=b=$T/in.taf a+b HASH
		tafmath - --let=$T/HASH a+b HASH
		tafmath - HASH HASH
		tafsmooth - --kernel=w.taf HASH
		tafsmooth - --kernel=../HASH HASH
		tafsmooth - --kernelHASH HASH
		taf2rsf - --datapath=$T/ HASH
		tafcomment - --comment=@$T/secret HASH
		tafcomment - --comment=\\40$T/secret HASH
		tafappend - HASH $T/w.taf
	END
	# but these are what --recipe stores, and run
	line good.taf 1 "tafcrop - HASH" <in.taf
	line good.taf 1 "tafcrop - @array:$hash" <in.taf
	here/taf verify good.taf
	[ -s ran ]
	rm ran
	# too much of it
	perl -e 'print "--- attributes ---\n"; print "recipe/$_=1 tafcrop - \@array:'"$hash"'\n" for 1 .. 10000' >many
	cat in.taf many >many.taf
	refuse 3 here/taf verify many.taf
	[[ $(<err) == *'more than 64 lines'* ]]
	perl -e 'print "--- attributes ---\nrecipe/1='"$(taf -V | sed 's/.* //')"' tafcrop - ", "x" x 3000000, "\n"' >long
	cat in.taf long >long.taf
	refuse 3 here/taf verify long.taf
	[ ! -e ran ]
}

@test "there is no room for a 65th program, and none for an argument without end" {
	local k
	inputs
	for k in {1..63}; do
		echo "recipe/$k=1 tafcrop - @-"
	done >lines
	{ cat in.taf; echo '--- attributes ---'; cat lines; } >63.taf
	tafcrop --recipe 63.taf -o 64.taf
	equal "$(tafprobe 64.taf | grep -c recipe/)" 64
	refuse 3 tafcrop --recipe 64.taf -o 65.taf
	refuse 3 tafcomment --recipe -C "$(printf '%040000d' 0)" in.taf -o long.taf
	[ ! -e 65.taf ]
	[ ! -e long.taf ]
}
