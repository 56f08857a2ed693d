//! What comes from standard input.

use std::io::{BufRead, Read, stdin};

use playlab::Error;

/// A line of standard input, including its end; empty after the last one. Errors: [`Error`] if it
/// cannot be read, or is longer than any command.
pub fn read_line() -> Result<Vec<u8>, Error> {
    const MOST: u64 = 1 << 16;
    let mut line = Vec::new();
    let mut input = stdin().lock().take(MOST + 1);
    let read = input.read_until(b'\n', &mut line);
    read.map_err(Error::system("read", "standard input".as_ref()))?;
    match line.len() as u64 > MOST {
        true => Err(Error::input(
            "standard input has a line of more than 65,536 bytes",
        )),
        false => Ok(line),
    }
}
