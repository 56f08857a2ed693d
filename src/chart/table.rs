//! From a tournament's standings to a cross table.

use crate::evaluate::{RatedAgent, Standings};
use crate::plot::Heatmap;
use crate::text::range;

/// The cross table of a tournament, strongest agents first.
pub fn cross_table(standings: &Standings) -> Heatmap {
    let order = standings.ranking();
    let name = |&i: &usize| {
        let RatedAgent { agent, elo, .. } = &standings.ratings[i];
        let elo = elo.map_or_else(String::new, |elo| format!(" ({elo:+.0})"));
        (agent.clone(), elo)
    };
    let games = range(standings.pairings.iter().map(|pairing| pairing.games));
    Heatmap {
        title: format!("{}: tournament", standings.game),
        subtitle: format!(
            "score of the row against the column, {games} games a pair; Elo in brackets"
        ),
        names: order.iter().map(name).collect(),
        cells: order
            .iter()
            .map(|&i| order.iter().map(|&j| standings.score(i, j)).collect())
            .collect(),
    }
}
