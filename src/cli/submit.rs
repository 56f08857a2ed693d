use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use playlab::Error;
use playlab::config::MAX_SEEDS;
use playlab::text::count;
use playlab::workflow::{KubernetesJob, Place, SlurmJob};

use super::changes::Changes;
use super::output::print;
use super::target::ConfigFile;
use super::whole::whole;

/// Train a config in shards on a cluster, and merge them
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab submit slurm configs/qtable_o.toml --seeds 1000 --shards 8 --time 1:00:00
  lab submit kubernetes configs/qtable_o.toml --seeds 1000 --shards 8 \\
      --image registry.example.com/lab --claim data | kubectl apply -f -")]
pub struct Submit {
    #[command(subcommand)]
    system: System,
}

#[derive(Subcommand)]
enum System {
    Slurm(Slurm),
    Kubernetes(Kubernetes),
}

/// What is trained, in how many shards.
#[derive(Args)]
struct Sharded {
    #[command(flatten)]
    experiment: ConfigFile,

    #[command(flatten)]
    changes: Changes,

    /// In how many shards; at most as many as there are trials
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MAX_SEEDS))]
    shards: u64,

    /// Processors for each shard, which trains that many of its trials at the same time
    #[arg(long, value_name = "N", default_value = "1")]
    cpus: NonZeroUsize,
}

/// Write an array script for Slurm and one that merges, and submit them
///
/// The scripts, the resolved config, the shards and their logs go to a directory OUT-shards. A shard that
/// runs out of time or is preempted is requeued and continues. The merge starts when all shards have ended, and says
/// what is missing, if one has failed. The same command with the same --out
/// continues with what is left.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab submit slurm configs/qtable_o.toml --seeds 1000 --shards 8 --time 1:00:00
  lab submit slurm configs/qtable_o.toml --shards 2 --out runs/o --dry-run")]
struct Slurm {
    #[command(flatten)]
    sharded: Sharded,

    /// The run directory to make in the end [default: runs/NAME-N with the config's name and the first
    /// free N]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// The time limit of a shard, as sbatch takes it. A minute before its end the shard ends its
    /// epoch, and is requeued
    #[arg(long, value_name = "TIME")]
    time: Option<String>,

    /// The partition
    #[arg(long, value_name = "NAME")]
    partition: Option<String>,

    /// Write the scripts, but do not submit them
    #[arg(long)]
    dry_run: bool,
}

/// Print the manifest of an Indexed Job for Kubernetes, and of one that merges
///
/// The shards and the run go to the directory runs on a volume that all nodes can write to. The image has lab
/// on its path. The Job that merges is suspended; the commands at the top of the manifest start it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab submit kubernetes configs/qtable_o.toml --seeds 1000 --shards 8 \\
      --image registry.example.com/lab --claim data > job.yaml
  kubectl apply -f job.yaml")]
struct Kubernetes {
    #[command(flatten)]
    sharded: Sharded,

    /// What the Jobs and the run are called [default: the config's name]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// The container image
    #[arg(long, value_name = "IMAGE")]
    image: String,

    /// The PersistentVolumeClaim of the volume
    #[arg(long, value_name = "NAME")]
    claim: String,
}

impl Submit {
    pub fn run(self) -> Result<(), Error> {
        match self.system {
            System::Slurm(slurm) => slurm.run(),
            System::Kubernetes(kubernetes) => kubernetes.run(),
        }
    }
}

impl Slurm {
    fn run(self) -> Result<(), Error> {
        let experiment = self.sharded.experiment;
        let config = self.sharded.changes.of(experiment.path()?)?;
        let place = || Place::first_free(&experiment.stem());
        let out = self.out.unwrap_or_else(place);
        let shards = self.sharded.shards;
        let job = SlurmJob {
            config: &config,
            shards,
            out: &out,
            time: self.time.as_deref(),
            partition: self.partition.as_deref(),
            cpus: self.sharded.cpus,
        };
        let scripts = job.write()?;
        if self.dry_run {
            return print(&(scripts.by_hand() + "\n"));
        }
        let [train, merge] = scripts.submit()?;
        let logs = scripts.train.with_file_name("");
        print(&format!(
            "submitted {} as {train}, and the merge into {} as {merge}\nThe logs are in {}; squeue --jobs={train},{merge} \
             shows how far they are\n",
            count(shards, "shard"),
            out.display(),
            logs.display()
        ))
    }
}

impl Kubernetes {
    fn run(self) -> Result<(), Error> {
        let experiment = self.sharded.experiment;
        let config = self.sharded.changes.of(experiment.path()?)?;
        let name = || experiment.stem().to_lowercase().replace('_', "-");
        let name = self.name.unwrap_or_else(name);
        let job = KubernetesJob {
            config: &config,
            shards: self.sharded.shards,
            name: &name,
            image: &self.image,
            claim: &self.claim,
            cpus: self.sharded.cpus,
        };
        print(&job.manifest()?)
    }
}
