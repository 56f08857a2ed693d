//! Shards as an Indexed Job of Kubernetes.

use std::num::NonZeroUsize;

use crate::config::{Config, Shard};
use crate::error::Error;
use crate::store::{RUNS, shard_place};
use crate::text::thousands;

/// A training to be done in shards by Kubernetes; the pods share a volume.
pub struct KubernetesJob<'a> {
    /// What is trained.
    pub config: &'a Config,
    /// The number of shards.
    pub shards: u64,
    /// The name of the objects and of the run.
    pub name: &'a str,
    /// The image, with `lab` on its path.
    pub image: &'a str,
    /// The PersistentVolumeClaim of the volume, to which all nodes can write.
    pub claim: &'a str,
    /// The number of processors per shard.
    pub cpus: NonZeroUsize,
}

/// The maximum number of pods of an Indexed Job.
const MOST_SHARDS: u64 = 100_000;

impl KubernetesJob<'_> {
    /// The manifest as YAML: the config, a Job that trains, and a suspended one that merges. Errors:
    /// [`Error::Input`] if there are more shards than trials, Kubernetes does not accept one of the
    /// words, or an agent's file cannot be read.
    pub fn manifest(&self) -> Result<String, Error> {
        let first = Shard::new(0, self.shards).map_err(Error::Input)?;
        first.check(self.config)?;
        if self.shards > MOST_SHARDS {
            return Err(Error::input(format!(
                "--shards: an Indexed Job has at most {}",
                thousands(MOST_SHARDS)
            )));
        }
        // A pod's name ends in its index and a few letters.
        let longest = 63 - "-merge".len().max(1 + self.shards.to_string().len());
        check_name("--name", self.name, longest, false)?;
        check_name("--claim", self.claim, 253, true)?;
        if self.image.is_empty() || self.image.contains(char::is_whitespace) {
            return Err(Error::input(format!(
                "--image: '{}' is not an image",
                self.image
            )));
        }
        let (name, shards, cpus) = (self.name, self.shards, self.cpus);
        let config = self.config.clone().pinned()?.to_toml();
        let config: String = config.lines().map(|line| format!("    {line}\n")).collect();
        let config = config.replace("    \n", "\n");
        let train = [
            "lab",
            "train",
            &format!("/experiment/{name}.toml"),
            "--shard",
            &format!("auto/{shards}"),
            "--threads",
            &cpus.to_string(),
        ]
        .map(quoted);
        let all = shard_place(name, "*", shards);
        let all = all.display();
        let merge = format!("exec lab merge {RUNS}/{name} {all} --threads {cpus}");
        let merge = ["sh", "-c", &merge].map(quoted);
        let [train, merge] = [train.join(", "), merge.join(", ")];
        let train = self.pod(&train, "The epoch ends, and what is done is kept.");
        let merge = self.pod(&merge, "Merging makes everything or nothing.");
        Ok(format!(
            r#"# Trains {name} in {shards} shards, and merges them into {RUNS}/{name} on the volume:
#   kubectl apply -f THIS
#   kubectl wait --for=condition=complete --timeout=-1s job/{name}
#   kubectl patch job/{name}-merge --type=merge --patch='{{"spec":{{"suspend":false}}}}'
# A Job with a shard that failed for good never becomes complete; kubectl describe job/{name} tells of it.
apiVersion: v1
kind: ConfigMap
metadata:
  name: "{name}"
data:
  {name}.toml: |
{config}---
apiVersion: batch/v1
kind: Job
metadata:
  name: "{name}"
spec:
  completions: {shards}
  parallelism: {shards}
  completionMode: Indexed
  backoffLimitPerIndex: 5
  podFailurePolicy:
    rules:
    # Evicted: the shard goes on in another pod.
    - action: Ignore
      onPodConditions:
      - type: DisruptionTarget
        status: "True"
    # Bad input: another pod would fail in the same way.
    - action: FailIndex
      onExitCodes:
        operator: In
        values: [2]
{train}---
apiVersion: batch/v1
kind: Job
metadata:
  name: "{name}-merge"
spec:
  suspend: true
  backoffLimit: 0
{merge}"#
        ))
    }

    /// The template of a pod that runs `command`, and what happens in it when it is told to stop.
    fn pod(&self, command: &str, end: &str) -> String {
        let (name, cpus) = (self.name, self.cpus);
        let [image, claim] = [self.image, self.claim].map(quoted);
        format!(
            r#"  template:
    spec:
      restartPolicy: Never
      # {end}
      terminationGracePeriodSeconds: 60
      containers:
      - name: lab
        image: {image}
        command: [{command}]
        workingDir: /data
        resources:
          requests:
            cpu: {cpus}
        volumeMounts:
        - name: data
          mountPath: /data
        - name: experiment
          mountPath: /experiment
      volumes:
      - name: data
        persistentVolumeClaim:
          claimName: {claim}
      - name: experiment
        configMap:
          name: "{name}"
"#
        )
    }
}

/// Quotes a text in a way that both YAML and JSON understand.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a text is JSON")
}

/// Checks the name of an object: labels by RFC 1123, with dots between them. Errors: [`Error::Input`] with the permitted
/// characters and length.
fn check_name(option: &str, name: &str, longest: usize, has_dots: bool) -> Result<(), Error> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let is_label = |label: &str| {
        label.starts_with(fits)
            && label.ends_with(fits)
            && label.chars().all(|c| fits(c) || c == '-')
    };
    let is_name = match has_dots {
        true => name.split('.').all(is_label),
        false => is_label(name),
    };
    if is_name && name.len() <= longest {
        return Ok(());
    }
    let allowed = match has_dots {
        true => "digits, - and .",
        false => "digits and -",
    };
    Err(Error::input(format!(
        "{option}: Kubernetes does not take '{name}'; use lower-case letters, {allowed}, at most {longest}, with a \
         letter or a digit at each end"
    )))
}
