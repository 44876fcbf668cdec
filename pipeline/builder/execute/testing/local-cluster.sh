#!/bin/bash
# A real Slurm cluster of several nodes on one machine, to try and to test distributed builds: Debian packages, root, no
# systemd, no cgroups.
#   local-cluster.sh up DIR NODES       starts it; export SLURM_CONF=DIR/slurm.conf to use it
#   local-cluster.sh kill-node DIR n2   ends a node and all it runs, as if its plug were pulled
#   local-cluster.sh down DIR           ends it
set -euo pipefail
COMMAND=$1 DIR=$(realpath -m "$2") ARG=${3:-3}
export SLURM_CONF=$DIR/slurm.conf
HOST=$(hostname -s)

install_packages() {
  command -v slurmctld > /dev/null && command -v slurmd > /dev/null && command -v munged > /dev/null && return
  export DEBIAN_FRONTEND=noninteractive
  local packages="slurmctld slurmd slurm-client munge"
  # one at a time: apt-get refuses where another one runs; e2e/support/debian-package.ts takes the same lock
  local apt=(flock -o "${TMPDIR:-/tmp}/cairn-apt.lock" apt-get)
  # the list of packages may be missing or old
  "${apt[@]}" install -y --no-install-recommends $packages > /dev/null 2>&1 ||
    { "${apt[@]}" update > /dev/null && "${apt[@]}" install -y --no-install-recommends $packages > /dev/null; }
}

# Ports that nobody listens on: one for the controller, one for each node.
free_ports() {
  local port=$((20000 + RANDOM % 10000)) found=0
  while [ $found -lt $(($1 + 1)) ]; do
    port=$((port + 1))
    (: < /dev/tcp/127.0.0.1/$port) 2> /dev/null || { echo $port; found=$((found + 1)); }
  done
}

write_config() {
  local nodes=$1 ports cpus memory
  mapfile -t ports < <(free_ports "$nodes")
  cpus=$(nproc)
  memory=$(($(awk '/^MemTotal/ {print $2}' /proc/meminfo) / 1024 / nodes))
  cat > "$SLURM_CONF" << CONFIG
ClusterName=local
SlurmctldHost=$HOST(127.0.0.1)
SlurmctldPort=${ports[0]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
# a shorter life of credentials: else a task of a lost node waits two minutes
AuthInfo=socket=$DIR/run/munge.socket,cred_expire=10
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SwitchType=switch/none
SchedulerParameters=sched_min_interval=200000,batch_sched_delay=0
JobCompType=jobcomp/none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
StateSaveLocation=$DIR/state
SlurmdSpoolDir=$DIR/spool/%n
SlurmctldPidFile=$DIR/run/slurmctld.pid
SlurmdPidFile=$DIR/run/slurmd.%n.pid
SlurmctldLogFile=$DIR/log/slurmctld.log
SlurmdLogFile=$DIR/log/slurmd.%n.log
ReturnToService=2
SlurmctldTimeout=10
SlurmdTimeout=10
KillWait=2
SlurmdParameters=config_overrides
CONFIG
  for i in $(seq 1 "$nodes"); do
    echo "NodeName=n$i NodeHostname=$HOST NodeAddr=127.0.0.1 Port=${ports[$i]} CPUs=$cpus CoresPerSocket=$cpus RealMemory=$memory State=UNKNOWN"
  done >> "$SLURM_CONF"
  echo "PartitionName=build Nodes=$(seq -s, -f n%g 1 "$nodes") Default=YES MaxTime=INFINITE State=UP" >> "$SLURM_CONF"
}

up() {
  install_packages
  mkdir -p "$DIR"/{run,log,state,spool}
  chmod 755 "$DIR" "$DIR/run" "$DIR/log"
  [ -f "$DIR/munge.key" ] || { head -c 1024 /dev/urandom > "$DIR/munge.key"; chmod 400 "$DIR/munge.key"; }
  write_config "$ARG"
  munged --key-file="$DIR/munge.key" --socket="$DIR/run/munge.socket" --pid-file="$DIR/run/munged.pid" \
    --log-file="$DIR/log/munged.log" --seed-file="$DIR/run/munged.seed"
  slurmctld -f "$SLURM_CONF"
  for i in $(seq 1 "$ARG"); do slurmd -f "$SLURM_CONF" -N "n$i"; done
  for _ in $(seq 1 120); do
    [ "$(sinfo -h -N -t idle -o %N 2> /dev/null | sort -u | wc -l)" = "$ARG" ] && return
    sleep 0.5
  done
  sinfo -N >&2
  return 1
}

# Processes of a node's tasks, and those that watch over them: their environment names the node and this cluster.
processes_of() {
  local environment
  for environment in /proc/[0-9]*/environ; do
    { grep -qz "^SLURMD_NODENAME=$1$" "$environment" && grep -qz "^SLURM_CONF=$SLURM_CONF$" "$environment"; } 2> /dev/null || continue
    local process=${environment%/environ}
    local parent
    parent=$(awk '/^PPid/ {print $2}' "$process/status" 2> /dev/null) || continue
    [ "$(cat "/proc/$parent/comm" 2> /dev/null)" = slurmstepd ] && echo "$parent"
    echo "${process#/proc/}"
  done
}

# Some may have ended since they were listed.
kill_all_of() { processes_of "$1" | sort -u | xargs -r kill -9 2> /dev/null || true; }

kill_node() {
  kill -9 "$(cat "$DIR/run/slurmd.$ARG.pid")"
  kill_all_of "$ARG"
}

down() {
  local node pid pids
  pids=$(cat "$DIR"/run/*.pid 2> /dev/null || true)
  for node in $(sinfo -h -N -o %N 2> /dev/null | sort -u); do kill_all_of "$node"; done
  scontrol shutdown > /dev/null 2>&1 || true
  sleep 1
  for pid in $pids; do kill "$pid" 2> /dev/null || true; done
  # each writes down what it knows before it ends: the folder is the caller's only then
  for pid in $pids; do
    for _ in $(seq 1 100); do
      # one that has ended has no program, even where nobody takes note of its end
      readlink "/proc/$pid/exe" > /dev/null 2>&1 || continue 2
      sleep 0.1
    done
    kill -9 "$pid" 2> /dev/null || true
  done
}

case $COMMAND in
  up) up ;;
  kill-node) kill_node ;;
  down) down ;;
  *) echo "usage: local-cluster.sh up|kill-node|down DIR [NODES|NODE]" >&2; exit 2 ;;
esac
