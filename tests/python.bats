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
