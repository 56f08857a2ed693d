//! A game between a person and an agent.

use std::sync::Arc;

use crate::agent::{AgentSpec, Failure, Player, Stage, Thought};
use crate::error::Error;
use crate::evaluate::{Analysis, Oracle};
use crate::game::{GameInfo, IllegalMove, Move, Position, Side};
use crate::rng::{LabRng, Purpose, stream};
use crate::search::{Limits, Scoring, Stopped, TABLE_BITS, exact_solver, solver_facts};

/// A game in progress, and those after it against the same agent.
pub struct Session {
    stage: Stage,
    /// The side that the person plays.
    side: Side,
    player: Box<dyn Player>,
    rng: LabRng,
    caution: Option<String>,
    oracle: Option<Oracle>,
    seed: u64,
    games: u64,
    moves: Vec<Move>,
    position: Position,
    /// Where the agent last moved.
    moved_in: Option<Position>,
}

impl Session {
    /// Sits down at the start of a game in which the person plays `side`. `seed` is that of the
    /// agent's random numbers. Errors: [`Error`] if the agent cannot play the game.
    pub fn new(stage: Stage, against: &AgentSpec, side: Side, seed: u64) -> Result<Session, Error> {
        let agent = stage.agent(against)?;
        let mut session = Session {
            caution: agent.caution(),
            player: Arc::clone(&agent).seat(),
            rng: stream(seed, Purpose::Match, 0, 0),
            side,
            oracle: None,
            seed,
            games: 0,
            moves: Vec::new(),
            position: Position::start(stage.game()),
            moved_in: None,
            stage,
        };
        session.begin();
        Ok(session)
    }

    fn begin(&mut self) {
        self.rng = stream(self.seed, Purpose::Match, self.games, 0);
        self.player.start_game();
        self.moves.clear();
        self.position = Position::start(self.stage.game());
        self.moved_in = None;
    }

    /// Begins another game.
    pub fn restart(&mut self) {
        self.games += 1;
        self.begin();
    }

    /// The game.
    pub fn game(&self) -> &'static GameInfo {
        self.stage.game()
    }

    /// Where the agent is less than its name says, in a sentence.
    pub fn caution(&self) -> Option<&str> {
        self.caution.as_deref()
    }

    /// The position as it is.
    pub fn position(&self) -> Position {
        self.position
    }

    /// The moves made so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Makes the person's move, or one for the agent. Errors: [`IllegalMove`] if the rules do not
    /// allow it.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.position = self.position.play(mv)?;
        self.moves.push(mv);
        Ok(())
    }

    /// Lets the agent move, if it is its turn, and tells its move. Errors: [`Failure`] if it came
    /// to none; the game is as it was.
    pub fn answer(&mut self, limits: &Limits) -> Result<Option<Move>, Failure> {
        if self.position.outcome().is_some() || self.position.to_move() == self.side {
            return Ok(None);
        }
        let mv = self.player.choose(self.position, limits, &mut self.rng)?;
        self.moved_in = Some(self.position);
        self.position = self.position.play_unchecked(mv);
        self.moves.push(mv);
        Ok(Some(mv))
    }

    /// Takes back the person's last move and what came after it; returns whether there
    /// was one.
    pub fn undo(&mut self) -> bool {
        let mut left = self.moves.clone();
        let position = loop {
            if left.pop().is_none() {
                return false;
            }
            let position = self.after(&left);
            if position.to_move() == self.side {
                break position;
            }
        };
        self.moves = left;
        self.position = position;
        self.moved_in = None;
        // The agent has the moves that are not the person's; X made the first.
        let made = self.moves.len() as u32;
        self.player.resume_game(match self.side {
            Side::X => made / 2,
            Side::O => made.div_ceil(2),
        });
        true
    }

    fn after(&self, moves: &[Move]) -> Position {
        let start = Position::start(self.stage.game());
        moves
            .iter()
            .fold(start, |position, &mv| position.play_unchecked(mv))
    }

    /// What every move of the position is worth under perfect play; `None` if that is not known
    /// of it. Errors: [`Stopped`] if the limits were reached before.
    pub fn hint(&mut self, limits: &Limits) -> Result<Option<Analysis>, Stopped> {
        let stage = &self.stage;
        let oracle = self
            .oracle
            .get_or_insert_with(|| oracle(stage, Scoring::Raw));
        oracle.analyze(self.position, limits)
    }

    /// What the agent thought where it last moved; where it has not moved yet, what it thinks of
    /// the position as it is. The position, and a thought for every move. Errors: [`Failure`] if
    /// it thinks nothing.
    pub fn why(&mut self, limits: &Limits) -> Result<(Position, Vec<Thought>), Failure> {
        let position = self.moved_in.unwrap_or(self.position);
        if position.outcome().is_some() {
            return Ok((position, Vec::new()));
        }
        let thoughts = self.player.explain(position, limits, self.rng.clone())?;
        Ok((position, thoughts))
    }
}

/// The oracle of a stage's game; scores are counted by `scoring`.
pub(super) fn oracle(stage: &Stage, scoring: Scoring) -> Oracle {
    let game = stage.game();
    let has_scores = solver_facts(game, scoring).score_meaning.is_some();
    match stage.solved() {
        Ok(solved) if !has_scores => Oracle::Listed(solved),
        _ => Oracle::searched(game, exact_solver(game, TABLE_BITS, scoring)),
    }
}
