# SPDX-License-Identifier: ISC
# Chains of commands that move elements: what comes out is what lists of elements in perl give.

load helper

# chains SEED COUNT: so many of them
chains() {
	local c
	perl "$BATS_TEST_DIRNAME/chains.pl" "$@"
	bash run.sh >failed
	# behind the name of the file
	tafprobe -k shape [0-9]*.out | cut -f 2 >shapes
	taf2raw -q [0-9]*.out >bytes
	cat [0-9]*.shapes | cmp - shapes && cat [0-9]*.bytes | cmp - bytes && [ ! -s failed ] && return
	for c in $(seq 1 "$2"); do
		if ! tafprobe -k shape "$c.out" | cmp - "$c.shapes" ||
			! taf2raw -q "$c.out" | cmp - "$c.bytes"; then
			sed -n "$((c + 1))p" run.sh
		fi
	done
	return 1
}

@test "ten commands in a row, on streams of eight arrays" {
	chains 1 80
}
