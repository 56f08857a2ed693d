//! The combinations of the values of a sweep's keys: all of them, side by side, or drawn at random.

use rand::RngExt;
use rand::seq::SliceRandom;
use rustc_hash::FxHashSet;
use toml::Value;

use super::MAX_VARIANTS;
use super::sweep::{Mode, SEED, Scale, Sweep, SweptKey, named};
use crate::error::Invalid;
use crate::rng::{LabRng, Purpose, stream};
use crate::text;

/// A value of a swept key.
#[derive(Clone, Debug, PartialEq)]
pub struct SweptValue {
    /// The name of the value.
    pub name: String,
    /// The value.
    pub value: Value,
    /// The value as a number, if it is one.
    pub number: Option<f64>,
}

/// The possible values of a key.
enum Choices {
    /// One of these values.
    Values(Vec<SweptValue>),
    /// A number from a range.
    Range(Range),
}

struct Range {
    from: f64,
    to: f64,
    is_log: bool,
    is_whole: bool,
}

impl Choices {
    /// The choices for a key; `in_step` if its values are taken one by one with those of other keys. Errors: in step,
    /// if numbers of a range coincide when rounded.
    fn of(swept: &SweptKey, in_step: bool) -> Result<Choices, Invalid> {
        if let Some(values) = &swept.values {
            let names = swept.names.as_ref();
            let value = |(i, value): (usize, &Value)| SweptValue {
                name: names.map_or_else(|| named(value), |names| names[i].clone()),
                number: match value {
                    Value::Integer(number) => Some(*number as f64),
                    value => value.as_float(),
                },
                value: value.clone(),
            };
            let values = values.iter().enumerate().map(value);
            return Ok(Choices::Values(values.collect()));
        }
        let range = Range {
            from: swept.from.unwrap_or_default(),
            to: swept.to.unwrap_or_default(),
            is_log: swept.scale == Scale::Log,
            is_whole: swept.is_whole(),
        };
        let Some(count) = swept.count else {
            return Ok(Choices::Range(range));
        };
        let last = count.saturating_sub(1).max(1) as f64;
        let ends = [range.from, range.to];
        let numbers = (0..count).map(|i| range.rounded(range.at(i as f64 / last), ends));
        let mut numbers: Vec<SweptValue> = numbers.collect();
        let mut pairs = numbers.windows(2);
        if let Some(twice) = pairs.find(|pair| pair[0] == pair[1])
            && in_step
        {
            let message = format!(
                "{count} numbers give {} twice; expected a smaller count",
                twice[0].name
            );
            return Err(Invalid::new("count", message));
        }
        numbers.dedup();
        Ok(Choices::Values(numbers))
    }

    /// The value for a point in [0, 1); a number of a range stays in the point's part of it, one of `parts`.
    fn draw(&self, place: f64, parts: usize) -> SweptValue {
        match self {
            Choices::Values(values) => {
                let number = (place * values.len() as f64) as usize;
                values[number.min(values.len() - 1)].clone()
            }
            Choices::Range(range) => range.draw(place, parts as f64),
        }
    }
}

impl Range {
    /// The number at this share of the range.
    fn at(&self, share: f64) -> f64 {
        match self.is_log {
            _ if share <= 0.0 => self.from,
            _ if share >= 1.0 => self.to,
            true => self.from * libm::pow(self.to / self.from, share),
            false => self.from + (self.to - self.from) * share,
        }
    }

    /// The number for a point in [0, 1). A whole number stands for everything that is rounded to
    /// it, including at the ends of the range.
    fn draw(&self, place: f64, parts: f64) -> SweptValue {
        if !self.is_whole {
            let part = (place * parts).floor();
            let ends = [part, part + 1.0].map(|end| self.at(end / parts));
            return self.rounded(self.at(place), ends);
        }
        let wider = Range {
            from: self.from - 0.5,
            to: self.to + 0.5,
            ..*self
        };
        let number = (wider.at(place) + 0.5).floor();
        of_number(number.clamp(self.from, self.to))
    }

    /// A number of the range, rounded: to a whole number; or to four digits, and more only where that would move it
    /// beyond these ends or by over a thousandth of the range.
    fn rounded(&self, number: f64, [low, high]: [f64; 2]) -> SweptValue {
        if self.is_whole {
            return of_number(number.round());
        }
        let is_end = number <= self.from || number >= self.to;
        let mut roundings = (3..17).filter_map(|digits| format!("{number:.digits$e}").parse().ok());
        let short = roundings.find(|short: &f64| {
            let moved = (short - number).abs();
            (low..=high).contains(short) && moved <= (self.to - self.from) / 1000.0
        });
        of_number(short.filter(|_| !is_end).unwrap_or(number))
    }
}

fn of_number(number: f64) -> SweptValue {
    let name = text::number(number);
    SweptValue {
        value: text::value(&name),
        name,
        number: Some(number),
    }
}

/// All combinations of a value for each key. Errors: the key of the sweep that is wrong.
pub(super) fn choices(sweep: &Sweep) -> Result<Vec<Vec<SweptValue>>, Invalid> {
    let wrong = |message: String| Err(Invalid::new("sweep", message));
    let places = sweep.places();
    let in_step = sweep.mode == Mode::Zip;
    let of = |(table, swept): &(String, SweptKey)| {
        Choices::of(swept, in_step).map_err(|wrong| wrong.below(table))
    };
    let keys: Vec<Choices> = places.iter().map(of).collect::<Result<_, _>>()?;
    let lists: Vec<&[SweptValue]> = keys
        .iter()
        .filter_map(|key| match key {
            Choices::Values(values) => Some(&values[..]),
            Choices::Range(_) => None,
        })
        .collect();
    let product = lists
        .iter()
        .try_fold(1usize, |all, list| all.checked_mul(list.len()));
    // The product is infinite if a number is drawn from a range.
    let product = product.filter(|_| lists.len() == keys.len());
    match sweep.mode {
        Mode::Product => {
            if product.is_none_or(|all| all > MAX_VARIANTS) {
                return wrong(format!(
                    "more than {} variants; expected fewer values, or mode = \"random\" with samples",
                    text::thousands(MAX_VARIANTS as u64)
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
                    text::joined(&lengths, "and")
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
                let all = text::thousands(all as u64);
                let message =
                    format!("there are {all} different variants; expected at most {all} samples");
                return Err(Invalid::new("sweep.samples", message));
            }
            let seed = sweep.seed.unwrap_or(SEED);
            let drawn = match sweep.mode {
                Mode::Random => random(&keys, samples, seed),
                _ => latin_hypercube(&keys, samples, seed),
            };
            drawn.ok_or_else(|| {
                let message = format!("{samples} different variants were not found; expected fewer samples, or more values");
                Invalid::new("sweep.samples", message)
            })
        }
    }
}

/// How many times a draw is tried before giving up.
const TRIES: u64 = 1000;

/// Different combinations, drawn one by one.
fn random(keys: &[Choices], samples: usize, seed: u64) -> Option<Vec<Vec<SweptValue>>> {
    let mut known = FxHashSet::default();
    let choice = |number: usize| {
        (0..TRIES).find_map(|attempt| {
            let mut rng = stream(seed, Purpose::Sweep, number as u64, attempt);
            let choice: Vec<SweptValue> =
                keys.iter().map(|key| key.draw(rng.random(), 1)).collect();
            known.insert(names_of(&choice)).then_some(choice)
        })
    };
    (0..samples).map(choice).collect()
}

/// Different combinations, with each key's values spread evenly.
fn latin_hypercube(keys: &[Choices], samples: usize, seed: u64) -> Option<Vec<Vec<SweptValue>>> {
    (0..TRIES).find_map(|attempt| {
        let mut rng = stream(seed, Purpose::Sweep, samples as u64, attempt);
        let columns: Vec<Vec<f64>> = keys.iter().map(|_| strata(samples, &mut rng)).collect();
        let choice = |i: usize| -> Vec<SweptValue> {
            keys.iter()
                .zip(&columns)
                .map(|(key, column)| key.draw(column[i], samples))
                .collect()
        };
        let all: Vec<Vec<SweptValue>> = (0..samples).map(choice).collect();
        let known: FxHashSet<Vec<String>> = all.iter().map(|choice| names_of(choice)).collect();
        (known.len() == samples).then_some(all)
    })
}

/// A point in each n-th part of [0, 1), in random order.
fn strata(n: usize, rng: &mut LabRng) -> Vec<f64> {
    let mut places: Vec<usize> = (0..n).collect();
    places.shuffle(rng);
    let within = |place: usize| (place as f64 + rng.random::<f64>()) / n as f64;
    places.into_iter().map(within).collect()
}

fn names_of(choice: &[SweptValue]) -> Vec<String> {
    choice.iter().map(|value| value.name.clone()).collect()
}
