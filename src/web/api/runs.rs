//! The list of runs and tournaments.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::store::PastTournament;
use crate::web::lab::Lab;
use crate::web::reply::{Refusal, Reply};
use crate::workflow::{RunRow, list_tournaments};

/// A row of the list.
pub fn row(row: &RunRow) -> Value {
    let mut told = json!(row);
    told["readable"] = json!(row.told.is_some());
    told
}

fn tournaments(lab: &Lab) -> Result<Vec<Value>, Refusal> {
    let tournament = |(name, past): (String, Option<PastTournament>)| {
        let Some(past) = past else {
            return json!({ "name": name, "readable": false });
        };
        let first = past.first();
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
        events.watch(|| {
            let (rows, held_now) = (lab.runs.rows()?, tournaments(&lab)?);
            let mut is_new = held_now != held;
            if is_new {
                events.tell("runs", &told(&rows, &held_now));
                known = by_name(rows.clone());
                held = held_now;
            }
            let now = by_name(rows);
            for changed in now.values().filter(|row| known.get(&row.name) != Some(row)) {
                is_new = true;
                events.tell("run", &row(changed));
            }
            for name in known.keys().filter(|name| !now.contains_key(*name)) {
                is_new = true;
                events.tell("gone", &json!({ "name": name }));
            }
            known = now;
            Ok(is_new)
        })
    })
}
