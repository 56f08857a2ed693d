use super::{Counter, Lookahead, Stopped};
use crate::game::{Game, Move, Position, with_game_type};

/// A search in which a line of play is worth what its *last* move gained (see
/// [`Game::gain`]), whatever went before; where a side cannot move on the board (a pass, or
/// the end of the game), the line is worth 0.
///
/// An article on Othello searched in this way, which is a mistake: [`Leaf::Position`](super::Leaf::Position) judges the
/// position that a line leads to.
pub struct LastGain {
    /// The index of one of the game's evaluations.
    pub(super) evaluation: usize,
}

impl Lookahead for LastGain {
    fn score(
        &mut self,
        position: Position,
        mv: Move,
        depth: u32,
        _: i32,
        counter: &mut Counter,
    ) -> Result<i32, Stopped> {
        with_game_type!(position.game(), G => {
            score::<G>(position.typed(), mv, depth, self.evaluation, counter)
        })
    }

    fn deepens(&self) -> bool {
        false
    }
}

fn score<G: Game>(
    position: G,
    mv: Move,
    depth: u32,
    evaluation: usize,
    counter: &mut Counter,
) -> Result<i32, Stopped> {
    counter.count()?;
    if depth == 1 {
        return Ok(position.gain(mv, evaluation));
    }
    let child = position.play_unchecked(mv);
    if child.moves().all(|reply| child.square(reply).is_none()) {
        return Ok(0);
    }
    let mut best = i32::MIN;
    for reply in child.moves() {
        best = best.max(score(child, reply, depth - 1, evaluation, counter)?);
    }
    Ok(-best)
}
