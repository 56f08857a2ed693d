use std::marker::PhantomData;

use super::{Counter, Limits, Lookahead, Stopped};
use crate::game::{Game, Move, Position};

/// A search in which a line of play is worth what its *last* move gained (see
/// [`Game::gain`]) and what went before is forgotten; where a side cannot move on the
/// board, by a pass or at the end of the game, the line is worth 0.
///
/// This is how an article on Othello searched, and a mistake: [`AlphaBeta`](super::AlphaBeta)
/// judges the position that a line leads to.
pub struct LastGain<G> {
    evaluation: usize,
    nodes: u64,
    game: PhantomData<fn() -> G>,
}

impl<G: Game> LastGain<G> {
    /// A search by the evaluation of this number, which the game has.
    pub fn new(evaluation: usize) -> LastGain<G> {
        LastGain {
            evaluation,
            nodes: 0,
            game: PhantomData,
        }
    }

    fn score(
        &self,
        position: G,
        mv: Move,
        depth: u32,
        counter: &mut Counter,
    ) -> Result<i32, Stopped> {
        counter.count()?;
        if depth <= 1 {
            Ok(position.gain(mv, self.evaluation))
        } else {
            let reply = self.best(position.play_unchecked(mv), depth - 1, counter)?;
            Ok(-reply)
        }
    }

    fn best(&self, position: G, depth: u32, counter: &mut Counter) -> Result<i32, Stopped> {
        if position.moves().all(|mv| position.square(mv).is_none()) {
            return Ok(0);
        }
        let mut best = i32::MIN;
        for mv in position.moves() {
            best = best.max(self.score(position, mv, depth, counter)?);
        }
        Ok(best)
    }
}

impl<G: Game> Lookahead for LastGain<G> {
    fn scores(
        &mut self,
        position: Position,
        depth: u32,
        limits: &Limits,
    ) -> Result<Vec<(Move, i32)>, Stopped> {
        assert!(depth > 0, "a move is scored by looking ahead");
        let mut counter = Counter::new(*limits);
        let position: G = position.typed();
        let scores = position
            .moves()
            .map(|mv| Ok((mv, self.score(position, mv, depth, &mut counter)?)))
            .collect();
        self.nodes += counter.nodes();
        scores
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
