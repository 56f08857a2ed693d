//! How runs differ, and how certain that is: each is compared with the first one, or with each other
//! one, over their seeds. `docs/statistics.md` explains every number, with the source of its formula.

mod moment;
mod numbers;
mod pair;
mod reach;
mod shared;
mod value_errors;
mod values;
mod words;

use std::convert::Infallible;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use numbers::{decimals, difference_text, distinct_names, number_text, p_text};
pub use pair::{Finding, PairResult, Test};
pub use reach::{PairReached, Reached, RunReached};
pub use shared::{Only, Shared, all_have, opponents};
pub use value_errors::ValueErrorMismatch;
pub use values::{Better, Sample, Subject};

use moment::ComparedSeeds;

use crate::error::Error;
use crate::stats::{holm, interquartile_mean, mean, mean_intervals, order, wilson};
use crate::text::deduplicated;
use crate::threads::on_each;
use crate::train::{Metric, Recorded};

/// A difference is shown if its p-value, adjusted for the number of tests, is at most this.
pub const LEVEL: f64 = 0.05;

/// Which runs are compared with which.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pairs {
    /// Every other run with the first.
    #[default]
    First,
    /// Each run with each later one.
    All,
}

impl Pairs {
    /// The indices of the two runs of each pair, among this many runs.
    fn of(self, runs: usize) -> Vec<(usize, usize)> {
        let firsts = match self {
            Pairs::First => 1,
            Pairs::All => runs,
        };
        let pairs = (0..firsts).flat_map(|a| (a + 1..runs).map(move |b| (a, b)));
        pairs.collect()
    }
}

/// What to compare.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Question {
    /// The metrics; if empty, those that say the most.
    pub metrics: Vec<Metric>,
    /// The side and the opponents to compare.
    pub only: Only,
    /// The epoch after which runs are compared, and up to which waiting counts; by default the last one.
    pub epoch: Option<u64>,
    /// A value of the metric; if given, the time that seeds take to reach it is compared, too.
    pub threshold: Option<f64>,
    /// Which runs are compared with which.
    pub pairs: Pairs,
}

/// How runs differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The game.
    pub game: &'static str,
    /// The epoch after which they are compared, or the last of a seed that ended before; `None` if every seed's last.
    pub epoch: Option<u64>,
    /// The runs.
    pub runs: Vec<ComparedRun>,
    /// The number of tests that the adjusted p-values allow for.
    pub tests: usize,
    /// Sentences to read before the results.
    pub notes: Vec<String>,
    /// The results for everything that differs.
    pub subjects: Vec<SubjectResult>,
    /// How long runs took to reach a value.
    pub reached: Vec<Reached>,
}

/// A compared run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedRun {
    /// Its name.
    pub name: String,
    /// What is trained, such as `q-learning as O`.
    pub subject: String,
    /// The number of seeds compared.
    pub seeds: usize,
    /// The fewest training episodes of a seed at that point.
    pub episodes_low: u64,
    /// The most episodes.
    pub episodes_high: u64,
}

/// The results for one metric of a side, against an opponent if the metric is about one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SubjectResult {
    /// What is compared.
    #[serde(flatten)]
    pub subject: Subject,
    /// Which direction is better.
    pub better: Option<Better>,
    /// A summary of every run's values.
    pub runs: Vec<Summary>,
    /// The comparisons of two runs each.
    pub pairs: Vec<PairResult>,
}

/// A summary of the values of a run's seeds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The run.
    pub run: String,
    /// The number of seeds that have a value.
    pub seeds: usize,
    /// The mean.
    pub mean: f64,
    /// The lower end of its 95 % interval; `None` where it is unknown how seeds vary.
    pub mean_low: Option<f64>,
    /// Its upper end.
    pub mean_high: Option<f64>,
    /// The [interquartile mean](interquartile_mean), or of up to three seeds the mean; `None` for unbeatable seeds,
    /// where it says nothing.
    pub iqm: Option<f64>,
    /// The lower end of its 95 % interval.
    pub iqm_low: Option<f64>,
    /// The upper end.
    pub iqm_high: Option<f64>,
    /// The smallest value.
    pub least: f64,
    /// The greatest value.
    pub greatest: f64,
    /// Each seed's value, by seed.
    #[serde(skip)]
    pub values: Vec<(u64, f64)>,
}

impl Comparison {
    /// Compares at least two runs; the result does not depend on the number of threads. Errors:
    /// [`Error::Input`] if they have nothing in common to compare, or if one of them lacks what is asked for.
    pub fn of(runs: &[Recorded], question: &Question, threads: usize) -> Result<Comparison, Error> {
        if runs.len() < 2 {
            return Err(Error::input("a comparison takes at least two runs"));
        }
        let names = distinct_names(&runs.iter().collect::<Vec<_>>());
        let metrics = deduplicated(question.metrics.iter().copied());
        let shared = Shared::of(runs, &question.only)?;
        let subjects = shared.subjects(runs, &metrics)?;
        let awaited = reach::awaited(&subjects, &metrics, question.threshold)?;
        let mut notes = shared.left_out(runs, &subjects, "compared");
        notes.extend(shared.value_errors_note(
            &metrics,
            "none is called better",
            "they are not compared unless --metric value-error is given",
        ));
        let (epoch, moments) = moment::moments(runs, question.epoch, &mut notes)?;
        let (differing, same) = differing(runs, &names, subjects, &moments)?;
        notes.extend(words::all_the_same(&same));
        let pairs = question.pairs.of(runs.len());
        let mut reached: Vec<Reached> = (awaited.into_iter())
            .map(|(subject, value)| Reached::new(subject, value, runs, &names, question.epoch))
            .collect();
        let waits = reached.iter().filter(|reached| reached.can_differ());
        let most_tests = (differing.len() + waits.count()) * pairs.len();
        let level = LEVEL / most_tests.max(1) as f64;
        let mut results = results(runs, &names, differing, &pairs, level, threads);
        for reached in &mut reached {
            reached.compare(&pairs, level);
        }
        let tests = adjust(&mut results, &mut reached);
        if let Some(note) = words::out_of_reach(&results, &reached, tests) {
            notes.insert(0, note);
        }
        notes.extend(words::counted(runs, &results));
        notes.extend(words::shared_seeds(&results));
        notes.extend(reached.iter().filter_map(Reached::caution));
        let compared_run = |((run, name), moment): ((&Recorded, &String), &ComparedSeeds)| {
            let episodes = || moment.values().map(|at| at.1);
            ComparedRun {
                name: name.clone(),
                subject: run.config.subject(None),
                seeds: moment.len(),
                episodes_low: episodes().min().unwrap_or_default(),
                episodes_high: episodes().max().unwrap_or_default(),
            }
        };
        Ok(Comparison {
            game: runs[0].config.game.name,
            epoch,
            runs: runs
                .iter()
                .zip(&names)
                .zip(&moments)
                .map(compared_run)
                .collect(),
            tests,
            notes,
            subjects: results,
            reached,
        })
    }
}

/// The subjects whose values differ, with every run's values by seed.
type Differing = Vec<(Subject, Vec<Vec<(u64, f64)>>)>;

/// The subjects that have the same value everywhere, and that value.
type Same = Vec<(Subject, f64)>;

/// Splits the subjects into those whose values differ and the others. Errors: [`Error::Input`] if a run has no value.
fn differing(
    runs: &[Recorded],
    names: &[String],
    subjects: Vec<Subject>,
    moments: &[ComparedSeeds],
) -> Result<(Differing, Same), Error> {
    let (mut differing, mut same) = (Vec::new(), Vec::new());
    for subject in subjects {
        let values: Vec<Vec<(u64, f64)>> = (runs.iter().zip(moments))
            .map(|(run, moment)| subject.values(run, moment))
            .collect();
        if let Some(run) = values.iter().position(Vec::is_empty) {
            return Err(Error::input(format!(
                "{} has no {} of the seeds that are compared",
                names[run],
                subject.title()
            )));
        }
        match only_value(values.iter().flatten().map(|of_seed| of_seed.1)) {
            Some(value) => same.push((subject, value)),
            None => differing.push((subject, values)),
        }
    }
    Ok((differing, same))
}

/// Computes all intervals and tests. Seeds are compared in pairs only if there are enough for p to reach this level.
fn results(
    runs: &[Recorded],
    names: &[String],
    differing: Differing,
    pairs: &[(usize, usize)],
    level: f64,
    threads: usize,
) -> Vec<SubjectResult> {
    let learns = |run: &Recorded| run.config.learner.is_some();
    let learns: Vec<bool> = runs.iter().map(learns).collect();
    let of_runs = |subject: usize| (0..runs.len()).map(move |run| (subject, run));
    let all: Vec<(usize, usize)> = (0..differing.len()).flat_map(of_runs).collect();
    let Ok(summaries) = on_each(threads, &all, |&(subject, run)| {
        let (subject, values) = &differing[subject];
        let (name, values) = (&names[run], &values[run]);
        Ok::<_, Infallible>(Summary::new(name, subject.metric, values, learns[run]))
    });
    let of_pairs = |subject: usize| pairs.iter().map(move |&(a, b)| (subject, a, b));
    let all: Vec<(usize, usize, usize)> = (0..differing.len()).flat_map(of_pairs).collect();
    let Ok(tested) = on_each(threads, &all, |&(subject, a, b)| {
        let of_runs = &summaries[subject * runs.len()..];
        let (pair, learn) = ([&of_runs[a], &of_runs[b]], learns[a] || learns[b]);
        Ok::<_, Infallible>(PairResult::new(&differing[subject].0, pair, learn, level))
    });
    let (mut summaries, mut tested) = (summaries.into_iter(), tested.into_iter());
    let result = |(subject, _): (Subject, _)| SubjectResult {
        better: subject.better(),
        runs: summaries.by_ref().take(runs.len()).collect(),
        pairs: tested.by_ref().take(pairs.len()).collect(),
        subject,
    };
    differing.into_iter().map(result).collect()
}

/// The common value of all, if there is one.
fn only_value(mut all: impl Iterator<Item = f64>) -> Option<f64> {
    let first = all.next()?;
    all.all(|one| order(one, first).is_eq()).then_some(first)
}

/// The number of tests of a comparison.
#[derive(Clone, Copy)]
struct Tests {
    all: usize,
    /// The number of tests that found no difference.
    open: usize,
}

/// Adjusts the p-values of all tests together, and concludes what follows from each. Returns the number of tests.
fn adjust(results: &mut [SubjectResult], reached: &mut [Reached]) -> usize {
    let pairs = results.iter_mut().flat_map(|result| &mut result.pairs);
    let pairs = pairs.filter_map(|pair| Some((pair.p?, &mut pair.p_adjusted)));
    let waits = reached.iter_mut().flat_map(|reached| &mut reached.pairs);
    let waits = waits.map(|pair| (pair.p, &mut pair.p_adjusted));
    let (ps, places): (Vec<f64>, Vec<&mut Option<f64>>) = pairs.chain(waits).unzip();
    let mut tests = Tests {
        all: ps.len(),
        open: 0,
    };
    for (place, adjusted) in places.into_iter().zip(holm(&ps)) {
        *place = Some(adjusted);
        tests.open += usize::from(adjusted > LEVEL);
    }
    for result in results {
        for pair in &mut result.pairs {
            pair.conclude(&result.subject, tests);
            pair.sentence = words::conclusion(pair, &result.subject, tests);
        }
    }
    let pairs = reached.iter_mut().flat_map(|reached| &mut reached.pairs);
    pairs.for_each(PairReached::conclude);
    tests.all
}

impl Summary {
    fn new(run: &str, metric: Metric, values: &[(u64, f64)], learns: bool) -> Summary {
        let plain: Vec<f64> = values.iter().map(|of_seed| of_seed.1).collect();
        let [of_mean, of_iqm] = intervals(&plain, metric, learns);
        let (mean_low, mean_high) = of_mean.unzip();
        let (iqm_low, iqm_high) = of_iqm.unzip();
        Summary {
            run: run.to_owned(),
            seeds: plain.len(),
            mean: mean(&plain),
            mean_low,
            mean_high,
            iqm: (metric != Metric::UnbeatableSeeds).then(|| interquartile_mean(&plain)),
            iqm_low,
            iqm_high,
            least: plain.iter().copied().fold(f64::INFINITY, f64::min),
            greatest: plain.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            values: values.to_vec(),
        }
    }

    /// The values without their seeds.
    fn plain(&self) -> Vec<f64> {
        self.values.iter().map(|of_seed| of_seed.1).collect()
    }
}

/// The intervals of both means; for unbeatable seeds the first one is of their share.
fn intervals(values: &[f64], metric: Metric, learns: bool) -> [Option<(f64, f64)>; 2] {
    if metric != Metric::UnbeatableSeeds {
        return mean_intervals(values);
    }
    // If the seeds of an agent that does not learn agree, they are copies of one observation.
    let are_copies = !learns && only_value(values.iter().copied()).is_some();
    let unbeatable = values.iter().filter(|value| **value > 0.5).count() as u64;
    let of_share = || wilson(unbeatable, values.len() as u64);
    [(!are_copies).then(of_share), None]
}
