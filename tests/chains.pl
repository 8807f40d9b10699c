# SPDX-License-Identifier: ISC
# chains.pl SEED COUNT -- chains of ten commands that move elements, and what they give
#
# An array is a list of lengths and a list of elements, and each command of a chain is done on
# these lists.  For chain C: C.in, a stream of arrays; C.bytes and C.shapes, the elements
# and the lengths that come out, by this program; and a line of run.sh that writes C.out.
use strict;
use warnings;

my ($seed, $count) = @ARGV;
my @memory = ('', '', '', '-m 64k', '-m 1', '-m 300', '-m 4G');
my @kinds = (
	['short', 'int16', 2, 's<'], ['uchar', 'uint8', 1, 'C'], ['int', 'int32', 4, 'l<'],
	['float', 'flt32', 4, 'f<'], ['double', 'flt64', 8, 'd<'], ['complex', 'complex', 8, 'f<2'],
);
my ($state, $files);

# numbers that are the same everywhere
sub draw {
	$state = ($state * 1103515245 + 12345) % 2147483648;
	return int($state / 65536) % $_[0];
}

sub product {
	my $p = 1;
	$p *= $_ for @_;
	return $p;
}

# points ARRAY DIM LIST: with these points of a dimension, from 0; -1 is a new one
sub points {
	my ($a, $d, @list) = @_;
	my @n = @{$a->{n}};
	my $inner = product(@n[0 .. $d - 1]);
	my ($e, $row, @out) = ($a->{e}, $inner * $n[$d]);
	for my $o (0 .. product(@n[$d + 1 .. $#n]) - 1) {
		for my $p (@list) {
			my $at = $o * $row + $p * $inner;
			push @out, $p < 0 ? (0) x $inner : @$e[$at .. $at + $inner - 1];
		}
	}
	$n[$d] = @list;
	return { n => \@n, e => \@out, kind => $a->{kind} };
}

sub permute {
	my ($a, @order) = @_;
	my (@step, @out) = (1);
	my @n = @{$a->{n}};
	$step[$_] = $step[$_ - 1] * $n[$_ - 1] for 1 .. $#n;
	my @to = @n[@order];
	my @by = @step[@order];
	my @i = (0) x @n;
	my $at = 0;
	for (1 .. product(@n)) {
		push @out, $a->{e}[$at];
		for my $k (0 .. $#i) {
			$at += $by[$k];
			last if ++$i[$k] < $to[$k];
			$at -= $i[$k] * $by[$k];
			$i[$k] = 0;
		}
	}
	return { n => \@to, e => \@out, kind => $a->{kind} };
}

sub shaped {
	my ($a, @n) = @_;
	return { n => \@n, e => $a->{e}, kind => $a->{kind} };
}

# the points of two arrays in turn
sub turns {
	my ($a, $b, $d) = @_;
	my @n = @{$a->{n}};
	my $both = { n => [@n, 2], e => [@{$a->{e}}, @{$b->{e}}], kind => $a->{kind} };
	my $r = permute($both, 0 .. $d - 1, scalar @n, $d .. $#n);
	$n[$d] *= 2;
	return shaped($r, @n);
}

# index LO HI N of --with: those outside as it says
sub outside {
	my ($how, $i, $n) = @_;
	return $i if $i >= 0 && $i < $n;
	return -1 if $how eq '0';
	return $i < 0 ? 0 : $n - 1 if $how eq 'edge';
	return $i % $n if $how eq 'wrap';
	return $i < 0 ? -$i : 2 * $n - 2 - $i;
}

# step ARRAYS: a command that all of these can take, and what it gives
sub step {
	my @a = @_;
	my $nd = @{$a[0]{n}};
	my $d = draw($nd);
	my $dim = $d + 1;
	my ($least) = sort { $a <=> $b } map { $_->{n}[$d] } @a;
	my ($size) = sort { $b <=> $a } map { scalar @{$_->{e}} } @a;
	my $m = $memory[draw(scalar @memory)];
	my $what = draw(14);
	if ($what == 0) {
		return ("tafreverse $m -d $dim", map { points($_, $d, reverse 0 .. $_->{n}[$d] - 1) } @a);
	}
	if ($what == 1) {
		my $by = draw(9) - 4;
		return ("tafroll $m --by $dim=$by", map { my $n = $_->{n}[$d];
			points($_, $d, map { ($_ - $by) % $n } 0 .. $n - 1) } @a);
	}
	if ($what == 2 && $size < 300) {
		my $how = ('0', 'edge', 'wrap', 'reflect')[draw(4)];
		my ($b, $e) = (draw(3), draw(3));
		return if $how eq 'reflect' && $least < 3 || $how eq 'wrap' && $least < 2;
		return ("tafpad -q $m --by $dim=$b:$e --with $how", map { my $n = $_->{n}[$d];
			points($_, $d, map { outside($how, $_, $n) } -$b .. $n - 1 + $e) } @a);
	}
	if ($what == 3 && $size < 200) {
		my ($times, $how) = (1 + draw(3), draw(3));
		return ("tafrepeat $m --times $dim=$times", map { my $n = $_->{n}[$d];
			points($_, $d, (0 .. $n - 1) x $times) } @a) if $how == 0;
		return ("tafrepeat $m --times $dim=$times --each", map { my $n = $_->{n}[$d];
			points($_, $d, map { ($_) x $times } 0 .. $n - 1) } @a) if $how == 1;
		return if $nd == 4;
		return ("tafrepeat $m --times $dim=$times --insert", map {
			my @n = @{$_->{n}};
			splice @n, $d, 0, 1;
			points(shaped($_, @n), $d, (0) x $times) } @a);
	}
	if ($what == 4) {
		my @list = map { draw($least) } 1 .. 1 + draw(6);
		return if $size * @list > 2000;
		return ("tafselect -q $m -d $dim --list " . join(',', map { $_ + 1 } @list),
			map { points($_, $d, @list) } @a);
	}
	if ($what == 5) {
		my ($lo, $by) = (draw($least), 1 + draw(2));
		return ("tafcrop -x $dim=" . ($lo + 1) . "::$by", map { my $n = $_->{n}[$d];
			points($_, $d, grep { ($_ - $lo) % $by == 0 } $lo .. $n - 1) } @a);
	}
	if ($what == 6) {
		my @order = (0 .. $nd - 1);
		for my $k (reverse 1 .. $nd - 1) {
			my $j = draw($k + 1);
			@order[$k, $j] = @order[$j, $k];
		}
		return ("tafpermute $m -d " . join(',', map { $_ + 1 } @order), map { permute($_, @order) } @a);
	}
	if ($what == 7 && $dim < $nd) {
		return ("tafreshape -q --merge $dim:" . ($dim + 1), map { my @n = @{$_->{n}};
			splice @n, $d, 2, $n[$d] * $n[$d + 1];
			shaped($_, @n) } @a);
	}
	if ($what == 8 && $nd < 4) {
		return ("tafreshape -q --insert $dim", map { my @n = @{$_->{n}};
			splice @n, $d, 0, 1;
			shaped($_, @n) } @a);
	}
	if ($what == 9) {
		my $last = @a;
		my @pick = map { draw($last) } 1 .. 2 + draw(7);
		return ('tafcat --pick ' . join(',', map { draw(2) ? $_ + 1 : $_ + 1 - $last } @pick), @a[@pick]);
	}
	if ($what == 10) {
		my $every = draw(4);
		my @out;
		for my $a (@a) {
			my $n = $a->{n}[$d];
			my $by = $every || 1;
			for (my $i = 0; $i < $n; $i += $by) {
				my $p = points($a, $d, $i .. ($i + $by < $n ? $i + $by : $n) - 1);
				splice @{$p->{n}}, $d, 1 if $every == 0 && $nd > 1;
				push @out, $p;
			}
		}
		return if @out > 14;
		return ("tafsplit $m -d $dim" . ($every ? " --every $every" : ''), @out);
	}
	if ($what == 11 && $size < 300) {
		my $f = 't' . ++$files;
		return ("{ cat >$f && tafroll --by $dim=1 $f | tafinterleave -q $m -d $dim $f -; }",
			map { my $n = $_->{n}[$d];
			turns($_, points($_, $d, map { ($_ - 1) % $n } 0 .. $n - 1), $d) } @a);
	}
	if ($what == 12) {
		return ('tafput key=value', @a);
	}
	if ($what == 13) {
		my $by = draw(5) - 2;
		return if $least <= 2;
		return ("tafroll $m --by $dim=$by --fill 0", map { my $n = $_->{n}[$d];
			points($_, $d, map { $_ - $by >= 0 && $_ - $by < $n ? $_ - $by : -1 } 0 .. $n - 1) } @a);
	}
	return;
}

sub stream {
	my @a = @_;
	my $text = '';
	for my $a (@a) {
		my ($native, $format, $esize, $pack) = @{$kinds[$a->{kind}]};
		my $n = $a->{n};
		$text .= "data_format=\"native_$native\" esize=$esize taf_order=\"little\" taf_format=\"$format\"\n";
		$text .= join '', map { 'n' . ($_ + 1) . "=$n->[$_] o" . ($_ + 1) . "=$_\n" } 0 .. $#$n;
		$text .= "taf_next=1\n" if $a != $a[-1];
		$text .= "in=\"stdin\"\n\n\f\f\004" . elements($a);
	}
	return $text;
}

sub elements {
	my ($a) = @_;
	my $pack = $kinds[$a->{kind}][3];
	return join '', map { pack $pack, $_, -$_ } @{$a->{e}} if $pack eq 'f<2';
	return join '', map { pack $pack, $_ } @{$a->{e}};
}

sub put {
	my ($name, $text) = @_;
	open my $f, '>:raw', $name or die "$name: $!\n";
	print $f $text;
	close $f or die "$name: $!\n";
}

my $run = '';
for my $c (1 .. $count) {
	$state = $seed * 1000 + $c;
	draw(2) for 1 .. 5;
	my $nd = 1 + draw(4);
	my @a;
	for (1 .. 8) {
		my $kind = draw(scalar @kinds);
		my @n = map { 1 + draw(($nd == 1 ? 60 : $nd == 2 ? 12 : 5)) } 1 .. $nd;
		push @a, { n => \@n, e => [map { $_ % ($kind == 1 ? 251 : 32749) } 1 .. product(@n)],
		    kind => $kind };
	}
	put("$c.in", stream(@a));
	my $line = "cat $c.in";
	for (1 .. 10) {
		my ($command, @out);
		do { ($command, @out) = step(@a) } until defined $command;
		$line .= " | $command";
		@a = @out;
	}
	$run .= "$line >$c.out || echo '$c: a command failed'\n";
	put("$c.bytes", join '', map { elements($_) } @a);
	put("$c.shapes", join '', map { join(',', @{$_->{n}}) . "\n" } @a);
}
put('run.sh', "set -o pipefail\n$run");
