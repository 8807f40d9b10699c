#!/bin/sh
# SPDX-License-Identifier: ISC
# dist.sh FOLDER NAME -- make NAME.tar.gz of the sources in FOLDER
#
# The files are those that git tracks; outside git, those that the archive's own list names.
set -eu
out=$(pwd)/$2.tar.gz
cd "${1:-.}"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' 0
if [ -e .git ] && git ls-files >"$tmp/tracked" 2>/dev/null; then
	# a tracked file may be deleted and not yet committed
	while IFS= read -r file; do
		[ ! -e "$file" ] || printf '%s\n' "$file"
	done <"$tmp/tracked" | { grep -v '^MANIFEST$' || :; } | LC_ALL=C sort >"$tmp/MANIFEST"
	time=$(git log -1 --format=%ct)
elif [ -f MANIFEST ]; then
	cp MANIFEST "$tmp/MANIFEST"
	# that of the archive, whose files all have it
	time=$(stat -c %Y MANIFEST 2>/dev/null || echo 0)
else
	echo 'dist.sh: neither git nor MANIFEST says which files belong to the sources' >&2
	exit 1
fi
[ -s "$tmp/MANIFEST" ] || { echo 'dist.sh: git tracks no file here' >&2 && exit 1; }
mkdir "$tmp/$2"
tar -cf "$tmp/files.tar" -T "$tmp/MANIFEST"
tar -xf "$tmp/files.tar" -C "$tmp/$2"
cp "$tmp/MANIFEST" "$tmp/$2"
set -- "$2"
# the same commit gives the same archive, where tar can do that
if tar --version 2>/dev/null | grep -q GNU; then
	set -- --sort=name --owner=0 --group=0 --numeric-owner --mode=u+rw,go=u-w \
		--mtime="@${SOURCE_DATE_EPOCH:-$time}" "$@"
fi
tar -C "$tmp" -cf - "$@" | gzip -9n >"$tmp/out"
cp "$tmp/out" "$out"
echo "$out"
