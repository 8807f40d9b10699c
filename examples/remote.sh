#!/bin/sh
# SPDX-License-Identifier: ISC
# remote.sh HOST CUBE ... -- look at cubes that lie on another machine
#
# A plane of each is cut out there, all of them travel as one stream, and are laid side by
# side here: far.taf.  When the connection breaks, the stream is not whole, and far.taf does
# not appear.  Then back: the machine there is asked for the summary of what lies here.
set -eu
host=$1
shift

# ssh hands its words to a shell over there, which reads them once more
quoted()
{
	for word; do
		printf " '"
		printf %s "$word" | sed "s/'/'\\\\''/g"
		printf "'"
	done
}

# shellcheck disable=SC2029 # our words, quoted for the shell over there
ssh "$host" "tafcrop -x 3=2 --squeeze $(quoted "$@")" | tafappend -d 2 -o far.taf
tafcrop far.taf far.taf | ssh "$host" tafsummarize -j
