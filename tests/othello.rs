//! Moves of Othello against the obvious rules; endgames against plain negamax and known scores.

use std::sync::atomic::AtomicBool;

use playlab::evaluate::sampled_positions;
use playlab::game::{Game, GameInfo, Key, Move, Moves, Othello, Position};
use playlab::search::{ExactSolver, Limits, Scoring, Stopped, exact_solver};
use playlab::value::{Board, own_values};

fn game<const N: usize>() -> &'static GameInfo {
    let is_of_side = |info: &&GameInfo| info.is::<Othello<N>>();
    playlab::game::games().iter().find(is_of_side).unwrap()
}

fn solver<const N: usize>(bits: u32, scoring: Scoring) -> Box<dyn ExactSolver> {
    exact_solver(game::<N>(), bits, scoring)
}

fn slow<const N: usize>(position: Othello<N>, scoring: Scoring) -> i32 {
    let replies = position.moves();
    let scores = replies.map(|mv| -slow(position.play_unchecked(mv), scoring));
    scores.max().unwrap_or_else(|| {
        let difference = position.disc_difference();
        match scoring {
            Scoring::Raw => difference,
            _ => difference + difference.signum() * position.empties() as i32,
        }
    })
}

/// The estimates cover positions with more empty squares, too, but only these are solved quickly.
#[test]
fn patterns_say_how_endgames_end() {
    let info = game::<8>();
    let mut solver = solver::<8>(12, Scoring::Raw);
    let mut estimator = own_values("patterns", info).unwrap().estimator();
    let (mut errors, mut scores, mut same_sign) = (0.0, 0.0, 0);
    let positions = sampled_positions(info, 51, 40);
    for &position in &positions {
        // The score is for the side to move, the estimate for the side that moved.
        let score = solver.score(position, &Limits::NONE).unwrap() as f32;
        let estimate = -16.0 * estimator.raw(&Board::of(position));
        errors += (score - estimate).powi(2);
        scores += score.powi(2);
        same_sign += i32::from(score.signum() == estimate.signum());
    }
    assert!(2.0 * errors < scores, "{errors} {scores}");
    assert!(same_sign >= 30, "{same_sign}");
    assert!(own_values("patterns", game::<6>()).is_none());
    assert!(own_values("pattern", info).is_none());
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
fn position<const N: usize>(random: &mut Random, empty: u32) -> Othello<N> {
    let all = (N * N) as u32;
    if random.next().is_multiple_of(3) {
        // The centre is never empty. The key does not contain whether O has its first square.
        let first = Othello::<N>::PASS.index();
        let centre = 3 << first | 3 << (first + N);
        let (mut filled, mut colours) = (u64::MAX >> (64 - all), random.next());
        while filled.count_ones() > all - empty {
            filled &= !(1 << ((random.next() >> 20) % u64::from(all))) | centre;
        }
        if random.next().is_multiple_of(2) {
            colours &= random.next() & random.next() & random.next() & random.next();
        }
        let (x, o) = (filled & colours, filled & !colours & !(1 << first));
        return Othello::from_key(Key::from(u128::from(x) | u128::from(o) << all));
    }
    let mut position = Othello::<N>::start();
    while position.empties() > empty && position.outcome().is_none() {
        let moves = position.moves();
        let rank = (random.next() >> 20) as usize % moves.len();
        position = position.play_unchecked(moves.get(rank));
    }
    position
}

/// The discs that one of `own` on a square turns over, found by steps in the eight directions.
fn turned<const N: usize>(own: u64, other: u64, square: usize) -> u64 {
    let mut turned = 0;
    let steps = (-1..=1).flat_map(|rows| [(rows, -1), (rows, 0), (rows, 1)]);
    for (rows, columns) in steps.filter(|&step| step != (0, 0)) {
        let (mut row, mut column) = ((square / N) as i32, (square % N) as i32);
        let mut run = 0;
        loop {
            (row, column) = (row + rows, column + columns);
            if !(0..N as i32).contains(&row) || !(0..N as i32).contains(&column) {
                break;
            }
            let disc = 1 << (row * N as i32 + column);
            if other & disc == 0 {
                turned |= if own & disc == 0 { 0 } else { run };
                break;
            }
            run |= disc;
        }
    }
    turned
}

fn moves_agree<const N: usize>() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut passes, mut longest) = (0, 0);
    for round in 0..6000 {
        let position = position::<N>(&mut random, round % (N * N - 4) as u32);
        let [own, other] = position.own_and_other();
        let mut moves = Moves::NONE;
        for square in (0..N * N).filter(|square| (own | other) >> square & 1 == 0) {
            let turned = turned::<N>(own, other, square);
            if turned != 0 {
                moves = moves.with(Move::new(square));
                let after = position.play_unchecked(Move::new(square));
                let expected = [other ^ turned, own | turned | 1 << square];
                assert_eq!(
                    after.own_and_other(),
                    expected,
                    "{own:x} {other:x} {square}"
                );
            }
            longest = longest.max(turned.count_ones());
        }
        if moves.is_empty() && position.outcome().is_none() {
            moves = Moves::only(Othello::<N>::PASS);
            passes += 1;
        }
        assert_eq!(position.moves(), moves, "{own:x} {other:x}");
    }
    assert!(passes > 0 && longest as usize > N, "{passes} {longest}");
}

#[test]
fn moves_agree_with_the_obvious_rules() {
    moves_agree::<8>();
    moves_agree::<6>();
    moves_agree::<4>();
}

fn agrees<const N: usize>(rounds: u32, most: u32) {
    let mut random = Random(0x2545_F491_4F6C_DD1D + N as u64);
    let (mut passes, mut early) = (0, 0);
    for scoring in [Scoring::Raw, Scoring::WinnerTakesEmpties] {
        let mut solver = solver::<N>(14, scoring);
        for round in 0..rounds {
            let board = position::<N>(&mut random, round % (most + 1));
            let (known, position) = (slow(board, scoring), Position::of(game::<N>(), board));
            let score = solver.score(position, &Limits::NONE);
            assert_eq!(score, Ok(known), "{position} {scoring:?}");
            for bound in known - 2..=known + 1 {
                let above = solver.exceeds(position, bound, &Limits::NONE);
                assert_eq!(above, Ok(known > bound), "{position} {bound}");
            }
            let moves = solver.scores(position, &Limits::NONE).unwrap();
            assert!(moves.iter().map(|(mv, _)| *mv).eq(board.moves()));
            let (_, best) = solver.best(position, &Limits::NONE).unwrap();
            passes += u32::from(best == Some(Othello::<N>::PASS));
            match best {
                None => early += u32::from(moves.is_empty() && board.empties() > 0),
                Some(best) => assert!(moves.contains(&(best, known))),
            }
            assert!(moves.iter().all(|&(_, score)| score <= known));
        }
    }
    assert!(passes > 0 && early > 0, "{passes} {early}");
}

#[test]
fn scores_agree_with_plain_negamax() {
    agrees::<4>(300, 9);
    agrees::<6>(300, 8);
    agrees::<8>(300, 8);
}

fn board(squares: &str) -> Position {
    Position::parse(game::<8>(), &format!("{squares} X")).unwrap()
}

/// Positions of the FForum test suite, whose scores give empty squares to the winner.
#[test]
fn known_endgames_are_solved() {
    let mut solver = solver::<8>(18, Scoring::WinnerTakesEmpties);
    let position = board("-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX--");
    let scores = [(6, -32), (9, -20), (14, 12), (46, -26), (54, -34), (62, 32)];
    let scores = scores.map(|(square, score)| (Move::new(square), score));
    assert_eq!(solver.scores(position, &Limits::NONE), Ok(scores.into()));
    let other = board("-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX-");
    let best = solver.best(other, &Limits::NONE);
    assert_eq!(best, Ok((10, Some(Move::new(24)))));
    let mut raw = self::solver::<8>(18, Scoring::Raw);
    let best = raw.best(position, &Limits::NONE);
    assert_eq!(best, Ok((31, Some(Move::new(62)))));
}

#[test]
fn limits_stop_the_search_and_it_can_resume() {
    let position = board("--XOXX--O-OOXXXX-OOOXXXX-XOXXXOXXXOXOOOXOXXOXOXX--OXOO----OOOO--");
    let mut whole = solver::<8>(18, Scoring::Raw);
    let best = whole.best(position, &Limits::NONE);
    let mut again = solver::<8>(18, Scoring::Raw);
    assert_eq!(again.best(position, &Limits::NONE), best);
    assert_eq!(again.nodes(), whole.nodes());
    again.forget();
    let limited = again.best(position, &Limits::nodes(5000));
    assert_eq!(limited, Err(Stopped));
    assert!((5000..15_000).contains(&again.nodes()), "{}", again.nodes());
    let score = again.score(position, &Limits::NONE);
    assert_eq!(score, best.map(|(score, _)| score));
    let flag = AtomicBool::new(true);
    again.forget();
    let limits = Limits::until(&flag);
    assert_eq!(again.best(position, &limits), Err(Stopped));
}

/// The perfect game of side 6 found by Joel Feinstein (1993), squares named as within a board of
/// side 8: white wins 20 to 16, at every point of the line.
#[test]
fn the_perfect_game_of_side_six_keeps_its_score() {
    let line = "d3 c5 d6 e3 f5 f4 e2 d2 c2 e6 e7 g5 c4 c3 g4 g3 f3 c7 b5 d7 b7 b3 c6 b6 f7 f6 b4";
    let mut position = Position::start(game::<6>());
    let mut score = -4;
    let mut solver = solver::<6>(18, Scoring::Raw);
    for name in line.split(' ') {
        if position.empties() <= 18 {
            assert_eq!(solver.score(position, &Limits::NONE), Ok(score), "{name}");
        }
        let name = name.as_bytes();
        let square = usize::from(name[1] - b'2') * 6 + usize::from(name[0] - b'b');
        position = position.play(Move::new(square)).unwrap();
        score = -score;
    }
}

/// The moves after which the other side has no disc, found by playing them.
fn wipe_outs<const N: usize>(position: Othello<N>) -> Vec<Move> {
    let wins = |mv: &Move| {
        let after = position.play_unchecked(*mv);
        after.discs(position.to_move()) > 0 && after.discs(!position.to_move()) == 0
    };
    position.moves().filter(wins).collect()
}

#[test]
fn winning_moves_are_those_that_leave_no_disc() {
    fn check<const N: usize>(least: usize) {
        let mut random = Random(0x2545_f491_4f6c_dd1d);
        let mut found = 0;
        for number in 0..20_000 {
            let mut position = Othello::<N>::start();
            // Early in the game wipe-outs are most frequent.
            for _ in 0..number % (N as u32 * 3) {
                if position.outcome().is_some() {
                    break;
                }
                let moves = position.moves();
                let rank = (random.next() >> 20) as usize % moves.len();
                position = position.play_unchecked(moves.get(rank));
                let winning: Vec<Move> = position.winning_moves().collect();
                assert_eq!(winning, wipe_outs(position), "{}", position.format());
                found += winning.len();
            }
        }
        assert!(found > least, "{N}: {found}");
    }
    check::<4>(1);
    check::<6>(1);
    check::<8>(1);
}
