//! Text for the user, on standard output.

use std::io::{ErrorKind, Write};
use std::path::Path;

use comfy_table::{Cell, CellAlignment, Table, presets};
use playlab::Error;
use playlab::disk::write_named_again;
use playlab::text::{self, escaped};

use super::complain;

/// Prints to standard output; control characters are escaped. Errors: [`Error::System`] if the text
/// cannot be written, for instance to a closed pipe.
pub fn print(text: &str) -> Result<(), Error> {
    print_styled(&escaped(text))
}

/// Writes a file as [`write_named_again`] does, and reports in a line what it holds; on standard error if it is not a
/// plain file, as it may be standard output. Errors: as [`write_named_again`] at a named path, and as [`print()`].
pub fn write_file(path: &Path, content: &[u8], mark: &[u8], what: &str) -> Result<(), Error> {
    write_named_again(path, content, mark).map_err(Error::at_named_path)?;
    let line = format!("{}: {what}", path.display());
    match path.is_file() {
        true => print(&format!("{line}\n")),
        false => {
            complain(&line);
            Ok(())
        }
    }
}

/// Prints the program's own text, which may have styles for a terminal. Errors: as [`print()`].
pub fn print_styled(text: &str) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(unprinted)
}

/// The error that standard output could not be written to.
pub fn unprinted(source: std::io::Error) -> Error {
    Error::system("write to", Path::new(STANDARD_OUTPUT))(source)
}

const STANDARD_OUTPUT: &str = "standard output";

/// Whether an error means that the reader of standard output has closed it.
pub fn is_closed(error: &Error) -> bool {
    matches!(error, Error::System { path, source, .. }
        if source.kind() == ErrorKind::BrokenPipe && path == Path::new(STANDARD_OUTPUT))
}

/// A table with this head, without rows yet, whose columns from `numbers_from` on are
/// right-aligned.
pub fn table(head: impl IntoIterator<Item: Into<Cell>>, numbers_from: usize) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_header(head.into_iter().map(Into::into).collect::<Vec<Cell>>());
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 3));
        if i >= numbers_from {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// The table's text with a line break at its end and no blanks before it.
pub fn table_text(table: &Table) -> String {
    table
        .lines()
        .map(|line| line.trim_end().to_owned() + "\n")
        .collect()
}

/// The value if known, else a dash.
pub fn or_dash(known: Option<impl ToString>) -> String {
    known.map_or_else(|| "-".to_owned(), |known| known.to_string())
}

/// A rate with its interval.
pub fn rate_text(rate: f64, ends: Option<(f64, f64)>) -> String {
    with_ends(rate, ends, |value| text::rate(value, 4))
}

/// A number followed by the ends of its range, if they are known. Next to a sign, a dash between the ends would
/// look like another one.
pub fn with_ends(value: f64, ends: Option<(f64, f64)>, text: impl Fn(f64) -> String) -> String {
    let Some((low, high)) = ends.map(|(low, high)| (text(low), text(high))) else {
        return text(value);
    };
    let to = match [&low, &high].iter().any(|end| end.starts_with(['+', '-'])) {
        true => " to ",
        false => "–",
    };
    format!("{} ({low}{to}{high})", text(value))
}

/// Prints text of a command whose exit code says something, too, so that a closed pipe is not an error.
/// Errors: as [`print()`], except for a closed pipe.
pub fn print_unless_closed(text: &str) -> Result<(), Error> {
    match print(text) {
        Err(error) if is_closed(&error) => Ok(()),
        printed => printed,
    }
}

/// [Prints](print_unless_closed) a report, as indented JSON or else as text.
pub fn show(
    json: bool,
    report: &impl serde::Serialize,
    text: impl FnOnce() -> String,
) -> Result<(), Error> {
    print_unless_closed(&match json {
        true => serde_json::to_string_pretty(report).expect("a report is JSON") + "\n",
        false => text(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_standard_output_may_be_closed() {
        let broken = || ErrorKind::BrokenPipe.into();
        assert!(is_closed(&unprinted(broken())));
        assert!(!is_closed(&unprinted(ErrorKind::StorageFull.into())));
        assert!(!is_closed(&Error::system("write", Path::new("pipe"))(
            broken()
        )));
    }

    #[test]
    fn a_dash_is_no_sign() {
        assert_eq!(
            rate_text(-0.97, Some((-1.0, -0.91))),
            "-0.9700 (-1.0000 to -0.9100)"
        );
        assert_eq!(rate_text(0.5, Some((0.25, 0.75))), "0.5000 (0.2500–0.7500)");
        let signed = |value: f64| format!("{value:+.1}").replace("+0.0", "0.0");
        let text = with_ends(0.5, Some((0.0, 1.0)), signed);
        assert_eq!(text, "+0.5 (0.0 to +1.0)");
    }
}
