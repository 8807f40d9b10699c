#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# bare.sh SUITE RESULTS COMMAND -- run a command on a Debian with nothing in it
#
# debootstrap makes the smallest Debian of SUITE, such as bookworm, in a folder of its own; the
# files of the sources are copied there, COMMAND runs among them with an empty environment, and
# the results of its tests are copied to the folder RESULTS.  So are those of $TAF_CORPUS into
# it.  Mirror and settings of apt are this machine's.
#
# Mounts are made in a name space that ends with its processes, and these end with this script,
# whatever ends it.  None of them is a folder of this machine's: what is removed has no way out.
#
# The exit status is 0, or 1 where COMMAND fails, or 77 where there can be no such Debian: no
# root, no debootstrap, no mirror.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)

cannot()
{
	echo "bare.sh: $*" >&2
	exit 77
}

# as the first process of a name space: make the Debian in folder $1, run $4 there
inside()
{
	local root=$1 suite=$2 mirror=$3 command=$4 start=$SECONDS
	# what does not outlive the tests need not reach the disk
	mkdir -p "$root/etc/dpkg/dpkg.cfg.d"
	echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/bare"
	debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" 2>&1 ||
		{ tail -n 5 "$root.log"; cannot "debootstrap does not make a $suite"; }
	echo "bare.sh: $suite is there after $((SECONDS - start)) s"
	apt-config dump Acquire | grep -v '::IndexTargets' >"$root/etc/apt/apt.conf.d/machine"
	case $mirror in
	https:*) install -D -t "$root/etc/ssl/certs" /etc/ssl/certs/ca-certificates.crt ;;
	esac
	mkdir "$root/taftools"
	tar -xzf "$root.tar.gz" -C "$root/taftools" --strip-components=1
	[ ! -d "${TAF_CORPUS:-/nowhere}" ] || cp -r "$TAF_CORPUS" "$root/corpus"
	mount --bind "$root" "$root"
	cd "$root"
	mount -t proc proc proc
	mkdir -p dev/pts dev/shm
	mount -t devpts -o newinstance,ptmxmode=666 devpts dev/pts
	mount -t tmpfs tmpfs dev/shm
	pivot_root . mnt
	# shellcheck disable=SC2016,SC2086
	exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		${TAF_CORPUS:+TAF_CORPUS=/corpus} ${TAF_TURN:+TAF_TURN="$TAF_TURN"} \
		${MAKEFLAGS:+MAKEFLAGS="$MAKEFLAGS"} \
		${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
		sh -c 'umount -l /mnt && cd /taftools && { sh -c "$1" || exit 1; }' sh "$command"
}

if [ "${1-}" = inside ]; then
	shift
	inside "$@"
fi

[ $# = 3 ] || { echo 'usage: bare.sh SUITE RESULTS COMMAND' >&2 && exit 2; }
[ "$(id -u)" = 0 ] || cannot 'only root can make a Debian'
for tool in debootstrap apt-get unshare setpriv pivot_root; do
	command -v $tool >/dev/null || cannot "no $tool"
done
unshare --mount --pid --fork --kill-child true 2>/dev/null || cannot 'nothing may be mounted here'
# shellcheck disable=SC2016 # apt's own variables
mirror=$(apt-get indextargets --format '$(REPO_URI) $(LABEL) $(COMPONENT)' 'Created-By: Packages' |
	sed -n '/ Debian main$/{s///p;q}')
[ -n "$mirror" ] || cannot 'apt has no mirror of Debian'
proxy=
eval "$(apt-config shell proxy Acquire::http::Proxy)"
[ -z "$proxy" ] || export http_proxy=$proxy https_proxy=$proxy

work=$(mktemp -d)
child=
# shellcheck disable=SC2317 # the trap calls it
remove()
{
	local n
	[ -z "$child" ] || kill -9 "$child" 2>/dev/null || :
	wait
	# what was killed may take a while to end
	for n in 1 2 3 4 5 6 7 8 9; do
		! rm -rf --one-file-system "$work" 2>/dev/null || return 0
		sleep "$n"
	done
	echo "bare.sh: $work is still there" >&2
}
trap remove EXIT

(cd "$work" && sh "$top/tools/dist.sh" "$top" debian >/dev/null) || cannot 'no archive of the sources'
setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child \
	bash "$0" inside "$work/debian" "$1" "$mirror" "$3" </dev/null &
child=$!
status=0
wait "$child" || status=$?
child=
if [ -d "$work/debian/taftools/obj/check" ]; then
	mkdir -p "$2"
	cp -r "$work/debian/taftools/obj/check/." "$2"
fi
exit "$status"
