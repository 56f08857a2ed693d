//! The `lab` command.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    let ran = cli::check_arguments().and_then(|()| cli::run(cli::arguments()?));
    match ran {
        Ok(code) => code,
        Err(error) if cli::is_closed(&error) => ExitCode::SUCCESS,
        Err(error) => {
            cli::complain(&format!("error: {error}"));
            ExitCode::from(error.exit_code())
        }
    }
}
