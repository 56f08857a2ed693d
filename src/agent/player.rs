//! Players at the board.

use std::sync::Arc;

use rand::RngExt;

use super::kinds::MctsOptions;
use super::oracle::Solved;
use super::perfect::{Perfect, PerfectPlayer};
use super::policy::Lookahead;
use crate::game::{Game, GameInfo, Move, Moves};
use crate::graph::{Policy, Sampler};
use crate::rng::LabRng;
use crate::search::mcts::{
    Mcts, MoveStatistics, block_or_random, candidates, dirichlet, random_move,
};
use crate::search::{AlphaBeta, Ties};

/// A player made ready for a game, before it sits down; see [`Player`].
#[derive(Clone)]
pub enum Agent {
    /// Any legal move.
    Random,
    /// Answers threats, else any move.
    BlockOrRandom,
    /// Follows a policy on the game's graph.
    Table(Arc<Table>),
    /// Perfect play by search as far as that is in reach, for games whose positions
    /// are not listed.
    Perfect(Perfect),
    /// Looks so many plies ahead.
    AlphaBeta(Lookahead),
    /// Monte Carlo tree search.
    Mcts(Box<MctsOptions>),
}

impl Agent {
    /// Where the agent is less than its name says, in a sentence.
    pub fn caution(&self, info: &GameInfo) -> Option<String> {
        match self {
            Agent::Perfect(perfect) => perfect.caution(info),
            _ => None,
        }
    }
}

/// A policy on a game's graph, ready for drawing moves.
pub struct Table {
    solved: Arc<Solved>,
    policy: Policy,
    sampler: Sampler,
    learned: Option<Knowledge>,
}

/// For every edge of a graph what was learned of it: its value, if it has one, and
/// how often it was updated or visited.
pub type Knowledge = Vec<(Option<f64>, u64)>;

impl Table {
    /// Prepares a policy on the graph, with what was learned of it, if it was learned.
    pub fn new(solved: Arc<Solved>, policy: Policy, learned: Option<Knowledge>) -> Table {
        let sampler = Sampler::of(&solved.graph, &policy);
        Table {
            solved,
            policy,
            sampler,
            learned,
        }
    }

    /// The policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }
}

/// An agent in a game, with what it remembers and its own random numbers.
pub struct Player<'a, G> {
    agent: &'a Agent,
    rng: LabRng,
    memory: Memory<G>,
    moves_made: u32,
    simulations: u64,
}

enum Memory<G> {
    None,
    Perfect(PerfectPlayer<G>),
    AlphaBeta(AlphaBeta<G>),
    Mcts(Option<Box<Mcts<G>>>),
}

/// What a player thinks of the moves of a position.
pub struct Explanation {
    /// What the columns mean.
    pub head: Vec<&'static str>,
    /// A row per legal move, in ascending order.
    pub rows: Vec<(Move, Vec<String>)>,
}

impl<'a, G: Game> Player<'a, G> {
    /// A player at the start of a game.
    pub fn new(agent: &'a Agent, rng: LabRng) -> Player<'a, G> {
        let memory = match agent {
            Agent::Random | Agent::BlockOrRandom | Agent::Table(_) => Memory::None,
            Agent::Perfect(perfect) => Memory::Perfect(PerfectPlayer::new(*perfect)),
            Agent::AlphaBeta(lookahead) => Memory::AlphaBeta(AlphaBeta::new(lookahead.evaluation)),
            Agent::Mcts(_) => Memory::Mcts(None),
        };
        Player {
            agent,
            rng,
            memory,
            moves_made: 0,
            simulations: 0,
        }
    }

    /// Begins another game, with these random numbers. What it plays does not depend
    /// on the games before.
    pub fn start_game(&mut self, rng: LabRng) {
        self.rng = rng;
        self.moves_made = 0;
    }

    /// Goes on in a game in which it has made so many moves, as after some were taken
    /// back.
    pub fn resume_game(&mut self, moves_made: u32) {
        self.moves_made = moves_made;
    }

    /// Simulations made so far.
    pub fn simulations(&self) -> u64 {
        self.simulations
    }

    /// Chooses a move.
    ///
    /// # Panics
    ///
    /// If the game is over, or if no game comes to the position.
    pub fn choose(&mut self, position: G) -> Move {
        let mv = match (self.agent, &mut self.memory) {
            (Agent::BlockOrRandom, _) => block_or_random(position, &mut self.rng),
            (Agent::Table(table), _) => {
                let graph = &table.solved.graph;
                let number = graph
                    .find(position.key())
                    .expect("the position is reachable");
                graph.mv(table.sampler.draw(graph.edges(number), &mut self.rng))
            }
            (Agent::Perfect(_), Memory::Perfect(perfect)) => {
                random_move(perfect.moves(position), &mut self.rng)
            }
            (Agent::AlphaBeta(lookahead), Memory::AlphaBeta(search)) => {
                random_move(lookahead.moves(search, position), &mut self.rng)
            }
            (Agent::Mcts(options), Memory::Mcts(_)) => self.search(position, options),
            _ => random_move(position.moves(), &mut self.rng),
        };
        self.moves_made += 1;
        mv
    }

    fn search(&mut self, position: G, options: &'a MctsOptions) -> Move {
        let MctsOptions { tree, play } = options;
        let rng = &mut self.rng;
        let kept = match &mut self.memory {
            Memory::Mcts(search) => search.take(),
            _ => None,
        };
        let mut search = match kept {
            Some(mut search) => {
                let goes_on = play.reuse_tree
                    && self.moves_made > 0
                    && way(search.root(), position).is_some_and(|moves| search.advance(&moves));
                if !goes_on {
                    search.restart(position, rng);
                }
                search
            }
            None => Box::new(Mcts::new(tree.clone(), position, rng)),
        };
        if play.noise_weight > 0.0 {
            let mut noise = vec![0.0; position.moves().len()];
            dirichlet(play.noise_alpha, &mut noise, rng);
            let uniform = 1.0 / noise.len() as f64;
            for share in &mut noise {
                *share = (1.0 - play.noise_weight) * uniform + play.noise_weight * *share;
            }
            search.set_priors(&noise);
        }
        self.simulations += search.search(play.budget(), rng);
        let first = play.temperature > 0.0 && self.moves_made < play.temperature_moves;
        let mv = if first {
            by_visits(&search.statistics(), play.temperature, rng)
        } else {
            choose_among(search.best_moves(), tree.ties, rng)
        };
        self.memory = Memory::Mcts(Some(search));
        mv
    }

    /// What the player thinks of the moves of a position.
    pub fn explain(&mut self, position: G) -> Explanation {
        let plain = |rows: Vec<(Move, String)>, head| Explanation {
            head: vec![head],
            rows: rows
                .into_iter()
                .map(|(mv, text)| (mv, vec![text]))
                .collect(),
        };
        match (self.agent, &mut self.memory) {
            (Agent::Table(table), _) => table.explain(position),
            (Agent::AlphaBeta(lookahead), Memory::AlphaBeta(search)) => {
                plain(texts(lookahead.scores(search, position)), "score")
            }
            (Agent::Mcts(options), memory) => {
                let moves = match memory {
                    Memory::Mcts(Some(search))
                        if self.moves_made > 0 && search.root() == position =>
                    {
                        search.statistics()
                    }
                    _ => {
                        // Apart from the game: to be asked must not change what is
                        // played later.
                        let mut rng = self.rng.clone();
                        let mut search = Mcts::new(options.tree.clone(), position, &mut rng);
                        search.search(options.play.budget(), &mut rng);
                        search.statistics()
                    }
                };
                statistics_table(&moves, options.tree.draw_value)
            }
            (Agent::Perfect(_), Memory::Perfect(perfect)) => {
                let (head, opinions) = perfect.opinions(position);
                plain(opinions, head)
            }
            (agent, _) => {
                let threats = position.threats(!position.to_move());
                let chosen = match agent {
                    Agent::BlockOrRandom if !threats.is_empty() => threats,
                    _ => position.moves(),
                };
                let share = |mv| {
                    if chosen.contains(mv) {
                        1.0 / chosen.len() as f64
                    } else {
                        0.0
                    }
                };
                let rows = position.moves().map(|mv| (mv, format!("{:.3}", share(mv))));
                plain(rows.collect(), "probability")
            }
        }
    }
}

fn texts(scores: Vec<(Move, i32)>) -> Vec<(Move, String)> {
    let scores = scores.into_iter();
    scores.map(|(mv, score)| (mv, score.to_string())).collect()
}

impl Table {
    fn explain<G: Game>(&self, position: G) -> Explanation {
        let graph = &self.solved.graph;
        let edges = graph
            .find(position.key())
            .map_or(0..0, |number| graph.edges(number));
        let mut head = vec!["probability"];
        if self.learned.is_some() {
            head.extend(["value", "visits"]);
        }
        let rows = edges
            .map(|edge| {
                let mut cells = vec![format!("{:.3}", self.policy.probability(edge))];
                if let Some(learned) = &self.learned {
                    let (value, visits) = learned[edge];
                    let value =
                        value.map_or_else(|| "-".to_owned(), |value| format!("{value:+.4}"));
                    cells.extend([value, visits.to_string()]);
                }
                (graph.mv(edge), cells)
            })
            .collect();
        Explanation { head, rows }
    }
}

/// Visits, value and what is proven of every move.
pub fn statistics_table(moves: &[MoveStatistics], draw_value: f64) -> Explanation {
    let rows = moves
        .iter()
        .map(|mv| {
            let value = mv
                .value(draw_value)
                .map_or_else(|| "-".to_owned(), |value| format!("{value:.4}"));
            let proven = mv
                .proven()
                .map_or_else(|| "-".to_owned(), |value| value.to_string());
            (mv.mv, vec![mv.visits.to_string(), value, proven])
        })
        .collect();
    Explanation {
        head: vec!["visits", "value", "proven"],
        rows,
    }
}

/// The one or two moves that lead from one position to another; none if that is the
/// same one.
fn way<G: Game>(from: G, to: G) -> Option<Vec<Move>> {
    if from == to {
        return Some(Vec::new());
    }
    for first in from.moves() {
        let next = from.play_unchecked(first);
        if next == to {
            return Some(vec![first]);
        }
        let second = next.moves().find(|&mv| next.play_unchecked(mv) == to);
        if let Some(second) = second {
            return Some(vec![first, second]);
        }
    }
    None
}

fn choose_among(moves: Moves, ties: Ties, rng: &mut LabRng) -> Move {
    match ties {
        Ties::First => moves.get(0),
        Ties::Random => random_move(moves, rng),
    }
}

/// A move drawn with a probability proportional to visits^(1/τ), among those that are
/// not proven to be worse than another one; symmetric moves that share their visits
/// share the probability.
fn by_visits(moves: &[MoveStatistics], temperature: f64, rng: &mut LabRng) -> Move {
    let moves: Vec<&MoveStatistics> = candidates(moves).collect();
    let most = moves.iter().map(|mv| mv.visits).max().unwrap_or(0).max(1) as f64;
    let weight = |mv: &MoveStatistics| {
        libm::pow(mv.visits as f64 / most, 1.0 / temperature) / f64::from(mv.shared_by)
    };
    let sum: f64 = moves.iter().map(|mv| weight(mv)).sum();
    let mut point = rng.random::<f64>() * sum;
    for mv in &moves {
        point -= weight(mv);
        if point < 0.0 {
            return mv.mv;
        }
    }
    moves[moves.len() - 1].mv
}
