#!/bin/sh
# SPDX-License-Identifier: ISC
# tour.sh README -- the section "A first tour" of it, with what its commands print now
#
# Lines "    $ COMMAND" are run in their order, in the present folder.
set -eu
script=$(mktemp)
trap 'rm -f "$script" "$script.out"' 0
awk -v out="$script.out" '
/^## / { inside = $0 == "## A first tour" }
!inside || (/^    / && !/^    \$ /) { next }
{ text = $0; gsub(/\047/, "\047\\\047\047", text); print "printf \"%s\\n\" \047" text "\047" }
/^    \$ / { print substr($0, 7) " >" out " 2>&1\nsed \"s/^/    /\" " out }' "$1" >"$script"
LC_ALL=C TAF_HISTORY=off sh -eu "$script"
