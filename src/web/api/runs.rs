//! The list of runs.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};

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

fn all(lab: &Lab) -> Result<(Vec<RunRow>, Value), Refusal> {
    let rows = lab.runs.rows()?;
    let tournaments = list_tournaments(lab.runs.directory())?;
    let tournament = |(name, past): &(String, Option<_>)| {
        let past: &Option<crate::store::PastTournament> = past;
        let Some(past) = past else {
            return json!({ "name": name, "readable": false });
        };
        let elo = |agent: &&crate::store::PastRating| agent.elo.unwrap_or(f64::NEG_INFINITY);
        let first = past.ratings.iter().max_by(|a, b| elo(a).total_cmp(&elo(b)));
        json!({
            "name": name,
            "readable": true,
            "game": past.game,
            "first": first.map(|first| &first.agent),
            "elo": first.and_then(|first| first.elo),
            "agents": past.ratings.len(),
            "games_per_pair": past.games_per_pair,
        })
    };
    let told = json!({
        "runs": rows.iter().map(row).collect::<Vec<_>>(),
        "tournaments": tournaments.iter().map(tournament).collect::<Vec<_>>(),
    });
    Ok((rows, told))
}

/// All runs.
pub fn list(lab: &Lab) -> Result<Reply, Refusal> {
    Ok(Reply::json(&all(lab)?.1))
}

/// All runs, and then whatever changes.
pub fn watch_list(lab: &Arc<Lab>) -> Result<Reply, Refusal> {
    let lab = Arc::clone(lab);
    Reply::watch(move |events| {
        let by_name = |rows: Vec<RunRow>| -> BTreeMap<String, RunRow> {
            let named = rows.into_iter().map(|row| (row.name.clone(), row));
            named.collect()
        };
        let (rows, told) = all(&lab)?;
        events.tell("runs", &told);
        let mut known = by_name(rows);
        let mut silent = 0;
        while events.wait(PAUSE) {
            let now = by_name(lab.runs.rows()?);
            let mut is_heard = true;
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
