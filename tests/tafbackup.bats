# SPDX-License-Identifier: ISC
# What is run while each call of it fails in turn (faults.bats).
# in turn: - -q small.taf in.npy

load helper

@test "copies have the bytes, the mode and the time of the files" {
	mktaf a.taf int16 7,5
	mktaf b.taf flt32 3,4
	chmod 640 a.taf
	touch -d 2020-02-03T04:05:06 a.taf
	folder=$(tafbackup a.taf b.taf)
	[[ $folder =~ ^backup_[0-9]{8}_[0-9]{6}$ ]]
	same a.taf "$folder/a.taf"
	same b.taf "$folder/b.taf"
	equal "$(stat -c '%a %Y' "$folder/a.taf")" "$(stat -c '%a %Y' a.taf)"
	equal "$(ls "$folder" | tr '\n' ' ')" "a.taf b.taf "
}

@test "-D makes the folder elsewhere; two at once get two folders" {
	mktaf a.taf int16 7,5
	mkdir 'else where'
	tafbackup -D 'else where' a.taf >one &
	tafbackup -D 'else where' a.taf >two
	wait
	[ "$(cat one)" != "$(cat two)" ]
	same a.taf "$(cat one)/a.taf"
	same a.taf "$(cat two)/a.taf"
}

@test "eight at once get eight folders" {
	mktaf a.taf int16 7,5
	for k in 1 2 3 4 5 6 7 8; do
		tafbackup a.taf >"at.$k" &
	done
	wait
	equal "$(cat at.? | sort -u | wc -l)" 8
	for k in 1 2 3 4 5 6 7 8; do
		same a.taf "$(cat "at.$k")/a.taf"
	done
}

@test "standard input, for which a file named - would be taken, is refused" {
	mktaf a.taf int16 7,5
	mktaf ./- int16 3,2
	ends 2 tafbackup - <a.taf >out
	[ ! -s out ]
	[ -z "$(ls -d backup_* 2>/dev/null)" ]
	folder=$(tafbackup ./-)
	same ./- "$folder/-"
}

@test "nothing is made where a file is missing or two have one name" {
	mktaf a.taf int16 7,5
	mkdir d
	cp a.taf d
	refuse 4 tafbackup a.taf nothere.taf
	refuse 2 tafbackup a.taf d/a.taf
	refuse 2 tafbackup
	[ -z "$(ls -d backup_* 2>/dev/null)" ]
}

@test "a private file is private while it is copied, too" {
	need strace
	mktaf a.taf int16 7,5
	chmod 600 a.taf
	umask 0
	strace -o trace -e trace=open,openat,creat tafbackup a.taf >name
	equal "$(grep -c 'a\.taf.*O_CREAT.*, 0600)' trace)" 1
	equal "$(grep -c 'O_CREAT' trace)" 1
	equal "$(stat -c %a "$(cat name)/a.taf")" 600
}
