//! Positions of Othello as text.

use super::{Othello, bits::Shape};
use crate::game::board::{self, format_square, parse_rows};
use crate::game::{Game, Move, Moves, Side};
use crate::text::count;

pub fn format<const N: usize>(position: Othello<N>) -> String {
    let rows = board::rows(N, N, &Othello::<N>::bit, position.stones());
    format!("{} {}", rows.join("/"), position.to_move().letter())
}

/// Reads what [`format()`] writes, and the form of collections of endgames: all squares in
/// one word, `-` for empty ones, and an optional semicolon after the side to move.
pub fn parse<const N: usize>(text: &str) -> Result<Othello<N>, String> {
    let bad = |why: String| {
        format!(
            "'{text}' is not a position: {why}; expected {N} rows of {N} squares from the top, and the \
             side to move, such as '{}'",
            Othello::<N>::start().format()
        )
    };
    let Some((squares, side)) = text.trim().rsplit_once(' ') else {
        return Err(bad("the side to move is missing".to_owned()));
    };
    let to_move = match side.trim_end_matches(';') {
        "X" => Side::X,
        "O" => Side::O,
        other => {
            return Err(bad(format!(
                "the side to move, '{other}', is neither X nor O"
            )));
        }
    };
    let rows = rows(squares.trim_end(), N).map_err(bad)?;
    let discs = parse_rows(&rows, N, N, Othello::<N>::bit).map_err(bad)?;
    let discs = discs.map(|discs| discs as u64);
    check::<N>(discs, to_move).map_err(bad)?;
    let [x, o] = discs;
    Ok(match to_move {
        Side::X => Othello::with_discs(x, o, to_move),
        Side::O => Othello::with_discs(o, x, to_move),
    })
}

/// The squares with `/` between rows and `.` for empty squares.
fn rows(squares: &str, size: usize) -> Result<String, String> {
    if squares.contains('/') {
        return Ok(squares.to_owned());
    }
    let all: Vec<char> = squares.chars().collect();
    if all.len() != size * size {
        return Err(format!("it has {}", count(all.len() as u64, "square")));
    }
    let rows: Vec<String> = all.chunks(size).map(|row| row.iter().collect()).collect();
    Ok(rows.join("/").replace('-', "."))
}

/// Checks that a game can reach these discs, as far as that is easy to see.
fn check<const N: usize>([x, o]: [u64; 2], to_move: Side) -> Result<(), String> {
    let occupied = x | o;
    let [start_x, start_o] = Othello::<N>::START;
    if occupied & (start_x | start_o) != start_x | start_o {
        return Err("a square in the centre is empty".to_owned());
    }
    let (x_count, o_count) = (x.count_ones(), o.count_ones());
    match x_count + o_count {
        4 if ([x, o], to_move) != ([start_x, start_o], Side::X) => {
            return Err("with four discs only the start is possible".to_owned());
        }
        5 if (x_count, o_count, to_move) != (4, 1, Side::O) => {
            return Err(format!(
                "{x_count} X and {o_count} O cannot come from one move of X"
            ));
        }
        _ => {}
    }
    // Every disc was placed next to another one.
    let mut linked = start_x | start_o;
    loop {
        let around = Moves::from_bits(linked).fold(linked, |all, square| {
            all | Shape::<N>::NEIGHBOURS[square.index()]
        });
        if around & occupied == linked {
            break;
        }
        linked = around & occupied;
    }
    if linked != occupied {
        let square = (occupied & !linked).trailing_zeros() as usize;
        return Err(format!(
            "the disc on {} touches none that leads to the centre",
            format_square(N, Move::new(square))
        ));
    }
    Ok(())
}
