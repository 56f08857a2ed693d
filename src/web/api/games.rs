//! The endpoints about games and agents.

use std::path::Path;

use serde_json::{Value, json};

use crate::agent::{AgentSpec, SpecForm};
use crate::game::{GameInfo, games as all_games};
use crate::store::RUNS;
use crate::text::shell_word;
use crate::web::lab::{self, Lab, TREE_MEMORY};
use crate::web::reply::{Refusal, Reply};
use crate::workflow::GameDescription;

/// Describes this server.
pub fn lab(lab: &Lab) -> Result<Reply, Refusal> {
    Ok(Reply::json(&json!({
        "version": env!("CARGO_PKG_VERSION"),
        "directory": lab.runs.directory().display().to_string(),
        "newcomer": newcomer(lab.runs.directory()),
        "searches": lab::searches(),
        "seconds": lab::SECONDS,
    })))
}

/// Finds the game with this name. Errors: there is none.
pub fn find(name: &str) -> Result<&'static GameInfo, Refusal> {
    GameInfo::find(name).map_err(Refusal::input)
}

/// All games, and their boards.
pub fn games(lab: &Lab) -> Result<Reply, Refusal> {
    let games = all_games().iter();
    let describe = |info| GameDescription::of(info, &lab.offered(info));
    let games: Vec<GameDescription> = games.map(describe).collect();
    Ok(Reply::json(&json!({ "games": games })))
}

/// All kinds of agents, and their options.
pub fn agents() -> Result<Reply, Refusal> {
    let agents: Vec<Value> = AgentSpec::all_forms().map(agent).collect();
    Ok(Reply::json(&json!({ "agents": agents })))
}

fn agent(form: &SpecForm) -> Value {
    let mut value = json!(form);
    value["name"] = json!(form.names[0]);
    let options = value["options"].as_array_mut().into_iter().flatten();
    for option in options.filter(|option| option["name"] == "memory") {
        option["default"] = json!(TREE_MEMORY.to_string());
        option["maximum"] = json!(TREE_MEMORY);
    }
    value
}

/// A command that trains a first run into a directory.
fn newcomer(directory: &Path) -> String {
    let train = "lab train --config configs/qtable_o.toml --set checkpoints.every=1";
    match directory == Path::new(RUNS) {
        true => train.to_owned(),
        false => {
            let mut places = (1_u64..).map(|n| directory.join(format!("qtable_o-{n}")));
            let free = places.find(|place| !place.exists());
            let out = free.expect("there is a free number");
            format!("{train} --out {}", shell_word(&out))
        }
    }
}
