# SPDX-License-Identifier: ISC
# The power is cut at any moment, and the disk has kept what it liked: the old array or the new
# one. make cuts tries more of it.

load helper

setup() {
	begin
	need python3
	LIBRARY=$TAF_BUILD/obj/tests/cuts/record.so
	[ -e "$LIBRARY" ] || skip "no library that notes calls: a static or sanitized build"
}

# cuts STATES SEED [NAME...]
cuts() {
	python3 "$BATS_TEST_DIRNAME/cuts/cuts.py" "$LIBRARY" "$@"
}

@test "after a cut of the power: the old array or the new one" {
	cuts 1300 1
}

# found NAME...: there is a finding of each of these scenarios
found() {
	local name
	for name; do
		grep -A 1 "^$name " out | grep -q '^	call' || { echo "nothing found: $name"; return 1; }
	done
}

@test "an fsync that is missing is found" {
	local files='append replace over-TAF daf-vector hdf-over zarr-over'
	local folders='append permute elements-apart daf-vector daf-scalar hdf-over zarr-new-array'
	[ -x "$TAF_BIN/taf2hdf" ] || files=${files/hdf-over/} folders=${folders/hdf-over/}
	if [ ! -x "$TAF_BIN/taf2daf" ]; then
		files=${files%% daf*} folders=${folders%% daf*}
	fi
	# shellcheck disable=SC2086 # words
	{
		CUTS_DROP=file status 1 cuts 400 1 $files
		found $files
		CUTS_DROP=folder status 1 cuts 400 1 $folders
		found $folders
	}
}
