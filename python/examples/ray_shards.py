"""Trains a config in shards on a Ray cluster, and merges them.

    pip install ray
    python python/examples/ray_shards.py configs/qtable_o.toml --seeds 100 --shards 4 --out runs/ray

The nodes share the working directory, and have the program `lab` on their path (or --lab).
"""

import argparse
import os
import subprocess
import sys

import ray


# A worker that is lost, or a shard that was stopped, is retried: the same command continues it.
@ray.remote(num_cpus=1, max_retries=3, retry_exceptions=True)
def train(command: list[str], directory: str) -> str:
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    if done.returncode == 2:  # Bad input stays bad.
        return done.stderr
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit code {done.returncode}: {done.stderr}")
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("config")
    parser.add_argument("--shards", type=int, required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--lab", default="lab")
    # Everything else is for lab train, such as --seeds 100.
    options, rest = parser.parse_known_args()

    ray.init()
    directory = os.getcwd()
    shards = [f"{options.out}-shard-{index}" for index in range(options.shards)]
    tasks = []
    for index, shard in enumerate(shards):
        command = [options.lab, "train", options.config, *rest, "--threads", "1"]
        command += ["--shard", f"{index}/{options.shards}", "--out", shard]
        tasks.append(train.remote(command, directory))
    refused = [why for why in ray.get(tasks) if why]
    if refused:
        print(refused[0], file=sys.stderr)
        return 2
    return subprocess.run([options.lab, "merge", options.out, *shards]).returncode


if __name__ == "__main__":
    sys.exit(main())
