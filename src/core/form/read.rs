//! Reading a type from a TOML table.

use std::cell::RefCell;

use serde::de::value::{Error, MapAccessDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error as _, IntoDeserializer, MapAccess,
    SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use toml::Value;

use crate::error::Invalid;

/// Reads a value from a table. It is more lenient than [`Form::check`](super::Form::check), which should come first: of
/// a table with two entries in place of an enum, say, it reads only the first. Errors: [`Invalid`], with the path of
/// the bad value, such as `opponents[1].agent`.
pub fn from_table<T: DeserializeOwned>(table: &toml::Table) -> Result<T, Invalid> {
    let wrong = Path::default();
    let entries = Entries::of(table, &wrong);
    T::deserialize(MapAccessDeserializer::new(entries))
        .map_err(|error| Invalid::new(&wrong.0.borrow(), error.to_string()))
}

/// The path of the bad value, built from its end.
#[derive(Default)]
struct Path(RefCell<String>);

impl Path {
    /// Puts a key, or an index in brackets, in front of the path.
    fn put_below(&self, step: &str) {
        let mut path = self.0.borrow_mut();
        if !path.is_empty() && !path.starts_with('[') {
            path.insert(0, '.');
        }
        path.insert_str(0, step);
    }
}

/// A deserializer that records the path of a bad value. The crate toml does so only for text, and its deserializer
/// compiles to twice as much code per type.
#[derive(Clone, Copy)]
struct At<'de> {
    value: &'de Value,
    wrong: &'de Path,
}

impl<'de> Deserializer<'de> for At<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Integer(number) => visitor.visit_i64(*number),
            Value::Float(number) => visitor.visit_f64(*number),
            Value::Boolean(is) => visitor.visit_bool(*is),
            Value::Datetime(time) => visitor.visit_string(time.to_string()),
            Value::Array(list) => visitor.visit_seq(Items {
                rest: list.iter().enumerate(),
                wrong: self.wrong,
            }),
            Value::Table(table) => visitor.visit_map(Entries::of(table, self.wrong)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.value {
            Value::String(name) => visitor.visit_enum(name.as_str().into_deserializer()),
            Value::Table(table) => {
                visitor.visit_enum(MapAccessDeserializer::new(Entries::of(table, self.wrong)))
            }
            _ => Err(Error::custom("expected a name, or a table with one entry")),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

struct Items<'de> {
    rest: std::iter::Enumerate<std::slice::Iter<'de, Value>>,
    wrong: &'de Path,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let Some((index, value)) = self.rest.next() else {
            return Ok(None);
        };
        let wrong = self.wrong;
        seed.deserialize(At { value, wrong })
            .map(Some)
            .inspect_err(|_| wrong.put_below(&format!("[{index}]")))
    }
}

struct Entries<'de> {
    rest: toml::map::Iter<'de, String, Value>,
    /// The key that was read, and its value.
    of_key: Option<(&'de str, &'de Value)>,
    wrong: &'de Path,
}

impl<'de> Entries<'de> {
    fn of(table: &'de toml::Table, wrong: &'de Path) -> Entries<'de> {
        Entries {
            rest: table.iter(),
            of_key: None,
            wrong,
        }
    }
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        self.of_key = self.rest.next().map(|(key, value)| (key.as_str(), value));
        let key = self.of_key.map(|(key, _)| key.into_deserializer());
        key.map(|key| seed.deserialize(key)).transpose()
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        let (key, value) = self.of_key.take().expect("a key comes before its value");
        let wrong = self.wrong;
        seed.deserialize(At { value, wrong })
            .inspect_err(|_| wrong.put_below(key))
    }
}
