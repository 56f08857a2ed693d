//! The endpoints for a look inside an agent.

use std::sync::Arc;

use serde_json::json;

use super::play::spec;
use super::position::line;
use super::run::find;
use crate::agent::AgentSpec;
use crate::evaluate::Analysis;
use crate::game::{Position, Side};
use crate::search::Limits;
use crate::store::CheckpointChoice;
use crate::threads::locked;
use crate::train::Experiment;
use crate::web::lab::{Inside, Lab};
use crate::web::query::Query;
use crate::web::reply::{Refusal, Reply};
use crate::workflow::{Explorer, History, Line, Look, first_judge, seed_of, truth};

/// The most mistakes that are listed.
const MISTAKES: usize = 100;

/// The requested run, and the requested checkpoint of it.
fn chosen(
    lab: &Lab,
    query: &Query,
    limits: &Limits,
) -> Result<(Arc<Inside>, Arc<Explorer>), Refusal> {
    let inside = lab.inside(&find(lab, query.need("run")?)?, limits)?;
    let selection = query.get("checkpoint").unwrap_or("best");
    let selection: CheckpointChoice = selection.parse().map_err(Refusal::input)?;
    let explorer = inside.explorer(seed(query, &inside)?, selection)?;
    Ok((inside, explorer))
}

fn seed(query: &Query, inside: &Inside) -> Result<u64, Refusal> {
    let seeds = inside.experiment.config.seeds.list();
    let asked = query.parsed("seed", "a seed of the run")?;
    seed_of("the run", &seeds, asked).map_err(Refusal::missing)
}

fn line_in(query: &Query, experiment: &Experiment) -> Result<Line, Refusal> {
    let game = experiment.config.game.name;
    line(game, query.get("position"), query.get("moves"))
}

fn truth_of(lab: &Lab, position: Position) -> Result<Option<Analysis>, Refusal> {
    let oracle = lab.truth(position.game())?;
    Ok(truth(&mut locked(&oracle), position))
}

/// What a checkpoint thinks of a position, next to the truth.
pub fn look(lab: &Lab, query: &Query, limits: &Limits) -> Result<Reply, Refusal> {
    let (inside, explorer) = chosen(lab, query, limits)?;
    let line = line_in(query, &inside.experiment)?;
    let truth = truth_of(lab, line.position)?;
    let mut value = json!(Look::of(&explorer, &line, truth.as_ref(), limits)?);
    value["run"] = json!(query.need("run")?);
    Ok(Reply::json(&value))
}

/// What every checkpoint of a seed thinks of a position.
pub fn history(lab: &Lab, query: &Query, limits: &Limits) -> Result<Reply, Refusal> {
    let inside = lab.inside(&find(lab, query.need("run")?)?, limits)?;
    let line = line_in(query, &inside.experiment)?;
    let truth = truth_of(lab, line.position)?;
    let mut history = History::new(line.position, truth.as_ref());
    inside.each(seed(query, &inside)?, limits, |explorer| {
        history.add(explorer, limits)
    })?;
    Ok(Reply::json(&history))
}

/// The requested side; by default the first that was learned.
fn side(query: &Query, explorer: &Explorer) -> Result<Side, Refusal> {
    match query.parsed("side", "x or o")? {
        None => Ok(explorer.sides[0]),
        Some(side) if explorer.sides.contains(&side) => Ok(side),
        Some(side) => Err(Refusal::input(format!(
            "{} was not learned by this run",
            side.letter()
        ))),
    }
}

/// Where a checkpoint errs.
pub fn mistakes(lab: &Lab, query: &Query, limits: &Limits) -> Result<Reply, Refusal> {
    let (inside, explorer) = chosen(lab, query, limits)?;
    let side = side(query, &explorer)?;
    let config = &inside.experiment.config;
    let opponent: AgentSpec = match query.get("opponent") {
        Some(text) => spec(lab, text)?,
        None => {
            let first = first_judge(config).cloned();
            first.unwrap_or("random".parse().map_err(Refusal::input)?)
        }
    };
    let other = lab.agent(config.game, &opponent)?;
    let other = explorer.policy_of(&opponent, &*other, limits)?;
    let found = explorer.mistakes(side, (&opponent, &other), MISTAKES)?;
    Ok(Reply::json(&found))
}

/// The line that beats a checkpoint.
pub fn losing_line(lab: &Lab, query: &Query, limits: &Limits) -> Result<Reply, Refusal> {
    let (_, explorer) = chosen(lab, query, limits)?;
    let line = explorer.losing_line(side(query, &explorer)?)?;
    let moves = line.iter().flatten().map(|step| step.mv.as_str());
    let moves: Vec<&str> = moves.collect();
    Ok(Reply::json(
        &json!({ "moves": moves.join(","), "line": line }),
    ))
}
