# shellcheck shell=bash
# SPDX-License-Identifier: ISC
# A server of our own for files behind URLs; load it behind helper.

# serve [CERTIFICATE]: the folder www at $U/MODE/..., its answers in log
serve() {
	need python3
	grep -q 'HAVE_CURL 1' "$TAF_BUILD/config.h" || skip 'built without curl'
	[ -z "${EMULATOR-}" ] || skip 'an emulated program'
	mkdir -p www
	: >log
	python3 "$BATS_TEST_DIRNAME/remote/server.py" www log "$@" >port 3>&- 2>server.err &
	SERVER=$!
	until [ -s port ]; do kill -0 "$SERVER"; sleep 0.02; done
	# shellcheck disable=SC2034 # for the tests
	U=http${1+s}://127.0.0.1:$(<port)
	# a proxy of the machine's is not asked, and nobody waits
	export no_proxy='*' TAF_HTTP_WAIT=0.002 TAF_HTTP_TIMEOUT=1 HOME=$T
}

teardown() {
	[ -z "${SERVER-}" ] || kill "$SERVER"
}

# asked: "requests bytes" since the log was emptied
asked() {
	perl -ane '$n++; $b += $F[1]; END { print $n + 0, " ", $b + 0, "\n" }' log
}
