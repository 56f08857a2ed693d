//! What can be played, and by whom.

use std::path::Path;

use serde_json::{Value, json};

use super::play::TREE_MEMORY;
use crate::agent::{AgentSpec, Level, ToldForm};
use crate::game::{GameInfo, Labels, Pieces, games as all_games};
use crate::search::{Scoring, solver_facts};
use crate::text::shell_word;
use crate::web::lab::{self, Lab};
use crate::web::reply::{Refusal, Reply};

/// What this server is.
pub fn lab(lab: &Lab) -> Result<Reply, Refusal> {
    Ok(Reply::json(&json!({
        "version": env!("CARGO_PKG_VERSION"),
        "directory": lab.runs.directory().display().to_string(),
        "newcomer": newcomer(lab.runs.directory()),
        "searches": lab::searches(),
        "seconds": lab::SECONDS,
    })))
}

/// The game of this name. Errors: that there is none.
pub fn find(name: &str) -> Result<&'static GameInfo, Refusal> {
    GameInfo::find(name).map_err(|error| Refusal::input(error.to_string()))
}

/// Every game, and its board.
pub fn games(lab: &Lab) -> Result<Reply, Refusal> {
    let games = all_games().iter().map(|info| game(info, &lab.offered));
    let games: Vec<Value> = games.collect();
    Ok(Reply::json(&json!({ "games": games })))
}

/// A game, and its board.
pub fn game(info: &'static GameInfo, offered: &[AgentSpec]) -> Value {
    let geometry = info.geometry();
    let letter = |column: usize| char::from(b'a' + column as u8).to_string();
    let numbers = |count: usize| -> Vec<String> { (1..=count).map(|n| n.to_string()).collect() };
    let letters = || (0..geometry.width).map(letter).collect();
    let (shape, columns, rows): (_, Vec<String>, _) = match info.labels {
        Labels::LettersAndNumbers => ("squares", letters(), Some(numbers(geometry.height))),
        Labels::Slanted => ("hexagons", letters(), Some(numbers(geometry.height))),
        Labels::NumberedColumns => ("columns", numbers(geometry.width), None),
    };
    json!({
        "name": info.name,
        "summary": info.summary,
        "listed": info.listed,
        "width": geometry.width,
        "height": geometry.height,
        "shape": shape,
        "labels": { "columns": columns, "rows": rows },
        "pieces": match info.pieces {
            Pieces::Marks => "marks",
            Pieces::Stones => "stones",
            Pieces::Discs => "discs",
        },
        "symmetries": info.symmetries,
        "score_meaning": solver_facts(info, Scoring::Raw).score_meaning,
        "agents": menu(info, offered),
    })
}

/// Specs for a menu, from those that play badly on.
const MENU: [&str; 12] = [
    "random",
    "level:beginner",
    "level:easy",
    "level:medium",
    "level:hard",
    "level:master",
    "block-or-random",
    "greedy",
    "alpha-beta:depth=4",
    "mcts:simulations=200",
    "mcts:simulations=2000",
    "minimax",
];

fn menu(info: &'static GameInfo, offered: &[AgentSpec]) -> Vec<String> {
    let can_play = |spec: &&&str| {
        let spec = spec.parse::<AgentSpec>();
        spec.is_ok_and(|spec| spec.check(info).is_ok())
    };
    let offered = offered.iter().filter(|spec| spec.check(info).is_ok());
    MENU.iter()
        .filter(can_play)
        .map(|spec| (*spec).to_owned())
        .chain(offered.map(ToString::to_string))
        .collect()
}

/// Every kind of agent, and its options.
pub fn agents() -> Result<Reply, Refusal> {
    let agents: Vec<Value> = AgentSpec::forms_told().iter().map(agent).collect();
    Ok(Reply::json(&json!({ "agents": agents })))
}

fn agent(form: &ToldForm) -> Value {
    let mut told = json!(form);
    told["name"] = json!(form.names[0]);
    let options = told["options"].as_array_mut().into_iter().flatten();
    for option in options.filter(|option| option["name"] == "memory") {
        option["default"] = json!(TREE_MEMORY.to_string());
        option["maximum"] = json!(TREE_MEMORY);
    }
    if form.names[0] == "level" {
        told["options"] = json!([{
            "name": "level",
            "default": Level::Medium.name(),
            "about": "How strong it is.",
            "type": "choice",
            "minimum": null,
            "maximum": null,
            "choices": Level::ALL.map(Level::name),
        }]);
    }
    told
}

/// A command that trains a first run in a directory.
fn newcomer(directory: &Path) -> String {
    let train = "lab train --config configs/qtable_o.toml --set checkpoints.every=1";
    match directory == Path::new("runs") {
        true => train.to_owned(),
        false => format!("{train} --out {}", shell_word(&directory.join("qtable_o"))),
    }
}
