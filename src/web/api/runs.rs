//! The list of runs and tournaments.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};

use crate::store::{PastRating, PastTournament};
use crate::web::lab::Lab;
use crate::web::reply::{Refusal, Reply};
use crate::workflow::{RunRow, list_tournaments};

/// Between two looks at files.
pub const PAUSE: Duration = Duration::from_millis(400);
/// After so many looks something is said, to see whether somebody listens.
pub const SILENCE: u32 = 25;

#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    row: &'a RunRow,
    readable: bool,
}

/// A row of the list.
pub fn row(row: &RunRow) -> Value {
    let readable = row.told.is_some();
    serde_json::to_value(Row { row, readable }).expect("a row is JSON")
}

fn tournaments(lab: &Lab) -> Result<Vec<Value>, Refusal> {
    let tournament = |(name, past): (String, Option<PastTournament>)| {
        let Some(past) = past else {
            return json!({ "name": name, "readable": false });
        };
        let elo = |agent: &&PastRating| agent.elo.unwrap_or(f64::NEG_INFINITY);
        let first = past.ratings.iter().max_by(|a, b| elo(a).total_cmp(&elo(b)));
        json!({
            "name": name,
            "readable": true,
            "game": past.game,
            "first": first.map(|first| &first.agent),
            "elo": first.and_then(|first| first.elo),
            "agents": past.ratings.len(),
            "games_per_pair": past.games_per_pair,
            "interrupted_at": past.interrupted_at(),
        })
    };
    let all = list_tournaments(lab.runs.directory())?;
    Ok(all.into_iter().map(tournament).collect())
}

fn told(rows: &[RunRow], tournaments: &[Value]) -> Value {
    let runs: Vec<Value> = rows.iter().map(row).collect();
    json!({ "runs": runs, "tournaments": tournaments })
}

/// All runs and tournaments.
pub fn list(lab: &Lab) -> Result<Reply, Refusal> {
    Ok(Reply::json(&told(&lab.runs.rows()?, &tournaments(lab)?)))
}

/// All runs and tournaments, and then whatever changes.
pub fn watch_list(lab: &Arc<Lab>) -> Result<Reply, Refusal> {
    let lab = Arc::clone(lab);
    Reply::watch(move |events| {
        let by_name = |rows: Vec<RunRow>| -> BTreeMap<String, RunRow> {
            let named = rows.into_iter().map(|row| (row.name.clone(), row));
            named.collect()
        };
        let (rows, mut held) = (lab.runs.rows()?, tournaments(&lab)?);
        events.tell("runs", &told(&rows, &held));
        let mut known = by_name(rows);
        let mut silent = 0;
        while events.wait(PAUSE) {
            let (rows, held_now) = (lab.runs.rows()?, tournaments(&lab)?);
            let mut is_heard = true;
            if held_now != held {
                silent = 0;
                is_heard = events.tell("runs", &told(&rows, &held_now));
                known = by_name(rows.clone());
                held = held_now;
            }
            let now = by_name(rows);
            let changed = now.values().filter(|row| known.get(&row.name) != Some(row));
            for changed in changed {
                silent = 0;
                is_heard &= events.tell("run", &row(changed));
            }
            for name in known.keys().filter(|name| !now.contains_key(*name)) {
                silent = 0;
                is_heard &= events.tell("gone", &json!({ "name": name }));
            }
            known = now;
            silent += 1;
            if silent > SILENCE {
                silent = 0;
                is_heard &= events.keep_alive();
            }
            if !is_heard {
                break;
            }
        }
        Ok(())
    })
}
