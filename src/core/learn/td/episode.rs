//! An episode, and what is learned from it.

use std::sync::Arc;

use rand::distr::{Bernoulli, Distribution};

use super::super::Forfeits;
use super::{TdConfig, TdLearner, Updates};
use crate::agent::{Failure, Past, Player};
use crate::game::{Game, Key, Move, Moves, Outcome, Position, Side};
use crate::graph::Sampler;
use crate::rng::{LabRng, below};
use crate::search::mcts::random_move;
use crate::search::{Certainty, Limits, Tactics, tactics};
use crate::value::{Board, Estimator};

/// The raw value of a win. Its hyperbolic tangent is 1.
const DECIDED: f32 = 20.0;

/// The raw value of a win that is certain but takes more than one move.
const CERTAIN: f32 = 18.0;

/// Learned raw values are limited to this distance from 0 when moves are compared: no move is better than a
/// winning one.
const MOST_RAW: f32 = 15.0;

/// Weaker traces end.
const WEAKEST_TRACE: f32 = 0.01;

/// A move of an episode to learn from: the learner's, or an opponent's.
pub(super) struct Chosen {
    after: Board,
    /// The value of the position that it led to, when it was chosen.
    value: f32,
    /// The highest value of the moves that it was chosen from.
    best: f32,
    /// The position that the best move leads to, if the game goes on there and a worse move was chosen.
    best_after: Option<Board>,
    /// Whether the move was drawn, and is worse than the best.
    explored: bool,
    /// Whether it ended the game.
    ends: bool,
}

/// What is remembered from one episode, and memory that the next one reuses.
#[derive(Default)]
pub(super) struct Episode {
    chosen: Vec<Chosen>,
    /// Choices before this index learn nothing from what comes next.
    trace_from: usize,
    raw: Vec<(Move, f32)>,
    /// The moves of the random opening.
    opening: Vec<Move>,
}

/// [`play_episode`] for one game's type.
pub(super) type PlayEpisode =
    fn(&mut TdLearner, u64, &mut [Option<Box<dyn Player>>], &mut Episode, &mut LabRng);

/// Plays an episode and learns from it.
pub(super) fn play_episode<G: Game>(
    learner: &mut TdLearner,
    number: u64,
    players: &mut [Option<Box<dyn Player>>],
    memory: &mut Episode,
    rng: &mut LabRng,
) {
    let setup = Arc::clone(&learner.setup);
    let config = &setup.config;
    let step = config.learning_rate.value(number) as f32;
    let certain = config.certain();
    let explore = Bernoulli::new(config.epsilon.value(number)).expect("ε is in [0, 1]");
    let seating = setup.opponents.seat(number, rng);
    let alternate = config.learn_from_opponents || seating.learns == [true; 2];
    let mut player = players[seating.opponent].as_mut();
    let start = Position::start(setup.task.game);
    let opened = opening(start, config.random_opening, &mut memory.opening, rng);
    let mut position: G = opened.typed();
    if let Some(player) = &mut player {
        player.start_game();
        if !memory.opening.is_empty() {
            player.resume_game(&Past {
                start,
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
                None => learner.on_graph(position.key(), seating.sampler, rng),
                Some(player) => {
                    let typeless = Position::of(setup.task.game, position);
                    match player.choose(typeless, &Limits::NONE, rng) {
                        Ok(mv) => mv,
                        Err(Failure::Resigns) => break Outcome::Win(!mover),
                        // Nothing limits its search, so an outside program broke off: without a
                        // result, nothing can be learned.
                        Err(why) => {
                            Forfeits::count(&mut learner.forfeits, seating.opponent, &why);
                            return learner.values.end_episode(step);
                        }
                    }
                }
            };
            position = position.play_unchecked(mv);
            if config.learn_from_opponents {
                let observed = learner.observed(Board::after(position), position.outcome());
                learner.take_in(memory, observed, alternate, step);
            }
            continue;
        }
        let open = match certain.tactics {
            true => tactics(position),
            false => Tactics::Open(position.moves()),
        };
        let moves = match open {
            Tactics::Won => break Outcome::Win(mover),
            Tactics::Lost => break Outcome::Win(!mover),
            Tactics::Open(moves) => moves,
        };
        let (mv, chosen) = choose(learner, position, moves, &explore, &mut memory.raw, rng);
        position = position.play_unchecked(mv);
        learner.take_in(memory, chosen, alternate, step);
    };
    match config.updates {
        Updates::Backward => learner.look_back(&memory.chosen, result, alternate, step),
        Updates::Traces => learner.follow(memory, Next::End(result), alternate, step),
    }
    learner.values.end_episode(step);
}

/// Returns a live position after a random opening from this one, and writes the opening into `moves`.
fn opening(
    mut position: Position,
    longest: u32,
    moves: &mut Vec<Move>,
    rng: &mut LabRng,
) -> Position {
    moves.clear();
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

/// The raw value of a position to the side that moved there, as moves are compared when an agent plays: an immediate
/// win comes before a certain one, and that before learned values; with losses it is the other way round.
pub(super) fn compared(estimator: &mut dyn Estimator, certain: Certainty, after: Position) -> f32 {
    if let Some(outcome) = after.outcome() {
        return DECIDED * worth(outcome, !after.to_move());
    }
    match certain.value_of(after) {
        Some(value) => -CERTAIN * f32::from(value.sign()),
        None => estimator.raw(&Board::of(after)).clamp(-MOST_RAW, MOST_RAW),
    }
}

/// Chooses one of these moves ε-greedily, equally good ones with the same probability.
fn choose<G: Game>(
    learner: &mut TdLearner,
    position: G,
    moves: Moves<G::Bits>,
    explore: &Bernoulli,
    all: &mut Vec<(Move, f32)>,
    rng: &mut LabRng,
) -> (Move, Chosen) {
    all.clear();
    let before = Board::before(position);
    for mv in moves {
        let child = position.play_unchecked(mv);
        let value = match child.outcome() {
            Some(outcome) => DECIDED * worth(outcome, position.to_move()),
            None => {
                let raw = learner.values.raw_of_move(&before, &Board::after(child));
                raw.clamp(-MOST_RAW, MOST_RAW)
            }
        };
        all.push((mv, value));
    }
    let (mv, raw, highest) = pick(all, explore, rng);
    let explored = raw < highest;
    let passed_over = all.iter().find(|&&(_, raw)| explored && raw == highest);
    let best_after = passed_over.map(|&(mv, _)| position.play_unchecked(mv));
    let best_after = best_after.filter(|child| child.outcome().is_none());
    let best = libm::tanhf(highest);
    let child = position.play_unchecked(mv);
    let chosen = Chosen {
        after: Board::after(child),
        ends: child.outcome().is_some(),
        value: if explored { libm::tanhf(raw) } else { best },
        best,
        best_after: best_after.map(Board::after),
        explored,
    };
    (mv, chosen)
}

/// Picks one of the moves by their raw values, ε-greedily, equally good ones with the same probability.
/// Returns it, its raw value and the highest one.
fn pick(all: &[(Move, f32)], explore: &Bernoulli, rng: &mut LabRng) -> (Move, f32, f32) {
    let highest = all.iter().map(|&(_, raw)| raw);
    let highest = highest.fold(f32::NEG_INFINITY, f32::max);
    let random = explore.sample(rng);
    let choices = all.iter().filter(|&&(_, raw)| random || raw == highest);
    let rank = match choices.clone().count() as u32 {
        1 => 0,
        count => below(count, rng),
    };
    let &(mv, raw) = choices.clone().nth(rank as usize).expect("there is a move");
    (mv, raw, highest)
}

impl TdLearner {
    /// Draws the move of an opponent that has a policy.
    fn on_graph(&self, position: Key, sampler: &Sampler, rng: &mut LabRng) -> Move {
        let solved = self.setup.task.solved.as_ref();
        let graph = &solved.expect("policies are on the graph").graph;
        let number = graph.find(position);
        let edges = graph.edges(number.expect("the game has come there"));
        graph.mv(sampler.draw(edges, rng))
    }

    /// An opponent's move to a position; it never counts as exploratory, so its own value is the best.
    fn observed(&mut self, after: Board, outcome: Option<Outcome>) -> Chosen {
        let value = match outcome {
            Some(outcome) => worth(outcome, after.mover),
            None => self.values.value(&after),
        };
        Chosen {
            after,
            value,
            best: value,
            best_after: None,
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

    /// Updates the values of an episode by λ-returns, from the last one back.
    fn look_back(&mut self, chosen: &[Chosen], result: Outcome, alternate: bool, step: f32) {
        let TdConfig { lambda, cut, .. } = self.setup.config;
        let lambda = lambda as f32;
        let mut next: Option<(&Chosen, f32)> = None;
        for this in chosen.iter().rev() {
            let target = match next {
                None => worth(result, this.after.mover),
                Some((next, _)) if cut && next.explored => {
                    let best = self.by_target(next.best_after.as_ref(), next.best);
                    signed(best, alternate)
                }
                Some((next, target)) => {
                    let after = (!next.ends).then_some(&next.after);
                    let value = self.by_target(after, next.value);
                    signed((1.0 - lambda) * value + lambda * target, alternate)
                }
            };
            if !this.ends {
                let value = self.values.value(&this.after);
                self.values.learn(&this.after, value, target - value, step);
                self.count(this.after.mover, target - value);
            }
            next = Some((this, target));
        }
    }

    /// The value of a position for the choices before it: its value by the target network, if both exist,
    /// else `known`, its value when it was chosen.
    fn by_target(&mut self, after: Option<&Board>, known: f32) -> f32 {
        let raw = after.and_then(|after| self.values.target_raw(after));
        raw.map_or(known, as_learned)
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
        self.count(last.after.mover, error);
        let mut trace = 1.0;
        for past in memory.chosen[memory.trace_from..].iter().rev() {
            if f32::abs(trace) < WEAKEST_TRACE {
                break;
            }
            self.values
                .learn(&past.after, past.value, trace * error, step);
            trace *= signed(lambda as f32, alternate);
        }
        if ends {
            memory.trace_from = memory.chosen.len();
        }
    }

    /// Counts the error of one of `mover`'s choices, whatever else learns from it.
    fn count(&mut self, mover: Side, error: f32) {
        let stats = &mut self.stats[mover.index()];
        stats.updates += 1;
        stats.abs_td_error_sum += f64::from(error.abs());
    }
}

/// What follows a choice.
enum Next<'a> {
    /// The next choice.
    Chosen(&'a Chosen),
    /// The end of the episode.
    End(Outcome),
}

/// Negates a value that is the other side's, if sides alternate.
fn signed(value: f32, alternate: bool) -> f32 {
    if alternate { -value } else { value }
}

/// Turns a learned raw value into a value.
fn as_learned(raw: f32) -> f32 {
    libm::tanhf(raw.clamp(-MOST_RAW, MOST_RAW))
}

/// Turns a result into a side's value.
fn worth(result: Outcome, side: Side) -> f32 {
    result.for_side(side).sign().into()
}
