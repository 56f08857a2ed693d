#!/usr/bin/env bash
# Shards on a real Slurm of one node, some of them requeued, killed, missing and out of time: merged
# they are the bytes of one process. Installs Slurm if it may; takes about a minute.
# Usage: tests/slurm.sh [PROGRAM]
set -euo pipefail
lab=$(realpath "${1:-target/debug/lab}")

not_run() {
  echo "NOT RUN: the tests on Slurm, as $1" >&2
  exit 0
}
[ "$(id -u)" = 0 ] || not_run "only root can start one"
if ! command -v slurmctld >/dev/null || ! command -v slurmd >/dev/null || ! command -v sbatch >/dev/null || ! command -v munged >/dev/null; then
  command -v apt-get >/dev/null || not_run "there is none"
  { apt-get update && apt-get install -y --no-install-recommends slurmd slurmctld slurm-client munge; } \
    >/dev/null 2>&1 || not_run "it cannot be installed"
fi

place=$(mktemp -d)
chmod 755 "$place"
finish() {
  local code=$?
  for daemon in slurmd slurmctld munged; do
    if [ -f "$place/$daemon.pid" ]; then kill "$(cat "$place/$daemon.pid")" 2>/dev/null || true; fi
    for _ in $(seq 50); do
      if [ -f "$place/$daemon.pid" ]; then sleep 0.1; fi
    done
  done
  if [ "$code" != 0 ]; then
    tail -n 30 "$place"/*.log "$place"/runs/*-shards/*.log >&2 2>/dev/null || true
  fi
  rm -rf "$place"
  exit "$code"
}
trap finish EXIT
fail() {
  echo "$*" >&2
  exit 1
}
# Waits for what a command finds, at most this many seconds.
wait_for() {
  local most=$1
  shift
  for _ in $(seq $((most * 5))); do
    if "$@" >/dev/null 2>&1; then return 0; fi
    sleep 0.2
  done
  fail "waited $most s in vain for: $*"
}

mkdir -p "$place/state" "$place/spool" "$place/munge"
chown munge: "$place/munge"
[ -f /etc/munge/munge.key ] || not_run "munge has no key"
cat > "$place/slurm.conf" <<END
ClusterName=lab
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
AuthType=auth/munge
AuthInfo=socket=$place/munge/socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd.pid
SlurmctldLogFile=$place/slurmctld.log
SlurmdLogFile=$place/slurmd.log
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_min_interval=0,batch_sched_delay=0
KillWait=5
MinJobAge=3600
SlurmdParameters=config_overrides
NodeName=localhost NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$place/slurm.conf
runuser -u munge -- munged --force --socket="$place/munge/socket" --pid-file="$place/munge/pid" \
  --log-file="$place/munge/log" --seed-file="$place/munge/seed"
ln -s munge/pid "$place/munged.pid"
slurmctld
started=$SECONDS
slurmd -N localhost
wait_for 20 sh -c 'sinfo --noheader --format=%t | grep -q idle'

cd "$place"
cat > small.toml <<END
game = "tic-tac-toe"
side = "o"
seeds = 4
epochs = 20
episodes_per_epoch = 1000

[[opponents]]
agent = "random"

[learner.q-learning]

[evaluation]
games = 0

[checkpoints]
every = 50
END
# As many epochs as take a trial ten seconds when nothing else is running: more than are left to it before
# Slurm looks at the time, and on a busy machine less than until Slurm looks again.
least=
for attempt in 1 2 3; do
  before=$(date +%s%N)
  "$lab" train small.toml --seeds 1 --set epochs=400 --threads 1 --out "calibration-$attempt" >/dev/null 2>&1
  milliseconds=$((($(date +%s%N) - before) / 1000000))
  if [ -z "$least" ] || [ "$milliseconds" -lt "$least" ]; then least=$milliseconds; fi
done
epochs=$((400 * 10000 / least + 100))
options=(--set "epochs=$epochs")
"$lab" train small.toml "${options[@]}" --out runs/one >/dev/null 2>&1

# A minute before the end of a minute is its beginning, but Slurm looks at the time every 30 s: then a
# shard is to run that was not told to end before.
while [ $(((SECONDS - started) % 30)) -lt 21 ] || [ $(((SECONDS - started) % 30)) -gt 23 ]; do sleep 0.2; done
"$lab" submit slurm small.toml "${options[@]}" --shards 4 --time 1 --partition main --out runs/merged
shards=runs/merged-shards
array=$(squeue --noheader --format=%F --name=merged | head -n 1)
merge=$(squeue --noheader --format=%F --name=merged-merge | head -n 1)
# A requeued task waits two minutes otherwise.
begin_now() {
  [ "$(squeue --noheader --format=%r --jobs="${array}_$1")" = BeginTime ] &&
    scontrol update "JobId=${array}_$1" StartTime=now
}
scancel "${array}_3"
wait_for 20 test -f "$shards/shard-0/training.csv"
wait_for 20 test -f "$shards/shard-1/training.csv"
sleep 1
kill -KILL "$(pgrep -f "^$lab train .*/shard-1 ")"
scontrol requeue "${array}_0"
wait_for 20 begin_now 0

done_with() {
  [ -z "$(squeue --noheader --jobs="$1")" ]
}
ended() {
  for shard in 0 1 2 3; do begin_now "$shard" || true; done
  done_with "$array"
}
wait_for 120 ended
wait_for 20 done_with "$merge"
scontrol show job "$merge" | grep -q 'ExitCode=2:0' || fail "the merge of two shards of four is none"
grep -q 'of 4 trials, 2 are missing' "$shards/merge.log" || fail "the merge does not say that two are missing"
grep -q "1 trial left in .*shard-1/*; resume it with: lab train --resume" "$shards/merge.log" || fail "nor where one is left"
grep -q 'no run of shard 3/4' "$shards/merge.log" || fail "nor which shard has not begun"
[ ! -e runs/merged ] || fail "it made something"

grep -q 'interrupted; resume with' "$shards"/shard-[02].log || fail "no shard was out of time"

array=$(sbatch --parsable --array=1,3 "$shards/train.sh")
merge=$(sbatch --parsable --dependency=afterany:"$array" "$shards/merge.sh")
wait_for 120 ended
wait_for 20 done_with "$merge"
diff --recursive --exclude=manifest.json runs/one runs/merged || fail "the merged run has other bytes"
echo "Slurm: requeued, killed, missing and out of time, four shards are the bytes of one process ($((SECONDS - started)) s)"
