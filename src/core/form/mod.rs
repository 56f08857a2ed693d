//! What may stand in a table, by the JSON schema of the type that is read from it: so that what
//! does not fit is told in the words of those who write it, with what to write instead.

mod check;
mod keys;
mod plain_or_table;
mod property;
mod read;
mod schema;
mod words;

use schemars::JsonSchema;
use serde::de::value::{Error, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer};
use serde_json::Value as Schema;

pub use plain_or_table::{plain_or_table, plain_or_table_schema};
pub use property::{Property, PropertyKind};
pub use read::from_table;

/// The form of what a type is read from.
pub struct Form {
    root: Schema,
}

impl Form {
    /// The form of this type.
    pub fn of<T: JsonSchema>() -> Form {
        let root = schemars::schema_for!(T).to_value();
        Form { root }
    }

    /// The words that may be given, if it takes some words alone.
    pub fn names(&self) -> Vec<&str> {
        let alternatives = self.alternatives(&self.root);
        alternatives.into_iter().flat_map(schema::names).collect()
    }
}

/// Whether a value is its type's default, so that it may be left out where it is written.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Reads a value by its name in configs and reports. Errors: the names that there are.
pub fn by_name<T: DeserializeOwned + JsonSchema>(text: &str) -> Result<T, String> {
    let checked = Form::of::<T>().check(&toml::Value::String(text.to_owned()));
    checked.map_err(|wrong| wrong.message)?;
    let name: StrDeserializer<'_, Error> = text.into_deserializer();
    T::deserialize(name).map_err(|error| error.to_string())
}
