//! The name of an output file.

use std::ffi::OsStr;
use std::path::Path;

use crate::error::Error;

/// Returns which of these endings, such as `csv`, a path has. If there is only one, a path that is not a plain file,
/// such as a pipe, has it whatever its name. Errors: [`Error::Input`] if it ends otherwise.
pub fn output_ending<'a>(path: &Path, endings: &[&'a str]) -> Result<&'a str, Error> {
    let is_stream = || {
        let there = path.metadata();
        there.is_ok_and(|kind| !kind.is_file() && !kind.is_dir())
    };
    if let &[only] = endings
        && is_stream()
    {
        return Ok(only);
    }
    let own = path.extension().map(OsStr::to_ascii_lowercase);
    let is_own = |ending: &&str| own.as_deref() == Some(OsStr::new(ending));
    endings.iter().copied().find(is_own).ok_or_else(|| {
        Error::input(format!(
            "--output {}: expected a name that ends in .{}",
            path.display(),
            endings.join(" or .")
        ))
    })
}
