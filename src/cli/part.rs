use std::convert::Infallible;

use clap::Args;
use playlab::agent::AgentSpec;
use playlab::compare::Only;
use playlab::game::Side;

use super::known::{agent_names, known};

/// The part of runs that is looked at.
#[derive(Args)]
pub struct Part {
    /// Only this side, x or o
    #[arg(long, value_parser = known(str::parse::<Side>, ["x", "o"]), hide_possible_values = true)]
    side: Option<Side>,

    /// Only results against this opponent, such as random or most-losses; may be given several times
    #[arg(long, value_name = "SPEC", value_parser = known(as_in_runs, agent_names()), hide_possible_values = true)]
    opponent: Vec<String>,
}

impl Part {
    pub fn only(self) -> Only {
        Only {
            side: self.side,
            opponents: self.opponent,
        }
    }
}

/// An opponent by its name in runs, which need not be an agent's.
fn as_in_runs(text: &str) -> Result<String, Infallible> {
    let spec = text.parse::<AgentSpec>();
    Ok(spec.map_or_else(|_| text.to_owned(), |spec| spec.to_string()))
}
