//! A game at the terminal: what is typed, and what happens then.

use std::io::IsTerminal;
use std::path::Path;

use playlab::Error;
use playlab::agent::Failure;
use playlab::game::{Outcome, Side, legal_moves};
use playlab::search::Limits;
use playlab::text::{self, escaped};
use playlab::workflow::{Against, Session, ending_text};

use super::super::input::read_line;
use super::super::output::{print, print_styled};
use super::super::progress::while_waiting;

/// A game at the terminal.
pub struct Table {
    pub session: Session,
    pub against: Against,
    /// The side of the person, if only one person plays.
    pub side: Option<Side>,
    pub hints: bool,
    pub colored: bool,
}

const HELP: &str = "\
Type a move, or one of these words:
  moves       the moves so far, and those that are possible
  board       the board again
  hint        what is known of every move; on a large board more, the longer you think
  why         what the agent thinks of this position's moves, or of those it last chose among
  undo        take back your last move and the answer
  save FILE   write the game to a file
  load FILE   continue a game from a file
  new         begin again
  quit        leave
Where not every empty square can be played, + marks those that can.
";

const WORDS: [&str; 10] = [
    "moves", "board", "hint", "why", "undo", "save", "load", "new", "quit", "help",
];

impl Table {
    /// Plays until the user quits or the input ends. Errors: [`Error`] if the terminal cannot be
    /// read or written to.
    pub fn sit_down(&mut self) -> Result<(), Error> {
        let who = match self.side {
            Some(side) => {
                let against = escaped(&self.against.to_string());
                let [own, other] = [side, !side].map(|side| self.named(side));
                format!("you are {own}, {against} is {other}")
            }
            None => {
                let [x, o] = Side::BOTH.map(|side| self.named(side));
                format!("{x} and {o} are people")
            }
        };
        let name = self.session.game().name;
        print_styled(&format!("{name}: {who}. Type a move, or help.\n"))?;
        self.go_on()?;
        loop {
            self.prompt()?;
            let line = read_line()?;
            if line.is_empty() {
                return print("\n");
            }
            // Bytes that are not text are handled like other wrong input.
            let Ok(line) = String::from_utf8(line) else {
                print("That is not text; type a move, or help.\n")?;
                continue;
            };
            if !std::io::stdin().is_terminal() {
                // A terminal shows what is typed; a pipe does not.
                print(&format!("{}\n", line.trim_end()))?;
            }
            let line = line.trim();
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let file = Path::new(rest.trim());
            match line.to_lowercase().as_str() {
                "" => {}
                "quit" | "exit" | "q" => return Ok(()),
                "help" | "?" => print(HELP)?,
                "moves" => self.moves()?,
                "board" => print_styled(&self.drawing())?,
                "hint" => self.hint()?,
                "why" => self.why()?,
                "undo" => self.undo()?,
                "save" | "load" => {
                    print(&format!("{line} needs a file, such as: {line} game.toml\n"))?
                }
                "new" => {
                    self.session.restart();
                    self.go_on()?;
                }
                text => match word.to_lowercase().as_str() {
                    "save" => match self.session.save(file) {
                        Ok(()) => print(&format!("The game is in {}\n", file.display()))?,
                        Err(error) => print(&format!("{error}\n"))?,
                    },
                    "load" => match self.session.load(file) {
                        Ok(()) => self.go_on()?,
                        Err(error) => print(&format!("{error}\n"))?,
                    },
                    _ => self.answer(text)?,
                },
            }
        }
    }

    fn prompt(&self) -> Result<(), Error> {
        let who = match self.session.is_over() {
            true => "over".to_owned(),
            false => self.session.position().to_move().letter().to_string(),
        };
        print(&format!("{who}> "))
    }

    fn answer(&mut self, word: &str) -> Result<(), Error> {
        let position = self.session.position();
        if self.session.is_over() {
            return print("The game is over; type new, undo or quit.\n");
        }
        let mv = match position.game().parse_move(word) {
            Ok(mv) => mv,
            Err(error) => {
                let hint = text::nearest(word, WORDS).map_or_else(
                    || ", or help".to_owned(),
                    |near| format!("; did you mean {near}?"),
                );
                return print(&format!("{error}{hint}\n"));
            }
        };
        match self.session.play(mv) {
            Some(()) => self.go_on(),
            None => print(&format!(
                "{word} is not possible here; {}\n",
                legal_moves(position)
            )),
        }
    }

    /// Lets the agent move if it is its turn, and shows the board.
    fn go_on(&mut self) -> Result<(), Error> {
        let mover = self.session.position().to_move();
        let session = &mut self.session;
        let answered = while_waiting("thinking", || session.answer(&Limits::NONE));
        match answered {
            Ok(None) => {}
            Ok(Some(mv)) => print(&format!(
                "{} plays {}\n",
                mover.letter(),
                self.session.game().format_move(mv)
            ))?,
            Err(why) => {
                print_styled(&self.drawing())?;
                let what = match why {
                    Failure::Resigns | Failure::Forfeit(_) => "loses",
                    _ => "has no move",
                };
                return print(&format!(
                    "{} {what}: {why}; new, undo or quit?\n",
                    self.against
                ));
            }
        }
        print_styled(&self.drawing())?;
        let position = self.session.position();
        if let Some(outcome) = position.outcome() {
            return print(&format!("{} new, undo or quit?\n", self.ending(outcome)));
        }
        let mut moves = position.moves();
        if moves.len() == 1
            && let Some(mv) = moves.next()
            && position.square(mv).is_none()
        {
            print(&format!("The only move is {}.\n", position.format_move(mv)))?;
        }
        if self.hints { self.hint() } else { Ok(()) }
    }

    /// The result in words.
    fn ending(&self, outcome: Outcome) -> String {
        let who = match (outcome, self.side) {
            (Outcome::Draw, _) => "A draw".to_owned(),
            (Outcome::Win(side), Some(own)) if side == own => {
                format!("You win as {}", side.letter())
            }
            (Outcome::Win(side), Some(_)) => {
                format!("You lose, {} wins as {}", self.against, side.letter())
            }
            (Outcome::Win(side), None) => format!("{} wins", side.letter()),
        };
        ending_text(
            &who,
            self.session.position(),
            Some(self.session.moves().len()),
        )
    }

    fn moves(&self) -> Result<(), Error> {
        let game = self.session.game();
        let so_far: Vec<String> = (self.session.moves().iter())
            .map(|&mv| game.format_move(mv))
            .collect();
        let so_far = match &so_far[..] {
            [] => "none".to_owned(),
            moves => moves.join(","),
        };
        let legal = legal_moves(self.session.position());
        print(&format!("moves so far: {so_far}\n{legal}\n"))
    }

    fn undo(&mut self) -> Result<(), Error> {
        if !self.session.undo() {
            return print("There is nothing to take back.\n");
        }
        self.go_on()
    }
}
