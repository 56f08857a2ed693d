//! What is proven about the checkpoints of a training.

use super::losing_line::{LineStep, line_of, policy_of};
use super::train::Run;
use crate::error::Error;
use crate::game::{Side, Value};
use crate::stats::quantile;
use crate::store::{Checkpoint, CheckpointChoice};
use crate::text::{out_of, thousands};
use crate::train::{AllSeeds, EvaluationMethod, Recorded, SeedSummary};

/// The verdict on one checkpoint of each seed, as one side.
#[derive(Clone, Debug, PartialEq)]
pub struct Proven {
    /// Which checkpoint.
    pub selection: CheckpointChoice,
    /// The side.
    pub side: Side,
    /// How many seeds there are.
    pub seeds: usize,
    /// Whether the side loses under perfect play, so that no agent is unbeatable as it.
    pub is_lost: bool,
    /// The seeds whose agents can be beaten; the others are unbeatable.
    pub beatable: Vec<u64>,
    /// The line that beats the first of these, if there is one and its checkpoint was kept.
    pub line: Option<Vec<LineStep>>,
}

impl Proven {
    /// The verdict in words, without the line; `data` is what the run recorded.
    pub fn text(&self, data: &Recorded) -> String {
        let so_far = if data.finished { "" } else { " so far" };
        let which = match data.config.learner {
            Some(_) => format!("Verdict{so_far}, {}", self.selection),
            None => format!("Verdict{so_far}"),
        };
        let begun = match self.seeds {
            all if data.finished || all as u64 == data.config.seeds.count() => "",
            1 => " that has begun",
            _ => " that have begun",
        };
        let seeds = match (self.beatable.len(), self.seeds) {
            (_, 1) if begun.is_empty() => String::new(),
            (_, 1) => " in the seed".to_owned(),
            (0, 2) => " in both seeds".to_owned(),
            (0, all) => format!(" in all {} seeds", thousands(all as u64)),
            (some, all) => format!(" in {} seeds", out_of(some, all)),
        };
        let seeds = seeds + begun;
        let is_beatable = !self.beatable.is_empty();
        let verdict = verdict_text(self.side, is_beatable, self.is_lost, &seeds);
        format!("{which}: {verdict}")
    }
}

/// The verdict in words: whether an agent can be beaten as a side, in these `seeds`. If the side `is_lost` from the
/// start, that is no fault of the agent.
pub fn verdict_text(side: Side, is_beatable: bool, is_lost: bool, seeds: &str) -> String {
    let [letter, other] = [side, !side].map(Side::letter);
    match (is_beatable, is_lost) {
        (false, _) => {
            format!("unbeatable as {letter}{seeds}, proven over every position it can meet")
        }
        (true, false) => format!("beatable as {letter}{seeds}"),
        (true, true) => {
            format!("beatable as {letter} (as anybody is: {other} wins under perfect play){seeds}")
        }
    }
}

/// From which episode on the seeds of a run that were unbeatable at the last evaluation had been so at every one, in
/// words; `None` if there are no such seeds, or nothing learns.
pub fn unbeatable_from_text(data: &Recorded, seeds: &[SeedSummary]) -> Option<String> {
    let from = seeds.iter().filter_map(|seed| seed.unbeatable_from);
    let from: Vec<f64> = from.map(|episodes| episodes as f64).collect();
    if from.is_empty() || data.config.learner.is_none() {
        return None;
    }
    let at = |level: f64| thousands(quantile(&from, level).round() as u64);
    let [median, low, high] = [0.5, 0.1, 0.9].map(at);
    let range = match from.len() {
        1 => String::new(),
        _ => format!(" (median; 10–90 %: {low}–{high})"),
    };
    let whose = match from.len() {
        all if all == seeds.len() => String::new(),
        some if !data.finished => format!(", in {} seeds", out_of(some, seeds.len())),
        1 => ", for the seed that ends unbeatable".to_owned(),
        some => format!(
            ", for the {} seeds that end unbeatable",
            thousands(some as u64)
        ),
    };
    let [_, last] = AllSeeds::best_and_last(data, seeds);
    let mut sides = Side::BOTH.into_iter();
    let wins = sides.find(|&side| last.is_shown_lost(!side));
    let side = wins.map_or(String::new(), |side| format!(" as {}", side.letter()));
    let until = if data.finished {
        "to the end"
    } else {
        "so far"
    };
    Some(format!(
        "Unbeatable{side} {until} from episode {median} on{range}{whose}"
    ))
}

/// The verdicts, without lines, on the best checkpoints of a run with computed strength, and on the last ones if they
/// differ.
pub(super) fn verdicts(data: &Recorded, seeds: &[SeedSummary]) -> Vec<Proven> {
    let [best, last] = AllSeeds::best_and_last(data, seeds);
    let mut checkpoints = vec![(CheckpointChoice::Best, &best)];
    if seeds.iter().any(|seed| seed.best != seed.last) {
        checkpoints.push((CheckpointChoice::Last, &last));
    }
    let mut found = Vec::new();
    for (selection, all) in checkpoints {
        found.extend(data.config.side.list().iter().map(|&side| Proven {
            selection,
            side,
            seeds: seeds.len(),
            is_lost: best.is_shown_lost(side) || last.is_shown_lost(side),
            beatable: all.beatable(side),
            line: None,
        }));
    }
    found
}

/// The verdicts on the best checkpoints, and on the last ones if they differ; empty where nothing is
/// proven. Errors: [`Error::Input`] if a checkpoint whose losing line is to be shown cannot be read.
pub fn proven(run: &Run, data: &Recorded, seeds: &[SeedSummary]) -> Result<Vec<Proven>, Error> {
    if data.method() != EvaluationMethod::Exact {
        return Ok(Vec::new());
    }
    let mut found = verdicts(data, seeds);
    let solved = run.experiment.solved.as_deref();
    for proven in &mut found {
        proven.is_lost |= solved.is_some_and(|solved| solved.value_for(proven.side) == Value::Loss);
        if let Some(&seed) = proven.beatable.first() {
            proven.line = losing_line(run, seed, proven.selection, proven.side)?;
        }
    }
    Ok(found)
}

fn losing_line(
    run: &Run,
    seed: u64,
    selection: CheckpointChoice,
    side: Side,
) -> Result<Option<Vec<LineStep>>, Error> {
    let trial = run.experiment.config.trial();
    let Some(checkpoint) = Checkpoint::select(&run.directory, &trial, seed, selection)? else {
        return Ok(None);
    };
    let learner = checkpoint.restore(&run.experiment.setup)?.learner;
    let policy = policy_of(learner.as_ref(), &run.experiment, side);
    Ok(policy.and_then(|(solved, policy)| line_of(solved, &policy, side)))
}
