//! The list of runs and tournaments.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::web::lab::Lab;
use crate::web::reply::{Refusal, Reply};
use crate::workflow::{RunRow, TournamentRow, list_tournaments};

fn told(rows: &[RunRow], tournaments: &[TournamentRow]) -> Value {
    json!({ "runs": rows, "tournaments": tournaments })
}

/// All runs and tournaments.
pub fn list(lab: &Lab) -> Result<Reply, Refusal> {
    let held = list_tournaments(lab.runs.directory())?;
    Ok(Reply::json(&told(&lab.runs.rows()?, &held)))
}

/// All runs and tournaments, and then whatever changes.
pub fn watch_list(lab: &Arc<Lab>) -> Result<Reply, Refusal> {
    let lab = Arc::clone(lab);
    Reply::watch(move |events| {
        let by_name = |rows: Vec<RunRow>| -> BTreeMap<String, RunRow> {
            let named = rows.into_iter().map(|row| (row.name.clone(), row));
            named.collect()
        };
        let tournaments = || list_tournaments(lab.runs.directory());
        let (rows, mut held) = (lab.runs.rows()?, tournaments()?);
        events.tell("runs", &told(&rows, &held));
        let mut known = by_name(rows);
        events.watch(|| {
            let (rows, held_now) = (lab.runs.rows()?, tournaments()?);
            let mut is_new = held_now != held;
            if is_new {
                events.tell("runs", &told(&rows, &held_now));
                known = by_name(rows.clone());
                held = held_now;
            }
            let now = by_name(rows);
            for changed in now.values().filter(|row| known.get(&row.name) != Some(row)) {
                is_new = true;
                events.tell("run", changed);
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
