//! The `lab` command.

mod cli;

use std::io::ErrorKind;
use std::process::ExitCode;

use playlab::Error;

fn main() -> ExitCode {
    let ran = cli::check_arguments().and_then(|()| cli::run(cli::arguments()?));
    match ran {
        Ok(code) => code,
        // Whoever reads the output has seen enough.
        Err(Error::System { source, .. }) if source.kind() == ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            cli::complain(&format!("error: {error}"));
            ExitCode::from(error.exit_code())
        }
    }
}
