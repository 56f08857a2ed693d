//! Sentences about what follows from a comparison and what does not.

use std::collections::BTreeSet;

use super::numbers::{decimals, difference_text, number_text, p_text};
use super::pair::{Finding, PairResult, Test};
use super::values::{Better, Subject};
use super::{LEVEL, Reached, SubjectResult, Summary, Tests};
use crate::stats::{fewest, least_p_ever};
use crate::text::{count, counts, thousands};
use crate::train::{Metric, MetricsRow, Recorded};

/// A sentence that no difference can be shown, however large, with so few seeds and so many tests.
pub(super) fn out_of_reach(
    results: &[SubjectResult],
    reached: &[Reached],
    tests: usize,
) -> Option<String> {
    let pairs = results.iter().flat_map(|result| &result.pairs);
    let pairs = pairs.filter(|pair| pair.p.is_some());
    let pairs = pairs.map(|pair| {
        let seeds = [pair.a_seeds, pair.b_seeds];
        (least_p_ever(pair.paired, seeds), pair.paired)
    });
    let waits = reached.iter().flat_map(|reached| &reached.pairs);
    let waits = waits.map(|pair| (least_p_ever(pair.paired, pair.seeds), pair.paired));
    let (least, paired) = pairs
        .chain(waits)
        .min_by(|one, other| one.0.total_cmp(&other.0))?;
    let level = LEVEL / tests as f64;
    if least <= level {
        return None;
    }
    let fewest = fewest(paired, level);
    Some(match tests {
        1 => format!(
            "With so few seeds no difference can be shown, however large: the smallest p that the test can reach is \
             {least:.4}. It takes at least {fewest} seeds of each run."
        ),
        _ => format!(
            "With so few seeds no difference can be shown, however large: the smallest p that a test can reach, \
             {least:.4}, is {:.4} after adjustment for {} tests. It takes at least {fewest} seeds of each run, or fewer \
             tests: of fewer runs, metrics, sides or opponents.",
            (least * tests as f64).min(1.0),
            thousands(tests as u64)
        ),
    })
}

/// A sentence that only some of the runs' seeds were compared.
pub(super) fn shared_seeds(results: &[SubjectResult]) -> Option<String> {
    let is_partial = |result: &SubjectResult| {
        let mut pairs = result.pairs.iter().filter(|pair| pair.paired);
        pairs.any(|pair| {
            let is_one = |run: &&Summary| [&pair.a, &pair.b].contains(&&run.run);
            let mut runs = result.runs.iter().filter(is_one);
            runs.any(|run| run.seeds > pair.a_seeds)
        })
    };
    let note = "Pairs are compared over the seeds they share; what is said of a run alone covers all of its seeds.";
    results.iter().any(is_partial).then(|| note.to_owned())
}

/// A sentence about the number of games of each seed in which rates were counted; `None` if all that differ are exact.
pub(super) fn counted(runs: &[Recorded], results: &[SubjectResult]) -> Option<String> {
    let against: BTreeSet<_> = (results.iter())
        .filter_map(|result| Some((result.subject.side, result.subject.opponent.as_deref()?)))
        .collect();
    let is_of = |row: &&MetricsRow| against.contains(&(row.side, row.opponent.as_str()));
    let rows = || runs.iter().flat_map(Recorded::main_rows).filter(is_of);
    let games: BTreeSet<u64> = rows().filter_map(|row| row.games).collect();
    let (&fewest, &most) = games.first().zip(games.last())?;
    let counted = match fewest == most {
        true => count(most, "game"),
        false => format!("{}, depending on the run,", counts(games, "game")),
    };
    let which = match rows().all(|row| row.games.is_some()) {
        true => "Rates are",
        false => "Some rates are exact, and others are",
    };
    let luck = match runs.iter().any(|run| run.config.learner.is_some()) {
        true => "luck in these is part of how seeds vary",
        false => "seeds differ by luck in these alone",
    };
    Some(format!(
        "{which} counted in {counted} for each seed, side and opponent: {luck}."
    ))
}

/// A sentence about everything that has the same value everywhere.
pub(super) fn all_the_same(same: &[(Subject, f64)]) -> Option<String> {
    let texts = same.iter().map(|(subject, value)| {
        let value = match (subject.metric, *value) {
            (Metric::UnbeatableSeeds, 1.0) => "all are".to_owned(),
            (Metric::UnbeatableSeeds, _) => "none is".to_owned(),
            (_, value) => number_text(value, decimals([value])),
        };
        format!("{} ({value})", subject.title())
    });
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| {
        format!(
            "Identical for every seed of every run, so there is nothing to compare: {}.",
            texts.join("; ")
        )
    })
}

/// What follows about two runs.
pub(super) fn conclusion(pair: &PairResult, subject: &Subject, tests: Tests) -> String {
    let PairResult { a, b, .. } = pair;
    let name = subject.name();
    let least = pair.a_seeds.min(pair.b_seeds) as u64;
    if pair.finding == Finding::Same {
        let seeds = count(least, "seed");
        return format!("{b} has the same {name} as {a} with each of {seeds}.");
    }
    let Some(p) = pair.p_adjusted else {
        return match least {
            1 => format!(
                "Nothing can be concluded about other seeds: one seed says nothing about how they vary. Even the \
                 largest difference takes {} seeds of each run to detect.",
                fewest(pair.paired, LEVEL / tests.all.max(1) as f64)
            ),
            _ => format!(
                "Neither {a} nor {b} learns, and all their seeds agree: they are copies of one observation, so \
                 there is nothing to test."
            ),
        };
    };
    let adjusted = match tests.all {
        1 => String::new(),
        all => format!(" after adjustment for {} tests", thousands(all as u64)),
    };
    let p = format!("p {}{adjusted}", p_text(p));
    let decimals = decimals([pair.difference]);
    let difference = |value: f64| difference_text(value, decimals);
    let interval = match pair.difference_low.zip(pair.difference_high) {
        Some(ends) => {
            let [low, high] = [ends.0, ends.1].map(difference);
            format!(" (95 % interval {low} to {high})")
        }
        None => String::new(),
    };
    let by = format!("{}{interval}, {p}", difference(pair.difference));
    match pair.finding {
        Finding::Higher => differs(pair, subject, "higher", &by),
        Finding::Lower => differs(pair, subject, "lower", &by),
        _ => format!(
            "No difference is shown between {b} and {a}: {by}. {}",
            not_shown(pair, tests)
        ),
    }
}

fn differs(pair: &PairResult, subject: &Subject, word: &str, by: &str) -> String {
    let PairResult { a, b, .. } = pair;
    let name = subject.name();
    let good = match (subject.better(), word) {
        (None, _) => "",
        (Some(Better::Higher), "higher") | (Some(Better::Lower), "lower") => " (better)",
        _ => " (worse)",
    };
    let is_mean_higher = pair.difference > 0.0;
    let disagree = is_mean_higher != (word == "higher") && pair.test == Some(Test::MannWhitney);
    let found = match disagree {
        true => format!(
            "The seeds of {b} tend to have a {word}{good} {name} than those of {a}, although their mean is not \
             {word}"
        ),
        false if subject.metric == Metric::UnbeatableSeeds => {
            format!("{b} has a {word}{good} share of {name} than {a}")
        }
        false => format!("{b} has a {word}{good} {name} than {a}"),
    };
    let probability = pair.probability_of_improvement;
    let is_certain = !(0.0005..0.9995).contains(&probability);
    let not = match subject.metric {
        Metric::UnbeatableSeeds => String::new(),
        _ if is_certain => String::new(),
        _ => format!(
            " This need not hold seed by seed: a seed of {b} {} a seed of {a} with probability {probability:.3}.",
            if good.is_empty() { "is above" } else { "beats" }
        ),
    };
    format!("{found}: {by}.{not}")
}

/// What does not follow where no difference is shown.
fn not_shown(pair: &PairResult, tests: Tests) -> String {
    // The tests that found nothing share the level that Holm's method leaves them.
    let level = LEVEL / tests.open.max(1) as f64;
    if pair.least_p() > level {
        let fewest = fewest(pair.paired, level);
        let [telling, _] = pair.telling;
        let seeds = match (pair.a_seeds, pair.b_seeds) {
            (a, b) if a != b => {
                let [a, b] = [a, b].map(|seeds| thousands(seeds as u64));
                format!("{a} and {b} seeds")
            }
            (a, _) if pair.paired && telling < a => {
                return format!(
                    "That does not mean there is none: only {telling} of the {} pairs of seeds {}, and it \
                     takes at least {fewest} that do to show one.",
                    thousands(a as u64),
                    if telling == 1 { "differs" } else { "differ" }
                );
            }
            (a, _) => count(a as u64, "seed"),
        };
        return format!(
            "That does not mean there is none: with {seeds} even the largest could not be shown. It takes at \
             least {fewest} of each run."
        );
    }
    let found = pair.difference_to_find.map_or_else(String::new, |found| {
        format!(
            ": with these seeds a true difference of {} would be detected about four times out of five, \
             a smaller one less often",
            number_text(found, decimals([found]))
        )
    });
    let needed = pair.seeds_to_find.map_or_else(String::new, |seeds| {
        format!(
            " To show one as large as the one seen takes about {} seeds of each run.",
            thousands(seeds)
        )
    });
    format!("That does not mean there is none{found}.{needed}")
}
