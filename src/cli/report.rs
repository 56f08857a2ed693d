//! The text at the end of a training.

use std::collections::BTreeMap;

use playlab::Error;
use playlab::config::Swept;
use playlab::game::Side;
use playlab::graph::WORST_OPPONENTS;
use playlab::store::SweepDirectory;
use playlab::text::{count, counts, joined, out_of, range, shell_word};
use playlab::train::{
    AllSeeds, EvaluationMethod, Exactness, Metric, MetricsRow, Observations, Overall, Recorded,
    SeedSummary, Standing, games_of_all_seeds, ranking, summarize,
};
use playlab::workflow::{LineStep, Proven, Run, Trained, proven, unbeatable_from_text};

use super::matches::about_intervals;
use super::output::{or_dash, rate_text, table, table_text};

/// The text at the end of a training; `when` says in the first line when that was. Errors:
/// [`Error::Input`] if a checkpoint whose losing line is to be shown cannot be read.
pub fn report(trained: &Trained, when: &str) -> Result<String, Error> {
    match (&trained.sweep, &trained.runs[..]) {
        (Some((directory, swept)), runs) => Ok(report_sweep(directory, swept, runs, when)),
        (None, [run]) => match &run.data {
            Some(data) => report_run(run, data, when),
            None => Ok(String::new()),
        },
        (None, _) => Ok(String::new()),
    }
}

/// A table of the results, the verdict in words if there is one, and the path of the curve.
fn report_run(run: &Run, data: &Recorded, when: &str) -> Result<String, Error> {
    let config = &data.config;
    let seeds = summarize(data);
    let [best, last] = AllSeeds::best_and_last(data, &seeds);
    let exact = data.method() == EvaluationMethod::Exact;
    let episodes = || seeds.iter().map(|seed| seed.last.episodes);
    let after = match &config.agent {
        Some(agent) => agent.to_string(),
        None => format!("after {}", counts(episodes(), "episode")),
    };
    let trained = config.learner.as_ref();
    let trained = trained.map(|_| count(episodes().sum(), "episode"));
    let games = data.metrics.iter().filter_map(|row| row.games).sum();
    let games = (!exact && (games > 0 || trained.is_none())).then(|| count(games, "game"));
    let done: Vec<String> = trained.into_iter().chain(games).collect();
    let done = Some(joined(&done, "and")).filter(|done| !done.is_empty());
    let done: Vec<String> = [count(seeds.len() as u64, "seed")]
        .into_iter()
        .chain(done)
        .collect();
    let about_games = about_games(&[(data, &seeds)]);
    let columns = match config.learner {
        Some(_) if exact => vec![("best checkpoint", best), ("last checkpoint", last)],
        _ => vec![(after.as_str(), last)],
    };
    let mut text = format!(
        "{}: {} as {}, {}{when}\n\n{}{about_games}\n",
        run.directory.root().display(),
        config.game.name,
        config.side,
        done.join(", "),
        results(data, &columns)
    );
    if exact {
        let verdicts = proven(run, data, &seeds)?;
        text.push('\n');
        text.extend(verdicts.iter().map(|proven| verdict(proven, data)));
        text.extend(unbeatable_from_text(data, &seeds).map(|words| words + ".\n"));
    }
    if config.learner.is_some() && !exact {
        text += &format!(
            "\nThe best checkpoint of a seed, which commands take unless told otherwise, is of epoch {} (of {}), by the score \
             against {}.\n",
            range(seeds.iter().map(|seed| seed.best.epoch)),
            config.epochs(),
            config.evaluation.opponents[0]
        );
    }
    if config.learner.is_some() {
        let curve = run.directory.curve("svg");
        text += &format!("\nThe learning curve is in {}\n", curve.display());
    }
    Ok(text)
}

/// The results of several seeds, as a table with a column for each kind of checkpoint, and how its rates were found;
/// without a line break at the end.
pub fn results(data: &Recorded, columns: &[(&str, AllSeeds<'_>)]) -> String {
    let last = columns.last().map(|(_, last)| last);
    let seeds = last.map_or(1, AllSeeds::len);
    let of_seed = count(data.config.evaluation.games, "game");
    let games = match (data.measures_one_agent(), seeds) {
        (_, 1) => of_seed + " each",
        (true, _) => count(games_of_all_seeds(data), "game") + " each, all seeds together",
        (false, _) => of_seed + " of each seed",
    };
    let spread = match seeds {
        1 => "",
        _ if data.measures_one_agent() && data.method() == EvaluationMethod::Sampled => "",
        _ => ": mean (lowest–highest) over the seeds",
    };
    let rows = last.into_iter().flat_map(AllSeeds::metrics);
    let note = how_found(rows, spread, &games);
    format!("{}\n{note}", results_table(data, columns))
}

/// How the rates of these rows were found, in a full sentence; see [`Exactness::text`].
fn how_found<'a>(rows: impl Iterator<Item = &'a MetricsRow>, spread: &str, games: &str) -> String {
    let text = Exactness::of(rows).text(spread, games);
    let (first, rest) = text.split_at(1);
    first.to_uppercase() + rest + "."
}

/// Notes about the last games of these runs, of all seeds together, after a blank; empty if there were none.
fn about_games(runs: &[(&Recorded, &[SeedSummary])]) -> String {
    let mut distinct = BTreeMap::new();
    for (number, (data, seeds)) in runs.iter().enumerate() {
        for row in seeds.iter().flat_map(|seed| &seed.last.metrics) {
            if let Some(found) = data.observations(row) {
                let key = (number, row.side.index(), &row.opponent);
                distinct.entry(key).or_insert_with(Vec::new).push(found);
            }
        }
    }
    if distinct.is_empty() {
        return String::new();
    }
    let distinct = distinct.into_values().map(|seeds| {
        let games: Observations = seeds.into_iter().sum();
        games.distinct().round() as u64
    });
    let about = about_intervals(distinct);
    format!(" {}", about.trim_end().replace('\n', " "))
}

/// What is proven about one kind of checkpoint, with the line that beats the first beatable seed.
fn verdict(proven: &Proven, data: &Recorded) -> String {
    let such = match proven.beatable.first() {
        Some(first) if proven.seeds > 1 => format!(", such as seed {first}"),
        _ => String::new(),
    };
    let line = match &proven.line {
        Some(line) => format!(":\n{}", losing_line_text(line)),
        None => ".\n".to_owned(),
    };
    format!("{}{such}{line}", proven.text(data))
}

/// The line that beats a checkpoint, move by move.
fn losing_line_text(line: &[LineStep]) -> String {
    let step = |(number, step): (usize, &LineStep)| {
        let note = match step.probability {
            Some(share) if share < 1.0 => format!("  with probability {share:.2}"),
            _ => String::new(),
        };
        let mover = step.mover.letter();
        format!("  {number}. {mover} {}  {}{note}\n", step.mv, step.position)
    };
    (1..).zip(line).map(step).collect()
}

/// The most variants that are shown of a sweep over several keys.
const MOST_SHOWN: usize = 20;

/// The last epoch's mean rates by value; for several keys only those of the best variants.
fn report_sweep(directory: &SweepDirectory, swept: &Swept, runs: &[Run], when: &str) -> String {
    let data: Vec<&Recorded> = runs.iter().filter_map(|run| run.data.as_ref()).collect();
    let config = &runs[0].experiment.config;
    let labels = swept.sweep.labels();
    let (all, by) = (data.len(), swept.by());
    let mut order: Vec<usize> = (0..all).collect();
    let mut ranked = String::new();
    let (what, keys) = match &labels[..] {
        [label] => (
            format!("{by} for {}", count(runs.len() as u64, "value")),
            label,
        ),
        _ => {
            let standings: Vec<Standing> = data.iter().map(|run| Standing::of(run)).collect();
            order = ranking(&standings);
            ranked = format!("Best first: by {}.\n", standings[0].ranked_by_text(config));
            order.truncate(MOST_SHOWN);
            let variants = count(runs.len() as u64, "variant");
            (format!("{variants} by {by}"), &by)
        }
    };
    let exact = data
        .iter()
        .all(|data| data.method() == EvaluationMethod::Exact);
    let seeds: Vec<Vec<SeedSummary>> = data.iter().map(|run| summarize(run)).collect();
    let shown = seeds.iter().flatten();
    let shown = shown.flat_map(|seed| &seed.last.metrics);
    let has_games = shown.clone().any(|row| row.games.is_some());
    let opponents = config.evaluation.opponents.iter();
    let opponents: Vec<String> = opponents.map(ToString::to_string).collect();
    let mut head = labels.clone();
    head.push("side".to_owned());
    for opponent in &opponents {
        head.push(format!("v {opponent}: win"));
        head.push("draw".to_owned());
        head.extend(has_games.then(|| "distinct".to_owned()));
    }
    head.extend(exact.then(|| "unbeatable".to_owned()));
    let mut rows = table(head.iter().map(String::as_str), labels.len() + 1);
    for &side in config.side.list() {
        for &number in &order {
            let [_, last] = AllSeeds::best_and_last(data[number], &seeds[number]);
            let values = swept.variants[number].values.iter();
            let mut row: Vec<String> = values.map(|value| value.name.clone()).collect();
            row.push(side.letter().to_string());
            for opponent in &opponents {
                let win = last.rate(side, opponent, Metric::WinRate);
                let has_interval = data[number].measures_one_agent();
                row.push(match win.filter(|win| win.counted && has_interval) {
                    Some(_) => rate_of(win),
                    None => mean_of(win),
                });
                row.push(mean_of(last.rate(side, opponent, Metric::DrawRate)));
                if has_games {
                    let distinct = last.rows(side, opponent);
                    let distinct = distinct.filter_map(|row| row.distinct_games);
                    let distinct: Vec<u64> = distinct.collect();
                    row.push(or_dash((!distinct.is_empty()).then(|| range(distinct))));
                }
            }
            row.extend(exact.then(|| safe_of(&last, side)));
            rows.add_row(row);
        }
    }
    let is_one = data.iter().all(|run| run.measures_one_agent());
    let games = data.iter().map(|run| match is_one {
        true => games_of_all_seeds(run),
        false => run.config.evaluation.games,
    });
    let games = counts(games, "game");
    // A sweep may go over the seeds.
    let most_seeds = data.iter().map(|run| run.config.seeds.count()).max();
    let of_seed = match (is_one, most_seeds.unwrap_or(1)) {
        (_, 1) => "each",
        (true, _) => "each, all seeds together; distinct games are those of a seed",
        (false, _) => "of each seed",
    };
    let games = format!("{games} {of_seed}");
    let spread = match most_seeds.unwrap_or(1) {
        _ if config.learner.is_none() && has_games => "",
        1 => " after the last epoch",
        _ => " after the last epoch, mean over the seeds",
    };
    let runs = data.iter().zip(&seeds);
    let runs: Vec<_> = runs.map(|(&data, seeds)| (data, &seeds[..])).collect();
    let note = how_found(shown, spread, &games) + &about_games(&runs);
    let curves = match config.learner {
        Some(_) => format!(
            "The learning curves are in {}, and the",
            directory.curve("svg").display()
        ),
        None => "The".to_owned(),
    };
    let rest = match all > order.len() {
        false => String::new(),
        true => format!(
            "The best {} variants; the others are in {}\n",
            out_of(MOST_SHOWN, all),
            directory.metrics().display()
        ),
    };
    let again = match all {
        1 => String::new(),
        _ if swept.sweep.is_over_seeds() => String::new(),
        _ => format!(
            "\nWhat came out best here was partly lucky; to train the best variants again with fresh seeds: lab best {}\n",
            shell_word(directory.root())
        ),
    };
    format!(
        "{}: {}, {what}{when}\n\n{}{ranked}{rest}\n{note}\n\n{curves} final rates by {keys} are in {}\n{again}",
        directory.root().display(),
        config.game.name,
        table_text(&rows),
        directory.rates("svg").display()
    )
}

/// The number of seeds that are proven to be unbeatable.
fn safe_of(all: &AllSeeds<'_>, side: Side) -> String {
    out_of(all.safe(side), all.len())
}

/// A number over all seeds, with its uncertainty.
fn rate_of(overall: Option<Overall>) -> String {
    or_dash(overall.map(|overall| rate_text(overall.mean, overall.ends)))
}

/// Only the mean over the seeds.
fn mean_of(overall: Option<Overall>) -> String {
    or_dash(overall.map(|overall| rate_text(overall.mean, None)))
}

/// The rates of each side against each opponent, and what is proven, over all seeds; a column for
/// each kind of checkpoint.
fn results_table(data: &Recorded, columns: &[(&str, AllSeeds<'_>)]) -> String {
    let heads = columns.iter().map(|(head, _)| *head);
    let mut results = table([""].into_iter().chain(heads), 1);
    let all_rows = columns.iter().flat_map(|(_, all)| all.metrics());
    let is_mixed = matches!(Exactness::of(all_rows), Exactness::Some(_));
    let row = |name: String, cell: &dyn Fn(&AllSeeds<'_>) -> Option<Overall>| {
        let cells: Vec<_> = columns.iter().map(|(_, all)| cell(all)).collect();
        let mut known = cells.iter().flatten();
        let counted = match is_mixed && known.any(|overall| overall.counted) {
            true => ", counted",
            false => "",
        };
        let mut row = vec![name + counted];
        row.extend(cells.into_iter().map(rate_of));
        row
    };
    let exact = data.method() == EvaluationMethod::Exact;
    for &side in data.config.side.list() {
        let letter = side.letter();
        let mut against = |opponent: &str, metric: Metric| {
            let name = format!("{letter} v {opponent}: {}", metric.name());
            results.add_row(row(name, &|all| all.rate(side, opponent, metric)));
        };
        for opponent in &data.config.evaluation.opponents {
            let opponent = opponent.to_string();
            for metric in Metric::RATES {
                against(&opponent, metric);
            }
        }
        if exact {
            let [_, worst] = WORST_OPPONENTS;
            against(worst, Metric::LossRate);
        }
        for metric in Metric::OF_TRAINING {
            let name = format!("{letter}: {}", metric.name_in(data));
            let mut all = columns.iter().map(|(_, all)| all);
            if all.any(|all| all.of_training(side, metric).is_some()) {
                results.add_row(row(name, &|all| all.of_training(side, metric)));
            }
        }
        if exact {
            let safe = columns.iter().map(|(_, all)| safe_of(all, side));
            results.add_row([format!("{letter}: unbeatable")].into_iter().chain(safe));
        }
    }
    table_text(&results)
}
