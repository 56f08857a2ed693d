//! Where the keys of a sweep are written.

use toml::Value;

use super::{KeyPath, Sweep, SweptKey};

/// A key and where it is written in the config.
pub(super) struct Place<'a> {
    /// The table that it is written in.
    pub table: String,
    pub key: &'a KeyPath,
    /// Its values one by one, with their names; or else a range.
    pub values: Option<(&'a [Value], Option<&'a [String]>)>,
    pub range: Option<&'a SweptKey>,
}

impl Sweep {
    /// The keys with their places; the sweep is one that was checked.
    pub(super) fn places(&self) -> Vec<Place<'_>> {
        let one = self.key.iter().map(|key| Place {
            table: "sweep".to_owned(),
            key,
            values: self
                .values
                .as_deref()
                .map(|values| (values, self.names.as_deref())),
            range: None,
        });
        let many = self.over.iter().flatten().enumerate();
        let many = many.map(|(i, swept)| Place {
            table: format!("sweep.over[{i}]"),
            key: &swept.key,
            values: swept
                .values
                .as_deref()
                .map(|values| (values, swept.names.as_deref())),
            range: swept.values.is_none().then_some(swept),
        });
        one.chain(many).collect()
    }
}
