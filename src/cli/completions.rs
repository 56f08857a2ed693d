use clap::{Args, CommandFactory};
use clap_complete::Shell;
use playlab::Error;

use super::output::print;

/// Print a script that completes this program's arguments in a shell
#[derive(Args)]
#[command(after_help = "\
Example:
  lab completions bash > ~/.local/share/bash-completion/completions/lab")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    /// Prints the script.
    pub fn run(self) -> Result<(), Error> {
        let mut script = Vec::new();
        clap_complete::generate(
            self.shell,
            &mut super::Arguments::command(),
            "lab",
            &mut script,
        );
        print(&String::from_utf8_lossy(&script))
    }
}
