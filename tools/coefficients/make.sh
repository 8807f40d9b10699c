#!/bin/sh
# SPDX-License-Identifier: ISC
# make.sh FOLDER OBJ -- make coefficients and references anew in OBJ, and compare them
#
# FOLDER is that of the sources. What is not installed is named, and what needs it passed over.
set -u
cd "$1" || exit
obj=$2
here=tools/coefficients
bad=0
mkdir -p "$obj" || exit

# compare FILE PROGRAM ... -- the program prints the file, but for the line of its licence
compare()
{
	file=$1
	shift
	if { echo '/* SPDX-License-Identifier: ISC */' && "$@"; } >"$obj/${file##*/}" &&
		diff -u "$file" "$obj/${file##*/}"; then
		echo "coefficients: $file is as it is made"
	else
		echo "coefficients: $file is not what $* prints" >&2
		bad=1
	fi
}

compare src/lib/kernel/digest/sha512_table.h python3 "$here/sha512.py"
if ! python3 -c 'import mpmath' 2>/dev/null; then
	echo 'coefficients: no python3-mpmath, passed over' >&2
	exit "$bad"
fi
compare tests/unit/func_ref.h python3 "$here/reference.py"
if ! command -v sollya >/dev/null; then
	echo 'coefficients: no sollya, passed over: src/lib/kernel/func/func_tables.h' >&2
elif sollya --warnonstderr "$here/polynomials.sollya" >"$obj/polynomials"; then
	compare src/lib/kernel/func/func_tables.h python3 "$here/tables.py" "$obj/polynomials"
else
	bad=1
fi
exit "$bad"
