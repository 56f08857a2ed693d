//! Positions that immediate wins decide.

use crate::game::{Bits, Game, Moves, Outcome};

/// What immediate wins prove about a live position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tactics<B: Bits> {
    /// A move wins: immediately, by a double threat, or by a threat whose answer allows another win.
    Won,
    /// Every move loses.
    Lost,
    /// Not decided: these moves do not lose immediately.
    Open(Moves<B>),
}

/// Finds what is decided by [moves that win immediately](Game::winning_moves), and by threats
/// of such moves. In a game that does not list them, every position is open.
pub fn tactics<G: Game>(position: G) -> Tactics<G::Bits> {
    if !G::HAS_WINNING_MOVES {
        return Tactics::Open(position.moves());
    }
    let mover = position.to_move();
    if !position.winning_moves().is_empty() {
        return Tactics::Won;
    }
    let theirs = position.threats(!mover);
    let tried = match theirs.len() {
        0 => position.moves(),
        1 => theirs,
        _ => return Tactics::Lost,
    };
    let mut safe = Moves::NONE;
    for mv in tried {
        let child = position.play_unchecked(mv);
        if !is_safe(child) {
            continue;
        }
        safe = safe.with(mv);
        let own = child.threats(mover);
        let wins = match own.len() {
            0 => false,
            // The only answer to the threat may allow another win, as on the square above it.
            1 => !child.play_unchecked(own.get(0)).threats(mover).is_empty(),
            _ => true,
        };
        if wins {
            return Tactics::Won;
        }
    }
    match safe.is_empty() {
        true => Tactics::Lost,
        false => Tactics::Open(safe),
    }
}

/// Whether the side to move has no immediate win; a finished game is safe unless that side has won it.
fn is_safe<G: Game>(after: G) -> bool {
    match after.outcome() {
        None => after.winning_moves().is_empty(),
        Some(outcome) => outcome != Outcome::Win(after.to_move()),
    }
}
