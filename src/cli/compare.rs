use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use playlab::Error;
use playlab::compare::{
    Better, Comparison, PairReached, PairResult, Pairs, Question, Reached, SubjectResult, Test,
    decimals, difference_text, number_text, p_text,
};
use playlab::text::{count, range, thousands};
use playlab::train::Metric;
use playlab::workflow::{check_picture, compare_runs, draw_comparison};

use super::known::named;
use super::output::{or_dash, rate_text, show, table, table_text, with_ends};
use super::part::Part;
use super::progress::threads;
use super::whole::whole;

/// Compare runs over their seeds: which is better, and how sure that is
///
/// Every other run is compared with the first one. Seeds that two runs share are compared one by one. What
/// counts is the last epoch, not the best: the best epoch is chosen by the metric itself, so its value is biased upwards.
/// The interquartile mean leaves out the lowest and the highest quarter of the seeds, rounded down: of up to three seeds it
/// is the mean.
/// docs/statistics.md explains every number.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab compare runs/qtable_o-1 runs/qtable_o-2
  lab compare runs/qtable_o-1 runs/qtable_o-2 --metric win-rate --threshold 0.95
  lab compare runs/mcts_exploration-1 --pairs all --metric win-rate --output all.png")]
pub struct Compare {
    /// Run directories; a sweep stands for all of its runs
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,

    /// What to compare: unbeatable-seeds, win-rate, draw-rate and loss-rate (against each opponent),
    /// optimal-move-rate, success, holds, won-openings, score-loss, discs-lost or value-error; may be given several times
    /// [default: those that say most]
    #[arg(long, value_name = "METRIC", value_parser = named::<Metric>(), hide_possible_values = true)]
    metric: Vec<Metric>,

    #[command(flatten)]
    part: Part,

    /// Compare after this epoch; times to a threshold are cut off there [default: each seed's last one; for an unfinished run, the last one
    /// on its curve]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX))]
    epoch: Option<u64>,

    /// Also report after how many episodes seeds first reach this value; needs exactly one --metric
    #[arg(long, value_name = "X")]
    threshold: Option<f64>,

    /// Which runs to compare: first for every other run with the first, all for every pair
    #[arg(long, value_name = "WHICH", default_value = "first", value_parser = named::<Pairs>(), hide_possible_values = true)]
    pairs: Pairs,

    /// A picture to write, .svg or .png: the differences with their intervals, and how the seeds are spread; an existing
    /// file is replaced only if it is a picture that lab made
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Threads to compute with [default: the number of processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Compare {
    /// Compares and prints. Errors: [`Error`] if the runs cannot be compared.
    pub fn run(self) -> Result<(), Error> {
        let question = Question {
            metrics: self.metric,
            only: self.part.only(),
            epoch: self.epoch,
            threshold: self.threshold,
            pairs: self.pairs,
        };
        self.output.as_deref().map_or(Ok(()), check_picture)?;
        let comparison = compare_runs(&self.runs, &question, threads(self.threads).get())?;
        let output = self.output.as_deref();
        let drawn = output.map_or(Ok(()), |path| draw_comparison(&comparison, path));
        // What was computed is printed, even if it cannot be drawn.
        show(self.json, &comparison, || text(&comparison))?;
        drawn
    }
}

/// The most pairs whose sentences are printed; if there are more, only the JSON has them.
const MOST_SENTENCES: usize = 24;

fn text(comparison: &Comparison) -> String {
    let when = match comparison.epoch {
        Some(epoch) => format!(", each seed at epoch {epoch}, or at its end if that came earlier"),
        None => " after the last epoch".to_owned(),
    };
    let mut text = format!(
        "{}, {}{when}\n\n",
        comparison.game,
        count(comparison.runs.len() as u64, "run"),
    );
    let mut runs = table(["run", "learner", "seeds", "episodes"], 2);
    for run in &comparison.runs {
        runs.add_row([
            run.name.clone(),
            run.subject.clone(),
            thousands(run.seeds as u64),
            range([run.episodes_low, run.episodes_high]),
        ]);
    }
    text += &table_text(&runs);
    text.extend(comparison.notes.iter().map(|note| format!("\n{note}\n")));
    let subjects = &comparison.subjects;
    let pairs: usize = subjects.iter().map(|subject| subject.pairs.len()).sum();
    for subject in subjects {
        text += &subject_text(subject, pairs <= MOST_SENTENCES);
    }
    text.extend(comparison.reached.iter().map(reached_text));
    if comparison.tests > 0 {
        text += "\nThe intervals are 95 % each and are not adjusted for multiple comparisons.";
        if comparison.tests > 1 {
            text += &format!(
                " p (Holm) allows for all {} tests of this comparison; to ask less, use --metric, --side or \
                 --opponent.",
                thousands(comparison.tests as u64)
            );
        }
        text += match pairs {
            0 => "\n",
            _ => {
                "\nSeeds needed: how many seeds of each run it takes to detect a difference of this size with a \
                 probability of about 80 %.\n"
            }
        };
    }
    if pairs > MOST_SENTENCES {
        text += "For a sentence on each pair use --json, or name fewer runs or metrics.\n";
    }
    text
}

fn p_cell(p: f64) -> String {
    p_text(p).trim_start_matches("= ").to_owned()
}

fn subject_text(result: &SubjectResult, with_sentences: bool) -> String {
    let better = match result.better {
        Some(Better::Higher) => ", higher is better",
        Some(Better::Lower) => ", lower is better",
        None => "",
    };
    let means = result.runs.iter().map(|run| run.mean);
    let differences = result.pairs.iter().map(|pair| pair.difference);
    let decimals = decimals(means.chain(differences));
    let head = [
        "run",
        "seeds",
        "mean",
        "interquartile mean",
        "least",
        "greatest",
    ];
    let mut runs = table(head, 1);
    for run in &result.runs {
        let text = |value: f64| number_text(value, decimals);
        let iqm = |iqm| with_ends(iqm, run.iqm_low.zip(run.iqm_high), text);
        runs.add_row([
            run.run.clone(),
            thousands(run.seeds as u64),
            with_ends(run.mean, run.mean_low.zip(run.mean_high), text),
            or_dash(run.iqm.map(iqm)),
            text(run.least),
            text(run.greatest),
        ]);
    }
    let probability = match result.better {
        Some(_) => "P(better)",
        None => "P(higher)",
    };
    let head = [
        "compared",
        "difference",
        probability,
        "p",
        "p (Holm)",
        "test",
        "seeds needed",
    ];
    let mut pairs = table(head, 1);
    for pair in &result.pairs {
        pairs.add_row(pair_cells(pair, decimals));
    }
    let mut text = format!(
        "\n{}{better}\n\n{}\n{}",
        result.subject.title(),
        table_text(&runs),
        table_text(&pairs)
    );
    if with_sentences {
        text.push('\n');
        for pair in &result.pairs {
            text += &format!("{}\n", pair.sentence);
        }
    }
    text
}

fn pair_cells(pair: &PairResult, decimals: usize) -> Vec<String> {
    let difference = pair.difference_low.zip(pair.difference_high);
    let probability = pair.probability_low.zip(pair.probability_high);
    let [a, b] = [pair.a_seeds, pair.b_seeds].map(|seeds| thousands(seeds as u64));
    let test = pair.test.map(|test| match test {
        Test::PairedPermutation => format!("{a} pairs"),
        Test::MannWhitney => format!("{a} and {b}"),
    });
    vec![
        format!("{} − {}", pair.b, pair.a),
        with_ends(pair.difference, difference, |value| {
            difference_text(value, decimals)
        }),
        rate_text(pair.probability_of_improvement, probability),
        or_dash(pair.p.map(p_cell)),
        or_dash(pair.p_adjusted.map(p_cell)),
        or_dash(test),
        or_dash(pair.seeds_to_find.map(thousands)),
    ]
}

fn reached_text(reached: &Reached) -> String {
    let mut runs = table(["run", "seeds", "reached it", "median episodes", "95 %"], 1);
    for run in &reached.runs {
        runs.add_row([
            run.run.clone(),
            thousands(run.seeds as u64),
            thousands(run.reached as u64),
            match run.median {
                Some(median) => thousands(median),
                None => format!("over {}", thousands(run.watched_until)),
            },
            match (
                run.median_low.map(thousands),
                run.median_high.map(thousands),
            ) {
                (Some(low), Some(high)) => format!("{low}–{high}"),
                (Some(low), None) => format!("from {low}"),
                _ => "-".to_owned(),
            },
        ]);
    }
    let mut text = format!("\n{}\n\n{}\n", reached.question(), table_text(&runs));
    if reached.pairs.is_empty() {
        text += "All seeds of all runs agree, so there is nothing to compare.\n";
    }
    for pair in &reached.pairs {
        let PairReached { a, b, p, .. } = pair;
        let found = match pair.sooner {
            Some('a') => format!("{a} gets there sooner than {b}"),
            Some(_) => format!("{b} gets there sooner than {a}"),
            None => format!("{b} and {a}: no difference is shown in how soon they get there"),
        };
        let adjusted = or_dash(pair.p_adjusted.map(p_cell));
        text += &format!("{found} (log-rank p {}, Holm {adjusted}).\n", p_cell(*p));
    }
    text
}
