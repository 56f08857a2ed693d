//! The part of an experiment's trials that one process trains.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Config, MAX_SEEDS, Seeds, Variant};
use crate::error::Error;
use crate::text::{count, thousands};

/// A part of an experiment's trials: those whose number modulo the count is the index. Trials are
/// numbered from 0, seed by seed and variant by variant, in the order of the config. Written as
/// `index/count`, such as `0/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Shard {
    /// The shard with this index, from 0, out of this many. Errors: a sentence that says why it
    /// does not exist.
    pub fn new(index: u64, count: u64) -> Result<Shard, String> {
        if !(1..=MAX_SEEDS).contains(&count) {
            return Err(format!(
                "{count} shards are out of range, expected 1 to {}",
                thousands(MAX_SEEDS)
            ));
        }
        match index < count {
            true => Ok(Shard { index, count }),
            false => Err(format!(
                "there is no shard {index} of {count}; they are numbered 0 to {}",
                count - 1
            )),
        }
    }

    /// Its index, from 0.
    pub fn index(self) -> u64 {
        self.index
    }

    /// The number of shards.
    pub fn count(self) -> u64 {
        self.count
    }

    /// This shard with the first `before` trials left out and the others numbered from 0.
    fn behind(self, before: u64) -> Shard {
        Shard {
            index: (self.index + self.count - before % self.count) % self.count,
            ..self
        }
    }

    /// The config with only those seeds whose trials belong to the shard; there may be none.
    pub fn part_of(self, config: &Config) -> Config {
        let numbered = (0..).zip(config.seeds.list());
        let own = numbered.filter(|(number, _)| number % self.count == self.index);
        Config {
            seeds: Seeds::List(own.map(|(_, seed)| seed).collect()),
            ..config.clone()
        }
    }

    /// For each variant, the shard of its own trials that belongs to this one; `None` if it has none of them.
    pub fn of_variants(self, variants: &[Variant]) -> Vec<Option<Shard>> {
        let mut before = 0;
        let of_variant = |variant: &Variant| {
            let shard = self.behind(before);
            before += variant.config.seeds.count();
            (shard.index < variant.config.seeds.count()).then_some(shard)
        };
        variants.iter().map(of_variant).collect()
    }

    /// Checks that every shard of the config has a trial. Errors: [`Error::Input`] if there are more
    /// shards than trials, or the sweep cannot be used.
    pub fn check(self, config: &Config) -> Result<(), Error> {
        let trials = Self::trials(config)?;
        match self.count <= trials {
            true => Ok(()),
            false => Err(Error::input(format!(
                "{} are more than there are trials: the config has {}, so ask for at most {}",
                count(self.count, "shard"),
                thousands(trials),
                count(trials, "shard")
            ))),
        }
    }

    /// The number of trials of a config. Errors: [`Error::Input`] if its sweep cannot be used.
    pub fn trials(config: &Config) -> Result<u64, Error> {
        let seeds = |variant: &Variant| variant.config.seeds.count();
        Ok(match config.sweep {
            None => config.seeds.count(),
            Some(_) => config.variants()?.iter().map(seeds).sum(),
        })
    }
}

/// Writes a shard as, for example, `0/8`.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text
            .split_once('/')
            .and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        let (index, count) = parts.ok_or_else(|| {
            format!("'{text}' is not a shard, expected its index and the count, such as 0/8")
        })?;
        Shard::new(index, count)
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}
