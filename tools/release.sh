#!/bin/sh
# SPDX-License-Identifier: ISC
# release.sh FOLDER NAME CONFIG KEY -- make NAME.tar.gz of the sources in FOLDER, NAME.spdx (its bill
# of materials, see sbom.sh), NAME.sha256 (the digests of both), and the signature of that
#
# KEY is the file of a key for ssh-keygen, which makes NAME.sha256.sig, or what gpg --local-user
# takes, which makes NAME.sha256.asc. SECURITY.md says how to check them. What is there of NAME is
# replaced when all is made, or stays.
set -eu
die()
{
	echo "release.sh: $1" >&2
	exit "${2:-4}"
}

here=$PWD
folder=${1:-.}
name=$2
config=$3
[ -n "${4-}" ] || die 'no key to sign with: make release KEY=FILE, or KEY=ID for gpg' 2
key=$4
tool=gpg
[ ! -f "$key" ] || tool=ssh-keygen
command -v $tool >/dev/null || die "no $tool to sign with"
if [ -e "$folder/.git" ] && ! git -C "$folder" diff --quiet HEAD; then
	die 'what is changed and not committed is no release' 2
fi
case $config in /*) ;; *) config=$here/$config ;; esac
case $key in /*) ;; *) [ ! -f "$key" ] || key=$here/$key ;; esac
tools=$(cd "$(dirname "$0")" && pwd)
folder=$(cd "$folder" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' 0
cd "$tmp"
sh "$tools/dist.sh" "$folder" "$name" >/dev/null
sh "$tools/sbom.sh" "$name.tar.gz" "$config" >"$name.spdx"
sha256sum "$name.tar.gz" "$name.spdx" >"$name.sha256"
if [ $tool = gpg ]; then
	gpg --batch --local-user "$key" --armor --detach-sign "$name.sha256"
else
	ssh-keygen -q -Y sign -f "$key" -n file "$name.sha256"
fi || die 'the signature failed'
for file in "$name".*; do
	mv -f "$file" "$here" || exit
	echo "$here/$file"
done
