use std::path::{Path, PathBuf};

use clap::Args;
use playlab::Error;
use playlab::store::RUNS;
use playlab::text::{elo, escaped_line, out_of, rate, thousands};
use playlab::workflow::{RunList, RunRow, RunState, TournamentRow, list_tournaments};
use serde_json::json;

use super::output::{or_dash, show, table, table_text};

/// List the runs, sweeps and tournaments in a directory
///
/// A run is `finished` once all its seeds have come to their end, `training` while a process trains it, and otherwise
/// `unfinished`: lab train --resume RUN goes on. One that was killed counts as `training` for 30 seconds more.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab runs
  lab runs runs/reference
  lab runs --json")]
pub struct Runs {
    /// The directory that holds the runs
    #[arg(value_name = "DIR", default_value = RUNS)]
    directory: PathBuf,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Runs {
    pub fn run(self) -> Result<(), Error> {
        let shown = self.directory.display();
        if !self.directory.exists() && self.directory != Path::new(RUNS) {
            return Err(Error::input(format!(
                "cannot list {shown}: it is not there"
            )));
        }
        let rows = RunList::new(self.directory.clone()).rows()?;
        let tournaments = list_tournaments(&self.directory)?;
        let told = json!({ "runs": rows, "tournaments": tournaments });
        show(self.json, &told, || match (&rows[..], &tournaments[..]) {
            ([], []) => format!("No run in {shown}; lab train makes one.\n"),
            (rows, []) => runs_text(rows),
            ([], tournaments) => tournaments_text(tournaments),
            (rows, tournaments) => runs_text(rows) + "\n" + &tournaments_text(tournaments),
        })
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
    let mut told = rows.iter().filter_map(|row| row.told.as_ref());
    let begun = match told.any(|told| told.seeds < told.all_seeds) {
        true => " Seeds count once they have a finished epoch.",
        false => "",
    };
    let unreadable = match rows.iter().all(|row| row.told.is_some()) {
        true => "",
        false => "\nlab plot RUN says why a run has no readable results.",
    };
    format!(
        "{}\nThe win rate is that of the best checkpoints against the first opponent, the mean over sides and seeds. It is exact;\nwhere nothing can be proven (-) it is counted in games, unless that opponent is perfect. Episodes are those of the longest seed.{begun}{unreadable}\n",
        table_text(&list)
    )
}

fn tournaments_text(tournaments: &[TournamentRow]) -> String {
    let head = [
        "tournament",
        "game",
        "first",
        "Elo",
        "agents",
        "games a pair",
    ];
    let mut list = table(head, 3);
    for tournament in tournaments {
        let mut row = vec![escaped_line(&tournament.name)];
        match &tournament.told {
            Some(told) => {
                row.push(escaped_line(&told.game));
                row.push(escaped_line(told.first.as_deref().unwrap_or_default()));
                row.push(or_dash(told.elo.map(elo)));
                row.push(thousands(told.agents as u64));
                let games = thousands(told.games_per_pair);
                row.push(match told.interrupted_at {
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
        let unreadable = "has no readable results".to_owned();
        return vec![escaped_line(&row.run.name), unreadable];
    };
    let share = |safe: Option<usize>| {
        let of_some = safe.filter(|_| told.seeds > 0);
        or_dash(of_some.map(|safe| out_of(safe, told.seeds as usize)))
    };
    vec![
        escaped_line(&row.run.name),
        told.game.clone(),
        told.sides.to_string(),
        match told.seeds == told.all_seeds {
            true => thousands(told.seeds),
            false => out_of(told.seeds as usize, told.all_seeds as usize),
        },
        thousands(told.episodes),
        share(told.unbeatable_best),
        share(told.unbeatable_last),
        or_dash(told.win_rate.map(|win_rate| rate(win_rate, 4))),
        told.opponent.clone(),
        match told.state {
            RunState::Finished => "finished",
            RunState::Training => "training",
            RunState::Unfinished => "unfinished",
        }
        .to_owned(),
    ]
}
