//! What the program knows about itself: its games, its configs, and its arguments.

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use playlab::Error;
use playlab::config::config_schema;
use playlab::game::games;
use playlab::workflow::GameDescription;
use serde_json::json;

use super::output::{print, show, table, table_text};

/// List the games
///
/// A game whose positions are listed can be learned by a table and evaluated
/// exactly; the others are searched.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab games
  lab games --json")]
pub struct Games {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Games {
    pub fn run(self) -> Result<(), Error> {
        let games: Vec<GameDescription> = games()
            .iter()
            .map(|game| GameDescription::of(game, &[]))
            .collect();
        show(self.json, &json!({ "games": games }), || {
            let mut list = table(["game", "rules", "symmetries", "positions"], 2);
            for game in &games {
                list.add_row([
                    game.name,
                    game.summary,
                    &game.symmetries.to_string(),
                    if game.listed { "listed" } else { "searched" },
                ]);
            }
            table_text(&list)
        })
    }
}

/// Print the JSON schema of a config, for editors
#[derive(Args)]
#[command(after_help = "\
Example:
  lab schema > lab.schema.json")]
pub struct Schema {}

impl Schema {
    pub fn run(self) -> Result<(), Error> {
        show(true, &config_schema(), String::new)
    }
}

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
    pub fn run(self) -> Result<(), Error> {
        let (mut command, mut script) = (super::Arguments::command(), Vec::new());
        clap_complete::generate(self.shell, &mut command, "lab", &mut script);
        print(&String::from_utf8_lossy(&script))
    }
}
