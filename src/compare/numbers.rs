//! Numbers of a comparison as people read them.

use super::values::{Better, Subject};
use crate::stats::TOLERANCE;

/// A p-value, behind a p.
pub fn p_text(p: f64) -> String {
    match p {
        p if p < 0.0001 => "< 0.0001".to_owned(),
        p => format!("= {p:.4}"),
    }
}

/// A number of a metric: four decimals, or two digits of a small one.
pub fn number_text(value: f64) -> String {
    match value.abs() {
        size if size < 0.0005 && size > TOLERANCE => format!("{value:.1e}"),
        _ => format!("{value:.4}"),
    }
}

/// The same of a difference, with its sign.
pub fn difference_text(value: f64) -> String {
    let sign = if value > TOLERANCE { "+" } else { "" };
    sign.to_owned() + &number_text(value)
}

/// How a threshold is met.
pub(super) fn sign(subject: &Subject) -> &'static str {
    match subject.better() {
        Some(Better::Lower) => "≤",
        _ => "≥",
    }
}
