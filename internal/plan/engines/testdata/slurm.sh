#!/bin/bash
# The steps of "regions/us.yaml" as jobs of Slurm. Run this file where the paths in it are right: bash FILE
#
# It submits a job for each step, with the options of sbatch in SMALL and LARGE for steps of that class, such as
# LARGE='--partition=large --cpus-per-task=8'. Nothing runs before all are submitted. Jobs have the variables of this shell, with
# those of a store, AWS_..., and log into the folder LOGS. A step that fails is tried again after PAUSE seconds, 10, then twice as
# many and so on; --time is for all its attempts. A step that ends well is done: when this file is run again, its job ends at once.
set -Eeuo pipefail

if [ "${1-}" = run ]; then # as a job: run ID CODE...; after these exit codes it does not try again
  id=$2
  shift 2
  for try in $(seq 0 4); do
    sleep "$((try * ${PAUSE:-10}))"
    code=0
    quartier step run --attempt "$((SLURM_JOB_ID * 1000 + ${SLURM_RESTART_COUNT:-0} * 10 + try))" --release regions/us.yaml --work s3://places/work --data '/data/it'\''s here' "$id" || code=$?
    for last in 0 "$@"; do ((code != last)) || exit "$code"; done
    echo "attempt $try ended with $code" >&2
  done
  exit "$code"
fi

logs=${LOGS:-quartier-us-logs}
mkdir -p "$logs"
job=()
trap 'echo "not submitted; the jobs before are cancelled" >&2; scancel "${job[@]}"' ERR

submit() { # NUMBER ID NAME CLASS MIB MINUTES CODES NEED...
  local number=$1 id=$2 name=$3 class=$4 memory=$5 minutes=$6 codes=$7 when=--hold options need
  shift 7
  for need in "$@"; do
    if [ "$when" = --hold ]; then when=--dependency=afterok; fi
    when+=:${job[need]}
  done
  case $class in large) options=${LARGE-} ;; *) options=${SMALL-} ;; esac
  # shellcheck disable=SC2086 # options and codes are words
  job[number]=$(sbatch --parsable --job-name="$name" --output="$logs/$name.log" --open-mode=append --requeue \
    --mem="${memory}M" --time="$minutes" --kill-on-invalid-dep=yes "$when" $options "$0" run "$id" $codes)
  job[number]=${job[number]%%;*} # without the cluster
  echo "${job[number]} $name"
}

submit 0 ingest.us-delaware ingest.us-delaware small 1024 16 '2 3 4 6 8'
submit 1 ingest.us-texas ingest.us-texas large 9216 126 '2 3 4 6 8'
submit 2 lend.us-delaware lend.us-delaware small 256 10 '2 3 4 6 8' 0 1
submit 3 transform.us-texas transform.us-texas large 12288 160 '2 3 4 6 8' 1
submit 4 transform.us-delaware transform.us-delaware small 2048 24 '2 3 4 6 8' 0 2
submit 5 release release small 2049 80 '2 3 4 6 8' 4 3
scontrol release "${job[0]}"
scontrol release "${job[1]}"
