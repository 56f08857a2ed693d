use std::io::{BufRead, IsTerminal};

use clap::Args;
use playlab::Error;
use playlab::agent::{AgentSpec, Oracle, Player};
use playlab::game::{Game, GameInfo, GameVisitor, Move, Outcome, Side, legal_moves, with_game};
use playlab::rng::{Purpose, stream};
use playlab::run::{Cast, GameName};
use playlab::search::{Limits, Scoring, Stopped};
use playlab::text::{self, thousands};

use super::matches::warn;
use super::output::{print, table, table_text};
use super::position::board;
use super::progress::while_waiting;
use super::solve::value_board;

/// Play against an agent
///
/// Moves are typed in the game's notation. Other words: hint (what every move is
/// worth under perfect play), why (what the agent thinks of the position, or of the
/// one it last moved in), undo, new, help, quit.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab play tic-tac-toe
  lab play tic-tac-toe --against mcts:simulations=50 --as o --hints
  lab play tic-tac-toe --against run:runs/qtable_o-1")]
pub struct Play {
    /// The game; `lab games` lists them
    game: GameName,

    /// Whom to play against; `lab match --help` tells the forms
    #[arg(long, value_name = "SPEC", default_value = "mcts")]
    against: AgentSpec,

    /// The side to play, x or o; x moves first
    #[arg(long = "as", value_name = "SIDE", default_value = "x")]
    side: Side,

    /// Show what every move is worth before each of yours
    #[arg(long)]
    hints: bool,

    /// The seed of the agent's random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Play {
    /// Plays until the person has enough or the input ends.
    pub fn run(self) -> Result<(), Error> {
        with_game(self.game.as_str(), &self).map_err(|error| Error::input(error.to_string()))?
    }
}

impl GameVisitor for &Play {
    type Output = Result<(), Error>;

    fn visit<G: Game>(self, info: &'static GameInfo) -> Self::Output {
        let message = format!("preparing {} for {}", self.against, info.name);
        let agent = while_waiting(message, || Cast::new(info).agent(&self.against))?;
        warn(info, std::slice::from_ref(&agent));
        let mut table = Table::<G> {
            play: self,
            info,
            player: Player::new(&agent, stream(self.seed, Purpose::Match, 0, 0)),
            oracle: None,
            moves: Vec::new(),
            position: G::start(),
            explained: None,
            games: 0,
            colored: std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        };
        table.sit_down()
    }
}

/// A game in progress.
struct Table<'a, G> {
    play: &'a Play,
    info: &'static GameInfo,
    player: Player<'a, G>,
    oracle: Option<Oracle<G>>,
    moves: Vec<Move>,
    position: G,
    /// Where the agent last moved.
    explained: Option<G>,
    games: u64,
    colored: bool,
}

const HELP: &str = "\
Type a move, or one of these words:
  hint   what every move is worth under perfect play
  why    what the agent thinks of this position's moves, or of those it last chose among
  undo   take back your last move and the answer
  new    begin again
  quit   leave
";

/// Positions that the oracle may look at for a hint.
const HINT_NODES: u64 = 20_000_000;

const WORDS: [&str; 6] = ["hint", "why", "undo", "new", "quit", "help"];

impl<G: Game> Table<'_, G> {
    fn sit_down(&mut self) -> Result<(), Error> {
        let side = self.play.side;
        print(&format!(
            "{}: you are {}, {} is {}. Type a move, or help.\n",
            self.info.name,
            side.letter(),
            self.play.against,
            (!side).letter()
        ))?;
        self.go_on()?;
        loop {
            self.prompt()?;
            let mut line = String::new();
            let read = std::io::stdin().lock().read_line(&mut line);
            match read {
                Ok(0) => return print("\n"),
                Ok(_) => {}
                // Bytes that are no text are a slip, as other wrong input is.
                Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                    print("That is no text; type a move, or help.\n")?;
                    continue;
                }
                Err(error) => {
                    return Err(Error::system("read", "standard input".as_ref())(error));
                }
            }
            if !std::io::stdin().is_terminal() {
                // A terminal shows what is typed; a pipe does not.
                print(&format!("{}\n", line.trim_end()))?;
            }
            let word = line.trim().to_lowercase();
            match word.as_str() {
                "" => {}
                "quit" | "exit" | "q" => return Ok(()),
                "help" | "?" => print(HELP)?,
                "hint" => self.hint()?,
                "why" => self.why()?,
                "undo" => self.undo()?,
                "new" => self.start_again()?,
                text => self.answer(text)?,
            }
        }
    }

    fn prompt(&self) -> Result<(), Error> {
        let who = match self.position.outcome() {
            Some(_) => "over".to_owned(),
            None => self.position.to_move().letter().to_string(),
        };
        print(&format!("{who}> "))
    }

    fn start_again(&mut self) -> Result<(), Error> {
        self.games += 1;
        let seed = self.play.seed;
        self.player
            .start_game(stream(seed, Purpose::Match, self.games, 0));
        self.moves.clear();
        self.position = G::start();
        self.explained = None;
        self.go_on()
    }

    fn answer(&mut self, word: &str) -> Result<(), Error> {
        if self.position.outcome().is_some() {
            return print("The game is over; type new, undo or quit.\n");
        }
        let mv = match G::parse_move(word) {
            Ok(mv) => mv,
            Err(error) => {
                let hint = text::nearest(word, WORDS)
                    .map_or_else(String::new, |near| format!("; did you mean {near}?"));
                return print(&format!("{error}{hint}\n"));
            }
        };
        match self.position.play(mv) {
            Ok(_) => {
                self.make(mv);
                self.go_on()
            }
            Err(_) => print(&format!(
                "{word} is not possible here; {}\n",
                legal_moves(self.position)
            )),
        }
    }

    fn make(&mut self, mv: Move) {
        self.position = self.position.play_unchecked(mv);
        self.moves.push(mv);
    }

    /// Lets the agent move if it is its turn, and shows the board.
    fn go_on(&mut self) -> Result<(), Error> {
        if self.position.outcome().is_none() && self.position.to_move() != self.play.side {
            let (position, player) = (self.position, &mut self.player);
            let mv = while_waiting("thinking".to_owned(), || player.choose(position));
            self.explained = Some(self.position);
            print(&format!(
                "{} plays {}\n",
                self.position.to_move().letter(),
                G::format_move(mv)
            ))?;
            self.make(mv);
        }
        print(&self.drawing())?;
        match self.position.outcome() {
            Some(Outcome::Win(side)) if side == self.play.side => print("You win. new or quit?\n"),
            Some(Outcome::Win(side)) => print(&format!("{} wins. new or quit?\n", side.letter())),
            Some(Outcome::Draw) => print("A draw. new or quit?\n"),
            None => {
                let mut moves = self.position.moves();
                if moves.len() == 1
                    && let Some(mv) = moves.next()
                    && self.position.square(mv).is_none()
                {
                    print(&format!("The only move is {}.\n", G::format_move(mv)))?;
                }
                if self.play.hints { self.hint() } else { Ok(()) }
            }
        }
    }

    fn drawing(&self) -> String {
        let text = board(self.info, self.position.key(), |_| None);
        if !self.colored {
            return text;
        }
        // Only the squares, not the names of columns and rows.
        let mut lines = text.lines();
        let mut colored = lines.next().unwrap_or_default().to_owned() + "\n";
        for line in lines {
            for letter in line.chars() {
                match letter {
                    'X' => colored += "\x1b[1;34mX\x1b[0m",
                    'O' => colored += "\x1b[1;33mO\x1b[0m",
                    other => colored.push(other),
                }
            }
            colored.push('\n');
        }
        colored
    }

    fn hint(&mut self) -> Result<(), Error> {
        if self.position.outcome().is_some() {
            return print("The game is over.\n");
        }
        let info = self.info;
        let position = self.position;
        let oracle = &mut self.oracle;
        let analysis = while_waiting("asking the oracle".to_owned(), || {
            oracle
                .get_or_insert_with(|| Oracle::of(info, Scoring::Raw))
                .analyze(position, &Limits::nodes(HINT_NODES))
        });
        match analysis {
            Ok(Some(analysis)) => print(&format!(
                "What every move is worth to {}, the best marked:\n{}",
                position.to_move().letter(),
                value_board(info, position, &analysis.moves)
            )),
            Ok(None) => print("The oracle does not know this position.\n"),
            Err(Stopped) => print(&format!(
                "The oracle does not see the end from here, looking at {} positions.\n",
                thousands(HINT_NODES)
            )),
        }
    }

    /// On the person's turn what the agent thought when it moved; where it has not
    /// moved yet, what it thinks of the position as it is.
    fn why(&mut self) -> Result<(), Error> {
        let position = self.explained.unwrap_or(self.position);
        if position.outcome().is_some() {
            return print("The game is over.\n");
        }
        let explanation = self.player.explain(position);
        let mut head = vec!["move"];
        head.extend(explanation.head);
        let mut rows = table(head, 1);
        for (mv, cells) in explanation.rows {
            let mut row = vec![G::format_move(mv)];
            row.extend(cells);
            rows.add_row(row);
        }
        print(&format!(
            "{} in {}, {} to move:\n{}",
            self.play.against,
            position.format(),
            position.to_move().letter(),
            table_text(&rows)
        ))
    }

    fn undo(&mut self) -> Result<(), Error> {
        let side = self.play.side;
        let mut left = self.moves.clone();
        // Back to where the person was to move.
        loop {
            if left.pop().is_none() {
                return print("There is nothing to take back.\n");
            }
            let position = replay::<G>(&left);
            if position.to_move() == side {
                self.position = position;
                break;
            }
        }
        self.moves = left;
        self.explained = None;
        // The agent has the moves that are not the person's; X made the first.
        let made = self.moves.len() as u32;
        self.player.resume_game(match side {
            Side::X => made / 2,
            Side::O => made.div_ceil(2),
        });
        print(&self.drawing())
    }
}

fn replay<G: Game>(moves: &[Move]) -> G {
    moves
        .iter()
        .fold(G::start(), |position, &mv| position.play_unchecked(mv))
}
