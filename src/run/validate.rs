//! Which values a config may have.

use super::config::{Config, LearnerConfig, MAX_SEED, MAX_SEEDS, OpponentSpec, Seeds, Sides, Stop};
use crate::agent::AgentSpec;
use crate::learn::{Exploration, LearningRate, QLearningConfig};
use crate::search::mcts::{MAX_SIMULATIONS, MctsConfig, Merge};

/// A value that is not allowed: the path of its key, and what is wrong.
pub(super) struct Invalid {
    pub(super) path: String,
    pub(super) message: String,
}

fn invalid(path: impl Into<String>, message: impl Into<String>) -> Result<(), Invalid> {
    Err(Invalid {
        path: path.into(),
        message: message.into(),
    })
}

fn within(value: f64, low: f64, high: f64) -> Result<(), String> {
    if (low..=high).contains(&value) {
        Ok(())
    } else {
        Err(format!(
            "{value} is out of range, expected a number from {low} to {high}"
        ))
    }
}

/// Larger numbers could overflow in sums of products.
const LARGEST: f64 = 1e100;

fn above_zero(value: f64) -> Result<(), String> {
    if value > 0.0 && value <= LARGEST {
        Ok(())
    } else {
        Err(format!(
            "{value} is out of range, expected a number above 0"
        ))
    }
}

fn finite(value: f64) -> Result<(), String> {
    within(value, -LARGEST, LARGEST)
}

impl Config {
    pub(super) fn validate(&self) -> Result<(), Invalid> {
        let positive = [
            ("epochs", self.epochs),
            ("episodes_per_epoch", self.episodes_per_epoch),
            ("patience", self.patience),
            ("checkpoints.every", self.checkpoints.every),
        ];
        for (path, value) in positive {
            if value == 0 {
                return invalid(path, "0 is out of range, expected at least 1");
            }
        }
        if self
            .epochs
            .checked_mul(self.episodes_per_epoch)
            .is_none_or(|all| all > 1 << 53)
        {
            return invalid("epochs", "epochs times episodes_per_epoch is above 2^53");
        }
        self.validate_seeds()?;
        self.validate_opponents()?;
        self.validate_sweep()?;
        match &self.learner {
            LearnerConfig::QLearning(config) => validate_q_learning(config),
            LearnerConfig::Mcts(config) => {
                if self.epochs * self.episodes_per_epoch > MAX_SIMULATIONS {
                    let message = format!(
                        "epochs times episodes_per_epoch is above {MAX_SIMULATIONS}, the most \
                         simulations of a tree"
                    );
                    return invalid("epochs", message);
                }
                validate_mcts(config, self.is_sampled())
            }
        }?;
        self.validate_sampled()
    }

    /// What cannot be had where strength is counted in games.
    fn validate_sampled(&self) -> Result<(), Invalid> {
        if !self.is_sampled() {
            return Ok(());
        }
        let game = self.game.as_str();
        if matches!(self.learner, LearnerConfig::QLearning(_)) {
            return invalid(
                "game",
                format!(
                    "a Q-table needs a game whose positions are listed, and {game} has too many; \
                     choose a smaller board (lab games), or the learner mcts"
                ),
            );
        }
        if self.evaluation.games == 0 {
            let message = format!("0 games, and nothing is exact on {game}; expected at least 1");
            return invalid("evaluation.games", message);
        }
        let pairings = (self.evaluation.opponents.len() * self.side.list().len()) as u64;
        let games = [
            self.seeds.count(),
            self.epochs,
            pairings,
            self.evaluation.games,
        ];
        let all = games.iter().try_fold(1u64, |all, &n| all.checked_mul(n));
        if all.is_none_or(|all| all > 1 << 53) {
            return invalid("evaluation.games", "more games in all than 2^53");
        }
        if self.stop == Stop::Unbeatable {
            let message = format!("whether it is unbeatable cannot be told on {game}");
            return invalid("stop", message);
        }
        Ok(())
    }

    fn validate_seeds(&self) -> Result<(), Invalid> {
        let count = self.seeds.count();
        if count == 0 || count > MAX_SEEDS {
            return invalid("seeds", format!("{count} seeds, expected 1 to {MAX_SEEDS}"));
        }
        if let Seeds::List(list) = &self.seeds {
            if let Some(large) = list.iter().find(|&&seed| seed > MAX_SEED) {
                return invalid("seeds", format!("seed {large} is above {MAX_SEED}"));
            }
            let mut sorted = list.clone();
            sorted.sort_unstable();
            if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                return invalid("seeds", format!("seed {} is listed twice", twice[0]));
            }
        }
        Ok(())
    }

    fn validate_sweep(&self) -> Result<(), Invalid> {
        let Some(sweep) = &self.sweep else {
            return Ok(());
        };
        if sweep.values.is_empty() {
            return invalid("sweep.values", "no value, expected at least one");
        }
        for (i, value) in sweep.values.iter().enumerate() {
            if !(0.0..=LARGEST).contains(value) {
                let message = format!("{value} is out of range, expected a number of at least 0");
                return invalid(format!("sweep.values[{i}]"), message);
            }
            if sweep.values[..i].contains(value) {
                let message = format!("{value} is listed twice");
                return invalid(format!("sweep.values[{i}]"), message);
            }
        }
        if sweep.key.split('.').next() == Some("sweep") {
            return invalid("sweep.key", "a sweep cannot change itself");
        }
        Ok(())
    }

    fn validate_opponents(&self) -> Result<(), Invalid> {
        match (&self.learner, self.opponents.is_empty()) {
            (LearnerConfig::QLearning(_), true) => {
                return invalid(
                    "opponents",
                    "no opponent to train against, expected at least one",
                );
            }
            (LearnerConfig::Mcts(_), false) => {
                return invalid(
                    "opponents",
                    "a search tree plays both sides itself, expected no opponents",
                );
            }
            _ => {}
        }
        for (i, opponent) in self.opponents.iter().enumerate() {
            above_zero(opponent.weight)
                .or_else(|message| invalid(format!("opponents[{i}].weight"), message))?;
            let path = format!("opponents[{i}].agent");
            match &opponent.agent {
                OpponentSpec::SelfPlay if self.side != Sides::Both => {
                    let message = "self-play learns both sides, expected side = \"both\"";
                    return invalid(path, message);
                }
                OpponentSpec::SelfPlay => {}
                OpponentSpec::Agent(agent) => {
                    with_policy(agent, path.clone())?;
                    let fits = agent.check(self.game.info());
                    fits.or_else(|message| invalid(path, format!("'{agent}': {message}")))?;
                }
            }
        }
        if self.evaluation.opponents.is_empty() {
            return invalid(
                "evaluation.opponents",
                "nobody to measure against, expected at least one",
            );
        }
        for (i, agent) in self.evaluation.opponents.iter().enumerate() {
            let path = format!("evaluation.opponents[{i}]");
            if !self.is_sampled() {
                with_policy(agent, path.clone())?;
            }
            if matches!(agent, AgentSpec::Run(_)) {
                let message =
                    "a config depends on no other run; expected an agent that does not learn";
                return invalid(path, message);
            }
            if agent.depends_on_time() {
                let message = "what it plays depends on the speed of the machine; give it simulations \
                               instead of milliseconds";
                return invalid(path, message);
            }
            let fits = agent.check(self.game.info());
            fits.or_else(|message| invalid(path.clone(), format!("'{agent}': {message}")))?;
            if self.evaluation.opponents[..i].contains(agent) {
                return invalid(path, format!("'{agent}' is listed twice"));
            }
        }
        Ok(())
    }
}

/// An agent can take part if the probabilities of its moves are known.
fn with_policy(agent: &AgentSpec, path: String) -> Result<(), Invalid> {
    if agent.has_policy() {
        return Ok(());
    }
    invalid(
        path,
        format!(
            "the probabilities of the moves of '{agent}' cannot be listed; expected random, \
             minimax, block-or-random, greedy or alpha-beta"
        ),
    )
}

fn validate_mcts(config: &MctsConfig, sampled: bool) -> Result<(), Invalid> {
    let path = |key: &str| format!("learner.mcts.{key}");
    config
        .validate()
        .or_else(|(key, message)| invalid(path(key), message))?;
    if config.merge == Merge::None && !sampled {
        return invalid(
            path("merge"),
            "what is learned is a policy on positions, expected \"transpositions\" or \
             \"symmetries\"",
        );
    }
    Ok(())
}

fn validate_q_learning(config: &QLearningConfig) -> Result<(), Invalid> {
    let path = |key: &str| format!("learner.q-learning.{key}");
    let check = |key: &str, result: Result<(), String>| {
        result.or_else(|message| invalid(path(key), message))
    };
    check("discount", within(config.discount, 0.0, 1.0))?;
    check("initial_value", finite(config.initial_value))?;
    check("rewards.win", finite(config.rewards.win))?;
    check("rewards.draw", finite(config.rewards.draw))?;
    check("rewards.loss", finite(config.rewards.loss))?;
    match &config.learning_rate {
        LearningRate::Schedule(schedule) => {
            check(
                "learning_rate",
                schedule.validate(|rate| within(rate, 0.0, 1.0)),
            )?;
        }
        LearningRate::VisitCount(count) => {
            let scale = within(count.scale, f64::MIN_POSITIVE, 1.0).map_err(|_| {
                format!(
                    "{} is out of range, expected above 0 and at most 1",
                    count.scale
                )
            });
            check("learning_rate.visit-count.scale", scale)?;
            check(
                "learning_rate.visit-count.exponent",
                within(count.exponent, 0.0, 10.0),
            )?;
            check(
                "learning_rate.visit-count.minimum",
                within(count.minimum, 0.0, 1.0),
            )?;
        }
    }
    match &config.exploration {
        Exploration::EpsilonGreedy { epsilon } => check(
            "exploration.epsilon-greedy.epsilon",
            epsilon.validate(|epsilon| within(epsilon, 0.0, 1.0)),
        ),
        Exploration::Softmax { temperature } => check(
            "exploration.softmax.temperature",
            temperature.validate(above_zero),
        ),
    }
}
