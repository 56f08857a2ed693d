//! A plain value that stands for a table.

use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, IntoDeserializer, MapAccess, Visitor};

/// Reads a table `T`, or a plain value `P` that stands for one.
pub fn plain_or_table<'de, D, T, P>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + From<P>,
    P: Deserialize<'de>,
{
    struct PlainOrTable<T, P>(PhantomData<(T, P)>);

    impl<'de, T, P> Visitor<'de> for PlainOrTable<T, P>
    where
        T: Deserialize<'de> + From<P>,
        P: Deserialize<'de>,
    {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a plain value or a table")
        }

        fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<T, E> {
            P::deserialize(value.into_deserializer()).map(T::from)
        }

        fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<T, E> {
            P::deserialize(value.into_deserializer()).map(T::from)
        }

        fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<T, E> {
            P::deserialize(value.into_deserializer()).map(T::from)
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map))
        }
    }

    deserializer.deserialize_any(PlainOrTable(PhantomData))
}

/// The JSON schema of what [`plain_or_table`] reads.
pub fn plain_or_table_schema<T: JsonSchema, P: JsonSchema>(
    generator: &mut SchemaGenerator,
) -> schemars::Schema {
    let (plain, table) = (
        generator.subschema_for::<P>(),
        generator.subschema_for::<T>(),
    );
    json_schema!({ "anyOf": [plain, table] })
}
