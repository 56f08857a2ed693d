//! `lab solve --compare`.

use playlab::Error;
use playlab::game::{Position, Side};
use playlab::text::thousands;
use playlab::workflow::{Compared, compare_methods};
use serde::Serialize;

use super::super::output::{json_text, print, table, table_text};
use super::super::progress::while_waiting;

#[derive(Serialize)]
struct Comparison {
    game: &'static str,
    position: String,
    to_move: Side,
    methods: Vec<Compared>,
}

/// Searches by every method and prints what each costs.
pub fn compare(position: Position, json: bool) -> Result<(), Error> {
    let name = position.game().name;
    let methods = while_waiting(format!("searching {name} by every method"), || {
        compare_methods(position)
    });
    let comparison = Comparison {
        game: name,
        position: position.to_string(),
        to_move: position.to_move(),
        methods,
    };
    if json {
        return print(&json_text(&comparison));
    }
    let mut rows = table(["method", "nodes", "seconds", "value"], 1);
    for compared in &comparison.methods {
        rows.add_row([
            compared.method.name().to_owned(),
            compared
                .nodes
                .map_or_else(|| format!("over {}", thousands(compared.limit)), thousands),
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
        name,
        comparison.position,
        comparison.to_move.letter(),
        table_text(&rows)
    ))
}
