use super::recorded::{EvaluationMethod, MetricsRow};
use crate::text::each_once;

/// Which rates of some rows are exact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exactness {
    /// All.
    All,
    /// All against these opponents, none against the others.
    Against(Vec<String>),
    /// Some of those against the same opponent.
    Some,
    /// None.
    None,
}

impl Exactness {
    /// Which rates of these rows are exact.
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a MetricsRow>) -> Exactness {
        let is_exact = |row: &&MetricsRow| row.method == EvaluationMethod::Exact;
        let (exact, counted): (Vec<_>, Vec<_>) = rows.into_iter().partition(is_exact);
        let opponents =
            |rows: Vec<&'a MetricsRow>| each_once(rows.into_iter().map(|row| &row.opponent));
        let (exact, counted) = (opponents(exact), opponents(counted));
        if exact.is_empty() {
            Exactness::None
        } else if counted.is_empty() {
            Exactness::All
        } else if exact.iter().any(|opponent| counted.contains(opponent)) {
            Exactness::Some
        } else {
            Exactness::Against(exact.into_iter().cloned().collect())
        }
    }

    /// How the rates were found, in words: `spread` goes on about the exact ones, and `games` says in
    /// how many the others were counted.
    pub fn told(&self, spread: &str, games: &str) -> String {
        let (exact, counted) = ("exact rates", format!("rates in {games}"));
        match self {
            Exactness::All => format!("{exact}{spread}"),
            Exactness::Against(opponents) => {
                let opponents = opponents.join(" and ");
                format!("{exact} against {opponents}{spread}; else {counted}")
            }
            Exactness::Some => {
                format!("{exact} where they can be computed{spread}; else {counted}")
            }
            Exactness::None => counted,
        }
    }
}
