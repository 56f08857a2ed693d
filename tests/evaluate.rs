//! Intervals and ratings.

use playlab::evaluate::{Rating, bradley_terry};
use playlab::stats::{Z_95, wilson};

#[test]
fn wilson_intervals_match_published_ones() {
    // Newcombe (1998), Statistics in Medicine 17, table I, method 3.
    for (successes, trials, low, high) in [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ] {
        let interval = wilson(successes, trials);
        assert!(
            (interval.0 - low).abs() < 5e-5,
            "{successes}/{trials}: {interval:?}"
        );
        assert!(
            (interval.1 - high).abs() < 5e-5,
            "{successes}/{trials}: {interval:?}"
        );
    }
    assert_eq!(wilson(5, 5).1, 1.0);
    assert_eq!(wilson(0, 0), (0.0, 1.0));
}

/// Ratings from games that are all independent.
fn rated(scores: &[Vec<f64>]) -> Option<Vec<Rating>> {
    bradley_terry(scores, &vec![vec![1.0; scores.len()]; scores.len()])
}

#[test]
fn two_players_are_as_far_apart_as_their_odds() {
    // With the drawn game 75.5 : 25.5 points; 10 independent games and the drawn one give 8 : 3.
    for (worth, won, lost) in [(1.0, 75.5, 25.5), (0.1, 8.0, 3.0)] {
        let scores = [vec![0.0, 75.0], vec![25.0, 0.0]];
        let ratings = bradley_terry(&scores, &vec![vec![worth; 2]; 2]).unwrap();
        let difference = 400.0 * libm::log10(won / lost);
        assert!((ratings[0].elo - ratings[1].elo - difference).abs() < 1e-6);
        assert!((ratings[0].elo + ratings[1].elo).abs() < 1e-6);
        // The log-odds have the variance 1 / (n p q); each rating is half of them.
        let error = ((won + lost) / (won * lost)).sqrt() / 2.0;
        let half = (ratings[0].high - ratings[0].low) / 2.0;
        assert!(
            (half - 400.0 / std::f64::consts::LN_10 * Z_95 * error).abs() < 1e-6,
            "{half}"
        );
    }
}

#[test]
fn copies_of_games_widen_intervals_and_hardly_shift_ratings() {
    // The last beats everyone, and has most of its games with the first, which vary most.
    let scores = [
        vec![0.0, 400.0, 300.0, 200.0],
        vec![600.0, 0.0, 500.0, 450.0],
        vec![700.0, 500.0, 0.0, 450.0],
        vec![800.0, 550.0, 550.0, 0.0],
    ];
    let of_pair = |i, j| if i == 0 || j == 0 { 1.0 } else { 0.05 };
    let of_player = |i| (0..4).map(|j| of_pair(i, j)).collect();
    let worth: Vec<Vec<f64>> = (0..4).map(of_player).collect();
    let (independent, copied) = (
        rated(&scores).unwrap(),
        bradley_terry(&scores, &worth).unwrap(),
    );
    for (ratings, name) in [(&independent, "independent"), (&copied, "copied")] {
        assert!(ratings[3].elo > ratings[2].elo, "{name}");
        assert!(ratings[2].elo > ratings[1].elo, "{name}");
        assert!(ratings[1].elo > ratings[0].elo, "{name}");
    }
    for (independent, copied) in independent.iter().zip(&copied) {
        assert!((independent.elo - copied.elo).abs() < 5.0);
        assert!(copied.high - copied.low > independent.high - independent.low);
    }
}

#[test]
fn likely_ratings_expect_the_scores_that_were_seen() {
    let scores = [
        vec![0.0, 14.5, 19.0],
        vec![5.5, 0.0, 12.0],
        vec![1.0, 8.0, 0.0],
    ];
    let ratings = rated(&scores).unwrap();
    assert!(ratings[0].elo > ratings[1].elo && ratings[1].elo > ratings[2].elo);
    for i in 0..3 {
        let (mut seen, mut expected) = (0.0, 0.0);
        for j in (0..3).filter(|&j| j != i) {
            let games = scores[i][j] + scores[j][i] + 0.5;
            seen += scores[i][j] + 0.25;
            let odds = libm::pow(10.0, (ratings[j].elo - ratings[i].elo) / 400.0);
            expected += games / (1.0 + odds);
        }
        assert!((seen - expected).abs() < 1e-6, "{i}: {seen} {expected}");
    }
}

#[test]
fn many_players_are_as_far_apart_as_their_games_say() {
    let expected = |i: usize, j: usize| libm::pow(10.0, (j as f64 - i as f64) / 4.0);
    let matrix = |of_pair: &dyn Fn(usize, usize) -> f64| -> Vec<Vec<f64>> {
        let row = |i| {
            (0..10)
                .map(|j| if i == j { 0.0 } else { of_pair(i, j) })
                .collect()
        };
        (0..10).map(row).collect()
    };
    // 100 points from each to the next: the added draws pull the ends in by a fraction of a point.
    let ratings = rated(&matrix(&|i, j| 1000.0 / (1.0 + expected(i, j)))).unwrap();
    for (i, rating) in ratings.iter().enumerate() {
        let is = 100.0 * (i as f64 - 4.5);
        assert!((rating.elo - is).abs() < 0.5, "{i}: {}", rating.elo);
    }
    // Each beats all before it: nothing but the added draws keeps them together, and symmetrically so.
    let scores = matrix(&|i, j| if i > j { 10_000.0 } else { 0.0 });
    let ratings = rated(&scores).unwrap();
    for i in 0..10 {
        assert!((ratings[i].elo + ratings[9 - i].elo).abs() < 1e-3);
        let expected = |j: usize| {
            let odds = libm::pow(10.0, (ratings[j].elo - ratings[i].elo) / 400.0);
            (10_000.0 + 1.0 / 9.0) / (1.0 + odds) - 1.0 / 18.0
        };
        let expected: f64 = (0..10).filter(|&j| j != i).map(expected).sum();
        let seen: f64 = scores[i].iter().sum();
        assert!((seen - expected).abs() < 1e-3, "{i}: {seen} {expected}");
    }
}

#[test]
fn a_player_who_won_every_game_has_a_finite_rating() {
    let ratings = rated(&[vec![0.0, 10.0], vec![0.0, 0.0]]).unwrap();
    assert!(ratings[0].elo.is_finite() && ratings[0].high.is_finite());
    assert!(ratings[0].elo > ratings[1].elo);
}

#[test]
fn players_that_no_games_connect_are_not_rated() {
    let mut scores = vec![vec![0.0; 4]; 4];
    scores[0][1] = 3.0;
    scores[3][2] = 1.0;
    assert_eq!(rated(&scores), None);
    scores[2][1] = 0.5;
    scores[1][2] = 0.5;
    assert!(rated(&scores).is_some());
}
