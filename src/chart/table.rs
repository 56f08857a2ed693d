use crate::evaluate::{RatedAgent, Standings};
use crate::plot::Heatmap;

/// The cross table of a tournament, strongest agents first.
pub fn cross_table(standings: &Standings) -> Heatmap {
    let order = standings.ranking();
    let name = |&i: &usize| {
        let RatedAgent { agent, elo, .. } = &standings.ratings[i];
        let elo = elo.map_or_else(String::new, |elo| format!(" ({elo:+.0})"));
        (agent.clone(), elo)
    };
    let played = || standings.pairings.iter().map(|pairing| pairing.games);
    let games = match (played().min(), played().max()) {
        (Some(least), Some(most)) if least < most => format!("{least} to {most}"),
        (_, most) => most.unwrap_or(0).to_string(),
    };
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
