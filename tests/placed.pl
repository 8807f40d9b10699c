# SPDX-License-Identifier: ISC
# placed.pl LISTS BIN: for each line of standard input, the words of a command with "@" for its
# output, run it with outputs of all kinds, and say what is not as it should be.  LISTS is yes
# where files have access control lists and attributes.
use strict;
use warnings;
use POSIX ();

my ($lists, $bin) = @ARGV;
my @commands = map { chomp; [split /\t/] } <STDIN>;
my $bad = 0;
my $old = "old\n";
my @owner = $> == 0 ? (1001, 2001) : ($>, $) + 0);

sub wrong {
	print "$_[0]: $_[1]\n";
	$bad = 1;
}

sub put {
	my ($file, $mode, @of) = @_;
	open my $f, '>', $file or die "$file: $!";
	print $f $old;
	close $f;
	chown @of, $file or die "$file: $!" if @of && $> == 0;
	chmod $mode, $file or die "$file: $!";
}

sub content {
	my $all = '';

	# of a FIFO that nobody opens
	local $SIG{ALRM} = sub { die "late\n" };
	alarm 20;
	eval {
		local $/;
		if (open my $f, '<:raw', $_[0]) { $all = <$f> }
	};
	alarm 0;
	return $all // '';
}

# the words with this output; as this user, where one is given
sub begin {
	my ($words, $out, $user, $groups) = @_;
	my ($name, @rest) = map { $_ eq '@' ? $out : $_ } @$words;
	my $child = fork // die;
	return $child if $child;
	if (defined $user) {
		$) = $groups;
		($() = split / /, $groups;
		($<, $>) = ($user, $user);
	}
	open STDERR, '>', '/dev/null' if $out =~ /^ro/;
	exec "$bin/$name", @rest or POSIX::_exit(127);
}

sub run {
	waitpid begin(@_), 0;
	return $? >> 8 || ($? & 127) + 0;
}

sub rights {
	my @s = stat $_[0];
	return sprintf '%d:%d %o', @s[4, 5], $s[2] & 07777;
}

sub attributes {
	return map { [split /\n\n/, `$_`] } 'getfacl -cn to/*.file',
	    "getfattr --only-values -n user.note to/*.file | sed 's/noted/noted\\n\\n/g'";
}

mkdir 'to';
put("to/$_->[0].file", 04750, @owner) for @commands;
link "to/$_->[0].file", "to/$_->[0].other" or die for @commands;
my ($acl, $note) = ([], []);
if ($lists eq 'yes') {
	system('setfacl -m u:1002:r,g::- to/*.file && setfattr -n user.note -v noted to/*.file')
	    == 0 or die;
	($acl, $note) = attributes();
}
my $before = rights("to/$commands[0][0].file");

for my $words (@commands) {
	my $name = $words->[0];

	run($words, 'want') == 0 && -s 'want' or wrong($name, 'plain');
	my $want = content('want');
	unlink 'want';

	run($words, 'device') == 0 && -l 'device' && (-c 'null' || -p 'null') or
	    wrong($name, 'device');

	my $child = begin($words, 'fifo');
	content('fifo') eq $want or wrong($name, 'FIFO: content');
	waitpid $child, 0;
	$? == 0 && -p 'fifo' or wrong($name, 'FIFO');

	unlink 'link';
	symlink "to/$name.file", 'link' or die;
	run($words, 'link') == 0 && -l 'link' && content("to/$name.file") eq $want or
	    wrong($name, 'link');
	content("to/$name.other") eq $old or wrong($name, 'the other name');
	rights("to/$name.file") eq $before or wrong($name, 'rights: ' . rights("to/$name.file"));

	my @none = $> == 0 ? (1002, '1002 1002') : ();
	put('ro', 0444, 1002, 1002);
	run($words, 'ro', @none) == 4 && content('ro') eq $old or wrong($name, 'read-only');
	unlink 'ro';
	# they look at the folders on the way to a store, or at other programs, from the root on
	next if $> != 0 || $name eq 'daf2taf' || $name eq 'zarr2taf' || $name eq 'tafspread';

	put('shared', 06676, @owner);
	run($words, 'shared', 1002, '1002 2001') == 0 && content('shared') eq $want &&
	    rights('shared') eq '1002:2001 2676' or wrong($name, 'group: ' . rights('shared'));
	put('shared', 06676, @owner);
	run($words, 'shared', @none) == 0 && content('shared') eq $want &&
	    rights('shared') eq '1002:1002 666' or wrong($name, 'rights: ' . rights('shared'));
}
if ($lists eq 'yes') {
	my ($now, $noted) = attributes();
	for my $k (0 .. $#commands) {
		$now->[$k] eq $acl->[$k] or wrong($k, "list: $now->[$k]");
		$noted->[$k] eq $note->[$k] or wrong($k, "attributes: $noted->[$k]");
	}
}
wrong('left behind', $_) for glob '.*.??????';
exit $bad;
