//! What a person reads at the end of a training.

use playlab::Error;
use playlab::chart::games_of_all_seeds;
use playlab::config::Swept;
use playlab::game::Side;
use playlab::stats::{mean, quantile, wilson_mean};
use playlab::store::{Checkpoint, Selection, SweepDirectory};
use playlab::text::{count, out_of, range, shell_word, thousands};
use playlab::train::{
    Exactness, Method, Metric, MetricsRow, Recorded, SeedSummary, Snapshot, Standing,
    WORST_OPPONENTS, ranking, summarize,
};
use playlab::workflow::{LineStep, Run, Trained, losing_moves};

use super::matches::about_intervals;
use super::output::{interval, or_dash, table, table_text};

/// The text that ends a training, `when` it ended in the first line. Errors: [`Error::Input`] if a
/// checkpoint whose losing line is to be told cannot be read.
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

/// A table of what was reached, the verdict in words where there is one, and where the curve is.
fn report_run(run: &Run, data: &Recorded, when: &str) -> Result<String, Error> {
    let config = &data.config;
    let seeds = summarize(data);
    let best: Vec<&Snapshot> = seeds.iter().map(|seed| &seed.best).collect();
    let last: Vec<&Snapshot> = seeds.iter().map(|seed| &seed.last).collect();
    let exact = data.method() == Method::Exact;
    let episodes = || last.iter().map(|last| last.episodes);
    let after = match &config.agent {
        Some(agent) => agent.to_string(),
        None => format!("after {} episodes", range(episodes())),
    };
    let trained = config.learner.as_ref();
    let trained = trained.map(|_| count(episodes().sum(), "episode"));
    let done = if exact {
        let seeds = Some(count(seeds.len() as u64, "seed"));
        seeds
            .into_iter()
            .chain(trained)
            .collect::<Vec<_>>()
            .join(", ")
    } else {
        let games = data.metrics.iter().filter_map(|row| row.games).sum();
        let games = (games > 0 || trained.is_none()).then(|| count(games, "game"));
        let done: Vec<_> = trained.into_iter().chain(games).collect();
        done.join(" and ")
    };
    let about_games = about_games(last.iter().flat_map(|last| &last.metrics));
    let columns = match config.learner {
        Some(_) if exact => vec![("best checkpoint", best), ("last checkpoint", last)],
        _ => vec![(after.as_str(), last)],
    };
    let mut text = format!(
        "{}: {} as {}, {done}{when}\n\n{}{about_games}\n",
        run.directory.root().display(),
        config.game.name,
        config.side,
        results(data, &columns)
    );
    if exact {
        text += &format!("\n{}", verdicts(run, &seeds)?);
    }
    if config.learner.is_some() {
        let curve = run.directory.curve("svg");
        text += &format!("\nThe learning curve is {}\n", curve.display());
    }
    Ok(text)
}

/// What several seeds came to, as a table with a column for each kind of checkpoint, and how its rates were found; no
/// line break ends it.
pub fn results(data: &Recorded, columns: &[(&str, Vec<&Snapshot>)]) -> String {
    let last = columns
        .last()
        .map(|(_, last)| &last[..])
        .unwrap_or_default();
    let spread = match last.len() {
        1 => "",
        _ => ": mean (lowest–highest) over the seeds",
    };
    let games = count(games_of_all_seeds(data), "game") + " each, all seeds together";
    let rows = last.iter().flat_map(|last| &last.metrics);
    let note = how_found(rows, spread, &games);
    format!("{}\n{note}", results_table(data, columns))
}

/// How the rates of these rows were found, in a whole sentence; see [`Exactness::told`].
fn how_found<'a>(rows: impl Iterator<Item = &'a MetricsRow>, spread: &str, games: &str) -> String {
    let told = Exactness::of(rows).told(spread, games);
    let (first, rest) = told.split_at(1);
    first.to_uppercase() + rest + "."
}

/// What is to be known of the games of these rows, behind a blank; nothing if there were none.
fn about_games<'a>(rows: impl Iterator<Item = &'a MetricsRow>) -> String {
    let distinct: Vec<u64> = rows.filter_map(|row| row.distinct_games).collect();
    if distinct.is_empty() {
        return String::new();
    }
    let about = about_intervals(distinct.into_iter());
    format!(" {}", about.trim_end().replace('\n', " "))
}

/// What is proven of the best checkpoints and the last ones, and from when on.
fn verdicts(run: &Run, seeds: &[SeedSummary]) -> Result<String, Error> {
    let mut text = String::new();
    let learns = run.experiment.config.learner.is_some();
    let mut checkpoints = match learns {
        true => vec![("Verdict, best checkpoint", Selection::Best)],
        false => vec![("Verdict", Selection::Best)],
    };
    if seeds.iter().any(|seed| seed.best != seed.last) {
        checkpoints.push(("Verdict, last checkpoint", Selection::Last));
    }
    for (which, selection) in checkpoints {
        for &side in run.experiment.config.side.list() {
            text += &verdict_text(run, seeds, side, which, selection)?;
        }
    }
    let from: Vec<f64> = seeds
        .iter()
        .filter_map(|seed| seed.unbeatable_from)
        .map(|episodes| episodes as f64)
        .collect();
    if from.is_empty() || !learns {
        return Ok(text);
    }
    let episode = |level: f64| thousands(quantile(&from, level).round() as u64);
    text += &format!("Unbeatable to the end from episode {} on", episode(0.5));
    if from.len() > 1 {
        let (low, high) = (episode(0.1), episode(0.9));
        text += &format!(" (median; 10–90 %: {low}–{high})");
    }
    if from.len() < seeds.len() {
        text += &match from.len() {
            1 => ", of the seed that ends so".to_owned(),
            some => format!(", of the {} seeds that end so", thousands(some as u64)),
        };
    }
    Ok(text + ".\n")
}

/// So many variants of several keys are shown.
const MOST_SHOWN: usize = 20;

/// The last epoch's mean rates by value; of several keys those of the best variants.
fn report_sweep(directory: &SweepDirectory, swept: &Swept, runs: &[Run], when: &str) -> String {
    let data: Vec<&Recorded> = runs.iter().filter_map(|run| run.data.as_ref()).collect();
    let config = &runs[0].experiment.config;
    let labels = swept.sweep.labels();
    let (what, mut order) = match &labels[..] {
        [_] => (
            format!("{} for {}", swept.by(), count(runs.len() as u64, "value")),
            (0..data.len()).collect(),
        ),
        _ => {
            let standings: Vec<Standing> = data.iter().map(|run| Standing::of(run)).collect();
            (
                format!("{} by {}", count(runs.len() as u64, "variant"), swept.by()),
                ranking(&standings),
            )
        }
    };
    let all = order.len();
    if labels.len() > 1 {
        order.truncate(MOST_SHOWN);
    }
    let mut head = labels.clone();
    head.push("side".to_owned());
    let exact = data.iter().all(|data| data.method() == Method::Exact);
    let summaries: Vec<Vec<SeedSummary>> = data.iter().map(|run| summarize(run)).collect();
    let shown = summaries.iter().flatten();
    let shown = shown.flat_map(|seed| &seed.last.metrics);
    let has_games = shown.clone().any(|row| row.games.is_some());
    let opponents = config.evaluation.opponents.iter();
    let opponents: Vec<String> = opponents.map(ToString::to_string).collect();
    for opponent in &opponents {
        head.push(format!("v {opponent}: win"));
        head.push("draw".to_owned());
        if has_games {
            head.push("distinct".to_owned());
        }
    }
    if exact {
        head.push("unbeatable".to_owned());
    }
    let mut rows = table(head.iter().map(String::as_str), labels.len() + 1);
    for &side in config.side.list() {
        for &number in &order {
            let (run, seeds) = (data[number], &summaries[number]);
            let values = swept.variants[number].values.iter();
            let mut row: Vec<String> = values.map(|value| value.name.clone()).collect();
            row.push(side.letter().to_string());
            for opponent in &opponents {
                let last = || seeds.iter().map(|seed| &seed.last);
                let rows = || last().filter_map(|last| last.against(side, opponent));
                let rate = |metric: Metric| {
                    let rates: Vec<f64> = rows().filter_map(|row| metric.of(row)).collect();
                    format!("{:.4}", mean(&rates))
                };
                row.push(match Exactness::of(rows()) {
                    Exactness::All => rate(Metric::WinRate),
                    _ => counted(run, rows(), Metric::WinRate),
                });
                row.push(rate(Metric::DrawRate));
                if has_games {
                    let of_seed = rows().filter_map(|row| row.distinct_games);
                    row.push(distinct(of_seed.collect()));
                }
            }
            if exact {
                row.push(safe_text(seeds.iter().map(|seed| &seed.last), side));
            }
            rows.add_row(row);
        }
    }
    let games = range(data.iter().map(|run| games_of_all_seeds(run)));
    let of_seed = match config.seeds.count() {
        1 => "",
        _ => ", all seeds together; distinct games are those of a seed",
    };
    let games = format!("{games} games each{of_seed}");
    let spread = " after the last epoch, mean over the seeds";
    let note = how_found(shown.clone(), spread, &games) + &about_games(shown);
    let curves = match config.learner {
        Some(_) => format!(
            "The learning curves are {}, and the",
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
            "\nLuck had a part in what came out best here; to train the best again with fresh seeds: lab best {}\n",
            shell_word(directory.root())
        ),
    };
    format!(
        "{}: {}, {what}{when}\n\n{}{rest}\n{note}\n\n{curves} final rates by {} are {}\n{again}",
        directory.root().display(),
        config.game.name,
        table_text(&rows),
        match &labels[..] {
            [label] => label.clone(),
            _ => swept.by(),
        },
        directory.rates("svg").display()
    )
}

/// How many games of each seed are distinct; a dash where none were played.
fn distinct(of_seeds: Vec<u64>) -> String {
    or_dash((!of_seeds.is_empty()).then(|| range(of_seeds)))
}

fn is_safe(snapshot: &Snapshot, side: Side) -> bool {
    snapshot.side(side).is_some_and(|row| row.unbeatable())
}

fn safe_text<'a>(snapshots: impl ExactSizeIterator<Item = &'a Snapshot>, side: Side) -> String {
    let all = snapshots.len();
    let safe = snapshots.filter(|snapshot| is_safe(snapshot, side));
    out_of(safe.count(), all)
}

/// The rates of each side against each opponent, and what is proven; a column for each kind of
/// checkpoint, with those of all seeds.
fn results_table(data: &Recorded, columns: &[(&str, Vec<&Snapshot>)]) -> String {
    let heads = columns.iter().map(|(head, _)| *head);
    let mut results = table([""].into_iter().chain(heads), 1);
    let mut add = |name: String, cell: &dyn Fn(&[&Snapshot]) -> String| {
        let cells = columns.iter().map(|(_, snapshots)| cell(snapshots));
        results.add_row([name].into_iter().chain(cells).collect::<Vec<_>>());
    };
    let exact = data.method() == Method::Exact;
    for &side in data.config.side.list() {
        let letter = side.letter();
        for agent in &data.config.evaluation.opponents {
            let agent = agent.to_string();
            for metric in Metric::RATES {
                let name = format!("{letter} v {agent}: {}", metric.name());
                add(name, &|snapshots| {
                    let rows = snapshots
                        .iter()
                        .filter_map(|last| last.against(side, &agent));
                    match Exactness::of(rows.clone()) {
                        Exactness::All => spread(rows.filter_map(|row| metric.of(row)).collect()),
                        _ => counted(data, rows, metric),
                    }
                });
            }
        }
        if exact {
            let [_, worst] = WORST_OPPONENTS;
            add(format!("{letter} v {worst}: loss rate"), &|snapshots| {
                let rows = snapshots
                    .iter()
                    .filter_map(|last| last.against(side, worst));
                spread(rows.map(|row| row.loss_rate).collect())
            });
        }
        for metric in Metric::OF_TRAINING {
            let values = |snapshots: &[&Snapshot]| {
                let rows = snapshots.iter().filter_map(|snapshot| snapshot.side(side));
                rows.filter_map(|row| metric.of_training(row))
                    .collect::<Vec<f64>>()
            };
            let mut cells = columns.iter().map(|(_, snapshots)| values(snapshots));
            if cells.any(|cell| !cell.is_empty()) {
                let name = format!("{letter}: {}", metric.name_in(data));
                add(name, &|snapshots| spread(values(snapshots)));
            }
        }
        if exact {
            add(format!("{letter}: unbeatable"), &|snapshots| {
                safe_text(snapshots.iter().copied(), side)
            });
        }
    }
    table_text(&results)
}

/// The mean of exact rates, and the lowest and the highest of several.
fn spread(rates: Vec<f64>) -> String {
    match rates.len() {
        0 | 1 => format!("{:.4}", mean(&rates)),
        _ => interval(mean(&rates), quantile(&rates, 0.0), quantile(&rates, 1.0)),
    }
}

/// A rate in the games of all seeds, with its interval; one that was computed counts as if its games had
/// been played.
fn counted<'a>(
    data: &Recorded,
    rows: impl Iterator<Item = &'a MetricsRow>,
    metric: Metric,
) -> String {
    let (mut hits, mut games, mut observations) = (0.0, 0.0, 0.0);
    for row in rows {
        let of_seed = row.games.unwrap_or(data.config.evaluation.games) as f64;
        hits += metric.of(row).unwrap_or_default() * of_seed;
        games += of_seed;
        observations += data.observations(row);
    }
    let rate = hits / games;
    if observations == 0.0 {
        return format!("{rate:.4}");
    }
    let (low, high) = wilson_mean(rate, observations);
    interval(rate, low, high)
}

/// The verdict on one kind of checkpoint; with the losing line of the first
/// seed that is beatable.
fn verdict_text(
    run: &Run,
    seeds: &[SeedSummary],
    side: Side,
    which: &str,
    selection: Selection,
) -> Result<String, Error> {
    let letter = side.letter();
    let snapshot = |seed: &SeedSummary| match selection {
        Selection::Best => is_safe(&seed.best, side),
        _ => is_safe(&seed.last, side),
    };
    let beatable = seeds.iter().filter(|seed| !snapshot(seed));
    let beatable: Vec<u64> = beatable.map(|seed| seed.seed).collect();
    let Some(&first) = beatable.first() else {
        let seeds = match seeds.len() {
            1 => String::new(),
            n => format!(" in all {} seeds", thousands(n as u64)),
        };
        return Ok(format!(
            "{which}: unbeatable as {letter}{seeds}, proven over every position it can meet.\n"
        ));
    };
    let mut text = format!("{which}: beatable as {letter}");
    if seeds.len() > 1 {
        text += &format!(
            " in {} seeds, such as seed {first}",
            out_of(beatable.len(), seeds.len())
        );
    }
    let trial = run.experiment.config.trial();
    let line = match Checkpoint::select(&run.directory, &trial, first, selection)? {
        Some(checkpoint) => losing_moves(&checkpoint, &run.experiment, side)?,
        None => None,
    };
    Ok(text + &line.map_or_else(|| ".\n".to_owned(), |line| format!(":\n{}", told(&line))))
}

/// The line that beats a checkpoint, move by move.
fn told(line: &[LineStep]) -> String {
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
