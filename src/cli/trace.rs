use std::sync::Arc;

use clap::Args;
use playlab::Error;
use playlab::config::{
    MAX_SEED, OpponentConfig, OpponentSpec, Seeds, Stop, read_config, read_config_with,
};
use playlab::game::{Move, Outcome, Side};
use playlab::graph::GameGraph;
use playlab::learn::{Choice, EPSILON, Recorder, Scalar, TEMPERATURE, UpdateKind, UpdateRecord};
use playlab::text::{count, thousands};
use playlab::workflow;

use super::complain;
use super::output::print;
use super::position::board;
use super::target::ConfigFile;
use super::whole::whole;

/// Show the first episodes of training: every move and every update
///
/// For all learners but td and mcts. The learner's page in docs/learners explains the updates.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab trace configs/qtable_o.toml
  lab trace configs/qtable_o.toml --skip 1000 --episodes 1")]
pub struct Trace {
    #[command(flatten)]
    experiment: ConfigFile,

    /// Set a key of the config to another value; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// The seed to train [default: the first of the config]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=MAX_SEED))]
    seed: Option<u64>,

    /// How many episodes to play
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(1..=u64::MAX))]
    episodes: u64,

    /// How many episodes to train first without showing them
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: u64,
}

impl Trace {
    pub fn run(self) -> Result<(), Error> {
        let path = self.experiment.path()?;
        let mut config = match read_config(path) {
            Ok(mut config) => {
                let swept = config.sweep.take();
                let config = config.with_overrides(&self.set)?;
                match (swept.or(config.sweep.clone()), &self.set[..]) {
                    (None, _) => {}
                    (_, []) => complain(
                        "note: this is the config without its sweep; --set KEY=VALUE traces one of its values",
                    ),
                    _ => complain("note: this is the config without its sweep"),
                }
                config
            }
            // A key may mend it.
            Err(_) if !self.set.is_empty() => read_config_with(path, &self.set)?,
            Err(error) => return Err(error),
        };
        if let Some(seed) = self.seed {
            config.seeds = Seeds::range(seed, 1);
        }
        let all = config.episodes();
        if config.learner.is_some() && self.skip.saturating_add(self.episodes) > all {
            let most = match config.stop {
                Stop::Never => "",
                Stop::Unbeatable => "at most ",
            };
            complain(&format!(
                "note: the training ends after {most}{}; later ones show how it would continue",
                count(all, "episode")
            ));
        }
        let mut trace = workflow::Trace::begin(config, self.skip)?;
        let (solved, opponents) = (Arc::clone(&trace.solved), trace.opponents.clone());
        for _ in 0..self.episodes {
            let mut transcript = Transcript {
                graph: &solved.graph,
                opponents: &opponents,
                text: String::new(),
            };
            let episode = trace.train(&mut transcript);
            let mut text = format!("Episode {} of seed {}", thousands(episode), trace.seed);
            let scalars = &trace.learner.scalars()[0];
            for (wanted, label) in [(EPSILON, "ε = "), (TEMPERATURE, "temperature ")] {
                let mut columns = trace.columns.iter().zip(scalars);
                let found = columns.find(|(column, _)| **column == wanted);
                if let Some((_, Scalar::Number(Some(value)))) = found {
                    let digits = digits(*value, 6);
                    let digits = match digits.contains('e') {
                        true => &digits,
                        false => digits.trim_end_matches('0').trim_end_matches('.'),
                    };
                    text += &format!(", {label}{digits}");
                }
            }
            print(&format!("{text}{}\n", transcript.text))?;
        }
        Ok(())
    }
}

/// A parameter with this many decimals, or with four digits if it is too small for them.
fn digits(value: f64, decimals: usize) -> String {
    let rounded = format!("{value:.decimals$}");
    let is_small = 0.0 < value && value < 0.001;
    match is_small && rounded.parse() != Ok(value) {
        true => format!("{value:.3e}"),
        false => rounded,
    }
}

/// A value with its sign and four decimals, or with two digits if they would show 0.
fn signed_value(value: f64) -> String {
    match value != 0.0 && value.abs() < 0.000_05 {
        true => format!("{value:+.1e}"),
        false => format!("{value:+.4}"),
    }
}

/// Writes down what happens.
struct Transcript<'a> {
    graph: &'a GameGraph,
    opponents: &'a [OpponentConfig],
    text: String,
}

impl Recorder for Transcript<'_> {
    fn started(&mut self, opponent: usize) {
        self.text += &match &self.opponents[opponent].agent {
            OpponentSpec::SelfPlay => ", self-play\n".to_owned(),
            OpponentSpec::Agent(agent) => format!(", against {agent}\n"),
        };
    }

    fn moved(&mut self, edge: usize, choice: Choice) {
        let graph = self.graph;
        let mover = graph.to_move(graph.position_of(edge));
        let why = match choice {
            Choice::Explored => "the learner, exploring",
            Choice::Drawn => "the learner, by softmax",
            Choice::Greedy => "the learner, greedy",
            Choice::Opponent => "the opponent",
        };
        self.text += &format!(
            "\n{} plays {} ({why})\n{}",
            mover.letter(),
            graph.format_move(edge),
            board(graph.position(graph.child(edge)), [])
        );
    }

    fn forfeited(&mut self, side: Side, mv: Move) {
        self.text += &format!(
            "\n{} tries {}, which is not legal, and loses\n",
            side.letter(),
            self.graph.game().format_move(mv)
        );
    }

    fn updated(&mut self, update: &UpdateRecord) {
        let UpdateRecord {
            target,
            learning_rate,
            discount,
            old,
            new,
            error,
            ..
        } = update;
        if update.kind == UpdateKind::OtherPreference && old == new {
            return;
        }
        let [target, old, new, error] = [target, old, new, error].map(|&value| signed_value(value));
        let graph = self.graph;
        let state = graph.format_position(graph.position_of(update.edge));
        let mv = graph.format_move(update.edge);
        let (what, step_size) = match (update.kind, update.table) {
            (UpdateKind::State, _) => (format!("V({state})"), "α_w"),
            (UpdateKind::Preference | UpdateKind::OtherPreference, _) => {
                (format!("preference θ({state}, {mv})"), "α_θ")
            }
            (UpdateKind::Planned, _) => (format!("planned, Q({state}, {mv})"), "α"),
            (UpdateKind::Value, None) => (format!("Q({state}, {mv})"), "α"),
            (UpdateKind::Value, Some(0)) => (format!("first table, Q({state}, {mv})"), "α"),
            (UpdateKind::Value, Some(_)) => (format!("second table, Q({state}, {mv})"), "α"),
        };
        let by = match update.kind {
            UpdateKind::OtherPreference => "",
            // This error is the error of the state's value.
            UpdateKind::Preference => &format!("; δ {error}"),
            UpdateKind::State => &format!("; target {target}, δ {error}"),
            _ => &format!("; target {target}, TD error {error}"),
        };
        let alpha = digits(*learning_rate, 4);
        let and = match update.kind {
            UpdateKind::OtherPreference => String::new(),
            _ => format!(", {step_size} {alpha}, γ {discount}"),
        };
        self.text += &format!("  update: {what} {old} -> {new}{by}{and}\n");
    }

    fn updated_illegal(&mut self, position: usize, mv: Move, old: f64, new: f64, target: f64) {
        let (state, mv) = (
            self.graph.format_position(position),
            self.graph.game().format_move(mv),
        );
        self.text += &format!(
            "  update: Q({state}, {mv}), which is not legal, {} -> {}; target {}\n",
            signed_value(old),
            signed_value(new),
            signed_value(target)
        );
    }

    fn ended(&mut self, outcome: Outcome) {
        self.text += &match outcome {
            Outcome::Win(side) => format!("{} wins.\n", side.letter()),
            Outcome::Draw => "A draw.\n".to_owned(),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::signed_value;

    #[test]
    fn what_is_not_0_does_not_look_like_it() {
        let texts = [0.0, 0.25, -0.00005, -0.00004, 1e-7].map(signed_value);
        assert_eq!(
            texts,
            ["+0.0000", "+0.2500", "-0.0001", "-4.0e-5", "+1.0e-7"]
        );
    }
}
