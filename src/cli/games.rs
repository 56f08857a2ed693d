use clap::Args;
use playlab::Error;
use playlab::game::games;

use super::output::{print, table, table_text};

/// List the games
#[derive(Args)]
#[command(after_help = "\
Example:
  lab games")]
pub struct Games {}

impl Games {
    /// Prints a table.
    pub fn run(self) -> Result<(), Error> {
        let mut list = table(["game", "rules", "symmetries"], 2);
        for game in games() {
            list.add_row([game.name, game.summary, &game.symmetries.to_string()]);
        }
        print(&table_text(&list))
    }
}
