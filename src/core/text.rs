//! Human-readable text: suggestions for misspelt names, and numbers that are easy to read.

use std::cmp::Reverse;
use std::path::Path;
use std::time::{Duration, SystemTime};
use std::{fs, io};

use serde::Serialize;

/// Common names for things that have other names here, each with the names used here.
const CALLED_ELSEWHERE: [(&str, &[&str]); 31] = [
    ("alpha", &["learning_rate"]),
    ("lr", &["learning_rate"]),
    ("step_size", &["learning_rate"]),
    ("gamma", &["discount"]),
    ("eps", &["epsilon"]),
    ("tau", &["temperature"]),
    ("sims", &["simulations", "episodes_per_epoch"]),
    ("playouts", &["simulations", "episodes_per_epoch"]),
    ("simulations", &["episodes_per_epoch"]),
    ("budget", &["simulations", "episodes_per_epoch"]),
    ("episodes", &["episodes_per_epoch"]),
    ("n_episodes", &["episodes_per_epoch"]),
    ("num_episodes", &["episodes_per_epoch"]),
    ("n_epochs", &["epochs"]),
    ("num_epochs", &["epochs"]),
    ("n_seeds", &["seeds"]),
    ("num_seeds", &["seeds"]),
    ("time", &["milliseconds"]),
    ("name", &["agent"]),
    ("exploration", &["c"]),
    ("exploration_constant", &["c"]),
    ("cpuct", &["c"]),
    ("c_puct", &["c"]),
    ("uct", &["ucb1"]),
    ("plies", &["depth"]),
    ("tie", &["draw"]),
    ("ttt", &["tic-tac-toe"]),
    ("connect4", &["connect-four"]),
    ("four-in-a-row", &["connect-four"]),
    ("c4", &["connect-four"]),
    ("reversi", &["othello"]),
];

/// What this word may mean: the word itself, and the names used here for it, if they differ.
pub fn meanings(word: &str) -> Vec<&str> {
    let named = CALLED_ELSEWHERE.iter().find(|(other, _)| *other == word);
    let names = named.map_or(&[][..], |(_, names)| names);
    [word].into_iter().chain(names.iter().copied()).collect()
}

/// The candidate that a person who typed `word` most likely meant, if one is close enough
/// to suggest.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_of(word, &candidates.into_iter().collect::<Vec<&str>>())
}

fn nearest_of<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let words = meanings(&lower);
    if let Some(named) = candidates.iter().find(|name| words.contains(name)) {
        return Some(named);
    }
    // A size may follow a name, as in `reversi-6x6`.
    if let Some((head, size)) = lower.rsplit_once('-') {
        let called = &meanings(head)[1..];
        let is_sized = |name: &&&str| called.iter().any(|one| **name == format!("{one}-{size}"));
        let any_size = || candidates.iter().find(|name| called.contains(name));
        if let Some(found) = candidates.iter().find(is_sized).or_else(any_size) {
            return Some(found);
        }
    }
    let mut names: Vec<(&str, &'a str)> = candidates.iter().map(|&name| (name, name)).collect();
    // The common name may be misspelt as well.
    for (other, meant) in CALLED_ELSEWHERE.iter().filter(|(other, _)| other.len() > 4) {
        let meant = candidates.iter().filter(|name| meant.contains(name));
        names.extend(meant.map(|&name| (*other, name)));
    }
    match (
        nearest_by_edits(word, names),
        shortest_with(word, candidates),
    ) {
        (Some((edits, near)), Some(with_it)) => Some(if edits > 1 { with_it } else { near }),
        (near, with_it) => near.map(|near| near.1).or(with_it),
    }
}

/// The shortest candidate with `word`, of at least three letters, as one of its parts between underscores or dashes.
fn shortest_with<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    if word.len() < 3 {
        return None;
    }
    let has_it = |name: &&&str| {
        name.split(['_', '-'])
            .any(|part| part.eq_ignore_ascii_case(word))
    };
    let with_it = candidates.iter().filter(has_it);
    with_it.min_by_key(|name| name.len()).copied()
}

/// The meaning of the name closest to `word`, and how many edits away it is; `None` if too many. `names` are pairs of a
/// name and its meaning.
fn nearest_by_edits<'a>(
    word: &str,
    names: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Option<(usize, &'a str)> {
    let word = word.to_lowercase();
    let typed = word.chars().count();
    let near = names.into_iter().filter_map(|(name, meant)| {
        let name = name.to_lowercase();
        let length = name.chars().count();
        // Changing half of a short name would make another word.
        let most_edits = match length {
            0..6 => length.min(2).saturating_sub(1),
            _ => length.div_ceil(3),
        };
        // The time is the product of both lengths, and what was typed may be a whole file.
        if typed > length + most_edits {
            return None;
        }
        let edits = strsim::damerau_levenshtein(&word, &name);
        (edits <= most_edits).then_some((edits, Reverse(length), meant))
    });
    near.min().map(|(edits, _, meant)| (edits, meant))
}

/// `", did you mean 'x'?"` with a file in the directory of `path` that has a similar name; empty if there is none.
pub fn file_hint(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let directory = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let files = fs::read_dir(directory.unwrap_or(Path::new(".")));
    let files = files.into_iter().flatten().flatten();
    let names: Vec<String> = files
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .collect();
    // A file that shares only the extension is not meant.
    let stem = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    let is_alike = |other: &&str| {
        let other = stem(other);
        nearest_by_edits(&stem(&name), [(other.as_str(), "")]).is_some()
    };
    let alike = names.iter().map(String::as_str).filter(is_alike);
    match nearest_by_edits(&name, alike.map(|name| (name, name))) {
        Some((_, near)) => format!(", did you mean '{}'?", path.with_file_name(near).display()),
        None => String::new(),
    }
}

/// `", did you mean 'x'?"`, or the list of all names if none is close.
pub fn hint<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let all: Vec<&str> = candidates.into_iter().collect();
    match nearest_of(word, &all) {
        Some(name) => format!(", did you mean '{name}'?"),
        None => format!(", expected one of: {}", all.join(", ")),
    }
}

/// A non-negative whole number with a comma between groups of three digits.
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

/// A whole number that may be negative, with a comma between groups of three digits.
pub fn signed(number: i64) -> String {
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}{}", thousands(number.unsigned_abs()))
}

/// A rating on the Elo scale as a whole number with its sign; 0 is `+0`.
pub fn elo(rating: f64) -> String {
    format!("{:+}", rating.round() as i64)
}

/// How many of a number of things, such as `12 of 1,000`.
pub fn out_of(some: usize, all: usize) -> String {
    format!("{} of {}", thousands(some as u64), thousands(all as u64))
}

/// An end of a range of numbers: as [`number`], but whole numbers as [`signed`].
pub fn bound(value: f64) -> String {
    match value.fract() == 0.0 && value.abs() < 1e15 {
        true => signed(value as i64),
        false => number(value),
    }
}

/// A rate with this many decimals. A rate that is not 0 or 1 but would round to it is written such as `<0.0001` or
/// `>0.9999`; one within the rounding error of a sum of probabilities counts as 0 or 1.
pub fn rate(rate: f64, decimals: usize) -> String {
    const ROUNDED: f64 = 1e-12;
    let least = 0.1_f64.powi(decimals as i32);
    if (ROUNDED..least / 2.0).contains(&rate) {
        return format!("<{least:.decimals$}");
    }
    if (ROUNDED..=least / 2.0).contains(&(1.0 - rate)) {
        return format!(">{:.decimals$}", 1.0 - least);
    }
    format!("{rate:.decimals$}")
}

/// A number with all its digits, or in scientific notation if that takes more than 20 characters.
pub fn number(value: f64) -> String {
    let plain = value.to_string();
    match plain.len() {
        ..=20 => plain,
        _ => format!("{value:e}"),
    }
}

/// The least and the greatest of some numbers, such as `12 to 1,000`; a single number if all are
/// the same, and 0 if there are none.
pub fn range(numbers: impl IntoIterator<Item = u64>) -> String {
    let (mut least, mut most) = (u64::MAX, 0);
    for number in numbers {
        (least, most) = (least.min(number), most.max(number));
    }
    match least < most {
        true => format!("{} to {}", thousands(least), thousands(most)),
        false => thousands(most),
    }
}

/// How many things there are each time, such as `12 to 1,000 games`; `word` takes an s unless all the numbers are 1.
pub fn counts(numbers: impl IntoIterator<Item = u64>, word: &str) -> String {
    match range(numbers) {
        one if one == "1" => format!("1 {word}"),
        range => format!("{range} {word}s"),
    }
}

/// The numbers of which one is expected: as [`range`] if they are consecutive, or else such as `one of 2, 5, 8`; if
/// there are more than a few, the first and the last.
pub fn one_of(numbers: &[u64]) -> String {
    const FEW: usize = 20;
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    let [first, .., last] = sorted[..] else {
        return range(sorted);
    };
    let many = sorted.len() as u64;
    if last - first < many {
        return range(sorted);
    }
    if sorted.len() > FEW {
        return format!("one of the {} from {}", thousands(many), range(sorted));
    }
    let all: Vec<String> = sorted.iter().map(u64::to_string).collect();
    format!("one of {}", all.join(", "))
}

/// A list in one line, such as `a, b and c` where the word is `and`.
pub fn joined(all: &[String], word: &str) -> String {
    match all {
        [others @ .., last] if !others.is_empty() => {
            format!("{} {word} {last}", others.join(", "))
        }
        all => all.concat(),
    }
}

/// A number of things, such as `2 games`; `word` takes an s unless the number is 1.
pub fn count(number: u64, word: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {word}{s}", thousands(number))
}

/// The first lines in which two texts differ, blank lines apart, of which the one of a text that has ended is missing;
/// `None` if the texts do not differ.
pub fn lines_apart<'a>(one: &'a str, other: &'a str) -> Option<(Option<&'a str>, Option<&'a str>)> {
    let lines = |text: &'a str| text.lines().filter(|line| !line.is_empty());
    let (mut one, mut other) = (lines(one), lines(other));
    loop {
        match (one.next(), other.next()) {
            (None, None) => return None,
            (here, there) if here == there => {}
            apart => return Some(apart),
        }
    }
}

/// A line of [`lines_apart`] in quotes, or `nothing` where a text has ended.
pub fn quoted(line: Option<&str>) -> String {
    line.map_or("nothing".to_owned(), |line| format!("'{line}'"))
}

/// A time in UTC by RFC 3339, in whole seconds. Times before 1970 or after 9999, as of a wrong
/// clock, are clamped to these years.
pub fn timestamp(time: SystemTime) -> String {
    const LAST: Duration = Duration::from_secs(253_402_300_799);
    let time = time.clamp(SystemTime::UNIX_EPOCH, SystemTime::UNIX_EPOCH + LAST);
    humantime::format_rfc3339_seconds(time).to_string()
}

/// Whether a character is a control character or changes the direction of writing.
pub fn is_control(c: char) -> bool {
    let turns =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns
}

/// The text with control characters, except line breaks and tabs, escaped as in JSON, such as
/// `\u001b`.
pub fn escaped(text: &str) -> String {
    escaped_but(text, "\n\t")
}

/// As [`escaped`], but with line breaks and tabs escaped too: for text that must stay on one line.
pub fn escaped_line(text: &str) -> String {
    escaped_but(text, "")
}

fn escaped_but(text: &str, kept: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match is_control(c) && !kept.contains(c) {
            true => escaped += &format!("\\u{:04x}", u32::from(c)),
            false => escaped.push(c),
        }
    }
    escaped
}

/// The system's error message, without its error number.
pub fn of_system(error: &io::Error) -> String {
    let text = error.to_string();
    let plain = text.split(" (os error").next().unwrap_or_default();
    plain.to_owned()
}

/// The line, from 1, of a position that the CSV reader reported; 0 without a position.
pub fn csv_line(text: &[u8], place: Option<&csv::Position>) -> u64 {
    let Some(place) = place else {
        return 0;
    };
    // The reader ends a row at CR, so that the LF and any empty lines count as the start of the next row.
    let rest = text.get(place.byte() as usize..).unwrap_or_default();
    let ends = rest
        .iter()
        .take_while(|byte| matches!(**byte, b'\r' | b'\n'));
    place.line() + ends.filter(|byte| **byte == b'\n').count() as u64
}

/// The error of the reader of this CSV text, in words.
pub fn of_csv(text: &[u8], error: &csv::Error) -> String {
    let line = csv_line(text, error.position());
    match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => {
            let columns = count(*len, "column");
            format!("line {line}: it has {columns}, expected {expected_len} as in the first line")
        }
        csv::ErrorKind::Utf8 { .. } => format!("line {line}: it is not text in UTF-8"),
        csv::ErrorKind::Deserialize { err, .. } => {
            let what = match err.kind() {
                csv::DeserializeErrorKind::ParseInt(_) => {
                    "expected a whole number from 0 to 2^64 - 1".to_owned()
                }
                csv::DeserializeErrorKind::ParseFloat(_) => "expected a number".to_owned(),
                other => other.to_string().replace('`', "'"),
            };
            match err.field() {
                Some(field) => format!("line {line}, column {}: {what}", field + 1),
                None => format!("line {line}: {what}"),
            }
        }
        _ => error.to_string(),
    }
}

/// A path as a shell word, in quotes where it needs them.
pub fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text;
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// The value written after a `=`: a TOML value, or else a plain string.
pub fn value(text: &str) -> toml::Value {
    let text = text.trim();
    let value = text.parse().ok().or_else(|| decimal(text));
    value.unwrap_or_else(|| toml::Value::String(text.to_owned()))
}

/// A number that TOML cannot read: one with too many digits, or `.5` and `1.`.
fn decimal(text: &str) -> Option<toml::Value> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_decimal = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    let number = digits.bytes().all(is_decimal).then(|| text.parse().ok());
    number.flatten().map(toml::Value::Float)
}

/// All of these without repetitions, in the order of their first occurrence.
pub fn deduplicated<T: PartialEq>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut once = Vec::new();
    for one in all {
        if !once.contains(&one) {
            once.push(one);
        }
    }
    once
}

/// Rows as CSV; `head` adds a first line with the names of the columns. Panics if a row is
/// not a CSV record.
pub fn csv_lines<R: Serialize>(rows: impl IntoIterator<Item = R>, head: bool) -> String {
    let mut writer = csv::WriterBuilder::new();
    let mut writer = writer.has_headers(head).from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).expect("a row is a CSV record");
    }
    let bytes = writer.into_inner();
    String::from_utf8(bytes.expect("writing to memory does not fail")).expect("a row is text")
}
