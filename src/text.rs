//! Words for people: the nearest of the right names, and numbers that are easy to
//! read.

/// A word that may look like a number, such as `20` among `best` and `last`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word(pub String);

impl serde::Serialize for Word {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.parse::<u32>() {
            Ok(number) => serializer.serialize_u32(number),
            Err(_) => serializer.serialize_str(&self.0),
        }
    }
}

impl<'de> serde::Deserialize<'de> for Word {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(untagged)]
        enum NumberOrText {
            Number(u32),
            Text(String),
        }
        Ok(Word(match NumberOrText::deserialize(deserializer)? {
            NumberOrText::Number(number) => number.to_string(),
            NumberOrText::Text(text) => text,
        }))
    }
}

/// The candidate that a person who typed `word` most likely meant, if one is
/// near enough to be worth saying.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .min()
        .filter(|(distance, candidate)| {
            let length = candidate.chars().count();
            *distance <= length.div_ceil(3) && *distance < length
        })
        .map(|(_, candidate)| candidate)
}

/// `", did you mean 'x'?"`, or the list of all names where none is near.
pub fn hint<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(word, candidates.clone()) {
        Some(name) => format!(", did you mean '{name}'?"),
        None => {
            let all: Vec<&str> = candidates.into_iter().collect();
            format!(", expected one of: {}", all.join(", "))
        }
    }
}

/// How serde begins to speak of a key that is not there.
pub const UNKNOWN_KEY: &str = "unknown field `";

/// What serde says, in the words of a person who reads a config or a spec, with
/// the nearest right name.
pub fn plain(message: &str) -> String {
    let message = message.trim_end();
    for (start, what) in [
        (UNKNOWN_KEY, "unknown key"),
        ("unknown variant `", "unknown value"),
    ] {
        if let Some(rest) = message.strip_prefix(start)
            && let Some((found, expected)) = rest.split_once("`, ")
        {
            let names: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
            return format!("{what} '{found}'{}", hint(found, names));
        }
    }
    if let Some(key) = message.strip_prefix("missing field `") {
        return format!("the key '{}' is missing", key.trim_end_matches('`'));
    }
    if message.starts_with("wanted exactly 1 element") || message.starts_with("invalid length 2") {
        return "it can be of one kind only; to choose another kind, give the whole value, such as \
                exploration={softmax={temperature=0.5}}"
            .to_owned();
    }
    message
        .replace("expected u64", "expected a whole number of at least 0")
        .replace("expected f64", "expected a number")
        .replace('`', "'")
}

/// A whole number with a comma between groups of three digits.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_word_and_nonsense_finds_none() {
        let names = ["minimax", "random", "self"];
        assert_eq!(nearest("minmax", names), Some("minimax"));
        assert_eq!(nearest("randmo", names), Some("random"));
        assert_eq!(nearest("stockfish", names), None);
        assert_eq!(nearest("z", ["x", "o"]), None);
        assert_eq!(
            hint("stockfish", names),
            ", expected one of: minimax, random, self"
        );
    }

    #[test]
    fn thousands_are_set_apart() {
        let texts = [0, 999, 1000, 1_234_567].map(thousands);
        assert_eq!(texts, ["0", "999", "1,000", "1,234,567"]);
    }
}
