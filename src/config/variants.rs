//! The variants of a config, according to its sweep.

use rustc_hash::FxHashMap;
use toml::Value;

use super::choices::{SweptValue, choices};
use super::error_text::error_at;
use super::key::are_related;
use super::names::directory_names;
use super::read::Wrong;
use super::{Config, KeyPath, MAX_SEEDS, Sweep, SweptKey};
use crate::error::{Error, Invalid};
use crate::text;

/// One combination of the values of a sweep's keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The labels of the keys and the values, such as `c-0.5`; the name of a directory.
    pub name: String,
    /// The values, in the order of the keys.
    pub values: Vec<SweptValue>,
    /// The config with the values set, and without the sweep.
    pub config: Config,
}

/// A sweep and its variants.
#[derive(Clone, Debug, PartialEq)]
pub struct Swept {
    /// The sweep.
    pub sweep: Sweep,
    /// The variants, one for each combination of values.
    pub variants: Vec<Variant>,
}

impl Swept {
    /// A variant's keys and their values, such as `c = 0.5, n = 3`.
    pub fn title(&self, variant: &Variant) -> String {
        let labels = self.sweep.labels();
        let pairs = labels.iter().zip(&variant.values);
        let parts = pairs.map(|(label, value)| format!("{label} = {}", value.name));
        parts.collect::<Vec<_>>().join(", ")
    }

    /// What the sweep goes over: the path of its key, some labels, or the number of keys.
    pub fn by(&self) -> String {
        match &self.sweep.keys()[..] {
            [key] => key.to_string(),
            [_, _] | [_, _, _] => text::joined(&self.sweep.labels(), "and"),
            many => text::count(many.len() as u64, "key"),
        }
    }

    /// The values of the variants, if there is one key and they are numbers.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        let number = |variant: &Variant| match &variant.values[..] {
            [value] => value.number,
            _ => None,
        };
        self.variants.iter().map(number).collect()
    }
}

/// The error of a combination of values, at the last key that it concerns.
fn of_choice(places: &[(String, SweptKey)], choice: &[SweptValue], wrong: &Wrong) -> Invalid {
    let dotted = wrong.dotted();
    let touches = |(_, swept): &&(String, SweptKey)| are_related(&dotted, swept.key.as_str());
    let touched = places.iter().rev().find(touches);
    let table = touched.map_or("sweep", |(table, _)| table.as_str());
    let pairs = places.iter().zip(choice);
    let values = pairs.map(|((_, swept), value)| format!("{}={}", swept.key, value.name));
    let values = values.collect::<Vec<_>>().join(", ");
    let path = match wrong.what.path.as_str() {
        "" => String::new(),
        path => format!(" {path}:"),
    };
    Invalid::new(table, format!("{values}:{path} {}", wrong.what.message))
}

impl Config {
    /// The config's sweep and its variants, if it has one. Errors: as [`Config::variants`].
    pub fn swept(&self) -> Result<Option<Swept>, Error> {
        let variants = self.variants()?;
        let sweep = self.sweep.clone();
        Ok(sweep.map(|sweep| Swept { sweep, variants }))
    }

    /// The config's variants according to its sweep, in the order of the values; empty without a
    /// sweep. Errors: [`Error::Input`] if the config has no such key, or one of the values is not
    /// allowed for it.
    pub fn variants(&self) -> Result<Vec<Variant>, Error> {
        let key = |path: &str| {
            path.strip_prefix("sweep")
                .unwrap_or(path)
                .trim_start_matches('.')
                .to_owned()
        };
        let at_key = |wrong: Invalid| error_at("its sweep", &key(&wrong.path), &wrong.message);
        self.find_variants().map_err(at_key)
    }

    /// The variants. Errors: the key of the sweep that is wrong.
    pub(super) fn find_variants(&self) -> Result<Vec<Variant>, Invalid> {
        let Some(sweep) = &self.sweep else {
            return Ok(Vec::new());
        };
        let base = Config {
            sweep: None,
            ..self.clone()
        };
        let places = sweep.places();
        let choices = choices(sweep)?;
        let names = directory_names(&sweep.labels(), &choices);
        let (mut variants, mut seeds) = (Vec::new(), 0);
        let (mut named, mut configs) = (FxHashMap::default(), FxHashMap::default());
        for (choice, name) in choices.into_iter().zip(names) {
            let changes = places.iter().zip(&choice);
            let changes =
                changes.map(|((_, swept), value)| (swept.key.clone(), value.value.clone()));
            let changes: Vec<(KeyPath, Value)> = changes.collect();
            let config = base.with_keys(&changes);
            let config = config.map_err(|wrong| of_choice(&places, &choice, &wrong))?;
            let wrong = |message: String| Err(Invalid::new("sweep", message));
            seeds += config.seeds.count();
            if seeds > MAX_SEEDS {
                let most = text::thousands(MAX_SEEDS);
                return wrong(format!("more than {most} seeds in all its runs"));
            }
            let variant = Variant {
                name,
                values: choice,
                config,
            };
            let number = variants.len();
            // On some file systems two such names are the same.
            let other = named.insert(variant.name.to_lowercase(), number);
            let same = configs.insert(variant.config.to_toml(), number);
            if let Some(same) = same {
                let twin: &Variant = &variants[same];
                let values = twin.values.iter().map(|value| value.name.as_str());
                return wrong(format!(
                    "variants {} and {} are the same: {}",
                    same + 1,
                    number + 1,
                    values.collect::<Vec<_>>().join(", ")
                ));
            }
            if let Some(other) = other {
                return wrong(format!(
                    "variants {} and {} would both have the directory {}; give their values other \
                     names: names = [\"one\", \"another\"]",
                    other + 1,
                    number + 1,
                    variant.name
                ));
            }
            variants.push(variant);
        }
        self.check_comparable(&variants)?;
        Ok(variants)
    }

    /// Checks that the variants' results can be compared. Errors: why they cannot.
    fn check_comparable(&self, variants: &[Variant]) -> Result<(), Invalid> {
        let wrong = |message: &str| Err(Invalid::new("sweep", message));
        let mut configs = variants.iter().map(|variant| &variant.config);
        if configs.clone().any(|config| config.game != self.game) {
            return wrong("a sweep stays with one game; train each game by a config of its own");
        }
        let Some(first) = configs.next() else {
            return Ok(());
        };
        if configs.clone().any(|config| config.side != first.side) {
            return wrong(
                "a sweep stays with one side, or with both; train each by a config of its own",
            );
        }
        let opponents = &first.evaluation.opponents;
        if configs.any(|config| config.evaluation.opponents != *opponents) {
            return wrong(
                "all variants are measured against the same opponents; take evaluation.opponents out",
            );
        }
        Ok(())
    }
}
