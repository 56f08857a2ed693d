//! How many episodes it takes to reach a value.

use std::collections::BTreeMap;

use serde::Serialize;

use super::LEVEL;
use super::pair::pairs;
use super::values::{Better, Subject};
use crate::error::Error;
use crate::rng::{Purpose, stream};
use crate::stats::{KaplanMeier, Waited, log_rank};
use crate::train::{Metric, Recorded};

/// How many episodes the seeds of runs took to reach a value for the first time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reached {
    /// The subject whose value was to be reached.
    #[serde(flatten)]
    pub subject: Subject,
    /// The value.
    pub threshold: f64,
    /// How soon each run reached it.
    pub runs: Vec<RunReached>,
    /// The comparisons of two runs each; empty if no seed of any run reached it, or all of them at the same time.
    pub pairs: Vec<PairReached>,
}

/// How many episodes the seeds of a run took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunReached {
    /// The run.
    pub run: String,
    /// Its seeds.
    pub seeds: usize,
    /// The number of seeds that reached it.
    pub reached: usize,
    /// The number of episodes after which half of the seeds had reached it (Kaplan–Meier); `None` if fewer did.
    pub median: Option<u64>,
    /// The lower end of its 95 % interval, where there is one.
    pub median_low: Option<u64>,
    /// The upper end, where there is one.
    pub median_high: Option<u64>,
    /// The most episodes after which a seed was measured that had not reached it by then.
    pub watched_until: u64,
    /// The number of seeds that ended early, as their config says, before they reached it.
    #[serde(skip)]
    stopped: usize,
    /// The share of the seeds that have not reached it, by episodes.
    #[serde(skip)]
    pub curve: KaplanMeier,
    /// The waiting time of each seed, by seed.
    #[serde(skip)]
    waited: Vec<(u64, Waited)>,
    /// The number of episodes for which a seed that had not reached it could be observed.
    #[serde(skip)]
    horizon: u64,
}

/// Two compared runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairReached {
    /// The name of A.
    pub a: String,
    /// The name of B.
    pub b: String,
    /// Whether the seeds that both have were exchanged one by one, rather than all of A's with all of B's.
    pub paired: bool,
    /// Whether the p-value is exact, rather than from a sample.
    pub exact: bool,
    /// The two-sided p-value of the log-rank test.
    pub p: f64,
    /// The p-value, adjusted for the number of tests of the comparison.
    pub p_adjusted: Option<f64>,
    /// Which run reaches it sooner, `a` or `b`; `None` if that is not shown.
    pub sooner: Option<char>,
    /// How many more seeds of B reached it than expected if both runs were equally fast.
    #[serde(skip)]
    excess: f64,
    /// The number of seeds of each that were compared.
    #[serde(skip)]
    pub(super) seeds: [usize; 2],
}

impl PairReached {
    fn new(a: &RunReached, b: &RunReached, level: f64) -> PairReached {
        // Later episodes, for which only one of them was observed, say nothing about the other.
        let until = a.horizon.min(b.horizon);
        let within = |&(seed, waited): &(u64, Waited)| (seed, waited.within(until));
        let [of_a, of_b] =
            [a, b].map(|run| -> Vec<(u64, Waited)> { run.waited.iter().map(within).collect() });
        let pairs = pairs(&of_a, &of_b, level);
        let paired = pairs.is_some();
        let all = |run: Vec<(u64, Waited)>| run.into_iter().map(|of_seed| of_seed.1).collect();
        let (x, y): (Vec<Waited>, Vec<Waited>) = pairs.unwrap_or_else(|| (all(of_a), all(of_b)));
        let found = log_rank(&x, &y, paired, &mut stream(0, Purpose::Permutation, 0, 0));
        PairReached {
            a: a.run.clone(),
            b: b.run.clone(),
            paired,
            exact: found.tested.exact,
            p: found.tested.p,
            p_adjusted: None,
            sooner: None,
            excess: found.excess,
            seeds: [x.len(), y.len()],
        }
    }

    /// Concludes which one is sooner, from the adjusted p-value.
    pub(super) fn conclude(&mut self) {
        let differ = self.p_adjusted.is_some_and(|p| p <= LEVEL);
        self.sooner = differ.then_some(if self.excess > 0.0 { 'b' } else { 'a' });
    }
}

/// The subjects to wait for: unbeatable seeds, and the threshold if one is given. Errors: [`Error::Input`] if
/// a threshold is given for no metric or more than one, or is not a possible value.
pub(super) fn awaited(
    subjects: &[Subject],
    metrics: &[Metric],
    threshold: Option<f64>,
) -> Result<Vec<(Subject, f64)>, Error> {
    let is_safe = |subject: &&Subject| subject.metric == Metric::UnbeatableSeeds;
    let safe = subjects.iter().filter(is_safe);
    let mut awaited: Vec<(Subject, f64)> = safe.map(|subject| (subject.clone(), 1.0)).collect();
    if let Some(threshold) = threshold {
        let metric = match metrics {
            [Metric::UnbeatableSeeds] => {
                Err("--threshold is for other metrics: a seed is unbeatable or not")
            }
            [metric] => Ok(*metric),
            _ => Err(
                "--threshold is a value of one metric: name that, such as --metric win-rate --threshold 0.95",
            ),
        };
        check_threshold(metric.map_err(Error::input)?, threshold)?;
        awaited.extend(subjects.iter().map(|subject| (subject.clone(), threshold)));
    }
    Ok(awaited)
}

/// Checks that a metric can reach a threshold. Errors: [`Error::Input`] with the possible values.
fn check_threshold(metric: Metric, threshold: f64) -> Result<(), Error> {
    if !threshold.is_finite() {
        return Err(Error::input("--threshold takes a number"));
    }
    let (least, greatest) = metric.ends();
    if (least..=greatest).contains(&threshold) {
        return Ok(());
    }
    let name = metric.name();
    Err(Error::input(match greatest == f64::INFINITY {
        true => format!("--threshold {threshold}: the {name} is at least {least}"),
        false => format!(
            "--threshold {threshold}: the {name} is from {least} to {greatest}, such as 0.95"
        ),
    }))
}

impl Reached {
    /// The episodes that each run took, up to the epoch if one is given; nothing is compared yet.
    pub(super) fn new(
        subject: Subject,
        threshold: f64,
        runs: &[Recorded],
        names: &[String],
        epoch: Option<u64>,
    ) -> Reached {
        let of_run = |(run, name): (&Recorded, &String)| {
            RunReached::new(name, run, &subject, threshold, epoch)
        };
        let runs: Vec<RunReached> = runs.iter().zip(names).map(of_run).collect();
        Reached {
            pairs: Vec::new(),
            subject,
            threshold,
            runs,
        }
    }

    /// Whether a test could distinguish the runs: some seed reached it, and not all at the same time.
    pub(super) fn can_differ(&self) -> bool {
        let mut all = self.runs.iter().flat_map(|run| &run.waited);
        let Some(first) = all.next().map(|seed| seed.1) else {
            return false;
        };
        match first.happened {
            true => all.any(|other| !other.1.happened || other.1.time != first.time),
            false => all.any(|other| other.1.happened),
        }
    }

    /// Compares pairs of the runs, if a test could distinguish them.
    pub(super) fn compare(&mut self, pairs: &[(usize, usize)], level: f64) {
        if self.can_differ() {
            let runs = &self.runs;
            let pair = |&(a, b): &(usize, usize)| PairReached::new(&runs[a], &runs[b], level);
            self.pairs = pairs.iter().map(pair).collect();
        }
    }

    /// The value to reach, such as `win rate against random ≥ 0.95`; `None` if seeds have to become unbeatable.
    fn value(&self) -> Option<String> {
        let sign = match self.subject.direction() {
            Some(Better::Lower) => "≤",
            _ => "≥",
        };
        (self.subject.metric != Metric::UnbeatableSeeds)
            .then(|| format!("{} {sign} {}", self.subject.name(), self.threshold))
    }

    /// The title of the results.
    pub fn title(&self) -> String {
        let what = self.value().unwrap_or_else(|| "unbeatable".to_owned());
        format!("{}: {what}", self.subject.side.letter())
    }

    /// The question answered: `O: episodes until a seed is first unbeatable`.
    pub fn question(&self) -> String {
        let until = match self.value() {
            Some(value) => format!("first reaches {value}"),
            None => "is first unbeatable".to_owned(),
        };
        let side = self.subject.side.letter();
        format!("{side}: episodes until a seed {until}")
    }

    /// A sentence that some seeds ended early without reaching it, if other seeds did reach it.
    pub(super) fn caution(&self) -> Option<String> {
        if self.runs.iter().all(|run| run.reached == 0) {
            return None;
        }
        let stopped = self.runs.iter().filter(|run| run.stopped > 0);
        let stopped: Vec<&str> = stopped.map(|run| run.run.as_str()).collect();
        (!stopped.is_empty()).then(|| {
            format!(
                "{}: in {}, some seeds were ended by `stop` before they got there. They are treated as if \
                 they had gone on like the others.",
                self.title(),
                stopped.join(", ")
            )
        })
    }
}

impl RunReached {
    fn new(
        name: &str,
        run: &Recorded,
        subject: &Subject,
        threshold: f64,
        epoch: Option<u64>,
    ) -> RunReached {
        let epochs = run.config.epochs().min(epoch.unwrap_or(u64::MAX));
        // By seed: the last episodes at which it was measured, and the first ones at which it had reached the value.
        let mut seeds: BTreeMap<u64, (u64, u64, Option<u64>)> = BTreeMap::new();
        let samples = subject.samples(run).into_iter();
        for sample in samples.filter(|sample| epoch.is_none_or(|epoch| sample.epoch <= epoch)) {
            let seed = seeds.entry(sample.seed).or_default();
            (seed.0, seed.1) = (seed.0.max(sample.episodes), seed.1.max(sample.epoch));
            if subject.reaches(sample.value, threshold) {
                let first = seed.2.get_or_insert(sample.episodes);
                *first = sample.episodes.min(*first);
            }
        }
        let waited = seeds.iter().map(|(&seed, &(last, _, first))| {
            let (time, happened) = (first.unwrap_or(last), first.is_some());
            (seed, Waited { time, happened })
        });
        let waited: Vec<(u64, Waited)> = waited.collect();
        let all: Vec<Waited> = waited.iter().map(|of_seed| of_seed.1).collect();
        let stopped = seeds
            .values()
            .filter(|&&(_, epoch, first)| run.finished && first.is_none() && epoch < epochs);
        let curve = KaplanMeier::new(&all);
        let (median_low, median_high) = curve.median_interval();
        let not_there = all.iter().filter(|one| !one.happened);
        RunReached {
            run: name.to_owned(),
            seeds: waited.len(),
            reached: all.iter().filter(|one| one.happened).count(),
            median: curve.median(),
            median_low,
            median_high,
            watched_until: not_there.map(|one| one.time).max().unwrap_or(0),
            stopped: stopped.count(),
            curve,
            horizon: match run.finished {
                true => epochs * run.config.episodes_per_epoch(),
                false => seeds.values().map(|seed| seed.0).max().unwrap_or(0),
            },
            waited,
        }
    }
}
