# SPDX-License-Identifier: ISC
# each.pl LIBRARY FOLDER STDIN COMMAND...: make the calls of a command fail in turn
#
# STDIN may have @NAME behind it: then what fails is the memory of the shared library NAME.
# The command runs in FOLDER, which is put back as it was before each run.  Its standard input
# is the file STDIN; "pipe:STDIN" is a pipe with the bytes of that file, and standard output a
# pipe too.  Every fault must end in status 4, one line of message and FOLDER as it was, or in
# what the command does without one; a signal in that of the signal, and FOLDER as it was or as
# it shall be.
use strict;
use warnings;
use Errno qw(EIO EINVAL ENOMEM EMFILE ENOSPC EAGAIN);
use Fcntl;

my ($library, $folder, $stdin, @command) = @ARGV;
my $pipes = $stdin =~ s/^pipe://;
my $of = $stdin =~ s/@(\w*)$// ? $1 : '';
my ($runs, $fired, $bad) = (0, 0, 0);
my $turn = $ENV{TAF_TURN} // 0;
my ($count, $errors) = ("$folder.count", "$folder.err");

my $memory = 'malloc,calloc,realloc,strdup,strndup';
my $open = 'open,mkostemp,fopen,pipe,fcntl';
my $kernel = 'splice,copy_file_range';
my $write = "write,pwrite,ftruncate,$kernel";
my @faults = (
	[$memory, '', ENOMEM], [$memory, '+', ENOMEM], [$open, '', EMFILE], [$open, '+', EMFILE],
	["read,pread,$kernel", '', EIO], [$write, '', ENOSPC], [$write, '+', ENOSPC],
	[$kernel, '', EINVAL], ['close', '', EIO], ['fsync', '', EIO],
	['lseek,stat,lstat,fstat,access,readlink,realpath', '', EIO],
	['rename,mkdir,rmdir,chmod,fchmod,fchown,utimensat,flock', '', EIO],
	['unlink', '', EIO], ['mmap', '', ENOMEM],
	['fork,posix_spawnp,pthread_create', '', EAGAIN],
	["mkostemp,rename,unlink,mkdir,$write", '', -15],
);
my $those = 'malloc,calloc,realloc,aligned_alloc,posix_memalign';
@faults = (["$those\@$of", '', ENOMEM], ["$those\@$of", '+', ENOMEM]) if $of ne '';

sub slurp {
	my ($name) = @_;
	local $/;
	open my $f, '<:raw', $name or die "$name: $!";
	return scalar <$f> // '';
}

sub spew {
	my ($name, $text) = @_;
	open my $f, '>:raw', $name or die "$name: $!";
	print $f $text;
	close $f or die "$name: $!";
}

# name => content, of all files below the folder; folders end in a slash.  File::Find is not in
# the perl that every Debian has
sub snapshot {
	my %all;
	my @names = ('');
	while (defined(my $name = shift @names)) {
		if (-d "$folder$name") {
			$all{"$name/"} = 'folder';
			opendir my $d, "$folder$name" or die "$folder$name: $!";
			push @names, map { "$name/$_" } grep { !/^\.\.?$/ } readdir $d;
		} else {
			$all{$name} = slurp("$folder$name");
		}
	}
	return \%all;
}

sub put_back {
	my ($now, $before) = @_;
	for (sort { $b cmp $a } keys %$now) {
		next if exists $before->{$_};
		/\/$/ ? rmdir "$folder$_" : unlink "$folder$_";
	}
	for (keys %$before) {
		spew("$folder$_", $before->{$_})
		    if !exists $now->{$_} or $now->{$_} ne $before->{$_};
	}
}

sub text_of {
	my ($all) = @_;
	# the state of tafspread --each stays, and knows times and inodes
	my @names = sort grep { !m{/\.tafspread/.} } keys %$all;
	my $text = join "\0", map { "$_\0" . length($all->{$_}) . "\0$all->{$_}" } @names;
	$text =~ s/backup_\d{8}_\d{6}/backup/g;
	return $text;
}

sub with_bytes {
	my ($bytes) = @_;
	pipe my $r, my $w or die;
	fcntl $w, 1031, 1 << 20;
	syswrite($w, $bytes) == length $bytes or die 'the input does not fit a pipe';
	return $r;
}

my $input = $pipes ? slurp($stdin) : '';

# status, standard output and error of a run with a fault
sub run {
	my ($fault, @words) = @_;
	my ($r, $w, $out);
	$out = "$folder.out";
	if ($pipes) {
		pipe $r, $w or die;
		fcntl $w, 1031, 1 << 20;
	}
	my $pid = fork // die;
	if ($pid == 0) {
		my $in;
		if ($pipes) { $in = with_bytes($input) } else { open $in, '<', $stdin or die }
		open STDIN, '<&', $in or die;
		if ($pipes) { open STDOUT, '>&', $w or die } else { open STDOUT, '>', $out or die }
		open STDERR, '>', $errors or die;
		chdir $folder or die;
		@ENV{qw(FAULT FAULT_COUNT LD_PRELOAD TMPDIR)} =
		    ($fault, $count, $library, "$folder/tmp") if $fault ne '';
		alarm 20;
		exec @words or die;
	}
	waitpid $pid, 0;
	my $status = $? & 127 ? 128 + ($? & 127) : $? >> 8;
	my $text;
	if ($pipes) {
		close $w;
		local $/;
		$text = <$r> // '';
	} else {
		$text = slurp($out);
	}
	$text =~ s/backup_\d{8}_\d{6}/backup/g;
	return ($status, $text, slurp($errors));
}

sub counts {
	my @all = unpack '(Z28 L)*', slurp($count);
	return @all;
}

sub complain {
	my ($fault, $words, $message) = @_;
	return if $bad++ >= 5;
	print "$words: with $fault\n    @command\n";
	print "    message: $message" if $message ne '';
}

mkdir "$folder/tmp" or die;
my $before = snapshot();
my @old = (text_of($before));
# of a library's calls, one too far away to fail, so that they are counted
my ($status, $want, $words) = run($of ne '' ? "$those\@$of 1000000 12" : 'none', @command);
my $after = snapshot();
my $new = text_of($after);
my %calls = counts();
put_back($after, $before);
# what reading a file that a change was interrupted in makes of it
if (grep { /\.undo$/ } keys %$before) {
	run('', 'tafprobe', map { s/\.undo$//r } glob "$folder/*.undo");
	my $now = snapshot();
	push @old, text_of($now);
	put_back($now, $before);
}
if ($status != 0 or $words ne '') {
	print "without a fault: status $status, $words    @command\n";
	exit 1;
}

# what is wrong with how a run ended; an empty text for nothing
sub judge {
	my ($fault, $status, $out, $err, $now) = @_;
	# of a signal that a process of its own gets, tafconvert tells
	my $killed = $fault =~ /-15$/ && $status == 128 + 15;
	# a change in place that could not be undone: the next command does it
	my @undo = grep { m{^/[^/]*\.undo$} } keys %$now;
	return 'an undo file is left' if $killed and grep { !exists $before->{$_} } @undo;
	if ($status != 0 and @undo) {
		(my $file = "$folder$undo[0]") =~ s/\.undo$//;
		run('', 'tafprobe', $file);
		$now = snapshot();
		return 'an undo file that is not needed'
		    if !exists $before->{$undo[0]} and $fault =~ /^malloc|^read|^close/;
	}
	# a whole copy may stay, and what was mended before more could be said
	if ($status != 0 and $command[0] =~ /^(tafbackup|tafcheck)$/) {
		my @copies = grep { m{^/backup_.*/.} } keys %$now;
		my $whole = @copies == grep { m{^/backup_.*/.} } keys %$after;
		for (@copies) {
			my ($name) = m{^/[^/]*(/.*)};
			$whole = 0 if $now->{$_} ne $before->{$name};
		}
		delete @$now{grep { m{^/backup_} } keys %$now} if $whole;
		my %mended = map { m{^/backup_} ? () : ($_ => $after->{$_}) } keys %$after;
		return '' if $whole and @copies and text_of($now) eq text_of(\%mended);
	}
	# of several outputs one after the other appears, each of them whole
	if ($status != 0 and $fault =~ /rename/ and grep { /%d/ } @command) {
		for (keys %$now) {
			delete $now->{$_} if !exists $before->{$_} and
			    exists $after->{$_} and $now->{$_} eq $after->{$_};
		}
	}
	if ($fault =~ /^unlink/) {
		delete $now->{$_} for grep { m{/\.[^/]*\.\w{6}$} } keys %$now;
	}
	# of an item, what was kept until all was in place
	if ($fault =~ /unlink|rmdir/ and !grep { m{/\.taf2daf\.undo/item$} } keys %$now) {
		delete @$now{grep { m{/\.taf2daf\.undo/} } keys %$now};
	}
	# the same command goes on with what it has kept
	if ($status != 0 and grep { m{^/(out\.taf\.spread|to)/$} } keys %$now) {
		for (grep { m{^/(out|to/[^/.]+)\.taf$} } keys %$now) {
			return 'an output' if $now->{$_} ne $after->{$_} and
			    $now->{$_} ne ($before->{$_} // '');
		}
		my ($again, undef, $said) = run('', @command);
		return "status $again of the same command: $said" if $again != 0;
		return 'another output of the same command' if text_of(snapshot()) ne $new;
		$now = $before;
	}
	my $text = text_of($now);
	if ($status == 0) {
		return 'status 0, and other files' if $text ne $new;
		return 'status 0, and another output' if $out ne $want;
		return $err eq '' ? '' : 'status 0, and a message';
	}
	return "status $status" if $status != 4 and !$killed;
	# the findings and the repair fail for themselves
	my $least = $killed ? 0 : 1;
	my $lines = $command[0] eq 'tafcheck' && $fault =~ /\+/ ? 2 : 1;
	$lines = 0 if $killed;
	# until it has begun, HDF5 prints its failures for itself; libarchive may do so, too
	$lines = 1000 if $of eq 'libhdf5';
	$lines = 2 if $of eq 'libarchive';
	return 'not one line of message' if $err !~ /\A([^\n]+\n){$least,$lines}\z/;
	return 'an output that is wrong' if $out ne substr $want, 0, length $out;
	$text = text_of($now);
	return '' if grep { $text eq $_ } @old;
	return '' if $killed and $text eq $new;
	# the change was made when the folder could not be synced
	return '' if $fault =~ /^fsync/ and $text eq $new and
	    grep { /^(-i|taf2hdf|taf2daf)$/ } @command;
	my @names = grep { !exists $before->{$_} or $now->{$_} ne $before->{$_} } keys %$now;
	return "changed or left: @names";
}

# one run; was there a fault?
sub try {
	my ($fault) = @_;
	my ($status, $out, $err) = run($fault, @command);
	my $now = snapshot();
	my %n = counts();
	my $complaint = judge($fault, $status, $out, $err, $now);
	# what did not reach the disk looks right today
	$complaint = 'status 0' if $n{fired} and $status == 0 and $fault =~ /^fsync/;
	complain($fault, $complaint, $err) if $complaint ne '';
	put_back(snapshot(), $before);
	$runs++;
	$fired++ if $n{fired};
	return ($n{fired}, $status);
}

for my $f (@faults) {
	my ($names, $on, $errno) = @$f;
	my @called = split /,/, $names =~ s/@.*//r;
	next if !grep { $calls{$_} } @called;
	# Where several files are to appear or none, each call matters, and each close does. Else
	# what fails for good is tried at some calls. The further a call is from the first and from
	# the last, the more others are of the same loop: one of so many is tried, which TAF_TURN
	# chooses
	my $each = $names eq 'close' || grep { /%d/ } @command;
	my $by = $on && !$each ? 4 : 1;
	my $told = 0;
	my $last = 0;
	$last += $calls{$_} // 0 for @called;
	for (my $n = 1; $bad < 5; $n += $by) {
		my $far = $n < $last - $n ? $n : $last - $n;
		my $alike = $each || $far < 0 ? 1 : 1 + int $far / 2;
		$n += ($turn * 7919 + $n) % $alike;
		my ($fired, $ended) = try("$names $n$on $errno");
		last if !$fired;
		$told++ if $ended == 4;
	}
	# the one of the output: what was written late may fail there. Of taf, another one writes
	complain($names, 'status 0 of all', '') if $names eq 'close' and !$told and
	    $command[0] ne 'taf' and ($want ne '' or grep { $_ eq '-o' } @command);
}
my ($seen, $ended) = $of ne '' ? (0, 0) : try('short');
complain('short', "status $ended of short transfers", '') if $ended != 0;
complain($of, 'the library is not reached', '') if $of ne '' and !$fired;
print "ok $fired of $runs: @command\n" if !$bad;
exit($bad != 0);
