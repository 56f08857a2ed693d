//! From what runs recorded to pictures.

use playlab::chart::{compare, curve, curve_of_seeds};
use playlab::compare::Only;
use playlab::config::Config;
use playlab::game::{GameInfo, Side, Value};
use playlab::plot::Spread;
use playlab::train::{
    AllSeeds, EvaluationMethod, Exactness, Experiment, Metric, MetricsRow, Recorded, TrainingRow,
    summarize,
};
use playlab::workflow::stage;

use crate::place::{SMALL, SMALL_TREE};

/// A run that recorded these win rates of O against random, by seed and epoch of ten episodes.
fn recorded(config: &str, method: EvaluationMethod, rates: &[(u64, u64, f64)]) -> Recorded {
    let config = Config::parse(config, "test.toml").unwrap();
    let metrics = rates.iter().map(|&(seed, epoch, win_rate)| MetricsRow {
        seed,
        epoch,
        episodes: 10 * epoch,
        side: Side::O,
        opponent: config.evaluation.opponents[0].to_string(),
        policy: None,
        method,
        games: (method == EvaluationMethod::Sampled).then_some(10),
        distinct_games: (method == EvaluationMethod::Sampled).then_some(10),
        effective_games: (method == EvaluationMethod::Sampled).then_some(10.0),
        win_rate,
        draw_rate: 1.0 - win_rate,
        loss_rate: 0.0,
        win_low: Some(win_rate),
        win_high: Some(win_rate),
    });
    let training = rates.iter().map(|&(seed, epoch, _)| TrainingRow {
        seed,
        epoch,
        episodes: 10 * epoch,
        side: Side::O,
        value_error: None,
        success: None,
        holds: None,
        score_loss: None,
        won_openings: None,
        discs_lost: None,
        optimal_move_rate: None,
        worst_case: (method == EvaluationMethod::Exact).then_some(Value::Loss),
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
    let data = recorded(SMALL, EvaluationMethod::Exact, &rates);
    let figure = curve(&data, &prepared(&data)).unwrap();
    let wins = &figure.groups[0][1].series[0];
    let expected = [(10.0, 0.3), (20.0, 0.4), (30.0, 0.45)];
    assert_eq!(wins.points.len(), expected.len());
    for (found, expected) in wins.points.iter().zip(expected) {
        assert_eq!(found.0, expected.0);
        assert!((found.1 - expected.1).abs() < 1e-12, "{found:?}");
    }
    // Two seeds are drawn separately.
    let Spread::Thin(seeds) = &wins.spread else {
        panic!("{:?}", wins.spread);
    };
    assert_eq!(seeds[0], [(10.0, 0.5), (20.0, 0.6), (30.0, 0.7)]);
    assert_eq!(seeds[1], [(10.0, 0.1), (20.0, 0.2), (30.0, 0.2)]);
    assert!(figure.subtitle.contains("mean over 2 seeds"));
}

#[test]
fn curves_in_training_are_over_the_same_seeds_everywhere() {
    let small = SMALL.replace("episodes_per_epoch = 50", "episodes_per_epoch = 10");
    let drawn = |data: Recorded| {
        let data = Recorded {
            finished: false,
            ..data
        };
        let figure = curve(&data, &prepared(&data)).unwrap();
        assert!(figure.title.contains("so far "));
        let wins = figure.groups[0][1].series[0].points.clone();
        (wins, figure.caption)
    };
    let exact =
        |config: &str, rates: &[(u64, u64, f64)]| recorded(config, EvaluationMethod::Exact, rates);
    let (wins, caption) = drawn(exact(&small, &[(1, 1, 0.5), (1, 2, 0.75), (2, 1, 0.25)]));
    assert_eq!(wins, [(10.0, 0.375)]);
    let expected = "Drawn up to 10 episodes, which the first 2 seeds reached or ended before.";
    assert!(caption.starts_with(expected), "{caption}");
    // A seed that has just begun hides nothing of the others.
    let rates = [(1, 1, 0.5), (1, 2, 0.5), (1, 3, 0.75), (2, 1, 0.25)];
    let alone = [(10.0, 0.5), (20.0, 0.5), (30.0, 0.75)];
    let (wins, caption) = drawn(exact(&small, &rates));
    assert_eq!(wins, alone);
    let expected = "Drawn up to 30 episodes, which the first seed reached or ended before.";
    assert!(caption.starts_with(expected), "{caption}");
    // A seed that has ended stays as it was, whether it was unbeatable or had nothing left to learn.
    let together = [(10.0, 0.375), (20.0, 0.375), (30.0, 0.5)];
    let until = small.replace(
        "epochs = 6",
        "epochs = 6\nstop = \"unbeatable\"\npatience = 1",
    );
    let mut data = exact(&until, &rates);
    data.training.last_mut().unwrap().worst_case = Some(Value::Draw);
    let (wins, caption) = drawn(data);
    assert_eq!(wins, together);
    assert!(!caption.contains("Drawn up to"), "{caption}");
    // A seed that ended early hides none of the others.
    let ends = [
        (1, 1, 0.75),
        (2, 1, 0.5),
        (2, 2, 0.875),
        (3, 1, 0.25),
        (3, 2, 0.25),
    ];
    let mut data = exact(&until.replace("epochs = 6", "epochs = 1000"), &ends);
    data.training[0].worst_case = Some(Value::Draw);
    let (wins, _) = drawn(data);
    assert_eq!(wins, [(10.0, 0.5), (20.0, 0.625)]);
    let mut data = exact(&small, &rates);
    data.metrics.last_mut().unwrap().episodes = 5;
    data.training.last_mut().unwrap().episodes = 5;
    let (wins, _) = drawn(data);
    assert_eq!(
        wins,
        [(5.0, 0.25), (10.0, 0.375), (20.0, 0.375), (30.0, 0.5)]
    );
}

#[test]
fn seeds_that_have_not_learned_yet_are_not_counted() {
    let rates = [
        (1, 0, 0.5),
        (1, 1, 0.5),
        (2, 0, 0.5),
        (2, 1, 0.25),
        (3, 0, 0.5),
    ];
    let data = Recorded {
        finished: false,
        ..recorded(SMALL, EvaluationMethod::Exact, &rates)
    };
    let figure = curve(&data, &prepared(&data)).unwrap();
    assert!(figure.title.ends_with("so far 2 of 3 seeds"));
    assert!(figure.subtitle.contains("2 seeds"), "{}", figure.subtitle);
}

#[test]
fn counted_rates_of_several_seeds_are_drawn_with_the_spread_of_the_seeds() {
    let config = SMALL_TREE.replace("tic-tac-toe", "connect-four");
    let rates = [(1, 1, 0.5), (2, 1, 0.7)];
    let data = recorded(&config, EvaluationMethod::Sampled, &rates);
    let figure = curve(&data, &prepared(&data)).unwrap();
    let wins = &figure.groups[1][0].series[0];
    assert!((wins.points[0].1 - 0.6).abs() < 1e-12);
    assert!(matches!(&wins.spread, Spread::Thin(curves) if curves.len() == 2));
    assert_eq!(
        figure.subtitle,
        "rates in 40 games a point and seed, mean over 2 seeds, each of which is a thin line"
    );
}

#[test]
fn intervals_are_explained_where_they_are_drawn() {
    let config = SMALL_TREE.replace("tic-tac-toe", "connect-four");
    let rates = [(1, 1, 0.5), (1, 2, 0.7), (2, 1, 0.5), (2, 2, 0.5)];
    let several = recorded(&config, EvaluationMethod::Sampled, &rates);
    let config = config.replace("seeds = 3", "seeds = 1");
    let one = recorded(&config, EvaluationMethod::Sampled, &rates[..2]);
    let drawn = |runs: &[Recorded]| {
        let wins = [Metric::WinRate];
        let figure = compare(runs, &prepared(&runs[0]), &wins, &Only::default(), None).unwrap();
        let mut series = figure
            .groups
            .iter()
            .flatten()
            .flat_map(|panel| &panel.series);
        let has_band = series.any(|series| matches!(series.spread, Spread::Band(_)));
        (has_band, figure.subtitle, figure.caption)
    };
    let (has_band, subtitle, caption) = drawn(&[one.clone(), several]);
    let head =
        "rates in 40 games a point and seed, mean over 1 to 2 seeds, each of which is a thin line";
    assert_eq!((has_band, subtitle.as_str()), (true, head));
    assert_eq!(
        caption,
        "The bands of a run of one seed are 95 % intervals."
    );
    let (has_band, subtitle, caption) = drawn(&[(); 4].map(|()| one.clone()));
    let head = "rates in 40 games a point";
    assert_eq!((has_band, subtitle.as_str()), (false, head));
    assert_eq!(caption, "The spread is not drawn for more than 3 runs.");
    let (has_band, subtitle, caption) = drawn(&[one]);
    let head =
        "rates in 40 games a point, with 95 % intervals in which copies of a game count once";
    assert_eq!((has_band, subtitle.as_str()), (true, head));
    assert_eq!(caption, "");
}

#[test]
fn exact_rates_beside_counted_ones_are_called_exact() {
    let config = SMALL_TREE
        .replace("tic-tac-toe", "connect-four")
        .replace("seeds = 3", "seeds = 1");
    let rates = [(1, 0, 0.5), (1, 1, 0.5), (1, 2, 0.7)];
    let subtitle = |change: fn(&mut MetricsRow)| {
        let mut data = recorded(&config, EvaluationMethod::Sampled, &rates);
        data.metrics.iter_mut().for_each(change);
        assert_eq!(data.method(), EvaluationMethod::Sampled);
        curve(&data, &prepared(&data)).unwrap().subtitle
    };
    let counted =
        "rates in 40 games a point, with 95 % intervals in which copies of a game count once";
    assert_eq!(subtitle(|_| {}), counted);
    assert_eq!(
        subtitle(|row| row.method = EvaluationMethod::Exact),
        "exact rates"
    );
    let later = subtitle(|row| {
        if row.epoch > 0 {
            row.method = EvaluationMethod::Exact;
        }
    });
    let expected = "exact rates where they can be computed; else rates in 40 games a point, with 95 % \
                intervals";
    assert_eq!(later, expected);
}

#[test]
fn what_lies_around_the_mean_is_explained_for_rates_of_both_kinds_too() {
    let config = SMALL_TREE.replace("tic-tac-toe", "connect-four");
    let captions = |seeds: u64| {
        let rates: Vec<_> = (1..=seeds)
            .flat_map(|seed| [(seed, 1, 0.5), (seed, 2, 0.7)])
            .collect();
        let config = config.replace("seeds = 3", &format!("seeds = {seeds}"));
        let mut data = recorded(&config, EvaluationMethod::Sampled, &rates);
        for row in data.metrics.iter_mut().filter(|row| row.epoch == 2) {
            row.method = EvaluationMethod::Exact;
        }
        let mean = curve(&data, &prepared(&data)).unwrap();
        let seeds = curve_of_seeds(&data, &prepared(&data)).unwrap();
        [mean, seeds].map(|figure| figure.caption.split('.').next().unwrap().to_owned())
    };
    let starts = [1, 3, 8].map(|seeds| captions(seeds)[0].clone());
    assert_eq!(captions(8)[1], "Thin lines are seeds");
    assert_eq!(
        starts[1..],
        ["Thin lines are seeds", "Bands span 10–90 % of the seeds"]
    );
    assert!(!starts[0].contains("seeds"), "{starts:?}");
}

#[test]
fn one_seed_has_no_thin_line() {
    let rates = |seeds: u64| (1..=seeds).map(|seed| (seed, 1, 0.5)).collect::<Vec<_>>();
    let run = |seeds: u64| {
        let config = SMALL.replace("seeds = 3", &format!("seeds = {seeds}"));
        recorded(&config, EvaluationMethod::Exact, &rates(seeds))
    };
    let subtitle = |counts: [u64; 2]| {
        let runs = counts.map(run);
        let wins = [Metric::WinRate];
        let figure = compare(&runs, &prepared(&runs[0]), &wins, &Only::default(), None);
        figure.unwrap().subtitle
    };
    let ten = run(10);
    let head = curve_of_seeds(&ten, &prepared(&ten)).unwrap().subtitle;
    assert_eq!(
        head,
        "exact rates, mean over 10 seeds, each of which is a thin line"
    );
    let mean = |seeds, with| format!("exact rates, mean over {seeds} seeds, with {with}");
    assert_eq!(subtitle([1, 10]), mean("1 to 10", "a 10–90 % band"));
    assert_eq!(
        subtitle([2, 10]),
        mean("2 to 10", "thin lines or a 10–90 % band")
    );
}

#[test]
fn success_is_counted_where_the_games_against_perfect_play_are() {
    let config = SMALL_TREE.replace("tic-tac-toe", "connect-four");
    let rates = [(1, 1, 0.0), (2, 1, 0.0)];
    let mut data = recorded(&config, EvaluationMethod::Sampled, &rates);
    for row in &mut data.training {
        row.success = Some(-1.0);
        row.score_loss = Some(2.0);
    }
    for (exact, expected) in [(0, true), (1, true), (2, false)] {
        for row in &mut data.metrics[..exact] {
            row.method = EvaluationMethod::Exact;
        }
        let seeds = summarize(&data);
        let [_, last] = AllSeeds::best_and_last(&data, &seeds);
        let [success, loss] = [Metric::Success, Metric::ScoreLoss]
            .map(|metric| last.of_training(Side::O, metric).unwrap().counted);
        assert_eq!((success, loss), (expected, false));
    }
}

#[test]
fn rates_are_described_by_opponent_where_each_has_one_kind() {
    let mut rows = recorded(
        SMALL,
        EvaluationMethod::Sampled,
        &[(1, 1, 0.5), (1, 2, 0.5)],
    )
    .metrics;
    rows[0].method = EvaluationMethod::Exact;
    let text = |rows: &[MetricsRow]| Exactness::of(rows).text(": means", "7 games");
    let some = "exact rates where they can be computed; else rates in 7 games: means";
    assert_eq!(text(&rows), some);
    rows[0].opponent = "minimax".to_owned();
    assert_eq!(
        text(&rows),
        "exact rates against minimax; else rates in 7 games: means"
    );
    assert_eq!(text(&rows[..1]), "exact rates: means");
    assert_eq!(text(&rows[1..]), "rates in 7 games: means");
}

#[test]
fn the_optimal_move_rate_over_solved_positions_is_drawn_where_it_is_known() {
    let config = SMALL_TREE.replace("tic-tac-toe", "connect-four");
    let mut data = recorded(
        &config,
        EvaluationMethod::Sampled,
        &[(1, 1, 0.5), (1, 2, 0.5)],
    );
    let metric = [Metric::OptimalMoveRate];
    let drawn = |data: &Recorded| {
        let runs = std::slice::from_ref(data);
        compare(runs, &prepared(data), &metric, &Only::default(), None)
    };
    let Err(error) = drawn(&data) else {
        panic!("the run has none");
    };
    let text = error.to_string();
    assert!(
        text.starts_with("run has no optimal-move rate: its game has no"),
        "{text}"
    );
    for row in &mut data.training {
        row.optimal_move_rate = Some(0.25 * row.epoch as f64);
    }
    let figure = drawn(&data).unwrap();
    let panel = &figure.groups[1][0];
    assert_eq!(panel.title, "O: optimal-move rate, solved positions");
    assert_eq!(panel.series[0].points, [(10.0, 0.25), (20.0, 0.5)]);
    // It is not based on games.
    assert_eq!(figure.subtitle, "exact rates");
    let all = curve(&data, &prepared(&data)).unwrap();
    let mut titles = all.groups[1].iter().map(|panel| panel.title.as_str());
    assert_eq!(
        titles.next_back(),
        Some("O: optimal-move rate, solved positions")
    );
    let proven = [Metric::UnbeatableSeeds];
    let Err(error) = compare(
        &[data.clone()],
        &prepared(&data),
        &proven,
        &Only::default(),
        None,
    ) else {
        panic!("nothing is proven");
    };
    assert!(error.to_string().contains(
        "no unbeatable seeds: its game's positions are not listed, or the probabilities"
    ));
}

#[test]
fn many_counted_rows_are_drawn_at_once() {
    assert!(!GameInfo::find("connect-four").unwrap().listed);
    let config = SMALL_TREE.replace("tic-tac-toe", "connect-four");
    let rates: Vec<(u64, u64, f64)> = (1..=60_000)
        .map(|epoch| (1, epoch, (epoch % 2) as f64))
        .collect();
    let data = recorded(&config, EvaluationMethod::Sampled, &rates);
    let experiment = prepared(&data);
    let started = std::time::Instant::now();
    let figure = curve(&data, &experiment).unwrap();
    assert_eq!(figure.groups[1][0].series[0].points.len(), 60_000);
    // Looking through all rows for each point would take minutes.
    assert!(started.elapsed().as_secs() < 10);
}

#[test]
fn runs_without_a_common_opponent_do_not_share_a_picture() {
    let config = SMALL_TREE.replace("tic-tac-toe", "connect-four");
    let other = config.replace("games = 40", "games = 40\nopponents = [\"greedy\"]");
    let runs =
        [&config, &other].map(|config| recorded(config, EvaluationMethod::Sampled, &[(1, 1, 0.5)]));
    let error = compare(
        &runs,
        &prepared(&runs[0]),
        &Metric::RATES,
        &Only::default(),
        None,
    )
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the runs have no opponent in common: run has alpha-beta:depth=2 and random, run has greedy"
    );
}

#[test]
fn the_first_panel_is_the_share_of_unbeatable_seeds_and_what_never_changes_is_reported() {
    let rates = [
        (1, 1, 0.5),
        (1, 2, 0.6),
        (2, 1, 0.5),
        (2, 2, 0.7),
        (3, 1, 0.5),
        (3, 2, 0.5),
    ];
    let mut data = recorded(SMALL, EvaluationMethod::Exact, &rates);
    let drawn: Vec<MetricsRow> = data
        .metrics
        .iter()
        .map(|row| MetricsRow {
            opponent: "minimax".to_owned(),
            win_rate: 0.0,
            draw_rate: 1.0,
            ..row.clone()
        })
        .collect();
    data.metrics.extend(drawn);
    // Two of three seeds are unbeatable in the end.
    for row in &mut data.training {
        if row.epoch == 2 && row.seed < 3 {
            row.worst_case = Some(Value::Draw);
        }
    }
    let figure = curve(&data, &prepared(&data)).unwrap();
    let share = &figure.groups[0][0];
    assert_eq!(share.title, "O: unbeatable seeds");
    assert_eq!(share.series[0].points, [(10.0, 0.0), (20.0, 2.0 / 3.0)]);
    assert_eq!(share.marks[0].0, 20.0);
    assert!(
        figure.groups[0]
            .iter()
            .all(|panel| panel.title != "O against minimax")
    );
    assert_eq!(
        figure.caption,
        "Not drawn, because it never changes: O against minimax (win rate 0, draw rate 1, loss rate 0)."
    );
    // One of two seeds is not a majority.
    data.training.retain(|row| row.seed > 1);
    data.metrics.retain(|row| row.seed > 1);
    let figure = curve(&data, &prepared(&data)).unwrap();
    assert!(figure.groups[0][0].marks.is_empty());
}

#[test]
fn counted_rates_that_are_equal_by_chance_are_drawn() {
    let mut data = recorded(
        SMALL,
        EvaluationMethod::Sampled,
        &[(1, 1, 0.5), (1, 2, 0.7)],
    );
    let same = data.metrics.iter().map(|row| MetricsRow {
        opponent: "minimax".to_owned(),
        win_rate: 0.0,
        draw_rate: 1.0,
        ..row.clone()
    });
    let same: Vec<MetricsRow> = same.collect();
    data.metrics.extend(same);
    let left_out = |data: &Recorded| {
        let figure = curve(data, &prepared(data)).unwrap();
        let mut panels = figure.groups[0].iter();
        let is_drawn = panels.any(|panel| panel.title == "O against minimax");
        assert_ne!(is_drawn, figure.caption.contains("O against minimax"));
        !is_drawn
    };
    assert!(!left_out(&data));
    for row in &mut data.metrics {
        if row.opponent == "minimax" {
            row.method = EvaluationMethod::Exact;
        }
    }
    assert!(left_out(&data));
}

#[test]
fn a_curve_of_one_point_is_a_dot() {
    let rates = [(1, 0, 0.5), (1, 1, 0.6)];
    let mut data = recorded(SMALL, EvaluationMethod::Exact, &rates);
    data.training[1].value_error = Some(0.25);
    let figure = curve(&data, &prepared(&data)).unwrap();
    let panels = figure.groups[0].iter();
    let (errors, others): (Vec<_>, Vec<_>) =
        panels.partition(|panel| panel.title.starts_with("O: value error"));
    let errors = &errors[0].series[0];
    assert_eq!(
        (&errors.points[..], &errors.dots[..]),
        (&[(10.0, 0.25)][..], &[0][..])
    );
    let mut others = others.iter().flat_map(|panel| &panel.series);
    assert!(others.all(|series| series.points.len() != 1 && series.dots.is_empty()));
}

#[test]
fn panels_of_a_comparison_are_told_apart_by_their_titles() {
    let runs = [0.3, 0.4].map(|rate| {
        let rates = [(1, 1, rate), (1, 2, rate + 0.1)];
        recorded(SMALL, EvaluationMethod::Exact, &rates)
    });
    let rates = [Metric::WinRate, Metric::LossRate];
    let figure = compare(&runs, &prepared(&runs[0]), &rates, &Only::default(), None).unwrap();
    let titles: Vec<&str> = figure.groups[0]
        .iter()
        .map(|panel| panel.title.as_str())
        .collect();
    for rate in ["win", "loss"] {
        let title = format!("O: {rate} rate against random");
        let count = titles.iter().filter(|one| **one == title).count();
        assert_eq!(count, 1, "{titles:?}");
    }
}

#[test]
fn the_subject_of_a_picture_has_the_options_of_an_agent_except_the_swept_one() {
    let config = "game = \"connect-four\"\nside = \"x\"\n\
                  agent = \"mcts:simulations=9,rollouts=random\"\n";
    let swept = "[sweep]\nkey = \"agent.simulations\"\nvalues = [1, 2]\n";
    let config = Config::parse(&format!("{config}{swept}"), "test").unwrap();
    let subjects = [None, config.sweep.as_ref()].map(|sweep| config.subject(sweep));
    let expected = [
        "mcts:simulations=9,rollouts=random as X",
        "mcts:rollouts=random as X",
    ];
    assert_eq!(subjects, expected);
}

#[test]
fn a_picture_says_what_only_some_runs_have() {
    let both = SMALL.replace("side = \"o\"", "side = \"both\"");
    let both = both.replace(
        "games = 40",
        "games = 40\nopponents = [\"random\", \"greedy\"]",
    );
    let rates = [(1, 1, 0.5), (1, 2, 0.6)];
    let runs =
        [SMALL, both.as_str()].map(|config| recorded(config, EvaluationMethod::Exact, &rates));
    let caption = |metrics: &[Metric]| {
        let all = Only::default();
        let figure = compare(&runs, &prepared(&runs[0]), metrics, &all, None).unwrap();
        figure.caption
    };
    let side = "Not drawn, because not every run has this side: X.";
    let opponents = "Not drawn, because not every run played against them: greedy, minimax.";
    assert_eq!(caption(&[Metric::WinRate]), format!("{side} {opponents}"));
    assert_eq!(caption(&[Metric::UnbeatableSeeds]), side);
}

#[test]
fn value_errors_in_different_units_do_not_share_a_panel() {
    let drawn = |other: &str, metrics: &[Metric]| {
        let runs = [SMALL, other].map(|config| {
            let rates = [(1, 1, 0.5), (1, 2, 0.6)];
            let mut run = recorded(config, EvaluationMethod::Exact, &rates);
            for row in &mut run.training {
                row.value_error = Some(1.0 / row.epoch as f64);
            }
            run
        });
        let all = Only::default();
        let figure = compare(&runs, &prepared(&runs[0]), metrics, &all, None).unwrap();
        let mut panels = figure.groups[0].iter();
        let is_there = panels.any(|panel| panel.title == "O: value error");
        (is_there, figure.caption)
    };
    let expected = "Value errors are in different units, so they are not drawn: run (1) (discount 1), run (2) (discount \
                0.9).";
    let discounted = SMALL.replace("initial_value", "discount = 0.9\ninitial_value");
    let (is_there, caption) = drawn(&discounted, &[]);
    assert!(!is_there && caption.starts_with(expected), "{caption}");
    let (is_there, caption) = drawn(&discounted, &[Metric::ValueError]);
    let expected = "Value errors are in different units, so their curves cannot be compared: run (1) (discount 1), run (2) (";
    assert!(is_there && caption.starts_with(expected), "{caption}");
    // Many runs are named by what differs.
    let runs = [&discounted[..], SMALL, SMALL, &discounted, &discounted].map(|config| {
        let mut run = recorded(config, EvaluationMethod::Exact, &[(1, 1, 0.5)]);
        run.training[0].value_error = Some(0.5);
        run
    });
    let figure = compare(&runs, &prepared(&runs[0]), &[], &Only::default(), None).unwrap();
    let expected = "not drawn: 3 runs (discount 0.9), run (2), run (3) (discount 1).";
    assert!(figure.caption.contains(expected), "{}", figure.caption);
    // Of many kinds a few are named, in a whole sentence.
    let runs = [0.6, 0.7, 0.8, 0.9].map(|discount| {
        let config = SMALL.replace(
            "initial_value",
            &format!("discount = {discount}\ninitial_value"),
        );
        let mut run = recorded(
            &config,
            EvaluationMethod::Exact,
            &[(1, 1, 0.5), (2, 1, 0.5)],
        );
        run.training[0].value_error = Some(0.5);
        run
    });
    let figure = compare(&runs, &prepared(&runs[0]), &[], &Only::default(), None).unwrap();
    let expected =
        "run (3) (discount 0.8) and others. The spread is not drawn for more than 3 runs.";
    assert!(figure.caption.contains(expected), "{}", figure.caption);
    // In the same units they may belong to another policy.
    let on_policy = SMALL.replace("learner.q-learning", "learner.sarsa");
    let (is_there, caption) = drawn(&on_policy, &[]);
    assert!(is_there && !caption.contains("Value errors"), "{caption}");
}

#[test]
fn rates_near_one_have_an_axis_near_one() {
    let runs = [0.93, 0.97].map(|rate| {
        let rates = [(1, 1, rate), (1, 2, rate + 0.01)];
        recorded(SMALL, EvaluationMethod::Exact, &rates)
    });
    let figure = compare(
        &runs,
        &prepared(&runs[0]),
        &[Metric::DrawRate],
        &Only::default(),
        None,
    )
    .unwrap();
    let draws = &figure.groups[0][0].y;
    assert!(draws.low >= 0.0 && draws.high <= 0.1, "{draws:?}");
    let figure = compare(
        &runs,
        &prepared(&runs[0]),
        &[Metric::WinRate],
        &Only::default(),
        None,
    )
    .unwrap();
    let wins = &figure.groups[0][0].y;
    assert!(wins.low >= 0.9 - 1e-9 && wins.high <= 1.0, "{wins:?}");
}
