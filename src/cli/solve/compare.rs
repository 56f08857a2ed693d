//! `lab solve --compare`.

use playlab::Error;
use playlab::game::Position;
use playlab::search::Method;
use playlab::text::thousands;
use playlab::workflow::{Comparison, compare_methods};

use super::super::output::{show, table, table_text};
use super::super::progress::while_waiting;

/// Searches by every method and prints what each costs.
pub fn compare(position: Position, json: bool) -> Result<(), Error> {
    let name = position.game().name;
    let comparison = while_waiting(format!("searching {name} by every method"), || {
        compare_methods(position)
    });
    show(json, &comparison, || text(&comparison))
}

fn text(comparison: &Comparison) -> String {
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
    format!(
        "{}, {}, {} to move\n\n{}\n{}",
        comparison.game,
        comparison.position,
        comparison.to_move.letter(),
        table_text(&rows),
        meanings()
    )
}

/// What every method does, a line each.
pub fn meanings() -> String {
    let line = |method: Method| format!("{:20}{}\n", method.name(), method.meaning());
    Method::ALL.map(line).concat()
}
