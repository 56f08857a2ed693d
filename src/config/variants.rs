//! What a sweep makes of a config.

use rand::RngExt;
use rand::seq::SliceRandom;
use rustc_hash::{FxHashMap, FxHashSet};
use toml::Value;

use super::read::Wrong;
use super::sweep::{Mode, Place, Scale, Sweep, named};
use super::told::told;
use super::{Config, FORM, KeyPath, MAX_SEEDS, MAX_VARIANTS};
use crate::error::{Error, Invalid};
use crate::rng::{LabRng, Purpose, stream};
use crate::text;

/// One choice of the values that a sweep's keys take.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The labels of the keys and the values, such as `c-0.5`; a name for a directory.
    pub name: String,
    /// The values, in the order of the keys.
    pub values: Vec<SweptValue>,
    /// The config with the values set, and without the sweep.
    pub config: Config,
}

/// A value of a key that is swept.
#[derive(Clone, Debug, PartialEq)]
pub struct SweptValue {
    /// What it is called.
    pub name: String,
    /// The value.
    pub value: Value,
    /// The number that it is, if it is one.
    pub number: Option<f64>,
}

/// A sweep and its variants.
#[derive(Clone, Debug, PartialEq)]
pub struct Swept {
    /// What is varied.
    pub sweep: Sweep,
    /// Each choice of values.
    pub variants: Vec<Variant>,
}

impl Swept {
    /// What a variant's keys are and their values, such as `c = 0.5, n = 3`.
    pub fn title(&self, variant: &Variant) -> String {
        let labels = self.sweep.labels();
        let pairs = labels.iter().zip(&variant.values);
        let told: Vec<String> = pairs
            .map(|(label, value)| format!("{label} = {}", value.name))
            .collect();
        told.join(", ")
    }

    /// What it goes by: the path of its key, the labels of some, or how many there are.
    pub fn by(&self) -> String {
        match &self.sweep.keys()[..] {
            [key] => key.to_string(),
            [_, _] | [_, _, _] => text::listed(&self.sweep.labels()),
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

impl Config {
    /// The config's sweep and its variants, if it has one. Errors: as [`Config::variants`].
    pub fn swept(&self) -> Result<Option<Swept>, Error> {
        let variants = self.variants()?;
        let sweep = self.sweep.clone();
        Ok(sweep.map(|sweep| Swept { sweep, variants }))
    }

    /// The config's variants by its sweep, in the order of the values; none without a sweep.
    /// Errors: [`Error::Input`] if a key is none of the config, or one of the values is not
    /// allowed for it.
    pub fn variants(&self) -> Result<Vec<Variant>, Error> {
        let told = |Invalid { path, message }: Invalid| told("its sweep", &path, &message);
        self.find_variants().map_err(told)
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
        let keys: Vec<SweptKey> = places.iter().map(SweptKey::of).collect();
        let choices = choices(sweep, &keys)?;
        let names = directory_names(&sweep.labels(), &choices);
        let (mut variants, mut seeds) = (Vec::new(), 0);
        let (mut named, mut configs) = (FxHashMap::default(), FxHashMap::default());
        for (choice, name) in choices.into_iter().zip(names) {
            let changes = places.iter().zip(&choice);
            let changes = changes.map(|(place, value)| (place.key.clone(), value.value.clone()));
            let changes: Vec<(KeyPath, Value)> = changes.collect();
            let config = base.with_keys(&changes);
            let config = config.map_err(|wrong| to_blame(&places, &choice, wrong))?;
            seeds += config.seeds.count();
            if seeds > MAX_SEEDS {
                let message = format!("more than {MAX_SEEDS} seeds in all its runs");
                return Err(Invalid::new(&of_all(&places), message));
            }
            let variant = Variant {
                name,
                values: choice,
                config,
            };
            let number = variants.len();
            // On some file systems two such names are one.
            let other = named.insert(variant.name.to_lowercase(), number);
            let same = configs.insert(variant.config.to_toml(), number);
            let told = |number: usize| {
                let variant: &Variant = &variants[number];
                let values = variant.values.iter().map(|value| value.name.as_str());
                values.collect::<Vec<_>>().join(", ")
            };
            if let Some(same) = same {
                let message = format!(
                    "variants {} and {} are the same: {}",
                    same + 1,
                    number + 1,
                    told(same)
                );
                return Err(Invalid::new(&of_all(&places), message));
            }
            if let Some(other) = other {
                let message = format!(
                    "variants {} and {} would both have the directory {}; give their values other \
                     names: names = [\"one\", \"another\"]",
                    other + 1,
                    number + 1,
                    variant.name
                );
                return Err(Invalid::new(&of_all(&places), message));
            }
            variants.push(variant);
        }
        self.check_comparable(&variants)?;
        Ok(variants)
    }

    /// Whether the variants' results can stand side by side. Errors: why not.
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

/// Where the values of all keys stand.
fn of_all(places: &[Place]) -> String {
    match places {
        [place] if place.values.is_some() => format!("{}.values", place.table),
        [place] => place.table.clone(),
        _ => "sweep.over".to_owned(),
    }
}

/// Which key or value of a choice is wrong.
fn to_blame(places: &[Place], choice: &[SweptValue], wrong: Wrong) -> Invalid {
    let Wrong {
        path,
        message,
        is_key,
    } = wrong;
    let below = |path: &str, key: &str| {
        let rest = path.strip_prefix(key);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    let touched = |(place, _): &(&Place, &SweptValue)| {
        let key = place.key.as_str();
        below(&path, key) || below(key, &path)
    };
    let mut pairs = places.iter().zip(choice);
    let found = pairs.clone().rev().find(touched);
    let found = found.or_else(|| (places.len() == 1).then(|| pairs.next()).flatten());
    let Some((place, value)) = found else {
        let told: Vec<String> = places
            .iter()
            .zip(choice)
            .map(|(place, value)| format!("{}={}", place.key, value.name))
            .collect();
        let path = if path.is_empty() {
            path
        } else {
            format!(" {path}:")
        };
        return Invalid::new(
            "sweep.over",
            format!("{}:{path} {message}", told.join(", ")),
        );
    };
    let key = place.key;
    let is_inside = path.len() > key.as_str().len() && below(&path, key.as_str());
    let inner = match path == key.as_str() {
        true => String::new(),
        false => format!(" {path}:"),
    };
    if is_key && !is_inside {
        return Invalid::new(
            &format!("{}.key", place.table),
            format!("{key}:{inner} {message}"),
        );
    }
    let number = place
        .values
        .and_then(|(values, _)| values.iter().position(|other| *other == value.value));
    let path = match number {
        Some(number) => format!("{}.values[{number}]", place.table),
        None => format!("{}.from", place.table),
    };
    let shown = match &value.value {
        Value::Table(_) | Value::Array(_) => value.value.to_string(),
        _ => value.name.clone(),
    };
    Invalid::new(&path, format!("{key}={shown}:{inner} {message}"))
}

/// What a key can be.
enum SweptKey {
    /// One of these.
    Values(Vec<SweptValue>),
    /// A number of a range.
    Range(Range),
}

struct Range {
    from: f64,
    to: f64,
    is_log: bool,
    is_whole: bool,
}

impl SweptKey {
    fn of(place: &Place) -> SweptKey {
        if let Some((values, names)) = place.values {
            let value = |(i, value): (usize, &Value)| SweptValue {
                name: names.map_or_else(|| named(value), |names| names[i].clone()),
                number: match value {
                    Value::Integer(number) => Some(*number as f64),
                    value => value.as_float(),
                },
                value: value.clone(),
            };
            return SweptKey::Values(values.iter().enumerate().map(value).collect());
        }
        let written = place.range.expect("a key has values or a range");
        let parts: Vec<&str> = place.key.parts().collect();
        let range = Range {
            from: written.from.unwrap_or_default(),
            to: written.to.unwrap_or_default(),
            is_log: written.scale == Scale::Log,
            is_whole: written.whole || FORM.takes_whole_numbers_alone(&parts),
        };
        let Some(count) = written.count else {
            return SweptKey::Range(range);
        };
        let last = count.saturating_sub(1).max(1) as f64;
        let numbers = (0..count).map(|i| range.number(i as f64 / last));
        SweptKey::Values(numbers.collect())
    }

    /// The value at a place from 0 to below 1.
    fn at(&self, place: f64) -> SweptValue {
        match self {
            SweptKey::Values(values) => {
                let number = (place * values.len() as f64) as usize;
                values[number.min(values.len() - 1)].clone()
            }
            SweptKey::Range(range) => range.number(place),
        }
    }
}

impl Range {
    /// The number at this share of the range.
    fn number(&self, share: f64) -> SweptValue {
        let number = match self.is_log {
            _ if share <= 0.0 => self.from,
            _ if share >= 1.0 => self.to,
            true => self.from * libm::pow(self.to / self.from, share),
            false => self.from + (self.to - self.from) * share,
        };
        let number = match self.is_whole {
            true => number.round(),
            false if share <= 0.0 || share >= 1.0 => number,
            false => format!("{number:.3e}").parse().unwrap_or(number),
        };
        let name = text::number(number);
        SweptValue {
            value: text::value(&name),
            name,
            number: Some(number),
        }
    }
}

/// All choices of a value for each key.
fn choices(sweep: &Sweep, keys: &[SweptKey]) -> Result<Vec<Vec<SweptValue>>, Invalid> {
    let wrong = |message: String| Err(Invalid::new("sweep", message));
    let lists: Vec<&[SweptValue]> = keys
        .iter()
        .filter_map(|key| match key {
            SweptKey::Values(values) => Some(&values[..]),
            SweptKey::Range(_) => None,
        })
        .collect();
    let product = lists
        .iter()
        .try_fold(1usize, |all, list| all.checked_mul(list.len()));
    // Endless where a range is drawn from.
    let product = product.filter(|_| lists.len() == keys.len());
    match sweep.mode {
        Mode::Product => {
            if product.is_none_or(|all| all > MAX_VARIANTS) {
                return wrong(format!(
                    "more than {MAX_VARIANTS} variants; expected fewer values, or mode = \"random\" with samples"
                ));
            }
            let mut all = vec![Vec::new()];
            for list in lists {
                let longer = |choice: &Vec<SweptValue>| -> Vec<Vec<SweptValue>> {
                    let with =
                        |value: &SweptValue| [&choice[..], std::slice::from_ref(value)].concat();
                    list.iter().map(with).collect()
                };
                all = all.iter().flat_map(longer).collect();
            }
            Ok(all)
        }
        Mode::Zip => {
            let length = lists.first().map_or(0, |list| list.len());
            if lists.iter().any(|list| list.len() != length) {
                let lengths: Vec<String> =
                    lists.iter().map(|list| list.len().to_string()).collect();
                return wrong(format!(
                    "mode \"zip\" takes the values of all keys one by one, but there are {} of them; expected as many of each",
                    text::listed(&lengths)
                ));
            }
            Ok((0..length)
                .map(|i| lists.iter().map(|list| list[i].clone()).collect())
                .collect())
        }
        Mode::Random | Mode::LatinHypercube => {
            let samples = sweep.samples.unwrap_or(1) as usize;
            if let Some(all) = product
                && all < samples
            {
                let message =
                    format!("there are {all} different variants; expected at most {all} samples");
                return Err(Invalid::new("sweep.samples", message));
            }
            let seed = sweep.seed.unwrap_or(1);
            let drawn = match sweep.mode {
                Mode::Random => random(keys, samples, seed),
                _ => latin_hypercube(keys, samples, seed),
            };
            drawn.ok_or_else(|| {
                let message = format!("{samples} different variants were not found; expected fewer samples, or more values");
                Invalid::new("sweep.samples", message)
            })
        }
    }
}

/// A draw is tried so many times before it is given up.
const TRIES: u64 = 1000;

/// Different choices, drawn one by one.
fn random(keys: &[SweptKey], samples: usize, seed: u64) -> Option<Vec<Vec<SweptValue>>> {
    let mut known = FxHashSet::default();
    let choice = |number: usize| {
        (0..TRIES).find_map(|attempt| {
            let mut rng = stream(seed, Purpose::Sweep, number as u64, attempt);
            let choice: Vec<SweptValue> = keys.iter().map(|key| key.at(rng.random())).collect();
            known.insert(names_of(&choice)).then_some(choice)
        })
    };
    (0..samples).map(choice).collect()
}

/// Different choices, each key's values spread evenly.
fn latin_hypercube(keys: &[SweptKey], samples: usize, seed: u64) -> Option<Vec<Vec<SweptValue>>> {
    (0..TRIES).find_map(|attempt| {
        let mut rng = stream(seed, Purpose::Sweep, samples as u64, attempt);
        let columns: Vec<Vec<f64>> = keys.iter().map(|_| strata(samples, &mut rng)).collect();
        let choice = |i: usize| -> Vec<SweptValue> {
            keys.iter()
                .zip(&columns)
                .map(|(key, column)| key.at(column[i]))
                .collect()
        };
        let all: Vec<Vec<SweptValue>> = (0..samples).map(choice).collect();
        let known: FxHashSet<Vec<String>> = all.iter().map(|choice| names_of(choice)).collect();
        (known.len() == samples).then_some(all)
    })
}

/// A place in each n-th part of what is from 0 to 1, in any order.
fn strata(n: usize, rng: &mut LabRng) -> Vec<f64> {
    let mut places: Vec<usize> = (0..n).collect();
    places.shuffle(rng);
    let within = |place: usize| (place as f64 + rng.random::<f64>()) / n as f64;
    places.into_iter().map(within).collect()
}

fn names_of(choice: &[SweptValue]) -> Vec<String> {
    choice.iter().map(|value| value.name.clone()).collect()
}

/// The most characters of a value in the name of a directory, and of the whole name.
const VALUE_LENGTH: usize = 48;
const NAME_LENGTH: usize = 160;

/// Names for the directories of the variants: labels and values, or numbers where these would be too
/// long.
fn directory_names(labels: &[String], choices: &[Vec<SweptValue>]) -> Vec<String> {
    let name = |choice: &Vec<SweptValue>| {
        let parts = labels.iter().zip(choice);
        let parts: Vec<String> = parts
            .map(|(label, value)| format!("{label}-{}", in_a_path(&value.name)))
            .collect();
        parts.join(",")
    };
    let names: Vec<String> = choices.iter().map(name).collect();
    if names.iter().all(|name| name.len() <= NAME_LENGTH) {
        return names;
    }
    (1..=choices.len())
        .map(|number| format!("variant-{number}"))
        .collect()
}

/// A text as a part of a file's name that every system and shell takes.
fn in_a_path(text: &str) -> String {
    let plain = |c: char| match c {
        c if c.is_ascii_alphanumeric() || "-_.+=".contains(c) => c,
        _ => '_',
    };
    let name: String = text.chars().map(plain).take(VALUE_LENGTH).collect();
    name.trim_end_matches(['_', '.']).to_owned()
}
