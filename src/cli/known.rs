//! Arguments with known words for completions; their parsers may accept others.

use std::ffi::OsStr;
use std::path::Path;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};
use playlab::agent::AgentSpec;
use playlab::config::Sides;
use playlab::form::{Form, by_name};
use playlab::game::{GameInfo, games};
use playlab::store::RunDirectory;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

/// A parser with some of the words that it accepts.
#[derive(Clone)]
pub struct Known<P> {
    parser: P,
    words: Vec<PossibleValue>,
}

impl<P: TypedValueParser> TypedValueParser for Known<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        cmd: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<P::Value, Error> {
        self.parser.parse_ref(cmd, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.words.iter().cloned()))
    }
}

/// Adds to a parser some of the words that it accepts.
pub fn known<'w, P>(parser: P, words: impl IntoIterator<Item = &'w str>) -> Known<P> {
    let word = |word: &str| PossibleValue::new(word.to_owned());
    Known {
        parser,
        words: words.into_iter().map(word).collect(),
    }
}

/// The name of a game.
pub fn game() -> impl TypedValueParser<Value = &'static GameInfo> {
    known(GameInfo::find, game_names())
}

/// An agent by its spec.
pub fn agent() -> impl TypedValueParser<Value = AgentSpec> {
    known(read_agent, agent_names())
}

/// Reads an agent's spec. Errors: those of the spec, or that it names a run without saying so.
pub fn read_agent(text: &str) -> Result<AgentSpec, String> {
    let named = |why| match is_run(text) {
        true => format!("'{text}' is a run, did you mean 'run:{text}'?"),
        false => why,
    };
    text.parse().map_err(named)
}

/// Whether there is a run at this path.
pub fn is_run(text: &str) -> bool {
    !text.is_empty() && RunDirectory::config_of(Path::new(text)).is_file()
}

/// A value, by its name in configs and reports.
pub fn named<T>() -> impl TypedValueParser<Value = T>
where
    T: DeserializeOwned + JsonSchema + Clone + Send + Sync + 'static,
{
    known(by_name::<T>, Form::of::<T>().names())
}

/// The sides, also as capital letters, which boards and reports use.
pub fn sides() -> impl TypedValueParser<Value = Sides> {
    let read = |text: &str| by_name::<Sides>(&text.to_ascii_lowercase());
    known(read, Form::of::<Sides>().names())
}

/// The names of the games.
pub fn game_names() -> impl Iterator<Item = &'static str> {
    games().iter().map(|game| game.name)
}

/// The agents that need no options.
pub fn agent_names() -> impl Iterator<Item = &'static str> {
    AgentSpec::names().filter(|name| name.parse::<AgentSpec>().is_ok())
}
