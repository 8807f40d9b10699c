# SPDX-License-Identifier: ISC
# taf plan and --plan: what they say is what a run makes, and they do nothing.

load helper
load commands

# compare: a line "WHAT<TAB>plan<TAB>what tafprobe -j says, objects with blanks between" each; the
# arrays are the same, and what is written is not above the plan, nor far below it
compare() {
	perl -ne '
		chomp;
		my ($what, $plan, $probe, $size) = split /\t/;
		my @keys = qw(type ndim shape count bytes intercept slope);
		my $value = qr/\[[^\]]*\]|"(?:[^"\\]|\\.)*"|[^,}]*/;
		my $want = join ",", map {
			my $object = $_;
			my ($dims) = $object =~ /,("n1":.*),"attributes":/;
			"{" . join(",", map { $object =~ /"$_":($value)/; "\"$_\":$1" } @keys) .
				",$dims}";
		} split / (?=\{)/, $probe;
		my ($got) = $plan =~ /"arrays":\[(.*?)\],"memory":/;
		$got = "?" unless defined $got;
		$bad = print "$what\n  planned $got\n  made    $want\n" if $got ne $want;
		my ($writes) = $plan =~ /,"writes":(\d+)/;
		my $arrays = () = $probe =~ /"type":/g;
		$bad = print "$what: $size bytes, planned $writes\n"
			if $size > $writes || $size + 65536 * $arrays < $writes;
		END { exit($bad || !$.) }' cases
}

# held WORDS...: a case of a command that writes arrays
held() {
	local plan size
	plan=$("$@" --plan -j) || return 1
	"$@" -q >out.rsf 2>err || { cat err; return 1; }
	size=$(wc -c <out.rsf)
	printf '%s\t%s\t%s\t%d\n' "$*" "$plan" "$(tafprobe -j out.rsf | paste -s -d ' ')" "$size" >>cases
}

# member STAGE-JSON NAME: its value
member() {
	perl -e '$ARGV[0] =~ /"$ARGV[1]":([^,}]*)/ and print $1' "$1" "$2"
}

# these tell nothing, since elements decide, or they have no array in a stream
planned() {
	case $cmd in
	tafhist) applies=no; return 0 ;;
	esac
	held "$cmd" "${args[@]}" "$in"
}

@test "each command makes the arrays that its plan says, in as many bytes" {
	: >cases
	each 'stream|from' planned
	compare
}

@test "types, grids, mappings, several arrays and pairs are planned as they are made" {
	mktaf a.taf int16 23,6
	mktaf b.taf uint8 7,5,3
	mktaf c.taf flt64 4,2
	tafcast -q --scale -t int16 c.taf -o m.taf
	tafput label@1=Time unit@1=s unit=V a.taf -o g.taf
	tafadjust --start 1=-3 --step 1=0.5 g.taf -o g2.taf
	tafcat a.taf b.taf c.taf -o all.rsf
	taffft c.taf -F rsf >pair.rsf
	: >cases
	while read -ra words; do
		held "${words[@]}"
	done <<'END'
tafcrop -x 1=2:end:3 g.taf
tafcrop -g Time=0:3 --squeeze g.taf
tafcrop -x 1=1:4 all.rsf
tafcrop -N 2 all.rsf
tafcrop -x 1=2:3 m.taf
tafcat a.taf b.taf c.taf
tafcat --pick 3,1 all.rsf
tafcat all.rsf g.taf
tafcast -t flt32 g.taf
tafcast --unmap m.taf
tafmath a*2+x1 g2.taf
tafmath -t int32 i1 -n 4,5 -a 1=2:0.5
tafmath a-b b.taf b.taf
tafpermute -d 3,1,2 b.taf
tafreshape --insert 1 --merge 2:3 b.taf
tafreshape --divide 1=2 m.taf
taffft g2.taf
taffft -d 1 --inverse pair.rsf
tafreduce mean,std -d 1 g2.taf
tafsplit -d 1 --every 10 all.rsf
tafsplit -d 2 g.taf
tafreverse -d 2 all.rsf
tafpad --to 1=30 all.rsf
tafrepeat --times 3=2 b.taf
tafselect -d 1 --list 2,1 all.rsf
tafspectrogram --points 4 g2.taf
tafinterleave c.taf c.taf
tafappend a.taf a.taf
tafcorrelate g2.taf g2.taf
tafregrid --factor 1=2 g2.taf
tafpeaks --count 3 g2.taf
tafhilbert c.taf
tafcreate -n 6, -t int16 a.taf
tafcrop -x 1=2:9 -F taf g.taf
taffft -F taf g2.taf
taf2rsf g.taf
rsf2taf m.taf
END
	compare
}

@test "a pipeline is planned stage by stage, as its stages make it" {
	local n=0 k plan stages
	mktaf a.taf int16 23,6
	mktaf b.taf flt32 7,5,3
	mktaf b4.taf int16 4,5
	tafcat a.taf b.taf -o all.rsf
	: >cases
	while IFS= read -r line; do
		n=$((n + 1))
		taf plan -j "$line" >plan
		# the stages up to each one are a pipeline, too
		IFS='|' read -ra stages <<<"$line"
		for ((k = 1; k <= ${#stages[@]}; k++)); do
			bash -c "set -o pipefail; $(IFS='|'; echo "${stages[*]:0:k}")" >out.rsf
			plan=$(perl -ne '/"stage":'$k',"command":(.*?"waits":\w+\})/ and print $1' plan)
			printf '%s, %d\t%s\t%s\t%d\n' "$line" "$k" "$plan" \
				"$(tafprobe -j out.rsf | paste -s -d ' ')" "$(wc -c <out.rsf)" >>cases
		done
	done <<'END'
tafcrop -x 1=2:20 a.taf | tafmath "a * 2 + x1" | taffft -d 2
tafcrop -x 1=2:5 <all.rsf|tafmath -t flt64 'a / 3' | tafreduce 'mean' -d 1 | tafput unit=V
tafcat b.taf all.rsf | tafreverse -d 1 | tafcrop -N 3 -x 2=1:2
tafmath -t int16 'i1*i2' -n 4,5 | tafmath a-b - b4.taf
END
	compare
	taf plan 'tafcrop -x 1=2:4 a.taf|tafput "unit=a  b" label@1=T\ x' >out
	grep -q '^1 tafcrop  int16 3 x 6 ' out
	grep -q '^2 tafput  int16 3 x 6  memory [0-9]*M  temporary 0 .* writes [0-9]*$' out
	grep -q '^  dimension 1    3 from 0.75 step 0.25  (T x)$' out
	grep -q '^sum  memory ' out
}

# no_plan STATUS TEXT PIPELINE: so it is refused
no_plan() {
	status "$1" taf plan "$3"
	[ ! -s out ]
	grep -qF -- "$2" err || { cat err; return 1; }
	one_line err
}

@test "what headers refuse is refused with the stage, and a pipeline is no shell" {
	mktaf a.taf int16 23,6
	mktaf b.taf flt32 7,5,3
	no_plan 3 'taf: stage 1: tafcrop: a.taf: dimension 3: ' 'tafcrop -x 3=2 a.taf'
	no_plan 3 'taf: stage 2: tafcrop: standard input: dimension 1: index 9' \
		'tafcrop -x 1=2:4 a.taf | tafcrop -x 1=9'
	no_plan 3 'taf: stage 2: tafmath: ' 'tafcrop a.taf | tafmath a+b - b.taf'
	no_plan 2 'taf: stage 3: taffft: ' 'tafcrop a.taf | tafput x=1 | taffft --no-such'
	no_plan 4 'taf: stage 1: tafcrop: c.taf: ' 'tafcrop c.taf'
	no_plan 3 'taf: stage 1: tafcat: a.taf: several arrays' 'tafcat a.taf b.taf -o x.taf'
	no_plan 3 'taf: stage 2: tafcrop: standard input: empty input' 'tafcrop a.taf -o x.taf | tafcrop'
	no_plan 2 'taf: stage 1: tafcrop: --out: a.taf is an input' 'tafcrop a.taf --out=a.taf'
	no_plan 2 '-o FILE names' 'tafcrop a.taf > x'
	no_plan 2 'for a shell' 'tafcrop a.taf; tafcrop b.taf'
	no_plan 2 'for a shell' 'tafcrop $HOME/a.taf'
	no_plan 2 'for a shell' 'tafcrop "`a`"'
	no_plan 2 'for a shell' 'tafcrop a.taf &'
	no_plan 2 'for a shell' 'tafcrop ~/a.taf'
	no_plan 2 'for a shell' 'tafcrop a.taf # all'
	no_plan 2 'ends with its line' $'tafcrop a.taf\ntafcrop b.taf'
	taf plan $'tafcrop \\\n a.taf |\n tafput x=1#~ \n' >out
	equal "$(wc -l <out)" 7
	no_plan 2 'not closed' "tafcrop 'a.taf"
	no_plan 2 'stage 2 has no command' 'tafcrop a.taf | | tafcrop'
	no_plan 2 'stage 2 has no command' 'tafcrop a.taf |'
	no_plan 2 'stage 1 has no command' ''
	no_plan 2 'first stage' 'tafcrop a.taf | tafcrop < b.taf'
	no_plan 2 'behind <' 'tafcrop <'
	no_plan 4 'no.taf: cannot open' 'tafcrop < no.taf'
	status 2 tafcrop -j a.taf
	tafcrop a.taf -o a.rsf
	status 2 tafput --plan -i x=y a.rsf
	grep -q '^tafput: a.rsf: not a TAF file' err
	status 2 taf plan
	status 2 taf plan a b
}

@test "what passes once is read once, in a few blocks, and nothing waits or is kept" {
	local plan
	mktaf a.taf flt32 400,300
	plan=$(tafmath --plan -j -J 2 a+1 a.taf)
	equal "$(member "$plan" temporary) $(member "$plan" waits)" "0 false"
	[[ $plan == '{"stages":[{"stage":1,"command":["tafmath","-j","-J","2","a+1","a.taf"],'* ]]
	equal "$(member "$plan" reads)" $((480000 + 1104 + 65536 + 4096))
	# threads have tiles, and -m bounds what operations hold; where malloc does not tell what it
	# has given, the plan has the bound
	if [ "$(member "$plan" memory)" != $((272 << 20)) ]; then
		[ "$(member "$plan" memory)" -lt $((8 << 20)) ]
		[ "$(member "$(tafmath --plan -j -J 8 a+1 a.taf)" memory)" -gt "$(member "$plan" memory)" ]
		[ "$(member "$(tafsort --plan -j -J 2 -m 64k -d 2 a.taf)" memory)" -lt \
			"$(member "$(tafsort --plan -j -J 2 -d 2 a.taf)" memory)" ]
		# tables of peaks that no plan counts: for each point a peak and two numbers
		mktaf long.taf flt32 100000
		plan=$(tafpeaks --count 0 --plan -j -J 2 long.taf)
		[ "$(member "$(tafpeaks --count 0 --plan -j -J 8 long.taf)" memory)" -gt \
			$(($(member "$plan" memory) + 6 * 100000 * 48)) ]
	fi
	equal "$(member "$(tafcrop --plan -j -i -x 1=1:9 a.taf)" writes)" $((1104 + 9 * 300 * 4))
	# imaginary parts of TAF in a pipe; a scale that is found before
	taffft a.taf -o c.taf
	equal "$(member "$(tafcrop --plan -j -x 1=1:9 -F taf c.taf)" temporary)" $((9 * 300 * 4))
	equal "$(member "$(tafcrop --plan -j -x 1=1:9 -o d.taf c.taf)" temporary)" 0
	plan=$(tafcast --plan -j --scale -t int16 a.taf)
	equal "$(member "$plan" waits) $(member "$plan" reads) $(member "$plan" n1)" \
		"true $((2 * 480000 + 1104 + 65536 + 4096)) 400"
	equal "$(member "$plan" n2) $(member "$plan" slope) $(member "$plan" writes)" "300 null null"
	tafcast --plan --scale -t int16 a.taf | grep -q '^  mapping        [?]$'
	# of a pipe nothing is known but its headers
	plan=$(tafcrop --plan -j -x 1=2:3 < <(tafcrop a.taf))
	equal "$(member "$plan" reads) $(member "$plan" temporary) $(member "$plan" n1)" "null null 2"
	taf plan -j 'tafcrop -x 1=1:10 a.taf | tafmath a*2 | taffft -o f.taf' >out
	equal "$(perl -ne '/\],"memory":\d+,"temporary":(\w+),"reads":(\w+),"writes":(\d+)\}$/ and print "$1 $2 $3"' out)" \
		"0 $((480000 + 1104 + 65536 + 4096)) $(tafcrop -x 1=1:10 a.taf | taffft -o f.taf && wc -c <f.taf)"
}

# counted FILE: bytes that a trace says were read and written; a mapped file is read by no call
counted() {
	perl -ne '
		/^\d+ +(\w+)\(.* = (\d+)$/ or next;
		my ($call, $n) = ($1, $2);
		$read += $n unless $call =~ /write/;
		$written += $n unless $call =~ /read/;
		END { printf "%d %d\n", $read, $written }' "$1"
}

# kept WORDS...: the run takes no more than its plan, which is not far from it
kept() {
	local one=() plan reads writes memory
	! "$1" -h | grep -q '^ *-J' || one=(-J 1)
	plan=$("$@" --plan -j "${one[@]}") || return 1
	memory=$(member "$plan" memory)
	strace -f -o trace -e trace=read,pread64,readv,preadv,write,pwrite64,writev,pwritev,splice,sendfile,copy_file_range \
		"$@" -q "${one[@]}" 2>err | cat >/dev/null || { cat err; return 1; }
	read -r reads writes < <(counted trace)
	limited d $((memory / 1024)) "$@" -q "${one[@]}" >/dev/null 2>err ||
		{ echo "$*: more memory than $memory"; cat err; bad=1; }
	perl -e '
		my ($what, $plan, @true) = @ARGV;
		for my $member (qw(reads writes)) {
			my $true = shift @true;
			my ($said) = $plan =~ /"$member":(\d+)/ or die "$what: no $member\n";
			die "$what: $member $true, planned $said\n" if $said < $true;
			die "$what: $member $true, planned $said: too many\n"
				if $said > $true + 65536 && $what !~ / -d 2| --count 0|tafsort -m/;
		}' "$*" "$plan" "$reads" "$writes" || bad=1
}

@test "no run takes more than its plan says" {
	need strace
	strace -o /dev/null true 2>/dev/null || skip "strace cannot trace here"
	# instrumented programs take memory of their own
	limited d 100000 tafcrop -V >/dev/null 2>&1 || skip "memory cannot be bounded here"
	mktaf a.taf flt32 500,601
	mktaf b.taf int16 300000
	bad=
	while read -ra words; do
		kept "${words[@]}"
	done <<'END'
tafcrop -x 2=2:600 a.taf
tafmath a*2+x1 a.taf
tafcast -t flt64 b.taf
tafput x=y a.taf
tafsort -d 2 a.taf
tafsort -m 200k b.taf
tafsort -m 100k -d 2 a.taf
tafpermute -m 100k -d 2,1 a.taf
tafreduce mean,std -d 2 a.taf
tafreduce median -m 100k b.taf
tafsmooth --median 5 -d 2 a.taf
taffft -d 2,1 a.taf
taffft -m 100k b.taf
tafhilbert b.taf
taffilter --low 0.1 -m 100k b.taf
tafcorrelate a.taf a.taf
tafintegrate b.taf
tafspectrogram --points 50 b.taf
taftone --points 1000 b.taf
tafpad --to 1=600 a.taf
tafreverse -d 2 a.taf
taf2raw b.taf
taf2npy a.taf
END
	[ -z "$bad" ]
}

@test "what elements decide is not said, nor what another program makes" {
	mktaf a.taf flt32 23,6
	taf plan -j 'tafhist a.taf | tafcrop -x 1=1' >out
	grep -q '"command":\["tafhist","a.taf"\],"arrays":\[{"type":"int64","ndim":null,"shape":null,' out
	grep -q '"command":\["tafcrop","-x","1=1"\],"arrays":null,' out
	grep -q '"waits":true' out
	taf plan 'tafcrop a.taf | sfadd scale=2 | tafcrop' >out
	grep -q '^2 sfadd  ?  memory ?  temporary ?  reads ?  writes ?$' out
	grep -q '^3 tafcrop  ?  ' out
	taf plan -j 'tafcrop a.taf | tafread' >out
	grep -q '"stage":2,"command":\["tafread"\],"arrays":\[\],' out
	tafreduce --partial mean -d 1 a.taf -o part.rsf
	tafreduce --merge mean -d 1 --plan -j part.rsf >out
	grep -q '"arrays":null,' out
	# a program of another that has a short name of ours, and the other way round
	taf plan 'tafread -c a.taf | sort -n' >out
	grep -q '^2 sort  ?  ' out
	taf plan 'taf crop -x 1=1:9 a.taf | taf sort' >out
	grep -q '^2 tafsort  flt32 9 x 6 ' out
	# holes are not values
	taf plan 'tafcrop a.taf | tafsmooth --kernel - a.taf' >out
	grep -q '^2 tafsmooth  ?  ' out
}

untouched() {
	local before after
	before=$(find . -printf '%p %s %T@ %C@\n' | LC_ALL=C sort)
	{
		"$cmd" --plan -o new.taf "${args[@]}" "$in"
		"$cmd" --plan "${args[@]}" <"$in"
		"$cmd" --plan -i "${args[@]}" "$in"
	} >/dev/null 2>&1
	after=$(find . -printf '%p %s %T@ %C@\n' | LC_ALL=C sort)
	[ "$before" = "$after" ] || { diff <(echo "$before") <(echo "$after"); return 1; }
}

@test "a plan makes no file and changes none" {
	mktaf in.taf int16 23,6
	printf 'a comment\n' >>in.taf
	each all untouched
	# a run would remove what nobody needs
	printf x >in.taf.undo
	tafcrop --plan in.taf
	[ -e in.taf.undo ]
}
