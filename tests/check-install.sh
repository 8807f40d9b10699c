#!/bin/sh
# SPDX-License-Identifier: ISC
# check-install.sh -- install into a stage, use what is there, uninstall; TAP
#
# From the environment: TAF_BUILD, TAF_SRC, MAKE, CC, CXX, NM, PKG_CONFIG, SHARED, SANITIZE.
set -u
: "${TAF_BUILD:?}" "${TAF_SRC:?}" "${MAKE:=make}" "${CC:=cc}" "${CXX:=}" "${NM:=nm}"
: "${PKG_CONFIG:=pkg-config}" "${SHARED:=no}" "${SANITIZE:=}"
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
		libdir=$root/lib pythondir=$root/python includedir=$root/include datadir=$root/share mandir=$root/share/man)
}

# every file of the source folder that should be there, is
complete()
{
	r=0
	for f in "$TAF_SRC"/src/cmd/*.c; do
		f=$(basename "$f" .c)
		[ -x "$stage$root/bin/$f" ] || { echo "bin/$f" && r=1; }
		for c in "bash-completion/completions/$f" "zsh/site-functions/_$f" \
			"fish/vendor_completions.d/$f.fish"; do
			[ -s "$stage$root/share/$c" ] || { echo "$c" && r=1; }
		done
	done
	for f in "$TAF_SRC"/man/*.[1-9]; do
		[ ! -f "$f" ] || [ -f "$stage$root/share/man/man${f##*.}/$(basename "$f")" ] ||
			{ echo "$f" && r=1; }
	done
	return $r
}

# the module is found, and what xarray looks for, and what other languages load
languages()
{
	for f in "$TAF_SRC"/src/lang/*.*; do
		d=share/taftools
		[ "${f%.py}" = "$f" ] || d=python
		cmp "$f" "$stage$root/$d/${f##*/}" || return 1
	done
	command -v python3 >/dev/null || return 0
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$stage$root/python" python3 -c '
import importlib.metadata as m, sys
assert m.version("taftools") == sys.argv[1]
assert [e.value for e in m.distribution("taftools").entry_points] == ["taf_xarray:TafBackend"]
' "$version"
}

# the installed commands have nothing of the build's path in what they load
commands_run()
{
	for f in "$stage$root"/bin/*; do
		"$f" -V </dev/null >"$tmp/version" || { echo "$f -V: $?" && return 1; }
		grep -F "$version" "$tmp/version" >"$tmp/found" || { cat "$tmp/version" && return 1; }
	done
}

# taf.h and what it includes, and nothing in them of the others
public_headers()
{
	(cd "$stage$root/include" && find . -name '*.h' | sed 's|^\./||' | sort) >"$tmp/headers"
	{
		echo taf.h
		sed -n 's|^#include "[a-z/]*/\(.*\)"|taf/\1|p' "$TAF_SRC/src/lib/taf.h"
	} | sort >"$tmp/wanted"
	diff "$tmp/wanted" "$tmp/headers" || return 1
	! (cd "$stage$root/include" && grep -nE '#include "|taftools alone' taf.h taf/*.h)
}

# what pkg-config says, as if the stage were the root folder
config()
{
	PKG_CONFIG_LIBDIR="$stage$root/lib/pkgconfig" $PKG_CONFIG \
		--define-variable=prefix="$stage$root" "$@" taf
}

# compile_with COMMAND SOURCE OPTION ...: with the flags that pkg-config gives for --cflags and
# the options, behind those of $own
own=
compile_with()
{
	# shellcheck disable=SC2034 # for eval
	program=$2
	with="$1 -Wall -Wextra -Werror -o \"\$tmp/program\" \"\$program\""
	shift 2
	flags=$(config --cflags "$@") || return
	eval "$with $own $flags"
}

compile()
{
	compile_with "$CC -std=c11" "$@"
}

headers_compile()
{
	while read -r header; do
		printf '#include <%s>\nint main(void) { return 0; }\n' "$header" >"$tmp/header.c"
		compile "$tmp/header.c" || return 1
		[ -n "$CXX" ] || continue
		cp "$tmp/header.c" "$tmp/header.cc"
		compile_with "$CXX -std=c++11" "$tmp/header.cc" || return 1
	done <"$tmp/headers"
}

# the functions that libtaf(3) names are those that headers declare, and that the library exports
documented()
{
	grep -o 'Fn taf_[a-z0-9_]*' "$TAF_SRC/man/libtaf.3" | sed 's/Fn //' | sort -u >"$tmp/page"
	[ -s "$tmp/page" ] || return 1
	(cd "$stage$root/include" && cat taf.h taf/*.h) | sed 's|/\*.*\*/||; /\/\*/,/\*\//d' |
		grep -o '\<taf_[a-z0-9_]*(' | tr -d '(' | sort -u >"$tmp/declared"
	diff "$tmp/page" "$tmp/declared" || return 1
	[ "$SHARED" = no ] || [ -n "$SANITIZE" ] || {
		$NM -D --defined-only "$stage$root/lib/libtaf.so" |
			awk '$2 ~ /^[TDBRVWi]$/ { sub(/@.*/, "", $3); print $3 }' | sort -u >"$tmp/exported"
		diff "$tmp/page" "$tmp/exported"
	}
}

# the same sources give the same programs in any folder: none has the name of this one
nowhere()
{
	here=$(cd "$TAF_BUILD" && pwd) && [ "$here" != / ] || return
	named="\\0\\Q$here\\E(/src/|\\0)"
	printf '\0%s\0' "$here" >"$tmp/named"
	LC_ALL=C grep -qaP "$named" "$tmp/named" &&
		! LC_ALL=C grep -larP "$named" "$stage$root"/bin "$stage$root"/lib/*.a
}

# each symbol has a version of the soname's number
versioned()
{
	so=$(readelf -d "$stage$root/lib/libtaf.so" | sed -n 's/.*SONAME.*libtaf\.so\.\([0-9]*\).*/\1/p')
	[ -n "$so" ] && grep "^LIBTAF_$so {" "$TAF_SRC/src/lib/libtaf.map"
}

# a program whose descriptor has a member more, in the place of a reserved one, and one that
# knows nothing of it: the library hands it on from the one to the other
grown()
{
	mkdir -p "$tmp/later/taf" && cp "$stage$root"/include/taf/*.h "$tmp/later/taf" &&
		cp "$stage$root/include/taf.h" "$tmp/later" &&
		sed 's/^\tvoid \*reserved\[8\];/\tdouble later;\n\tvoid *reserved[7];/' \
			"$stage$root/include/taf/array.h" >"$tmp/later/taf/array.h" || return
	grep later "$tmp/later/taf/array.h" || return 1
	# shellcheck disable=SC2016 # for eval
	own='-I"$tmp/later"'
	compile "$tmp/later.c" --libs --static
	r=$?
	own=
	[ $r = 0 ] || return $r
	LD_LIBRARY_PATH="$stage$root/lib" "$tmp/program"
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

# without symbols, all runs
stripped()
{
	in_build install-strip && commands_run &&
		[ "$(wc -c <"$stage$root/bin/tafcrop")" -lt "$(wc -c <"$TAF_BUILD/bin/tafcrop")" ]
}

nothing_left()
{
	! find "$stage" -mindepth 1 | grep .
}

cat >"$tmp/use.c" <<'END'
#include <string.h>
#include <taf.h>
int main(void) { return strcmp(taf_type_name(TAF_FLT64), "flt64") != 0; }
END

cat >"$tmp/later.c" <<'END'
#include <taf.h>
int
main(void)
{
	struct taf_array a[2] = { { .later = 1.5 }, { .later = 2.5 } }, b = { .later = 3.5 };
	struct taf_err e = { 0 };

	if (taf_array_copy(&b, &a[0], &e) != TAF_OK || b.later != 1.5)
		return 1;
	taf_array_move(&a[0], &b);
	if (a[0].later != 1.5 || b.later != 0)
		return 2;
	taf_array_init(&a[0]);
	return a[0].later != 0 || a[1].later != 2.5;
}
END

check 'make install into a stage' in_build install
check 'commands, completions and pages are there' complete
check 'commands run from there' commands_run
check 'what other languages load is there' languages
if [ -z "$SANITIZE" ] && grep -q PREFIX_MAP "$TAF_BUILD/config.mk"; then
	check 'no program names the folder where it was made' nowhere
fi
check 'only public headers are there' public_headers
check 'libtaf(3) names the functions that are declared and exported' documented
if command -v "${PKG_CONFIG%% *}" >/dev/null; then
	check 'each header compiles alone, as C and C++' headers_compile
	if [ -n "$SANITIZE" ]; then
		skip 'a program with libtaf' 'another kind of build'
	else
		check 'a program with libtaf.a' linked_static
		[ "$SHARED" = no ] || check 'a program with libtaf.so' linked_shared
		[ "$SHARED" = no ] || check 'the soname is that of the symbols' versioned
		check 'a descriptor with a member more' grown
	fi
else
	skip 'a program with libtaf' 'no pkg-config'
fi
if [ -n "${EMULATOR-}" ]; then
	skip 'make install-strip' 'strip is of another machine'
else
	check 'make install-strip, and commands run' stripped
fi
check 'make uninstall' in_build uninstall
check 'nothing is left' nothing_left
echo "1..$n"
