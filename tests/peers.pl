# SPDX-License-Identifier: ISC
# peers.pl - the files that the lines of taf-peers(7) name, in the present folder: streams of small
# arrays whose elements differ.  tests/peers.py gives the same to the other programs.
use strict;
use warnings;

# file, type, template, lengths, elements
sub array {
	my ($name, $type, $template, $n, @v) = @_;
	my $k = 0;
	open my $f, ">:raw", $name or die "$name: $!";
	for my $length (@$n) {
		$k++;
		print $f "n$k=$length o$k=0 d$k=", $k == 1 ? 0.5 : 1, "\n";
	}
	print $f "data_format=\"native_$type\"\nin=\"stdin\"\n\n\f\f\004", pack "$template*", @v;
	close $f or die "$name: $!";
}

my @a = map { (($_ * 7 + 3) % 25 - 12) / 4 } 0 .. 23;
my @b = map { ($_ * 11 + 2) % 29 / 8 + 0.5 } 0 .. 23;
array("a.rsf", "float", "f", [ 4, 3, 2 ], @a);
array("b.rsf", "float", "f", [ 4, 3, 2 ], @b);
array("m.rsf", "float", "f", [ 4, 3 ], @a[0 .. 11]);
array("c.rsf", "complex", "f", [ 4, 3 ], @a);
array("k.rsf", "int", "l", [ 4, 3, 2 ], map { ($_ * 5 + 1) % 26 } 0 .. 23);
array("mask.rsf", "int", "l", [3], 1, 0, 1);
array("head.rsf", "int", "l", [3], 7, 2, 5);
# a stream of three
array("s$_.rsf", "float", "f", [ 4, 3 ], @a[ $_ * 4 .. $_ * 4 + 11 ]) for 0 .. 2;
open my $s, ">:raw", "s.rsf" or die;
for my $name (map { "s$_.rsf" } 0 .. 2) {
	open my $f, "<:raw", $name or die;
	local $/;
	print {$s} scalar <$f>;
}
close $s or die;
array("nan.rsf", "float", "f", [ 4, 3 ], map { $_ % 5 == 2 ? "nan" : $a[$_] } 0 .. 11);
