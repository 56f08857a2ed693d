//! What all seeds of a config share, and the opponents against which strength is measured.

use std::sync::Arc;

use super::judge::{Cast, Judge};
use super::quality::columns_of_game;
use crate::agent::{AgentSpec, Stage};
use crate::config::{Config, OpponentConfig, OpponentSpec};
use crate::error::Error;
use crate::evaluate::has_endgames;
use crate::game::{Position, Side};
use crate::graph::Solved;
use crate::learn::{Fixed, Forfeits, Opponent, Setup, Task};
use crate::search::{Limits, Scoring, has_book, solver_facts};
use crate::text::{count, deduplicated};

/// A config, and what all of its seeds share: the graph, the agents and the learners' starting point.
pub struct Experiment {
    /// The config.
    pub config: Config,
    /// The game's graph and its values, if its positions are listed.
    pub solved: Option<Arc<Solved>>,
    /// The opponents against which strength is measured, as far as they were prepared.
    pub judges: Vec<Arc<Judge>>,
    /// What the learners share.
    pub setup: Arc<dyn Setup>,
    /// Sentences about the config's own agent and its training opponents, if they fall short of their names.
    cautions: Vec<String>,
}

fn opposite(sides: &[Side]) -> Vec<Side> {
    sides.iter().map(|&side| !side).collect()
}

/// Turns an agent that a config trains against into an opponent, on the game's graph if its positions are listed; with
/// a sentence if the agent falls short of its name.
type ToOpponent<'a> =
    dyn Fn(&AgentSpec, Option<&Solved>) -> Result<(Opponent, Option<String>), Error> + 'a;

impl Experiment {
    /// The columns of `training.csv` that come from its learner and its game.
    pub fn columns(&self) -> Vec<String> {
        let own = self.setup.columns().iter();
        let own = own.map(|column| column.name.to_owned());
        own.chain(columns_of_game(&self.config)).collect()
    }

    /// Prepares a config on the stage of its game, with all agents that it names. Errors: [`Error::Input`] if the
    /// game is too large to list, an agent cannot play it or, where strength is computed, has no known policy, or
    /// won openings are asked for and no opponent plays perfectly.
    pub fn prepare(config: Config, stage: &Stage) -> Result<Experiment, Error> {
        Self::prepare_with(config, &Cast::new(stage))
    }

    /// Like [`prepare`](Self::prepare), with agents of a cast, which the variants of a sweep share.
    pub fn prepare_with(config: Config, cast: &Cast<'_>) -> Result<Experiment, Error> {
        let unlisted = |spec: &AgentSpec, what: &str| {
            Error::input(format!(
                "agent '{spec}': the probabilities of its moves cannot be listed, as {what} needs them"
            ))
        };
        let theirs = opposite(config.side.list());
        let ready = |spec: &AgentSpec, solved: Option<&Solved>| {
            let judge = cast.judge(spec, solved, &Limits::NONE)?;
            let opponent = match solved {
                Some(solved) => judge.sampler(&solved.graph).cloned().map(Opponent::Fixed),
                None => Some(Opponent::Agent(Arc::clone(&judge.agent))),
            };
            let opponent = opponent.ok_or_else(|| unlisted(spec, "training against it"))?;
            Ok((opponent, judge.agent.caution(&theirs)))
        };
        let experiment = Self::with_opponents(config, cast, &ready, &Limits::NONE, &|_| true)?;
        // Rates refer to judges by number, so a judge without a policy would get the next one's rates.
        let is_unlisted = |judge: &&Arc<Judge>| judge.policy.is_none();
        if experiment.exact().is_some()
            && let Some(judge) = experiment.judges.iter().find(is_unlisted)
        {
            return Err(unlisted(&judge.spec, "measuring against it"));
        }
        experiment.check_perfect_judge("evaluation.openings", "evaluation.opponents")?;
        Ok(experiment)
    }

    /// Prepares what is needed to look at what a config trained: not the opponents it trains against, so that
    /// no episode can be played, and of the other agents that it names only those that are `welcome`. An agent
    /// may start a program, which a look at another person's run must not do. Errors: as
    /// [`prepare`](Self::prepare), and [`Error::Input`] if the limits were reached.
    pub fn to_look_at(
        config: Config,
        stage: &Stage,
        limits: &Limits,
        welcome: &dyn Fn(&AgentSpec) -> bool,
    ) -> Result<Experiment, Error> {
        let cast = Cast::new(stage);
        Self::with_opponents(
            config,
            &cast,
            &|_, _| Ok((Opponent::Absent, None)),
            limits,
            welcome,
        )
    }

    /// Prepares a config.
    fn with_opponents(
        config: Config,
        cast: &Cast<'_>,
        ready: &ToOpponent<'_>,
        limits: &Limits,
        welcome: &dyn Fn(&AgentSpec) -> bool,
    ) -> Result<Experiment, Error> {
        let game = cast.stage.game();
        let solved = game.listed.then(|| cast.stage.solved()).transpose()?;
        let (mut opponents, mut trained_against) = (Vec::new(), Vec::new());
        for OpponentConfig { agent, weight } in &config.opponents {
            let opponent = match agent {
                OpponentSpec::SelfPlay => Opponent::SelfPlay,
                OpponentSpec::Agent(spec) => {
                    let (opponent, caution) = ready(spec, solved.as_deref())?;
                    trained_against.extend(caution);
                    opponent
                }
            };
            opponents.push((opponent, *weight));
        }
        let task = Task {
            game,
            solved: solved.clone(),
            sides: config.side.list().to_vec(),
            opponents,
        };
        let (setup, own_caution): (Arc<dyn Setup>, _) = match (&config.learner, &config.agent) {
            (Some(learner), _) => {
                let settings = learner.settings();
                (settings.setup(task), settings.caution(config.game))
            }
            (None, Some(spec)) => {
                let own = || cast.judge(spec, solved.as_deref(), limits);
                let own = welcome(spec).then(own).transpose()?;
                let own = own.as_deref();
                let fixed = Fixed {
                    agent: own.map(|own| Arc::clone(&own.agent)),
                    solved: solved.clone(),
                    policy: own.and_then(|own| own.policy.clone()),
                };
                let caution = own.and_then(|own| own.agent.caution(config.side.list()));
                (Arc::new(fixed), caution)
            }
            (None, None) => return Err(Error::input("a config has a learner or an agent")),
        };
        let exact = solved.as_deref().filter(|_| setup.has_policy());
        let judges = config.evaluation.opponents.iter();
        let judges = judges.filter(|spec| welcome(spec));
        let judges = judges.map(|spec| cast.judge(spec, exact, limits));
        Ok(Experiment {
            judges: judges.collect::<Result<_, _>>()?,
            solved,
            setup,
            cautions: (own_caution.into_iter())
                .chain(trained_against)
                .chain(config.idle_patience())
                .collect(),
            config,
        })
    }

    /// Whether one of the judges plays perfectly.
    pub fn has_perfect_judge(&self) -> bool {
        self.judges.iter().any(|judge| judge.is_perfect)
    }

    /// Checks that a judge plays perfectly if won openings are asked for. Errors: [`Error::Input`] if none does.
    /// `openings` and `opponents` are the user's names for these.
    pub fn check_perfect_judge(&self, openings: &str, opponents: &str) -> Result<(), Error> {
        if self.config.evaluation.openings.is_none() || self.has_perfect_judge() {
            return Ok(());
        }
        let game = self.config.game;
        let mend = match solver_facts(game, Scoring::Raw).score_meaning {
            None => format!("leave {openings} out, as {} has none", game.name),
            Some(_) if has_book(game) => format!("give {opponents} one: minimax"),
            // Nobody solves it from its start in reasonable time.
            Some(_) if has_endgames(game) => {
                let endgames = openings.replace("openings", "endgames");
                format!(
                    "leave {openings} out; {endgames} measures play against a perfect opponent near the end"
                )
            }
            Some(_) => {
                let empties = Position::start(game).empties();
                format!("give {opponents} one: minimax:empties={empties}")
            }
        };
        Err(Error::input(format!(
            "{openings}: games from openings are computed against an opponent that is perfect everywhere and plays all \
             best moves with the same probability, and there is none; {mend}"
        )))
    }

    /// The game's graph and its values, if strength is computed on it.
    pub fn exact(&self) -> Option<&Arc<Solved>> {
        self.solved.as_ref().filter(|_| self.setup.has_policy())
    }

    /// Sentences about agents that fall short of their names, each once.
    pub fn cautions(&self) -> Vec<String> {
        let theirs = opposite(self.config.side.list());
        let judges = self.judges.iter();
        let judges = judges.filter_map(|judge| judge.agent.caution(&theirs));
        deduplicated(self.cautions.iter().cloned().chain(judges))
    }

    /// A sentence about episodes that opponents broke off.
    pub(super) fn forfeits_text(&self, these: &Forfeits) -> String {
        let name = String::from(self.config.opponents[these.opponent].agent.clone());
        let games = count(these.games, "game");
        format!("{name} broke off {games} of training: {}", these.why)
    }
}
