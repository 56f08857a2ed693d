use super::recorded::{EvaluationMethod, MetricsRow};
use crate::text::deduplicated;

/// Which rates of some rows are exact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exactness {
    /// All.
    All,
    /// Some: which, in words that go after `exact rates`.
    Some(String),
    /// None.
    None,
}

impl Exactness {
    /// Which rates of these rows are exact.
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a MetricsRow>) -> Exactness {
        let is_exact = |row: &&MetricsRow| row.method == EvaluationMethod::Exact;
        let (exact, counted): (Vec<_>, Vec<_>) = rows.into_iter().partition(is_exact);
        let opponents = |rows: Vec<&'a MetricsRow>| {
            deduplicated(rows.into_iter().map(|row| row.opponent.as_str()))
        };
        let (exact, counted) = (opponents(exact), opponents(counted));
        match (exact.is_empty(), counted.is_empty()) {
            (true, _) => Exactness::None,
            (_, true) => Exactness::All,
            _ if exact.iter().any(|opponent| counted.contains(opponent)) => {
                Exactness::Some("where they can be computed".to_owned())
            }
            _ => Exactness::Some(format!("against {}", exact.join(" and "))),
        }
    }

    /// Says in words how the rates were found: `games` describes the games in which the others were counted, and
    /// `spread` continues with all of them.
    pub fn text(&self, spread: &str, games: &str) -> String {
        match self {
            Exactness::All => format!("exact rates{spread}"),
            Exactness::Some(which) => format!("exact rates {which}; else rates in {games}{spread}"),
            Exactness::None => format!("rates in {games}{spread}"),
        }
    }
}
