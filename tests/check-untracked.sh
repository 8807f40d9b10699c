#!/bin/sh
# SPDX-License-Identifier: ISC
# check-untracked.sh [FOLDER] -- fails if git sees files there that it neither tracks nor ignores
set -u
cd "${1:-.}" || exit
if ! left=$(git status --porcelain --untracked-files=all 2>/dev/null); then
	echo 'check-untracked: not a git repository: nothing to check' >&2
	exit 0
fi
left=$(echo "$left" | sed -n 's/^?? //p')
[ -n "$left" ] || exit 0
echo 'check-untracked: neither tracked nor ignored:' >&2
echo "$left" >&2
exit 1
