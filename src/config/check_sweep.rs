//! Which values a sweep may have, as far as they do not depend on the rest of the config.

use toml::Value;

use super::sweep::named;
use super::{MAX_VALUES, Mode, Scale, Sweep, SweptKey};
use crate::error::{Invalid, LARGEST, finite};
use crate::text;

/// The most keys that a sweep may have.
const MAX_KEYS: usize = 16;

impl Sweep {
    /// Checks the sweep. Errors: the first key that is wrong.
    pub(super) fn check(&self) -> Result<(), Invalid> {
        self.check_mode()?;
        if let Some(over) = &self.over {
            if self.key.is_some() || self.values.is_some() || self.names.is_some() {
                let message = "give either key with values, or over, not both";
                return Err(Invalid::new("sweep.over", message));
            }
            if over.is_empty() || over.len() > MAX_KEYS {
                let message = format!("{} keys, expected 1 to {MAX_KEYS}", over.len());
                return Err(Invalid::new("sweep.over", message));
            }
        }
        let places = self.places();
        for (i, (table, swept)) in places.iter().enumerate() {
            let is_listed = places[..i].iter().any(|(_, other)| other.key == swept.key);
            let checked = swept.check(self.mode, is_listed);
            checked.map_err(|invalid| invalid.below(table))?;
        }
        Ok(())
    }

    fn check_mode(&self) -> Result<(), Invalid> {
        let draws = self.mode.draws();
        let keys = [
            ("sweep.samples", self.samples.is_some()),
            ("sweep.seed", self.seed.is_some()),
        ];
        match keys.iter().find(|(_, is_given)| *is_given && !draws) {
            Some((key, _)) => {
                let message = "nothing is drawn; expected mode = \"random\" or \"latin-hypercube\" \
                               with it";
                Err(Invalid::new(key, message))
            }
            None if draws && self.samples.is_none() => {
                let message = "a key is missing: samples (how many variants are drawn), such as \
                               samples = 40";
                Err(Invalid::new("sweep.mode", message))
            }
            None => Ok(()),
        }
    }
}

fn check_values(values: &[Value], repeats: bool) -> Result<(), Invalid> {
    let count = values.len();
    if count == 0 || count > MAX_VALUES {
        let [count, most] = [count, MAX_VALUES].map(|count| text::thousands(count as u64));
        let message = format!("{count} values, expected 1 to {most}");
        return Err(Invalid::new("values", message));
    }
    for (i, value) in values.iter().enumerate() {
        let wrong = |message: String| Err(Invalid::new(&format!("values[{i}]"), message));
        let number = value.as_float();
        if number.is_some_and(|number| !(-LARGEST..=LARGEST).contains(&number)) {
            return wrong(format!("{value} is out of range"));
        }
        if !repeats && values[..i].contains(value) {
            return wrong(format!(
                "{} is listed twice, expected each once",
                named(value)
            ));
        }
    }
    Ok(())
}

impl SweptKey {
    /// Checks the key in a sweep of this mode; `is_listed` means that an earlier key is the same.
    fn check(&self, mode: Mode, is_listed: bool) -> Result<(), Invalid> {
        if self.key.parts().next() == Some("sweep") {
            return Err(Invalid::new("key", "a sweep cannot change itself"));
        }
        if is_listed {
            let message = "the key is listed twice, expected each once";
            return Err(Invalid::new("key", message));
        }
        self.check_words()?;
        let Some(values) = &self.values else {
            return self.check_range(mode.draws());
        };
        // A value may recur with different values of other keys.
        let repeats = mode == Mode::Zip;
        check_values(values, repeats)?;
        match &self.names {
            Some(names) => check_names(names, values, repeats),
            None => Ok(()),
        }
    }

    fn check_range(&self, draws: bool) -> Result<(), Invalid> {
        let at = |key: &str, message: String| Err(Invalid::new(key, message));
        let (from, to) = (self.from.unwrap_or_default(), self.to.unwrap_or_default());
        for (key, end) in [("from", from), ("to", to)] {
            finite(end).or_else(|message| at(key, message))?;
            if self.is_whole() && end.fract() != 0.0 {
                let end = text::number(end);
                return at(key, format!("{end} is not whole, expected a whole number"));
            }
        }
        if from >= to {
            let [from, to] = [from, to].map(text::number);
            let message = format!("{to} is not above {from}, where the range begins");
            return at("to", message);
        }
        if self.scale == Scale::Log && from <= 0.0 {
            let from = text::number(from);
            let message = format!("equal ratios cannot start at {from}, expected a number above 0");
            return at("from", message);
        }
        if self.count.is_none() && !draws {
            let message =
                "a key is missing: count (how many numbers of the range), such as count = 8";
            return at("from", message.to_owned());
        }
        Ok(())
    }

    /// Checks options that go only with values, or only with a range.
    fn check_words(&self) -> Result<(), Invalid> {
        let of_range = [
            ("from", self.from.is_some()),
            ("to", self.to.is_some()),
            ("count", self.count.is_some()),
            ("scale", self.scale != Scale::default()),
            ("whole", self.whole),
        ];
        let given = of_range.iter().find(|(_, is_given)| *is_given);
        match (&self.values, given) {
            (None, _) if self.names.is_some() => {
                let message = "a range has no names; expected values with them";
                Err(Invalid::new("names", message))
            }
            (Some(_), Some((key, _))) => {
                let message = "this belongs to a range, but values are given; use one or the other";
                Err(Invalid::new(key, message))
            }
            _ => Ok(()),
        }
    }
}

/// Checks the names of values. Errors: the first name that is wrong.
fn check_names(names: &[String], values: &[Value], repeats: bool) -> Result<(), Invalid> {
    if names.len() != values.len() {
        let [names, values] = [(names.len(), "name"), (values.len(), "value")]
            .map(|(count, word)| text::count(count as u64, word));
        let message = format!("{names} for {values}, expected one for each");
        return Err(Invalid::new("names", message));
    }
    for (i, name) in names.iter().enumerate() {
        let wrong = |message: &str| Err(Invalid::new(&format!("names[{i}]"), message));
        if name.trim().is_empty() || name.chars().any(text::is_control) {
            return wrong("it is empty or not readable, expected a word");
        }
        let first = names[..i].iter().position(|other| other == name);
        if first.is_some_and(|first| !repeats || values[first] != values[i]) {
            return wrong("it is listed twice, expected each once");
        }
    }
    Ok(())
}
