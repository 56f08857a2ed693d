use std::sync::atomic::AtomicBool;

use super::*;
use crate::game::bits::{flips, mobility};

fn slow<const N: usize>(own: u64, other: u64, scoring: Scoring) -> i32 {
    let moves = mobility::<N>(own, other);
    if moves == 0 {
        if mobility::<N>(other, own) == 0 {
            return scoring.final_score::<N>(own, other);
        }
        return -slow::<N>(other, own, scoring);
    }
    let legal = (0..Shape::<N>::SQUARES).filter(|square| moves >> square & 1 == 1);
    let scores = legal.map(|square| {
        let turned = flips::<N>(own, other, square);
        -slow::<N>(other ^ turned, own | turned | 1 << square, scoring)
    });
    scores.max().expect("a legal move")
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// A position met in random play, or a board of scattered discs, with `empty` empty squares.
fn position<const N: usize>(random: &mut Random, empty: u32) -> (u64, u64) {
    let all = Shape::<N>::SQUARES;
    if random.next().is_multiple_of(3) {
        let (mut filled, mut colours) = (Shape::<N>::ALL, random.next());
        while filled.count_ones() > all - empty {
            filled &= !(1 << ((random.next() >> 20) % u64::from(all)));
        }
        if random.next().is_multiple_of(2) {
            colours &= random.next() & random.next();
        }
        return (filled & colours, filled & !colours);
    }
    let (low, high) = (N * (N / 2 - 1) + N / 2 - 1, N * (N / 2) + N / 2 - 1);
    let (mut own, mut other) = (2 << low | 1 << high, 1 << low | 2_u64 << high);
    while (own | other).count_ones() < all - empty {
        let moves = mobility::<N>(own, other);
        if moves != 0 {
            let square = (random.next() >> 20) as u32 % all;
            if moves >> square & 1 == 0 {
                continue;
            }
            let turned = flips::<N>(own, other, square);
            (own, other) = (own | turned | 1 << square, other ^ turned);
        } else if mobility::<N>(other, own) == 0 {
            break;
        }
        (own, other) = (other, own);
    }
    (own, other)
}

fn score_of<const N: usize>(
    solver: &mut OthelloSolver<N>,
    own: u64,
    other: u64,
) -> Result<i32, Stopped> {
    solver
        .solve(own, other, &Limits::NONE)
        .map(|(score, _)| score)
}

/// The score of each legal square, ascending.
fn moves_of<const N: usize>(
    solver: &mut OthelloSolver<N>,
    own: u64,
    other: u64,
) -> Result<Vec<(u8, i32)>, Stopped> {
    let legal = mobility::<N>(own, other);
    let squares = (0..Shape::<N>::SQUARES).filter(|square| legal >> square & 1 == 1);
    let score = |square| {
        let turned = flips::<N>(own, other, square);
        let score = score_of(solver, other ^ turned, own | turned | 1 << square)?;
        Ok((square as u8, -score))
    };
    squares.map(score).collect()
}

fn agrees<const N: usize>(rounds: u32, most: u32) {
    let mut random = Random(0x2545_F491_4F6C_DD1D + N as u64);
    let (mut passes, mut early) = (0, 0);
    for scoring in [Scoring::Raw, Scoring::WinnerTakesEmpties] {
        let mut solver = OthelloSolver::<N>::new(12, scoring);
        for round in 0..rounds {
            let (own, other) = position::<N>(&mut random, round % (most + 1));
            let known = slow::<N>(own, other, scoring);
            let score = score_of(&mut solver, own, other);
            assert_eq!(score, Ok(known), "{own:x} {other:x} {scoring:?}");
            for alpha in [known - 1, known, 0, -1] {
                let above = solver.is_above(own, other, alpha, &Limits::NONE);
                assert_eq!(above, Ok(known > alpha), "{own:x} {other:x} {alpha}");
            }
            let moves = moves_of(&mut solver, own, other).expect("no limit");
            let legal = mobility::<N>(own, other);
            assert_eq!(moves.iter().fold(0, |set, m| set | 1 << m.0), legal);
            let (_, best) = solver.solve(own, other, &Limits::NONE).expect("no limit");
            if legal == 0 {
                assert_eq!(best, None);
                passes += u32::from(mobility::<N>(other, own) != 0);
                early += u32::from(mobility::<N>(other, own) == 0 && round % (most + 1) > 0);
            } else {
                assert_eq!(moves.iter().map(|m| m.1).max(), Some(known));
                assert!(moves.iter().any(|&m| Some(m.0) == best && m.1 == known));
            }
        }
    }
    assert!(passes > 0 && early > 0, "{passes} {early}");
}

#[test]
fn scores_are_those_of_plain_negamax() {
    agrees::<4>(300, 9);
    agrees::<6>(300, 8);
    agrees::<8>(300, 8);
}

#[test]
fn the_board_of_side_four_is_eleven_to_three_for_white() {
    let black = 1 << 6 | 1 << 9;
    let white = 1 << 5 | 1 << 10;
    let mut solver = OthelloSolver::<4>::new(16, Scoring::Raw);
    assert_eq!(score_of(&mut solver, black, white), Ok(-8));
}

/// A position of side 8 from its rows: `X` the side to move.
fn board(rows: &str) -> (u64, u64) {
    let set = |wanted| {
        let squares = rows.chars().enumerate().filter(|&(_, disc)| disc == wanted);
        squares.fold(0, |set, (square, _)| set | 1 << square)
    };
    (set('X'), set('O'))
}

/// Positions of the FForum test suite, whose scores give empty squares to the winner.
#[test]
fn known_endgames_are_solved() {
    let mut solver = OthelloSolver::<8>::new(16, Scoring::WinnerTakesEmpties);
    let (own, other) = board("-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX--");
    let scores = [(6, -32), (9, -20), (14, 12), (46, -26), (54, -34), (62, 32)];
    assert_eq!(moves_of(&mut solver, own, other), Ok(scores.to_vec()));
    let (own, other) = board("-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX-");
    assert_eq!(solver.solve(own, other, &Limits::NONE), Ok((10, Some(24))));
    let mut raw = OthelloSolver::<8>::new(16, Scoring::Raw);
    let (own, other) = board("-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX--");
    assert_eq!(raw.solve(own, other, &Limits::NONE), Ok((31, Some(62))));
}

#[test]
fn limits_stop_the_search_and_it_can_go_on() {
    let (own, other) = board("--XOXX--O-OOXXXX-OOOXXXX-XOXXXOXXXOXOOOXOXXOXOXX--OXOO----OOOO--");
    let mut whole = OthelloSolver::<8>::new(16, Scoring::Raw);
    let score = whole.solve(own, other, &Limits::NONE);
    let mut again = OthelloSolver::<8>::new(16, Scoring::Raw);
    assert_eq!(again.solve(own, other, &Limits::NONE), score);
    assert_eq!(again.nodes(), whole.nodes());
    again.forget();
    assert_eq!(again.solve(own, other, &Limits::nodes(5000)), Err(Stopped));
    assert!((5000..15_000).contains(&again.nodes()), "{}", again.nodes());
    assert_eq!(score_of(&mut again, own, other), score.map(|s| s.0));
    let flag = AtomicBool::new(true);
    again.forget();
    let told = Limits {
        nodes: u64::MAX,
        stop: Some(&flag),
        progress: None,
    };
    assert_eq!(again.solve(own, other, &told), Err(Stopped));
}

/// The perfect game of side 6 found by Joel Feinstein (1993), squares named as within a board of
/// side 8: white wins 20 to 16, at every point of the line.
#[test]
fn the_perfect_game_of_side_six_keeps_its_score() {
    let line = "d3 c5 d6 e3 f5 f4 e2 d2 c2 e6 e7 g5 c4 c3 g4 g3 f3 c7 b5 d7 b7 b3 c6 b6 f7 f6 b4";
    let (mut own, mut other) = (1_u64 << 15 | 1 << 20, 1_u64 << 14 | 1 << 21);
    let mut score = -4;
    let mut solver = OthelloSolver::<6>::new(16, Scoring::Raw);
    for name in line.split(' ') {
        if (own | other).count_ones() >= 18 {
            assert_eq!(score_of(&mut solver, own, other), Ok(score), "{name}");
        }
        let name = name.as_bytes();
        let square = u32::from(name[1] - b'2') * 6 + u32::from(name[0] - b'b');
        let turned = flips::<6>(own, other, square);
        assert_ne!(turned, 0);
        (own, other) = (other ^ turned, own | turned | 1 << square);
        score = -score;
    }
}
