//! The names of a table's entries in the arrays of a checkpoint, and arrays with one element per entry.

use rustc_hash::FxHashMap;

use crate::arrays::{Arrays, Sink};
use crate::game::Move;
use crate::graph::{GameGraph, TableLayout};
use crate::value::QTable;

/// The entries to save, in ascending order of their names, so that their arrays take less space.
pub(super) fn by_name(
    graph: &GameGraph,
    layout: &TableLayout,
    is_saved: &dyn Fn(usize) -> bool,
) -> Vec<usize> {
    let saved = (0..layout.entry_count()).filter(|&entry| is_saved(entry));
    let mut saved: Vec<usize> = saved.collect();
    saved.sort_unstable_by_key(|&entry| layout.name(graph, entry));
    saved
}

/// Saves what identifies the entries: `keys`, and for state-action tables `moves`; both names start with
/// `prefix`.
pub(super) fn save_names(
    graph: &GameGraph,
    layout: &TableLayout,
    entries: &[usize],
    prefix: &str,
    arrays: &mut dyn Sink,
) {
    let names = || entries.iter().map(|&entry| layout.name(graph, entry));
    arrays.insert_each(format!("{prefix}keys"), names().map(|(key, _)| key));
    let moves = names().map(|(_, mv)| mv.map(|mv| mv.index() as u8));
    let moves = moves.collect::<Option<Vec<u8>>>();
    if let Some(moves) = moves.filter(|moves| !moves.is_empty()) {
        arrays.insert(format!("{prefix}moves"), moves);
    }
}

/// Returns the entries that arrays are about, as named by [`save_names`]. Errors: why they do not fit this
/// layout.
pub(super) fn saved_entries(
    graph: &GameGraph,
    layout: &TableLayout,
    prefix: &str,
    arrays: &Arrays,
) -> Result<Vec<usize>, String> {
    let keys: &[u64] = arrays.get(&format!("{prefix}keys"))?;
    let moves = match arrays.contains(&format!("{prefix}moves")) {
        true => Some(arrays.exactly::<u8>(&format!("{prefix}moves"), keys.len())?),
        false => None,
    };
    let name = |i: usize| {
        let mv = match moves {
            Some(moves) => Some(Move::try_from(moves[i]).ok()?),
            None => None,
        };
        Some(((keys[i], mv), i))
    };
    // A game has many more entries than are saved.
    let saved: Option<FxHashMap<_, usize>> = (0..keys.len()).map(name).collect();
    let saved = saved.unwrap_or_default();
    let mut entries = vec![None; keys.len()];
    for entry in 0..layout.entry_count() {
        if let Some(&i) = saved.get(&layout.name(graph, entry)) {
            entries[i] = Some(entry);
        }
    }
    let entries = entries.into_iter().collect::<Option<_>>();
    entries.ok_or(
        "it has entries that are not of this game and kind of table, or one twice".to_owned(),
    )
}

/// Returns the array `name`, which has a finite number for each of these entries. Errors: a sentence if it does not.
pub(super) fn numbers_of<'a>(
    entries: &[usize],
    arrays: &'a Arrays,
    name: &str,
) -> Result<&'a [f64], String> {
    let numbers = arrays.exactly(name, entries.len())?;
    match numbers.iter().all(|number: &f64| number.is_finite()) {
        true => Ok(numbers),
        false => Err("it has values that are no numbers to reckon with".to_owned()),
    }
}

/// Saves these entries of a table, their values and how often each was updated, under two names.
pub(super) fn save_table(
    table: &QTable,
    [values, visits]: [&str; 2],
    entries: &[usize],
    arrays: &mut dyn Sink,
) {
    arrays.insert_each(values, entries.iter().map(|&entry| table.values[entry]));
    arrays.insert_each(visits, entries.iter().map(|&entry| table.visits[entry]));
}

/// Reads what [`save_table`] wrote for these entries. Errors: as for [`numbers_of`].
pub(super) fn load_table(
    table: &mut QTable,
    [values, visits]: [&str; 2],
    entries: &[usize],
    arrays: &Arrays,
) -> Result<(), String> {
    let values = numbers_of(entries, arrays, values)?;
    let visits: &[u32] = arrays.exactly(visits, entries.len())?;
    for (i, &entry) in entries.iter().enumerate() {
        table.values[entry] = values[i];
        table.visits[entry] = visits[i];
    }
    Ok(())
}
