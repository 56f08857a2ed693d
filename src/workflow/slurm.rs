//! Shards as a Slurm job array.

use std::io::ErrorKind;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::config::{Config, Shard};
use crate::disk::{MOST_TEXT, create_directories, read_own, write_own};
use crate::error::Error;
use crate::store::{Place, check_outside, shards_beside};
use crate::text::shell_word;

/// A training to be done in shards by Slurm.
pub struct SlurmJob<'a> {
    /// What is trained.
    pub config: &'a Config,
    /// The number of shards.
    pub shards: u64,
    /// The run or the sweep into which they are merged.
    pub out: &'a Path,
    /// The time limit of a shard, as `sbatch --time` takes it.
    pub time: Option<&'a str>,
    /// The partition.
    pub partition: Option<&'a str>,
    /// The number of processors per shard.
    pub cpus: NonZeroUsize,
}

/// The scripts for `sbatch`.
pub struct SlurmScripts {
    /// Trains the shards, one in each task of an array.
    pub train: PathBuf,
    /// Merges them.
    pub merge: PathBuf,
}

/// The file with the config by which the shards are trained.
const EXPERIMENT: &str = "experiment.toml";

impl SlurmJob<'_> {
    /// Writes the scripts and the resolved config into a directory beside `out` whose name ends in `-shards`; the
    /// shards and their logs go there, too. An existing one for the same config is reused. Errors: [`Error::Input`] if
    /// there are more shards than trials, the directory has another config or would be within other results, Slurm does
    /// not accept one of the words, or an agent's file cannot be read; [`Error::System`] if a file cannot be written.
    pub fn write(&self) -> Result<SlurmScripts, Error> {
        let first = Shard::new(0, self.shards).map_err(Error::Input)?;
        first.check(self.config)?;
        let out = absolute(self.out)?;
        if out.exists() {
            return Err(Error::input(format!(
                "{} exists already; choose another --out",
                out.display()
            )));
        }
        check_outside(Place::At(&out))?;
        let name = out.file_name().unwrap_or_default().to_string_lossy();
        let root = shards_beside(&out);
        let config = self.config.clone().pinned()?;
        let (experiment, text) = (root.join(EXPERIMENT), config.to_toml());
        if read_own(&experiment, MOST_TEXT).is_ok_and(|there| there != text.as_bytes()) {
            return Err(Error::input(format!(
                "{} has another config; choose another --out",
                root.display()
            )));
        }
        let limits = [
            ("--time", self.time, "0123456789-:", "4:00:00"),
            ("--partition", self.partition, "_-.,", "short"),
        ];
        for (option, value, others, example) in limits {
            let fits = |c: char| others.contains(c) || (option != "--time" && c.is_alphanumeric());
            if let Some(value) = value
                && (value.is_empty() || !value.chars().all(fits))
            {
                return Err(Error::input(format!(
                    "{option}: Slurm does not accept '{value}'; use a value such as {example}"
                )));
            }
        }
        let here = absolute(Path::new("."))?;
        let lab = std::env::current_exe().map_err(Error::system("find", Path::new("lab")))?;
        for path in [&root, &here] {
            // Slurm would replace parts of such paths.
            let shown = path.display().to_string();
            if shell_word(path) != shown || shown.contains('%') {
                return Err(Error::input(format!(
                    "Slurm does not take the path {shown}; use one of letters, digits, - and _"
                )));
            }
        }
        create_directories(&root)?;
        write_own(&experiment, text.as_bytes())?;
        let scripts = SlurmScripts {
            train: root.join("train.sh"),
            merge: root.join("merge.sh"),
        };
        let (shards, cpus) = (self.shards, self.cpus);
        let [root, here] = [&root, &here].map(|path| path.display());
        let [lab, out] = [&lab, &out].map(|path| shell_word(path));
        let mut options = format!("#SBATCH --chdir={here}\n#SBATCH --ntasks=1\n");
        options += &format!("#SBATCH --cpus-per-task={cpus}\n");
        for (option, value, ..) in limits {
            if let Some(value) = value {
                options += &format!("#SBATCH {option}={value}\n");
            }
        }
        let last = shards - 1;
        let train = format!(
            r#"#!/bin/bash
# Trains one of {shards} shards in each task. Submitted again, it continues with what is left; of
# some shards alone: sbatch --array=3,5 {root}/train.sh
#SBATCH --job-name={name}
#SBATCH --array=0-{last}
{options}#SBATCH --output={root}/shard-%a.log
#SBATCH --open-mode=append
#SBATCH --requeue
# A minute before its time is up, lab gets a signal to end its epoch and keep what is done.
#SBATCH --signal=TERM@60

lab={lab}
shards={root}
srun --ntasks=1 --cpus-per-task={cpus} "$lab" train "$shards/{EXPERIMENT}" --shard auto/{shards} \
  --out "$shards/shard-$SLURM_ARRAY_TASK_ID" --threads {cpus}
code=$?
# It was interrupted: it goes on in another job.
if [ "$code" = 130 ]; then
  scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}"
fi
exit "$code"
"#
        );
        let merge = format!(
            r#"#!/bin/bash
# Merges the shards, or says what is missing. Once that is trained, submit it again:
# sbatch {root}/merge.sh
#SBATCH --job-name={name}-merge
{options}#SBATCH --output={root}/merge.log
#SBATCH --open-mode=append

lab={lab}
shards={root}
"$lab" merge {out} "$shards"/shard-*/ --threads {cpus}
"#
        );
        let files = [(&scripts.train, train), (&scripts.merge, merge)];
        for (path, text) in &files {
            if read_own(path, MOST_TEXT).is_ok_and(|there| there != text.as_bytes()) {
                return Err(Error::input(format!(
                    "{path} was changed, or made with other options; submit it as it is with: sbatch {path}, or \
                     remove it to have it rewritten",
                    path = path.display()
                )));
            }
        }
        for (path, text) in &files {
            write_own(path, text.as_bytes())?;
        }
        Ok(scripts)
    }
}

impl SlurmScripts {
    /// Submits both scripts; the second one begins when all tasks of the first have ended, whether they
    /// succeeded or not, and checks itself which parts exist. Returns their job numbers. Errors:
    /// [`Error::Input`] if there is no Slurm here, [`Error::Failed`] with its message if it refuses one.
    pub fn submit(&self) -> Result<[String; 2], Error> {
        let train = sbatch(&[], &self.train).map_err(|error| match error {
            Error::Failed(why) => Error::Failed(format!("{why}\n{}", self.by_hand())),
            other => other,
        })?;
        let dependency = format!("--dependency=afterany:{train}");
        let merge = sbatch(&[&dependency], &self.merge).map_err(|error| {
            Error::Failed(format!("the shards are submitted as {train}, but: {error}"))
        })?;
        Ok([train, merge])
    }

    /// The commands with which a user can submit both scripts.
    pub fn by_hand(&self) -> String {
        let [train, merge] = [&self.train, &self.merge].map(|path| shell_word(path));
        format!(
            "The scripts are written; submit them with:\n  train=$(sbatch --parsable {train})\n  \
             sbatch --dependency=afterany:$train {merge}"
        )
    }
}

fn sbatch(options: &[&str], script: &Path) -> Result<String, Error> {
    let mut command = Command::new("sbatch");
    let output = command.arg("--parsable").args(options).arg(script).output();
    let output = output.map_err(|error| match error.kind() {
        ErrorKind::NotFound => Error::input(format!(
            "there is no sbatch on this machine; submit {} where there is one",
            script.display()
        )),
        _ => Error::system("run", Path::new("sbatch"))(error),
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Error::Failed(format!(
            "sbatch {}: {}",
            script.display(),
            said.trim()
        )));
    }
    // A semicolon is followed by the cluster, if there are several.
    let said = String::from_utf8_lossy(&output.stdout);
    Ok(said.trim().split(';').next().unwrap_or_default().to_owned())
}

/// The path from the root of the file system; `..` stays, because it may follow a link.
fn absolute(path: &Path) -> Result<PathBuf, Error> {
    let absolute = std::path::absolute(path).map_err(Error::system("find", path))?;
    Ok(absolute.components().collect())
}
