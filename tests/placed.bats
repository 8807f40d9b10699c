# SPDX-License-Identifier: ISC
# Where an output goes: the file that is replaced, and what is no file, keep what they are.

load helper
load commands
load daf

root() {
	[ "$(id -u)" -eq 0 ] || skip "only root has files of other users"
}

# the words of the present command, with @ for its output, to the list
list_words() {
	local before=("${args[@]}" "${in#"$T/"}") after=(-o @)
	# shellcheck disable=SC2034 # each reads it
	takes -o || { applies=no && return 0; }
	# the name is of two files
	[ "$cmd" != taf2sigmf ] || { applies=no && return 0; }
	case $cmd in
	daf2taf) before=(store cell/gene/dm) ;;
	hdf2taf) before=(run.nc v) ;;
	zarr2taf) before=(zarr) ;;
	sigmf2taf) before=(radio.sigmf-meta) ;;
	tafspread) before=(--slabs 2) after=(-o @ in.taf -- cat) ;;
	esac
	(IFS=$'\t' && echo "$cmd	-q	${before[*]}	${after[*]}") >>list
}

@test "-o on a device, a FIFO, a link, a read-only file, a file of another user: all commands" {
	fixture_taf in.taf
	mkdaf store
	radio
	mkdir zarr
	printf '{"zarr_format":2,"shape":[3],"chunks":[3],"dtype":"|u1","compressor":null,"fill_value":0,"order":"C","filters":null}' >zarr/.zarray
	printf abc >zarr/0
	gzip -dc "$BATS_TEST_DIRNAME/hdf/cf.nc.gz" >run.nc
	each all list_words
	mkfifo fifo
	ln -s null device
	mkdir bin
	if [ "$(id -u)" -ne 0 ] || ! mknod null c 1 3 2>/dev/null || ! : 2>/dev/null >null; then
		rm -f null
		mkfifo null
		while [ -p null ]; do cat null >/dev/null; done 3>&- &
	fi
	# one who may not reach that folder
	bin=$TAF_BIN
	[ "$(id -u)" -ne 0 ] || { bin=./bin && cp "$TAF_BIN"/* bin && chmod -R a+rX .; }
	lists=no
	echo >try
	if setfacl -m u:1002:r try && setfattr -n user.note -v noted try && getfattr -d try; then
		lists=yes
	fi >/dev/null 2>&1
	chmod 777 .
	umask 022
	TMPDIR=/tmp perl "$BATS_TEST_DIRNAME/placed.pl" $lists "$bin" <list || bad=1
	rm null
	kill $! 2>/dev/null || :
	[ -z "$bad" ]
}

@test "where the group of a list changes, it gets no more than all others have" {
	root
	need setfacl getfacl setpriv
	fixture_taf in.taf
	cp "$TAF_BIN/tafcrop" .
	chmod 777 .
	echo old >file
	chown 1001:2001 file
	chmod 660 file
	setfacl -m u:1002:rw,g:2005:r,m::rw file 2>/dev/null || skip "no access control lists here"
	setpriv --reuid=1002 --regid=1002 --clear-groups ./tafcrop -x 1=1 in.taf -o file
	equal "$(getfacl -cn file | tr '\n' ' ')" \
		"user::rw- user:1002:rw- group::--- group:2005:r-- mask::rw- other::---  "
	equal "$(stat -c '%u:%g' file)" 1002:1002
}

@test "a list that cannot be read is not taken for none" {
	need strace setfacl
	mktaf i.taf int16 5,4
	echo old >file
	setfacl -m u:1002:r,g::- file 2>/dev/null || skip "no access control lists here"
	for call in getxattr listxattr; do
		status 4 strace -o trace -e trace=$call -e inject=$call:error=EIO \
			tafcrop i.taf -o file
		grep -q INJECTED trace
		equal "$(cat file)" old
	done
}

# a folder of numbered names, some of which are there or links, and what may become of it
draw() {
	perl -e '
		srand(shift);
		my @kinds = qw(none none none file file link hard input inputhard dangling away);
		for my $k (1 .. 4) {
			my ($p, $kind) = ("d/p$k", $kinds[rand @kinds]);
			my $j = 1 + int rand 4;
			if ($kind eq "file") { open my $f, ">", $p; print $f "old $k\n" }
			elsif ($kind eq "link" && $j != $k) { symlink "p$j", $p }
			elsif ($kind eq "hard" && -f "d/p$j") { link "d/p$j", $p }
			elsif ($kind eq "input" && rand() < .3) { symlink "../i.taf", $p }
			elsif ($kind eq "inputhard" && rand() < .3) { link "i.taf", $p }
			elsif ($kind eq "dangling") { symlink "new" . ($j % 2), $p }
			elsif ($kind eq "away") { symlink "../away/p$j", $p }
		}
		my @in = stat "i.taf";
		my (%seen, $same);
		for my $p (map { "d/p$_" } 1 .. 4) {
			my $hops = 0;
			$p = "d/" . readlink $p while -l $p && ++$hops < 9;
			$same = 1 if $hops == 9;
			my @s = stat $p;
			my $at = @s ? "$s[0]:$s[1]" : $p;
			$same = 1 if $seen{$at}++ || $at eq "$in[0]:$in[1]";
		}
		print $same ? "same" : "apart"' "$1"
}

content() {
	find d away i.taf -type f -exec cksum {} + | sort
	find d away -type l
}

@test "numbered outputs that are one file, or the input, are refused: by chance" {
	local n want before
	mktaf i.taf int16 5,4
	tafsplit i.taf -o whole%d
	mkdir away
	for ((n = 1; n <= ${TAF_CASES-25}; n++)); do
		rm -rf d away
		mkdir d away
		want=$(draw "$n")
		before=$(content)
		if [ "$want" = apart ]; then
			timeout 20 tafsplit i.taf -o d/p%d
			for k in 1 2 3 4; do same "d/p$k" "whole$k"; done
		elif status 2 timeout 20 tafsplit i.taf -o d/p%d || grep -q 'symbolic links' err; then
			equal "$(content)" "$before"
		else
			echo "case $n: $want"
			return 1
		fi
		seen+=$want
	done
	[[ $seen == *same* && $seen == *apart* ]]
}

@test "a numbered output that is an input, by any name" {
	mkdir d1 d2
	for f in p-1.taf p-2.taf x.taf d2/x.taf; do mktaf "$f" int16 5,4; done
	refuse 2 tafcrop -x 1=1:2 p-2.taf p-1.taf -o p-%d.taf
	refuse 2 tafcrop -x 1=1:2 p-2.taf -o "$T/p-%d.taf"
	refuse 2 tafsplit d2/x.taf -o d%d/x.taf
	ln x.taf y-7.taf
	ln -s x.taf z-003.taf
	refuse 2 tafsplit x.taf -o y-%d.taf
	refuse 2 tafsplit x.taf -o z-%03d.taf
	ends 2 tafsplit -o y-%d.taf <x.taf
	grep -q 'y-7.taf is an input' err
	refuse 2 tafcrop -F rsf x.taf --out=y-7.taf
	tafsplit x.taf -o z-%d.taf
	equal "$(printf '%s ' z*)" 'z-003.taf z-1.taf z-2.taf z-3.taf z-4.taf '
	refuse 2 tafinterleave x.taf p-1.taf -o p-%d.taf
}

@test "--out keeps the old elements where the header does not get through" {
	mktaf i.taf int16 5,4
	echo old >d.bin
	ends 4 tafcrop -F rsf --out=d.bin i.taf >/dev/full
	equal "$(cat d.bin)" old
	ends 4 tafcrop -F rsf --out=e.bin i.taf >/dev/full
	[ ! -e e.bin ]
	ln -s new A
	ln -s new B
	refuse 2 tafcrop -F rsf --out=A -o B i.taf
	[ ! -e new ]
	equal "$(printf '%s ' *)" 'A B d.bin err i.taf out '
}

@test "--out and -o: where the second cannot be renamed, both are as before" {
	need strace
	mktaf i.taf int16 5,4
	echo old >d.bin
	echo before >h.rsf
	status 4 strace -o trace -e trace=rename,renameat,renameat2 \
		-e inject=rename,renameat,renameat2:error=EIO:when=2 \
		tafcrop -F rsf --out=d.bin -o h.rsf i.taf
	grep -q INJECTED trace
	equal "$(cat d.bin h.rsf)" "$(printf 'old\nbefore')"
	[ -z "$(compgen -G '.[a-z]*')" ]
}

@test "more numbered outputs than descriptors wait for who changes one in place" {
	mktaf i.taf int16 5,40
	tafsplit i.taf -o w%02d.taf
	perl -e '
		use Fcntl ":flock";
		open my $f, "+<", "w37.taf" or die;
		flock $f, LOCK_EX or die;
		open my $l, ">", "locked" or die;
		my $inode = (stat $f)[1];
		for (1 .. 200) {
			last if (stat "w37.taf")[1] != $inode;
			open my $p, "<", "/proc/locks" or die;
			if (grep { /-> FLOCK.*:$inode / } <$p>) { open $l, ">", "waited"; last }
			select undef, undef, undef, 0.05;
		}' &
	until [ -e locked ]; do sleep 0.05; done
	limited n 16 tafsplit i.taf -o w%02d.taf
	wait $!
	[ -e waited ]
}

# feed FIFO: an array, when who reads it has looked at what stands before it for a while
feed() {
	{ sleep 0.4; cat c.taf; } >"$1"
}

@test "appends of two files to each other, at once" {
	local n
	local slow=(strace -o /dev/null -e 'trace=fsync' -e 'inject=fsync:delay_exit=100000')
	need strace
	for f in a b c; do mktaf $f.taf int16 5,4; done
	mkfifo one two
	feed one 3>&- &
	feed two 3>&- &
	timeout 20 "${slow[@]}" tafappend -q -i a.taf b.taf one 3>&- &
	timeout 20 "${slow[@]}" tafappend -q -i b.taf a.taf two
	wait $!
	n=$(tafprobe -k n2 a.taf),$(tafprobe -k n2 b.taf)
	[ "$n" = 12,20 ] || [ "$n" = 20,12 ]
}
