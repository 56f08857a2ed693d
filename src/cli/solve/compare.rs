//! `lab solve --compare`.

use std::process::ExitCode;

use playlab::Error;
use playlab::game::Position;
use playlab::search::MinimaxMethod;
use playlab::text::thousands;
use playlab::workflow::{MinimaxComparison, compare_methods};

use super::super::output::{show, table, table_text};
use super::super::watch::while_searching;

/// Searches by every method and prints the cost of each; exit code 130 after Ctrl-C.
pub fn compare(position: Position, json: bool) -> Result<ExitCode, Error> {
    let message = format!("searching {} by every method", position.game().name);
    let searched = while_searching(message, None, |limits| {
        Ok(compare_methods(position, limits))
    })?;
    let comparison = &searched.found;
    show(json, comparison, || text(comparison))?;
    Ok(match &comparison.stopped[..] {
        [] => ExitCode::SUCCESS,
        stopped => {
            let names: Vec<&str> = stopped.iter().map(|method| method.name()).collect();
            searched.unfinished(&format!("not searched to the end: {}", names.join(", ")))
        }
    })
}

fn text(comparison: &MinimaxComparison) -> String {
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

/// Descriptions of all methods, one per line.
pub fn meanings() -> String {
    let line = |method: MinimaxMethod| line(method.name(), method.meaning());
    MinimaxMethod::ALL.map(line).concat()
}

/// A method and its description.
pub fn line(name: &str, meaning: &str) -> String {
    format!("{name:20}{meaning}\n")
}
