//! Changes of a config on the command line.

use std::path::Path;

use clap::Args;
use playlab::config::{Config, MAX_SEED, MAX_SEEDS, Seeds, read_config_with};
use playlab::text;
use playlab::{Error, Invalid};

use super::whole::whole;

/// Keys and seeds that take the place of the config's own.
#[derive(Args)]
pub struct Changes {
    /// Set a key of the config to another value, such as epochs=40; may be given several times
    #[arg(long, value_name = "KEY=VALUE", value_parser = change)]
    pub set: Vec<String>,

    /// The first seed; the others follow it
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=MAX_SEED))]
    seed: Option<u64>,

    /// How many seeds to train
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MAX_SEEDS))]
    seeds: Option<u64>,
}

/// Checks a change of a key, unless the command has its own option for that.
fn change(text: &str) -> Result<String, String> {
    match text.split('=').next().map(str::trim) {
        Some(option @ ("out" | "resume" | "shard" | "threads")) => Err(format!(
            "{option} is no key of a config; lab train has the option --{option}"
        )),
        _ => Ok(text.to_owned()),
    }
}

impl Changes {
    /// Reads the config file with these changes. Errors: [`Error::Input`] if it cannot be read, or
    /// is not a valid config with them.
    pub fn of(&self, path: &Path) -> Result<Config, Error> {
        let key = |set: &String| set.split_once('=').map(|(key, _)| key.trim() == "seeds");
        let is_seeds = |set: &String| key(set) == Some(true);
        let (first, count) = (self.seed.is_some(), self.seeds.is_some());
        if (first || count) && self.set.iter().any(is_seeds) {
            let option = if first { "--seed" } else { "--seeds" };
            return Err(Error::input(format!(
                "{option}: --set seeds also says which seeds to train; give only one of them"
            )));
        }
        let mut config = read_config_with(path, &self.set)?;
        let (first, count) = match (self.seed, self.seeds, config.seeds.as_range()) {
            (None, None, _) => return Ok(config),
            (Some(first), Some(count), _) => (first, count),
            (first, count, Some(own)) => (first.unwrap_or(own.0), count.unwrap_or(own.1)),
            (_, count, None) => {
                let (given, other) = match count {
                    Some(_) => ("--seeds", "the first one as well (--seed)"),
                    None => ("--seed", "their number as well (--seeds)"),
                };
                return Err(Error::input(format!(
                    "{given}: the config lists its {}; give {other}, or another list (--set seeds=[1,2])",
                    text::count(config.seeds.count(), "seed")
                )));
            }
        };
        let option = self.seeds.map_or("--seed", |_| "--seeds");
        let with_option = |message: String| Error::input(format!("{option}: {message}"));
        config.check_unswept("seeds").map_err(with_option)?;
        config.seeds = Seeds::range(first, count);
        let of_keys = |Invalid { path, message, .. }| format!("{path}: {message}");
        let checked = config.check().map_err(of_keys);
        let checked = checked.and_then(|()| config.variants().map_err(|error| error.to_string()));
        match checked {
            Ok(_) => Ok(config),
            Err(why) => Err(Error::input(format!(
                "--seed {first}, {}: {why}",
                text::count(count, "seed")
            ))),
        }
    }
}
