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
/// A run is `finished` once all its seeds have ended, `training` while a process trains it, and otherwise
/// `unfinished`: lab train --resume RUN resumes it. A killed one counts as `training` for 30 more seconds.
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
                "cannot list {shown}: there is no such directory"
            )));
        }
        let rows = RunList::new(self.directory.clone()).rows()?;
        let tournaments = list_tournaments(&self.directory)?;
        let report = json!({ "runs": rows, "tournaments": tournaments });
        show(self.json, &report, || match (&rows[..], &tournaments[..]) {
            ([], []) => format!(
                "No run in {shown}; {}.\n",
                match self.directory == Path::new(RUNS) && are_here() {
                    true => "lab runs . lists those here",
                    false => "lab train makes one",
                }
            ),
            (rows, []) => runs_text(rows),
            ([], tournaments) => tournaments_text(tournaments),
            (rows, tournaments) => runs_text(rows) + "\n" + &tournaments_text(tournaments),
        })
    }
}

/// Whether runs that can be read, or tournaments, are here.
fn are_here() -> bool {
    let here = Path::new(".");
    let runs = RunList::new(here.to_owned()).rows().unwrap_or_default();
    let tournaments = list_tournaments(here).unwrap_or_default();
    runs.iter().any(|run| run.summary.is_some()) || !tournaments.is_empty()
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
    let mut summaries = rows.iter().filter_map(|row| row.summary.as_ref());
    let begun = match summaries.any(|summary| summary.seeds < summary.all_seeds) {
        true => " Seeds count once they have a finished epoch.",
        false => "",
    };
    let unreadable = match rows.iter().all(|row| row.summary.is_some()) {
        true => "",
        false => "\nlab plot RUN says why a run has no readable results.",
    };
    format!(
        "{}\nThe win rate is the best checkpoints' against the first opponent, averaged over sides and seeds. It is exact,\nexcept where nothing can be proven (-): there it is counted in games, unless that opponent is perfect. Episodes are the longest seed's.{begun}{unreadable}\n",
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
        "games per pair",
    ];
    let mut list = table(head, 3);
    for tournament in tournaments {
        let mut row = vec![escaped_line(&tournament.name)];
        match &tournament.summary {
            Some(summary) => {
                row.push(escaped_line(&summary.game));
                row.push(escaped_line(summary.first.as_deref().unwrap_or_default()));
                row.push(or_dash(summary.elo.map(elo)));
                row.push(thousands(summary.agents as u64));
                let games = thousands(summary.games_per_pair);
                row.push(match summary.interrupted_at {
                    Some(least) => format!("interrupted at {} of {games}", thousands(least)),
                    None => games,
                });
            }
            None => row.push("is not finished, or its tournament.json cannot be read".to_owned()),
        }
        list.add_row(row);
    }
    table_text(&list)
}

fn cells(row: &RunRow) -> Vec<String> {
    let Some(summary) = &row.summary else {
        let unreadable = "has no readable results".to_owned();
        return vec![escaped_line(&row.run.name), unreadable];
    };
    let share = |safe: Option<usize>| {
        let of_some = safe.filter(|_| summary.seeds > 0);
        or_dash(of_some.map(|safe| out_of(safe, summary.seeds as usize)))
    };
    vec![
        escaped_line(&row.run.name),
        summary.game.clone(),
        summary.sides.to_string(),
        match summary.seeds == summary.all_seeds {
            true => thousands(summary.seeds),
            false => out_of(summary.seeds as usize, summary.all_seeds as usize),
        },
        thousands(summary.episodes),
        share(summary.unbeatable_best),
        share(summary.unbeatable_last),
        or_dash(summary.win_rate.map(|win_rate| rate(win_rate, 4))),
        summary.opponent.clone(),
        match summary.state {
            RunState::Finished => "finished",
            RunState::Training => "training",
            RunState::Unfinished => "unfinished",
        }
        .to_owned(),
    ]
}
