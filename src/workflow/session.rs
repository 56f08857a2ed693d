//! A game between a person and an agent, or between two people.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::hint::{Advisor, Hint};
use crate::agent::{AgentSpec, Failure, Past, Player, Stage, Thought};
use crate::disk::{read_own, write_named};
use crate::error::Error;
use crate::form::from_table;
use crate::game::{GameInfo, Move, Position, Side, read_moves};
use crate::rng::{LabRng, Purpose, stream};
use crate::search::Limits;

/// The opponent of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Against {
    /// `human`: another person, at the same board.
    Human,
    /// An agent.
    Agent(AgentSpec),
}

const HUMAN: &str = "human";

/// Errors: as when parsing an [`AgentSpec`].
impl FromStr for Against {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            HUMAN => Ok(Against::Human),
            spec => spec.parse().map(Against::Agent),
        }
    }
}

impl fmt::Display for Against {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Against::Human => f.pad(HUMAN),
            Against::Agent(spec) => spec.fmt(f),
        }
    }
}

/// A game in progress, and those after it against the same opponent.
pub struct Session {
    stage: Arc<Stage>,
    agent: Option<Seated>,
    advisor: Option<Advisor>,
    seed: u64,
    games: u64,
    moves: Vec<Move>,
    position: Position,
    /// Whether the agent resigned or broke the game off, and so lost it.
    is_given_up: bool,
}

/// The agent at the board.
struct Seated {
    side: Side,
    player: Box<dyn Player>,
    rng: LabRng,
    caution: Option<String>,
    numbers: &'static str,
    /// The position in which it last moved.
    moved_in: Option<Position>,
}

/// A game as it is saved in a file: `game = "tic-tac-toe"` and `moves = "b2,a1"`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedGame {
    game: String,
    moves: String,
}

impl Session {
    /// Starts a game in which the person plays `side`, or both sides if there is no agent. `seed`
    /// is for the agent's random numbers. Errors: [`Error`] if the agent cannot play the game.
    pub fn new(stage: Stage, against: &Against, side: Side, seed: u64) -> Result<Session, Error> {
        let agent = match against {
            Against::Human => None,
            Against::Agent(spec) => {
                let agent = stage.agent(spec)?;
                Some(Seated {
                    side: !side,
                    caution: agent.caution(&[!side]),
                    numbers: agent.numbers(),
                    player: agent.seat(),
                    rng: stream(seed, Purpose::Match, 0, 0),
                    moved_in: None,
                })
            }
        };
        let mut session = Session {
            agent,
            advisor: None,
            seed,
            games: 0,
            moves: Vec::new(),
            is_given_up: false,
            position: Position::start(stage.game()),
            stage: Arc::new(stage),
        };
        session.begin(Vec::new());
        Ok(session)
    }

    /// Begins the present game, by its number, after some moves.
    fn begin(&mut self, moves: Vec<Move>) {
        if let Some(agent) = &mut self.agent {
            agent.rng = stream(self.seed, Purpose::Match, self.games, 0);
            agent.player.start_game();
        }
        self.go_to(moves);
    }

    /// Continues after these moves.
    fn go_to(&mut self, moves: Vec<Move>) {
        let start = Position::start(self.stage.game());
        let play = |position: Position, &mv: &Move| position.play_unchecked(mv);
        self.position = moves.iter().fold(start, play);
        self.moves = moves;
        self.is_given_up = false;
        self.leave();
        if let Some(agent) = &mut self.agent {
            agent.moved_in = None;
            agent.player.resume_game(&Past {
                start,
                moves: &self.moves,
                side: agent.side,
            });
        }
    }

    /// Stops all thinking about the position.
    fn leave(&mut self) {
        if let Some(advisor) = &mut self.advisor {
            advisor.leave();
        }
    }

    /// Begins another game.
    pub fn restart(&mut self) {
        self.games += 1;
        self.begin(Vec::new());
    }

    /// The game.
    pub fn game(&self) -> &'static GameInfo {
        self.stage.game()
    }

    /// A sentence about how the agent falls short of its name, if it does.
    pub fn caution(&self) -> Option<&str> {
        self.agent.as_ref()?.caution.as_deref()
    }

    /// What the values of the agent's thoughts mean; see [`Agent::numbers`](crate::agent::Agent::numbers).
    pub fn numbers(&self) -> Option<&'static str> {
        self.agent.as_ref().map(|agent| agent.numbers)
    }

    /// The present position.
    pub fn position(&self) -> Position {
        self.position
    }

    /// The moves made so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Whether the game is over: by the rules, or because the agent resigned or broke it off, which loses it.
    pub fn is_over(&self) -> bool {
        self.is_given_up || self.position.outcome().is_some()
    }

    /// Whether it is a person's turn.
    pub fn is_persons_turn(&self) -> bool {
        let agents = self.agent.as_ref().map(|agent| agent.side);
        !self.is_over() && agents != Some(self.position.to_move())
    }

    /// Makes the person's move, or one for the agent; `None` if it is not legal.
    pub fn play(&mut self, mv: Move) -> Option<()> {
        self.position = self.position.play(mv)?;
        self.moves.push(mv);
        self.leave();
        Some(())
    }

    /// Lets the agent move, if it is its turn, and returns its move. Errors: [`Failure`] if it found none; with
    /// [`Failure::Resigns`] and [`Failure::Forfeit`] it loses the game, otherwise the game is as before.
    pub fn answer(&mut self, limits: &Limits) -> Result<Option<Move>, Failure> {
        let position = self.position;
        let is_its_turn = !self.is_over() && !self.is_persons_turn();
        let Some(agent) = self.agent.as_mut().filter(|_| is_its_turn) else {
            return Ok(None);
        };
        let chosen = agent.player.choose(position, limits, &mut agent.rng);
        self.is_given_up = matches!(chosen, Err(Failure::Resigns | Failure::Forfeit(_)));
        let mv = chosen?;
        agent.moved_in = Some(position);
        self.position = position.play_unchecked(mv);
        self.moves.push(mv);
        self.leave();
        Ok(Some(mv))
    }

    /// Takes back the last move of a person and everything after it; returns whether there was such
    /// a move.
    pub fn undo(&mut self) -> bool {
        let agents = self.agent.as_ref().map(|agent| agent.side);
        // X makes the moves with even numbers.
        let is_persons = |number: &usize| agents != Some(Side::BOTH[number % 2]);
        let Some(left) = (0..self.moves.len()).rev().find(is_persons) else {
            return false;
        };
        self.go_to(self.moves[..left].to_vec());
        true
    }

    /// What is known about the moves of the position, a live one, as soon as everything is known that
    /// will be, or after `patience` at most; `None` if nothing is known. The search goes on in the
    /// background until a move is made: asking again returns what it has found.
    pub fn hint(&mut self, patience: Duration) -> Option<Hint> {
        if self.is_over() {
            return None;
        }
        let new = || Advisor::new(Arc::clone(&self.stage));
        let advisor = self.advisor.get_or_insert_with(new);
        advisor.ask(self.position, patience)
    }

    /// What the agent thought where it last moved, or, if it has not moved yet, what it thinks of
    /// the present position: the position, and a thought for every move; `None` if there is no
    /// agent. Errors: [`Failure`] if it thinks nothing.
    pub fn why(&mut self, limits: &Limits) -> Result<Option<(Position, Vec<Thought>)>, Failure> {
        let Some(agent) = &mut self.agent else {
            return Ok(None);
        };
        let position = agent.moved_in.unwrap_or(self.position);
        if position.outcome().is_some() {
            return Ok(Some((position, Vec::new())));
        }
        let thoughts = agent.player.explain(position, limits, agent.rng.clone())?;
        Ok(Some((position, thoughts)))
    }

    /// Writes the game to a file; one that the agent broke off can go on once it is loaded. Errors: [`Error`] if the
    /// file exists and is not a saved game, or if it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        if path.symlink_metadata().is_ok() && read_saved(path).is_err() {
            return Err(Error::input(format!(
                "{} already exists and is not a saved game; choose another name",
                path.display()
            )));
        }
        let names = self.moves.iter().map(|&mv| self.game().format_move(mv));
        let saved = SavedGame {
            game: self.game().name.to_owned(),
            moves: names.collect::<Vec<_>>().join(","),
        };
        let text = toml::to_string(&saved).expect("a saved game is a TOML table");
        write_named(path, text.as_bytes())
    }

    /// Continues a game from a file. Errors: [`Error::Input`] if it is not a saved game, or one of
    /// another game; the present game is unchanged then.
    pub fn load(&mut self, path: &Path) -> Result<(), Error> {
        let (saved, shown) = (read_saved(path)?, path.display());
        if saved.game != self.game().name {
            return Err(Error::input(format!(
                "{shown} is a game of {}, not of {}",
                saved.game,
                self.game().name
            )));
        }
        let read = read_moves(Position::start(self.game()), &saved.moves);
        let (moves, _) = read.map_err(|error| Error::input(format!("{shown}: {error}")))?;
        self.games += 1;
        self.begin(moves);
        Ok(())
    }
}

/// More bytes than a saved game takes.
const LARGEST_FILE: u64 = 1 << 16;

/// Reads a saved game. Errors: [`Error::Input`] if the file is not one.
fn read_saved(path: &Path) -> Result<SavedGame, Error> {
    let shown = path.display();
    let bad = |why: String| Error::input(format!("cannot read {shown}: {why}"));
    let text = read_own(path, LARGEST_FILE).map_err(Error::reading("read", path, bad))?;
    let table = str::from_utf8(&text)
        .ok()
        .and_then(|text| text.parse().ok());
    let saved = table.and_then(|table| from_table(&table).ok());
    saved.ok_or_else(|| {
        Error::input(format!(
            "{shown} is not a saved game, expected game = \"NAME\" and moves = \"MOVES\""
        ))
    })
}
