//! What moves that win at once decide.

use crate::game::{Bits, Game, Moves, Outcome};

/// What wins at once tell of a live position, exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tactics<B: Bits> {
    /// A move wins: at once, by a double threat, or by a threat that wins whatever answers it.
    Won,
    /// Every move loses.
    Lost,
    /// Not decided so soon: these moves do not lose at once.
    Open(Moves<B>),
}

/// Looks for what is decided by [moves that win at once](Game::winning_moves), and by threats
/// of them. In a game that does not tell of them every position is open.
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
            // Its only answer may let another one win, such as the square above.
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

/// Whether the side to move cannot win at once; a game that is over, unless it is lost, is safe.
fn is_safe<G: Game>(after: G) -> bool {
    match after.outcome() {
        None => after.winning_moves().is_empty(),
        Some(outcome) => outcome != Outcome::Win(after.to_move()),
    }
}
