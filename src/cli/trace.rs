use std::path::PathBuf;

use clap::Args;
use playlab::Error;
use playlab::game::{Outcome, Side};
use playlab::graph::GameGraph;
use playlab::learn::{Choice, QLearner, Recorder, Setup, UpdateRecord};
use playlab::rng::{Purpose, stream};
use playlab::run::{Experiment, OpponentConfig, OpponentSpec, read_config};

use super::output::print;
use super::position::board;

/// Play the first episodes of a training aloud: every move and every update
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab trace --config configs/qtable_o.toml
  lab trace --config configs/qtable_o.toml --skip 1000 --episodes 1")]
pub struct Trace {
    /// The experiment, as a TOML file
    #[arg(long, value_name = "FILE")]
    config: PathBuf,

    /// Set a key of the config anew; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// How many episodes to play
    #[arg(long, value_name = "N", default_value_t = 1)]
    episodes: u64,

    /// How many episodes to train silently before
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: u64,
}

impl Trace {
    /// Plays and tells.
    pub fn run(self) -> Result<(), Error> {
        let config = read_config(&self.config)?.with_overrides(&self.set)?;
        let seed = config.seeds.list()[0];
        let experiment = Experiment::prepare(config)?;
        let Setup::QLearning(setup) = experiment.setup() else {
            return Err(Error::input(format!(
                "{}: a trace shows the updates of Q-learning, and this config trains a search \
                 tree; lab solve --method mcts shows one",
                self.config.display()
            )));
        };
        let mut learner = QLearner::new(&setup, stream(seed, Purpose::Training, 0, 0));
        learner.train(self.skip, &mut ());
        for _ in 0..self.episodes {
            let episode = learner.episodes();
            let mut head = format!("Episode {} of seed {seed}", episode + 1);
            if let Some(epsilon) = setup.epsilon(episode) {
                head += &format!(", ε = {epsilon}");
            }
            if let Some(temperature) = setup.temperature(episode) {
                head += &format!(", temperature {temperature}");
            }
            let mut teller = Teller {
                graph: &experiment.graph,
                text: head,
                opponents: &experiment.config.opponents,
                discount: setup.config().discount,
            };
            learner.train(1, &mut teller);
            print(&(teller.text + "\n"))?;
        }
        Ok(())
    }
}

/// Writes down what happens.
struct Teller<'a> {
    graph: &'a GameGraph,
    text: String,
    opponents: &'a [OpponentConfig],
    discount: f64,
}

impl Recorder for Teller<'_> {
    fn started(&mut self, opponent: usize) {
        self.text += &match &self.opponents[opponent].agent {
            OpponentSpec::SelfPlay => ", self-play\n".to_owned(),
            OpponentSpec::Agent(agent) => format!(", against {agent}\n"),
        };
    }

    fn moved(&mut self, edge: usize, choice: Choice) {
        let position = self.graph.position_of(edge);
        let mover: Side = self.graph.to_move(position);
        let why = match choice {
            Choice::Explored => "the learner, exploring",
            Choice::Greedy => "the learner, greedy",
            Choice::Opponent => "the opponent",
        };
        let child = self.graph.child(edge);
        self.text += &format!(
            "\n{} plays {} ({why})\n{}",
            mover.letter(),
            self.graph.format_move(edge),
            board(self.graph.game(), self.graph.key(child), |_| None)
        );
    }

    fn updated(&mut self, update: &UpdateRecord) {
        let position = self.graph.position_of(update.edge);
        let UpdateRecord {
            target,
            learning_rate,
            old,
            new,
            ..
        } = update;
        let table = if update.table == 0 {
            "Q"
        } else {
            "Q of the second table"
        };
        self.text += &format!(
            "  update: {table}({}, {}) {old:+.4} -> {new:+.4}; target {target:+.4}, TD error {:+.4}, α {learning_rate:.4}, γ {}\n",
            self.graph.format_position(position),
            self.graph.format_move(update.edge),
            target - old,
            self.discount
        );
    }

    fn ended(&mut self, outcome: Outcome) {
        self.text += &match outcome {
            Outcome::Win(side) => format!("{} wins.\n", side.letter()),
            Outcome::Draw => "A draw.\n".to_owned(),
        };
    }
}
