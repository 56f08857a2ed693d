use std::str::FromStr;
use std::time::Instant;

use clap::Args;
use playlab::Error;
use playlab::agent::{AgentSpec, Analysis, AnalyzedMove, MctsOptions, MctsPlay, Oracle};
use playlab::game::{Game, GameInfo, GameVisitor, Move, Side, Value, with_game};
use playlab::run::GameName;
use playlab::search::{Counted, Method, Solver, minimax};
use playlab::text::{self, thousands};
use serde::Serialize;

use super::output::{json_text, print, table, table_text};
use super::position::{PositionArguments, board};
use super::progress::while_waiting;
use super::simulate::simulate;

/// Tell what a position is worth under perfect play
///
/// Prints the value for the side to move, every move with its value, and a line of
/// best play. Distances are plies to the end when winners hurry and losers and
/// drawers take their time; they are known for games whose positions are listed.
///
/// The method only decides how the value is searched for, and what that costs.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab solve tic-tac-toe --moves a1,c1,a3
  lab solve tic-tac-toe --compare
  lab solve tic-tac-toe --method mcts:simulations=2000
  lab solve mnk-4x3x3 --position X.../.O../.... --method alpha-beta --json")]
pub struct Solve {
    /// The game; `lab games` lists them
    game: GameName,

    #[command(flatten)]
    position: PositionArguments,

    /// How to search: tree, alpha-beta, alpha-beta-ordered, memo, folded, solver, or mcts with
    /// the options of the agent, such as mcts:simulations=5000,c=1
    #[arg(long, value_name = "METHOD", default_value = "solver")]
    method: Searcher,

    /// The seed of the random numbers of mcts
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Search by every method, and print what each costs
    #[arg(long, conflicts_with = "method")]
    compare: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What searches.
#[derive(Clone)]
enum Searcher {
    Minimax(Method),
    Mcts(Box<MctsOptions>),
}

impl FromStr for Searcher {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "mcts" || text.starts_with("mcts:") {
            return match text
                .parse::<AgentSpec>()
                .map_err(|error| error.to_string())?
            {
                AgentSpec::Mcts(options) => {
                    let MctsPlay {
                        reuse_tree,
                        noise_weight,
                        temperature,
                        ..
                    } = options.play;
                    if reuse_tree || noise_weight > 0.0 || temperature > 0.0 {
                        return Err(
                            "reuse_tree, noise_weight and temperature are for games and \
                                    change nothing here"
                                .to_owned(),
                        );
                    }
                    Ok(Searcher::Mcts(options))
                }
                _ => Err(format!("'{text}' is no method")),
            };
        }
        let method = Method::ALL.into_iter().find(|method| method.name() == text);
        method.map(Searcher::Minimax).ok_or_else(|| {
            let names = Method::ALL
                .iter()
                .map(|method| method.name())
                .chain(["mcts"]);
            format!("unknown method '{text}'{}", text::hint(text, names))
        })
    }
}

#[derive(Serialize)]
struct Report {
    game: &'static str,
    position: String,
    to_move: Side,
    value: Value,
    distance: Option<u32>,
    best_moves: Vec<String>,
    line: Vec<String>,
    moves: Vec<MoveReport>,
    #[serde(flatten)]
    cost: Cost,
}

#[derive(Serialize)]
struct MoveReport {
    #[serde(rename = "move")]
    mv: String,
    value: Value,
    distance: Option<u32>,
}

#[derive(Serialize)]
struct Cost {
    method: Method,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Comparison {
    game: &'static str,
    position: String,
    to_move: Side,
    methods: Vec<Compared>,
}

#[derive(Serialize)]
struct Compared {
    method: Method,
    /// None of the three where the search was given up.
    value: Option<Value>,
    nodes: Option<u64>,
    seconds: Option<f64>,
}

/// Positions that a comparison looks at before it gives a method up.
const COMPARE_LIMIT: u64 = 100_000_000;

impl Solve {
    /// Searches and prints.
    pub fn run(self) -> Result<(), Error> {
        with_game(self.game.as_str(), &self).map_err(|error| Error::input(error.to_string()))?
    }

    fn compare<G: Game>(&self, info: &'static GameInfo, position: G) -> Result<(), Error> {
        let measure = |method| {
            let message = format!("searching {} by {method}", info.name);
            let found = while_waiting(message, || {
                counted(position, method, COMPARE_LIMIT, &mut None)
            });
            Compared {
                method,
                value: found.as_ref().map(|found| found.0),
                nodes: found.as_ref().map(|found| found.1.nodes),
                seconds: found.as_ref().map(|found| found.1.seconds),
            }
        };
        let comparison = Comparison {
            game: info.name,
            position: position.format(),
            to_move: position.to_move(),
            methods: Method::ALL.map(measure).into(),
        };
        if self.json {
            return print(&json_text(&comparison));
        }
        let mut rows = table(["method", "nodes", "seconds", "value"], 1);
        for compared in &comparison.methods {
            rows.add_row([
                compared.method.to_string(),
                compared
                    .nodes
                    .map_or_else(|| format!("over {}", thousands(COMPARE_LIMIT)), thousands),
                compared
                    .seconds
                    .map_or_else(String::new, |seconds| format!("{seconds:.6}")),
                compared
                    .value
                    .map_or_else(|| "given up".to_owned(), |value| value.to_string()),
            ]);
        }
        print(&format!(
            "{}, {}, {} to move\n\n{}",
            info.name,
            comparison.position,
            comparison.to_move.letter(),
            table_text(&rows)
        ))
    }
}

/// The value of a position, and what the search for it cost; `None` if that
/// is above the limit. A solver that was used is left behind.
fn counted<G: Game>(
    position: G,
    method: Method,
    limit: u64,
    solver: &mut Option<Solver<G>>,
) -> Option<(Value, Cost)> {
    // Its table is cleared before the clock starts.
    let solver = (method == Method::Solver).then(|| solver.insert(Solver::default()));
    let started = Instant::now();
    let Counted { value, nodes } = match solver {
        Some(solver) => Counted {
            value: solver.value(position),
            nodes: solver.nodes(),
        },
        None => minimax(position, method, limit)?,
    };
    let seconds = started.elapsed().as_secs_f64();
    let cost = Cost {
        method,
        nodes,
        seconds,
    };
    Some((value, cost))
}

impl GameVisitor for &Solve {
    type Output = Result<(), Error>;

    fn visit<G: Game>(self, info: &'static GameInfo) -> Self::Output {
        let position: G = self.position.find()?;
        if self.compare {
            return self.compare(info, position);
        }
        let method = match &self.method {
            Searcher::Minimax(method) => *method,
            Searcher::Mcts(options) => {
                return simulate(info, position, options, self.seed, self.json);
            }
        };
        let message = format!("searching {} by {method}", info.name);
        let mut solver = None;
        let searched = while_waiting(message, || counted(position, method, u64::MAX, &mut solver));
        let (_, cost) = searched.expect("there is no limit");
        let message = format!("judging every move of {}", position.format());
        let (analysis, line) = while_waiting(message, || {
            let mut oracle = match solver {
                // It knows the position already.
                Some(solver) if info.positions.is_none() => Oracle::Searched(Box::new(solver)),
                _ => Oracle::of(info),
            };
            (oracle.analyze(position), oracle.line(position))
        });
        let Some(analysis) = analysis else {
            return Err(Error::input(format!(
                "{}: no game of {} comes to this position",
                position.format(),
                info.name
            )));
        };
        if self.json {
            return print(&json_text(&report(info, position, &analysis, &line, cost)));
        }
        print(&text(info, position, &analysis, &line, &cost))
    }
}

fn report<G: Game>(
    info: &'static GameInfo,
    position: G,
    analysis: &Analysis,
    line: &[Move],
    cost: Cost,
) -> Report {
    let optimal = analysis.moves.iter().filter(|mv| mv.optimal);
    Report {
        game: info.name,
        position: position.format(),
        to_move: position.to_move(),
        value: analysis.value,
        distance: analysis.distance,
        best_moves: optimal.map(|mv| G::format_move(mv.mv)).collect(),
        line: line.iter().map(|&mv| G::format_move(mv)).collect(),
        moves: analysis
            .moves
            .iter()
            .map(|mv| MoveReport {
                mv: G::format_move(mv.mv),
                value: mv.value,
                distance: mv.distance,
            })
            .collect(),
        cost,
    }
}

/// The board with every move's value in its square, optimal moves marked.
pub fn value_board<G: Game>(info: &GameInfo, position: G, moves: &[AnalyzedMove]) -> String {
    board(info, &position.format(), |square| {
        let mv = moves.iter().find(|mv| mv.mv == square)?;
        Some(format!(
            "{}{}",
            mv.value,
            if mv.optimal { "*" } else { " " }
        ))
    })
}

fn text<G: Game>(
    info: &GameInfo,
    position: G,
    analysis: &Analysis,
    line: &[Move],
    cost: &Cost,
) -> String {
    let plies = |distance: Option<u32>| match distance {
        None | Some(0) => String::new(),
        Some(1) => " in 1 ply".to_owned(),
        Some(plies) => format!(" in {plies} plies"),
    };
    let (name, side) = (info.name, position.to_move().letter());
    let value = analysis.value;
    if position.outcome().is_some() {
        return format!(
            "{name}, {}: over, a {value} for {side}\n",
            position.format()
        );
    }
    let mut text = format!(
        "{name}, {}, {side} to move: a {value}{}\n\n",
        position.format(),
        plies(analysis.distance)
    );
    text += &value_board(info, position, &analysis.moves);
    let optimal = analysis.moves.iter().filter(|mv| mv.optimal);
    let names: Vec<String> = optimal.map(|mv| G::format_move(mv.mv)).collect();
    text += &format!("\nOptimal moves (*): {}\n", names.join(" "));
    let line: Vec<String> = line.iter().map(|&mv| G::format_move(mv)).collect();
    text += &format!("Best play: {}\n", line.join(" "));
    if analysis.distance.is_some() {
        let mut rows = table(["move", "value", "plies"], 1);
        for mv in &analysis.moves {
            rows.add_row([
                G::format_move(mv.mv),
                mv.value.to_string(),
                mv.distance.map_or_else(String::new, |d| d.to_string()),
            ]);
        }
        text += &format!("\n{}", table_text(&rows));
    }
    text + &format!(
        "\n{}: {} nodes in {:.6} s\n",
        cost.method,
        thousands(cost.nodes),
        cost.seconds
    )
}
