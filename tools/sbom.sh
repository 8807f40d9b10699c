#!/bin/sh
# SPDX-License-Identifier: ISC
# sbom.sh ARCHIVE CONFIG -- print the bill of materials of an archive of the sources: SPDX 2.3, as
# tags and values
#
# It has each file with its digests and the licence that it names, and each library that configure
# knows, with the version that this machine has if the file CONFIG (config.mk) says it is used. The
# same archive and libraries give the same bill: its time is that of the files.
set -eu
case $2 in /*) config=$2 ;; *) config=$PWD/$2 ;; esac
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' 0
gzip -dc "$1" | tar -C "$tmp" -xf -
digest=$(sha256sum <"$1" | cut -c 1-64)
name=$(basename "$1" .tar.gz)
cd "$tmp/$name"
LC_ALL=C
export LC_ALL

find . -type f | sort >../files
tr '\n' '\0' <../files | xargs -0 sha1sum | cut -c 1-40 >../sha1
tr '\n' '\0' <../files | xargs -0 sha256sum | cut -c 1-64 >../sha256
# where sources have it
tr '\n' '\0' <../files | xargs -0 awk 'FNR > 3 { nextfile }
	/SPDX-License-Identifier: ISC/ { print FILENAME; nextfile }' >../licensed

cat <<END
SPDXVersion: SPDX-2.3
DataLicense: CC0-1.0
SPDXID: SPDXRef-DOCUMENT
DocumentName: $name
DocumentNamespace: urn:uuid:$(echo "$digest" | sed 's/\(.\{8\}\)\(.\{4\}\).\(.\{3\}\).\(.\{3\}\)\(.\{12\}\).*/\1-\2-8\3-8\4-\5/')
Creator: Tool: taftools-sbom.sh
Created: $(date -u -r VERSION +%Y-%m-%dT%H:%M:%SZ)

PackageName: taftools
SPDXID: SPDXRef-taftools
PackageVersion: $(cat VERSION)
PackageFileName: $name.tar.gz
PackageDownloadLocation: NOASSERTION
FilesAnalyzed: true
PackageVerificationCode: $(sort ../sha1 | tr -d '\n' | sha1sum | cut -c 1-40)
PackageChecksum: SHA256: $digest
PackageLicenseConcluded: NOASSERTION
PackageLicenseInfoFromFiles: ISC
PackageLicenseDeclared: ISC
PackageCopyrightText: <text>$(sed -n '/^Copyright/p' LICENSE)</text>
Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-taftools
END
paste ../sha1 ../sha256 ../files | awk '
	FNR == NR { licensed[$0]; next }
	{
		file = substr($0, 107)
		printf "\nFileName: %s\nSPDXID: SPDXRef-File-%d\n", file, FNR
		printf "FileChecksum: SHA1: %s\nFileChecksum: SHA256: %s\n", $1, $2
		printf "LicenseConcluded: NOASSERTION\nLicenseInfoInFile: %s\n",
		    file in licensed ? "ISC" : "NOASSERTION"
		print "FileCopyrightText: NOASSERTION"
	}' ../licensed -

# the modules of pkg-config that are known for library $1; configure has the list
sed -n "s/^library \([a-z0-9]*\) '*\([a-z0-9 -]*[a-z0-9]\)'* '.*/\1 \2/p" configure |
while read -r library modules; do
	version=
	if grep -qi "^${library}_LIBS = ." "$config"; then
		for module in $modules; do
			version=${version:-$(pkg-config --modversion "$module" 2>/dev/null || :)}
		done
	fi
	printf '\nPackageName: %s\nSPDXID: SPDXRef-%s\n' "$library" "$library"
	[ -z "$version" ] || echo "PackageVersion: $version"
	printf '%s\n' 'PackageDownloadLocation: NOASSERTION' 'FilesAnalyzed: false' \
		'PackageLicenseConcluded: NOASSERTION' 'PackageLicenseDeclared: NOASSERTION' \
		'PackageCopyrightText: NOASSERTION' \
		"Relationship: SPDXRef-$library OPTIONAL_DEPENDENCY_OF SPDXRef-taftools"
done
