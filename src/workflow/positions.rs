//! The live positions of a game, for programs that decide what to play in each.

use serde::Serialize;

use super::checkpoints::stage;
use crate::arrays::{Array, Arrays, to_npz};
use crate::error::Error;
use crate::game::{GameInfo, Move, Side};
use crate::graph::Solved;
use crate::text::csv_lines;
use crate::value::write_planes;

/// The format in which positions are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionsForm {
    /// A row for each position: `key`, `position` in the game's notation, `to_move`, and the legal
    /// `moves` with blanks between them.
    Csv,
    /// Arrays with a row for each of the n positions, on a board of r rows and c columns with m moves:
    ///
    /// - `key`, n numbers of type u8 (64 bits), the names of positions in files;
    /// - `position`, n texts, the game's notation;
    /// - `side`, n numbers of type u1, 0 where X is to move, 1 where O is;
    /// - `legal`, (n, m) of type u1, 1 for a legal move;
    /// - `planes`, (n, 2, r, c) of type u1, 1 for a stone of the side to move in the first plane, for one of the
    ///   other side's in the second, rows from the top;
    /// - `move`, m texts, what the columns of `legal` are called; those that are never legal are empty.
    Npz,
}

/// Lists the live positions of a game, of one side or both, in the order in which games can reach them:
/// the bytes of a file, and the number of positions. Errors: [`Error::Input`] if the game's positions are
/// not listed.
pub fn list_positions(
    game: &'static GameInfo,
    sides: &[Side],
    form: PositionsForm,
) -> Result<(Vec<u8>, usize), Error> {
    let solved = stage(game).solved()?;
    let graph = &solved.graph;
    let is_asked = |&position: &usize| {
        graph.outcome(position).is_none() && sides.contains(&graph.to_move(position))
    };
    let positions: Vec<usize> = (0..graph.position_count()).filter(is_asked).collect();
    let bytes = match form {
        PositionsForm::Csv => csv(&solved, &positions).into_bytes(),
        PositionsForm::Npz => to_npz(&arrays(&solved, &positions)),
    };
    Ok((bytes, positions.len()))
}

#[derive(Serialize)]
struct Row {
    key: u64,
    position: String,
    to_move: Side,
    moves: String,
}

fn csv(solved: &Solved, positions: &[usize]) -> String {
    let graph = &solved.graph;
    let row = |&position: &usize| {
        let moves = graph.edges(position).map(|edge| graph.format_move(edge));
        Row {
            key: graph.short_key(position),
            position: graph.format_position(position),
            to_move: graph.to_move(position),
            moves: moves.collect::<Vec<_>>().join(" "),
        }
    };
    csv_lines(positions.iter().map(row), true)
}

fn arrays(solved: &Solved, positions: &[usize]) -> Arrays {
    let graph = &solved.graph;
    let game = graph.game();
    let geometry = game.geometry();
    let moves = game.move_count;
    let (mut legal, mut planes) = (vec![0_u8; moves * positions.len()], Vec::new());
    let mut is_move = vec![false; moves];
    for (row, &position) in legal.chunks_mut(moves).zip(positions) {
        for edge in graph.edges(position) {
            let mv = graph.mv(edge).index();
            row[mv] = 1;
            is_move[mv] = true;
        }
    }
    let keys = positions.iter().map(|&position| graph.key(position));
    write_planes(game, keys, &mut planes);
    let name = |(index, is_move): (usize, bool)| match is_move {
        true => game.format_move(Move::new(index)),
        false => String::new(),
    };
    let names: Vec<String> = is_move.into_iter().enumerate().map(name).collect();
    let all = || positions.iter().copied();
    let notations: Vec<String> = all().map(|p| graph.format_position(p)).collect();
    let keys: Vec<u64> = all().map(|p| graph.short_key(p)).collect();
    let sides: Vec<u8> = all().map(|p| graph.to_move(p).index() as u8).collect();
    let planes: Vec<u8> = planes.into_iter().map(|bit| bit as u8).collect();
    let mut arrays = Arrays::default();
    arrays.insert("key", keys);
    arrays.insert("position", Array::texts(&notations));
    arrays.insert("side", sides);
    arrays.insert_rows("legal", legal, &[moves]);
    arrays.insert_rows("planes", planes, &[2, geometry.height, geometry.width]);
    arrays.insert("move", Array::texts(&names));
    arrays
}
