# SPDX-License-Identifier: ISC
# taftools: everything is built, tested and installed from this one file.
#
# A command is src/cmd/NAME.c, man/NAME.1 and tests/NAME.bats; nothing here names it.
# A source that wants an optional library says so in its first 12 lines, as in
# "/* link: zlib */": that gives it the compiler's and its program the linker's flags.

.SUFFIXES:
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules
# A job for each processor where nobody says how many. Several goals are made in their order:
# "check status", say. Older versions of make show -j only in the environment.
ifeq ($(filter -j% --jobs%,$(MAKEFLAGS) $(shell echo "$$MAKEFLAGS"))$(word 2,$(MAKECMDGOALS)),)
MAKEFLAGS += -j$(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
endif

# "source/" where configure was called from another folder
S := $(filter-out ./,$(dir $(lastword $(MAKEFILE_LIST))))
VERSION := $(shell cat $(S)VERSION)
SOVERSION := 0
NAME := taftools-$(VERSION)

all:

# what there is to make, as make help prints it
#: all          the commands and the library; make alone, too
#: install      install them, with manual and completions; DESTDIR=DIR makes a stage
#: install-strip the same without symbols: a quarter of the size
#: uninstall    remove what install has put there
#: demo         the main job on data made for it, in the folder demo
#: check        all tests; TESTS="tafcrop num" these suites alone, V=1 all that they say
#: mutants      plant faults, which tests have to catch; FAULTS="peaks" some, PART=3/20 a part
#: cuts         cut the power while files are changed; STATES=100000 SEED=1 so often, and how
#: soak         random pipelines against a model in numpy; SECONDS=600 SEED=1 so long, and which
#: html         the manual for a browser, with the tutorial
#: deb          packages for Debian
#: dist         an archive of the sources; distcheck builds and tests it
#: release      the same with a bill of materials and digests, signed: KEY=FILE of ssh, or ID of gpg
#: bench        measure; bench-quick in a minute
#: lint         what shellcheck, mandoc and cppcheck say; analyze: scan-build
#: fuzz         the fuzzers (clang); fuzz-long runs them
#: prove        that headers are read without a fault, by frama-c
#: coverage     how much of the sources the tests reach
#: coefficients make those of functions anew, and compare
#: status       make the lists of commands and prototypes anew
#: clean        remove what was made; distclean: what was configured, too
help:
	@sed -n 's/^#: /make /p' $(S)Makefile

# --- configuration ---

UNCONFIGURED := clean coefficients deb distclean dist help status lint prove
ifneq ($(filter-out $(UNCONFIGURED),$(or $(MAKECMDGOALS),all)),)
# configure leaves the time of config.mk and config.h as it was where they did not change;
# config.status is always new
fresh = test -f config.mk && test -f config.h && test -f config.status && \
	test -z "$$(find $(S)configure $(S)VERSION -newer config.status)"
reconfigure = if test -f config.status; then sh ./config.status; else sh $(S)configure; fi
ifneq ($(shell { $(fresh) || { $(reconfigure); } >&2; } && echo done),done)
$(error configure failed)
endif
include config.mk
LINKS := $(shell awk 'FNR <= 12 && sub(/^\/\* link: /, "") && sub(/ *\*\/ *$$/, "") { \
	n = split($$0, lib, / +/); for (i = 1; i <= n; i++) print FILENAME ":" toupper(lib[i]) }' \
	$(wildcard $(S)src/cmd/*.c $(S)src/fetch/*.c $(S)src/lib/*/*.c $(S)src/lib/*/*/*.c $(S)tests/unit/*.c \
	$(S)tests/fuzz/*.c $(S)tests/bench/*.c) /dev/null)
# the set of files, written when it changes: so that a removed one leaves the archives
LIST := $(sort $(wildcard $(S)src/lib/*/*.c $(S)src/lib/*/*/*.c))
keep_list = mkdir -p obj && { echo '$(LIST)' | cmp -s - obj/list || echo '$(LIST)' >obj/list; }
$(shell $(keep_list))
endif

# --- what there is ---

LIB_SRC := $(sort $(wildcard $(foreach d,base io array kernel/* stream,$(S)src/lib/$(d)/*.c) \
	$(foreach c,escape rsf taf,$(S)src/lib/codec/$(c)*.c)))
CODEC_SRC := $(filter-out $(LIB_SRC),$(sort $(wildcard $(foreach d,codec codec/* op/* format text \
	plot spread plan,$(S)src/lib/$(d)/*.c))))
CLI_SRC := $(sort $(wildcard $(foreach d,cli umbrella,$(S)src/lib/$(d)/*.c)))
CMD_SRC := $(sort $(wildcard $(S)src/cmd/*.c))
FETCH_SRC := $(sort $(wildcard $(S)src/fetch/*.c))
UNIT_SRC := $(sort $(wildcard $(S)tests/unit/*.c))
FUZZ_SRC := $(sort $(wildcard $(S)tests/fuzz/fuzz_*.c))
BENCH_SRC := $(sort $(wildcard $(S)tests/bench/*.c))
BATS := $(sort $(wildcard $(S)tests/*.bats))
MAN := $(sort $(wildcard $(S)man/*.[1-9]))
# taf.h is installed, and each header that it includes, as taf/NAME.h
HEADERS := $(shell sed -n 's/^.include "\(.*\)"/\1/p' $(S)src/lib/taf.h)

objects = $(patsubst $(S)%.c,obj/%.o,$(1))
CMDS := $(notdir $(CMD_SRC:.c=))
BINS := $(addprefix bin/,$(CMDS))
UNITS := $(patsubst $(S)%.c,obj/%,$(UNIT_SRC))
REPLAYS := $(patsubst $(S)tests/fuzz/fuzz_%.c,obj/tests/fuzz/replay_%,$(FUZZ_SRC))
BENCHES := $(patsubst $(S)%.c,obj/%,$(BENCH_SRC))
COMPLETIONS := $(foreach c,$(CMDS),$(addprefix obj/completions/,$c _$c $c.fish))
ARCHIVES := lib/libtafcli.a lib/libtafcodec.a lib/libtaf.a
# what reads URLs, a program of its own
FETCH := $(if $(CURL_LIBS),libexec/taftools/taf-fetch)
# libtaf.so.0, or what macOS calls it: libtaf.0.dylib
so_name = $(if $(DARWIN),libtaf$(addprefix .,$(1)).dylib,libtaf.so$(addprefix .,$(1)))
SHARED_LIB := $(if $(filter yes,$(SHARED)),lib/$(call so_name,$(SOVERSION)))

all: $(ARCHIVES) $(SHARED_LIB) $(BINS) $(FETCH)

# --- compile and link ---

# Archives and programs are made beside their names and moved: what a kill leaves half done
# has no name that the next make believes.

Q := $(if $(filter 1,$(V)),,@)
short = $(if $(Q),@echo '$(1)')

link_names = $(patsubst $(1):%,%,$(filter $(1):%,$(LINKS)))
cflags_of = $(foreach l,$(call link_names,$(1)),$($(l)_CFLAGS))
libs_of = $(foreach l,$(call link_names,$(1)),$($(l)_LIBS))

COMPILE = $(CC) $(TAF_CFLAGS) $(PIC_CFLAGS) $(LAYER_CFLAGS) -I$(S)src/lib -I. $(PTHREAD_CFLAGS) \
	$(call cflags_of,$<) $(CPPFLAGS) $(CFLAGS) \
	$(and $(PREFIX_MAP),-ffile-prefix-map='$(CURDIR)'=. $(S:%=-ffile-prefix-map=%=))
LINK = $(CC) $(TAF_LDFLAGS) $(CFLAGS) $(LDFLAGS)
LINK_LIBS = -lm $(PTHREAD_LIBS) $(LIBS)

obj/src/lib/kernel/%.o: LAYER_CFLAGS = $(KERNEL_CFLAGS)
# tests may look at more than what programs may use
obj/tests/%: LAYER_CFLAGS = -D_GNU_SOURCE
# these objects are in the archive and in the shared library
$(call objects,$(LIB_SRC)): PIC_CFLAGS = $(SHARED_CFLAGS)

obj/%.o: $(S)%.c config.mk
	$(call short,CC $<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -c -o $@ $<

# what the umbrella knows of the pages
obj/src/cmd/taf.o: obj/pages.h
obj/pages.h: $(MAN) $(CMD_SRC) $(S)tools/pages.sh
	@mkdir -p $(@D)
	$(Q)sh $(S)tools/pages.sh $(or $(S),.) >$@

# a page as strings, line by line
obj/src/lib/plot/page.o: obj/src/lib/plot/page_lines.h
obj/src/lib/plot/page.o: LAYER_CFLAGS = -Iobj/src/lib
obj/src/lib/plot/page_lines.h: $(S)src/lib/plot/page.html
	$(call short,GEN $@)
	@mkdir -p $(@D)
	$(Q){ echo 'static const char *const page_lines[] = {' && \
		sed 's/["\\]/\\&/g; s/.*/"&\\n",/' $< && echo '};'; } >$@.tmp && mv $@.tmp $@

lib/libtaf.a: $(call objects,$(LIB_SRC))
lib/libtafcodec.a: $(call objects,$(CODEC_SRC))
lib/libtafcli.a: $(call objects,$(CLI_SRC))
$(ARCHIVES): obj/list
	$(call short,AR $@)
	@mkdir -p $(@D)
	$(Q)rm -f $@.tmp && $(AR) rcs $@.tmp $(filter %.o,$^) && mv $@.tmp $@

# the functions of the map, as macOS wants them
obj/exports: $(S)src/lib/libtaf.map
	@mkdir -p $(@D)
	$(Q)sed -n 's/^[[:space:]]*\(taf_[a-z0-9_]*\);$$/_\1/p' $< >$@
SHARED_LINK = $(if $(DARWIN),-dynamiclib -Wl$(,)-install_name$(,)$(libdir)/$(@F) \
	-Wl$(,)-exported_symbols_list$(,)obj/exports, -shared -Wl$(,)-soname$(,)$(@F) \
	-Wl$(,)--version-script$(,)$(S)src/lib/libtaf.map)
, := ,

$(SHARED_LIB): $(call objects,$(LIB_SRC)) obj/list $(S)src/lib/libtaf.map $(DARWIN:yes=obj/exports)
	$(call short,LD $@)
	@mkdir -p $(@D)
	$(Q)$(filter-out -pie,$(LINK)) $(SHARED_LINK) $(SHARED_LDFLAGS) -o $@.tmp \
		$(filter %.o,$^) $(LINK_LIBS) && mv $@.tmp $@

obj/list:
	@$(keep_list)

define link_program
$(call short,LD $@)
@mkdir -p $(@D)
$(Q)$(LINK) -o $@.tmp $(filter %.o,$^) $(ARCHIVES) $(call libs_of,$(1)) $(LINK_LIBS) && \
	mv $@.tmp $@
endef

bin/%: obj/src/cmd/%.o $(ARCHIVES)
	$(call link_program,$(S)src/cmd/$*.c)

libexec/taftools/taf-fetch: $(call objects,$(FETCH_SRC)) lib/libtaf.a
	$(call short,LD $@)
	@mkdir -p $(@D)
	$(Q)$(LINK) -o $@.tmp $(filter %.o,$^) lib/libtaf.a $(CURL_LIBS) $(LINK_LIBS) && mv $@.tmp $@

$(UNITS) $(BENCHES): %: %.o $(ARCHIVES)
	$(call link_program,$(patsubst obj/%,$(S)%.c,$@))

obj/tests/fuzz/replay_%: obj/tests/fuzz/fuzz_%.o obj/tests/fuzz/replay.o $(ARCHIVES)
	$(call link_program,$(S)tests/fuzz/fuzz_$*.c)

# it loads what it compares with
obj/tests/bench/fft: LINK_LIBS += -ldl

# what makes calls of a command fail, notes them, and has libraries do harm; a sanitizer has such
# ones of its own
PRELOADED := $(if $(and $(filter yes,$(SHARED)),$(if $(SANITIZE)$(COVERAGE:no=),,plain)),$(addprefix \
	obj/tests/,fault/fault.so fault/taken.so cuts/record.so soak/awake.so))
obj/tests/%.so: $(S)tests/%.c config.mk
	$(call short,LD $@)
	@mkdir -p $(@D)
	$(Q)$(filter-out -pie -MMD -MP,$(COMPILE) $(TAF_LDFLAGS)) $(LDFLAGS) -fPIC -shared -o $@ $< \
		-ldl

obj/completions/%: bin/% $(S)tools/completions.sh
	@mkdir -p $(@D)
	$(Q)sh $(S)tools/completions.sh bin/$* >$@

obj/completions/_%: bin/% $(S)tools/completions.sh
	@mkdir -p $(@D)
	$(Q)sh $(S)tools/completions.sh --zsh bin/$* >$@

obj/completions/%.fish: bin/% $(S)tools/completions.sh
	@mkdir -p $(@D)
	$(Q)sh $(S)tools/completions.sh --fish bin/$* >$@

completions: $(COMPLETIONS)

.SECONDARY:
-include $(wildcard obj/src/lib/*/*.d obj/src/lib/*/*/*.d obj/src/cmd/*.d obj/src/fetch/*.d obj/tests/*/*.d)

# --- tests ---

# make check TESTS="tafcrop num" runs the suites of these names alone, EXCEPT="flows" all others
# the longest of them first, lest one of those runs alone at the end. What has to wait for the
# libraries it preloads comes last of all: rights, a short one, has them made before faults
LONGEST := bats/contract bats/faults bats/tafspread bats/trouble bats/remote bats/pages bats/inplace
SUITES := bats/rights check-layers check-install $(LONGEST) $(UNIT_SRC:$(S)tests/%.c=%) \
	$(FUZZ_SRC:$(S)tests/fuzz/fuzz_%.c=fuzz/%) \
	$(filter-out bats/rights $(LONGEST),$(BATS:$(S)tests/%.bats=bats/%))
WANTED := $(filter-out $(EXCEPT) $(addprefix %/,$(EXCEPT)),$(if $(TESTS), \
	$(filter $(TESTS) $(addprefix %/,$(TESTS)),$(SUITES)),$(SUITES)))
# these have names of their own
ifeq ($(WANTED)$(filter prove cuts,$(MAKECMDGOALS)),)
$(error no suite is called $(TESTS))
endif
SRC_DIR := "$(CURDIR)$(if $(S),/$(S:/=))"
# a sanitizer's exit status must not look like one of ours
ASAN_OPTIONS ?= abort_on_error=1:detect_stack_use_after_return=1
UBSAN_OPTIONS ?= abort_on_error=1:print_stacktrace=1
# what runs programs of another machine, as in EMULATOR=qemu-s390x; then by scripts
EMULATOR ?=
RUN_BIN := $(CURDIR)/$(if $(EMULATOR),obj/emulated,bin)
EMULATED := $(if $(EMULATOR),$(addprefix obj/emulated/,$(CMDS)))
obj/emulated/%: bin/%
	@mkdir -p $(@D)
	@# by its full name, because tests change PATH
	@# with the script's name as its own (qemu -0), by which taf finds the other scripts
	@run=$$(command -v $(firstword $(EMULATOR))) && printf '#!/bin/sh\nexec %s "%s" "$$@"\n' \
		"$$run $(wordlist 2,99,$(EMULATOR)) $(if $(findstring qemu,$(EMULATOR)),-0 \"\$$0\")" \
		'$(CURDIR)/$<' >$@ && chmod 755 $@
TAP = TAF_BIN="$(RUN_BIN)" TAF_BUILD="$(CURDIR)" TAF_SRC=$(SRC_DIR) EMULATOR='$(EMULATOR)' \
	PATH="$(RUN_BIN):$$PATH" TAP_VERBOSE='$(V)' ASAN_OPTIONS='$(ASAN_OPTIONS)' \
	UBSAN_OPTIONS='$(UBSAN_OPTIONS)' sh $(S)tests/tap.sh
TOOLS = MAKE='$(MAKE)' CC='$(CC) $(CFLAGS) $(LDFLAGS)' CXX='$(CXX)' NM='$(NM)' \
	PKG_CONFIG='$(PKG_CONFIG)' SHARED='$(SHARED)' SANITIZE='$(SANITIZE)$(COVERAGE:no=)'
run_suite = $(TAP) run $@ $(1)
tap_of = $(patsubst %,obj/check/%.tap,$(1))

# benchmarks are built, not run
check: $(call tap_of,$(WANTED)) | $(if $(TESTS),,$(BENCHES))
	@sh $(S)tests/tap.sh sum $^

check-unit: $(call tap_of,$(filter unit/%,$(WANTED)))
	@sh $(S)tests/tap.sh sum $^

check-fuzz: $(call tap_of,$(filter fuzz/%,$(WANTED)))
	@sh $(S)tests/tap.sh sum $^

check-bats: $(call tap_of,$(filter bats/%,$(WANTED)))
	@sh $(S)tests/tap.sh sum $^

check-layers check-install: check-%: obj/check/check-%.tap
	@sh $(S)tests/tap.sh sum $^

check-untracked:
	@sh $(S)tests/check-untracked.sh $(SRC_DIR)

obj/check/check-layers.tap: all FORCE
	@$(TOOLS) $(call run_suite,check-layers) sh $(SRC_DIR)/tests/check-layers.sh

obj/check/check-install.tap: all FORCE
	@$(TOOLS) $(call run_suite,check-install) sh $(SRC_DIR)/tests/check-install.sh

obj/check/unit/%.tap: obj/tests/unit/% FORCE
	@$(call run_suite,unit/$*) $(EMULATOR) "$(CURDIR)/$<"

obj/check/fuzz/%.tap: obj/tests/fuzz/replay_% FORCE
	@$(call run_suite,fuzz/$*) $(EMULATOR) "$(CURDIR)/$<" \
		$(if $(wildcard $(S)tests/fuzz/corpus/$*),$(SRC_DIR)/tests/fuzz/corpus/$*)

$(patsubst %,obj/check/bats/%.tap,cuts faults rights soak tafspread): $(PRELOADED)
obj/check/bats/%.tap: $(S)tests/%.bats $(BINS) $(FETCH) $(EMULATED) FORCE
	@$(call run_suite,bats/$*) bats --tap $(SRC_DIR)/tests/$*.bats

# --- other inspections ---

# a build with options $(2) in folder $(1), and make $(3) there
subbuild = mkdir -p $(1) && cd $(1) && { test -f config.status || \
	sh $(SRC_DIR)/configure $(2); } && $(MAKE) $(3)

ifeq ($(FUZZ),yes)
FUZZERS := $(FUZZ_SRC:$(S)tests/fuzz/%.c=%)
SECONDS ?= 1800
LIB_FUZZING_ENGINE ?= -fsanitize=fuzzer
fuzz: $(FUZZERS)
fuzz_%: obj/tests/fuzz/fuzz_%.o $(ARCHIVES)
	$(call short,LD $@)
	$(Q)$(LINK) -o $@ $(filter %.o,$^) $(LIB_FUZZING_ENGINE) $(ARCHIVES) \
		$(call libs_of,$(S)tests/fuzz/$@.c) $(LINK_LIBS)
fuzz-long: $(FUZZERS)
	@sh $(SRC_DIR)/tests/fuzz/fuzz.sh $(SECONDS) \
		$(patsubst fuzz/%,fuzz_%,$(filter fuzz/%,$(WANTED)))
else
fuzz fuzz-long:
	+@$(call subbuild,fuzz,CC=clang --enable-fuzz,$@)
endif

ifeq ($(COVERAGE),yes)
coverage: check
	@sh $(S)tools/coverage.sh '$(GCOV)'
# what parses hostile bytes, and what writes stores, reached by the kept corpus alone; in
# unpack_in only failures of memory and of reading, and what a program without zlib says, are
# left, which no input brings about; objects opens files and URLs
PARSERS = array/region base/decimal base/num kernel/expr/expr_parse \
	$(filter-out codec/chunk/unpack_in codec/objects, \
	$(patsubst $(S)src/lib/%.c,%,$(wildcard $(S)src/lib/codec/*.c $(S)src/lib/codec/*/*.c)))
fuzz-coverage: $(REPLAYS)
	@find obj -name '*.gcda' -exec rm -f {} +
	+@$(MAKE) check-fuzz
	@sh $(S)tools/coverage.sh '$(GCOV)' 90 $(PARSERS)
else
coverage fuzz-coverage:
	+@$(call subbuild,coverage,CC='$(CC)' --enable-coverage,$@)
endif

analyze:
	@mkdir -p analyze && cd analyze && { test -f config.status || \
		scan-build sh $(SRC_DIR)/configure --disable-shared; }
	+@cd analyze && $(MAKE) clean && scan-build --status-bugs -o report $(MAKE) all

# TESTS="taf segy" takes these alone, TESTS="-f npy" plants faults
prove:
	@sh $(S)tests/prove/run.sh $(TESTS)

mutants: all $(PRELOADED)
	+@MAKE='$(MAKE)' sh $(S)tests/plant.sh $(PART:%=-p %) $(FAULTS)

# each finding names the scenario of tests/cuts/scenarios.py, and the call before which it was cut
cuts: all $(PRELOADED)
	@TAF_BIN="$(CURDIR)/bin" python3 $(S)tests/cuts/cuts.py obj/tests/cuts/record.so \
		$(or $(STATES),100000) $(or $(SEED),1) $(foreach s,$(TESTS),'$(s)')

# a finding shows its script; soak.py says how to run it again
soak: all
	@PATH="$(CURDIR)/bin:$$PATH" /usr/bin/python3 $(S)tests/soak/soak.py $(or $(SECONDS),600) $(or $(SEED),1)

lint:
	@sh $(S)tools/lint.sh $(or $(S),.) "$(CURDIR)/obj/check"

coefficients:
	@sh $(S)tools/coefficients/make.sh $(or $(S),.) "$(CURDIR)/obj/coefficients"

# bench writes the table that DESIGN.md cites (BENCH_DISK=FOLDER: also one on a disk); the
# quick one takes a minute and prints; SECTIONS="crop permute" runs these alone
run_bench = TAF_BIN="$(CURDIR)/bin" TAF_BENCH="$(CURDIR)/obj/tests/bench" \
	bash $(S)tests/bench/run.sh

bench: all $(BENCHES)
	@{ printf '# Benchmarks\n\n' && $(run_bench) full $(SECTIONS); } >obj/bench.md
	@cp obj/bench.md $(S)tests/bench/RESULTS.md
	@cat obj/bench.md

bench-quick: all $(BENCHES)
	@$(run_bench) quick $(SECTIONS)

# the manual in HTML; its tutorial runs the commands that it shows
html: all
	@TAF_BIN="$(CURDIR)/bin" sh $(S)tools/html.sh $(or $(S),.) html
	@echo 'html/index.html is its first page'

# its files stay in the folder demo
demo: all
	@TAF_BIN="$(CURDIR)/bin" PATH="$(CURDIR)/bin:$$PATH" sh $(S)tests/demo.sh demo

# the lists of commands in taf(1) and README.md, the prototypes in libtaf(3)
status:
	@sh $(S)tools/list-commands.sh $(or $(S),.)
	@sh $(S)tools/list-prototypes.sh $(or $(S),.)
	@sh $(S)tools/status.sh $(or $(S),.) "$(CURDIR)/obj/check"

# --- install ---

to = '$(DESTDIR)$(1)'
# what a header says to taftools alone, and those that only this needs, are left out
public = sed -e '/^\/\* --- for taftools alone/,/^.ifdef/ { /^.ifdef/ !d; }' \
	-e 's/^\(.include\) "\(.*\)"/\1 :\2:/' \
	$(foreach h,$(HEADERS),-e 's|:$(h):|<taf/$(notdir $(h))>|') -e '/^.include :/d' \
	$(S)src/lib/$(1)
HTML = $(datadir)/doc/taftools/html
BASH_COMPLETIONS = $(datadir)/bash-completion/completions
ZSH_COMPLETIONS = $(datadir)/zsh/site-functions
FISH_COMPLETIONS = $(datadir)/fish/vendor_completions.d
PC = $(libdir)/pkgconfig/taf.pc
# what other languages read and write arrays with
PYTHON_SRC := $(sort $(wildcard $(S)src/lang/*.py))
LANG_SRC := $(filter-out $(PYTHON_SRC),$(sort $(wildcard $(S)src/lang/*.*)))
LANG_DIR = $(datadir)/taftools
DIST_INFO = $(pythondir)/$(NAME).dist-info
below_prefix = $(subst $(prefix)/,$${prefix}/,$(1))

install: all completions
	@echo INSTALL $(call to,$(prefix))
	$(Q)umask 022; mkdir -p $(call to,$(bindir)) $(call to,$(libdir)/pkgconfig) \
		$(call to,$(BASH_COMPLETIONS)) $(call to,$(ZSH_COMPLETIONS)) \
		$(call to,$(FISH_COMPLETIONS))
	$(Q)for f in $(CMDS); do install $(STRIP) -m 755 bin/$$f $(call to,$(bindir))/$$f && \
		install -m 644 obj/completions/$$f $(call to,$(BASH_COMPLETIONS))/$$f && \
		install -m 644 obj/completions/_$$f $(call to,$(ZSH_COMPLETIONS))/_$$f && \
		install -m 644 obj/completions/$$f.fish $(call to,$(FISH_COMPLETIONS))/$$f.fish || \
		exit; done
ifneq ($(FETCH),)
	$(Q)umask 022; mkdir -p $(call to,$(libexecdir)/taftools) && \
		install $(STRIP) -m 755 $(FETCH) $(call to,$(libexecdir)/taftools)
endif
	$(Q)umask 022; for f in $(MAN); do d=$(call to,$(mandir))/man$${f##*.}; mkdir -p "$$d" && \
		install -m 644 $$f "$$d" || exit; done
	$(Q)umask 022; mkdir -p $(call to,$(includedir)/taf) && \
		$(call public,taf.h) >$(call to,$(includedir)/taf.h) && \
		for f in $(HEADERS); do $(call public,$$f) >$(call to,$(includedir)/taf)/$${f##*/} || exit; done
	$(Q)install -m 644 lib/libtaf.a $(call to,$(libdir))
ifeq ($(SHARED),yes)
	$(Q)install $(STRIP) -m 755 $(SHARED_LIB) $(call to,$(libdir)/$(call so_name,$(VERSION)))
	$(Q)ln -sf $(call so_name,$(VERSION)) $(call to,$(libdir)/$(call so_name,$(SOVERSION)))
	$(Q)ln -sf $(call so_name,$(SOVERSION)) $(call to,$(libdir)/$(call so_name))
endif
	$(Q)printf '%s\n' 'prefix=$(prefix)' 'libdir=$(call below_prefix,$(libdir))' \
		'includedir=$(call below_prefix,$(includedir))' '' 'Name: taf' \
		'Description: numeric arrays in TAF files and RSF streams' 'Version: $(VERSION)' \
		'Cflags: -I"$${includedir}"' 'Libs: -L"$${libdir}" -ltaf' \
		'Libs.private: -lm $(PTHREAD_LIBS)' >$(call to,$(PC))
	$(Q)chmod 644 $(call to,$(PC))
	$(Q)umask 022; mkdir -p $(call to,$(DIST_INFO)) $(call to,$(LANG_DIR)) && \
		install -m 644 $(PYTHON_SRC) $(call to,$(pythondir)) && \
		for f in $(LANG_SRC); do install -m 644 $$f $(call to,$(LANG_DIR)) || exit; done && \
		printf '%s\n' 'Metadata-Version: 2.1' 'Name: taftools' 'Version: $(VERSION)' \
		'Summary: numeric arrays of TAF files and RSF streams in numpy and xarray' \
		'Requires-Python: >=3.9' 'Requires-Dist: numpy' 'Provides-Extra: xarray' \
		'Requires-Dist: xarray; extra == "xarray"' >$(call to,$(DIST_INFO)/METADATA) && \
		printf '%s\n' '[xarray.backends]' 'taf = taf_xarray:TafBackend' \
		>$(call to,$(DIST_INFO)/entry_points.txt)
	@# where it was made
	$(Q)test ! -d html || { umask 022; mkdir -p $(call to,$(HTML)) && \
		install -m 644 html/* $(call to,$(HTML)); }

# what strip is, install knows
install-strip: STRIP = -s
install-strip: install

uninstall:
	$(Q)for f in $(CMDS); do \
		rm -f $(call to,$(bindir))/$$f $(call to,$(BASH_COMPLETIONS))/$$f \
		$(call to,$(ZSH_COMPLETIONS))/_$$f $(call to,$(FISH_COMPLETIONS))/$$f.fish; done
	$(Q)rm -rf $(call to,$(libexecdir)/taftools)
	$(Q)for f in $(notdir $(MAN)); do rm -f $(call to,$(mandir))/man$${f##*.}/$$f; done
	$(Q)for f in $(notdir $(HEADERS)); do rm -f $(call to,$(includedir)/taf)/$$f; done
	$(Q)rm -f $(call to,$(includedir))/taf.h
	$(Q)test ! -d $(call to,$(includedir)/taf) || rmdir $(call to,$(includedir)/taf)
	$(Q)rm -f $(call to,$(libdir))/libtaf.a $(call to,$(libdir))/libtaf.so* $(call to,$(libdir))/libtaf*.dylib $(call to,$(PC))
	$(Q)for f in $(notdir $(PYTHON_SRC)); do rm -f $(call to,$(pythondir))/$$f \
		$(call to,$(pythondir))/__pycache__/$${f%.py}.*; done
	$(Q)rm -rf $(call to,$(DIST_INFO)) $(call to,$(LANG_DIR))
	$(Q)rm -rf $(call to,$(HTML))
	$(Q)test ! -d $(call to,$(dir $(HTML))) || rmdir $(call to,$(dir $(HTML))) 2>/dev/null || :
	@# in a stage the folders are ours too
	$(Q)test -z '$(DESTDIR)' || test ! -d '$(DESTDIR)' || \
		find '$(DESTDIR)' -mindepth 1 -depth -type d -exec rmdir {} + 2>/dev/null || :

# --- archive of the sources, clean ---

dist:
	@sh $(S)tools/dist.sh $(or $(S),.) $(NAME)

release:
	@sh $(S)tools/release.sh $(or $(S),.) $(NAME) config.mk '$(KEY)'

# Debian's packages, in the folder deb
deb: dist
	@rm -rf deb && mkdir deb && tar -xzf $(NAME).tar.gz -C deb && cd deb/$(NAME) && \
		env -u MAKEFLAGS -u MAKELEVEL dpkg-buildpackage -us -uc

# the archive builds, and passes its tests, outside git
distcheck: dist
	+@d=$$(mktemp -d) && trap 'rm -rf "$$d"' 0 && tar -xzf $(NAME).tar.gz -C "$$d" && \
	cd "$$d/$(NAME)" && sh ./configure && $(MAKE) check && $(MAKE) dist

clean:
	rm -rf bin lib libexec obj $(FUZZ_SRC:$(S)tests/fuzz/%.c=%)

distclean: clean
	rm -rf analyze coverage deb demo fuzz html config.h config.log config.mk config.status $(NAME).tar.gz \
		$(NAME).spdx $(NAME).sha256*
	@test ! -L source || rm -f source GNUmakefile

FORCE:
.PHONY: all analyze bench bench-quick check check-bats check-fuzz check-install check-layers \
	check-unit check-untracked clean coefficients completions coverage deb demo dist \
	distcheck distclean FORCE fuzz fuzz-coverage fuzz-long help html install install-strip lint mutants prove release soak status uninstall
