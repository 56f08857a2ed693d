//! The shard to work on: given as an argument, or found in the variables of a system that starts many tasks.

use std::str::FromStr;

use playlab::Error;
use playlab::config::{MAX_SEEDS, Shard};

/// A shard, or how to find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShardArgument {
    /// This shard.
    Given(Shard),
    /// The shard of this task, out of this many if given.
    Auto(Option<u64>),
}

impl FromStr for ShardArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some(rest) = text.strip_prefix("auto") else {
            return text.parse().map(ShardArgument::Given).map_err(|why| {
                match text.contains('/') {
                    true => why,
                    false => format!("{why}, or auto, or auto/8"),
                }
            });
        };
        match rest.strip_prefix('/').map(str::parse) {
            None if rest.is_empty() => Ok(ShardArgument::Auto(None)),
            Some(Ok(count)) if (1..=MAX_SEEDS).contains(&count) => {
                Ok(ShardArgument::Auto(Some(count)))
            }
            _ => Err(format!(
                "'{text}' is not a shard, expected auto, or auto and the count, such as auto/8"
            )),
        }
    }
}

/// A system whose tasks have their index in a variable.
struct System {
    name: &'static str,
    index: &'static str,
    /// Finds the shard from the index and other variables, if the count is not given.
    whole: fn(u64, &Variables<'_>) -> Result<Shard, String>,
}

/// The value of a variable that holds a whole number, if it is set.
type Variables<'a> = dyn Fn(&str) -> Result<Option<u64>, String> + 'a;

const SYSTEMS: [System; 3] = [
    System {
        name: "Slurm",
        index: "SLURM_ARRAY_TASK_ID",
        whole: of_slurm,
    },
    System {
        name: "Kubernetes",
        index: "JOB_COMPLETION_INDEX",
        whole: |_, _| Err("Kubernetes does not say how many pods there are".to_owned()),
    },
    System {
        name: "AWS Batch",
        index: "AWS_BATCH_JOB_ARRAY_INDEX",
        whole: |index, variable| match variable("AWS_BATCH_JOB_ARRAY_SIZE")? {
            Some(count) => Shard::new(index, count),
            None => Err("AWS_BATCH_JOB_ARRAY_SIZE is not set".to_owned()),
        },
    },
];

/// An array's tasks need not be numbered from 0, but here they must be consecutive: if an array
/// repeats some tasks of another one, its variables do not say which shards they are.
fn of_slurm(index: u64, variable: &Variables<'_>) -> Result<Shard, String> {
    let [count, least, most] =
        ["COUNT", "MIN", "MAX"].map(|name| variable(&format!("SLURM_ARRAY_TASK_{name}")));
    let (Some(count), Some(least), Some(most)) = (count?, least?, most?) else {
        return Err("SLURM_ARRAY_TASK_COUNT, _MIN or _MAX is not set".to_owned());
    };
    if most.checked_sub(least) != count.checked_sub(1) || index < least {
        return Err("the numbers of the array's tasks do not follow one another".to_owned());
    }
    Shard::new(index - least, count)
}

impl ShardArgument {
    /// The shard, from the variables of the process if it is `auto`. Errors: [`Error::Input`] if
    /// they do not determine it.
    pub fn resolve(self) -> Result<Shard, Error> {
        self.resolve_by(&|name| std::env::var(name).ok())
    }

    fn resolve_by(self, variable: &dyn Fn(&str) -> Option<String>) -> Result<Shard, Error> {
        let count = match self {
            ShardArgument::Given(shard) => return Ok(shard),
            ShardArgument::Auto(count) => count,
        };
        let number = |name: &str| -> Result<Option<u64>, String> {
            let read = |text: String| {
                let number = text.trim().parse();
                number.map_err(|_| format!("{name} is '{text}', expected a whole number"))
            };
            variable(name).map(read).transpose()
        };
        let refused = |why: String| Error::input(format!("--shard auto: {why}"));
        let is_set = |system: &&System| variable(system.index).is_some();
        let all: Vec<&System> = SYSTEMS.iter().filter(is_set).collect();
        let system = match all[..] {
            [system] => system,
            [] => {
                let names = SYSTEMS.map(|system| format!("{} ({})", system.index, system.name));
                return Err(refused(format!(
                    "no task of an array runs here: none of {} is set; name the shard, such as \
                     --shard 0/8",
                    names.join(", ")
                )));
            }
            [one, other, ..] => {
                return Err(refused(format!(
                    "both {} and {} are set; name the shard, such as --shard 0/8",
                    one.index, other.index
                )));
            }
        };
        let index = number(system.index).map_err(refused)?.unwrap_or(0);
        match count {
            Some(count) => Shard::new(index, count)
                .map_err(|why| refused(format!("{} is {index}, and {why}", system.index))),
            None => (system.whole)(index, &number).map_err(|why| {
                refused(format!(
                    "{why}; say of how many shards, such as --shard auto/8"
                ))
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(argument: &str, variables: &[(&str, &str)]) -> Result<String, String> {
        let value = |name: &str| {
            let mut all = variables.iter();
            Some(all.find(|(other, _)| *other == name)?.1.to_owned())
        };
        let argument: ShardArgument = argument.parse()?;
        let shard = argument.resolve_by(&value);
        shard
            .map(|shard| shard.to_string())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_task_of_an_array_knows_its_shard() {
        let slurm = |id, [count, least, most]: [&'static str; 3]| {
            vec![
                ("SLURM_ARRAY_TASK_ID", id),
                ("SLURM_ARRAY_TASK_COUNT", count),
                ("SLURM_ARRAY_TASK_MIN", least),
                ("SLURM_ARRAY_TASK_MAX", most),
            ]
        };
        let kubernetes = [("JOB_COMPLETION_INDEX", "3")];
        let batch = [
            ("AWS_BATCH_JOB_ARRAY_INDEX", "2"),
            ("AWS_BATCH_JOB_ARRAY_SIZE", "10"),
        ];
        for (argument, variables, shard) in [
            ("2/5", &kubernetes[..], "2/5"),
            ("auto", &slurm("0", ["8", "0", "7"]), "0/8"),
            ("auto", &slurm("8", ["8", "1", "8"]), "7/8"),
            ("auto/8", &slurm("3", ["2", "3", "7"]), "3/8"),
            ("auto/4", &kubernetes, "3/4"),
            ("auto", &batch, "2/10"),
            ("auto/3", &batch, "2/3"),
        ] {
            assert_eq!(
                found(argument, variables).as_deref(),
                Ok(shard),
                "{argument}, {variables:?}"
            );
        }
        for (argument, variables, words) in [
            ("auto", &[][..], "none of SLURM_ARRAY_TASK_ID (Slurm)"),
            ("auto", &kubernetes, "does not say how many"),
            ("auto/3", &kubernetes, "there is no shard 3 of 3"),
            (
                "auto",
                &slurm("3", ["2", "3", "7"]),
                "do not follow one another",
            ),
            ("auto", &[("SLURM_ARRAY_TASK_ID", "1")], "_COUNT"),
            (
                "auto/4",
                &[("SLURM_ARRAY_TASK_ID", "one")],
                "is 'one', expected a whole number",
            ),
            (
                "auto/4",
                &[kubernetes[0], batch[0]],
                "both JOB_COMPLETION_INDEX and AWS_BATCH",
            ),
            ("auto/0", &kubernetes, "'auto/0' is not a shard"),
            ("automatic", &[], "'automatic' is not a shard"),
            ("3", &[], "or auto, or auto/8"),
            ("3/0", &[], "0 shards are out of range"),
        ] {
            let why = found(argument, variables).unwrap_err();
            assert!(why.contains(words), "{argument}, {variables:?}: {why}");
        }
    }
}
