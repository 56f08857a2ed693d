//! Numbers, names and lists of a comparison in readable form.

use crate::stats::TOLERANCE;
use crate::train::Recorded;

/// A p-value as text that goes after `p`.
pub fn p_text(p: f64) -> String {
    match p {
        p if p < 0.0001 => "< 0.0001".to_owned(),
        p => format!("= {p:.4}"),
    }
}

/// The number of decimals for numbers that are shown together: four, or up to eight until the smallest number that
/// counts is at least 5 in the last decimal.
pub fn decimals(that_count: impl IntoIterator<Item = f64>) -> usize {
    let sizes = that_count.into_iter().map(f64::abs);
    let least = sizes.filter(|&size| size > TOLERANCE).fold(1.0, f64::min);
    let shows = |&decimals: &usize| least * f64::from(10_u32.pow(decimals as u32)) >= 5.0;
    (4..8).find(shows).unwrap_or(8)
}

/// A number of a metric with this many decimals; without a sign if it is rounded to 0.
pub fn number_text(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(size) if is_zero(size) => size.to_owned(),
        _ => text,
    }
}

/// A difference with its sign, written like [`number_text`].
pub fn difference_text(value: f64, decimals: usize) -> String {
    let text = number_text(value, decimals);
    match value > 0.0 && !is_zero(&text) {
        true => format!("+{text}"),
        false => text,
    }
}

/// The runs' names, with numbers after names that are the same.
pub fn distinct_names(runs: &[&Recorded]) -> Vec<String> {
    (0..runs.len())
        .map(|i| {
            let name = &runs[i].name;
            match runs.iter().filter(|run| run.name == *name).count() {
                1 => name.clone(),
                _ => format!("{name} ({})", i + 1),
            }
        })
        .collect()
}

/// The first few of a list, and a hint if there are others.
pub(super) fn first_few(all: &[String], most: usize) -> String {
    let more = if all.len() > most { " and others" } else { "" };
    all[..all.len().min(most)].join(", ") + more
}

fn is_zero(text: &str) -> bool {
    text.bytes().all(|byte| b"0.".contains(&byte))
}
