use std::path::{Path, PathBuf};

use clap::Args;
use playlab::Error;
use playlab::store::PastTournament;
use playlab::text::{escaped_line, thousands};
use playlab::workflow::{RunRow, RunState, Told, list_runs, list_tournaments};

use super::output::{or_dash, print, table, table_text};

/// The directory that holds the runs, unless another one is named; it need not be there yet.
pub const DEFAULT: &str = "runs";

/// List the runs, sweeps and tournaments in a directory
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab runs
  lab runs runs/reference")]
pub struct Runs {
    /// The directory that holds the runs
    #[arg(value_name = "DIR", default_value = DEFAULT)]
    directory: PathBuf,
}

impl Runs {
    /// Prints a table.
    pub fn run(self) -> Result<(), Error> {
        let shown = self.directory.display();
        let rows = match list_runs(&self.directory)? {
            Some(rows) => rows,
            None if self.directory == Path::new(DEFAULT) => Vec::new(),
            None => {
                return Err(Error::input(format!(
                    "cannot list {shown}: it is not there"
                )));
            }
        };
        let tournaments = list_tournaments(&self.directory)?;
        if rows.is_empty() && tournaments.is_empty() {
            return print(&format!("No run in {shown}; lab train makes one.\n"));
        }
        let texts = [
            (!rows.is_empty()).then(|| runs_text(&rows)),
            (!tournaments.is_empty()).then(|| tournaments_text(&tournaments)),
        ];
        let texts: Vec<String> = texts.into_iter().flatten().collect();
        print(&texts.join("\n"))
    }
}

fn runs_text(rows: &[RunRow]) -> String {
    let head = [
        "run",
        "game",
        "side",
        "seeds",
        "episodes",
        "unbeatable: best",
        "last",
        "win rate",
        "against",
        "state",
    ];
    let mut list = table(head, 3);
    for row in rows {
        list.add_row(cells(row));
    }
    let is_partial = |told: &Told| told.seeds < told.all_seeds;
    let begun = match rows
        .iter()
        .filter_map(|row| row.told.as_ref())
        .any(is_partial)
    {
        true => " Seeds count once they have a finished epoch.",
        false => "",
    };
    format!(
        "{}\nThe win rate is that of the best checkpoints against the first opponent, the mean over sides and seeds. It is exact;\nwhere nothing can be proven (-) it is counted in games, unless that opponent is perfect. Episodes are those of the longest seed.{begun}\n",
        table_text(&list)
    )
}

fn tournaments_text(tournaments: &[(String, Option<PastTournament>)]) -> String {
    let head = [
        "tournament",
        "game",
        "first",
        "Elo",
        "agents",
        "games a pair",
    ];
    let mut list = table(head, 3);
    for (name, past) in tournaments {
        let mut row = vec![escaped_line(name)];
        match past {
            Some(past) => {
                let first = past.first();
                row.push(escaped_line(&past.game));
                row.push(first.map_or_else(String::new, |first| escaped_line(&first.agent)));
                let elo = first.and_then(|first| first.elo);
                row.push(or_dash(elo.map(|elo| format!("{elo:+.0}"))));
                row.push(thousands(past.ratings.len() as u64));
                let games = thousands(past.games_per_pair);
                row.push(match past.interrupted_at() {
                    Some(least) => format!("interrupted at {} of {games}", thousands(least)),
                    None => games,
                });
            }
            None => row.push("is not finished, or cannot be read".to_owned()),
        }
        list.add_row(row);
    }
    table_text(&list)
}

fn cells(row: &RunRow) -> Vec<String> {
    let Some(told) = &row.told else {
        let unreadable = "has no results that can be read".to_owned();
        return vec![escaped_line(&row.name), unreadable];
    };
    let share = |safe: Option<usize>| or_dash(safe.map(|safe| format!("{safe} of {}", told.seeds)));
    vec![
        escaped_line(&row.name),
        told.game.clone(),
        told.sides.to_string(),
        match told.seeds == told.all_seeds {
            true => thousands(told.seeds),
            false => format!("{} of {}", thousands(told.seeds), thousands(told.all_seeds)),
        },
        thousands(told.episodes),
        share(told.unbeatable_best),
        share(told.unbeatable_last),
        told.win_rate
            .map_or_else(String::new, |rate| format!("{rate:.4}")),
        told.opponent.clone(),
        match told.state {
            RunState::Finished => "finished",
            RunState::Training | RunState::Unfinished => "unfinished",
        }
        .to_owned(),
    ]
}
