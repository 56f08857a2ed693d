//! What stands behind the `?` of an address.

use std::str::FromStr;

use super::reply::Refusal;
use crate::text;

/// Names and values, in their order.
pub struct Query(Vec<(String, String)>);

impl Query {
    /// Reads a query whose names are all known. Errors: what is no query, or a name that is not known.
    pub fn read(text: &str, known: &[&str]) -> Result<Query, Refusal> {
        let pairs = text.split('&').filter(|pair| !pair.is_empty());
        let pair = |pair: &str| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (name, value) = (decoded(name)?, decoded(value)?);
            match known.contains(&name.as_str()) {
                true => Ok((name, value)),
                false if known.is_empty() => Err(Refusal::input(format!(
                    "the address takes no names, and has '{name}'"
                ))),
                false => Err(Refusal::input(format!(
                    "unknown name '{name}' in the address{}",
                    text::hint(&name, known.iter().copied())
                ))),
            }
        };
        pairs.map(pair).collect::<Result<_, _>>().map(Query)
    }

    /// The value of a name; the first, if there are several.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|pair| pair.0 == name);
        found.map(|pair| pair.1.as_str())
    }

    /// All values of a name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let is_it = move |pair: &&(String, String)| pair.0 == name;
        self.0.iter().filter(is_it).map(|pair| pair.1.as_str())
    }

    /// The value of a name that must be there. Errors: that it is not.
    pub fn need(&self, name: &str) -> Result<&str, Refusal> {
        let missing = || Refusal::input(format!("{name} is missing, expected {name}=..."));
        self.get(name).ok_or_else(missing)
    }

    /// A value that is a number or anything else that can be read from text. Errors: that it is not what is
    /// `expected`.
    pub fn parsed<T: FromStr>(&self, name: &str, expected: &str) -> Result<Option<T>, Refusal> {
        let parse = |text: &str| {
            let wrong = |_| Refusal::input(format!("{name}: expected {expected}, got '{text}'"));
            text.parse().map_err(wrong)
        };
        self.get(name).map(parse).transpose()
    }
}

/// Text with its `%41` and `+` made plain. Errors: what cannot be.
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
        let query = Query::read("a=1%2C2+x&b=&a=%C3%A4", &["a", "b", "c"])
            .ok()
            .unwrap();
        assert_eq!(query.all("a").collect::<Vec<_>>(), ["1,2 x", "ä"]);
        assert_eq!((query.get("b"), query.get("c")), (Some(""), None));
        let wrong = query.parsed::<u64>("a", "a seed").unwrap_err();
        assert_eq!(wrong.why, "a: expected a seed, got '1,2 x'");
        assert!(query.need("c").is_err());
        for wrong in ["d=1", "a=%", "a=%4", "a=%zz", "a=%ff", "a=%00", "a=%+1"] {
            assert!(Query::read(wrong, &["a"]).is_err(), "{wrong}");
        }
    }
}
