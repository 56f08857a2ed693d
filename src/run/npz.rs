//! What a learner has learned as arrays that numpy opens.

use std::io::Cursor;

use ndarray::Array1;
use ndarray_npy::{
    NpzReader, NpzWriter, ReadNpzError, ReadableElement, WritableElement, WriteNpzError,
};

use crate::game::Move;
use crate::learn::{QLearning, QTable, TreeArrays};

type Writer = NpzWriter<Cursor<Vec<u8>>>;

fn write(add: impl FnOnce(&mut Writer) -> Result<(), WriteNpzError>) -> Vec<u8> {
    let mut npz = NpzWriter::new_compressed(Cursor::new(Vec::new()));
    let wrote = add(&mut npz).and_then(|()| npz.finish());
    wrote.expect("writing to memory does not fail").into_inner()
}

/// The updated entries of the tables. Arrays, all of one length: `keys`, the
/// key of the position (of the one that is reached, for an afterstate
/// table); `moves`, only for state-action tables, the index of the move;
/// `values`; `visits`, the number of updates; and for double Q-learning
/// `values_b` and `visits_b`.
pub fn of_tables(tables: &[QTable], setup: &QLearning<'_>) -> Vec<u8> {
    let (graph, layout) = (setup.graph(), setup.layout());
    let updated: Vec<usize> = (0..layout.entry_count())
        .filter(|&entry| tables.iter().any(|table| table.visits[entry] > 0))
        .collect();
    let names = || updated.iter().map(|&entry| layout.name(graph, entry));
    write(|npz| {
        npz.add_array(
            "keys",
            &names().map(|(key, _)| key).collect::<Array1<u64>>(),
        )?;
        let moves: Option<Array1<u8>> = names()
            .map(|(_, mv)| mv.map(|mv| mv.index() as u8))
            .collect::<Option<Vec<u8>>>()
            .map(Into::into);
        if let Some(moves) = moves.filter(|moves| !moves.is_empty()) {
            npz.add_array("moves", &moves)?;
        }
        for (table, suffix) in tables.iter().zip(["", "_b"]) {
            let values: Array1<f64> = updated.iter().map(|&entry| table.values[entry]).collect();
            let visits: Array1<u32> = updated.iter().map(|&entry| table.visits[entry]).collect();
            npz.add_array(format!("values{suffix}"), &values)?;
            npz.add_array(format!("visits{suffix}"), &visits)?;
        }
        Ok(())
    })
}

/// Reads what [`of_tables`] wrote.
///
/// # Errors
///
/// What is wrong with it.
pub fn tables(npz: Vec<u8>, setup: &QLearning<'_>) -> Result<Vec<QTable>, String> {
    let (graph, layout) = (setup.graph(), setup.layout());
    let numbers: rustc_hash::FxHashMap<_, usize> = (0..layout.entry_count())
        .map(|entry| (layout.name(graph, entry), entry))
        .collect();
    let mut npz = NpzReader::new(Cursor::new(npz)).map_err(told)?;
    let keys: Vec<u64> = array(&mut npz, "keys")?;
    let names = npz.names().map_err(told)?;
    let moves: Vec<Option<u8>> = if names.iter().any(|name| name == "moves") {
        array(&mut npz, "moves")?.into_iter().map(Some).collect()
    } else {
        vec![None; keys.len()]
    };
    let entries: Vec<usize> = keys
        .iter()
        .zip(&moves)
        .map(|(&key, mv)| {
            let mv = mv
                .filter(|&mv| mv < 64)
                .map(|mv| Move::new(usize::from(mv)));
            numbers.get(&(key, mv)).copied()
        })
        .collect::<Option<_>>()
        .filter(|entries: &Vec<usize>| entries.len() == keys.len())
        .ok_or("it has entries that are not of this game and kind of table")?;
    let mut tables = setup.new_tables();
    for (table, suffix) in tables.iter_mut().zip(["", "_b"]) {
        let values: Vec<f64> = array(&mut npz, &format!("values{suffix}"))?;
        let visits: Vec<u32> = array(&mut npz, &format!("visits{suffix}"))?;
        if values.len() != entries.len() || visits.len() != entries.len() {
            return Err("its arrays differ in length".to_owned());
        }
        if values.iter().any(|value| !value.is_finite()) {
            return Err("it has values that are no finite numbers".to_owned());
        }
        for (i, &entry) in entries.iter().enumerate() {
            table.values[entry] = values[i];
            table.visits[entry] = visits[i];
        }
    }
    Ok(tables)
}

/// A search tree: for every position `keys`, `visits`, `wins`, `draws`, `lows`,
/// `highs`, `first_edges` and `edge_counts`, for every move `moves`, `same_as`,
/// `children` and `move_visits`.
pub fn of_tree(tree: &TreeArrays) -> Vec<u8> {
    fn add<T: WritableElement + Clone>(
        npz: &mut Writer,
        name: &str,
        values: &[T],
    ) -> Result<(), WriteNpzError> {
        npz.add_array(name, &Array1::from(values.to_vec()))
    }
    write(|npz| {
        add(npz, "keys", &tree.keys)?;
        add(npz, "visits", &tree.visits)?;
        add(npz, "wins", &tree.wins)?;
        add(npz, "draws", &tree.draws)?;
        add(npz, "lows", &tree.lows)?;
        add(npz, "highs", &tree.highs)?;
        add(npz, "first_edges", &tree.first_edges)?;
        add(npz, "edge_counts", &tree.edge_counts)?;
        add(npz, "moves", &tree.moves)?;
        add(npz, "same_as", &tree.same_as)?;
        add(npz, "children", &tree.children)?;
        add(npz, "move_visits", &tree.move_visits)
    })
}

/// Reads what [`of_tree`] wrote; whether it is a tree of a game is not looked at.
///
/// # Errors
///
/// What is wrong with it.
pub fn tree(npz: Vec<u8>) -> Result<TreeArrays, String> {
    let mut npz = NpzReader::new(Cursor::new(npz)).map_err(told)?;
    Ok(TreeArrays {
        keys: array(&mut npz, "keys")?,
        visits: array(&mut npz, "visits")?,
        wins: array(&mut npz, "wins")?,
        draws: array(&mut npz, "draws")?,
        lows: array(&mut npz, "lows")?,
        highs: array(&mut npz, "highs")?,
        first_edges: array(&mut npz, "first_edges")?,
        edge_counts: array(&mut npz, "edge_counts")?,
        moves: array(&mut npz, "moves")?,
        same_as: array(&mut npz, "same_as")?,
        children: array(&mut npz, "children")?,
        move_visits: array(&mut npz, "move_visits")?,
    })
}

fn array<T: ReadableElement>(
    npz: &mut NpzReader<Cursor<Vec<u8>>>,
    name: &str,
) -> Result<Vec<T>, String> {
    let array: Array1<T> = npz.by_name(name).map_err(told)?;
    Ok(array.into_iter().collect())
}

fn told(error: ReadNpzError) -> String {
    error.to_string()
}
