//! What is proven of the checkpoints of a training.

use super::told_line::{LineStep, line_of, policy_of};
use super::train::Run;
use crate::error::Error;
use crate::game::{Side, Value};
use crate::store::{Checkpoint, CheckpointChoice};
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
    /// Whether the side loses under perfect play, so that nobody is unbeatable as it.
    pub is_lost: bool,
    /// The seeds that can be beaten; the others are unbeatable.
    pub beatable: Vec<u64>,
    /// The line that beats the first of these, if there is one and its checkpoint was kept.
    pub line: Option<Vec<LineStep>>,
}

/// The verdicts on the best checkpoints, and on the last ones where these are others; none where nothing is
/// proven. Errors: [`Error::Input`] if a checkpoint whose losing line is to be told cannot be read.
pub fn proven(run: &Run, data: &Recorded, seeds: &[SeedSummary]) -> Result<Vec<Proven>, Error> {
    if data.method() != EvaluationMethod::Exact {
        return Ok(Vec::new());
    }
    let [best, last] = AllSeeds::best_and_last(data, seeds);
    let mut checkpoints = vec![(CheckpointChoice::Best, best)];
    if seeds.iter().any(|seed| seed.best != seed.last) {
        checkpoints.push((CheckpointChoice::Last, last));
    }
    let solved = run.experiment.solved.as_deref();
    let mut found = Vec::new();
    for (selection, all) in checkpoints {
        for &side in data.config.side.list() {
            let beatable = all.beatable(side);
            let line = match beatable.first() {
                Some(&seed) => losing_line(run, seed, selection, side)?,
                None => None,
            };
            found.push(Proven {
                selection,
                side,
                seeds: seeds.len(),
                is_lost: solved.is_some_and(|solved| solved.value_for(side) == Value::Loss),
                beatable,
                line,
            });
        }
    }
    Ok(found)
}

/// Why it is no fault of an agent to be beatable as a side that is lost from the start, behind what is said of it.
pub fn told_lost(side: Side) -> String {
    format!(
        " (as anybody is: {} wins under perfect play)",
        (!side).letter()
    )
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
