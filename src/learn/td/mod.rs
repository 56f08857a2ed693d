//! TD(λ) on afterstates: values of the positions that moves lead to, learned by a value function of any
//! board (Sutton & Barto, *Reinforcement Learning*, 2nd ed. 2018, sections 6.8 and 12.1 to 12.4; with
//! n-tuple networks Lucas 2008, Thill, Bagheri, Koch & Konen 2014).
//!
//! V(s) is the value to the side that moved to s, from −1, a loss, to 1, a win. In self-play the next
//! afterstate is the other side's; against an opponent it is the learner's own next one, and the signs
//! below are +. With `learn_from_opponents` the afterstates of opponents are learned as well, with the signs of
//! self-play; their moves never count as exploratory. With s_t the afterstates of an episode that are
//! learned, and z the result for the last one's side,
//!
//! ```text
//! G_T ← z
//! G_t ← −((1 − λ) · V(s_(t+1)) + λ · G_(t+1))
//! δ_t ← G_t − V(s_t)
//! ```
//!
//! and each V(s_t) takes a step by δ_t, the last one first (`updates = "backward"`). With
//! `updates = "traces"` every value of the episode takes steps by all later TD errors instead, on-line, as
//! eligibility traces do:
//!
//! ```text
//! δ_t ← −V(s_(t+1)) − V(s_t), at the end z − V(s_t)
//! V(s_k) takes a step by (−λ)^(t−k) · δ_t        for every k ≤ t
//! ```
//!
//! After an exploratory move the return is cut, unless `cut = false`: G_t is then the value of the best
//! move that was there, and traces end. With `tactics`, moves that let the other side win at
//! once are not tried, and an episode ends where the next moves decide it, with the exact result. With
//! `endgame` it ends where at most so many squares are empty, with the result of perfect play by both sides.
//!
//! The greedy choice is a move to a position of the highest value. In play tactics and endgames may tell it;
//! in training it is the learned one. A position that ends the game has its result as value; there is nothing
//! to learn of it.

mod config;
mod value;

use std::marker::PhantomData;
use std::sync::Arc;

use rand::distr::{Bernoulli, Distribution};

use super::opponents::Opponents;
use super::{BrokenOff, COLUMNS, Learner, Opponent, Recorder, Scalar, Setup, Task};
use crate::agent::{Agent, Past, Player, Thought, value_agent, value_of};
use crate::arrays::Arrays;
use crate::game::{Game, Move, Moves, Outcome, Position, Side, Value};
use crate::graph::{Policy, Sampler, Solved};
use crate::rng::{LabRng, below};
use crate::search::mcts::random_move;
use crate::search::{Evaluation, Leaf, Learned, Limits, Tactics, look_ahead, tactics};
use crate::value::{Approximator, Board};

pub use config::{TdConfig, Updates};
pub use value::{NetworkConfig, TableConfig, ValueConfig};

/// The raw value of a win. Its hyperbolic tangent is 1.
const DECIDED: f32 = 20.0;

/// Learned raw values are no further from 0 when moves are compared: no move is better than one that
/// wins.
const MOST_RAW: f32 = 15.0;

/// Traces that are weaker end.
const WEAKEST_TRACE: f32 = 0.01;

/// What takes more memory is not kept twice.
const MOST_KEPT_BYTES: u64 = 1 << 24;

struct TdSetup<G> {
    task: Task,
    config: TdConfig,
    opponents: Opponents,
    /// The value function before all training.
    untaught: Box<dyn Approximator>,
    game: PhantomData<G>,
}

impl<G: Game> Setup for TdSetup<G> {
    fn columns(&self) -> &'static [&'static str] {
        &COLUMNS
    }

    fn learner(self: Arc<Self>) -> Box<dyn Learner> {
        Box::new(TdLearner {
            values: self.untaught.copy(),
            episodes: 0,
            updates: [Updated::default(); 2],
            broken_off: Vec::new(),
            setup: self,
        })
    }

    fn has_policy(&self) -> bool {
        self.task.solved.is_some()
    }

    fn most_bytes(&self, _: u64) -> u64 {
        self.untaught.most_bytes()
    }
}

/// The updates of one side since they were last told.
#[derive(Clone, Copy, Default)]
struct Updated {
    count: u64,
    errors: f64,
}

struct TdLearner<G> {
    setup: Arc<TdSetup<G>>,
    values: Box<dyn Approximator>,
    /// Episodes behind it.
    episodes: u64,
    updates: [Updated; 2],
    /// Since they were last told.
    broken_off: Vec<BrokenOff>,
}

/// A move of an episode that is learned from: the learner's, or an opponent's.
struct Chosen {
    after: Board,
    /// The value of the position that it led to, when it was chosen.
    value: f32,
    /// The highest value of a move there.
    best: f32,
    /// Whether the move was drawn, and is worse than the best.
    explored: bool,
    /// Whether it ended the game.
    ends: bool,
}

/// What is remembered of one episode, and memory that the next one uses again.
#[derive(Default)]
struct Episode {
    chosen: Vec<Chosen>,
    /// Choices before this number learn nothing from what comes next.
    trace_from: usize,
    raw: Vec<(Move, f32)>,
    /// The moves of the random opening.
    opening: Vec<Move>,
}

impl<G: Game> TdLearner<G> {
    /// Plays an episode and learns from it.
    fn episode(
        &mut self,
        number: u64,
        players: &mut [Option<Box<dyn Player>>],
        memory: &mut Episode,
        rng: &mut LabRng,
    ) {
        let setup = Arc::clone(&self.setup);
        let config = &setup.config;
        let step = config.learning_rate.value(number) as f32;
        let certain = config.certain();
        let explore = Bernoulli::new(config.epsilon.value(number)).expect("ε is in [0, 1]");
        let seating = setup.opponents.seat(number, rng);
        let alternate = config.learn_from_opponents || seating.learns == [true; 2];
        let mut player = players[seating.opponent].as_mut();
        let mut position = self.opening(&mut memory.opening, rng);
        if let Some(player) = &mut player {
            player.start_game();
            if !memory.opening.is_empty() {
                player.resume_game(&Past {
                    start: Position::start(setup.task.game),
                    moves: &memory.opening,
                    side: if seating.learns[0] { Side::O } else { Side::X },
                });
            }
        }
        memory.chosen.clear();
        memory.trace_from = 0;
        let result = loop {
            let mover = position.to_move();
            if let Some(outcome) = position.outcome() {
                break outcome;
            }
            if let Some(value) = certain.endgame_value(position) {
                break Outcome::of(value, mover);
            }
            if !seating.learns[mover.index()] {
                let mv = match &mut player {
                    None => self.on_graph(position, seating.sampler, rng),
                    Some(player) => {
                        let typeless = Position::of(setup.task.game, position);
                        match player.choose(typeless, &Limits::NONE, rng) {
                            Ok(mv) => mv,
                            // Nothing limits its search: an outside program broke off, of whose
                            // game nothing is to be learned.
                            Err(why) => {
                                BrokenOff::count(&mut self.broken_off, seating.opponent, &why);
                                return self.values.end_episode(step);
                            }
                        }
                    }
                };
                position = position.play_unchecked(mv);
                if config.learn_from_opponents {
                    let observed = self.observed(position);
                    self.take_in(memory, observed, alternate, step);
                }
                continue;
            }
            let open = match certain.tactics {
                true => tactics(position),
                false => Tactics::Open(position.moves()),
            };
            let moves = match open {
                Tactics::Won(_) => break Outcome::Win(mover),
                Tactics::Lost(_) => break Outcome::Win(!mover),
                Tactics::Open(moves) => moves,
            };
            let (mv, chosen) = self.choose(position, moves, &explore, &mut memory.raw, rng);
            position = position.play_unchecked(mv);
            self.take_in(memory, chosen, alternate, step);
        };
        match config.updates {
            Updates::Backward => self.look_back(&memory.chosen, result, alternate, step),
            Updates::Traces => self.follow(memory, Next::End(result), alternate, step),
        }
        self.values.end_episode(step);
    }

    /// A live position after a random opening, whose moves are written down.
    fn opening(&self, moves: &mut Vec<Move>, rng: &mut LabRng) -> G {
        let mut position = G::start();
        moves.clear();
        let longest = self.setup.config.random_opening;
        if longest == 0 {
            return position;
        }
        for _ in 0..below(longest + 1, rng) {
            let mv = random_move(position.moves(), rng);
            let next = position.play_unchecked(mv);
            if next.outcome().is_some() {
                break;
            }
            moves.push(mv);
            position = next;
        }
        position
    }

    /// Draws the move of an opponent that has a policy.
    fn on_graph(&self, position: G, sampler: &Sampler, rng: &mut LabRng) -> Move {
        let solved = self.setup.task.solved.as_ref();
        let graph = &solved.expect("policies are on the graph").graph;
        let number = graph.find(position.key());
        let edges = graph.edges(number.expect("the game has come there"));
        graph.mv(sampler.draw(edges, rng))
    }

    /// Chooses one of these moves, ε-greedily, equals with the same probability.
    fn choose(
        &mut self,
        position: G,
        moves: Moves<G::Bits>,
        explore: &Bernoulli,
        raw: &mut Vec<(Move, f32)>,
        rng: &mut LabRng,
    ) -> (Move, Chosen) {
        raw.clear();
        for mv in moves {
            let child = position.play_unchecked(mv);
            let value = match child.outcome() {
                Some(outcome) => DECIDED * worth(outcome, position.to_move()),
                None => {
                    let raw = self.values.raw(&Board::after(child));
                    raw.clamp(-MOST_RAW, MOST_RAW)
                }
            };
            raw.push((mv, value));
        }
        let best = raw
            .iter()
            .map(|&(_, raw)| raw)
            .fold(f32::NEG_INFINITY, f32::max);
        let random = explore.sample(rng);
        let choices = raw.iter().filter(|&&(_, raw)| random || raw == best);
        let rank = match choices.clone().count() as u32 {
            1 => 0,
            count => below(count, rng),
        };
        let &(mv, raw) = choices.clone().nth(rank as usize).expect("there is a move");
        let explored = raw < best;
        let best = libm::tanhf(best);
        let child = position.play_unchecked(mv);
        let chosen = Chosen {
            after: Board::after(child),
            ends: child.outcome().is_some(),
            value: if explored { libm::tanhf(raw) } else { best },
            best,
            explored,
        };
        (mv, chosen)
    }

    /// An opponent's move to a position; never exploratory, so that the best is its own value.
    fn observed(&mut self, child: G) -> Chosen {
        let after = Board::after(child);
        let outcome = child.outcome();
        let value = match outcome {
            Some(outcome) => worth(outcome, after.mover),
            None => self.values.value(&after),
        };
        Chosen {
            after,
            value,
            best: value,
            explored: false,
            ends: outcome.is_some(),
        }
    }

    /// Adds a choice to an episode.
    fn take_in(&mut self, memory: &mut Episode, chosen: Chosen, alternate: bool, step: f32) {
        if self.setup.config.updates == Updates::Traces {
            self.follow(memory, Next::Chosen(&chosen), alternate, step);
        }
        memory.chosen.push(chosen);
    }

    /// Updates the values of an episode by λ-returns, from the last one on.
    fn look_back(&mut self, chosen: &[Chosen], result: Outcome, alternate: bool, step: f32) {
        let TdConfig { lambda, cut, .. } = self.setup.config;
        let lambda = lambda as f32;
        let mut next: Option<(&Chosen, f32)> = None;
        for this in chosen.iter().rev() {
            let target = match next {
                None => worth(result, this.after.mover),
                Some((next, _)) if cut && next.explored => signed(next.best, alternate),
                Some((next, target)) => {
                    signed((1.0 - lambda) * next.value + lambda * target, alternate)
                }
            };
            if !this.ends {
                let value = self.values.value(&this.after);
                self.learn(&this.after, value, target - value, target - value, step);
            }
            next = Some((this, target));
        }
    }

    /// Updates the values of an episode by the TD error of its last choice, now that it is known what
    /// comes next.
    fn follow(&mut self, memory: &mut Episode, next: Next<'_>, alternate: bool, step: f32) {
        let Some(last) = memory.chosen.last().filter(|last| !last.ends) else {
            return;
        };
        let TdConfig { lambda, cut, .. } = self.setup.config;
        let (target, ends) = match next {
            Next::End(result) => (worth(result, last.after.mover), true),
            Next::Chosen(next) if cut && next.explored => (signed(next.best, alternate), true),
            Next::Chosen(next) => (signed(next.value, alternate), false),
        };
        let error = target - self.values.value(&last.after);
        let mut trace = 1.0;
        for past in memory.chosen[memory.trace_from..].iter().rev() {
            if f32::abs(trace) < WEAKEST_TRACE {
                break;
            }
            self.learn(&past.after, past.value, trace * error, error, step);
            trace *= signed(lambda as f32, alternate);
        }
        if ends {
            memory.trace_from = memory.chosen.len();
        }
    }

    fn learn(&mut self, after: &Board, value: f32, error: f32, td_error: f32, step: f32) {
        self.values.learn(after, value, error, step);
        let updated = &mut self.updates[after.mover.index()];
        updated.count += 1;
        updated.errors += f64::from(td_error.abs());
    }

    /// What was learned, as an evaluation.
    fn learned(&self) -> Learned {
        let TdSetup { config, task, .. } = &*self.setup;
        let learns = |side| config.learn_from_opponents || task.sides.contains(&side);
        Learned {
            values: self.values.function(),
            certain: config.certain(),
            sides: Side::BOTH.map(learns),
        }
    }
}

/// What a move is worth under perfect play, with a win at once before other wins and a loss at once after
/// other losses, as a search has them.
fn standing(solved: &Solved, edge: usize) -> (Value, i8) {
    let value = solved.move_value(edge);
    let is_end = solved.graph.outcome(solved.graph.child(edge)).is_some();
    let rank = match (is_end, value) {
        (true, Value::Win) => 1,
        (true, Value::Loss) => -1,
        _ => 0,
    };
    (value, rank)
}

/// What follows a choice.
enum Next<'a> {
    /// The next one.
    Chosen(&'a Chosen),
    /// The end of the episode.
    End(Outcome),
}

/// A value that is the other side's, if sides alternate.
fn signed(value: f32, alternate: bool) -> f32 {
    if alternate { -value } else { value }
}

/// A result as a value.
fn worth(result: Outcome, side: Side) -> f32 {
    match result.for_side(side) {
        Value::Win => 1.0,
        Value::Draw => 0.0,
        Value::Loss => -1.0,
    }
}

impl<G: Game> Learner for TdLearner<G> {
    fn train(
        &mut self,
        first_episode: u64,
        episodes: u64,
        rng: &mut LabRng,
        _: Option<&mut dyn Recorder>,
    ) -> u64 {
        let opponents = self.setup.task.opponents.iter();
        let seat = |(opponent, _): &(Opponent, f64)| match opponent {
            Opponent::Agent(agent) => Some(Arc::clone(agent).seat()),
            _ => None,
        };
        let mut players: Vec<_> = opponents.map(seat).collect();
        let mut memory = Episode::default();
        if first_episode == 0 {
            self.values.begin(rng);
        }
        for number in first_episode..first_episode + episodes {
            self.episode(number, &mut players, &mut memory, rng);
        }
        self.episodes = first_episode + episodes;
        episodes
    }

    fn broken_off(&mut self) -> Vec<BrokenOff> {
        std::mem::take(&mut self.broken_off)
    }

    fn scalars(&mut self) -> [Vec<Scalar>; 2] {
        let last = self.episodes.saturating_sub(1);
        let TdConfig {
            epsilon,
            learning_rate,
            ..
        } = &self.setup.config;
        let entries = self.values.updated();
        std::mem::take(&mut self.updates).map(|updated| {
            let mean = |sum: f64| (updated.count > 0).then(|| sum / updated.count as f64);
            vec![
                Scalar::Number(Some(epsilon.value(last))),
                Scalar::Number(None),
                Scalar::Number(Some(learning_rate.value(last))),
                Scalar::Number(mean(updated.errors)),
                Scalar::Number(None),
                Scalar::Number(None),
                Scalar::Count(entries),
            ]
        })
    }

    fn greedy_policy(&self, side: Side, policy: &mut Policy) {
        let Some(solved) = &self.setup.task.solved else {
            return;
        };
        let graph = &solved.graph;
        let mut search = look_ahead(
            self.setup.task.game,
            &Evaluation::Learned(self.learned()),
            Leaf::Position,
        );
        let endgame = self.setup.config.endgame;
        for number in graph.decisions(side) {
            let (position, edges) = (graph.position(number), graph.edges(number));
            let is_endgame = |edge: usize| graph.position(graph.child(edge)).empties() <= endgame;
            // What endgames are worth is known here.
            if endgame > 0 && position.empties() <= endgame + 1 && edges.clone().all(is_endgame) {
                let best = edges.clone().map(|edge| standing(solved, edge)).max();
                policy.set(edges, |edge| Some(standing(solved, edge)) == best);
                continue;
            }
            let best = search.best_moves(position, 1, &Limits::NONE);
            let (_, best) = best.expect("nothing limits the search");
            policy.set(edges, |edge| best.contains(graph.mv(edge)));
        }
    }

    fn thoughts(&self, position: Position) -> Vec<Thought> {
        let mut estimator = self.values.function().estimator();
        let certain = self.setup.config.certain();
        let mut value = |mv| value_of(estimator.as_mut(), certain, position.play_unchecked(mv));
        let thought = |mv| Thought {
            value: Some(value(mv)),
            ..Thought::about(mv)
        };
        position.moves().map(thought).collect()
    }

    fn values(&self) -> Option<Learned> {
        Some(self.learned())
    }

    fn agent(&self, _: u64) -> Option<Arc<dyn Agent>> {
        if self.setup.has_policy() {
            return None;
        }
        Some(value_agent(self.setup.task.game, self.learned(), 1))
    }

    fn save(&self) -> Arrays {
        let mut arrays = Arrays::new();
        self.values.save(&mut arrays);
        arrays
    }

    fn load(&mut self, arrays: &Arrays) -> Result<(), String> {
        self.values.load(arrays)
    }

    fn copy(&self) -> Box<dyn Learner> {
        Box::new(TdLearner {
            setup: Arc::clone(&self.setup),
            values: self.values.copy(),
            episodes: self.episodes,
            updates: self.updates,
            broken_off: self.broken_off.clone(),
        })
    }

    fn keep(&self) -> Option<Box<dyn Learner>> {
        (self.values.bytes() <= MOST_KEPT_BYTES).then(|| self.copy())
    }
}
