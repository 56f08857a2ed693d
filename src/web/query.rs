//! Named values of a request: after the `?` of an address, or in the body of a POST.

use std::str::FromStr;

use serde_json::Value;

use super::reply::Refusal;
use crate::text;

/// Names and values, in order.
pub struct Query {
    pairs: Vec<(String, String)>,
    /// Where they come from.
    place: &'static str,
}

impl Query {
    /// Reads an address. Its names must be known, and occur once; known names that end in dots may occur several
    /// times. Errors: what is not a query, or a name that is not allowed.
    pub fn read(text: &str, known: &[&str]) -> Result<Query, Refusal> {
        let mut query = Query {
            pairs: Vec::new(),
            place: "the address",
        };
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (name, value) = (decoded(name)?, decoded(value)?);
            query.check(&name, known)?;
            query.pairs.push((name, value));
        }
        Ok(query)
    }

    /// Reads a body, a JSON object; null values count as missing. Errors: the body is not such an object, or has a name
    /// that is not allowed.
    pub fn of_body(body: &[u8], known: &[&str]) -> Result<Query, Refusal> {
        let read: Result<serde_json::Map<String, Value>, _> = serde_json::from_slice(body);
        let wrong = |error: serde_json::Error| {
            Refusal::input(format!("the body is no JSON object: {error}"))
        };
        let mut query = Query {
            pairs: Vec::new(),
            place: "the body",
        };
        for (name, value) in read.map_err(wrong)? {
            query.check(&name, known)?;
            let value = match value {
                Value::Null => continue,
                Value::String(text) => text,
                Value::Number(number) => number.to_string(),
                other => {
                    let why = format!("{name}: expected a text or a number, got {other}");
                    return Err(Refusal::input(why));
                }
            };
            query.pairs.push((name, value));
        }
        Ok(query)
    }

    fn check(&self, name: &str, known: &[&str]) -> Result<(), Refusal> {
        let place = self.place;
        let names = known.iter().map(|known| known.trim_end_matches('.'));
        let Some(found) = names.clone().position(|known| known == name) else {
            return Err(Refusal::input(match known {
                [] => format!("{place} takes no names, and has '{name}'"),
                _ => {
                    let hint = text::hint(name, names);
                    format!("unknown name '{name}' in {place}{hint}")
                }
            }));
        };
        match known[found].ends_with('.') || self.get(name).is_none() {
            true => Ok(()),
            false => Err(Refusal::input(format!(
                "{name} stands twice in {place}, expected once"
            ))),
        }
    }

    /// The value of a name; the first, if there are several.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.pairs.iter().find(|pair| pair.0 == name);
        found.map(|pair| pair.1.as_str())
    }

    /// All values of a name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let is_it = move |pair: &&(String, String)| pair.0 == name;
        self.pairs.iter().filter(is_it).map(|pair| pair.1.as_str())
    }

    /// The value of a required name. Errors: it is missing.
    pub fn need(&self, name: &str) -> Result<&str, Refusal> {
        let missing = || Refusal::input(format!("{name} is missing in {}", self.place));
        self.get(name).ok_or_else(missing)
    }

    /// A value parsed from text, such as a number. Errors: it is not what is `expected`.
    pub fn parsed<T: FromStr>(&self, name: &str, expected: &str) -> Result<Option<T>, Refusal> {
        let parse = |text: &str| {
            let wrong = |_| Refusal::input(format!("{name}: expected {expected}, got '{text}'"));
            text.parse().map_err(wrong)
        };
        self.get(name).map(parse).transpose()
    }
}

/// Text with its `%41` and `+` decoded. Errors: what cannot be decoded.
fn decoded(text: &str) -> Result<String, Refusal> {
    let wrong = || Refusal::input("the address has a % that does not stand for a character");
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                let [high, low] = [digit(), digit()];
                let code = high.zip(low).map(|(high, low)| high * 16 + low);
                code.and_then(|code| u8::try_from(code).ok())
                    .ok_or_else(wrong)?
            }
            plain => plain,
        });
    }
    let decoded = String::from_utf8(bytes).map_err(|_| wrong())?;
    match decoded.contains(text::is_control) {
        true => Err(Refusal::input("the address has control characters")),
        false => Ok(decoded),
    }
}

#[cfg(test)]
mod tests {
    use super::Query;

    #[test]
    fn names_are_known_and_values_made_plain() {
        let query = Query::read("a=1%2C2+x&b=&a=%C3%A4", &["a...", "b", "c"])
            .ok()
            .unwrap();
        assert_eq!(query.all("a").collect::<Vec<_>>(), ["1,2 x", "ä"]);
        assert_eq!((query.get("b"), query.get("c")), (Some(""), None));
        let wrong = query.parsed::<u64>("a", "a seed").unwrap_err();
        assert_eq!(wrong.why, "a: expected a seed, got '1,2 x'");
        assert!(query.need("c").is_err());
        for wrong in [
            "d=1", "a=1&a=1", "a=%", "a=%4", "a=%zz", "a=%ff", "a=%00", "a=%+1",
        ] {
            assert!(Query::read(wrong, &["a"]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_body_is_read_like_an_address() {
        let read = |body: &str| Query::of_body(body.as_bytes(), &["a", "b"]);
        let query = read(r#" {"a": "x", "b": null}"#).ok().unwrap();
        assert_eq!((query.get("a"), query.get("b")), (Some("x"), None));
        let query = read(r#"{"a": 18446744073709551615, "b": 1.5}"#)
            .ok()
            .unwrap();
        assert_eq!(
            query.parsed::<u64>("a", "a seed").ok(),
            Some(Some(u64::MAX))
        );
        for (body, why) in [
            (r#"{"a": [1]}"#, "a: expected a text or a number, got [1]"),
            (
                r#"{"c": [1]}"#,
                "unknown name 'c' in the body, expected one of: a, b",
            ),
        ] {
            assert_eq!(read(body).err().unwrap().why, why);
        }
        for body in ["[1]", r#"{"a": 1"#, ""] {
            let why = read(body).err().unwrap().why;
            assert!(why.starts_with("the body is no JSON object: "), "{why}");
        }
        let wrong = query.parsed::<u64>("b", "a seed").unwrap_err();
        assert_eq!(wrong.why, "b: expected a seed, got '1.5'");
    }
}
