//! Tables of moves as CSV and as NPZ.

use csv::StringRecord;

use super::table::{Meaning, Table};
use crate::arrays::{Array, named_from_npz, shape};
use crate::game::{GameInfo, Key, Move, Position};
use crate::graph::GameGraph;
use crate::text::{csv_line, nearest, of_csv};

/// Reads a table of the moves of a game's positions: an NPZ file if it begins as one, else CSV. Errors:
/// what is wrong, and where.
pub fn read(bytes: &[u8], graph: &GameGraph) -> Result<Table, String> {
    match bytes.starts_with(b"PK") {
        true => read_npz(bytes, graph),
        false => read_csv(bytes, graph),
    }
}

/// Whether a table may be for a game, judged without its graph: by the moves in its rows, or in an NPZ file by
/// their number.
pub fn is_of(bytes: &[u8], game: &'static GameInfo) -> bool {
    if bytes.starts_with(b"PK") {
        let names = Meaning::ALL.map(Meaning::name);
        let arrays = named_from_npz(bytes, &names, MOST);
        return arrays.is_ok_and(|arrays| {
            let mut found = names.iter().filter_map(|name| arrays.rows(name).ok());
            found.any(|(_, row)| row == [game.move_count])
        });
    }
    let mut reader = csv_reader(bytes);
    let Ok(Ok((columns, _))) = reader.headers().map(columns) else {
        return false;
    };
    let has_move = |record: StringRecord| {
        let position = Position::parse(game, &record[columns.position]).ok()?;
        let mv = named(game, &record[columns.mv]).ok()?;
        position.play(mv)
    };
    let mut records = reader.into_records();
    records.all(|record| record.is_ok_and(|record| has_move(record).is_some()))
}

fn csv_reader(bytes: &[u8]) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(bytes)
}

/// The columns that a table needs.
struct Columns {
    position: usize,
    mv: usize,
    /// `None` if the file has the moves alone, which are then played with the same probability.
    number: Option<usize>,
}

fn read_csv(bytes: &[u8], graph: &GameGraph) -> Result<Table, String> {
    let mut reader = csv_reader(bytes);
    let unreadable = |error: csv::Error| of_csv(bytes, &error);
    let head = reader.headers().map_err(unreadable)?.clone();
    let (columns, meaning) = columns(&head)?;
    let mut table = Table::new(meaning, "line", graph);
    let mut record = StringRecord::new();
    // Rows of one position are mostly adjacent.
    let mut last: Option<(String, usize)> = None;
    while reader.read_record(&mut record).map_err(unreadable)? {
        let line = csv_line(bytes, record.position());
        let wrong = |why: String| format!("line {line}: {why}");
        let (position, mv) = (&record[columns.position], &record[columns.mv]);
        let known = last.as_ref().filter(|(text, _)| text == position);
        let place = match known {
            Some(&(_, place)) => place,
            None => {
                let place = find(graph, position).map_err(wrong)?;
                last = Some((position.to_owned(), place));
                place
            }
        };
        let number = columns.number.map_or(Ok(0.0), |column| {
            record[column].parse().map_err(|_| {
                let (name, text) = (meaning.name(), &record[column]);
                wrong(format!("the {name} '{text}' is not a number"))
            })
        })?;
        let mv = named(graph.game(), mv).map_err(wrong)?;
        let edge = edge(graph, place, mv).ok_or_else(|| {
            let legal: Vec<String> = graph
                .edges(place)
                .map(|edge| graph.format_move(edge))
                .collect();
            let (mv, legal) = (&record[columns.mv], legal.join(", "));
            wrong(format!(
                "{mv} is not a legal move in {position}, expected one of {legal}"
            ))
        })?;
        table.set(graph, edge, number, line)?;
    }
    Ok(table)
}

fn columns(head: &StringRecord) -> Result<(Columns, Meaning), String> {
    if let Some(only) = head.get(0).filter(|_| head.len() == 1)
        && only.contains([';', '\t'])
    {
        return Err(format!(
            "line 1: one column '{only}', expected columns with commas between them"
        ));
    }
    let mut names =
        (["position", "move", "greedy"].into_iter()).chain(Meaning::ALL.map(Meaning::name));
    if let Some(twice) = names.find(|name| head.iter().filter(|column| column == name).count() > 1)
    {
        return Err(format!(
            "line 1: there are two columns {twice}, expected one"
        ));
    }
    let find = |name: &str| head.iter().position(|column| column == name);
    if find("moves").is_some() && find("move").is_none() {
        return Err(
            "line 1: a column moves, as in a list of positions with all their moves; expected a row for each move, \
             with the columns position, move and probability or value"
                .to_owned(),
        );
    }
    // A hint at a column that may be meant.
    let near = |name: &str| {
        let near = nearest(name, head.iter())?;
        Some(format!("; rename the column '{near}' to {name}"))
    };
    let need = |name: &str| {
        find(name).ok_or_else(|| {
            let there = || {
                let there: Vec<&str> = head.iter().collect();
                format!(", there are: {}", there.join(", "))
            };
            format!(
                "line 1: no column {name}{}",
                near(name).unwrap_or_else(there)
            )
        })
    };
    if head.iter().all(str::is_empty) {
        let message = "line 1 is empty, expected the names of the columns: position, move, and probability or value";
        return Err(message.to_owned());
    }
    let (position, mv) = (need("position")?, need("move")?);
    let mut numbers: Vec<(usize, Meaning)> = Meaning::ALL
        .into_iter()
        .filter_map(|meaning| Some((find(meaning.name())?, meaning)))
        .collect();
    // In a table of `lab export` this is the probability, and the value is the oracle's.
    if let Some(column) = find("greedy")
        && find(Meaning::Probability.name()).is_none()
    {
        numbers = vec![(column, Meaning::Probability)];
    }
    let (number, meaning) = match numbers[..] {
        [(number, meaning)] => (Some(number), meaning),
        // With a third column its name may be one of the two, mistyped.
        [] if head.len() == 2 => (None, Meaning::Value),
        [] => {
            let near = Meaning::ALL.iter().find_map(|meaning| near(meaning.name()));
            return Err(format!(
                "line 1: neither a column probability nor value, expected one of them, or the columns \
                 position and move alone{}",
                near.unwrap_or_default()
            ));
        }
        _ => {
            return Err(
                "line 1: both columns probability and value, expected one of them".to_owned(),
            );
        }
    };
    let columns = Columns {
        position,
        mv,
        number,
    };
    Ok((columns, meaning))
}

/// The number of a live position by its notation.
fn find(graph: &GameGraph, text: &str) -> Result<usize, String> {
    let position = Position::parse(graph.game(), text)?;
    live(graph, position.key(), || format!("position {text}"))
}

/// The number of a live position by its key.
fn live(graph: &GameGraph, key: Key, name: impl Fn() -> String) -> Result<usize, String> {
    match graph.find(key) {
        Some(number) if graph.outcome(number).is_none() => Ok(number),
        Some(_) => Err(format!("{}: the game is over there", name())),
        None => Err(format!("{}: no game comes there", name())),
    }
}

fn edge(graph: &GameGraph, position: usize, mv: Move) -> Option<usize> {
    graph.edges(position).find(|&edge| graph.mv(edge) == mv)
}

/// The most bytes of the numbers in an NPZ file.
const MOST: u64 = 4 << 30;

fn read_npz(bytes: &[u8], graph: &GameGraph) -> Result<Table, String> {
    let names = ["key", "probability", "value"];
    let arrays = named_from_npz(bytes, &names, MOST)?;
    let there: Vec<Meaning> = Meaning::ALL
        .into_iter()
        .filter(|meaning| arrays.contains(meaning.name()))
        .collect();
    let [meaning] = there[..] else {
        let what = match there[..] {
            [] => "neither an array probability nor value, expected one of them",
            _ => "both arrays probability and value, expected one of them",
        };
        return Err(what.to_owned());
    };
    let keys: Vec<u64> = match arrays.rows("key")? {
        (Array::U64(keys), []) => keys.clone(),
        // A number that is not a key is not found.
        (Array::I64(keys), []) => keys.iter().map(|&key| key as u64).collect(),
        (_, []) => {
            return Err(
                "the array key holds other numbers, expected uint64 or int64, as in the file that lab \
                 positions writes"
                    .to_owned(),
            );
        }
        (array, row) => {
            return Err(format!(
                "the array key has the shape {}, expected one dimension",
                shape(array.len(), row)
            ));
        }
    };
    let moves = graph.game().move_count;
    let name = meaning.name();
    let (array, row) = arrays.rows(name)?;
    if row != [moves] || array.len() != keys.len() * moves {
        return Err(format!(
            "the array {name} has the shape {}, expected ({}, {moves}): a row for each key, a column for each move",
            shape(array.len(), row),
            keys.len()
        ));
    }
    let number: Box<dyn Fn(usize) -> f64> = match array {
        Array::F64(numbers) => Box::new(|at| numbers[at]),
        Array::F32(numbers) => Box::new(|at| numbers[at].into()),
        Array::U8(numbers) => Box::new(|at| numbers[at].into()),
        _ => {
            return Err(format!(
                "the array {name} holds other numbers, expected float32, float64, uint8 or bool"
            ));
        }
    };
    let mut table = Table::new(meaning, "row", graph);
    for (row, &key) in keys.iter().enumerate() {
        let name = || format!("row {row}, key {key}");
        let position = live(graph, key.into(), name)?;
        for index in 0..moves {
            let number = number(row * moves + index);
            match edge(graph, position, Move::new(index)) {
                Some(edge) => table.set(graph, edge, number, row as u64)?,
                // The value of a move that is not legal does not matter.
                None if meaning == Meaning::Value || number == 0.0 => {}
                None => {
                    let position = graph.format_position(position);
                    let mv = graph.game().format_move(Move::new(index));
                    return Err(format!(
                        "row {row}: move {index} ({mv}) is not legal in {position}, but has the probability \
                         {number}"
                    ));
                }
            }
        }
    }
    Ok(table)
}

/// The move of this name, which may have capitals, as in other programs. Errors: as [`GameInfo::parse_move`].
fn named(game: &GameInfo, text: &str) -> Result<Move, String> {
    game.parse_move(&text.to_lowercase())
}
