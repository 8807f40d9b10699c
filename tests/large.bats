# SPDX-License-Identifier: ISC
# Arrays of more than 4 GiB, of which a few blocks are stored: on every system, 32 bits too.

load helper

# int16, 70001 x 50001, all 0 but 1234 at 70000,50000
setup_file() {
	perl -e '
		open my $f, ">:raw", shift or die;
		print $f "TAF \x01\x00\x00\n", " " x 1016, pack("a8", "int16");
		print $f pack("Q<2", 0x7ff0000000000000, 0x7ff0000000000000), pack("Q<", 2);
		print $f pack("Q<d<d<", $_, 0, 1) for 70001, 50001;
		seek $f, 1104 + 2 * (69999 + 49999 * 70001), 0;
		print $f pack("s<", 1234);
		truncate $f, 1104 + 2 * 70001 * 50001 or exit 9' "$BATS_FILE_TMPDIR/large.taf" ||
		skip "no sparse files of 7 GB here"
}

setup() {
	begin
	large=$BATS_FILE_TMPDIR/large.taf
}

@test "what is said of it" {
	equal "$(tafprobe -k shape "$large")" 70001,50001
	status 0 tafcheck "$large"
}

@test "elements behind 4 GiB" {
	equal "$(tafread -x 1=70000 -x 2=50000 "$large")" 1234
	equal "$(tafcrop -x 1=69999:70001 -x 2=50000 "$large" | tafread | paste -s -d ' ')" "0 1234 0"
	equal "$(tafcrop -x 2=49999:50001 "$large" | tafcrop -x 1=70000 | tafread | paste -s -d ' ')" "0 1234 0"
	equal "$(tafcrop -g 1=69998:69999 -g 2=49999:49999 "$large" | tafread | paste -s -d ' ')" "0 1234"
}

@test "every 10000th of each dimension, transposed" {
	tafcrop -x 1=10000:70001:10000 -x 2=10000:50001:10000 "$large" -o few.taf
	equal "$(tafprobe -k shape few.taf) $(tafread few.taf | sort | uniq -c | tr -s ' ' | tr '\n' ,)" \
		"7,5  34 0, 1 1234,"
	equal "$(taftranspose few.taf | tafread -x 1=5 -x 2=7)" 1234
}

@test "changed in place: the grid, an element, a column behind the last" {
	cp --sparse=always "$large" a.taf || skip "no sparse copy"
	tafadjust -i --start 2=7 a.taf
	tafreplace -i -x 1=70001 -x 2=50001 --value -5 a.taf
	mktaf column.taf int16 70001,1
	tafappend -i -d 2 a.taf column.taf
	equal "$(tafprobe -k shape a.taf) $(tafprobe -k o2 a.taf)" "70001,50002 7"
	equal "$(tafread -x 1=70001 -x 2=50001:50002 a.taf | paste -s -d ' ')" "-5 $((70000 * 7 % 101 + 3))"
	equal "$(tafread -x 1=70000 -x 2=50000 a.taf)" 1234
}
