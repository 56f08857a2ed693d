//! Words for people: the nearest of the right names, and numbers that are easy to
//! read.

/// The candidate that a person who typed `word` most likely meant, if one is
/// near enough to be worth saying.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .min()
        .filter(|(distance, candidate)| {
            let length = candidate.chars().count();
            *distance <= length.max(3) / 2 && *distance < length
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
