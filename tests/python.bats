# SPDX-License-Identifier: ISC
# taf.py, taf_xarray.py and the files of other languages: tests/python.py has what they do.

load helper

setup() {
	begin
	need numpy
	export PYTHONPATH=$BATS_TEST_DIRNAME/../src/lang PYTHONDONTWRITEBYTECODE=1
}

python() {
	"$PYTHON" -W error::ResourceWarning "$BATS_TEST_DIRNAME/python.py" "$@"
}

@test "files are mapped as the format says, and written as the commands write" {
	python files
}

@test "labels, units, attributes and comments survive" {
	python facts
}

@test "what no file can hold is refused" {
	python refusals
}

@test "streams of several arrays, whole or in parts" {
	python streams
}

@test "xdr, text, binaries of their own, both byte orders" {
	python forms
}

@test "a stream that ends early is never taken for a whole one" {
	python truncations
}

@test "damaged headers: tafread and taf.py refuse the same, and print the same" {
	python damaged
}

@test "programs between, and what stands behind a TAF file: as tafread has it" {
	python between
}

@test "a producer that died" {
	python died
}

@test "save leaves the old file or the new one" {
	python saving
}

@test "standard input and output, and a terminal" {
	python terminal
}

@test "run: pipelines of any size, and nothing is left of them" {
	python running
}

@test "captures, as the commands have converted them" {
	need corpus
	python corpus
}

@test "the examples of taf-python(7)" {
	fixtures
	python page
}

@test "xarray opens TAF files" {
	"$PYTHON" -c 'import xarray' 2>/dev/null || skip "xarray is missing"
	python in_xarray
}

# shared: files of each type, TAF and RSF, and beside them what tafread prints; one is cut
shared() {
	local t
	python shared
	for t in *.taf; do tafread "$t" | tr ' ' '\n' >"${t%.taf}.txt"; done
	for t in *.taf; do tafcrop "$t" >"${t%.taf}.rsf"; done
	rm wide.rsf
	head -c 1130 int16.taf >cut.taf
	head -c -1 int16.rsf >cut.rsf
	cat int16.rsf int8.rsf >two.rsf
	sed 's/^\tin="stdin"$/\ttaf_next=1\n&/' int16.rsf >died.rsf
	{ sed '/^\tin=/,$d' mapped.rsf; printf '4.3\tsfadd\tx:\tu@h\tFri\n\tin="stdin"\n\n\f\f\004'; tail -c 60 mapped.rsf; } >foreign.rsf
}

@test "R reads what the commands read, and they read what it writes" {
	need Rscript
	shared
	# 2^53 + 1 is 2^53 as a double
	perl -e 'print pack "q<*", 1, 9007199254740993' | tafcreate -n 2, -t int64 -e int64 -o odd.taf
	cat >test.R <<'END'
source(file.path(Sys.getenv("PYTHONPATH"), "taf.R"))
for (f in list.files(pattern = "[.]txt$")) for (kind in c(".taf", ".rsf")) {
	name <- sub(".txt", kind, f, fixed = TRUE)
	if (name == "wide.rsf") next
	x <- taf_open(name)
	want <- scan(f, quiet = TRUE)
	got <- if (is.complex(x)) rbind(c(Re(x)), c(Im(x))) else c(x)
	stopifnot(identical(c(got), want))
	a <- attr(x, "taf")
	if (f == "wide.txt") next
	stopifnot(dim(x) == c(5, 3, 2), a$start == c(0.5, 1.5, 2.5))
	stopifnot(a$label == c("Time", "", "z"), a$unit == c("s", "", ""), a$comment == "one\ntwo")
	stopifnot(a$attrs[["gta/NAME"]] == 'a "b" %', a$attrs$k == "5")
	stopifnot(identical(taf_grid(x, 3), a$start[3] + 0:1 * a$step[3]))
	type <- sub(".txt", "", f, fixed = TRUE)
	if (!type %in% c("mapped", "pairs"))
		taf_save(paste0(type, ".out"), x, a$start, a$step, a$label, a$unit, a$comment, type)
}
stopifnot(identical(c(taf_open("mapped.taf", TRUE)) * 0.25 + 0.5, c(taf_open("mapped.taf"))))
refused <- function(x) stopifnot(inherits(try(x, silent = TRUE), "try-error"))
for (f in c("cut.taf", "cut.rsf", "two.rsf", "died.rsf", "foreign.rsf", "none.taf", "test.R")) refused(taf_open(f))
refused(taf_open("odd.taf"))
refused(taf_save("no.taf", c(1, 300), type = "uint8"))
refused(taf_save("no.taf", 1:3, step = 0))
refused(taf_save("no.taf", 1i, type = "int8"))
said <- "\u00b5 one\n\n"
for (x in list(1:3, numeric(0))) {
	taf_save("said.taf", x, label = "\u00b5", comment = said)
	a <- attr(taf_open("said.taf"), "taf")
	stopifnot(a$comment == said, a$label == "\u00b5")
}
stopifnot(!file.exists("no.taf"))
taf_save("z.taf", array(complex(real = 1:6, imaginary = -1), 6))
# with a mapping they are two columns
p <- readBin("z.taf", "raw", 9999)
p[1033:1048] <- writeBin(c(10, 2), raw(), 8, "little")
writeBin(p, "columns.taf")
x <- taf_open("columns.taf")
stopifnot(dim(x) == c(6, 2), c(x) == c(10 + 2 * 1:6, rep(8, 6)))
x <- taf_run(c("tafcrop", "-x", "2=3"), array(as.double(1:12), c(4, 3)))
stopifnot(c(x) == 9:12)
refused(taf_run(c("tafcrop", "-x", "9=1"), 1:4))
END
	Rscript --vanilla test.R
	for t in int8 uint8 int16 uint16 int32 uint32 int64 uint64 flt32 flt64; do
		equal "$(tafread $t.out)" "$(<$t.txt)"
		tafput k= gta/NAME= $t.taf -o want.taf
		tafcompare want.taf $t.out
		equal "$(tafprobe -k type,comment,label1,unit1,ndim $t.out)" \
			"$(tafprobe -k type,comment,label1,unit1,ndim $t.taf)"
	done
	equal "$(tafread z.taf | tail -n 1)" "6 -1"
	equal "$(tafprobe -k type,ndim z.taf)" $'complex128\t1'
}

@test "Julia reads what the commands read, and they read what it writes" {
	need julia
	shared
	cat >test.jl <<'END'
include(joinpath(ENV["PYTHONPATH"], "taf.jl"))
same(x, want) = vec(eltype(x) <: Complex ? permutedims([vec(real(x)) vec(imag(x))]) : x) == want
for f in filter(endswith(".txt"), readdir()), kind in (".taf", ".rsf")
    name = replace(f, ".txt" => kind)
    name == "wide.rsf" && continue
    a = Taf.open(name)
    words = split(read(f, String))
    @assert same(a.values, eltype(a.values) <: Integer ? parse.(eltype(a.values), words) : parse.(Float64, words))
    f == "wide.txt" && continue
    @assert size(a.values) == (5, 3, 2) && a.start == [0.5, 1.5, 2.5] && a.label == ["Time", "", "z"]
    @assert a.unit == ["s", "", ""] && a.comment == "one\ntwo" && a.attrs["gta/NAME"] == "a \"b\" %" && a.attrs["k"] == "5"
    f in ("mapped.txt", "pairs.txt") || Taf.save(replace(f, ".txt" => ".out"), a.stored; start = a.start, step = a.step,
        label = a.label, unit = a.unit, comment = a.comment)
end
refused(f) = try f(); false catch; true end
for f in ("cut.taf", "cut.rsf", "two.rsf", "died.rsf", "foreign.rsf", "none.taf", "test.jl")
    @assert refused(() -> Taf.open(f))
end
@assert refused(() -> Taf.save("no.taf", 1:3; step = [0])) && !isfile("no.taf")
Taf.save("z.taf", complex.(1.0:6, -1))
@assert vec(Taf.run(["tafcrop", "-x", "2=3"], reshape(1.0:12, 4, 3)).values) == 9:12
@assert refused(() -> Taf.run(["tafcrop", "-x", "9=1"], 1:4))
END
	julia --startup-file=no test.jl
	for t in int8 uint8 int16 uint16 int32 uint32 int64 uint64 flt32 flt64; do
		tafput k= gta/NAME= $t.taf -o want.taf
		tafcompare want.taf $t.out
		equal "$(tafprobe -k type,comment,label1,unit1,ndim $t.out)" \
			"$(tafprobe -k type,comment,label1,unit1,ndim $t.taf)"
	done
	equal "$(tafread z.taf | tail -n 1)" "6 -1"
	equal "$(tafprobe -k type,ndim z.taf)" $'complex128\t1'
}

@test "Octave reads what the commands read, and they read what it writes" {
	need octave-cli
	shared
	cat >try_taf.m <<'END'
addpath(getenv('PYTHONPATH'));
for f = glob('*.txt')'
  for kind = {'.taf', '.rsf'}
    name = strrep(f{1}, '.txt', kind{1});
    if strcmp(name, 'wide.rsf'), continue, end
    [x, info] = taf_open(name);
    want = load(f{1});
    got = double(x(:));
    if iscomplex(x), got = [real(got)'; imag(got)'](:); end
    assert(isequal(got, want));
    if strcmp(name, 'wide.taf'), continue, end
    assert(isequal(size(x), [5 3 2]) && isequal(info.label, {'Time', '', 'z'}));
    assert(isequal(info.unit, {'s', '', ''}) && isequal(info.comment, sprintf('one\ntwo')));
    assert(isequal(info.attrs, {'k', 5; 'gta/NAME', 'a "b" %'}));
    taf_save(strrep(f{1}, '.txt', '.out'), x, info);
  end
end
for f = {'cut.taf', 'cut.rsf', 'two.rsf', 'died.rsf', 'foreign.rsf', 'none.taf', 'try_taf.m'}
  refused = false;
  try
    taf_open(f{1});
  catch
    refused = true;
  end
  assert(refused);
end
taf_save('z.taf', complex((1:6)', -1), struct('start', 1));
END
	octave-cli --norc -q try_taf.m
	for t in int8 uint8 int16 uint16 int32 uint32 int64 uint64 flt32 flt64; do
		tafcompare $t.taf $t.out
		equal "$(tafprobe -j $t.out | sed 's/.*"type"/"type"/')" \
			"$(tafprobe -j $t.taf | sed 's/.*"type"/"type"/')"
	done
	equal "$(tafread z.taf | tail -n 1)" "6 -1"
	equal "$(tafprobe -k type,ndim z.taf)" $'complex128\t1'
}
