//! Checks of tables by the JSON schema of the type to read, so that errors are described in the
//! terms of a config's author, with what to write instead.

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

pub use keys::below;
pub use plain_or_table::{plain_or_table, plain_or_table_schema};
pub use property::{Property, PropertyKind};
pub use read::from_table;

/// The form that a table or value of some type must have.
pub struct Form {
    root: Schema,
}

impl Form {
    /// The form of this type.
    pub fn of<T: JsonSchema>() -> Form {
        let root = schemars::schema_for!(T).to_value();
        Form { root }
    }

    /// The allowed words, if only certain words are allowed.
    pub fn names(&self) -> Vec<&str> {
        let alternatives = self.alternatives(&self.root);
        alternatives.into_iter().flat_map(schema::names).collect()
    }
}

/// Whether a value is its type's default, so that it need not be written.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Reads a value by its name in configs and reports. Errors: that there is no such name, with the existing names.
pub fn by_name<T: DeserializeOwned + JsonSchema>(text: &str) -> Result<T, String> {
    let checked = Form::of::<T>().check(&toml::Value::String(text.to_owned()));
    checked.map_err(|wrong| wrong.message)?;
    let name: StrDeserializer<'_, Error> = text.into_deserializer();
    T::deserialize(name).map_err(|error| error.to_string())
}
