# SPDX-License-Identifier: ISC
# tafspread with the real engines: GNU parallel over ssh to two names of this machine, and a Slurm
# of three nodes on it.

load helper

setup_file() {
	export E=$BATS_FILE_TMPDIR
	mkdir "$E/bin"
	start_sshd >"$E/sshd.out" 2>&1 || echo "no sshd could be started" >"$E/no-ssh"
	start_slurm >"$E/slurm.out" 2>&1 || echo "no Slurm could be started" >"$E/no-slurm"
}

teardown_file() {
	local file pid all=()
	for file in "$E"/*.pid "$E"/*/*.pid; do
		[ ! -s "$file" ] || all+=("$(cat "$file")")
	done
	# whose tafspread was killed waits on, and would hold what bats waits for
	for pid in /proc/[0-9]*; do
		[ "$(cat "$pid/comm" 2>/dev/null)" != sbatch ] ||
			! grep -q "SLURM_CONF=$E/" "$pid/environ" || kill "${pid#/proc/}" || :
	done
	for pid in "${all[@]}"; do kill "$pid" 2>/dev/null || :; done
	# one that has ended may have nobody who waits for it: it has no command line then
	for pid in "${all[@]}"; do
		wait_for sh -c "! grep -q . /proc/$pid/cmdline"
	done
}

# wait_for COMMAND...: until it succeeds, or for ten seconds (TRIES: tenths)
wait_for() {
	local n
	for ((n = 0; n < ${TRIES:-100}; n++)); do
		! "$@" >/dev/null 2>&1 || return 0
		sleep 0.1
	done
	return 1
}

# an sshd of the test's own, which takes one key; no file of the user's is read by its shells
start_sshd() {
	local port sshd
	sshd=$(PATH=$PATH:/usr/sbin command -v sshd) && command -v parallel || return 1
	[ "$(id -u)" != 0 ] || mkdir -p /run/sshd
	ssh-keygen -q -t ed25519 -N '' -f "$E/host"
	ssh-keygen -q -t ed25519 -N '' -f "$E/user"
	cp "$E/user.pub" "$E/keys"
	for port in $((20000 + RANDOM % 9000)) $((20000 + RANDOM % 9000)); do
		cat >"$E/sshd_config" <<-END
			Port $port
			ListenAddress 127.0.0.1
			HostKey $E/host
			AuthorizedKeysFile $E/keys
			PidFile $E/sshd.pid
			StrictModes no
			UsePAM no
			SetEnv HOME=$E
			MaxStartups 100
		END
		cat >"$E/ssh_config" <<-END
			Host w1 w2
			HostName 127.0.0.1
			Port $port
			IdentityFile $E/user
			StrictHostKeyChecking no
			UserKnownHostsFile /dev/null
			LogLevel ERROR
		END
		"$sshd" -f "$E/sshd_config" || continue
		! wait_for ssh -F "$E/ssh_config" w1 true || return 0
	done
	return 1
}

# a Slurm of three nodes, with a munged of its own
start_slurm() {
	local host port tool node
	for tool in slurmctld slurmd munged; do
		PATH=$PATH:/usr/sbin command -v $tool || return 1
	done
	PATH=$PATH:/usr/sbin
	host=$(hostname -s)
	port=$((30000 + RANDOM % 9000))
	mkdir -m 700 "$E/munge"
	dd if=/dev/urandom of="$E/munge/key" bs=64 count=1
	chmod 400 "$E/munge/key"
	munged --force --socket="$E/munge/socket" --key-file="$E/munge/key" \
		--pid-file="$E/munge/munged.pid" --log-file="$E/munge/log" \
		--seed-file="$E/munge/seed" || return 1
	mkdir -p "$E/state" "$E"/spool/n{1,2,3}
	cat >"$E/slurm.conf" <<-END
		ClusterName=test
		SlurmctldHost=$host(127.0.0.1)
		SlurmctldPort=$port
		SlurmUser=$(id -un)
		SlurmdUser=$(id -un)
		AuthType=auth/munge
		AuthInfo=socket=$E/munge/socket
		StateSaveLocation=$E/state
		SlurmdSpoolDir=$E/spool/%n
		SlurmctldPidFile=$E/slurmctld.pid
		SlurmdPidFile=$E/slurmd-%n.pid
		SlurmctldLogFile=$E/slurmctld.log
		SlurmdLogFile=$E/slurmd-%n.log
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_CPU
		ReturnToService=2
		MpiDefault=none
		JobAcctGatherType=jobacct_gather/none
		SlurmdTimeout=10
		SchedulerParameters=sched_interval=1
		MaxArraySize=13
		NodeName=n[1-3] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 3))] CPUs=1 State=UNKNOWN
		PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
	END
	export SLURM_CONF=$E/slurm.conf
	slurmctld || return 1
	for node in n1 n2 n3; do slurmd -N $node || return 1; done
	# shellcheck disable=SC2016 # the inner shell expands it
	wait_for sh -c '[ "$(sinfo -h -t idle -o %D)" = 3 ]'
}

# mk FILE: an array whose elements vary everywhere
mk() {
	perl -e 'print pack "l*", map { $_ * $_ * 7 % 113 } 1 .. 5 * 700 * 9' |
		tafcreate -n 5,700,9 -e int32 -t flt32 -o "$1"
}

with() {
	[ ! -e "$E/no-$1" ] || skip "$(cat "$E/no-$1")"
	export SLURM_CONF=$E/slurm.conf
}

@test "two hosts by ssh make the same bytes" {
	with ssh
	mk in.taf
	tafreverse -d 1 in.taf -o want.taf
	HOME=$T tafspread --via parallel --ssh "ssh -F $E/ssh_config" --host 2/w1 --host 2/w2 \
		--slabs 9 -o out.taf in.taf -- 'tafreverse -d 1'
	same want.taf out.taf
	did '--host' tafspread
	did '--ssh' tafspread
}

@test "a host that cannot be reached costs no slab" {
	with ssh
	mk in.taf
	HOME=$T tafspread --via parallel --ssh "ssh -o ConnectTimeout=2 -F $E/ssh_config" \
		--host 1/w1 --host 1/not-there.invalid --slabs 4 -o out.taf in.taf -- cat 2>err
	same in.taf out.taf
}

@test "three nodes of Slurm make the same bytes" {
	with slurm
	mk in.taf
	tafreverse -d 1 in.taf -o want.taf
	tafspread --via slurm:--comment=test --slabs 9 -J 3 -o out.taf in.taf -- 'tafreverse -d 1'
	same want.taf out.taf
	tafspread --via slurm -d 1 --slabs 5 -o out.taf in.taf -- 'tafreverse -d 2'
	tafreverse -d 2 in.taf -o want.taf
	same want.taf out.taf
}

@test "a slab that fails with 3 ends an array job" {
	with slurm
	mk in.taf
	refuse 3 tafspread --via slurm --slabs 3 -o out.taf in.taf -- 'tafcrop -x 9=1'
	grep -q 'slab [123] ([0-9=:]*): status 3: tafcrop: ' err
}

@test "tafspread that was killed goes on with what an array job has done since" {
	with slurm
	mk in.taf
	# one slab is done, and the others are not before that is seen
	local job="mkdir '$PWD/first' 2>/dev/null || until [ -e '$PWD/go' ]; do sleep 0.1; done; cat"
	tafspread --via slurm --slabs 3 -o out.taf in.taf -- "$job" &
	TRIES=600 wait_for sh -c 'ls out.taf.spread/done/*'
	kill -9 $!
	wait $! || :
	touch go
	tafspread --via slurm --slabs 3 -o out.taf in.taf -- "$job"
	same in.taf out.taf
}

@test "an array job is cancelled where tafspread is interrupted" {
	with slurm
	mk in.taf
	# as at a terminal: what bash starts behind itself ignores it
	perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' \
		tafspread --via slurm --slabs 3 -o out.taf in.taf -- 'sleep 100; cat' &
	wait_for sh -c 'squeue -h -t R | grep -q .'
	kill -INT $!
	wait $! || :
	wait_for sh -c '! squeue -h -t R,PD | grep -q .'
	[ ! -e out.taf ]
}

# one_of_each: from/TYPE.taf, with a mapping where there can be one
one_of_each() {
	local type
	mkdir from
	for type in uint8 uint16 uint32 uint64 int8 int16 int32 int64 flt32 flt64; do
		perl -e 'print pack "l*", map { $_ * $_ * 7 % 113 } 1 .. 5 * 7' |
			tafcreate -n 5,7 -e int32 -t $type -C "of $type" -o from/$type.taf
		tafput -i unit=V 'note=two words' from/$type.taf
	done
	tafcast --scale -t int16 from/flt64.taf -o from/mapped.taf
	taffft -d 1 from/flt32.taf -o from/complex.taf
}

# each_of_them OPTIONS...: files of all types through the engine
each_of_them() {
	local file
	one_of_each
	tafspread --each -D to "$@" from/*.taf -- 'tafreverse -d 2'
	for file in from/*.taf; do
		tafreverse -d 2 "$file" -o want.taf
		same want.taf "to/${file#*/}" || return 1
	done
	set -- to/*.taf
	equal $# 12
}

# inner OPTIONS...: a complex array with comment and attributes, and a mapped one, along 2
inner() {
	mk x.taf
	tafput -i unit=V 'note=two words' x.taf
	tafcomment -i -C 'a comment' x.taf
	taffft -d 1 x.taf -o in.taf
	tafspread -d 2 --slabs 4 "$@" -o out.taf in.taf -- 'tafreverse -d 1'
	tafreverse -d 1 in.taf -o want.taf
	same want.taf out.taf
}

@test "all types, and a complex array along dimension 2, by ssh" {
	with ssh
	export HOME=$T
	each_of_them --via parallel --ssh "ssh -F $E/ssh_config" --host 2/w1 --host 2/w2
	inner --via parallel --ssh "ssh -F $E/ssh_config" --host 2/w1 --host 2/w2
}

@test "all types, and a complex array along dimension 2, by Slurm" {
	with slurm
	each_of_them --via slurm
	inner --via slurm
}

@test "a slab that fails twice with 4 is done at the third time, by Slurm" {
	with slurm
	mk in.taf
	cat >try <<-'END'
		read -r n <tries || n=0
		echo $((n + 1)) >tries
		[ "$n" -ge 2 ] || exit 4
		cat
	END
	: >tries
	tafspread --via slurm --slabs 1 --retries 2 -o out.taf in.taf -- ". $T/try"
	same in.taf out.taf
	equal "$(<tries)" 3
}

@test "an array job that is cancelled by another hand ends as lost tasks do" {
	with slurm
	mk in.taf
	tafspread --via slurm --slabs 2 --retries 0 -o out.taf in.taf -- '[ -e go ] || sleep 100; cat' 2>err &
	wait_for sh -c 'squeue -h -t R | grep -q .'
	scancel -n tafspread
	status=0
	wait $! || status=$?
	equal "$status" 4
	# a task may have had the time to say how its pipeline ended
	grep -q 'slab [12] ([0-9=:]*): \(its tasks died\|ended by signal\)' err || { cat err; false; }
	[ ! -e out.taf ]
	touch go
	tafspread --via slurm --slabs 2 --retries 0 -o out.taf in.taf -- '[ -e go ] || sleep 100; cat'
	same in.taf out.taf
}

@test "more slabs than an array job may have tasks" {
	with slurm
	perl -e 'print pack "l*", map { $_ * $_ * 7 % 113 } 1 .. 3 * 29' |
		tafcreate -n 3,29 -e int32 -o in.taf
	# most are done already, by this machine: an array of single tasks would be refused
	status 3 tafspread -J 2 --slabs 29 -o out.taf in.taf -- '[ -e go ] || [ ! -e out.taf.spread/done/20 ] || exit 3; cat'
	touch go
	tafspread --via slurm --slabs 29 -o out.taf in.taf -- '[ -e go ] || [ ! -e out.taf.spread/done/20 ] || exit 3; cat'
	same in.taf out.taf
}
