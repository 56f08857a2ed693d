use clap::Args;
use playlab::Error;
use playlab::game::games;

use super::output::{print, table, table_text};

/// List the games
///
/// A game whose positions are listed can be learned by a table and evaluated
/// exactly; the others are searched.
#[derive(Args)]
#[command(after_help = "\
Example:
  lab games")]
pub struct Games {}

impl Games {
    /// Prints a table.
    pub fn run(self) -> Result<(), Error> {
        let mut list = table(["game", "rules", "symmetries", "positions"], 2);
        for game in games() {
            list.add_row([
                game.name,
                game.summary,
                &game.symmetries.to_string(),
                if game.listed { "listed" } else { "searched" },
            ]);
        }
        print(&table_text(&list))
    }
}
