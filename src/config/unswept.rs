//! Which keys may be set beside a sweep.

use toml::Value;

use super::key::below;
use super::places::Place;
use super::{Config, Sweep};
use crate::agent::AgentSpec;

impl Config {
    /// Whether a key may be set beside the sweep, to this value where it is known. Errors: that the sweep sets it,
    /// what it belongs to or a part of it, and what to change instead.
    pub fn check_unswept(&self, key: &str, value: Option<&Value>) -> Result<(), String> {
        let conflict = |place: &Place| {
            let swept = place.key.as_str();
            if key == swept {
                return Some("this key".to_owned());
            } else if below(key, swept).is_some() {
                return Some(format!("all of '{swept}', to which this key belongs"));
            }
            let mut rest = below(swept, key)?.split('.');
            let is_given = value.is_none_or(|value| gives(value, &mut rest));
            is_given.then(|| format!("'{swept}', which is a part of this key"))
        };
        for place in self.sweep.iter().flat_map(Sweep::places) {
            let Some(what) = conflict(&place) else {
                continue;
            };
            let table = place.table.replace('[', ".").replace(']', "");
            let instead = match place.range {
                Some(_) => format!("range instead: --set {table}.from=... or {table}.to=..."),
                None => format!("values instead: --set {table}.values=[...]"),
            };
            return Err(format!("the sweep sets {what}; change its {instead}"));
        }
        Ok(())
    }
}

/// Whether a value gives the part of it that has this path. What is no table may give any part.
fn gives<'p>(value: &Value, path: &mut impl Iterator<Item = &'p str>) -> bool {
    let Some(part) = path.next() else {
        return true;
    };
    match (value, part.parse::<usize>()) {
        (Value::Table(table), _) => table.get(part).is_some_and(|inner| gives(inner, path)),
        (Value::Array(list), Ok(index)) => list.get(index).is_some_and(|inner| gives(inner, path)),
        (Value::String(spec), _) if AgentSpec::takes_option(spec, part) => {
            let agent = spec.parse::<AgentSpec>();
            agent.is_ok_and(|agent| agent.options().any(|(name, _)| name == part))
        }
        _ => true,
    }
}
