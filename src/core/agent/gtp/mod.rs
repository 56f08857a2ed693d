//! `gtp:COMMAND`: an outside program that speaks the Go Text Protocol.

mod program;
mod vertex;

pub use program::end_programs;
pub use vertex::{color, legal_move, side, vertex};

use std::env;
use std::path::{PathBuf, is_separator};
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::program::{Program, brief};
use super::spec::{Kind, SpecForm, SpecSubject};
use super::{Agent, Failure, Past, Player, Stage, Thought, options};
use crate::error::{Error, all_within};
use crate::game::{GameInfo, Move, Position, Side};
use crate::rng::{LabRng, below};
use crate::search::Limits;
use crate::text::of_system;

/// The form of its spec.
pub const FORM: SpecForm = SpecForm {
    names: &["gtp"],
    examples: &["gtp:COMMAND"],
    plays: "What an outside program plays, over the Go Text Protocol on its standard input and output, such as \
            \"gtp:edax -gtp\". The command is split at blanks; quote words that contain blanks. Each answer must come \
            within timeout seconds, the first move within six times as long; a program that stops, or plays an illegal \
            move, loses the game.",
    subject: Some(SpecSubject::Command),
    options: options::defaults::<GtpOptions>,
    menu: &[],
    opponent: None,
    read: |_, rest| {
        let options = GtpOptions::read(rest.unwrap_or_default())?;
        Ok(Arc::new(options))
    },
};

/// Which program it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GtpOptions {
    /// What stands behind the colon, as it was given.
    #[serde(skip)]
    given: String,
    #[serde(skip)]
    command: String,
    /// The program and its arguments, at least one word.
    #[serde(skip)]
    words: Vec<String>,
    /// Seconds that the program has for an answer, above 0.
    #[schemars(range(min = 0.001, max = 86400.0))]
    timeout: f64,
}

impl Default for GtpOptions {
    fn default() -> Self {
        GtpOptions {
            given: String::new(),
            command: String::new(),
            words: Vec::new(),
            timeout: 10.0,
        }
    }
}

impl GtpOptions {
    fn read(given: &str) -> Result<GtpOptions, String> {
        // The command may well have commas and names with = of its own.
        let (command, rest) = match given.rsplit_once(",timeout=") {
            Some((command, value)) if !value.contains([' ', '\'', '"']) => {
                (command, Some(&given[command.len() + 1..]))
            }
            _ => (given, None),
        };
        let words = words(command)?;
        if words.is_empty() {
            return Err("no command, expected one such as 'gtp:edax -gtp'".to_owned());
        }
        let options = GtpOptions {
            given: given.to_owned(),
            command: command.to_owned(),
            words,
            ..options::parse(rest)?
        };
        all_within([("timeout", options.timeout, 0.001, 86400.0)]).map_err(options::wrong)?;
        Ok(options)
    }

    /// Starts the program on a game's board. Errors: [`Failure`], with what is wrong.
    fn start(&self, game: &'static GameInfo, limits: &Limits) -> Result<Program, Failure> {
        let patience = Duration::from_secs_f64(self.timeout);
        let mut program = Program::start(&self.words, patience).map_err(|error| {
            let (name, why) = (&self.words[0], of_system(&error));
            Failure::Unable(format!("'{name}' cannot be started: {why}"))
        })?;
        let geometry = game.geometry();
        let size = match geometry.width == geometry.height {
            true => geometry.width.to_string(),
            false => format!("{} {}", geometry.width, geometry.height),
        };
        match program.ask(&format!("boardsize {size}"), limits)? {
            Err(why) if !why.contains("unknown command") => {
                Err(program.failed(format!("it refuses 'boardsize {size}': {}", brief(&why))))
            }
            _ => Ok(program),
        }
    }
}

/// The words of a command, separated by blanks except within single or double quotes. Errors: an unclosed quote.
fn words(command: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in command.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    match quote {
        None => Ok(words),
        Some(quote) => Err(format!("a {quote} without its end")),
    }
}

impl Kind for GtpOptions {
    fn text(&self) -> String {
        options::spec("gtp", Some(&self.command), self)
    }

    fn has_policy(&self) -> bool {
        false
    }

    fn reaches_out(&self) -> bool {
        true
    }

    fn check_there(&self) -> Result<(), Error> {
        let program = &self.words[0];
        let path = env::var_os("PATH").unwrap_or_default();
        // As the system searches for it.
        let places: Vec<PathBuf> = match program.contains(is_separator) {
            true => vec![PathBuf::new()],
            false => env::split_paths(&path).collect(),
        };
        let names = ["", env::consts::EXE_SUFFIX].map(|suffix| format!("{program}{suffix}"));
        let is_in = |place: &PathBuf| names.iter().any(|name| place.join(name).is_file());
        match places.iter().any(is_in) {
            true => Ok(()),
            false => Err(Error::Input(format!("there is no program '{program}'"))),
        }
    }

    fn ready(&self, stage: &Stage) -> Result<Arc<dyn Agent>, Error> {
        self.ready_within(stage, &Limits::NONE)
    }

    fn ready_within(&self, stage: &Stage, limits: &Limits) -> Result<Arc<dyn Agent>, Error> {
        let failed = |failure: Failure| match failure {
            Failure::Stopped(stopped) => Error::Failed(stopped.to_string()),
            other => Error::Input(other.to_string()),
        };
        // Whatever is wrong from the beginning is reported before games are played.
        let mut program = self.start(stage.game(), limits).map_err(failed)?;
        let known = program.ask("known_command set_random_seed", limits);
        limits
            .check()
            .map_err(|stopped| failed(Failure::Stopped(stopped)))?;
        Ok(Arc::new(Gtp {
            options: self.clone(),
            game: stage.game(),
            takes_seeds: matches!(known, Ok(Ok(known)) if known == "true"),
        }))
    }
}

struct Gtp {
    options: GtpOptions,
    game: &'static GameInfo,
    /// Whether it takes a seed for its random numbers.
    takes_seeds: bool,
}

impl Agent for Gtp {
    fn seat(self: Arc<Self>) -> Box<dyn Player> {
        Box::new(GtpPlayer {
            gtp: self,
            program: None,
            past: Vec::new(),
            known_moves: None,
        })
    }

    fn caution(&self, _: &[Side]) -> Option<String> {
        let copies = match self.takes_seeds {
            true => "",
            false => "; copies of it, one for each thread, may play the same games",
        };
        Some(format!(
            "gtp:{} is an outside program: nobody knows whether it plays the same again{copies}",
            self.options.given
        ))
    }
}

struct GtpPlayer {
    gtp: Arc<Gtp>,
    program: Option<Program>,
    /// The moves from the game's start, as far as they are known.
    past: Vec<Move>,
    /// The moves that the program knows; `None` if it has to begin a new game.
    known_moves: Option<Vec<Move>>,
}

impl GtpPlayer {
    /// Gives a command that the program must accept.
    fn command(&mut self, command: &str, limits: &Limits) -> Result<String, Failure> {
        let program = self.program.as_mut().expect("it has been started");
        let answer = program.ask(command, limits)?;
        answer.map_err(|why| program.failed(format!("it refuses '{command}': {}", brief(&why))))
    }

    /// Brings the program to a position: it goes on if the moves that it knows are the first ones of the game, and
    /// begins anew if not, as after moves were taken back or the program was restarted.
    fn bring(&mut self, to: Position, limits: &Limits, rng: &mut LabRng) -> Result<(), Failure> {
        let game = self.gtp.game;
        let play = |position: Position, &mv: &Move| position.play_unchecked(mv);
        let start = Position::start(game);
        let Some(moves) = self.past.iter().fold(start, play).moves_to(to) else {
            return Err(Failure::Unable(format!(
                "it cannot be brought to {to} without the moves that lead there"
            )));
        };
        self.past.extend(moves);
        if self.program.is_none() {
            // It could be started once.
            let again = self.gtp.options.start(game, limits);
            self.program = Some(again.map_err(|failure| match failure {
                Failure::Forfeit(why) => Failure::Unable(why),
                other => other,
            })?);
            self.known_moves = None;
        }
        let known_moves = self
            .known_moves
            .take()
            .filter(|known_moves| self.past.starts_with(known_moves));
        let known_moves = match known_moves {
            Some(known_moves) => known_moves,
            None => {
                // What a copy plays must depend on the game, not on what it has played before.
                if self.gtp.takes_seeds {
                    let seed = 1 + below(i32::MAX as u32, rng);
                    self.command(&format!("set_random_seed {seed}"), limits)?;
                }
                self.command("clear_board", limits)?;
                Vec::new()
            }
        };
        let mut position = known_moves.iter().fold(start, play);
        for number in known_moves.len()..self.past.len() {
            let mv = self.past[number];
            let (mover, vertex) = (color(position.to_move()), vertex(position, mv));
            self.command(&format!("play {mover} {vertex}"), limits)?;
            position = position.play_unchecked(mv);
        }
        self.known_moves = Some(self.past.clone());
        Ok(())
    }

    fn generate(
        &mut self,
        position: Position,
        limits: &Limits,
        rng: &mut LabRng,
    ) -> Result<Move, Failure> {
        self.bring(position, limits, rng)?;
        let command = format!("genmove {}", color(position.to_move()));
        let answer = self.command(&command, limits)?;
        if answer.eq_ignore_ascii_case("resign") {
            return Err(Failure::Resigns);
        }
        let Some(mv) = legal_move(position, &answer) else {
            let program = self.program.as_ref().expect("it has answered");
            let why = format!(
                "it plays '{}', which is not legal in {position}",
                brief(&answer)
            );
            return Err(program.failed(why));
        };
        self.past.push(mv);
        self.known_moves = Some(self.past.clone());
        Ok(mv)
    }
}

impl Player for GtpPlayer {
    fn start_game(&mut self) {
        self.known_moves = None;
        self.past.clear();
    }

    fn resume_game(&mut self, past: &Past<'_>) {
        self.past.clear();
        if past.start == Position::start(self.gtp.game) {
            self.past.extend(past.moves);
        }
    }

    fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        rng: &mut LabRng,
    ) -> Result<Move, Failure> {
        let known = self.past.len();
        let chosen = self.generate(position, limits, rng);
        if let Err(why) = &chosen {
            // The game may go on elsewhere.
            self.past.truncate(known);
            // After any other failure its state is unknown.
            if *why != Failure::Resigns {
                self.program = None;
            }
        }
        chosen
    }

    fn explain(
        &mut self,
        position: Position,
        _: &Limits,
        _: LabRng,
    ) -> Result<Vec<Thought>, Failure> {
        Ok(position.moves().map(Thought::about).collect())
    }
}
