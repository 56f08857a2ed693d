//! `minimax`: perfect play, as far as it is within reach; `minimax:first` and `minimax:fastest`
//! choose among the optimal moves, and `minimax:epsilon=0.2` errs now and then.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::alpha_beta::scored;
use super::erring::erring;
use super::policy_agent::PolicyAgent;
use super::set_agent::{Chance, Chooser, SetAgent};
use super::spec::{Kind, SpecForm, SpecSubject};
use super::{Agent, Failure, Stage, Thought, options};
use crate::error::{Error, all_within};
use crate::game::{GameInfo, Move, Moves, Position};
use crate::graph::Policy;
use crate::search::{
    EvaluationFunction, ExactSolver, Leaf, Limits, Lookahead, Reach, Scoring, Stopped, Ties,
    best_of, exact_solver, look_ahead, solver_facts,
};
use crate::text;

/// The form of its spec.
pub const FORM: SpecForm = SpecForm {
    names: &["minimax"],
    examples: &[
        "minimax",
        "minimax:first",
        "minimax:fastest",
        "minimax:epsilon=0.2",
    ],
    plays: "Perfectly: any optimal move, the first one, or one that wins as soon and loses as late \
            as it can; with probability epsilon a random legal move instead. The other options are for boards whose positions are not listed, where it plays \
            perfectly if a solver needs at most nodes=N positions, or at most empties=N squares are empty, and \
            otherwise by alpha-beta of depth=N; 0 is a depth that suits the board.",
    subject: Some(SpecSubject::Choice {
        name: "among",
        choices: &["first", "fastest"],
        default: None,
    }),
    options: options::defaults::<Search>,
    menu: &[(60, "minimax")],
    opponent: None,
    read: |_, rest| read(rest).map(|minimax| Arc::new(minimax) as Arc<dyn Kind>),
};

#[derive(Clone, Copy, Debug)]
struct Minimax {
    among: Among,
    search: Search,
}

/// Which of the optimal moves is played. Optimal moves keep the position's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Among {
    /// All of them with the same probability.
    Uniform,
    /// The first in order of moves.
    First,
    /// Those that win as soon or lose as late as possible, all with the same
    /// probability.
    Fastest,
}

/// How it searches on a game whose positions are not listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Search {
    /// Positions that a solver may look at for a move.
    nodes: u64,
    /// The solver has no limit where at most this many squares are empty. With 0 for
    /// both, the program chooses what suits the game.
    empties: u32,
    /// Plies that alpha-beta looks ahead where the solver does not reach the end, at most 64. 0 chooses what suits
    /// the game: 6, or 3 on boards of more than 64 squares.
    #[schemars(range(max = 64))]
    depth: u32,
    /// The probability of a random legal move in place of an optimal one, 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    epsilon: f64,
}

fn read(rest: Option<&str>) -> Result<Minimax, String> {
    let (word, others) = match rest.map(|text| text.split_once(',').unwrap_or((text, ""))) {
        Some((word, others)) if !word.contains('=') => (Some(word), Some(others)),
        _ => (None, rest),
    };
    for (i, option) in rest.unwrap_or_default().split(',').enumerate() {
        let name = option.split('=').next().unwrap_or_default();
        if ["first", "fastest"].contains(&name) && (i > 0 || name != option) {
            return Err(match word {
                Some("first" | "fastest") if name == option => {
                    "expected one of first and fastest, once".to_owned()
                }
                _ => format!(
                    "'{name}' takes no value and stands first, such as minimax:{name},epsilon=0.1"
                ),
            });
        }
    }
    let among = match word {
        None => Among::Uniform,
        Some("first") => Among::First,
        Some("fastest") => Among::Fastest,
        Some(word) => {
            let names = "first fastest epsilon=E nodes=N empties=N depth=N".split(' ');
            let hint = text::hint(word, names);
            return Err(format!("unknown choice '{word}'{hint}"));
        }
    };
    let others = others.filter(|others| word.is_none() || !others.is_empty());
    let search: Search = options::parse(others)?;
    Ok(Minimax { among, search })
}

impl Kind for Minimax {
    fn text(&self) -> String {
        let word = match self.among {
            Among::Uniform => None,
            Among::First => Some("first"),
            Among::Fastest => Some("fastest"),
        };
        options::spec("minimax", word, &self.search)
    }

    fn check(&self, game: &'static GameInfo) -> Result<(), String> {
        all_within([("epsilon", self.search.epsilon, 0.0, 1.0)]).map_err(options::wrong)?;
        let by_graph = Search {
            epsilon: self.search.epsilon,
            ..Search::default()
        };
        if game.listed && self.search != by_graph {
            return Err(format!(
                "nodes, empties and depth bound a search, and {}, whose positions are listed, is \
                 not searched; use minimax, minimax:first or minimax:fastest",
                game.name
            ));
        }
        let has_distances = game.listed || solver_facts(game, Scoring::Raw).has_distances;
        if self.among == Among::Fastest && !has_distances {
            return Err(format!(
                "distances are not known on {}, whose positions are not listed; use minimax or \
                 minimax:first",
                game.name
            ));
        }
        Ok(())
    }

    fn ready(&self, stage: &Stage) -> Result<Arc<dyn Agent>, Error> {
        let agent = match stage.game().listed {
            true => self.on_graph(stage)?,
            false => self.by_search(stage.game()),
        };
        Ok(erring(agent, self.search.epsilon))
    }
}

impl Minimax {
    fn on_graph(&self, stage: &Stage) -> Result<Arc<dyn Agent>, Error> {
        let solved = stage.solved()?;
        let graph = &solved.graph;
        let optimal = |position, edge| solved.is_optimal(position, edge);
        let policy = match self.among {
            Among::Uniform => Policy::uniform_over(graph, optimal),
            Among::First => Policy::uniform_over(graph, |position, edge| {
                let mut edges = graph.edges(position);
                edges.find(|&edge| optimal(position, edge)) == Some(edge)
            }),
            Among::Fastest => {
                Policy::uniform_over(graph, |position, edge| solved.is_fastest(position, edge))
            }
        };
        Ok(Arc::new(PolicyAgent::new(solved, policy, None)))
    }

    fn by_search(&self, game: &'static GameInfo) -> Arc<dyn Agent> {
        let facts = solver_facts(game, Scoring::Raw);
        let Search {
            nodes,
            empties,
            depth,
            epsilon,
        } = self.search;
        let reach = match (nodes, empties) {
            (0, 0) => facts.reach,
            _ => Reach { nodes, empties },
        };
        let depth = match (depth, game.geometry().squares()) {
            (0, ..=64) => 6,
            (0, _) => 3,
            (depth, _) => depth,
        };
        let ties = match self.among {
            Among::First => Ties::First,
            Among::Uniform | Among::Fastest => Ties::Random,
        };
        let make = move || Perfect {
            reach,
            depth,
            ties,
            has_scores: facts.score_meaning.is_some(),
            solver: exact_solver(game, PLAYER_TABLE_BITS, Scoring::Raw),
            lookahead: look_ahead(
                game,
                &EvaluationFunction::Named(game.evaluations.len() - 1),
                Leaf::Position,
            ),
        };
        let but = match epsilon > 0.0 {
            true => "except for its random moves, ",
            false => "",
        };
        let mut agent = SetAgent::new(make);
        agent.is_perfect =
            self.among != Among::First && reaches_all(game, reach) && facts.score_meaning.is_some();
        agent.caution = caution(game, reach, depth).map(|text| format!("{but}{text}"));
        Arc::new(agent)
    }
}

/// Whether the solver has no limit in any position.
fn reaches_all(game: &'static GameInfo, reach: Reach) -> bool {
    reach.empties >= Position::start(game).empties()
}

/// Where its play is perfect, and what it does elsewhere; `None` if it is perfect everywhere.
fn caution(game: &'static GameInfo, reach: Reach, depth: u32) -> Option<String> {
    if reaches_all(game, reach) {
        return None;
    }
    let Reach { nodes, empties } = reach;
    let mut exact = Vec::new();
    if empties > 0 {
        exact.push(format!("at most {empties} squares are empty"));
    }
    if nodes > 0 {
        let nodes = text::thousands(nodes);
        exact.push(format!("the solver needs no more than {nodes} positions"));
    }
    Some(format!(
        "minimax plays {} perfectly where {}; elsewhere alpha-beta of depth {depth} plays, which can err",
        game.name,
        exact.join(" or "),
    ))
}

/// Perfect play by search, where the search ends soon enough.
struct Perfect {
    reach: Reach,
    depth: u32,
    ties: Ties,
    has_scores: bool,
    solver: Box<dyn ExactSolver>,
    /// By the game's last evaluation, beyond the solver's reach.
    lookahead: Box<dyn Lookahead>,
}

/// The size of the tables for `exact_solver`: at most 64 MiB.
const PLAYER_TABLE_BITS: u32 = 22;

impl Chooser for Perfect {
    fn choice(&mut self, position: Position, limits: &Limits) -> Result<Chance, Failure> {
        limits.check()?;
        let exact = self.solved(position, limits, Self::exact)?;
        let best = match exact {
            Some(best) => best,
            None => self.lookahead.best_moves(position, self.depth, limits)?.1,
        };
        Ok(Chance::Among(self.ties.among(best)))
    }

    fn thoughts(&mut self, position: Position, limits: &Limits) -> Result<Vec<Thought>, Failure> {
        limits.check()?;
        match self.solved(position, limits, Self::exact_thoughts)? {
            Some(thoughts) => Ok(thoughts),
            None => scored(self.lookahead.as_mut(), position, self.depth, limits),
        }
    }
}

impl Perfect {
    /// What the solver finds; `None` where it may not be asked or does not finish.
    fn solved<T>(
        &mut self,
        position: Position,
        outer: &Limits,
        ask: impl Fn(&mut Self, Position, &Limits) -> Result<T, Stopped>,
    ) -> Result<Option<T>, Stopped> {
        let Reach { nodes, empties } = self.reach;
        let nodes = if position.empties() <= empties {
            u64::MAX
        } else if nodes > 0 {
            // Whether it finishes must not depend on what it was asked before.
            self.solver.forget();
            nodes
        } else {
            return Ok(None);
        };
        match ask(self, position, &Limits { nodes, ..*outer }) {
            Ok(found) => Ok(Some(found)),
            Err(Stopped) => outer.check().map(|()| None),
        }
    }

    /// The moves that keep the position's value and, where the game has scores, the best
    /// of them by score, so that a lost game is not given up: as far as the limits
    /// reach by the exact score, else by looking ahead.
    fn exact(&mut self, position: Position, limits: &Limits) -> Result<Moves<u128>, Stopped> {
        if !self.has_scores {
            return self.solver.optimal_moves(position, self.ties, limits);
        }
        if limits.nodes == u64::MAX {
            return self
                .solver
                .best_moves(position, limits)
                .map(|found| found.1);
        }
        let before = self.solver.nodes();
        let optimal = self.solver.optimal_moves(position, Ties::Random, limits)?;
        if optimal.len() < 2 {
            return Ok(optimal);
        }
        let left = limits.after(self.solver.nodes() - before);
        match self.solver.best_moves(position, &left) {
            Ok((_, best)) => Ok(best),
            Err(Stopped) => {
                let all = Limits {
                    nodes: u64::MAX,
                    ..*limits
                };
                let mut scores = self.lookahead.scores(position, self.depth, &all)?;
                scores.retain(|(mv, _)| optimal.contains(*mv));
                Ok(best_of(&scores).1)
            }
        }
    }

    fn exact_thoughts(
        &mut self,
        position: Position,
        limits: &Limits,
    ) -> Result<Vec<Thought>, Stopped> {
        let of_scores = |scores: Vec<(Move, i32)>| {
            let thought = |(mv, score)| Thought {
                exact_score: Some(score),
                ..Thought::about(mv)
            };
            scores.into_iter().map(thought).collect()
        };
        if self.has_scores && limits.nodes == u64::MAX {
            return self.solver.scores(position, limits).map(of_scores);
        }
        // First find the moves that keep the value, as it does in play, within the same limit.
        let before = self.solver.nodes();
        let optimal = self.solver.optimal_moves(position, Ties::Random, limits)?;
        if self.has_scores {
            let left = limits.after(self.solver.nodes() - before);
            if let Ok(scores) = self.solver.scores(position, &left) {
                return Ok(of_scores(scores));
            }
            limits.check()?;
        }
        let thought = |mv| Thought {
            optimal: Some(optimal.contains(mv)),
            ..Thought::about(mv)
        };
        Ok(position.moves().map(thought).collect())
    }
}
