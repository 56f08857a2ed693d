//! Numbers, names and lists of a comparison as people read them.

use crate::stats::TOLERANCE;
use crate::train::Recorded;

/// A p-value, behind a p.
pub fn p_text(p: f64) -> String {
    match p {
        p if p < 0.0001 => "< 0.0001".to_owned(),
        p => format!("= {p:.4}"),
    }
}

/// How many decimals numbers beside each other have: four, or up to eight until the smallest of those that count is
/// at least 5 in the last one.
pub fn decimals(that_count: impl IntoIterator<Item = f64>) -> usize {
    let sizes = that_count.into_iter().map(f64::abs);
    let least = sizes.filter(|&size| size > TOLERANCE).fold(1.0, f64::min);
    let shows = |&decimals: &usize| least * f64::from(10_u32.pow(decimals as u32)) >= 5.0;
    (4..8).find(shows).unwrap_or(8)
}

/// A number of a metric with this many decimals; one that is rounded to 0 has no sign.
pub fn number_text(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(size) if is_zero(size) => size.to_owned(),
        _ => text,
    }
}

/// A difference, written as [`number_text`] does, with its sign.
pub fn difference_text(value: f64, decimals: usize) -> String {
    let text = number_text(value, decimals);
    match value > 0.0 && !is_zero(&text) {
        true => format!("+{text}"),
        false => text,
    }
}

/// The runs' names, with a number where two have the same.
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

/// The first of these, and that there are others.
pub(super) fn first_few(all: &[String], most: usize) -> String {
    let more = if all.len() > most { " and others" } else { "" };
    all[..all.len().min(most)].join(", ") + more
}

fn is_zero(text: &str) -> bool {
    text.bytes().all(|byte| b"0.".contains(&byte))
}
