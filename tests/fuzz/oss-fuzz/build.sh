#!/bin/bash -eu
# SPDX-License-Identifier: ISC
# build.sh -- fuzzers, their seeds and dictionaries, as oss-fuzz and ClusterFuzzLite want them
#
# From the environment, which those set: SRC, WORK, OUT, CC, CXX, CFLAGS, CXXFLAGS and
# LIB_FUZZING_ENGINE. Where fuzzers run no library is installed, so they are linked statically.
# HDF5 and libarchive are left out: what is found there is mostly theirs.
top=$SRC/taftools
mkdir -p "$WORK/taftools"
cd "$WORK/taftools"
# what optimises is in CFLAGS, and _FORTIFY_SOURCE would hide from the sanitizers what it checks
sh "$top/configure" --enable-debug --disable-shared --without-hdf5 --without-archive \
	--without-curl --with-zlib --with-bzip2 --with-lzma --with-jansson --with-zstd --with-blosc

targets=()
for source in "$top"/tests/fuzz/fuzz_*.c; do
	grep -q '^/\* link: .*\(hdf5\|archive\)' "$source" || targets+=("$(basename "$source" .c)")
done
make -j"$(nproc)" FUZZ=yes LINK="$CXX ${CXXFLAGS-} ${LDFLAGS-}" LIB_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" \
	ZLIB_LIBS=-l:libz.a BZIP2_LIBS=-l:libbz2.a LZMA_LIBS=-l:liblzma.a ZSTD_LIBS=-l:libzstd.a \
	JANSSON_LIBS=-l:libjansson.a BLOSC_LIBS='-l:libblosc.a -l:liblz4.a -l:libsnappy.a -l:libz.a -l:libzstd.a' \
	"${targets[@]}"

for target in "${targets[@]}"; do
	name=${target#fuzz_}
	cp "$target" "$OUT"
	printf '[libfuzzer]\nmax_len = 16384\n' >"$OUT/$target.options"
	zip -qj "$OUT/${target}_seed_corpus.zip" "$top/tests/fuzz/corpus/$name"/*
	[ ! -f "$top/tests/fuzz/$name.dict" ] || cp "$top/tests/fuzz/$name.dict" "$OUT/$target.dict"
done
