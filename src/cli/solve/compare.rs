//! `lab solve --compare`.

use std::time::Instant;

use playlab::Error;
use playlab::game::{Game, GameInfo, Side, Value};
use playlab::search::{Limits, Method, minimax};
use playlab::text::thousands;
use serde::Serialize;

use super::super::output::{json_text, print, table, table_text};
use super::super::progress::while_waiting;

/// Positions that a comparison looks at before it gives a method up; fewer where the
/// method remembers all of them.
const LIMIT: u64 = 100_000_000;
const MEMORY_LIMIT: u64 = 10_000_000;

#[derive(Serialize)]
struct Comparison {
    game: &'static str,
    position: String,
    to_move: Side,
    methods: Vec<Compared>,
}

#[derive(Serialize)]
struct Compared {
    method: Method,
    /// None of the three where the search was given up.
    value: Option<Value>,
    nodes: Option<u64>,
    seconds: Option<f64>,
}

/// Searches by every method and prints what each costs.
pub fn compare<G: Game>(info: &'static GameInfo, position: G, json: bool) -> Result<(), Error> {
    let measure = |method| {
        let message = format!("searching {} by {method}", info.name);
        let started = Instant::now();
        let found = while_waiting(message, || {
            minimax(position, method, &Limits::nodes(limit(method))).ok()
        });
        Compared {
            method,
            value: found.map(|found| found.value),
            nodes: found.map(|found| found.nodes),
            seconds: found.map(|_| started.elapsed().as_secs_f64()),
        }
    };
    let comparison = Comparison {
        game: info.name,
        position: position.format(),
        to_move: position.to_move(),
        methods: Method::ALL.map(measure).into(),
    };
    if json {
        return print(&json_text(&comparison));
    }
    let mut rows = table(["method", "nodes", "seconds", "value"], 1);
    for compared in &comparison.methods {
        rows.add_row([
            compared.method.to_string(),
            compared.nodes.map_or_else(
                || format!("over {}", thousands(limit(compared.method))),
                thousands,
            ),
            compared
                .seconds
                .map_or_else(String::new, |seconds| format!("{seconds:.6}")),
            compared
                .value
                .map_or_else(|| "given up".to_owned(), |value| value.to_string()),
        ]);
    }
    print(&format!(
        "{}, {}, {} to move\n\n{}",
        info.name,
        comparison.position,
        comparison.to_move.letter(),
        table_text(&rows)
    ))
}

fn limit(method: Method) -> u64 {
    match method {
        Method::Memo | Method::Folded => MEMORY_LIMIT,
        _ => LIMIT,
    }
}
