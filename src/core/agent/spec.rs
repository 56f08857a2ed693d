//! The texts that name agents.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use super::options::{AgentOption, bare, written};
use super::{Agent, RunOptions, Stage, spec_forms};
use crate::error::Error;
use crate::game::GameInfo;
use crate::graph::WORST_OPPONENTS;
use crate::search::Limits;
use crate::text;

/// The result of reading a spec: the kind with its options, or what is wrong.
pub type Read = Result<Arc<dyn Kind>, String>;

/// How a kind of agent is named, and its description in words and values.
#[derive(Debug, Serialize)]
pub struct SpecForm {
    /// What its specs begin with, up to a colon.
    pub names: &'static [&'static str],
    /// Examples of its specs.
    pub examples: &'static [&'static str],
    /// What it plays, in words.
    pub plays: &'static str,
    /// What follows the colon before the options, if anything does.
    pub subject: Option<SpecSubject>,
    /// Its options, each with its default.
    #[serde(serialize_with = "serialize_options")]
    pub options: fn() -> Vec<AgentOption>,
    /// Its entries in menus, each with a number to sort by: numbers rise from weak agents to strong ones.
    #[serde(skip)]
    pub(super) menu: &'static [(u8, &'static str)],
    /// The entry that suits a person who has chosen no opponent, if any does.
    pub opponent: Option<&'static str>,
    /// Reads a spec from one of the names, and what follows the colon, if there is one.
    #[serde(skip)]
    pub(super) read: fn(&str, Option<&str>) -> Read,
}

fn serialize_options<S: Serializer>(
    options: &fn() -> Vec<AgentOption>,
    to: S,
) -> Result<S::Ok, S::Error> {
    options().serialize(to)
}

/// Which agent of its kind a spec names, apart from options.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum SpecSubject {
    /// One of some words.
    Choice {
        /// What is chosen.
        name: &'static str,
        /// The words.
        choices: &'static [&'static str],
        /// The word to propose; `None` if a spec does without one.
        default: Option<&'static str>,
    },
    /// A run, by its directory or by its name in a list.
    Run,
    /// A file, by its path.
    File,
    /// A command that starts a program.
    Command,
}

/// A kind of agent, with its options.
pub trait Kind: fmt::Debug + Send + Sync {
    /// The canonical spec of the agent, without the options that have their defaults.
    fn text(&self) -> String;

    /// Whether the agent can play this game. Errors: why it cannot.
    fn check(&self, _game: &'static GameInfo) -> Result<(), String> {
        Ok(())
    }

    /// Whether the rules alone determine the probability of each of its moves in every position, as training
    /// and exact evaluation need; the agent then has a [policy](Agent::policy).
    fn has_policy(&self) -> bool {
        true
    }

    /// Whether what it plays depends on the speed of the machine.
    fn depends_on_time(&self) -> bool {
        false
    }

    /// The run whose learning it plays by, if there is one.
    fn run(&self) -> Option<&RunOptions> {
        None
    }

    /// The most MiB that its tree may take, if it grows one.
    fn memory(&self) -> Option<u64> {
        None
    }

    /// Whether it reads files or starts programs that its spec names, which it may do only for people who
    /// could do so themselves.
    fn reaches_out(&self) -> bool {
        false
    }

    /// Whether the file that it reads, or the program that it starts, is there. Errors: [`Error::Input`] if not.
    fn check_there(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Whether the file that it reads, if it reads one, is for this game, as far as its rows show on their own.
    fn is_of(&self, _game: &'static GameInfo) -> bool {
        true
    }

    /// Whether it may only play sides for which it was given moves in all positions.
    fn needs_all_positions(&self) -> bool {
        false
    }

    /// The spec that names the same agent permanently, if this one would name another one once a
    /// file has changed. Errors: [`Error::Input`] if the file cannot be read.
    fn pinned(&self) -> Result<Option<String>, Error> {
        Ok(None)
    }

    /// Makes the agent ready for the stage's game. Errors: [`Error`] if it cannot play the game.
    fn ready(&self, stage: &Stage) -> Result<Arc<dyn Agent>, Error>;

    /// Like [`ready`](Self::ready), but if it has to wait, it ends when the limits tell it to stop. Errors: also
    /// [`Error::Failed`] if they did.
    fn ready_within(&self, stage: &Stage, _limits: &Limits) -> Result<Arc<dyn Agent>, Error> {
        self.ready(stage)
    }
}

/// Checks that a spec of a kind without options has none. Errors: that it has some.
pub fn no_options(name: &str, rest: Option<&str>) -> Result<(), String> {
    match rest {
        None => Ok(()),
        Some(_) => Err(format!("{name} has no options, expected '{name}'")),
    }
}

/// An agent, as named in configs and on the command line. Its text is the one that was given;
/// specs are equal if they name the same agent.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(description = "An agent, with options where it has some.")]
#[schemars(extend("examples" = AgentSpec::forms().collect::<Vec<_>>()))]
pub struct AgentSpec {
    text: String,
    kind: Arc<dyn Kind>,
}

impl PartialEq for AgentSpec {
    fn eq(&self, other: &AgentSpec) -> bool {
        self.kind.text() == other.kind.text()
    }
}

impl Eq for AgentSpec {}

impl AgentSpec {
    /// The agent of a run, given as its name, which is the longest for which `is_run` is true, and options.
    /// Errors: what is wrong with the options.
    pub fn of_run(run: &str, is_run: &dyn Fn(&str) -> bool) -> Result<AgentSpec, String> {
        Self::of(&format!("run:{run}"), || {
            Ok(Arc::new(RunOptions::read(run, is_run)?))
        })
    }

    fn of(text: &str, read: impl FnOnce() -> Read) -> Result<AgentSpec, String> {
        if text.contains(text::is_control) {
            return Err(format!("agent '{text}' has control characters"));
        }
        let kind = read().map_err(|why| format!("agent '{text}': {why}"))?;
        let text = text.to_owned();
        Ok(AgentSpec { text, kind })
    }

    /// The forms that a spec may have.
    pub fn forms() -> impl Iterator<Item = &'static str> + Clone {
        spec_forms().iter().flat_map(|form| form.examples).copied()
    }

    /// The names that specs begin with.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        spec_forms().iter().flat_map(|form| form.names).copied()
    }

    /// Every kind of agent in words: examples of its specs, what it plays, and its options.
    pub fn kinds() -> String {
        let kind = |form: &&SpecForm| {
            let options: Vec<String> = (form.options)().iter().map(ToString::to_string).collect();
            let options = match options.is_empty() {
                true => String::new(),
                false => format!("\n      Options: {}", options.join(", ")),
            };
            let specs = form.examples.join(", ");
            format!("  {specs}\n      {}{options}\n", form.plays)
        };
        spec_forms().iter().map(kind).collect()
    }

    /// Every kind of agent as values.
    pub fn all_forms() -> impl Iterator<Item = &'static SpecForm> {
        spec_forms().iter().copied()
    }

    /// Agents for a menu, from weak to strong.
    pub fn menu() -> Vec<AgentSpec> {
        let mut entries: Vec<_> = spec_forms().iter().flat_map(|form| form.menu).collect();
        entries.sort_unstable_by_key(|(place, _)| *place);
        let specs = entries.iter().map(|(_, spec)| spec.parse::<AgentSpec>());
        let specs: Result<Vec<AgentSpec>, String> = specs.collect();
        specs.expect("a kind of agent offers what it reads")
    }

    /// Whether the agent can play this game. Errors: why it cannot, with the agent's name.
    pub fn check(&self, game: &'static GameInfo) -> Result<(), String> {
        let checked = self.kind.check(game);
        checked.map_err(|why| format!("'{self}': {why}"))
    }

    /// Checks that results may be based on its play. Errors: that they would depend on the speed of the
    /// machine, with the agent's name.
    pub fn check_repeatable(&self) -> Result<(), String> {
        match self.depends_on_time() {
            false => Ok(()),
            true => Err(format!(
                "'{self}': results must not depend on the machine's speed; give simulations instead \
                 of milliseconds, which are for lab play, lab gtp, lab serve and lab solve"
            )),
        }
    }

    /// Checks that none of these is the same agent. Errors: the one that is, though it may be written otherwise.
    pub fn check_new(&self, others: &[AgentSpec]) -> Result<(), String> {
        match others.iter().find(|other| *other == self) {
            Some(same) if same.text == self.text => {
                Err(format!("'{self}' is listed twice, expected each once"))
            }
            Some(same) => Err(format!(
                "'{self}' is the same agent as '{same}', expected each once"
            )),
            None => Ok(()),
        }
    }

    /// The text of a spec with one of its options set to a new value; `None` if the text is not a spec.
    pub fn with_option(text: &str, option: &str, value: &toml::Value) -> Option<String> {
        text.parse::<AgentSpec>().ok()?;
        let (name, options) = parts(text);
        let set = format!("{option}={}", bare(value));
        let mut options: Vec<&str> = options.collect();
        match options.iter_mut().find(|other| name_of(other) == option) {
            Some(old) => *old = &set,
            None => options.push(&set),
        }
        Some(format!("{name}:{}", options.join(",")))
    }

    /// The name that it begins with.
    pub fn name(&self) -> &str {
        parts(&self.text).0
    }

    /// The known options that it gives as `name=value`; a path or a command may have an `=`, too.
    pub fn options(&self) -> impl Iterator<Item = (&str, toml::Value)> {
        let (kind, options) = parts(&self.text);
        let form = spec_forms().iter().find(|form| form.names.contains(&kind));
        let known = form.map_or(Vec::new(), |form| (form.options)());
        let is_known = move |name: &str| known.iter().any(|option| option.property.name == name);
        let given = options.filter_map(|option| option.trim().split_once('='));
        given
            .filter(move |(name, _)| is_known(name))
            .map(|(name, value)| (name, text::value(value)))
    }

    /// Its text without some of its options.
    pub fn without_options(&self, names: &[&str]) -> String {
        let (name, options) = parts(&self.text);
        let others = options.filter(|option| !names.contains(&name_of(option)));
        written(name, others.map(str::to_owned).collect())
    }

    /// This agent, named by this text.
    pub fn named(self, text: &str) -> AgentSpec {
        AgentSpec {
            text: text.to_owned(),
            ..self
        }
    }

    /// The spec that names the same agent permanently; see [`Kind::pinned`]. Errors: as there, with the agent's name.
    pub fn pinned(&self) -> Result<AgentSpec, Error> {
        match self.kind.pinned().map_err(|error| self.with_name(error))? {
            Some(pinned) => pinned.parse().map_err(Error::input),
            None => Ok(self.clone()),
        }
    }

    pub(super) fn ready(&self, stage: &Stage, limits: &Limits) -> Result<Arc<dyn Agent>, Error> {
        let bad = |why: String| Error::input(format!("agent {why}"));
        self.check(stage.game()).map_err(bad)?;
        let ready = self.kind.ready_within(stage, limits);
        ready.map_err(|error| self.with_name(error))
    }

    /// The error, with the agent's name if it is about the input.
    fn with_name(&self, error: Error) -> Error {
        match error {
            Error::Input(why) => Error::input(format!("agent '{self}': {why}")),
            other => other,
        }
    }
}

/// What comes before the colon of a spec's text, and the options after it.
fn parts(text: &str) -> (&str, impl Iterator<Item = &str>) {
    let parts = text.split_once(':');
    let (name, _) = parts.unwrap_or((text, ""));
    let options = parts.into_iter().flat_map(|(_, rest)| rest.split(','));
    (name, options)
}

/// The name of an option that is given with its value.
fn name_of(option: &str) -> &str {
    option.trim().split('=').next().unwrap_or_default()
}

/// Everything that its kind offers.
impl Deref for AgentSpec {
    type Target = dyn Kind;

    fn deref(&self) -> &(dyn Kind + 'static) {
        &*self.kind
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// Errors: that the text names no agent, and the nearest one that exists.
impl FromStr for AgentSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        if let Some(form) = spec_forms().iter().find(|form| form.names.contains(&name)) {
            return AgentSpec::of(text, || (form.read)(name, rest));
        }
        if WORST_OPPONENTS.contains(&name) {
            return Err(format!(
                "'{name}' is no agent; where positions are listed lab train and lab evaluate compute it for what they \
                 measure, without being asked to"
            ));
        }
        if name == "self" {
            return Err(
                "'self' is no agent; in a config it stands for the learner, which can train against itself \
                 (opponents = [\"self\"])"
                    .to_owned(),
            );
        }
        let hint = match text::nearest(name, AgentSpec::names()) {
            Some(near) => format!(", did you mean '{near}'?"),
            None => text::hint(name, AgentSpec::forms()),
        };
        Err(format!("unknown agent '{text}'{hint}"))
    }
}

impl TryFrom<String> for AgentSpec {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<AgentSpec> for String {
    fn from(spec: AgentSpec) -> String {
        spec.text
    }
}
