//! From what runs recorded to what is drawn.

use playlab::chart::{Metric, compare, curve};
use playlab::config::Config;
use playlab::game::{GameInfo, Side, Value};
use playlab::train::{Experiment, Method, MetricsRow, Recorded, TrainingRow};
use playlab::workflow::stage;

use crate::place::{SMALL, SMALL_TREE};

/// A run that recorded these win rates of O against random, by seed and epoch of ten episodes.
fn recorded(config: &str, method: Method, rates: &[(u64, u64, f64)]) -> Recorded {
    let config = Config::parse(config, "test.toml").unwrap();
    let metrics = rates.iter().map(|&(seed, epoch, win_rate)| MetricsRow {
        seed,
        epoch,
        episodes: 10 * epoch,
        side: Side::O,
        opponent: config.evaluation.opponents[0].to_string(),
        method,
        games: (method == Method::Sampled).then_some(10),
        win_rate,
        draw_rate: 1.0 - win_rate,
        loss_rate: 0.0,
        win_low: win_rate,
        win_high: win_rate,
    });
    let training = rates.iter().map(|&(seed, epoch, _)| TrainingRow {
        seed,
        epoch,
        episodes: 10 * epoch,
        side: Side::O,
        optimal_move_rate: None,
        worst_case: (method == Method::Exact).then_some(Value::Loss),
    });
    Recorded {
        name: "run".to_owned(),
        metrics: metrics.collect(),
        training: training.collect(),
        config,
        finished: true,
    }
}

fn prepared(data: &Recorded) -> Experiment {
    let stage = stage(data.config.game);
    Experiment::prepare(data.config.clone(), &stage).unwrap()
}

#[test]
fn a_seed_that_stopped_keeps_its_last_value() {
    let rates = [
        (1, 1, 0.5),
        (1, 2, 0.6),
        (1, 3, 0.7),
        (2, 1, 0.1),
        (2, 2, 0.2),
    ];
    let data = recorded(SMALL, Method::Exact, &rates);
    let figure = curve(&data, &prepared(&data)).unwrap();
    let wins = &figure.rows[0][0].series[0];
    let expected = [(10.0, 0.3), (20.0, 0.4), (30.0, 0.45)];
    assert_eq!(wins.points.len(), expected.len());
    for (found, expected) in wins.points.iter().zip(expected) {
        assert_eq!(found.0, expected.0);
        assert!((found.1 - expected.1).abs() < 1e-12, "{found:?}");
    }
    let band = wins.band.as_ref().unwrap();
    assert!((band[2].1 - 0.25).abs() < 1e-12 && (band[2].2 - 0.65).abs() < 1e-12);
    assert!(figure.subtitle.ends_with("over 2 seeds"));
}

#[test]
fn a_seed_that_still_trains_counts_as_far_as_it_has_come() {
    let rates = [(1, 1, 0.5), (1, 2, 0.75), (2, 1, 0.25)];
    let data = Recorded {
        finished: false,
        ..recorded(SMALL, Method::Exact, &rates)
    };
    let figure = curve(&data, &prepared(&data)).unwrap();
    let wins = &figure.rows[0][0].series[0];
    assert_eq!(wins.points, [(10.0, 0.375), (20.0, 0.75)]);
    assert!(figure.title.ends_with("so far 2 of 3 seeds"));
}

#[test]
fn counted_rates_are_pooled() {
    let config = SMALL_TREE.replace("tic-tac-toe", "connect-four");
    let rates = [(1, 1, 0.5), (2, 1, 0.7)];
    let data = recorded(&config, Method::Sampled, &rates);
    let figure = curve(&data, &prepared(&data)).unwrap();
    let wins = &figure.rows[1][0].series[0];
    assert!((wins.points[0].1 - 0.6).abs() < 1e-12);
    assert_eq!(
        figure.subtitle,
        "rates in 80 games a point, with their 95 % intervals"
    );
}

#[test]
fn many_counted_rows_are_drawn_at_once() {
    assert!(!GameInfo::find("connect-four").unwrap().listed);
    let config = SMALL_TREE.replace("tic-tac-toe", "connect-four");
    let rates: Vec<(u64, u64, f64)> = (1..=60_000).map(|epoch| (1, epoch, 0.5)).collect();
    let data = recorded(&config, Method::Sampled, &rates);
    let experiment = prepared(&data);
    let started = std::time::Instant::now();
    let figure = curve(&data, &experiment).unwrap();
    assert_eq!(figure.rows[1][0].series[0].points.len(), 60_000);
    // Looking through all rows for each would take minutes.
    assert!(started.elapsed().as_secs() < 10);
}

#[test]
fn runs_without_a_common_opponent_do_not_share_a_picture() {
    let config = SMALL_TREE.replace("tic-tac-toe", "connect-four");
    let other = config.replace("games = 40", "games = 40\nopponents = [\"greedy\"]");
    let runs = [&config, &other].map(|config| recorded(config, Method::Sampled, &[(1, 1, 0.5)]));
    let error = compare(&runs, &prepared(&runs[0]), &Metric::RATES, None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the runs have no opponent in common; plot them one by one"
    );
}
