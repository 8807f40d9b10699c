#!/bin/sh
# SPDX-License-Identifier: ISC
set -eu
./configure --prefix="$PREFIX" --enable-shared ${SP_DIR:+--pythondir="$SP_DIR"} \
	--with-zlib --with-bzip2 --with-lzma --with-hdf5 --with-jansson --with-archive \
	--with-zstd --with-blosc --with-curl
make -j"${CPU_COUNT:-2}"
make install-strip
