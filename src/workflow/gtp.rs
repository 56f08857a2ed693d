//! An agent as a program that speaks the Go Text Protocol, version 2.

use std::fmt;
use std::sync::Arc;

use crate::agent::{AgentSpec, Failure, Past, Player, Stage, legal_move, side_of_color, vertex};
use crate::error::Error;
use crate::game::{Move, Position, Side};
use crate::rng::{LabRng, Purpose, stream};
use crate::search::Limits;

/// An agent that answers commands. It plays for both colors.
pub struct GtpEngine {
    stage: Stage,
    spec: AgentSpec,
    caution: Option<String>,
    seed: u64,
    /// The number of games begun.
    games: u64,
    start: Position,
    moves: Vec<Move>,
    /// The number of moves made before each requested one, and before the pass in front of it if there was one.
    before: Vec<usize>,
    position: Position,
    /// By [`Side::index`]; empty until the agent is ready.
    chairs: Vec<Chair>,
}

struct Chair {
    player: Box<dyn Player>,
    rng: LabRng,
}

/// The random numbers of a side in the game with this number.
fn rng_of(seed: u64, game: u64, side: Side) -> LabRng {
    stream(seed, Purpose::Match, 0, 2 * game + side.index() as u64)
}

/// The response to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GtpResponse {
    /// The number that the command had.
    pub number: Option<u32>,
    /// The answer, or as an error what is wrong with the command.
    pub text: Result<String, String>,
    /// Whether the program is to end.
    pub quits: bool,
}

/// As the protocol has it, with the empty line at the end.
impl fmt::Display for GtpResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mark, text) = match &self.text {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        let number = self.number.map_or_else(String::new, |n| n.to_string());
        match text.as_str() {
            "" => write!(f, "{mark}{number}\n\n"),
            text => write!(f, "{mark}{number} {text}\n\n"),
        }
    }
}

/// All known commands.
const COMMANDS: [&str; 16] = [
    "boardsize",
    "clear_board",
    "genmove",
    "known_command",
    "komi",
    "list_commands",
    "name",
    "play",
    "protocol_version",
    "quit",
    "set_random_seed",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

impl GtpEngine {
    /// An agent at the start of its game; `seed` is for its random numbers. Errors: [`Error`] if it cannot
    /// play the game.
    pub fn new(stage: Stage, spec: AgentSpec, seed: u64) -> Result<GtpEngine, Error> {
        let (game, start) = (stage.game(), Position::start(stage.game()));
        let mut engine = GtpEngine {
            stage,
            spec,
            caution: None,
            seed,
            games: 0,
            start,
            moves: Vec::new(),
            before: Vec::new(),
            position: start,
            chairs: Vec::new(),
        };
        let spec = &engine.spec;
        if game.listed && spec.has_policy() && !spec.reaches_out() && spec.run().is_none() {
            // By the rules alone, only the options can be wrong. Listing all positions may take longer than a
            // referee waits for a first answer, so that is done for the first move.
            let checked = spec.check(game);
            checked.map_err(|why| Error::input(format!("agent {why}")))?;
        } else {
            engine.seat()?;
        }
        Ok(engine)
    }

    /// Makes the agent ready, if it is not yet.
    fn seat(&mut self) -> Result<(), Error> {
        if self.chairs.is_empty() {
            let agent = self.stage.agent(&self.spec)?;
            self.caution = agent.caution(&Side::BOTH);
            let chair = |side: Side| Chair {
                player: Arc::clone(&agent).seat(),
                rng: rng_of(self.seed, self.games, side),
            };
            self.chairs.extend(Side::BOTH.map(chair));
        }
        Ok(())
    }

    /// A sentence about how the agent falls short of its name, if it does.
    pub fn caution(&self) -> Option<String> {
        self.caution.clone()
    }

    /// Carries out a line's command; `None` if it is empty or a comment.
    pub fn answer(&mut self, line: &str, limits: &Limits) -> Option<GtpResponse> {
        let line = line.split('#').next().unwrap_or_default();
        let kept = |c: &char| *c == '\t' || !c.is_control();
        let line: String = line.chars().filter(kept).collect();
        let mut words = line.split_whitespace().peekable();
        let number = words.peek().and_then(|word| word.parse().ok());
        if number.is_some() {
            words.next();
        }
        let command = words.next().or(number.map(|_| ""))?;
        let arguments: Vec<&str> = words.collect();
        Some(GtpResponse {
            number,
            text: self.obey(command, &arguments, limits),
            quits: command == "quit",
        })
    }

    fn obey(
        &mut self,
        command: &str,
        arguments: &[&str],
        limits: &Limits,
    ) -> Result<String, String> {
        match (command, arguments) {
            ("protocol_version", _) => Ok("2".to_owned()),
            ("name", _) => Ok(format!("lab {}", self.spec)),
            ("version", _) => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            ("known_command", [name]) => Ok(COMMANDS.contains(name).to_string()),
            ("list_commands", _) => Ok(COMMANDS.join("\n")),
            // Games are not played for points, and an agent thinks as long as its spec says.
            ("quit" | "komi" | "time_settings" | "time_left", _) => Ok(String::new()),
            ("boardsize", sizes) => self.board_size(sizes),
            ("clear_board", _) => {
                self.games += 1;
                self.before.clear();
                self.go_back(0);
                Ok(String::new())
            }
            ("set_random_seed", [seed]) => {
                self.seed = seed.parse().map_err(|_| "syntax error")?;
                self.games = 0;
                for (chair, side) in self.chairs.iter_mut().zip(Side::BOTH) {
                    chair.rng = rng_of(self.seed, 0, side);
                }
                Ok(String::new())
            }
            ("showboard", _) => Ok(self.position.to_string()),
            ("undo", _) => {
                let made = self.before.pop().ok_or("cannot undo")?;
                self.go_back(made);
                Ok(String::new())
            }
            ("play", [color, vertex]) => {
                let (pass, position) = self.turn_of(color)?;
                let mv = legal_move(position, vertex).ok_or("illegal move")?;
                self.make(pass, mv);
                Ok(String::new())
            }
            ("genmove", [color]) => {
                let (pass, position) = self.turn_of(color)?;
                self.seat().map_err(|error| error.to_string())?;
                let side = position.to_move();
                let Chair { player, rng } = &mut self.chairs[side.index()];
                // The player does not know the moves that the controller made for its side.
                let moves: Vec<Move> = self.moves.iter().copied().chain(pass).collect();
                player.resume_game(&Past {
                    start: self.start,
                    moves: &moves,
                    side,
                });
                let mv = match player.choose(position, limits, rng) {
                    Err(Failure::Resigns) => return Ok("resign".to_owned()),
                    chosen => chosen.map_err(|failure| failure.to_string())?,
                };
                self.make(pass, mv);
                Ok(vertex(position, mv))
            }
            (name, _) if COMMANDS.contains(&name) => Err("syntax error".to_owned()),
            _ => Err("unknown command".to_owned()),
        }
    }

    fn board_size(&self, sizes: &[&str]) -> Result<String, String> {
        let geometry = self.start.game().geometry();
        let sizes: Option<Vec<usize>> = sizes.iter().map(|size| size.parse().ok()).collect();
        match sizes.as_deref() {
            Some([size]) if [geometry.width, geometry.height] == [*size; 2] => Ok(String::new()),
            Some([width, height]) if [geometry.width, geometry.height] == [*width, *height] => {
                Ok(String::new())
            }
            Some([_] | [_, _]) => Err("unacceptable size".to_owned()),
            _ => Err("syntax error".to_owned()),
        }
    }

    /// The position in which it is a color's turn, with the pass that leads to it: a side that can only pass
    /// is taken to have passed. Errors: a message if it is not the color's turn.
    fn turn_of(&self, color: &str) -> Result<(Option<Move>, Position), String> {
        let side = side_of_color(color).ok_or("syntax error")?;
        if self.position.outcome().is_some() {
            return Err("the game is over".to_owned());
        }
        if self.position.to_move() == side {
            return Ok((None, self.position));
        }
        let mut moves = self.position.moves();
        match (moves.next(), moves.next()) {
            (Some(only), None) if self.position.format_move(only) == "pass" => {
                Ok((Some(only), self.position.play_unchecked(only)))
            }
            _ => Err("illegal move: it is the other color's turn".to_owned()),
        }
    }

    /// Makes a move, after the other side's pass if there was one.
    fn make(&mut self, pass: Option<Move>, mv: Move) {
        self.before.push(self.moves.len());
        for mv in pass.into_iter().chain([mv]) {
            self.position = self.position.play_unchecked(mv);
            self.moves.push(mv);
        }
    }

    /// Goes back to the position after this many moves.
    fn go_back(&mut self, made: usize) {
        self.moves.truncate(made);
        let play = |position: Position, &mv: &Move| position.play_unchecked(mv);
        self.position = self.moves.iter().fold(self.start, play);
        for (chair, side) in self.chairs.iter_mut().zip(Side::BOTH) {
            if made == 0 {
                chair.rng = rng_of(self.seed, self.games, side);
                chair.player.start_game();
            }
        }
    }
}
