//! Which values a config may have.

use toml::Value;

use super::{
    Config, FORM, MAX_EPISODES, MAX_SEED, MAX_SEEDS, OpponentSpec, Seeds, Sides, Stop, Sweep,
};
use crate::agent::AgentSpec;
use crate::error::{Invalid, above_zero, within};
use crate::evaluate::{check_endgames, check_openings};
use crate::learn::Frame;
use crate::text::thousands;

fn invalid(path: impl AsRef<str>, message: impl Into<String>) -> Result<(), Invalid> {
    Err(Invalid::new(path.as_ref(), message))
}

impl Config {
    /// Checks the values of all keys, and whether they are consistent. Errors: the first key that
    /// is wrong.
    pub fn check(&self) -> Result<(), Invalid> {
        self.validate_seeds()?;
        self.validate_length()?;
        self.validate_opponents()?;
        self.sweep.as_ref().map_or(Ok(()), Sweep::check)?;
        self.validate_learner()?;
        // An empty list is written as no key at all, which would be reported as missing.
        FORM.check(&Value::Table(self.to_table()))?;
        if self.log.each_seed && !self.log.tensorboard {
            let message = "this needs log.tensorboard = true as well";
            return invalid("log.each_seed", message);
        }
        self.validate_evaluation()
    }

    fn validate_length(&self) -> Result<(), Invalid> {
        let length = [
            ("epochs", self.epochs),
            ("episodes_per_epoch", self.episodes_per_epoch),
        ];
        for (key, value) in length {
            if self.learner.is_none() && value.is_some() {
                return invalid(
                    key,
                    "an agent is measured once, without training; leave this key out",
                );
            }
        }
        let episodes = self.epochs().checked_mul(self.episodes_per_epoch());
        if episodes.is_none_or(|all| all > MAX_EPISODES) {
            return invalid("epochs", "epochs times episodes_per_epoch is above 2^53");
        }
        Ok(())
    }

    fn validate_learner(&self) -> Result<(), Invalid> {
        match (&self.learner, &self.agent) {
            (Some(learner), None) => learner.check(&Frame {
                game: self.game,
                opponents: self.opponents.len(),
                episodes: self.episodes(),
            }),
            (None, Some(agent)) => {
                if !self.opponents.is_empty() {
                    let message = "an agent that does not learn trains against nobody, expected \
                                   evaluation.opponents";
                    return invalid("opponents", message);
                }
                self.validate_agent(agent, "agent".to_owned())
            }
            (Some(_), Some(_)) => {
                invalid("agent", "there is a learner as well, expected one of them")
            }
            (None, None) => unreachable!("a config has one of them, or it does not fit its form"),
        }
    }

    /// Checks the options of `evaluation` that only some games or learners have.
    fn validate_evaluation(&self) -> Result<(), Invalid> {
        let game = self.game;
        let learner = self.learner.as_ref();
        let can_grow =
            !game.listed && learner.is_some_and(|learner| learner.settings().grows_in_play());
        if self.evaluation.simulations > 0 && !can_grow {
            let message =
                "simulations are for a learned tree on a game whose positions are not listed";
            return invalid("evaluation.simulations", message);
        }
        within(self.evaluation.epsilon, 0.0, 1.0)
            .or_else(|message| invalid("evaluation.epsilon", message))?;
        if self.evaluation.epsilon > 0.0 && (game.listed || learner.is_none()) {
            let message = "random moves are for a learner on a game whose positions are not listed; an agent \
                           has an epsilon of its own";
            return invalid("evaluation.epsilon", message);
        }
        if let Some(plies) = self.evaluation.openings {
            check_openings(game, plies).or_else(|why| invalid("evaluation.openings", why))?;
            self.check_moves_listed("evaluation.openings")?;
        }
        if let Some(empties) = self.evaluation.endgames {
            check_endgames(game, empties).or_else(|why| invalid("evaluation.endgames", why))?;
            self.check_moves_listed("evaluation.endgames")?;
        }
        let exact = game.listed && self.agent.as_ref().is_none_or(|agent| agent.has_policy());
        if exact {
            return Ok(());
        }
        let game = game.name;
        if self.evaluation.games == 0 {
            let message = format!(
                "0 games, but on {game} what cannot be computed is counted in games; expected at least 1"
            );
            return invalid("evaluation.games", message);
        }
        let games = [self.seeds.count(), self.epochs(), self.games_per_epoch()];
        let all = games.iter().try_fold(1u64, |all, &n| all.checked_mul(n));
        if all.is_none_or(|all| all > 1 << 53) {
            return invalid("evaluation.games", "more games in all than 2^53");
        }
        if self.stop == Stop::Unbeatable {
            let message = format!("whether an agent is unbeatable cannot be computed on {game}");
            return invalid("stop", message);
        }
        Ok(())
    }

    /// Checks that the probabilities of moves can be listed, as this key requires.
    fn check_moves_listed(&self, path: &str) -> Result<(), Invalid> {
        let has_moves = |agent: &AgentSpec| agent.has_policy() || agent.run().is_some();
        match &self.agent {
            _ if self.evaluation.simulations > 0 => invalid(
                path,
                "with evaluation.simulations the probabilities of the learner's moves cannot be listed, by which it \
                 would be judged; expected one or the other",
            ),
            Some(agent) if !has_moves(agent) => {
                let message = format!(
                    "the probabilities of the moves of '{agent}' cannot be listed, by which it would be judged; \
                     expected none"
                );
                invalid(path, message)
            }
            _ => Ok(()),
        }
    }

    fn validate_seeds(&self) -> Result<(), Invalid> {
        if let Seeds::List(list) = &self.seeds {
            let count = list.len() as u64;
            if count == 0 || count > MAX_SEEDS {
                let [count, most] = [count, MAX_SEEDS].map(thousands);
                return invalid("seeds", format!("{count} seeds, expected 1 to {most}"));
            }
            if let Some(large) = list.iter().find(|&&seed| seed > MAX_SEED) {
                return invalid("seeds", format!("seed {large} is above {MAX_SEED}"));
            }
            let mut sorted = list.clone();
            sorted.sort_unstable();
            if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                return invalid(
                    "seeds",
                    format!("seed {} is listed twice, expected each once", twice[0]),
                );
            }
        }
        Ok(())
    }

    fn validate_opponents(&self) -> Result<(), Invalid> {
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
                    if self.game.listed {
                        with_policy(agent, &path, ", or self")?;
                    }
                    self.validate_agent(agent, path)?;
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
            if self.game.listed {
                with_policy(agent, &path, "")?;
            }
            self.validate_agent(agent, path.clone())?;
            agent
                .check_new(&self.evaluation.opponents[..i])
                .map_err(|why| Invalid::new(&path, why))?;
        }
        Ok(())
    }

    /// Checks that an agent's play can be repeated to the byte.
    fn validate_agent(&self, agent: &AgentSpec, path: String) -> Result<(), Invalid> {
        if agent.run().is_some() {
            let message = match self.game.listed {
                true => {
                    "a config depends on no other run; expected an agent that does not learn, such as that run's \
                     table: lab export RUN --output table.csv writes it, and policy:table.csv plays by it"
                }
                false => "a config depends on no other run; expected an agent that does not learn",
            };
            return invalid(path, message);
        }
        let fits = agent
            .check_repeatable()
            .and_then(|()| agent.check(self.game));
        fits.or_else(|message| invalid(path, message))
    }
}

/// Checks that an agent's moves have known probabilities; `more` names other agents that would do.
fn with_policy(agent: &AgentSpec, path: &str, more: &str) -> Result<(), Invalid> {
    if agent.has_policy() || agent.run().is_some() {
        return Ok(());
    }
    invalid(
        path,
        format!(
            "the probabilities of the moves of '{agent}' cannot be listed; expected random, \
             minimax, block-or-random, greedy, alpha-beta or policy:FILE{more}"
        ),
    )
}
