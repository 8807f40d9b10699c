#!/bin/sh
# check-install.sh -- install into a stage, use what is there, uninstall; TAP
#
# From the environment: TAF_BUILD, TAF_SRC, MAKE, CC, PKG_CONFIG, SHARED, SANITIZE.
set -u
: "${TAF_BUILD:?}" "${TAF_SRC:?}" "${MAKE:=make}" "${CC:=cc}" "${PKG_CONFIG:=pkg-config}"
: "${SHARED:=no}" "${SANITIZE:=}"
n=0
tmp=${TMPDIR:-/tmp}/install.$$
mkdir "$tmp" || exit
trap 'rm -rf "$tmp"' 0
stage="$tmp/a stage"
root=/opt/taf
version=$(cat "$TAF_SRC/VERSION")

# check NAME COMMAND ...: ok if the command succeeds; what it says is shown if not
check()
{
	n=$((n + 1))
	name=$1
	shift
	if "$@" >"$tmp/log" 2>&1; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		sed 's/^/# /' "$tmp/log"
	fi
}

skip()
{
	n=$((n + 1))
	echo "ok $n - $1 # skip $2"
}

in_build()
{
	(cd "$TAF_BUILD" && "$MAKE" "$@" DESTDIR="$stage" prefix=$root bindir=$root/bin \
		libdir=$root/lib includedir=$root/include datadir=$root/share mandir=$root/share/man)
}

# every file of the source folder that should be there, is
complete()
{
	r=0
	for f in "$TAF_SRC"/src/cmd/*.c; do
		f=$(basename "$f" .c)
		[ -x "$stage$root/bin/$f" ] || { echo "bin/$f" && r=1; }
		[ -s "$stage$root/share/bash-completion/completions/$f" ] ||
			{ echo "completion of $f" && r=1; }
	done
	for f in "$TAF_SRC"/man/*.[1-9]; do
		[ ! -f "$f" ] || [ -f "$stage$root/share/man/man${f##*.}/$(basename "$f")" ] ||
			{ echo "$f" && r=1; }
	done
	return $r
}

# the installed commands have nothing of the build's path in what they load
commands_run()
{
	for f in "$stage$root"/bin/*; do
		"$f" -V </dev/null >"$tmp/version" || { echo "$f -V: $?" && return 1; }
		grep -F "$version" "$tmp/version" >"$tmp/found" || { cat "$tmp/version" && return 1; }
	done
}

no_private_headers()
{
	! find "$stage$root/include" -path '*/taf/cli*' -o -path '*/taf/format*' -o \
		-path '*/taf/text*' -o -path '*/taf/plot*' -o \
		-path '*/codec/*' ! -name taf.h ! -name rsf.h | grep .
}

# what pkg-config says, as if the stage were the root folder
config()
{
	PKG_CONFIG_LIBDIR="$stage$root/lib/pkgconfig" $PKG_CONFIG \
		--define-variable=prefix="$stage$root" "$@" taf
}

# compile $1 with the flags that pkg-config gives for --cflags and "$2 ..."
compile()
{
	# shellcheck disable=SC2034 # for eval
	program=$1
	shift
	flags=$(config --cflags "$@") || return
	eval "$CC -std=c11 -Wall -Wextra -Werror -o \"\$tmp/program\" \"\$program\" $flags"
}

headers_compile()
{
	(cd "$stage$root/include" && find taf -name '*.h') >"$tmp/headers"
	[ -s "$tmp/headers" ] || return 1
	while read -r header; do
		printf '#include <%s>\nint main(void) { return 0; }\n' "$header" >"$tmp/header.c"
		compile "$tmp/header.c" || return 1
	done <"$tmp/headers"
}

linked_shared()
{
	compile "$tmp/use.c" --libs && LD_LIBRARY_PATH="$stage$root/lib" "$tmp/program"
}

linked_static()
{
	mv "$stage$root"/lib/libtaf.so* "$tmp" 2>/dev/null
	compile "$tmp/use.c" --libs --static && "$tmp/program"
	r=$?
	mv "$tmp"/libtaf.so* "$stage$root/lib" 2>/dev/null
	return $r
}

nothing_left()
{
	! find "$stage" -mindepth 1 | grep .
}

cat >"$tmp/use.c" <<'END'
#include <string.h>
#include <taf/taf.h>
int main(void) { return strcmp(taf_type_name(TAF_FLT64), "flt64") != 0; }
END

check 'make install into a stage' in_build install
check 'commands, completions and pages are there' complete
check 'commands run from there' commands_run
check 'only public headers are there' no_private_headers
if command -v "${PKG_CONFIG%% *}" >/dev/null; then
	check 'each header compiles' headers_compile
	if [ -n "$SANITIZE" ]; then
		skip 'a program with libtaf' 'another kind of build'
	else
		check 'a program with libtaf.a' linked_static
		[ "$SHARED" = no ] || check 'a program with libtaf.so' linked_shared
	fi
else
	skip 'a program with libtaf' 'no pkg-config'
fi
check 'make uninstall' in_build uninstall
check 'nothing is left' nothing_left
echo "1..$n"
