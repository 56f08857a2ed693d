use super::numbers::first_few;
use super::value_errors::ValueErrorMismatch;
use super::values::Subject;
use crate::error::Error;
use crate::game::Side;
use crate::graph::WORST_OPPONENTS;
use crate::train::{EvaluationMethod, Metric, Recorded};

/// A selection of runs' results; by default everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Only {
    /// Only this side.
    pub side: Option<Side>,
    /// Only results against these opponents, unless empty.
    pub opponents: Vec<String>,
}

/// What runs have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// The sides that all runs learned, X first.
    pub sides: Vec<Side>,
    /// The opponents that all runs have, in the order of the first run.
    pub opponents: Vec<String>,
    /// Whether their value errors measure different things.
    pub value_errors: Option<ValueErrorMismatch>,
    only: Only,
}

/// The opponents of a run, followed by the worst ones if its rows are exact.
pub fn opponents(data: &Recorded) -> Vec<String> {
    let own = data.config.evaluation.opponents.iter();
    let worst: &[&str] = match data.method() {
        EvaluationMethod::Exact => &WORST_OPPONENTS,
        EvaluationMethod::Sampled => &[],
    };
    let worst = worst.iter().map(ToString::to_string);
    own.map(ToString::to_string).chain(worst).collect()
}

impl Shared {
    /// What these runs have in common, within the selection. Errors: [`Error::Input`] with what there is, if they
    /// do not share the game, a side and an opponent, or the selected ones. Panics without a run.
    pub fn of(runs: &[Recorded], only: &Only) -> Result<Shared, Error> {
        let first = &runs[0];
        if let Some(other) = runs.iter().find(|run| run.config.game != first.config.game) {
            return Err(Error::input(format!(
                "{} plays {} but {} plays {}; only runs of one game can be compared",
                first.name, first.config.game.name, other.name, other.config.game.name
            )));
        }
        let all_have = |side: &Side| runs.iter().all(|run| run.config.side.list().contains(side));
        let mut sides: Vec<Side> = Side::BOTH.into_iter().filter(all_have).collect();
        let mut shared = opponents(first);
        shared.retain(|opponent| runs.iter().all(|run| opponents(run).contains(opponent)));
        let nothing = |what: &str, of: &dyn Fn(&Recorded) -> String| {
            let has = |run: &Recorded| format!("{} has {}", run.name, of(run));
            let each: Vec<String> = runs.iter().map(has).collect();
            let each = first_few(&each, 5);
            Err(Error::input(format!(
                "the runs have no {what} in common: {each}"
            )))
        };
        if sides.is_empty() {
            return nothing("side", &|run| run.config.side.to_string());
        } else if shared.is_empty() {
            return nothing("opponent", &|run| opponents(run).join(" and "));
        }
        if let Some(side) = only.side.filter(|side| !sides.contains(side)) {
            let there: Vec<String> = sides.iter().map(|side| side.letter().to_string()).collect();
            return Err(Error::input(format!(
                "--side {}: expected a side that every run has: {}",
                side.letter(),
                there.join(", ")
            )));
        }
        let mut named = only.opponents.iter();
        if let Some(other) = named.find(|opponent| !shared.contains(opponent)) {
            return Err(Error::input(format!(
                "--opponent {other}: expected one that every run has results against: {}",
                shared.join(", ")
            )));
        }
        sides.retain(|side| only.side.is_none_or(|one| one == *side));
        shared.retain(|one| only.opponents.is_empty() || only.opponents.contains(one));
        Ok(Shared {
            sides,
            opponents: shared,
            value_errors: ValueErrorMismatch::of(runs),
            only: only.clone(),
        })
    }

    /// A sentence about value errors that measure different things: `asked` says what follows if they are among the
    /// metrics; `left_out` says that they are left out if there are no metrics.
    pub fn value_errors_note(
        &self,
        metrics: &[Metric],
        asked: &str,
        left_out: &str,
    ) -> Option<String> {
        let apart = self.value_errors.as_ref()?;
        match metrics.contains(&Metric::ValueError) {
            true => Some(apart.note(asked)),
            false => {
                (metrics.is_empty() && !self.has_named_opponents()).then(|| apart.note(left_out))
            }
        }
    }

    /// Sentences about the side and the opponents that only some runs have, unless others were selected; `done` is
    /// what is not done for these subjects.
    pub fn left_out(&self, runs: &[Recorded], subjects: &[Subject], done: &str) -> Vec<String> {
        let is_in = |side: &Side| runs.iter().any(|run| run.config.side.list().contains(side));
        let is_missing = |side: &Side| !self.sides.contains(side) && is_in(side);
        let side = Side::BOTH.into_iter().find(is_missing);
        let side = side.filter(|_| self.only.side.is_none());
        let side = side.map(|side| {
            let letter = side.letter();
            format!("Not {done}, because not every run has this side: {letter}.")
        });
        let mut missing: Vec<String> = runs.iter().flat_map(opponents).collect();
        missing.retain(|opponent| !self.opponents.contains(opponent));
        missing.sort_unstable();
        missing.dedup();
        let all = missing.join(", ");
        let is_asked = subjects.iter().any(|subject| subject.opponent.is_some());
        let opponents = (is_asked && !self.has_named_opponents() && !missing.is_empty())
            .then(|| format!("Not {done}, because not every run played against them: {all}."));
        side.into_iter().chain(opponents).collect()
    }

    /// Whether opponents were selected.
    fn has_named_opponents(&self) -> bool {
        !self.only.opponents.is_empty()
    }

    /// The subjects for these metrics, for each side, against each opponent if they are about one. Without metrics:
    /// those that say the most, without value errors that measure different things; or, if opponents were selected,
    /// the results against these. Errors: [`Error::Input`] if a run lacks one of the metrics, or has it for other
    /// openings or endgames, or if opponents were selected and no metric is about one.
    pub fn subjects(&self, runs: &[Recorded], metrics: &[Metric]) -> Result<Vec<Subject>, Error> {
        for metric in metrics {
            if let Some(without) = runs.iter().find(|run| !metric.is_in(run)) {
                return Err(Error::input(format!(
                    "{} has no {}",
                    without.name,
                    metric.missing()
                )));
            }
        }
        for metric in metrics {
            let asked = |run: &Recorded| asked(*metric, run);
            if let Some(other) = runs.iter().find(|run| asked(run) != asked(&runs[0])) {
                let asked_text = |run: &Recorded| asked(run).unwrap_or_default();
                return Err(Error::input(format!(
                    "{}: {} has {} and {} has {}; only runs with the same can be compared by it",
                    metric.name(),
                    runs[0].name,
                    asked_text(&runs[0]),
                    other.name,
                    asked_text(other)
                )));
            }
        }
        let is_about = |metric: &Metric| metric.is_about_an_opponent();
        let is_about_none = !metrics.is_empty() && !metrics.iter().any(is_about);
        if self.has_named_opponents() && is_about_none {
            let names: Vec<&str> = metrics.iter().map(|metric| metric.name()).collect();
            return Err(Error::input(format!(
                "--opponent is for rates of wins, draws and losses: {} has none",
                names.join(", ")
            )));
        }
        let are_alike =
            |metric: Metric| metric != Metric::ValueError || self.value_errors.is_none();
        let all_have = |metric: Metric| are_alike(metric) && all_have(runs, metric);
        let of_whom = match metrics {
            [] if self.has_named_opponents() => {
                let named = self.opponents.iter();
                named.flat_map(|opponent| results(opponent)).collect()
            }
            [] => story(&self.opponents, all_have),
            _ => each(metrics, &self.opponents),
        };
        let of_side = |&side: &Side| {
            of_whom.iter().map(move |&(metric, opponent)| Subject {
                side,
                metric,
                opponent: opponent.map(str::to_owned),
                alike: are_alike(metric),
            })
        };
        Ok(self.sides.iter().flat_map(of_side).collect())
    }
}

/// Whether all of these runs have a metric, and measure the same thing with it, as far as their configs say.
pub fn all_have(runs: &[Recorded], metric: Metric) -> bool {
    let is_in = |run| metric.is_in(run) && asked(metric, run) == asked(metric, &runs[0]);
    runs.iter().all(is_in)
}

/// What a metric of a run depends on besides its game and opponents: the length of openings or endgames.
fn asked(metric: Metric, run: &Recorded) -> Option<String> {
    let evaluation = &run.config.evaluation;
    let (key, number) = match metric {
        Metric::WonOpenings => ("openings", evaluation.openings),
        Metric::DiscsLost => ("endgames", evaluation.endgames),
        _ => return None,
    };
    Some(format!("evaluation.{key} = {}", number.unwrap_or(0)))
}

/// A metric, and the opponent if it is about one.
type OfWhom<'a> = (Metric, Option<&'a str>);

/// The subjects that a comparison shows by default: what is proven, wins and losses against each opponent,
/// the most losses possible, and what is known about moves and values. Draws are what is missing to 1.
fn story(opponents: &[String], all_have: impl Fn(Metric) -> bool) -> Vec<OfWhom<'_>> {
    let [best_response, _] = WORST_OPPONENTS;
    let mut subjects = Vec::new();
    let is_proven = all_have(Metric::UnbeatableSeeds);
    if is_proven {
        subjects.push((Metric::UnbeatableSeeds, None));
    }
    let shown = opponents
        .iter()
        .filter(|opponent| *opponent != best_response);
    subjects.extend(shown.flat_map(|opponent| results(opponent)));
    // Where nothing is proven, this metric says the most.
    if !is_proven && all_have(Metric::OptimalMoveRate) {
        subjects.push((Metric::OptimalMoveRate, None));
    }
    for metric in Metric::OF_TRAINING {
        if metric != Metric::OptimalMoveRate && all_have(metric) {
            subjects.push((metric, None));
        }
    }
    subjects
}

/// Wins and losses against an opponent; only losses if it is computed from the agent.
fn results(opponent: &str) -> impl Iterator<Item = OfWhom<'_>> {
    let is_worst = WORST_OPPONENTS.contains(&opponent);
    let wins = (!is_worst).then_some((Metric::WinRate, Some(opponent)));
    wins.into_iter().chain([(Metric::LossRate, Some(opponent))])
}

/// Each metric against each opponent, if it is about one.
fn each<'a>(metrics: &[Metric], opponents: &'a [String]) -> Vec<OfWhom<'a>> {
    let of_metric = |&metric: &Metric| match metric.is_about_an_opponent() {
        false => vec![(metric, None)],
        true => opponents
            .iter()
            .map(|opponent| (metric, Some(opponent.as_str())))
            .collect(),
    };
    metrics.iter().flat_map(of_metric).collect()
}
