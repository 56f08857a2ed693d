//! What a report on a run shows in addition to the run's own results.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::explore::{Explorer, first_judge};
use super::losing_line::LineStep;
use super::mistakes::Mistakes;
use crate::agent::{Stage, Thought};
use crate::compare::number_text;
use crate::error::Error;
use crate::game::{GameInfo, Outcome, Position, Side, Value};
use crate::graph::Solved;
use crate::search::Limits;
use crate::store::{Checkpoint, CheckpointChoice, RunDirectory};
use crate::train::Experiment;

/// Boards with more positions than this are not written into a report.
const MOST_POSITIONS: usize = 12_000;
/// The number of mistakes listed for each checkpoint.
const MISTAKES: usize = 10;

/// A look into the best and the last checkpoint of a run's first seed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Insight {
    /// The lines that beat them; `None` for a checkpoint that cannot be beaten.
    pub lines: Vec<LineOf>,
    /// Where they err in games against the first opponent of the config that reads no file and starts no program.
    pub mistakes: Vec<MistakesOf>,
    /// Every position, and what they think of it, if there are few positions.
    pub explorer: Option<Atlas>,
}

/// The line that beats a checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the keys of its JSON")]
pub struct LineOf {
    pub which: &'static str,
    pub side: Side,
    pub line: Option<Vec<LineStep>>,
}

/// Where a checkpoint errs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the keys of its JSON")]
pub struct MistakesOf {
    pub which: &'static str,
    #[serde(flatten)]
    pub found: Mistakes,
}

/// Every position of a game, its true value, and what checkpoints think of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Atlas {
    /// The seed.
    pub seed: u64,
    /// The learned sides.
    pub sides: &'static [Side],
    /// See [`Explorer::numbers`].
    pub numbers: &'static str,
    /// The checkpoints.
    pub checkpoints: Vec<CheckpointOf>,
    /// The live positions. Each text has fields separated by blanks: the value of the position and of each move, one
    /// letter each; the plies to the end after each move, one digit in base 36 each; and, where its side was learned,
    /// for each checkpoint the expected value of each move in thousandths, with a star after moves it plays.
    pub positions: BTreeMap<String, String>,
    /// The finished positions, and who won: `x`, `o`, or `d` for a draw.
    pub ends: BTreeMap<String, char>,
}

/// A checkpoint of an atlas.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the keys of its JSON")]
pub struct CheckpointOf {
    pub name: &'static str,
    pub epoch: u64,
    pub episodes: u64,
}

/// Looks into the best and the last checkpoint of a run's first seed; finds nothing where positions are not
/// listed, nothing is learned, or there is no checkpoint. Errors: [`Error`] if one cannot be read.
pub fn insight(
    run: &RunDirectory,
    experiment: &Experiment,
    stage: &Arc<Stage>,
) -> Result<Insight, Error> {
    let config = &experiment.config;
    let (Some(solved), Some(_)) = (experiment.exact(), &config.learner) else {
        return Ok(Insight::default());
    };
    let (trial, seed) = (config.trial(), config.seeds.list()[0]);
    let mut explorers: Vec<(&'static str, Explorer)> = Vec::new();
    for (name, selection) in [
        ("best", CheckpointChoice::Best),
        ("last", CheckpointChoice::Last),
    ] {
        let Some(checkpoint) = Checkpoint::select(run, &trial, seed, selection)? else {
            continue;
        };
        let explorer = Explorer::new(&checkpoint, experiment)?;
        match explorers.last_mut() {
            Some((name, best)) if best.epoch == explorer.epoch => *name = "best and last",
            _ => explorers.push((name, explorer)),
        }
    }
    let policy_of = |opponent| {
        let agent = stage.agent(opponent).ok()?;
        // Not every opponent's policy can be listed.
        let policy = agent.policy_within(solved, &Limits::NONE).ok()??;
        Some((opponent, policy))
    };
    let opponent = first_judge(config).and_then(policy_of);
    let mut insight = Insight::default();
    for &(which, ref explorer) in &explorers {
        for &side in explorer.sides {
            insight.lines.push(LineOf {
                which,
                side,
                line: explorer.losing_line(side)?,
            });
            if let Some((opponent, policy)) = &opponent {
                let found = explorer.mistakes(side, (opponent, policy), MISTAKES)?;
                insight.mistakes.push(MistakesOf { which, found });
            }
        }
    }
    insight.explorer = atlas(solved, &explorers)?;
    Ok(insight)
}

/// Every position, if there are few and each move fills its own square and no other, so that the
/// report's reader can make moves.
fn atlas(solved: &Solved, explorers: &[(&'static str, Explorer)]) -> Result<Option<Atlas>, Error> {
    let graph = &solved.graph;
    let Some((_, first)) = explorers.first() else {
        return Ok(None);
    };
    if graph.position_count() > MOST_POSITIONS || !fills_squares(graph.game()) {
        return Ok(None);
    }
    let letter = |value: Value| match value {
        Value::Win => 'w',
        Value::Draw => 'd',
        Value::Loss => 'l',
    };
    let (mut positions, mut ends) = (BTreeMap::new(), BTreeMap::new());
    for number in 0..graph.position_count() {
        let position = graph.position(number);
        if let Some(outcome) = graph.outcome(number) {
            let who = match outcome {
                Outcome::Win(Side::X) => 'x',
                Outcome::Win(Side::O) => 'o',
                Outcome::Draw => 'd',
            };
            ends.insert(position.to_string(), who);
            continue;
        }
        let edges = graph.edges(number);
        let mut text = String::from(letter(solved.solution.value(number)));
        text.extend(edges.clone().map(|edge| letter(solved.move_value(edge))));
        text.push(' ');
        text.extend(edges.map(|edge| digit(solved.solution.distance(graph.child(edge)) + 1)));
        for (_, explorer) in explorers {
            if explorer.sides.contains(&position.to_move()) {
                let known = explorer.moves(position, &Limits::NONE)?;
                let known: Vec<String> = known.iter().map(in_thousandths).collect();
                text = text + " " + &known.join(",");
            }
        }
        positions.insert(position.to_string(), text);
    }
    let of = |(name, explorer): &(&'static str, Explorer)| CheckpointOf {
        name,
        epoch: explorer.epoch,
        episodes: explorer.episodes,
    };
    Ok(Some(Atlas {
        seed: first.seed,
        sides: first.sides,
        numbers: first.numbers,
        checkpoints: explorers.iter().map(of).collect(),
        positions,
        ends,
    }))
}

/// A number of plies as one digit.
fn digit(plies: u32) -> char {
    char::from_digit(plies.min(35), 36).unwrap_or('z')
}

/// The expected value of a move in thousandths, if it has one, followed by a star if the move is played.
fn in_thousandths(known: &Thought) -> String {
    let q = known.value.map(|q| number_text(q * 1e3, 0));
    let is_played = known.probability > Some(0.0);
    q.unwrap_or_default() + if is_played { "*" } else { "" }
}

/// Whether stones are put on any empty square and stay there; checked only at the start and after the first
/// moves.
fn fills_squares(game: &'static GameInfo) -> bool {
    let fills = |position: Position| {
        let rows = position.rows();
        let free = rows.iter().enumerate().flat_map(|(row, squares)| {
            let free = squares.match_indices('.');
            free.map(move |(column, _)| Some((row, column)))
        });
        let squares = position.moves().map(|mv| position.square(mv));
        // The report knows no other notation than the rows.
        position.to_string() == rows.join("/") && squares.eq(free)
    };
    let start = Position::start(game);
    fills(start) && start.moves().all(|mv| fills(start.play_unchecked(mv)))
}
