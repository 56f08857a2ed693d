//! Perfect play by search.

use super::kinds::{MinimaxChoice, MinimaxSearch};
use crate::game::{Game, GameInfo, GameVisitor, Move, Moves, with_game};
use crate::search::{AlphaBeta, ExactSolver, Limits, Reach, Scoring, Stopped, Ties, exact_solver};

/// `minimax` on a game whose positions are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perfect {
    choice: MinimaxChoice,
    reach: Reach,
    depth: u32,
    /// The number of the evaluation beyond the solver's reach: the game's last one.
    evaluation: usize,
}

impl Perfect {
    /// The player on a game.
    ///
    /// # Errors
    ///
    /// Why it cannot choose so.
    pub fn on(
        info: &'static GameInfo,
        choice: MinimaxChoice,
        search: MinimaxSearch,
    ) -> Result<Perfect, String> {
        struct Find;
        impl GameVisitor for Find {
            type Output = (Reach, bool);

            fn visit<G: Game>(self, _: &'static GameInfo) -> (Reach, bool) {
                let solver = exact_solver::<G>(0, Scoring::Raw);
                (solver.reach(), solver.distance(G::start(), 0).is_some())
            }
        }
        let (suited, has_distances) =
            with_game(info.name, Find).map_err(|error| error.to_string())?;
        if choice == MinimaxChoice::Fastest && !has_distances {
            return Err(format!(
                "distances are not known on {}, whose positions are not listed; use minimax or \
                 minimax:first",
                info.name
            ));
        }
        let asked = Reach {
            nodes: search.nodes,
            empties: search.empties,
        };
        let nothing = Reach {
            nodes: 0,
            empties: 0,
        };
        Ok(Perfect {
            choice,
            reach: if asked == nothing { suited } else { asked },
            depth: search.depth,
            evaluation: info.evaluations.len() - 1,
        })
    }

    /// Where its play is perfect, and what it does elsewhere, in a sentence; `None` if it
    /// is perfect everywhere.
    pub fn caution(&self, info: &GameInfo) -> Option<String> {
        let Reach { nodes, empties } = self.reach;
        if empties == u32::MAX {
            return None;
        }
        let mut exact = Vec::new();
        if empties > 0 {
            exact.push(format!("at most {empties} squares are empty"));
        }
        if nodes > 0 {
            let nodes = crate::text::thousands(nodes);
            exact.push(format!("the solver needs no more than {nodes} positions"));
        }
        Some(format!(
            "minimax plays {} perfectly where {}; elsewhere alpha-beta of depth {} plays, which can err",
            info.name,
            exact.join(" or "),
            self.depth
        ))
    }
}

/// The player at the board.
pub struct PerfectPlayer<G> {
    perfect: Perfect,
    solver: Box<dyn ExactSolver<G>>,
    lookahead: AlphaBeta<G>,
}

/// The binary logarithm of the number of table entries that a player's solver may have.
const TABLE_BITS: u32 = 22;

impl<G: Game> PerfectPlayer<G> {
    /// A player that knows nothing yet.
    pub fn new(perfect: Perfect) -> PerfectPlayer<G> {
        PerfectPlayer {
            perfect,
            solver: exact_solver(TABLE_BITS, Scoring::Raw),
            lookahead: AlphaBeta::new(perfect.evaluation),
        }
    }

    /// What the solver may look at in a position; `None` if it is not to be asked.
    fn limits(&mut self, position: G) -> Option<Limits<'static>> {
        let Reach { nodes, empties } = self.perfect.reach;
        if position.empties() <= empties {
            return Some(Limits::NONE);
        }
        // Whether it comes to an end must not depend on what it was asked before.
        (nodes > 0).then(|| {
            self.solver.forget(position);
            Limits::nodes(nodes)
        })
    }

    /// The moves to choose among, all with the same probability.
    pub fn moves(&mut self, position: G) -> Moves {
        let limits = self.limits(position);
        let exact = limits.and_then(|limits| self.exact(position, &limits).ok());
        let best = exact.unwrap_or_else(|| {
            let (_, best) = self.lookahead.best_moves(position, self.perfect.depth);
            best
        });
        match self.perfect.choice {
            MinimaxChoice::First => Moves::from_bits(1 << best.get(0).index()),
            _ => best,
        }
    }

    /// The moves that keep the position's value and, where the game has scores, the best
    /// of them by score, so that a lost game is not given up: as far as the limits
    /// reach by the exact score, else by what looking ahead tells.
    fn exact(&mut self, position: G, limits: &Limits) -> Result<Moves, Stopped> {
        if self.solver.score_meaning().is_none() {
            let ties = match self.perfect.choice {
                MinimaxChoice::First => Ties::First,
                _ => Ties::Random,
            };
            return self.solver.optimal_moves(position, ties, limits);
        }
        let before = self.solver.nodes();
        let optimal = self.solver.optimal_moves(position, Ties::Random, limits)?;
        if optimal.len() < 2 {
            return Ok(optimal);
        }
        let left = limits.after(self.solver.nodes() - before);
        Ok(match self.solver.scores(position, &left) {
            Ok(scores) => best_of(scores, optimal),
            Err(Stopped) => self.looked_ahead(position, optimal),
        })
    }

    /// The best of these moves within the depth.
    fn looked_ahead(&mut self, position: G, among: Moves) -> Moves {
        best_of(self.lookahead.scores(position, self.perfect.depth), among)
    }

    /// What it thinks of every move, in ascending order, and a word for that.
    pub fn opinions(&mut self, position: G) -> (&'static str, Vec<(Move, String)>) {
        let score = |(mv, score): (Move, i32)| (mv, score.to_string());
        if let Some(limits) = self.limits(position) {
            if self.solver.score_meaning().is_some() {
                if let Ok(scores) = self.solver.scores(position, &limits) {
                    return ("exact score", scores.into_iter().map(score).collect());
                }
            } else if let Ok(optimal) = self.solver.optimal_moves(position, Ties::Random, &limits) {
                let text = |mv| if optimal.contains(mv) { "yes" } else { "no" }.to_owned();
                return (
                    "optimal",
                    position.moves().map(|mv| (mv, text(mv))).collect(),
                );
            }
        }
        let scores = self.lookahead.scores(position, self.perfect.depth);
        ("score", scores.into_iter().map(score).collect())
    }
}

/// The moves with the highest score of those that are in a set.
fn best_of(scores: Vec<(Move, i32)>, among: Moves) -> Moves {
    let scores = || scores.iter().filter(|(mv, _)| among.contains(*mv));
    let best = scores().map(|(_, score)| *score).max();
    let moves = scores().filter(|(_, score)| Some(*score) == best);
    Moves::from_bits(moves.fold(0, |bits, (mv, _)| bits | 1 << mv.index()))
}
