//! The endpoints for the list of runs and tournaments.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::web::lab::Lab;
use crate::web::reply::{Refusal, Reply, StreamKind};
use crate::workflow::{RunRow, TournamentRow, list_tournaments};

fn list_json(rows: &[RunRow], tournaments: &[TournamentRow]) -> Value {
    json!({ "runs": rows, "tournaments": tournaments })
}

/// All runs and tournaments.
pub fn list(lab: &Lab) -> Result<Reply, Refusal> {
    let held = list_tournaments(lab.runs.directory())?;
    Ok(Reply::json(&list_json(&lab.runs.rows()?, &held)))
}

/// All runs and tournaments, and then every change.
pub fn watch_list(lab: &Arc<Lab>) -> Result<Reply, Refusal> {
    let lab = Arc::clone(lab);
    Reply::stream(StreamKind::Watch, move |events| {
        let tournaments = || list_tournaments(lab.runs.directory());
        let (mut known, mut held) = (lab.runs.rows()?, tournaments()?);
        events.send("runs", &list_json(&known, &held));
        events.watch(|| {
            let (rows, held_now) = (lab.runs.rows()?, tournaments()?);
            let is_new = (&rows, &held_now) != (&known, &held);
            if held_now != held {
                events.send("runs", &list_json(&rows, &held_now));
            } else if is_new {
                let (mut before, now) = (by_name(&known), by_name(&rows));
                for (name, row) in now {
                    if before.remove(name) != Some(row) {
                        events.send("run", row);
                    }
                }
                for name in before.into_keys() {
                    events.send("gone", &json!({ "name": name }));
                }
            }
            (known, held) = (rows, held_now);
            Ok(is_new)
        })
    })
}

fn by_name(rows: &[RunRow]) -> BTreeMap<&str, &RunRow> {
    rows.iter()
        .map(|row| (row.run.name.as_str(), row))
        .collect()
}
