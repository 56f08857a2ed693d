//! Inside an agent.

use std::sync::Arc;

use serde_json::{Value, json};

use super::play::spec;
use super::position::{line, of_move};
use super::run::find;
use crate::agent::AgentSpec;
use crate::evaluate::{Analysis, AnalyzedMove};
use crate::game::{Move, Position, Side};
use crate::search::Limits;
use crate::store::CheckpointChoice;
use crate::threads::locked;
use crate::train::Experiment;
use crate::web::lab::{Inside, Lab};
use crate::web::query::Query;
use crate::web::reply::{Refusal, Reply};
use crate::workflow::{Explorer, Line, Look, ORACLE_NODES, Opinion, first_judge, seed_of};

/// Mistakes that are listed.
const MISTAKES: usize = 100;

/// A run that is looked into, and a checkpoint of it.
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

fn truth(lab: &Lab, position: Position) -> Result<Option<Analysis>, Refusal> {
    if position.outcome().is_some() {
        return Ok(None);
    }
    let truth = lab.truth(position.game())?;
    let found = locked(&truth).analyze(position, &Limits::nodes(ORACLE_NODES));
    Ok(found.ok().flatten())
}

fn about(analysis: &Option<Analysis>, mv: Move) -> Option<&AnalyzedMove> {
    analysis.as_ref()?.moves.iter().find(|found| found.mv == mv)
}

/// What a checkpoint thinks of a position, beside what is true.
pub fn look(lab: &Lab, query: &Query, limits: &Limits) -> Result<Reply, Refusal> {
    let (inside, explorer) = chosen(lab, query, limits)?;
    let line = line_in(query, &inside.experiment)?;
    let truth = truth(lab, line.position)?;
    let mut told = json!(Look::of(&explorer, &line, truth.as_ref(), limits)?);
    told["run"] = json!(query.need("run")?);
    Ok(Reply::json(&told))
}

/// What every checkpoint of a seed thinks of a position.
pub fn history(lab: &Lab, query: &Query, limits: &Limits) -> Result<Reply, Refusal> {
    let inside = lab.inside(&find(lab, query.need("run")?)?, limits)?;
    let line = line_in(query, &inside.experiment)?;
    let position = line.position;
    let truth = truth(lab, position)?;
    let (mut epochs, mut episodes) = (Vec::new(), Vec::new());
    let mut all: Vec<Vec<Opinion>> = Vec::new();
    inside.each(seed(query, &inside)?, limits, |explorer| {
        epochs.push(explorer.epoch);
        episodes.push(explorer.episodes);
        all.push(explorer.moves(position, limits)?);
        Ok(())
    })?;
    let moves = position.moves().enumerate().map(|(number, mv)| {
        let of_epochs = |of: fn(&Opinion) -> Value| -> Vec<Value> {
            let known = |moves: &Vec<Opinion>| moves.get(number).map_or(Value::Null, of);
            all.iter().map(known).collect()
        };
        let found = about(&truth, mv);
        let said = json!({
            "value": found.map(|found| found.value),
            "optimal": found.map(|found| found.optimal),
            "q": of_epochs(|known| json!(known.q)),
            "probability": of_epochs(|known| json!(known.probability)),
            "visits": of_epochs(|known| json!(known.visits)),
        });
        of_move(position, mv, said)
    });
    let moves: Vec<Value> = moves.collect();
    Ok(Reply::json(&json!({
        "epochs": epochs,
        "episodes": episodes,
        "value": truth.as_ref().map(|truth| truth.value),
        "moves": moves,
    })))
}

/// The side that is meant; the first that was learned, if none is named.
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
    let found = explorer.mistakes(side, (&opponent, &*other), MISTAKES, limits)?;
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
