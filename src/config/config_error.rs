//! Errors in configs, told so that they can be mended at once.

use std::fmt;
use std::ops::Range;

use toml::de::{DeTable, DeValue};

use crate::error::{Error, Invalid};
use crate::text;

/// A config that cannot be used: where, which key, what is wrong and what was
/// expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    place: String,
    key: String,
    message: String,
    excerpt: Option<Excerpt>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Excerpt {
    line: usize,
    text: String,
    column: usize,
    width: usize,
}

impl std::error::Error for ConfigError {}

impl From<ConfigError> for Error {
    fn from(error: ConfigError) -> Error {
        Error::input(error.to_string())
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.place)?;
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.message)?;
        if let Some(Excerpt {
            line,
            text,
            column,
            width,
        }) = &self.excerpt
        {
            let margin = line.to_string().len();
            write!(f, "\n{:margin$} |\n{line} | {text}\n{:margin$} | ", "", "")?;
            write!(f, "{:column$}{:^<width$}", "", "")?;
        }
        Ok(())
    }
}

impl ConfigError {
    /// Text that is not TOML.
    pub(super) fn syntax(file: &str, text: &str, error: &toml::de::Error) -> ConfigError {
        Self::at(
            file,
            text,
            String::new(),
            error.message().to_owned(),
            error.span(),
        )
    }

    /// TOML that is not of a config's form.
    pub(super) fn structure(
        file: &str,
        text: &str,
        error: &serde_path_to_error::Error<toml::de::Error>,
    ) -> ConfigError {
        let path = error.path().to_string();
        let own = error.inner().span();
        let span = if error.inner().message().starts_with(text::UNKNOWN_KEY) {
            own
        } else {
            locate(text, &path).or(own)
        };
        Self::at(
            file,
            text,
            readable(&path),
            text::plain(error.inner().message()),
            span,
        )
    }

    /// A value that is not allowed.
    pub(super) fn value(
        file: &str,
        text: &str,
        Invalid { path, message }: &Invalid,
    ) -> ConfigError {
        Self::at(
            file,
            text,
            path.clone(),
            message.clone(),
            locate(text, path),
        )
    }

    /// An override that cannot be used.
    pub(super) fn set(argument: &str, message: impl Into<String>) -> ConfigError {
        ConfigError {
            place: format!("--set {argument}"),
            key: String::new(),
            message: message.into(),
            excerpt: None,
        }
    }

    /// An override after which the config is not of a config's form.
    pub(super) fn set_structure(
        argument: &str,
        error: &serde_path_to_error::Error<toml::de::Error>,
    ) -> ConfigError {
        let key = readable(&error.path().to_string());
        ConfigError {
            key,
            ..Self::set(argument, text::plain(error.inner().message()))
        }
    }

    fn at(
        file: &str,
        text: &str,
        key: String,
        message: String,
        span: Option<Range<usize>>,
    ) -> ConfigError {
        let excerpt = span.map(|span| excerpt(text, span));
        let place = match &excerpt {
            Some(Excerpt { line, column, .. }) => format!("{file}:{line}:{}", column + 1),
            None => file.to_owned(),
        };
        ConfigError {
            place,
            key,
            message,
            excerpt,
        }
    }
}

/// The root's path is a single dot, which says nothing.
fn readable(path: &str) -> String {
    if path == "." {
        String::new()
    } else {
        path.to_owned()
    }
}

fn excerpt(text: &str, span: Range<usize>) -> Excerpt {
    let start = span.start.min(text.len());
    let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
    let marked_end = span.end.clamp(start, line_end);
    Excerpt {
        line: text[..start].matches('\n').count() + 1,
        text: text[line_start..line_end].trim_end().to_owned(),
        column: text[line_start..start].chars().count(),
        width: text[start..marked_end].chars().count().max(1),
    }
}

/// Where the value of a key stands: the longest part of the path that exists.
fn locate(text: &str, path: &str) -> Option<Range<usize>> {
    let table = DeTable::parse(text).ok()?;
    let root = DeValue::Table(table.into_inner());
    let (mut place, mut span) = (&root, None);
    for part in path.split(['.', '[']) {
        let part = part.trim_end_matches(']');
        let next = match place {
            DeValue::Table(table) => {
                let found = table.get_key_value(part);
                found.map(|(key, value)| match value.get_ref() {
                    DeValue::Table(_) => (key.span(), value),
                    _ => (value.span(), value),
                })
            }
            DeValue::Array(list) => {
                let found = part.parse().ok().and_then(|i: usize| list.get(i));
                found.map(|value| (value.span(), value))
            }
            _ => None,
        };
        let Some((next_span, value)) = next else {
            break;
        };
        (span, place) = (Some(next_span), value.get_ref());
    }
    span
}
