//! The textbook methods of finding a minimax value, which count their nodes.

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::{Counter, Limits, Scoring, Stopped, TABLE_BITS, by_urgency, exact_solver};
use crate::game::{Game, Moves, Position, Value, with_game_type};

/// How minimax searches a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MinimaxMethod {
    /// Searches every line of play to its end.
    Tree,
    /// Alpha-beta pruning with an open window, moves in their order; cuts
    /// as soon as alpha ≥ beta.
    AlphaBeta,
    /// Alpha-beta pruning that tries wins first, then the answers to
    /// threats, then the rest in order.
    AlphaBetaOrdered,
    /// Searches every position once.
    Memo,
    /// Searches every position once, and symmetric ones as one.
    Folded,
    /// All techniques together: see [`exact_solver`].
    Solver,
}

impl MinimaxMethod {
    /// All methods, starting with the plainest.
    pub const ALL: [MinimaxMethod; 6] = [
        MinimaxMethod::Tree,
        MinimaxMethod::AlphaBeta,
        MinimaxMethod::AlphaBetaOrdered,
        MinimaxMethod::Memo,
        MinimaxMethod::Folded,
        MinimaxMethod::Solver,
    ];

    /// The name on the command line and in output.
    pub const fn name(self) -> &'static str {
        match self {
            MinimaxMethod::Tree => "tree",
            MinimaxMethod::AlphaBeta => "alpha-beta",
            MinimaxMethod::AlphaBetaOrdered => "alpha-beta-ordered",
            MinimaxMethod::Memo => "memo",
            MinimaxMethod::Folded => "folded",
            MinimaxMethod::Solver => "solver",
        }
    }

    /// A short description.
    pub const fn meaning(self) -> &'static str {
        match self {
            MinimaxMethod::Tree => "every line of play to its end",
            MinimaxMethod::AlphaBeta => "alpha-beta pruning, moves in their order",
            MinimaxMethod::AlphaBetaOrdered => "the same, wins first, then answers to threats",
            MinimaxMethod::Memo => "every position once, by whichever moves it is reached",
            MinimaxMethod::Folded => "the same, mirrored and rotated positions as one",
            MinimaxMethod::Solver => {
                "pruning, memory, symmetries and what is known of the game together"
            }
        }
    }
}

/// The result of a search, and its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinimaxResult {
    /// The value of the position for the side to move.
    pub value: Value,
    /// Positions looked at, including the root.
    pub nodes: u64,
}

/// The minimax value of a position. Errors: [`Stopped`] if the limits were reached first.
pub fn minimax(
    position: Position,
    method: MinimaxMethod,
    limits: &Limits,
) -> Result<MinimaxResult, Stopped> {
    let info = position.game();
    if method == MinimaxMethod::Solver {
        let mut solver = exact_solver(info, TABLE_BITS, Scoring::Raw);
        let value = solver.value(position, limits)?;
        let nodes = solver.nodes();
        return Ok(MinimaxResult { value, nodes });
    }
    let mut counter = Counter::new(*limits);
    let value = with_game_type!(info, G => by_rules::<G>(position.typed(), method, &mut counter))?;
    let nodes = counter.nodes();
    Ok(MinimaxResult { value, nodes })
}

fn by_rules<G: Game>(
    position: G,
    method: MinimaxMethod,
    counter: &mut Counter,
) -> Result<Value, Stopped> {
    match method {
        MinimaxMethod::Tree => tree(position, counter),
        MinimaxMethod::AlphaBeta => alpha_beta(position, false, OPEN, counter).map(from_score),
        MinimaxMethod::AlphaBetaOrdered => {
            alpha_beta(position, true, OPEN, counter).map(from_score)
        }
        MinimaxMethod::Memo => memo(position, false, &mut FxHashMap::default(), counter),
        MinimaxMethod::Folded => memo(position, true, &mut FxHashMap::default(), counter),
        MinimaxMethod::Solver => unreachable!("a solver is no search by the rules alone"),
    }
}

fn tree<G: Game>(position: G, counter: &mut Counter) -> Result<Value, Stopped> {
    counter.count()?;
    if let Some(outcome) = position.outcome() {
        return Ok(outcome.for_side(position.to_move()));
    }
    let mut best = Value::Loss;
    for mv in position.moves() {
        best = best.max(tree(position.play_unchecked(mv), counter)?.opposite());
    }
    Ok(best)
}

fn from_score(score: i8) -> Value {
    Value::of_score(score.into())
}

/// Values of alpha and beta beyond every score.
const OPEN: (i8, i8) = (-2, 2);

/// With `ordered`, wins and answers to threats are tried first.
fn alpha_beta<G: Game>(
    position: G,
    ordered: bool,
    (mut alpha, beta): (i8, i8),
    counter: &mut Counter,
) -> Result<i8, Stopped> {
    counter.count()?;
    if let Some(outcome) = position.outcome() {
        return Ok(outcome.for_side(position.to_move()).sign());
    }
    let stages = if ordered {
        by_urgency(position, Moves::NONE)
    } else {
        [position.moves(), Moves::NONE, Moves::NONE, Moves::NONE]
    };
    let mut best = OPEN.0;
    for mv in stages.into_iter().flatten() {
        let child = position.play_unchecked(mv);
        let reply = alpha_beta(child, ordered, (-beta, -alpha), counter)?;
        best = best.max(-reply);
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    Ok(best)
}

/// With `folded`, symmetric positions count as one.
fn memo<G: Game>(
    position: G,
    folded: bool,
    known: &mut FxHashMap<G, Value>,
    counter: &mut Counter,
) -> Result<Value, Stopped> {
    let name = match folded {
        true => position.canonical().0,
        false => position,
    };
    if let Some(&value) = known.get(&name) {
        return Ok(value);
    }
    counter.count()?;
    let value = match position.outcome() {
        Some(outcome) => outcome.for_side(position.to_move()),
        None => {
            let mut best = Value::Loss;
            for mv in position.moves() {
                let reply = memo(position.play_unchecked(mv), folded, known, counter)?;
                best = best.max(reply.opposite());
            }
            best
        }
    };
    known.insert(name, value);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Mnk;

    #[test]
    fn a_window_of_the_possible_values_prunes_more() {
        let mut counter = Counter::new(Limits::NONE);
        let value = alpha_beta(Mnk::<3, 3, 3>::start(), false, (-1, 1), &mut counter);
        assert_eq!((value, counter.nodes()), (Ok(0), 16_811));
    }
}
