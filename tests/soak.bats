# SPDX-License-Identifier: ISC
# Random pipelines against a model in numpy, of which make soak runs more; and a long watch.

load helper

@test "random pipelines give what numpy does, or say that they do not" {
	need numpy unshare zlib hdf5 jansson zstd curl
	"$PYTHON" "$BATS_TEST_DIRNAME/soak/soak.py" 100x 1 >out || { cat out; return 1; }
	# it had troubles of each kind
	for k in no\ trouble kill cut short full limit reader spool; do
		grep -q "[1-9][0-9]* $k, " out || { echo "never: $k"; return 1; }
	done
}

@test "a watch of a hundred thousand updates: memory and descriptors do not grow" {
	awake=$TAF_BUILD/obj/tests/soak/awake.so
	[ -e "$awake" ] || skip "no library that lets pauses pass: a static or sanitized build"
	[ -r /proc/self/status ] || skip "no /proc"
	mktaf a.taf int16 101000,1
	tafcat a.taf >want
	# an element is written when the one before it has come out
	perl -e '
		my ($awake, $at) = ($ARGV[0], 1304);
		open my $a, "<:raw", "a.taf" or die;
		open my $g, ">:raw", "g.taf" or die;
		sub move {
			sysread $a, my $b, $_[0];
			syswrite $g, $b;
		}
		move($at);
		$ENV{LD_PRELOAD} = $awake;
		my $pid = open my $out, "-|", "tafwatch", "g.taf" or die;
		my $comes = -s "want";
		$comes -= 2 * 100900;
		while ($comes > 0) {
			$comes -= sysread($out, my $b, $comes) || die;
		}
		sub has {
			open my $s, "<", "/proc/$pid/status" or die;
			my ($kib) = join("", <$s>) =~ /VmRSS:\s*(\d+)/;
			return $kib, scalar(my @fds = glob "/proc/$pid/fd/*");
		}
		my ($kib, $fds);
		for my $k (1 .. 100000) {
			move(2);
			my $n = 0;
			$n += sysread($out, my $b, 2 - $n) || die while $n < 2;
			($kib, $fds) = has() if $k == 900;
		}
		my ($later, $more) = has();
		kill "KILL", $pid;
		print "$fds descriptors, then $more; $kib KiB, then $later\n";
		exit($fds != $more || $later > $kib + 200);' "$awake"
}
