# SPDX-License-Identifier: ISC
# The archive of the sources.

load helper

SRC=$BATS_TEST_DIRNAME/..

# archive FOLDER NAME: that of the sources in FOLDER, as NAME.tar.gz here
archive() {
	env -u SOURCE_DATE_EPOCH -u TAR_OPTIONS -u GZIP \
		sh "$SRC/tools/dist.sh" "$1" "$2" >/dev/null
}

sources() {
	[ -e "$SRC/.git" ] && command -v git >/dev/null || [ -f "$SRC/MANIFEST" ] ||
		skip "neither git nor MANIFEST is there"
	tar --version 2>/dev/null | grep -q GNU || skip "tar is not GNU tar"
}

@test "the archive has the same bytes, whatever the umask, and from itself" {
	sources
	archive "$SRC" taftools
	mkdir private itself
	(umask 077 && tar --no-same-permissions -xzf taftools.tar.gz -C private)
	equal "$(stat -c %a private/taftools/VERSION)" 600
	(cd itself && archive ../private/taftools taftools)
	same taftools.tar.gz itself/taftools.tar.gz
}

@test "the archive has what its list names, and nothing of a build" {
	sources
	archive "$SRC" taftools
	tar -tzf taftools.tar.gz | grep -v '/$' | LC_ALL=C sort >list
	for f in configure Makefile VERSION MANIFEST src/lib/taf.h .ci/run; do
		grep -qx "taftools/$f" list
	done
	run ! grep -E '^taftools/(bin|lib|obj|\.git|config\.)(/|$)' list
	tar -xzf taftools.tar.gz
	find taftools ! -type d | LC_ALL=C sort | diff list -
	{ sed 's|^|taftools/|' taftools/MANIFEST; echo taftools/MANIFEST; } |
		LC_ALL=C sort | diff list -
}

@test "Debian's packages have the version, and each symbol of the library" {
	equal "$(sed -n '1s/^taftools (\(.*\)).*/\1/p' "$SRC/debian/changelog")" \
		"$(<"$SRC/VERSION")"
	# name@version, from the one list and from the other
	awk '/^LIBTAF/ { version = $1 }
		/^\t[a-z0-9_]*;$/ { gsub(/[\t;]/, ""); print $0 "@" version }
		/^}/ { print version "@" version }' "$SRC/src/lib/libtaf.map" |
		LC_ALL=C sort >exported
	[ "$(wc -l <exported)" -gt 50 ]
	sed -n 's/^ \([^ ]*\) .*/\1/p' "$SRC/debian/libtaf0.symbols" | LC_ALL=C sort |
		diff exported -
}

@test "Debian's packages are built with each optional library" {
	equal "$(sed -n 's/^LIBRARIES = //p' "$SRC/debian/rules")" \
		"$(sed -n "s/^libs_known='\(.*\)'/\1/p" "$SRC/configure")"
}

@test "the recipes of packagers are of this version, and name options that there are" {
	local option
	grep -q "set version = \"$(cat "$SRC/VERSION")\"" "$SRC/packaging/conda/meta.yaml"
	sh "$SRC/configure" --help | sed 's/disable-shared/enable-shared/' >help
	for option in $(grep -oh -e '--with-[a-z0-9]*' -e '--enable-[a-z]*' "$SRC"/packaging/*/*); do
		# libraries have one line
		grep -qw -e "${option#--with-}" help
	done
}

# a release of a few files, outside git, as rel, by the key $1
release() {
	mkdir -p few/src
	cp "$SRC"/VERSION "$SRC"/LICENSE "$SRC"/configure few
	cp "$SRC/src/lib/taf.h" "few/src/a name.h"
	printf '%s\n' LICENSE VERSION configure "src/a name.h" >few/MANIFEST
	printf '%s\n' 'ZLIB_LIBS = -lz' 'HDF5_LIBS =' >config
	sh "$SRC/tools/release.sh" few rel config "$1"
	sha256sum --quiet -c rel.sha256
	equal "$(sed 's/.* //' rel.sha256 | paste -s -d ' ')" "rel.tar.gz rel.spdx"
	tar -xzf rel.tar.gz
	diff -r few rel
}

@test "a release has a bill that SPDX allows, names each file, and is signed by a key of ssh" {
	need numpy ssh-keygen
	ssh-keygen -q -t ed25519 -N '' -C me -f key
	release key
	echo "me $(cat key.pub)" >allowed
	ssh-keygen -q -Y verify -f allowed -I me -n file -s rel.sha256.sig <rel.sha256
	run ! ssh-keygen -q -Y verify -f allowed -I me -n file -s rel.sha256.sig <rel.spdx
	"$PYTHON" <<'END'
import hashlib, re, tarfile
bill, parts = open("rel.spdx").read(), {}
for part in bill.split("\n\n"):
    tags = [l.split(": ", 1) for l in part.strip().split("\n")]
    names = [t for t, _ in tags]
    parts.setdefault(names[0], []).append((dict(tags), names, tags))
(head, _, _), = parts["SPDXVersion"]
assert head["SPDXVersion"] == "SPDX-2.3" and head["DataLicense"] == "CC0-1.0"
assert head["SPDXID"] == "SPDXRef-DOCUMENT" and head["DocumentName"] == "rel"
assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", head["DocumentNamespace"])
assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", head["Created"]) and head["Creator"]
ids = re.findall("^SPDXID: (.*)", bill, re.M)
assert len(set(ids)) == len(ids) and all(re.fullmatch("SPDXRef-[A-Za-z0-9.-]+", i) for i in ids)
for p, names, _ in parts["PackageName"]:
    for tag in ("SPDXID", "PackageDownloadLocation", "FilesAnalyzed", "PackageLicenseConcluded",
                "PackageLicenseDeclared", "PackageCopyrightText"):
        assert names.count(tag) == 1, (p, tag)
ours, zlib, = parts["PackageName"][:2]
assert ours[0]["PackageChecksum"] == "SHA256: " + hashlib.sha256(open("rel.tar.gz", "rb").read()).hexdigest()
want, sums = {}, []
for m in tarfile.open("rel.tar.gz"):
    if m.isfile():
        b = open(m.name, "rb").read()
        s1 = hashlib.sha1(b).hexdigest()
        sums.append(s1)
        want["./" + m.name.split("/", 1)[1]] = (s1, hashlib.sha256(b).hexdigest(),
            b"SPDX-License-Identifier: ISC" in b"".join(b.split(b"\n")[:3]))
for f, names, tags in parts["FileName"]:
    s1, s256, isc = want.pop(f["FileName"])
    assert [v for t, v in tags if t == "FileChecksum"] == ["SHA1: " + s1, "SHA256: " + s256], f
    assert f["LicenseInfoInFile"] == ("ISC" if isc else "NOASSERTION"), f
    assert f["LicenseConcluded"] and f["FileCopyrightText"]
assert not want and len(sums) == 5
assert ours[0]["PackageVerificationCode"] == hashlib.sha1("".join(sorted(sums)).encode()).hexdigest()
libs = [p for p, _, _ in parts["PackageName"][1:]]
assert [p["PackageName"] for p in libs][:1] == ["zlib"] and len(libs) == 9
assert all("PackageVersion" not in p for p in libs[1:])
ends = re.findall(r"^Relationship: (\S+) [A-Z_]+ (\S+)$", bill, re.M)
assert len(ends) == 10 and all(a in ids and b in ids for a, b in ends)
END
}

@test "a release is signed by a key of gpg" {
	need gpg
	# a short name: it has a socket
	export GNUPGHOME
	GNUPGHOME=$(mktemp -d /tmp/gpg.XXXXXX)
	gpg -q --batch --passphrase '' --quick-generate-key me ed25519 default never
	release me
	gpg -q --verify rel.sha256.asc rel.sha256
	echo >>rel.sha256
	run ! gpg -q --verify rel.sha256.asc rel.sha256
	gpgconf --kill all
	rm -r "$GNUPGHOME"
}

@test "a release that cannot be signed is none: one line, and no file" {
	sources
	touch config
	mkdir empty
	status 2 sh "$SRC/tools/release.sh" "$SRC" rel config ""
	grep -q 'no key to sign with' err
	status 4 env PATH="$PWD/empty" "$(command -v sh)" "$SRC/tools/release.sh" "$SRC" rel config me
	grep -q 'no gpg to sign with' err
	[ "$(wc -l <err)" = 1 ]
	equal "$(echo rel*)" 'rel*'
}
