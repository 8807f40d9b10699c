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
