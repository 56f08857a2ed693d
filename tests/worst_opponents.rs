//! The worst opponents of a policy.

use playlab::evaluate::Assessor;
use playlab::game::{Game, GameInfo, Move, Moves, Outcome, Side, Value};
use playlab::graph::{Policy, Rates, Solved, Sweeper, compile};
use playlab::train::Merit;

use crate::numbered::notation_by_number;

/// X chooses between a draw at once (0 to 1) and a move (0 to 2) after which O wins (3) or
/// loses (4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Gamble(u64);

impl Game for Gamble {
    type Bits = u64;
    const MOVES: usize = 2;
    const WIDTH: usize = 2;
    const HEIGHT: usize = 1;
    fn start() -> Self {
        Gamble(0)
    }
    fn to_move(self) -> Side {
        [Side::X, Side::O][usize::from(self.0 > 0)]
    }
    fn outcome(self) -> Option<Outcome> {
        [
            None,
            Some(Outcome::Draw),
            None,
            Some(Outcome::Win(Side::O)),
            Some(Outcome::Win(Side::X)),
        ][self.0 as usize]
    }
    fn moves(self) -> Moves {
        Moves::from_bits(if self.outcome().is_none() { 3 } else { 0 })
    }
    fn play_unchecked(self, mv: Move) -> Self {
        Gamble(self.0 + 1 + mv.index() as u64)
    }

    notation_by_number!();
}

static GAMBLE: GameInfo = GameInfo::of::<Gamble>("gamble", true, "");

#[test]
fn a_gamble_that_scores_like_a_draw_is_found_by_the_most_losses() {
    let solved = Solved::of(compile::<Gamble>(&GAMBLE, 10).unwrap());
    let random = Policy::uniform(&solved.graph);
    let assessment = Assessor::new(&solved).assess(Side::O, &random, &[]);
    let rates = |rates: playlab::graph::Rates| [rates.win, rates.draw, rates.loss];
    // Both moves of O's opponent X leave O the score ½: the best response is the first of them.
    assert_eq!(rates(assessment.worst.best_response), [0.0, 1.0, 0.0]);
    assert_eq!(rates(assessment.worst.most_losses), [0.5, 0.0, 0.5]);
    assert_eq!(assessment.worst_case(), Value::Loss);
    assert!(!assessment.unbeatable());
}

#[test]
fn no_rate_of_many_games_exceeds_one() {
    let solved = Solved::game(GameInfo::find("mnk-4x3x3").unwrap()).unwrap();
    let graph = &solved.graph;
    // X wins by force, by many lines of play.
    let perfect = Policy::uniform_over(graph, |position, edge| solved.is_optimal(position, edge));
    let random = Policy::uniform(graph);
    let mut sweeper = Sweeper::new(graph);
    let rates = sweeper.outcome_rates(Side::X, &perfect, &random);
    assert!((1.0 - 1e-15..=1.0).contains(&rates.win), "{rates:?}");
    let worst = sweeper.worst_opponents(Side::X, &perfect);
    for rates in [worst.best_response, worst.most_losses] {
        assert!((1.0 - 1e-15..=1.0).contains(&rates.win), "{rates:?}");
        assert_eq!((rates.draw, rates.loss), (0.0, 0.0));
    }
}

#[test]
fn a_later_epoch_is_better_only_by_more_than_rounding() {
    let of = |unbeatable, computed, rate| Merit {
        unbeatable,
        computed,
        rate,
    };
    let [tic_tac_toe, othello] =
        ["tic-tac-toe", "othello"].map(|name| GameInfo::find(name).unwrap());
    let better = |one: Merit, other: &Merit| one.is_better_than(other, tic_tac_toe);
    let merit = |unbeatable, rate| of(unbeatable, false, rate);
    let rate: f64 = 866.0 / 945.0;
    let first = merit(true, rate);
    for equal in [rate, rate.next_up(), rate + 4e-16, rate.next_down()] {
        assert!(!better(merit(true, equal), &first), "{equal}");
    }
    assert!(better(merit(true, rate + 1e-9), &first));
    assert!(!better(merit(false, 1.0), &first));
    assert!(better(first, &merit(false, 1.0)));
    // A counted result gives way to a computed one.
    assert!(better(of(false, true, 0.1), &merit(false, 0.9)));
    assert!(!better(merit(false, 0.9), &of(false, true, 0.1)));
    assert!(better(of(false, true, 0.2), &of(false, true, 0.1)));
    // Where positions are not listed, equal rates do not show who learned more.
    let equal = of(false, false, 1.0);
    assert!(!better(equal, &equal));
    assert!(equal.is_better_than(&equal, othello));
    assert!(!of(false, false, 0.99).is_better_than(&equal, othello));
}

#[test]
fn draws_count_for_the_best_epoch_where_positions_are_not_listed() {
    let rates = Rates {
        win: 0.25,
        draw: 0.5,
        loss: 0.25,
    };
    let rate = |game| Merit::rate(GameInfo::find(game).unwrap(), rates);
    assert_eq!(rate("connect-four"), 0.5);
    assert_eq!(rate("tic-tac-toe"), 0.25);
    // Checkpoints of listed games say what they always said.
    let listed = Merit {
        unbeatable: true,
        computed: false,
        rate: 0.5,
    };
    let text = serde_json::to_string(&listed).unwrap();
    assert_eq!(text, r#"{"unbeatable":true,"win_rate":0.5}"#);
}
