//! What follows from runs written down here, seed by seed.

use std::ops::RangeInclusive;

use playlab::chart::contrast;
use playlab::compare::{
    Better, Comparison, Finding, Only, PairResult, Pairs, Question, Test, decimals,
    difference_text, number_text,
};
use playlab::config::{Config, OpponentSpec, Sides};
use playlab::game::{Side, Value};
use playlab::learn::{ExpectedSarsaConfig, LearnerConfig, QLearningConfig, TargetPolicy};
use playlab::plot::{Contrast, Picture};
use playlab::stats::{newcombe, wilson};
use playlab::train::{EvaluationMethod, Metric, MetricsRow, Recorded, TrainingRow};

use crate::place::SMALL;

/// An epoch of a seed, fifty episodes long: seed, epoch, win rate, and whether it was unbeatable, if that is known.
type Epoch = (u64, u64, f64, Option<bool>);

/// A run of ten seeds and twenty epochs that recorded these.
fn recorded(name: &str, epochs: &[Epoch]) -> Recorded {
    let config = SMALL
        .replace("seeds = 3", "seeds = 10")
        .replace("epochs = 6", "epochs = 20");
    let mut config = Config::parse(&config, "test.toml").unwrap();
    config.evaluation.opponents.truncate(1);
    let metrics = epochs.iter().map(|&(seed, epoch, win_rate, _)| MetricsRow {
        seed,
        epoch,
        episodes: 50 * epoch,
        side: Side::O,
        opponent: "random".to_owned(),
        policy: None,
        method: EvaluationMethod::Sampled,
        games: Some(100),
        distinct_games: Some(100),
        effective_games: Some(100.0),
        win_rate,
        draw_rate: 0.0,
        loss_rate: 1.0 - win_rate,
        win_low: Some(win_rate),
        win_high: Some(win_rate),
    });
    let training = epochs.iter().map(|&(seed, epoch, _, safe)| TrainingRow {
        seed,
        epoch,
        episodes: 50 * epoch,
        side: Side::O,
        value_error: None,
        success: None,
        holds: None,
        score_loss: None,
        won_openings: None,
        discs_lost: None,
        optimal_move_rate: None,
        worst_case: safe.map(|safe| if safe { Value::Draw } else { Value::Loss }),
    });
    Recorded {
        name: name.to_owned(),
        metrics: metrics.collect(),
        training: training.collect(),
        config,
        finished: true,
    }
}

/// A finished run with this win rate of each seed at the end.
fn rates(name: &str, seeds: RangeInclusive<u64>, rate: impl Fn(u64) -> f64) -> Recorded {
    let epochs: Vec<Epoch> = seeds.map(|seed| (seed, 20, rate(seed), None)).collect();
    recorded(name, &epochs)
}

/// A finished run whose first seeds, this many, are unbeatable at the end.
fn shares(name: &str, seeds: RangeInclusive<u64>, unbeatable: u64) -> Recorded {
    let first = *seeds.start();
    let epochs: Vec<Epoch> = seeds
        .map(|seed| (seed, 20, 0.5, Some(seed < first + unbeatable)))
        .collect();
    recorded(name, &epochs)
}

fn compared(runs: &[Recorded], metric: Metric) -> Comparison {
    let question = Question {
        metrics: vec![metric],
        ..Question::default()
    };
    Comparison::of(runs, &question, 1).unwrap()
}

#[test]
fn that_nothing_can_be_shown_is_said_only_where_it_is_true() {
    let sentence = |a: Recorded, b: Recorded| {
        let found = compared(&[a, b], Metric::WinRate);
        let pair = &found.subjects[0].pairs[0];
        assert_eq!(pair.finding, Finding::NotShown);
        pair.sentence.clone()
    };
    let spread = |seed: u64| 0.5 + (seed % 7) as f64 / 100.0;
    let few = sentence(rates("a", 1..=3, spread), rates("b", 11..=13, spread));
    let none = "with 3 seeds even the largest could not be shown. It takes at least 4 of each run.";
    assert!(few.ends_with(none), "{few}");
    // 2 / (12 over 2) is at most 0.05, although 2 / (4 over 2) is not.
    let some = sentence(rates("a", 1..=2, spread), rates("b", 11..=20, spread));
    assert!(!some.contains("could not be shown"), "{some}");
    assert!(some.contains("four times out of five"), "{some}");
    // Only pairs that differ count.
    let equal = sentence(
        rates("a", 1..=10, spread),
        rates("b", 1..=10, |seed| {
            spread(seed) + if seed < 4 { 0.1 } else { 0.0 }
        }),
    );
    let none =
        "only 3 of the 10 pairs of seeds differ, and it takes at least 6 that do to show one.";
    assert!(equal.ends_with(none), "{equal}");
}

#[test]
fn that_many_tests_of_few_seeds_can_show_nothing_comes_first() {
    let note = |runs: usize, seeds: u64, metrics: &[Metric]| {
        let runs: Vec<Recorded> = (0..runs)
            .map(|i| {
                let rate = move |seed: u64| 0.1 * i as f64 + seed as f64 / 100.0;
                rates(&format!("run-{i}"), 1..=seeds, rate)
            })
            .collect();
        let question = Question {
            metrics: metrics.to_vec(),
            pairs: Pairs::All,
            ..Question::default()
        };
        let found = Comparison::of(&runs, &question, 1).unwrap();
        let is_shown = |pair: &PairResult| pair.finding != Finding::NotShown;
        let mut pairs = found.subjects.iter().flat_map(|result| &result.pairs);
        let first = found.notes.first().cloned();
        let first = first.filter(|note| note.starts_with("With so few seeds"));
        assert_eq!(pairs.any(is_shown), first.is_none(), "{first:?}");
        first
    };
    let one = [Metric::WinRate];
    assert_eq!(
        note(2, 3, &one).unwrap(),
        "With so few seeds no difference can be shown, however large: the smallest p that the test can reach is \
         0.2500. It takes at least 6 seeds of each run."
    );
    assert_eq!(note(2, 10, &one), None);
    // With 21 pairs one metric can be tested, two cannot.
    assert_eq!(note(7, 10, &one), None);
    assert_eq!(
        note(7, 10, &[Metric::WinRate, Metric::LossRate]).unwrap(),
        "With so few seeds no difference can be shown, however large: the smallest p that a test can reach, 0.0020, \
         is 0.0820 after adjustment for 42 tests. It takes at least 11 seeds of each run, or fewer tests: of \
         fewer runs, metrics, sides or opponents."
    );

    // Equal values in samples of different sizes may be less probable than values that all differ.
    let runs = [rates("a", 1..=3, |_| 0.0), rates("b", 11..=14, |_| 1.0)];
    let found = compared(&runs, Metric::WinRate);
    let pair = &found.subjects[0].pairs[0];
    assert_eq!((pair.p, pair.finding), (Some(1.0 / 35.0), Finding::Higher));
    let is_first = |note: &String| note.starts_with("With so few seeds");
    assert!(!found.notes.iter().any(is_first), "{:?}", found.notes);
}

#[test]
fn shares_of_seeds_have_intervals_with_a_width() {
    let runs = [shares("a", 1..=3, 0), shares("b", 11..=20, 10)];
    let found = compared(&runs, Metric::UnbeatableSeeds);
    let [a, b] = &found.subjects[0].runs[..] else {
        panic!("{found:?}");
    };
    let ends = |run: &playlab::compare::Summary| run.mean_low.zip(run.mean_high).unwrap();
    assert_eq!((ends(a), ends(b)), (wilson(0, 3), wilson(10, 10)));
    assert_eq!((a.iqm, a.iqm_low), (None, None));
    let pair = &found.subjects[0].pairs[0];
    let expected = newcombe(&[false; 3], &[true; 10]);
    assert_eq!(
        pair.difference_low.zip(pair.difference_high),
        Some(expected)
    );
    // One is above the other by half of the difference more often than not.
    let above = (0.5 + expected.0 / 2.0, 0.5 + expected.1 / 2.0);
    assert_eq!(pair.probability_low.zip(pair.probability_high), Some(above));
    // Rates that are all the same say nothing about how they vary.
    let runs = [
        rates("a", 1..=10, |_| 0.5),
        rates("b", 11..=20, |seed| seed as f64 / 40.0),
    ];
    let found = compared(&runs, Metric::WinRate);
    let [a, b] = &found.subjects[0].runs[..] else {
        panic!("{found:?}");
    };
    assert_eq!((a.mean_low, a.mean_high, a.iqm_low), (None, None, None));
    assert!(b.mean_low.unwrap() < b.mean && b.mean < b.mean_high.unwrap());
    assert_eq!(found.subjects[0].pairs[0].difference_to_find, None);
}

#[test]
fn wins_against_opponents_that_are_computed_from_the_agent_are_neither_better_nor_worse() {
    // The weak one wins now and then against an opponent that is out for losses alone, the other one never.
    let run = |name: &str, win: f64, loss: f64| {
        let mut run = rates(name, 1..=10, |seed| win + seed as f64 / 100.0);
        for row in &mut run.training {
            row.worst_case = Some(Value::Draw);
        }
        for row in &mut run.metrics {
            (row.method, row.games) = (EvaluationMethod::Exact, None);
        }
        let own = run.metrics.clone();
        for opponent in ["best-response", "most-losses"] {
            run.metrics.extend(own.iter().map(|row| MetricsRow {
                opponent: opponent.to_owned(),
                loss_rate: loss,
                ..row.clone()
            }));
        }
        run
    };
    let runs = [run("weak", 0.1, 0.8), run("strong", 0.0, 0.0)];
    let found = compared(&runs, Metric::WinRate);
    let subjects: Vec<_> = (found.subjects.iter())
        .map(|result| (result.subject.opponent.as_deref(), result.better))
        .collect();
    let expected = [
        (Some("random"), Some(Better::Higher)),
        (Some("best-response"), None),
        (Some("most-losses"), None),
    ];
    assert_eq!(subjects, expected);
    for result in &found.subjects {
        let pair = &result.pairs[0];
        assert_eq!(pair.finding, Finding::Lower);
        let judges = ["(better)", "(worse)"].map(|word| pair.sentence.contains(word));
        let judges = judges.contains(&true);
        assert_eq!(judges, result.better.is_some(), "{}", pair.sentence);
    }
    let picture = contrast(&found).unwrap();
    let words = "the higher curve is ahead where more or less of a metric is better.";
    assert!(picture.caption.contains(words), "{}", picture.caption);
    let losses = compared(&runs, Metric::LossRate);
    let against_worst = losses.subjects.last().unwrap();
    assert_eq!(against_worst.better, Some(Better::Lower));
}

#[test]
fn what_only_some_runs_have_is_reported() {
    let alone = rates("a", 1..=10, |seed| seed as f64 / 20.0);
    let mut both = rates("b", 1..=10, |seed| seed as f64 / 30.0);
    both.config.side = Sides::Both;
    both.config
        .evaluation
        .opponents
        .push("greedy".parse().unwrap());
    let mut runs = [alone, both];
    let found = compared(&runs, Metric::WinRate);
    let counted = "Rates are counted in 100 games for each seed, side and opponent: luck in these is part of how seeds vary.";
    let expected = [
        "Not compared, because not every run has this side: X.",
        "Not compared, because not every run played against them: greedy.",
        counted,
    ];
    assert_eq!(found.notes, expected);
    // A question that names what to compare implies that there is more.
    let question = Question {
        only: Only {
            side: Some(Side::O),
            opponents: vec!["random".to_owned()],
        },
        ..Question::default()
    };
    let found = Comparison::of(&runs, &question, 1).unwrap();
    assert_eq!(found.notes, [counted]);
    for row in &mut runs[1].metrics {
        row.games = Some(1000);
    }
    let found = Comparison::of(&runs, &question, 1).unwrap();
    let counted = "Rates are counted in 100 to 1,000 games, depending on the run, for each seed, side and opponent: luck in \
                   these is part of how seeds vary.";
    assert_eq!(found.notes, [counted]);
}

/// A replacement of this learner.
type Instead<'a> = &'a dyn Fn(&mut QLearningConfig) -> LearnerConfig;

/// A run of this learner in place of its own, with these value errors of its seeds, and a little more of each.
fn with_errors(name: &str, error: f64, learner: Instead<'_>) -> Recorded {
    let mut run = rates(name, 1..=10, |seed| seed as f64 / 20.0);
    for row in &mut run.training {
        row.value_error = Some(error + row.seed as f64 / 100.0);
    }
    let Some(LearnerConfig::QLearning(mut own)) = run.config.learner else {
        panic!("{name} is of another learner");
    };
    run.config.learner = Some(learner(&mut own));
    run
}

#[test]
fn value_errors_that_measure_different_things_are_not_judged() {
    let changed = |change: fn(&mut QLearningConfig)| {
        move |own: &mut QLearningConfig| {
            change(own);
            LearnerConfig::QLearning(own.clone())
        }
    };
    let on_policy = |own: &mut QLearningConfig| {
        LearnerConfig::ExpectedSarsa(ExpectedSarsaConfig {
            target: TargetPolicy::Behaviour,
            rewards: own.rewards,
            discount: own.discount,
            ..ExpectedSarsaConfig::default()
        })
    };
    let first = with_errors("a", 0.3, &changed(|_| {}));
    let cases: [(Instead<'_>, &str); 4] = [
        (&changed(|own| own.initial_value = 0.0), ""),
        (
            &changed(|own| own.discount = 0.9),
            "are in different units, so SO: a (discount 1), b (discount 0.9).",
        ),
        (
            &changed(|own| own.rewards.draw = 0.5),
            "are in different units, so SO: a (rewards 1, 0.9 and -2), b (rewards 1, 0.5 and -2).",
        ),
        (
            &on_policy,
            "measure different things, so SO: a (values of moves by the greedy policy), b (values of moves by the \
             policy that plays).",
        ),
    ];
    for (learner, why) in cases {
        let runs = [first.clone(), with_errors("b", 0.2, learner)];
        let has_note = |found: &Comparison, so: &str| {
            let note = format!("Value errors {}", why.replace("SO", so));
            found.notes.contains(&note)
        };
        let story = Comparison::of(&runs, &Question::default(), 1).unwrap();
        let mut metrics = story.subjects.iter().map(|result| result.subject.metric);
        let is_there = metrics.any(|metric| metric == Metric::ValueError);
        assert_eq!(is_there, why.is_empty());
        let asked = compared(&runs, Metric::ValueError);
        let result = &asked.subjects[0];
        let sentence = &result.pairs[0].sentence;
        assert_eq!(result.pairs[0].finding, Finding::Lower);
        assert_eq!(sentence.contains("(better)"), why.is_empty(), "{sentence}");
        if why.is_empty() {
            assert_eq!(result.better, Some(Better::Lower));
            continue;
        }
        let left_out = "they are not compared unless --metric value-error is given";
        assert!(has_note(&story, left_out), "{:?}", story.notes);
        assert!(
            has_note(&asked, "none is called better"),
            "{:?}",
            asked.notes
        );
        assert_eq!(result.better, None);
    }
    let other = with_errors("b", 0.2, &changed(|own| own.discount = 0.9));
    let third = with_errors("c", 0.2, &changed(|_| {}));
    let found = compared(&[first.clone(), other, third], Metric::ValueError);
    let expected = "none is called better: a, c (discount 1), b (discount 0.9).";
    assert!(found.notes[0].ends_with(expected), "{:?}", found.notes);
    // The true values are those against whom a run trains.
    let mut other = with_errors("b", 0.2, &changed(|_| {}));
    other.config.opponents = vec![OpponentSpec::SelfPlay.into()];
    let found = compared(&[first, other], Metric::ValueError);
    assert_eq!(found.subjects[0].better, None);
    let expected = "measure different things, so none is called better: a (trained against random), b (trained against self).";
    assert!(found.notes[0].ends_with(expected), "{:?}", found.notes);
}

#[test]
fn fewer_unbeatable_seeds_of_more_are_a_lower_share() {
    let runs = [shares("a", 1..=10, 10), shares("b", 11..=40, 12)];
    let found = compared(&runs, Metric::UnbeatableSeeds);
    let pair = &found.subjects[0].pairs[0];
    assert_eq!(pair.finding, Finding::Lower);
    let expected = "b has a lower (worse) share of unbeatable seeds than a: -0.6000";
    assert!(pair.sentence.starts_with(expected), "{}", pair.sentence);
}

#[test]
fn an_unfinished_run_is_compared_where_its_first_seeds_show_the_most() {
    // Six seeds ended after being unbeatable for long enough, and stay so; four continue, and are weaker.
    let mut epochs: Vec<Epoch> = Vec::new();
    for seed in 1..=6 {
        epochs.extend((1..=3).map(|epoch| (seed, epoch, 0.9, Some(true))));
    }
    for seed in 7..=10 {
        epochs.extend((1..=seed - 2).map(|epoch| (seed, epoch, 0.4, Some(false))));
    }
    let mut going_on = recorded("a", &epochs);
    going_on.config.stop = playlab::config::Stop::Unbeatable;
    going_on.config.patience = 3;
    going_on.finished = false;
    let every: Vec<Epoch> = (1..=10)
        .flat_map(|seed| (1..=20).map(move |epoch| (seed, epoch, 0.5, Some(epoch > 10))))
        .collect();
    let finished = recorded("b", &every);
    let runs = [going_on.clone(), finished.clone()];
    let found = compared(&runs, Metric::UnbeatableSeeds);
    assert_eq!(found.epoch, Some(5));
    let means: Vec<f64> = found.subjects[0].runs.iter().map(|run| run.mean).collect();
    assert_eq!(means, [0.6, 0.0]);
    let run = &found.runs[0];
    assert_eq!((run.episodes_low, run.episodes_high), (150, 250));
    let note = "a is not finished: it is compared at epoch 5, which all 10 seeds that it has begun reached or ended before.";
    assert_eq!(found.notes[0], note);
    // Seeds that are not there yet are left out.
    let mut most = recorded("c", &every);
    most.metrics.retain(|row| row.seed < 9 || row.epoch < 4);
    most.training.retain(|row| row.seed < 9 || row.epoch < 4);
    most.finished = false;
    let question = Question {
        metrics: vec![Metric::UnbeatableSeeds],
        ..Question::default()
    };
    let slower = recorded(
        "d",
        &every
            .iter()
            .map(|&(seed, epoch, rate, _)| (seed, epoch, rate, Some(epoch > 15 && seed > 1)))
            .collect::<Vec<Epoch>>(),
    );
    let found = Comparison::of(&[most, slower], &question, 1).unwrap();
    assert_eq!((found.epoch, found.runs[0].seeds), (Some(20), 8));
    let note = "c is not finished: it is compared at epoch 20, which the first 8 of the 10 seeds that it has begun reached or ended before.";
    assert_eq!(found.notes[0], note);
    // A requested epoch may have fewer seeds.
    let at = |run: &Recorded, epoch: u64| {
        let question = Question {
            epoch: Some(epoch),
            ..question.clone()
        };
        Comparison::of(&[run.clone(), finished.clone()], &question, 1)
    };
    let mut few = recorded("e", &every);
    let is_there = |seed: u64, epoch: u64| epoch <= if seed <= 3 { 12 } else { 4 };
    few.metrics.retain(|row| is_there(row.seed, row.epoch));
    few.training.retain(|row| is_there(row.seed, row.epoch));
    few.finished = false;
    for (epoch, seeds) in [(4, 10), (5, 3), (12, 3)] {
        let found = at(&few, epoch).unwrap();
        assert_eq!((found.epoch, found.runs[0].seeds), (Some(epoch), seeds));
    }
    let refused = |run: &Recorded, epoch: u64| at(run, epoch).err().unwrap().to_string();
    let expected = "--epoch 13: e is not finished, and can be compared up to epoch 12 so far";
    assert_eq!(refused(&few, 13), expected);
    assert_eq!(refused(&finished, 21), "--epoch 21: b has 20 epochs");
    // The stronger seeds that ended are compared with those that continue.
    for epoch in [3, 5] {
        assert_eq!(at(&going_on, epoch).unwrap().runs[0].seeds, 10);
    }
    let expected = "--epoch 6: a is not finished, and can be compared up to epoch 5 so far";
    assert_eq!(refused(&going_on, 6), expected);
    // An agent that does not learn is the same at any epoch.
    let measured: Vec<Epoch> = (1..=3).map(|seed| (seed, 1, 0.5, None)).collect();
    let mut agent = recorded("f", &measured);
    (agent.config.learner, agent.finished) = (None, false);
    let every: Vec<Epoch> = every
        .iter()
        .map(|&(seed, epoch, rate, _)| (seed, epoch, rate, None))
        .collect();
    let finished = recorded("b", &every);
    let found = compared(&[agent.clone(), finished.clone()], Metric::WinRate);
    assert_eq!((found.epoch, found.runs[1].episodes_low), (None, 1000));
    let note = "f is not finished: 3 of its 10 seeds are compared.";
    assert_eq!(found.notes[0], note);
    let asked = Question {
        metrics: vec![Metric::WinRate],
        epoch: Some(20),
        ..Question::default()
    };
    let found = Comparison::of(&[agent, finished], &asked, 1).unwrap();
    assert_eq!((found.epoch, found.runs[0].seeds), (Some(20), 3));
}

#[test]
fn seeds_are_paired_where_that_leaves_a_test() {
    let found = |a: RangeInclusive<u64>, b: RangeInclusive<u64>| {
        let runs = [
            rates("a", a, |seed| 0.5 + (seed % 7) as f64 / 100.0),
            rates("b", b, |seed| 0.9 + (seed % 5) as f64 / 100.0),
        ];
        let found = compared(&runs, Metric::WinRate);
        let pair = &found.subjects[0].pairs[0];
        (pair.test.unwrap(), pair.a_seeds, pair.b_seeds)
    };
    assert_eq!(found(1..=10, 1..=10), (Test::PairedPermutation, 10, 10));
    assert_eq!(found(1..=10, 1..=3), (Test::PairedPermutation, 3, 3));
    // Six pairs can show something, five cannot.
    assert_eq!(found(1..=10, 5..=14), (Test::PairedPermutation, 6, 6));
    assert_eq!(found(1..=10, 6..=15), (Test::MannWhitney, 10, 10));
    assert_eq!(found(1..=10, 10..=11), (Test::MannWhitney, 10, 2));
    // Too many seeds would be left out.
    assert_eq!(found(1..=30, 23..=52), (Test::MannWhitney, 30, 30));
}

#[test]
fn a_wait_in_which_all_seeds_agree_is_no_test() {
    // Six pairs of seeds can show something in one test, not in two.
    let test = |first: fn(u64) -> u64| {
        let runs = [("a", 1..=10, 0.5), ("b", 5..=14, 0.9)].map(|(name, seeds, rate)| {
            let epochs: Vec<Epoch> = seeds
                .flat_map(|seed| {
                    (18..=20).map(move |epoch| (seed, epoch, rate, Some(epoch >= first(seed))))
                })
                .collect();
            let mut run = recorded(name, &epochs);
            let rows = run.training.iter_mut();
            rows.for_each(|row| row.optimal_move_rate = Some(rate));
            run
        });
        let question = Question {
            metrics: vec![Metric::OptimalMoveRate, Metric::UnbeatableSeeds],
            ..Question::default()
        };
        let found = Comparison::of(&runs, &question, 1).unwrap();
        (found.tests, found.subjects[0].pairs[0].test.unwrap())
    };
    assert_eq!(test(|_| 19), (1, Test::PairedPermutation));
    assert_eq!(test(|_| 21), (1, Test::PairedPermutation));
    assert_eq!(test(|seed| 19 + seed % 2), (2, Test::MannWhitney));
}

#[test]
fn the_run_that_gets_there_sooner_is_named() {
    let until = |name: &str, seeds: RangeInclusive<u64>, first: fn(u64) -> u64| {
        let epochs: Vec<Epoch> = seeds
            .flat_map(|seed| {
                (1..=20).map(move |epoch| (seed, epoch, 0.5, Some(epoch >= first(seed))))
            })
            .collect();
        recorded(name, &epochs)
    };
    let soon = until("soon", 1..=10, |seed| 1 + seed % 4);
    let late = until("late", 1..=10, |seed| 6 + seed);
    let apart = until("apart", 11..=20, |seed| seed - 4);
    for (other, is_paired) in [(late, true), (apart, false)] {
        let runs = [soon.clone(), other];
        let found = compared(&runs, Metric::UnbeatableSeeds);
        // All seeds of both are unbeatable at the end.
        assert!(found.subjects.is_empty() && found.tests == 1);
        let [soon, late] = &found.reached[0].runs[..] else {
            panic!("{found:?}");
        };
        assert_eq!((soon.median, late.median), (Some(100), Some(550)));
        let pair = &found.reached[0].pairs[0];
        assert_eq!((pair.paired, pair.exact), (is_paired, true));
        assert_eq!(pair.sooner, Some('a'), "{pair:?}");
        let least = if is_paired {
            2.0 / 1024.0
        } else {
            2.0 / 184_756.0
        };
        assert!(pair.p >= least && pair.p <= 0.01, "{pair:?}");
    }
}

/// What comes after the requested epoch is ignored, as if it had not been trained.
#[test]
fn waiting_ends_at_the_requested_epoch() {
    let until = |name: &str, epochs: u64, first: fn(u64) -> u64| {
        let epochs = (1..=10).flat_map(|seed| {
            (1..=epochs).map(move |epoch| (seed, epoch, 0.5, Some(epoch >= first(seed))))
        });
        recorded(name, &epochs.collect::<Vec<_>>())
    };
    let soon = |seed| 1 + seed % 4;
    let late = |seed| 6 + seed;
    let at = |epoch, runs: [Recorded; 2]| {
        let question = Question {
            metrics: vec![Metric::UnbeatableSeeds],
            epoch,
            ..Question::default()
        };
        Comparison::of(&runs, &question, 1).unwrap()
    };
    let whole = at(Some(8), [until("a", 20, soon), until("b", 20, late)]);
    let [_, b] = &whole.reached[0].runs[..] else {
        panic!("{whole:?}");
    };
    assert_eq!((b.reached, b.watched_until, b.median), (2, 400, None));
    let mut short = [until("a", 8, soon), until("b", 8, late)];
    short.iter_mut().for_each(|run| run.config.epochs = Some(8));
    assert_eq!(whole.reached, at(None, short).reached);
    let cut = [until("a", 8, soon), until("b", 8, late)];
    // These seeds ended before epoch 20, but not before epoch 7.
    let has_note = |found: Comparison| found.notes.iter().any(|note| note.contains("`stop`"));
    assert!(has_note(at(None, cut.clone())) && !has_note(at(Some(7), cut)));
}

/// `stop` ends seeds on account of the other side, too, which may reach what this one never can.
#[test]
fn seeds_that_ended_early_are_reported_where_others_got_there() {
    let ended = |name: &str, first: fn(u64) -> u64| {
        let epochs = (1..=10).flat_map(|seed| {
            (1..=12).map(move |epoch| (seed, epoch, 0.5, Some(epoch >= first(seed))))
        });
        recorded(name, &epochs.collect::<Vec<_>>())
    };
    let has_note = |first: fn(u64) -> u64| {
        let runs = [ended("a", first), ended("b", first)];
        let found = compared(&runs, Metric::UnbeatableSeeds);
        found.notes.iter().any(|note| note.contains("`stop`"))
    };
    assert!(has_note(|seed| 10 + seed / 3));
    assert!(!has_note(|_| 20));
}

#[test]
fn a_metric_that_is_named_twice_is_one_test() {
    let runs = [
        rates("a", 1..=10, |seed| seed as f64 / 20.0),
        rates("b", 1..=10, |seed| seed as f64 / 30.0),
    ];
    let question = Question {
        metrics: vec![Metric::WinRate; 2],
        threshold: Some(0.3),
        ..Question::default()
    };
    let found = Comparison::of(&runs, &question, 1).unwrap();
    // One test of the rate, and one of how soon it reaches the threshold.
    assert_eq!((found.subjects.len(), found.tests), (1, 2));
}

#[test]
fn a_picture_sets_findings_apart_from_curves_and_says_what_is_awaited() {
    let runs = [
        rates("a", 1..=10, |seed| 0.5 + seed as f64 / 100.0),
        rates("b", 1..=10, |seed| 0.7 + seed as f64 / 100.0),
        rates("c", 1..=10, |seed| 0.5 + seed as f64 / 100.0),
    ];
    let question = Question {
        metrics: vec![Metric::WinRate],
        threshold: Some(0.7),
        ..Question::default()
    };
    let picture = contrast(&Comparison::of(&runs, &question, 1).unwrap()).unwrap();
    let names: Vec<&str> = picture.legend.iter().map(|stroke| &*stroke.name).collect();
    let expected = [
        "the run on the left is better",
        "no difference is shown",
        "a",
        "b",
        "c",
    ];
    assert_eq!(names, expected);
    for (i, stroke) in picture.legend.iter().enumerate() {
        let others = &picture.legend[i + 1..];
        assert!(
            others.iter().all(|other| other.color != stroke.color),
            "{names:?}"
        );
    }
    // The third curve leaves gaps through which the first one shows.
    assert_ne!(picture.legend[2].dash, picture.legend[4].dash);
    let titles: Vec<&str> = picture
        .panels
        .iter()
        .map(|(_, panel)| &*panel.title)
        .collect();
    let expected = [
        "O: win rate against random",
        "O: win rate against random ≥ 0.7 for the first time",
    ];
    assert_eq!(titles, expected);
    assert!(
        picture.caption.contains("the higher curve is ahead."),
        "{}",
        picture.caption
    );
}

#[test]
fn numbers_beside_each_other_have_the_same_decimals() {
    let cells = |values: [f64; 3]| values.map(|value| difference_text(value, decimals(values)));
    assert_eq!(
        cells([0.0212, 0.01, 0.0483]),
        ["+0.0212", "+0.0100", "+0.0483"]
    );
    assert_eq!(
        cells([-0.00034, 0.01, 0.0]),
        ["-0.00034", "+0.01000", "0.00000"]
    );
    // The ends of an interval do not count.
    let of_difference = decimals([0.0212]);
    assert_eq!(of_difference, 4);
    assert_eq!(difference_text(-4.9e-4, of_difference), "-0.0005");
    assert_eq!(difference_text(-4.9e-6, of_difference), "0.0000");
    assert_eq!(number_text(4.9e-6, of_difference), "0.0000");
    assert_eq!(decimals([1e-300, 0.0]), 4);
    assert_eq!(decimals([1e-11]), 8);
}

/// Runs, each a little better than the one before.
fn many(count: usize, name: impl Fn(usize) -> String) -> Vec<Recorded> {
    let run = |i: usize| {
        rates(&name(i), 1..=3, |seed| {
            (10 * seed + i as u64) as f64 / 1000.0
        })
    };
    (0..count).map(run).collect()
}

#[test]
fn a_picture_grows_with_its_rows_up_to_a_limit_that_it_names() {
    let picture = |count: usize| {
        let runs = many(count + 1, |i| format!("run-{i}"));
        contrast(&compared(&runs, Metric::WinRate)).unwrap()
    };
    let (few, all, more) = (picture(2), picture(300), picture(310));
    let rows = |picture: &Contrast| picture.forests[0].rows.len();
    assert_eq!([rows(&few), rows(&all), rows(&more)], [2, 300, 300]);
    assert_eq!(few.forests[0].rows[1].name, "run-2 − run-0");
    // The sentence that says so takes a line.
    let heights = [&few, &all, &more].map(|picture| picture.size().1);
    assert!(
        heights[0] + 1000 < heights[1] && heights[2] - heights[1] < 50,
        "{heights:?}"
    );
    let expected = "Only the first 300 of the 310 differences in each metric are drawn.";
    assert!(more.caption.starts_with(expected), "{}", more.caption);
    assert!(!all.caption.contains("Only"), "{}", all.caption);
    // What would not fit in the subtitle's single line is in the caption, which has several.
    assert_eq!(more.subtitle, "differences of means after the last epoch");
    let expected = "drawn. p is adjusted for all tests (Holm). ";
    assert!(more.caption.contains(expected), "{}", more.caption);
}

#[test]
fn intervals_are_explained_where_there_are_some() {
    let run = |name: &str, better: f64| {
        rates(name, 1..=8, |seed| {
            better + seed as f64 / 100.0 + (seed % 3) as f64 * better / 9.0
        })
    };
    let found = contrast(&compared(&[run("a", 0.1), run("b", 0.2)], Metric::WinRate)).unwrap();
    let expected = "differences of means after the last epoch with 95 % intervals over the seeds";
    assert_eq!(found.subtitle, expected);
    assert!(found.forests[0].rows[0].ends.is_some());
    assert!(
        !found.caption.contains("intervals are not"),
        "{}",
        found.caption
    );
}

#[test]
fn rows_with_long_names_are_told_apart() {
    let shown = |name: fn(usize) -> String| {
        // With this many runs there is no legend that would also contain their names.
        let found = contrast(&compared(&many(20, name), Metric::WinRate)).unwrap();
        (found.forests[0].title.clone(), found.svg().unwrap())
    };
    let (title, picture) = shown(|i| format!("learning_rate-0.01931,epsilon-0.{i:02}"));
    assert!(
        title.ends_with(", differences from learning_rate-0.01931,epsilon-0.00"),
        "{title}"
    );
    for i in 1..20 {
        let whole = format!("\nlearning_rate-0.01931,epsilon-0.{i:02}\n");
        assert_eq!(picture.matches(&whole).count(), 1, "{picture}");
    }
    // Names beyond two fifths of the width lose their middle.
    let (_, picture) = shown(|i| format!("begin-{}-end-{i}", "x".repeat(80)));
    for i in 1..20 {
        let end = format!("-end-{i}\n");
        let mut lines = picture
            .lines()
            .filter(|line| format!("{line}\n").ends_with(&end));
        let line = lines.next().unwrap();
        assert!(line.starts_with("begin-") && line.contains("x…x"), "{line}");
        assert_eq!(line.chars().count(), 47, "{line}");
    }
}

#[test]
fn runs_with_long_names_have_numbers_where_each_is_compared_with_each() {
    let question = Question {
        metrics: vec![Metric::WinRate],
        pairs: Pairs::All,
        ..Question::default()
    };
    let names = |name: fn(usize) -> String| {
        let picture = contrast(&Comparison::of(&many(3, name), &question, 1).unwrap()).unwrap();
        let rows = &picture.forests[0].rows;
        let rows: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
        let legend = picture.legend.iter().map(|stroke| stroke.name.clone());
        (rows, legend.collect::<Vec<_>>(), picture.caption)
    };
    let (rows, legend, caption) = names(|i| format!("learning_rate-0.{i},epsilon-0.5"));
    assert_eq!(rows, ["2 − 1", "3 − 1", "3 − 2"]);
    let third = "3: learning_rate-0.2,epsilon-0.5".to_owned();
    assert!(legend.contains(&third), "{legend:?}");
    assert!(caption.contains("is run 2 minus run 1"), "{caption}");
    let (rows, legend, caption) = names(|i| format!("run-{i}"));
    assert_eq!(rows, ["run-1 − run-0", "run-2 − run-0", "run-2 − run-1"]);
    assert!(legend.contains(&"run-2".to_owned()), "{legend:?}");
    assert!(!caption.contains("minus"), "{caption}");
}

#[test]
fn what_no_seed_reaches_costs_no_test() {
    let compared = |threshold: f64| {
        let runs = [
            rates("a", 1..=10, |seed| 0.5 + seed as f64 / 100.0),
            rates("b", 1..=10, |seed| 0.4 + seed as f64 / 90.0),
        ];
        let question = Question {
            metrics: vec![Metric::WinRate],
            threshold: Some(threshold),
            ..Question::default()
        };
        let found = Comparison::of(&runs, &question, 1).unwrap();
        (found.tests, found.reached[0].pairs.len())
    };
    // All win rates are below 0.9 and above 0.1, which all seeds have at their first epoch.
    assert_eq!(compared(0.9), (1, 0));
    assert_eq!(compared(0.1), (1, 0));
    assert_eq!(compared(0.55), (2, 1));
}
