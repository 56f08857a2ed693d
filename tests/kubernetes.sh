#!/usr/bin/env bash
# The manifest of `lab submit kubernetes` is what the schema of Kubernetes asks for, also where that allows
# no unknown field. Usage: tests/kubernetes.sh [PROGRAM]
set -euo pipefail
lab=$(realpath "${1:-target/debug/lab}")
cd "$(dirname "$0")/.."
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
if ! { python3 -m venv "$tools" && "$tools/bin/pip" install kubernetes-validate==1.37.0; } >/dev/null 2>&1; then
  echo "NOT RUN: the test of the Kubernetes manifest, as its schema cannot be installed" >&2
  exit 0
fi
manifest=$tools/job.yaml
"$lab" submit kubernetes configs/mcts_exploration.toml --shards 8 --image registry.example.com/lab:1 --claim data \
  --cpus 2 >"$manifest"
"$tools/bin/kubernetes-validate" --strict --version 1.33 "$manifest"
# The schema knows no such rule as that of names, so the parts are looked at as well.
"$tools/bin/python" - "$manifest" <<'END'
import sys, yaml
config, train, merge = yaml.safe_load_all(open(sys.argv[1]))
assert list(config["data"]) == ["mcts-exploration.toml"], config
assert 'key = "learner.mcts.c"' in config["data"]["mcts-exploration.toml"]
spec = train["spec"]
assert (spec["completions"], spec["parallelism"], spec["completionMode"]) == (8, 8, "Indexed")
assert spec["template"]["spec"]["restartPolicy"] == "Never"
container = spec["template"]["spec"]["containers"][0]
assert container["command"][:5] == ["lab", "train", "/experiment/mcts-exploration.toml", "--shard", "auto/8"]
assert merge["spec"]["suspend"] is True
END
echo "Kubernetes: the manifest is valid"
