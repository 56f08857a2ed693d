//! Turning a tournament's standings into a cross table.

use super::color::{BLUE, ORANGE};
use crate::evaluate::Standings;
use crate::plot::{Grid, GridTable, Names};
use crate::text::{counts, elo};

/// The cross table of a tournament, strongest agents first: low scores are orange, even ones white, high
/// ones blue.
pub fn cross_table(standings: &Standings) -> Grid {
    let order = standings.ranking();
    let numbered = (1..).zip(&order);
    let name = |(number, &i): (usize, &usize)| {
        let rated = &standings.ratings[i];
        let rating = rated.elo.map(|rating| format!(" ({})", elo(rating)));
        format!("{number} {}{}", rated.agent, rating.unwrap_or_default())
    };
    let games = standings.pairings.iter().map(|pairing| pairing.games);
    let games = counts(games, "game");
    let row = |&i: &usize| order.iter().map(|&j| standings.score(i, j)).collect();
    Grid {
        title: format!("{}: tournament", standings.game),
        subtitle: format!("score of the row against the column, {games} per pair; Elo in brackets"),
        rows: Names {
            label: String::new(),
            names: numbered.map(name).collect(),
        },
        // The rows explain the numbers.
        columns: Names {
            label: String::new(),
            names: (1..=order.len()).map(|number| number.to_string()).collect(),
        },
        tables: vec![GridTable {
            title: String::new(),
            cells: order.iter().map(row).collect(),
            turned: vec![false; order.len()],
            spans: vec![0.0; order.len()],
        }],
        by_column: false,
        ends: Some((0.0, 1.0)),
        colors: vec![ORANGE, (255, 255, 255), BLUE],
        caption: String::new(),
    }
}
